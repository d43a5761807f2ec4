"""No key stands in anything that a run wrote: files, records, errors, output."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
from pathlib import Path
from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from standin import KEY, REQUEST_ID, described, standing
from typer.testing import CliRunner

import agentflow
from agentflow import models
from agentflow.backoff import LONGEST_WAIT, Rest
from agentflow.cli.app import app
from agentflow.errors import BadInput
from agentflow.models.server_errors import with_id
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
    monkeypatch.setenv("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "true")
    spans, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    monkeypatch.setattr(trace, "get_tracer_provider", lambda: provider)
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
    traced = "".join(one.to_json() for one in spans.get_finished_spans())
    assert "invoke_workflow" in traced
    said.append(traced)
    written = everything(tmp_path) + json.dumps(said, default=str).encode() + caplog.text.encode()
    assert len(written) > 1000
    assert KEY.encode() not in written


@pytest.mark.parametrize("name", ["openai", "gemini", "vllm"])
@pytest.mark.parametrize("fault", ["401", "500", "reset", "error event", "content_filter"])
async def test_an_error_names_the_request(
    name: str, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STANDIN_KEY", KEY)
    async with standing(name, faults=[fault]) as standin:
        roles = {"solver": described(standin)}
        try:
            said = (await agentflow.asolve(PUZZLE, "direct", roles=roles, retries=0)).error
        except agentflow.AgentflowError as error:
            said = str(error)
        assert f"[request id: {REQUEST_ID}]" in said
        await models.close_all()


@pytest.mark.parametrize(
    ("headers", "id"),
    [
        ({"request-id": "req_011"}, "req_011"),
        ({"apim-request-id": "a-b"}, "a-b"),
        ({"cf-ray": "9-FRA", "x-request-id": "r"}, "r"),
        ({"x-request-id": f"for {KEY}"}, ""),
        ({"x-request-id": KEY}, ""),
        ({"x-request-id": "x" * 129}, ""),
        ({}, ""),
    ],
)
def test_a_request_id_is_taken_from_any_of_the_headers_in_use(
    headers: dict[str, str], id: str
) -> None:
    error = with_id(BadInput("no"), headers, KEY)
    assert (error.request_id, str(error)) == (id, f"no [request id: {id}]" if id else "no")


async def test_a_server_that_asks_to_be_left_alone_is_by_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nodes that are run again by their retry policy wait as long as ``retry-after`` says."""
    monkeypatch.setenv("STANDIN_KEY", KEY)
    said: list[tuple[str, float | None]] = []
    ask, over = Rest.ask, Rest.over

    def asked(rest: Rest, after: float | None) -> None:
        said.append(("after", after))
        ask(rest, after)

    async def waited(rest: Rest) -> None:
        said.append(("wait", None))
        await over(rest)

    monkeypatch.setattr(Rest, "ask", asked)
    monkeypatch.setattr(Rest, "over", waited)
    async with standing("openai", faults=["429"]) as standin:
        roles = {"verifier": described(standin)}
        solution = ["15 + 27 = 42", "The answer is 42."]
        question = {"text": "What is 15 + 27?"}
        _, entries = await agentflow.ajudge(
            question, solution, "vanilla", domain="math", roles=roles
        )
        await models.close_all()
    assert said[-3:] == [("wait", None), ("after", 0.01), ("wait", None)]
    assert sum(one["calls"] for one in entries.values()) == len(standin.bodies) == 2


async def test_a_rest_is_as_long_as_the_server_says(virtual_time: None) -> None:
    rest, now = Rest(), asyncio.get_running_loop().time
    begun = now()
    await rest.over()
    assert now() == begun
    rest.ask(7.0)
    rest.ask(3.0)
    await asyncio.gather(rest.over(), rest.over())
    assert 7.0 <= now() - begun < 8.0
    rest.ask(1e6)
    await rest.over()
    assert now() - begun < 7.0 + LONGEST_WAIT + 1.0


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
