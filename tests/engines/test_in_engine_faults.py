"""Our plugin where things go wrong: an engine that is killed, requests by the thousand."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from importlib.util import find_spec
from pathlib import Path

import aiohttp
import pytest
from vllm_server import BLOCK, SMALL

from agentflow.errors import ModelUnavailable, StreamBroken
from agentflow.models import HTTPModel, Request, in_engine
from agentflow.models.serve import serve
from agentflow.profile import Sampling

if find_spec("vllm") is None:
    pytest.skip("vLLM is not installed: make test-vllm", allow_module_level=True)

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
ROOT = Path(__file__).parents[2]
GREEDY = Sampling(temperature=0.0, top_p=1.0, top_k=0)


def test_nothing_is_kept_of_thousands_of_requests() -> None:
    """Probes, ended streams and aborted ones; the benchmark counts what the plugin holds."""
    script = ROOT / "benchmarks" / "in_engine_memory.py"
    command = [sys.executable, str(script), "--requests", "1000"]
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        command, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": path}
    )
    print(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]


def descendants(pid: int) -> Iterator[tuple[int, str]]:
    """The processes below one, with their names."""
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in map(int, (task / "children").read_text().split()):
            yield child, Path(f"/proc/{child}/comm").read_text().strip()
            yield from descendants(child)


async def events(url: str) -> AsyncIterator[dict[str, str]]:
    """Those of a method that runs in the server's process."""
    body = {"problem": "4 7 8 8", "method": "direct", "settings": {"temperature": 2.0}}
    async with (
        aiohttp.ClientSession() as session,
        session.post(f"{url}/agentflow", json=body) as reply,
    ):
        async for line in reply.content:
            if line.startswith(b"data: {"):
                yield json.loads(line.removeprefix(b"data: "))


async def test_an_engine_that_is_killed_is_a_clear_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (SMALL | {"XDG_CACHE_HOME": str(tmp_path)}).items():
        monkeypatch.setenv(name, value)
    options = ["--enforce-eager", "--dtype", "float32", "--block-size", str(BLOCK)]
    with serve("vllm", port=0, options=options, patience=840) as served:
        model = HTTPModel(served.url, idle_timeout=120)
        await model.open()
        prompt = await model.tokenize(model.profile.render("game24: 4 7 8 8"))
        stop = await in_engine.stop_for(model, least=1900, budget=1900)
        ask = in_engine._ask(model, stop=stop)
        (engine,) = [p for p, name in descendants(served.process.pid) if "EngineCor" in name]
        async with (
            aclosing(model.stream(Request(prompt, 1900, GREEDY, ask=ask))) as stream,
            aclosing(events(served.url)) as beside,
        ):
            await anext(stream)
            os.kill(engine, signal.SIGSTOP)  # neither can end before it is killed
            await anext(beside)
            os.kill(engine, signal.SIGKILL)
            # The connection is cut, or the server still says that its engine is gone.
            said = "is the server still running|EngineCore encountered"
            with pytest.raises(StreamBroken, match=said):
                async for _ in stream:
                    pass
            last = [event async for event in beside][-1]
            assert last["type"] in ("result", "error"), last
            assert "the engine failed" in json.dumps(last)
        said = r"no server answers|the stream broke|EngineCore encountered"
        with pytest.raises(ModelUnavailable, match=said):
            await in_engine.probe(model, prompt, ("entropy",))
        await model.close()
        await asyncio.to_thread(served.process.wait)  # it ends by itself
    other = HTTPModel(served.url)
    with pytest.raises(ModelUnavailable, match="no server answers"):
        await other.open()
    await other.close()
