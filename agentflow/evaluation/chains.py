"""Recorded chains: full runs of thinking with every signal at every check point.

They are recorded once and replayed under any rule without the model
(:mod:`agentflow.evaluation.replay`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import partial
from pathlib import Path
from typing import Any, cast

from agentflow.arguments import settings_for
from agentflow.errors import BadInput
from agentflow.evaluation import require
from agentflow.evaluation.checked import Whole, checked
from agentflow.evaluation.datasets import right_form
from agentflow.evaluation.records import Arm, numbered
from agentflow.evaluation.runner import run
from agentflow.files import unwritable
from agentflow.models import Model
from agentflow.problem import Problem
from agentflow.run import Result

VERSION = 1
"""Raised when a recorded file can no longer be read."""

SETTINGS: dict[str, Any] = {
    "substitute": False,
    "rules": [{"rule": "entropy", "variance": 0.0}, "confidence", "rollouts", "k_stable"],
    "combine": "all",
    "ask_end": True,
}
"""Settings of ``early_exit`` that ask for every signal and stop at none."""
LIMIT = 10_000
"""Tokens of thinking behind which a recording closes it, if nothing else is set (EAT, 5.3)."""


@dataclass(frozen=True, slots=True)
class Check:
    """One check point.

    Attributes:
        tokens: Tokens of thinking up to it.
        end: Its offset in the text.
        entropy: After the close marker and the prefix, nats; ``missing`` is the probability mass
            that it does not cover.
        confidence: Of the greedy answer, in [0, 1].
        answers: Sampled answers in normal form, None for one that is none.
        right: Which of them are right.
        lengths: Tokens of each.
        stable: How many times in a row the last candidate was stated.
        stated: Whether one was stated just before it.
        controls: Further entropies, as the chain names them.
    """

    tokens: int
    end: int
    entropy: float
    missing: float
    confidence: float
    answers: list[str | None]
    right: list[bool]
    lengths: list[Whole]
    stable: int
    stated: bool
    controls: list[float] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Chain:
    """One recorded chain.

    Attributes:
        problem: Its text; ``id``, ``domain`` and ``seed`` name the run.
        text: All that was generated; the thinking ends at ``closed``, its offset.
        ends: Offset behind each generated token.
        thinking: Tokens of thinking, ``answering`` those of the answer part.
        answer: The answer the chain came to by itself; ``right`` if it is.
        finished: Whether the model ended by itself, within its budget.
        confidence_tokens: Length of the greedy answers.
        checks: The check points, in order.
        end: What was asked behind the whole thinking, however that ended; None where nobody asked.
        controls: Names of the further entropies of every check point.
    """

    problem: str
    id: str
    domain: str
    seed: int
    model: str
    text: str
    ends: list[Whole]
    closed: int
    thinking: int
    answering: int
    answer: str | None
    right: bool
    finished: bool
    confidence_tokens: int
    checks: list[Check] = field(default_factory=list)
    end: Check | None = None
    controls: list[str] = field(default_factory=list)


def chain_of(result: Result, right: bool, seed: int, model: str, confidence_tokens: int) -> Chain:
    """The chain that a run with :data:`SETTINGS` recorded; ``right`` is what its answer is."""
    problem, trace = Problem(**result.problem), result.trace
    thinking, answer = trace.split(result.close)
    ends, position = list[int](), 0
    for segment in trace.segments:
        if segment.kind == "generated":
            ends += [position + end for end in segment.ends]
        if segment.kind != "prompt":
            position += len(segment.text)
    before = sum(end <= len(thinking) for end in ends)
    asked = [one for one in result.judged if _signals(one)]
    return Chain(
        problem=problem.text,
        id=problem.id,
        domain=problem.domain,
        seed=seed,
        model=model,
        text=trace.body,
        ends=ends,
        closed=len(thinking),
        thinking=before,
        answering=len(ends) - before,
        answer=result.answer,
        right=right,
        finished=answer is not None and result.status != "exhausted",
        confidence_tokens=confidence_tokens,
        checks=[_check(problem, one) for one in asked if one["state"]["kind"] != "end"],
        end=next((_check(problem, one) for one in asked if one["state"]["kind"] == "end"), None),
        controls=list(_signals(asked[0]).get("controls", ())) if asked else [],
    )


def _signals(judged: dict[str, Any]) -> dict[str, Any]:
    signals: dict[str, Any] = judged["verdict"]["evidence"].get("signals") or {}
    return signals


def _check(problem: Problem, judged: dict[str, Any]) -> Check:
    signals = _signals(judged)
    return Check(
        tokens=signals["tokens"],
        end=judged["state"]["end"],
        entropy=signals["entropy"],
        missing=signals["missing"],
        confidence=signals["confidence"],
        answers=signals["answers"],
        right=[form is not None and right_form(problem, form) for form in signals["answers"]],
        lengths=signals["lengths"],
        stable=signals["stable"],
        stated=signals["stated"],
        controls=list(signals.get("controls", {}).values()),
    )


def require_packages() -> None:
    """See that what recording and replaying need is installed.

    Raises:
        BadInput: If it is not.
    """
    require("chains", "numpy", "scipy", "pyarrow", "matplotlib")


async def record(
    problems: Sequence[Problem],
    seeds: Sequence[int],
    out: Path,
    *,
    model: str | Model = "embedded",
    settings: Mapping[str, Any] | None = None,
    **running: Any,
) -> list[Chain]:
    """Record a chain for each problem and seed, into a Parquet file: run thinking to its end, and
    ask every signal at every check point.

    Thinking that goes on for :data:`LIMIT` tokens is closed there (``thinking_tokens``), and what
    is answered then is asked, too. Finished chains are in JSON lines beside it as they come; a
    recording that was cut off goes on where it stopped.

    Args:
        out: Where the Parquet file goes.
        settings: Of ``early_exit``: where check points are, what the probes ask.
        running: What else :func:`~agentflow.evaluation.runner.run` takes: ``servers``,
            ``concurrency``, ``engine``, ``patience``, ``tell``, ``on_record``.

    Raises:
        BadInput: If a setting cannot be used, ``out`` was begun with others, is no name of a
            Parquet file or is there without its JSON lines, or a package is missing.
        MissingCapability: If the model cannot be probed.
    """
    arm = recording(out, settings or {})
    length = cast("Any", settings_for(arm.method, **arm.settings)).probe.confidence_tokens
    name = model if isinstance(model, str) else model.name
    name = ", ".join(running.get("servers") or [name])
    lines = out.with_suffix(".jsonl")
    _read(lines, _lines(lines))  # what is wrong with them is said before anything is run
    records = await run(
        [arm],
        problems,
        seeds,
        lines,
        model=model,
        keep=partial(_kept, model=name, confidence_tokens=length),
        **running,
    )
    kept = [r for r in records if "chain" in r.extra]
    found = [from_row(asdict(r)) for r in kept]
    if found:
        save(found, out)
    return found


def recording(out: Path, settings: Mapping[str, Any]) -> Arm:
    """The arm that records.

    Raises:
        BadInput: As of :func:`record`.
    """
    require_packages()
    if out.suffix != ".parquet":
        raise BadInput(f"{out}: chains are kept in Parquet; name it {out.with_suffix('.parquet')}")
    if out.exists() and not (lines := out.with_suffix(".jsonl")).exists():
        raise BadInput(
            f"{out} is there already, without {lines.name}, from which a recording goes on; name "
            "another file"
        )
    arm = Arm("recorded", "early_exit", {"thinking_tokens": LIMIT, **settings, **SETTINGS})
    settings_for(arm.method, **arm.settings)
    return arm


def _kept(result: Result, right: bool, *, model: str, confidence_tokens: int) -> dict[str, Any]:
    return {"chain": asdict(chain_of(result, right, 0, model, confidence_tokens))}


def save(chains: Sequence[Chain], path: Path) -> None:
    """Write chains to a Parquet file, one row each.

    Raises:
        BadInput: If it cannot be written.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.Table.from_pylist([asdict(chain) for chain in chains])
    metadata = {b"agentflow_chains": str(VERSION).encode()}
    part = path.with_name(path.name + ".part")  # a crash leaves what was there before
    try:
        pq.write_table(table.replace_schema_metadata(metadata), part, compression="zstd")
        part.replace(path)
    except OSError as error:
        raise unwritable(path, error) from error
    finally:
        part.unlink(missing_ok=True)


def load(path: Path) -> list[Chain]:
    """The chains of a Parquet file, or of the JSON lines that a recording is writing.

    Of JSON lines that a crash cut short, all whole ones are read.

    Raises:
        BadInput: If it is no file of chains, or one of another version; names the line or row.
    """
    if not path.is_file():
        raise BadInput(f"{path}: no such file; `agentflow record` makes one")
    chains = _read(path, _parquet(path) if path.suffix == ".parquet" else _lines(path))
    if not chains:
        raise BadInput(f"{path}: no chain in it")
    return chains


def _read(path: Path, rows: Iterable[tuple[str, dict[str, Any]]]) -> list[Chain]:
    chains = []
    for place, row in rows:
        try:
            chains.append(from_row(row))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise BadInput(f"{path}, {place}: not chains of this version ({error})") from error
    return chains


def _parquet(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(path)
    except (OSError, pa.ArrowException) as error:
        raise BadInput(
            f"{path}: cannot be read ({error}); the JSON lines beside it, "
            f"{path.with_suffix('.jsonl')}, hold every finished chain"
        ) from error
    version = (table.schema.metadata or {}).get(b"agentflow_chains", b"").decode()
    if not version:
        raise BadInput(f"{path}: holds no chains; `agentflow record` makes them")
    if version != str(VERSION):
        raise BadInput(f"{path}: recorded by another version ({version}, this reads {VERSION})")
    for number, row in enumerate(table.to_pylist(), 1):
        yield f"row {number}", row


def _lines(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for number, row in numbered(path):
        extra = row.get("extra", {})
        if not isinstance(extra, dict) or "chain" in extra:
            yield f"line {number}", row


def from_row(row: dict[str, Any]) -> Chain:
    """A chain from a row of a file, or from the record of its run.

    Raises:
        KeyError, TypeError, ValueError, AttributeError: If it is none.
    """
    if "extra" in row:
        row = {**row["extra"]["chain"], "seed": row["seed"]}
    later = {"end", "controls"}  # files of earlier versions lack them
    known = {one.name for one in fields(Chain)} - later - {"checks"}
    end = row.get("end")
    values = {key: row[key] for key in known}
    values["checks"] = [_check_of(check) for check in row["checks"]]
    values["end"] = None if end is None else _check_of(end)
    values["controls"] = row.get("controls") or []
    return checked(Chain, values)


def _check_of(row: dict[str, Any]) -> Check:
    check = checked(Check, {**row, "controls": row.get("controls") or []})
    if not len(check.answers) == len(check.right) == len(check.lengths):
        raise ValueError(f"the check point at {check.end} has not as many answers as lengths")
    return check
