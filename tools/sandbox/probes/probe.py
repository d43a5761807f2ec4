"""What a probe is: an attack, how to tell that it succeeded, and what came of running it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from agentflow.tools.sandbox import Limits
from agentflow.tools.sandbox.probes import prelude

Attack = Callable[[dict[str, Any]], Any]

LIMITS = Limits(
    seconds=6, cpu_seconds=4, memory_mib=64, processes=8, output_bytes=1 << 16, file_mib=4
)
"""What attacks run under unless they say otherwise: small, so that they are quick to reach."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What came of one program, in the sandbox or in a plain process.

    Attributes:
        value: What the attack returned.
        failure: The type and message of what it raised; empty if nothing.
        limit: The limit that ended it; None in a plain process.
        stdout, stderr: What it printed.
        replied: Whether a well-formed result came back.
        running: Whether a plain process had to be killed, because it would not end.
        seconds: How long it took, as the caller measured it.
        allowed: How long it was allowed to.
        later: What the second program returned, None where there is none.
        beside: What the program that ran at the same time returned, None where there is none.
        seen: What was found on the host when all had ended; empty if nothing.
    """

    value: Any = None
    failure: str = ""
    limit: str | None = None
    stdout: str = ""
    stderr: str = ""
    replied: bool = True
    running: bool = False
    seconds: float = 0.0
    allowed: float = 0.0
    later: Any = None
    beside: Any = None
    seen: str = ""


Judge = Callable[[Ran], str]
"""Says what an attack got; empty if it got nothing."""


def returned(ran: Ran) -> str:
    """The attack returns True where it got what it wanted."""
    return "the attack got what it wanted" if ran.value is True else ""


def outlasted(ran: Ran) -> str:
    """What a call left is there for the next one."""
    return "the next call found what was left" if ran.later is True else ""


def disturbed(ran: Ran) -> str:
    """A program at the same time does not come to its end."""
    if ran.value is True and ran.beside is True:
        return "it sees the processes of the host"
    return "" if ran.beside is True else f"the call beside it was hit: {ran.beside!r}"


def seen(ran: Ran) -> str:
    """The host shows traces of it."""
    return ran.seen


def silenced(ran: Ran) -> str:
    """The caller got no well-formed result."""
    return "" if ran.replied else f"no well-formed result: {ran.failure or 'nothing'}"


def endless(ran: Ran) -> str:
    """It runs until the caller loses patience: no limit ended it in time."""
    if ran.running:
        return "it ran on"
    if ran.limit not in ("seconds", "cpu_seconds"):
        return f"no limit on time was reported (limit {ran.limit}, {ran.failure or 'no failure'})"
    late = ran.seconds > ran.allowed + PATIENCE
    return f"it was ended only after {ran.seconds:.1f} s" if late else ""


def printed(ran: Ran) -> str:
    """The attack, or what it turned into, prints where it got what it wanted."""
    return "it ran" if "ran" in ran.stdout.split() else ""


PATIENCE = 3.3
"""Seconds behind its limit by which a program must have been ended, on a busy machine too."""

SHORT = Limits(seconds=0.7, cpu_seconds=1.0, memory_mib=256, processes=8)
"""For attacks that never end."""


@dataclass(frozen=True, slots=True)
class Probe:
    """One attack.

    Attributes:
        name: What it is called.
        subject: What it belongs to: files, network, ...
        attack: What it attacks, in one line.
        program: Its Python text; it finds ``data`` and leaves ``ans``.
        judge: Tells of a run whether the attack succeeded. A probe has one for the sandbox and
            for the control, so that the control shows that it can tell.
        limits: What the sandbox allows it.
        later: A program to be run afterwards, that looks for what was left; None if there is none.
        beside: A program to be run at the same time; None if there is none.
        needs: What a control needs that not every host has; empty where every control must work.
        victim: Whether it attacks a process of the host, which is started for it.
        begins: Whether the program prints "begun" when it comes to what never ends.
    """

    name: str
    subject: str
    attack: str
    program: str
    judge: Judge = returned
    limits: Limits = LIMITS
    later: str | None = None
    beside: str | None = None
    needs: str = ""
    victim: bool = False
    begins: bool = False


def program(attack: Attack, *helpers: Attack) -> str:
    """The text that runs an attack: the prelude, its own source, and the call."""
    sources = [inspect.getsource(prelude)]
    for function in (*helpers, attack):
        source = inspect.getsource(function)
        sources.append(source[source.index("def ") :])
    return "\n\n".join(sources) + f"\n\nans = {attack.__name__}(data)\n"


def probe(
    judge: Judge = returned,
    *,
    limits: Limits = LIMITS,
    later: Attack | None = None,
    beside: Attack | None = None,
    needs: str = "",
    victim: bool = False,
    begins: bool = False,
) -> Callable[[Attack], Probe]:
    """Make a probe of a function: its name, its docstring's first line, its source.

    The function takes the decoys (see ``decoys.py``) and may use what the prelude has, nothing
    else of its module.
    """

    def made(attack: Attack) -> Probe:
        lines = (attack.__doc__ or "").strip().split("\n")
        return Probe(
            name=attack.__name__,
            subject=attack.__module__.rpartition(".")[2],
            attack=lines[0],
            program=program(attack),
            judge=judge,
            limits=limits,
            later=program(later) if later else None,
            beside=program(beside) if beside else None,
            needs=needs,
            victim=victim,
            begins=begins or judge is endless,
        )

    return made
