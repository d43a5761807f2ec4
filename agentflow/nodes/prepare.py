"""First node: parse the problem, decline what has no answer, render the prompt."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import Any

from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from agentflow import prompts
from agentflow.errors import MissingCapability
from agentflow.models.protocol import segment
from agentflow.nodes.context import (
    check_prices,
    domain_of,
    emitter,
    model_of,
    parse_problem,
    settings_of,
    weaker,
)
from agentflow.nodes.refine import check_review
from agentflow.run import RunState, beginning
from agentflow.settings import Settings


async def prepare(state: RunState, runtime: Runtime[Any]) -> dict[str, Any]:
    """Turn the input into a problem and the trace's first segment, the prompt.

    Raises:
        BadInput: If the problem cannot be parsed, there is no prompt for its domain, or a person
            is to review what runs without a thread; or costs are limited and a model has no price.
        MissingCapability: If the method, as it is set, needs a model that continues a prefix and
            this one does not, not even by turns.
    """
    settings = settings_of(runtime, Settings)
    check_review(settings, runtime)
    domain = await domain_of(settings)
    problem = await parse_problem(state["problem"], domain)
    given = settings.model_dump(mode="json", exclude_defaults=True)
    update = beginning() | {"problem": asdict(problem), "settings": given}
    reason = await asyncio.to_thread(domain.unsolvable, problem)
    if reason is not None:
        return update | {"abstained": reason}
    await check_prices(settings)
    model = await model_of(settings)
    if settings.needs_continuing and not model.capabilities.continues:
        if not model.capabilities.turns:
            raise MissingCapability(
                f"{model.name} lacks the capability 'continues': it is chat-only and cannot go on "
                "from a text of ours; use a server with raw completions"
            )
        emitter(state, runtime)(weaker("continues", "it is shown its text in a new turn"))
    system, user = await asyncio.to_thread(  # it reads files
        prompts.for_problem, settings.solver_prompt, problem, model.profile
    )
    prompt = await segment(model, "prompt", model.profile.render(user, system))
    return update | {
        "model": model.name,
        "open": model.profile.think_open,
        "close": model.profile.think_close,
        "operations": Overwrite([prompt.operation()]),
    }


def declined(state: RunState) -> str:
    """Edge behind :func:`prepare`: ``finish`` for a problem without an answer, else ``solve``."""
    return "finish" if state.get("abstained") else "solve"
