"""What a file of records is meant to hold, said beside it: so that a report can tell whether it is
whole, and which models it cost."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from agentflow import models
from agentflow.arguments import settings_for
from agentflow.errors import AgentflowError, BadInput
from agentflow.evaluation.checked import checked
from agentflow.evaluation.compute import Size, size_of
from agentflow.evaluation.records import Arm
from agentflow.files import write_whole
from agentflow.models import Model
from agentflow.models.http import HTTPModel
from agentflow.settings import Settings
from agentflow.strict_json import dumps

T = TypeVar("T")

COUNTED_AS: dict[str, tuple[str, ...]] = {
    "solver": ("solver",),
    "verifier": (
        "verifier",
        *(f"verifier-{kind}" for kind in ("fast", "slow", "meta", "act", "reflect")),
        "judge",
    ),
    "planner": ("planner", "selector"),
    "prm": ("prm",),
    "proxy": ("probe", "rollout", "elicit", "draft"),
}
"""The ledger's roles that each role's model is counted under."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be run.

    Attributes:
        dataset: As it was named.
        runs: How many, for each arm.
        sizes: Of the models of each arm, by role in the ledger; where one is not known, why.
    """

    dataset: str
    runs: dict[str, int] = field(default_factory=dict)
    sizes: dict[str, dict[str, Size | str]] = field(default_factory=dict)


def path_of(out: Path) -> Path:
    """Where the plan of a file of records is: beside it."""
    return out.with_name(f"{out.stem}.plan.json")


def read(out: Path) -> Plan | None:
    """The plan of a file of records; None if there is none, or no such file: then a start that
    failed left the plan.

    Raises:
        BadInput: If it cannot be read.
    """
    path = path_of(out)
    if not (out.exists() and path.exists()):
        return None
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        sizes = {
            arm: {
                role: size if isinstance(size, str) else checked(Size, size)
                for role, size in by.items()
            }
            for arm, by in found["sizes"].items()
        }
        return checked(Plan, {**found, "sizes": sizes})
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise BadInput(f"{path}: no plan of a run; remove it to report without one") from error


def begun(out: Path, dataset: str) -> Plan:
    """The plan that ``out`` was begun with on a dataset; an empty one where there is none.

    Raises:
        BadInput: If it was begun on another dataset.
    """
    plan = read(out) or Plan(dataset)
    if plan.dataset != dataset:
        raise BadInput(
            f"{out}: was begun on the dataset {plan.dataset}, not {dataset}; name another file"
        )
    return plan


def begin(out: Path, dataset: str, runs: Mapping[str, int]) -> None:
    """Write down what is to be run into ``out``, beside what was planned before; nothing where that
    says it already, so that who goes on waits for room where the disk is full.

    Raises:
        BadInput: If it was begun on another dataset, or cannot be written.
    """
    plan = begun(out, dataset)
    if plan.runs | dict(runs) != plan.runs:
        _write(out, replace(plan, runs={**plan.runs, **runs}))


async def sized(running: Awaitable[T], out: Path, arms: Sequence[Arm], model: str) -> T:
    """What a run comes to; the sizes of its models are written down behind it, while they are
    still open."""
    done = await running
    plan = read(out)
    if plan is not None and (new := [arm for arm in arms if arm.name not in plan.sizes]):
        sizes = {
            arm.name: await _sizes(settings_for(arm.method, **arm.settings), model) for arm in new
        }
        _write(out, replace(plan, sizes={**plan.sizes, **sizes}))
    return done


async def _sizes(settings: Settings, model: str) -> dict[str, Size | str]:
    servers: dict[Any, Any] = {**settings.roles, "solver": model}
    found: dict[str, Size | str] = {}
    if settings.members:
        del servers["solver"]
        found["solver"] = "several models solve by turns, and none has the size of all"
    for role, at in servers.items():
        try:
            size: Size | str = _size(await models.connect(at, idle_timeout=settings.idle_timeout))
        except AgentflowError as error:
            size = str(error)
        found |= dict.fromkeys(COUNTED_AS[role], size)
    return found


def _size(model: Model) -> Size | str:
    if isinstance(model, HTTPModel):
        return size_of(model)
    return f"{model.name} does not say how many parameters it has"


def _write(out: Path, plan: Plan) -> None:
    write_whole(path_of(out), dumps(asdict(plan)).encode())
