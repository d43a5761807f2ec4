"""What a text concludes of a subject: ``So the number of turns is **2**``, or a last line.

Whether the subject is what is asked is the domain's to say.
"""

from __future__ import annotations

import re

from agentflow.domains import answers
from agentflow.domains.answer_leads import leads

_CLAUSE = re.compile(r"(?i),? (?:so|thus|therefore|hence|because|since|as)\b,?|; ")
_ITEM = re.compile(r"(?:[-*•]|\d{1,3}[.)])\s.*[\w)*]")
"""A list's item without its full stop."""


def of_subject(text: str) -> str | None:
    """The sentence with the answer that a text states, where nothing but bold print shows it, and
    around it stand other words than may lead to any answer (``So the row is **2**``); else None."""
    found = list(answers.statements(text)) if "**" in text else []
    if not found or any(one.how != "conclusion" for one in found):
        return None
    sentence = text[found[-1].start : found[-1].end]
    if "**" not in sentence or any(answers.statements(sentence.replace("**", ""))):
        return None
    before, _, behind = sentence.rpartition("**")
    plain = leads(before.rpartition("**")[0]) and not behind.strip(" .!*")
    return None if plain else sentence


def grounds(text: str) -> list[str]:
    """The clauses of the sentence in which a text states its answer: ``There are 3 turns, so the
    answer is C`` has two."""
    found = list(answers.statements(text))
    sentence = text[found[-1].start : found[-1].end] if found else ""
    return [clause for clause in _CLAUSE.split(sentence) if clause.strip()]


def last_line(text: str) -> str:
    """The last line, where what stands above may lead up to it; else empty."""
    before, _, last = answers.ending(text).rpartition("\n")
    under = False
    for one in before.split("\n"):
        under = answers.supposed(one, under)
    line = answers.above(before)
    ended = f"{line}." if _ITEM.fullmatch(line) else before
    leads_up = answers.leads_up(ended) or answers.step(line)
    return last if leads_up and not under else ""


def has_more(text: str) -> bool:
    """Whether a text has more lines than its last: a plain sentence alone may be a step on the way,
    as a tree of thoughts has them."""
    return "\n" in text.strip()
