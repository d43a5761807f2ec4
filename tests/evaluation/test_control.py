"""A controller is learned from recorded trees and replayed on others."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import agentflow
from agentflow import domains, models
from agentflow.errors import BadInput
from agentflow.evaluation import control, control_replay, trees
from agentflow.evaluation.records import Arm, append, lines_of
from agentflow.evaluation.runner import Record
from agentflow.evaluation.trees import Node, Recorded, load
from agentflow.search.controller import Controller, plain, state_of

ABOUT = {
    "model": "embedded",
    "scores": {"scorer": "rules", "hopeless": False, "unread": 0.5},
}


def run_of(scores: Sequence[float], right: bool = False, tokens: int = 10) -> tuple[Node, ...]:
    """A whole sample with these scores."""
    last = len(scores) - 1
    return tuple(
        Node(tuple(scores[:i]), score, tokens, i == last, right and i == last)
        for i, score in enumerate(scores)
    )


def samples(problem: str, *runs: tuple[Node, ...]) -> Recorded:
    numbers = tuple((n,) for n in range(len(runs)))
    return Recorded(problem, "game24", 0, "best of n", runs, numbers, (None,) * len(runs), "rules")


def beam_of(problem: str, scores: Sequence[float]) -> Recorded:
    """One step's candidates, none of which ended."""
    draws = tuple((Node((), score, 10),) for score in scores)
    return Recorded(
        problem,
        "game24",
        0,
        "beam search",
        draws,
        (tuple(range(len(draws))),),
        (None,) * len(draws),
        "rules",
    )


RIGHT, WRONG = [1.0, 1.0, 1.0], [0.0, 1.0, 0.0]


def world(seed: int, count: int) -> Iterator[Recorded]:
    """A first step that is low ends wrong, another one right; it is low half of the time on a
    problem that is not hard, always on one that is."""
    rng = random.Random(seed)
    for number in range(count):
        hard = number % 4 == 0
        runs = []
        for _ in range(8):
            low = hard or rng.random() < 0.5
            runs.append(run_of(WRONG if low else RIGHT, not low))
        yield samples(f"{seed} {number}", *runs)
        yield beam_of(
            f"{seed} {number}", [0.0 if hard or rng.random() < 0.5 else 1.0 for _ in range(4)]
        )


@pytest.fixture(scope="module")
def learned() -> Controller:
    return control.fit(list(world(0, 40)), ABOUT, 0.0)


class TestFit:
    def test_kinds_of_ends_have_their_shares(self, learned: Controller) -> None:
        assert learned.right["high/high"] > 0.95
        assert learned.right["low/low"] < 0.05

    def test_tokens_are_those_to_the_end(self, learned: Controller) -> None:
        assert learned.table["start, 0 failed"]["go on"].tokens == 30
        assert learned.table["high/high, from step 1"]["go on"].tokens == pytest.approx(15, abs=2)

    def test_the_more_failed_the_less_is_hoped(self, learned: Controller) -> None:
        hopes = [
            learned.table[f"start, {failed} failed"]["go on"].ends.get("high/high", 0.0)
            for failed in range(4)
        ]
        assert hopes == sorted(hopes, reverse=True)
        assert hopes[0] == pytest.approx(3 / 8, abs=0.08)

    def test_what_redrawing_leads_to(self, learned: Controller) -> None:
        row = learned.table["low/low, from step 1, drawn 1"]
        assert row["go on"].ends.get("high/high", 0.0) < 0.1
        assert row["redraw"].ends["high/high"] > 0.15
        again = learned.table["low/low, from step 1, drawn 3"]["redraw"]
        assert again.ends.get("high/high", 0.0) < row["redraw"].ends["high/high"]

    def test_it_leaves_what_fails_and_keeps_what_is_right(self, learned: Controller) -> None:
        low, high = state_of([0.0], 1), state_of([1.0], 1)
        assert learned.choose(low).choice in ("redraw", "give up")
        assert learned.choose(high).choice == "go on"
        assert learned.choose(state_of(()), learned.right["high/high"]).choice == "stop"

    def test_a_choice_that_was_never_seen_is_not_offered(self, learned: Controller) -> None:
        assert all("look ahead" not in row for row in learned.table.values())

    def test_the_same_trees_the_same_file(self) -> None:
        one, other = (control.fit(list(world(1, 4)), ABOUT, 1.0) for _ in range(2))
        assert one == other

    def test_what_was_learned_from(self, learned: Controller) -> None:
        assert learned.learned == "problems: game24 40; 80 trees"

    def test_without_whole_samples(self) -> None:
        with pytest.raises(BadInput, match="no whole samples"):
            control.fit([beam_of("p", [0.0, 1.0])], ABOUT, 0.0)

    def test_roll_outs_are_paid_and_the_best_one_counts(self) -> None:
        """Two candidates with a roll-out each; the second one is better."""
        tree = Recorded(
            "p",
            "game24",
            0,
            "lookahead",
            (
                (Node((), 1.0, 3),),
                (Node((), 1.0, 3),),
                (Node((1.0,), 0.0, 5),),
                (Node((1.0,), 1.0, 7, True, True),),
            ),
            ((0, 1), (2,), (3,)),
            (None, None, (0, 0), (1, 0)),
            "rules",
        )
        whole = samples("p", run_of(WRONG), run_of(RIGHT, True))
        found = control.fit([whole, *[tree] * 10], ABOUT, 0.0)
        row = found.table["start, 0 failed"]["look ahead"]
        assert (row.tokens, row.ends, row.seen) == (18, {"high/high": 1.0}, 10)


class TestReplay:
    def test_learned_takes_fewer_tokens_for_as_many_right(self, learned: Controller) -> None:
        found = control_replay.replay(list(world(2, 12)), learned, price=3.0, times=4)
        by_name = {one.strategy: one for one in found}
        ours, four = by_name["learned"], by_name["best of 4"]
        assert ours.right.value >= four.right.value - 0.05
        assert ours.tokens.value < four.tokens.value
        assert four.tokens.value == pytest.approx(120, rel=0.1)
        gap = by_name["direct"].ahead
        assert gap is not None
        assert gap.value == pytest.approx(ours.right.value - by_name["direct"].right.value)

    def test_a_controller_without_gain_is_direct(self, learned: Controller) -> None:
        nothing = learned.model_copy(update={"right": {}})
        found = control_replay.replay(list(world(2, 4)), nothing, times=3)
        by_name = {one.strategy: one for one in found}
        assert by_name["learned"].tokens == by_name["direct"].tokens
        assert by_name["learned"].right == by_name["direct"].right

    def test_the_budget_holds(self, learned: Controller) -> None:
        hard = [samples("p", *[run_of(WRONG)] * 8)]
        found = control_replay.replay(hard, learned, budget=95, times=2)
        ours = next(one for one in found if one.strategy == "learned")
        assert ours.tokens.high <= 100  # the step under way is brought to its end
        assert ours.right.value == 0

    def test_whole_attempts_are_read_once(self, learned: Controller) -> None:
        """An attempt has several steps; read one by one it takes as many readings."""
        given = list(world(2, 6))
        whole, single = (
            control_replay.replay(given, learned, ahead=ahead, times=2)[-1] for ahead in (0, 1)
        )
        assert 1 <= whole.readings < single.readings

    def test_the_same_again(self, learned: Controller) -> None:
        given = list(world(3, 3))
        assert control_replay.replay(given, learned, times=2) == control_replay.replay(
            given, learned, times=2
        )

    def test_as_a_table(self, learned: Controller) -> None:
        shown = control_replay.table(control_replay.replay(list(world(3, 3)), learned, times=1))
        rows = shown.splitlines()
        assert len(rows) == 2 + len(control_replay.FIXED) + 1
        assert rows[2].startswith("| direct |")


def plain_tree(**fields: Any) -> dict[str, Any]:
    draws = [
        {"group": 0, "behind": -1, "scores": [1.0, 0.5], "tokens": [3, 4], "done": False},
        {"group": 1, "behind": 1, "scores": [0.0], "tokens": [5], "done": True, "right": True},
    ]
    return {
        "strategy": "beam search",
        "param": 2,
        "scorer": "rules:game24",
        "draws": draws,
    } | fields


DRAW: dict[str, Any] = plain_tree()["draws"][0]


async def file_of(path: Path, *given: Any, settings: dict[str, Any] | None = None) -> Path:
    """A recording with these trees, a record each."""
    arm = Arm("beam search", "adaptive_compute", settings or {})

    def record(number: int, tree: Any) -> Record:
        extra = {"domain": "game24", "trees": [tree]}
        return Record(
            *("beam search", f"{number}", 0, "verified", "a", True, 1, 0, 1, 1, 0, 0.1, None, ""),
            extra=extra,
        )

    async def made(number: int, tree: Any) -> Record:
        return record(number, tree)

    jobs = [lambda n=n, t=t: made(n, t) for n, t in enumerate(given)]  # type: ignore[misc]
    await append(path, lines_of([arm], "embedded"), jobs, 1, lambda one: None)
    return path


class TestRecordings:
    async def test_a_tree_is_read(self, tmp_path: Path) -> None:
        (found,) = load(await file_of(tmp_path / "a.jsonl", plain_tree()))
        first, second = found.draws
        assert first == (Node((), 1.0, 3), Node((1.0,), 0.5, 4))
        assert second == (Node((1.0, 0.5), 0.0, 5, True, True),)
        assert found.behind == (None, (0, 1))
        assert found.groups == ((0,), (1,))

    @pytest.mark.parametrize(
        ("wrong", "says"),
        [
            ({"draws": [{"group": 0}]}, "draws.0.behind is missing"),
            ({"draws": [{**DRAW, "behind": 3}]}, "has a draw behind step 3, of 0"),
            ({"draws": [{**DRAW, "behind": -2}]}, "draws.0.behind is -2"),
            ({"draws": [{**DRAW, "tokens": [1]}]}, "draws.0 has not as many scores as steps"),
            ({"draws": [{**DRAW, "tokens": [1, None]}]}, "draws.0.tokens.1 is None"),
            ({"draws": [{**DRAW, "scores": [1, 1.5]}]}, "draws.0.scores.1 is 1.5"),
            ({"draws": [{**DRAW, "done": True}]}, "draws.0 ended, and is neither right nor wrong"),
            ({"draws": 1}, "draws is 1"),
            ({"scorer": None}, "scorer is None"),
        ],
    )
    async def test_what_is_none_is_refused(
        self, wrong: dict[str, Any], says: str, tmp_path: Path
    ) -> None:
        path = await file_of(tmp_path / "a.jsonl", plain_tree(**wrong))
        with pytest.raises(BadInput, match=rf"a\.jsonl, line 2: not a record .*trees\.0.*{says}"):
            load(path)

    async def test_a_file_without_trees(self, tmp_path: Path) -> None:
        with pytest.raises(
            BadInput, match=r"b\.jsonl: no such file; `agentflow controller record`"
        ):
            load(tmp_path / "b.jsonl")
        (tmp_path / "c.jsonl").write_text("")
        with pytest.raises(BadInput, match=r"c\.jsonl: no tree in it"):
            load(tmp_path / "c.jsonl")

    async def test_whose_scores_they_are(self, tmp_path: Path) -> None:
        one = await file_of(tmp_path / "a.jsonl", plain_tree())
        assert trees.scored_by(one) == ABOUT
        other = await file_of(tmp_path / "b.jsonl", plain_tree(), settings={"hopeless": True})
        with pytest.raises(BadInput, match="several models or scorers"):
            trees.scored_by(one, other)

    async def test_what_is_no_recording(self, tmp_path: Path) -> None:
        path = tmp_path / "a.jsonl"
        await append(path, lines_of([Arm("a", "direct")], "m"), [], 1, lambda one: None)
        with pytest.raises(BadInput, match=r"a\.jsonl: the arm 'a' is of no recording of trees"):
            trees.scored_by(path)
        path.write_text("")
        with pytest.raises(BadInput, match=r"a\.jsonl: no arm in it"):
            trees.scored_by(path)

    async def test_samples_of_one_step_teach_nothing(self, tmp_path: Path) -> None:
        draw = {**DRAW, "scores": [1.0], "tokens": [3]}
        path = await file_of(tmp_path / "a.jsonl", plain_tree(strategy="best of n", draws=[draw]))
        with pytest.raises(BadInput, match="no sample among the trees has two steps"):
            control.fit(load(path), trees.scored_by(path), 2.0)

    def test_settings_that_cannot_be_used(self) -> None:
        with pytest.raises(BadInput, match="hopeless"):
            trees.recording({"hopeless": "perhaps"})


PROBLEMS = (
    (
        "Premises:\n"
        "Dana is tall.\n"
        "Everyone who is not rich is young.\n"
        "If someone is tall, then they are not rich.\n"
        "Erik is rich.\n"
        "If someone is young, then they are hungry.\n"
        "No tall people are rich.\n"
        "Conclusion: Dana is kind.",
        "Uncertain",
    ),
    (
        "Premises:\n"
        "If Alex is calm, then Alex is quiet.\n"
        "Alex is calm.\n"
        "If someone is quiet and not funny, then they are calm.\n"
        "Conclusion: Alex is not quiet.",
        "False",
    ),
)
"""Arguments and what follows."""


@pytest.mark.slow
async def test_from_the_bundled_model_to_a_replay(tmp_path: Path) -> None:
    """Record two problems, learn from one, replay on the other, and solve with what was learned."""
    logic = domains.get("logic")
    problems = [replace(logic.parse(text), gold=gold) for text, gold in PROBLEMS]
    settings = {"cache": True, "search_tokens": 800}
    given = await trees.record(problems, [0], tmp_path / "a.jsonl", settings=settings)
    assert {one.strategy for one in given} == set(trees.SEARCHES)
    whole = [one for one in given if one.strategy == "best of n"]
    assert all(len(one.draws) == 8 for one in whole)
    assert any(node.right for one in whole for draw in one.draws for node in draw)
    about = trees.scored_by(tmp_path / "a.jsonl")
    first, second = (one.problem for one in whole)
    found = control.fit([one for one in given if one.problem == first], about, 2.0)
    others = [one for one in given if one.problem == second]
    rows = await asyncio.to_thread(control_replay.replay, others, found, times=2)
    assert all(0 <= one.right.value <= 1 for one in rows)
    path = tmp_path / "controller.json"
    path.write_text(plain(found))
    settings = {"plan": False, "reasoning": [], "compute": "learned", "iterations": 1}
    settings |= {"domain": "logic", "search_tokens": 300}
    result = await agentflow.asolve(second, "adaptive_compute", controller=str(path), **settings)
    assert result.cost.generated <= 303
    assert found.choose(state_of(())).choice != "stop"
    await models.close_all()
