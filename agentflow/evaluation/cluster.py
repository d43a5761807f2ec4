"""Samples as tasks of a Ray cluster; records are written where the run was begun."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from agentflow import models
from agentflow.errors import BadInput, ModelUnavailable
from agentflow.evaluation.records import Arm
from agentflow.evaluation.runner import Keep, Record, run_here
from agentflow.models import Model
from agentflow.problem import Problem
from agentflow.version import install

if TYPE_CHECKING:
    from agentflow.evaluation.runner import Engine

_RETRIES = 3
"""How often a sample whose worker was lost is run again, elsewhere."""


def ray_engine(**options: Any) -> Engine:
    """The :class:`~agentflow.evaluation.runner.Engine` of a Ray cluster.

    A sample is one task and takes one of the cluster's CPUs. One whose worker or node is lost is
    run again. The model must be a server that every node reaches, or ``embedded``.

    Args:
        options: Of ``ray.init``; without an address the cluster is that of ``RAY_ADDRESS``, else
            one on this machine.

    Raises:
        BadInput: If Ray is not installed, or there is no such cluster.
    """
    try:
        import ray
    except ImportError as error:
        raise BadInput(f"the engine ray needs a package: {install('ray')}") from error
    if not ray.is_initialized():
        address = options.get("address") or os.environ.get("RAY_ADDRESS", "")
        try:
            _knock(address)
            ray.init(**{"log_to_driver": False, "logging_level": "ERROR", **options})
        except (OSError, ValueError, RuntimeError) as error:
            raise BadInput(f"no Ray cluster can be used: {error}") from error
    task = ray.remote(max_retries=_RETRIES)(_run_there)

    async def run_on_cluster(
        arm: Arm, problem: Problem, seed: int, model: str | Model | None, keep: Keep
    ) -> Record:
        reference = task.remote(run_here, arm, problem, seed, model, keep)
        try:
            outcome = await reference
        except ray.exceptions.RayError as error:
            raise ModelUnavailable(f"the cluster lost the run: {error}") from error
        except asyncio.CancelledError:
            ray.cancel(reference, force=True)
            raise
        if isinstance(outcome, Exception):
            raise outcome
        found: Record = outcome
        return found

    return run_on_cluster


def _knock(address: str) -> None:
    """See that somebody answers at HOST:PORT; Ray itself would wait for minutes.

    Raises:
        OSError: If nobody does.
    """
    host, _, port = address.rpartition(":")
    if port.isdigit() and not host.startswith("ray:"):
        socket.create_connection((host, int(port)), timeout=10).close()


def _run_there(engine: Callable[..., Any], *which: Any) -> Record | Exception:
    """What a task gives: the record, or what the run raised (which Ray would wrap)."""

    async def run() -> Record:
        try:
            record: Record = await engine(*which)
            return record
        finally:
            await models.close_all()

    try:
        return asyncio.run(run())
    except Exception as error:
        return error
