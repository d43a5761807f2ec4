from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow.graphs.early_exit import EarlyExitSettings
from agentflow.monitors.protocol import Memory
from agentflow.monitors.rules import (
    Average,
    Budget,
    Confidence,
    EntropyLevel,
    EntropyVariance,
    Rule,
    Stable,
    Stall,
    UniqueAnswers,
    stops,
)

ALPHAS = (0.01, 0.05, 0.1, 0.2, 0.4, 1.0)
VALUES = st.lists(st.floats(0, 12), max_size=30)


def algorithm_1(
    entropies: Sequence[float], alpha: float, delta: float
) -> tuple[list[tuple[float, float, float]], int | None]:
    """EAT, Algorithm 1, lines 1 to 10, letter by letter: its estimates and its exit."""
    m, v = 0.0, 0.0
    estimates, exit_at = [], None
    for n, eat in enumerate(entropies, 1):
        m = (1 - alpha) * m + alpha * eat
        v = (1 - alpha) * v + alpha * (eat - m) ** 2
        debiased = v / (1 - (1 - alpha) ** n)
        estimates.append((m, v, debiased))
        if debiased < delta and exit_at is None:
            exit_at = n
    return estimates, exit_at


def run(rule: Rule, values: Sequence[Any]) -> tuple[list[Memory], int | None]:
    """The memory after every check point, through JSON; and the first that stops, from 1."""
    memory: Memory = {}
    memories, first = [], None
    for n, value in enumerate(values, 1):
        memory, stop = rule.step(json.loads(json.dumps(memory)), value)
        memories.append(memory)
        if stop and first is None:
            first = n
    return memories, first


def stop_at(rule: Rule, values: Sequence[Any]) -> int | None:
    return run(rule, values)[1]


class TestEntropy:
    def test_it_is_algorithm_1_on_a_thousand_trajectories(self) -> None:
        rng = random.Random(3)
        stopped = 0
        for _ in range(1000):
            level, decay = rng.uniform(0, 8), rng.uniform(0.6, 1)
            entropies = [rng.uniform(0, level * decay**n) for n in range(rng.randrange(1, 80))]
            alpha, delta = rng.choice(ALPHAS), 2.0 ** -rng.randrange(40)
            expected, exit_at = algorithm_1(entropies, alpha, delta)
            memories, first = run(EntropyVariance(delta, Average(alpha)), entropies)
            found = [(one["mean"], one["raw"], one["variance"]) for one in memories]
            for mine, theirs in zip(found, expected, strict=True):
                assert mine == pytest.approx(theirs, rel=1e-12, abs=1e-12)
            assert first == exit_at
            stopped += exit_at is not None
        assert 100 < stopped < 900

    def test_the_defaults_are_the_papers(self) -> None:
        assert EntropyVariance().average == Average(alpha=0.2, first=False, debias=True)
        assert EntropyVariance().min_checks == 0

    @given(VALUES, st.sampled_from(ALPHAS), st.booleans())
    def test_the_mean_may_start_at_the_first_value(
        self, values: list[float], alpha: float, debias: bool
    ) -> None:
        mean, variance = values[0] if values else 0.0, 0.0
        memories, _ = run(EntropyVariance(0, Average(alpha, True, debias)), values)
        for n, (value, memory) in enumerate(zip(values, memories, strict=True), 1):
            mean = (1 - alpha) * mean + alpha * value
            variance = (1 - alpha) * variance + alpha * (value - mean) ** 2
            shown = variance / (1 - (1 - alpha) ** n) if debias else variance
            assert memory["mean"] == pytest.approx(mean, rel=1e-12, abs=1e-12)
            assert memory["variance"] == pytest.approx(shown, rel=1e-12, abs=1e-12)

    def test_without_debiasing_the_variance_is_as_it_is(self) -> None:
        plain, _ = run(EntropyVariance(0, Average(debias=False)), [1.0])
        corrected, _ = run(EntropyVariance(0), [1.0])
        assert plain[0]["variance"] == pytest.approx(0.2 * 0.8**2)
        assert corrected[0]["variance"] == pytest.approx(0.8**2)

    @given(VALUES, st.integers(0, 30))
    def test_it_never_stops_before_so_many_checks(self, values: list[float], least: int) -> None:
        free = [
            n
            for n in range(1, len(values) + 1)
            if run(EntropyVariance(0.5), values)[0][n - 1]["variance"] < 0.5
        ]
        expected = next((n for n in free if n >= least), None)
        assert stop_at(EntropyVariance(0.5, min_checks=least), values) == expected

    def test_the_threshold_itself_does_not_stop(self) -> None:
        first_from_start = Average(1.0)  # the mean is the value, the variance 0
        assert stop_at(EntropyVariance(0.0, first_from_start), [1.0, 2.0]) is None
        assert stop_at(EntropyVariance(1e-300, first_from_start), [1.0]) == 1

    def test_the_level_is_the_mean_from_the_first_value(self) -> None:
        values = [2.0, 0.0, 0.0, 0.0]  # means 2, 1.6, 1.28, 1.024
        assert stop_at(EntropyLevel(1.3), values) == 3
        assert stop_at(EntropyLevel(1.3, min_checks=4), values) == 4
        assert stop_at(EntropyLevel(1.0), values) is None
        assert stop_at(EntropyLevel(0.1), [3.0]) is None


class TestStall:
    def test_it_stops_a_chain_that_never_stabilises(self) -> None:
        restless = [4.0, 0.0] * 30
        assert stop_at(EntropyVariance(), restless) is None
        assert stop_at(Stall(5, 0.5), restless) is not None

    def test_it_leaves_one_that_does(self) -> None:
        settling = [4.0 * 0.5**n for n in range(30)]
        assert stop_at(Stall(5, 0.5), settling) is None

    @given(VALUES, st.integers(1, 8), st.sampled_from((0.1, 0.5, 1.0)))
    def test_it_compares_with_the_variance_a_window_ago(
        self, values: list[float], window: int, ratio: float
    ) -> None:
        variances = [estimate[2] for estimate in algorithm_1(values, 0.2, 0)[0]]
        slow = [
            n + 1
            for n in range(window, len(values))
            if variances[n] > ratio * variances[n - window]
        ]
        assert stop_at(Stall(window, ratio), values) == (slow[0] if slow else None)
        for memory in run(Stall(window, ratio), values)[0]:
            assert len(memory["recent"]) <= window + 1


class TestOthers:
    def test_confidence_stops_above_its_threshold(self) -> None:
        assert stop_at(Confidence(0.9), [0.1, 0.9, 0.91]) == 3

    @pytest.mark.parametrize(
        ("answers", "k", "distinct", "stop"),
        [
            (["a", "a"], 2, 1, True),
            (["a", "b"], 2, 1, False),
            (["a", "b"], 2, 2, True),
            (["a", "a", "b"], 2, 1, True),  # only the first k count
            (["a", None], 2, 1, False),
            (["a", None], 2, 2, True),
            ([None, None], 2, 1, False),  # no answer is like another
            ([None], 1, 1, True),
            (["a"], 1, 0, False),
        ],
    )
    def test_unique_answers(
        self, answers: list[str | None], k: int, distinct: int, stop: bool
    ) -> None:
        assert UniqueAnswers(k, distinct).step({}, answers) == ({}, stop)

    def test_no_answers_at_all_never_stop(self) -> None:
        assert UniqueAnswers(4, 3).step({}, []) == ({}, False)

    def test_stable(self) -> None:
        assert stop_at(Stable(3), [0, 1, 2, 1, 2, 3]) == 6

    def test_budget(self) -> None:
        assert stop_at(Budget(10), [3, 9, 10]) == 3


class TestCombination:
    RULES = (Budget(10), Stable(2))

    @pytest.mark.parametrize(
        ("tokens", "stable", "either", "both"),
        [
            (1, 1, [], []),
            (10, 1, ["budget"], []),
            (1, 2, ["k_stable"], []),
            (10, 2, ["budget", "k_stable"], ["budget", "k_stable"]),
        ],
    )
    def test_any_or_all(self, tokens: int, stable: int, either: list[str], both: list[str]) -> None:
        values = {"tokens": tokens, "stable": stable}
        assert stops(self.RULES, "any", {}, values)[1] == either
        assert stops(self.RULES, "all", {}, values)[1] == both

    def test_every_rule_keeps_its_own_memory_whether_or_not_it_stops(self) -> None:
        rules = (EntropyVariance(1e9), EntropyLevel(0), Budget(1))
        memories: Memory = {}
        for entropy in (1.0, 2.0):
            memories, _ = stops(rules, "any", memories, {"entropy": entropy, "tokens": 5})
        assert memories["entropy"] == run(rules[0], [1.0, 2.0])[0][-1]
        assert memories["entropy_level"] == run(rules[1], [1.0, 2.0])[0][-1]
        assert memories["budget"] == {}

    def test_no_rule_never_stops(self) -> None:
        assert stops((), "any", {}, {}) == ({}, [])

    def test_rules_are_called_as_the_settings_call_them(self) -> None:
        names = EarlyExitSettings.model_json_schema()["properties"]["rules"]["items"]["enum"]
        assert len(set(names)) == len(names) == 7
        assert [EarlyExitSettings().rule(name).name for name in names] == names
