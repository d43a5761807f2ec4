"""Measure the math domain's step verifier on real traces: false alarms, and errors caught.

    python benchmarks/math_steps.py --data ../shared/data --out alarms.jsonl

A false alarm is a refuted step among those labelled right (steps before the first wrong one, all
steps of right traces, gold and recorded right solutions); labels are not always right: read the
file. A catch is a refuted step that was labelled the first wrong one. Most wrong steps are not
wrong in their arithmetic, and cannot be caught by it.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from shared import goal, options, rows_of

from agentflow.domains.math import Math
from agentflow.problem import Problem
from agentflow.tools.toolbox import Toolbox, build
from agentflow.version import __version__

GOAL = 0.002
"""Share of right steps that may be refuted."""

TOGETHER = 64
"""Steps judged at a time."""

_LINES = re.compile(r"[^\n]*\n|[^\n]+")


@dataclass(frozen=True, slots=True)
class Step:
    """One labelled step.

    Attributes:
        source: Which data it is from.
        trace: Which trace.
        text: One or more lines.
        label: ``right``, or ``wrong`` for the first wrong one of its trace.
    """

    source: str
    trace: str
    text: str
    label: str


def labelled(source: str, trace: str, steps: list[str], wrong: int | None) -> Iterator[Step]:
    """The steps up to the first wrong one, if there is one."""
    for number, text in enumerate(steps):
        if wrong is not None and number > wrong:
            return
        yield Step(source, trace, text, "wrong" if number == wrong else "right")


def steps(data: Path) -> Iterator[Step]:
    """Every labelled step that the data hold."""
    for name in ("gsm8k", "math", "olympiadbench", "omnimath"):
        for row in rows_of(data / "processbench" / f"{name}.jsonl"):
            wrong = None if row["label"] == -1 else row["label"]
            yield from labelled(f"processbench, {name}", row["id"], row["steps"], wrong)
    for number, row in enumerate(rows_of(data / "bbm" / "multistep_arithmetic.jsonl")):
        yield from labelled("bbm arithmetic", str(number), row["steps"], row["mistake_index"])
    for number, row in enumerate(rows_of(data / "gsm8k" / "example_model_solutions.jsonl")):
        yield from labelled("gsm8k, gold", str(number), row["ground_truth"].split("\n"), None)
        for recorded in row.values():
            if isinstance(recorded, dict) and recorded["is_correct"]:
                lines = recorded["solution"].split("\n")
                yield from labelled("gsm8k, recorded right", str(number), lines, None)


async def judge(domain: Math, problem: Problem, step: Step) -> tuple[str, list[str]]:
    """(``none``, ``ok``, ``unknown`` or ``refuted``, the reasons) of a step of several lines."""
    memory: dict[str, Any] = {}
    oks, reasons = [], []
    for line in _LINES.findall(step.text):
        memory, found = domain.extract(problem, line, 0, memory)
        for state in found:
            if state.kind == "step":
                verdict = await domain.verify_state(problem, state, [])
                oks.append(verdict.ok)
                reasons += [verdict.reason] if verdict.ok is False else []
    if reasons:
        return "refuted", reasons
    return ("none" if not oks else "unknown" if None in oks else "ok"), []


async def measure(every: list[Step]) -> list[tuple[Step, str, list[str]]]:
    """Every step with what was told of it."""
    domain = Math(Toolbox(build(Math.tools)))
    problem = domain.parse("A question.")
    told: list[tuple[str, list[str]]] = []
    for first in range(0, len(every), TOGETHER):
        chunk = every[first : first + TOGETHER]
        told += await asyncio.gather(*(judge(domain, problem, step) for step in chunk))
    return [(step, what, reasons) for step, (what, reasons) in zip(every, told, strict=True)]


def report(judged: list[tuple[Step, str, list[str]]]) -> None:
    """Print a line for each source and label."""
    heads = ("steps", "read", "passed", "refuted", "share")
    print(f"{'source':27} {'label':6}", *(f"{head:>8}" for head in heads))
    for source, label in dict.fromkeys((step.source, step.label) for step, _, _ in judged):
        told = Counter(
            what for step, what, _ in judged if (step.source, step.label) == (source, label)
        )
        total, refuted = told.total(), told["refuted"]
        print(
            f"{source:27} {label:6} {total:8,} {total - told['none']:8,} {told['ok']:8,} "
            f"{refuted:8,} {refuted / total:8.3%}"
        )


def main() -> None:
    parser = options(__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, help="where the refuted steps are written")
    given = parser.parse_args()
    every = list(steps(given.data))
    began = perf_counter()
    judged = asyncio.run(measure(every))
    print(f"agentflow {__version__}: {len(every):,} steps in {perf_counter() - began:.0f} s")
    report(judged)
    refuted = [(step, reasons) for step, _, reasons in judged if reasons]
    if given.out:
        lines = (json.dumps({**asdict(step), "reasons": reasons}) for step, reasons in refuted)
        given.out.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    right = sum(step.label == "right" for step in every)
    false = sum(step.label == "right" for step, _ in refuted)
    text = f"false alarms: {false} of {right:,} right steps, {false / right:.3%}"
    if not goal(f"{text} (goal: <= {GOAL:.1%})", false <= GOAL * right):
        sys.exit(1)


if __name__ == "__main__":
    main()
