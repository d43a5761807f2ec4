"""The words around a drawn maze: its legend and its question, each understood to the last word."""

from __future__ import annotations

import re

from agentflow.domains import instructions
from agentflow.domains.markup import behind
from agentflow.domains.maze.claims import PLACE, WHO, Claim, end_of, plain, relation
from agentflow.domains.spelling import shortened
from agentflow.errors import BadInput

_KNOWN = (
    "known: 'How many right (left, total) turns are there in the path?', 'Is the exit (E) to the "
    "top left of the starting point (S)?'"
)
_FENCE = re.compile(r"(?m)^\s*(?:`{3,}|~{3,})\w*\s*$")
_IS = " ?(?:is|are|represents?|marks?|denotes?|means?|indicates?|stands for|shows?|=|:|->|-) ?"
_IS_DRAWN = (
    "(?: (?:is|are)(?: (?:marked|shown|drawn|represented|indicated))?(?: (?:by|as|with))?| ?[=:]) ?"
)


def _sign(sign: str) -> str:
    return rf"(?:(?:the )?(?:letters? |characters? |symbols? )?['\"]?{sign}['\"]?s?)"


def _noun(heads: str, others: str) -> str:
    """A phrase of these words alone, with one of ``heads`` in it."""
    head, word = rf"(?:{heads})(?![\w'])", rf"(?:{heads}|{others})(?![\w'])"
    return f"(?:(?:{others}) )*{head}(?: {word})*"


_OF = "|of the maze|of the path|in the maze"
_S, _E = r"(?:start(?:ing point)?(?: \(s\))?|s|\(s\))", r"(?:exit(?: \(e\))?|e|\(e\))"
_FROM_S_TO_E, _FROM_E_TO_S = (
    f"from (?:the )?{one} to (?:the )?{other}" for one, other in ((_S, _E), (_E, _S))
)
_WALL = _noun(
    "walls?|barriers?",
    "a|an|the|impassable|solid|cells?|blocks?|blocked|which is|which are|that is|that are" + _OF,
)
_FLOOR = _noun(
    "floors?|paths?|passages?|corridors?|cells?|spaces?|squares?",
    "a|an|the|open|free|empty|navigable|walkable|passable|within the maze" + _OF,
)
_START = _noun("start|starting|entrance|beginning", "a|the|your|point|position|cell|location" + _OF)
_EXIT = _noun(
    "exit|end|endpoint|goal|finish|destination", "an|a|the|or|point|position|cell|location" + _OF
)
_PATH = _noun(
    "path|route",
    "a|the|specific|provided|given|marked|single|taken|to take|to follow|you should follow|"
    f"you need to follow|to answer the question|through the maze|{_FROM_S_TO_E}" + _OF,
)
_SPACE = (
    r"(?:an? |the )?(?:empty |blank )?(?:['\"`] ['\"`](?: \(space\))?"
    r"|\(?spaces?\)?(?: characters?)?|blanks?)"
)
_LEGEND = (
    rf"{_sign('#')}{_IS}{_WALL}",
    rf"{_SPACE}{_IS}{_FLOOR}(?:,? but not necessarily the correct path to the exit)?",
    rf"{_sign('s')}{_IS}{_START}",
    rf"{_sign('e')}{_IS}{_EXIT}",
    rf"{_sign('x')}{_IS}{_PATH}",
    rf"(?:the )?walls?{_IS_DRAWN}{_sign('#')}",
    rf"(?:the )?(?:floor|open floor|corridors?){_IS_DRAWN}(?:an? )?(?:empty )?spaces?",
    rf"(?:the )?start(?:ing point|ing position)?{_IS_DRAWN}{_sign('s')}",
    rf"(?:the )?(?:exit|end|goal){_IS_DRAWN}{_sign('e')}",
    rf"(?:the )?(?:provided |marked )?path{_IS_DRAWN}{_sign('x')}",
    "legend",
    "(?:the )?(?:key|symbols)(?= ?:)",
)
_TURNED = r"(?:change in (?:movement )?direction (?:that is |of )?|turn (?:of )?)?"
_RELATIVE = r"(?: relative to the (?:previous|current) direction)?"
_QUARTER = r"(?:90(?: |-)?(?:°|degrees?)(?: turn)?|quarter turn)"
_DEFINITIONS = tuple(
    rf"(?:a )?{side} turn (?:is|means) (?:defined as )?(?:a )?{_TURNED}(?:a )?{_QUARTER} "
    rf"{clock}{_RELATIVE}"
    for side, clock in (("right", "clockwise"), ("left", "(?:anti-?|counter-?)clockwise"))
)
_MEANINGS = (
    "(?:,? (?:where|in which)(?: the)? (?:symbols|characters) have the following meanings?)?"
)
_IN_TEXT = (
    "(?: (?:below|in ascii|in text|(?:represented|drawn) (?:by|in|with|as) (?:ascii )?"
    "(?:text|characters?|symbols?|code)))?"
)
_INTRODUCTIONS = (
    rf"(?:here|below|this) is (?:a|the) maze{_IN_TEXT}{_MEANINGS}",
    r"(?:you are (?:given|presented with)|consider|look at) (?:a|the"
    rf"|this) (?:following )?maze{_IN_TEXT}{_MEANINGS}",
    rf"(?:the |this )(?:ascii )?(?:code|drawing|text|figure) represents a maze{_MEANINGS}",
    "(?:the )?maze",
)
_ITEM = re.compile(rf"(?:{'|'.join((*_LEGEND, *_DEFINITIONS, *_INTRODUCTIONS))})(?=[\s.,;:!)]|$)")
_BETWEEN = re.compile(r"(?:[\s.,;:•>]|[*-](?=\s)|\band )*")
_THE_PATH = (
    r"(?: (?:in|on|along) (?:the|this) (?:provided |given |marked |shown )?(?:path|route"
    r"|maze)(?: \(?(?:marked|indicated|shown|drawn) (?:by|with|as) (?:x|'x'|\"x\"|blue)\)?)?)?"
)
_HOW_MANY = re.compile(
    r"how many (?:(right|left|total)(?:-hand)? )?turns (?:are there|are made|are taken|are"
    r"|do you (?:make|take)|occur|does the (?:provided |given |marked )?(?:path|route) (?:have"
    rf"|make|take|contain))(?: in total)?{_THE_PATH}(?: (?:(?P<there>{_FROM_S_TO_E})"
    rf"|(?P<back>{_FROM_E_TO_S})))?{_THE_PATH} ?\?"
)
_IS_IT = re.compile(
    rf"is {WHO} ({PLACE}) {WHO}(?:, with no (vertical|horizontal) displacement)? ?\?"
)


def question_in(text: str) -> Claim:
    """What is asked: ``{"count": "right"}``, with ``"back": True`` where the path is walked from E
    to S, or a :func:`relation`.

    Args:
        text: Everything around the drawing and the options.

    Raises:
        BadInput: If it does not ask exactly one question of a known kind, or if a word of it is not
            understood.
    """
    words = plain(instructions.without(_FENCE.sub("", text)))
    found: list[Claim] = []
    place = behind(_BETWEEN, words, 0)
    while place < len(words):
        if item := _ITEM.match(words, place):
            place = item.end()
        elif (asked := _question(words, place)) is not None:
            found.append(asked[0])
            place = asked[1]
        else:
            rest = re.split(r"(?<=[.?!])\s", words[place:], maxsplit=1)[0]
            what = "no question of a known kind, could not read" if not found else "could not read"
            raise BadInput(f"maze: {what} {shortened(rest, 60)!r}; {_KNOWN}")
        place = behind(_BETWEEN, words, place)
    if not found:
        raise BadInput(f"maze: no question of a known kind; {_KNOWN}")
    if any(one != found[0] for one in found):
        raise BadInput("maze: there are two questions; ask one")
    return found[0]


def _question(words: str, place: int) -> tuple[Claim, int] | None:
    """(what the question that begins there asks, where it ends); None if it is none."""
    if many := _HOW_MANY.match(words, place):
        asked: Claim = {"count": many[1] or "total"}
        return asked | ({"back": True} if many["back"] else {}), many.end()
    if (lies := _IS_IT.match(words, place)) is None:
        return None
    one, phrase, other, displacement = lies.groups()
    found = relation(one, phrase, other)
    if found is None or end_of(one) == end_of(other):
        return None
    if displacement:
        axis = 0 if displacement == "vertical" else 1
        if found["signs"][axis] not in (None, 0):
            return None  # above, without being higher
        found["signs"][axis] = 0
    return found, lies.end()
