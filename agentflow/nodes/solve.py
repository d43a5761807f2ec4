"""Solve: stream the next stretch of the trace, monitors watching."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

from langgraph.runtime import Runtime
from langgraph.types import RetryPolicy

from agentflow import domains, ledger
from agentflow.domains import Domain
from agentflow.errors import ModelUnavailable, StreamBroken
from agentflow.models import Model, Request
from agentflow.models.protocol import prompt_of
from agentflow.monitors.protocol import Monitor
from agentflow.monitors.watch import Leg, Reading, watch
from agentflow.nodes.context import model_of, problem_of, settings_of
from agentflow.nodes.restart import attempt_of
from agentflow.problem import Problem
from agentflow.profile import Profile
from agentflow.run import RunState
from agentflow.settings import Settings, request_seed
from agentflow.trace import Trace

MonitorsFor = Callable[[Any, Problem, Domain, Profile], Sequence[Monitor]]
"""(settings, problem, domain, profile) -> the monitors of the stream."""

RETRY = RetryPolicy(max_attempts=3, initial_interval=0.5, retry_on=ModelUnavailable)
"""For nodes that ask a model: a server that does not answer is asked again, with back-off."""


def no_monitors(*_: Any) -> Sequence[Monitor]:
    """For methods that only stream."""
    return ()


def solver(
    monitors_for: MonitorsFor = no_monitors, settings_type: type[Settings] = Settings
) -> Callable[..., Any]:
    """The solve node of a method.

    One call streams from the end of the trace until the model stops, a monitor intervenes, or
    the budget (tokens, context or seconds) is spent. A stream that breaks is continued from where
    it broke, ``settings.retries`` times.
    """

    async def solve(state: RunState, runtime: Runtime[Any]) -> dict[str, Any]:
        settings = settings_of(runtime, settings_type)
        problem, domain = problem_of(state), domains.get(settings.domain)
        model = await model_of(settings)
        monitors = monitors_for(settings, problem, domain, model.profile)
        trace = Trace(state["operations"])
        done = len(trace.operations)
        reading = Reading.from_json(state["reading"]) if state.get("reading") else Reading()
        entries: ledger.Entries = {}
        judged: list[dict[str, Any]] = []
        attempt = 0
        while True:
            budget = _budget(trace, model, settings, attempt_of(state)["tokens"])
            left = _seconds_left(state, settings)
            if budget <= 0 or left <= 0:
                leg = Leg("length", reading)
                break
            place = (problem.id, "solver", 0, done, attempt)
            request = Request(
                prompt_of(model, trace),
                budget,
                settings.sampling(model.profile),
                request_seed(settings.seed, *place),
                cache=settings.cache,
            )
            before = trace.generated
            started = time.monotonic()
            try:
                async with asyncio.timeout(None if left == float("inf") else left):
                    leg = await watch(
                        model,
                        trace,
                        request,
                        monitors,
                        reading=reading,
                        emit=runtime.stream_writer,
                    )
            except TimeoutError:
                leg = Leg("length", reading, generated=trace.generated - before)
                leg.prompt, leg.seconds = len(request.prompt), time.monotonic() - started
            except (ModelUnavailable, StreamBroken) as error:
                if isinstance(error, ModelUnavailable) and not trace.generated:
                    raise
                leg = Leg("broken", reading, error=error)
            reading = leg.reading
            judged += [asdict(one) for one in leg.judged]
            entry = ledger.Entry(
                "solver", 1, leg.prompt, leg.cached, leg.generated, leg.wasted, leg.seconds
            )
            entries |= ledger.record(f"solver/0/{done}/{attempt}", entry)
            if leg.ended != "broken" or attempt == settings.retries:
                break
            attempt += 1
            await asyncio.sleep(0.25 * 2**attempt)
        runtime.stream_writer({"type": "usage", "entries": entries})
        return {
            "operations": trace.operations[done:],
            "reading": asdict(reading),
            "judged": judged,
            "ledger": entries,
            "leg": {
                "ended": leg.ended,
                "intervention": asdict(leg.intervention) if leg.intervention else None,
                "error": str(leg.error or ""),
            },
        }

    return solve


def _budget(trace: Trace, model: Model, settings: Settings, spent: int) -> int:
    """Tokens that may still be generated; ``spent`` were in attempts given up."""
    wanted = settings.max_tokens or model.profile.max_tokens
    return min(wanted + spent - trace.generated, model.profile.context - len(trace.ids))


def _seconds_left(state: RunState, settings: Settings) -> float:
    if settings.timeout is None:
        return float("inf")
    return state["started"] + settings.timeout - time.time()
