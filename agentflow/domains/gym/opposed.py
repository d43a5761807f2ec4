"""Whether what a reply says contradicts the answer that it gives.

so Lily is an altruist as well        beside "Lily is an egoist, and ..."
so the conclusion follows             beside No
the number 83 remains unused          beside an expression that uses it
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from agentflow.domains import arithmetic
from agentflow.domains.gym.about import COUNT, NUMBER, About, counted
from agentflow.domains.spelling import lowered

_REPORTS = re.compile(
    r"\b(?:say|says|said|saying|claim\w*|remark\w*|state[sd]?|stating|statement|declar\w*"
    r"|assert\w*|note[sd]"
    r"|mention\w*|tell\w*|told|commented|express\w*|heard|insist\w*|accus\w*|call\w*|if|suppos\w*"
    r"|assum\w*"
    r"|were|would|whether|imagine|had|unless|should|could|contradict\w*|impossible|cannot|either|or"
    r"|according|word)\b|\?|n't\b|\bnot\b|\"|\blet\b"
)
"""What makes a clause say what somebody says, or what would be if."""
_CLAUSES = re.compile(
    r"(?:[,;:]|\band\b)? ?\b(?:so|thus|therefore|hence|which means(?: that)?|meaning(?: that)?"
    r"|we conclude(?: that)?|this makes|which makes)\b,?|[;:]|, (?:and |but |which )?"
)
_SUPPOSED = re.compile(r"\b(?:suppos\w*|assum\w*|imagine|if|case|try|say|let)\b")
_ROLES = re.compile(r"\b([A-Z]\w+) is an? (\w+)")
_POSITIVE = re.compile(
    r"\b(?:conclusion|it|that|this|claim|statement|argument|inference|syllogism|strings?|they"
    r"|mapping|which"
    r"|therefore|hence|thus|so)\b[^,;.]{0,60}?\b(?:(?:must |does |do |logically |indeed |clearly "
    r"|therefore |necessarily )*"
    r"follows?|holds?(?: true)?|(?:is|are) (?:\w+ )?(?:valid|true|isomorphic|correct|entailed"
    r"|implied"
    r"|consistent|justified|guaranteed|sound|one-to-one))\b"
)
_NEGATIVE = re.compile(
    r"(?:\bnot\b|n't\b|\bcannot\b|\bnever\b|\bno longer\b|\bnor\b|\bfails? to\b|\bwithout\b)(?:"
    r" \w+){0,3}?"
    r" (?:follow\w*|hold|valid|true|isomorphic|correct|entail\w*|impl\w+|consistent|justified"
    r"|guaranteed"
    r"|conclude\w*|necessar\w*|one-to-one|warrant\w*|sound)\b"
    r"|\b(?:invalid|inconsistent|non sequitur|unwarranted|fallacy)\b"
    r"|\b(?:conclusion|claim|argument|inference|statement) (?:is|must be) (?:\w+ )?(?:false|wrong"
    r"|invalid)\b"
)
_YES, _NO = frozenset(("yes", "true")), frozenset(("no", "false"))
_UNUSED = re.compile(
    r"(?P<n>\d+)\b[^.;,]{0,30}?\b(?:unused|left over|left out|leftover|is not (?:used|needed)"
    r"|isn't (?:used|needed)"
    r"|goes unused|is spare|not needed|unneeded|is superfluous|can be (?:ignored|dropped|skipped))"
    r"|\b(?:without(?: using| the)?|leav\w+ out|skipping|omitting|ignoring|not using|drop(?:ping"
    r"|s)?)(?: the)?(?: number)? (?P<k>\d+)\b(?! (?:times|of))"
)
_UNUSED_WORD = re.compile(
    r"\b(?:one|some|two|not all|not every)\b[^.;]{0,30}\b(?:unused|left over|used)\b"
)
_RESULT_IS = re.compile(
    r"\b(?:the|my|our|this|that|which)? ?(?P<what>(?:final |overall |grand |correct )*(?:answer"
    r"|result|total|sum total|product|output|solution))"
    r"(?: (?:is|comes to|equals|of|becomes|will be|must be)(?: therefore| thus)?:?| =|:) "
    r"(?P<n>-?\d+(?:\.\d+)?(?:/\d+)?)(?![\d:]|\.\d| ?[-+*/^(=])"
)
_APPEARS = re.compile(
    r"\b(?:appears?|occurs?|shows? up|is found|comes up|in total|altogether|that makes|makes)(?:"
    rf" \w+)? (?P<n>{COUNT}|once|twice|thrice)(?: times?| in (?:total|all))?(?= ?[.!]?\Z)"
)
_OFTEN = {"once": 1, "twice": 2, "thrice": 3}
_FOLLOWING = re.compile(r"\b(?:so|hence|thus|therefore|in total|altogether|in all|overall)\b")
_IS_POSSIBLE = re.compile(
    r"\b(?:it|this|that|which|the task) (?:is|'s) (?:\w+ )?(?:possible|doable|feasible)\b"
    r"|\bcan (?:\w+ )?be (?:made|turned|rearranged|done)\b"
)
"""What the answer -1, that there is nothing of the kind, does not go with."""
_LIVES = re.compile(
    r"\b([A-Z][a-z]+) (?:lives|is|must live|must be|has to live|has to be|resides|belongs) in "
    r"(?:house|House) (?:number )?#?(\d)\b"
)


def contradicted(sentences: Sequence[str], about: About) -> bool:
    """Whether sentences in plain signs say something else than the answer."""
    return (
        _other_roles(sentences, about)
        or _judged_otherwise(sentences, about)
        or any(_unused(lowered(one), about) for one in sentences)
        or any(_comes_to_another(lowered(one), about) for one in sentences)
        or (
            about.said.strip() == "-1"
            and any(_IS_POSSIBLE.search(lowered(one)) for one in sentences)
        )
        or any(_elsewhere(one, about) for one in sentences)
    )


def _clauses(sentence: str) -> list[str]:
    return [one for one in _CLAUSES.split(sentence) if one and one.strip()]


def _other_roles(sentences: Sequence[str], about: About) -> bool:
    """Whether somebody is given another role at last, or anywhere if nothing is supposed."""
    roles = {name: role.lower() for name, role in _ROLES.findall(about.said)}
    if len(roles) < 2:
        return False
    supposed = any(_SUPPOSED.search(lowered(one)) for one in sentences)
    kinds = {*roles.values()} | {
        one.lower() for pair in re.findall(r"(\w+)/(\w+)", about.question) for one in pair
    }
    told = dict[str, list[str]]()
    name = "|".join(map(re.escape, roles))
    role_of = re.compile(
        rf"\b(?P<who>{name}|[Ss]?[Hh]e|[Bb]oth(?: of them| \w+s)?|[Tt]hey(?: both)?|[Nn]either(?:"
        r" of them)?)(?: (?:is|are|must be|has to be|have to be|can only be|turns out to be))"
        r"(?: (?:therefore|thus|also|indeed|both|then|really|hence|in fact|actually|the))*(?:"
        rf" an?)? (?P<role>{'|'.join(map(re.escape, kinds))})s?\b"
    )
    for sentence in sentences:
        bare, last = re.sub(r'"[^"]*"', '"', sentence), ""
        for clause in _clauses(bare):
            named = re.findall(rf"\b(?:{name})\b", clause)
            if not _REPORTS.search(lowered(clause)):
                for found in role_of.finditer(clause):
                    low = found["who"].lower()
                    who = [*roles] if low.startswith(("both", "they")) else [found["who"]]
                    if (
                        low.startswith("neither")
                        and not supposed
                        and found["role"].lower() in roles.values()
                    ):
                        return True
                    who = [last] if low in ("he", "she") and last else who
                    for one in who:
                        told.setdefault(one, []).append(found["role"].lower())
            last = named[-1] if named else last
    for one, said in told.items():
        if one in roles and any(role != roles[one] for role in (said[-1:] if supposed else said)):
            return True
    return False


def _judged_otherwise(sentences: Sequence[str], about: About) -> bool:
    """Whether the last sentence that judges what Yes or No is asked of judges otherwise."""
    own = lowered(about.said.strip(" .*"))
    if own not in _YES | _NO:
        return False
    for sentence in reversed(sentences):
        bare = re.sub(r'"[^"]*"', "it", lowered(sentence))
        if re.search(r"\?|\b(?:if|suppos\w*|whether|would|assum\w*)\b", bare):
            continue
        if _NEGATIVE.search(bare):
            return own in _YES
        if _POSITIVE.search(bare):
            return own in _NO
    return False


def _unused(said: str, about: About) -> bool:
    """Whether a number of an expression is said to be left over."""
    read = arithmetic.parse(arithmetic.plain(about.said))
    if read is None or isinstance(read, Fraction):
        return False
    used = {*arithmetic.numbers(read)}
    if _UNUSED_WORD.search(said):
        return True
    for found in _UNUSED.finditer(said):
        numbers = {Fraction(one) for one in NUMBER.findall(found[0])}
        if numbers & used:
            return True
    return False


def _comes_to_another(said: str, about: About) -> bool:
    """Whether a sentence calls another number the result of all."""
    value = about.value
    if value is None or ("/" in about.said and about.task != "fraction_simplification"):
        return False
    target = {value, *about.asked[-1:]} if about.task in ("countdown", "puzzle24") else {value}
    for found in _RESULT_IS.finditer(said):
        part = found["what"] in ("total", "product") and not _FOLLOWING.search(said)
        number = Fraction(found["n"])
        if number not in target and not (part and number in about.known):
            return True
    if about.task == "letter_counting":
        for found in _APPEARS.finditer(said):
            number_ = _OFTEN.get(found["n"]) or counted(found["n"])
            if _FOLLOWING.search(said[: found.end()]) and number_ != value:
                return True
    return False


def _elsewhere(sentence: str, about: About) -> bool:
    """Whether somebody else lives where the one lives who is asked for."""
    asked = re.search(r"lives? in house (\d)", lowered(about.question.rpartition("?")[0][-120:]))
    if asked is None or _REPORTS.search(lowered(sentence)):
        return False
    return any(
        house == asked[1]
        and who.lower() != about.said.strip().lower()
        and who.lower() in lowered(about.question)
        for who, house in _LIVES.findall(sentence)
    )
