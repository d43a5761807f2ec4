"""What every verifier of given solutions begins with."""

from __future__ import annotations

from typing import Any

import pytest
from langgraph.graph import END, START, StateGraph

from agentflow.errors import BadInput
from agentflow.graphs import VERIFIERS, verifier
from agentflow.models import ScriptedModel
from agentflow.nodes import MODEL_KEY
from agentflow.nodes.context import settings_in
from agentflow.nodes.judging import Given, JudgingState, read
from agentflow.settings import Settings


async def taken(given: dict[str, Any], *, parse: bool = True, **settings: Any) -> dict[str, Any]:
    """The channels behind the first node."""
    graph = StateGraph(JudgingState, Settings, input_schema=Given)
    graph.add_node("read", read(Settings, parse=parse))
    graph.add_edge(START, "read")
    graph.add_edge("read", END)
    config: Any = {"configurable": {MODEL_KEY: ScriptedModel("")}}
    start: Any = given
    out: dict[str, Any] = await graph.compile().ainvoke(start, config, context=Settings(**settings))
    return out


async def test_the_domain_parses_the_problem() -> None:
    problem = (await taken({"problem": "8 4, 7 8", "solution": "so"}))["problem"]
    assert problem["text"] == problem["id"] == "4 7 8 8"
    assert problem["data"] == {"numbers": [4, 7, 8, 8]}


async def test_a_mapping_may_bring_an_id_and_what_is_parsed_stays() -> None:
    named = {"text": "4 7 8 8", "id": "7", "gold": "24"}
    problem = (await taken({"problem": named, "solution": "so"}))["problem"]
    assert (problem["id"], problem["gold"], problem["data"]["numbers"][0]) == ("7", "24", 4)
    again = await taken({"problem": {**problem, "text": "as it was"}, "solution": "so"})
    assert again["problem"]["text"] == "as it was"


@pytest.mark.parametrize("problem", ["1 + 1?", {"text": "1 + 1?"}])
async def test_without_a_domain_any_text_is_a_problem(problem: Any) -> None:
    out = await taken({"problem": problem, "solution": "2"}, parse=False)
    assert (out["problem"]["text"], out["problem"]["domain"]) == ("1 + 1?", "game24")
    with pytest.raises(BadInput, match="is not a positive integer"):
        await taken({"problem": problem, "solution": "2"})


async def test_a_text_is_cut_at_hesitations_and_steps_are_as_they_are() -> None:
    said = "a = 1. Wait, let me verify: a = 2."
    text = await taken({"problem": "4 7 8 8", "solution": said})
    assert text["steps"] == ["a = 1. ", "Wait, let me verify: a = 2."]
    steps = await taken({"problem": "4 7 8 8", "steps": [said], "solution": "x"})
    assert steps["steps"] == [said]


async def test_settings_that_are_no_defaults_stand_in_the_state() -> None:
    out = await taken({"problem": "4 7 8 8", "solution": "x"}, seed=3)
    assert out["settings"] == {"seed": 3}
    state: Any = {"settings": {"seed": 3, "of a graph around it": True}}
    assert settings_in(state, Settings) == Settings(seed=3)


@pytest.mark.parametrize("name", VERIFIERS)
async def test_no_verifier_judges_nothing(name: str) -> None:
    config: Any = {"configurable": {MODEL_KEY: ScriptedModel("")}}
    for given in ({}, {"solution": " \n"}, {"steps": []}, {"steps": ["", "\n"]}):
        with pytest.raises(BadInput, match="there is no solution to judge"):
            await verifier(name).graph.ainvoke({"problem": "4 7 8 8", **given}, config)


@pytest.mark.parametrize("name", VERIFIERS)
def test_each_names_itself_and_comes_without_a_checkpointer(name: str) -> None:
    graph = verifier(name).graph
    assert (graph.name, graph.checkpointer) == (name, None)
    assert set(graph.get_input_jsonschema()["properties"]) == {"problem", "solution", "steps"}
    assert {"verdict", "ledger"} <= set(graph.get_output_jsonschema()["properties"])
    for setting in graph.get_context_jsonschema()["properties"].values():
        assert setting["description"]


def test_an_unknown_verifier_is_named() -> None:
    with pytest.raises(BadInput, match="unknown verifier 'x'; known: "):
        verifier("x")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"solution": 5}, "solution: 5 is no text"),
        ({"steps": "4 * 6 = 24"}, "steps: '4 . 6 = 24' is no list of texts; give one text as sol"),
        ({"steps": ["a", 5]}, "steps: 5 is no text; give a list of texts"),
        ({"steps": ["a"], "problem": 5}, "5 is no problem"),
        ({"steps": ["a"], "problem": {"data": {"numbers": [1]}, "text": 1}}, "is no problem"),
    ],
)
@pytest.mark.parametrize("parse", [False, True])
async def test_what_is_no_solution_is_named(given: dict[str, Any], said: str, parse: bool) -> None:
    with pytest.raises(BadInput, match=said):
        await taken({"problem": "4 7 8 8"} | given, parse=parse)


async def test_a_problem_with_more_than_a_problem_has_is_taken_as_by_a_method() -> None:
    problem = {"text": "1 + 1?", "source": "a book"}
    out = await taken({"problem": problem, "solution": "2"}, parse=False)
    assert out["problem"]["text"] == "1 + 1?"
