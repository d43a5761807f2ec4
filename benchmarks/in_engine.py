"""What the plugin inside vLLM saves, and whether it does the same as the client's monitors.

    python benchmarks/in_engine.py [--parts probes exits load] [--streams N] [--repeats N]

In an environment with vLLM (`make test-vllm` makes one). It starts vLLM twice by itself:

probes
    A four-layer model of dummy weights and 151,936 ids, made on the spot. CPU of the API server
    and of this client, and bytes, of a probe: over the whole vocabulary, the top 20, in the engine.
exits
    The bundled model: for every rule that engine and client both have, streams that the engine
    ended. The distributions are computed again by another implementation (transformers, float32),
    and the client's own rule must stop at the same token of them.
load
    The bundled model, 1 to 64 streams with a check every 16 tokens: CPU a token of client, API
    server and engine, with probes over the wire and with rules in the engine; by turns, the median
    of the repeats, and the least and most.

CPU time is counted, not seconds. Exits with 1 if a goal is missed: probes at least 100 times
cheaper for the API server, entropies within 1e-3, exits at the same token, fewer CPU seconds of
client and API server together, a token, in the engine than over the wire.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from math import log
from pathlib import Path
from statistics import median
from typing import Any

import aiohttp
from processes import Cpu

from agentflow.models import HTTPModel, Request, embedded, in_engine, next_token
from agentflow.models.serve import Served, _converted, serve
from agentflow.monitors.rules import Budget, Confidence, EntropyLevel, EntropyVariance, Rule, stops
from agentflow.profile import PROFILES, Sampling

VOCABULARY = 151_936
MARKERS = ("<|im_start|>", "<|im_end|>", "<think>", "</think>")
OPTIONS = ["--enforce-eager", "--dtype", "float32", "--block-size", "32"]
SMALL = {
    "VLLM_CPU_KVCACHE_SPACE": "1",
    "VLLM_CPU_OMP_THREADS_BIND": "nobind",
    "OMP_NUM_THREADS": "1",
    "VLLM_NO_USAGE_STATS": "1",
}
RULES: dict[str, tuple[dict[str, Any], Sequence[Rule], str, int]] = {
    "entropy (Algorithm 1)": (
        {"entropy": {"variance": 0.05, "min_checks": 8}},
        [EntropyVariance(variance=0.05, min_checks=8)],
        "any",
        1,
    ),
    "entropy (authors' code)": (
        {"entropy": {"variance": 0.02, "first": True, "debias": False, "min_checks": 5}},
        [EntropyVariance(variance=0.02, start_at_first=True, debias=False, min_checks=5)],
        "any",
        4,
    ),
    "entropy_level": (
        {"entropy": {"level": 0.15, "first": True, "min_checks": 4}},
        [EntropyLevel(level=0.15, min_checks=4)],
        "any",
        4,
    ),
    "confidence": ({"confidence": {"threshold": 0.999}}, [Confidence(confidence=0.999)], "any", 16),
    "budget": ({"budget": 50}, [Budget(tokens=50)], "any", 1),
    "budget and level": (
        {"budget": 30, "entropy": {"level": 0.3, "first": True}, "combine": "all"},
        [Budget(tokens=30), EntropyLevel(level=0.3)],
        "all",
        1,
    ),
}
"""By name: the engine's rule, the client's, how they are combined, and every how many tokens."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--parts", nargs="+", default=["probes", "exits", "load"])
    parser.add_argument("--streams", type=int, default=200)
    parser.add_argument("--repeats", type=int, default=5)
    given = parser.parse_args()
    os.environ |= SMALL
    goals: list[tuple[str, bool]] = []
    if "probes" in given.parts:
        with tempfile.TemporaryDirectory() as folder:
            dummy(Path(folder))
            with serve("vllm", folder, port=0, options=[*OPTIONS, "--load-format", "dummy"]) as one:
                goals += asyncio.run(probes(one))
    if set(given.parts) - {"probes"}:
        with serve("vllm", port=0, options=OPTIONS) as one:
            if "exits" in given.parts:
                goals += asyncio.run(exits(one, given.streams))
            if "load" in given.parts:
                goals += asyncio.run(load(one, given.repeats))
    for what, met in goals:
        print(f"{'met   ' if met else 'MISSED'} {what}")
    return int(not all(met for _, met in goals))


def dummy(folder: Path) -> None:
    """A model's folder without weights, and a tokenizer of as many words as its vocabulary has."""
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast, Qwen3Config

    size = {"hidden_size": 256, "intermediate_size": 512, "num_hidden_layers": 4}
    heads = {"num_attention_heads": 4, "num_key_value_heads": 4, "head_dim": 64}
    about = Qwen3Config(
        vocab_size=VOCABULARY, max_position_embeddings=4096, eos_token_id=1, **size, **heads
    )
    about.architectures = ["Qwen3ForCausalLM"]
    about.save_pretrained(folder)
    words = [*MARKERS, *(f"w{i}" for i in range(VOCABULARY - len(MARKERS)))]
    held = Tokenizer(models.WordLevel({word: i for i, word in enumerate(words)}, unk_token="w0"))
    held.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    fast = PreTrainedTokenizerFast(
        tokenizer_object=held, eos_token=MARKERS[1], additional_special_tokens=list(MARKERS)
    )
    fast.save_pretrained(folder)


async def connected(served: Served) -> HTTPModel:
    model = HTTPModel(served.url, profile=PROFILES["pocket"], idle_timeout=600)
    await model.open()
    assert model.capabilities.in_engine is not None, "the plugin is not there"
    return model


async def probes(served: Served) -> list[tuple[str, bool]]:
    """A probe's price, three ways."""
    model, cpu = await connected(served), Cpu(served)
    prompt = tuple(range(100, 600))
    space = model.capabilities.in_engine
    assert space is not None
    ask = in_engine._ask(model, probe=("entropy",))
    ways: dict[str, tuple[int, Callable[[], Awaitable[float]], Request]] = {}

    async def whole() -> float:
        """Of what comes, taken for all: a few of 151,936 tokens share their text with others."""
        told = await next_token(model, prompt)
        mass = 1 - told.missing
        return told.entropy / mass + log(mass)

    async def twenty() -> float:
        return (await next_token(model, prompt, 20)).entropy

    async def engine() -> float:
        return (await in_engine.probe(model, prompt, ("entropy",)))["entropy"]

    raw = Sampling(1.0, 1.0, 0)
    ways["whole vocabulary"] = (3, whole, Request(prompt, 1, raw, top=VOCABULARY))
    ways["top 20"] = (30, twenty, Request(prompt, 1, raw, top=20))
    ways["in the engine"] = (30, engine, Request(prompt, 2, raw, ask=ask))
    print("| probe | CPU of the API server | of the client | of the engine | reply | entropy |")
    print("|---|---:|---:|---:|---:|---:|")
    cost, told = {}, {}
    for name, (times, way, request) in ways.items():
        await way()  # texts of tokens are learnt once
        with cpu.count() as found:
            values = [await way() for _ in range(times)]
        cost[name], told[name] = found["api"] / times, values[-1]
        each = " | ".join(
            f"{1e3 * found[who] / times:,.1f} ms" for who in ("api", "client", "engine")
        )
        size = await reply_size(model, request)
        print(f"| {name} | {each} | {size:,} B | {values[-1]:.6f} |", flush=True)
    await model.close()
    ratio = cost["whole vocabulary"] / cost["in the engine"]
    apart = abs(told["whole vocabulary"] - told["in the engine"])
    return [
        (f"API server: {ratio:.0f} times cheaper than the whole vocabulary (100)", ratio >= 100),
        (f"entropies of a probe {apart:.1e} apart (1e-3)", apart <= 1e-3),
    ]


async def reply_size(model: HTTPModel, request: Request) -> int:
    async with aiohttp.ClientSession() as session:
        url = f"{model.base_url}/completions"
        async with session.post(url, json=model._body(request)) as reply:
            return len(await reply.read())


PUZZLES = [
    f"{a} {b} {c} {d}"
    for a in range(1, 10)
    for b in range(a, 12)
    for c in range(b, 13)
    for d in range(c, 14)
]


async def exits(served: Served, count: int) -> list[tuple[str, bool]]:
    """Streams that the engine ended, against the client's rules on the same tokens."""
    import torch
    from transformers import AutoModelForCausalLM

    torch.set_num_threads(1)
    reference = AutoModelForCausalLM.from_pretrained(
        _converted(embedded.bundled()), dtype=torch.float32
    ).eval()
    model, goals = await connected(served), []
    print("\n| rule | streams | ended by it | by the model | same token | curve apart |")
    print("|---|---:|---:|---:|---:|---:|")
    for number, (name, (rule, ours, combine, every)) in enumerate(RULES.items()):
        stop = await in_engine.stop_for(model, every=every, **rule)
        gate = asyncio.Semaphore(32)

        async def one(seed: int, stop: Any = stop, gate: Any = gate) -> tuple[Any, ...]:
            puzzle = PUZZLES[7 * seed % len(PUZZLES)]
            prompt = await model.tokenize(model.profile.render(f"game24: {puzzle}"))
            request = Request(prompt, 150, Sampling(0.8, 1.0, 0), seed)
            async with gate:
                return prompt, *(await in_engine.reason(model, request, stop, curve=64))

        done = await asyncio.gather(*(one(1000 * number + seed) for seed in range(count)))
        reasons, same, apart = Counter(), 0, 0.0
        for prompt, thought, ended in done:
            ids = [token.id for token in thought.tokens][: ended.tokens]
            with torch.inference_mode():
                logits = reference(torch.tensor([[*prompt, *ids]])).logits[0, len(prompt) - 1 :]
            logs = logits.double().log_softmax(-1)
            entropies = (-(logs.exp() * logs).sum(-1)).tolist()
            sure = logs.exp().amax(-1).tolist()
            fired = first_stop(ours, combine, every, entropies, sure, ended.tokens)
            by_rule = ended.reason not in ("model", "length")
            same += fired == (ended.tokens if by_rule else None)
            reasons[by_rule] += 1
            places = range(every, ended.tokens + 1, every)
            read = entropies if "entropy" in rule else sure
            want = [read[place] for place in places][-len(ended.curve) :] if ended.curve else []
            apart = max([apart, *(abs(a - b) for a, b in zip(want, ended.curve, strict=True))])
        print(
            f"| {name} | {count} | {reasons[True]} | {reasons[False]} | {same} | {apart:.1e} |",
            flush=True,
        )
        goals.append((f"{name}: {same} of {count} at the same token", same == count))
    await model.close()
    return goals


def first_stop(
    rules: Sequence[Rule],
    combine: Any,
    every: int,
    entropies: Sequence[float],
    sure: Sequence[float],
    most: int,
) -> int | None:
    """Where the client's rules stop a stream; None if nowhere up to ``most`` tokens."""
    memory: dict[str, Any] = {}
    for tokens in range(every, most + 1, every):
        values = {"entropy": entropies[tokens], "confidence": sure[tokens], "tokens": tokens}
        memory, fired = stops(rules, combine, memory, values)
        if fired:
            return tokens
    return None


async def load(served: Served, repeats: int) -> list[tuple[str, bool]]:
    """CPU a token."""
    model, cpu = await connected(served), Cpu(served)
    every, length = 16, 96
    prompts = [
        await model.tokenize(model.profile.render(f"game24: {puzzle}")) for puzzle in PUZZLES[:64]
    ]
    stop = await in_engine.stop_for(
        model, entropy={"level": 0.0}, every=every, budget=length, least=length
    )

    async def wire(i: int) -> int:
        """A stream, and a probe beside it at each check point."""
        kept, probes = prompts[i], []
        request = Request(kept, length, Sampling(1.0, 1.0, 0), i, ask=guarded)
        async with aclosing(model.stream(request)) as stream:
            async for item in stream:
                if getattr(item, "id", None) is not None:
                    kept += (item.id,)
                    if (len(kept) - len(prompts[i])) % every == 0:
                        probes.append(asyncio.ensure_future(next_token(model, kept, 20)))
        await asyncio.gather(*probes)
        return len(kept) - len(prompts[i])

    async def engine(i: int) -> int:
        request = Request(prompts[i], length + 8, Sampling(1.0, 1.0, 0), i)
        return (await in_engine.reason(model, request, stop))[1].tokens

    # Both streams as long: what ends a turn, or the thinking, is barred.
    guarded = in_engine._ask(model, stop=stop.model_copy(update={"entropy": None, "budget": None}))
    print("\n| streams | way | client, µs a token | API server, µs | engine, ms |")
    print("|---:|---|---:|---:|---:|")
    goals = []
    for streams in (1, 4, 16, 64):
        found: dict[str, dict[str, list[float]]] = {}
        # Few at once are asked for again and again, for the clock ticks 100 times a second.
        groups = [range(first, first + streams) for first in range(0, max(streams, 8), streams)]
        for _ in range(repeats):
            for name, way in (("over the wire", wire), ("in the engine", engine)):
                tokens = 0
                with cpu.count() as took:
                    for group in groups:
                        tokens += sum(await asyncio.gather(*(way(i) for i in group)))
                for who, seconds in took.items():
                    found.setdefault(name, {}).setdefault(who, []).append(seconds / tokens)
        for name, by in found.items():
            cells = [spread(by["client"], 1e6), spread(by["api"], 1e6), spread(by["engine"], 1e3)]
            print(f"| {streams} | {name} | {' | '.join(cells)} |", flush=True)
        wired, inside = (median(by["client"]) + median(by["api"]) for by in found.values())
        said = f"{streams} streams: client and API server {wired / inside:.1f} times over the wire"
        goals.append((said, inside < wired))
    await model.close()
    return goals


def spread(values: Sequence[float], unit: float) -> str:
    """The median, and between what they lie."""
    found = (unit * f(values) for f in (min, median, max))
    low, middle, high = (f"{one:,.0f}" if one >= 100 else f"{one:.3g}" for one in found)
    return f"{middle} ({low}–{high})"


if __name__ == "__main__":
    sys.exit(main())
