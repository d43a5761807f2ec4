"""What watching a stream costs: client CPU per token, side by side with bare readers.

    python benchmarks/stream.py [--no-check] [--json] [--repetitions N] [--lengths 1000 ...]

A second process streams a canned Game of 24 trace over HTTP in llama.cpp's shape, one event per
token. This process reads it in turn with bare readers (aiohttp and httpx, each with orjson), with
the project's client alone, and with ``watch`` under 0, 1 and 3 monitors; only its own CPU time
counts. Repetitions are interleaved and the median is taken, so that a busy machine disturbs all
readers alike; of the monitors alone the minimum. The columns by length are measured with all
tokens arriving as fast as they are read, which leaves nothing but the reading itself; the column
"paced" with tokens arriving one by one, as from a model, which adds the same wake-up of the event
loop per token to every reader.

Exits with 1 if a goal is missed: extraction <= 1 us per token and monitor, 32k tokens within 1.2x
of 1k per token, and the client with three monitors below the bare httpx reader.
"""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import sys
from collections.abc import Awaitable, Callable
from statistics import median
from time import perf_counter, process_time

import aiohttp
import httpx
import orjson
from canned import PROFILE, serve, trace_of
from shared import options, progress

from agentflow.domains.game24 import Game24
from agentflow.models import HTTPModel, Request
from agentflow.models.model import Finish, prompt_of
from agentflow.monitors import (
    Context,
    Increment,
    KStable,
    Monitor,
    StepVerifier,
    TokenBudget,
    watch,
)
from agentflow.state import State
from agentflow.trace import Segment, Trace

NEVER = 10**9
DOMAIN = Game24()
PROBLEM = DOMAIN.parse("1 6 8 12")
PACED = 2000
"""Tokens of the stream whose tokens arrive one by one."""


# The readers: each reads one stream and returns how many tokens came


Reader = Callable[[str, int], Awaitable[tuple[int, float]]]


async def bare_aiohttp(url: str, length: int) -> tuple[int, float]:
    """The floor: what an aiohttp response brings, cut into lines and parsed."""
    async with aiohttp.ClientSession() as session:
        began, count, rest = process_time(), 0, b""
        async with session.post(f"{url}/completions", json={"max_tokens": length}) as response:
            async for chunk in response.content.iter_any():
                *lines, rest = (rest + chunk).split(b"\n")
                for line in lines:
                    if line.startswith(b"data: {"):
                        for choice in orjson.loads(line[6:])["choices"]:
                            count += bool(choice["text"])
        return count, process_time() - began


async def bare_httpx(url: str, length: int) -> tuple[int, float]:
    """What the bill of a general client starts with: httpx's lines, parsed."""
    async with httpx.AsyncClient() as client:
        began, count = process_time(), 0
        body = {"max_tokens": length}
        async with client.stream("POST", f"{url}/completions", json=body) as response:
            async for line in response.aiter_lines():
                if line.startswith("data: {"):
                    for choice in orjson.loads(line[6:])["choices"]:
                        count += bool(choice["text"])
        return count, process_time() - began


async def client_alone(url: str, length: int) -> tuple[int, float]:
    """``HTTPModel.stream`` with nobody watching."""
    model = HTTPModel(url, idle_timeout=60)
    await model.open()
    began, count = process_time(), 0
    async for item in model.stream(Request((1, 2, 3), length)):
        count += not isinstance(item, Finish)
    spent = process_time() - began
    await model.close()
    return count, spent


def watched(monitors: list[Monitor]) -> Reader:
    """``watch`` over the project's client."""

    async def read(url: str, length: int) -> tuple[int, float]:
        model = HTTPModel(url, idle_timeout=60)
        await model.open()
        trace = Trace()
        trace.append(Segment("prompt", "game24", (1, 2, 3)))
        began = process_time()
        leg = await watch(model, trace, Request(prompt_of(model, trace), length), monitors)
        spent = process_time() - began
        assert leg.ended == "length"
        assert all(one.verdict.ok for one in leg.judged)
        await model.close()
        return leg.generated, spent

    return read


STEP = StepVerifier(PROBLEM, DOMAIN, PROFILE)
MONITORS: dict[str, Monitor] = {
    "step verifier": STEP,
    "k-stable": KStable(PROBLEM, DOMAIN, NEVER),
    "token budget": TokenBudget(NEVER),
}
READERS: dict[str, Reader] = {
    "aiohttp, bare": bare_aiohttp,
    "httpx, bare": bare_httpx,
    "client alone": client_alone,
    "watch, 0 monitors": watched([]),
    "watch, 1 monitor": watched([STEP]),
    "watch, 3 monitors": watched([*MONITORS.values()]),
}


def read(reader: Reader, url: str, length: int) -> float:
    """Client CPU per token of one stream, in microseconds."""
    gc.collect()
    count, seconds = asyncio.run(reader(url, length))  # type: ignore[arg-type]
    assert count == length, f"{count} of {length} tokens came"
    return seconds / length * 1e6


# The monitors alone


def increments(monitor: Monitor, length: int) -> list[Increment]:
    """What ``watch`` would feed the monitor."""
    found, line, offset = [], list[str](), 0
    for text in trace_of(length):
        line.append(text)
        if monitor.reads == "token" or text == "\n":
            whole = "".join(line)
            found.append(Increment(whole, offset, len(line), False))
            offset += len(whole)
            line = []
    return found


def extraction(monitor: Monitor, length: int) -> float:
    """CPU of the monitor's ``feed`` per token, in microseconds, verification excluded."""
    fed = increments(monitor, length)
    memory = monitor.start()
    gc.collect()
    began = process_time()
    for increment in fed:
        memory, _ = monitor.feed(memory, increment)
    return (process_time() - began) / length * 1e6


def states_of(monitor: Monitor, length: int) -> list[State]:
    """Every state in the trace."""
    memory, states = monitor.start(), list[State]()
    for increment in increments(monitor, length):
        memory, found = monitor.feed(memory, increment)
        states += found
    return states


def verification(length: int) -> float:
    """CPU of the step verifier's ``verify`` per state, in microseconds."""
    states = states_of(STEP, length)

    async def judge() -> float:
        began, earlier = process_time(), list[State]()
        for state in states:
            verdict = await STEP.verify(state, Context(earlier))
            assert verdict.ok, verdict.reason
            earlier.append(state)
        return process_time() - began

    gc.collect()
    return asyncio.run(judge()) / len(states) * 1e6


# Measuring, printing, checking


Table = dict[str, dict[int, float]]


def measure(url: str, lengths: list[int], repetitions: int) -> tuple[Table, dict[str, float]]:
    """(microseconds by row and length, microseconds per token of the paced stream by reader)."""
    jobs: dict[str, Callable[[int], float]] = {}
    for name, reader in READERS.items():
        jobs[name] = lambda length, reader=reader: read(reader, f"{url}/v1", length)
    for name, monitor in MONITORS.items():
        jobs[f"extraction, {name}"] = lambda length, monitor=monitor: extraction(monitor, length)
    jobs["verification, per step"] = verification
    runs: dict[tuple[str, int], list[float]] = {}
    paced: dict[str, list[float]] = {}
    total, began = repetitions * (len(lengths) + 1), perf_counter()
    for repetition in range(repetitions):
        for number, length in enumerate(lengths):
            for name, job in jobs.items():
                # A short measurement is repeated, so that each sees about as many tokens.
                times = max(1, 8000 // length)
                runs.setdefault((name, length), []).extend(job(length) for _ in range(times))
            done = repetition * (len(lengths) + 1) + number + 1
            progress(f"{done}/{total} {perf_counter() - began:.0f} s")
        for name, reader in READERS.items():
            paced.setdefault(name, []).append(read(reader, f"{url}/paced/v1", PACED))
    # What runs alone in this process is only ever disturbed upwards; readers wait for a server.
    middle = {name: median if name in READERS else min for name in jobs}
    table = {name: {n: middle[name](runs[name, n]) for n in lengths} for name in jobs}
    return table, {name: median(values) for name, values in paced.items()}


def show(table: Table, paced: dict[str, float]) -> None:
    """One plain table."""
    lengths = list(next(iter(table.values())))
    first, last = lengths[0], lengths[-1]
    head = [f"{n:,}" for n in lengths]
    print("client CPU, microseconds per token, by tokens in the stream")
    print(f"{'':30}" + "".join(f"{h:>9}" for h in [*head, "growth", "paced"]))
    for name, row in table.items():
        growth = f"{row[last] / row[first]:.2f}x" if row[first] else ""
        cells = [f"{row[n]:.2f}" for n in lengths] + [growth]
        cells.append(f"{paced[name]:.1f}" if name in paced else "")
        print(f"{name:30}" + "".join(f"{cell:>9}" for cell in cells))
    states = len(states_of(STEP, last))
    print(f"{states:,} steps and claims in {last:,} tokens; paced: tokens arrive one by one")
    ours = "watch, 3 monitors"
    for bare in ("aiohttp, bare", "httpx, bare"):
        ratio = table[ours][last] / table[bare][last]
        print(f"{ours} : {bare} = {ratio:.2f} ({paced[ours] / paced[bare]:.2f} paced)")


def missed(table: Table, paced: dict[str, float]) -> list[str]:
    """The goals that were not reached."""
    faults = []
    for name, row in table.items():
        first, last = min(row), max(row)
        if name.startswith("extraction"):
            faults += [f"{name}: {row[n]:.2f} us per token at {n}" for n in row if row[n] > 1.0]
        if "bare" not in name and row[last] > 1.2 * row[first]:
            faults.append(f"{name}: {row[last] / row[first]:.2f}x from {first} to {last} tokens")
    ours, bare = table["watch, 3 monitors"], table["httpx, bare"]
    faults += [
        f"watch with 3 monitors {ours[n]:.1f} us, httpx {bare[n]:.1f} us per token at {n}"
        for n in ours
        if ours[n] >= bare[n]
    ]
    if paced["watch, 3 monitors"] >= paced["httpx, bare"]:
        faults.append("watch with 3 monitors is slower than httpx on the paced stream")
    return faults


def main() -> int:
    parser = options(__doc__, check=True, repetitions=5)
    parser.add_argument("--lengths", type=int, nargs="+", default=[1000, 4000, 16_000, 32_000])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    given = parser.parse_args()
    here, there = multiprocessing.Pipe()
    context = multiprocessing.get_context("spawn")
    arguments = ([*given.lengths, PACED], there)
    server = context.Process(target=serve, args=arguments, daemon=True)
    server.start()
    table, paced = measure(f"http://127.0.0.1:{here.recv()}", given.lengths, given.repetitions)
    server.terminate()
    faults = missed(table, paced)
    if given.json:
        result = {"microseconds": table, "paced": paced, "missed": faults}
        print(orjson.dumps(result, option=orjson.OPT_NON_STR_KEYS).decode())
    else:
        show(table, paced)
        print("\n".join(f"missed: {fault}" for fault in faults) or "every goal reached")
    return 1 if faults and not given.no_check else 0


if __name__ == "__main__":
    sys.exit(main())
