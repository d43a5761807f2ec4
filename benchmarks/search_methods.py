"""Best-of-n, beam and lookahead with the rule scorer on the bundled model: accuracy and compute.

    python benchmarks/search_methods.py                # 100 puzzles
    python benchmarks/search_methods.py --report-only  # only the tables, from recorded runs
    python benchmarks/search_methods.py --parallel     # best of 8 against one sample, 8 slots
    python benchmarks/search_methods.py --parallel --model http://localhost:8000/v1

Every search reads the same scores: a step that the domain refutes, or after which 24 cannot be
reached any more, has 0, every other one 1. One puzzle at a time with the prefix cache on. Runs that
were cut off go on where they stopped. Exits 1 if a goal is missed.

F_theo counts the whole prompt of every request, as its formula does: a search that asks for one
step at a time pays there for what engines take from their cache.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path as File
from statistics import mean, median
from time import perf_counter
from typing import Any

from shared import by_name, goal, header, of_runs, runs, tokens

from agentflow import domains, ledger, models, prompts
from agentflow.evaluation import datasets, plots, records
from agentflow.evaluation.compute import Compute, Size, compute, size_of
from agentflow.evaluation.intervals import Interval, wilson
from agentflow.evaluation.markdown import table
from agentflow.evaluation.runner import Record
from agentflow.evaluation.summary import paired
from agentflow.models import HTTPModel, embedded
from agentflow.models.metered import Metered
from agentflow.models.model import segment
from agentflow.problem import Problem
from agentflow.scorers import RuleScorer
from agentflow.search import Found, Path, TraceExpander, beam, best_of_n, lookahead


@dataclass(frozen=True, slots=True)
class Method:
    """A search and its size."""

    search: Any
    size: int


METHODS = {
    "direct": Method(best_of_n, 1),
    **{f"best of {n}": Method(best_of_n, n) for n in (2, 4, 8)},
    "beam, k=2": Method(beam, 2),
    "lookahead, d=2": Method(lookahead, 2),
}
LADDER = ["direct", *(f"best of {n}" for n in (2, 4, 8))]
"""What others are compared with at equal tokens."""


async def found(
    model: HTTPModel, problem: Problem, method: Method, seed: int
) -> tuple[Found, ledger.Entries]:
    """What a search comes to, and what it cost."""
    profile = model.profile
    system, user = prompts.for_problem("interwhen", problem, profile)
    prompt = (await segment(model, "prompt", profile.render(user, system))).operation()
    meter = Metered(model, "solver", "0")
    expander = TraceExpander(meter, [prompt], problem.id, "line", profile.think_close, seed)
    scorer = RuleScorer(domains.get(problem.domain), hopeless=True, unread=1.0)
    result = await method.search(problem, expander, scorer, method.size)
    return result, meter.entries | expander.wasted(result.paths)


async def one(model: HTTPModel, name: str, problem: Problem, seed: int) -> Record:
    """One run as a record."""
    began = perf_counter()
    result, entries = await found(model, problem, METHODS[name], seed)
    seconds = perf_counter() - began
    cost = ledger.total(entries)
    answer = answer_of(model, problem, result.best) if result.best.done else None
    return Record(
        arm=name,
        problem=problem.text,
        seed=seed,
        status="unverified" if answer else "exhausted",
        answer=answer,
        right=await datasets.right(problem, answer),
        tokens=cost.generated,
        wasted=cost.wasted,
        prompt=cost.prompt,
        calls=cost.calls,
        corrections=0,
        seconds=round(seconds, 4),
        oracle=None,
        text=result.best.text,
        extra=asdict(replace(cost, role="solver")),
    )


def answer_of(model: HTTPModel, problem: Problem, path: Path) -> str | None:
    _, _, part = path.text.partition(model.profile.think_close)
    return domains.get(problem.domain).answer(part)


async def measured(model: HTTPModel, arguments: argparse.Namespace) -> list[Record]:
    """Every method on every puzzle."""
    arms = [records.Arm(n, m.search.__name__, {"size": m.size}) for n, m in METHODS.items()]
    jobs = {
        (name, problem.text, seed): partial(one, model, name, problem, seed)
        for seed in range(arguments.seeds)
        for problem in datasets.sample(arguments.puzzles)
        for name in METHODS
    }
    lines = records.lines_of(arms, model.name)
    return list((await records.resume(arguments.out, Record, lines, jobs)).values())


def cost_of(runs: Sequence[Record], size: Size) -> Compute:
    return compute([{"all": run.extra} for run in runs], {"solver": size})


def at_equal_tokens(runs: Sequence[Record], ladder: Sequence[Sequence[Record]]) -> Interval | None:
    """Accuracy over best-of-n's at the same mean tokens, paired by puzzle; between two sizes of n
    best-of-n is drawn from both. None where no n comes to as many tokens."""
    for low, high in pairwise(ladder):
        less, wanted, more = map(tokens, (low, runs, high))
        if less <= wanted <= more:
            share = (wanted - less) / (more - less)
            others = {run.key[1:]: run.right for run in high}
            base = [
                replace(run, extra={"right": (1 - share) * run.right + share * others[run.key[1:]]})
                for run in low
            ]
            return paired(runs, base, lambda run: float(run.extra.get("right", run.right)))
    return None


def report(found: Sequence[Record], size: Size, plot: File) -> bool:
    """Print the table, whether each goal is met, and draw accuracy against S_CI."""
    arms = {name: ran for name, ran in by_name(found, METHODS).items() if ran}
    ladder = [arms[name] for name in LADDER if name in arms]
    equal, points, lines = dict[str, Interval | None](), [], []
    for name, ran in arms.items():
        cost, accuracy = cost_of(ran, size), wilson(sum(r.right for r in ran), len(ran))
        points.append((name, cost.intensity, accuracy))
        level = None if name in LADDER else at_equal_tokens(ran, ladder)
        equal |= {} if name in LADDER else {name: level}
        over = "" if name == "direct" else paired(ran, arms["direct"]).points()
        lines.append(
            {
                "method": name,
                "runs": str(len(ran)),
                "accuracy": accuracy.percent(),
                "over direct, points": over,
                "over best-of-n at equal tokens": level.points() if level else "",
                "tokens": f"{tokens(ran):.0f}",
                "wasted": f"{mean(r.wasted for r in ran):.0f}",
                "requests": f"{mean(r.calls for r in ran):.0f}",
                "F_theo": f"{cost.flops:.3g}",
                "S_CI": f"{cost.intensity:.3g}",
                "seconds": f"{mean(r.seconds for r in ran):.2f}",
            }
        )
    print(table(lines) + "\n")
    plot.parent.mkdir(parents=True, exist_ok=True)
    plot.write_bytes(plots.png(plots.accuracies(points, "compute intensity S_CI", xscale="log")))
    print(f"plot: {plot}\n")
    met = [
        goal(
            f"{name} over best-of-n at equal tokens: "
            f"{level.points() if level else 'no n has as many'} points (goal: above 0)",
            level is not None and level.value > 0,
        )
        for name, level in equal.items()
    ]
    return all(met)


async def parallel(model: HTTPModel, rounds: int = 9, n: int = 8) -> bool:
    """Wall-clock of best-of-n against one sample: medians over puzzles."""
    single, many, longest = [], [], []
    for problem in datasets.load("game24")[7 :: 250 // (rounds + 1)][: rounds + 1]:
        times = []
        for size in (1, n):
            began = perf_counter()
            _, entries = await found(model, problem, Method(best_of_n, size), 1)
            times.append(perf_counter() - began)
        lengths = [entry["generated"] for entry in entries.values() if entry["calls"]]
        single.append(times[0])
        many.append(times[1])
        longest.append(max(lengths) / mean(lengths))
    one, all_of_them = median(single[1:]), median(many[1:])  # the first warms the engine up
    print(
        f"one sample {one:.2f} s, best of {n} {all_of_them:.2f} s; the longest of {n} has "
        f"{median(longest[1:]):.2f}x the tokens of the mean one\n"
    )
    ratio = all_of_them / one
    return goal(f"best of {n} takes {ratio:.2f}x one sample's time (goal: <= 2.5)", ratio <= 2.5)


async def main() -> bool:
    parser = of_runs(__doc__, "runs/search_methods.jsonl", puzzles=100, seeds=1)
    parser.add_argument("--parallel", action="store_true")
    given = parser.parse_args()
    header(f"model {given.model}")
    eight = given.parallel and given.model == "embedded"
    at = embedded.serve(embedded.bundled(), 8) if eight else given.model
    model = await models.connect(at)
    assert isinstance(model, HTTPModel)
    size = size_of(model)
    if given.parallel:
        try:
            return await parallel(model)
        finally:
            await models.close_all()
    return report(await runs(given, partial(measured, model)), size, given.out.with_suffix(".png"))


if __name__ == "__main__":
    sys.exit(not asyncio.run(main()))
