"""Whether what stands beside an answer of Game of 24 goes with it.

    3 * 8 = 24 is my final answer.      another solution
    24 cannot be reached.               a denial
    For the numbers 4, 7, 8, 9:         another puzzle
    (7 - 2) * 4 = 20                    numbers that come from nowhere

Above an answer only the last line counts: further up stands what was tried.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import partial

from agentflow.domains import answers, arithmetic
from agentflow.domains.game24 import reading
from agentflow.domains.spelling import lowered

_CLAIMS = re.compile(r"\b(?:(?:the|my|our|a|final|correct) (?:answer|solution)|answer is)\b")
_BOLD = re.compile(r"\s*\*\*[^*]+(?:\*[^*]+)*\*\*[\s.!]*")
_RUN = re.compile(r"[-+*/(\d][-+*/().\d \t]*=[-+*/().\d \t=]*\d[)\s]*")
_DENIES = re.compile(
    r"\b(?:is|are|does|do|can|could|would)(?: not|n['’]t)\b[^.;]*\b24\b|\bcannot\b[^.;]*\b24\b"
    r"|\b24 (?:cannot|can['’]t|can not|is (?:not|impossible|out of reach))\b"
    r"|\buses? (?:the |an? )?\d+ (?:\w+ )?(?:twice|times|again)\b"
    r"|\b(?:no|without an?) (?:solution|way)\b|\bimpossible\b|\bunsolvable\b"
)
_TARGET = re.compile(
    r"\b(?:target|goal|aim)(?: number| value)? is (?:to (?:\w+ )?)?(?P<n>\d+)\b"
    r"|\b(?:want|need|have|asked|trying) to (?:get|reach|make|obtain) (?P<m>\d+)\b"
)
_LIST = re.compile(
    r"\b(?:numbers?|digits|puzzle|given|from|using|with)\b:?\s+"
    r"(?P<list>\d+(?:(?:,? and |, ?| )\d+){3,})(?![\d./]|\s*[-+*/=])"
)
_FRACTION = re.compile(r"(?<![\d./*^])(\d{1,9}) ?/ ?(\d{1,9})(?![\d./])")
_SENTENCE = re.compile(r"(?<=[.!?:])\s+")


def contradicts(text: str, answer: str) -> bool:
    """Whether what stands right above an answer, or behind it, does not go with it.

    Args:
        text: The text that states the answer.
        answer: The answer, in plain signs.
    """
    expression = reading.solution(answer)
    if expression is None:
        return False
    before, behind = _around(text, answer)
    own = sorted(arithmetic.numbers(expression))
    known = {*_values(expression)}
    above = _last(before)
    sums = [one for line in (*above, *behind) for one in reading.sums(reading.plain(line))]
    if not all(right for _, right in sums):
        return True
    bold = [line for line in above if _BOLD.fullmatch(line)]
    if not _follow([*bold, *behind], known):
        return True
    if above and _is_another(above[0], own):
        return True
    if above and _DENIES.search(lowered(reading.plain(above[0]))):
        return True
    for line in (*above, *behind):
        for said in _SENTENCE.split(reading.plain(line)):
            if _claims_another(said, own) or _of_another(lowered(said), own):
                return True
    return False


def _around(text: str, answer: str) -> tuple[list[str], list[str]]:
    """The lines above that of an answer, and those behind."""
    lines = text.split("\n")
    stated = answers.statements(text)
    marked = [one for one in stated if reading.stated(reading.plain(one.text)) == answer]
    if marked:
        at = text.count("\n", 0, marked[-1].start)
        end = text.count("\n", 0, marked[-1].end)
        return lines[:at], lines[end + 1 :]
    holds = (place for place, line in enumerate(lines) if answer in reading.plain(line))
    at = max(holds, default=len(lines) - 1)
    return lines[:at], lines[at + 1 :]


def _last(lines: list[str]) -> list[str]:
    """The last line that has words or numbers in it, if any."""
    return next(([line] for line in reversed(lines) if re.search(r"\w", line)), [])


def _values(expression: arithmetic.Expression) -> Iterator[Fraction | None]:
    """The values of an expression and of its parts."""
    yield arithmetic.value(expression)
    if isinstance(expression, tuple):
        for part in expression[1:]:
            yield from _values(part)


def _follow(lines: Iterable[str], known: set[Fraction | None]) -> bool:
    """Whether all numbers of lines that are nothing but equations come from an answer, its parts,
    or earlier equations."""
    for line in lines:
        for sum_, _ in reading.sums(reading.plain(line)):
            for side in sum_.split("="):
                read = arithmetic.parse(side)
                single = arithmetic.parse(_FRACTION.sub(partial(_known_as_one, known), side))
                if read is None or single is None:
                    return False
                if not known.union([Fraction(0)]).issuperset(arithmetic.numbers(single)):
                    return False
                known |= {*_values(read)}
    return True


def _known_as_one(known: set[Fraction | None], found: re.Match[str]) -> str:
    """Nothing in the place of a fraction that is a known number: ``8 / (1/3)``."""
    bottom = int(found[2])
    return "0" if bottom and Fraction(int(found[1]), bottom) in known else found[0]


def _is_another(line: str, own: list[Fraction]) -> bool:
    """Whether a line is an expression of other numbers."""
    read = reading.solution(reading.stated(reading.plain(line)))
    numbers = sorted(arithmetic.numbers(read)) if read is not None and "=" not in line else own
    return len(numbers) > 2 and numbers != own


def _claims_another(sentence: str, own: list[Fraction]) -> bool:
    """Whether a sentence calls an equation of other numbers the answer."""
    if not _CLAIMS.search(lowered(sentence)):
        return False
    for run in _RUN.finditer(sentence):
        sides = [arithmetic.parse(side.strip(" .")) for side in run[0].split("=")]
        read = [sorted(arithmetic.numbers(side)) for side in sides if side is not None]
        if read and own not in read:
            return True
    return False


def _of_another(low: str, own: list[Fraction]) -> bool:
    """Whether a sentence speaks of another target than 24, or of other numbers."""
    if any((one["n"] or one["m"]) != "24" for one in _TARGET.finditer(low)):
        return True
    listed = (re.findall(r"\d+", one["list"]) for one in _LIST.finditer(low))
    return any(sorted(map(Fraction, numbers)) != own for numbers in listed)
