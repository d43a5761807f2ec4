"""First node: parse the problem, decline what has no answer, render the prompt."""

from __future__ import annotations

import asyncio
from dataclasses import asdict, replace
from typing import Any

from langgraph.types import Overwrite

from agentflow import prompts
from agentflow.errors import MissingCapability, Unfit
from agentflow.models.model import segment
from agentflow.nodes.context import check_prices, parse_problem, team_of, weaker
from agentflow.nodes.refine import check_review
from agentflow.nodes.run import Run, Update, node
from agentflow.problem import Problem
from agentflow.run import beginning
from agentflow.settings import Settings


@node(Settings)
async def prepare(run: Run[Settings]) -> Update:
    """Turn the input into a problem and the trace's first segment, the prompt.

    Raises:
        BadInput: If the problem cannot be parsed, there is no prompt for its domain, or a person is
            to review what runs without a thread; or costs are limited and a model has no price.
        Unfit: If the method, as it is set, is not for the problem.
        MissingCapability: If the method, as it is set, needs a model that continues a prefix and
            this one does not, not even by turns.
    """
    return await prepared(run)


async def prepared(run: Run[Any]) -> Update:
    """What :func:`prepare` writes."""
    run = run.anew()
    settings = run.settings
    check_review(settings, run.runtime)
    domain = await run.domain()
    problem = await parse_problem(run.given, domain)
    if why := settings.unfit(domain, problem):
        raise Unfit(why)
    update = beginning() | {"problem": asdict(problem), "settings": run.changed}
    reason = await asyncio.to_thread(domain.unsolvable, problem)
    if reason:
        return update | {"abstained": reason}
    await check_prices(settings, run.budget, run.model)
    first, *others = [
        await _begun(run, problem, member) for member in range(max(1, team_of(settings)))
    ]
    return update | {
        **first,
        "operations": Overwrite(first["operations"]),
        "team": [first, *others] if others else [],
    }


async def _begun(run: Run[Any], problem: Problem, member: int) -> Update:
    """What a trajectory begins with: its model's name and markers, and the prompt as that model
    reads it."""
    settings = run.settings
    model = await replace(run, channels={**run.channels, "member": member}).model()
    run.budget.price(model.name)
    if settings.needs_continuing and not model.capabilities.continues:
        if not model.capabilities.turns:
            raise MissingCapability(
                f"{model.name} lacks the capability 'continues': it is chat-only and cannot go on "
                "from a text of ours; use a server with raw completions"
            )
        who = model.name if team_of(settings) else "it"
        run.emit(weaker("continues", f"{who} is shown its text in a new turn"))
    system, user = await asyncio.to_thread(  # it reads files
        prompts.for_problem, settings.solver_prompt, problem, model.profile
    )
    prompt = await segment(model, "prompt", model.profile.render(user, system))
    return {
        "model": model.name,
        "open": model.profile.think_open,
        "close": model.profile.think_close,
        "operations": [prompt.operation()],
    }
