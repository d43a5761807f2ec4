"""What the runs of arms come to, metric by metric."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from agentflow.evaluation import traces
from agentflow.evaluation.compute import Compute, Size, compute
from agentflow.evaluation.intervals import (
    Interval,
    bootstrap,
    grouped_mean,
    ratio,
    share,
    unsure,
    wilson,
)
from agentflow.evaluation.runner import Record
from agentflow.evaluation.summary import paired, pairs
from agentflow.run import Result

_RESAMPLES = 200
"""Of what is no mean of single runs."""


@dataclass(frozen=True, slots=True)
class Ran:
    """The runs of an arm that did not fail, and what they are measured beside.

    Attributes:
        base: Those of the arm that tokens are relative to.
        sizes: Of the models, by role in the ledger.
    """

    records: Sequence[Record]
    base: Sequence[Record]
    sizes: Mapping[str, Size]


def keep(folder: Path | None, result: Result, right: bool) -> dict[str, Any]:
    """What ``agentflow eval`` keeps of a result, how many ``samples`` there were where it names
    none, and the ``cost`` in dollars."""
    return {"samples": 1, "cost": result.cost.cost} | traces.keep(folder, result, right)


def measured(metric: str, ran: Ran) -> Interval | None:
    """A metric of an arm with its 95 % interval; None where nothing tells.

    Raises:
        KeyError: If there is no such metric.
    """
    name, _, of = metric.partition(".")
    if name == "usage":
        return _usage(ran.records, *of.partition(".")[::2])
    return METRICS[name](ran) if ran.records else None


def _accuracy(ran: Ran) -> Interval:
    return _mean(ran.records, lambda one: float(one.right))


def _mean(records: Sequence[Record], value: Callable[[Record], float]) -> Interval:
    """The mean; of shares where each problem was run once, with Wilson's interval."""
    values = [value(one) for one in records]
    if len({one.problem for one in records}) == len(records) and set(values) <= {0.0, 1.0}:
        return wilson(round(sum(values)), len(values))
    found = grouped_mean((one.problem, value(one)) for one in records)
    shares = set(values) <= {0.0, 1.0}
    return unsure(found, len({one.problem for one in records})) if shares else found


def _extra(name: str) -> Callable[[Ran], Interval | None]:
    def found(ran: Ran) -> Interval | None:
        records = [one for one in ran.records if name in one.extra]
        return _mean(records, lambda one: float(one.extra[name])) if records else None

    return found


def _relative(ran: Ran) -> Interval | None:
    """Tokens over the base arm's, on the runs that both have; problems are resampled whole."""
    both = pairs(ran.records, ran.base)
    if not sum(other.tokens for _, other in both):
        return None
    problems = {one.problem for one, _ in both}
    ours, theirs = (
        [sum(pair[side].tokens for pair in both if pair[0].problem == p) for p in problems]
        for side in (0, 1)
    )
    return bootstrap(ratio, ours, theirs, paired=True)


def _reduction(ran: Ran) -> Interval | None:
    found = _relative(ran)
    return None if found is None else Interval(1 - found.value, 1 - found.high, 1 - found.low)


def _beside(value: Callable[[Record], float]) -> Callable[[Ran], Interval | None]:
    return lambda ran: (
        paired(ran.records, ran.base, value) if pairs(ran.records, ran.base) else None
    )


def _compute(part: Callable[[Compute], float]) -> Callable[[Ran], Interval | None]:
    def found(ran: Ran) -> Interval | None:
        ledgers = [one.extra["roles"] for one in ran.records if "roles" in one.extra]
        if len(ledgers) < len(ran.records) or "solver" not in ran.sizes:
            return None
        draws = np.random.default_rng(0).integers(len(ledgers), size=(_RESAMPLES, len(ledgers)))
        values = [part(compute([ledgers[index] for index in draw], ran.sizes)) for draw in draws]
        low, high = np.quantile(values, (0.025, 0.975))
        return Interval(part(compute(ledgers, ran.sizes)), float(low), float(high))

    return found


def _usage(records: Sequence[Record], what: str, name: str) -> Interval | None:
    """The share of the iterations that used a tool, or a strategy."""
    choices = [one for record in records for one in record.extra.get("choices", ())]
    used = [name in (one["tools"] if what == "tools" else [one["strategy"]]) for one in choices]
    return share(used)


METRICS: dict[str, Callable[[Ran], Interval | None]] = {
    "accuracy": _accuracy,
    "answered": lambda ran: _mean(ran.records, lambda one: float(one.answer is not None)),
    "sound": lambda ran: share([one.right for one in ran.records if one.answer is not None]),
    "tokens": lambda ran: _mean(ran.records, lambda one: float(one.tokens)),
    "relative tokens": _relative,
    "reduction": _reduction,
    "gain": _beside(lambda one: float(one.right)),
    "token difference": _beside(lambda one: float(one.tokens)),
    "samples": _extra("samples"),
    "cost": _extra("cost"),
    "f_theo": _compute(lambda one: one.flops),
    "s_ci": _compute(lambda one: one.intensity),
}
"""What is measured on runs of methods, by name; ``usage.tools.NAME`` and ``usage.compute.NAME``
beside them."""


def mended(records: Sequence[Record], right: Mapping[tuple[str, str], bool]) -> list[Record]:
    """Records whose answers a judge was asked about: right is what it said."""
    return [
        Record(**asdict(one) | {"right": right.get((one.problem, one.answer or ""), one.right)})
        for one in records
    ]
