"""Rules of directions: what one is, and what turning it round, or adding it to itself, gives.

Northeast means further north and further east
The opposite of Northwest is Southeast
If X is northeast of Y, then Y is southwest of X
"""

from __future__ import annotations

import re

from agentflow.domains.spatialmap.canonical import D, halves, opposite, ways
from agentflow.domains.spatialmap.claims import N
from agentflow.domains.spatialmap.layout import lined_up
from agentflow.domains.spatialmap.placing import AT, HOW
from agentflow.domains.spelling import word_set

_PART = rf"{AT}(?:both )?{HOW}{AT}{D}(?: and {AT}(?:further )?{D})"
_THING = (
    r"(?:something|an object|one object|a place|one place|one thing|one|it|a|x|p"
    r"|the first(?: one)?"
    r"|object a|object x)"
)
_ANOTHER = (
    r"(?:something(?: else)?|another(?: one| object| place)?|the other(?: one)?|b|y|q"
    rf"|the second(?: one)?|object b|object y|it|{N})"
)
_MEANS = re.compile(
    rf"{_THING} is {AT}{D}(?: of {_ANOTHER})? (?:exactly |only )?(?:if|when"
    rf"|if and only if) (?:it|{_THING}) is {_PART}"
    rf"(?: (?:of|than) {_ANOTHER})?"
    rf"|(?:to be |being |lying |if {_THING} is |for {_THING} to be |to count as )?{AT}{D}"
    rf"(?: of {_ANOTHER})?,? (?:(?:simply |just )?(?:means?|requires?"
    rf"|implies) (?:being |that it is "
    rf"|that {_THING} is |lying )?|(?:{_THING} )?(?:is|are) )(?:in |to )?{_PART}"
    rf"(?: (?:of|than) {_ANOTHER})?"
)
_SUM = re.compile(
    rf"{D} ?(?:\+|and|of|plus|combined with|followed by|then|after|on top of) (?:another )?{D}"
    rf" ?(?:=|is|gives|are|remains?|yields?|stays?|makes?|results in)(?: still| always"
    rf"| just)? {D}"
)
_TRANSITIVE = re.compile(
    rf"(?:(?:the relation )?(?:being |lying )?{AT}{D}(?: of)?|(?:all |the "
    rf"|these )?(?:\w+ )?(?:directions|relations))"
    r"(?: relation)? (?:is|are) transitive"
)
_TURNED = r"(?:opposite|reverse|inverse|converse|reversal|counterpart|mirror image)"
_OPPOSITE = re.compile(
    rf"the {_TURNED}(?: direction)? (?:of|to) {D} is {D}"
    rf"|{D} is the {_TURNED}(?: direction)? (?:of|to) {D}"
    rf"|{D} and {D} are {_TURNED}s?(?: directions)?(?: of each other)?"
    rf"|(?:reversing|inverting|flipping|turning round) {D} (?:gives|yields|results in"
    rf"|leads to) {D}"
    rf"|{D} (?:reversed |turned round )?(?:becomes|turns into|reverses to|flips to) {D}"
    rf"|{D} ?<-> ?{D}|{D} reversed is {D}"
    rf"|if {_THING} is {AT}{D} of {_ANOTHER},? (?:then )?{_ANOTHER} is {AT}{D} of (?:it|a|x|p"
    r"|the first(?: one)?|the one|object a|object x)"
)


_AGAIN = word_set("""
    moving going heading travelling walking move moves step steps twice again two three times one
    a an the to of and then is are gives keeps keep leaves lead leads leading takes take us you
    still remains remain stays stay further more in direction directions directly always makes
    make another plus followed by combined with yields results result something object it net
    something's else any relation relations overall combining continuing only just
""")


def _again(text: str) -> bool:
    """Whether directions, and nothing else, are spoken of: ``twice northeast is northeast``"""
    words = set(re.findall(r"[^\s,.:;-]+", re.sub(D, " ", text)))
    return len(ways(text)) > 1 and not words - _AGAIN


def holds(text: str) -> bool:
    """Whether a sentence truly says what a direction is, or what turning it round gives."""
    if found := _MEANS.fullmatch(text):
        whole, *parts = ways(found[0])
        return sorted(parts) == sorted(halves(whole)) and not lined_up(whole)
    if found := _OPPOSITE.fullmatch(text):
        one, other = ways(found[0])
        return opposite(one) == other
    if _SUM.fullmatch(text) or _again(text):
        return len(set(ways(text))) == 1
    return _TRANSITIVE.fullmatch(text) is not None
