"""Threads in Postgres, on a private cluster where the machine has the programs for one."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from blockbuster import blockbuster_ctx
from langgraph.graph import START, StateGraph

import agentflow
from agentflow import graphs
from agentflow.api import aresume
from agentflow.arguments import settings_for
from agentflow.checkpoints import open_checkpoints
from agentflow.errors import BadInput, StreamBroken
from agentflow.models import Fault, ScriptedModel
from agentflow.nodes import MODEL_KEY
from agentflow.threads import config_of, graph_of, history, threads
from agentflow.version import install

PUZZLE = "4 7 8 8"
PATH = "8 / 8 = 1 (left: 1 4 7)\n7 - 1 = 6 (left: 4 6)\n4 * 6 = 24 (left: 24)\n"
SOLVED = f"{PATH}</think>\nAnswer: (7 - 8 / 8) * 4 = 24"
WRONG = "8 / 8 = 2 (left: 2 4 7)\n"


def model(corrections: int = 3) -> ScriptedModel:
    """Solves it once it was corrected that often."""
    replies = iter([WRONG] * corrections)
    return ScriptedModel(lambda _: next(replies, SOLVED))


def program(name: str) -> str | None:
    """A program of Postgres; Debian keeps them off the path."""
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return shutil.which(name) or (str(found[-1]) if found else None)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """The database of a cluster that listens on a socket in a folder of its own."""
    pytest.importorskip("psycopg")
    pytest.importorskip("langgraph.checkpoint.postgres")
    initdb, pg_ctl = program("initdb"), program("pg_ctl")
    if initdb is None or pg_ctl is None:
        pytest.skip("Postgres's initdb and pg_ctl are not installed")
    with tempfile.TemporaryDirectory(prefix="pg") as folder:  # short: a socket's path is limited
        account: dict[str, Any] = {}
        if os.geteuid() == 0:  # it refuses to run as root
            account = {"user": "nobody", "group": "nogroup", "extra_groups": []}
            shutil.chown(folder, "nobody", "nogroup")

        def run(*command: str) -> None:
            with open(f"{folder}/output", "ab") as output:
                subprocess.run(
                    command, check=True, stdout=output, stderr=output, cwd=folder, **account
                )

        data = f"{folder}/data"
        run(initdb, "-D", data, "-U", "agentflow", "-A", "trust", "-E", "UTF8", "--no-sync")
        run(pg_ctl, "-D", data, "-w", "-o", f"-h '' -k {folder} -F", "start")
        try:
            yield f"postgresql://agentflow@/postgres?host={folder}"
        finally:
            run(pg_ctl, "-D", data, "-w", "-m", "immediate", "stop")


@pytest.fixture(autouse=True)
def state_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Journals stay here."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.delenv("AGENTFLOW_CHECKPOINTS", raising=False)


async def story(where: str | Path, thread: str) -> list[dict[str, Any]]:
    """A thread's history without what differs from run to run."""
    async with open_checkpoints(where) as checkpoints:
        entries = await history(thread, checkpoints)
    return [{k: v for k, v in one.items() if k not in ("checkpoint", "at")} for one in entries]


async def test_a_run_is_kept(url: str, tmp_path: Path) -> None:
    result = await agentflow.asolve(
        PUZZLE, "interwhen", model=model(), thread="kept", checkpoints=url
    )
    assert (result.status, result.corrections) == ("verified", 3)
    again = await aresume("kept", model=model(), checkpoints=url)
    assert again.as_dict() == result.as_dict()
    async with open_checkpoints(url) as checkpoints:
        listed = {one["thread"]: one["method"] for one in await threads(checkpoints)}
    assert listed["kept"] == "interwhen"
    file = tmp_path / "threads.sqlite"
    await agentflow.asolve(PUZZLE, "interwhen", model=model(), thread="kept", checkpoints=file)
    entries = await story(url, "kept")
    assert entries == await story(file, "kept")
    generated = [one["generated"] for one in entries]
    assert generated == sorted(generated)
    assert len(set(generated)) == 5  # before, and behind each of four streams


async def test_so_it_is_with_snapshots_in_between(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await agentflow.asolve(PUZZLE, "interwhen", model=model(5), thread="none", checkpoints=url)
    plain = await story(url, "none")
    channels = graphs.get("interwhen").graph.channels
    for name in ("operations", "judged", "ledger"):
        monkeypatch.setattr(channels[name], "snapshot_frequency", 3)
    result = await agentflow.asolve(
        PUZZLE, "interwhen", model=model(5), thread="snapshots", checkpoints=url
    )
    again = await aresume("snapshots", model=model(), checkpoints=url)
    assert again.as_dict() == result.as_dict()
    assert await story(url, "snapshots") == plain


async def test_a_run_that_broke_is_resumed(url: str) -> None:
    replies = iter([WRONG, [PATH, Fault(StreamBroken("gone"))], SOLVED.removeprefix(PATH)])
    broken = ScriptedModel(lambda _: next(replies))
    with pytest.raises(StreamBroken):
        await agentflow.asolve(
            PUZZLE, "interwhen", model=broken, thread="broken", checkpoints=url, retries=0
        )
    with pytest.raises(BadInput, match="has not ended"):
        await agentflow.asolve(PUZZLE, "interwhen", model=broken, thread="broken", checkpoints=url)
    result = await aresume("broken", model=broken, checkpoints=url)
    assert (result.status, result.corrections) == ("verified", 1)
    assert result.trace.body.endswith(SOLVED)


async def test_a_thread_is_forked_and_used_again(url: str) -> None:
    solver = model()
    first = await agentflow.asolve(
        PUZZLE, "interwhen", model=solver, thread="fork", checkpoints=url
    )
    async with open_checkpoints(url) as checkpoints:
        entries = await history("fork", checkpoints)
    at = next(one["checkpoint"] for one in entries if one["corrections"] == 2)
    forked = await aresume("fork", model=solver, checkpoints=url, checkpoint=at)
    assert (forked.status, forked.corrections) == ("verified", 2)
    assert len(forked.operations) == len(first.operations) - 3  # the third leg, its cut, the note
    anew = await agentflow.asolve(
        PUZZLE, "interwhen", model=model(0), thread="fork", checkpoints=url
    )
    assert (anew.corrections, len(anew.operations)) == (0, 2)


async def test_it_does_not_block(url: str) -> None:
    settings = settings_for("interwhen")
    async with open_checkpoints(url) as checkpoints:
        graph = graph_of("interwhen", checkpoints)
        config: Any = config_of("async", checkpoints, "interwhen", settings)
        config["configurable"][MODEL_KEY] = model()
        with blockbuster_ctx(scanned_modules=["agentflow", "langgraph", "psycopg"]):
            output = await graph.ainvoke({"problem": PUZZLE}, config, context=settings)
    assert output["result"]["status"] == "verified"


async def test_a_server_that_does_not_answer(tmp_path: Path) -> None:
    pytest.importorskip("psycopg")
    pytest.importorskip("langgraph.checkpoint.postgres")
    with pytest.raises(BadInput, match="Postgres does not answer") as error:
        async with open_checkpoints(f"postgresql://me:secret@/one?host={tmp_path}"):
            pass
    assert "\n" not in str(error.value)
    assert "secret" not in str(error.value)


async def test_the_packages_that_are_missing_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(BadInput, match=re.escape(install("postgres"))):
        async with open_checkpoints("postgresql://localhost/one"):
            pass


async def test_conformance(url: str) -> None:
    """LangGraph's own tests of a checkpointer, each with a database of its own."""
    conformance: Any = pytest.importorskip("langgraph.checkpoint.conformance")
    from psycopg import AsyncConnection

    number = iter(range(1000))

    @conformance.checkpointer_test(name="Postgres")
    async def saver() -> AsyncIterator[Any]:
        name = f"conformance{next(number)}"
        async with await AsyncConnection.connect(url, autocommit=True) as connection:
            await connection.execute(f"CREATE DATABASE {name}")
        async with open_checkpoints(url.replace("/postgres?", f"/{name}?")) as checkpoints:
            yield checkpoints.saver

    report = await conformance.validate(saver)
    assert not {name: one.failures for name, one in report.results.items() if one.failures}
    assert report.passed_all_base()


async def test_a_node_without_a_loop_is_saved_here_too(url: str) -> None:
    """By the saver of the graph around it, with a loop and without one."""
    from langgraph.checkpoint.postgres import PostgresSaver
    from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver

    def solve(state: dict[str, Any]) -> dict[str, Any]:
        return {"said": agentflow.solve(PUZZLE, "interwhen", model=model()).status}

    build = StateGraph(dict).add_node("solve", solve).add_edge(START, "solve")
    with PostgresSaver.from_conn_string(url) as saver:
        await asyncio.to_thread(saver.setup)
        runs = build.compile(checkpointer=saver)
        out = await asyncio.to_thread(runs.invoke, {}, {"configurable": {"thread_id": "sync"}})
        assert out["said"] == "verified"
    async with AsyncPostgresSaver.from_conn_string(url) as there:
        runs = build.compile(checkpointer=there)
        out = await runs.ainvoke({}, {"configurable": {"thread_id": "async"}})
        assert out["said"] == "verified"
