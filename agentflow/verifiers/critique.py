"""What a critic writes: the first wrong step of a solution, and why."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agentflow.domains.answers.doubt import is_doubted

_MAX_FEEDBACK = 4000
_BOXED = re.compile(
    r"\\boxed\s*\{\s*(?:\\text\s*\{)?\s*(?:step[\s_]*)?([-−]?\s*\d{1,6})\s*\}", re.IGNORECASE
)
_TAKES_BACK = re.compile(
    r"\b(?:wait|actually|hmm+|sorry|correction|scratch that|on second thought|if|or|unless)\b",
    re.IGNORECASE,
)
_CHOICE = re.compile(
    r"\\boxed\s*\{[^{}]{0,40}(?:\{[^{}]{0,40}\})?\}[\s$,;/*]*(?:(?:or|and)[\s$*]*)?\Z",
    re.IGNORECASE,
)
_OPEN_BOX = re.compile(r"\\boxed\s*\{")
_END = re.compile(r"(?<=[.!?])\s|\n\s*\n")
"""Where a sentence ends."""
_LONGEST = 400
"""Characters of a sentence that leads to a box."""
_SIGNS = re.compile(r"(?:[\s.,;:!$*()\[\]}\\`\"'_~#-]|</?\w{1,20}>|<\|\w{1,40}\|>)*")


@dataclass(frozen=True, slots=True)
class Critique:
    """What one reply says (Solve-Detect-Verify, section 3.1: ``V_out = (F, idx_pred)``).

    Attributes:
        index: 0-based index of the first wrong step, -1 for none; None for a malformed reply.
        feedback: What the reply says in front of it.
    """

    index: int | None
    feedback: str = ""


def says_no_more(reply: str, at: int) -> bool:
    """Whether behind an offset stand only signs: more words could take back what is said there."""
    return _SIGNS.fullmatch(reply, at) is not None


def leads(reply: str, at: int) -> bool:
    """Whether the sentence in front of a box lets it be said: ``so the answer is``, not ``I cannot
    say`` or ``if all were right, I would write``."""
    sentence = _END.split(reply[max(0, at - _LONGEST) : at])[-1]
    return not is_doubted(" ".join([*sentence.split(), ""]), "")


def parse(reply: str, steps: int, *, whole: bool = True) -> Critique:
    """What a critic's reply says.

    The last box counts. A reply without one, with an index that no step has, with two that it
    offers to choose from, or that takes back what it boxed, is malformed. So is one that finds no
    step wrong where its sentence denies or doubts that, where it goes on, or was cut off.

    Args:
        steps: How many there are.
        whole: Whether the reply came to its end.
    """
    boxes = list(_OPEN_BOX.finditer(reply))
    feedback = reply[: boxes[-1].start()] if boxes else reply
    found = _BOXED.match(reply, boxes[-1].start()) if boxes else None
    index = int(found[1].replace("−", "-").replace(" ", "")) if found else None
    if index is not None and not -1 <= index < steps:
        index = None
    if found and (_TAKES_BACK.search(reply, found.end()) or _CHOICE.search(feedback)):
        index = None
    if found and index == -1 and not (whole and says_no_more(reply, found.end())):
        index = None
    if found and index == -1 and not leads(reply, found.start()):
        index = None
    return Critique(index, feedback.strip()[-_MAX_FEEDBACK:])
