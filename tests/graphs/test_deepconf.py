"""DeepConf: a vote of confident samples, and samples that are given up as they are written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import agentflow
from agentflow.errors import BadInput
from agentflow.models import Capabilities, ScriptedModel, Token
from agentflow.nodes.deepconf import by_rank, percentile

QUESTION = "Ann has 3 apples and buys 4 more. How many apples does Ann have?"


def token(text: str, confidence: float) -> Token:
    return Token(text, None, -0.1, ((text, -confidence),))


def sample(answer: int, *confidences: float) -> list[Token]:
    """A thought of as many tokens as there are confidences, and its answer."""
    thought = [token(" hm", one) for one in confidences]
    marks = [Token("</think>"), Token("\n"), Token(rf"\boxed{{{answer}}}")]
    return [*thought, *marks]


def solve(samples: Sequence[list[Token]], **settings: Any) -> agentflow.Result:
    left = iter(samples)
    model = ScriptedModel(lambda _: next(left))
    settings = {"domain": "math", "window": 2, "k": len(samples)} | settings
    result = agentflow.solve(QUESTION, "deepconf", model=model, **settings)
    assert sum(one["generated"] for one in result.ledger.values()) == model.streamed
    return result


def test_votes_weigh_what_their_samples_are_confident() -> None:
    doubtful = [sample(6, 1.0, 1.0), sample(6, 1.0, 1.0)]
    result = solve([*doubtful, sample(7, 5.0, 5.0)], keep=1.0)
    assert (result.answer, result.status) == ("7", "unverified")
    assert result.reason.startswith("71% of the weight of 3 samples that vote, of 3")


@pytest.mark.parametrize(("power", "answer"), [(None, "8"), (0.0, "7"), (1.0, "7"), (4.0, "8")])
def test_votes_may_weigh_by_their_rank(power: float | None, answer: str) -> None:
    """7 has the ranks 3 and 2 of 3, which weigh 1 and 2; 8 has the first, which weighs 3."""
    samples = [sample(7, 1.0, 1.0), sample(7, 1.5, 1.5), sample(8, 9.0, 9.0)]
    result = solve(samples, keep=1.0, rank_power=power, measure="mean")
    assert result.answer == answer


@given(st.lists(st.floats(0, 9), min_size=1, max_size=12), st.integers(0, 4))
def test_a_rank_is_counted_from_the_least_confident(values: list[float], power: int) -> None:
    voters: list[Any] = values
    weight = by_rank(voters, lambda one: one, power)  # type: ignore[arg-type, return-value]
    assert [weight(one) for one in voters] == [
        sum(other <= one for other in values) ** power for one in values
    ]


def test_only_the_most_confident_of_the_warm_up_vote() -> None:
    samples = [sample(6, 1.0, 1.0), sample(6, 2.0, 2.0), sample(7, 3.0, 3.0), sample(8, 4.0, 4.0)]
    assert solve(samples, keep=0.3, warm_up=4).answer == "8"
    assert solve(samples[:3], keep=0.4, warm_up=3).answer == "7"


def test_a_later_sample_is_given_up_where_it_gets_doubtful() -> None:
    warm_up = [sample(7, 4.0, 4.0), sample(8, 4.0, 4.0)]
    doubtful = sample(8, 5.0, 5.0, 1.0, 1.0, 5.0, 5.0, 5.0)
    result = solve([*warm_up, doubtful, sample(7, 5.0, 5.0)], warm_up=2, at_once=2, keep=1.0)
    given_up = result.samples[2]
    assert given_up["status"] == "abstained"
    assert "below 4.000" in given_up["reason"]
    assert given_up["candidate"] is None
    assert result.answer == "7"


def test_an_unmeasured_sample_votes_where_no_measured_one_has_an_answer() -> None:
    """It broke off with a KeyError: the warm-up set a floor, and nobody who votes was measured."""
    silent = [token(" hm", 4.0), token(" hm", 4.0), Token("</think>"), Token("no idea")]
    result = solve([silent, [Token("}")], sample(7)], k=2, warm_up=1, at_once=1)
    assert result.answer == "7"


def test_no_sample_follows_a_consensus() -> None:
    result = solve([sample(7, 3.0, 3.0)] * 12, warm_up=4, at_once=4, k=12)
    assert len(result.samples) == 4


def test_rounds_go_on_until_there_is_one() -> None:
    votes = [7, 8, 7, 7, 7, 7, 7, 7]
    result = solve([sample(one, 3.0, 3.0) for one in votes], warm_up=2, at_once=2, sure_at=0.8)
    assert len(result.samples) == 6  # 5 of 6 votes
    assert result.answer == "7"


def test_where_nothing_is_answered_nothing_is_claimed() -> None:
    end = [Token("</think>"), Token("\n"), Token("I cannot say.")]
    result = solve([[token(" hm", 1.0), *end]] * 4, k=2)
    assert (result.status, result.answer) == ("exhausted", None)


@pytest.mark.parametrize("claimed", [0, None])
def test_where_no_alternatives_are_told_all_votes_weigh_the_same(claimed: int | None) -> None:
    left = iter(["8", "7", "7"])
    reply = lambda _: f"hm</think>\n\\boxed{{{next(left)}}}"  # noqa: E731
    model = ScriptedModel(reply, capabilities=Capabilities(logprobs=claimed))
    result = agentflow.solve(QUESTION, "deepconf", model=model, domain="math", k=3)
    assert result.answer == "7"
    assert result.reason.startswith("67% of the weight of 3 samples that vote, of 3")
    assert any(one["type"] == "weaker" for one in result.events)


@pytest.mark.parametrize(
    "settings", [{"keep": 1.1}, {"window": 0}, {"k": 0}, {"measure": "best"}, {"rank_power": -1}]
)
def test_settings_are_checked(settings: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match=next(iter(settings))):
        agentflow.solve(QUESTION, "deepconf", model=ScriptedModel("x"), domain="math", **settings)


@given(st.lists(st.floats(-100, 100), min_size=1, max_size=30), st.floats(0, 1))
def test_percentiles_are_those_of_numpy(values: list[float], share: float) -> None:
    import numpy as np

    assert percentile(values, share) == pytest.approx(float(np.quantile(values, share)), abs=1e-6)
