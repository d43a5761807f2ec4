"""The learned controller: its file, its choices, and the search that it leads."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path as File
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from trees import PROBLEM, Tree, tree

from agentflow import domains
from agentflow.errors import BadInput
from agentflow.search import Found, Path
from agentflow.search.controlled import ATTEMPTS, controlled
from agentflow.search.controller import (
    FAILED,
    KINDS,
    SHIPPED,
    STATES,
    Controller,
    Estimate,
    Scores,
    band,
    kind,
    load,
    plain,
    shipped,
    state_of,
)

RULES = Scores(scorer="rules", hopeless=False, unread=0.5)
SURE = {"high/high": 1.0}
SHARES = st.floats(0, 1)


def made(
    rows: dict[str, dict[str, tuple[float, dict[str, float]]]] | None = None,
    *,
    right: dict[str, float] | None = None,
    price: float = 0.0,
    onward: tuple[float, dict[str, float]] = (10.0, SURE),
) -> Controller:
    """A controller that knows of going on in every state, and of what ``rows`` say."""
    table: dict[str, Any] = {str(state): {"go on": onward} for state in STATES}
    for state, row in (rows or {}).items():
        table[state] |= row
    return Controller(
        model="scripted",
        scores=RULES,
        learned="nothing",
        price=price,
        right={"high/high": 1.0} if right is None else right,
        table={
            state: {
                name: Estimate(tokens=tokens, ends=ends, seen=1)
                for name, (tokens, ends) in row.items()
            }
            for state, row in table.items()
        },
    )


@st.composite
def controllers(draw: st.DrawFn) -> Controller:
    """Any: of random gains and costs."""
    ends = st.fixed_dictionaries({"high/high": st.floats(0, 0.5), "low/low": st.floats(0, 0.5)})
    rows = {
        str(state): {
            name: (draw(st.floats(1, 100)), draw(ends))
            for name in draw(st.sets(st.sampled_from(["go on", "widen", "look ahead", "redraw"])))
        }
        for state in draw(st.lists(st.sampled_from(STATES), max_size=8, unique=True))
    }
    right = draw(st.fixed_dictionaries(dict.fromkeys(KINDS, SHARES)))
    return made(rows, right=right, price=draw(st.floats(0, 10)))


TREES = st.builds(
    tree, st.integers(1, 3), st.integers(1, 4), st.integers(0, 999), early=st.sampled_from([0, 0.3])
)

AHEAD = st.sampled_from([1, 2, 0])


class Paid:
    """A tree's expander that counts a token a step, up to a budget."""

    def __init__(self, found: Tree, budget: int) -> None:
        self.found, self.budget, self.spent = found, budget, 0

    async def expand(self, path: Path, n: int, *place: str | int) -> list[Path]:
        asked = min(n, self.left())
        self.spent += asked
        return [*(await self.found.expand(path, asked, *place)), *[path] * (n - asked)]

    async def finish(self, path: Path, *place: str | int, steps: int | None = None) -> Path:
        most = self.left() if steps is None else min(steps, self.left())
        longer = await self.found.finish(path, *place, steps=most) if most else path
        self.spent += len(longer.steps) - len(path.steps)
        return longer

    def left(self) -> int:
        return self.budget - self.spent


def searched(
    found: Tree, controller: Controller, paid: Paid | None = None, **options: Any
) -> tuple[Found, list[dict[str, Any]]]:
    told: list[dict[str, Any]] = []
    expander: Any = paid or found
    running = controlled(PROBLEM, expander, found, controller, "r", tell=told.append, **options)
    return asyncio.run(running), told


def choices(told: list[dict[str, Any]]) -> list[str]:
    return [one["choice"] for one in told]


class TestStates:
    @given(SHARES)
    def test_a_band_is_a_third(self, score: float) -> None:
        assert band(score) == ("low" if score < 1 / 3 else "middle" if score < 2 / 3 else "high")

    @given(st.lists(SHARES, max_size=80), st.integers(0, 9), st.integers(0, 9))
    def test_every_path_is_in_a_known_state(
        self, scores: list[float], drawn: int, failed: int
    ) -> None:
        state = state_of(scores, drawn, failed)
        assert state in STATES
        assert state.kind == kind(scores)

    def test_names_differ(self) -> None:
        assert len({str(state) for state in STATES}) == len(STATES)

    def test_in_words(self) -> None:
        assert str(state_of((), failed=2)) == "start, 2 failed"
        assert str(state_of([1.0] * 30 + [0.5])) == "middle/middle, from step 24"
        assert str(state_of([1.0, 0.0], drawn=2)) == "low/low, from step 1, drawn 2"


class TestChoosing:
    def test_the_highest_gain_per_token_is_chosen(self) -> None:
        half = {"high/high": 0.5}
        found = made({"high/high, from step 1": {"widen": (20.0, SURE), "look ahead": (4.0, half)}})
        decision = found.choose(state_of([1.0]))
        assert (decision.choice, decision.gain, decision.rate) == ("look ahead", 0.5, 125.0)

    def test_of_equals_going_on(self) -> None:
        found = made({"high/high, from step 1": {"widen": (10.0, SURE)}})
        assert found.choose(state_of([1.0])).choice == "go on"

    def test_what_is_held_is_no_gain(self) -> None:
        found = made(right={"high/high": 0.8})
        assert found.choose(state_of(()), 0.5).gain == pytest.approx(0.3)
        assert found.choose(state_of(()), 0.8).choice == "stop"

    def test_nothing_below_the_price_is_chosen(self) -> None:
        found = made(price=101.0)  # what going on gains is 100 per 1,000 tokens
        assert found.choose(state_of(()), 0.0).choice == "stop"
        assert found.choose(state_of(()), 0.0, price=99.0).choice == "go on"

    def test_nothing_is_chosen_that_the_budget_does_not_hold(self) -> None:
        found = made({"start, 0 failed": {"widen": (50.0, SURE)}}, onward=(51.0, SURE))
        assert found.choose(state_of(()), 0.0, 51).choice == "widen"
        assert found.choose(state_of(()), 0.0, 50).choice == "widen"
        assert found.choose(state_of(()), 0.0, 49).choice == "stop"

    def test_the_first_attempt_is_brought_to_its_end(self) -> None:
        found = made(price=1000.0)
        decision = found.choose(state_of([1.0]), None, 1)
        assert (decision.choice, decision.gain) == ("go on", 1.0)
        assert "no attempt has ended" in decision.reason

    def test_nothing_is_tried_more_often_than_recordings_did(self) -> None:
        found, low = made(), state_of([0.0])
        assert found.choose(state_of((), failed=FAILED), 0.0, failed=FAILED).choice == "go on"
        assert (
            found.choose(state_of((), failed=FAILED + 1), 0.0, failed=FAILED + 1).choice == "stop"
        )
        rows = {str(low): {"go on": (90.0, SURE), "redraw": (1.0, SURE)}}
        assert made(rows).choose(low, failed=FAILED).choice == "redraw"
        assert made(rows).choose(low, failed=FAILED, redraws=False).choice == "go on"
        assert made(rows).choose(low, failed=0, redraws=False).choice == "give up"

    def test_an_attempt_is_left_for_a_new_one(self) -> None:
        found = made({"low/low, from step 1, drawn 1": {"go on": (30.0, {"high/high": 0.1})}})
        assert found.choose(state_of([0.0])).choice == "give up"
        assert found.choose(state_of(())).choice == "go on"

    @given(controllers(), st.sampled_from(STATES), st.none() | SHARES, st.floats(0, 200))
    def test_what_is_chosen_gains_more_than_its_price(
        self, controller: Controller, state: Any, held: float | None, left: float
    ) -> None:
        one = controller.choose(state, held, left)
        if one.choice == "stop":
            assert held is not None
        elif held is not None or one.choice != "go on":
            assert one.rate > controller.price
            assert one.tokens <= left
            assert one.gain > 0


class TestSearching:
    @given(TREES, st.integers(0, 40))
    def test_without_gain_it_never_searches(self, found: Tree, budget: int) -> None:
        """One attempt is brought to its end, step by step; nothing else is drawn."""
        paid = Paid(found, budget)
        result, told = searched(found, made(right={}), paid, left=paid.left)
        assert set(choices(told)) <= {"go on", "stop"}
        assert all(n == 1 for _, n, _ in found.expanded if n)
        assert found.rolled == []
        assert paid.spent == len(result.best.steps)
        assert len(result.paths) == 1

    @given(TREES, controllers(), st.integers(0, 60), st.booleans(), AHEAD)
    def test_the_budget_is_never_exceeded(
        self, found: Tree, controller: Controller, budget: int, told_of: bool, ahead: int
    ) -> None:
        paid = Paid(found, budget)
        left = {"left": paid.left} if told_of else {}
        result, told = searched(found, controller, paid, ahead=ahead, **left)
        assert paid.spent <= budget
        assert choices(told).count("give up") <= FAILED
        assert len(told) <= ATTEMPTS * 100
        assert result.best in result.paths
        if any(path.done for path in result.paths):
            assert result.best.done

    @given(TREES, controllers(), st.integers(0, 60))
    def test_what_is_chosen_fits_what_is_left(
        self, found: Tree, controller: Controller, budget: int
    ) -> None:
        paid = Paid(found, budget)
        lefts = list[int]()

        def left() -> int:
            lefts.append(paid.left())
            return lefts[-1]

        _, told = searched(found, controller, paid, left=left)
        for event, there in zip(told, lefts, strict=True):
            assert event["tokens"] <= there or "no attempt has ended" in event["reason"]

    @given(TREES, controllers(), AHEAD)
    def test_the_same_again(self, found: Tree, controller: Controller, ahead: int) -> None:
        one, other = (searched(found, controller, ahead=ahead) for _ in range(2))
        assert one == other

    @given(TREES, controllers(), st.integers(1, 3), AHEAD)
    def test_no_path_has_more_steps_than_it_may(
        self, found: Tree, controller: Controller, most: int, ahead: int
    ) -> None:
        result, _ = searched(found, controller, max_steps=most, ahead=ahead)
        assert all(len(path.steps) <= most for path in result.paths)
        assert all(path.scores == found.at(path.steps).scores for path in result.paths)

    @pytest.mark.parametrize(("ahead", "scored"), [(1, 6), (4, 2), (0, 1)])
    def test_what_is_drawn_ahead_is_scored_at_once(self, ahead: int, scored: int) -> None:
        found = Tree(1, {("0",) * n: 0.9 for n in range(1, 7)}, {("0",) * 6})
        result, told = searched(found, made(), ahead=ahead)
        assert choices(told) == [*["go on"] * (6 if ahead else 1), "stop"]
        assert len(found.scored) == scored
        assert result.best.done

    def test_an_attempt_is_left_in_the_middle_of_what_was_drawn(self) -> None:
        """Its second step is low: the third, which is there, is not looked at."""
        found = Tree(1, {("0",): 0.9, ("0", "0"): 0.1, ("0",) * 3: 0.9}, {("0",) * 3})
        rows = {"low/low, from step 1, drawn 1": {"go on": (30.0, {"high/high": 0.1})}}
        result, told = searched(found, made(rows), ahead=4)
        assert choices(told)[:3] == ["go on", "go on", "give up"]
        assert Path(("0", "0"), (0.9, 0.1)) in result.paths

    def test_whole_attempts_are_judged_at_their_end(self) -> None:
        """The low step in the middle is not looked at; the next attempt is the better one."""
        one, other = ("0", "0"), ("1", "0")
        values = {("0",): 0.1, one: 0.9, ("1",): 0.9, other: 0.9}
        found = Tree(2, values, {one, other})
        drafts = iter((one, other))

        async def finish(path: Path, *place: str | int, steps: int | None = None) -> Path:
            return Path(next(drafts), path.scores, done=True)

        found.finish = finish  # type: ignore[method-assign]
        rows = {"low/low, from step 1, drawn 1": {"redraw": (1.0, SURE)}}
        result, told = searched(found, made(rows, right=SURE | {"high/low": 0.2}), ahead=0)
        assert choices(told) == ["go on", "go on", "stop"]
        assert result.best == found.at(other)
        assert len(found.scored) == 2

    def test_a_step_that_is_drawn_again_leaves_what_was_behind_it(self) -> None:
        low, better = ("0",), ("1",)
        values = {low: 0.1, (*low, "0"): 0.9, better: 0.8, (*better, "0"): 0.9}
        found = Tree(2, values, {(*low, "0"), (*better, "0")})

        async def expand(path: Path, n: int, *place: str | int) -> list[Path]:
            return [Path(better)]

        async def finish(path: Path, *place: str | int, steps: int | None = None) -> Path:
            return Path((*(path.steps or low), "0"), path.scores, done=True)

        found.expand, found.finish = expand, finish  # type: ignore[method-assign]
        rows = {"low/low, from step 1, drawn 1": {"redraw": (1.0, SURE)}}
        result, told = searched(found, made(rows), ahead=4)
        assert choices(told) == ["go on", "redraw", "go on", "stop"]
        assert result.best.steps == (*better, "0")

    def test_before_it_stops_it_looks_at_what_is_there(self) -> None:
        """Behind the second attempt's first step nothing is worth its tokens; its end is better."""
        one, other = ("0", "0"), ("1", "0")
        values = {("0",): 0.9, one: 0.5, ("1",): 0.5, other: 0.9}
        found = Tree(2, values, {one, other})
        drafts = iter((one, other))

        async def finish(path: Path, *place: str | int, steps: int | None = None) -> Path:
            return Path(next(drafts), path.scores, done=True)

        found.finish = finish  # type: ignore[method-assign]
        right = {"middle/middle": 0.5, "high/middle": 0.6, "high/high": 0.7}
        places = ("middle/middle, from step 1", "start, 1 failed")
        nothing = {place: {"go on": (10.0, {"low/low": 1.0})} for place in places}
        result, told = searched(found, made(nothing, right=right), ahead=4)
        assert choices(told) == ["go on"] * 3 + ["stop"]
        assert result.best == found.at(other)
        assert len(result.paths) == 2

    def test_an_attempt_that_is_no_better_has_failed(self) -> None:
        """Though its kind of end is right more often than not."""
        found = Tree(1, {("0",): 0.5}, {("0",)})
        starts = {f"start, {n} failed": {"go on": (10.0, {"high/high": 1.0})} for n in range(7)}
        controller = made(starts, right={"middle/middle": 0.6, "high/high": 1.0})
        _, told = searched(found, controller)
        assert choices(told) == [*["go on"] * (FAILED + 2), "stop"]

    def test_an_end_is_chosen_by_how_often_its_kind_is_right(self) -> None:
        """Of two attempts the one with the lower reward, since its kind of end is right."""
        found = Tree(1, {("0",): 0.0, ("0", "0"): 1.0}, {("0", "0")})
        found.values |= {("1",): 0.7, ("1", "0"): 0.6}
        controller = made(
            right={"high/low": 0.9, "middle/middle": 0.4}, onward=(1.0, {"high/low": 1.0})
        )
        attempts = iter("10")

        async def expand(path: Path, n: int, *place: str | int) -> list[Path]:
            steps = (*path.steps, "0" if path.steps else next(attempts))
            return [Path(steps, path.scores, len(steps) == 2)]

        found.expand = expand  # type: ignore[method-assign]
        result, told = searched(found, controller)
        assert result.best.steps == ("0", "0")
        assert choices(told) == [*["go on"] * 4, "stop"]
        assert told[-1]["held"] == 0.9

    def test_a_low_step_is_drawn_again_and_the_better_one_stays(self) -> None:
        found = Tree(2, {("0",): 0.0, ("1",): 0.9}, {("1",)})
        rows = {"low/low, from step 1, drawn 1": {"redraw": (1.0, SURE)}}
        drawn = iter("01")

        async def expand(path: Path, n: int, *place: str | int) -> list[Path]:
            assert path.steps == ()
            step = next(drawn)
            return [Path((step,), (), step == "1")]

        found.expand = expand  # type: ignore[method-assign]
        result, told = searched(found, made(rows))
        assert choices(told) == ["go on", "redraw", "stop"]
        assert result.best.steps == ("1",)


class TestFiles:
    def test_the_shipped_ones_are_read(self) -> None:
        files = list(SHIPPED.glob("*/*.json"))
        assert {path.parent.name for path in files} == {"rules", "judge"}
        for path in files:
            found, scorer = load(path), {"rules": "rules", "judge": "prm"}[path.parent.name]
            assert path.stem in ("any", *domains.names())
            assert (found.model, found.scores.scorer) == ("embedded", scorer)
            assert path.stat().st_size < 16_000

    @pytest.mark.parametrize(
        ("scorer", "path"),
        [
            ("rules", "rules"),
            ("prm:/home/agentflow-pocket-judge.gguf", "judge"),
            ("prm:Qwen2.5-Math-PRM-7B", "rules"),
        ],
    )
    def test_which_is_for_whose_scores(self, scorer: str, path: str) -> None:
        assert shipped(scorer, "my-domain") == SHIPPED / path / "any.json"

    @pytest.mark.parametrize("domain", ["maze", "game24"])
    def test_a_domains_own_comes_first(self, domain: str) -> None:
        assert shipped("prm:pocket-judge", domain) == SHIPPED / "judge" / f"{domain}.json"

    def test_how_many_steps_are_drawn_before_they_are_scored(self) -> None:
        judge = load(SHIPPED / "judge" / "any.json")
        assert (judge.at_once, load(SHIPPED / "rules" / "any.json").at_once) == (8, 1)
        assert load(SHIPPED / "judge" / "game24.json").at_once == 0

    @pytest.mark.parametrize(("price", "attempts"), [(2.0, 5), (3.0, 3)])
    def test_what_the_price_of_the_shipped_one_means(self, price: float, attempts: int) -> None:
        """As its page says."""
        found = load(shipped("rules", "any"))
        assert found.price == 2.0
        tried = [
            found.choose(state_of((), failed=n), 0.0, failed=n, price=price).choice != "stop"
            for n in range(FAILED + 2)
        ]
        assert tried == [True] * attempts + [False] * (FAILED + 2 - attempts)

    @given(controllers())
    def test_what_is_written_is_read_back(self, controller: Controller) -> None:
        assert Controller.model_validate(json.loads(plain(controller))) == controller

    @pytest.mark.parametrize(
        ("changed", "said"),
        [
            ({"price": -1}, "price"),
            ({"price": "1"}, "price"),
            ({"right": {"high/high": 2}}, "right.high/high"),
            ({"right": {"best": 1}}, "no kinds of ends: best"),
            ({"table": {}}, "nothing is said of going on at"),
            ({"more": 1}, "more"),
            ({"scores": {"scorer": "rules"}}, "scores.hopeless"),
        ],
    )
    def test_what_is_wrong_is_named(
        self, changed: dict[str, Any], said: str, tmp_path: File
    ) -> None:
        path = tmp_path / "mine.json"
        path.write_text(json.dumps(json.loads(plain(made())) | changed))
        with pytest.raises(BadInput, match=r"mine\.json: no controller") as caught:
            load(path)
        assert said in str(caught.value)

    @pytest.mark.parametrize(
        "text", ["", "[]", "{", "NaN", "\x00", '{"table": {"a": 1}}', "[" * 9999]
    )
    def test_a_file_that_is_none(self, text: str, tmp_path: File) -> None:
        path = tmp_path / "mine.json"
        path.write_text(text)
        with pytest.raises(BadInput, match=r"mine\.json: no controller .*agentflow controller fit"):
            load(path)

    def test_no_file(self, tmp_path: File) -> None:
        with pytest.raises(BadInput, match=r"none\.json cannot be read"):
            load(tmp_path / "none.json")

    def test_a_file_that_was_changed_is_read_again(self, tmp_path: File) -> None:
        path = tmp_path / "mine.json"
        for price in (1.0, 22.0):
            path.write_text(plain(made(price=price)))
            assert load(path).price == price

    def test_an_estimate_of_an_unknown_end(self) -> None:
        with pytest.raises(ValueError, match="no kinds of ends: none"):
            Estimate(tokens=1.0, ends={"none": 1.0}, seen=1)
        with pytest.raises(ValueError, match="more than 1"):
            Estimate(tokens=1.0, ends=dict.fromkeys(KINDS, 0.9), seen=1)

    def test_for_other_scores_it_says_why_not(self) -> None:
        assert made().unsuited("rules", False, 0.5) == ""
        assert made().unsuited("rules", True, 0.5) == (
            "it was learned with hopeless=False, and here is hopeless=True"
        )
        assert "here is scorer=prm" in made().unsuited("prm", False, 0.5)
