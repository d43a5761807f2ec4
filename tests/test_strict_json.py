"""JSON that every program reads."""

from __future__ import annotations

import json
from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow.strict_json import dumps, loads_line

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def refuse(constant: str) -> None:
    raise AssertionError(constant)


@given(values)
def test_what_is_written_is_json(value: object) -> None:
    written = dumps(value)
    assert dumps(json.loads(written, parse_constant=refuse)) == written


def test_only_numbers_that_json_does_not_know_are_lost() -> None:
    assert dumps({"a": [nan, 1.5, (inf, "NaN")], "b": -inf}) == (
        '{"a": [null, 1.5, [null, "NaN"]], "b": null}'
    )
    assert dumps({"a": 1e308, "b": 10**400}) == f'{{"a": 1e+308, "b": 1{"0" * 400}}}'


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b'{"a": "x\xff"}', "not UTF-8 text: byte 9 is 0xff"),
        (b'{"a": \x00}', "byte 7 is NUL"),
        (b"\x1f\x8b\x08\x00\x00", "compressed by gzip; unpack it first"),
        (b'{"a": ', "Expecting value"),
        (b"[" * 100_000, "recursion"),
    ],
)
def test_a_bad_byte_is_named(line: bytes, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        loads_line(line)


def test_a_byte_order_mark_is_no_part_of_a_line() -> None:
    assert loads_line(b'\xef\xbb\xbf{"a": 1}\r\n') == {"a": 1}
