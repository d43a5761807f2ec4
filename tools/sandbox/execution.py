"""What a program may use, and what came of running it."""

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import fields as dataclass_fields
from typing import Any


@dataclass(frozen=True, slots=True)
class Limits:
    """What one call may use.

    Attributes:
        seconds: Wall clock, from the moment the process of the call stands.
        cpu_seconds: Of all its threads; rounded up to whole seconds.
        memory_mib: Address space on top of what the interpreter with its libraries holds. Files in
            the scratch folder, which lies in memory, count for themselves.
        processes: Threads. A program in the jail starts no other process, so that the limits on
            memory and CPU hold for all it does.
        output_bytes: Of stdout, of stderr and of the value as JSON, each.
        file_mib: All files in the scratch folder together.
    """

    seconds: float = 10.0
    cpu_seconds: float = 10.0
    memory_mib: int = 512
    processes: int = 8
    output_bytes: int = 64 * 1024
    file_mib: int = 16

    def __post_init__(self) -> None:
        for name in self.__slots__:
            if not 0 < (value := getattr(self, name)) < 2**40:
                raise ValueError(
                    f"the limit {name} is {value}: give a number above 0 and below 2^40"
                )


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a program gave no value.

    Attributes:
        type: The exception's name; else "MissingValue" (neither `ans` nor a last expression, and
            nothing printed), "Died" (ended without a result: a crash, `os._exit`),
            "BadReply" (the result is not what the sandbox writes) or "SandboxBroken".
        message: What it says, in a few thousand characters at most.
        line: The 1-based line of the program, where there is one.
    """

    type: str
    message: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Execution:
    """One call.

    Attributes:
        value: `ans`, else the last expression, as plain JSON (integers beyond 64 bits, NaN and all
            that JSON does not know as their `str`); None if there is none.
        shown: The repr of that value, cut to the limit.
        stdout: What was printed, cut to the limit.
        stderr: The same.
        failure: What the program raised.
        limit: The field of `Limits` that it hit.
        seconds: Wall clock.
        cpu_seconds: User and system.
        peak_mib: The most memory in use at once, on top of the interpreter with its libraries.
    """

    value: Any = None
    shown: str = ""
    stdout: str = ""
    stderr: str = ""
    failure: Failure | None = None
    limit: str | None = None
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_mib: float = 0.0

    @property
    def ok(self) -> bool:
        return self.failure is None and self.limit is None

    @property
    def why(self) -> list[str]:
        """Why it is not ok, in words; empty where it is."""
        said = [f"stopped: the limit on {self.limit} was reached"] if self.limit else []
        if one := self.failure:
            where = f" (line {one.line})" if one.line else ""
            said.append(f"{one.type}{where}: {one.message}")
        return said


def execution_in(fields: Mapping[str, Any]) -> Execution | None:
    """What ``asdict`` made plain; None where something is missing."""
    names = [one.name for one in dataclass_fields(Execution)]
    if not fields.keys() >= {*names}:
        return None
    plain = {name: fields[name] for name in names}
    return Execution(**plain | {"failure": plain["failure"] and Failure(**plain["failure"])})
