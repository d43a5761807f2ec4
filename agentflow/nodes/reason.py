"""Reason: a trajectory of steps, searched for (adaptive, section 2), criticised and refined."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import Any, Literal

from pydantic import Field

from agentflow import prompts
from agentflow.channels import StreamEnd
from agentflow.errors import Exhausted
from agentflow.ledger import Entries
from agentflow.models.model import segment
from agentflow.models.structured import Reply, Wording, parse
from agentflow.nodes.asking import something, telling
from agentflow.nodes.context import weaker
from agentflow.nodes.finish import stated
from agentflow.nodes.iteration import FOLDER, LONG, IterationRun, asked, fields_of
from agentflow.nodes.learned import ControllerSettings, led
from agentflow.nodes.reflect import Reflecting
from agentflow.nodes.run import Node, Update, node
from agentflow.nodes.score import scorer_of
from agentflow.nodes.select import REASONERS
from agentflow.nodes.solve import room_of
from agentflow.own_parts import equal_of
from agentflow.profile import Profile, Sampling, Thinking
from agentflow.search import (
    BOUNDARIES,
    Boundary,
    Found,
    Path,
    Ranking,
    Scorer,
    TraceExpander,
    Tree,
    beam,
    best_of_n,
    dvts,
    lookahead,
    mcts,
    momentum,
    particles,
    power,
    rebase,
    rejection,
    reward,
    sharpened,
    summed,
    unscored,
    unsureness,
    vote,
)
from agentflow.settings import Positive, Role, Settings, Share
from agentflow.trace import Trace

Search = Literal["dvts", "rebase", "rejection", "particles", "mcts", "momentum", "power"]
"""Searches of other papers than adaptive compute's, whose controller does not know them."""


_PLAIN = weaker("log-probabilities", "no step is drawn again")
_LIKELIEST = 20
"""Alternatives a token of which power sampling's Z is the sum; vLLM tells no more by default."""


class ReasonSettings(ControllerSettings):
    """How a trajectory is found."""

    boundary: Boundary | None = Field(
        default=None,
        description="What ends a step; empty for the tags where the prompt asks for them, else "
        "what the model's profile says",
    )
    step_tokens: Positive = Field(
        default=LONG,
        description="Most tokens of a step; it is cut there at the latest, and another begins",
    )
    max_steps: int = Field(default=100, ge=1, le=10_000, description="Most steps of a trajectory")
    search_tokens: Positive | None = Field(
        default=None,
        description="Most tokens of one search; empty for what the model's profile says, where it "
        "goes step by step",
    )
    candidates: int | None = Field(
        default=None,
        ge=1,
        le=64,
        description="lookahead: next steps that are compared, each by a roll-out as deep as the "
        "parameter; empty: candidates and depth share the parameter, and cost what it says",
    )
    each: int | None = Field(
        default=None,
        ge=1,
        le=64,
        description="beam search: candidates behind each prefix, of which as many as the parameter "
        "are kept; empty: the parameter's in all, which the best prefixes share. dvts, mcts: "
        "candidates of a tree, next steps at a prefix; empty: about the square root",
    )
    balance: float = Field(
        default=0.2,
        gt=0,
        description="rebase: temperature of the softmax by which rewards become shares; the lower, "
        "the more goes to the best",
    )
    reject: Share = Field(
        default=0.5,
        lt=1,
        description="rejection: part of the trajectories under way that is given up each time",
    )
    reject_every: Positive = Field(
        default=4, description="rejection: after how many steps some are given up"
    )
    explore: float = Field(
        default=1.0, ge=0, description="mcts: weight of looking where little was seen"
    )
    inertia: float = Field(
        default=0.9,
        ge=0,
        lt=1,
        description="momentum: how slowly changes what counts as usual, by which a step is unsure",
    )
    gamma: float = Field(
        default=0.9,
        gt=0,
        le=1,
        description="momentum: the lower, the more a step must stand out to be drawn again",
    )
    power: float = Field(
        default=4.0,
        gt=1,
        description="power: to which power a whole trajectory's likelihood is raised; tokens are "
        "drawn at the temperature 1 / power, whatever the setting temperature says",
    )
    block: Positive = Field(
        default=8, description="power: after how many steps parts are drawn anew"
    )
    weigh: bool = Field(
        default=False,
        description="Of what a search ends with, take the answer whose trajectories' rewards sum "
        "highest, and the best of these, instead of the best of all",
    )
    calls: Literal["stream", "action"] = Field(
        default="stream",
        description="A trajectory of actions: one request to its end, or one an action, as in the "
        "paper. The same is generated; F_theo counts the prompt again at each, as it does in a "
        "search step by step",
    )
    reflect: Literal["action", "trajectory"] = Field(
        default="action",
        description="self-reflection: criticise and refine each action before the next, or the "
        "whole trajectory, which is what is done where the model writes no actions",
    )
    direct: Literal["box", "unstructured", "json"] = Field(
        default="box",
        description="Without tools: the problem's own prompt; the paper's, which asks for steps "
        "and one box at the end; or one for the answer alone as JSON",
    )


@node(ReasonSettings, IterationRun)
async def reason(run: IterationRun[ReasonSettings]) -> Update:
    """Search for a trajectory, as ``compute`` says, with the reasoner among ``tools``.

    Without one the problem's own prompt is gone on from (direct generation).

    Raises:
        ModelUnavailable, StreamBroken: If the model, or the scorer's, does not answer.
        BadInput, MissingCapability: As :func:`scorer_of` and :class:`TraceExpander` say.
    """
    settings, branch, strategy, param = run.settings, run.branch, run.strategy, run.param
    reasoner = next((one for one in REASONERS if one in run.tools), "")
    prompt = reasoner or ("unstructured" if settings.direct == "unstructured" else "")
    expander = await _expander(run, "reason", prompt)
    if expander.budget is None and strategy != "best of n":  # whose samples end one by one
        expander.budget = expander.model.profile.search_tokens
    _measure(run, expander)
    scorer: Scorer | None = None
    cost: Callable[[], Entries] = dict
    if (strategy, param) != ("best of n", 1):  # else there is nothing to choose
        scorer, cost = await scorer_of(run, settings, f"{branch}/reason")

    grower, domain = await _grower(run, expander, reasoner), await run.domain()

    def answer(path: Path) -> str | None:
        return stated(Trace(path.payload), run.close, domain, run.problem)

    async def found() -> Found:
        if scorer is None:
            one = await grower.finish(Path(), branch, "reason", 0, steps=settings.max_steps)
            return Found(one, (one,))
        if strategy == "learned":
            find = await led(run, expander, scorer, settings.max_steps)
        else:
            find = search(strategy, settings)
        tree = Tree(grower, scorer)
        came_to = await find(run.problem, tree, tree, param, branch, "reason")
        event = {"strategy": strategy, "param": param, "scorer": scorer.name}
        run.emit({"type": "tree", **event, "draws": tree.plain(answer)})
        came_to = await weighed(came_to) if settings.weigh else came_to
        return replace(came_to, notes=(*came_to.notes, *unscored(scorer, came_to.best)))

    async def weighed(found: Found) -> Found:
        """The weighted vote of what a search ended with (REBASE, section 3.2)."""
        worth = partial(reward, aggregate=settings.aggregate)
        ended = [path for path in found.paths if path.done]
        agreed = await vote(ended, answer, partial(equal_of, domain, run.problem), summed(worth))
        return replace(found, best=max(agreed, key=worth, default=found.best))

    update = await _reached(run, expander, found(), cost, Path())
    if isinstance(grower, Reflecting):
        update |= {"reflected": True, "ledger": update["ledger"] | grower.entries}
    return update


def search(strategy: str, settings: ReasonSettings) -> Callable[..., Awaitable[Found]]:
    """The search that a strategy names; its parameter is its n, its width, or its depth."""
    find: dict[str, Callable[..., Awaitable[Found]]] = {
        "best of n": best_of_n,
        "beam search": partial(beam, each=settings.each),
        "lookahead": partial(lookahead, candidates=settings.candidates),
        "dvts": partial(dvts, each=settings.each),
        "rebase": partial(rebase, temperature=settings.balance),
        "rejection": partial(rejection, share=settings.reject, every=settings.reject_every),
        "particles": partial(particles, seed=settings.seed),
        "mcts": partial(mcts, each=settings.each, explore=settings.explore),
        "momentum": partial(momentum, inertia=settings.inertia, gamma=settings.gamma),
        "power": partial(power, block=settings.block, seed=settings.seed),
    }
    return partial(find[strategy], aggregate=settings.aggregate, max_steps=settings.max_steps)


def _measure(run: IterationRun[ReasonSettings], expander: TraceExpander) -> None:
    """Have the expander measure what the strategy goes by."""
    settings, strategy, most = run.settings, run.strategy, expander.model.capabilities.logprobs
    if strategy not in ("momentum", "power"):
        return
    if strategy == "power":
        expander.sampling = Sampling(1 / settings.power, top_p=1.0, top_k=0)
    if most == 0:
        run.emit(_PLAIN)
    elif strategy == "momentum":
        expander.top, expander.measure = 1, unsureness
    else:
        expander.top = _LIKELIEST if most is None else min(most, _LIKELIEST)
        expander.measure = sharpened(settings.power)


@node(Settings, IterationRun)
async def critique(run: IterationRun[Settings]) -> Update:
    """Have the attempt criticised."""
    reply, update = await asked(
        run,
        "critique",
        something,
        "",
        role="verifier",
        counted_as="judge",
        tokens=LONG,
        steps=run.trajectory,
    )
    return update | {"critique": reply.strip()}


@node(ReasonSettings, IterationRun)
async def refine_attempt(run: IterationRun[ReasonSettings]) -> Update:
    """Write the attempt anew by what was said of it; keep the better of both.

    Both are trajectories of this iteration (adaptive, equation 2): the one of the higher R stays,
    of equals the refined one. Where nobody scores, the refined one does if it came to its end. If
    time runs out the attempt stays.
    """
    settings, branch = run.settings, run.branch
    fields = {"steps": run.trajectory, "critique": run.critique or "none"}
    expander = await _expander(run, "refine", "refine", **fields)
    attempt = Path(tuple(run.steps), tuple(run.scores), True, tuple(run.operations))
    scorer: Scorer | None = None
    cost: Callable[[], Entries] = dict
    if settings.select_by == "prm":
        scorer, cost = await scorer_of(run, settings, f"{branch}/refine")

    async def found() -> Found:
        refined = await expander.finish(Path(), branch, "refine", steps=settings.max_steps)
        if scorer is None:
            return Found(refined if refined.done else attempt, (refined, attempt))
        ranking = Ranking(run.problem, scorer, settings.aggregate)
        better = ranking.found(await ranking.scored([refined, attempt]))
        return replace(better, notes=(*better.notes, *unscored(scorer, better.best)))

    return await _reached(run, expander, found(), cost, attempt)


@node(Settings, IterationRun)
async def reframe(run: IterationRun[Settings]) -> Update:
    """Restate the problem."""
    reply, update = await asked(run, "reframe", telling, "", tokens=LONG)
    return update | {"reframed": reply.strip()}


def follow(name: str, role: Role, counted_as: str) -> Node:
    """A node that has a model read the trajectory and appends what it says as a step.

    The tools behind the reasoner: numeric verifier, verifier, summarizer.
    """

    @node(Settings, IterationRun)
    async def follows(run: IterationRun[Settings]) -> Update:
        reply, update = await asked(
            run,
            name,
            telling,
            "",
            role=role,
            counted_as=counted_as,
            tokens=LONG,
            steps=run.trajectory,
        )
        return update | ({"steps": [*run.steps, f"\n\n{reply.strip()}"]} if reply else {})

    return follows


class Answer(Reply):
    """A final answer, alone."""

    answer: Wording = Field(min_length=1)


@node(Settings, IterationRun)
async def direct_json(run: IterationRun[Settings]) -> Update:
    """Direct generation of the answer alone (appendix B.8); it is the trajectory's only step."""
    reply, update = await asked(
        run,
        "direct_json",
        lambda text: parse(Answer, text).answer,
        "",
        schema=Answer.model_json_schema(),
    )
    steps = [reply] if reply else []
    return update | {"steps": steps, "answer": reply or None, "stream_end": asdict(StreamEnd())}


async def _expander(
    run: IterationRun[ReasonSettings], place: str, name: str, **fields: str
) -> TraceExpander:
    """Who goes on from the prompt ``name``; without a name from the problem's own."""
    settings, problem, trace = run.settings, run.problem, Trace(run.operations)
    model = await run.ask("solver", "solver", f"{run.branch}/{place}")
    profile = model.profile
    before, close, tagged = trace.generated, profile.think_close, False
    if name:
        own = "\n\n".join(filter(None, await run.prompt(profile)))
        texts = await _texts(run, profile) | {"prompt": own} | fields
        template = name.replace("-", "_")
        system, user = await prompts.rendered(FOLDER, template, profile, texts)
        tagged = BOUNDARIES["tag"] in user
        thinking: Thinking = "open"
        if tagged:  # the steps are the model's answer part
            close, thinking = "", "none" if model.capabilities.continues else "plain"
        pieces = profile.render(user, system, thinking=thinking)
        trace.begin(await segment(model, "prompt", pieces), name)
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
        settings.shares_cache,
        settings.retries,
    )


async def _grower(
    run: IterationRun[ReasonSettings], expander: TraceExpander, reasoner: str
) -> TraceExpander | Reflecting:
    """Who makes a trajectory longer: the expander, which may write action by action where the
    prompt asks for actions; or one that also has each of them criticised and refined."""
    settings, able = run.settings, expander.model.capabilities
    actions = expander.boundary == "tag" and (able.continues or able.turns)
    expander.stepwise = settings.calls == "action" and actions
    if actions and reasoner == "self-reflection" and settings.reflect == "action":
        return Reflecting(run, expander, await _texts(run, expander.model.profile))
    return expander


async def _texts(run: IterationRun[Any], profile: Profile) -> dict[str, str]:
    """What every prompt of a reasoner may name."""
    (_, step) = await prompts.rendered(FOLDER, "step", profile, {})
    return await fields_of(run) | {"notes": _notes(run), "step": step}


def _most_tokens(settings: ReasonSettings, profile: Profile, tagged: bool) -> int:
    """Most tokens of a trajectory. Where it is made of actions, a model's usual length is that of
    each of them (the paper's 1,024 tokens), and the trajectory's is what a search may have."""
    usual = max(profile.max_tokens, profile.search_tokens) if tagged else profile.max_tokens
    return settings.solver_tokens or settings.max_tokens or usual


def _notes(run: IterationRun[Any]) -> str:
    """What the planner and the reframer said, as a reasoner reads it."""
    notes = {"Plan": run.plan, "The problem restated": run.reframed}
    return "".join(f"\n[{title}]\n{text}\n" for title, text in notes.items() if text)


async def _reached(
    run: IterationRun[ReasonSettings],
    expander: TraceExpander,
    searching: Coroutine[Any, Any, Found],
    scored: Callable[[], Entries],
    otherwise: Path,
) -> Update:
    """The state's update: the trajectory that a search comes to in time, and what it cost."""
    budget, task = run.budget, asyncio.ensure_future(searching)
    found = Found(otherwise, (otherwise,))
    try:
        async with budget.in_limits():
            found = await task
    except Exhausted:
        task.cancel()
    best = found.best
    limit = budget.over or _limit(run, expander, best)
    operations: Sequence[Any] = best.payload or expander.operations
    added = operations[len(run.operations) :]
    if any(operation["op"] == "begin" for operation in added) and run.steps:
        event = {"type": "intervention", "kind": "refine", "offset": 0, "text": ""}
        run.emit(event | {"monitor": "self-reflection", "reason": run.critique})
    cost = expander.model.entries | expander.wasted([best]) | scored()
    if added:
        run.emit({"type": "token", "text": best.text})
    run.spent(cost)
    return {
        "operations": list(added),
        "steps": list(best.steps),
        "scores": list(best.scores),
        "stream_end": asdict(StreamEnd() if best.done else StreamEnd("length", limit=limit)),
        "late": bool(budget.over),
        "notes": [*run.notes, *found.notes],
        "ledger": cost,
    }


def _limit(run: IterationRun[ReasonSettings], expander: TraceExpander, best: Path) -> str:
    """What limits a path that did not come to its end."""
    if len(best.steps) >= run.settings.max_steps:
        return f"the budget of {run.settings.max_steps} steps is spent"
    if expander.budget is not None and expander.generated >= expander.budget:
        return f"the search's budget of {expander.budget} tokens is spent"
    trace = Trace(best.payload or expander.operations)
    assert expander.max_tokens is not None
    wanted = expander.max_tokens - run.trace.generated
    given = run.settings.model_copy(update={"solver_tokens": wanted})
    return room_of(trace, expander.model, given, expander.max_tokens - wanted).limit
