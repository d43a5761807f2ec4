"""Checks spaced by what they cost, in virtual time: a line a second, a probe two."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

import pytest

from agentflow.domains import Game24
from agentflow.models import Delay, Request, ScriptedModel, Token
from agentflow.models.budget import Budget
from agentflow.models.metered import Metered
from agentflow.models.model import prompt_of, segment
from agentflow.models.prefix_cache import ENOUGH, LONG, Reuse
from agentflow.models.scripted import Reply
from agentflow.monitors import Detect, EarlyExit, Elicit, Monitor, watch
from agentflow.monitors.probes import PASSED_OVER, Prober
from agentflow.monitors.rules import Budget as Most
from agentflow.monitors.rules import EntropyLevel
from agentflow.monitors.schedule import Schedule
from agentflow.monitors.stream_result import StreamResult
from agentflow.profile import Piece
from agentflow.trace import Trace

GAME = Game24()
PROBLEM = GAME.parse("4 7 8 8")
LINES = 400
HALF = (("Yes", math.log(0.4)), ("No", math.log(0.6)))


def early_exit(prober: Prober) -> Monitor:
    return EarlyExit(
        PROBLEM, GAME, prober, [EntropyLevel(level=0)], Schedule(at="line", every="auto")
    )


def detect(prober: Prober) -> Monitor:
    return Detect(prober, ["Wait"], "auto")


def elicit(prober: Prober) -> Monitor:
    schedule = Schedule(at="line", every="auto")
    return Elicit(PROBLEM, GAME, prober, "where does it stand?", schedule, apart=False)


async def watched(
    make: Callable[[Prober], Monitor], budget: Budget, prompt: int = 1
) -> tuple[StreamResult, dict[str, Metered]]:
    """A stream of a line a second, under a monitor whose probes take two."""

    def script(text: str) -> Reply:
        if text.endswith("Wait, it goes on\n" * 2) or text.endswith("Q: "):
            return [one for _ in range(LINES) for one in (Delay(1), "Wait, it goes on\n")]
        return [Delay(2), Token("Yes", None, -1.0, HALF), "\n"]

    model = ScriptedModel(script)
    meters: dict[str, Metered] = {}

    async def ask(role: str) -> Metered:
        return meters.setdefault(role, Metered(model, role, "here", budget))

    trace = Trace([(await segment(model, "prompt", [Piece("Q: ")])).operation()])
    request = Request(prompt_of(model, trace), 100_000)
    return await watch(model, trace, request, [make(Prober(ask, PROBLEM, GAME))]), meters


def asked_at(result: StreamResult) -> list[int]:
    """Numbers of the check points at which something was asked."""
    return [i for i, one in enumerate(result.judged) if one.verdict.reason != PASSED_OVER]


@pytest.mark.usefixtures("virtual_time")
@pytest.mark.parametrize("make", [early_exit, detect, elicit])
async def test_the_checks_take_a_twentieth_of_the_time(make: Callable[[Prober], Monitor]) -> None:
    budget = Budget()
    result, meters = await watched(make, budget)
    assert result.ended == "stop"
    assert len(result.judged) == LINES
    (meter,) = meters.values()
    took = sum(entry["seconds"] for entry in meter.entries.values())
    assert took <= 0.05 * result.seconds
    assert took > 0.04 * result.seconds  # and what may be spent is
    at = asked_at(result)
    assert len(at) == len(meter.entries)
    assert at[0] == 0
    assert all(38 <= later - before <= 42 for before, later in pairwise(at[1:]))


@pytest.mark.usefixtures("virtual_time")
async def test_what_is_passed_over_is_undecided_and_the_rules_go_on() -> None:
    result, _ = await watched(early_exit, Budget())
    skipped = [one.verdict for one in result.judged if one.verdict.reason == PASSED_OVER]
    assert {verdict.ok for verdict in skipped} == {None}
    asked = [
        result.judged[i].verdict.evidence["rules"]["entropy_level"]["n"] for i in asked_at(result)
    ]
    assert asked == [*range(1, len(asked) + 1)]


@pytest.mark.usefixtures("virtual_time")
async def test_where_the_cache_does_not_work_a_longer_text_is_dearer() -> None:
    lost = Budget(reuse={"scripted": Reuse(ENOUGH, ENOUGH * LONG, 0)})
    without, _ = await watched(early_exit, lost)
    with_it, _ = await watched(early_exit, Budget())
    assert len(asked_at(without)) < len(asked_at(with_it)) / 2


@pytest.mark.usefixtures("virtual_time")
async def test_rules_that_ask_nobody_have_no_price() -> None:
    def budget(prober: Prober) -> Monitor:
        rules, schedule = [Most(tokens=10**6)], Schedule(at="line", every="auto")
        return EarlyExit(PROBLEM, GAME, prober, rules, schedule)

    result, meters = await watched(budget, Budget())
    assert len(asked_at(result)) == LINES
    assert not meters
