"""Whether what an answer calls its number is another thing of the question than the one asked for.

A rectangle has a perimeter of 36 cm, its length is twice its width. What is its width?
width = 6, w = 6           may be the answer
length = 6, L = 6          another measure
Twice the width is 6.      another amount
What is the probability that the sum is 7?
P(8) = 1/6, P(not 7)       of something else
"""

from __future__ import annotations

import re

from agentflow.domains.spelling import word_set

_MEASURES = word_set("""
    length width height depth perimeter area volume radius diameter circumference distance time
    speed price cost profit revenue weight mass age
""")
_OF_MONEY = word_set("price cost profit revenue")
_NAMED = re.compile(r"[\s$\\(*]*(?:the )?(?P<name>[A-Za-z]+)\s*=(?!=)")
_CHANCE = re.compile(r"[\s$\\(*]*Pr?\((?P<of>[^()]{1,60})\)\s*=")
_TIMES = re.compile(r"\b(?:twice|double|triple|thrice)\b")
_SAYS = re.compile(r"\b(?:is|are|was|were)\b")
_WORD = re.compile(r"[a-z]+")
_ENDS = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")


def names_another(question: str, answer: str) -> bool:
    """Whether an answer has the name of something else: of another measure that the question
    gives, of another event, or of a multiple that is not asked for."""
    asked = _ENDS.split(question.strip())[-1].lower()
    if named := _NAMED.match(answer):
        others = {*_WORD.findall(question.lower())} & _MEASURES - {*_WORD.findall(asked)}
        name, measures = named["name"].lower(), {*_WORD.findall(asked)} & _MEASURES - _OF_MONEY
        if name in _MEASURES - _OF_MONEY and measures and name not in measures:
            return True
        initials = {one[0] for one in _WORD.findall(asked)}
        return name in others or (
            len(name) == 1 and name not in initials and name in {one[0] for one in others}
        )
    if chance := _CHANCE.match(answer):
        told = {*re.findall(r"\d+", chance["of"])}
        given = {*re.findall(r"\d+", question)}
        return not told <= given or ("not" in chance["of"] and "not" not in asked)
    low = answer.lower()
    return bool(_SAYS.search(low) and _TIMES.search(low)) and not _TIMES.search(asked)
