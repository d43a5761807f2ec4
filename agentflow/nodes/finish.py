"""Finish: what the run came to, and what may be claimed for it."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime

from agentflow.domains import Domain
from agentflow.nodes.context import domain_of, settings_of
from agentflow.nodes.ending import ending
from agentflow.nodes.restart import attempt_of
from agentflow.run import Result, RunState, Status
from agentflow.settings import Settings
from agentflow.trace import Trace


@ending
async def finish(state: RunState, runtime: Runtime[Any]) -> dict[str, Any]:
    """Set ``result``."""
    settings = settings_of(runtime, Settings)
    domain = await domain_of(settings)
    if state.get("abstained"):
        return _update(Result(None, "abstained", state["abstained"]))
    answer = answer_of(state, domain)
    status, reason = _status(state, domain, answer)
    emitted = answer if status in ("verified", "unverified") else None
    judged = state.get("final") or {}
    standing = answer if judged and judged["ok"] is not False else None
    result = Result(
        emitted,
        status,
        reason,
        candidate=None if emitted else standing or _candidate(state),
        error=state["leg"]["error"],
    )
    return _update(result)


def _update(result: Result) -> dict[str, Any]:
    """What this node knows of the result; the rest stands in channels of its own."""
    known = ("answer", "status", "reason", "candidate", "error")
    return {"result": {name: getattr(result, name) for name in known}}


def answer_of(state: RunState, domain: Domain) -> str | None:
    """The answer stated in the trace's answer part."""
    text = Trace(state["operations"]).split(state["close"])[1]
    return None if text is None else domain.answer(text)


UNFINISHED = ("length", "broken")
"""How a stream ended that did not come to its end."""


def unfinished(leg: dict[str, Any]) -> str:
    """Why such a stream, or one that needed too many corrections, did not."""
    if leg["ended"] == "intervened":
        return f"too many corrections; the last: {leg['intervention']['reason']}"
    return f"{leg['limit']}, with no answer yet" if leg["ended"] == "length" else str(leg["error"])


def _status(state: RunState, domain: Domain, answer: str | None) -> tuple[Status, str]:
    leg = state["leg"]
    if leg["ended"] in UNFINISHED:
        return "exhausted", unfinished(leg)
    if leg["ended"] == "intervened":
        return "abstained", unfinished(leg)
    if answer is None:
        return "exhausted", "no answer found"
    final = state.get("final")
    if not final:
        return "unverified", ""
    if final["ok"] is False:
        return "abstained", f"the answer failed verification: {final['reason']}"
    if final["ok"] and _steps_passed(state, domain):
        return "verified", f"by {final['source']}"
    return "abstained", final["reason"] or "some steps could not be verified"


def _steps_passed(state: RunState, domain: Domain) -> bool:
    """Whether every step passed or was corrected; none at all is enough only where the final
    verifier is complete."""
    judged = state.get("judged", [])[attempt_of(state)["judged"] :]
    steps = [one for one in judged if one["monitor"] == "step_verifier"]
    if not steps:
        return domain.complete
    return all(one["verdict"]["ok"] or one["corrected"] for one in steps)


def _candidate(state: RunState) -> str | None:
    """The last proposed answer that passed its verification."""
    for one in reversed(state.get("judged", [])):
        stated = one["state"]["data"].get("answer")
        if stated is not None and one["verdict"]["ok"]:
            return str(stated)
    return None
