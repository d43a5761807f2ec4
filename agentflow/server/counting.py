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
from agentflow.server.results import Ended
from agentflow.server.run import Run
from agentflow.server.stream import ClientGone


@contextmanager
def counted(metrics: Metrics, runs: Sequence[Run], fields: dict[str, Any]) -> Iterator[list[Ended]]:
    """Count a request's runs.

    Args:
        fields: The fields of its line in the log; ``run`` and ``tokens`` are added.

    Yields:
        A list, in which the body leaves what the runs came to.
    """
    begun, statuses, ended = time.monotonic(), ["failed"], list[Ended]()
    metrics.running.inc(len(runs))
    try:
        yield ended
        statuses = [one.result.status for one in ended]
    except ClientGone:
        statuses = ["disconnected"]
        raise
    except Refused:
        statuses = ["refused"]
        raise
    except asyncio.CancelledError:
        statuses = ["stopped"]
        raise
    finally:
        metrics.running.dec(len(runs))
        for run, status in zip(runs, cycle(statuses), strict=False):
            metrics.ended(run.offer.id, status, run.cost, time.monotonic() - begun)
        tokens = {
            kind: sum(getattr(run.cost, kind) for run in runs) for kind in ("prompt", "generated")
        }
        fields |= {"run": ", ".join(statuses), "tokens": tokens}
