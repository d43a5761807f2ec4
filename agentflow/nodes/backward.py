"""The backward verifier: the answer must give a masked condition back (VerifiAgent, section
4.1, after Weng et al. 2023)."""

from __future__ import annotations

import re
from typing import Any

from pydantic import Field

from agentflow.domains import Domain, arithmetic
from agentflow.ledger import Entries
from agentflow.models.structured import Parsed, Reply, Wording
from agentflow.nodes.announced import announced
from agentflow.nodes.asking import ask_role_json, asked_together
from agentflow.nodes.judging import Judging
from agentflow.nodes.run import Update, node
from agentflow.own_parts import equal_of
from agentflow.problem import Problem
from agentflow.settings import Few, Settings
from agentflow.verdict import Verdict

_NUMBER = re.compile(r"(?<![\w.,])\d{1,30}(?:,\d{3})*(?:\.\d{1,30})?(?!\w|[.,]\d)", re.ASCII)
_WRITTEN = re.compile(r"-?\d{1,30}(?:\.\d{1,30}|/\d{1,30})?", re.ASCII)


class BackwardSettings(Settings):
    """Settings of backward."""

    conditions: Few = Field(
        default=3,
        description="Numbers of the problem that the backward verifier masks, the first ones, each "
        "by a request",
    )


class Value(Reply):
    """What a masked condition must be."""

    work: str
    value: Wording


def masked(text: str, most: int) -> list[tuple[str, str, str]]:
    """(text with the mask, mask, what it hides) for the first numbers of a problem."""
    mask = next((letter for letter in "XYZUVW" if letter not in text), "[unknown]")
    return [
        (text[: found.start()] + mask + text[found.end() :], mask, found[0])
        for found in list(_NUMBER.finditer(text))[:most]
    ]


@node(BackwardSettings, Judging)
async def backward(run: Judging[BackwardSettings]) -> Update:
    """Mask numbers of the problem, and ask for each what it must be if the answer is right.

    The solution passes only if every one comes out as it was. Where the problem has no number, or a
    reply cannot be read, it cannot be told.
    """
    problem, tools = run.problem, run.tool_log(f"backward/{run.branch}")
    domain = await run.domain(tools)
    answer = run.answer(domain)
    conditions = masked(problem.text, run.settings.conditions)
    if answer is None:
        verdict = Verdict(False, "no final answer was given", "no_answer", source="backward")
        return announced(run, "backward", verdict)
    if not conditions:
        reason = "the problem has no number to mask"
        verdict = Verdict(None, reason, "cannot_tell", source="backward")
        return announced(run, "backward", verdict)

    async def ask(number: int) -> tuple[Parsed[Value | None], Entries]:
        text, mask, _ = conditions[number]
        fields = {"problem": text, "mask": mask, "answer": domain.shown(answer)}
        template = ("baseline_verifiers", "backward")
        return await ask_role_json(run, template, fields, Value, number=number)

    replies, entries = await asked_together(ask(number) for number in range(len(conditions)))
    found = []
    for (_, _, was), reply in zip(conditions, replies, strict=True):
        value = None if reply.value is None else reply.value.value.strip()
        agrees = None if value is None else await _same(domain, problem, value, was)
        found.append({"condition": was, "predicted": value, "agrees": agrees})
    run.spent(tools.entries)
    entries |= tools.entries
    return announced(run, "backward", _compared(domain.shown(answer), found)) | {"ledger": entries}


async def _same(domain: Domain, problem: Problem, value: str, was: str) -> bool | None:
    """Whether a prediction is the condition: as numbers where both are, else as answers; None where
    it is no number that is understood (``unknown``)."""
    plain = [text.replace(",", "").lstrip("$") for text in (value, was)]
    if all(map(_WRITTEN.fullmatch, plain)):
        numbers = [arithmetic.number(text) for text in plain]
        return None if None in numbers else numbers[0] == numbers[1]
    return await equal_of(domain, problem, value, was) or None


def _compared(answer: str, found: list[dict[str, Any]]) -> Verdict:
    """The verdict: the first condition that comes out otherwise decides."""
    agrees = [one["agrees"] for one in found]
    score, evidence = agrees.count(True) / len(agrees), {"conditions": found}
    if False in agrees:
        wrong = found[agrees.index(False)]
        reason = f"from the answer {answer} follows {wrong['predicted']} in place of " + (
            f"{wrong['condition']}, which the problem states"
        )
        return Verdict(False, reason, "inconsistent", score, None, "backward", evidence)
    if None in agrees:
        reason = "some conditions could not be predicted"
        return Verdict(None, reason, "cannot_tell", score, None, "backward", evidence)
    return Verdict(True, "", "", score, None, "backward", evidence)
