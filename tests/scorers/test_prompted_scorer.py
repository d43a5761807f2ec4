"""The prompted scorer: what is asked, what a reply is worth, what becomes of bad ones."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from agentflow import prompts
from agentflow.domains import Game24
from agentflow.errors import ModelUnavailable
from agentflow.models import Fault, ScriptedModel
from agentflow.models.metered import Metered
from agentflow.models.scripted import Reply
from agentflow.profile import PROFILES
from agentflow.scorers import PromptedScorer
from agentflow.search import Path

PROBLEM = Game24().parse("4 7 8 8")
STEPS = ("a\n", "b\n", "c\n")


def reply(correct: Any, confidence: Any) -> str:
    return json.dumps({"is_correct": correct, "confidence": confidence})


class Judge:
    """Says of each step what a test has it say; a list, one reply after the other."""

    def __init__(self, replies: dict[str, Any], profile: str = "qwen2.5-instruct") -> None:
        self.replies = replies
        self.asked: list[str] = []
        self.model = ScriptedModel(self.say, profile=PROFILES[profile])
        self.meter = Metered(self.model, "prm", "0")
        self.scorer = PromptedScorer(self.meter)

    def say(self, prompt: str) -> Reply:
        self.asked.append(prompt)
        step = prompt.rpartition("The step:\n")[2].split("<|im_end|>")[0].split("\n")[0]
        said = self.replies[step]
        return said.pop(0) if isinstance(said, list) else said  # type: ignore[no-any-return]

    def scores(self, *paths: Path) -> list[tuple[float, ...]]:
        found = asyncio.run(self.scorer.score(PROBLEM, paths))
        assert [path.steps for path in found] == [path.steps for path in paths]
        return [path.scores for path in found]


@pytest.mark.parametrize(
    ("correct", "confidence", "value"),
    [
        (True, 0.95, 0.95),
        (True, 0.2, 0.2),
        (False, 0.95, 0.05),
        (False, 0.1, 0.1),
        (False, 0.5, 0.5),
        (True, 1, 1.0),
        (False, 1, 0.0),
    ],
)
def test_what_a_reply_is_worth(correct: bool, confidence: float, value: float) -> None:
    judge = Judge({"a": reply(correct, confidence)})
    assert judge.scores(Path(STEPS[:1])) == [(pytest.approx(value),)]
    assert len(judge.asked) == 1


def test_a_step_is_shown_with_the_one_before_it_and_the_first_with_the_problem() -> None:
    judge = Judge({step.strip(): reply(True, 0.9) for step in STEPS})
    assert judge.scores(Path(STEPS)) == [(0.9, 0.9, 0.9)]
    pairs = [
        prompt.partition("What stands before it:\n")[2].partition("<|im_end|>")[0]
        for prompt in judge.asked
    ]
    stated = prompts.stated(PROBLEM, judge.model.profile)
    assert "equals 24" in stated
    assert pairs == [
        f"{before.strip()}\n\nThe step:\n{step.strip()}"
        for before, step in zip((stated, *STEPS), STEPS, strict=False)
    ]


def test_greedy_with_the_schema() -> None:
    judge = Judge({"a": reply(True, 1)})
    judge.scores(Path(STEPS[:1]))
    (request,) = judge.model.requests
    assert request.sampling.temperature == 0
    assert request.schema is not None
    assert set(request.schema["properties"]) == {"is_correct", "confidence"}


@pytest.mark.parametrize(
    "bad",
    [
        "",
        "yes",
        "so " + reply(True, 0.9),
        reply("maybe", 0.9),
        reply(True, 1.5),
        reply(True, -1),
        reply(True, "high"),
        '{"is_correct": true, "confidence": NaN}',
        '{"is_correct": true}',
        "[true, 0.9]",
    ],
)
def test_a_reply_that_is_none_is_asked_for_once_more_and_then_unsure(bad: str) -> None:
    judge = Judge({"a": [bad, reply(True, 0.8)], "b": [bad, bad]})
    assert judge.scores(Path(STEPS[:2])) == [(0.8, 0.5)]
    assert judge.scorer.unscored == {STEPS[:2]}
    assert len(judge.asked) == 4
    told = [key.rpartition("/")[2] for key, one in judge.meter.entries.items() if not one["calls"]]
    assert sorted(told) == ["default", "repaired"]


def test_a_transition_is_asked_about_once() -> None:
    judge = Judge({step.strip(): [reply(True, 0.5 + n / 10)] for n, step in enumerate(STEPS)})
    first = judge.scores(Path(STEPS[:2]))
    again = judge.scores(Path(STEPS), Path(STEPS[:2]), Path(STEPS[:1], (0.25,)))
    assert first == [(0.5, 0.6)]
    assert again == [(0.5, 0.6, 0.7), (0.5, 0.6), (0.25,)]
    assert len(judge.asked) == 3


def test_questions_are_asked_at_once_but_not_all() -> None:
    judge = Judge({})
    now = most = 0

    class Slow(ScriptedModel):
        async def stream(self, request: Any) -> Any:
            nonlocal now, most
            now, most = now + 1, max(most, now + 1)
            await asyncio.sleep(0.01)
            async for item in super().stream(request):
                yield item
            now -= 1

    model = Slow(reply(True, 0.9), profile=PROFILES["qwen2.5-instruct"])
    judge.scorer = PromptedScorer(Metered(model, "prm", "0"), at_once=5)
    judge.scores(Path(tuple(map(str, range(12)))))
    assert most == 5


def test_a_model_that_is_gone() -> None:
    judge = Judge({"a": [[Fault(ModelUnavailable("no server answers"))]]})
    with pytest.raises(ModelUnavailable):
        judge.scores(Path(STEPS[:1]))


def test_the_pocket_model_s_prompt_is_short() -> None:
    judge = Judge({}, profile="pocket")
    judge.model = ScriptedModel(reply(True, 1))
    judge.scorer = PromptedScorer(Metered(judge.model, "prm", "0"))
    judge.scores(Path(("8 / 8 = 1\n",)))
    (request,) = judge.model.requests
    text = judge.model.text(request.prompt)  # type: ignore[arg-type]
    assert "user\nstep: game24: 4 7 8 8\n8 / 8 = 1<|im_end|>" in text
