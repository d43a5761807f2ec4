"""Whether what a reply says of two things goes with a yes or no to whether they are the same.

Are both A and B from the same country?   A and B are British as well.     yes
                                          A is British, while B is Dutch.   no
"""

from __future__ import annotations

import re

from agentflow.domains import spelling

_ASKS = re.compile(r"(?i)\b(?:same|both|similar|alike|identical|in common|share)\b")
_ALIKE = re.compile(
    r"\b(?:as well|too|also|both|likewise|the same|share[sd]?|similarly|each)\b(?! \w+ to\b)"
)
_UNLIKE = re.compile(
    r"\b(?:while|whereas|but|different\w*|unlike|differ\w*|only one|other|instead|however|though"
    r"|although|only|neither|yet|by contrast|on the other hand)\b|;"
)
_DENIES = re.compile(r"\b(?:not|never|no|nor|none|nothing|too \w+ (?:to|for)|hardly)\b|n't\b")
_LABELLED = re.compile(r"(?m)^[\s*_•-]*(?P<name>[A-Z][^:\n]{1,40}):[*_ ]+(?P<said>[^\n]{2,80})$")
_SAME = re.compile(r"\b(?:same|similar|identical|alike|equal)\b")
_COUNTS = re.compile(r"\b(one|two|three|four|five|six|seven|eight|nine|ten|\d{1,3}) ([a-z]+)")
_IS_OF = re.compile(r"\b(?:american|british|english|[a-z]+(?:ian|ish|ese|can|tch|nch))\b")


def at_odds(question: str, said: str, text: str) -> bool:
    """Whether a reply compares two things otherwise than its yes or no."""
    if not _ASKS.search(question):
        return False
    low = spelling.plain(text).replace("*", "").lower()
    if said == "no":
        return bool(_ALIKE.search(low)) and not (_UNLIKE.search(low) or _DENIES.search(low))
    if _labelled_apart(text) and _SAME.search(low):
        return True
    if not re.search(r"(?i)\b(?:same|both|identical|alike)\b", question) or _ALIKE.search(low):
        return False
    kinds = re.findall(_IS_OF, low)
    apart = re.search(r"\b(?:while|whereas|but|different|unlike)\b", low)
    return bool(apart) and len(set(kinds)) > 1


def _labelled_apart(text: str) -> bool:
    """Whether two labelled lines say of two things what is not the same: other counts of one thing,
    or one word that differs."""
    found = [one["said"].strip(" .*_").lower() for one in _LABELLED.finditer(spelling.plain(text))]
    found = [one for one in found if one not in ("yes", "no")]
    if len(found) != 2:
        return False
    words = [_COUNTS.sub(lambda one: f"# {one[2].rstrip('s')}", each) for each in found]
    counts = [sorted(count for count, _ in _COUNTS.findall(each)) for each in found]
    if all(counts):
        return counts[0] != counts[1] and len({*words[0].split()} & {*words[1].split()}) > 1
    return all(each.isalpha() for each in found) and found[0] != found[1]
