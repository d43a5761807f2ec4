"""``agentflow serve``: what it refuses, and a server of its own process."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner

from agentflow.cli import app
from agentflow.models import embedded
from agentflow.version import install

MODEL = "interwhen/agentflow-pocket"


def refused(*arguments: str) -> str:
    done = CliRunner().invoke(app, ["serve", *arguments], env={"AGENTFLOW_API_KEY": ""})
    assert done.exit_code == 2, done.output
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
    return done.stderr


@pytest.mark.parametrize("host", ["", " ", "[]"])
def test_a_blank_host_is_named(host: str) -> None:
    assert "serve: host: it is blank; name an address" in refused("--host", host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.org"])
def test_only_loopback_without_keys(host: str) -> None:
    assert "can be reached from elsewhere: name keys first" in refused("--host", host)


def test_an_address_in_use() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert f"cannot listen on 127.0.0.1:{port}: " in refused("--port", str(port))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    assert "x.toml cannot be read: No such file" in refused("--settings", str(tmp_path / "x.toml"))


@pytest.mark.parametrize("command", ["serve", "mcp"])
def test_errors_name_the_command(command: str) -> None:
    done = CliRunner().invoke(app, [command, "--model", "nope"], env={"AGENTFLOW_SETTINGS": None})
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"error: agentflow {command}: model 'nope'")


def test_without_its_packages() -> None:
    code = (
        "import sys; sys.modules['starlette'] = None\n"
        "from agentflow.cli import app; app(['serve'], prog_name='agentflow')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == f"error: starlette is missing: {install('server')}\n"


@pytest.fixture
def served() -> Iterator[tuple[subprocess.Popen[str], str]]:
    if not embedded.bundled().is_file():
        pytest.skip("no bundled model")
    command = [sys.executable, "-m", "agentflow", "serve", "--port", "0"]
    environment = {key: one for key, one in os.environ.items() if not key.startswith("AGENTFLOW")}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=environment) as process:
        assert process.stdout is not None
        yield process, process.stdout.readline().strip()
        process.kill()


def asked(seed: int, **more: Any) -> dict[str, Any]:
    message = {"role": "user", "content": "1 6 8 12"}
    return {"model": MODEL, "messages": [message], "seed": seed, "max_tokens": 300} | more


@pytest.mark.slow
async def test_clients_that_stay_and_clients_that_go(served: Any) -> None:
    """Nothing runs on for those that went, the log is JSON, and SIGTERM ends the process."""
    process, url = served
    chance = random.Random(1)

    async def goes(http: httpx.AsyncClient, seed: int) -> None:
        work = http.post(f"{url}/chat/completions", json=asked(seed, stream=seed % 2 == 0))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(work, chance.uniform(0.01, 0.1))

    async def stays(http: httpx.AsyncClient, seed: int) -> Any:
        return (await http.post(f"{url}/chat/completions", json=asked(seed))).json()

    async with httpx.AsyncClient(timeout=600) as http:
        first = await stays(http, 0)
        assert first["agentflow"]["status"] in ("verified", "abstained", "exhausted")
        await asyncio.gather(*[goes(http, seed) for seed in range(1, 13)])
        replies = await asyncio.gather(*[stays(http, seed) for seed in range(4)])
        assert all(reply["usage"]["completion_tokens"] > 0 for reply in replies)
        async with asyncio.timeout(600):
            while True:
                told = (await http.get(f"{url[:-3]}/metrics")).text
                if "agentflow_running 0.0" in told:
                    break
        assert f'agentflow_runs_total{{model="{MODEL}",status="disconnected"}}' in told
    process.send_signal(signal.SIGTERM)
    _, log = await asyncio.to_thread(process.communicate, timeout=600)
    assert process.returncode == 0
    lines = [json.loads(line) for line in log.splitlines()]
    assert {line["run"] for line in lines if "run" in line} >= {"disconnected"}
    assert "1 6 8 12" not in log
