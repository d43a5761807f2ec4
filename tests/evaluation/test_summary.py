"""What runs come to, against numbers counted by hand."""

from __future__ import annotations

from dataclasses import asdict, replace
from math import comb
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow.evaluation.collected import Collected
from agentflow.evaluation.compute import Size
from agentflow.evaluation.intervals import mcnemar, wilson
from agentflow.evaluation.runner import Record
from agentflow.evaluation.summary import (
    by_difficulty,
    comparisons,
    pareto,
    summaries,
)
from agentflow.ledger import Entry

SIZE = Size(1e6, 100)


def record(arm: str, problem: str, right: bool, tokens: int = 10, **more: Any) -> Record:
    return Record(
        arm, problem, 0, "unverified", "a", right, tokens, 2, 5, 1, 1, 0.5, None, "", **more
    )


def roles(**generated: int) -> dict[str, Any]:
    entries = {role: asdict(Entry(role, 1, 5, 0, n, 0, 0.1)) for role, n in generated.items()}
    return {"roles": entries}


def collected(*records: Record, **more: Any) -> Collected:
    arms = dict.fromkeys(one.arm for one in records)
    return Collected(
        arms={arm: {"name": arm, "method": "direct", "version": "1"} for arm in arms},
        records={arm: [one for one in records if one.arm == arm] for arm in arms},
        **more,
    )


def test_a_line_against_a_hand_count() -> None:
    records = [
        replace(record("a", "p", True, 10, extra=roles(solver=8, probe=2)), status="verified"),
        replace(record("a", "q", False, 20, extra=roles(solver=20)), status="verified"),
        record("a", "r", True, 30, extra=roles(solver=30)),
        replace(
            record("a", "s", False, 40, extra=roles(solver=40)), status="abstained", answer=None
        ),
        replace(record("a", "t", False, 0), status="failed", answer=None),
    ]
    (line,) = summaries(collected(*records, sizes={"a": {"solver": SIZE}}))
    assert (line.runs, line.accuracy, line.answered) == (4, wilson(2, 4), wilson(3, 4))
    assert (line.sound, line.verified, line.verified_sound) == (wilson(2, 3), 2, wilson(1, 2))
    assert (line.tokens, line.wasted, line.corrections, line.seconds) == (25, 2, 1, 0.5)
    assert line.roles == {"solver": 98 / 4, "probe": 2 / 4}
    assert (line.probes, line.tools) == (1 / 4, 0)
    assert line.compute is not None
    flops = 2 * 1e6 * (29.5 * 4 + 7 * 1) / 4  # (5 + 24.5) x 4 calls of the solver, (5 + 2) x 1
    assert line.compute.flops == pytest.approx(flops)
    assert line.compute.intensity == pytest.approx(1 * 24.5 * (1 + 0.1 * 0.25) / 1e6)


@pytest.mark.parametrize(
    ("extra", "sizes", "why"),
    [
        ({}, {"solver": SIZE}, "costs by role were not recorded"),
        (roles(solver=1), {}, "the models' sizes were not recorded"),
        (roles(solver=1), {"solver": "nobody knows"}, "nobody knows"),
        (roles(solver=1, judge=1), {"solver": SIZE, "judge": "not told"}, "not told"),
    ],
)
def test_why_the_compute_is_not_known(extra: Any, sizes: Any, why: str) -> None:
    (line,) = summaries(collected(record("a", "p", True, extra=extra), sizes={"a": sizes}))
    assert (line.compute, line.why) == (None, why)


def test_an_arm_without_a_finished_run_has_no_line() -> None:
    assert summaries(collected(replace(record("a", "p", False), status="failed"))) == []


def test_pairs_against_a_hand_count() -> None:
    right = {"a": "pq", "b": "pr"}
    records = [
        record(arm, p, p in right[arm], 10 if arm == "a" else 14) for arm in "ab" for p in "pqrs"
    ]
    records.append(record("b", "only b has it", True))
    (pair,) = comparisons(collected(*records))
    assert (pair.arm, pair.base, pair.runs) == ("b", "a", 4)
    assert (pair.only_arm, pair.only_base, pair.p) == (1, 1, 1.0)
    assert (pair.gain.value, pair.tokens.value) == (0, 4)
    assert pair.gain.low < 0 < pair.gain.high


def test_several_seeds_have_no_mcnemar() -> None:
    once = [record(arm, "p", True) for arm in "ab"]
    (pair,) = comparisons(collected(*once, *(replace(one, seed=1) for one in once)))
    assert (pair.runs, pair.p) == (2, None)


def test_arms_without_a_run_in_common_are_not_compared() -> None:
    assert comparisons(collected(record("a", "p", True), record("b", "q", True))) == []


@pytest.mark.parametrize(
    ("one", "other", "p"),
    [(0, 0, 1.0), (5, 5, 1.0), (0, 5, 0.0625), (10, 2, 158 / 4096), (2, 10, 158 / 4096)],
)
def test_mcnemar_against_binomial_tables(one: int, other: int, p: float) -> None:
    assert mcnemar(one, other) == pytest.approx(p)


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_the_weight_of_outcomes_as_uneven(one: int, other: int) -> None:
    n = one + other
    uneven = [comb(n, k) for k in range(n + 1) if abs(2 * k - n) >= abs(one - other)]
    assert mcnemar(one, other) == pytest.approx(sum(uneven) / 2**n)


@given(st.integers(1, 500), st.data())
def test_wilsons_interval(runs: int, data: st.DataObject) -> None:
    right = data.draw(st.integers(0, runs))
    share, mirrored = wilson(right, runs), wilson(runs - right, runs)
    assert -1e-12 <= share.low <= share.value + 1e-12
    assert share.value - 1e-12 <= share.high <= 1 + 1e-12
    assert mirrored.low == pytest.approx(1 - share.high)
    twice = wilson(2 * right, 2 * runs)
    assert twice.high - twice.low < share.high - share.low


def test_difficulty_is_what_the_first_arm_needed() -> None:
    tokens = {"p": 30, "q": 10, "r": 20}
    base = [record("a", problem, problem == "q", n) for problem, n in tokens.items()]
    lines = by_difficulty(collected(*base, record("b", "p", True, 1), record("b", "x", True)))
    assert lines == {
        "a": [wilson(1, 1), wilson(0, 1), wilson(0, 1)],
        "b": [None, None, wilson(1, 1)],
    }


def test_the_pareto_front_has_what_nothing_beats_in_both() -> None:
    shares = {
        "cheap": (10, 1),
        "worse": (20, 1),
        "better": (30, 2),
        "dear": (40, 2),
        "best": (50, 3),
    }
    records = [
        record(arm, str(n), n < right, tokens)
        for arm, (tokens, right) in shares.items()
        for n in range(3)
    ]
    assert [line.arm for line in pareto(summaries(collected(*records)))] == [
        "cheap",
        "better",
        "best",
    ]
