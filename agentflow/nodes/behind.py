"""A prompt for another model than the solver's, behind which it goes on with the solver's text."""

from __future__ import annotations

import asyncio
from typing import Any

from agentflow import prompts
from agentflow.models.bundled import is_judge
from agentflow.models.model import Model, prompt_of, segment
from agentflow.nodes.run import Run
from agentflow.scorers.likelihood import before
from agentflow.trace import Trace


async def behind(run: Run[Any], model: Model, start: int) -> tuple[int, ...] | str:
    """The solver's problem and its solution up to a place, in the model's own prompt; for the
    bundled judge as it reads solutions, so that it writes what it would not object to.

    Args:
        start: Offset in the trace's body.
    """
    profile = model.profile
    if is_judge(model.name):
        stated = await prompts.statement(run.problem, profile)
        body, close = run.trace.body, run.close or "\n"
        done = len(body[:start].replace(close, "\n"))
        steps = [body.replace(close, "\n")]
        pieces = await asyncio.to_thread(before, profile, stated, steps, done)
    else:
        system, user = await run.prompt(profile)
        trace = Trace(run.operations)
        trace.cut(start)
        thinking, answer = trace.split(run.close)
        body = thinking.removeprefix((await run.model()).profile.think_open)
        if answer is not None:
            body += profile.think_close + answer
        pieces = profile.render(user, system, body=body)
    read = await segment(model, "prompt", pieces)
    return prompt_of(model, Trace([read.operation()]))
