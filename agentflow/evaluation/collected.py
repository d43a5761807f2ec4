"""The records of one comparison, from one file or several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agentflow.errors import BadInput
from agentflow.evaluation import plan, runner, traces
from agentflow.evaluation.compute import Size
from agentflow.evaluation.records import described
from agentflow.evaluation.runner import Record
from agentflow.evaluation.verdicts import STEPWISE
from agentflow.graphs import VERIFIERS


@dataclass(slots=True)
class Collected:
    """Records that may be compared.

    Attributes:
        arms: What each arm is, as its line in the records says, in the order they were found.
        records: Of each arm.
        planned: Runs that each arm is to have, where that was written down.
        sizes: Of each arm's models, as :class:`~agentflow.evaluation.plan.Plan` has them.
        traces: Of each arm, the folder of its trace files.
        dataset: Its name; empty where it was not written down.
    """

    arms: dict[str, dict[str, Any]] = field(default_factory=dict)
    records: dict[str, list[Record]] = field(default_factory=dict)
    planned: dict[str, int] = field(default_factory=dict)
    sizes: dict[str, dict[str, Size | str]] = field(default_factory=dict)
    traces: dict[str, Path] = field(default_factory=dict)
    dataset: str = ""

    def finished(self, arm: str) -> list[Record]:
        """The records of an arm but for runs that failed."""
        return [record for record in self.records[arm] if not record.failed]

    @property
    def unfinished(self) -> dict[str, tuple[int, int, int]]:
        """(runs there are, runs there should be, runs that failed) of arms where these differ.

        Where nothing was written down, every arm should have all runs that any of them has.
        """
        runs = {(r.problem, r.seed) for found in self.records.values() for r in found}
        found = {}
        for arm, records in self.records.items():
            there, wanted = len(self.finished(arm)), self.planned.get(arm, len(runs))
            if there < wanted:
                found[arm] = there, wanted, len(records) - there
        return found


def files(paths: Sequence[Path]) -> list[Path]:
    """The files of records that are named, or lie in folders that are.

    Raises:
        BadInput: If one is not there, or a folder has none.
    """
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(path.glob("*.jsonl"))
            if not inside:
                raise BadInput(f"{path}: no records (*.jsonl) in it; `agentflow eval` writes them")
            found += inside
        elif path.is_file():
            found.append(path)
        else:
            raise BadInput(f"{path}: no such file or folder; `agentflow eval` writes records")
    return list(dict.fromkeys(found))


def collect(paths: Sequence[Path]) -> Collected:
    """The records of files and folders.

    Raises:
        BadInput: If a file is none of records or has none, or two of them cannot be compared: they
            have another version, another dataset, no problem in common, a problem that has changed,
            or another arm of the same name.
    """
    found, first = Collected(), Path()
    for path in files(paths):
        first = first if found.arms else path
        _add(found, path, first)
    return found


def _add(found: Collected, path: Path, first: Path) -> None:
    arms = described(path)
    if not arms:
        raise BadInput(f"{path}: no records of `agentflow eval`")
    if any(line["method"] in {*VERIFIERS, *STEPWISE} for line in arms.values()):
        raise BadInput(
            f"{path}: verdicts of a verifier, not runs of `agentflow eval`; the command that wrote "
            "them prints their table again with --resume"
        )
    records = runner.load(path)
    if not records:
        raise BadInput(f"{path}: no records of `agentflow eval` yet")
    versions = {line["version"] for line in [*found.arms.values(), *arms.values()]}
    if len(versions) > 1:
        raise BadInput(
            f"{path}: its runs are of agentflow {' and '.join(sorted(versions))}, those of {first} "
            "among them; a report compares runs of one version"
        )
    planned = plan.read(path)
    name = planned.dataset if planned else ""
    if name and found.dataset and name != found.dataset:
        raise BadInput(f"{path}: is on the dataset {name}, {first} on {found.dataset}")
    known = {r.problem: r.extra.get("source") for one in found.records.values() for r in one}
    if known and not known.keys() & {record.problem for record in records}:
        raise BadInput(f"{path}: has no problem in common with {first}: another dataset")
    for record in records:
        theirs, ours = known.get(record.problem), record.extra.get("source")
        if theirs and ours and theirs != ours:
            raise BadInput(
                f"{path}: its problem {record.problem[:60]!r} has another gold answer, type, "
                f"difficulty or domain than in {first} or beside it: the dataset has changed"
            )
    for arm, line in arms.items():
        if arm in found.arms:
            raise BadInput(f"{path}: the arm {arm!r} is in {first} or beside it, too; rename one")
        of_arm = [record for record in records if record.arm == arm]
        if not of_arm:  # begun, and nothing has come of it yet
            continue
        found.arms[arm], found.records[arm] = line, of_arm
        found.traces[arm] = traces.folder_of(path)
        found.sizes[arm] = planned.sizes.get(arm, {}) if planned else {}
        if planned and arm in planned.runs:
            found.planned[arm] = planned.runs[arm]
    found.dataset = found.dataset or name
