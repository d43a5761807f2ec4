"""Runs of a real vLLM that `agentflow simulate` is calibrated by.

    python benchmarks/fleet.py [--out FILE] [--repeats N] [--ways WAY ...]

In an environment with vLLM (`make test-vllm` makes one). It serves the bundled model by itself and
runs 1 to 64 streams at once: alone, with a probe every 16 tokens beside each, and cut back every 48
tokens. A row of the file is what was done, in the words of `agentflow.evaluation.fleet.Work`, and
seconds: those of the engine's CPU, which is busy as long as a run lasts, so that others who use the
machine do not count; the least of the repeats.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import sys
from contextlib import aclosing
from pathlib import Path
from typing import Any

from in_engine import OPTIONS, SMALL, connected
from processes import Cpu

from agentflow.models import HTTPModel, Request, in_engine, next_token
from agentflow.models.serve import Served, serve
from agentflow.profile import Sampling

OUT = Path(__file__).parent / "data" / "fleet.jsonl"
PROMPT, TOKENS, BLOCK, CHUNK = 320, 144, 32, 32_768
"""Prompts are read whole: vLLM 0.32 ends on a CPU where it reads a part of one that has a seed."""
WAYS: dict[str, dict[str, int]] = {
    "alone": {},
    "probes": {"every": 16, "probe": 0, "probed": 1},
    "cuts": {"cut": 48, "back": 24, "feedback": 12},
    "long": {"prompt": 1280, "tokens": 16},
}
"""What is done beside 1 to 64 streams; prompts that are long only for up to 16, in one step."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--ways", nargs="+", default=list(WAYS), choices=WAYS)
    given = parser.parse_args()
    os.environ |= SMALL
    with serve("vllm", port=0, options=[*OPTIONS, f"--max-num-batched-tokens={CHUNK}"]) as served:
        rows = asyncio.run(measured(served, given.repeats, given.ways))
    given.out.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return 0


async def measured(served: Served, repeats: int, ways: list[str]) -> list[dict[str, Any]]:
    model, cpu = await connected(served), Cpu(served)
    stop = await in_engine.stop_for(model, least=TOKENS)  # as long as they are to be
    ask, draw = in_engine._ask(model, stop=stop), random.Random(0)
    rows: dict[tuple[str, int], dict[str, Any]] = {}
    for _ in range(repeats):
        for name in ways:
            work = {"prompt": PROMPT, "tokens": TOKENS, **WAYS[name]}
            for streams in (1, 4, 16) if name == "long" else (1, 4, 16, 32, 64):
                prompts = [
                    tuple(draw.randrange(5, 1500) for _ in range(work["prompt"]))
                    for _ in range(streams)
                ]
                with cpu.count() as took:
                    found = await asyncio.gather(*(one(model, p, ask, **work) for p in prompts))
                row = {
                    "work": {"streams": streams, **work},
                    "block": BLOCK,
                    "chunk": CHUNK,
                    "generated": sum(found),
                }
                row |= {"seconds": round(took["engine"], 2)}
                print(json.dumps(row), file=sys.stderr, flush=True)
                best = rows.get((name, streams))
                if best is None or row["seconds"] < best["seconds"]:
                    rows[name, streams] = row
    await model.close()
    return [*rows.values()]


async def one(
    model: HTTPModel,
    prompt: tuple[int, ...],
    ask: Any,
    /,
    *,
    tokens: int,
    every: int = 0,
    cut: int = 0,
    back: int = 0,
    feedback: int = 0,
    **_: int,
) -> int:
    """One stream with what is beside it; how many tokens it had."""
    kept, made, probes = prompt, 0, []
    while made < tokens:
        until = min(tokens, made + cut) if cut else tokens
        request = Request(kept, until - made, Sampling(1.0, 1.0, 0), made, ask=ask)
        async with aclosing(model.stream(request)) as stream:
            async for item in stream:
                if getattr(item, "id", None) is None:
                    continue
                kept, made = (*kept, item.id), made + 1
                if every and made % every == 0 and made < tokens:
                    probes.append(asyncio.ensure_future(next_token(model, kept, 20)))
        if made < tokens:
            kept = kept[:-back] + kept[5 : 5 + feedback]
    await asyncio.gather(*probes)
    return made


if __name__ == "__main__":
    sys.exit(main())
