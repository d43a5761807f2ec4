"""What a reply says of the sentences of the map: which objects they relate, and how many.

No statement mentions both Mill and Pier      is looked up
Two statements mention Mill                   are counted
Nothing here contradicts this                 a map that contradicts itself is no problem
The other statements are not needed           claims nothing
"""

from __future__ import annotations

import re

from agentflow.domains.spatialmap.canonical import D, consists_of, forms, ways
from agentflow.domains.spatialmap.claims import N, number
from agentflow.domains.spatialmap.context import Context
from agentflow.domains.spatialmap.layout import Claim, lined_up
from agentflow.domains.spatialmap.placing import LIST, ONE, Told
from agentflow.domains.spatialmap.wording import COUNT, count_of

_RELATES = re.compile(
    r"\b(?:relat(?:es?|ed|ing|ions?(?:hips?)?)|mentions?|mentioning|mentioned|appears|named|connect(?:s|ed|ing)?"
    r"|link(?:s|ed|ing)?|compar(?:es?|ed|ing)|between|about|involv(?:es?|ing)|contain(?:s|ing)?"
    r"|concern(?:s|ing)?|relative|for)\b"
)
_STATEMENTS = forms("""
    clue comparison description entry fact information line link map mention premise relation
    relationship sentence statement text
""")
_WORDS = _STATEMENTS | forms("""
    a about all and any appears are available between both compare concern connect contain
    direct do does each exactly explicit for give given has have how in involve is it just
    known lies listed recorded stated
    link located mention mentioned named object of on one only or other place position provided
    relate relative say single state tell that the there these to together us where which with
""")
_DENIES = re.compile(r"\b(?:no|not)\b")
_MANY = re.compile(rf"\b(?:(?P<k>{COUNT})|several|multiple)\b")
_NEEDED = re.compile(
    r"(?:^no\b.*|\b(?:is|are) not )(?:needed|necessary|required|relevant|used)"
    r"(?: (?:here|at all|(?:for|to|in) (?:this|the|it)(?: (?:question|answer|problem|task"
    r"|comparison|deduction))?))*$"
    r"|\b(?:is|are) irrelevant$|\b(?:plays?|has|have) no (?:role|part|bearing|influence|effect)\b"
    r"|\b(?:do|does) not (?:matter|affect|influence|change|help|contribute|play)\b"
    r"|\b(?:we|i|you) do not need\b"
)
_MATTERS = re.compile(
    r"\b(?:matter|affect|influence|change|help|contribute|play|no \w+ (?:in|on))\b"
)
"""What is said of an object, or of the others; said of a direction, it would be a claim."""
_REST = re.compile(r"\b(?:other|others|rest|remaining)\b")
_UNNEEDED = _WORDS | forms("""
    additional affect anything at bearing change contribute effect help influence matter part
    problem question task answer used any play be calculation
    deduction for further here i inference irrelevant more necessary
    need no not plays reasoning relevant remaining required rest reversal role step this we work
    you
""")
_CONSISTENT = _STATEMENTS | forms("""
    against agreement agrees all also answer are clashes compatible conflict consistent
    contradict else everything fits fully given here in is it matches no none nothing of on
    other our part perfectly remains rest result speaks that the these this well which whole
    with
""")
_AGREES = re.compile(r"\b(?:consistent|compatible|agree\w*|fits|matches)\b")
_CLASHES = re.compile(r"^(?:nothing|no|none)\b.*\b(?:conflicts?|contradicts?|clashes|against)\b")
_DIAGONAL = _WORDS | forms("""
    both each every this use direction diagonal directions intercardinal know name
    ones ordinal speak talk use
""")
_STATED = re.compile(
    rf"(?:all(?: of)?|both(?: of)?|each of)(?: (?:the|these))?(?: (?P<k>{COUNT}))?"
    r"(?: of (?:them|these))?"
    r"(?: (?:relation|direction|statement|fact|position)s?)? (?:is|are|come)"
    r" (?:(?:directly|explicitly) )?(?:stated|given|listed|known|from)(?: (?:directly|explicitly))?"
    r"(?: (?:in|by|from) the (?:map|text|description|clues))?"
)
"""Of all that was said so far: ``All four relations are stated in the map``"""
_OBJECTS = re.compile(
    rf"(?:there (?:are|is) |the map has )?(?:only |just )?(?P<k>{COUNT}) (?:other )?objects?"
    rf"(?: (?:besides|apart from|other than|except|aside from) (?P<of>{ONE}))?"
    rf"(?:(?:,| -|:)? (?P<names>{LIST}))?"
)


_OPEN = re.compile(
    rf"(?P<no>the (?:map|text|description|information) does not (?:\w+ )?"
    r"(?:say|tell|tell us|determine|fix|settle|state|specify|show) )?"
    rf"(?:(?:exactly |precisely )?(?:how|where) {ONE} (?:relates?|is|compares?)"
    rf"(?: relative| in relation| compared)?|the (?:position|direction|relation(?:ship)?|location)"
    rf" of {ONE}"
    r"(?: relative)?|the (?:exact )?(?:relation(?:ship)?|relative position|direction) between"
    rf" {ONE}) (?:to|from|with|and) {ONE}(?P<open> (?:is|remains|stays)(?: left)? (?:open|unclear"
    r"|undetermined|unknown|undefined|not (?:\w+ )?(?:determined|known|given|stated|fixed|settled"
    r"|specified|clear)))?"
)
"""``How A relates to B is not determined``"""
_IN_ORDER = re.compile(
    r"(?:(?:the|this|that) (?:sentence|statement|fact|relation|map|text)(?: above)?|it|which)"
    r" (?:has|gives|lists|names|states|puts|mentions|relates) (?:them|both|it"
    r"|(?:the |these |both )*(?:two )?(?:objects|places|names))"
    r" in (?:(?:exactly|just|precisely) )?(?:the same|the asked|the required|this|that) order"
    r"|nothing (?:is|needs|has)(?: to be)?(?: (?:reversed|flipped|swapped|inverted|turned|changed)"
    r"(?: (?:round|around))?)?"
    r"|(?:no|there is no need (?:for a|to)|there is nothing to) (?:reversal|revers\w+|flip\w*|swap"
    r"|invert)(?: (?:is )?(?:needed|required|necessary))?"
)
"""That the map says it as it is asked for, or as it was just said."""


def read(text: str, now: Context) -> Told:
    """No claims, where a clause in canonical spelling is of the map's sentences and holds; None
    where it is not, or does not."""
    if sure := _STATED.fullmatch(text):
        known = {(claim.objects, claim.direction, claim.of) for claim in now.claims}
        given = {((a,), way, b) for a, way, b in now.relations}
        fits = sure["k"] is None or count_of(sure["k"]) == len(known)
        return [] if known and known <= given and fits else None
    if (left := _OPEN.fullmatch(text)) and bool(left["no"]) != bool(left["open"]):
        a, of = [number(one) for one in re.findall(N, text)]
        return [Claim("open", "North", of, (a,))]
    if _IN_ORDER.fullmatch(text):
        pair = (now.asked.get("object"), now.asked["of"])
        last = now.claims[-1:] and (*now.claims[-1].objects, now.claims[-1].of)
        return [] if any((a, b) in (pair, last) for a, _, b in now.relations) else None
    names = list(dict.fromkeys(number(one) for one in re.findall(N, text)))
    if objects := _OBJECTS.fullmatch(text):
        return _objects(objects, names, now)
    if ways(text) or "diagonal" in text:
        return _diagonal(text, now) if not names else None
    denials = len(_DENIES.findall(text))
    if _NEEDED.search(text) and denials < 2:
        at_stake = {now.asked["of"], now.asked.get("object"), *now.options, *now.inside()} & set(
            names
        )
        idle = consists_of(text, _UNNEEDED, "',") and not at_stake
        idle = idle and bool(names or _REST.search(text) or not _MATTERS.search(text))
        return [] if idle and not (names and now.asked["kind"] == "count") else None
    if _CLASHES.search(text) or (_AGREES.search(text) and not denials):
        return [] if consists_of(text, _CONSISTENT) and not names else None
    related = {frozenset((a, b)) for a, _, b in now.relations}
    plain = _DENIES.sub(" ", text, count=1) if denials else _MANY.sub(" ", text, count=1)
    if not names or not _RELATES.search(text) or not consists_of(plain, _WORDS, ",'"):
        return None
    if denials:
        passive = "mentioned" in text and "together" not in text
        return [] if len(names) == 2 and frozenset(names) not in related and not passive else None
    if many := _MANY.search(text):
        held = sum(names[0] in (a, b) for a, _, b in now.relations)
        fits = held == count_of(many["k"]) if many["k"] else held > 1
        return [] if len(names) == 1 and fits else None
    *some, of = names
    to = re.search(rf"\brelated to {ONE}$", text)
    return [] if to and some and all(frozenset((one, of)) in related for one in some) else None


def _objects(found: re.Match[str], names: list[int], now: Context) -> Told:
    """``There are two objects besides A, B and C``"""
    if not (found["of"] or found["names"]):
        return None
    of = [number(found["of"])] if found["of"] else []
    listed = [one for one in names if one not in of]
    others = len(now.objects) - len(of)
    if count_of(found["k"]) != others or (found["names"] and len(listed) != others):
        return None
    now.listed = tuple(listed)
    return []


def _diagonal(text: str, now: Context) -> Told:
    """``The map speaks only of diagonal directions``, which may be listed"""
    said = ways(text)
    plain = re.sub(rf"\(?{D}, {D}, {D},? (?:and|or) {D}\)?", " ", text)
    if ways(plain) or not consists_of(plain, _DIAGONAL) or not re.search("diagonal|cardinal", text):
        return None
    listed = len(set(said)) == len(said) and not any(map(lined_up, said))
    return [] if listed and not any(lined_up(way) for _, way, _ in now.relations) else None
