"""A stand-in for an engine: random distributions in, tokens out, as its sampler would take them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from agentflow.vllm_plugin.ask import PROTOCOL, Ask, Report, Stop
from agentflow.vllm_plugin.core import Core, Needs, needs, reads_signals

CLOSE, PREFIX, TURN, END = 3, (9, 10), 1, 2
FIRST, BASE = 4, 1496
V = 1500


def asks(stop: Stop | None = None, report: Report | None = None, **more: object) -> Ask:
    return Ask.model_validate(
        {"protocol": PROTOCOL, "first": FIRST, "base": BASE, "stop": stop, "report": report} | more
    )


@dataclass
class Stream:
    """One request in an engine: its tokens come one by one.

    Attributes:
        script: What would be sampled, were nothing forced.
        tokens: What was.
    """

    ask: Ask
    script: Sequence[int]
    slot: int = 0
    tokens: list[int] = field(default_factory=list)
    barred: list[tuple[int, int]] = field(default_factory=list)

    @property
    def done(self) -> bool:
        ends = self.ask.report and self.tokens[-1:] == [self.ask.report.end]
        return bool(ends) or len(self.tokens) >= len(self.script)


def forced(row: torch.Tensor) -> int | None:
    """The token that a row of logits leaves no choice but."""
    best = int(row.argmax())
    return best if float(row[best]) > 1e8 else None


def step(core: Core, streams: Sequence[Stream], logits: torch.Tensor, first_row: int = 0) -> None:
    """One step of all streams, which are the rows from ``first_row`` on."""
    apply(core, streams, logits, first_row)
    for row, stream in enumerate(streams, first_row):
        at = len(stream.tokens)
        chosen = forced(logits[row])
        wanted = stream.script[at] if at < len(stream.script) else 5
        if chosen is None and logits[row, wanted] == float("-inf"):
            stream.barred.append((at, wanted))
            wanted = 20
        stream.tokens.append(wanted if chosen is None else chosen)


def apply(core: Core, streams: Sequence[Stream], logits: torch.Tensor, first_row: int = 0) -> None:
    """What the processor does of it."""
    whole = torch.int64
    rows = torch.arange(first_row, first_row + len(streams))
    last = torch.tensor([s.tokens[-1] if s.tokens else -1 for s in streams], dtype=whole)
    length = torch.tensor([len(s.tokens) for s in streams], dtype=whole)
    due = [i for i, s in enumerate(streams) if reads_signals(s.ask)]
    every = [needs(s.ask) for s in streams]
    need = Needs(*(any(getattr(n, f) for n in every) for f in Needs.__slots__))
    slots = torch.tensor([s.slot for s in streams], dtype=whole)
    core.step(logits, rows, slots, last, length, torch.tensor(due, dtype=whole), need)


def entropy_of(row: torch.Tensor) -> float:
    """In float64, from the definition."""
    logs = row.double().log_softmax(-1)
    return float(-(logs.exp() * logs).sum())


def distribution(generator: Any, rows: int = 1, scale: float = 3.0, width: int = V) -> Any:
    return torch.randn(rows, width, generator=generator) * scale


def seeded(seed: int) -> Any:
    return torch.Generator().manual_seed(seed)
