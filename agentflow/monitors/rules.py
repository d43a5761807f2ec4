"""Rules that say when thinking may end, as folds over the signals at a stream's check points.

A rule is its own settings, and pure: it runs under a live stream
(:mod:`agentflow.monitors.early_exit`) and on recorded signals (:mod:`agentflow.evaluation.replay`)
alike, and stops at the same check point.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol, runtime_checkable

from pydantic import BaseModel, ConfigDict, Field, model_validator

from agentflow.errors import BadInput
from agentflow.monitors.monitor import Memory
from agentflow.own_parts import failed, see
from agentflow.settings import Count, Few, Positive, Share

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


@runtime_checkable
class Rule(Protocol):
    """When thinking may end; any object with these and ``step`` may be given as one.

    Attributes:
        name: Unique among the rules of a run.
        signal: What it reads.
    """

    @property
    def name(self) -> str: ...
    @property
    def signal(self) -> Signal: ...

    def step(self, memory: Memory, value: Any) -> tuple[Memory, bool]:
        """Take the signal at the next check point; returns the new memory and whether to stop.

        ``memory`` is ``{}`` at the first, and plain JSON.
        """


class StopRule(BaseModel, ABC):
    """A rule that is written down as its name and its parameters; one of your own inherits it.

    Its fields are ``rule``, a literal with the name as its default, and the parameters.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    rule: str
    signal: ClassVar[Signal]

    @model_validator(mode="before")
    @classmethod
    def _has_a_name(cls, given: Any) -> Any:
        if cls.model_fields["rule"].is_required():
            raise BadInput(
                f"{cls.__name__} has no name; give it one: "
                f'rule: Literal["{cls.__name__.lower()}"] = "{cls.__name__.lower()}"'
            )
        return given

    @property
    def name(self) -> str:
        """The name that settings call it by."""
        return self.rule

    @abstractmethod
    def step(self, memory: Memory, value: Any) -> tuple[Memory, bool]:
        """See :class:`Rule`."""


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


class _Averaged(StopRule):
    """A rule on the moving average of a signal, the entropy if it names no other."""

    signal: ClassVar[Signal] = "entropy"
    alpha: float = Field(default=0.2, gt=0, le=1, description="Weight of the newest value")


class _Varied(_Averaged):
    """A rule on its moving variance."""

    start_at_first: bool = Field(
        default=False, description="The mean starts at the first value, as in the code"
    )
    debias: bool = Field(default=True, description="Correct the variance for its start")

    @property
    def average(self) -> Average:
        """How the entropy is averaged."""
        return Average(self.alpha, self.start_at_first, self.debias)


class _Variance(_Varied):
    """A rule that stops once the moving variance of its signal is small."""

    variance: float = Field(default=1e-3, ge=0, description="Stop below this, the signal's unit²")
    min_checks: Count = Field(default=0, description="Never stop before so many check points")

    def step(self, memory: Memory, value: float) -> tuple[Memory, bool]:
        memory = self.average.step(memory, value)
        return memory, memory["n"] >= self.min_checks and memory["variance"] < self.variance


class EntropyVariance(_Variance):
    """Stop once the variance of the entropy after the close marker is small (EAT, Algorithm 1).

    The defaults are Algorithm 1's; its authors' code is ``start_at_first=True, debias=False,
    min_checks=25``, and interwhen's is that with ``min_checks=4`` at the keyword "Wait".
    """

    rule: Literal["entropy"] = "entropy"


class ConfidenceVariance(_Variance):
    """The same on the confidence of a greedy answer (EAT, figure 4)."""

    rule: Literal["confidence_variance"] = "confidence_variance"
    signal: ClassVar[Signal] = "confidence"


class EntropyLevel(_Averaged):
    """Stop once the moving mean of the entropy is small (EAT as in interwhen, section 5.2).

    The mean starts at the first value: from 0, every chain would stop at its first check point.
    """

    rule: Literal["entropy_level"] = "entropy_level"
    level: float = Field(default=0.1, ge=0, description="Stop below this, nats")
    min_checks: Count = Field(default=0, description="Never stop before so many check points")

    def step(self, memory: Memory, value: float) -> tuple[Memory, bool]:
        memory = Average(self.alpha, first=True).step(memory, value)
        return memory, memory["n"] >= self.min_checks and memory["mean"] < self.level


class Stall(_Varied):
    """Stop once the variance of the entropy decays too slowly to get small in time.

    The companion that EAT, section 6 asks for: it halts chains that never stabilise. The
    variance is compared with what it was ``window`` check points ago.
    """

    rule: Literal["stall"] = "stall"
    window: Positive = Field(default=20, description="Check points looked back")
    ratio: float = Field(default=0.5, gt=0, description="Stop above this part of the variance then")

    def step(self, memory: Memory, value: float) -> tuple[Memory, bool]:
        averaged = self.average.step(memory, value)
        recent = [*memory.get("recent", ()), averaged["variance"]][-self.window - 1 :]
        slow = len(recent) > self.window and recent[-1] > self.ratio * recent[0]
        return {**averaged, "recent": recent}, slow


class Confidence(StopRule):
    """Stop once a greedy answer would be given with confidence (DEER; EAT, equation 16)."""

    rule: Literal["confidence"] = "confidence"
    signal: ClassVar[Signal] = "confidence"
    confidence: Share = Field(default=0.95, description="Stop above this")

    def step(self, memory: Memory, value: float) -> tuple[Memory, bool]:
        return {}, value > self.confidence


class UniqueAnswers(StopRule):
    """Stop once few different answers come out of the roll-outs (#UA@K; EAT, Algorithm 3).

    What is no answer differs from all.
    """

    rule: Literal["rollouts"] = "rollouts"
    signal: ClassVar[Signal] = "answers"
    distinct: int = Field(
        default=1, ge=0, description="Stop at so many different answers, or fewer"
    )

    def step(self, memory: Memory, value: Sequence[str | None]) -> tuple[Memory, bool]:
        given = {answer for answer in value if answer is not None}
        different = len(given) + value.count(None)
        return {}, 0 < different <= self.distinct


class Stable(StopRule):
    """Stop once the same candidate was stated k times in a row (interwhen, section 4.2)."""

    rule: Literal["k_stable"] = "k_stable"
    signal: ClassVar[Signal] = "stable"
    k: Few = Field(default=2, description="So many times in a row")

    def step(self, memory: Memory, value: int) -> tuple[Memory, bool]:
        return {}, value >= self.k


class Budget(StopRule):
    """Stop after so many tokens of thinking (EAT, Algorithm 2)."""

    rule: Literal["budget"] = "budget"
    signal: ClassVar[Signal] = "tokens"
    tokens: Positive = Field(default=10_000, description="Tokens of thinking")

    def step(self, memory: Memory, value: int) -> tuple[Memory, bool]:
        return {}, value >= self.tokens


def stops(
    rules: Sequence[Rule], combine: Literal["any", "all"], memories: Memory, values: Memory
) -> tuple[Memory, list[str]]:
    """Take one check point into every rule.

    Args:
        combine: Whether one rule that stops is enough, or all must at the same check point.
        memories: Each rule's memory by its name; ``{}`` at the first check point.
        values: The signals.

    Returns:
        The new memories, and the names of the rules that stop the chain: none if it goes on.

    Raises:
        BadInput: If a rule fails, or returns something else.
    """
    stepped = {r.name: _step(r, memories.get(r.name, {}), values[r.signal]) for r in rules}
    fired = [name for name, (_, stop) in stepped.items() if stop]
    enough = len(fired) == len(rules) if combine == "all" else bool(fired)
    return {name: memory for name, (memory, _) in stepped.items()}, fired if enough else []


def _step(rule: Rule, memory: Memory, value: Any) -> tuple[Memory, bool]:
    """
    Raises:
        BadInput: As of :func:`stops`.
    """
    try:
        found: Any = rule.step(memory, value)
    except (Exception, GeneratorExit) as error:  # a rule of a user's may raise anything
        raise failed(rule, "step", error) from error
    what = "its memory (a dict) and whether to stop, as a pair"
    fits = isinstance(found, tuple) and len(found) == 2 and isinstance(found[0], dict)
    see(fits, found, rule, "step", what)
    stepped: tuple[Memory, bool] = found
    return stepped
