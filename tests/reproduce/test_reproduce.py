"""The runner: on a perfect and a hopeless model it prints what arithmetic says."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentflow.evaluation import chains as recorded
from agentflow.evaluation.replay import Replay
from agentflow.models import ScriptedModel, Token
from agentflow.profile import PROFILES
from agentflow.reproduce import compare, estimate
from agentflow.reproduce.compare import Cell
from agentflow.reproduce.kinds import Options
from agentflow.reproduce.manifest import load
from agentflow.reproduce.run import Reproduced, alike, reproduce

COUNT = 20
PUZZLES = {
    "1 1 1 13": "( 1 + 1 ) * ( 13 - 1 )",
    "4 7 8 8": "4 * ( 7 - 8 / 8 )",
    "1 6 8 12": "( 12 - 8 ) * 6 * 1",
}
TOP = (("yes", -0.1), ("no", -2.35))


def sums(folder: Path) -> str:
    """A file of twenty sums."""
    rows = [{"text": f"What is {n} + {n}?", "gold": str(2 * n)} for n in range(1, COUNT + 1)]
    return written(folder / "sums.jsonl", rows)


def written(file: Path, rows: list[dict[str, Any]]) -> str:
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(file)


def model(name: str, profile: str, script: Callable[[str], Any]) -> ScriptedModel:
    return ScriptedModel(script, profile=PROFILES[profile], name=name)


def summed(prompt: str) -> int:
    """The sum that a prompt asks for last."""
    return 2 * int(re.findall(r"What is (\d+) \+", prompt)[-1])


def cells(found: Reproduced) -> dict[tuple[str, str, str], Cell]:
    return {(one.part, one.arm, one.metric): one for one in found.cells}


@pytest.mark.parametrize(("right", "said", "value"), [(True, "above", 100.0), (False, "below", 0)])
async def test_methods(tmp_path: Path, right: bool, said: str, value: float) -> None:
    """Twenty of twenty, or none: 95 % of such a model's accuracies lie beyond the paper's."""

    def script(prompt: str) -> str:
        return f"so it is \\boxed{{{summed(prompt) if right else 7}}}"

    part = "MATH-500 Qwen-2.5-7B"
    solver = model("Qwen2.5-7B-Instruct", "qwen2.5-instruct", script)
    options = Options(out=tmp_path, model=solver, given={part: sums(tmp_path)})
    done = await reproduce(load("adaptive/table1"), options, parts=[part])
    assert done.problems == {part: (COUNT, 500)}
    found = cells(done)
    one = found[part, "Direct", "accuracy"]
    assert one.ours is not None
    assert (one.ours.value, one.paper, one.verdict, one.why) == (value, 71.2, said, "")
    tokens = solver.streamed / COUNT
    compute = found[part, "Direct", "s_ci"].ours
    assert compute is not None
    assert compute.value == pytest.approx(tokens / 1e6)
    flops = found[part, "Direct", "f_theo"].ours
    assert flops is not None
    prompts = sum(request.prompt_tokens for request in solver.requests) / COUNT
    assert flops.value == pytest.approx(2 * 7.62e9 * (prompts + tokens))
    other = found[part, "+ PRM Sel.", "accuracy"]
    assert (other.ours, other.verdict) == (None, "not run")
    assert other.why == "--at prm=SERVER of Qwen/Qwen2.5-Math-PRM-7B"
    asked = len(solver.requests)
    again = cells(await reproduce(load("adaptive/table1"), options, parts=[part]))
    assert (again, len(solver.requests)) == (found, asked)  # nothing is run twice


@pytest.mark.parametrize("right", [True, False])
async def test_chains(tmp_path: Path, right: bool) -> None:
    """What a rule saves is what stands behind the place where it stops."""
    part = "Qwen3-30B GAMEOF24"

    def script(prompt: str) -> list[str | Token]:
        puzzle = max(PUZZLES, key=prompt.rfind)
        said = PUZZLES[puzzle] if right else puzzle.replace(" ", " + ")
        answer = f"Answer: {said} = 24"
        if prompt.endswith("<think>\n"):
            thinking = f"Let me see\n\n{answer}\n\n{answer}\n\nso it is\n\n{answer}\n\n"
            return [thinking, "</think>\n", answer]
        return [Token("Answer:", None, -0.1, TOP), answer.removeprefix("Answer:"), "\n"]

    solver = model("Qwen3-30B-A3B-Thinking-2507", "qwen3-thinking", script)
    rows = [{"text": one} for one in PUZZLES]
    given = {"game24-all": written(tmp_path / "24.jsonl", rows)}
    options = Options(out=tmp_path, model=solver, given=given)
    shown = load("interwhen/table1")
    found = cells(await reproduce(shown, options, parts=[part]))
    kept = recorded.load(tmp_path / "interwhen" / "table8" / "qwen3-30b-gameof24.parquet")
    stops = [next(one for one in chain.checks if one.stable >= 2) for chain in kept]
    spent = sum(stop.tokens + sum(stop.lengths) / len(stop.lengths) for stop in stops)
    whole = float(Replay(kept).tokens[:, -1].sum())  # of the chains left alone
    assert spent < whole
    for arm in ("baseline", "DEER", "k-Stable"):
        accuracy = found[part, arm, "accuracy"].ours
        assert accuracy is not None
        assert accuracy.value == (100 if right else 0)
    stable = found[part, "k-Stable", "relative tokens"]
    assert stable.ours is not None
    assert stable.ours.value == pytest.approx(100 * spent / whole)
    assert stable.verdict in ("above", "below", "within")
    asked = len(solver.requests)
    sweep = cells(await reproduce(load("interwhen/table8"), options, parts=[part]))
    assert len(solver.requests) == asked  # the recordings are shared
    two = sweep[part, "k-Stable 2", "tokens"].ours
    assert two is not None
    assert two.value == pytest.approx(spent / len(kept))
    assert sweep[part, "k-Stable 2", "tokens"].verdict == "not printed"


LABELS = {"What is 1 + 1?": -1, "What is 2 + 2?": 0, "What is 3 + 3?": 1}


@pytest.mark.parametrize(("right", "f1"), [(True, 100.0), (False, 0.0)])
async def test_steps(tmp_path: Path, right: bool, f1: float) -> None:
    """Every vote of a perfect verifier is right; tokens are k times those of a reply."""
    rows = [
        {"id": str(n), "problem": text, "steps": ["so", "then"], "label": label}
        for n, (text, label) in enumerate(LABELS.items())
    ]

    def script(prompt: str) -> str:
        label = LABELS[max(LABELS, key=prompt.rfind)]
        fast = "</think>" in prompt.rpartition("<｜Assistant｜>")[2]
        lead = "" if fast else "hm </think> "
        return f"{lead}\\boxed{{{label if right else -1 if label >= 0 else 0}}}"

    verifier = model("FlexiVe-14B", "deepseek-r1-distill", script)
    given = {"MATH": written(tmp_path / "steps.jsonl", rows)}
    options = Options(out=tmp_path, model=verifier, given=given)
    found = cells(await reproduce(load("sdv/table7"), options, parts=["MATH"]))
    one = found["MATH", "Think@8", "f1"]
    assert one.ours is not None
    assert one.ours.value == f1
    assert one.ours.low < one.ours.high  # three solutions do not make it sure
    slow = [r for r in verifier.requests if "</think>" not in verifier.text(r.prompt[-4:])]  # type: ignore[arg-type]
    assert len(slow) == 3 * 128
    each = found["MATH", "Think@8", "total tokens"].ours
    first = found["MATH", "Think@2", "total tokens"].ours
    assert each is not None
    assert first is not None
    assert each.value == pytest.approx(4 * first.value)
    flex = cells(await reproduce(load("sdv/table18"), options, parts=["MATH"]))
    escalated = flex["MATH", "tau 0.95", "escalated"].ours
    assert escalated is not None
    assert escalated.value == 0  # all fast replies agree


@pytest.mark.parametrize("right", [True, False])
async def test_verdicts(tmp_path: Path, right: bool) -> None:
    """The reasoner is right on every other question; a perfect verifier tells which."""

    def script(prompt: str) -> str:
        total = summed(prompt)
        if "[Solution]" in prompt:
            said = f"boxed{{{total}}}" in prompt
            return json.dumps({"reason": "so", "correct": said is right})
        return f"It is \\boxed{{{total if total % 4 == 0 else 1}}}"

    solver = model("gpt-4o", "qwen2.5-instruct", script)
    options = Options(out=tmp_path, model=solver, given={"MATH": sums(tmp_path)})
    run = reproduce(load("verifiagent/table2"), options, parts=["MATH"], arms=["Vanilla Verifier"])
    found = cells(await run)
    arm = "MATH", "Vanilla Verifier"
    for metric, hopeless in (("accuracy", 0), ("precision", 0), ("recall", 0)):
        ours = found[*arm, metric].ours
        assert ours is not None
        assert ours.value == (1 if right else hopeless)
    assert found[*arm, "accuracy"].verdict == ("above" if right else "below")
    assert found["MATH", "Vanilla Verifier", "precision"].paper == 0.73


async def test_another_model_and_settings_are_not_comparable(tmp_path: Path) -> None:
    solver = model("Other-7B", "qwen2.5-instruct", lambda prompt: f"\\boxed{{{summed(prompt)}}}")
    part = "MATH-500 Llama-3.1-8B"
    given = {"math500": sums(tmp_path)}
    options = Options(
        out=tmp_path, model=solver, given=given, limit=3, settings={"temperature": 1.0}
    )
    run = reproduce(load("adaptive/table1"), options, parts=[part], arms=["Direct"])
    one = cells(await run)[part, "Direct", "accuracy"]
    assert one.verdict == "not comparable"
    assert one.why == (
        "another model: Other-7B for meta-llama/Llama-3.1-8B-Instruct; settings of your own"
    )
    assert len(solver.requests) == 3
    text = compare.markdown(load("adaptive/table1"), [one], {part: (3, 500)})
    assert f"\nProblems, of the paper's: {part} 3 of 500.\n" in text
    assert "not comparable [1] |" in text
    assert "\n[1] another model: " in text


def test_verdicts_on_a_cell() -> None:
    shown = load("sdv/table17")  # with half the width of its interval: 85.0 ± 1.48

    def said(value: float, low: float, high: float) -> str:
        ours = compare.Interval(value, low, high)
        return compare.cell(shown, "MATH", "Flex@128", "f1 of draws", ours, "").verdict

    assert said(0.85, 0.84, 0.86) == "within"
    assert said(0.88, 0.864, 0.9) == "within"  # the intervals meet
    assert said(0.88, 0.87, 0.9) == "above"
    assert said(0.8, 0.78, 0.83) == "below"
    none = compare.cell(shown, "MATH", "Flex@128", "f1 of draws", None, "why")
    assert (none.verdict, none.why) == ("not run", "why")


@pytest.mark.parametrize(
    ("served", "paper", "same"),
    [
        ("Qwen3-30B-A3B-Thinking-2507", "Qwen/Qwen3-30B-A3B-Thinking-2507", True),
        ("/models/qwen3-30b-a3b-thinking-2507-fp8", "Qwen/Qwen3-30B-A3B-Thinking-2507", True),
        ("Qwen3-30B-A3B", "Qwen/Qwen3-30B-A3B-Thinking-2507", False),
        ("gpt-4o-2024-11-20", "gpt-4o", True),
    ],
)
def test_who_is_the_papers_model(served: str, paper: str, same: bool) -> None:
    assert alike(served, paper) is same


def test_what_it_takes(tmp_path: Path) -> None:
    one = estimate.estimate(load("adaptive/table7"), 1000.0, tmp_path)
    assert one.problems == 30
    times = sum(arm.times for arm in load("adaptive/table7").arms)
    assert one.tokens == 30 * 900 * times
    assert one.hours == pytest.approx(one.tokens / 1000 / 3600)
    assert not one.measured


async def test_the_solver_takes_the_roles_of_its_own_model(tmp_path: Path) -> None:
    """A verifier that is the solver's model needs no server of its own; another one does."""

    def script(prompt: str) -> str:
        return f"It is \\boxed{{{summed(prompt)}}}"

    part = "GPT-4o MATH"
    solver = model("gpt-4o-2024-11-20", "qwen2.5-instruct", script)
    options = Options(out=tmp_path, model=solver, given={part: sums(tmp_path)}, limit=2)
    found = cells(await reproduce(load("verifiagent/table3"), options, parts=[part]))
    assert found[part, "VerifiAgent (GPT-4o)", "accuracy"].ours is not None
    samples = found[part, "Majority Vote", "samples"]
    assert samples.ours is not None
    assert (samples.ours.value, samples.paper, samples.verdict) == (10, 10, "within")
    other = found[part, "VerifiAgent (o1-mini)", "accuracy"]
    assert (other.verdict, other.why) == ("not run", "--at o1-mini=SERVER of o1-mini")
