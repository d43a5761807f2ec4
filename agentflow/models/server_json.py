"""JSON as servers write it, not always by the standard, and with characters in halves; and as it is
sent to them."""

from __future__ import annotations

import json
from typing import Any

import orjson

from agentflow.models.fields import Wrong

_CONSTANTS = {"-Infinity": -9999.0}
"""vLLM's logarithm of 0; other numbers that JSON has no word for are taken as absent."""


def loads(data: bytes | bytearray) -> Any:
    """JSON as servers write it: a BOM, half a character, bytes that are none and NaN are no reason
    to lose the rest.

    Raises:
        orjson.JSONDecodeError: If it is none.
    """
    return Halves().joined(decoded(data), data)


def packed(value: Any) -> bytes:
    """JSON to be sent. Half a character, as a part of somebody's may have read it from a file, is
    replaced: UTF-8 has none.

    Raises:
        TypeError: If it is something that JSON does not have.
    """
    try:
        return orjson.dumps(value)
    except TypeError:
        return _shown(json.dumps(value, ensure_ascii=False)).encode()


def decoded(data: bytes | bytearray) -> Any:
    """The same, with the halves of characters as they came, for :class:`Halves` to join."""
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError as error:
        try:
            text = bytes(data).decode("utf-8-sig", "replace")
            return json.loads(text, parse_constant=_CONSTANTS.get)
        except (ValueError, RecursionError):
            raise error from None


class Halves:
    """Characters that JSON escapes in two halves, the second of which may come an event later,
    where the first stood. A half that stays alone becomes the sign for what cannot be shown."""

    def __init__(self) -> None:
        self._kept: dict[str, str] = {}

    def joined(self, found: Any, data: bytes | bytearray) -> Any:
        """What was read from ``data``, with whole characters."""
        if not self._kept and b"\\ud" not in data and b"\\uD" not in data:
            return found
        try:
            return self._joined(found, "")
        except RecursionError as error:
            raise Wrong("data", found, "less nested") from error

    def _joined(self, found: Any, place: str) -> Any:
        if isinstance(found, str):
            text = self._kept.pop(place, "") + found
            if text and "\ud800" <= text[-1] <= "\udbff":
                text, self._kept[place] = text[:-1], text[-1]
            return _shown(text)
        if isinstance(found, list):
            return [self._joined(one, f"{place}/{n}") for n, one in enumerate(found)]
        if isinstance(found, dict):
            return {_shown(k): self._joined(v, f"{place}/{k}") for k, v in found.items()}
        return found


def _shown(text: str) -> str:
    """A text with its halves joined, or replaced."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
