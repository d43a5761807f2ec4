"""One simulated engine: it batches continuously, and keeps prefixes.

A step generates a token of every sequence in the batch, or reads prompts that the cache does not
hold, and with them generates their first tokens.
"""

from __future__ import annotations

import math
from collections import OrderedDict, deque
from collections.abc import Generator
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any

import simpy


@dataclass(frozen=True, slots=True)
class Server:
    """What one replica takes for its work, in seconds, and what it holds.

    Attributes:
        step: A step, whatever is in it.
        sequence: More, for each sequence in it.
        read: More, for each token of a prompt that it reads.
        request: Once, for each request.
        sequences: Most at once.
        chunk: Most tokens of prompts that one step reads.
        cache: Tokens that its cache holds.
        block: Tokens that it keeps together.
    """

    step: float = 0.01
    sequence: float = 1e-4
    read: float = 1e-4
    request: float = 1e-3
    sequences: int = 256
    chunk: int = 2048
    cache: int = 500_000
    block: int = 16


@dataclass(slots=True)
class Counts:
    """What the replicas did.

    Attributes:
        steps, sequences, read, requests: Of all replicas; sequences are summed over the steps.
        known, kept: Tokens of prompts that some replica had had before, and those of them that came
            from a cache.
        wasted: Generated tokens that nobody wanted in the end.
        busy: Seconds in which they worked.
    """

    steps: int = 0
    sequences: int = 0
    read: int = 0
    requests: int = 0
    known: int = 0
    kept: int = 0
    wasted: int = 0
    busy: float = 0.0


@dataclass(slots=True, eq=False)
class Job:
    """A request: a prompt, then tokens, of which some are waited for.

    Attributes:
        stream: Whose prefix it has.
        prompt: Tokens of it.
        marks: Numbers of generated tokens at which the client is woken, the last one the end.
        known: Tokens at its beginning that some replica had before.
        made: Tokens generated so far, as far as a mark.
        woken: Fires at each mark with True, with False where the replica is lost.
        gone: Whether nobody waits for it any more.
    """

    stream: int
    prompt: int
    marks: deque[int]
    known: int
    woken: simpy.Event
    made: int = 0
    began: int = 0
    unread: int = 0
    gone: bool = False


class Replica:
    """One engine."""

    def __init__(self, env: simpy.Environment, server: Server, counts: Counts) -> None:
        self.env, self.server, self.counts, self.alive = env, server, counts, True
        self.waiting: deque[Job] = deque()
        self.reading: deque[Job] = deque()
        self.running: list[tuple[int, int, Job]] = []
        self.cache: OrderedDict[int, int] = OrderedDict()
        self.held = self.steps = self.active = self.number = 0
        self.wake = env.event()
        env.process(self._work())

    @property
    def load(self) -> int:
        """Requests that it has."""
        return self.active + len(self.reading) + len(self.waiting)

    def submit(self, job: Job) -> None:
        """Take a request."""
        self.waiting.append(job)
        self._rouse()

    def cancel(self, job: Job) -> None:
        """Let go of one; what it read and wrote stays in the cache."""
        if not job.gone:
            job.gone = True
            self._settle(job)
            self._rouse()

    def lose(self) -> None:
        """Die: whoever waits is told."""
        self.alive = False
        jobs = [*self.waiting, *self.reading, *(job for _, _, job in self.running)]
        for job in jobs:
            if not job.gone:
                job.gone = True
                job.woken.succeed(False)
        self._rouse()

    def _rouse(self) -> None:
        if not self.wake.triggered:
            self.wake.succeed()

    def _settle(self, job: Job) -> None:
        """A running request ends: its tokens so far are counted."""
        if job.began:
            self._keep(job.stream, job.prompt + self.made(job))
            self.active -= 1
            job.began = 0

    def made(self, job: Job) -> int:
        """Tokens that a running request has by now."""
        return min(self.steps - job.began + 1, job.marks[-1] if job.marks else job.made)

    def _keep(self, stream: int, tokens: int) -> None:
        """Remember a prefix, and forget the ones that were used longest ago."""
        before = self.cache.pop(stream, 0)
        self.cache[stream] = max(before, tokens)
        self.held += self.cache[stream] - before
        while self.held > self.server.cache and len(self.cache) > 1:
            self.held -= self.cache.popitem(last=False)[1]

    def _admit(self) -> int:
        """Take in what waits, as far as there is room; how many requests."""
        taken = 0
        while self.waiting and self.active + len(self.reading) < self.server.sequences:
            job = self.waiting.popleft()
            if job.gone:
                continue
            had = min(self.cache.get(job.stream, 0), job.known, job.prompt - 1)
            cached = had // self.server.block * self.server.block
            job.unread = job.prompt - cached
            self.counts.known += job.known
            self.counts.kept += min(cached, job.known)
            self.reading.append(job)
            taken += 1
        self.counts.requests += taken
        return taken

    def _work(self) -> Generator[simpy.Event, Any, None]:
        server, env, counts = self.server, self.env, self.counts
        while self.alive:
            taken = self._admit()
            if not (self.reading or self.active):
                self.wake = env.event()
                yield self.wake
                continue
            each = server.step + server.sequence * self.active
            if self.reading:
                room = server.chunk
                for job in self.reading:
                    part = min(job.unread, room)
                    job.unread, room = job.unread - part, room - part
                read = server.chunk - room
                each += server.read * read + server.request * taken
                counts.read += read
                yield env.timeout(each)
                self._advance(1, each)
                while self.reading and not self.reading[0].unread:
                    self._start(self.reading.popleft())
            else:
                ahead, began = max(1, self.running[0][0] - self.steps), env.now
                self.wake = env.event()
                yield env.timeout(each) if ahead == 1 else env.timeout(each * ahead) | self.wake
                done = ahead
                if env.now < began + each * ahead:  # roused: the step under way is ended first
                    done = min(ahead, max(1, math.ceil((env.now - began) / each - 1e-9)))
                    yield env.timeout(max(0.0, began + done * each - env.now))
                self._advance(done, each * done)
            self._ring()

    def _advance(self, steps: int, seconds: float) -> None:
        self.steps += steps
        self.counts.steps += steps
        self.counts.sequences += steps * self.active
        self.counts.busy += seconds

    def _start(self, job: Job) -> None:
        """Its prompt was read: the step has generated its first token."""
        if job.gone or not self.alive:
            return
        job.began = self.steps
        self._keep(job.stream, job.prompt)
        self.active += 1
        self._await(job)

    def _await(self, job: Job) -> None:
        self.number += 1
        heappush(self.running, (job.began + job.marks[0] - 1, self.number, job))

    def _ring(self) -> None:
        """Wake the clients whose marks are reached."""
        while self.running and self.running[0][0] <= self.steps:
            job = heappop(self.running)[2]
            if job.gone:
                continue
            job.made = job.marks.popleft()
            self._keep(job.stream, job.prompt + job.made)
            bell, job.woken = job.woken, self.env.event()
            if job.marks:
                self._await(job)
            else:
                job.gone = True
                self.active -= 1
            bell.succeed(True)
