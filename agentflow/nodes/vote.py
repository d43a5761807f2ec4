"""Trajectories side by side: what one came to, and the vote among them."""

from __future__ import annotations

from functools import partial
from typing import Any

from langgraph.runtime import Runtime

from agentflow.nodes.context import domain_of, problem_of, settings_of
from agentflow.nodes.ending import ending
from agentflow.nodes.finish import answer_of, unfinished
from agentflow.nodes.verified_sampling import not_refuted, result_of, said
from agentflow.run import RunState
from agentflow.search.majority import vote as majority_of
from agentflow.settings import Settings

_WORTH = {"verified": 2, "accepted": 1}


def start_of(state: RunState) -> dict[str, Any]:
    """What a trajectory begins with; it needs a ``branch`` of its own."""
    carried = ("problem", "model", "close", "operations", "settings")
    return {name: state[name] for name in carried if name in state}  # type: ignore[literal-required]


@ending
async def vote(state: RunState, runtime: Runtime[Any]) -> dict[str, Any]:
    """Set ``result``: the answer that most accepted samples gave, and the trace of the first.

    Where a sample is verified, only verified ones vote. Ties go to the answer whose first sample
    has the smallest number. Where none is accepted, the most frequent answer is the candidate. An
    answer that the domain refuted in any sample, whose verifier is complete, has no vote.
    """
    domain, problem = await domain_of(settings_of(runtime, Settings)), problem_of(state)
    samples = sorted(state["samples"], key=lambda sample: sample["branch"])
    standing = await not_refuted(samples, domain, problem)
    best = max((_WORTH.get(sample["status"], 0) for sample in standing), default=0)
    voters = [one for one in standing or samples if _WORTH.get(one["status"], 0) == best]
    agreed = await majority_of(voters, said, partial(domain.equal, problem))
    chosen = (agreed or voters or samples)[0]
    reason = chosen["reason"]
    if not standing:
        return result_of(chosen, None, "exhausted", reason)
    if len(samples) > 1 and chosen["answer"] is not None:
        reason += f"; {len(agreed)} of {len(samples)} samples"
    return result_of(chosen, chosen["answer"], chosen["status"], reason)


async def settle(state: RunState, runtime: Runtime[Any]) -> dict[str, Any]:
    """What this trajectory came to, as one entry of ``samples``."""
    domain = await domain_of(settings_of(runtime, Settings))
    answer = answer_of(state, domain)
    verdict, leg = state.get("verdict") or {}, state["leg"]
    if answer is not None and verdict.get("ok") and leg["ended"] == "stop":
        status = "verified" if verdict["rung"] == "domain" else "accepted"
        reason = f"by {verdict['source']}"
    else:
        status = "exhausted"
        word = "rejected" if verdict.get("ok") is False else "not decided"
        reason = (
            f"{word} by {verdict['source']}: {verdict['reason']}"
            if leg["ended"] == "stop"
            else unfinished(leg)
        )
    passed = status != "exhausted"
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
