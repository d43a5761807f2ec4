"""Answers in JSON objects: what else an object may say, and whether it bears its answer out."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from agentflow.domains.answers.behind import stands
from agentflow.domains.answers.doubt import TAKEN_BACK, rejected
from agentflow.domains.spelling import word_set

_ANSWERS = frozenset({"answer", "final answer"})
_BESIDE = word_set("""
    id type confidence units unit question problem
""")
_HOLDERS = word_set("final result response output")
"""What an object may call the object that holds its answer."""
_CHECKS = word_set("correct verified checked valid confirmed solved final")
"""What an object may say to be true beside its answer."""
_REASONS = word_set("""
    reasoning reason explanation rationale thought thoughts thinking steps step analysis work
    calculation calculations solution method proof justification
""")
"""What an object may hold beside its answer."""
_DECODER = json.JSONDecoder(strict=False)
_MAY_OPEN = re.compile(r"\s*(?:```(?:json)?\s*)?\{\s*\"[\w ]*answer\"\s*:", re.IGNORECASE)
_OF_TWO, _SHORT = 2, 60
"""Keys of an object of an answer and its reasons, and characters that the answer has at most."""
_SHARE = re.compile(r"(\d+(?:\.\d+)?)\s*(%?)")
_UNSURE = re.compile(r"(?i)\b(?:low|medium|moderate|uncertain|unsure|guess)\b")


class Object(NamedTuple):
    """An object that holds an answer.

    Attributes:
        end: Where it ends in the text.
        before: The reasons that stand before the answer in it.
    """

    end: int
    before: list[str]


def unpacked(text: str) -> str:
    """An object that is an answer and the reasons behind it, and nothing else, as a text in which
    the answer stands below its reasons; any other text as it is."""
    if not _MAY_OPEN.match(text):
        return text
    try:
        told = _DECODER.decode(text.strip().removeprefix("```json").strip("`\n "))
    except (ValueError, RecursionError):
        return text
    if not isinstance(told, dict) or len(told) != _OF_TWO:
        return text
    (name, answer), (beside, reasons) = told.items()
    named = _name(name) in _ANSWERS and _name(beside) in _REASONS
    short = isinstance(answer, str | int | float) and 0 < len(str(answer).strip()) <= _SHORT
    if not (named and short and isinstance(reasons, str)) or "\n" in str(answer).strip():
        return text
    return f"{reasons.strip()}\n\nThe answer is {str(answer).strip()}."


def _name(key: str) -> str:
    return re.sub(r"[\W_]+", " ", key).strip().lower()


def around(text: str, start: int, answer: str) -> Object | None:
    """The object that has the key of an answer at ``start``: it says nothing else but how the
    answer was found, and nothing against it, and stands in no list of several; else None. One that
    ends at ``start`` where it is not JSON.
    """
    end = start
    for begin in (at for at, sign in enumerate(text[:start]) if sign in "{["):
        try:
            told, length = _DECODER.raw_decode(text[begin:])
        except (ValueError, RecursionError):
            continue
        if start >= begin + length:
            continue
        end = max(end, begin + length)
        if isinstance(told, dict):
            behind = text[start : begin + length]
            bad = TAKEN_BACK.search(behind) or rejected(behind)
            before = None if bad else _reasons(told, answer)
            return None if before is None else Object(end, before)
        if len(told) > 1:
            return None
    return Object(end, [])


def _reasons(told: dict[str, Any], answer: str) -> list[str] | None:
    """The reasons in front of the answer of an object; None where it says what is not understood,
    or its reasons behind the answer do not bear it out."""
    before, found = list[str](), False
    for key, value in told.items():
        name = _name(key)
        if name in _ANSWERS:
            found = True
        elif name in _CHECKS and value is True:
            continue
        elif name in _HOLDERS and isinstance(value, dict) and not _holds_another(told, key):
            if (inner := _reasons(value, answer)) is None:
                return None
            before += inner
            found = True
        elif name == "confidence":
            if not _is_sure(value):
                return None
        elif name in _REASONS:
            said = "\n".join(map(str, value)) if isinstance(value, list) else str(value)
            if not found:
                before.append(said)
            elif not stands(f"Explanation: {said}", answer):
                return None
        elif name not in _BESIDE:
            return None
    return before


def _holds_another(told: dict[str, Any], key: str) -> bool:
    """Whether an object holds more than one object or answer."""
    return any(
        isinstance(value, dict) or _name(name) in _ANSWERS
        for name, value in told.items()
        if name != key
    )


def _is_sure(confidence: object) -> bool:
    """Whether a confidence, in numbers or words, is no low one; what a number above 1 is of, is not
    known."""
    if share := _SHARE.fullmatch(str(confidence).strip()):
        number = float(share[1])
        return number >= 50 if share[2] else number >= 0.5
    return isinstance(confidence, str) and _UNSURE.search(confidence) is None
