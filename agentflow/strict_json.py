"""JSON as the standard has it: what Python reads and writes besides, other programs refuse."""

from __future__ import annotations

import json
from math import isfinite
from typing import Any


def dumps(value: Any, **options: Any) -> str:
    """The value as JSON; ``null`` for a number that JSON does not know (NaN, the infinities).

    Args:
        options: As of :func:`json.dumps`.
    """
    try:
        return json.dumps(value, allow_nan=False, **options)
    except ValueError:
        return json.dumps(_finite(value), allow_nan=False, **options)


def _finite(value: Any) -> Any:
    match value:
        case dict():
            return {key: _finite(inner) for key, inner in value.items()}
        case list() | tuple():
            return [_finite(inner) for inner in value]
        case float() if not isfinite(value):
            return None
    return value


def loads_line(line: bytes) -> Any:
    """What a line of JSON lines says.

    Raises:
        ValueError: If it is no JSON; says which byte is bad.
    """
    try:
        return json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ValueError(bad_byte(error)) from error
    except RecursionError as error:
        raise ValueError(str(error)) from error
    except ValueError as error:
        if (at := line.find(0)) >= 0:
            raise ValueError(f"byte {at + 1} is NUL") from error
        raise


def bad_byte(error: UnicodeDecodeError) -> str:
    """Which byte of a line is the first that is no UTF-8, in words."""
    if error.object.startswith(b"\x1f\x8b"):
        return "compressed by gzip; unpack it first"
    begins = error.object.rfind(b"\n", 0, error.start) + 1
    byte = error.object[error.start]
    return f"not UTF-8 text: byte {error.start - begins + 1} is 0x{byte:02x}"
