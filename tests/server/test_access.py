from __future__ import annotations

import hmac
from hashlib import sha256
from typing import Any

import pytest

from agentflow.errors import BadInput
from agentflow.server import access
from agentflow.server.access import Access, Account
from agentflow.server.refused import Refused
from agentflow.server.settings import Key, Limits, ServeSettings

ALICE, BOB = "a" * 32, "b" * 32


@pytest.fixture
def both(monkeypatch: pytest.MonkeyPatch) -> Access:
    monkeypatch.setenv("BOBS_KEY", BOB)
    keys = {
        "alice": Key(sha256=sha256(ALICE.encode()).hexdigest(), concurrency=1),
        "bob": Key(env="BOBS_KEY", tokens_per_minute=100),
    }
    return Access(ServeSettings(keys=keys, concurrency=3, seconds=5))


def test_a_key_finds_its_account(both: Access) -> None:
    alice, bob = both.account(f"Bearer {ALICE}"), both.account(f"bearer  {BOB}")
    assert (alice.name, alice.limits) == ("alice", Limits(concurrency=1, seconds=5))
    assert (bob.name, bob.limits) == (
        "bob",
        Limits(concurrency=3, tokens_per_minute=100, seconds=5),
    )
    assert both.account(f"Bearer {ALICE}") is alice


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer ", f"Basic {ALICE}", ALICE, f"Bearer {ALICE}x", "Bearer ä"]
)
def test_another_is_refused(both: Access, header: str) -> None:
    with pytest.raises(Refused) as raised:
        both.account(header)
    assert raised.value.status == 401


def test_every_key_is_compared_in_constant_time(
    both: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[Any] = []

    def compare(left: bytes, right: bytes) -> bool:
        compared.append((left, right))
        return hmac.compare_digest(left, right)

    monkeypatch.setattr(access, "compare_digest", compare)
    both.account(f"Bearer {ALICE}")
    assert len(compared) == 2
    assert all(len(left) == len(right) == 32 for left, right in compared)


def test_without_keys_everybody_is_let_in() -> None:
    assert Access(ServeSettings()).account("").name == "anonymous"


@pytest.mark.parametrize("value", ["", "short"])
def test_a_key_that_is_none(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOBS_KEY", value)
    with pytest.raises(BadInput, match=r"bob: the environment variable BOBS_KEY"):
        Access(ServeSettings(keys={"bob": Key(env="BOBS_KEY")}))


def test_a_key_of_two() -> None:
    key = Key(sha256="0" * 64)
    with pytest.raises(BadInput, match="the same key"):
        Access(ServeSettings(keys={"alice": key, "bob": key}))


def account(**limits: Any) -> Account:
    return Account("alice", Limits(**limits), metrics=False)


def test_requests_at_once() -> None:
    one = account(concurrency=2)
    with one.admitted(), one.admitted():
        with pytest.raises(Refused, match="2 requests at once") as raised, one.admitted():
            pass
        assert (raised.value.status, raised.value.retry_after) == (429, 1)
    assert one.running == 0
    with pytest.raises(KeyError), one.admitted():
        raise KeyError
    assert one.running == 0


def test_tokens_per_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """The wait is until the minute before then holds fewer tokens than the limit."""
    now = 1000.0
    monkeypatch.setattr(access, "monotonic", lambda: now)
    one = account(tokens_per_minute=100)
    one.charge(60)
    now += 20
    one.charge(39)
    with one.admitted():
        one.charge(1)
    with pytest.raises(Refused, match="100 tokens per minute") as raised, one.admitted():
        pass
    assert raised.value.retry_after == 40
    now += 39
    with pytest.raises(Refused), one.admitted():
        pass
    now += 1
    with one.admitted():
        pass
    assert len(one.spent) == 2


def test_an_account_without_a_limit_keeps_nothing() -> None:
    one = account()
    one.charge(10**9)
    assert not one.spent
