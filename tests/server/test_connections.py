"""What clients do to a connection: they go, they dawdle, they push; and the server that stops."""

from __future__ import annotations

import asyncio
import json
import random
import signal
import socket
from typing import Any

import httpx
import pytest
import serving
from serving import ENDLESS, SAID, SOLVED, Counted, asked, falls_to_zero, rises, running

from agentflow.errors import ModelUnavailable
from agentflow.models import Delay, Fault, Token
from agentflow.server import Offer, ServeSettings, connections, stream
from agentflow.server.access import Account
from agentflow.server.serve import serve


def url(port: int) -> str:
    return f"http://127.0.0.1:{port}/v1/chat/completions"


def head(body: bytes, length: int | None = None) -> bytes:
    """A request as bytes, for clients that no library would play."""
    lines = (
        "POST /v1/chat/completions HTTP/1.1",
        "Host: localhost",
        "Content-Type: application/json",
        f"Content-Length: {len(body) if length is None else length}",
    )
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


async def events(port: int, **more: Any) -> list[Any]:
    """The events of a streamed reply, comments as they are."""
    found: list[Any] = []
    async with (
        httpx.AsyncClient(timeout=600) as http,
        http.stream("POST", url(port), json=asked(stream=True, **more)) as reply,
    ):
        async for line in reply.aiter_lines():
            if line:
                found.append(line.removeprefix("data: "))
    return found


class TestGone:
    @pytest.mark.parametrize("streamed", [False, True])
    async def test_nothing_keeps_running(self, streamed: bool) -> None:
        model = Counted(ENDLESS)
        async with running(model) as (_, port), httpx.AsyncClient() as http:
            request = asyncio.ensure_future(http.post(url(port), json=asked(stream=streamed)))
            await rises(model)
            request.cancel()
            assert await falls_to_zero(model)

    async def test_at_random_points(self) -> None:
        """Among others that stay and get their answers."""
        chance = random.Random(5)
        slow: Any = [part for line in SOLVED.splitlines(True) for part in (line, Delay(0.1))]
        model = Counted(lambda prompt: [*slow])

        async def leaves(port: int) -> None:
            body = json.dumps(asked(stream=chance.random() < 0.5)).encode()
            whole = head(body)
            sent = whole[: chance.randint(1, len(whole))] if chance.random() < 0.3 else whole
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(sent)
            await writer.drain()
            await asyncio.sleep(chance.uniform(0, 0.5))
            if chance.random() < 0.5:
                writer.transport.abort()
            writer.close()

        async def stays(http: httpx.AsyncClient, port: int) -> str:
            reply = (await http.post(url(port), json=asked())).json()
            return str(reply["choices"][0]["message"]["content"])

        async with running(model) as (server, port), httpx.AsyncClient(timeout=600) as http:
            await http.post(url(port), json=asked())
            said = await asyncio.gather(
                *[stays(http, port) for _ in range(5)], *[leaves(port) for _ in range(30)]
            )
            assert said[:5] == [SAID] * 5
            assert await falls_to_zero(model)
            await http.aclose()
            async with asyncio.timeout(600):
                while server.server_state.connections or server.server_state.tasks:  # noqa: ASYNC110
                    await asyncio.sleep(0.02)

    @pytest.mark.parametrize("apart", [False, True])
    async def test_who_pushes_while_a_reply_is_under_way_is_gone(self, apart: bool) -> None:
        """With the reading paused for a second request nobody would see the client go."""
        model = Counted(ENDLESS)
        async with running(model) as (_, port):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            request = head(json.dumps(asked()).encode())
            writer.write(request * (2 - apart))
            if apart:
                await rises(model)
                writer.write(request)
            with pytest.raises((ConnectionResetError, EOFError)):
                await asyncio.wait_for(reader.readexactly(1), 600)
            assert await falls_to_zero(model)
            writer.close()

    async def test_what_was_streamed_is_charged(self) -> None:
        """Who always leaves before the end does not get its tokens for nothing."""
        model = Counted(ENDLESS)
        serve = ServeSettings(tokens_per_minute=20)
        async with running(model, serve) as (server, port), httpx.AsyncClient() as http:
            codes = []
            for _ in range(2):
                async with http.stream("POST", url(port), json=asked(stream=True)) as reply:
                    codes.append(reply.status_code)
                    read = 0
                    async for part in reply.aiter_text():
                        read += len(part)
                        if read > 5000:
                            break
                while server.server_state.tasks:  # noqa: ASYNC110
                    await asyncio.sleep(0.02)
        assert codes == [200, 429]

    @pytest.mark.parametrize(
        ("method", "script"),
        [
            ("direct", [Delay(30)]),  # it goes before the first token
            ("direct", ENDLESS),
            ("tree_of_thoughts", ENDLESS),
            ("solve_detect_verify", ENDLESS),
        ],
    )
    async def test_all_that_it_asked_of_models_is_charged(
        self, monkeypatch: pytest.MonkeyPatch, method: str, script: Any
    ) -> None:
        """Prompts, the samples beside the first, and calls that never came to their end."""
        charged: list[int] = []
        monkeypatch.setattr(Account, "charge", lambda self, tokens: charged.append(tokens))
        model = Counted(script)
        offered = {f"{method}/scripted": Offer(f"{method}/scripted", method, {}, model)}
        monkeypatch.setattr(serving, "offers", lambda model, **settings: offered)
        async with running(model) as (server, port), httpx.AsyncClient() as http:
            request = asyncio.ensure_future(http.post(url(port), json=asked(method=method)))
            await rises(model)
            while script == ENDLESS and not model.streamed:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            request.cancel()
            assert await falls_to_zero(model)
            while server.server_state.tasks:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        prompts = sum(len(one.prompt) for one in model.requests)
        assert model.streamed or script != ENDLESS
        assert sum(charged) == prompts + model.streamed


async def trickle(writer: asyncio.StreamWriter) -> None:
    for _ in range(60):
        writer.write(b"G")
        await writer.drain()
        await asyncio.sleep(0.05)


class TestSlow:
    async def test_who_reads_a_byte_at_a_time_is_left(self) -> None:
        long = [Token("so " * 20_000 + "\n")] * 500
        model = Counted([part for token in long for part in (token, Delay(0.01))])
        serve = ServeSettings(write_seconds=0.3)
        async with running(model, serve, send_buffer=8192) as (server, port):
            slow = socket.socket()
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            slow.setblocking(False)
            loop = asyncio.get_running_loop()
            await loop.sock_connect(slow, ("127.0.0.1", port))
            body = json.dumps(asked(method="direct", stream=True)).encode()
            await loop.sock_sendall(slow, head(body))
            await rises(model)
            async with asyncio.timeout(600):
                while model.streaming:
                    await loop.sock_recv(slow, 1)
                    await asyncio.sleep(0.05)
                while server.server_state.connections:  # noqa: ASYNC110
                    await asyncio.sleep(0.02)
            assert model.streamed < len(long)
            slow.close()

    @pytest.mark.parametrize("reads", [True, False])
    async def test_a_whole_reply_may_be_read_slowly(
        self, monkeypatch: pytest.MonkeyPatch, reads: bool
    ) -> None:
        """But who reads nothing of it is left."""
        monkeypatch.setattr(connections, "HEAD_SECONDS", 3600.0 if reads else 0.3)
        model = Counted([Token("so " * 100_000 + "\n")] * 5)
        async with running(model, send_buffer=8192) as (server, port):
            slow = socket.socket()
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            slow.setblocking(False)
            loop = asyncio.get_running_loop()
            await loop.sock_connect(slow, ("127.0.0.1", port))
            await loop.sock_sendall(slow, head(json.dumps(asked(method="direct")).encode()))
            came = await loop.sock_recv(slow, 4096)
            (connection,) = server.server_state.connections
            async with asyncio.timeout(600):
                while not reads and server.server_state.connections:  # noqa: ASYNC110
                    await asyncio.sleep(0.02)
                while part := await loop.sock_recv(slow, 4096):
                    came += part
                    if came.endswith(b"}"):
                        break
                    if len(came) // 200_000 > (len(came) - len(part)) // 200_000:
                        connection._end_if_idle(connection.cycle)  # type: ignore[union-attr]
            slow.close()
        assert came.endswith(b"}") == reads

    async def test_little_waits_to_be_read(self) -> None:
        """Else who stopped reading would be noticed only when large buffers are full."""
        model = Counted([part for _ in range(5000) for part in (Token("so " * 999), Delay(0.001))])
        serve = ServeSettings(write_seconds=0.3)
        async with running(model, serve) as (server, port):
            silent = socket.socket()
            silent.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            silent.setblocking(False)
            loop = asyncio.get_running_loop()
            await loop.sock_connect(silent, ("127.0.0.1", port))
            body = json.dumps(asked(method="direct", stream=True)).encode()
            await loop.sock_sendall(silent, head(body))
            await rises(model)
            (connection,) = server.server_state.connections
            own = connection.transport.get_extra_info("socket")  # type: ignore[union-attr]
            assert (
                own.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF) <= 2 * connections.SEND_BUFFER
            )
            assert connection.transport.get_write_buffer_limits()[1] == connections.UNREAD_BYTES  # type: ignore[union-attr]
            assert await falls_to_zero(model)
            silent.close()

    async def test_what_is_written_is_sent_at_once(self) -> None:
        """Else a body waits until the client has acknowledged the head, and so does each event."""
        async with running(Counted(SOLVED)) as (server, port):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            await reader.readline()
            (connection,) = server.server_state.connections
            own = connection.transport.get_extra_info("socket")  # type: ignore[union-attr]
            assert own.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            writer.close()

    async def test_a_body_that_does_not_come(self) -> None:
        async with running(Counted(SOLVED), ServeSettings(body_seconds=0.2)) as (_, port):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(head(b'{"model"', length=500))
            assert (await reader.readline()).startswith(b"HTTP/1.1 408")
            writer.close()

    async def test_a_head_that_does_not_come(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(connections, "HEAD_SECONDS", 0.3)
        async with running(Counted(SOLVED)) as (_, port):
            for first in (b"", head(json.dumps(asked("x")).encode())):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(first)
                with pytest.raises((ConnectionResetError, BrokenPipeError, EOFError)):
                    await asyncio.gather(reader.readexactly(10_000), trickle(writer))
                writer.close()

    async def test_silence_is_filled(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(stream, "BEAT_SECONDS", 0.05)
        async with running(Counted([Delay(2), SOLVED])) as (_, port):
            found = await events(port)
        assert found.count(": working") >= 3
        told = [event for event in found if event != ": working"]  # a beat may come between two
        assert SAID in told[-3]
        assert found[-1] == "[DONE]"

    async def test_an_error_behind_the_first_byte_is_an_event(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(stream, "BEAT_SECONDS", 0.05)
        model = Counted([Delay(0.3), Fault(ModelUnavailable("http://gpu1:8000/v1 is down"))])
        async with running(model, retries=0) as (_, port):
            *beats, error, done = await events(port)
        assert set(beats) == {": working"}
        assert json.loads(error)["error"]["code"] == "model_unavailable"
        assert done == "[DONE]"


class TestCrowded:
    async def test_who_waits_longest_makes_room(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Who opens connections and asks nothing keeps nobody out, nor open files for ever."""
        monkeypatch.setattr(connections, "CONNECTIONS", 5)
        model = Counted(SOLVED)
        model.gate = asyncio.Event()
        async with running(model) as (server, port), httpx.AsyncClient(timeout=600) as http:
            request = asyncio.ensure_future(http.post(url(port), json=asked()))
            await rises(model)
            idle = [await asyncio.open_connection("127.0.0.1", port) for _ in range(20)]
            async with httpx.AsyncClient() as another:
                reply = await another.get(f"http://127.0.0.1:{port}/health")
            assert reply.status_code == 200
            assert len(server.server_state.connections) <= 5
            model.gate.set()
            assert (await request).status_code == 200
            with pytest.raises((ConnectionResetError, EOFError)):
                await asyncio.wait_for(idle[0][0].readexactly(1), 600)
            for _, writer in idle:
                writer.close()

    async def test_where_all_are_busy_the_new_one_goes(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(connections, "CONNECTIONS", 2)
        model = Counted(SOLVED)
        model.gate = asyncio.Event()
        async with running(model) as (_, port), httpx.AsyncClient(timeout=600) as http:
            requests = [asyncio.ensure_future(http.post(url(port), json=asked())) for _ in "ab"]
            await rises(model, 2)
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            with pytest.raises((ConnectionResetError, EOFError)):
                await asyncio.wait_for(reader.readexactly(1), 600)
            writer.close()
            model.gate.set()
            assert [(await one).status_code for one in requests] == [200, 200]


class TestStopping:
    async def test_what_runs_has_its_grace(self) -> None:
        model = Counted([Delay(0.5), SOLVED])
        async with running(model) as (server, port):
            request = asyncio.ensure_future(events(port))
            await rises(model)
            server.should_exit = True
            found = await request
        assert SAID in found[-3]

    @pytest.mark.parametrize("streamed", [False, True])
    async def test_when_it_is_over_runs_are_cancelled_and_say_so(self, streamed: bool) -> None:
        model = Counted(ENDLESS)
        async with (
            running(model, ServeSettings(grace_seconds=0)) as (server, port),
            httpx.AsyncClient(timeout=600) as http,
        ):
            request = asyncio.ensure_future(http.post(url(port), json=asked(stream=streamed)))
            await rises(model)
            while not model.streamed:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            server.should_exit = True
            reply = await request
            assert reply.status_code == (200 if streamed else 503)
            assert "the server stops" in reply.text
            assert await falls_to_zero(model)

    async def test_a_second_signal_ends_the_grace(self) -> None:
        model = Counted(SOLVED)
        model.gate = asyncio.Event()
        async with (
            running(model, ServeSettings(grace_seconds=1_000_000)) as (server, port),
            httpx.AsyncClient(timeout=None) as http,
        ):
            request = asyncio.ensure_future(http.post(url(port), json=asked()))
            await rises(model)
            server.should_exit = True
            server.handle_exit(signal.SIGINT, None)
            reply = await request
        assert (reply.status_code, "the server stops" in reply.text) == (503, True)
        assert not server.force_exit  # which would leave out the end of the application

    async def test_a_signal_is_heard_as_soon_as_the_address_is_told(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        # Set by a signal for the whole process: MCP's streams in other tests would end at once.
        monkeypatch.setattr("sse_starlette.sse.AppStatus.should_exit", False)
        before, told = signal.getsignal(signal.SIGTERM), list[str]()

        def ready(address: str) -> None:
            told.append(address)
            signal.raise_signal(signal.SIGTERM)

        try:  # it comes to its end, which without the signal it would not
            await serve(ServeSettings(port=0), serving.offers(Counted(SOLVED)), ready)
        finally:
            signal.signal(signal.SIGTERM, before)
        assert [address.rpartition(":")[0] for address in told] == ["http://127.0.0.1"]
