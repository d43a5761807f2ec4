"""What this machine offers to shut programs in: tried, not guessed."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import struct
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from agentflow.tools.sandbox import kernel
from agentflow.tools.sandbox.boot import ENVIRONMENT, command

SWITCHES = {
    "user.max_user_namespaces": ("0", "15000"),
    "kernel.unprivileged_userns_clone": ("0", "1"),
    "kernel.apparmor_restrict_unprivileged_userns": ("1", "0"),
}
"""sysctl: (the value that stands in the way, one that does not)."""
DOCKER = (
    "in a container: docker run --security-opt seccomp=unconfined --security-opt "
    "apparmor=unconfined (or profiles that allow unshare, setns, mount and pivot_root)"
)


@dataclass(frozen=True, slots=True)
class Feature:
    """One thing that the kernel may offer.

    Attributes:
        name: What it is called.
        needed: Whether nothing is run without it.
        offered: Whether it worked.
        detail: The version, or why it did not work.
    """

    name: str
    needed: bool
    offered: bool
    detail: str


def features() -> list[Feature]:
    """Try them all, in processes of their own."""
    run = subprocess.run(
        command("support"), capture_output=True, env=ENVIRONMENT, cwd="/", check=True, text=True
    )
    found = [Feature(*row) for row in json.loads(run.stdout)]
    bubblewrap = shutil.which("bwrap")
    return [*found, Feature("bubblewrap", False, bubblewrap is not None, bubblewrap or "not found")]


def advice(step: str, number: int) -> str:
    """The message for a jail that could not be built.

    Args:
        step: Where that failed.
        number: The errno.
    """
    missing: list[str] = []
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        missing = [feature.name for feature in features() if feature.needed and not feature.offered]
    lines = [f"the sandbox cannot isolate programs here: {step}: {os.strerror(number)}"]
    if missing:
        lines.append(f"the kernel does not offer: {', '.join(missing)}")
    hints = [
        f"sudo sysctl -w {name}={good}"
        for name, (bad, good) in SWITCHES.items()
        if setting(name) == bad
    ]
    if Path("/.dockerenv").exists() or Path("/run/.containerenv").exists():
        hints.append(DOCKER)
    hints = hints or ["allow unprivileged user namespaces (in a container: " + DOCKER[16:] + ")"]
    lines.append("to allow it: " + "; ".join(hints))
    lines.append(
        "unsafe=True runs programs without isolation: only for programs that you have read"
    )
    return "\n".join(lines)


def setting(name: str) -> str:
    """The value of a sysctl; empty where there is none."""
    try:
        return Path("/proc/sys", *name.split(".")).read_text().strip()
    except OSError:
        return ""


# In the process that tries


def main() -> None:
    """Print a row per feature, as JSON."""
    user = kernel.CLONE_NEWUSER
    rows = [tried("user namespace", lambda: kernel.unshare(user))]
    for name in ("PID", "NS", "NET", "IPC", "UTS"):
        flag = getattr(kernel, f"CLONE_NEW{name}")
        title = "mount namespace" if name == "NS" else f"{name} namespace"
        rows.append(tried(title, lambda flag=flag: kernel.unshare(user | flag)))  # type: ignore[misc]
    rows.append(tried("mount in a namespace", try_mount))
    rows.append(tried("seccomp", try_seccomp))
    version = kernel.landlock_version()
    detail = f"ABI {version}" if version else "none: kernel 5.13 or later, enabled at boot"
    rows.append(Feature("Landlock", False, version > 0, detail))
    print(json.dumps([[f.name, f.needed, f.offered, f.detail] for f in rows]))


def try_mount() -> None:
    kernel.unshare(kernel.CLONE_NEWUSER | kernel.CLONE_NEWNS)
    kernel.mount("none", "/", "none", kernel.MS_REC | kernel.MS_PRIVATE)
    kernel.mount("tmpfs", "/tmp", "tmpfs", kernel.MS_NOSUID)


def try_seccomp() -> None:
    kernel.no_new_privileges()
    kernel.seccomp(struct.pack("=HBBI", 6, 0, 0, 0x7FFF0000))  # allow everything


def tried(name: str, attempt: Callable[[], None]) -> Feature:
    """A needed feature, tried in a fork."""
    pid = os.fork()
    if pid == 0:
        try:
            attempt()
        except OSError as error:
            os._exit(error.errno or 255)
        os._exit(0)
    number = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return Feature(name, True, number == 0, "" if number == 0 else os.strerror(abs(number)))
