"""Measure what detection and the refine loop gain on the bundled model, and what they cost.

    python benchmarks/solve_detect_verify.py                # about 20 minutes on one core
    python benchmarks/solve_detect_verify.py --report-only  # only the tables, from recorded runs

The domain's verifiers stand in FlexiVe's place: the bundled model seldom finds a wrong step. One
problem at a time with the prefix cache on. Exits 1 if a goal is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from dataclasses import asdict
from statistics import median
from time import perf_counter
from typing import Any

from shared import all_right, by_name, goal, header, of_runs, runs, tokens

from agentflow import Result, models, prompts
from agentflow.evaluation import datasets
from agentflow.evaluation.records import Arm
from agentflow.evaluation.runner import Record, run
from agentflow.evaluation.summary import markdown, paired, rows
from agentflow.ledger import by_role
from agentflow.models.metered import Metered
from agentflow.models.model import Model
from agentflow.verifiers import FlexiVe

SDV = "solve_detect_verify"
DOMAIN = {"ladder": ["domain"]}
ARMS = [
    Arm("solve", "direct", {}),
    Arm("solve + detect", SDV, {**DOMAIN, "iterations": 1}),
    Arm("solve + verify, T=4, prompt", SDV, {**DOMAIN, "detect": False, "iterations": 4}),
    *(Arm(f"SDV, T={t}, prompt", SDV, {**DOMAIN, "iterations": t}) for t in (2, 4)),
    *(
        Arm(f"SDV, T={t}, note", SDV, {**DOMAIN, "iterations": t, "refine_by": "note"})
        for t in (2, 4)
    ),
]


def kept(result: Result, right: bool) -> dict[str, Any]:
    """What each role cost, and whether the solution was right that nobody accepted."""
    return {role: asdict(entry) for role, entry in by_role(result.ledger).items()}


async def measured(arguments: argparse.Namespace) -> list[Record]:
    """Every arm on every puzzle; runs that were cut off go on where they stopped."""
    return await run(
        ARMS,
        datasets.load("game24")[: arguments.puzzles],
        range(arguments.seeds),
        arguments.out,
        model=arguments.model,
        settings={"cache": True},
        keep=kept,
    )


async def question_tokens(model_name: str) -> int:
    """Length of what is put behind a trace to ask whether it is complete."""
    model: Model = await models.connect(model_name)
    name = model.profile.name
    question = prompts.render("solve_detect_verify", "complete", name, {})[1]
    return len(await model.tokenize(model.profile.follow_up(question, closed=False)))


async def fast_stage(model_name: str, k: int = 8) -> tuple[float, float]:
    """Seconds of one fast call and of ``k`` at once: medians of nine, replies of 32 tokens."""
    model: Model = await models.connect(model_name)
    problem = datasets.load("game24")[0]
    steps = ["1 6 8 12 : 12 - 8 = 4 -> 1 4 6\n", "Wait, 1 4 6 : 4 * 6 = 24 -> 1 24\n"]

    async def ask(role: str) -> Metered:
        return Metered(model, role, "")

    async def seconds(runs: int, seed: int) -> float:
        flexive = FlexiVe(ask, "fast", runs, seed=seed, fast_tokens=32)
        began = perf_counter()
        await flexive.verify(problem, steps)
        return perf_counter() - began

    await seconds(k, 0)
    one, many = [], []
    for seed in range(9):
        one.append(await seconds(1, seed))
        many.append(await seconds(k, seed))
    return median(one), median(many)


def report(records: Sequence[Record], question: int) -> bool:
    """Print the table, and whether each goal is met; ``question`` is the detector's, in tokens."""
    print(markdown(rows(records, "solve"), "solve") + "\n")
    arm = by_name(records, [one.name for one in ARMS])
    probes = [r.extra["probe"] for r in arm["solve + detect"] if "probe" in r.extra]
    prefix = sum(p["prompt"] - question * p["calls"] for p in probes)
    cached = sum(p["cached"] for p in probes) / max(1, prefix)
    base = tokens(arm["solve"])
    detect = paired(arm["solve + detect"], arm["solve"])
    full = paired(arm["SDV, T=4, note"], arm["solve"])
    ratio = tokens(arm["SDV, T=4, note"]) / base
    met = [
        goal(
            f"of the traces in the detector's prompts {100 * cached:.1f} % come from the cache "
            f"(goal: >= 90); the question has {question} tokens",
            cached >= 0.9,
        ),
        all_right(records),
        goal(
            f"solve + detect over solve: {detect.points()} points at "
            f"{tokens(arm['solve + detect']) / base:.2f}x its tokens",
            True,
        ),
        goal(
            f"SDV, T=4, note over solve: {full.points()} points at {ratio:.2f}x its tokens "
            "(goal: above 0, at fewer tokens; the paper's: +6.7 at 0.82x)",
            full.low > 0 and ratio < 1,
        ),
    ]
    return all(met)


async def main() -> bool:
    given = of_runs(__doc__, "runs/solve_detect_verify.jsonl", puzzles=250, seeds=1).parse_args()
    header(f"model {given.model}", f"{given.puzzles} puzzles", f"seeds 0 to {given.seeds - 1}")
    try:
        question = await question_tokens(given.model)
        if not given.report_only:
            one, many = await fast_stage(given.model)
            print(
                f"8 fast calls at once take {many / one:.1f}x one call ({1000 * one:.0f} ms) on "
                "this engine: it has 4 slots and one thread\n"
            )
    finally:
        await models.close_all()
    return report(await runs(given, measured), question)


if __name__ == "__main__":
    sys.exit(not asyncio.run(main()))
