"""Meta verification: whether a solution is complete and its steps follow (VerifiAgent, 3.1)."""

from __future__ import annotations

import re
from typing import Any, Self

from pydantic import Field, model_validator

from agentflow.models.structured import Flag, Reply, Whole
from agentflow.models.structured.around import words


class Step(Reply):
    """Whether one step follows from the conditions and the steps before it.

    Attributes:
        step: Its number, from 1.
        why: What is wrong, where it does not.
    """

    step: Whole
    follows: Flag
    why: str = ""

    @model_validator(mode="after")
    def _nothing_against_it(self) -> Self:
        if self.follows and not _goes_with_yes(self.why):
            raise ValueError(f"step {self.step} follows, and more is said of it: {self.why[:60]!r}")
        return self


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
        if self.complete and not _goes_with_yes(self.why):
            raise ValueError(f"it is complete, and more is said of it: {self.why[:60]!r}")
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


_PARTS = re.compile(
    r"\A\s*Conditions:\s*(?P<conditions>.*?)\n\s*Objective:\s*(?P<objective>.*?)\n\s*Steps:\s*\n"
    r"(?P<steps>.*?)\n\s*Complete:\s*(?P<complete>Yes|No)\b[ \t.,:;-]*(?P<why>.*?)"
    r"(?:\n\s*Consistency:\s*\n(?P<consistency>.*))?\s*\Z",
    re.DOTALL | re.IGNORECASE,
)
_STEP = re.compile(r"^\s*Step (\d{1,4}):\s*", re.MULTILINE | re.IGNORECASE)
_FOLLOWS = re.compile(r"(?P<no>does not follow|doesn't follow)\b|follows\b", re.IGNORECASE)
_FORM = words("""
    from directly logically clearly the this a given stated and of above before previous earlier it
    its problem condition conditions step steps statement statements definition definitions follows
    is correct right valid complete none n/a
    last final gives states result answer answers clear every all part parts question asked for
""")
"""What may be said of a step that follows, and of a solution that is complete; any other word could
say that it is not quite so."""


def _goes_with_yes(why: str) -> bool:
    """Whether what is said beside a yes takes nothing of it back."""
    said = why.casefold().split()
    return "?" not in why and all(
        word in _FORM or not re.search(r"[^\W\d_]", word)
        for word in (one.strip(".,:;()[]!\"'*_-") for one in said)
    )


def prose(text: str) -> Meta:
    """What meta verification finds, written down in the paper's parts (appendix F).

    Raises:
        ValueError: If a part is missing, a step is left out, or does not say whether it follows.
    """
    found = _PARTS.fullmatch(text)
    if found is None:
        raise ValueError(
            "the reply is not in five parts: Conditions, Objective, Steps, Complete, Consistency"
        )
    complete = found["complete"].lower() == "yes"
    judged = []
    for number, said in _numbered(found["consistency"] or "") if complete else ():
        told = _FOLLOWS.match(said)
        if told is None:
            raise ValueError(f"step {number} neither follows nor does not follow: {said[:60]!r}")
        why = said[told.end() :].strip(" .,:;-\n")
        judged.append(Step(step=number, follows=not told["no"], why=why))
    steps = _numbered(found["steps"])
    if [number for number, _ in steps] != list(range(1, len(steps) + 1)):
        raise ValueError("the steps are not numbered from 1 on")
    conditions = found["conditions"].strip().removeprefix("[").removesuffix("]")
    return Meta(
        conditions=[one.strip() for one in conditions.split(",") if one.strip()],
        objective=found["objective"].strip().removeprefix("[").removesuffix("]"),
        steps=[said for _, said in steps],
        complete=complete,
        why=" ".join(found["why"].split()),
        consistency=judged,
    )


def _numbered(text: str) -> list[tuple[int, str]]:
    """(number, text) of each step."""
    _, *parts = _STEP.split(text)
    return [
        (int(number), said.strip()) for number, said in zip(parts[::2], parts[1::2], strict=True)
    ]


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
