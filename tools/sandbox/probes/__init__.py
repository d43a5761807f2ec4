"""The attacks on the sandbox, by subject: one module each; see ``probe.py``."""

from agentflow.tools.sandbox.probes import (
    environment,
    files,
    kernel,
    leftovers,
    limits,
    network,
    processes,
    python,
    replies,
)
from agentflow.tools.sandbox.probes.probe import Probe

SUBJECTS = (files, environment, network, processes, kernel, limits, leftovers, python, replies)

PROBES: tuple[Probe, ...] = tuple(
    found for module in SUBJECTS for found in vars(module).values() if isinstance(found, Probe)
)
"""Every probe."""
