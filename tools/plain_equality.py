"""Answers compared as text and as exact numbers, without a parser of mathematics.

What this cannot decide is split into parts (:class:`Parts`) as far as brackets and commas say so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from agentflow.tools.quantities import NUMBER_WORDS, Number, read_number, same_quantity, unit_of

MAX_LENGTH = 2_000
"""Longer answers are only compared as text."""


MAX_BRACKETS = 200
MAX_PARTS = 30
"""Answers of more parts are not compared part by part."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Whether two answers are equal.

    Attributes:
        equal: True, False, or None where it cannot be told.
        how: What decided: ``text``, ``number``, ``choice``, ``words``, ``parts``, ``math_verify``;
            where it cannot be told, why.
    """

    equal: bool | None
    how: str


@dataclass(frozen=True, slots=True)
class Parts:
    """Two answers of several parts, to be compared part by part.

    Attributes:
        one: The parts of the one.
        other: As many parts of the other.
        ordered: Whether the first belongs to the first; else any order will do.
    """

    one: tuple[str, ...]
    other: tuple[str, ...]
    ordered: bool


_SPELLINGS = str.maketrans(
    {"−": "-", "–": "-", "×": "\\times ", "·": "\\cdot ", "÷": "/", "π": "\\pi ", "°": "^\\circ "}
    | {"∞": "\\infty ", "∪": "\\cup ", "∩": "\\cap ", "≤": "\\le ", "≥": "\\ge ", "±": "\\pm "}
    | {"√": "\\sqrt ", "²": "^2", "³": "^3", "½": "\\frac{1}{2}", "¼": "\\frac{1}{4}"}
    | {subscript: f"_{number}" for number, subscript in enumerate("₀₁₂₃₄₅₆₇₈₉")}
    | {
        "“": '"',
        "”": '"',
        "¾": "\\frac{3}{4}",
        "\u00a0": " ",
        "\u2009": " ",
        "’": "'",
        "∈": "\\in ",
    }
)


def _grouped(run: re.Match[str]) -> str:
    """``12 345`` without the spaces."""
    return run[0].replace(" ", "")


def _listed(row: re.Match[str]) -> str:
    """``100, 200`` with another mark, since ``100,200`` is one number."""
    return row[0].replace(",", ";")


_BOX = re.compile(r"\\(?:boxed|fbox)\s*\{")
_REWRITES = (
    (re.compile(r"(?<=\d)(?:\{,\}|,\\!|\\,|\\!)(?=\d{3}(?!\d))"), ","),
    (re.compile(r"(?<![\d.,])[1-9]\d{0,2}(?: \d{3})+(?! ?\d| ?/)"), _grouped),
    (re.compile(r"\A\s*-?[\d.]+(?:,\s+-?[\d.]+)+\s*\Z"), _listed),
    (
        re.compile(
            r"\\(?:left|right|[bB]igg?[lr]?)(?![a-zA-Z])|\\displaystyle|(?<!\\)\\[,;!:> ]|~"
        ),
        " ",
    ),
    (re.compile(r"\\(?:\(|\)|\[|\])|\$\$?(?=\s*$)|^\s*\$\$?(?=.*\$\s*$)"), " "),
    (re.compile(r"\\(?:text|mathrm|textbf|textit|mathbf|mbox|textrm)\s*\{([^{}]*)\}"), r" \1 "),
    (re.compile(r"\\[dtc]frac(?![a-zA-Z])"), r"\\frac"),
    (re.compile(r"\\frac\s*(\d)\s*(\d)"), r"\\frac{\1}{\2}"),
    (re.compile(r"\\frac\s*(\d)\s*\{"), r"\\frac{\1}{"),
    (re.compile(r"(\\frac\s*\{[^{}]*\})\s*(\d)"), r"\1{\2}"),
    (re.compile(r"\\sqrt\s*(\d)"), r"\\sqrt{\1}"),
    (re.compile(r"(?<![\\a-zA-Z])sqrt\s*\(([^()]*)\)"), r"\\sqrt{\1}"),
    (re.compile(r"\^\s*\{?\s*\\circ\s*\}?|\\degree"), " degrees "),
    (re.compile(r"\\%"), "%"),
    (re.compile(r"\\\$"), "$"),
    (re.compile(r"\*\*(?=[\w({\\-])"), "^"),
    (re.compile(r"\\(?:leq|leqslant)(?![a-zA-Z])|<="), r"\\le "),
    (re.compile(r"\\(?:geq|geqslant)(?![a-zA-Z])|>="), r"\\ge "),
    (re.compile(r"(?<![\\a-zA-Z])(?:pi|PI)(?![a-zA-Z])"), r"\\pi "),
    (re.compile(r"(?<![\\a-zA-Z])(?:infinity|infty|oo|inf)(?![a-zA-Z])"), r"\\infty "),
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
    text = _spelled(answer)
    if (number := read_number(text)) is not None:
        unit = "" if number.unit == "dollar" else number.unit
        return f"{number.value}{'%' if number.percent else ''} {unit}".strip()
    if _is_words(text):
        return " ".join(_words(text))
    return text


def _spelled(answer: str) -> str:
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
    text = _unboxed(text).strip()
    for pattern, replacement in _REWRITES:
        text = pattern.sub(replacement, text)
    text = text.strip().rstrip(".").strip('*`" ')
    return " ".join(_AROUND.sub(r"\1", text).split())


def _unboxed(text: str) -> str:
    """What the last box holds; the text itself where there is none, or it is not closed."""
    for match in reversed(list(_BOX.finditer(text))):
        depth = 1
        for place in range(match.end(), len(text)):
            depth += {"{": 1, "}": -1}.get(text[place], 0)
            if depth == 0:
                return text[match.end() : place]
    return text


# Words and choices

_CHOICE = re.compile(r"\(?([A-Za-z])(?:\)|\.(?=\s|$)|:)\s*(.*)|([A-Z])", re.DOTALL)
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_NOT_WORDS = re.compile(r"[\d\\=+^_{}/*<>|()\[\],;%$]")
_LONG_WORD = re.compile(r"(?<![\\a-zA-Z])[a-zA-Z]{3,}")
_ARTICLES = frozenset({"a", "an", "the", "is", "are", "it", "its"})
_COUNTS = frozenset(NUMBER_WORDS) | {"hundred", "thousand", "million", "dozen", "half", "thirty"}


def _is_words(text: str) -> bool:
    found = _WORD.findall(text)
    if _NOT_WORDS.search(text):
        return False
    return any(len(word) > 2 or word.lower() == "no" for word in found)


def _words(text: str) -> list[str]:
    found = [word.lower() for word in _WORD.findall(text)]
    return [word for word in found if word not in _ARTICLES] or found


def _choices(one: str, other: str) -> Outcome | None:
    first, second = _CHOICE.fullmatch(one), _CHOICE.fullmatch(other)
    if first and second:
        letters = [(found[1] or found[3]).upper() for found in (first, second)]
        return Outcome(letters[0] == letters[1], "choice")
    if found := first or second:
        against = other if first else one
        if found[2]:
            inner = quick(found[2], against)
            return inner if isinstance(inner, Outcome) else None
        if found[1] and len(against) == 1 and against.isalpha():
            return Outcome(found[1].upper() == against.upper(), "choice")
        if read_number(against):
            return Outcome(None, "only one of them names a choice")
    return None


# The comparison

_ASSIGNED = re.compile(
    r"([a-zA-Z]|[a-zA-Z]+\([a-z]\)|(?:[^a-zA-Z\\]|\\(?:cdot|times))*\d[^a-zA-Z]*"
    r"(?!.*(?<![\\a-zA-Z])[a-zA-Z]))=([^=]+)"
)
"""``x=5``, ``f(x)=5``, ``2+1+2=5``; ``7=2a`` is an equation."""
_UNIT = re.compile(r"(?:\s|(?<=[\d})\]]))(?=[a-zA-Z])")
"""Where a unit may begin."""
_MAX_UNIT = 40
_WORDY = re.compile(
    r"(?<=\s)(?!(?:a?(?:sin|cos|tan)|arc(?:sin|cos|tan)|cot|sec|csc|log|exp|mod|sqrt)\b)[a-zA-Z]{3,}"
)
"""A word behind something: ``5 squared``; a parser of mathematics drops it, or reads variables."""
_PRIMED = re.compile(r"[\d})]\s*(?:'|\^?\{?\\prime)")
_BASE = re.compile(r"\d_\{?(\w+)")
_NUMBERS = re.compile(r"-?\d+(?:[,;]-?[\d.]+)+")
"""``1,22``, ``32;349``."""
_PLUS_MINUS = re.compile(r"\\pm(?![a-zA-Z])")
_OR = re.compile(r"\s+(?:or|and)\s+|,\s*(?:or|and)\s+|;")


@lru_cache(maxsize=10_000)
def quick(one: str, other: str) -> Outcome | Parts | tuple[str, str]:
    """Compare two answers as far as text and exact numbers go.

    Returns:
        The outcome; or the parts to be compared; or both answers in one spelling, the smaller
        first, for a parser of mathematics.
    """
    if one == other and one.strip():
        return Outcome(True, "text")
    if max(len(one), len(other)) > MAX_LENGTH:
        return Outcome(None, f"an answer of more than {MAX_LENGTH} characters")
    if max(sum(map(text.count, "([{")) for text in (one, other)) > MAX_BRACKETS:
        return Outcome(None, f"an answer of more than {MAX_BRACKETS} brackets")
    texts = _spelled(one), _spelled(other)
    if not all(texts):
        return Outcome(None, "an empty answer")
    if texts[0] == texts[1]:
        return Outcome(True, "text")
    if (chosen := _choices(*texts)) is not None:
        return chosen
    numbers = read_number(texts[0]), read_number(texts[1])
    if numbers[0] and numbers[1]:
        equal = same_quantity(numbers[0], numbers[1])
        return Outcome(equal, "number" if equal is not None else "units that do not compare")
    if (told := _compare_words(texts, numbers) or _two_readings(texts, numbers)) is not None:
        return told
    bare, units = zip(*map(_measured, texts), strict=True)
    if any(units):
        if all(units) and units[0] != units[1]:
            return Outcome(None, "units that do not compare")
        return quick(*bare)
    assigned = _ASSIGNED.fullmatch(texts[0]), _ASSIGNED.fullmatch(texts[1])
    if assigned[0] and assigned[1] and assigned[0][1] == assigned[1][1]:
        return quick(assigned[0][2], assigned[1][2])
    if assigned[0] and not assigned[1] and "=" not in texts[1]:
        return quick(assigned[0][2], texts[1])
    if assigned[1] and not assigned[0] and "=" not in texts[0]:
        return quick(texts[0], assigned[1][2])
    if (parts := _parts(*texts)) is not None:
        return parts
    if any(map(_WORDY.search, texts)):
        return Outcome(None, "words that are no unit")
    if any(map(_PRIMED.search, texts)) or _bases(texts[0]) != _bases(texts[1]):
        return Outcome(None, "a notation that only one of them has")
    return min(texts), max(texts)


def _bases(text: str) -> set[str]:
    """The bases in which numbers are written: ``101_2``."""
    return set(_BASE.findall(text))


def _compare_words(texts: tuple[str, str], numbers: Sequence[Number | None]) -> Outcome | None:
    are_words = [_is_words(text) for text in texts]
    wordy = any(len(_LONG_WORD.findall(text)) > 1 for text in texts)
    if wordy and any(numbers) and not any(are_words):
        return Outcome(None, "a sentence")
    if all(are_words):
        one, other = _words(texts[0]), _words(texts[1])
        if one == other:
            return Outcome(True, "words")
        if set(one) <= set(other) or set(other) <= set(one):
            return Outcome(None, "one of them says more")
        return Outcome(False, "words")
    if any(are_words) and any(numbers):
        said = _words(texts[are_words.index(True)])
        return Outcome(None if _COUNTS & set(said) else False, "words")
    return None


def _two_readings(texts: tuple[str, str], numbers: Sequence[Number | None]) -> Outcome | None:
    """``1,5`` is two numbers or a decimal, ``32, 349`` two numbers or a large one: where one of the
    readings is the other answer, nobody can tell."""
    for text, number in zip(texts, reversed(numbers), strict=True):
        if number and _NUMBERS.fullmatch(text):
            readings = [read_number(re.sub("[,;]", mark, text)) for mark in (".", "")]
            if any(one and one.value == number.value for one in readings):
                return Outcome(None, "a list, or one number")
    return None


def _measured(text: str) -> tuple[str, str]:
    """An expression and its unit (``12\\pi cm^2``); the text alone where it names none. A letter
    alone may be a variable."""
    for found in _UNIT.finditer(text, max(0, len(text) - _MAX_UNIT)):
        if unit := unit_of(text[found.end() :]):
            return text[: found.start()], unit
    return text, ""


def _parts(one: str, other: str) -> Parts | Outcome | None:
    """The parts of tuples, intervals, sets and lists; None where either is a single thing."""
    one, other = (text.replace("\\{", "{").replace("\\}", "}") for text in (one, other))
    brackets = [(text[0], text[-1]) if _wrapped(text) else ("", "") for text in (one, other)]
    split = [_split(text) for text in (one, other)]
    counts = len(split[0]), len(split[1])
    if (
        min(counts) == 1
        or max(counts) > MAX_PARTS
        or "\\cup" in one + other
        or "\\in" in one + other
    ):
        return None
    if ("{", "}") in brackets and brackets[0] != brackets[1] and ("", "") not in brackets:
        return Outcome(None, "a set, and something in order")
    kinds = {("[", "("), ("(", ")"), ("[", "]"), ("(", "]"), ("[", ")")}
    if brackets[0] != brackets[1] and brackets[0] in kinds and brackets[1] in kinds:
        return Outcome(False, "parts") if counts == (2, 2) else None
    if counts[0] != counts[1]:
        nested = [any(map(_wrapped, parts)) for parts in split]
        alike = brackets[0] == brackets[1] and nested[0] == nested[1]
        return Outcome(False, "parts") if alike else None
    ordered = ("(", ")") in brackets or bool({("[", "]"), ("(", "]"), ("[", ")")} & {*brackets})
    return Parts(tuple(split[0]), tuple(split[1]), ordered)


def _wrapped(text: str) -> bool:
    """Whether a text's first bracket is closed by its last character."""
    if len(text) < 2 or text[0] not in "([{" or text[-1] not in ")]}":
        return False
    depth = 0
    for place, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        if depth == 0:
            return place == len(text) - 1
    return False


def _split(text: str) -> list[str]:
    """The parts of a tuple, a set or a list; the text alone if it is none of them."""
    if _wrapped(text):
        text = text[1:-1]
    elif _PLUS_MINUS.search(text) and "," not in text:
        signs = [
            _PLUS_MINUS.sub(sign, text).replace("\\mp", against) for sign, against in ("+-", "-+")
        ]
        return [part.lstrip("+") for part in signs]
    text = _OR.sub(",", text)
    parts, depth, start = [], 0, 0
    for place, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            parts.append(text[start:place].strip())
            start = place + 1
    parts.append(text[start:].strip())
    return parts if all(parts) else [text]
