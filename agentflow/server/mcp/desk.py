"""What the tools do, under the limits of who asks; nothing here knows the protocol."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from secrets import randbelow
from typing import Any

from agentflow import domains
from agentflow.api import ajudge
from agentflow.arguments import settings_for
from agentflow.domains import Domain
from agentflow.errors import BadInput, known
from agentflow.judge import judge
from agentflow.server import log
from agentflow.server.access import Account
from agentflow.server.counting import counted
from agentflow.server.endpoint import Server, new_id
from agentflow.server.mcp import replies
from agentflow.server.mcp.replies import Judged, Ran, Solved, Verified
from agentflow.server.offers import Offer
from agentflow.server.refused import Refused
from agentflow.server.requested import GenerationRequest, settings_of
from agentflow.server.run import Run, begin, see_chosen, see_domain, unusable
from agentflow.tools.sandbox import Limits, SandboxUnavailable, shared
from agentflow.verdict import Verdict


@dataclass(slots=True)
class Desk:
    """What is offered as tools.

    Attributes:
        server: Settings, methods, keys and metrics, as of ``agentflow serve``.
        judges: Verifiers that ask a model, by name.
        sandbox: Whether clients may run programs of their own.
        own: The account of who started this process, and speaks to it by its standard streams.
    """

    server: Server
    judges: Mapping[str, Offer] = field(default_factory=dict)
    sandbox: bool = False
    own: Account = field(init=False)

    def __post_init__(self) -> None:
        self.own = Account("stdio", self.server.settings.limits, metrics=True)

    @property
    def default(self) -> Offer:
        """What solves where no model is named."""
        return next(iter(self.server.offers.values()))

    async def solve(
        self,
        account: Account,
        runs: list[Run],
        problem: str,
        model: str | None,
        domain: str | None,
        settings: Mapping[str, Any],
        **given: Any,
    ) -> Solved:
        """Have a method solve a problem.

        Args:
            runs: Gets the run, so that others can see how far it is.
            settings: Further ones, as far as clients may choose.

        Raises:
            Refused: If it cannot be asked for, or a limit is reached.
        """
        id, fields = new_id(), dict[str, Any]()
        offers = self.server.offers
        if model is not None and model not in offers:
            raise _unknown("model", model, offers)
        offer = self.default if model is None else offers[model]
        settings = self._chosen(offer, domain, settings)
        request = GenerationRequest(
            offer.id,
            (self._short(problem, "problem"),),
            settings=settings_of(**given),
            chosen=settings,
            bounded=True,
        )
        (run,) = begin(request, offer, account, self.server.settings)
        fields |= {"id": id, "tool": "solve", "key": account.name, "model": offer.id}
        runs.append(run)
        try:
            with account.admitted(), counted(self.server.metrics, [run], fields) as statuses:
                result = await run.result()
                statuses.append(result.status)
        finally:
            log.write("tool", fields)
        return replies.solved(run.ended(result), offer.id)

    async def verify(
        self, account: Account, problem: str, solution: str, domain: str | None
    ) -> Verified:
        """Have a domain's own verifier judge a solution.

        Raises:
            Refused: If the problem is none of the domain's, or a limit is reached.
        """
        self._short(problem, "problem")
        self._short(solution, "solution")
        seconds = account.limits.seconds
        try:
            with account.admitted():
                async with asyncio.timeout(seconds):
                    found = await asyncio.to_thread(self._domain, domain)
                    read = await asyncio.to_thread(found.parse, problem)
                    return replies.verified(await judge(found, read, solution))
        except TimeoutError:
            raise Refused(503, f"the limit of {seconds:g} seconds is over", "timeout") from None
        except BadInput as error:
            raise Refused(400, str(error), "bad_problem") from error

    async def judge(
        self, account: Account, problem: str, solution: str, verifier: str, domain: str | None
    ) -> Judged:
        """Have a verifier that asks a model judge a solution.

        Raises:
            Refused: If it cannot be asked for, its model cannot be used, or a limit is reached.
        """
        self._short(problem, "problem")
        self._short(solution, "solution")
        if verifier not in self.judges:
            raise _unknown("verifier", verifier, self.judges)
        run = self._asking(self.judges[verifier], problem, domain, account)
        fields = {"tool": "judge", "key": account.name, "model": verifier}
        verdict = Verdict(None, run.late, "exhausted", source=verifier)
        try:
            with account.admitted(), counted(self.server.metrics, [run], fields) as statuses:
                async with run.asking() as arguments:
                    verdict, entries = await ajudge(problem, solution, verifier, **arguments)
                    run.charge(entries)
                statuses.append("exhausted" if verdict.kind == "exhausted" else "judged")
        finally:
            log.write("tool", fields)
        return replies.judged(verdict, verifier, run.entries)

    async def run(self, account: Account, code: str, data: Any, seconds: float) -> Ran:
        """Run a program in the sandbox.

        Raises:
            Refused: If this machine cannot isolate it, or a limit is reached.
        """
        self._short(code, "code")
        most = min(seconds, account.limits.seconds)
        try:
            limits = Limits(seconds=most, cpu_seconds=most)
            with account.admitted():
                return replies.ran(await shared().arun(code, data=data, limits=limits))
        except SandboxUnavailable as error:
            raise Refused(503, str(error), "no_sandbox") from error
        except ValueError as error:
            raise Refused(400, str(error), "invalid_value") from error

    def _asking(self, offer: Offer, problem: str, domain: str | None, account: Account) -> Run:
        """A verifier's run.

        Raises:
            Refused: If the domain cannot be used.
        """
        settings = {"seed": randbelow(2**31), **offer.settings}
        settings["tools"] = {"search": "off", **settings.get("tools", {})}
        if domain is not None:
            self._domain(domain)
            settings["domain"] = domain
        return Run(offer, problem, settings, account)

    def _domain(self, name: str | None) -> Domain:
        """A domain, with the operator's tools; the one named where clients may name one.

        Raises:
            Refused: If they may not, or it cannot be used.
        """
        chosen = self._domain_of(self.default, name)
        see_domain(chosen)
        tools = {"search": "off", **self.default.settings.get("tools", {})}
        try:
            return domains.get(chosen, tools)
        except BadInput as error:
            raise unusable(chosen) from error

    def _domain_of(self, offer: Offer, name: str | None) -> str:
        """The name of a domain: the offer's, or the one named where clients may name one.

        Raises:
            Refused: If they may not.
        """
        own = settings_domain(offer)
        if name not in (None, own) and "domain" not in self.server.settings.client_settings:
            message = f"domain: clients do not choose it; it is {own}"
            raise Refused(400, message, "unsupported_parameter")
        return name or own

    def _chosen(
        self, offer: Offer, domain: str | None, settings: Mapping[str, Any]
    ) -> dict[str, Any]:
        """The settings that a client chooses; its domain among them where that is not the offer's.

        Raises:
            Refused: If it may not choose one of them, or names two domains.
        """
        see_chosen(settings, offer, self.server.settings, "settings")
        if domain is not None and "domain" in settings:
            raise Refused(400, "domain: is in settings, too; name it once", "invalid_value")
        if self._domain_of(offer, domain) == settings_domain(offer):
            return dict(settings)
        return {**settings, "domain": domain}

    def _short(self, text: str, what: str) -> str:
        """The text, unless it is too long or there is none."""
        most = self.server.settings.body_bytes
        if len(text.encode("utf-8", "replace")) > most:
            raise Refused(413, f"{what}: over {most:,} bytes long", "body_too_large")
        if not text.strip():
            raise Refused(400, f"{what}: it is empty", "invalid_value")
        return text


def _unknown(argument: str, name: str, names: Mapping[str, Offer]) -> Refused:
    """What is said of a name that is none of those there are."""
    said = f"{argument}: none is called {name[:128]!r}; {known(name, names)}"
    return Refused(404, said, "not_found")


def settings_domain(offer: Offer) -> str:
    """The domain that an offer's settings name."""
    return settings_for(offer.method, **offer.settings).domain
