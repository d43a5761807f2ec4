"""The rules, over all rows of a batch at once.

Each is a fold over tokens or over signals. A step may be computed twice (a prompt is read in
parts, and each part ends in a distribution that nothing is sampled from), so what it finds is
``next_*`` in the state, and becomes so when the next token shows that it was meant.
"""

from __future__ import annotations

import torch

from agentflow.vllm_plugin.ask import CURVE, PATTERN, PATTERNS
from agentflow.vllm_plugin.layout import (
    HISTORY,
    LEVELS,
    NONE,
    NUMBERS,
    RING,
    RULES,
    SETTINGS,
    STATE,
)

_LONGEST_ANSWER = 64
"""Tokens; what is longer is no answer."""
_PRIME = 1_000_003
_SEVERAL = len(RULES) + 1
_LENGTH = _SEVERAL + 1


class Rows:
    """The rows of one step's requests, copied from their slots; :meth:`Core.step` copies back."""

    def __init__(
        self,
        settings: torch.Tensor,
        levels: torch.Tensor,
        state: torch.Tensor,
        numbers: torch.Tensor,
    ) -> None:
        self._settings, self._levels = settings, levels
        self.state, self.numbers = state, numbers

    def set(self, name: str) -> torch.Tensor:
        """A setting; two dimensions where it has several columns."""
        one = SETTINGS.one.get(name)
        return self._settings[:, SETTINGS.at[name]] if one is None else self._settings[:, one]

    def level(self, name: str) -> torch.Tensor:
        return self._levels[:, LEVELS.one[name]]

    def get(self, name: str) -> torch.Tensor:
        """A column (or columns) of the state, to read and write."""
        one = STATE.one.get(name)
        return self.state[:, STATE.at[name]] if one is None else self.state[:, one]

    def num(self, name: str) -> torch.Tensor:
        """The same of its floats."""
        one = NUMBERS.one.get(name)
        return self.numbers[:, NUMBERS.at[name]] if one is None else self.numbers[:, one]

    def put(self, name: str, where: torch.Tensor, value: torch.Tensor | float) -> None:
        """Write ``value`` where the condition holds."""
        target = self.get(name) if name in STATE.at else self.num(name)
        if target.dim() == 2 and where.dim() == 1:
            where = where[:, None]
        target.copy_(torch.where(where, value, target))

    @property
    def thinking(self) -> torch.Tensor:
        stops = self.set("probes") == 0
        return stops & (self.get("exit_at") < 0) & (self.get("closed_at") < 0)


def advance(rows: Rows, last: torch.Tensor, length: torch.Tensor) -> torch.Tensor:
    """Take what the step before found, where its token came; where that is, and is thinking."""
    came = (length == rows.get("seen") + 1) & (length > 0)
    checked = came & (rows.get("next_checked") > 0)
    for name in ("mean", "raw"):
        rows.put(name, checked, rows.num(f"next_{name}"))
    count = rows.get("checks")
    for ring, value, size in (("curve", "next_value", CURVE), ("logs", "next_log", RING)):
        here = torch.arange(size, device=count.device)[None, :] == (count % size)[:, None]
        rows.put(ring, checked[:, None] & here, rows.num(value)[:, None])
    rows.put("checks", checked, count + 1)
    leaves = came & (rows.get("next_reason") >= 0) & rows.thinking
    rows.put("exit_at", leaves, rows.get("seen"))
    rows.put("reason", leaves, rows.get("next_reason"))
    reads = came & rows.thinking
    closed = reads & (last == rows.set("close")[:, 0])
    rows.put("closed_at", closed, length)
    rows.put("reason", closed, 0)
    return reads & ~closed


def read_tokens(rows: Rows, last: torch.Tensor, reads: torch.Tensor) -> None:
    """Remember a token of thinking; how long each circle has been gone round."""
    recent = rows.get("recent").clone()
    again = last[:, None] == recent.flip(1)  # column i: the same as i + 1 tokens before
    rows.put("circle", reads, torch.where(again, rows.get("circle") + 1, 0))
    rows.put("recent", reads, torch.cat([recent[:, 1:], last[:, None]], dim=1))


def read_answers(rows: Rows, last: torch.Tensor, reads: torch.Tensor) -> None:
    """Follow what stands between an answer's lead and its end."""
    inside = reads & (rows.get("inside") > 0)
    ends = inside & (rows.set("ends") == last[:, None]).any(dim=1)
    more = inside & ~ends
    whole = ends & (rows.get("length") > 0)
    equal = (rows.get("hash") == rows.get("before")) & (rows.get("same") > 0)
    rows.put("same", whole, torch.where(equal, rows.get("same") + 1, 1))
    rows.put("before", whole, rows.get("hash"))
    rows.put("hash", more, rows.get("hash") * _PRIME + last + 1)
    rows.put("length", more, rows.get("length") + 1)
    rows.put("inside", ends | (rows.get("length") > _LONGEST_ANSWER), 0)
    begins = reads & _matches(rows.set("lead"), rows.get("recent"))
    rows.put("inside", begins, 1)
    for name in ("hash", "length"):
        rows.put(name, begins, 0)


def decide(
    rows: Rows, length: torch.Tensor, entropy: torch.Tensor, top: torch.Tensor
) -> torch.Tensor:
    """Whether the thinking ends before the next token; also kept as ``next_reason``.

    Args:
        entropy: Of the next token's distribution.
        top: Log-probability of the likeliest one.
    """
    enabled = rows.set("enabled") > 0
    signals = enabled[:, :3].any(dim=1)
    thinking = rows.thinking & (length > 0)
    checked = thinking & signals & (length % rows.set("every").clamp_min(1) == 0)
    variance, mean, checks = _average(rows, entropy)
    steady = checks >= rows.set("min_checks")
    recent = rows.get("recent")
    fired = torch.stack(
        [
            checked & steady & (variance < rows.level("variance")),
            checked & steady & (mean < rows.level("level")),
            checked & (_sure(rows, top) > rows.level("confidence")),
            _any_pattern(rows, recent),
            rows.get("same") >= rows.set("k"),
            _circles(rows),
            length >= rows.set("budget"),
        ],
        dim=1,
    )
    fired &= enabled
    first = fired.int().argmax(dim=1) + 1
    every = (fired == enabled).all(dim=1) & enabled.any(dim=1)
    wants_all = rows.set("all") > 0
    leaves = thinking & torch.where(wants_all, every, fired.any(dim=1))
    reason = torch.where(wants_all, _SEVERAL, first)
    rows.get("next_reason").copy_(torch.where(leaves, reason, NONE))
    rows.get("next_checked").copy_(checked)
    reads_entropy = enabled[:, :2].any(dim=1)
    rows.num("next_value").copy_(torch.where(reads_entropy, entropy, top.exp()))
    rows.num("next_log").copy_(top)
    return leaves


def finish(rows: Rows, last: torch.Tensor, length: torch.Tensor) -> None:
    """Begin the report where the stream has come to its end, or to the end of its room."""
    reports = (rows.set("reports") > 0) & (rows.get("tail_at") < 0) & (length > 0)
    full = reports & (length >= rows.set("room"))
    after = reports & ((rows.set("after") == last[:, None]) & (last >= 0)[:, None]).any(dim=1)
    thinking = rows.thinking
    rows.put("reason", after & thinking, 0)
    rows.put("reason", full & ~after & thinking, _LENGTH)
    rows.put("closed_at", after & thinking, length)
    rows.put("closed_at", full & ~after & thinking, length + 1)
    rows.put("tail_at", after | full, length)


def _average(rows: Rows, entropy: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The variance and mean with one more value, and of how many; kept as ``next_*``.

    The same operations in the same order as :class:`agentflow.monitors.rules.Average`.
    """
    alpha, checks = rows.level("alpha"), rows.get("checks") + 1
    first = (rows.set("start_first") > 0) & (checks == 1)
    mean = (1 - alpha) * torch.where(first, entropy, rows.num("mean")) + alpha * entropy
    raw = (1 - alpha) * rows.num("raw") + alpha * (entropy - mean) ** 2
    corrected = raw / (1 - (1 - alpha) ** checks)
    variance = torch.where(rows.set("debias") > 0, corrected, raw)
    rows.num("next_mean").copy_(mean)
    rows.num("next_raw").copy_(raw)
    return variance, mean, checks


def _sure(rows: Rows, top: torch.Tensor) -> torch.Tensor:
    """The geometric mean of the likeliest tokens' probabilities over the window; 0 before it is
    full."""
    checks, window = rows.get("checks"), rows.set("window")
    ages = (checks[:, None] - 1 - torch.arange(RING, device=top.device)[None, :]) % RING
    counted = ages < (window - 1)[:, None]
    total = torch.where(counted, rows.num("logs"), 0.0).sum(dim=1) + top
    return torch.where(checks + 1 >= window, (total / window).exp(), 0.0)


def _matches(pattern: torch.Tensor, recent: torch.Tensor) -> torch.Tensor:
    """Whether the last tokens are the pattern's; an empty pattern matches nothing."""
    same = (pattern == recent[..., -PATTERN:]) | (pattern < 0)
    return same.all(dim=-1) & (pattern[..., -1] >= 0)


def _any_pattern(rows: Rows, recent: torch.Tensor) -> torch.Tensor:
    patterns = rows.set("patterns").reshape(-1, PATTERNS, PATTERN)
    return _matches(patterns, recent[:, None, :]).any(dim=1)


def _circles(rows: Rows) -> torch.Tensor:
    """Whether some circle was gone round often enough."""
    size = torch.arange(1, HISTORY + 1, device=rows.state.device)[None, :]
    again = rows.get("circle")
    often = again >= (rows.set("times")[:, None] - 1) * size
    long = again + size >= rows.set("least_circle")[:, None]
    return (often & long & (size <= rows.set("longest")[:, None])).any(dim=1)
