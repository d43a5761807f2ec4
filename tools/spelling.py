"""One spelling for an answer that can be set in many ways: LaTeX, signs, boxes, words."""

from __future__ import annotations

import re
from functools import lru_cache

from agentflow.tools.quantities import read_number

MAX_LENGTH = 2_000
"""Longer answers are only compared as text."""
MAX_BOXES = 30
"""Boxes that are read as one answer; those before them are left out."""

_SPELLINGS = str.maketrans(
    {"−": "-", "–": "-", "×": "\\times ", "·": "\\cdot ", "÷": "/", "π": "\\pi ", "°": "^\\circ "}
    | {"∞": "\\infty ", "∪": "\\cup ", "∩": "\\cap ", "≤": "\\le ", "≥": "\\ge ", "±": "\\pm "}
    | {"≈": "\\approx "}
    | {"²": "^2", "³": "^3", "½": "\\frac{1}{2}", "¼": "\\frac{1}{4}"}
    | {subscript: f"_{number}" for number, subscript in enumerate("₀₁₂₃₄₅₆₇₈₉")}
    | {
        "“": '"',
        "”": '"',
        "¾": "\\frac{3}{4}",
        "\u00a0": " ",
        "\u2009": " ",
        "’": "'",
        "∈": "\\in ",
        "∅": "\\emptyset ",
    }
)


def _grouped(run: re.Match[str]) -> str:
    """``12 345`` without the spaces."""
    return run[0].replace(" ", "")


def _listed(row: re.Match[str]) -> str:
    """``100, 200`` with another mark, since ``100,200`` is one number; a comma without a space
    behind it stands between thousands."""
    return _COMMA.sub(";", row[0]).replace(",", "")


_COMMA = re.compile(r",(?!\d{3}(?!\d))|,(?=\s)")
"""A comma that is not between thousands."""
_BOX = re.compile(r"\\(?:boxed|fbox)\s*\{")
_JOINED = re.compile(r"(?:[\s$,;]|\\q?quad(?![a-zA-Z])|\\[,;()]|\\text\{ ?and ?\}|\band\b)+")
"""What stands between boxes that are one answer."""
_FUNCTIONS = r"arc(?:sin|cos|tan)|sin|cos|tan|cot|log|ln|exp"
_GOES_ON = re.compile(r"(?:\.\d+|[,;]\s?(?:-?\d+)?)\.{3}\Z")
"""Dots at the end that end no sentence: ``0.333...``."""
_GREEK = r"\\(?:alpha|beta|gamma|delta|epsilon|theta|lambda|mu|pi|sigma|tau|phi|omega)(?![a-zA-Z])"
_REWRITES = (
    # A backslash that was lost, as a sign of a string (a form feed, a tab) or altogether.
    (re.compile(r"\x0c(?=rac)"), r"\\f"),
    (re.compile(r"\t(?=ext\s*\{|imes\b|heta\b)"), r"\\t"),
    (re.compile(r"(?<![\\a-zA-Z])(?=frac\s*\{|sqrt\s*[\d{\\])"), r"\\"),
    (
        re.compile(
            rf"(?<![\\a-zA-Z])(?=(?:{_FUNCTIONS})(?:\s?[({{\\^_\d]|\s[a-zA-Z](?![a-zA-Z])))"
        ),
        r"\\",
    ),
    (re.compile(r"√\s*(\d+(?:\.\d+)?)"), r"\\sqrt{\1}"),
    (re.compile(r"√\s*\(([^()]*)\)"), r"\\sqrt{\1}"),
    (re.compile("√"), r"\\sqrt "),
    (re.compile(r"(?<=\d)(?:\{,\}|,\\! ?|\\,|\\!)(?=\d{3}(?!\d))"), ","),
    (re.compile(r"(?<![\d.,])[1-9]\d{0,2}(?: \d{3})+(?! ?\d| ?/)"), _grouped),
    (re.compile(r"\A\s*-?\d[\d.]*(?:,\d{3})*(?:,\s+-?\d[\d.]*(?:,\d{3})*)+\s*\Z"), _listed),
    (
        re.compile(
            r"\\(?:left|right|[bB]igg?[lr]?)(?![a-zA-Z])|\\displaystyle|(?<!\\)\\[,;!:> ]|~"
        ),
        " ",
    ),
    (re.compile(r"(?<![\w$\\])\$(?=[^\s$])([^$]{1,200}?)(?<=[^\s\\])\$(?![\w$])"), r"\1"),
    (
        re.compile(
            r"\A\s*\$([^$]{1,200})\$(?=[a-zA-Z])|\A([^$]{0,200}[\d})])\$(?=\s*[a-zA-Z]+\s*\Z)"
        ),
        r"\1\2 ",
    ),
    (re.compile(r"(?<=\d)\s?x\s?(?=10\^)"), r"\\times "),
    (re.compile(r"\\(?:\(|\)|\[|\])|\$\$?(?=\s*$)|^\s*\$\$?(?=.*\$\s*$)"), " "),
    (re.compile(r"(?<=\d)\^\{?\s*\\(?:text|mathrm)\s*\{\s*(st|nd|rd|th)\s*\}\s*\}?"), r"\1"),
    (re.compile(r"_\s*\\(?:text|mathrm)\s*\{([^{}]*)\}"), r"_{\1}"),
    (re.compile(r"\\(?:text|mathrm|textbf|textit|mathbf|mbox|textrm)\s*\{([^{}]*)\}"), r" \1 "),
    (
        re.compile(r"\A\s*(\d{1,15})(?:(?<=1)st|(?<=2)nd|(?<=3)rd|\s?\^?\{?\s?th\s?\}?)\s*\Z"),
        r"\1",
    ),
    (re.compile(r"\\textcolor\s*\{(?!white\b)[a-zA-Z]+\}\s*\{([^{}]*)\}"), r"\1"),
    (re.compile(r"\\color\s*\{(?!white\b)[a-zA-Z]+\}|\A\s*=(?![=>])|\\\s*\Z"), " "),
    (re.compile(r"\\[dtc]frac(?![a-zA-Z])"), r"\\frac"),
    (re.compile(r"\\[dt]binom(?![a-zA-Z])"), r"\\binom"),
    (re.compile(r"\{\s*(\w+)\s*\\choose\s*(\w+)\s*\}"), r"\\binom{\1}{\2}"),
    (re.compile(r"\^\s*(\\frac\s*\{[^{}]*\}\s*\{[^{}]*\})"), r"^{\1}"),
    (re.compile(r"\{([^{}=]*)\\over(?![a-zA-Z])([^{}=]*)\}"), r"\\frac{\1}{\2}"),
    (re.compile(r"\A([^{}=]*)\\over(?![a-zA-Z])([^{}=]*)\Z"), r"\\frac{\1}{\2}"),
    (re.compile(rf"(\\frac|\\sqrt)\s*({_GREEK})"), r"\1{\2}"),
    (re.compile(rf"(\\frac\s*(?:\{{[^{{}}]*\}}|\d))\s*({_GREEK})"), r"\1{\2}"),
    (re.compile(r"\\frac\s+([a-zA-Z])\s+([a-zA-Z\d])(?![a-zA-Z])"), r"\\frac{\1}{\2}"),
    (re.compile(r"(\\sqrt\[\w+\])\s*(\w)"), r"\1{\2}"),
    (re.compile(r"\\frac\s*(\d)\s*(\d)"), r"\\frac{\1}{\2}"),
    (re.compile(r"\\frac\s*(\d)\s*\{"), r"\\frac{\1}{"),
    (re.compile(r"(\\frac\s*\{[^{}]*\})\s*(\d)"), r"\1{\2}"),
    (re.compile(r"\\sqrt\s*(\d)"), r"\\sqrt{\1}"),
    (re.compile(r"(?<![\\a-zA-Z])sqrt\s*\(([^()]*)\)"), r"\\sqrt{\1}"),
    (re.compile(r"\^\s*\{?\s*\\circ\s*\}?|\\degree"), " degrees "),
    (re.compile(r"\\%"), "%"),
    (re.compile(r"\\\$"), "$"),
    (re.compile(r"\*\*(?=[\w({\\-])"), "^"),
    (re.compile(r"(?<=\s)!=|\\neq(?![a-zA-Z])"), r"\\ne "),
    (re.compile(r"\\(?:leq|leqslant)(?![a-zA-Z])|<="), r"\\le "),
    (re.compile(r"\\(?:geq|geqslant)(?![a-zA-Z])|>="), r"\\ge "),
    (re.compile(r"(?<![\\a-zA-Z])(?:pi|PI)(?![a-zA-Z])"), r"\\pi "),
    (re.compile(r"(?<![\\a-zA-Z])(?:[Ii]nfinity|infty|oo|inf)(?![a-zA-Z])"), r"\\infty "),
    (re.compile(r"\*"), r"\\cdot "),
    (re.compile(r"\^\(([^()]*)\)"), r"^{\1}"),
    (re.compile(r"\^(-?\d\d+)"), r"^{\1}"),
)
_ROUNDS = 8
_AROUND = re.compile(r"\s*([-+*/=<>^_,;:(){}\[\]|])\s*")


@lru_cache(maxsize=10_000)
def normal_form(answer: str) -> str:
    """The answer in one spelling: equal for answers that differ in the way they are set.

    Numbers are exact fractions (``18.50``, ``$18.5`` and ``37/2`` are one), a percent sign and
    units stay, dollars do not; words are small. An answer too long to be one is only trimmed.
    """
    if len(answer) > MAX_LENGTH:
        return answer.strip()
    text = spelled(answer)
    if (number := read_number(text)) is not None:
        unit = "" if number.unit == "dollar" else number.unit
        return f"{number.value}{'%' if number.percent else ''} {unit}".strip()
    if is_words(text):
        said = " ".join(words(text))
        return said if said == answer else normal_form(said)  # "The Twelve" is 12
    return text


def spelled(answer: str) -> str:
    """The answer as it is spelled once nothing more is to be rewritten; what a rewrite brings
    together may be another's to take."""
    for _ in range(_ROUNDS):
        text = _spelled_once(answer)
        if text == answer:
            break
        answer = text
    return answer


def _spelled_once(answer: str) -> str:
    text = answer if answer.isascii() else answer.translate(_SPELLINGS)
    text = _unboxed(text)
    for pattern, replacement in _REWRITES:
        text = pattern.sub(replacement, text)
    text = text.strip()
    text = (text if _GOES_ON.search(text) else text.rstrip(".")).strip('*`" ')
    return " ".join(_AROUND.sub(r"\1", text).split())


def _unboxed(text: str) -> str:
    """What the last box holds, and those that are joined to it; the text itself where there is
    none, or it is not closed."""
    found = list[str]()
    end = len(text)
    for match in reversed(list(_BOX.finditer(text))):
        close = _closing(text, match.end())
        if close is None:
            if found:
                break
            continue
        if found and not _JOINED.fullmatch(text, close + 1, end):
            break
        found.append(text[match.end() : close])
        end = match.start()
        if len(found) == MAX_BOXES:
            break
    return ", ".join(reversed(found)) if found else text


def _closing(text: str, start: int) -> int | None:
    """Where the bracket that is open at a place is closed."""
    depth = 1
    for place in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if depth == 0:
            return place
    return None


_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_NOT_WORDS = re.compile(r"[\d\\=+^_{}/*<>|()\[\],;%$¬?]|(?<!\w)[-~!](?=\w)")
"""What is mathematics, or may deny or doubt a word."""
_ARTICLES = frozenset({"a", "an", "the", "is", "are", "it", "its"})


def is_words(text: str) -> bool:
    """Whether a text in one spelling has words and nothing of mathematics."""
    found = _WORD.findall(text)
    if _NOT_WORDS.search(text):
        return False
    return any(len(word) > 2 or word.lower() == "no" for word in found)


def words(text: str) -> list[str]:
    """The words of a text, small, without its articles."""
    found = [word.lower() for word in _WORD.findall(text)]
    return [word for word in found if word not in _ARTICLES] or found
