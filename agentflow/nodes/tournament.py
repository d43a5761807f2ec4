"""A tournament of solutions: two at a time are compared, and the better ones go on, or the one that
wins most (Chen et al. 2024)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from operator import add, or_
from typing import Annotated, Any, Literal, Self

from langgraph.channels import DeltaChannel
from pydantic import Field, model_validator
from typing_extensions import TypedDict

from agentflow.channels import Sample
from agentflow.errors import Exhausted, Refused
from agentflow.ledger import Entries, merge
from agentflow.models.structured import Parsed, Reply, Whole
from agentflow.nodes.apart import ApartSettings, Runs, told_apart
from agentflow.nodes.asking import ask_role_json, asked_together
from agentflow.nodes.frame import Start, side_by_side
from agentflow.nodes.run import Run, Update, View, node
from agentflow.nodes.solution import unmarked
from agentflow.nodes.surviving import FAILURES, asked_under, raise_again
from agentflow.nodes.team import TeamSettings
from agentflow.nodes.verified_sampling import answered, not_refuted, result_of, unanswered
from agentflow.own_parts import equal_of
from agentflow.run import SNAPSHOT, RunState
from agentflow.settings import Few
from agentflow.trace import extend
from agentflow.verifiers.stance import agreeing, speaks_for

_CARRIED = ("problem", "model", "open", "close", "team", "settings", "ledger")


class TournamentSettings(TeamSettings, ApartSettings):
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
    better: Whole = Field(ge=1, le=2)

    @model_validator(mode="after")
    def _with_its_reason(self) -> Self:
        agreeing(speaks_for(self.reason, self.better), True)
        return self


Pair = tuple[int, int]
"""Two solutions that meet, by their branches."""


class Entered(TypedDict, total=False):
    """What a tournament begins with: the run's solutions, and nothing that it would only add to."""

    problem: str | dict[str, Any]
    model: str
    open: str
    close: str
    team: list[dict[str, Any]]
    settings: dict[str, Any]
    stream_end: dict[str, Any]
    ledger: Annotated[Entries, DeltaChannel(merge, snapshot_frequency=SNAPSHOT)]
    samples: Annotated[list[dict[str, Any]], DeltaChannel(extend, snapshot_frequency=SNAPSHOT)]


class Crowned(TypedDict, total=False):
    """What it adds to the run: the result, the chosen solution as the trace, and what it cost."""

    model: str
    open: str
    close: str
    operations: Annotated[list[dict[str, Any]], DeltaChannel(extend, snapshot_frequency=SNAPSHOT)]
    judged: Annotated[list[dict[str, Any]], DeltaChannel(extend, snapshot_frequency=SNAPSHOT)]
    corrections: int
    refused: Annotated[bool, or_]
    final: dict[str, Any]
    result: dict[str, Any]
    ledger: Annotated[Entries, DeltaChannel(merge, snapshot_frequency=SNAPSHOT)]


class TournamentState(RunState, total=False):
    """The channels of a tournament.

    Attributes:
        left: The solutions that are still in, by their branches, in their order.
        games: Who meets in this round; of a game itself the two that meet.
        played: What came of all games so far: ``pair``, ``margin`` (how many comparisons more the
            first one won than the second), ``read`` (how many preferred one), ``failed``, why the
            others did not, ``spent``, whether a limit of the run was the reason, ``error``, what
            went wrong, ``even``, whether programs gave the same, and ``unrun``, why they were not
            told apart by running them.
        number: Of a game's comparisons the first one's number, from 1.
    """

    left: list[int]
    games: list[Pair]
    played: Annotated[list[dict[str, Any]], add]
    number: int


@dataclass(frozen=True)
class Tournament(Run[TournamentSettings]):
    """What the nodes of a tournament are given."""

    schema = TournamentState

    @property
    def played(self) -> list[dict[str, Any]]:
        """What came of all games so far."""
        return self.channels.get("played") or []

    @property
    def by_branch(self) -> dict[int, Sample]:
        """The solutions, by their branches."""
        return {one.branch: one for one in self.samples}


def next_samples(run: View[TournamentSettings]) -> list[Start]:
    """All solutions, side by side."""
    return side_by_side(run.settings.n)


@node(TournamentSettings, Tournament)
async def pair(run: Tournament) -> Update:
    """Set who is ``left``, and the ``games`` of the next round; none, where one is left.

    An answer that the domain refuted in any sample, whose verifier is complete, does not take part,
    nor does a text that was cut short. Solutions with the same answer are even, and do not play.
    """
    domain, problem, samples = await run.domain(), run.problem, run.by_branch
    margins = {tuple(one["pair"]): int(one["margin"]) for one in run.played}
    if "left" in run.channels:
        left = ahead(run.settings, run.channels["left"], margins)
    else:
        left = [one.branch for one in await not_refuted(answered(run.samples), domain, problem)]
    while len(left) > 1:
        games = [
            (one, other)
            for one, other in meetings(run.settings, left)
            if not await equal_of(
                domain, problem, samples[one].said or "", samples[other].said or ""
            )
        ]
        if games:
            return {"left": left, "games": games}
        left = ahead(run.settings, left, {})
    return {"left": left, "games": []}


def meetings(settings: TournamentSettings, left: Sequence[int]) -> list[Pair]:
    """Who meets in a round. In a league each meets those behind it, the first ones again behind the
    last."""
    if settings.style == "knockout":
        return list(zip(left[::2], left[1::2], strict=False))
    count = len(left)
    places = {
        (min(at, to), max(at, to))
        for at in range(count)
        for to in ((at + ahead) % count for ahead in range(1, settings.opponents + 1))
        if at != to
    }
    return [(left[one], left[other]) for one, other in sorted(places)]


def ahead(
    settings: TournamentSettings, left: Sequence[int], margins: Mapping[Any, int]
) -> list[int]:
    """Who is left behind a round; who did not play was even."""
    pairs = meetings(settings, left)
    if settings.style == "knockout":
        won = [pair[margins.get(pair, 0) < 0] for pair in pairs]
        return [*won, *left[2 * len(pairs) :]]
    of: dict[int, list[int]] = {branch: [] for branch in left}
    for one, other in pairs:
        margin = margins.get((one, other), 0)
        of[one].append(margin)
        of[other].append(-margin)
    return [max(left, key=lambda branch: (Fraction(sum(of[branch]), len(of[branch])), -branch))]


def next_games(run: View[TournamentSettings]) -> list[dict[str, Any]]:
    """The games of this round, each with its two solutions."""
    carried = {key: run.channels[key] for key in _CARRIED if key in run.channels}
    by_branch = {one["branch"]: one for one in run.channels["samples"]}
    begun = len(run.channels.get("played") or []) * run.settings.compare
    return [
        {
            **carried,
            "games": [pair],
            "samples": [by_branch[branch] for branch in pair],
            "number": begun + at * run.settings.compare + 1,
        }
        for at, pair in enumerate(run.channels["games"])
    ]


@node(TournamentSettings, Tournament)
async def game(run: Tournament) -> Update:
    """Compare two solutions, ``compare`` times. Programs may be run first, on inputs that tell them
    apart (:mod:`agentflow.nodes.apart`); those that give the same are even. What cannot be read
    prefers neither; nor does a model that fails for good, or a budget that is spent."""
    (pair,), times, first = run.channels["games"], run.settings.compare, run.channels["number"]
    both = [run.by_branch[branch] for branch in pair]
    texts = [unmarked(run, one.operations, one.member) for one in both]
    runs = Runs()

    async def compare(at: int) -> tuple[Parsed[Comparison | None], Entries]:
        one, other = texts[::-1] if at % 2 else texts
        fields = {"one": one, "other": other, "runs": runs.text(turned=bool(at % 2))}
        template = ("tournament", "compare_runs" if runs.differ else "compare")
        return await ask_role_json(run, template, fields, Comparison, number=first + at)

    played = {"pair": list(pair), "margin": 0, "read": 0, "failed": "", "spent": False, "error": ""}
    played |= {"even": False, "unrun": ""}
    try:
        if run.settings.inputs:
            runs = await told_apart(run, both, texts, first)
            played |= {"even": bool(runs.alike), "unrun": runs.why}
            if runs.alike:
                return {"played": [played], "ledger": runs.entries}
        replies, entries = await asked_together(map(compare, range(times)))
    except FAILURES as error:
        raise_again(error, run.runtime)
        spent = isinstance(error, Exhausted)
        places = [f"{run.branch}/compare/{first + at}/" for at in range(times)]
        places += [f"{run.branch}/compare_runs/{first + at}/" for at in range(times)]
        places.append(f"{run.branch}/apart/{first}/")
        played |= {"failed": str(error), "spent": spent, "error": "" if spent else str(error)}
        refused = isinstance(error, Refused)
        return {"played": [played], "ledger": asked_under(run, *places), "refused": refused}
    better = [(at, one.value.better) for at, one in enumerate(replies) if one.value]
    firsts = [number == (2 if at % 2 else 1) for at, number in better]
    why = next((reply.error for reply in replies if not reply.value), "")
    over = run.budget.over if why else ""
    played |= {"margin": 2 * sum(firsts) - len(firsts), "read": len(firsts)}
    played |= {"failed": over or why, "spent": bool(over)}
    return {"played": [played], "ledger": runs.entries | entries}


@node(TournamentSettings, Tournament)
async def crown(run: Tournament) -> Update:
    """Set ``result``: the solution that is left."""
    samples, left = run.by_branch, run.channels["left"]
    if not left:
        chosen = unanswered(run.samples)
        return await result_of(run, chosen, None, f"of {len(samples)} samples: {chosen.reason}")
    failed = [one["failed"] for one in run.played if one["failed"]]
    made = sum(one["read"] for one in run.played)
    won = "the last" if run.settings.style == "knockout" else "the first"
    reason = f"{won} of {len(samples)} samples; comparisons: {made}"
    even = sum(one["even"] for one in run.played)
    if failed:
        reason += f" of {(len(run.played) - even) * run.settings.compare} ({failed[0]})"
    if even:
        reason += f"; pairs that gave the same when run: {even}"
    if unrun := [one["unrun"] for one in run.played if one["unrun"]]:
        reason += f"; pairs that running did not tell apart: {len(unrun)} ({unrun[0]})"
    if limits := [one["failed"] for one in run.played if one["spent"]]:
        run = replace(run, channels={**run.channels, "stream_end": {"limit": limits[0]}})
    chosen = samples[left[0]]
    errors = (one["error"] for one in run.played)
    chosen = replace(chosen, error=chosen.error or next(filter(None, errors), ""))
    return await result_of(run, chosen, chosen.said, reason, "unverified")
