"""The searches on small trees with known scores, against looking at every leaf."""

from __future__ import annotations

import asyncio
import math
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from trees import PROBLEM, Tree, tree

from agentflow.errors import ModelUnavailable
from agentflow.models import Token
from agentflow.problem import Problem
from agentflow.search import (
    Aggregate,
    Found,
    Path,
    beam,
    best_of_n,
    dvts,
    lookahead,
    mcts,
    momentum,
    particles,
    power,
    rebase,
    rejection,
    reward,
    sharpened,
)
from agentflow.search.power import accepted
from agentflow.search.rebase import balanced

TREES = st.builds(
    tree, st.integers(1, 3), st.integers(1, 4), st.integers(0, 999), early=st.sampled_from([0, 0.3])
)
SEARCHES: dict[str, Any] = {
    "best_of_n": best_of_n,
    "beam": beam,
    "lookahead": lookahead,
    "dvts": dvts,
    "rebase": rebase,
    "rejection": rejection,
    "particles": particles,
    "mcts": mcts,
    "momentum": momentum,
    "power": power,
}


def search(name: str, found: Any, size: int, *place: str | int, **options: Any) -> Found:
    return asyncio.run(SEARCHES[name](PROBLEM, found, found, size, *place, **options))


def golden(found: Tree) -> tuple[str, ...]:
    """Make one leaf right in every step, and only that; returns it."""
    leaf = max(found.leaves)
    found.values.update({leaf[:count]: 1.0 for count in range(1, len(leaf) + 1)})
    return leaf


class TestReward:
    @given(st.lists(st.floats(0, 1), min_size=1, max_size=6))
    def test_it_is_what_its_name_says(self, scores: list[float]) -> None:
        path = Path(("s",) * len(scores), tuple(scores))
        assert reward(path) == pytest.approx(sum(scores) / len(scores))
        assert reward(path, "min") == min(scores)
        assert reward(path, "last") == scores[-1]
        expected = 1.0
        for score in scores:
            expected *= score
        assert reward(path, "product") == pytest.approx(expected)

    def test_nothing_scored_is_worth_nothing(self) -> None:
        assert reward(Path(("a",))) == 0.0


class TestBestOfN:
    @given(TREES, st.integers(1, 8))
    def test_it_is_the_best_of_its_trajectories(self, found: Tree, n: int) -> None:
        result = search("best_of_n", found, n)
        assert len(result.paths) == n
        assert all(path.done for path in result.paths)
        worth = [reward(path) for path in result.paths]
        assert result.best is result.paths[worth.index(max(worth))]  # of equals the first

    @given(TREES)
    def test_enough_trajectories_find_what_looking_at_every_leaf_finds(self, found: Tree) -> None:
        result = search("best_of_n", found, 400)
        if {path.steps for path in result.paths} == found.leaves:
            assert reward(result.best) == found.best()
        assert reward(result.best) <= found.best()

    def test_trajectories_are_independent(self) -> None:
        found = tree(3, 3, 1)
        search("best_of_n", found, 5, "x")
        assert [place for _, place, _ in found.rolled] == [("x", i) for i in range(5)]

    def test_one_that_was_cut_off_is_no_choice_beside_one_that_ended(self) -> None:
        found = tree(1, 3, 0)
        found.values = {("0",): 0.9, ("0", "0"): 0.1, ("0", "0", "0"): 0.0}

        class Cut(Tree):
            async def finish(self, path: Path, *place: Any, steps: int | None = None) -> Path:
                return await super().finish(path, *place, steps=1 if place[-1] == 0 else None)

        cut = Cut(1, found.values, found.leaves)
        result = search("best_of_n", cut, 2)
        assert [len(path.steps) for path in result.paths] == [1, 3]
        assert result.best.done


class TestBeam:
    @given(TREES)
    def test_a_beam_that_holds_everything_finds_the_best_leaf(self, found: Tree) -> None:
        whole = 3**4
        assert reward(search("beam", found, whole, each=3).best) == found.best()

    @given(TREES, st.integers(1, 4))
    def test_it_prunes_only_at_common_step_boundaries(self, found: Tree, k: int) -> None:
        result = search("beam", found, k)
        for level, paths in enumerate(found.scored, 1):
            assert {len(path.steps) for path in paths if not path.done} <= {level}
            assert all(len(path.steps) <= level for path in paths)
        grown: dict[Any, list[int]] = {}
        for path, n, place in found.expanded:
            assert place[0] == len(path.steps)
            grown.setdefault(place[0], []).append(n)
        assert all(sum(shared) <= k for shared in grown.values())
        assert grown[0] == [k]
        assert all(path.done for path in result.paths)

    @pytest.mark.parametrize(
        ("k", "kept"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 2), (8, 3), (10, 3)]
    )
    def test_section_2_k_candidates_in_all_stand_at_every_boundary(self, k: int, kept: int) -> None:
        """Adaptive compute, tables 5 and 6: a beam costs what k trajectories cost."""
        found = tree(4, 4, 11)
        search("beam", found, k)
        shared = [[n for path, n, _ in found.expanded if len(path.steps) == at] for at in range(4)]
        assert [sum(one) for one in shared] == [k] * 4
        assert all(len(one) == kept for one in shared[1:])
        assert all(max(one) - min(one) <= 1 for one in shared)

    @given(TREES, st.integers(1, 4))
    def test_it_keeps_the_best_prefixes_by_their_mean_so_far(self, found: Tree, k: int) -> None:
        search("beam", found, k, each=found.width)
        ended: list[Path] = []
        for level, paths in enumerate(found.scored, 1):
            assert len({path.steps for path in paths}) == len(paths)
            here = [found.at(path.steps) for path in paths]
            ended += [path for path in here if path.done]
            rest = [path for path in here if not path.done]
            ranked = sorted([*ended, *rest], key=lambda path: -reward(path))
            kept = [path.steps for path in ranked[:k] if not path.done]
            grown = [p.steps for p, _, place in found.expanded if place[0] == level]
            assert grown == kept

    @given(TREES, st.integers(1, 4))
    def test_a_right_path_that_it_meets_is_what_it_returns(self, found: Tree, k: int) -> None:
        leaf = golden(found)
        result = search("beam", found, k, each=found.width)
        if any(path.steps == leaf for paths in found.scored for path in paths):
            assert result.best.steps == leaf
        assert result.best.steps == leaf

    def test_of_prefixes_that_say_the_same_the_first_is_kept(self) -> None:
        class Named(Tree):
            def child(self, path: Path, i: int) -> Path:
                longer = super().child(path, i // 2)
                return Path(longer.steps, longer.scores, longer.done, payload=i)

        values = dict.fromkeys([("0",), ("1",)], 0.5)
        result = search("beam", Named(4, values, set(values)), 4, each=4)
        assert [(path.steps, path.payload) for path in result.paths] == [(("0",), 0), (("1",), 2)]

    def test_an_ended_path_that_loses_its_place_is_remembered(self) -> None:
        values = {("0",): 0.5, ("1",): 0.6, ("1", "0"): 0.6, ("1", "1"): 0.6}
        values |= {("1", a, b): 0.0 for a in "01" for b in "01"}
        found = Tree(2, values, {("0",), *(steps for steps in values if len(steps) == 3)})
        result = search("beam", found, 2, each=2)
        roots = [path.steps for path, _, _ in found.expanded]
        assert roots == [(), ("1",), ("1", "0"), ("1", "1")]  # ("0",) had lost its place
        assert result.best.steps == ("0",)

    def test_the_search_ends_when_no_prefix_keeps_up_with_what_has_ended(self) -> None:
        found = tree(2, 4, 0)
        found.values[("0",)] = 1.0
        found.leaves.add(("0",))
        search("beam", found, 2)
        assert len(found.expanded) == 1

    @pytest.mark.parametrize("most", [0, 1, 2])
    def test_the_step_budget_ends_it(self, most: int) -> None:
        result = search("beam", tree(2, 4, 3), 2, max_steps=most)
        assert {len(path.steps) for path in result.paths} == {most}


class TestLookahead:
    @given(TREES, st.integers(0, 4), st.integers(1, 4))
    def test_it_commits_exactly_one_step_at_a_time(
        self, found: Tree, depth: int, candidates: int
    ) -> None:
        result = search("lookahead", found, depth, candidates=candidates)
        roots = [path for path, _, _ in found.expanded]
        assert [len(path.steps) for path in roots] == list(range(len(result.best.steps)))
        for before, after in zip(roots, [*roots[1:], result.best], strict=True):
            assert after.steps[:-1] == before.steps
            assert len(after.scores) == len(after.steps)
        assert all(n == candidates for _, n, _ in found.expanded)
        assert all(steps == depth for _, _, steps in found.rolled)
        assert result.best.done

    @given(TREES, st.integers(0, 4), st.integers(1, 4))
    def test_the_step_is_the_one_whose_roll_out_is_worth_most(
        self, found: Tree, depth: int, candidates: int
    ) -> None:
        result = search("lookahead", found, depth, candidates=candidates)
        for level, rollouts in enumerate(found.scored):
            worth = [
                sum(found.of(p)[level:]) / len(p.steps[level:])  # its own step and what follows
                for p in (Path(one.steps) for one in rollouts)
            ]
            chosen = rollouts[worth.index(max(worth))]
            assert result.best.steps[: level + 1] == chosen.steps[: level + 1]

    def test_what_is_committed_has_no_part_in_the_worth(self) -> None:
        values = {("0",): 0.0, ("0", "0"): 0.4, ("0", "1"): 0.5}
        found = Tree(2, {**values, ("1",): 0.0}, {("0", "0"), ("0", "1"), ("1",)})
        result = search("lookahead", found, 0, candidates=2)
        assert result.best.steps == ("0", "1")
        assert result.best.scores == (0.0, 0.5)

    @given(TREES)
    def test_with_every_step_in_sight_a_right_path_is_followed(self, found: Tree) -> None:
        leaf = golden(found)
        result = search("lookahead", found, 0, candidates=found.width)
        assert result.best.steps == leaf

    @pytest.mark.parametrize(
        ("p", "steps"), [(1, [1]), (2, [1, 1]), (3, [2, 1]), (4, [2, 2]), (10, [3, 3, 2, 2])]
    )
    def test_section_2_candidates_and_depth_share_the_parameter(
        self, p: int, steps: list[int]
    ) -> None:
        """Adaptive compute, tables 5 and 6: p steps are generated for each that is committed."""
        found = tree(2, 6, 3)
        search("lookahead", found, p, max_steps=1)
        ((_, n, _),) = found.expanded
        assert n == len(steps)
        assert [1 + (deep or 0) for *_, deep in found.rolled] == [one for one in steps if one > 1]

    def test_the_step_budget_ends_it(self) -> None:
        assert len(search("lookahead", tree(2, 4, 3), 2, max_steps=2).best.steps) == 2


class TestDVTS:
    @given(TREES, st.integers(1, 4), st.integers(1, 4))
    def test_each_tree_follows_the_best_of_its_own_candidates(
        self, found: Tree, trees: int, each: int
    ) -> None:
        result = search("dvts", found, trees * each, each=each)
        assert len(result.paths) >= 1
        wide, drawn = min(each, found.width), [path for path, _, _ in found.expanded]
        for path in drawn:
            for count in range(1, len(path.steps) + 1):
                rivals = [(*path.steps[: count - 1], str(i)) for i in range(wide)]
                assert reward(found.at(path.steps[:count])) == max(
                    reward(found.at(rival)) for rival in rivals
                )

    @pytest.mark.parametrize(
        ("n", "widths"), [(1, [1]), (2, [2]), (3, [3]), (4, [2, 2]), (5, [3, 2]), (9, [3, 3, 3])]
    )
    def test_trees_and_candidates_share_n(self, n: int, widths: list[int]) -> None:
        found = tree(4, 4, 11)
        search("dvts", found, n)
        for step in range(4):
            assert [n for _, n, place in found.expanded if place[0] == step] == widths

    def test_trees_do_not_compete(self) -> None:
        """A beam leaves the tree that begins worse; here it is brought to its end, and wins."""

        class Two(Tree):
            async def expand(self, path: Path, n: int, *place: str | int) -> list[Path]:
                self.expanded.append((path, n, place))
                return [self.child(path, int(place[-1]) if not path.steps else 0)] * n

        values = {("0",): 0.9, ("0", "0"): 0.1, ("1",): 0.3, ("1", "0"): 0.9}
        found = Two(2, values, {("0", "0"), ("1", "0")})
        result = search("dvts", found, 4, each=2)
        assert [path.steps for path in result.paths] == [("0", "0"), ("1", "0")]
        assert result.best.steps == ("1", "0")

    def test_what_ended_is_remembered_where_the_tree_went_on(self) -> None:
        values = {("0",): 0.8, ("1",): 0.81, ("1", "0"): 0.1, ("1", "1"): 0.1}
        found = Tree(2, values, {("0",), ("1", "0"), ("1", "1")})
        assert search("dvts", found, 2).best.steps == ("0",)
        assert search("dvts", found, 2, max_steps=1).best.steps == ("0",)

    def test_the_step_budget_ends_it(self) -> None:
        assert len(search("dvts", tree(2, 4, 3), 2, max_steps=2).best.steps) == 2


class TestREBASE:
    @given(
        st.lists(st.floats(0, 1), min_size=1, max_size=8), st.integers(0, 20), st.floats(0.01, 5)
    )
    def test_shares_are_those_of_the_softmax_and_sum_to_the_total(
        self, rewards: list[float], total: int, temperature: float
    ) -> None:
        given_ = balanced(rewards, total, temperature)
        assert sum(given_) == total
        weights = [math.exp((one - max(rewards)) / temperature) for one in rewards]
        for share, weight in zip(given_, weights, strict=True):
            assert abs(share - total * weight / sum(weights)) <= 1 + 1e-6

    @given(TREES, st.integers(1, 8))
    def test_no_more_than_n_are_ever_drawn_and_none_is_lost(self, found: Tree, n: int) -> None:
        result = search("rebase", found, n)
        for step in range(4):
            assert sum(width for _, width, place in found.expanded if place[0] == step) <= n
        assert len(result.paths) == n
        assert all(path.done for path in result.paths)

    def test_what_scores_well_gets_most(self) -> None:
        found = tree(2, 2, 0)
        found.values |= {("0",): 0.9, ("1",): 0.3}
        search("rebase", found, 8)
        at = {path.steps: 0 for path, _, place in found.expanded if place[0] == 1}
        for path, width, place in found.expanded:
            if place[0] == 1:
                at[path.steps] += width
        assert sum(at.values()) == 8
        assert at[("0",)] >= 7

    @pytest.mark.parametrize("temperature", [0.0, -1.0])
    def test_a_temperature_that_is_none(self, temperature: float) -> None:
        with pytest.raises(ValueError, match="temperature"):
            search("rebase", tree(2, 2, 0), 4, temperature=temperature)


class TestRejection:
    @given(TREES, st.integers(1, 8), st.floats(0, 0.99), st.integers(1, 4))
    def test_as_many_go_as_are_to_go(self, found: Tree, n: int, share: float, every: int) -> None:
        result = search("rejection", found, n, share=share, every=every)
        widths = [0] * 5
        for _, width, place in found.expanded:
            widths[int(place[0])] += width
        assert widths[0] == n
        for step, (before, after) in enumerate(pairwise(widths), 1):
            assert after <= before
            if step % every == 0:
                assert after <= before - min(math.floor(before * share), before - 1)
        assert result.best.done
        assert 1 <= len(result.paths) <= n

    @given(TREES, st.integers(1, 8))
    def test_where_nothing_is_given_up_it_is_best_of_n(self, found: Tree, n: int) -> None:
        result = search("rejection", found, n, share=0.0)
        assert len(result.paths) == n
        assert reward(result.best) == max(map(reward, result.paths))

    @pytest.mark.parametrize(("share", "left"), [(0.7, 3), (0.3, 7), (0.9, 1), (0.95, 1)])
    def test_a_share_is_not_rounded_up_by_what_floats_lack(self, share: float, left: int) -> None:
        found = tree(2, 3, 0)
        search("rejection", found, 10, share=share, every=1)
        assert sum(width for _, width, place in found.expanded if place[0] == 1) == left

    def test_the_worst_are_given_up(self) -> None:
        found = tree(2, 3, 0)
        found.values |= {("0",): 0.9, ("1",): 0.3}
        search("rejection", found, 2, every=1)
        assert {path.steps[0] for path, _, place in found.expanded if place[0] == 1} == {"0"}

    def test_what_ended_is_remembered(self) -> None:
        values = {("0",): 0.8, ("1",): 0.9, ("1", "0"): 0.1, ("1", "1"): 0.1}
        found = Tree(2, values, {("0",), ("1", "0"), ("1", "1")})
        assert search("rejection", found, 2, every=1).best.steps == ("0",)

    @pytest.mark.parametrize("options", [{"share": 1.0}, {"share": -0.1}, {"every": 0}])
    def test_what_cannot_be_given_up(self, options: dict[str, Any]) -> None:
        with pytest.raises(ValueError, match="must be"):
            search("rejection", tree(2, 2, 0), 4, **options)


class TestParticles:
    @given(TREES, st.integers(1, 8), st.integers(0, 99))
    def test_there_are_always_n_and_a_seed_draws_the_same(
        self, found: Tree, n: int, seed: int
    ) -> None:
        result = search("particles", found, n, seed=seed)
        for step in range(4):
            assert sum(place[0] == step for *_, place in found.expanded) <= n
        assert all(path.done for path in result.paths)
        assert all(width == 1 for _, width, _ in found.expanded)
        assert search("particles", found, n, seed=seed).best == result.best

    def test_they_are_drawn_by_their_odds(self) -> None:
        """Of two first steps with the odds 9 : 1 the better one has nine of ten places."""

        class Two(Tree):
            async def expand(self, path: Path, n: int, *place: str | int) -> list[Path]:
                self.expanded.append((path, n, place))
                return [self.child(path, int(place[-1]) % 2)]

        places = 0
        for seed in range(40):
            found = Two(2, tree(2, 2, 0).values, set(tree(2, 2, 0).leaves))
            found.values |= {("0",): 0.75, ("1",): 0.25}
            search("particles", found, 10, seed=seed)
            places += sum(
                path.steps == ("0",) for path, _, place in found.expanded if place[0] == 1
            )
        assert places / 400 == pytest.approx(0.9, abs=0.06)

    def test_what_ended_is_remembered_where_it_is_not_drawn(self) -> None:
        class Cut(Tree):
            """Nothing goes on behind the first step."""

            async def expand(self, path: Path, n: int, *place: str | int) -> list[Path]:
                self.expanded.append((path, n, place))
                return [path if path.steps else self.child(path, int(place[-1]) % 4)]

        for seed in range(20):
            values = {("0",): 0.6} | {(str(i),): 0.9 for i in range(1, 4)}
            assert search("particles", Cut(4, values, {("0",)}), 4, seed=seed).best.done

    def test_rewards_of_0_and_1_can_be_drawn(self) -> None:
        found = tree(2, 3, 0)
        found.values = dict.fromkeys(found.values, 0.0)
        assert search("particles", found, 3).best.done
        golden(found)
        assert search("particles", found, 3).best.done


class TestMCTS:
    @given(TREES, st.integers(1, 8), st.integers(1, 3))
    def test_there_are_n_roll_outs_unless_all_is_seen(self, found: Tree, n: int, each: int) -> None:
        result = search("mcts", found, n, each=each)
        drawn, places = len(found.expanded), [place for *_, place in found.expanded]
        assert 1 <= drawn <= n
        assert len(found.rolled) <= drawn
        assert len(set(places)) == drawn  # each has seeds of its own
        assert all(path.done for path in result.paths)
        if drawn < n:  # nothing new was left
            found.expanded.clear()
            assert search("mcts", found, n + 1, each=each).best == result.best
            assert len(found.expanded) == drawn

    @given(TREES)
    def test_it_finds_the_best_leaf_once_it_has_seen_all(self, found: Tree) -> None:
        result = search("mcts", found, 10**4, each=found.width)
        assert reward(result.best) == found.best()

    @given(TREES)
    def test_without_exploration_a_right_path_is_followed(self, found: Tree) -> None:
        found.values = dict.fromkeys(found.values, 0.0)  # else luck behind a wrong step may lead on
        leaf = golden(found)
        result = search("mcts", found, 5 * len(leaf), each=found.width, explore=0.0)
        assert result.best.steps == leaf

    def test_a_prefix_seen_often_loses_to_one_hardly_seen(self) -> None:
        values = {("0",): 0.6, ("1",): 0.5}
        values |= {(a, b): 0.6 if a == "0" else 0.5 for a in "01" for b in "01"}
        values |= {(a, b, c): values[(a, b)] for a in "01" for b in "01" for c in "01"}
        for explore, seen in ((0.0, {"0"}), (5.0, {"0", "1"})):
            found = Tree(2, values, {steps for steps in values if len(steps) == 3})
            search("mcts", found, 3, each=2, explore=explore)
            assert {path.steps[0] for path, _, _ in found.expanded if path.steps} == seen

    def test_exploration_weighs_from_the_second_roll_out_on(self) -> None:
        values = {("0",): 0.9, ("1",): 0.5} | {(a, b): 0.9 for a in "01" for b in "01"}
        for explore, second in ((0.0, ("0",)), (10.0, ("1",))):
            found = Tree(2, values, {steps for steps in values if len(steps) == 2})
            search("mcts", found, 2, each=2, explore=explore)
            assert found.expanded[1][0].steps == second

    def test_a_path_that_cannot_go_on_ends_the_search(self) -> None:
        class Spent(Tree):
            async def expand(self, path: Path, n: int, *place: str | int) -> list[Path]:
                return [path] * n

        assert search("mcts", Spent(2, {}, set()), 4).best.steps == ()

    def test_the_step_budget_ends_it(self) -> None:
        result = search("mcts", tree(2, 4, 3), 3, max_steps=2)
        assert {len(path.steps) for path in result.paths} == {2}


class Unsure(Tree):
    """A tree whose steps are as unsure as these say, one after the other."""

    doubts: tuple[float | None, ...] = ()

    def child(self, path: Path, i: int) -> Path:
        found = super().child(path, i)
        doubt = self.doubts[len(path.steps)] if i == 0 else 0.0
        return replace(found, measured=(*path.measured, doubt))


def unsure(*doubts: float | None, width: int = 3) -> Unsure:
    made = tree(width, len(doubts), 1)
    found = Unsure(made.width, made.values, made.leaves)
    found.doubts = doubts
    return found


class TestMomentum:
    def test_only_a_step_that_stands_out_is_drawn_again(self) -> None:
        found = unsure(0.5, 0.5, 2.0, 0.5)
        result = search("momentum", found, 3)
        assert [(len(path.steps), n) for path, n, _ in found.expanded] == [
            (0, 1),
            (1, 1),
            (2, 1),
            (2, 2),
            (3, 1),
        ]
        steps = [found.values["0", "0", str(i)] for i in range(3)]
        assert result.best.scores[2] == max(steps)
        assert result.best.steps[:2] == ("0", "0")

    def test_the_first_step_is_what_is_usual(self) -> None:
        found = unsure(9.0, 8.0, 7.0)
        search("momentum", found, 3)
        assert [n for _, n, _ in found.expanded] == [1, 1, 1]

    @given(st.lists(st.one_of(st.none(), st.floats(0, 5)), min_size=1, max_size=4))
    def test_a_candidate_more_is_drawn_where_the_formula_says(
        self, doubts: list[float | None]
    ) -> None:
        found = unsure(*doubts, width=1)
        search("momentum", found, 2, inertia=0.5, gamma=0.8)
        usual: float | None = None
        for step, doubt in enumerate(doubts):
            again = [n for path, n, _ in found.expanded if len(path.steps) == step]
            stands_out = None not in (usual, doubt) and math.exp(doubt or 0) > (
                math.exp(usual or 0) / 0.8
            )
            near = (
                None not in (usual, doubt)
                and abs((doubt or 0) - (usual or 0) + math.log(0.8)) < 1e-9
            )
            assert near or again == ([1, 1] if stands_out else [1])
            if doubt is not None:
                usual = doubt if usual is None else (usual + doubt) / 2

    def test_a_model_that_tells_nothing_draws_nothing_again(self) -> None:
        found = tree(3, 4, 0)
        search("momentum", found, 5)
        assert [n for _, n, _ in found.expanded] == [1] * 4

    @pytest.mark.parametrize("options", [{"gamma": 0.0}, {"gamma": 1.1}, {"inertia": 1.0}])
    def test_what_is_out_of_bounds(self, options: dict[str, float]) -> None:
        with pytest.raises(ValueError, match=next(iter(options))):
            search("momentum", tree(2, 2, 0), 2, **options)


PAPERS = {("a", "a"): 0.0, ("a", "b"): 0.4, ("b", "a"): 0.25, ("b", "b"): 0.25}
"""Likelihoods of whole trajectories; of the first steps, that of "b" is the higher (Karan and Du
2025, section 4.1)."""


@dataclass
class Likely:
    """Draws steps at the temperature 1 / alpha of trajectories of known likelihoods, which may
    differ in length. Expander and scorer in one."""

    chances: dict[tuple[str, ...], float]
    alpha: float = 4.0
    told: bool = True
    finished: int = 0
    name: str = "likely"

    def after(self, steps: tuple[str, ...]) -> dict[str, float]:
        """The likelihood of each next step."""
        total = self._of(steps)
        following = {one[len(steps)] for one in self.chances if one[: len(steps)] == steps}
        return {one: self._of((*steps, one)) / total for one in sorted(following)}

    def _of(self, steps: tuple[str, ...]) -> float:
        return sum(p for one, p in self.chances.items() if one[: len(steps)] == steps)

    async def expand(self, path: Path, n: int, *place: str | int) -> list[Path]:
        raise NotImplementedError

    async def finish(self, path: Path, *place: str | int, steps: int | None = None) -> Path:
        self.finished += 1
        chance = random.Random(repr(place))
        for _ in range(steps or 0):
            if path.done:
                break
            after = self.after(path.steps)
            (step,) = chance.choices(list(after), [p**self.alpha for p in after.values()])
            path = self.sure((*path.steps, step), path)
        return path

    def sure(self, steps: tuple[str, ...], path: Path) -> Path:
        """The path that goes on by these steps."""
        for count in range(len(path.steps), len(steps)):
            after = as_top(self.after(steps[:count]))
            log_z = sharpened(self.alpha)([Token(steps[count], top=after)])
            path = replace(
                path,
                steps=steps[: count + 1],
                measured=(*path.measured, log_z if self.told else None),
                done=steps[: count + 1] in self.chances,
            )
        return path

    async def score(self, problem: Problem, paths: Sequence[Path]) -> list[Path]:
        return [replace(path, scores=(0.5,) * len(path.steps)) for path in paths]


def as_top(chances: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
    return tuple((text, math.log(p)) for text, p in chances.items() if p)


def drawn(likely: Likely, moves: int, count: int, **options: Any) -> Counter[tuple[str, ...]]:
    found = (search("power", likely, moves, k, **options) for k in range(count))
    return Counter(one.best.steps for one in found)


class TestPower:
    def test_what_a_low_temperature_draws_is_not_the_power(self) -> None:
        sharp = {steps: p**4 for steps, p in PAPERS.items()}
        wanted = sharp["a", "b"] / sum(sharp.values())
        first = 0.4**4 / (0.4**4 + 0.5**4)  # what a low temperature comes to
        seen = drawn(Likely(PAPERS), 8, 200)["a", "b"] / 200
        assert first + 0.4 < wanted
        assert seen > (first + wanted) / 2

    @given(st.lists(st.floats(0.05, 1), min_size=5, max_size=5), st.floats(1.1, 5))
    def test_moves_are_in_balance(self, weights: list[float], alpha: float) -> None:
        """As often from any trajectory to another as back, once they are as frequent as wanted."""
        ends = [("a",), ("b", "c"), ("b", "d", "e"), ("b", "d", "f"), ("b", "d", "g", "h")]
        chances = {one: p / sum(weights) for one, p in zip(ends, weights, strict=True)}
        likely = Likely(chances, alpha)

        def flow(old: tuple[str, ...], new: tuple[str, ...], kept: int) -> float:
            prefix = likely.sure(old[:kept], Path())
            paths = (likely.sure(one, prefix) for one in (old, new))
            anew = math.prod(
                likely.after(new[:i])[new[i]] ** alpha
                / sum(p**alpha for p in likely.after(new[:i]).values())
                for i in range(kept, len(new))
            )
            return chances[old] ** alpha / len(old) * anew * accepted(*paths, kept)

        for old, new in product(ends, repeat=2):
            for kept in range(min(len(old), len(new))):
                if old[:kept] == new[:kept]:
                    assert flow(old, new, kept) == pytest.approx(flow(new, old, kept))

    def test_without_likelihoods_no_move_is_made(self) -> None:
        likely = Likely(PAPERS, told=False)
        drawn(likely, 5, 1)
        assert likely.finished == 1

    def test_a_trajectory_that_cannot_be_told_takes_no_place(self) -> None:
        old, new = Path(("a", "b"), measured=(0.0, -1.0)), Path(("a", "c"), measured=(0.0, None))
        assert accepted(old, new, 1) == 0.0
        assert accepted(old, replace(new, measured=(0.0, -0.5)), 1) == 1.0
        assert accepted(old, replace(new, measured=(0.0, -2.0)), 1) == pytest.approx(math.exp(-1))
        assert accepted(old, Path(("a",), measured=(0.0,)), 1) == 0.0

    def test_what_a_step_is_measured_by(self) -> None:
        half = (("x", math.log(0.5)), ("y", math.log(0.5)))
        assert sharpened(2.0)([Token("x", top=half)]) == pytest.approx(math.log(0.5))
        assert sharpened(2.0)([Token("x", top=half), Token("y")]) is None

    @pytest.mark.parametrize("options", [{"n": 0}, {"block": 0}])
    def test_what_is_out_of_bounds(self, options: dict[str, int]) -> None:
        n = options.pop("n", 1)
        with pytest.raises(ValueError, match="must be 1 or more"):
            search("power", tree(2, 2, 0), n, **options)


@pytest.mark.parametrize("name", SEARCHES)
class TestAll:
    def test_of_equals_the_first_is_chosen(self, name: str) -> None:
        if name == "power":
            pytest.skip("it ends with one trajectory, which chance draws")
        found = tree(3, 3, 0)
        found.values = dict.fromkeys(found.values, 0.5)
        result = search(name, found, 3)
        if name in ("best_of_n", "mcts"):  # whose roll-outs are drawn by chance
            assert result.best is result.paths[0]
        else:
            assert result.best.steps == ("0", "0", "0")

    @given(seed=st.integers(0, 99), order=st.permutations(range(4)))
    def test_iterations_are_independent(self, name: str, seed: int, order: list[int]) -> None:
        def found(k: int) -> Path:
            return search(name, tree(3, 3, seed), 2, k).best

        alone = {k: found(k) for k in range(4)}
        assert {k: found(k) for k in order} == alone

    @pytest.mark.parametrize("aggregate", ["mean", "min", "last", "product"])
    def test_the_aggregate_is_what_is_asked_for(self, name: str, aggregate: Aggregate) -> None:
        result = search(name, tree(3, 3, 7), 4, aggregate=aggregate)
        assert reward(result.best, aggregate) == max(reward(p, aggregate) for p in result.paths)

    @pytest.mark.parametrize("size", [-1, 10**4])
    def test_a_size_that_is_none(self, name: str, size: int) -> None:
        if size < 0:
            with pytest.raises(ValueError, match=str(size)):
                search(name, tree(2, 2, 0), size)
        elif name == "lookahead":  # depth beyond the end
            assert search(name, tree(2, 2, 0), size).best.done

    @pytest.mark.parametrize(
        ("bad", "told"),
        [
            (float("nan"), "nan"),
            (float("inf"), "inf"),
            ("0.9", "'0.9'"),
            (1.5, "1.5"),
            (-0.1, "-0.1"),
            (None, "None"),
            (True, "True"),
        ],
    )
    def test_what_is_no_score_counts_as_nothing_and_is_told(
        self, name: str, bad: Any, told: str
    ) -> None:
        found = tree(2, 3, 5)
        for steps in found.values:
            if steps[-1] == "0":
                found.values[steps] = bad
        result = search(name, found, 3)
        zeros = [
            score
            for path in result.paths
            for step, score in zip(path.steps, path.scores, strict=True)
            if step == "0"
        ]
        assert set(zeros) <= {0.0}
        (note,) = result.notes
        assert note == f"tree said {told}, which is no score in [0, 1]; such a step counts as 0"

    def test_a_scorer_that_raises_is_told(self, name: str) -> None:
        found = tree(2, 3, 5)
        found.of = lambda path: 1 // 0  # type: ignore[assignment]
        result = search(name, found, 2)
        assert result.best.done
        assert set(result.best.scores) == {0.0}
        assert result.notes == (
            "tree raised ZeroDivisionError: integer division or modulo by zero; such a step counts "
            "as 0",
        )

    @pytest.mark.parametrize("given_back", [0, 1, 99])
    def test_a_scorer_that_gives_back_other_paths(self, name: str, given_back: int) -> None:
        class Odd(Tree):
            async def score(self, problem: Any, paths: Any) -> list[Path]:
                return [Path(("?",), (1.0, 1.0))] * given_back

        found = tree(2, 3, 5)
        odd = Odd(2, found.values, found.leaves)
        result = search(name, odd, 3)
        assert result.best.steps in found.leaves
        assert len(result.best.scores) == len(result.best.steps)
        assert result.notes

    def test_a_scorer_whose_model_is_gone_ends_the_search(self, name: str) -> None:
        class Gone(Tree):
            async def score(self, problem: Any, paths: Any) -> list[Path]:
                raise ModelUnavailable("no server answers")

        with pytest.raises(ModelUnavailable):
            search(name, Gone(2, {}, {("0",), ("1",)}), 2)

    def test_an_expander_that_cannot_go_on_ends_the_search(self, name: str) -> None:
        class Spent(Tree):
            async def expand(self, path: Path, n: int, *place: Any) -> list[Path]:
                longer = await super().expand(path, n, *place)
                return longer if len(path.steps) < 2 else [path] * n

            async def finish(self, path: Path, *place: Any, steps: int | None = None) -> Path:
                return path if len(path.steps) >= 2 else await super().finish(path, steps=1)

        found = tree(2, 4, 5)
        result = search(name, Spent(2, found.values, found.leaves), 2)
        assert not result.best.done
        assert len(result.best.steps) == (1 if name == "best_of_n" else 2)


def test_random_trees_have_something_to_prune() -> None:
    """The properties above would pass on trees of one leaf."""
    rng = random.Random(0)
    grown = [tree(3, 4, rng.randrange(999), early=0.3) for _ in range(20)]
    assert sum(len(one.leaves) > 3 for one in grown) > 15
    assert any(len({len(leaf) for leaf in one.leaves}) > 1 for one in grown)
