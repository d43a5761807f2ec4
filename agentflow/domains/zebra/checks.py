"""What may stand behind a grid: a check of it, whose sentences are known to hold or not."""

from __future__ import annotations

import re

from agentflow.domains.zebra.claims import Relation, sentence
from agentflow.domains.zebra.grid import MAX_LINE
from agentflow.domains.zebra.puzzle import Puzzle, plain
from agentflow.domains.zebra.surroundings import beside, promises, undecorated

_HEADING = re.compile(
    r"(?i)[\s#*_]*(?:(?:verification|verify(?:ing)?|check(?:ing)?)"
    r"(?: (?:of|this|the|all|it|our|each|every|clues?|solution|answer|grid|against|with))*"
    r"|(?:let us|let's|let me) (?:quickly |now )?(?:verify|check)"
    r"(?: (?:this|the|all|it|our|clues?|solution|answer|grid|against))*)[\s:.*_]*"
)
_NUMBER = re.compile(r"(?i)^[\s>*•+-]*(?:\d{1,2}[.)]\s+)?(?:\**clue \d{1,2}\**: *\**)?")
_CLUE = re.compile(
    r"(?i)[\s>*•+-]*(?:\d{1,2}[.)]\s+)?[*_]*clue \d{1,2}[*_:.\s-]*(?:ok|holds)?[\s.]*"
)
"""A clue that is only ticked off."""
_TICK = re.compile("[✓✔✅☑]")
_IN_HOUSE = re.compile(r"(?i) \((?:house |in house )?(\d{1,2})\)")
_HAS = re.compile(
    r" (?:drinks|eats|enjoys|has|keeps|likes|loves|owns|prefers|smokes) (?:an? |the )?", re.I
)
_HOLDS = re.compile(r"(?i)(?<![-:( ])[-:( ]{1,4}(?:correct|holds|satisfied|true)\)?$")
_ARROW = re.compile(r" ?(?:→|⇒|=>|->) ?")
_AND_NOT = re.compile(r"(?i)(?P<told>.+),(?: and)? not (?:in )?(?:house )?(?P<house>\d{1,2})")
"""``Eric is in house 4, not 2``"""
_BETWEEN = re.compile(
    r"(?i)(?P<both>.{1,80}? and .{1,80}) have"
    r" (?:exactly )?(?P<count>\w+) houses? (?:in )?between(?: them)?"
)
_HAS_IN = re.compile(r"(?i)(?P<who>\w+) \((?P<value>[^(),]+), (?:in )?house (?P<house>\d{1,2})\)")
"""``April (Alice, house 3)``"""
_COUNTED = re.compile(r"(?i)\A(?:exactly )?(\w+) houses? between ")
_SOMEWHERE = re.compile(r"(?i) is (?:to the )?(left|right) of ")
_EDGE = " \t*_."


def without(puzzle: Puzzle, text: str) -> tuple[str, list[Relation]] | None:
    """A text without the check that it ends in, and what that check says of the puzzle; None where
    it ends in none."""
    lines, said, checked = text.split("\n"), list[Relation](), False
    while lines and len(lines[-1]) <= MAX_LINE:
        line = undecorated(plain(lines[-1]))
        ticked = bool(_TICK.search(lines[-1]) and _CLUE.fullmatch(line))
        checked = checked or ticked
        if not (_HEADING.fullmatch(line) or ticked or _passing(line)):
            claim = _NUMBER.sub("", line, count=1).rstrip(_EDGE)
            claim = _HOLDS.sub("", claim).rstrip(_EDGE)
            claims = [one for part in _ARROW.split(claim) for one in _claims(puzzle, part)]
            found = [one for one in claims if one is not None]
            if len(found) < len(claims):
                break
            said += found
        lines.pop()
    return ("\n".join(lines), said) if checked or said else None


def _claims(puzzle: Puzzle, claim: str) -> list[Relation | None]:
    """What one sentence says, with where it says in brackets, or behind a ``not``, things are."""
    told, denied = _HAS_IN.sub(r"\g<who> (\g<house>)", claim), list[Relation | None]()
    denied += [
        sentence(puzzle, f"{one['value']} is in house {one['house']}")
        for one in _HAS_IN.finditer(claim)
    ]
    if found := _AND_NOT.fullmatch(told):
        told = found["told"]
        who = told.partition(" is ")[0]
        denied.append(sentence(puzzle, f"{who} is not in house {found['house']}"))
    return [_said(puzzle, _IN_HOUSE.sub("", told)), *_in_houses(puzzle, told), *denied]


def _said(puzzle: Puzzle, claim: str) -> Relation | None:
    if between := _BETWEEN.fullmatch(claim):
        claim = f"there are {between['count']} houses between {between['both']}"
    claim = _COUNTED.sub(r"there are \1 houses between ", claim, count=1)
    claim = _SOMEWHERE.sub(r" is somewhere to the \1 of ", claim, count=1)
    return sentence(puzzle, claim) or sentence(puzzle, _HAS.sub(" is ", claim, count=1))


def _in_houses(puzzle: Puzzle, claim: str) -> list[Relation | None]:
    """What is said in brackets of the houses of values: ``Ann (house 1) is left of Ben (2)``."""
    found = list[Relation | None]()
    for at in _IN_HOUSE.finditer(claim):
        words = claim[: at.start()].split()
        phrases = (" ".join(words[-count:]) for count in range(min(4, len(words)), 0, -1))
        told = (sentence(puzzle, f"{one} is in house {at[1]}") for one in phrases)
        found.append(next(filter(None, told), None))
    return found


def _passing(line: str) -> bool:
    """Whether a line only says that all is well; one that announces something does not."""
    return beside(line) and not promises(line) and not line.rstrip(" *_").endswith(":")
