"""Rules that say when thinking may end, as folds over the signals at a stream's check points.

A rule is pure: it runs under a live stream (:mod:`agentflow.monitors.early_exit`) and on recorded
signals (:mod:`agentflow.evaluation.replay`) alike, and stops at the same check point.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol

from agentflow.monitors.protocol import Memory

Signal = Literal["entropy", "confidence", "answers", "stable", "tokens"]
"""What a rule reads at a check point:

``entropy``
    Of the next token after the thinking so far, the close marker and a prefix; nats.
``confidence``
    Mean probability of a greedy answer's tokens, in [0, 1].
``answers``
    Normal forms of sampled answers; None for one that is none.
``stable``
    How many times in a row the last candidate answer was stated.
``tokens``
    Tokens of thinking so far.
"""


class Rule(Protocol):
    """When thinking may end."""

    @property
    def name(self) -> str: ...
    @property
    def signal(self) -> Signal: ...

    def step(self, memory: Memory, value: Any) -> tuple[Memory, bool]:
        """Take the signal at the next check point; returns the new memory and whether to stop.

        ``memory`` is ``{}`` at the first.
        """


@dataclass(frozen=True, slots=True)
class Average:
    """Exponential moving mean and variance of a signal (EAT, Algorithm 1, lines 7 and 8).

    Attributes:
        alpha: Weight of the newest value.
        first: Start the mean at the first value, as the authors' code does, instead of 0.
        debias: Divide the variance by 1 - (1 - alpha)^n. The paper corrects only the variance.
    """

    alpha: float = 0.2
    first: bool = False
    debias: bool = True

    def step(self, memory: Memory, value: float) -> Memory:
        """``n``, ``mean`` and ``variance`` (as it is to be compared) with one more value."""
        n, a = memory.get("n", 0) + 1, self.alpha
        start = value if self.first and n == 1 else memory.get("mean", 0.0)
        mean = (1 - a) * start + a * value
        raw = (1 - a) * memory.get("raw", 0.0) + a * (value - mean) ** 2
        variance = raw / (1 - (1 - a) ** n) if self.debias else raw
        return {"n": n, "mean": mean, "raw": raw, "variance": variance}


@dataclass(frozen=True, slots=True)
class EntropyVariance:
    """Stop once the variance of the entropy after the close marker is small (EAT).

    The defaults are Algorithm 1's; its authors' code is ``Average(first=True, debias=False)`` with
    ``min_checks=25``, and interwhen's is that with ``min_checks=4`` at the keyword "Wait".
    """

    threshold: float = 1e-3
    average: Average = Average()
    min_checks: int = 0
    name: str = "entropy"
    signal: ClassVar[Signal] = "entropy"

    def step(self, memory: Memory, value: float) -> tuple[Memory, bool]:
        memory = self.average.step(memory, value)
        return memory, memory["n"] >= self.min_checks and memory["variance"] < self.threshold


@dataclass(frozen=True, slots=True)
class EntropyLevel:
    """Stop once the moving mean of the entropy is small (EAT as interwhen, section 5.2 has it).

    The mean starts at the first value: from 0, every chain would stop at its first check point.
    """

    threshold: float = 0.1
    average: Average = Average(first=True)
    min_checks: int = 0
    name: str = "entropy_level"
    signal: ClassVar[Signal] = "entropy"

    def step(self, memory: Memory, value: float) -> tuple[Memory, bool]:
        memory = self.average.step(memory, value)
        return memory, memory["n"] >= self.min_checks and memory["mean"] < self.threshold


@dataclass(frozen=True, slots=True)
class Stall:
    """Stop once the variance of the entropy decays too slowly to get small in time.

    The companion that EAT, section 6 asks for: it halts chains that never stabilise. The
    variance is compared with what it was ``window`` check points ago.

    Attributes:
        ratio: Stop where the variance is more than this part of what it was.
    """

    window: int = 20
    ratio: float = 0.5
    average: Average = Average()
    name: str = "stall"
    signal: ClassVar[Signal] = "entropy"

    def step(self, memory: Memory, value: float) -> tuple[Memory, bool]:
        averaged = self.average.step(memory, value)
        recent = [*memory.get("recent", ()), averaged["variance"]][-self.window - 1 :]
        slow = len(recent) > self.window and recent[-1] > self.ratio * recent[0]
        return {**averaged, "recent": recent}, slow


@dataclass(frozen=True, slots=True)
class Confidence:
    """Stop once a greedy answer would be given with confidence (DEER; EAT, equation 16)."""

    threshold: float = 0.95
    name: str = "confidence"
    signal: ClassVar[Signal] = "confidence"

    def step(self, memory: Memory, value: float) -> tuple[Memory, bool]:
        return {}, value > self.threshold


@dataclass(frozen=True, slots=True)
class UniqueAnswers:
    """Stop once few different answers come out of k roll-outs (#UA@K; EAT, Algorithm 3).

    Attributes:
        k: How many of the sampled answers count.
        distinct: Stop at so many different ones, or fewer. What is no answer differs from all.
    """

    k: int = 16
    distinct: int = 1
    name: str = "rollouts"
    signal: ClassVar[Signal] = "answers"

    def step(self, memory: Memory, value: Sequence[str | None]) -> tuple[Memory, bool]:
        answers = value[: self.k]
        given = {answer for answer in answers if answer is not None}
        different = len(given) + answers.count(None)
        return {}, 0 < different <= self.distinct


@dataclass(frozen=True, slots=True)
class Stable:
    """Stop once the same candidate was stated k times in a row (interwhen, section 4.2)."""

    k: int = 2
    name: str = "k_stable"
    signal: ClassVar[Signal] = "stable"

    def step(self, memory: Memory, value: int) -> tuple[Memory, bool]:
        return {}, value >= self.k


@dataclass(frozen=True, slots=True)
class Budget:
    """Stop after so many tokens of thinking (EAT, Algorithm 2)."""

    tokens: int = 10_000
    name: str = "budget"
    signal: ClassVar[Signal] = "tokens"

    def step(self, memory: Memory, value: int) -> tuple[Memory, bool]:
        return {}, value >= self.tokens


def stops(
    rules: Sequence[Rule],
    combine: Literal["any", "all"],
    memories: Memory,
    values: Memory,
) -> tuple[Memory, list[str]]:
    """Take one check point into every rule.

    Args:
        combine: Whether one rule that stops is enough, or all must at the same check point.
        memories: Each rule's memory by its name; ``{}`` at the first check point.
        values: The signals.

    Returns:
        The new memories, and the names of the rules that stop the chain: none if it goes on.
    """
    stepped = {r.name: r.step(memories.get(r.name, {}), values[r.signal]) for r in rules}
    fired = [name for name, (_, stop) in stepped.items() if stop]
    enough = len(fired) == len(rules) if combine == "all" else bool(fired)
    return {name: memory for name, (memory, _) in stepped.items()}, fired if enough else []
