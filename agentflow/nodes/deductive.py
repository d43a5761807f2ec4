"""The deductive verifier: each step judged from nothing but its premises (VerifiAgent, section 4.1,
after Ling et al. 2023, whose Natural Program names the premises of every step by number)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import Any

from pydantic import Field

from agentflow.ledger import Entries
from agentflow.models.structured import Flag, Parsed, Reply, Whole, parse
from agentflow.nodes.announced import announced
from agentflow.nodes.asking import ask_role, ask_role_json, asked_together
from agentflow.nodes.judging import Judging, JudgingState
from agentflow.nodes.run import Update, node
from agentflow.settings import Settings
from agentflow.verdict import Verdict

_FOLDER = "baseline_verifiers"
_QUOTED = 200


class DeductiveSettings(Settings):
    """Settings of deductive."""

    max_statements: int = Field(
        default=40,
        ge=1,
        le=1000,
        description="Lines of a solution that the deductive verifier judges, each by a request; a "
        "longer one is not judged",
    )


class Uses(Reply):
    """What a statement rests on, by number, from 1: conditions and earlier statements."""

    conditions: list[Whole]
    steps: list[Whole]


class Premises(Reply):
    """The conditions of a problem, and what each statement of the solution uses."""

    conditions: list[str]
    uses: list[Uses]


class Following(Reply):
    """Whether a statement follows from its premises, and why."""

    reason: str
    follows: Flag


class DeductiveState(JudgingState, total=False):
    """The channels, with ``premises``: of each statement, the texts of what it rests on."""

    premises: list[list[str]]


@dataclass(frozen=True)
class Deducing(Judging[DeductiveSettings]):
    """What the nodes of the deductive verifier are given."""

    schema = DeductiveState

    @property
    def premises(self) -> list[list[str]]:
        """Of each statement, the texts of what it rests on."""
        return self.channels.get("premises") or []


def statements(steps: list[str]) -> list[tuple[int, str]]:
    """The lines of a solution that say something, each with the index of its step."""
    return [
        (index, line.strip())
        for index, step in enumerate(steps)
        for line in step.splitlines()
        if re.search(r"\w", line)
    ]


def premises_of(count: int, text: str) -> Premises:
    """A reply about ``count`` statements.

    Raises:
        ValueError: If it is malformed, or names what there is not.
    """
    reply = parse(Premises, text)
    if len(reply.uses) != count:
        raise ValueError(f"uses: {len(reply.uses)} entries for {count} steps")
    for number, uses in enumerate(reply.uses, 1):
        if wrong := [n for n in uses.conditions if not 1 <= n <= len(reply.conditions)]:
            raise ValueError(f"step {number} uses condition {wrong[0]}, which is not in the list")
        if wrong := [n for n in uses.steps if not 1 <= n < number]:
            raise ValueError(f"step {number} uses step {wrong[0]}, which is not before it")
    return reply


@node(DeductiveSettings, Deducing)
async def premises(run: Deducing) -> Update:
    """List the premises of every statement; without them the solution cannot be judged."""
    lines, most = statements(run.steps), run.settings.max_statements
    if not 1 <= len(lines) <= most:
        reason = f"the solution has {len(lines)} lines, not 1 to {most}"
        return {"premises": []} | _undecided(run, reason, "length")
    fields = {
        "problem": run.problem.text,
        "steps": "\n".join(f"{n}. {line}" for n, (_, line) in enumerate(lines, 1)),
        "count": len(lines),
    }
    reply, entries = await ask_role(
        run,
        (_FOLDER, "premises"),
        fields,
        partial(premises_of, len(lines)),
        None,
        schema=Premises.model_json_schema(),
        tokens=2048,
    )
    if reply.value is None:
        update = _undecided(run, reply.error, "cannot_tell")
        return {"premises": [], "ledger": entries} | update
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


@node(DeductiveSettings, Deducing)
async def deduce(run: Deducing) -> Update:
    """Judge every statement from its premises alone; the solution passes only with all of them."""
    lines = statements(run.steps)

    async def judge(number: int) -> tuple[Parsed[Following | None], Entries]:
        rests_on = "\n".join(f"- {one}" for one in run.premises[number])
        fields = {"premises": rests_on or "(none)", "step": lines[number][1]}
        template = (_FOLDER, "follows")
        return await ask_role_json(run, template, fields, Following, tokens=512, number=number)

    replies, entries = await asked_together(judge(number) for number in range(len(lines)))
    found = [
        {
            "step": index,
            "text": line,
            "premises": rests_on,
            "follows": reply.value.follows if reply.value else None,
            "reason": reply.value.reason if reply.value else reply.error,
        }
        for (index, line), rests_on, reply in zip(lines, run.premises, replies, strict=True)
    ]
    return announced(run, "deductive", _unanimous(found)) | {"ledger": entries}


def _unanimous(found: list[dict[str, Any]]) -> Verdict:
    """The solution passes if every statement follows; the first that does not decides."""
    follows = [one["follows"] for one in found]
    score, evidence = follows.count(True) / len(follows), {"statements": found}
    if False in follows:
        wrong = found[follows.index(False)]
        reason = f'"{wrong["text"][:_QUOTED]}" does not follow: {wrong["reason"]}'
        step = wrong["step"]
        return Verdict(False, reason, "wrong_step", score, step, "deductive", evidence)
    if None in follows:
        reason = "some steps could not be judged"
        return Verdict(None, reason, "cannot_tell", score, None, "deductive", evidence)
    return Verdict(True, "", "", score, None, "deductive", evidence)


def _undecided(run: Deducing, reason: str, kind: str) -> Update:
    return announced(run, "deductive", Verdict(None, reason, kind, source="deductive"))
