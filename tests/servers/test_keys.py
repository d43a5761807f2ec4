"""No key stands in anything that a run wrote: files, records, errors, output."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
from pathlib import Path
from typing import Any

import pytest
from standin import KEY, described, standing
from typer.testing import CliRunner

import agentflow
from agentflow import models
from agentflow.cli.app import app
from agentflow.errors import BadInput
from agentflow.settings import Server, Settings, checked

PUZZLE = "4 7 8 8"


def everything(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("fault", [None, "401", "reset", "500", "error event"])
async def test_a_run_writes_no_key(
    fault: str | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setenv("STANDIN_KEY", KEY)
    caplog.set_level(logging.DEBUG)
    said: list[Any] = []
    async with standing("openai", faults=[fault] * 2) as standin:
        try:
            result = await agentflow.asolve(
                PUZZLE,
                "interwhen",
                roles={"solver": described(standin)},
                thread="one",
                checkpoints=tmp_path / "threads.db",
                retries=0,
                on_event=said.append,
            )
            said.append(result.as_dict())
        except agentflow.AgentflowError as error:
            said += [str(error), repr(error), repr(error.__cause__)]
        await models.close_all()
    written = everything(tmp_path) + json.dumps(said, default=str).encode() + caplog.text.encode()
    assert len(written) > 1000
    assert KEY.encode() not in written


def test_the_command_line_writes_no_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page of a run, and the output of one whose server repeats the key in its error."""
    monkeypatch.setenv("STANDIN_KEY", KEY)
    monkeypatch.chdir(tmp_path)
    started, done, found = threading.Event(), threading.Event(), list[str]()

    def serve() -> None:
        async def main() -> None:
            async with standing("openai", faults=[None, "401"]) as standin:
                found.append(json.dumps(described(standin)))
                started.set()
                await asyncio.to_thread(done.wait)

        asyncio.run(main())

    thread = threading.Thread(target=serve)
    thread.start()
    started.wait()
    server = json.loads(found[0])
    lines = "\n".join(f"{key} = {json.dumps(value)}" for key, value in server.items())
    (tmp_path / "agentflow.toml").write_text(f"[roles.solver]\n{lines}\n")
    said = b""
    for number in range(2):
        run = CliRunner().invoke(
            app,
            f"solve|{PUZZLE}|--method|direct|--settings|agentflow.toml|--html|run{number}.html".split(
                "|"
            ),
        )
        said += run.output.encode() + repr(run.exception).encode()
    done.set()
    thread.join()
    assert b"verified" in said
    assert b"answered 401" in said
    assert (tmp_path / "run0.html").stat().st_size > 1000
    assert KEY.encode() not in everything(tmp_path) + said


@pytest.mark.parametrize(
    "url",
    [
        "https://me:secret@host/v1",
        "chat:https://me:secret@host/v1#m",
        "https://host/v1?api_key=secret",
        "https://host/v1?a=b&token=secret",
    ],
)
def test_a_secret_in_a_url_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(BadInput, match="stands in the URL") as raised:
        checked(Settings, {"roles": {"solver": url}}, "settings")
    assert "secret" not in str(raised.value)
    for make in (lambda: Server(at=url), lambda: Settings(model=url)):
        with pytest.raises(ValueError, match="key_env") as wrong:
            make()
        assert "secret" not in str(wrong.value)
