"""Questions that are a calculation and nothing else: ``What is 2+2?``; their answer is exact."""

from __future__ import annotations

import itertools
import re
from fractions import Fraction

from agentflow.domains import arithmetic, spelling

_MAX = 300
_ASKED = re.compile(
    r"(?:(?:what is|what's|how much is|compute|calculate|evaluate|work out)\s+)?"
    r"(?:the (?:value|result) of\s+)?"
    r"(?P<sum>[\d.+\-*/×÷·() \t]+?)\s*(?:=\s*\??|\?)?\s*[.?!]?",
    re.IGNORECASE,
)
_NUMBER = r"\d{1,50}(?:\.\d{1,50})?"
_SUM = re.compile(rf"{_NUMBER}|[-+*/()]")
_FULL = re.compile(rf"\s*(?:(?:{_NUMBER}|[-+*/()])\s*)+")
_SAID = re.compile(rf"(?P<sign>-?)\s*(?P<top>{_NUMBER})(?:\s*/\s*(?P<bottom>{_NUMBER}))?")


def value(question: str) -> Fraction | None:
    """What the question's calculation comes to; None where it asks for anything else, or where the
    calculation may be read in two ways (``6 / 2 (1 + 2)``, ``08``, a product without a sign)."""
    if len(question) > _MAX or (asked := _ASKED.fullmatch(question.strip())) is None:
        return None
    text = re.sub("[×·]", "*", asked["sum"]).replace("÷", "/")
    if not re.search(r"\d\s*\)*\s*[-+*/]", text) or not _FULL.fullmatch(text):
        return None
    parts = _SUM.findall(text)
    for one, other in itertools.pairwise(parts):
        if (one[-1].isdigit() or one == ")") and (other[0].isdigit() or other == "("):
            return None
    if any(part[0] == "0" and part[1:2].isdigit() for part in parts):
        return None
    parsed = arithmetic.parse(" ".join(parts))
    return None if parsed is None else arithmetic.value(parsed)


def said(answer: str) -> Fraction | None:
    """The number that an answer is, exactly as written; None for anything else."""
    text = spelling.plain(answer).strip().strip("$").strip()
    found = _SAID.fullmatch(text)
    if found is None:
        return None
    bottom = Fraction(found["bottom"] or 1)
    if bottom == 0:
        return None
    return Fraction(found["top"]) / bottom * (-1 if found["sign"] else 1)


def is_rounded(answer: str, exact: Fraction) -> bool:
    """Whether an answer with decimals may be the exact value, rounded."""
    places = len(answer.partition(".")[2].strip(" $"))
    number = said(answer)
    return number is not None and places > 0 and abs(number - exact) <= Fraction(1, 2 * 10**places)
