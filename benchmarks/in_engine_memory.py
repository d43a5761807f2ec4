"""What the plugin inside vLLM keeps of requests that are gone: nothing, counted in the engine.

    python benchmarks/in_engine_memory.py [--requests N] [--plain]

In an environment with vLLM (`make test-vllm` makes one). The engine runs in this process, so that
the plugin itself can be looked at: probes, streams that its rules end, and streams that are aborted
after their first tokens, a third of each, 64 at once. After every tenth of them it counts what the
plugin holds (requests, slots given away, bytes of its tensors, its Python objects) and what the
process does (RSS). Exits with 1 if the plugin's part is larger at the end than it was in the first
half, or a slot is not given back. RSS is reported, not judged, for much of it is vLLM's own: see
what grows with --plain, where the same requests ask for nothing.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from typing import Any, NamedTuple

AT_ONCE = 64
ROOM = 1.05
"""What the objects may differ by: the requests that are parked ask for different things."""
CLOSE, TURN = 3, 1
"""Token ids of the bundled model: what closes its thinking, and its turn."""


class Held(NamedTuple):
    """What there is at one moment.

    Attributes:
        requests: That the plugin has in the batch.
        parked: That left it, whose slots are not yet wanted.
        slots: That are neither free nor one of those.
        tensors: Bytes of its state.
        objects: Python objects that are reached from it, but not its configuration's.
        rss: MB of the process.
    """

    requests: int
    parked: int
    slots: int
    tensors: int
    objects: int
    rss: float


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--plain", action="store_true", help="the requests ask for nothing")
    given = parser.parse_args()
    engine = started()
    rows = [*held_while(engine, given.requests, plain=given.plain)]
    print("| requests | in the batch | parked | slots lost | bytes of state | objects | RSS |")
    print("|---:|---:|---:|---:|---:|---:|---:|")
    for part, row in enumerate(rows, 1):
        done = part * given.requests // len(rows)
        print(
            f"| {done:,} | {row.requests} | {row.parked} | {row.slots} | {row.tensors:,} "
            f"| {row.objects:,} | {row.rss:,.0f} MB |"
        )
    grown = {name: getattr(rows[-1], name) - getattr(rows[0], name) for name in Held._fields}
    print(f"behind the first tenth RSS grew by {grown['rss']:.0f} MB")
    flat = not any(row.requests or row.slots for row in rows)
    flat &= rows[-1].tensors == rows[0].tensors
    flat &= rows[-1].objects <= ROOM * max(row.objects for row in rows[: len(rows) // 2])
    print("met    nothing is kept of requests that are gone" if flat else "MISSED: state is kept")
    return int(not flat)


def started(block: int = 32) -> Any:
    """An engine on the bundled model, in this process, with the plugin."""
    small = {"VLLM_CPU_KVCACHE_SPACE": "1", "VLLM_CPU_OMP_THREADS_BIND": "nobind"}
    small |= {"OMP_NUM_THREADS": "1", "VLLM_NO_USAGE_STATS": "1", "VLLM_LOGGING_LEVEL": "ERROR"}
    os.environ |= small | {"VLLM_ENABLE_V1_MULTIPROCESSING": "0", "AGENTFLOW_IN_ENGINE": "1"}
    from vllm import EngineArgs, LLMEngine

    from agentflow.models import embedded
    from agentflow.models.serve import _converted

    folder = str(_converted(embedded.bundled()))
    asked = EngineArgs(
        folder,
        enforce_eager=True,
        dtype="float32",
        block_size=block,
        max_num_seqs=AT_ONCE,
        async_scheduling=False,
    )
    return LLMEngine.from_engine_args(asked)


def held_while(
    engine: Any, requests: int, parts: int = 10, *, plain: bool = False
) -> Iterator[Held]:
    """What is held after each part of the requests; none of them is under way then."""
    gc.unfreeze()  # vLLM hides what it began with from the collector
    (plugin,) = [one for one in gc.get_objects() if type(one).__name__ == "InEngine"]
    numbers, finished = count(), 0
    for part in range(parts):
        share = (part + 1) * requests // parts - part * requests // parts
        finished += run(engine, islice(numbers, share), plain)
        yield held(plugin)
    assert finished == requests


def run(engine: Any, numbers: Iterator[int], plain: bool) -> int:
    """Requests by their numbers, so many at once; how many came to their end, or were aborted."""
    waiting, under_way, done = list(numbers)[::-1], set[str](), 0
    while waiting or under_way:
        while waiting and len(under_way) < AT_ONCE:
            name = str(waiting.pop())
            params = asks(int(name))
            if plain:
                params.extra_args, params.max_tokens = None, min(params.max_tokens, 12)
            engine.add_request(name, {"prompt_token_ids": [1, *range(5, 45)]}, params)
            under_way.add(name)
        for output in engine.step():
            name, tokens = output.request_id, len(output.outputs[0].token_ids)
            if output.finished or (int(name) % 3 == 2 and tokens >= 2):
                if not output.finished:
                    engine.abort_request([name])
                under_way.discard(name)
                done += 1
    engine.step()  # it learns of the last that are gone with the next batch
    return done


def asks(number: int) -> Any:
    """What a request asks of the plugin: a probe, a stream with rules, or one that is aborted."""
    from vllm import SamplingParams

    from agentflow.vllm_plugin.ask import PROTOCOL, Ask, Report, Stop

    some: dict[str, Any] = {"protocol": PROTOCOL, "first": 4, "base": 1496}
    if number % 3 == 0:
        return SamplingParams(
            max_tokens=2, temperature=0.0, extra_args=Ask(**some, probe=("entropy",)).xargs()
        )
    stop = Stop(close=(CLOSE,), guard=(TURN,), budget=3, entropy={"variance": 0.0})  # type: ignore[arg-type]
    ask = Ask(**some, stop=stop, report=Report(after=(CLOSE,), end=2, curve=2))
    return SamplingParams(
        max_tokens=20 if number % 3 == 1 else 500,
        seed=number,
        ignore_eos=True,
        stop_token_ids=[2],
        extra_args=ask.xargs(),
    )


def held(plugin: Any) -> Held:
    """What the plugin and the process hold now."""
    gc.collect()
    core = plugin._core
    tensors = (core.settings, core.levels, core.state, core.numbers)
    lost = len(core.settings) - len(plugin._free) - len(plugin._parked) - len(plugin._held)
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return Held(
        len(plugin._held),
        len(plugin._parked),
        lost,
        sum(one.numel() * one.element_size() for one in tensors),
        reached(plugin._held, plugin._parked, plugin._free, plugin._came),
        pages * os.sysconf("SC_PAGE_SIZE") / 1e6,
    )


def reached(*roots: Any) -> int:
    """How many objects are reached from some, classes and modules aside."""
    seen, todo = set[int](), list(roots)
    while todo:
        one = todo.pop()
        if id(one) in seen or isinstance(one, type) or type(one).__name__ == "module":
            continue
        seen.add(id(one))
        todo += gc.get_referents(one)
    return len(seen)


if __name__ == "__main__":
    sys.exit(main())
