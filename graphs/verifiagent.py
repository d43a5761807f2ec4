"""verifiagent: judge a given solution by its form, then with tools (paper 004, section 3).

    read -> meta -> act <-> tools -> evaluate -> reflect -> conclude
                                     (each only where it is needed)

``meta`` asks whether the solution is complete and its steps follow. ``act`` thinks and chooses an
action, ``tools`` makes it, for at most ``rounds`` rounds; where these end without an evaluation,
``evaluate`` asks for it. What disagrees goes through ``reflect``, once. ``conclude`` is code: no
solution is passed without tools having found something, or against what they found. With
``driver=domain`` the domain's verifiers take the place of the rounds.
"""

from __future__ import annotations

from typing import Literal

from langgraph.graph import END, START, StateGraph

from agentflow.compiled import compiled
from agentflow.nodes import (
    RETRY,
    VerifiAgentSettings,
    VerifiAgentState,
    act,
    by_domain,
    calls_of,
    conclude_verdict,
    conflict_of,
    evaluate,
    make_call,
    meta_verify,
    reflect,
)
from agentflow.nodes.judging import Given, Judged, Solution, behind_read, settings_in
from agentflow.verifiers.evidence import any_evidence

Next = Literal["act", "tools", "evaluate", "reflect", "conclude"]


def after_meta(state: VerifiAgentState) -> Literal["act", "domain", "evaluate", "conclude"]:
    """Tools always follow, where there are any; else the evaluation follows from the form."""
    settings = settings_in(state, VerifiAgentSettings)
    if settings.use_tools:
        return "domain" if settings.driver == "domain" else "act"
    meta = state["meta"]
    return "evaluate" if meta and meta["ok"] is not None else "conclude"


def after_round(state: VerifiAgentState) -> Next:
    """Make the call; else another round, as far as they reach; else weigh the evaluation."""
    if state["evaluation"]:
        return weigh(state)
    turns = state["turns"]
    if turns[-1]["observation"] is None:
        return "tools"
    if len(turns) < settings_in(state, VerifiAgentSettings).rounds:
        return "act"
    return "evaluate" if any_evidence(calls_of(turns)) else "conclude"


def weigh(state: VerifiAgentState) -> Literal["reflect", "conclude"]:
    """Reflect where the layers, or the evaluation, disagree."""
    return "reflect" if conflict_of(state) else "conclude"


def judging() -> StateGraph[VerifiAgentState, VerifiAgentSettings, Solution, Judged]:
    """The part that judges a solution in steps."""
    graph = StateGraph(
        VerifiAgentState, VerifiAgentSettings, input_schema=Solution, output_schema=Judged
    )
    graph.add_node("meta", meta_verify, retry_policy=RETRY)
    graph.add_node("act", act, retry_policy=RETRY)
    graph.add_node("tools", make_call)
    graph.add_node("domain", by_domain)
    graph.add_node("evaluate", evaluate, retry_policy=RETRY)
    graph.add_node("reflect", reflect, retry_policy=RETRY)
    graph.add_node("conclude", conclude_verdict)
    graph.add_edge(START, "meta")
    graph.add_conditional_edges("meta", after_meta)
    graph.add_conditional_edges("act", after_round)
    graph.add_conditional_edges("tools", after_round, ["act", "evaluate", "conclude"])
    graph.add_conditional_edges("domain", weigh)
    graph.add_conditional_edges("evaluate", weigh)
    graph.add_edge("reflect", "conclude")
    graph.add_edge("conclude", END)
    return graph


def build() -> StateGraph[VerifiAgentState, VerifiAgentSettings, Given, Judged]:
    """The graph, not yet compiled."""
    return behind_read(judging())


graph = compiled(build(), "verifiagent")
