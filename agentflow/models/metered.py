"""A model that counts what it is asked: the ledger of probes, roll-outs, judges and the like."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from time import monotonic

from agentflow import ledger
from agentflow.models.budget import Budget
from agentflow.models.protocol import Capabilities, Finish, Model, Request, Token
from agentflow.profile import Piece, Profile


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
    """

    model: Model
    role: str
    place: str
    budget: Budget = field(default_factory=Budget)
    entries: ledger.Entries = field(default_factory=dict)

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
        key = f"{self.role}/{self.place}/{len(self.entries)}/{what}"
        self.entries |= ledger.record(key, ledger.Entry(self.role, 0))

    async def stream(self, request: Request) -> AsyncGenerator[Token | Finish, None]:
        """The model's stream, counted and held to the run's budget."""
        if self.budget.admit(self.model.name, request) is None:
            yield Finish("length")
            return
        key = f"{self.role}/{self.place}/{len(self.entries)}"
        self.entries |= ledger.record(key, ledger.Entry(self.role))  # the number is taken
        started, tokens, finish = monotonic(), 0, Finish("length")
        try:
            async with aclosing(self.budget.stream(self.model, request)) as stream:
                async for item in stream:
                    if isinstance(item, Finish):
                        finish = item
                    else:
                        tokens += 1
                    yield item
        finally:
            entry = self.budget.entry(
                self.role,
                self.model.name,
                1,
                request.length if finish.prompt is None else finish.prompt,
                finish.cached or 0,
                tokens if finish.generated is None else finish.generated,
                seconds=monotonic() - started,
                reasoning=finish.reasoning,
                estimated=int(finish.prompt is None and isinstance(request.prompt, str)),
            )
            self.entries |= ledger.record(key, entry)
            self.budget.entries |= ledger.record(key, entry)
