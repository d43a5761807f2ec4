"""The walk over a text's states: each is judged given the right ones before it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agentflow.domains import Domain
from agentflow.problem import Problem
from agentflow.state import State
from agentflow.verdict import Verdict
from agentflow.verifiers.walk import Walk


class Counts(Domain):
    """A line is a step; it is right if it says how many right ones stand before it."""

    name, description, example = "counts", "", ""

    def parse(self, text: str, id: str = "") -> Problem:
        return Problem(text, self.name)

    def extract(
        self, problem: Problem, line: str, offset: int, memory: dict[str, Any]
    ) -> tuple[dict[str, Any], list[State]]:
        number = memory.get("number", 0)
        kind = "candidate" if line.startswith("=") else "step"
        state = State(kind, {"text": line.strip(), "line": number}, offset, offset + len(line))
        return {"number": number + 1}, [state]

    async def verify_state(
        self, problem: Problem, state: State, earlier: Sequence[State], *, hopeless: bool = False
    ) -> Verdict:
        return Verdict(state.data["text"] == str(len(earlier)) and not hopeless)

    async def verify_answer(self, problem: Problem, answer: str) -> Verdict:
        return Verdict(None)


PROBLEM = Problem("", "counts")


async def judged(walk: Walk, text: str) -> list[tuple[int, bool | None]]:
    return [(state.start, verdict.ok) async for state, verdict in walk.judge(text)]


async def test_a_state_is_judged_given_the_right_ones_before_it() -> None:
    walk = Walk(Counts(), PROBLEM)
    assert await judged(walk, "0\nx\n1\n") == [(0, True), (2, False), (4, True)]
    assert [state.data["line"] for state in walk.right] == [0, 2]
    assert await judged(walk, "2\n") == [(6, True)]  # a stretch goes on where the last one ended


async def test_a_copy_goes_on_by_itself() -> None:
    walk = Walk(Counts(), PROBLEM)
    await judged(walk, "0\n")
    one, other = walk.copy(), walk.copy()
    assert await judged(one, "1\n2\n") == [(2, True), (4, True)]
    assert await judged(other, "1\n") == [(2, True)]
    assert (len(walk.right), walk.offset) == (1, 2)


async def test_states_that_are_not_wanted_are_passed_over() -> None:
    walk = Walk(Counts(), PROBLEM, wanted=lambda state: state.kind == "step")
    assert await judged(walk, "0\n=\n1\n") == [(0, True), (4, True)]


async def test_what_is_hopeless_is_refuted_where_that_is_wanted() -> None:
    assert await judged(Walk(Counts(), PROBLEM, hopeless=True), "0\n") == [(0, False)]
