"""Which sections of a text are about its program, and which are a lesson in front of it.

## Tutorial
A stack gives back last what came first.      is about stacks
## Solution
It sorts the list.                            is about the program
"""

from __future__ import annotations

import re

_BLOCK = re.compile(r"(?ms)^[ \t]*(```|~~~).*?(?:^[ \t]*\1[^\n]*|\Z)")
_HEADING = re.compile(r"(?m)^(?P<level>#{1,6})[ \t]+(?P<said>[^\n]*)")
_OTHER = re.compile(
    r"(?:\d+\. )?(?:(?:step|part) \d+\W+)?"
    r"(?:(?:(?:example|practice|related|relevant|sample|similar) (?:exercise|problem|question)s?"
    r"|background|further reading|prerequisites?|theory|tutorials?"
    r"|(?:(?:basic|core|key|main) )?concepts?)(?: (?:and|on|of|for|about)\b.*)?|.*\btutorial)"
    r"(?:/algorithms?)?\W*"
)
"""What a heading says, in small letters, whose section is not about the program."""


def about(text: str) -> str:
    """A text without the sections whose heading says that they are a lesson: up to the next heading
    of the same level, or of a higher one."""
    bare = _BLOCK.sub(lambda one: re.sub(r"[^\n]", " ", one[0]), text)
    kept, at, lesson = list[str](), 0, 0
    for heading in _HEADING.finditer(bare):
        level = len(heading["level"])
        if lesson and level > lesson:
            continue
        kept.append("" if lesson else text[at : heading.start()])
        said = heading["said"].lower().strip(" *_:#")
        at, lesson = heading.start(), level if _OTHER.fullmatch(said) else 0
    return "".join([*kept, "" if lesson else text[at:]])
