"""The HTTP engine against a fake server: both shapes, every way a stream can go wrong."""

from __future__ import annotations

import asyncio
import json
import math
import re
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from hypothesis import given
from hypothesis import strategies as st

import agentflow
from agentflow import models
from agentflow.errors import BadInput, MissingCapability, ModelUnavailable, StreamBroken
from agentflow.models import Finish, HTTPModel, Request, Token, complete, next_token, sample
from agentflow.monitors import StepVerifier, watch
from agentflow.profile import PROFILES, Piece, Sampling
from agentflow.trace import Segment, Trace

SPECIAL = ["<|im_start|>", "<|im_end|>", "<think>", "</think>"]
PIECE = re.compile(r" ?[^\s<>]+|\s|<|>")
SOLVED = """ 1 6 8 12 : 12 - 8 = 4 -> 1 4 6
 1 4 6 : 6 * 4 = 24 -> 1 24
 1 24 : 24 * 1 = 24 -> 24
"""
ANSWER = "Answer: ( 6 * ( 12 - 8 ) ) * 1 = 24\n"

Reply = Callable[["Fake", web.StreamResponse, dict[str, Any]], Awaitable[None]]


class Fake:
    """A server that speaks llama.cpp's or vLLM's dialect and streams what a test says.

    Attributes:
        reply: Writes the answer to a completion.
        requests: The bodies of all completions.
        tokenized: Texts that were tokenized.
        most: Alternatives that vLLM's dialect gives.
        gone: Set when a client left before the reply was whole.
        refuses: Status that every completion is answered with, instead of a reply.
        tokenizes: Whether it has a tokenizer endpoint.
    """

    def __init__(self, dialect: str, reply: Reply | None = None) -> None:
        self.dialect = dialect
        self.reply = reply
        self.names = ["agentflow-pocket"]
        self.requests: list[dict[str, Any]] = []
        self.tokenized: list[str] = []
        self.gone = asyncio.Event()
        self.refuses = 0
        self.tokenizes = True
        self.most = 20
        self.url = ""
        self.vocabulary = list(SPECIAL)
        self.app = web.Application()
        self.app.router.add_get("/v1/models", self.models)
        self.app.router.add_post("/tokenize", self.tokenize)
        self.app.router.add_post("/detokenize", self.detokenize)
        self.app.router.add_post("/v1/completions", self.completions)

    def ids(self, text: str, *, special: bool = False) -> list[int]:
        """Token ids of a text; new pieces get new ids."""
        pieces = [text] if special and text in SPECIAL else PIECE.findall(text)
        for piece in pieces:
            if piece not in self.vocabulary:
                self.vocabulary.append(piece)
        return [self.vocabulary.index(piece) for piece in pieces]

    def tokens(self, text: str) -> list[tuple[int, str]]:
        """A text as generated tokens, markers in it as special tokens."""
        parts = re.split(f"({'|'.join(map(re.escape, SPECIAL))})", text)
        ids = [i for part in parts for i in self.ids(part, special=True)]
        return [(i, self.vocabulary[i]) for i in ids]

    async def models(self, request: web.Request) -> web.StreamResponse:
        about: dict[str, Any] = {"owned_by": self.dialect}
        if self.dialect == "vllm":
            about["max_model_len"] = 2048
        return web.json_response({"data": [{"id": name} | about for name in self.names]})

    async def tokenize(self, request: web.Request) -> web.StreamResponse:
        if not self.tokenizes:
            raise web.HTTPNotFound
        body = await request.json()
        if self.dialect == "llamacpp":
            assert body["add_special"] is False
            text, special = body["content"], body["parse_special"]
        else:
            assert body["add_special_tokens"] is False
            text, special = body["prompt"], None
        self.tokenized.append(text)
        if special is None:  # vLLM finds special tokens wherever they are spelled
            return web.json_response({"tokens": [i for i, _ in self.tokens(text)]})
        return web.json_response({"tokens": self.ids(text, special=special)})

    async def detokenize(self, request: web.Request) -> web.StreamResponse:
        text = "".join(self.vocabulary[i] for i in (await request.json())["tokens"])
        return web.json_response({"prompt": text})

    async def completions(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        if self.dialect == "vllm" and (body.get("logprobs") or 0) > self.most:
            said = f"Requested sample logprobs of {body['logprobs']}, which is greater than max "
            error = {"error": {"message": f"{said}allowed: {self.most}"}}
            return web.json_response(error, status=400)
        self.requests.append(body)
        if self.refuses:
            error = {"error": {"message": "the prompt is too long"}}
            return web.json_response(error, status=self.refuses)
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        self.transport = request.transport
        assert self.reply is not None
        try:
            await self.reply(self, response, body)
        except (ConnectionError, asyncio.CancelledError):
            self.gone.set()
            raise
        return response

    def events(self, tokens: Sequence[tuple[int, str]], reason: str | None = "stop") -> list[bytes]:
        """The events of a whole reply in the server's shape, one token each."""
        shape = llamacpp_event if self.dialect == "llamacpp" else vllm_event
        found = [shape(*token) for token in tokens]
        if reason is not None:
            found.append(last_event(reason))
            found.append(b"data: [DONE]\n\n")
        return found

    def says(self, text: str, reason: str | None = "stop") -> Reply:
        """A reply that streams ``text``."""

        async def reply(fake: Fake, response: web.StreamResponse, body: dict[str, Any]) -> None:
            for event in fake.events(fake.tokens(text), reason):
                await response.write(event)

        return reply


def event(**fields: Any) -> bytes:
    return b"data: " + json.dumps(fields, ensure_ascii=False).encode() + b"\n\n"


def llamacpp_event(
    i: int, text: str, logprob: float = -0.5, top: Sequence[tuple[str, float]] = ()
) -> bytes:
    tops = [{"id": 0, "token": t, "logprob": p} for t, p in top]
    tops = tops or [{"id": i, "token": text, "logprob": logprob}]
    content = [{"id": i, "token": text, "logprob": logprob, "top_logprobs": tops}]
    choice = {"text": text, "index": 0, "logprobs": {"content": content}, "finish_reason": None}
    return event(choices=[choice])


def vllm_event(
    i: int, text: str, logprob: float | None = None, top: Sequence[tuple[str, float]] = ()
) -> bytes:
    logprobs = None
    if logprob is not None:
        logprobs = {
            "tokens": [text],
            "token_logprobs": [logprob],
            "top_logprobs": [dict(top)],
            "text_offset": [0],
        }
    shown = "" if text in ("<|im_end|>",) else text  # vLLM keeps a stop token's text back
    choice = {"text": shown, "index": 0, "logprobs": logprobs, "finish_reason": None}
    return event(choices=[choice | {"token_ids": [i]}])


def last_event(reason: str) -> bytes:
    details = {"cached_tokens": 3}
    usage = {"prompt_tokens": 5, "completion_tokens": 1, "prompt_tokens_details": details}
    choice = {"text": "", "index": 0, "logprobs": None, "finish_reason": reason}
    return event(choices=[choice], usage=usage)


@pytest.fixture(params=["llamacpp", "vllm"])
async def fake(request: pytest.FixtureRequest) -> AsyncIterator[Fake]:
    """A server of each dialect; ``fake.url`` is its base URL."""
    one = Fake(request.param)
    async with TestServer(one.app, host="127.0.0.1") as server:
        one.url = f"http://127.0.0.1:{server.port}/v1"
        yield one
        await models.close_all()


@pytest.fixture
async def model(fake: Fake) -> AsyncIterator[HTTPModel]:
    """The opened client of the fake server."""
    one = HTTPModel(fake.url, idle_timeout=5)
    await one.open()
    yield one
    await one.close()


@asynccontextmanager
async def connected(fake: Fake, port: int = 0) -> AsyncIterator[HTTPModel]:
    """The opened client of a fake server that stands while the block runs."""
    async with TestServer(fake.app, host="127.0.0.1", port=port or None) as server:
        model = HTTPModel(f"http://127.0.0.1:{server.port}/v1", idle_timeout=5)
        await model.open()
        yield model
        await model.close()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


# What comes out of a good stream


async def test_tokens_ids_and_usage(fake: Fake, model: HTTPModel) -> None:
    fake.reply = fake.says(" 1 6\n</think>\nAnswer")
    completion = await complete(model, Request((1, 2), 50))
    assert [(t.id, t.text) for t in completion.tokens] == fake.tokens(" 1 6\n</think>\nAnswer")
    assert completion.finish == Finish("stop", 5, 3)


async def test_the_stop_token_is_dropped(fake: Fake, model: HTTPModel) -> None:
    fake.reply = fake.says("Yes<|im_end|>")
    completion = await complete(model, Request((1,), 5))
    assert completion.text == "Yes"
    assert [t.id for t in completion.tokens] == fake.ids("Yes")


async def test_length_is_told_from_stop(fake: Fake, model: HTTPModel) -> None:
    fake.reply = fake.says("Yes", "length")
    assert (await complete(model, Request((1,), 1))).finish.reason == "length"


async def test_a_marker_is_recognised_by_its_id(fake: Fake, model: HTTPModel) -> None:
    """An engine may print a special token as nothing, or differently: the id decides."""

    async def reply(fake: Fake, response: web.StreamResponse, body: dict[str, Any]) -> None:
        for one in [*fake.events([(3, "")], None), *fake.events(fake.tokens("Yes"))]:
            await response.write(one)

    fake.reply = reply
    tokens = (await complete(model, Request((1,), 5))).tokens
    assert [(t.id, t.text) for t in tokens] == [(3, "</think>"), *fake.tokens("Yes")]


async def test_letters_that_spell_a_marker_close_nothing(fake: Fake, model: HTTPModel) -> None:
    """``<``, ``/think``, ``>`` as three ordinary tokens are text, for watch too."""
    line = " 1 6 8 12 : 12 - 8 = 5 -> 1 5 6\n"
    spelled = [*((i, fake.vocabulary[i]) for i in fake.ids("</think>\n")), *fake.tokens(line)]

    async def reply(fake: Fake, response: web.StreamResponse, body: dict[str, Any]) -> None:
        for one in fake.events(spelled):
            await response.write(one)

    fake.reply = reply
    domain = agentflow.domains.get("game24")
    monitor = StepVerifier(domain.parse("1 6 8 12"), domain, PROFILES["pocket"])
    trace = Trace()
    trace.append(Segment("prompt", "x", (1,)))
    leg = await watch(model, trace, Request((1,), 50), [monitor])
    assert leg.intervention is not None
    assert leg.intervention.text.startswith("Wait,")  # the voice of the thinking, not the answer's


@pytest.mark.parametrize(
    ("ids", "text", "expected"),
    [
        ((10, 11, 12), "ab", ["", "", "ab"]),
        ((10, 3, 11), "a</think>b", ["a", "</think>", "b"]),
        ((3, 11), "</think>b", ["</think>", "b"]),
        ((10, 11, 1), "ab", ["", "ab"]),  # vLLM keeps a stop token's text back
        ((10, 3), "a", ["a", "</think>"]),
    ],
)
async def test_several_tokens_in_one_vllm_event(
    ids: tuple[int, ...], text: str, expected: list[str]
) -> None:
    """vLLM merges what its client has not fetched yet into one event with one text."""
    choice = {"text": text, "index": 0, "logprobs": None, "finish_reason": None}
    data = event(choices=[choice | {"token_ids": list(ids)}]) + last_event("stop")
    tokens = await read([data])
    assert [t.text for t in tokens] == expected
    assert [t.id for t in tokens] == [i for i in ids if i != 1]


async def test_alternatives_come_sorted_and_only_when_asked_for() -> None:
    top = [("b", -2.0), ("a", -0.2)]
    for one in (llamacpp_event(9, "a", -0.2, top[::-1]), vllm_event(9, "a", -0.2, top)):
        (token,) = await read([one + last_event("stop")], top=2)
        assert token == Token("a", 9, -0.2, (("a", -0.2), ("b", -2.0)))
    (token,) = await read([llamacpp_event(9, "a") + last_event("stop")])
    assert token.top == ()


async def test_several_tokens_with_logprobs_keep_their_own_texts() -> None:
    logprobs = {"tokens": ["a", "b"], "token_logprobs": [-1.0, -2.0], "top_logprobs": None}
    choice = {"text": "ab", "logprobs": logprobs, "token_ids": [8, 9], "finish_reason": None}
    tokens = await read([event(choices=[choice]) + last_event("stop")])
    assert tokens == [Token("a", 8, -1.0), Token("b", 9, -2.0)]


async def test_a_stream_without_ids() -> None:
    choice = {"text": " plain", "index": 0, "finish_reason": None}
    tokens = await read([event(choices=[choice]) + last_event("stop")])
    assert tokens == [Token(" plain")]


# How events are cut out of bytes


class Canned(HTTPModel):
    """The client over given chunks of bytes instead of a connection."""

    def __init__(self, chunks: Sequence[bytes]) -> None:
        super().__init__("http://canned/v1", profile=PROFILES["pocket"])
        self._markers = {i: SPECIAL[i] for i in (1, 2, 3)}
        self.chunks = chunks

    @asynccontextmanager
    async def _request(self, *_: Any) -> AsyncIterator[Any]:
        class Content:
            async def iter_any(content) -> AsyncIterator[bytes]:
                for chunk in self.chunks:
                    yield chunk

        response = type("Response", (), {"content": Content()})
        yield response


async def read(chunks: Sequence[bytes], top: int = 0) -> list[Token]:
    """The tokens in the chunks, which must end in a finish."""
    completion = await complete(Canned(chunks), Request((1,), 99, top=top))
    return list(completion.tokens)


PIECES = ["a", " 24", "é", "→", "\n", "\r\n", "data: ", "\u2028", "🎈", "\\boxed{", ""]


@given(
    st.lists(st.tuples(st.integers(2, 50), st.sampled_from(PIECES)), max_size=12),
    st.lists(st.integers(0, 5000), max_size=40),
    st.sampled_from([llamacpp_event, vllm_event]),
    st.booleans(),
)
def test_any_chunking_gives_the_same_tokens(
    tokens: list[tuple[int, str]], cuts: list[int], shape: Any, crlf: bool
) -> None:
    data = b"".join([b": comment\n\n", *(shape(*t) for t in tokens), last_event("stop")])
    data += b"data: [DONE]\n\n"
    if crlf:
        data = data.replace(b"\n", b"\r\n")
    places = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    chunks = [data[a:b] for a, b in pairwise(places)]
    expected = [(i, SPECIAL[i] if i in (2, 3) else text) for i, text in tokens]
    assert [(t.id, t.text) for t in asyncio.run(read(chunks))] == expected


async def test_one_byte_at_a_time(fake: Fake, model: HTTPModel) -> None:
    async def reply(fake: Fake, response: web.StreamResponse, body: dict[str, Any]) -> None:
        for byte in b"".join(fake.events(fake.tokens("é → 24\n"))):
            await response.write(bytes([byte]))

    fake.reply = reply
    assert (await complete(model, Request((1,), 9))).text == "é → 24\n"


# What goes wrong


def broken(data: Callable[[Fake], list[bytes]], *, abort: bool = False) -> Reply:
    """A reply that is only ``data``; ``abort`` also resets the connection."""

    async def reply(fake: Fake, response: web.StreamResponse, body: dict[str, Any]) -> None:
        for one in data(fake):
            await response.write(one)
        if abort:
            await asyncio.sleep(0.05)  # let what was written arrive first
            fake.transport.abort()

    return reply


def two(fake: Fake) -> list[bytes]:
    return fake.events(fake.tokens(" 1 6"), None)


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        (broken(two), "without a finish reason"),
        (broken(two, abort=True), ""),
        (broken(lambda fake: [*two(fake), b"data: {'half\n\n"]), ""),
        (broken(lambda fake: [*two(fake), b"data: 24\n\n"]), "not an event: b'24'"),
        (broken(lambda fake: [*two(fake), event(error={"message": "no memory"})]), "no memory"),
        (broken(lambda fake: [*two(fake), b'error: {"message":"no memory"}\n\n']), "no memory"),
    ],
    ids=["truncated", "reset", "malformed", "no-object", "error", "llama.cpp-error"],
)
async def test_a_stream_that_breaks(fake: Fake, model: HTTPModel, reply: Reply, says: str) -> None:
    """What came before is delivered; the error names the URL and the count."""
    fake.reply = reply
    received: list[Token | Finish] = []

    async def receive() -> None:
        async for item in model.stream(Request((1,), 9)):
            received.append(item)

    with pytest.raises(StreamBroken, match="after 2 tokens") as caught:
        await receive()
    assert fake.url in str(caught.value)
    assert says in str(caught.value)
    assert [t.text for t in received if isinstance(t, Token)] == [" 1", " 6"]


async def test_a_stream_that_breaks_before_its_first_token_is_worth_a_retry(
    fake: Fake, model: HTTPModel
) -> None:
    fake.reply = broken(lambda fake: [], abort=True)
    with pytest.raises(ModelUnavailable, match=re.escape(fake.url)):
        await complete(model, Request((1,), 9))


async def test_an_error_in_the_stream_that_no_retry_cures_is_bad_input(
    fake: Fake, model: HTTPModel
) -> None:
    """vLLM answers 200 before it has looked at the request as a whole."""
    error = {"message": "Token id 5000 is out of vocabulary", "code": 400}
    fake.reply = broken(lambda fake: [event(error=error)])
    with pytest.raises(BadInput, match="answered 400: Token id 5000 is out of vocabulary"):
        await complete(model, Request((5000,), 9))
    fake.reply = broken(lambda fake: [event(error=error | {"code": 503})])
    with pytest.raises(ModelUnavailable, match="Token id 5000"):
        await complete(model, Request((5000,), 9))


async def test_a_server_that_shuts_down_breaks_the_stream(fake: Fake, model: HTTPModel) -> None:
    fake.reply = fake.says(" 1 6", "abort")
    with pytest.raises(StreamBroken, match=r"after 2 tokens .*'abort'"):
        await complete(model, Request((1,), 9))


async def test_a_reset_behind_the_finish_reason_is_no_loss(fake: Fake, model: HTTPModel) -> None:
    fake.reply = broken(lambda fake: fake.events(fake.tokens("Yes"))[:-1], abort=True)
    assert (await complete(model, Request((1,), 9))).text == "Yes"


async def test_silence_counts_as_broken(fake: Fake) -> None:
    async def reply(fake: Fake, response: web.StreamResponse, body: dict[str, Any]) -> None:
        for one in two(fake):
            await response.write(one)
        await asyncio.sleep(60)

    fake.reply = reply
    impatient = HTTPModel(fake.url, idle_timeout=0.3)
    await impatient.open()
    began = time.monotonic()
    with pytest.raises(StreamBroken, match="after 2 tokens"):
        await complete(impatient, Request((1,), 9))
    assert time.monotonic() - began < 3
    await impatient.close()


async def test_closing_the_stream_aborts_the_request(fake: Fake, model: HTTPModel) -> None:
    async def reply(fake: Fake, response: web.StreamResponse, body: dict[str, Any]) -> None:
        while True:
            await response.write(fake.events(fake.tokens("No\n"), None)[0])
            await asyncio.sleep(0.01)

    fake.reply = reply
    stream = model.stream(Request((1,), 10_000))
    await anext(stream)
    await stream.aclose()
    assert await asyncio.wait_for(fake.gone.wait(), 1)


async def test_streams_run_side_by_side_over_one_client(fake: Fake, model: HTTPModel) -> None:
    """None waits for another: each reply waits until all have begun."""
    begun = 0
    everyone = asyncio.Event()

    async def reply(fake: Fake, response: web.StreamResponse, body: dict[str, Any]) -> None:
        nonlocal begun
        begun += 1
        if begun == 20:
            everyone.set()
        await everyone.wait()
        await fake.says(f"seed {body['seed']}")(fake, response, body)

    fake.reply = reply
    completions = await asyncio.wait_for(sample(model, Request((1,), 9, seed=100), 20), 10)
    assert [c.text for c in completions] == [f"seed {100 + i}" for i in range(20)]


# What is sent


async def test_every_request_carries_all_sampling_parameters_and_the_seed(
    fake: Fake, model: HTTPModel
) -> None:
    fake.reply = fake.says("Yes")
    await complete(model, Request((1, 2), 7, Sampling(0.9, 0.8, 5), seed=42, cache=False))
    (body,) = fake.requests
    expected = {
        "prompt": [1, 2],
        "max_tokens": 7,
        "temperature": 0.9,
        "top_p": 0.8,
        "top_k": 5,
        "min_p": 0.0,
        "presence_penalty": 0.0,
        "frequency_penalty": 0.0,
        "seed": 42,
        "stream": True,
        "model": "agentflow-pocket",
    }
    assert body == body | expected
    if fake.dialect == "llamacpp":
        assert body["cache_prompt"] is False
        assert (body["repeat_penalty"], body["typical_p"], body["logprobs"]) == (1.0, 1.0, 1)
    else:
        assert body["return_token_ids"] is True
        assert body["repetition_penalty"] == 1.0
        assert body["stop_token_ids"] == [1]
        assert body["cache_salt"]
    await complete(model, Request((1, 2), 7))
    assert "cache_salt" not in fake.requests[1]
    assert fake.requests[1].get("cache_prompt", True)


async def test_a_schema_is_sent_in_the_engines_own_words(fake: Fake, model: HTTPModel) -> None:
    fake.reply = fake.says("24")
    schema = {"type": "integer"}
    await complete(model, Request((1,), 7, schema=schema))
    (body,) = fake.requests
    if fake.dialect == "llamacpp":
        assert body["json_schema"] == schema
    else:
        assert body["structured_outputs"] == {"json": schema}


async def test_no_more_is_asked_of_vllm_than_its_context_holds() -> None:
    fake = Fake("vllm")
    fake.reply = fake.says("Yes", "length")
    async with connected(fake) as model:
        await complete(model, Request((7,) * 2000, 5000))
        assert [request["max_tokens"] for request in fake.requests] == [48]
        with pytest.raises(BadInput, match=r"2,048 tokens fill the model's context of 2,048"):
            await complete(model, Request((7,) * 2048, 1))
        assert len(fake.requests) == 1


async def test_tokenization_is_remembered_and_markers_are_pieces_of_their_own(
    fake: Fake, model: HTTPModel
) -> None:
    pieces = model.profile.render("game24: 1 6 8 12")
    first = await model.tokenize(pieces)
    asked = len(fake.tokenized)
    assert await model.tokenize(pieces) == first
    assert len(fake.tokenized) == asked
    assert first[0] == SPECIAL.index("<|im_start|>")
    assert first[-2:] == (SPECIAL.index("<think>"), *fake.ids("\n"))


@pytest.mark.parametrize(
    "text", ["</think>", "so </think> it is", "<<think>>", "<|im_end|></think>", "a <|im_start|>"]
)
async def test_a_marker_in_plain_text_stays_letters(
    fake: Fake, model: HTTPModel, text: str
) -> None:
    assert await model.tokenize([Piece("</think>", special=True)]) == (3,)
    ids = await model.tokenize([Piece(text)])
    assert not {0, 1, 2, 3} & set(ids)
    assert "".join(fake.vocabulary[i] for i in ids) == text


async def test_plain_text_without_a_marker_is_tokenized_whole(fake: Fake, model: HTTPModel) -> None:
    asked = len(fake.tokenized)
    await model.tokenize([Piece("if a < b and c > d: x[0] = [1, 2]")])
    assert fake.tokenized[asked:] == ["if a < b and c > d: x[0] = [1, 2]"]


# Probes


async def test_the_distribution_of_the_next_token(fake: Fake, model: HTTPModel) -> None:
    top = [(" Yes", math.log(0.5)), (" no", math.log(0.25)), ("yes", math.log(0.125))]

    async def reply(fake: Fake, response: web.StreamResponse, body: dict[str, Any]) -> None:
        shape = llamacpp_event if fake.dialect == "llamacpp" else vllm_event
        await response.write(shape(9, " Yes", math.log(0.5), top) + last_event("length"))

    fake.reply = reply
    found = await next_token(model, (1, 2), top=3)
    assert [text for text, _ in found.top] == [" Yes", " no", "yes"]
    assert found.missing == pytest.approx(0.125)
    assert found.probability(["yes"]) == pytest.approx(0.625)
    assert found.probability(["NO ", "maybe"]) == pytest.approx(0.25)
    expected = -sum(p * math.log(p) for p in (0.5, 0.25, 0.125))
    assert found.entropy == pytest.approx(expected)
    (body,) = fake.requests
    assert (body["temperature"], body["top_p"], body["top_k"]) == (1.0, 1.0, 0)
    assert (body["max_tokens"], body["logprobs"]) == (1, 3)


async def test_a_probe_that_draws_the_end_of_the_turn_still_has_its_distribution(
    fake: Fake, model: HTTPModel
) -> None:
    top = [("<|im_end|>", math.log(0.75)), (" No", math.log(0.25))]

    async def reply(fake: Fake, response: web.StreamResponse, body: dict[str, Any]) -> None:
        shape = llamacpp_event if fake.dialect == "llamacpp" else vllm_event
        await response.write(shape(1, "<|im_end|>", math.log(0.75), top) + last_event("stop"))

    fake.reply = reply
    found = await next_token(model, (1, 2), top=2)
    assert found.probability(["no"]) == pytest.approx(0.25)
    assert found.missing == pytest.approx(0)


@pytest.mark.parametrize("most", [5, 151_936])
async def test_as_many_alternatives_are_asked_for_as_vllm_gives(most: int) -> None:
    fake = Fake("vllm")
    fake.most = most
    fake.reply = fake.says("Yes")
    async with connected(fake) as model:
        with pytest.raises(MissingCapability, match="gave no log-probabilities"):
            await next_token(model, (1,))  # this one gives none
        assert [request["logprobs"] for request in fake.requests] == [most]


async def test_vllms_tokens_that_look_alike_are_all_there() -> None:
    """It lists alternatives by their text, unless it is asked to list them by id."""
    fake = Fake("vllm")
    fake.vocabulary += [" Yes", "�", "�"]
    top = [("token_id:4", math.log(0.5)), ("token_id:5", -3.0), ("token_id:6", -2.0)]
    top += [("token_id:1", -4.0), ("token_id:0", -20.0)]  # the last was drawn, and is one too many

    async def reply(fake: Fake, response: web.StreamResponse, body: dict[str, Any]) -> None:
        assert body["return_tokens_as_token_ids"] is True
        named = vllm_event(0, "token_id:0", -20.0, top).replace(
            b'"text": "token_id:0"', b'"text": ""'
        )
        await response.write(named + last_event("length"))

    fake.reply = reply
    async with connected(fake) as model:
        for _ in range(2):
            found = await next_token(model, (1,), top=4)
            assert [text for text, _ in found.top] == [" Yes", "�", "�", "<|im_end|>"]
            expected = [0.5, math.exp(-2), math.exp(-3), math.exp(-4)]
            assert [p for _, p in found.top] == pytest.approx(expected)


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
    ],
)
async def test_what_is_no_model_server(body: str, kind: str, says: str) -> None:
    async def answer(request: web.Request) -> web.Response:
        return web.Response(text=body, content_type=kind)

    app = web.Application()
    app.router.add_get("/v1/models", answer)
    async with TestServer(app, host="127.0.0.1") as server:
        model = HTTPModel(f"http://127.0.0.1:{server.port}/v1")
        with pytest.raises(BadInput, match=says) as caught:
            await model.open()
        assert model.base_url in str(caught.value)
        await model.close()


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

    app = web.Application()
    app.router.add_get("/v1/models", half)
    async with TestServer(app, host="127.0.0.1") as server:
        model = HTTPModel(f"http://127.0.0.1:{server.port}/v1")
        with pytest.raises(ModelUnavailable, match="broke off"):
            await model.open()
        await model.close()


async def test_another_model_than_the_served_ones(fake: Fake) -> None:
    fake.names = ["first", "second"]
    model = HTTPModel(fake.url, "third")
    with pytest.raises(BadInput, match=r"serves first, second, not 'third'"):
        await model.open()
    await model.close()
    for spec, name in ((fake.url, "first"), (f"{fake.url}#second", "second")):
        assert (await models.connect(spec)).name == name


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
    assert result.status == "unverified"
    assert len(fake.requests) == 2


async def test_an_unobjected_run_sends_the_request_of_an_unmonitored_one(fake: Fake) -> None:
    fake.reply = fake.says(f"{SOLVED}</think>\n{ANSWER}<|im_end|>")
    for method in ("direct", "interwhen"):
        await agentflow.asolve("1 6 8 12", method, model=fake.url)
    first, second = fake.requests
    assert first == second


def test_requests_are_values() -> None:
    request = Request((1, 2), 3)
    assert replace(request, seed=1) != request
    assert hash(request) == hash(Request((1, 2), 3))
