"""solve_detect_verify: stop when the solution is complete, have it checked, mend it (paper 002).

    prepare -> sample (one or several side by side) -> vote

    sample:  solve <-> refine
               |
               v
             read -> fast -> slow -> domain -> human
               ^       (as far as nobody can tell)
               |                 |
             solve <- retry <- rejected          accepted -> settle

``solve`` streams (Algorithm 1); where the model hesitates, the detector asks whether its solution
is complete, and ``refine`` then closes the thinking. The verifiers of the ladder read the whole
solution (section 3.2), each only where the one before it could not tell. A rejected solution goes
back to the solver with the feedback (Algorithm 2), ``iterations`` solutions at most. ``vote`` takes
the answer that most accepted samples gave (SDV@N).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Literal, Self, get_args

from langgraph.graph import END, START, StateGraph
from pydantic import Field, model_validator

from agentflow import prompts
from agentflow.compiled import compiled
from agentflow.monitors import Detect, Monitor
from agentflow.monitors.probes import Prober
from agentflow.nodes import (
    RETRY,
    FlexSettings,
    Task,
    ask_person,
    attempt_of,
    domain_verify,
    flexive,
    read_solution,
    refine,
    retry,
    roll_back,
    sampled,
    settle,
    solver,
    stream_ends,
    surviving,
    undecided,
    vote,
)
from agentflow.nodes.context import weaker
from agentflow.nodes.judging import rungs_left
from agentflow.run import Input, Output, RunState, Sampled
from agentflow.verifiers.flexive import Mode, agreed

Rung = Literal["fast", "slow", "domain", "human"]
RUNGS: tuple[Rung, ...] = get_args(Rung)


class SDVSettings(FlexSettings):
    """Settings of solve_detect_verify; the defaults are the paper's, with Flex@8."""

    detect: bool = Field(default=True, description="End the thinking once the solution is complete")
    detector: Literal["solver", "proxy"] = Field(
        default="solver", description="Which role is asked whether it is"
    )
    hesitations: tuple[str, ...] = Field(
        default=(), description="Words of hesitation beside the profile's"
    )
    check_every: int = Field(default=1, ge=1, description="One in so many hesitations is checked")
    finish_thought: bool = Field(
        default=False, description="Let the thought that was begun end before the thinking is cut"
    )
    ladder: tuple[Rung, ...] = Field(
        default=("fast", "slow"),
        min_length=1,
        description="Who verifies, each where the one before could not tell: fast and slow runs of "
        "FlexiVe, the domain's verifiers and tools, a person (in a thread, one sample)",
    )
    iterations: int = Field(default=2, ge=1, le=100, description="Solutions before giving up")
    refine_by: Literal["prompt", "note"] = Field(
        default="prompt",
        description="A rejected solution: prompt asks anew with it and the feedback; note cuts it "
        "behind its first wrong step and puts the feedback there",
    )
    samples: int = Field(default=1, ge=1, le=1024, description="Solvers side by side")

    @property
    def mode(self) -> Mode:
        both = {"fast", "slow"} <= set(self.ladder)
        return "flex" if both else "fast" if "fast" in self.ladder else "slow"

    @property
    def verifies_steps(self) -> bool:
        return "domain" in self.ladder

    @property
    def needs_continuing(self) -> bool:
        """Ending the thinking and notes go on from a text of ours; a new prompt does not."""
        return self.detect or (self.refine_by == "note" and self.iterations > 1)

    @property
    def pauses(self) -> str:
        return "a person in the ladder" if "human" in self.ladder else ""

    @model_validator(mode="after")
    def _one_person(self) -> Self:
        if "human" in self.ladder and self.samples > 1:
            raise ValueError("a person in the ladder can judge one sample; set samples to 1")
        if len(set(self.ladder)) < len(self.ladder):
            raise ValueError("a verifier stands in the ladder twice")
        return self


async def monitors(task: Task) -> Sequence[Monitor]:
    """The detector; none where its model gives no log-probabilities or cannot be probed, which is
    told: then a solution is read where the model itself ends it."""
    settings: SDVSettings = task.settings
    if not settings.detect:
        return ()
    able = (await task.ask(settings.detector, "probe")).capabilities
    for lacking, has in (("logprobs", able.logprobs != 0), ("continues", able.continues)):
        if not has:
            instead = "no detector; name a proxy that has it (roles.proxy, detector=proxy)"
            task.emit(weaker(lacking, instead))
            return ()
    proxy = settings.detector == "proxy"
    render = partial(prompts.for_problem, settings.solver_prompt, task.problem)
    prober = Prober(
        partial(task.ask, settings.detector),
        task.problem,
        task.domain,
        settings.seed,
        render_for=render if proxy else None,
        think_open=task.model.profile.think_open,
    )
    words = (*task.model.profile.hesitations, *settings.hesitations)
    return [Detect(prober, words, settings.check_every, settings.finish_thought)]


def side_by_side(settings: SDVSettings, state: RunState) -> list[dict[str, Any]]:
    """One trajectory for every sample."""
    return [{"branch": branch} for branch in range(settings.samples)]


def after_solve(state: RunState) -> Literal["refine", "read", "settle"]:
    """Close the thinking where the solution is complete; read what ended by itself."""
    ended = state["leg"]["ended"]
    return "refine" if ended == "intervened" else "read" if ended == "stop" else "settle"


def climb(state: RunState) -> Rung | Literal["settle", "retry", "roll_back"]:
    """From a verdict: accept, reject, or ask the next verifier of the ladder."""
    settings, verdict = SDVSettings(**state["settings"]), state["verdict"]
    above = rungs_left(settings.ladder, verdict)
    if not verdict:
        return above[0]
    sure = verdict["ok"] is not None
    if verdict["rung"] == "fast" and "slow" in above:
        sure = agreed(verdict["ok"], verdict["evidence"], settings.tau)
    if not sure and above:
        return above[0]
    # The domain's undecided is not wrong, and a spent budget leaves nothing to mend it with.
    done = verdict["kind"] == "exhausted" or (verdict["rung"] == "domain" and not sure)
    if verdict["ok"] or done or attempt_of(state)["number"] + 1 >= settings.iterations:
        return "settle"
    return "retry" if settings.refine_by == "prompt" else "roll_back"


def sample() -> StateGraph[RunState, SDVSettings, RunState, Sampled]:
    """One sample, from its prompt to its entry in ``samples``."""
    graph = StateGraph(RunState, SDVSettings, output_schema=Sampled)
    graph.add_node("solve", surviving(solver(monitors, SDVSettings), retried=True))
    graph.add_node("refine", surviving(refine), retry_policy=RETRY)
    graph.add_node("read", read_solution)
    graph.add_node("fast", undecided(flexive("fast"), "fast"), retry_policy=RETRY)
    graph.add_node("slow", undecided(flexive("slow"), "slow"), retry_policy=RETRY)
    graph.add_node("domain", domain_verify)
    graph.add_node("human", ask_person)
    graph.add_node("retry", surviving(retry), retry_policy=RETRY)
    graph.add_node("roll_back", roll_back)
    graph.add_node("settle", settle)
    graph.add_edge(START, "solve")
    stream_ends(graph, after_solve, ["refine", "read", "settle"])
    graph.add_edge("refine", "solve")
    for verifier in ("read", *RUNGS):
        above = [rung for rung in RUNGS if rung != verifier]
        graph.add_conditional_edges(verifier, climb, [*above, "settle", "retry", "roll_back"])
    graph.add_edge("retry", "solve")
    graph.add_edge("roll_back", "refine")
    graph.add_edge("settle", END)
    return graph


def build() -> StateGraph[RunState, SDVSettings, Input, Output]:
    """The graph, not yet compiled."""
    return sampled(SDVSettings, sample(), vote, side_by_side)


graph = compiled(build(), "solve_detect_verify")
