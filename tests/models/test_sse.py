"""Tokens out of bytes: however they are framed and cut."""

from __future__ import annotations

import asyncio
import json
from itertools import pairwise
from typing import Any

import orjson
import pytest
from canned import read
from fake_server import SPECIAL, event, last_event, llamacpp_event, vllm_event
from hypothesis import given
from hypothesis import strategies as st

from agentflow.errors import BadReply, Refused, StreamBroken
from agentflow.models import Token, sse

FIRST = event(choices=[{"text": "a", "finish_reason": None}])
LAST = event(choices=[{"text": "b", "finish_reason": "stop"}])
PIECES = ["a", " 24", "é", "→", "\n", "\r\n", "data: ", "\u2028", "🎈", "\\boxed{", ""]


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


async def test_an_event_of_many_lines_is_not_parsed_anew_at_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    parsed = []

    class Counting:
        JSONDecodeError = orjson.JSONDecodeError

        def loads(self, data: bytes) -> Any:
            parsed.append(len(data))
            return orjson.loads(data)

    monkeypatch.setattr(sse, "orjson", Counting())
    with pytest.raises(BadReply, match="an object"):
        await read([b"data:[\n", b"data:1,\n" * 100, b"data:1]\n\n"])
    assert len(parsed) <= 1


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
