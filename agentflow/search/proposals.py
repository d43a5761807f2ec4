"""An expander that has a model propose next thoughts (Tree of Thoughts; interwhen, section 5.3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from pydantic import Field

from agentflow import prompts
from agentflow.models.metered import Metered
from agentflow.models.structured import Reply, ask_json
from agentflow.profile import Sampling
from agentflow.search.path import Path
from agentflow.settings import request_seed

FOLDER = "tree_of_thoughts"
"""Folder of the prompts."""


class Thoughts(Reply):
    """What a proposer says: next thoughts, each alone, the best first."""

    thoughts: list[str] = Field(max_length=64)


@dataclass(frozen=True, slots=True)
class ThoughtExpander:
    """Asks for the next thoughts behind a path, all in one reply.

    See :class:`~agentflow.search.interfaces.Stepper`. A step is a thought and the end of its line;
    a path whose last thought proposes an answer is done. Of thoughts that are the same one is kept,
    and none that spells a marker of the model's.

    Attributes:
        model: Who proposes; its entries are the ledger's.
        problem: The problem as its prompt puts it.
        answers: Whether a thought proposes an answer.
        problem_id: Takes part in the seeds of requests.
        seed: Seed of the run.
        sampling: None for the model's profile's.
        tokens: Most tokens of a reply.
        cache: Whether the engine may reuse a cached prefix.
        think: Whether the model thinks first.
    """

    model: Metered
    problem: str
    answers: Callable[[str], bool]
    problem_id: str
    seed: int = 0
    sampling: Sampling | None = None
    tokens: int = 1024
    cache: bool = True
    think: bool = False

    async def expand(self, path: Path, n: int, *place: str | int) -> list[Path]:
        """At most ``n`` continuations; none where no thought can be read.

        Raises:
            ModelUnavailable, StreamBroken: If the model does not answer.
        """
        if path.done:
            return []
        fields = {"problem": self.problem, "steps": shown(path), "count": n}
        prompt = await prompts.rendered(FOLDER, "propose", self.model.profile, fields)
        reply = await ask_json(
            self.model,
            prompt,
            Thoughts,
            Thoughts(thoughts=[]),
            tokens=self.tokens,
            sampling=self.sampling,
            seed=request_seed(self.seed, self.problem_id, self.model.role, *place),
            cache=self.cache,
            think=self.think,
        )
        markers = self.model.profile.markers
        texts = [thought.strip() for thought in reply.value.thoughts]
        plain = [text for text in texts if text and not any(marker in text for marker in markers)]
        distinct = list(dict.fromkeys(plain))[:n]
        return [
            replace(path, steps=(*path.steps, f"{text}\n"), done=self.answers(text))
            for text in distinct
        ]


def shown(path: Path) -> str:
    """The thoughts so far, as a prompt shows them."""
    return path.text.strip() or "(none yet)"
