"""The path through a graph, from LangGraph's tasks."""

from __future__ import annotations

from pathlib import Path

import pytest
from langgraph.types import Overwrite

import agentflow
from agentflow.errors import Paused
from agentflow.models import ScriptedModel
from agentflow.node_path import NodePath
from agentflow.run import Result


def test_a_node_is_told_when_it_ends() -> None:
    path = NodePath()
    begun = {"id": "1", "name": "solve", "input": {"branch": 2}, "triggers": []}
    assert path.take(("sample:abc",), begun) is None
    ended = {"id": "1", "name": "solve", "error": None, "interrupts": []}
    event = path.take(("sample:abc",), {**ended, "result": {"operations": [{}, {}]}})
    assert event is not None
    assert event.pop("seconds") >= 0
    assert event == {
        **{"type": "node", "name": "solve", "inside": "sample", "operations": 2, "branch": 2},
        **{"paused": False, "error": ""},
    }


def test_the_prompt_counts_though_it_overwrites() -> None:
    path = NodePath()
    path.take((), {"id": "1", "name": "prepare", "input": {"problem": "p"}, "triggers": []})
    result = {"operations": Overwrite([{}])}
    event = path.take(
        (), {"id": "1", "name": "prepare", "error": None, "interrupts": [], "result": result}
    )
    assert event is not None
    assert (event["operations"], event["inside"]) == (1, "")
    assert "branch" not in event


def test_what_a_node_raised_is_told_as_text() -> None:
    path = NodePath()
    path.take((), {"id": "1", "name": "solve", "input": None, "triggers": []})
    ended = {"id": "1", "name": "solve", "interrupts": [], "result": {}}
    event = path.take((), {**ended, "error": ValueError("broken")})
    assert event is not None
    assert event["error"] == "broken"


async def test_events_say_which_operations_are_whose() -> None:
    model = ScriptedModel("8 / 8 = 2 (left: 2 4 7)\nand on and on")
    result = await agentflow.asolve("2 4 7 8", "interwhen", model=model)
    nodes = [event for event in result.events if event["type"] == "node"]
    assert sum(node["operations"] for node in nodes) == len(result.operations)
    assert nodes[0]["name"] == "prepare"
    assert nodes[-1]["name"] == "finish"


async def test_a_run_that_was_gone_on_with_has_the_events_since(tmp_path: Path) -> None:
    model = ScriptedModel("8 / 8 = 2 (left: 2 4 7)\nand on and on")
    events = []
    with pytest.raises(Paused):
        await agentflow.asolve(
            "2 4 7 8", "interwhen", model=model, thread="t", checkpoints=tmp_path / "c",
            review=True, on_event=events.append,
        )  # fmt: skip
    assert [event["paused"] for event in events if event.get("name") == "refine"] == [True]
    with pytest.raises(Paused):
        await agentflow.aresume(
            "t", checkpoints=tmp_path / "c", model=model, on_event=events.append
        )
    assert not isinstance(events[-1], Result)
    assert [event["paused"] for event in events if event.get("name") == "refine"] == [
        True,
        False,
        True,
    ]
