"""panel: several verifiers judge a given solution in turn, or one of them several times.

    read -> SEAT -> count -> SEAT -> count -> ...

The setting ``panel`` names who has a seat: ``["critic", "critic", "deductive"]``. ``count`` ends it
once all were asked, or once the others cannot change the verdict (``panel_asks``).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from typing import Any, get_args

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from agentflow.compiled import compiled
from agentflow.graphs import (
    aspects,
    backward,
    chain_of_verification,
    confidence,
    critic,
    cross_check,
    deductive,
    fact_check,
    mutual_consistency,
    prm,
    reconstruction,
    self_check,
    vanilla,
    verifiagent,
)
from agentflow.nodes import RETRY, View, route, undecided
from agentflow.nodes.judges import JudgeSettings
from agentflow.nodes.judging import Given, Judged, Judging, Solution, behind_read
from agentflow.nodes.panel import PANEL, PanelSettings, PanelState, Seat, count, seat_settings
from agentflow.nodes.solution import domain_judge

SEATS = (
    verifiagent,
    vanilla,
    critic,
    confidence,
    aspects,
    deductive,
    backward,
    chain_of_verification,
    fact_check,
    self_check,
    cross_check,
    mutual_consistency,
    reconstruction,
    prm,
)
"""Verifiers that ask a model, and may sit on it."""


@cache
def judge(verifier: Any) -> Any:
    """The compiled part of a verifier that judges; methods share it."""
    return verifier.judging().compile(name=verifier.graph.name)


def first_seat(run: View[PanelSettings]) -> str:
    """The verifier on the first seat, also where an earlier verdict stands still."""
    return _seat(run.settings.panel[0])


def next_seat(run: View[PanelSettings]) -> str:
    """The verifier on the next seat; the end once the panel's own verdict stands."""
    if run.verdict and run.verdict.verifier == PANEL:
        return END
    return _seat(run.settings.panel[run.seat])


def _seat(name: str) -> str:
    """A verifier's node; its own name is that of a node around the panel, and drawn once."""
    return f"{name}_seat"


def judging() -> StateGraph[PanelState, JudgeSettings, Solution, Judged]:
    """The part that judges a solution in steps."""
    graph = StateGraph(PanelState, JudgeSettings, input_schema=Solution, output_schema=Judged)
    graph.add_node(_seat("domain"), domain_judge, retry_policy=RETRY)
    for verifier in SEATS:
        name, part = verifier.graph.name, judge(verifier)
        own = partial(_settings, part.context_schema)
        graph.add_node(_seat(name), undecided(part, name, own))
    graph.add_node("count", count)
    seats = [_seat(name) for name in get_args(Seat)]
    graph.add_conditional_edges(START, route(PanelSettings, first_seat), seats)
    for name in seats:
        graph.add_edge(name, "count")
    graph.add_conditional_edges("count", route(PanelSettings, next_seat), [*seats, END])
    return graph


def _settings(kind: Any, state: Mapping[str, Any], runtime: Runtime[Any]) -> Any:
    return seat_settings(Judging(state, JudgeSettings, runtime), kind)


def build() -> StateGraph[PanelState, JudgeSettings, Given, Judged]:
    """The graph, not yet compiled."""
    return behind_read(judging())


graph = compiled(build(), PANEL)
