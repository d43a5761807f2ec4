from __future__ import annotations

import asyncio
import functools
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from injection import CLOSE, Made, check, garbage, noise, survives

Numbers = tuple[Fraction, ...]
SAME_COUNT_KINDS = ("arithmetic", "not_available", "wrong_remaining", "wrong_count")
ANSWER_KINDS = ("answer arithmetic", "answer not_available")
KINDS = (None, *SAME_COUNT_KINDS, *ANSWER_KINDS)


@dataclass(frozen=True)
class Step:
    """``a operator b = result``, as it is said to leave ``left`` of ``at_hand``."""

    at_hand: Numbers
    a: Fraction
    operator: str
    b: Fraction
    result: Fraction
    left: Numbers


def worked_out(a: Fraction, operator: str, b: Fraction) -> Fraction | None:
    if operator == "/" and not b:
        return None
    return {"+": a.__add__, "-": a.__sub__, "*": a.__mul__, "/": a.__truediv__}[operator](b)


def ways(numbers: Numbers, shown: Sequence[str]) -> Iterator[tuple[list[Step], str]]:
    """Every way to 24, with its expression, by trying everything."""
    if len(numbers) == 1:
        if numbers[0] == 24:
            yield [], shown[0]
        return
    for i, j in combinations(range(len(numbers)), 2):
        for one, other in ((i, j), (j, i)):
            for operator in "+-*/":
                result = worked_out(numbers[one], operator, numbers[other])
                if result is None:
                    continue
                rest = [n for n in range(len(numbers)) if n not in (i, j)]
                left = (*(numbers[n] for n in rest), result)
                step = Step(numbers, numbers[one], operator, numbers[other], result, left)
                said = [*(shown[n] for n in rest), f"({shown[one]} {operator} {shown[other]})"]
                for steps, expression in ways(left, said):
                    yield [step, *steps], expression


@functools.cache
def puzzles() -> list[tuple[Numbers, list[Step], str]]:
    rng, found = random.Random(24), []
    while len(found) < 30:
        start = tuple(Fraction(rng.randint(1, 13)) for _ in range(4))
        if way := next(ways(start, list(map(str, start))), None):
            found.append((start, *way))
    return found


def is_right(step: Step, at_hand: Sequence[Numbers], *, listed: bool) -> bool:
    """Whether a step follows from any numbers that were at hand."""
    for numbers in at_hand:
        if listed and sorted(numbers) != sorted(step.at_hand):
            continue
        rest = list(numbers)
        if both_in(step, numbers):
            rest.remove(step.a)
            rest.remove(step.b)
            result = worked_out(step.a, step.operator, step.b)
            if result == step.result and sorted([*rest, result]) == sorted(step.left):
                return True
    return False


def both_in(step: Step, numbers: Numbers) -> bool:
    """Whether the step's two numbers are among others."""
    rest = list(numbers)
    if step.a in rest:
        rest.remove(step.a)
        return step.b in rest
    return False


def some_steps(rng: random.Random, numbers: Numbers) -> list[Step]:
    """An attempt that leads anywhere."""
    steps = []
    while len(numbers) > 1 and rng.random() < 0.8:
        shuffled = rng.sample(numbers, len(numbers))
        a, b, *rest = shuffled
        operator = rng.choice("+-*/")
        result = worked_out(a, operator, b)
        if result is None:
            break
        steps.append(Step(numbers, a, operator, b, result, (*rest, result)))
        numbers = (*rest, result)
    return steps


def broken(rng: random.Random, step: Step, kind: str) -> Step:
    """The step with one mistake."""
    off = Fraction(rng.choice([-3, -2, -1, 1, 2, 5]))
    if kind == "arithmetic":
        result = step.result + off
        return Step(step.at_hand, step.a, step.operator, step.b, result, (*step.left[:-1], result))
    if kind == "not_available":
        a = step.a + off
        result = worked_out(a, step.operator, step.b)
        assert result is not None
        return Step(step.at_hand, a, step.operator, step.b, result, (*step.left[:-1], result))
    if kind == "wrong_remaining":
        left = (*step.left[:-1], step.result + off)
    elif len(step.left) > 1 and rng.random() < 0.5:
        left = step.left[1:]
    else:
        left = (*step.left, Fraction(rng.randint(1, 13)))
    return Step(step.at_hand, step.a, step.operator, step.b, step.result, left)


def bracketed(number: Fraction) -> str:
    return str(number) if number >= 0 else f"({number})"


def written(rng: random.Random, step: Step, spelling: int) -> list[str]:
    a, b = bracketed(step.a), bracketed(step.b)
    times = rng.choice("*×·") if step.operator == "*" else step.operator
    operation = f"{a} {times} {b} = {step.result}"
    at_hand, left = list(map(str, step.at_hand)), list(map(str, step.left))
    rng.shuffle(left)
    if spelling == 0:
        return [f"{' '.join(at_hand)} : {operation} -> {' '.join(left)}"]
    if spelling == 1:
        return [f"Step {rng.randint(1, 9)}: {operation} (left: {', '.join(left)})"]
    return [
        f"Available numbers: [{', '.join(at_hand)}]",
        f"Operation: {operation}",
        f"Remaining numbers: [{', '.join(left)}]",
    ]


def make(rng: random.Random, kind: str | None) -> Made:
    """A trace with one mistake of a kind, or a right one."""
    start, way, expression = rng.choice(puzzles())
    steps = [*some_steps(rng, start), *some_steps(rng, start), *way]
    spelling = rng.randrange(3)
    wrong = None
    if kind in SAME_COUNT_KINDS:
        place = rng.randrange(len(steps))
        at_hand = [start, *(step.left for step in steps[:place])]
        bad = broken(rng, steps[place], kind)
        follows = spelling == 0 or spelling == 2
        if is_right(bad, at_hand, listed=follows) or (kind == "not_available" and not bad.a):
            return make(rng, kind)
        if kind == "not_available" and any(both_in(bad, numbers) for numbers in at_hand):
            return make(rng, kind)
        if kind == "wrong_count" and not follows:
            return make(rng, kind)  # how many are left tells where the step begins
        # What comes behind must not lean on the step that is wrong.
        steps[place:] = [bad, *way]
        wrong = place, kind
    if kind == "answer arithmetic":
        while True:
            expression = random_expression(rng, list(map(str, start)))
            if value(expression) != 24:
                break
        wrong = len(steps), "arithmetic"
    elif kind == "answer not_available":
        least = str(min(start))
        expression = re.sub(rf"\b{least}\b", f"({int(least) + 20} - 20)", expression, count=1)
        wrong = len(steps), "not_available"
    lines = ["I try a few operations.", ""]
    for number, step in enumerate(steps):
        lines += written(rng, step, spelling)
        if rng.random() < 0.2:
            lines.append("That leads nowhere. I start again." if number % 2 else "")
    shape = rng.choice(["Answer: {}", "Answer: {} = 24", "\\boxed{{{}}}", "The answer is {}."])
    lines += [*([CLOSE] if rng.random() < 0.5 else []), "", shape.format(expression)]
    text = " ".join(str(number) for number in start)
    return Made(text, "\n".join(lines), wrong, not (kind or "").startswith("answer"))


def random_expression(rng: random.Random, parts: list[str]) -> str:
    while len(parts) > 1:
        rng.shuffle(parts)
        parts = [*parts[2:], f"({parts[0]} {rng.choice('+-*')} {parts[1]})"]
    return parts[0]


def value(expression: str) -> Fraction:
    exact = eval(re.sub(r"\d+", r"Fraction(\g<0>)", expression), {"Fraction": Fraction})
    assert isinstance(exact, Fraction)
    return exact


async def judged(seed: int, count: int) -> None:
    rng = random.Random(seed)
    for number in range(count):
        made = make(rng, KINDS[number % len(KINDS)])
        await check("game24", made)
        other = noise(rng, made.trace)
        await check("game24", Made(made.problem, other, made.wrong, made.right_answer))


def test_injected_errors() -> None:
    asyncio.run(judged(1, 350))


@pytest.mark.exhaustive
def test_many_injected_errors() -> None:
    asyncio.run(judged(2, 2100))


LINES = [line for n in range(6) for line in make(random.Random(n), KINDS[n % 3]).trace.split("\n")]


@settings(max_examples=100, deadline=None)
@given(garbage([line for line in LINES if "nswer" not in line and "boxed" not in line]))
def test_no_text_is_accepted_by_accident(text: str) -> None:
    asyncio.run(survives("game24", "4 7 8 8", text))
