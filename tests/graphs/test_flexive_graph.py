"""flexive as a graph: judges a given solution, and stands as a node in another graph."""

from __future__ import annotations

from typing import Any

import pytest
from langgraph.graph import END, START, StateGraph

from agentflow.errors import BadInput
from agentflow.graphs import flexive
from agentflow.graphs.flexive import FlexiVeSettings
from agentflow.models import ScriptedModel
from agentflow.nodes import MODEL_KEY
from agentflow.nodes.judging import JudgingState

SOLUTION = "1 + 1 = 2. Wait, let me verify: 1 + 1 = 3."


def config(*said: str) -> tuple[dict[str, Any], ScriptedModel]:
    replies = iter(said)
    model = ScriptedModel(lambda prompt: next(replies))
    return {"configurable": {MODEL_KEY: model}}, model


async def judge(*said: str, given: dict[str, Any] | None = None, **settings: Any) -> dict[str, Any]:
    where, _ = config(*said)
    start: Any = {"problem": "1 + 1?", **(given or {"solution": SOLUTION})}
    context = FlexiVeSettings(**settings)
    result: dict[str, Any] = await flexive.graph.ainvoke(start, where, context=context)
    return result


async def test_fast_runs_that_agree_are_enough() -> None:
    result = await judge(*[r"not 3 \boxed{1}"] * 8)
    assert result["verdict"]["first_wrong_step"] == 1
    assert result["verdict"]["reason"] == "not 3"
    assert {entry["role"] for entry in result["ledger"].values()} == {"verifier-fast"}
    assert len(result["ledger"]) == 8


async def test_slow_runs_decide_where_they_do_not() -> None:
    result = await judge(r"\boxed{-1}", r"\boxed{1}", r"hm</think>no \boxed{1}", k=2)
    assert (result["verdict"]["first_wrong_step"], result["verdict"]["reason"]) == (1, "no")
    assert len(result["ledger"]) == 3


@pytest.mark.parametrize(
    ("runs", "said"), [("fast", r"\boxed{-1}"), ("slow", r"so</think>\boxed{-1}")]
)
async def test_one_stage_alone(runs: str, said: str) -> None:
    result = await judge(said, said, runs=runs, k=2)
    assert result["verdict"]["ok"] is True
    assert {entry["role"] for entry in result["ledger"].values()} == {f"verifier-{runs}"}


async def test_steps_are_taken_as_they_are() -> None:
    steps = ["1 + 1 = 2. Wait, so", "3"]
    where, model = config(r"\boxed{-1}")
    start: Any = {"problem": {"text": "1 + 1?", "domain": "any", "id": "7"}, "steps": steps}
    await flexive.graph.ainvoke(start, where, context=FlexiVeSettings(k=1))
    assert "<step_0>\n1 + 1 = 2. Wait, so\n</step_0>\n<step_1>\n3\n</step_1>" in model.text(
        tuple(int(i) for i in model.requests[0].prompt)
    )


@pytest.mark.parametrize("given", [{}, {"solution": ""}, {"steps": []}, {"solution": " \n"}])
async def test_nothing_to_judge(given: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match="no solution to judge"):
        await judge(given={"problem": "1 + 1?", **given})


async def test_it_is_a_node_of_another_graph() -> None:
    def write(state: JudgingState) -> dict[str, Any]:
        return {"solution": "1 + 1 = 2"}

    def report(state: JudgingState) -> dict[str, Any]:
        return {"abstained": "" if state["verdict"]["ok"] else "rejected"}

    graph = StateGraph(JudgingState, FlexiVeSettings)
    graph.add_node("write", write)
    graph.add_node("judge", flexive.graph)
    graph.add_node("report", report)
    graph.add_edge(START, "write")
    graph.add_edge("write", "judge")
    graph.add_edge("judge", "report")
    graph.add_edge("report", END)
    where, _ = config(*[r"off \boxed{0}"] * 8)
    start: Any = {"problem": "1 + 1?"}
    result = await graph.compile().ainvoke(start, where, context=FlexiVeSettings())
    assert result["abstained"] == "rejected"
    assert len(result["ledger"]) == 8
