"""What may stand behind a grid: a check of it, whose sentences are known to hold or not."""

from __future__ import annotations

import re

from agentflow.domains.zebra.claims import Relation, sentence
from agentflow.domains.zebra.grid import MAX_LINE
from agentflow.domains.zebra.puzzle import Puzzle, plain
from agentflow.domains.zebra.surroundings import beside, promises, undecorated

_HEADING = re.compile(
    r"(?i)[\s#*_]*(?:verification|(?:let us|let's) (?:quickly |now )?(?:verify|check)"
    r"(?: (?:this|the|all|it|our|clues?|solution|answer|grid|against))*)[\s:.*_]*"
)
_NUMBER = re.compile(r"(?i)^[\s>*•+-]*(?:\d{1,2}[.)]\s+)?(?:\**clue \d{1,2}\**: *\**)?")
_HAS = re.compile(
    r" (?:drinks|eats|enjoys|has|keeps|likes|loves|owns|prefers|smokes) (?:an? |the )?", re.I
)
_HOLDS = re.compile(r"(?i)(?<![-:( ])[-:( ]{1,4}(?:correct|holds|satisfied|true)\)?$")
_EDGE = " \t*_."


def without(puzzle: Puzzle, text: str) -> tuple[str, list[Relation]]:
    """A text without the check that it ends in, and what that check says of the puzzle."""
    lines, said = text.split("\n"), list[Relation]()
    while lines and len(lines[-1]) <= MAX_LINE:
        line = undecorated(plain(lines[-1]))
        if not (_HEADING.fullmatch(line) or _passing(line)):
            claim = _NUMBER.sub("", line, count=1).rstrip(_EDGE)
            claim = _HOLDS.sub("", claim).rstrip(_EDGE)
            relation = sentence(puzzle, claim) or sentence(puzzle, _HAS.sub(" is ", claim, count=1))
            if relation is None:
                break
            said.append(relation)
        lines.pop()
    return "\n".join(lines), said


def _passing(line: str) -> bool:
    """Whether a line only says that all is well; one that announces something does not."""
    return beside(line) and not promises(line) and not line.rstrip(" *_").endswith(":")
