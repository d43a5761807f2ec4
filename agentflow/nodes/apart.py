"""What two programs give on inputs that tell them apart (Li et al. 2025, "S*: Test Time Scaling for
Code Generation", section 3.2).

    larger(1, 2)    the first gives 1, the second 2

A model that is shown two programs finds it hard to say which one is right. It is easier to say for
what input they may differ, and once both were run, which of two values is right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from pydantic import Field

from agentflow.channels import Sample
from agentflow.domains import Domain
from agentflow.domains.protocol import NO_VALUE, RAISES
from agentflow.ledger import Entries
from agentflow.models.structured import Reply, Wording
from agentflow.nodes.asking import ask_role_json
from agentflow.nodes.run import Run
from agentflow.own_parts import listed_of
from agentflow.problem import Problem
from agentflow.settings import Settings
from agentflow.together import together
from agentflow.tools.sandbox.errors import SandboxUnavailable

_SHOWN, _CALLS = 500, 10
"""Characters of a call, and of what a program gives, that are shown; calls that are."""


class ApartSettings(Settings):
    """Settings of inputs that tell programs apart."""

    inputs: int = Field(
        default=0,
        ge=0,
        le=100,
        description="Calls of the function, or inputs of the program, that a model (role verifier) "
        "writes for every two programs that meet, to tell them apart: both are run on them, and "
        "who compares them is shown where they differ; those that give the same are even; 0 for "
        "none",
    )

    def unfit(self, domain: Domain, problem: Problem) -> str:
        if not self.inputs or domain.call_form(problem):
            return ""
        return (
            "inputs needs a problem whose answer is a program that can be run, as in the domain "
            f"python, and that of this one of {domain.name} is none; use inputs=0"
        )


class Calls(Reply):
    """Calls of a function, each with its arguments written out, or inputs of a program."""

    calls: list[Wording]


@dataclass(frozen=True, slots=True)
class Runs:
    """What two programs gave.

    Attributes:
        differ: (call, what the first gives, what the second gives), where these are not the same.
        alike: On how many calls both gave the same value, where they differ on none.
        why: Why nothing is known of them; empty where something is.
        entries: What the question cost.
    """

    differ: Sequence[tuple[str, str, str]] = ()
    alike: int = 0
    why: str = ""
    entries: Entries = field(default_factory=dict)

    def text(self, *, turned: bool) -> str:
        """The runs in words; ``turned`` where the second program stands first."""
        told = list[str]()
        for call, *gave in self.differ[:_CALLS]:
            asked = _shown(call) or "(an empty input)"
            one, other = parted(*(gave[::-1] if turned else gave))
            told.append(f"{asked}\n  solution 1: {_shown(one)}\n  solution 2: {_shown(other)}")
        return "\n".join(told)


def parted(one: str, other: str) -> tuple[str, str]:
    """Two texts; of long ones what stands from a little before the place where they part."""
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    at = same - _SHOWN // 2
    if at <= 0 or max(len(one), len(other)) <= _SHOWN:
        return one, other
    return f"... {one[at:]}", f"... {other[at:]}"


def _shown(text: str) -> str:
    """The beginning of a text; its further lines are indented, so that none is taken for ours."""
    text = text if len(text) <= _SHOWN else f"{text[:_SHOWN]} ..."
    return text.strip().replace("\n", "\n      ")


async def told_apart(
    run: Run[Any], both: Sequence[Sample], texts: Sequence[str], number: int
) -> Runs:
    """Have a model (role verifier) write calls for two programs, and run both on them.

    Args:
        texts: The solutions, as they are shown.
        number: Of the question, from 1.
    """
    count, (one, other) = run.settings.inputs, texts
    domain, problem = await run.domain(), run.problem
    fields: dict[str, Any] = {"one": one, "other": other, "count": count}
    fields["form"], room = domain.call_form(problem), 512 + 128 * count
    asked = ask_role_json(run, ("tournament", "apart"), fields, Calls, tokens=room, number=number)
    reply, entries = await asked
    if not (reply.value and reply.value.calls):
        return Runs(why=reply.error or "no call was written", entries=entries)
    calls = list(dict.fromkeys(reply.value.calls))[:count]
    try:
        said = (it.said or "" for it in both)
        outcomes = await together(
            listed_of(domain, "outcomes", str, problem, it, calls) for it in said
        )
    except SandboxUnavailable as error:
        return Runs(why=str(error), entries=entries)
    told = [(call, *gave) for call, *gave in zip(calls, *outcomes, strict=True) if all(gave)]
    differ = [(call, first, second) for call, first, second in told if first != second]
    values = [first for _, first, _ in told if not first.startswith((RAISES, NO_VALUE))]
    alike = 0 if differ else len(values)
    why = "" if differ or alike else f"on none of {len(calls)} calls both give a value"
    return Runs(differ, alike, why, entries)
