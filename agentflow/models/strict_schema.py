"""Strict schemas: what servers that hold a reply to a schema by the letter ask of one.

Every property is required and no other is allowed, in every object of it (OpenAI's reference,
"Structured model outputs", supported schemas).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_DROPPED = ("default", "title", "examples", "uniqueItems", "discriminator")


def strict(schema: Mapping[str, Any]) -> dict[str, Any] | None:
    """The schema in the strict form; None for one that has none, such as a map with any keys.

    What may be left out in ``schema`` must be given in the strict form: as what its own schema
    allows, which is where a default stands.
    """
    if schema.get("type") != "object":
        return None
    try:
        return dict(_strict(schema))
    except ValueError:
        return None


def _strict(schema: Any) -> Any:
    """
    Raises:
        ValueError: If a part has no strict form.
    """
    if not isinstance(schema, Mapping):
        if schema is True:
            raise ValueError("anything is no schema")
        return schema
    if not (schema.keys() - {"title", "description", "default"}):
        raise ValueError("anything is no schema")
    made = _in_its_words(schema)
    for key in ("$defs", "properties"):
        if key in made:
            made[key] = {name: _strict(part) for name, part in made[key].items()}
    if "anyOf" in made:
        made["anyOf"] = [_strict(part) for part in made["anyOf"]]
    if "items" in made:
        made["items"] = _strict(made["items"])
    if made.get("type") == "object":
        if made.get("additionalProperties") or "properties" not in made:
            raise ValueError("a map with any keys")
        made |= {"required": list(made["properties"]), "additionalProperties": False}
    return made


def _in_its_words(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The same schema, said with the keywords that the strict form has.

    Raises:
        ValueError: If it has none for it.
    """
    made = {key: value for key, value in schema.items() if key not in _DROPPED}
    if "allOf" in made:
        if len(made["allOf"]) > 1:
            raise ValueError("allOf")
        made |= made.pop("allOf")[0]
    if "$ref" in made:  # nothing may stand beside it
        return {"$ref": made["$ref"]}
    if "oneOf" in made:
        made["anyOf"] = made.pop("oneOf")
    if "const" in made:
        made["enum"] = [made.pop("const")]
    if "prefixItems" in made:
        raise ValueError("tuples")
    return made
