"""JSON that a client wants the answer in (``response_format``, ``output_config.format``).

A method states an answer; it fills no form. So what can be asked for is an object of what is
known of a result: ``{"answer": "24", "status": "verified"}``. A schema says which of these fields,
and of which type; a schema of anything else is refused before a token is spent.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from agentflow.server.refused import Refused

FIELDS = ("answer", "status", "reason", "candidate")
"""Fields of a result that a schema may name."""

_TYPES = {
    "answer": {"string", "number", "integer", "null"},
    "status": {"string"},
    "reason": {"string"},
    "candidate": {"string", "number", "integer", "null"},
}
_OF_OBJECTS = {"type", "properties", "required", "additionalProperties", "title", "description"}
_OF_VALUES = {"type", "enum", "anyOf", "title", "description", "default"}
_INTEGER, _DECIMAL = re.compile(r"[+-]?[0-9]{1,18}"), re.compile(r"[+-]?[0-9]{1,15}\.[0-9]{1,15}")
_MISSING = object()


@dataclass(frozen=True, slots=True)
class Shape:
    """An object of a result's fields.

    Attributes:
        types: By field, the JSON types it may have, those that are wanted first.
        enums: By field, the values it may have; none for any.
        required: Fields that it must have.
    """

    types: Mapping[str, tuple[str, ...]]
    enums: Mapping[str, tuple[Any, ...]]
    required: tuple[str, ...]

    def filled(self, values: Mapping[str, Any]) -> str | None:
        """The object as JSON; None where a field that it must have has no such value, or there is
        an answer that does not fit the answer's field: an object without it would hide it."""
        found = {}
        for field, types in self.types.items():
            value = _as(values[field], types)
            allowed = self.enums.get(field, (value,))
            among = any(one == value and type(one) is type(value) for one in allowed)
            if value is _MISSING or not among:
                if field in self.required or (field == "answer" and values[field] is not None):
                    return None
            else:
                found[field] = value
        return orjson.dumps(found).decode()


ANY = Shape(dict.fromkeys(FIELDS, ("string", "null")), {}, FIELDS)
"""What is said where JSON is wanted and no schema given."""


def of_schema(schema: Any, where: str) -> Shape:
    """The shape that a JSON schema describes.

    Args:
        where: The parameter that holds it, for errors.

    Raises:
        Refused: If a result cannot fill it (400); says what one can.
    """
    if not isinstance(schema, dict) or schema.get("type") != "object":
        raise _unfillable(where, "its type is not object")
    if unknown := set(schema) - _OF_OBJECTS - {"$schema"}:
        raise _unfillable(where, f"{_named(unknown)} is not understood")
    properties, required = schema.get("properties"), schema.get("required", [])
    if not (isinstance(properties, dict) and properties):
        raise _unfillable(where, "it has no properties")
    if not (isinstance(required, list) and all(isinstance(one, str) for one in required)):
        raise _unfillable(where, "required is no list of names")
    if unknown := {*properties, *required} - set(FIELDS):
        raise _unfillable(where, f"nothing is known of {_named(unknown)}")
    if unknown := set(required) - set(properties):
        raise _unfillable(where, f"{_named(unknown)} is required and not described")
    types, enums = {}, {}
    for field, described in properties.items():
        types[field] = _types(described, field, where)
        if "enum" in described:
            if not isinstance(described["enum"], list):
                raise _unfillable(where, f"the enum of {field} is no list")
            enums[field] = tuple(described["enum"])
    return Shape(types, enums, tuple(required))


def _types(described: Any, field: str, where: str) -> tuple[str, ...]:
    """The types of a field, by ``type`` or by ``anyOf`` with a type each."""
    if not isinstance(described, dict) or set(described) - _OF_VALUES:
        raise _unfillable(where, f"of {field} only type, anyOf and enum are understood")
    if "anyOf" in described and "type" in described:
        raise _unfillable(where, f"of {field} either type or anyOf is understood")
    options = described.get("anyOf", [described])
    if not (isinstance(options, list) and options and all(isinstance(o, dict) for o in options)):
        raise _unfillable(where, f"the anyOf of {field} is no list of schemas")
    if "anyOf" in described and any(set(one) - {"type"} for one in options):
        raise _unfillable(where, f"in the anyOf of {field} only type is understood")
    found: list[str] = []
    for one in options:
        kind = one.get("type")
        kinds = kind if isinstance(kind, list) else [kind]
        found += (each for each in kinds if isinstance(each, str))
        if not kinds or not all(isinstance(each, str) and each in _TYPES[field] for each in kinds):
            allowed = ", ".join(sorted(_TYPES[field]))
            raise _unfillable(where, f"{field} may be: {allowed}")
    return tuple(found)


def _as(value: str | None, types: tuple[str, ...]) -> Any:
    """A value in one of some types; ``_MISSING`` if it has none of them."""
    if value is None:
        return None if "null" in types else _MISSING
    if "string" in types:
        return value
    plain = value.strip()
    if _INTEGER.fullmatch(plain) and not {"integer", "number"}.isdisjoint(types):
        return int(plain)
    if "number" in types and _DECIMAL.fullmatch(plain):
        return float(plain)
    return _MISSING


def _named(names: set[str]) -> str:
    return ", ".join(sorted(name[:64] for name in names)[:10])


def _unfillable(where: str, why: str) -> Refused:
    message = (
        f"{where}: {why}. A method states an answer and fills no form: ask for an object with "
        f"properties among {', '.join(FIELDS)} (answer: string, number, integer or null), or for "
        "text, and read the reply's field agentflow"
    )
    return Refused(400, message, "unsupported_value", where)
