"""What a failure costs where several samples run: the sample that it befalls, not the run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from functools import wraps
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.runtime import Runtime

from agentflow.channels import StreamEnd
from agentflow.errors import (
    AgentflowError,
    Exhausted,
    ModelUnavailable,
    Refused,
    StreamBroken,
    passing,
)
from agentflow.ledger import Entries
from agentflow.models.budget import SHARED_KEY
from agentflow.nodes.announced import announced
from agentflow.nodes.context import configured
from agentflow.nodes.run import Node, Run, Update
from agentflow.nodes.solve import RETRY
from agentflow.settings import Settings
from agentflow.verdict import Verdict

FAILURES = (ModelUnavailable, StreamBroken, Refused, Exhausted)
"""What befalls one of several requests, and need not end the run."""

Within = Callable[[Mapping[str, Any], Runtime[Any]], Settings]
"""Gives settings to a graph within a node."""


def surviving(node: Node, *, retried: bool = False) -> Node:
    """The node, but a model that fails for good ends its sample alone (``stream_end``).

    On a thread a server that is gone ends the run instead, to be resumed.

    Args:
        retried: Whether the node tries again by itself; else its retry policy does.
    """

    @wraps(node)
    async def survived(state: Mapping[str, Any], runtime: Runtime[Any]) -> Update:
        try:
            update: Update = await node(state, runtime)
            return update
        except FAILURES as error:
            run = Run(state, Settings, runtime)
            raise_again(error, runtime, retried=retried)
            if isinstance(error, Exhausted):
                end = StreamEnd("length", limit=str(error), spent=True)
            else:
                end = StreamEnd("broken", error=str(error))
            return _failed(run, error, end)

    return survived


def undecided(part: Any, name: str, within: Within | None = None) -> Node:
    """A verifier of a sample, a node or a compiled graph: one whose model fails for good cannot
    tell, nor can one that the run's budget left no room (its kind is ``exhausted``).

    What failed stands in the sample's ``error``. On a thread a server that is gone ends the run
    instead, to be resumed.

    Args:
        name: Name of the verifier.
        within: Gives a graph settings of its own, by state and runtime; else it has the run's.
    """

    async def survived(state: Mapping[str, Any], runtime: Runtime[Any]) -> Update:
        is_graph = hasattr(part, "ainvoke")
        run = Run(state, Settings, runtime)
        own = {"context": within(state, runtime)} if within else {}
        try:
            asked = part.ainvoke(state, _shared(), **own) if is_graph else part(state, runtime)
            update: Update = await asked
            over = run.budget.over
            if over and update.get("verdict", {}).get("ok", True) is None:
                update["verdict"] |= {"kind": "exhausted", "reason": over}
            return update
        except FAILURES as error:
            raise_again(error, runtime, retried=is_graph)
            spent = isinstance(error, Exhausted)
            kind = "exhausted" if spent else "unavailable"
            verdict = Verdict(None, str(error), kind, source=name)
            end = replace(run.stream, error="" if spent else str(error))
            return announced(run, name, verdict) | _failed(run, error, end)

    return survived


def _shared() -> RunnableConfig:
    """What the nodes of a graph within a node share with those around it: LangGraph does not hand
    down keys that begin with two underscores."""
    shared = configured(SHARED_KEY)
    return {"configurable": {SHARED_KEY: shared}} if shared else {}


def _failed(run: Run[Any], error: AgentflowError, end: StreamEnd) -> Update:
    """The update of a node that failed."""
    asked = asked_under(run, f"{run.branch}/")
    return {"stream_end": asdict(end), "refused": isinstance(error, Refused), "ledger": asked}


def asked_under(run: Run[Any], *places: str) -> Entries:
    """What a node that failed has asked at these places, whoever was asked: it has not written that
    down itself, but the run's budget knows."""
    entries = run.budget.entries
    return {key: one for key, one in entries.items() if key.partition("/")[2].startswith(places)}


def raise_again(error: AgentflowError, runtime: Runtime[Any], *, retried: bool = False) -> None:
    """Leave what another attempt may mend to the retry policy, and to whoever resumes the thread.

    Args:
        retried: Whether what failed was tried again already.
    """
    info = runtime.execution_info
    assert info is not None, "nodes run in a graph"
    if isinstance(error, Refused | Exhausted):
        return
    again = passing(error) and info.node_attempt < RETRY.max_attempts
    if info.thread_id is not None or (again and not retried):
        raise error
