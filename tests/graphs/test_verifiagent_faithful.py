"""VerifiAgent and verified sampling beside their paper, section by section."""

from __future__ import annotations

from typing import Any

from verifiagent_world import RIGHT, Script, evaluation, program, stub_tools

import agentflow
from agentflow.models import Capabilities, ScriptedModel
from agentflow.nodes import VerifiAgentSettings
from agentflow.profile import PROFILES

PUZZLE = "4 7 8 8"
ANSWER = "(7 - 8 / 8) * 4"
PROSE = """Conditions: [48 in April]
Objective: [how many]
Steps:
Step 1: 72.
Complete: Yes
Consistency:
Step 1: follows"""


async def test_appendix_f_meta_verification_in_prose() -> None:
    script = Script(act=[program("72"), evaluation(True)], meta=PROSE)
    verdict = await script.judge(RIGHT, tools=stub_tools(), meta_form="prose")
    assert verdict.ok is True
    assert verdict.evidence["meta"]["steps"] == ["72."]


async def test_section_3_2_rounds_are_as_many_as_it_chooses() -> None:
    calls = [program(str(72 + n)).replace("return", f"# {n}\n    return") for n in range(9)]
    for rounds, made in ((6, 6), (None, 9)):
        script = Script(act=[*calls, evaluation(True)])
        verdict = await script.judge(RIGHT, tools=stub_tools(), rounds=rounds)
        assert len(verdict.evidence["calls"]) == made
    assert VerifiAgentSettings(rounds=None).rounds is None


async def test_section_4_5_a_reasoner_with_tools_on_a_chat_api() -> None:
    """It is shown what it wrote and what the tool found as turns, and goes on."""
    said = iter(
        [
            "Thought: try it\nAction: Use Python Interpreter[\ndef solver():\n"
            "    return (7 - 8 / 8) * 4\nans = solver()\n]\n",
            f"Answer: {ANSWER} = 24",
        ]
    )
    able = Capabilities(continues=False, turns=True)
    profile = PROFILES["llama-3.1-instruct"]
    model = ScriptedModel(lambda prompt: next(said), capabilities=able, profile=profile)
    told: list[dict[str, Any]] = []
    result = await agentflow.asolve(
        PUZZLE, "verified_sampling", model=model, reasoner="tools", n=1, on_event=told.append
    )
    assert (result.status, result.answer) == ("verified", ANSWER)
    assert {"tool:python"} <= {entry["role"] for entry in result.ledger.values()}
    assert [one["lacking"] for one in told if one["type"] == "weaker"] == ["continues"]
