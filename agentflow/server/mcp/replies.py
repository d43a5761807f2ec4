"""What the tools return: structured content, whose schema a client is told."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Literal

from pydantic import BaseModel, Field

from agentflow.judge import UNTOLD, Judgement
from agentflow.ledger import Entries, by_role
from agentflow.run import Status
from agentflow.server.results import Ended, content, extension
from agentflow.tools.sandbox import Execution
from agentflow.verdict import Verdict

Told = Literal["correct", "incorrect", "undecided"]
_TOLD: dict[bool | None, Told] = {True: "correct", False: "incorrect", None: "undecided"}


class Solved(BaseModel):
    """What a run came to."""

    status: Status = Field(
        description="verified: a sound verifier passed exactly this answer; incomplete: it did, "
        "but steps are missing; accepted: a learned verifier passed it; unverified: no sound "
        "verifier refuted it; abstained, exhausted: there is no answer"
    )
    answer: str | None = Field(description="The answer; null if there is none to give")
    text: str = Field(description="The answer in the model's words, or why there is none")
    reason: str = Field(description="Why the run ended as it did")
    candidate: str | None = Field(description="The best answer that was not vouched for")
    evidence: list[dict[str, Any]] = Field(
        description="What verifiers said of whole answers: monitor, answer, ok, score, reason"
    )
    corrections: int = Field(description="How often the method corrected the model")
    model: str = Field(description="Which method on which model it was")
    seed: int = Field(description="The run's seed")
    cost: dict[str, Any] = Field(description="Calls and tokens by role")


def solved(ended: Ended, model: str) -> Solved:
    """A run's reply."""
    told = extension(ended)
    return Solved(**told, text=content(ended.result), evidence=told["verdicts"], model=model)


class Verified(BaseModel):
    """What a domain's own verifier says of a solution; no model is asked."""

    status: Told = Field(
        description="correct: every step and the answer were proved; incorrect: one was refuted; "
        "undecided: the verifier cannot tell, which is no refutation"
    )
    reason: str = Field(description="What is wrong, or why it cannot be told")
    steps_ok: bool | None = Field(description="Whether every step is right; null if undecided")
    answer_ok: bool | None = Field(description="Whether the answer is right; null if undecided")
    first_wrong_step: int | None = Field(description="0-based, among the steps that were read")
    kind: str | None = Field(description="The kind of the error")


def verified(judged: Judgement) -> Verified:
    """A judgement's reply."""
    return Verified(
        status=_TOLD[judged.ok],
        reason=judged.feedback or judged.undetermined or ("" if judged.ok else UNTOLD),
        steps_ok=judged.steps_ok,
        answer_ok=judged.answer_ok,
        first_wrong_step=judged.first_wrong_step,
        kind=judged.kind,
    )


class Judged(BaseModel):
    """What a verifier that asks a model says of a solution."""

    status: Told = Field(description="undecided is no refutation")
    reason: str = Field(description="What is wrong, or why it cannot be told")
    score: float | None = Field(description="Its confidence, from 0 to 1, where it has one")
    first_wrong_step: int | None = Field(description="0-based, where steps were judged")
    kind: str = Field(description="The kind of the error")
    evidence: dict[str, Any] = Field(description="What the verdict rests on")
    verifier: str
    cost: dict[str, Any] = Field(description="Calls and tokens by role")


def judged(verdict: Verdict, verifier: str, entries: Entries) -> Judged:
    """A verdict's reply; its cost without what would tell of others' requests."""
    keep = ("calls", "prompt", "generated", "wasted", "seconds")
    cost = {role: asdict(entry) for role, entry in by_role(entries).items()}
    return Judged(
        status=_TOLD[verdict.ok],
        reason=verdict.reason,
        score=verdict.score,
        first_wrong_step=verdict.first_wrong_step,
        kind=verdict.kind,
        evidence=verdict.evidence,
        verifier=verifier,
        cost={role: {key: entry[key] for key in keep} for role, entry in cost.items()},
    )


class Ran(BaseModel):
    """What came of a program in the sandbox."""

    ok: bool = Field(description="Whether it came to its end within its limits")
    value: Any = Field(description="`ans`, or the value of its last expression")
    stdout: str
    stderr: str
    error: str | None = Field(description="What it raised")
    limit: str | None = Field(description="The limit that it hit")


def ran(done: Execution) -> Ran:
    """An execution's reply."""
    error = None
    if done.failure is not None:
        at = f"line {done.failure.line}: " if done.failure.line else ""
        error = f"{at}{done.failure.type}: {done.failure.message}"
    return Ran(
        ok=done.ok,
        value=done.value,
        stdout=done.stdout,
        stderr=done.stderr,
        error=error,
        limit=done.limit,
    )
