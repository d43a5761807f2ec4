"""Which server a role gets: short forms, fallbacks, keys, profiles."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import AsyncIterator
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from agentflow import models
from agentflow.errors import BadInput, ModelUnavailable
from agentflow.graphs import get
from agentflow.models import (
    ChatAPI,
    HTTPModel,
    Request,
    RewardModel,
    ScriptedModel,
    complete,
    connect,
)
from agentflow.nodes import MODEL_KEY
from agentflow.profile import PROFILES
from agentflow.settings import Server, Settings


class Fake:
    """A server that lists one model and otherwise only refuses; it can be stopped and started."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.asked: list[str] = []
        self.keys: list[str | None] = []
        self.refuses = 501
        self.context = 1_000_000
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}/v1"
        self.server: TestServer | None = None

    async def start(self) -> Fake:
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", self.answer)
        self.server = TestServer(app, host="127.0.0.1", port=self.port)
        await self.server.start_server()
        return self

    async def stop(self) -> None:
        if self.server is not None:
            await self.server.close()
            self.server = None

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(request.path)
        self.keys.append(request.headers.get("Authorization"))
        if request.path == "/v1/models":
            return web.json_response({"data": [{"id": self.name, "max_model_len": self.context}]})
        status = 404 if request.path == "/tokenize" else self.refuses
        return web.json_response({"error": {"message": "no"}}, status=status)


@pytest.fixture
async def fakes() -> AsyncIterator[tuple[Fake, Fake]]:
    """Two servers, not yet started."""
    pair = Fake("first-model"), Fake("second-model")
    yield pair
    await models.close_all()
    for fake in pair:
        await fake.stop()


def servers(*given: Any) -> tuple[Server, ...]:
    return tuple(Server.model_validate(one) for one in given)


async def test_there_is_one_client_a_server_and_timeout(fakes: tuple[Fake, Fake]) -> None:
    first, _ = fakes
    await first.start()
    client = await connect(first.url)
    assert await connect(servers(first.url)) is client
    assert await connect(first.url, idle_timeout=5) is not client
    assert await connect(f"{first.url}#first-model") is not client
    assert first.asked.count("/v1/models") == 3


async def test_many_at_once_share_a_client(fakes: tuple[Fake, Fake]) -> None:
    await fakes[0].start()
    clients = await asyncio.gather(*(connect(fakes[0].url) for _ in range(5)))
    assert len(set(map(id, clients))) == 1
    assert fakes[0].asked.count("/v1/models") == 1


async def test_the_first_that_answers_is_used(fakes: tuple[Fake, Fake]) -> None:
    first, second = fakes
    both = servers(first.url, second.url)
    await second.start()
    assert (await connect(both)).name == "second-model"
    await first.start()
    assert (await connect(both)).name == "second-model"  # the first is passed over for a while
    assert (await connect(servers(first.url))).name == "first-model"


async def test_a_server_that_failed_is_asked_again_later(
    fakes: tuple[Fake, Fake], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = fakes
    both = servers(first.url, second.url)
    await second.start()
    await connect(both)
    await first.start()
    monkeypatch.setattr(models, "_REST", 0.0)
    assert (await connect(both)).name == "first-model"


async def test_a_server_that_failed_is_asked_at_once_where_no_other_answers(
    fakes: tuple[Fake, Fake],
) -> None:
    first, second = fakes
    both = servers(first.url, second.url)
    await second.start()
    await connect(both)
    await second.stop()
    await first.start()
    assert (await connect(both, idle_timeout=5)).name == "first-model"


@pytest.mark.parametrize("kind", ["chat:", ""])
async def test_one_that_dies_is_left_at_the_next_use(fakes: tuple[Fake, Fake], kind: str) -> None:
    first, second = fakes
    both = servers(kind + first.url, kind + second.url)
    await first.start()
    await second.start()
    client = await connect(both)
    assert client.name == "first-model"
    await first.stop()
    prompt = client.profile.render("Q")
    with pytest.raises(ModelUnavailable):
        await complete(client, Request("".join(piece.text for piece in prompt), 5))
    assert (await connect(both)).name == "second-model"


async def test_where_none_answers_each_is_named_with_its_reason(fakes: tuple[Fake, Fake]) -> None:
    first, second = fakes
    with pytest.raises(ModelUnavailable) as caught:
        await connect(servers(first.url, second.url))
    message = str(caught.value)
    assert message.startswith("none of 2 servers can be used: no server answers at " + first.url)
    assert f"; no server answers at {second.url}" in message
    with pytest.raises(ModelUnavailable, match=re.escape(f"no server answers at {first.url}")):
        await connect(first.url)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"name": "third-model"}, "serves first-model, not 'third-model'"),
        ({"key_env": "AGENTFLOW_TEST_KEY"}, "variable AGENTFLOW_TEST_KEY, which is not set"),
        ({"at": "nope"}, "unknown model 'nope'"),
        ({"at": "none.gguf"}, "none.gguf: no such model file"),
    ],
)
async def test_a_fallback_does_not_hide_a_mistake(
    fakes: tuple[Fake, Fake], wrong: dict[str, Any], says: str
) -> None:
    first, second = fakes
    await first.start()
    await second.start()
    with pytest.raises(BadInput, match=says):
        await connect(servers({"at": first.url} | wrong, second.url))
    assert second.asked == []


async def test_the_key_comes_from_the_environment(
    fakes: tuple[Fake, Fake], monkeypatch: pytest.MonkeyPatch
) -> None:
    await fakes[0].start()
    monkeypatch.setenv("AGENTFLOW_TEST_KEY", "s3cret\n")
    for api in ("completions", "chat"):
        (server,) = servers({"at": fakes[0].url, "key_env": "AGENTFLOW_TEST_KEY", "api": api})
        await connect([server])
        assert "s3cret" not in repr(server)
    assert set(fakes[0].keys) == {"Bearer s3cret"}


async def test_kind_profile_and_context(fakes: tuple[Fake, Fake]) -> None:
    await fakes[0].start()
    at = {"at": fakes[0].url}
    assert type(await connect(servers(at))) is HTTPModel
    assert type(await connect(f"chat:{fakes[0].url}")) is ChatAPI
    assert type(await connect(f"reward:{fakes[0].url}")) is RewardModel
    model = await connect(servers(at | {"profile": "pocket"}))
    assert model.profile == PROFILES["pocket"]
    for context, expected in ((1000, 1000), (10**6, 2048)):
        model = await connect(servers(at | {"profile": "pocket", "context": context}))
        assert (model.profile.name, model.profile.context) == ("pocket", expected)


async def test_a_model_of_raw_completions_is_asked_not_to_think(fakes: tuple[Fake, Fake]) -> None:
    await fakes[0].start()
    at = {"at": fakes[0].url, "profile": "qwen3"}
    thinks = await connect(servers(at))
    for _ in range(2):
        model = await connect(servers(at | {"effort": "none"}))
        assert model.profile == PROFILES["qwen3"].at_once
    assert thinks.profile == PROFILES["qwen3"]


async def test_nor_does_it_think_behind_a_restart_of_its_server(fakes: tuple[Fake, Fake]) -> None:
    await fakes[0].start()
    at = {"at": fakes[0].url, "effort": "none"}  # whose profile is asked of the server again
    model = await connect(servers(at))
    before = model.profile
    model._lost = True  # type: ignore[attr-defined]
    await model.open()
    assert model.profile == before == before.at_once


async def test_the_context_of_the_settings_outlasts_a_restart(fakes: tuple[Fake, Fake]) -> None:
    await fakes[0].start()
    for more in ({}, {"profile": "pocket"}, {"effort": "none"}):
        model = await connect(servers({"at": fakes[0].url, "context": 1000} | more))
        assert model.profile.context == 1000
        model._lost = True  # type: ignore[attr-defined]
        await model.open()
        assert model.profile.context == 1000


async def test_a_longer_context_behind_a_restart_is_used(fakes: tuple[Fake, Fake]) -> None:
    await fakes[0].start()
    fakes[0].context = 1024
    model = await connect(servers({"at": fakes[0].url, "profile": "qwen3"}))
    assert model.profile.context == 1024
    fakes[0].context = 2048
    model._lost = True  # type: ignore[attr-defined]
    await model.open()
    assert model.profile.context == 2048


async def test_settings_say_who_solves(fakes: tuple[Fake, Fake]) -> None:
    """A role's servers take the place of ``model``; an injected object that of both."""
    graph = get("direct").graph
    settings = Settings(model=fakes[0].url, roles={"solver": fakes[1].url})  # type: ignore[dict-item]
    solved = "</think>\nAnswer: (7 - 8 / 8) * 4"
    scripted = ScriptedModel(solved)
    for given in (scripted, {"solver": scripted}):
        config = {"configurable": {MODEL_KEY: given}}
        state = await graph.ainvoke({"problem": "4 7 8 8"}, config, context=settings)
        assert state["result"]["answer"] == "(7 - 8 / 8) * 4"
    await fakes[1].start()
    fakes[1].refuses = 400
    for config in ({}, {"configurable": {MODEL_KEY: {"verifier": scripted}}}):
        with pytest.raises(BadInput, match=re.escape(f"{fakes[1].url}/completions answered 400")):
            await graph.ainvoke({"problem": "4 7 8 8"}, config, context=settings)
