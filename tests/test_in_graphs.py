"""agentflow called in a node of somebody else's graph."""

from __future__ import annotations

import asyncio
import pickle
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, TypedDict

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import START, StateGraph
from langgraph.types import Command

import agentflow
from agentflow.graphs import interwhen, module
from agentflow.ledger import total
from agentflow.models import ScriptedModel
from agentflow.models.budget import SHARED_KEY, Budget, Shared
from agentflow.nodes import MODEL_KEY

SOLVED = "8 / 8 = 1 (left: 1 4 7)\n</think>\nAnswer: (7 - 8 / 8) * 4 = 24"


class Asked(TypedDict, total=False):
    problem: str
    status: str
    inside: list[str]
    result: dict[str, Any]


def said(result: agentflow.Result) -> dict[str, Any]:
    return {
        "status": result.status,
        "inside": [event["inside"] for event in result.events if event["type"] == "node"],
    }


async def waiting(state: Asked) -> dict[str, Any]:
    return said(await agentflow.asolve(state["problem"], "direct", model=ScriptedModel(SOLVED)))


def plain(state: Asked) -> dict[str, Any]:
    return said(agentflow.solve(state["problem"], "direct", model=ScriptedModel(SOLVED)))


def graph(node: Any) -> StateGraph[Any, Any, Any, Any]:
    outer = StateGraph(Asked)
    outer.add_node("solve", node)
    outer.add_edge(START, "solve")
    return outer


@pytest.mark.parametrize("node", [waiting, plain])
@pytest.mark.parametrize("saved", [False, True])
async def test_a_node_that_solves_has_the_result(node: Any, saved: bool) -> None:
    """Its result, and the places of its nodes, are those of a run outside of all graphs."""
    runs = graph(node).compile(checkpointer=InMemorySaver() if saved else None)
    thread: Any = {"configurable": {"thread_id": "1"}}
    out = await runs.ainvoke({"problem": "4 7 8 8"}, thread)
    alone = await asyncio.to_thread(plain, Asked(problem="4 7 8 8"))
    assert out["status"] == "verified"
    assert out["inside"] == alone["inside"]


def invoked(state: Asked) -> dict[str, Any]:
    config: Any = {"configurable": {MODEL_KEY: ScriptedModel(SOLVED)}}
    out = module("direct").graph.invoke({"problem": state["problem"]}, config)
    return {"status": out["result"]["status"]}


def streamed(state: Asked) -> dict[str, Any]:
    config: Any = {"configurable": {MODEL_KEY: ScriptedModel(SOLVED)}}
    given, mode = {"problem": state["problem"]}, "values"
    *_, last = module("direct").graph.stream(given, config, stream_mode=mode)
    return {"status": last["result"]["status"]}


@pytest.mark.parametrize("node", [plain, invoked, streamed])
@pytest.mark.parametrize(("has_loop", "awaited"), [(False, False), (True, False), (True, True)])
async def test_a_node_without_a_loop_is_saved_by_any_saver(
    node: Any, has_loop: bool, awaited: bool, tmp_path: Path
) -> None:
    """The saver of the graph around has another event loop, or none."""
    thread: Any = {"configurable": {"thread_id": "1"}}
    at, given = str(tmp_path / "x.sqlite"), {"problem": "4 7 8 8"}
    async with AsyncExitStack() as stack:
        saver: Any
        if has_loop:
            saver = await stack.enter_async_context(AsyncSqliteSaver.from_conn_string(at))
        else:
            saver = stack.enter_context(SqliteSaver.from_conn_string(at))
        runs = graph(node).compile(checkpointer=saver)
        if awaited:
            out = await runs.ainvoke(given, thread)
        else:
            out = await asyncio.to_thread(runs.invoke, given, thread)
    assert out["status"] == "verified"


@pytest.mark.parametrize("inside", [False, True])
def test_a_method_pauses_and_goes_on_where_the_saver_has_no_loop(
    inside: bool, tmp_path: Path
) -> None:
    """As the graph itself, and as a node."""
    model = ScriptedModel({r"<think>\n": "8 / 8 = 2 (left: 2 4 7)\n", r"\n": SOLVED})
    config: Any = {"configurable": {"thread_id": "1", MODEL_KEY: model}}
    build = graph(interwhen.graph) if inside else interwhen.build()
    with SqliteSaver.from_conn_string(str(tmp_path / "x.sqlite")) as saver:
        runs = build.compile(checkpointer=saver)
        out = runs.invoke({"problem": "4 7 8 8"}, config, context={"review": True})
        assert out["__interrupt__"][0].value["kind"] == "feedback"
        values = runs.invoke(Command(resume=True), config)
    assert values["result"]["status"] == "verified"


async def test_two_graphs_deep() -> None:
    outer = graph(graph(waiting).compile())
    out = await outer.compile().ainvoke({"problem": "4 7 8 8"})
    assert out["status"] == "verified"


async def generated(runs: Any, **context: Any) -> int:
    """Tokens that a run generated, by its ledger."""
    stream = runs.astream(
        {"problem": "4 7 8 8"},
        {"configurable": {MODEL_KEY: ScriptedModel(SOLVED)}},
        context=context,
        stream_mode="values",
        output_keys=["ledger"],
    )
    entries = [values["ledger"] async for values in stream if "ledger" in values]
    return total(entries[-1]).generated


def test_a_shared_budget_can_be_written_down() -> None:
    """LangGraph's server writes what a run was configured with into its checkpoints."""
    shared = Shared()
    shared.of(Budget)
    assert pickle.loads(pickle.dumps(shared)).budget is None
    assert SHARED_KEY.startswith("__")


@pytest.mark.parametrize(
    "name", ["sampling", "adaptive_compute", "generate_test", "verified_sampling"]
)
@pytest.mark.parametrize("anew", [False, True])
async def test_samples_side_by_side_share_a_budget(name: str, anew: bool) -> None:
    """Without our API, too, whoever compiles the graph."""
    runs = module(name).build().compile() if anew else module(name).graph
    most = await generated(runs) // 2
    assert 0 < await generated(runs, max_tokens=most) <= most
