"""SelfCheck: each step of a solution is done anew by somebody who does not see it, then compared
(Miao, Teh and Rainforth 2023, "SelfCheck: Using LLMs to Zero-Shot Check Their Own Step-by-Step
Reasoning", section 3)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Self

from pydantic import model_validator

from agentflow.ledger import Entries
from agentflow.models.structured import Chosen, Parsed, Reply
from agentflow.nodes.announced import announced
from agentflow.nodes.asking import ask_role, ask_role_json, asked_together, something, telling
from agentflow.nodes.premises import Statements, StatementSettings, StatementState
from agentflow.nodes.run import Update, node
from agentflow.verdict import Verdict
from agentflow.verifiers.stance import agreeing, bearing

_NAME = "self_check"
"""The verifier's name, and its prompts' folder."""
_QUOTED = 200
_BEARING = {"supports": True, "contradicts": False}

_CONTRADICTED, _UNRELATED = 1.0, 0.3
"""What a step costs a solution's score, in logits (section 3.2)."""


class Support(Reply):
    """How a step done anew bears on the one that stands there, and why."""

    reason: str
    verdict: Annotated[Literal["supports", "contradicts", "unrelated"], Chosen]

    @model_validator(mode="after")
    def _with_its_reason(self) -> Self:
        agreeing(bearing(self.reason), _BEARING.get(self.verdict))
        return self


class SelfCheckState(StatementState, total=False):
    """The channels, with ``targets`` of the statements and each as it was ``redone``; an empty text
    where no reply could be read."""

    targets: list[str]
    redone: list[str]


@dataclass(frozen=True)
class SelfChecking(Statements):
    """What the nodes of SelfCheck are given."""

    schema = SelfCheckState

    @property
    def targets(self) -> list[str]:
        """What each statement sets out to do."""
        return self.channels.get("targets") or []

    @property
    def redone(self) -> list[str]:
        """Each statement as somebody wrote it who did not see it."""
        return self.channels.get("redone") or []


@node(StatementSettings, SelfChecking)
async def extract_targets(run: SelfChecking) -> Update:
    """Say of each statement what it sets out to do, not what comes of it (target extraction)."""
    lines = [line for _, line in run.lines]

    async def target(number: int) -> tuple[Parsed[str], Entries]:
        fields = {"before": "\n".join(lines[:number]) or "(none)", "step": lines[number]}
        return await ask_role(run, (_NAME, "target"), fields, telling, "", number=number)

    replies, entries = await asked_together(target(number) for number in range(len(lines)))
    return {"ledger": entries, "targets": [reply.value for reply in replies]}


@node(StatementSettings, SelfChecking)
async def do_anew(run: SelfChecking) -> Update:
    """Reach each target from the statement's premises alone (step regeneration)."""
    known = [number for number, target in enumerate(run.targets) if target]

    async def again(number: int) -> tuple[Parsed[str], Entries]:
        fields = {"premises": run.premises_text(number), "target": run.targets[number]}
        return await ask_role(run, (_NAME, "anew"), fields, something, "", number=number)

    replies, entries = await asked_together(again(number) for number in known)
    redone = [""] * len(run.targets)
    for number, reply in zip(known, replies, strict=True):
        redone[number] = reply.value
    return {"ledger": entries, "redone": redone}


@node(StatementSettings, SelfChecking)
async def compare_steps(run: SelfChecking) -> Update:
    """Hold each statement against the one written anew (result comparison), and sum up."""
    lines = run.lines
    done = [number for number, text in enumerate(run.redone) if text]

    async def compare(number: int) -> tuple[Parsed[Support | None], Entries]:
        fields = {
            "target": run.targets[number],
            "anew": run.redone[number],
            "step": lines[number][1],
        }
        template = (_NAME, "compare")
        return await ask_role_json(run, template, fields, Support, tokens=512, number=number)

    replies, entries = await asked_together(compare(number) for number in done)
    told = dict(zip(done, replies, strict=True))
    found = []
    for number, (index, line) in enumerate(lines):
        reply = told.get(number)
        said = reply.value if reply else None
        found.append(
            {
                "step": index,
                "text": line,
                "premises": run.premises[number],
                "target": run.targets[number],
                "redone": run.redone[number],
                "verdict": said.verdict if said else None,
                "reason": said.reason if said else reply.error if reply else "not done anew",
            }
        )
    return announced(run, _NAME, _summed(found)) | {"ledger": entries}


def weight(contradicted: int, unrelated: int) -> float:
    """A solution's score in (0, 1]: 1 where every step is supported (Miao et al., equation 1)."""
    return 2 / (1 + math.exp(_CONTRADICTED * contradicted + _UNRELATED * unrelated))


def _summed(found: list[dict[str, Any]]) -> Verdict:
    """The first statement that is contradicted decides; to pass, half of them must be supported."""
    said = [one["verdict"] for one in found]
    unknown = said.count("unrelated") + said.count(None)
    score, evidence = weight(said.count("contradicts"), unknown), {"statements": found}
    if "contradicts" in said:
        wrong = found[said.index("contradicts")]
        reason = (
            f'"{wrong["text"][:_QUOTED]}" is not what comes out when that step is done anew: '
            f"{wrong['redone'][:_QUOTED]}"
        )
        return Verdict(False, reason, "wrong_step", score, wrong["step"], _NAME, evidence)
    supported = said.count("supports")
    if None in said or 2 * supported < len(said):
        reason = "some steps could not be judged"
        if None not in said:
            reason = f"only {supported} of {len(said)} steps were supported"
        return Verdict(None, reason, "cannot_tell", score, None, _NAME, evidence)
    return Verdict(True, "", "", score, None, _NAME, evidence)
