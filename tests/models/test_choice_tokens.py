"""Tokens out of events, in both shapes."""

from __future__ import annotations

import pytest
from canned import read
from fake_server import event, last_event, llamacpp_event, vllm_event

from agentflow.errors import BadReply
from agentflow.models import Token

FIRST = event(choices=[{"text": "a", "finish_reason": None}])
LAST = event(choices=[{"text": "b", "finish_reason": "stop"}])


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


async def test_a_long_piece_is_more_than_one_token() -> None:
    """Some servers send many at once, and no ids."""
    choices = [{"text": "seven words are not one token, are they?" * 4, "finish_reason": None}]
    tokens = await read([FIRST, event(choices=choices), LAST])
    assert [token.generated for token in tokens] == [1, 40, 1]


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
