"""A domain that lives on a tool, in a graph: chosen, swapped, counted, shown."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Sequence
from typing import Any, ClassVar

import pytest
from langchain_core.tools import BaseTool, Tool, tool
from rich.console import Console

import agentflow
from agentflow import domains
from agentflow.domains import Game24
from agentflow.errors import BadInput
from agentflow.models.scripted import ScriptedModel
from agentflow.problem import Problem
from agentflow.show import Display
from agentflow.state import State
from agentflow.tools.toolbox import BACKENDS, Toolbox
from agentflow.verdict import Verdict

SOLVED = "8 / 8 = 1 (left: 1 4 7)\n7 - 1 = 6 (left: 4 6)\n4 * 6 = 24 (left: 24)\n"
SCRIPT = f"{SOLVED}</think>\nAnswer: (7 - 8 / 8) * 4 = 24"


def referee(says: str) -> BaseTool:
    @tool
    def judge(claim: str) -> str:
        """Judges."""
        if says == "fire":
            raise RuntimeError("on fire")
        return says

    return judge


class Refereed(Game24):
    """Game of 24, every claim judged by a tool."""

    name = "refereed"
    tools: ClassVar[dict[str, str]] = {"referee": "kind"}

    def __init__(self, toolbox: Toolbox | None = None) -> None:
        assert toolbox is not None
        self.toolbox = toolbox

    async def verify_state(
        self, problem: Problem, state: State, earlier: Sequence[State], *, hopeless: bool = False
    ) -> Verdict:
        return await self.verify_answer(problem, str(state.data))

    async def verify_answer(self, problem: Problem, answer: str) -> Verdict:
        use = await self.toolbox.use("referee", claim=answer)
        if use.error:
            return Verdict(None, use.content)
        return Verdict(use.content == "right", use.content, source="referee")


@pytest.fixture(autouse=True)
def domain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(domains.DOMAINS, "refereed", Refereed)
    monkeypatch.setattr(sys.modules[__name__], "kind", lambda: referee("right"), raising=False)
    monkeypatch.setattr(sys.modules[__name__], "strict", lambda: referee("wrong"), raising=False)
    makers = {"kind": f"{__name__}:kind", "strict": f"{__name__}:strict"}
    monkeypatch.setitem(BACKENDS, "referee", makers)


async def solve(**arguments: Any) -> agentflow.Result:
    prompt = {"domain": "refereed", "method": "interwhen", "max_corrections": 0}
    return await agentflow.asolve("4 7 8 8", model=ScriptedModel(SCRIPT), **prompt, **arguments)


@pytest.fixture(autouse=True)
def prompts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agentflow.prompts.for_problem", lambda *_: ("", "4 7 8 8"))


async def test_what_the_tools_cost_stands_in_the_ledger_and_what_they_said_in_the_events() -> None:
    events: list[dict[str, Any]] = []
    result = await solve(on_event=events.append)
    assert (result.status, result.reason) == ("verified", "by referee")
    uses = [event for event in events if event["type"] == "tool"]
    assert [use["role"] for use in uses] == ["referee"] * 5  # three steps, the answer line, verify
    assert {use["content"] for use in uses} == {"right"}
    entries = [entry for entry in result.ledger.values() if entry["role"] == "tool:referee"]
    assert sum(entry["calls"] for entry in entries) == 5
    assert len(entries) == 5
    told = {k for e in events if e["type"] == "usage" for k in e["entries"]}
    assert told == set(result.ledger)


async def test_settings_choose_a_backend_by_name() -> None:
    for chosen in ({"tools": {"referee": "strict"}}, {"tools": {"referee": referee("wrong")}}):
        result = await solve(**chosen)
        assert (result.status, result.answer) == ("abstained", None)


async def test_a_tool_that_fails_is_no_pass() -> None:
    result = await solve(tools={"referee": referee("fire")})
    assert (result.status, result.final["ok"]) == ("unverified", None)
    assert "on fire" in result.reason
    assert result.cost.calls == 1 + 5


@pytest.mark.parametrize("works", [True, False])
async def test_the_reason_names_a_tool_that_failed_on_the_way(works: bool) -> None:
    def look(question: str) -> str:
        if works:
            return "A bridge that was built in 1831."
        raise RuntimeError("the handbook is closed")

    handbook = Tool(name="handbook", description="One input.", func=look)
    result = await agentflow.asolve(
        "Was Otter Bridge built before 1900?", "interwhen", domain="commonsense",
        model=ScriptedModel("Fact: Otter Bridge was built in 1831.\n</think>Answer: yes"),
        tools={"search": handbook},
    )  # fmt: skip
    assert (result.status, result.answer) == ("unverified", "yes")
    assert ("handbook: RuntimeError: the handbook is closed" in result.reason) is not works


async def test_a_backend_that_is_not_there_is_named() -> None:
    with pytest.raises(BadInput, match=r"refereed: the tool 'referee' has no backend 'x'.*strict"):
        await solve(tools={"referee": "x"})


async def test_tools_are_shown() -> None:
    out = io.StringIO()
    display = Display(Console(file=out, width=200))
    result = await solve(on_event=display.show)
    display.result(result)
    assert out.getvalue().count("  tool referee: right\n") == 5
    assert re.search(r"^cost    tool:referee: calls 5; \d+\.\d s$", out.getvalue(), re.MULTILINE)
