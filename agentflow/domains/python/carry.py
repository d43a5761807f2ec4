"""Values that are carried between processes as JSON; no class of a program's own comes through.

The text of this module stands before every program that runs in the sandbox, so it imports nothing
of ours.
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from itertools import chain, islice
from types import GeneratorType
from typing import Any

DEPTH = 40
MOST = 10_000
"""Items of a generator that are carried; one that has more is not."""
NUMBER = re.compile(r"-?\d{1,500}(?:\.\d{1,500})?(?:E[-+]\d{1,9})?|-?Infinity|NaN")
ITERATORS = (GeneratorType, map, filter, zip, enumerate, reversed, chain, islice)
TYPES = (int, float, complex, str, bytes, bool, list, tuple, set, frozenset, dict)
"""Types that are carried by name."""


class Opaque(Exception):
    """A value that cannot be carried; says its type."""


def packed(value: Any, depth: int = DEPTH) -> list[Any]:
    """A value as JSON: ``[kind, content]``.

    What inherits from a plain type is packed by that type's own content, whatever its methods say.

    Raises:
        Opaque: If it is of no plain type, or too deep.
    """
    if depth == 0:
        raise Opaque("too deep")
    if value is None or value is True or value is False:
        return ["literal", value]
    if any(value is one for one in TYPES):
        return ["type", value.__name__]
    if isinstance(value, int):
        return ["int", int.__format__(value, "x")]
    if isinstance(value, float):
        return ["float", float.__repr__(value)]
    if isinstance(value, complex):
        return ["complex", [float.__repr__(value.real), float.__repr__(value.imag)]]
    if isinstance(value, str):
        text = str.__str__(value)
        if any("\ud800" <= sign <= "\udfff" for sign in text):  # JSON has no half of a pair
            return ["signs", [ord(sign) for sign in text]]
        return ["str", text]
    if isinstance(value, bytes):
        return ["bytes", list(bytes.__iter__(value))]
    kinds: Any = (("list", list), ("tuple", tuple), ("set", set), ("frozenset", frozenset))
    for name, kind in kinds:
        if isinstance(value, kind):
            return [name, [packed(one, depth - 1) for one in kind.__iter__(value)]]
    if isinstance(value, dict):
        pairs = dict.items(value)
        return ["dict", [[packed(a, depth - 1), packed(b, depth - 1)] for a, b in pairs]]
    if type(value) is range:
        return ["range", [value.start, value.stop, value.step]]
    if type(value) is Fraction:
        return ["fraction", [packed(value.numerator), packed(value.denominator)]]
    if type(value) is Decimal:
        return ["decimal", str(value)]
    if type(value) in ITERATORS:
        items = [packed(one, depth - 1) for one in islice(value, MOST + 1)]
        if len(items) <= MOST:
            return ["iterator", items]
    raise Opaque(type(value).__name__[:80])


def unpacked(given: Any) -> Any:
    """The value of what :func:`packed` made.

    Raises:
        ValueError: If it made no such thing.
    """
    if not (isinstance(given, list) and len(given) == 2):
        raise ValueError("not a packed value")
    kind, content = given
    if kind == "literal" and (content is None or isinstance(content, bool)):
        return content
    if kind in ("int", "float") and isinstance(content, str):
        return int(content, 16) if kind == "int" else float(content)
    if kind == "str" and isinstance(content, str):
        return content
    if kind == "decimal" and isinstance(content, str) and NUMBER.fullmatch(content):
        return Decimal(content)
    if kind == "type":
        for one in TYPES:
            if one.__name__ == content:
                return one
    if not isinstance(content, list):
        raise ValueError("not a packed value")
    if kind == "signs":
        return "".join(map(chr, content))
    if kind == "complex":
        return complex(*map(float, content))
    if kind == "bytes":
        return bytes(content)
    if kind in ("list", "tuple", "set", "frozenset"):
        return {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}[kind](
            unpacked(one) for one in content
        )
    if kind == "range":
        return range(*content)
    if kind == "fraction" and len(content) == 2:
        top, bottom = map(unpacked, content)
        if type(top) is type(bottom) is int and bottom > 0:
            return Fraction(top, bottom)
    if kind == "iterator":
        return iter([unpacked(one) for one in content])
    if kind == "dict":
        return {unpacked(a): unpacked(b) for a, b in content}
    raise ValueError("not a packed value")
