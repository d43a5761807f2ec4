"""Questions to a simulated fleet: routing, early exit, a deadline, replicas lost; a table each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from agentflow.evaluation.fleet import ROUTINGS, Outcome, Work, simulate
from agentflow.evaluation.fleet_fit import Compared
from agentflow.evaluation.fleet_server import Server

Row = dict[str, str]
_MOST = 4
"""Times the replicas there are, that are tried where more are needed."""
_STEPS = 4
"""Halvings of the search for how many are."""


@dataclass(frozen=True, slots=True)
class Fleet:
    """What the questions are asked of.

    Attributes:
        exits: Share of a stream's tokens behind which early exit ends it.
    """

    server: Server
    work: Work
    replicas: int
    exits: float = 0.75

    def run(self, replicas: int | None = None, **changed: Any) -> Outcome:
        """The work with some fields changed, where streams stay on their replica."""
        work = replace(self.work, **changed)
        return simulate(self.server, work, replicas or self.replicas)


def fitted(compared: list[Compared]) -> Iterator[Row]:
    """Each recorded run beside its simulation."""
    for one in compared:
        work = one.run.work
        beside = f"a probe every {work.every}" if work.every else ""
        yield {
            "streams": str(work.streams),
            "prompt": str(work.prompt),
            "beside them": f"a cut every {work.cut}" if work.cut else beside,
            "measured, s": f"{one.run.seconds:.2f}",
            "simulated, s": f"{one.seconds:.2f}",
            "off": f"{one.off:+.0%}",
            "fitted to": "yes" if one.fitted else "no",
        }


def routing(fleet: Fleet) -> Iterator[Row]:
    """Which routing keeps prefixes."""
    for name in ROUTINGS:
        found = simulate(fleet.server, fleet.work, fleet.replicas, name)
        yield {"routing": name} | _common(found)


def early_exit(fleet: Fleet) -> Iterator[Row]:
    """What early exit saves in servers: how many hold the 99th percentile that all have without."""
    base = fleet.run(every=0)
    target = base.quantile(0.99)
    ways: dict[str, dict[str, Any]] = {
        "none": {"every": 0},
        "probes over the wire": {"exit": fleet.exits},
        "in the engine": {"exit": fleet.exits, "every": 0, "inside": True},
    }
    for name, changed in ways.items():
        found = base if name == "none" else fleet.run(**changed)
        least = fleet.replicas
        if name != "none":
            least = fewest(fleet, lambda one: one.quantile(0.99) <= target, **changed)
        yield {"exit": name} | _common(found) | {"replicas for that p99": str(least)}


def deadline(fleet: Fleet) -> Iterator[Row]:
    """What a deadline costs that is met by 99 of 100, where 90 of 100 meet it now."""
    base = fleet.run()
    limit = base.quantile(0.9)
    yield (
        {"deadline, s": "none"} | _common(base) | {"given up": "0", "replicas": str(fleet.replicas)}
    )
    for seconds in (base.quantile(0.99), limit):
        found = fleet.run(deadline=seconds)
        yield (
            {"deadline, s": f"{seconds:.0f}"}
            | _common(found)
            | {
                "given up": str(found.given_up),
                "replicas": str(fleet.replicas),
            }
        )
    more = fewest(fleet, lambda one: one.quantile(0.99) <= limit)
    found = fleet.run(more)
    yield (
        {"deadline, s": f"{limit:.0f}, met by 99 %"}
        | _common(found)
        | {
            "given up": "0",
            "replicas": str(more),
        }
    )


def lost(fleet: Fleet) -> Iterator[Row]:
    """What replicas cost that die in the middle: their streams go on elsewhere, read anew."""
    base = fleet.run()
    for count in (0, fleet.replicas // 20, fleet.replicas // 5):
        when = [(base.seconds / 3, count)] if count else []
        found = simulate(fleet.server, fleet.work, fleet.replicas, "stream", when)
        yield {"replicas lost": str(count)} | _common(found)


STUDIES: dict[str, Callable[[Fleet], Iterator[Row]]] = {
    "routing": routing,
    "early exit": early_exit,
    "deadline": deadline,
    "replicas lost": lost,
}


def fewest(fleet: Fleet, enough: Callable[[Outcome], bool], **changed: Any) -> int:
    """The fewest replicas that are enough, to a sixteenth; as many as are tried where none are."""
    low, high = 0, fleet.replicas
    if not enough(fleet.run(high, **changed)):
        low, high = high, _MOST * high
    for _ in range(_STEPS):
        middle = (low + high + 1) // 2
        if enough(fleet.run(middle, **changed)):
            high = middle
        else:
            low = middle
    return high


def _common(found: Outcome) -> Row:
    return {
        "median, s": f"{found.quantile(0.5):,.0f}",
        "p99, s": f"{found.quantile(0.99):,.0f}",
        "prefixes kept": f"{found.kept:.1%}",
        "prompt tokens read": f"{found.counts.read / 1e6:,.1f} M",
        "replica hours": f"{found.counts.busy / 3600:,.1f}",
    }
