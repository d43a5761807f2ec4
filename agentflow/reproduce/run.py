"""One runner for all manifests: which parts and arms are run, and what is said of every cell."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import hypot
from pathlib import Path

from agentflow import models
from agentflow.errors import BadInput, known
from agentflow.evaluation import require
from agentflow.evaluation.intervals import Interval
from agentflow.files import unwritable
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
        problems: Of each part that was run, how many there were, and how many the paper had.
        failed: Why runs failed.
    """

    cells: list[Cell] = field(default_factory=list)
    curves: dict[str, dict[str, list[tuple[float, float]]]] = field(default_factory=dict)
    problems: dict[str, tuple[int, int]] = field(default_factory=dict)
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
    own = frozenset(key for key, one in manifest.models.items() if alike(name, one.name))
    options = replace(options, own=own)
    roots, other = chosen(manifest, name, options)
    roots = [one for one in roots if not parts or one.name in parts]
    found, outcomes = Reproduced(), dict[str, Outcome]()
    for part in roots:
        wanted = [arm for arm in runnable(manifest, part, options) if not arms or arm.name in arms]
        if not wanted:
            continue
        outcome = outcomes[part.name] = await _outcome(manifest, part, wanted, options)
        found.problems[part.name] = len(outcome.problems), part.size
        found.failed += outcome.failed
        if outcome.curves:
            found.curves[part.name] = outcome.curves
    for part in manifest.parts:
        if parts and not {part.name, manifest.root(part).name, *part.over} & {*parts}:
            continue
        for arm in manifest.arms_of(part):
            if arms and arm.name not in arms:
                continue
            for metric in manifest.metrics:
                one = _cell(manifest, part, arm, metric, outcomes, options, other)
                if one.ours is not None or one.paper is not None:
                    found.cells.append(one)
    return found


async def _outcome(
    manifest: Manifest, part: Part, arms: Sequence[Arm], options: Options
) -> Outcome:
    """What the arms come to on a part; only what the records do not hold yet is run."""
    for arm in arms:
        kinds.see(manifest, arm, options)
    out = folder(options.out, manifest) / f"{_plain(part.name)}.jsonl"
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(out.parent, error) from error
    return await kinds.KINDS[manifest.kind](manifest, part, arms, options, out)


def _cell(
    manifest: Manifest,
    part: Part,
    arm: Arm,
    metric: str,
    outcomes: Mapping[str, Outcome],
    options: Options,
    other: str,
) -> Cell:
    """A figure of ours beside the paper's."""
    parts = [one for one in manifest.parts if one.name in part.over] or [part]
    whys = [_not_run(manifest, one, arm, outcomes, options) for one in parts]
    why = next(filter(None, whys), "")
    ours: Interval | None = None
    if not why:
        found = [_measured(manifest, one, arm, metric, outcomes) for one in parts]
        told = [one for one in found if one is not None]
        ours = _mean(told) if len(told) == len(parts) else None
        why = _why(manifest, part, arm, metric, options, other) if ours else "nothing tells"
    return compare.cell(manifest, part.name, arm.name, metric, ours, why)


def _measured(
    manifest: Manifest, part: Part, arm: Arm, metric: str, outcomes: Mapping[str, Outcome]
) -> Interval | None:
    outcome = outcomes[manifest.root(part).name]
    return outcome.measure(metric, arm, _where(part, outcome))


def _mean(found: Sequence[Interval]) -> Interval:
    """The mean of figures that were measured on different problems."""
    count = len(found)
    value = sum(one.value for one in found) / count
    down = hypot(*(one.value - one.low for one in found)) / count
    up = hypot(*(one.high - one.value for one in found)) / count
    return found[0] if count == 1 else Interval(value, value - down, value + up)


def _where(part: Part, outcome: Outcome) -> Callable[[str], bool]:
    """Which problems of the runs are a part's."""

    def where(text: str) -> bool:
        problem = outcome.problems.get(text)
        about = problem.data if problem else {}
        return all(str(about.get(key)) == value for key, value in part.where.items())

    return where


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
    manifest: Manifest, part: Part, arm: Arm, outcomes: Mapping[str, Outcome], options: Options
) -> str:
    """Why a figure of ours is not there."""
    root = manifest.root(part)
    if not arm.method:
        return manifest.why_not("", "", arm.name) or "none of our methods"
    if lacks := kinds.lacking(manifest, arm, options):
        return lacks
    if options.stand_in and (
        root.name not in outcomes or arm not in runnable(manifest, root, options)
    ):
        return "not in the stand-in"
    return "" if root.name in outcomes else f"needs the model {manifest.solver(part).name}"


def runnable(manifest: Manifest, part: Part, options: Options) -> list[Arm]:
    """The arms of a part that can be run."""
    names = manifest.stand_in.arms if options.stand_in else ()
    return [
        arm
        for arm in manifest.arms_of(part)
        if arm.method
        and (not names or arm.name in names)
        and not kinds.lacking(manifest, arm, options)
    ]


def chosen(manifest: Manifest, served: str, options: Options) -> tuple[list[Part], str]:
    """(the parts that a model is asked about, what is other about it): those that the paper ran on
    this model; where there are none, those of the paper's first one, and what is other is said."""
    roots = [part for part in manifest.parts if part.dataset]
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
