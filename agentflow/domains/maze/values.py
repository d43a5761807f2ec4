"""What an answer, or an option, says: a number, ``Yes`` or ``No``."""

from __future__ import annotations

import re
from itertools import product

from agentflow.domains.maze import counts
from agentflow.domains.maze.claims import Claim, plain, statement
from agentflow.domains.maze.counts import KIND, MAX_LINE, WORDS
from agentflow.domains.maze.grid import Grid, fit

_NUMBER = re.compile(
    rf"(?:there (?:is|are) )?(?:{KIND}turns? ?(?:=|:|is|are) ?)?(\d{{1,6}}"
    rf"|{WORDS})(?: {KIND}turns?(?: in total)?)?"
)
YES_NO = re.compile(r"(yes|no)(?:(?:[,.;:]| -)? (\S.*))?")


def value(asked: Claim, text: str, grid: Grid | None = None) -> str | None:
    """The number, Yes or No that an option or an answer says, and nothing besides; else None.

    Args:
        grid: Where a Yes or a No may be told with what it means (``No, E is not above S``).
    """
    text = plain(text).rstrip(" .")
    if "count" in asked:
        number = _NUMBER.fullmatch(text)
        if number is None or {number[1], number[3]} - {None, asked["count"]}:
            return None
        return str(counts.number(number[2]))
    if (said := YES_NO.fullmatch(text)) is None:
        return None
    if said[2] is not None:
        stated = statement(said[2]) if grid else None
        if not (grid and stated and _agree(asked, said[1], stated, grid)):
            return None
    return str(said[1].capitalize())


def _agree(asked: Claim, said: str, stated: Claim, grid: Grid) -> bool:
    """Whether a Yes or a No and what is said behind it can both hold, in this maze where the first
    does."""
    other = stated["signs"]
    if asked["of"] != stated["of"]:
        other = [None if sign is None else -sign for sign in other]
    places = [
        place
        for place in product((-1, 0, 1), repeat=2)
        if any(place) and fit(asked["signs"], place) == (said == "yes")
    ]
    if not any(fit(other, place) == stated["holds"] for place in places):
        return False
    true = grid.lies(stated["of"], stated["signs"]) == stated["holds"]
    return true or grid.lies(asked["of"], asked["signs"]) != (said == "yes")


def bare(text: str) -> str:
    """An answer without quotes, brackets and a full stop around it."""
    text = text.strip().rstrip(" .!")
    for opening, closing in ("()", '""', "''"):
        if len(text) > 1 and text[0] == opening and text[-1] == closing:
            text = text[1:-1].strip()
    return text.rstrip(" .")


def lying(line: str) -> str | None:
    """A Yes or a No with what a line says behind it of how S and E lie."""
    text = plain(line[-MAX_LINE:]).rstrip(" .")
    said = YES_NO.fullmatch(text)
    return text if said and said[2] and statement(said[2]) else None
