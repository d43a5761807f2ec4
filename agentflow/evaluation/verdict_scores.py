"""What verdicts on recorded solutions are worth (VerifiAgent, section 4 and 5), and what they cost.

The positive class is Correct: precision is the share of passed solutions that are right, recall the
share of right solutions that were passed. A verdict that could not be decided passes nothing and
counts as wrong in the accuracy, whatever the solution; how many there are stands apart, and so do
the accuracy over the verdicts that were decided, and the paper's: its verifier says Correct or
Incorrect, so that what is not Correct is Incorrect.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from agentflow.evaluation import markdown as tables
from agentflow.evaluation.intervals import Interval, auc, share, wilson
from agentflow.evaluation.records import by_arm, grouped
from agentflow.evaluation.verdicts import Judgement
from agentflow.verifiers.actions import TOOLS
from agentflow.verifiers.evidence import CORRECT

TOOL = "tool:"
"""What the roles of tools begin with in a ledger."""

_QUANTILES = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True, slots=True)
class Outcomes:
    """What became of the solutions of one kind."""

    passed: int
    refused: int
    undecided: int


@dataclass(frozen=True, slots=True)
class Scores:
    """How the verdicts' scores (V_score) lie; verdicts without one do not count.

    Attributes:
        quantiles: Least, lower quartile, median, upper quartile, largest.
    """

    count: int
    mean: float
    std: float
    quantiles: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Mistakes:
    """How many of the verdicts on some problems were wrong."""

    verdicts: int
    wrong: int


@dataclass(frozen=True, slots=True)
class Cost:
    """What a role took, per solution."""

    calls: float
    prompt: float
    generated: float
    seconds: float
    dollars: float = 0.0


@dataclass(frozen=True, slots=True)
class Row:
    """One verifier's line; runs that failed do not count.

    Attributes:
        solutions: How many were judged.
        accuracy, precision, recall: With 95 % intervals, as if verdicts were independent;
            decided_accuracy is over the verdicts that were decided (None where none was),
            paper_accuracy takes the others for Incorrect; precision is None where nothing was
            passed, recall where no solution is right.
        right, wrong: What became of the solutions that are right, and of those that are wrong.
        right_scores, wrong_scores: Their verdicts' scores; None where none has any.
        auc: How often a right solution's verdict has a higher score than a wrong one's, ties
            counted as a half; None where one of the two has no scores. VerifiAgent's V_score says
            how sure the verdict is, be it Correct or not.
        correct_auc: The same of how likely Correct is
            (:func:`agentflow.verifiers.evidence.correctness`).
        tools: By domain, the share of each tool in the calls that the model chose to make; the
            verdict of a domain that drives is none of them.
        kinds: How often each kind of verdict came that passes nothing; an empty one has no name.
        types, difficulties: Wrong verdicts by the problem's type and difficulty, where it has one.
        cost: By role, tools included.
        seconds: A solution, beside whatever ran at the same time.
    """

    arm: str
    solutions: int
    accuracy: Interval
    decided_accuracy: Interval | None
    paper_accuracy: Interval
    precision: Interval | None
    recall: Interval | None
    right: Outcomes
    wrong: Outcomes
    right_scores: Scores | None
    wrong_scores: Scores | None
    auc: float | None
    correct_auc: float | None
    tools: dict[str, dict[str, float]]
    kinds: dict[str, int]
    types: dict[str, Mistakes]
    difficulties: dict[str, Mistakes]
    cost: dict[str, Cost]
    seconds: float


def rows(records: Iterable[Judgement]) -> list[Row]:
    """One row per verifier, in the order in which they first appear."""
    return [_row(arm, found) for arm, found in by_arm(records).items()]


def _row(arm: str, records: Sequence[Judgement]) -> Row:
    right, wrong = ([one for one in records if one.right is side] for side in (True, False))
    passed = [one for one in records if one.ok]
    above, below = ([one.score for one in side if one.score is not None] for side in (right, wrong))
    return Row(
        arm=arm,
        solutions=len(records),
        accuracy=wilson(sum(one.correct for one in records), len(records)),
        decided_accuracy=share([one.correct for one in records if one.ok is not None]),
        paper_accuracy=wilson(sum((one.ok is True) is one.right for one in records), len(records)),
        precision=share([one.right is True for one in passed]),
        recall=share([one.ok is True for one in right]),
        right=_outcomes(right),
        wrong=_outcomes(wrong),
        right_scores=_scores(above),
        wrong_scores=_scores(below),
        auc=auc(above, below),
        correct_auc=auc(*(_correctness(side) for side in (right, wrong))),
        tools=_tools(records),
        kinds=dict(Counter(one.kind for one in records if not one.ok).most_common()),
        types=_mistakes(records, lambda one: one.type),
        difficulties=_mistakes(records, lambda one: one.difficulty),
        cost=_cost(records),
        seconds=sum(one.seconds for one in records) / len(records),
    )


def _outcomes(records: Sequence[Judgement]) -> Outcomes:
    found = Counter(one.ok for one in records)
    return Outcomes(found[True], found[False], found[None])


def _correctness(records: Sequence[Judgement]) -> list[float]:
    return [p for one in records if (p := one.evidence.get(CORRECT)) is not None]


def _scores(values: Sequence[float]) -> Scores | None:
    if not values:
        return None
    quantiles = tuple(map(float, np.quantile(values, _QUANTILES)))
    return Scores(len(values), float(np.mean(values)), float(np.std(values)), quantiles)


def _tools(records: Iterable[Judgement]) -> dict[str, dict[str, float]]:
    calls: dict[str, Counter[str]] = defaultdict(Counter)
    for one in records:
        chosen = (call["tool"] for call in one.evidence.get("calls", ()))
        calls[one.domain].update(tool for tool in chosen if tool in TOOLS)
    return {
        domain: {tool: count / counts.total() for tool, count in counts.most_common()}
        for domain, counts in sorted(calls.items())
        if counts
    }


def _mistakes(
    records: Iterable[Judgement], group: Callable[[Judgement], str]
) -> dict[str, Mistakes]:
    groups = grouped((group(one), not one.correct) for one in records)
    return {name: Mistakes(len(wrong), sum(wrong)) for name, wrong in groups.items()}


def _cost(records: Sequence[Judgement]) -> dict[str, Cost]:
    names = ("calls", "prompt", "generated", "seconds", "cost")
    sums: dict[str, Counter[str]] = defaultdict(Counter)
    for one in records:
        for role, entry in one.ledger.items():
            sums[role].update({name: entry.get(name, 0) for name in names})
    return {
        role: Cost(*(total[name] / len(records) for name in names))
        for role, total in sorted(sums.items())
    }


def markdown(table: Sequence[Row]) -> str:
    """The rows as Markdown: a line each, then what they are made of."""
    parts = []
    for title, cells in _PARTS:
        if lines := [{"verifier": row.arm, **cell} for row in table for cell in cells(row)]:
            parts.append(f"{title}\n\n{tables.table(lines)}" if title else tables.table(lines))
    return "\n\n".join(parts)


Cells = dict[str, str]


def _line(row: Row) -> Iterator[Cells]:
    undecided = row.right.undecided + row.wrong.undecided
    models = [one for role, one in row.cost.items() if not role.startswith(TOOL)]
    priced = any(one.dollars for one in row.cost.values())
    calls = sum(one.calls for role, one in row.cost.items() if role.startswith(TOOL))
    yield {
        "solutions": str(row.solutions),
        "accuracy": row.accuracy.percent(),
        "precision": tables.percent(row.precision),
        "recall": tables.percent(row.recall),
        "accuracy of decided": tables.percent(row.decided_accuracy),
        "accuracy, undecided as incorrect": row.paper_accuracy.percent(),
        "undecided": tables.percent(undecided / row.solutions),
        "tool calls": f"{calls:.2f}",
        "tokens in": f"{sum(one.prompt for one in models):.0f}",
        "out": f"{sum(one.generated for one in models):.0f}",
        "dollars": f"{sum(one.dollars for one in models):.4g}" if priced else tables.NOTHING,
    }


def _sides(row: Row) -> Iterator[Cells]:
    for side, outcomes, scores in (
        ("right", row.right, row.right_scores),
        ("wrong", row.wrong, row.wrong_scores),
    ):
        counts = {name: str(count) for name, count in asdict(outcomes).items()}
        names = ("mean", "std", "least", "25 %", "median", "75 %", "largest")
        values = [scores.mean, scores.std, *scores.quantiles] if scores else [None] * len(names)
        shown = zip(names, (tables.number(value, 3) for value in values), strict=True)
        many = str(scores.count if scores else 0)
        apart = {"AUC": row.auc, "AUC of Correct": row.correct_auc}
        told = {k: tables.number(v, 3) if side == "right" else "" for k, v in apart.items()}
        yield {"solutions": side, **counts, "scores": many, **dict(shown), **told}


def _tool_shares(row: Row) -> Iterator[Cells]:
    for domain, shares in row.tools.items():
        parts = (f"{tool} {tables.percent(one)}" for tool, one in shares.items())
        yield {"domain": domain, "tools": ", ".join(parts)}


def _kinds(row: Row) -> Iterator[Cells]:
    for kind, count in row.kinds.items():
        yield {"kind": kind or tables.NOTHING, "verdicts": str(count)}


def _by(title: str, groups: Mapping[str, Mistakes]) -> Iterator[Cells]:
    for name, one in groups.items():
        counts = {"verdicts": str(one.verdicts), "wrong": str(one.wrong)}
        yield {title: name, **counts, "share": tables.percent(one.wrong / one.verdicts)}


def _costs(row: Row) -> Iterator[Cells]:
    for role, one in row.cost.items():
        yield {
            "role": role,
            "calls": f"{one.calls:.2f}",
            "tokens in": f"{one.prompt:.0f}",
            "out": f"{one.generated:.0f}",
            "seconds": f"{one.seconds:.2f}",
            "dollars": f"{one.dollars:.4g}" if one.dollars else tables.NOTHING,
        }


_PARTS: tuple[tuple[str, Callable[[Row], Iterator[Cells]]], ...] = (
    ("", _line),
    ("The solutions that are right or wrong, and their verdicts' scores:", _sides),
    ("Tools that the model chose, in shares of their calls:", _tool_shares),
    ("Not passed, by kind:", _kinds),
    ("Wrong verdicts by type of problem:", lambda row: _by("type", row.types)),
    ("Wrong verdicts by difficulty:", lambda row: _by("difficulty", row.difficulties)),
    ("Cost of a solution by role:", _costs),
)
"""Of each table: what stands above it, and its lines of a row."""
