r"""What stands behind the answer of a reply and only the question can judge.

    \boxed{20}  It takes **20 minutes** to fill the tank.          the question, said again
    She sent 135.  Check: 25 + 0.10 × 135 = 38.50, as billed.      a check: it ends in what is given
    15 gallons.  She gets 180 / 6 = 30 a gallon, and 450 / 30 = 15.    the work behind its answer

Such a text is cut off, and carried as a ground. It bears the answer out if it says what is asked
for, and the same of it; or if its calculations hold, all its numbers are given, worked out or come
from two that are, and it ends as it has to.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from fractions import Fraction

from agentflow.domains import narration
from agentflow.domains.answers.doubt import SECOND_THOUGHTS, TAKEN_BACK, rejected
from agentflow.domains.answers.remark_sums import adds_up
from agentflow.domains.answers.remark_words import DOUBTFUL, OF_ITS_AUTHOR
from agentflow.domains.math import endings
from agentflow.domains.math.math_words import OF_MATHEMATICS
from agentflow.domains.sentence_ends import sentence_end
from agentflow.domains.spelling import NUMBERS, lowered, plain, stem, word_set

MARKS = AGAIN, CHECK, WORK, HOW = "again: ", "check: ", "work: ", "how: "
"""What marks, among the grounds of an answer, a text behind it."""
_MOST, _MAX = 2, 1_200
_SENTENCE = sentence_end()
_CHECKS = re.compile(
    r"(?im)^[ \t*_#>✅✓✔-]*(?:(?:let['’]?s|let us|we can|to|i['’]ll) )?(?:quick(?:ly)? )?"
    r"(?:double-?)?(?:check|verif(?:y|ication)|sanity check)\b"
)
_WORDS = word_set("""
    check checking verify verification verified sanity double quick match matches matching exactly
    correct works holds given original satisfies satisfied leaves leaving gives makes minus plus
    times divided per each total altogether in all out he she her his him they their
""")
"""Words of a calculation that holds, besides those of its question."""
_WORD = re.compile(r"[^\W\d_]+")
_FORMULA = re.compile(r"\\[a-z]+")
_SAYS = re.compile(r"[^\W_]")
_VALUE = re.compile(
    r"[\W_]*-?\\?\$?-?\d[\d,]*(?:\.\d+)?(?:/\d+)?(?:\s?\\?%)?(?: [a-z]+(?:/[a-z]+)?){0,3}"
    r"[\s*.!$\\)]*"
)
"""A value with a unit, and nothing else."""
_LETS = re.compile(r"(?i)\bif (?:[a-z']+ ){1,4}(?:is|=) [a-z],? (?:then )?")
"""What gives a number a letter: ``If Luis is x, then``"""
_EXPLAINED = re.compile(
    r"\{\s*\"(?:final_)?answer\"\s*:\s*(?:\"[^\"{}\n]{1,60}\"|[-\d.,]+|\[[-\d., ]+\])"
    r"(?P<behind>\s*,\s*\"(?:reasoning|explanation|reason|rationale|justification|work|steps)\"\s*:"
    r"\s*(?P<reasons>\"(?:[^\"\\]|\\.)*\")\s*\})[\s`]*\Z",
    re.DOTALL,
)
"""An answer with its reasons behind it, in an object."""
_OF_ANOTHER = re.compile(
    r"\b(?:above|below|field|key|value (?:given|stated|here)|other answers?|another answer)\b|\?"
)
_FINAL = re.compile(r"\b(?:the|our) final (?:answer|result)\b")
_LAST = re.compile(r"\b(?:so|thus|therefore|hence|finally|final|result\w*)\b")
_LETTERED = re.compile(r"\*\*[A-J]\.\Z")
"""The letter of an option, whose stop ends no sentence."""
_RESERVES = re.compile(
    r"\b(?:no|not|but|if|or|only|just|except|nearly|almost|hardly|about|least|most|more than"
    r"|less than|unless|without|assume\w*|accident\w*|luck\w*|coinciden\w*|should|would|\w+n['’]t"
    r"|cannot|another|other|else|earlier|previous\w*|answer)\b|\?|[<>≤≥≠]"
)
"""What a text has that may make less of an answer."""


def ends_in_check(text: str) -> bool:
    """Whether the last sentence of a text checks its answer."""
    last = _SENTENCE.split(text.rstrip(" \n✓✔✅"))[-1]
    return _CHECKS.match(last) is not None


def begins_with_answer(text: str) -> bool:
    """Whether a text begins with a value on a line of its own."""
    first, _, rest = text.strip().partition("\n")
    return bool(rest.strip()) and len(rest) <= _MAX and _VALUE.fullmatch(first) is not None


def _takes_back(behind: str) -> bool:
    odd = "<|" in behind or TAKEN_BACK.search(behind) or SECOND_THOUGHTS.search(behind)
    return bool(odd)


def cut(text: str) -> Iterator[tuple[str, str]]:
    """(a text up to its answer, what stands behind, with its mark), in every way that is read."""
    text = text.rstrip()
    if len(text) > 8 * _MAX:
        return
    if explained := _EXPLAINED.search(text):
        try:
            told = json.loads(f"[{explained['reasons']}]", strict=False)
        except (ValueError, RecursionError):
            told = []
        if len(told) == 1:
            yield f"{text[: explained.start('behind')]}}}", f"{HOW}{told[0]}"
    if begins_with_answer(text):
        first, _, rest = text.strip().partition("\n")
        yield f"Answer: {first.strip()}", f"{WORK}{rest}"
    if checks := list(_CHECKS.finditer(text)):
        start = checks[-1].start()
        if _SAYS.search(text[:start]) and len(text) - start <= _MAX:
            yield text[:start], f"{CHECK}{text[start:]}"
    parted = (one for one in _SENTENCE.finditer(text) if not _LETTERED.search(text, 0, one.start()))
    ends = [0, *(one.end() for one in parted)]
    for start in reversed(ends[-_MOST:]):
        if start and _SAYS.search(text[start:]) and not _takes_back(text[start:]):
            yield text[:start], f"{AGAIN}{text[start:]}"


def ground(marked: str) -> str:
    """A text as a ground of an answer."""
    return " ".join(marked.replace(";", ",").split())


def tells_how(question: str, told: str, answer: Fraction) -> bool:
    """Whether reasons behind an answer only tell how it was found: each of their words claims
    nothing, is of mathematics, or stands in the question, and the last sentence with a number ends
    in the answer."""
    low = lowered(plain(told))
    known = {stem(one) for one in _WORD.findall(lowered(plain(question)))}
    words = (one for one in _WORD.findall(_FORMULA.sub(" ", low)) if len(one) > 1)
    if not all(
        one in narration.WORDS | _WORDS | OF_MATHEMATICS | NUMBERS.keys() or stem(one) in known
        for one in words
    ):
        return False
    doubts = (DOUBTFUL, TAKEN_BACK, SECOND_THOUGHTS, _OF_ANOTHER)
    if rejected(told) or any(one.search(low) for one in doubts):
        return False
    sentences = [one for one in _SENTENCE.split(low.strip()) if one]
    ends = [one for one in sentences if endings.numbers(one)]
    *_, last = sentences
    if _RESERVES.search(_FINAL.sub(" ", last)) or not all(adds_up(one) for one in sentences):
        return False
    numbered = ends and (ends[-1] is last or _LAST.search(ends[-1]))
    return not numbered or endings.numbers(ends[-1])[-1] == answer


def bears_out(
    question: str, told: str, answer: Fraction, *, to_answer: bool, unit: str = ""
) -> bool:
    """Whether a text only works something out that goes with an answer.

    Args:
        told: A check, which ends in a number of the question, or what leads to the answer.
        to_answer: Whether it has to end in the answer.
        unit: What may name the unit of the answer.
    """
    low = lowered(plain(_LETS.sub(" ", told)))
    known = {stem(one) for one in _WORD.findall(lowered(plain(question)))}
    words = _WORD.findall(_FORMULA.sub(" ", f"{low} {lowered(unit)}"))
    if not all(
        one in narration.WORDS | _WORDS | NUMBERS.keys() or stem(one) in known for one in words
    ):
        return False
    doubts = (DOUBTFUL, OF_ITS_AUTHOR, TAKEN_BACK, SECOND_THOUGHTS, _RESERVES)
    if rejected(told) or any(one.search(low) for one in doubts):
        return False
    if not all(adds_up(one) for one in _SENTENCE.split(told)):
        return False
    numbers = endings.numbers(told)
    if answer not in numbers or not endings.come_from(told, question, answer):
        return False
    return numbers[-1] == answer if to_answer else numbers[-1] in endings.numbers(question)


def lists(question: str, told: str, answer: Fraction) -> bool:
    """Whether a text lists as many numbers as an answer counts: ``They are 1, 2, 3 and 6.``"""
    listed = re.fullmatch(
        r"[\W_]*(?P<lead>[^\d]*?)(?P<numbers>\d+(?:,? (?:and )?\d+)+)[\W_]*", told
    )
    if listed is None or _RESERVES.search(low := lowered(listed["lead"])):
        return False
    known = {stem(one) for one in _WORD.findall(lowered(plain(question)))} | {
        "they",
        "are",
        "these",
    }
    numbers = set(re.findall(r"\d+", listed["numbers"]))
    words = _WORD.findall(low)
    return len(numbers) == answer and all(one in known or stem(one) in known for one in words)
