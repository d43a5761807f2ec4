"""Step-level evaluation: solutions whose first wrong step is known, and verifiers on them."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from hashlib import blake2b
from pathlib import Path
from time import monotonic
from typing import Any

from agentflow import models
from agentflow.domains import Domain
from agentflow.errors import AgentflowError, BadInput, MissingCapability
from agentflow.evaluation import hub, tables
from agentflow.evaluation.records import alone, append, arm_line, read, refuse_others
from agentflow.ledger import by_role
from agentflow.models import Model
from agentflow.models.metered import Metered
from agentflow.problem import Problem
from agentflow.verdict import Verdict
from agentflow.verifiers import SolutionVerifier

_SHOWN = 10
"""Rows that a refusal lists."""

Ask = Callable[[str], Awaitable[Metered]]
"""Finds the model, counted under a role."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One solution.

    Attributes:
        problem: What it solves.
        steps: The solution, as the dataset cuts it.
        label: 0-based index of the first wrong step, -1 for none.
    """

    problem: Problem
    steps: tuple[str, ...]
    label: int

    @property
    def digest(self) -> str:
        """What tells it from all others."""
        text = json.dumps([self.problem.id, self.problem.text, self.steps, self.label])
        return blake2b(text.encode(), digest_size=8).hexdigest()


@dataclass(frozen=True, slots=True)
class Arm:
    """A verifier under a name.

    Attributes:
        method: What kind it is.
        build: The verifier, given its model.
        settings: What else its records depend on.
    """

    name: str
    method: str
    build: Callable[[Ask], SolutionVerifier]
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Record:
    """What a verifier made of a sample.

    Attributes:
        id: The sample's; ``digest`` tells it from another under the same id.
        predicted: The index it came to, -1 for none, None where it named none.
        kind: Of the verdict: ``malformed``, ``too_long`` and the like; ``failed`` for a run that
            raised, with the reason in ``reason``.
        reason: The verdict's, which is the feedback.
        evidence: What the verdict rests on; of single replies only the ``outcomes``.
        ledger: The cost by role.
    """

    arm: str
    id: str
    digest: str
    label: int
    predicted: int | None
    kind: str
    reason: str
    evidence: dict[str, Any]
    ledger: dict[str, dict[str, Any]]
    seconds: float

    def count(self, what: str) -> int:
        """The sum over all roles of a count of the ledger (``prompt``, ``generated``, …)."""
        return sum(int(entry[what]) for entry in self.ledger.values())


def load(
    paths: Sequence[Path],
    domain: Domain | None = None,
    skipped: Callable[[str], None] = lambda row: None,
) -> list[Sample]:
    """The samples of tables (:mod:`~agentflow.evaluation.tables`), as ProcessBench (``problem``,
    ``steps``, ``label``, ``id``) or BIG-Bench-Mistake (``input``, ``steps``, ``mistake_index``)
    have them; or of :data:`~agentflow.evaluation.hub.STEPS`, by name; but for bad rows.

    Args:
        domain: Who parses the problems; None to take them as they are.
        skipped: Told of each row that is no such sample, or has the id of one before: its file,
            its place and why.

    Raises:
        BadInput: If a file cannot be read, or no row of them is such a sample: says why the first
            ones are none.
    """
    found: dict[str, Sample] = {}
    refused = list[str]()

    def refuse(path: Path, place: str, why: str) -> None:
        refused.append(f"{path}, {place}: {why}")

    for path in paths:
        known = hub.STEPS.get(str(path))
        for file in hub.download(known) if known else [path]:
            for place, row in tables.read(file, partial(refuse, path)):
                name = f"{path.stem}-{int(place.rpartition(' ')[2]) - 1}"
                try:
                    sample = _sample(row, name, domain)
                    if sample.problem.id in found:
                        raise ValueError(f"the id {sample.problem.id!r} was there before")
                except (ValueError, BadInput) as error:
                    refuse(path, place, str(error))
                else:
                    found[sample.problem.id] = sample
    if not found:
        more = [f"and {len(refused) - _SHOWN} more"] if len(refused) > _SHOWN else []
        raise BadInput(
            "; ".join([*refused[:_SHOWN], *more])
            or f"{', '.join(map(str, paths))}: no sample in it"
        )
    for one in refused:
        skipped(one)
    return list(found.values())


def _sample(row: tables.Row, name: str, domain: Domain | None) -> Sample:
    known = [
        (one, label)
        for one, label in (("problem", "label"), ("input", "mistake_index"))
        if one in row and label in row
    ]
    if not known or "steps" not in row:
        raise ValueError("needs problem, steps and label; or input, steps and mistake_index")
    text, label = row[known[0][0]], row[known[0][1]]
    steps = row["steps"]
    if not (isinstance(text, str) and text.strip()):
        raise ValueError(f"{known[0][0]} is no text")
    if not (isinstance(steps, list) and steps and all(isinstance(step, str) for step in steps)):
        raise ValueError("steps is no list of texts")
    if label is None:
        label = -1
    if type(label) is not int or not -1 <= label < len(steps):
        raise ValueError(f"{known[0][1]} is no index of one of {len(steps)} steps: {label!r}")
    id = str(row.get("id", name))
    problem = Problem(text, "", id) if domain is None else domain.parse(text, id)
    return Sample(problem, tuple(steps), label)


@alone
async def run(
    arms: Sequence[Arm],
    samples: Sequence[Sample],
    out: Path,
    *,
    model: str | Model = "embedded",
    concurrency: int = 1,
    on_record: Callable[[Record], None] = lambda record: None,
) -> list[Record]:
    """Judge what ``out`` does not hold yet, and again what failed; returns the records of these
    arms and samples.

    Args:
        out: A file of JSON lines: what each arm is, then a record a sample. One run at a time may
            write to it.
        model: Who is asked; a verifier that asks nobody needs none.
        concurrency: Samples at once.
        on_record: Told of each record as it is written.

    Raises:
        BadInput: If a line of ``out`` is not a record, an arm of it was begun with another model,
            version or settings, or it cannot be written; or the model cannot be used.
        MissingCapability: If the model cannot do what an arm needs.
        ModelUnavailable: If no server answers to begin with.
    """
    name = model if isinstance(model, str) else model.name
    lines = {arm.name: arm_line(arm.name, arm.method, arm.settings, name) for arm in arms}
    refuse_others(out, lines)
    records = {(record.arm, record.digest): record for record in load_records(out)}
    wanted = [(arm, sample) for sample in samples for arm in arms]
    todo = [
        (arm, sample)
        for arm, sample in wanted
        if (known := records.get((arm.name, sample.digest))) is None or known.kind == "failed"
    ]

    async def connected() -> Model:
        if isinstance(model, str):
            return await models.connect(model)
        await model.open()
        return model

    def tell(record: Record) -> None:
        records[record.arm, record.digest] = record
        on_record(record)

    if any(arm.method != "domain" for arm, _ in todo):
        await connected()  # no server: said once, before any record
    await append(
        out, lines, [partial(_judge, *which, connected) for which in todo], concurrency, tell
    )
    return [records[arm.name, sample.digest] for arm, sample in wanted]


def load_records(path: Path) -> list[Record]:
    """The records of a file, the last one of each sample; see :func:`records.read`."""
    found = read(path, Record)
    return list({(record.arm, record.digest): record for record in found}.values())


async def _judge(arm: Arm, sample: Sample, connected: Callable[[], Awaitable[Model]]) -> Record:
    meters: list[Metered] = []

    async def ask(role: str) -> Metered:
        meters.append(Metered(await connected(), role, sample.problem.id))
        return meters[-1]

    started = monotonic()
    try:
        verdict = await arm.build(ask).verify(sample.problem, sample.steps)
    except MissingCapability:  # every other sample would fail alike
        raise
    except AgentflowError as error:
        verdict = Verdict(None, str(error), "failed")
    entries = {key: entry for meter in meters for key, entry in meter.entries.items()}
    evidence = {key: value for key, value in verdict.evidence.items() if key != "runs"}
    if "runs" in verdict.evidence:
        evidence["outcomes"] = [one["index"] for one in verdict.evidence["runs"]]
    return Record(
        arm=arm.name,
        id=sample.problem.id,
        digest=sample.digest,
        label=sample.label,
        predicted=predicted(verdict),
        kind=verdict.kind,
        reason=verdict.reason,
        evidence=evidence,
        ledger={role: asdict(entry) for role, entry in by_role(entries).items()},
        seconds=round(monotonic() - started, 4),
    )


def predicted(verdict: Verdict) -> int | None:
    """The index a verdict comes to: -1 also where a verifier found nothing wrong but could not
    tell of everything, None where it named no step."""
    if verdict.ok is False:
        return verdict.first_wrong_step
    return -1 if verdict.ok or verdict.kind == "cannot_tell" else None
