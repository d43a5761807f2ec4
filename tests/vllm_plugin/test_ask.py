"""What a request may ask, and numbers spelled in token ids; without torch."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow.vllm_plugin.ask import (
    KEY,
    PROTOCOL,
    Ask,
    Entropy,
    Report,
    Stop,
    parse_ask,
    tokens_of,
)
from agentflow.vllm_plugin.digits import MOST, REASONS, decode, decode_probe, encode, report
from agentflow.vllm_plugin.layout import LEVELS, RULES, SETTINGS, report_tokens, settings

BASIC: dict[str, Any] = {"protocol": PROTOCOL, "first": 4, "base": 1496}


def said(**what: Any) -> dict[str, str]:
    return {KEY: json.dumps(BASIC | what)}


def test_what_asks_for_nothing_is_none() -> None:
    assert parse_ask(None) is None
    assert parse_ask({}) is None
    assert parse_ask({"others": "thing"}) is None


def test_an_ask_comes_back_as_it_was() -> None:
    stop = Stop(close=(3, 9), entropy=Entropy(variance=1e-3), patterns=((1, 2), (3,)), guard=(1,))
    ask = Ask(**BASIC, stop=stop, report=Report(after=(3,), end=2, curve=5))
    assert parse_ask(ask.xargs()) == ask
    assert hash(ask) == hash(parse_ask(ask.xargs()))


@pytest.mark.parametrize(
    ("extra", "why"),
    [
        ({KEY: 5}, "must be one JSON text, not int"),
        ({KEY: "{"}, "Invalid JSON"),
        ({KEY: "[]"}, "should be an object"),
        (said(), "either a probe or a stop"),
        (said(probe=["entropy"], stop={"close": [3]}), "either a probe or a stop"),
        (said(probe=["entropies"]), "probe.0: Input should be 'protocol', 'entropy'"),
        (said(stop={"close": []}), "stop.close"),
        (said(stop={"close": [3], "budgets": 1}), "stop.budgets: Extra inputs"),
        (said(stop={"close": [3], "entropy": {}}), "entropy needs variance or level"),
        (said(probe=["entropy"], report={"after": [3], "end": 2}), "a report needs a stop"),
        (said(stop={"close": [3]}, report={"after": [3], "end": 5}), "must not be one of its dig"),
        ({KEY: json.dumps(BASIC | {"protocol": 99, "new": 1})}, "version 99 of agentflow's plugin"),
        ({KEY: json.dumps({"protocol": 99})}, "install the same agentflow on both"),
    ],
)
def test_what_is_wrong_is_named(extra: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why.replace(".", r"\.")):
        parse_ask(extra)


@given(st.recursive(st.none() | st.integers() | st.text() | st.floats(), st.lists))
def test_anything_else_is_one_error(value: Any) -> None:
    if value is None:
        return
    with pytest.raises(ValueError, match="vllm_xargs"):
        parse_ask({KEY: value if not isinstance(value, str) else json.dumps([value])})


@given(st.floats(0, MOST), st.integers(256, 200_000))
def test_a_number_comes_back_to_half_a_step(value: float, base: int) -> None:
    digits = encode(value, MOST, base)
    assert all(0 <= digit < base for digit in digits)
    assert decode(digits, MOST, base) == pytest.approx(value, abs=0.6 * MOST / base**2)


def test_probes_are_read_by_name() -> None:
    ids = [4 + d for v, most in ((1, 1000), (2.5, MOST)) for d in encode(v, most, 1496)]
    found = decode_probe(ids, ("protocol", "entropy"), 4, 1496)
    assert round(found["protocol"]) == 1
    assert found["entropy"] == pytest.approx(2.5, abs=1e-5)
    assert tokens_of(Ask(**BASIC, probe=("protocol", "entropy"))) == len(ids)


@pytest.mark.parametrize("ids", [[], [5], [5, 6, 7], [3, 5], [5, 1500]])
def test_what_no_plugin_wrote_is_refused(ids: list[int]) -> None:
    with pytest.raises(ValueError, match=r"numbers|digits"):
        decode_probe(ids, ("entropy",), 4, 1496)


def test_a_report_is_read() -> None:
    ids = [4 + d for d in (7, 0, 30, 1, *encode(0.5, 1.0, 1496))]
    ended = report(ids, 4, 1496, 1.0)
    assert (ended.reason, ended.tokens) == ("budget", 30)
    assert ended.curve == (pytest.approx(0.5, abs=1e-6),)


@given(st.lists(st.integers(0, 1600), max_size=20))
def test_a_report_is_whole_or_refused(ids: list[int]) -> None:
    try:
        ended = report(ids, 4, 1496, MOST)
    except ValueError:
        return
    assert ended.reason in REASONS
    assert len(ids) == 4 + 2 * len(ended.curve)


def test_settings_fill_their_columns() -> None:
    stop = Stop(close=(3, 9), budget=7, patterns=((1, 2),), entropy=Entropy(level=0.5))
    ask = Ask(**BASIC, stop=stop, report=Report(after=(1,), end=2, curve=64))
    whole, levels = settings(ask, 500)
    assert (len(whole), len(levels)) == (SETTINGS.width, LEVELS.width)
    at = dict(zip(RULES, whole[SETTINGS.at["enabled"]], strict=True))
    assert [rule for rule, on in at.items() if on] == ["entropy_level", "pattern", "budget"]
    assert whole[SETTINGS.at["close"]][:3] == [3, 9, -1]
    assert whole[SETTINGS.one["room"]] == 500 - report_tokens(64)
    assert max(ask.ids()) == 1499
