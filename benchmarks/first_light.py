"""Measure what the step verifier and k-stable gain on the bundled model, and what they cost.

    python benchmarks/first_light.py                # about 40 minutes on 2 cores
    python benchmarks/first_light.py --report-only  # only the tables, from recorded runs

Each seed is a process of its own that solves one problem at a time with the prefix cache off, so
that arms with one seed share their stream up to the first intervention and differences are
paired. Runs that were cut off go on where they stopped. Exits 1 if a goal is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from statistics import mean

from shared import by_name, goal, header, of_runs, tokens

from agentflow import models
from agentflow.evaluation import datasets
from agentflow.evaluation.runner import ARMS, Record, load, run
from agentflow.evaluation.summary import markdown, paired, rows

DIRECT, KSTABLE, VERIFIER, RESTARTS = (arm.name for arm in ARMS)


async def one_seed(arguments: argparse.Namespace, seed: int) -> None:
    """Run all arms on all problems with one seed.

    Where the step verifier verified an answer, the arm with restarts would send the very same
    requests: it runs only where the step verifier failed.
    """
    out = arguments.out / f"seed{seed}.jsonl"
    problems = datasets.load("game24")[: arguments.puzzles]
    try:
        records = await run(ARMS[:-1], problems, [seed], out, model=arguments.model)
        lost = {r.problem for r in records if r.arm == VERIFIER and r.status != "verified"}
        failed = [problem for problem in problems if problem.text in lost]
        await run(ARMS[-1:], failed, [seed], out, model=arguments.model)
    finally:
        await models.close_all()


def all_seeds(arguments: argparse.Namespace) -> None:
    """Run every seed in a process of its own, ``jobs`` at a time."""
    waiting = list(range(arguments.seeds))
    running: list[subprocess.Popen[bytes]] = []
    while waiting or running:
        while waiting and len(running) < arguments.jobs:
            seed = ["--seed", str(waiting.pop(0))]
            running.append(subprocess.Popen([sys.executable, *sys.argv, *seed]))
        done = running.pop(0)
        if done.wait():
            sys.exit(f"a seed failed with exit code {done.returncode}; run again to go on")


def resampled(direct: Sequence[Record], wanted: float) -> list[Record]:
    """Resampling until the final verifier passes, at ``wanted`` tokens a problem on average.

    From the direct runs: try m takes seed s, s+1, … in turn until one is right, m times at most;
    between the two m whose costs enclose ``wanted`` the share of right answers is interpolated
    (a second try with some probability). ``right`` is a probability in the records returned.
    """
    by_problem: dict[str, list[Record]] = defaultdict(list)
    for record in sorted(direct, key=lambda r: r.seed):
        by_problem[record.problem].append(record)
    tries = len(next(iter(by_problem.values())))
    curves = [
        [
            until_right(found, start, most)
            for found in by_problem.values()
            for start in range(len(found))
        ]
        for most in range(1, tries + 1)
    ]
    upper = next((i for i, curve in enumerate(curves) if tokens(curve) >= wanted), tries - 1)
    low, high = curves[max(0, upper - 1)], curves[upper]
    if upper == 0 or wanted >= tokens(high):
        return high
    weight = (wanted - tokens(low)) / (tokens(high) - tokens(low))
    return [
        replace(
            more,
            right=weight * more.right + (1 - weight) * less.right,  # type: ignore[arg-type]
            tokens=round(weight * more.tokens + (1 - weight) * less.tokens),
        )
        for less, more in zip(low, high, strict=True)
    ]


def until_right(found: Sequence[Record], start: int, most: int) -> Record:
    """The runs of a problem from one seed on, up to the first that is right, as one run."""
    turns = [found[(start + i) % len(found)] for i in range(most)]
    last = next((i for i, one in enumerate(turns) if one.right), most - 1)
    cost = sum(one.tokens for one in turns[: last + 1])
    return replace(found[start], right=turns[last].right, tokens=cost, arm="resampling")


def with_restarts(records: Sequence[Record]) -> list[Record]:
    """The records, the step verifier's verified ones also under the arm with restarts."""
    same = [r for r in records if r.arm == VERIFIER and r.status == "verified"]
    return [*records, *(replace(record, arm=RESTARTS) for record in same)]


def report(records: Sequence[Record]) -> bool:
    """Print the tables and whether each goal of the step verifier and of k-stable is met."""
    records = with_restarts(records)
    print(markdown(rows(records)) + "\n")
    arm = by_name(records, [one.name for one in ARMS])
    base = tokens(arm[DIRECT])
    met = []
    for name in (VERIFIER, RESTARTS):
        verified = [r for r in arm[name] if r.status == "verified"]
        puzzles = len({r.problem for r in arm[name]})
        wrong = sum(not r.right for r in verified)
        gain = paired(arm[name], arm[DIRECT])
        ratio = tokens(arm[name]) / base
        again = resampled(arm[DIRECT], tokens(arm[name]))
        over = paired(arm[name], again)
        share = mean(float(r.right) for r in again)
        met += [
            goal(
                f"{name}: {len(verified) - wrong} of {len(verified)} verified answers are right, "
                f"{puzzles} puzzles (goal: all, >= 200)",
                wrong == 0 and puzzles >= 200,
            ),
            goal(
                f"{name} over direct: {gain.points()} points at {ratio:.2f}x its tokens "
                "(goal: >= 8, interval above 0, <= 1.5x)",
                gain.value >= 0.08 and gain.low > 0 and ratio <= 1.5,
            ),
            goal(
                f"{name} over resampling until the verifier passes, at equal tokens "
                f"({100 * share:.1f} %): {over.points()} points (goal: above 0)",
                over.value > 0,
            ),
        ]
    saved = 1 - tokens(arm[KSTABLE]) / base
    loss = paired(arm[DIRECT], arm[KSTABLE])
    possible = 1 - mean(r.tokens if r.oracle is None else r.oracle for r in arm[DIRECT]) / base
    met += [
        goal(f"k-stable saves {100 * saved:.1f} % of tokens (goal: >= 20 %)", saved >= 0.2),
        goal(
            f"k-stable loses {loss.points()} points on {len(arm[KSTABLE])} runs "
            "(goal: upper bound <= 2, >= 1,000 runs)",
            loss.high <= 0.02 and len(arm[KSTABLE]) >= 1000,
        ),
    ]
    print(
        f"        that is {100 * saved / possible:.0f} % of what stopping at the first right "
        f"answer would save ({100 * possible:.1f} % of direct's tokens)"
    )
    return all(met)


def main() -> bool:
    parser = of_runs(__doc__, "runs/first_light", puzzles=250, seeds=4)
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time")
    parser.add_argument("--seed", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.seed is not None:
        asyncio.run(one_seed(given, given.seed))
        return True
    if not given.report_only:
        all_seeds(given)
    header(f"model {given.model}", f"seeds {given.seeds}")
    return report([r for s in range(given.seeds) for r in load(given.out / f"seed{s}.jsonl")])


if __name__ == "__main__":
    sys.exit(not main())
