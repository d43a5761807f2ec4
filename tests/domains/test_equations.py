from __future__ import annotations

import re
from fractions import Fraction

import pytest
from counting import is_linear
from hypothesis import given, settings
from hypothesis import strategies as st

from agentflow.domains.math.claims import Claim, is_plain, judge
from agentflow.domains.math.equations import claims


def oks(line: str) -> list[bool | None]:
    """What is told of the plain claims of a line."""
    return [judge(claim).ok for claim in claims(line)[0] if is_plain(claim)]


RIGHT = [
    "Janet sells 16 - 3 - 4 = <<16-3-4=9>>9 duck eggs a day.",
    "She makes 9 * 2 = $<<9*2=18>>18 every day.",
    "So 20% of 50 = 10.",
    "\\[ \\frac{1}{2} \\times 50 = 25 \\]",
    "Total = $1,200 + $34.50 = $1,234.50",
    "1/3 = 0.33",
    "2/3 = 0.67",
    "x = (12 + 4) / 2^3 = 2",
    "60 miles/hour * 2 hours = 120 miles",
    "5 apples + 3 oranges = 8 fruits",
    "3 x 4 = 12 and so on",
    "- Total: **3 + 4 = 7**",
    "1. 3 + 4 = 7",
    "3/4 = 75%",
    "3/4 * 100 = 75%",
    "50 + 10% = 55",
    "1 1/2 / 1/2 = 3",
    "5! / 3! = 20",
    "\\binom{5}{2} = 10",
    "2 \\cdot (3 + 4) = 14",
    "180^\\circ - 90^\\circ = 90^\\circ",
    "The sum: 3 + 4 + 5 = 12!",
    "1,000 × 3 ÷ 2 = 1,500",
    "\\sqrt{16} + 1 = 5",
    "100 / 7 ≈ 14.3",
    "2x + 3x = 5x",
]
WRONG = [
    ("48/2 = 25 clips", "48/2 is 24, not 25 clips"),
    ("x = 48/2 = 25", "48/2 is 24, not 25"),
    ("She has \\(12 + 6 = 19\\).", "12 + 6 is 18, not 19"),
    ("So 3 + 4 = 7, 5 + 6 = 12", "5 + 6 is 11, not 12"),
    ("We get (8 - 3) * 2 = 5 * 2 = 11", "5 * 2 is 10, not 11"),
    ("0.5 * 3 = 2.5", "0.5 * 3 is 1.5, not 2.5"),
    ("\\frac{1}{2} + \\frac{1}{3} = \\frac{2}{5}", None),
    ("There are <<3*4=13>>13 left", "3*4 is 12, not 13"),
    ("7 * 8 = 54 dollars.", "7 * 8 is 56, not 54"),
    ("$191.50 + $14 = $206.50", "191.50 + 14 is 205.5, not 206.50"),
    ("40% * $25 = $20", "40% * 25 is 10, not 20"),
    ("2^5 = 10", "2^5 is 32, not 10"),
    ("B = (4 + 3 + -5) = 3", "(4 + 3 + -5) is 2, not 3"),
    ("12 = 5 + 6.", "5 + 6 is 11, not 12"),
]
NEVER_REFUTED = [
    "2x + 3 = 5",
    "x + 3 = 5",
    "Let n = 5.",
    "Day 5 = 3 + 4",
    "Suppose 2 + 2 = 5.",
    "If 3 + 4 = 8 then",
    "Is 3 + 4 = 8?",
    "3 * 7 = 1 (mod 10)",
    "3 * 7 = 1 \\pmod{10}",
    "17 / 5 = 3 remainder 2",
    "17 / 5 = 3 R 2",
    "101_2 + 1 = 6",
    "100 / 3 = 33",
    "Half of 20 + 4 = 14",
    "The average of 2 + 4 = 3",
    "gcd(12, 18) = 6",
    "f(3 + 4) = 8",
    "2 dozen + 3 = 27",
    "25 cents * 8 = $2",
    "30 * 4 = 2 hours",
    "2 hours + 30 minutes = 150 minutes",
    "1 + 2 + ... + 10 = 55",
    "\\sum_{k=1}^{3} k = 6",
    "3 + 4 = 7x",
    "2ab + 2cd = 0",
    "65 + 2xy = 105",
    "100 - \\frac{2500}{81} = 5AD^2",
    "5 + 3 = 8 * 2 = 16",
    "- 3 + 4 = 7",
    "25 classmates + his 1 teacher + 1 himself = 27",
    "1st - 5 = 6th",
    "60 / 15 = 4 (15 minutes)",
    "1800 - 2000 = 200 less",
    "48 = 100% + 20%",
    "2 + 2 = 5 is wrong",
    "3 * 3.33 = 10",
    "3.14 * 2^2 = 12.57",
    "9/14*84 = <<9/14*84=54.00000000000001>>54 women",
    "2000 / 75 = 26.666666666666668",
    "\\sqrt{4} = 2 and -2",
    "The roots: 1 + 2 = 3 and 4",
    "sin(30) = 0.5",
    "2, 3, 4 + 5 = 14",
    "4\\log 2 = 4(0.30102...) = 1.2",
    "\\[ 21^2 = 441 \\] \\[ (-20)^2 = 400 \\]",
    "1/2(4) = 2 and 1/2(4) = 1/8",
    "-3^2 = 9 and -3^2 = -9",
    "A = \\{1, 2\\}, |A| = 1 + 1",
]


@pytest.mark.parametrize("line", RIGHT)
def test_right_lines_hold(line: str) -> None:
    found, _ = claims(line)
    assert found, line
    assert set(oks(line)) <= {True}, [(claim, judge(claim)) for claim in found]


@pytest.mark.parametrize(("line", "reason"), WRONG)
def test_wrong_lines_are_refuted(line: str, reason: str | None) -> None:
    judged = [judge(claim) for claim in claims(line)[0]]
    refuted = [one for one in judged if one.ok is False]
    assert len(refuted) == 1, judged
    assert reason is None or refuted[0].reason == reason


@pytest.mark.parametrize("line", NEVER_REFUTED)
def test_what_may_be_meant_otherwise_is_never_refuted(line: str) -> None:
    assert False not in oks(line), [(claim, judge(claim)) for claim in claims(line)[0]]


def test_a_chain_gives_a_claim_for_each_sign() -> None:
    found, ending = claims("Cost: 3 * 4 + 1 = 12 + 1 = 13 dollars")
    assert found == [Claim("3 * 4 + 1", "=", "12 + 1"), Claim("12 + 1", "=", "13 dollars")]
    assert ending == "13 dollars"


def test_a_line_goes_on_with_an_equality_sign() -> None:
    _, ending = claims("\\[ x = 48 / 2 \\\\")
    assert [judge(claim).ok for claim in claims("&= 25 \\]", ending)[0]] == [False]
    assert claims("&= 25 \\]")[0] == []


NUMBERS = st.integers(0, 999)
OPERATORS = st.sampled_from("+-*")
NOISE = st.sampled_from(
    [
        "{}",
        "So {}.",
        "**{}**",
        "${}$",
        "\\( {} \\)",
        "\\[{}\\]",
        "- Total: {}",
        "Then {} eggs.",
        "2. {}",
    ]
)
SPELLINGS = st.sampled_from(
    [
        {},
        {"*": "\\times"},
        {"*": "×", "-": "−"},
        {"*": "\\cdot", " ": "  "},
        {" ": ""},
        {"=": " = "},
    ]
)


@given(NUMBERS, NUMBERS, NUMBERS, OPERATORS, OPERATORS, st.integers(-3, 3), NOISE, SPELLINGS)
@settings(max_examples=300)
def test_spelling_makes_no_difference(
    a: int, b: int, c: int, first: str, second: str, off: int, noise: str, spelling: dict[str, str]
) -> None:
    equation = f"{a} {first} {b} {second} {c} = {eval(f'{a}{first}{b}{second}{c}') + off}"
    for plain, other in spelling.items():
        equation = equation.replace(plain, other)
    told = oks(noise.format(equation))
    assert told == [off == 0], equation


@given(st.fractions(-50, 50, max_denominator=12), st.fractions(1, 50, max_denominator=12))
def test_fractions_are_exact(a: Fraction, b: Fraction) -> None:
    def latex(value: Fraction) -> str:
        return f"\\frac{{{value.numerator}}}{{{value.denominator}}}"

    assert oks(f"{latex(a)} + {latex(b)} = {latex(a + b)}") in ([True], [])
    assert oks(f"So {latex(b)} / {latex(b)} = 1") == [True]
    assert oks(f"So {latex(b)} + {latex(b)} = {latex(2 * b + 3)}") == [False]


PIECES = """
12 3.5 + - * / = ( ) { } [ ] ^ % ! $ \\frac \\sqrt \\text{ \\[ \\] , . : ; eggs x of ≈ << >>
\\pi \\sin _ ° 1,000 and if & \\\\ ½
"""


@given(
    st.one_of(
        st.text(max_size=300), st.lists(st.sampled_from(PIECES.split()), max_size=80).map(" ".join)
    )
)
@settings(max_examples=500, deadline=None)
def test_no_text_raises(text: str) -> None:
    for claim in claims(text)[0]:
        if is_plain(claim):
            judge(claim)


@pytest.mark.parametrize(
    "unit",
    [
        "1+1=2 ",
        "((((",
        "1/2(",
        "2^2^",
        "9^9^9=",
        "5!!!!=1 ",
        "-3^2 ",
        "1 1/2 ",
        "= ",
        "\\frac{",
        "5%+",
        "a b ",
    ],
)
def test_long_lines_cost_little(unit: str) -> None:
    def read(size: int) -> None:
        for claim in claims(unit * size)[0]:
            if is_plain(claim):
                judge(claim)

    is_linear(read)


def test_huge_values_are_not_worked_out() -> None:
    for line in ("9^999999999 = 1", "(9^999)^999 = 1", "99999! = 1", f"{'9' * 59}^99 = 5"):
        assert False not in oks(line)


def test_reasons_are_short_and_readable() -> None:
    line = f"So {' + '.join(['1/7'] * 20)} = 4"
    (claim,) = claims(line)[0]
    assert re.fullmatch(r"1/7 \+ .* is 20/7, not 4", judge(claim).reason)
