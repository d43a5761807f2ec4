"""Whether the runner keeps a server busy, and its memory stays flat.

    python benchmarks/runner.py [--no-check] [--samples N] [--many N]

A second process serves a canned Game of 24 trace in llama.cpp's shape at a fixed rate a stream. A
bare load generator (64 workers, each a POST after another, the answer read and thrown away) and
the runner (64 problems at once, method ``direct`` and then ``interwhen``) get as many tokens from
it as they can; the first samples, which begin all at once, count for both. Then the runner is given
many short samples, and its resident memory is read after every tenth of them.

Exits with 1 if a goal is missed: the runner keeps the server at least 95 % as busy as the bare
generator, and memory grows by less than 5 % from the second tenth to the last.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import sys
import tempfile
from pathlib import Path
from time import perf_counter, process_time

import aiohttp
from canned import serve
from shared import goal, options

from agentflow import models
from agentflow.domains import Game24
from agentflow.evaluation.records import Arm
from agentflow.evaluation.runner import Record, run

AT_ONCE = 64
RATE = 15.0
"""Tokens a second that a stream gets: 64 of them are about a thousand a second."""
LENGTH = 150
SHORT = 20
PUZZLE = Game24().parse("1 6 8 12")


async def generator(url: str, samples: int) -> int:
    """The bare load: tokens asked for."""
    left = iter(range(samples))
    timeout = aiohttp.ClientTimeout(total=None)
    connector = aiohttp.TCPConnector(limit=0, force_close=True)
    async with aiohttp.ClientSession(connector=connector, timeout=timeout) as session:

        async def work() -> None:
            for _ in left:
                body = {"max_tokens": LENGTH}
                async with session.post(f"{url}/completions", json=body) as response:
                    await response.read()

        await asyncio.gather(*(work() for _ in range(AT_ONCE)))
    return samples * LENGTH


async def runner(url: str, samples: int, method: str) -> int:
    """The same load as samples of a method: tokens that came."""
    settings = {"max_tokens": LENGTH, "step_verifier": True} if method == "interwhen" else {}
    arm = Arm(method, method, {"max_tokens": LENGTH, **settings})
    with tempfile.TemporaryDirectory() as folder:
        records = await run(
            [arm],
            [PUZZLE],
            range(samples),
            Path(folder) / "records.jsonl",
            model=url,
            concurrency=AT_ONCE,
        )
    await models.close_all()
    assert all(record.status != "failed" for record in records), records[0].error
    return sum(record.tokens for record in records)


async def memory(url: str, samples: int) -> list[float]:
    """Resident memory in MiB after every tenth of the samples."""
    found: list[float] = []

    def tell(record: Record) -> None:
        nonlocal done
        done += 1
        if done % (samples // 10) == 0:
            pages = int(Path("/proc/self/statm").read_text().split()[1])
            found.append(pages * 4096 / 2**20)

    done = 0
    with tempfile.TemporaryDirectory() as folder:
        await run(
            [Arm("direct", "direct", {"max_tokens": SHORT})],
            [PUZZLE],
            range(samples),
            Path(folder) / "records.jsonl",
            model=url,
            concurrency=AT_ONCE,
            on_record=tell,
        )
    await models.close_all()
    return found


def main() -> int:
    """Run the benchmark; the exit code."""
    given = options(__doc__, check=True, samples=4 * AT_ONCE, many=5000).parse_args()
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process
    server = process(target=serve, args=([LENGTH, SHORT], theirs, 1 / RATE))
    server.start()
    try:
        root = f"http://127.0.0.1:{ours.recv()}"
        url = f"{root}/paced/v1"
        rates = {}
        print(
            f"{given.samples} samples of {LENGTH} tokens, {AT_ONCE} at once, {RATE} tokens/s each"
        )
        for name in ("generator", "direct", "interwhen"):
            load = generator(url, given.samples) if name == "generator" else None
            began, cpu = perf_counter(), process_time()
            tokens = asyncio.run(load or runner(url, given.samples, name))
            seconds, cpu = perf_counter() - began, process_time() - cpu
            rates[name] = tokens / seconds
            print(
                f"{name:<10} {rates[name]:7.0f} tokens/s, {rates[name] / rates['generator']:6.1%} "
                f"of the bare generator, {1e6 * cpu / tokens:5.0f} us of CPU a token"
            )
        found = asyncio.run(memory(f"{root}/v1", given.many))
        growth = found[-1] / found[1] - 1
        print(f"memory over {given.many} samples, MiB: " + " ".join(f"{m:.0f}" for m in found))
        print(f"growth from the second tenth to the last: {growth:+.1%}")
    finally:
        server.terminate()
    busy = min(rates["direct"], rates["interwhen"]) / rates["generator"]
    met = [
        goal(f"the server is {busy:.1%} as busy (goal: >= 95 %)", busy >= 0.95),
        goal(f"memory grew by {growth:.1%} (goal: <= 5 %)", growth <= 0.05),
    ]
    return int(not (all(met) or given.no_check))


if __name__ == "__main__":
    sys.exit(main())
