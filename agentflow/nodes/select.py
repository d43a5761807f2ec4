"""Select: which reasoning tools, and how much is tried (adaptive, appendices B.3 and B.4).

What the model says is only a proposal: the rules of the text are pure functions here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal, cast, get_args

from pydantic import BeforeValidator, Field, field_validator

from agentflow.models.structured import Reply, Whole, parse
from agentflow.nodes.iteration import IterationRun, asked
from agentflow.nodes.run import Update, node
from agentflow.settings import Settings

Tool = Literal["reframe", "self-reflection", "cot", "numeric verifier", "verifier", "summarizer"]
"""A reasoning tool."""

Strategy = Literal["best of n", "beam search", "lookahead"]
"""A compute strategy."""

TOOLS: tuple[Tool, ...] = get_args(Tool)
"""In the order in which they run."""

REASONERS: tuple[Tool, ...] = ("self-reflection", "cot")
"""Exactly one of them runs."""

MOST_TOOLS = 3
_DROPPED_FIRST: tuple[Tool, ...] = ("summarizer", "verifier")
_RANGES: dict[Strategy, tuple[int, int]] = {
    "best of n": (3, 5),
    "beam search": (3, 6),
    "lookahead": (2, 4),
}
_WIDEST_BEAM = 8
_DIRECT = {"strategy": "best of n", "param": 1}


def spelled(name: Any) -> Any:
    """A name as the text spells it, whatever its case and what joins its words."""
    if not isinstance(name, str):
        return name
    words = " ".join(re.split(r"[\s_-]+", name.strip().lower()))
    return "self-reflection" if words == "self reflection" else words


class Tools(Reply):
    """A tool selector's reply; if it names any, one is a tool's; :func:`arrange` drops others."""

    tools: list[str] = Field(
        json_schema_extra={
            "items": {"type": "string", "enum": list(TOOLS)},
            "minItems": 1,
            "maxItems": MOST_TOOLS,
        }
    )

    @field_validator("tools")
    @classmethod
    def _some_tool(cls, names: list[str]) -> list[str]:
        if names and not any(spelled(name) in TOOLS for name in names):
            raise ValueError("none of the names is a tool's")
        return names


class Compute(Reply):
    """A compute selector's reply."""

    strategy: Annotated[Strategy, BeforeValidator(spelled)]
    param: Whole


def arrange(names: Sequence[str], problem: str) -> tuple[Tool, ...]:
    """The tools that run, and their order, by the rules of the text (appendix B.3).

    Names that are none are dropped. Exactly one reasoner: of both self-reflection, whose rule comes
    first; of none cot. Where the problem has a digit the numeric verifier is among them. Of more
    than three the summarizer goes, then the verifier.
    """
    wanted = {spelled(name) for name in names}
    reasoner = next((tool for tool in REASONERS if tool in wanted), "cot")
    wanted = (wanted - {*REASONERS}) | {reasoner}
    if re.search(r"\d", problem):
        wanted.add("numeric verifier")
    chosen = [tool for tool in TOOLS if tool in wanted]
    for tool in _DROPPED_FIRST:
        if len(chosen) > MOST_TOOLS and tool in chosen:
            chosen.remove(tool)
    return tuple(chosen)


def bounded(strategy: Strategy, param: int, tools: Sequence[str] = ()) -> int:
    """The parameter within the selector's range (appendix B.4).

    A beam is up to 8 wide where the reasoning is highly complex, which the choice of
    self-reflection says; else up to 6.
    """
    low, high = _RANGES[strategy]
    if strategy == "beam search" and "self-reflection" in tools:
        high = _WIDEST_BEAM
    return min(max(param, low), high)


@node(Settings, IterationRun)
async def select_tools(run: IterationRun[Settings]) -> Update:
    """Ask for tools; a malformed reply makes the iteration direct generation."""
    reply, update = await asked(
        run,
        "tools",
        lambda text: parse(Tools, text).tools,
        cast("list[str]", []),
        role="planner",
        counted_as="selector",
        schema=Tools.model_json_schema(),
    )
    if update["how"]["tools"] == "default":
        return update | {"tools": [], "compute": _DIRECT}
    return update | {"tools": list(arrange(reply, run.problem.text))}


@node(Settings, IterationRun)
async def select_compute(run: IterationRun[Settings]) -> Update:
    """Ask for a strategy and its parameter; a malformed reply makes the iteration direct
    generation."""
    reply, update = await asked(
        run,
        "compute",
        lambda text: parse(Compute, text).model_dump(),
        cast("dict[str, Any]", {}),
        role="planner",
        counted_as="selector",
        schema=Compute.model_json_schema(),
        tools=", ".join(run.tools),
    )
    if not reply:
        return update | {"tools": [], "compute": _DIRECT}
    param = bounded(reply["strategy"], reply["param"], run.tools)
    return update | {"compute": {"strategy": reply["strategy"], "param": param}}
