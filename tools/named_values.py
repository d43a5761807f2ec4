"""Equations that only give a value its name: ``x=5``, ``f(x)=5``, ``AB=BC=5``, ``2+1+2=5``.

``x+z=1`` is none of them: it says something of two numbers, and 1 is not what it comes to.
"""

from __future__ import annotations

import re

MAX_LENGTH = 1_000
"""Longer texts are no such equations."""

_GREEK = (
    r"\\(?:alpha|beta|gamma|delta|epsilon|theta|lambda|mu|nu|rho|sigma|tau|phi|varphi|omega"
    r"|Delta|Theta|Phi|Omega)(?![a-zA-Z])"
)
_LETTER = rf"(?:[a-zA-Z]|{_GREEK}\s?)(?:_(?:\w|\{{[\w, ]{{1,20}}\}}))?'{{0,3}}"
_NO_NAME = r"(?!\\?(?:arc)?(?:sin|cos|tan|cot|sec|csc|log|ln|lg|exp|sqrt|mod)\b)"
_CALLED = rf"{_NO_NAME}(?:[a-zA-Z]{{2,3}}|{_LETTER})(?:\^\{{?-1\}}?)?\([^()=+*/^-]{{1,40}}\)"
_POINTS = (
    r"(?:(?:m\s?)?\\(?:angle|triangle|overline|widehat|overarc)\s?)?\{?[A-Z](?:\s?[A-Z]){0,3}\}?"
)
_MEASURED_WORDS = """
angle answer area average cost count degree diameter difference distance expression height
hypotenuse length maximum mean median minimum mode number percentage perimeter price probability
product profit quotient radius range rate ratio remainder result slope solution speed sum time total
value volume width
"""
_WORD = rf"(?i:{'|'.join(_MEASURED_WORDS.split())})(?: of(?: \\?[a-zA-Z]+){{1,4}})?"
_ONE = rf"(?:{_CALLED}|{_POINTS}|\|{_POINTS}\||\[{_POINTS}\]|{_LETTER}|{_WORD})"
_NAME = re.compile(
    rf"\s*(?:{_ONE}|{_ONE}[:/]{_ONE}|\\frac\{{{_ONE}\}}\{{{_ONE}\}}|\({_ONE}(?:,{_ONE})+\))\s*"
)
_ONLY_LETTER = re.compile(_LETTER)
_COMMANDS = re.compile(r"\\(?:cdot|div|frac|left|pi|right|sqrt|times)(?![a-zA-Z])")
_WORKED = re.compile(r"[^a-zA-Z\\]*\d[^a-zA-Z\\]*")


def named(text: str) -> tuple[str, str] | None:
    """The name that an equation gives to a value, and the value; None for any other text.

    A calculation (``2+1+2=5``) is a name for what it comes to.

    Args:
        text: An answer in one spelling, without spaces around its signs.
    """
    if "=" not in text or len(text) > MAX_LENGTH:
        return None
    name, *sides = text.split("=")
    if not all((name, *sides)):
        return None
    while len(sides) > 1 and _NAME.fullmatch(sides[0]):  # AB=BC=5
        del sides[0]
    value = sides[-1]
    if _NAME.fullmatch(name):
        return (name.strip(), value) if len(sides) == 1 or all(map(_is_worked, sides)) else None
    if not all(map(_is_worked, (name, *sides[:-1]))):
        return None
    if _is_worked(value):
        return name, value
    return (value, name) if len(sides) == 1 and _ONLY_LETTER.fullmatch(value) else None


def names(text: str) -> list[str]:
    """The names that an equation gives to one value, each as often as it stands there: ``AB`` and
    ``BC`` of ``AB=BC=5``; none for any other text."""
    if named(text) is None:
        return []
    return [side.strip() for side in text.split("=")[:-1] if _NAME.fullmatch(side)]


def relates(text: str) -> bool:
    """Whether a text is an equation, or has one, that is no name for a value."""
    return "=" in text and named(text) is None


def _is_worked(text: str) -> bool:
    """Whether a text is a calculation with numbers."""
    return _WORKED.fullmatch(_COMMANDS.sub("", text)) is not None
