"""What a call of the API is given that is no problem, or no model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import agentflow
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


def test_a_path_is_a_model_file() -> None:
    settings, model, _ = split_arguments("direct", {}, Path("folder/model.gguf"), None)
    assert (settings.model, model) == ("folder/model.gguf", None)
