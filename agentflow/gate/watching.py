"""Tool calls that are judged as they are written: a monitor of a message's stream.

The stream is one of :func:`agentflow.monitors.watch.watch`: each chunk of the message is one of its
tokens, and its text is the JSON of the pieces of calls in it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Collection, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from agentflow.errors import StreamBroken
from agentflow.gate.pieces import Piece, Read, of_langchain
from agentflow.gate.policy import Call, Decision, Policy, foresee, judge, several
from agentflow.gate.written import Written, go_on
from agentflow.models.model import Finish, Request, Token
from agentflow.monitors.monitor import CONTINUE, Context, Increment, Intervention, Memory
from agentflow.monitors.received import Emit
from agentflow.monitors.stream_result import StreamResult
from agentflow.monitors.watch import watch
from agentflow.profile import Profile
from agentflow.state import State
from agentflow.trace import Trace
from agentflow.verdict import Verdict

_PROFILE = Profile("messages", think_open="", think_close="")
_MOST = 1 << 20
"""Chunks of a message."""
_OK = {"allow": True, "deny": False, "ask": None}


@dataclass(frozen=True, slots=True)
class CallMonitor:
    """Ends a message where one of its calls is denied for certain.

    Attributes:
        policy: Judges the calls.
        state: What its rules may know.
        tools: Calls of other tools are left alone; None for all.
    """

    policy: Policy
    state: Mapping[str, Any]
    tools: Collection[str] | None = None
    name: str = "tool_calls"
    reads: Literal["line", "token"] = "line"

    def start(self) -> Memory:
        """No calls."""
        return {"calls": []}

    def feed(self, memory: Memory, increment: Increment) -> tuple[Memory, list[State]]:
        """Read a chunk; a state is a call of which more is known."""
        if increment.boundary:
            return memory, []
        before = [Written(**one) for one in memory["calls"]]
        calls = go_on(before, [Piece(*one) for one in json.loads(increment.text)])
        end = increment.offset + len(increment.text)
        ids = [call.id for call in calls]
        states = [
            State("call", {"at": at, "ids": ids, "call": asdict(call)}, increment.offset, end)
            for at, call in enumerate(calls)
            if at >= len(before) or _known(before[at]) != _known(call)
        ]
        return {"calls": [asdict(call) for call in calls]}, states

    async def verify(self, state: State, context: Context) -> Verdict:
        """False for a call that will be denied however it goes on."""
        call = Written(**state.data["call"])
        decision = await asyncio.to_thread(self._decided, call, state.data["ids"])
        if decision is None:
            return Verdict(None, source=self.name)
        return Verdict(_OK[decision.outcome], decision.reason, source=self.name)

    def intervene(self, state: State, verdict: Verdict, *, answering: bool) -> Intervention:
        """End the message behind a call that is denied."""
        if verdict.ok is None:
            return CONTINUE
        return Intervention("stop", state.end, "", verdict.reason, self.name)

    def _decided(self, call: Written, ids: list[str]) -> Decision | None:
        if found := several(self.policy, [one or at for at, one in enumerate(ids)]):
            return found
        if not call.begun or (self.tools is not None and call.name not in self.tools):
            return None
        if call.wrong:
            return Decision("deny", call.wrong)
        decide = judge if call.ended else foresee
        return decide(self.policy, self.state, Call(call.name, call.args))


def _known(call: Written) -> Any:
    return call.begun, len(call.args), call.ended, call.wrong


@dataclass(slots=True)
class Watched:
    """A message that was watched.

    Attributes:
        calls: Its calls, as far as they were written.
        denied: Place of a call -> why it must not be made. The others are whole; those that a
            person is to be asked about are among them.
        cut: Whether the message was ended before its end.
        chunks: What of the message stands.
        stream: The stream, with the verdicts; its tokens are chunks.
    """

    calls: list[Written]
    denied: dict[int, str]
    cut: bool
    chunks: list[Any]
    stream: StreamResult


@dataclass(slots=True)
class _Source:
    """A message as a stream that can be watched."""

    chunks: AsyncIterator[Any]
    read: Read
    got: list[Any] = field(default_factory=list)
    profile: Profile = _PROFILE

    async def stream(self, request: Request) -> AsyncGenerator[Token | Finish, None]:
        try:
            async for chunk in self.chunks:
                self.got.append(chunk)
                yield Token(json.dumps(self.read(chunk)) + "\n")
        except Exception as error:
            raise StreamBroken(f"{type(error).__name__}: {error}") from error
        finally:  # closed, the request is aborted
            close = getattr(self.chunks, "aclose", None) or getattr(self.chunks, "close", None)
            if close:
                await close()
        yield Finish("stop")


async def watch_calls(
    chunks: AsyncIterator[Any],
    policy: Policy,
    state: Mapping[str, Any],
    read: Read = of_langchain,
    *,
    tools: Collection[str] | None = None,
    emit: Emit = lambda event: None,
) -> Watched:
    """Read a message, and close its stream where one of its calls is denied for certain.

    Args:
        chunks: The message as it is written.
        policy: Judges the calls.
        state: What its rules may know; see :func:`judge`.
        read: How calls stand in the chunks: :func:`of_langchain`, :func:`of_openai` or
            :func:`of_anthropic`.
        tools: Calls of other tools are left alone; None for all.
        emit: Receives the events of ``watch``.

    Raises:
        Exception: Whatever ``chunks`` raises.
    """
    source, trace = _Source(chunks, read), Trace()
    monitor = CallMonitor(policy, state, tools)
    try:
        result = await watch(source, trace, Request("", _MOST), [monitor], emit=emit)
    except StreamBroken as error:
        raise error.__cause__ or error from None
    if result.error is not None:
        raise result.error.__cause__ or result.error
    lines = trace.body.splitlines()
    calls: list[Written] = []
    for line in lines:
        calls = go_on(calls, [Piece(*one) for one in json.loads(line)])
    cut = result.ended == "intervened"
    calls = [call if cut else _ended(policy, call) for call in calls]
    denied = {at: call.wrong or _SHORT for at, call in enumerate(calls) if not call.whole}
    for one in result.judged:
        if one.verdict.ok is False:
            denied[one.state.data["at"]] = one.verdict.reason
    if found := several(policy, [call.id for call in calls]):
        denied = dict.fromkeys(range(len(calls)), found.reason)
    return Watched(calls, denied, cut, source.got[: len(lines)], result)


_SHORT = "the message ended before the call was written to its end"


def _ended(policy: Policy, call: Written) -> Written:
    """The call where nothing follows: a tool without arguments need not be given any."""
    schema = policy.schemas.get(call.name)
    if call.begun or schema is None or schema.model_fields:
        return call
    return replace(call, ended=True)
