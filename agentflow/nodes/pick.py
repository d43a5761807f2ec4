"""Pick: among criticised samples the best one, or the vote's (interwhen, section 5.3)."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal

from pydantic import Field

from agentflow.channels import Sample
from agentflow.domains import Domain
from agentflow.nodes.choice import Choice
from agentflow.nodes.consistent import most_consistent
from agentflow.nodes.enough import EnoughSettings
from agentflow.nodes.run import Run, Update, node
from agentflow.nodes.tested import TestSettings, most_tested
from agentflow.nodes.verified_sampling import (
    answered,
    majority_of,
    not_refuted,
    result_of,
    unanswered,
)
from agentflow.problem import Problem
from agentflow.settings import Share
from agentflow.trace import Trace
from agentflow.verifiers.evidence import CORRECT

_UNDECIDED = 0.5
"""The score of a sample of which its critic cannot tell."""


class PickSettings(TestSettings, EnoughSettings):
    """Settings of how one of several samples is chosen."""

    k: int = Field(default=4, ge=1, le=1024, description="Samples, at most")
    choose: Literal["best", "majority", "weighted", "consistent", "tests"] = Field(
        default="best",
        description="The sample with the highest score; or of the most frequent answer, ties by "
        "the score; or of the answer whose samples' scores have the highest sum; consistent: the "
        "one that a model (role verifier), which is shown all of them, finds to agree with most "
        "others; tests: the program that agrees with most others on tests that this model writes",
    )
    vote_temperature: float | None = Field(
        default=None,
        ge=0.01,
        description="In a weighted vote a sample counts exp(score / this), up to a common factor: "
        "the lower, the more the highest scores count; empty for the score itself",
    )

    least_share: Share = Field(
        default=0.0,
        description="choose=majority or weighted: share of the samples, or of their weights, that "
        "an answer must have; else the run abstains, where the domain cannot tell by itself",
    )

    def unfit(self, domain: Domain, problem: Problem) -> str:
        if self.choose != "tests" or domain.takes_tests(problem):
            return ""
        return (
            "choose=tests needs a problem whose answer is a function, as in the domain python, and "
            f"this one of {domain.name} asks for none; use choose=majority"
        )


async def best(run: Run[PickSettings], samples: Sequence[Sample]) -> Choice:
    """The first sample: they stand by their scores."""
    return Choice(samples[0], f"the best of {len(run.samples)} samples")


async def most_frequent(run: Run[PickSettings], samples: Sequence[Sample]) -> Choice:
    """The first sample with the answer that most samples give."""
    count, agreed = len(run.samples), await majority_of(samples, await run.domain(), run.problem)
    told = f"majority {len(agreed)} of {count}"
    return Choice(agreed[0], told, share=len(agreed) / count)


async def heaviest(run: Run[PickSettings], samples: Sequence[Sample]) -> Choice:
    """The first sample with the answer whose samples weigh most."""
    weigh = partial(weight_of, temperature=run.settings.vote_temperature)
    agreed = await majority_of(samples, await run.domain(), run.problem, weigh)
    weight, of = sum(map(weigh, agreed)), sum(map(weigh, samples))
    told = f"{weight:.2f} of the weights' sum {of:.2f}, {len(run.samples)} samples"
    return Choice(agreed[0], told, share=weight / of if of else 0.0)


WAYS: Mapping[str, Callable[[Run[Any], Sequence[Sample]], Awaitable[Choice]]] = {
    "best": best,
    "majority": most_frequent,
    "weighted": heaviest,
    "consistent": most_consistent,
    "tests": most_tested,
}
"""How a sample is chosen; where a model that is asked finds none, the majority answers."""


@node(PickSettings)
async def pick(run: Run[PickSettings]) -> Update:
    """Set ``result``. Of equals the sample with the smallest number is taken, with ``stop=first``
    the shortest one.

    An answer that the domain refuted in any sample, whose verifier is complete, is only a
    candidate, and so is one in a text that was cut short.

    Raises:
        ModelUnavailable, StreamBroken: If that model does not answer, but may when asked again.
    """
    domain, problem = await run.domain(), run.problem
    length = tokens_of if run.settings.races else lambda _: 0
    ordered = sorted(run.samples, key=lambda one: (-score_of(one), length(one)))
    ended = answered(ordered)
    standing = await not_refuted(ended, domain, problem)
    count = len(ordered)
    if not standing:
        chosen = ended[0] if ended else unanswered(ordered)
        return await result_of(run, chosen, None, f"of {count} samples: {chosen.reason}")
    found = await WAYS[run.settings.choose](run, standing)
    if found.sample is None:
        voted = await most_frequent(run, standing)
        told = f"{voted.reason} (none was named: {found.reason})"
        found = replace(found, sample=voted.sample, reason=told, share=voted.share)
    chosen = found.sample or standing[0]
    score = chosen.verdict.score if chosen.verdict else None
    scored = f", score {score:.2f}" if score is not None else ""
    reason = f"{found.reason}{scored}: {chosen.reason}"
    status = chosen.status if chosen.answer is not None else "unverified"
    chosen = replace(chosen, error=chosen.error or found.error)
    if found.limit:
        run = replace(run, channels={**run.channels, "stream_end": {"limit": found.limit}})
    answer = chosen.said
    if found.share < run.settings.least_share and not domain.decides(problem):
        answer, status, reason = None, "abstained", f"too few agree: {reason}"
    update = await result_of(run, chosen, answer, reason, status)
    return update | {"ledger": found.entries | update["ledger"], "refused": found.refused}


def weight_of(sample: Sample, temperature: float | None) -> float:
    """What a sample counts in a weighted vote: its score, or with a temperature its part of their
    softmax (Taubenfeld et al. 2025, section 3), up to a factor that all have."""
    return (
        score_of(sample) if temperature is None else math.exp((score_of(sample) - 1) / temperature)
    )


def tokens_of(sample: Sample) -> int:
    """How long a sample is, in tokens."""
    return Trace(sample.operations).generated


def score_of(sample: Sample) -> float:
    """The score a sample's critic gave; one that gives none says 1, 0, or cannot tell.

    VerifiAgent's own is how sure it was of its word, right or wrong; it counts as how likely the
    solution is right.
    """
    if (verdict := sample.verdict) is None:
        return -1.0
    likely: float | None = verdict.evidence.get(CORRECT)
    if likely is not None:
        return min(likely, _UNDECIDED) if verdict.ok is None else likely
    if verdict.score is not None:
        return verdict.score
    return _UNDECIDED if verdict.ok is None else float(verdict.ok)
