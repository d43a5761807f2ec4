"""interwhen: verify a reasoning trace while it grows, and steer it (the paper's method).

    prepare -> solve <-> refine
                 |
                 v
              verify -> finish

``solve`` streams until the model ends or a monitor intervenes; ``refine`` puts the verifier's
feedback (or the marker that ends the thinking) into the trace; ``verify`` judges the final answer.
``restart``, off by default, begins again where an attempt fails (section 3.3 names rolling back all
that was generated as one way to intervene).
Step verifier and k-stable answer may run at once. With ``elicit`` a side request tells them the
states of the thinking, where no line of free prose shows any.
"""

from __future__ import annotations

from typing import Literal

from langgraph.graph import StateGraph

from agentflow.compiled import compiled
from agentflow.nodes import (
    RETRY,
    InterwhenSettings,
    View,
    refine,
    restart,
    route,
    single,
    solver,
    step_monitors,
    stream_ends,
    verify,
)
from agentflow.run import Input, Output, RunState

__all__ = ["InterwhenSettings", "build", "graph"]

Interwhen = View[InterwhenSettings]


def after_solve(run: Interwhen) -> Literal["refine", "verify", "restart", "finish"]:
    """Refine on an intervention while corrections are left; verify what ended by itself."""
    end, settings = run.stream, run.settings
    if end.ended == "stop":
        return "verify" if settings.step_verifier else "finish"
    if end.ended == "intervened":
        corrections = run.corrections - run.attempt.corrections
        if end.wanted.kind == "close" or corrections < settings.max_corrections:
            return "refine"
    return "finish" if end.ended == "broken" else give_up(run)


def after_verify(run: Interwhen) -> Literal["restart", "finish"]:
    """Finish, unless the answer was refuted, or is none, or a proof is required and missing."""
    final = run.final
    assert final is not None, "verify judges an answer"
    undecided = final.ok is None and final.answer is not None
    if final.ok or (undecided and run.settings.require != "proof"):
        return "finish"
    return give_up(run)


def give_up(run: Interwhen) -> Literal["restart", "finish"]:
    """Begin again while restarts are left."""
    return "restart" if run.attempt.number < run.settings.restarts else "finish"


def build() -> StateGraph[RunState, InterwhenSettings, Input, Output]:
    """The graph, not yet compiled."""
    graph = single(InterwhenSettings)
    graph.add_node("solve", solver(step_monitors, InterwhenSettings))
    graph.add_node("refine", refine, retry_policy=RETRY)
    graph.add_node("verify", verify)
    graph.add_node("restart", restart)
    stream_ends(graph, after_solve, ["refine", "verify", "restart", "finish"])
    graph.add_edge("refine", "solve")
    after = route(InterwhenSettings, after_verify)
    graph.add_conditional_edges("verify", after, ["restart", "finish"])
    graph.add_edge("restart", "solve")
    return graph


graph = compiled(build(), "interwhen")
