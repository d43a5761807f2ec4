"""Whether a server's prefix cache works is learnt from what it says of its requests."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

import pytest

import agentflow
from agentflow.models import Finish, Request, ScriptedModel, complete
from agentflow.models.budget import Budget
from agentflow.models.metered import Metered
from agentflow.models.prefix_cache import ENOUGH, LONG, Reuse
from agentflow.profile import PROFILES

IDS = tuple(range(2 * LONG))


class Caching(ScriptedModel):
    """A server that says what it took from its cache."""

    def __init__(self, cached: int | None, script: Any = "a") -> None:
        super().__init__(script, profile=PROFILES["qwen3"])
        self.cached = cached
        self._texts |= dict.fromkeys(IDS, "")

    async def stream(self, request: Request) -> AsyncGenerator[Any, None]:
        async for item in super().stream(request):
            yield item._replace(cached=self.cached) if isinstance(item, Finish) else item


async def asked(cached: int | None, known: int, times: int = ENOUGH) -> Budget:
    model = Metered(Caching(cached), "probe", "here")
    for _ in range(times):
        await complete(model, Request(IDS, 1, known=known))
    return model.budget


async def test_a_server_that_reads_everything_again_is_told_of_once() -> None:
    budget = await asked(0, LONG)
    (said,) = budget.reads_again()
    assert said.startswith("scripted read 3,072 of 3,072 tokens again that it had had before")
    assert not [*budget.reads_again()]
    assert budget.to_read("scripted", 5000) == 5000


@pytest.mark.parametrize(
    ("cached", "known", "times"),
    [
        (LONG - 31, LONG, ENOUGH),  # all but the last block
        (LONG // 2, LONG, ENOUGH),  # one large block of two
        (0, LONG, ENOUGH - 1),  # it may have been lost, or at work
        (0, LONG - 1, 99),  # less than a block, maybe
        (0, 0, 99),  # nobody knows that it had it
        (None, LONG, 99),  # the server does not tell
    ],
)
async def test_nothing_is_said_of_others(cached: int | None, known: int, times: int) -> None:
    budget = await asked(cached, known, times)
    assert not [*budget.reads_again()]
    assert budget.to_read("scripted", 5000) == 0


def test_more_cached_than_was_known_proves_nothing_more() -> None:
    one = Reuse()
    for _ in range(ENOUGH):
        one.take(LONG, 10 * LONG)
    assert one.share == 1.0


@pytest.mark.parametrize("cached", [0, None])
async def test_a_run_says_so_once(cached: int | None) -> None:
    """Of a solver that is cut back again and again, and of the probes beside it."""
    thought = "so it goes on and on\n" * 300

    def script(prompt: str) -> str:
        return " 24" if "</think>" in prompt else f"{thought}</think>\nAnswer: 24"

    model = Caching(cached, script)
    result = await agentflow.asolve(
        "4 7 8 8",
        "early_exit",
        model=model,
        rules=[{"rule": "confidence", "confidence": 1.0}],
        check={"at": "line", "every": 50},
    )
    told = [event for event in result.events if event["type"] == "weaker"]
    assert [event["lacking"] for event in told] == ["a prefix cache that works"] * (cached == 0)
