"""What one stream leaves: how far it was read, what was judged, how it ended."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from agentflow.errors import AgentflowError
from agentflow.monitors.monitor import Intervention, Memory
from agentflow.state import State
from agentflow.verdict import Verdict

Passed = tuple[State, Verdict]
"""A state of an earlier stream, and the verdict that it passed with."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How far a trace was read: what the next stream needs to go on; plain JSON through ``asdict``.

    Attributes:
        memories: Each monitor's memory.
        unread: The line begun, or written by another model, but not yet fed to monitors that read
            lines.
        unread_at: Where that line starts in the body.
        unread_tokens: How many tokens it is.
    """

    memories: dict[str, Memory] = field(default_factory=dict)
    unread: str = ""
    unread_at: int = 0
    unread_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Judged:
    """A state with the verdict it got; ``corrected`` if it was taken back or told to be wrong, and
    ``gone`` if its text was cut away, so that nothing may rest on it."""

    monitor: str
    state: State
    verdict: Verdict
    answering: bool
    corrected: bool = False
    gone: bool = False


@dataclass(frozen=True, slots=True)
class Drawn:
    """A token of the line that a stream was ended for, and what might have stood there instead.

    Attributes:
        at: Where it begins in the body.
        text: Its own.
        logprob: How likely it was, in nats; None where nobody says.
        others: (text, log-probability) of the likeliest tokens there.
    """

    at: int
    text: str
    logprob: float | None
    others: tuple[tuple[str, float], ...]


def standing(judged: Iterable[Judged]) -> dict[str, list[Passed]]:
    """Each monitor's states that passed: what later ones may build on.

    Args:
        judged: those of streams before.
    """
    passed: dict[str, list[Passed]] = {}
    for one in judged:
        if one.verdict.ok and not one.gone:
            passed.setdefault(one.monitor, []).append((one.state, one.verdict))
    return passed


@dataclass(slots=True)
class StreamResult:
    """One stream from its request to its end.

    Attributes:
        ended: ``stop`` or ``length`` (as the model ended), ``intervened``, or ``broken``.
        reading: Where the next stream goes on.
        intervention: The one that won, for ``intervened``.
        judged: States of this stream up to the one that won, with their verdicts, in the order of
            their ends; of those that end together, the refuted ones are last.
        drawn: The tokens of the line that it is about, where alternatives were asked for.
        generated: Tokens received.
        wasted: Received tokens that were cut away.
        estimated: Whether the tokens are a guess, since the engine told none.
        seconds: Wall-clock seconds.
        error: What broke the stream, for ``broken``.
    """

    ended: Literal["stop", "length", "intervened", "broken"]
    reading: Reading
    intervention: Intervention | None = None
    judged: list[Judged] = field(default_factory=list)
    drawn: list[Drawn] = field(default_factory=list)
    generated: int = 0
    wasted: int = 0
    estimated: bool = False
    seconds: float = 0.0
    error: AgentflowError | None = None
