"""Values of Verina's tests as terms of Lean, read by their types.

``5`` of type ``Int`` is the term ``5``, ``["a"]`` of ``List String`` is ``["a"]``, and the text
``abc`` of ``String`` is ``"abc"``. A value is only used if all of it was read.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from agentflow.domains.verina import lean_text

MAX_VALUE = 10_000
"""Characters that a value may have."""
MAX_DEPTH = 12
"""Types and values nested deeper are not read."""

_SEQUENCES = {"List": "[", "Array": "#["}
_FIXED = {"UInt8": 256, "UInt16": 2**16, "UInt32": 2**32, "UInt64": 2**64}
_WHOLE = re.compile(r"[+-]?\d{1,400}")
_FLOAT = re.compile(r"-?\d{1,30}(?:\.\d{1,30})?(?:[eE]-?\d{1,3})?")
_ESCAPED = {"\\": "\\\\", '"': '\\"', "'": "\\'", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_PLAIN = {written[1]: one for one, written in _ESCAPED.items()}
_CHAR = re.compile(r"'(?:[^'\\\n]|\\['\"\\ntr])'")
_STRING = re.compile(r'"(?:[^"\\\n]|\\[\'"\\ntr])*"')


@dataclass(frozen=True, slots=True)
class Type:
    """A type of Lean: its head and its arguments; ``Prod`` for every ``×``."""

    head: str
    of: tuple[Type, ...] = ()


@dataclass(frozen=True, slots=True)
class Value:
    """A value that was read.

    Attributes:
        term: In Lean.
        data: As Python: int, float, bool, str, list, tuple, None; two that are equal are the same
            value. None for an ``opaque`` one.
        opaque: Whether its type is none of ours (a structure, a function): its text is well-formed
            and taken as it stands.
    """

    term: str
    data: Any = None
    opaque: bool = False


class Unread(ValueError):
    """A type or a value that was not understood."""


def read_type(text: str) -> Type:
    """The type in a text, such as ``List (Nat × Nat)``.

    Raises:
        Unread: If it is none that can be read.
    """
    found = lean_text.tokens(text)
    words = [token.text for token in found] if found and len(text) <= MAX_VALUE else []
    kind, end = _product(words, 0, 0)
    if end != len(words):
        raise Unread(f"cannot read the type {text[:80]!r}")
    return kind


def _product(words: list[str], at: int, depth: int) -> tuple[Type, int]:
    left, at = _applied(words, at, depth)
    if words[at : at + 1] == ["×"]:
        right, at = _product(words, at + 1, depth + 1)
        return Type("Prod", (left, right)), at
    if words[at : at + 1] in (["->"], ["→"]):
        right, at = _product(words, at + 1, depth + 1)
        return Type("→", (left, right)), at
    return left, at


def _applied(words: list[str], at: int, depth: int) -> tuple[Type, int]:
    if words[at : at + 1] == ["("]:
        return _single(words, at, depth)
    head, at = _single(words, at, depth)
    arguments = list[Type]()
    while at < len(words) and (words[at] == "(" or words[at][0].isalpha()):
        one, at = _single(words, at, depth)
        arguments.append(one)
    return Type(head.head, tuple(arguments)), at


def _single(words: list[str], at: int, depth: int) -> tuple[Type, int]:
    if at >= len(words) or depth > MAX_DEPTH:
        raise Unread("a type is missing, or nested too deep")
    if words[at] == "(":
        inner, at = _product(words, at + 1, depth + 1)
        if words[at : at + 1] != [")"]:
            raise Unread("a bracket of the type has no end")
        return inner, at + 1
    if not words[at][0].isalpha():
        raise Unread(f"{words[at]!r} is no type")
    return Type(words[at]), at + 1


def read(kind: Type, given: Any) -> Value:
    """A test's value of a type: JSON as it stands in the tests' files.

    Raises:
        Unread: If any of it was not understood; says what.
    """
    match kind.head, given:
        case "Bool", bool():
            return Value("true" if given else "false", given)
        case _, bool():
            raise Unread(f"true and false are no {kind.head}")
        case "String", str():
            return Value(_quoted(given, '"'), given)
        case "Char", str() if len(given) == 1:
            return Value(_quoted(given, "'"), given)
        case _, float() if not math.isfinite(given) or kind.head != "Float":
            raise Unread(f"{given!r} is no {kind.head}")
        case _, int() | float():
            text = repr(given)
        case (("List" | "Array"), list()) if len(kind.of) == 1:
            parts = [read(kind.of[0], one) for one in given]
            return _sequence(kind, parts)
        case _, str():
            text = given.strip()
        case _:
            raise Unread(f"{str(given)[:80]!r} is no {kind.head}")
    if len(text) > MAX_VALUE:
        raise Unread(f"the value has more than {MAX_VALUE:,} characters")
    value, rest = _term(kind, text, 0)
    if rest.strip():
        raise Unread(f"cannot read {rest.strip()[:40]!r} in the {kind.head} {text[:80]!r}")
    return value


def _term(kind: Type, text: str, depth: int) -> tuple[Value, str]:
    """The term at the beginning of a text, and what stands behind it."""
    text = text.lstrip()
    if depth > MAX_DEPTH:
        raise Unread("the value is nested too deep")
    reader = _READERS.get(kind.head)
    if reader is None or kind.head == "→":
        return _opaque(text)
    if text.startswith("(") and kind.head != "Prod":
        value, rest = _term(kind, text[1:], depth + 1)
        return value, _behind(")", rest)
    return reader(kind, text, depth)


def _opaque(text: str) -> tuple[Value, str]:
    found = lean_text.tokens(text)
    if not found or "--" in text or "/-" in text or any(one.text == "sorry" for one in found):
        raise Unread(f"cannot read {text[:80]!r}")
    opened = list[str]()
    pairs = dict(zip(")]}⟩", "([{⟨", strict=True))
    for one in found:
        if one.text in pairs.values():
            opened.append(one.text)
        elif one.text in pairs and (not opened or opened.pop() != pairs[one.text]):
            raise Unread(f"the brackets in {text[:80]!r} do not match")
    if opened:
        raise Unread(f"a bracket in {text[:80]!r} has no end")
    return Value(" ".join(text.split("\n")), opaque=True), ""


def _number(kind: Type, text: str, _: int) -> tuple[Value, str]:
    found = (_FLOAT if kind.head == "Float" else _WHOLE).match(text)
    if kind.head == "Float":
        named = re.match(r"Float\.(nan|inf)\b", text)
        if named:
            return Value(named[0], float(named[1])), text[named.end() :]
    if found is None:
        raise Unread(f"{text[:40]!r} is no {kind.head}")
    number = float(found[0]) if kind.head == "Float" else int(found[0])
    if kind.head == "Nat" and number < 0:
        raise Unread(f"{found[0]} is no Nat")
    if kind.head in _FIXED and not 0 <= number < _FIXED[kind.head]:
        raise Unread(f"{found[0]} is no {kind.head}")
    return Value(str(number), number), text[found.end() :]


def _boolean(_: Type, text: str, __: int) -> tuple[Value, str]:
    found = re.match(r"(true|false)\b", text)
    if found is None:
        raise Unread(f"{text[:40]!r} is neither true nor false")
    return Value(found[0], found[0] == "true"), text[found.end() :]


def _letters(kind: Type, text: str, _: int) -> tuple[Value, str]:
    found = (_STRING if kind.head == "String" else _CHAR).match(text)
    if found is None:
        raise Unread(f"{text[:40]!r} is no {kind.head}")
    inner = re.sub(r"\\(.)", lambda one: _PLAIN[one[1]], found[0][1:-1])
    return Value(_quoted(inner, found[0][0]), inner), text[found.end() :]


def _listed(kind: Type, text: str, depth: int) -> tuple[Value, str]:
    rest, parts = _behind(_SEQUENCES[kind.head], text), list[Value]()
    if rest.lstrip().startswith("]"):
        return _sequence(kind, parts), _behind("]", rest)
    if len(kind.of) != 1:
        raise Unread(f"{kind.head} of what?")
    while True:
        one, rest = _term(kind.of[0], rest, depth + 1)
        parts.append(one)
        if not rest.lstrip().startswith(","):
            return _sequence(kind, parts), _behind("]", rest)
        rest = _behind(",", rest)


def _sequence(kind: Type, parts: list[Value]) -> Value:
    term = f"{_SEQUENCES[kind.head]}{', '.join(one.term for one in parts)}]"
    opaque = any(one.opaque for one in parts)
    return Value(term, None if opaque else [one.data for one in parts], opaque)


def _pair(kind: Type, text: str, depth: int) -> tuple[Value, str]:
    if len(kind.of) != 2:
        raise Unread("Prod of what?")
    rest = _behind("(", text)
    one, rest = _term(kind.of[0], rest, depth + 1)
    rest = _behind(",", rest)
    flat = kind.of[1].head == "Prod" and not rest.lstrip().startswith("(")  # (a, b, c)
    other, rest = _term(kind.of[1], f"({rest}" if flat else rest, depth + 1)
    rest = rest if flat else _behind(")", rest)
    opaque = one.opaque or other.opaque
    data = None if opaque else (one.data, other.data)
    return Value(f"({one.term}, {other.term})", data, opaque), rest


def _optional(kind: Type, text: str, depth: int) -> tuple[Value, str]:
    found = re.match(r"(none|some)\b", text)
    if found is None or len(kind.of) != 1:
        raise Unread(f"{text[:40]!r} is neither none nor some …")
    if found[1] == "none":
        return Value("none", ("none",)), text[4:]
    inner, rest = _term(kind.of[0], text[4:], depth + 1)
    data = None if inner.opaque else ("some", inner.data)
    return Value(f"some ({inner.term})", data, inner.opaque), rest


_READERS: dict[str, Callable[[Type, str, int], tuple[Value, str]]] = {
    **dict.fromkeys(("Int", "Nat", "Float", *_FIXED), _number),
    **dict.fromkeys(("String", "Char"), _letters),
    **dict.fromkeys(_SEQUENCES, _listed),
    "Bool": _boolean,
    "Prod": _pair,
    "Option": _optional,
}


def _behind(mark: str, text: str) -> str:
    text = text.lstrip()
    if not text.startswith(mark):
        raise Unread(f"{mark!r} is missing before {text[:40]!r}")
    return text[len(mark) :]


def _quoted(text: str, mark: str) -> str:
    return mark + "".join(_escaped(one) for one in text) + mark


def _escaped(one: str) -> str:
    plain = one.isprintable() or ord(one) > 0xFFFF  # Lean's \\u has four digits
    return _ESCAPED.get(one) or (one if plain else f"\\u{ord(one):04x}")


def other(kind: Type, value: Value) -> Value | None:
    """A value of the same type that is not this one; None where none is known."""
    if value.opaque:
        return None
    found = _other(kind, value.data)
    return None if found is None else _written(kind, found[0])


def _other(kind: Type, data: Any) -> tuple[Any] | None:
    match kind.head:
        case "Bool":
            return (not data,)
        case "String":
            return (data + "x",)
        case "Char":
            return ("y" if data == "x" else "x",)
        case "Float":
            return None if data + 1 == data or math.isnan(data) else (data + 1,)
        case "List" | "Array" if data:
            first = _other(kind.of[0], data[0])
            return (data[1:],) if first is None else ([first[0], *data[1:]],)
        case "Option":
            return (("none",),) if data[0] == "some" else None
        case "Prod":
            first = _other(kind.of[0], data[0])
            second = _other(kind.of[1], data[1]) if first is None else (data[1],)
            return None if second is None else (((first or data)[0], second[0]),)
        case "List" | "Array" | "→":
            return None
    limit = _FIXED.get(kind.head)
    return (data + 1 if limit is None or data + 1 < limit else 0,)


def _written(kind: Type, data: Any) -> Value:
    """A value from its Python."""
    if kind.head in _SEQUENCES:
        return _sequence(kind, [_written(kind.of[0], one) for one in data])
    if kind.head == "Prod":
        one, two = (_written(inner, part) for inner, part in zip(kind.of, data, strict=True))
        return Value(f"({one.term}, {two.term})", data)
    if kind.head == "Option":
        inner = f"some ({_written(kind.of[0], data[1]).term})" if data[0] == "some" else "none"
        return Value(inner, data)
    if kind.head in ("String", "Char"):
        return Value(_quoted(data, '"' if kind.head == "String" else "'"), data)
    return Value(str(data).lower() if kind.head == "Bool" else str(data), data)
