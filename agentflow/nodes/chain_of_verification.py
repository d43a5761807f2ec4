"""Chain of verification: a solution's statements become questions, which are answered apart
(Dhuliawala et al. 2023, the factored variant with a cross-check, section 3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from agentflow.ledger import Entries
from agentflow.models.structured import Chosen, Parsed, Reply, Statement
from agentflow.nodes.announced import announced
from agentflow.nodes.asking import ask_role, ask_role_json, asked_together, something
from agentflow.nodes.judging import Judging, JudgingState
from agentflow.nodes.run import Update, node
from agentflow.settings import Few, Settings
from agentflow.verdict import Verdict
from agentflow.verifiers import joined
from agentflow.verifiers.stance import agreeing, bearing

_NAME = "chain_of_verification"
"""The verifier's name, and its prompts' folder."""
_QUOTED = 200
_BEARING = {"yes": True, "no": False}


class QuestionSettings(Settings):
    """Settings of chain_of_verification."""

    questions: Few = Field(
        default=5,
        description="Questions about a solution, at most; each is answered, then compared",
    )


class Check(Reply):
    """A statement of the solution, and what to ask to find out whether it is true."""

    statement: Statement = Field(min_length=1)
    question: Statement = Field(min_length=1)


class Checks(Reply):
    """What is checked."""

    checks: list[Check]


class Agreement(Reply):
    """Whether an answer bears a statement out, and why."""

    reason: str
    agrees: Annotated[Literal["yes", "no", "unknown"], Chosen]

    @model_validator(mode="after")
    def _with_its_reason(self) -> Self:
        agreeing(bearing(self.reason), _BEARING.get(self.agrees))
        return self


class QuestionState(JudgingState, total=False):
    """The channels, with ``checks``: statements, questions and, by then, their answers."""

    checks: list[dict[str, str]]


@dataclass(frozen=True)
class Questioning(Judging[QuestionSettings]):
    """What the nodes of the chain are given."""

    schema = QuestionState

    @property
    def checks(self) -> list[dict[str, str]]:
        """Statements, questions and, by then, their answers."""
        return self.channels.get("checks") or []


@node(QuestionSettings, Questioning)
async def plan_questions(run: Questioning) -> Update:
    """Plan the questions; without any the solution cannot be judged."""
    most = run.settings.questions
    fields = {"solution": joined(run.steps).strip(), "count": most}
    reply, entries = await ask_role_json(run, (_NAME, "questions"), fields, Checks, tokens=2048)
    checks = [] if reply.value is None else reply.value.checks[:most]
    update: Update = {"ledger": entries, "checks": [one.model_dump() for one in checks]}
    if checks:
        return update | {"verdict": {}}
    reason = "no question was asked" if reply.value else reply.error
    return update | announced(run, _NAME, Verdict(None, reason, "cannot_tell", source=_NAME))


@node(QuestionSettings, Questioning)
async def answer_questions(run: Questioning) -> Update:
    """Answer each question by itself: nobody who answers sees the problem or the solution."""

    async def answer(number: int) -> tuple[Parsed[str], Entries]:
        fields = {"question": run.checks[number]["question"]}
        return await ask_role(run, (_NAME, "answer"), fields, something, "", number=number)

    replies, entries = await asked_together(answer(number) for number in range(len(run.checks)))
    told = zip(run.checks, replies, strict=True)
    return {
        "ledger": entries,
        "checks": [check | {"answer": reply.value} for check, reply in told],
    }


@node(QuestionSettings, Questioning)
async def compare_answers(run: Questioning) -> Update:
    """Hold each answer against its statement; the solution passes only with all of them."""
    checks = [one for one in run.checks if one["answer"]]

    async def compare(number: int) -> tuple[Parsed[Agreement | None], Entries]:
        template = (_NAME, "compare")
        return await ask_role_json(run, template, checks[number], Agreement, number=number)

    replies, entries = await asked_together(compare(number) for number in range(len(checks)))
    unread = {"agrees": "unknown", "reason": "no answer was given"}
    found = [check | unread for check in run.checks if not check["answer"]]
    for check, reply in zip(checks, replies, strict=True):
        told = reply.value.model_dump() if reply.value else unread | {"reason": reply.error}
        found.append(check | told)
    return announced(run, _NAME, _compared(found)) | {"ledger": entries}


def _compared(found: list[dict[str, Any]]) -> Verdict:
    """The verdict: statements that their answers speak against decide, and are all told."""
    agrees = [one["agrees"] for one in found]
    score, evidence = agrees.count("yes") / len(agrees), {"checks": found}
    if "no" in agrees:
        wrong = [
            f'"{one["statement"][:_QUOTED]}" is not confirmed. {one["question"][:_QUOTED]} '
            f"{one['answer'][:_QUOTED]}"
            for one in found
            if one["agrees"] == "no"
        ]
        reason = "\n".join(wrong)
        return Verdict(False, reason, "inconsistent", score, None, _NAME, evidence)
    if "unknown" in agrees:
        reason = "some statements could not be checked"
        return Verdict(None, reason, "cannot_tell", score, None, _NAME, evidence)
    return Verdict(True, "", "", score, None, _NAME, evidence)
