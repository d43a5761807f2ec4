"""Open answers: a model says which match, once for each; its word decides."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agentflow import domains
from agentflow.errors import BadInput
from agentflow.evaluation.chains import Chain, Check
from agentflow.models import ScriptedModel
from agentflow.problem import Problem
from agentflow.profile import PROFILES
from agentflow.reproduce.judging import matches, mended
from agentflow.reproduce.kinds import Options
from agentflow.reproduce.manifest import load
from agentflow.reproduce.run import reproduce

GAS = "Which gas do plants take in?"
INSTRUCT = PROFILES["qwen2.5-instruct"]


def judge(prompt: str) -> str:
    """It knows the gas by its formula, and says nothing of a metal."""
    said = prompt.rpartition("[Answer]")[2].partition("Reply with")[0]
    if "iron" in said:
        return "Hm."
    return f"So <answer>{int('co2' in said.lower() or 'dioxide' in said)}</answer>"


def problem(gold: str = "carbon dioxide") -> Problem:
    asked = domains.get("open").parse(GAS, "1")
    return Problem(asked.text, "open", "1", gold, asked.data)


async def test_each_answer_is_asked_about_once(tmp_path: Path) -> None:
    model, file = ScriptedModel(judge, profile=INSTRUCT), tmp_path / "m.jsonl"
    pairs = [(GAS, "co2"), (GAS, "oxygen"), (GAS, "iron")]
    found = await matches(pairs, {GAS: problem()}, file, model=model)
    assert found == {(GAS, "co2"): True, (GAS, "oxygen"): False, (GAS, "iron"): False}
    assert len(model.requests) == 4  # of the one that said nothing twice
    again = await matches(pairs, {GAS: problem()}, file, model=model)
    assert (again, len(model.requests)) == (found, 4)
    other = ScriptedModel(judge, profile=INSTRUCT, name="other")
    with pytest.raises(BadInput, match="begun with another model"):
        await matches(pairs, {GAS: problem()}, file, model=other)
    prompt = model.text(model.requests[0].prompt)  # type: ignore[arg-type]
    assert "[Right answer]\ncarbon dioxide\n" in prompt


def test_a_judged_chain() -> None:
    check = Check(3, 6, 0.5, 0.0, 0.5, ["co2", None, "oxygen"], [False] * 3, [1, 1, 1], 0, False)
    chain = Chain(GAS, "1", "open", 0, "m", "x", [1], 1, 1, 0, "co2", False, True, 5, [check])
    told = mended(chain, {(GAS, "co2"): True, (GAS, "oxygen"): False})
    assert (told.right, told.checks[0].right) == (True, [True, False, False])
    assert mended(chain, {}) == chain


async def test_open_questions_of_a_table(tmp_path: Path) -> None:
    """The judge's word is what accuracy is made of; without one, answers must be equal."""

    def solver(prompt: str) -> str:
        if prompt.endswith("<think>\n"):
            return "It is CO2.\n\nSurely.\n\n</think>\n\\boxed{CO2}"
        return " \\boxed{CO2}"

    rows = tmp_path / "open.jsonl"
    rows.write_text(json.dumps({"text": GAS, "gold": "carbon dioxide"}) + "\n")
    model = ScriptedModel(
        solver, profile=PROFILES["qwen3-thinking"], name="DeepSeek-R1-0528-Qwen3-8B"
    )
    part = "GPQA-D open 8B"
    for served, accuracy in (({}, None), ({"judge": ScriptedModel(judge, profile=INSTRUCT)}, 100)):
        told: list[str] = []
        options = Options(
            out=tmp_path / str(accuracy),
            model=model,
            at=served,
            given={"gpqa-open": str(rows)},
            settings={"probe": {"rollouts": 2}},
            tell=told.append,
        )
        found = await reproduce(load("eat/fig3"), options, parts=[part], arms=["token budget"])
        ours = [cell.ours.value for cell in found.cells if cell.ours and cell.metric == "accuracy"]
        assert ours == ([] if accuracy is None else [accuracy])  # only chains that are solved count
        said = "GPQA-D open 8B: no judge (--at judge=SERVER): answers must equal the gold ones"
        assert (told == [said]) is (accuracy is None)
