from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given, settings
from injection import CLOSE, NOISES, Made, check, domain_called, garbage, noise, survives

from agentflow.generators import word_problems
from agentflow.judge import judge
from agentflow.problem import Problem

Work = tuple[str, Fraction]
"""An expression as it is written, and its value."""

WORDS = ("Altogether", "So far", "The total", "Marbles", "Left over", "What is next")


def number(rng: random.Random) -> Work:
    value = rng.choice([rng.randint(1, 20), rng.randint(2, 999), rng.randint(1000, 99999)])
    return (f"{value:,}" if rng.random() < 0.5 else str(value)), Fraction(value)


def decimal(rng: random.Random) -> Work:
    value = Fraction(rng.randint(10, 9999), 100)
    return f"{float(value):.2f}", value


def fraction(rng: random.Random) -> Work:
    top, bottom = rng.randint(1, 30), rng.randint(2, 12)
    shape = rng.choice(["{}/{}", "\\frac{{{}}}{{{}}}", "({}/{})"])
    return shape.format(top, bottom), Fraction(top, bottom)


def product_of(rng: random.Random) -> Work:
    (one, a), (other, b) = number(rng), number(rng)
    sign = rng.choice([" * ", " × ", " \\times ", " \\cdot ", " x ", "*", " times "])
    return f"{one}{sign}{other}", a * b


def sum_of(rng: random.Random) -> Work:
    told, value = number(rng)
    for _ in range(rng.randint(1, 3)):
        more, by = number(rng)
        sign = rng.choice("+-")
        told += f" {sign} {more}"
        value += by if sign == "+" else -by
    return told, value


def mixed(rng: random.Random) -> Work:
    (one, a), (other, b), (third, c) = number(rng), number(rng), number(rng)
    shape, value = rng.choice(
        [
            ("{} + {} * {}", a + b * c),
            ("({} + {}) * {}", (a + b) * c),
            ("{} - ({} + {})", a - (b + c)),
            ("({} - {}) / {}", (a - b) / c),
            ("{} \\div {} + {}", a / b + c),
        ]
    )
    return shape.format(one, other, third), value


def power(rng: random.Random) -> Work:
    base, exponent = rng.randint(2, 12), rng.randint(2, 4)
    shape = rng.choice(["{}^{}", "{}^{{{}}}", "{} ** {}"])
    return shape.format(base, exponent), Fraction(base) ** exponent


def percent(rng: random.Random) -> Work:
    part, (told, whole) = rng.choice([5, 10, 20, 25, 40, 50, 75]), number(rng)
    shape = rng.choice(["{}% * {}", "{}\\% \\times {}", "{}% of {}"])
    return shape.format(part, told), Fraction(part, 100) * whole


def fractions(rng: random.Random) -> Work:
    (one, a), (other, b) = fraction(rng), fraction(rng)
    sign, value = rng.choice([("+", a + b), ("-", a - b), ("*", a * b)])
    return f"{one} {sign} {other}", value


def decimals(rng: random.Random) -> Work:
    (one, a), (other, b) = decimal(rng), decimal(rng)
    sign, value = rng.choice([("+", a + b), ("-", a - b), ("*", a * b)])
    return f"{one} {sign} {other}", value


WORKS: dict[str, Callable[[random.Random], Work]] = {
    "product": product_of,
    "sum": sum_of,
    "brackets": mixed,
    "power": power,
    "percent": percent,
    "fractions": fractions,
    "decimals": decimals,
}


def spelled(rng: random.Random, value: Fraction) -> str:
    """A number, exactly."""
    if value.denominator == 1:
        return f"{int(value):,}" if rng.random() < 0.3 else str(value)
    if 10**4 % value.denominator == 0 and rng.random() < 0.7:
        return f"{float(value):.4f}".rstrip("0")
    top, bottom = value.numerator, value.denominator
    return rng.choice([f"{top}/{bottom}", f"\\frac{{{top}}}{{{bottom}}}"])


def wrong_value(rng: random.Random, value: Fraction, kind: str, unit: str = "") -> Fraction:
    """A value that no rounding explains."""
    off = rng.randint(2, 9) + Fraction(rng.choice([0, 0, 1]), 7) + abs(value) // 20
    changed = {
        "off": value + rng.choice([off, -off]),
        "sign": -value,
        "place": value * rng.choice([Fraction(10), Fraction(1, 10)]),
        "double": value * 2 + 3,
    }[kind]
    going_on = changed.numerator == value  # 5 + 3 = 8/2 may be meant as two equations
    near = abs(changed - value) < 2
    ratio = changed / value if value else Fraction(2, 3)
    scaled = 1 in (abs(ratio.numerator), ratio.denominator)  # as where units are converted
    excused = near or going_on or (scaled and unit)
    return wrong_value(rng, value, "off", unit) if excused else changed


SLIPS = ("off", "sign", "place", "double")
KINDS = (None, *(f"{work} {slip}" for slip in SLIPS for work in (*WORKS, "story")))


def line(rng: random.Random, told: str, result: str) -> str:
    shape = rng.choice(
        [
            "{w}: {t} = {r}",
            "{w}: {t} = {r}.",
            "{n}. {t} = {r}",
            "{t} = {r}",
            "{w} is {t} = {r} apples.",
            "{w}: ${t} = {r}$",
            "\\[ {t} = {r} \\]",
            "So we get {t} = {r}, and go on.",
        ]
    )
    return shape.format(w=rng.choice(WORDS), n=rng.randint(1, 9), t=told, r=result)


@cache
def stories() -> list[Problem]:
    return list(word_problems.generate(80, 3))


def make(rng: random.Random, kind: str | None) -> Made:
    """A solution with one slip of a kind in one kind of work, or a right one."""
    story = rng.choice(stories())
    *solution, answer = story.data["solution"]
    lines = list(solution)
    for _ in range(rng.randint(1, 5)):
        told, value = WORKS[rng.choice(list(WORKS))](rng)
        lines.insert(rng.randint(0, len(lines)), line(rng, told, spelled(rng, value)))
    wrong = None
    if kind:
        work, slip = kind.split()
        place = rng.randint(0, len(lines))
        if work == "story":
            said, _, result = rng.choice(solution).rpartition("= ")
            dollar, plain, unit = split(result)
            bad = wrong_value(rng, Fraction(plain), slip, unit)
            lines.insert(place, f"{said}= {dollar}{word_problems.written(bad)}{unit}")
        else:
            told, value = WORKS[work](rng)
            bad = wrong_value(rng, value, slip)
            lines.insert(place, line(rng, told, spelled(rng, bad)))
        wrong = place, "arithmetic"
    lines = [part for one in lines for part in ([one, ""] if rng.random() < 0.2 else [one])]
    trace = [*lines, *([CLOSE] if rng.random() < 0.5 else []), answer]
    return Made(story.text, "\n".join(trace), wrong, None)


def split(result: str) -> tuple[str, str, str]:
    """The currency, the number and the unit of ``$3.50`` or ``12 eggs``."""
    dollar = "$" if result.startswith("$") else ""
    plain, space, unit = result.removeprefix("$").partition(" ")
    return dollar, plain, space + unit


async def judged(seed: int, count: int) -> None:
    rng = random.Random(seed)
    for index in range(count):
        kind = KINDS[index % len(KINDS)]
        made = make(rng, kind)
        await check("math", made)
        # "- 6^2 = -36" is right where the dash is no bullet.
        kinds = [one for one in NOISES if one != "bullets" or not kind or "sign" not in kind]
        other = noise(rng, made.trace, kinds)
        await check("math", Made(made.problem, other, made.wrong, made.right_answer))


def test_injected_errors() -> None:
    asyncio.run(judged(1, 330))


@pytest.mark.exhaustive
def test_many_injected_errors() -> None:
    asyncio.run(judged(2, 2100))


@pytest.mark.parametrize(
    ("text", "ok"),
    [
        ("- 3 + 4 = 7", True),
        ("- 3 + 4 = 8", False),
        ("- 3 + 5 = 2", True),  # a sign
        ("10 + 3\n- 2 * 4 = 5", True),  # the rest of a difference
        ("10 + 3\n- 2 * 4 = 6", False),
        ("- So we get 2 * 3 = 7.", False),
        ("THE TOTAL IS 20% OF 50 = 10", True),
        ("THE TOTAL IS 20% OF 50 = 15", False),
        ("10\\% \\times 50 = 15", False),
        ("10\\% = 15", None),
        ("AB + BC = 3 + 4 = 7", True),  # a few capitals are variables
    ],
)
def test_dashes_capitals_and_percent_signs(text: str, ok: bool | None) -> None:
    domain = domain_called("math")
    found = asyncio.run(judge(domain, domain.parse("What is it?"), text))
    assert found.steps_ok is ok


LINES = [one for n in range(9) for one in make(random.Random(n), KINDS[n % 3]).trace.split("\n")]


@settings(max_examples=100, deadline=None)
@given(garbage(LINES))
def test_no_text_is_accepted(text: str) -> None:
    asyncio.run(survives("math", "What is 2 + 2?", text))
