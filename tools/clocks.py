"""Times of the day, dates, ratios and residues compared: numbers that signs join.

``3:00 pm`` is ``15:00``; ``1156/9/20`` and ``1156/10/18`` are two dates, though the same quotient.
"""

from __future__ import annotations

import re
from fractions import Fraction

from agentflow.tools.compared import Outcome

_HOURS = frozenset({"noon", "midday", "midnight"})
_CLOCK = re.compile(r"(\d{1,2})(?::(\d\d))?\s?(?:([ap])\.?m\.?)?", re.IGNORECASE)
_DATE = re.compile(r"(\d{1,4})([-/])(\d{1,2})\2(\d{1,4})")
_MOST_DAYS = 31
_RATIO = re.compile(r"\d+(?:\.\d+)?(?::\d+(?:\.\d+)?)+")
_RESIDUE = re.compile(
    r"(?:[a-zA-Z]?\s?\\equiv\s?)?(-?\d{1,50})\s?"
    r"(?:\\p?mod\s?\{?(\d{1,50})\}?|\(\\?mod (\d{1,50})\))?"
)


def compare_counted(one: str, other: str) -> Outcome | None:
    """Compare two times, dates, ratios or residues; None for any other texts."""
    kinds = (_clocks, _dates, _ratios, _residues)
    return next((told for compare in kinds if (told := compare(one, other)) is not None), None)


def _clocks(one: str, other: str) -> Outcome | None:
    """Compare times of the day; a half of it that only one of them says makes no difference."""
    found = _CLOCK.fullmatch(one), _CLOCK.fullmatch(other)
    if any(found) and _HOURS & {one.lower(), other.lower()}:
        return Outcome(None, "a time of day in words")
    if not (found[0] and found[1]) or not (found[0][3] or found[1][3]):
        return None
    ours, theirs = _minutes(found[0]), _minutes(found[1])
    return Outcome(bool(ours & theirs) if ours and theirs else None, "time of day")


def _minutes(clock: re.Match[str]) -> set[int]:
    """The minutes of the day that a time can be: two, where the half is not said, and none, where
    there is no such time."""
    hour, minute, half = int(clock[1]), int(clock[2] or 0), (clock[3] or "").lower()
    if minute > 59 or hour > 23 or (half == "a" and hour > 12):
        return set()
    if half:
        return {60 * (hour % 12 + 12 * (half == "p")) + minute}
    hours = {hour} if hour > 12 or hour == 0 else {hour, (hour + 12) % 24}
    return {60 * hour + minute for hour in hours}


def _dates(one: str, other: str) -> Outcome | None:
    """Compare dates; two that differ may still be one calculation in two ways."""
    found = _DATE.fullmatch(one), _DATE.fullmatch(other)
    if not (found[0] and found[1]):
        return None
    ours, theirs = ([int(date[part]) for part in (1, 3, 4)] for date in found if date)
    alike = found[0][2] == found[1][2] or max(ours) > _MOST_DAYS
    if ours == theirs and alike:
        return Outcome(True, "date")
    open_ = sorted(ours) == sorted(theirs) or _calculated(found[0]) == _calculated(found[1])
    return Outcome(None if open_ else False, "dates, or calculations")


def _calculated(date: re.Match[str]) -> Fraction | None:
    """What a date comes to where it is a calculation; None where that divides by zero."""
    first, second, third = (Fraction(date[part]) for part in (1, 3, 4))
    if date[2] == "-":
        return first - second - third
    return first / second / third if second and third else None


def _ratios(one: str, other: str) -> Outcome | None:
    """Compare ratios of numbers; those that may be times of the day are the same only as both."""
    if not (_RATIO.fullmatch(one) and _RATIO.fullmatch(other)):
        return None
    ours, theirs = ([Fraction(part) for part in text.split(":")] for text in (one, other))
    if len(ours) != len(theirs) or 0 in ours + theirs:
        return Outcome(None, "ratios, or times")
    alike = len({mine / its for mine, its in zip(ours, theirs, strict=True)}) == 1
    clocks = [clock for clock in map(_CLOCK.fullmatch, (one, other)) if clock]
    times = [minutes for minutes in map(_minutes, clocks) if minutes]
    if len(times) == 2 and (alike or times[0] & times[1]):
        return Outcome(None, "ratios, or times")
    return Outcome(alike, "ratio")


def _residues(one: str, other: str) -> Outcome | None:
    """Compare numbers where one is said modulo another."""
    first, second = _RESIDUE.fullmatch(one), _RESIDUE.fullmatch(other)
    if first is None or second is None:
        return None
    moduli = {int(number) for found in (first, second) for number in found.groups()[1:] if number}
    if not moduli:
        return None
    ours, theirs = int(first[1]), int(second[1])
    if len(moduli) > 1 or 0 in moduli:
        return Outcome(None, "two moduli")
    if ours == theirs:
        return Outcome(True, "residue")
    return Outcome(None if (ours - theirs) % moduli.pop() == 0 else False, "residue")
