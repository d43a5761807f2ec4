"""Remarks beside the claims: on options by their letters, totals, and the sentences of the map.

so A and B are out                      where neither is the answer
that makes two objects                  where that is the answer
the fourth sentence says ...            is looked up
the other statements are not needed
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from agentflow.domains.spatialmap import wording
from agentflow.domains.spatialmap.claims import NAMES, WHO
from agentflow.domains.spatialmap.context import Context
from agentflow.domains.spatialmap.layout import Claim
from agentflow.domains.spatialmap.problem import stated
from agentflow.domains.spelling import ORDINALS

IN_MAP = re.compile(rf"{WHO} is (?:in|on) the map", re.I)
TOTAL = re.compile(
    r"(?i)(?:so |thus |hence |therefore )?(?=.* in (?:total|all)$|(?:there|we|that|count|total"
    r"|tally|final|the"
    r"|this|it|which|giving"
    r"|making|in|for|a)\b)(?:(?:there (?:is|are)|we (?:have|find|get|count)"
    r"|(?:that|this|it|which)(?: is|'s)?(?: (?:makes|gives|leaves|yields))?(?: (?:us"
    r"|me))?(?: with)?"
    r"|(?:giving|leaving)(?: us)?(?: with)?|making|in total,?|altogether,?"
    r"|(?:the )?(?:final )?(?:total|count|number|tally)(?: count)?(?: of objects)? ?(?:is|=|:)"
    r"|for a total of|a total of) )*(?:only |just |exactly )?"
    rf"(?P<k>{wording.COUNT})(?: (?:(?:such|matching|qualifying) )?(?:objects?|ones?|places?"
    r"|match(?:es)?))?(?: in total| in all| altogether)?(?: that (?:qualify|match|fit|count))?"
    rf"(?:(?:: ?| ?\(|, (?:namely )?)(?P<names>{NAMES.pattern})\)?)?"
)
"""How many objects there are that are asked for."""
STATED = re.compile(r"(?:statement|sentence)s? #?\d+(?= ?(?::|says|states|tells us|$))")
"""A sentence of the map that is said to follow, by its number in whatever list."""
ANY = -1
"""Any sentence of the map."""
ORDINAL = re.compile(
    rf"(?:the )?(?:(?P<k>\d{{1,2}})(?:st|nd|rd|th)|(?P<word>{'|'.join(ORDINALS)}))"
    r"(?: of the (?:map's )?(?:sentences|statements|facts|relations|relationships|lines)"
    r"| (?:sentence|statement|fact|relation|relationship|line)(?: (?:of|in"
    r"|on) the (?:map|text|list|description))?)"
)
"""The number of a sentence that is given behind it."""
_VERDICT = re.compile(
    r"(?:(?:that|this|which) (?:rules out|eliminates"
    r"|excludes) )?(?P<letters>(?:(?:options?|choices?|and|,) ?|[A-J]\b ?)+)"
    r"(?:(?:is|are|can be|must be|would be)(?: thus| therefore"
    r"| also)? )?(?:(?P<yes>right|correct|the (?:right|correct) (?:one|option|answer|choice)|it)"
    r"|(?P<no>out|wrong|incorrect|eliminated|ruled out|excluded|not (?:it|correct|right)))?"
)
THE_ONE = re.compile(
    r"(?:this|that|which) is (?:just |exactly |precisely )?(?:the (?:one|statement"
    r"|relation|fact|sentence"
    r"|relationship|direction|object)|what) (?:that |which )?(?:we|i|is|was|you|the question)"
    r" ?(?:need|want|look(?:ing)? for|are looking for|asked(?: for| about)?"
    r"|asks(?: for| about)?)(?: here)?"
)
SETTLES = re.compile(
    r",? (?:(?:which|and that|and this|that|and) )?(?:(?:directly|already|immediately|exactly) )?"
    r"(?:(?:answers|settles|resolves|addresses) (?:the|our|this) question"
    r"|(?:gives|provides) (?:us )?(?:the|our) answer|is (?:exactly |just |precisely )?(?:what|the"
    r" (?:direction|relation|object|one))(?: that| which)? (?:we|is|was|you|the question)"
    r" ?(?:need|want|looking for|are looking for|asked(?: for)?|asks(?: for)?)"
    r"|fits?|matches|qualifies)(?: (?:directly|immediately|exactly|perfectly))*$"
)
"""What says that it is the answer which was just said."""
NO_LINE = re.compile(r"(?i)the map puts no two objects in line")
"""What every map supposes: its directions are strict."""


def cited(data: dict[str, Any], number: int) -> list[Claim]:
    """What the sentence of a number says; the first object may have a sentence, too."""
    relations = data["relations"]
    kept = relations if number == ANY else relations[max(0, number - 2) : number]
    return [Claim("in", way, b, (a,)) for a, way, b in kept]


def ruled(data: dict[str, Any], piece: str, form: str) -> list[Claim] | None:
    """What is said of options by their letters: ``so A and B are out``"""
    found = _VERDICT.fullmatch(piece)
    if found is None or not (found["yes"] or found["no"]):
        return None
    said = [data["letters"].get(one) for one in re.findall(r"\b[A-J]\b", found["letters"])]
    if not said or None in said or any((one == form) != bool(found["yes"]) for one in said):
        return None
    others = [one for one in said if one != form and data["asked"]["kind"] == "object"]
    return [replace(stated(data, one), kind="out") for one in others if one]


def is_asked(data: dict[str, Any], form: str, now: Context) -> bool:
    """Whether what was claimed last is the answer."""
    return bool(now.claims) and now.claims[-1] == stated(data, form)


def counted(text: str, form: str) -> str:
    """The names of the objects that a clause counts, and nothing else: ``2 objects: A, B``."""
    found = re.fullmatch(
        rf"(?:(?:so |there (?:are|is) )*(?P<k>{wording.COUNT})(?: objects?)?(?:,? namely)?:? ?\(?"
        r"|(?:these|they|the objects?) (?:are|is):? "
        r"|(?:so |then |here |thus )?(?:we|i) (?:can )?(?:find|have|get|see|identify"
        r"|found)(?: only| just)?:? )?"
        rf"(?P<names>{NAMES.pattern})\)?",
        text,
        re.I,
    )
    if found is None or (found["k"] and str(wording.count_of(found["k"])) != form):
        return ""
    return str(found["names"])
