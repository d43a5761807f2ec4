"""JSON that a client wants the answer in."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any, Literal

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from agentflow.server import shapes
from agentflow.server.refused import Refused
from agentflow.server.shapes import ANY, FIELDS

VALUES = {"answer": "24", "status": "verified", "reason": "", "candidate": None}


def of(properties: dict[str, Any], required: list[str] | None = None, **more: Any) -> shapes.Shape:
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return shapes.of_schema(schema | {"required": required or list(properties)} | more, "format")


def test_any_object() -> None:
    assert json.loads(ANY.filled(VALUES) or "") == VALUES


@pytest.mark.parametrize(
    ("type", "answer", "value"),
    [
        ("string", "24", "24"),
        ("integer", " 24 ", 24),
        ("number", "24", 24),
        ("number", "-2.5", -2.5),
        (["integer", "null"], "24", 24),
        (["string", "null"], "24", "24"),
        (["string", "null"], None, None),
    ],
)
def test_the_answer_has_the_type_asked_for(type: Any, answer: str | None, value: Any) -> None:
    filled = of({"answer": {"type": type}}).filled(VALUES | {"answer": answer})
    assert filled is not None
    assert json.loads(filled) == {"answer": value}


@pytest.mark.parametrize(
    ("type", "answer"),
    [
        ("integer", "2.5"),
        ("integer", "x"),
        ("number", "1/2"),
        ("number", "nan"),
        ("string", None),
        ("null", "24"),
    ],
)
def test_an_answer_of_another_type_fills_nothing(type: str, answer: str | None) -> None:
    assert of({"answer": {"type": type}}).filled(VALUES | {"answer": answer}) is None


def test_what_is_not_required_may_be_missing() -> None:
    fields = {name: {"type": "integer"} for name in ("answer", "candidate")}
    shape = of(fields | {"status": {"type": "string"}}, ["status"])
    without = VALUES | {"answer": None, "candidate": "x"}
    assert json.loads(shape.filled(without) or "") == {"status": "verified"}


def test_an_answer_is_never_left_out() -> None:
    shape = of({"answer": {"type": "integer"}, "status": {"type": "string"}}, ["status"])
    assert shape.filled(VALUES | {"answer": "x"}) is None


def test_an_enum() -> None:
    shape = of({"status": {"type": "string", "enum": ["verified", "accepted"]}})
    assert shape.filled(VALUES) == '{"status":"verified"}'
    assert shape.filled(VALUES | {"status": "abstained"}) is None


def test_what_pydantic_writes() -> None:
    class Reply(BaseModel):
        """An answer."""

        answer: int | None
        status: Literal["verified", "unverified"]
        reason: str = ""

    shape = shapes.of_schema(Reply.model_json_schema(), "format")
    assert Reply.model_validate_json(shape.filled(VALUES) or "").answer == 24


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        (None, "its type is not object"),
        ({"type": "array"}, "its type is not object"),
        ({"type": "object"}, "it has no properties"),
        ({"type": "object", "properties": {"steps": {"type": "string"}}}, "known of steps"),
        ({"type": "object", "properties": {"answer": {"type": "object"}}}, "answer may be: int"),
        ({"type": "object", "properties": {"answer": {"$ref": "#"}}}, "only type, anyOf and enum"),
        ({"type": "object", "properties": {"answer": {}}}, "answer may be"),
        ({"type": "object", "properties": {"answer": {"type": "string", "minLength": 3}}}, "only"),
        ({"type": "object", "properties": {"answer": {"type": "string"}}, "allOf": []}, "allOf is"),
        (
            {
                "type": "object",
                "properties": {"answer": {"type": "string"}},
                "required": ["status"],
            },
            "status is required and not described",
        ),
    ],
)
def test_what_no_result_fills_is_refused(schema: Any, said: str) -> None:
    with pytest.raises(Refused, match="A method states an answer and fills no form") as raised:
        shapes.of_schema(schema, "format")
    assert said in str(raised.value)
    assert raised.value.status == 400


WORDS = st.sampled_from(["type", "properties", "required", "anyOf", "answer", "object", "x"])
TYPES = st.sampled_from(["string", "integer", "number", "null", "object", ["string", "null"], 3])
PROPERTY = st.one_of(
    st.builds(dict, type=TYPES),
    st.builds(dict, type=TYPES, enum=st.lists(st.sampled_from(["24", 24, "verified", None]))),
    st.builds(dict, anyOf=st.lists(st.builds(dict, type=TYPES), max_size=2)),
)
SCHEMA = st.fixed_dictionaries(
    {"type": st.just("object"), "properties": st.dictionaries(st.sampled_from(FIELDS), PROPERTY)},
    optional={
        "required": st.lists(st.sampled_from(FIELDS), unique=True),
        "additionalProperties": st.booleans(),
    },
)


@given(SCHEMA, st.sampled_from([None, "24", "2.5", "x", "²", "9" * 30, "٤"]))
def test_what_is_filled_meets_the_schema(schema: dict[str, Any], answer: str | None) -> None:
    try:
        filled = shapes.of_schema(schema, "format").filled(VALUES | {"answer": answer})
    except Refused:
        return
    if filled is not None:
        of_schema = jsonschema.validators.validator_for(schema)
        of_schema.check_schema(schema)
        assert list(of_schema(schema).iter_errors(json.loads(filled))) == []


@given(
    st.recursive(
        st.none() | st.integers() | WORDS,
        lambda inner: st.lists(inner) | st.dictionaries(WORDS, inner),
    )
)
def test_any_schema(schema: Any) -> None:
    """It is refused, or names fields of a result alone."""
    with suppress(Refused):
        assert set(shapes.of_schema(schema, "format").types) <= set(FIELDS)
