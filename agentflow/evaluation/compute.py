"""What inference cost, whatever machine it ran on (adaptive compute, section 2, appendix A.1)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

from agentflow.errors import BadInput
from agentflow.ledger import by_role
from agentflow.models.http import HTTPModel

ALPHA = 0.1
"""What an auxiliary call weighs beside a generation."""

KAPPA = 1e6
"""Normalises the intensity."""

BASE = ("solver", "rollout", "judge")
"""Roles of the base model's own generations; every other call is the controller's (planner,
selector), a reward model's, or of another verifier: auxiliary. What judges in adaptive compute,
critiques and verifiers, are tools that the base model writes steps with (section 2: "only produce
additional reasoning steps")."""

_NAMED = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)([bm])(?![a-z0-9])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Size:
    """A served model's size.

    Attributes:
        parameters: How many it has.
        context: Tokens it can hold.
    """

    parameters: float
    context: int


@dataclass(frozen=True, slots=True)
class Compute:
    """What a problem costs in the mean.

    Attributes:
        flops: F_theo: over roles, 2 x parameters x tokens a call (prompt and generated, at most
            the context) x calls. Prompts count whole, also where an engine has them in its cache.
        intensity: S_CI: generations x generated tokens a generation x (1 + 0.1 auxiliary) / 1e6.
        generations: Calls of the base model.
        tokens: Tokens generated in one of them.
        auxiliary: Calls of all other models.
    """

    flops: float
    intensity: float
    generations: float
    tokens: float
    auxiliary: float


def compute(
    ledgers: Sequence[Mapping[str, Mapping[str, Any]]],
    sizes: Mapping[str, Size],
    base: Iterable[str] = BASE,
) -> Compute:
    """The cost of runs, one a problem, from their ledgers. Tools are no models and cost nothing.

    The text's averages are taken as it says: tokens a call over all calls of a role, calls over
    all problems. Tables 5 and 6 of the text give neither, so only their ratio can be checked.

    Args:
        sizes: By role; a role that is not there has the solver's model.
        base: Roles that count as the base model's own.

    Raises:
        ValueError: If there are no runs.
        KeyError: If the solver's size is missing.
    """
    if not ledgers:
        raise ValueError("no runs to take the mean of")
    calls = {f"{n}/{key}": entry for n, one in enumerate(ledgers) for key, entry in one.items()}
    roles = {
        role: entry
        for role, entry in by_role(calls).items()
        if entry.calls and not role.startswith("tool:")
    }
    problems, own = len(ledgers), set(base)
    flops = 0.0
    for role, entry in roles.items():
        size = sizes.get(role) or sizes["solver"]
        tokens = (entry.prompt + entry.generated) / entry.calls
        flops += 2 * size.parameters * min(tokens, size.context) * entry.calls
    generations = sum(entry.calls for role, entry in roles.items() if role in own)
    generated = sum(entry.generated for role, entry in roles.items() if role in own)
    auxiliary = sum(entry.calls for role, entry in roles.items() if role not in own) / problems
    return Compute(
        flops / problems,
        intensity(generations / problems, generated / max(1, generations), auxiliary),
        generations / problems,
        generated / max(1, generations),
        auxiliary,
    )


def intensity(generations: float, tokens: float, auxiliary: float) -> float:
    """S_CI of a problem's generations, generated tokens in each, and auxiliary calls."""
    return generations * tokens * (1 + ALPHA * auxiliary) / KAPPA


def size_of(model: HTTPModel) -> Size:
    """The size of an opened model, as its server tells it.

    llama.cpp says how many parameters there are; of vLLM's models their weights are counted where
    they lie on this machine, else the name is read (``7B``), which is a round figure.

    Raises:
        BadInput: If none of that tells.
    """
    found = model.parameters or _weights(model.root) or named_parameters(model.root or model.name)
    if found is None:
        raise BadInput(
            f"{model.base_url} does not say how many parameters {model.name} has; give its size"
        )
    return Size(found, model.profile.context)


def named_parameters(name: str) -> float | None:
    """The number of parameters in a model's name, such as ``Qwen2.5-7B``; None if there is none."""
    found = _NAMED.findall(name.replace("-", " ").replace("_", " ").replace("/", " "))
    if not found:
        return None
    number, unit = found[-1]
    return float(number) * {"b": 1e9, "m": 1e6}[unit.lower()]


def _weights(folder: str) -> float | None:
    """The number of weights in a folder of safetensors; None if there are none."""
    files = sorted(Path(folder).glob("*.safetensors")) if folder else []
    count = 0
    for path in files:
        with path.open("rb") as file:
            header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        count += sum(prod(t["shape"]) for name, t in header.items() if name != "__metadata__")
    return float(count) or None
