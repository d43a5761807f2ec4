"""A fork's program is on its own, as in a process of its own."""

from __future__ import annotations

from pathlib import Path
from signal import SIGINT
from time import sleep

import pytest
from forks import Forks

pytestmark = pytest.mark.slow  # the process that forks imports much


def test_a_program_leaves_nothing_to_the_next(forks: Forks, tmp_path: Path) -> None:
    code = """
import os, sys
import agentflow
print(os.getcwd(), sys.argv[1:], os.environ.get("A"), hasattr(agentflow, "left"), sorted(globals()))
agentflow.left = x = 1
import __main__
assert __main__.x == 1
print("told", file=sys.stderr)
sys.exit(3)
"""
    for _ in range(2):
        done = forks.run(code, "a", "b", folder=tmp_path, environment={"A": "1"})
        assert (done.returncode, done.stderr) == (3, "told\n")
        place, _, names = done.stdout.partition(" False ")
        assert place == f"{tmp_path} ['a', 'b'] 1"
        assert [name for name in eval(names) if name[:2] != "__"] == ["agentflow", "os", "sys"]


def test_a_fault_and_a_signal_are_told(forks: Forks) -> None:
    done = forks.run("1 / 0")
    assert done.returncode == 1
    assert "ZeroDivisionError" in done.stderr
    assert forks.run("import os; os.kill(os.getpid(), 9)").returncode == -9
    assert forks.run("print(1)").stdout == "1\n"


def test_a_program_runs_beside_the_tests(forks: Forks, tmp_path: Path) -> None:
    file = tmp_path / "stdout"
    process = forks.start("import time; print(1, flush=True); time.sleep(600)", stdout=str(file))
    while file.read_text() != "1\n":
        assert process.poll() is None
        sleep(0.01)
    assert forks.run("print(2)").stdout == "2\n"
    assert process.poll() is None
    process.send_signal(SIGINT)
    printed, errors = process.communicate()
    assert printed == "1\n"
    assert errors.endswith("KeyboardInterrupt\n")
    assert process.returncode == process.poll() != 0
