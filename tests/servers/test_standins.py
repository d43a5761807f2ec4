"""Every stand-in answers our client, and its counts are the ledger's, to the token."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from standin import KEY, RULES, Standin, described, standing

import agentflow
from agentflow import models
from agentflow.ledger import total

PUZZLE = "4 7 8 8"


@pytest.fixture(params=list(RULES))
async def standin(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Standin]:
    monkeypatch.setenv("STANDIN_KEY", KEY)
    async with standing(request.param) as one:
        yield one
        await models.close_all()


async def test_direct_runs_and_the_ledger_has_the_providers_counts(standin: Standin) -> None:
    result = await agentflow.asolve(PUZZLE, "direct", roles={"solver": described(standin)})
    assert (result.status, result.answer) == ("verified", "(7 - 8 / 8) * 4")
    cost = total(result.ledger)
    (count,) = standin.counts
    assert (cost.prompt, cost.generated, cost.reasoning, cost.estimated) == (
        count.prompt,
        count.generated,
        count.reasoning,
        0,
    )
    known = standin.rules.name != "unknown"
    assert not known or standin.refused == []
