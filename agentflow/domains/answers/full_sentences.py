"""Whether an answer in a sentence is the short one that stands below it.

    Final answer: The sequel is Night Ferry.       Answer: Night Ferry      one
    Final answer: No, the canal is older.          Answer: no               one
    Final answer: Night Ferry is not the sequel.   Answer: Night Ferry      two
    Final answer: Lyon is larger than Brest.       Answer: Brest            two

The short answer ends the sentence, or is its subject; what the sentence denies, compares or offers
a choice of is another one.
"""

from __future__ import annotations

import re

from agentflow.domains.spelling import lowered

_FEWEST = 4
"""Words of a sentence."""
_LONGEST = 300
_OTHERWISE = re.compile(
    r"\b(?:not|no|never|neither|nor|or|either|rather|instead|unlike|except|but|than|more|less|fewer"
    r"|before|after|if|unless|whether|however|although|though)\b|n['’]t\b|\?"
    r"|\b(?:is|was|are|were) (?:much |far )?[a-z]{2,}er\b"
)
"""What such a sentence may deny, or set against something else."""
_LEADS = re.compile(
    r"\b(?:is|was|are|were|as|by|in|on|at|from|of|to|the|an?|called|named|titled|for|with|directed"
    r"|wrote|plays?|founded|won)[\W_]*\Z"
)
"""What a sentence leads to its end with."""
_DOES = re.compile(r"[\W_]*(?:is|was|are|were|has|had|have|did|[a-z]+(?:s|ed))\b")
"""How a sentence goes on behind its subject."""
_YES_NO = re.compile(r"[\W_]*(?P<said>yes|no)\b(?P<behind>[,:;.!–—-].*|\s*\Z)", re.DOTALL)


def says_in_sentence(sentence: str, answer: str) -> bool:
    """Whether a sentence says the answer, and nothing else."""
    low, said = lowered(sentence).strip(), lowered(answer).strip(" .!*_\"'“”")
    if not said or len(low) > _LONGEST or len(low.split()) < _FEWEST:
        return False
    if begun := _YES_NO.match(low):
        return begun["said"] == said
    if said in ("yes", "no", "true", "false", "uncertain") or len(said) < 3:
        return False
    place = low.find(said)
    if place < 0 or low.find(said, place + 1) >= 0:
        return False
    before, behind = low[:place], low[place + len(said) :]
    if _OTHERWISE.search(f"{before} {behind}"):
        return False
    ends = not re.search(r"\w", behind) and _LEADS.search(before)
    begins = not re.search(r"\w", before.removeprefix("the ")) and _DOES.match(behind)
    return bool(ends or begins)
