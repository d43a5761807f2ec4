"""Looking up what the model is unsure of, as it writes (FLARE, Jiang et al. 2023, "Active Retrieval
Augmented Generation", section 3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Literal

from langgraph.types import Overwrite
from pydantic import Field

from agentflow.domains.spelling import shortened
from agentflow.monitors import Monitor
from agentflow.monitors.unsure import Unsure
from agentflow.nodes.context import weaker
from agentflow.nodes.cut_back import cut_back, gone_behind
from agentflow.nodes.finish import answer_of
from agentflow.nodes.run import Run, Update, View, node
from agentflow.nodes.solve import Task
from agentflow.nodes.tool_calls import MAX_OBSERVATION, tools_of, use_of
from agentflow.nodes.use_tool import put_behind
from agentflow.settings import Few, Settings, Share
from agentflow.tools.findings import found_by
from agentflow.verifiers.actions import quoted

_MONITOR = "unsure"
_HITS = 3
"""Hits of a search."""
_PLAIN = weaker("log-probabilities", "nothing is looked up")


class RetrievalSettings(Settings):
    """Settings of active_retrieval; the thresholds are the paper's for 2WikiMultihopQA."""

    sure: Share = Field(
        default=0.8, description="A sentence is looked up that has a word less likely than this"
    )
    kept: Share = Field(
        default=0.4, description="Words of it that are less likely than this are not searched for"
    )
    lookups: Few = Field(default=8, description="Sentences that are looked up, at most")
    top: Few = Field(
        default=5, description="Alternatives a token that are asked for, to know how likely it was"
    )

    @property
    def needs_continuing(self) -> bool:
        return True

    @property
    def alternatives_read(self) -> int:
        return self.top


async def unsure_sentences(task: Task) -> Sequence[Monitor]:
    """What watches the solver, until enough was looked up; nothing, for a model that tells no
    alternatives."""
    settings = task.settings
    if task.model.capabilities.logprobs == 0:
        task.emit(_PLAIN)
        return []
    made = [one.state.data["query"] for one in task.judged if one.monitor == _MONITOR]
    if len(made) >= settings.lookups:
        return []
    return [Unsure(settings.sure, settings.kept, frozenset(made))]


@node(RetrievalSettings)
async def look_up(run: Run[RetrievalSettings]) -> Update:
    """Search for the unsure sentence, and take it back, for the solver to write it again behind
    what was found. Where nothing is found it stays, and the last one ends the text."""
    state, done = run.judged[-1].state, len(run.operations)
    log = run.tool_log(f"solver/{run.branch}/{done}")
    domain = await run.domain()
    tools = await tools_of(run.settings, domain)
    use = await use_of(tools, "search", state.data["query"], log, limit=_HITS)
    run.spent(log.entries)
    found = shortened(found_by(use), MAX_OBSERVATION)
    if not found and state.data["last"]:
        asks = run.asked <= run.attempt.number and answer_of(run, domain) is None
        end = replace(run.stream, ended="stop", intervention=None, unanswered=asks)
        return {"ledger": log.entries, "stream_end": asdict(end)}
    if not found:
        return {"ledger": log.entries}
    trace, reason = run.trace, run.stream.wanted.reason
    entries = cut_back(run, trace, state.start, reason, f"lookup{done}")
    told = f"Looked up: {state.data['query']}\n{quoted(found)}\n"
    await put_behind(run, trace, told, _MONITOR, reason)
    return {
        "operations": trace.operations[done:],
        "reading": {},
        "ledger": log.entries | entries,
        "judged": Overwrite(gone_behind(run.judged_rows, state.start)),
    }


def after_solve(run: View[RetrievalSettings]) -> Literal["look_up", "finish"]:
    """Edge behind ``solve``."""
    return "look_up" if run.stream.ended == "intervened" else "finish"


def after_look_up(run: View[RetrievalSettings]) -> Literal["solve", "state_answer", "finish"]:
    """Edge behind ``look_up``: the solver goes on, unless its text had come to its end."""
    if run.stream.ended == "intervened":
        return "solve"
    return "state_answer" if run.stream.unanswered else "finish"
