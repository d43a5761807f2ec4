"""Another model finishes a solution of which it sees the beginning, and must come to the same
answer (Qi et al. 2024, "Mutual Reasoning Makes Smaller LLMs Stronger Problem-Solvers", section
3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from pydantic import Field

from agentflow.domains import Domain
from agentflow.ledger import Entries
from agentflow.models.structured import Parsed
from agentflow.nodes.announced import announced
from agentflow.nodes.asking import ask_role, asked_together, something
from agentflow.nodes.judging import Judging
from agentflow.nodes.run import Update, node
from agentflow.own_parts import equal_of
from agentflow.settings import Few, Settings, request_seed
from agentflow.verdict import Verdict
from agentflow.verifiers import joined

_NAME = "mutual_consistency"
"""The verifier's name, and its prompts' folder."""
_TOKENS = 2048
_LEAST, _MOST = 0.2, 0.8
"""What share of a solution's lines is shown (section 4.1)."""


class CompletionSettings(Settings):
    """Settings of mutual_consistency."""

    completions: Few = Field(
        default=4,
        description="Beginnings of a solution that mutual_consistency has finished, each cut at a "
        "place of its own",
    )


@node(CompletionSettings, Judging)
async def complete_anew(run: Judging[CompletionSettings]) -> Update:
    """Have a model (role verifier) finish the solution, from several places, and compare answers.

    The solution passes if more than half of the completions come to its answer, and is rejected if
    more than half come to another one.

    Raises:
        ModelUnavailable, StreamBroken: If the model does not answer.
    """
    settings, problem = run.settings, run.problem
    tools = run.tool_log(f"{_NAME}/{run.branch}")
    domain = await run.domain(tools)
    answer = run.answer(domain)
    if answer is None:
        verdict = Verdict(False, "no final answer was given", "no_answer", source=_NAME)
        return announced(run, _NAME, verdict)
    asked = await run.prompt((await run.model("verifier")).profile)
    stated = "\n\n".join(filter(None, asked))
    lines = joined(run.steps).strip().splitlines(keepends=True)
    chance = Random(request_seed(settings.seed, problem.id, _NAME, run.branch))
    begun = []
    for _ in range(settings.completions):
        most = chance.randint(round(_LEAST * len(lines)), round(_MOST * len(lines)))
        begun.append(await _without_answer(run, domain, lines[: min(most, len(lines) - 1)], answer))

    async def finish(number: int) -> tuple[Parsed[str], Entries]:
        fields = {"problem": stated, "beginning": "".join(begun[number]).strip() or "(nothing)"}
        template = (_NAME, "complete")
        return await ask_role(run, template, fields, something, "", tokens=_TOKENS, number=number)

    replies, entries = await asked_together(map(finish, range(len(begun))))
    found = []
    for kept, reply in zip(begun, replies, strict=True):
        said = domain.answer(reply.value) if reply.value and not reply.cut else None
        agrees = None if said is None else await equal_of(domain, problem, answer, said)
        shown = None if said is None else domain.shown(said)
        error = reply.error if not reply.value else "its end was cut off" if reply.cut else ""
        found.append({"lines": len(kept), "answer": shown, "agrees": agrees, "error": error})
    run.spent(tools.entries)
    verdict = _summed(domain.shown(answer), found)
    return announced(run, _NAME, verdict) | {"ledger": entries | tools.entries}


async def _without_answer(
    run: Judging[Any], domain: Domain, lines: Sequence[str], answer: str
) -> Sequence[str]:
    """The first lines, as far as the answer does not stand there: to copy it is no agreement. Of
    many lines few beginnings are read."""

    async def states_it(count: int) -> bool:
        said = domain.answer("".join(lines[:count]))
        return said is not None and bool(await equal_of(domain, run.problem, answer, said))

    without, states = 0, len(lines) + 1  # so many lines do not state it; so many are too many
    while states - without > 1:
        count = len(lines) if states > len(lines) else (without + states) // 2
        without, states = (without, count) if await states_it(count) else (count, states)
    return lines[:without]


def _summed(answer: str, found: Sequence[dict[str, Any]]) -> Verdict:
    """The verdict: more than half of the completions decide. In the score one that states no answer
    counts half: it speaks neither for the solution nor against it."""
    agrees, evidence = [one["agrees"] for one in found], {"completions": list(found)}
    same, other = agrees.count(True), agrees.count(False)
    score = (1 + (same - other) / len(found)) / 2 if same + other else None
    if 2 * same > len(found):
        return Verdict(True, "", "", score, None, _NAME, evidence)
    if 2 * other > len(found):
        one = next(one["answer"] for one in found if one["agrees"] is False)
        reason = f"{other} of {len(found)} who went on from its beginning came to another answer"
        reason += f" than {answer}, such as {one}"
        return Verdict(False, reason, "inconsistent", score, None, _NAME, evidence)
    reason = f"{same} of {len(found)} who went on from its beginning came to its answer"
    if unread := [one["error"] for one in found if one["agrees"] is None]:
        why = next(filter(None, unread), "")
        reason += f", and {len(unread)} to none that can be compared" + (f" ({why})" if why else "")
    return Verdict(None, reason, "cannot_tell", score, None, _NAME, evidence)
