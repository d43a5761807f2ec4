"""Processes that are killed or interrupted, or lose their server for good, and then resumed."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from fake_server import ANSWER, SOLVED, Fake
from forks import COMMAND, Forked, Forks

from agentflow import Trace

pytestmark = pytest.mark.slow

TEXT = f" {'so ' * 60}\n{SOLVED}</think>\n{ANSWER}<|im_end|>"
WRONG = " 1 6 8 12 : 12 - 8 = 5 -> 1 5 6\n"
SECONDS = 0.02
"""Between two tokens of the slow server."""
STEPS = """
async def verify(*_):
    print("verifying", file=sys.stderr, flush=True)
    await asyncio.sleep(60)
StepVerifier.verify = verify
"""
ANSWERS = """
async def verify(*_):
    print("verifying", file=sys.stderr, flush=True)
    await asyncio.sleep(60)
Game24.verify_answer = verify
"""
SDV = ("--method", "solve_detect_verify")
NESTED = (*SDV, "--set", 'ladder=["domain"]', "--set", "detect=false")
SLOWLY = """
import asyncio, sys
from agentflow import cli
from agentflow.domains import Game24
from agentflow.monitors import StepVerifier
{}
cli.main()
"""


class Server:
    """A server that streams slowly, and the commands that use it."""

    def __init__(self, folder: Path, forks: Forks) -> None:
        self.fake = Fake("llamacpp")
        self.fake.reply = self.reply
        self.checkpoints = folder / "threads.sqlite"
        self.seconds = SECONDS
        self.text: Callable[[str], str] = lambda body: TEXT
        self.forks = forks
        self.processes: list[Forked] = []
        self.sent: list[list[int]] = []

    async def reply(self, fake: Fake, response: web.StreamResponse, body: dict[str, Any]) -> None:
        """Go on from wherever the prompt ends."""
        said = "".join(fake.vocabulary[i] for i in body["prompt"]).rpartition("<think>\n")[2]
        whole = self.text(said)
        said = said.rpartition("Wait,")[2].partition("\n")[2] if "Wait," in said else said
        assert whole.startswith(said), "asked to go on from what it did not say"
        sent: list[int] = []
        self.sent.append(sent)
        tokens = fake.tokens(whole.removeprefix(said))
        for (i, _), data in zip(tokens, fake.events(tokens, None), strict=True):
            await response.write(data)
            sent.append(i)
            await asyncio.sleep(self.seconds)
        for data in fake.events([]):
            await response.write(data)

    def start(self, *arguments: str, code: str = COMMAND) -> Forked:
        where = ("--checkpoints", str(self.checkpoints))
        process = self.forks.start(code, *arguments, *where)
        self.processes.append(process)
        return process

    def solve(self, *more: str, code: str = COMMAND) -> Forked:
        arguments = ("solve", "1 6 8 12", "--model", self.fake.url, "--thread", "t")
        return self.start(*arguments, "--method", "interwhen", *more, code=code)

    async def resume(self, *more: str) -> dict[str, Any]:
        """The result of the resumed run."""
        process = self.start("resume", "t", "--json", *more)
        printed, errors = await asyncio.to_thread(process.communicate)
        assert (process.returncode, errors) == (0, "")
        result: dict[str, Any] = json.loads(printed)
        return result

    async def streamed(self, tokens: int, stream: int = 0) -> None:
        """Wait until so many tokens were sent."""
        async with asyncio.timeout(600):
            while len(self.sent) <= stream or len(self.sent[stream]) < tokens:  # noqa: ASYNC110
                await asyncio.sleep(0.01)

    async def journaled(self, what: str) -> None:
        """Wait until it stands in a journal: before that, nothing is promised of it."""
        async with asyncio.timeout(600):
            while not any(what in file.read_text() for file in self.journals()):  # noqa: ASYNC110
                await asyncio.sleep(0.01)

    def written(self) -> int:
        """How many tokens stand in the journals."""
        lines = [line for file in self.journals() for line in file.read_text().splitlines(True)]
        whole = [json.loads(line) for line in lines if line.endswith("\n")]
        return sum(len(line.get("tokens", ())) for line in whole)

    def journals(self) -> list[Path]:
        return list(self.checkpoints.parent.rglob("*.jsonl"))

    def ids(self) -> list[int]:
        """The tokens of the right text."""
        return [i for i, _ in self.fake.tokens(TEXT)]

    def prompts(self) -> list[list[int]]:
        return [request["prompt"] for request in self.fake.requests]


@asynccontextmanager
async def listening(fake: Fake) -> AsyncIterator[TestServer]:
    async with TestServer(fake.app, host="127.0.0.1") as server:
        fake.url = f"http://127.0.0.1:{server.port}/v1"
        yield server


@pytest.fixture
async def server(tmp_path: Path, forks: Forks) -> AsyncIterator[Server]:
    one = Server(tmp_path, forks)
    async with listening(one.fake):
        yield one
    for process in one.processes:
        process.send_signal(signal.SIGKILL)
        process.wait()


async def killed(process: Forked, how: int = signal.SIGKILL) -> str:
    """Kill it; what it wrote to standard error at its end."""
    process.send_signal(how)
    _, errors = await asyncio.to_thread(process.communicate)
    return errors


def body_of(result: dict[str, Any]) -> str:
    return Trace(result["operations"]).body


@pytest.mark.parametrize("method", [(), NESTED], ids=["interwhen", "solve_detect_verify"])
async def test_kill_9_while_it_streams_loses_at_most_a_second(
    server: Server, method: tuple[str, ...]
) -> None:
    """Nothing, that is, of what stood in the journal, and more comes there every half second."""
    process = server.solve(*method)
    await server.streamed(20)
    while (written := server.written()) < 20:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    await killed(process)
    result = await server.resume()
    assert result["status"] == "verified"
    assert body_of(result) == TEXT.removesuffix("<|im_end|>")
    first, second = server.prompts()
    assert second[: len(first)] == first
    kept = second[len(first) :]
    sent = server.sent[0]
    assert kept == sent[: len(kept)]
    assert len(kept) >= written
    again = server.sent[1]
    assert kept + again == server.ids()
    assert result["cost"]["calls"] == 2


async def test_kill_9_again_and_again(server: Server) -> None:
    server.text = lambda body: TEXT if "Wait," in body else WRONG + TEXT
    kills = 0
    process = server.solve()
    while kills < 3:
        await server.streamed(1, stream=len(server.fake.requests) - 1 if kills else 0)
        await asyncio.sleep(0.7)
        if process.poll() is not None:
            break
        await killed(process)
        kills += 1
        process = server.start("resume", "t")
    await asyncio.to_thread(process.communicate)
    assert kills >= 2
    asked = len(server.fake.requests)
    result = await server.resume()
    assert len(server.fake.requests) == asked
    assert (result["status"], result["corrections"]) == ("verified", 1)
    assert body_of(result).endswith(TEXT.removesuffix("<|im_end|>"))
    assert result["cost"]["generated"] >= len(server.ids()) - 1


@pytest.mark.parametrize("slow", [STEPS, ANSWERS], ids=["steps", "answer"])
async def test_kill_9_while_it_verifies_asks_the_solver_nothing(server: Server, slow: str) -> None:
    server.seconds = 0.0
    process = server.solve(code=SLOWLY.format(slow))
    while not process.stderr.read_text().startswith("verifying\n"):
        assert process.poll() is None
        await asyncio.sleep(0.01)
    await server.journaled('"finish"')
    await killed(process)
    assert len(server.fake.requests) == 1
    result = await server.resume()
    assert result["status"] == "verified"
    assert len(server.fake.requests) == 1


async def test_ctrl_c_loses_nothing(server: Server) -> None:
    process = server.solve()
    await server.streamed(30)
    errors = await killed(process, signal.SIGINT)
    command = f"agentflow resume t --checkpoints {server.checkpoints}"
    assert process.returncode == 130
    assert errors == f"interrupted; `{command}` goes on\n"
    result = await server.resume()
    assert result["status"] == "verified"
    first, second = server.prompts()
    kept, sent = second[len(first) :], server.sent[0]
    assert kept == sent[: len(kept)]
    assert len(sent) - len(kept) <= 2  # on their way when it was interrupted
    assert len(kept) >= 30


async def test_a_server_that_dies_for_good_is_told_and_another_goes_on(server: Server) -> None:
    left = Fake("llamacpp")
    left.reply = server.reply
    left.vocabulary = server.fake.vocabulary
    alive, server.fake = server.fake, left
    async with listening(left) as listener:
        process = server.solve("--set", "retries=1")
        await server.streamed(30)
        left.transport.abort()
        await listener.close()
        _, errors = await asyncio.to_thread(process.communicate)
    assert process.returncode == 3
    command = f"agentflow resume t --checkpoints {server.checkpoints}"
    assert errors.startswith(f"error: no server answers at {left.url}")
    assert errors.endswith(f"; `{command}` goes on\n")
    assert errors.count("\n") == 1
    server.fake = alive
    result = await server.resume("--model", alive.url)
    assert result["status"] == "verified"
    assert body_of(result) == TEXT.removesuffix("<|im_end|>")
    (first,), (second,) = ([one["prompt"] for one in fake.requests] for fake in (left, alive))
    sent = server.sent[0]
    assert second[: len(first) + 30] == first + sent[:30]
    assert second[len(first) :] == sent[: len(second) - len(first)]


async def test_two_processes_cannot_run_one_thread(server: Server) -> None:
    process = server.solve()
    await server.streamed(5)
    server.seconds, quick = 0.5, server.seconds  # it streams on while the others begin
    for second in (server.solve(), server.start("resume", "t")):
        _, errors = await asyncio.to_thread(second.communicate)
        assert second.returncode == 2
        assert errors == (
            "error: thread 't' is being run by another process; wait until that has ended, or stop "
            "it\n"
        )
    await killed(process)
    server.seconds = quick
    assert (await server.resume())["status"] == "verified"  # a killed one holds nothing
    assert len(server.fake.requests) == 2
