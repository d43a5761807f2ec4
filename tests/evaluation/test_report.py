"""Tables: intervals against known values, pairing by problem and seed."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from agentflow.evaluation.intervals import wilson
from agentflow.evaluation.runner import Record
from agentflow.evaluation.summary import markdown, paired, plain, rows


def record(arm: str, problem: str, seed: int, *, right: bool, tokens: int = 100) -> Record:
    answer = "a" if right else None
    return Record(
        arm, problem, seed, "unverified", answer, right, tokens, 10, 17, 1, 2, 1.0, None, ""
    )


def test_wilson_against_a_textbook_value() -> None:
    interval = wilson(8, 10)
    assert (interval.low, interval.high) == pytest.approx((0.4902, 0.9433), abs=1e-4)


def test_differences_are_paired_by_problem_and_seed() -> None:
    base = [record("direct", f"p{i}", s, right=i % 2 == 0) for i in range(40) for s in (0, 1)]
    ours = [record("ours", f"p{i}", s, right=i % 4 != 3) for i in range(40) for s in (0, 1)]
    gain = paired(ours, base)
    assert gain.value == pytest.approx(0.25)
    assert 0.05 < gain.low < 0.25 < gain.high < 0.45
    assert paired(base, base) == type(gain)(0.0, 0.0, 0.0)


def test_runs_that_only_one_arm_has_do_not_count() -> None:
    base = [record("direct", "p", 0, right=False)]
    ours = [record("ours", "p", 0, right=True), record("ours", "q", 0, right=False)]
    assert paired(ours, base).value == 1.0


def test_rows_relate_to_the_baseline() -> None:
    records = [record("direct", "p", 0, right=False, tokens=200)]
    records += [record("ours", "p", 0, right=True, tokens=100)]
    direct, ours = rows(records)
    assert (direct.gain, direct.sound, direct.emitted) == (None, None, 0)
    assert (ours.relative_tokens, ours.sound, ours.accuracy.value) == (0.5, 1.0, 1.0)
    assert markdown([direct, ours]).count("\n") == 3


def test_costs_are_compared_on_the_runs_that_both_have() -> None:
    records = [record("direct", "p", 0, right=True, tokens=100)]
    records += [record("direct", "q", 0, right=True, tokens=900)]
    records += [record("ours", "p", 0, right=True, tokens=50)]
    assert [row.relative_tokens for row in rows(records)] == [1.0, 0.5]


def failed(arm: str, problem: str) -> Record:
    return replace(record(arm, problem, 0, right=False, tokens=0), status="failed")


def test_runs_that_failed_do_not_count() -> None:
    records = [record("direct", "p", 0, right=True), failed("direct", "q")]
    (row,) = rows([*records, failed("ours", "p")])
    assert (row.runs, row.accuracy.value, row.tokens) == (1, 1.0, 100)
    assert rows([failed("direct", "p")]) == []


def test_arms_without_a_run_in_common_have_no_gain() -> None:
    records = [record("direct", "p", 0, right=True), record("ours", "q", 0, right=True)]
    assert [row.gain for row in rows(records)] == [None, None]
    with pytest.raises(ValueError, match="no run in common"):
        paired(records[:1], records[1:])


def test_a_baseline_that_generated_nothing() -> None:
    records = [record("direct", "p", 0, right=False, tokens=0), record("ours", "p", 0, right=True)]
    table = rows(records)
    assert [plain(row)["relative_tokens"] for row in table] == [None, None]
    json.dumps([plain(row) for row in table], allow_nan=False)
    assert "nan" in markdown(table)


def test_the_table_names_its_baseline() -> None:
    records = [record("ours", "p", 0, right=True), record("k2", "p", 0, right=True, tokens=50)]
    table = rows(records, "ours")
    assert [row.gain is None for row in table] == [True, False]
    assert "| tokens / ours | time / ours |" in markdown(table, "ours")
    alone = rows(records, "none of them")
    assert [plain(row)["relative_tokens"] for row in alone] == [None, None]
