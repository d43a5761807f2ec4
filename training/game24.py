"""Seeded training traces for Game of 24, in the format the domain and the prompts read.

A trace thinks in step lines (``4 7 8 8 : 8 - 7 = 1 -> 1 4 8``), fails a few times, finds a
solution, writes it out, verifies it more often than it needs to, and answers. Some traces are cut
early, some contain a mistake with the verifier's note behind it. Every note is written by the
domain's own verifier, so training and use cannot drift apart.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement

from agentflow.domains import arithmetic
from agentflow.domains.game24 import Game24, judge_answer, judge_state
from agentflow.nodes.critic import doubted
from agentflow.problem import Problem
from agentflow.state import State

HELD_OUT = 250
SPLIT_SEED = 24
LARGEST = 100
"""No intermediate result in a training trace is larger than this, or negative, or a fraction."""

DOUBTED = 0.25
"""Share of the notes that only name the line, as a reward model's do."""
FALSE = 0.3
"""How often, for one mistake, such a note objects to a right line."""
USUAL = 8
"""Most attempts of a trace that fail; where more do, these are not learned."""
MOST = 24
"""Most attempts of a long trace that fail."""

Numbers = tuple[int, ...]
DOMAIN = Game24()


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a training text; the loss covers it only if ``learn``.

    Attributes:
        right: Of a line of a solution in a prompt, whether it is right: a right one is learned as
            it is written, of a wrong one that it should surprise. None for anything else; only
            where not ``learn``.
    """

    text: str
    learn: bool = True
    right: bool | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One operation: ``a operator b = result``, from ``available`` to ``remaining``."""

    available: Numbers
    a: int
    operator: str
    b: int
    result: int
    remaining: Numbers

    def line(self) -> str:
        operation = f"{self.a} {self.operator} {self.b} = {self.result}"
        return f" {_join(self.available)} : {operation} -> {_join(self.remaining)}\n"


def _join(numbers: Numbers) -> str:
    return " ".join(map(str, numbers))


@cache
def steps(available: Numbers) -> tuple[Step, ...]:
    """Every step from sorted ``available``: larger operand first, small whole results only."""
    found: dict[tuple[int, str, int], Step] = {}
    for i, j in combinations(range(len(available)), 2):
        b, a = available[i], available[j]
        rest = [n for k, n in enumerate(available) if k not in (i, j)]
        results = {"+": a + b, "-": a - b, "*": a * b}
        if b and a % b == 0:
            results["/"] = a // b
        for operator, result in results.items():
            if result <= LARGEST:
                remaining = tuple(sorted([*rest, result]))
                found[a, operator, b] = Step(available, a, operator, b, result, remaining)
    return tuple(found.values())


@cache
def paths(available: Numbers) -> tuple[tuple[Step, ...], ...]:
    """Every sequence of steps from ``available`` to 24."""
    if len(available) == 1:
        return ((),) if available == (24,) else ()
    return tuple((s, *rest) for s in steps(available) for rest in paths(s.remaining))


def simplicity(path: tuple[Step, ...]) -> float:
    """Lower is simpler: a small model learns preferred patterns sooner than all patterns."""
    last = path[-1]
    cost = {"*": 0.0, "+": 1.0, "-": 1.5, "/": 2.5}[last.operator]
    cost += 0.02 * sum(s.result for s in path) + sum(0.5 for s in path if s.operator == "/")
    return cost + sum(1.0 for s in path if s.result == 0)


@cache
def preferred(available: Numbers) -> tuple[tuple[Step, ...], ...]:
    """The three simplest paths to 24."""
    return tuple(sorted(paths(available), key=simplicity)[:3])


def puzzles() -> tuple[list[Numbers], list[Numbers]]:
    """(train, held out): all puzzles over 1-13 that small whole results solve, split by seed."""
    every = [p for p in combinations_with_replacement(range(1, 14), 4) if paths(p)]
    random.Random(SPLIT_SEED).shuffle(every)
    return sorted(every[HELD_OUT:]), sorted(every[:HELD_OUT])


def puzzle(numbers: Numbers) -> Problem:
    """The puzzle of these numbers."""
    return DOMAIN.parse(_join(numbers))


def prompt(numbers: Numbers) -> str:
    """The prompt of the pocket profile up to and including the opened thinking."""
    return f"<|im_start|>user\ngame24: {_join(numbers)}<|im_end|>\n<|im_start|>assistant\n<think>\n"


def rewrites(path: tuple[Step, ...]) -> list[arithmetic.Expression]:
    """The last operation, then each intermediate result written out, to the whole expression."""
    expression: arithmetic.Expression = _operation(path[-1])
    chain = [expression]
    for step in reversed(path[:-1]):
        expression = _substitute(expression, Fraction(step.result), _operation(step))[0]
        chain.append(expression)
    return chain


def _operation(step: Step) -> arithmetic.Expression:
    return (step.operator, Fraction(step.a), Fraction(step.b))


def _substitute(
    where: arithmetic.Expression, number: Fraction, by: arithmetic.Expression
) -> tuple[arithmetic.Expression, bool]:
    """``where`` with the first plain ``number`` replaced, and whether there was one."""
    if isinstance(where, Fraction):
        return (by, True) if where == number else (where, False)
    operator, left, right = where
    left, done = _substitute(left, number, by)
    if not done:
        right, done = _substitute(right, number, by)
    return (operator, left, right), done


def written_out(path: tuple[Step, ...]) -> str:
    """One line that turns the last operation into the whole expression."""
    return " " + " = ".join(map(arithmetic.show, rewrites(path))) + "\n"


def reductions(path: tuple[Step, ...]) -> str:
    """The whole expression evaluated one operation at a time, down to 24."""
    return " = ".join([*map(arithmetic.show, reversed(rewrites(path))), "24"])


def miswritten(rng: random.Random, path: tuple[Step, ...], numbers: Numbers) -> str:
    """A wrong expression for ``path``: an operation written in at the wrong place, or a slip."""
    if rng.random() < 0.5:
        step = rng.choice(path[:-1])
        leaf = Fraction(rng.choice(numbers))
        return arithmetic.show(_substitute(rewrites(path)[-1], leaf, _operation(step))[0])
    if rng.random() < 0.5:
        chain = rewrites(path)
        leaves = [n for n in arithmetic.numbers(chain[-2]) if n != path[0].result]
        if leaves:
            at = rng.choice(leaves)
            return arithmetic.show(_substitute(chain[-2], at, _operation(path[0]))[0])
    words = arithmetic.show(rewrites(path)[-1]).split()
    spot = rng.choice([i for i, word in enumerate(words) if word.isdigit() or word in "+-*/"])
    pool = [str(n) for n in numbers] if words[spot].isdigit() else list("+-*/")
    words[spot] = rng.choice([p for p in pool if p != words[spot]] or [words[spot]])
    return " ".join(words)


def answer(path: tuple[Step, ...]) -> str:
    return f"Answer: {arithmetic.show(rewrites(path)[-1])} = 24\n"


def boxed(path: tuple[Step, ...]) -> str:
    return f"\\boxed{{ {arithmetic.show(rewrites(path)[-1])} }}"


def failed_attempt(rng: random.Random, numbers: Numbers, before: tuple[Step, ...]) -> list[Step]:
    """Steps from ``numbers`` that do not end in 24; often it backs up only part of the way."""
    attempt = list(before[:1]) if before and rng.random() < 0.5 else []
    shown = len(attempt)
    available = attempt[-1].remaining if attempt else numbers
    while len(available) > 1:
        choices = [s for s in steps(available) if s.remaining != (24,)]
        if len(available) == 2 and len(choices) < len(steps(available)):
            break  # 24 was in reach: a solver would have seen it, so this is no failure
        if not choices:
            break
        weights = [0.4 if s.result == 0 or s.result > 50 else 1.0 for s in choices]
        attempt.append(rng.choices(choices, weights)[0])
        available = attempt[-1].remaining
    return attempt[shown:] if len(available) == 1 else []


def mistake(rng: random.Random, step: Step) -> str:
    """The step's line with one mistake of a kind the verifier names."""
    near = max(0, step.result + rng.choice([-10, -3, -2, -1, 1, 2, 3, 10]))
    wrong = 24 if len(step.available) == 2 and step.result != 24 and rng.random() < 0.7 else near
    rest = list(step.remaining)
    rest.remove(step.result)
    match rng.randrange(4):
        case 0 | 1:
            changed = Step(
                step.available, step.a, step.operator, step.b, wrong, tuple(sorted([*rest, wrong]))
            )
        case 2:
            b = rng.choice([n for n in range(1, 14) if n not in step.available])
            c = {"+": step.a + b, "-": step.a - b, "*": step.a * b}.get(step.operator, step.a)
            c = 24 if len(step.available) == 2 and rng.random() < 0.5 else max(c, 0)
            changed = Step(step.available, step.a, step.operator, b, c, tuple(sorted([*rest, c])))
        case _:
            remaining = list(step.remaining)
            spot = rng.randrange(len(remaining))
            if len(remaining) > 1 and rng.random() < 0.5:
                del remaining[spot]
            else:
                remaining[spot] = max(1, remaining[spot] + rng.choice([-1, 1, 2]))
            changed = Step(
                step.available,
                step.a,
                step.operator,
                step.b,
                step.result,
                tuple(sorted(remaining)),
            )
    return changed.line()


def misread(rng: random.Random, step: Step) -> str:
    """The step's line from numbers that are not at hand."""
    available = list(step.available)
    spot = rng.randrange(len(available))
    if rng.random() < 0.5:
        del available[spot]
    else:
        available[spot] = rng.randint(1, 24)
    wrong = tuple(sorted(available))
    if len(wrong) < 2 or rng.random() < 0.2:
        wrong = tuple(sorted(rng.randint(1, 40) for _ in range(rng.randint(2, 4))))
    choices = steps(wrong)
    return rng.choice(choices).line() if choices else step.line()


def note(numbers: Numbers, wrong: str, before: list[Step]) -> str | None:
    """The verifier's reason against a line, or None if the line is right after all."""
    problem = puzzle(numbers)
    earlier = [State("step", {"remaining": [str(n) for n in step.remaining]}) for step in before]
    _, states = DOMAIN.extract(problem, wrong, 0, {})
    if not states:
        return None
    verdict = judge_state(problem, states[0], earlier)
    return None if verdict.ok else verdict.reason


class Writer:
    """Writes one trace part by part and remembers the steps taken."""

    def __init__(self, rng: random.Random, numbers: Numbers, mistakes: float) -> None:
        self.rng, self.numbers, self.mistakes = rng, numbers, mistakes
        self.parts: list[Part] = [Part(prompt(numbers), learn=False)]
        self.taken: list[Step] = []
        self.attempt: list[Step] = []

    def say(self, text: str) -> None:
        self.parts.append(Part(text))

    def step(self, step: Step) -> None:
        """Take a step; sometimes get it wrong first and hear of it, or hear that the right one is
        wrong."""
        del self.attempt[len(self.numbers) - len(step.available) :]
        if self.rng.random() < self.mistakes:
            lost = self.rng.random() < 0.25
            wrong = misread(self.rng, step) if lost else mistake(self.rng, step)
            reason = note(self.numbers, wrong, self.taken)
            if reason is not None:
                if not lost and self.rng.random() < DOUBTED:
                    reason = doubted(wrong)
                self.parts.append(Part(wrong + f"Wait, {reason}\n", learn=False))
                if lost:  # the note names the numbers of the start: go on from there
                    for earlier in self.attempt:
                        self.say(earlier.line())
        elif self.rng.random() < FALSE * self.mistakes:
            line = step.line()
            self.parts.append(Part(f"{line}Wait, {doubted(line)}\n", learn=False))
        self.say(step.line())
        self.attempt.append(step)
        self.taken.append(step)

    def wrong_answer(
        self, voice: str, path: tuple[Step, ...], *, written_out: bool = False
    ) -> None:
        """A wrong claim with the note that follows it; nothing of it is learned."""
        wrong = miswritten(self.rng, path, self.numbers)
        verdict = judge_answer(puzzle(self.numbers), wrong)
        if not verdict.ok:
            chain = [*map(arithmetic.show, rewrites(path)[:-1]), wrong]
            before = " " + " = ".join(chain) + "\n" if written_out else ""
            claim = f"{before}Answer: {wrong} = 24\n" + voice.format(reason=verdict.reason)
            self.parts.append(Part(claim, learn=False))


def trace(
    rng: random.Random, numbers: Numbers, known: tuple[Step, ...] = (), *, long: bool = False
) -> list[Part]:
    """One training trace for ``numbers``.

    Args:
        known: A path to 24, gone without an attempt that fails; empty to draw one.
        long: With more attempts that fail than usual. They come at any time with the same chance,
            so that only what is behind the usual number is learned.
    """
    choices = preferred(numbers)
    path = known or rng.choices(choices, [4.0, 2.0, 1.0][: len(choices)])[0]
    w = Writer(rng, numbers, mistakes=0.15 if rng.random() < 0.6 else 0.0)
    fails = 0 if rng.random() < 0.45 else min(1 + int(rng.expovariate(0.7)), USUAL)
    cut = rng.randrange(0, 3 * fails + 4) if rng.random() < 0.07 else None
    if long:
        fails, cut = rng.randint(USUAL + 1, MOST), None
    if known:
        fails, cut = 0, None
    lines = 0
    previous: tuple[Step, ...] = ()
    for failed in range(fails):
        if failed == USUAL:
            w.parts = [replace(part, learn=False) for part in w.parts]
        attempt = failed_attempt(rng, numbers, previous)
        if not attempt:
            continue
        for step in attempt:
            if lines == cut:
                return _finish(w, path)
            w.step(step)
            lines += 1
        w.say("No\n")
        if len(attempt) == 3:
            previous = tuple(attempt)
    shared = 1 if previous and previous[0] == path[0] and rng.random() < 0.5 else 0
    for step in path[shared:]:
        if lines == cut:
            return _finish(w, path)
        w.step(step)
        lines += 1
    w.say("Yes\n")
    while w.mistakes and rng.random() < 0.4:
        w.wrong_answer("Wait, {reason}\n", path, written_out=True)
    w.say(written_out(path) + answer(path))
    _overthink(w, path)
    return _finish(w, path)


def _overthink(w: Writer, path: tuple[Step, ...]) -> None:
    """Verify the answer again and again, sometimes trying something else in between."""
    passes = min(int(w.rng.expovariate(0.5)) + (w.rng.random() < 0.9), 9)
    for index in range(passes):
        if w.rng.random() < 0.2:
            attempt = failed_attempt(w.rng, w.numbers, ())
            if attempt:
                w.say("Alternatively\n")
                for step in attempt:
                    w.step(step)
                w.say("No\n")
        w.say("Wait, let me verify\n " if index % 2 == 0 else "Hmm, let me double-check\n ")
        w.say(reductions(path) + "\n")


def _finish(w: Writer, path: tuple[Step, ...]) -> list[Part]:
    w.parts.append(Part("</think>\n", learn=True))
    if w.mistakes and w.rng.random() < 0.2:
        w.wrong_answer("[verifier: {reason}]\n", path)
    w.say(answer(path) + boxed(path) + "<|im_end|>")
    return w.parts


def traces(seed: int, *, held_out: bool = False) -> Iterator[list[Part]]:
    """Endless traces over the training puzzles, or the held-out ones."""
    rng = random.Random(seed)
    drawn = puzzles()[held_out]
    while True:
        yield trace(rng, rng.choice(drawn))
