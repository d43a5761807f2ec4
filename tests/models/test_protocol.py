from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow import models
from agentflow.errors import MissingCapability
from agentflow.models import Capabilities, ScriptedModel, Token, embedded, next_token
from agentflow.models.protocol import Distribution, distribution

WEIGHTS = st.lists(st.floats(1e-6, 1), min_size=1, max_size=40)


def entropy_of(probabilities: Sequence[float]) -> float:
    return -math.fsum(p * math.log(p) for p in probabilities if p)


def told(weights: Sequence[float], top: int) -> tuple[float, Distribution]:
    """The entropy of a whole distribution, and what an engine tells of it."""
    total = math.fsum(weights)
    whole = sorted((weight / total for weight in weights), reverse=True)
    listed = [(str(n), math.log(p)) for n, p in enumerate(whole[:top])]
    return entropy_of(whole), distribution(listed)


@given(WEIGHTS, st.integers(0, 40))
def test_the_entropy_lies_within_its_bounds(weights: list[float], top: int) -> None:
    entropy, found = told(weights, top)
    least, most = found.entropy_bounds(len(weights))
    assert found.entropy - 1e-9 <= least <= most
    assert least - 1e-9 <= entropy <= most + 1e-9


@given(WEIGHTS)
def test_a_whole_distribution_leaves_no_room(weights: list[float]) -> None:
    entropy, found = told(weights, len(weights))
    assert found.entropy == pytest.approx(entropy, abs=1e-12)
    assert found.entropy_bounds(len(weights)) == (found.entropy, found.entropy)


@given(st.integers(1, 20), st.integers(0, 30))
def test_both_bounds_are_reached(listed: int, unlisted: int) -> None:
    even, found = told([1.0] * (listed + unlisted), listed)
    assert found.entropy_bounds(listed + unlisted)[1] == pytest.approx(even)
    # All that may be missing lies on one token, as likely as the last that is listed.
    steep, found = told([1.0] * (listed + 1), listed)
    assert found.entropy_bounds(listed + 1 + unlisted)[0] == pytest.approx(steep)


def test_of_nothing_anything_may_be() -> None:
    assert Distribution((), 1.0).entropy_bounds(100) == (0.0, pytest.approx(math.log(100)))


def test_a_vocabulary_is_not_smaller_than_what_is_listed() -> None:
    with pytest.raises(ValueError, match="2 alternatives of a vocabulary of 1"):
        Distribution((("a", 0.5), ("b", 0.5)), 0.0).entropy_bounds(1)


@pytest.mark.parametrize("model", [ScriptedModel("word"), ScriptedModel("")])
async def test_a_probe_that_is_told_nothing_is_not_taken_for_certainty(
    model: ScriptedModel,
) -> None:
    with pytest.raises(MissingCapability, match="gave no log-probabilities"):
        await next_token(model, "prompt")


async def test_as_many_alternatives_as_are_wanted_and_given() -> None:
    top = (("a", math.log(0.5)),)
    model = ScriptedModel([Token("a", None, -1.0, top)], capabilities=Capabilities(logprobs=5))
    await next_token(model, "prompt")
    await next_token(model, "prompt", 3)
    await next_token(model, "prompt", 20)
    assert [request.top for request in model.requests] == [5, 3, 5]


@pytest.mark.slow
@pytest.mark.skipif(not embedded.bundled().is_file(), reason="the bundled model is not here")
@pytest.mark.parametrize("begun", ["", " 1 2 3 4 : 1 + 2 = 3 -> 3 3 4\n", "</think>\nAnswer:"])
async def test_the_engine_gives_its_whole_vocabulary(begun: str) -> None:
    model = await models.connect("embedded")
    pieces = [*model.profile.render("game24: 1 2 3 4", body=begun)]
    prompt = await model.tokenize(pieces)
    whole, part = await next_token(model, prompt), await next_token(model, prompt, 20)
    vocabulary = len(whole.top)
    assert vocabulary > 20 == len(part.top)
    assert math.fsum(p for _, p in whole.top) == pytest.approx(1, abs=1e-3)
    assert whole.missing < 1e-3
    assert whole.entropy == pytest.approx(entropy_of([p for _, p in whole.top]))
    least, most = part.entropy_bounds(vocabulary)
    assert part.missing > whole.missing
    assert least - 1e-3 <= whole.entropy <= most + 1e-3
    await models.close_all()
