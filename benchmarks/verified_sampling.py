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
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from statistics import mean
from typing import Any

from shared import all_right, by_name, goal, header, of_runs, runs

from agentflow import Result, domains
from agentflow.evaluation import datasets
from agentflow.evaluation.intervals import wilson
from agentflow.evaluation.markdown import percent, table
from agentflow.evaluation.records import Arm
from agentflow.evaluation.runner import Record, run
from agentflow.evaluation.summary import paired
from agentflow.problem import Problem
from agentflow.search.majority import vote

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


async def measured(arguments: argparse.Namespace) -> list[Record]:
    """Every arm on every puzzle."""
    problems = datasets.sample(arguments.puzzles)
    measure = partial(run, out=arguments.out, model=arguments.model, keep=kept)
    await measure(ARMS, problems, [0])
    return await measure([DIRECT], problems, range(N))


async def majority(problem: Problem, drawn: Sequence[Record]) -> Record:
    """The vote among a puzzle's direct runs as one record, at the cost of all."""
    domain = domains.get(problem.domain)
    agreed = await vote(drawn, lambda run: run.answer, partial(domain.equal, problem))
    chosen = (agreed or drawn)[0]
    summed = {
        name: sum(getattr(run, name) for run in drawn)
        for name in ("tokens", "wasted", "prompt", "calls", "seconds")
    }
    return replace(chosen, arm=MAJORITY, seed=0, extra={"samples": len(drawn)}, **summed)


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


def average(records: Sequence[Record], name: str) -> float:
    return float(mean(getattr(r, name, r.extra.get(name)) for r in records))  # type: ignore[type-var]


def report(records: Sequence[Record]) -> bool:
    """Print the table, and whether each goal is met."""
    arms = by_name(records, (DIRECT.name, MAJORITY, *(arm.name for arm in ARMS)))
    base = arms[MAJORITY]
    lines = []
    for name, found in arms.items():
        right, answered = sum(r.right for r in found), sum(r.answer is not None for r in found)
        relative = {of: average(found, of) / average(base, of) for of in ("tokens", "seconds")}
        over = "" if name in (DIRECT.name, MAJORITY) else paired(found, base).points()
        lines.append(
            {
                "method": name,
                "runs": str(len(found)),
                "accuracy": wilson(right, len(found)).percent(),
                f"over {MAJORITY}, points": over,
                "answers": percent(answered / len(found)),
                "right of these": percent(right / max(1, answered)),
                "samples": f"{average(found, 'samples'):.2f}",
                "tokens": f"{average(found, 'tokens'):.0f}",
                f"tokens / {MAJORITY}": f"{relative['tokens']:.2f}",
                "requests": f"{average(found, 'calls'):.2f}",
                f"seconds / {MAJORITY}": f"{relative['seconds']:.2f}",
            }
        )
    print(table(lines) + "\n")
    ours = arms[ARMS[0].name]
    over, share = paired(ours, base), average(ours, "tokens") / average(base, "tokens")
    met = [
        goal(
            f"{ARMS[0].name} over {MAJORITY}: {over.points()} points at {share:.2f}x its "
            "tokens (goal: above 0, at fewer)",
            over.low > 0 and share < 1,
        ),
        all_right([r for arm in ARMS for r in arms[arm.name]]),
    ]
    return all(met)


async def main() -> bool:
    given = of_runs(__doc__, "runs/verified_sampling.jsonl", puzzles=250).parse_args()
    header(f"model {given.model}")
    records = await runs(given, measured)
    return report(records + await votes(records, datasets.sample(given.puzzles)))


if __name__ == "__main__":
    sys.exit(not asyncio.run(main()))
