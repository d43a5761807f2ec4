"""Reflect: each action criticised and written anew before the path goes on (adaptive, B.5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from agentflow import prompts
from agentflow.ledger import Entries
from agentflow.models.model import segment
from agentflow.nodes.asking import ask_role, something
from agentflow.nodes.iteration import FOLDER, LONG, IterationRun
from agentflow.profile import Thinking
from agentflow.search import Path, TraceExpander
from agentflow.search.interfaces import step_by_step
from agentflow.settings import request_seed
from agentflow.together import together


@dataclass(slots=True)
class Reflecting:
    """An expander whose every step is an attempt, a critique of it, and the action refined by that.

    So the searches compare refined actions; the attempts are discarded, and their tokens wasted. An
    attempt stays where the refinement comes to nothing. See
    :class:`~agentflow.search.interfaces.Expander`.

    Attributes:
        run: The iteration, whose role verifier is the critic.
        inner: Who writes attempts and refinements.
        fields: Of both prompts, beside ``steps``, ``attempt`` and ``critique``.
        entries: What the critiques cost, by call.
    """

    run: IterationRun[Any]
    inner: TraceExpander
    fields: Mapping[str, str]
    entries: Entries = field(default_factory=dict)

    async def expand(self, path: Path, n: int, *place: str | int) -> list[Path]:
        """Raises what :meth:`TraceExpander.expand` does."""
        return await together(self._step(path, *place, i) for i in range(n))

    async def finish(self, path: Path, *place: str | int, steps: int | None = None) -> Path:
        """Action by action; raises what :meth:`expand` does."""
        return await step_by_step(path, lambda one: self._step(one, *place), steps)

    async def _step(self, path: Path, *place: str | int) -> Path:
        (attempt,) = await self.inner.expand(path, 1, *place)
        if len(attempt.steps) == len(path.steps):
            return attempt
        fields = {**self.fields, "attempt": attempt.steps[-1].strip()}
        fields["steps"] = path.text.strip() or "none yet"
        reply, entries = await ask_role(
            self.run,
            (FOLDER, "critique_action"),
            fields,
            something,
            "",
            counted_as="judge",
            tokens=LONG,
            number=1 + request_seed(0, *place, len(path.steps)),
        )
        self.entries |= entries
        model = self.inner.model
        fields["critique"] = reply.value.strip() or "none"
        system, user = await prompts.rendered(FOLDER, "refine_action", model.profile, fields)
        thinking: Thinking = "none" if model.capabilities.continues else "plain"
        pieces = model.profile.render(user, system, thinking=thinking)
        prompt = (await segment(model, "prompt", pieces)).operation()
        refined = await self.inner.behind(path, prompt, *place, "refine")
        if len(refined.steps) == len(path.steps):
            return attempt
        return replace(refined, done=attempt.done)
