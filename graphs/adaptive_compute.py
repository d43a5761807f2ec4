"""adaptive_compute: plan, choose tools and compute, search, score, select (paper 001, figure 1).

    prepare -> iteration (several side by side) -> select

    iteration:  plan -> tools -> compute -> reframe -> reason -> critique -> refine
                                                         |                    |
                settle <- extract <- score <- summarizer <- verifier <- numeric_verifier

Each iteration plans, lets the model choose reasoning tools and a search strategy (what it says is
put in order by rules), searches for a trajectory of steps whose scores guide it, has the chosen
tools check it, and reads off the answer. ``select`` takes the answer of the iteration with the
highest reward (equation 2). Every box but ``reason`` and ``settle`` is left out where the settings
or the chosen tools say so.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal, Self, get_args

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from pydantic import Field, model_validator

from agentflow.compiled import compiled
from agentflow.nodes import (
    RETRY,
    Iteration,
    ReasonSettings,
    critique,
    cut_short,
    direct_json,
    extract_answer,
    follow,
    plan,
    prepare,
    read_answer,
    reason,
    refine_attempt,
    reframe,
    sampled,
    score,
    scorer_of,
    select_compute,
    select_iteration,
    select_tools,
    settings_of,
    settle_iteration,
    surviving,
)
from agentflow.nodes.select import REASONERS, TOOLS, Strategy, Tool
from agentflow.run import Input, Output, RunState, Sampled
from agentflow.settings import Role

_FOLLOWING: dict[Tool, tuple[Role, str]] = {
    "numeric verifier": ("verifier", "judge"),
    "verifier": ("verifier", "judge"),
    "summarizer": ("solver", "solver"),
}
"""Tools behind the reasoner, in order -> (the model that is asked, its role in the ledger)."""

_NO_CONTROLLER = {"plan": False, "reasoning": (), "compute": "best of n", "param": 1}

CONFIGURATIONS: dict[str, dict[str, Any]] = {
    "direct": {**_NO_CONTROLLER, "iterations": 1, "select_by": "first"},
    "direct+prm": {**_NO_CONTROLLER, "iterations": 10},
    "dynamic": {"iterations": 1, "select_by": "first"},
    "dynamic+prm": {"iterations": 10},
}
"""The paper's four configurations (section 3.2), as settings."""

GRID: tuple[dict[str, Any], ...] = tuple(
    {"plan": False, "reasoning": (tool,), "compute": strategy, "param": n, "iterations": k}
    for tool in ("cot", "self-reflection")
    for strategy in get_args(Strategy)
    for n in (1, 5, 10)
    for k in (1, 5, 10)
)
"""The fixed configurations (table 2; 54 cells), as settings; without a choice there is no plan."""


class AdaptiveSettings(ReasonSettings):
    """Settings of adaptive_compute; the defaults are Dynamic + PRM selection's (section 3.2)."""

    plan: bool = Field(default=True, description="Plan first")
    reasoning: Literal["select"] | Annotated[tuple[Tool, ...], Field(max_length=6)] = Field(
        default="select",
        description="Reasoning tools: select lets the model choose; a list is always used, an "
        "empty one is direct generation",
    )
    compute: Literal["select", Strategy] = Field(
        default="select", description="Search strategy: select lets the model choose"
    )
    param: int = Field(
        default=1,
        ge=1,
        le=64,
        description="Of a strategy that is set: n of best of n, the beam's width, the depth of "
        "lookahead",
    )
    iterations: int = Field(default=10, ge=1, le=1024, description="Iterations side by side (K)")
    extract: Literal["model", "domain"] = Field(
        default="model",
        description="Who reads the answer off a trajectory of tools; the domain does where the "
        "model's reply is malformed, and in direct generation",
    )

    @property
    def needs_continuing(self) -> bool:
        """Searches step by step go on from a prefix; whole trajectories do not."""
        return self.compute != "best of n"

    @property
    def verifies_steps(self) -> bool:
        return self.needs_scorer and self.scorer == "rules"

    @property
    def needs_scorer(self) -> bool:
        """Whether anything is chosen by scores."""
        return self.select_by == "prm" or (self.compute, self.param) != ("best of n", 1)

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        tools = self.reasoning
        if tools == "select" or tools == ():
            return self
        if sum(tool in REASONERS for tool in tools) != 1:
            raise ValueError(f"reasoning needs exactly one of {' and '.join(REASONERS)}")
        if list(tools) != [tool for tool in TOOLS if tool in tools]:
            raise ValueError(f"reasoning tools run in this order, each once: {', '.join(TOOLS)}")
        return self


async def begin(state: RunState, runtime: Runtime[Any]) -> dict[str, Any]:
    """:func:`prepare`; that a scorer cannot be used is said before the first token.

    Raises:
        BadInput, MissingCapability: As :func:`prepare` and :func:`scorer_of` say.
    """
    settings = settings_of(runtime, AdaptiveSettings)
    if settings.needs_scorer:
        await scorer_of(settings, "0", runtime.stream_writer)
    return await prepare(state, runtime)


def side_by_side(settings: AdaptiveSettings, state: RunState) -> list[dict[str, Any]]:
    """K iterations, each by itself."""
    chosen = {
        "tools": [] if settings.reasoning == "select" else list(settings.reasoning),
        "compute": {"strategy": settings.compute, "param": settings.param},
    }
    return [chosen | {"branch": k} for k in range(settings.iterations)]


def first(state: Iteration) -> str:
    """What an iteration begins with."""
    return "plan" if AdaptiveSettings(**state["settings"]).plan else planned(state)


def planned(state: Iteration) -> str:
    """Behind the plan."""
    settings = AdaptiveSettings(**state["settings"])
    return "tools" if settings.reasoning == "select" else equipped(state)


def equipped(state: Iteration) -> str:
    """Behind the choice of tools; one that came to nothing is direct generation."""
    return "compute" if state["compute"]["strategy"] == "select" else ready(state)


def ready(state: Iteration) -> str:
    """All is chosen: restate the problem, reason, or answer at once."""
    if "reframe" in state["tools"]:
        return "reframe"
    json = AdaptiveSettings(**state["settings"]).direct == "json"
    return "direct_json" if json and not state["tools"] else "reason"


def reasoned(state: Iteration) -> str:
    """Behind a trajectory: have it criticised, or go on to what follows."""
    return "critique" if "self-reflection" in state["tools"] else following()(state)


def following(last: str = "") -> Callable[[Iteration], str]:
    """Behind the reasoner, or the tool that ran last: the next one that was chosen."""
    tools = list(_FOLLOWING)
    later = tools[tools.index(last) + 1 :] if last in tools else tools

    def route(state: Iteration) -> str:
        return next((_node(tool) for tool in later if tool in state["tools"]), ended(state))

    return route


def _node(tool: str) -> str:
    return tool.replace(" ", "_")


def ended(state: Iteration) -> str:
    """The trajectory stands: score it where that decides, then read its answer."""
    settings = AdaptiveSettings(**state["settings"])
    return "score" if settings.select_by == "prm" else scored(state)


def scored(state: Iteration) -> str:
    """Who reads the answer; one given at once is there already."""
    if state.get("answer"):
        return "settle"
    return "extract" if reads(state) else "read"


def reads(state: Iteration) -> bool:
    """Whether a model reads the answer off the trajectory."""
    return bool(state["tools"]) and AdaptiveSettings(**state["settings"]).extract == "model"


def iteration() -> StateGraph[Iteration, AdaptiveSettings, Iteration, Sampled]:
    """One iteration, from its plan to its entry in ``samples``."""
    graph = StateGraph(Iteration, AdaptiveSettings, output_schema=Sampled)

    def step(
        name: str, node: Callable[..., Any], route: Callable[[Iteration], str], *targets: str
    ) -> None:
        """A node and what may come behind it; where its trajectory did not come to its end, that is
        ``settle``, or the score and who reads an answer off what there is."""

        def behind(state: Iteration) -> str:
            if (state.get("leg") or {}).get("ended", "stop") == "stop":
                return route(state)
            if not (cut_short(state) and reads(state)):
                return "settle"
            return ended(state) if name in ("reason", "refine") else route(state)

        graph.add_node(name, surviving(node), retry_policy=RETRY)
        graph.add_conditional_edges(name, behind, [*targets, "settle"])

    start = ["reframe", "reason", "direct_json"]
    checks, end = [_node(tool) for tool in _FOLLOWING], ["score", "extract", "read"]
    graph.add_conditional_edges(START, first, ["plan", "tools", "compute", *start])
    step("plan", plan, planned, "tools", "compute", *start)
    step("tools", select_tools, equipped, "compute", *start)
    step("compute", select_compute, ready, *start)
    step("reframe", reframe, lambda state: "reason", "reason")
    step("reason", reason, reasoned, "critique", *checks, *end)
    step("direct_json", direct_json, ended, *end)
    step("critique", critique, lambda state: "refine", "refine")
    step("refine", refine_attempt, following(), *checks, *end)
    for number, (tool, roles) in enumerate(_FOLLOWING.items(), 1):
        name = _node(tool)
        step(name, follow(name, *roles), following(tool), *checks[number:], *end)
    step("score", score, scored, "extract", "read")
    step("extract", extract_answer, lambda state: "settle")
    step("read", read_answer, lambda state: "settle")
    graph.add_node("settle", settle_iteration)
    graph.add_edge("settle", END)
    return graph


def build() -> StateGraph[RunState, AdaptiveSettings, Input, Output]:
    """The graph, not yet compiled."""
    names = {"sample": "iteration", "choose": "select"}
    return sampled(
        AdaptiveSettings, iteration(), select_iteration, side_by_side, begin=begin, names=names
    )


graph = compiled(build(), "adaptive_compute")
