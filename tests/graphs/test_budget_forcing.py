"""Budget forcing: ends of the thinking that are taken back, and an upper bound."""

from __future__ import annotations

from typing import Any

import pytest

import agentflow
from agentflow.errors import BadInput, MissingCapability
from agentflow.models import Capabilities, ScriptedModel
from agentflow.profile import PROFILES

PUZZLE = "1 6 8 12"
RIGHT = r"\boxed{(12 - 8) * 6 * 1}"


def solver(*thoughts: str, **claims: Any) -> ScriptedModel:
    """Thinks one thought after the other, each time as if it were the last, and answers."""
    return ScriptedModel(
        lambda prompt: f"{thoughts[prompt.count('Wait')]}</think>\n{RIGHT}", **claims
    )


def solve(model: ScriptedModel, **settings: Any) -> agentflow.Result:
    return agentflow.solve(PUZZLE, "budget_forcing", model=model, **settings)


def test_each_end_but_the_last_is_taken_back() -> None:
    result = solve(solver("one", " two", " three"), waits=2)
    assert result.trace.body == f"one\nWait two\nWait three</think>\n{RIGHT}"
    assert result.status == "verified"
    put = [one.text for one in result.trace.segments if one.kind == "feedback"]
    assert put == ["\nWait", "\nWait"]


def test_no_answer_is_written_where_the_thinking_goes_on() -> None:
    model = solver("one", " two")
    result = solve(model, waits=1)
    assert result.trace.wasted == 1  # the marker alone
    assert "boxed" not in model.requests[1].said


def test_another_word_may_stand_there() -> None:
    replies = iter(["one</think>\nan answer", f" two</think>\n{RIGHT}"])
    result = solve(ScriptedModel(lambda _: next(replies)), waits=1, word="Hmm,")
    assert result.trace.body.startswith("one\nHmm, two</think>")


def test_a_thinking_that_is_empty_is_taken_back_as_well() -> None:
    replies = iter([f"</think>\n{RIGHT}", f" two</think>\n{RIGHT}"])
    result = solve(ScriptedModel(lambda _: next(replies)), waits=1)
    assert result.trace.split("</think>")[0].strip() == "Wait two"


def test_the_upper_bound_closes_the_thinking() -> None:
    def reply(prompt: str) -> str:
        return RIGHT if prompt.endswith("</think>\n") else "one two three four five six"

    result = solve(ScriptedModel(reply), waits=1, thinking_tokens=4)
    assert result.trace.split("</think>")[0] == "one two three four"
    assert result.answer == "(12 - 8) * 6 * 1"


def test_waits_end_where_the_upper_bound_is_reached() -> None:
    def reply(prompt: str) -> str:
        if prompt.endswith("</think>\n"):
            return RIGHT
        return " more more more more</think>" if "Wait" in prompt else "one two</think>"

    result = solve(ScriptedModel(reply), waits=5, thinking_tokens=4)
    assert result.trace.split("</think>")[0] == "one two\nWait more more"
    assert result.status == "verified"


@pytest.mark.parametrize(
    ("claims", "said"),
    [
        ({"profile": PROFILES["chatml"]}, "does not think apart"),
        ({"capabilities": Capabilities(continues=False)}, "budget_forcing"),
    ],
)
def test_a_model_that_cannot_be_forced_is_refused(claims: dict[str, Any], said: str) -> None:
    with pytest.raises(MissingCapability, match=said):
        solve(solver("one", "two", "three", **claims))


@pytest.mark.parametrize("settings", [{"waits": 0}, {"word": " "}, {"waits": "many"}])
def test_settings_are_checked(settings: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match=r"waits|word"):
        solve(solver("one"), **settings)
