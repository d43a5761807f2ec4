"""Solve: stream the next stretch of the trace, monitors watching."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from langgraph.runtime import Runtime
from langgraph.types import RetryPolicy

from agentflow import ledger
from agentflow.domains import Domain
from agentflow.errors import BadInput, ModelUnavailable, StreamBroken
from agentflow.models import Model, Request
from agentflow.models.lasting import LastingStream
from agentflow.models.metered import Metered
from agentflow.models.protocol import prompt_of
from agentflow.monitors.leg import Leg, Reading, standing
from agentflow.monitors.protocol import Monitor
from agentflow.monitors.watch import watch
from agentflow.nodes.context import (
    budget_of,
    domain_of,
    emitter,
    metered,
    model_of,
    problem_of,
    settings_of,
)
from agentflow.nodes.finish import stated
from agentflow.nodes.journal import journal_of
from agentflow.nodes.restart import attempt_of
from agentflow.nodes.tool_log import ToolLog
from agentflow.problem import Problem
from agentflow.run import RunState
from agentflow.settings import Role, Settings, request_seed
from agentflow.trace import Trace


@dataclass(frozen=True, slots=True)
class Task:
    """What the monitors of one stream are made for.

    Attributes:
        settings: The method's.
        problem, domain: What is solved.
        model: Who solves it.
        ask: (role of a model, role in the ledger) -> that model, its requests counted.
        judged: What monitors judged of this sample so far (:class:`Judged`, as plain JSON).
        emit: Where events go.
    """

    settings: Any
    problem: Problem
    domain: Domain
    model: Model
    ask: Callable[[Role, str], Awaitable[Metered]]
    judged: Sequence[Mapping[str, Any]] = ()
    emit: Callable[[dict[str, Any]], None] = lambda event: None


MonitorsFor = Callable[[Task], Awaitable[Sequence[Monitor]]]
"""Makes the monitors of a stream; raises MissingCapability where a model lacks what they need."""

RETRY = RetryPolicy(max_attempts=3, initial_interval=0.5, retry_on=ModelUnavailable)
"""For nodes that ask a model briefly: a server that does not answer is asked again, with back-off.
The solver's stream outlasts more by itself."""


async def no_monitors(task: Task) -> Sequence[Monitor]:
    """For methods that only stream."""
    return ()


def solver(
    monitors_for: MonitorsFor = no_monitors, settings_type: type[Settings] = Settings
) -> Callable[..., Any]:
    """The solve node of a method.

    One call streams from the end of the trace until the model stops, a monitor intervenes, or
    a budget (tokens, context, the run's) is spent. A stream that breaks is continued from where
    it broke, ``settings.retries`` times; with a journal also after the process was killed.
    """

    async def solve(state: RunState, runtime: Runtime[Any]) -> dict[str, Any]:
        settings = settings_of(runtime, settings_type)
        given = settings.model_dump(mode="json", exclude_defaults=True)
        problem = problem_of(state)
        model = await model_of(settings)
        if model.name != state["model"]:
            raise BadInput(
                f"the run began on {state['model']}, and {model.name} cannot go on from its tokens"
            )
        trace, attempt = Trace(state["operations"]), attempt_of(state)
        branch, emit = state.get("branch", 0), emitter(state, runtime)
        done = len(trace.operations)
        reading = Reading(**state["reading"]) if state.get("reading") else Reading()
        budget = budget_of(settings, state)
        room, limit = room_of(trace, model, settings, attempt["tokens"])
        if "allowance" in state and state["allowance"] - trace.generated < room:
            room, limit = state["allowance"] - trace.generated, "the run's budget is spent"
        if over := budget.spent:
            room, limit, budget.over = 0, over, over
        if room <= 0:
            return {"leg": _ended(Leg("length", reading), limit, model), "settings": given}
        request = Request(
            prompt_of(model, trace),
            room,
            settings.sampling(model.profile),
            request_seed(settings.seed, problem.id, "solver", branch, done),
            cache=settings.cache,
            said=trace.text,
        )
        meters: dict[tuple[Role, str], Metered] = {}
        tools = ToolLog(f"solver/{branch}/{done}", emit)
        domain = await domain_of(settings, tools)

        async def ask(role: Role, counted_as: str) -> Metered:
            meter = await metered(state, settings, role, counted_as, f"{role}/{branch}/{done}")
            return meters.setdefault((role, counted_as), meter)

        judged = state.get("judged", [])
        monitors = await monitors_for(Task(settings, problem, domain, model, ask, judged, emit))
        journal = journal_of(runtime)
        stream = LastingStream(
            model,
            journal=journal,
            retries=settings.retries,
            reconnect=partial(model_of, settings),
            budget=budget,
        )
        await stream.recover(request)
        seconds = budget.seconds_left
        try:
            leg = await watch(
                stream,
                trace,
                request,
                monitors,
                reading=reading,
                earlier=standing(judged[attempt["judged"] :]),
                seconds=seconds,
                emit=emit,
            )
        except (ModelUnavailable, StreamBroken) as error:
            leg = Leg("broken", reading, error=error)
        if seconds is not None and leg.seconds >= seconds and leg.ended == "length":
            budget.over = budget.late
        limit = budget.over or limit
        begun = trace.generated or branch  # an earlier sample may have come to something
        if leg.error is not None and (journal is not None or not begun):
            raise leg.error  # nothing is lost: the run is resumed from here, or has not begun
        entry = budget.entry(
            "solver",
            model.name,
            stream.calls,
            leg.prompt + stream.repeated,
            leg.cached,
            leg.generated,
            leg.wasted,
            leg.seconds,
            reasoning=leg.reasoning,
            estimated=int(leg.estimated),
        )
        entries = ledger.record(f"solver/{branch}/{done}", entry)
        entries |= tools.entries
        for meter in meters.values():
            entries |= meter.entries
        emit({"type": "usage", "entries": entries})
        ended = _ended(leg, limit, model)
        if ended["ended"] == "stop" and state.get("asked", 0) <= attempt["number"]:
            ended["unanswered"] = stated(trace, state["close"], domain, problem) is None
        return {
            "operations": trace.operations[done:],
            "reading": asdict(leg.reading),
            "judged": [asdict(one) for one in leg.judged],
            "ledger": entries,
            "leg": ended,
            "settings": given,
        }

    return solve


def _ended(leg: Leg, limit: str, model: Model) -> dict[str, Any]:
    """How a leg ended, as the state keeps it; ``limit`` is what a leg that got too long hit.

    A monitor that stopped the stream, or gave the run up, ended it as the model itself or a limit
    would have.
    """
    by: dict[str, str] = {"stop": "stop", "abstain": "abstained"}
    kind = leg.intervention.kind if leg.intervention else ""
    return {
        "ended": by.get(kind, leg.ended),
        "intervention": asdict(leg.intervention) if leg.intervention else None,
        "error": str(leg.error or ""),
        "limit": limit if leg.ended == "length" else "",
        "continues": model.capabilities.continues,
    }


def room_of(trace: Trace, model: Model, settings: Settings, spent: int = 0) -> tuple[int, str]:
    """Tokens that this attempt may still have, and what limits them.

    ``spent`` tokens were in attempts given up.
    """
    wanted = settings.attempt_tokens(model.profile)
    allowed = wanted + spent - trace.generated
    room = model.profile.context - len(trace.ids)
    if room < allowed:
        return room, f"the model's context of {model.profile.context:,} tokens is full"
    return allowed, f"the budget of {wanted:,} tokens is spent"
