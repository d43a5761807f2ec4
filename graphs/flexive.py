"""flexive: judge a given solution, fast where runs agree and slowly where not (paper 002, 3.2).

    read -> fast -> slow

Not a method that solves: it takes a solution, whole or in steps, and gives a verdict. A graph with
the channels ``problem``, ``steps``, ``verdict`` and ``ledger`` may have it as a node.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Literal

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from pydantic import Field
from typing_extensions import TypedDict

from agentflow.errors import BadInput
from agentflow.ledger import Entries
from agentflow.nodes import RETRY, FlexSettings, flexive, model_of, settings_of
from agentflow.problem import Problem
from agentflow.run import RunState
from agentflow.verifiers import segment
from agentflow.verifiers.flexive import Mode, agreed


class FlexiVeSettings(FlexSettings):
    """Settings of flexive."""

    runs: Mode = Field(
        default="flex",
        description="flex: fast runs, and slow ones where they disagree (Flex@k); fast alone "
        "(NoThinking@k); slow alone (Think@k)",
    )

    @property
    def mode(self) -> Mode:
        return self.runs


class Given(TypedDict, total=False):
    """A problem and its solution: ``steps`` as they are, or a text to be cut at hesitations."""

    problem: str | dict[str, Any]
    solution: str
    steps: list[str]


class Judged(TypedDict):
    """The verdict on the solution, and what it cost."""

    verdict: dict[str, Any]
    ledger: Entries


class JudgingState(RunState, total=False):
    """The channels: those of a run, and the solution as a text."""

    solution: str


async def read(state: JudgingState, runtime: Runtime[Any]) -> dict[str, Any]:
    """The problem, and the solution in steps.

    Raises:
        BadInput: If there is no solution.
    """
    settings, problem = settings_of(runtime, FlexiVeSettings), state["problem"]
    if isinstance(problem, str):
        problem = asdict(Problem(problem, settings.domain))
    steps = state.get("steps")
    if not steps:
        profile = (await model_of(settings, "verifier")).profile
        steps = segment(state.get("solution", ""), profile.hesitations)
    if not "".join(steps).strip():
        raise BadInput("flexive: there is no solution to judge; give solution or steps")
    given = settings.model_dump(mode="json", exclude_defaults=True)
    return {"problem": problem, "steps": steps, "settings": given, "verdict": {}}


def after_read(state: JudgingState) -> Literal["fast", "slow"]:
    """Fast runs first, where there are any."""
    return "slow" if FlexiVeSettings(**state["settings"]).mode == "slow" else "fast"


def after_fast(state: JudgingState) -> Literal["slow", "__end__"]:
    """Slow runs where the fast ones did not agree (equation 4)."""
    settings, verdict = FlexiVeSettings(**state["settings"]), state["verdict"]
    enough = agreed(verdict["ok"], verdict["evidence"], settings.tau)
    return "__end__" if enough or settings.mode == "fast" else "slow"


def build() -> StateGraph[JudgingState, FlexiVeSettings, Given, Judged]:
    """The graph, not yet compiled."""
    graph = StateGraph(JudgingState, FlexiVeSettings, input_schema=Given, output_schema=Judged)
    graph.add_node("read", read)
    graph.add_node("fast", flexive("fast"), retry_policy=RETRY)
    graph.add_node("slow", flexive("slow"), retry_policy=RETRY)
    graph.add_edge(START, "read")
    graph.add_conditional_edges("read", after_read)
    graph.add_conditional_edges("fast", after_fast)
    graph.add_edge("slow", END)
    return graph


graph = build().compile(name="flexive")
