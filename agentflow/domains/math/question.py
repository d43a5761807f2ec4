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
WORKED = r"\$?(?:[(\d][-+*/×÷·()\\\d., a-z]*= ?)?\d[\d,]*(?:\.\d+)?\$?"
"""A number, or the calculation that comes to it."""
_RESULT = re.compile(r"(\d[\d,]*(?:\.\d+)?)\$?\Z")
_HOW_MANY = re.compile(
    r"(?is)\bhow many (?P<things>[a-z]+(?: [a-z]+)??) (?:do|does|will|would|can)"
    r" (?P<who>(?:[a-z]+ )??[a-z]+) (?P<verb>[a-z]+)(?P<rest>(?: [a-z]+){0,4})\?\s*\Z"
)
_IN_ALL = ("", " in total", " altogether", " in all", " now")
_THIRD = {"have": "has", "do": "does", "go": "goes"}
_SIGNS = re.compile(r"\\(?:times|cdot|div)(?![a-zA-Z])|[×·÷]")
_NAME = re.compile(r"\s*[a-z]\s*")
_BRACKETED = re.compile(r"(-?)\(([^()]*)\)")
_MAX_ASKED = 2_000
_LOOSE = re.compile(r"\s|\$|\\(?:left|right)(?![a-zA-Z])|\\[,;!()\[\]]")
_ASKS = re.compile(r"(?i)(?:find|compute|evaluate|determine|calculate|what(?:'s|is)|of)\Z")
_ENDS = re.compile(r"\Z|[.?!]|,|(?:if|in|to|as|when|where|for|given)", re.IGNORECASE)
_FRACTION = re.compile(r"\\[dt]?frac(?:\{(\d{1,20})\}\{(\d{1,20})\}|(\d)(\d))")


def value(question: str) -> Fraction | None:
    """What the question's calculation comes to; None where it asks for anything else, or where the
    calculation may be read in two ways (``6 / 2 (1 + 2)``, ``08``, a product without a sign)."""
    if len(question) > _MAX or (asked := _ASKED.fullmatch(question.strip())) is None:
        return None
    text = _SIGNS.sub(_plain_sign, asked["sum"])
    if not re.search(r"\d\s*\)*\s*[-+*/]", text) or not _FULL.fullmatch(text):
        return None
    parts = _SUM.findall(text)
    for one, other in itertools.pairwise(parts):
        if (one[-1].isdigit() or one == ")") and (other[0].isdigit() or other == "("):
            return None
    if any(part[0] == "0" and part[1:2].isdigit() for part in parts):
        return None
    return _worked(" ".join(parts))


def said(answer: str) -> Fraction | None:
    """The number that an answer is, exactly as written, or to which an equation of it comes
    (``17 * 3 + 4 = 55``, ``x = 55``); None for anything else, and where the sides differ."""
    plain = _FRACTION.sub(r"(\1\3/\2\4)", spelling.plain(answer))
    *worked, text = _SIGNS.sub(_plain_sign, plain).strip(" $").split("=")
    number = _number(text)
    sides = [side for side in worked if side.strip() and not _NAME.fullmatch(side)]
    return number if all(_worked(side) == number for side in sides) else None


def _plain_sign(sign: re.Match[str]) -> str:
    return "/" if sign[0] in ("\\div", "÷") else "*"


def _worked(text: str) -> Fraction | None:
    """What a calculation comes to."""
    parsed = arithmetic.parse(text)
    return None if parsed is None else arithmetic.value(parsed)


def _number(text: str) -> Fraction | None:
    found = _SAID.fullmatch(_BRACKETED.sub(r"\1\2", text.strip(" $")))
    if found is None:
        return None
    bottom = Fraction(found["bottom"] or 1)
    if bottom == 0:
        return None
    return Fraction(found["top"]) / bottom * (-1 if found["sign"] else 1)


def counted(question: str, answer: str) -> str | None:
    """The number in a sentence that says of what is asked how many they are: ``Tom has 55 apples``,
    where ``How many apples does Tom have?`` is asked; None for any other question or sentence."""
    asked = _HOW_MANY.search(question, max(0, len(question) - _MAX))
    if asked is None or question.count("?") > 1 or len(answer) > _MAX:
        return None
    verb, rest = asked["verb"].lower(), asked["rest"].lower()
    ends = "|".join(_IN_ALL if rest in _IN_ALL else (rest,))
    sentence = re.fullmatch(
        rf"(?i){asked['who']} (?:(?:will |would |can )?{verb}|{_THIRD.get(verb, f'{verb}s')})"
        rf" (?:a total of |exactly )?(?P<n>{WORKED}) {asked['things']}(?:{ends})",
        " ".join(answer.replace("**", "").split()).rstrip(" ."),
    )
    number = _RESULT.search(sentence["n"]) if sentence else None
    if sentence is None or number is None:
        return None
    worked = "=" in sentence["n"]
    return None if worked and said(sentence["n"].replace(",", "")) is None else number[1]


def value_asked_for(question: str, answer: str) -> str | None:
    """``107`` for ``m+n=107`` where the question asks for ``m+n``; None for any other answer."""
    name, sign, value = _squeezed(answer).partition("=")
    if not sign or not value or "=" in value or not 1 < len(name) <= _MAX:
        return None
    text = _squeezed(question[-_MAX_ASKED:])
    place = text.find(name)
    while place >= 0:
        if _ASKS.search(text, max(0, place - 20), place) and _ENDS.match(text, place + len(name)):
            return value
        place = text.find(name, place + 1)
    return None


def _squeezed(text: str) -> str:
    return _LOOSE.sub("", text)


def is_rounded(answer: str, exact: Fraction) -> bool:
    """Whether an answer with decimals may be the exact value, rounded."""
    places = len(answer.partition(".")[2].strip(" $"))
    number = said(answer)
    return number is not None and places > 0 and abs(number - exact) <= Fraction(1, 2 * 10**places)
