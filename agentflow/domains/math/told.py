"""What a sentence beside an answer says of the number that is asked for; and whether a question
above it is the one that is asked.

    How many clips did Natalia sell altogether?
    Natalia sold 73 clips altogether.      73
    That makes 73 clips.                   73
    Natalia sold 48 clips in April.        None: a part
"""

from __future__ import annotations

import re

from agentflow.domains.math.question import (
    HOW_MANY,
    IN_ALL,
    LETTER_ASKED,
    MAX,
    MAX_ASKED,
    PAST,
    RESULT,
    SINCE,
    THIRD,
    WORD,
    WORKED,
    counted,
    value_asked_for,
)
from agentflow.domains.spelling import word_set
from agentflow.tools.quantities import singular

_OF_ALL = re.compile(r"(?i)\b(?:in total|altogether|in all|overall|combined|a total of)\b")
_LEADING_TOTAL = re.compile(r"(?i)(?:in total|altogether|in all|overall),? ")
_LEFT = re.compile(r"\b(?:left|remaining|still|now)\b")
_REMAIN = r"(?:remain|are left|left|remaining|are remaining)"
_COMES_TO = (
    r"(?:the )?(?:grand |final |overall )?(?:total|sum)(?: number)?(?: (?:is|comes to|equals))? "
    r"|(?:that|this|it|which)(?:['’]s| is| makes| gives| comes to) "
)
_EVERY = re.compile(r"\b(?:per|each) (?=(?:day|week|month|year|hour)\b)")
_VALUE_IS = re.compile(
    r"(?i)the (?P<what>[a-z]+)(?P<of>(?: [a-z$\\()]+){0,10}) (?:is|equals) (?:equal to )?\$?"
    r"(?P<n>-?\d[\d,]*(?:\.\d+|/\d+)?)\$?(?: [a-z]+)?"
)
_OF_LETTER = re.compile(r" of \$?([a-zA-Z])\$?")
_WHAT_IS = re.compile(
    r"(?i)\b(?:what(?: is|['’]s)|find|compute|calculate|determine) the (?:exact )?(?P<what>[a-z]+)"
)
_NAMED_NUMBER = re.compile(r"\$?(?P<name>[a-zA-Z]) ?= ?(?P<n>-?\d[\d,]*(?:\.\d+)?)")
ASKS_WHAT = re.compile(r"(?i)[\W\d_]*(?:who|what|which|where|when|how)\b")
_ASKING = word_set("""
    who what which where when how many much is are was were be been do does did will would can could
    the a an of in to and there we us our for at on with by as it its question asked has had have
""")
_BASES = {past: verb for verb, past in PAST.items()} | {
    third: verb for verb, third in THIRD.items()
}


def said_of(question: str, sentence: str) -> str | None:
    """The number that a sentence says of the very thing that is asked for; None for a sentence that
    may speak of a part of it."""
    low = " ".join(sentence.replace("**", "").split()).rstrip(" .!$")
    low, question = (_EVERY.sub("every ", each) for each in (SINCE.sub("", low), question))
    if named := _NAMED_NUMBER.fullmatch(low):
        letters = {found[1].lower() for found in LETTER_ASKED.finditer(question[-MAX_ASKED:])}
        return named["n"] if named["name"].lower() in letters else None
    if total := _LEADING_TOTAL.match(low):
        low = f"{low[total.end() :]} in total"
    value, asks = _VALUE_IS.fullmatch(low), _WHAT_IS.search(question)
    if value and (letter := _OF_LETTER.fullmatch(value["of"])):
        return said_of(question, f"{letter[1]} = {value['n']}")
    if value and asks and value["what"].lower() == asks["what"].lower():
        return value["n"] if _of_question(value["of"]) <= _of_question(question.lower()) else None
    asked = HOW_MANY.search(question, max(0, len(question) - MAX))
    if asked is None:
        return value_asked_for(question, low)
    rest, things = asked["rest"].lower(), re.escape(asked["things"] or "")
    comes = re.fullmatch(rf"(?i)(?:{_COMES_TO})(?P<n>{WORKED})(?: {things})?{IN_ALL}?", low)
    if comes and _OF_ALL.search(rest):
        return _result(comes["n"])
    of_all, left = _OF_ALL.search(low), _LEFT.search(rest)
    if left and things:
        remain = re.fullmatch(rf"(?i)(?:there (?:are|is) )?(?P<n>{WORKED}) {things} {_REMAIN}", low)
        if remain:
            return _result(remain["n"])
        low = re.sub(r"(?i)\bnow has ", "has ", f"{low} left") if " now has " in low else low
    parts = " ".join(_OF_ALL.sub("", rest).split())
    whole = not parts or bool(left) or of_all is not None or low.lower().endswith(parts)
    return (whole and counted(question, low)) or value_asked_for(question, low)


def _result(worked: str) -> str | None:
    """What a calculation comes to."""
    number = RESULT.search(worked)
    return number[1] if number else None


def is_asked(question: str, line: str) -> bool:
    """Whether a question above an answer is the one that is asked, as far as its words tell: it has
    no other ones, and where one is asked for in all, it is not about a part."""
    question = question[-MAX_ASKED:].lower()
    words, known = (_of_question(each) for each in (line.lower(), question))
    if not words <= known:
        return False
    asked = HOW_MANY.search(question)
    rest = _of_question(asked["rest"]) if asked else set()
    return rest <= words or _OF_ALL.search(line) is not None


def _of_question(text: str) -> set[str]:
    """The words of a question that tell what is asked for, verbs in one form."""
    text = _OF_ALL.sub(" ", text)
    return {_BASES.get(word, singular(word)) for word in WORD.findall(text)} - _ASKING
