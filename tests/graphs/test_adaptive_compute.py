"""adaptive_compute: its roles, its tools, its configurations, its choice."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest
from adaptive_world import ANSWER, END, FIXED, PUZZLE, RIGHT, SLIP, World, calls, scored
from hypothesis import given, settings
from hypothesis import strategies as st

import agentflow
from agentflow.graphs.adaptive_compute import CONFIGURATIONS, GRID, AdaptiveSettings
from agentflow.ledger import by_role
from agentflow.models import Delay, ScriptedModel
from agentflow.models.scripted import Reply
from agentflow.nodes.score import accepts
from agentflow.profile import PROFILES
from agentflow.settings import request_seed


class TestOneIteration:
    async def test_plans_chooses_reasons_and_answers(self) -> None:
        world = World()
        result = await world.solve_with()
        assert (scored(result), result.answer) == ("accepted", ANSWER)
        roles = [role for role, _ in world.asked]
        assert roles == ["plan", "tools", "compute", *["solver"] * 3, "check", "answer"]
        assert calls(result) == {"planner": 1, "selector": 2, "solver": 4, "judge": 1}
        (one,) = result.samples
        assert one["plan"] == "Make a 6 and a 4."
        assert one["tools"] == ["cot", "numeric verifier"]
        assert one["compute"] == {"strategy": "best of n", "param": 3}
        assert set(one["how"].values()) == {"valid"}
        assert one["scores"] == [1, 1, 1, 1, 0.5]
        assert one["reward"] == pytest.approx(0.9)
        assert result.reason == "by game24; R = 0.900 by rules:game24"
        assert result.trace.body == RIGHT + END

    async def test_what_was_chosen_before_is_told(self) -> None:
        world = World({"tools": '{"tools": ["self-reflection", "reframe"]}'})
        await world.solve_with()
        (tools,), (compute,) = world.asks("tools"), world.asks("compute")
        assert "plan: Make a 6 and a 4." in tools
        assert "tools: reframe, self-reflection, numeric verifier" in compute

    async def test_the_ledger_is_a_recount_of_the_models_log(self) -> None:
        world = World({"compute": '{"strategy": "beam search", "param": 4}'})
        result = await world.solve_with(iterations=3)
        assert result.cost.calls == len(world.model.requests)
        assert result.cost.generated == world.model.streamed
        kept = sum(len(op["ends"]) for one in result.samples for op in one["operations"])
        solved = by_role({k: v for k, v in result.ledger.items() if "/reason/" in k})["solver"]
        assert solved.generated - solved.wasted == kept

    async def test_events_say_how_replies_came_about(self) -> None:
        events: list[dict[str, Any]] = []
        world = World({"tools": ["?", '{"tools": ["cot"]}'], "compute": "?"})
        result = await world.solve_with(on_event=events.append)
        told = {e["name"]: (e["how"], bool(e["error"])) for e in events if e["type"] == "reply"}
        assert told["plan"] == ("valid", False)
        assert told["tools"] == ("repaired", True)
        assert told["compute"] == ("default", True)
        (one,) = result.samples
        assert {name: how for name, (how, _) in told.items()} == one["how"]
        (scored,) = [e for e in events if e["type"] == "score"]
        assert scored["reward"] == one["reward"]
        assert json.loads(json.dumps(events)) == events
        counted = {key for e in events if e["type"] == "usage" for key in e["entries"]}
        assert counted == set(result.ledger)


class TestTools:
    async def test_each_writes_a_step(self) -> None:
        world = World({"tools": '{"tools": ["cot", "numeric verifier", "verifier", "summarizer"]}'})
        (one,) = (await world.solve_with()).samples
        assert one["tools"] == ["cot", "numeric verifier", "verifier"]
        assert one["steps"][-2:] == ["\n\nThe numbers are right.", "\n\nThe logic is right."]
        assert "The numbers are right." in world.asks("review")[0]
        assert "</think>" not in world.asks("review")[0]
        (answer,) = world.asks("answer")
        assert "The logic is right." in answer
        assert len(one["scores"]) == len(one["steps"])

    async def test_the_summarizer_comes_last(self) -> None:
        world = World()
        (one,) = (
            await world.solve_with(**{**FIXED, "reasoning": ["cot", "verifier", "summarizer"]})
        ).samples
        assert one["steps"][-2:] == ["\n\nThe logic is right.", "\n\nSix fours."]

    async def test_the_restated_problem_is_the_first_step(self) -> None:
        world = World()
        (one,) = (await world.solve_with(**{**FIXED, "reasoning": ["reframe", "cot"]})).samples
        assert one["steps"][:2] == ["Reach 24.", RIGHT.splitlines(True)[0]]
        assert one["scores"] == [0.5, 1, 1, 1, 1]

    async def test_scores_of_the_search_stay_with_their_steps(self) -> None:
        fixed = {**FIXED, "reasoning": ["reframe", "cot"], "param": 2}
        (one,) = (await World({}, [SLIP + END]).solve_with(**fixed)).samples
        assert one["scores"] == [0.5, 1, 0, 0, 1]

    async def test_self_reflection_criticises_and_refines(self) -> None:
        world = World({"critique": "7 - 1 is 6."}, [SLIP + END, RIGHT + END])
        result = await world.solve_with(**{**FIXED, "reasoning": ["self-reflection"]})
        assert [role for role, _ in world.asked] == ["solver", "critique", "solver", "answer"]
        assert "7 - 1 = 5" in world.asks("critique")[0]
        assert "tried:\n8 / 8 = 1" in world.asks("solver")[1]
        assert world.asks("solver")[1].endswith("review: 7 - 1 is 6.")
        (one,) = result.samples
        assert "".join(one["steps"]) == RIGHT + END == result.trace.body
        assert [op["op"] for op in result.operations].count("begin") == 2
        assert result.cost.wasted == 0

    async def test_a_refinement_that_is_worse_is_not_kept(self) -> None:
        world = World({}, [RIGHT + END, SLIP + END])
        result = await world.solve_with(**{**FIXED, "reasoning": ["self-reflection"]})
        assert result.trace.body == RIGHT + END
        assert scored(result) == "accepted"
        assert result.cost.wasted > 0

    async def test_a_refinement_has_a_budget_of_its_own(self) -> None:
        fixed = {**FIXED, "reasoning": ["self-reflection"]}
        alone = await World({}, [SLIP + END]).solve_with(**FIXED)
        world = World({}, [SLIP + END, RIGHT + END])
        result = await world.solve_with(**fixed, solver_tokens=alone.trace.generated)
        assert result.trace.body == RIGHT + END

    async def test_without_scores_the_refinement_counts(self) -> None:
        world = World({}, [RIGHT + END, SLIP + END])
        result = await world.solve_with(
            **{**FIXED, "reasoning": ["self-reflection"], "select_by": "first"}
        )
        assert result.trace.body == SLIP + END
        assert scored(result) == "unverified"

    async def test_steps_in_tags(self) -> None:
        steps = [
            f"<reasoning>because</reasoning>\n<action>PerformComputation: {line}</action>\n"
            for line in RIGHT.splitlines()
        ]
        steps.append(
            f"<reasoning>done</reasoning><action>BoxFinalAnswer: \\boxed{{{ANSWER}}}</action>"
        )
        whole = "".join(steps)
        prompts: list[str] = []

        def reply(prompt: str) -> str:
            prompts.append(prompt)
            if "You read the final answer" in prompt:
                return f'{{"answer": "\\\\boxed{{{ANSWER}}}"}}'
            return whole[len(prompt.rpartition("assistant<|end_header_id|>\n\n")[2]) :]

        model = ScriptedModel(reply, profile=PROFILES["llama-3.1-instruct"])
        result = await agentflow.asolve(
            PUZZLE,
            "adaptive_compute",
            model=model,
            **{**FIXED, "compute": "lookahead", "param": 2, "iterations": 1},
        )
        (one,) = result.samples
        assert [step.count("</action>") for step in one["steps"]] == [1] * 4
        assert "".join(one["steps"]) == whole
        assert (scored(result), result.answer) == ("accepted", ANSWER)
        assert "- GeneraliseOrEdgeCaseCheck:" in prompts[0]


class TestConfigurations:
    async def test_direct(self) -> None:
        world = World()
        result = await world.solve_with(**CONFIGURATIONS["direct"])
        assert (scored(result), result.answer) == ("unverified", ANSWER)
        assert calls(result) == {"solver": 1}
        assert world.asks("solver") == [f"game24: {PUZZLE}"]

    async def test_direct_for_json_alone(self) -> None:
        world = World()
        result = await world.solve_with(**CONFIGURATIONS["direct"], direct="json")
        assert (scored(result), result.answer) == ("unverified", ANSWER)
        assert calls(result) == {"solver": 1}

    async def test_direct_with_selection(self) -> None:
        world = World({}, [SLIP + END, SLIP + END, RIGHT + END, SLIP + END])
        result = await world.solve_with(**CONFIGURATIONS["direct+prm"])
        assert calls(result) == {"solver": 10}
        assert (scored(result), result.answer) == ("accepted", ANSWER)
        assert result.trace.body == RIGHT + END
        assert result.reason.endswith("of 10: R = 1.000 by rules:game24")

    async def test_dynamic(self) -> None:
        result = await World().solve_with(**CONFIGURATIONS["dynamic"])
        assert (scored(result), len(result.samples)) == ("unverified", 1)
        assert calls(result)["selector"] == 2

    async def test_dynamic_with_selection_is_the_default(self) -> None:
        given = AdaptiveSettings(**CONFIGURATIONS["dynamic+prm"])
        assert given == AdaptiveSettings()
        result = await World().solve_with(iterations=10)
        assert calls(result)["selector"] == 20
        assert len(result.samples) == 10

    def test_the_grid_has_54_cells(self) -> None:
        cells = {repr(AdaptiveSettings(**cell)) for cell in GRID}
        assert len(cells) == 54

    @pytest.mark.parametrize("cell", GRID[1::9], ids=lambda cell: str(tuple(cell.values())))
    async def test_cells_run(self, cell: dict[str, Any]) -> None:
        result = await World().solve_with(**{**cell, "param": 2, "iterations": 2})
        assert (scored(result), result.answer) == ("accepted", ANSWER)
        used = {(*one["tools"], one["compute"]["strategy"]) for one in result.samples}
        assert used == {(*cell["reasoning"], cell["compute"])}


class TestSelection:
    async def test_the_highest_reward_wins_and_ties_go_to_the_first(self) -> None:
        world = World({}, [SLIP + END, RIGHT + END, RIGHT + END])
        result = await world.solve_with(**CONFIGURATIONS["direct+prm"])
        rewards = [one["reward"] for one in sorted(result.samples, key=lambda one: one["branch"])]
        best = rewards.index(max(rewards))
        assert f"iteration {best + 1} of 10" in result.reason

    @settings(deadline=None, max_examples=20)
    @given(st.permutations(range(4)))
    def test_the_order_in_which_iterations_end_changes_nothing(self, order: list[int]) -> None:
        expected = asyncio.run(self.run([0] * 4))
        found = asyncio.run(self.run(order))
        assert found == expected
        assert found["result"][1] == ANSWER
        assert len({tuple(one["scores"]) for one in found["samples"]}) > 1

    async def run(self, waits: Sequence[int]) -> dict[str, Any]:
        """Each iteration's text is told by its seed alone; it comes after a time of its own."""
        seeds = [request_seed(7, PUZZLE, "solver", k, "reason", 0, 0) for k in range(4)]
        model = ScriptedModel("")
        texts = [SLIP + END, RIGHT + END, SLIP.replace("4 * 6", "4 * 5") + END, RIGHT + END]

        def reply(prompt: str) -> Reply:
            k = seeds.index(model.requests[-1].seed)
            return [Delay(0.002 * waits[k]), texts[k]]

        model._script = reply
        given = {**CONFIGURATIONS["direct+prm"], "iterations": 4, "seed": 7}
        result = await agentflow.asolve(PUZZLE, "adaptive_compute", model=model, **given)
        samples = sorted(result.samples, key=lambda one: one["branch"])
        for one in samples:  # the scripted model numbers its tokens as they come up
            one["operations"] = [op["text"] for op in one["operations"]]
        ledger = {k: {**v, "seconds": 0, "until": 0} for k, v in result.ledger.items()}
        return {
            "samples": samples,
            "ledger": ledger,
            "result": (result.status, result.answer, result.reason, result.trace.body),
        }

    async def test_one_without_an_answer_is_passed_over(self) -> None:
        world = World({}, [RIGHT, SLIP + END])
        result = await world.solve_with(**{**CONFIGURATIONS["direct+prm"], "iterations": 2})
        assert (scored(result), result.answer) == ("unverified", ANSWER)
        assert sorted(one["status"] for one in result.samples) == ["exhausted", "unverified"]

    @pytest.mark.parametrize(
        ("scores", "threshold", "accepted"),
        [
            ((1, 1), 0.5, True),
            ((0.5, 1), 0.5, True),
            ((0.5, 0.5), 0.5, False),  # nobody can tell
            ((), 0.5, False),
            ((1, 1, 1, 0.4), 0.5, False),  # one step is wrong
            ((1, 0.9), 1.0, False),
            ((1, 1), 1.0, True),
        ],
    )
    def test_accepted(self, scores: tuple[float, ...], threshold: float, accepted: bool) -> None:
        value = sum(scores) / len(scores) if scores else 0.0
        assert accepts(scores, value, threshold) is accepted

    async def test_an_answer_the_trajectory_does_not_give_is_not_accepted(self) -> None:
        world = World({"answer": '{"answer": "8 + 8 + 8"}'})
        result = await world.solve_with(**FIXED)
        assert (scored(result), result.samples[0]["answer"]) == ("unverified", "8 + 8 + 8")
        assert result.samples[0]["reason"].endswith(f"the trajectory says {ANSWER}")
        assert (result.status, result.answer) == ("abstained", None), "the domain has the last word"

    async def test_a_slip_is_not_accepted(self) -> None:
        result = await World({}, [SLIP + END]).solve_with(**FIXED)
        assert (scored(result), result.answer) == ("unverified", ANSWER)


async def test_what_nobody_needed_to_judge_is_not_accepted() -> None:
    judged = await World({}, [RIGHT + END]).solve_with(**FIXED)
    unread = await World({}, [RIGHT + END]).solve_with(**FIXED, unread=1.0)
    assert (scored(judged), scored(unread)) == ("accepted", "unverified")
    assert judged.answer == unread.answer


async def test_a_slow_iteration_holds_none_of_the_others_up() -> None:
    """The one whose planner is slow plans last, when the others have come to their ends."""
    plan = str(World().says["plan"][0])
    world = World({"plan": [(Delay(0.5), plan), plan]})
    events: list[dict[str, Any]] = []
    result = await world.solve_with(iterations=4, on_event=events.append)
    assert scored(result) == "accepted"
    told = [e["name"] if e["type"] == "reply" else e["type"] for e in events]
    last_plan = len(told) - 1 - told[::-1].index("plan")
    assert told[:last_plan].count("score") == told[:last_plan].count("answer") == 3
