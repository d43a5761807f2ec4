"""Runs an attack outside the sandbox: a plain Python process, as the same user."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from agentflow.tools.sandbox.probes.probe import Ran

PROGRAM = """
import json, sys
given = json.load(sys.stdin)
found, failure = {"data": given["data"], "__name__": "__main__"}, ""
try:
    exec(compile(given["code"], "<attack>", "exec"), found)
except Exception as error:
    failure = f"{type(error).__name__}: {error}"
print("\\n" + json.dumps({"value": found.get("ans"), "failure": failure}, default=str), flush=True)
"""
PATIENCE = 20.0
"""Seconds for an attack that should end."""
LOOK = 0.3
"""Seconds after which an attack that should never end has shown that it does not."""
MOST = 4 << 20
"""Bytes of its output that are read."""


def start(code: str, data: dict[str, Any], folder: Path) -> subprocess.Popen[bytes]:
    """Start a program in a folder of its own; its output goes to files there."""
    file = folder / "program.py"
    file.write_text(PROGRAM)
    (folder / "given").write_text(json.dumps({"code": code, "data": data}))
    with (
        open(folder / "given", "rb") as given,
        open(folder / "stdout", "wb") as stdout,
        open(folder / "stderr", "wb") as stderr,
    ):
        return subprocess.Popen(
            [sys.executable, "-I", "-B", str(file)],
            stdin=given,
            stdout=stdout,
            stderr=stderr,
            cwd=folder,
            start_new_session=True,
            close_fds=False,
        )


def finish(process: subprocess.Popen[bytes], folder: Path, endless: bool) -> Ran:
    """Wait for its end, kill it where it has none, and read what it left."""
    began = time.monotonic()
    running = False
    wait_for_begun(process, folder) if endless else None
    try:
        process.wait(LOOK if endless else PATIENCE)
    except subprocess.TimeoutExpired:
        running = True
        process.kill()
        process.wait()
    stdout, stderr = read(folder / "stdout"), read(folder / "stderr")
    value, failure, replied = reply(stdout)
    if not failure and not replied:
        failure = f"ended with status {process.returncode}"
    seconds = time.monotonic() - began
    return Ran(value, failure, None, stdout, stderr, replied, running, seconds)


def end_group(group: int) -> None:
    """Kill what a program left in its process group; those are orphans of ours by now."""
    with contextlib.suppress(OSError):
        os.killpg(group, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        while True:
            os.waitpid(-group, 0)


def end_one(process: int) -> None:
    """Kill an orphan that left its group."""
    with contextlib.suppress(OSError):
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)


def wait_for_begun(process: subprocess.Popen[bytes], folder: Path) -> None:
    """Return when it says that it comes to its attack, or has ended, or takes too long."""
    until = time.monotonic() + PATIENCE
    while b"begun" not in (folder / "stdout").read_bytes():
        if process.poll() is not None or time.monotonic() > until:
            return
        time.sleep(0.01)


def read(file: Path) -> str:
    with open(file, "rb") as opened:
        return opened.read(MOST).decode(errors="replace")


def reply(stdout: str) -> tuple[Any, str, bool]:
    """(value, failure, whether there is a well-formed last line)."""
    lines = stdout.strip().rsplit("\n", 1)
    with contextlib.suppress(ValueError, RecursionError):
        match json.loads(lines[-1]):
            case {"value": value, "failure": failure}:
                return value, failure or "", True
    return None, "", False
