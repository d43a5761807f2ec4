"""Replay against the rules themselves, and against slow sums."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made import ANSWERING, chain, chains, check

from agentflow.evaluation import families
from agentflow.evaluation.chains import Chain, Check
from agentflow.evaluation.families import Family
from agentflow.evaluation.replay import Replay
from agentflow.monitors.rules import (
    Average,
    Budget,
    Confidence,
    ConfidenceVariance,
    EntropyLevel,
    EntropyVariance,
    Rule,
    Stable,
    Stall,
)

AVERAGES = [
    Average(),
    Average(0.01),
    Average(0.4, first=True),
    Average(1.0),
    Average(0.2, first=True, debias=False),
    Average(0.05, debias=False),
]

Case = tuple[Family, Callable[[float], Rule]]


def settings_of(average: Average) -> dict[str, Any]:
    """How a rule has it."""
    return {
        "alpha": average.alpha,
        "start_at_first": average.first,
        "debias": average.debias,
    }


def cases() -> list[Case]:
    """Every family, with the rule that it stands for at the threshold shown."""
    found: list[Case] = [
        (families.confidence(), lambda p: Confidence(confidence=p)),
        (families.k_stable(), lambda k: Stable(k=int(k))),
        (families.budget(range(17, 700, 17)), lambda n: Budget(tokens=int(n))),
        (families.budget(), lambda n: Budget(tokens=int(n))),
    ]
    for average in AVERAGES:
        for least in (0, 1, 4):
            varied = {**settings_of(average), "min_checks": least}
            of_level = {"alpha": average.alpha, "min_checks": least}
            level = families.entropy_level(replace(average, first=True), least)
            found += [
                (
                    families.entropy_variance(average, least),
                    lambda t, more=varied: EntropyVariance(variance=t, **more),
                ),
                (level, lambda t, more=of_level: EntropyLevel(level=t, **more)),
            ]
        more = settings_of(average)
        found.append(
            (
                families.confidence_variance(average),
                lambda t, more=more: ConfidenceVariance(variance=t, **more),
            )
        )
        for window in (1, 3, 20):
            more = {**settings_of(average), "window": window}
            found.append(
                (families.stall(window, average), lambda r, more=more: Stall(ratio=r, **more))
            )
    return [*found, *((families.at_candidates(family), rule) for family, rule in found)]


def thresholds(family: Family) -> list[float]:
    """The grid and values that signals often have; of a ratio only powers of two, for which the
    division here and the product there round alike."""
    if family.name.startswith("stall"):
        return [-(2.0**n) for n in range(-8, 3)]
    if "entropy" in family.name or "variance" in family.name:
        return [*family.thresholds, 0.0, 0.25, 0.5, 1.0, 12.0]
    return list(family.thresholds)


def folded(family: Family, rule: Rule, checks: list[Check]) -> int:
    """Where a rule stops a chain, check point by check point."""
    memory: dict[str, Any] = {}
    for index, one in enumerate(checks):
        if family.candidates and not one.stated:
            continue
        memory, stop = rule.step(memory, getattr(one, rule.signal))
        if stop:
            return index
    return len(checks)


@settings(max_examples=30)
@given(chains(), st.integers(0, 3))
def test_a_family_stops_where_its_rule_does(made: list[Chain], first: int) -> None:
    """Each example for every fourth family, from one that is drawn."""
    replayed = Replay(made)
    for family, rule in cases()[first::4]:
        wanted = thresholds(family)
        stops = replayed.stops(family, wanted)
        assert stops.shape == (len(made), len(wanted))
        for row, one in enumerate(made):
            for column, threshold in enumerate(wanted):
                expected = folded(family, rule(family.shown(threshold)), one.checks)
                assert stops[row, column] == expected, (family.name, threshold)


def cost(family: Family, one: Chain, stop: int) -> int:
    """Tokens that probes generate up to a stop, that check point included."""
    total = 0
    for passed in one.checks[: stop + 1]:
        if family.candidates and not passed.stated:
            continue
        match family.probed:
            case "entropy":
                total += 1
            case "confidence":
                total += one.confidence_tokens
    return total


@settings(max_examples=30)
@given(chains())
def test_the_curve_is_what_slow_sums_give(made: list[Chain]) -> None:
    replayed = Replay(made)
    for family, rule in cases()[::4]:
        points = replayed.curve(family)
        assert len(points) == len(family.thresholds)
        for threshold, point in list(zip(family.thresholds, points, strict=True))[::7]:
            right, tokens, probes, stopped = [], [], [], []
            for one in made:
                stop = folded(family, rule(family.shown(threshold)), one.checks)
                stopped.append(stop < len(one.checks))
                probes.append(cost(family, one, stop))
                if stop < len(one.checks):
                    at = one.checks[stop]
                    right.append(sum(at.right) / len(at.right))
                    tokens.append(at.tokens + sum(at.lengths) / len(at.lengths))
                else:
                    right.append(float(one.right))
                    tokens.append(one.thinking + one.answering)
            n = len(made)
            assert point.family == family.name
            assert point.threshold == pytest.approx(family.shown(threshold))
            assert point.accuracy == pytest.approx(sum(right) / n)
            assert point.tokens == pytest.approx(sum(tokens) / n)
            assert point.with_probes == pytest.approx((sum(tokens) + sum(probes)) / n)
            assert point.stopped == pytest.approx(sum(stopped) / n)


@settings(max_examples=30)
@given(chains())
def test_the_oracle_stops_where_half_the_answers_are_first_right(made: list[Chain]) -> None:
    right, tokens = [], []
    for one in made:
        for at in one.checks:
            if 2 * sum(at.right) >= len(at.right):
                right.append(sum(at.right) / len(at.right))
                tokens.append(at.tokens + sum(at.lengths) / len(at.lengths))
                break
        else:
            right.append(float(one.right))
            tokens.append(one.thinking + one.answering)
    expected = np.mean(right), np.mean(tokens)
    assert Replay(made).oracle() == pytest.approx(expected)


def test_one_chain_without_check_points() -> None:
    replayed = Replay([chain([])])
    assert (replayed.accuracy, replayed.mean_tokens) == (1.0, 3 + ANSWERING)
    assert replayed.oracle() == (1.0, 3 + ANSWERING)
    for family, _ in cases():
        point = replayed.curve(family)[0]
        assert (point.accuracy, point.with_probes, point.stopped) == (1.0, 3 + ANSWERING, 0.0)


def test_a_chain_that_stops_at_every_check_point() -> None:
    made = [chain([check(10 * n, stable=5) for n in range(1, 4)]), chain([])]
    replayed = Replay(made)
    assert replayed.stops(families.k_stable(), [0.5 - 2]).tolist() == [[0], [0]]
    (point,) = replayed.curve(families.k_stable(), [0.5 - 2])
    assert (point.stopped, point.accuracy) == (0.5, (0.5 + 1) / 2)
    assert point.tokens == (10 + 29 + 3 + ANSWERING) / 2


def test_rows_of_a_problem_are_found_together() -> None:
    made = [chain([], problem=name) for name in ("a", "b", "a")]
    assert Replay(made).by_problem() == [[0, 2], [1]]


def test_no_answer_differs_from_every_other() -> None:
    assert families.different(["a", "a", None, None]) == 3
    assert families.different([]) == 0
