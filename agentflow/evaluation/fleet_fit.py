"""What a server takes for its work, from recorded runs: a simulated fleet is calibrated by it.

``benchmarks/fleet.py`` records such runs. What a run takes is its steps, its sequences, the tokens
that it reads and its requests, each at a price; how many of each there are is simulated, the prices
are fitted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agentflow.errors import BadInput
from agentflow.evaluation.fleet import Work, simulate
from agentflow.evaluation.fleet_server import Server
from agentflow.files import DATA, bytes_in

PRICES = ("step", "sequence", "read", "request")
"""Fields of a server that are fitted."""
_ROUNDS, _SWEEPS = 5, 2000


class Recorded(BaseModel):
    """One measured run on one server.

    Attributes:
        work: What was done.
        seconds: That the engine took for it.
        block, chunk: As of its server.
    """

    model_config = ConfigDict(extra="ignore", frozen=True)

    work: Work
    seconds: float = Field(gt=0)
    block: int = Field(default=16, ge=1)
    chunk: int = Field(default=2048, ge=1)


@dataclass(frozen=True, slots=True)
class Compared:
    """A measured run beside its simulation.

    Attributes:
        fitted: Whether the prices were fitted to it, too.
    """

    run: Recorded
    seconds: float
    fitted: bool

    @property
    def off(self) -> float:
        """How much longer the simulated one took, as a share of the measured."""
        return self.seconds / self.run.seconds - 1


def recorded(path: Path) -> list[Recorded]:
    """The runs of a file, one JSON object a line.

    Raises:
        BadInput: If it cannot be read, or a line of it is none.
    """
    lines = bytes_in(path, DATA).splitlines()
    found = []
    for number, line in enumerate(lines, 1):
        try:
            found.append(Recorded.model_validate(orjson.loads(line)))
        except (ValidationError, orjson.JSONDecodeError) as error:
            reason = error.errors()[0]["msg"] if isinstance(error, ValidationError) else str(error)
            raise BadInput(f"{path}, line {number}: no recorded run: {reason}") from error
    return found


def fit(runs: Sequence[Recorded], server: Server | None = None) -> tuple[Server, list[Compared]]:
    """A server by its runs, and each run beside its simulation.

    Those with the most streams are held out: they tell how far the others carry.

    Raises:
        BadInput: If there are too few runs for the prices.
    """
    most = max((run.work.streams for run in runs), default=0)
    fitted = [run for run in runs if run.work.streams < most]
    if len(fitted) < len(PRICES):
        raise BadInput(
            f"{len(PRICES)} prices need as many runs with fewer streams than the most; there are "
            f"{len(fitted)}"
        )
    server = replace(server or Server(), block=runs[0].block, chunk=runs[0].chunk)
    for _ in range(_ROUNDS):  # what happens depends a little on what it takes
        rows = []
        for run in fitted:
            counts = simulate(server, run.work).counts
            rows.append([getattr(counts, name) / run.seconds for name in _COUNTED])
        prices: dict[str, Any] = dict(zip(PRICES, least_squares(rows), strict=True))
        server = replace(server, **prices)
    return server, [
        Compared(run, simulate(server, run.work).counts.busy, run in fitted) for run in runs
    ]


_COUNTED = ("steps", "sequences", "read", "requests")


def least_squares(rows: Sequence[Sequence[float]]) -> list[float]:
    """Prices, none below 0, at which every row comes as near to 1 as can be: relative errors."""
    width = len(rows[0])
    prices = [0.0] * width
    squares = [sum(row[i] ** 2 for row in rows) for i in range(width)]
    left = [1.0] * len(rows)
    for _ in range(_SWEEPS):
        for i in range(width):
            if not squares[i]:
                continue
            by = sum(row[i] * rest for row, rest in zip(rows, left, strict=True)) / squares[i]
            by = max(by, -prices[i])
            prices[i] += by
            left = [rest - by * row[i] for row, rest in zip(rows, left, strict=True)]
    return prices
