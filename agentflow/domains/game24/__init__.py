"""Game of 24: reach 24 from four numbers, each used exactly once, with ``+ - * /``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agentflow.domains import answers, arithmetic
from agentflow.domains.answers import conclusions
from agentflow.domains.game24 import reading, told
from agentflow.domains.game24.judging import (
    given,
    is_rounded,
    judge_answer,
    judge_step,
    reachable,
    solutions,
    text_of,
    used,
    wrong,
    wrong_in_itself,
)
from agentflow.domains.protocol import UNREAD, Domain, Memory, Read, unread
from agentflow.errors import BadInput
from agentflow.problem import Problem
from agentflow.state import State
from agentflow.verdict import Verdict

__all__ = ["Game24", "judge_answer", "judge_state", "reachable", "solutions"]


class Game24(Domain):
    """The domain, with a verifier in exact rational arithmetic.

    States have two kinds. A ``step`` takes two of the available numbers and says what remains;
    three spellings are read: ``4 7 8 8 : 8 - 7 = 1 -> 1 4 8``, ``8 - 7 = 1 (left: 1 4 8)``, and
    three labelled lines (available numbers, suggested operation, remaining numbers). It may take
    more than two at once (``2 + 2 + 4 = 8 (left: 8 9)``). What is rounded has to say so
    (``8 / 3 ≈ 2.67``, or a remark), else the step cannot be told. A ``candidate`` is a claimed
    solution: an answer line, a boxed expression, or an equation that uses each number once and ends
    in 24.

    Error kinds: ``arithmetic``, ``not_available``, ``wrong_remaining``, ``wrong_count`` and, only
    when ``hopeless`` is asked for, ``hopeless`` (right, but 24 can no longer be reached). What was
    not understood to its last word is ``unread``. A line of nothing but equations (``8 / 8 = 2, so
    7 - 2 = 5``) is a step where one of them is wrong whatever is at hand.
    """

    name = "game24"
    description = "Reach 24 from four numbers with + - * /, each number used once."
    example = "4 7 8 8"
    form = "an expression over the four numbers with + - * / and parentheses"
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
        if reachable(given(problem)):
            return None
        return f"24 cannot be reached from {problem.text}: every combination was tried"

    def extract(self, problem: Problem, line: str, offset: int, memory: Memory) -> Read:
        """The states that one line of generated text completes.

        Args:
            line: The line with its line break, if it has one.
            offset: Offset of the line in the generated text.
            memory: What earlier calls returned, plain JSON; ``{}`` at the start. Behind a step that
                could not be read nobody knows what is at hand; steps from there on say so
                (``lost``).
        """
        memory, found = self.with_candidates(self._steps, problem, line, offset, memory)
        for state in found:
            if state.kind == "candidate":
                state.data["answer"] = reading.stated(reading.plain(state.data["answer"]))
        return memory, [state for state in found if state.data.get("answer") != "24"]

    def _steps(self, problem: Problem, line: str, offset: int, memory: Memory) -> Read:
        lost = "lost" in memory
        kept, found = self._read(problem, line, offset, memory)
        for state in found:
            if state.kind == "step" and lost:
                state.data["lost"] = True
            unread_ = state.data.get("claim") == UNREAD
            read = state.kind == "step" and "claim" not in state.data
            lost = lost or unread_ or (read and is_rounded(state.data))
        return (kept | {"lost": True} if lost else kept), found

    def _read(self, problem: Problem, line: str, offset: int, memory: Memory) -> Read:
        if not reading.may_state(line):
            return memory, []
        end = offset + len(line)
        text = reading.plain(line)
        if labelled := reading.LABELLED.match(text):
            return _labelled(labelled, offset, end, memory)
        if reading.looks_like_step(text):
            found = reading.steps(text)
            if found is None:
                data = {"claim": "unread", "text": line.strip()}
                return memory, [State("step", data, offset, end)]
            respelled = len(text) != len(line)  # places in it are not places in the line
            return memory, [
                State("step", step, offset if respelled else offset + place, end)
                for place, step in found
            ]
        if (proposed := _proposed(problem, text)) is not None:
            return memory, [State("candidate", {"answer": proposed}, offset, end)]
        for sum_, right in reading.sums(text):
            if not right:
                return memory, [State("step", {"claim": "sum", "text": sum_}, offset, end)]
        return memory, []

    async def verify_state(
        self, problem: Problem, state: State, earlier: Sequence[State], *, hopeless: bool = False
    ) -> Verdict:
        """:func:`judge_state`; nothing is waited for."""
        return judge_state(problem, state, earlier, hopeless=hopeless)

    def candidate(self, problem: Problem, state: State) -> str | None:
        """The normal form of a proposed solution that uses each number exactly once."""
        if state.kind != "candidate":
            return None
        expression = reading.solution(state.data["answer"])
        if expression is None or used(expression) != given(problem):
            return None
        return arithmetic.normal_form(expression)

    def answer(self, text: str) -> str | None:
        """The answer in a final text: what :func:`answers.stated` finds, where it finds a box or a
        sentence; else what the last line says is 24, if that has four numbers, or the one solution
        that is shown, which is meant, too, where the answer is 24 alone."""
        text = reading.respelled(text)
        found = answers.statements(text)
        led = all(one.how in ("heading", "conclusion") for one in found)
        last = reading.concluded(text) if led else None
        if last and all(_goes_with(one, last) for one in found):
            return told.grounded(last, text)
        said = reading.stated(reading.plain(answers.stated(text) or ""))
        steps = said in ("", "24") or reading.solution(said) is None
        if steps and not told.shown(text) and (chain := reading.chained(text)):
            return told.grounded(chain, text)
        if said in ("", "24"):
            return told.shown(text)
        shown = None if found else told.shown(text)
        return shown or told.grounded(said, text)

    async def verify_answer(self, problem: Problem, answer: str) -> Verdict:
        """:func:`judge_answer`, where all that is told beside the answer goes with it."""
        said, grounds = conclusions.parted(answer)
        return self.unread(answer, said.__eq__) if grounds else judge_answer(problem, said)

    def normalise(self, problem: Problem, answer: str) -> str | None:
        """A text equal for equal answers, or None where the answer is no expression."""
        expression = reading.solution(conclusions.parted(answer)[0])
        return None if expression is None else arithmetic.normal_form(expression)


def _goes_with(stated: answers.Statement, last: str) -> bool:
    """Whether a statement is what a text comes to at last, or only the first of its steps, below
    ``Here is one solution:``."""
    said = reading.stated(reading.plain(stated.text))
    return said == last or (stated.how == "heading" and bool(reading.sums(said)))


def judge_state(
    problem: Problem, state: State, earlier: Sequence[State], *, hopeless: bool = False
) -> Verdict:
    """Judge one state, given the earlier ones of the same trace, all taken as right."""
    if state.kind == "candidate":
        return judge_answer(problem, state.data["answer"])
    if state.data.get("claim") == "sum":
        return wrong("arithmetic", f"{state.data['text']} is wrong")
    if "claim" in state.data:
        return unread(state.data["text"], "game24")
    verdict, remaining = judge_step(problem, state.data, earlier, len(earlier))
    if verdict.ok is False and "lost" in state.data and not wrong_in_itself(state.data):
        reason = f"{verdict.reason} , but a step before it could not be read"
        return Verdict(None, reason, UNREAD, source="game24")
    if verdict.ok and is_rounded(state.data):
        reason = f"{state.data['result']} is rounded, and the step does not say so"
        return Verdict(None, reason, UNREAD, source="game24")
    if verdict.ok and hopeless and not reachable(remaining):
        return wrong("hopeless", f"24 cannot be reached from {text_of(remaining)}")
    return verdict


def _labelled(match: re.Match[str], offset: int, end: int, memory: Memory) -> Read:
    """One labelled line; the third of them completes a step."""
    label, numbers, operation = match.groups()
    if operation is not None:
        return memory | {"operation": operation, "start": memory.get("start", offset)}, []
    if label.lower() == "available":
        return {"available": numbers, "start": offset}, []
    operation = memory.get("operation", "")
    if not (re.search("[=≈]", operation) and re.search(r"\d", operation)):
        return {}, []
    step = reading.labelled_step(memory.get("available"), operation, numbers)
    if step is None:
        said = [memory.get("available") or "", operation, numbers]
        step = {"claim": "unread", "text": " / ".join(" ".join(part.split()) for part in said)}
    return {}, [State("step", step, memory["start"], end)]


def _proposed(problem: Problem, text: str) -> str | None:
    """The solution proposed on a line that holds no step; None if there is none.

    One that its author may not claim (a question, an attempt that is given up) is left out, unless
    it is right.
    """
    said = reading.boxed_here(text)
    for proposed, sure in [said] if said else reading.proposals(text):
        expression = None if said else reading.solution(proposed)
        fits = said or (expression is not None and used(expression) == given(problem))
        if fits and (sure or judge_answer(problem, proposed).ok):
            return proposed
    return None
