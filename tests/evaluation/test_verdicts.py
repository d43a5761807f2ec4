"""Verifiers on recorded solutions: one record each, resuming; what the verdicts are worth."""

from __future__ import annotations

import json
from dataclasses import asdict
from math import sqrt
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow import models
from agentflow.errors import BadInput, MissingCapability, ModelUnavailable
from agentflow.evaluation.records import Arm
from agentflow.evaluation.solutions import Solution, load
from agentflow.evaluation.verdict_scores import markdown, rows
from agentflow.evaluation.verdicts import Judgement, run
from agentflow.evaluation.verdicts import load as load_records
from agentflow.models import Fault, ScriptedModel
from agentflow.problem import Problem

DATA = Path(__file__).parents[1] / "data"
FAST = Arm("fast@1", "flexive", {"runs": "fast", "k": 1})
SAID = {True: r"\boxed{-1}", False: r"no \boxed{0}", None: "hm"}


def solution(id: str, right: bool = True, **about: str) -> Solution:
    return Solution(Problem(f"What is {id}?", "math", id), f"It is {id}.", right, **about)


def oracle(solutions: list[Solution]) -> ScriptedModel:
    """A verifier that knows the labels."""

    def script(prompt: str) -> str:
        (one,) = (one for one in solutions if f"{one.given}\n</step_0>" in prompt)
        return SAID[one.right]

    return ScriptedModel(script)


def record(right: bool, ok: bool | None, **more: Any) -> Judgement:
    fields = {
        "arm": "a",
        "id": "1",
        "digest": "1",
        "domain": "math",
        "type": "",
        "difficulty": "",
        "kind": "" if ok else "wrong",
        "reason": "",
        "score": None,
        "evidence": {},
        "ledger": {},
        "seconds": 1.0,
    }
    return Judgement(right=right, ok=ok, **(fields | more))


async def test_a_verifier_that_knows(tmp_path: Path) -> None:
    path = DATA / "zeroeval" / "gsm_sample.jsonl"
    solutions, _ = await load([path], "zeroeval")

    def script(prompt: str) -> str:
        (one,) = (one for one in solutions if one.problem.text in prompt)
        return SAID[one.right]

    model = ScriptedModel(script)
    records = await run([FAST], solutions, tmp_path / "r", model=model, concurrency=3)
    assert [one.digest for one in records] == [one.digest for one in solutions]
    assert all(one.correct for one in records)
    assert {one.kind for one in records} == {"", "wrong_step"}
    assert {(one.domain, one.arm) for one in records} == {("math", "fast@1")}
    (row,) = rows(records)
    assert (row.accuracy.value, row.solutions) == (1.0, len(solutions))
    assert row.precision is not None
    assert row.recall is not None
    assert (row.precision.value, row.recall.value) == (1.0, 1.0)
    prompts = [len(request.prompt) for request in model.requests]
    assert sum(one.ledger["verifier-fast"]["prompt"] for one in records) == sum(prompts)


async def test_no_verifier_sees_the_gold_answer(tmp_path: Path) -> None:
    path = tmp_path / "data.jsonl"
    gold = "154154154154"  # no measured time has it by chance
    row = {"problem": "2 x 77077077077?", "solution": "Answer: 155", "gold": gold, "domain": "math"}
    path.write_text(json.dumps(row))
    solutions, _ = await load([path])
    model = ScriptedModel(lambda prompt: SAID[True])
    (one,) = await run([FAST], solutions, tmp_path / "r", model=model)
    assert (one.right, one.ok, one.correct) == (False, True, False)
    assert not any(gold in model.text(r.prompt) for r in model.requests)  # type: ignore[arg-type]
    assert gold not in (tmp_path / "r").read_text()


async def test_steps_are_judged_as_they_are(tmp_path: Path) -> None:
    given = Solution(Problem("1 + 1?", "math", "p"), ("It is 2. Wait, so", "3"), False)
    model = ScriptedModel(lambda prompt: r"no \boxed{1}")
    (one,) = await run([FAST], [given], tmp_path / "r", model=model)
    assert (one.ok, one.correct, one.kind) == (False, True, "wrong_step")


async def test_a_run_that_was_cut_off_goes_on(tmp_path: Path) -> None:
    solutions = [solution(str(n), n % 2 == 0) for n in range(9)]
    out = tmp_path / "r.jsonl"
    first = await run([FAST], solutions, out, model=oracle(solutions))
    whole = out.read_text(encoding="utf-8").splitlines(keepends=True)
    out.write_text("".join(whole[:5]) + whole[5][:40], encoding="utf-8")
    model, told = oracle(solutions), list[str]()
    again = await run([FAST], solutions, out, model=model, on_record=lambda r: told.append(r.id))
    assert told == ["4", "5", "6", "7", "8"]
    assert len(model.requests) == len(told)
    assert [(r.id, r.ok, r.reason) for r in again] == [(r.id, r.ok, r.reason) for r in first]
    done = ScriptedModel("never asked")
    await run([FAST], solutions, out, model=done)
    assert not done.requests


async def test_runs_that_failed_are_tried_again(tmp_path: Path) -> None:
    broken = ScriptedModel([Fault(BadInput("cannot be read"))])
    out, given = tmp_path / "r", [solution("s")]
    (one,) = await run([FAST], given, out, model=broken)
    assert (one.kind, one.reason, one.ok) == ("failed", "cannot be read", None)
    assert rows([one]) == []
    assert markdown([]) == ""
    (one,) = await run([FAST], given, out, model=oracle(given))
    assert (one.kind, one.ok) == ("", True)
    assert load_records(out) == [one]


async def test_what_every_solution_would_fail_of_is_raised(tmp_path: Path) -> None:
    lacking = ScriptedModel([Fault(MissingCapability("cannot"))])
    with pytest.raises(MissingCapability):
        await run([FAST], [solution("s")], tmp_path / "r", model=lacking)
    with pytest.raises(ModelUnavailable):
        await run([FAST], [solution("s")], tmp_path / "q", model="http://127.0.0.1:9/v1")
    assert not (tmp_path / "q").exists()
    await models.close_all()
    for method, reason in (("chess", "unknown method"), ("flexive", "no such setting; known:")):
        with pytest.raises(BadInput, match=reason):
            await run([Arm("a", method, {"no": 1})], [], tmp_path / "q", model=ScriptedModel(""))


async def test_arms_in_one_file(tmp_path: Path) -> None:
    out, given = tmp_path / "r", [solution("s")]
    await run([FAST], given, out, model=oracle(given))
    other = Arm("fast@1", "flexive", {"runs": "fast", "k": 2})
    with pytest.raises(BadInput, match="arm 'fast@1' was begun with another k"):
        await run([other], given, out, model=oracle(given))
    with pytest.raises(BadInput, match="begun with another model"):
        await run([FAST], given, out, model=ScriptedModel("", name="else"))
    by_role = {"verifier": oracle(given)}
    beside = await run([Arm("b", "flexive", FAST.settings)], given, out, model=by_role)
    assert [one.arm for one in beside] == ["b"]
    assert [one.arm for one in load_records(out)] == ["fast@1", "b"]


def test_one_that_is_undecided_is_never_a_right_verdict() -> None:
    found = [record(True, None), record(False, None), record(True, True), record(False, False)]
    (row,) = rows(found)
    assert row.accuracy.value == 0.5
    assert (row.right.passed, row.right.refused, row.right.undecided) == (1, 0, 1)
    assert (row.wrong.passed, row.wrong.refused, row.wrong.undecided) == (0, 1, 1)
    assert row.recall is not None
    assert (row.recall.value, row.precision and row.precision.value) == (0.5, 1.0)
    assert "| a | 4 | 50.0 %" in markdown([row])
    assert "| 50.0 % | 0.00 | 0 | 0 |" in markdown([row])


def test_section_4_the_undecided_are_counted_apart_and_as_the_paper_counts() -> None:
    """VerifiAgent's verifier says Correct or Incorrect: what is not Correct counts as Incorrect."""
    found = [record(True, True), record(True, None), record(False, None), record(False, False)]
    (row,) = rows(found)
    assert row.accuracy.value == 0.5
    assert row.decided_accuracy is not None
    assert row.decided_accuracy.value == 1.0
    assert row.paper_accuracy.value == 0.75
    assert row.precision is not None
    assert row.recall is not None
    assert (row.precision.value, row.recall.value) == (1.0, 0.5)


def test_shares_of_nothing_are_none() -> None:
    (row,) = rows([record(False, False)])
    assert (row.precision, row.recall, row.right_scores) == (None, None, None)
    assert "| a | 1 | 100.0 % [20.7, 100.0] | – | – |" in markdown([row])
    json.dumps(asdict(row), allow_nan=False)


def test_a_sound_verdict_is_as_sure_of_incorrect_as_of_correct() -> None:
    """So that V_score alone tells nothing; how likely Correct is tells all."""
    found = [
        record(True, True, score=0.9, evidence={"correct": 0.9}),
        record(False, False, score=0.9, evidence={"correct": 0.1}),
        record(True, None, score=0.6, evidence={"correct": 0.4}),
        record(False, None),
    ]
    (row,) = rows(found)
    assert (row.auc, row.correct_auc) == (0.25, 1.0)
    assert "AUC of Correct" in markdown([row])


VERDICTS = st.lists(
    st.tuples(
        st.booleans(),
        st.sampled_from([True, False, None]),
        st.none() | st.floats(0, 1),
        st.sampled_from(["", "algebra", "geometry"]),
    ),
    min_size=1,
)


@given(VERDICTS)
def test_scores_are_the_formulas(found: list[tuple[bool, bool | None, float | None, str]]) -> None:
    (row,) = rows(record(r, ok, score=s, type=t) for r, ok, s, t in found)
    hits = [ok is r for r, ok, _, _ in found]
    assert row.accuracy.value == sum(hits) / len(hits)
    both = [(r, ok) for r, ok, _, _ in found]
    passed = [r for r, ok in both if ok]
    right = [ok is True for r, ok in both if r]
    for interval, values in ((row.precision, passed), (row.recall, right)):
        assert (interval is None) is (not values)
        if interval is not None:
            assert interval.value == sum(values) / len(values)
            assert interval.low <= interval.value + 1e-9
            assert interval.high >= interval.value - 1e-9
    total = [*asdict(row.right).values(), *asdict(row.wrong).values()]
    assert sum(total) == row.solutions == len(found)
    for side, scores in ((True, row.right_scores), (False, row.wrong_scores)):
        values = [s for r, _, s, _ in found if r is side and s is not None]
        assert (scores is None) is (not values)
        if scores is not None:
            mean = sum(values) / len(values)
            assert scores.mean == pytest.approx(mean)
            spread = sqrt(sum((v - mean) ** 2 for v in values) / len(values))
            assert scores.std == pytest.approx(spread, abs=1e-6)
            assert (scores.quantiles[0], scores.quantiles[-1]) == (min(values), max(values))
    pairs = [
        (s > t) + 0.5 * (s == t)
        for r, _, s, _ in found
        for other, _, t, _ in found
        if r and not other and s is not None and t is not None
    ]
    assert row.auc == (pytest.approx(sum(pairs) / len(pairs)) if pairs else None)
    assert sum(row.kinds.values()) == sum(not ok for _, ok in both)
    for kind, group in row.types.items():
        assert group.verdicts == sum(t == kind for _, _, _, t in found)
        assert group.wrong == sum(t == kind and ok is not r for r, ok, _, t in found)
    assert set(row.types) == {t for _, _, _, t in found if t}
    json.dumps(asdict(row), allow_nan=False)
    assert len(markdown([row]).splitlines()) > 6


def test_tools_and_cost_by_role() -> None:
    def entry(calls: int, generated: int = 0) -> dict[str, Any]:
        zeros = dict.fromkeys(("prompt", "cached", "wasted"), 0)
        return {"calls": calls, "generated": generated, "seconds": 0.5} | zeros

    python = {"evidence": {"calls": [{"tool": "python"}] * 3}}
    found = [
        record(True, True, ledger={"tool:python": entry(3), "verifier": entry(2, 50)}, **python),
        record(True, True, ledger={"tool:z3": entry(1)}, evidence={"calls": [{"tool": "z3"}]}),
        record(True, True, domain="logic", evidence={"calls": [{"tool": "z3"}] * 2}),
        record(True, True, domain="commonsense", ledger={"verifier": entry(1, 10)}),
    ]
    (row,) = rows(found)
    assert row.tools == {"logic": {"z3": 1.0}, "math": {"python": 0.75, "z3": 0.25}}
    assert (row.cost["verifier"].calls, row.cost["verifier"].generated) == (0.75, 15)
    assert row.cost["tool:z3"].seconds == 0.125
    text = markdown([row])
    assert "| a | math | python 75.0 %, z3 25.0 % |" in text
    assert "| 0.0 % | 1.00 | 0 | 15 |" in text
    assert "difficulty" not in text


def test_a_domain_that_drives_has_chosen_no_tool() -> None:
    """Its verdict is no call of a tool; those that it makes on the way are in the ledger."""
    search = {"tool:search": {"calls": 3}}
    driven = {"evidence": {"calls": [{"tool": "domain"}]}}
    (row,) = rows([record(True, True, ledger=search, **driven), record(True, True, **driven)])
    assert row.tools == {}
    text = markdown([row])
    assert "| 0.0 % | 1.50 | 0 | 0 |" in text
    assert "chosen" not in text


async def test_what_verifiagent_does_with_tools_is_seen(tmp_path: Path) -> None:
    """A real run of the sandbox; without tools, as an ablation, beside it."""
    program = "def solver():\n    return 2 * 77\nans = solver()"
    evaluated = "Thought: ok\nAction: Evaluate[{0}]\nSummarisation:\nEvaluation Result: {0}\n"

    def script(prompt: str) -> str:
        right = "> Answer: 154" in prompt
        if "user\nmeta:" in prompt:
            look = {"conditions": [], "objective": "x", "steps": ["x"], "complete": True}
            return json.dumps(look | {"consistency": [{"step": 1, "follows": right}]})
        if "Observation:" in prompt or "user\nevaluate:" in prompt:
            return evaluated.format("Correct" if right else "Incorrect")
        return f"Thought: try\nAction: Use Python Interpreter[\n{program}\n]"

    problem = Problem("What is 2 times 77?", "math", "p")
    solutions = [Solution(problem, f"Answer: {said}", said == 154) for said in (154, 155)]
    out = tmp_path / "r"
    whole = Arm("whole", "verifiagent")
    without = Arm("without tools", "verifiagent", {"use_tools": False})
    found = [
        one
        for arm in (whole, without)
        for one in await run([arm], solutions, out, model=ScriptedModel(script))
    ]
    assert all(one.correct for one in found)
    first, second = rows(found)
    assert (first.tools, second.tools) == ({"math": {"python": 1.0}}, {})
    assert first.cost["tool:python"].calls == 1
    assert set(second.cost) == {"verifier-meta", "verifier-act"}
    assert [one.evidence["calls"][0]["agrees"] for one in found[:2]] == [True, False]
    assert "| whole | math | python 100.0 % |" in markdown([first, second])


def test_rows_stand_beside_each_other() -> None:
    found = [record(True, True), record(True, None, arm="b"), record(False, False)]
    first, second = rows(found)
    assert (first.arm, first.solutions, second.arm, second.solutions) == ("a", 2, "b", 1)
    lines = markdown([first, second]).splitlines()
    assert lines[2].startswith("| a | 2 |")
    assert lines[3].startswith("| b | 1 |")
