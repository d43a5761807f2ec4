"""Run several arms (a method with settings) over the same problems and seeds, one record each.

Records are appended to a JSON-lines file as they finish; a run that was cut off goes on where it
stopped. With one problem at a time and the prefix cache off, arms that share a seed share their
stream until something intervenes, so that differences between them are paired.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import Any

from agentflow import domains
from agentflow.api import asolve
from agentflow.errors import AgentflowError, BadInput
from agentflow.evaluation.datasets import right, right_form
from agentflow.judge import states
from agentflow.models import Model
from agentflow.problem import Problem
from agentflow.run import Result
from agentflow.version import __version__


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
        problem: Its text.
        status: Of the result; ``failed`` for a run that raised, with the reason in ``error``.
        right: Whether the emitted answer is right, by a judge that no method uses; False where
            none was emitted.
        tokens: Generated tokens, wasted ones and probes included.
        oracle: Tokens a rule would have needed that stops the thinking at the first right
            candidate (None where there was none); the answer part counted.
        extra: What the run was asked to keep of the result.
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
    error: str = ""
    extra: dict[str, Any] = field(default_factory=dict)


ARMS = (
    Arm("direct", "direct"),
    Arm("k-stable (k=2)", "interwhen", {"step_verifier": False, "k_stable": 2}),
    Arm("step verifier", "interwhen"),
    Arm("step verifier, 2 restarts", "interwhen", {"restarts": 2}),
)


async def run(
    arms: Sequence[Arm],
    problems: Sequence[Problem],
    seeds: Iterable[int],
    out: Path,
    *,
    model: str | Model | None = "embedded",
    concurrency: int = 1,
    settings: Mapping[str, Any] | None = None,
    keep: Callable[[Result], dict[str, Any]] = lambda result: {},
    on_record: Callable[[Record], None] = lambda record: None,
) -> list[Record]:
    """Run what ``out`` does not hold yet, and again what failed; returns all its records.

    Args:
        out: A file of JSON lines: what each arm is, then a record a run.
        settings: For every arm; an arm's own win.
        keep: What of a result goes into its record's ``extra``.
        on_record: Told of each record as it is written.

    Raises:
        BadInput: If a line of ``out`` is not a record, or an arm of it had other settings.
    """
    records = {_key(record): record for record in load(out)}
    known = _arms(out)
    lines = {arm.name: _described(arm, model, settings) for arm in arms}
    for name, line in lines.items():
        if known.get(name, line) != line:
            raise BadInput(f"{out}: arm {name!r} was begun with other settings; name another")
    done = {key for key, record in records.items() if record.status != "failed"}
    todo = [
        (arm, problem, seed)
        for seed in seeds
        for problem in problems
        for arm in arms
        if (arm.name, problem.text, seed) not in done
    ]
    gate = asyncio.Semaphore(concurrency)
    out.parent.mkdir(parents=True, exist_ok=True)
    with out.open("a") as file:
        for name, line in lines.items():
            if name not in known:
                print(json.dumps(line), file=file, flush=True)

        async def one(arm: Arm, problem: Problem, seed: int) -> None:
            async with gate:
                values = {"cache": concurrency > 1, **(settings or {}), **arm.settings}
                given = {"text": problem.text, "id": problem.id, "gold": problem.gold}
                started = monotonic()
                try:
                    result = await asolve(
                        given, arm.method, model=model, seed=seed, domain=problem.domain, **values
                    )
                except AgentflowError as error:
                    result = Result(None, "exhausted", problem=asdict(problem), error=str(error))
                    record = _record(arm, problem, seed, result, monotonic() - started, {})
                    record = replace(record, status="failed")
                else:
                    seconds = monotonic() - started
                    record = _record(arm, problem, seed, result, seconds, keep(result))
                print(json.dumps(asdict(record)), file=file, flush=True)
                records[_key(record)] = record
                on_record(record)

        await asyncio.gather(*(one(*task) for task in todo))
    return list(records.values())


def _key(record: Record) -> tuple[str, str, int]:
    return record.arm, record.problem, record.seed


def _described(
    arm: Arm, model: str | Model | None, settings: Mapping[str, Any] | None
) -> dict[str, Any]:
    """The line of an arm, as it is read back."""
    name = model if isinstance(model, str) or model is None else model.name
    described = {**asdict(arm), "settings": {**(settings or {}), **arm.settings}, "model": name}
    line = {"describes": arm.name, "version": __version__, **described}
    return dict(json.loads(json.dumps(line)))


def _arms(path: Path) -> dict[str, dict[str, Any]]:
    """The lines of arms in a file."""
    lines = path.read_text().split("\n")[:-1] if path.exists() else []
    found = [json.loads(line) for line in lines if line.startswith('{"describes"')]
    return {one["describes"]: one for one in found}


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
    records: dict[tuple[str, str, int], Record] = {}
    for number, line in enumerate(lines[:-1], 1):
        if line.startswith('{"describes"'):
            continue
        try:
            record = Record(**json.loads(line))
        except (ValueError, TypeError) as error:
            raise BadInput(f"{path}, line {number}: not a record of this version") from error
        records[_key(record)] = record  # a later one of a run that had failed
    return list(records.values())


def _record(
    arm: Arm, problem: Problem, seed: int, result: Result, seconds: float, extra: dict[str, Any]
) -> Record:
    cost = result.cost
    return Record(
        arm=arm.name,
        problem=problem.text,
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
        oracle=_oracle(problem, result),
        text=result.trace.body,
        error=result.error,
        extra=extra,
    )


def _oracle(problem: Problem, result: Result) -> int | None:
    """Tokens up to the first right candidate in the thinking, plus those of the answer part."""
    domain, trace = domains.get(problem.domain), result.trace
    thinking, answer = trace.split("</think>")
    if answer is None:
        return None
    for state in states(domain, problem, thinking):
        candidate = domain.candidate(problem, state)
        if candidate is not None and right_form(problem, candidate):
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
