"""Which sections of a text are about its program, and which are a lesson in front of it.

## Tutorial
A stack gives back last what came first.      is about stacks
## Solution
It sorts the list.                            is about the program
"""

from __future__ import annotations

import re

_HERE = "\0"
"""A sign for a place in a text."""
_BLOCK = re.compile(r"(?ms)^[ \t]*(```|~~~).*?(?:^[ \t]*\1[^\n]*|\Z)")
_HEADING = re.compile(r"(?m)^(?P<level>#{1,6})[ \t]+(?P<said>[^\n]*)")
_OTHER = re.compile(
    r"(?:\d+\. )?(?:(?:step|part) \d+\W+)?"
    r"(?:(?:(?:example|practice|related|relevant|sample|similar) (?:exercise|problem|question)s?"
    r"|algorithms?|background|further reading|prerequisites?|theory|tutorials?"
    r"|(?:(?:basic|core|key|main) )?concepts?)(?: (?:and|on|of|for|about)\b.*)?|.*\btutorial)"
    r"(?:/algorithms?)?\W*"
)
"""What a heading says, in small letters, whose section is not about the program."""
_TEXT = r"(?:answer|block|code|function|implementation|program|reply|response|section|solution)"
_OF_ANSWER = re.compile(
    rf"\bI(?=['’]| [a-z])|(?i:\b(?:me|my|{_TEXT} (?:above|below)"
    rf"|(?:final|following|last|next) {_TEXT}|(?:our|this) (?:answer|reply|response|solution)"
    rf"|(?:above|below) (?:are|is|was|{_TEXT}))\b)"
)
"""What a line of a lesson has that may speak of the answer all the same."""


def about(text: str) -> str:
    """A text without the sections whose heading says that they are a lesson: up to the next heading
    of the same level, or of a higher one. Lines of a lesson that may speak of the answer stay."""
    bare = _BLOCK.sub(lambda one: re.sub(r"[^\n]", " ", one[0]), text)
    kept, at, lesson = list[str](), 0, 0
    for heading in _HEADING.finditer(bare):
        level = len(heading["level"])
        if lesson and level > lesson:
            continue
        kept.append(_left(text[at : heading.start()]) if lesson else text[at : heading.start()])
        said = heading["said"].lower().strip(" *_:#")
        at, lesson = heading.start(), level if _OTHER.fullmatch(said) else 0
    return "".join([*kept, _left(text[at:]) if lesson else text[at:]])


def _left(lesson: str) -> str:
    """The lines of a lesson that may speak of the answer; its programs are none."""
    lines = _BLOCK.sub("\n", lesson).splitlines(keepends=True)[1:]
    return "".join(one for one in lines if _OF_ANSWER.search(one))


def before(text: str, place: int) -> str:
    """A text without the lessons in front of a place, unless that is in one of them."""
    front, rest = text[:place], text[place:]
    told = about(front + _HERE)
    return told.removesuffix(_HERE) + rest if told.endswith(_HERE) else text
