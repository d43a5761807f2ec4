"""verified_sampling: sample until a solution passes its verifier (VerifiAgent, sections 4.3, 4.4).

    prepare -> sample -> sample -> ... -> choose

    sample:  guide -> solve -> read -> VERIFIER -> settle
                      ^ |
                      | v
                     tools

Samples come one after the other, each judged by the chosen verifier; the first that passes ends the
run, and so do ``n``. Behind a rejected one ``guide`` puts the feedback into the next prompt. A
reasoner with tools stops behind every action; ``tools`` makes it. ``choose`` takes the answer that
passed, else the majority's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any, Literal

from langgraph.graph import END, START, StateGraph

from agentflow.compiled import compiled
from agentflow.graphs.judges import add_judges
from agentflow.nodes import (
    RETRY,
    VerifiedSamplingSettings,
    View,
    acting,
    choose,
    guide,
    read_solution,
    route,
    sampled,
    settle,
    solver,
    stream_ends,
    surviving,
    use_tool,
)
from agentflow.nodes.frame import Start
from agentflow.nodes.judges import Judge
from agentflow.nodes.judging import JudgingState
from agentflow.nodes.run import Node
from agentflow.nodes.solution import unmarked
from agentflow.run import Input, Output, RunState, Sampled

Kind = type[VerifiedSamplingSettings]


def next_sample(run: View[VerifiedSamplingSettings]) -> list[dict[str, Any]]:
    """The next sample, unless one passed or there are enough; a rejected one may be told of."""
    done, settings = run.samples, run.settings
    start = {"branch": len(done), "ledger": run.ledger}
    if not done:
        return [start]
    last = done[-1]
    if last.answer is not None or len(done) >= settings.n:
        return []
    if settings.feedback != "sample" and last.verdict and last.verdict.ok is False:
        start |= {
            "verdict": asdict(last.verdict),
            "solution": unmarked(run, last.operations, last.member),
        }
    return [start]


def first(run: View[VerifiedSamplingSettings]) -> Literal["guide", "solve"]:
    """A sample that is told more than the problem begins with that."""
    return "guide" if run.settings.reasoner == "tools" or run.verdict else "solve"


def after_solve(run: View[VerifiedSamplingSettings]) -> Literal["tools", "read", "settle"]:
    """Make a call; else what ended by itself is judged."""
    ended = run.stream.ended
    return "tools" if ended == "intervened" else "read" if ended == "stop" else "settle"


def after_read(run: View[VerifiedSamplingSettings]) -> Judge | Literal["settle"]:
    """The verifier; a solution without an answer needs none."""
    return "settle" if run.verdict else run.settings.verifier


def sample(
    kind: Kind,
) -> StateGraph[JudgingState, VerifiedSamplingSettings, JudgingState, Sampled]:
    """One sample, from its prompt to its entry in ``samples``."""
    graph = StateGraph(JudgingState, kind, output_schema=Sampled)
    graph.add_node("guide", guide, retry_policy=RETRY)
    graph.add_node("solve", surviving(solver(acting, kind), retried=True))
    graph.add_node("tools", use_tool)
    graph.add_node("read", read_solution)
    judges = add_judges(graph, "settle")
    graph.add_node("settle", settle)
    graph.add_conditional_edges(START, route(kind, first), ["guide", "solve"])
    graph.add_edge("guide", "solve")
    stream_ends(graph, after_solve, ["tools", "read", "settle"])
    graph.add_edge("tools", "solve")
    graph.add_conditional_edges("read", route(kind, after_read), [*judges, "settle"])
    graph.add_edge("settle", END)
    return graph


def build(
    kind: Kind = VerifiedSamplingSettings,
    end: Node = choose,
    following: Callable[[View[Any]], Sequence[Start]] = next_sample,
) -> StateGraph[RunState, VerifiedSamplingSettings, Input, Output]:
    """The graph, not yet compiled; settings with other defaults, another end, or others that
    follow, make another method of it."""
    return sampled(kind, sample(kind), end, following, again=True)


graph = compiled(build(), "verified_sampling")
