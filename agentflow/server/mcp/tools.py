"""The tools as the protocol has them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Annotated, Any, TypeVar

import anyio
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp.server.mcpserver.tools import Tool
from mcp_types import ToolAnnotations
from pydantic import Field

from agentflow import domains
from agentflow.errors import BadInput, known
from agentflow.server import stream
from agentflow.server.access import Account
from agentflow.server.mcp.desk import Desk, settings_domain
from agentflow.server.mcp.replies import Judged, Ran, Solved, Verified
from agentflow.server.refused import Refused
from agentflow.server.run import Run
from agentflow.settings import checked
from agentflow.together import to_its_end
from agentflow.version import __version__

T = TypeVar("T")
Asking = Context[Any, Any]

_ABOUT = (
    "Solves problems by methods that verify a model's reasoning while it is written, and checks "
    "solutions. Read status before you use an answer: only verified was proved right."
)
_BUG = "a bug of this server's, of which its log says more"
_READS = ToolAnnotations(read_only_hint=True, destructive_hint=False, open_world_hint=False)

Problem = Annotated[str, Field(description="The problem's text")]
Solution = Annotated[str, Field(description="The solution's text: its steps and its answer")]
Domain = Annotated[str | None, Field(description="What kind of problem it is; see the tool")]


class _Tool(Tool):
    """A tool that has the arguments of its schema and no others."""

    def model_post_init(self, context: Any, /) -> None:
        super().model_post_init(context)
        self.parameters["additionalProperties"] = False

    async def run(self, arguments: dict[str, Any], context: Asking, *more: Any, **kw: Any) -> Any:
        """Run it; what is wrong with the arguments is said in one line, and every error begins with
        the tool's name.

        Raises:
            ToolError: If an argument is unknown or wrong, or the call is refused.
        """
        metadata = self.fn_metadata
        names = metadata.arg_model.model_fields
        for name in arguments:
            if name not in names:
                said = f"{name[:64]}: no such argument; {known(name, names)}"
                raise ToolError(f"{self.name}: {said}")
        try:
            checked(metadata.arg_model, metadata.pre_parse_json(arguments), self.name)
        except BadInput as error:
            raise ToolError(str(error)) from error
        try:
            return await super().run(arguments, context, *more, **kw)
        except UnexpectedToolError as error:
            raise UnexpectedToolError(f"{self.name}: {_BUG}") from error.__cause__
        except ToolError as error:  # the SDK puts words of its own before ours
            raise ToolError(f"{self.name}: {error.__cause__ or error}") from error


def server_of(desk: Desk) -> MCPServer[Any]:
    """The protocol's server."""
    server = MCPServer[Any](
        "agentflow",
        version=__version__,
        instructions=_ABOUT,
        log_level="WARNING",
        tools=_tools(desk),
        subscriptions=False,
    )
    handlers = server._lowlevel_server._request_handlers  # by which the SDK says what is there
    for method in [one for one in handlers if one.startswith(("prompts/", "resources/"))]:
        del handlers[method]
    return server


def _tools(desk: Desk) -> list[Tool]:
    """What is offered."""
    own = settings_domain(desk.default)
    kinds = f"Domains: {', '.join(domains.names())}; without one {own}."

    async def solve(
        ctx: Asking,
        problem: Problem,
        model: Annotated[
            str | None, Field(description="Which of the models is to solve it")
        ] = None,
        domain: Domain = None,
        max_tokens: Annotated[
            int | None, Field(ge=1, description="Tokens that the whole run may generate")
        ] = None,
        seed: Annotated[int | None, Field(ge=0, description="For the same run again")] = None,
        settings: Annotated[
            dict[str, Any] | None, Field(description="Further settings, where clients may choose")
        ] = None,
    ) -> Solved:
        account = account_of(desk, ctx)
        given = {"max_tokens": max_tokens, "seed": seed}
        runs: list[Run] = []
        async with _told(ctx, runs):
            work = desk.solve(account, runs, problem, model, domain, settings or {}, **given)
            return await _apart(work)

    async def verify(
        ctx: Asking, problem: Problem, solution: Solution, domain: Domain = None
    ) -> Verified:
        return await _apart(desk.verify(account_of(desk, ctx), problem, solution, domain))

    async def judge(
        ctx: Asking,
        problem: Problem,
        solution: Solution,
        verifier: Annotated[str, Field(description="Which of the verifiers")] = "flexive",
        domain: Domain = None,
    ) -> Judged:
        account = account_of(desk, ctx)
        return await _apart(desk.judge(account, problem, solution, verifier, domain))

    async def run_python(
        ctx: Asking,
        code: Annotated[str, Field(description="The program; its value is `ans`")],
        data: Annotated[Any, Field(description="JSON that it sees as `data`")] = None,
        seconds: Annotated[float, Field(gt=0, le=60, description="Wall clock and CPU")] = 10.0,
    ) -> Ran:
        return await _apart(desk.run(account_of(desk, ctx), code, data, seconds))

    models = ", ".join(desk.server.offers)
    found = [
        _Tool.from_function(
            solve,
            title="Solve a problem",
            description="Solve a problem by a method that verifies the reasoning of a model. "
            f"Models: {models}; without one {desk.default.id}. {kinds}",
            annotations=_READS,
        ),
        _Tool.from_function(
            verify,
            title="Verify a solution",
            description="Check the steps and the answer of a solution by exact rules, without a "
            f"model: what it cannot decide is undecided. {kinds}",
            annotations=_READS,
        ),
    ]
    if desk.judges:
        judging = _Tool.from_function(
            judge,
            title="Judge a solution",
            description="Have a verifier that asks a model judge a solution, whatever the problem. "
            f"Verifiers: {', '.join(desk.judges)}. {kinds}",
            annotations=_READS,
        )
        found.append(judging)
    if desk.sandbox:
        running = _Tool.from_function(
            run_python,
            title="Run a program",
            description="Run a Python program without network or files, with sympy, numpy and z3.",
            annotations=_READS,
        )
        found.append(running)
    return found


def account_of(desk: Desk, ctx: Asking) -> Account:
    """Who asks: by a key over HTTP, else who started this process.

    Raises:
        ToolError: If the key is none of this server's.
    """
    headers = ctx.headers
    if headers is None:
        return desk.own
    try:
        access = desk.server.access
        return access.account(headers.get("authorization", ""), headers.get("x-api-key", ""))
    except Refused as refused:
        raise ToolError(str(refused)) from refused


async def _apart(work: Coroutine[Any, Any, T]) -> T:
    """What ``work`` comes to. A call that is cancelled cancels it once, and waits until it has put
    away what it had open.

    Raises:
        ToolError: If it is refused; the model reads why.
    """
    try:
        return await to_its_end(asyncio.ensure_future(work))
    except Refused as refused:
        raise ToolError(str(refused)) from refused


@asynccontextmanager
async def _told(ctx: Asking, runs: Sequence[Run]) -> AsyncIterator[None]:
    """Tell the client now and then how far its run is, as long as this lasts."""
    beating = asyncio.ensure_future(_beat(ctx, runs))
    try:
        yield
    finally:
        beating.cancel()
        with anyio.CancelScope(shield=True), suppress(asyncio.CancelledError):
            await beating


async def _beat(ctx: Asking, runs: Sequence[Run]) -> None:
    """Progress is counted in messages of it: who waits learns that the run goes on."""
    for number in range(1, 1_000_000):
        await asyncio.sleep(stream.BEAT_SECONDS)
        tokens = sum(run.cost.generated for run in runs)
        await ctx.report_progress(number, message=f"working; {tokens} tokens so far")
