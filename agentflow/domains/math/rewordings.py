"""Other words for a question, and for a clause, that say the same in the usual form.

How big is each group of pens?       How many pens are in each group?
The total number of pens is 12       There are 12 pens in total
The total points they scored was 20  they scored 20 points in total
"""

from __future__ import annotations

import re

from agentflow.domains.math.naming_words import (
    AUXILIARY,
    Asked,
    alike,
    asked_in,
    content,
    core_text,
)
from agentflow.tools.quantities import singular

_TITLE = re.compile(r"\b(?:Mr|Mrs|Ms|Dr)\.? (?=[A-Z])")
_AGE_OF = re.compile(
    r"(?:(?<=[.,] )|\A)(?:[Cc]alculate|[Ff]ind|[Dd]etermine|[Ww]hat is) the age of"
    r" (?P<who>[A-Z][a-z]+)[.?]?\s*\Z"
)
_HOW_BIG = re.compile(
    r"[Hh]ow big is (?P<each>each (?P<set>group|set|pile|stack|team|pack|box|bag|row)"
    r"(?: of (?P<of>[a-z]+(?: [a-z]+)?))?)\s*\?\s*\Z"
)
_PUT_INTO = re.compile(
    r"(?i)(?:\A|[.,] |\bif |\band )(?:the )?(?P<things>[a-z]+(?: [a-z]+)?) (?:are|were) [a-z]+"
    r" (?:up )?(?:in|into) \d+ (?P<set>[a-z]+)\b"
)
_SIZE_OF = re.compile(r"(?i)\bthe size of (?=each )")
_WHAT_WILL = re.compile(
    r"\b([Ww]hat) (will|would) (?P<name>(?:the|her|his|their) [^?.,]+?) be\?\s*\Z"
)
_COMPARED = re.compile(r"\b(?:(?:as )?compared (?:to|with)|in comparison (?:to|with))\b")
_NUMBER_OF = re.compile(
    r"(?i)\b(?:the )?(?P<total>total )?(?:number|amount) of (?P<things>[a-z-]+(?: [a-z-]+)*?)"
    r"(?P<rest>(?: [a-z\d'-]+)*?) (?P<is>is|=|was|equals)\s*(?P<behind>[$(\d].*)"
)
_TOTAL_THINGS = re.compile(
    r"(?i)\b(?:the )?(?P<total>total )(?P<things>[a-z-]+)"
    r"(?P<rest>(?: [a-z\d'-]+)*?) (?P<is>is|=|was|were|equals)\s*(?P<behind>[$(\d].*)"
)
IN_ALL = re.compile(r"\b(?:total|altogether|in all|overall|combined|together|sum|entire|whole)\b")
"""What says that a number is of all."""


def of_question(question: str) -> str:
    """A question in the usual form."""
    question = _COMPARED.sub("than", _AGE_OF.sub(r"How old is \g<who>?", question))
    question = _WHAT_WILL.sub(r"\1 \2 be \g<name>?", question)
    big = _HOW_BIG.search(question)
    if big is None:
        return question
    sets = [
        one["things"] for one in _PUT_INTO.finditer(question) if singular(one["set"]) == big["set"]
    ]
    things = big["of"] or (sets[0] if len(sets) == 1 else None)
    return (
        f"{question[: big.start()]}How many {things} are in {big['each']}?" if things else question
    )


def of_clause(question: str, clause: str) -> str:
    """A clause in the usual form."""
    clause = _COMPARED.sub("than", _SIZE_OF.sub("", clause))
    found, asked = _NUMBER_OF.search(clause), asked_in(question)
    things = found["things"] if found else ""
    if found is None and asked and asked.things and (found := _TOTAL_THINGS.search(clause)):
        things = found["things"]
        if things.lower() != asked.things[-1] or len(asked.things) > 1:
            return clause
    if found is None:
        return clause
    rest = found["rest"]
    if asked and (named := " ".join(asked.things)) and f"{things}{rest} ".startswith(f"{named} "):
        things, rest = named, f"{things}{rest}"[len(named) :]
    front, behind = clause[: found.start()], found["behind"]
    is_ = "is" if found["is"] == "=" else found["is"]
    in_all = " in total" if found["total"] else ""
    if in_all and _says_all_of(asked, rest):
        in_all = ""
    return f"{front}{rest} {is_} {behind} {things}{in_all}"


def untitled(text: str) -> str:
    """A text without the titles of people."""
    return _TITLE.sub("", text)


def _says_all_of(asked: Asked | None, rest: str) -> bool:
    """Whether words behind ``the total number of pens`` say all that a question says of them, who
    asks for no total."""
    if asked is None or not rest.strip() or IN_ALL.search(asked.sentence.lower()):
        return False
    of_them = content(core_text(asked)) - {alike(one) for one in AUXILIARY}
    return of_them <= content(rest)
