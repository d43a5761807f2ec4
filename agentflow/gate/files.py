"""Files of the command line: tools as JSON Schema, actions as JSON lines."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from agentflow.errors import BadInput
from agentflow.files import text_in
from agentflow.gate.certify import Action
from agentflow.gate.policy import Call
from agentflow.strict_json import loads_line

_LENGTHS = {"minLength": "min_length", "maxLength": "max_length"}
_LIMITS = {
    "minimum": "ge", "maximum": "le", "exclusiveMinimum": "gt", "exclusiveMaximum": "lt",
}  # fmt: skip
_PLAIN: dict[str, tuple[Any, dict[str, str]]] = {
    "string": (str, _LENGTHS),
    "integer": (int, _LIMITS),
    "number": (float, _LIMITS),
    "boolean": (bool, {}),
}
"""Types that hold no others -> pydantic's, and what bounds them."""
_SAID = {"title", "description", "default", "examples", "$schema", "format"}
"""Keywords that allow and forbid nothing, or that we take as said."""


def read_tools(file: Path) -> dict[str, type[BaseModel]]:
    """The schemas of tools in a file: a JSON list of ``{"name", "parameters"}``, or of OpenAI's
    ``{"type": "function", "function": {...}}``.

    Raises:
        BadInput: If it cannot be read or has none, or a schema says what is not understood.
    """
    try:
        listed = json.loads(text_in(file))
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{file}: no JSON: {error}") from error
    if not isinstance(listed, list):
        raise BadInput(f"{file}: tools are a JSON list")
    if not listed:
        raise BadInput(f"{file}: no tools, so there is nothing to call")
    found: dict[str, type[BaseModel]] = {}
    for at, one in enumerate(listed):
        where = f"{file}: tool {at + 1}"
        match one:
            case {"function": {"name": str(name), **more}} | {"name": str(name), **more} if (
                name not in found
            ):
                schema = more.get("parameters", {"type": "object"})
            case _:
                raise BadInput(f"{where}: a name of its own is missing")
        try:
            found[name] = _model(name, schema, where)
        except RecursionError as error:
            raise BadInput(f"{where}: its parameters are nested too deep") from error
    return found


def _model(name: str, schema: Any, where: str) -> type[BaseModel]:
    known = {"type", "properties", "required", "additionalProperties"} | _SAID
    fields = schema.get("properties", {}) if isinstance(schema, dict) else None
    required = schema.get("required", []) if isinstance(schema, dict) else None
    if (
        not isinstance(fields, dict)
        or schema.get("type") != "object"
        or schema.keys() - known
        or not isinstance(required, list)
        or not all(one in list(fields) for one in required)
    ):
        raise BadInput(f"{where}: its parameters are no plain object of properties")
    made: dict[str, Any] = {}
    for key, value in fields.items():
        kind = _kind(value, f"{where}, {key}")
        default = ... if key in required else value.get("default")
        made[key] = (kind if default is not None else kind | None, default)
    try:
        found: type[BaseModel] = create_model(name, __config__=ConfigDict(extra="forbid"), **made)
    except RecursionError:
        raise
    except Exception as error:  # of many kinds: a name may be one of pydantic's own
        raise BadInput(f"{where}: its names cannot be used: {error}") from error
    if unused := made.keys() - found.model_fields.keys():
        raise BadInput(f"{where}: a property cannot be named {', '.join(sorted(unused))}")
    return found


def _kind(schema: Any, where: str) -> Any:
    match schema:
        case {"enum": [*values], **more} if values and _allows(values, more):
            return Literal[tuple(values)]
        case {"const": value, **more} if _allows([value], more):
            return Literal[value]
        case {"type": "array", "items": items, **more} if not more.keys() - _SAID:
            return list[_kind(items, where)]  # type: ignore[misc]
        case {"type": "object", "properties": _, **__}:
            return _model("object", schema, where)
        case {"type": str(name), **more} if name in _PLAIN:
            kind, known = _PLAIN[name]
            bounds = {str(key): value for key, value in more.items() if key not in _SAID}
            if all(key in known and _bounds(kind, value) for key, value in bounds.items()):
                return _bounded(kind, {known[key]: value for key, value in bounds.items()})
    raise BadInput(f"{where}: its schema is not understood: {json.dumps(schema)[:200]}")


_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}
"""JSON's plain types -> those of their values here."""


def _allows(values: Sequence[Any], more: Mapping[Any, Any]) -> bool:
    """Whether these values, of ``enum`` or ``const``, are plain ones of the type that is said."""
    said = more.get("type", list(_TYPES))
    names = said if isinstance(said, list) else [said]
    known = [kind for name in names if isinstance(name, str) for kind in _TYPES.get(name, ())]
    return not more.keys() - (_SAID | {"type"}) and all(type(value) in known for value in values)


def _bounds(kind: Any, value: Any) -> bool:
    """Whether a value can bound a text's length, or a number."""
    if kind is str:
        return type(value) is int and value >= 0
    whole = type(value) is int or (type(value) is float and value.is_integer())
    return whole or (kind is float and type(value) is float and isfinite(value))


def _bounded(kind: Any, bounds: Mapping[str, Any]) -> Any:
    return Annotated[kind, Field(**bounds)] if bounds else kind


def read_actions(file: Path) -> tuple[list[Action], list[tuple[str, Action]]]:
    """(Right actions, wrong ones with what they break) of JSON lines: ``state``, ``name`` and
    ``args``, perhaps ``label``, and ``breaks`` for a wrong one.

    Raises:
        BadInput: If a line cannot be read, which is said, or there is none.
    """
    right: list[Action] = []
    wrong: list[tuple[str, Action]] = []
    for number, line in enumerate(text_in(file).split("\n"), 1):
        if not line.strip():
            continue
        try:
            one = loads_line(line.encode())
        except ValueError as error:
            raise BadInput(f"{file}, line {number}: {error}") from error
        match one:
            case {"state": dict(state), "name": str(name), "args": dict(args), **more} if not (
                more.keys() - {"label", "breaks"}
            ):
                label = str(more.get("label", f"line {number}"))
                action = Action(state, Call(name, args), label)
            case _:
                raise BadInput(
                    f"{file}, line {number}: an action has state (an object), name, args (an "
                    "object), perhaps label and breaks"
                )
        if "breaks" in more:
            wrong.append((str(more["breaks"]), action))
        else:
            right.append(action)
    if not (right or wrong):
        raise BadInput(f"{file}: no actions, so there is nothing to judge rules by")
    return right, wrong
