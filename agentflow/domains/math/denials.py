"""A yes or a no that stands alone below a sentence which affirms, or denies, what is asked.

    Is 51 a prime number?    Since 51 = 3 * 17, it is not a prime number.    No
                             Therefore, 51 is a prime number.                No    says two things

Only the question tells what the sentence denies; so the answer carries it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentflow.domains import restated
from agentflow.domains.answers import above, conclusions
from agentflow.domains.sentence_ends import SENTENCE_END

DENIES = "denies: "
"""What marks, among the grounds of an answer, a sentence that has to deny what is asked."""
BELOW = "below: "
"""What marks one that may not say the opposite."""
_ALONE = re.compile(r"(?mi)^(?:[^\w\n]|_)*(?P<said>yes|no)(?:[^\w\n]|_)*$")
_ASKED = re.compile(r"[^.?!\n]*\?")
_MAX_ASKED = 2_000
_SUPPOSES = re.compile(
    r"(?i)\b(?:if|unless|suppos\w*|assum\w*|would|could|might|may|perhaps|or)\b|\?"
)


def ends_in(text: str) -> str | None:
    """The ``No`` that a text ends in below a denial, with that; None for any other text."""
    alone, sentence = _last(text)
    if alone is None or alone["said"].lower() != "no" or not sentence:
        return None
    return conclusions.grounded(alone["said"], [f"{DENIES}{sentence}"])


def told(text: str, answer: str) -> Iterator[str]:
    """The sentence above a yes or a no that ends a text."""
    alone, sentence = _last(text)
    if alone and sentence and alone["said"].lower() == answer.lower():
        yield f"{BELOW}{sentence}"


def goes_with(question: str, ground: str, answer: str) -> bool:
    """Whether the sentence above a yes or a no is what :data:`DENIES`, or :data:`BELOW`, wants."""
    mark, _, sentence = ground.partition(": ")
    if f"{mark}: " == DENIES:
        return _says(question, sentence) == "no"
    return _says(question, sentence) in (None, answer.lower())


def _last(text: str) -> tuple[re.Match[str] | None, str]:
    """The yes or no that ends a text, which has no other one that stands alone, and the sentence
    above it."""
    text = text.rstrip()
    alone = list(_ALONE.finditer(text))
    if len(alone) != 1 or alone[0].end() < len(text):
        return None, ""
    line = above(text[: alone[0].start()]).rstrip("*_ .")
    return alone[0], SENTENCE_END.split(line)[-1].replace(";", ",")


def _says(question: str, sentence: str) -> str | None:
    """The yes or no that a sentence comes to by its last clause, which says the question again."""
    asked = _ASKED.findall(question[-_MAX_ASKED:])
    if len(asked) != 1 or _SUPPOSES.search(sentence):
        return None
    clause = re.sub(r"(?i)\A(?:so|thus|therefore|hence) ", "", sentence.split(", ")[-1])
    both = (restated.affirmed(asked[0].strip(), f"{one}, {clause}") for one in ("Yes", "No"))
    return next(filter(None, both), None)
