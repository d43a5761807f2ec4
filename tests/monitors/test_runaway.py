"""No monitor, however it is written, has the run ask the model again and again for nothing."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.errors import GraphRecursionError

from agentflow.configurable import MODEL_KEY
from agentflow.domains import get
from agentflow.models import ScriptedModel
from agentflow.monitors import Context, Increment, Intervention, Memory, Monitor
from agentflow.nodes import Task, steered
from agentflow.run import Result
from agentflow.settings import Settings
from agentflow.state import State
from agentflow.verdict import Verdict

ROOM = 10
"""Tokens that the solver may generate."""


@dataclass
class Reckless:
    """Objects wherever ``where`` says, whether the text is the model's or not."""

    where: tuple[str, ...]
    kind: Literal["close", "feedback"]
    back: int = 0
    reads: Literal["line", "token"] = "line"
    name: str = "reckless"

    def start(self) -> Memory:
        return {}

    def feed(self, memory: Memory, increment: Increment) -> tuple[Memory, list[State]]:
        if (increment.boundary or "text") not in self.where:
            return memory, []
        # A state need not end here; the framework then says where it is taken to end.
        end = max(0, increment.offset + len(increment.text) - self.back)
        return memory, [State("any", {}, 0, end)]

    async def verify(self, state: State, context: Context) -> Verdict:
        return Verdict(False, "no", source=self.name)

    def intervene(self, state: State, verdict: Verdict, *, answering: bool) -> Intervention:
        return Intervention(self.kind, state.end, "No.\n", verdict.reason, self.name)


def run(monitors: list[Monitor], script: Any, corrections: int) -> tuple[Result, ScriptedModel]:
    async def watching(task: Task) -> list[Monitor]:
        return monitors

    graph = steered(Settings, watching, corrections).compile()
    model = ScriptedModel(script)
    found = asyncio.run(
        graph.ainvoke(
            {"problem": "4 7 8 8"},
            {"configurable": {MODEL_KEY: model}, "recursion_limit": 400},
            context={"max_tokens": ROOM},
        )
    )
    return Result(**found["result"], operations=found.get("operations", [])), model


PLACES = ("text", "feedback", "close", "end")
MONITORS = st.builds(
    Reckless,
    st.lists(st.sampled_from(PLACES), min_size=1, unique=True).map(tuple),
    st.sampled_from(["close", "feedback"]),
    st.integers(0, 12),
    st.sampled_from(["line", "token"]),
)
REPLIES = st.sampled_from(
    ["", "Hm.", "Hm.\nSo.\n", "One 1\n</think>\nAnswer: 2", "</think>", "</think>\n3\n</think>\n"]
)


@given(st.lists(MONITORS, min_size=1, max_size=2), REPLIES)
def test_a_monitor_cannot_run_away(monitors: list[Reckless], reply: str) -> None:
    for number, monitor in enumerate(monitors):
        monitor.name = f"reckless {number}"
    try:
        _, model = run(list(monitors), reply, corrections=10_000)
    except GraphRecursionError:
        pytest.fail("the run never ends")
    # Each request but a few brought a token, or spoke of a line that no monitor had read.
    assert len(model.requests) <= 2 * ROOM + 4


@pytest.mark.parametrize("where", PLACES)
def test_a_closed_thinking_is_not_closed_again(where: str) -> None:
    monitor = Reckless((where, "text"), "close")
    _, model = run([monitor], "One\ntwo\nthree\n", corrections=5)
    assert len(model.requests) <= 3
    last = model.text(model.requests[-1].prompt)
    assert last.count("</think>") == 1


def test_corrections_come_to_an_end() -> None:
    result, model = run([Reckless(("text",), "feedback")], "Hm\n", corrections=3)
    assert (result.status, len(model.requests)) == ("abstained", 4)
    assert result.reason == "too many corrections; the last: no"


def test_the_domain_judges_what_comes_of_it() -> None:
    assert get("game24").complete
    script = {r"<think>\n": "One\ntwo", r"</think>\n+": r"\boxed{8 * 7 - 4 * 8}"}
    result, _ = run([Reckless(("text",), "close")], script, corrections=3)
    assert (result.status, result.answer) == ("verified", "8 * 7 - 4 * 8")
