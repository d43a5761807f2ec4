"""Score: what a trajectory is worth, what an iteration came to, and which one is chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

from pydantic import Field

from agentflow.channels import Sample
from agentflow.errors import BadInput
from agentflow.ledger import Entries
from agentflow.models import JudgeModel, RewardModel
from agentflow.nodes.context import injected
from agentflow.nodes.finish import UNFINISHED, answer_of, unfinished
from agentflow.nodes.iteration import IterationRun
from agentflow.nodes.last_word import Outcome, last_word
from agentflow.nodes.run import Run, Update, node
from agentflow.own_parts import equal_of
from agentflow.run import Status
from agentflow.scorers import PRMScorer, PromptedScorer, RuleScorer
from agentflow.scorers.likelihood import Likelihood
from agentflow.scorers.once import UNSURE
from agentflow.scorers.prm import Reads
from agentflow.search import Aggregate, Path, Ranking, Scorer, reward, unscored
from agentflow.settings import Settings, Share

REWARD = "reward"
"""The duty of the role prm where it is a reward model, and no model that is asked."""


class ScorerSettings(Settings):
    """Who scores steps, and how a path is worth what its steps are."""

    scorer: Literal["auto", "rules", "prompted", "prm"] = Field(
        default="auto",
        description="Who scores steps: rules, the domain's step verifier; prompted, a model that "
        "is asked (role prm); prm, a reward model (role prm: reward:URL), as in the paper; auto: "
        "prm where the role prm names a reward model, else rules",
    )
    prm_reads: Reads = Field(
        default="pair",
        description="prm: what the reward model reads for a step: it and the one before, as in the "
        "paper; or the solution up to it, as such models were trained",
    )
    hopeless: bool = Field(
        default=False,
        description="rules: a right step from which no answer can be reached is wrong, too",
    )
    unread: Share = Field(
        default=UNSURE,
        description="rules: score of a step in which the domain finds nothing to judge. With 1 "
        "only what is refuted costs anything (else the mean prefers attempts that delay the "
        "answer); but then nothing is accepted, since a path may hold no judged step at all",
    )
    aggregate: Aggregate = Field(
        default="mean", description="How the scores of steps become a trajectory's reward R"
    )

    @property
    def scored_by(self) -> Literal["rules", "prompted", "prm"]:
        """Who scores, with ``auto`` resolved."""
        if self.scorer != "auto":
            return self.scorer
        given = any(server.api == "reward" for server in self.roles.get("prm", ()))
        return "prm" if given else "rules"


class ScoreSettings(ScorerSettings):
    """How trajectories are scored, and chosen by that."""

    select_by: Literal["prm", "first"] = Field(
        default="prm",
        description="Whose answer is given: that of the iteration with the highest R, or the first",
    )
    accept: Share = Field(
        default=UNSURE,
        description="An answer is accepted where no step scores below this and R is above 0.5; "
        "else it is unverified",
    )


async def scorer_of(
    run: Run[Any], settings: ScorerSettings, place: str
) -> tuple[Scorer, Callable[[], Entries]]:
    """The scorer that the settings name, and what it has cost so far.

    Raises:
        BadInput: If it is to be a reward model and the role prm is none.
        ModelUnavailable: If its server does not answer.
    """
    kind = settings.scored_by
    if settings.scorer == "auto" and isinstance(injected(settings, "prm"), RewardModel):
        kind = "prm"
    if kind == "rules":
        tools = run.tool_log(f"prm/{place}")
        domain = await run.domain(tools)
        return RuleScorer(
            domain, settings.hopeless, settings.unread, settings.judge_answers
        ), lambda: tools.entries
    if kind == "prompted":
        meter = await run.ask("prm", "prm", place)
        return PromptedScorer(
            meter, settings.seed, think="prm" in settings.think
        ), lambda: meter.entries
    scorer = await reward_scorer(run, place, settings.prm_reads)
    return scorer, lambda: scorer.entries


async def reward_scorer(run: Run[Any], place: str, reads: Reads = "solution") -> PRMScorer:
    """The reward model of the role prm, and what it reads for a step.

    Raises:
        BadInput: If that is none.
        ModelUnavailable: If its server does not answer.
    """
    model = await run.model("prm", REWARD)
    if isinstance(model, JudgeModel):
        return PRMScorer(Likelihood(model), place, budget=run.budget)
    if not isinstance(model, RewardModel):
        raise BadInput(
            f"scores by prm need a reward model, and {model.name} is none; name one as the role "
            "prm (roles.prm = reward:http://localhost:8000/v1, or embedded:judge), or have others "
            "score"
        )
    return PRMScorer(model, place, reads=reads, budget=run.budget)


@node(ScoreSettings, IterationRun)
async def score(run: IterationRun[ScoreSettings]) -> Update:
    """Score the whole trajectory: the restated problem, the reasoning, what the tools behind it
    said. No scorer knows which tool wrote a step."""
    settings = run.settings
    scorer, cost = await scorer_of(run, settings, f"{run.branch}/score")
    ranking = Ranking(run.problem, scorer, settings.aggregate)
    first = (run.reframed,) if run.reframed else ()
    (lead,) = await ranking.scored([Path(first)])
    whole = Path((*first, *run.steps), (*lead.scores, *run.scores))
    (path,) = await ranking.scored([whole])
    value, scores = reward(path, settings.aggregate), list(path.scores)
    run.spent(cost())
    run.emit({"type": "score", "reward": value, "scores": scores, "source": scorer.name})
    return {
        "steps": list(path.steps),
        "scores": scores,
        "reward": value,
        "scorer": scorer.name,
        "notes": [*run.notes, *ranking.notes, *unscored(scorer, path)],
        "ledger": cost(),
    }


def accepts(scores: Sequence[float], value: float, threshold: float) -> bool:
    """Whether scores speak for a trajectory: no step below the threshold, R above 0.5.

    So nothing is accepted of which all that can be said is that nobody can tell.
    """
    return bool(scores) and min(scores) >= threshold and value > UNSURE


@node(ScoreSettings, IterationRun)
async def settle_iteration(run: IterationRun[ScoreSettings]) -> Update:
    """What this iteration came to, as one entry of ``samples``.

    An answer that is another than the one the domain reads in the trajectory is not accepted:
    scores speak for the trajectory. Nor is one that was read off an unfinished trajectory, or one
    with whose scores something went wrong: a step of which nothing readable was said is not passed.
    """
    settings, end, value, domain = run.settings, run.stream, run.reward, await run.domain()
    said, answer = answer_of(run, domain), run.answer
    if answer is not None and not domain.is_answer(run.problem, answer):
        answer = None if run.cut_short else said
    # whether a high score says that somebody judged
    tells = settings.scored_by != "rules" or settings.unread <= UNSURE
    status: Status = "unverified"
    reason = ""
    if run.cut_short and answer is not None:
        reason = f"{end.limit}; the answer was read off what there is"
    elif end.ended != "stop" or answer is None:
        status = "exhausted"
        reason = unfinished(end) if end.ended in UNFINISHED else "no answer found"
    elif value is not None:
        reason = f"R = {value:.3f} by {run.scorer}"
        if run.notes:
            reason += f"; {run.notes[0]}"
        if said and not await equal_of(domain, run.problem, said, answer):
            reason += f"; the trajectory says {said}"
        elif tells and not run.notes and accepts(run.scores, value, settings.accept):
            status = "accepted"
    shown = ("plan", "tools", "compute", "how", "scores", "reward", "notes")
    sample = Sample(
        branch=run.branch,
        answer=answer if status != "exhausted" else None,
        status=status,
        reason=reason,
        candidate=(answer or said) if status == "exhausted" else None,
        error=end.error,
        corrections=0,
        judged=[],
        operations=run.operations,
        more={"steps": run.steps} | {name: run.channels.get(name) for name in shown},
    )
    return {"samples": [sample.plain()]}


@node(ScoreSettings)
async def select_iteration(run: Run[ScoreSettings]) -> Update:
    """Set ``result``: the answer of the iteration with the highest R, or of the first one.

    Iterations without an answer are passed over. Of equals the one with the smallest number is
    taken, whichever came in first (adaptive, equation 2).
    """
    samples = run.samples
    answered = [one for one in samples if one.answer is not None]
    known = [one for one in samples if one.candidate is not None]
    pool = answered or known or samples
    chosen = pool[0] if run.settings.select_by == "first" else max(pool, key=_worth)
    reason = chosen.reason
    if len(samples) > 1:
        which = f"iteration {chosen.branch + 1} of {len(samples)}"
        reason = ": ".join(filter(None, [which, reason]))
    outcome = Outcome(chosen.answer, chosen.status, reason, chosen.candidate, chosen.error)
    return {"operations": chosen.operations[1:]} | await last_word(run, outcome)


def _worth(sample: Sample) -> float:
    value = sample.more["reward"]
    return -1.0 if value is None else float(value)
