"""The sample that a model names which is shown all of them: the one that agrees with most others
(universal self-consistency, Chen et al. 2023), or the best (GenSelect, Toshniwal et al. 2025)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from agentflow import prompts
from agentflow.channels import Sample
from agentflow.models.structured import Reply, Whole
from agentflow.nodes.asking import ask_role_json
from agentflow.nodes.choice import Choice, failed
from agentflow.nodes.run import Run
from agentflow.nodes.solution import fitting, unmarked
from agentflow.nodes.surviving import FAILURES
from agentflow.verifiers.stance import agreeing, speaks_for

Asked = Literal["consistent", "selected"]
"""For which sample a model is asked: the prompt's name."""


class MostConsistent(Reply):
    """Which of several solutions agrees with most of the others, and why."""

    told: ClassVar[str] = "the most consistent of"
    seeks_right: ClassVar[bool] = False

    reason: str
    number: Whole = Field(ge=1)

    @model_validator(mode="after")
    def _with_its_reason(self) -> Self:
        alone = not self.seeks_right
        agreeing(speaks_for(self.reason, self.number, alone=alone), True)
        return self


class Selected(MostConsistent):
    """Which of several solutions is the best, and why."""

    told = "selected from"
    seeks_right = True


KINDS: dict[Asked, type[MostConsistent]] = {"consistent": MostConsistent, "selected": Selected}
"""What the model replies."""


async def named(asked: Asked, run: Run[Any], samples: Sequence[Sample]) -> Choice:
    """Show a model (role verifier) the samples by their branches, as many as fit into about half of
    its context. One alone is not asked about."""
    ordered = sorted(samples, key=lambda one: one.branch)
    if len(ordered) == 1:
        return Choice(ordered[0], "the only one")
    texts = [
        prompts.headed(f"Solution {number}", unmarked(run, one.operations, one.member))
        for number, one in enumerate(ordered, 1)
    ]
    try:
        texts = fitting(texts, (await run.model("verifier", "verifier")).profile.context)
        fields = {"solutions": "\n\n".join(texts)}
        reply, entries = await ask_role_json(run, ("sampling", asked), fields, KINDS[asked])
    except FAILURES as error:
        return failed(run, asked, error)
    number = reply.value.number if reply.value else 0
    if 0 < number <= len(texts):
        found = f"{KINDS[asked].told} {len(texts)} samples"
        return Choice(ordered[number - 1], found, entries=entries)
    why = reply.error or f"there is no solution {number}"
    return Choice(None, why, limit=run.budget.over, entries=entries)
