"""What the runs of a comparison come to: a line an arm, by itself and beside a baseline, and every
two arms beside each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from math import isnan, nan
from statistics import mean
from typing import Any

from agentflow.evaluation import markdown as tables
from agentflow.evaluation.collected import Collected
from agentflow.evaluation.compute import Compute, Size, compute
from agentflow.evaluation.intervals import Interval, grouped_mean, mcnemar, share, wilson
from agentflow.evaluation.records import by_arm
from agentflow.evaluation.runner import Record


@dataclass(frozen=True, slots=True)
class Summary:
    """One arm's line; costs are means a run, and runs that failed do not count.

    Attributes:
        accuracy: Right answers over all runs.
        answered: Answers given over all runs (coverage).
        sound: Right answers over those given (interwhen); None where none was.
        verified: How many answers had the status verified or incomplete; ``verified_sound`` are the
            right ones among them.
        judged: How many answers the domain's verifier judged; None where that was not recorded.
        tokens: Generated, wasted ones and probes included.
        roles: Generated tokens by role; empty where that was not recorded.
        probes, tools: Calls.
        samples: Trajectories that a run took; None where that was not recorded.
        dollars: A run, as far as the models' prices are known; None where none is.
        compute: F_theo and S_CI; None where something is not known, and then ``why``.
    """

    arm: str
    method: str
    runs: int
    accuracy: Interval
    answered: Interval
    sound: Interval | None
    verified: int
    verified_sound: Interval | None
    judged: int | None
    tokens: float
    wasted: float
    prompt: float
    calls: float
    corrections: float
    seconds: float
    roles: dict[str, float]
    probes: float | None
    tools: float | None
    compute: Compute | None
    why: str = ""
    samples: float | None = None
    dollars: float | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """An arm beside another, over the runs that both have.

    Attributes:
        runs: How many those are.
        gain: Accuracy of ``arm`` over that of ``base``, with a bootstrap interval over problems.
        tokens: Tokens of ``arm`` over those of ``base``, alike.
        only_arm, only_base: Runs that only one of them has right.
        p: McNemar's exact, two-sided; None where problems were run with several seeds, for those
            runs are not independent.
    """

    arm: str
    base: str
    runs: int
    gain: Interval
    tokens: Interval
    only_arm: int
    only_base: int
    p: float | None


def summaries(found: Collected) -> list[Summary]:
    """A line for each arm that has a run which did not fail."""
    lines = []
    for arm, line in found.arms.items():
        if records := found.finished(arm):
            lines.append(summary(arm, str(line["method"]), records, found.sizes.get(arm, {})))
    return lines


def summary(
    arm: str, method: str, records: Sequence[Record], sizes: Mapping[str, Size | str]
) -> Summary:
    """The line of an arm; none of its records is of a run that failed."""
    runs, right = len(records), sum(record.right for record in records)
    given = [record for record in records if record.answer is not None]
    verified = [record for record in given if record.status in ("verified", "incomplete")]
    judged = [record.extra["judged"] for record in records if "judged" in record.extra]
    ledgers = [record.extra["roles"] for record in records if "roles" in record.extra]
    roles, probes, tools = dict[str, float](), None, None
    if len(ledgers) == runs:
        names = dict.fromkeys(role for one in ledgers for role in one)
        sums = {
            role: sum(one.get(role, {}).get("generated", 0) for one in ledgers) for role in names
        }
        roles = {role: total / runs for role, total in sums.items() if total}
        calls = {role: sum(one.get(role, {}).get("calls", 0) for one in ledgers) for role in names}
        probes = calls.get("probe", 0) / runs
        tools = sum(number for role, number in calls.items() if role.startswith("tool:")) / runs
    cost, why = _compute(ledgers, runs, sizes)
    samples = [record.extra["samples"] for record in records if "samples" in record.extra]
    dollars = sum(entry.get("cost", 0.0) for one in ledgers for entry in one.values()) / runs
    return Summary(
        arm,
        method,
        runs,
        wilson(right, runs),
        wilson(len(given), runs),
        _sound(given),
        len(verified),
        _sound(verified),
        sum(judged) if len(judged) == runs else None,
        mean(record.tokens for record in records),
        mean(record.wasted for record in records),
        mean(record.prompt for record in records),
        mean(record.calls for record in records),
        mean(record.corrections for record in records),
        mean(record.seconds for record in records),
        roles,
        probes,
        tools,
        cost,
        why,
        mean(samples) if len(samples) == runs else None,
        dollars or None,
    )


def _sound(records: Sequence[Record]) -> Interval | None:
    """The right ones among answers that were given."""
    return share([record.right for record in records])


def _compute(
    ledgers: Sequence[Mapping[str, Mapping[str, float]]],
    runs: int,
    sizes: Mapping[str, Size | str],
) -> tuple[Compute | None, str]:
    """F_theo and S_CI, or why they are not known."""
    if len(ledgers) < runs:
        return None, "costs by role were not recorded"
    if "solver" not in sizes:
        return None, "the models' sizes were not recorded"
    used = {role for one in ledgers for role in one if not role.startswith("tool:")}
    for role in ("solver", *sorted(used)):
        if isinstance(why := sizes.get(role), str):
            return None, why
    known = {role: size for role, size in sizes.items() if isinstance(size, Size)}
    return compute(ledgers, known), ""


def pairs(ours: Sequence[Record], base: Sequence[Record]) -> list[tuple[Record, Record]]:
    """The runs that two arms have in common, on the same problem with the same seed."""
    theirs = {record.key[1:]: record for record in base}
    return [(one, theirs[one.key[1:]]) for one in ours if one.key[1:] in theirs]


def paired(
    ours: Sequence[Record],
    base: Sequence[Record],
    value: Callable[[Record], float] = lambda record: float(record.right),
) -> Interval:
    """Mean difference of two arms over the runs both have, with a bootstrap interval.

    Whole problems are resampled, all their seeds together: runs on one problem are not
    independent.

    Raises:
        ValueError: If they have none in common.
    """
    common = pairs(ours, base)
    return grouped_mean((one.problem, value(one) - value(other)) for one, other in common)


def comparisons(found: Collected) -> list[Comparison]:
    """Every two arms that have a run in common, the later one beside the earlier."""
    lines = []
    for base, arm in combinations(found.arms, 2):
        ours, theirs = found.finished(arm), found.finished(base)
        if not (common := pairs(ours, theirs)):
            continue
        only_arm = sum(one.right and not other.right for one, other in common)
        only_base = sum(other.right and not one.right for one, other in common)
        once = len({one.problem for one, _ in common}) == len(common)
        p = mcnemar(only_arm, only_base) if once else None
        gain, tokens = paired(ours, theirs), paired(ours, theirs, lambda r: float(r.tokens))
        lines.append(Comparison(arm, base, len(common), gain, tokens, only_arm, only_base, p))
    return lines


@dataclass(frozen=True, slots=True)
class Row:
    """One arm's line beside a baseline.

    Attributes:
        accuracy: Right answers over all problems: abstaining does not pay.
        sound: Right answers over emitted ones; None if none was emitted.
        emitted: Answers emitted.
        tokens: Generated tokens a problem, wasted ones included.
        relative_tokens, relative_seconds: Relative to the baseline, on the runs that both have;
            not a number where that generated nothing.
        wasted: Wasted tokens a problem.
        corrections: Corrections a problem.
        gain: Accuracy over the baseline's, paired; None for the baseline itself, and where the
            two have no run in common.
    """

    arm: str
    runs: int
    accuracy: Interval
    sound: float | None
    emitted: int
    tokens: float
    relative_tokens: float
    relative_seconds: float
    wasted: float
    corrections: float
    gain: Interval | None


def rows(records: Sequence[Record], baseline: str = "direct") -> list[Row]:
    """One row per arm, in the order in which arms first appear; runs that failed do not count."""
    arms = by_arm(records)
    base = arms.get(baseline, [])
    other = summary(baseline, "", base, {}) if base else None
    return [_row(summary(arm, "", found, {}), found, base, other) for arm, found in arms.items()]


def _row(
    line: Summary, records: Sequence[Record], base: Sequence[Record], other: Summary | None
) -> Row:
    is_base = other is not None and line.arm == other.arm
    common = pairs(records, base)
    return Row(
        line.arm,
        line.runs,
        line.accuracy,
        line.sound.value if line.sound else None,
        sum(record.answer is not None for record in records),
        line.tokens,
        _ratio(common, lambda record: record.tokens),
        _ratio(common, lambda record: record.seconds),
        line.wasted,
        line.corrections,
        paired(records, base) if not is_base and common else None,
    )


def _ratio(common: Sequence[tuple[Record, Record]], cost: Callable[[Record], float]) -> float:
    """What one arm cost over what the other did, on the runs that both have."""
    ours, theirs = (sum(cost(pair[n]) for pair in common) for n in (0, 1))
    return ours / (theirs or nan)


def plain(row: Row) -> dict[str, Any]:
    """A row as plain JSON; what is not a number is null."""
    return {
        name: None if isinstance(value, float) and isnan(value) else value
        for name, value in asdict(row).items()
    }


def markdown(table: Sequence[Row], baseline: str = "direct") -> str:
    """The rows as a Markdown table."""
    return tables.table(
        {
            "arm": row.arm,
            "runs": str(row.runs),
            "accuracy": row.accuracy.percent(),
            "gain, points": row.gain.points() if row.gain else "",
            "soundness": tables.percent(row.sound),
            "answered": tables.percent(row.emitted / row.runs),
            "tokens": f"{row.tokens:.0f}",
            f"tokens / {baseline}": f"{row.relative_tokens:.2f}",
            f"time / {baseline}": f"{row.relative_seconds:.2f}",
            "wasted": f"{row.wasted:.1f}",
            "corrections": f"{row.corrections:.2f}",
        }
        for row in table
    )


def by_difficulty(found: Collected) -> dict[str, list[Interval | None]]:
    """The accuracy of each arm on the third of the problems that took the first arm the fewest
    tokens, on the middle one, and on that which took it the most; None without a run there."""
    base = found.finished(next(iter(found.arms)))
    tokens: dict[str, list[int]] = {}
    for record in base:
        tokens.setdefault(record.problem, []).append(record.tokens)
    ordered = sorted(tokens, key=lambda problem: (mean(tokens[problem]), problem))
    third = {problem: 3 * rank // len(ordered) for rank, problem in enumerate(ordered)}
    lines: dict[str, list[Interval | None]] = {}
    for arm in found.arms:
        groups: list[list[Record]] = [[], [], []]
        for record in found.finished(arm):
            if record.problem in third:
                groups[third[record.problem]].append(record)
        if any(groups):
            lines[arm] = [_sound(group) for group in groups]
    return lines


def pareto(lines: Sequence[Summary]) -> list[Summary]:
    """The arms that no other beats in both tokens and accuracy, by their tokens."""
    front: list[Summary] = []
    for line in sorted(lines, key=lambda one: (one.tokens, -one.accuracy.value)):
        if not front or line.accuracy.value > front[-1].accuracy.value:
            front.append(line)
    return front
