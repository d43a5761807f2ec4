"""Run several arms (a method with settings) over the same problems and seeds, one record each.

Records are appended to a JSON-lines file as they finish; a run that was cut off goes on where it
stopped. With one problem at a time and the prefix cache off, arms that share a seed share their
stream until something intervenes, so that differences between them are paired.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import Any, TextIO

from agentflow import domains, models
from agentflow.api import asolve, settings_for
from agentflow.errors import AgentflowError, BadInput, MissingCapability
from agentflow.evaluation.datasets import right, right_form
from agentflow.judge import CLOSE, states
from agentflow.models import Model
from agentflow.problem import Problem
from agentflow.run import Result
from agentflow.trace import Trace
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
    keep: Callable[[Result, bool], dict[str, Any]] = lambda result, right: {},
    on_record: Callable[[Record], None] = lambda record: None,
) -> list[Record]:
    """Run what ``out`` does not hold yet, and again what failed; returns all its records.

    Args:
        out: A file of JSON lines: what each arm is, then a record a run. Only one process may
            write to it.
        concurrency: Runs at once; with more than one the prefix cache is on, else off, unless
            ``settings`` say.
        settings: For every arm; an arm's own win.
        keep: What of a result, right or not, goes into its record's ``extra``.
        on_record: Told of each record as it is written.

    Raises:
        BadInput: If a line of ``out`` is not a record, an arm of it was begun with another model,
            version or settings, or it cannot be written; or an arm's settings or model cannot be
            used.
        MissingCapability: If the model cannot do what an arm needs.
        ModelUnavailable: If no server answers to begin with.
    """
    records = {key(record): record for record in load(out)}
    common = {"cache": concurrency > 1, **(settings or {})}
    chosen = [replace(arm, settings={**common, **arm.settings}) for arm in arms]
    lines = {arm.name: _described(arm, model) for arm in chosen}
    known = _arms(out)
    for name, line in lines.items():
        if other := _differ(known.get(name, line), line):
            raise BadInput(
                f"{out}: arm {name!r} was begun with another {', '.join(other)}; give the arm "
                "another name, or the records another file"
            )
    done = {at for at, record in records.items() if record.status != "failed"}
    todo = [
        (arm, problem, seed)
        for seed in seeds
        for problem in problems
        for arm in chosen
        if (arm.name, problem.text, seed) not in done
    ]
    for arm in {arm.name: arm for arm, _, _ in todo}.values():
        await _open(arm, model)
    gate = asyncio.Semaphore(concurrency)
    with _appending(out) as file:
        for name, line in lines.items():
            if name not in known:
                print(json.dumps(line), file=file, flush=True)

        async def one(arm: Arm, problem: Problem, seed: int) -> None:
            async with gate:
                record = await _run_one(arm, problem, seed, model, keep)
                print(json.dumps(asdict(record)), file=file, flush=True)
                records[key(record)] = record
                on_record(record)

        tasks = [asyncio.ensure_future(one(*which)) for which in todo]
        try:
            await asyncio.gather(*tasks)
        finally:  # nobody writes once the file is closed
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
    return list(records.values())


async def _open(arm: Arm, model: str | Model | None) -> None:
    """See that an arm's settings and model can be used, before any run fails of them."""
    own = {"model": model} if isinstance(model, str) else {}
    settings = settings_for(arm.method, **{**arm.settings, **own})
    if model is None or isinstance(model, str):
        servers = settings.roles.get("solver") or settings.model
        await models.connect(servers, idle_timeout=settings.idle_timeout)


async def _run_one(
    arm: Arm,
    problem: Problem,
    seed: int,
    model: str | Model | None,
    keep: Callable[[Result, bool], dict[str, Any]],
) -> Record:
    given = {"text": problem.text, "id": problem.id, "gold": problem.gold}
    started = monotonic()
    try:
        result = await asolve(
            given, arm.method, model=model, seed=seed, domain=problem.domain, **arm.settings
        )
    except MissingCapability:  # every other run would fail alike
        raise
    except AgentflowError as error:
        result = Result(None, "exhausted", problem=asdict(problem), error=str(error))
        record = _record(arm, problem, seed, result, False, monotonic() - started)
        return replace(record, status="failed")
    seconds = monotonic() - started
    is_right = await right(problem, result.answer)
    record = _record(arm, problem, seed, result, is_right, seconds)
    return replace(record, extra=keep(result, is_right))


def key(record: Record) -> tuple[str, str, int]:
    """What tells a run from all others: (arm, problem, seed)."""
    return record.arm, record.problem, record.seed


def _described(arm: Arm, model: str | Model | None) -> dict[str, Any]:
    """The line of an arm, as it is read back."""
    name = model if isinstance(model, str) or model is None else model.name
    line = {"describes": arm.name, "version": __version__, **asdict(arm), "model": name}
    return dict(json.loads(json.dumps(line)))


def _differ(line: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """In what two lines of an arm differ; a setting is named."""
    found = [name for name in ("method", "model", "version") if line[name] != other[name]]
    ours, theirs = line["settings"], other["settings"]
    return found + [name for name in {**ours, **theirs} if ours.get(name) != theirs.get(name)]


def _arms(path: Path) -> dict[str, dict[str, Any]]:
    """The lines of arms in a file."""
    found = [json.loads(line) for line in whole_lines(path) if line.startswith(_DESCRIBES)]
    return {one["describes"]: one for one in found}


_DESCRIBES = '{"describes"'


def load(path: Path) -> list[Record]:
    """The records of a file, none if it is not there; a last line that a crash cut short, or that
    is being written, is left out.

    Raises:
        BadInput: If another line is not a record; names it.
    """
    records: dict[tuple[str, str, int], Record] = {}
    for number, line in enumerate(whole_lines(path), 1):
        if line.startswith(_DESCRIBES):
            continue
        try:
            record = Record(**json.loads(line))
        except (ValueError, TypeError) as error:
            raise BadInput(f"{path}, line {number}: not a record of this version") from error
        records[key(record)] = record  # a later one of a run that had failed
    return list(records.values())


def whole_lines(path: Path) -> list[str]:
    """The lines of a file that end; none if it is not there.

    Raises:
        BadInput: If it cannot be read as text.
    """
    try:
        return path.read_text(encoding="utf-8").split("\n")[:-1] if path.exists() else []
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: cannot be read as JSON lines: {error}") from error


def _appending(path: Path) -> TextIO:
    """The file, opened behind its last whole line; one that a crash cut short is cut off."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("a", encoding="utf-8")
        os.truncate(path, path.read_bytes().rfind(b"\n") + 1)
    except OSError as error:
        raise BadInput(f"{path}: cannot be written: {error}") from error
    return file


def _record(
    arm: Arm, problem: Problem, seed: int, result: Result, right: bool, seconds: float
) -> Record:
    cost = result.cost
    return Record(
        arm=arm.name,
        problem=problem.text,
        seed=seed,
        status=result.status,
        answer=result.answer,
        right=right,
        tokens=cost.generated,
        wasted=cost.wasted,
        prompt=cost.prompt,
        calls=cost.calls,
        corrections=result.corrections,
        seconds=round(seconds, 4),
        oracle=_oracle(problem, result),
        text=result.trace.body,
        error=result.error,
        extra={},
    )


def _oracle(problem: Problem, result: Result) -> int | None:
    """Tokens up to the first right candidate in the thinking, plus those of the answer part."""
    domain, trace = domains.get(problem.domain), result.trace
    thinking, answer = trace.split(CLOSE)
    if answer is None:
        return None
    for state in states(domain, problem, thinking):
        candidate = domain.candidate(problem, state)
        if candidate is not None and right_form(problem, candidate):
            return _tokens(trace, state.end) + _tokens(trace) - _tokens(trace, len(thinking))
    return None


def _tokens(trace: Trace, end: int | None = None) -> int:
    """Generated tokens kept in the first ``end`` characters of the body."""
    count = position = 0
    for segment in trace.segments:
        if segment.kind == "prompt":
            continue
        if segment.kind == "generated":
            count += sum(1 for e in segment.ends if end is None or position + e <= end)
        position += len(segment.text)
    return count
