"""When samples are enough for a vote: where more of them would hardly change it."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Literal

from pydantic import Field

from agentflow.monitors import Monitor, Race
from agentflow.nodes.run import Run, Update, node
from agentflow.nodes.solve import Task
from agentflow.nodes.verified_sampling import majority_of
from agentflow.settings import Few, Settings, Share


class EnoughSettings(Settings):
    """Settings of when samples are enough."""

    stop: Literal["never", "first", "sure", "agree"] = Field(
        default="never",
        description="never draws all samples at once; so does first, and gives up all but the "
        "first ones to finish (short-m@k). sure draws them in rounds until the most "
        "frequent answer leads the second with a probability of at least sure_at "
        "(Adaptive-Consistency); agree until all of a round give the same answer (early-stopping "
        "self-consistency)",
    )
    at_once: Few = Field(
        default=1, description="Samples of a round, where stop is sure or agree; agree needs two"
    )
    first: Few = Field(default=3, description="stop=first: samples that are enough once finished")
    sure_at: Share = Field(default=0.95, description="stop=sure: how sure is enough")

    @property
    def races(self) -> bool:
        """Whether samples are given up once the first ones have finished."""
        return self.stop == "first"

    @property
    def in_rounds(self) -> bool:
        """Whether samples are drawn round by round."""
        return self.stop in ("sure", "agree")


async def racing(task: Task) -> Sequence[Monitor]:
    """What gives a sample up, where the first ones to finish are enough."""
    settings = task.settings
    return [Race(task.finished, task.branch, settings.first)] if settings.races else []


@node(EnoughSettings)
async def tally(run: Run[EnoughSettings]) -> Update:
    """Set ``enough``, behind each round of samples."""
    settings = run.settings
    if not settings.in_rounds:
        return {"enough": True}
    domain, samples = await run.domain(), run.samples
    if settings.stop == "agree":
        last = samples[-settings.at_once :]
        return {"enough": len(await majority_of(last, domain, run.problem)) == settings.at_once}
    first = await majority_of(samples, domain, run.problem)
    others = [one for one in samples if one not in first]
    second = await majority_of(others, domain, run.problem)
    return {"enough": bool(first) and lead(len(first), len(second)) >= settings.sure_at}


def lead(first: int, second: int) -> float:
    """How probable it is that an answer given ``first`` times is drawn more often than one given
    ``second`` times (Adaptive-Consistency, Aggarwal et al. 2023, the Beta criterion): the part
    above 1/2 of the distribution Beta(first + 1, second + 1).

    >>> lead(3, 0)
    0.9375
    """
    draws = first + second + 1
    return sum(comb(draws, wins) for wins in range(first + 1)) / (1 << draws)
