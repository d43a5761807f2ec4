"""Replies of real models, changed so that they no longer hold on to the right answer: none passes.

Each case is a kind that such replies showed; the wordings are our own.
"""

from __future__ import annotations

import pytest
from test_replies import DRAWN, FOLLOWS, FOUR, MAP, OPEN, RIGHT, SUM, TOTAL

from agentflow import domains
from agentflow.domains import answers

LISTED = f"{FOLLOWS}\nOptions:\nA) True\nB) False\nC) Uncertain"
BELOW = f"{DRAWN}Is the exit (E) directly below the starting point (S)?\nA. Yes\nB. No"
WHERE = (
    f"{MAP.partition('How many')[0]}In which direction is Nina relative to Up?\n"
    "A. Northeast\nB. Southwest\nC. Northwest\nD. Southeast"
)
CASES = [
    # A sentence behind an answer that has one number, and another one.
    ("math", SUM, "The answer is 14. Chen has 15 apples left.", None),
    ("math", SUM, "\\boxed{14}\n\nIn total there are fifteen.", None),
    ("math", SUM, "The answer is 14. Chen has 14 apples left.", None),
    ("math", SUM, "The answer is 14. Chen had 17 apples and gave 3 away.", None),
    # What an answer is said to come to.
    ("math", SUM, "<answer>14</answer>, which is 15", None),
    ("math", SUM, "<answer>14</answer>, which is 14", True),
    ("math", SUM, "<answer>14</answer> = 15", None),
    ("math", SUM, "<answer>14</answer> = 14", True),
    ("logic", FOLLOWS, "<answer>True</answer>, which is False", None),
    ("maze", RIGHT, "\\boxed{C}\n\nBoth this and A work.", None),
    ("maze", RIGHT, "The answer is C, which is 3.", None),
    ("maze", RIGHT, "The answer is C, which is 2.", True),
    ("logic", LISTED, "The answer is A, which is False.", None),
    ("logic", LISTED, "The answer is A, which is True.", True),
    ("logic", LISTED, "The answer is A, which is also the first.", True),
    # A yes that closes a text behind a no.
    ("maze", BELOW, "\\boxed{No}\n\nYes", None),
    ("maze", BELOW, "\\boxed{No}\n\nThis means Yes.", None),
    ("maze", BELOW, "\\boxed{No}\n\nVerification: we get Yes.", None),
    ("maze", BELOW, "The answer is Yes.\n\nYes, that works.", True),
    # The answer once more, denied or in doubt.
    ("math", SUM, "\\boxed{14}\n\nFinal Answer: The final answer isn't 14.", None),
    ("math", SUM, "\\boxed{14}\n\nFinal Answer: The final answer might be 14.", None),
    ("math", SUM, "\\boxed{14}\n\nFinal Answer: The final answer is 14.", True),
    # What stands in front of a mark.
    ("math", SUM, "It is not true that, here, the number is \\boxed{14}.", None),
    ("math", SUM, "One might think that the number is \\boxed{14}.", None),
    ("math", SUM, "The number is almost \\boxed{14}.", None),
    ("math", SUM, "The answer was originally \\boxed{14}.", None),
    ("math", SUM, "The number is at least: <answer>14</answer>", None),
    # What the sentence begins with, however long it is.
    (
        "math",
        SUM,
        "Students often conclude that the positive difference between the greatest and the least "
        "member of the set of all these numbers is \\boxed{14}.",
        None,
    ),
    (
        "game24",
        FOUR,
        "It is not true that, whatever way of combining them by one operation and then by another "
        "one there may be, the expression is \\boxed{(7 - 8/8) * 4}.",
        None,
    ),
    (
        "math",
        SUM,
        "If that were so, the positive difference between the greatest and the least member of the "
        "set of all these numbers would be \\boxed{14}.",
        None,
    ),
    # Another calculation behind an answer that is one.
    ("game24", FOUR, "\\boxed{(7 - 8/8) * 4}\n\nBoth this and 4 + 7 + 8 + 8 work.", None),
    ("game24", FOUR, "\\boxed{(7 - 8/8) * 4}\n\nThe answer is (8 - 7/8) * 4 instead.", None),
    ("game24", FOUR, "\\boxed{(7 - 8/8) * 4}, which is 4 + 7 + 8 + 8", None),
    ("game24", FOUR, "\\boxed{(7 - 8/8) * 4}, which is 6 * 4", True),
    ("math", SUM, "The number is $\\boxed{14}$. = 15", None),
    # Another option, with no space for a sentence of its own.
    ("maze", RIGHT, "The answer is (C). Nope, A.", None),
    ("maze", RIGHT, "The answer is (C). or 3", None),
    # Turns in words, and a path that is denied.
    ("maze", RIGHT, "The answer is C.\nThe path turns right three times.", None),
    ("maze", RIGHT, "The answer is C.\nThe path turns right twice.", True),
    ("maze", RIGHT, "The path turns right three times.\n\nThe answer is 2.", None),
    ("maze", RIGHT, "The path turns right twice.", True),
    ("maze", RIGHT, "The path turns right 3 times.", False),
    ("maze", TOTAL, "The answer is C. The path turns left once.", None),
    ("maze", RIGHT, "The answer is 2. The path is blocked.", None),
    ("maze", BELOW, "There is no valid path.\n\nThe answer is Yes.", None),
    ("maze", BELOW, "The answer is Yes.\nS is below E.", None),
    # What stands below an answer on a map.
    ("spatialmap", WHERE, "The answer is B.\n\nNina is to the Northeast of Up.", None),
    ("spatialmap", WHERE, "The answer is Southwest.\nNina is Northeast.", None),
    ("spatialmap", WHERE, "\\boxed{B}\n\nUp is to the Northeast of Nina.", True),
    ("spatialmap", WHERE, "\\boxed{B}\n\nReason: Nina is to the Southeast of Gale.", True),
    ("spatialmap", WHERE, "\\boxed{Southwest}\n\nOption Northeast is correct.", None),
    ("spatialmap", WHERE, "\\boxed{Southwest}\n\nOption Southwest is correct.", True),
    ("spatialmap", WHERE, "\\boxed{Southwest}, which is Northeast", None),
    ("spatialmap", MAP, "\\boxed{B}\n\nThere are 3 objects in the Southwest of Up.", None),
    # A line that is a truth value, and another one.
    ("logic", FOLLOWS, "True\nIt cannot be determined.", None),
    ("logic", OPEN, "True\n\nIt cannot be determined.", None),
    ("logic", FOLLOWS, "False\n\nThe statement is true.", None),
    ("logic", LISTED, "False\n\nAnswer: A", None),
    ("logic", FOLLOWS, "True\n\nThe statement is true.", True),
    ("logic", FOLLOWS, "True\nFalse\nUncertain\n\nThe answer is True.", True),
    ("logic", OPEN, "Uncertain\nIt cannot be determined.", True),
    # "that is" corrects what was said before.
    ("logic", FOLLOWS, "The answer is True. False, that is.", None),
    ("logic", FOLLOWS, "The answer is False, that is.", None),
    # An option with its text behind a colon.
    ("logic", LISTED, "A: True", True),
    ("logic", LISTED, "A: False", None),
    ("logic", LISTED, "B: False", False),
    # What the result is, in a last line.
    ("math", SUM, "The result is 15.", False),
    ("logic", LISTED, "The result is A.", True),
    ("logic", FOLLOWS, "The result is False.", False),
    ("maze", RIGHT, "The result is 2 right turns.", True),
    ("maze", RIGHT, "The result is A.", False),
    ("maze", BELOW, "The result is Yes.", True),
    ("spatialmap", WHERE, "The result is Southwest.", True),
    ("spatialmap", MAP, "The result is 3.", False),
    ("game24", FOUR, "The result is (7 - 8/8) * 4.", True),
    ("game24", FOUR, "The result is 24.", None),
    # Two cues in one sentence, and an answer that is denied behind itself.
    ("math", SUM, "The answer is 15 and the answer is 14.", None),
    ("math", SUM, "The answer is 14 and the answer is 14.", True),
    ("maze", RIGHT, "The answer is A and the answer is C.", None),
    ("math", SUM, "The answer is 14, not 14.", None),
    ("maze", RIGHT, "The answer is C. (The opposite is true.)", None),
    # Something else that is right.
    ("math", SUM, "Answer: 14\nReason: 15 is right.", None),
    ("math", SUM, "Answer: 14\nReason: 14 is right.", True),
    ("spatialmap", WHERE, "Answer: Southwest\nReason: Northeast is right.", None),
    ("spatialmap", WHERE, "\\boxed{Southwest}\n\nBoth this and Northeast work.", None),
    ("spatialmap", WHERE, "\\boxed{Southwest}\n\nNortheast is also fine.", None),
    # What breaks off, and irony.
    ("math", SUM, "The answer is \\boxed{14}...", None),
    ("maze", RIGHT, "2...", None),
    ("spatialmap", WHERE, "Southwest (?)", None),
    ("spatialmap", WHERE, "≠ Southwest.", None),
    ("spatialmap", WHERE, "Southwest.", True),
    ("math", SUM, "The answer is 14. 🙃", None),
    ("math", SUM, "The answer is 14. 😉", None),
    ("math", SUM, "The answer is 14. 🎉", True),
    # What an object says besides.
    ("math", SUM, '{"answer": "14", "explanation": "Actually 15."}', None),
    ("math", SUM, '{"answer": "14", "explanation": "This is a guess."}', None),
    ("math", SUM, '{"answer": "14", "explanation": "We take 3 from 17."}', True),
    ("math", SUM, '{"reasoning": "The answer is 15.", "answer": "14"}', None),
    ("math", SUM, '{"reasoning": "The answer is 14.", "answer": "14"}', True),
    ("math", SUM, '{"answer": "14", "confidence": 0.01}', None),
    ("math", SUM, '{"answer": "14", "confidence": "low"}', None),
    ("logic", LISTED, "I used to think it is A.", None),
    ("logic", LISTED, "I suspect it is A.", None),
    # A reason that is none, or comes to something else.
    ("math", SUM, "The answer is 14 because I picked at random.", None),
    ("math", SUM, "The answer is 14 because it sounds right.", None),
    ("math", SUM, "The answer is 14, since we computed 15.", None),
    ("math", SUM, "The answer is 14, since there is an error in step 2.", None),
    ("math", SUM, "The answer is 14, since 17 - 3 = 14.", True),
    ("math", SUM, "The answer is 14 because we take 3 from 17.", True),
    ("math", SUM, "Answer: 14\nWhy: this gives 15.", None),
    ("math", SUM, "Answer: 14\nWhy: this gives 14.", True),
    ("math", SUM, "\\boxed{14}\n\nReason: it is not 14.", None),
    ("logic", FOLLOWS, "The answer is True because the dice said so.", None),
    ("logic", FOLLOWS, "The answer is True because Alex is kind.", True),
    ("maze", RIGHT, "The answer is C because A satisfies all the conditions.", None),
    ("maze", RIGHT, "The answer is C because the path turns right twice.", True),
    ("spatialmap", WHERE, "Answer: Southwest\nReason: we get Northeast.", None),
    ("game24", FOUR, "Answer: (7 - 8/8) * 4\nReason: we get 4 + 7 + 8 + 8.", None),
    # A correction that is marked.
    ("math", SUM, "\\boxed{14}\n\nCorrection: \\boxed{15}", False),
    ("math", SUM, "\\boxed{15}\n\nEdit: \\boxed{14}", None),
]


@pytest.mark.parametrize(("name", "problem", "reply", "ok"), CASES)
async def test_a_changed_reply(name: str, problem: str, reply: str, ok: bool | None) -> None:
    domain = domains.get(name)
    answer = domain.answer(reply)
    said = await domain.verify_answer(domain.parse(problem), answer) if answer else None
    assert (said.ok if said else None) is ok


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        # A command of LaTeX is no word that says the answer again.
        ("\\boxed{\\frac{8}{5}}\n\n\\frac{3}{5}", None),
        ("\\boxed{-\\frac{8}{5}}\n\nThus, it is \\frac{8}{5}.", None),
        ("\\boxed{\\frac{8}{5}}\n\nThus, it is -\\frac{8}{5}.", None),
        ("\\boxed{\\frac{8}{5}}\n\nThus, it is \\frac{8}{5}.", "\\frac{8}{5}"),
        ("\\boxed{\\left[1, 2\\right]}\n\nIs that right?", None),
        ("\\boxed{14}\n\nSo, 14.", "14"),
        ("\\boxed{14}\n\nAnswer 14 ❌", None),
        ("\\boxed{14}\n\n~~14~~", None),
        # A mark that its sentence does not state is not read in the sentence.
        ("The answer is almost: $\\boxed{14}$", None),
        ("The answer is almost: <answer>14</answer>", None),
        # A tag that is spoken of.
        ("I put it in the <ANSWER> tag.\n\n\\boxed{2}\n<ANSWER>3</ANSWER>", "3"),
        ("I put it in the <ANSWER> tag.\n\n\\boxed{2}\n<ANSWER>2</ANSWER>", "2"),
        ("In the <answer> tag: <answer>3</answer>", "3"),
    ],
)
def test_what_says_an_answer_again(text: str, answer: str | None) -> None:
    assert answers.stated(text) == answer
