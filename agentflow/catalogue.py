"""What there is to choose from: methods with their settings, and domains."""

from __future__ import annotations

from typing import Any

from agentflow import graphs
from agentflow.domains import DOMAINS

_BOUNDS = {"minimum": ">=", "exclusiveMinimum": ">", "maximum": "<=", "exclusiveMaximum": "<"}


def methods() -> list[dict[str, Any]]:
    """Every method: ``name``, ``description`` and its ``settings``."""
    return [
        {"name": name, "description": _description(name), "settings": _settings(name)}
        for name in graphs.METHODS
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
        for domain in DOMAINS.values()
    ]


def _description(name: str) -> str:
    """The line about a method in its module's docstring: the one that starts with its name."""
    lines = (graphs.get(name).__doc__ or "").strip().splitlines()
    for line in lines:
        for start in (f"``{name}``: ", f"{name}: "):
            if line.startswith(start):
                return line.removeprefix(start)
    return lines[0] if lines else ""


def _settings(name: str) -> list[dict[str, Any]]:
    schema = graphs.get(name).graph.builder.context_schema.model_json_schema()
    return [_setting(key, field) for key, field in schema["properties"].items()]


def _setting(name: str, field: dict[str, Any]) -> dict[str, Any]:
    """A field of a JSON schema, its optional type unfolded."""
    options = [one for one in field.get("anyOf", [field]) if one.get("type") != "null"]
    kind = options[0]
    return {
        "name": name,
        "type": " or ".join(str(one.get("type", "any")) for one in options),
        "default": field.get("default"),
        "bounds": " ".join(f"{sign} {kind[key]}" for key, sign in _BOUNDS.items() if key in kind),
        "description": field.get("description", ""),
    }
