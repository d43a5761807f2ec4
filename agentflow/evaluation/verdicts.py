"""Verifiers of whole solutions on recorded ones: one record a solution."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

from agentflow import models
from agentflow.api import ajudge, settings_for
from agentflow.errors import AgentflowError, MissingCapability
from agentflow.evaluation.recorded_solutions import Solution
from agentflow.evaluation.records import alone, append, arm_line, read, refuse_others
from agentflow.evaluation.runner import Arm
from agentflow.ledger import Entries, by_role
from agentflow.models import Model
from agentflow.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Record:
    """What a verifier said of a solution.

    Attributes:
        id: The problem's; ``digest`` tells the solution from all others.
        domain, type, difficulty: Of the problem.
        right: Whether the solution is right.
        ok, kind, reason, score, evidence: The verdict's; ``kind`` is ``failed`` for a run that
            raised, with the reason in ``reason``.
        ledger: The cost by role.
    """

    arm: str
    id: str
    digest: str
    domain: str
    type: str
    difficulty: str
    right: bool
    ok: bool | None
    kind: str
    reason: str
    score: float | None
    evidence: dict[str, Any]
    ledger: dict[str, dict[str, Any]]
    seconds: float

    @property
    def correct(self) -> bool:
        """Whether the verdict is right; one that could not be decided is not."""
        return self.ok is self.right


@alone
async def run(
    arm: Arm,
    solutions: Sequence[Solution],
    out: Path,
    *,
    model: str | Model | Mapping[str, Model] = "embedded",
    concurrency: int = 1,
    on_record: Callable[[Record], None] = lambda record: None,
) -> list[Record]:
    """Judge what ``out`` does not hold yet, and again what failed; returns the records of this arm
    and these solutions.

    Args:
        arm: Its method is a verifier of :data:`agentflow.graphs.VERIFIERS`.
        out: A file of JSON lines: what each arm is, then a record a solution. One run at a time may
            write to it.
        concurrency: Solutions at once.
        on_record: Told of each record as it is written.

    Raises:
        BadInput: If a line of ``out`` is not a record, the arm was begun in it with another model,
            version or settings, or it cannot be written; or the verifier, its settings or the model
            cannot be used.
        MissingCapability: If the model cannot do what the verifier needs.
        ModelUnavailable: If no server answers to begin with.
    """
    own = {"model": model} if isinstance(model, str) else {}
    settings = settings_for(arm.method, **{**arm.settings, **own})
    name = model if isinstance(model, str) else _name(model)
    lines = {arm.name: arm_line(arm.name, arm.method, arm.settings, name)}
    refuse_others(out, lines)
    records = {one.digest: one for one in load(out) if one.arm == arm.name}
    todo = [
        one
        for one in solutions
        if (known := records.get(one.digest)) is None or known.kind == "failed"
    ]
    if todo and isinstance(model, str):  # no server: said once, before any record
        servers = settings.roles.get("verifier") or settings.model
        await models.connect(servers, idle_timeout=settings.idle_timeout)

    def tell(record: Record) -> None:
        records[record.digest] = record
        on_record(record)

    jobs = [partial(_judge, arm, one, model) for one in todo]
    await append(out, lines, jobs, concurrency, tell)
    return [records[one.digest] for one in solutions]


def load(path: Path) -> list[Record]:
    """The records of a file, the last one of each solution; see :func:`records.read`."""
    return list({(one.arm, one.digest): one for one in read(path, Record)}.values())


def _name(model: Model | Mapping[str, Model]) -> str:
    return (
        ", ".join(one.name for one in model.values()) if isinstance(model, Mapping) else model.name
    )


async def _judge(arm: Arm, one: Solution, model: Any) -> Record:
    problem, started = one.problem, monotonic()
    settings = {**arm.settings, "domain": problem.domain}
    entries: Entries = {}
    try:
        verdict, entries = await ajudge(
            asdict(problem), one.given, arm.method, model=model, **settings
        )
    except MissingCapability:  # every other solution would fail alike
        raise
    except AgentflowError as error:
        verdict = Verdict(None, str(error), "failed")
    return Record(
        arm=arm.name,
        id=problem.id,
        digest=one.digest,
        domain=problem.domain,
        type=one.type,
        difficulty=one.difficulty,
        right=one.right,
        ok=verdict.ok,
        kind=verdict.kind,
        reason=verdict.reason,
        score=verdict.score,
        evidence=verdict.evidence,
        ledger={role: asdict(entry) for role, entry in by_role(entries).items()},
        seconds=round(monotonic() - started, 4),
    )
