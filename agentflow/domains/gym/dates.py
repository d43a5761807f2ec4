"""Whether what a sentence says of days and times is so.

October 1, 2022 was a Monday.                       it was a Saturday
From 11:24:08 to 14:24:08 is 3 hours.               is so
There are 50 days between January 1 and February 20.
"""

from __future__ import annotations

import calendar
import re
from datetime import date, timedelta

from agentflow.domains.gym.about import COUNT, About, counted

_MONTHS = [one.lower() for one in calendar.month_name]
_DAYS = [one.lower() for one in calendar.day_name]
_MONTH = "|".join(_MONTHS[1:])
_DAY = "|".join(_DAYS)
_DATE = (
    rf"(?:(?:{_MONTH}) \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?|\d{{1,2}}(?:st|nd|rd|th)? (?:of"
    rf" )?(?:{_MONTH})(?:,? \d{{4}})?)"
)
_FELL = (
    r"(?: (?:is|was|will be|falls on|fell on|must be|would be)(?: (?:therefore|also|again|thus))?"
    r"(?: on)?(?: an?)?| ?->| ?=|,| \()"
)
_ON = (
    re.compile(rf"\b(?P<date>{_DATE}){_FELL} ?(?P<day>{_DAY})\b(?! (?:before|after))"),
    re.compile(rf"\b(?P<day>{_DAY}),? (?:is |was |the )?(?P<date>{_DATE})"),
)
_FIRST = re.compile(
    rf"\bthe (?P<n>\d{{1,2}})(?:st|nd|rd|th) (?:is|was|falls on)(?: an?)? (?P<day>{_DAY})\b"
)
_DAYS_BETWEEN = (
    re.compile(
        r"\b(?P<n>\d+) days?(?: (?:pass|lie|elapse|later|in total))?,? (?:between|from) "
        rf"(?P<a>{_DATE}),? (?:and|to|until|through|till) (?P<b>{_DATE})"
    ),
    re.compile(
        rf"(?:between|from) (?P<a>{_DATE}),? (?:and|to|until|through|till) (?P<b>{_DATE})(?:,? "
        r"(?:there )?(?:is|are|it is|it's|that is|makes|we have|we count))? (?:exactly )?"
        r"(?P<n>\d+) days"
    ),
    re.compile(rf"\b(?P<b>{_DATE}) is (?P<n>\d+) days (?:after|later than|past) (?P<a>{_DATE})"),
    re.compile(rf"\b(?P<a>{_DATE}) is (?P<n>\d+) days before (?P<b>{_DATE})"),
)
_LENGTH = re.compile(
    rf"\b(?P<month>{_MONTH})(?: (?P<year>\d{{4}}))? (?:has|had|with|\() ?(?:only )?(?P<n>\d{{2}})"
    r"(?: days)?\b"
)
_LEAP = re.compile(r"\b(?P<year>\d{4}) (?:is|was)(?P<not> not|n't)? a leap year")
_TIME = r"\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?"
_SPAN = re.compile(
    rf"from (?P<a>{_TIME}) (?:to|until|till) (?P<b>{_TIME})(?: (?:is|are|it is|takes|makes|we"
    r" have|that is|there are)|:|,| =)? ?(?P<span>[^;]*)"
)
_PART = re.compile(
    rf"(?P<n>\d+(?:\.\d+)?|{COUNT}|an?)(?: more| another| full| whole)? ?(?P<unit>hours?|h\b"
    r"|minutes?|mins?\b|m\b|seconds?|secs?\b|s\b|milliseconds?|ms\b)"
)
_SIZES = {"h": 3600.0, "m": 60.0, "s": 1.0}


def hold(said: str, about: About) -> bool:
    """Whether what a sentence, in small letters, says of days and times is so."""
    return (
        all(_falls(found, about) for one in _ON for found in one.finditer(said))
        and all(_apart(found, about) for one in _DAYS_BETWEEN for found in one.finditer(said))
        and all(_long(found, about) for found in _LENGTH.finditer(said))
        and all(_leaps(found) for found in _LEAP.finditer(said))
        and all(_takes(found) for found in _SPAN.finditer(said))
        and all(_falls_in_month(found, about) for found in _FIRST.finditer(said))
    )


def _years(about: About) -> list[int]:
    """The years that a day without one may be of: those of the question, or those that begin on the
    weekday that it names."""
    low = about.question.lower()
    if named := [int(one) for one in re.findall(r"\b(?:1[5-9]|2\d)\d\d\b", low)]:
        return sorted({*named})
    first = re.search(
        rf"(?P<day>{_DAY}) is january 1|january 1(?:st)? is (?:an? )?(?P<on>{_DAY})", low
    )
    if first is None:
        return []
    day = _DAYS.index(first["day"] or first["on"])
    leap = "leap" in low and not re.search(r"non-leap|not a leap", low)
    years = [one for one in range(2000, 2060) if date(one, 1, 1).weekday() == day]
    return [one for one in years if calendar.isleap(one) == leap or "leap" not in low]


def _read(said: str, year: int) -> date | None:
    """The day that a text names, of a year where it names none."""
    month = next(one for one in re.findall(r"[a-z]+", said) if one in _MONTHS)
    digits = [int(one) for one in re.findall(r"\d+", said)]
    year = next((one for one in digits if one > 31), year)
    try:
        return date(year, _MONTHS.index(month), digits[0])
    except ValueError:
        return None


def _dates(said: str, about: About) -> list[date | None]:
    named = re.search(r"\d{4}", said)
    return [_read(said, one) for one in ([int(named[0])] if named else _years(about))]


def _falls(found: re.Match[str], about: About) -> bool:
    days = _dates(found["date"], about)
    return not days or any(one and one.weekday() == _DAYS.index(found["day"]) for one in days)


def _falls_in_month(found: re.Match[str], about: About) -> bool:
    months = [one for one in _MONTHS[1:] if one in about.question.lower()]
    years = _years(about)
    if len(months) != 1 or len(years) != 1:
        return True
    day = _read(f"{months[0]} {found['n']}", years[0])
    return day is not None and day.weekday() == _DAYS.index(found["day"])


def _apart(found: re.Match[str], about: About) -> bool:
    pairs = list(zip(_dates(found["a"], about), _dates(found["b"], about), strict=False))
    inclusive = 1 if "inclusive" in found.string else 0
    whole = [
        b - a in (timedelta(int(found["n"])), timedelta(int(found["n"]) - inclusive))
        for a, b in pairs
        if a and b
    ]
    return not whole or any(whole)


def _long(found: re.Match[str], about: About) -> bool:
    month, days = _MONTHS.index(found["month"]), int(found["n"])
    if "days" not in found[0] and "has" not in found[0]:
        return True
    years = [int(found["year"])] if found["year"] else _years(about) or [2023, 2024]
    return any(days == calendar.monthrange(one, month)[1] for one in years)


def _leaps(found: re.Match[str]) -> bool:
    return calendar.isleap(int(found["year"])) != bool(found["not"])


def _seconds(said: str) -> float:
    parts = [float(one) for one in said.split(":")] + [0.0]
    return parts[0] * 3600 + parts[1] * 60 + parts[2]


def _takes(found: re.Match[str]) -> bool:
    parts = list(_PART.finditer(found["span"].partition(", and from")[0].partition(" from ")[0]))
    if not parts:
        return True
    told = 0.0
    for part in parts:
        size = 0.001 if part["unit"].startswith(("ms", "mill")) else _SIZES[part["unit"][0]]
        number = part["n"]
        told += size * (
            1
            if number in ("a", "an")
            else float(number)
            if number[0].isdigit()
            else counted(number)
        )
    return abs((_seconds(found["b"]) - _seconds(found["a"])) % 86400 - told) < 0.0005
