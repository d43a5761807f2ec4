"""What verdicts on recorded solutions are worth (VerifiAgent, section 4 and 5), and what they cost.

The positive class is Correct: precision is the share of passed solutions that are right, recall the
share of right solutions that were passed. A verdict that could not be decided passes nothing and
counts as wrong in the accuracy, whatever the solution; how many there are stands apart.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from agentflow.evaluation.report import Interval, wilson
from agentflow.evaluation.verdicts import Record

TOOL = "tool:"
"""What the roles of tools begin with in a ledger."""

_DIGITS = 9
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


@dataclass(frozen=True, slots=True)
class Row:
    """One verifier's line; runs that failed do not count.

    Attributes:
        solutions: How many were judged.
        accuracy, precision, recall: With 95 % intervals, as if verdicts were independent;
            precision is None where nothing was passed, recall where no solution is right.
        right, wrong: What became of the solutions that are right, and of those that are wrong.
        right_scores, wrong_scores: Their verdicts' scores; None where none has any.
        tools: By domain, the share of each tool in the calls that the verifier chose to make.
        kinds: How often each kind of verdict came that passes nothing; an empty one has no name.
        types, difficulties: Wrong verdicts by the problem's type and difficulty, where it has one.
        cost: By role, tools included.
        seconds: A solution, beside whatever ran at the same time.
    """

    arm: str
    solutions: int
    accuracy: Interval
    precision: Interval | None
    recall: Interval | None
    right: Outcomes
    wrong: Outcomes
    right_scores: Scores | None
    wrong_scores: Scores | None
    tools: dict[str, dict[str, float]]
    kinds: dict[str, int]
    types: dict[str, Mistakes]
    difficulties: dict[str, Mistakes]
    cost: dict[str, Cost]
    seconds: float


def rows(records: Iterable[Record]) -> list[Row]:
    """One row per verifier, in the order in which they first appear."""
    arms: dict[str, list[Record]] = defaultdict(list)
    for record in records:
        if record.kind != "failed":
            arms[record.arm].append(record)
    return [_row(arm, found) for arm, found in arms.items()]


def _row(arm: str, records: Sequence[Record]) -> Row:
    right, wrong = ([one for one in records if one.right is side] for side in (True, False))
    passed = [one for one in records if one.ok]
    return Row(
        arm=arm,
        solutions=len(records),
        accuracy=wilson(sum(one.correct for one in records), len(records)),
        precision=_share(passed, lambda one: one.right),
        recall=_share(right, lambda one: one.ok is True),
        right=_outcomes(right),
        wrong=_outcomes(wrong),
        right_scores=_scores(right),
        wrong_scores=_scores(wrong),
        tools=_tools(records),
        kinds=dict(Counter(one.kind for one in records if not one.ok).most_common()),
        types=_mistakes(records, lambda one: one.type),
        difficulties=_mistakes(records, lambda one: one.difficulty),
        cost=_cost(records),
        seconds=sum(one.seconds for one in records) / len(records),
    )


def _share(records: Sequence[Record], holds: Callable[[Record], bool]) -> Interval | None:
    return wilson(sum(map(holds, records)), len(records)) if records else None


def _outcomes(records: Sequence[Record]) -> Outcomes:
    found = Counter(one.ok for one in records)
    return Outcomes(found[True], found[False], found[None])


def _scores(records: Sequence[Record]) -> Scores | None:
    values = np.array([one.score for one in records if one.score is not None])
    if not len(values):
        return None
    quantiles = tuple(map(float, np.quantile(values, _QUANTILES)))
    return Scores(len(values), float(values.mean()), float(values.std()), quantiles)


def _tools(records: Iterable[Record]) -> dict[str, dict[str, float]]:
    calls: dict[str, Counter[str]] = defaultdict(Counter)
    for one in records:
        calls[one.domain].update(call["tool"] for call in one.evidence.get("calls", ()))
    return {
        domain: {tool: count / counts.total() for tool, count in counts.most_common()}
        for domain, counts in sorted(calls.items())
        if counts
    }


def _mistakes(records: Iterable[Record], group: Callable[[Record], str]) -> dict[str, Mistakes]:
    groups: dict[str, list[bool]] = defaultdict(list)
    for one in records:
        if name := group(one):
            groups[name].append(not one.correct)
    names = sorted(groups, key=lambda name: name.zfill(_DIGITS) if name.isdigit() else name)
    return {name: Mistakes(len(groups[name]), sum(groups[name])) for name in names}


def _cost(records: Sequence[Record]) -> dict[str, Cost]:
    names = ("calls", "prompt", "generated", "seconds")
    sums: dict[str, Counter[str]] = defaultdict(Counter)
    for one in records:
        for role, entry in one.ledger.items():
            sums[role].update({name: entry[name] for name in names})
    return {
        role: Cost(*(total[name] / len(records) for name in names))
        for role, total in sorted(sums.items())
    }


def markdown(table: Sequence[Row]) -> str:
    """The rows as Markdown: a line each, then what they are made of."""
    parts = []
    for title, head, lines in _PARTS:
        cells = [f"| {row.arm} | {' | '.join(line)} |" for row in table for line in lines(row)]
        rule = "|".join("---" for _ in head.split(" | "))
        if cells:
            parts.append("\n".join([*title, f"| verifier | {head} |", f"|---|{rule}|", *cells]))
    return "\n\n".join(parts)


def _line(row: Row) -> Iterator[list[str]]:
    undecided = row.right.undecided + row.wrong.undecided
    models = [one for role, one in row.cost.items() if not role.startswith(TOOL)]
    tools = [one for role, one in row.cost.items() if role.startswith(TOOL)]
    yield [
        str(row.solutions),
        row.accuracy.percent(),
        *("–" if one is None else one.percent() for one in (row.precision, row.recall)),
        _percent(undecided / row.solutions),
        f"{sum(one.calls for one in tools):.2f}",
        f"{sum(one.prompt for one in models):.0f}",
        f"{sum(one.generated for one in models):.0f}",
    ]


def _sides(row: Row) -> Iterator[list[str]]:
    for side, outcomes, scores in (
        ("right", row.right, row.right_scores),
        ("wrong", row.wrong, row.wrong_scores),
    ):
        counts = [str(n) for n in (outcomes.passed, outcomes.refused, outcomes.undecided)]
        values = ["–"] * (2 + len(_QUANTILES))
        if scores is not None:
            values = [f"{one:.3f}" for one in (scores.mean, scores.std, *scores.quantiles)]
        yield [side, *counts, str(scores.count if scores else 0), *values]


def _tool_shares(row: Row) -> Iterator[list[str]]:
    for domain, shares in row.tools.items():
        yield [domain, ", ".join(f"{tool} {_percent(share)}" for tool, share in shares.items())]


def _kinds(row: Row) -> Iterator[list[str]]:
    for kind, count in row.kinds.items():
        yield [kind or "–", str(count)]


def _by(groups: Mapping[str, Mistakes]) -> Iterator[list[str]]:
    for name, one in groups.items():
        yield [name, str(one.verdicts), str(one.wrong), _percent(one.wrong / one.verdicts)]


def _costs(row: Row) -> Iterator[list[str]]:
    for role, one in row.cost.items():
        counts = (f"{one.calls:.2f}", f"{one.prompt:.0f}", f"{one.generated:.0f}")
        yield [role, *counts, f"{one.seconds:.2f}"]


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


_PARTS: tuple[tuple[tuple[str, ...], str, Callable[[Row], Iterator[list[str]]]], ...] = (
    (
        (),
        "solutions | accuracy | precision | recall | undecided | tool calls | tokens in | out",
        _line,
    ),
    (
        ("The solutions that are right or wrong, and their verdicts' scores:", ""),
        "solutions | passed | refused | undecided | scores | mean | std | least | 25 % | median | "
        "75 % | largest",
        _sides,
    ),
    (("Tools that were chosen, in shares of their calls:", ""), "domain | tools", _tool_shares),
    (("Not passed, by kind:", ""), "kind | verdicts", _kinds),
    (
        ("Wrong verdicts by type of problem:", ""),
        "type | verdicts | wrong | share",
        lambda row: _by(row.types),
    ),
    (
        ("Wrong verdicts by difficulty:", ""),
        "difficulty | verdicts | wrong | share",
        lambda row: _by(row.difficulties),
    ),
    (
        ("Cost of a solution by role:", ""),
        "role | calls | tokens in | out | seconds",
        _costs,
    ),
)
"""Of each table: the lines above it, its head, and its lines of a row."""
