"""Tuples, sets, lists, intervals, unions and matrices, taken apart as far as their signs say so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain

from agentflow.tools.compared import Outcome, Parts
from agentflow.tools.named_values import named
from agentflow.tools.quantities import read_number

MAX_PARTS = 30
"""Answers of more parts are not compared part by part."""
_PLUS_MINUS = re.compile(r"\\pm(?![a-zA-Z])")
_OR = re.compile(r",?\s*\b(?:or|and)\b\s*|;")
_AND = re.compile(r"\band\b|\\(?:land|wedge)(?![a-zA-Z])|&")
_ONE_HOLDS = re.compile(r"\bor\b")
_IN = re.compile(r"\\in(?![a-zA-Z])")
_LABEL = re.compile(r"\(?([A-Ja-j])\)(?=.)")
_MATRIX = re.compile(
    r"\\begin\{[pb]matrix\}(?P<cells>.*)\\end\{[pb]matrix\}"
    r"|[(\[]\\begin\{array\}\{[lcr]+\}(?P<array>.*)\\end\{array\}[)\]]",
    re.DOTALL,
)
COMPARES = re.compile(r"[<>]|\\[lg]e(?![a-zA-Z])")


def parts_of(one: str, other: str) -> Parts | Outcome | None:
    """The parts of tuples, intervals, sets, lists and matrices; None where either is a single
    thing."""
    rows = [_rows(text) for text in (one, other)]
    if rows[0] and list(map(len, rows[0])) == list(map(len, rows[1])):
        cells = [tuple(chain.from_iterable(each)) for each in rows]
        return Parts(cells[0], cells[1], True) if len(cells[0]) <= MAX_PARTS else None
    one, other = (text.replace("\\{", "{").replace("\\}", "}") for text in (one, other))
    brackets = [(text[0], text[-1]) if wrapped(text) else ("", "") for text in (one, other)]
    listed = [split(text) for text in (one, other)]
    counts = len(listed[0]), len(listed[1])
    if any(_AND.search(text) and COMPARES.search(text) for text in (one, other)):
        alike = all(map(_AND.search, (one, other))) and sorted(listed[0]) == sorted(listed[1])
        return Outcome(True if alike else None, "inequalities that hold together")
    if (joined := _united(one, other)) is not None:
        return joined
    compares = [COMPARES.search(text) is not None for text in (one, other)]
    if any(compares) and (counts[0] != counts[1] if all(compares) else min(counts) > 1):
        return Outcome(None, "inequalities that may hold together")
    values = (value for parts in listed for part in parts if (value := named(part)))
    choices = [_ONE_HOLDS.search(text) is not None for text in (one, other)]
    if choices[0] != choices[1] and len({name for name, _ in values}) > 1:  # x=0 or y=0; x=0, y=0
        return Outcome(None, "values of several names, one of which holds")
    if (
        min(counts) == 1
        or max(counts) > MAX_PARTS
        or "\\cup" in one + other
        or _IN.search(one + other)
        or ("\\infty" in one + other and ("", "") not in brackets)
    ):
        return None
    if any("=" in first and named(first) is None and "=" not in rest[0] for first, *rest in listed):
        return Outcome(None, "an equation, and values of what?")
    if ("{", "}") in brackets and brackets[0] != brackets[1] and ("", "") not in brackets:
        return Outcome(None, "a set, and something in order")
    kinds = {("[", "("), ("(", ")"), ("[", "]"), ("(", "]"), ("[", ")")}
    if brackets[0] != brackets[1] and brackets[0] in kinds and brackets[1] in kinds:
        return Outcome(False, "parts") if counts == (2, 2) else None
    if counts[0] != counts[1]:
        if set(listed[0]) == set(listed[1]):
            return Outcome(None, "a part that comes twice")
        nested = [any(map(wrapped, parts)) for parts in listed]
        alike = brackets[0] == brackets[1] and nested[0] == nested[1]
        return Outcome(False, "parts") if alike else None
    ordered = ("(", ")") in brackets or bool({("[", "]"), ("(", "]"), ("[", ")")} & {*brackets})
    for place in (0, 1):
        names = [name for name in map(_name, listed[place]) if name]
        if len(set(names)) == counts[place] and not any(map(_name, listed[1 - place])):
            if ordered and names != sorted(names):
                return Outcome(None, "values with names, and others in an order of their own")
            return Parts(tuple(listed[0]), tuple(listed[1]), ordered or None)
    return Parts(tuple(listed[0]), tuple(listed[1]), ordered)


def _rows(text: str) -> list[list[str]]:
    """The rows of a matrix; none for anything else, or where a cell is empty."""
    found = _MATRIX.fullmatch(text)
    inner = (found["cells"] or found["array"]) if found else ""
    rows = inner.strip().removesuffix("\\\\").split("\\\\")
    cells = [[cell.strip() for cell in row.split("&")] for row in rows]
    return cells if "\\begin" not in inner and all(map(all, cells)) else []


def _name(part: str) -> str:
    """What a part gives its value: a name (``x=5``), or a letter (``(a) 5``); empty for none."""
    value, label = named(part), _LABEL.match(part)
    return value[0] if value else label[1] if label else ""


def _united(one: str, other: str) -> Parts | Outcome | None:
    """The parts of a union of intervals, and those of inequalities of which one holds."""
    for union, told in ((one, other), (other, one)):
        parts = split(told)
        if "\\cup" in union and "\\cup" not in told and len(parts) > 1:
            intervals = [part.strip() for part in union.split("\\cup")]
            if all(map(wrapped, parts)):
                return Outcome(None, "a union, and a list of intervals")
            if not all(map(COMPARES.search, parts)):
                return None
            if len(intervals) != len(parts) or len(parts) > MAX_PARTS:
                return Outcome(None, "a union, and another number of inequalities")
            if not (_ONE_HOLDS.search(told) or _are_apart(intervals)):
                return Outcome(None, "inequalities that may hold together")
            return Parts(tuple(intervals), tuple(parts), False)
    return None


def _are_apart(intervals: Sequence[str]) -> bool:
    """Whether each interval of numbers ends where the next one begins, or before; two may end below
    nought and begin above it."""
    ends = [split(interval) for interval in intervals]
    inner = [end for pair in ends for end in pair][1:-1]
    numbers = [number.value for number in map(read_number, inner) if number]
    if len(inner) == 2 and inner[0].startswith("-"):
        return not re.search("[-+]", inner[0][1:] + inner[1]) or numbers == sorted(numbers)
    known = len(numbers) == len(inner) and all(len(pair) == 2 for pair in ends)
    return known and numbers == sorted(numbers)


def alone(text: str) -> tuple[str, str]:
    """(what opens a set or a list of one thing, which is written once or several times; the thing);
    for anything else (nothing, the text)."""
    sign, whole = text[: text.startswith("-")], text.removeprefix("-")
    for opening, closing in (("\\{", "\\}"), ("[", "]")):
        if whole.startswith(opening) and whole.endswith(closing) and "\\pm" not in whole:
            parts = split(f"({whole[len(opening) : -len(closing)]})")
            once = len(set(parts)) == 1 and wrapped(whole.replace("\\", ""))
            return (opening, sign + parts[0]) if once else ("", text)
    return "", text


def is_range(text: str) -> bool:
    """Whether a text is an interval that takes one of its ends, or a chain of inequalities."""
    half = text[:1] + text[-1:] in ("(]", "[)") and wrapped(text)
    return half or (COMPARES.search(text) is not None and len(split(text)) == 1)


def wrapped(text: str) -> bool:
    """Whether a text's first bracket is closed by its last character."""
    if len(text) < 2 or text[0] not in "([{" or text[-1] not in ")]}":
        return False
    depth = 0
    for place, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        if depth == 0:
            return place == len(text) - 1
    return False


def split(text: str) -> list[str]:
    """The parts of a tuple, a set or a list; the text alone if it is none of them."""
    if wrapped(text):
        text = text[1:-1]
    elif len(_PLUS_MINUS.findall(text)) == 1 and "," not in text:
        signs = [
            _PLUS_MINUS.sub(sign, text).replace("\\mp", against) for sign, against in ("+-", "-+")
        ]
        return [part.lstrip("+") for part in signs]
    text = _OR.sub(",", text)
    parts, depth, start = [], 0, 0
    for place, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            parts.append(text[start:place].strip())
            start = place + 1
    parts.append(text[start:].strip())
    return parts if all(parts) else [text]
