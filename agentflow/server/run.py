"""One run for a client: its limits, what it costs, and that nothing of it outlasts the client."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import islice
from math import ceil
from typing import Any, TypeVar

from starlette.types import Receive

from agentflow import domains
from agentflow.api import astream
from agentflow.arguments import arguments_of, settings_for
from agentflow.conversation import is_several
from agentflow.errors import AgentflowError, BadInput, MissingCapability, Unfit
from agentflow.ledger import Entries, Entry, record, total
from agentflow.models.budget import Budget
from agentflow.nodes.context import new_budget
from agentflow.run import Result
from agentflow.server.access import Account
from agentflow.server.offers import Offer
from agentflow.server.reasoning import Delta, Reasoning
from agentflow.server.refused import Refused
from agentflow.server.requested import GenerationRequest
from agentflow.server.results import Ended
from agentflow.server.settings import ServeSettings
from agentflow.server.stream import ClientGone

_CAPABILITIES = {
    "log-probabilities": "log-probabilities",
    "tokenizer": "a tokenizer",
    "continue": "continuing a text of ours",
}
"""What a model may lack, by what the error says, which may also name a file of the operator's."""

_SEVERAL = "; all messages are read as one problem: this domain needs the user's alone"
_COME_AGAIN = 5
"""Seconds after which a client is to ask again, where the model's server does not say."""

T = TypeVar("T")
Send = Callable[[Delta], Awaitable[None]]


@dataclass(slots=True)
class Run:
    """A method solving a client's problem.

    Attributes:
        offer: What the client chose.
        problem: The problem's text.
        settings: The operator's settings with the client's.
        account: Whom it is charged to.
        entries: The ledger so far; of a run that was cut off, what its budget has beside.
    """

    offer: Offer
    problem: str
    settings: dict[str, Any]
    account: Account
    entries: Entries = field(default_factory=dict)

    @property
    def seed(self) -> int:
        """The run's seed."""
        return int(self.settings["seed"])

    def ended(self, result: Result) -> Ended:
        """The run with what it came to."""
        most = self.settings.get("max_tokens")
        return Ended(result, self.seed, most is not None and self.cost.generated >= most)

    @property
    def cost(self) -> Entry:
        """What it cost so far."""
        return total(self.entries)

    async def result(self, send: Send | None = None) -> Result:
        """Run to the end, or until the key's seconds are over; the thinking goes to ``send``.

        Raises:
            Refused: If the problem is none of the domain's (400) or the model cannot be used (503).
        """
        reasoning, problem, method = Reasoning(), self.problem, self.offer.method
        async with (
            self.asking() as arguments,
            aclosing(astream(problem, method, **arguments)) as stream,
        ):
            async for item in stream:
                if isinstance(item, Result):
                    self.charge(item.ledger)
                    deltas = list(reasoning.end(item))
                else:
                    deltas = list(reasoning.take(item))
                    if item["type"] == "usage":
                        self.charge(reasoning.so_far.entries)
                if send is not None:
                    for delta in deltas:
                        await send(delta)
                if isinstance(item, Result):
                    return item
        return Result(None, "exhausted", self.late, method=method, ledger=self.entries)

    @property
    def late(self) -> str:
        """What a run is told whose seconds are over."""
        return f"the limit of {self.account.limits.seconds:g} seconds is over"

    @asynccontextmanager
    async def asking(self) -> AsyncIterator[dict[str, Any]]:
        """What our API is asked with beside the problem. The block is left when the key's seconds
        are over; what was used in it is charged, however it ends.

        Raises:
            Refused: If the problem is none of the domain's (400) or the model cannot be used (503).
        """
        budget = new_budget(settings_for(self.offer.method, **self.settings))
        arguments = arguments_of(self.settings) | {"spending": budget}
        if self.offer.model is not None:
            arguments["model"] = self.offer.model
        try:
            async with asyncio.timeout(self.account.limits.seconds) as limit:
                yield arguments
        except TimeoutError:
            if not limit.expired():
                raise
        except MissingCapability as error:
            message = f"{self.offer.id}: its model cannot do what the method needs{_lacking(error)}"
            raise Refused(503, message, "model_unfit") from error
        except Unfit as error:
            raise Refused(400, f"{self.offer.id}: {error}", "method_unfit", "messages") from error
        except BadInput as error:
            raise await self._why(error) from error
        except AgentflowError as error:
            message = "the model's server does not answer; try again"
            wait = ceil(getattr(error, "after", None) or _COME_AGAIN)
            raise Refused(503, message, "model_unavailable", retry_after=wait) from error
        finally:
            self._charge_unfinished(budget)

    def charge(self, entries: Entries) -> None:
        """Charge what a ledger has more than was known."""
        if not entries:
            return
        before = self.cost
        self.entries = self.entries | entries
        after = self.cost
        self.account.charge(after.prompt + after.generated - before.prompt - before.generated)

    def _charge_unfinished(self, budget: Budget) -> None:
        """Charge what a run that was cut off asked of its models and its ledger does not have."""
        prompt = max(0, budget.prompt - self.cost.prompt)
        generated = max(0, budget.generated - self.cost.generated)
        if prompt or generated:
            entry = Entry("unfinished", 0, prompt, generated=generated)
            self.charge(record("unfinished", entry))

    async def _why(self, error: BadInput) -> Refused:
        """Whose the bad input is: the client's problem, or the settings, whose text is not shown,
        for it may name servers and files."""
        settings = settings_for(self.offer.method, **self.settings)
        with suppress(BadInput):
            domain = await asyncio.to_thread(domains.get, settings.domain, settings.tools)
            try:
                await asyncio.to_thread(domain.parse, self.problem)
            except BadInput as wrong:
                if str(wrong) == str(error):  # a verifier may take what is no problem of the domain
                    said = str(wrong) + (_SEVERAL if is_several(self.problem) else "")
                    return Refused(400, said, "bad_problem", "messages")
        message = f"{self.offer.id} cannot be used as it is set up; its operator is to look at it"
        return Refused(503, message, "model_misconfigured")


def _lacking(error: MissingCapability) -> str:
    """What the model lacks, in words of ours."""
    found = (said for word, said in _CAPABILITIES.items() if word in str(error))
    return "".join(f": {said}" for said in islice(found, 1))


def begin(
    asked: GenerationRequest, offer: Offer, account: Account, serving: ServeSettings
) -> list[Run]:
    """The runs that a request asks for, in the order of its answers.

    Without a seed of its operator's or the client's, a run has a random one, told in the reply; of
    several answers to one problem each further one has the next. The web is only searched where
    the operator's settings say so.

    Raises:
        Refused: If a setting is none that clients may choose, or has no such value, or if there
            are too many answers (400).
    """
    chosen, operators = asked.chosen, offer.settings
    see_chosen(chosen, offer, serving, "agentflow")
    if asked.runs > serving.answers:
        said = f"{asked.runs} answers: at most {serving.answers} to one request"
        raise Refused(400, said, "invalid_value", "n")
    given = dict(asked.settings)
    most = operators.get("max_tokens")
    if most is not None and given.get("max_tokens", 0) > most:
        if not asked.bounded:
            raise Refused(400, f"max_tokens: at most {most}", "invalid_value", "max_tokens")
        given["max_tokens"] = most
    settings = {"seed": secrets.randbelow(2**31), **operators, **given, **chosen}
    settings["tools"] = {"search": "off", **operators.get("tools", {})}
    try:
        known = settings_for(offer.method, **settings)
    except BadInput as error:
        raise Refused(400, str(error), "invalid_value", "agentflow") from error
    see_domain(known.domain)
    return [
        Run(offer, problem, settings | {"seed": int(settings["seed"]) + number}, account)
        for problem in asked.problems
        for number in range(asked.n)
    ]


def see_chosen(names: Iterable[str], offer: Offer, serving: ServeSettings, where: str) -> None:
    """See that clients may choose settings, and that the method has them.

    Args:
        where: The parameter that holds them.

    Raises:
        Refused: If not (400); names those that they may choose.
    """
    fields = type(settings_for(offer.method)).model_fields
    allowed = [name for name in serving.client_settings if name in fields]
    for name in names:
        if name not in allowed:
            said = f"{where}.{name[:64]}: clients do not choose it, but: "
            said += ", ".join(allowed) or "none"
            raise Refused(400, said, "unsupported_parameter", where)


def see_domain(name: str) -> None:
    """See that a domain that a client may have named can be used.

    Raises:
        Refused: If it cannot (400). Why is told where there is none of that name; else it is the
            operator's to know: it may name files.
    """
    try:
        domains.kind(name)
    except BadInput as error:
        if name in domains.names() or name.partition(":")[0] in domains.FAMILIES:
            raise unusable(name) from error
        raise Refused(400, str(error), "invalid_value", "agentflow") from error


def unusable(domain: str) -> Refused:
    """What is said of a domain that is known and cannot be used."""
    message = f"domain {domain[:64]!r} cannot be used on this server; its operator can see why"
    return Refused(400, message, "invalid_value", "agentflow")


async def until_gone(work: Coroutine[Any, Any, T], receive: Receive) -> T:
    """What ``work`` comes to. It is cancelled, and waited for, when the client goes or this is
    cancelled.

    Raises:
        ClientGone: If the client went first.
    """
    task, gone = asyncio.ensure_future(work), asyncio.ensure_future(_disconnected(receive))
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        raise ClientGone
    finally:
        task.cancel()
        gone.cancel()
        await asyncio.gather(task, gone, return_exceptions=True)


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
