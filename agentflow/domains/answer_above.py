"""Whether the text above an answer speaks against it: denies it, gives up, or gives another one.

The answer isn't 7. The answer is 7.      denied
I cannot solve this. The answer is 7.     given up
Result: 6, and below it: Answer: 7        two answers
"""

from __future__ import annotations

import re

from agentflow.domains.answer_doubt import SECOND_THOUGHTS, TAKEN_BACK
from agentflow.domains.answer_values import differ, trimmed
from agentflow.domains.spelling import lowered, phrases, word_set

_IS = r"(?:is|was|are|would be)"
_CANNOT = r"(?:can(?:not|['’]t| not)|could(?: not|n['’]t)|must not) be"
_NOT = (
    rf"(?:{_IS} (?:surely |clearly |certainly )?(?:not|never|no longer)|(?:is|was|are)n['’]t"
    rf"|{_CANNOT})"
)
_IT = r"(?:right|correct|true|possible|valid|it|(?:the|my|our) answer|the (?:right|correct) \w+)"
_WRONG = (
    rf"(?:(?:{_IS}|can be|(?:has|have) been) (?:\w+ly |just )?(?:wrong|incorrect|false|impossible"
    rf"|out|excluded|eliminated|ruled out)\b|{_NOT} {_IT}\b|fails\b(?! to)|[✗❌✘])"
)
_REJECT = r"(?:reject|discard|exclude|deny|dismiss|eliminate|rule out|ruled out)(?:s|d|ed)?"
_CALLED = r"(?:answer|result|solution|value|it|conclusion|statement)"

_UNABLE = (
    r"(?:cannot|can['’]t|could(?: not|n['’]t)|(?:un|not )able to|fail(?:ed)? to|impossible to)"
    r" (?:be )?(?:\w+ )?(?:solv|determin|answer|decid"
    r"|(?:find|get|tell|know|reach) (?:the|an?|wh\w+)\b)"
)
_GUESSES = phrases(r"""
    (?:must|have to|can only|will|just|simply|only|i|i['’]ll|we) guess; (?:a|my|our|wild) guess
    (?:i|we) (?:just )?(?:pick|picked|choose|chose) (?:\w+ )?at random
    there (?:is|are|was) no (?:solutions?|answers?|way); no (?:solution|answer) exists
    none of (?:this|that|it|the above|these) (?:is|are|was) (?:true|right|correct)
    (?:a|the|my|an) (?:wrong|false|incorrect|fake|deliberate\w*)(?: \w+)? (?:answer|solution|one)
    (?:below|what follows|the following) (?:\w+ ){0,3}(?:lie|false|wrong|untrue|joke|fake)
    (?:opposite|reverse|contrary) of (?:the )?(?:truth|answer|right|correct)
    (?:it|this) is impossible to (?:get|make|reach|solve|find|form)
""")
_SUPPOSES = (
    r"[\W_]*(?:(?:so|but|now|then|well),? )?(?:(?:suppose|assume|imagine|pretend)\b"
    r"|(?:ignor\w+|forget|disregard|skip|drop) (?:\w+ ){0,2}"
    r"(?:premise|rule|clue|fact|condition|constraint|that|this)\b"
    r"|under (?:the |an? )?(?:assumption|hypothesis|supposition)\b)"
)
_GIVES_UP = re.compile(rf"\A(?:{_SUPPOSES})|\b{_UNABLE}|\b(?:{_GUESSES})\b")
"""A sentence above an answer by which it is nobody's, or a guess."""
_OPEN = word_set("""
    uncertain unknown undetermined cannot none no not nothing impossible infeasible undefined empty
    0
""")
"""Words of answers that say that there is none."""
_PIECES = re.compile(r"(?<=[.!?:])[*_\"”')]*\s+|\n+")
_ENDED = re.compile(r"(?:[.!?:][*_\"”')]*\s*|\n\s*|\A[\W_]*)\Z")
_WORD = re.compile(r"[^\W_]")
_LABELLED = re.compile(
    r"(?i)(?!\s{2}|\s*[-*•]\s)[\W_]*(?:(?:the|my|our) )?(?:(?:final )?"
    r"(?:results?|output|response|verdict|conclusion|choice|prediction|decision|reply)|final"
    r"|ground truth|(?:expected|actual|correct|true|reference|right) answer|truth value|label|gold"
    r"|reference|truth)\b[*_]*\s*[:=][\s*_]*(?P<said>\S.*)"
)
"""``Result: 6``"""
_ALONE = re.compile(
    r"(?i)[\s*_#>$(\"“]*(?:(?:so|thus|therefore|hence),? )?"
    r"(?:it(?: is|['’]s) |i (?:choose|pick|say|conclude|go with) |my choice is )?[*_(]*"
    r"(?P<said>true|false|uncertain|unknown|yes|no|(?:north|south)[ -]?(?:east|west)?|east|west"
    r"|(?-i:[A-J])|\d[\d,]*(?:\.\d+)?)[\s*_$).\"”]*"
)
"""A line that can be nothing but an answer."""


def speaks_against(before: str, answer: str) -> bool:
    """Whether the text above an answer speaks against it.

    Args:
        before: The text up to where the answer is stated.
        answer: The answer, without signs around it.
    """
    return _denies(before, answer) or _gives_up(before, answer) or _gives_another(before, answer)


def _denies(text: str, answer: str) -> bool:
    """Whether a text says that an answer is wrong, and no word behind takes that back."""
    if not answer or len(answer) > 40 or answer not in text:
        return False
    said = rf"[\"“(*$]*(?<![\w.,'’/^+*-]){re.escape(answer)}(?![\w'’/^+*-]|[.,]\d)"
    begins = r"(?:\A|[.!?;,:\n(]\s*|\b(?i:so|options?|choices?|answer|that|but|and|value) )"
    letter = re.fullmatch("[A-J]", answer) is not None
    others = "(?:,? (?:and |or )?[A-J])*" if letter else ""
    before = rf"(?i:{_REJECT}) (?:[A-J],? (?:and |or )?)*" if letter else f"{_REJECT} "
    against = re.compile(
        rf"{begins}{said}{others}[\"”')*$]* {_WRONG}|\b{_CALLED} {_NOT} {said}|\b{before}{said}"
    )
    found = list(against.finditer(text))
    behind = text[found[-1].end() :] if found else ""
    return bool(found) and not (TAKEN_BACK.search(behind) or SECOND_THOUGHTS.search(behind))


def _gives_up(before: str, answer: str) -> bool:
    """Whether the sentence above says that what follows is a guess, or wrong, or only supposed."""
    if not _OPEN.isdisjoint(re.findall(r"[a-z0-9]+", lowered(answer))):
        return False
    pieces = [piece for piece in _PIECES.split(before) if _WORD.search(piece)]
    if pieces and not _ENDED.search(before):  # the sentence that states the answer has begun
        pieces.pop()
    return bool(pieces) and _GIVES_UP.search(lowered(pieces[-1][-300:])) is not None


def _gives_another(before: str, answer: str) -> bool:
    """Whether the line above is another answer: a truth value or an option that stands alone, or
    what is called the result."""
    lines = [line for line in before.split("\n")[:-1] if _WORD.search(line)]
    *_, further, above = "", "", *lines
    if labelled := _LABELLED.fullmatch(above):
        return differ(trimmed(labelled["said"]), answer)
    listed = _ALONE.fullmatch(above) and _ALONE.fullmatch(further)  # what there is to choose from
    return not listed and another(above, answer)


def another(line: str, answer: str) -> bool:
    """Whether a line can be nothing but an answer, and is another one."""
    found = _ALONE.fullmatch(line)
    return found is not None and differ(found["said"], answer)
