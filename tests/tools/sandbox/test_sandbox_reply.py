"""A reply is text from an adversary."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agentflow.tools.sandbox import Execution, Limits
from agentflow.tools.sandbox.reply import read_reply

LIMITS = Limits(output_bytes=1_000)
REPORT = {"status": 0, "cpu_seconds": 0.5, "peak_mib": 3.0}


def read(reply: Any, report: dict[str, Any] | None = REPORT, limit: str | None = None) -> Execution:
    text = reply if isinstance(reply, bytes) else json.dumps(reply).encode()
    return read_reply(text, b"", b"", report, limit, LIMITS, 1.0)


def good(**changes: Any) -> dict[str, Any]:
    return {"value": 1, "shown": "1", "failure": None, "limit": None} | changes


def nested(depth: int) -> Any:
    return [nested(depth - 1)] if depth else 1


def test_a_good_reply() -> None:
    run = read(good(value={"a": [1, 2.5, None, True]}))
    assert (run.value, run.shown, run.ok) == ({"a": [1, 2.5, None, True]}, "1", True)
    assert (run.seconds, run.cpu_seconds, run.peak_mib) == (1.0, 0.5, 3.0)


@pytest.mark.parametrize(
    "reply",
    [
        b"{",
        b"\xff",
        b"null",
        b"[" * 50_000,
        b'{"a":' * 50_000,
        b'{"value": NaN, "shown": "", "failure": null, "limit": null}',
        b'{"value": 1e999, "shown": "", "failure": null, "limit": null}',
        b'{"value": 1' + b"0" * 5000 + b', "shown": "", "failure": null, "limit": null}',
        [],
        {},
        good(shown=1),
        good(value=nested(81)),
        good(value=2**64),
        good(failure="x"),
        good(failure={"type": "E"}),
        good(failure={"type": "E", "message": 1, "line": 1}),
        good(limit="seconds"),
        good(limit="cpu_seconds"),
        good(limit=["memory_mib"]),
        good(limit={}),
    ],
)
def test_a_bad_reply_is_a_failure(reply: Any) -> None:
    run = read(reply)
    assert run.failure is not None
    assert run.failure.type == "BadReply"
    assert (run.value, run.shown, run.limit) == (None, "", None)


def test_texts_are_cut_and_cleaned() -> None:
    run = read(good(value=["\ud800", {"\udfff": 1}], shown="\ud800" + "x" * 5_000))
    assert run.value == ["\\ud800", {"\\udfff": 1}]
    assert len(run.shown) == LIMITS.output_bytes
    run = read(good(failure={"type": "E" * 999, "message": "m" * 9_999, "line": "1"}))
    assert run.failure is not None
    assert (len(run.failure.type), len(run.failure.message), run.failure.line) == (200, 4_000, None)


def test_no_reply() -> None:
    assert read(b"").failure == read(b"", REPORT | {"status": 0}).failure
    run = read(b"", None)
    assert run.failure is not None
    assert run.failure.type == "SandboxBroken"


def test_a_call_that_was_killed_has_no_value() -> None:
    run = read(good(), limit="seconds")
    assert (run.value, run.limit, run.failure) == (None, "seconds", None)


def test_killed_by_the_kernel_for_its_cpu_time() -> None:
    assert read(b"", REPORT | {"status": -9, "cpu_seconds": 9.9}).limit == "cpu_seconds"
    assert read(b"", REPORT | {"status": -9, "cpu_seconds": 0.1}).limit is None
