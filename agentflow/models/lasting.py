"""A stream that outlasts broken connections and killed processes."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing, nullcontext
from dataclasses import replace

from agentflow.errors import ModelUnavailable, StreamBroken
from agentflow.models.journal import Journal, Recovered
from agentflow.models.protocol import Finish, Model, Request, Token
from agentflow.profile import Profile
from agentflow.settings import request_seed

_FIRST_WAIT = 0.5
"""Seconds before the first continuation; doubled for each further one."""


class LastingStream:
    """One stream of a model, continued where it breaks.

    What came is never asked for again: the rest is asked for with a prompt that ends in it. With a
    journal that also holds for the tokens of a process that was killed.

    Args:
        model: Where the stream comes from.
        journal: Where tokens are kept; None to keep none.
        retries: How often a stream that broke, or never began, is asked for again.
        reconnect: Finds the model again after a break.

    Attributes:
        calls: Requests made, those of a killed process included.
        repeated: Prompt tokens of all requests but the last.
    """

    def __init__(
        self,
        model: Model,
        *,
        journal: Journal | None = None,
        retries: int = 0,
        reconnect: Callable[[], Awaitable[Model]] | None = None,
    ) -> None:
        self.model = model
        self.journal = journal if model.capabilities.continues else None
        self.retries = retries
        self.reconnect = reconnect
        self._prompts: list[int] = []

    @property
    def profile(self) -> Profile:
        return self.model.profile

    @property
    def calls(self) -> int:
        return len(self._prompts)

    @property
    def repeated(self) -> int:
        return sum(self._prompts[:-1])

    async def stream(self, request: Request) -> AsyncGenerator[Token | Finish, None]:
        """The tokens, then one :class:`Finish`.

        Raises:
            ModelUnavailable, StreamBroken: If it broke more often than it may be continued.
        """
        known = await self.journal.recover(_key(self.model, request)) if self.journal else None
        known = known or Recovered()
        tokens, self._prompts = known.tokens, known.prompts
        for token in list(tokens):
            yield token
            await asyncio.sleep(0)  # verdicts come in as they would from a live stream
        if known.finish is not None:
            yield known.finish
            return
        async with self.journal.flushing() if self.journal else nullcontext():
            for attempt in range(self.retries + 1):
                try:
                    if attempt:
                        await self._find_again(attempt)
                    async with aclosing(self._rest(request, tokens)) as rest:
                        async for item in rest:
                            yield item
                    return
                except (ModelUnavailable, StreamBroken):
                    lost = bool(tokens) and not self.model.capabilities.continues
                    if lost or attempt == self.retries:
                        raise

    async def _rest(
        self, request: Request, tokens: list[Token]
    ) -> AsyncGenerator[Token | Finish, None]:
        """One request for what follows ``tokens``, which grow."""
        rest = _behind(request, tokens)
        if rest.max_tokens <= 0:
            yield Finish("length", len(rest.prompt))
            return
        self._prompts.append(len(rest.prompt))
        if self.journal:
            self.journal.request(len(rest.prompt))
        async with aclosing(self.model.stream(rest)) as stream:
            async for item in stream:
                if isinstance(item, Finish):
                    if self.journal:
                        self.journal.finish(item)
                        await self.journal.flush()
                else:
                    tokens.append(item)
                    if self.journal:
                        self.journal.token(item)
                yield item

    async def _find_again(self, attempt: int) -> None:
        await asyncio.sleep(_FIRST_WAIT * 2 ** (attempt - 1))
        name = self.model.name
        if self.reconnect is not None:
            self.model = await self.reconnect()
        if self.model.name != name:
            raise ModelUnavailable(
                f"{name} fell away while it was streaming, and the fallback serves "
                f"{self.model.name}, which cannot go on from its tokens; run again"
            )


def _behind(request: Request, tokens: Sequence[Token]) -> Request:
    """The request for what follows ``tokens``."""
    if not tokens:
        return request
    prompt: tuple[int, ...] | str
    if isinstance(request.prompt, str):
        prompt = request.prompt + "".join(token.text for token in tokens)
    else:
        prompt = request.prompt + tuple(token.id for token in tokens if token.id is not None)
    return replace(
        request,
        prompt=prompt,
        max_tokens=request.max_tokens - len(tokens),
        seed=request_seed(request.seed, len(tokens)),
    )


def _key(model: Model, request: Request) -> str:
    """What makes a journal's tokens those of this request; how many are wanted does not matter."""
    what = (model.name, request.prompt, request.sampling, request.seed)
    return hashlib.blake2b(repr(what).encode(), digest_size=16).hexdigest()
