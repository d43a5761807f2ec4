"""A solution is held, line by line, against others of the same problem: what a model makes up comes
out otherwise each time (SelfCheckGPT, Manakul, Liusie and Gales 2023, section 5.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from agentflow.ledger import Entries
from agentflow.models.structured import Parsed, Reply, Whole
from agentflow.nodes.announced import announced
from agentflow.nodes.asking import ask_role, ask_role_json, asked_together, telling
from agentflow.nodes.judging import Judging, JudgingState
from agentflow.nodes.premises import StatementSettings, numbered, statements, too_few_or_many
from agentflow.nodes.run import Update, node
from agentflow.settings import Few, Share
from agentflow.verdict import Verdict

_NAME = "cross_check"
"""The verifier's name, and its prompts' folder."""
_TOKENS = 2048
_QUOTED = 200

_SUPPORTED, _NEITHER, _CONTRADICTED = 0.0, 0.5, 1.0
"""What another solution adds to how inconsistent a line is (section 5.5)."""


class CrossCheckSettings(StatementSettings):
    """Settings of cross_check."""

    others: Few = Field(
        default=5,
        description="Other solutions that cross_check holds a solution against, drawn from the "
        "solver's model",
    )
    contradicted: Share = Field(
        default=0.5, description="A line is wrong that more than this share of them contradict"
    )


Line = Annotated[Whole, Field(ge=1)]


class Held(Reply):
    """The lines of a solution that another one supports, and those that it contradicts, by number,
    from 1."""

    supported: list[Line]
    contradicted: list[Line]


class CrossCheckState(JudgingState, total=False):
    """The channels, with the ``others``: solutions of the same problem."""

    others: list[str]


@dataclass(frozen=True)
class CrossChecking(Judging[CrossCheckSettings]):
    """What the nodes of the verifier are given."""

    schema = CrossCheckState

    @property
    def lines(self) -> list[tuple[int, str]]:
        """The solution's lines, each with the index of its step."""
        return statements(self.steps)

    @property
    def others(self) -> list[str]:
        """Solutions of the same problem."""
        return self.channels.get("others") or []


@node(CrossCheckSettings, CrossChecking)
async def draw_others(run: CrossChecking) -> Update:
    """Have the solver's model solve the problem again, several times, as it was asked at first."""
    if unfit := too_few_or_many(len(run.lines), run.settings.max_statements, _NAME):
        return announced(run, _NAME, unfit)
    asked = await run.prompt((await run.model()).profile)
    fields = {"problem": "\n\n".join(filter(None, asked))}

    async def draw(number: int) -> tuple[Parsed[str], Entries]:
        template = (_NAME, "solve")
        return await ask_role(
            run, template, fields, telling, "", role="solver", tokens=_TOKENS, number=number
        )

    replies, entries = await asked_together(map(draw, range(run.settings.others)))
    drawn = [reply.value for reply in replies if reply.value]
    update: Update = {"ledger": entries, "others": drawn}
    if drawn:
        return update | {"verdict": {}}
    verdict = Verdict(None, "no other solution was written", "cannot_tell", source=_NAME)
    return update | announced(run, _NAME, verdict)


@node(CrossCheckSettings, CrossChecking)
async def hold_against(run: CrossChecking) -> Update:
    """Hold the solution against each of the others, and sum up."""
    steps = numbered(line for _, line in run.lines)

    async def hold(number: int) -> tuple[Parsed[Held | None], Entries]:
        fields = {"steps": steps, "other": run.others[number]}
        return await ask_role_json(run, (_NAME, "compare"), fields, Held, number=number)

    replies, entries = await asked_together(map(hold, range(len(run.others))))
    held = [reply.value for reply in replies if reply.value]
    if 2 * len(held) >= len(replies):
        verdict = summed(run.lines, held, run.settings.contradicted)
    else:
        reason = f"only {len(held)} of {len(replies)} comparisons could be read"
        verdict = Verdict(None, reason, "cannot_tell", source=_NAME)
    return announced(run, _NAME, verdict) | {"ledger": entries}


def inconsistency(line: int, held: Sequence[Held]) -> float:
    """How inconsistent a line, by its number from 1, is with other solutions, from 0 to 1: the mean
    over them. One that is said both to support and to contradict it does neither."""
    said = [(line in one.supported, line in one.contradicted) for one in held]
    worth = {(True, False): _SUPPORTED, (False, True): _CONTRADICTED}
    return sum(worth.get(one, _NEITHER) for one in said) / len(said)


def summed(lines: Sequence[tuple[int, str]], held: Sequence[Held], limit: float) -> Verdict:
    """The verdict: the line that most of the others contradict is wrong, where more than a share
    ``limit`` do. A solution passes that they support rather than not.

    Args:
        lines: The solution's, each with the index of its step.
    """
    numbers = range(1, len(lines) + 1)
    against = [sum(n in one.contradicted for one in held) for n in numbers]
    scores = [inconsistency(n, held) for n in numbers]
    mean = round(sum(scores) / len(scores), 9)
    rows = zip(lines, scores, strict=True)
    found = [{"step": step, "text": line, "inconsistency": score} for (step, line), score in rows]
    evidence, most = {"statements": found}, max(against)
    if most > limit * len(held):
        step, line = lines[against.index(most)]
        reason = f'"{line[:_QUOTED]}" is contradicted by {most} of {len(held)} other solutions'
        return Verdict(False, reason, "inconsistent", 1 - mean, step, _NAME, evidence)
    if mean < _NEITHER:
        return Verdict(True, "", "", 1 - mean, None, _NAME, evidence)
    reason = "the other solutions do not support it"
    return Verdict(None, reason, "cannot_tell", 1 - mean, None, _NAME, evidence)
