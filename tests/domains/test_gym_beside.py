"""What stands beside an answer of reasoning-gym: another one of its form makes it none."""

import pytest

from agentflow.domains.gym import reading

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
