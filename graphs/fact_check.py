"""fact_check: look the facts of a solution up, one by one, and judge it by what is found.

    read -> facts -> query -> search -> query -> search ... -> rate

A model lists the facts, says what to search for until it has found enough of each, and rates each
by what was found alone: it need not know them itself (SAFE, Wei et al. 2024).
"""

from __future__ import annotations

from typing import Literal

from langgraph.graph import END, START, StateGraph

from agentflow.compiled import compiled
from agentflow.nodes import (
    RETRY,
    FactSettings,
    View,
    ask_queries,
    list_facts,
    rate_facts,
    route,
    search_facts,
)
from agentflow.nodes.fact_check import FactState
from agentflow.nodes.judging import Given, Judged, Solution, behind_read


def after_facts(run: View[FactSettings]) -> Literal["query", "__end__"]:
    """Without facts nothing can be looked up."""
    return "__end__" if run.verdict else "query"


def after_search(run: View[FactSettings]) -> Literal["query", "rate"]:
    """Another search for each fact of which not enough was found yet."""
    facts, most = run.channels.get("facts") or (), run.settings.searches
    left = any(not one["enough"] and len(one["found"]) < most for one in facts)
    return "query" if left else "rate"


def judging() -> StateGraph[FactState, FactSettings, Solution, Judged]:
    """The part that judges a solution in steps."""
    graph = StateGraph(FactState, FactSettings, input_schema=Solution, output_schema=Judged)
    graph.add_node("facts", list_facts, retry_policy=RETRY)
    graph.add_node("query", ask_queries, retry_policy=RETRY)
    graph.add_node("search", search_facts, retry_policy=RETRY)
    graph.add_node("rate", rate_facts, retry_policy=RETRY)
    graph.add_edge(START, "facts")
    listed = route(FactSettings, after_facts)
    graph.add_conditional_edges("facts", listed, [END, "query"])
    graph.add_edge("query", "search")
    searched = route(FactSettings, after_search)
    graph.add_conditional_edges("search", searched, ["query", "rate"])
    graph.add_edge("rate", END)
    return graph


def build() -> StateGraph[FactState, FactSettings, Given, Judged]:
    """The graph, not yet compiled."""
    return behind_read(judging(), parse=False)


graph = compiled(build(), "fact_check")
