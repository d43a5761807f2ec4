"""What a program in the jail can see and touch. The self-check attacks it; this is its shape."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from agentflow.tools.sandbox import Limits, Sandbox, SandboxUnavailable
from agentflow.tools.sandbox.support import features

NO_NAMESPACES = """
import ctypes
libc = ctypes.CDLL(None)
assert libc.unshare(0x10000000) == 0
open("/proc/sys/user/max_user_namespaces", "w").write("0")
from agentflow.tools.sandbox import Sandbox, SandboxUnavailable
try:
    print(Sandbox().run("1"))
except SandboxUnavailable as error:
    print(error)
print(Sandbox(unsafe=True).run("41 + 1").value)
"""


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    one = Sandbox(Limits(seconds=60))
    yield one
    one.close()


def test_what_there_is(sandbox: Sandbox) -> None:
    run = sandbox.run("import os; set(os.listdir('/')) & set(data)", data=os.listdir("/"))
    assert "home" not in run.shown
    assert "proc" not in run.shown
    places = sandbox.run("import os; [os.getcwd(), *map(os.listdir, ['.', '/dev', '/etc'])]").value
    assert places[:2] == ["/scratch", []]
    assert sorted(places[2]) == ["null", "urandom", "zero"]
    assert places[3] in ([], ["ld.so.cache"])


def test_the_environment_is_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENTFLOW_SECRET", "1")
    one = Sandbox(preload=())
    try:
        names = one.run("import os; sorted(os.environ)").value
    finally:
        one.close()
    assert names == ["HOME", "LANG", "PATH", "TMPDIR"]


@pytest.mark.parametrize(
    "code",
    [
        "open('/etc/passwd')",
        "open('/proc/self/environ')",
        "open('/proc/1/environ')",
        "open('/outside', 'w')",
        "import os; open(os.__file__, 'a')",
        "import sympy, os; os.remove(sympy.__file__)",
        "import socket; socket.create_connection(('127.0.0.1', 80))",
        "import socket; socket.socket(socket.AF_UNIX)",
        "import socket; socket.getaddrinfo('localhost', 80)",
        "import os; os.execv('/bin/sh', ['sh'])",
        "import os; os.mkfifo('/x')",
        "import os; os.mknod('x', 0o20666, os.makedev(1, 1))",
        "import os; os.setuid(0)",
        "import os; os.chown('/scratch', 0, 0)",
        "import os; os.kill(2, 0)",
        "import time; time.clock_settime(time.CLOCK_REALTIME, 0)",
        "import os; os.memfd_create('x')",
        "import fcntl, os; fcntl.fcntl(os.pipe()[0], 1031, 2**20)",
        "import fcntl, os; fcntl.flock(open(os.__file__), fcntl.LOCK_EX)",
        "import fcntl, os; fcntl.fcntl(open(os.__file__), fcntl.F_SETLEASE, fcntl.F_RDLCK)",
    ],
)
def test_refused(sandbox: Sandbox, code: str) -> None:
    refusals = ("FileNotFoundError", "PermissionError", "OSError", "gaierror", "ProcessLookupError")
    run = sandbox.run(code)
    assert run.failure is not None
    assert run.failure.type in refusals


def test_descriptors(sandbox: Sandbox) -> None:
    code = """
import os
ans = []
for number in range(1024):
    try:
        ans.append([number, os.fstat(number).st_mode])
    except OSError:
        pass
"""
    kinds = {number: stat.S_IFMT(mode) for number, mode in sandbox.run(code).value}
    pipe = stat.S_IFIFO
    assert kinds == {0: stat.S_IFCHR, 1: pipe, 2: pipe, 3: pipe}


def test_nothing_is_kept_between_calls(sandbox: Sandbox) -> None:
    sandbox.run(
        "import builtins, sys, math, os, sympy\nbuiltins.kept = math.pi = 3\n"
        "sys.modules['kept'] = 1\nopen('kept.py', 'w').write('x = 1')\n"
        "os.environ['KEPT'] = '1'\nsympy.pi = 3"
    )
    run = sandbox.run(
        "import builtins, sys, math, os, sympy\n"
        "[hasattr(builtins, 'kept'), 'kept' in sys.modules, os.listdir(), 'KEPT' in os.environ,"
        " math.pi > 3.1, sympy.pi > 3.1]"
    )
    assert run.value == [False, False, [], False, True, "True"]


def test_parallel_calls_do_not_meet(sandbox: Sandbox) -> None:
    attack = """
import os, signal, time
for target in (0, -1, 1, 2, 3):
    for number in (signal.SIGUSR1, signal.SIGTERM, signal.SIGKILL):
        try:
            os.kill(target, number)
        except OSError:
            pass
time.sleep(0.3)
ans = [os.getpid(), os.getpgrp(), os.listdir('/scratch')]
"""
    peaceful = "import time, os; open('mine', 'w').close(); time.sleep(0.6); os.listdir()"
    with ThreadPoolExecutor(6) as pool:
        runs = list(pool.map(sandbox.run, [peaceful, attack, attack, peaceful, attack, peaceful]))
    mine, theirs = ["mine"], [1, 1, []]
    assert [run.value for run in runs] == [mine, theirs, theirs, mine, theirs, mine]


def test_mounted_programs(tmp_path: Path) -> None:
    tool = tmp_path / "tool"
    tool.write_bytes(Path("/bin/echo").read_bytes())
    tool.chmod(0o755)
    (tmp_path / "secret").write_text("beside")
    one = Sandbox(mounts=[str(tool)], preload=())
    try:
        run = one.run(f"import os; os.execv({str(tool)!r}, ['tool', 'hello'])")
        assert run.stdout == "hello\n"
        assert run.failure is not None
        assert run.failure.message == "ended with status 0, without a result"
        assert one.run(f"import os; os.listdir({str(tmp_path)!r})").value == ["tool"]
        written = one.run(f"open({str(tool)!r}, 'w')").failure
        assert written is not None
        assert written.type in ("OSError", "PermissionError")
        assert one.run("import os; os.fork()").limit == "processes"
    finally:
        one.close()


def test_what_the_kernel_offers() -> None:
    found = {feature.name: feature for feature in features()}
    assert all(feature.offered for feature in found.values() if feature.needed)
    assert not found["Landlock"].needed


def test_without_user_namespaces_it_refuses() -> None:
    """In a user namespace in which no other may be made."""
    run = subprocess.run(
        [sys.executable, "-c", NO_NAMESPACES], capture_output=True, text=True, check=True
    )
    *lines, unsafe = run.stdout.splitlines()
    assert lines[0].startswith("the sandbox cannot isolate programs here: user namespace:")
    assert "user namespace" in lines[1]
    assert "sysctl -w user.max_user_namespaces" in run.stdout
    assert unsafe == "42"


def test_a_mount_that_does_not_exist() -> None:
    with pytest.raises(SandboxUnavailable, match="/nowhere/at/all"):
        Sandbox(mounts=["/nowhere/at/all"]).run("1")


def test_unsafe_is_written_out() -> None:
    one = Sandbox(Limits(seconds=1), unsafe=True)
    try:
        assert one.run("import os; [os.getuid(), os.listdir()]").value == [os.getuid(), []]
        folder = one.run("import os; open('x', 'w'); os.getcwd()").value
        assert not Path(folder).exists()
        assert one.run("while True: pass").limit == "seconds"
        left = "import os, time\nif os.fork() == 0:\n    os.setsid(); time.sleep(3)\nans = 1"
        assert one.run(left).value == 1
    finally:
        one.close()
