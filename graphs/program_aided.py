"""program_aided: the model writes a program, and what the program comes to is the answer.

    prepare -> sample (k side by side) -> vote

    sample:  ask -> write -> execute -> settle
              ^                 |
              '--- no answer ---+-> words -> solve -> judge -> settle

Reasoning in words fails at arithmetic and at long chains of rules, which a program or a prover does
without mistakes: Python (PAL, Gao et al. 2023; program of thoughts, Chen et al. 2023), or Z3, which
is given the problem's conditions (SatLM, Ye et al. 2023). A program that came to no answer, or to
one that the domain refutes, goes back to the model with what came of it, and in the end the problem
is solved in words (Logic-LM, Pan et al. 2023).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from langgraph.graph import StateGraph

from agentflow.compiled import compiled
from agentflow.nodes import (
    RETRY,
    View,
    ask_program,
    judge_words,
    one_sample,
    put_in_words,
    route,
    run_program,
    sampled,
    settle_program,
    side_by_side,
    solver,
    stream_ends,
    surviving,
)
from agentflow.nodes.judging import JudgingState
from agentflow.nodes.program import NO_SANDBOX, ProgramSettings, failed, vote_on_programs
from agentflow.run import Input, Output, RunState, Sampled

__all__ = ["ProgramSettings", "build", "graph"]


def programs(run: View[ProgramSettings]) -> list[Mapping[str, Any]]:
    """All at once."""
    return side_by_side(run.settings.k)


def after_write(run: View[ProgramSettings]) -> Literal["execute", "settle"]:
    """What came to its end is run; so is what was cut off, where another attempt may follow."""
    end = run.stream
    again = end.ended == "length" and not end.spent
    return "execute" if end.ended == "stop" or again else "settle"


def after_execute(run: View[ProgramSettings]) -> Literal["ask", "words", "settle"]:
    """Another program behind one that came to no answer that stands, as often as it may be mended;
    then words, where they are the fallback."""
    settings, fault = run.settings, run.verdict
    if fault is None or not failed(run):
        return "settle"
    if fault.kind != NO_SANDBOX and run.attempt.number <= settings.mends:
        return "ask"
    return "words" if settings.fallback == "words" else "settle"


def after_solve(run: View[ProgramSettings]) -> Literal["judge", "settle"]:
    """Of a solution in words the answer is judged; one that was cut off has none."""
    return "judge" if run.stream.ended == "stop" else "settle"


def sample() -> StateGraph[JudgingState, ProgramSettings, JudgingState, Sampled]:
    """One sample, from its prompt to its entry in ``samples``."""
    graph, kind = one_sample(ProgramSettings, "ask", settle_program), ProgramSettings
    graph.add_node("ask", ask_program, retry_policy=RETRY)
    graph.add_node("write", surviving(solver(settings_type=kind), retried=True))
    graph.add_node("execute", run_program)
    graph.add_node("words", put_in_words, retry_policy=RETRY)
    graph.add_node("solve", surviving(solver(settings_type=kind), retried=True))
    graph.add_edge("ask", "write")
    graph.add_conditional_edges("write", route(kind, after_write), ["execute", "settle"])
    executed = route(kind, after_execute)
    graph.add_conditional_edges("execute", executed, ["ask", "words", "settle"])
    graph.add_node("judge", judge_words)
    graph.add_edge("words", "solve")
    stream_ends(graph, after_solve, ["judge", "settle"])
    graph.add_edge("judge", "settle")
    return graph


def build() -> StateGraph[RunState, ProgramSettings, Input, Output]:
    """The graph, not yet compiled."""
    names = {"choose": "vote"}
    return sampled(ProgramSettings, sample(), vote_on_programs, programs, names=names)


graph = compiled(build(), "program_aided")
