"""What may be claimed for an answer that passed a check which wrong answers may pass, too."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import agentflow
from agentflow.domains.protocol import ACCEPTED
from agentflow.models import ScriptedModel
from agentflow.nodes.last_word import Outcome, granted
from agentflow.verdict import Verdict

PASSED = Verdict(None, "2 tests", ACCEPTED, source="python")
STUB = 'def add(a, b):\n    """The sum.\n\n    >>> add(1, 2)\n    3\n    """\n'


@pytest.mark.parametrize(
    ("status", "final", "came"),
    [
        ("unverified", PASSED, "accepted"),
        ("unverified", replace(PASSED, kind=""), "unverified"),
        ("unverified", replace(PASSED, ok=False), "abstained"),
        ("verified", PASSED, "verified"),
        ("accepted", PASSED, "accepted"),
    ],
)
def test_what_passed_is_accepted(status: Any, final: Verdict, came: str) -> None:
    given = granted(Outcome("x", status, "so it was"), final, "no_objection")
    assert given.status == came
    if came == "accepted" and status == "unverified":
        assert given.reason == "by python: 2 tests"


def test_it_is_no_proof() -> None:
    given = granted(Outcome("x", "unverified"), PASSED, "proof")
    assert (given.status, given.answer, given.candidate) == ("abstained", None, "x")


@pytest.mark.parametrize(("sign", "status"), [("+", "accepted"), ("-", "abstained")])
def test_a_domain_that_does_not_decide_checks_every_answer(sign: str, status: str) -> None:
    code = f"def add(a, b):\n    return a {sign} b"
    model = ScriptedModel({r"<think>\n": f"Hm.\n</think>\n```python\n{code}\n```\n"})
    result = agentflow.solve(STUB, "direct", model=model, domain="python")
    assert result.status == status
    assert (code in str(result.answer)) is (sign == "+")
