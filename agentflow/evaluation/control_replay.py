"""Replay searches on recorded trees, without the model: the learned controller and the fixed ones.

The searches are those that run, on an expander that draws recorded steps: a next step is one that
was recorded on the same problem in the same state of scores and length. So a policy may go where no
recorded tree went; what a state does not tell is lost, alike for all of them.
"""

from __future__ import annotations

import asyncio
import random
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from agentflow.evaluation import markdown
from agentflow.evaluation.intervals import Interval, bootstrap
from agentflow.evaluation.trees import Node, Recorded
from agentflow.problem import Problem
from agentflow.search import Found, Path, beam, best_of_n, lookahead
from agentflow.search.controlled import controlled
from agentflow.search.controller import Controller, state_of
from agentflow.search.interfaces import step_by_step

TIMES = 20
"""How often each problem is searched in a replay."""

_Pools = dict[tuple[str, ...], list[Node]]


@dataclass(slots=True)
class Replayed:
    """Draws recorded steps; an :class:`~agentflow.search.interfaces.Expander` and its
    :class:`~agentflow.search.interfaces.Scorer`.

    Attributes:
        pools: Recorded steps by what they followed; see :func:`pools_of`.
        at: Where steps are looked for, the nearest first.
        rng: Draws them.
        budget: Most tokens of all paths together.
        longest: Most tokens of a path.
        generated: Tokens so far.
        readings: How often paths were scored so far.
    """

    pools: _Pools
    at: Sequence[tuple[str, ...]]
    rng: random.Random
    budget: int
    longest: int
    generated: int = 0
    readings: int = 0
    name: str = "recorded"

    async def expand(self, path: Path, n: int, *place: str | int) -> list[Path]:
        """Steps of the path's state, drawn with replacement."""
        return [await self._grow(path) for _ in range(n)]

    async def finish(self, path: Path, *place: str | int, steps: int | None = None) -> Path:
        """Step by step."""
        return await step_by_step(path, self._grow, steps)

    async def score(self, problem: Problem, paths: Sequence[Path]) -> list[Path]:
        """The recorded scores."""
        self.readings += 1
        return [
            replace(path, scores=tuple(node.score for node in path.payload or ())) for path in paths
        ]

    async def _grow(self, path: Path) -> Path:
        made: tuple[Node, ...] = path.payload or ()
        if self.generated >= self.budget or sum(one.tokens for one in made) >= self.longest:
            return path
        state = state_of([node.score for node in made])
        key = state.kind, str(state.length)
        pool = next(
            pool
            for at in self.at
            for end in (2, 1, 0)
            if (pool := self.pools.get((*at, *key[:end])))
        )
        node = self.rng.choice(pool)
        self.generated += node.tokens
        step = f"{len(made)}:{id(node)}"
        return replace(path, steps=(*path.steps, step), done=node.done, payload=(*made, node))


def pools_of(trees: Sequence[Recorded]) -> _Pools:
    """Steps by the problem or the domain, from whole samples and from all trees, and what of the
    state they followed: its kind and length, its kind, nothing."""
    pools: _Pools = defaultdict(list)
    for tree in trees:
        for draw in tree.draws:
            for node in draw:
                state = state_of(node.behind)
                key = state.kind, str(state.length)
                for at in _places(tree, tree.strategy == "best of n"):
                    for end in range(3):
                        pools[(*at, *key[:end])].append(node)
    return dict(pools)


def _places(tree: Recorded, sample: bool) -> list[tuple[str, ...]]:
    own, every = (tree.domain, tree.problem), (tree.domain, "")
    samples = [(*own, "samples"), (*every, "samples")] if sample else []
    return [*samples, (*own, "all"), (*every, "all")]


Search = Callable[[Problem, Replayed], Awaitable[Found]]

FIXED: dict[str, Search] = {
    "direct": lambda problem, drawn: best_of_n(problem, drawn, drawn, 1),
    "best of 2": lambda problem, drawn: best_of_n(problem, drawn, drawn, 2),
    "best of 4": lambda problem, drawn: best_of_n(problem, drawn, drawn, 4),
    "beam search, 4": lambda problem, drawn: beam(problem, drawn, drawn, 4),
    "lookahead, 4": lambda problem, drawn: lookahead(problem, drawn, drawn, 4),
}
"""The fixed strategies, as ``adaptive_compute`` has them."""

OURS = "learned"


@dataclass(frozen=True, slots=True)
class Replay:
    """What a strategy came to, on the mean of :data:`TIMES` searches a problem.

    Attributes:
        right, tokens, readings: Means over the problems.
        ahead: Share of right answers of the learned controller beyond this strategy's; ``fewer``
            its tokens less this one's. None for itself.
    """

    strategy: str
    right: Interval
    tokens: Interval
    readings: float
    ahead: Interval | None = None
    fewer: Interval | None = None


@dataclass(slots=True)
class _Outcomes:
    """Of one strategy, a problem each."""

    right: list[float] = field(default_factory=list)
    tokens: list[float] = field(default_factory=list)
    readings: list[float] = field(default_factory=list)


def replay(
    trees: Sequence[Recorded],
    controller: Controller,
    *,
    price: float | None = None,
    ahead: int | None = None,
    budget: int = 2048,
    longest: int = 1024,
    times: int = TIMES,
    seed: int = 0,
) -> list[Replay]:
    """The learned controller beside the fixed strategies, on the same problems.

    Args:
        price, ahead: In place of the controller's own.
        budget: Most tokens of a search step by step; ``longest`` those of an attempt.
    """
    pools = pools_of(trees)

    def ours(problem: Problem, drawn: Replayed) -> Awaitable[Found]:
        at_once = controller.at_once if ahead is None else ahead
        left = partial(_left, drawn)
        return controlled(problem, drawn, drawn, controller, price=price, left=left, ahead=at_once)

    searches = {**FIXED, OURS: ours}
    outcomes = {name: _Outcomes() for name in searches}
    for domain, text in dict.fromkeys((tree.domain, tree.problem) for tree in trees):
        problem = Problem(text, domain)
        at = [(domain, one, what) for one in (text, "") for what in ("samples", "all")]
        for name, search in searches.items():
            right, tokens, readings = 0, 0, 0
            for number in range(times):
                whole = name == "direct" or name.startswith("best of")
                rng = random.Random(f"{seed} {number} {text}")  # the same for all
                most = budget if not whole else budget * longest
                drawn = Replayed(pools, at, rng, most, longest)
                best = asyncio.run(_found(search, problem, drawn)).best
                right += bool(best.done and best.payload[-1].right)
                tokens += drawn.generated
                readings += drawn.readings
            outcomes[name].right.append(right / times)
            outcomes[name].tokens.append(tokens / times)
            outcomes[name].readings.append(readings / times)
    return [_replay(name, one, outcomes[OURS]) for name, one in outcomes.items()]


async def _found(search: Search, problem: Problem, drawn: Replayed) -> Found:
    return await search(problem, drawn)


def _left(drawn: Replayed) -> float:
    return drawn.budget - drawn.generated


def _replay(name: str, one: _Outcomes, ours: _Outcomes) -> Replay:
    right, tokens = bootstrap(np.mean, one.right), bootstrap(np.mean, one.tokens)
    readings = float(np.mean(one.readings))
    if name == OURS:
        return Replay(name, right, tokens, readings)
    gaps = (np.subtract(a, b) for a, b in ((ours.right, one.right), (ours.tokens, one.tokens)))
    return Replay(name, right, tokens, readings, *(bootstrap(np.mean, gap) for gap in gaps))


def table(found: Sequence[Replay]) -> str:
    """The replay as a Markdown table."""
    return markdown.table(
        {
            "strategy": one.strategy,
            "right": one.right.percent(),
            "learned is ahead, points": one.ahead.points() if one.ahead else "",
            "tokens": f"{one.tokens.value:.0f} [{one.tokens.low:.0f}, {one.tokens.high:.0f}]",
            "learned takes more": (
                f"{one.fewer.value:+.0f} [{one.fewer.low:+.0f}, {one.fewer.high:+.0f}]"
                if one.fewer
                else ""
            ),
            "readings": f"{one.readings:.1f}",
        }
        for one in found
    )
