"""Threads: what is written down, resumed, forked, looked back at, and refused."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from legs import PUZZLE, Script, entries, story, told

import agentflow
from agentflow import BadInput, Paused, Result, run
from agentflow import checkpoints as checkpoints_module
from agentflow import threads as threads_module
from agentflow.api import aresume, asolve, astream, astream_resumed
from agentflow.checkpoints import Checkpoints, NoThreads, default_checkpoints, open_checkpoints
from agentflow.errors import ModelUnavailable, StreamBroken
from agentflow.models import Fault, ScriptedModel
from agentflow.models.scripted import Reply
from agentflow.nodes.journal import thread_folder
from agentflow.threads import graph_of, history, threads

# What is kept


async def finished(file: Path, legs: Sequence[str] = (), thread: str = "t", **more: Any) -> Result:
    return await asolve(
        PUZZLE, "interwhen", model=Script(legs), thread=thread, checkpoints=file, **more
    )


async def unfinished(file: Path, thread: str = "t", **more: Any) -> None:
    """A thread whose server is gone, behind the first correction."""

    class Leaving(Script):
        def reply(self, prompt: str) -> Reply:
            if "Wait," in prompt:
                return [Fault(StreamBroken("the server left"))]
            return super().reply(prompt)

    with pytest.raises(StreamBroken):
        await asolve(
            PUZZLE,
            "interwhen",
            model=Leaving(["wrong step"]),
            thread=thread,
            checkpoints=file,
            retries=0,
            **more,
        )


async def test_a_resumed_run_begins_with_what_stands(tmp_path: Path) -> None:
    await unfinished(tmp_path / "t")
    events: list[dict[str, Any]] = []
    result = await aresume(
        "t", checkpoints=tmp_path / "t", model=Script(["wrong step"]), on_event=events.append
    )
    assert result.status == "verified"
    assert result.corrections == 1
    assert "".join(one["text"] for one in events if one["type"] == "token") == result.trace.body
    entries: dict[str, Any] = {}
    for one in events:
        entries |= one["entries"] if one["type"] == "usage" else {}
    assert entries == result.ledger


async def test_an_ended_run_gives_its_result_again(tmp_path: Path) -> None:
    first = await finished(tmp_path / "t", ["wrong step"])
    model = Script([])
    again = await aresume("t", checkpoints=tmp_path / "t", model=model)
    assert again == first
    assert model.requests == []


async def test_a_thread_used_again_carries_nothing_on(tmp_path: Path) -> None:
    await finished(tmp_path / "t", ["wrong step", "late"])
    second = await finished(tmp_path / "t")
    assert told(second) == told(await asolve(PUZZLE, "interwhen", model=Script([])))


async def test_settings_come_back_with_the_thread(tmp_path: Path) -> None:
    await unfinished(tmp_path / "t", max_corrections=1, temperature=0.25)
    model = Script(["wrong step", "wrong step"])
    result = await aresume("t", checkpoints=tmp_path / "t", model=model)
    assert result.status == "abstained"
    assert result.corrections == 1
    assert {asked.sampling.temperature for asked in model.requests} == {0.25}


async def test_journals_are_gone_when_the_run_has_ended(tmp_path: Path) -> None:
    file = tmp_path / "t"
    await unfinished(file)
    async with open_checkpoints(file) as opened:
        assert list(thread_folder(opened.journals, "t").iterdir())
        await aresume("t", checkpoints=opened, model=Script(["wrong step"]))
        assert not thread_folder(opened.journals, "t").exists()


async def test_a_run_left_by_its_reader_can_be_resumed_at_once(tmp_path: Path) -> None:
    """Leaving the stream of events ends the run, before anything that it rests on is closed."""
    plain = await asolve(PUZZLE, "interwhen", model=Script(["late"]))
    for number in range(1, 8):
        file, seen = tmp_path / str(number), 0
        model = Script(["late"])
        async with aclosing(
            astream(PUZZLE, "interwhen", model=model, thread="t", checkpoints=file)
        ) as events:
            async for _ in events:
                seen += 1
                if seen == number:
                    break
        assert len(asyncio.all_tasks()) == 1
        asked = model.streamed
        await asyncio.sleep(0)
        assert model.streamed == asked
        async with aclosing(astream_resumed("t", checkpoints=file, model=Script(["late"]))) as more:
            async for item in more:
                if isinstance(item, Result):
                    assert told(item, sums=False) == told(plain, sums=False)


# Forks


async def test_a_fork_goes_on_from_a_checkpoint_with_a_journal_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "t"
    await unfinished(file)  # what it streamed behind the correction is in a journal
    async with open_checkpoints(file) as opened:
        before = await history("t", opened)
        journals = sorted(one.name for one in thread_folder(opened.journals, "t").iterdir())
    begun = next(one for one in before if one["next"] == ["solve"])
    model = Script(["late"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("agentflow.api.forget_journals", lambda *_: None)
        result = await aresume("t", checkpoints=file, model=model, checkpoint=begun["checkpoint"])
    assert told(result) == told(
        await asolve(PUZZLE, "interwhen", model=Script(["late"]), retries=0)
    )
    assert len(model.requests) == 2
    async with open_checkpoints(file) as opened:
        after = await history("t", opened)
        now = sorted(one.name for one in thread_folder(opened.journals, "t").iterdir())
    assert [one["checkpoint"] for one in after[: len(before)]] == [
        one["checkpoint"] for one in before
    ]
    assert set(journals) < set(now)
    assert after[-1]["what"] == f"verified {result.answer}"
    ended = await aresume("t", checkpoints=file, model=Script([]))
    assert ended.answer == result.answer


async def test_an_ended_run_may_be_forked_from_its_middle(tmp_path: Path) -> None:
    file = tmp_path / "t"
    await finished(file, ["wrong step", "wrong answer"])
    refined = [one for one in await entries(file) if one["next"] == ["solve"]][1]
    model = Script(["wrong step", "late"])
    result = await aresume("t", checkpoints=file, model=model, checkpoint=refined["checkpoint"])
    assert told(result) == told(
        await asolve(PUZZLE, "interwhen", model=Script(["wrong step", "late"]))
    )
    assert len(model.requests) == 2
    listed = await entries(file)
    assert sum(one["what"].startswith("verified") for one in listed) == 2
    assert {one["run"] for one in listed} == {1}
    assert [one["forked"] for one in listed if one["forked"]] == [refined["checkpoint"]]


# Looking back


async def test_history_tells_what_happened(tmp_path: Path) -> None:
    result = await finished(tmp_path / "t", ["wrong step"])
    found = await story(tmp_path / "t")
    assert found[0] == ("prepare", 0, 0, "begun")
    assert [one[0] if len(one) > 3 else "end" for one in found] == [
        *("prepare", "solve", "refine", "solve", "verify", "finish", "end"),
    ]
    assert found[2][3] == "step_verifier: 8 / 8 is 1 , not 2"
    assert found[4][3] == "answered"
    assert found[-1] == (result.cost.generated, 1, "verified (7 - 8 / 8) * 4")
    times = [one["at"] for one in await entries(tmp_path / "t")]
    assert times == sorted(times)


async def test_history_counts_the_tokens_of_all_samples(tmp_path: Path) -> None:
    model = ScriptedModel("8 / 8 = 1\n</think>\nAnswer: \\boxed{(7 - 8 / 8) * 4}")
    file = tmp_path / "t"
    async with open_checkpoints(file) as kept:
        result = await asolve(PUZZLE, "sampling", model=model, thread="t", checkpoints=kept, k=3)
        counts = [one["generated"] for one in await history("t", kept)]
    assert counts[0] == 0
    assert counts[-1] == result.cost.generated > 3 * 10


async def test_threads_are_listed_newest_first(tmp_path: Path) -> None:
    for name in ("one", "two", "three"):
        await finished(tmp_path / "t", thread=name)
    await finished(tmp_path / "t", thread="one")
    async with open_checkpoints(tmp_path / "t") as opened:
        assert await threads(opened) == [
            {"thread": name, "method": "interwhen", "began": found["began"]}
            for name, found in zip(("three", "two", "one"), await threads(opened), strict=True)
        ]


# Names


NAMES = [
    "a/b",
    "..",
    ".",
    "../../x",
    "ü→🎈",
    "with space",
    "-x",
    "x" * 300,
    "A",
    "a",
    "a.lock",
    "%",
]


async def test_a_name_may_hold_anything_printable(tmp_path: Path) -> None:
    """Each thread is its own, and none reaches outside the folder of journals."""
    home = tmp_path / "home"
    beside = tmp_path / "beside"
    beside.write_text("mine")
    names = [*NAMES, "x" * 299 + "y"]
    for name in names:
        await unfinished(home / "t", thread=name)
    assert len({thread_folder(home, name).name.lower() for name in names}) == len(names)
    async with open_checkpoints(home / "t") as opened:
        assert {one["thread"] for one in await threads(opened)} == set(names)
    for left, name in zip(range(len(names) - 1, -1, -1), names, strict=True):
        result = await aresume(name, checkpoints=home / "t", model=Script(["wrong step"]))
        assert result.status == "verified"
        folders = [one for one in (home / "t.journals").iterdir() if one.is_dir()]
        assert len(folders) == left
    assert beside.read_text() == "mine"
    assert {one.name.partition("-")[0] for one in home.iterdir()} <= {"t", "t.journals"}


@pytest.mark.parametrize("name", ["", "\n", "a\x00b", "\ud800"])
async def test_what_is_no_name(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadInput, match="cannot be the name of a thread"):
        await finished(tmp_path / "t", thread=name)
    with pytest.raises(BadInput, match="cannot be the name of a thread"):
        await aresume(name, checkpoints=tmp_path / "t")


# Refusals


async def test_a_thread_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(NoThreads, match="t: there is no such file of threads"):
        await aresume("nope", checkpoints=tmp_path / "t")
    assert not os.listdir(tmp_path)
    async with open_checkpoints(tmp_path / "t") as opened:
        with pytest.raises(BadInput, match="no thread 'nope'"):
            await history("nope", opened)
        assert await threads(opened) == []
    lists = r"no thread 'nope' in .*t; `agentflow history --checkpoints .*t` lists them"
    with pytest.raises(BadInput, match=lists):
        await aresume("nope", checkpoints=tmp_path / "t")


async def test_a_checkpoint_that_is_not_there(tmp_path: Path) -> None:
    await finished(tmp_path / "t")
    with pytest.raises(BadInput, match="thread 't' has no checkpoint 'nope'"):
        await aresume("t", checkpoints=tmp_path / "t", checkpoint="nope")


async def test_a_thread_of_another_method(tmp_path: Path) -> None:
    await finished(tmp_path / "t")
    with pytest.raises(BadInput, match="belongs to method interwhen, not direct; name another"):
        await asolve(PUZZLE, "direct", model=Script([]), thread="t", checkpoints=tmp_path / "t")


async def test_a_thread_of_another_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await unfinished(tmp_path / "t")
    monkeypatch.setattr(threads_module, "STATE_VERSION", run.STATE_VERSION + 1)
    for refused in (
        aresume("t", checkpoints=tmp_path / "t", model=Script([])),
        finished(tmp_path / "t"),
        entries(tmp_path / "t"),
    ):
        with pytest.raises(BadInput, match=r"another version of agentflow .*its state has version"):
            await refused


async def test_a_thread_that_something_else_began(tmp_path: Path) -> None:
    async with open_checkpoints(tmp_path / "t") as opened:
        graph = graph_of("interwhen", opened)
        with pytest.raises(BadInput):
            await graph.ainvoke({"problem": "4"}, {"configurable": {"thread_id": "t"}})
        assert await threads(opened) == []
    for refused in (
        aresume("t", checkpoints=tmp_path / "t"),
        finished(tmp_path / "t"),
        entries(tmp_path / "t"),
    ):
        with pytest.raises(BadInput, match="was not begun by agentflow"):
            await refused


async def test_an_unfinished_run_is_not_run_over(tmp_path: Path) -> None:
    await unfinished(tmp_path / "t", thread="my run")
    goes_on = "has not ended; `agentflow resume 'my run' --checkpoints .*t` goes on"
    with pytest.raises(BadInput, match=goes_on):
        await finished(tmp_path / "t", thread="my run")


async def test_a_run_that_never_began_holds_no_thread(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="needs four numbers"):
        await asolve("4 7", "interwhen", model=Script([]), thread="t", checkpoints=tmp_path / "t")
    with pytest.raises(ModelUnavailable):
        await asolve(
            PUZZLE,
            "interwhen",
            model="http://127.0.0.1:9/v1",
            thread="t",
            checkpoints=tmp_path / "t",
        )
    assert (await finished(tmp_path / "t")).status == "verified"
    await agentflow.models.close_all()


async def test_another_model_cannot_go_on(tmp_path: Path) -> None:
    await unfinished(tmp_path / "t")
    other = ScriptedModel("", name="other")
    with pytest.raises(BadInput, match="the run began on scripted, and other cannot go on"):
        await aresume("t", checkpoints=tmp_path / "t", model=other)
    assert other.requests == []


async def test_one_run_at_a_time(tmp_path: Path) -> None:
    async with (
        open_checkpoints(tmp_path / "t") as opened,
        aclosing(
            astream(PUZZLE, "interwhen", model=Script([]), thread="t", checkpoints=opened)
        ) as events,
    ):
        await anext(events)
        with pytest.raises(BadInput, match="thread 't' is being run by another process"):
            await aresume("t", checkpoints=tmp_path / "t")
        with pytest.raises(BadInput, match="is being run by another process"):
            await finished(tmp_path / "t")
        assert (await finished(tmp_path / "t", thread="other")).status == "verified"
    assert (await aresume("t", checkpoints=tmp_path / "t", model=Script([]))).status == "verified"


# A person in the loop


async def test_a_pause_is_told_and_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "t"
    with pytest.raises(Paused, match="thread 't' is paused") as caught:
        await finished(file, ["wrong step"], review=True)
    assert caught.value.question["reason"] == "8 / 8 is 1 , not 2"
    assert (await entries(file))[-1]["what"] == "paused"
    for said in ("", " ", False, 24, {"text": "no"}):
        with pytest.raises(BadInput, match=r"thread 't' cannot be told"):
            await aresume("t", checkpoints=file, model=Script(["wrong step"]), reply=said)
    result = await aresume("t", checkpoints=file, model=Script(["wrong step"]), reply="Wait, no.")
    assert result.status == "verified"
    assert "Wait, no.\n" in result.trace.body
    with pytest.raises(BadInput, match="is not paused: there is nothing to reply to"):
        await aresume("t", checkpoints=file, model=Script([]), reply="Wait, no.")


async def test_a_pause_is_accepted_without_a_reply(tmp_path: Path) -> None:
    with pytest.raises(Paused):
        await finished(tmp_path / "t", ["wrong step"], review=True)
    result = await aresume("t", checkpoints=tmp_path / "t", model=Script(["wrong step"]))
    assert told(result) == told(await asolve(PUZZLE, "interwhen", model=Script(["wrong step"])))


# Where threads are kept


@pytest.mark.parametrize("kind", ["folder", "text", "below a file", "device"])
async def test_a_place_that_cannot_be_used(tmp_path: Path, kind: str) -> None:
    (tmp_path / "text").write_text("this is no database\n" * 100)
    place = {
        "folder": tmp_path,
        "text": tmp_path / "text",
        "below a file": tmp_path / "text" / "t",
        "device": Path("/proc/nope/t"),
    }[kind]
    with pytest.raises(BadInput, match=f"{re.escape(str(place))}: cannot be used as a database"):
        await finished(place)
    assert (tmp_path / "text").read_text().startswith("this is no database")


async def test_journals_that_cannot_be_kept_are_told(tmp_path: Path) -> None:
    (tmp_path / "t.journals").write_text("")
    with pytest.raises(BadInput, match=r"t\.journals: cannot keep journals there"):
        await finished(tmp_path / "t")


def test_the_default_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("AGENTFLOW_CHECKPOINTS", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert default_checkpoints() == str(tmp_path / "agentflow" / "threads.sqlite")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for beside_here in ("", "state", "./state"):  # threads would be lost in another folder
        monkeypatch.setenv("XDG_STATE_HOME", beside_here)
        usual = tmp_path / "home" / ".local" / "state" / "agentflow" / "threads.sqlite"
        assert default_checkpoints() == str(usual)
    monkeypatch.setenv("AGENTFLOW_CHECKPOINTS", "elsewhere")
    assert default_checkpoints() == "elsewhere"


async def test_a_databases_journals_stay_in_the_state_folder_without_its_password(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    @asynccontextmanager
    async def connected(url: str) -> AsyncIterator[None]:
        yield None

    monkeypatch.setattr(checkpoints_module, "_postgres", connected)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("AGENTFLOW_CHECKPOINTS", "postgresql://me:secret@host/one")
    async with open_checkpoints() as one, open_checkpoints("postgresql://host/two") as two:
        assert one.where == "host/one"
        assert one.journals.parent == two.journals.parent == tmp_path / "agentflow"
        assert one.journals != two.journals
        assert one.command("resume", "t") == "agentflow resume t"
        assert "secret" not in str(one)
    async with open_checkpoints("postgresql://me:sec:ret@host/two") as two:
        assert two.command("history") == "agentflow history --checkpoints postgresql://me@host/two"
        assert "sec" not in str(two)


def test_checkpoints_may_be_shared_by_many_threads_at_once(tmp_path: Path) -> None:
    async def all_of_them(opened: Checkpoints) -> list[Result]:
        runs = (
            asolve(PUZZLE, "interwhen", model=Script(["late"]), thread=str(i), checkpoints=opened)
            for i in range(6)
        )
        return list(await asyncio.gather(*runs))

    async def check() -> None:
        plain = await asolve(PUZZLE, "interwhen", model=Script(["late"]))
        async with open_checkpoints(tmp_path / "t") as opened:
            for result in await all_of_them(opened):
                assert told(result) == told(plain)

    asyncio.run(check())
