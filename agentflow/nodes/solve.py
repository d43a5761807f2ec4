"""Solve: stream the next stretch of the trace, monitors watching."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from inspect import isawaitable
from time import monotonic
from typing import Any

from langgraph.types import RetryPolicy

from agentflow import ledger
from agentflow.channels import Ended, StreamEnd
from agentflow.domains import Domain
from agentflow.errors import BadInput, ModelUnavailable, Refused, StreamBroken, passing, put_off
from agentflow.models import Model, Request
from agentflow.models.budget import BESIDE
from agentflow.models.count import Count
from agentflow.models.lasting import LastingStream
from agentflow.models.metered import Metered
from agentflow.models.model import prompt_of
from agentflow.monitors.monitor import Monitor, see_monitors
from agentflow.monitors.stream_result import Judged, StreamResult, standing
from agentflow.monitors.watch import watch
from agentflow.nodes.context import model_of, weaker
from agentflow.nodes.finish import stated
from agentflow.nodes.journal import journal_of
from agentflow.nodes.run import Node, Run, Update, node
from agentflow.nodes.tool_log import ToolLog
from agentflow.problem import Problem
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
        judged: What monitors judged of this sample so far.
        branch: The sample's number.
        finished: Numbers of the run's samples that have finished, as far as they run a race.
        floor: The confidence below which this sample is given up, in nats; None for none.
        emit: Where events go.
    """

    settings: Any
    problem: Problem
    domain: Domain
    model: Model
    ask: Callable[[Role, str], Awaitable[Metered]]
    judged: Sequence[Judged] = ()
    branch: int = 0
    finished: set[int] = field(default_factory=set)
    floor: float | None = None
    emit: Callable[[dict[str, Any]], None] = lambda event: None


MonitorsFor = Callable[[Task], Awaitable[Sequence[Monitor]]]
"""Makes the monitors of a stream; raises MissingCapability where a model lacks what they need."""

RETRY = RetryPolicy(
    max_attempts=3, initial_interval=0.5, retry_on=lambda e: passing(e) and not put_off(e)
)
"""For nodes that ask a model briefly: a server that does not answer, or breaks off, is asked again,
with back-off. What a server puts off each request asks again by itself, and the solver's stream
outlasts more."""


async def no_monitors(task: Task) -> Sequence[Monitor]:
    """For methods that only stream."""
    return ()


def solver(
    monitors_for: MonitorsFor = no_monitors,
    settings_type: type[Settings] = Settings,
) -> Node:
    """The solve node of a method.

    One call streams from the end of the trace until the model stops, a monitor intervenes, or
    a budget (tokens, context, the run's) is spent. A stream that breaks is continued from where
    it broke, ``settings.retries`` times; with a journal also after the process was killed.
    """

    @node(settings_type)
    async def solve(run: Run[Any]) -> Update:
        trace, done = run.trace, len(run.trace.operations)
        model = await run.model()
        if model.name != run.model_name:
            raise BadInput(
                f"the run began on {run.model_name}, and {model.name} cannot go on from its tokens"
            )
        room = _room(run, model)
        if room.tokens <= 0:
            end = _end(StreamResult("length", run.reading), room, "", model)
            return {"stream_end": asdict(end), "settings": run.changed}
        request = _request(run, model, room)
        meters: dict[tuple[Role, str], Metered] = {}
        tools = run.tool_log(f"solver/{run.branch}/{done}")
        domain = await run.domain(tools)
        monitors = await _monitors(monitors_for, _task(run, model, domain, meters))
        journal = journal_of(run.runtime)
        stream = LastingStream(
            model,
            journal=journal,
            retries=run.settings.retries,
            reconnect=partial(model_of, run.settings, member=run.member),  # the watch keeps time
            budget=run.budget,
        )
        await stream.recover(request)
        spent = partial(_spent, run, stream, tools, monotonic())
        found = await _watched(run, stream, request, monitors, spent)
        begun = trace.generated or run.branch  # an earlier sample may have come to something
        refused = isinstance(found.error, Refused)
        resumes = journal is not None and not refused  # which would not mend a refusal
        if found.error is not None and (resumes or not begun):
            run.budget.entries |= spent()
            raise found.error  # no text is lost: the run is resumed from here, or has not begun
        entries = spent(found.wasted)
        for meter in meters.values():
            entries |= meter.entries
        run.spent(entries)
        for said in run.budget.reads_again():
            run.emit(weaker("a prefix cache that works", said))
        end = _end(found, room, run.budget.over, model)
        if end.ended == "stop" and run.asked <= run.attempt.number:
            judged = [*run.judged_now, *found.judged]
            unanswered = stated(trace, run.close, domain, run.problem, judged) is None
            end = replace(end, unanswered=unanswered)
        return {
            "operations": trace.operations[done:],
            "reading": asdict(found.reading),
            "judged": [asdict(one) for one in found.judged],
            "ledger": entries,
            "stream_end": asdict(end),
            "refused": refused,
            "settings": run.changed,
        }

    return solve


def _request(run: Run[Any], model: Model, room: Room) -> Request:
    """The request that goes on from the end of the trace."""
    settings, trace, branch = run.settings, run.trace, run.branch
    place = (run.problem.id, "solver", branch, len(trace.operations))
    return Request(
        prompt_of(model, trace),
        room.tokens,
        settings.sampling(model.profile),
        request_seed(settings.seed, *place),
        cache=settings.shares_cache,
        own=branch if settings.cache == "run" else None,
        said=trace.text,
        known=trace.served,
        top=_alternatives(model, settings),
    )


def _task(
    run: Run[Any], model: Model, domain: Domain, meters: dict[tuple[Role, str], Metered]
) -> Task:
    """What monitors are made for; a model that they ask is put down in ``meters``."""
    place = f"{run.branch}/{len(run.operations)}"

    async def ask(role: Role, counted_as: str) -> Metered:
        meter = await run.ask(role, counted_as, f"{place}/{role}")
        return meters.setdefault((role, counted_as), meter)

    finished, floor = run.budget.finished, run.channels.get("floor")
    of = (run.settings, run.problem, domain, model, ask, run.judged, run.branch)
    return Task(*of, finished, floor, run.emit)


async def _monitors(monitors_for: MonitorsFor, task: Task) -> Sequence[Monitor]:
    making = monitors_for(task)
    if not isawaitable(making):
        name = getattr(monitors_for, "__name__", "monitors")
        raise BadInput(f"{name} is no coroutine; write `async def {name}(task)`")
    monitors = await making
    see_monitors(monitors)
    return monitors


async def _watched(
    run: Run[Any],
    stream: LastingStream,
    request: Request,
    monitors: Sequence[Monitor],
    spent: Callable[[], ledger.Entries],
) -> StreamResult:
    """What came of the stream; a failure of the server ends it as ``broken``. Where the run ends,
    or is cut off, the budget has what was spent."""
    budget, beside = run.budget, BESIDE.set(stream)  # for what monitors and tools ask meanwhile
    seconds = budget.seconds_left
    try:
        found = await watch(
            stream,
            run.trace,
            request,
            monitors,
            reading=run.reading,
            earlier=standing(run.judged_now),
            seconds=seconds,
            emit=run.emit,
        )
    except (ModelUnavailable, StreamBroken, Refused) as error:
        found = StreamResult("broken", run.reading, error=error)
    except BaseException:
        budget.entries |= spent()
        raise
    finally:
        BESIDE.reset(beside)
    if seconds is not None and found.seconds >= seconds and found.ended == "length":
        budget.over = budget.late
    return found


def _spent(
    run: Run[Any], stream: LastingStream, tools: ToolLog, started: float, wasted: int = 0
) -> ledger.Entries:
    """What the stream cost so far, and the domain's tools."""
    cost = _cost(stream.counts, wasted, monotonic() - started)
    return ledger.record(tools.place, run.budget.priced(stream.model.name, cost)) | tools.entries


@dataclass(frozen=True, slots=True)
class Room:
    """What a stream may have.

    Attributes:
        tokens: How many; none are left at 0 and below.
        limit: What limits them, in words.
        spent: Whether that is the whole run's, so that no other attempt can follow.
    """

    tokens: int
    limit: str
    spent: bool = False


def room_of(trace: Trace, model: Model, settings: Settings, before: int = 0) -> Room:
    """What the attempt may still have, ``before`` which attempts with so many tokens were given
    up."""
    wanted = settings.solver_tokens or settings.max_tokens or model.profile.max_tokens
    allowed = wanted + before - trace.generated
    context = model.profile.context - len(trace.ids)
    if context < allowed:
        return Room(context, f"the model's context of {model.profile.context:,} tokens is full")
    return Room(allowed, f"the budget of {wanted:,} tokens is spent")


def _room(run: Run[Any], model: Model) -> Room:
    """What the attempt may still have, as far as the run's budget has it, too."""
    room = room_of(run.trace, model, run.settings, run.attempt.tokens)
    if run.allowance is not None and run.allowance - run.trace.generated < room.tokens:
        room = Room(run.allowance - run.trace.generated, "the run's budget is spent", spent=True)
    if over := run.budget.spent:
        run.budget.over = over
        room = Room(0, over, spent=True)
    return room


def _cost(counts: Sequence[Count], wasted: int, seconds: float) -> ledger.Entry:
    """What a stream cost, with all the requests that it took."""
    return ledger.Entry(
        "solver",
        len(counts),
        sum(one.prompt for one in counts),
        sum(one.cached for one in counts),
        sum(one.generated for one in counts),
        wasted,
        seconds,
        reasoning=sum(one.reasoning for one in counts),
        estimated=sum(one.estimated for one in counts),
    )


def _end(found: StreamResult, room: Room, over: str, model: Model) -> StreamEnd:
    """How a stream ended, as the state keeps it.

    A monitor that stopped the stream, or gave the run up, ended it as the model itself or a limit
    would have.

    Args:
        over: Which limit of the run cut it short, in words; empty for none.
    """
    by: dict[str, Ended] = {"stop": "stop", "abstain": "abstained"}
    kind = found.intervention.kind if found.intervention else ""
    limit, spent = room.limit, room.spent
    if cut := cut_by_server(found.ended, found.generated, room.tokens, counted=not found.estimated):
        limit, spent = cut, False
    if over:
        limit, spent = over, True
    too_long = found.ended == "length"
    return StreamEnd(
        by.get(kind, found.ended),
        found.intervention,
        str(found.error or ""),
        limit if too_long else "",
        model.capabilities.continues,
        spent=spent and too_long,
        drawn=tuple(found.drawn),
    )


def _alternatives(model: Model, settings: Settings) -> int:
    """How many of them a model is asked for, where it tells any: those that monitors read, and
    those to begin a line otherwise, if it can go on from one."""
    able = model.capabilities
    wanted = max(settings.alternatives_read, settings.alternatives if able.continues else 0)
    return wanted if able.logprobs is None else min(wanted, able.logprobs)


def cut_by_server(ended: str, generated: int, tokens: int, *, counted: bool) -> str:
    """What is said of a reply that its server cut short; empty where it did not.

    Args:
        ended: ``length`` for a reply that did not come to its end.
        generated: Tokens of it.
        tokens: How many it was asked for.
        counted: Whether ``generated`` is more than a guess.
    """
    if ended != "length" or generated >= tokens:
        return ""
    if not counted:
        return f"the server cut the reply short; it was asked for {tokens:,} tokens at most"
    return (
        f"the server ended the reply after {generated:,} of the {tokens:,} tokens that it was "
        "asked for"
    )
