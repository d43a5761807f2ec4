"""A run that does not end in time, and what a thread had used before."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from typing import Any

from langgraph.types import StateSnapshot

from agentflow import domains
from agentflow.errors import BadInput
from agentflow.ledger import Entries
from agentflow.models.budget import Budget
from agentflow.run import Result, begun_by
from agentflow.tools.toolbox import Toolbox

_LATE = 5.0
"""Seconds that a run may be late: for what a tool was asked when its time was over."""


class Unwaited(ThreadPoolExecutor):
    """A loop's threads for which ``asyncio.run`` does not wait: a tool that never ends would else
    keep the result of a run that ended without it. Python waits for them before the program ends.
    """

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Takes no more work, and returns at once."""
        super().shutdown(wait=False, cancel_futures=cancel_futures)


def spent(snapshot: StateSnapshot) -> Entries:
    """The ledger of a thread, with those of the samples that it stopped in."""
    entries: Entries = dict(snapshot.values.get("ledger") or {})
    for task in snapshot.tasks:
        if isinstance(task.state, StateSnapshot):
            entries |= spent(task.state)
    return entries


async def in_time(stream: AsyncGenerator[Any, None], budget: Budget) -> AsyncGenerator[Any, None]:
    """The stream's items.

    Raises:
        TimeoutError: If the run goes on for longer than it may be late: what asks a model ends in
            time by itself, a tool may not.
    """
    async with aclosing(stream):
        while True:
            left = budget.seconds_left
            limit = asyncio.timeout(None if left is None else left + _LATE)
            try:
                async with limit:
                    item = await anext(stream)
            except StopAsyncIteration:
                return
            except TimeoutError:
                if limit.expired():
                    budget.over = budget.late
                raise
            yield item


def cut_off(
    state: Mapping[str, Any], events: list[dict[str, Any]], method: str, budget: Budget
) -> Result:
    """What is known of a run that had to be cut off."""
    problem = state.get("problem", {})
    problem = problem if isinstance(problem, dict) else {"text": problem}
    entries: Entries = {**(state.get("ledger") or {}), **budget.entries}
    for event in events:
        entries |= event["entries"] if event["type"] == "usage" else {}
    samples = shown(state)
    answers = [one["answer"] or one["candidate"] for one in samples]
    return Result(
        None,
        "exhausted",
        budget.over,
        candidate=next(filter(None, answers), None),
        problem=problem,
        method=method,
        corrections=state.get("corrections", 0),
        judged=state.get("judged", []),
        ledger=entries,
        operations=state.get("operations", []),
        samples=samples,
        events=events,
        model=state.get("model", ""),
        settings=state.get("settings", {}),
    )


_OWN = ("model", "open", "close")
"""What of a sample is its model's."""


def shown(state: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A run's samples as they are given to people: their answers without what only a verifier
    needs, and where a team solves, whose they are."""
    samples: list[dict[str, Any]] = state.get("samples") or []
    if state.get("team"):
        samples = [one | _owner(state, one) for one in samples]
    if not samples:
        return []
    try:
        domain = domains.kind(state["problem"]["domain"])(Toolbox({}))
    except (BadInput, LookupError, TypeError):  # a thread whose domain is not installed here
        return samples
    said = ("answer", "candidate")
    return [one | {key: domain.shown(one[key]) for key in said if one[key]} for one in samples]


def _owner(state: Mapping[str, Any], sample: Mapping[str, Any]) -> dict[str, Any]:
    """Whose a sample of a team is."""
    begun = begun_by(state, sample.get("member", sample["branch"]))
    return {name: begun[name] for name in _OWN}
