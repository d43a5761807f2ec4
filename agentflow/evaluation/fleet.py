"""A fleet of servers, simulated: streams, probes, cuts, prefix caches, queues, replicas lost.

A replica is an engine (:mod:`agentflow.evaluation.fleet_server`), and what its steps take is
measured (:mod:`agentflow.evaluation.fleet_fit`). A stream is a client's: it asks for tokens, probes
beside itself, cuts itself back and goes on, as :func:`agentflow.monitors.watch` and its caller do.
"""

from __future__ import annotations

import math
import random
from collections import deque
from collections.abc import Generator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

import simpy

from agentflow.evaluation.fleet_server import Counts, Job, Replica, Server

Routing = Literal["turns", "least", "stream", "prefix"]
ROUTINGS: tuple[Routing, ...] = ("turns", "least", "stream", "prefix")
"""Each request to the next replica; to the least busy; where its stream is; where its prefix is,
unless that one is far busier than the least."""
_BUSIER = 32
"""Sequences more than the least busy has, at which a prefix is left behind."""


@dataclass(frozen=True, slots=True)
class Work:
    """What the streams do.

    Attributes:
        streams: How many there are in all.
        over: Seconds over which they begin, evenly; 0 for all at once.
        prompt: Tokens of a problem.
        tokens: Tokens that a stream generates if it is let: the median.
        sigma: Of their logarithm, which is normal; 0 for all alike.
        every: A probe beside the stream in so many tokens; 0 for none.
        probe, probed: Tokens behind the prefix that a probe has, and that it generates.
        cut: Tokens generated between two cuts; 0 for none.
        back, feedback: Tokens that a cut takes away, and puts in their place.
        exit: Share of its tokens after which a stream may end; 1 for none.
        inside: Whether the engine itself ends it there; else the probe there has to say so.
        trip: Seconds between client and server, there and back.
        deadline: Seconds after which a stream is given up; None for never.
        seed: Of the lengths.
    """

    streams: int = 64
    over: float = 0.0
    prompt: int = 200
    tokens: int = 128
    sigma: float = 0.0
    every: int = 0
    probe: int = 4
    probed: int = 1
    cut: int = 0
    back: int = 0
    feedback: int = 0
    exit: float = 1.0
    inside: bool = False
    trip: float = 0.0
    deadline: float | None = None
    seed: int = 0


@dataclass(slots=True)
class Outcome:
    """What came of a simulation.

    Attributes:
        seconds: Until the last stream ended.
        took: Of each stream that came to its end, seconds.
        given_up: Streams that their deadline ended.
        counts: What the replicas did.
    """

    seconds: float = 0.0
    took: list[float] = field(default_factory=list)
    given_up: int = 0
    counts: Counts = field(default_factory=Counts)

    def quantile(self, share: float) -> float:
        """Seconds within which this share of the streams that ended did; infinite for none."""
        ordered = sorted(self.took)
        return ordered[math.ceil(share * len(ordered)) - 1] if ordered else math.inf

    @property
    def kept(self) -> float:
        """Of the prefixes that were known, the share that a cache held."""
        return self.counts.kept / self.counts.known if self.counts.known else 1.0


@dataclass(slots=True)
class Fleet:
    """The replicas, and who of them gets a request."""

    env: simpy.Environment
    replicas: list[Replica]
    routing: Routing
    turn: int = 0
    homes: dict[int, Replica] = field(default_factory=dict)

    def route(self, stream: int) -> Replica:
        """The replica for a stream's next request."""
        home = self.homes.get(stream)
        if home is not None and home.alive and self.routing == "stream":
            return home
        alive = [one for one in self.replicas if one.alive]
        if self.routing == "turns":
            self.turn += 1
            chosen = alive[self.turn % len(alive)]
        else:
            chosen = min(alive, key=lambda one: one.load)
            if self.routing == "prefix" and home is not None and home.alive:
                chosen = home if home.load <= chosen.load + _BUSIER else chosen
        self.homes[stream] = chosen
        return chosen


def simulate(
    server: Server,
    work: Work,
    replicas: int = 1,
    routing: Routing = "stream",
    lost: Sequence[tuple[float, int]] = (),
) -> Outcome:
    """Run the work on a fleet until every stream has ended.

    Args:
        lost: (second, how many replicas die then).
    """
    env, found = simpy.Environment(), Outcome()
    made = [Replica(env, server, found.counts) for _ in range(replicas)]
    fleet, draw = Fleet(env, made, routing), random.Random(work.seed)
    streams = []
    for number in range(work.streams):
        length = max(1, round(work.tokens * math.exp(work.sigma * draw.gauss(0, 1))))
        begins = work.over * number / work.streams
        streams.append(env.process(_stream(fleet, work, number, begins, length, found)))
    for second, count in lost:
        env.process(_die(env, made, second, count))
    env.run(env.all_of(streams))
    return found


def _die(
    env: simpy.Environment, replicas: list[Replica], second: float, count: int
) -> Generator[simpy.Event, Any, None]:
    yield env.timeout(second)
    alive = [one for one in replicas if one.alive]
    for one in alive[: min(count, len(alive) - 1)]:
        one.lose()


def _marks(work: Work, made: int, end: int) -> deque[int]:
    """Where the client has something to do, of a stream that has ``made`` tokens: at its probes,
    its next cut, its end."""
    if work.cut and (cut := (made // work.cut + 1) * work.cut) < end:
        end = cut
    probes = range((made // work.every + 1) * work.every, end, work.every) if work.every else ()
    return deque([*(one - made for one in probes), end - made])


def _stream(
    fleet: Fleet, work: Work, number: int, begins: float, length: int, found: Outcome
) -> Generator[simpy.Event, Any, None]:
    """A client's stream, from its first request to its end."""
    env = fleet.env
    yield env.timeout(begins)
    until = None if work.deadline is None else env.timeout(work.deadline)
    ends = max(1, round(work.exit * length))
    if work.every and not work.inside:  # a probe sees it at the next check point
        ends = math.ceil(ends / work.every) * work.every
    most = min(length, ends) if work.inside else length
    prompt, known, made, exited = work.prompt, 0, 0, env.event()
    probed = work.exit < 1 and bool(work.every) and not work.inside
    over = [*([exited] if probed else []), *([] if until is None else [until])]
    while made < most and not exited.processed:
        yield env.timeout(work.trip)
        replica = fleet.route(number)
        job = Job(number, prompt, _marks(work, made, most), known, env.event())
        replica.submit(job)
        before, alive = made, True
        while job.marks and alive and not any(one.processed for one in over):
            bell = job.woken
            yield env.any_of([bell, *over]) if over else bell
            alive = not bell.triggered or bool(bell.value)
            made = before + job.made
            if bell.triggered and alive and work.every and made % work.every == 0:
                last = ends <= made < ends + work.every and not work.inside
                told = exited if last and ends < length else None
                env.process(_probe(fleet, work, number, prompt + job.made, told))
        if until is not None and until.processed and made < most:
            replica.cancel(job)
            found.given_up += 1
            return
        if exited.processed and job.marks:  # what came behind the check point is wasted
            found.counts.wasted += max(0, before + replica.made(job) - ends) if job.began else 0
            replica.cancel(job)
        # Of a replica that is lost, the client has every token up to the last mark.
        prompt, known = prompt + made - before, prompt + made - before
        if alive and made < most and work.cut and made % work.cut == 0:
            found.counts.wasted += work.back
            known = prompt - work.back
            prompt = known + work.feedback
    found.took.append(env.now - begins)
    found.seconds = max(found.seconds, env.now)


def _probe(
    fleet: Fleet, work: Work, stream: int, prefix: int, exited: simpy.Event | None
) -> Generator[simpy.Event, Any, None]:
    """A request beside the stream; the one that says that it may end is waited for."""
    yield fleet.env.timeout(work.trip)
    prompt = prefix + work.probe
    job = Job(stream, prompt, deque([work.probed]), prefix, fleet.env.event())
    fleet.route(stream).submit(job)
    alive = yield job.woken
    if exited is not None and alive and not exited.triggered:
        exited.succeed()


def plain(found: Outcome) -> dict[str, Any]:
    """An outcome as JSON."""
    return {
        "seconds": found.seconds,
        "median": found.quantile(0.5),
        "p99": found.quantile(0.99),
        "ended": len(found.took),
        "given_up": found.given_up,
        "prefixes_kept": found.kept,
        **asdict(found.counts),
    }
