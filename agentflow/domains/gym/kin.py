"""Whether what a sentence says of a family is so, as far as it does not ask who is a man.

Nova is the mother of Lily.      is one of those who have a child called Lily
Nova is Lily's sister.           is none
"""

from __future__ import annotations

import re

from agentflow.domains.gym.about import About

_KINDS = {
    "child": "child son daughter",
    "parent": "parent father mother dad mom",
    "spouse": "spouse husband wife",
    "sibling": "sibling brother sister",
    "grandparent": "grandparent grandfather grandmother",
    "grandchild": "grandchild grandson granddaughter",
    "uncle": "uncle aunt",
    "nephew": "nephew niece",
    "parent-in-law": "parent-in-law father-in-law mother-in-law",
    "child-in-law": "child-in-law son-in-law daughter-in-law",
}
_KIND_OF = {word: kind for kind, words in _KINDS.items() for word in words.split()}
_TURNED = {
    "child": "parent",
    "grandchild": "grandparent",
    "nephew": "uncle",
    "child-in-law": "parent-in-law",
}
_NAME = r"[A-Z][a-z]+"
_NAMES = rf"{_NAME}(?:(?:, {_NAME})*,? and {_NAME})?"
_KIND = rf"(?P<kind>{'|'.join(sorted(_KIND_OF, key=len, reverse=True))})s?\b(?!['-])"
_IS = (
    r" ?(?:,? who (?:is|are)|is|are|as|being|must be|->|:|was|,)"
    r"(?: (?:therefore|thus|also|both|then|indeed|hence|an?|the|one of the))*"
)
_CLAIMS = (
    re.compile(rf"\b(?P<who>{_NAMES}){_IS} {_KIND} of (?P<of>{_NAMES})\b(?!['\w])"),
    re.compile(rf"\b(?P<who>{_NAMES}){_IS} (?P<of>{_NAME})'s? {_KIND}"),
    re.compile(rf"\b(?P<of>{_NAME})'s {_KIND} (?:is|are) (?P<who>{_NAMES})\b(?!')"),
    re.compile(rf"\b(?P<who>{_NAME}) (?:is|are)(?: \w+)? (?P<kind>married) to (?P<of>{_NAME})"),
)
_FAMILY = re.compile(
    rf"({_NAME}) is married to ({_NAME})\. They have (?:a child|children) called ([^.]+)\."
)


def hold(sentence: str, about: About) -> bool:
    """Whether everybody of the question is related as a sentence in plain signs says."""
    spouses, parents = dict[str, str](), dict[str, set[str]]()
    for one, other, children in _FAMILY.findall(about.question):
        spouses |= {one: other, other: one}
        parents |= {child: {one, other} for child in re.findall(_NAME, children)}
    people = {*spouses, *parents}
    return all(
        _is(_KIND_OF.get(found["kind"], "spouse"), who, of, spouses, parents)
        for form in _CLAIMS
        for found in form.finditer(sentence)
        for who in people.intersection(re.findall(_NAME, found["who"]))
        for of in people.intersection(re.findall(_NAME, found["of"]))
    )


def _is(
    kind: str, who: str, of: str, spouses: dict[str, str], parents: dict[str, set[str]]
) -> bool:
    """Whether somebody is a sibling, or whatever kind it is, of another one."""
    if kind in _TURNED:
        return _is(_TURNED[kind], of, who, spouses, parents)
    own = parents.get(of, set[str]())
    elders = {one for parent in own for one in parents.get(parent, ())}
    uncles = {one for one in parents if parents[one] <= elders} - own
    kin: dict[str, set[str]] = {
        "spouse": {spouses.get(of, "")},
        "parent": own,
        "sibling": {one for one in parents if one != of and parents[one] == own},
        "grandparent": elders,
        "uncle": uncles | {spouses.get(one, "") for one in uncles},
        "parent-in-law": parents.get(spouses.get(of, ""), set[str]()),
    }
    return who in kin[kind]
