"""The answer that a text states, as in other domains; here it may have several lines."""

from __future__ import annotations

import re
from typing import NamedTuple

from agentflow.domains import answers, narration
from agentflow.domains.answers.known_remarks import closes
from agentflow.domains.answers.sentences import announces
from agentflow.domains.gym import beside, doubt
from agentflow.domains.spelling import lowered, word_set

_TAGGED = re.compile(r"<answer>(.*?)</answer>", re.DOTALL)
_FENCE = re.compile(r"\s{0,3}(?:```|~~~)")
_FENCED = re.compile(r"(```|~~~)\w{0,20}[ \t]*\n(.*)\n[ \t]*\1", re.DOTALL)
_ANSWER = "The answer is:\n"
_TAG = "</answer>"
_STAND_IN = "Severallines"
"""A word in the place of lines, for what is said around them to be read."""
_SENTENCE = re.compile(r"[^.!?\n]*[.!?]+|[^.!?\n]+")
_SILENT = re.compile(r"(?:[\s`*_#~✓✔✅.:|-]|</?\|?\w{1,20}\|?>)*")
_DONE = word_set("completed correct filled final finished full fully solved")
_GRIDS = word_set("arrangement board grid matrix mini puzzle solution square sudoku table")
_GRID_WORDS = (
    _DONE
    | _GRIDS
    | word_set("""
        block blocks box boxes clues column columns condition conditions constraint constraints
        contain contains diagonal diagonals digit digits every fully has have main meets met number
        numbers requirements row rows rules satisfied satisfies subgrid subgrids unique valid values
    """)
)
"""Words of a sentence beside a grid that finds it right, as a whole."""
_FAULTLESS = re.compile(
    r"\b(?:(?:there are )?no|without|has no) (?:two )?"
    r"(?:duplicates?|repeats?|queens (?:attack|threaten) (?:each |one an)other)\b"
    r"|\d+ ?(?:to|-|through) ?\d+"
)
"""What a grid has not, or a range of numbers."""
_ROW = r"[^\s*`]{1,3}(?:[ \t]+[^\s*`]{1,3})+"
_ROWS = re.compile(rf"\s*(?P<rows>{_ROW}(?:[ \t]*\n[ \t]*{_ROW})+)\s*")
_ROWS_BEHIND = re.compile(
    r"(?i)(?:\A|.*\n)[\s#*_]*(?:(?:so|thus|therefore|hence),? )?(?:(?:the|my|our) )?"
    rf"(?:(?:final|correct|completed) )*(?:answer|{'|'.join(_GRIDS)})(?: is)?:?[\s*_]+"
    rf"(?P<rows>{_ROW}(?:[ \t]*\n[ \t]*{_ROW})+)[*_.\s]*",
    re.DOTALL,
)
"""A grid that begins on the line which calls it the answer, and ends the text."""
_ALONE = re.compile(r"\s*(?P<bold>\*\*)?(?P<said>\S[^\n*`]*?)(?(bold)\*\*|)\s*")
_LABEL = r"[*_#\s]*(?:[A-Z][a-z]+ ){0,2}(?:[A-Z]?[a-z]+):[*_]*\s+"
_LAST = re.compile(
    r"(?s)(?P<lead>(?:.*\n\s*)?)"
    rf"(?:(?P<bold>\*\*)|{_LABEL}(?P<tick>[`*]+)"
    r"|(?:(?:So|Thus|Therefore|Hence),? )?[Tt]he (?:[a-z]+ ){1,5}is (?P<is>\*\*))"
    r"(?P<said>[^\s*`:](?:[^\n*`:]*[^\s*`:?.])?)(?(bold)\*\*)(?(tick)(?P=tick))(?(is)\*\*)\.?\s*"
)
"""A last line in bold print; what stands so behind a label or ``The length of it is``."""
_UNMEANT = re.compile(r"\b(?:example|e\.g|format|wrong|not|instead|wait|suppose)\b|n't\b|\?")
"""What keeps a last line in bold print from being the answer."""
_ITEMS = re.compile(r"[^\s,.:;?!*`]+(?:, ?[^\s,.:;?!*`]+){2,}")
_DATA = re.compile(r"[\[{].*[\]}]", re.DOTALL)
_NUMBERED = re.compile(r"(?m)^[ \t]*(\d{1,3})[.)][ \t]+(?=[^\W\d_])")


class _Place(NamedTuple):
    """Where the lines of an answer are; ``lead`` is where the line above them begins, if only here
    that means that they are the answer."""

    begin: int
    end: int
    lead: int | None = None


def answer(text: str) -> str | None:
    """What stands in the last ``<answer>``, or in the lines below the last heading that announces
    one, if no other is stated behind those and the text does not deny it or take it back; else what
    :func:`answers.stated` finds."""
    tags = [_Place(*tag.span(1)) for tag in _TAGGED.finditer(text)]
    place = tags[-1] if tags else _lines_below(text)
    if place is None or (not tags and answers.stated(text[place.end :]) is not None):
        return _in_words(text)
    said = text[place.begin : place.end].strip()
    fenced = _FENCED.fullmatch(said)
    said = fenced[2].strip() if fenced else said
    shown, behind = said, text[place.end :]
    if "\n" in said:
        if not _holds(behind):
            return None
        shown, behind = _STAND_IN, _TAG if tags else ""
    above = text[: place.begin] if place.lead is None else text[: place.lead] + _ANSWER
    stated = answers.stated(above + shown + behind)
    alone = answers.stated(f"<answer>{shown}</answer>")
    if stated is None or stated != alone:
        return None
    lead = text[: place.begin if place.lead is None else place.lead]
    end = text.find(_TAG, place.end) + len(_TAG) if tags else place.end
    return None if beside.contradicts(_above(lead), said, text[end:]) else _unnumbered(said)


def _in_words(text: str) -> str | None:
    """The answer that a text states as in other domains."""
    said, found = answers.stated(text), answers.statements(text)
    if rows := _ROWS_BEHIND.fullmatch(text):
        grid, lead = _grid(rows["rows"]), text[: rows.start("rows")].rpartition("\n")[0]
        return grid and (None if answers.statements(lead) else grid)
    last = None if found or _UNMEANT.search(lowered(text)) else _LAST.fullmatch(text)
    if last and not doubt.opens(lowered(text)):
        return None if beside.contradicts(last["lead"] or "", last["said"], "") else last["said"]
    if said is None or not found:
        return said or (None if found else _alone(text))
    behind = text[found[-1].end :].partition("\n")[2]
    return None if beside.contradicts(_above(text[: found[-1].start]), said, behind) else said


def _alone(text: str) -> str | None:
    """What a text consists of, where that can be no sentence: what stands in a fence or in bold
    print, data, or the rows of a grid."""
    if (fenced := _FENCED.fullmatch(text.strip())) and fenced[1] not in fenced[2]:
        return fenced[2].strip("\n") or None
    if rows := _ROWS.fullmatch(text):
        return _grid(rows["rows"])
    found = _ALONE.fullmatch(text)
    shown = found and (found["bold"] or any(f.fullmatch(found["said"]) for f in (_DATA, _ITEMS)))
    asks = found and found["said"].rstrip().endswith(("?", ":", "..."))
    return found["said"] if found and shown and not asks else None


def _grid(rows: str) -> str | None:
    """Rows that have all the same length; None for others."""
    lines = [line.strip() for line in rows.split("\n")]
    return "\n".join(lines) if len({len(line.split()) for line in lines}) == 1 else None


def _unnumbered(said: str) -> str:
    """An answer of several lines without their numbers, if those count from 1 on."""
    numbers = [int(one) for one in _NUMBERED.findall(said)]
    counts = len(numbers) > 1 and numbers == list(range(1, said.count("\n") + 2))
    return _NUMBERED.sub("", said) if counts else said


def _above(text: str) -> str:
    """The whole lines at the beginning of a text; one with a tag behind its words is one, too."""
    lines, _, last = text.rpartition("\n")
    return text.removesuffix("<answer>") if last.endswith("<answer>") else lines


def _holds(behind: str) -> bool:
    """Whether all sentences behind a grid find it right, or end the text."""
    said = (one for one in _SENTENCE.findall(behind) if not _SILENT.fullmatch(one))
    return all(closes(one) or finds_right(one) for one in said)


def finds_right(sentence: str) -> bool:
    """Whether a sentence beside a grid finds it right, as a whole, or says that it follows."""
    bare = _FAULTLESS.sub("", lowered(sentence))
    tells = bare != lowered(sentence) or not _GRID_WORDS.isdisjoint(narration.words(bare))
    return tells and not re.search(r"[\d?👎]", bare) and narration.only(bare, _GRID_WORDS)


def _completes(line: str) -> bool:
    """Whether a line says that a grid stands below which is the answer."""
    words = {*narration.words(lowered(line))}
    ends = line.rstrip("*_ \t\r\n").endswith(":") and not words.isdisjoint(_DONE)
    return ends and not words.isdisjoint(_GRIDS) and narration.only(line, _DONE | _GRIDS)


def _lines_below(text: str) -> _Place | None:
    """The lines below the last announcement, if they are several."""
    place, begin, end, open_ = 0, 0, 0, False
    lines, lead, fenced = 0, None, False
    for line in text.splitlines(keepends=True):
        place += len(line)
        fenced ^= _FENCE.match(line) is not None
        if (completed := _completes(line)) or announces(line):
            begin, lines, open_ = place, 0, True
            lead = place - len(line) if completed else None
        elif open_ and line.strip() and not _FENCE.match(line):
            begin = begin if lines else place - len(line)
            lines, end = lines + 1, place - len(line) + len(line.rstrip())
        elif lines and not fenced:
            open_ = False
    return _Place(begin, end, lead) if lines > 1 else None
