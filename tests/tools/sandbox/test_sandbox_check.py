"""The sandbox's check of itself: it passes here, and it can fail."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agentflow.tools.sandbox import Sandbox
from agentflow.tools.sandbox.check import Finding, check, well_formed
from agentflow.tools.sandbox.probes import PROBES, SUBJECTS
from agentflow.tools.sandbox.probes.host import Host, adopting
from agentflow.tools.sandbox.probes.probe import SHORT, Probe, endless

NOBODY = 65534
NEWUSER, NEWNS = 0x10000000, 0x20000
BIND, RECURSIVE, PRIVATE = 4096, 16384, 1 << 18
ROOT = Path(__file__).parents[3]
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")


def run(prepare: Callable[[], None] | None = None) -> subprocess.CompletedProcess[str]:
    """`agentflow sandbox check --json` in a process that is prepared so."""
    return subprocess.run(
        [sys.executable, "-m", "agentflow", "sandbox", "check", "--json"],
        capture_output=True,
        text=True,
        timeout=600,
        preexec_fn=prepare,
        cwd="/",
    )


def assert_held(done: subprocess.CompletedProcess[str]) -> None:
    """Nothing failed; what has no control says why."""
    assert done.stdout, done.stderr
    report = json.loads(done.stdout)
    assert [finding for finding in report["findings"] if finding["status"] == "FAIL"] == []
    assert (done.returncode, report["ok"], done.stderr) == (0, True, "")
    assert len(report["findings"]) == len(PROBES) + 1  # the last is on the host
    assert report["counts"]["pass"] >= 50
    excused = {probe.name for probe in PROBES if probe.needs}
    without = {one["name"] for one in report["findings"] if one["status"] == "no control"}
    assert without <= excused


@pytest.mark.slow
def test_every_probe_is_held() -> None:
    assert_held(run())


@needs_root
@pytest.mark.exhaustive
def test_every_probe_is_held_as_an_ordinary_user() -> None:
    assert_held(run(become_nobody))


SOME = """
from agentflow.tools.sandbox import check, probes
for found in check.check(probes=probes.PROBES[::6]):
    print(found.status, found.subject, found.name, found.detail, sep="\\t")
"""


@needs_root
@pytest.mark.slow
def test_some_probes_are_held_as_an_ordinary_user() -> None:
    """Every sixth, which are of all subjects."""
    done = subprocess.run(
        [sys.executable, "-c", SOME],
        capture_output=True,
        text=True,
        timeout=600,
        preexec_fn=become_nobody,
        cwd="/",
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert (done.returncode, done.stderr) == (0, "")
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    assert "FAIL" not in {status for status, *_ in lines}, done.stdout
    assert {subject for _, subject, *_ in lines} == {*(one.subject for one in PROBES), "host"}
    assert sum(status == "pass" for status, *_ in lines) >= len(PROBES[::6]) // 2


def test_without_user_namespaces_it_refuses() -> None:
    done = run(forbid_namespaces)
    assert (done.returncode, json.loads(done.stdout)["exit_code"]) == (2, 2)
    assert "user namespace" in done.stderr
    assert "to allow it" in done.stderr
    assert done.stderr.count("\n") == 1


def forbid_namespaces() -> None:
    """Be root in a user namespace that allows no other below it."""
    user = os.geteuid()
    kernel(ctypes.CDLL(None).unshare(NEWUSER))
    Path("/proc/self/uid_map").write_text(f"0 {user} 1")
    Path("/proc/sys/user/max_user_namespaces").write_text("0")


def become_nobody() -> None:
    """Be an ordinary user who can reach the installation, also where it lies in root's home."""
    libc = ctypes.CDLL(None, use_errno=True)
    wanted = {Path(sys.base_prefix), Path(sys.prefix), ROOT}
    closed = {
        next(above for above in reversed(path.parents) if not above.stat().st_mode & stat.S_IXOTH)
        for path in wanted
        if any(not above.stat().st_mode & stat.S_IXOTH for above in path.parents)
    }
    kernel(libc.unshare(NEWNS))
    kernel(libc.mount(b"none", b"/", None, ctypes.c_ulong(RECURSIVE | PRIVATE), None))
    held = {path: os.open(path, os.O_PATH) for path in wanted}
    for place in closed:
        kernel(libc.mount(b"none", bytes(place), b"tmpfs", ctypes.c_ulong(0), b"mode=755"))
    for path, opened in held.items():
        if not closed.isdisjoint(path.parents):
            path.mkdir(parents=True, exist_ok=True)
            source = f"/proc/self/fd/{opened}".encode()
            flags = ctypes.c_ulong(BIND | RECURSIVE)
            kernel(libc.mount(source, bytes(path), None, flags, None))
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)


def kernel(result: int) -> None:
    if result < 0:
        raise OSError(ctypes.get_errno(), "refused")


def leaky() -> Sandbox:
    return Sandbox(unsafe=True, preload=())


def findings(*probes: Probe, sandbox: Callable[[], Sandbox] = leaky) -> dict[str, Finding]:
    """What the check finds, by name."""
    return {finding.name: finding for finding in check(sandbox, probes)}


def named(*names: str) -> tuple[Probe, ...]:
    return tuple(probe for probe in PROBES if probe.name in names)


def test_probes_have_names_of_their_own_and_say_what_they_attack() -> None:
    names = [f"{probe.subject}.{probe.name}" for probe in PROBES]
    assert len(set(names)) == len(names) >= 50
    assert {probe.subject for probe in PROBES} == {
        module.__name__.rpartition(".")[2] for module in SUBJECTS
    }
    assert all(probe.attack.endswith(".") and len(probe.attack) < 110 for probe in PROBES)


def test_a_sandbox_that_leaks_is_found_out() -> None:
    leaks = {"secret_file", "tcp", "environment_of_others", "write_secret_folder", "user_namespace"}
    found = findings(*named(*leaks, "loop"))
    failed = {name for name, finding in found.items() if finding.status == "FAIL"}
    assert failed == leaks, found["host"].detail
    assert found["loop"].status == "pass"  # limits on time hold without isolation
    assert found["secret_file"].detail == "the attack got what it wanted"


def test_a_probe_that_cannot_fail_is_no_pass() -> None:
    idle = Probe("idle", "none", "Does nothing.", "ans = False")
    excused = replace(idle, name="excused", needs="a miracle")
    found = findings(idle, excused)
    assert found["idle"].status == "FAIL"
    assert "the control did not succeed" in found["idle"].detail
    assert (found["excused"].status, found["host"].status) == ("no control", "pass"), found[
        "host"
    ].detail
    assert found["excused"].detail == "needs a miracle; outside: refused"


def test_an_attack_that_is_not_carried_out_is_no_pass() -> None:
    outside = "ans = True if not data['inside'] else "
    wrong = Probe("wrong", "none", "Mistakes a name.", outside + "mistake")
    early = Probe("early", "none", "Ends early.", "ans = 1", judge=endless, begins=True)
    found = findings(wrong, early)
    assert found["wrong"].status == found["early"].status == "FAIL"
    assert "NameError" in found["wrong"].detail


def test_an_attack_whose_time_ran_out_before_it_began_has_more() -> None:
    late = "import time\ntime.sleep(1.0)\nprint('begun', flush=True)\nwhile True: pass"
    slow = Probe("slow", "none", "Begins late.", late, endless, SHORT, begins=True)
    found = findings(slow)
    assert found["slow"].status == "pass", found["slow"].detail


def test_a_process_that_is_left_is_seen() -> None:
    with adopting() as children:
        before = Host.now(children)
        orphan = "import os, time; os.fork() or (os.setsid(), time.sleep(30))"
        subprocess.run([sys.executable, "-I", "-S", "-c", orphan], check=True)
        assert any("processes" in change for change in before.changes(children))
        for left in set(children()):
            os.kill(left, 9)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(left, 0)
        opened = os.open("/", os.O_RDONLY)
        assert any("files" in change for change in before.changes(children))
        os.close(opened)
        with contextlib.suppress(ChildProcessError):  # orphans of earlier tests may end here, too
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        assert before.changes(children) == []


@pytest.mark.parametrize("field", ["stdout", "shown", "seconds", "failure", "limit"])
def test_a_malformed_result_is_told(field: str) -> None:
    sound = leaky().run("1")
    assert well_formed(sound)
    wrong: Any = {field: 7}
    assert not well_formed(replace(sound, **wrong))
