"""Operations in words, and with their signs.

``the sum of 3 and 4``    ``(3 + 4)``
``take 3 from 7``         ``(7 - 3)``
``3 times 4``             ``3 * 4``
"""

from __future__ import annotations

import re

NUMBER = r"\(?-?\d+(?:\.\d+)?(?:/\d+)?\)?"
"""A number or a fraction, perhaps in brackets."""
Rewrite = tuple[re.Pattern[str], str]
"""A pattern, and what stands for what it finds."""


def in_front(value: str = f"({NUMBER})") -> list[Rewrite]:
    """Operations whose words stand in front of both numbers.

    Args:
        value: An expression for a number, which is its one group.
    """
    return [
        (re.compile(rf"\b(?:the )?(?:{words}) {value},? {joint} {value}"), signed)
        for words, joint, signed in (
            ("sum of|adding|add", "(?:and|to|with)", r"(\1 + \2)"),
            ("subtracting|subtract|taking|take", "(?:away )?from", r"(\2 - \1)"),
            ("difference (?:of|between)", "and", r"(\1 - \2)"),
            ("product of|multiplying|multiply", "(?:and|by|with|times)", r"(\1 * \2)"),
            ("quotient of|dividing|divide", "(?:and|by)", r"(\1 / \2)"),
        )
    ]


def between(article: str = "") -> list[Rewrite]:
    """Operations whose words stand between their numbers.

    Args:
        article: An expression for what may stand in front of the second number.
    """
    return [
        (re.compile(rf"(?<=[\d)]) (?:{words}) {article}(?=[-(\d])"), f" {sign} ")
        for words, sign in (
            ("plus|added to", "+"),
            ("minus", "-"),
            ("times|multiplied by", "*"),
            ("divided by|over", "/"),
        )
    ]


_MOST = 20
"""The largest exponent and factorial that is written out."""
_BASE = r"(?<![\d.)^])(\d+(?:\.\d+)?|\(-?\d+(?:\.\d+)?(?:\s*[-+*/]\s*\d+(?:\.\d+)?)*\))"
_POWERS = (
    re.compile(rf"{_BASE}\s?\^\s?\{{?(\d{{1,2}})\}}?(?![\d.^])"),
    re.compile(rf"(?i){_BASE} (?:raised )?to the power (?:of )?(\d{{1,2}})(?![\d.])"),
)
_SQUARED = re.compile(rf"(?i){_BASE} squared\b")
_CUBED = re.compile(rf"(?i){_BASE} cubed\b")
_FACTORIAL = re.compile(r"(?<![\d.])(\d{1,2})!(?=\s*[-+*/×÷·)}=])")
_PERCENT_OF = re.compile(r"(?i)(\d+(?:\.\d+)?)(?:\s?\\?%| percent) of (?=[\d(])")
_PERCENT = re.compile(r"(?i)(\d+(?:\.\d+)?)(?:\s?\\?%| percent\b)")


def written_out(text: str) -> str:
    """Powers, percentages and factorials, with ``*`` and ``/``.

    ``2^3 - 1``     ``(2 * 2 * 2) - 1``
    ``15% of 80``   ``(15 / 100) * 80``
    ``4! / 3``      ``(4 * 3 * 2 * 1) / 3``

    Args:
        text: In a plain spelling; large powers in it are left as they are.
    """
    for pattern in _POWERS if "^" in text or "power" in text else ():
        text = pattern.sub(lambda one: _times(one[1], int(one[2])) or one[0], text)
    text = _SQUARED.sub(lambda one: _times(one[1], 2), text)
    text = _CUBED.sub(lambda one: _times(one[1], 3), text)
    return _PERCENT.sub(r"(\1 / 100)", _PERCENT_OF.sub(r"(\1 / 100) * ", factorials(text)))


def factorials(text: str) -> str:
    """Factorials as products, where something follows that shows that ``!`` is no lively end."""
    return _FACTORIAL.sub(_product, text)


def _times(base: str, exponent: int) -> str:
    """A number multiplied by itself; empty for one that is not written out."""
    return f"({' * '.join([base] * exponent)})" if 0 < exponent <= _MOST else ""


def _product(found: re.Match[str]) -> str:
    most = int(found[1])
    if not 0 < most <= _MOST:
        return found[0]
    return f"({' * '.join(str(one) for one in range(most, 0, -1))})"
