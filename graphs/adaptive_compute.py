"""adaptive_compute: plan, choose tools and compute, search, score, select (adaptive, figure 1).

    prepare -> iteration (several side by side) -> select

    iteration:  plan -> tools -> compute -> reframe -> reason -> critique -> refine
                                                         |                    |
                settle <- extract <- score <- summarizer <- verifier <- numeric_verifier

Each iteration plans, lets the model choose reasoning tools and a search strategy (rules put them in
order), searches for a trajectory of steps by their scores, has the chosen tools check it, and reads
the answer. ``select`` takes that of the highest reward (equation 2). Settings and chosen tools
leave boxes out, all but ``reason`` and ``settle``.
"""

from __future__ import annotations

from collections.abc import Callable

from langgraph.graph import END, START, StateGraph

from agentflow.compiled import compiled
from agentflow.nodes import (
    CONFIGURATIONS,
    GRID,
    RETRY,
    AdaptiveSettings,
    Iteration,
    IterationView,
    Node,
    begin,
    critique,
    direct_json,
    extract_answer,
    follow,
    iterations,
    plan,
    read_answer,
    reason,
    refine_attempt,
    reframe,
    route,
    sampled,
    score,
    select_compute,
    select_iteration,
    select_tools,
    settle_iteration,
    surviving,
)
from agentflow.nodes.adaptive import FOLLOWING, NODES
from agentflow.run import Input, Output, RunState, Sampled

__all__ = ["CONFIGURATIONS", "GRID", "AdaptiveSettings", "build", "graph"]

Adaptive = IterationView[AdaptiveSettings]


def first(run: Adaptive) -> str:
    """What an iteration begins with."""
    return "plan" if run.settings.plan else planned(run)


def planned(run: Adaptive) -> str:
    """Behind the plan."""
    return "tools" if run.settings.reasoning == "select" else equipped(run)


def equipped(run: Adaptive) -> str:
    """Behind the choice of tools; one that came to nothing is direct generation."""
    return "compute" if run.strategy == "select" else ready(run)


def ready(run: Adaptive) -> str:
    """All is chosen: restate the problem, reason, or answer at once."""
    if "reframe" in run.tools:
        return "reframe"
    return "direct_json" if run.settings.direct == "json" and not run.tools else "reason"


def reasoned(run: Adaptive) -> str:
    """Behind a trajectory: have it criticised, where its actions were not, or go on."""
    whole = "self-reflection" in run.tools and not run.reflected
    return "critique" if whole else following()(run)


def following(last: str = "") -> Callable[[Adaptive], str]:
    """Behind the reasoner, or the tool that ran last: the next one that was chosen."""
    tools = list(FOLLOWING)
    later = tools[tools.index(last) + 1 :] if last in tools else tools

    def behind(run: Adaptive) -> str:
        return next((NODES[tool] for tool in later if tool in run.tools), ended(run))

    return behind


def ended(run: Adaptive) -> str:
    """The trajectory stands: score it where that decides, then read its answer."""
    return "score" if run.settings.select_by == "prm" else scored(run)


def scored(run: Adaptive) -> str:
    """Who reads the answer; one given at once is there already."""
    return "settle" if run.answer else "extract" if reads(run) else "read"


def reads(run: Adaptive) -> bool:
    """Whether a model reads the answer off: off all that a controller had a say in."""
    return run.settings.extract != "domain" and bool(run.tools or run.settings.reasoning)


def iteration() -> StateGraph[Iteration, AdaptiveSettings, Iteration, Sampled]:
    """One iteration, from its plan to its entry in ``samples``."""
    graph = StateGraph(Iteration, AdaptiveSettings, output_schema=Sampled)

    def step(name: str, node: Node, after: Callable[[Adaptive], str], *targets: str) -> None:
        """A node and what may come behind it; where its trajectory did not come to its end, that is
        ``settle``, or the score and who reads an answer off what there is."""

        def behind(run: Adaptive) -> str:
            if run.stream.ended == "stop":
                return after(run)
            if not (run.cut_short and reads(run)):
                return "settle"
            return ended(run) if name in ("reason", "refine") else after(run)

        edge = route(AdaptiveSettings, behind, IterationView)
        graph.add_node(name, surviving(node), retry_policy=RETRY)
        graph.add_conditional_edges(name, edge, [*targets, "settle"])

    start = ["reframe", "reason", "direct_json"]
    checks, end = list(NODES.values()), ["score", "extract", "read"]
    begins = route(AdaptiveSettings, first, IterationView)
    graph.add_conditional_edges(START, begins, ["plan", "tools", "compute", *start])
    step("plan", plan, planned, "tools", "compute", *start)
    step("tools", select_tools, equipped, "compute", *start)
    step("compute", select_compute, ready, *start)
    step("reframe", reframe, lambda run: "reason", "reason")
    step("reason", reason, reasoned, "critique", *checks, *end)
    step("direct_json", direct_json, ended, *end)
    step("critique", critique, lambda run: "refine", "refine")
    step("refine", refine_attempt, following(), *checks, *end)
    for number, (tool, roles) in enumerate(FOLLOWING.items(), 1):
        step(NODES[tool], follow(NODES[tool], *roles), following(tool), *checks[number:], *end)
    step("score", score, scored, "extract", "read")
    step("extract", extract_answer, lambda run: "settle")
    step("read", read_answer, lambda run: "settle")
    graph.add_node("settle", settle_iteration)
    graph.add_edge("settle", END)
    return graph


def build() -> StateGraph[RunState, AdaptiveSettings, Input, Output]:
    """The graph, not yet compiled."""
    names, one = {"sample": "iteration", "choose": "select"}, iteration()
    return sampled(AdaptiveSettings, one, select_iteration, iterations, begin=begin, names=names)


graph = compiled(build(), "adaptive_compute")
