"""What stands beside an answer of reasoning-gym: another one of its form makes it none."""

import pytest

from agentflow.domains.gym import ours, reading

CIPHER = "AND WITH THAT THE CROWD WAS CLOSED"
SUM = "A=7,G=0,S=9,U=1"
COLORS = '{"0": 1, "1": 2}'
KNIGHTS = "Zoe is a knight, and Max is a knave."


def answer(text: str, said: str) -> str | None:
    return reading.answer(text.format(f"<answer>{said}</answer>"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Answer: AND WITH THIS THE CROWD WAS CLOSED\n\n{}", CIPHER),
        ("So the result is AND WITH THIS THE CROWD WAS CLOSED.\n\n{}", CIPHER),
        ("AND WITH THIS THE CROWD WAS CLOSED\n\n{}", CIPHER),
        ("= AND WITH THIS THE CROWD WAS CLOSED\n{}", CIPHER),
        ("{}\n\nAND WITH THIS THE CROWD WAS CLOSED", CIPHER),
        ("Answer: A=7,G=0,S=1,U=9\n\n{}", SUM),
        ("\\boxed{{A=7,G=0,S=1,U=9}}\n\n{}", SUM),
        ('{{"0": 1, "1": 3}} is the correct answer.\n\n{}', COLORS),
        ("**Solution:** {{'0': 2, '1': 2}}\nAll edges are fine.\n\n{}", COLORS),
        ("So Zoe is a knave and Max is a knight.\n\n{}", KNIGHTS),
        ("The answer is Zoe is a knave, and Max is a knight..\n\n{}", KNIGHTS),
        ("0x3eb3 is the correct answer.\n\n{}", "0x3eb2"),
        ("noremopyk is my final answer.\n\n{}", "noremopyh"),
        ("48.0 - 36.0i is the correct answer.\n\n{}", "48.0 + 36.0i"),
        ("m = 1276704/20592 = 63\n\n{}", "62"),
        ("8 + 4 = 12\n12 - 3 = 9\n\n{}", "8"),
        ("12 * 195 = 2340\n\nSo he earns 28,800.\n\n{}", "2340"),
        ("So OUT is 1.\n\n{}", "0"),
        ("The letter b appears twice.\n\n{}", "1"),
        ("There are three of them.\n\n{}", "4"),
        ("It does not follow.\n\n{}", "Yes"),
        ("So the strings are not isomorphic.\n\n{}", "True"),
        ("Thus the conclusion follows.\n\n{}", "No"),
    ],
)
def test_another_answer_beside_makes_it_none(text: str, said: str) -> None:
    assert answer(text, said) is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"Answer: {CIPHER}\n\n{{}}", CIPHER),
        (f"So the result is {CIPHER}.\n\n{{}}", CIPHER),
        ("Answer: A = 7, G = 0, S = 9, U = 1\n\n{}", SUM),
        ("So we have {{'0': 1, '1': 2}}.\n\n{}", COLORS),
        ("So Zoe is a knight and Max is a knave.\n\n{}", KNIGHTS),
        ("Zoe says that Max is a knave, so Zoe is a knight.\n\n{}", KNIGHTS),
        ("Therefore, the fraction is $\\frac{{279}}{{428}}$.\n\n{}", "279/428"),
        ("m = 1276704/20592 = 62\n\n{}", "62"),
        ("22 / 7 = 3.142857\n\n{}", "3.14"),
        ("x = 3, y = 4\n\n{}", "3"),
        ("Let me verify: 15 × 13 = 195 ✓\n\n{}", "13"),
        ("Check: 39(92) - 55 = 3533\n\n{}", "92"),
        ("12 * 195 = 2340\n\nSo he earns 2,340 in 3 days.\n\n{}", "2340"),
        ("Now count the letters of 3 words.\n\n{}", "8"),
        ("The letter b appears twice.\n\n{}", "2"),
        ("It does not follow.\n\n{}", "No"),
        ("So the strings are isomorphic.\n\n{}", "True"),
        ("(47 - 44) * 13 = 39\n\n**((47 - 44) * 13)**\n\n{}", "(47 - 44) * 13"),
    ],
)
def test_the_same_beside_it_leaves_it(text: str, said: str) -> None:
    assert answer(text, said) == said


GRID = "3 1 2 4\n2 4 3 1\n4 3 1 2\n1 2 4 3"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"```\n{CIPHER}\n```", CIPHER),
        ("```json\n[1, 2]\n```", "[1, 2]"),
        (f"**{CIPHER}**", CIPHER),
        (f"**{COLORS}**", COLORS),
        (COLORS, COLORS),
        (GRID, GRID),
        (f"```\n{GRID}\n```", GRID),
        (f"Step by step...\n\nAnswer: {GRID}", GRID),
        (f"The answer is **{GRID}**.", GRID),
        (f"**Final grid:**\n\n{GRID}", GRID),
        ("Solution:\n\n```\n7 < 8\n\n8 > 7\n```", "7 < 8\n\n8 > 7"),
        ("<answer>1. Move a to b\n2. Move b to c</answer>", "Move a to b\nMove b to c"),
    ],
)
def test_an_answer_that_is_all_of_a_text_needs_no_tag(text: str, said: str) -> None:
    assert reading.answer(text) == said


@pytest.mark.parametrize(
    "text",
    [
        f"This is wrong:\n{GRID}",
        f"Answer: {GRID}\n\nWait, that is wrong.",
        f"The wrong answer is {GRID}",
        f"Answer: 5\n\nThe grid is {GRID}",
        "**What is asked?**",
        "```\n1 2\n```\n```\n3 4\n```",
        f"Not this:\n```\n{GRID}\n```",
        "3 1 2 4\n2 4 3",
        "I think it is 3\n```\n1 2\n```",
    ],
)
def test_other_texts_without_a_tag_state_none(text: str) -> None:
    assert reading.answer(text) is None


@pytest.mark.parametrize(
    ("text", "ok"),
    [
        ("2 * 12 = 24", True),
        ("(2 * 12) = 24", True),
        ("12 * 2 = 25", None),
        ("12 + 2 = 24", False),
        ("24 = 2 * 12", None),
        ("2 * 12 = 24 = 24", None),
        ("2 * 12 = 20 + 4", None),
    ],
)
def test_an_expression_may_be_followed_by_its_target(text: str, ok: bool | None) -> None:
    assert ours.judged({"numbers": [2, 12], "target": 24}, text).ok is ok
