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
_REL = "|".join(sorted(_KIND_OF, key=len, reverse=True))
_NAME = r"[A-Z][a-z]+"
_WHO = rf"(?P<who>{_NAME}(?:(?:, {_NAME})*,? and {_NAME})?)"
_IS = (
    r" ?(?:is|are|as|being|must be|->|:|was|,)(?: (?:therefore|thus|also|both|then|indeed|hence))*"
)
_CLAIMS = (
    re.compile(
        rf"\b{_WHO}{_IS} (?:(?:the|a|one of the) )?(?P<rel>{_REL})s? of"
        rf" (?P<of>{_NAME}(?: and {_NAME})?)\b(?!['\w])"
    ),
    re.compile(rf"\b{_WHO}{_IS} (?P<of>{_NAME})'s? (?:\*\*)?(?P<rel>{_REL})s?\b(?!['-])"),
    re.compile(rf"\b(?P<of>{_NAME})'s (?P<rel>{_REL})s? (?:is|are) {_WHO}\b(?!')"),
)
_MARRIED = re.compile(rf"\b({_NAME}) (?:is|are)(?: \w+)? married to ({_NAME})")
_FAMILY = re.compile(
    rf"({_NAME}) is married to ({_NAME})\. They have (?:a child|children) called ([^.]+)\."
)


def hold(sentence: str, about: About) -> bool:
    """Whether everybody of the question is related as a sentence in plain signs says."""
    spouses, parents = dict[str, str](), dict[str, set[str]]()
    for one, other, children in _FAMILY.findall(about.question):
        spouses |= {one: other, other: one}
        for child in re.findall(_NAME, children):
            parents[child] = {one, other}
    people = {*spouses, *parents}
    for one, other in _MARRIED.findall(sentence):
        if {one, other} <= people and spouses.get(one) != other:
            return False
    for form in _CLAIMS:
        for found in form.finditer(sentence.replace("**", "")):
            for who in re.findall(_NAME, found["who"]):
                for of in re.findall(_NAME, found["of"]):
                    kind = _KIND_OF[found["rel"]]
                    if {who, of} <= people and not _is(kind, who, of, spouses, parents):
                        return False
    return True


def _is(
    kind: str, who: str, of: str, spouses: dict[str, str], parents: dict[str, set[str]]
) -> bool:
    none = set[str]()
    elders = {one for parent in parents.get(of, none) for one in parents.get(parent, none)}
    siblings = {one for one in parents if one != of and parents[one] == parents.get(of)}
    match kind:
        case "spouse":
            return spouses.get(who) == of
        case "parent":
            return who in parents.get(of, none)
        case "sibling":
            return who in siblings
        case "grandparent":
            return who in elders
        case "uncle":
            near = {one for one in parents if parents[one] & elders} - parents.get(of, none)
            near = {one for one in near if parents[one] <= elders}
            return who in near | {spouses.get(one, "") for one in near}
        case "parent-in-law":
            return who in parents.get(spouses.get(of, ""), none)
    turned = {
        "child": "parent",
        "grandchild": "grandparent",
        "nephew": "uncle",
        "child-in-law": "parent-in-law",
    }
    return _is(turned[kind], of, who, spouses, parents)
