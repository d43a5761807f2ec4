"""The sample that agrees with most others, as a model finds that is shown all of them (universal
self-consistency, Chen et al. 2023)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import Field

from agentflow.channels import Sample
from agentflow.errors import Exhausted, Refused
from agentflow.ledger import Entries
from agentflow.models.structured import Reply, Whole
from agentflow.nodes.asking import ask_role_json
from agentflow.nodes.run import Run
from agentflow.nodes.solution import fitting, unmarked
from agentflow.nodes.surviving import FAILURES, asked_under, raise_again

_NAME = "consistent"


class MostConsistent(Reply):
    """Which of several solutions agrees with most of the others, and why."""

    reason: str
    number: Whole = Field(ge=1)


@dataclass(frozen=True, slots=True)
class Found:
    """What came of the question.

    Attributes:
        sample: The sample that was named; None for none.
        reason: Of how many it was chosen, or why none was named.
        error: What failed for good.
        limit: Which limit of the run left no room for it.
        refused: Whether a server refused it.
        entries: What it cost.
    """

    sample: Sample | None = None
    reason: str = ""
    error: str = ""
    limit: str = ""
    refused: bool = False
    entries: Entries = field(default_factory=dict)


async def most_consistent(run: Run[Any], samples: Sequence[Sample]) -> Found:
    """Show a model (role verifier) the samples by their branches, as many as fit into about half of
    its context. One alone is not asked about."""
    ordered = sorted(samples, key=lambda one: one.branch)
    if len(ordered) == 1:
        return Found(ordered[0], "the only one")
    texts = [
        f"[Solution {number}]\n{unmarked(run, one.operations)}"
        for number, one in enumerate(ordered, 1)
    ]
    try:
        texts = fitting(texts, (await run.model("verifier", "verifier")).profile.context)
        fields = {"solutions": "\n\n".join(texts)}
        reply, entries = await ask_role_json(run, ("sampling", _NAME), fields, MostConsistent)
    except FAILURES as error:
        raise_again(error, run.runtime)
        return _failed(run, error)
    number = reply.value.number if reply.value else 0
    if 0 < number <= len(texts):
        named = f"the most consistent of {len(texts)} samples"
        return Found(ordered[number - 1], named, entries=entries)
    why = reply.error or f"there is no solution {number}"
    return Found(None, why, limit=run.budget.over, entries=entries)


def _failed(run: Run[Any], error: Exception) -> Found:
    """What came of a request that failed."""
    spent = asked_under(run, f"{run.branch}/{_NAME}/")
    why, refused = str(error), isinstance(error, Refused)
    if isinstance(error, Exhausted):
        return Found(None, why, limit=why, entries=spent)
    return Found(None, why, error=why, refused=refused, entries=spent)
