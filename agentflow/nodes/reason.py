"""Reason: a trajectory of steps, searched for (paper 001, section 2), criticised and refined."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from functools import partial
from typing import Any, Literal

from langgraph.runtime import Runtime
from pydantic import Field

from agentflow import prompts
from agentflow.errors import Exhausted
from agentflow.ledger import Entries
from agentflow.models.model import segment
from agentflow.models.structured import Reply, Wording, parse
from agentflow.nodes.context import budget_of, emitter, metered, problem_of, settings_of
from agentflow.nodes.iteration import (
    FOLDER,
    LONG,
    Iteration,
    asked,
    fields_of,
    something,
)
from agentflow.nodes.iteration import trajectory as text_of
from agentflow.nodes.score import ScoreSettings, scorer_of
from agentflow.nodes.solve import room_of
from agentflow.nodes.surviving import ended
from agentflow.profile import Profile, Thinking
from agentflow.run import RunState
from agentflow.search import (
    BOUNDARIES,
    Boundary,
    Found,
    Path,
    Ranking,
    Scorer,
    TraceExpander,
    beam,
    best_of_n,
    lookahead,
)
from agentflow.settings import Role
from agentflow.trace import Trace


class ReasonSettings(ScoreSettings):
    """How a trajectory is found."""

    boundary: Boundary | None = Field(
        default=None,
        description="What ends a step; empty for the tags where the prompt asks for them, else "
        "what the model's profile says",
    )
    step_tokens: int = Field(
        default=LONG,
        ge=1,
        description="Most tokens of a step; it is cut there at the latest, and another begins",
    )
    max_steps: int = Field(default=100, ge=1, le=10_000, description="Most steps of a trajectory")
    search_tokens: int | None = Field(
        default=None,
        ge=1,
        description="Most tokens of one search; empty for what the model's profile says, where it "
        "goes step by step",
    )
    candidates: int = Field(
        default=4, ge=1, le=64, description="lookahead: next steps that are compared"
    )
    direct: Literal["box", "json"] = Field(
        default="box",
        description="Without tools: the problem's own prompt, or one for the answer alone as JSON",
    )


async def reason(state: Iteration, runtime: Runtime[Any]) -> dict[str, Any]:
    """Search for a trajectory, as ``compute`` says, with the reasoner among ``tools``.

    Without one the problem's own prompt is gone on from (direct generation).

    Raises:
        ModelUnavailable, StreamBroken: If the model, or the scorer's, does not answer.
        BadInput, MissingCapability: As :func:`scorer_of` and :class:`TraceExpander` say.
    """
    settings, problem = settings_of(runtime, ReasonSettings), problem_of(state)
    branch, emit = state.get("branch", 0), emitter(state, runtime)
    tools = [tool for tool in ("self-reflection", "cot") if tool in state["tools"]]
    expander = await _expander(state, settings, "reason", tools[0] if tools else "")
    strategy, param = state["compute"]["strategy"], int(state["compute"]["param"])
    if expander.budget is None and strategy != "best of n":  # whose samples end one by one
        expander.budget = expander.model.profile.search_tokens
    scorer: Scorer | None = None
    cost: Callable[[], Entries] = dict
    if (strategy, param) != ("best of n", 1):  # else there is nothing to choose
        scorer, cost = await scorer_of(settings, f"{branch}/reason", emit)

    async def found() -> Found:
        if scorer is None:
            one = await expander.finish(Path(), branch, "reason", 0, steps=settings.max_steps)
            return Found(one, (one,))
        return await search(strategy, settings)(problem, expander, scorer, param, branch, "reason")

    return await _reached(state, runtime, settings, expander, found(), cost, Path())


def search(strategy: str, settings: ReasonSettings) -> Callable[..., Awaitable[Found]]:
    """The search that a strategy names; its parameter is its n, its width, or its depth."""
    find: dict[str, Callable[..., Awaitable[Found]]] = {
        "best of n": best_of_n,
        "beam search": beam,
        "lookahead": partial(lookahead, candidates=settings.candidates),
    }
    return partial(find[strategy], aggregate=settings.aggregate, max_steps=settings.max_steps)


async def critique(state: Iteration, runtime: Runtime[Any]) -> dict[str, Any]:
    """Have the attempt criticised."""
    said, update = await asked(
        state,
        runtime,
        "critique",
        something,
        "",
        role="verifier",
        counted_as="judge",
        tokens=LONG,
        steps=text_of(state),
    )
    return update | {"critique": said.strip()}


async def refine_attempt(state: Iteration, runtime: Runtime[Any]) -> dict[str, Any]:
    """Write the attempt anew by what was said of it; keep the better of both.

    Both are trajectories of this iteration (paper 001, equation 2): the one of the higher R stays,
    of equals the refined one. Where nobody scores, the refined one does if it came to its end. If
    time runs out the attempt stays.
    """
    settings, problem = settings_of(runtime, ReasonSettings), problem_of(state)
    branch, emit = state.get("branch", 0), emitter(state, runtime)
    fields = {"steps": text_of(state), "critique": state["critique"] or "none"}
    expander = await _expander(state, settings, "refine", "refine", **fields)
    attempt = Path(tuple(state["steps"]), tuple(state["scores"]), True, tuple(state["operations"]))
    scorer: Scorer | None = None
    cost: Callable[[], Entries] = dict
    if settings.select_by == "prm":
        scorer, cost = await scorer_of(settings, f"{branch}/refine", emit)

    async def found() -> Found:
        refined = await expander.finish(Path(), branch, "refine", steps=settings.max_steps)
        if scorer is None:
            return Found(refined if refined.done else attempt, (refined, attempt))
        ranking = Ranking(problem, scorer, settings.aggregate)
        return ranking.found(await ranking.scored([refined, attempt]))

    return await _reached(state, runtime, settings, expander, found(), cost, attempt)


async def reframe(state: Iteration, runtime: Runtime[Any]) -> dict[str, Any]:
    """Restate the problem."""
    said, update = await asked(state, runtime, "reframe", something, "", tokens=LONG)
    return update | {"reframed": said.strip()}


def follow(name: str, role: Role, counted_as: str) -> Callable[..., Any]:
    """A node that has a model read the trajectory and appends what it says as a step.

    The tools behind the reasoner: numeric verifier, verifier, summarizer.
    """

    async def node(state: Iteration, runtime: Runtime[Any]) -> dict[str, Any]:
        said, update = await asked(
            state,
            runtime,
            name,
            something,
            "",
            role=role,
            counted_as=counted_as,
            tokens=LONG,
            steps=text_of(state),
        )
        return update | ({"steps": [*state["steps"], f"\n\n{said.strip()}"]} if said else {})

    return node


class Answer(Reply):
    """A final answer, alone."""

    answer: Wording = Field(min_length=1)


async def direct_json(state: Iteration, runtime: Runtime[Any]) -> dict[str, Any]:
    """Direct generation of the answer alone (appendix B.8); it is the trajectory's only step."""
    reply, update = await asked(
        state,
        runtime,
        "direct_json",
        lambda text: parse(Answer, text).answer,
        "",
        schema=Answer.model_json_schema(),
    )
    steps = [reply] if reply else []
    return update | {"steps": steps, "answer": reply or None, "leg": ended("stop")}


async def _expander(
    state: Iteration, settings: ReasonSettings, place: str, tool: str, **fields: str
) -> TraceExpander:
    """Who goes on from the prompt of a reasoner; without one from the problem's own."""
    counted = f"{state.get('branch', 0)}/{place}"
    model = await metered(state, settings, "solver", "solver", counted)
    profile, problem = model.profile, problem_of(state)
    trace = Trace(state["operations"])
    before, close, tagged = trace.generated, profile.think_close, False
    if tool:
        own = await asyncio.to_thread(prompts.for_problem, settings.solver_prompt, problem, profile)
        (_, step) = await asyncio.to_thread(prompts.render, FOLDER, "step", profile.name, {})
        texts = await fields_of(state, settings) | fields
        texts |= {"prompt": "\n\n".join(filter(None, own)), "notes": _notes(state), "step": step}
        name = tool.replace("-", "_")
        system, user = await asyncio.to_thread(prompts.render, FOLDER, name, profile.name, texts)
        tagged = BOUNDARIES["tag"] in user
        thinking: Thinking = "open"
        if tagged:  # the steps are the model's answer part
            close, thinking = "", "none" if model.capabilities.continues else "plain"
        pieces = profile.render(user, system, thinking=thinking)
        trace.begin(await segment(model, "prompt", pieces), tool)
    return TraceExpander(
        model,
        trace.operations,
        problem.id,
        settings.boundary or ("tag" if tagged else profile.boundary),
        close,
        settings.seed,
        settings.sampling(profile),
        settings.step_tokens,
        _most_tokens(settings, profile, tagged) + before,
        settings.search_tokens,
        settings.cache,
        settings.retries,
    )


def _most_tokens(settings: ReasonSettings, profile: Profile, tagged: bool) -> int:
    """Most tokens of a trajectory. Where it is made of actions, a model's usual length is that of
    each of them (the paper's 1,024 tokens), and the trajectory's is what a search may have."""
    usual = max(profile.max_tokens, profile.search_tokens) if tagged else profile.max_tokens
    return settings.solver_tokens or settings.max_tokens or usual


def _notes(state: RunState) -> str:
    """What the planner and the reframer said, as a reasoner reads it."""
    notes = {"Plan": state.get("plan"), "The problem restated": state.get("reframed")}
    return "".join(f"\n[{title}]\n{text}\n" for title, text in notes.items() if text)


async def _reached(
    state: Iteration,
    runtime: Runtime[Any],
    settings: ReasonSettings,
    expander: TraceExpander,
    searching: Coroutine[Any, Any, Found],
    scored: Callable[[], Entries],
    otherwise: Path,
) -> dict[str, Any]:
    """The state's update: the trajectory that a search comes to in time, and what it cost."""
    emit, budget = emitter(state, runtime), budget_of(settings, state)
    found, task = Found(otherwise, (otherwise,)), asyncio.ensure_future(searching)
    try:
        async with budget.limited():
            found = await task
    except TimeoutError:
        budget.over = budget.late
    except Exhausted:
        task.cancel()
    limit = budget.over or _limit(state, settings, expander, found.best)
    best = found.best
    operations: Sequence[Any] = best.payload or expander.operations
    added = operations[len(state["operations"]) :]
    if any(operation["op"] == "begin" for operation in added) and state.get("steps"):
        event = {"type": "intervention", "kind": "refine", "offset": 0, "text": ""}
        emit(event | {"monitor": "self-reflection", "reason": state["critique"]})
    cost = expander.model.entries | expander.wasted([best]) | scored()
    if added:
        emit({"type": "token", "text": best.text})
    emit({"type": "usage", "entries": cost})
    return {
        "operations": list(added),
        "steps": list(best.steps),
        "scores": list(best.scores),
        "leg": ended("stop") if best.done else ended("length", limit=limit),
        "late": bool(budget.over),
        "notes": [*state.get("notes", []), *found.notes],
        "ledger": cost,
    }


def _limit(state: Iteration, settings: ReasonSettings, expander: TraceExpander, best: Path) -> str:
    """What limits a path that did not come to its end."""
    if len(best.steps) >= settings.max_steps:
        return f"the budget of {settings.max_steps} steps is spent"
    if expander.budget is not None and expander.generated >= expander.budget:
        return f"the search's budget of {expander.budget} tokens is spent"
    trace = Trace(best.payload or expander.operations)
    assert expander.max_tokens is not None
    wanted = expander.max_tokens - Trace(state["operations"]).generated
    given = settings.model_copy(update={"solver_tokens": wanted})
    return room_of(trace, expander.model, given, expander.max_tokens - wanted)[1]
