"""What the runs of a comparison come to: a line an arm, and every two arms beside each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from statistics import mean

from agentflow.evaluation.collected import Collected
from agentflow.evaluation.compute import Compute, Size, compute
from agentflow.evaluation.report import Interval, paired, wilson
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
            lines.append(_summary(arm, str(line["method"]), records, found.sizes.get(arm, {})))
    return lines


def _summary(
    arm: str, method: str, records: Sequence[Record], sizes: Mapping[str, Size | str]
) -> Summary:
    runs, right = len(records), sum(record.right for record in records)
    given = [record for record in records if record.answer is not None]
    verified = [record for record in given if record.status in ("verified", "incomplete")]
    told = [record.extra["judged"] for record in records if "judged" in record.extra]
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
    return Summary(
        arm,
        method,
        runs,
        wilson(right, runs),
        wilson(len(given), runs),
        _share(given),
        len(verified),
        _share(verified),
        sum(told) if len(told) == runs else None,
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
    )


def _share(records: Sequence[Record]) -> Interval | None:
    """The right ones among answers that were given."""
    return wilson(sum(record.right for record in records), len(records)) if records else None


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


def comparisons(found: Collected) -> list[Comparison]:
    """Every two arms that have a run in common, the later one beside the earlier."""
    lines = []
    for base, arm in combinations(found.arms, 2):
        by_run = {(r.problem, r.seed): r for r in found.finished(base)}
        ours = [r for r in found.finished(arm) if (r.problem, r.seed) in by_run]
        if not ours:
            continue
        theirs = [by_run[record.problem, record.seed] for record in ours]
        pairs = list(zip(ours, theirs, strict=True))
        only_arm = sum(one.right and not other.right for one, other in pairs)
        only_base = sum(other.right and not one.right for one, other in pairs)
        once = len({record.problem for record in ours}) == len(ours)
        p = mcnemar(only_arm, only_base) if once else None
        gain, tokens = paired(ours, theirs), paired(ours, theirs, lambda r: float(r.tokens))
        lines.append(Comparison(arm, base, len(ours), gain, tokens, only_arm, only_base, p))
    return lines


def mcnemar(one: int, other: int) -> float:
    """McNemar's exact test: the two-sided p-value for ``one`` and ``other`` pairs that only one
    side has right, of which under the hypothesis half fall on each."""
    n = one + other
    tail = sum(comb(n, k) for k in range(min(one, other) + 1))
    return float(min(1.0, 2 * tail / 2**n))


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
            lines[arm] = [_share(group) for group in groups]
    return lines


def pareto(lines: Sequence[Summary]) -> list[Summary]:
    """The arms that no other beats in both tokens and accuracy, by their tokens."""
    front: list[Summary] = []
    for line in sorted(lines, key=lambda one: (one.tokens, -one.accuracy.value)):
        if not front or line.accuracy.value > front[-1].accuracy.value:
            front.append(line)
    return front
