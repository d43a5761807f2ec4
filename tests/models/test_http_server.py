"""Servers that are found, refused, lost and found again by the HTTP engine, and runs on them."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from fake_server import ANSWER, SOLVED, SPECIAL, Fake, broken, connected, free_port, two

import agentflow
from agentflow import models
from agentflow.errors import BadInput, ModelUnavailable
from agentflow.models import HTTPModel, Request, complete
from agentflow.models.connection import seconds
from agentflow.models.http import only_model
from agentflow.profile import Piece

Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]


@asynccontextmanager
async def asking(answer: Answer, base: str = "/v1", **more: Any) -> AsyncIterator[HTTPModel]:
    """The client of a server that answers so when it is asked for its models."""
    app = web.Application()
    app.router.add_get(f"{base}/models", answer)
    async with TestServer(app, host="127.0.0.1") as server:
        model = HTTPModel(f"http://127.0.0.1:{server.port}{base}", **more)
        yield model
        await model.close()


# Opening


async def test_another_server_on_the_same_port_is_asked_what_it_is() -> None:
    """The first one falls; the next one is another engine, with another model and other ids."""
    first, port = Fake("llamacpp"), free_port()
    first.reply = first.says("Yes")
    async with connected(first, port) as model:
        await complete(model, Request((1,), 5))
    with pytest.raises(ModelUnavailable, match="no server answers"):
        await complete(model, Request((1,), 5))
    with pytest.raises(ModelUnavailable, match="no server answers"):
        await model.tokenize([Piece("</think>", special=True)])
    second = Fake("vllm")
    second.names = ["qwen3"]
    second.vocabulary = SPECIAL[::-1]
    second.reply = second.says("a</think>b")
    async with TestServer(second.app, host="127.0.0.1", port=port):
        assert await model.tokenize([Piece("</think>", special=True)]) == (0,)
        assert (await complete(model, Request((1,), 5))).text == "a</think>b"
        assert second.requests[0]["model"] == model.name == "qwen3"
        assert second.requests[0]["return_token_ids"] is True
        await model.close()


async def test_a_refused_connection_names_the_url() -> None:
    url = f"http://127.0.0.1:{free_port()}/v1"
    model = HTTPModel(url)
    with pytest.raises(ModelUnavailable, match=re.escape(url)):
        await model.open()
    await model.close()


@pytest.mark.parametrize("url", ["http://", "http://[bad", "http://localhost:99999999/v1"])
async def test_what_is_no_url(url: str) -> None:
    model = HTTPModel(url)
    with pytest.raises(BadInput, match="not a URL"):
        await model.open()
    await model.close()


@pytest.mark.parametrize(
    ("body", "kind", "says"),
    [
        ("<html>Welcome</html>", "text/html", "not JSON"),
        ("[]", "application/json", "lists no models"),
        ('{"data": [{"name": "x"}]}', "application/json", "lists no models"),
        ('{"data": []}', "application/json", "lists no model"),
        ('{"data": null}', "application/json", "lists no models"),
        ('{"data": [{"id": "a"}, {"id": "b"}]}', "application/json", r"\(a, b\); name one .*#a"),
    ],
)
async def test_what_is_no_model_server(body: str, kind: str, says: str) -> None:
    async def answer(request: web.Request) -> web.Response:
        return web.Response(text=body, content_type=kind)

    async with asking(answer) as model:
        with pytest.raises(BadInput, match=says) as caught:
            await model.open()
        assert model.base_url in str(caught.value)


async def test_what_does_not_speak_http() -> None:
    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"SSH-2.0-OpenSSH_9.6\r\n")
        writer.close()

    server = await asyncio.start_server(greet, "127.0.0.1", 0)
    model = HTTPModel(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1")
    with pytest.raises(BadInput, match="does not speak HTTP"):
        await model.open()
    await model.close()
    server.close()


async def test_an_answer_that_breaks_off_is_worth_a_retry() -> None:
    async def half(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Length": "100"})
        await response.prepare(request)
        await response.write(b'{"data"')
        await asyncio.sleep(0.05)
        assert request.transport is not None
        request.transport.abort()
        return response

    async with asking(half) as model:
        with pytest.raises(ModelUnavailable, match="broke off"):
            await model.open()


async def test_an_answer_that_drips_is_given_up() -> None:
    async def drip(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        for _ in range(600):
            await response.write(b" ")
            await asyncio.sleep(0.05)
        return response

    async with asking(drip, idle_timeout=0.3) as model:
        with pytest.raises(ModelUnavailable, match=r"broke off \(timed out\)"):
            await model.open()


async def test_a_web_page_is_not_quoted() -> None:
    async def missing(request: web.Request) -> web.Response:
        return web.Response(status=404, text="<!DOCTYPE html><p>Gone", content_type="text/html")

    async with asking(missing, base="") as model:
        says = r"answered 404: a web page; is it an OpenAI-compat.*; most base URLs end in /v1$"
        with pytest.raises(BadInput, match=says):
            await model.open()


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("<html><title>502 Bad\nGateway</title>", "a web page, '502 Bad Gateway'; is it an OpenAI"),
        ("", r"answered 502: \(nothing\)"),
        ("  no   upstream ", "answered 502: no upstream"),
    ],
)
async def test_what_a_proxy_says_is_told(body: str, says: str) -> None:
    async def broken(request: web.Request) -> web.Response:
        return web.Response(status=502, text=body)

    async with asking(broken, base="") as model:
        with pytest.raises(ModelUnavailable, match=says):
            await model.open()


async def test_a_server_that_is_only_slow_is_not_told_to_be_missing() -> None:
    async def slow(request: web.Request) -> web.Response:
        await asyncio.sleep(60)
        return web.Response()

    async with asking(slow, base="", idle_timeout=0.1) as model:
        with pytest.raises(ModelUnavailable, match=r"nothing came for 0\.1 s; a longer idle_time"):
            await model.open()


@pytest.mark.parametrize(
    ("said", "least", "most"),
    [
        ("7", 7, 7),
        ("0.5", 0.5, 0.5),
        ("Sun, 06 Nov 1994 08:49:37 GMT", 0, 0),
        ("Fri, 31 Dec 2199 23:59:59 GMT", 1e6, 1e12),
    ],
)
def test_how_long_a_server_asks_to_be_left_alone(said: str, least: float, most: float) -> None:
    assert least <= (seconds(said) or 0) <= most


@pytest.mark.parametrize("said", [None, "", "soon", "-1", "1e9", "Sun, 06 Nov 1994 08:49:37"])
def test_what_is_no_time_to_come_again(said: str | None) -> None:
    assert seconds(said) is None


async def test_another_model_than_the_served_ones(fake: Fake) -> None:
    fake.names = ["first", "second"]
    model = HTTPModel(fake.url, "third")
    with pytest.raises(BadInput, match=r"serves first, second, not 'third'"):
        await model.open()
    await model.close()
    with pytest.raises(BadInput, match=r"serves several models \(first, second\); name one"):
        await models.connect(fake.url)
    assert (await models.connect(f"{fake.url}#second")).name == "second"


async def test_a_server_without_a_tokenizer_is_sent_text(fake: Fake) -> None:
    fake.tokenizes = False
    fake.reply = fake.says(f"{SOLVED}</think>\n{ANSWER}")
    result = await agentflow.asolve("1 6 8 12", "direct", model=fake.url)
    assert result.answer == "( 6 * ( 12 - 8 ) ) * 1"
    assert fake.requests[0]["prompt"].startswith("<|im_start|>user\ngame24: 1 6 8 12")


@pytest.mark.parametrize(
    ("status", "error"),
    [(400, BadInput), (404, BadInput), (429, ModelUnavailable), (503, ModelUnavailable)],
)
async def test_http_errors_carry_the_servers_message(
    fake: Fake, model: HTTPModel, status: int, error: type[Exception]
) -> None:
    fake.refuses = status
    with pytest.raises(error, match=f"{status}: the prompt is too long"):
        await complete(model, Request((1,), 1))


# Through a graph


async def test_a_run(fake: Fake) -> None:
    fake.reply = fake.says(f"{SOLVED}</think>\n{ANSWER}<|im_end|>")
    result = await agentflow.asolve("1 6 8 12", "interwhen", model=fake.url)
    assert (result.status, result.answer) == ("verified", "( 6 * ( 12 - 8 ) ) * 1")
    assert result.cost.prompt == 5
    assert result.cost.cached == 3


async def test_a_refused_connection_is_retried_and_then_reported() -> None:
    url = f"http://127.0.0.1:{free_port()}/v1"
    began = time.monotonic()
    with pytest.raises(ModelUnavailable, match=re.escape(url)):
        await agentflow.asolve("1 6 8 12", "direct", model=url)
    assert time.monotonic() - began > 1.4  # two pauses, 0.5 s and 1 s
    await models.close_all()


async def test_a_refused_request_is_reported_at_once(fake: Fake) -> None:
    fake.refuses = 400
    with pytest.raises(BadInput, match="400: the prompt is too long"):
        await agentflow.asolve("1 6 8 12", "direct", model=fake.url)
    assert len(fake.requests) == 1


async def test_a_server_that_comes_up_late_is_found() -> None:
    fake = Fake("llamacpp")
    fake.reply = fake.says(f"{SOLVED}</think>\n{ANSWER}<|im_end|>")
    port = free_port()
    url = f"http://127.0.0.1:{port}/v1"
    run = asyncio.create_task(agentflow.asolve("1 6 8 12", "direct", model=url))
    await asyncio.sleep(0.3)
    async with TestServer(fake.app, host="127.0.0.1", port=port):
        assert (await run).answer == "( 6 * ( 12 - 8 ) ) * 1"
        await models.close_all()


async def test_a_server_that_dies_mid_stream_leaves_the_partial_trace(fake: Fake) -> None:
    partial = SOLVED.splitlines(keepends=True)[0]
    fake.reply = broken(lambda fake: fake.events(fake.tokens(partial), None), abort=True)
    result = await agentflow.asolve("1 6 8 12", "interwhen", model=fake.url, retries=0)
    assert result.status == "exhausted"
    assert result.answer is None
    assert "broke after" in result.error
    assert fake.url in result.error
    assert result.trace.body == partial
    assert [one["verdict"]["ok"] for one in result.judged] == [True]


async def test_a_server_that_stays_dead_leaves_the_partial_trace() -> None:
    """The retries find nobody: the run ends, and what had come is in its result."""
    fake = Fake("llamacpp")
    server = TestServer(fake.app, host="127.0.0.1")
    await server.start_server()

    async def reply(fake: Fake, response: web.StreamResponse, body: dict[str, Any]) -> None:
        for one in two(fake):
            await response.write(one)
        await asyncio.sleep(0.05)
        assert server.runner is not None
        await server.runner.sites.__iter__().__next__().stop()  # listen no more
        fake.transport.abort()

    fake.reply = reply
    url = f"http://127.0.0.1:{server.port}/v1"
    result = await agentflow.asolve("1 6 8 12", "direct", model=url, retries=1)
    assert result.status == "exhausted"
    assert result.trace.body == " 1 6"
    assert url in result.error
    await models.close_all()
    await server.close()


async def test_a_broken_stream_is_continued_from_where_it_broke(fake: Fake) -> None:
    """The second prompt is the first and every id received; nothing is lost or repeated."""
    text = f"{SOLVED}</think>\n{ANSWER}<|im_end|>"
    kept = 20

    async def reply(fake: Fake, response: web.StreamResponse, body: dict[str, Any]) -> None:
        tokens = fake.tokens(text)
        if len(fake.requests) == 1:
            await broken(lambda fake: fake.events(tokens[:kept], None), abort=True)(
                fake, response, body
            )
        else:
            for one in fake.events(tokens[kept:]):
                await response.write(one)

    fake.reply = reply
    result = await agentflow.asolve("1 6 8 12", "interwhen", model=fake.url)
    assert result.status == "verified"
    assert result.trace.body == text.removesuffix("<|im_end|>")
    first, second = (request["prompt"] for request in fake.requests)
    assert second == first + [i for i, _ in fake.tokens(text)[:kept]]
    assert fake.requests[0]["seed"] != fake.requests[1]["seed"]
    assert result.cost.generated == len(fake.tokens(text)) - 1  # without the stop token
    assert len(result.judged) == 4


async def test_a_server_that_breaks_before_the_first_token_is_asked_again(fake: Fake) -> None:
    async def reply(fake: Fake, response: web.StreamResponse, body: dict[str, Any]) -> None:
        if len(fake.requests) == 1:
            fake.transport.abort()
        else:
            await fake.says(f"{SOLVED}</think>\n{ANSWER}<|im_end|>")(fake, response, body)

    fake.reply = reply
    result = await agentflow.asolve("1 6 8 12", "direct", model=fake.url)
    assert result.status == "verified"
    assert len(fake.requests) == 2


async def test_an_unobjected_run_sends_the_request_of_an_unmonitored_one(fake: Fake) -> None:
    fake.reply = fake.says(f"{SOLVED}</think>\n{ANSWER}<|im_end|>")
    for method in ("direct", "interwhen"):
        await agentflow.asolve("1 6 8 12", method, model=fake.url)
    first, second = fake.requests
    assert first == second


@pytest.mark.parametrize(
    ("served", "name"),
    [
        ({"base": {}, "adapter": {"parent": "base", "root": "/adapters/a"}}, "base"),
        ({"alias": {"root": "org/base"}, "another": {"root": "org/base"}}, "alias"),
        ({"adapter": {"parent": "base"}}, "adapter"),
    ],
)
def test_adapters_and_aliases_are_no_further_models(served: Any, name: str) -> None:
    assert only_model(served, "http://h/v1") == name


def test_of_many_models_the_first_are_named() -> None:
    with pytest.raises(BadInput, match=r"\(m0, m1, .*, m7 and 12 more\); name one"):
        only_model({f"m{number}": {} for number in range(20)}, "http://h/v1")
