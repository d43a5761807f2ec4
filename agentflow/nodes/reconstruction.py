"""Reversing a chain of thought: the problem is written down from the solution alone, and compared
with the one that was asked (RCoT, Xue et al. 2023, section 3)."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import Field

from agentflow.models.structured import Flag, Reply, Statement
from agentflow.nodes.announced import announced
from agentflow.nodes.asking import ask_role, ask_role_json, telling
from agentflow.nodes.judging import Judging, JudgingState
from agentflow.nodes.run import Update, node
from agentflow.settings import Settings
from agentflow.verdict import Verdict
from agentflow.verifiers import joined

_NAME = "reconstruction"
"""The verifier's name, and its prompts' folder."""
_NAMED = 5
"""Conditions that a reason names of a kind, at most."""


class Condition(Reply):
    """A condition of the problem, and whether the solution goes by it."""

    condition: Statement = Field(min_length=1)
    kept: Flag


class Difference(Reply):
    """How two problems differ."""

    conditions: list[Condition]
    invented: list[Statement]
    same_question: Flag


class ReconstructionState(JudgingState, total=False):
    """The channels, with the problem as it was ``reconstructed``."""

    reconstructed: str


@dataclass(frozen=True)
class Reconstructing(Judging[Settings]):
    """What the nodes of the verifier are given."""

    schema = ReconstructionState

    @property
    def reconstructed(self) -> str:
        """The problem as the solution has it."""
        return self.channels.get("reconstructed") or ""


@node(Settings, Reconstructing)
async def reconstruct(run: Reconstructing) -> Update:
    """Have a model (role verifier) write the problem down that sees the solution alone."""
    fields = {"solution": joined(run.steps).strip(), "stated": ""}
    reply, entries = await ask_role(run, (_NAME, "problem"), fields, telling, "", ended=True)
    update: Update = {"ledger": entries, "reconstructed": reply.value}
    if reply.value:
        return update | {"verdict": {}}
    verdict = Verdict(None, reply.error, "cannot_tell", source=_NAME)
    return update | announced(run, _NAME, verdict)


@node(Settings, Reconstructing)
async def compare_problems(run: Reconstructing) -> Update:
    """Have the model compare the two problems; the solution passes where they are the same."""
    fields = {"problem": run.problem.text, "reconstructed": run.reconstructed}
    reply, entries = await ask_role_json(run, (_NAME, "compare"), fields, Difference, tokens=2048)
    found = reply.value
    verdict = Verdict(None, reply.error, "cannot_tell", source=_NAME)
    if found is not None:
        verdict = compared(found, run.reconstructed)
    return announced(run, _NAME, verdict) | {"ledger": entries}


def compared(found: Difference, reconstructed: str) -> Verdict:
    """The verdict: another question, an invented condition, or one that was passed over, rejects.

    The score is the share of the conditions, invented ones included, that both problems have.
    """
    kept = [one.condition for one in found.conditions if one.kept]
    lost = [one.condition for one in found.conditions if not one.kept]
    invented = list(filter(None, found.invented))
    evidence = {"reconstructed": reconstructed} | found.model_dump() | {"invented": invented}
    if not found.conditions:
        return Verdict(
            None, "no condition was compared", "cannot_tell", None, None, _NAME, evidence
        )
    score = len(kept) / (len(found.conditions) + len(invented))
    against = [f"it takes as given what the problem does not say: {_listed(invented)}"]
    against = against if invented else []
    if lost:
        against.append(f"it passes over what the problem says: {_listed(lost)}")
    if not found.same_question:
        against.append("it answers another question")
    if against:
        kind = "inconsistent"
        return Verdict(False, "; ".join(against), kind, score, None, _NAME, evidence)
    return Verdict(True, "", "", score, None, _NAME, evidence)


def _listed(conditions: list[str]) -> str:
    """The first of them, in a reason."""
    return ", ".join(conditions[:_NAMED]) + (", ..." if len(conditions) > _NAMED else "")
