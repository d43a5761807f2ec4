"""Reads what a call wrote: text from an adversary."""

from __future__ import annotations

import json
import math
import signal
from typing import Any

from agentflow.tools.sandbox.execution import Execution, Failure, Limits
from agentflow.tools.sandbox.program import clean

DEPTH = 80
"""Lists and dicts within each other; a program's own part writes at most 64."""
CLAIMS = ("memory_mib", "processes", "file_mib", "output_bytes")
"""Limits that only the program meets: what it says of them is believed."""


class Bad(Exception):
    """The reply is not what the sandbox writes."""


def read_reply(
    reply: bytes,
    stdout: bytes,
    stderr: bytes,
    report: dict[str, Any] | None,
    limit: str | None,
    limits: Limits,
    seconds: float,
) -> Execution:
    """The execution that a reply and the zygote's report tell of.

    Args:
        reply: The program's value or failure as JSON; anything at all.
        stdout: Cut already.
        stderr: Cut already.
        report: Exit status and resources, measured outside; None if the zygote died.
        limit: The limit for which the call was killed.
        limits: Those of the call.
        seconds: Wall clock.
    """
    cpu = float(report["cpu_seconds"]) if report else 0.0
    peak = float(report["peak_mib"]) if report else 0.0
    status = report["status"] if report else None
    # Nobody kills a call of its own accord but the kernel, which counts CPU in ticks, roughly.
    if limit is None and status == -signal.SIGKILL and cpu >= 0.5 * limits.cpu_seconds:
        limit = "cpu_seconds"
    value, shown, failure = None, "", None
    if limit is None:
        try:
            value, shown, failure, limit = parse(reply, limits)
        except Bad as error:
            failure = Failure("BadReply", str(error)) if reply else died(status)
    if failure and failure.type == "MissingValue" and stdout:
        failure = None
    out, err = (text.decode("utf-8", "backslashreplace") for text in (stdout, stderr))
    return Execution(value, shown, out, err, failure, limit, seconds, cpu, peak)


def died(status: int | None) -> Failure:
    """The failure of a process that said nothing."""
    if status is None:
        return Failure("SandboxBroken", "the sandbox's own process ended while this program ran")
    if status < 0:
        names = {number.value: number.name for number in signal.Signals}
        return Failure("Died", f"killed by {names.get(-status, -status)}, without a result")
    return Failure("Died", f"ended with status {status}, without a result")


def parse(reply: bytes, limits: Limits) -> tuple[Any, str, Failure | None, str | None]:
    """(value, shown, failure, limit), or Bad."""
    try:
        raw = json.loads(reply, parse_int=whole, parse_float=finite, parse_constant=refuse)
    except (ValueError, RecursionError):
        raise Bad("the program's result is not JSON") from None
    match raw:
        case {"value": value, "shown": str(shown), "failure": None, "limit": limit}:
            failure = None
        case {
            "shown": str(shown),
            "limit": limit,
            "failure": {"type": str(name), "message": str(message), "line": line},
        }:
            value = None
            line = line if type(line) is int else None
            failure = Failure(clean(name)[:200], clean(message)[:4000], line)
        case _:
            raise Bad("the program's result has another shape than the sandbox writes")
    if not (limit is None or limit in CLAIMS):
        raise Bad("the program's result names a limit that it cannot know of")
    return checked(value, DEPTH), clean(shown)[: limits.output_bytes], failure, limit


def checked(value: Any, depth: int) -> Any:
    """The value with its text clean, or Bad where it is nested too deep."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list | dict) and not depth:
        raise Bad("the program's result is nested too deep")
    if isinstance(value, list):
        return [checked(item, depth - 1) for item in value]
    if isinstance(value, dict):
        return {clean(key): checked(item, depth - 1) for key, item in value.items()}
    return value


def whole(text: str) -> int:
    if len(text) > 20 or not -(2**63) <= int(text) < 2**63:
        raise ValueError
    return int(text)


def finite(text: str) -> float:
    if not math.isfinite(float(text)):
        raise ValueError
    return float(text)


def refuse(text: str) -> Any:
    raise ValueError(text)
