"""The options of a multiple-choice question, and which of them an answer names."""

from __future__ import annotations

import re

from agentflow.errors import BadInput

_HEADING = re.compile(r"(?i)\b(?:available\s+)?options\s*(?:are\s*)?:")
_FIRST = re.compile(r"(?m)^[ \t]*\(?A[.):]")
_MARK = re.compile(r"(?:^|(?<=[\s,;|]))\(?([A-Z])[.):](?=\s|$)")
_NAMED = re.compile(
    r"(?:options?\s*)?(?:\(([a-z])\)|([a-z])(?![a-z']))\s*[.):,=-]*\s*(.*)",
    re.IGNORECASE | re.DOTALL,
)
_NONE = re.compile(r"(?i)none(?: of (?:the above|these|those|them|the (?:options|others)))?")
_NAMED_BEHIND = re.compile(r"(.+?),?\s*\((?:option\s*)?([a-z])\)", re.IGNORECASE | re.DOTALL)


def parts(text: str) -> tuple[str, dict[str, str], str]:
    """(the text before the options, letter -> option, the text around and behind the options).

    Options stand behind ``Options:`` (or ``Available options:``), or begin on a line with ``A.``;
    on lines of their own, or on one line. The third part is what the options do not take up.

    Raises:
        BadInput: If one of them is empty, or two are the same.
    """
    begin = _HEADING.search(text) or _FIRST.search(text)
    if begin is None:
        return text, {}, ""
    tail = text[begin.end() :] if begin.re is _HEADING else text[begin.start() :]
    marks: list[re.Match[str]] = []
    for mark in _MARK.finditer(tail):
        if mark[1] == chr(ord("A") + len(marks)):
            marks.append(mark)
    ends = [*(mark.start() for mark in marks), len(tail)][1:]
    options: dict[str, str] = {}
    around = [tail[: marks[0].start()] if marks else tail]
    for mark, end in zip(marks, ends, strict=True):
        first, *others = tail[mark.end() : end].strip().split("\n")
        value = first.strip(" \t\r,;|")
        if not value:
            raise BadInput(f"option {mark[1]} is empty")
        if value.lower() in map(str.lower, options.values()):
            raise BadInput(f"option {mark[1]}, {value[:40]!r}, is there twice")
        options[mark[1]] = value
        around += others
    return text[: begin.start()], options, "\n".join(around).strip()


def says_none(option: str) -> bool:
    """Whether an option only says that the others are not right: ``None of the above``."""
    return _NONE.fullmatch(option.strip(" .")) is not None


def named(answer: str, options: dict[str, str]) -> tuple[str | None, str]:
    """(the option that an answer gives by its letter, what else the answer says).

    ``C``, ``(c)``, ``C. 2``, ``Option C: 2`` and ``2 (C)`` name the third option. An answer that
    names none gives (None, the answer).
    """
    answer = answer.strip()
    if found := _NAMED.fullmatch(answer):
        letter, rest = found[1] or found[2], found[3]
    elif found := _NAMED_BEHIND.fullmatch(answer):
        rest, letter = found.groups()
    else:
        return None, answer
    option = options.get(letter.upper())
    return (None, answer) if option is None else (option, rest.strip())
