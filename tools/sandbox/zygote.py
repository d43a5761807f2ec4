"""The process that has the libraries imported and forks one child per call.

It speaks to its client over one socket and ends when that is closed. A message brings five
descriptors of one call: the request (a file), stdout, stderr and the reply (pipes to write), and a
control socket: its end kills the call, and the resources used are written there once no process of
the call is left. The zygote reads nothing that a program wrote.
"""

from __future__ import annotations

import contextlib
import fcntl
import gc
import importlib
import json
import os
import resource
import selectors
import shutil
import signal
import site
import socket
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from agentflow.tools.sandbox import jail, program
from agentflow.tools.sandbox.boot import READY, STANDS
from agentflow.tools.sandbox.jail import Jail

DESCRIPTORS = 5
MOST_DESCRIPTORS = 1 << 16
"""The most that any process here has."""
REPLY, REQUEST = 3, 4
"""Descriptors of a child."""
WARM = {
    "sympy": "solve(symbols('x')**2 + 3*symbols('x') - 7)",
    "z3": "(lambda solver: (solver.add(Int('x') > 2), solver.check()))(Solver())",
    "math_verify": r"verify(parse(r'$\frac{1}{2}$'), parse('0.5'))",
}
"""What to have done once before forking: libraries import much at the first use."""


@dataclass(frozen=True, slots=True)
class Zygote:
    """What every call starts from.

    Attributes:
        jail: None where calls run without one.
        size: Bytes of address space.
        peak: KiB of memory of a child that does nothing.
    """

    jail: Jail | None
    size: int
    peak: int


@dataclass(frozen=True, slots=True)
class Child:
    """The process of a call; `scratch` is its folder where there is no jail."""

    pid: int
    pidfd: int
    control: socket.socket
    scratch: str


def main(channel: int) -> None:
    """Serve until the client is gone."""
    with socket.socket(fileno=channel) as client:
        most = min(MOST_DESCRIPTORS, resource.getrlimit(resource.RLIMIT_NOFILE)[1])
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        zygote = None
        with contextlib.suppress(ConnectionError):  # the client may be gone by now
            zygote = begin(client)
        if zygote:
            serve(client, zygote)


def begin(client: socket.socket) -> Zygote | None:
    """Get ready, and say so, or what failed; None where there is nothing to serve."""
    if not (text := client.recv(1 << 20)):
        return None
    config = json.loads(text)
    try:
        pid = 0 if config["unsafe"] else jail.leave_host(client)
        if pid:
            client.close()
            os.waitpid(pid, 0)
            return None
        zygote = prepare(config)
    except jail.JailError as error:
        client.send(json.dumps({"step": error.step, "errno": error.number}).encode())
        return None
    client.send(READY)
    return zygote


def prepare(config: Mapping[str, Any]) -> Zygote:
    """Import the libraries, then leave the host's files."""
    sys.path += config["folders"]
    for name in config["preload"]:
        with contextlib.suppress(ImportError):
            module = importlib.import_module(name)
            if name in WARM:
                eval(WARM[name], vars(module).copy())
    with open("/proc/self/statm") as file:
        size = int(file.read().split()[0]) * resource.getpagesize()
    walls = None if config["unsafe"] else jail.build(config["mounts"], config["folders"])
    os.environ.clear()
    site.setquit()  # exit and quit
    gc.collect()
    gc.freeze()
    return Zygote(walls, size, idle_peak())


def idle_peak() -> int:
    """KiB of memory that a fork of this process holds."""
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    return os.wait4(pid, 0)[2].ru_maxrss


def serve(client: socket.socket, zygote: Zygote) -> None:
    """Start a child per message, kill those whose client has enough, report on those that ended."""
    with selectors.DefaultSelector() as selector:
        selector.register(client, selectors.EVENT_READ)
        while True:
            for key, _ in selector.select():
                child: Child | None = key.data
                if child is None:
                    message, descriptors, _, _ = socket.recv_fds(client, 1, DESCRIPTORS)
                    if not message:
                        leave(selector)
                        return
                    if child := start(zygote, descriptors):
                        selector.register(child.pidfd, selectors.EVENT_READ, child)
                        selector.register(child.control, selectors.EVENT_READ, child)
                elif selector.get_map().get(key.fd) is not key:
                    pass  # it ended at the moment at which its client killed it
                elif key.fileobj == child.pidfd:
                    selector.unregister(child.pidfd)
                    with contextlib.suppress(KeyError):
                        selector.unregister(child.control)
                    end(zygote, child)
                else:
                    selector.unregister(child.control)
                    kill(child)


def leave(selector: selectors.BaseSelector) -> None:
    """End the calls under way whose client is gone, and that have no jail to end with."""
    for key in selector.get_map().values():
        child: Child | None = key.data
        if child and child.scratch and key.fileobj == child.pidfd:
            kill(child)
            clear(child)


def start(zygote: Zygote, descriptors: list[int]) -> Child | None:
    """Fork the process of a call, and tell its client that it stands; None if it cannot."""
    if len(descriptors) < DESCRIPTORS:  # more calls at once than descriptors: this one is lost
        for descriptor in descriptors:
            os.close(descriptor)
        return None
    *inner, control = descriptors
    scratch = "" if zygote.jail else tempfile.mkdtemp(prefix="agentflow-")
    talk = socket.socket(fileno=control)
    try:
        pid = jail.fork_inside(zygote.jail) if zygote.jail else os.fork()
    except OSError as error:
        broken(inner[-1], f"no new process: {error.strerror}")
        talk.close()
        return None
    if pid == 0:
        become(zygote, inner, scratch)
    pidfd = os.pidfd_open(pid)
    for descriptor in inner:
        os.close(descriptor)
    with contextlib.suppress(OSError):
        talk.send(STANDS)
    return Child(pid, pidfd, talk, scratch)


def kill(child: Child) -> None:
    """Kill a process, and with it its PID namespace or its session."""
    signal.pidfd_send_signal(child.pidfd, signal.SIGKILL)
    if child.scratch:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)


def end(zygote: Zygote, child: Child) -> None:
    """Clean up behind a child that is dead, and tell its client."""
    kill(child)
    status, usage = clear(child)
    report = {
        "status": os.waitstatus_to_exitcode(status),
        "cpu_seconds": usage.ru_utime + usage.ru_stime,
        "peak_mib": max(0, usage.ru_maxrss - zygote.peak) / 1024,
    }
    with child.control, contextlib.suppress(OSError):
        child.control.send(json.dumps(report).encode())


def clear(child: Child) -> tuple[int, resource.struct_rusage]:
    """Wait for a child that was killed, and delete its folder: its status and what it used."""
    _, status, usage = os.wait4(child.pid, 0)
    os.close(child.pidfd)
    if child.scratch:
        shutil.rmtree(child.scratch, ignore_errors=True)
    return status, usage


# In the child


def become(zygote: Zygote, descriptors: list[int], scratch: str) -> NoReturn:
    """Turn the fork into the process of a call: run its program, write its reply, end."""
    try:
        asked = settle(zygote, descriptors, scratch)
        answer = program.run(asked["code"], asked["data"], int(asked["limits"]["output_bytes"]))
        with contextlib.suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        write(REPLY, answer)
    except BaseException as error:
        broken(REPLY, f"the sandbox's part of the call: {type(error).__name__}: {error}")
    finally:
        os._exit(0)


def settle(zygote: Zygote, descriptors: list[int], scratch: str) -> dict[str, Any]:
    """Take the descriptors, read the request, be shut in."""
    os.setsid()  # else a signal to its own process group reaches the other calls
    high = [fcntl.fcntl(one, fcntl.F_DUPFD, REPLY + REQUEST) for one in descriptors]
    for descriptor, place in zip(high, (REQUEST, 1, 2, REPLY), strict=True):
        os.dup2(descriptor, place)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.closerange(REQUEST + 1, MOST_DESCRIPTORS)
    with open(REQUEST, "rb") as file:
        asked: dict[str, Any] = json.load(file)
    if zygote.jail:
        jail.shut(zygote.jail, asked["limits"], zygote.size)
    else:
        os.chdir(scratch)
        jail.restrict(asked["limits"], zygote.size)
    folder = scratch or jail.SCRATCH
    os.environ.update(HOME=folder, TMPDIR=folder, PATH="/usr/bin:/bin", LANG="C.UTF-8")
    open_streams()
    return asked


def open_streams() -> None:
    """Text streams upon this call's descriptors."""
    how: Any = {"encoding": "utf-8", "errors": "backslashreplace", "buffering": 1}
    sys.stdin = open(0, encoding="utf-8")  # noqa: SIM115
    sys.stdout = open(1, "w", **how)  # noqa: SIM115
    sys.stderr = open(2, "w", **how)  # noqa: SIM115


def broken(descriptor: int, message: str) -> None:
    """Reply that the program was not run."""
    failure = {"type": "SandboxBroken", "message": message, "line": None}
    write(descriptor, program.reply(failure=failure))


def write(descriptor: int, answer: Mapping[str, Any]) -> None:
    with open(descriptor, "wb") as file:
        file.write(json.dumps(answer).encode())
