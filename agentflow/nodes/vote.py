"""Trajectories side by side: what one came to, and the vote among them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agentflow.channels import AnswerVerdict, Ruling, Sample
from agentflow.nodes.finish import answer_of, no_answer, unfinished
from agentflow.nodes.judging import Judging
from agentflow.nodes.panel import refuted_by_domain
from agentflow.nodes.run import Run, Update, node
from agentflow.nodes.verified_sampling import majority_of, not_refuted, result_of
from agentflow.run import Status
from agentflow.settings import Settings


def _none(sample: Sample) -> None:
    """No verdict."""


_WORTH = {"verified": 4, "incomplete": 3, "accepted": 2, "unverified": 1}


@node(Settings)
async def vote(run: Run[Settings]) -> Update:
    """:func:`voted`, where a sample's verdict is on a solution; its answer is judged in the end."""
    return await voted(run)


async def voted(run: Run[Any], final: Callable[[Sample], AnswerVerdict | None] = _none) -> Update:
    """Set ``result``: the answer that most of the best samples gave, and the trace of the first.

    Verified samples are better than accepted ones, and those than the ones that were rejected or
    left undecided: where none passed, the last solutions vote, as in the paper. Ties go to the
    answer whose first sample has the smallest number. An answer that the domain refuted in any
    sample, whose verifier is complete, has no vote, unless nothing is required of answers and all
    were refuted.

    Args:
        final: The domain's verdict on a sample's answer, where the sample had it judged.
    """
    domain, samples = await run.domain(), run.samples
    standing = await not_refuted(samples, domain, run.problem)
    if run.settings.require == "nothing":
        standing = standing or samples
    best = max((_WORTH.get(sample.status, 0) for sample in standing), default=0)
    voters = [one for one in standing or samples if _WORTH.get(one.status, 0) == best]
    agreed = await majority_of(voters, domain, run.problem)
    chosen = (agreed or voters or samples)[0]
    if not standing or best == 0:
        return await result_of(run, chosen, None, chosen.reason)
    votes = f"; {len(agreed)} of {len(samples)} samples" if len(samples) > 1 else ""
    reason = chosen.reason + votes
    return await result_of(run, chosen, chosen.said, reason, final=final(chosen))


@node(Settings, Judging)
async def settle(run: Judging[Settings]) -> Update:
    """What this trajectory came to, as one entry of ``samples``."""
    return {"samples": [(await settled(run)).plain()]}


async def settled(run: Judging[Any]) -> Sample:
    """What a trajectory came to.

    Its ``answer`` is one that passed; any other is its ``candidate``. Where a solution that a model
    rejected was begun anew and came to no end, its answer from before is kept, unverified.
    """
    domain, end = await run.domain(), run.stream
    answer = answer_of(run, domain)
    status, reason = standing_of(run.verdict, run.settings)
    if end.ended != "stop":
        answer = run.channels.get("stated") if run.verdict else answer
        if answer is None or status != "unverified":
            status = "abstained" if end.ended in ("intervened", "abstained") else "exhausted"
            reason = unfinished(end)
        else:
            reason = f"{reason}; begun anew: {unfinished(end)}"
    elif answer is None:
        status, reason = "exhausted", no_answer(run, domain).reason
    passed = status in ("verified", "incomplete", "accepted")
    return Sample(
        branch=run.branch,
        answer=answer if passed else None,
        status=status,
        reason=reason,
        candidate=None if passed else answer,
        error=end.error,
        corrections=run.corrections,
        judged=run.judged_rows,
        operations=run.operations,
        verdict=run.verdict,
        more=({"spent": True} if end.spent else {})
        | ({"member": run.member} if "member" in run.channels else {}),
    )


def standing_of(verdict: Ruling | None, settings: Settings) -> tuple[Status, str]:
    """What a verifier's verdict on a solution lets claim for its answer, and who says so.

    A model that rejects a solution may be wrong: its answer is unverified. The domain's verifier,
    which is sound, refutes.
    """
    if verdict is None:
        return "unverified", "not judged"
    source, domain = verdict.source, verdict.verifier == "domain"
    if verdict.ok:
        if not (domain and settings.judge_answers):
            return "accepted", f"by {source}"
        if stops := verdict.evidence.get("incomplete"):
            return "incomplete", f"by {source}, but {stops}"
        return "verified", f"by {source}"
    if verdict.ok is None:
        asked = f"not decided by {source}: " if verdict.verifier != "none" else ""
        return "unverified", f"{asked}{verdict.reason}"
    refuted = refuted_by_domain(verdict) and settings.require != "nothing"
    reason = f"rejected by {source}: {verdict.reason}"
    return "abstained" if refuted else "unverified", reason
