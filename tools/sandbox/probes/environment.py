"""Attacks on what the parent and other processes know."""

from __future__ import annotations

import os
from typing import Any

from agentflow.tools.sandbox.probes.prelude import content, others, processes
from agentflow.tools.sandbox.probes.probe import probe


@probe()
def environment(data: dict[str, Any]) -> bool:
    """Reads the parent's environment where it was inherited."""
    own = content("/proc/self/environ")
    return data["variable"] in os.environ or data["variable"].encode() in own


@probe()
def names_in_environment(data: dict[str, Any]) -> bool:
    """Finds keys, the user's name or home in the environment."""
    telling = {"HOME", "USER", "LOGNAME", "OPENAI_API_KEY", "SSH_AUTH_SOCK", "VIRTUAL_ENV"}
    shown = {name: os.environ.get(name, "") for name in {*telling, data["variable"]}}
    return any(text and text not in ("/", "/tmp", os.getcwd()) for text in shown.values())


@probe(victim=True)
def environment_of_others(data: dict[str, Any]) -> bool:
    """Reads the environment of every process in /proc, the first and the parent too."""
    shown = [content(f"/proc/{process}/environ") for process in {1, *processes()}]
    return any(data["variable"].encode() in text for text in shown)


@probe(victim=True)
def arguments_of_others(data: dict[str, Any]) -> bool:
    """Reads the command lines of the host's processes."""
    shown = [content(f"/proc/{process}/cmdline") for process in {1, *processes()}]
    return any(data["marker"].encode() in text for text in shown)


@probe(victim=True)
def files_of_others(data: dict[str, Any]) -> bool:
    """Opens what other processes have open, through /proc/PID/fd."""
    for process in others(data):
        for number in range(64):
            if data["secret"].encode() in content(f"/proc/{process}/fd/{number}", 100):
                return True
    return False


@probe()
def host_figures(data: dict[str, Any]) -> bool:
    """Reads what the host does from /proc: how long it runs, its mounts, its disks."""
    mounts = content("/proc/self/mountinfo").decode()
    return data["boot"] in content("/proc/sys/kernel/random/boot_id").decode() or (
        data["folder"] in mounts
    )
