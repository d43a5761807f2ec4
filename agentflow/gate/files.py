"""Files of the command line: tools as JSON Schema, actions as JSON lines."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from agentflow.errors import BadInput
from agentflow.files import text_in
from agentflow.gate.certify import Action
from agentflow.gate.policy import Call
from agentflow.strict_json import loads_line

_PLAIN: dict[str, Any] = {"string": str, "integer": int, "number": float, "boolean": bool}
_SAID = {"title", "description", "default", "examples", "$schema", "format"}
"""Keywords that allow and forbid nothing, or that we take as said."""


def read_tools(file: Path) -> dict[str, type[BaseModel]]:
    """The schemas of tools in a file: a JSON list of ``{"name", "parameters"}``, or of OpenAI's
    ``{"type": "function", "function": {...}}``.

    Raises:
        BadInput: If it cannot be read, or a schema says what is not understood.
    """
    try:
        listed = json.loads(text_in(file))
    except ValueError as error:
        raise BadInput(f"{file}: no JSON: {error}") from error
    if not isinstance(listed, list):
        raise BadInput(f"{file}: tools are a JSON list")
    found: dict[str, type[BaseModel]] = {}
    for at, one in enumerate(listed):
        where = f"{file}: tool {at + 1}"
        one = one.get("function", one) if isinstance(one, dict) else {}
        name = one.get("name")
        if not isinstance(name, str) or name in found:
            raise BadInput(f"{where}: a name of its own is missing")
        found[name] = _model(name, one.get("parameters", {"type": "object"}), where)
    return found


def _model(name: str, schema: Any, where: str) -> type[BaseModel]:
    known = {"type", "properties", "required", "additionalProperties"} | _SAID
    fields = schema.get("properties", {}) if isinstance(schema, dict) else None
    if not isinstance(fields, dict) or schema.get("type") != "object" or schema.keys() - known:
        raise BadInput(f"{where}: its parameters are no plain object of properties")
    made: dict[str, Any] = {}
    for key, value in fields.items():
        kind = _kind(value, f"{where}, {key}")
        default = ... if key in schema.get("required", []) else value.get("default")
        made[key] = (kind if default is not None else kind | None, default)
    return create_model(name, __config__=ConfigDict(extra="forbid"), **made)


def _kind(schema: Any, where: str) -> Any:
    match schema:
        case {"enum": [*values], **more} if not more.keys() - (_SAID | {"type"}) and values:
            return Literal[tuple(values)]
        case {"const": value, **more} if not more.keys() - (_SAID | {"type"}):
            return Literal[value]
        case {"type": "array", "items": items, **more} if not more.keys() - _SAID:
            return list[_kind(items, where)]  # type: ignore[misc]
        case {"type": "object", "properties": _, **__}:
            return _model("object", schema, where)
        case {"type": str(name), **more} if name in _PLAIN and not more.keys() - (_SAID | _BOUNDS):
            bounds = {_BOUNDS_OF[key]: value for key, value in more.items() if key in _BOUNDS_OF}
            return _bounded(_PLAIN[name], bounds)
    raise BadInput(f"{where}: its schema is not understood: {json.dumps(schema)[:200]}")


_BOUNDS_OF = {
    "minimum": "ge", "maximum": "le", "exclusiveMinimum": "gt", "exclusiveMaximum": "lt",
    "minLength": "min_length", "maxLength": "max_length",
}  # fmt: skip
_BOUNDS = set(_BOUNDS_OF)


def _bounded(kind: Any, bounds: Mapping[str, Any]) -> Any:
    return Annotated[kind, Field(**bounds)] if bounds else kind


def read_actions(file: Path) -> tuple[list[Action], list[tuple[str, Action]]]:
    """(Right actions, wrong ones with what they break) of JSON lines: ``state``, ``name`` and
    ``args``, perhaps ``label``, and ``breaks`` for a wrong one.

    Raises:
        BadInput: If a line cannot be read; says which.
    """
    right: list[Action] = []
    wrong: list[tuple[str, Action]] = []
    for number, line in enumerate(text_in(file).splitlines(), 1):
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
    return right, wrong
