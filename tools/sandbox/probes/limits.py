"""Attacks that use up the machine: memory, processes, disk, output, time."""

from __future__ import annotations

import mmap
import os
import signal
import time
from pathlib import Path
from typing import Any

from agentflow.tools.sandbox.execution import Limits
from agentflow.tools.sandbox.probes.prelude import call, checked, content, libc, succeeds
from agentflow.tools.sandbox.probes.probe import SHORT, Ran, endless, probe

FLOOD = 1 << 20
"""Bytes that the output floods print at least; the limit is a sixteenth of it."""


def flooded(ran: Ran) -> str:
    """More output than the limit came back, or less and nobody says so."""
    size = max(len(ran.stdout), len(ran.stderr), len(str(ran.value)))
    if size > FLOOD // 2:
        return f"{size} characters came back"
    return "" if ran.limit == "output_bytes" else f"the limit was not reported: {ran.limit}"


@probe()
def memory(data: dict[str, Any]) -> bool:
    """Fills four times its memory with one object."""
    return len(bytearray(b"x") * (256 << 20)) > 0


@probe()
def memory_in_pieces(data: dict[str, Any]) -> bool:
    """Fills twice its memory with many small objects."""
    return len([b"%d" % number for number in range(3_000_000)]) > 0


@probe()
def mapped_memory(data: dict[str, Any]) -> bool:
    """Maps four times its memory, past Python's own allocator."""
    area = mmap.mmap(-1, 256 << 20)
    for page in range(0, 256 << 20, 4096):
        area[page] = 1
    return True


@probe()
def memory_in_files(data: dict[str, Any]) -> bool:
    """Fills files that exist in memory only and count as nobody's (memfd_create)."""
    files = []
    for number in range(128):
        file = call("memfd_create", b"%d" % number, 0)
        if os.write(file, bytes(2 << 20)) < 2 << 20:
            return False
        files.append(file)
    return True


@probe()
def memory_in_pipes(data: dict[str, Any]) -> bool:
    """Fills pipes, which are the kernel's memory."""
    import fcntl

    filled = 0
    for _ in range(200):
        _, write = os.pipe()
        succeeds(lambda write=write: fcntl.fcntl(write, fcntl.F_SETPIPE_SZ, 1 << 20))
        os.set_blocking(write, False)
        while succeeds(os.write, write, bytes(1 << 16)):
            filled += 1 << 16
        if filled >= 32 << 20:
            return True
    return False


@probe()
def shared_memory(data: dict[str, Any]) -> bool:
    """Fills segments of System V, which stay when they are no longer mapped."""
    import ctypes

    libc.shmat.restype = ctypes.c_void_p
    segments = []
    try:
        for _ in range(16):
            segments.append(checked(libc.shmget(0, 16 << 20, 0o600)))
            place = libc.shmat(segments[-1], None, 0)
            if place == ctypes.c_void_p(-1).value:
                return False
            ctypes.memset(place, 1, 16 << 20)
            libc.shmdt(ctypes.c_void_p(place))
    finally:
        for segment in segments:
            libc.shmctl(segment, 0, None)
    return True


@probe()
def fork_bomb(data: dict[str, Any]) -> bool:
    """Holds 40 processes at once, five times what is allowed."""
    children = []
    try:
        for _ in range(40):
            child = os.fork()
            if child == 0:
                time.sleep(3)
                os._exit(0)
            children.append(child)
    except OSError:
        return False
    finally:
        for child in children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
    return True


@probe()
def threads(data: dict[str, Any]) -> bool:
    """Holds 40 threads at once."""
    import threading

    threading.stack_size(64 << 10)
    enough = threading.Event()
    try:
        for _ in range(40):
            threading.Thread(target=enough.wait, daemon=True).start()
    except RuntimeError:
        return False
    finally:
        enough.set()
    return True


@probe()
def big_file(data: dict[str, Any]) -> bool:
    """Writes a file of 64 MiB, sixteen times the limit."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with open("big", "wb") as file:
        for _ in range(64):
            file.write(bytes(1 << 20))
    return True


@probe()
def sparse_file(data: dict[str, Any]) -> bool:
    """Claims a file of a tebibyte without filling it."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with open("big", "wb") as file:
        file.truncate(1 << 40)
    return True


@probe()
def many_files(data: dict[str, Any]) -> bool:
    """Writes 64 MiB in files of which each is within the limit."""
    for number in range(64):
        Path(f"part{number}").write_bytes(bytes(1 << 20))
    return True


@probe()
def empty_files(data: dict[str, Any]) -> bool:
    """Makes 6,000 files without content, which cost the kernel memory all the same."""
    for number in range(6_000):
        os.close(os.open(f"empty{number}", os.O_CREAT | os.O_WRONLY))
    return True


@probe()
def open_files(data: dict[str, Any]) -> bool:
    """Opens 600 files at once."""
    return len([os.open(".", os.O_RDONLY) for _ in range(600)]) == 600


@probe(flooded)
def output(data: dict[str, Any]) -> None:
    """Prints a mebibyte."""
    print("x" * (1 << 20))


@probe(flooded)
def errors(data: dict[str, Any]) -> None:
    """Prints a mebibyte to standard error."""
    import sys

    print("x" * (1 << 20), file=sys.stderr)


@probe(flooded)
def value(data: dict[str, Any]) -> str:
    """Returns a mebibyte."""
    return "x" * (1 << 20)


@probe(flooded, limits=Limits(seconds=10, cpu_seconds=5, memory_mib=64))
def output_without_end(data: dict[str, Any]) -> None:
    """Prints until it is stopped, past Python's own files."""
    for _ in range(1 << 20 if data["inside"] else 1 << 8):
        os.write(1, b"x" * (1 << 12))


@probe(endless, limits=SHORT)
def loop(data: dict[str, Any]) -> None:
    """Never ends."""
    print("begun", flush=True)
    while True:
        pass


def cpu_unlimited(ran: Ran) -> str:
    """It runs until the caller loses patience, or is ended by another limit than that on CPU."""
    if ran.running:
        return "it ran on"
    return "" if ran.limit == "cpu_seconds" else f"ended by {ran.limit}: {ran.failure}"


@probe(cpu_unlimited, limits=Limits(seconds=60, cpu_seconds=1), begins=True)
def cpu(data: dict[str, Any]) -> None:
    """Burns the processor and ignores the kernel's warning that its time is up."""
    signal.signal(signal.SIGXCPU, signal.SIG_IGN)
    print("begun", flush=True)
    while True:
        pass


@probe(endless, limits=SHORT)
def power(data: dict[str, Any]) -> None:
    """Computes 10**10**8 in one C-level step, which Python cannot interrupt."""
    print("begun", flush=True)
    return len(str(10**10**8))  # type: ignore[return-value]


@probe(endless, limits=SHORT)
def regular_expression(data: dict[str, Any]) -> None:
    """Matches a regular expression that takes for ever."""
    import re

    print("begun", flush=True)
    re.match(r"(a+)+$", "a" * 60 + "b")


@probe(endless, limits=SHORT)
def solver(data: dict[str, Any]) -> None:
    """Asks Z3 for what it cannot find."""
    import z3

    x, y, z, k = z3.Ints("x y z k")
    asked = z3.Solver()
    asked.add(x > 1, y > 1, z > 1, k > 2, x**k + y**k == z**k)
    asked.add([z3.Int(f"n{n}") ** 3 + x**3 == 33 + z3.Int(f"n{n + 1}") ** 3 for n in range(30)])
    print("begun", flush=True)
    while True:
        asked.check()


@probe(endless, limits=SHORT)
def algebra(data: dict[str, Any]) -> None:
    """Asks SymPy for more than it can do."""
    import sympy

    x = sympy.symbols("x0:9")
    print("begun", flush=True)
    sympy.expand(sum(x) ** 200)


@probe(endless, limits=SHORT)
def sleep(data: dict[str, Any]) -> None:
    """Sleeps for ever, which costs no CPU."""
    print("begun", flush=True)
    while True:
        time.sleep(1000)


@probe(endless, limits=SHORT)
def deadlock(data: dict[str, Any]) -> None:
    """Waits for itself."""
    import threading

    lock = threading.Lock()
    print("begun", flush=True)
    with lock:
        lock.acquire()


@probe(endless, limits=SHORT)
def ignored_signals(data: dict[str, Any]) -> None:
    """Ignores and blocks every signal that it can."""
    everything = set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}
    for number in everything:
        succeeds(lambda number=number: signal.signal(number, signal.SIG_IGN))
    signal.pthread_sigmask(signal.SIG_BLOCK, everything)
    print("begun", flush=True)
    while True:
        pass


@probe(endless, limits=SHORT)
def stopped(data: dict[str, Any]) -> None:
    """Stops itself, so that it ends by no limit on CPU."""
    print("begun", flush=True)
    os.kill(os.getpid(), signal.SIGSTOP)
    while True:
        time.sleep(1)


@probe(endless, limits=SHORT)
def faked_clock(data: dict[str, Any]) -> None:
    """Holds Python's clocks, so that no deadline seems to come."""
    time.time = time.monotonic = time.perf_counter = lambda: 0.0
    print("begun", flush=True)
    while True:
        time.sleep(0.01)


@probe(endless, limits=SHORT)
def work_in_children(data: dict[str, Any]) -> None:
    """Works in children, one after the other, each of which uses little CPU."""
    print("begun", flush=True)
    while True:
        try:
            child = os.fork()
        except OSError:
            continue
        if child == 0:
            os._exit(sum(range(10**6)) % 2)
        os.waitpid(child, 0)


@probe(endless, limits=SHORT)
def burning_threads(data: dict[str, Any]) -> None:
    """Burns the processor in threads that hold no lock of Python's."""
    import hashlib
    import threading

    def burn() -> None:
        while True:
            hashlib.sha256(bytes(1 << 20))

    for _ in range(3):
        threading.Thread(target=burn, daemon=True).start()
    print("begun", flush=True)
    burn()


@probe(endless, limits=SHORT)
def closed_output(data: dict[str, Any]) -> None:
    """Closes everything it could be heard by, then runs on."""
    print("begun", flush=True)
    os.closerange(0, 1024)
    while True:
        time.sleep(1)


@probe()
def locked_memory(data: dict[str, Any]) -> bool:
    """Reserves memory so that nobody else can have it (mlock)."""
    area = mmap.mmap(-1, 1 << 20)
    import ctypes

    place = ctypes.addressof(ctypes.c_char.from_buffer(area))
    checked(libc.mlock(ctypes.c_void_p(place), 1 << 20))
    return "VmLck:\t       0 kB" not in content("/proc/self/status").decode()
