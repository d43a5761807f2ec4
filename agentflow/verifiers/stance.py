"""What the words of a judge say beside the flag or the score that it ends with.

    {"reason": "Step 2 is wrong, so the solution is incorrect.", "correct": true}

Such a reply says two things, and neither counts. Read are whole clauses of the kind *subject, is,
(not,) right or wrong*; what a reason says otherwise is not held against the decision.
"""

from __future__ import annotations

import re

_CLAUSE = re.compile(r"([.;!?\n])|,? (?:and )?(?:so|hence|thus|therefore|which means)\b")
_SAYS = re.compile(
    r"\W*(?:(?:overall|finally|in conclusion|that|but|and)\b,? )?"
    r"(?:(?:the|this|its|that) )?(?:(?:whole|final|given|proposed|last) )?"
    r"(?:solution|answer|result|step|statement|conclusion|reasoning|it|this|step \d{1,3})"
    r" (?:is|was|does)(?P<no> not|n['’]t)?"
    r"(?: (?:clearly|indeed|also|fully|entirely|completely|plainly|logically|therefore)){0,2}"
    r" (?:(?P<right>correct|right|valid|sound|follow)|wrong|incorrect|invalid|flawed)\b",
    re.IGNORECASE,
)


def stance(reason: str) -> bool | None:
    """Whether a reason calls what is judged right, by the last clause that does so or calls it
    wrong; None where none does."""
    parts = _CLAUSE.split(reason)
    clauses = zip(parts[::2], [*parts[1::2], None], strict=True)  # each with what ends it
    found = [said for one, mark in clauses if mark != "?" and (said := _SAYS.match(one))]
    if not found:
        return None
    return (found[-1]["right"] is not None) != (found[-1]["no"] is not None)


def agreeing(reason: str, right: bool) -> None:
    """See that a reason does not say the opposite of the decision behind it.

    Raises:
        ValueError: If it does.
    """
    if stance(reason) is (not right):
        raise ValueError("the reason and the decision contradict each other")
