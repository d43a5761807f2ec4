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
from agentflow.nodes import MODEL_KEY, TOOLS_KEY

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


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"method": None}, r"None is no method; give its name as a text \(`agentflow methods`"),
        ({"method": graphs}, "is no method; give its name as a text"),
        ({"method": graphs.get("direct").graph}, "is no method; give its name as a text"),
        ({"thread": 5}, "5 cannot be the name of a thread; use one or more printable"),
        ({"thread": "t", "checkpoints": 4}, "checkpoints: 4 is no path and no URL of a database"),
        ({"roles": ["x"]}, r"roles: \['x'\] is no mapping; write {ROLE: MODEL}"),
        (
            {"roles": {"verifier": None}},
            r"None \(for the role 'verifier'\) is no model; give a URL",
        ),
        ({"roles": {"verifier": ""}}, "roles.verifier.0: no model is named; name one, or leave"),
        ({"model": ""}, "no model is named; name one, or leave"),
        ({"model": {"solvr": ScriptedModel("a")}}, "'solvr': no such role; .*mean solver"),
        ({"tools": "search"}, r"tools: 'search' is no mapping; write {ROLE: TOOL}"),
        ({"callbacks": 5}, "callbacks: 5 is no list of LangChain's callback handlers"),
        ({"callbacks": ["x"]}, "is no list of LangChain's callback handlers"),
    ],
)
async def test_an_argument_of_another_type_is_bad_input(given: dict[str, Any], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        await agentflow.asolve("4 7 8 8", **{"method": "direct", **given})


@pytest.mark.parametrize(
    "problem", ["2 + 2 \ud83e", {"text": "2 + 2", "id": "\ud83e"}, {"text": "2", "gold": "\udce9"}]
)
async def test_half_a_character_is_bad_input(problem: Any) -> None:
    """UTF-8 has none: no server can be told it."""
    with pytest.raises(BadInput, match=r"half a character, .*; read its file as UTF-8"):
        await agentflow.asolve(problem, "direct", model=ScriptedModel("4"), domain="math")


async def test_a_verifier_is_named_by_a_text() -> None:
    with pytest.raises(BadInput, match="is no verifier; give its name as a text"):
        await agentflow.ajudge("4 7 8 8", "24", graphs)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("key", "given", "said"),
    [
        (MODEL_KEY, {"solvr": ScriptedModel("a")}, "'solvr': no such role; .*mean solver"),
        (MODEL_KEY, "embedded", "'embedded' is no model; give a URL"),
        (MODEL_KEY, {"solver": None}, r"None \(for the role 'solver'\) is no model"),
        (TOOLS_KEY, "search", "tools: 'search' is no mapping"),
        (TOOLS_KEY, {"python": len}, r"tools\['python'\]: .* is no tool of LangChain's"),
    ],
)
async def test_objects_in_the_config_of_a_graph_are_seen_too(
    key: str, given: Any, said: str
) -> None:
    config: Any = {"configurable": {MODEL_KEY: ScriptedModel("a"), key: given}}
    with pytest.raises(BadInput, match=said):
        await graphs.get("direct").graph.ainvoke({"problem": "4 7 8 8"}, config)


@pytest.mark.parametrize(
    ("context", "said"),
    [
        ({"max_token": 5}, "max_token: no such setting; .*did you mean max_tokens"),
        ({"require": "prof"}, "require: no such value; .*did you mean proof"),
        ({"seed": -1}, "seed: Input should be greater than or equal to 0"),
    ],
)
async def test_a_wrong_context_of_a_graph_is_told_as_settings_are(
    context: dict[str, Any], said: str
) -> None:
    config: Any = {"configurable": {MODEL_KEY: ScriptedModel("a")}}
    with pytest.raises(BadInput, match=f"the context, as settings of direct: {said}"):
        await graphs.get("direct").graph.ainvoke({"problem": "4 7 8 8"}, config, context=context)
