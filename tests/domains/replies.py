"""What a domain makes of a whole reply."""

from __future__ import annotations

import asyncio

from agentflow import domains

PROBLEMS = {
    "sum": (
        "math",
        (
            "Natalia sold 48 clips in April, and half as many clips in May. How man"
            "y clips did Natalia sell altogether in April and May?"
        ),
        "72",
    ),
    "quad": ("math", "Solve the equation $x^2 - 5x + 6 = 0$.", "2, 3"),
    "prob": (
        "math",
        (
            "A bag has 5 red and 3 blue balls. Two balls are drawn without replacem"
            "ent. What is the probability that both are red?"
        ),
        "5/14",
    ),
    "money": (
        "math",
        (
            "Janet's ducks lay 16 eggs per day. She eats three and bakes with four."
            " She sells the rest at $2 per egg. How much in dollars does she make e"
            "very day?"
        ),
        "18",
    ),
    "xval": ("math", "If $3x + 7 = 22$, what is $x$?", "5"),
    "i": ("math", "Solve 44*i + 52 = 712 for i.", "15"),
    "lt": (
        "logic",
        ("Alex is kind. Everyone who is kind is happy. Conclusion: Alex is happy."),
        None,
    ),
    "lf": ("logic", "Alex is kind. No one who is kind is rude. Conclusion: Alex is rude.", None),
    "lu": (
        "logic",
        (
            "Alex is kind. Ben is not tall. If someone is kind, then they are happy"
            ". Conclusion: Ben is happy."
        ),
        None,
    ),
    "mz": (
        "maze",
        (
            "#####\n#SX #\n##X##\n#EX #\n#####\nHow many right turns are there in the pr"
            "ovided path from S to E?"
        ),
        None,
    ),
    "mzo": (
        "maze",
        (
            "#####\n#SX #\n##X##\n#EX #\n#####\nHow many right turns are there in the pr"
            "ovided path from S to E?\nA. 0\nB. 1\nC. 2\nD. 3"
        ),
        None,
    ),
    "mp": (
        "spatialmap",
        (
            "The Bank is in the map. The Cafe is to the Northeast of The Bank. The "
            "Zoo is to the Northwest of The Cafe. In which direction is The Cafe re"
            "lative to The Bank?"
        ),
        None,
    ),
    "mpo": (
        "spatialmap",
        (
            "The Bank is in the map. The Cafe is to the Northeast of The Bank. The "
            "Zoo is to the Northwest of The Cafe. In which direction is The Cafe re"
            "lative to The Bank?\nA. Northwest\nB. Southwest\nC. Southeast\nD. Northeas"
            "t"
        ),
        None,
    ),
    "g": ("game24", "4 7 8 8", None),
    "cy": ("commonsense", "Did the Otter Bridge stand before Lake Orrin was dammed?", "yes"),
    "cs": ("commonsense", "In which year was the Otter Bridge built?", "1831"),
    "left": (
        "math",
        "Tom had 20 apples. He ate 6 and gave 4 to Ann. How many apples does he have left?",
        "10",
    ),
    "root": ("math", "Solve $\\sqrt{x+6}=x$ for x.", "3"),
    "base": ("math", "What is $-100_3 - 121_3$ in base 3?", "-221_3"),
    "sum of two": ("math", "What is 2+2?", None),
    "who": ("commonsense", "Who wrote Hamlet?", "William Shakespeare"),
    "lo": (
        "logic",
        (
            "Alex is kind. Everyone who is kind is happy.\nQuestion: Is the following statement "
            "true, false, or uncertain? Alex is happy.\nA) True\nB) False\nC) Uncertain"
        ),
        None,
    ),
}
"""Name -> (domain, problem, gold answer; None where the domain decides itself)."""


def verdict(domain: str, problem: str, text: str) -> bool | None:
    """Whether the answer that a text states is right; None where it states none, or that is
    undecided."""
    of = domains.get(domain)
    parsed, answer = of.parse(problem), of.answer(text)
    return None if answer is None else asyncio.run(of.verify_answer(parsed, answer)).ok


def equal(domain: str, problem: str, text: str, gold: str) -> bool | None:
    """Whether the answer that a text states is the gold one; None where it states none, or nobody
    can tell."""
    of = domains.get(domain)
    parsed, answer = of.parse(problem), of.answer(text)
    return None if answer is None else asyncio.run(of.equal(parsed, answer, gold))


def is_right(name: str, text: str) -> bool | None:
    """The same for one of the :data:`PROBLEMS`."""
    domain, problem, gold = PROBLEMS[name]
    return verdict(domain, problem, text) if gold is None else equal(domain, problem, text, gold)
