"""Monte Carlo tree search: roll-outs say where to look next (RAP, Hao et al. 2023)."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from math import log, sqrt

from agentflow.problem import Problem
from agentflow.search.interfaces import Aggregate, Expander, Found, Scorer, grown, reward, ways
from agentflow.search.path import Path
from agentflow.search.ranking import Ranking


@dataclass(slots=True, eq=False)
class _Node:
    """A prefix in the tree, and what was seen behind it.

    Attributes:
        total: Sum of the rewards seen at it and behind it.
        visits: How many there are.
        closed: Whether nothing new can come from it.
    """

    path: Path
    total: float = 0.0
    visits: int = 0
    children: list[_Node] = field(default_factory=list)
    closed: bool = False


async def mcts(
    problem: Problem,
    expander: Expander,
    scorer: Scorer,
    n: int,
    *place: str | int,
    each: int | None = None,
    explore: float = 1.0,
    aggregate: Aggregate = "mean",
    max_steps: int = 100,
) -> Found:
    """Finish ``n`` roll-outs, each from where those before it looked best, and choose one.

    For each roll-out: go down from the prompt to a prefix that has no children yet, at every one to
    the child of the highest mean reward plus ``explore`` times ``sqrt(ln(visits of all children) /
    visits of the child)``; draw its next steps; finish the best of these; and tell all prefixes on
    the way what reward it came to ("Reasoning with Language Model is Planning with World Model",
    Hao et al. 2023, section 3.3; UCT, Kocsis and Szepesvári 2006). A child's own reward counts as
    its first visit. The choice is among all that came to an end.

    Args:
        each: Next steps that are drawn at a prefix; by default as many as ``n``'s square root.
        explore: Weight of looking where little was seen.
        place, aggregate, max_steps: As for :func:`~agentflow.search.best_of_n.best_of_n`.

    Raises:
        ValueError: If ``n`` or ``each`` is less than 1.
    """
    if n < 1 or (each is not None and each < 1):
        raise ValueError(f"{n} roll-outs, {each} steps at a prefix: at least one is needed")
    ranking, root = Ranking(problem, scorer, aggregate), _Node(Path())
    over, left = list[Path](), n

    async def children(path: Path, number: int) -> list[_Node]:
        if path.done or len(path.steps) >= max_steps:
            return []
        drawn = grown(path, await expander.expand(path, each or ways(n), *place, number, "steps"))
        distinct = {(one.steps, one.done): one for one in drawn}
        scored = await ranking.scored(list(distinct.values()))
        return [_Node(one, reward(one, aggregate), 1, closed=one.done) for one in scored]

    async def rolled(path: Path, number: int) -> Path:
        most = max_steps - len(path.steps)
        if not path.done and most:
            path = await expander.finish(path, *place, number, "roll-out", steps=most)
        return (await ranking.scored([path]))[0]

    for number in count():
        if not left or root.closed:
            break
        way = [root]
        while way[-1].children:
            way.append(_promising(way[-1], explore))
        way[-1].children = await children(way[-1].path, number)
        if way[-1].children:
            over += [child.path for child in way[-1].children if child.path.done]
            best = max(way[-1].children, key=lambda child: child.total)
            end = await rolled(best.path, number)
            over += [] if best.path.done else [end]
            left -= 1
            for node in (*way, best):
                node.total += reward(end, aggregate)
                node.visits += 1
        for node in reversed(way):
            node.closed = all(child.closed for child in node.children)
    return ranking.found(over or [root.path])


def _promising(node: _Node, explore: float) -> _Node:
    """The child to look behind next (UCT), among those from which something new can come."""
    visits = sum(child.visits for child in node.children)

    def bound(child: _Node) -> float:
        unsure = sqrt(log(visits) / child.visits)
        return child.total / child.visits + explore * unsure

    return max((child for child in node.children if not child.closed), key=bound)
