"""Other ways to write a grid, put in the one that :mod:`~agentflow.domains.zebra.grid` reads."""

from __future__ import annotations

import json
import re

from agentflow.domains.zebra.claims import ORDINALS

_BOXED = re.compile(r"(?m)^[ \t$]*\\boxed\{([^{}\n]*[Hh]ouse[^{}\n]*)\}[ \t$.]*$")
_NUMBERED = re.compile(r"[ \t>*_-]*(?P<number>\d{1,2})[*_]*[.):][*_]*[ \t]+(?P<said>\S.*)")
_ORDINAL = re.compile(
    rf"(?im)^(?P<before>[ \t>*_#-]*)(?:the )?(?:(?P<word>{'|'.join(ORDINALS[1:9])})"
    r"|(?P<digit>[1-8])(?:st|nd|rd|th)) house(?= ?[*_]*[:=])"
)
_OBJECT = re.compile(r'\{\s*"(?:solution|header)"\s*:')
_DECODER = json.JSONDecoder()


def respelled(text: str) -> str:
    """The text with houses by number for ordinals (``First house: ...``) and, where no house is
    named, for the last numbered lines (``1. Arnold, tea``); with a table for JSON that has
    ``header`` and ``rows``; without a box around houses on one line."""
    text = _ORDINAL.sub(_by_number, _BOXED.sub(r"\1", _tabled(text)))
    return text if re.search(r"(?i)\bhouse ?\d", text) else _numbered(text)


def _by_number(found: re.Match[str]) -> str:
    number = found["digit"] or ORDINALS.index(found["word"].lower())
    return f"{found['before']}House {number}"


def _numbered(text: str) -> str:
    """The last lines that are numbered from 1 on, as houses."""
    lines = text.split("\n")
    found = [_NUMBERED.fullmatch(line.rstrip()) for line in lines]
    last = max((place for place, line in enumerate(found) if line), default=-1)
    block = list[tuple[int, re.Match[str]]]()
    for place in range(last, -1, -1):
        if (line := found[place]) is None:
            break
        block.append((place, line))
    numbers = [int(line["number"]) for _, line in reversed(block)]
    if len(numbers) < 2 or numbers != list(range(1, len(numbers) + 1)):
        return text
    for place, line in block:
        lines[place] = f"House {line['number']}: {line['said'].replace(' - ', ', ')}"
    return "\n".join(lines)


def _tabled(text: str) -> str:
    """A table for the object in JSON that says nothing but its ``header`` and its ``rows``."""
    if (begins := _OBJECT.search(text)) is None:
        return text
    try:
        told, length = _DECODER.raw_decode(text[begins.start() :])
    except (ValueError, RecursionError):
        return text
    if list(told) == ["solution"]:
        told = told["solution"]
    if not isinstance(told, dict) or sorted(told) != ["header", "rows"]:
        return text
    rows = [told["header"], *(told["rows"] if isinstance(told["rows"], list) else [None])]
    if not all(isinstance(row, list) for row in rows):
        return text
    lines = ["", *(f"| {' | '.join(map(str, row))} |" for row in rows), ""]
    return text[: begins.start()] + "\n".join(lines) + text[begins.start() + length :]
