"""A tool call as it is written: which of its arguments are written to their end.

An argument counts once the comma or the brace behind it is there. Before that ``12`` may become
``125``, and a text or a list may go on.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from agentflow.gate.pieces import Piece

NO_OBJECT = "the arguments are no JSON object"


@dataclass(frozen=True, slots=True)
class Written:
    """A call so far; plain JSON through ``asdict``.

    Attributes:
        call: Which call of the message; empty for one that came as a whole.
        id: Its id, or empty.
        name: The tool.
        args: The arguments that are written to their end.
        rest: What was read of the argument begun.
        depth: How many brackets are open.
        quoted: Whether a text is open.
        escaped: Whether the next character of that text stands behind a backslash.
        ended: Whether the object is closed.
        wrong: Why its arguments are no JSON object; empty where nothing is wrong so far.
    """

    call: str = ""
    id: str = ""
    name: str = ""
    args: dict[str, Any] = field(default_factory=dict)
    rest: str = ""
    depth: int = 0
    quoted: bool = False
    escaped: bool = False
    ended: bool = False
    wrong: str = ""

    @property
    def begun(self) -> bool:
        """Whether its arguments have begun: the tool's name is whole then."""
        return self.depth > 0 or self.ended or bool(self.wrong)

    @property
    def whole(self) -> bool:
        """Whether it is written to its end, and can be read."""
        return self.ended and not self.wrong


def go_on(calls: Sequence[Written], pieces: Sequence[Piece]) -> list[Written]:
    """The calls of a message with more pieces of it."""
    found = list(calls)
    for piece in pieces:
        key = "" if piece.call is None else str(piece.call)
        at = _place(found, key, piece.id)
        if at is None:
            found.append(Written(key))
            at = -1
        found[at] = _with(found[at], piece)
    return found


def _place(calls: Sequence[Written], key: str, one: str) -> int | None:
    """Where the call stands that a piece belongs to, as LangChain puts them together."""
    if not key:
        return None
    places = (at for at, call in enumerate(calls) if call.call == key)
    return next((at for at in places if not (one and calls[at].id) or calls[at].id == one), None)


def _with(call: Written, piece: Piece) -> Written:
    if piece.name and call.begun:
        return replace(call, wrong="the tool's name goes on behind its arguments")
    named = replace(call, id=call.id or piece.id, name=call.name + piece.name)
    return named if call.wrong else _read(named, piece.args)


def _read(call: Written, text: str) -> Written:
    """More of the arguments' text. What stands between the commas of an object is read by itself:
    the whole is JSON where every part of it is."""
    args, rest, begun = dict(call.args), call.rest, 0
    depth, quoted, escaped, ended = call.depth, call.quoted, call.escaped, call.ended
    wrong = ""
    for at, sign in enumerate(text):
        if escaped:
            escaped = False
        elif quoted:
            escaped, quoted = sign == "\\", sign != '"'
        elif depth == 0:
            if sign == "{" and not ended:
                depth, begun = 1, at + 1
            elif sign not in " \t\r\n":
                wrong = NO_OBJECT
                break
        elif sign == '"':
            quoted = True
        elif sign in "{[":
            depth += 1
        elif depth == 1 and sign in ",}]":
            last = sign != ","
            wrong = _take(args, rest + text[begun:at], alone=last and not args)
            if wrong := wrong or (NO_OBJECT if sign == "]" else ""):
                break
            rest, begun = "", at + 1
            depth, ended = (0, True) if last else (1, False)
        elif sign in "}]":
            depth -= 1
    rest = rest + text[begun:] if depth and not wrong else ""
    return replace(
        call, args=args, rest=rest, depth=depth, quoted=quoted, escaped=escaped, ended=ended,
        wrong=wrong,
    )  # fmt: skip


def _take(args: dict[str, Any], member: str, *, alone: bool) -> str:
    """Add what a part of the object says; returns what is wrong with it."""
    if alone and not member.strip(" \t\r\n"):
        return ""
    try:
        # As LangChain reads them, line breaks may stand in a text.
        found = json.loads(f"{{{member}}}", strict=False, parse_constant=_refused)
        json.dumps(found, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return NO_OBJECT
    if len(found) != 1 or found.keys() & args.keys():
        return "an argument is missing or there twice"
    args |= found
    return ""


def _refused(text: str) -> Any:
    raise ValueError(text)
