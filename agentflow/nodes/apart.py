"""What two programs give on inputs that tell them apart (Li et al. 2025, "S*: Test Time Scaling for
Code Generation", section 3.2).

    larger(1, 2)    the first gives 1, the second 2

A model that is shown two programs finds it hard to say which one is right. It is easier to say for
what input they may differ, and once both were run, which of two values is right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import Field

from agentflow.channels import Sample
from agentflow.domains import Domain
from agentflow.ledger import Entries
from agentflow.models.structured import Reply, Wording
from agentflow.nodes.asking import ask_role_json
from agentflow.nodes.run import Run
from agentflow.problem import Problem
from agentflow.settings import Settings
from agentflow.together import together
from agentflow.tools.sandbox.errors import SandboxUnavailable

_SHOWN = 500
"""Characters of what a program gives that are shown."""


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
            "inputs needs a problem whose answer is a program that can be run, and this one of "
            f"{domain.name} is none; use domain=python, or inputs=0"
        )


class Calls(Reply):
    """Calls of a function, each with its arguments written out, or inputs of a program."""

    calls: list[Wording]


@dataclass(frozen=True, slots=True)
class Runs:
    """What two programs gave.

    Attributes:
        differ: (call, what the first gives, what the second gives), where these are not the same.
        alike: How many calls gave the same, where none gave something else.
        entries: What the question cost.
    """

    differ: Sequence[tuple[str, str, str]] = ()
    alike: int = 0
    entries: Entries = field(default_factory=dict)

    def text(self, *, turned: bool) -> str:
        """The runs in words; ``turned`` where the second program stands first."""
        told = list[str]()
        for call, *gave in self.differ:
            one, other = (it[:_SHOWN] for it in (gave[::-1] if turned else gave))
            told.append(f"{call}\n  solution 1: {one}\n  solution 2: {other}")
        return "\n".join(told)


async def told_apart(
    run: Run[Any], both: Sequence[Sample], texts: Sequence[str], number: int
) -> Runs:
    """Have a model (role verifier) write calls for two programs, and run both on them; nothing
    where it writes none that can be run, or nothing can be run here.

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
    calls = list(dict.fromkeys(reply.value.calls))[:count] if reply.value else []
    try:
        outcomes = await together(domain.outcomes(problem, it.said or "", calls) for it in both)
    except SandboxUnavailable:
        return Runs(entries=entries)
    told = [found for found in zip(calls, *outcomes, strict=True) if all(found)]
    differ = [(call, first, second) for call, first, second in told if first != second]
    return Runs(differ, 0 if differ else len(told), entries)
