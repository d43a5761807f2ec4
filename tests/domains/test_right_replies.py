"""Replies as models write them, which are right: each of these was undecided once."""

from __future__ import annotations

import pytest
from replies import equal, verdict

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
}
REPLIES = [
    ("sum", "**Answer:** 72\n\n$$\\boxed{72}$$"),
    ("sum", "**Final Answer:** 72\n\n\\[\n\\boxed{72}\n\\]"),
    ("sum", "**Answer: 72**\n\n$$\n\\boxed{72}\n$$"),
    ("sum", "### Final Answer: 72\n\n$$\\boxed{72}$$"),
    ("sum", "The answer is 72\n\n\\[\n\\boxed{72}\n\\]"),
    ("prob", "**Answer:** 5/14\n\n$$\\boxed{\\frac{5}{14}}$$"),
    ("money", "**Answer:** $18\n\n$$\\boxed{18}$$"),
    ("xval", "The answer is $x = \\boxed{5}$."),
    ("sum", "The answer is $48 + 24 = \\boxed{72}$."),
    ("prob", "The answer is $\\frac{20}{56} = \\boxed{\\frac{5}{14}}$."),
    ("money", "The answer is $9 \\times 2 = \\boxed{18}$ dollars."),
    ("sum", "The answer is given by $48+24=\\boxed{72}$."),
    ("sum", "The final answer is the sum of both months: $\\boxed{72}$"),
    ("sum", "Therefore the final answer is the sum:\n\n$\\boxed{72}$"),
    ("g", "One way to make 24 is \\boxed{(7 - 8/8) * 4}."),
    ("g", "One way to make 24 is:\n\n\\[\\boxed{(7 - 8/8) \\times 4}\\]"),
    ("g", "One way to get 24 with these numbers is:\n\nAnswer: (7 - 8/8) * 4"),
    ("g", "A way to get 24 is \\boxed{(7 - 8/8) * 4}."),
    ("g", "One possible way to obtain 24 is \\boxed{(7 - 8/8) * 4}."),
    ("g", "An expression that equals 24 is \\boxed{(7 - 8/8) * 4}."),
    ("g", "The expression that gives 24 is \\boxed{(7 - 8/8) * 4}."),
    ("i", "44*i = 660\n\ni = 15\n\n<answer>15</answer>"),
    ("i", "So i = 15.\n\n\\boxed{15}"),
    ("i", "660 / 44 = 15, so i = 15\n\n\\boxed{15}"),
    ("i", "Therefore, i = 15\n\n**Answer:** 15"),
    ("lt", "Since Alex is kind, Alex must be happy.\n\nAnswer: True"),
    (
        "lt",
        (
            "Answer: True\n\n**Explanation:** Alex satisfies the condition (being kin"
            "d), so Alex must be happy."
        ),
    ),
    ("lt", "Alex will be happy.\n\nAnswer: True"),
    ("lt", "Alex is also happy.\n\nAnswer: True"),
    ("lt", "Alex is necessarily happy.\n\nAnswer: True"),
    ("lt", ("Alex has the property of being kind, so the rule applies.\n\nAnswer: True")),
    ("lt", "Alex is kind ✓\nKind ⇒ happy ✓\nAlex is happy ✓\n\nAnswer: True"),
    ("lu", "Ben may or may not be kind.\n\nAnswer: Uncertain"),
    ("lu", "Ben could be kind or not.\n\nAnswer: Uncertain"),
    ("lu", "Ben is not known to be kind.\n\nAnswer: Uncertain"),
    ("lu", "Ben might be happy or not; the premises do not say.\n\nAnswer: Uncertain"),
    ("lu", ("We don't know whether Ben is kind, so the answer is:\n\n\\boxed{Uncertain}")),
    ("lu", ("We cannot determine whether Ben is happy, so the answer is:\n\n**Uncertain**")),
    ("lf", "The premises entail that Alex is not rude.\n\n\\boxed{False}"),
    ("lt", "Since Alex is kind, the conclusion is \\boxed{True}."),
    ("lt", "So the conclusion that Alex is happy is \\boxed{True}."),
    ("lt", ('Based on the given premises, the statement "Alex is happy" is \\boxed{True}.')),
    ("lt", "We conclude that the statement is \\boxed{True}."),
    ("lt", "The conclusion is necessarily \\boxed{True}."),
    ("lt", "Alex is happy: \\boxed{True}"),
    ("lt", "The proposition is \\boxed{True}."),
    ("mz", "Both turns are right turns, so the answer is \\boxed{2}."),
    ("mz", "There are 2 right turns and 0 left turns, so the answer is \\boxed{2}."),
    ("mzo", "There are 2 right turns, so the correct option is \\boxed{C}."),
    ("mz", "Following the path from S to E, there are \\boxed{2} right turns."),
    ("mz", "The count of right turns is \\boxed{2}."),
    ("mz", "So the path includes \\boxed{2} right turns."),
    ("mz", "The path takes \\boxed{2} right turns."),
    ("mpo", "The Cafe is to the Northeast of The Bank, so the answer is \\boxed{D}."),
    ("mp", "From The Bank, The Cafe is to the \\boxed{Northeast}."),
    ("mp", "The direction from The Bank to The Cafe is \\boxed{Northeast}."),
    ("mp", "The relative direction is \\boxed{Northeast}."),
    ("mp", "As seen from The Bank, The Cafe is to the \\boxed{Northeast}."),
    ("sum", "Answer: 72 clips in total\n\n\\boxed{72}"),
    ("sum", "\\boxed{72}\n\nAnswer: 72 clips altogether"),
    ("sum", "Answer: a total of 72 clips\n\n\\boxed{72}"),
    ("sum", "Answer: 72 clips (48 + 24)\n\n\\boxed{72}"),
    ("prob", "Answer: 5/14 ≈ 0.357\n\n\\boxed{\\frac{5}{14}}"),
    ("cs", "Answer: in 1831\n\n\\boxed{1831}"),
    ("lt", "Answer: The statement is true\n\n\\boxed{True}"),
    ("quad", "\\boxed{\\{2, 3\\}}\n\nAnswer: 2 and 3"),
    ("quad", "Answer: x ∈ {2, 3}\n\n\\boxed{2, 3}"),
    ("quad", "\\boxed{x = 2, x = 3}\n\nAnswer: x = 2 and x = 3"),
    ("quad", "\\boxed{x = 2, x = 3}\n\nAnswer: {2, 3}"),
    ("mz", "Answer: two\n\n\\boxed{2}"),
    ("mzo", "Answer: C. 2\n\n\\boxed{C}"),
    ("mzo", "\\boxed{C}\n\nAnswer: C. 2"),
    ("mzo", "The answer is C. 2.\n\n\\boxed{C}"),
    ("mzo", "Therefore, the answer is **C. 2**.\n\n\\boxed{C}"),
    ("mzo", "\\boxed{C}\n\nAnswer: C) 2"),
    ("mp", "**Northeast**\n\n\\boxed{Northeast}"),
    ("lt", "**True**\n\n\\boxed{True}"),
    ("lt", "**Final Answer**\n\n**True**\n\n\\boxed{True}"),
    ("lt", "**True**\n\nAnswer: True"),
    ("cy", "**Yes**\n\n\\boxed{Yes}"),
    ("mpo", "**D. Northeast**\n\n\\boxed{D}"),
    ("sum", "48 + 24 = 72.\n\nBottom line:\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\nIn short:\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\nTo sum up:\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\nLastly:\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\nEquivalently:\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\nPut simply:\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\n**Outcome:**\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\n**Final count:**\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\n**Tally:**\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\n### Last step\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\nTogether:\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\nPut together:\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\nSure, here's the answer:\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\nAlright, final answer:\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\nAnswer below:\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\nIn the required format:\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\nExpressed in a box:\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\n**Final Answer (boxed):**\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\nHere you go:\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\nNow we can answer the question:\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\nWe can now answer:\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\nLet's write the final answer:\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\nLet me answer:\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\nI'll answer:\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\nLet me double-check:\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\nLet me think through this step by step:\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\nLet me break this down:\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\nLet's break this down step by step:\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\nLet's work through it:\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\nLet me analyze this:\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\nLet's summarize:\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\nLet's do the math:\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\nLet me add these:\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\nI'll calculate:\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\nI found:\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\nWe end up with:\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\n**Key Insight**\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\n**Insight:**\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\n**Idea:**\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\n### Approach\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\n### Method\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\n**Strategy:**\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\n### Given\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\n### Sanity check\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\n### Step-by-step reasoning\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\n### Logical Reasoning\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\n### 3. Put it together\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\n### Use the formula\n\n\\boxed{72}"),
    ("sum", "Doing the math:\n\n48 + 24 = \\boxed{72}"),
    ("sum", "Performing the addition:\n\n\\boxed{72}"),
    ("sum", "It's a simple addition:\n\n\\boxed{72}"),
    ("quad", "By factoring:\n\n\\boxed{x = 2, x = 3}"),
    ("quad", "Setting each factor equal to zero:\n\n\\boxed{x = 2, x = 3}"),
    ("quad", "**Solution set:**\n\n\\boxed{x = 2, x = 3}"),
    ("prob", "In lowest terms:\n\n\\boxed{\\frac{5}{14}}"),
    ("prob", "In simplest form:\n\n\\boxed{\\frac{5}{14}}"),
    ("prob", "By the multiplication rule:\n\n\\boxed{\\frac{5}{14}}"),
    ("xval", "Isolating $x$:\n\n\\boxed{5}"),
    ("xval", "Plug in:\n\nAnswer: 5"),
    ("money", "**Daily revenue:**\n\n\\boxed{\\$18}"),
    ("mzo", "This matches option:\n\n\\boxed{C}"),
    ("mzo", "Matching with the given options:\n\nAnswer: C"),
    ("mp", "According to the map:\n\n\\boxed{Northeast}"),
    ("mp", "**Direction:**\n\n\\boxed{Northeast}"),
    ("mp", "### Relative position\n\n\\boxed{Northeast}"),
    ("mz", "### Tracing the path\n\n\\boxed{2}"),
    ("mz", "**Turn count:**\n\n\\boxed{2}"),
    ("g", "Found a solution:\n\n\\boxed{(7 - 8/8) * 4}"),
    ("g", "We found a solution:\n\nAnswer: (7 - 8/8) * 4"),
    ("g", "**Solution found:**\n\n\\boxed{(7 - 8/8) * 4}"),
    ("g", "In a single expression:\n\n\\boxed{(7 - 8/8) * 4}"),
    ("g", "Written as a single expression:\n\n\\boxed{(7 - 8/8) * 4}"),
    ("sum", "48 + 24 = 72.\n\n**Lösung:**\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\n### Ergebnis\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\n**Endergebnis:**\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\n### Solución\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\n**Resposta final:**\n\n\\boxed{72}"),
    ("sum", "I don't see any issues with this.\n\nAnswer: 72"),
    ("sum", "I do not need any other information.\n\nAnswer: 72"),
    ("sum", "I broke the problem into two steps.\n\nAnswer: 72"),
    ("sum", "I want to find the total number of clips.\n\nAnswer: 72"),
    ("sum", "I validated the total.\n\nAnswer: 72"),
    ("sum", "I reviewed each step.\n\nAnswer: 72"),
    ("sum", "I summed the two months.\n\nAnswer: 72"),
    ("sum", "I made sure to include both months.\n\nAnswer: 72"),
    ("sum", "I was asked for the total.\n\nAnswer: 72"),
    ("sum", "I'm now ready to answer.\n\nAnswer: 72"),
    ("sum", "I hope this is clear.\n\nAnswer: 72"),
    ("g", "I tried several combinations.\n\nAnswer: (7 - 8/8) * 4"),
    ("sum", "You asked for the total.\n\nAnswer: 72"),
    ("sum", "You asked for the final answer only.\n\n\\boxed{72}"),
    ("sum", "- April: 48,\n- May: 24,\n\nAnswer: 72"),
    ("sum", "April = 48, May = 24,\n\nAnswer: 72"),
    ("sum", "48 + 24 = 72.\n\nEquivalently,\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\nIn other words,\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\ni.e.,\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\nAlternatively,\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72.\n\nIn the end,\n\n\\boxed{72}"),
    ("sum", "48 + 24 = 72\n<br>\n\nAnswer: 72"),
    ("sum", "48 + 24 = 72\n\n<hr>\n\n\\boxed{72}"),
    ("sum", "<scratchpad>\n48 + 24 = 72\n\n**Answer:** 72"),
    ("sum", "<step>\n48 + 24 = 72\n\nAnswer: 72\n</step>"),
    ("sum", "<check>\n48 + 24 = 72\n\nAnswer: 72\n</check>"),
    ("sum", "<verify>\n48 + 24 = 72\n\nAnswer: 72\n</verify>"),
    ("sum", "<rationale>\n48 + 24 = 72\n\nAnswer: 72\n</rationale>"),
]


@pytest.mark.parametrize(("name", "reply"), REPLIES)
def test_a_right_reply_is_read(name: str, reply: str) -> None:
    domain, problem, gold = PROBLEMS[name]
    if gold is None:
        assert verdict(domain, problem, reply) is True
    else:
        assert equal(domain, problem, reply, gold) is True
