"""The frames that methods share: what follows a stream's end, and samples from start to choice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from langgraph.graph import END, START, StateGraph
from langgraph.types import Send

from agentflow.nodes.finish import finish
from agentflow.nodes.judging import settings_in
from agentflow.nodes.prepare import declined, prepare
from agentflow.nodes.solve import RETRY
from agentflow.nodes.state_answer import state_answer
from agentflow.nodes.vote import start_of
from agentflow.run import Input, Output, RunState
from agentflow.settings import Settings

S = TypeVar("S", bound=Settings)
Node = Callable[..., Any]
Start = Mapping[str, Any]
"""What a sample begins with beside :func:`~agentflow.nodes.vote.start_of`: at least its branch."""


def sampled(
    kind: type[S],
    sample: StateGraph[Any, S, Any, Any],
    choose: Node,
    next_samples: Callable[[S, RunState], Sequence[Start]],
    *,
    begin: Node = prepare,
    name: str = "sample",
    again: bool = False,
) -> StateGraph[RunState, S, Input, Output]:
    """``prepare -> sample (as many as next_samples starts) -> choose``.

    Args:
        kind: The method's settings.
        sample: The graph of one sample, called ``name``.
        choose: The node that sets the result.
        begin: The first node, ``prepare`` or one around it.
        again: Whether more samples may follow those that ended; none are started otherwise.
    """
    chooses = choose.__name__

    def more(state: RunState) -> str | list[Send]:
        if declined(state) == "finish":
            return "finish"
        starts = next_samples(settings_in(state, kind), state)
        return [Send(name, start_of(state) | dict(one)) for one in starts] or chooses

    graph = StateGraph(RunState, kind, input_schema=Input, output_schema=Output)
    graph.add_node("prepare", begin, retry_policy=RETRY)
    graph.add_node(name, sample.compile(name=name))
    graph.add_node(chooses, choose)
    graph.add_node("finish", finish)
    graph.add_edge(START, "prepare")
    graph.add_conditional_edges("prepare", more, [name, "finish"])
    if again:
        graph.add_conditional_edges(name, more, [name, chooses])
    else:
        graph.add_edge(name, chooses)
    graph.add_edge(chooses, END)
    graph.add_edge("finish", END)
    return graph


def stream_ends(
    graph: StateGraph[Any, Any, Any, Any],
    after_solve: Callable[[Any], str],
    targets: Sequence[str],
) -> None:
    """The edges behind ``solve``: to ``state_answer``, once, where no answer was stated; else as
    ``after_solve`` says, to one of ``targets``."""

    def behind_solve(state: RunState) -> str:
        return "state_answer" if state["leg"].get("unanswered") else after_solve(state)

    def behind_asking(state: RunState) -> str:
        return "solve" if state["leg"]["continues"] else after_solve(state)

    graph.add_node("state_answer", state_answer, retry_policy=RETRY)
    graph.add_conditional_edges("solve", behind_solve, [*targets, "state_answer"])
    graph.add_conditional_edges("state_answer", behind_asking, ["solve", *targets])
