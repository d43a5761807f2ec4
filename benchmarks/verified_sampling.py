"""Measure what sampling until one passes gains over a majority of ten on the bundled model.

    python benchmarks/verified_sampling.py                # about 15 minutes on one core
    python benchmarks/verified_sampling.py --report-only  # only the tables, from recorded runs

Solutions are judged by the domain's verifiers: what the bundled model says of them is worth little.
One problem at a time with the prefix cache off, so that the first sample of every method is the
same draw. Majority@10 is the vote among ten runs of direct (seeds 0 to 9). Runs that were cut off
go on where they stopped. Exits 1 if a goal is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from agentflow import Result, domains, models
from agentflow.evaluation import datasets
from agentflow.evaluation.report import paired, wilson
from agentflow.evaluation.runner import Arm, Record, load, run
from agentflow.problem import Problem
from agentflow.search.majority import vote
from agentflow.version import __version__

N = 10
MAJORITY = f"majority@{N}"
DIRECT = Arm("direct", "direct")
ARMS = [
    Arm(
        f"verified sampling, {feedback.replace('_', '-')}",
        "verified_sampling",
        {"verifier": "domain", "n": N, "feedback": feedback},
    )
    for feedback in ("sample", "precaution", "post_editing")
]


def kept(result: Result, right: bool) -> dict[str, Any]:
    """How many samples there were."""
    return {"samples": len(result.samples) or 1}


def puzzles(count: int) -> list[Problem]:
    """So many held-out puzzles, from all over their list."""
    held_out = datasets.load("game24", "game24")
    return held_out[:: max(1, len(held_out) // count)][:count]


async def measured(arguments: argparse.Namespace) -> list[Record]:
    """Every arm on every puzzle."""
    problems = puzzles(arguments.puzzles)
    measure = partial(run, out=arguments.out, model=arguments.model, keep=kept)
    await measure(ARMS, problems, [0])
    return await measure([DIRECT], problems, range(N))


async def majority(problem: Problem, runs: Sequence[Record]) -> Record:
    """The vote among a puzzle's direct runs as one record, at the cost of all."""
    domain = domains.get(problem.domain)
    agreed = await vote(runs, lambda run: run.answer, partial(domain.equal, problem))
    chosen = (agreed or runs)[0]
    summed = {
        name: sum(getattr(run, name) for run in runs)
        for name in ("tokens", "wasted", "prompt", "calls", "seconds")
    }
    return replace(chosen, arm=MAJORITY, seed=0, extra={"samples": len(runs)}, **summed)


async def votes(records: Sequence[Record], problems: Sequence[Problem]) -> list[Record]:
    """Majority@10 on every puzzle of which all draws are there."""
    drawn = {
        problem.text: [r for r in records if (r.arm, r.problem) == (DIRECT.name, problem.text)]
        for problem in problems
    }
    return [
        await majority(problem, sorted(drawn[problem.text], key=lambda run: run.seed))
        for problem in problems
        if len(drawn[problem.text]) == N
    ]


def mean(records: Sequence[Record], name: str) -> float:
    values: list[Any] = [getattr(r, name, r.extra.get(name)) for r in records]
    return float(sum(values)) / len(values)


def goal(text: str, met: bool) -> bool:
    print(f"{'met   ' if met else 'MISSED'}  {text}")
    return met


def report(records: Sequence[Record]) -> bool:
    """Print the table, and whether each goal is met."""
    names = (DIRECT.name, MAJORITY, *(arm.name for arm in ARMS))
    arms = {name: [r for r in records if r.arm == name] for name in names}
    base = arms[MAJORITY]
    print(
        f"| method | runs | accuracy | over {MAJORITY}, points | answers | right of these | "
        f"samples | tokens | tokens / {MAJORITY} | requests | seconds / {MAJORITY} |\n"
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    )
    for name, found in arms.items():
        accuracy = wilson(sum(r.right for r in found), len(found))
        answered = sum(r.answer is not None for r in found)
        gain = "" if name in (DIRECT.name, MAJORITY) else paired(found, base).points()
        print(
            f"| {name} | {len(found)} | {accuracy.percent()} | {gain} | "
            f"{100 * answered / len(found):.1f} % | "
            f"{100 * sum(r.right for r in found) / max(1, answered):.1f} % | "
            f"{mean(found, 'samples'):.2f} | {mean(found, 'tokens'):.0f} | "
            f"{mean(found, 'tokens') / mean(base, 'tokens'):.2f} | {mean(found, 'calls'):.2f} | "
            f"{mean(found, 'seconds') / mean(base, 'seconds'):.2f} |"
        )
    print()
    ours = arms[ARMS[0].name]
    verified = [r for arm in ARMS for r in arms[arm.name] if r.status == "verified"]
    over, share = paired(ours, base), mean(ours, "tokens") / mean(base, "tokens")
    return all(
        [
            goal(
                f"{ARMS[0].name} over {MAJORITY}: {over.points()} points at {share:.2f}x its "
                "tokens (goal: above 0, at fewer)",
                over.low > 0 and share < 1,
            ),
            goal(
                f"verified answers that are right: {sum(r.right for r in verified)} of "
                f"{len(verified)} (goal: all)",
                all(r.right for r in verified),
            ),
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--puzzles", type=int, default=250)
    parser.add_argument("--model", default="embedded")
    parser.add_argument("--out", type=Path, default=Path("runs/verified_sampling.jsonl"))
    parser.add_argument("--report-only", action="store_true")
    arguments = parser.parse_args()

    async def all_of_it() -> list[Record]:
        try:
            records = load(arguments.out) if arguments.report_only else await measured(arguments)
        finally:
            await models.close_all()
        return records + await votes(records, puzzles(arguments.puzzles))

    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    ).stdout.strip()
    print(f"agentflow {__version__} ({commit}), model {arguments.model}\n")
    sys.exit(0 if report(asyncio.run(all_of_it())) else 1)


if __name__ == "__main__":
    main()
