"""What the readers of sentences know: the question, the answer, and what came out so far."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial

from agentflow.domains import arithmetic
from agentflow.domains.spelling import NUMBERS, plain

NUMBER = re.compile(r"(?<![\w.:])-?\d+(?:\.\d+)?(?![\w:]|\.\d)")
COUNT = rf"(?:\d+|{'|'.join(NUMBERS)})"
"""A count, in digits or as a word; in small letters."""
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_FRACTION = re.compile(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_SIGNS = (
    (re.compile(r"\\(?:text|mathrm|textbf|boxed|operatorname)\s*\{([^{}]*)\}"), r" \1 "),
    (re.compile(r"\\(gcd|lcm|pi|min|max)\b"), r"\1"),
    (re.compile(r"\\(?:times|cdot|ast)(?![a-zA-Z])"), "*"),
    (re.compile(r"\\div(?![a-zA-Z])"), "/"),
    (re.compile(r"\\(?:p|b)mod\b"), " mod "),
    (re.compile(r"\\(?:approx)\b"), "≈"),
    (re.compile(r"\\(?:equiv)\b"), "≡"),
    (re.compile(r"\\(?:implies|to|rightarrow|Rightarrow|mapsto)\b"), "->"),
    (re.compile(r"\^\s*\\circ|\^\{\\circ\}|°"), ""),
    (re.compile(r"\\(?:left|right|quad|qquad|,|;|!|\s|\(|\)|\[|\])"), " "),
    (re.compile(r"(?<=\d)\{,\}(?=\d{3})|(?<=\d),(?=\d{3}(?![\d]))"), ""),
    (re.compile(r"(?<!\d)\*\*|\*\*(?!\d)|[$`]|__"), ""),
    (re.compile(r"=>"), "->"),
    (re.compile(r"=="), "="),
    (re.compile(r"(?<=[\d)\s])[x×·⋅∗](?=[\d(\s])"), "*"),
    (re.compile(r"(?<=\d)\*\*(?=\d)"), "^"),
)


def _ascii(mark: str, table: dict[int, int], run: re.Match[str]) -> str:
    return mark + run[0].translate(table)


def spelt(text: str) -> str:
    """A text with its formulas in plain signs: ``2^3 * 7``, ``350_8``."""
    for signs, mark, table in (
        ("⁰¹²³⁴⁵⁶⁷⁸⁹", "^", _SUPERSCRIPTS),
        ("₀₁₂₃₄₅₆₇₈₉", "_", _SUBSCRIPTS),
    ):
        text = re.sub(f"[{signs}]+", partial(_ascii, mark, table), text)
    text = plain(text.replace("×", "*").replace("·", "*").replace("÷", "/"))
    for _ in range(2):
        text = _FRACTION.sub(r"((\1)/(\2))", text)
    for pattern, sign in _SIGNS:
        text = pattern.sub(sign, text)
    return text


def fraction(said: str) -> Fraction | None:
    """The number of digits or of a word; None for another text."""
    if said.lower() in NUMBERS:
        return Fraction(NUMBERS[said.lower()])
    try:
        return Fraction(said.replace(",", ""))
    except (ValueError, ZeroDivisionError):
        return None


def counted(said: str) -> int:
    """The number that :data:`COUNT` reads."""
    return NUMBERS[said] if said in NUMBERS else int(said)


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
        last: What was worked out last.
    """

    task: str
    question: str
    said: str
    known: set[Fraction] = field(default_factory=set)
    last: Fraction | None = None

    def __post_init__(self) -> None:
        self.question = spelt(self.question)
        self.learn(numbers_in(self.question))
        self.learn(Fraction(one) for one in re.findall(r"\d+(?:\.\d+)?", self.question))
        self.learn(Fraction(one) for one in re.findall(r"\d+/[1-9]\d*", self.question))
        value = self.value
        self.learn(() if value is None else (value,))
        self.learn(numbers_in(spelt(self.said)))

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

    def learn(self, numbers: Iterable[Fraction]) -> None:
        """Take numbers as known."""
        self.known |= {*numbers}
