"""Other ways to write a grid, put in the one that :mod:`~agentflow.domains.zebra.grid` reads."""

from __future__ import annotations

import json
import re

from agentflow.domains.zebra.claims import ORDINALS

_BOXED = re.compile(r"(?m)^[ \t$]*\\boxed\{(?:\\text\{)?([^{}\n]*[Hh]ouse[^{}\n]*)\}?\}[ \t$.]*$")
_ARRAY = re.compile(
    r"(?:\$\$|\\\[)?\s*(?P<box>\\boxed\{)?\s*\\begin\{(?P<kind>array|tabular)\}\s*\{[|lcr ]*\}"
    r"(?P<rows>[^{}]*)\\end\{(?P=kind)\}\s*(?(box)\})\s*(?:\$\$|\\\])?"
)
"""A table in LaTeX."""
_TEXT = re.compile(r"\\(?:text|textbf|mathrm|mathbf)\{([^{}\n]*)\}")
_OF_PERSON = re.compile(
    r"[ \t>*_-]*(?P<who>[A-Z][\w-]*)[*_]*:[*_]* (?:in )?house (?P<n>\d{1,2})(?P<rest>, \S.*)", re.I
)
"""``Ann: house 1, tea``"""
_NUMBERED = re.compile(r"[ \t>*_-]*(?P<number>\d{1,2})[*_]*[.):][*_]*[ \t]+(?P<said>\S.*)")
_NUMBERED_LINE = re.compile(r"\A[ \t>*_-]*\d{1,2}[*_]*[.):][*_]*[ \t]+")
_ORDINAL = re.compile(
    rf"(?im)^(?P<before>[ \t>*_#-]*)(?:the )?(?:(?P<word>{'|'.join(ORDINALS[1:9])})"
    r"|(?P<digit>[1-8])(?:st|nd|rd|th)) house(?= ?[*_]*[:=])"
)
_SEPARATED = re.compile(
    r"(?im)^[ \t]*(?:house|position|#)(?: ?(?:number|no\.?))?[ \t]*(?P<sign>[,;\t])[^\n|:=]+"
    r"(?:\n[ \t]*(?:house )?\d{1,2}[ \t]*(?P=sign)[^\n|:=]+)+$"
)
"""Lines of values with a mark between them, below what the columns are called."""
_PLACE = (
    rf"(?:the )?(?:house (?:number |#)?(?P<n>\d{{1,2}})|(?P<nth>{'|'.join(ORDINALS[1:9])}) house)"
)
_VERB = "(?:drinks|eats|enjoys|has|keeps|likes|loves|owns|prefers|smokes)"
_LIVES = (
    re.compile(
        rf"(?P<who>[A-Z][\w-]*) (?:lives|resides|is) (?i:(?:in|at) {_PLACE})"
        rf"(?:,? and|,? who|,) (?P<rest>{_VERB} .+)"
    ),
    re.compile(
        rf"(?i:(?:in )?{_PLACE}),? (?:lives|is|belongs to|is occupied by|has)"
        rf" (?P<who>[A-Z][\w-]*)(?:,? and|,? who|,) (?P<rest>{_VERB} .+)"
    ),
)
"""A sentence that says who lives in a house, and what else is there."""
_WITH_ALL = re.compile(
    rf"(?P<who>[A-Z][\w-]*) \((?P<rest>[^()]+)\) (?:(?:lives|resides|is) )?(?i:(?:in|at) {_PLACE})"
)
"""``Carol (tea, red) lives in house 1``"""
_LISTING = re.compile(r"(?:,? and |[,;] )(?![^()]{0,80}\))")
_JOINED = re.compile(rf"(?:,? and|,)(?: who)? (?={_VERB} )")
_SAYS_HOUSE = re.compile(r"(?i)\bhouse ?\d|\bhouses?\b.{0,80}:")
_SENTENCES = re.compile(r"(?<=[.;])[ \t]+|\.?[ \t]*$")
_LISTED = re.compile(r'(?<=":)\s*\[\s*("[^"\\\n]*")\s*\]')
"""A list of one value in JSON, which is that value."""
_OBJECT = re.compile(r'\{\s*"(?:solution|header)"\s*:')
_DECODER = json.JSONDecoder()


def respelled(text: str) -> str:
    """The text with houses by number for ordinals (``First house: ...``) and, where no house is
    named, for the last numbered lines (``1. Arnold, tea``); with a table for values with commas
    between them, and for JSON that has ``header`` and ``rows``; with ``House 1: Arnold, drinks
    tea`` for lines of sentences that say who lives where; without a box around houses on one
    line, and without the brackets of lists of one value in JSON."""
    if "\\begin" in text:
        text = _ARRAY.sub(_from_latex, _TEXT.sub(r"\1", text))
    text = _LISTED.sub(r"\1", text)
    text = _SEPARATED.sub(_as_table, _BOXED.sub(r"\1", _tabled(text)))
    text = _ORDINAL.sub(_by_number, _housed(text))
    return text if re.search(r"(?i)\bhouse ?\d", text) else _numbered(text)


def _from_latex(found: re.Match[str]) -> str:
    rows = (row.replace("\\hline", "").strip() for row in found["rows"].split("\\\\"))
    return "\n" + "\n".join(
        f"| {' | '.join(cell.strip() for cell in row.split('&'))} |" for row in rows if row
    )


def _as_table(found: re.Match[str]) -> str:
    rows = (row.split(found["sign"]) for row in found[0].split("\n"))
    return "\n".join(f"| {' | '.join(cell.strip() for cell in row)} |" for row in rows)


def _housed(text: str) -> str:
    """The text with houses for its lines of sentences that say who lives where, if those tell of
    each house once and no other line does."""
    lines, houses = text.split("\n"), list[str]()
    for place, line in enumerate(lines):
        if told := _as_houses(line):
            lines[place] = "\n".join(told)
            houses += told
        elif _SAYS_HOUSE.search(line):
            return text
    several = [one.partition(":")[0] for one in houses]
    numbered = sorted(several) == [f"House {n}" for n in range(1, len(several) + 1)]
    return "\n".join(lines) if len(several) > 1 and numbered else text


def _as_houses(line: str) -> list[str]:
    """The houses of a line whose sentences all say who lives in one; none for any other line."""
    if own := _OF_PERSON.fullmatch(line.rstrip()):
        return [f"House {own['n']}: {own['who']}{own['rest']}"]
    line = _NUMBERED_LINE.sub("", line).strip(" \t*-•")
    each = [_WITH_ALL.fullmatch(one) for one in _LISTING.split(line.rstrip("."))]
    if all(each):
        return [
            f"House {one['n'] or ORDINALS.index(one['nth'].lower())}: {one['who']}, {one['rest']}"
            for one in each
            if one
        ]
    said = (one.strip().rstrip(".;") for one in _SENTENCES.split(line))
    found = [
        next(filter(None, (one.fullmatch(text) for one in _LIVES)), None) for text in said if text
    ]
    if None in found:
        return []
    return [
        f"House {one['n'] or ORDINALS.index(one['nth'].lower())}: {one['who']}, "
        f"{_JOINED.sub(',', one['rest'])}"
        for one in found
        if one
    ]


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
