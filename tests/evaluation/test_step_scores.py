"""ProcessBench's F1 and what a verifier cost, against values worked out by hand."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow.evaluation.intervals import harmonic
from agentflow.evaluation.step_scores import markdown, rows, score
from agentflow.evaluation.verdicts import Judgement

INDEX = st.integers(-1, 3)
PAIRS = st.lists(st.tuples(INDEX, INDEX | st.none()), min_size=1, max_size=30)


def record(
    arm: str = "flex@8",
    label: int = 0,
    predicted: int | None = 0,
    kind: str = "",
    agreement: float | None = 1.0,
    **tokens: tuple[int, int],
) -> Judgement:
    """A record; ``tokens`` are (in, out) by role, with _ for -."""
    ledger = {
        role.replace("_", "-"): {"role": role, "calls": 1, "prompt": p, "generated": g}
        for role, (p, g) in tokens.items()
    }
    evidence = {} if agreement is None else {"agreement": agreement}
    return Judgement(
        arm, "i", "d", kind, "", evidence, ledger, 2.0, label=label, predicted=predicted
    )


def test_the_two_parts_and_their_harmonic_mean() -> None:
    found = score([(0, 0), (1, 1), (2, 1), (3, None), (-1, -1), (-1, 0), (-1, -1), (-1, -1)])
    assert found.wrong is not None
    assert found.right is not None
    assert found.f1 is not None
    assert (found.wrong.value, found.right.value) == (0.5, 0.75)
    assert found.f1.value == pytest.approx(0.6)
    assert 0 <= found.wrong.low < 0.5 < found.wrong.high <= 1


def test_intervals_are_those_of_a_binomial() -> None:
    found = score([(0, 0 if n % 4 else 1) for n in range(400)] + [(-1, -1)] * 10)
    assert found.wrong is not None
    assert (found.wrong.low, found.wrong.high) == pytest.approx((0.7076, 0.7924), abs=0.006)
    assert found.right is not None
    assert (found.right.low, found.right.high) == (1.0, 1.0)


def test_only_one_kind_of_solution_has_no_f1() -> None:
    found = score([(0, 0), (1, None)])
    assert found.wrong is not None
    assert (found.wrong.value, found.right, found.f1) == (0.5, None, None)


@given(PAIRS)
def test_an_f1_lies_between_its_parts(pairs: list[tuple[int, int | None]]) -> None:
    found = score(pairs)
    if found.f1 is None:
        assert len({label >= 0 for label, _ in pairs}) == 1
        return
    assert found.wrong is not None
    assert found.right is not None
    parts = sorted([found.wrong.value, found.right.value])
    assert parts[0] - 1e-9 <= found.f1.value <= parts[1] + 1e-9
    assert found.f1.low - 1e-9 <= found.f1.value <= found.f1.high + 1e-9 or len(pairs) < 6
    assert (found.f1.value == 0) is (0 in parts)


def test_harmonic_means() -> None:
    found = harmonic(np.array([0.0, 0.0, 0.5, 1.0]), np.array([0.0, 1.0, 0.5, 0.5]))
    assert found == pytest.approx([0, 0, 0.5, 2 / 3])


def test_what_it_cost() -> None:
    flex = [
        record(verifier_fast=(800, 200)),
        record(label=-1, predicted=-1, verifier_fast=(800, 100), verifier_slow=(100, 1000)),
    ]
    slow = [record("slow@1", label=n, predicted=0, verifier_slow=(100, 650)) for n in (0, -1)]
    first, second = rows([*flex, *slow], parameters=14)
    assert (first.prompt, first.generated, first.escalated) == (850, 650, 0.5)
    assert first.cost == pytest.approx(1500 * 14e9 / 1e12)
    assert (first.relative, second.relative) == (1.0, 0.5)
    assert (second.escalated, second.samples, second.seconds) == (0.0, 2, 2.0)
    assert rows(flex)[0].cost is None


def test_shares() -> None:
    records = [
        record(agreement=0.5),
        record(predicted=None, kind="malformed", agreement=1.0),
        record(predicted=None, kind="too_long", agreement=0.0),
        record(),
    ]
    (row,) = rows(records)
    assert (row.malformed, row.too_long, row.agreement) == (0.25, 0.25, 0.625)
    (alone,) = rows([record("domain", agreement=None)])
    assert (alone.agreement, alone.relative) == (None, None)


def test_runs_that_failed_do_not_count() -> None:
    failed = record(predicted=None, kind="failed")
    assert rows([failed]) == []
    assert rows([failed, record()])[0].score.wrong == rows([record()])[0].score.wrong


def test_tables_are_whole_and_json() -> None:
    records: list[Any] = [record(verifier_fast=(1, 1)), record("domain", agreement=None)]
    table = rows(records)
    json.dumps([asdict(row) for row in table], allow_nan=False)
    lines = markdown(table).splitlines()
    assert len(lines) == 4
    assert len({line.count("|") for line in lines}) == 1
    assert lines[0].endswith("| / flex@8 |")
    assert lines[3].startswith("| domain | 1 | – | 100.0 % [100.0, 100.0] | – |")
