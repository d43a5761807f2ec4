"""Solutions in a tree: which one the next refines, which model writes it, and the best of all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from random import Random
from typing import Any, Literal

from pydantic import Field

from agentflow.channels import Sample
from agentflow.nodes.frame import Start
from agentflow.nodes.pick import score_of
from agentflow.nodes.run import Run, Update, View, node
from agentflow.nodes.solution import unmarked
from agentflow.nodes.verified_sampling import (
    Feedback,
    VerifiedSamplingSettings,
    answered,
    not_refuted,
    result_of,
    unanswered,
)
from agentflow.search.branching import Solution, likeliest, most_promising, next_parent
from agentflow.settings import Few, Share, request_seed


class BranchingSettings(VerifiedSamplingSettings):
    """Settings of adaptive_branching: those of verified_sampling, and when a score is enough."""

    feedback: Feedback = Field(
        default="post_editing",
        description="How a solution refines another: post_editing revises it, precaution solves "
        "anew, told what was wrong; sample does neither, so that every one is new",
    )
    n: Few = Field(default=8, description="Solutions, at most")
    policy: Literal["thompson", "uct"] = Field(
        default="thompson",
        description="thompson draws by the scores whether the next solution is new, or which one "
        "it refines; uct draws new ones first, as many as new says, then refines the one with the "
        "highest upper confidence bound",
    )
    new: Few = Field(default=1, description="uct: new solutions, before any is refined")
    width: Few = Field(
        default=2,
        description="uct: how often a solution is refined until it is explored, where one of "
        "these is better",
    )
    explore: float = Field(
        default=1.4, ge=0, le=100, description="uct: weight of looking where little was tried"
    )
    enough: Share = Field(
        default=1.0,
        description="The score of a solution behind which no other is drawn; one that the domain "
        "verified is enough in any case",
    )


def next_solution(run: View[Any]) -> list[Start]:
    """The next solution, new or with the one that it refines, until one is good enough."""
    done, settings = run.samples, run.settings
    if len(done) >= settings.n or any(_is_enough(run, one) for one in done):
        return []
    start: dict[str, Any] = {"branch": len(done), "ledger": run.ledger}
    if members := len(run.channels.get("team") or []):
        start["member"] = _next_member(run, members)
    parent = parents(run, done)[-1]
    if parent is not None:
        refined = done[parent]
        assert refined.verdict is not None, "only what was judged is refined"
        text = unmarked(run, refined.operations, refined.member)
        start |= {"verdict": asdict(refined.verdict), "solution": text}
    return [start]


def parents(run: View[BranchingSettings], done: Sequence[Sample]) -> list[int | None]:
    """Which solution each one refines, in their order, and last that of the one to come: as it
    was drawn then, by the seed and what stood before it."""
    tree, settings = list[Solution](), run.settings
    found = list[int | None]()
    for at in range(len(done) + 1):
        found.append(_parent(run, tree, at))
        if at < len(done):
            refines = settings.feedback != "sample" and bool(answered([done[at]]))
            tree.append(Solution(found[-1], _score(done[at]), refines))
    return found


def _parent(run: View[BranchingSettings], tree: Sequence[Solution], at: int) -> int | None:
    """Which solution number ``at`` refines."""
    settings = run.settings
    if settings.policy == "thompson":
        return next_parent(tree, _chance(run, "parent", at))
    return None if at < settings.new else most_promising(tree, settings.explore, settings.width)


def _next_member(run: View[BranchingSettings], members: int) -> int:
    """Which of the team writes the next one, by the scores of what each wrote."""
    scores = {
        member: [_score(one) for one in run.samples if one.member == member]
        for member in range(members)
    }
    return likeliest(scores, _chance(run, "member", len(run.samples)))


def _chance(run: View[BranchingSettings], what: str, at: int) -> Random:
    return Random(request_seed(run.settings.seed, run.problem.id, what, at))


def _score(one: Sample) -> float:
    """The score of a solution; 0 for one that was not judged."""
    return max(0.0, score_of(one))


def _is_enough(run: View[BranchingSettings], one: Sample) -> bool:
    return one.status == "verified" or _score(one) >= run.settings.enough


@node(BranchingSettings)
async def best(run: Run[BranchingSettings]) -> Update:
    """Set ``result``: the solution with the highest score, of equals the first.

    An answer that the domain refuted in any of them, whose verifier is complete, is only a
    candidate, and so is one in a text that was cut short.
    """
    ordered = sorted(run.samples, key=lambda one: (one.status != "verified", -_score(one)))
    ended, count = answered(ordered), len(ordered)
    standing = await not_refuted(ended, await run.domain(), run.problem)
    if not standing:
        chosen = ended[0] if ended else unanswered(ordered)
        return await result_of(run, chosen, None, f"of {count} solutions: {chosen.reason}")
    chosen = standing[0]
    refines = parents(run, run.samples)[chosen.branch]
    how = "new" if refines is None else f"refines number {refines + 1}"
    reason = (
        f"{chosen.reason}; number {chosen.branch + 1} of {count} solutions ({how}), score "
        f"{_score(chosen):.2f}"
    )
    status = chosen.status if chosen.answer is not None else "unverified"
    return await result_of(run, chosen, chosen.said, reason, status)
