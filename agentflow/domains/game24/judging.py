"""Whether steps and answers of Game of 24 are right, in exact rational arithmetic."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from itertools import combinations
from typing import Any

from agentflow.domains import arithmetic
from agentflow.domains.game24 import reading
from agentflow.domains.protocol import UNREAD, unread
from agentflow.problem import Problem
from agentflow.state import State
from agentflow.verdict import Verdict

TARGET = Fraction(24)
_NEARNESS = {"not_available": 0, "arithmetic": 1, "wrong_count": 2, "wrong_remaining": 3}
"""Error kind -> how well the step fits the numbers that it was judged against."""

_LITERAL = re.compile(r"\d+(?:\.\d*)?|\.\d+")
_FRACTION = re.compile(r"(?<![\d./])\d+/\d+(?![\d./])")

Written = str | tuple[str, "Written", "Written"]
"""A number as it is written, or (operator, left, right)."""


def judge_answer(problem: Problem, answer: str) -> Verdict:
    """Whether ``answer`` is an expression equal to 24 that uses each number exactly once."""
    expression = reading.solution(answer)
    if expression is None:
        return unread(answer, "game24")
    written = arithmetic.show(expression)
    taken, result = used(expression), arithmetic.value(expression)
    unsigned = tuple(sorted(map(abs, taken)))
    if taken != unsigned == given(problem) and result == TARGET:
        reason = f"{written} has a number with a sign: nobody says whether that is allowed"
        return Verdict(None, reason, UNREAD, source="game24")
    if taken != given(problem):
        return wrong("not_available", f"{written} uses {text_of(taken)} , not {problem.text}")
    if result != TARGET:
        reason = f"{written} is {'undefined' if result is None else result} , not 24"
        return wrong("arithmetic", reason)
    return Verdict(True, source="game24", evidence={"value": "24", "numbers": text_of(taken)})


def wrong(kind: str, reason: str) -> Verdict:
    return Verdict(False, reason, kind, source="game24")


def given(problem: Problem) -> tuple[Fraction, ...]:
    return _exact(tuple(problem.data["numbers"]))


@lru_cache(maxsize=10_000)
def _exact(numbers: tuple[int, ...]) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, numbers))


def text_of(numbers: Sequence[Fraction]) -> str:
    return " ".join(map(str, numbers))


def used(expression: arithmetic.Expression) -> tuple[Fraction, ...]:
    """The numbers of an expression, sorted."""
    return tuple(sorted(arithmetic.numbers(expression)))


def _same(written: Sequence[str], exact: Sequence[Fraction]) -> bool:
    """Whether the written numbers stand for the exact ones, in any order."""
    if len(written) != len(exact):
        return False
    left = list(written)
    for number in exact:
        match = next((w for w in left if arithmetic.agrees(w, number)), None)
        if match is None:
            return False
        left.remove(match)
    return True


def _take(written: str, numbers: list[Fraction]) -> Fraction | None:
    """Remove and return the number that ``written`` stands for."""
    for number in numbers:
        if arithmetic.agrees(written, number):
            numbers.remove(number)
            return number
    return None


def _known(
    problem: Problem, earlier: Sequence[State], end: int, count: int
) -> Iterator[tuple[Fraction, ...]]:
    """Where there were ``count`` numbers at hand among the first ``end`` of ``earlier``.

    Exact, latest first, and lazy: the one wanted is nearly always among the latest, so that a
    step of a long trace costs no more than one of a short trace. Every step leaves one number
    less than it had, so the numbers of the start are at hand nowhere else.
    """
    first = given(problem)
    if count == len(first):
        yield first
        return
    for index in range(end - 1, -1, -1):
        state = earlier[index]
        if _leaves(state) and len(state.data["remaining"]) == count:
            yield _left_by(problem, earlier, index)


def _left_by(problem: Problem, earlier: Sequence[State], index: int) -> tuple[Fraction, ...]:
    """The exact numbers that the step at ``index`` left."""
    data = earlier[index].data
    if any("." in number for number in data["remaining"]):  # rounded: work out what it stands for
        return judge_step(problem, data, earlier, index)[1]
    written = map(arithmetic.number, data["remaining"])
    return tuple(sorted(number for number in written if number is not None))


def _latest(problem: Problem, earlier: Sequence[State], end: int) -> tuple[Fraction, ...]:
    """The exact numbers at hand behind the first ``end`` of ``earlier``."""
    for index in range(end - 1, -1, -1):
        if _leaves(earlier[index]):
            return _left_by(problem, earlier, index)
    return given(problem)


def _leaves(state: State) -> bool:
    """Whether a state says what is left: a step that was read."""
    return state.kind == "step" and "remaining" in state.data


def _meant(data: dict[str, Any]) -> Iterator[Written]:
    """What a step's operation may mean: ``2/3`` is a number, or a division of two."""
    if "operator" in data:
        yield (data["operator"], data["a"], data["b"])
        if "expression" not in data:
            return
    text = data["expression"]
    tree = arithmetic.parse(text)
    assert tree is not None, "the reader gives only what is an expression"
    yield _written(tree, iter(_LITERAL.findall(text)))
    tight = sorted(set(_FRACTION.findall(text)))[:3]
    for count in range(1, len(tight) + 1):
        for chosen in map(frozenset, combinations(tight, count)):
            apart = _FRACTION.sub(partial(_bracketed, chosen), text)
            if (grouped := arithmetic.parse(apart)) is not None:
                yield _written(grouped, iter(_LITERAL.findall(text)), chosen)


def _bracketed(chosen: frozenset[str], fraction: re.Match[str]) -> str:
    return f"({fraction[0]})" if fraction[0] in chosen else fraction[0]


def _written(
    tree: arithmetic.Expression, literals: Iterator[str], single: frozenset[str] = frozenset()
) -> Written:
    """The tree with its numbers as written; those divisions that ``single`` has are one number.

    Args:
        literals: The numbers in the text of the tree, without signs.
    """
    if isinstance(tree, Fraction):
        return f"-{next(literals)}" if tree < 0 else next(literals)
    operator, left, right = tree
    one, other = _written(left, literals, single), _written(right, literals, single)
    if operator == "/" and f"{one}/{other}" in single:
        return f"{one}/{other}"
    return (operator, one, other)


def _count(tree: Written) -> int:
    return 1 if isinstance(tree, str) else _count(tree[1]) + _count(tree[2])


def judge_step(
    problem: Problem, data: dict[str, Any], earlier: Sequence[State], end: int
) -> tuple[Verdict, tuple[Fraction, ...]]:
    """Judge a step against the first ``end`` of ``earlier``; give what remains, exact.

    It is wrong only if it is in everything that it may mean; the first of them is told of.
    """
    judged = [_judge_meant(problem, data, tree, earlier, end) for tree in _meant(data)]
    return next((one for one in judged if one[0].ok), judged[0])


def _judge_meant(
    problem: Problem, data: dict[str, Any], tree: Written, earlier: Sequence[State], end: int
) -> tuple[Verdict, tuple[Fraction, ...]]:
    """Judge a step in one meaning of its operation.

    Without a written list of available numbers the step may follow from any of them or from the
    start: a model that starts again does not always say so. The error reported is the one against
    those that the step fits best, the latest of them.
    """
    available = data["available"]
    count = len(data["remaining"]) + _count(tree) - 1 if available is None else len(available)
    failed: list[tuple[Verdict, tuple[Fraction, ...]]] = []
    for numbers in _known(problem, earlier, end, count):
        if available is None or _same(available, numbers):
            judged = _judge_against(data, tree, numbers)
            if judged[0].ok:
                return judged
            failed.append(judged)
    if available is None:
        failed.insert(0, _judge_against(data, tree, _latest(problem, earlier, end)))
    if not failed:
        reason = f"{' '.join(available)} are not the numbers at hand , {problem.text} are"
        return wrong("not_available", reason), ()
    return max(failed, key=lambda judged: _NEARNESS[judged[0].kind])


def is_rounded(data: dict[str, Any]) -> bool:
    """Whether a right step has an equals sign where one side is rounded."""
    if "about" in data or "." not in f"{_shown(data)} {data['result']}":
        return False
    result = arithmetic.number(data["result"])
    return result not in [arithmetic.value(_as_written(tree)) for tree in _meant(data)]


def wrong_in_itself(data: dict[str, Any]) -> bool:
    """Whether a step's operation does not give its result, whatever is at hand."""
    if any("." in literal for literal in _LITERAL.findall(_shown(data))):
        return False  # rounded
    results = [arithmetic.value(_as_written(tree)) for tree in _meant(data)]
    return not any(
        result is not None and arithmetic.agrees(data["result"], result) for result in results
    )


def _as_written(tree: Written) -> arithmetic.Expression:
    if isinstance(tree, str):
        top, _, bottom = tree.partition("/")
        return ("/", Fraction(top), Fraction(bottom)) if bottom else Fraction(top)
    return (tree[0], _as_written(tree[1]), _as_written(tree[2]))


def _shown(data: dict[str, Any]) -> str:
    """A step's operation in words."""
    whole: str = data.get("expression") or f"{data['a']} {data['operator']} {data['b']}"
    return whole


class _Missing(Exception):
    """A number is not at hand; the argument is how it is written."""


def _exactly(tree: Written, numbers: list[Fraction]) -> arithmetic.Expression:
    """The tree over the exact numbers that it takes out of ``numbers``.

    Raises:
        _Missing: If one is not there.
    """
    if isinstance(tree, str):
        number = _take(tree, numbers)
        if number is None:
            raise _Missing(tree)
        return number
    left = _exactly(tree[1], numbers)
    return (tree[0], left, _exactly(tree[2], numbers))


def _judge_against(
    data: dict[str, Any], tree: Written, available: tuple[Fraction, ...]
) -> tuple[Verdict, tuple[Fraction, ...]]:
    rest = list(available)
    try:
        result = arithmetic.value(_exactly(tree, rest))
    except _Missing as missing:
        return wrong("not_available", f"{missing} is not among {text_of(available)}"), ()
    operation = _shown(data)
    if result is None or not arithmetic.agrees(data["result"], result):
        truth = "undefined" if result is None else f"{result} , not {data['result']}"
        return wrong("arithmetic", f"{operation} is {truth}"), ()
    remaining = tuple(sorted([*rest, result]))
    if not _same(data["remaining"], remaining):
        kind = "wrong_remaining" if len(data["remaining"]) == len(remaining) else "wrong_count"
        return wrong(kind, f"{operation} leaves {text_of(remaining)}"), ()
    evidence = {"available": text_of(available), "result": str(result), "left": text_of(remaining)}
    return Verdict(True, source="game24", evidence=evidence), remaining


@lru_cache(maxsize=100_000)
def reachable(numbers: tuple[Fraction, ...]) -> bool:
    """Whether some expression over ``numbers`` (sorted), each used once, equals 24."""
    return next(solutions(numbers), None) is not None


def solutions(numbers: Sequence[Fraction]) -> Iterator[arithmetic.Expression]:
    """Every expression over ``numbers``, each used once, that equals 24, by brute force."""
    return arithmetic.reaching(TARGET, numbers)
