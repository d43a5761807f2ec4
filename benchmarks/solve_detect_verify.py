"""Measure what detection and the refine loop gain on the bundled model, and what they cost.

    python benchmarks/solve_detect_verify.py                # about 20 minutes on one core
    python benchmarks/solve_detect_verify.py --report-only  # only the tables, from recorded runs

The domain's verifiers stand in FlexiVe's place: the bundled model seldom finds a wrong step. One
problem at a time with the prefix cache on. Exits 1 if a goal is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from time import perf_counter
from typing import Any

from agentflow import Result, models, prompts
from agentflow.evaluation import datasets
from agentflow.evaluation.report import markdown, paired, rows
from agentflow.evaluation.runner import Arm, Record, load, run
from agentflow.ledger import by_role
from agentflow.models.metered import Metered
from agentflow.models.model import Model
from agentflow.verifiers import FlexiVe
from agentflow.version import __version__

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
    problems = datasets.load("game24", "game24")[: arguments.puzzles]
    settings = {"cache": True}
    return await run(
        ARMS,
        problems,
        list(range(arguments.seeds)),
        arguments.out,
        model=arguments.model,
        settings=settings,
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
    problem = datasets.load("game24", "game24")[0]
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
    return sorted(one)[4], sorted(many)[4]


def goal(text: str, met: bool) -> bool:
    print(f"{'met   ' if met else 'MISSED'}  {text}")
    return met


def report(records: Sequence[Record], question: int) -> bool:
    """Print the table, and whether each goal is met; ``question`` is the detector's, in tokens."""
    print(markdown(rows(records, "solve"), "solve") + "\n")
    arm = {one.name: [r for r in records if r.arm == one.name] for one in ARMS}
    probes = [r.extra["probe"] for r in arm["solve + detect"] if "probe" in r.extra]
    prefix = sum(p["prompt"] - question * p["calls"] for p in probes)
    cached = sum(p["cached"] for p in probes) / max(1, prefix)
    mean = {name: sum(r.tokens for r in found) / len(found) for name, found in arm.items()}
    verified = [r for found in arm.values() for r in found if r.status == "verified"]
    detect = paired(arm["solve + detect"], arm["solve"])
    full = paired(arm["SDV, T=4, note"], arm["solve"])
    ratio = mean["SDV, T=4, note"] / mean["solve"]
    return all(
        [
            goal(
                f"of the traces in the detector's prompts {100 * cached:.1f} % come from the cache "
                f"(goal: >= 90); the question has {question} tokens",
                cached >= 0.9,
            ),
            goal(
                f"verified answers that are right: {sum(r.right for r in verified)} of "
                f"{len(verified)} (goal: all)",
                all(r.right for r in verified),
            ),
            goal(
                f"solve + detect over solve: {detect.points()} points at "
                f"{mean['solve + detect'] / mean['solve']:.2f}x its tokens",
                True,
            ),
            goal(
                f"SDV, T=4, note over solve: {full.points()} points at {ratio:.2f}x its tokens "
                "(goal: above 0, at fewer tokens; the paper's: +6.7 at 0.82x)",
                full.low > 0 and ratio < 1,
            ),
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--puzzles", type=int, default=250)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--model", default="embedded")
    parser.add_argument("--out", type=Path, default=Path("runs/solve_detect_verify.jsonl"))
    parser.add_argument("--report-only", action="store_true")
    arguments = parser.parse_args()

    async def all_of_it() -> tuple[list[Record], float, float, int]:
        try:
            question = await question_tokens(arguments.model)
            if arguments.report_only:
                return load(arguments.out), 0.0, 0.0, question
            return await measured(arguments), *await fast_stage(arguments.model), question
        finally:
            await models.close_all()

    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    ).stdout.strip()
    print(
        f"agentflow {__version__} ({commit}), model {arguments.model}, "
        f"{arguments.puzzles} puzzles, seeds 0 to {arguments.seeds - 1}\n"
    )
    records, one, many, question = asyncio.run(all_of_it())
    if one:
        print(
            f"8 fast calls at once take {many / one:.1f}x one call ({1000 * one:.0f} ms) on this "
            "engine: it has 4 slots and one thread\n"
        )
    sys.exit(0 if report(records, question) else 1)


if __name__ == "__main__":
    main()
