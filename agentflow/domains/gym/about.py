"""What the readers of sentences know: the question, the answer, and what came out so far."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from agentflow.domains import arithmetic
from agentflow.domains.spelling import NUMBERS, plain

NUMBER = re.compile(r"(?<![\w.:])-?\d+(?:\.\d+)?(?!\w|:\d|\.\d)")
COUNT = rf"(?:\d+|{'|'.join(NUMBERS)})"
"""A count, in digits or as a word of small letters."""
_RAISED, _LOWERED = "⁰¹²³⁴⁵⁶⁷⁸⁹", "₀₁₂₃₄₅₆₇₈₉"
_SIGNS = tuple(
    (re.compile(pattern), sign)
    for pattern, sign in (
        (r"\b0[xX][\da-fA-F]+\b", lambda run: str(int(run[0], 16))),
        (f"[{_RAISED}]+", lambda run: "^" + plain(run[0])),
        (f"[{_LOWERED}]+", lambda run: "_" + plain(run[0])),
        (r"\\(?:text|mathrm|textbf|boxed|operatorname)\s*\{([^{}]*)\}", r" \1 "),
        (r"\\[pb]mod\b", " mod "),
        (r"\\approx\b", "≈"),
        (r"\\equiv\b", "≡"),
        (r"\\(?:implies|to|rightarrow|Rightarrow|mapsto)\b|=>", "->"),
        (r"\^\s*\\circ|\^\{\\circ\}|°", ""),
        (r"\\(?:quad|qquad|\(|\)|\[|\])", " "),
        (r"(?<=\d)\{,\}(?=\d{3})|(?<=\d),(?=\d{3}(?!\d))", ""),
        (r"(?<=\d)\*\*(?=\d)", "^"),
        (r"\*\*|__", ""),
        (r"==", "="),
        (r"\\(?=[a-z])", ""),
    )
)


def spelt(text: str) -> str:
    """A text with its formulas in plain signs: ``2^3 * 7``, ``350_8``."""
    for pattern, sign in _SIGNS[:3]:
        text = pattern.sub(sign, text)
    text = arithmetic.plain(plain(text.replace("·", "*")))
    for pattern, sign in _SIGNS[3:]:
        text = pattern.sub(sign, text)
    return text


def numbers_in(text: str) -> list[Fraction]:
    """The numbers that stand in a text, in its order."""
    return [Fraction(one) for one in NUMBER.findall(text)]


@dataclass(slots=True)
class About:
    """What is known where a sentence is read.

    Attributes:
        task: The task's name.
        question: As it is asked, in plain signs.
        said: The answer.
        known: The numbers of both, and those that were worked out.
    """

    task: str
    question: str
    said: str
    known: set[Fraction] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.question = spelt(self.question)
        self.learn(numbers_in(self.question) + numbers_in(spelt(self.said)))
        self.learn(re.findall(r"\d+/[1-9]\d*|\d+(?:\.\d+)?", self.question))
        self.learn(re.findall(r"\d+", self.question))
        self.learn(() if self.value is None else (self.value,))

    @property
    def value(self) -> Fraction | None:
        """The number that the answer is, or comes to."""
        read = arithmetic.parse(arithmetic.plain(self.said.strip()))
        return None if read is None else arithmetic.value(read)

    @property
    def asked(self) -> list[Fraction]:
        """The numbers that the question is about: those behind its last colon, or of its last
        formula."""
        question = re.sub(r"\([^()]*[a-z]{3}[^()]*\)", "", self.question)
        behind = question.rpartition(":")[2]
        return numbers_in(behind) or numbers_in(question.replace("/", " "))

    def learn(self, numbers: Iterable[Fraction | int | str]) -> None:
        """Take numbers as known."""
        self.known |= {Fraction(one) for one in numbers}
