"""adaptive_compute beside its paper: what it asks, scores and spends, section by section."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from reward import Reward

import agentflow
from agentflow import Result
from agentflow.evaluation.compute import Size, compute
from agentflow.graphs.adaptive_compute import CONFIGURATIONS, GRID, AdaptiveSettings
from agentflow.ledger import by_role
from agentflow.models import ScriptedModel
from agentflow.problem import Problem
from agentflow.profile import PROFILES
from agentflow.scorers import PRMScorer
from agentflow.search import Path

PUZZLE = "4 7 8 8"
ANSWER = "(7 - 8 / 8) * 4"
LINES = ("8 / 8 = 1 (left: 1 4 7)", "7 - 1 = 6 (left: 4 6)", "4 * 6 = 24 (left: 24)")
FIXED = {"plan": False, "compute": "best of n", "param": 1, "iterations": 1}


def action(said: str, name: str = "PerformComputation") -> str:
    return f"<reasoning>because</reasoning>\n<action>{name}: {said}</action>\n"


WHOLE = (*map(action, LINES), action(f"\\boxed{{{ANSWER}}}", "BoxFinalAnswer"))


def steps_of(result: Result) -> list[str]:
    return [step.strip() for step in result.samples[0]["steps"]]


class Actions:
    """A model that writes the tagged actions of ``WHOLE``, one behind the other.

    Attributes:
        attempts: What it writes first in place of an action, by its place; its refinement mends it.
    """

    def __init__(self, attempts: Mapping[int, str] | None = None) -> None:
        self.attempts = dict(attempts or {})
        self.asked: list[tuple[str, str]] = []
        self.model = ScriptedModel(self.reply, profile=PROFILES["llama-3.1-instruct"])

    def reply(self, prompt: str) -> str:
        user, _, begun = prompt.rpartition("assistant<|end_header_id|>\n\n")
        if "You read the final answer" in user:
            self.asked.append(("answer", user))
            return f'{{"answer": "{ANSWER}"}}'
        if "You bring a solution" in user:
            self.asked.append(("unstructured", user))
            return f"So it is\n\\boxed{{{ANSWER}}}"
        if "You criticise the next step" in user:
            self.asked.append(("critique", user))
            return "Mend it."
        if "You refine one step" in user:
            self.asked.append(("refine", user))
            done = user.partition("[Steps so far]")[2].partition("[The next step")[0]
            return WHOLE[done.count("</action>")]
        self.asked.append(("solver", begun))
        at = begun.count("</action>")
        if at == len(WHOLE):
            return ""
        if at in self.attempts:
            return self.attempts[at]
        return "".join(WHOLE[at:])

    async def solve(self, **given: Any) -> Result:
        settings = {"reasoning": ["cot"], **FIXED, **given}
        return await agentflow.asolve(PUZZLE, "adaptive_compute", model=self.model, **settings)

    def roles(self) -> list[str]:
        return [role for role, _ in self.asked]


class TestActions:
    async def test_appendix_b5_one_action_a_call(self) -> None:
        one, each = Actions(), Actions()
        await one.solve()
        result = await each.solve(calls="action")
        assert one.roles() == ["solver", "answer"]
        assert each.roles() == [*["solver"] * 5, "answer"]
        assert steps_of(result) == [one.strip() for one in WHOLE]

    async def test_appendix_b5_self_reflection_is_on_the_action(self) -> None:
        wrong = action("7 - 1 = 5 (left: 4 5)")
        world = Actions({1: wrong})
        result = await world.solve(reasoning=["self-reflection"])
        assert world.roles() == [*["solver", "critique", "refine"] * 4, "solver", "answer"]
        (critique, refine) = (user for _, user in world.asked[4:6])
        assert wrong.strip() in critique
        assert WHOLE[0].strip() in critique
        assert "Mend it." in refine
        assert steps_of(result) == [one.strip() for one in WHOLE]
        assert result.cost.wasted > 0, "attempts are discarded"
        assert by_role(result.ledger)["judge"].calls == 4

    async def test_section_2_refinement_is_inside_the_search(self) -> None:
        """Each candidate of the beam is a refined action; none is written behind the search."""
        world = Actions({1: action("7 - 1 = 5 (left: 4 5)")})
        given = {"compute": "beam search", "param": 4}
        result = await world.solve(reasoning=["self-reflection"], **given)
        assert steps_of(result) == [one.strip() for one in WHOLE]
        assert world.roles().count("critique") == world.roles().count("refine") > 4
        assert [op["op"] for op in result.operations].count("begin") == 1

    async def test_an_attempt_stays_where_its_refinement_says_nothing(self) -> None:
        world = Actions()
        reply = world.reply
        world.model._script = lambda prompt: (
            "" if "You refine one step" in prompt else reply(prompt)
        )
        result = await world.solve(reasoning=["self-reflection"])
        assert steps_of(result) == [one.strip() for one in WHOLE]

    async def test_the_whole_trajectory_can_be_reflected_on(self) -> None:
        world = Actions()
        await world.solve(reasoning=["self-reflection"], reflect="trajectory")
        assert "critique" not in world.roles()


def by_place(steps: Sequence[str]) -> list[float]:
    """Scores of which no two solutions have the same."""
    return [0.1 * (n + len(steps)) for n in range(len(steps))]


async def test_section_2_the_prm_reads_the_previous_step_and_the_new_one() -> None:
    problem, model = Problem("p", "math", "p"), Reward(by_place)
    scorer = PRMScorer(model, reads="pair")
    (path,) = await scorer.score(problem, [Path(("a", "b", "c"))])
    assert sorted(model.read) == [("a",), ("a", "b"), ("b", "c")]
    assert path.scores == pytest.approx((0.1, 0.3, 0.3)), "the score of the last step that is read"
    await scorer.score(problem, [Path(("x", "b", "c"))])
    assert sorted(model.read)[-2:] == [("x",), ("x", "b")], "the same pair is asked about once"


class TestAnswer:
    async def test_appendix_b7_the_extractor_is_asked_where_the_controllers_reply_was_none(
        self,
    ) -> None:
        world = Actions()
        result = await world.solve(reasoning="select", compute="select")
        (one,) = result.samples
        assert one["how"]["tools"] == "default"
        assert world.roles()[-1] == "answer"

    async def test_appendix_b9_the_answer_from_unstructured_reasoning(self) -> None:
        world = Actions()
        result = await world.solve(extract="unstructured")
        assert world.roles() == ["solver", "unstructured"]
        assert result.samples[0]["answer"] == ANSWER
        assert WHOLE[0].strip() in world.asked[-1][1]

    async def test_appendix_b9_direct_unstructured(self) -> None:
        prompts: list[str] = []

        def reply(prompt: str) -> str:
            prompts.append(prompt)
            return f"So it is\n\n\\boxed{{{ANSWER}}}"

        model = ScriptedModel(reply, profile=PROFILES["llama-3.1-instruct"])
        given = {**CONFIGURATIONS["direct"], "direct": "unstructured"}
        result = await agentflow.asolve(PUZZLE, "adaptive_compute", model=model, **given)
        assert result.samples[0]["answer"] == ANSWER
        assert "put the final answer into \\boxed{}" in prompts[0]
        assert len(prompts) == 1


def test_section_3_1_a_reward_model_that_is_given_scores() -> None:
    given = AdaptiveSettings(roles={"prm": "reward:http://localhost:1/v1"})  # type: ignore[dict-item]
    assert (given.scored_by, AdaptiveSettings().scored_by) == ("prm", "rules")
    assert given.prm_reads == "pair"


async def test_section_3_1_so_does_one_that_is_given_as_an_object() -> None:
    world, reward = Actions(), Reward(by_place)
    models = {"solver": world.model, "prm": reward, "planner": world.model}
    given = {"reasoning": ["cot"], **FIXED}
    result = await agentflow.asolve(PUZZLE, "adaptive_compute", model=models, **given)
    assert result.samples[0]["reason"].endswith("by prm:R")
    assert {len(one) for one in reward.read} == {1, 2}


class TestCost:
    """Tables 5 and 6: the three strategies cost the same, and linearly in their parameter."""

    SIZES = {"solver": Size(7.616e9, 32_768), "prm": Size(7.07e9, 4096)}  # noqa: RUF012

    async def cost(self, tool: str, strategy: str, param: int) -> tuple[float, float]:
        world = Actions()
        cell = next(
            one
            for one in GRID
            if (one["reasoning"], one["compute"], one["param"], one["iterations"])
            == ((tool,), strategy, param, 1)
        )
        result = await world.solve(**cell, select_by="first")
        assert result.samples[0]["answer"] == ANSWER
        own = {key: one for key, one in result.ledger.items() if "/reason/" in key}
        found = compute([own], self.SIZES)
        return found.flops, found.intensity

    @pytest.mark.parametrize("tool", ["cot", "self-reflection"])
    async def test_tables_5_and_6_strategies_cost_the_same(self, tool: str) -> None:
        strategies = ("best of n", "beam search", "lookahead")
        alone = {one: await self.cost(tool, one, 1) for one in strategies}
        for param in (5, 10):
            found = {one: await self.cost(tool, one, param) for one in strategies}
            for index in (0, 1):
                best, beam, ahead = (one[index] for one in found.values())
                assert beam == pytest.approx(best, rel=0.05)
                assert 0.75 * best <= ahead <= best, "a roll-out ends where the solution does"
                for one in strategies[:2]:
                    grown = found[one][index] / alone[one][index]
                    assert grown == pytest.approx(param, rel=0.05)


def test_the_grid_makes_each_action_a_call() -> None:
    assert all(cell["calls"] == "action" for cell in GRID)
    assert len(GRID) == 54
