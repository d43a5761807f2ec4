"""What a question asks for, how many of which things, and the words that a clause says it in."""

from __future__ import annotations

import re
from typing import NamedTuple

from agentflow.domains.math.question import MAX_ASKED
from agentflow.domains.question_words import IRREGULAR
from agentflow.domains.spelling import stem, word_set
from agentflow.tools.quantities import singular

SENTENCES = re.compile(r"(?<=[.?!])[\"”]?\s+")
_ASKS = re.compile(r"(?i)\bhow (?P<how>many|much|far|long|old)\b(?P<of>[^?]*)")
_SUPPOSING = re.compile(
    r"(?i)(?:\A|,?\s)(?:if|given that|assuming)\b[^,?]*(?:,(?=[^,]*\?)|(?=\?|\Z))"
)
WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
AUXILIARY = word_set("""
    do does did is are was were will would can could has have had should must
""")
TIME = r"(?:day|week|month|year|hour|minute|morning|afternoon|evening|night)"
_PER_TIME = re.compile(rf"\b(?:each|every|per|an?|one|single) (?:single )?({TIME})\b")
_DAILY = {"daily": "a day", "weekly": "a week", "monthly": "a month", "yearly": "a year",
          "annually": "a year", "hourly": "an hour"}  # fmt: skip
PERSONS = word_set("he she it they him her them his their its i we you")
FREE = word_set("""
    a an the so thus therefore hence then there that this it which in of at to for with by on as and
    we us i you here s re means all he she they him her them his their its altogether total totally
    overall sum combined together whole final finally result is are was were be been makes gives
    comes up exactly just still
""")
"""Words of a clause that tell nothing of what its number is."""
TELLS_APART = word_set("""
    not each every per average more less fewer than half twice double extra additional other another
    both longer older taller farther further difference first second third fourth fifth last
    one two three four five six seven eight nine ten
""")
"""Words that make a clause speak of a part, of one of several, or of something else."""
_ALIKE = (
    "have has had is are was were be been hold holds held contain contains contained remain remains"
    " remained remaining left leaves leave leaving still now end ends ended finally keep keeps kept"
    " own owns go goes stay stays after",
    "earn earns earned make makes made receive receives received get gets got",
    "pay pays paid cost costs spend spends spent",
    "need needs needed take takes took taken require requires required last lasts lasted",
    "run runs ran ride rides rode walk walks walked drive drives drove driven travel travels"
    " traveled travelled cover covers covered",
    "buy buys bought purchase purchases purchased",
    "sell sells sold", "eat eats ate eaten", "read reads", "give gives gave given",
    "lay lays laid", "old age ages", "use uses used", "owe owes owed",
)  # fmt: skip
CLASS = {word: group.split()[0] for group in _ALIKE for word in group.split()}
_PAST = {
    **{"have": "had", "buy": "bought", "sell": "sold", "make": "made", "spend": "spent"},
    **{"give": "gave", "eat": "ate", "get": "got", "pay": "paid", "take": "took", "run": "ran"},
    **{"read": "read", "leave": "left", "lose": "lost", "win": "won", "catch": "caught"},
}
_BASES = {past: verb for verb, past in _PAST.items()}
_STOPS = word_set("in altogether remain remained remains left")
_WILL = re.compile(r"\b(?:will|can|could)\b")
_NOT = re.compile(r"n['’]t\b")
_MODAL = re.compile(r"\b(?:needs?|needed|has|have|had) to\b|\bmust\b")
ASKING = word_set("""
    how who what which where when if each every later after before now one two his her calculate
    many much did do does will would can could there question asked has had have
""")


class Asked(NamedTuple):
    """What is asked for: ``how`` many of which ``things``, and the ``rest`` of the ``sentence``."""

    how: str
    things: list[str]
    rest: str
    sentence: str


def asked_in(question: str) -> Asked | None:
    """What a question asks for in its last sentence."""
    *_, last = SENTENCES.split(question[-MAX_ASKED:].strip())
    sentence = _SUPPOSING.sub("", last)
    if _ASKS.search(sentence) is None:  # If a pen costs $2 how much do they cost?
        sentence = last
    found = _ASKS.search(sentence)
    if found is None:
        return None
    words = WORD.findall(found["of"])
    things = list[str]()
    for word in words:
        if word.lower() in AUXILIARY or (things and word.lower() in _STOPS):
            break
        things.append(word.lower())
    rest = " ".join(words[len(things) :])
    measured = found["how"].lower() in ("far", "long")
    most = 9 if "than" in things else 5
    if (len(things) > most and not measured) or len(things) == len(words):
        return None
    things = [word for word in things if word not in ("total", "in", "whole")]
    return Asked(found["how"].lower(), things, rest, sentence)


def subject_of(asked: Asked) -> list[str]:
    """The words behind the auxiliary verb up to the main one, as far as they name who is asked
    about."""
    words = WORD.findall(asked.rest.lower())[1:]
    if words and words[0] in PERSONS - {"his", "her", "their", "its"}:
        return words[:1]
    subject = list[str]()
    for word in words:
        if word in CLASS or word in ("in", "on", "at", "to", "for", "together"):
            break
        subject.append(word)
    return subject[:6]


def core_text(asked: Asked) -> str:
    return re.split(r"\b(?:if|that|who|when|after|before)\b", asked.rest.lower())[0]


def core_words(asked: Asked) -> set[str]:
    """The words of a question that have to tell apart what is asked for."""
    return {*WORD.findall(timed(core_text(asked))), *asked.things}


def timed(text: str) -> str:
    """A text in small letters, with one word for ``a day``, ``every day`` and ``daily``."""
    text = " ".join(_DAILY.get(word, word) for word in text.lower().split())
    return _PER_TIME.sub(r"per\1", text)


def content(text: str) -> set[str]:
    """The words of a text that tell what it speaks of, in one form, alike ones as one."""
    text = _MODAL.sub("modal", _WILL.sub("would", _NOT.sub(" not", text.lower())))
    return {alike(one) for one in WORD.findall(text) if one not in FREE}


def alike(word: str) -> str:
    base = _BASES.get(word) or IRREGULAR.get(word, word)
    found = CLASS.get(word) or CLASS.get(base) or stem(stem(singular(base)))
    return found.removesuffix("e") if len(found) == 4 else found  # bake, baked


def names_in(text: str) -> set[str]:
    """The words with a capital letter, but for those that stand in small letters, too."""
    words = {*WORD.findall(text)}
    low = {word for word in words if word.islower()}
    return {one for one in words if one.istitle() and one.lower() not in {*low, *FREE, *ASKING}}


def acts(name: str, text: str) -> bool:
    """Whether a name stands before a verb, or is whose something is: no weekday."""
    return re.search(rf"(?i)(?<!on )\b{name}(?:['’]s)?\s+[a-z]", text) is not None
