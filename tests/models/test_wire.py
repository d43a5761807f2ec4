"""Tokens out of bytes: both shapes of event, however they are cut."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from itertools import pairwise
from typing import Any

import pytest
from fake_server import SPECIAL, event, last_event, llamacpp_event, vllm_event
from hypothesis import given
from hypothesis import strategies as st

from agentflow.errors import BadReply, ModelUnavailable, Refused, StreamBroken
from agentflow.models import HTTPModel, Request, Token, complete
from agentflow.models.wire import message, too_long, without_key
from agentflow.profile import PROFILES


class Canned(HTTPModel):
    """The client over given chunks of bytes instead of a connection."""

    def __init__(self, chunks: Sequence[bytes]) -> None:
        super().__init__("http://canned/v1", profile=PROFILES["pocket"])
        self._markers = {i: SPECIAL[i] for i in (1, 2, 3)}
        self.chunks = chunks

    @asynccontextmanager
    async def request(self, *_: Any) -> AsyncIterator[Any]:
        class Content:
            async def iter_any(content) -> AsyncIterator[bytes]:
                for chunk in self.chunks:
                    yield chunk

        response = type("Response", (), {"content": Content(), "headers": {}})
        yield response


async def read(chunks: Sequence[bytes], top: int = 0) -> list[Token]:
    """The tokens in the chunks, which must end in a finish."""
    completion = await complete(Canned(chunks), Request((1,), 99, top=top))
    return list(completion.tokens)


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


FIRST = event(choices=[{"text": "a", "finish_reason": None}])
LAST = event(choices=[{"text": "b", "finish_reason": "stop"}])


@pytest.mark.parametrize(
    "data",
    [
        FIRST + LAST,
        FIRST + LAST.strip(),  # without an end of the last line
        b"data:\n\ndata: \n\n" + FIRST + b"data\n\n" + LAST,  # as some keep a connection open
        b": OPENROUTER PROCESSING\n\n\n" + FIRST + b"event: x\nid: 1\nretry: 9\n" + LAST,
        FIRST.replace(b', "', b',\ndata: "') + LAST,  # several lines of data
        b"\xef\xbb\xbf\n" + FIRST + LAST,
        b"\xef\xbb\xbf" + FIRST + LAST,
        (FIRST + LAST).replace(b"\n", b"\r\n"),
        (FIRST + LAST).replace(b"\n", b"\r"),
        FIRST + LAST + b"data: [DONE]",
        FIRST + LAST + b"data: [DONE]\n\n" + FIRST,
        FIRST.replace(b"\n\n", b"\n") + LAST.replace(b"\n\n", b"\n") + b"data: [DONE]\n" + FIRST,
    ],
)
async def test_however_a_stream_is_framed(data: bytes) -> None:
    for size in (1, 7, len(data)):
        chunks = [data[at : at + size] for at in range(0, len(data), size)]
        assert [token.text for token in await read(chunks)] == ["a", "b"]


@pytest.mark.parametrize(
    ("said", "texts"),
    [
        ([b'"a\\ud83d"', b'"\\ude00b"'], ["a", "😀b"]),  # cut in half between two events
        ([b'"a\\ud83d"', b'"b"'], ["a", "\ufffdb"]),
        ([b'"a\\ude00"', b'"\\ud83d\\ude00"'], ["a\ufffd", "😀"]),
        ([b'"a\\uD83D\\uDE00"', b'"b"'], ["a😀", "b"]),
        ([b'"a\xf0\x9f"', b'"b"'], ["a\ufffd", "b"]),
    ],
)
async def test_a_character_that_is_none_does_not_break_a_stream(
    said: list[bytes], texts: list[str]
) -> None:
    chunks = [b'data: {"choices": [{"text": %s}]}\n\n' % one for one in said]
    end = event(choices=[{"text": "", "finish_reason": "stop"}])
    found = [token.text for token in await read([*chunks, end])]
    assert [one for one in found if one] == texts


async def test_numbers_that_json_does_not_know() -> None:
    logged = (
        b'"tokens": ["a"], "token_logprobs": [NaN], "top_logprobs": [{"a": -1, "b": -Infinity}]'
    )
    one = FIRST.replace(b'"finish_reason": null', b'"logprobs": {%s}' % logged)
    first, _ = await read([one + LAST], top=2)
    assert first == Token("a", None, None, (("a", -1.0), ("b", -9999.0)))


async def test_no_text_is_lost_where_log_probabilities_are_missing() -> None:
    none = event(choices=[{"text": "a", "logprobs": {"content": []}}])
    fewer = event(
        choices=[{"text": "bcd", "logprobs": {"content": [{"token": "b"}, {"token": "c"}]}}]
    )
    assert "".join(token.text for token in await read([none + fewer + LAST])) == "abcdb"


async def test_of_several_choices_the_first_is_read() -> None:
    a, b = ({"text": text, "index": n} for n, text in enumerate("ab"))
    end = event(choices=[{"text": "", "index": 0, "finish_reason": "stop"}])
    for events in (event(choices=[b, a]), event(choices=[a]) + event(choices=[b])):
        assert [one.text for one in await read([events + end]) if one.text] == ["a"]
    with pytest.raises(BadReply, match="choices is a list of 2, where a list of one"):
        await read([event(choices=[a, a]) + end])


async def test_the_only_choice_may_be_numbered_from_1() -> None:
    said, end = {"text": "a", "index": 1}, {"text": "", "index": 1, "finish_reason": "stop"}
    tokens = await read([event(choices=[said]) + event(choices=[end])])
    assert [one.text for one in tokens if one.text] == ["a"]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"event: error\ndata: the engine died\n\n", "0 tokens .the engine died"),
        (b'event: error\ndata: {"message": "the engine died"}\n\n', "0 tokens .the engine died"),
        (b"data: Internal Server Error\n\n", "an event is no JSON: 'Internal Server Error'"),
        (b'{"detail": "no credit"}', "no credit"),
        (b'{"code": 1113, "msg": "no credit"}', "no credit"),
    ],
)
async def test_the_error_says_what_the_server_said(data: bytes, says: str) -> None:
    with pytest.raises(ModelUnavailable, match=says):
        await read([data])


async def test_an_answer_that_is_no_stream() -> None:
    whole = {"choices": [{"text": "ab", "finish_reason": "stop"}]}
    assert await read([json.dumps(whole, indent=2).encode()]) == [Token("ab")]
    with pytest.raises(BadReply, match=r"is '<html>.*', where a stream of events should be"):
        await read([b"<html>\n<title>Log in</title>"])
    with pytest.raises(BadReply, match="eventually failed"):
        await read([b"eventually failed\n"])
    with pytest.raises(Refused, match="400: too long"):
        await read([b'[{"error": {"message": "too long", "code": 400}}]'])
    with pytest.raises(StreamBroken, match="after 1 tokens"):  # a further line is no answer
        await read([FIRST + b'{"choices": []}\n'])


def test_what_a_provider_behind_a_router_said() -> None:
    about = {"provider_name": "X", "raw": "the prompt is too long"}
    error = {"error": {"message": "Provider returned error", "metadata": about}}
    assert message(error) == "Provider returned error: the prompt is too long"
    assert message({"error": {"message": "no", "metadata": {"raw": {}}}}) == "no"
    assert message({"error": None, "message": "no"}) == "no"


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


KEY = "sk-proj-AbC/dEf+gHi-123"


@pytest.mark.parametrize(
    "said",
    [
        KEY,
        KEY.lower(),
        KEY.replace("/", "\\/"),
        "sk-proj-AbC%2FdEf%2BgHi-123",
        KEY[:14],
        f"x{KEY}y",
    ],
)
def test_a_key_is_hidden_however_it_is_written(said: str) -> None:
    hidden = without_key(f"bad {said}.", KEY)
    assert "(the key)" in hidden
    assert "dEf" not in hidden
    assert "def" not in hidden


def test_a_long_message_is_cut_behind_its_key() -> None:
    told = message({"error": {"message": "x" * 290 + f" {KEY}"}}, KEY)
    assert len(told) <= 300
    assert "sk-proj" not in told


@pytest.mark.parametrize(
    "said",
    [
        "Invalid max_tokens value, the valid range of max_tokens is [1, 8192]",
        "max_tokens is too large: 16384. This model supports at most 4096 completion tokens",
        "`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens`",
    ],
)
def test_a_limit_of_replies_says_what_to_do(said: str) -> None:
    assert "ask for less (max_tokens)" in too_long(said)


def test_a_key_is_hidden_unless_it_stands_for_none() -> None:
    assert without_key("key abcdef12 is bad", "abcdef12") == "key (the key) is bad"
    assert without_key("fake", "e") == "fake"
    assert without_key("fake", None) == "fake"
