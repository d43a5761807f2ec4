"""Replies in a format of models that think first: who may, who always does, what that costs."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

import agentflow
from agentflow.domains import Game24
from agentflow.models import Capabilities, ScriptedModel
from agentflow.models.metered import Metered
from agentflow.models.structured import Reply, ask_json
from agentflow.profile import PROFILES, Profile
from agentflow.scorers import PromptedScorer, ValueScorer
from agentflow.search import Path, ThoughtExpander
from agentflow.settings import Settings

PROBLEM = Game24().parse("4 7 8 8")
EMPTY = "<think>\n\n</think>\n\n"
MAY = PROFILES["qwen3"]
ALWAYS = [one for one in PROFILES.values() if one.always_thinks]
NEVER = PROFILES["qwen2.5-instruct"]


class Said(Reply):
    number: int


def thinker(profile: Profile, reply: str, **more: Any) -> ScriptedModel:
    """Thinks where the prompt opens that, and replies."""

    def script(prompt: str) -> str:
        return f"Let me see {{\n</think>\n\n{reply}" if prompt.endswith("<think>\n") else reply

    return ScriptedModel(script, profile=profile, **more)


async def asked(model: ScriptedModel, **more: Any) -> tuple[int, str]:
    found = await ask_json(model, ("", "How many?"), Said, Said(number=-1), tokens=20, **more)
    return found.value.number, model.text(model.requests[0].prompt)


def test_models_that_only_think_are_known() -> None:
    assert {one.name for one in ALWAYS} == {"qwen3-thinking", "qwq", "phi-4-reasoning"}
    assert all(one.think_open for one in ALWAYS)


async def test_by_default_a_reply_comes_at_once() -> None:
    model = thinker(MAY, '{"number": 7}')
    number, prompt = await asked(model)
    assert number == 7
    assert prompt.endswith(EMPTY)
    assert (model.requests[0].max_tokens, model.requests[0].schema is None) == (20, False)


@pytest.mark.parametrize("profile", [MAY, *ALWAYS], ids=lambda one: one.name)
async def test_interwhen_section_5_3_a_critic_may_think(profile: Profile) -> None:
    model = thinker(profile, '{"number": 7}')
    number, prompt = await asked(model, think=True)
    assert number == 7
    assert prompt.endswith("<think>\n")
    request = model.requests[0]
    assert request.max_tokens > 1000
    assert request.schema is None
    assert request.sampling == profile.sampling


@pytest.mark.parametrize("profile", ALWAYS, ids=lambda one: one.name)
async def test_a_model_that_only_thinks_never_gets_an_empty_think_block(profile: Profile) -> None:
    model = thinker(profile, '{"number": 7}')
    number, prompt = await asked(model)
    assert number == 7
    assert prompt.endswith("<think>\n")
    assert "</think>" not in prompt


async def test_thinking_without_an_end_is_no_reply() -> None:
    model = ScriptedModel('{"number": 7} might be', profile=MAY)
    assert (await asked(model, think=True))[0] == -1
    assert len(model.requests) == 2


async def test_a_model_that_does_not_think_apart_is_asked_as_ever() -> None:
    model = thinker(NEVER, '{"number": 7}')
    number, prompt = await asked(model, think=True)
    assert number == 7
    assert "<think>" not in prompt


async def test_one_that_only_chats_has_room_to_think() -> None:
    chat = Capabilities(continues=False, exact_prefix=False, logprobs=0)
    model = ScriptedModel('{"number": 7}', profile=MAY, capabilities=chat)
    found = await ask_json(model, ("", "How?"), Said, Said(number=-1), tokens=20, think=True)
    assert found.value.number == 7
    assert model.requests[0].max_tokens == 20 + MAY.max_tokens
    assert model.requests[0].schema is not None


async def test_judges_of_steps_and_states_and_proposers_think_where_they_are_told() -> None:
    short = replace(MAY, max_tokens=100)
    model = thinker(short, '{"judgement": "likely"}')
    meter = Metered(model, "judge", "0")
    (path,) = await ValueScorer(meter, "p", think=True).score(PROBLEM, [Path(("a\n",))])
    assert path.scores == (1.0,)
    model = thinker(short, '{"is_correct": true, "confidence": 0.75}')
    meter = Metered(model, "prm", "0")
    (path,) = await PromptedScorer(meter, think=True).score(PROBLEM, [Path(("a\n",))])
    assert path.scores == (0.75,)
    model = thinker(short, '{"thoughts": ["one", "two"]}')
    meter = Metered(model, "solver", "0")
    expander = ThoughtExpander(meter, "p", lambda text: False, "p", think=True)
    found = await expander.expand(Path(), 2, "x")
    assert [path.steps for path in found] == [("one\n",), ("two\n",)]
    for one in (model,):
        assert one.text(one.requests[0].prompt).endswith("<think>\n")


async def test_interwhen_section_5_3_the_setting_goes_by_role() -> None:
    """Only the critic thinks: the setting names its role."""
    said = "Answer: (7 - 8 / 8) * 4 = 24\n"
    solver = ScriptedModel(f"x</think>\n{said}", profile=MAY)
    critic = thinker(MAY, json.dumps({"reason": "right", "score": 0.9}))
    for think, end in (((), EMPTY), (("verifier",), "<think>\n"), (("planner",), EMPTY)):
        critic.requests.clear()
        result = await agentflow.asolve(
            "4 7 8 8",
            "sampling",
            model={"solver": solver, "verifier": critic},
            k=1,
            think=think,
            judge_answers=False,
        )
        assert (result.status, result.answer) == ("accepted", "(7 - 8 / 8) * 4")
        (request,) = critic.requests
        assert critic.text(request.prompt).endswith(end)


def test_nobody_thinks_before_a_reply_by_default() -> None:
    assert Settings().think == ()
