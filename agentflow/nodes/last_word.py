"""The last word: what may be claimed for an answer, once the domain has judged exactly it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from langgraph.config import get_config
from langgraph.runtime import Runtime

from agentflow.domains.protocol import ACCEPTED
from agentflow.ledger import Entries
from agentflow.nodes.context import (
    BUDGET_KEY,
    budget_of,
    domain_of,
    problem_of,
    settings_of,
)
from agentflow.nodes.tool_log import ToolLog
from agentflow.run import RunState, Status
from agentflow.settings import Require, Settings


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a method came to, before or after the domain's last word.

    Attributes:
        answer: The answer to be given, None for none.
        status: What may be claimed for it.
        reason: Who says so, or why there is no answer.
        candidate: The best answer that is not given.
        error: What went wrong on the way.
    """

    answer: str | None
    status: Status
    reason: str = ""
    candidate: str | None = None
    error: str = ""


async def judge_answer(
    state: RunState, runtime: Runtime[Any], answer: str
) -> tuple[dict[str, Any], Entries]:
    """The domain's verdict on an answer, as plain JSON with the answer, and what its tools cost."""
    tools = ToolLog(f"verify/{len(state['operations'])}", runtime.stream_writer)
    domain = await domain_of(settings_of(runtime, Settings), tools)
    verdict = await domain.verify_answer(problem_of(state), answer)
    final = asdict(verdict) | {"answer": answer}
    runtime.stream_writer({"type": "verdict", "monitor": "verify", "final": True} | final)
    if tools.entries:
        runtime.stream_writer({"type": "usage", "entries": tools.entries})
    return final, tools.entries


async def last_word(
    state: RunState,
    runtime: Runtime[Any],
    outcome: Outcome,
    *,
    incomplete: str = "",
    doubt: str = "",
) -> dict[str, Any]:
    """The update that ends a run: ``result``, the verdict ``final`` it rests on, and its cost.

    A domain that checks answers to the problem is asked about every one before it is given,
    whatever gave it, unless that very answer was judged before or the settings leave answers
    unjudged.

    Args:
        outcome: What the method came to.
        incomplete: Why the steps do not come to the answer; empty if they do, or nobody can tell.
        doubt: Why a verdict that passes the answer is no proof of it; empty if it is one.
    """
    settings = settings_of(runtime, Settings)
    final, entries = state.get("final") or {}, Entries()
    proved = outcome.status in ("verified", "incomplete")
    known = proved or final.get("answer") == outcome.answer
    checks = settings.judge_answers and (await domain_of(settings)).checks(problem_of(state))
    if outcome.answer is not None and not known and checks:
        final, entries = await judge_answer(state, runtime, outcome.answer)
    judged = final if outcome.answer is not None and final.get("answer") == outcome.answer else {}
    given = granted(outcome, judged, settings.require, incomplete, doubt)
    given = cut_short(given, over_in(state, settings))
    return {"result": asdict(given), "final": judged, "ledger": entries}


def over_in(state: RunState, settings: Settings) -> str:
    """Which limit of the run was reached, in words; empty for none.

    Without the API's shared budget, as in Studio, all that the ledger holds is counted.
    """
    budget = budget_of(settings, state)
    shared = BUDGET_KEY in (get_config().get("configurable") or {})
    return budget.over if shared else budget.spent


def cut_short(outcome: Outcome, over: str) -> Outcome:
    """The outcome of a run that a limit may have cut short: ``exhausted``, unless somebody vouches
    for the answer; one that nobody does becomes the candidate."""
    if not over or outcome.status in ("verified", "incomplete", "accepted"):
        return outcome
    reason = outcome.reason
    said = reason if over in reason else "; ".join(filter(None, [over, reason]))
    candidate = outcome.answer or outcome.candidate
    return Outcome(None, "exhausted", said, candidate, outcome.error)


def granted(
    outcome: Outcome,
    final: Mapping[str, Any],
    require: Require,
    incomplete: str = "",
    doubt: str = "",
) -> Outcome:
    """What may be given of an outcome: the domain's refusal wins, and so does its proof.

    Args:
        final: The domain's verdict on the answer; empty where it was not asked.
        require: What an answer must have to be given.
        incomplete, doubt: As of :func:`last_word`.
    """
    if outcome.answer is None:
        return outcome
    ok, source = final.get("ok"), final.get("source", "")
    if ok is False:
        if require != "nothing":
            reason = f"the answer failed verification: {final['reason']}"
            return Outcome(None, "abstained", reason, error=outcome.error)
        return replace(
            outcome, status="unverified", reason=f"refuted by {source}: {final['reason']}"
        )
    if ok and not doubt and outcome.status != "verified":
        reason = f"by {source}" + (f"; {outcome.reason}" if outcome.reason else "")
        outcome = replace(outcome, status="verified", reason=reason)
    if ok is None and final.get("kind") == ACCEPTED and outcome.status == "unverified":
        outcome = replace(outcome, status="accepted", reason=f"by {source}: {final['reason']}")
    if outcome.status == "verified" and incomplete:
        return replace(outcome, status="incomplete", reason=f"{outcome.reason}, but {incomplete}")
    if require == "proof" and outcome.status not in ("verified", "incomplete"):
        why = final.get("reason") or doubt or outcome.reason or "it was not judged"
        reason = f"no proof of the answer: {why}"
        return Outcome(None, "abstained", reason, outcome.answer, outcome.error)
    if not final:
        return outcome
    return replace(outcome, reason=outcome.reason or str(final["reason"]) or doubt)
