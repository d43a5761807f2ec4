"""What each statement of a solution rests on: conditions of the problem and earlier statements, by
number (Ling et al. 2023, whose Natural Program names the premises of every step)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from pydantic import Field, field_validator

from agentflow import prompts
from agentflow.domains.spelling import NUMBERS
from agentflow.models.structured import Reply, Statement, Whole, parse
from agentflow.nodes.announced import announced
from agentflow.nodes.asking import ask_role
from agentflow.nodes.judging import Judging, JudgingState
from agentflow.nodes.run import Node, Update, node
from agentflow.settings import Settings
from agentflow.verdict import Verdict

_NUMBER = re.compile(rf"\d+(?:\.\d+)?|\b(?:{'|'.join(NUMBERS)})\b")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_WORDED = re.compile(
    r"\b(?:(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand|million|billion|dozen|score|pair|quarter|third|fifth|tenth"
    r"|percent|per cent|%)",
    re.IGNORECASE,
)
"""Words of a problem that make other numbers of its own."""
_IMPLIED = (0, 1, 2)
"""Numbers that words such as *a* and *half* stand for."""


class StatementSettings(Settings):
    """Settings of verifiers that judge every statement."""

    max_statements: int = Field(
        default=40,
        ge=1,
        le=1000,
        description="Lines of a solution that deductive, self_check and cross_check judge; a "
        "longer one is not judged",
    )


class Uses(Reply):
    """What a statement rests on, by number, from 1: conditions and earlier statements."""

    conditions: list[Whole]
    steps: list[Whole]


class Premises(Reply):
    """The conditions of a problem, and what each statement of the solution uses."""

    conditions: list[Statement]
    uses: list[Uses]

    @field_validator("conditions")
    @classmethod
    def _all_said(cls, conditions: list[str]) -> list[str]:
        if "" in conditions:
            raise ValueError("a condition says nothing")
        return conditions


class StatementState(JudgingState, total=False):
    """The channels, with ``premises``: of each statement, the texts of what it rests on."""

    premises: list[list[str]]


@dataclass(frozen=True)
class Statements(Judging[StatementSettings]):
    """What the nodes that judge statements are given."""

    schema = StatementState

    @property
    def lines(self) -> list[tuple[int, str]]:
        """The solution's statements, each with the index of its step."""
        return statements(self.steps)

    @property
    def premises(self) -> list[list[str]]:
        """Of each statement, the texts of what it rests on."""
        return self.channels.get("premises") or []

    def premises_text(self, number: int) -> str:
        """What a statement rests on, as a prompt has it."""
        return bulleted(self.premises[number])


def bulleted(premises: Sequence[str]) -> str:
    """Premises as a prompt has them."""
    return "\n".join(f"- {one}" for one in premises) or "(none)"


def numbered(lines: Iterable[str]) -> str:
    """Lines as a prompt has them that is to name some of them."""
    shown = (f"{number}. {line}" for number, line in enumerate(lines, 1))
    return "\n".join(shown) or "(nothing)"


def too_few_or_many(count: int, most: int, verifier: str) -> Verdict | None:
    """The verdict on a solution of so many lines, where that is none or more than ``most``."""
    if 1 <= count <= most:
        return None
    reason = f"the solution has {count} lines, not 1 to {most}"
    return Verdict(None, reason, "length", source=verifier)


def statements(steps: list[str]) -> list[tuple[int, str]]:
    """The lines of a solution that say something, each with the index of its step."""
    return [
        (index, line.strip())
        for index, step in enumerate(steps)
        for line in step.splitlines()
        if re.search(r"\w", line)
    ]


def premises_of(problem: str, count: int, text: str) -> Premises:
    """A reply about ``count`` statements.

    Raises:
        ValueError: If it is malformed, or names what there is not: also a condition with a number
            that the problem does not have.
    """
    reply = parse(Premises, text)
    known = {*_numbers(problem), *_IMPLIED}
    for number, condition in enumerate(reply.conditions, 1):
        new = [] if _WORDED.search(problem) else [n for n in _numbers(condition) if n not in known]
        if new:
            raise ValueError(f"condition {number} has {new[0]:g}, which is not in the problem")
    if len(reply.uses) != count:
        raise ValueError(f"uses: {len(reply.uses)} entries for {count} steps")
    for number, uses in enumerate(reply.uses, 1):
        if wrong := [n for n in uses.conditions if not 1 <= n <= len(reply.conditions)]:
            raise ValueError(f"step {number} uses condition {wrong[0]}, which is not in the list")
        if wrong := [n for n in uses.steps if not 1 <= n < number]:
            raise ValueError(f"step {number} uses step {wrong[0]}, which is not before it")
    return reply


def _numbers(text: str) -> list[float]:
    """The numbers in a text, also those in words."""
    plain = _THOUSANDS.sub("", text.lower())
    return [float(NUMBERS.get(one, one)) for one in _NUMBER.findall(plain)]


def premises_for(verifier: str) -> Node:
    """The node that lists the premises of every statement; without them a verdict says so.

    Args:
        verifier: Name of the verifier that the verdict is of.
    """

    @node(StatementSettings, Statements)
    async def premises(run: Statements) -> Update:
        lines = run.lines

        def undecided(verdict: Verdict) -> Update:
            return {"premises": []} | announced(run, verifier, verdict)

        if unfit := too_few_or_many(len(lines), run.settings.max_statements, verifier):
            return undecided(unfit)
        stated = await prompts.statement(run.problem, (await run.model("verifier")).profile)
        said = "\n".join((run.problem.text, stated, (await run.domain()).description))
        reply, entries = await ask_role(
            run,
            ("baseline_verifiers", "premises"),
            {
                "problem": run.problem.text,
                "steps": numbered(line for _, line in lines),
                "count": len(lines),
            },
            partial(premises_of, said, len(lines)),
            None,
            schema=Premises.model_json_schema(),
            tokens=2048,
        )
        if reply.value is None:
            verdict = Verdict(None, reply.error, "cannot_tell", source=verifier)
            return undecided(verdict) | {"ledger": entries}
        conditions = reply.value.conditions
        return {
            "ledger": entries,
            "verdict": {},
            "premises": [
                [
                    *(conditions[n - 1] for n in uses.conditions),
                    *(lines[n - 1][1] for n in uses.steps),
                ]
                for uses in reply.value.uses
            ],
        }

    return premises
