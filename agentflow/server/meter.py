"""What a run asks of its models, counted as it passes: also calls that never come to their end,
which no ledger has."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, cast, get_args

from agentflow.models import Finish, Model, Request, Token
from agentflow.models.reward import Rewards
from agentflow.nodes.context import connected
from agentflow.settings import Role, Settings


class Meters(Mapping[Role, Model]):
    """A run's models by role; what they stream is counted.

    Args:
        settings: Say which servers a role has.
        model: Takes the place of all of them.

    Attributes:
        prompt: Tokens of prompts.
        generated: Tokens that came.
    """

    def __init__(self, settings: Settings, model: Model | None = None) -> None:
        self._settings, self._model = settings, model
        self.prompt = self.generated = 0

    def __getitem__(self, role: Role) -> Model:
        return cast(Model, _Counted(self, role))

    def __iter__(self) -> Iterator[Role]:
        return iter(get_args(Role))

    def __len__(self) -> int:
        return len(get_args(Role))

    async def connect(self, role: Role) -> Model:
        """The model of a role, as a run without meters would have it."""
        if self._model is not None:
            await self._model.open()
            return self._model
        return await connected(self._settings, role)


@dataclass(slots=True, eq=False)
class _Counted:
    """A role's model once it is open; it passes for the model's own class, for that tells nodes
    what else it can do (native calls, say), and what is not counted here goes to the model."""

    meters: Meters
    role: Role
    model: Model | None = None

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        return _Counted if self.model is None else self.model.__class__

    def __getattr__(self, name: str) -> Any:
        return getattr(self._opened, name)

    @property
    def _opened(self) -> Model:
        assert self.model is not None, "nodes open a model before they use it"
        return self.model

    async def open(self) -> None:
        self.model = await self.meters.connect(self.role)

    async def close(self) -> None:
        """Nothing: the model is not the run's own."""

    async def rewards(self, problem: str, steps: Sequence[str]) -> Rewards:
        """A reward model's, counted."""
        inner: Any = self._opened
        found: Rewards = await inner.rewards(problem, steps)
        self.meters.prompt += found.prompt
        return found

    async def stream(self, request: Request) -> AsyncGenerator[Token | Finish, None]:
        """The model's stream, counted."""
        known, counted = request.length, 0
        self.meters.prompt += known
        async with aclosing(self._opened.stream(request)) as stream:
            async for item in stream:
                if not isinstance(item, Finish):
                    self.meters.generated += 1
                    counted += 1
                else:
                    if item.prompt:
                        self.meters.prompt += item.prompt - known
                    if item.generated is not None:
                        self.meters.generated += item.generated - counted
                yield item
