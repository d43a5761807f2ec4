"""Every field of every kind of reply, changed: a typed error or a valid result comes out."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from langchain_core.messages import HumanMessage
from langchain_core.tools import tool

from agentflow.errors import AgentflowError, BadReply, Refused, StreamBroken
from agentflow.models import ChatAPI, Finish, HTTPModel, Request, RewardModel, complete
from agentflow.models.chat import reply_with_tools
from agentflow.models.model import Token
from agentflow.profile import PROFILES, Piece, Sampling

URL = "http://canned/v1"
TOP = [{"id": 9, "token": "a", "logprob": -0.1}, {"id": 8, "token": "b", "logprob": -2.5}]
USAGE = {
    "prompt_tokens": 5,
    "completion_tokens": 2,
    "total_tokens": 7,
    "prompt_tokens_details": {"cached_tokens": 3},
}
LLAMACPP_CARD = {"id": "m", "owned_by": "llamacpp", "meta": {"n_params": 7, "n_ctx": 512}}
VLLM_CARD = {"id": "m", "owned_by": "vllm", "root": "a/m", "max_model_len": 512}
LOGGED = [{"id": 9, "token": "a", "bytes": [97], "logprob": -0.1, "top_logprobs": TOP}]
LLAMACPP = {"text": "a", "index": 0, "logprobs": {"content": LOGGED}, "finish_reason": None}
LISTS = {
    "tokens": ["token_id:9"],
    "token_logprobs": [-0.1],
    "top_logprobs": [{"token_id:9": -0.1, "token_id:8": -2.5}],
    "text_offset": [0],
}
VLLM = {"text": "a", "index": 0, "logprobs": LISTS, "finish_reason": None, "token_ids": [9]}
END = {"choices": [{"text": "", "index": 0, "finish_reason": "stop"}], "usage": USAGE}
DELTA = {"index": 0, "delta": {"role": "assistant", "content": "a", "reasoning_content": None}}
CHAT_END = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}], "usage": USAGE}
CHUNKS = [
    {"type": "thinking", "thinking": [{"type": "text", "text": "a"}], "closed": True},
    {"type": "text", "text": "b"},
    {"type": "reference", "reference_ids": [1]},
]
CALL = {"id": "1", "type": "function", "function": {"name": "look", "arguments": '{"at": "x"}'}}
SAID = {"role": "assistant", "content": None, "tool_calls": [CALL]}
WITH_TOOLS = {
    "choices": [{"index": 0, "message": SAID, "logprobs": {"content": LOGGED}}],
    "usage": USAGE,
}
PROPS = {
    "model_path": "m.gguf",
    "chat_template": "{{ messages[0].content }}",
    "bos_token": "",
    "eos_token": "<|im_end|>",
    "default_generation_settings": {"n_ctx": 512},
}
REWARDS = {"data": [{"index": 0, "data": [[0.1, 0.9], [0.7, 0.3]]}], "usage": USAGE}


@tool
def look(at: str) -> str:
    """Look there."""
    return at


def served(kind: type[HTTPModel], replies: dict[str, Any]) -> Any:
    """A client of the class whose server answers so, by the end of the path; a list is a stream."""

    class Served(kind):  # type: ignore[misc,valid-type]
        @asynccontextmanager
        async def request(
            self, method: str, url: str, body: dict[str, Any] | None = None
        ) -> AsyncIterator[Any]:
            path = next((path for path in replies if url.endswith(path)), None)
            if path is None:
                raise Refused(f"{url} answered 404: not found", 404)
            found = replies[path]
            if isinstance(found, list):
                lines = [f"data: {json.dumps(one)}\n\n".encode() for one in found]
                data = b"".join([*lines, b"data: [DONE]\n\n"])
            else:
                data = json.dumps(found).encode()

            class Content:
                async def iter_any(content) -> AsyncIterator[bytes]:
                    yield data

            yield type("Response", (), {"content": Content(), "url": url, "headers": {}})()

    return Served(URL, "m", idle_timeout=5)


def opened(kind: type[HTTPModel], engine: str, replies: dict[str, Any]) -> Any:
    model = served(kind, replies)
    model.profile, model._engine = PROFILES["pocket"], engine
    model._markers, model._by_id = {3: "</think>"}, engine == "vllm"
    model._texts = {9: "a", 8: "b", 3: "</think>"}
    return model


async def open_vllm(replies: dict[str, Any]) -> Any:
    model = served(HTTPModel, replies)
    await model.open()
    return await model.tokenize([Piece("abc")])


async def stream(engine: str, replies: dict[str, Any]) -> Any:
    kind = ChatAPI if engine == "chat" else HTTPModel
    prompt: Any = '[{"role": "user", "content": "x"}]' if engine == "chat" else (1, 2)
    return await complete(opened(kind, engine, replies), Request(prompt, 5, top=2))


async def rewards(replies: dict[str, Any]) -> Any:
    return await served(RewardModel, replies).rewards("p", ["a", "b"])


async def tools(replies: dict[str, Any]) -> Any:
    return await reply_with_tools(
        opened(HTTPModel, "vllm", replies),
        [HumanMessage("look")],
        [look],
        max_tokens=5,
        sampling=Sampling(1.0, 1.0, 0),
        seed=0,
        top=2,
    )


Ask = Callable[[dict[str, Any]], Awaitable[Any]]
TOKENIZE = {"/tokenize": {"count": 1, "tokens": [7], "max_model_len": 512}}
KINDS: dict[str, tuple[Ask, dict[str, Any]]] = {
    "open llama.cpp": (
        open_vllm,
        {"/models": {"data": [LLAMACPP_CARD]}, "/props": PROPS, **TOKENIZE}
        | {"/apply-template": {"prompt": "a USER-q7Zk b"}},
    ),
    "open vllm": (
        open_vllm,
        {"/models": {"data": [VLLM_CARD]}, "/detokenize": {"prompt": "a"}, **TOKENIZE}
        | {"/completions": {"choices": []}},
    ),
    "llama.cpp": (
        lambda replies: stream("llamacpp", replies),
        {"/completions": [{"choices": [LLAMACPP]}, END]},
    ),
    "vllm": (
        lambda replies: stream("vllm", replies),
        {
            "/completions": [{"choices": [VLLM]}, END],
            "/detokenize": {"prompt": "</think>c</think>"},
        },
    ),
    "chat": (
        lambda replies: stream("chat", replies),
        {"/models": {"data": [{"id": "m"}]}, "/completions": [{"choices": [DELTA]}, CHAT_END]},
    ),
    "chunks": (
        lambda replies: stream("chat", replies),
        {
            "/models": {"data": [{"id": "m"}]},
            "/completions": [{"choices": [{"index": 0, "delta": {"content": CHUNKS}}]}, CHAT_END],
        },
    ),
    "tools": (tools, {"/completions": WITH_TOOLS}),
    "rewards": (rewards, {"/models": {"data": [{"id": "m"}]}, "/pooling": REWARDS}),
}
VALUES: list[Any] = [
    *(None, True, False, 0, -1, 2, 0.5, 10**30, math.nan, math.inf, -math.inf),
    *("", "x", "0.5", "token_id:", "token_id:" + "9" * 5000, "</think>", "é" * 5000, "<html>"),
    *([], {}, [[]], [{}], [None], ["x"], [1, 2, 3], {"x": 1}, {"error": {"message": "no"}}),
    [0.5] * 500,
]
DELETE = object()
DELTA_AT = ("/completions", 0, "choices", 0, "delta")


def paths(document: Any, before: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a document."""
    yield before
    inside: Any = ()
    if isinstance(document, dict):
        inside = document.items()
    elif isinstance(document, list):
        inside = enumerate(document)
    for key, value in inside:
        yield from paths(value, (*before, key))


def changed(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    """A copy with something else at a place."""
    if not path:
        return document if value is DELETE else value
    document = deepcopy(document)
    there = document
    for key in path[:-1]:
        there = there[key]
    if value is DELETE:
        del there[path[-1]]
    else:
        there[path[-1]] = value
    return document


def valid(result: Any) -> bool:
    """Whether the numbers and texts in a result are what they should be."""
    tokens = getattr(result, "tokens", ())
    finish = getattr(result, "finish", Finish("stop"))
    return all(
        isinstance(one, Token)
        and isinstance(one.text, str)
        and (one.logprob is None or math.isfinite(one.logprob))
        and all(isinstance(text, str) and math.isfinite(log) for text, log in one.top)
        for one in tokens
    ) and all(
        count is None or (type(count) is int and count >= 0)
        for count in (finish.prompt, finish.cached)
    )


def check(name: str, replies: dict[str, Any]) -> None:
    try:
        named = valid(asyncio.run(KINDS[name][0](replies)))
    except (BadReply, StreamBroken) as error:
        named = "http://canned" in str(error)
    except AgentflowError as error:
        named = bool(str(error))
    assert named


@pytest.mark.parametrize("name", KINDS)
def test_what_is_right_is_taken(name: str) -> None:
    ask, replies = KINDS[name]
    assert asyncio.run(ask(replies))


@pytest.mark.parametrize("name", KINDS)
def test_every_field_may_be_missing_or_null(name: str) -> None:
    replies = KINDS[name][1]
    for path in paths(replies):
        if len(path) > 1:
            check(name, changed(replies, path, DELETE))
        if path:
            check(name, changed(replies, path, None))


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(sorted(KINDS)), st.data())
def test_changed_replies(name: str, data: st.DataObject) -> None:
    replies = KINDS[name][1]
    for _ in range(data.draw(st.integers(1, 2))):
        places = [path for path in paths(replies) if path]
        replies = changed(
            replies, data.draw(st.sampled_from(places)), data.draw(st.sampled_from(VALUES))
        )
    check(name, replies)


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS)
def test_every_value_in_every_field(name: str) -> None:
    replies = KINDS[name][1]
    for path in filter(None, paths(replies)):
        for value in VALUES:
            check(name, changed(replies, path, value))


@pytest.mark.parametrize(
    ("name", "path", "value", "says"),
    [
        ("llama.cpp", ("/completions", 0, "choices"), 3, "choices is 3"),
        ("llama.cpp", ("/completions", 0, "choices", 0, "text"), 3, "text is 3"),
        ("vllm", ("/completions", 0, "choices", 0, "token_ids"), [9, 8, "x"], "token_ids is 'x'"),
        (
            "vllm",
            ("/completions", 0, "choices", 0, "logprobs", "token_logprobs"),
            [-0.1, -0.2],
            "token_logprobs is a list of 2",
        ),
        ("chat", (*DELTA_AT, "content"), 3, "delta.content is 3"),
        ("chunks", (*DELTA_AT, "content", 1, "text"), 3, "content[].text is 3"),
        ("chat", ("/completions", 1, "choices", 0, "finish_reason"), 3, "finish_reason is 3"),
        ("tools", ("/completions", "choices"), [], "choices is missing"),
        ("tools", ("/completions", "error"), {"message": "no credit"}, "error is 'no credit'"),
        ("tools", ("/completions", "choices", 0, "message", "tool_calls"), "x", "tool_calls is"),
        ("rewards", ("/pooling", "data", 0, "data"), [[0.1, 0.9]], "a list of 1"),
        ("open vllm", ("/models", "data", 0, "max_model_len"), "long", "max_model_len is 'long'"),
    ],
)
def test_the_error_names_the_server_and_the_field(
    name: str, path: tuple[Any, ...], value: Any, says: str
) -> None:
    with pytest.raises((BadReply, StreamBroken), match="http://canned") as caught:
        asyncio.run(KINDS[name][0](changed(KINDS[name][1], path, value)))
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("name", "path", "value"),
    [
        ("llama.cpp", ("/completions", 1, "usage"), "many"),
        ("vllm", ("/completions", 1, "usage", "prompt_tokens_details", "cached_tokens"), -1),
    ],
)
def test_a_whole_reply_is_not_lost_with_its_usage(
    name: str, path: tuple[Any, ...], value: Any
) -> None:
    ask, replies = KINDS[name]
    assert asyncio.run(ask(changed(replies, path, value)))


@given(st.text(max_size=200))
@example('{"at": NaN}')
@example("[" * 100_000)
@settings(max_examples=50, deadline=None)
def test_arguments_of_a_call_are_read_or_told_as_unreadable(text: str) -> None:
    path = ("/completions", "choices", 0, "message", "tool_calls", 0, "function", "arguments")
    message = asyncio.run(tools(changed(KINDS["tools"][1], path, text)))
    assert len(message.tool_calls) + len(message.invalid_tool_calls) == 1
