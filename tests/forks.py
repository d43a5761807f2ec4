"""Python programs in processes of their own that need not import what all of them import.

A process that has imported the package forks for each program, and the fork goes on as
``python -c`` would: a namespace, a folder, an environment, output and an end of its own. What a
program does with modules before they are imported needs a process that is really new.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).parents[1]
COMMAND = "from agentflow.cli import main; main()"
_SERVER = """
import json, os, signal, sys
import agentflow.api, agentflow.cli.solve, agentflow.graphs.unified
from agentflow.models import http
while line := sys.stdin.readline():
    given = json.loads(line)
    if isinstance(given, list):
        waited, status = os.waitpid(*given)
        print(os.waitstatus_to_exitcode(status) if waited else "", flush=True)
        continue
    files = [os.open(file, os.O_RDWR | os.O_CREAT) for file in (os.devnull, *given["files"])]
    child = os.fork()
    if child == 0:
        break
    print(child, flush=True)
    for file in files:
        os.close(file)
else:
    sys.exit()
for number, file in enumerate(files):
    os.dup2(file, number)
    os.close(file)
# A test run in the background of a shell ignores it, and its children would too.
signal.signal(signal.SIGINT, signal.default_int_handler)
os.chdir(given["folder"])
os.environ.clear()
os.environ.update(given["environment"])
sys.argv = ["-c", *given["arguments"]]
def go(program, space):
    for name in [one for one in space if not one.startswith("__")]:
        del space[name]
    exec(program, space)
go(compile(given["code"], "<string>", "exec"), globals())
"""


class Forks:
    """The process that forks. A context manager; it ends with the tests."""

    def __enter__(self) -> Forks:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _SERVER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def start(
        self,
        code: str,
        *arguments: str,
        folder: Path | None = None,
        environment: dict[str, str] | None = None,
        stdout: str | None = None,
    ) -> Forked:
        """Begin what ``python -c code arguments`` is, with nothing to read on standard input.

        Args:
            folder: Where it runs; that of the tests by default.
            environment: All of it; that of the tests by default.
            stdout: The file that is its standard output; a new one by default.
        """
        if self._process.poll() is not None:  # killed from outside, for memory for instance
            self.__enter__()
        place = TemporaryDirectory()
        files = [stdout or f"{place.name}/stdout", f"{place.name}/stderr"]
        given = {
            "code": code,
            "arguments": arguments,
            "folder": str(folder or Path.cwd()),
            "environment": dict(os.environ) if environment is None else environment,
            "files": files,
        }
        return Forked(self, int(self._ask(given)), place, Path(files[0]), Path(files[1]))

    def run(self, code: str, *arguments: str, **given: Any) -> subprocess.CompletedProcess[str]:
        """What comes of it; the arguments are those of `start`."""
        printed, errors = (process := self.start(code, *arguments, **given)).communicate()
        return subprocess.CompletedProcess([code, *arguments], process.wait(), printed, errors)

    def ended(self, pid: int, options: int = 0) -> int | None:
        """The exit status of a fork, as `os.waitpid` waits for it; None while it runs."""
        said = self._ask([pid, options])
        return int(said) if said else None

    def _ask(self, what: Any) -> str:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        print(json.dumps(what), file=stdin, flush=True)
        line = stdout.readline()
        assert line, "the process that forks has ended"
        return line.strip()


@dataclass
class Forked:
    """A program that runs, much as `subprocess.Popen` has it.

    Attributes:
        stdout, stderr: The files that it writes to.
    """

    forks: Forks
    pid: int
    place: TemporaryDirectory[str]
    stdout: Path
    stderr: Path
    returncode: int | None = None

    def poll(self) -> int | None:
        if self.returncode is None:
            self.returncode = self.forks.ended(self.pid, os.WNOHANG)
        return self.returncode

    def wait(self) -> int:
        """While one waits, no other can be started: the process that forks waits, too."""
        if self.returncode is None:
            self.returncode = self.forks.ended(self.pid)
        assert self.returncode is not None
        return self.returncode

    def communicate(self) -> tuple[str, str]:
        """What it printed and its errors, once it has ended."""
        self.wait()
        printed = self.stdout.read_text(encoding="utf-8") if self.stdout.is_file() else ""
        return printed, self.stderr.read_text(encoding="utf-8")

    def send_signal(self, number: int) -> None:
        if self.returncode is None:
            os.kill(self.pid, number)
