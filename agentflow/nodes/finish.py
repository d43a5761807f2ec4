"""Finish: what the run came to, and what may be claimed for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from langgraph.runtime import Runtime

from agentflow.domains import Domain
from agentflow.nodes.context import domain_of, problem_of, settings_of
from agentflow.nodes.last_word import Outcome, last_word
from agentflow.nodes.restart import attempt_of
from agentflow.problem import Problem
from agentflow.run import RunState
from agentflow.settings import Settings
from agentflow.state import State
from agentflow.trace import Trace


async def finish(state: RunState, runtime: Runtime[Any]) -> dict[str, Any]:
    """Set ``result``."""
    domain = await domain_of(settings_of(runtime, Settings))
    if state.get("abstained"):
        return await last_word(state, runtime, Outcome(None, "abstained", state["abstained"]))
    incomplete = domain.unfinished(problem_of(state), list(_passed(state))) or ""
    return await last_word(
        state,
        runtime,
        _outcome(state, domain),
        incomplete=incomplete,
        doubt="" if domain.decides(problem_of(state)) else _doubt(state),
    )


def answer_of(state: RunState, domain: Domain) -> str | None:
    """The answer stated in the trace's answer part, if it has the form of one."""
    return stated(Trace(state["operations"]), state["close"], domain, problem_of(state))


def stated(trace: Trace, close: str, domain: Domain, problem: Problem) -> str | None:
    """The same of a trace whose thinking ends at ``close``."""
    text = trace.split(close)[1]
    said = None if text is None else domain.answer(text)
    return said if said is not None and domain.is_answer(problem, said) else None


def said_in(state: RunState, domain: Domain) -> str | None:
    """What the trace's answer part says the answer is, whatever its form."""
    text = Trace(state["operations"]).split(state["close"])[1]
    return None if text is None else domain.answer(text)


UNFINISHED = ("length", "broken")
"""How a stream ended that did not come to its end."""


def unfinished(leg: Mapping[str, Any]) -> str:
    """Why such a stream, or one that a monitor ended, did not."""
    if leg["ended"] == "abstained":
        return str(leg["intervention"]["reason"])
    if leg["ended"] == "intervened":
        return f"too many corrections; the last: {leg['intervention']['reason']}"
    return f"{leg['limit']}, with no answer yet" if leg["ended"] == "length" else str(leg["error"])


def no_answer(state: RunState, domain: Domain) -> Outcome:
    """The outcome of a text that came to its end without an answer of the domain's form."""
    said = said_in(state, domain)
    if said is None:
        return Outcome(None, "exhausted", "no answer found")
    reason = f"no answer found: could not read {said[:80]!r} as {domain.form}"
    return Outcome(None, "exhausted", reason, said)


def _outcome(state: RunState, domain: Domain) -> Outcome:
    leg, error = state["leg"], state["leg"]["error"]
    if leg["ended"] in UNFINISHED:
        return Outcome(None, "exhausted", unfinished(leg), _candidate(state), error)
    if leg["ended"] in ("intervened", "abstained"):
        return Outcome(None, "abstained", unfinished(leg), _candidate(state), error)
    answer = answer_of(state, domain)
    if answer is None:
        return no_answer(state, domain)
    return Outcome(answer, "unverified", error=error)


def _doubt(state: RunState) -> str:
    """Why the steps do not bear an answer out; empty if every one passed or was corrected."""
    left = [one["verdict"]["ok"] for one in _steps(state) if not one["corrected"]]
    if False in left:
        return "a step was refuted"
    if None in left:
        return "some steps could not be verified"
    return "" if any(True for _ in _steps(state)) else "no step could be read"


def _steps(state: RunState) -> Iterator[Mapping[str, Any]]:
    """What the step verifier judged in this attempt."""
    for one in state.get("judged", [])[attempt_of(state)["judged"] :]:
        if one["monitor"] == "step_verifier":
            yield one


def _passed(state: RunState) -> Iterator[State]:
    """The steps of this attempt that passed and stand."""
    for one in _steps(state):
        if one["verdict"]["ok"] and not one.get("gone") and one["state"]["kind"] == "step":
            yield State(**one["state"])


def _candidate(state: RunState) -> str | None:
    """The last proposed answer that passed its verification."""
    for one in reversed(state.get("judged", [])):
        stated = one["state"]["data"].get("answer")
        if stated is not None and one["verdict"]["ok"]:
            return str(stated)
    return None
