"""Leases on servers: the least busy, none that is lost, and patience for what comes back."""

from __future__ import annotations

import asyncio
import errno
import os
import random
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentflow import backoff, models
from agentflow.domains import Game24
from agentflow.errors import AgentflowError, BadInput, ModelUnavailable, StreamBroken
from agentflow.evaluation import runner
from agentflow.evaluation.records import Arm, whole_lines
from agentflow.evaluation.runner import Record, load, run
from agentflow.evaluation.servers import Place, Servers
from agentflow.models import Fault, ScriptedModel, embedded
from agentflow.models.model import Finish, Request, Token

LINES = " 1 6 8 12 : 12 - 8 = 4 -> 1 4 6\n 1 4 6 : 6 * 4 = 24 -> 1 24\n 1 24 : 24 * 1 = 24 -> 24\n"
SOLVED = f"{LINES}</think>\nAnswer: ( 6 * ( 12 - 8 ) ) * 1 = 24\n"
DIRECT = Arm("direct", "direct", {"retries": 0})
PUZZLE = Game24().parse("1 6 8 12")


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backoff, "FIRST_WAIT", 0.01)


async def there() -> str:
    return "here"


def places(count: int) -> list[Place]:
    return [Place(str(number), there) for number in range(count)]


@given(st.integers(1, 4), st.integers(1, 3), st.integers(0, 1000))
def test_no_server_has_more_than_its_room_and_all_are_used_evenly(
    count: int, room: int, seed: int
) -> None:
    chance = random.Random(seed)
    servers = Servers(places(count), room, 0)

    async def sample() -> None:
        async with servers.lease() as place:
            assert place.busy <= room
            others = [one.busy for one in servers.places if one is not place]
            assert place.busy <= min(others, default=place.busy) + 1
            for _ in range(chance.randrange(3)):
                await asyncio.sleep(0)

    async def many() -> None:
        await asyncio.wait_for(asyncio.gather(*(sample() for _ in range(20))), 600)

    asyncio.run(many())
    assert [place.busy for place in servers.places] == [0] * count


async def test_leases_go_round() -> None:
    servers = Servers(places(3), 2, 0)
    async with AsyncExitStack() as stack:
        taken = [await stack.enter_async_context(servers.lease()) for _ in range(6)]
    assert [place.at for place in taken] == ["0", "1", "2", "0", "1", "2"]


@pytest.mark.usefixtures("virtual_time")
async def test_servers_that_are_not_there_yet_are_waited_for_side_by_side() -> None:
    loop, told = asyncio.get_running_loop(), list[str]()
    started = loop.time()

    async def check() -> str:
        if loop.time() - started < 30:
            raise ModelUnavailable("nobody there")
        return "here"

    async def never() -> str:
        raise ModelUnavailable("nobody at b")

    late = Servers([Place("a", check), Place("b", check)], 1, 60, told.append)
    assert await late.model() == "here"
    assert told == ["nobody there; waiting up to 60 s"] * 2
    assert 30 <= loop.time() - started < 45
    started = loop.time()
    with pytest.raises(ModelUnavailable, match="nobody at b"):
        await Servers([Place("a", check), Place("b", never)], 1, 60).model()
    assert 60 <= loop.time() - started < 75
    with pytest.raises(ModelUnavailable, match="nobody at b"):
        await Servers([Place("b", never)], 1, 0, told.append).model()
    assert len(told) == 2


@pytest.mark.usefixtures("virtual_time")
async def test_a_lost_server_gets_nothing_until_it_answers() -> None:
    back = asyncio.Event()

    async def check() -> str:
        if not back.is_set():
            raise ModelUnavailable("nobody there")
        return "here"

    told: list[str] = []
    servers = Servers([Place("a", check), Place("b", there)], 9, 60, told.append)
    servers.lose(servers.places[0])
    async with servers.lease() as one, servers.lease() as other:
        assert (one.at, other.at) == ("b", "b")
        await asyncio.sleep(0.05)
        assert told == ["nobody there; waiting up to 60 s"]
        back.set()
        await asyncio.sleep(0.05)
        async with servers.lease() as third:
            assert third.at == "a"
    await servers.close()


@pytest.mark.parametrize(
    ("error", "patience", "says"),
    [
        (ModelUnavailable("nobody there"), 0.05, r"no server is left .*up to 0 s.*: nobody there"),
        (BadInput("it serves b, not 'a'"), 60, r"no server is left.*: it serves b, not 'a'"),
    ],
)
async def test_why_all_were_given_up_is_said(
    error: AgentflowError, patience: float, says: str
) -> None:
    async def check() -> str:
        raise error

    servers = Servers([Place("a", check)], 1, patience)
    servers.lose(servers.places[0])
    with pytest.raises(ModelUnavailable, match=says):
        async with asyncio.timeout(600), servers.lease():
            pytest.fail("there is none")


async def test_a_lost_server_that_comes_back_with_another_model_is_given_up() -> None:
    models = iter(["a", "a", "b"])

    async def check() -> str:
        return next(models)

    servers = Servers([Place("http://a", check)], 1, 60)
    assert await servers.model() == "a"
    servers.lose(servers.places[0])
    async with asyncio.timeout(600), servers.lease() as place:
        servers.lose(place)
    with pytest.raises(ModelUnavailable, match="http://a: its model was a, and is b now"):
        async with asyncio.timeout(600), servers.lease():
            pytest.fail("there is none")


async def test_whoever_waits_is_told_however_the_search_ends() -> None:
    async def check() -> str:
        raise ZeroDivisionError  # a bug of ours, and no end of the world

    place = Place("a", check)
    servers = Servers([place], 1, 60)
    servers.lose(place)
    lost = place.lost
    assert lost is not None
    async with asyncio.timeout(600), servers.lease() as again:
        assert again is place
    with pytest.raises(ZeroDivisionError):
        await lost


class Flaky(ScriptedModel):
    """Breaks now and then; while it is down it cannot be opened."""

    def __init__(self, seed: int) -> None:
        super().__init__(SOLVED)
        self.chance = random.Random(seed)

    async def stream(self, request: Request) -> AsyncGenerator[Token | Finish, None]:
        if self.chance.random() < 0.2:
            raise ModelUnavailable("down")
        count = 0
        async for item in super().stream(request):
            if self.chance.random() < 0.002 and count:
                raise StreamBroken("reset")
            count += 1
            yield item


async def test_a_flaky_server_costs_attempts_and_no_results(tmp_path: Path) -> None:
    records = await run([DIRECT], [PUZZLE], range(30), tmp_path / "r", model=Flaky(1))
    steady = await run([DIRECT], [PUZZLE], range(30), tmp_path / "s", model=ScriptedModel(SOLVED))
    failed = [record for record in records if record.status == "failed"]
    assert len(failed) < 5
    kept = {record.seed: record.text for record in records if record.status != "failed"}
    assert kept == {r.seed: r.text for r in steady if r.seed in kept}


async def test_a_run_that_breaks_three_times_failed(tmp_path: Path) -> None:
    broken = ScriptedModel([" 1 6", Fault(StreamBroken("reset"))])
    (record,) = await run([DIRECT], [PUZZLE], [0], tmp_path / "r", model=broken)
    assert (record.status, record.error, len(broken.requests)) == ("failed", "reset", 3)


class Killed(BaseException):
    pass


@settings(max_examples=15)
@given(st.lists(st.integers(1, 6), max_size=4), st.sampled_from([1, 3]))
def test_a_run_that_is_interrupted_anywhere_comes_to_the_same_records(
    stops: list[int], concurrency: int
) -> None:
    import tempfile

    arms = [DIRECT, Arm("interwhen", "interwhen")]

    def records(folder: Path, stops: list[int]) -> list[Record]:
        out = folder / "r.jsonl"
        for after in [*stops, None]:
            seen = 0

            def stop(record: Record, after: int | None = after) -> None:
                nonlocal seen
                seen += 1
                if seen == after:
                    raise Killed

            model = ScriptedModel(SOLVED)
            running = run(
                arms,
                [PUZZLE],
                range(4),
                out,
                model=model,
                concurrency=concurrency,
                settings={"cache": False},
                on_record=stop,
            )
            try:
                asyncio.run(running)  # type: ignore[arg-type]
            except Killed:
                with out.open("a") as file:  # a line that was being written
                    file.write('{"arm": "dir')
        lines = [line for line in whole_lines(out) if "describes" not in line]
        assert len(lines) == 8  # each once
        found = sorted(load(out), key=lambda r: (r.arm, r.seed))
        return [replace(record, seconds=0) for record in found]

    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        assert records(Path(one), stops) == records(Path(other), [])


async def test_a_full_disk_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write, left = os.write, 3

    def full(file: int, data: bytes) -> int:
        """Half a line goes on the disk, then nothing; there is room again at the fourth try."""
        nonlocal left
        if left and data.startswith(b'{"arm"'):
            return write(file, data[: len(data) // 2])
        if left and not data.startswith(b"{"):
            left -= 1
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(file, data)

    monkeypatch.setattr(os, "write", full)
    told: list[str] = []
    out = tmp_path / "r.jsonl"
    options: dict[str, Any] = {"patience": 30, "tell": told.append}
    await run([DIRECT], [PUZZLE], range(3), out, model=ScriptedModel(SOLVED), **options)
    assert left == 0
    assert len(told) == 1
    assert "No space left" in told[0]
    assert [record.seed for record in load(out)] == [0, 1, 2]


async def test_a_disk_that_stays_full_is_said_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, model = tmp_path / "r.jsonl", ScriptedModel(SOLVED)
    await run([DIRECT], [PUZZLE], [0], out, model=model)
    before = out.read_text()

    def full(file: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", full)
        with pytest.raises(BadInput, match=r"No space left .*is whole, and can be gone on with"):
            await run([DIRECT], [PUZZLE], range(3), out, model=model)
    assert out.read_text() == before
    assert len(await run([DIRECT], [PUZZLE], range(3), out, model=model)) == 3


async def test_samples_are_taken_as_there_is_room(tmp_path: Path) -> None:
    """A hundred thousand samples do not stand in memory as a hundred thousand tasks."""
    peak = 0

    def count(record: Record) -> None:
        nonlocal peak
        peak = max(peak, len(asyncio.all_tasks()))

    seeds = range(200)
    await run(
        [DIRECT],
        [PUZZLE],
        seeds,
        tmp_path / "r",
        model=ScriptedModel(SOLVED),
        concurrency=4,
        on_record=count,
    )
    assert peak < 20


async def test_arms_of_several_servers_are_known_by_the_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = {"http://a/v1": "m", "http://b/v1": "m", "http://c/v1": "other"}
    asked: list[str] = []

    async def connect(at: str, **options: Any) -> ScriptedModel:
        return ScriptedModel(SOLVED, name=names[at])

    async def engine(arm: Arm, problem: Any, seed: int, model: Any, keep: runner.Keep) -> Record:
        asked.append(model)
        await asyncio.sleep(0)
        return runner.failed(arm, problem, seed, ValueError("not run"))

    monkeypatch.setattr(runner.models, "connect", connect)
    out = tmp_path / "r"
    two = ["http://a/v1", "http://b/v1"]
    await run([DIRECT], [PUZZLE], range(4), out, servers=two, engine=engine)
    assert sorted(asked) == ["http://a/v1"] * 2 + ["http://b/v1"] * 2
    assert '"model": "m"' in out.read_text()
    await run(
        [DIRECT], [PUZZLE], range(4), out, servers=two[:1], engine=engine, settings={"cache": True}
    )
    with pytest.raises(BadInput, match="different models: m, other"):
        await run([DIRECT], [PUZZLE], [0], out, servers=list(names), engine=engine)


@pytest.mark.slow
async def test_a_model_file_gets_an_engine_a_core_and_its_runs_stay_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Runs side by side are on engines of their own, and give what they give one by one."""
    if not embedded.bundled().is_file():
        pytest.skip("the bundled model is not here")
    monkeypatch.setattr(embedded, "cores", lambda: 2)
    started, seen = embedded.serve, set[object]()

    async def watched(arm: Arm, *rest: Any) -> Record:
        seen.add(rest[2])
        return await ran_here(arm, *rest)

    ran_here = runner.run_here
    monkeypatch.setattr(runner, "run_here", watched)
    arms = [replace(DIRECT, name=name, settings={"max_tokens": 48}) for name in "abcd"]
    found = {}
    for at_once in (1, 4):
        out = tmp_path / str(at_once)
        records = await run(
            arms,
            [PUZZLE],
            [0],
            out,
            model="embedded",
            concurrency=at_once,
            settings={"cache": False},
            engine=watched,
        )
        found[at_once] = {record.arm: (record.text, record.tokens) for record in records}
    assert found[1] == found[4]
    assert seen == {"embedded", started(embedded.bundled(), copy=1)}
    await models.close_all()


def test_only_a_model_file_gets_more_engines_than_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "cores", lambda: 3)
    assert [models.engines("embedded", most) for most in (1, 2, 9)] == [1, 2, 3]
    assert models.engines("some.gguf", 9) == 3
    for other in ("http://localhost:8000/v1", "chat:https://x/v1#y", "lc:a:b", None, object()):
        assert models.engines(other, 9) == 1
