"""Tool-integrated reasoning: the solver calls tools as it writes, and goes on from what they say
(ToRA, Gou et al. 2024; Search-o1, Li et al. 2025)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from pydantic import Field

from agentflow.domains import Domain
from agentflow.domains.spelling import shortened
from agentflow.errors import Exhausted
from agentflow.ledger import Entries
from agentflow.models.structured import Reply, Statement
from agentflow.monitors import Monitor
from agentflow.monitors.call_end import FORMS, Callable, CallEnd, Form
from agentflow.monitors.stream_result import Judged
from agentflow.nodes import cells
from agentflow.nodes.asking import ask_role_json
from agentflow.nodes.run import Run, Update, View, node
from agentflow.nodes.solution import begin_again, unmarked
from agentflow.nodes.solve import Task
from agentflow.nodes.surviving import asked_under
from agentflow.nodes.tool_calls import (
    MAX_OBSERVATION,
    told_by,
    tools_of,
    use_of,
)
from agentflow.nodes.use_tool import observation
from agentflow.problem import Problem
from agentflow.run import RunState
from agentflow.settings import Few, Settings
from agentflow.tools.findings import found_by
from agentflow.tools.toolbox import Use
from agentflow.verifiers.actions import quoted

_FOLDER = "tool_integrated"
_MONITOR = "call_end"
_HITS = 10
"""Hits of a search."""
_FOUND = 12_000
"""Characters that are kept of what a search found."""
_NOTHING = "(nothing)"
_NONE_LEFT = "No call is left. Finish without one."


class ToolIntegratedSettings(Settings):
    """Settings of tool_integrated."""

    may_call: tuple[Callable, ...] = Field(
        default=("python",),
        min_length=1,
        description="What the solver may call: python, search",
    )
    calls: Few = Field(default=8, description="Calls, at most; a further one is told so")
    explain: bool = Field(
        default=True,
        description="Whether the prompt says how tools are called; false for a model that was "
        "trained to call them",
    )
    condense: bool = Field(
        default=True,
        description="Whether the solver's model first picks out of what a search found what helps "
        "here (Search-o1)",
    )

    @property
    def needs_continuing(self) -> bool:
        return True

    def unfit(self, domain: Domain, problem: Problem) -> str:
        if "python" not in self.may_call or not domain.opening.startswith("```py"):
            return ""
        return (
            "python in may_call runs every block of Python, and the answer to this problem of "
            f'{domain.name} is one; use may_call=["search"], or another method'
        )


class Helpful(Reply):
    """What of the things that were found helps; empty where nothing does."""

    helps: Statement


class CallingState(RunState, total=False):
    """The channels of a run.

    Attributes:
        cells: The programs that were run, and whose definitions later ones know.
        found: What the last search found, where it is to be condensed.
    """

    cells: list[str]
    found: str


class Call(NamedTuple):
    """The call that a stream ended with.

    Attributes:
        form: How it is written.
        given: What the tool is given.
        missing: What it lacks at its end.
    """

    form: Form
    given: str
    missing: str


class CallingView(View[ToolIntegratedSettings]):
    """What the edges see."""

    @property
    def made(self) -> int:
        """How many calls were written, those included that were not carried out."""
        return _calls(self.judged_now)

    @property
    def call(self) -> Call:
        """The last call."""
        data = self.judged[-1].state.data
        return Call(FORMS[data["form"]], data["given"], data["missing"])

    @property
    def cells(self) -> list[str]:
        """The programs whose definitions later ones know."""
        return self.channels.get("cells") or []

    @property
    def found(self) -> str:
        """What the last search found, where it is to be condensed."""
        return self.channels.get("found") or ""


@dataclass(frozen=True)
class Calling(Run[ToolIntegratedSettings], CallingView):
    """What the nodes are given."""

    schema = CallingState


async def stopped_at_calls(task: Task) -> Sequence[Monitor]:
    """What watches the solver: it stops behind a call, and ends where it calls on and on."""
    most = task.settings.calls
    ended = _calls(task.judged) > most
    over = f"it calls tools though its {most} calls are made" if ended else ""
    return [CallEnd(task.settings.may_call, over)]


@node(ToolIntegratedSettings, Calling)
async def explain_tools(run: Calling) -> Update:
    """Begin with a prompt that also says how tools are called."""
    fresh: Update = {"cells": [], "found": ""}
    if not run.settings.explain:
        return fresh
    templates = [(_FOLDER, tool) for tool in dict.fromkeys(run.settings.may_call)]
    return fresh | await begin_again(run, templates, {})


@node(ToolIntegratedSettings, Calling)
async def execute(run: Calling) -> Update:
    """Run the program that was written, behind those before it; what it prints and comes to stands
    behind it."""
    program = run.call.given
    if run.made > run.settings.calls:
        return await _said(run, _NONE_LEFT)
    use, entries = await _use(run, cells.behind(run.cells, program))
    known = [*run.cells, program] if cells.lasting(use) else run.cells
    update = await _said(run, cells.shown(use, MAX_OBSERVATION))
    return update | {"ledger": entries, "cells": known}


@node(ToolIntegratedSettings, Calling)
async def search(run: Calling) -> Update:
    """Search for what was asked; what was found stands behind it, unless it is condensed first."""
    if run.made > run.settings.calls:
        return await _said(run, _NONE_LEFT)
    use, entries = await _use(run, " ".join(run.call.given.split()), limit=_HITS)
    found = found_by(use)[:_FOUND]
    if run.settings.condense and found:
        return {"ledger": entries, "found": found}
    told = quoted(shortened(found or told_by(use), MAX_OBSERVATION))
    return await _said(run, told) | {"ledger": entries}


@node(ToolIntegratedSettings, Calling)
async def condense(run: Calling) -> Update:
    """Have the solver's model pick out what helps, without the rest of the pages in its trace
    (Search-o1's Reason-in-Documents). Where its reply cannot be read, what was found stands there
    as it is.

    Raises:
        ModelUnavailable, StreamBroken: If the model does not answer.
    """
    most = (await run.model()).profile.context  # of characters: each about a quarter of the tokens
    fields = {
        "solution": unmarked(run, run.operations)[-most:] or _NOTHING,
        "query": run.call.given,
        "found": quoted(run.found[:most]),
    }
    template, said = (_FOLDER, "condense"), quoted(shortened(run.found, MAX_OBSERVATION))
    try:
        async with run.budget.in_limits():
            reply, entries = await ask_role_json(
                run,
                template,
                fields,
                Helpful,
                role="solver",
                counted_as="solver",
                number=len(run.operations),
            )
            if reply.value is not None:
                said = shortened(" ".join(reply.value.helps.split()), MAX_OBSERVATION)
    except Exhausted:  # the solver's stream says which limit
        entries = asked_under(run, f"{run.branch}/")
    return await _said(run, said) | {"ledger": entries, "found": ""}


def after_solve(run: View[ToolIntegratedSettings]) -> str:
    """Edge behind ``solve``: to the tool that is called, else to the end."""
    if run.stream.ended != "intervened":
        return "finish"
    return "execute" if run.judged[-1].state.kind == "python" else "search"


def after_search(run: CallingView) -> str:
    """Edge behind :func:`search`: what was found may be condensed."""
    return "condense" if run.found else "solve"


def _calls(judged: Sequence[Judged]) -> int:
    """How many calls of tools are among what monitors judged."""
    return sum(one.monitor == _MONITOR for one in judged)


async def _use(run: Calling, given: str, **more: Any) -> tuple[Use, Entries]:
    """A call of the tool, and what it cost."""
    log = run.tool_log(f"solver/{run.branch}/{len(run.operations)}")
    tools = await tools_of(run.settings, await run.domain())
    use = await use_of(tools, run.call.form.tool, given, log, **more)
    run.spent(log.entries)
    return use, log.entries


async def _said(run: Calling, said: str) -> Update:
    """The update that puts behind a call what came of it; no line of that ends the form early."""
    form, _, missing = run.call
    mark, ends = form.behind.strip(), f"{missing}\n" if missing else ""
    if mark in said:
        while mark in said:  # what is left of two of them may be one
            said = said.replace(mark, "")
        said = quoted(said)
    return await observation(run, f"{ends}{form.before}{said or _NOTHING}{form.behind}")
