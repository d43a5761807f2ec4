"""The bundled judge as a reader: log-probabilities of a text's tokens in one pass."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator
from typing import Any

import pytest

import agentflow
from agentflow import models
from agentflow.errors import BadReply, ModelUnavailable
from agentflow.models import JudgeModel, bundled, next_token
from agentflow.profile import Piece
from agentflow.scorers.likelihood import UNKNOWN, Likelihood

pytestmark = pytest.mark.skipif(
    not bundled.file(bundled.JUDGE).is_file(), reason="the judge is not here"
)

PROBLEM = (
    "math: Jonas has 89 stamps in a drawer. Jonas gives 55 stamps to a neighbour. Later Jonas gets "
    "44 stamps more. How many stamps does Jonas have in the end?"
)
LINES = ("What is left: 89 - 55 = 34 stamps\n", "After that: 34 + 44 = {} stamps\n", "Answer: {}\n")


@pytest.fixture(autouse=True)
async def _closed() -> AsyncIterator[None]:
    yield
    await models.close_all()


async def judge() -> JudgeModel:
    model = await models.connect(bundled.JUDGE)
    assert isinstance(model, JudgeModel)
    return model


async def test_a_token_is_as_likely_as_the_model_says() -> None:
    model = await judge()
    before = await model.tokenize([Piece("9 + 36 =")])
    ids = before + await model.tokenize([Piece(" 45")])
    found = await model.likelihoods(ids)
    assert (len(found), found[0]) == (len(ids), 0.0)
    for at in range(1, len(ids)):
        said = await next_token(model, ids[:at])
        whole = {round(math.log(p), 1) for _, p in said.top if p > 0}
        assert any(abs(found[at] - one) <= 0.2 for one in whole)
    said = await next_token(model, before)
    assert dict(said.top)[" 45"] == pytest.approx(math.exp(found[-1]), rel=0.1, abs=1e-4)


async def test_what_it_cannot_read(monkeypatch: pytest.MonkeyPatch) -> None:
    model = await judge()
    with pytest.raises(ModelUnavailable, match="too large"):
        await model.likelihoods(tuple([5] * 3000))

    async def ask(path: str, body: dict[str, Any]) -> Any:
        return [{"embedding": [[0.0, 1.0]]}]

    other = JudgeModel("http://localhost:1/v1", model.file)
    monkeypatch.setattr(other, "_ask", ask)
    with pytest.raises(BadReply, match=r"states of shape \(1, 2\) for 3 tokens"):
        await other.likelihoods((1, 2, 3))


async def test_the_wrong_line_is_named() -> None:
    reader = Likelihood(await judge())
    right = await reader.rewards(PROBLEM, [line.format(78) for line in LINES])
    assert min(right.scores) > UNKNOWN
    wrong = await reader.rewards(PROBLEM, [line.format(87) for line in LINES])
    assert wrong.scores[0] > UNKNOWN > wrong.scores[1]


@pytest.mark.parametrize("pass_at", [0.5, 0.8])
async def test_what_was_not_read_is_undecided(
    pass_at: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def likely(self: JudgeModel, ids: tuple[int, ...]) -> tuple[float, ...]:
        return (-0.1,) * len(ids)

    monkeypatch.setattr(JudgeModel, "likelihoods", likely)
    text = LINES[0] * 700
    verdict, _ = await agentflow.ajudge(PROBLEM, text, "prm", domain="math", pass_at=pass_at)
    assert (verdict.ok, verdict.kind, verdict.score) == (None, "cannot_tell", UNKNOWN)
    verdict, _ = await agentflow.ajudge(PROBLEM, LINES[0], "prm", domain="math", pass_at=pass_at)
    assert verdict.ok


async def test_a_solution_is_judged_with_it() -> None:
    text = "".join(line.format(87) for line in LINES)
    verdict, ledger = await agentflow.ajudge(PROBLEM, text, "prm", domain="math")
    assert (verdict.ok, verdict.evidence["end"]) == (False, text.index("Answer"))
    (entry,) = ledger.values()
    assert (entry["role"], entry["generated"], entry["prompt"] > 60) == ("prm", 0, True)
