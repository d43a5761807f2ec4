"""Tree of Thoughts: thoughts proposed, states valued, the best path the trace (interwhen, 5.3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any, Literal

from pydantic import Field

from agentflow.channels import StreamEnd
from agentflow.domains.protocol import Domain
from agentflow.errors import Exhausted
from agentflow.ledger import Entries
from agentflow.models.model import Model, segment
from agentflow.nodes.run import Run, Update, node
from agentflow.nodes.score import ScorerSettings, scorer_of
from agentflow.problem import Problem
from agentflow.profile import Piece
from agentflow.scorers import ValueScorer
from agentflow.search import Aggregate, Found, Path, Scorer, ThoughtExpander, beam, reward, unscored
from agentflow.settings import Few, Positive
from agentflow.trace import Operation
from agentflow.verifiers.walk import Walk


class TreeSettings(ScorerSettings):
    """Settings of tree_of_thoughts; the defaults are the paper's baseline."""

    critic: Literal["value", "state", "steps"] = Field(
        default="value",
        description="Who scores a state: value, a model (role verifier) that says likely, unlikely "
        "or impossible; state, a model (role verifier) that says whether the state is right (ToT "
        "with step verifier); steps, a verifier of its last step, which scorer names",
    )
    width: int = Field(
        default=2, ge=1, le=64, description="Paths that are kept, each with so many next thoughts"
    )
    depth: Few = Field(default=8, description="Most thoughts of a path")
    thought_tokens: Positive = Field(default=1024, description="Most tokens of a reply")

    @property
    def verifies_steps(self) -> bool:
        return self.critic == "steps" and self.scored_by == "rules"


@node(TreeSettings)
async def grow_tree(run: Run[TreeSettings]) -> Update:
    """Search for a path of thoughts to an answer; it becomes the trace.

    Raises:
        ModelUnavailable, StreamBroken: If a model does not answer.
        BadInput: If the scorer of steps is to be a reward model and the role prm is none.
    """
    settings, problem, budget = run.settings, run.problem, run.budget
    model, domain = await run.ask("solver", "solver", "tree"), await run.domain()
    text = "\n\n".join(filter(None, await run.prompt(model.profile)))
    expander = ThoughtExpander(
        model,
        text,
        lambda thought: proposes_answer(domain, problem, thought),
        problem.id,
        settings.seed,
        settings.sampling(model.profile),
        settings.thought_tokens,
        settings.shares_cache,
        "solver" in settings.think,
    )
    scorer, cost = await _critic(run, text)
    aggregate: Aggregate = settings.aggregate if settings.critic == "steps" else "last"
    found, limit = Found(Path(), ()), f"the depth of {settings.depth} thoughts is reached"
    try:
        async with budget.in_limits():
            found = await beam(
                problem,
                expander,
                scorer,
                settings.width,
                "tree",
                each=settings.width,
                aggregate=aggregate,
                max_steps=settings.depth,
            )
    except Exhausted:
        pass
    else:
        if len(found.best.steps) < settings.depth:
            limit = "the model proposed no thought to go on with"
    best, entries = found.best, model.entries | cost()
    run.emit({"type": "token", "text": best.text})
    run.spent(entries)
    worth: dict[str, Any] = {"reward": reward(best, aggregate), "scores": list(best.scores)}
    if notes := [*found.notes, *unscored(scorer, best)]:
        worth["notes"] = notes
    run.emit({"type": "score"} | worth | {"source": scorer.name})
    end = StreamEnd() if best.done else StreamEnd("length", limit=budget.over or limit)
    return {
        "operations": await _operations(model, run, best),
        "steps": list(best.steps),
        "stream_end": asdict(end),
        "ledger": entries,
    }


def proposes_answer(domain: Domain, problem: Problem, thought: str) -> bool:
    """Whether a thought has an answer line or a box.

    A whole reply may also end in a short line that is the answer (:meth:`Domain.answer`); a thought
    is often such a line without being one ("S position: (3,3)").
    """
    states = Walk(domain, problem).read(thought)
    return any(state.kind == "candidate" for state in states) and bool(domain.answer(thought))


async def _critic(run: Run[TreeSettings], text: str) -> tuple[Scorer, Callable[[], Entries]]:
    """Who scores, and what it has cost so far."""
    if run.settings.critic == "steps":
        return await scorer_of(run, run.settings, "tree")
    settings, judge = run.settings, await run.ask("verifier", "judge", "tree")
    scorer = ValueScorer(
        judge,
        text,
        settings.seed,
        cache=settings.shares_cache,
        think="verifier" in settings.think,
        critic=settings.critic == "state",
    )
    return scorer, lambda: judge.entries


async def _operations(model: Model, run: Run[TreeSettings], path: Path) -> list[Operation]:
    """The path behind the prompt: its thoughts as the thinking, the last one as the answer."""
    trace, close = run.trace, model.profile.think_close
    *thinking, answer = path.steps if path.done else (*path.steps, "")
    parts = [Piece("".join(thinking))]
    if path.done:
        parts += [Piece(close, special=True), Piece("\n")] if close else []
        parts.append(Piece(answer))
    kept = [part for part in parts if part.text]
    done = len(trace.operations)
    for part in kept:
        trace.append(await segment(model, "marker" if part.special else "generated", [part]))
    return trace.operations[done:]
