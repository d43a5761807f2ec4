"""What doctor says of a server's prefix cache."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from typing import Any

import pytest

from agentflow import models
from agentflow.doctor import engine
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
    answers, found = await engine("http://somewhere/v1", 60)
    assert answers.ok
    assert (found.name, found.ok, found.required) == ("prefix cache", ok, False)
    assert found.detail.startswith(said)


async def test_a_chat_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    async def connect(spec: str, **_: Any) -> ScriptedModel:
        return ScriptedModel(" word" * 100, capabilities=Capabilities(continues=False))

    monkeypatch.setattr(models, "connect", connect)
    _, found = await engine("chat:http://somewhere/v1", 60)
    assert found.detail == "not looked at: an API that only chats can be neither probed nor cut"
