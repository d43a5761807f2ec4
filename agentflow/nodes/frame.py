"""The frames that methods share: one trajectory, samples from start to choice, what follows a
stream's end, and a ladder of verifiers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeVar

from langgraph.graph import END, START, StateGraph
from langgraph.types import Send

from agentflow.channels import Ruling
from agentflow.nodes.finish import finish
from agentflow.nodes.prepare import prepare
from agentflow.nodes.run import Node, View, route
from agentflow.nodes.solve import RETRY
from agentflow.nodes.state_answer import state_answer
from agentflow.run import Input, Output, RunState
from agentflow.settings import Settings

S = TypeVar("S", bound=Settings)
R = TypeVar("R", bound=str)
Start = Mapping[str, Any]
"""What a sample begins with beside the run's own channels: at least its branch."""

_CARRIED = ("problem", "model", "open", "close", "operations", "settings")


def declined(state: RunState) -> str:
    """Edge behind :func:`prepare`: ``finish`` for a problem without an answer, else ``solve``."""
    return "finish" if state.get("abstained") else "solve"


def single(kind: type[S]) -> StateGraph[RunState, S, Input, Output]:
    """``prepare -> solve ... finish``: one trajectory, whose nodes but the first and the last are
    for the method to add."""
    graph = StateGraph(RunState, kind, input_schema=Input, output_schema=Output)
    graph.add_node("prepare", prepare, retry_policy=RETRY)
    graph.add_node("finish", finish)
    graph.add_edge(START, "prepare")
    graph.add_conditional_edges("prepare", declined, ["solve", "finish"])
    graph.add_edge("finish", END)
    return graph


def sampled(
    kind: type[S],
    sample: StateGraph[Any, S, Any, Any],
    choose: Node,
    next_samples: Callable[[View[S]], Sequence[Start]],
    *,
    begin: Node = prepare,
    names: Mapping[str, str] = MappingProxyType({}),
    again: bool = False,
) -> StateGraph[RunState, S, Input, Output]:
    """``prepare -> sample (as many as next_samples starts) -> choose``.

    Args:
        kind: The method's settings.
        sample: The graph of one sample.
        choose: The node that sets the result.
        begin: The first node, ``prepare`` or one around it.
        names: What ``sample`` and ``choose`` are called in the graph; by default ``sample``, and
            as the function.
        again: Whether more samples may follow those that ended; none are started otherwise.
    """
    name, chooses = names.get("sample", "sample"), names.get("choose", choose.__name__)

    def more(run: View[S]) -> str | list[Send]:
        if run.abstained:
            return "finish"
        carried = {key: run.channels[key] for key in _CARRIED if key in run.channels}
        return [Send(name, carried | dict(start)) for start in next_samples(run)] or chooses

    graph = StateGraph(RunState, kind, input_schema=Input, output_schema=Output)
    graph.add_node("prepare", begin, retry_policy=RETRY)
    graph.add_node(name, sample.compile(name=name))
    graph.add_node(chooses, choose)
    graph.add_node("finish", finish)
    graph.add_edge(START, "prepare")
    graph.add_conditional_edges("prepare", route(kind, more), [name, "finish"])
    if again:
        graph.add_conditional_edges(name, route(kind, more), [name, chooses])
    else:
        graph.add_edge(name, chooses)
    graph.add_edge(chooses, END)
    graph.add_edge("finish", END)
    return graph


def side_by_side(count: int) -> list[Start]:
    """So many samples at once."""
    return [{"branch": branch} for branch in range(count)]


def stream_ends(
    graph: StateGraph[Any, S, Any, Any],
    after_solve: Callable[[View[S]], str],
    targets: Sequence[str],
) -> None:
    """The edges behind ``solve``: to ``state_answer``, once, where no answer was stated; else as
    ``after_solve`` says, to one of ``targets``."""
    kind = graph.context_schema
    assert kind is not None, "a method has settings"

    def behind_solve(run: View[S]) -> str:
        return "state_answer" if run.stream.unanswered else after_solve(run)

    def behind_asking(run: View[S]) -> str:
        return "solve" if run.stream.continues else after_solve(run)

    graph.add_node("state_answer", state_answer, retry_policy=RETRY)
    graph.add_conditional_edges("solve", route(kind, behind_solve), [*targets, "state_answer"])
    graph.add_conditional_edges("state_answer", route(kind, behind_asking), ["solve", *targets])


def ladder(
    graph: StateGraph[Any, S, Any, Any],
    verifiers: Sequence[str],
    climb: Callable[[View[S]], str],
    *others: str,
) -> None:
    """The edges among the verifiers of a solution: behind ``read``, which cuts it into steps, and
    behind each verifier ``climb`` names the next one, or one of the ``others``."""
    kind = graph.context_schema
    assert kind is not None, "a method has settings"
    for name in ("read", *verifiers):
        next_ones = [other for other in verifiers if other != name]
        graph.add_conditional_edges(name, route(kind, climb), [*next_ones, *others])


def verifiers_left(ladder: Sequence[R], verdict: Ruling | None) -> Sequence[R]:
    """The verifiers of a ladder behind the one that gave the verdict; all of them before there is
    one, and none where the verdict is none of the ladder's."""
    if verdict is None:
        return ladder
    return ladder[ladder.index(verdict.verifier) + 1 :] if verdict.verifier in ladder else ()
