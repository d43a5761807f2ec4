"""Voting simulated from a pool: replies are gathered once, and any vote over them is drawn again
and again without the model (Solve-Detect-Verify, A.2.3)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean, stdev
from typing import get_args

import numpy as np

from agentflow.errors import BadInput
from agentflow.evaluation import markdown as tables
from agentflow.evaluation.intervals import Interval, bootstrap, harmonic, unsure
from agentflow.evaluation.intervals import f1 as f1_of
from agentflow.evaluation.verdicts import Judgement
from agentflow.verifiers.flexive import Mode, Stage, consensus, slow_runs


@dataclass(frozen=True, slots=True)
class Voted:
    """A way of voting, drawn from a pool several times.

    Attributes:
        tau: Agreement at which fast replies are enough; None where there is one stage.
        f1: The mean over the draws, and 1.96 standard deviations around it: where one vote over
            all samples comes out; ``over_samples``: around it the 95 % interval over the samples
            that there might have been.
        wrong, right: Mean accuracy on solutions with and without a wrong step.
        escalated: Mean share of samples that took slow replies; None where there is one stage.
        prompt, generated: Mean tokens a sample; ``tokens`` are the generated ones with the interval
            over the samples that there might have been.
    """

    mode: Mode
    k: int
    tau: float | None
    f1: Interval
    over_samples: Interval
    wrong: float
    right: float
    escalated: float | None
    prompt: float
    generated: float
    tokens: Interval


@dataclass(slots=True)
class _Vote:
    """One vote on one sample."""

    predicted: int | None
    escalated: bool
    prompt: int
    generated: int


def simulate(
    pool: Sequence[Judgement],
    mode: Mode,
    k: int,
    tau: float = 0.8,
    *,
    draws: int = 10,
    seed: int = 0,
) -> Voted:
    """Vote over ``k`` replies drawn from every sample's, ``draws`` times.

    Args:
        pool: Records of a :class:`~agentflow.evaluation.verdicts.Gatherer`, of solutions with and
            without a wrong step.

    Raises:
        BadInput: If there are not as many replies, only one kind of solution, or one whose label is
            not known.
    """
    rng = random.Random(seed)
    if unknown := [record.id for record in pool if record.label is None]:
        raise BadInput(
            f"the first wrong step of {unknown[0]!r} is not known: no vote can be judged"
        )
    labels = np.array([record.label for record in pool])
    if not (labels >= 0).any() or not (labels < 0).any():
        raise BadInput("an F1 needs solutions with and without a wrong step")
    f1, accuracies, votes = list[float](), list[tuple[float, float]](), list[_Vote]()
    shares, spent = np.zeros(len(pool)), np.zeros(len(pool))
    for _ in range(draws):
        drawn = [_vote(record, mode, k, tau, rng) for record in pool]
        hits = np.array([v.predicted == r.label for v, r in zip(drawn, pool, strict=True)])
        shares += hits
        spent += np.array([v.generated for v in drawn])
        wrong, right = hits[labels >= 0].mean(), hits[labels < 0].mean()
        f1.append(float(harmonic(np.array([wrong]), np.array([right]))[0]))
        accuracies.append((float(wrong), float(right)))
        votes += drawn
    sides = shares[labels >= 0] / draws, shares[labels < 0] / draws
    half = 1.96 * stdev(f1) if draws > 1 else 0.0
    return Voted(
        mode,
        k,
        tau if mode == "flex" else None,
        Interval(mean(f1), mean(f1) - half, mean(f1) + half),
        unsure(bootstrap(f1_of, *sides), min(map(len, sides))),
        mean(wrong for wrong, _ in accuracies),
        mean(right for _, right in accuracies),
        mean(vote.escalated for vote in votes) if mode == "flex" else None,
        mean(vote.prompt for vote in votes),
        mean(vote.generated for vote in votes),
        bootstrap(np.mean, spent / draws),
    )


def _vote(record: Judgement, mode: Mode, k: int, tau: float, rng: random.Random) -> _Vote:
    if mode == "slow":
        return _drawn(record, "slow", k, rng)[0]
    vote, agreement = _drawn(record, "fast", k, rng)
    if mode == "fast" or (vote.predicted is not None and agreement >= tau):
        return vote
    slow, _ = _drawn(record, "slow", slow_runs(k), rng)
    return _Vote(slow.predicted, True, vote.prompt + slow.prompt, vote.generated + slow.generated)


def _drawn(record: Judgement, stage: Stage, k: int, rng: random.Random) -> tuple[_Vote, float]:
    replies = record.evidence[stage]
    if not replies["outcomes"]:  # too long for the model
        return _Vote(None, False, 0, 0), 0.0
    if k > len(replies["outcomes"]):
        raise BadInput(f"a vote over {k} {stage} replies, of {len(replies['outcomes'])} gathered")
    chosen = rng.sample(range(len(replies["outcomes"])), k)
    winner, agreement = consensus([replies["outcomes"][index] for index in chosen])
    generated = sum(replies["generated"][index] for index in chosen)
    return _Vote(winner, False, replies["prompt"] * k, generated), agreement


def votes(pool: Sequence[Judgement], tau: float = 0.8) -> list[Voted]:
    """Every way of voting, with k a power of two, that there are the replies for.

    Raises:
        BadInput: As of :func:`simulate`.
    """
    fast, slow = (
        max((len(one.evidence[stage]["outcomes"]) for one in pool), default=0)
        for stage in get_args(Stage)
    )
    powers = [2**n for n in range(max(fast, slow).bit_length())]
    ways: dict[Mode, list[int]] = {
        "fast": [k for k in powers if k <= fast],
        "flex": [k for k in powers if k <= fast and slow_runs(k) <= slow],
        "slow": [k for k in powers if k <= slow],
    }
    return [simulate(pool, mode, k, tau) for mode, numbers in ways.items() for k in numbers]


def markdown(table: Sequence[Voted]) -> str:
    """The votes as a Markdown table."""
    return tables.table(
        {
            "vote": f"{one.mode}@{one.k}",
            "tau": "" if one.tau is None else f"{one.tau:g}",
            "F1": f"{100 * one.f1.value:.1f} ± {100 * (one.f1.high - one.f1.value):.1f} %",
            "wrong found": tables.percent(one.wrong),
            "right passed": tables.percent(one.right),
            "escalated": "" if one.escalated is None else tables.percent(one.escalated),
            "tokens in": f"{one.prompt:.0f}",
            "out": f"{one.generated:.0f}",
        }
        for one in table
    )
