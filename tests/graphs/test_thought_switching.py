"""thought_switching: tokens in the place of words that begin another thought."""

from __future__ import annotations

import math
from typing import Any

import pytest

import agentflow
from agentflow.errors import BadInput, MissingCapability
from agentflow.models import Capabilities, ScriptedModel, Token
from agentflow.profile import PROFILES

PUZZLE = "1 6 8 12"
RIGHT = r"\boxed{(12 - 8) * 6 * 1}"
LEFT = f" on</think>\n{RIGHT}"


def told(**shares: float) -> tuple[tuple[str, float], ...]:
    return tuple((f" {word}", math.log(share)) for word, share in shares.items())


WAIT = Token(" Wait", top=told(Wait=0.6, so=0.3, then=0.1))


def solve(script: Any, **settings: Any) -> agentflow.Result:
    model = script if isinstance(script, ScriptedModel) else ScriptedModel(script)
    settings = {"temperature": 0.0, **settings}
    return agentflow.solve(PUZZLE, "thought_switching", model=model, **settings)


def test_another_token_stands_in_the_words_place() -> None:
    result = solve({" so": LEFT, "": ["one", WAIT, " more"]})
    assert result.trace.body == f"one so on</think>\n{RIGHT}"
    assert (result.status, result.corrections) == ("verified", 1)
    assert [one.kind for one in result.trace.segments[1:3]] == ["generated", "alternative"]
    assert result.cost.wasted == 2


def test_the_thinking_may_end_there() -> None:
    close = Token(" Wait", top=((" Wait", -0.5), ("</think>", -1.0)))
    result = solve({"</think>\n": RIGHT, "": ["one", close, " more"]}, penalty=100)
    assert result.trace.body == f"one</think>\n{RIGHT}"


def test_the_turn_may_end_there() -> None:
    stop = Token(" Wait", top=((" Wait", -0.5), ("<|im_end|>", -1.0)))
    result = solve(["one", stop, " more"], penalty=100)
    assert result.trace.body.startswith("one</think>")  # it is asked for an answer


def test_a_light_penalty_lets_it_stand() -> None:
    result = solve({"": ["one", WAIT, LEFT]}, penalty=0.1)
    assert result.trace.body == f"one Wait{LEFT}"
    assert result.corrections == 0


def test_a_long_thought_may_end() -> None:
    result = solve({"": ["one two three", WAIT, LEFT]}, thought_tokens=3)
    assert result.trace.body == f"one two three Wait{LEFT}"


def test_other_words_may_be_meant() -> None:
    result = solve({" so": LEFT, "": ["one", WAIT, LEFT]}, words=["hmm"])
    assert " Wait" in result.trace.body


def test_a_model_that_switches_always_comes_to_an_end() -> None:
    result = solve([WAIT, " more"], penalty=100, max_tokens=50)
    assert result.status == "exhausted"
    assert "Wait" not in result.trace.body


@pytest.mark.parametrize(
    ("claims", "said"),
    [
        ({"profile": PROFILES["chatml"]}, "does not think apart"),
        ({"capabilities": Capabilities(continues=False)}, "only chats"),
        ({"capabilities": Capabilities(logprobs=0)}, "tells no log-probabilities"),
    ],
)
def test_a_model_that_lacks_what_it_takes_is_refused(claims: dict[str, Any], said: str) -> None:
    with pytest.raises(MissingCapability, match=said):
        solve(ScriptedModel("x", **claims))


@pytest.mark.parametrize("words", [[], ["two words"], [""]])
def test_words_are_single_words(words: list[str]) -> None:
    with pytest.raises(BadInput, match="words"):
        solve("x", words=words)
