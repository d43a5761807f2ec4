"""The end of a run whose budget was spent on the way."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any

from langgraph.config import get_config
from langgraph.runtime import Runtime

from agentflow.nodes.context import BUDGET_KEY, budget_of, settings_of
from agentflow.run import RunState
from agentflow.settings import Settings

_VOUCHED = ("verified", "accepted")


def ending(node: Callable[..., Awaitable[dict[str, Any]]]) -> Callable[..., Any]:
    """A node that sets ``result``, for a run whose budget may have cut something short.

    Such a run is ``exhausted`` and its reason names the limit, unless somebody vouches for the
    answer; one that nobody does becomes the candidate.
    """

    @wraps(node)
    async def run(state: RunState, runtime: Runtime[Any]) -> dict[str, Any]:
        update = await node(state, runtime)
        budget = budget_of(settings_of(runtime, Settings), state)
        shared = BUDGET_KEY in (get_config().get("configurable") or {})
        over = budget.over if shared else budget.spent
        return update | {"result": limited(update["result"], over)} if over else update

    return run


def limited(result: dict[str, Any], over: str) -> dict[str, Any]:
    """The result of a run that a limit ended, which ``over`` names."""
    if result["status"] in _VOUCHED:
        return result
    reason = result["reason"]
    return result | {
        "answer": None,
        "candidate": result["answer"] or result["candidate"],
        "status": "exhausted",
        "reason": reason if over in reason else "; ".join(filter(None, [over, reason])),
    }
