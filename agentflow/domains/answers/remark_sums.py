"""What a sentence behind an answer works out, against what the answer comes to.

14 + 3 = 17            adds up
This gives 15.         says another number than the answer 14
3 * 4 + 2              is worth what the answer is
"""

from __future__ import annotations

import re
from fractions import Fraction

from agentflow.domains import arithmetic
from agentflow.domains.answers.remark_words import CALL, MAX_SENTENCE, WORD, letter
from agentflow.domains.spelling import NUMBERS, lowered, word_set

_FEW_WORDS = 120
_LABELLED = r"[\W_]*(?:[A-Z][a-z]+(?: [a-z]+){0,2}:[\W_]*)"
_THEN = r"(?:(?i:so|then|therefore|thus|hence|and|which|as|because|since|that)\b[\W_]*)"
_SAID = (
    r"[*$\"'(]*(?P<said>-?[(\d][-+*/×÷·().,\d ]*|[A-Z][a-z]+(?:[ -][A-Z]?[a-z]+)?)"
    r"(?: is what (?:we|i) (?:get|got|have|find))?[\W_]*"
)
_SAYS_RESULT = (
    re.compile(
        rf"{_LABELLED}?[\W_]*{_THEN}*(?:(?i:it|this|that|which|there|(?:the )?(?:final )?(?:answer"
        r"|total|result|sum|count|value|check)(?: we (?:computed|got|found))?"
        r"|(?:all|every)[a-z ]{0,12}|the evidence)"
        r" (?:is|are|equals|comes to|gives|makes(?: it)?|must be|has to be|supports?|points? to)"
        r"|(?i:we|i) (?:must |then |finally )?(?:get|got|computed|obtain|choose|chose|counts?"
        rf"|counted)) {_SAID}"
    ),
    re.compile(rf"(?:{_LABELLED}{_THEN}*|[\W_]*{_THEN}+){_SAID}"),
)
"""What says in a few words what something comes to: ``This gives 15.``"""
_VALUE_IS = re.compile(
    r"\b(?:value|result|total|answer|sum) (?:is|becomes|equals|comes to) [$(*]{0,4}"
    r"(-?\d[\d,]*(?:\.\d+)?)(?![\w%]|[.,/]\d)"
)
"""What says what the result is, in whatever sentence: ``After that the value is 8.``"""
COUNTS = re.compile(
    rf"there (?:is|are) (?P<n>\d{{1,6}}|{'|'.join(NUMBERS)})"
    r"(?! (?:more|fewer|extra|other))(?: [a-z]+){1,4}\b.*"
    r"|(?:the )?(?:total )?number of (?:[a-z]+ ){1,8}is (?P<k>\d{1,6})[\W_]*"
)
"""How many there are of something."""
NUMBERS_TOLD = re.compile(
    rf"(?<![\w.])(?:\d[\d,]*(?:\.\d+)?|{'|'.join(set(NUMBERS) - {'zero', 'one'})})(?![\w%])"
)
"""A number, in digits or as a word, but for none and one."""
_STATES_SHARE = re.compile(
    r"[\W_]*(?i:(?:so|thus|therefore|hence),? )?(?i:the|its|our|this|that|it) (?:[a-z-]+ ){0,5}"
    r"(?:is|are|equals|comes to) [$\\( *]*(?P<share>\\?[dt]?frac\{\d+\}\{\d+\}|\d+/\d+"
    r"|\d[\d.]*(?=\s*\\?%))\s*(?P<percent>\\?%)?[\s$)*.!\\]*"
)
_SO = re.compile(
    r"(?:[,;]|\band) (?:so|thus|therefore|hence|leaving|making|giving|totall?ing"
    r"|(?:which|that) (?:leaves|makes|gives|means))\b"
)
"""What leads to what a sentence comes to."""
_RUN = re.compile(r"[-+*/().\d ×÷]{9,}")
_JOINING = word_set("first second then and so next finally now we get have")
"""Words of a sentence that only works something out: ``First, 17 * 3 = 51.``"""
_EQUATION = re.compile(
    r"(?<![\w^})\\+*/-])(?<!\b[a-zA-Z] )(?<![\d^})\\+*/-] )[-(\d.×÷·−$ ]"
    r"[-+*/().\d×÷·−$ ]*\d[)\s$]*(?:=[\s$]*[-+*/().\d×÷·−$ ]*\d(?![\d^])[)\s$]*(?!\^))+"
)
"""Arithmetic, which nothing unknown is a part of."""


def adds_up(sentence: str) -> bool:
    """Whether no equation of a sentence is plainly wrong; what is rounded is not looked at."""
    if "=" not in sentence or len(sentence) > MAX_SENTENCE:
        return True
    for found in _EQUATION.finditer(arithmetic.plain(sentence)):
        sides = [arithmetic.parse(side.strip(" .$")) for side in found[0].split("=")]
        values = {arithmetic.value(side) for side in sides if side is not None}
        if len(values) > 1 and "." not in found[0].strip(" ."):
            return False
    return True


def works_out(low: str, place: int = 0) -> bool:
    """Whether a sentence, in small letters, only works something out, from a place on."""
    return "=" in low and _JOINING.issuperset(WORD.findall(low, place))


def says_another(sentence: str, answer: str) -> bool:
    """Whether a sentence says that something comes to another number, or name, than an answer."""
    values = [found[1].replace(",", "") for found in _VALUE_IS.finditer(sentence)]
    if values and not any(is_worth(one, answer) for one in values) and worth_of(answer) is not None:
        return True
    if len(sentence) > _FEW_WORDS:
        return False
    found = next(filter(None, (one.fullmatch(sentence) for one in _SAYS_RESULT)), None)
    if found is None or letter(answer) is not None or answer == CALL:
        return False
    said = found["said"].rstrip("., ")
    if not said[-1:].isalpha():
        return not is_worth(said.replace(",", ""), answer)
    words = {*WORD.findall(lowered(said))}
    return words.isdisjoint(WORD.findall(lowered(answer)))


def counts_otherwise(low: str, answer: str) -> bool:
    """Whether a sentence has one number, and an answer has another: ``Chen has 15 apples left.``;
    or each is a calculation, and they come to something else."""
    calculated = [one[0] for one in _RUN.finditer(low)] if "=" not in low else []
    if any(_is_calculation(one) and not is_worth(one, answer) for one in calculated):
        return _is_calculation(answer)
    told, said = ({*map(_counted, NUMBERS_TOLD.findall(each))} for each in (low, lowered(answer)))
    return len(told) == 1 and bool(said) and told.isdisjoint(said)


def leads_otherwise(low: str, answer: str) -> bool:
    """Whether a sentence comes to another number than an answer which is one: ``She returned 10 of
    them, so 62 remain.``"""
    led = [found.end() for found in _SO.finditer(low)]
    told = NUMBERS_TOLD.findall(low, led[-1]) if led and worth_of(answer) is not None else []
    return bool(told) and {*map(_counted, told)}.isdisjoint(
        map(_counted, NUMBERS_TOLD.findall(lowered(answer)))
    )


def states_otherwise(sentence: str, answer: str) -> bool:
    """Whether a sentence gives something a fraction or a percentage that is not an answer which is
    a number: ``The chance is 40%.``"""
    found = _STATES_SHARE.fullmatch(sentence)
    worth = worth_of(answer)
    if found is None or worth is None:
        return False
    share = worth_of(found["share"])
    return share is not None and worth not in (
        {share, share / 100} if found["percent"] else {share}
    )


def _is_calculation(text: str) -> bool:
    """Whether a text is a calculation with more than one number."""
    return isinstance(arithmetic.parse(arithmetic.plain(text).strip(" $.,")), tuple)


def _counted(number: str) -> Fraction:
    """What digits, or a word of them, say."""
    return Fraction(NUMBERS[number] if number in NUMBERS else number.replace(",", ""))


def is_worth(said: str, answer: str) -> bool:
    """Whether a number, or a calculation, comes to what an answer does."""
    worth = worth_of(said)
    return worth is not None and worth == worth_of(answer)


def worth_of(answer: str) -> Fraction | None:
    """What an answer that is arithmetic comes to."""
    read = arithmetic.parse(arithmetic.plain(answer.partition("=")[0]).strip(" $."))
    return None if read is None else arithmetic.value(read)
