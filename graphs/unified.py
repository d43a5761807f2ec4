"""unified: the means of all five papers in one graph, under a token budget; in none of them.

    prepare -> sample -> sample -> ... -> choose

    sample:  solve <-> redraw, refine  a wrong step is taken back, or told, as it is written (000)
               |
               +-> answer_out --+      the thinking ends at the answer it came to (000, 003)
               v                v
             read -> domain -> fast -> verifiagent -> slow -> settle
                     (as far as nobody can tell: 000, then 002, 004)

Which means a problem gets follows from the domain, the model and what came before. Where steps are
verified, the first answer behind them that is not refuted ends the thinking and is written out
without the model; elsewhere an answer given ``k_stable`` times ends it. A step that is looked up
because nobody can tell, and that no page bears out, is drawn again, too. The verifiers of the
ladder are asked in turn, the cheap ones first, until one can tell; behind the first of them only
about a sample of ``judged_from`` tokens, for a shorter one is cheaper drawn again than judged. Only
where a sample fails is another one drawn: until one passes, ``agree`` of them answer alike where
nobody can tell, two are given up at a wrong step, or ``n`` samples or the ``budget`` are spent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self, get_args

from langgraph.graph import END, START, StateGraph
from pydantic import Field, model_validator

from agentflow.compiled import compiled
from agentflow.graphs import verifiagent
from agentflow.ledger import total
from agentflow.monitors import KStable, Monitor, StepVerifier
from agentflow.monitors.leg import gone
from agentflow.nodes import (
    RETRY,
    FlexSettings,
    Task,
    VerifiAgentSettings,
    answer_out,
    choose,
    domain_verify,
    flexive,
    read_solution,
    redraw,
    refine,
    sampled,
    settle,
    solver,
    stream_ends,
    surviving,
    undecided,
)
from agentflow.nodes.answer_out import answer_at_end
from agentflow.nodes.context import weaker
from agentflow.nodes.judging import JudgingState, rungs_left, settings_in
from agentflow.run import Input, Output, RunState, Sampled
from agentflow.tools.equality import normal_form
from agentflow.verifiers.flexive import agreed

Rung = Literal["domain", "fast", "verifiagent", "slow"]
RUNGS: tuple[Rung, ...] = get_args(Rung)


class UnifiedSettings(FlexSettings, VerifiAgentSettings):
    """Settings of unified."""

    steer: bool = Field(
        default=True, description="Verify every step as it is written, where the model continues"
    )
    redraws: int = Field(
        default=3,
        ge=0,
        le=1000,
        description="How often in a row a wrong step is taken back and drawn again, before a note "
        "that says what is wrong is put behind it; 0 for notes alone",
    )
    doubt: float = Field(
        default=0.8,
        ge=0,
        le=1,
        description="Also draw a step again of which the domain cannot tell, if the best of its "
        "evidence holds less than this share of it; redraws times a sample, then it stands",
    )
    hopeless: bool = Field(
        default=False,
        description="Also object to right steps from which the goal is out of reach, where the "
        "domain can tell; it must hear such an objection well, and it is an oracle's",
    )
    k_stable: int = Field(
        default=2,
        ge=0,
        le=100,
        description="Stop thinking once the same answer was given so many times in a row, where "
        "steps are not verified; where they are, its first answer ends it; 0 for never",
    )
    max_corrections: int = Field(
        default=5, ge=0, le=1000, description="Give a sample up after so many wrong steps in a row"
    )
    ladder: tuple[Rung, ...] = Field(
        default=("domain", "fast", "verifiagent"),
        min_length=1,
        description="Who verifies, each where the one before could not tell: the domain's "
        "verifiers and tools, fast runs of FlexiVe, VerifiAgent, slow runs of FlexiVe",
    )
    judged_from: int = Field(
        default=2000,
        ge=0,
        description="Ask the verifiers behind the ladder's first only about a sample that took so "
        "many tokens, about what k fast replies take: a shorter one is cheaper drawn again",
    )
    n: int = Field(default=5, ge=1, le=100, description="Samples before the majority answers")
    agree: int = Field(
        default=1,
        ge=1,
        le=100,
        description="So many samples with the same answer are enough where nobody can tell",
    )
    budget: int | None = Field(
        default=None,
        ge=1,
        description="Tokens for the problem, all roles and samples: the solver never generates "
        "more, and behind them no verifier but the ladder's first is asked; empty for what n "
        "samples come to",
    )

    @property
    def verifies_steps(self) -> bool:
        return self.steer or "domain" in self.ladder

    @model_validator(mode="after")
    def _no_rung_twice(self) -> Self:
        if len(set(self.ladder)) < len(self.ladder):
            raise ValueError("a verifier stands in the ladder twice")
        return self


async def monitors(task: Task) -> Sequence[Monitor]:
    """Step verifier, then early exit; none for a model that cannot go on from a text of ours, not
    even by turns."""
    settings: UnifiedSettings = task.settings
    problem, domain, model = task.problem, task.domain, task.model
    if not model.capabilities.continues:
        if not model.capabilities.turns:
            return ()
        task.emit(weaker("continues", "it is shown its text in a new turn"))
    chosen: list[Monitor] = []
    if settings.steer:
        back = [one for one in task.judged if one["corrected"] and one["verdict"]["ok"] is None]
        doubt = settings.doubt if len(back) < settings.redraws else 0.0
        doubted = [one["state"]["data"] for one in back]
        answers = settings.judge_answers
        chosen.append(
            StepVerifier(problem, domain, model.profile, settings.hopeless, doubt, doubted, answers)
        )
    k = 1 if settings.steer else settings.k_stable
    if k and model.profile.think_close:
        chosen.append(KStable(problem, domain, k))
    return chosen


def spent(state: RunState) -> int:
    """Tokens of all roles so far."""
    return total(state["ledger"]).generated


def taken(state: RunState) -> int:
    """Tokens that the solver generated for this sample."""
    mine = f"solver/{state.get('branch', 0)}/"
    return total({k: v for k, v in state["ledger"].items() if k.startswith(mine)}).generated


def next_sample(settings: UnifiedSettings, state: RunState) -> list[dict[str, Any]]:
    """The next sample, unless one passed, enough agree, or more would be no use."""
    done = state["samples"]
    start: dict[str, Any] = {"branch": len(done), "ledger": state["ledger"]}
    if settings.budget is not None:
        start["allowance"] = settings.budget - spent(state)
    if not done:
        return [start]
    last = max(done, key=lambda sample: sample["branch"])
    over = len(done) >= settings.n or start.get("allowance", 1) <= 0 or stuck(done)
    if last["answer"] is not None or over or alike(done) >= settings.agree:
        return []
    return [start]


def stuck(done: Sequence[Mapping[str, Any]]) -> bool:
    """Whether two samples were given up at a wrong step: it is beyond the model."""
    ends = [one["judged"][-1] for one in done if not one["verdict"] and one["judged"]]
    steps = [end for end in ends if end["state"]["kind"] == "step"]
    return len([end for end in steps if end["verdict"]["ok"] is False]) >= 2


def alike(done: Sequence[Mapping[str, Any]]) -> int:
    """How many samples gave the most frequent of the answers of which nobody could tell."""
    open_ = [
        normal_form(one["candidate"])
        for one in done
        if one["candidate"] and one["verdict"] and one["verdict"]["ok"] is None
    ]
    return max(Counter(open_).values(), default=0)


def after_solve(state: RunState) -> Literal["redraw", "refine", "answer_out", "read", "settle"]:
    """Mend a wrong step, as often as that may be; or end the thinking; or have it judged."""
    leg = state["leg"]
    if leg["ended"] != "intervened":
        return "read" if leg["ended"] == "stop" else "settle"
    if leg["intervention"]["kind"] == "close":
        return "refine" if answer_at_end(state) is None else "answer_out"
    settings, wrong = settings_in(state, UnifiedSettings), wrong_in_a_row(state)
    if wrong > settings.max_corrections:
        return "settle"
    return "redraw" if wrong <= settings.redraws else "refine"


def wrong_in_a_row(state: RunState) -> int:
    """How many steps or answers were objected to since the last one that passed, and stayed."""
    judged = [one for one in state["judged"] if one["monitor"] == "step_verifier"]
    refused = [one for one in judged if one["verdict"]["ok"] is False]
    cut = {one["state"]["end"] for one in refused if not gone(one)}  # what passed there goes, too
    count = 0
    for one in reversed(judged):
        if one["verdict"]["ok"] is False:
            count += 1
        elif one["verdict"]["ok"] and not gone(one) and one["state"]["end"] not in cut:
            break
    return count


def climb(state: RunState) -> Rung | Literal["settle"]:
    """Ask the next verifier of the ladder, where the one before could not tell."""
    settings, verdict = settings_in(state, UnifiedSettings), state["verdict"]
    above = rungs_left(settings.ladder, verdict)
    if not verdict:
        return above[0]
    sure = verdict["ok"] is not None
    if verdict["rung"] == "fast":
        sure = agreed(verdict["ok"], verdict["evidence"], settings.tau)
    short = taken(state) < settings.judged_from
    out = settings.budget is not None and spent(state) >= settings.budget
    return "settle" if sure or short or out or not above else above[0]


def sample() -> StateGraph[JudgingState, UnifiedSettings, JudgingState, Sampled]:
    """One sample, from its prompt to its entry in ``samples``."""
    graph = StateGraph(JudgingState, UnifiedSettings, output_schema=Sampled)
    graph.add_node("solve", surviving(solver(monitors, UnifiedSettings), retried=True))
    graph.add_node("redraw", redraw, retry_policy=RETRY)
    graph.add_node("refine", refine, retry_policy=RETRY)
    graph.add_node("answer_out", answer_out, retry_policy=RETRY)
    graph.add_node("read", read_solution)
    graph.add_node("domain", domain_verify)
    graph.add_node("fast", undecided(flexive("fast"), "fast"), retry_policy=RETRY)
    judging = verifiagent.judging().compile(name="verifiagent")
    graph.add_node("verifiagent", undecided(judging, "verifiagent"))
    graph.add_node("slow", undecided(flexive("slow"), "slow"), retry_policy=RETRY)
    graph.add_node("settle", settle)
    graph.add_edge(START, "solve")
    stream_ends(graph, after_solve, ["redraw", "refine", "answer_out", "read", "settle"])
    graph.add_edge("redraw", "solve")
    graph.add_edge("refine", "solve")
    graph.add_edge("answer_out", "read")
    for node in ("read", *RUNGS):
        others = [rung for rung in RUNGS if rung != node]
        graph.add_conditional_edges(node, climb, [*others, "settle"])
    graph.add_edge("settle", END)
    return graph


def build() -> StateGraph[RunState, UnifiedSettings, Input, Output]:
    """The graph, not yet compiled."""
    return sampled(UnifiedSettings, sample(), choose, next_sample, again=True)


graph = compiled(build(), "unified")
