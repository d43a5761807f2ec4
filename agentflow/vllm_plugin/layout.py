"""Where in a slot's rows of numbers each thing stands, and what a request writes there.

A slot has a row of settings and one of state, each in whole numbers and in floats: so adding a
request is four copies, and a step reads and writes its rows at once, without asking the device.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any

from agentflow.vllm_plugin.ask import (
    CLOSE,
    CURVE,
    ENDS,
    GUARDED,
    PATTERN,
    PATTERNS,
    YES,
    Ask,
    Stop,
)
from agentflow.vllm_plugin.digits import RANGES, REASONS

HISTORY = 64
"""Last tokens that a slot remembers: the longest circle."""
RING = 32
"""Last confidences that it remembers."""
FIELDS = tuple(RANGES)
RULES = REASONS[1:8]
"""The rules, in the order in which one of several at the same token is named."""
NONE = -1


class Columns:
    """Names of columns, each one or several wide."""

    def __init__(self, **widths: int) -> None:
        ends = list(accumulate(widths.values()))
        self.width = ends[-1]
        self.at = {
            name: slice(end - width, end)
            for (name, width), end in zip(widths.items(), ends, strict=True)
        }
        self.one = {name: at.start for name, at in self.at.items() if at.stop == at.start + 1}

    def row(self, values: Mapping[str, Sequence[Any] | Any], empty: Any = NONE) -> list[Any]:
        """A row with ``values``, and ``empty`` wherever they say nothing."""
        row = [empty] * self.width
        for name, value in values.items():
            here = self.at[name]
            given = list(value) if isinstance(value, Iterable) else [value]
            row[here.start : here.start + len(given)] = given
        assert len(row) == self.width
        return row


SETTINGS = Columns(
    **dict.fromkeys(("first", "base", "probes", "every", "all", "start_first", "debias"), 1),
    **dict.fromkeys(("min_checks", "window", "times", "longest", "least_circle", "k", "budget"), 1),
    **dict.fromkeys(("least", "closes", "reports", "end", "curve", "room"), 1),
    fields=8,
    enabled=len(RULES),
    close=CLOSE,
    guard=GUARDED,
    after=GUARDED,
    patterns=PATTERNS * PATTERN,
    lead=PATTERN,
    ends=ENDS,
    yes=YES,
    no=YES,
)
LEVELS = Columns(**dict.fromkeys(("variance", "level", "alpha", "confidence"), 1))
STATE = Columns(
    **dict.fromkeys(("seen", "exit_at", "reason", "closed_at", "tail_at"), 1),
    **dict.fromkeys(("next_reason", "next_checked"), 1),
    **dict.fromkeys(("checks", "inside", "hash", "before", "length", "same"), 1),
    recent=HISTORY,
    circle=HISTORY,
)
"""``seen`` tokens were read; ``next_*`` holds what is only so once the next one came."""
NUMBERS = Columns(
    **dict.fromkeys(("mean", "raw", "next_mean", "next_raw", "next_value", "next_log"), 1),
    told=8,
    curve=CURVE,
    logs=RING,
)


def settings(ask: Ask, max_tokens: int) -> tuple[list[int], list[float]]:
    """A request's rows of settings."""
    stop = ask.stop or Stop(close=(0,))
    entropy, sure, stable, circle = stop.entropy, stop.confidence, stop.stable, stop.repetition
    enabled = {
        "entropy": entropy is not None and entropy.variance is not None,
        "entropy_level": entropy is not None and entropy.level is not None,
        "confidence": sure is not None,
        "pattern": bool(stop.patterns),
        "k_stable": stable is not None,
        "repetition": circle is not None,
        "budget": stop.budget is not None,
    }
    values: dict[str, Any] = {
        "first": ask.first,
        "base": ask.base,
        "probes": len(ask.probe),
        "fields": [FIELDS.index(field) for field in ask.probe],
        "yes": ask.yes,
        "no": ask.no,
        "enabled": [int(enabled[rule]) for rule in RULES],
        "every": stop.every,
        "all": int(stop.combine == "all"),
        "close": stop.close,
        "closes": len(stop.close),
        "guard": stop.guard,
        "least": stop.least,
        "budget": stop.budget or 0,
        "patterns": [one for pattern in stop.patterns for one in _right(pattern)],
        "reports": 0,
        "curve": 0,
        "room": max_tokens,
    }
    if entropy is not None:
        values |= {
            "start_first": int(entropy.first),
            "debias": int(entropy.debias),
            "min_checks": entropy.min_checks,
        }
    values["window"] = sure.window if sure is not None else 1
    if stable is not None:
        values |= {"lead": _right(stable.lead), "ends": stable.ends, "k": stable.k}
    if circle is not None:
        values |= {"times": circle.times, "longest": circle.longest, "least_circle": circle.least}
    if ask.report is not None:
        values |= {
            "reports": 1,
            "after": ask.report.after,
            "end": ask.report.end,
            "curve": ask.report.curve,
            "room": max_tokens - report_tokens(ask.report.curve),
        }
    levels = {
        "variance": entropy.variance if entropy and entropy.variance is not None else -1.0,
        "level": entropy.level if entropy and entropy.level is not None else -1.0,
        "alpha": entropy.alpha if entropy else 1.0,
        "confidence": sure.threshold if sure else 2.0,
    }
    return SETTINGS.row(values), LEVELS.row(levels, 0.0)


def fresh() -> tuple[list[int], list[float]]:
    """A slot's rows of state before its first token."""
    nothing = dict.fromkeys(("checks", "inside", "hash", "length", "same"), 0)
    zeros: dict[str, Any] = {**nothing, "next_checked": 0, "circle": [0] * HISTORY}
    return STATE.row(zeros), NUMBERS.row({}, 0.0)


def report_tokens(curve: int) -> int:
    """Tokens that a report with so many values takes at most, its end with it."""
    return 5 + 2 * curve


def _right(pattern: Sequence[int]) -> list[int]:
    """The ids at the right end of a row as long as the longest pattern."""
    return [NONE] * (PATTERN - len(pattern)) + list(pattern)
