"""What the words of a judge say beside the flag or the score that it ends with.

    {"reason": "Step 2 is wrong, so the solution is incorrect.", "correct": true}

Such a reply says two things, and neither counts. Read are whole clauses of the kind *subject, is,
(not,) right or wrong*; what a reason says otherwise is not held against the decision.
"""

from __future__ import annotations

import re

_CLAUSE = re.compile(
    r"([.;!?\n])|,? (?:and )?(?:so|hence|thus|therefore|which means)\b|, (?:but|and|yet|while)\b"
)
_SAYS = re.compile(
    r"\W*(?:(?:overall|finally|in conclusion|so|hence|thus|therefore|that|but|and)\b,? )?"
    r"(?:(?:the|this|its|that) )?(?:(?:whole|final|given|proposed|last) )?"
    r"(?:solution|answer|result|step|statement|conclusion|reasoning|it|this|(?P<part>step \d{1,3}))"
    r" (?:is|was|does)(?P<no> not|n['’]t)?"
    r"(?: (?:clearly|indeed|also|fully|entirely|completely|plainly|logically|therefore)){0,2}"
    r" (?:(?P<right>correct|right|valid|sound|follow)|wrong|incorrect|invalid|flawed)\b"
)
_BEARS = re.compile(
    r"\W*(?:(?:the|this|its) )?(?:first version|second version|version|answer|what was found"
    r"|sources?|results?|pages?|hits?|it|this)"
    r"(?P<no> (?:does|do|did)(?: not|n['’]t))?(?: \w+ly)?"
    r" (?:(?P<out>supports?|confirms?|bears? (?:it|this|the \w+) out|agrees? with)"
    r"|contradicts?|refutes?|disagrees? with)\b"
)
_PREFERS = re.compile(
    r"\W*(?:(?:overall|therefore),? )?(?:the )?(?:solution )?(?P<one>1|2|first|second)"
    r"(?: one| solution)? is (?:clearly |therefore )?(?:the )?(?:better|best|sounder)\b"
)


def stance(reason: str) -> bool | None:
    """Whether a reason calls what is judged right, by the last clause that does so or calls it
    wrong; None where none does. One step that is right does not make the whole right."""
    found = _last(_SAYS, reason)
    right = _affirmed(found, "right")
    return None if right and found and found["part"] else right


def bearing(reason: str) -> bool | None:
    """Whether by a reason one text bears another out, or speaks against it; None where it says
    neither."""
    return _affirmed(_last(_BEARS, reason), "out")


def preferred(reason: str) -> int | None:
    """Which of two, 1 or 2, a reason calls the better one; None where it calls none so."""
    found = _last(_PREFERS, reason)
    return None if found is None else 1 if found["one"] in ("1", "first") else 2


def agreeing(said: object, decided: object) -> None:
    """See that a reason does not say something else than the decision behind it; None is neither.

    Raises:
        ValueError: If it does.
    """
    if None not in (said, decided) and said != decided:
        raise ValueError("the reason and the decision contradict each other")


def _last(says: re.Pattern[str], reason: str) -> re.Match[str] | None:
    """The last clause of a kind."""
    parts = _CLAUSE.split(reason.lower())
    clauses = zip(parts[::2], [*parts[1::2], None], strict=True)  # each with what ends it
    found = [said for one, mark in clauses if mark != "?" and (said := says.match(one))]
    return found[-1] if found else None


def _affirmed(found: re.Match[str] | None, group: str) -> bool | None:
    return None if found is None else (found[group] is not None) != (found["no"] is not None)
