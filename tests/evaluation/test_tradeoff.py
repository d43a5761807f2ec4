"""Areas, matched thresholds, intervals and calibration against known truths."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made import ANSWERING, chain, check

from agentflow.errors import BadInput
from agentflow.evaluation import families
from agentflow.evaluation.chains import Chain
from agentflow.evaluation.families import entropy_level, k_stable
from agentflow.evaluation.intervals import risk_p_value
from agentflow.evaluation.replay import Point, Replay
from agentflow.evaluation.tradeoff import (
    area,
    calibrate,
    crossed,
    fewest_problems,
    matched,
    mean_losses,
    saving,
)
from agentflow.monitors.rules import Average


def point(tokens: float, accuracy: float) -> Point:
    return Point("made", 0.0, accuracy, tokens, tokens, 1.0)


class TestArea:
    def test_of_a_line(self) -> None:
        assert area([point(0, 0.0), point(100, 1.0)], 0, 100) == pytest.approx(0.5)
        assert area([point(100, 1.0), point(0, 0.0)], 50, 100) == pytest.approx(0.75)

    def test_of_two_lines(self) -> None:
        points = [point(0, 0.0), point(50, 1.0), point(100, 1.0)]
        assert area(points, 0, 100) == pytest.approx(0.75, abs=1e-3)

    def test_beyond_its_points_a_curve_is_level(self) -> None:
        assert area([point(50, 0.5)], 0, 100) == pytest.approx(0.5)
        points = [point(40, 0.2), point(60, 0.8)]
        assert area(points, 0, 100) == pytest.approx(0.4 * 0.2 + 0.2 * 0.5 + 0.4 * 0.8, abs=1e-3)


def stopping(p: Sequence[bool], *, stable: int = 2) -> list[Chain]:
    """A chain a problem, right if left alone after 203 tokens; k-stable stops it after 100, where
    it is right as ``p`` says."""
    return [
        chain(
            [check(100, answers=["a" if one else "b"], stable=stable), check(200, stable=stable)],
            problem=f"problem {n}",
        )
        for n, one in enumerate(p)
    ]


class TestMatched:
    def test_the_most_that_costs_no_accuracy(self) -> None:
        made = [
            chain([check(50, stable=3, answers=["b"]), check(100, stable=5, answers=["a"])])
            for _ in range(3)
        ]
        found = matched(Replay(made), families.k_stable())
        assert found is not None
        assert (found.point.threshold, found.point.accuracy) == (5, 1.0)
        assert found.saved.value == pytest.approx(1 - (100 + 29) / (103 + ANSWERING))
        assert (found.change.value, found.change.low, found.change.high) == (0, 0, 0)

    def test_slack_allows_a_loss(self) -> None:
        made = stopping([True] * 9 + [False])
        assert matched(Replay(made), families.k_stable()) is None
        found = matched(Replay(made), families.k_stable(), slack=0.1)
        assert found is not None
        assert found.change.value == pytest.approx(-0.1)

    def test_probes_can_cost_more_than_they_save(self) -> None:
        checks = [check(n, entropy=0.0, confidence=0.1) for n in range(1, 50)]
        late = check(50, confidence=0.999, answers=["a"])
        assert matched(Replay([chain([*checks, late])]), families.confidence()) is None

    def test_equal_means_are_equal_whatever_their_rounding(self) -> None:
        made = [
            chain(
                [check(50, answers=["a"] * n + ["b"] * (10 - n), stable=9)],
                problem=str(n),
                right=n > 5,
            )
            for n in (7, 2, 1, 0)  # 0.7 + 0.2 + 0.1 is below 1
        ]
        assert matched(Replay(made), families.k_stable()) is not None


class TestSaving:
    def test_the_interval_covers_what_is_true(self) -> None:
        rng = np.random.default_rng(1)
        covered = 0
        for _ in range(100):
            made = stopping(list(rng.random(80) < 0.7))
            change = saving(Replay(made), families.k_stable(), point(0, 0), 0.5 - 2).change
            covered += change.low <= -0.3 <= change.high
        assert 88 <= covered <= 100

    def test_chains_on_one_problem_are_drawn_together(self) -> None:
        alone = stopping([True, False] * 20)
        again = [one for one in alone for _ in range(5)]
        narrow = saving(Replay(alone), families.k_stable(), point(0, 0), 0.5 - 2).change
        same = saving(Replay(again), families.k_stable(), point(0, 0), 0.5 - 2).change
        assert (same.value, same.low, same.high) == (narrow.value, narrow.low, narrow.high)


def tail(k: int, n: int, p: Fraction) -> Fraction:
    """Probability of at most ``k`` of ``n``, exactly."""
    return sum((math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k + 1)), Fraction(0))


class TestPValue:
    @pytest.mark.parametrize(("n", "k"), [(10, 0), (50, 1), (100, 4), (125, 12), (400, 30)])
    def test_against_the_exact_binomial(self, n: int, k: int) -> None:
        epsilon = Fraction(1, 8)
        bentkus = math.e * float(tail(k, n, epsilon))
        a, b = k / n, 1 / 8
        relative = (a * math.log(a / b) if a else 0) + (1 - a) * math.log((1 - a) / (1 - b))
        hoeffding = math.exp(-n * relative)
        assert risk_p_value(k / n, n, 1 / 8) == pytest.approx(min(1.0, bentkus, hoeffding))
        assert risk_p_value(k / n, n, 1 / 8) >= float(tail(k, n, epsilon))

    def test_no_evidence_is_one(self) -> None:
        assert risk_p_value(0.1, 100, 0.1) == risk_p_value(0.5, 100, 0.1) == 1.0

    def test_many_problems(self) -> None:
        assert risk_p_value(0.09, 100_000, 0.1) < 1e-20
        assert 0.0 < risk_p_value(0.099, 5000, 0.1) <= 1.0

    @given(st.integers(1, 300), st.floats(0, 1), st.floats(0.01, 0.99))
    def test_it_is_a_probability_that_grows_with_the_loss(
        self, n: int, loss: float, epsilon: float
    ) -> None:
        p = risk_p_value(loss, n, epsilon)
        assert 0.0 <= p <= 1.0
        assert risk_p_value(loss / 2, n, epsilon) <= p + 1e-12

    @pytest.mark.parametrize(("epsilon", "delta"), [(0.02, 0.1), (0.05, 0.05), (0.3, 0.01)])
    def test_how_many_problems_it_takes(self, epsilon: float, delta: float) -> None:
        n = fewest_problems(epsilon, delta)
        assert risk_p_value(0.0, n, epsilon) <= delta < risk_p_value(0.0, n - 1, epsilon)


def drawn(rng: np.random.Generator, problems: int, chains: int = 1) -> list[Chain]:
    """Chains that are right if left alone. Stopping at the first check point loses an answer with
    probability 0.3, at the second 0.1, at the third 0.02; chains on a problem are alike."""
    made = []
    for n in range(problems):
        level = rng.random()
        checks = [
            check(10 * i, stable=stable, answers=["b" if level < risk else "a"])
            for i, (stable, risk) in enumerate([(2, 0.3), (5, 0.1), (10, 0.02)], 1)
        ]
        made += [chain(checks, problem=f"problem {n}", seed=s) for s in range(chains)]
    return made


LOSS = dict(zip((2, 3, 4, 5, 6, 7, 10), (0.3, *[0.1] * 3, *[0.02] * 3), strict=True))
"""What k-stable loses on them."""


class TestCalibrate:
    @pytest.mark.parametrize(("epsilon", "chains"), [(0.1, 1), (0.05, 1), (0.1, 2)])
    def test_the_loss_is_exceeded_in_at_most_delta_of_draws(
        self, epsilon: float, chains: int
    ) -> None:
        rng, delta, draws = np.random.default_rng(7), 0.1, 100
        exceeded = certified = 0
        for seed in range(draws):
            found = calibrate(
                drawn(rng, 160, chains), families.k_stable(), epsilon, delta, seed=seed
            )
            if found.threshold is not None:
                certified += 1
                exceeded += LOSS.get(int(found.threshold), 0.0) > epsilon
        assert certified > draws / 2
        assert exceeded <= delta * draws

    def test_what_is_certified_saves_most(self) -> None:
        made = drawn(np.random.default_rng(0), 2000)
        found = calibrate(made, families.k_stable(), 0.15, 0.1)
        assert (found.threshold, found.problems) == (5, 1000)  # of equals, the most careful
        assert found.held_out is not None
        assert found.held_out.change.low <= -0.1 <= found.held_out.change.high

    def test_chains_on_one_problem_are_one_draw(self) -> None:
        rng = np.random.default_rng(3)
        few = drawn(rng, 20, 50)
        assert fewest_problems(0.1, 0.1) > 10
        found = calibrate(few, families.k_stable(), 0.1, 0.1)
        assert (found.threshold, found.problems, found.held_out) == (None, 10, None)

    def test_a_problem_counts_once_however_many_its_chains(self) -> None:
        bad = [chain([check(10, stable=2, answers=["b"])], problem="bad") for _ in range(9)]
        good = [chain([check(10, stable=2, answers=["a"])], problem="good")]
        family = families.k_stable()
        losses = mean_losses(Replay([*bad, *good]), family)
        assert losses[family.thresholds.index(0.5 - 2)] == 0.5
        assert losses[family.thresholds.index(0.5 - 3)] == 0.0

    def test_gains_do_not_make_up_for_losses(self) -> None:
        lost = chain([check(10, stable=2, answers=["b"])], problem="lost")
        won = chain([check(10, stable=2, answers=["a"])], problem="won", right=False)
        assert mean_losses(Replay([lost, won]), families.k_stable())[0] == 0.5

    def test_nothing_can_be_certified_of_a_rule_that_always_loses(self) -> None:
        made = [chain([check(10, entropy=0.0, answers=["b"])], problem=str(n)) for n in range(200)]
        found = calibrate(made, families.entropy_variance(), 0.05, 0.1)
        assert (found.threshold, found.held_out) == (None, None)

    @pytest.mark.parametrize("bad", [0.0, 1.0, -1.0, 2.0, math.nan])
    def test_what_is_no_probability_is_refused(self, bad: float) -> None:
        made = stopping([True, True])
        with pytest.raises(BadInput, match="between 0 and 1"):
            calibrate(made, families.k_stable(), bad, 0.1)
        with pytest.raises(BadInput, match="between 0 and 1"):
            calibrate(made, families.k_stable(), 0.1, bad)

    def test_one_problem_is_too_few(self) -> None:
        with pytest.raises(BadInput, match="two problems"):
            calibrate(stopping([True]), families.k_stable(), 0.1, 0.1)


class TestCrossed:
    """Thresholds from other problems."""

    def test_a_rule_that_always_helps_saves_as_much_as_on_its_own(self) -> None:
        made = [
            chain([check(50, stable=2, answers=["a"]), check(100, stable=9)], problem=str(n))
            for n in range(20)
        ]
        replayed, family = Replay(made), k_stable()
        best = matched(replayed, family)
        assert best is not None
        saved, change = crossed(replayed, family)
        assert (saved.value, change.value) == (best.saved.value, 0.0)

    def test_what_helped_by_chance_does_not_count(self) -> None:
        """Each problem is helped by a threshold of its own, and by no other's."""
        made = []
        for n in range(40):
            level = 0.1 + n / 100
            wrong = [check(10 + i, entropy=level - 0.005, answers=["b"]) for i in range(3)]
            made.append(chain([*wrong, check(300, answers=["a"])], problem=str(n)))
        replayed, family = Replay(made), entropy_level(Average(1.0, first=True))
        _, change = crossed(replayed, family)
        best = matched(replayed, family)
        assert best is None or best.change.value >= 0
        assert change.value <= 0

    def test_a_rule_that_cannot_save_is_not_run(self) -> None:
        made = [chain([check(50, answers=["b"])], problem=str(n)) for n in range(8)]
        saved, change = crossed(Replay(made), entropy_level())
        assert (saved.value, change.value) == (0.0, 0.0)
