"""The tokens of one request, as far as they are known, however it ends."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing, contextmanager
from dataclasses import dataclass

from agentflow.errors import AgentflowError, unread
from agentflow.models.model import Finish, Token


@dataclass(slots=True)
class Count:
    """Tokens of one request, as far as they are known.

    Attributes:
        prompt, cached, generated, reasoning: As of :class:`~agentflow.ledger.Entry`.
        estimated: 1 where the prompt's are a guess, else 0.
    """

    prompt: int = 0
    cached: int = 0
    generated: int = 0
    reasoning: int = 0
    estimated: int = 0

    def take(self, told: Finish) -> None:
        """What the server told at the end."""
        if told.prompt is not None:
            self.prompt, self.estimated = told.prompt, 0
        if told.generated is not None:
            self.generated = told.generated
        self.cached, self.reasoning = told.cached or 0, told.reasoning

    async def of(
        self, stream: AsyncGenerator[Token | Finish, None]
    ) -> AsyncGenerator[Token | Finish, None]:
        """The request's stream, counted as it comes, also where it fails."""
        with self.failing():
            async with aclosing(stream):
                async for item in stream:
                    if isinstance(item, Finish):
                        self.take(item)
                    else:
                        self.generated += item.generated
                    yield item

    @contextmanager
    def failing(self) -> Iterator[None]:
        """Count a request that fails within by what the server told; one that it does not take
        costs no prompt."""
        try:
            yield
        except AgentflowError as error:
            if error.told is not None:
                self.take(error.told)
            elif unread(error, self.generated):
                self.prompt = self.estimated = 0
            raise
