"""Every limit binds, and a call that hits it is gone afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from agentflow.tools.sandbox import Limits, Sandbox

LIMITS = Limits(seconds=30, cpu_seconds=10, memory_mib=128, processes=4, file_mib=2)
SHORT = replace(LIMITS, seconds=0.5)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    one = Sandbox(LIMITS)
    one.run("1")
    yield one
    one.close()


@pytest.mark.parametrize(
    "code",
    [
        "while True: pass",
        "import time; time.sleep(100)",
        "10**10**8",
        "import re; re.match(r'(a+)+$', 'a' * 60 + 'b')",
        "from z3 import *; x, y, z = Ints('x y z'); solve(x**3 + y**3 + z**3 == 42, x > 10)",
        "import signal\nfor n in range(1, 65):\n    try: signal.signal(n, signal.SIG_IGN)\n"
        "    except (OSError, ValueError): pass\nwhile True: pass",
        "import threading\ndef f():\n    while True: pass\nthreading.Thread(target=f).start()\nf()",
        "import os\nos.close(1); os.close(2); os.close(3)\nwhile True: pass",
        "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
        "import sys; sys.stdin = None\nimport threading; threading.Event().wait()",
    ],
)
def test_wall_clock(sandbox: Sandbox, code: str) -> None:
    run = sandbox.run(code, limits=SHORT)
    assert (run.limit, run.failure, run.value) == ("seconds", None, None)
    assert run.seconds >= SHORT.seconds


def test_cpu_time(sandbox: Sandbox) -> None:
    run = sandbox.run("10**10**8", limits=replace(LIMITS, cpu_seconds=0.5))
    assert run.limit == "cpu_seconds"
    assert run.cpu_seconds >= 0.5


@pytest.mark.parametrize(
    "code",
    [
        "bytearray(200 * 2**20)",
        "x = []\nwhile True: x.append(bytearray(2**20))",
        "import mmap; mmap.mmap(-1, 200 * 2**20)",
        "import numpy; numpy.ones(200 * 2**17)",
    ],
)
def test_memory(sandbox: Sandbox, code: str) -> None:
    run = sandbox.run(code)
    assert run.limit == "memory_mib"
    assert run.peak_mib < LIMITS.memory_mib + 16  # libraries that were mapped, now in use


def test_memory_within_the_limit(sandbox: Sandbox) -> None:
    run = sandbox.run("len(bytearray(100 * 2**20))")
    assert run.value == 100 * 2**20
    assert 100 <= run.peak_mib < LIMITS.memory_mib


def test_threads(sandbox: Sandbox) -> None:
    code = (
        "import threading\nstop = threading.Event()\nstarted = 0\n"
        "try:\n    for _ in range(50):\n        threading.Thread(target=stop.wait).start()\n"
        "        started += 1\nexcept RuntimeError: pass\nans = started"
    )
    assert sandbox.run(code).value == LIMITS.processes - 1
    run = sandbox.run(code.replace("except RuntimeError: pass", "finally: pass"))
    assert run.limit == "processes"


@pytest.mark.parametrize(
    "code",
    [
        "import os\nwhile True: os.fork()",
        "import subprocess, sys; subprocess.run([sys.executable, '-c', '1'])",
        "import multiprocessing; multiprocessing.Process(target=print).start()",
    ],
)
def test_processes(sandbox: Sandbox, code: str) -> None:
    run = sandbox.run(code)
    assert run.limit == "processes"
    assert run.failure is not None


def test_one_large_file(sandbox: Sandbox) -> None:
    run = sandbox.run("open('x', 'wb').write(bytes(3 * 2**20))")
    assert run.limit == "file_mib"


def test_many_files(sandbox: Sandbox) -> None:
    run = sandbox.run("for i in range(9): open(str(i), 'wb').write(bytes(2**19))")
    assert run.limit == "file_mib"
    run = sandbox.run("for i in range(10**5): open(str(i), 'wb').close()")
    assert run.limit == "file_mib"


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_flood_of_output(sandbox: Sandbox, stream: str) -> None:
    run = sandbox.run(f"import sys\nwhile True: sys.{stream}.write('x' * 100_000)")
    assert run.limit == "output_bytes"
    assert getattr(run, stream) == "x" * LIMITS.output_bytes


def test_output_up_to_the_limit(sandbox: Sandbox) -> None:
    run = sandbox.run(f"import sys; sys.stdout.write('x' * {LIMITS.output_bytes}); ans = 1")
    assert (run.limit, run.value, len(run.stdout)) == (None, 1, LIMITS.output_bytes)


def test_a_flood_of_value(sandbox: Sandbox) -> None:
    run = sandbox.run("['x' * 100] * 10_000")
    assert (run.limit, run.value) == ("output_bytes", None)
    assert 0 < len(run.shown) <= LIMITS.output_bytes


def test_a_flood_of_reply(sandbox: Sandbox) -> None:
    run = sandbox.run("import os\nwhile True: os.write(3, b' ' * 2**16)")
    assert (run.limit, run.value) == ("output_bytes", None)


def test_limits_cannot_be_raised(sandbox: Sandbox) -> None:
    code = """
import resource
ans = []
for which in ("AS", "CPU", "FSIZE", "NPROC", "NOFILE", "CORE"):
    try:
        resource.setrlimit(getattr(resource, "RLIMIT_" + which), (-1, -1))
        ans.append(which)
    except (ValueError, OSError):
        pass
"""
    assert sandbox.run(code).value == []
