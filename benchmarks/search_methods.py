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
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path as File
from statistics import median
from time import perf_counter
from typing import Any

from agentflow import domains, ledger, models, prompts
from agentflow.evaluation import datasets, records
from agentflow.evaluation.compute import Compute, Size, compute, size_of
from agentflow.evaluation.report import Interval, paired, wilson
from agentflow.evaluation.runner import Record, key, load
from agentflow.models import HTTPModel, embedded
from agentflow.models.metered import Metered
from agentflow.models.model import segment
from agentflow.problem import Problem
from agentflow.scorers import RuleScorer
from agentflow.search import Found, Path, TraceExpander, beam, best_of_n, lookahead
from agentflow.version import __version__


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
    problems = datasets.load("game24", "game24")
    problems = problems[:: max(1, len(problems) // arguments.puzzles)][: arguments.puzzles]
    known = {key(record): record for record in load(arguments.out)}
    lines = {
        name: records.arm_line(name, method.search.__name__, {"size": method.size}, model.name)
        for name, method in METHODS.items()
    }
    records.refuse_others(arguments.out, lines)
    jobs = [
        partial(one, model, name, problem, seed)
        for seed in range(arguments.seeds)
        for problem in problems
        for name in METHODS
        if (name, problem.text, seed) not in known
    ]
    await records.append(
        arguments.out, lines, jobs, 1, lambda record: known.update({key(record): record})
    )
    return list(known.values())


def cost_of(runs: Sequence[Record], size: Size) -> Compute:
    return compute([{"all": run.extra} for run in runs], {"solver": size})


def at_equal_tokens(runs: Sequence[Record], ladder: Sequence[Sequence[Record]]) -> Interval | None:
    """Accuracy over best-of-n's at the same mean tokens, paired by puzzle; between two sizes of n
    best-of-n is drawn from both. None where no n comes to as many tokens."""
    tokens = mean(run.tokens for run in runs)
    for low, high in pairwise(ladder):
        less, more = (mean(run.tokens for run in side) for side in (low, high))
        if less <= tokens <= more:
            share = (tokens - less) / (more - less)
            others = {key(run)[1:]: run.right for run in high}
            base = [
                replace(
                    run, extra={"right": (1 - share) * run.right + share * others[key(run)[1:]]}
                )
                for run in low
            ]
            return paired(runs, base, lambda run: float(run.extra.get("right", run.right)))
    return None


def mean(values: Any) -> float:
    listed = list(values)
    return float(sum(listed)) / len(listed)


def goal(text: str, met: bool) -> bool:
    print(f"{'met   ' if met else 'MISSED'}  {text}")
    return met


def report(runs: Sequence[Record], size: Size, plot: File) -> bool:
    """Print the table, whether each goal is met, and draw accuracy against S_CI."""
    arms = {name: [run for run in runs if run.arm == name] for name in METHODS}
    arms = {name: found for name, found in arms.items() if found}
    ladder = [arms[name] for name in LADDER if name in arms]
    print(
        "| method | runs | accuracy | over direct, points | over best-of-n at equal tokens | "
        "tokens | wasted | requests | F_theo | S_CI | seconds |\n"
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    )
    equal, points = dict[str, Interval | None](), []
    for name, found in arms.items():
        cost, accuracy = cost_of(found, size), wilson(sum(r.right for r in found), len(found))
        equal[name] = None if name in LADDER else at_equal_tokens(found, ladder)
        over = "" if name == "direct" else paired(found, arms["direct"]).points()
        level = equal[name]
        points.append((name, cost.intensity, accuracy))
        print(
            f"| {name} | {len(found)} | {accuracy.percent()} | {over} | "
            f"{level.points() if level else ''} | {mean(r.tokens for r in found):.0f} | "
            f"{mean(r.wasted for r in found):.0f} | {mean(r.calls for r in found):.0f} | "
            f"{cost.flops:.3g} | {cost.intensity:.3g} | "
            f"{mean(r.seconds for r in found):.2f} |"
        )
    print()
    draw(points, plot)
    met = [
        goal(
            f"{name} over best-of-n at equal tokens: "
            f"{level.points() if level else 'no n has as many'} points (goal: above 0)",
            level is not None and level.value > 0,
        )
        for name, level in equal.items()
        if name not in LADDER
    ]
    return all(met)


def draw(points: Sequence[tuple[str, float, Interval]], plot: File) -> None:
    """Accuracy against S_CI, each method with its 95 % interval."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 5))
    for name, cost, accuracy in points:
        error = [[100 * (accuracy.value - accuracy.low)], [100 * (accuracy.high - accuracy.value)]]
        axes.errorbar(cost, 100 * accuracy.value, error, fmt="o", capsize=3, label=name)
    axes.legend()
    axes.set(xscale="log", xlabel="compute intensity S_CI", ylabel="accuracy, %")
    axes.set_title("Game of 24, bundled model, rule scorer")
    plot.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(plot, dpi=150, bbox_inches="tight")
    print(f"plot: {plot}\n")


async def parallel(model: HTTPModel, rounds: int = 9, n: int = 8) -> bool:
    """Wall-clock of best-of-n against one sample: medians over puzzles."""
    single, many, longest = [], [], []
    for problem in datasets.load("game24", "game24")[7 :: 250 // (rounds + 1)][: rounds + 1]:
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--puzzles", type=int, default=100)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--model", default="embedded")
    parser.add_argument("--out", type=File, default=File("runs/search_methods.jsonl"))
    parser.add_argument("--report-only", action="store_true")
    parser.add_argument("--parallel", action="store_true")
    arguments = parser.parse_args()

    async def all_of_it() -> bool:
        eight = arguments.parallel and arguments.model == "embedded"
        at = embedded.serve(embedded.bundled(), 8) if eight else arguments.model
        model = await models.connect(at)
        assert isinstance(model, HTTPModel)
        try:
            if arguments.parallel:
                return await parallel(model)
            if arguments.report_only:
                runs = load(arguments.out)
            else:
                runs = await measured(model, arguments)
            return report(runs, size_of(model), arguments.out.with_suffix(".png"))
        finally:
            await models.close_all()

    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    ).stdout.strip()
    print(f"agentflow {__version__} ({commit}), model {arguments.model}\n")
    sys.exit(0 if asyncio.run(all_of_it()) else 1)


if __name__ == "__main__":
    main()
