"""Learned: a search that a controller leads, which was learned from recorded trees."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path as File
from typing import Any

from pydantic import Field

from agentflow.errors import BadInput
from agentflow.models import embedded
from agentflow.nodes.context import weaker
from agentflow.nodes.iteration import IterationRun
from agentflow.nodes.score import ScoreSettings
from agentflow.problem import Problem
from agentflow.search import Expander, Found, Scorer, TraceExpander
from agentflow.search.controlled import controlled
from agentflow.search.controller import Controller, load, shipped


class ControllerSettings(ScoreSettings):
    """Which controller leads a search, and what a token is worth to it."""

    controller: str | None = Field(
        default=None,
        description="compute=learned: a file of `agentflow controller fit`; empty for the one that "
        "was learned from the bundled model's trees, with the rules' scores or the bundled judge's "
        "(mazes and Game of 24 have tables of their own)",
    )
    price: float | None = Field(
        default=None,
        ge=0,
        le=1000,
        description="compute=learned: what a choice must gain per 1,000 tokens, as a share of "
        "right answers; empty for what the controller's file says",
    )
    ahead: int | None = Field(
        default=None,
        ge=0,
        description="compute=learned: how many steps are drawn before they are scored, 0 for whole "
        "attempts; empty: what the controller's file says, else 8 with a reward model, which reads "
        "them in one request, and 1 without",
    )


async def controller_of(
    settings: ControllerSettings, scorer: Scorer, domain: str = "any"
) -> Controller:
    """The controller that the settings name; else the one that is shipped for the domain.

    Raises:
        BadInput: If its file is none, or it was learned from other scores.
    """
    given = settings.controller
    path = File(given) if given else shipped(scorer.name, domain)
    found = await asyncio.to_thread(load, path)
    kind = scorer.name.partition(":")[0]
    if why := found.unsuited(kind, settings.hopeless, settings.unread):
        raise BadInput(
            f"{path.name}: compute=learned cannot use this controller: {why}; set these alike, or "
            "learn one (`agentflow controller record`, `agentflow controller fit`) and name its "
            "file with controller=FILE"
        )
    return found


async def led(
    run: IterationRun[Any], expander: TraceExpander, scorer: Scorer, max_steps: int
) -> Callable[..., Awaitable[Found]]:
    """The search that the controller leads, called as every other; what it chooses are events.

    Args:
        expander: Whose budget it has.

    Raises:
        BadInput: As of :func:`controller_of`.
    """
    settings = run.settings
    controller = await controller_of(settings, scorer, run.problem.domain)
    if not settings.controller and (await run.model()).name != embedded.bundled().stem:
        run.emit(weaker("a controller learned from this model", "the bundled model's leads"))
    ahead = controller.at_once if settings.ahead is None else settings.ahead

    async def find(
        problem: Problem, grower: Expander, scorer: Scorer, param: int, *place: str | int
    ) -> Found:
        return await controlled(
            problem,
            grower,
            scorer,
            controller,
            *place,
            price=settings.price,
            left=lambda: expander.left,
            tell=run.emit,
            aggregate=settings.aggregate,
            max_steps=max_steps,
            ahead=ahead,
        )

    return find
