"""One value written as JSON, Python or JavaScript writes data, read by a whitelist.

Understood: objects, lists and tuples; strings in double, single, triple or typographic quotes, also
with line breaks in them; numbers; ``true``, ``True``, ``null``, ``None``; bare names as keys;
comments; a comma behind the last element. Two slips that leave one reading are put right: quotes
inside a string that are not escaped, and the comma or the closing quote that is missing in front of
a line which begins with a key. Everything else is malformed: an end that is missing, a key said
twice, numbers that are not finite or begin with a zero, bare words as values.

Numbers with a fraction are :class:`~decimal.Decimal`, so that their text is kept (``3.10``).

Why no library: json5, demjson3, dirtyjson, pyjson5 and hjson refuse line breaks in strings,
Python's literals and prose; partial-json-parser and json-repair complete what is cut off, take the
last of two values for a key, and json-repair makes text of what it does not know (``not 1``).
``benchmarks/real_text_json.py`` prints what each that is installed reads of recorded replies.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from math import isfinite
from typing import Any

from agentflow.models.structured.escapes import Style, Unclear, decoded, style_of

MAX_DEPTH = 32
"""Containers in containers, at most."""

_SPACE = re.compile(r"(?:\s++|//[^\n]*+|/\*[^*]{0,1000}\*/|\#[^\n]*+(?=\n))*+")
_NUMBER = re.compile(
    r"[+-]?(?:(?:0|[1-9]\d{0,99}(?:_\d{3}){0,30})(?:\.\d{0,99})?|\.\d{1,99})(?:[eE][+-]?\d{1,4})?",
    re.ASCII,
)
_WORD = re.compile(r"[A-Za-z_$](?:[\w$-]|\\_){0,99}", re.ASCII)
_WORDS = {"true": True, "True": True, "false": False, "False": False, "null": None, "None": None}
_QUOTES = {'"': '"', "'": "'", "“": "”“", "”": "”“", "‘": "’‘", "’": "’‘"}
_WIDE = {":": "：", ",": "，"}
_ENDS = {"}": "}", "]": ",]", ")": ",)", "key": ":"}
_KEY = r"(?:[\"'“‘][A-Za-z_]\w{0,99}[\"'”’“‘]|[A-Za-z_]\w{0,99})\s*+:"
_MEMBER = re.compile(rf",\s*+(?:{_KEY}|\}}|//|\#|/\*)")
_MEMBER_INSIDE = re.compile(r"[\"']\s{0,99},\s{0,99}[\"'][A-Za-z_]\w{0,99}[\"']\s{0,99}:")
_NEXT_KEY = re.compile(rf"[ \t]*+\n\s*+(?=[\"'“‘]){_KEY}")
_APOSTROPHE = re.compile(r"\w['’]\w")
_QUOTES_WORD = re.compile(r"[^\w\\][\"'“”‘’](?=[^\s\"'])")
_LINE_KEY = re.compile(rf"(?=[\"“]){_KEY}\s*+(?=[\"“\[{{\d-]|true|false|null)")


class Malformed(ValueError):
    """A text is not a value that is understood; says in one line what is wrong.

    Attributes:
        at: Offset in the text.
        cut: Whether the text ended before the value did.
    """

    def __init__(self, reason: str, at: int, *, cut: bool = False) -> None:
        super().__init__(f"{reason}, at character {at}")
        self.at, self.cut = at, cut


class _Raw(str):
    """A string as it is written, not decoded."""


@dataclass(slots=True)
class Reader:
    """Reads values out of a text.

    Attributes:
        text: The text.
        at: Where it reads.
        work: Characters it looked at; at most a few times the text's length.
        patched: Whether a slip was put right in the value that is read.
    """

    text: str
    at: int = 0
    work: int = 0
    patched: bool = False
    _lenient: bool = False
    _raws: list[str] = field(default_factory=list)

    def value(self, at: int) -> Any:
        """The value that begins at an offset; ``at`` then stands behind it.

        Raises:
            Malformed: If there is none that is understood to its end.
        """
        self.begin(at)
        try:
            found = self._value(0, "")
        except Malformed:  # what is written by the rules is never read by others
            self.begin(at)
            self._lenient = True
            found = self._value(0, "")
        return self.finished(found)

    def begin(self, at: int) -> None:
        """Go to an offset, where something else begins."""
        self.at, self.patched, self._lenient, self._raws = at, False, False, []

    def finished(self, value: Any) -> Any:
        """A value whose strings are decoded, in their author's style.

        Raises:
            Malformed: If a string can be read in two ways.
        """
        style = style_of(self._raws)
        try:
            return _plain(value, style)
        except Unclear as error:
            raise Malformed(str(error), self.at) from None

    def part(self, inside: str) -> Any:
        """A value inside of a call, not decoded yet; ``inside`` is what closes it."""
        return self._value(1, inside)

    def space(self) -> None:
        """Skip space and comments."""
        self._to(_SPACE.match(self.text, self.at))

    def taken(self, sign: str) -> bool:
        """Whether a sign comes next, which is then behind."""
        self.space()
        if self.text.startswith((sign, _WIDE.get(sign, sign)), self.at):
            self.at += len(sign)
            return True
        return False

    def wrong(self, reason: str) -> Malformed:
        """What is wrong here."""
        ended = self.at >= len(self.text)
        return Malformed("the text ends too early" if ended else reason, self.at, cut=ended)

    def word(self) -> str:
        """A bare name; empty if none comes next. Markdown's ``\\_`` is an underscore."""
        found = _WORD.match(self.text, self.at)
        self._to(found)
        return found[0].replace("\\_", "_") if found else ""

    def _to(self, found: re.Match[str] | None) -> None:
        if found:
            self.work += found.end() - found.start() + 1
            self.at = found.end()

    def _value(self, depth: int, inside: str) -> Any:
        self.space()
        self.work += 1
        sign = self.text[self.at : self.at + 1]
        if depth >= MAX_DEPTH:
            raise self.wrong(f"more than {MAX_DEPTH} containers in one another")
        if sign == "{":
            return self._object(depth)
        if sign == "[":
            return list(self._elements(depth, "]"))
        if sign == "(":
            return self._tuple(depth)
        if sign in _QUOTES and sign:
            return self._string(inside)
        start = self.at
        if word := self.word():
            if word in _WORDS:
                return _WORDS[word]
            self.at = start
            raise self.wrong(f"{word[:40]!r} is no value")
        return self._number()

    def _object(self, depth: int) -> dict[str, Any]:
        self.at += 1
        found: dict[str, Any] = {}
        while not self.taken("}"):
            key = self._key()
            if key in found:
                raise self.wrong(f"{key[:40]!r} is said twice")
            if not self.taken(":"):
                raise self.wrong("a colon is missing")
            found[key] = self._value(depth + 1, "}")
            if not self.taken(",") and not self.text.startswith("}", self.at) and not self._slip():
                raise self.wrong("neither a comma nor the object's end")
        return found

    def _slip(self) -> bool:
        """Whether only the comma is missing, in front of a line that begins with a key."""
        if not self._lenient:
            return False
        back = self.at
        while self.text[back - 1].isspace():
            back -= 1
        self.work += self.at - back + 1
        self.patched |= (missing := _NEXT_KEY.match(self.text, back) is not None)
        return missing

    def _key(self) -> str:
        self.space()
        if self.text[self.at : self.at + 1] in _QUOTES and self.at < len(self.text):
            key = self._string("key").replace("\\_", "_")
            self._raws.pop()
        else:
            key = self.word()
        if not key or "\\" in key or len(key) > 200 or "\n" in key:
            raise self.wrong("a key is missing")
        return key

    def _elements(self, depth: int, end: str) -> Iterator[Any]:
        self.at += 1
        while not self.taken(end):
            yield self._value(depth + 1, end)
            if not self.taken(",") and not self.text.startswith(end, self.at):
                raise self.wrong("neither a comma nor the list's end")

    def _tuple(self, depth: int) -> Any:
        found = list(self._elements(depth, ")"))
        alone = len(found) == 1 and not re.search(
            r",\s*\)\Z", self.text[max(0, self.at - 20) : self.at]
        )
        return found[0] if alone else found

    def _number(self) -> int | Decimal:
        found = _NUMBER.match(self.text, self.at)
        if not found or not any(map(str.isdigit, found[0])):
            raise self.wrong("no value that is understood")
        if re.match(r"[\w.%/*^]", self.text[found.end() : found.end() + 1]):
            raise self.wrong("no number that is understood")
        self._to(found)
        text = found[0].replace("_", "")
        if re.fullmatch(r"[+-]?\d+", text):
            return int(text)
        exact = Decimal(text)
        if not isfinite(float(exact)) or (exact and not float(exact)):
            raise self.wrong("the number is too large or too small")
        return exact

    def _string(self, inside: str) -> _Raw:
        """A string, with the quote it begins with; ``inside`` is what closes the container."""
        opening = self.text[self.at]
        for triple in ('"""', "'''"):
            if self.text.startswith(triple, self.at):
                end = self.text.find(triple, self.at + 3)
                if end >= 0:
                    return self._said(self.at + 3, end, end + 3)
        start = at = self.at + 1
        inner = False
        closing = re.compile(rf"\\|[{_QUOTES[opening]}]|\n\s*+")
        while found := closing.search(self.text, at):
            self.work += found.end() - at
            at = found.end()
            if found[0] == "\\":
                at += 1
            elif found[0][0] == "\n":
                if not self._lenient or inner or inside != "}" or opening in "'‘’":
                    continue
                if _LINE_KEY.match(self.text, at):
                    self.patched = True
                    return self._said(start, found.start(), found.start())
            elif not self._lenient or (not inner and self._closes(at, inside)):
                return self._said(start, found.start(), at)
            elif inside != "}":
                raise self.wrong("a quote inside a string")
            elif not _APOSTROPHE.match(self.text, at - 2):
                if not inner and not _QUOTES_WORD.match(self.text, at - 2):
                    raise self.wrong("a quote inside a string")
                inner, self.patched = not inner, True
        self.work += len(self.text) - at
        self.at = len(self.text)
        raise self.wrong("a string without an end")

    def _closes(self, at: int, inside: str) -> bool:
        """Whether a quote is a string's last: what stands behind it goes on with the container."""
        if not inside:
            return True
        space = _SPACE.match(self.text, at)
        behind = space.end() if space else at
        self.work += behind - at + 1
        if behind >= len(self.text) or self.text[behind] in _ENDS[inside]:
            return True
        if inside != "}":
            return False
        return bool(_MEMBER.match(self.text, behind) or _NEXT_KEY.match(self.text, at))

    def _said(self, start: int, end: int, behind: int) -> _Raw:
        said = self.text[start:end]
        self.at = behind
        if self.patched and _MEMBER_INSIDE.search(said):
            raise self.wrong("a string that may end in more than one place")
        if re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f]", said):
            raise self.wrong("a control character in a string")
        self._raws.append(said)
        return _Raw(said)


def _plain(value: Any, style: Style) -> Any:
    if isinstance(value, _Raw):
        return decoded(value, style)
    if isinstance(value, list):
        return [_plain(one, style) for one in value]
    if isinstance(value, dict):
        return {key: _plain(one, style) for key, one in value.items()}
    return value
