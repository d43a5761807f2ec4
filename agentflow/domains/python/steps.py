"""Which sentences order a step of a program: as comments in it, or as items of a list beside it.

``# move the left end``               a step, of the lines below the comment
``1. Collect the letters in a set``   a step, where it stands in a list
``It moves the left end.``            says of the program what it does
``# this version is older``           speaks of the program
"""

from __future__ import annotations

import re

_STEPS = """
    accumulate add adjust advance append apply assign build calculate call cast check choose clear
    close collect combine compare compute construct convert copy count create cycle decode decrease
    decrement define determine divide double drop encode ensure exclude extend extract fill filter
    find fix flip generate get go handle ignore include increase increment initialise initialize
    insert iterate join keep loop make map mark match merge modify move multiply negate normalise
    normalize open pad parse pick place pop prepend process push put raise read recurse reduce
    remove repeat replace reset return reverse rotate round save scan search select set shift skip
    slice sort split square start store strip subtract sum swap take track transform traverse trim
    try turn update use validate verify visit walk work yield
"""
_VERB = rf"(?:{'|'.join(_STEPS.split())})"
_GERUND = rf"(?:{'|'.join(one.removesuffix('e') for one in _STEPS.split())})(?:[bdgmnprt])?ing"
_FRONT = r"\W*(?:(?:step )?\d+[.):] )?(?:(?:first|then|next|now|finally|also),? )?"
_BRANCH = r"(?:if|elif|else|for|since|until|when|while)"
_WE = (
    r"(?:we|let us|let's)(?: can| will| need to| want to|'ll)?"
    r"(?: (?:first|then|now|just|also|\w+ly))?"
)
_COMMENT = re.compile(rf"{_FRONT}(?:{_VERB}|{_BRANCH}) [a-z0-9'\"(]")
_ITEM = re.compile(rf"{_FRONT}(?:(?:{_WE} )?{_VERB}|{_GERUND}) [a-z0-9'\"(]")
_ORDERED = re.compile(rf"(?:\A\W*|[,;:] |\b(?:and|or|then|to|we) )({_VERB}|{_GERUND})\b")
_OF_IT = re.compile(
    r"(?<!as )\b(?:it|this|that) (?:\w+ly |also |just )?"
    r"(?!(?:is|are) (?:not )?(?:a |an |the )?\w+ ?[,.]?\Z)"
    r"(?:\w+s|was|will|can|has|needs?)\b"
    r"|\b(?:this|that)\W*\Z|\bthis (?:as|at|only|one|with)\b|\b(?:another|other) one\b"
    r"|\b(?:this|the|our|whole|entire|other) (?:answer|code|function|program|script|solution"
    r"|version)\b"
)
"""What speaks of the program as such."""
_LISTED = re.compile(r"(?P<indent>[ \t]*)(?:[-*+•]|\d{1,2}[.)])[ \t]+\S")


def ordered(sentence: str, *, listed: bool = False) -> list[str] | None:
    """What a sentence, in small letters, orders to be done; None where it orders no step.

    Args:
        listed: Whether it is an item of a list, and no comment; a comment may name a case.
    """
    shape = _ITEM if listed else _COMMENT
    if shape.match(sentence) is None or _OF_IT.search(sentence):
        return None
    return _ORDERED.findall(sentence)


def items(text: str) -> list[str]:
    """The lines of a text that are items of a list with several."""
    found, open_list, lines = list[str](), list[str](), [*text.split("\n"), "end"]
    for line in lines:
        if _LISTED.match(line):
            open_list.append(line)
        elif line[:1].strip():  # at the margin, so the list has ended
            found += open_list if len(open_list) > 1 else []
            open_list = []
    return found
