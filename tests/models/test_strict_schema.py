"""Strict schemas: every reply's schema has the strict form, and what follows it is a reply."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field, create_model

sys.path.insert(0, str(Path(__file__).parent.parent / "servers"))

from brain import instance
from validation import not_strict

from agentflow.models.strict_schema import strict
from agentflow.models.structured import Reply


def replies() -> list[type[Reply]]:
    """Every kind of reply there is."""
    import agentflow.nodes
    import agentflow.scorers
    import agentflow.search.proposals
    import agentflow.verifiers.meta  # noqa: F401

    def below(kind: type[Reply]) -> list[type[Reply]]:
        return [one for sub in kind.__subclasses__() for one in (sub, *below(sub))]

    asked = ("agentflow.nodes", "agentflow.scorers", "agentflow.search", "agentflow.verifiers")
    return [one for one in below(Reply) if one.__module__.startswith(asked)]


@pytest.mark.parametrize("kind", replies(), ids=lambda kind: kind.__name__)
def test_every_replys_schema_is_strict(kind: type[Reply]) -> None:
    schema = strict(kind.model_json_schema())
    assert schema is not None
    assert [*not_strict(schema)] == []
    assert schema["required"] == [*kind.model_fields]


class Inner(BaseModel):
    n: int = 3


class Outer(BaseModel):
    inner: Inner = Field(default_factory=Inner, description="one")
    many: list[Inner] = []
    maybe: Inner | None = None
    kind: str = Field(default="a", json_schema_extra={"const": "a"})


def test_defaults_and_what_stands_beside_a_reference_are_left_out() -> None:
    schema = strict(Outer.model_json_schema())
    assert schema is not None
    assert [*not_strict(schema)] == []
    assert schema["properties"]["inner"] == {"$ref": "#/$defs/Inner"}
    assert schema["$defs"]["Inner"]["required"] == ["n"]
    assert schema["properties"]["kind"]["enum"] == ["a"]


@pytest.mark.parametrize(
    "loose",
    [
        {"type": "array", "items": {"type": "string"}},
        {"type": "object", "additionalProperties": {"type": "string"}},
        {"type": "object", "properties": {"a": {}}},
        {"type": "object", "properties": {"a": True}},
        {"type": "object"},
    ],
)
def test_what_has_no_strict_form(loose: dict[str, Any]) -> None:
    assert strict(loose) is None


TYPES = st.sampled_from([int, str, bool, list[int], Inner, int | None, list[Inner]])


@given(st.dictionaries(st.sampled_from("abcdef"), TYPES, min_size=1))
def test_what_follows_the_strict_form_follows_the_schema(fields: dict[str, Any]) -> None:
    kind = create_model("Kind", **fields)
    schema = strict(kind.model_json_schema())
    assert schema is not None
    assert [*not_strict(schema)] == []
    kind.model_validate(instance(schema, schema))
