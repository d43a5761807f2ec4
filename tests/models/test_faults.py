"""Transport faults in the middle of a run: it goes on from the last token that came."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from aiohttp import web
from fake_server import ANSWER, SOLVED, Fake, Reply, event
from legs import told

import agentflow
from agentflow import Result, backoff
from agentflow.errors import StreamBroken

WRONG = " 1 6 8 12 : 12 - 8 = 5 -> 1 5 6\n"
TEXT = f"{SOLVED}</think>\n{ANSWER}<|im_end|>"
KEPT = 20
Fault = Callable[[Fake, web.StreamResponse], Awaitable[None]]


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backoff, "FIRST_WAIT", 0.02)


async def reset(fake: Fake, response: web.StreamResponse) -> None:
    await asyncio.sleep(0.05)  # let what was written arrive first
    fake.transport.abort()


async def stall(fake: Fake, response: web.StreamResponse) -> None:
    await asyncio.sleep(60)


async def truncate(fake: Fake, response: web.StreamResponse) -> None:
    (whole,) = fake.events([(fake.ids("8")[0], "8")], None)
    await response.write(whole[: len(whole) // 2])


async def end(fake: Fake, response: web.StreamResponse) -> None:
    """Without a finish reason."""


async def complain(fake: Fake, response: web.StreamResponse) -> None:
    await response.write(event(error={"message": "slot unavailable", "code": 500}))


async def refuse_next(fake: Fake, response: web.StreamResponse) -> None:
    """And the next request is answered with a 500."""
    fake.refuses = 500
    fake.transport.abort()


FAULTS = [reset, stall, truncate, end, complain, refuse_next]


def playing(script: Callable[[str], str], fault: Fault | None, kept: int = KEPT) -> Reply:
    """Streams the script on from wherever the prompt ends; the first stream breaks."""

    async def reply(fake: Fake, response: web.StreamResponse, body: dict[str, Any]) -> None:
        said = "".join(fake.vocabulary[i] for i in body["prompt"])
        tokens = fake.tokens(script(said))
        if fault is None or len(fake.requests) > 1:
            for one in fake.events(tokens):
                await response.write(one)
            return
        for one in fake.events(tokens[:kept], None):
            await response.write(one)
        await fault(fake, response)

    return reply


def correcting(prompt: str) -> str:
    """A wrong step, then the right path behind the note; on from wherever the prompt ends."""
    body = prompt.rpartition("<think>\n")[2]
    before, note, after = body.partition("Wait,")
    if not note:
        return (WRONG + " and so on").removeprefix(before)
    return TEXT.removeprefix(after.partition("\n")[2])


def straight(prompt: str) -> str:
    return TEXT.removeprefix(prompt.rpartition("<think>\n")[2])


async def solve(fake: Fake, **more: Any) -> Result:
    return await agentflow.asolve("1 6 8 12", "interwhen", model=fake.url, **more)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
async def test_a_fault_changes_nothing(fake: Fake, fault: Fault) -> None:
    fake.reply = playing(straight, None)
    plain = await solve(fake)
    assert plain.status == "verified"
    fake.requests.clear()
    fake.reply = playing(straight, fault)
    if fault is refuse_next:
        restoring = asyncio.ensure_future(restored(fake))
    patience = {"idle_timeout": 2} if fault is stall else {}  # a busy machine stalls, too
    result = await solve(fake, **patience)
    if fault is refuse_next:
        await restoring
    assert told(result, sums=False) == told(plain, sums=False)
    assert result.cost.generated == plain.cost.generated
    assert result.cost.calls == len(fake.requests)
    first, *others = (request["prompt"] for request in fake.requests)
    received = [i for i, _ in fake.tokens(TEXT)[:KEPT]]
    assert others == [first + received] * (2 if fault is refuse_next else 1)
    for request in fake.requests[1:]:
        assert request["max_tokens"] == fake.requests[0]["max_tokens"] - KEPT


async def restored(fake: Fake) -> None:
    """The server answers again once it has refused a request."""
    while len(fake.requests) < 2:  # noqa: ASYNC110
        await asyncio.sleep(0.001)
    fake.refuses = 0


@pytest.mark.parametrize("kept", [1, 5, 19])
async def test_a_fault_between_corrections_changes_nothing(fake: Fake, kept: int) -> None:
    fake.reply = playing(correcting, None)
    plain = await solve(fake)
    assert (plain.status, plain.corrections) == ("verified", 1)
    fake.requests.clear()
    fake.reply = playing(correcting, reset, kept)
    result = await solve(fake)
    assert (result.trace.body, result.answer) == (plain.trace.body, plain.answer)
    assert (result.status, result.corrections) == ("verified", 1)
    second = fake.requests[1]["prompt"]
    whole = fake.ids(WRONG)
    # The verdict may come before the break does: then nothing of it is asked for.
    assert second[: len(fake.requests[0]["prompt"])] == fake.requests[0]["prompt"]
    rest = second[len(fake.requests[0]["prompt"]) :]
    assert rest[: min(kept, len(whole))] == whole[:kept]


async def test_a_server_that_stalls_for_ever_is_given_up(fake: Fake) -> None:
    """After the idle time-out for each try."""

    async def reply(fake: Fake, response: web.StreamResponse, body: dict[str, Any]) -> None:
        if len(fake.requests) == 1:
            await response.write(fake.events(fake.tokens(" 1 6"), None)[0])
        await asyncio.Event().wait()

    fake.reply = reply
    began = time.monotonic()
    result = await solve(fake, idle_timeout=1, retries=2)
    assert time.monotonic() - began >= 3
    assert result.status == "exhausted"
    assert fake.url in result.error
    assert result.trace.body == " 1"
    assert len(fake.requests) == 3


async def test_a_server_that_never_answers_is_given_up(tmp_path: Any) -> None:
    """It takes connections, and says nothing."""
    server = await asyncio.start_server(lambda *_: asyncio.Event().wait(), "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    with pytest.raises(agentflow.AgentflowError, match=f"{url}/models: nothing came for"):
        await agentflow.asolve("1 6 8 12", "direct", model=url, idle_timeout=0.2)
    await agentflow.models.close_all()
    server.close()


async def test_on_a_thread_a_lost_server_costs_nothing_that_came(fake: Fake, tmp_path: Any) -> None:
    fake.reply = playing(straight, reset)
    place: dict[str, Any] = {"thread": "t", "checkpoints": tmp_path / "t"}
    with pytest.raises(StreamBroken, match="broke after 20 tokens"):
        await solve(fake, retries=0, **place)
    result = await agentflow.aresume(**place)
    assert result.status == "verified"
    first, second = (request["prompt"] for request in fake.requests)
    assert second == first + [i for i, _ in fake.tokens(TEXT)[:KEPT]]
    assert result.cost.calls == 2
