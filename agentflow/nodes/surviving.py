"""What a failure costs where several samples run: the sample that it befalls, not the run."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import asdict
from functools import wraps
from typing import Any

from langgraph.runtime import Runtime

from agentflow.errors import AgentflowError, Exhausted, ModelUnavailable, Refused, StreamBroken
from agentflow.ledger import Entries
from agentflow.nodes.context import budget_of, emitter, settings_of
from agentflow.nodes.solve import RETRY
from agentflow.run import RunState
from agentflow.settings import Settings
from agentflow.verdict import Verdict

_FAILURES = (ModelUnavailable, StreamBroken, Refused, Exhausted)


def surviving(
    node: Callable[..., Awaitable[dict[str, Any]]], *, retried: bool = False
) -> Callable[..., Any]:
    """The node, but a model that fails for good ends its sample alone (``leg``).

    On a thread a server that is gone ends the run instead, to be resumed.

    Args:
        retried: Whether the node tries again by itself; else its retry policy does.
    """

    @wraps(node)
    async def run(state: RunState, runtime: Runtime[Any]) -> dict[str, Any]:
        try:
            return await node(state, runtime)
        except _FAILURES as error:
            _raise_again(error, runtime, retried=retried)
            return {"leg": _leg(error), "ledger": _asked(state, runtime)}

    return run


def undecided(part: Any, rung: str) -> Callable[..., Any]:
    """A verifier of a sample, a node or a compiled graph: one whose model fails for good cannot
    tell, nor can one that the run's budget left no room (its kind is ``exhausted``).

    What failed stands in the sample's ``error``. On a thread a server that is gone ends the run
    instead, to be resumed.

    Args:
        rung: Name of the verifier.
    """

    async def run(state: Any, runtime: Runtime[Any]) -> dict[str, Any]:
        is_graph = hasattr(part, "ainvoke")
        try:
            update: dict[str, Any] = (
                await part.ainvoke(state) if is_graph else await part(state, runtime)
            )
            over = budget_of(settings_of(runtime, Settings), state).over
            if over and update.get("verdict", {}).get("ok", True) is None:
                update["verdict"] |= {"kind": "exhausted", "reason": over}
            return update
        except _FAILURES as error:
            _raise_again(error, runtime, retried=is_graph)
            kind = "exhausted" if isinstance(error, Exhausted) else "unavailable"
            verdict = asdict(Verdict(None, str(error), kind, source=rung))
            said = {"type": "verdict", "monitor": rung, "final": True, "answer": None}
            emitter(state, runtime)(said | verdict)
            failed = "" if isinstance(error, Exhausted) else str(error)
            leg = {**state["leg"], "error": failed}
            entries = _asked(state, runtime)
            return {"verdict": verdict | {"rung": rung}, "leg": leg, "ledger": entries}

    return run


def _asked(state: RunState, runtime: Runtime[Any]) -> Entries:
    """What was asked for this sample, as the run's budget knows it: a node that failed has not
    written it down."""
    budget, branch = budget_of(settings_of(runtime, Settings), state), str(state.get("branch", 0))
    return {key: entry for key, entry in budget.entries.items() if key.split("/")[1] == branch}


def _raise_again(error: AgentflowError, runtime: Runtime[Any], *, retried: bool = False) -> None:
    """Leave what another attempt may mend to the retry policy, and to whoever resumes the thread.

    Args:
        retried: Whether what failed was tried again already.
    """
    info = runtime.execution_info
    assert info is not None, "nodes run in a graph"
    if isinstance(error, Refused | Exhausted):
        return
    again = isinstance(error, ModelUnavailable) and info.node_attempt < RETRY.max_attempts
    if info.thread_id is not None or (again and not retried):
        raise error


def _leg(error: AgentflowError) -> dict[str, Any]:
    if isinstance(error, Exhausted):
        return ended("length", limit=str(error))
    return ended("broken", error=str(error))


def ended(how: str, *, limit: str = "", error: str = "") -> dict[str, Any]:
    """How a trajectory ended, as the channel ``leg`` has it."""
    return {"ended": how, "intervention": None, "error": error, "limit": limit, "continues": True}
