"""Answers that we judge ourselves: expressions that use given numbers once each."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from agentflow.domains import arithmetic
from agentflow.verdict import Verdict

SOURCE = "gym"


def judged(about: Mapping[str, Any], answer: str) -> Verdict:
    """Whether an expression uses all ``numbers`` once each and comes to ``target`` (24 if none);
    the target may stand behind it (``2 * 12 = 24``)."""
    target = Fraction(about.get("target", 24))
    said, equals, result = arithmetic.plain(answer).partition("=")
    if equals and _number(result) != target:
        said = answer
    expression = arithmetic.parse(said)
    if expression is None:
        return Verdict(None, f"could not read {answer[:80]!r}", "unread", source=SOURCE)
    used = sorted(arithmetic.numbers(expression))
    given = sorted(Fraction(number) for number in about["numbers"])
    if used != given and sorted(map(abs, used)) == given:  # a sign is no subtraction
        return Verdict(None, f"could not read {answer[:80]!r}", "unread", source=SOURCE)
    if used != given:
        reason = "it must use " + " ".join(map(str, about["numbers"])) + ", each once"
        return Verdict(False, reason, "wrong_numbers", source=SOURCE)
    value = arithmetic.value(expression)
    if value != target:
        reason = f"{answer[:80]} is {'undefined' if value is None else value}, not {target}"
        return Verdict(False, reason, "wrong_value", source=SOURCE)
    return Verdict(True, source=SOURCE)


def _number(text: str) -> Fraction | None:
    """The number that is the whole of a text."""
    read = arithmetic.parse(text)
    return read if isinstance(read, Fraction) else None
