"""What there is to choose from: methods with their settings, and domains."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agentflow import domains as known
from agentflow import graphs

_BOUNDS = {"minimum": ">=", "exclusiveMinimum": ">", "maximum": "<=", "exclusiveMaximum": "<"}


def methods(only: str | None = None) -> list[dict[str, Any]]:
    """Every method, or one: ``name``, ``description`` and its ``settings``.

    Raises:
        BadInput: If there is no such method or verifier.
    """
    return [
        {"name": name, "description": _description(name), "settings": settings(name)}
        for name in (graphs.methods() if only is None else [only])
    ]


def domains() -> list[dict[str, Any]]:
    """Every domain: ``name``, ``description``, an ``example`` of a problem, and its ``tools``."""
    return [
        {
            "name": domain.name,
            "description": domain.description,
            "example": domain.example,
            "tools": dict(domain.tools),
        }
        for domain in map(known.kind, known.names())
    ]


def _description(name: str) -> str:
    """The line about a method in its module's docstring: the one that starts with its name."""
    lines = (graphs.module(name).__doc__ or "").strip().splitlines()
    for line in lines:
        for start in (f"``{name}``: ", f"{name}: "):
            if line.startswith(start):
                return line.removeprefix(start)
    return lines[0] if lines else ""


def settings(name: str) -> list[dict[str, Any]]:
    """The settings of a method or a verifier: ``name``, ``type``, ``default``, ``bounds`` and
    ``description``; what stands in a table has a name with dots.

    Raises:
        BadInput: If there is no such method or verifier.
    """
    schema = graphs.module(name).graph.builder.context_schema.model_json_schema()
    kinds = schema.get("$defs", {})
    return [
        _setting(f"{key}{place}", one)
        for key, field in schema["properties"].items()
        for place, one in _within(field, kinds)
    ]


def _within(field: dict[str, Any], kinds: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """A field, and behind it those of the table that it is, or may hold: ``.every`` of ``check``,
    ``.budget.tokens`` of ``rules``."""
    yield "", field
    if "$ref" in field:
        for key, one in kinds[field["$ref"].rpartition("/")[2]]["properties"].items():
            yield f".{key}", one
    for option in field.get("items", {}).get("anyOf", ()):
        for kind, at in option.get("discriminator", {}).get("mapping", {}).items():
            for key, one in kinds[at.rpartition("/")[2]]["properties"].items():
                if "const" not in one:
                    yield f".{kind}.{key}", one


def _setting(name: str, field: dict[str, Any]) -> dict[str, Any]:
    """A field of a JSON schema, its optional type unfolded."""
    options = [one for one in field.get("anyOf", [field]) if one.get("type") != "null"]
    kind = options[0]
    return {
        "name": name,
        "type": " or ".join(map(_type, options)),
        "default": field.get("default"),
        "bounds": " ".join(f"{sign} {kind[key]}" for key, sign in _BOUNDS.items() if key in kind),
        "description": field.get("description", ""),
    }


def _type(option: dict[str, Any]) -> str:
    """A type by its name; what may be chosen from, by that."""
    if "const" in option:
        return str(option["const"])
    if "enum" in option:
        return f"one of {', '.join(map(str, option['enum']))}"
    items = option.get("items", {})
    names = next((one["enum"] for one in items.get("anyOf", [items]) if "enum" in one), ())
    of = f" of {', '.join(names)}" if names else ""
    return "table" if "$ref" in option else f"{option.get('type', 'any')}{of}"
