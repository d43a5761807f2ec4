"""What verdicts on solutions come to, metric by metric; and votes over a pool of replies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from agentflow.evaluation import pool
from agentflow.evaluation.intervals import Interval, bootstrap, share, wilson
from agentflow.evaluation.runner import Record
from agentflow.evaluation.solutions import Solution
from agentflow.evaluation.verdicts import Judgement
from agentflow.problem import Problem
from agentflow.thinking import split


def solutions(records: Sequence[Record], problems: dict[str, Problem]) -> list[Solution]:
    """The recorded answers of a reasoner as solutions to judge; those without one are left out."""
    found = []
    for one in records:
        said = split(one.text).answer
        if one.failed or one.answer is None or not (said or "").strip():
            continue
        problem = problems[one.problem]
        kind, difficulty = (str(problem.data.get(name, "")) for name in ("type", "difficulty"))
        found.append(Solution(problem, said or "", one.right, kind, difficulty))
    return found


def measured(metric: str, records: Sequence[Judgement]) -> Interval | None:
    """A metric of a verifier with its 95 % interval; None where nothing tells.

    ``tools.NAME`` is a tool's share among the calls that the verifier chose to make, ``wrong.TYPE``
    the share of wrong verdicts among those on problems of a type.

    Raises:
        KeyError: If there is no such metric.
    """
    name, _, of = metric.partition(".")
    if name == "tools":
        calls = Counter(call["tool"] for one in records for call in one.evidence.get("calls", ()))
        return wilson(calls[of], calls.total()) if calls.total() else None
    if name == "wrong":
        return share([not one.correct for one in records if of in (one.type, one.difficulty)])
    return METRICS[metric](records) if records else None


def _score(right: bool) -> Callable[[Sequence[Judgement]], Interval | None]:
    def found(records: Sequence[Judgement]) -> Interval | None:
        values = [one.score for one in records if one.right is right and one.score is not None]
        return bootstrap(np.mean, values) if values else None

    return found


METRICS: dict[str, Callable[[Sequence[Judgement]], Interval | None]] = {
    "accuracy": lambda records: share([one.correct for one in records]),
    "precision": lambda records: share([one.right is True for one in records if one.ok]),
    "recall": lambda records: share([one.ok is True for one in records if one.right]),
    "undecided": lambda records: share([one.ok is None for one in records]),
    "score of right ones": _score(True),
    "score of wrong ones": _score(False),
}
"""What is measured on verdicts, by name. An undecided verdict passes nothing, and counts as wrong
in the accuracy, as the paper counts."""


def vote(
    metric: str, records: Sequence[Judgement], mode: str, k: int, tau: float, size: int
) -> Interval:
    """A metric of votes over ``k`` replies of a pool; total tokens are those of ``size`` solutions.

    Raises:
        BadInput: If there are not as many replies, or only one kind of solution.
        KeyError: If there is no such metric.
    """
    one = pool.simulate(records, mode, k, tau)  # type: ignore[arg-type]
    match metric:
        case "f1":
            return one.over_samples
        case "f1 of draws":
            return one.f1
        case "escalated":
            return wilson(round((one.escalated or 0.0) * len(records)), len(records))
        case "total tokens":
            each = one.tokens
            return Interval(size * each.value, size * each.low, size * each.high)
    raise KeyError(metric)
