"""The sandbox's check of itself: every probe attacks it, and a plain process as its control."""

from __future__ import annotations

import contextlib
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from agentflow.tools.sandbox.client import Sandbox
from agentflow.tools.sandbox.execution import Execution, Failure, Limits
from agentflow.tools.sandbox.probes import PROBES, control
from agentflow.tools.sandbox.probes.decoys import Decoys, Victim, decoys, victim
from agentflow.tools.sandbox.probes.host import Host, adopting, alive, named
from agentflow.tools.sandbox.probes.probe import Probe, Ran, silenced

Status = Literal["pass", "FAIL", "no control"]

MISTAKES = {
    *("AttributeError", "ImportError", "IndexError", "KeyError", "ModuleNotFoundError"),
    *("NameError", "SandboxBroken", "SyntaxError", "TypeError", "UnboundLocalError", "ValueError"),
}
"""Failures that say that an attack was not carried out, rather than that it was held."""

AFTER = 1.0
"""Seconds in which what a call leaves running must be gone."""

LONGER = 20
"""How many times as long an attack has whose time ran out before it began, on a busy machine."""

WORKERS = 4
"""Probes at the same time; many of them wait."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of one probe.

    Attributes:
        name, subject, attack: The probe's.
        status: "pass": the attack succeeded outside and was held inside. "no control": it was
            held, but did not succeed outside either, for a reason that the probe names, so that
            this is no proof. "FAIL": it succeeded inside, or the probe does not work.
        detail: What the attack met inside; where it failed, why; where there is no control, why.
        seconds: How long it took.
    """

    name: str
    subject: str
    attack: str
    status: Status
    detail: str
    seconds: float


def check(
    sandbox: Callable[[], Sandbox] = Sandbox, probes: tuple[Probe, ...] = PROBES
) -> Iterator[Finding]:
    """Attack a new sandbox with every probe; the last finding is on the host as it is afterwards.

    A few run at the same time; the findings come in the order of the probes.

    Raises:
        SandboxUnavailable: This machine cannot isolate programs.
    """
    with adopting() as children, decoys() as made:
        before = Host.now(children)
        jail = sandbox()
        try:
            jail.run("1")
            started = Host.now(children)
            with ThreadPoolExecutor(WORKERS) as pool:
                running = [pool.submit(judge, probe, jail, made) for probe in probes]
                try:
                    for one in running:
                        yield one.result()
                finally:
                    pool.shutdown(cancel_futures=True)
            began = time.monotonic()
            changed = [f"while it is open: {change}" for change in started.changes(children)]
        finally:
            jail.close()
        changed += before.changes(children)
        yield Finding(
            "host",
            "host",
            "Nothing on the host has changed: processes, zombies, open files, mounts",
            "FAIL" if changed else "pass",
            "; ".join(changed) or "as before",
            time.monotonic() - began,
        )


def judge(probe: Probe, jail: Sandbox, made: Decoys) -> Finding:
    """Run one probe and its control."""
    began = time.monotonic()
    outside = run_outside(probe, made)
    inside = run_inside(probe, jail, made)
    got, told = probe.judge(inside), probe.judge(outside)
    status: Status = "pass"
    detail = held(inside)
    if got or inside.seen:
        status, detail = "FAIL", got or inside.seen
    elif mistake := mistaken(probe, inside):
        status, detail = "FAIL", f"the attack was not carried out: {mistake}"
    elif not told:
        status = "no control" if probe.needs else "FAIL"
        detail = f"outside: {held(outside)}"
        if probe.needs:
            detail = f"needs {probe.needs}; {detail}"
        else:
            detail = f"the control did not succeed, so the probe shows nothing; {detail}"
    seconds = time.monotonic() - began
    return Finding(probe.name, probe.subject, probe.attack, status, detail, seconds)


def held(ran: Ran) -> str:
    """What an attack that did not succeed came to."""
    if ran.limit:
        return f"limit {ran.limit} after {ran.seconds:.1f} s"
    return ran.failure or ("refused" if ran.value is False else "without effect")


def mistaken(probe: Probe, ran: Ran) -> str:
    """Why an attack did not get as far as it should; empty if it did."""
    if probe.begins and "begun" not in ran.stdout:
        return ran.failure or "it did not begin"
    if probe.judge is not silenced and ran.failure.split(":")[0] in MISTAKES:
        return ran.failure
    return ""


def run_outside(probe: Probe, made: Decoys) -> Ran:
    """The control."""
    marker = made.marker()
    folder = made.folder / f"run-{marker}"
    folder.mkdir()
    started = []

    def start(code: str, place: Path) -> subprocess.Popen[bytes]:
        started.append(control.start(code, data, place))
        return started[-1]

    with attacked(probe, made, marker) as process:
        data = facts(made, marker, process, inside=False)
        ran, later, beside = Ran(), Ran(), None
        if probe.beside:
            (folder / "beside").mkdir()
            beside = start(probe.beside, folder / "beside")
            control.wait_for_begun(beside, folder / "beside")
            data["targets"] = [beside.pid]
        ran = control.finish(start(probe.program, folder), folder, probe.begins)
        found = look(made, marker, process, 0)
        if probe.later:
            later = control.finish(start(probe.later, folder), folder, False)
        if beside:
            ran = replace(ran, beside=control.finish(beside, folder / "beside", False).value)
    clean(made, marker)
    for one in started:
        control.end_group(one.pid)
    return replace(ran, later=later.value, seen=found)


def run_inside(probe: Probe, jail: Sandbox, made: Decoys) -> Ran:
    """The attack on the sandbox."""
    marker = made.marker()
    with attacked(probe, made, marker) as process:
        data = facts(made, marker, process, inside=True)
        results: list[Ran] = []
        beside = None
        if probe.beside:
            text = probe.beside
            beside = threading.Thread(
                target=lambda: results.append(execute(jail, text, data, probe.limits))
            )
            beside.start()
            time.sleep(0.3)
        ran = execute(jail, probe.program, data, probe.limits)
        if probe.begins and ran.limit == "seconds" and "begun" not in ran.stdout:
            more = replace(probe.limits, seconds=LONGER * probe.limits.seconds)
            ran = execute(jail, probe.program, data, more)
        later = execute(jail, probe.later, data, probe.limits) if probe.later else Ran()
        if beside:
            beside.join()
            ran = replace(ran, beside=results[0].value)
        found = look(made, marker, process, AFTER)
    clean(made, marker)
    return replace(ran, later=later.value, seen=found)


def execute(jail: Sandbox, code: str, data: dict[str, Any], limits: Limits) -> Ran:
    """Run a program in the sandbox; one that breaks the client has not been replied to."""
    began = time.monotonic()
    try:
        done = jail.run(code, data=data, limits=limits)
    except Exception as error:
        return Ran(failure=f"the caller got {type(error).__name__}: {error}", replied=False)
    return Ran(
        value=done.value,
        failure=f"{done.failure.type}: {done.failure.message}" if done.failure else "",
        limit=done.limit,
        stdout=done.stdout,
        stderr=done.stderr,
        replied=well_formed(done),
        seconds=time.monotonic() - began,
        allowed=limits.seconds,
    )


def well_formed(done: Execution) -> bool:
    """Whether every field is of its type, and a broken program is told from a sound one."""
    texts = all(isinstance(text, str) for text in (done.shown, done.stdout, done.stderr))
    numbers = all(
        isinstance(number, float) and number >= 0
        for number in (done.seconds, done.cpu_seconds, done.peak_mib)
    )
    failure = done.failure is None or (
        isinstance(done.failure, Failure) and isinstance(done.failure.message, str)
    )
    return texts and numbers and failure and (done.limit is None or isinstance(done.limit, str))


@contextlib.contextmanager
def attacked(probe: Probe, made: Decoys, marker: str) -> Iterator[Victim | None]:
    """The process that a probe attacks, if it does."""
    if probe.victim:
        with victim(made, marker) as process:
            yield process
    else:
        yield None


def facts(made: Decoys, marker: str, process: Victim | None, *, inside: bool) -> dict[str, Any]:
    """What a program is told."""
    return {
        **made.facts,
        "inside": inside,
        "marker": marker,
        "key": int(marker.removeprefix("af"), 16) % 2**30 + 1,
        "targets": [process.number] if process else [],
        "address": process.address if process else 0,
    }


def look(made: Decoys, marker: str, process: Victim | None, seconds: float) -> str:
    """What an attack did to the host and is there for some time; empty if nothing."""
    until = time.monotonic() + seconds
    while True:
        found = [f"{file} was written" for file in made.left(marker)]
        found += [f"process {one} was left" for one in named(marker)]
        if process and not alive(process.number):
            found.append("a process of the host was killed")
        if not found or time.monotonic() > until:
            return "; ".join(found)
        time.sleep(0.05)


def clean(made: Decoys, marker: str) -> None:
    """Take away what an attack left on the host."""
    for left in made.left(marker):
        left.unlink(missing_ok=True)
    for one in named(marker):
        control.end_one(one)
