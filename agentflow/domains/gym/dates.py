"""Whether what a sentence says of days and times is so.

October 1, 2022 was a Monday.                       it was a Saturday
From 11:24:08 to 14:24:08 is 3 hours.               is so
There are 50 days between January 1 and February 20.
"""

from __future__ import annotations

import calendar
import re
from datetime import date, timedelta

from agentflow.domains.gym.about import COUNT, About
from agentflow.domains.spelling import number

_MONTHS = [one.lower() for one in calendar.month_name]
_DAYS = [one.lower() for one in calendar.day_name]
_MONTH = "|".join(_MONTHS[1:])
_DAY = "|".join(_DAYS)
_NTH = r"\d{1,2}(?:st|nd|rd|th)"
_DATE = (
    rf"(?:(?:{_MONTH}) (?:{_NTH}|\d{{1,2}})(?:,? \d{{4}})?|{_NTH} (?:of )?(?:{_MONTH})"
    r"(?:,? \d{4})?)"
)
_WEEKDAY = re.compile(
    rf"\b(?:(?P<date>{_DATE})|the (?P<nth>{_NTH}))(?: (?:is|was|will be|falls? on|fell on|must be"
    rf"|would be)(?: (?:therefore|also|again|thus|on|an?|the))*| ?->| ?=|,| \() ?(?P<day>{_DAY})\b"
    r"(?! (?:before|after))"
    rf"|\b(?P<first>{_DAY}),? (?:is |was |the )?(?P<then>{_DATE})"
)
_UNTIL = rf"(?:between|from) {_DATE},? (?:and|to|until|through|till) {_DATE}"
_APART = re.compile(
    rf"\b(?P<n>\d+) days?(?: [a-z]+){{0,2}},? {_UNTIL}|{_UNTIL}[a-z', ]{{0,20}}? (?P<m>\d+) days"
    rf"|\b{_DATE} is (?P<k>\d+) days (?:after|before|later than|past) {_DATE}"
)
_LENGTH = re.compile(
    rf"\b(?P<month>{_MONTH})(?: (?P<year>\d{{4}}))? (?:has|had|with|\() ?(?:only )?(?P<n>\d{{2}})"
    r" days\b"
)
_LEAP = re.compile(r"\b(?P<year>\d{4}) (?:is|was)(?P<not> not|n't)? a leap year")
_TIME = r"\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?"
_SPAN = re.compile(rf"from (?P<a>{_TIME}) (?:to|until|till) (?P<b>{_TIME})(?P<span>[^;]*)")
_PART = re.compile(
    rf"(?P<n>\d+\.\d+|{COUNT}|an?)(?: more| another| full| whole)? ?(?P<unit>hour|h|min|m|sec|s"
    r"|millisecond|ms)(?:ute|ond)?s?\b"
)
_SECONDS = {"hour": 3600, "h": 3600, "min": 60, "m": 60, "sec": 1, "s": 1}


def hold(said: str, about: About) -> bool:
    """Whether what a sentence, in small letters, says of days and times is so."""
    return (
        all(_falls(found, about) for found in _WEEKDAY.finditer(said))
        and all(_lie_apart(found, about) for found in _APART.finditer(said))
        and all(_is_long(found, about) for found in _LENGTH.finditer(said))
        and all(
            calendar.isleap(int(one["year"])) != bool(one["not"]) for one in _LEAP.finditer(said)
        )
        and all(_takes(found) for found in _SPAN.finditer(said))
    )


def _years(about: About) -> list[int]:
    """The years that a day without one may be of: those of the question, or those that begin on the
    weekday that it names."""
    low = about.question.lower()
    if named := {int(one) for one in re.findall(r"\b(?:1[5-9]|2\d)\d\d\b", low)}:
        return sorted(named)
    first = re.search(rf"({_DAY}) is january 1|january 1(?:st)? is (?:an? )?({_DAY})", low)
    if first is None:
        return []
    begin = _DAYS.index(first[1] or first[2])
    years = [one for one in range(2000, 2060) if date(one, 1, 1).weekday() == begin]
    leap = not re.search(r"non-leap|not a leap", low)
    return [one for one in years if calendar.isleap(one) == leap or "leap" not in low]


def _dates(said: str, about: About) -> list[date]:
    """The days that a text may name, one for each year that it may be of."""
    month = next(one for one in re.findall(r"[a-z]+", said) if one in _MONTHS)
    day, *year = (int(one) for one in re.findall(r"\d+", said))
    found = []
    for one in year or _years(about):
        if one >= 1 and 1 <= day <= calendar.monthrange(one, _MONTHS.index(month))[1]:
            found.append(date(one, _MONTHS.index(month), day))
    return found


def _falls(found: re.Match[str], about: About) -> bool:
    said = found["date"] or found["then"]
    if said is None:  # a day of the month that the question names
        months = [one for one in _MONTHS[1:] if one in about.question.lower()]
        if len(months) != 1 or len(_years(about)) != 1:
            return True
        said = f"{months[0]} {found['nth']}"
    day = _DAYS.index(found["day"] or found["first"])
    return not _years(about) or day in {one.weekday() for one in _dates(said, about)}


def _lie_apart(found: re.Match[str], about: About) -> bool:
    one, other = re.findall(_DATE, found[0])
    days = int(found["n"] or found["m"] or found["k"])
    pairs = zip(_dates(one, about), _dates(other, about), strict=False)
    gaps = {abs(a - b) + timedelta(i) for a, b in pairs for i in (0, "inclusive" in found.string)}
    return not gaps or timedelta(days) in gaps


def _is_long(found: re.Match[str], about: About) -> bool:
    years = [int(found["year"])] if found["year"] else _years(about) or [2023, 2024]
    month = _MONTHS.index(found["month"])
    return int(found["n"]) in {calendar.monthrange(one, month)[1] for one in years}


def _takes(found: re.Match[str]) -> bool:
    """Whether from one time to another it takes as long as is said."""
    told, said = 0.0, found["span"].partition(" from ")[0]
    for part in _PART.finditer(said):
        many = part["n"]
        count = 1 if many[0] == "a" else float(many) if "." in many else number(many)
        told += count * _SECONDS.get(part["unit"], 0.001)
    begin, end = (
        sum(
            float(one) * size
            for one, size in zip(found[time].split(":"), (3600, 60, 1), strict=False)
        )
        for time in ("a", "b")
    )
    return not told or abs((end - begin) % 86400 - told) < 0.0005
