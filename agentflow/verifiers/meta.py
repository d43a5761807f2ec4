"""Meta verification: whether a solution is complete and its steps follow (VerifiAgent, 3.1)."""

from __future__ import annotations

from typing import Any, Self

from pydantic import Field, model_validator

from agentflow.models.structured import Flag, Reply, Whole


class Step(Reply):
    """Whether one step follows from the conditions and the steps before it.

    Attributes:
        step: Its number, from 1.
        why: What is wrong, where it does not.
    """

    step: Whole
    follows: Flag
    why: str = ""


class Meta(Reply):
    """What meta verification finds (VerifiAgent, appendix F, "Meta Verification Steps").

    Attributes:
        conditions: What the problem gives.
        objective: What it asks for.
        steps: The solution in explicit steps; the last one holds its answer.
        complete: Whether the last step gives a clear result that answers all of the question.
        why: What is missing, where it does not.
        consistency: One entry a step, in order; none where the solution is not complete.
    """

    conditions: list[str]
    objective: str
    steps: list[str] = Field(min_length=1)
    complete: Flag
    why: str = ""
    consistency: list[Step] = Field(default=[])

    @model_validator(mode="before")
    @classmethod
    def _only_of_complete(cls, given: Any) -> Any:
        """Consistency is not looked at where the solution is incomplete."""
        incomplete = isinstance(given, dict) and given.get("complete") is False
        return {**given, "consistency": []} if incomplete else given

    @model_validator(mode="after")
    def _every_step(self) -> Self:
        numbers = [one.step for one in self.consistency]
        if self.complete and numbers != list(range(1, len(self.steps) + 1)):
            raise ValueError("consistency needs one entry for each of the steps, in their order")
        return self

    @property
    def ok(self) -> bool:
        """Complete, and every step follows."""
        return self.complete and all(one.follows for one in self.consistency)

    @property
    def wrong(self) -> Step | None:
        """The first step that does not follow."""
        return next((one for one in self.consistency if not one.follows), None)


def notes(meta: Meta) -> str:
    """What it found, as the next layer reads it."""
    lines = [f"Step {number}: {step}" for number, step in enumerate(meta.steps, 1)]
    if not meta.complete:
        lines.append(f"The solution is not complete: {meta.why}")
    elif meta.ok:
        lines.append("The solution is complete, and each step follows.")
    wrong = [one for one in meta.consistency if not one.follows]
    lines += [f"Step {one.step} does not follow: {one.why}" for one in wrong]
    return "\n".join(lines)
