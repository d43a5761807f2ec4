"""tool_integrated: the solver calls tools as it writes, and goes on from what they say (ToRA, Gou
et al. 2024; Search-o1, Li et al. 2025).

    prepare -> explain -> solve -> finish
                          ^ | ^
                          | | '---- execute         a program was written
                          | '-> search -> condense  something is to be looked up
                          '---------------'

``solve`` stops behind a call. ``execute`` runs the program behind those before it, as a notebook
does; ``search`` looks something up, and ``condense`` has the solver's model pick out what helps.
"""

from __future__ import annotations

from langgraph.graph import StateGraph

from agentflow.compiled import compiled
from agentflow.nodes import RETRY, route, single, solver, stream_ends
from agentflow.nodes.tool_integrated import (
    CallingView,
    ToolIntegratedSettings,
    after_search,
    after_solve,
    condense,
    execute,
    explain_tools,
    search,
    stopped_at_calls,
)
from agentflow.run import Input, Output, RunState

__all__ = ["ToolIntegratedSettings", "build", "graph"]


def build() -> StateGraph[RunState, ToolIntegratedSettings, Input, Output]:
    """The graph, not yet compiled."""
    kind = ToolIntegratedSettings
    graph = single(kind, first="explain")
    graph.add_node("explain", explain_tools, retry_policy=RETRY)
    graph.add_node("solve", solver(stopped_at_calls, kind))
    graph.add_node("execute", execute)
    graph.add_node("search", search)
    graph.add_node("condense", condense, retry_policy=RETRY)
    graph.add_edge("explain", "solve")
    stream_ends(graph, after_solve, ["execute", "search", "finish"])
    graph.add_edge("execute", "solve")
    found = route(kind, after_search, CallingView)
    graph.add_conditional_edges("search", found, ["condense", "solve"])
    graph.add_edge("condense", "solve")
    return graph


graph = compiled(build(), "tool_integrated")
