"""The zygote starts, dies, is replaced and leaves nothing behind."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from agentflow.tools.sandbox import Limits, Sandbox
from agentflow.tools.sandbox.boot import ENVIRONMENT, command


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    one = Sandbox(Limits(seconds=600), preload=())
    yield one
    one.close()


def below(pid: int) -> list[int]:
    """All processes that descend from this one."""
    parents: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            parents.setdefault(parent, []).append(int(folder.name))
    found = parents.get(pid, [])
    return found + [deeper for child in found for deeper in below(child)]


def zygote(sandbox: Sandbox) -> list[int]:
    """The pids of its processes, from the outside in."""
    assert sandbox._end is not None
    held = sandbox._end.peek()
    assert held is not None
    pid = held[2][0].pid
    return [pid, *below(pid)]


def alive(pids: list[int]) -> list[int]:
    return [pid for pid in pids if Path(f"/proc/{pid}").exists()]


def wait_for(condition: Callable[[], bool]) -> bool:
    """True once it holds; the suite's guard ends a wait without end."""
    while not condition():
        time.sleep(0.02)
    return True


async def test_a_program_that_nobody_waits_for_is_killed(sandbox: Sandbox) -> None:
    sandbox.run("ans = 1")
    base = zygote(sandbox)
    task = asyncio.ensure_future(sandbox.arun("while True: pass", limits=Limits(600, 600)))
    await asyncio.to_thread(wait_for, lambda: len(zygote(sandbox)) > len(base))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.get_running_loop().shutdown_default_executor()  # its thread has ended
    assert wait_for(lambda: zygote(sandbox) == base)
    assert sandbox.run("ans = 1").value == 1


def test_nothing_starts_before_the_first_call() -> None:
    before = below(os.getpid())
    Sandbox().close()
    assert below(os.getpid()) == before


def test_closing_ends_it(sandbox: Sandbox) -> None:
    assert sandbox.run("1").value == 1
    pids = zygote(sandbox)
    assert len(pids) == 2
    sandbox.close()
    assert wait_for(lambda: not alive(pids))
    assert sandbox.run("2").value == 2  # and a call starts it again


def test_closing_ends_calls(sandbox: Sandbox) -> None:
    sandbox.run("1")
    with ThreadPoolExecutor(1) as pool:
        call = pool.submit(sandbox.run, "import time; time.sleep(60)")
        assert wait_for(lambda: len(zygote(sandbox)) == 3)
        pids = zygote(sandbox)
        sandbox.close()
        run = call.result()
    assert run.failure is not None
    assert run.failure.type == "SandboxBroken"
    assert wait_for(lambda: not alive(pids))


@pytest.mark.parametrize("which", [0, 1])
def test_a_zygote_that_died_is_replaced(sandbox: Sandbox, which: int) -> None:
    assert sandbox.run("1").value == 1
    pids = zygote(sandbox)
    os.kill(pids[which], signal.SIGKILL)
    time.sleep(0.2)
    assert sandbox.run("2").value == 2
    sandbox.close()
    assert wait_for(lambda: not alive(pids))


def test_no_call_outlives_its_run(sandbox: Sandbox) -> None:
    sandbox.run("1")
    held = zygote(sandbox)
    for code in ("import time; time.sleep(60)", "while True: pass", "print('x' * 10**6)", "1/0"):
        sandbox.run(code, limits=Limits(seconds=0.2))
        assert zygote(sandbox) == held


def test_nothing_grows(sandbox: Sandbox) -> None:
    programs = ["1", "1/0", "print('x' * 10**6)", "open('x', 'w').write('x')"]
    for code in programs:
        sandbox.run(code)
    pids = [os.getpid(), *zygote(sandbox)]

    def held() -> list[int]:
        gc.collect()
        return [len(os.listdir(f"/proc/{pid}/fd")) for pid in pids]

    before = held()
    for _ in range(25):
        for code in programs:
            sandbox.run(code)
    assert [os.getpid(), *zygote(sandbox)] == pids
    assert held() == before


def test_another_zygote_gives_the_same(sandbox: Sandbox) -> None:
    """Where the order of a set is shown, it is the same in every run."""
    code = "{*map(str, range(50))}"
    first = sandbox.run(code).shown
    sandbox.close()
    assert sandbox.run(code).shown == first


def test_many_threads(sandbox: Sandbox) -> None:
    with ThreadPoolExecutor(16) as pool:
        runs = list(pool.map(lambda n: sandbox.run("data ** 2", data=n), range(100)))
    assert [run.value for run in runs] == [n**2 for n in range(100)]


def test_calls_run_in_parallel(sandbox: Sandbox) -> None:
    """Eight that wait are there at once; what ends them is that the sandbox is closed."""
    sandbox.run("1")
    before = len(zygote(sandbox))
    with ThreadPoolExecutor(8) as pool:
        slow = Limits(seconds=600, cpu_seconds=600)
        calls = [
            pool.submit(sandbox.run, "import time; time.sleep(600)", limits=slow) for _ in range(8)
        ]
        assert wait_for(lambda: len(zygote(sandbox)) == before + 8)
        sandbox.close()
    assert all(call.result().failure is not None for call in calls)


def test_one_that_is_dropped_ends() -> None:
    one = Sandbox(preload=())
    one.run("1")
    pids = zygote(one)
    del one
    gc.collect()
    assert wait_for(lambda: not alive(pids))


def test_it_starts_once(sandbox: Sandbox) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(sandbox.run, ["1"] * 8))
    assert wait_for(lambda: len(zygote(sandbox)) == 2)


def test_a_fork_of_the_client_has_its_own(sandbox: Sandbox) -> None:
    assert sandbox.run("1").value == 1
    pids = zygote(sandbox)
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.write(write, str(sandbox.run("20 + 1").value).encode())
            sandbox.close()
        finally:
            os._exit(0)
    os.close(write)
    with open(read) as file:
        assert file.read() == "21"
    os.waitpid(pid, 0)
    assert zygote(sandbox) == pids
    assert sandbox.run("2").value == 2


@pytest.mark.parametrize("end", ["sys.exit()", "os._exit(0)", "os.kill(os.getpid(), 9)"])
def test_a_client_that_ends_takes_it_along(end: str) -> None:
    code = f"""
import os, sys, threading, time
from agentflow.tools.sandbox import Sandbox
sandbox = Sandbox(preload=())
sandbox.run("1")
threading.Thread(target=sandbox.run, args=["import time; time.sleep(9)"], daemon=True).start()
time.sleep(0.3)
print(sandbox._end.peek()[2][0].pid, flush=True)
{end}
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    pid = int(run.stdout)
    assert wait_for(lambda: not alive([pid]))


def test_a_signal_from_the_terminal_does_not_reach_it(sandbox: Sandbox) -> None:
    sandbox.run("1")
    assert os.getpgid(0) not in {os.getpgid(pid) for pid in zygote(sandbox)}


def test_a_loop_that_is_left_ends_its_call(sandbox: Sandbox) -> None:
    """A thread cannot be cancelled, but its call ends by its limit, and the thread with it."""
    before = threading.active_count()
    thread = threading.Thread(
        target=sandbox.run, args=["while True: pass"], kwargs={"limits": Limits(seconds=0.3)}
    )
    thread.start()
    thread.join(10)
    assert threading.active_count() == before


ABANDONED = """
import os, sys
from agentflow.tools.sandbox import Sandbox
Sandbox(unsafe=True, preload=()).run(
    "import os, time; open(data, 'w').write(f'{os.getpid()} {os.getcwd()}\\\\n'); time.sleep(600)",
    data=sys.argv[1],
)
"""


def test_an_unsafe_call_ends_with_its_client(tmp_path: Path) -> None:
    """Nothing else would end it: it has no namespace that dies."""
    told = tmp_path / "told"
    client = subprocess.Popen([sys.executable, "-c", ABANDONED, str(told)])
    wait_for(lambda: told.exists() and told.read_text().endswith("\n"))
    client.kill()
    client.wait()
    pid, folder = told.read_text().split()
    wait_for(lambda: not Path(folder).exists() and not Path("/proc", pid).exists())
    assert not Path(folder).exists()
    assert not Path("/proc", pid).exists()


@pytest.mark.parametrize("said", [b"", b'{"unsafe": true, "folders": [], "preload": []}'])
def test_a_client_that_ends_while_it_starts_is_no_error(said: bytes) -> None:
    """As at Ctrl-C: what it would say of that stands in the terminal of who ended it."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        number = theirs.fileno()
        process = subprocess.Popen(
            command("zygote", number), pass_fds=[number], stderr=subprocess.PIPE, env=ENVIRONMENT
        )
        if said:
            ours.send(said)
    ours.close()
    _, told = process.communicate()
    assert (process.returncode, told) == (0, b"")
