"""Judging a given solution: the channels of a verifier's graph, and its first node."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Annotated, Any, TypeVar

from langgraph.channels import DeltaChannel
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from agentflow.domains import Domain
from agentflow.errors import BadInput
from agentflow.ledger import Entries, merge
from agentflow.nodes.context import domain_of, model_of, parse_problem, settings_of
from agentflow.problem import Problem
from agentflow.run import SNAPSHOT, RunState
from agentflow.settings import Settings
from agentflow.thinking import split
from agentflow.verifiers import joined, segment

S = TypeVar("S", bound=Settings)
R = TypeVar("R", bound=str)


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


class Judged(TypedDict):
    """The verdict on the solution, and what it cost."""

    verdict: dict[str, Any]
    ledger: Annotated[Entries, DeltaChannel(merge, snapshot_frequency=SNAPSHOT)]


class JudgingState(RunState, total=False):
    """The channels: those of a run, the solution as a text, and the answer that a run would give,
    which is not always the one that a reader of the whole text would find."""

    solution: str
    stated: str | None


def read(settings_type: type[Settings], *, parse: bool = True) -> Callable[..., Any]:
    """The node that takes what is given: the problem, and the solution in steps.

    Args:
        settings_type: The verifier's.
        parse: Whether the problem must be one of the domain's; a verifier that asks nothing of the
            domain takes any text.
    """

    async def node(state: JudgingState, runtime: Runtime[Any]) -> dict[str, Any]:
        """Raises BadInput if there is no solution, or the problem is none of the domain's."""
        settings = settings_of(runtime, settings_type)
        steps = state.get("steps")
        if not steps:
            profile = (await model_of(settings, "verifier")).profile
            steps = segment(state.get("solution", ""), profile.hesitations)
        if not "".join(steps).strip():
            raise BadInput("there is no solution to judge; give solution or steps")
        given = state["problem"]
        fields = {"text": given} if isinstance(given, str) else given
        if parse and not fields.get("data"):
            problem = await parse_problem(given, await domain_of(settings))
        else:
            problem = Problem(**{"domain": settings.domain, **fields})
        changed = settings.model_dump(mode="json", exclude_defaults=True)
        return {"problem": asdict(problem), "steps": steps, "settings": changed, "verdict": {}}

    return node


def answer_in(state: JudgingState, domain: Domain) -> str | None:
    """The answer that is judged: what the run that is judged would give, else the solution's."""
    if "stated" in state:
        return state["stated"]
    said = split(joined(state["steps"])).answer
    return None if said is None else domain.answer(said)


def settings_in(state: RunState, kind: type[S]) -> S:
    """A verifier's settings as its routers find them in the state, where a graph around it may have
    put more."""
    return kind(**{k: v for k, v in state["settings"].items() if k in kind.model_fields})


def rungs_left(ladder: Sequence[R], verdict: Mapping[str, Any]) -> Sequence[R]:
    """What of a ladder stands behind the rung that gave the verdict; all of it before there is one,
    and nothing where the verdict is none of the ladder's."""
    if not verdict:
        return ladder
    rung = verdict["rung"]
    return ladder[ladder.index(rung) + 1 :] if rung in ladder else ()


def behind_read(
    part: StateGraph[Any, Any, Any, Any], *, parse: bool = True
) -> StateGraph[Any, Any, Given, Any]:
    """A verifier's whole graph: :func:`read`, then ``part``, which judges what was read."""
    settings_type: Any = part.context_schema
    graph: StateGraph[Any, Any, Given, Any] = StateGraph(
        part.state_schema, settings_type, input_schema=Given, output_schema=part.output_schema
    )
    graph.add_node("read", read(settings_type, parse=parse))
    graph.add_node("judge", part.compile(name="judge"))
    graph.add_edge(START, "read")
    graph.add_edge("read", "judge")
    graph.add_edge("judge", END)
    return graph
