"""adaptive_compute: what goes wrong, and what then may be claimed."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any, get_args

import pytest
from adaptive_world import ANSWER, END, FIXED, PUZZLE, RIGHT, SAYS, SLIP, World, calls, scored
from reward import Reward

import agentflow
from agentflow.errors import BadInput, MissingCapability, ModelUnavailable
from agentflow.graphs.adaptive_compute import CONFIGURATIONS
from agentflow.models import Capabilities, Delay, Fault
from agentflow.models.scripted import Reply
from agentflow.nodes.reason import Search
from agentflow.search import Path as Trajectory
from agentflow.settings import request_seed

STEPWISE = ("beam search", "lookahead", *get_args(Search))
"""Searches that go on from a prefix."""


class TestMalformed:
    @pytest.mark.parametrize(
        ("said", "tools"),
        [
            ('{"tools": ["telescope", "verifier"]}', ["cot", "numeric verifier", "verifier"]),
            (
                '{"tools": ["cot", "verifier", "summarizer", "reframe"]}',
                ["reframe", "cot", "numeric verifier"],
            ),
            ('{"tools": ["cot", "self-reflection"]}', ["self-reflection", "numeric verifier"]),
            ('{"tools": []}', ["cot", "numeric verifier"]),
        ],
    )
    async def test_tools_are_put_in_order(self, said: str, tools: list[str]) -> None:
        (one,) = (await World({"tools": said}).solve_with()).samples
        assert (one["tools"], one["how"]["tools"]) == (tools, "valid")

    @pytest.mark.parametrize(
        "said", ["", "cot", '["cot"]', 'Take {"tools": ["cot"]}', '{"tools": ["telescope"]}']
    )
    async def test_no_tools_are_direct_generation(self, said: str) -> None:
        world = World({"tools": said})
        result = await world.solve_with()
        (one,) = result.samples
        assert (one["tools"], one["how"]["tools"]) == ([], "default")
        assert one["compute"] == {"strategy": "best of n", "param": 1}
        assert [role for role, _ in world.asked] == ["plan", "tools", "tools", "solver", "answer"]
        assert result.answer == ANSWER

    @pytest.mark.parametrize(
        ("said", "compute"),
        [
            ('{"strategy": "best of n", "param": "4"}', ("best of n", 4)),
            ('{"strategy": "best of n", "param": 10000}', ("best of n", 5)),
            ('{"strategy": "lookahead", "param": -2}', ("lookahead", 2)),
            ('{"strategy": "beam search", "param": 7}', ("beam search", 6)),
        ],
    )
    async def test_the_parameter_is_kept_in_range(self, said: str, compute: Any) -> None:
        (one,) = (await World({"compute": said}).solve_with()).samples
        assert (one["compute"]["strategy"], one["compute"]["param"]) == compute
        assert one["how"]["compute"] == "valid"

    @pytest.mark.parametrize(
        "said",
        [
            "",
            '{"strategy": "best of n", "param": "many"}',
            '{"strategy": "tree search", "param": 3}',
            'I take {"strategy": "best of n", "param": 3}',
        ],
    )
    async def test_no_strategy_is_direct_generation(self, said: str) -> None:
        world = World({"compute": said})
        (one,) = (await world.solve_with()).samples
        assert (one["tools"], one["how"]["compute"]) == ([], "default")
        assert len(world.asks("solver")) == 1

    async def test_a_repair_shows_what_was_wrong(self) -> None:
        wrong = '{"strategy": "best of n", "param": "many"}'
        world = World({"compute": [wrong, '{"strategy": "lookahead", "param": 2}']})
        (one,) = (await world.solve_with()).samples
        assert one["how"]["compute"] == "repaired"
        assert one["compute"]["strategy"] == "lookahead"
        again = world.asks("compute")[1]
        assert wrong in again
        assert "must be an integer" in again

    async def test_no_plan_is_none(self) -> None:
        world = World({"plan": "First make a 6."})
        (one,) = (await world.solve_with()).samples
        assert (one["plan"], one["how"]["plan"]) == ("", "default")
        assert "plan: none" in world.asks("tools")[0]

    async def test_no_answer_is_the_one_the_domain_reads(self) -> None:
        result = await World({"answer": f"It is {ANSWER}."}).solve_with(**FIXED)
        assert (result.answer, result.samples[0]["how"]["answer"]) == (ANSWER, "default")

    async def test_nothing_is_said_at_all(self) -> None:
        world = World(dict.fromkeys(SAYS, ""), [""])
        result = await world.solve_with(iterations=2)
        assert (result.status, result.answer) == ("exhausted", None)
        assert result.reason == "iteration 1 of 2: no answer found"


class Scorer:
    """Gives every step the score it is made with."""

    name = "test"

    def __init__(self, score: Any) -> None:
        self.given = score

    async def score(self, problem: Any, paths: Sequence[Trajectory]) -> list[Trajectory]:
        if isinstance(self.given, Exception):
            raise self.given
        scores = [(self.given,) * len(path.steps) for path in paths]
        return [
            Trajectory(p.steps, s, p.done, p.payload) for p, s in zip(paths, scores, strict=True)
        ]


class TestScorers:
    @pytest.mark.parametrize(
        ("score", "said"),
        [
            (math.nan, "said nan"),
            ("good", "said 'good'"),
            (1.5, "said 1.5"),
            (None, "said None"),
            (ValueError("no"), "raised ValueError: no"),
        ],
    )
    @pytest.mark.parametrize("strategy", ["best of n", "beam search", "lookahead"])
    async def test_bad_scores_count_as_0_and_are_told(
        self, monkeypatch: pytest.MonkeyPatch, score: Any, said: str, strategy: str
    ) -> None:
        async def scorer_of(*_: Any) -> tuple[Scorer, Callable[[], dict[str, Any]]]:
            return Scorer(score), dict

        for name in ("score", "reason"):
            module = import_module(f"agentflow.nodes.{name}")
            monkeypatch.setattr(module, "scorer_of", scorer_of)
        result = await World().solve_with(**{**FIXED, "compute": strategy, "param": 2})
        (one,) = result.samples
        assert one["reward"] == 0
        assert set(one["scores"]) == {0}
        assert any(said in note for note in one["notes"])
        assert (scored(result), result.answer) == ("unverified", ANSWER)

    async def test_a_prompted_scorer_is_counted(self) -> None:
        world = World({"step": '{"is_correct": true, "confidence": 0.9}'})
        result = await world.solve_with(**FIXED, scorer="prompted")
        assert calls(result) == {"solver": 2, "prm": 4}
        assert result.samples[0]["scores"] == [0.9] * 4
        assert scored(result) == "accepted"

    @pytest.mark.parametrize(
        ("strategy", "between"),  # best of n asks about all four steps at once
        [("best of n", 2), ("beam search", 0), ("lookahead", 0)],
    )
    async def test_a_step_of_which_nothing_readable_is_said_is_not_passed(
        self, strategy: str, between: int
    ) -> None:
        """It counts as 0.5, and is told; with an uncertainty that was said the answer passes."""
        sure, none = '{"is_correct": true, "confidence": 0.9}', "Looks right to me!"
        unsure = sure.replace("0.9", "0.5")
        given = {**FIXED, "compute": strategy, "param": 2, "scorer": "prompted"}
        passed = await World({"step": [sure, unsure, sure]}).solve_with(**given)
        assert scored(passed) == "accepted"
        assert passed.samples[0]["notes"] == []
        said = [sure, none, *[sure] * between, none, sure]
        result = await World({"step": said}).solve_with(**given)
        (one,) = result.samples
        assert (sorted(one["scores"]), one["status"]) == ([0.5, 0.9, 0.9, 0.9], "unverified")
        told = "prompted said nothing that can be read of 1 of "
        assert told in one["notes"][0]
        assert told in one["reason"]

    @pytest.mark.parametrize(("reads", "asked"), [("pair", 8), ("solution", 2)])
    async def test_a_reward_model_chooses(self, reads: str, asked: int) -> None:
        reward = Reward(lambda steps: [0.25 if "= 5" in step else 0.75 for step in steps])
        world = World({}, [SLIP + END, RIGHT + END])
        model = {"solver": world.model, "prm": reward}
        given = {**CONFIGURATIONS["direct+prm"], "iterations": 2, "scorer": "prm"}
        given = {"judge_answers": False, "prm_reads": reads} | given
        result = await agentflow.asolve(PUZZLE, "adaptive_compute", model=model, **given)
        assert (scored(result), result.trace.body) == ("accepted", RIGHT + END)
        assert result.reason.endswith("R = 0.750 by prm:R")
        assert calls(result) == {"solver": 2, "prm": asked}
        assert f"the numbers {PUZZLE} into an expression that equals 24" in reward.stated

    async def test_a_reward_model_is_needed(self) -> None:
        world = World()
        with pytest.raises(BadInput, match="scripted is none; name one as the role prm"):
            await world.solve_with(scorer="prm")
        assert world.asked == []

    async def test_but_not_where_nothing_is_scored(self) -> None:
        result = await World().solve_with(**CONFIGURATIONS["direct"], scorer="prm")
        assert result.answer == ANSWER


class TestBadInput:
    @pytest.mark.parametrize(
        ("given", "said"),
        [
            ({"reasoning": ["telescope"]}, "reasoning"),
            ({"reasoning": ["cot", "self-reflection"]}, "exactly one of"),
            ({"reasoning": ["verifier"]}, "exactly one of"),
            ({"reasoning": ["verifier", "cot"]}, "in this order"),
            ({"reasoning": ["cot", "cot"]}, "exactly one of"),
            ({"compute": "tree search"}, "compute"),
            ({"param": 0}, "param"),
            ({"iterations": 0}, "iterations"),
            ({"accept": 2}, "accept"),
        ],
    )
    async def test_settings(self, given: dict[str, Any], said: str) -> None:
        with pytest.raises(BadInput, match=said):
            await World().solve_with(**given)

    async def test_an_unsolvable_problem_is_declined(self) -> None:
        world = World()
        result = await agentflow.asolve("1 1 1 1", "adaptive_compute", model=world.model)
        assert (result.status, world.asked) == ("abstained", [])

    async def test_a_chat_only_model_needs_whole_trajectories(self) -> None:
        world = World()
        world.model.capabilities = Capabilities(continues=False)
        with pytest.raises(MissingCapability, match="continues"):
            await world.solve_with()
        result = await world.solve_with(**FIXED)
        assert result.answer == ANSWER

    @pytest.mark.parametrize("compute", ["best of n", *STEPWISE])
    @pytest.mark.parametrize(
        ("given", "why"),
        [
            ({"solver_tokens": 4}, "the budget of 4 tokens is spent"),
            ({"max_steps": 1}, "the budget of 1 steps is spent"),
            ({"search_tokens": 6}, "the search's budget of 6 tokens is spent"),
        ],
    )
    async def test_budgets(self, compute: str, given: dict[str, Any], why: str) -> None:
        fixed = {**FIXED, "compute": compute, "param": 2}
        result = await World({"answer": '{"answer": ""}'}).solve_with(**fixed, **given)
        assert (result.status, result.answer) == ("exhausted", None)
        assert why in result.reason
        world = World()
        result = await world.solve_with(**fixed, **given)
        assert (scored(result), result.answer) == ("unverified", ANSWER)
        assert f"{why}; the answer was read off what there is" in result.reason
        assert "8 / 8" in world.asks("answer")[0]

    @pytest.mark.parametrize("more", [{"extract": "domain"}, {"reasoning": ()}])
    async def test_nobody_reads_half_an_answer(self, more: dict[str, Any]) -> None:
        """The domain reads no answer where a limit may have cut it."""
        world = World()
        result = await world.solve_with(**{**FIXED, **more, "solver_tokens": 8})
        assert (result.status, result.answer) == ("exhausted", None)
        assert world.asks("answer") == []

    async def test_an_attempt_that_a_limit_ended_is_not_criticised(self) -> None:
        world = World()
        given = {**FIXED, "reasoning": ["self-reflection", "verifier"], "solver_tokens": 4}
        result = await world.solve_with(**given)
        assert [role for role, _ in world.asked] == ["solver", "answer"]
        assert result.answer == ANSWER

    @pytest.mark.parametrize("compute", STEPWISE)
    async def test_a_search_step_by_step_ends_at_what_the_profile_allows(
        self, compute: str
    ) -> None:
        world = World()
        world.model.profile = replace(world.model.profile, search_tokens=6)
        given = {**FIXED, "compute": compute, "param": 2}
        result = await world.solve_with(**given)
        assert "the search's budget of 6 tokens is spent" in result.reason
        assert (await world.solve_with(**given, search_tokens=10_000)).answer == ANSWER
        assert (await world.solve_with(**FIXED | {"param": 2})).answer == ANSWER

    @pytest.mark.usefixtures("virtual_time")
    async def test_time(self) -> None:
        world = World()
        world.solve = lambda begun: [Delay(5)]  # type: ignore[method-assign]
        result = await world.solve_with(**FIXED, timeout=0.3)
        assert (result.status, result.answer) == ("exhausted", None)
        assert result.reason == "the time limit of 0.3 s is over, with no answer yet"
        assert calls(result) == {"solver": 1}

    @pytest.mark.usefixtures("virtual_time")
    async def test_an_attempt_outlives_a_refinement_that_is_late(self) -> None:
        world = World()
        solve = world.solve

        def solved(begun: str) -> Reply:
            return solve(begun) if len(world.asks("solver")) == 1 else [Delay(5)]

        world.solve = solved  # type: ignore[method-assign]
        given = {**FIXED, "reasoning": ["self-reflection"]}
        result = await world.solve_with(**given, timeout=0.3)
        assert (scored(result), result.answer) == ("accepted", ANSWER)
        assert result.trace.body == RIGHT + END

    async def test_steps_that_never_end_are_cut(self) -> None:
        endless = "and on " * 500
        result = await World({"answer": '{"answer": ""}'}, [endless]).solve_with(
            **{**FIXED, "compute": "beam search", "param": 2}, step_tokens=10, max_tokens=60
        )
        assert result.status == "exhausted"
        assert {len(op["ends"]) for op in result.operations if op["kind"] == "generated"} == {10}


class TestBreaking:
    """Requests that are not answered, however often they are sent."""

    def world(self, *places: tuple[str | int, ...]) -> World:
        world = World()
        reply, self.back = world.reply, False
        seeds = {request_seed(0, PUZZLE, *place) for place in places}

        def script(prompt: str) -> Reply:
            gone = world.model.requests[-1].seed in seeds and not self.back
            return [Fault(ModelUnavailable("gone"))] if gone else reply(prompt)

        world.model._script = script
        return world

    async def test_iterations_do_not_take_others_with_them(self) -> None:
        places = [
            ("planner", 0, "plan"),
            ("selector", 1, "compute"),
            ("solver", 2, "reason", 0, 0),
            ("judge", 3, "numeric_verifier"),
            ("solver", 4, "answer"),
        ]
        result = await self.world(*places).solve_with(iterations=7, retries=0)
        assert (scored(result), result.answer) == ("accepted", ANSWER)
        assert result.reason.startswith("by game24; iteration 6 of 7")
        errors = {one["branch"]: one["error"] for one in result.samples}
        assert errors == dict.fromkeys(range(5), "gone") | {5: "", 6: ""}
        lost = next(one for one in result.samples if one["branch"] == 0)
        assert (lost["status"], lost["answer"], lost["reason"]) == ("exhausted", None, "gone")

    async def test_on_a_thread_the_run_goes_on_from_there(self, tmp_path: Path) -> None:
        world = self.world(("solver", 1, "reason", 0, 0))
        where = {"checkpoints": tmp_path / "t.sqlite"}
        with pytest.raises(ModelUnavailable, match="gone"):
            await world.solve_with(thread="t", iterations=2, retries=0, **where)
        assert len(world.asks("plan")) == 2
        self.back = True
        result = await agentflow.aresume("t", model=world.model, **where)
        assert (scored(result), [one["error"] for one in result.samples]) == ("accepted", ["", ""])
        assert len(world.asks("plan")) == 2
        assert calls(result)["planner"] == 2

    async def test_what_is_no_breakdown_is_an_error(self) -> None:
        world = World()
        world.model._script = lambda prompt: [Fault(BadInput("no"))]
        with pytest.raises(BadInput, match="no"):
            await world.solve_with(**FIXED)


class TestThreads:
    async def test_a_thread_used_again_begins_anew(self, tmp_path: Path) -> None:
        where = {"checkpoints": tmp_path / "t.sqlite", "thread": "t"}
        first = await World().solve_with(iterations=2, **where)
        again = await World({}, [SLIP + END]).solve_with(**FIXED, **where)
        assert (scored(first), scored(again)) == ("accepted", "unverified")
        assert len(again.samples) == 1
