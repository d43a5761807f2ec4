"""Whether what a reply says contradicts the answer that it gives.

so Lily is an altruist as well        beside "Lily is an egoist, and ..."
so the conclusion follows             beside No
the number 83 remains unused          beside an expression that uses it
House 1: Carol                        beside Bob, who is asked for
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction

from agentflow.domains import arithmetic
from agentflow.domains.gym.about import About, numbers_in
from agentflow.domains.spelling import lowered

_REPORTS = re.compile(
    r"\b(?:sa(?:y|ys|id|ying)|claim\w*|remark\w*|stat(?:e|es|ed|ing|ement)|declar\w*|assert\w*"
    r"|note[sd]|mention\w*|tell\w*|told|commented|express\w*|heard|insist\w*|accus\w*|call\w*|if"
    r"|suppos\w*|assum\w*|were|would|whether|imagine|had|unless|should|could|contradict\w*"
    r"|impossible|cannot|either|or|according|word)\b|\?|n't\b|\bnot\b|\"|\blet\b"
)
"""What makes a clause say what somebody says, or what would be if."""
_CLAUSES = re.compile(
    r"(?:[,;:]|\band\b)? ?\b(?:so|thus|therefore|hence|which means(?: that)?|meaning(?: that)?"
    r"|we conclude(?: that)?|this makes|which makes)\b,?|[;:]|, (?:and |but |which )?"
)
_SUPPOSES = re.compile(r"\b(?:suppos\w*|assum\w*|imagine|if|whether|would)\b|\?")
_TRIES = re.compile(rf"{_SUPPOSES.pattern}|\b(?:case|try|say|let)\b")
_ROLE = re.compile(r"\b([A-Z]\w+) is an? (\w+)")
_FITS = (
    r"(?:follow(?:s|ed)?|holds?|valid|true|isomorphic|correct|entail\w*|impl(?:y|ied|ies)"
    r"|consistent|justified|guaranteed|sound|one-to-one|possible|doable|feasible)\b"
)
_POSITIVE = re.compile(
    r"\b(?:conclusion|it|that|this|claim|statement|argument|inference|syllogism|strings?|they"
    r"|mapping|which|task|therefore|hence|thus|so)\b[^,;.]{0,60}?"
    rf"(?:\b(?:is|are|must|does|do|did|can be|logically|indeed|clearly|therefore|necessarily) |'s )"
    rf"(?:\w+ )?{_FITS}|\b(?:conclusion|it|that|this|claim|statement) (?:follows|holds)\b"
)
_NEGATIVE = re.compile(
    r"(?:\b(?:not|cannot|never|no longer|nor|fails? to|without)\b|n't\b)(?: \w+){0,3}? "
    rf"(?:{_FITS}|conclude\w*|necessar\w*|warrant\w*)"
    r"|\b(?:invalid|inconsistent|non sequitur|unwarranted|fallacy|impossible)\b"
    r"|\b(?:conclusion|claim|argument|statement) (?:is|must be) (?:\w+ )?(?:false|wrong)\b"
)
_YES, _NO = frozenset(("yes", "true")), frozenset(("no", "false", "-1"))
_UNUSED = re.compile(
    r"\d+\b[^.;,]{0,30}?\b(?:unused|left over|left out|leftover|(?:is not|isn't) (?:used|needed)"
    r"|not needed|unneeded|spare|superfluous|can be (?:ignored|dropped|skipped))\b"
    r"|\b(?:without(?: using)?|leav\w+ out|skipping|omitting|ignoring|not using|drop(?:ping|s)?)"
    r"(?: the)?(?: number)? \d+\b(?! (?:times|of))"
)
_LIVES = (
    r"(?i:(?P<who>{0}) (?:lives|is|must live|must be|has to live|has to be|resides|belongs)"
    r" in house (?:number )?#?{1}\b|house #?{1}(?::| is| ->| =| belongs to|,) (?P<there>{0})\b)"
)


def contradicted(sentences: Sequence[str], about: About) -> bool:
    """Whether sentences in plain signs say something else than the answer."""
    return (
        _other_roles(sentences, about)
        or judged_otherwise(sentences, about.said)
        or any(_unused(lowered(one), about) for one in sentences)
        or any(_elsewhere(one, about) for one in sentences)
    )


def _other_roles(sentences: Sequence[str], about: About) -> bool:
    """Whether somebody is given another role at last, or anywhere if nothing is supposed."""
    roles = {name: role.lower() for name, role in _ROLE.findall(about.said)}
    if len(roles) < 2:
        return False
    pairs = re.findall(r"(\w+)/(\w+)", about.question)
    kinds = {*roles.values()}.union(*(map(str.lower, pair) for pair in pairs))
    names = "|".join(map(re.escape, roles))
    claim = re.compile(
        rf"\b(?P<who>{names}|[Ss]?[Hh]e|[Bb]oth(?: \w+){{0,2}}|[Tt]hey(?: both)?)"
        r" (?:is|are|must be|has to be|have to be|can only be|turns out to be)(?: \w+)?"
        rf"(?: an?)? (?P<role>{'|'.join(map(re.escape, kinds))})s?\b"
    )
    told = defaultdict[str, list[str]](list)
    for sentence in sentences:
        last = ""
        for clause in filter(None, _CLAUSES.split(re.sub(r'"[^"]*"', '"', sentence))):
            for found in claim.finditer(clause) if not _REPORTS.search(lowered(clause)) else ():
                who, role = found["who"], found["role"].lower()
                for one in [who] if who in roles else [last] if who[-2:] == "he" else roles:
                    told[one].append(role)
            last = (re.findall(rf"\b(?:{names})\b", clause) or [last])[-1]
    tries = any(_TRIES.search(lowered(one)) for one in sentences)
    ends = {one: said[-1:] if tries else said for one, said in told.items()}
    return any({*said} - {roles[one]} for one, said in ends.items() if one in roles)


def judged_otherwise(sentences: Sequence[str], said: str) -> bool:
    """Whether the last sentence that judges what Yes or No is asked of judges otherwise."""
    own = lowered(said.strip(" .*"))
    for sentence in reversed(sentences) if own in _YES | _NO else ():
        bare = re.sub(r'"[^"]*"', "it", lowered(sentence))
        if not _SUPPOSES.search(bare) and (no := _NEGATIVE.search(bare) or _POSITIVE.search(bare)):
            return own in (_YES if no.re is _NEGATIVE else _NO)
    return False


def _unused(said: str, about: About) -> bool:
    """Whether a number of an expression is said to be left over."""
    read = arithmetic.parse(arithmetic.plain(about.said))
    used = set() if read is None or isinstance(read, Fraction) else {*arithmetic.numbers(read)}
    return any(not used.isdisjoint(numbers_in(found[0])) for found in _UNUSED.finditer(said))


def _elsewhere(sentence: str, about: About) -> bool:
    """Whether somebody else lives where the one lives who is asked for."""
    asked = re.search(r"lives? in house (\d)", lowered(about.question.rpartition("?")[0][-120:]))
    if asked is None or _REPORTS.search(lowered(sentence)):
        return False
    found = re.finditer(_LIVES.format(r"(?-i:[A-Z][a-z]+)", asked[1]), sentence)
    who = {lowered(one["who"] or one["there"]) for one in found} - {lowered(about.said.strip())}
    return any(one in lowered(about.question) for one in who)
