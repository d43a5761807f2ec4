"""What a text says of the options that are not its answer, each on a line or in a list of its own.

    **Why the other options are wrong:**
    * **A) A cold room:** the bread does not rise there.
    * **C) A full oven:** nothing bakes evenly.

Such lines deny, and speak of other letters; they leave the answer as it is, unless one of them says
well of its option, or takes something back.
"""

from __future__ import annotations

import re

from agentflow.domains.answers.doubt import SECOND_THOUGHTS, TAKEN_BACK
from agentflow.domains.answers.remark_words import LETTER, letter
from agentflow.domains.spelling import lowered

_HEADING = re.compile(
    r"(?i)(?=.{1,120}\Z)(?:[^.?!\n]*\s|[\W_]*)(?:other|remaining|incorrect|wrong) (?:answer )?"
    r"(?:options|choices|answers)\b(?:[^.?!\n]*:|[^.?!\n]*\*\*|[\w ]{0,40})[\W_]*"
)
"""What heads such a list."""
_ITEM = re.compile(
    r"\s{0,8}(?:[-*•]|\d{1,2}[.)])?\s{0,4}[*_]{0,3}(?:(?i:option|choice|answer)s?[\s*_]{0,3})?"
    r"(?:[(\[]?(?P<letter>[A-J])[)\]]?[*_]{0,3}[.:)]|\((?P<other>[A-J])\))"
)
"""How a line begins that is about an option."""
_NAMED = re.compile(r"\((?:(?i:option|choice) )?(?P<letter>[A-J])\)[*_:]{0,4}")
"""The letter of an option behind what it says, near the beginning of a line."""
_NEAR = 120
_FEWEST = 2
"""Words that have to stand behind the letter of an option."""
PRAISES = re.compile(
    r"(?<!not )(?<!in)(?<!n['’]t )(?<!never )\b(?:also |actually |indeed |in fact )?"
    r"(?:correct(?:ly)?|right|best|better|valid|true|plausible|possible|acceptable|likely|works?"
    r"|fits?|holds?|matche[sd]?|satisf\w+|the answer)\b"
)
"""What may say well of an option."""
_DENIED = re.compile(
    r"\b(?:while|although|though|but|however|less|not|no|never|nor|un|cannot|hardly|without)\b"
    r"|n['’]t\b|\bincorrect\b"
)
_IS_WRONG = re.compile(
    r"(?i)\b(?:this|that)(?: is| was|['’]s) (?:wrong|incorrect|not (?:right|correct))\b"
)
"""What is said of the option of a line."""
_RULES_OUT = re.compile(
    r"\b(?:wrong|unlikely|irrelevant|unrelated|contradicts?|fails?|violates?|too(?= [a-z])|only"
    r"|less|neither|lacks?|misses|opposite|false|ruled out|eliminated)\b"
)
"""What rules an option out, besides a denial."""
OF_WRITER = re.compile(
    r"\b(?:i|i['’]\w+|my|me|wait|actually|hmm+|sorry|oops|instead|correction|answer|correct one)\b"
)


DENIES = re.compile(f"{_DENIED.pattern}|{_RULES_OUT.pattern}")
"""What rules something out, or limits it."""


def without(text: str, answer: str) -> str:
    """A text without the lines about other options than the one that is the answer; all of it where
    that has no letter."""
    own = letter(answer)
    if own is None or "\n" not in text:
        return text
    kept, headed = list[str](), False
    for line in text.split("\n"):
        heads = heads_others(line)
        headed = headed or heads
        if not (heads or _is_of_another(line, own, headed)):
            kept.append(line)
    return "\n".join(kept)


def heads_others(line: str) -> bool:
    """Whether a line leads to what is said of the other options."""
    return _HEADING.fullmatch(line) is not None


def _is_of_another(line: str, own: str, headed: bool) -> bool:
    """Whether a line is about another option, and rules it out, or stands in a list of those that
    are out and says nothing well of it."""
    found = _ITEM.match(line) or (
        _NAMED.search(line, 0, _NEAR) if line.lstrip()[:1] in ("-", "*", "•") else None
    )
    if found is None:
        return False
    about = found["letter"] or found.groupdict().get("other")
    behind = line[found.end() :]
    named = {one[0] for one in LETTER.finditer(behind)}
    low = lowered(behind)
    if about == own or own in named or OF_WRITER.search(low):
        return False
    if len(low.split()) < _FEWEST:
        return False
    told = _IS_WRONG.sub("", behind)
    if TAKEN_BACK.search(told) or SECOND_THOUGHTS.search(told):
        return False
    if not (headed or _DENIED.search(low) or _RULES_OUT.search(low)):
        return False
    return not any(
        PRAISES.search(one) and not _DENIED.search(one) for one in re.split(r"(?<=[.!?;])\s", low)
    )
