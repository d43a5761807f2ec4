"""Steps that a small model drafts, and the solver, a larger one, only writes where a draft is no
good (SpecReason, Pan et al. 2025; reward-guided speculative decoding, Liao et al. 2025)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import aclosing
from typing import Literal

from pydantic import Field

from agentflow.domains import Domain
from agentflow.errors import Exhausted, MissingCapability
from agentflow.ledger import Entries
from agentflow.models.metered import Metered
from agentflow.models.model import Finish, Request, segment
from agentflow.models.structured import Reply, Whole
from agentflow.monitors import Monitor
from agentflow.monitors.step_end import StepEnd, first_step
from agentflow.nodes.announced import announced
from agentflow.nodes.asking import ask_role_json
from agentflow.nodes.behind import behind
from agentflow.nodes.context import has_reward_model, weaker
from agentflow.nodes.run import Run, Update, View, node
from agentflow.nodes.score import ScorerSettings, scorer_of
from agentflow.nodes.solve import Task
from agentflow.nodes.surviving import asked_under
from agentflow.problem import Problem
from agentflow.profile import Piece, Profile
from agentflow.search import BOUNDARIES, Path, unscored
from agentflow.settings import Count, Positive, Share, request_seed
from agentflow.verdict import Verdict

HIGHEST = 9
"""The best rating of a draft."""


class SpeculativeSettings(ScorerSettings):
    """Settings of speculative_reasoning."""

    critic: Literal["auto", "utility", "steps"] = Field(
        default="auto",
        description="Who rates drafts: utility, a model that is asked (role verifier), from 1 to "
        "9, as in SpecReason; steps, a verifier of steps, which scorer names; auto: the reward "
        "model, where the role prm is one, else utility",
    )
    accept: Share = Field(
        default=0.7, description="A draft is kept whose rating is at least this; of 9, 7"
    )
    own_steps: Count = Field(
        default=0, description="So many first steps the solver writes itself, before any is drafted"
    )
    boundary: Literal["line", "paragraph"] | None = Field(
        default=None, description="What ends a step; empty for what the solver's profile says"
    )
    step_tokens: Positive = Field(
        default=512, description="Most tokens of a step; it is cut there at the latest"
    )

    @property
    def needs_continuing(self) -> bool:
        return True

    def unfit(self, domain: Domain, problem: Problem) -> str:
        if self.critic != "steps" or self.scorer != "rules" or domain.judges_steps:
            return ""
        return (
            f"scorer=rules needs a domain that judges steps, and {domain.name} judges none: no "
            "draft would ever be kept; use critic=utility"
        )


class Utility(Reply):
    """How good a draft is; 0 is none, for a form that is filled in says nothing."""

    score: Whole = Field(ge=1, le=HIGHEST)


async def own_step(task: Task) -> Sequence[Monitor]:
    """What ends the solver's stream behind one step."""
    settings, profile = task.settings, task.model.profile
    return [StepEnd(_mark(settings, profile), settings.step_tokens, bool(profile.think_close))]


@node(SpeculativeSettings)
async def draft(run: Run[SpeculativeSettings]) -> Update:
    """Set ``steps``, the last of which is one that the small model (role proxy) writes; none, where
    the solver is to write itself: the draft is empty, repeats the step before it, or there is no
    room for one.

    Raises:
        MissingCapability: If the small model cannot go on from a text of ours.
        ModelUnavailable, StreamBroken: If it does not answer.
    """
    settings, profile = run.settings, (await run.model()).profile
    thinking, answer = run.trace.split(run.close)
    text = (thinking if run.close else answer or "").removeprefix(profile.think_open)
    steps = _steps(text, mark := _mark(settings, profile))
    step, entries = "", Entries()
    if len(steps) >= settings.own_steps and not (run.close and answer is not None):
        model = await run.ask("proxy", "draft", f"{run.branch}/{len(run.operations)}")
        able = model.capabilities
        if not (able.continues or able.turns):
            raise MissingCapability(
                f"{model.name} (role proxy) cannot continue a text of ours, which drafts of steps "
                "need; name a server with raw completions"
            )
        if not (able.continues or steps):
            run.emit(weaker("continues", "each draft is a new turn"))
        try:
            async with run.budget.in_limits():
                step = await _drafted(run, model, mark)
        except Exhausted:
            pass  # the solver's stream says which limit
        entries = model.entries
        run.spent(entries)
    if not step.strip() or (steps and step.strip() == steps[-1].strip()):
        steps = []
    else:
        steps.append(step)
    return {"steps": steps, "reading": {}, "ledger": entries, "settings": run.changed}


@node(SpeculativeSettings)
async def judge_draft(run: Run[SpeculativeSettings]) -> Update:
    """Rate the draft; one that passes becomes the next step of the trace. Where the rating cannot
    be read, or the run's limits leave no room for it, the draft does not pass.

    Raises:
        ModelUnavailable, StreamBroken: If the model does not answer.
    """
    *before, step = run.steps
    try:
        verdict, entries = await _rated(run, before, step)
    except Exhausted as error:
        verdict = Verdict(None, str(error), "exhausted", source="speculative")
        entries = asked_under(run, f"{run.branch}/")
    update = announced(run, "speculative", verdict) | {"ledger": entries}
    if verdict.ok:
        kept = await segment(await run.model(), "rewritten", [Piece(step)], run.trace.leftover)
        run.emit({"type": "token", "text": step})
        update["operations"] = [kept.operation()]
    return update


def after_draft(run: View[SpeculativeSettings]) -> Literal["judge", "solve"]:
    """Edge behind :func:`draft`: without one the solver writes."""
    return "judge" if run.steps else "solve"


def after_judge(run: View[SpeculativeSettings]) -> Literal["draft", "solve"]:
    """Edge behind :func:`judge_draft`: the solver writes what no draft was good enough for."""
    return "draft" if run.verdict is not None and run.verdict.ok else "solve"


def after_own_step(run: View[SpeculativeSettings]) -> Literal["draft", "finish"]:
    """Edge behind ``solve``: behind its step the next one is drafted, behind its end is none."""
    return "draft" if run.stream.ended == "intervened" else "finish"


def _mark(settings: SpeculativeSettings, profile: Profile) -> str:
    return BOUNDARIES[settings.boundary or profile.boundary]


def _steps(text: str, mark: str) -> list[str]:
    steps = []
    while text.strip():
        steps.append(first_step(text, mark) or text)
        text = text[len(steps[-1]) :]
    return steps


async def _drafted(run: Run[SpeculativeSettings], model: Metered, mark: str) -> str:
    """One step of the small model's; empty where there is no room for one."""
    settings, profile, trace = run.settings, model.profile, run.trace
    prompt = await behind(run, model, len(trace.body))
    room = profile.context - len(prompt) if isinstance(prompt, tuple) else settings.step_tokens
    wanted = settings.solver_tokens or settings.max_tokens or profile.max_tokens
    written = sum(len(one.ids) for one in trace.segments if one.kind != "prompt")
    if min(room, wanted - written) <= 0:
        return ""
    request = Request(
        prompt,
        min(settings.step_tokens, room, wanted - written),
        settings.sampling(profile),
        request_seed(settings.seed, run.problem.id, "draft", run.branch, len(trace.operations)),
        cache=settings.shares_cache,
        own=run.branch if settings.cache == "run" else None,
    )
    text = ""
    async with aclosing(model.stream(request)) as stream:
        async for item in stream:
            if isinstance(item, Finish) or item.text in profile.markers:
                break
            text += item.text
            if (step := first_step(text, mark)) is not None:
                return step
    return text


async def _rated(
    run: Run[SpeculativeSettings], before: Sequence[str], step: str
) -> tuple[Verdict, Entries]:
    """(what is said of a draft, what it cost)."""
    settings, place = run.settings, f"{run.branch}/{len(run.operations)}"
    score: float | None
    by_steps = settings.critic == "steps"
    if by_steps or (settings.critic == "auto" and has_reward_model(settings)):
        if not by_steps:
            settings = settings.model_copy(update={"scorer": "prm"})
        scorer, cost = await scorer_of(run, settings, place)
        known = Path((*before, step), (1.0,) * len(before))
        (path,) = await scorer.score(run.problem, [known])
        entries, notes, by = cost(), unscored(scorer, path), scorer.name
        score = None if notes else path.scores[-1]
        run.spent(entries)
        why = "".join(notes)
    else:
        fields = {"before": "".join(before).strip() or "(nothing yet)", "step": step.strip()}
        template = ("speculative_reasoning", "utility")
        reply, entries = await ask_role_json(
            run, template, fields, Utility, number=len(run.operations)
        )
        score = None if reply.value is None else reply.value.score / HIGHEST
        why, by = reply.error, "utility"
    if score is None:
        return Verdict(None, why, "cannot_tell", source=by), entries
    if score >= settings.accept:
        return Verdict(True, "", score=score, source=by), entries
    why = f"its rating of {score:.2f} is below {settings.accept:.2f}"
    return Verdict(False, why, "low_score", score, source=by), entries
