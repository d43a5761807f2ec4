"""The budget of a run: what all its models together may generate, take and cost.

One object is shared by everything that asks a model in a run. It counts what comes on our side, so
that no server has to keep to what it was asked for.
"""

from __future__ import annotations

import asyncio
from collections.abc import (
    AsyncGenerator,
    AsyncIterator,
    Callable,
    Iterable,
    Iterator,
    Mapping,
)
from contextlib import aclosing, asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Any

from agentflow import ledger
from agentflow.errors import AgentflowError, BadInput, Exhausted, unread
from agentflow.models.model import Finish, Model, Request, Token
from agentflow.models.observed import observed
from agentflow.models.pace import ROLES, Pace
from agentflow.models.prefix_cache import Reuse, rereads
from agentflow.prices import MILLION, Price, price_of

_ROUNDED = 1e-6
"""Of a token's price, what sums may miss."""


BESIDE: ContextVar[object] = ContextVar("BESIDE", default=None)
"""The stream beside which a node asks models: that of its own solver."""


@dataclass(frozen=True, slots=True, eq=False)
class _Held:
    """What a request may yet turn out to have taken.

    Attributes:
        tokens, cost: Generated tokens, and dollars for them.
        owner: The stream that it is for; None for none.
    """

    tokens: int
    cost: float
    owner: object


@dataclass(slots=True)
class Budget:
    """What a run may still use. Without limits it only counts.

    Attributes:
        max_tokens: Generated tokens of all roles, wasted ones included; None for no limit.
        seconds: Of the run's clock, which stands still while a thread waits to be resumed.
        max_cost: Dollars; what a model costs is said by ``prices``.
        prices: The user's, by the model's name.
        prompt, generated, cost: Tokens of prompts, generated tokens and dollars so far; also those
            of calls that never come to their end, which no ledger has.
        held: What requests under way may yet turn out to have taken: a server that keeps thinking
            back says behind the last token how much it was.
        over: Which limit cut something short, in words; empty as long as none did.
        entries: What was asked of counted models, also by nodes that failed and so wrote nothing.
        reuse: What each server's prefix cache was worth, by its model's name.
        pace: What the checks of the run's streams took.
        finished: Numbers of samples side by side that came to their end, where they run a race.
        told: What models said that were asked as tools, by what they were asked.
        keep: Is told the entry of each call that ends, where a thread keeps them.
    """

    max_tokens: int | None = None
    seconds: float | None = None
    max_cost: float | None = None
    prices: Mapping[str, Price] = field(default_factory=dict)
    prompt: int = 0
    generated: int = 0
    cost: float = 0.0
    held: list[_Held] = field(default_factory=list)
    over: str = ""
    entries: ledger.Entries = field(default_factory=dict)
    reuse: dict[str, Reuse] = field(default_factory=dict)
    pace: Pace = field(init=False)
    finished: set[int] = field(default_factory=set)
    told: dict[Any, dict[str, Any]] = field(default_factory=dict)
    keep: Callable[[ledger.Entries], None] | None = None
    _freed: asyncio.Event = field(init=False, default_factory=asyncio.Event)
    _begun: float = field(default_factory=lambda: monotonic())  # the clock's, if that is replaced

    def __post_init__(self) -> None:
        self.pace = Pace(lambda: self.clock)

    def resumed(self, entries: Mapping[str, Mapping[str, Any]]) -> Budget:
        """This budget, less what a ledger says was used before."""
        before = ledger.total(entries)
        self.prompt += before.prompt
        self.generated += before.generated
        self.cost += before.cost
        self._begun -= before.until
        checks = (one["seconds"] for one in entries.values() if one["role"] in ROLES)
        self.pace.seconds += sum(checks)
        return self

    def reads_again(self) -> Iterator[str]:
        """What is to be said, once, of servers whose prefix cache does not work."""
        for server, one in self.reuse.items():
            if not (one.works or one.told):
                one.told = True
                yield rereads(server, one.known, one.cached)

    def to_read(self, model: str, prompt: int) -> int:
        """Tokens that a model's server is likely to read for a check on a prompt: all of it where
        its cache does not work; else 0, for what is behind the prefix is short."""
        known = self.reuse.get(model)
        return 0 if known is None or known.works else prompt

    @property
    def clock(self) -> float:
        """Seconds that the run has taken so far."""
        return monotonic() - self._begun

    @property
    def seconds_left(self) -> float | None:
        """Seconds that it may still take, below 0 where it took too many; None for any number."""
        return None if self.seconds is None else self.seconds - self.clock

    @property
    def spent(self) -> str:
        """Which limit is reached, in words; empty for none."""
        if self.max_tokens is not None and self.generated >= self.max_tokens:
            return self.used_up
        if self.max_cost is not None and self.cost >= self.max_cost:
            return self.poor
        left = self.seconds_left
        return self.late if left is not None and left <= 0 else ""

    @property
    def used_up(self) -> str:
        """What a run is told whose tokens are spent."""
        return f"the budget of {self.max_tokens:,} tokens is spent"

    @property
    def late(self) -> str:
        """What a run is told whose time is over."""
        return f"the time limit of {self.seconds} s is over"

    @property
    def poor(self) -> str:
        """What a run is told whose money is spent."""
        return f"the budget of {self.max_cost:g} dollars is spent"

    def price(self, model: str) -> Price:
        """What a model costs; nothing where that is not known and no costs are limited.

        Raises:
            BadInput: If they are limited, and it is not known.
        """
        found = price_of(model, self.prices)
        if found is None and self.max_cost is not None:
            raise BadInput(
                f"max_cost needs the price of {model!r}, in dollars per million tokens: set "
                f'prices = {{"{model}" = {{prompt = 1.0, generated = 2.0}}}}, with its own numbers'
            )
        return found or Price()

    def priced(self, model: str, entry: ledger.Entry) -> ledger.Entry:
        """The ledger's entry for what was asked of a model, with its price, at this time."""
        dollars = self.price(model).of(entry.prompt, entry.cached, entry.generated)
        return replace(entry, cost=dollars, until=self.clock)

    def note(self, call_id: str, entry: ledger.Entry) -> None:
        """Note a call that has ended: its node may fail, and then writes nothing."""
        noted = ledger.record(call_id, entry)
        self.entries |= noted
        if self.keep is not None:
            self.keep(noted)

    def use(self, entry: ledger.Entry) -> None:
        """Take off a call that was not streamed."""
        self.prompt += entry.prompt
        self.generated += entry.generated
        self.cost += entry.cost

    @asynccontextmanager
    async def in_time(self) -> AsyncIterator[None]:
        """Ends what is waited for within when the run's time is over.

        Raises:
            Exhausted: If it is over meanwhile.
        """
        try:
            async with asyncio.timeout(self.seconds_left) as limit:
                yield
        except TimeoutError as error:
            if not limit.expired():
                raise
            self.over = self.late
            raise Exhausted(self.late) from error

    @asynccontextmanager
    async def in_limits(self) -> AsyncIterator[None]:
        """As :meth:`in_time`, for what is begun only where no limit is reached yet.

        Raises:
            Exhausted: If one is, or the time is over meanwhile.
        """
        if over := self.spent:
            self.over = over
            raise Exhausted(over)
        async with self.in_time():
            yield

    @asynccontextmanager
    async def admitted(
        self, model: Model, request: Request, owner: object = None, *, streamed: bool = True
    ) -> AsyncIterator[Request | None]:
        """The request with no more tokens than are left; None where it is not to be made.

        Where a request beside it may yet turn out to have taken what is missing, this waits until
        that has ended. What a monitor asks beside its own stream (:data:`BESIDE`) does not: the
        stream may be waiting for it. It may have what no other stream holds.

        Args:
            owner: The solver's stream that the request is for; None for other requests.
            streamed: Whether its tokens are told as they come, where the model tells them.

        Raises:
            BadInput: If costs are limited, and the model has no price.
        """
        admitted = await self._admit(model.name, request, owner)
        if admitted is None:
            yield None
            return
        tells = streamed and model.capabilities.exact_prefix  # each token as it comes
        each = self.price(model.name).generated / MILLION
        most = 0 if tells else admitted.max_tokens
        held = _Held(most, most * each, owner)
        self.held.append(held)
        try:
            yield admitted
        finally:
            self.held.remove(held)
            freed, self._freed = self._freed, asyncio.Event()
            freed.set()

    async def _admit(self, model: str, request: Request, owner: object) -> Request | None:
        """The request as :meth:`admitted` gives it, once nothing is to be waited for."""
        stream = BESIDE.get() if owner is None else None
        while True:
            held = [one for one in self.held if stream is None or one.owner is not stream]
            most = self._room(model, request, held)
            if most == self._room(model, request, ()) or stream is not None or self.spent:
                break
            try:
                async with self.in_time():
                    await self._freed.wait()
            except Exhausted:
                return None
        if most < 1 or self.spent:
            self.over = self.spent or (self.used_up if self.max_cost is None else self.poor)
            return None
        return request if most == request.max_tokens else replace(request, max_tokens=most)

    def _room(self, model: str, request: Request, held: Iterable[_Held]) -> int:
        """How many tokens a request may have, beside those that ``held`` may yet take."""
        price, most = self.price(model), request.max_tokens
        if self.max_tokens is not None:
            most = min(most, self.max_tokens - self.generated - sum(one.tokens for one in held))
        if self.max_cost is not None and (each := price.generated / MILLION):
            left = self.max_cost - self.cost - sum(one.cost for one in held)
            most = min(most, int((left - price.of(request.length, 0, 0)) / each + _ROUNDED))
        return most

    async def stream(
        self, model: Model, request: Request, *, timed: bool = True
    ) -> AsyncGenerator[Token | Finish, None]:
        """The model's stream, ended with the reason ``length`` where a limit is reached.

        Args:
            request: One that :meth:`admitted` gave.
            timed: Whether to end it when the run's time is over; else the caller does.
        """
        seconds = self.seconds if timed else None
        price, guess = self.price(model.name), request.length
        counted = 0
        charged, each = price.of(guess, 0, 0), price.generated / MILLION
        self.prompt += guess
        self.cost += charged

        def settle(told: Finish) -> None:
            prompt = guess if told.prompt is None else told.prompt
            self.prompt += prompt - guess
            self.cost += price.of(prompt, told.cached or 0, 0) - charged
            if told.generated is not None:  # pieces are not tokens, and some are hidden
                self.generated += told.generated - counted
                self.cost += (told.generated - counted) * each

        async with aclosing(observed(model, request)) as stream:
            while True:
                try:
                    if seconds is None:
                        item = await anext(stream)
                    else:
                        async with asyncio.timeout(seconds - self.clock):
                            item = await anext(stream)
                except StopAsyncIteration:
                    return
                except AgentflowError as error:
                    if error.told is not None:
                        settle(error.told)
                    elif unread(error, counted):
                        self.prompt -= guess
                        self.cost -= charged
                    raise
                except TimeoutError:
                    if seconds is None or self.clock < seconds:
                        raise
                    self.over = self.late
                    yield Finish("length")
                    return
                if isinstance(item, Finish):
                    self.reuse.setdefault(model.name, Reuse()).take(request.known, item.cached)
                    settle(item)
                    if item.reason == "length":
                        self.over = self.over or self.spent
                    yield item
                    continue
                if over := self._over(each, seconds):
                    self.over = over
                    yield Finish("length")
                    return
                self.generated += item.generated
                counted += item.generated
                self.cost += item.generated * each
                yield item

    def _over(self, each: float, seconds: float | None) -> str:
        """Which limit forbids one more token, that costs ``each``; empty for none."""
        if self.max_tokens is not None and self.generated >= self.max_tokens:
            return self.spent
        if self.max_cost is not None and self.cost + (1 - _ROUNDED) * each > self.max_cost:
            return self.poor
        return self.late if seconds is not None and self.clock >= seconds else ""


SHARED_KEY = "__agentflow_shared"
"""Key under ``config["configurable"]`` for the :class:`Shared` of a run without a budget. Keys with
such a beginning are not written to checkpoints."""


@dataclass(slots=True)
class Shared:
    """The budget of a run that nobody gave one: its first node makes it, the others find it."""

    budget: Budget | None = None

    def of(self, make: Callable[[], Budget]) -> Budget:
        """The run's budget."""
        self.budget = self.budget or make()
        return self.budget

    def __reduce__(self) -> tuple[type[Shared], tuple[()]]:
        """Written down or copied it is a new one: a run that goes on counts by its ledger."""
        return Shared, ()
