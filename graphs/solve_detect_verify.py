"""solve_detect_verify: stop at a complete solution, have it checked, mend it (Solve-Detect-Verify).

    prepare -> sample (one or several side by side) -> vote

    sample:  solve <-> refine
               |
               v
             read -> fast -> slow -> prm -> domain -> human
               ^       (as far as nobody can tell)
               |                 |
             solve <- retry (or redraw, rewrite, or roll_back and refine) <- rejected
                                                 accepted -> settle

``solve`` streams (Algorithm 1); where the model hesitates, the detector asks whether its solution
is complete, and ``refine`` then closes the thinking. The verifiers of the ladder read the whole
solution (section 3.2), each only where the one before it could not tell. A rejected solution goes
back to the solver with the feedback (Algorithm 2), ``iterations`` solutions at most. ``vote`` takes
the answer that most accepted samples gave (SDV@N).
"""

from __future__ import annotations

from typing import Literal

from langgraph.graph import StateGraph

from agentflow.compiled import compiled
from agentflow.nodes import (
    RETRY,
    SDVSettings,
    View,
    after_rewrite,
    ask_person,
    detector,
    domain_verify,
    flexive,
    ladder,
    one_sample,
    prm,
    read_solution,
    redraw_solution,
    refine,
    retry,
    rewrite_step,
    roll_back,
    route,
    sampled,
    side_by_side,
    solver,
    stream_ends,
    surviving,
    undecided,
    verifiers_left,
    vote,
)
from agentflow.nodes.judging import JudgingState
from agentflow.run import Input, Output, RunState, Sampled
from agentflow.verifiers.flexive import agreed

__all__ = ["SDVSettings", "build", "graph"]

_REFINES = {"prompt": "retry", "note": "roll_back", "redraw": "redraw", "rewrite": "rewrite"}
"""Setting -> node."""


def after_solve(run: View[SDVSettings]) -> Literal["refine", "read", "redraw", "settle"]:
    """Close the thinking where the solution is complete; read what ended by itself, if anybody is
    to judge it. One that came to no end within its tokens is drawn anew, where solutions are."""
    settings, end = run.settings, run.stream
    if end.ended == "intervened":
        return "refine"
    left = settings.ladder and run.attempt.number + 1 < settings.iterations
    draws = settings.refine_by in ("redraw", "rewrite")
    if end.ended == "length" and not end.spent and left and draws:
        return "redraw"
    return "read" if end.ended == "stop" and settings.ladder else "settle"


def climb(run: View[SDVSettings]) -> str:
    """From a verdict: accept, reject, or ask the next verifier of the ladder."""
    settings, verdict = run.settings, run.verdict
    left = verifiers_left(settings.ladder, verdict)
    if verdict is None:
        return left[0]
    sure = verdict.ok is not None
    if verdict.verifier == "fast" and "slow" in left:
        sure = agreed(verdict.ok, verdict.evidence, settings.tau)
    if not sure and left:
        return left[0]
    # The domain's undecided is not wrong, and a spent budget leaves nothing to mend it with.
    done = verdict.kind == "exhausted" or (verdict.verifier == "domain" and not sure)
    if verdict.ok or done or run.attempt.number + 1 >= settings.iterations:
        return "settle"
    return _REFINES[settings.refine_by]


def sample() -> StateGraph[JudgingState, SDVSettings, JudgingState, Sampled]:
    """One sample, from its prompt to its entry in ``samples``."""
    graph = one_sample(SDVSettings)
    graph.add_node("solve", surviving(solver(detector, SDVSettings), retried=True))
    graph.add_node("refine", surviving(refine), retry_policy=RETRY)
    graph.add_node("read", read_solution)
    graph.add_node("fast", undecided(flexive("fast"), "fast"), retry_policy=RETRY)
    graph.add_node("slow", undecided(flexive("slow"), "slow"), retry_policy=RETRY)
    graph.add_node("prm", undecided(prm, "prm"), retry_policy=RETRY)
    graph.add_node("domain", domain_verify)
    graph.add_node("human", ask_person)
    graph.add_node("retry", surviving(retry), retry_policy=RETRY)
    graph.add_node("roll_back", roll_back)
    graph.add_node("redraw", redraw_solution, retry_policy=RETRY)
    graph.add_node("rewrite", rewrite_step, retry_policy=RETRY)
    stream_ends(graph, after_solve, ["refine", "read", "redraw", "settle"])
    graph.add_edge("refine", "solve")
    rungs, mends = ["fast", "slow", "prm", "domain", "human"], _REFINES.values()
    ladder(graph, rungs, climb, "settle", *mends)
    graph.add_edge("retry", "solve")
    graph.add_edge("roll_back", "refine")
    graph.add_edge("redraw", "solve")
    graph.add_conditional_edges("rewrite", route(SDVSettings, after_rewrite), ["solve", "settle"])
    return graph


def build() -> StateGraph[RunState, SDVSettings, Input, Output]:
    """The graph, not yet compiled."""
    return sampled(SDVSettings, sample(), vote, lambda run: side_by_side(run.settings.samples))


graph = compiled(build(), "solve_detect_verify")
