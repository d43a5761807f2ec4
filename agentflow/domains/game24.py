"""Game of 24: reach 24 from four numbers, each used exactly once, with ``+ - * /``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from agentflow.domains import answers, arithmetic
from agentflow.domains.protocol import Domain
from agentflow.errors import BadInput
from agentflow.problem import Problem
from agentflow.state import State
from agentflow.verdict import Verdict

TARGET = Fraction(24)
_MAX_LINE = 300
_NUMBER = r"(?<![\d.])-?\d{1,40}(?:\.\d{1,40}|/\d{1,40})?(?!\d)"
_LIST = rf"\(?\s*{_NUMBER}(?:[\s,]+{_NUMBER})*\s*\)?"
_OPERATION = (
    rf"\(?(?P<a>{_NUMBER})\)?\s*(?P<operator>[-+*/])\s*\(?(?P<b>{_NUMBER})\)?"
    rf"\s*=\s*\(?(?P<result>{_NUMBER})\)?"
)
_STEP = re.compile(
    rf"(?:(?P<available>\(?\s*{_NUMBER}(?:[\s,]+{_NUMBER})+\s*\)?)\s*:\s*)?"
    rf"{_OPERATION}\s*"
    rf"(?:->|\(?\s*(?:numbers\s+)?(?:left|remaining)\s*(?:numbers)?\s*:)\s*(?P<remaining>{_LIST})",
    re.IGNORECASE,
)
_LABELLED = re.compile(
    r"(?i)^\W*(available|remaining)\s+numbers?\s*:(.*)$|^\W*(?:suggested\s+)?operation\s*:(.*)$"
)
_OPERATION_ONLY = re.compile(_OPERATION)
_IS_24 = re.compile(r"\s*24\s*+(?![-+*/\d]|\.\d)")
_WORDS_BEFORE = re.compile(r"^.*[^\d\s()+\-*/.]")
_NUMBERS = re.compile(_NUMBER)
_BOLD = re.compile(r"(?<![\d)])\*\*|\*\*(?!\s*[\d(])")
_NEARNESS = {"not_available": 0, "arithmetic": 1, "wrong_count": 2, "wrong_remaining": 3}
"""Error kind -> how well the step fits the numbers that it was judged against."""


class Game24(Domain):
    """The domain, with a verifier in exact rational arithmetic.

    States have two kinds. A ``step`` takes two of the available numbers and says what remains;
    three spellings are read: ``4 7 8 8 : 8 - 7 = 1 -> 1 4 8``, ``8 - 7 = 1 (left: 1 4 8)``, and
    three labelled lines (available numbers, suggested operation, remaining numbers). A
    ``candidate`` is a claimed solution: an answer line, a boxed expression, or an equation that
    uses each number once and ends in 24.

    Error kinds: ``arithmetic``, ``not_available``, ``wrong_remaining``, ``wrong_count`` and, only
    when ``hopeless`` is asked for, ``hopeless`` (right, but 24 can no longer be reached).
    """

    name = "game24"
    description = "Reach 24 from four numbers with + - * /, each number used once."
    example = "4 7 8 8"
    complete = True
    """The final verifier accepts every right answer and no wrong one."""

    def parse(self, text: str, id: str = "") -> Problem:
        """The problem in ``text``: four positive integers.

        Raises:
            BadInput: If there are not exactly four positive integers.
        """
        words = text.replace(",", " ").split()
        if not words:
            raise BadInput("game24: the problem is empty; give four positive integers: 4 7 8 8")
        for word in words:
            if not (word.isascii() and word.isdigit()) or not 1 <= len(word.lstrip("0")) <= 9:
                raise BadInput(
                    f"game24: {word[:40]!r} is not a positive integer of nine digits at most; "
                    "example: 4 7 8 8; other problems have other domains"
                )
        if len(words) != 4:
            raise BadInput(f"game24: needs four numbers, got {len(words)}; example: 4 7 8 8")
        numbers = sorted(int(word.lstrip("0")) for word in words)
        plain = " ".join(map(str, numbers))
        return Problem(text=plain, domain=self.name, id=id or plain, data={"numbers": numbers})

    def unsolvable(self, problem: Problem) -> str | None:
        """Why the problem has no answer, or None if it has one."""
        if reachable(_start(problem)):
            return None
        return f"24 cannot be reached from {problem.text}: every combination was tried"

    def extract(
        self, problem: Problem, line: str, offset: int, memory: dict[str, Any]
    ) -> tuple[dict[str, Any], list[State]]:
        """The states that one line of generated text completes.

        Args:
            line: The line with its line break, if it has one.
            offset: Offset of the line in the generated text.
            memory: What earlier calls returned, plain JSON; ``{}`` at the start.
        """
        told = "=" in line or ":" in line or "{" in line or "nswer" in line or "NSWER" in line
        if not told or not 4 <= len(line) <= _MAX_LINE:
            return memory, []
        end = offset + len(line)
        text = arithmetic.plain(line)
        if "**" in text:
            text = _BOLD.sub("", text)
        if labelled := _LABELLED.match(text):
            return _labelled(labelled, offset, end, memory)
        # Only a line that says what is left can hold a step; the search costs more than the test.
        words = text.lower()
        leaves = "->" in words or "left" in words or "remaining" in words
        if leaves and (steps := list(_STEP.finditer(text))):
            respelled = len(text) != len(line)  # places in it are not places in the line
            return memory, [
                State(
                    "step",
                    _step_data(step, _listed(step["remaining"]), _listed(step["available"])),
                    offset if respelled else offset + step.start(),
                    end,
                )
                for step in steps
            ]
        return memory, [
            State("candidate", {"answer": expression}, offset, end)
            for expression in _candidates(problem, text)
        ]

    async def verify_state(
        self, problem: Problem, state: State, earlier: Sequence[State], *, hopeless: bool = False
    ) -> Verdict:
        """:func:`judge_state`; nothing is waited for."""
        return judge_state(problem, state, earlier, hopeless=hopeless)

    def candidate(self, problem: Problem, state: State) -> str | None:
        """The normal form of a proposed solution that uses each number exactly once."""
        if state.kind != "candidate":
            return None
        text = arithmetic.plain(state.data["answer"])
        expression = arithmetic.parse(text)
        if expression is None or _used(text) != _start(problem):
            return None
        return arithmetic.normal_form(expression)

    def answer(self, text: str) -> str | None:
        """The answer in a final text: the last boxed expression, else the last answer line."""
        text = arithmetic.plain(text)
        if boxed := _boxed(text):
            return boxed[-1]
        lines = answers.LINE.findall(text)
        return _left_side(lines[-1]) or None if lines else None

    async def verify_answer(self, problem: Problem, answer: str) -> Verdict:
        """:func:`judge_answer`; nothing is waited for."""
        return judge_answer(problem, answer)

    def normalise(self, problem: Problem, answer: str) -> str | None:
        """A text equal for equal answers, or None where the answer is no expression."""
        expression = arithmetic.parse(arithmetic.plain(answer))
        return None if expression is None else arithmetic.normal_form(expression)


def judge_state(
    problem: Problem, state: State, earlier: Sequence[State], *, hopeless: bool = False
) -> Verdict:
    """Judge one state, given the earlier ones of the same trace, all taken as right."""
    if state.kind == "candidate":
        return judge_answer(problem, state.data["answer"])
    verdict, remaining = _judge_step(problem, state.data, earlier, len(earlier))
    if verdict.ok and hopeless and not reachable(remaining):
        return _wrong("hopeless", f"24 cannot be reached from {_text(remaining)}")
    return verdict


def judge_answer(problem: Problem, answer: str) -> Verdict:
    """Whether ``answer`` is an expression equal to 24 that uses each number exactly once."""
    text = arithmetic.plain(answer)
    expression = arithmetic.parse(text)
    if expression is None:
        return _wrong("not_an_expression", f"{text[:60]!r} is not an expression")
    written = arithmetic.show(expression)
    used = _used(text) or ()
    if used != _start(problem):
        return _wrong("not_available", f"{written} uses {_text(used)} , not {problem.text}")
    result = arithmetic.value(expression)
    if result != TARGET:
        reason = f"{written} is {'undefined' if result is None else result} , not 24"
        return _wrong("arithmetic", reason)
    return Verdict(True, source="game24", evidence={"value": "24", "numbers": _text(used)})


def _wrong(kind: str, reason: str) -> Verdict:
    return Verdict(False, reason, kind, source="game24")


def _start(problem: Problem) -> tuple[Fraction, ...]:
    return _exact(tuple(problem.data["numbers"]))


@lru_cache(maxsize=10_000)
def _exact(numbers: tuple[int, ...]) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, numbers))


def _text(numbers: Sequence[Fraction]) -> str:
    return " ".join(map(str, numbers))


def _labelled(
    match: re.Match[str], offset: int, end: int, memory: dict[str, Any]
) -> tuple[dict[str, Any], list[State]]:
    """One labelled line; the third of them completes a step."""
    label, numbers, operation = match.groups()
    if operation is not None:
        return memory | {"operation": operation, "start": memory.get("start", offset)}, []
    if label.lower() == "available":
        return {"available": numbers, "start": offset}, []
    found = _OPERATION_ONLY.search(memory.get("operation", ""))
    if found is None:
        return {}, []
    available = memory.get("available")
    written = None if available is None else _NUMBERS.findall(available)
    data = _step_data(found, _NUMBERS.findall(numbers), written)
    return {}, [State("step", data, memory["start"], end)]


def _listed(text: str | None) -> list[str] | None:
    """The numbers of a list that the step's pattern matched."""
    return None if text is None else text.strip("()").replace(",", " ").split()


def _step_data(
    operation: re.Match[str], remaining: list[str] | None, available: list[str] | None
) -> dict[str, Any]:
    return {
        "available": available,
        "a": operation["a"],
        "operator": operation["operator"],
        "b": operation["b"],
        "result": operation["result"],
        "remaining": remaining,
    }


def _candidates(problem: Problem, text: str) -> Iterator[str]:
    """Solutions claimed on one line that holds no step; the same one is given once."""
    if boxed := _boxed(text):
        yield boxed[-1]
    elif answer := answers.LINE.search(text):
        if (expression := _left_side(answer[1])) and re.search(r"\d", expression):
            yield expression
    elif "=" in text:
        parts = text.split("=")
        if any(map(_IS_24.match, parts)):
            for part in parts:
                expression = _WORDS_BEFORE.sub("", part).strip()
                if _used(expression) == _start(problem):
                    yield expression
                    return


@lru_cache(maxsize=10_000)
def _used(text: str) -> tuple[Fraction, ...] | None:
    """The numbers of the expression in ``text``, sorted; None if it is none."""
    expression = arithmetic.parse(text)
    return None if expression is None else tuple(sorted(arithmetic.numbers(expression)))


def _left_side(text: str) -> str:
    return text.split("=")[0].strip(" .\t\r\n*")


def _boxed(text: str) -> list[str]:
    """The left sides of what is boxed."""
    return [side for content in answers.boxed(text) if (side := _left_side(content))]


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
    start = _start(problem)
    if count == len(start):
        yield start
        return
    for index in range(end - 1, -1, -1):
        state = earlier[index]
        if state.kind == "step" and len(state.data["remaining"]) == count:
            yield _left_by(problem, earlier, index)


def _left_by(problem: Problem, earlier: Sequence[State], index: int) -> tuple[Fraction, ...]:
    """The exact numbers that the step at ``index`` left."""
    data = earlier[index].data
    if any("." in number for number in data["remaining"]):  # rounded: work out what it stands for
        return _judge_step(problem, data, earlier, index)[1]
    written = map(arithmetic.number, data["remaining"])
    return tuple(sorted(number for number in written if number is not None))


def _latest(problem: Problem, earlier: Sequence[State], end: int) -> tuple[Fraction, ...]:
    """The exact numbers at hand behind the first ``end`` of ``earlier``."""
    for index in range(end - 1, -1, -1):
        if earlier[index].kind == "step":
            return _left_by(problem, earlier, index)
    return _start(problem)


def _judge_step(
    problem: Problem, data: dict[str, Any], earlier: Sequence[State], end: int
) -> tuple[Verdict, tuple[Fraction, ...]]:
    """Judge a step against the first ``end`` of ``earlier``; give what remains, exact.

    Without a written list of available numbers the step may follow from any of them or from the
    start: a model that starts again does not always say so. The error reported is the one against
    those that the step fits best, the latest of them.
    """
    available = data["available"]
    count = len(data["remaining"]) + 1 if available is None else len(available)
    failed: list[tuple[Verdict, tuple[Fraction, ...]]] = []
    for numbers in _known(problem, earlier, end, count):
        if available is None or _same(available, numbers):
            judged = _judge_against(data, numbers)
            if judged[0].ok:
                return judged
            failed.append(judged)
    if available is None:
        failed.insert(0, _judge_against(data, _latest(problem, earlier, end)))
    if not failed:
        reason = f"{' '.join(available)} are not the numbers at hand , {problem.text} are"
        return _wrong("not_available", reason), ()
    return max(failed, key=lambda judged: _NEARNESS[judged[0].kind])


def _judge_against(
    data: dict[str, Any], available: tuple[Fraction, ...]
) -> tuple[Verdict, tuple[Fraction, ...]]:
    rest = list(available)
    a = _take(data["a"], rest)
    b = _take(data["b"], rest)
    if a is None or b is None:
        missing = data["a"] if a is None else data["b"]
        return _wrong("not_available", f"{missing} is not among {_text(available)}"), ()
    result = arithmetic.apply(data["operator"], a, b)
    operation = f"{data['a']} {data['operator']} {data['b']}"
    if result is None or not arithmetic.agrees(data["result"], result):
        truth = "undefined" if result is None else f"{result} , not {data['result']}"
        return _wrong("arithmetic", f"{operation} is {truth}"), ()
    remaining = tuple(sorted([*rest, result]))
    if not _same(data["remaining"], remaining):
        kind = "wrong_remaining" if len(data["remaining"]) == len(remaining) else "wrong_count"
        return _wrong(kind, f"{operation} leaves {_text(remaining)}"), ()
    evidence = {"available": _text(available), "result": str(result), "left": _text(remaining)}
    return Verdict(True, source="game24", evidence=evidence), remaining


@lru_cache(maxsize=100_000)
def reachable(numbers: tuple[Fraction, ...]) -> bool:
    """Whether some expression over ``numbers`` (sorted), each used once, equals 24."""
    return next(solutions(numbers), None) is not None


def solutions(numbers: Sequence[Fraction]) -> Iterator[arithmetic.Expression]:
    """Every expression over ``numbers``, each used once, that equals 24, by brute force."""
    return arithmetic.reaching(TARGET, numbers)
