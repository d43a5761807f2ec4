"""DeepConf's settings, its monitor, what is confident enough, and its vote."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Literal

from pydantic import Field

from agentflow.channels import Sample
from agentflow.monitors import GroupConfidence, Monitor
from agentflow.nodes.context import weaker
from agentflow.nodes.frame import Start, side_by_side
from agentflow.nodes.run import Run, Update, View, node
from agentflow.nodes.solve import Task
from agentflow.nodes.verified_sampling import majority_of, not_refuted, result_of
from agentflow.search import summed
from agentflow.settings import Few, Positive, Settings, Share


class DeepConfSettings(Settings):
    """Settings of deepconf; the defaults are the paper's DeepConf-low, but for ``k``: 512 there."""

    k: int = Field(default=64, ge=1, le=1024, description="Samples, at most")
    warm_up: Few = Field(
        default=16, description="Samples that are never given up, to learn what confidence is low"
    )
    at_once: Few = Field(default=16, description="Samples of each round behind them")
    keep: Share = Field(
        default=0.1,
        description="Part of the warm-up whose confidence is enough; what is below votes no more, "
        "and a later sample is given up there. 0.1 is DeepConf-low, 0.9 DeepConf-high; 1 gives up "
        "only what is below all of the warm-up",
    )
    window: Positive = Field(
        default=2048, description="Tokens of a group; fewer for a model that thinks briefly"
    )
    measure: Literal["lowest", "tail", "mean"] = Field(
        default="lowest",
        description="What a sample's vote weighs: its lowest group's confidence, its last one's, "
        "or the mean of all its tokens",
    )
    rank_power: float | None = Field(
        default=None,
        ge=0,
        le=100,
        description="A vote weighs by its measure's rank instead: of N that vote, the r-th most "
        "confident one weighs N - r + 1 to this power (Borda voting of self-certainty, with "
        "measure=mean); empty for the measure itself",
    )
    top: Few = Field(
        default=20, description="Alternatives a token that confidence is measured by, at most"
    )
    sure_at: Share = Field(
        default=0.95, description="Part of the weight of all votes that is enough for an answer"
    )

    @property
    def alternatives_read(self) -> int:
        return self.top


_PLAIN = weaker("log-probabilities", "all votes weigh the same")


async def confident(task: Task) -> Sequence[Monitor]:
    """What measures a sample; nothing, for a model that tells no alternatives."""
    if task.model.capabilities.logprobs == 0:
        task.emit(_PLAIN)
        return ()
    return [GroupConfidence(task.settings.window, task.floor)]


def next_samples(run: View[DeepConfSettings]) -> list[Start]:
    """The warm-up; then rounds of samples that are given up where the model is less confident."""
    settings, done = run.settings, len(run.samples)
    if run.channels.get("enough"):
        return []
    wanted = settings.at_once if done else settings.warm_up
    starts = side_by_side(min(wanted, settings.k - done), done, run.ledger)
    lowest = floor(run)
    return [{**one, "floor": lowest} for one in starts]


def floor(run: View[DeepConfSettings]) -> float | None:
    """The lowest group's confidence, in nats, that the wanted part of the warm-up reaches; None
    where nothing was measured."""
    first = [one for one in run.samples if one.branch < run.settings.warm_up]
    lowest = [found["lowest"] for one in first if (found := measured(one))]
    return percentile(lowest, 1 - run.settings.keep) if lowest else None


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which so large a share of them is, between two by their distance."""
    ordered = sorted(values)
    at = share * (len(ordered) - 1)
    low = int(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (at - low) * (ordered[high] - ordered[low])


def measured(sample: Sample) -> dict[str, float]:
    """What was measured of a sample that came to its end; empty for another."""
    found = [one.state.data for one in sample.judgements if one.state.kind == "confidence"]
    return found[-1] if found else {}


async def agreement(run: Run[DeepConfSettings]) -> tuple[list[Sample], int, float]:
    """The samples with the answer that weighs most, among how many that vote, and which part of
    their weight that is; all weigh the same where nothing was measured."""
    domain, lowest = await run.domain(), floor(run)
    measure, power = run.settings.measure, run.settings.rank_power

    def confidence(one: Sample) -> float:
        return measured(one).get(measure, 1.0)

    answered = [one for one in run.samples if one.said is not None]
    told = [one for one in answered if measured(one)] or answered
    standing = await not_refuted(told, domain, run.problem)
    kept = [
        one for one in standing if lowest is None or measured(one).get("lowest", lowest) >= lowest
    ]
    voting = kept or standing
    weight = confidence if power is None else by_rank(voting, confidence, power)
    agreed = await majority_of(voting, domain, run.problem, summed(weight))
    whole = sum(map(weight, voting))
    return agreed, len(voting), sum(map(weight, agreed)) / whole if whole else 0.0


def by_rank(
    voting: Sequence[Sample], confidence: Callable[[Sample], float], power: float
) -> Callable[[Sample], float]:
    """How much a vote weighs by its rank among all (Kang et al. 2025, Borda voting); equals have
    the same one."""
    ordered = sorted(map(confidence, voting))
    return lambda one: float(bisect_right(ordered, confidence(one)) ** power)


@node(DeepConfSettings)
async def consensus(run: Run[DeepConfSettings]) -> Update:
    """Set ``enough``, behind each round (DeepConf, adaptive sampling)."""
    if not any(map(measured, run.samples)):
        run.emit(_PLAIN)
    agreed, _, share = await agreement(run)
    return {"enough": bool(agreed) and share >= run.settings.sure_at}


@node(DeepConfSettings)
async def confident_vote(run: Run[DeepConfSettings]) -> Update:
    """Set ``result``: the answer that weighs most among the samples that are confident enough."""
    count = len(run.samples)
    agreed, voting, share = await agreement(run)
    if not agreed:
        chosen = run.samples[0]
        return await result_of(run, chosen, None, f"of {count} samples: {chosen.reason}")
    reason = f"{share:.0%} of the weight of {voting} samples that vote, of {count}"
    return await result_of(run, agreed[0], agreed[0].said, reason, "unverified")
