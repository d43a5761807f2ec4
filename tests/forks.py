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
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
COMMAND = "from agentflow.cli import main; main()"
_SERVER = """
import json, os, sys
import agentflow.api, agentflow.cli.solve, agentflow.graphs.unified
from agentflow.models import http
while line := sys.stdin.readline():
    given = json.loads(line)
    child = os.fork()
    if child == 0:
        break
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
else:
    sys.exit()
os.chdir(given["folder"])
os.environ.clear()
os.environ.update(given["environment"])
for number, file in enumerate((os.devnull, *given["files"])):
    os.dup2(os.open(file, os.O_RDWR | os.O_CREAT), number)
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

    def run(
        self,
        code: str,
        *arguments: str,
        folder: Path | None = None,
        environment: dict[str, str] | None = None,
    ) -> subprocess.CompletedProcess[str]:
        """What ``python -c code arguments`` comes to, with nothing to read on standard input.

        Args:
            folder: Where it runs; that of the tests by default.
            environment: All of it; that of the tests by default.
        """
        if self._process.poll() is not None:  # killed from outside, for memory for instance
            self.__enter__()
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        with TemporaryDirectory() as place:
            files = [Path(place) / name for name in ("stdout", "stderr")]
            given = {
                "code": code,
                "arguments": arguments,
                "folder": str(folder or Path.cwd()),
                "environment": dict(os.environ) if environment is None else environment,
                "files": [str(file) for file in files],
            }
            print(json.dumps(given), file=stdin, flush=True)
            status = int(stdout.readline())
            printed, errors = (file.read_text(encoding="utf-8") for file in files)
        return subprocess.CompletedProcess([code, *arguments], status, printed, errors)
