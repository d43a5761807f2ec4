"""The sandbox as seen from the process that uses it."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import select
import socket
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Sequence
from dataclasses import asdict
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from agentflow.tools.aside import aside, stopping
from agentflow.tools.sandbox.boot import ENVIRONMENT, STANDS, command
from agentflow.tools.sandbox.errors import SandboxUnavailable
from agentflow.tools.sandbox.execution import Execution, Failure, Limits
from agentflow.tools.sandbox.jail import USER
from agentflow.tools.sandbox.reply import read_reply
from agentflow.tools.sandbox.support import advice

PRELOAD = ("sympy", "numpy", "z3", "math_verify")
"""Libraries imported once, in the zygote; one that is not installed is left out."""
NOBODY = 65534
"""Who a zygote is on the host if its client is root."""
START, GRACE = 60.0, 10.0
"""Seconds that a zygote has to be ready, and to end."""


class Sandbox:
    """Runs programs, each in a fresh process, forked from one that has the libraries imported.

    Safe to use from many threads at once; calls run in parallel. The zygote starts at the first
    call, ends when the sandbox is closed or its process ends, and is started again if it died.

    Args:
        limits: What a call may use, unless it says otherwise.
        preload: Libraries to import beforehand.
        mounts: Files and folders of the host to show, read-only, at the same place. With any, a
            program may also turn into a program that it sees there (`os.execv`).
        unsafe: Run without any isolation, as this user, with this user's files and network, under
            resource limits only. For programs that you have read.
    """

    def __init__(
        self,
        limits: Limits = Limits(),  # noqa: B008 (frozen)
        *,
        preload: Sequence[str] = PRELOAD,
        mounts: Sequence[str] = (),
        unsafe: bool = False,
    ) -> None:
        self.limits = limits
        self.preload = tuple(preload)
        self.mounts = tuple(mounts)
        self.unsafe = unsafe
        self._lock = threading.Lock()
        self._zygote: socket.socket | None = None
        self._end: weakref.finalize[..., Sandbox] | None = None
        ALL.add(self)

    def run(self, code: str, *, data: Any = None, limits: Limits | None = None) -> Execution:
        """Run a program; what it does wrong stands in the result.

        Args:
            code: Its text.
            data: JSON, which it sees as `data`.
            limits: What it may use.

        Raises:
            SandboxUnavailable: This machine cannot isolate it, so it was not run.
        """
        if sys.platform != "linux":
            raise SandboxUnavailable(
                "the sandbox needs Linux: use a virtual machine or a container"
            )
        limits = limits or self.limits
        try:
            text = json.dumps({"code": code, "data": data, "limits": asdict(limits)}).encode()
        except (TypeError, ValueError, RecursionError) as error:
            why = Failure(type(error).__name__, f"the data is not JSON: {error}")
            return Execution(failure=why)
        try:
            return self._call(text, limits)
        except OSError as error:
            return Execution(failure=Failure("SandboxBroken", f"no call could be made: {error}"))

    async def arun(self, code: str, *, data: Any = None, limits: Limits | None = None) -> Execution:
        """`run` in a worker thread; the program is killed where this is cancelled."""
        return await aside(self.run, code, data=data, limits=limits)

    def close(self) -> None:
        """End the zygote and every call."""
        with self._lock:
            self._stop()

    def _call(self, request: bytes, limits: Limits) -> Execution:
        """One call, from its request to its end."""
        with contextlib.ExitStack() as stack:
            theirs = stack.enter_context(contextlib.ExitStack())
            file = os.memfd_create("request")
            theirs.callback(os.close, file)
            write_all(file, request)
            os.lseek(file, 0, os.SEEK_SET)
            reads, writes = [], []
            for _ in range(3):
                read, write = os.pipe()
                stack.callback(os.close, read)
                theirs.callback(os.close, write)
                reads.append(read)
                writes.append(write)
            control, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            stack.callback(control.close)
            theirs.callback(other.close)
            with stopping(partial(_shut, control)):
                self._send([file, *writes, other.fileno()])
                theirs.close()
                return watch(reads, control, limits)

    def _send(self, descriptors: list[int]) -> None:
        """Give a call to the zygote; to a new one if it died."""
        zygote = self._running()
        try:
            socket.send_fds(zygote, [b"c"], descriptors)
        except OSError:
            with self._lock:
                if self._zygote is zygote:
                    self._stop()
            socket.send_fds(self._running(), [b"c"], descriptors)

    def _running(self) -> socket.socket:
        """The channel to the zygote, which is started if there is none."""
        with self._lock:
            if self._zygote is None:
                process, self._zygote = self._start()
                self._end = weakref.finalize(self, end, process, self._zygote)
            return self._zygote

    def _stop(self) -> None:
        self._zygote = None
        if self._end:
            self._end()

    def _leave(self) -> None:
        """In a fork of this process: the zygote is the parent's."""
        self._lock = threading.Lock()
        self._zygote = None
        if self._end and (held := self._end.detach()):
            process, channel = held[2]
            channel.close()
            process.returncode = 0  # it is no child of ours to wait for

    def _start(self) -> tuple[subprocess.Popen[bytes], socket.socket]:
        for path in self.mounts:
            if not os.path.exists(path):
                raise SandboxUnavailable(f"there is nothing at {path}, to be shown in the sandbox")
        channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            process = subprocess.Popen(
                command("zygote", theirs.fileno()),
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env=ENVIRONMENT,
                cwd="/",
                start_new_session=True,  # a Ctrl-C in the terminal is not for it
            )
        config = {
            "folders": library_folders(self.preload),
            "preload": self.preload,
            "mounts": [os.path.abspath(path) for path in self.mounts],
            "unsafe": self.unsafe,
        }
        channel.settimeout(START)
        reply: dict[str, Any] = {}
        try:
            channel.send(json.dumps(config).encode())
            reply = hear(channel)
            if "map" in reply:
                reply = {"step": "user map"}
                map_user(process.pid)
                channel.send(b"m")
                reply = hear(channel)
        except OSError as error:
            reply |= {"errno": error.errno or errno.ETIMEDOUT}
        if "ready" not in reply:
            end(process, channel)
            raise SandboxUnavailable(advice(reply.get("step", "start"), reply.get("errno", 0)))
        channel.settimeout(None)
        return process, channel


def hear(channel: socket.socket) -> dict[str, Any]:
    """A message of a zygote that starts; empty if it ended."""
    reply: dict[str, Any] = json.loads(channel.recv(1 << 16) or b"{}")
    return reply


def _shut(control: socket.socket) -> None:
    """Have a call killed; it may have ended."""
    with contextlib.suppress(OSError):
        control.shutdown(socket.SHUT_WR)


def end(process: subprocess.Popen[bytes], channel: socket.socket) -> None:
    """End a zygote: it does so by itself once nobody is there."""
    channel.close()
    try:
        process.wait(GRACE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def map_user(pid: int) -> None:
    """Say who a process is in its new user namespace: us; nobody, if we are root."""
    root = os.geteuid() == 0
    ids = (NOBODY, NOBODY) if root else (os.geteuid(), os.getegid())
    texts = ("deny", f"{USER} {ids[0]} 1", f"{USER} {ids[1]} 1")
    for name, text in zip(("setgroups", "uid_map", "gid_map"), texts, strict=True):
        with open(f"/proc/{pid}/{name}", "w") as file:
            file.write(text)


def write_all(descriptor: int, text: bytes) -> None:
    view = memoryview(text)
    while view:
        view = view[os.write(descriptor, view) :]


@cache
def library_folders(names: Sequence[str]) -> list[str]:
    """The folders on the path that hold these libraries, or installed ones at all."""
    specs = filter(None, map(find_spec, names))
    places = {str(Path(spec.origin).parent.parent) for spec in specs if spec.origin}
    installed = ("site-packages", "dist-packages")
    return [path for path in sys.path if path in places or Path(path).name in installed]


def watch(pipes: Sequence[int], control: socket.socket, limits: Limits) -> Execution:
    """Read what a call writes until it ended; kill it where it goes beyond its limits.

    Args:
        pipes: Descriptors of its stdout, stderr and reply.
        control: To the zygote; its end, sent or read, is the call's.
        limits: Those of the call.
    """
    most = limits.output_bytes
    room = dict(zip(pipes, (most, most, 8 * most + 2**16), strict=True))
    got = {pipe: bytearray() for pipe in pipes}
    limit: str | None = None
    began: float | None = None
    report: dict[str, Any] | None = None
    ended = False
    poll = select.poll()
    for descriptor in (*pipes, control.fileno()):
        poll.register(descriptor, select.POLLIN)

    def kill(reason: str) -> None:
        nonlocal limit
        if limit is None:
            limit = reason
            _shut(control)

    while True:
        left = None
        if ended:
            left = 0.0  # nobody is left to write; without a jail, somebody may be
        elif began is not None and limit is None:
            left = max(0.0, began + limits.seconds - time.monotonic())
            if not left:
                kill("seconds")
        events = poll.poll(None if left is None else min(left, 1000.0) * 1000)
        if not events and ended:
            break
        for descriptor, _ in events:
            if descriptor == control.fileno():
                text = control.recv(1 << 12)
                if text == STANDS:
                    began = time.monotonic()
                    continue
                report = json.loads(text) if text else None
                ended = True
                poll.unregister(descriptor)
                continue
            chunk = os.read(descriptor, 1 << 16)
            got[descriptor] += chunk[: room[descriptor]]
            room[descriptor] -= len(chunk)
            if room[descriptor] < 0:
                kill("output_bytes")
            if room[descriptor] < 0 or not chunk:
                poll.unregister(descriptor)
    seconds = time.monotonic() - began if began else 0.0
    out, err, reply = (bytes(text) for text in got.values())
    return read_reply(reply, out, err, report, limit, limits, seconds)


def leave_all() -> None:
    for sandbox in list(ALL):
        sandbox._leave()


ALL: weakref.WeakSet[Sandbox] = weakref.WeakSet()
os.register_at_fork(after_in_child=leave_all)


@cache
def shared() -> Sandbox:
    """The sandbox of this process, closed at its end."""
    return Sandbox()
