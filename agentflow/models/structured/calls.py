"""Calls of tools that a model writes as text, in any of the notations that models use.

``[f(a=1), g(b="x")]``, ``{"name": "f", "arguments": {...}}`` (also ``{"tool": "f", "params":
{...}}`` and whatever else :data:`CALLED` and :data:`GIVEN` match, and the arguments as a JSON
string), ``{"function": {...}}``, ``{"tool_calls": [...]}``,
``{"f": {...}}``, a name on a line of its own with an object under it; in tags, fences and prose. A
name counts only if it is a tool's, where a dot may be written as an underscore (``spotify_play``).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from agentflow.models.structured.values import Malformed, Reader

_START = re.compile(
    r"(?<![\w.\\])(?P<name>[A-Za-z_](?:[\w.]|\\_){0,200}+)"
    r"[ \t]{0,9}+(?:(?P<call>\()|\n\s{0,99}+(?=\{))"
    r"|(?P<object>\{)",
    re.ASCII,
)
_BARE = re.compile(r"[A-Za-z][\w.-]*+(?: [\w.-]++)*+(?=\s*+[,)])")
_BETWEEN = re.compile(r"(?:[\s,;\[\]\"'`]|</?[\w|:]{1,40}>|```\w{0,20})*+")
_OF_A_TOOL = r"(?:action|api|func|function|tool)"
CALLED = rf"(?:name|{_OF_A_TOOL}(?:_?[Nn]ame)?)"
"""The key of a call under which its tool stands: ``name``, ``tool``, ``api_name``."""
GIVEN = (
    rf"(?:{_OF_A_TOOL}_?)?"
    r"(?:[Aa]rguments?|[Aa]rgs?|[Ii]nputs?|[Kk]wargs|[Pp]arameters?|[Pp]arams?)"
)
"""The key under which its arguments stand: ``arguments``, ``params``, ``tool_input``."""
_CALLED, _GIVEN = re.compile(CALLED), re.compile(GIVEN)
_KEYS = re.compile(rf"\{{\s*+[\"']?(?:{CALLED}|{GIVEN}|tool_calls|function_call)\b")
_OPENED = re.compile(r"(?:</\w{1,40}>\s*+)*+<(?:(?:tool|function)_call>\s*+|/?\w*+)\Z")
_MOST_WORK = 12


class NoCall(ValueError):
    """A text holds no call that is understood; says in one line why."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call.

    Attributes:
        name: The tool, as it is called by who offers it.
        arguments: By name; numbers are ``int`` or ``float``.
    """

    name: str
    arguments: dict[str, Any]


def read_calls(text: str, names: Collection[str]) -> list[Call]:
    """The calls that a text makes, in order; several only where nothing but signs is between them.

    Args:
        names: The tools there are.

    Raises:
        NoCall: If there is none, or something that looks like one of these tools' calls cannot be
            read, or the text makes different calls in several places.
    """
    return placed_calls(text, names)[0]


def placed_calls(text: str, names: Collection[str]) -> tuple[list[Call], str, str]:
    """(the calls that a text makes, what stands in front of them, what stands behind them); as
    :func:`read_calls`."""
    text = _unquoted(text)
    try:
        calls, start, end = _calls(text, names)
    except Malformed as error:
        raise NoCall(str(error)) from None
    if not calls:
        raise NoCall("the text calls none of the tools")
    return calls, text[:start], text[end:]


def arguments_of(said: Any) -> dict[str, Any]:
    """The arguments of a call: an object, or a string that holds one and nothing else.

    Raises:
        Malformed: If they are none.
    """
    if isinstance(said, str):
        reader = Reader(said)
        reader.space()
        said = reader.value(reader.at) if said.strip() else {}
        reader.space()
        if reader.at < len(reader.text):
            raise reader.wrong("the arguments do not end where their text does")
    if not isinstance(said, Mapping):
        raise Malformed("the arguments are no object", 0)
    return {key: _number(value) for key, value in said.items()}


def spelled(name: str, names: Collection[str]) -> str | None:
    """The tool that a name means; None if it is none, or could be several."""
    if name in names:
        return name
    name = re.sub(r"^(?:default_api|functions|tools)\.", "", name)
    same = [one for one in names if _flat(one) == _flat(name)]
    return same[0] if len(same) == 1 else None


def _flat(name: str) -> str:
    return re.sub(r"[.\-: ]", "_", name).lower()


def _calls(text: str, names: Collection[str]) -> tuple[list[Call], int, int]:
    """The calls between which stand only signs, with where they begin and end; others elsewhere
    must be the same.

    Raises:
        Malformed: If they are not, or one cannot be read.
    """
    reader, at = Reader(text), 0
    whole: list[Call] = []
    group: list[Call] = []
    first = end = reach = begun = -1
    while found := _START.search(text, at):
        together = found.start() <= reach
        try:
            calls = _calls_at(reader, found, names)
        except Malformed as error:
            if (error.cut and together) or _named(found, text, names):
                raise
            calls = None
        if calls is None:
            at = found.end()
        else:
            if not together:
                whole = _whole(text, first, end, group, whole)
                first, group = found.start(), []
                begun = first if begun < 0 else begun
            group += calls
            at = end = reader.at
            signs = _BETWEEN.match(text, end)
            reach = signs.end() if signs else end
        if reader.work > _MOST_WORK * (len(text) + 100):
            raise Malformed("too many objects that do not end", at)
    return _whole(text, first, end, group, whole), begun, end


def _whole(text: str, first: int, end: int, group: list[Call], before: list[Call]) -> list[Call]:
    """The calls of a text, of which a group has come to its end.

    Raises:
        Malformed: If the group is cut off, or is another than the one before it.
    """
    if group:
        _see_the_end(text, first, end, group)
    if group and before and group != before:
        raise Malformed("the text makes different calls in several places", end)
    return before or group


def _see_the_end(text: str, first: int, end: int, calls: list[Call]) -> None:
    """See that a list of calls is whole. The bracket may be missing behind one that stands alone.

    Raises:
        Malformed: If it is not.
    """
    behind = re.sub(r"\A[\s\"'`]*+(?:,\s*+(?=\]))?", "", text[end : end + 300])
    listed = re.search(r"\[[\s\"']{0,99}\Z", text[max(0, first - 100) : first])
    cut = listed and not behind.startswith("]") and (behind or len(calls) > 1)
    if cut or behind.startswith(",") or _OPENED.match(behind):
        raise Malformed("the list of calls does not end", end)


def _calls_at(reader: Reader, found: re.Match[str], names: Collection[str]) -> list[Call] | None:
    """The calls that begin at one place; None if what begins there is none."""
    if found["object"]:
        value = reader.value(found.start())
        return list(_told(value, names)) or None
    name = spelled(found["name"].replace("\\_", "_"), names)
    if name is None:
        return None
    if not found["call"]:
        return [Call(name, arguments_of(reader.value(found.end())))]
    return [Call(name, _keywords(reader, found.end()))]


def _named(found: re.Match[str], text: str, names: Collection[str]) -> bool:
    """Whether what begins at one place is meant as a call of one of the tools."""
    if found["object"]:
        begun = text[found.start() : found.start() + 450]
        first = re.match(r"\{\W{0,9}([\w.]{1,200})\W{1,9}([\w.]{0,200})", begun)
        return bool(
            re.match(_KEYS, begun)
            or (first and any(spelled(one, names) for one in first.groups() if one))
        )
    return spelled(found["name"].replace("\\_", "_"), names) is not None


def _keywords(reader: Reader, at: int) -> dict[str, Any]:
    """The arguments of ``f(a=1, b="x")`` behind its bracket; one object may stand for all."""
    reader.begin(at)
    found: dict[str, Any] = {}
    while not reader.taken(")"):
        unpacked = reader.taken("**")
        reader.space()
        if reader.text.startswith("{", reader.at) and (unpacked or not found):
            more = arguments_of(reader.part(")"))
            if found.keys() & more.keys():
                raise reader.wrong("an argument is given twice")
            found |= more
        else:
            key = reader.word()
            if not key or key in found or not (reader.taken("=") or reader.taken(":")):
                raise reader.wrong("an argument has no name")
            found[key] = _argument(reader)
        if not reader.taken(",") and not reader.text.startswith(")", reader.at):
            raise reader.wrong("neither a comma nor the call's end")
    return arguments_of(reader.finished(found))


def _argument(reader: Reader) -> Any:
    """A value, or bare words, as some models write a text."""
    reader.space()
    try:
        return reader.part(")")
    except Malformed:
        bare = _BARE.match(reader.text, reader.at)
        if bare is None or bare[0].lower() in ("nan", "inf", "infinity", "undefined"):
            raise
        reader.at = bare.end()
        return bare[0]


def _told(said: Any, names: Collection[str]) -> Iterator[Call]:
    """The calls that a value is; none if it is something else.

    Raises:
        Malformed: If it is one of a tool there is not, or whose arguments are none.
    """
    if isinstance(said, list):
        for one in said:
            yield from _told(one, names)
    if not isinstance(said, dict):
        return
    inner = said.get("tool_calls", said.get("function", said.get("function_call")))
    if isinstance(inner, dict | list):
        yield from _told(inner, names)
    elif called := under(_CALLED, said, str):
        given = under(_GIVEN, said)
        tools = {one for one in (spelled(name, names) for name in called) if one}
        if not tools:
            return
        if len(given) > 1 or len(tools) > 1:
            raise Malformed("a call has its tool, or its arguments, twice", 0)
        if not given and any(isinstance(one, dict) for one in said.values()):
            raise Malformed("a call has its arguments under a key that is not known", 0)
        yield Call(tools.pop(), arguments_of(given[0] if given else {}))
    elif said and all(spelled(key, names) for key in said):
        for key, value in said.items():
            yield Call(str(spelled(key, names)), arguments_of(value))


def under(keys: re.Pattern[str], said: Mapping[str, Any], kind: type = object) -> list[Any]:
    """The values of a kind that stand in an object under keys of a pattern."""
    return [one for key, one in said.items() if keys.fullmatch(key) and isinstance(one, kind)]


def _unquoted(text: str) -> str:
    """The strings of a list of strings, one a line; any other text as it is."""
    start = re.match(r"\s*+(?=\[\s*+\")", text)
    if start is None:
        return text
    try:
        reader = Reader(text)
        value = reader.value(start.end())
    except Malformed:
        return text
    whole = not text[reader.at :].strip() and isinstance(value, Sequence)
    return "\n".join(value) if whole and all(isinstance(one, str) for one in value) else text


def _number(value: Any) -> Any:
    """A value with its decimals as floats."""
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, list):
        return [_number(one) for one in value]
    if isinstance(value, dict):
        return {key: _number(one) for key, one in value.items()}
    return value
