"""What a sentence behind a name says that the thing is, or did, and does not go with the question.

The largest planet?   It is smaller than Mars.         the other way round
The largest planet?   It is the largest moon.          of another kind
Who wrote the book?   She is its heroine.              who has another part in it
Which year was it?    That is the year it was sold.    of another act
In which city?        The tower stands in Lyon.        somewhere else
The capital of Peru?  Cusco took its place.            something else is spoken of, and of it

What such a thing is said to be has to be of a kind that is known, or in the words of the question.
"""

from __future__ import annotations

import re

from agentflow.domains import spelling
from agentflow.domains.commonsense.concluding import stems
from agentflow.domains.commonsense.reasons import OPPOSITES
from agentflow.domains.question_words import key
from agentflow.domains.spelling import lowered, word_set
from agentflow.domains.telling_more import acts

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_IT = re.compile(
    r"(?:it|he|she|they|that|this|these|who|which)(?:['’]s| (?P<be>is|are|was|were)\b)?"
)
_IS_SOME = re.compile(
    r"\W*(?:(?:also|now|still) )?(?P<some>an?|one of (?:the|its)|the|its|his|her|their)"
    r" (?P<what>[^,;:.!?()]+)"
)
_APPOSED = re.compile(r"[\s,]*(?P<what>(?:the|an?|its|his|her|their) .*)", re.DOTALL)
_RELATIVE = re.compile(r"[\s,]*(?:who|which) (?P<does>.*)", re.DOTALL)
_GOES_ON = word_set("""
    of in on at from with by that which who whose where when and but between near to for within
    as about around along over under since until after before during than without among through
""")
_KINDS = word_set("""
    city town village port capital metropolis country nation state republic kingdom monarchy island
    enclave region province territory municipality continent city-state microstate
    river lake sea ocean mountain peak volcano desert planet moon star giant element metal gas
    liquid mineral gemstone stone rock compound acid molecule particle boson protein enzyme hormone
    organ gland cell tissue bone muscle vessel animal mammal bird fish insect plant tree flower
    species force unit symbol
    person man woman novelist writer author poet playwright dramatist painter artist sculptor
    composer musician singer actor actress director filmmaker producer scientist physicist chemist
    biologist mathematician astronomer inventor engineer philosopher explorer navigator politician
    statesman president king queen emperor pioneer bacteriologist microbiologist physician doctor
    architect economist historian journalist astronaut player footballer athlete leader founder
    creator master figure member comedian screenwriter lawyer general soldier
    language currency instrument building tower monument landmark museum bridge device system
    structure algorithm tool company organization organisation band group film movie book novel play
    song album site center centre hub home one year
""")
"""What a thing may be that is the answer; whatever else it is may be of another thing."""
_OF_YEAR = re.compile(
    r"(?:that|this|it|which) (?:is|was) (?:also )?the (?:year|date|day|time|month|decade)"
    r"(?: (?:in|on) which| when| that)? (?P<act>[^.!?]{3,})"
)
_ASKS_WHERE = re.compile(r"(?i)\bwhere\b|\bin (?:which|what) [a-z]+\b")
_SOMEWHERE = re.compile(r"\b(?:in|to|near|at) (?P<where>[A-Z][\w'’-]*)")
_MONTHS = word_set("""
    january february march april may june july august september october november december
""")
_MADE = word_set("""
    founded built established discovered named called designed visited ruled conquered wrote painted
    composed directed invented created made wrote is are was were has have had borders surrounds
""")
"""What somebody may have done to a thing that leaves it what it is."""
_SUBJECT = re.compile(
    r"(?P<subject>(?:The )?[A-Z][\w'’-]*(?: [A-Z][\w'’-]*){0,3}) (?:also |then )?(?P<verb>[a-z]+)"
    r"(?P<rest>\b.*)",
    re.DOTALL,
)
_OWNED = re.compile(
    r"(?P<who>[A-Z][\w-]*(?: [A-Z][\w-]*)?)['’]s (?:[a-z]+ )?(?P<what>[a-z]+) (?:is|was)\b"
)
_RANKED = re.compile(r" (?:the )?(?:second|third|fourth|fifth|next|among)\b")
_YEARS_OFF = re.compile(r"\b(?:years?|decades?|months?) (?:later|earlier)\b")
_THAT_YEAR = re.compile(r"\b(?:(?:in )?(?:that|the same) year|then)\Z")
_OF_IT = re.compile(r"\b(?:it|its|him|her|them|then|there)\b")
_NO_NAME = word_set("the it he she they this that these those there in on at a an its his her")
_AUTHORS = word_set("author writer")


def as_sentence(behind: str) -> str:
    """What stands right behind a name, and only says more of it, as a sentence; else nothing."""
    if apposed := _APPOSED.fullmatch(behind):
        return f"It is {apposed['what']}"
    relative = _RELATIVE.fullmatch(behind)
    return f"It {relative['does']}" if relative else ""


def otherwise(question: str, said: str, clause: str) -> bool:
    """Whether a clause behind a name says what does not go with its being what is asked for."""
    low = lowered(spelling.plain(clause)).strip(" .!*_")
    name = lowered(said)
    own = name and low.startswith(f"{name} ")
    low = f"it{low[len(name) :]}" if own else low
    if (of_other := _OWNED.match(clause)) and not _shares(of_other["who"], f"{said} {question}"):
        return bool(stems(of_other["what"]) & stems(question))
    if said[:1].isdigit() and _of_that_year(question, low):
        return True
    asked = stems(" ".join(re.findall(r"(?<![\w'-])[a-z]{3,}", question)))
    if (of_year := _OF_YEAR.match(low)) and said[:1].isdigit():
        return not stems(of_year["act"]) & asked
    if found := _IT.match(low):
        rest = low[found.end() :]
        is_some = _IS_SOME.match(rest) if found["be"] or found[0].endswith("s") else None
        if is_some and not _is_known(is_some, asked):
            return True
        if found["be"] and _RANKED.match(rest):
            return True
        return _turns(question, rest) or _of_author(question, rest)
    return _of_another(question, said, clause) or _elsewhere(question, said, clause)


def _is_known(found: re.Match[str], asked: set[str]) -> bool:
    """Whether what a thing is said to be is of a known kind, or in the words of the question."""
    words = _WORD.findall(found["what"])
    end = next((at for at, one in enumerate(words) if one in _GOES_ON), len(words))
    head = words[end - 1] if end else ""
    ones = {head, head.removesuffix("s"), re.sub("ies$", "y", head)}
    return not head or not ones.isdisjoint(_KINDS) or bool(stems(head) & asked)


def _turns(question: str, rest: str) -> bool:
    """Whether what is said of a thing turns the order round in which the question has it first, or
    puts it first among other things."""
    tops = {f"{one.removesuffix('er')}est": one for one in OPPOSITES if one.endswith("er")}
    found = [one for one in _WORD.findall(question.lower()) if one in tops]
    if len(found) != 1:
        return False
    (top,) = found
    others = {one for one in OPPOSITES[tops[top]] if one.endswith("er")}
    more = "more" if tops[top] in ("smaller", "lower", "shorter", "fewer") else "less"
    words = _WORD.findall(rest)
    if any(tops.get(one) in others for one in words) and top not in words:
        return True
    than = rf"(?<!no )(?<!not )(?<!n't )\b(?:{'|'.join(others) or '(?!)'}|{more} [a-z]+) than\b"
    if re.search(than, rest):
        return True
    again = re.match(rf" (?:(?:also|still|now) )?the {top} (?P<what>[a-z]+)\b(?P<of>.*)", rest)
    if again is None or again["what"] in (*_GOES_ON, "one"):
        return False
    where = re.match(r" (?:in|of|on) (?:the )?([a-z]+)", again["of"])
    here = where is None or where[1] in (*_WORD.findall(question.lower()), "our", "it", "its")
    return not (here and stems(again["what"]) & stems(question))


def _of_that_year(question: str, low: str) -> bool:
    """Whether a clause, in small letters, tells what else happened in a year, or that what is asked
    for did so in another one."""
    words = _WORD.findall(low)
    again = not {key(one) for one in words}.isdisjoint(map(key, _acts_asked(question)))
    if _YEARS_OFF.search(low):
        return again
    return not again and _THAT_YEAR.search(low) is not None


def _acts_asked(question: str) -> list[str]:
    """The words of a question that may be its verb: those behind the helping one."""
    return re.findall(r"[a-z]{3,}", re.split(r"\b(?:did|was|were|does|is)\b", question)[-1])


def _of_author(question: str, rest: str) -> bool:
    """Whether an act of somebody speaks of an author, where it is asked who that is."""
    words = _WORD.findall(rest)
    acted = bool(words) and words[0] not in ("is", "was")
    return (
        acted
        and re.match(r"(?i)who wrote\b", question) is not None
        and not (_AUTHORS.isdisjoint(words))
    )


def _of_another(question: str, said: str, clause: str) -> bool:
    """Whether a clause about something else, which the question does not name, tells what that did
    to the thing, or then, which is not known to leave it what it is."""
    found = _SUBJECT.match(clause)
    if found is None or not _OF_IT.search(found["rest"]):
        return False
    subject, verb = found["subject"].removeprefix("The "), found["verb"]
    if lowered(subject).split()[0] in _NO_NAME or _shares(subject, question):
        return False
    if _shares(subject, said):
        return False
    if said[:1].isdigit():
        return key(verb) in map(key, _acts_asked(question))
    return not (verb in _MADE or acts(verb)) or bool(re.search(r"\bits place\b", found["rest"]))


def _elsewhere(question: str, said: str, clause: str) -> bool:
    """Whether a clause says of a thing of the question that it is somewhere else."""
    if not _ASKS_WHERE.search(question):
        return False
    subject = re.match(r"(?i:the|this|its) (?P<what>[a-z]+)\b", clause)
    if subject is None or subject["what"] not in question.lower():
        return False
    places = [one["where"] for one in _SOMEWHERE.finditer(clause)]
    places = [one for one in places if one.lower() not in _MONTHS]
    return bool(places) and not any(_shares(one, f"{said} {question}") for one in places)


def _shares(one: str, other: str) -> bool:
    """Whether two texts have a name's word in common."""
    words = {lowered(each) for each in re.findall(r"[^\W_]{3,}", one)} - {"the", "and"}
    return not words.isdisjoint(re.findall(r"[^\W_]{3,}", lowered(other)))
