"""The settings of adaptive compute, the paper's configurations, and how iterations begin."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self, get_args

from pydantic import Field, model_validator

from agentflow.nodes.extract_answer import ExtractSettings
from agentflow.nodes.frame import Start
from agentflow.nodes.learned import controller_of
from agentflow.nodes.prepare import prepared
from agentflow.nodes.reason import ReasonSettings, Search
from agentflow.nodes.run import Run, Update, View, node
from agentflow.nodes.score import scorer_of
from agentflow.nodes.select import REASONERS, TOOLS, Strategy, Tool
from agentflow.settings import Role

FOLLOWING: dict[Tool, tuple[Role, str]] = {
    "numeric verifier": ("verifier", "judge"),
    "verifier": ("verifier", "judge"),
    "summarizer": ("solver", "solver"),
}
"""Tools behind the reasoner, in order -> (the model that is asked, its role in the ledger)."""

NODES = {tool: tool.replace(" ", "_") for tool in FOLLOWING}
"""Their nodes' names."""

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
    | {"calls": "action"}
    for tool in ("cot", "self-reflection")
    for strategy in get_args(Strategy)
    for n in (1, 5, 10)
    for k in (1, 5, 10)
)
"""The fixed configurations (table 2; 54 cells), as settings; without a choice there is no plan, and
each action is a call, so that the strategies' costs compare (tables 5 and 6)."""


class AdaptiveSettings(ReasonSettings, ExtractSettings):
    """Settings of adaptive_compute; the defaults are Dynamic + PRM selection's (section 3.2)."""

    plan: bool = Field(default=True, description="Plan first")
    reasoning: Literal["select"] | Annotated[tuple[Tool, ...], Field(max_length=6)] = Field(
        default="select",
        description="Reasoning tools: select lets the model choose; a list is always used, an "
        "empty one is direct generation",
    )
    compute: Literal["select", "learned", Strategy, Search] = Field(
        default="select",
        description="Search strategy: select lets the model choose among the first three; learned, "
        "a controller that was learned from recorded trees, at every step",
    )
    param: int = Field(
        default=1,
        ge=1,
        le=64,
        description="Of a strategy that is set: n of best of n, the beam's width, the depth of "
        "lookahead, candidates of dvts, trajectories of rebase and rejection, particles, roll-outs "
        "of mcts, candidates of momentum, moves of power",
    )
    iterations: int = Field(default=10, ge=1, le=1024, description="Iterations side by side (K)")

    @property
    def needs_continuing(self) -> bool:
        """Searches step by step go on from a prefix; whole trajectories do not."""
        return self.compute != "best of n" or self.calls == "action"

    @property
    def verifies_steps(self) -> bool:
        return self.needs_scorer and self.scored_by == "rules"

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


@node(AdaptiveSettings)
async def begin(run: Run[AdaptiveSettings]) -> Update:
    """:func:`prepare`; that a scorer or a controller cannot be used is said before the first token.

    Raises:
        BadInput, MissingCapability: As :func:`prepare`, :func:`scorer_of` and
            :func:`controller_of` say.
    """
    run = run.anew()
    if run.settings.needs_scorer:
        scorer, _ = await scorer_of(run, run.settings, "0")
        if run.settings.compute == "learned":
            await controller_of(run.settings, scorer)
    return await prepared(run)


def iterations(run: View[AdaptiveSettings]) -> list[Start]:
    """K iterations, each by itself."""
    settings = run.settings
    chosen = {
        "tools": [] if settings.reasoning == "select" else list(settings.reasoning),
        "compute": {"strategy": settings.compute, "param": settings.param},
    }
    return [chosen | {"branch": k} for k in range(settings.iterations)]
