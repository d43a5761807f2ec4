"""What doctor says of a server's prefix cache."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Any

import pytest

from agentflow import models
from agentflow.doctor import caches, engine
from agentflow.models import Capabilities, Finish, Request, ScriptedModel


@pytest.mark.parametrize(
    ("cached", "ok", "said"),
    [
        (lambda prompt: prompt - 5, True, "takes 1,019 of 1,020 tokens from it"),
        (lambda prompt: 528, True, "takes 528 of 1,020 tokens from it"),
        (lambda prompt: 0, False, "scripted read 1,020 of 1,020 tokens again"),
        (lambda prompt: None, False, "unknown: the server does not tell (vLLM: --enable-prompt-"),
    ],
)
async def test_the_prefix_cache(
    monkeypatch: pytest.MonkeyPatch,
    cached: Callable[[int], int | None],
    ok: bool,
    said: str,
) -> None:
    class Server(ScriptedModel):
        async def stream(self, request: Request) -> AsyncGenerator[Any, None]:
            async for item in super().stream(request):
                told = cached(request.prompt_tokens)
                yield item._replace(cached=told) if isinstance(item, Finish) else item

    async def connect(spec: str, **_: Any) -> ScriptedModel:
        return Server(" word" * 100)

    monkeypatch.setattr(models, "connect", connect)
    answers, *spoken_to, found = await engine("http://somewhere/v1", 60)
    assert answers.ok
    assert {check.name: check.detail for check in spoken_to} == {
        "profile": "pocket: thinks between '<think>' and '</think>'",
        "context": "2,048 tokens",
        "threads": "the server's own",
    }
    assert (found.name, found.ok, found.required) == ("prefix cache", ok, False)
    assert found.detail.startswith(said)


async def test_a_chat_is_not_asked(play: Any) -> None:
    play(" word" * 100, capabilities=Capabilities(continues=False))
    *_, found = await engine("chat:http://somewhere/v1", 60)
    assert found.detail == "not looked at: an API that only chats can be neither probed nor cut"


@pytest.mark.slow
async def test_a_file_has_the_context_and_threads_that_were_asked_for() -> None:
    checks = await engine("embedded?context=1024&threads=1", 600)
    found = {check.name: check.detail for check in checks}
    assert found["context"] == "1,024 tokens"
    assert found["threads"].startswith("1 (cores here: ")
    await models.close_all()


def test_caches_are_named_with_their_size(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))
    monkeypatch.setenv("AGENTFLOW_CHECKPOINTS", str(tmp_path / "t.sqlite"))
    (tmp_path / "hub").mkdir()
    (tmp_path / "hub" / "x").write_bytes(b"0" * 300_000)
    assert {check.name: check.detail for check in caches()} == {
        "converted models": f"none yet ({tmp_path / 'agentflow'})",
        "data sets of the hub": f"0.3 MB ({tmp_path / 'hub'})",
        "threads": f"none yet ({tmp_path / 't.sqlite'})",
    }
