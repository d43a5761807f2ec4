"""Answers compared as text and as exact numbers, without a parser of mathematics.

What this cannot decide is split into parts (:mod:`agentflow.tools.answer_parts`) as far as
brackets and commas say so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from agentflow.tools.answer_parts import COMPARES, alone, is_range, parts_of, split, wrapped
from agentflow.tools.answer_words import compare_words
from agentflow.tools.clocks import compare_counted
from agentflow.tools.compared import Outcome, Parts
from agentflow.tools.named_values import named, names, relates
from agentflow.tools.quantities import (
    Number,
    is_rounded,
    read_number,
    same_quantity,
    singular,
    unit_of,
)
from agentflow.tools.spelling import MAX_LENGTH, is_words, spelled

MAX_BRACKETS = 200
"""Answers with more brackets are not compared."""
_LABEL = re.compile(r"\(?([A-Za-z])(\):?|\.(?=\s|$)|:)\s*((?![*/^_=<>!,;:|)]).*)", re.DOTALL)
_SET_OFF = re.compile(
    r"(?<![a-zA-Z])[A-Za-z][).:]+(?:[}*~\s$]|\\[,;:! ]|\\q?quad)+(?![-+]\s|[-+]\Z)"
)
"""A letter with space behind it: ``(A) -3``, no ``(A)-3``."""
_NEXT_LABEL = re.compile(r".*[,;\s]\([A-Ja-j]\)|.*[,;]\s?[A-Ja-j][.:]|[^(\[]*\)", re.DOTALL)
_SEVERAL = re.compile(
    r"(?i:options? )?\(?[A-Ja-j](?:[).:]+\s*|\s+)(?:[\w',;.-]*[\w']{2}[,;.]?\s+)*?"
    r"(?:\([A-Ja-j]\)|[A-J](?![\w'’(]|\s*[-+*/^=<>]))"
)
"""The letters of two options with nothing but words between them: ``(A) or (B)``."""
_LETTERED = frozenset("abcdefghABCDEFGH")
_UNIT = re.compile(r"(?:\s|(?<=[\d})\]]))(?=[a-zA-Z])")
"""Where a unit may begin."""
_MAX_UNIT = 40
_WORDY = re.compile(
    r"(?:(?<=\s)(?=\w{3})|(?<=[})\]])(?=\w{4})|^(?=[a-zA-Z]{3,}\s|[a-z]{3,}:))"
    r"(?!(?:a?(?:sin|cos|tan)|arc(?:sin|cos|tan)|cot|sec|csc|log|exp|mod|sqrt)\b)[a-zA-Z]{3,}"
)
"""A word beside something: ``5 squared``; a parser of mathematics drops it, or reads variables."""
_MAY_BE_UNIT = re.compile(r"(?=.*(?:[A-Z]|[a-z]{2})|[cdghlmst]\Z)(?:[a-zA-Z/^\d{}. -]|\\cdot )+")
"""Behind a space: ``eV``, ``g/mol``, ``h``; no ``x y``."""
_SYMBOL = re.compile(
    r"[cdghlmst]|(?:yr|deg|gal|rad|ton|cc)s?|mph|kmp?h|kph|[kMG]?(?:Hz|eV|Pa|[JNVW])"
)
"""Right behind a number: ``4s`` may be seconds, or the perimeter of a square."""
_POWER = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)[eE]([-+]?\d{1,3})(?![\w.])")
"""``1e11``, which a parser of mathematics takes for a product."""
_DROPPED = re.compile(r"[\"']|\\prime|\^\{?(?:T(?![a-zA-Z])|\\top|\\intercal)")
"""Primes, quotation marks and transposes, which a parser of mathematics drops."""
_ELLIPSIS = re.compile(r"\\[lc]?dots[bcimo]?(?![a-zA-Z])|…|\.{3}")
_ACCENT = re.compile(r"\\(?:vec|hat|overrightarrow)(?![a-zA-Z])|\\overline\s*\{[A-Z]{2}\}")
"""What names of segments and vectors are written with, or not."""
_BASE = re.compile(r"(?:\d|(?<![a-zA-Z])[A-F](?=_\{?1[1-6]))_\{?(\w+)")
_LN = re.compile(r"\\ln(?![a-zA-Z])")
_LOG = re.compile(r"\\log(?![a-zA-Z_])")
"""A logarithm whose base may be e, or 10."""
_COMPONENTS = re.compile(r"(?<![a-zA-Z])(?:[ijk]|\\hat\{[ijk]\}|\\hat [ijk])(?![a-zA-Z])")
_POINT = re.compile(r"[A-Z](?=\()")
_NO_POINT = re.compile(r"[CNPU]\((.+),(.+)\)")
"""What may be a number of choices or a distribution."""
_OTHER_LOCALE = re.compile(r"-?\d{1,3}(?:(?:\.\d{3})+,\d+|(?:\.\d{3}){2,})")
"""``1.000,5``, ``1.000.000``"""
_SURELY_GROUPED = re.compile(r"(?<=\d)(?:\{,\}|\\,|\\!)(?=\d{3}(?!\d))")
"""What stands between thousands and nothing else."""
_SPACED_LIST = re.compile(r"[(\[{].*,\s.*[)\]}]")
_TIGHT_COMMA = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
"""A comma in a list whose parts have spaces between them: ``(1,000, 3)``."""
_BESIDE = r"(?=\s?[-+*/^\\a-zA-Z])"
_BEHIND = r"(?<=[-+*/^a-zA-Z}])"
_PART_OF_ONE = re.compile(
    rf"(?<![\d.,])[1-9]\d{{0,2}}(?:,\d{{3}})*,0\d\d(?:,\d{{3}})*(?![\d,.])"
    rf"(?:{_BESIDE}|{_BEHIND}(?<=\D)|(?=\Z))"
)
"""A number of thousands in an expression: no list has a part that begins with a nought."""
_IN_THOUSANDS = re.compile(
    rf"{_BEHIND}(?<![\d.,])[1-9]\d{{0,2}}(?:,\d{{3}})+(?![\d,.])"
    rf"|(?<![\d.,])[1-9]\d{{0,2}}(?:,\d{{3}})+(?![\d,.]){_BESIDE}"
)
"""``20,500/400``: one number, or a list of two."""
_TIGHT_FRACTION = re.compile(r"\\[dtc]?frac\s*\d\d\d")
_COMMA = re.compile(r"(?<=\d)\{,\}(?=\d{1,2}(?!\d))")
_EMPTY = re.compile(r"\\varnothing(?![a-zA-Z])|\\\{\\\}")
_ARC = re.compile(r"\\arc|\\(?:sin|cos|tan|cot)\^\{-1\}")
_CROSS = re.compile(
    r"(?:(?<![a-zA-Z\\])[a-zA-Z]|\\(?:vec|mathbf|hat)\s?\{?[a-zA-Z]\}?)\s?\\times\s?"
    r"(?:[a-zA-Z](?![a-zA-Z])|\\(?:vec|mathbf|hat)(?![a-zA-Z]))"
)
"""A product whose order may matter: ``u \\times v``."""
_IN_TWO_WAYS = (
    (re.compile(r"\$|\\(?:boxed|fbox|phantom)(?![a-zA-Z])"), "a text of which a part is read"),
    (
        re.compile(r"(?:gcd|lcm)\}?\s?\([^()]*[a-zA-Z]"),
        "a divisor of letters, which a parser makes 1",
    ),
    (re.compile(r"\\ln\s?_"), "a natural logarithm to another base"),
    (re.compile("!!"), "two exclamation marks"),
    (re.compile(r"\^(?:\w|\{[^{}]*\})\^"), "a power of a power"),
    (re.compile(r"(?<![_^\d])\d+\s+\d"), "numbers side by side"),
    (re.compile(r"\\(?:mp|approx)(?![a-zA-Z])"), "a sign that is no equality"),
    (re.compile(r"\\pm(?![a-zA-Z]).*\\pm(?![a-zA-Z])"), "signs that may belong together"),
    (re.compile(r"(?<![\d.^_])\d+\s?\\frac\{\d+\}\{\d+\}"), "a mixed number, or a product"),
    (re.compile(r"\d\.\d*\(\d+\)"), "digits that come again, or a product"),
    (re.compile(r"(?<![a-zA-Z\\])[CP](?:\(\d+,\d+\)|_\{?\d+\}?\^)"), "a point, or what is counted"),
)
"""What a parser of mathematics must not be shown, and why."""
_TRIGONOMETRIC = re.compile(r"(?:sin|cos|tan|cot|sec|csc)(?![a-z])")
_ENDS_IN_A_LETTER = re.compile(r".*[\s})\]][a-zA-Z]", re.DOTALL)
_INDEX = re.compile(r"_\{[^{}]*\}")
_TAKES_INFINITY = re.compile(r"\\infty ?\]|\[-\\infty")
_DOWN = re.compile(r"(>|\\ge )")
_ABBREVIATED = re.compile(r"(-?[\d.,]*\d) ?([ghlmsLM])")
_TWO_WAYS = re.compile(r"(?<![\d.])\d+/\d+\s?(?:[a-zA-Z(]|\\(?:sqrt|pi))")
"""``1/2x``: a half of x, or one by 2x."""
_DOUBLED = re.compile(r"\[\[[^\[\]]+\]\]")
"""What some questions want an answer in: ``[[1,2]]``."""
_LETTERS = re.compile(r"\\[a-zA-Z]+|[a-zA-Z]+")
_GAMMA = re.compile(r"\\([gG])amma\s?_(?:\{(\w+)\}|(\w))")
"""A name; without an index it is a number or a function."""
_TWO_INDICES = re.compile(r"_\{(9[89])\}_(?:\{(\w+)\}|(\w))")
_NUMBERS = re.compile(r"-?\d+(?:[,;]-?[\d.]+)+")
"""``1,22``, ``32;349``."""


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
    raw = one, other
    texts = _ascending(_respelled(one)), _ascending(_respelled(other))
    if not all(texts):
        return Outcome(None, "an empty answer")
    if texts[0] == texts[1]:
        return Outcome(True, "text")
    if any(map(_ELLIPSIS.search, texts)):
        return Outcome(None, "dots that stand for more")
    if any(map(_OTHER_LOCALE.fullmatch, texts)):
        return Outcome(None, "a list, or one number")
    if any(map(_TIGHT_FRACTION.search, raw)):
        return Outcome(None, "a fraction of which digits?")
    if f"{texts[0]}!" == texts[1] or f"{texts[1]}!" == texts[0]:
        return Outcome(None, "an exclamation mark, or a factorial")
    if any(text[0] in "-~!" and is_words(text[1:]) for text in texts):
        return Outcome(None, "a sign before a word")
    for doubled, single in (texts, texts[::-1]):
        if _DOUBLED.fullmatch(doubled) and not wrapped(single):
            return quick(doubled[2:-2], single)
    if (chosen := _choices(raw, *texts)) is not None:
        return chosen
    if (told := compare_counted(*texts)) is not None:
        return told
    numbers = read_number(texts[0]), read_number(texts[1])
    if numbers[0] and numbers[1]:
        equal = same_quantity(numbers[0], numbers[1])
        if equal is False and is_rounded(numbers[0], numbers[1]):
            return Outcome(False, "rounded")
        return Outcome(equal, "number" if equal is not None else "units that do not compare")
    if (told := _of_other_kinds(*texts) or _abbreviated(texts, numbers)) is not None:
        return told
    if (points := _points(*texts)) is not None:
        return points if isinstance(points, Outcome) else quick(*points)
    ours, theirs = map(named, texts)
    if ours != theirs and (_out_of_order(ours) or _out_of_order(theirs)):
        return Outcome(None, "values in an order of their own")
    called = names(texts[0]), names(texts[1])
    if min(map(len, called)) > 1 and set(called[0]) != set(called[1]):
        return Outcome(None, "one value of other names")
    if ours and theirs and ours[0] == theirs[0]:
        return quick(ours[1], theirs[1])
    if ours and not theirs and "=" not in texts[1]:
        return quick(ours[1], texts[1])
    if theirs and not ours and "=" not in texts[0]:
        return quick(texts[0], theirs[1])
    if (told := compare_words(texts, numbers) or _two_readings(texts, numbers)) is not None:
        return told
    if (turned := _in_radians(texts, numbers)) is not None:
        return quick(*turned)
    bare, units = zip(*map(_measured, texts), strict=True)
    if any(units):
        other_unit = not all(units) and _ENDS_IN_A_LETTER.fullmatch(texts[units.index("")])
        if other_unit or (all(units) and units[0] != units[1]):
            return Outcome(None, "units that do not compare")
        return quick(*bare)
    if any(map(_IN_THOUSANDS.search, texts)):
        return Outcome(None, "a list, or one number")
    if (parts := parts_of(*texts)) is not None:
        return parts
    if (told := _unlike(*texts)) is not None:
        return told
    if why := next((why for sign, why in _IN_TWO_WAYS if any(map(sign.search, texts))), ""):
        return Outcome(None, why)
    if any(map(_WORDY.search, texts)):
        return Outcome(None, "words that are no unit")
    accents = [_ACCENT.search(text) is None for text in texts]
    bases = _bases(texts[0]) != _bases(texts[1])
    if any(map(_DROPPED.search, texts)) or bases or accents[0] != accents[1]:
        return Outcome(None, "a notation that only one of them has")
    if _same_but_for_letters(*texts) or _same_but_for_letters(*reversed(texts)):
        return Outcome(None, "letters that may be a unit")
    if all(map(_CROSS.search, texts)):
        return Outcome(None, "a product whose order may matter")
    if any(map(_TWO_WAYS.search, texts)):
        return Outcome(None, "a fraction that can be read in two ways")
    if (letters := _letters_told_apart(*texts)) is None:
        return Outcome(None, "capitals, and small letters")
    one, other = (_POWER.sub(r"(\1\\cdot 10^{\2})", _renamed(text, letters)) for text in texts)
    return min(one, other), max(one, other)


def _respelled(answer: str) -> str:
    """An answer in one spelling, with one sign for an empty set, and a point for ``{,}``."""
    if _SPACED_LIST.search(answer):
        answer = _TIGHT_COMMA.sub("", answer)
    text = _EMPTY.sub(r"\\emptyset", _COMMA.sub(".", spelled(_SURELY_GROUPED.sub("", answer))))
    return _PART_OF_ONE.sub(lambda found: found[0].replace(",", ""), text)


def _choices(
    raw: tuple[str, str], one: str, other: str
) -> Outcome | Parts | tuple[str, str] | None:
    """Compare letters of options, of which one may have its text: ``(B) 12``.

    Args:
        raw: The texts as they are written.
    """
    if one in _LETTERED and one.upper() == other.upper():
        return Outcome(True, "choice")
    first, second = _choice(raw[0], one), _choice(raw[1], other)
    if (first and _SEVERAL.match(raw[0])) or (second and _SEVERAL.match(raw[1])):
        return Outcome(None, "several choices")
    if first and second:
        said = first[1] and second[1] and _outcome(quick(first[1], second[1]))
        if first[0] != second[0]:
            surely = not (first[1] and second[1]) or (said and said.equal is False)
            return Outcome(False if surely else None, "choice")
        alike = not (first[1] and second[1]) or (said and said.equal)
        return Outcome(True if alike else None, "choice")
    for found, against in ((first, other), (second, one)):
        if found and against in _LETTERED:
            unclear = found[0] != against.upper() == found[1].upper()
            return Outcome(None if unclear else found[0] == against.upper(), "choice")
        if found and found[1]:
            return quick(found[1], against)
        if found and read_number(against):
            return Outcome(None, "only one of them names a choice")
    for text, against in ((one, other), (other, one)):
        label = _LABEL.fullmatch(text)
        if label and (said := _outcome(quick(label[3], against))) and said.equal:
            return Outcome(None, "a choice, or a product")
    return None


def _choice(raw: str, text: str) -> tuple[str, str] | None:
    """The letter of an option, or a name (``x: 5``), as a capital, and its text; None for a product
    (``(a)(a+1)``), a ratio (``A:2``), or several options.

    Args:
        raw: The text as it is written.
    """
    if len(text) == 1 and text.isupper():
        return text, ""
    label = _LABEL.fullmatch(text)
    if label is None or _NEXT_LABEL.match(label[3]):
        return None
    said = label[3]
    if label[2] != ":" and label[1].upper() > "J":
        return None
    plain = ":" not in label[2] and said[:1] not in ("+", "-")
    plain = plain and (not said or is_words(said) or read_number(said) is not None)
    return (label[1].upper(), said) if plain or _SET_OFF.search(raw) else None


def _ascending(text: str) -> str:
    """``1<x<2`` for ``2>x>1``."""
    parts = _DOWN.split(text, maxsplit=3)
    if len(parts) != 5 or "<" in text or "\\le" in text:
        return text
    most, first, middle, second, least = parts
    turn = {">": "<", "\\ge ": "\\le "}
    return f"{least}{turn[second]}{middle}{turn[first]}{most}"


def _out_of_order(value: tuple[str, str] | None) -> bool:
    """Whether an equation names values in another order than that of their letters: ``(y,x)``."""
    names = value[0].strip("()").split(",") if value and value[0].startswith("(") else []
    return names != sorted(names, key=lambda name: (name.startswith("\\"), name))


def _abbreviated(texts: tuple[str, str], numbers: Sequence[Number | None]) -> Outcome | None:
    """Compare ``10s`` with ``10 seconds``: a letter that the other's unit begins with."""
    for text, number in zip(texts, reversed(numbers), strict=True):
        short = _ABBREVIATED.fullmatch(text) if number else None
        if number and short and number.unit:
            if singular(short[2].lower()) == number.unit:
                return _outcome(quick(short[1], str(number.value)))
            return Outcome(None, "letters that may be a unit")
    return None


def _outcome(found: Outcome | Parts | tuple[str, str]) -> Outcome | None:
    """What was decided at once."""
    return found if isinstance(found, Outcome) else None


def _of_other_kinds(one: str, other: str) -> Outcome | None:
    """What can be said of a set or a list of one thing beside something else, and of an interval
    beside a list; that a set has ``5`` alone is what ``x=5`` says."""
    (kind, inner), (its_kind, its_inner) = alone(one), alone(other)
    listed = len(split(f"({one})")) > 1 or len(split(f"({other})")) > 1
    if kind != its_kind and not listed:
        value = named(other if kind else one)
        if value and len(value[0]) == 1 and "\\{" in kind + its_kind:
            inner, its_inner = (inner, value[1]) if kind else (value[1], its_inner)
            return Outcome(True, "text") if inner == its_inner else None
        found = _outcome(quick(inner, its_inner))
        if found and found.equal is False:
            return found
        return Outcome(None, "a set or a list, and what may be in it")
    for text, against in ((one, other), (other, one)):
        compared = wrapped(against) or COMPARES.search(against) or "\\cup" in against
        if is_range(text) and not compared and len(split(against)) > 1:
            return Outcome(None, "an interval, and a list")
    return None


def _in_radians(texts: tuple[str, str], numbers: Sequence[Number | None]) -> list[str] | None:
    """Both angles in radians, where one of them is in degrees and the other has a pi."""
    turned = list(texts)
    for place, number in enumerate(numbers):
        if number and number.unit == "degree" and "\\pi" in texts[1 - place]:
            top, bottom = abs(number.value).as_integer_ratio()
            sign = "-" if number.value < 0 else ""
            turned[place] = f"{sign}\\frac{{{top}\\pi}}{{{180 * bottom}}}"
            return turned
    return None


def _points(one: str, other: str) -> tuple[str, str] | Outcome | None:
    """The coordinates of two points, of which one has its name: ``P(1,2)`` and ``(1,2)``."""
    for text, against in ((one, other), (other, one)):
        if _POINT.match(text) and wrapped(text[1:]) and len(split(text[1:])) > 1:
            if wrapped(against) and _counts(text):
                return Outcome(None, "a point, or what is counted")
            return (text[1:], against) if wrapped(against) else None
    return None


def _counts(text: str) -> bool:
    """Whether a text may be a number of choices or a distribution, and no point: ``C(5,2)``,
    ``N(0,1)``; of no choices is ``P(1,2)``."""
    found = _NO_POINT.fullmatch(text)
    least, most = found and read_number(found[1]), found and read_number(found[2])
    drawn = least and most and least.value < most.value and text[0] in "CP"
    return found is not None and not drawn


def _unlike(one: str, other: str) -> Outcome | None:
    """Why a parser of mathematics must not compare two answers; None where it may."""
    names = [found[0] for found in (named(one), named(other)) if found]
    if len(names) == 2 and "'" in names[0] + names[1]:
        return Outcome(None, "a derivative that only one of them has")
    for natural, common in ((one, other), (other, one)):
        if _LN.search(natural) and not _LN.search(common) and _LOG.search(common):
            return Outcome(None, "a logarithm whose base is not said")
    for vector, listed in ((one, other), (other, one)):
        if _COMPONENTS.search(vector) and len(split(vector)) == 1 < len(split(listed)):
            return Outcome(None, "components, and a vector")
    one, other = (_INDEX.sub("", text) for text in (one, other))
    equations = [any(map(relates, split(text))) for text in (one, other)]
    if any(equations) and not ("=" in one and "=" in other):
        return Outcome(None, "an equation, and a value")
    if any(part.count("=") > 1 for part in (*split(one), *split(other))):
        return Outcome(None, "several equations, of which a parser reads the last")
    if bool(_TAKES_INFINITY.search(one)) != bool(_TAKES_INFINITY.search(other)):
        return Outcome(None, "an interval that takes an end without end")
    for matrix, listed in ((one, other), (other, one)):
        if "matrix}" in matrix and "matrix}" not in listed and len(split(listed)) > 1:
            return Outcome(None, "a matrix, and a list")
    return None


def _same_but_for_letters(text: str, bare: str) -> bool:
    """Whether a text says the same as another but for letters at its end that may be a unit."""
    other = read_number(bare)
    for found in _UNIT.finditer(text, max(0, len(text) - _MAX_UNIT)):
        said, unit = text[: found.start()], text[found.end() :]
        one = read_number(said)
        if (_MAY_BE_UNIT if found[0] else _SYMBOL).fullmatch(unit) and (
            (one and other and one.value == other.value) or (found[0] and said == bare)
        ):
            return True
    return False


def _letters_told_apart(one: str, other: str) -> set[str] | None:
    """The capitals that two texts have beside their small letters; None where a letter is large in
    one of them and small in the other, which may mean the same or not."""
    mine, theirs = (
        {letter for word in _LETTERS.findall(text) if word[0] != "\\" for letter in word}
        for text in (one, other)
    )
    if {letter.swapcase() for letter in mine - theirs} & (theirs - mine):
        return None
    greek = {word for text in (one, other) for word in _LETTERS.findall(text) if word[0] == "\\"}
    if any(f"\\{word[1].lower()}{word[2:]}" in greek for word in greek if word[1].isupper()):
        return None
    every = mine | theirs
    return {letter for letter in every if letter.isupper() and letter.lower() in every}


def _renamed(text: str, capitals: set[str]) -> str:
    """A text whose capitals no parser takes for small letters, and no I for the root of -1: it
    would lose its power and its index."""

    def renamed(found: re.Match[str]) -> str:
        if found[0][0] == "\\":
            return found[0]
        return "".join(
            f"{one.lower()}_{{99}}" if one in capitals else "q_{98}" if one == "I" else one
            for one in found[0]
        )

    text = _GAMMA.sub(r"q_{97\1\2\3}", text)
    told = _LETTERS.sub(renamed, text) if capitals or "I" in text else text
    return _TWO_INDICES.sub(r"_{\1\2\3}", told)


def _bases(text: str) -> set[str]:
    """The bases in which numbers are written: ``101_2``."""
    return set(_BASE.findall(text))


def _two_readings(texts: tuple[str, str], numbers: Sequence[Number | None]) -> Outcome | None:
    """``1,5`` is two numbers or a decimal, ``32, 349`` two numbers or a large one: where one of the
    readings is the other answer, nobody can tell; nor for an angle beside ``\\arctan 1``."""
    for text, number in zip(texts, reversed(numbers), strict=True):
        if number and number.unit == "degree" and _ARC.search(text):
            return Outcome(None, "degrees, or radians")
        if number and _NUMBERS.fullmatch(text):
            readings = [read_number(re.sub("[,;]", mark, text)) for mark in (".", "")]
            if any(one and one.value == number.value for one in readings):
                return Outcome(None, "a list, or one number")
    return None


def _measured(text: str) -> tuple[str, str]:
    """An expression and its unit (``12\\pi cm^2``); the text alone where it names none, or the
    unit is an angle's of which there is a sine. A letter alone may be a variable."""
    if _TRIGONOMETRIC.search(text):
        return text, ""
    for found in _UNIT.finditer(text, max(0, len(text) - _MAX_UNIT)):
        if unit := unit_of(text[found.end() :]):
            return text[: found.start()], unit
    return text, ""
