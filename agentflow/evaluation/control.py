"""Learn a controller of searches from recorded trees (:mod:`agentflow.search.controller`).

All is counting. Whole samples say how attempts end that go on step by step from each state, and how
many tokens that takes. A beam's candidates and lookahead's roll-outs say to which state a choice
leads; what is expected of it is what is expected there. A state that was seldom seen is told
together with those of other lengths.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, permutations
from math import comb
from typing import Any

from agentflow.errors import BadInput
from agentflow.evaluation.trees import Node, Recorded
from agentflow.search.controller import (
    CUT,
    DRAWN,
    FAILED,
    KINDS,
    ROLLOUTS,
    STATES,
    WIDTH,
    Controller,
    Estimate,
    Scores,
    State,
    kind,
    state_of,
)

_ENOUGH = 10
"""Places that a choice must have been seen at in a state, to be offered there."""

_PRIOR = 10
"""Places whose weight the estimate over all lengths has in that of one state."""


@dataclass(slots=True)
class _Counts:
    """Weighted counts of ends, and tokens, of one state and choice."""

    weight: float = 0.0
    tokens: float = 0.0
    ends: dict[str, float] = field(default_factory=lambda: defaultdict(float))

    def add(self, ends: Iterable[tuple[str, float]], tokens: float, weight: float = 1.0) -> None:
        self.weight += weight
        self.tokens += weight * tokens
        for name, share in ends:
            self.ends[name] += weight * share

    def with_prior(self, other: _Counts) -> _Counts:
        """These with those of another, as if it had been seen at :data:`_PRIOR` places."""
        found = _Counts(self.weight, self.tokens, defaultdict(float, self.ends))
        if other.weight:
            ends = [(name, count / other.weight) for name, count in other.ends.items()]
            found.add(ends, other.tokens / other.weight, min(_PRIOR, other.weight))
        return found

    def estimate(self) -> Estimate:
        ends = {
            name: round(self.ends[name] / self.weight, 3)
            for name in KINDS
            if self.ends[name] / self.weight >= 0.0005
        }
        tokens = max(1.0, round(self.tokens / self.weight, 1))
        return Estimate(tokens=tokens, ends=ends, seen=round(self.weight))


_Table = dict[State, _Counts]


def fit(
    trees: Sequence[Recorded], about: dict[str, Any], price: float, ahead: int | None = None
) -> Controller:
    """The controller that trees teach.

    Args:
        about: As :func:`~agentflow.evaluation.trees.scored_by` says.
        price: What a choice must gain per 1,000 tokens.
        ahead: As of :class:`~agentflow.search.controller.Controller`.

    Raises:
        BadInput: If no whole samples are among them, or none of these has two steps.
    """
    samples = [tree for tree in trees if tree.strategy == "best of n"]
    runs = [draw for tree in samples for draw in tree.draws if draw]
    if not runs:
        raise BadInput("no whole samples among the trees (best of n): nothing says how they end")
    if all(len(run) == 1 for run in runs):
        raise BadInput("no sample among the trees has two steps: nothing says how attempts go on")
    right = _right(node for tree in trees for draw in tree.draws for node in draw)
    onward = _onward(samples, right)
    table: dict[str, dict[Any, Estimate]] = {}
    moves = {choice: _moved(onward, found) for choice, found in _moves(trees).items()}
    for state in STATES:
        row = {"go on": onward[state].estimate()}
        for choice, counts in moves.items():
            if state in counts and counts[state].weight >= _ENOUGH:
                row[choice] = counts[state].estimate()
        table[str(state)] = row
    problems = {(tree.domain, tree.problem) for tree in trees}
    names = ", ".join(
        f"{name} {len(list(group))}" for name, group in groupby(sorted(d for d, _ in problems))
    )
    return Controller(
        model=str(about["model"]),
        scores=Scores(**about["scores"]),
        learned=f"problems: {names}; {len(trees)} trees",
        price=price,
        right=right,
        ahead=ahead,
        table=table,
    )


def _right(nodes: Iterable[Node]) -> dict[str, float]:
    """The share of right answers by kind of end, shrunk to one half by two ends."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for node in nodes:
        if node.done:
            counts[kind(node.scores)][node.right] += 1
    return {
        name: round((counts[name][True] + 1) / (sum(counts[name]) + 2), 3)
        for name in KINDS
        if name in counts
    }


def _end(run: Sequence[Node]) -> str:
    """The kind of a whole sample's end."""
    return kind(run[-1].scores) if run[-1].done else CUT


def _onward(samples: Sequence[Recorded], right: dict[str, float]) -> _Table:
    """How attempts end that go on one step at a time from each state."""
    found: _Table = defaultdict(_Counts)
    over: dict[str, _Counts] = defaultdict(_Counts)  # all lengths of a kind of scores
    every = _Counts()
    for tree in samples:
        runs = [draw for draw in tree.draws if draw]
        for run in runs:
            left, end = sum(node.tokens for node in run), _end(run)
            for node in run[:-1]:
                left -= node.tokens
                for counts in (found[state_of(node.scores)], over[kind(node.scores)], every):
                    counts.add([(end, 1.0)], left)
        for failed, whole, weight in _after_failures(runs, right):
            tokens = sum(node.tokens for node in whole)
            found[State("none", failed=failed)].add([(_end(whole), 1.0)], tokens, weight)
    start = found[State("none")]
    for state in STATES:
        if state.kind == "none":
            found[state] = found[state].with_prior(start) if state.failed else start
        else:
            alike = State(state.kind, state.length)  # how often it was drawn is past
            found[state] = found[alike].with_prior(over[state.kind].with_prior(every))
    return found


def _after_failures(
    runs: Sequence[Sequence[Node]], right: dict[str, float]
) -> Iterator[tuple[int, Sequence[Node], float]]:
    """(failures before it, sample, weight): each sample as the next one behind so many that failed,
    for all orders in which the samples may have come."""
    fails = [right.get(_end(run), 0.0) < 0.5 for run in runs]
    for run, fail in zip(runs, fails, strict=True):
        others = sum(fails) - fail
        for count in range(min(FAILED, len(runs) - 1) + 1):
            if weight := comb(others, count) / comb(len(runs) - 1, count):
                yield count, run, weight


@dataclass(frozen=True, slots=True)
class _Move:
    """What a choice led to: the scores of the path behind it, and what it cost."""

    state: State
    scores: tuple[float, ...]
    done: bool
    tokens: int


def _moves(trees: Sequence[Recorded]) -> dict[str, list[_Move]]:
    """Every place in the trees where one could see what a choice leads to."""
    found: dict[str, list[_Move]] = {"widen": [], "look ahead": [], "redraw": []}
    for tree in trees:
        for group in tree.groups:
            first = [tree.draws[n][0] for n in group if tree.draws[n]]
            if tree.strategy == "beam search" and len(first) > 1:
                found["redraw"] += _redraws(first)
                if len(first) >= WIDTH:
                    found["widen"].append(_best([[node] for node in first[:WIDTH]]))
            if tree.strategy == "lookahead" and len(first) >= ROLLOUTS:
                found["look ahead"] += _rollouts(tree, group)
    return found


def _best(paths: Sequence[Sequence[Node]]) -> _Move:
    """The move to the path of the highest reward; all paths are paid."""
    behind = paths[0][0].behind
    best = max(paths, key=lambda path: sum(path[-1].scores) / len(path[-1].scores))
    tokens = sum(node.tokens for path in paths for node in path)
    return _Move(state_of(behind), best[-1].scores, best[-1].done, tokens)


def _redraws(nodes: Sequence[Node]) -> Iterator[_Move]:
    """Of candidates for one step, in every order: low ones, and the next one beside them."""
    for count in range(1, min(DRAWN, len(nodes) - 1) + 1):
        for chosen in permutations(nodes, count + 1):
            *low, last = chosen
            before = state_of(low[0].scores, count)
            if all(kind(one.scores).startswith("low") and not one.done for one in low):
                kept = last if last.score > low[0].score else low[0]
                yield _Move(before, kept.scores, kept.done, last.tokens)


def _rollouts(tree: Recorded, group: Sequence[int]) -> Iterator[_Move]:
    """Candidates with the roll-outs behind them."""
    paths = []
    for number in group[:ROLLOUTS]:
        behind = [n for n, at in enumerate(tree.behind) if at == (number, 0) and n > number]
        rest = tree.draws[behind[0]] if behind else ()
        paths.append([*tree.draws[number], *rest])
    if all(paths):
        yield _best(paths)


def _moved(onward: _Table, moves: Sequence[_Move]) -> _Table:
    """What is expected of a choice in each state: what is expected where it leads."""
    found: _Table = defaultdict(_Counts)
    for move in moves:
        if move.done:
            found[move.state].add([(kind(move.scores), 1.0)], move.tokens)
            continue
        there = onward[state_of(move.scores)]
        ends = [(name, count / there.weight) for name, count in there.ends.items()]
        found[move.state].add(ends, move.tokens + there.tokens / there.weight)
    return found
