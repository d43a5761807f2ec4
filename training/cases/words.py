"""Word problems: an equation a line; a program works them out from the text's numbers."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce

from agentflow.domains import get
from agentflow.generators.word_problems import EVERY, Theme, generate, written
from agentflow.problem import Problem
from agentflow.verifiers.actions import Call
from training.cases.case import Case, Flaw, Uses, is_held_out, mentions, value_of

_LINE = re.compile(r"(?P<says>.+?): (?P<work>.+) = (?P<sign>\$?)(?P<value>[\d./]+)(?P<unit>.*)")
_NAMES = "abcdefgh"
STEPS = (2, 4)
"""Fewest and most equations of a story, where a sum of several numbers is one."""
LARGEST = 100
"""No number of a problem or its solution is larger, or a fraction."""
_MATH = get("math")


@dataclass(frozen=True, slots=True)
class Equation:
    """One line of a solution.

    Attributes:
        says: What is worked out.
        operands: As they are written.
        sources: Of each operand: the earlier equation whose value it is, None for the text's.
        operator: Between all of them.
        sign, unit: What stands before and behind the value.
    """

    says: str
    operands: tuple[str, ...]
    sources: tuple[int | None, ...]
    operator: str
    value: Fraction
    sign: str
    unit: str

    @property
    def work(self) -> str:
        """The left side."""
        return f" {self.operator} ".join(self.operands)

    @property
    def line(self) -> str:
        return f"{self.says}: {self.work} = {amount(self.value, self.sign)}{self.unit}"

    def apply(self, numbers: Iterable[Fraction]) -> Fraction:
        """What the operation makes of numbers."""
        return reduce(_OPERATIONS[self.operator], numbers)

    def result(self) -> Fraction:
        """What the left side comes to."""
        return self.apply(map(number, self.operands))


_OPERATIONS = {
    "+": Fraction.__add__,
    "-": Fraction.__sub__,
    "*": Fraction.__mul__,
    "/": Fraction.__truediv__,
}


def make(rng: random.Random, flaw: Flaw | None, *, held_out: bool = False) -> Case:
    """One case. A wrong solution has a slip, or takes the wrong operation, and goes on from it."""
    while True:
        problem, right = draw(rng, held_out=held_out)
        said = flawed(rng, right) if flaw == "wrong" else right
        if said is not None:
            return _case(problem, right, said, rng, flaw)


def draw(
    rng: random.Random,
    *,
    held_out: bool = False,
    steps: tuple[int, int] = STEPS,
    themes: Sequence[Theme | None] = EVERY,
) -> tuple[Problem, list[Equation]]:
    """A problem of whole numbers, and its solution."""
    while True:
        (problem,) = generate(1, rng.getrandbits(32), steps=steps, themes=themes)
        if is_held_out(problem.text) == held_out:
            solution = equations(problem.data["solution"][:-1])
            said = [one.value for one in solution]
            said += [number(text) for one in solution for text in one.operands]
            if all(value.denominator == 1 and value <= LARGEST for value in said):
                return problem, solution


def _case(
    problem: Problem,
    right: Sequence[Equation],
    said: Sequence[Equation],
    rng: random.Random,
    flaw: Flaw | None,
) -> Case:
    *conditions, question = re.split(r"(?<=[.?]) ", problem.text)
    wrong = next((i for i, (a, b) in enumerate(zip(right, said, strict=True)) if a != b), -1)
    lines = [*(one.line for one in said), f"Answer: {written(said[-1].value)}"]
    uses = [_uses(one, conditions) for one in said] + [Uses((), (len(said),))]
    reason = revision = ""
    if flaw == "wrong":
        correct, instead = right[wrong], said[wrong]
        slip = correct.operator == instead.operator
        reason = (
            f"{instead.work} is {written(instead.result())}, not {written(instead.value)}"
            if slip
            else f"the work is {correct.work}, not {instead.work}"
        )
        revision = f"{correct.line}, and so the answer is {written(right[-1].value)}"
    elif flaw == "cut":
        kept = rng.randint(1, len(lines) - 1)
        lines, uses = lines[:kept], uses[:kept]
        reason = "no answer is given"
        revision = f"go on to the answer, which is {written(right[-1].value)}"
    program = _program(right)
    return Case(
        _MATH.parse(problem.text),
        tuple(conditions),
        question,
        "\n".join(lines),
        tuple(lines),
        tuple(uses),
        (Call("python", program, "Work the problem out."),),
        (value_of(program),),
        complete=flaw != "cut",
        wrong=wrong,
        reason=reason,
        revision=revision,
    )


def equations(lines: Sequence[str]) -> list[Equation]:
    """The lines of a generated solution; a sum of several numbers is worked out two by two."""
    found: list[Equation] = []
    for line in lines:
        read = _LINE.fullmatch(line)
        assert read is not None, line
        first, *others = read["work"].split()
        for operator, other in zip(others[::2], others[1::2], strict=True):
            values = [one.value for one in found]
            sources = tuple(_latest(values, number(one)) for one in (first, other))
            value = _OPERATIONS[operator](number(first), number(other))
            found.append(
                Equation(
                    read["says"],
                    (first, other),
                    sources,
                    operator,
                    value,
                    read["sign"],
                    read["unit"],
                )
            )
            first = amount(value, read["sign"])
    return found


def _latest(values: Sequence[Fraction], value: Fraction) -> int | None:
    return next((i for i in reversed(range(len(values))) if values[i] == value), None)


def number(text: str) -> Fraction:
    """What an operand stands for: ``$2.50``, ``40%``, ``3/4``."""
    plain = text.removeprefix("$")
    if plain.endswith("%"):
        return Fraction(plain[:-1]) / 100
    return Fraction(plain)


def amount(value: Fraction, sign: str) -> str:
    """A value as the solution writes it."""
    return f"{sign}{written(value, 2 if sign else 0)}"


def flawed(rng: random.Random, right: Sequence[Equation]) -> list[Equation] | None:
    """The solution with one mistake, carried on; None where it comes to the right answer all the
    same, or to what no solution would."""
    spot = rng.randrange(len(right))
    one = right[spot]
    if one.operator in "+-" and rng.random() < 0.4:
        other = replace(one, operator={"+": "-", "-": "+"}[one.operator])
        changed = replace(other, value=other.result())
    else:
        changed = replace(one, value=one.value + rng.choice((-10, -2, -1, 1, 2, 10)))
    said = [*right[:spot], changed]
    for later in right[spot + 1 :]:
        operands = tuple(
            text if at is None else amount(said[at].value, "$" * text.startswith("$"))
            for text, at in zip(later.operands, later.sources, strict=True)
        )
        moved = replace(later, operands=operands)
        said.append(replace(moved, value=moved.result()))
    plain = all(one.value > 0 and one.value.denominator <= 100 for one in said)
    return said if plain and said[-1].value != right[-1].value else None


def _uses(one: Equation, conditions: Sequence[str]) -> Uses:
    own = [text for text, at in zip(one.operands, one.sources, strict=True) if at is None]
    earlier = sorted({at + 1 for at in one.sources if at is not None})
    return Uses(mentions(conditions, own), tuple(earlier))


def _program(right: Sequence[Equation]) -> str:
    """A program that works the answer out from the numbers of the text."""
    lines = ["def solver():", "    from fractions import Fraction"]
    for name, one in zip(_NAMES, right, strict=False):
        operands = [
            _literal(text) if at is None else _NAMES[at]
            for text, at in zip(one.operands, one.sources, strict=True)
        ]
        lines.append(f"    {name} = {f' {one.operator} '.join(operands)}")
    return "\n".join([*lines, f"    return str({_NAMES[len(right) - 1]})", "ans = solver()"])


def _literal(text: str) -> str:
    """An operand as the program writes it, with the digits that the text has."""
    plain = text.removeprefix("$")
    if plain.endswith("%"):
        return f"Fraction({plain[:-1]}, 100)"
    if "." in plain:  # a half or a quarter, which is exact
        assert Fraction(float(plain)) == Fraction(plain), text
        return f"Fraction({plain})"
    top, _, bottom = plain.partition("/")
    return f"Fraction({top}, {bottom or 1})"
