"""What the words of a judge say beside the flag or the score that it ends with.

    {"reason": "Step 2 is wrong, so the solution is incorrect.", "correct": true}

Such a reply says two things, and neither counts. Read are whole clauses of the kind *subject, is,
(not,) right or wrong*; what a reason says otherwise is not held against the decision.
"""

from __future__ import annotations

import re
from typing import Literal

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
_FAULT = re.compile(
    r"\W*(?:(?:but|and|so|overall|finally),? )?there (?:is|are|was|were)"
    r" (?:an?|one|some|several) (?:\w+ )?(?:errors?|mistakes?|faults?|flaws?)\b"
    r"|\W*(?:(?:the|this) )?(?:calculation|sum|arithmetic|claim) (?:is|was) (?:wrong|incorrect)\b"
    r"|\W*(?:it|this|(?:the|this) (?:step|statement|claim)) (?:cannot|can['’]t) be"
    r" (?:derived|concluded|inferred)\b"
)
"""Other clauses that find a fault."""
_BEARS = re.compile(
    r"\W*(?:nothing|(?:(?P<none>no|none of the|neither) )?(?:(?:the|this|its|these|both|two) )?"
    r"(?:(?:first|second|third|last|other) )?(?:versions?|answers?|statements?|what was found"
    r"|sources?|results?|pages?|hits?|texts?|search(?:es)?|two|it|this|they|both))"
    r"(?P<no> (?:does|do|did|is|are|was)(?: not|n['’]t))?(?: \w+ly)? (?:"
    r"(?P<out>supports?|confirms?|bears? (?:it|this|the \w+) out|agrees?(?: with)?|match(?:es)?"
    r"|are (?:the same|equal)|says? the same)"
    r"|(?P<against>contradicts?|refutes?|disagrees?(?: with)?|differs?|(?:is|are) different"
    r"|says? (?:the opposite|otherwise))"
    r"|(?P<tells>(?:was |were )?found|tells?|speaks?|says? (?:so|anything)|mentions?"
    r"|(?:is |are )?conclusive)|(?P<silent>fails|failed|says? nothing"
    r"|(?:is |are )?(?:about something else|inconclusive|unrelated)))\b"
)
_ONE = r"(?:the )?(?:solution |number )?(?P<{}>\d{{1,4}}|first|second)(?: one| solution)?"
_KEEP = r"(?:prefer|choose|keep|pick|select|take)"
_BEST = r"(?:better|best|sounder|soundest|clearer|clearest|stronger|most consistent)"
_PREFERS = re.compile(
    r"\W*(?:(?:overall|therefore|thus|so|hence|clearly|only|but|and|while|whereas|although),? )*(?:"
    + _ONE.format("one")
    + r" (?:(?:is|was|should be|has to be)(?P<no> not|n['’]t)?(?: \w+ly| the| therefore){0,2} (?:"
    + _BEST
    + r"|kept|chosen|to be kept|preferable|(?P<worse>worse|weaker|worst|less \w+)"
    r"|(?P<right>right|correct|valid|sound)|(?P<wrong>wrong|incorrect|invalid|flawed))"
    r"|wins|agrees with (?:most|the most|the majority)"
    r"|(?P<loses>loses|stands alone|disagrees with (?:most|all|the))"
    r"|(?P<errs>fails|(?:makes|has|contains) an? (?:\w+ )?(?:error|mistake|fault)))\b"
    rf"|(?:(?:i|we) )?{_KEEP} " + _ONE.format("kept") + r"\b"
    rf"|(?:the|my) (?:choice|{_BEST}(?: solution| one)?) is " + _ONE.format("best") + r"\b"
    r"|(?P<nobody>neither(?: of them| solution)? is (?:the )?better"
    r"|i (?:cannot|can['’]t) (?:tell|say|decide)))"
)
_BETWEEN = re.compile(r"(,) (?=(?:the )?(?:solution|first|second|whereas)\b)")
_PLACES = {"first": 1, "second": 2}


def stance(reason: str) -> bool | None:
    """Whether a reason calls what is judged right, by the last clause that does so or calls it
    wrong; None where none does. One step that is right does not make the whole right."""
    found = _last(_SAYS, reason)
    if found and found.re is _FAULT:
        return False
    right = _affirmed(found, "right")
    return None if right and found and found["part"] else right


def bearing(reason: str) -> bool | Literal["silent"] | None:
    """Whether by a reason one text bears another out, or speaks against it, or tells nothing of it;
    None where it says none of these."""
    found = _last(_BEARS, reason)
    if found is None:
        return None
    none = found["none"] or found[0].lstrip().startswith("nothing")
    denied = bool(none) or found["no"] is not None
    if found["out"]:
        return not denied
    if found["against"]:
        return None if none else denied
    return "silent" if bool(found["silent"]) != denied else None


def speaks_for(reason: str, number: int, *, alone: bool = False) -> bool:
    """Whether a reason goes with the choice of one of several solutions. By its last clause that
    compares it must be that one; where none does, none that is called wrong, or beside which
    another is called right, may be chosen.

    Args:
        number: Of the chosen solution, from 1.
        alone: Whether only what compares counts, as where the right one is not sought.
    """
    right, wrong, better = set[int](), set[int](), True
    for said in _all(_PREFERS, _BETWEEN.sub("; ", reason.lower())):
        if said["nobody"]:
            better = False
            continue
        named = said["one"] or said["kept"] or said["best"]
        one = _PLACES.get(named) or int(named)
        if said["right"] or said["wrong"] or said["errs"]:
            good = bool(said["right"]) != bool(said["no"])
            (right if good else wrong).add(one)
            (wrong if good else right).discard(one)
            continue
        for_it = bool(said["worse"] or said["loses"]) == bool(said["no"])
        better = for_it == (one == number)
        if better:
            right, wrong = set(), set()
    if alone or not better:
        return better
    return not (wrong == {number} or (right and number not in right))


def agreeing(said: object, decided: object) -> None:
    """See that a reason does not say something else than the decision behind it; None is neither.

    Raises:
        ValueError: If it does.
    """
    if None not in (said, decided) and said != decided:
        raise ValueError("the reason and the decision contradict each other")


def _last(says: re.Pattern[str], reason: str) -> re.Match[str] | None:
    """The last clause of a kind."""
    return next(reversed(_all(says, reason.lower())), None)


def _all(says: re.Pattern[str], reason: str) -> list[re.Match[str]]:
    """The clauses of a kind; of right and wrong also those that find a fault."""
    parts = _CLAUSE.split(reason)
    clauses = zip(parts[::2], [*parts[1::2], None], strict=True)  # each with what ends it
    read = [one for one, mark in clauses if mark != "?"]
    found = (says.match(one) or (_FAULT.match(one) if says is _SAYS else None) for one in read)
    return [one for one in found if one]


def _affirmed(found: re.Match[str] | None, group: str) -> bool | None:
    return None if found is None else (found[group] is not None) != (found["no"] is not None)
