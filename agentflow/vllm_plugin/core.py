"""One step of a batch: read, decide, and force what is to come; tensors alone, nothing of vLLM.

Rows of requests that ask nothing are never read or written. Nothing is copied from the device.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from agentflow.vllm_plugin import rules, signals
from agentflow.vllm_plugin.ask import CURVE, SIGNATURE, Ask
from agentflow.vllm_plugin.digits import MOST, PLACES, RANGES
from agentflow.vllm_plugin.layout import (
    LEVELS,
    NONE,
    NUMBERS,
    SETTINGS,
    STATE,
    fresh,
    settings,
)
from agentflow.vllm_plugin.rules import Rows

FORCED = 1e9
"""The logit of a forced token: whatever the temperature, nothing else has any probability left,
and no other logit of the row needs to be written."""


@dataclass(frozen=True, slots=True)
class Needs:
    """What of a step some request needs, as the host knows without asking the device."""

    masses: bool = False
    tokens: bool = False
    answers: bool = False
    reports: bool = False


def needs(ask: Ask) -> Needs:
    """What a request needs."""
    stop = ask.stop
    answers = stop is not None and stop.stable is not None
    tokens = answers or (stop is not None and bool(stop.patterns or stop.repetition))
    masses = bool({"yes", "no"} & set(ask.probe))
    return Needs(masses, tokens, answers, ask.report is not None)


def reads_signals(ask: Ask) -> bool:
    """Whether the distribution itself is looked at."""
    return bool(ask.probe) or (
        ask.stop is not None and (ask.stop.entropy or ask.stop.confidence) is not None
    )


class Core:
    """The state of up to ``slots`` requests.

    Args:
        slots: Most at once.
        device: Where the logits are.
    """

    def __init__(self, slots: int, device: torch.device | str = "cpu") -> None:
        self.device = torch.device(device)
        whole = {"dtype": torch.int64, "device": self.device}
        real = {"dtype": torch.float64, "device": self.device}
        self.settings = torch.zeros(slots, SETTINGS.width, **whole)
        self.levels = torch.zeros(slots, LEVELS.width, **real)
        self.state = torch.zeros(slots, STATE.width, **whole)
        self.numbers = torch.zeros(slots, NUMBERS.width, **real)

    def add(self, slot: int, ask: Ask, max_tokens: int) -> None:
        """Give a slot to a request: whatever stood there is gone."""
        whole, real = settings(ask, max_tokens)
        state, numbers = fresh()
        for target, row in (
            (self.settings, whole),
            (self.levels, real),
            (self.state, state),
            (self.numbers, numbers),
        ):
            held = torch.tensor(row, dtype=target.dtype)
            target[slot].copy_(held, non_blocking=True)

    def resume(self, slots: torch.Tensor, ids: torch.Tensor, generated: torch.Tensor) -> None:
        """Requests that come back with tokens: where the close marker is among them, the thinking
        has ended.

        Args:
            ids, generated: A row of tokens for each slot, and which of them the model made.
        """
        close = self.settings[:, SETTINGS.at["close"].start].index_select(0, slots)
        closed = ((ids == close[:, None]) & generated).any(dim=1)
        column = STATE.one["closed_at"]
        self.state[slots, column] = torch.where(closed, 0, self.state[slots, column])

    def step(
        self,
        logits: torch.Tensor,
        rows: torch.Tensor,
        slots: torch.Tensor,
        last: torch.Tensor,
        length: torch.Tensor,
        due: torch.Tensor,
        need: Needs,
    ) -> None:
        """Read and change the logits of some rows, in place.

        Args:
            logits: Of the whole batch, a row each.
            rows: The n rows of requests that ask for something.
            slots: Their slots.
            last: Their last generated tokens; anything for one that has none.
            length: How many they have.
            due: Which of the n have a distribution that is to be read: places in ``rows``.
            need: What some of them need.
        """
        batch = Rows(
            self.settings.index_select(0, slots),
            self.levels.index_select(0, slots),
            self.state.index_select(0, slots),
            self.numbers.index_select(0, slots),
        )
        entropy = torch.zeros(len(rows), dtype=torch.float64, device=self.device)
        top = torch.zeros_like(entropy)
        masses = torch.zeros(len(rows), 2, dtype=torch.float64, device=self.device)
        if len(due):
            read = logits.index_select(0, rows.index_select(0, due)).float()
            spread, best, normaliser = signals.read(read)
            entropy.index_copy_(0, due, spread)
            top.index_copy_(0, due, best)
            if need.masses:
                both = [
                    signals.mass(read, normaliser, batch.set(name).index_select(0, due))
                    for name in ("yes", "no")
                ]
                masses.index_copy_(0, due, torch.stack(both, dim=1))
        reads = rules.advance(batch, last, length)
        if need.tokens:
            rules.read_tokens(batch, last, reads)
        if need.answers:
            rules.read_answers(batch, last, reads)
        if need.reports:
            rules.finish(batch, last, length)
        leaves = rules.decide(batch, length, entropy, top)
        _tell(batch, length, entropy, top, masses)
        batch.get("seen").copy_(length)
        forced = _forced(batch, length, leaves, need)
        self._guard(logits, rows, batch, length, forced)
        _force(logits, rows, forced)
        self.state.index_copy_(0, slots, batch.state)
        self.numbers.index_copy_(0, slots, batch.numbers)

    @staticmethod
    def _guard(
        logits: torch.Tensor,
        rows: torch.Tensor,
        batch: Rows,
        length: torch.Tensor,
        forced: torch.Tensor,
    ) -> None:
        """Bar the ends of the turn while the thinking lasts, and an early close of it."""
        close, guard = batch.set("close")[:, :1], batch.set("guard")
        thinking = (batch.thinking & (forced < 0))[:, None]
        early = thinking & (length < batch.set("least"))[:, None]
        ids = torch.cat([close, torch.where(guard >= 0, guard, close)], dim=1).clamp_min(0)
        barred = torch.cat([early, torch.where(guard >= 0, thinking, early)], dim=1)
        found = logits[rows[:, None], ids]
        logits[rows[:, None], ids] = torch.where(barred, float("-inf"), found)


def _tell(
    batch: Rows,
    length: torch.Tensor,
    entropy: torch.Tensor,
    top: torch.Tensor,
    masses: torch.Tensor,
) -> None:
    """Keep what a probe asks for; it is told in the tokens that follow."""
    version = torch.full_like(entropy, SIGNATURE)
    known = torch.stack([version, entropy, top.exp(), masses[:, 0], masses[:, 1]], dim=1)
    told = known.gather(1, batch.set("fields").clamp_min(0))
    batch.put("told", (batch.set("probes") > 0) & (length == 0), told)


def _forced(batch: Rows, length: torch.Tensor, leaves: torch.Tensor, need: Needs) -> torch.Tensor:
    """The token that each row must have next, or -1."""
    first, base = batch.set("first"), batch.set("base")
    place = length.clamp(0, PLACES * 8 - 1)
    field = (place // PLACES)[:, None]
    ranges = torch.tensor(list(RANGES.values()), dtype=torch.float64, device=length.device)
    kind = batch.set("fields").gather(1, field).clamp_min(0).squeeze(1)
    value = batch.num("told").gather(1, field).squeeze(1)
    digit = _digit(value, ranges[kind], base, place % PLACES)
    probing = (batch.set("probes") > 0) & (length < PLACES * batch.set("probes"))
    forced = torch.where(probing, first + digit, NONE)
    behind = torch.where(leaves, 0, length - batch.get("exit_at"))
    closing = (batch.get("exit_at") >= 0) | leaves
    closing &= behind < batch.set("closes")
    here = behind.clamp(0, batch.set("close").shape[1] - 1)[:, None]
    forced = torch.where(closing, batch.set("close").gather(1, here).squeeze(1), forced)
    if need.reports:
        tail = batch.get("tail_at") >= 0
        forced = torch.where(tail, _report(batch, length - batch.get("tail_at")), forced)
    return forced


def _report(batch: Rows, place: torch.Tensor) -> torch.Tensor:
    """The token at a place of the report: reason, tokens, how many values, values, and the end."""
    first, base, checks = batch.set("first"), batch.set("base"), batch.get("checks")
    count = torch.minimum(checks, batch.set("curve"))
    exit_at, closed_at = batch.get("exit_at"), batch.get("closed_at")
    tokens = torch.where(exit_at >= 0, exit_at, closed_at - 1).clamp_min(0)
    head = torch.stack([batch.get("reason").clamp_min(0), tokens // base, tokens % base, count], 1)
    behind = (place - head.shape[1]).clamp_min(0)
    which = (checks - count + behind // PLACES) % CURVE
    value = batch.num("curve").gather(1, which[:, None]).squeeze(1)
    entropies = (batch.set("enabled")[:, :2] > 0).any(dim=1)
    digit = _digit(value, torch.where(entropies, MOST, 1.0).double(), base, behind % PLACES)
    begins = head.gather(1, place.clamp(0, head.shape[1] - 1)[:, None]).squeeze(1)
    said = first + torch.where(place < head.shape[1], begins, digit)
    return torch.where(place < head.shape[1] + PLACES * count, said, batch.set("end"))


def _digit(
    value: torch.Tensor, most: torch.Tensor, base: torch.Tensor, place: torch.Tensor
) -> torch.Tensor:
    """As :func:`agentflow.vllm_plugin.digits.encode`, one of its digits."""
    whole = base * base
    number = (value / most * whole).floor().long()
    number = torch.minimum(number.clamp_min(0), whole - 1)
    return torch.where(place == 0, number // base.clamp_min(1), number % base.clamp_min(1))


def _force(logits: torch.Tensor, rows: torch.Tensor, forced: torch.Tensor) -> None:
    ids = forced.clamp_min(0)
    found = logits[rows, ids]
    logits[rows, ids] = torch.where(forced >= 0, FORCED, found)
