"""The contract of a monitor: read the stream, name states, judge them, say what follows."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol, get_args

from agentflow.errors import BadInput, known
from agentflow.state import State
from agentflow.trace import Trace
from agentflow.verdict import Verdict

LOOKBACK = 16
"""Tokens that a state may end before the increment that completed it."""

Memory = dict[str, Any]
"""What a monitor remembers of the stream: plain JSON, never changed in place."""


class Increment(NamedTuple):
    """A stretch of generated text that no monitor has seen before.

    Attributes:
        text: The text; empty at a boundary, and for a token that completes no character yet.
        offset: Where it starts in the body of the trace.
        tokens: How many tokens end in it.
        answering: Whether the thinking was closed before it.
        boundary: ``"feedback"``, ``"close"`` or ``"end"`` where text that is not the model's own
            (or nothing) follows what was read so far; else empty.
        top: What the model might have written instead of the token that ends in it, as (text,
            log-probability); for a monitor that reads tokens, where alternatives were asked for.
    """

    text: str
    offset: int
    tokens: int
    answering: bool
    boundary: Literal["", "feedback", "close", "end"] = ""
    top: tuple[tuple[str, float], ...] = ()


async def _nothing() -> None:
    return None


@dataclass(frozen=True, slots=True)
class Context:
    """What a state is judged in (interwhen, section 4: ``verify(state, context)``).

    Attributes:
        earlier: The monitor's earlier states on this trace, all taken as passed.
        previous: Waits for the verdict on the last of them; None if there is none.
        trace: The trace as it was at the state's end.
    """

    earlier: Sequence[State] = ()
    previous: Callable[[], Awaitable[Verdict | None]] = _nothing
    trace: Callable[[], Trace] = Trace


Kind = Literal["continue", "feedback", "put", "close", "stop", "abstain"]
"""What an intervention does; :class:`Intervention` says what each means."""

PUTS: frozenset[Kind] = frozenset({"feedback", "put"})
"""Those that put a text there, for the model to go on from."""


@dataclass(frozen=True, slots=True)
class Intervention:
    """What a verdict does to the trace (interwhen, section 4, ``intervene``).

    Attributes:
        kind: ``continue``, ``feedback`` (append ``text`` in a line of its own), ``put`` (append
            ``text`` right here, as if the model had written it), ``close`` (end the thinking),
            ``stop`` (end the stream here, as if the model had ended it) or ``abstain`` (give the
            run up).
        offset: The trace is cut here first.
        text: What is appended.
        reason: For people and results.
        monitor: Who intervenes.

    Raises:
        BadInput: If there is no such kind.
    """

    kind: Kind
    offset: int = 0
    text: str = ""
    reason: str = ""
    monitor: str = ""

    def __post_init__(self) -> None:
        if self.kind not in get_args(Kind):
            there = known(str(self.kind), get_args(Kind))
            raise BadInput(f"no kind of intervention is called {self.kind!r}; {there}")


CONTINUE = Intervention("continue")


class Monitor(Protocol):
    """One rule that watches a stream. One of your own inherits it (docs/write-a-monitor.md): then
    it has an empty memory to start with, and ends the thinking at a state that was refuted.

    Attributes:
        name: Unique among the monitors of a stream.
        reads: ``"line"`` to be fed whole lines (a last one may lack its line break), ``"token"``
            to be fed every token as it comes.
    """

    @property
    def name(self) -> str: ...
    @property
    def reads(self) -> Literal["line", "token"]: ...

    def start(self) -> Memory:
        """The memory before anything was read."""
        return {}

    def feed(self, memory: Memory, increment: Increment) -> tuple[Memory, list[State]]:
        """Read an increment; returns the new memory and the states that it completed.

        A state must end where the increment ends: that is where a cut can restore the memory. A
        monitor that reads tokens may also let it end where one of the last :data:`LOOKBACK`
        increments began, this one included; a state that ends before the stream began is taken to
        end where the increment does.

        At a boundary, where ``increment.boundary`` is not empty, the text is empty, and the model
        wrote nothing: a monitor that judges text returns ``memory, []``. Feedback on a state that
        was found there, before the model wrote again, is not given. Where ``increment.answering``,
        the thinking is closed already, and closing it again does nothing.
        """

    async def verify(self, state: State, context: Context) -> Verdict:
        """Judge a state."""

    def intervene(self, state: State, verdict: Verdict, *, answering: bool) -> Intervention:
        """What a verdict that did not pass does; called for ``ok`` False and None alike. The
        thinking ends at the state's end; where nobody can tell, nothing follows."""
        if verdict.ok is None:
            return CONTINUE
        return Intervention("close", state.end, "", verdict.reason, self.name)


def see_monitors(monitors: Any) -> None:
    """
    Raises:
        BadInput: If one is no monitor, or reads something else; else it would never be asked.
    """
    if not isinstance(monitors, Sequence):
        raise BadInput(f"{monitors!r:.60} is no list of monitors")
    for one in monitors:
        name = one.__name__ if isinstance(one, type) else type(one).__name__
        if isinstance(one, type):
            raise BadInput(f"{name} is a class, where a monitor should be; write {name}()")
        for method in ("start", "feed", "verify", "intervene"):
            if not callable(getattr(one, method, None)):
                raise BadInput(f"{name} is no monitor: it has no method {method}")
        if not isinstance(getattr(one, "name", None), str):
            raise BadInput(f"{name}.name must be a text")
        if getattr(one, "reads", None) not in ("line", "token"):
            given = getattr(one, "reads", None)
            raise BadInput(f"{name}.reads is {given!r}; it must be 'line' or 'token'")
