"""Operations between two numbers in words, and with their signs.

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
            ("sum of", "(?:and|with)", r"(\1 + \2)"),  # of 1 to 10: of ten numbers
            ("adding|add", "(?:and|to|with)", r"(\1 + \2)"),
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
