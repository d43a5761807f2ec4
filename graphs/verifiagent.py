"""verifiagent: judge a given solution by its form, then with tools (VerifiAgent, section 3).

    read -> meta -> act <-> tools -> evaluate -> reflect -> conclude
                                     (each only where it is needed)

``meta`` asks whether the solution is complete and its steps follow. ``act`` thinks and chooses an
action, ``tools`` makes it, for at most ``rounds`` rounds; where these end without an evaluation,
``evaluate`` asks for it. What disagrees goes through ``reflect``, once. ``conclude`` is code: no
solution is passed without tools having found something, or against what they found. With
``driver=domain`` the domain's verifiers take the place of the rounds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from langgraph.graph import END, START, StateGraph

from agentflow.compiled import compiled
from agentflow.nodes import (
    RETRY,
    VerifiAgentSettings,
    VerifiAgentState,
    VerifiAgentView,
    act,
    by_domain,
    calls_of,
    conclude_verdict,
    conflict_of,
    evaluate,
    make_call,
    meta_verify,
    reflect,
    route,
)
from agentflow.nodes.judging import Given, Judged, Solution, behind_read
from agentflow.nodes.verifiagent import MOST_ROUNDS
from agentflow.verifiers.evidence import any_evidence

Next = Literal["act", "tools", "evaluate", "reflect", "conclude"]


def after_meta(run: VerifiAgentView) -> Literal["act", "domain", "evaluate", "conclude"]:
    """Tools always follow, where there are any; else the evaluation follows from the form."""
    if run.settings.use_tools:
        return "domain" if run.settings.driver == "domain" else "act"
    return "evaluate" if run.meta and run.meta["ok"] is not None else "conclude"


def after_round(run: VerifiAgentView) -> Next:
    """Make the call; else another round, as far as they reach; else weigh the evaluation."""
    if run.evaluation:
        return weigh(run)
    turns = run.turns
    if turns[-1]["observation"] is None:
        return "tools"
    if len(turns) < (run.settings.rounds or MOST_ROUNDS):
        return "act"
    return "evaluate" if any_evidence(calls_of(turns)) else "conclude"


def weigh(run: VerifiAgentView) -> Literal["reflect", "conclude"]:
    """Reflect where the layers, or the evaluation, disagree."""
    return "reflect" if conflict_of(run) else "conclude"


def judging() -> StateGraph[VerifiAgentState, VerifiAgentSettings, Solution, Judged]:
    """The part that judges a solution in steps."""
    graph = StateGraph(
        VerifiAgentState, VerifiAgentSettings, input_schema=Solution, output_schema=Judged
    )

    def follow(name: str, edge: Callable[[VerifiAgentView], str], *targets: str) -> None:
        after = route(VerifiAgentSettings, edge, VerifiAgentView)
        graph.add_conditional_edges(name, after, list(targets))

    graph.add_node("meta", meta_verify, retry_policy=RETRY)
    graph.add_node("act", act, retry_policy=RETRY)
    graph.add_node("tools", make_call)
    graph.add_node("domain", by_domain)
    graph.add_node("evaluate", evaluate, retry_policy=RETRY)
    graph.add_node("reflect", reflect, retry_policy=RETRY)
    graph.add_node("conclude", conclude_verdict)
    graph.add_edge(START, "meta")
    follow("meta", after_meta, "act", "domain", "evaluate", "conclude")
    follow("act", after_round, "act", "tools", "evaluate", "reflect", "conclude")
    follow("tools", after_round, "act", "evaluate", "conclude")
    follow("domain", weigh, "reflect", "conclude")
    follow("evaluate", weigh, "reflect", "conclude")
    graph.add_edge("reflect", "conclude")
    graph.add_edge("conclude", END)
    return graph


def build() -> StateGraph[VerifiAgentState, VerifiAgentSettings, Given, Judged]:
    """The graph, not yet compiled."""
    return behind_read(judging())


graph = compiled(build(), "verifiagent")
