"""Measure what early exit costs: a sweep over recorded chains, a probe, a whole run.

    python benchmarks/early_exit.py                 # about a minute on one core
    python benchmarks/early_exit.py --puzzles 250   # all that the model never saw

The sweep is timed on synthesised chains (500 of 27 check points, 10,000 rules and thresholds). The
probes and the runs are timed on the bundled model, one puzzle at a time with the prefix cache on;
the methods take turns on every puzzle, so that a busy machine disturbs all alike. Exits 1 if a goal
is missed.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from shared import by_name, goal, header, options, tokens

from agentflow import models
from agentflow.evaluation import datasets, sweep, traces
from agentflow.evaluation.chains import Chain, Check
from agentflow.evaluation.families import Family
from agentflow.evaluation.records import Arm
from agentflow.evaluation.replay import Replay
from agentflow.evaluation.runner import Record, run
from agentflow.evaluation.tradeoff import area, matched
from agentflow.ledger import Entry, by_role

CHAINS, CHECKS, COMBINATIONS = 500, 27, 10_000
LEVEL: dict[str, Any] = {"rule": "entropy_level", "alpha": 1.0, "level": 0.02}
OF_16 = {"probe": {"alternatives": 16}}
ARMS = [
    Arm("direct", "direct"),
    *(
        Arm(name, "early_exit", {"check": "line", **settings})
        for name, settings in {
            "k-stable, k=2": {"rules": ["k_stable"]},
            "entropy variance below 1e-3": {"rules": ["entropy"]},
            "entropy level below 0.02": {"rules": LEVEL},
            "entropy level below 0.02, of 16 tokens": {"rules": LEVEL, **OF_16},
            "at candidates, entropy level below 0.07": {
                "rules": {**LEVEL, "level": 0.07},
                "check": "candidate",
                **OF_16,
            },
        }.items()
    ),
]
"""At every line where they do not say else."""


# The sweep


def synthesised(seed: int = 0) -> list[Chain]:
    """Chains of the bundled model's shape: unsure until the answer is found on the way."""
    rng = np.random.default_rng(seed)
    return [one_chain(rng, number) for number in range(CHAINS)]


def one_chain(rng: np.random.Generator, number: int) -> Chain:
    """A chain whose answers are right from a random check point on."""
    found = int(rng.integers(CHECKS // 2, CHECKS + 4))
    checks, tokens = [], 0
    for n in range(CHECKS):
        tokens += int(rng.integers(2, 16))
        sure = n >= found
        answers = ["right"] * 16 if sure else [f"wrong {i}" for i in rng.integers(0, 20, 16)]
        checks.append(
            Check(
                tokens=tokens,
                end=2 * tokens,
                entropy=float(rng.uniform(0, 0.01) if sure else rng.uniform(0.3, 0.9)),
                missing=0.0,
                confidence=float(rng.uniform(0.98, 1) if sure else rng.uniform(0.4, 0.97)),
                answers=list(answers),
                right=[sure] * 16,
                lengths=[29 if sure else 64] * 16,
                stable=max(0, n - found),
                stated=n >= found and (n - found) % 3 == 0,
            )
        )
    end = tokens + 10
    return Chain(
        problem=f"problem {number}",
        id=str(number),
        domain="game24",
        seed=0,
        model="synthesised",
        text="",
        ends=[],
        closed=2 * end,
        thinking=end,
        answering=33,
        answer="right" if found < CHECKS else None,
        right=found < CHECKS,
        finished=found < CHECKS,
        confidence_tokens=5,
        checks=checks,
    )


def dense(family: Family, points: int) -> Family:
    """The family with as many thresholds, over the same range."""
    low, high = min(family.thresholds), max(family.thresholds)
    return replace(family, thresholds=tuple(map(float, np.linspace(low, high, points))))


def time_sweep() -> bool:
    """Time every rule's curve, area and matched threshold."""
    chains = synthesised()
    families = sweep.families(chains)
    each = -(-COMBINATIONS // len(families))
    families = [dense(family, each) for family in families]
    began = perf_counter()
    replayed = Replay(chains)
    for family in families:
        area(replayed.curve(family), 0.0, replayed.mean_tokens)
        matched(replayed, family)
    seconds = perf_counter() - began
    return goal(
        f"a sweep of {each * len(families):,} rules and thresholds on {CHAINS} chains of {CHECKS} "
        f"check points: {seconds:.2f} s (goal: < 10 s)",
        seconds < 10,
    )


# The bundled model


async def runs(puzzles: int) -> dict[str, list[Record]]:
    """Every method on as many held-out puzzles."""
    try:
        with tempfile.TemporaryDirectory() as folder:
            out, keep = Path(folder) / "records.jsonl", partial(traces.keep, None)
            measure = partial(run, out=out, settings={"cache": True}, keep=keep)
            await measure([Arm("first", "direct", {"max_tokens": 16})], datasets.sample(1), [0])
            records = await measure(ARMS, datasets.sample(puzzles), [0])  # with the engine started
    finally:
        await models.close_all()
    return by_name(records, [arm.name for arm in ARMS])


def entry(found: Sequence[Record], role: str) -> Entry:
    """The sum of a role over runs."""
    ledgers = (record.extra["roles"] for record in found)
    return by_role({f"{n}": one[role] for n, one in enumerate(ledgers) if role in one})[role]


def report(found: dict[str, list[Record]]) -> bool:
    """Print what probes and whole runs cost."""
    direct = found["direct"]
    streamed = entry(direct, "solver")
    token = streamed.seconds / streamed.generated
    print(f"a streamed token of direct: {1000 * token:.2f} ms")
    met = []
    for name, ours in found.items():
        ratio = sum(run.seconds for run in ours) / sum(run.seconds for run in direct)
        share = 100 * sum(run.right for run in ours) / len(ours)
        print(
            f"{name}: {share:.0f} % right, {tokens(ours) / tokens(direct):.2f}x direct's tokens "
            f"(probes and wasted ones counted), {ratio:.2f}x its time"
        )
        if name.startswith("entropy"):
            probe = entry(ours, "probe")
            each, cold = probe.seconds / probe.calls, probe.prompt - probe.cached
            print(
                f"        {probe.calls} probes of {1000 * each:.1f} ms beside the stream, "
                f"{each / token:.1f} streamed tokens; {probe.cached / probe.calls:.0f} prompt "
                f"tokens cached and {cold / probe.calls:.0f} not"
            )
            part = 100 * cold / probe.prompt
            met.append(goal(f"probes re-prefill {part:.1f} % (goal: < 10 %)", part < 10))
        elif name.startswith(("k-stable", "at candidates")):
            met.append(goal(f"it takes {ratio:.2f}x direct's time (goal: < 1)", ratio < 1))
    return all(met)


def main() -> None:
    arguments = options(__doc__, puzzles=40).parse_args()
    header("model embedded", f"{arguments.puzzles} puzzles", "seed 0")
    swept = time_sweep()
    sys.exit(0 if report(asyncio.run(runs(arguments.puzzles))) and swept else 1)


if __name__ == "__main__":
    main()
