"""What a call of the sandbox costs, beside a cold Python process, and what it leaves behind.

    python benchmarks/sandbox.py [--no-check] [--calls N] [--soak N]

Programs run one after the other in the sandbox as it is shipped, in one without a jail
(`unsafe=True`), and in a cold `python -I -c` of its own each, which is not isolated at all; all in
one run, in turns, so that what else the machine does falls on each. Milliseconds are those the
caller waits. Then eight calls that compute run one after the other, and at once. Then the soak:
many calls of all kinds from four threads, with what is held before and after.

Exits with 1 if a goal is missed: a warm call p50 <= 12 ms; importing SymPy and solving a quadratic
p50 <= 35 ms, and at least 30x faster than the cold process; eight calls at once gain at least 0.75
per core; the soak leaves no process, descriptor or file, and no more than 2 MiB of memory (against
its first tenth).
"""

from __future__ import annotations

import contextlib
import gc
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

from shared import goal, options, progress

from agentflow.tools.sandbox import Limits, Sandbox

SUM = "ans = sum(range(10))"
QUADRATIC = 'from sympy import *; x = symbols("x"); ans = solve(x**2 - 5*x + 6, x)'
PROGRAMS = {
    "sum(range(10))": SUM,
    "SymPy, a quadratic": QUADRATIC,
    "z3, x > 3": "from z3 import *; x = Int('x'); s = Solver(); s.add(x > 3); ans = s.check()",
    "NumPy, solve 50 x 50": "import numpy as np; a = np.eye(50) + 1\n"
    "ans = np.linalg.solve(a, a[0]).tolist()",
}
BUSY = "n = 0\nfor i in range(6_000_000): n += i\nans = n"
"""Some tenths of a second of computing."""
AT_ONCE = 8
SOAK = (
    SUM,
    QUADRATIC,
    "1 / 0",
    "def f(:",
    "print('x' * 10**6)",
    "open('left', 'w').write('x' * 10**5)",
    "import threading; threading.Thread(target=print).start(); ans = 1",
    "import os; os._exit(3)",
)
THREADS = 4
KILLED = "while True: pass"
"""Every fiftieth call of the soak; it is killed after 50 ms."""


@dataclass(frozen=True, slots=True)
class Held:
    """What the client and the zygote hold.

    Attributes:
        processes: Those that descend from this one.
        descriptors: Of all of them.
        files: In the folder for temporary files, by us.
        mib: Memory in use, of each process: the client first.
    """

    processes: int
    descriptors: int
    files: int
    mib: tuple[float, ...]


def p90(milliseconds: list[float]) -> float:
    return sorted(milliseconds)[len(milliseconds) * 9 // 10]


def timed(call: Callable[[], object]) -> float:
    """Milliseconds."""
    began = perf_counter()
    call()
    return (perf_counter() - began) * 1e3


def warm(sandbox: Sandbox, code: str) -> None:
    execution = sandbox.run(code)
    if not execution.ok:
        raise SystemExit(f"{code!r} gave {execution}")


def cold(code: str) -> None:
    subprocess.run([sys.executable, "-I", "-c", code], check=True, stdout=subprocess.DEVNULL)


def compare(calls: int) -> dict[str, dict[str, list[float]]]:
    """Milliseconds per program and way of running it."""
    jailed, bare = Sandbox(), Sandbox(unsafe=True)
    found: dict[str, dict[str, list[float]]] = {}
    with contextlib.closing(jailed), contextlib.closing(bare):
        for sandbox in (jailed, bare):
            warm(sandbox, SUM)
        for name, code in PROGRAMS.items():
            rows = found[name] = {"sandbox": [], "unsafe": [], "cold": []}
            for number in range(calls):
                rows["sandbox"].append(timed(lambda code=code: warm(jailed, code)))  # type: ignore[misc]
                rows["unsafe"].append(timed(lambda code=code: warm(bare, code)))  # type: ignore[misc]
                if number % 20 == 0:
                    rows["cold"].append(timed(lambda code=code: cold(code)))  # type: ignore[misc]
            progress(f"{name}")
    return found


def parallel() -> tuple[float, float]:
    """Milliseconds of eight calls: (one after the other, at once)."""
    with contextlib.closing(Sandbox()) as sandbox, ThreadPoolExecutor(AT_ONCE) as pool:
        warm(sandbox, SUM)
        one = timed(lambda: [warm(sandbox, BUSY) for _ in range(AT_ONCE)])
        many = timed(lambda: list(pool.map(lambda _: warm(sandbox, BUSY), range(AT_ONCE))))
    return one, many


def below(pid: int) -> list[int]:
    """All processes that descend from this one."""
    parents: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            parents.setdefault(parent, []).append(int(folder.name))
    found = parents.get(pid, [])
    return found + [deeper for child in found for deeper in below(child)]


def held() -> Held:
    gc.collect()
    pids = [os.getpid(), *below(os.getpid())]
    return Held(
        len(pids) - 1,
        sum(len(os.listdir(f"/proc/{pid}/fd")) for pid in pids),
        sum(name.startswith("agentflow-") for name in os.listdir(tempfile.gettempdir())),
        tuple(memory(pid) for pid in pids),
    )


def memory(pid: int) -> float:
    """MiB that a process has for itself."""
    text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    fields = dict(line.split(":") for line in text.splitlines()[1:])
    return sum(int(fields[f"Private_{kind}"].split()[0]) for kind in ("Clean", "Dirty")) / 1024


def soak(calls: int) -> tuple[Held, Held]:
    """What is held after a tenth of the calls, and after all."""
    with contextlib.closing(Sandbox()) as sandbox, ThreadPoolExecutor(THREADS) as pool:

        def some(start: int, stop: int) -> None:
            for number in range(start, stop, THREADS):
                if number % 50 == 49:
                    sandbox.run(KILLED, limits=Limits(seconds=0.05))
                else:
                    sandbox.run(SOAK[number % len(SOAK)])
                if number % 500 == 0:
                    progress(f"soak {number}/{calls}")

        def all_of(start: int, stop: int) -> Held:
            list(pool.map(lambda thread: some(start + thread, stop), range(THREADS)))
            return held()

        return all_of(0, calls // 10), all_of(calls // 10, calls)


# Printing, checking


def show(found: dict[str, dict[str, list[float]]]) -> None:
    print(f"{'milliseconds':22}" + "".join(f"{n:>16}" for n in ("sandbox", "unsafe", "cold")))
    print(f"{'':22}" + f"{'p50':>9}{'p90':>7}" * 3 + f"{'cold : sandbox':>17}")
    for name, rows in found.items():
        cells = "".join(f"{median(row):9.1f}{p90(row):7.1f}" for row in rows.values())
        print(f"{name:22}{cells}{median(rows['cold']) / median(rows['sandbox']):16.1f}x")


def main() -> int:
    given = options(__doc__, check=True, calls=200, soak=10_000).parse_args()
    found = compare(given.calls)
    show(found)
    one, many = parallel()
    cores = min(AT_ONCE, len(os.sched_getaffinity(0)))
    print(f"{AT_ONCE} calls that compute: {one:.0f} ms in turn, {many:.0f} ms at once")
    small, quadratic = (median(found[name]["sandbox"]) for name in list(found)[:2])
    ratio = median(found["SymPy, a quadratic"]["cold"]) / quadratic
    met = [
        goal(f"sum(range(10)) takes {small:.1f} ms (goal: <= 12)", small <= 12),
        goal(f"the quadratic takes {quadratic:.1f} ms (goal: <= 35)", quadratic <= 35),
        goal(f"{ratio:.0f}x faster than cold (goal: >= 30x)", ratio >= 30),
        goal(
            f"{AT_ONCE} at once are {one / many:.2f}x faster on {cores} cores (goal: >= "
            f"{0.75 * cores:.2f}x)",
            one / many >= 0.75 * cores,
        ),
    ]
    if given.soak:
        began = perf_counter()
        before, after = soak(given.soak)
        print(f"{given.soak} calls in {perf_counter() - began:.0f} s, from four threads")
        for name, state in (("after a tenth", before), ("at the end", after)):
            mib = ", ".join(f"{number:.1f}" for number in state.mib)
            print(
                f"{name:14} {state.processes} processes, {state.descriptors} descriptors, "
                f"{state.files} files, MiB {mib}"
            )
        grown = max(b - a for a, b in zip(before.mib, after.mib, strict=True))
        same = (before.processes, before.descriptors) == (after.processes, after.descriptors)
        same &= after.files <= before.files
        met.append(goal("no process, descriptor or file is left", same))
        met.append(goal(f"memory grew by {grown:.1f} MiB (goal: <= 2)", grown <= 2))
    return 0 if all(met) or given.no_check else 1


if __name__ == "__main__":
    sys.exit(main())
