"""Paths of thought side by side that tell each other how far they have come (LeaP, Luo et al. 2025,
"Learning from Peers in Reasoning Models", section 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Literal

from langgraph.types import Overwrite
from pydantic import Field

from agentflow import prompts
from agentflow.errors import Refused
from agentflow.monitors import Monitor
from agentflow.monitors.pause import Pause
from agentflow.nodes.asking import ask_role, telling
from agentflow.nodes.context import weaker
from agentflow.nodes.frame import Start, side_by_side
from agentflow.nodes.judging import Judging, JudgingState
from agentflow.nodes.run import Run, Update, View, node
from agentflow.nodes.solution import unmarked
from agentflow.nodes.solve import Task
from agentflow.nodes.surviving import asked_under
from agentflow.nodes.team import TeamSettings
from agentflow.nodes.use_tool import put_behind
from agentflow.nodes.vote import settled
from agentflow.settings import Few, Positive
from agentflow.verifiers.actions import quoted

_FOLDER = "learning_from_peers"
_SUMMARY, _HEARS = "summary", "hears"
"""What a path that pauses says, and what it is told then, among the figures of its sample."""


class PeerSettings(TeamSettings):
    """Settings of learning_from_peers."""

    n: int = Field(default=4, ge=1, le=1024, description="Paths side by side")
    every: Positive = Field(
        default=4096,
        description="Tokens of thinking after which a path pauses; fewer for a model "
        "that thinks briefly",
    )
    see: Few = Field(default=4, description="How many others a path hears of")
    peers: Literal["dispersed", "clustered", "hybrid"] = Field(
        default="dispersed",
        description="Others that a path hears of: dispersed, those whose summaries are least like "
        "its own; clustered, those most like it; hybrid, half of each",
    )
    summary_tokens: Positive = Field(default=256, description="Most tokens of a summary")

    @property
    def needs_continuing(self) -> bool:
        return True


class PathState(JudgingState, total=False):
    """The channels, with a path's ``summary`` of how far it has come, and whether it is ``alone``:
    then nobody is there to hear of it."""

    summary: str
    alone: bool


@dataclass(frozen=True)
class OnPath(Judging[PeerSettings]):
    """What the nodes of a path are given."""

    schema = PathState

    @property
    def summary(self) -> str | None:
        """How far it has come; None for one that does not pause."""
        return self.channels.get("summary")


async def pausing(task: Task) -> Sequence[Monitor]:
    """What watches a path."""
    return [Pause(task.settings.every, bool(task.model.profile.think_close))]


def next_paths(run: View[PeerSettings]) -> list[Start]:
    """All paths; then those that paused, each with what it is told."""
    if not run.samples:
        begun = side_by_side(run.settings.n, ledger=run.ledger)
        return [{**start, "alone": len(begun) == 1} for start in begun]
    going = [one for one in run.samples if _HEARS in one.more]
    return [
        {
            "alone": len(going) == 1,
            "branch": one.branch,
            "operations": one.operations,
            "judged": one.judged,
            "corrections": one.corrections,
            "steps": one.more[_HEARS],
            "ledger": run.ledger,
        }
        for one in going
    ]


@node(PeerSettings, OnPath)
async def hear(run: OnPath) -> Update:
    """Put behind the path's thinking what it is told of the others."""
    if not run.steps:
        return {}
    told = "\n\n".join(f"[{number}]\n{one}" for number, one in enumerate(run.steps, 1))
    profile, fields = (await run.model()).profile, {"summaries": told}
    _, text = await prompts.rendered(_FOLDER, "heard", profile, fields)
    heard, reason = f"\n{text.strip()}\n\n", f"{len(run.steps)} others"
    operation = await put_behind(run, run.trace, heard, "pause", reason)
    return {"operations": [operation], "steps": []}


@node(PeerSettings, OnPath)
async def summarise(run: OnPath) -> Update:
    """Have the solver's model sum up how far the path has come; an empty reply tells nothing, nor
    does a server that refuses: the path goes on all the same.

    Raises:
        ModelUnavailable, StreamBroken: If the model does not answer.
    """
    most = (await run.model()).profile.context  # of characters: each about a quarter of the tokens
    try:
        reply, entries = await ask_role(
            run,
            (_FOLDER, "summary"),
            {"work": unmarked(run, run.operations, run.member)[-most:]},
            telling,
            "",
            role="solver",
            counted_as="solver",
            tokens=run.settings.summary_tokens,
            number=len(run.operations),
        )
    except Refused as refused:
        run.emit(weaker("a summary", f"others hear nothing of path {run.branch}: {refused}"))
        return {"summary": "", "ledger": asked_under(run, f"{run.branch}/")}
    return {"summary": reply.value, "ledger": entries}


@node(PeerSettings, OnPath)
async def settle_path(run: OnPath) -> Update:
    """What the path came to, as one entry of ``samples``; one that pauses has its summary there."""
    sample = await settled(run)
    if run.summary is not None and run.stream.ended == "intervened":
        more = sample.more | {_SUMMARY: run.summary}
        sample = replace(sample, status="exhausted", reason="it was still thinking", more=more)
    return {"samples": [sample.plain()]}


@node(PeerSettings)
async def exchange(run: Run[PeerSettings]) -> Update:
    """Behind all paths: of each the last entry stays, and who paused is told of others that did.
    Sets ``enough`` once none did."""
    paths = {one.branch: one for one in run.samples}  # the later entry of a branch stands behind
    summaries = {
        branch: quoted(said) for branch, one in paths.items() if (said := one.more.get(_SUMMARY))
    }
    spent = any(one.more.get("spent") for one in run.samples)  # then nobody goes on
    settings, told = run.settings, []
    for branch, one in paths.items():
        more = {key: value for key, value in one.more.items() if key not in (_SUMMARY, _HEARS)}
        if _SUMMARY in one.more and not spent:
            own = summaries.get(branch, "")
            others = [said for other, said in summaries.items() if other != branch]
            more[_HEARS] = chosen(own, others, settings.see, settings.peers)
        told.append(replace(one, more=more))
    going = any(_HEARS in one.more for one in told)
    return {"samples": Overwrite([one.plain() for one in told]), "enough": not going}


def chosen(own: str, others: Sequence[str], see: int, peers: str) -> list[str]:
    """The summaries that a path hears, at most ``see``, by how like its own they are (section 3.2;
    likeness is that of their words in order, where the paper has a distance of letters).

    Args:
        peers: ``dispersed``, ``clustered`` or ``hybrid``.
    """
    words = own.split()
    near = sorted(
        others, key=lambda one: -SequenceMatcher(None, words, one.split(), autojunk=False).ratio()
    )
    if len(near) <= see:
        return near
    alike = {"dispersed": 0, "clustered": see, "hybrid": see // 2}[peers]
    return near[:alike] + near[len(near) - (see - alike) :]


def after_path(run: View[PeerSettings]) -> Literal["solve", "read", "summarise", "settle"]:
    """Edge behind ``solve``: a path that pauses is summed up, unless nobody is there to hear of
    it; one that ended is read."""
    ended = run.stream.ended
    if ended == "intervened":
        return "solve" if run.channels.get("alone") else "summarise"
    return "read" if ended == "stop" else "settle"
