"""Graphs from the frames: what a sample without an answer comes to, and which sample is chosen."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from langgraph.types import Command

from agentflow import errors, graphs
from agentflow.configurable import MODEL_KEY
from agentflow.ledger import total
from agentflow.models import ScriptedModel
from agentflow.models.structured import ask
from agentflow.nodes import (
    Run,
    Update,
    choose,
    domain_verify,
    node,
    one_sample,
    read_solution,
    result_of,
    sampled,
    side_by_side,
    single,
    solver,
    stream_ends,
    uncriticised_sample,
)
from agentflow.run import Result
from agentflow.settings import Settings


def solved(*replies: str) -> Result:
    """What as many samples as replies come to, each judged, with no edge around the judge."""
    sample = one_sample(Settings)
    sample.add_node("solve", solver())
    sample.add_node("read", read_solution)
    sample.add_node("judge", domain_verify)
    for start, end in ("solve", "read"), ("read", "judge"), ("judge", "settle"):
        sample.add_edge(start, end)
    built = sampled(Settings, sample, choose, lambda run: side_by_side(len(replies)))
    left: Iterator[str] = iter(replies)
    model = ScriptedModel(lambda prompt: next(left))
    found: Mapping[str, Any] = asyncio.run(
        built.compile().ainvoke(
            {"problem": "4 7 8 8"}, {"configurable": {MODEL_KEY: model}}, context={}
        )
    )
    return Result(**found["result"], final=found.get("final", {}))


RIGHT, OTHER = r"\boxed{(7 - 8 / 8) * 4}", r"\boxed{4 * (7 - 8 / 8)}"


def said(answer: str) -> str:
    return f"Hm.\n</think>\n{answer}"


def test_a_sample_without_an_answer_goes_through_the_judge() -> None:
    result = solved(said("I do not know"))
    assert (result.status, result.answer) == ("exhausted", None)
    assert "no answer" in result.reason


@pytest.mark.parametrize("replies", [(RIGHT, "none", OTHER), ("none", RIGHT, "none")])
def test_the_first_that_passed_is_chosen(replies: tuple[str, ...]) -> None:
    result = solved(*map(said, replies))
    assert (result.status, result.answer) == ("verified", "(7 - 8 / 8) * 4")
    assert result.reason.endswith(f"sample {replies.index(RIGHT) + 1}")


def test_what_a_node_asked_is_paid_for_where_it_does_not_say_so() -> None:
    @node(Settings)
    async def question(run: Run[Settings]) -> Update:
        model = await run.ask("verifier", "question", "which")
        reply = await ask(model, ("", "Which is best?"), str.strip, "")
        return await result_of(run, run.samples[0], None, reply.value)

    built = sampled(Settings, uncriticised_sample(Settings), question, lambda run: side_by_side(1))
    found: Mapping[str, Any] = asyncio.run(
        built.compile().ainvoke(
            {"problem": "4 7 8 8"},
            {"configurable": {MODEL_KEY: ScriptedModel("the first")}},
            context={},
            output_keys=["result", "ledger"],
        )
    )
    assert found["result"]["reason"] == "the first"
    asked = [one for one in found["ledger"].values() if one["role"] == "question"]
    assert [(one["calls"], one["generated"] > 0) for one in asked] == [(1, True)]


@pytest.mark.parametrize(
    "returned",
    [None, Command(update={"corrections": 1}), Command(), {"ledger": None}],
    ids=["nothing", "a command", "a command without an update", "no ledger"],
)
def test_a_node_is_paid_for_whatever_it_returns(returned: Any) -> None:
    @node(Settings)
    async def draft(run: Run[Settings]) -> Any:
        model = await run.ask("verifier", "draft", "first")
        await ask(model, ("", "What is it about?"), str.strip, "")
        return returned

    built = single(Settings, first="draft")
    built.add_node("draft", draft)
    built.add_node("solve", solver())
    built.add_edge("draft", "solve")
    stream_ends(built, lambda run: "finish", ["finish"])
    model = ScriptedModel(said(RIGHT))
    config: Any = {"configurable": {MODEL_KEY: model}}
    keys = ["ledger"]
    found = asyncio.run(
        built.compile().ainvoke({"problem": "4 7 8 8"}, config, context={}, output_keys=keys)
    )
    assert total(found["ledger"]).generated == model.streamed
    assert {one["role"] for one in found["ledger"].values()} == {"draft", "solver"}


def test_an_unknown_method_names_the_group_of_entry_points() -> None:
    with pytest.raises(errors.BadInput, match=r"unknown method 'three'.*agentflow\.methods"):
        graphs.get("three")
