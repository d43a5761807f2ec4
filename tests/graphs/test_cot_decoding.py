"""CoT decoding: samples from every likely first token, and the surest answer."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

import agentflow
from agentflow.errors import BadInput, MissingCapability
from agentflow.models import Capabilities, ScriptedModel, Token

QUESTION = "Ann has 3 apples and buys 4 more. How many apples does Ann have?"
FIRST = {"So": 0.5, "First": 0.3, "She": 0.1}


def tops(chances: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
    return tuple((text, math.log(chance)) for text, chance in chances.items())


def rest(answer: str, margin: float) -> list[Token | str]:
    """The rest of a sample, whose answer is that much likelier than the next token."""
    said = Token(answer, None, -0.1, tops({answer: 0.5 + margin / 2, "9": 0.5 - margin / 2}))
    return [" it is</think>\n", "\\boxed{", said, "}"]


def solve(
    samples: Mapping[str, Sequence[Token | str]],
    first: Mapping[str, float] = FIRST,
    able: Capabilities = Capabilities(),  # noqa: B008  (frozen)
    **settings: Any,
) -> tuple[agentflow.Result, ScriptedModel]:
    """A model that begins with the likeliest token, and goes on as it was begun for it."""

    def reply(prompt: str) -> Any:
        begun = prompt.rpartition("<think>\n")[2]
        if "I cannot say" in begun:
            return "}"
        return samples[begun] if begun else [Token(next(iter(first)), None, -0.1, tops(first))]

    model = ScriptedModel(reply, capabilities=able)
    settings = {"domain": "math"} | settings
    result = agentflow.solve(QUESTION, "cot_decoding", model=model, **settings)
    assert sum(one["generated"] for one in result.ledger.values()) == model.streamed
    return result, model


def test_the_surest_answer_is_given_though_its_beginning_is_less_likely() -> None:
    samples = {"So": rest("6", 0.2), "First": rest("7", 0.9), "She": rest("8", 0.3)}
    result, model = solve(samples)
    assert (result.answer, result.status) == ("7", "unverified")
    assert result.reason == "margins sum to 0.90 in 1 of 3 samples"
    assert result.trace.body.startswith("First it is</think>")
    assert all(one.sampling.temperature == 0 for one in model.requests[1:])


@pytest.mark.parametrize(("vote", "answer"), [("sum", "6"), ("best", "7")])
def test_margins_of_equal_answers_sum_up_unless_the_best_is_wanted(vote: str, answer: str) -> None:
    samples = {"So": rest("6", 0.5), "First": rest("7", 0.8), "She": rest("6", 0.6)}
    assert solve(samples, vote=vote)[0].answer == answer


def test_as_many_first_tokens_are_tried_as_wanted() -> None:
    samples = {"So": rest("6", 0.2), "First": rest("7", 0.9)}
    result, model = solve(samples, k=2)
    assert len(result.samples) == 2
    assert model.requests[0].top == 6


def test_no_sample_begins_with_a_marker_or_half_a_character() -> None:
    first = {"So": 0.5, "</think>": 0.2, "\ufffd": 0.1, "": 0.1}
    result, _ = solve({"So": rest("6", 0.2)}, first)
    assert len(result.samples) == 1


def test_where_no_token_begins_a_reply_the_run_abstains() -> None:
    result, _ = solve({}, {"</think>": 0.9, "\ufffd": 0.1})
    assert (result.status, result.reason) == ("abstained", "no likely first token begins a reply")


def test_the_first_token_counts_by_how_far_it_is_ahead_of_all_others() -> None:
    samples = {"So": rest("6", 0.2), "First": rest("7", 0.9), "She": rest("8", 0.3)}
    result, _ = solve(samples)
    ordered = sorted(result.samples, key=lambda one: one["branch"])
    first = [one["judged"][-1]["state"]["data"]["tokens"][0] for one in ordered]
    assert first == [["So", pytest.approx(0.2)], ["First", 0.0], ["She", 0.0]]


def test_where_nothing_is_answered_nothing_is_claimed() -> None:
    silent = [" who knows</think>\nI cannot say."]
    result, _ = solve(dict.fromkeys(FIRST, silent))
    assert (result.status, result.answer) == ("exhausted", None)


def test_an_answer_without_told_margins_weighs_nothing() -> None:
    samples: dict[str, Any] = {
        "So": [" it is</think>\n\\boxed{6}"],
        "First": rest("7", 0.1),
        "She": [" it is</think>\n\\boxed{6}"],
    }
    assert solve(samples)[0].answer == "7"


@pytest.mark.parametrize(
    ("able", "why"),
    [
        (Capabilities(logprobs=0), "tells too few log-probabilities"),
        (Capabilities(continues=False), "only chats"),
    ],
)
def test_a_model_that_cannot_be_begun_for_is_refused(able: Capabilities, why: str) -> None:
    with pytest.raises(MissingCapability, match=why):
        solve({}, able=able)


def test_an_unsolvable_problem_costs_nothing() -> None:
    result = agentflow.solve("1 1 1 1", "cot_decoding", model=ScriptedModel("x"))
    assert (result.status, result.cost.calls) == ("abstained", 0)


@pytest.mark.parametrize("settings", [{"k": 0}, {"vote": "mean"}])
def test_settings_are_checked(settings: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        solve({}, **settings)


def test_a_run_that_has_no_time_says_so_and_nothing_of_the_model() -> None:
    result, model = solve({}, timeout=1e-9)
    assert (result.status, result.reason) == ("exhausted", "the time limit of 1e-09 s is over")
    assert model.requests == []
