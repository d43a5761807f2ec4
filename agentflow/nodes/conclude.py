"""Conclude: ask for the answer in a second call, where thinking was stopped and cannot go on."""

from __future__ import annotations

import asyncio
from itertools import accumulate
from typing import Any

from langgraph.runtime import Runtime

from agentflow import prompts
from agentflow.models import Request, complete
from agentflow.models.model import segment
from agentflow.nodes.context import metered, problem_of, settings_of
from agentflow.nodes.solve import room_of
from agentflow.profile import Piece
from agentflow.run import RunState
from agentflow.settings import Settings, request_seed
from agentflow.trace import Segment, Trace


async def conclude(state: RunState, runtime: Runtime[Any]) -> dict[str, Any]:
    """Close the thinking, and append the answer that the model gives to a prompt with it.

    Raises:
        ModelUnavailable, StreamBroken: If the model does not answer.
    """
    settings, problem = settings_of(runtime, Settings), problem_of(state)
    trace = Trace(state["operations"])
    done, branch = len(trace.operations), state.get("branch", 0)
    model = await metered(state, settings, "solver", "solver", f"{branch}/{done}")
    profile = model.profile
    given = await asyncio.to_thread(prompts.for_problem, settings.solver_prompt, problem, profile)
    texts = {
        "problem": "\n\n".join(filter(None, given)),
        "thinking": trace.body.removeprefix(profile.think_open).strip(),
    }
    system, user = await asyncio.to_thread(
        prompts.render, "early_exit", "conclude", profile.name, texts
    )
    pieces = profile.render(user, system)
    asked = await segment(model, "prompt", pieces)
    budget, limit = room_of(trace, model, settings)
    if budget <= 0:
        return {"leg": {**state["leg"], "ended": "length", "limit": limit}}
    request = Request(
        asked.text,
        budget,
        settings.sampling(profile),
        request_seed(settings.seed, problem.id, "solver", branch, done),
    )
    reply = await complete(model, request)
    limit = model.budget.over or limit
    thinking = bool(profile.think_close) and trace.split(profile.think_close)[1] is None
    pieces = profile.closing if thinking else [Piece("\n\n")]
    trace.append(await segment(model, "marker", pieces, trace.leftover))
    texts_of = [token.text for token in reply.tokens]
    closed = [n for n, text in enumerate(texts_of, 1) if text == profile.think_close]
    answer = texts_of[closed[-1] if closed else 0 :]
    trace.append(Segment("generated", "".join(answer), (), tuple(accumulate(map(len, answer)))))
    runtime.stream_writer({"type": "token", "text": "".join(answer)})
    runtime.stream_writer({"type": "usage", "entries": model.entries})
    ended = "stop" if reply.finish.reason == "stop" else "length"
    return {
        "operations": trace.operations[done:],
        "ledger": model.entries,
        "leg": {**state["leg"], "ended": ended, "limit": limit if ended == "length" else ""},
    }
