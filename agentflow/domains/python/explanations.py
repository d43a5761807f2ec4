"""What may stand around a program that is held on to: what announces it, explains it, or ends.

    Here is the function: [...]                       it is held on to
    [...] It returns the sum. We need no loop.        it is held on to
    Previously I had: [...]                           is open
    [...] It breaks for b < 0. Swap the sign.         is open

Whether an explanation holds is another question (:mod:`~agentflow.domains.python.vocabulary`).
"""

from __future__ import annotations

import re

from agentflow.domains.answers.known_remarks import closes
from agentflow.domains.python import remarks
from agentflow.domains.python.vocabulary import is_english

_BLOCK = re.compile(r"(?ms)^[ \t]*(```|~~~).*?(?:^[ \t]*\1[ \t]*$|\Z)")
_ITEM = re.compile(r"\s*(?:[-*+•|✅✔✓☑]\ufe0f?|\d{1,2}[.)])\s")
"""How an item of a list begins, a row of a table, or what is ticked."""
_MARKUP = re.compile(r"<[!/\w]|~~")
"""What is struck out, or a comment."""
_OFFERS = re.compile(r"would you like me to (?:add|explain)\b[^?]*\?")
_ASKS = re.compile(
    r"(?:how|why) (?:(?:are|code|correct|do|does|efficient|function|is|it|name|that|the|this|use|we"
    r"|works?) ?)+\?"
)
"""A heading that is a question."""
_WAS = re.compile(
    r"the (?:bug|error|issue|mistake|problem|fault)(?: in (?:the|your) (?:original|first|old)"
    r"(?: \w+)?)? was (?:that|in|with|the|a|due)\b"
)
"""What says what was wrong with an earlier program."""
_OF_TASK = re.compile(
    r"\b(?:docstring|problem|prompt|question|specification|task|user)s? "
    r"(?:asks?|expects|requires|says|wants)\b|\basked for\b"
)
"""What behind a program says that it was to be another one."""


def announced(above: str) -> bool:
    """Whether the line in front of a block announces it, or explains it."""
    said = list(remarks.sentences(above))
    if not said:
        return not re.search(r"\w|<!|~~", remarks.bare(above))
    return not (_MARKUP.search(remarks.bare(above)) or remarks.denied(above)) and is_english(
        said[-1]
    )


_NOW = re.compile(r"(?:now|please|to finish)\b")
"""How an order begins that is none of the steps of a program."""


def explained(behind: str, *, mended: bool = False) -> bool:
    """Whether what stands behind a block only explains it, or ends the text.

    Args:
        mended: Whether it takes the place of an earlier one, whose fault may be spoken of.
    """
    for line in _BLOCK.sub("\n", behind).split("\n"):
        item = _ITEM.match(line) is not None
        for one in remarks.sentences(line):
            if (mended and _WAS.match(one)) or closes(one):
                continue
            if _OFFERS.fullmatch(one) or _ASKS.fullmatch(one):
                continue
            if remarks.against(one) or _OF_TASK.search(one) or "?" in one or not is_english(one):
                return False
            if remarks.orders(one) and (not item or _NOW.match(one)):
                return False
    return True


_PLANS = re.compile(r"(?:(?:step )?\d\W+)?pseudo-?code:?")
"""A heading in front of a program, whose section says how it goes about the problem."""


def find_fault(front: str) -> bool:
    """Whether a sentence of what stands in front of a program takes it back, or finds a fault."""
    found = map(remarks.unrequired, remarks.sentences(front))
    return any(map(remarks.against, (one for one in found if not _PLANS.fullmatch(one))))
