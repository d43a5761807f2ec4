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
from agentflow.nodes.consistent import named
from agentflow.nodes.enough import EnoughSettings
from agentflow.nodes.panel import rulings_in
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
from agentflow.search import summed
from agentflow.settings import Share
from agentflow.trace import Trace
from agentflow.verifiers.evidence import chance_right


class PickSettings(TestSettings, EnoughSettings):
    """Settings of how one of several samples is chosen."""

    k: int = Field(default=4, ge=1, le=1024, description="Samples, at most")
    choose: Literal[
        "best", "majority", "weighted", "pessimistic", "consistent", "selected", "tests"
    ] = Field(
        default="best",
        description="The sample with the highest score; or of the most frequent answer, ties by "
        "the score; or of the answer whose samples' scores have the highest sum; pessimistic: of "
        "the answer with the highest mean score, less what few verdicts on it leave open; "
        "consistent: the one that a model (role verifier), which is shown all of them, finds to "
        "agree with most others; selected: the one that it finds best; tests: the program that "
        "agrees with most others on tests that this model writes",
    )
    vote_temperature: float | None = Field(
        default=None,
        ge=0.01,
        description="In a weighted vote a sample counts exp(score / this), up to a common factor: "
        "the lower, the more the highest scores count; empty for the score itself",
    )
    pessimism: float = Field(
        default=0.1,
        ge=0,
        le=100,
        description="choose=pessimistic: how much an answer loses on which there are few verdicts",
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
    agreed = await majority_of(samples, await run.domain(), run.problem, summed(weigh))
    weight, of = sum(map(weigh, agreed)), sum(map(weigh, samples))
    told = f"{weight:.2f} of the weights' sum {of:.2f}, {len(run.samples)} samples"
    return Choice(agreed[0], told, share=weight / of if of else 0.0)


async def safest(run: Run[PickSettings], samples: Sequence[Sample]) -> Choice:
    """The first sample with the answer whose mean score is highest, less a bound on how far off it
    may be (pessimistic verification; Heimdall, Shi and Jin 2025)."""
    verdicts, domain = judgements(samples), await run.domain()

    def worth(group: Sequence[Sample]) -> float:
        unsure = math.log(verdicts) / (judgements(group) + 1)
        return sum(map(score_of, group)) / len(group) - run.settings.pessimism * unsure

    agreed = await majority_of(samples, domain, run.problem, worth)
    told = f"the safest answer: {len(agreed)} of {len(run.samples)} samples"
    return Choice(agreed[0], f"{told}, {judgements(agreed)} of {verdicts} verdicts")


WAYS: Mapping[str, Callable[[Run[Any], Sequence[Sample]], Awaitable[Choice]]] = {
    "best": best,
    "majority": most_frequent,
    "weighted": heaviest,
    "pessimistic": safest,
    "consistent": partial(named, "consistent"),
    "selected": partial(named, "selected"),
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


def judgements(samples: Sequence[Sample]) -> int:
    """How many verdicts there are on them: one each, of a panel one a seat."""
    return sum(len(rulings_in(one.verdict)) for one in samples if one.verdict)


def tokens_of(sample: Sample) -> int:
    """How long a sample is, in tokens."""
    return Trace(sample.operations).generated


def score_of(sample: Sample) -> float:
    """How likely the sample is right by its critic; -1 for one that was not judged."""
    return -1.0 if sample.verdict is None else chance_right(sample.verdict)
