"""Elicit: the settings of a reader that asks, and the monitor they make."""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

from pydantic import Field

from agentflow import prompts
from agentflow.errors import BadInput, MissingCapability
from agentflow.monitors import Elicit, KStable, StepVerifier
from agentflow.monitors.schedule import Schedule, interval
from agentflow.nodes.prober import prober_of
from agentflow.nodes.refine import RefineSettings
from agentflow.nodes.solve import Task
from agentflow.settings import Positive


class ElicitSettings(RefineSettings):
    """When the states of the thinking are asked for, and whom."""

    elicit: Annotated[Annotated[int, Field(ge=0)] | Literal["auto"], interval(0)] = Field(
        default=0,
        description="Ask for the states of the thinking beside the stream, one question in so many "
        "lines, instead of reading its lines; 0 for never, auto for at most 5 % of the run's time",
    )
    elicit_at: Literal["line", "paragraph"] = Field(
        default="line", description="What elicit counts: lines, or paragraphs"
    )
    elicit_by: Literal["solver", "proxy"] = Field(
        default="solver", description="Which role is asked; the solver's prefix is cached"
    )
    elicit_tokens: Positive = Field(default=512, description="Most tokens of a reply")


async def elicited(task: Task, steps: StepVerifier | None, stable: KStable | None) -> Elicit:
    """The monitor that asks on behalf of a step verifier, a stop rule, or both.

    Raises:
        MissingCapability: If the model that is asked cannot go on from a text of ours.
        BadInput: If nobody says how states of the domain are written.
    """
    settings: ElicitSettings = task.settings
    model = await task.ask(settings.elicit_by, "elicit")
    if not (model.capabilities.continues or model.capabilities.turns):
        raise MissingCapability(
            f"elicit asks the {settings.elicit_by}, which lacks the capability 'continues'; name a "
            "proxy that has it (roles.proxy, elicit_by=proxy), or set elicit=0"
        )
    question = await asyncio.to_thread(_question, task.problem.domain, model.profile.name)
    schedule = Schedule(at=settings.elicit_at, every=settings.elicit)
    apart = bool(task.model.profile.think_close)
    return Elicit(
        task.problem,
        task.domain,
        prober_of(task, settings.elicit_by),
        question,
        schedule,
        steps,
        stable if apart else None,  # else there is no thinking to end
        apart,
        settings.elicit_tokens,
    )


def _question(domain: str, profile: str) -> str:
    """What is asked; reads files."""
    try:
        form = prompts.render("elicit", domain, profile, {})[1]
    except KeyError as error:
        raise BadInput(f"elicit: {error.args[0]} says how states are written") from error
    return prompts.render("elicit", "question", profile, {"form": form})[1]
