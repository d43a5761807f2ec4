from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow import models
from agentflow.errors import MissingCapability
from agentflow.models import Capabilities, ScriptedModel, Token, embedded, next_token
from agentflow.models.model import distribution, whole


def entropy_of(probabilities: Sequence[float]) -> float:
    return -math.fsum(p * math.log(p) for p in probabilities if p)


@given(st.lists(st.floats(1e-6, 1), min_size=1, max_size=40), st.integers(0, 40))
def test_what_is_missing_of_a_distribution_is_said(weights: list[float], top: int) -> None:
    total = math.fsum(weights)
    whole = sorted((weight / total for weight in weights), reverse=True)
    found = distribution((str(n), math.log(p)) for n, p in enumerate(whole[:top]))
    assert found.missing == pytest.approx(math.fsum(whole[top:]), abs=1e-9)
    assert found.entropy == pytest.approx(entropy_of(whole[:top]), abs=1e-9)


@given(st.lists(st.text(min_size=1), min_size=1), st.none() | st.integers(0, 500))
def test_the_first_piece_of_a_whole_reply_counts_for_all(
    pieces: list[str], said: int | None
) -> None:
    tokens = list(whole(map(Token, pieces), said))
    assert [token.text for token in tokens] == pieces
    assert tokens[0].generated == (1 if said is None else said)
    assert sum(token.generated for token in tokens) == (len(pieces) if said is None else said)


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
    assert len(whole.top) > 20 == len(part.top)
    assert math.fsum(p for _, p in whole.top) == pytest.approx(1, abs=1e-3)
    assert whole.missing < 1e-3
    assert whole.entropy == pytest.approx(entropy_of([p for _, p in whole.top]))
    assert part.missing > whole.missing
    assert part.entropy <= whole.entropy + 1e-3
    await models.close_all()
