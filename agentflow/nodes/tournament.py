"""A tournament of solutions: two at a time are compared, and the better ones go on, or the one that
wins most (Chen et al. 2024)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal

from pydantic import Field

from agentflow.channels import Sample
from agentflow.domains import Domain
from agentflow.ledger import Entries
from agentflow.models.structured import Parsed, Reply
from agentflow.nodes.asking import ask_role_json, asked_together
from agentflow.nodes.frame import Start, side_by_side
from agentflow.nodes.run import Run, Update, View, node
from agentflow.nodes.solution import unmarked
from agentflow.nodes.verified_sampling import answered, not_refuted, result_of
from agentflow.settings import Few, Settings

_EVEN = Fraction(1, 2)


class TournamentSettings(Settings):
    """Settings of tournament; the paper calls ``n`` and ``compare`` N and K."""

    n: int = Field(default=8, ge=1, le=1024, description="Solutions")
    style: Literal["knockout", "league"] = Field(
        default="knockout",
        description="knockout: of every two that meet the better one goes on, until one is left; "
        "league: each meets some others, and the one that wins most is taken",
    )
    compare: Few = Field(
        default=2,
        description="Comparisons of every two that meet; each second one shows them the other way "
        "round. Of equals the one drawn first goes on",
    )
    opponents: Few = Field(
        default=3, description="league: how many others each solution meets, at least"
    )


class Comparison(Reply):
    """Which of two solutions is better, and why."""

    reason: str
    better: Literal["1", "2"]


Pair = tuple[Sample, Sample]


def next_samples(run: View[TournamentSettings]) -> list[Start]:
    """All solutions, side by side."""
    return side_by_side(run.settings.n)


@node(TournamentSettings)
async def champion(run: Run[TournamentSettings]) -> Update:
    """Set ``result``: the solution that is left, or that won most.

    An answer that the domain refuted in any sample, whose verifier is complete, does not take part,
    nor does a text that was cut short.
    """
    domain = await run.domain()
    ordered = sorted(run.samples, key=lambda one: one.branch)
    there = await not_refuted(answered(ordered), domain, run.problem)
    if not there:
        reason = f"of {len(ordered)} samples: {ordered[0].reason}"
        return await result_of(run, ordered[0], None, reason)
    games = Games(run, domain)
    if run.settings.style == "league":
        winner, how = await _first_of_league(games, there, run.settings.opponents), "won most of"
    else:
        winner, how = await _last_of_knockout(games, there), "is the last of"
    reason = f"it {how} {len(ordered)} samples; comparisons: {games.asked}"
    update = await result_of(run, winner, winner.said, reason, "unverified")
    return {**update, "ledger": games.entries}


class Games:
    """The comparisons of a run, and what they cost."""

    def __init__(self, run: Run[TournamentSettings], domain: Domain) -> None:
        self.run, self.domain = run, domain
        self.asked, self.entries = 0, Entries()

    async def played(self, pairs: Sequence[Pair]) -> list[Fraction]:
        """How much of each game the first solution wins, 0 to 1, all played at once. Solutions with
        the same answer are even, and not compared; so is what cannot be read."""
        equal = self.domain.equal
        same = [await equal(self.run.problem, a.said or "", b.said or "") for a, b in pairs]
        times, begun = self.run.settings.compare, self.asked
        games = [
            (at, turned % 2 == 1)
            for at, alike in enumerate(same)
            if not alike
            for turned in range(times)
        ]
        replies, entries = await asked_together(
            self._compared(pairs[at][::-1] if turned else pairs[at], begun + number)
            for number, (at, turned) in enumerate(games)
        )
        self.asked, self.entries = begun + len(games), self.entries | entries
        won = [_EVEN * times] * len(pairs)
        for (at, turned), reply in zip(games, replies, strict=True):
            if reply.value:
                first = (reply.value.better == "1") != turned
                won[at] += _EVEN if first else -_EVEN
        return [one / times for one in won]

    async def _compared(self, pair: Pair, number: int) -> tuple[Parsed[Comparison | None], Entries]:
        run = self.run
        one, other = (unmarked(run, sample.operations) for sample in pair)
        fields = {"problem": run.problem.text, "one": one, "other": other}
        return await ask_role_json(
            run, ("tournament", "compare"), fields, Comparison, number=number
        )


async def _last_of_knockout(games: Games, left: list[Sample]) -> Sample:
    """The one that is left; an odd one goes on by itself."""
    while len(left) > 1:
        pairs = list(zip(left[::2], left[1::2], strict=False))
        won = await games.played(pairs)
        ahead = [pair[share < _EVEN] for pair, share in zip(pairs, won, strict=True)]
        left = ahead + left[2 * len(pairs) :]
    return left[0]


async def _first_of_league(games: Games, there: list[Sample], opponents: int) -> Sample:
    """The one with the highest average of its games; each meets those drawn behind it, the first
    ones again behind the last."""
    count = len(there)
    meets = {
        tuple(sorted((at, (at + ahead) % count)))
        for at in range(count)
        for ahead in range(1, min(opponents, count - 1) + 1)
    }
    pairs = sorted(meets)
    won = await games.played([(there[a], there[b]) for a, b in pairs])
    shares: list[list[Fraction]] = [[] for _ in there]
    for (a, b), share in zip(pairs, won, strict=True):
        shares[a].append(share)
        shares[b].append(1 - share)
    rates = [sum(one, Fraction(0)) / len(one) if one else _EVEN for one in shares]
    return there[max(range(count), key=lambda at: (rates[at], -at))]
