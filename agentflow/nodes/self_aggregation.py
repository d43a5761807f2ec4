"""Rounds of solutions, each written with earlier ones in its prompt, and their vote."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from random import Random
from typing import Literal

from pydantic import Field

from agentflow import prompts
from agentflow.channels import Sample
from agentflow.nodes.frame import Start, side_by_side
from agentflow.nodes.judging import Judging
from agentflow.nodes.run import Run, Update, View, node
from agentflow.nodes.solution import begin_again, fitting, unmarked
from agentflow.nodes.team import TeamSettings
from agentflow.nodes.verified_sampling import answered, majority_of, result_of, unanswered
from agentflow.settings import Few, request_seed


class AggregationSettings(TeamSettings):
    """Settings of self_aggregation; the paper's are n=16, see=4, rounds=10 and stop=never."""

    n: int = Field(default=8, ge=1, le=1024, description="Solutions of a round")
    see: Few = Field(
        default=4, description="Solutions of the last round that each of the next one is shown"
    )
    rounds: Few = Field(default=3, description="Rounds, the first one included")
    last: Few | None = Field(
        default=None,
        description="Solutions of the last round: 1 for a single one that has the last word; empty "
        "for as many as in the others",
    )
    style: Literal["aggregate", "debate"] = Field(
        default="aggregate",
        description="aggregate shows solutions picked at random, to combine into one (recursive "
        "self-aggregation); debate shows its own and others', to weigh (multi-agent debate)",
    )
    stop: Literal["never", "agree"] = Field(
        default="agree", description="agree ends once all solutions of a round give one answer"
    )


def next_samples(run: View[AggregationSettings]) -> list[Start]:
    """The next round, each solution with those that it is shown."""
    if run.channels.get("enough"):
        return []
    settings, done = run.settings, rounds(run)
    ends = settings.last if len(done) == settings.rounds - 1 else None
    starts = side_by_side(ends or settings.n, len(run.samples), run.ledger)
    last = done[-1] if done else []
    return [
        {**one, **_writer(run, one["branch"]), "steps": shown(run, last, one["branch"])}
        for one in starts
    ]


def _writer(run: View[AggregationSettings], branch: int) -> dict[str, int]:
    """Who of a team writes a solution: each round begins with the first, so that a debater stays
    the same model."""
    return {"member": branch % run.settings.n} if run.channels.get("team") else {}


def rounds(run: View[AggregationSettings]) -> list[list[Sample]]:
    """The solutions, round by round, each in its order."""
    return [list(of) for _, of in groupby(run.samples, lambda one: one.branch // run.settings.n)]


def shown(run: View[AggregationSettings], last: Sequence[Sample], branch: int) -> list[str]:
    """The solutions that one of the next round is shown; none where nobody came to an answer."""
    settings, ended = run.settings, answered(last)
    debates = settings.style == "debate"
    own = [one for one in ended if debates and (one.branch - branch) % settings.n == 0]
    others = [one for one in ended if one not in own]
    chance = Random(request_seed(settings.seed, run.problem.id, "aggregate", branch))
    drawn = chance.sample(others, min(settings.see - len(own), len(others)))
    named = [("Your solution", one) for one in own]
    named += [(f"Solution {number}", one) for number, one in enumerate(drawn, 1)]
    return [prompts.headed(name, unmarked(run, one.operations, one.member)) for name, one in named]


@node(AggregationSettings, Judging)
async def consult(run: Judging[AggregationSettings]) -> Update:
    """Begin the solution with a prompt that has the others' around the problem's: as many of them
    as fit into about half of the model's context, the first one in any case. Solutions of the first
    round are shown none."""
    if not run.steps:
        return {}
    model, style = await run.model(), run.settings.style
    told = fitting(run.steps, model.profile.context)
    fields = {"solutions": "\n\n".join(told)}
    return await begin_again(run, [("self_aggregation", style)], fields, style) | {"steps": []}


@node(AggregationSettings)
async def agreed(run: Run[AggregationSettings]) -> Update:
    """Set ``enough``, behind each round."""
    settings, done = run.settings, rounds(run)
    last = answered(done[-1])
    same = await majority_of(last, await run.domain(), run.problem)
    agree = settings.stop == "agree" and len(same) == settings.n > 1
    return {"enough": agree or len(done) >= settings.rounds}


@node(AggregationSettings)
async def last_vote(run: Run[AggregationSettings]) -> Update:
    """Set ``result``: the majority's answer of the last round in which more than half came to one;
    where there is none, of the round in which most did."""
    domain, done = await run.domain(), rounds(run)

    def stands(number: int) -> tuple[bool, int]:
        voters = len(answered(done[number]))
        most = 2 * voters > len(done[number])
        return most, number if most else voters

    number = max(range(len(done)), key=stands)
    solutions = done[number]
    if same := await majority_of(answered(solutions), domain, run.problem):
        reason = f"majority {len(same)} of {len(solutions)} solutions of round {number + 1}"
        return await result_of(run, same[0], same[0].said, reason, "unverified")
    chosen = unanswered(done[-1])
    return await result_of(run, chosen, None, f"of {len(run.samples)} solutions: {chosen.reason}")
