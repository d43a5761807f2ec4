"""What nodes and edges are written against: a run's channels, typed, and what a node may ask for.

An edge gets a :class:`View`: settings, and what the channels hold. A node gets a :class:`Run`, a
view that also has the domain, the models by role, the budget, and the stream of events::

    @node(Settings)
    async def restate(run: Run[Settings]) -> Update:
        model = await run.model("verifier")
        ...
        return {"corrections": run.corrections + 1}

    graph.add_node("restate", restate)
    graph.add_conditional_edges("restate", route(Settings, after_restate), ["solve", "finish"])
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from inspect import isawaitable
from typing import Any, ClassVar, Generic, TypeVar

from langchain_core.tools import BaseTool
from langgraph.config import get_config
from langgraph.runtime import Runtime
from langgraph.types import Command

from agentflow import prompts
from agentflow.channels import (
    AnswerVerdict,
    Attempt,
    Ruling,
    Sample,
    StreamEnd,
    judged,
    sample,
    stream_end,
)
from agentflow.domains import Domain
from agentflow.errors import BadInput
from agentflow.ledger import Entries
from agentflow.models import Model
from agentflow.models.budget import Budget
from agentflow.models.metered import Metered
from agentflow.monitors.stream_result import Judged, Reading
from agentflow.nodes import context, model_tools
from agentflow.nodes.tool_log import ToolLog
from agentflow.problem import Problem
from agentflow.profile import Profile
from agentflow.run import RunState, begun_by
from agentflow.settings import Role, Settings
from agentflow.tools.toolbox import Use
from agentflow.trace import Operation, Trace

S = TypeVar("S", bound=Settings)
V = TypeVar("V", bound="View[Any]")
R = TypeVar("R", bound="Run[Any]")
Update = dict[str, Any]
"""What a node writes: new values of channels, by name."""
_UNREAD = (
    "the problem is not read yet, for the graph's first node has not run; go on from the start, or "
    "from a checkpoint behind it"
)


@dataclass(frozen=True)
class View(Generic[S]):
    """A run as its channels have it, read-only.

    Attributes:
        channels: The channels, as LangGraph keeps them: plain JSON.
        kind: The class of the method's settings.
    """

    channels: Mapping[str, Any]
    kind: type[S]

    @cached_property
    def settings(self) -> S:
        """The method's settings, as the run's first node wrote them down: a person who edits a
        state has no runtime."""
        return context.settings_in(self.channels, self.kind)

    @cached_property
    def problem(self) -> Problem:
        """The parsed problem.

        Raises:
            BadInput: If the first node, which parses it, has not run.
        """
        if not isinstance(data := self.given, dict) or "domain" not in data:
            raise BadInput(_UNREAD)
        return Problem(**data)

    @property
    def given(self) -> str | dict[str, Any]:
        """The problem as it was given; empty where none was."""
        problem: str | dict[str, Any] = self.channels.get("problem", "")
        return problem

    @property
    def operations(self) -> list[Operation]:
        """The trace, as operations."""
        operations: list[Operation] = self.channels.get("operations") or []
        return operations

    @cached_property
    def trace(self) -> Trace:
        """The trace; a node may go on with it, and writes the operations that it adds."""
        return Trace(self.operations)

    @property
    def close(self) -> str:
        """The marker that ends the thinking; empty for a model that does not think apart."""
        return self.channels.get("close") or ""

    @property
    def model_name(self) -> str:
        """The model whose tokens the trace is made of.

        Raises:
            BadInput: If the first node, which names it, has not run.
        """
        if "model" not in self.channels:
            raise BadInput(_UNREAD)
        name: str = self.channels["model"]
        return name

    @property
    def reading(self) -> Reading:
        """How far the monitors have read."""
        return Reading(**(self.channels.get("reading") or {}))

    @cached_property
    def stream(self) -> StreamEnd:
        """How the last stream ended."""
        return stream_end(self.channels.get("stream_end") or {})

    @cached_property
    def attempt(self) -> Attempt:
        """The attempt under way."""
        return Attempt(**(self.channels.get("attempt") or {}))

    @property
    def corrections(self) -> int:
        """How often feedback was given."""
        return self.channels.get("corrections") or 0

    @property
    def asked(self) -> int:
        """Number of the attempt, from 1, whose text was asked to state its answer; 0 for none."""
        return self.channels.get("asked") or 0

    @property
    def branch(self) -> int:
        """Which of several trajectories side by side this is, from 0."""
        return self.channels.get("branch") or 0

    @property
    def member(self) -> int:
        """Which of a team writes this trajectory; they take turns where nobody says."""
        member: int = self.channels.get("member", self.branch)
        return member

    @property
    def seat(self) -> int:
        """Which verifier of a panel judges, from 0; 0 also where there is none."""
        return self.channels.get("seat") or 0

    def begun(self, member: int) -> dict[str, Any]:
        """What a sample begins with that a member of the team writes, as :func:`begun_by` says."""
        return begun_by(self.channels, member)

    @property
    def allowance(self) -> int | None:
        """Tokens that the solver may still generate on this trajectory; None for no such limit."""
        return self.channels.get("allowance")

    @cached_property
    def judged(self) -> list[Judged]:
        """Every state that stood, with its verdict, in order."""
        return [judged(one) for one in self.judged_rows]

    @property
    def judged_rows(self) -> list[dict[str, Any]]:
        """The same as plain JSON, as the state holds them."""
        return self.channels.get("judged") or []

    @property
    def judged_now(self) -> list[Judged]:
        """Those of the attempt under way."""
        return self.judged[self.attempt.judged :]

    @property
    def ledger(self) -> Entries:
        """Cost entries by call id."""
        entries: Entries = self.channels.get("ledger") or {}
        return entries

    @property
    def steps(self) -> list[str]:
        """The solution as its verifier reads it, step by step."""
        return self.channels.get("steps") or []

    @cached_property
    def verdict(self) -> Ruling | None:
        """What the last verifier said of the solution; None where none was asked."""
        plain = self.channels.get("verdict")
        return Ruling(**plain) if plain else None

    @cached_property
    def final(self) -> AnswerVerdict | None:
        """The domain's verdict on the final answer; None where it was not asked."""
        plain = self.channels.get("final")
        return AnswerVerdict(**plain) if plain else None

    @cached_property
    def samples(self) -> list[Sample]:
        """What trajectories side by side came to, by branch."""
        found = [sample(one) for one in self.channels.get("samples") or ()]
        return sorted(found, key=lambda one: one.branch)

    @property
    def abstained(self) -> str:
        """Why the method declines to answer; empty where it does not."""
        return self.channels.get("abstained") or ""


@dataclass(frozen=True)
class Run(View[S]):
    """What a node is given: the view, and what it may ask for.

    Attributes:
        runtime: LangGraph's.
    """

    runtime: Runtime[Any]
    schema: ClassVar[type] = RunState
    """The channels that the nodes of this handle read."""

    @cached_property
    def settings(self) -> S:
        """The method's settings."""
        settings: S = context.settings_of(self.runtime, self.kind, self.channels)
        return settings

    @property
    def changed(self) -> dict[str, Any]:
        """The settings that were given, to be written down for edges, and for a run that is resumed
        without a context."""
        if (
            context.given_context(self.runtime) is None
        ):  # the class here may have fewer than the method's
            return self.channels.get("settings") or {}
        return self.settings.model_dump(mode="json", exclude_unset=True)

    def anew(self: R) -> R:
        """This run at its start: the settings of an earlier one on its thread are not its own."""
        return replace(self, channels={**self.channels, "settings": {}})

    def emit(self, event: dict[str, Any]) -> None:
        """Send an event to whoever watches; a branch but the first says whose it is.

        Raises:
            BadInput: If it does not say its type.
        """
        if not isinstance(event, Mapping) or not isinstance(event.get("type"), str):
            raise BadInput(f"{event!r:.60} is no event: it needs a text as its `type`")
        self.runtime.stream_writer(event | ({"branch": self.branch} if self.branch else {}))
        if event["type"] == "verdict":
            self._tell(event)

    def _tell(self, verdict: Mapping[str, Any]) -> None:
        """Tell LangChain's listeners that take verdicts, which its own callbacks do not know."""
        manager: Any = get_config().get("callbacks")
        for listener in getattr(manager, "handlers", ()):
            if hasattr(listener, "on_verdict"):
                listener.on_verdict(verdict, self.settings.domain, manager.parent_run_id)

    async def model(self, role: Role = "solver", duty: str = "") -> Model:
        """A role's model, as :func:`~agentflow.nodes.context.model_of` finds it.

        Raises:
            Exhausted: If the run's time is over before a server has opened.
        """
        async with self.budget.in_time():
            return await context.model_of(self.settings, role, duty, self.member)

    async def ask(self, role: Role, counted_as: str, place: str) -> Metered:
        """A role's model, its requests counted and held to the run's budget.

        Args:
            counted_as: Role in the ledger.
            place: Where in the run; a name in the ledger is used once.

        Raises:
            BadInput: If costs are limited, and the model has no price; or the role has none.
            ModelUnavailable: If no server answers.
        """
        model = await self.model(role, counted_as)
        self.budget.price(model.name)
        place = self._at(place)
        lead = f"{counted_as}/{place}/"  # of an attempt of this node that failed
        before = {key: one for key, one in self.budget.entries.items() if key.startswith(lead)}
        meter = Metered(model, counted_as, place, self.budget, before, self.settings.retries)
        self._asked.append(meter)
        return meter

    @cached_property
    def _asked(self) -> list[Metered]:
        """The models that the node has asked so far."""
        return []

    def paid(self, found: Any) -> Any:
        """What a node returned, an update, a command or nothing, with what its requests cost, also
        where the node forgot some of it."""
        update = found.update if isinstance(found, Command) else found
        if not isinstance(update, Mapping | None):
            return found  # its graph refuses it
        told = (update or {}).get("ledger") or {}
        left = {
            k: one for meter in self._asked for k, one in meter.entries.items() if k not in told
        }
        if not left:
            return found
        self.spent(left)
        whole = {**(update or {}), "ledger": {**told, **left}}
        return replace(found, update=whole) if isinstance(found, Command) else whole

    async def prompt(self, profile: Profile) -> tuple[str, str]:
        """(system, user): how the solver is asked the problem, for a model of this profile."""
        wanted = self.settings.solver_prompt
        return await asyncio.to_thread(prompts.for_problem, wanted, self.problem, profile)

    async def domain(self, notify: Callable[[Use], None] | None = None) -> Domain:
        """The domain, with the run's tools; ``notify`` is told of every use of one. Where nobody
        is, what tools cost that are models is counted all the same."""
        if notify is not None:
            models = self._models_as_tools(notify)
            domain = await context.domain_of(self.settings, notify, models)
            if isinstance(notify, ToolLog):
                domain.toolbox.limit = notify.limit
            return domain
        if not self._domain:  # building one may read files
            models = self._models_as_tools(None)
            domain = await context.domain_of(self.settings, self._used, models)
            self._domain.append(domain)
        return self._domain[0]

    def _used(self, use: Use) -> None:
        """Remember a tool that failed where nobody was told of it."""
        if use.error:
            self.failed_tools.append(f"the tool {use.role} failed: {use.content[:200]}")

    @cached_property
    def failed_tools(self) -> list[str]:
        """What tools said that failed where nobody was told of it: a vote goes on without them."""
        return []

    def tool_log(self, place: str) -> ToolLog:
        """A log of what a node's tools cost and said; ``place`` says where in the run."""
        return ToolLog(self._at(place), self.emit, self.budget)

    def _at(self, place: str) -> str:
        """A place in the run, on whose seat of a panel."""
        return f"{place}@{self.seat}" if self.seat else place

    def _models_as_tools(self, notify: Callable[[Use], None] | None) -> dict[str, BaseTool]:
        """The domain's tools that are models; a log that is told of uses has what they cost."""
        if not (roles := model_tools.tool_roles(self.settings)):
            return {}
        log = notify
        if not isinstance(log, ToolLog):
            log = self.tool_log(f"{self.branch}/{len(self.ledger)}")

        async def ask(role: Role, counted_as: str) -> Metered:
            if counted_as not in log.meters:
                log.meters[counted_as] = await self.ask(role, counted_as, log.place)
            return log.meters[counted_as]

        return model_tools.made(self.settings, roles, ask, self.budget.told)

    @cached_property
    def _domain(self) -> list[Domain]:
        """The one that tells nobody, once it was asked for."""
        return []

    @cached_property
    def budget(self) -> Budget:
        """What the run may still spend."""
        return context.budget_of(self.settings, self.ledger)

    def spent(self, entries: Entries) -> None:
        """Say what was spent, where it was anything."""
        if entries:
            self.emit({"type": "usage", "entries": entries})


Node = Callable[..., Any]
"""A node as LangGraph takes it: ``(state, runtime)`` -> update."""


def node(
    settings: type[S], handle: Callable[..., V] | None = None
) -> Callable[[Callable[[V], Awaitable[Update]]], Node]:
    """Make a function of a :class:`Run` a node of LangGraph.

    Args:
        settings: The settings that it reads; the method's may be more.
        handle: A class of handles beside :class:`Run`, with more channels.

    Raises:
        BadInput: If ``settings`` is no class; and when the node runs, if it is no coroutine.
    """
    if not isinstance(settings, type):
        raise BadInput("@node needs the class of settings; write `@node(Settings)`")
    build: Any = handle or Run

    def made(function: Callable[[V], Awaitable[Update]]) -> Node:
        async def at(state: Mapping[str, Any], runtime: Runtime[Any]) -> Any:
            run = build(state, settings, runtime)
            found: Any = function(run)
            if not isawaitable(found):
                name = function.__name__
                raise BadInput(f"the node {name} is no coroutine; write `async def {name}`")
            return run.paid(await found)

        at.__name__, at.__qualname__ = function.__name__, function.__qualname__
        at.__module__, at.__doc__ = function.__module__, function.__doc__
        at.__annotations__ = {"state": build.schema, "runtime": Runtime[Any], "return": Update}
        at.of_run = True  # type: ignore[attr-defined]  # its graph sees what it returns
        return at

    return made


def route(
    settings: type[S], edge: Callable[..., Any], view: Callable[..., Any] = View
) -> Callable[[Any], Any]:
    """Make a function of a :class:`View` an edge of LangGraph."""

    def at(state: Mapping[str, Any]) -> Any:
        return edge(view(state, settings))

    at.__name__ = at.__qualname__ = edge.__name__
    at.__doc__ = edge.__doc__
    return at
