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
from pathlib import Path

from agentflow import models
from agentflow.evaluation import datasets
from agentflow.evaluation.report import markdown, paired, rows
from agentflow.evaluation.runner import ARMS, Record, load, run
from agentflow.version import __version__

DIRECT, KSTABLE, VERIFIER, RESTARTS = (arm.name for arm in ARMS)


async def one_seed(arguments: argparse.Namespace, seed: int) -> None:
    """Run all arms on all problems with one seed.

    Where the step verifier verified an answer, the arm with restarts would send the very same
    requests: it runs only where the step verifier failed.
    """
    out = arguments.out / f"seed{seed}.jsonl"
    problems = datasets.load("game24", "game24")[: arguments.puzzles]
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


def resampled(direct: Sequence[Record], tokens: float) -> list[Record]:
    """Resampling until the final verifier passes, at ``tokens`` a problem on average.

    From the direct runs: try m takes seed s, s+1, … in turn until one is right, m times at most;
    between the two m whose costs enclose ``tokens`` the share of right answers is interpolated
    (a second try with some probability). ``right`` is a probability in the records returned.
    """
    by_problem: dict[str, list[Record]] = defaultdict(list)
    for record in sorted(direct, key=lambda r: r.seed):
        by_problem[record.problem].append(record)
    tries = len(next(iter(by_problem.values())))
    curves: list[list[Record]] = []
    for most in range(1, tries + 1):
        curve = []
        for found in by_problem.values():
            for start, record in enumerate(found):
                right, cost = False, 0
                for i in range(most):
                    right, cost = (
                        found[(start + i) % tries].right,
                        cost + found[(start + i) % tries].tokens,
                    )
                    if right:
                        break
                curve.append(replace(record, right=right, tokens=cost, arm="resampling"))
        curves.append(curve)
    means = [sum(r.tokens for r in curve) / len(curve) for curve in curves]
    if tokens >= means[-1]:
        return curves[-1]
    upper = next(i for i, mean in enumerate(means) if mean >= tokens)
    if upper == 0:
        return curves[0]
    weight = (tokens - means[upper - 1]) / (means[upper] - means[upper - 1])
    return [
        replace(
            high,
            right=weight * high.right + (1 - weight) * low.right,  # type: ignore[arg-type]
            tokens=round(weight * high.tokens + (1 - weight) * low.tokens),
        )
        for low, high in zip(curves[upper - 1], curves[upper], strict=True)
    ]


def with_restarts(records: Sequence[Record]) -> list[Record]:
    """The records, the step verifier's verified ones also under the arm with restarts."""
    same = [r for r in records if r.arm == VERIFIER and r.status == "verified"]
    return [*records, *(replace(record, arm=RESTARTS) for record in same)]


def goal(text: str, met: bool) -> bool:
    print(f"{'met   ' if met else 'MISSED'}  {text}")
    return met


def report(records: Sequence[Record]) -> bool:
    """Print the tables and whether each goal of the step verifier and of k-stable is met."""
    records = with_restarts(records)
    print(markdown(rows(records)) + "\n")
    arm = {one.name: [r for r in records if r.arm == one.name] for one in ARMS}
    mean = {name: sum(r.tokens for r in found) / len(found) for name, found in arm.items()}
    met = []
    for name in (VERIFIER, RESTARTS):
        verified = [r for r in arm[name] if r.status == "verified"]
        puzzles = len({r.problem for r in arm[name]})
        wrong = sum(not r.right for r in verified)
        gain = paired(arm[name], arm[DIRECT])
        ratio = mean[name] / mean[DIRECT]
        again = resampled(arm[DIRECT], mean[name])
        over = paired(arm[name], again)
        share = sum(float(r.right) for r in again) / len(again)
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
    saved = 1 - mean[KSTABLE] / mean[DIRECT]
    loss = paired(arm[DIRECT], arm[KSTABLE])
    oracle = sum(r.oracle if r.oracle is not None else r.tokens for r in arm[DIRECT])
    possible = mean[DIRECT] - oracle / len(arm[DIRECT])
    captured = (mean[DIRECT] - mean[KSTABLE]) / possible
    met += [
        goal(f"k-stable saves {100 * saved:.1f} % of tokens (goal: >= 20 %)", saved >= 0.2),
        goal(
            f"k-stable loses {loss.points()} points on {len(arm[KSTABLE])} runs "
            "(goal: upper bound <= 2, >= 1,000 runs)",
            loss.high <= 0.02 and len(arm[KSTABLE]) >= 1000,
        ),
    ]
    print(
        f"        that is {100 * captured:.0f} % of what stopping at the first right answer "
        f"would save ({100 * possible / mean[DIRECT]:.1f} % of direct's tokens)"
    )
    return all(met)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--puzzles", type=int, default=250)
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time")
    parser.add_argument("--model", default="embedded")
    parser.add_argument("--out", type=Path, default=Path("runs/first_light"))
    parser.add_argument("--report-only", action="store_true")
    parser.add_argument("--seed", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.seed is not None:
        asyncio.run(one_seed(arguments, arguments.seed))
        return
    if not arguments.report_only:
        all_seeds(arguments)
    records = [r for s in range(arguments.seeds) for r in load(arguments.out / f"seed{s}.jsonl")]
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    ).stdout.strip()
    print(f"agentflow {__version__} ({commit}), model {arguments.model}, seeds {arguments.seeds}\n")
    sys.exit(0 if report(records) else 1)


if __name__ == "__main__":
    main()
