"""Recorded trees: what searches drew on problems, scored, and which of its ends were right.

A controller of searches is learned from them (:mod:`agentflow.evaluation.control`), and replayed on
others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agentflow import domains
from agentflow.arguments import settings_for
from agentflow.errors import BadInput
from agentflow.evaluation import runner
from agentflow.evaluation.datasets import right_form
from agentflow.evaluation.records import Arm, described, read
from agentflow.evaluation.runner import Record
from agentflow.models import Model
from agentflow.problem import Problem
from agentflow.run import Result

METHOD = "adaptive_compute"
"""Whose searches are recorded."""

_ALONE = {"plan": False, "reasoning": [], "iterations": 1}

SEARCHES: dict[str, dict[str, Any]] = {
    "best of n": {"compute": "best of n", "param": 8},
    "beam search": {"compute": "beam search", "param": 2, "each": 4, "search_tokens": 1024},
    "lookahead": {"compute": "lookahead", "param": 3, "candidates": 2, "search_tokens": 1024},
}
"""The searches that are recorded, with their settings: whole samples, which nobody chose among,
show how attempts end; a beam's candidates what another draw of a step is worth; roll-outs what
looking ahead is."""


@dataclass(frozen=True, slots=True)
class Node:
    """A step of a tree.

    Attributes:
        behind: Scores of the steps in front of it.
        score: Its own.
        tokens: Its own.
        done: Whether the text ended by itself with it; then ``right`` says of its answer.
    """

    behind: tuple[float, ...]
    score: float
    tokens: int
    done: bool = False
    right: bool = False

    @property
    def scores(self) -> tuple[float, ...]:
        """Of the path up to it."""
        return (*self.behind, self.score)


@dataclass(frozen=True, slots=True)
class Recorded:
    """One search on one problem.

    Attributes:
        problem: Its text; ``domain`` judges it, and ``seed`` tells the runs on it apart.
        strategy: The search.
        draws: Its draws, each the steps of one continuation.
        groups: Which of them were asked for together, by their numbers.
        behind: For each draw the number of the draw and of its step that it goes on from; None for
            the prompt.
        scorer: Whose scores they are, by its name.
    """

    problem: str
    domain: str
    seed: int
    strategy: str
    draws: tuple[tuple[Node, ...], ...]
    groups: tuple[tuple[int, ...], ...]
    behind: tuple[tuple[int, int] | None, ...]
    scorer: str


async def record(
    problems: Sequence[Problem],
    seeds: Sequence[int],
    out: Path,
    *,
    model: str | Model = "embedded",
    settings: Mapping[str, Any] | None = None,
    **running: Any,
) -> list[Recorded]:
    """Run every search of :data:`SEARCHES` on the problems, and keep its tree.

    Args:
        out: A file of JSON lines; a recording that was cut off goes on where it stopped.
        settings: Of ``adaptive_compute``, for every search: who scores, and how.
        running: What else :func:`~agentflow.evaluation.runner.run` takes.

    Raises:
        BadInput: If a setting cannot be used, or ``out`` was begun with others.
    """
    arms = recording(settings or {})
    await runner.run(arms, problems, seeds, out, model=model, keep=_kept, **running)
    return load(out)


def recording(settings: Mapping[str, Any]) -> list[Arm]:
    """The arms that record.

    Raises:
        BadInput: If a setting cannot be used.
    """
    arms = [Arm(name, METHOD, {**_ALONE, **own, **settings}) for name, own in SEARCHES.items()]
    for arm in arms:
        settings_for(arm.method, **arm.settings)
    return arms


def _kept(result: Result, right: bool) -> dict[str, Any]:
    problem = Problem(**result.problem)
    trees = [event for event in result.events if event["type"] == "tree"]
    return {"trees": [_judged(problem, one) for one in trees]}


def _judged(problem: Problem, tree: Mapping[str, Any]) -> dict[str, Any]:
    """The tree with what is right, in place of the answers."""
    domain = domains.get(problem.domain)

    def right(answer: str | None) -> bool:
        form = None if answer is None else domain.normalise(problem, answer)
        return form is not None and right_form(problem, form)

    draws = [
        {name: value for name, value in one.items() if name != "answer"}
        | ({"right": right(one["answer"])} if one["done"] else {})
        for one in tree["draws"]
    ]
    return {name: tree[name] for name in ("strategy", "param", "scorer")} | {"draws": draws}


def load(*files: Path) -> list[Recorded]:
    """The trees of recordings, in their order.

    Raises:
        BadInput: If a file is not there, is no recording, or has no tree; names it.
    """
    found = []
    for path in files:
        if not path.is_file():
            raise BadInput(f"{path}: no such file; `agentflow controller record` makes one")
        there = [
            _read(record, tree)
            for record in read(path, Record)
            if not record.failed
            for tree in record.extra.get("trees", ())
        ]
        if not there:
            raise BadInput(f"{path}: no tree in it; `agentflow controller record` writes them")
        found += there
    return found


def scored_by(*files: Path) -> dict[str, Any]:
    """Whose scores recordings have, and the model: what a controller that is learned from them is
    for.

    Raises:
        BadInput: If they do not have the same, or one is no recording.
    """
    found = []
    for path in files:
        for line in described(path).values():
            if line["method"] != METHOD:
                raise BadInput(f"{path}: the arm {line['name']!r} is of no recording of trees")
            settings = settings_for(METHOD, **line["settings"])
            scores = {name: getattr(settings, name) for name in ("hopeless", "unread")}
            scores = {"scorer": settings.scored_by, **scores}  # type: ignore[attr-defined]
            found.append({"model": line["model"], "scores": scores})
    if not found:
        raise BadInput(f"{', '.join(map(str, files))}: no arm in it; it is no recording of trees")
    if any(one != found[0] for one in found):
        raise BadInput(f"{', '.join(map(str, files))}: recorded with several models or scorers")
    return dict(found[0])


def _read(record: Record, tree: Mapping[str, Any]) -> Recorded:
    """A tree from its plain form."""
    draws, places, behind = list[tuple[Node, ...]](), list[tuple[int, int]](), []
    groups: dict[int, list[int]] = {}
    for number, one in enumerate(tree["draws"]):
        at = places[one["behind"]] if one["behind"] >= 0 else None
        scores = draws[at[0]][at[1]].scores if at else ()
        steps = list[Node]()
        for count, (score, tokens) in enumerate(zip(one["scores"], one["tokens"], strict=True)):
            last = one["done"] and count == len(one["scores"]) - 1
            steps.append(Node(scores, float(score or 0.0), tokens, last, last and one["right"]))
            scores = steps[-1].scores
            places.append((number, count))
        draws.append(tuple(steps))
        behind.append(at)
        groups.setdefault(one["group"], []).append(number)
    return Recorded(
        record.problem,
        record.extra["domain"],
        record.seed,
        tree["strategy"],
        tuple(draws),
        tuple(tuple(group) for group in groups.values()),
        tuple(behind),
        tree["scorer"],
    )
