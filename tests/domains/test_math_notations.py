"""Made equations in many notations: no right one is refuted, no wrong one passes.

Values are worked out as the equations are made, by fractions; nothing of the reader is used.
"""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

import pytest

from agentflow.domains.math.claims import is_plain, judge
from agentflow.domains.math.equations import claims

Part = tuple[str, Fraction, int]
"""What is written, what it is worth, and how tightly it binds: 1 a sum, 2 a product, 3 whole."""

HALVES = {"½": Fraction(1, 2), "¼": Fraction(1, 4), "¾": Fraction(3, 4)}


def whole(rng: random.Random) -> Part:
    value = rng.choice([rng.randint(1, 12), rng.randint(2, 400)])
    return str(value), Fraction(value), 3


def grouped(rng: random.Random) -> Part:
    value = rng.randint(1_000, 9_999_999)
    shape = rng.choice([f"{value:,}", f"{value:,}", f"{value:,}".replace(",", "{,}"), str(value)])
    return shape, Fraction(value), 3


def decimal(rng: random.Random) -> Part:
    value = Fraction(rng.randint(1, 9999), rng.choice([10, 100]))
    return f"{float(value):.2f}", value, 3


def fraction(rng: random.Random) -> Part:
    top, bottom = rng.randint(1, 30), rng.randint(2, 12)
    shapes = ["({}/{})", "\\frac{{{}}}{{{}}}", "\\dfrac{{{}}}{{{}}}", "\\tfrac {{{}}}{{{}}}"]
    if top < 10 and bottom < 10:
        shapes += ["\\frac{}{}", "\\dfrac {}{}"]
    return rng.choice(shapes).format(top, bottom), Fraction(top, bottom), 3


def mixed(rng: random.Random) -> Part:
    number, bottom = rng.randint(1, 20), rng.randint(2, 12)
    top = rng.randint(1, bottom - 1)
    if rng.random() < 0.3:
        sign = rng.choice(list(HALVES))
        return f"{number}{sign}", number + HALVES[sign], 3
    shapes = ["{} {}/{}", "{}\\frac{{{}}}{{{}}}", "{} \\frac{{{}}}{{{}}}", "{}\\dfrac{{{}}}{{{}}}"]
    return rng.choice(shapes).format(number, top, bottom), number + Fraction(top, bottom), 3


def percent(rng: random.Random) -> Part:
    part, (told, value, _) = rng.randint(1, 99), whole(rng)
    shapes = ["({}% of {})", "({}\\% \\times {})", "({}% * {})", "({} percent of {})"]
    return rng.choice(shapes).format(part, told), Fraction(part, 100) * value, 3


def power(rng: random.Random) -> Part:
    base, exponent = rng.randint(2, 9), rng.randint(2, 4)
    shapes = ["{}^{}", "{}^{{{}}}", "{} ** {}", "({})^{}"]
    if exponent < 4:
        shapes.append("{}²" if exponent == 2 else "{}³")
    return rng.choice(shapes).format(base, exponent), Fraction(base) ** exponent, 3


def factorial(rng: random.Random) -> Part:
    number, value = rng.randint(1, 6), 1
    for factor in range(1, number + 1):
        value *= factor
    return f"{number}!", Fraction(value), 3


def root(rng: random.Random) -> Part:
    value = rng.randint(1, 20)
    return (
        rng.choice(["\\sqrt{{{}}}", "\\sqrt{{{}}}", "√({})"]).format(value**2),
        Fraction(value),
        3,
    )


def scientific(rng: random.Random) -> Part:
    mantissa, exponent = rng.randint(11, 99), rng.randint(2, 5)
    sign = rng.choice([" \\times ", " \\cdot ", " × "])
    return f"({mantissa / 10}{sign}10^{{{exponent}}})", Fraction(mantissa * 10**exponent, 10), 3


LEAVES = (whole, whole, whole, grouped, decimal, fraction, mixed, percent, power, factorial, root)
LEAVES += (scientific,)


def bracketed(rng: random.Random, text: str) -> str:
    return rng.choice(["({})", "({})", "\\left({}\\right)", "[{}]"]).format(text)


def expression(rng: random.Random, depth: int) -> Part:
    if depth == 0 or rng.random() < 0.25:
        return rng.choice(LEAVES)(rng)
    (one, a, left), (other, b, right) = expression(rng, depth - 1), expression(rng, depth - 1)
    match rng.choice("++--**/"):
        case "+":
            return f"{one} {rng.choice(['+', '+', 'plus'])} {other}", a + b, 1
        case "-":
            told = bracketed(rng, other) if right == 1 else other
            return f"{one} {rng.choice('--−–')} {told}", a - b, 1
        case "*":
            one = one if left > 1 else bracketed(rng, one)
            other = other if right == 3 else bracketed(rng, other)
            return f"{one}{rng.choice(TIMES)}{other}", a * b, 2
        case _ if b:
            one = one if left > 1 else bracketed(rng, one)
            other = other if right == 3 else bracketed(rng, other)
            if rng.random() < 0.4:
                return f"\\frac{{{one}}}{{{other}}}", a / b, 3
            sign = rng.choice([" / ", " ÷ ", " \\div "])
            return bracketed(rng, f"{one}{sign}{other}"), a / b, 3
    return one, a, left


TIMES = (" * ", " × ", " \\times ", " \\cdot ", " · ", " x ", " times ", "*", " multiplied by ")


def result(rng: random.Random, value: Fraction) -> str:
    if value.denominator == 1:
        return rng.choice([str(value), f"{int(value):,}", f"**{value}**", f"\\boxed{{{value}}}"])
    if 10**4 % value.denominator == 0 and rng.random() < 0.6:
        return f"{float(value):.4f}".rstrip("0")
    sign, top, bottom = "-" if value < 0 else "", abs(value.numerator), value.denominator
    return rng.choice([f"{sign}{top}/{bottom}", f"{sign}\\frac{{{top}}}{{{bottom}}}"])


CLAIMED = (
    *("{t} = {r}", "{t} = {r}.", "So {t} = {r}", "Total: {t} = {r}", "1. {t} = {r}", "${t} = {r}$"),
    *(
        "\\[ {t} = {r} \\]",
        "Therefore, {t} = {r}.",
        "We get {t} = {r}, and go on.",
        "{t} equals {r}",
    ),
    *(
        "- **Sum**: {t} = {r}",
        "> {t} = {r}",
        "{t} = {r} ✅",
        "She has {t} = {r} eggs.",
        "x = {t} = {r}",
    ),
)
UNCLAIMED = (
    *(
        "Does {t} = {r}?",
        "Is {t} = {r}? No.",
        "If {t} = {r}, then we are done",
        "Suppose {t} = {r}.",
    ),
    *("Let {t} = {r}", "Assume {t} = {r}", "Try: {t} = {r} -> Not 36", "{t} = {r} → too low"),
    *("{t} = {r} ❌", "{t} = {r} ✗", "{t} = {r} (wrong)", "{t} = {r}, but that's not 24"),
    *(
        "{t} = {r}, oops",
        "{t} = {r}. That's incorrect.",
        "{t} = {r}. No, that is off.",
        "`{t} = {r}`",
    ),
    *("Maybe {t} = {r}", "Tom says {t} = {r}", "It is not true that {t} = {r}", "~~{t} = {r}~~"),
    *("{t} = {r} would be wrong", "{t} = {r}? Hmm.", "Wrong: {t} = {r}", "{t} =? {r}", "{t} ≠ {r}"),
    *("What if {t} = {r}", "Perhaps {t} = {r}.", "{t} = {r} (mod 7)", "In base 8, {t} = {r}"),
)


def wrong(rng: random.Random, value: Fraction) -> Fraction:
    """Another value, by more than any rounding explains."""
    off = rng.randint(2, 9) + abs(value) // 7
    return value + rng.choice([off, -off])


def told(line: str) -> list[bool | None]:
    return [judge(claim).ok if is_plain(claim) else None for claim in claims(line)[0]]


def check(seed: int, count: int) -> Counter[str]:
    rng = random.Random(seed)
    found: Counter[str] = Counter()
    for _ in range(count):
        text, value, _ = expression(rng, rng.randint(1, 2))
        if abs(value.numerator) > 10**12 or value.denominator > 10**6:
            continue
        right = rng.choice(CLAIMED).replace("{t}", text).replace("{r}", result(rng, value))
        oks = told(right)
        assert False not in oks, right
        found["right"] += 1
        found["right, passed"] += bool(oks) and set(oks) == {True}
        other = result(rng, wrong(rng, value))
        bad = rng.choice(CLAIMED).replace("{t}", text).replace("{r}", other)
        oks = told(bad)
        assert not oks or set(oks) != {True}, bad
        found["wrong"] += 1
        found["wrong, refuted"] += False in oks
        aside = rng.choice(UNCLAIMED).replace("{t}", text).replace("{r}", other)
        assert False not in told(aside), aside
        found["aside"] += 1
    return found


def test_made_equations() -> None:
    found = check(1, 150)
    assert found["right, passed"] > 0.5 * found["right"]
    assert found["wrong, refuted"] > 0.5 * found["wrong"]


@pytest.mark.exhaustive
def test_many_made_equations() -> None:
    """More than 5,000 lines: right and wrong ones, and wrong ones that nobody claims."""
    found = check(2, 2_600)
    assert found.total() - found["right, passed"] - found["wrong, refuted"] > 5_000
    assert found["right, passed"] > 0.6 * found["right"]
    assert found["wrong, refuted"] > 0.6 * found["wrong"]
