"""What is counted and logged of runs, however they end."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle
from typing import Any

from agentflow.server.metrics import Metrics
from agentflow.server.refused import Refused
from agentflow.server.run import Run
from agentflow.server.stream import ClientGone

_BROKEN = (
    (ClientGone, "disconnected"),
    (Refused, "refused"),
    (asyncio.CancelledError, "stopped"),
)
"""What ends runs before they came to anything, in words; anything else is ``failed``."""


@contextmanager
def counted(metrics: Metrics, runs: Sequence[Run], fields: dict[str, Any]) -> Iterator[list[str]]:
    """Count a request's runs.

    Args:
        fields: The fields of its line in the log; ``run`` and ``tokens`` are added.

    Yields:
        A list, in which the body leaves what the runs came to, once they all have.
    """
    begun, statuses = time.monotonic(), list[str]()
    metrics.running.inc(len(runs))
    try:
        yield statuses
    except BaseException as error:
        statuses[:] = [next((said for kind, said in _BROKEN if isinstance(error, kind)), "failed")]
        raise
    finally:
        metrics.running.dec(len(runs))
        for run, status in zip(runs, cycle(statuses), strict=False):
            metrics.ended(run.offer.id, status, run.cost, time.monotonic() - begun)
        tokens = {
            kind: sum(getattr(run.cost, kind) for run in runs) for kind in ("prompt", "generated")
        }
        fields |= {"run": ", ".join(statuses), "tokens": tokens}
