"""Servers that never end, or send what is no reply: our limits hold on our side."""

from __future__ import annotations

import asyncio
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hostile import BEHAVIOURS, serve_raw, serving
from typer.testing import CliRunner

import agentflow
from agentflow.cli import app
from agentflow.errors import AgentflowError, BadInput, ModelUnavailable
from agentflow.models import Finish, HTTPModel, Request, close_all, complete
from agentflow.run import Result

METHODS: dict[str, dict[str, Any]] = {
    "direct": {},
    "interwhen": {"restarts": 3},
    "early_exit": {},
    "sampling": {"k": 3},
    "solve_detect_verify": {"samples": 3},
    "adaptive_compute": {"iterations": 3},
    "tree_of_thoughts": {},
    "verified_sampling": {"n": 3, "verifier": "verifiagent"},
    "unified": {"n": 3},
}


async def solve(url: str, method: str = "interwhen", **given: Any) -> Result:
    try:
        return await agentflow.asolve("4 7 8 8", method, model=url, retries=0, **given)
    finally:
        await close_all()


@pytest.mark.parametrize("method", METHODS)
async def test_an_endless_stream_ends_at_the_runs_tokens(method: str) -> None:
    async with serving("endless") as (url, _):
        result = await solve(url, method, max_tokens=60, **METHODS[method])
    assert result.status == "exhausted"
    assert "the budget of 60 tokens is spent" in result.reason
    assert result.cost.generated == 60
    assert result.error == ""


@pytest.mark.parametrize("method", METHODS)
async def test_a_stream_without_tokens_ends_at_the_runs_time(method: str) -> None:
    async with serving("empty") as (url, _):
        result = await solve(url, method, timeout=0.5, **METHODS[method])
    assert result.status == "exhausted"
    assert "the time limit of 0.5 s is over" in result.reason
    assert result.cost.generated == 0


@pytest.mark.parametrize("behaviour", ["empty", "pings", "drip", "silent"])
async def test_what_brings_no_token_is_no_progress(behaviour: str) -> None:
    async with serving(behaviour) as (url, _):
        model = HTTPModel(url, idle_timeout=0.3)
        with pytest.raises(AgentflowError, match=r"(no (token|event)|nothing came) for 0\.3 s"):
            await complete(model, Request((1,), 9))
        await model.close()


async def test_a_request_ends_at_its_tokens() -> None:
    async with serving("endless") as (url, _):
        model = HTTPModel(url)
        completion = await complete(model, Request((1,), 7))
        await model.close()
    assert (len(completion.tokens), completion.finish) == (7, Finish("length"))


async def test_what_comes_behind_the_end_is_not_read() -> None:
    async with serving("after_the_end") as (url, _):
        model = HTTPModel(url)
        completion = await complete(model, Request((1,), 50))
        await model.close()
    assert (completion.text, completion.finish.reason) == (" a a a", "stop")


@pytest.mark.parametrize("behaviour", ["one_line", "huge", "gzip"])
async def test_memory_is_bounded(behaviour: str) -> None:
    async with serving(behaviour) as (url, server):
        model = HTTPModel(url)
        tracemalloc.start()
        with pytest.raises(AgentflowError, match=url):
            await complete(model, Request((1,), 100))
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        await model.close()
    assert most < 40_000_000
    assert server.sent < 40_000_000


async def test_no_redirect_is_followed() -> None:
    async with serving("redirect") as (url, server):
        model = HTTPModel(url)
        with pytest.raises(BadInput, match="answered 307: go to /v1/completions"):
            await complete(model, Request((1,), 9))
        await model.close()
    assert server.asked == 1


@pytest.mark.parametrize("line", [b"X-%d: a\r\n", b"a"])
async def test_an_endless_head_is_no_answer(line: bytes) -> None:
    async def head(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\n" + (b"" if b"%d" in line else b"X: "))
        number = 0
        while True:
            number += 1
            writer.write((line % number if b"%d" in line else line) * 100)
            await writer.drain()

    server = await serve_raw(head)
    async with server:
        port = server.sockets[0].getsockname()[1]
        model = HTTPModel(f"http://127.0.0.1:{port}/v1", idle_timeout=0.5)
        with pytest.raises((BadInput, ModelUnavailable)):
            await model.open()
        await model.close()


async def test_an_endless_answer_is_no_answer() -> None:
    async def head(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
        while True:
            writer.write(b" " * 65_536)
            await writer.drain()

    server = await serve_raw(head)
    async with server:
        port = server.sockets[0].getsockname()[1]
        model = HTTPModel(f"http://127.0.0.1:{port}/v1", idle_timeout=30)
        with pytest.raises(BadInput, match="more than 33,554,432 bytes"):
            await model.open()
        await model.close()


class TestCommandLine:
    """As a user meets them; the server runs in a thread's own loop."""

    def run(self, behaviour: str, *arguments: str) -> Any:
        async def main() -> Any:
            async with serving(behaviour) as (url, _):
                return await asyncio.to_thread(
                    CliRunner().invoke, app, [*arguments, "--model", url]
                )

        return asyncio.run(main())

    @pytest.mark.parametrize("behaviour", sorted({*BEHAVIOURS, "gzip", "redirect"}))
    def test_solve(self, behaviour: str) -> None:
        done = self.run(
            behaviour,
            *("solve", "4 7 8 8", "--max-tokens", "40", "--timeout", "2"),
            *("--set", "retries=0", "--set", "idle_timeout=1"),
        )
        assert done.exit_code in (1, 2, 3), done.output
        assert "Traceback" not in done.output

    def test_eval(self, tmp_path: Path) -> None:
        out = str(tmp_path / "records.jsonl")
        done = self.run(
            "endless",
            *("eval", "direct", "sampling", "--out", out, "--limit", "2", "--max-tokens", "30"),
        )
        assert done.exit_code == 0, done.output
        assert "| sampling | 2 |" in done.output
