"""interwhen on the logic domain, with the real Z3."""

from __future__ import annotations

from typing import Any

import pytest

import agentflow
from agentflow import Result
from agentflow.models import ScriptedModel

PROBLEM = """Premises:
1. Dana is kind.
2. If someone is kind and not shy, then they are happy.
3. No kind people are shy.
Conclusion: Dana is happy."""
STEPS = "From 1, 3: Dana is not shy.\nFrom 1, 2: Dana is happy.\n"
BEGIN, NOTED = r"<think>\n", r"Wait, .*\n"


async def solve(model: ScriptedModel, problem: str = PROBLEM, **settings: Any) -> Result:
    return await agentflow.asolve(problem, "interwhen", model=model, domain="logic", **settings)


async def test_a_right_path_is_verified() -> None:
    result = await solve(ScriptedModel(f"{STEPS}</think>\nAnswer: True"))
    assert (result.status, result.answer, result.reason) == ("verified", "True", "by logic")
    assert [one["verdict"]["ok"] for one in result.judged] == [True] * 3


@pytest.mark.parametrize(
    ("wrong", "kind", "note"),
    [
        (
            "From 1: Dana is shy.\n",
            "contradicted",
            "the premises say the opposite of: Dana is shy.",
        ),
        ("Step 1: Everyone is kind.\n", "not_entailed", "it does not follow from the premises"),
    ],
)
async def test_a_wrong_step_is_corrected(wrong: str, kind: str, note: str) -> None:
    model = ScriptedModel({BEGIN: f"{wrong}So on.\n", NOTED: f"{STEPS}</think>\nAnswer: True"})
    result = await solve(model)
    assert (result.status, result.corrections) == ("verified", 1)
    assert result.trace.body.startswith(f"{wrong}Wait, {note}")
    assert (result.judged[0]["verdict"]["kind"], result.judged[0]["corrected"]) == (kind, True)


async def test_a_wrong_answer_is_corrected() -> None:
    script = {BEGIN: f"{STEPS}</think>\nAnswer: Uncertain\n", r"\[verifier: .*\]\n": "Answer: True"}
    result = await solve(ScriptedModel(script))
    assert (result.status, result.answer, result.corrections) == ("verified", "True", 1)


async def test_what_cannot_be_formalised_is_never_verified() -> None:
    problem = "Raul either ignored signs or listened.\nConclusion: Raul listened."
    result = await solve(ScriptedModel("Step: Raul listened.\n</think>\nAnswer: True"), problem)
    assert (result.status, result.answer) == ("unverified", "True")
    assert "not in the controlled English" in result.reason
