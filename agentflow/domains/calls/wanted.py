"""Whether calls are those that were wanted: the Berkeley Function Calling Leaderboard's comparison.

    {"book": {"hotel": ["Ritz"], "nights": [3], "breakfast": [true, ""]}}    is wanted
    book(hotel="ritz", nights=3)      is right: capitals do not count, breakfast is optional
    book(hotel="Ritz", nights="3")    is wrong: a text is no number

For each parameter the values that are right are listed, with ``""`` where it may be left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from agentflow.tools.matching import matched

Calls = list[tuple[str, dict[str, Any]]]
"""(function, values by parameter)."""

_LOOSE = re.compile(r"[ ,./\-_*^]")
"""What does not count in a text's value on the leaderboard."""
_NO_LISTS = ("boolean", "bool", "dict", "float", "integer", "number", "object", "string")
"""Types of which no list is."""
_NO_TEXTS = {*_NO_LISTS, "array", "list", "tuple"} - {"string"}
"""Types of which no text is; ``""`` in a gold answer says that the parameter may be left out."""
_ADDRESS = re.compile(r"@|://")
"""What a text has in it of which every sign counts."""
_DATE = re.compile(r"(?<!\d)(\d{4}|\d\d?)([-/.])(\d\d?)\2(\d{4}|\d\d?)(?!\d)")
_AS_WRITTEN = (
    (re.compile(r"\*\*"), "^"),
    (re.compile(r"(?<=\d),(?=\d{3}(?!\d))"), ""),
    (_DATE, r"\1-\3-\4"),
    (re.compile(r"(?<=\d)(?:\s*,\s*|\s+)(?=-?\d)"), ";"),
)
"""How numbers, dates and formulas are written in one way; what then stands between two numbers is
``;``."""
_BETWEEN_WORDS = re.compile(
    r"(?:(?<=[^\W\d_]{2})|(?<![^\W_][A-Z])(?<=[A-Z]))(?:\.\s*|[-/.](?=\S)|\s[-/]\s)"
    r"|(?<=[^\W_])[-/.](?=[^\W\d_]{2,}+(?!\())"
    r"|(?<=[^\W\d_])\.(?!\d)|[-/.]\s*\Z|\*(?!\s*\d)|[ ,_]"
)
"""A sign that does not count, for it stands between words; others do: ``-73.9``, ``x-2``."""


def gold(text: str) -> Calls | None:
    """What a gold answer lists: function -> parameter -> the values that are right."""
    try:
        listed = json.loads(text)
        found = [(name, dict(given)) for one in listed for name, given in one.items()]
    except (ValueError, TypeError, AttributeError, RecursionError):
        return None
    lists = all(isinstance(values, list) for _, given in found for values in given.values())
    return found if found and lists else None


def types(properties: Mapping[str, Any]) -> dict[str, str]:
    """The types of parameters, by their schemas."""
    given = {name: one.get("type") for name, one in properties.items() if isinstance(one, dict)}
    return {name: kind for name, kind in given.items() if isinstance(kind, str)}


def floats(properties: Mapping[str, Any]) -> list[str]:
    """The parameters that take floats, or lists of them, by their schemas."""
    return [name for name, schema in properties.items() if _is_float(schema)]


def _is_float(schema: Any) -> bool:
    while isinstance(schema, dict):
        if schema.get("type") in ("float", "number"):
            return True
        schema = schema.get("items")
    return False


def spelled(found: Calls) -> str:
    """Calls as JSON, always alike."""
    plain = [{name: values} for name, values in found]
    return json.dumps(plain, sort_keys=True, ensure_ascii=False)


def match(ours: Calls, right: Calls, known: Mapping[str, Any]) -> bool:
    """Whether each call is one that is wanted, and each that is wanted is made, in any order.

    Args:
        known: What is known of each function: ``properties`` are the parameters it has (and others,
            where it is ``open``), ``required`` those that a call must have, ``floats`` those that
            take floats, ``types`` the types by name.
    """
    if len(ours) != len(right):
        return False
    table = list[list[bool]]()
    for name, given in ours:
        about = known.get(name, {"open": True})
        values = {key: listed[0] for key, listed in given.items() if listed}
        made = set(about.get("required", ())) <= set(values)
        made = made and (about["open"] or set(values) <= set(about["properties"]))
        kinds = about.get("types", {})
        made = made and not any(
            (value == [] and kinds.get(key) in _NO_LISTS)
            or (value == "" and kinds.get(key) in _NO_TEXTS)
            for key, value in values.items()
        )
        floats = frozenset(about.get("floats", ()))
        table.append(
            [made and other == name and _fits(values, one, floats) for other, one in right]
        )
    return matched(table)


def _fits(
    values: dict[str, Any], allowed: dict[str, Any], floats: frozenset[str] | None = None
) -> bool:
    """Whether every value is among those that are right; one that is left out, or an empty list
    in place of a list, may be.

    Args:
        floats: The parameters that take floats; all of them if None.
    """
    if any(key not in allowed for key in values):
        return False
    for key, listed in allowed.items():
        value = values.get(key, "")
        if "" in listed and (key not in values or (value == [] and _are_lists(listed))):
            continue
        loose = floats is None or key in floats
        if key not in values or not any(_same(value, one, loose) for one in listed):
            return False
    return True


def _are_lists(listed: list[Any]) -> bool:
    """Whether the values that are right are lists, or may only be left out."""
    return all(isinstance(one, list) or one == "" for one in listed)


def _same(value: Any, right: Any, loose: bool) -> bool:
    """Whether two values are the same, and of one type; a whole number may stand for a float.

    Args:
        loose: Whether a float may stand for a whole number, too.
    """
    if isinstance(value, bool) or isinstance(right, bool):
        return value is right
    if isinstance(value, str) and isinstance(right, str):
        return _plainer(value) == _plainer(right)
    if isinstance(value, list) and isinstance(right, list):
        return len(value) == len(right) and all(
            _same(one, other, loose) for one, other in zip(value, right, strict=True)
        )
    if isinstance(value, dict) and isinstance(right, dict):  # of an object, too, values are listed
        lists = {key: one if isinstance(one, list) else [one] for key, one in right.items()}
        return _fits(value, lists)
    if isinstance(value, float) and isinstance(right, int) and not loose:
        return False
    return bool(value == right)


def _plainer(text: str) -> str:
    """A text without the signs that do not count in it: those between words, as in names."""
    if _ADDRESS.search(text):
        return text.strip().lower()
    for written, alike in _AS_WRITTEN:
        text = written.sub(alike, text)
    return _BETWEEN_WORDS.sub("", text).lower().replace("'", '"')


def loosely(found: Calls) -> Calls:
    """Calls with the texts in their values as the leaderboard compares them, without signs."""
    return [(name, {key: _loosely(one) for key, one in given.items()}) for name, given in found]


def _loosely(value: Any) -> Any:
    if isinstance(value, list):
        return [_loosely(one) for one in value]
    if isinstance(value, dict):
        return {key: _loosely(one) for key, one in value.items()}
    return _LOOSE.sub("", value) if isinstance(value, str) else value
