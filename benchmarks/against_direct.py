"""What a method costs beside direct on the embedded engine: tokens, CPU and wall-clock in pairs.

    python benchmarks/against_direct.py                   # unified, 40 held-out puzzles, seed 0
    python benchmarks/against_direct.py --caches run false

Every problem is solved by both, by turns, one at a time on an engine of its own in this process, so
that a busy machine disturbs both alike. Each line compares sums over the problems, with the 95 %
interval of a bootstrap over problems. What the engine did is its own count: prompt tokens that it
evaluated, tokens that it generated (also those behind a cut that nobody read). Exits 1 where the
method takes no more tokens than direct and yet more wall-clock time (``--no-check`` prints only).
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from time import perf_counter, process_time
from typing import Any
from urllib.request import urlopen

from shared import goal, header, options, progress

from agentflow import models
from agentflow.api import asolve
from agentflow.evaluation import datasets
from agentflow.evaluation.intervals import Interval, bootstrap, ratio
from agentflow.models import embedded
from agentflow.problem import Problem

COUNTS = {"evaluated": "prompt_tokens_total", "made": "tokens_predicted_total"}
"""Ours, and what llama.cpp calls it."""
CACHES: dict[str, Any] = {"run": "run", "false": False, "true": True}
Costs = dict[str, float]


class Meter:
    """An engine in this process that counts."""

    def __init__(self) -> None:
        self._server = embedded.start(embedded.bundled(), change={"endpoint_metrics": True})
        self.root = str(self._server.listening_address)

    def so_far(self) -> Costs:
        """What was spent by now, in seconds and tokens."""
        with urlopen(f"{self.root}/metrics", timeout=60) as reply:
            told = counts(reply.read().decode())
        found = {name: told[f"llamacpp:{theirs}"] for name, theirs in COUNTS.items()}
        return found | {"CPU": process_time(), "wall-clock": perf_counter()}

    async def cost(self, method: str, problem: Problem, seed: int, cache: Any) -> Costs:
        """What one run takes."""
        given = {"text": problem.text, "id": problem.id, "gold": problem.gold}
        before = self.so_far()
        settings = {"domain": problem.domain, "seed": seed, "cache": cache}
        result = await asolve(given, method, model=f"{self.root}/v1", **settings)
        behind = self.so_far()
        spent = {name: behind[name] - before[name] for name in before}
        return {"tokens": float(result.cost.generated), "calls": float(result.cost.calls)} | spent


def counts(text: str) -> dict[str, float]:
    """The numbers of a page in Prometheus' format."""
    lines = (line.split() for line in text.splitlines() if line and line[0] != "#")
    return {name: float(number) for name, number in lines}


async def measured(given: argparse.Namespace) -> dict[str, list[Costs]]:
    """The costs of every arm, a row a problem."""
    meter, found = Meter(), defaultdict[str, list[Costs]](list)
    arms = {"direct": ("direct", False)}
    arms |= {f"{given.method}, cache={name}": (given.method, CACHES[name]) for name in given.caches}
    problems = datasets.sample(given.problems)
    try:
        for method, cache in arms.values():
            await meter.cost(method, problems[0], given.seed, cache)  # graphs are built once
        for number, problem in enumerate(problems):
            for name, (method, cache) in arms.items():
                progress(f"{number + 1} of {len(problems)}: {name}")
                found[name].append(await meter.cost(method, problem, given.seed, cache))
    finally:
        await models.close_all()
    return found


def ratios(costs: Sequence[Costs], direct: Sequence[Costs]) -> dict[str, Interval]:
    """Each cost, as a ratio of direct's; a problem's two runs are drawn together."""
    return {
        name: bootstrap(ratio, [c[name] for c in costs], [d[name] for d in direct], paired=True)
        for name in costs[0]
    }


def report(found: Mapping[str, Sequence[Costs]]) -> bool:
    """Print every arm's sums and ratios; whether none is slower for no more tokens."""
    direct, met = found["direct"], [True]
    for name, costs in found.items():
        print(f"{name}, {len(costs)} problems")
        relative = ratios(costs, direct)
        for cost, one in relative.items():
            total = sum(row[cost] for row in costs)
            print(f"  {cost:12}{total:12,.1f}{one.value:8.2f} x [{one.low:.2f}, {one.high:.2f}]")
        if costs is not direct and relative["tokens"].value <= 1:
            slow = relative["wall-clock"].value
            met.append(goal(f"{name}: {slow:.2f} x direct's wall-clock (goal: 1)", slow <= 1))
        print(flush=True)
    return all(met)


def main() -> int:
    parser = options(__doc__, check=True, problems=40, seed=0)
    parser.add_argument("--method", default="unified")
    parser.add_argument("--caches", nargs="+", choices=CACHES, default=["run"])
    given = parser.parse_args()
    header(f"{embedded.cores()} cores", f"seed {given.seed}")
    return 0 if report(asyncio.run(measured(given))) or given.no_check else 1


if __name__ == "__main__":
    sys.exit(main())
