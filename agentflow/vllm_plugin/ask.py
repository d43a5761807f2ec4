"""What a request asks of the plugin: one JSON text under ``vllm_xargs``; needs neither engine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from agentflow.vllm_plugin.digits import PLACES

KEY = "agentflow"
"""The argument's name in ``vllm_xargs``."""
PROTOCOL = 1
"""Version of what this module says; client and plugin must have the same."""
SIGNATURE = PROTOCOL + 0.3819
"""What a plugin answers to a probe of ``protocol``; tokens that merely come along do not."""
SWITCH = "AGENTFLOW_IN_ENGINE"
"""Environment variable that ``agentflow model serve`` sets to 1 for the engine."""

CLOSE, GUARDED, PATTERNS, PATTERN, ENDS, YES = 32, 8, 8, 16, 8, 64
"""Most ids of each kind that a request may name."""
CURVE = 64
"""Most values of a curve that come back."""

Id = Annotated[int, Field(ge=0)]
Field_ = Literal["protocol", "entropy", "confidence", "yes", "no"]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Entropy(_Strict):
    """EAT's moving mean and variance, of the entropy of each step's own distribution.

    As :class:`agentflow.monitors.rules.Average`: stop once the variance is below ``variance``, or
    the mean below ``level``; at least one of them is given.
    """

    variance: float | None = Field(default=None, ge=0)
    level: float | None = Field(default=None, ge=0)
    alpha: float = Field(default=0.2, gt=0, le=1)
    first: bool = False
    debias: bool = True
    min_checks: int = Field(default=0, ge=0)

    @model_validator(mode="after")
    def _bounded(self) -> Entropy:
        if self.variance is None and self.level is None:
            raise ValueError("entropy needs variance or level")
        return self


class Confidence(_Strict):
    """Stop once the likeliest token's probability, as the geometric mean over the last ``window``
    check points, is above ``threshold``."""

    threshold: float = Field(default=0.95, ge=0, le=1)
    window: int = Field(default=1, ge=1, le=32)


class Stable(_Strict):
    """Stop once the same answer was stated ``k`` times in a row: what stands between the tokens
    ``lead`` and any one of ``ends``, token for token."""

    lead: tuple[Id, ...] = Field(min_length=1, max_length=PATTERN)
    ends: tuple[Id, ...] = Field(min_length=1, max_length=ENDS)
    k: int = Field(default=2, ge=2, le=100)


class Repetition(_Strict):
    """Stop once a circle of up to ``longest`` tokens was gone round ``times`` times in a row, and
    that was at least ``least`` tokens."""

    times: int = Field(default=8, ge=2, le=100)
    longest: int = Field(default=64, ge=1, le=64)
    least: int = Field(default=64, ge=2)


class Stop(_Strict):
    """When the thinking ends, and what is forced then.

    Attributes:
        close: Ids forced one by one: the close marker, and the answer's prefix if it is wanted.
            Where the model writes the first of them itself, the thinking has ended.
        every: Entropy and confidence are taken every so many tokens, and with ``patterns``,
            ``stable``, ``repetition`` and ``budget`` decide at every one.
        combine: Whether one rule is enough, or all must say so at the same token.
        guard: Ids barred while the thinking lasts (those that end the turn).
        least: The close marker, too, is barred before so many tokens.
    """

    close: tuple[Id, ...] = Field(min_length=1, max_length=CLOSE)
    every: int = Field(default=1, ge=1)
    combine: Literal["any", "all"] = "any"
    entropy: Entropy | None = None
    confidence: Confidence | None = None
    patterns: tuple[Annotated[tuple[Id, ...], Field(min_length=1, max_length=PATTERN)], ...] = (
        Field(default=(), max_length=PATTERNS)
    )
    stable: Stable | None = None
    repetition: Repetition | None = None
    budget: int | None = Field(default=None, ge=1)
    guard: tuple[Id, ...] = Field(default=(), max_length=GUARDED)
    least: int = Field(default=0, ge=0)


class Report(_Strict):
    """Why it stopped, as digits behind the stream's end.

    Attributes:
        after: The ids behind which it comes: the close marker, where the request is for the
            thinking alone; else those that end the turn (which must not stop the request).
        end: The id that is forced behind it, and stops the request.
        curve: How many of the last values come with it.
    """

    after: tuple[Id, ...] = Field(min_length=1, max_length=GUARDED)
    end: Id
    curve: int = Field(default=0, ge=0, le=CURVE)


class Ask(_Strict):
    """Everything that a request asks for: a probe of its next token, or rules of its stream.

    Attributes:
        protocol: The client's :data:`PROTOCOL`.
        first, base: Digits are the ids from ``first`` on, ``base`` of them.
        probe: What is told of the distribution behind the prompt, each in ``PLACES`` digits; the
            request has so many tokens.
        yes, no: Ids whose probabilities are added up, for those two.
    """

    protocol: int
    first: Id
    base: int = Field(ge=256)
    probe: tuple[Field_, ...] = Field(default=(), max_length=8)
    yes: tuple[Id, ...] = Field(default=(), max_length=YES)
    no: tuple[Id, ...] = Field(default=(), max_length=YES)
    stop: Stop | None = None
    report: Report | None = None

    @model_validator(mode="after")
    def _one_thing(self) -> Ask:
        if bool(self.probe) == (self.stop is not None):
            raise ValueError("ask for either a probe or a stop")
        if self.report is not None and self.stop is None:
            raise ValueError("a report needs a stop")
        if self.report is not None and self.first <= self.report.end < self.first + self.base:
            raise ValueError("the report's end must not be one of its digits")
        return self

    def xargs(self) -> dict[str, str]:
        """The request's ``vllm_xargs``."""
        return {KEY: self.model_dump_json(exclude_defaults=True)}

    def ids(self) -> set[int]:
        """Every id that it names; all must be in the model's vocabulary."""
        named = {self.first + self.base - 1, *self.yes, *self.no}
        if self.stop is not None:
            named.update(self.stop.close, self.stop.guard, *self.stop.patterns)
            if self.stop.stable is not None:
                named.update(self.stop.stable.lead, self.stop.stable.ends)
        if self.report is not None:
            named.update(self.report.after, (self.report.end,))
        return named


def parse_ask(extra: Mapping[str, Any] | None) -> Ask | None:
    """What a request's extra arguments ask for; None for one that asks nothing.

    Raises:
        ValueError: If it cannot be understood, or a client of another version asks it.
    """
    said = (extra or {}).get(KEY)
    if said is None:
        return None
    if not isinstance(said, str):
        raise ValueError(f"vllm_xargs.{KEY} must be one JSON text, not {type(said).__name__}")
    try:
        ask = Ask.model_validate_json(said)
    except ValidationError as error:
        if (other := _protocol(said)) not in (None, PROTOCOL):
            raise ValueError(_mismatch(other)) from None
        one = error.errors(include_url=False, include_context=False)[0]
        where = ".".join(map(str, one["loc"])) or "it"
        raise ValueError(f"vllm_xargs.{KEY}: {where}: {one['msg']}") from None
    if ask.protocol != PROTOCOL:
        raise ValueError(_mismatch(ask.protocol))
    return ask


def tokens_of(ask: Ask) -> int:
    """How many tokens the answer to a probe has."""
    return PLACES * len(ask.probe)


def _protocol(said: str) -> Any:
    class Version(BaseModel):
        protocol: Any = None

    try:
        return Version.model_validate_json(said).protocol
    except ValidationError:
        return None


def _mismatch(other: Any) -> str:
    return (
        f"the client speaks version {other} of agentflow's plugin and this server version "
        f"{PROTOCOL}: install the same agentflow on both"
    )
