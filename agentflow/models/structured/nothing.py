"""Texts that say nothing: a placeholder, or that there is nothing, or that its author has nothing.

    ...      <the statement>      N/A      Nothing more is needed.      I'm sorry, I can't help.

Only a text all of whose words are known ones is such. "None of the ten holds" has others.
"""

from __future__ import annotations

import re

from agentflow.models.structured.around import words

_NOTHING = words("""
    none no not nothing null nil undefined nan na tbd todo unknown empty omitted above blank never
    cannot can't don't doesn't didn't couldn't won't isn't aren't unable sorry apologize fixme
    placeholder
""")
"""Words that say so, of which such a text has one."""
_BESIDE = words("""
    applicable more else further other new additional is are was were be been needed necessary
    required left given found known missing see same as goes any the this that it of them there
    statement statements query queries fact facts question questions condition conditions answer
    answers value values step steps search reply response result results output plan plans task
    object problem text helps help helpful useful relevant fits fit apply applies can could do does
    did will would say said tell add know find found make give provide propose assist assistance
    continue comply complete request requests with without to for in on at all so but and or i i'm
    am we my your you me yet at enough information available specified mentioned an ai language
    model sure certain tools tool strategy way judge verify check decide determine assess evaluate
    refusal
""")
"""Words that say nothing of a problem, which may stand beside them."""
_MARKS = words("na null tbd todo undefined nan")
"""What stands for a text that is not there."""
_PLACEHOLDER = re.compile(
    r"(?:<[^<>\d]*>|\[[A-Za-z]+(?: [a-z]+)+\]|(?:your|the) [a-z]+(?: goes)? here)\.?", re.IGNORECASE
)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_NOT_APPLICABLE = re.compile(r"\bn\s?[/.]\s?a\b\.?", re.IGNORECASE)
_SAYS = re.compile(r"[^\s.…,;:!?*_#`'\"()\[\]{}<>|~=\\/–—-]")
"""A sign with which a text says something."""
_LONGEST = 200


def is_placeholder(text: str) -> bool:
    """Whether a text is only signs, a placeholder, or a mark that it is not there."""
    said = _NOT_APPLICABLE.sub("na", text.strip())[: _LONGEST + 1]
    if len(said) > _LONGEST:
        return False
    if not _SAYS.search(said) or _PLACEHOLDER.fullmatch(said):
        return True
    return said.strip(" .:()[]\"'*`_").casefold() in _MARKS


def says_nothing(text: str) -> bool:
    """Whether a text is a placeholder, or only says that there is nothing."""
    if len(text) > _LONGEST:
        return False
    said = _WORD.findall(_NOT_APPLICABLE.sub("na", text).casefold().replace("’", "'"))
    none = not _NOTHING.isdisjoint(said) and (_NOTHING | _BESIDE).issuperset(said)
    return none or is_placeholder(text)
