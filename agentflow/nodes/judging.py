"""Judging a given solution: the channels of a verifier's graph, and its first node."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Annotated, Any, TypeVar

from langgraph.channels import DeltaChannel
from langgraph.graph import END, START, StateGraph
from typing_extensions import TypedDict

from agentflow.compiled import MethodGraph
from agentflow.domains import Domain
from agentflow.errors import BadInput
from agentflow.ledger import Entries, merge
from agentflow.nodes.context import parse_problem, text_of
from agentflow.nodes.run import Node, Run, Update, View, node, route
from agentflow.nodes.solve import RETRY
from agentflow.problem import Problem
from agentflow.run import SNAPSHOT, RunState
from agentflow.settings import Settings
from agentflow.thinking import split
from agentflow.verifiers import joined, segment

S = TypeVar("S", bound=Settings)
T = TypeVar("T", bound="JudgingState")

_MAY_HAVE = ("domain", "id", "gold", "data")
"""What a problem that is a mapping may have beside its text."""


class Given(TypedDict, total=False):
    """A problem and its solution: ``steps`` as they are, or a text to be cut at hesitations."""

    problem: str | dict[str, Any]
    solution: str
    steps: list[str]


class Solution(TypedDict, total=False):
    """What the part of a verifier behind :func:`read` reads, also where it is a node elsewhere."""

    problem: dict[str, Any]
    steps: list[str]
    stated: str | None
    settings: dict[str, Any]
    branch: int
    seat: int


class Judged(TypedDict):
    """The verdict on the solution, and what it cost."""

    verdict: dict[str, Any]
    ledger: Annotated[Entries, DeltaChannel(merge, snapshot_frequency=SNAPSHOT)]


class JudgingState(RunState, total=False):
    """The channels: those of a run, the solution as a text, the answer that a run would give, which
    is not always the one that a reader of the whole text would find, and the seat on a panel."""

    solution: str
    stated: str | None
    seat: int


@dataclass(frozen=True)
class Judging(Run[S]):
    """What the nodes of a verifier are given."""

    schema = JudgingState

    @property
    def solution(self) -> str:
        """The solution as a text."""
        return self.channels.get("solution") or ""

    def answer(self, domain: Domain) -> str | None:
        """The answer that is judged: what the judged run would give, else the solution's."""
        if "stated" in self.channels:
            stated: str | None = self.channels["stated"]
            return stated
        said = split(joined(self.steps)).answer
        return None if said is None else domain.answer(said)


def read(settings_type: type[Settings], *, parse: bool = True) -> Node:
    """The node that takes what is given: the problem, and the solution in steps.

    Args:
        settings_type: The verifier's.
        parse: Whether the problem must be one of the domain's; a verifier that asks nothing of the
            domain takes any text.
    """

    @node(settings_type, Judging)
    async def read(run: Judging[Settings]) -> Update:
        """Raises BadInput if there is no solution, or the problem is none of the domain's."""
        run, steps = run.anew(), run.steps
        _see_texts(steps, run.solution)
        if not steps:
            steps = segment(run.solution, (await run.model("verifier")).profile.hesitations)
        if not "".join(steps).strip():
            raise BadInput("there is no solution to judge; give solution or steps")
        text = text_of(run.given)
        fields = {} if isinstance(run.given, str) else run.given
        if parse and not fields.get("data"):
            problem = await parse_problem(run.given, await run.domain())
        else:
            own = {name: fields[name] for name in _MAY_HAVE if name in fields}
            problem = Problem(text, **{"domain": run.settings.domain, **own})
        update = {"problem": asdict(problem), "steps": steps, "verdict": {}}
        return update | {"settings": run.changed}

    return read


def _see_texts(steps: Any, solution: Any) -> None:
    """Raises BadInput if the steps are no list of texts, or the solution is no text."""
    if not isinstance(solution, str):
        raise BadInput(f"solution: {solution!r:.60} is no text; give one, or steps as a list")
    if not isinstance(steps, list):
        raise BadInput(f"steps: {steps!r:.60} is no list of texts; give one text as solution")
    for step in steps:
        if not isinstance(step, str):
            raise BadInput(f"steps: {step!r:.60} is no text; give a list of texts")


def judged_by(
    settings_type: type[S], state_type: type[T], **nodes: Node
) -> StateGraph[T, S, Solution, Judged]:
    """The part that judges a solution in steps: nodes one after the other, by their names. Where
    there are several, a verdict of the first one ends it: nothing is there to be judged."""
    graph = StateGraph(state_type, settings_type, input_schema=Solution, output_schema=Judged)
    for name, verifier in nodes.items():
        graph.add_node(name, verifier, retry_policy=RETRY)
    first, *others = nodes
    graph.add_edge(START, first)
    if others:

        def unless_judged(run: View[S]) -> str:
            return END if run.verdict else others[0]

        graph.add_conditional_edges(first, route(settings_type, unless_judged), [END, others[0]])
    for one, other in pairwise([*(others or [first]), END]):
        graph.add_edge(one, other)
    return graph


def behind_read(
    part: StateGraph[Any, Any, Any, Any], *, parse: bool = True
) -> StateGraph[Any, Any, Given, Any]:
    """A verifier's whole graph: :func:`read`, then ``part``, which judges what was read."""
    settings_type: Any = part.context_schema
    graph: StateGraph[Any, Any, Given, Any] = MethodGraph(
        part.state_schema, settings_type, input_schema=Given, output_schema=part.output_schema
    )
    graph.add_node("read", read(settings_type, parse=parse))
    graph.add_node("judge", part.compile(name="judge"))
    graph.add_edge(START, "read")
    graph.add_edge("read", "judge")
    graph.add_edge("judge", END)
    return graph
