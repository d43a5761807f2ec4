"""What is told of a server that refuses or fails."""

from __future__ import annotations

import pytest
from canned import read

from agentflow.errors import ModelUnavailable
from agentflow.models.server_errors import message, too_long, without_key

KEY = "sk-proj-AbC/dEf+gHi-123"


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


def test_what_a_provider_behind_a_router_said() -> None:
    about = {"provider_name": "X", "raw": "the prompt is too long"}
    error = {"error": {"message": "Provider returned error", "metadata": about}}
    assert message(error) == "Provider returned error: the prompt is too long"
    assert message({"error": {"message": "no", "metadata": {"raw": {}}}}) == "no"
    assert message({"error": None, "message": "no"}) == "no"


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
