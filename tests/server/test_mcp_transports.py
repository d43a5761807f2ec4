"""The Model Context Protocol over HTTP and standard streams, with the client of its own SDK."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from serving import ENDLESS, PUZZLE, SOLVED, Counted, falls, rises
from starlette.testclient import TestClient
from typer.testing import CliRunner

from agentflow.cli import app
from agentflow.models import ScriptedModel, embedded
from agentflow.server import ServeSettings
from agentflow.server import offers as offered
from agentflow.server.serve import configuration
from agentflow.server.settings import Key
from agentflow.version import install

pytest.importorskip("mcp")

from desks import desk_of
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from agentflow.server.mcp import Desk, sessions
from agentflow.server.mcp.listen import http_application

KEY = "alice" * 8

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.just(PUZZLE) | st.just(SOLVED),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(), inner, max_size=2),
    max_leaves=4,
)
CLIENT = {"capabilities": {}, "clientInfo": {"name": "some", "version": "1"}}
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", **CLIENT},
}
METHODS = st.sampled_from(["initialize", "tools/call", "tools/list", "server/discover", "ping"])
TOOL = st.fixed_dictionaries({"name": st.sampled_from(["solve", "verify"]), "arguments": JSON})
CALL = st.fixed_dictionaries(
    {"jsonrpc": st.just("2.0"), "method": METHODS},
    optional={"id": st.integers() | JSON, "params": TOOL | JSON},
)


def test_any_body() -> None:
    """Whatever is posted, in a session or without one, the server is not at fault."""
    desk, codes = desk_of(ScriptedModel(lambda prompt: SOLVED)), Counter[int]()
    with TestClient(http_application(desk), base_url="http://127.0.0.1:8080") as http:
        session = http.post("/mcp", json=HELLO, headers=SENDS).headers["mcp-session-id"]
        versions = st.sampled_from(["2025-11-25", "2026-07-28", "x"])
        named = st.fixed_dictionaries(
            {}, optional={"mcp-session-id": st.just(session), "mcp-protocol-version": versions}
        )

        @settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
        @example(HELLO | {"id": 2, "method": "ping", "params": {}}, {"mcp-session-id": session})
        @example(HELLO, {"mcp-protocol-version": "x"})
        @given(CALL | JSON | st.lists(CALL, max_size=2), named)
        def posted(body: Any, headers: dict[str, str]) -> None:
            reply = http.post("/mcp", content=json.dumps(body).encode(), headers=SENDS | headers)
            codes[reply.status_code] += 1
            assert reply.status_code < 500, reply.text

        posted()
    assert {200, 400} <= set(codes), codes


@asynccontextmanager
async def listening(desk: Desk) -> AsyncIterator[str]:
    """A server that listens as the command does; its address."""
    server = uvicorn.Server(configuration(http_application(desk), desk.server.settings))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        task = asyncio.ensure_future(server.serve([listener]))
        while not server.started:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            await task


class TestHTTP:
    async def test_a_client(self) -> None:
        desk = desk_of(ScriptedModel(lambda prompt: SOLVED), ServeSettings(grace_seconds=0))
        async with listening(desk) as base:
            for mode in ("auto", "legacy"):
                async with Client(f"{base}/mcp", mode=mode) as mcp:
                    reply = await mcp.call_tool("solve", {"problem": PUZZLE})
                    assert reply.structured_content is not None
                    assert reply.structured_content["status"] == "verified"

    async def test_keys(self) -> None:
        keys = {"alice": Key(sha256=sha256(KEY.encode()).hexdigest(), tokens_per_minute=5)}
        serve = ServeSettings(keys=keys, grace_seconds=0)
        async with listening(desk_of(ScriptedModel(lambda prompt: SOLVED), serve)) as base:
            async with httpx.AsyncClient(base_url=base) as http:
                assert (await http.get("/health")).json() == {"status": "ok"}
                codes = {
                    key: (await http.post("/mcp", json={}, headers={"x-api-key": key})).status_code
                    for key in ("", "x" * 40)
                }
            assert set(codes.values()) == {401}
            headers = {"authorization": f"Bearer {KEY}"}
            async with http_client(headers) as own:
                transport = streamable_http_client(f"{base}/mcp", http_client=own)
                async with Client(transport) as mcp:
                    await mcp.call_tool("solve", {"problem": PUZZLE})
                    again = await mcp.call_tool("solve", {"problem": PUZZLE})
        assert "5 tokens per minute" in again.content[0].text

    async def test_another_hosts_name_and_a_large_body(self) -> None:
        serve = ServeSettings(grace_seconds=0, body_bytes=500, body_seconds=0.3)
        async with listening(desk_of(ScriptedModel(SOLVED), serve)) as base:
            async with httpx.AsyncClient(base_url=base) as http:
                evil = await http.post("/mcp", json={}, headers={"host": "evil.example"})
                large = await http.post("/mcp", content=b" " * 1000, headers=SENDS)
                assert (evil.status_code, large.status_code) == (403, 413)
            host, port = base.removeprefix("http://").split(":")
            reader, writer = await asyncio.open_connection(host, int(port))
            lines = ["POST /mcp HTTP/1.1", "Host: localhost", "Content-Length: 100"]
            lines += [f"{name}: {value}" for name, value in SENDS.items()]
            writer.write("\r\n".join(lines).encode() + b"\r\n\r\n{")
            with pytest.raises((ConnectionResetError, EOFError)):  # its body does not come
                await reader.readexactly(10_000)
            writer.close()

    @pytest.mark.parametrize(
        ("headers", "status"),
        [
            ({"host": "localhost"}, 200),
            ({"host": "LOCALHOST:80"}, 200),
            ({"host": "[::1]"}, 200),
            ({"host": "127.0.0.1", "origin": "http://localhost:3000"}, 200),
            ({"host": "localhost.evil.example"}, 403),
            ({"host": "localhost", "origin": "http://evil.example"}, 403),
            ({"host": "localhost", "origin": "null"}, 403),
        ],
    )
    def test_the_names_of_this_machine(self, headers: dict[str, str], status: int) -> None:
        with TestClient(http_application(desk_of(ScriptedModel(SOLVED)))) as http:
            assert http.post("/mcp", json=HELLO, headers=SENDS | headers).status_code == status

    def test_with_keys_any_name_will_do(self) -> None:
        """Such a server may stand behind a proxy, on this machine."""
        named = {"host": "agents.example", "origin": "https://agents.example", "x-api-key": KEY}
        with TestClient(http_application(keyed(alice=KEY))) as http:
            assert http.post("/mcp", json=HELLO, headers=SENDS | named).status_code == 200

    def test_a_session_is_its_keys_own(self) -> None:
        other = "bobby" * 8
        with TestClient(http_application(keyed(alice=KEY, bob=other))) as http:
            sends = SENDS | {"x-api-key": KEY}
            session = http.post("/mcp", json=HELLO, headers=sends).headers["mcp-session-id"]
            ping = {"jsonrpc": "2.0", "id": 2, "method": "ping"}
            codes = [
                http.post(
                    "/mcp",
                    json=ping,
                    headers=SENDS | {"mcp-session-id": session, "x-api-key": key},
                ).status_code
                for key in (KEY, other, KEY)
            ]
            assert codes == [200, 404, 200]

    def test_a_key_has_so_many_sessions_and_no_more(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The one that it used longest ago ends, and none of another key's."""
        monkeypatch.setattr(sessions.Sessions.__init__, "__defaults__", (2,))
        other = "bobby" * 8
        with TestClient(http_application(keyed(alice=KEY, bob=other))) as http:

            def begin(key: str) -> dict[str, str]:
                sends = SENDS | {"x-api-key": key}
                found = http.post("/mcp", json=HELLO, headers=sends)
                return sends | {"mcp-session-id": found.headers["mcp-session-id"]}

            def there(session: dict[str, str]) -> bool:
                ping = {"jsonrpc": "2.0", "id": 2, "method": "ping"}
                return http.post("/mcp", json=ping, headers=session).status_code == 200

            bobs, first, second = begin(other), begin(KEY), begin(KEY)
            assert there(first)
            third = begin(KEY)
            assert [*map(there, (bobs, first, second, third))] == [True, True, False, True]
            assert http.delete("/mcp", headers=first).status_code == 200
            fourth = begin(KEY)
            assert [*map(there, (first, third, fourth))] == [False, True, True]

    async def test_who_goes_while_it_sends_is_no_error_of_the_server(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level("INFO", "agentflow.server")
        async with listening(
            desk_of(ScriptedModel(SOLVED), ServeSettings(grace_seconds=0))
        ) as base:
            host, port = base.removeprefix("http://").split(":")
            lines = ["POST /mcp HTTP/1.1", f"Host: {host}:{port}", "Content-Length: 100"]
            lines += [f"{name}: {value}" for name, value in SENDS.items()]
            lines += ["mcp-protocol-version: 2026-07-28"]
            _, writer = await asyncio.open_connection(host, int(port))
            writer.write("\r\n".join(lines).encode() + b"\r\n\r\n{")
            await writer.drain()
            writer.close()
            async with asyncio.timeout(600):
                while not (told := [one for one in caplog.records if one.msg == "request"]):  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
        assert [one.fields["status"] for one in told] == [499]  # type: ignore[attr-defined]
        assert "Exception in ASGI application" not in caplog.messages

    async def test_who_goes_ends_the_run(self) -> None:
        model = Counted(lambda prompt: ENDLESS)
        async with listening(desk_of(model, ServeSettings(grace_seconds=0))) as base:
            async with Client(f"{base}/mcp") as mcp:
                call = asyncio.ensure_future(mcp.call_tool("solve", {"problem": PUZZLE}))
                await rises(model)
                call.cancel()
                await asyncio.wait({call})
            await falls(model)
        assert model.streaming == 0


def keyed(**keys: str) -> Desk:
    """A desk of tools that needs a key, for each client its own."""
    held = {name: Key(sha256=sha256(key.encode()).hexdigest()) for name, key in keys.items()}
    return desk_of(ScriptedModel(SOLVED), ServeSettings(keys=held))


SENDS = {"content-type": "application/json", "accept": "application/json, text/event-stream"}


def http_client(headers: dict[str, str]) -> Any:
    """An HTTP client as the SDK has it, with headers."""
    from mcp.shared._httpx_utils import create_mcp_http_client

    return create_mcp_http_client(headers=headers)


_ENDS_AT_NO_LIMIT = """
from agentflow.cli import main
from agentflow.tools.sandbox import client
watch = client.watch
client.watch = lambda pipes, control, limits: watch(pipes, control, client.Limits(1e6, 1e6))
main()
"""


class TestCommand:
    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            (["--port", "0"], "--host and --port need --http"),
            (["--http", "--host", "0.0.0.0"], "can be reached from elsewhere: name keys first"),
            (["--settings", "no-such.toml"], "no-such.toml cannot be read: No such file"),
        ],
    )
    def test_what_it_refuses(self, arguments: list[str], said: str) -> None:
        done = CliRunner().invoke(app, ["mcp", *arguments], env={"AGENTFLOW_API_KEY": ""})
        assert done.exit_code == 2, done.output
        assert said in done.stderr

    def test_without_its_packages(self) -> None:
        code = (
            "import sys; sys.modules['mcp'] = None\n"
            "from agentflow.cli import app; app(['mcp'], prog_name='agentflow')"
        )
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (2, f"error: mcp is missing: {install('mcp')}\n")

    def test_verifiers_take_what_the_file_says_of_all(self, tmp_path: Path) -> None:
        path = tmp_path / "some.toml"
        path.write_text('model = "http://gpu1/v1#Q"\nmax_tokens = 9\n[interwhen]\nk_stable = 2\n')
        found = offered.judges(str(path))
        assert found["flexive"].settings == {"model": "http://gpu1/v1#Q", "max_tokens": 9}
        assert offered.judges(None, "http://gpu2/v1#R")["critic"].settings["model"].endswith("#R")

    @pytest.mark.slow
    async def test_over_stdio_on_the_bundled_model(self, tmp_path: Path) -> None:
        if not embedded.bundled().is_file():
            pytest.skip("no bundled model")
        environment = {"PYTHONPATH": os.pathsep.join(sys.path), "HOME": str(tmp_path)}
        command = StdioServerParameters(
            command=sys.executable, args=["-m", "agentflow", "mcp"], env=environment
        )
        with (tmp_path / "log").open("w+") as log:
            async with Client(stdio_client(command, errlog=log)) as mcp:
                given = {"model": "interwhen/agentflow-pocket", "max_tokens": 400, "seed": 3}
                reply = await mcp.call_tool("solve", {"problem": "1 6 8 12"} | given)
                told = reply.structured_content
                assert told is not None
                assert told["cost"]["solver"]["generated"] > 0
                checked = await mcp.call_tool("verify", {"problem": PUZZLE, "solution": SOLVED})
                assert checked.structured_content is not None
                assert checked.structured_content["status"] == "correct"
            log.seek(0)
            lines = [json.loads(line) for line in log.read().splitlines()]
        assert [line["run"] for line in lines if line["event"] == "tool"] == [told["status"]]
        assert "1 6 8 12" not in json.dumps(lines)

    @pytest.mark.parametrize("how", ["Ctrl-C", "the end of its input"])
    def test_over_stdio_it_ends_at_once_beside_a_program_that_runs(self, how: str) -> None:
        endless = {"code": "while True: pass", "seconds": 60}
        call = {"name": "run_python", "arguments": endless}
        said = [
            HELLO,
            {"jsonrpc": "2.0", "method": "notifications/initialized"},
            {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call},
            {"jsonrpc": "2.0", "id": 3, "method": "ping"},
        ]
        command = [sys.executable, "-c", _ENDS_AT_NO_LIMIT, "mcp", "--sandbox"]
        pipe = subprocess.PIPE
        with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.writelines(f"{json.dumps(one)}\n" for one in said)
            process.stdin.flush()
            while '"id":3' not in process.stdout.readline():
                pass
            if how == "Ctrl-C":
                process.send_signal(signal.SIGINT)
            else:
                process.stdin.close()
            process.wait()
            assert process.stderr is not None
            told = process.stderr.read()
        assert process.returncode == (130 if how == "Ctrl-C" else 0)
        assert told == ("interrupted\n" if how == "Ctrl-C" else "")

    def test_a_client_that_does_not_read_is_no_bug(self) -> None:
        command = [sys.executable, "-m", "agentflow", "mcp"]
        pipe = subprocess.PIPE
        with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdout.close()
            process.stdin.write(f"{json.dumps(HELLO)}\n")
            process.stdin.close()
            assert (process.wait(), process.stderr.read()) == (141, "")

    @pytest.mark.slow
    async def test_over_http_until_sigterm(self) -> None:
        command = [sys.executable, "-m", "agentflow", "mcp", "--http", "--port", "0"]
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(*command, stdout=pipe, stderr=pipe)
        assert process.stdout is not None
        url = (await process.stdout.readline()).decode().strip()
        async with Client(url) as mcp:
            assert len((await mcp.list_tools()).tools) == 3
        process.send_signal(signal.SIGTERM)
        await process.communicate()
        assert process.returncode == 0
