"""Power sampling: a trajectory is drawn from the model's own distribution, sharpened as a whole."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp, fsum, log
from random import Random

from agentflow.models.model import Token
from agentflow.problem import Problem
from agentflow.search.interfaces import Aggregate, Expander, Found, Scorer
from agentflow.search.path import Path
from agentflow.search.ranking import Ranking
from agentflow.settings import request_seed


async def power(
    problem: Problem,
    expander: Expander,
    scorer: Scorer,
    n: int,
    *place: str | int,
    block: int = 8,
    seed: int = 0,
    aggregate: Aggregate = "mean",
    max_steps: int = 100,
) -> Found:
    """Draw one trajectory in proportion to p^alpha, by Metropolis and Hastings.

    p is how likely the model makes a whole trajectory. A low temperature sharpens each token by
    itself, and so prefers a token that many middling trajectories begin with to one that a single
    very likely one does ("Reasoning with Sampling: Your Base Model is Smarter Than You Think",
    Karan and Du 2025, algorithm 1).

    The trajectory grows by blocks. Behind each block comes a move, ``n`` times: it is drawn anew
    from one of its steps on, and the new one takes its place with the chance
    min(1, Z(new) T(old) / Z(old) T(new)). Z is the product of what :func:`sharpened` says of its
    steps, T their number. Where a step's is not known, no move is made.

    Args:
        expander: Draws at the temperature 1 / alpha; the paths' ``measured`` is log Z of each step.
        n: Moves behind each block.
        block: Steps of a block; the paper's are of 192 tokens.
        seed: Takes part in the draws, with the problem and the place.
        place, aggregate, max_steps: As for :func:`~agentflow.search.best_of_n.best_of_n`.

    Raises:
        ValueError: If ``n`` or ``block`` is less than 1.
    """
    if n < 1 or block < 1:
        raise ValueError(f"n={n}, block={block}: both must be 1 or more")
    ranking, path = Ranking(problem, scorer, aggregate), Path()
    for end in range(block, max_steps + block, block):
        end = min(end, max_steps)
        grown = await expander.finish(path, *place, end, steps=end - len(path.steps))
        if len(grown.steps) == len(path.steps) and not grown.done:  # a budget is spent
            break
        path = grown
        for move in range(n):
            if len(path.measured) < len(path.steps) or None in path.measured:
                break
            chance = Random(request_seed(seed, problem.id, "power", *place, end, move))
            kept = path.first(chance.randrange(len(path.steps)))
            steps = end - len(kept.steps)
            other = await expander.finish(kept, *place, end, move, steps=steps)
            if chance.random() < accepted(path, other, len(kept.steps)):
                path = other
        if path.done:
            break
    return ranking.found(await ranking.scored([path]))


def accepted(old: Path, new: Path, kept: int) -> float:
    """The chance with which a trajectory takes the place of one with the same first ``kept``
    steps; 0 where it has no other, or where it is not known how likely they are."""
    if len(new.steps) <= kept:
        return 0.0
    made = [one for path in (new, old) for one in path.measured[kept:]]
    if None in made:
        return 0.0
    ahead = _log_z(new, kept) - _log_z(old, kept) + log(len(old.steps) / len(new.steps))
    return exp(min(0.0, ahead))


def _log_z(path: Path, kept: int) -> float:
    return fsum(one for one in path.measured[kept:] if one is not None)


def sharpened(alpha: float) -> Callable[[Sequence[Token]], float | None]:
    """What makes log Z of a step of its tokens: the sum of log(sum of p^alpha) over the tokens that
    might have stood in each place, as far as they were told; None where none were.

    A draw at the temperature 1 / alpha has the likelihood p^alpha / Z. So of two draws from one
    place the ratio of p^alpha to their likelihood is that of their Z, and of the rest of the
    vocabulary little is lost: the sum is of powers.
    """

    def log_z(tokens: Sequence[Token]) -> float | None:
        sums = [fsum(exp(alpha * p) for _, p in token.top) for token in tokens]
        return fsum(map(log, sums)) if all(sums) else None

    return log_z
