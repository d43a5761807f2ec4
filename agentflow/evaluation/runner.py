"""Run several arms (a method with settings) over the same problems and seeds, one record each.

Records are appended to a JSON-lines file as they finish; a run that was cut off goes on where it
stopped. With one problem at a time and the prefix cache off, arms that share a seed share their
stream until something intervenes, so that differences between them are paired.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from functools import cache
from pathlib import Path
from time import monotonic
from typing import Any

from agentflow.api import asolve
from agentflow.domains import arithmetic
from agentflow.domains.game24 import Game24, solutions
from agentflow.errors import BadInput
from agentflow.judge import states
from agentflow.models import Model
from agentflow.run import Result


@dataclass(frozen=True, slots=True)
class Arm:
    """One line of a comparison: a method with settings, under a name."""

    name: str
    method: str
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Record:
    """What one arm made of one problem with one seed.

    Attributes:
        right: Whether the emitted answer is right, by enumeration of all solutions and not by
            the verifier that the methods use; False where none was emitted.
        tokens: Generated tokens, wasted ones and probes included.
        oracle: Tokens a rule would have needed that stops the thinking at the first right
            candidate (None where there was none); the answer part counted.
    """

    arm: str
    problem: str
    seed: int
    status: str
    answer: str | None
    right: bool
    tokens: int
    wasted: int
    prompt: int
    calls: int
    corrections: int
    seconds: float
    oracle: int | None
    text: str


ARMS = (
    Arm("direct", "direct"),
    Arm("k-stable (k=2)", "interwhen", {"step_verifier": False, "k_stable": 2}),
    Arm("step verifier", "interwhen"),
    Arm("step verifier, 2 restarts", "interwhen", {"restarts": 2}),
)


def held_out() -> list[str]:
    """The Game of 24 puzzles that the pocket model was never trained on."""
    text = (Path(__file__).parent / "data" / "game24_held_out.txt").read_text()
    return text.split("\n")[:-1]


@cache
def _all_solutions(numbers: str) -> frozenset[str]:
    return frozenset(map(arithmetic.normal_form, solutions([Fraction(n) for n in numbers.split()])))


def right(numbers: str, answer: str | None) -> bool:
    """Whether ``answer`` is among all solutions of the puzzle, found by brute force."""
    expression = arithmetic.parse(arithmetic.plain(answer)) if answer else None
    return expression is not None and arithmetic.normal_form(expression) in _all_solutions(numbers)


async def run(
    arms: Sequence[Arm],
    problems: Sequence[str],
    seeds: Iterable[int],
    out: Path,
    *,
    model: str | Model = "embedded",
    concurrency: int = 1,
    settings: Mapping[str, Any] | None = None,
    on_record: Callable[[Record], None] = lambda record: None,
) -> list[Record]:
    """Run what ``out`` does not hold yet; returns all its records.

    Raises:
        BadInput: If a line of ``out`` is not a record.
    """
    records = load(out)
    done = {(record.arm, record.problem, record.seed) for record in records}
    todo = [
        (arm, problem, seed)
        for seed in seeds
        for problem in problems
        for arm in arms
        if (arm.name, problem, seed) not in done
    ]
    gate = asyncio.Semaphore(concurrency)
    out.parent.mkdir(parents=True, exist_ok=True)
    with out.open("a") as file:

        async def one(arm: Arm, problem: str, seed: int) -> None:
            async with gate:
                values = {"cache": concurrency > 1, **(settings or {}), **arm.settings}
                started = monotonic()
                result = await asolve(problem, arm.method, model=model, seed=seed, **values)
                record = _record(arm, problem, seed, result, monotonic() - started)
                print(json.dumps(asdict(record)), file=file, flush=True)
                records.append(record)
                on_record(record)

        await asyncio.gather(*(one(*task) for task in todo))
    return records


def load(path: Path) -> list[Record]:
    """The records of a file; a last line that a crash cut short is left out.

    Raises:
        BadInput: If another line is not a record; names it.
    """
    if not path.exists():
        return []
    lines = path.read_text().split("\n")
    if lines[-1]:
        path.write_text("\n".join(lines[:-1]) + ("\n" if lines[:-1] else ""))
    records = []
    for number, line in enumerate(lines[:-1], 1):
        try:
            records.append(Record(**json.loads(line)))
        except (ValueError, TypeError) as error:
            raise BadInput(f"{path}, line {number}: not a record of this version") from error
    return records


def _record(arm: Arm, problem: str, seed: int, result: Result, seconds: float) -> Record:
    cost = result.cost
    return Record(
        arm=arm.name,
        problem=problem,
        seed=seed,
        status=result.status,
        answer=result.answer,
        right=right(problem, result.answer),
        tokens=cost.generated,
        wasted=cost.wasted,
        prompt=cost.prompt,
        calls=cost.calls,
        corrections=result.corrections,
        seconds=round(seconds, 4),
        oracle=_oracle(result),
        text=result.trace.body,
    )


def _oracle(result: Result) -> int | None:
    """Tokens up to the first right candidate in the thinking, plus those of the answer part."""
    domain, trace = Game24(), result.trace
    problem = domain.parse(result.problem["text"])
    thinking, answer = trace.split("</think>")
    if answer is None:
        return None
    for state in states(domain, problem, thinking):
        expression = state.data.get("expression")
        if expression is not None and right(problem.text, expression):
            return _tokens(trace, state.end) + _tokens(trace) - _tokens(trace, len(thinking))
    return None


def _tokens(trace: Any, end: int | None = None) -> int:
    """Generated tokens kept in the first ``end`` characters of the body."""
    count = position = 0
    for segment in trace.segments:
        if segment.kind == "prompt":
            continue
        if segment.kind == "generated":
            count += sum(1 for e in segment.ends if end is None or position + e <= end)
        position += len(segment.text)
    return count
