"""The filter, run by an interpreter of its own, for both machines."""

from __future__ import annotations

import errno
import struct

import pytest

from agentflow.tools.sandbox.seccomp import ALLOW, ALLOWED, ERRNO, KILL, MACHINES, filter_for

NUMBERS = {
    "x86_64": {"read": 0, "socket": 41, "fork": 57, "clone": 56, "clone3": 435, "execve": 59}
    | {"ptrace": 101, "mount": 165, "unshare": 272, "socketpair": 53, "ioctl": 16, "bpf": 321},
    "aarch64": {"read": 63, "socket": 198, "clone": 220, "clone3": 435, "execve": 221}
    | {"ptrace": 117, "mount": 40, "unshare": 97, "socketpair": 199, "ioctl": 29, "bpf": 280},
}
"""From the kernel's tables."""
EPERM, EAGAIN, ENOSYS, ENOTTY = (
    ERRNO | number for number in (errno.EPERM, errno.EAGAIN, errno.ENOSYS, errno.ENOTTY)
)


def verdict(program: bytes, number: int, arch: int, *arguments: int) -> int:
    """What the kernel would do, and that it would take the filter: jumps go forward, within it."""
    lines = list(struct.iter_unpack("=HBBI", program))
    padded = [*arguments, *[0] * (6 - len(arguments))]
    data = struct.pack("=IIQ6Q", number, arch, 0, *padded)
    accumulator = at = 0
    for _ in range(len(lines)):
        code, yes, no, value = lines[at]
        at += 1
        match code:
            case 0x20:
                (accumulator,) = struct.unpack_from("=I", data, value)
            case 0x54:
                accumulator &= value
            case 0x06:
                return int(value)
            case 0x05:
                at += value
            case 0x15:
                at += yes if accumulator == value else no
            case 0x35:
                at += yes if accumulator >= value else no
            case _:
                raise AssertionError(code)
    raise AssertionError("the program has no end")


@pytest.mark.parametrize("machine", NUMBERS)
def test_what_is_allowed(machine: str) -> None:
    program, arch = filter_for(machine), MACHINES[machine][1]
    number = NUMBERS[machine]
    assert len(program) // 8 < 4096
    assert verdict(program, number["read"], arch) == ALLOW
    for name in ("socket", "execve", "ptrace", "mount", "unshare", "bpf"):
        assert verdict(program, number[name], arch) == EPERM, name
    assert verdict(program, number["clone3"], arch) == ENOSYS
    assert verdict(program, 5_000, arch) == ENOSYS
    assert verdict(program, number["read"], 0x40000003) == KILL
    if machine == "x86_64":
        assert verdict(program, number["fork"], arch) == EAGAIN
        assert verdict(program, 0x40000000, arch) == KILL
    column = MACHINES[machine][0]
    for call in ALLOWED.split():
        listed = call.split(":")[1 + column]
        assert listed == "-" or verdict(program, int(listed), arch) == ALLOW, call


@pytest.mark.parametrize("machine", NUMBERS)
def test_arguments(machine: str) -> None:
    program, arch = filter_for(machine), MACHINES[machine][1]
    number = NUMBERS[machine]
    thread = 0x3D0F00
    assert verdict(program, number["clone"], arch, thread) == ALLOW
    assert verdict(program, number["clone"], arch, 0x1200011) == EAGAIN
    assert verdict(program, number["clone"], arch, thread | 0x10000000) == EAGAIN
    assert verdict(program, number["socketpair"], arch, 1) == ALLOW
    assert verdict(program, number["socketpair"], arch, 2) == EPERM
    assert verdict(program, number["ioctl"], arch, 1, 0x5401) == ALLOW
    assert verdict(program, number["ioctl"], arch, 1, 0x5451) == ALLOW
    assert verdict(program, number["ioctl"], arch, 1, 0x5412) == ENOTTY  # TIOCSTI


@pytest.mark.parametrize("machine", NUMBERS)
def test_other_programs_only_where_some_are_mounted(machine: str) -> None:
    program = filter_for(machine, execute=True)
    assert verdict(program, NUMBERS[machine]["execve"], MACHINES[machine][1]) == ALLOW


def test_a_machine_that_is_not_listed() -> None:
    with pytest.raises(KeyError):
        filter_for("vax")
