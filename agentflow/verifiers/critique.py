"""What a critic reads and writes: a solution in numbered steps; the first wrong one, and why."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agentflow.monitors.schedule import whole_words

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


@dataclass(frozen=True, slots=True)
class Critique:
    """What one reply says (paper 002, section 3.1: ``V_out = (F, idx_pred)``).

    Attributes:
        index: 0-based index of the first wrong step, -1 for none; None for a malformed reply.
        feedback: What the reply says in front of it.
    """

    index: int | None
    feedback: str = ""


def segment(text: str, words: Sequence[str]) -> list[str]:
    """A reasoning trace as steps: it is cut in front of every hesitation (paper 002, section 3.1).

    The steps joined are the text. A step that would hold nothing but the hesitation (``Wait,`` in
    front of ``let me verify``) begins the next one.

    Args:
        words: What a hesitation begins with, whatever its case.
    """
    if not text:
        return []
    starts = [0]
    for found in re.finditer(whole_words(words), text, re.IGNORECASE) if words else ():
        said = text[starts[-1] : found.start()]
        if re.search(r"\w", re.sub(whole_words(words), "", said, flags=re.IGNORECASE)):
            starts.append(found.start())
    return [text[a:b] for a, b in zip(starts, [*starts[1:], len(text)], strict=True)]


def joined(steps: Sequence[str]) -> str:
    """Steps as one text: those that were cut from one are that text, others are lines of it."""
    text = ""
    for step in steps:
        apart = text[-1:].isspace() or step[:1].isspace() or not text
        text += step if apart else f"\n{step}"
    return text


def numbered(steps: Sequence[str]) -> str:
    """The steps as a critic reads them, counted from 0."""
    return "\n".join(f"<step_{n}>\n{step.strip()}\n</step_{n}>" for n, step in enumerate(steps))


def parse(reply: str, steps: int) -> Critique:
    """What a critic's reply says.

    The last box counts. A reply without one, with an index that no step has, with two that it
    offers to choose from, or that takes back what it boxed, is malformed.

    Args:
        steps: How many there are.
    """
    boxes = list(_OPEN_BOX.finditer(reply))
    feedback = reply[: boxes[-1].start()] if boxes else reply
    found = _BOXED.match(reply, boxes[-1].start()) if boxes else None
    index = int(found[1].replace("−", "-").replace(" ", "")) if found else None
    if index is not None and not -1 <= index < steps:
        index = None
    if found and (_TAKES_BACK.search(reply, found.end()) or _CHOICE.search(feedback)):
        index = None
    return Critique(index, feedback.strip()[-_MAX_FEEDBACK:])
