"""What a call of the API is given that is no problem, or no model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import agentflow
from agentflow import graphs
from agentflow.arguments import split_arguments
from agentflow.errors import BadInput
from agentflow.models import ScriptedModel

NO_PROBLEMS = [None, 24, b"4 7 8 8", [4, 7, 8, 8], {"text": None}, {"text": [4, 7, 8, 8]}]


@pytest.mark.parametrize("given", NO_PROBLEMS)
async def test_what_is_no_problem_is_bad_input(given: Any) -> None:
    with pytest.raises(BadInput, match=r"is no problem; give its text, or a mapping with `text`"):
        await agentflow.asolve(given, "direct", model=ScriptedModel("a"))
    with pytest.raises(BadInput, match="is no problem"):
        await agentflow.ajudge(given, "24", "vanilla", model=ScriptedModel("a"))


@pytest.mark.parametrize("given", [None, 24, {"solution": "24"}, [None], ["a step", 5]])
async def test_what_is_no_solution_is_bad_input(given: Any) -> None:
    with pytest.raises(BadInput, match="is no solution; give it as a text, or as a list of steps"):
        await agentflow.ajudge("4 7 8 8", given, "vanilla", model=ScriptedModel("a"))


async def test_a_graph_that_is_given_no_problem_says_so() -> None:
    """As LangGraph's own ``ainvoke`` gives it."""
    with pytest.raises(BadInput, match="the problem is empty"):
        await graphs.get("direct").graph.ainvoke({})


@pytest.mark.parametrize(
    "given",
    [
        {"model": 5},
        {"model": {"solver": "embedded"}},
        {"roles": {"solver": 5}},
        {"model": ScriptedModel("a"), "roles": {"verifier": object()}},
    ],
)
async def test_what_is_no_model_is_bad_input(given: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match="is no model; give a URL, a model file or 'embedded'"):
        await agentflow.asolve("4 7 8 8", "direct", **given)


async def test_a_role_that_there_is_not_is_bad_input() -> None:
    with pytest.raises(
        BadInput, match=r"roles\.veriffier: no such role; .*did you mean verifier\?"
    ):
        await agentflow.asolve("4 7 8 8", "direct", roles={"veriffier": ScriptedModel("a")})


async def test_a_function_is_no_tool() -> None:
    with pytest.raises(BadInput, match=r"tools\['python'\]: .* is no tool of LangChain's"):
        await agentflow.asolve("4 7 8 8", "direct", tools={"python": len})  # type: ignore[dict-item]


async def test_a_problem_of_a_domain_is_one() -> None:
    problem = agentflow.Problem("What is 2+2?", "math", gold="4")
    said = await agentflow.asolve(problem, "direct", model=ScriptedModel("\\boxed{4}"))
    assert said.problem is not None
    assert (said.problem["domain"], said.problem["gold"]) == ("math", "4")


def test_a_path_is_a_model_file() -> None:
    settings, model, _ = split_arguments("direct", {}, Path("folder/model.gguf"), None)
    assert (settings.model, model) == ("folder/model.gguf", None)
