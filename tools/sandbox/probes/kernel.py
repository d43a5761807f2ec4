"""Attacks on the kernel: its rarer system calls, namespaces, mounts, privileges."""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import os
import resource
from typing import Any

from agentflow.tools.sandbox.probes.prelude import (
    NEWNS,
    NEWUSER,
    NEWUTS,
    X86,
    any_succeeds,
    call,
    checked,
    content,
    enclosed,
    libc,
    own_mounts,
    processes,
    succeeds,
    unshare,
)
from agentflow.tools.sandbox.probes.probe import probe


@probe()
def user_namespace(data: dict[str, Any]) -> bool:
    """Becomes root in a user namespace of its own: the way to most holes of the kernel."""
    return unshare(0)


@probe()
def clone_namespace(data: dict[str, Any]) -> bool:
    """The same by clone."""
    child = call("clone", NEWUSER | 17, 0, 0, 0, 0)
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return True


@probe()
def clone3_namespace(data: dict[str, Any]) -> bool:
    """The same by clone3, whose arguments a filter cannot read."""
    arguments = (ctypes.c_uint64 * 11)(NEWUSER, 0, 0, 0, 17)
    child = call("clone3", ctypes.byref(arguments), 88)
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return True


@probe()
def join_namespace(data: dict[str, Any]) -> bool:
    """Joins the namespaces of another process."""
    unshare(NEWUTS)

    def join(path: str) -> None:
        checked(libc.setns(os.open(path, os.O_RDONLY), 0))

    kinds = ("user", "mnt", "pid", "net", "ipc", "uts", "cgroup", "time")
    around = {"self", "1", *map(str, processes() if data["inside"] else ())}
    return any_succeeds(join, [f"/proc/{one}/ns/{kind}" for one in around for kind in kinds])


@probe()
def mount(data: dict[str, Any]) -> bool:
    """Mounts a file system."""
    if not own_mounts():
        return False
    os.mkdir("here")
    checked(libc.mount(b"none", b"here", b"tmpfs", 0, None))
    return True


@probe()
def mount_by_handle(data: dict[str, Any]) -> bool:
    """Makes a file system with the newer calls (fsopen)."""
    unshare(NEWNS)
    return call("fsopen", b"tmpfs", 0) > 2


@probe()
def make_writable(data: dict[str, Any]) -> bool:
    """Mounts the read-only Python installation again, writable."""
    if not own_mounts():
        return False
    remount, bind, recursive = 32, 4096, 16384
    place = os.path.dirname(os.__file__).encode()
    libc.mount(place, place, None, bind | recursive, None)
    checked(libc.mount(None, place, None, remount | bind, None))
    return True


@probe()
def unmount(data: dict[str, Any]) -> bool:
    """Takes mounts away, to see what lies below them."""
    if not own_mounts():
        return False
    libc.mount(b"none", b".", b"tmpfs", 0, None)
    places = [b".", os.getcwd().encode()]
    if enclosed():
        places += [b"/proc", b"/dev", b"/tmp", b"/"]
    return any_succeeds(lambda place: checked(libc.umount2(place, 2)), places)


@probe()
def kernel_settings(data: dict[str, Any]) -> bool:
    """Writes settings of the kernel (/proc/sys), each its own value."""
    unshare(NEWUTS)
    names = ("user/max_user_namespaces", "kernel/hostname", "vm/overcommit_memory")

    def write(name: str) -> None:
        path = f"/proc/sys/{name}"
        value = content(path)
        with open(path, "wb", buffering=0) as file:
            file.write(value or b"1")

    return any_succeeds(write, names)


@probe()
def set_host_name(data: dict[str, Any]) -> bool:
    """Sets the host's name."""
    import socket

    unshare(NEWUTS)
    socket.sethostname(socket.gethostname())
    return True


@probe()
def capabilities(data: dict[str, Any]) -> bool:
    """Holds or gets a capability, or may get one back from a program it runs."""
    unshare(0)
    status = content("/proc/self/status").decode()
    sets = dict(line.split(":\t") for line in status.splitlines() if line.startswith("Cap"))
    found = any(int(sets.get(name, "0"), 16) for name in ("CapPrm", "CapEff", "CapBnd"))
    bounding = any(libc.prctl(23, number, 0, 0, 0) == 1 for number in range(41))
    return found or bounding


@probe()
def new_privileges(data: dict[str, Any]) -> bool:
    """May gain privileges from set-user-id programs (no_new_privs is not set)."""
    return bool(libc.prctl(39, 0, 0, 0, 0) != 1)


@probe(needs="root")
def become_root(data: dict[str, Any]) -> bool:
    """Is root, or becomes it."""
    succeeds(lambda: os.setresgid(0, 0, 0))
    succeeds(lambda: os.setresuid(0, 0, 0))
    return os.geteuid() == 0 and succeeds(lambda: os.setgroups([0]))


@probe()
def raise_limits(data: dict[str, Any]) -> bool:
    """Has no limit on memory, time, processes or files, or lifts one."""
    unlimited = resource.RLIM_INFINITY
    wanted = (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_FSIZE)
    for limit in wanted:
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(limit, (unlimited, unlimited))
    return any(resource.getrlimit(limit)[0] == unlimited for limit in wanted)


@probe(needs="root")
def clock(data: dict[str, Any]) -> bool:
    """Sets the host's clock (its tick, to what it is)."""
    words = (ctypes.c_long * 32)()
    call("adjtimex", ctypes.byref(words))
    words[0] = 0x4000  # ADJ_TICK; the tick stands where it was read to
    call("adjtimex", ctypes.byref(words))
    return True


@probe(needs="root")
def root_only_calls(data: dict[str, Any]) -> bool:
    """Loads modules or kernels, reboots, swaps, accounts; all with impossible arguments."""
    import errno

    calls = (
        ("finit_module", -1, b"", 0),
        ("kexec_load", 0, 0, 0, 1 << 40),
        ("reboot", 0, 0, 0, 0),
        ("swapon", 0, 0),
        ("acct", -1),
    )
    refused = (errno.EPERM, errno.ENOSYS, errno.EACCES)
    for name, *arguments in calls:
        try:
            call(name, *arguments)
        except OSError as error:
            if error.errno in refused:
                continue
        return True
    return False


@probe(needs="a kernel whose log this user may read")
def kernel_log(data: dict[str, Any]) -> bool:
    """Reads the kernel's log, addresses and all."""
    buffer = ctypes.create_string_buffer(4096)
    return call("syslog", 3, buffer, 4096) > 0


@probe(needs="a kernel with keyrings")
def keyring(data: dict[str, Any]) -> bool:
    """Uses the kernel's keyrings."""
    return call("add_key", b"user", data["marker"].encode(), b"x", 1, -2) > 0


@probe(needs="root, or bpf open to users")
def bpf(data: dict[str, Any]) -> bool:
    """Loads into the kernel's own virtual machine (makes a map)."""
    arguments = (ctypes.c_uint32 * 32)(2, 4, 4, 1)  # an array of one word
    return call("bpf", 0, ctypes.byref(arguments), 128) > 2


@probe(needs="performance counters open to users")
def performance_counters(data: dict[str, Any]) -> bool:
    """Counts what the processor does (perf_event_open)."""
    attributes = (ctypes.c_uint32 * 32)(1, 128)  # a software event: the CPU clock
    attributes[10] = 1 << 5 | 1 << 6  # not the kernel's, not the hypervisor's
    return call("perf_event_open", ctypes.byref(attributes), 0, -1, -1, 0) > 2


@probe()
def page_faults(data: dict[str, Any]) -> bool:
    """Handles page faults itself (userfaultfd), a favourite of exploits."""
    return call("userfaultfd", 1) > 2


@probe(needs="io_uring")
def io_uring(data: dict[str, Any]) -> bool:
    """Opens io_uring, whose operations no filter of system calls sees."""
    return call("io_uring_setup", 4, ctypes.create_string_buffer(256)) > 2


@probe()
def personality(data: dict[str, Any]) -> bool:
    """Switches address randomisation off."""
    return call("personality", 0x40000) >= 0 and bool(call("personality", 0xFFFFFFFF) & 0x40000)


@probe(needs="a kernel that lets programs type into terminals (TIOCSTI)")
def terminal_input(data: dict[str, Any]) -> bool:
    """Types a command into the terminal it was started from."""
    import fcntl
    import pty

    TIOCSTI = 0x5412
    terminals = [0, 1, 2]
    if succeeds(pty.openpty):
        terminals = [pty.openpty()[1]]
        succeeds(os.setsid)
        succeeds(lambda: fcntl.ioctl(terminals[0], 0x540E, 0))
    return any_succeeds(lambda one: fcntl.ioctl(one, TIOCSTI, b" "), terminals)


@probe(needs="x86-64 with 32-bit programs")
def other_architecture(data: dict[str, Any]) -> bool:
    """Calls the kernel as a 32-bit program, whose numbers mean other calls."""
    if not X86:
        return False
    code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3")  # getpid by interrupt 128
    function = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))
    return bool(function() == os.getpid())
