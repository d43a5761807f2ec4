"""Cumulative reasoning: statements that are proposed one by one, and count once they were checked
(Zhang et al. 2023)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Annotated, Any, Literal

from langgraph.channels import DeltaChannel
from langgraph.runtime import Runtime
from pydantic import Field
from typing_extensions import TypedDict

from agentflow import prompts
from agentflow.domains import Domain
from agentflow.domains.spelling import shortened
from agentflow.errors import Exhausted
from agentflow.ledger import Entries, merge
from agentflow.models.structured import Flag, Reply, Statement, Whole
from agentflow.nodes.announced import announced
from agentflow.nodes.asking import ask_role_json
from agentflow.nodes.deductive import Following
from agentflow.nodes.premises import bulleted, numbered
from agentflow.nodes.run import Node, Run, Update, View, node
from agentflow.nodes.solution import begin_again
from agentflow.nodes.surviving import asked_under
from agentflow.problem import Problem
from agentflow.run import SNAPSHOT, RunState
from agentflow.settings import Few, Settings
from agentflow.verdict import Verdict
from agentflow.verifiers.walk import Walk, judged_if

_FOLDER = "cumulative_reasoning"
_SAID = "it was proposed before"
_LONGEST = 500
"""Characters of a statement, at most; and of a reason, as the proposer is told it."""
Judge = Literal["domain", "model"]


class CumulativeSettings(Settings):
    """Settings of cumulative_reasoning."""

    statements: Few = Field(
        default=8, description="How many statements are established, at most, before the solution"
    )
    proposals: Few = Field(
        default=16, description="How many statements are proposed, at most, rejected ones included"
    )
    judges: tuple[Judge, ...] = Field(
        default=("domain", "model"),
        min_length=1,
        description="Who checks a statement, the first one first: domain is the domain's step "
        "verifier, model the one of the role verifier. A statement counts if no judge rejects it "
        "and the model, or the domain as the only judge, passes it",
    )

    def unfit(self, domain: Domain, problem: Problem) -> str:
        if "model" in self.judges or domain.judges_steps:
            return ""
        return (
            f'judges=["domain"] needs a domain that judges steps, and {domain.name} judges none: '
            "no statement would ever count; add model to judges"
        )


class Proposal(Reply):
    """A statement, and the numbers of the established statements that it needs, from 1; an empty
    statement says that nothing more is needed."""

    rests_on: list[Whole]
    statement: Statement


class Report(Reply):
    """Whether the answer can be read off what is established."""

    enough: Flag


class GatheringState(RunState, total=False):
    """The channels of a run; ``steps`` are the statements that are established.

    Attributes:
        proposal: The statement to be checked (:class:`Proposal`); empty where none is.
        rejected: Proposals that do not count, each with the reason and with what it was said to
            rest on; one that could not be read has no ``statement``.
    """

    proposal: dict[str, Any]
    rejected: list[dict[str, Any]]


class Gathered(TypedDict):
    """What was established, and what it cost."""

    steps: list[str]
    ledger: Annotated[Entries, DeltaChannel(merge, snapshot_frequency=SNAPSHOT)]


class GatheringView(View[CumulativeSettings]):
    """What the edges among the gathering nodes see."""

    @property
    def proposal(self) -> dict[str, Any]:
        """The statement to be checked; empty where none is."""
        return self.channels.get("proposal") or {}

    @property
    def rejected(self) -> list[dict[str, Any]]:
        """Proposals that do not count, with the reason."""
        return self.channels.get("rejected") or []

    @property
    def proposed(self) -> int:
        """How many proposals were made and settled."""
        return len(self.steps) + len(self.rejected)

    @property
    def full(self) -> bool:
        """Whether no more statements are to be proposed."""
        settings = self.settings
        return (
            len(self.steps) >= settings.statements
            or self.proposed >= settings.proposals
            or bool(self.channels.get("enough"))
        )


@dataclass(frozen=True)
class Gathering(Run[CumulativeSettings], GatheringView):
    """What the gathering nodes are given."""

    schema = GatheringState


@node(CumulativeSettings, Gathering)
async def propose(run: Gathering) -> Update:
    """Set ``proposal``, of the solver's model; ``enough`` where it has none to make. A reply that
    cannot be read is a proposal that was rejected.

    What was rejected may be proposed again once it rests on other statements: it may have come too
    early.
    """
    told = [(one["statement"], one["reason"]) for one in run.rejected if one["statement"]]
    rejected = [f"- {_on_a_line(statement)}: {_on_a_line(reason)}" for statement, reason in told]
    fields = {"established": numbered(run.steps), "rejected": "\n".join(rejected) or "(nothing)"}
    template, number = (_FOLDER, "propose"), run.proposed
    reply, entries = await ask_role_json(
        run, template, fields, Proposal, role="solver", counted_as="solver", number=number
    )
    said, update = reply.value, Update(ledger=entries, proposal={})
    if said is None:
        return update | _rejected(run, {"statement": ""}, reply.error)
    proposal = {"statement": " ".join(said.statement.split()), "rests_on": said.rests_on}
    if not proposal["statement"]:
        return update | {"enough": True}
    if len(proposal["statement"]) > _LONGEST:
        return update | _rejected(run, proposal, f"it has more than {_LONGEST} characters")
    if _was_made(run, proposal):
        return update | _rejected(run, proposal, _SAID)
    return update | {"proposal": proposal}


@node(CumulativeSettings, Gathering)
async def check(run: Gathering) -> Update:
    """Have the judges check the proposal. It is established if none objects, and the model passes
    it: a domain may have read half of it, so that its word is enough only where no model is asked.
    The model sees the statements that it is said to rest on, and no others."""
    verdicts, entries = dict[Judge, Verdict](), Entries()
    for judge in run.settings.judges:
        verdict, cost = await (_by_domain if judge == "domain" else _by_model)(run)
        verdicts[judge] = verdict
        entries |= cost
        if verdict.ok is False:
            break
    else:
        verdict = verdicts.get("model") or verdicts["domain"]
    update = announced(run, _FOLDER, verdict) | {"ledger": entries, "proposal": {}}
    if verdict.ok:
        return update | {"steps": [*run.steps, run.proposal["statement"]]}
    return update | _rejected(run, run.proposal, verdict.reason)


@node(CumulativeSettings, Gathering)
async def report(run: Gathering) -> Update:
    """Set ``enough``: whether the solver's model can read the answer off what is established."""
    template, fields = (_FOLDER, "report"), {"established": numbered(run.steps)}
    number = len(run.steps)
    reply, entries = await ask_role_json(
        run, template, fields, Report, role="solver", counted_as="solver", number=number
    )
    return {"ledger": entries, "enough": reply.value is not None and reply.value.enough}


@node(CumulativeSettings)
async def conclude_from(run: Run[CumulativeSettings]) -> Update:
    """Begin the solution with a prompt that has what is established behind the problem; without
    anything the problem is solved as it was put."""
    if not run.steps:
        return {}
    fields = {"established": numbered(run.steps)}
    return await begin_again(run, [(_FOLDER, "conclude")], fields)


def within_limits(gathers: Node) -> Node:
    """A gathering node; where a limit of the run is reached it sets ``enough``, for the solver's
    stream to say which."""

    @wraps(gathers)
    async def limited(state: Mapping[str, Any], runtime: Runtime[Any]) -> Update:
        run = Gathering(state, CumulativeSettings, runtime)
        try:
            async with run.budget.in_limits():
                update: Update = await gathers(state, runtime)
                return update
        except Exhausted:
            return {"enough": True, "ledger": asked_under(run, f"{run.branch}/"), "proposal": {}}

    return limited


def _on_a_line(text: str) -> str:
    """A text as the proposer is told it."""
    return shortened(" ".join(text.split()), _LONGEST)


def _was_made(run: Gathering, proposal: Mapping[str, Any]) -> bool:
    """Whether a proposal is established, or was rejected resting on the same statements."""
    made = _bare(proposal["statement"])
    if made in map(_bare, run.steps):
        return True
    return any(
        made == _bare(one["statement"]) and set(proposal["rests_on"]) == set(one["rests_on"])
        for one in run.rejected
        if one["statement"]
    )


def _bare(statement: str) -> str:
    """A statement without the stop at its end."""
    return statement.rstrip(" .")


def _rejected(run: Gathering, proposal: Mapping[str, Any], reason: str) -> Update:
    return {"rejected": [*run.rejected, {**proposal, "reason": reason}]}


async def _by_domain(run: Gathering) -> tuple[Verdict, Entries]:
    """What the domain's step verifier says of the proposal, given those that are established."""
    tools = run.tool_log(f"{run.branch}/{_FOLDER}/{run.proposed}")
    domain = await run.domain(tools)
    walk = Walk(domain, run.problem, wanted=judged_if(run.settings.judge_answers))
    for statement in run.steps:
        walk, _ = await _judged(walk, statement)
    _, found = await _judged(walk, run.proposal["statement"])
    run.spent(tools.entries)
    wrong = [one for one in found if one.ok is False]
    undecided = [one for one in found if one.ok is None]
    unread = Verdict(None, "no step could be read", "cannot_tell", source=domain.name)
    verdict = next(iter([*wrong, *undecided, *found]), unread)
    return verdict, tools.entries


async def _judged(walk: Walk, statement: str) -> tuple[Walk, list[Verdict]]:
    """The walk behind a statement, and the verdicts on what is read of it: as it stands or, where
    nothing is, labelled as a step, as some domains want it (logic, zebra)."""
    plain, labelled = walk.copy(), walk.copy()
    if found := [verdict async for _, verdict in plain.judge(f"{statement}\n")]:
        return plain, found
    found = [verdict async for _, verdict in labelled.judge(f"Step: {statement}\n")]
    return labelled if found else plain, found


async def _by_model(run: Gathering) -> tuple[Verdict, Entries]:
    """What the verifier's model says of the proposal; asked as the deductive verifier's is."""
    stated = await prompts.statement(run.problem, (await run.model("verifier")).profile)
    needed = [one for n, one in enumerate(run.steps, 1) if n in run.proposal["rests_on"]]
    fields = {"premises": bulleted([stated, *needed]), "step": run.proposal["statement"]}
    reply, entries = await ask_role_json(
        run, ("baseline_verifiers", "follows"), fields, Following, number=run.proposed
    )
    if reply.value is None:
        return Verdict(None, reply.error, "cannot_tell", source="model"), entries
    follows, reason = reply.value.follows, reply.value.reason
    kind = "" if follows else "does_not_follow"
    return Verdict(follows, reason, kind, source="model"), entries
