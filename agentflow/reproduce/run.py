"""One runner for all manifests: which parts and arms are run, and what is said of every cell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from agentflow import models
from agentflow.errors import BadInput, known
from agentflow.evaluation import require
from agentflow.evaluation.intervals import Interval
from agentflow.problem import Problem
from agentflow.reproduce import compare, kinds
from agentflow.reproduce.compare import Cell
from agentflow.reproduce.kinds import Options, Outcome
from agentflow.reproduce.manifest import Arm, Manifest, Part


@dataclass(slots=True)
class Reproduced:
    """What came of a manifest.

    Attributes:
        cells: Every figure, ours beside the paper's.
        curves: For the plot: part -> arm -> (tokens, accuracy).
        failed: Why runs failed.
    """

    cells: list[Cell] = field(default_factory=list)
    curves: dict[str, dict[str, list[tuple[float, float]]]] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)


def folder(out: Path, manifest: Manifest) -> Path:
    """Where the records of a manifest are: those that share their runs have one folder."""
    return out / manifest.runs


async def reproduce(
    manifest: Manifest,
    options: Options,
    *,
    parts: Sequence[str] = (),
    arms: Sequence[str] = (),
) -> Reproduced:
    """Run what the records do not hold yet, and put ours beside the paper's.

    Args:
        parts, arms: Those that are run; none for all that the model can be asked about.

    Raises:
        BadInput: If a part or an arm is unknown, a setting or the data cannot be used, or the
            records were begun otherwise.
        MissingCapability: If the model cannot do what an arm needs.
        ModelUnavailable: If no server answers.
    """
    require("comparisons", "scipy")
    _known("part", parts, [one.name for one in manifest.parts])
    _known("arm", arms, [one.name for one in manifest.arms])
    name = await _served(options)
    roots, other = chosen(manifest, name, options)
    roots = [one for one in roots if not parts or one.name in parts]
    found, outcomes = Reproduced(), dict[str, Outcome]()
    for part in roots:
        wanted = [arm for arm in runnable(manifest, part, options) if not arms or arm.name in arms]
        for arm in wanted:
            kinds.see(manifest, arm, options)
        if not wanted:
            continue
        out = folder(options.out, manifest) / f"{_plain(part.name)}.jsonl"
        outcome = await kinds.KINDS[manifest.kind](manifest, part, wanted, options, out)
        outcomes[part.name] = outcome
        found.failed += outcome.failed
        if outcome.curves:
            found.curves[part.name] = outcome.curves
    for part in manifest.parts:
        if parts and not {part.name, manifest.root(part).name} & {*parts}:
            continue
        outcome_ = outcomes.get(manifest.root(part).name)
        for arm in manifest.arms_of(part):
            if arms and arm.name not in arms:
                continue
            found.cells += _cells(manifest, part, arm, outcome_, options, other)
    return found


def _cells(
    manifest: Manifest, part: Part, arm: Arm, outcome: Outcome | None, options: Options, other: str
) -> list[Cell]:
    cells = []
    for metric in manifest.metrics:
        ours: Interval | None = None
        why = _not_run(manifest, part, arm, outcome, options)
        if outcome is not None and not why:
            ours = outcome.measure(metric, arm, _where(part, outcome))
            why = "nothing tells" if ours is None else _why(manifest, part, arm, metric, options, other)
        if ours is None and metric not in manifest.figures:
            continue
        cells.append(compare.cell(manifest, part.name, arm.name, metric, ours, why))
    return cells


def _where(part: Part, outcome: Outcome) -> Callable[[str], bool]:
    """Which problems of the runs are a part's."""

    def where(text: str) -> bool:
        problem = outcome.problems.get(text)
        about = _about(problem) if problem else {}
        return all(str(about.get(key)) == value for key, value in part.where.items())

    return where


def _about(problem: Problem) -> dict[str, object]:
    found: dict[str, object] = problem.data.get("row", {})
    return found


def _why(
    manifest: Manifest, part: Part, arm: Arm, metric: str, options: Options, other: str
) -> str:
    """Why a figure of ours is not what the paper measured."""
    if options.stand_in:
        return "a stand-in: other problems, and one model in all roles"
    if options.settings:
        other = "; ".join([*([other] if other else []), "settings of your own"])
    return "; ".join(filter(None, [other, manifest.why_not(metric, part.name, arm.name)]))


def _not_run(
    manifest: Manifest, part: Part, arm: Arm, outcome: Outcome | None, options: Options
) -> str:
    if outcome is None:
        model = manifest.solver(part).name
        return "not in the stand-in" if options.stand_in else f"needs the model {model}"
    if arm not in runnable(manifest, manifest.root(part), options):
        return lacks if (lacks := kinds.lacking(manifest, arm, options)) else "not in the stand-in"
    return ""


def runnable(manifest: Manifest, part: Part, options: Options) -> list[Arm]:
    """The arms of a part that can be run."""
    names = manifest.stand_in.arms if options.stand_in else ()
    return [
        arm
        for arm in manifest.arms_of(part)
        if (not names or arm.name in names) and not kinds.lacking(manifest, arm, options)
    ]


def chosen(manifest: Manifest, served: str, options: Options) -> tuple[list[Part], str]:
    """(the parts that a model is asked about, what is other about it): those that the paper ran on
    this model; where there are none, those of the paper's first one, and what is other is said."""
    roots = [part for part in manifest.parts if not part.of]
    if options.stand_in and manifest.stand_in.parts:
        return [part for part in roots if part.name in manifest.stand_in.parts], ""
    ours = [part for part in roots if alike(served, manifest.solver(part).name)]
    if ours:
        return ours, ""
    first = manifest.solver(roots[0])
    same = [part for part in roots if manifest.solver(part) == first]
    return same, f"another model: {served} for {first.name}"


def alike(served: str, paper: str) -> bool:
    """Whether a served model is the paper's, by its name."""
    name = paper.rpartition("/")[2].lower()
    return name in served.lower().rpartition("/")[2]


async def _served(options: Options) -> str:
    """The name of the model that solves."""
    at = options.servers[0] if options.servers else options.model
    return (await models.connect(at)).name if isinstance(at, str) else at.name


def _known(what: str, given: Sequence[str], names: Sequence[str]) -> None:
    for one in given:
        if one not in names:
            raise BadInput(f"unknown {what} {one[:60]!r}; {known(one, names)}")


def _plain(name: str) -> str:
    """A part's name as that of a file."""
    return "".join(sign if sign.isalnum() else "-" for sign in name).strip("-").lower()
