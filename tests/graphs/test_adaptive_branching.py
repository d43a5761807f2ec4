"""adaptive_branching: what the next solution is told, which model writes it, and what is given."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from legs import Killed

import agentflow
from agentflow import Result
from agentflow.models import ScriptedModel

QUESTION = "Ann has 3 apples and buys 4 more. How many apples does Ann have?"
PUZZLE = "4 7 8 8"
RIGHT = "(7 - 8 / 8) * 4"
WRONG = "4 + 7 + 8 + 8"


class World:
    """A solver whose solutions are numbered, and a critic that scores each as it is told to."""

    def __init__(self, *scores: float, name: str = "scripted", answer: str = "7") -> None:
        self.scores, self.answer = scores, answer
        self.prompts: list[str] = []
        self.model = ScriptedModel(self.reply, name=name)

    def reply(self, prompt: str) -> str:
        if "user\ncritic: " in prompt:
            number = int(re.findall(r"solution number (\d+)", prompt)[-1])
            return json.dumps({"reason": f"flaw {number}", "score": self.scores[number]})
        self.prompts.append(prompt)
        number = len(self.prompts) - 1
        return rf"solution number {number}</think>\boxed{{{self.answer}}}"

    def solve(self, **settings: Any) -> Result:
        given: dict[str, Any] = {"verifier": "critic", "domain": "math", "model": self.model}
        return agentflow.solve(QUESTION, "adaptive_branching", **given | settings)

    @property
    def refined(self) -> list[int | None]:
        """Which solution each prompt shows."""
        shown = [re.findall(r"solution number (\d+)", prompt) for prompt in self.prompts]
        return [int(one[0]) if one else None for one in shown]


def test_some_are_new_and_some_refine_what_the_critic_said() -> None:
    world = World(*[0.5] * 12)
    result = world.solve(n=12)
    assert len(world.prompts) == 12
    assert world.refined[0] is None
    assert None in world.refined[1:]
    told = next(at for at, one in enumerate(world.refined) if one is not None)
    assert f"flaw {world.refined[told]}" in world.prompts[told]
    assert "Evaluation: can be improved" in world.prompts[told]
    assert all(one is None or one < at for at, one in enumerate(world.refined))
    assert result.status == "accepted"


def test_the_best_is_given_and_its_place_in_the_tree_told() -> None:
    world = World(0.3, 0.2, 0.8, 0.4)
    result = world.solve(n=4)
    assert "number 3 of 4 solutions (" in result.reason
    assert "score 0.80" in result.reason
    how = "new" if world.refined[2] is None else f"refines number {world.refined[2] + 1}"
    assert f"({how})" in result.reason


def test_a_score_that_is_enough_ends_the_run() -> None:
    world = World(0.3, 0.8, 0.9)
    world.solve(n=3, enough=0.75)
    assert len(world.prompts) == 2


@pytest.mark.parametrize("answers", [[RIGHT], [WRONG, RIGHT], [WRONG, WRONG, RIGHT]])
def test_a_verified_answer_ends_the_run(answers: list[str]) -> None:
    left = iter(answers)
    model = ScriptedModel(lambda prompt: f"hm</think>\nAnswer: {next(left)} = 24")
    result = agentflow.solve(PUZZLE, "adaptive_branching", model=model, n=8)
    assert result.status == "verified"
    assert next(left, None) is None


def test_a_refuted_answer_is_not_given() -> None:
    model = ScriptedModel(f"hm</think>\nAnswer: {WRONG} = 24")
    result = agentflow.solve(PUZZLE, "adaptive_branching", model=model, n=3)
    assert (result.answer, result.status) == (None, "abstained")
    assert "of 3 solutions" in result.reason


def test_what_came_to_no_answer_is_not_refined() -> None:
    world = World(*[0.5] * 6)
    world.model = ScriptedModel("hm </think> I do not know")
    result = world.solve(n=3)
    assert result.answer is None
    assert all("I do not know" not in prompt for prompt in world.prompts)


def test_without_feedback_every_solution_is_new() -> None:
    world = World(*[0.5] * 6)
    world.solve(n=6, feedback="sample")
    assert world.refined == [None] * 6


def test_of_a_team_the_model_with_the_better_scores_writes_more() -> None:
    count = Counter[str]()
    for seed in range(10):
        good, poor = (World(*[score] * 8, name=name) for score, name in ((0.9, "g"), (0.1, "p")))
        judge = ScriptedModel(
            lambda prompt: json.dumps({"reason": "so", "score": 0.9 if "{7}" in prompt else 0.1})
        )
        poor.answer = "8"
        result = agentflow.solve(
            QUESTION,
            "adaptive_branching",
            team=[poor.model, good.model],
            model={"verifier": judge},
            verifier="critic",
            domain="math",
            n=8,
            seed=seed,
        )
        count.update(g=len(good.prompts), p=len(poor.prompts))
        assert result.reason.endswith(f"; written by {result.model}")
    assert count["g"] > 1.5 * count["p"]


async def test_a_killed_run_goes_on_with_the_same_tree(tmp_path: Path) -> None:
    whole = World(*[0.5] * 8)
    given: dict[str, Any] = {"verifier": "critic", "domain": "math", "n": 8, "seed": 3}
    plain = await agentflow.asolve(QUESTION, "adaptive_branching", model=whole.model, **given)
    world, kills = World(*[0.5] * 8), [True]
    reply = world.reply

    def killed_once(prompt: str) -> str:
        if len(world.prompts) == 4 and kills:
            kills.pop()
            raise Killed
        return reply(prompt)

    world.model._script = killed_once
    file = tmp_path / "threads.db"
    with pytest.raises(Killed):
        await agentflow.asolve(
            QUESTION,
            "adaptive_branching",
            model=world.model,
            checkpoints=file,
            thread="t",
            **given,
        )
    again = await agentflow.aresume("t", model=world.model, checkpoints=file)
    assert world.refined == whole.refined
    assert again.reason == plain.reason


def test_by_upper_bounds_the_best_so_far_is_refined() -> None:
    world = World(0.2, 0.5, 0.4, 0.8, 0.3)
    result = world.solve(n=5, policy="uct", new=2, explore=0)
    assert world.refined == [None, None, 1, 1, 3]
    assert "number 4 of 5 solutions (refines number 2), score 0.80" in result.reason
