"""Trajectories side by side: what one came to, and the vote among them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from langgraph.runtime import Runtime

from agentflow.nodes.context import domain_of, problem_of, settings_of
from agentflow.nodes.finish import answer_of, no_answer, unfinished
from agentflow.nodes.verified_sampling import not_refuted, result_of, said, without_answer
from agentflow.run import RunState, Status
from agentflow.search.majority import vote as majority_of
from agentflow.settings import Settings

_WORTH = {"verified": 4, "incomplete": 3, "accepted": 2, "unverified": 1}


def start_of(state: RunState) -> dict[str, Any]:
    """What a trajectory begins with; it needs a ``branch`` of its own."""
    carried = ("problem", "model", "open", "close", "operations", "settings")
    return {name: state[name] for name in carried if name in state}  # type: ignore[literal-required]


async def vote(state: RunState, runtime: Runtime[Any]) -> dict[str, Any]:
    """Set ``result``: the answer that most of the best samples gave, and the trace of the first.

    Verified samples are better than accepted ones, and those than the ones that were rejected or
    left undecided: where none passed, the last solutions vote, as in the paper. Ties go to the
    answer whose first sample has the smallest number. An answer that the domain refuted in any
    sample, whose verifier is complete, has no vote.
    """
    domain, problem = await domain_of(settings_of(runtime, Settings)), problem_of(state)
    samples = sorted(state["samples"], key=lambda sample: sample["branch"])
    standing = await not_refuted(samples, domain, problem)
    best = max((_WORTH.get(sample["status"], 0) for sample in standing), default=0)
    voters = [one for one in standing or samples if _WORTH.get(one["status"], 0) == best]
    agreed = await majority_of(voters, said, partial(domain.equal, problem))
    chosen = (agreed or voters or samples)[0]
    reason = chosen["reason"]
    if not standing or best == 0:
        return await result_of(state, runtime, chosen, None, without_answer(chosen), reason)
    if len(samples) > 1:
        reason += f"; {len(agreed)} of {len(samples)} samples"
    return await result_of(state, runtime, chosen, said(chosen), chosen["status"], reason)


async def settle(state: RunState, runtime: Runtime[Any]) -> dict[str, Any]:
    """What this trajectory came to, as one entry of ``samples``.

    Its ``answer`` is one that passed; any other is its ``candidate``.
    """
    settings = settings_of(runtime, Settings)
    domain = await domain_of(settings)
    answer, verdict, leg = answer_of(state, domain), state.get("verdict") or {}, state["leg"]
    status, reason = standing_of(verdict, settings)
    if leg["ended"] != "stop":
        status, reason = "exhausted", unfinished(leg)
        if leg["ended"] in ("intervened", "abstained"):
            status = "abstained"
    elif answer is None:
        status, reason = "exhausted", no_answer(state, domain).reason
    passed = status in ("verified", "incomplete", "accepted")
    sample = {
        "branch": state.get("branch", 0),
        "answer": answer if passed else None,
        "status": status,
        "reason": reason,
        "candidate": None if passed else answer,
        "error": leg["error"],
        "corrections": state.get("corrections", 0),
        "judged": state.get("judged", []),
        "verdict": verdict,
        "operations": state["operations"],
    }
    return {"samples": [sample]}


def standing_of(verdict: Mapping[str, Any], settings: Settings) -> tuple[Status, str]:
    """What a verifier's verdict on a solution lets claim for its answer, and who says so.

    A model that rejects a solution may be wrong: its answer is unverified. The domain's verifier,
    which is sound, refutes.
    """
    source, domain = verdict.get("source", ""), verdict.get("rung") == "domain"
    if not verdict:
        return "unverified", "not judged"
    if verdict["ok"]:
        if not (domain and settings.judge_answers):
            return "accepted", f"by {source}"
        stops = verdict["evidence"].get("incomplete")
        return (
            ("incomplete", f"by {source}, but {stops}") if stops else ("verified", f"by {source}")
        )
    if verdict["ok"] is None:
        return "unverified", f"not decided by {source}: {verdict['reason']}"
    refuted = domain and settings.require != "nothing"
    said = f"rejected by {source}: {verdict['reason']}"
    return "abstained" if refuted else "unverified", said
