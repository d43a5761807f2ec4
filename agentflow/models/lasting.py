"""A stream that outlasts broken connections and killed processes."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing, asynccontextmanager, nullcontext
from dataclasses import replace
from functools import partial

from agentflow.backoff import attempts
from agentflow.errors import ModelUnavailable, passing, put_off
from agentflow.models.budget import Budget
from agentflow.models.count import Count
from agentflow.models.journal import Journal, Recovered
from agentflow.models.model import Finish, Model, Request, Token
from agentflow.models.turns import SEAM
from agentflow.profile import Profile
from agentflow.settings import request_seed


class LastingStream:
    """One stream of a model, continued where it breaks.

    What came is never asked for again: the rest is asked for with a prompt that ends in it. With a
    journal that also holds for the tokens of a process that was killed. A model that only answers
    messages is shown what came, up to the line that broke off, and goes on in a new turn.

    Args:
        model: Where the stream comes from.
        journal: Where tokens are kept; None to keep none.
        retries: How often a stream that broke, or never began, is asked for again.
        reconnect: Finds the model again after a break.
        budget: The run's, where the model does not see to it itself.

    Attributes:
        counts: The tokens of each request made, those of a killed process included; tokens that
            such a process received count with its last one.
    """

    def __init__(
        self,
        model: Model,
        *,
        journal: Journal | None = None,
        retries: int = 0,
        reconnect: Callable[[], Awaitable[Model]] | None = None,
        budget: Budget | None = None,
    ) -> None:
        self.model = model
        able = model.capabilities.continues or model.capabilities.turns
        self.journal = journal if able else None
        self.retries = retries
        self.reconnect = reconnect
        self.budget = budget
        self._name = model.name  # a client may learn another one when it finds its server again
        self._known: Recovered | None = None
        self.counts: list[Count] = []

    @property
    def profile(self) -> Profile:
        return self.model.profile

    async def recover(self, request: Request) -> None:
        """Read what the journal holds of the stream.

        :meth:`stream` does it where it was not done. Done before, a stream that is watched waits
        for the model alone, and verdicts come in at the same tokens with a journal as without.

        Raises:
            BadInput: If the journal cannot be kept.
        """
        self._known = Recovered()
        if self.journal:
            self._known = await self.journal.recover(_key(self.model, request))

    async def stream(self, request: Request) -> AsyncGenerator[Token | Finish, None]:
        """The tokens, then one :class:`Finish`.

        Raises:
            ModelUnavailable, StreamBroken: If it broke more often than it may be continued.
            BadInput: If the journal cannot be kept.
        """
        if self._known is None:
            await self.recover(request)
        known, self._known = self._known or Recovered(), None
        guess = int(isinstance(request.prompt, str))
        tokens = known.tokens
        self.counts = [Count(prompt, estimated=guess) for prompt in known.prompts]
        came = sum(token.generated for token in tokens if token.text != SEAM)
        if self.counts:
            self.counts[-1].generated = came
        if self.budget:
            self.budget.generated += came
        for token in list(tokens):
            yield token
            await asyncio.sleep(0)  # verdicts come in as they would from a live stream
        if known.finish is not None:
            if self.counts:
                self.counts[-1].take(known.finish)
            yield known.finish
            return
        async with self.journal.flushing() if self.journal else nullcontext():
            async for attempt in attempts(self.retries + 1, partial(self._goes_on, tokens)):
                with attempt:
                    if attempt.retry_state.attempt_number > 1:
                        await self._find_again()
                    if (seam := self._seam(tokens)) is not None:
                        tokens.append(seam)
                        if self.journal:
                            self.journal.token(seam)
                        yield seam
                    async with aclosing(self._rest(request, tokens)) as rest:
                        async for item in rest:
                            yield item

    async def _rest(
        self, request: Request, tokens: list[Token]
    ) -> AsyncGenerator[Token | Finish, None]:
        """One request for what follows ``tokens``, which grow."""
        rest = _behind(request, tokens)
        async with self._admitted(rest) as asked:
            if asked is None:  # what is not asked costs nothing
                yield Finish("length", self.counts[-1].prompt if self.counts else 0)
                return
            count = Count(rest.length, estimated=int(isinstance(rest.prompt, str)))
            self.counts.append(count)
            before = len(tokens)
            if self.journal:
                self.journal.request(rest.length)
            async with aclosing(count.of(asked)) as stream:
                async for item in stream:
                    if isinstance(item, Finish):
                        if item.generated is not None:
                            item = item._replace(generated=before + item.generated)
                        if self.journal:
                            self.journal.finish(item)
                            await self.journal.flush()
                    else:
                        tokens.append(item)
                        if self.journal:
                            self.journal.token(item)
                    yield item

    @asynccontextmanager
    async def _admitted(
        self, request: Request
    ) -> AsyncIterator[AsyncGenerator[Token | Finish, None] | None]:
        """The stream of a request, which nobody has asked for yet; None where nothing is wanted, or
        the run's budget has no room for it."""
        if request.max_tokens < 1:
            yield None
        elif self.budget is None:
            yield self.model.stream(request)
        else:
            async with self.budget.admitted(self.model, request, self) as admitted:
                if admitted is None:
                    yield None
                else:
                    yield self.budget.stream(self.model, admitted, timed=False)

    def _seam(self, tokens: Sequence[Token]) -> Token | None:
        """What ends a line that broke off, where the model goes on by a new turn: it writes that
        line anew, and two halves that were read as one could say what nobody said."""
        if self.model.capabilities.continues or not tokens:
            return None
        text = "".join(token.text for token in tokens)
        markers = filter(None, (self.profile.think_open, self.profile.think_close))
        return None if text.endswith(("\n", *markers)) else Token(SEAM)

    def _goes_on(self, tokens: Sequence[Token], error: BaseException) -> bool:
        """Whether the rest behind ``tokens`` can be asked for after an error."""
        again: int = getattr(self.model, "retries", 0)
        if put_off(error) and again:
            return False  # it has asked again by itself
        able = self.model.capabilities.continues or self.model.capabilities.turns
        return passing(error) and (able or not tokens)

    async def _find_again(self) -> None:
        found = self.model if self.reconnect is None else await self.reconnect()
        if found.name != self._name:
            raise ModelUnavailable(
                f"{self._name} fell away while it was streaming, and the fallback serves "
                f"{found.name}, which cannot go on from its tokens; run again"
            )
        self.model = found


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
        known=0,  # it may be another server by now
    )


def _key(model: Model, request: Request) -> str:
    """What makes a journal's tokens those of this request; how many are wanted does not matter."""
    what = (model.name, request.prompt, request.sampling, request.seed)
    return hashlib.blake2b(repr(what).encode(), digest_size=16).hexdigest()
