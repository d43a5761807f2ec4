"""What a reply comes to whose last clause works a number out, where all that it works out before is
used on the way there.

    How much does the grooming cost?        30% of 100 is 30, and the bath is given as 100.
    The cost after the discount is $100 - $30 = $70                        $70
    Then, subtract the discount from the original cost: $100 - $30 = $70   $70
    The discount is $100 - $70 = $30                                       None: another thing

Which number is the answer is told by the calculation; the words of its clause, which may be those
of the whole question or of the work, may not call it another thing, or say it of another person.
"""

from __future__ import annotations

import re

from agentflow.domains.math.counted import behind_thing
from agentflow.domains.math.endings import Ending, read, without_share
from agentflow.domains.math.naming_words import (
    CLASS,
    FREE,
    PERSONS,
    SENTENCES,
    TELLS_APART,
    WORD,
    Asked,
    acts,
    alike,
    asked_in,
    content,
    names_in,
    timed,
)
from agentflow.domains.math.question import MAX_ASKED
from agentflow.domains.math.units import UNITS
from agentflow.domains.spelling import word_set

_WORKS = word_set("""
    add adding subtract subtracting multiply multiplying divide dividing sum combine combining take
    taking convert converting calculate calculating find finding determine determining compute
    computing get getting obtain figure
""")
"""What one does to numbers."""
_TOLD = _WORKS | word_set("""
    number amount quantity value total difference product quotient result answer average final
    original initial remaining remainder remains left new previous current combined price cost
    revenue income expenses earnings minus plus times percent percentage decrease increase reduced
    resulting reducing reduces bringing leaving giving making meaning leads results equals
    first next last now finally lastly need needs have has had would will must should can so since
    because after before these those them per each every half
    twice double from what how which who that distance speed rate time modal
    would then so two both out up down off over
""")
"""Words of work that do not say what its number is."""
_OF_NUMBER = _TOLD - word_set("""
    price cost revenue income expenses earnings remaining left distance speed rate time
""")
"""Those that may stand in front of what says it: ``the total number of``."""
_SEEKS = re.compile(
    r"(?i)\b(?:find|calculate|determine|compute|get|obtain|figure out|know)(?: out)? "
    r"(?P<what>[^,:]+)[,:]"
)
"""What says what is worked out: ``To find the final cost, we subtract ...``"""
_FRONT = re.compile(
    r"(?i)(?:since|because|as|after|with|at|for|given|in|on|over|if|by|so|then|next|finally"
    r"|therefore|(?:add|subtract|multiply|divid|combin)ing)\b[^,]*, (?=[\w$(\\])"
)
"""What stands in front of a clause and says from what it follows."""
_LABEL = re.compile(r"(?i)(?P<work>(?:[a-z]+, )?(?:we )?[a-z]+ [^:]*):\s*\Z")
_EVERYONE = re.compile(r"\b(?:everyone|everybody)\b")
_COMPARES = re.compile(r"\b(?:more|less|fewer|than|differ\w*)\b")
_PER = re.compile(r"\bper[a-z]+")
_WHAT = re.compile(
    r"(?i)\b(?:what(?:['’]s| is| was| are| were| will be)?|calculate|find|determine)\b"
)
_SHARED = re.compile(r"\b(?:each|every|per|average)\b")
_MEANS = {"long": "time", "far": "distance", "old": "age"}
_LEFT = re.compile(r"\b(?:left|leav\w+|remain\w*|still)\b")
_TAKES = re.compile(r"\d[^=]* [-−] [^=]*=")
_PRICED = {*map(alike, ("price", "cost"))}
_KNOWN = frozenset(map(alike, _TOLD | FREE))
_PERSONAL = PERSONS - {"it", "them", "him", "her", "his", "their", "its"}
_OWN = word_set("we you i us")
_VERBS_BETWEEN = word_set("""
    will would must should can could has have had to now then also still ended up needs need be
    needed was is are were only originally currently each both all
""")
"""What may stand between who does something and what is done."""


def said(question: str, clause: str) -> str | None:
    """The number that the last clause of a derivation works out, with its unit; None where its
    words may say it of something that is not asked for."""
    clause = _without_front(question, without_share(clause))
    found, asked = read(clause), asked_in(question) or _what(question)
    if found is None or asked is None or question.count("?") > 1:
        return None
    question, sentence = (_EVERYONE.sub("each person", one) for one in (question, asked.sentence))
    if not content(f"{found.lead} {found.tail}") <= _KNOWN | content(question):
        return None
    if _of_another(question, asked, found):
        return None
    sentence = f"{timed(sentence)} {_MEANS.get(asked.how, '')}"
    if _COMPARES.search(sentence):
        sentence += " difference"
    known = content(sentence) | {*map(alike, asked.things)}
    known |= {CLASS.get(one, one) for one in known} | (_PRICED if "pay" in known else set())
    named = _named(asked, found, names_in(question))
    naming = timed(f"{named or ''} {found.tail}")
    apart = {*WORD.findall(naming)} & TELLS_APART - {*WORD.findall(sentence)} - {"both", "two"}
    if _SHARED.search(sentence):
        apart -= {"each", "per", "average"}
    times, asked_times = ({*_PER.findall(one)} for one in (naming, sentence))
    if apart or times - asked_times or (named is not None and not _names(timed(named), known)):
        return None
    if not _is_of_things(question, asked, found, known):
        return None
    if _LEFT.search(sentence) and not (_LEFT.search(naming) or _TAKES.search(clause)):
        return None
    unit = next(iter(WORD.findall(found.tail.lower())), "")
    return f"{found.number} {unit}".strip() if unit in UNITS else found.number


def _is_of_things(question: str, asked: Asked, found: Ending, known: set[str]) -> bool:
    """Whether the number is one of what is asked for, as far as what stands behind it tells."""
    unit = next(iter(WORD.findall(found.tail.lower())), "")
    if asked.how == "many" and not unit:
        return "$" not in found.number and "%" not in found.number
    measured = asked.how in ("what", "long", "far") or asked.things == ["time"]
    if measured and (unit in UNITS or not unit or asked.how == "what"):
        return content(found.tail.lower().replace(unit, "", unit in UNITS)) <= known | _KNOWN
    return behind_thing(question, asked, found) is not None


def _what(question: str) -> Asked | None:
    """What a question asks for that begins with ``what``, or tells what to calculate."""
    *_, sentence = SENTENCES.split(question[-MAX_ASKED:].strip())
    asks = _WHAT.search(sentence)
    return Asked("what", [], sentence[asks.end() :], sentence) if asks else None


def _without_front(question: str, clause: str) -> str:
    """A clause without what stands in front of it in words of the question and of work."""
    while front := _FRONT.match(clause):
        if re.search(r"[\d=]", front[0]) or not content(front[0]) <= _KNOWN | content(question):
            break
        clause = clause[front.end() :]
    return clause


def _of_another(question: str, asked: Asked, found: Ending) -> bool:
    """Whether a clause names somebody who is not asked about."""
    names = names_in(question)
    theirs = {one for one in WORD.findall(asked.sentence) if one in names}
    spoken = {one for one in WORD.findall(found.lead + found.tail) if one in names}
    if theirs:
        return bool(spoken) and spoken != theirs
    return bool(spoken) and spoken != {one for one in names if acts(one, question)}


def _named(asked: Asked, found: Ending, names: set[str]) -> str | None:
    """The words in front of a calculation that say what it comes to; None where they only say how
    it is worked out, or say it of somebody."""
    lead = found.lead
    if seeks := _SEEKS.search(lead):
        return seeks["what"]
    if (label := _LABEL.match(lead)) and {*WORD.findall(label["work"].lower())} & _WORKS:
        return None
    words = [one for one in WORD.findall(lead) if one.lower() not in ("so", "then", "therefore")]
    theirs = {*WORD.findall(asked.sentence)} | names
    if words and (words[0].lower() in _PERSONAL or (words[0].istitle() and words[0] in theirs)):
        done = [one for one in words[1:] if one.lower() not in _VERBS_BETWEEN]
        own = words[0].lower() in _OWN and done and done[0].lower() in _WORKS
        return None if own else " ".join(done)
    return lead


def _names(text: str, known: set[str]) -> bool:
    """Whether the first word of a text that says what it is of is one of what is asked for."""
    words = (one.lower() for one in WORD.findall(text))
    first = next((one for one in words if one not in FREE | _OF_NUMBER), None)
    return first is None or alike(first) in known
