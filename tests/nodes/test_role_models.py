"""Which model a role has."""

from __future__ import annotations

from typing import Any

import pytest

from agentflow.nodes.context import _served, follows_solver
from agentflow.settings import Server, Settings

OTHER = "http://gpu1:8000/v1"
JUDGE = "embedded:judge"


@pytest.mark.parametrize(
    ("given", "verifier"),
    [
        ({}, JUDGE),
        ({"model": "embedded"}, JUDGE),
        ({"model": "embedded?threads=2"}, f"{JUDGE}?threads=2"),
        ({"model": OTHER}, OTHER),
        ({"roles": {"solver": OTHER}}, OTHER),
        ({"roles": {"solver": "embedded"}}, JUDGE),
        ({"roles": {"solver": OTHER, "verifier": JUDGE}}, JUDGE),
        ({"roles": {"prm": JUDGE, "solver": OTHER}}, OTHER),
        ({"model": "embedded", "roles": {"solver": OTHER}}, JUDGE),
        ({"model": "http://gpu2:8000/v1", "roles": {"solver": OTHER}}, "http://gpu2:8000/v1"),
    ],
)
def test_a_role_has_its_own_model_else_the_one_named_else_the_solvers(
    given: dict[str, Any], verifier: str
) -> None:
    """The bundled judge played the critic of whatever model solved, where only that was named."""
    served = _served(Settings(**given), "verifier", "verifier")
    assert served in (verifier, (Server(at=verifier),))


def test_who_named_a_model_does_not_follow() -> None:
    assert follows_solver(Settings(), "verifier")
    assert not follows_solver(Settings(model="embedded"), "verifier")
