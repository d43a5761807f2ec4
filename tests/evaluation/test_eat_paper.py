"""EAT, as the paper has it: its algorithms word for word, its grids, its metrics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from made import ANSWERING, chain, check

from agentflow.errors import BadInput
from agentflow.evaluation import families, resampling, sweep
from agentflow.evaluation.chains import Chain
from agentflow.evaluation.ends import capped, closed_end, solvable
from agentflow.evaluation.replay import Replay
from agentflow.evaluation.tradeoff import area, matched
from agentflow.monitors.rules import Average

Line = tuple[int, float]
"""A line of reasoning: its tokens, and the entropy behind it."""


def algorithm_1(lines: Sequence[Line], limit: int, delta: float, alpha: float) -> int:
    """The paper's box, line by line: how many lines there are at the exit."""
    m, v = 0.0, 0.0
    r: list[Line] = []
    n = 0
    while sum(tokens for tokens, _ in r) < limit:
        if n == len(lines):  # </think> is generated
            break
        r.append(lines[n])
        n += 1
        eat = r[-1][1]
        m = (1 - alpha) * m + alpha * eat
        v = (1 - alpha) * v + alpha * (eat - m) ** 2
        if v / (1 - (1 - alpha) ** n) < delta:
            break
    return n


def algorithm_2(lines: Sequence[Line], limit: int) -> int:
    """The same for a budget of tokens."""
    n = 0
    while sum(tokens for tokens, _ in lines[:n]) < limit and n < len(lines):
        n += 1
    return n


def algorithm_3(lines: Sequence[Line], answers: Callable[[int], list[str]], most: int) -> int:
    """The same for roll-outs."""
    for n in range(1, len(lines) + 1):
        if len(set(answers(n - 1))) <= most:
            return n
    return len(lines)


def drawn(rng: np.random.Generator) -> list[Line]:
    """A trajectory: the entropy falls and settles, or does not."""
    count = int(rng.integers(1, 40))
    settles = rng.random() < 0.7
    wide = np.exp(-np.arange(count) * rng.uniform(0.05, 0.5)) if settles else np.ones(count)
    eat = rng.uniform(0, 0.5) * (not settles) + np.abs(rng.normal(0, 1, count)) * wide
    return [(int(rng.integers(1, 90)), float(value)) for value in eat]


def recorded(lines: Sequence[Line], problem: str = "1 2 3 4", **more: object) -> Chain:
    """The trajectory as a recording has it."""
    tokens = np.cumsum([one for one, _ in lines])
    checks = [
        check(int(at), entropy=entropy, answers=("a", "b", "a"))
        for at, (_, entropy) in zip(tokens, lines, strict=True)
    ]
    return replace(chain(checks, problem=problem), **more)  # type: ignore[arg-type]


def test_algorithm_1_replayed_stops_where_the_papers_box_does_on_1000_trajectories() -> None:
    rng = np.random.default_rng(24)
    exits = set()
    for _ in range(1000):
        lines = drawn(rng)
        alpha = float(rng.choice([0.01, 0.05, 0.1, 0.2, 0.4]))
        limit = int(rng.choice([60, 400, 10_000]))
        whole = recorded(lines)
        one = capped(whole, limit)
        family = families.entropy_variance(Average(alpha))
        stops = Replay([one]).stops(family)[0]
        for delta, stop in zip(family.thresholds, stops, strict=True):
            n = algorithm_1(lines, limit, delta, alpha)
            assert min(stop + 1, len(one.checks)) == n, (alpha, delta, limit)
            exits.add((stop == len(one.checks), n == len(lines)))
        spent = sum(tokens for tokens, _ in lines[: algorithm_1(lines, limit, 0.0, alpha)])
        assert one.checks[-1].tokens == spent
        assert one.thinking == (spent if spent >= limit else whole.thinking)
    assert exits == {(True, True), (True, False), (False, True), (False, False)}


def test_algorithm_2_replayed_stops_where_the_papers_box_does_on_1000_trajectories() -> None:
    rng = np.random.default_rng(2)
    family = families.budget(range(1, 1600, 53))
    for _ in range(1000):
        lines = drawn(rng)
        one = recorded(lines)
        for threshold, stop in zip(family.thresholds, Replay([one]).stops(family)[0], strict=True):
            n = algorithm_2(lines, int(family.shown(threshold)))
            assert min(stop + 1, len(lines)) == n


def test_algorithm_3_replayed_stops_where_the_papers_box_does_under_every_draw() -> None:
    rng = np.random.default_rng(3)
    for _ in range(30):
        lines = drawn(rng)
        mind = [list(rng.choice(list("abcd"), 12)) for _ in lines]
        checks = [replace(check(10 * n), answers=said) for n, said in enumerate(mind, 1)]
        checks = [
            replace(one, right=[a == "a" for a in one.answers], lengths=[7] * 12) for one in checks
        ]
        found = resampling.draw(checks, 8)
        replayed = Replay([chain(checks)]).outcome(families.unique_answers(8))
        for place, most in enumerate((1, 2, 3)):
            exits = []
            for order in resampling._orders(12):
                said = [[answers[index] for index in order[:8]] for answers in mind]
                exits.append(algorithm_3(lines, said.__getitem__, most))
            stops = [
                next((n for n, value in enumerate(row, 1) if value <= most), len(lines))
                for row in found.different
            ]
            assert stops == exits
            reached = (found.different <= most).any(axis=1).mean()
            assert replayed.stopped[0, place] == pytest.approx(reached)


class TestGrids:
    """The thresholds that the papers sweep."""

    def test_eat_section_5_3_thresholds_of_the_variance(self) -> None:
        assert families.entropy_variance().thresholds == tuple(2.0**-k for k in range(40))

    def test_eat_section_5_3_budgets_are_250_times_1_to_40(self) -> None:
        made = [recorded([(6000, 1.0), (5000, 0.5)])]
        (budget,) = [one for one in sweep.families(made) if one.name == "token budget"]
        shown = sorted(budget.shown(threshold) for threshold in budget.thresholds)
        assert shown == [250.0 * n for n in range(1, 41)]

    def test_short_chains_have_finer_budgets_beside_the_papers(self) -> None:
        assert set(sweep.grid(400)) >= {10 * n for n in range(1, 41)} | set(families.BUDGETS)

    def test_eat_section_5_3_unique_answers_are_of_8_16_and_32_at_most_3(self) -> None:
        made = [chain([check(5, answers=["a"] * 128)])]
        found = [one for one in sweep.families(made) if one.probed == "answers"]
        assert [one.rollouts for one in found] == [8, 16, 32]
        for one in found:
            assert [one.shown(threshold) for threshold in one.thresholds] == [1, 2, 3]

    def test_eat_appendix_i_3_timescales(self) -> None:
        assert sweep.ALPHAS == (0.01, 0.05, 0.1, 0.2, 0.4)

    def test_eat_code_waits_for_25_check_points_and_interwhens_for_4(self) -> None:
        names = [one.name for one in sweep.families([chain([check(5)])])]
        for least in (4, 25):
            assert f"entropy variance, alpha 0.2, as in the code, from check {least}" in names

    def test_eat_figure_19_asks_roll_outs_every_64_lines(self) -> None:
        checks = [check(n, answers=["a"] * 40) for n in range(1, 200)]
        (spaced,) = [one for one in sweep.families([chain(checks)]) if one.every == 64]
        assert (spaced.rollouts, [n for n, one in enumerate(spaced.asked(checks)) if one]) == (
            32,
            [63, 127, 191],
        )
        (point,) = Replay([chain(checks)]).curve(spaced, [1.5])
        assert point.tokens == 64 + 29
        assert point.with_probes - point.tokens == 32 * 29

    @pytest.mark.parametrize(
        ("family", "papers"),
        [
            (families.entropy_level(), (0.2, 0.1, 0.04, 0.008, 0.005, 0.003, 0.001, 1e-4)),
            (families.confidence(), (0.85, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99, 0.995)),
            (families.k_stable(), (2, 3, 4, 5, 6, 7, 10, 15, 100)),
        ],
        ids=["entropy level", "confidence", "k-stable"],
    )
    def test_interwhen_appendix_a_1_thresholds_are_in_the_grid(
        self, family: families.Family, papers: tuple[float, ...]
    ) -> None:
        assert {*papers} <= {family.shown(threshold) for threshold in family.thresholds}


class TestUniqueAnswers:
    """#UA@K (EAT, sections 5.2 and 5.3)."""

    def test_section_5_3_means_are_over_64_draws(self) -> None:
        assert resampling.DRAWS == 64
        drawn = resampling.draw([check(5, answers=["a"] * 6 + ["b"] * 6)], 4)
        assert drawn.different.shape == (64, 1)
        assert 1 < drawn.different.mean() < 2 < 2.1

    def test_answers_that_stop_do_not_score(self) -> None:
        """All that agree are wrong: a stop by them is as right as the others, of which it knows
        nothing."""
        said = ["b"] * 8 + ["a"]
        drawn = resampling.draw([check(5, answers=said, lengths=range(9))], 8)
        alone = drawn.different == 1
        assert drawn.right[alone] == pytest.approx(1.0)
        assert drawn.cost[alone] == pytest.approx(sum(range(8)))
        assert not drawn.right[~alone].any()

    def test_where_none_are_left_to_score_it_never_stops(self) -> None:
        made = [chain([check(5, answers=["a"] * 8)])]
        (point,) = Replay(made).curve(families.unique_answers(8), [1.5])
        assert (point.stopped, point.tokens) == (0, 5 + 3 + ANSWERING)
        assert all(one.rollouts < 8 for one in sweep.families(made))

    def test_what_is_no_answer_differs_from_all(self) -> None:
        found = resampling.draw([check(5, answers=[None] * 9)], 8)
        assert (found.different == 8).all()


class TestCappedChains:
    """EAT, Algorithm 1: behind the limit T comes line 11, an answer behind the closed thinking."""

    def test_a_capped_chain_is_as_right_as_what_it_answers_at_its_limit(self) -> None:
        """A stop in the middle of a hopeless chain is no gain of accuracy."""
        half = check(100, entropy=0.0, answers=["a"] * 69 + ["b"] * 31)
        end = check(200, entropy=2.0, answers=["a"] * 69 + ["b"] * 31)
        cut = [
            replace(chain([half, end], problem=str(n), right=False), finished=False)
            for n in range(10)
        ]
        replayed = Replay(cut)
        assert replayed.accuracy == pytest.approx(0.69)
        found = matched(replayed, families.entropy_variance())
        assert found is not None
        assert found.change.value == pytest.approx(0.0)

    def test_what_was_asked_at_the_limit_counts_before_the_last_check_point(self) -> None:
        one = replace(chain([check(10, answers=["b"])], right=False), finished=False)
        one = replace(one, end=check(13, answers=["a", "a", "b"]))
        assert closed_end(one) == one.end
        assert Replay([one]).accuracy == pytest.approx(2 / 3)
        assert Replay([one]).mean_tokens == 13 + 29

    def test_section_5_1_pass_at_1_at_the_end_is_over_all_roll_outs(self) -> None:
        one = replace(chain([check(10)]), end=check(13, answers=["a", "b", "b", "b"]))
        assert Replay([one]).accuracy == 0.25

    def test_a_capped_chain_of_which_nothing_is_known_is_left_out(self) -> None:
        cut = replace(chain([], right=False), finished=False)
        replayed = Replay([cut, chain([check(5)])])
        assert (replayed.left_out, len(replayed.chains), replayed.accuracy) == (1, 1, 1.0)
        assert sweep.sweep([cut, chain([check(5)])]).left_out == 1
        with pytest.raises(BadInput, match="every chain hit the recording's limit"):
            Replay([cut])


def test_appendix_i_4_keeps_problems_with_pass_at_1_of_at_least_0_8() -> None:
    ends = [["a"] * 8 + ["b"] * 2, ["a"] * 7 + ["b"] * 3]
    made = [
        replace(chain([check(5)], problem=str(n)), end=check(8, answers=said))
        for n, said in enumerate(ends)
    ]
    assert solvable(made) == made[:1]
    assert solvable(made, 0.7) == made
    assert solvable([replace(chain([], right=False), finished=False)]) == []


def test_figure_4_the_confidence_is_averaged_as_the_entropy_is() -> None:
    values = [0.4, 0.9, 0.91, 0.92, 0.92]
    checks = [check(n, entropy=value, confidence=value) for n, value in enumerate(values, 1)]
    for alpha in (0.1, 0.2):
        entropy = families.entropy_variance(Average(alpha))
        ours = families.confidence_variance(Average(alpha))
        assert ours.values(checks) == entropy.values(checks)
        assert (ours.probed, ours.thresholds) == ("confidence", entropy.thresholds)


def test_figures_13_and_21_areas_are_without_probes_and_with_them() -> None:
    made = [chain([check(n, answers=["a"]) for n in range(1, 90)])]
    points = Replay(made).curve(families.confidence())
    assert area(points, 0, 100, probes=False) >= area(points, 0, 100)
    (line,) = [one for one in sweep.sweep(made).lines if one.family == "k-stable"]
    assert line.area == line.area_alone  # it has no probes


def test_appendix_i_3_prefixes_are_replayed_side_by_side() -> None:
    """One recording holds the entropy with the prefix, without it, and the controls."""
    names = ["no prefix", "line break", "["]
    checks = [replace(check(n), controls=[1 / n, 0.0, float(n % 2)]) for n in range(1, 9)]
    made = [replace(chain(checks), controls=names)]
    found = {one.name: one for one in sweep.families(made)}
    for index, name in enumerate(names):
        for alpha in sweep.ALPHAS:
            family = found[f"{name}: entropy variance, alpha {alpha:g}"]
            same = [replace(one, entropy=one.controls[index]) for one in checks]
            assert family.values(checks) == families.entropy_variance(Average(alpha)).values(same)


def test_interwhen_figures_2_and_3_have_accuracy_by_the_share_of_tokens() -> None:
    checks = [check(10 * n, stable=n, entropy=1 / n, confidence=1 - 0.1 / n) for n in range(1, 20)]
    table = sweep.sweep([chain(checks)])
    found = sweep.relative(table)
    assert list(found) == ["entropy level, alpha 0.2", "confidence", "k-stable"]
    assert [len(points) for points in found.values()] == [8, 8, 9]
    by_k = {k: share for k, share, _ in found["k-stable"]}
    assert by_k[2] == pytest.approx((20 + 29) / table.tokens)
    assert by_k[100] == 1.0
