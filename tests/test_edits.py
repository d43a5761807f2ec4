"""States that a person edits: what does not fit is named in one sentence, before it is written."""

from __future__ import annotations

from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.errors import InvalidUpdateError
from langgraph.types import Overwrite

from agentflow.edits import BadEdit
from agentflow.errors import AgentflowError, BadInput
from agentflow.graphs import METHODS, VERIFIERS, interwhen, module, verifier
from agentflow.models import ScriptedModel
from agentflow.nodes import MODEL_KEY

SOLVED = "8 / 8 = 1 (left: 1 4 7)\n</think>\nAnswer: (7 - 8 / 8) * 4 = 24"
GIVEN = {"problem": "4 7 8 8", "steps": [SOLVED]}


def saved(graph: Any) -> tuple[Any, dict[str, Any]]:
    """A graph that keeps its checkpoints, and a thread of it."""
    config = {"thread_id": "one", MODEL_KEY: ScriptedModel(lambda prompt: SOLVED)}
    return graph.copy({"checkpointer": InMemorySaver()}), {"configurable": config}


async def ended(graph: Any = interwhen.graph) -> tuple[Any, dict[str, Any]]:
    """The same, behind a run."""
    graph, thread = saved(graph)
    await graph.ainvoke(GIVEN, thread, context={"max_tokens": 300})
    return graph, thread


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"operatons": []}, r"'operatons': no such channel; known: .*did you mean operations\?"),
        ({"corrections": "3"}, "corrections: '3' does not fit; Input should be a valid integer"),
        ({"samples": "abc"}, "samples: 'abc' does not fit; Input should be a valid list"),
        ({"samples": Overwrite([{}])}, "samples: .* is not what a run writes there .KeyError"),
        ({"judged": [{"state": 1}]}, "judged: .* is not what a run writes there"),
        ({"stream_end": {"ends": "stop"}}, "stream_end: .*unexpected keyword argument 'ends'"),
        ({"verdict": {"maybe": True}}, "verdict: .*unexpected keyword argument 'maybe'"),
        ({"final": {}}, "the state cannot be edited so: verify judges an answer"),
    ],
)
async def test_what_does_not_fit_is_named(values: dict[str, Any], said: str) -> None:
    graph, thread = await ended()
    with pytest.raises(BadEdit, match=said) as raised:
        await graph.aupdate_state(thread, values, as_node="verify")
    assert isinstance(raised.value, BadInput)
    assert isinstance(raised.value, InvalidUpdateError)  # a LangGraph server passes these on
    with pytest.raises(BadEdit, match=said):
        graph.update_state(thread, values, as_node="verify")


async def test_what_a_run_wrote_fits() -> None:
    graph, thread = await ended()
    values = (await graph.aget_state(thread)).values
    whole = {key: Overwrite(one) for key, one in values.items() if key in ("judged", "samples")}
    again = await graph.aupdate_state(thread, {**values, **whole}, as_node="refine")
    assert (await graph.aget_state(again)).next == ("solve",)


@pytest.mark.parametrize("name", sorted({*METHODS, *VERIFIERS} - {"cot_decoding", "prm"}))
async def test_an_edit_at_any_node_goes_on_or_says_why_not(name: str) -> None:
    """Behind a run, and before one: where nothing was read yet, that is said."""
    graph, thread = await ended((verifier(name) if name in VERIFIERS else module(name)).graph)
    history = [one.config async for one in graph.aget_state_history(thread)]
    for before in (history[0], history[-2]):
        for node in [one for one in graph.nodes if one != "__start__"]:
            before["configurable"] |= {MODEL_KEY: thread["configurable"][MODEL_KEY]}
            try:
                edited = await graph.aupdate_state(before, None, as_node=node)
                edited["configurable"] |= {MODEL_KEY: thread["configurable"][MODEL_KEY]}
                await graph.ainvoke(None, edited)
            except AgentflowError as error:
                said = str(error)
                assert said.strip() == said != ""


async def test_nothing_was_read_and_nothing_drawn() -> None:
    graph, thread = await ended(module("sampling").graph)
    history = [one.config async for one in graph.aget_state_history(thread)]
    edited = await graph.aupdate_state(history[-2], None, as_node="sample")
    with pytest.raises(BadInput, match="there is no sample to choose from; go on"):
        await graph.ainvoke(None, edited)
    with pytest.raises(BadEdit, match=r"no sample can begin, for there are 4 already; go on from"):
        await graph.aupdate_state(history[0], None, as_node="prepare")
    graph, thread = await ended(module("cumulative_reasoning").graph)
    first = [one.config async for one in graph.aget_state_history(thread)][-1]
    edited = await graph.aupdate_state(first, None, as_node="gather")
    with pytest.raises(BadInput, match="the problem is not read yet, for the graph's first node"):
        await graph.ainvoke(None, edited)
