"""The tools of the Model Context Protocol, with the client of its own SDK."""

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
import jsonschema
import pytest
import uvicorn
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from serving import ANSWER, ENDLESS, PUZZLE, SAID, SOLVED, THINKING, Counted, offers, rises
from starlette.testclient import TestClient
from typer.testing import CliRunner

from agentflow.cli import app
from agentflow.domains import names
from agentflow.errors import ModelUnavailable
from agentflow.models import Delay, Fault, ScriptedModel, embedded
from agentflow.server import Offer, ServeSettings, stream
from agentflow.server import offers as offered
from agentflow.server.access import Access
from agentflow.server.endpoint import Server
from agentflow.server.serve import configuration
from agentflow.server.settings import Key
from agentflow.version import install

pytest.importorskip("mcp")

from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from agentflow.server.mcp import Desk, server_of
from agentflow.server.mcp.listen import http_application

KEY = "alice" * 8
BAD = THINKING.replace("4 * 6 = 24", "4 * 6 = 25")


def desk_of(model: ScriptedModel, serve: ServeSettings | None = None, **more: Any) -> Desk:
    serve = serve or ServeSettings()
    once = {"retries": 0}
    judges = {"vanilla": Offer("vanilla", "vanilla", once, model)}
    return Desk(Server(serve, offers(model, **once), Access(serve)), judges, **more)


@asynccontextmanager
async def client(desk: Desk, **more: Any) -> AsyncIterator[Client]:
    async with Client(server_of(desk), **more) as found:
        yield found


async def called(desk: Desk, tool: str, **arguments: Any) -> Any:
    async with client(desk) as mcp:
        return await mcp.call_tool(tool, arguments)


async def refused(desk: Desk, tool: str, **arguments: Any) -> str:
    reply = await called(desk, tool, **arguments)
    assert reply.is_error
    return str(reply.content[0].text)


class TestTools:
    async def test_they_are_listed(self) -> None:
        async with client(desk_of(ScriptedModel(SOLVED))) as mcp:
            tools = {tool.name: tool for tool in (await mcp.list_tools()).tools}
        assert set(tools) == {"solve", "verify", "judge"}
        assert "direct/scripted, interwhen/scripted" in (tools["solve"].description or "")
        assert all(name in (tools["verify"].description or "") for name in names())
        for tool in tools.values():
            assert tool.output_schema is not None
            assert "ctx" not in tool.input_schema["properties"]

    async def test_the_sandbox_is_one_only_where_it_was_asked_for(self) -> None:
        desk = desk_of(ScriptedModel(SOLVED), sandbox=True)
        async with client(desk) as mcp:
            assert "run_python" in {tool.name for tool in (await mcp.list_tools()).tools}
        assert "Unknown tool" in await refused(desk_of(ScriptedModel("")), "run_python", code="1")

    async def test_solve(self) -> None:
        model = ScriptedModel(SOLVED)
        reply = await called(desk_of(model), "solve", problem=PUZZLE, model="interwhen/scripted")
        told = reply.structured_content
        assert (told["status"], told["answer"], told["text"]) == ("verified", ANSWER, SAID)
        assert [one["ok"] for one in told["evidence"]] == [True]
        assert told["cost"]["solver"]["generated"] == model.streamed
        assert json.loads(reply.content[0].text) == told

    async def test_a_seed_a_domain_and_a_budget(self) -> None:
        model = ScriptedModel(lambda prompt: "hm</think>\nIt is \\boxed{4}.")
        given: Any = {"domain": "math", "seed": 7, "max_tokens": 3}
        reply = await called(desk_of(model), "solve", problem="What is 2 + 2?", **given)
        told = reply.structured_content
        assert (told["seed"], told["model"]) == (7, "direct/scripted")
        assert told["cost"]["solver"]["generated"] <= 3

    @pytest.mark.parametrize(
        ("solution", "status", "wrong"),
        [
            (SOLVED, "correct", None),
            (f"{BAD}</think>\n{SAID}", "incorrect", 2),
            ("hm", "undecided", None),
        ],
    )
    async def test_verify(self, solution: str, status: str, wrong: int | None) -> None:
        model = ScriptedModel(SOLVED)
        reply = await called(desk_of(model), "verify", problem=PUZZLE, solution=solution)
        told = reply.structured_content
        assert (told["status"], told["first_wrong_step"]) == (status, wrong)
        assert bool(told["reason"]) == (status != "correct")
        assert model.streamed == 0

    async def test_judge(self) -> None:
        model = ScriptedModel(lambda prompt: '{"is_correct": false, "error": "a slip"}')
        desk = desk_of(model)
        given = {"problem": PUZZLE, "solution": SAID, "verifier": "vanilla"}
        told = (await called(desk, "judge", **given)).structured_content
        assert told["status"] in ("correct", "incorrect", "undecided")
        assert sum(role["generated"] for role in told["cost"].values()) == model.streamed > 0
        assert "there are: vanilla" in await refused(desk, "judge", problem="x", solution="y")

    async def test_a_program(self) -> None:
        desk = desk_of(ScriptedModel(SOLVED), sandbox=True)
        reply = await called(desk, "run_python", code="ans = data + 1", data=41)
        if reply.is_error:
            pytest.skip(reply.content[0].text)
        told = reply.structured_content
        assert (told["ok"], told["value"], told["error"]) == (True, 42, None)
        told = (await called(desk, "run_python", code="1 / 0")).structured_content
        assert (told["ok"], told["error"]) == (False, "line 1: ZeroDivisionError: division by zero")


class TestLimits:
    @pytest.mark.parametrize(
        ("tool", "arguments", "said"),
        [
            ("solve", {"problem": "hello"}, "game24: 'hello' is not"),
            ("solve", {"problem": " "}, "problem: it is empty"),
            ("solve", {"problem": "4 " * 2000}, "problem: over 2,000 bytes"),
            ("solve", {"problem": PUZZLE, "model": "x"}, "no model 'x'"),
            ("solve", {"problem": PUZZLE, "domain": "x"}, "unknown domain 'x'"),
            (
                "solve",
                {"problem": PUZZLE, "settings": {"tools": {}}},
                "agentflow.tools: clients do",
            ),
            ("solve", {"problem": PUZZLE, "max_tokens": 0}, "max_tokens"),
            ("solve", {}, "problem"),
            ("verify", {"problem": "hello", "solution": "x"}, "game24: 'hello' is not"),
            ("verify", {"problem": PUZZLE, "solution": "x", "domain": "x"}, "unknown domain 'x'"),
            ("judge", {"problem": PUZZLE, "solution": "x", "domain": "x"}, "unknown domain 'x'"),
            ("judge", {"problem": PUZZLE, "solution": ""}, "solution: it is empty"),
        ],
    )
    async def test_what_cannot_be_asked_for_is_named(
        self, tool: str, arguments: Any, said: str
    ) -> None:
        desk = desk_of(ScriptedModel(SOLVED), ServeSettings(body_bytes=2000))
        if tool == "judge":
            arguments = arguments | {"verifier": "vanilla"}
        assert said in await refused(desk, tool, **arguments)

    async def test_seconds(self) -> None:
        desk = desk_of(ScriptedModel(lambda _: [THINKING, Delay(30)]), ServeSettings(seconds=0.3))
        told = (await called(desk, "solve", problem=PUZZLE)).structured_content
        assert told["reason"] == "the limit of 0.3 seconds is over"
        given = {"problem": PUZZLE, "solution": SAID, "verifier": "vanilla"}
        told = (await called(desk, "judge", **given)).structured_content
        assert (told["status"], told["reason"]) == (
            "undecided",
            "the limit of 0.3 seconds is over",
        )

    async def test_runs_at_once_and_tokens_per_minute(self) -> None:
        model = Counted(lambda prompt: SOLVED)
        model.gate = asyncio.Event()
        desk = desk_of(model, ServeSettings(concurrency=1, tokens_per_minute=5))
        async with client(desk) as mcp:
            first = asyncio.ensure_future(mcp.call_tool("solve", {"problem": PUZZLE}))
            await rises(model)
            second = await mcp.call_tool("solve", {"problem": PUZZLE})
            model.gate.set()
            assert not (await first).is_error
            third = await mcp.call_tool("solve", {"problem": PUZZLE})
        assert "limit of 1 requests at once" in second.content[0].text
        assert "limit of 5 tokens per minute" in third.content[0].text

    async def test_a_model_that_does_not_answer(self) -> None:
        """No server of the operator's is named."""
        fault = Fault(ModelUnavailable("http://gpu1:8000/v1 is down"))
        desk = desk_of(ScriptedModel(lambda prompt: [fault]))
        for tool, more in (("solve", {}), ("judge", {"solution": SAID, "verifier": "vanilla"})):
            said = await refused(desk, tool, problem=PUZZLE, **more)
            assert "the model's server does not answer" in said
            assert "gpu1" not in said

    async def test_a_bug_shows_nothing(self) -> None:
        def broken(prompt: str) -> str:
            raise RuntimeError(f"with {prompt}")

        said = await refused(desk_of(ScriptedModel(broken)), "solve", problem=PUZZLE)
        assert PUZZLE not in said

    @pytest.mark.parametrize("mode", ["auto", "legacy"])
    @pytest.mark.parametrize("tool", ["solve", "judge"])
    async def test_who_cancels_ends_the_run(self, mode: str, tool: str) -> None:
        model = Counted(lambda prompt: ENDLESS)
        more = {"solution": SAID, "verifier": "vanilla"} if tool == "judge" else {}
        async with client(desk_of(model), mode=mode) as mcp:
            call = asyncio.ensure_future(mcp.call_tool(tool, {"problem": PUZZLE} | more))
            await rises(model)
            call.cancel()
            await asyncio.wait({call})
            async with asyncio.timeout(600):
                while model.streaming:  # noqa: ASYNC110
                    await asyncio.sleep(0.01)

    async def test_progress(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(stream, "BEAT_SECONDS", 0.05)
        told: list[tuple[float, str | None]] = []

        async def heard(progress: float, total: float | None, message: str | None) -> None:
            told.append((progress, message))

        async with client(desk_of(ScriptedModel([Delay(1), SOLVED]))) as mcp:
            await mcp.call_tool("solve", {"problem": PUZZLE}, progress_callback=heard)
        assert [number for number, _ in told] == [*range(1, len(told) + 1)]
        assert "working; " in (told[0][1] or "")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.just(PUZZLE) | st.just(SOLVED),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(), inner, max_size=2),
    max_leaves=4,
)
NAMES = st.sampled_from(["problem", "solution", "model", "domain", "seed", "settings", "verifier"])


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(["solve", "verify", "judge", "x"]), st.dictionaries(NAMES, JSON))
async def test_any_arguments(tool: str, arguments: dict[str, Any]) -> None:
    """A reply that fits the schema, or an error that a model can read; never a failure of ours."""
    server = server_of(desk_of(ScriptedModel(lambda prompt: SOLVED)))
    async with Client(server) as mcp:
        reply = await mcp.call_tool(tool, arguments)
        schemas = {one.name: one.output_schema for one in (await mcp.list_tools()).tools}
    if reply.is_error:
        said = reply.content[0].text  # type: ignore[union-attr]
        assert said
        assert said != f"Error executing tool {tool}"
    else:
        jsonschema.validate(reply.structured_content, schemas[tool] or {})


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

    async def test_who_goes_ends_the_run(self) -> None:
        model = Counted(lambda prompt: ENDLESS)
        async with listening(desk_of(model, ServeSettings(grace_seconds=0))) as base:
            async with Client(f"{base}/mcp") as mcp:
                call = asyncio.ensure_future(mcp.call_tool("solve", {"problem": PUZZLE}))
                await rises(model)
                call.cancel()
                await asyncio.wait({call})
            async with asyncio.timeout(600):
                while model.streaming:  # noqa: ASYNC110
                    await asyncio.sleep(0.01)


SENDS = {"content-type": "application/json", "accept": "application/json, text/event-stream"}


def http_client(headers: dict[str, str]) -> Any:
    """An HTTP client as the SDK has it, with headers."""
    from mcp.shared._httpx_utils import create_mcp_http_client

    return create_mcp_http_client(headers=headers)


class TestCommand:
    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            (["--port", "0"], "--host and --port need --http"),
            (["--http", "--host", "0.0.0.0"], "can be reached from elsewhere: name keys first"),
            (["--settings", "no-such.toml"], "cannot read the settings file"),
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
