"""Pick: among criticised samples the best one, or the majority's (paper 000, section 5.3)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Literal

from langgraph.runtime import Runtime
from pydantic import Field

from agentflow.nodes.context import domain_of, problem_of, settings_of
from agentflow.nodes.ending import ending
from agentflow.nodes.verified_sampling import not_refuted, result_of, said
from agentflow.run import RunState
from agentflow.search.majority import vote
from agentflow.settings import Settings

_UNDECIDED = 0.5
"""What a sample is worth of which its critic cannot tell."""


class PickSettings(Settings):
    """Settings of how one of several samples is chosen."""

    k: int = Field(default=4, ge=1, le=1024, description="Samples side by side")
    choose: Literal["best", "majority"] = Field(
        default="best",
        description="The sample with the highest score; or of the most frequent answer, ties by "
        "the score",
    )


@ending
async def pick(state: RunState, runtime: Runtime[Any]) -> dict[str, Any]:
    """Set ``result``. Of equals the sample with the smallest number is taken.

    An answer that the domain refuted in any sample, whose verifier is complete, is only a
    candidate, and so is one in a text that was cut short.
    """
    settings = settings_of(runtime, PickSettings)
    domain, problem = await domain_of(settings), problem_of(state)
    ordered = sorted(state["samples"], key=lambda sample: (-worth(sample), sample["branch"]))
    answered = [one for one in ordered if said(one) is not None and one["verdict"]]
    standing = await not_refuted(answered, domain, problem)
    count = len(ordered)
    if not standing:
        chosen = (answered or ordered)[0]
        return result_of(chosen, None, "exhausted", f"of {count} samples: {chosen['reason']}")
    chosen, reason = standing[0], f"the best of {count} samples"
    if settings.choose == "majority":
        agreed = await vote(standing, said, partial(domain.equal, problem))
        chosen, reason = agreed[0], f"majority {len(agreed)} of {count}"
    status = chosen["status"] if chosen["answer"] is not None else "unverified"
    score = chosen["verdict"].get("score")
    scored = f", score {score:.2f}" if score is not None else ""
    return result_of(chosen, said(chosen), status, f"{reason}{scored}: {chosen['reason']}")


def worth(sample: Mapping[str, Any]) -> float:
    """The score a sample's critic gave; one that gives none says 1, 0, or cannot tell."""
    verdict = sample["verdict"]
    if not verdict:
        return -1.0
    if (score := verdict.get("score")) is not None:
        return float(score)
    said: dict[bool | None, float] = {True: 1.0, False: 0.0, None: _UNDECIDED}
    return said[verdict["ok"]]
