"""Short answers in one spelling: HotpotQA's, with numbers and dates written one way."""

from __future__ import annotations

import re
import unicodedata
from datetime import date

from agentflow.domains import spelling

_MONTHS = "january february march april may june july august september october november december"
_MONTH = {name: number for number, name in enumerate(_MONTHS.split(), 1)}
_MONTH |= {name[:3]: number for name, number in _MONTH.items()} | {"sept": 9}
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_NUMBER = spelling.NUMBERS | {word: 10 * number for number, word in enumerate(_TENS.split(), 2)}

_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_NAME = r"(?P<month>[a-z]+)\.?"
_YEAR = r"(?P<year>\d{4})"
_DATES = (
    re.compile(rf"(?:the )?{_DAY} (?:of )?{_NAME}(?:,? {_YEAR})?"),
    re.compile(rf"{_NAME} (?:the )?{_DAY}(?:,? {_YEAR})?"),
    re.compile(r"(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})"),
)
_DIGITS = re.compile(r"-?(?:\d+(?:\.\d+)?|\.\d+)")
_GROUPS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_LOOSE = re.compile(r"(?<=[^\W\d])[.-]+|[.-]+(?!\d)|(?<=[.-])[.-]")
"""Points and dashes that belong to no number."""
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_YES = frozenset(("yes", "y", "yeah", "yep", "true", "correct"))
_NO = frozenset(("no", "n", "nope", "false", "incorrect"))


def yes_no(text: str) -> str | None:
    """``yes`` or ``no``, if the text begins with one of them and does not say the other."""
    words = re.findall(r"[a-z]+", text.casefold()[:200])
    if not words:
        return None
    said = {"yes" if word in _YES else "no" for word in words if word in _YES | _NO}
    opening = words[0] in _YES | _NO
    return said.pop() if opening and len(said) == 1 else None


def normal_form(text: str) -> str:
    """A text that is the same for answers that are plainly the same; empty if nothing is left.

    Case, punctuation and articles do not count (the HotpotQA evaluation's rule), nor how a
    number below a hundred or a date is written. Unlike there, points and signs of numbers stay, and
    so does an answer that is an article.
    """
    text = spelling.plain(text).casefold()
    text = _GROUPS.sub("", " ".join(text.split()).strip(" ,;:!?*\"'`“”‘’").rstrip("."))
    if (known := _date(text) or _number(text)) is not None:
        return known
    text = "".join(c for c in text if c in " .-" or unicodedata.category(c)[0] not in "PSC")
    text = " ".join(_LOOSE.sub("", text).split())
    text = " ".join(_ARTICLES.sub(" ", text).split()) or text
    return _date(text) or _number(text) or text


def _date(text: str) -> str | None:
    for pattern in _DATES:
        if match := pattern.fullmatch(text):
            parts = match.groupdict()
            named = parts["month"]
            month = int(named) if named.isdecimal() else _MONTH.get(named, 0)
            year = int(parts["year"] or 2000)  # a leap year
            try:
                found = date(year, month, int(parts["day"]))
            except ValueError:
                return None
            return found.isoformat() if parts["year"] else f"{found:%m-%d}"
    return None


def _number(text: str) -> str | None:
    if _DIGITS.fullmatch(text):
        sign = "-" if text.startswith("-") else ""
        whole, _, rest = text.lstrip("-").partition(".")
        digits = (whole.lstrip("0") or "0") + ("." + rest.rstrip("0")).rstrip(".")
        return digits if digits == "0" else sign + digits
    words = text.split("-") if "-" in text else text.split()
    values = [_NUMBER.get(word) for word in words]
    match values:
        case [int(one)]:
            return str(one)
        case [int(tens), int(one)] if tens >= 20 and 0 < one < 10:
            return str(tens + one)
    return None
