"""The frames that methods share: one trajectory, one under monitors, samples from start to choice,
one of them, what follows a stream's end, and a ladder of verifiers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from types import MappingProxyType
from typing import Any, TypeVar

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Send

from agentflow.channels import Ruling
from agentflow.compiled import MethodGraph
from agentflow.errors import BadInput
from agentflow.ledger import Entries
from agentflow.monitors.monitor import PUTS
from agentflow.nodes.critic import uncriticised
from agentflow.nodes.finish import finish
from agentflow.nodes.judging import JudgingState
from agentflow.nodes.prepare import prepare
from agentflow.nodes.refine import refine
from agentflow.nodes.run import Node, Update, View, route
from agentflow.nodes.solution import read_solution
from agentflow.nodes.solve import RETRY, MonitorsFor, no_monitors, solver
from agentflow.nodes.state_answer import state_answer
from agentflow.nodes.surviving import surviving
from agentflow.nodes.verify import verify
from agentflow.nodes.vote import settle
from agentflow.run import Input, Output, RunState, Sampled
from agentflow.settings import Settings

S = TypeVar("S", bound=Settings)
R = TypeVar("R", bound=str)
Start = Mapping[str, Any]
"""What a sample begins with beside the run's own channels: at least its branch."""

_CARRIED = ("problem", "model", "open", "close", "operations", "settings")


def declined(state: RunState) -> str:
    """Edge behind :func:`prepare`: ``finish`` for a problem without an answer, else ``solve``."""
    return "finish" if state.get("abstained") else "solve"


def single(kind: type[S], first: str = "solve") -> StateGraph[RunState, S, Input, Output]:
    """``prepare -> solve ... finish``: one trajectory, whose nodes but the first and the last are
    for the method to add.

    Args:
        first: The node behind ``prepare``, where it is another than ``solve``.
    """

    def after_prepare(state: RunState) -> str:
        return "finish" if declined(state) == "finish" else first

    graph = MethodGraph(RunState, kind, input_schema=Input, output_schema=Output)
    graph.add_node("prepare", prepare, retry_policy=RETRY)
    graph.add_node("finish", finish)
    graph.add_edge(START, "prepare")
    graph.add_conditional_edges("prepare", after_prepare, [first, "finish"])
    graph.add_edge("finish", END)
    return graph


def refined(kind: type[S], monitors_for: MonitorsFor) -> StateGraph[RunState, S, Input, Output]:
    """``prepare -> solve <-> refine``, then ``finish``: one trajectory that monitors change as it
    is written, and nothing verifies on the way; a whole method.

    Args:
        monitors_for: As of :func:`steered`.
    """

    def after_solve(run: View[S]) -> str:
        return "refine" if run.stream.ended == "intervened" else "finish"

    graph = single(kind)
    graph.add_node("solve", solver(monitors_for, kind))
    graph.add_node("refine", refine, retry_policy=RETRY)
    stream_ends(graph, after_solve, ["refine", "finish"])
    graph.add_edge("refine", "solve")
    return graph


def steered(
    kind: type[S], monitors_for: MonitorsFor, corrections: int = 5
) -> StateGraph[RunState, S, Input, Output]:
    """``prepare -> solve <-> refine``, then ``verify -> finish``: one trajectory under monitors, a
    whole method.

    Args:
        monitors_for: Makes the monitors of a stream; an async function of a ``Task``.
        corrections: How often a text is put in at most; where more is wanted, the run abstains.
    """

    def after_solve(run: View[S]) -> str:
        if run.stream.ended != "intervened":
            return "verify"
        told = run.stream.wanted.kind in PUTS
        return "finish" if told and run.corrections >= corrections else "refine"

    graph = single(kind)
    graph.add_node("solve", solver(monitors_for, kind))
    graph.add_node("refine", refine, retry_policy=RETRY)
    graph.add_node("verify", verify)
    stream_ends(graph, after_solve, ["refine", "verify", "finish"])
    graph.add_edge("refine", "solve")
    graph.add_edge("verify", "finish")
    return graph


def one_sample(
    kind: type[S],
    first: str = "solve",
    settles: Node = settle,
    channels: type[JudgingState] = JudgingState,
) -> StateGraph[JudgingState, S, JudgingState, Sampled]:
    """``solve ... settle``: one of several samples, for :func:`sampled`; its nodes but the last
    are for the method to add. ``settle`` writes what the sample came to.

    Args:
        first: The node that it begins with, where it is another than ``solve``.
        settles: The node ``settle``, where a method says more of a sample.
        channels: Those of a sample, where it begins with more than these.
    """
    graph = StateGraph(channels, kind, output_schema=Sampled)
    graph.add_node("settle", settles)
    graph.add_edge(START, first)
    graph.add_edge("settle", END)
    return graph


def uncriticised_sample(
    kind: type[S], monitors_for: MonitorsFor = no_monitors, first: str = "solve"
) -> StateGraph[JudgingState, S, JudgingState, Sampled]:
    """``solve -> read -> none -> settle``: one sample that no critic reads; what was given up, or
    cut short, is not read as a solution.

    Args:
        monitors_for: What watches its stream.
        first: As of :func:`one_sample`.
    """

    def after_solve(run: View[S]) -> str:
        return "read" if run.stream.ended == "stop" else "settle"

    graph = one_sample(kind, first)
    graph.add_node("solve", surviving(solver(monitors_for, kind), retried=True))
    graph.add_node("read", read_solution)
    graph.add_node("none", uncriticised)
    stream_ends(graph, after_solve, ["read", "settle"])
    graph.add_edge("read", "none")
    graph.add_edge("none", "settle")
    return graph


def sampled(
    kind: type[S],
    sample: StateGraph[Any, S, Any, Any],
    choose: Node | CompiledStateGraph[Any, Any, Any, Any],
    next_samples: Callable[[View[S]], Sequence[Start]],
    *,
    begin: Node = prepare,
    names: Mapping[str, str] = MappingProxyType({}),
    again: bool = False,
    round_: Node | None = None,
) -> StateGraph[RunState, S, Input, Output]:
    """``prepare -> sample (as many as next_samples starts) -> choose``.

    Args:
        kind: The method's settings.
        sample: The graph of one sample, best begun with :func:`one_sample`: it finds the problem
            and its prompt in the run's channels, and writes an entry of ``samples``.
        choose: The node that sets the result, from ``run.samples``: ``choose`` (the first that
            passed, else the majority), ``vote``, ``pick``, or your own; it may be a graph.
        next_samples: The samples that start now, each with what it begins with, at least its
            ``branch``; ``lambda run: side_by_side(3)`` starts three at once.
        begin: The first node, ``prepare`` or one around it.
        names: What ``sample`` and ``choose`` are called in the graph; by default ``sample``, and
            as the function.
        again: Whether another sample may follow one that ended; none are started otherwise, nor
            behind one that a limit of the whole run ended.
        round_: The same where several start at once: the node behind all of them, which the next
            ones follow; an edge behind a sample sees that one alone.
    """
    called = choose.name if isinstance(choose, CompiledStateGraph) else choose.__name__
    name, chooses = names.get("sample", "sample"), names.get("choose", called)

    def first(run: View[S]) -> str | list[Send]:
        found = more(run)
        if found == chooses:
            raise BadInput(
                f"no {name} can begin, for there are {len(run.samples)} already; go on from a "
                "checkpoint before them, or empty the channel samples"
            )
        return found

    def more(run: View[S]) -> str | list[Send]:
        if run.abstained:
            return "finish"
        if any(one.more.get("spent") for one in run.samples):
            return chooses  # a limit of the run is reached: nothing is left for another sample
        carried = {key: run.channels[key] for key in _CARRIED if key in run.channels}
        starts = [dict(start) for start in next_samples(run)]
        begun = [run.begun(start.get("member", start["branch"])) for start in starts]
        both = zip(begun, starts, strict=True)
        return [Send(name, carried | first | start) for first, start in both] or chooses

    graph = MethodGraph(RunState, kind, input_schema=Input, output_schema=Output)
    graph.add_node("prepare", begin, retry_policy=RETRY)
    graph.add_node(name, sample.compile(name=name))
    is_graph = isinstance(choose, CompiledStateGraph)  # whose nodes have policies of their own
    graph.add_node(chooses, _of_samples(choose), retry_policy=None if is_graph else RETRY)
    graph.add_node("finish", finish)
    graph.add_edge(START, "prepare")
    graph.add_conditional_edges("prepare", route(kind, first), [name, "finish"])
    last = name
    if round_:
        last = "round"
        graph.add_node(last, _of_samples(round_))
        graph.add_edge(name, last)
    if again or round_:
        graph.add_conditional_edges(last, route(kind, more), [name, chooses])
    else:
        graph.add_edge(name, chooses)
    graph.add_edge(chooses, END)
    graph.add_edge("finish", END)
    return graph


def _of_samples(choose: Any) -> Any:
    """The node that chooses, where there is something to choose from: a person may have begun where
    samples would be, but are not."""
    if not hasattr(choose, "of_run"):
        return choose

    @wraps(choose)
    async def at(state: Mapping[str, Any], runtime: Runtime[Any]) -> Update:
        if not state.get("samples"):
            raise BadInput("there is no sample to choose from; go on from a checkpoint behind one")
        update: Update = await choose(state, runtime)
        return update

    return at


def side_by_side(count: int, begun: int = 0, ledger: Entries | None = None) -> list[Start]:
    """So many samples at once.

    Args:
        begun: How many were started before.
        ledger: What they cost, for the limits of the run.
    """
    spent = {"ledger": ledger} if ledger else {}
    return [{"branch": branch} | spent for branch in range(begun, begun + count)]


def stream_ends(
    graph: StateGraph[Any, S, Any, Any],
    after_solve: Callable[[View[S]], str],
    targets: Sequence[str],
) -> None:
    """Add the node ``state_answer`` and the edges behind ``solve``: to ``state_answer``, once,
    where no answer was stated; else as ``after_solve`` says, to one of ``targets``.

    Args:
        graph: Has, or gets, a node ``solve``; ``state_answer`` is added here, never before.
    """
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
