"""A method that is not for a problem says so, before a model is asked."""

from __future__ import annotations

from typing import Any

import pytest

import agentflow
from agentflow import domains
from agentflow.errors import BadInput
from agentflow.models import ScriptedModel

STUB = "def double(x: int) -> int:\n    pass\n"


@pytest.mark.parametrize(
    ("method", "domain", "settings", "said"),
    [
        ("tournament", "math", {"inputs": 1}, "inputs needs a problem whose answer is a program"),
        ("sampling", "math", {"choose": "tests"}, "choose=tests needs a problem whose answer"),
        ("cumulative_reasoning", "open", {"judges": ["domain"]}, "and open judges none: no stat"),
        ("cumulative_reasoning", "calls", {"judges": ["domain"]}, "add model to judges"),
        (
            "speculative_reasoning",
            "open",
            {"critic": "steps", "scorer": "rules"},
            "and open judges none: no draft",
        ),
        ("program_aided", "python", {}, "is one block of Python that defines the function; use"),
        ("program_aided", "verina", {"language": "z3"}, "takes the value of a program for"),
        ("program_aided", "calls", {}, "this problem of calls is calls in a list"),
        ("tool_integrated", "python", {}, "python in may_call runs every block of Python"),
    ],
)
def test_a_method_that_is_not_for_a_problem(
    method: str, domain: str, settings: dict[str, Any], said: str
) -> None:
    problem = STUB if domain == "python" else domains.kind(domain).example
    model = ScriptedModel("x")
    with pytest.raises(BadInput, match=said):
        agentflow.solve(
            problem, method, domain=domain, model={"solver": model, "proxy": model}, **settings
        )
    assert model.requests == []


@pytest.mark.parametrize(
    ("method", "domain", "settings"),
    [
        ("cumulative_reasoning", "open", {}),
        ("cumulative_reasoning", "game24", {"judges": ["domain"]}),
        ("speculative_reasoning", "open", {"critic": "utility", "scorer": "rules"}),
        ("speculative_reasoning", "logic", {"critic": "steps", "scorer": "rules"}),
        ("program_aided", "logic", {}),
        ("tool_integrated", "python", {"may_call": ["search"]}),
    ],
)
def test_a_method_that_is(method: str, domain: str, settings: dict[str, Any]) -> None:
    problem = STUB if domain == "python" else domains.kind(domain).example
    model = ScriptedModel("</think>x")
    result = agentflow.solve(
        problem,
        method,
        domain=domain,
        model={"solver": model, "proxy": model},
        max_tokens=20,
        **settings,
    )
    assert model.requests
    assert result.status in ("exhausted", "abstained", "unverified")
