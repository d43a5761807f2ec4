"""What a reply says that the map leaves open, which has to be so.

Mill could be east or west of Pier
Whether Mill is east or west of Pier cannot be determined
Its east-west position is not determined
How far north it is, is open
"""

from __future__ import annotations

import re

from agentflow.domains.spatialmap.canonical import consists_of, halves, opposite, ways
from agentflow.domains.spatialmap.claims import N, number
from agentflow.domains.spatialmap.context import Context
from agentflow.domains.spatialmap.layout import Claim, lined_up
from agentflow.domains.spatialmap.placing import Told, who_of
from agentflow.domains.spelling import word_set

_UNKNOWN = re.compile(
    r"\b(?:open|unknown|unclear|uncertain|undetermined|unspecified|ambiguous|could|may|might"
    r"|not (?:fully |uniquely |exactly )?(?:determined|known|given|clear|specified|stated|fixed"
    r"|certain|decided|know|tell|determine|say|decide|infer|state|specify|fix)"
    r"|(?:cannot|can't) (?:know|tell|determine|say|decide|infer))\b"
)
_POSITION = re.compile(r"\b(?:position|direction|location|relation|placement|where|how)\b")
_WORDS = word_set("""
    it its this the is are be been remains remain stays left whether if or and still also but either
    of from to in on further exact precise position direction location relation placement order
    relative compared with by map text we one i us does do how far which 's
""")


def read(text: str, now: Context) -> Told:
    """The claims of a clause in canonical spelling; None where it leaves nothing open."""
    found = _UNKNOWN.search(text)
    if found is None or not consists_of(_UNKNOWN.sub(" ", text, count=1), _WORDS, ",-/'"):
        return None
    names, said = [number(one) for one in re.findall(N, text)], ways(text)
    who = (
        names[:1] if names and not re.search(r"\b(?:it|its|this)\b.*[\ue000-\uefff]", text) else []
    )
    of = names[len(who) :]
    subjects = tuple(who) or who_of("it", now)
    if len(subjects) != 1 or len(of) > 1:
        return None
    last = now.claims[-1] if now.claims else None
    spoken = last.of if last and now.spoken and last.objects == subjects else now.asked["of"]
    (beside,) = of or (spoken,)
    apart = len(said) == 2 and opposite(said[0]) == said[1]
    several = len(said) < 2 or apart or text.count(" or ") == len(said) - 1
    placed = bool(said) or (_POSITION.search(text) and " and " not in text)
    if beside in subjects or not several or not placed:
        return None
    return _either(said, subjects[0], beside) if said else [Claim("open", "", beside, subjects)]


def _either(said: list[str], who: int, of: int) -> list[Claim]:
    """That each of two directions is open, and what they have in common is not."""
    shared = set(halves(said[0])) if len(said) > 1 and not lined_up(said[0]) else set[str]()
    for way in said[1:]:
        shared &= set(halves(way)) if not lined_up(way) else set()
    return [
        *(Claim("further", way, of, (who,)) for way in sorted(shared)),
        *(Claim("open", way, of, (who,)) for way in said),
    ]
