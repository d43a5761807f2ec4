"""A model that counts what it is asked: the ledger of probes, roll-outs, judges and the like."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import aclosing, asynccontextmanager, contextmanager
from dataclasses import asdict, dataclass, field
from time import monotonic
from typing import TYPE_CHECKING

from agentflow import ledger
from agentflow.backoff import attempts
from agentflow.errors import put_off
from agentflow.models.budget import Budget
from agentflow.models.count import Count
from agentflow.models.model import Capabilities, Finish, Model, Request, Token
from agentflow.models.observed import observed_call
from agentflow.profile import Piece, Profile

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage


@dataclass(slots=True)
class Metered:
    """A model under a role; every request adds an entry, also one that broke or was cancelled.

    A request that the run's budget has no room for is not made: its stream ends at once, like one
    that spent its tokens.

    Attributes:
        model: Who answers.
        role: Under which the ledger has it.
        place: Where in the run; entries are called ``role/place/number``.
        budget: The run's; by default one without limits.
        entries: The ledger's entries so far.
        retries: How often a request that a server puts off is made again.
    """

    model: Model
    role: str
    place: str
    budget: Budget = field(default_factory=Budget)
    entries: ledger.Entries = field(default_factory=dict)
    retries: int = 0

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def profile(self) -> Profile:
        return self.model.profile

    @property
    def capabilities(self) -> Capabilities:
        return self.model.capabilities

    async def open(self) -> None:
        await self.model.open()

    async def close(self) -> None:
        await self.model.close()

    async def tokenize(self, pieces: Sequence[Piece]) -> tuple[int, ...]:
        return await self.model.tokenize(pieces)

    def note(self, what: str) -> None:
        """Say in the ledger what became of a reply: an entry of no calls, named after it."""
        self.entries |= ledger.record(f"{self._next}/{what}", ledger.Entry(self.role, 0))

    async def stream(self, request: Request) -> AsyncGenerator[Token | Finish, None]:
        """The model's stream, counted and held to the run's budget; what a server puts off before
        it has begun is asked again, as often as ``retries`` says."""
        begun = False

        def worth(error: BaseException) -> bool:
            return put_off(error) and not begun

        async for attempt in attempts(self.retries + 1, worth):
            with attempt:
                async with aclosing(self._once(request)) as stream:
                    async for item in stream:
                        begun = True
                        yield item

    async def _once(self, request: Request) -> AsyncGenerator[Token | Finish, None]:
        async with self.budget.admitted(self.model, request) as admitted:
            if admitted is None:
                yield Finish("length")
                return
            guess = Count(request.length, estimated=int(isinstance(request.prompt, str)))
            with self._counted(guess) as count:
                asked = self.budget.stream(self.model, admitted)
                async with aclosing(count.of(asked)) as stream:
                    async for item in stream:
                        yield item

    @asynccontextmanager
    async def call(self, messages: Sequence[BaseMessage] = ()) -> AsyncIterator[Count]:
        """A request that is not streamed: the body makes it, and says what it took.

        Args:
            messages: What is asked, for whoever listens.

        Raises:
            Exhausted: If a limit of the run is reached, or its time is over meanwhile.
        """
        async with self.budget.in_limits():
            with self._counted(Count(), streamed=False) as count, count.failing():
                async with observed_call(self.model, messages) as call:
                    yield count
                    call.finish = Finish(
                        "stop", count.prompt, count.cached, (), count.generated, count.reasoning
                    )

    @contextmanager
    def _counted(self, count: Count, *, streamed: bool = True) -> Iterator[Count]:
        """Write an entry for one request, however it ends.

        Args:
            streamed: Whether the budget knows its tokens already.
        """
        key, started = self._next, monotonic()
        self.entries |= ledger.record(key, ledger.Entry(self.role))  # the number is taken
        try:
            yield count
        finally:
            took = ledger.Entry(self.role, seconds=monotonic() - started, **asdict(count))
            entry = self.budget.priced(self.model.name, took)
            if not streamed:
                self.budget.use(entry)
            self.entries |= ledger.record(key, entry)
            self.budget.note(key, entry)

    @property
    def _next(self) -> str:
        """The key of the next entry; of those before a kill some may be missing."""
        number = len(self.entries)
        while (key := f"{self.role}/{self.place}/{number}") in self.entries:
            number += 1
        return key


Ask = Callable[[str], Awaitable[Metered]]
"""Finds a model, its requests counted under a role of the ledger."""
