"""Whether a sentence only tells more of the thing that is an answer, and nothing of the answer.

Helicase. It breaks the hydrogen bonds between the base pairs.     tells more of the enzyme
Lima. It lost that title to Cusco.                                 speaks of its standing: not read

It begins with that thing, or a pronoun for it, and an act of it; it tells of other things, and has
no word by which it may deny, doubt or limit what was said, or that it stands so.
"""

from __future__ import annotations

import re

from agentflow.domains import spelling
from agentflow.domains.answers.doubt import SECOND_THOUGHTS, TAKEN_BACK
from agentflow.domains.answers.remark_words import DOUBTFUL, OF_ITS_AUTHOR
from agentflow.domains.spelling import lowered, word_set

_MAX, _FEWEST = 400, 3
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_SUBJECT = re.compile(
    r"(?:it|he|she|they|its [a-z]+|this (?P<kind>[a-z]+)|these (?P<kinds>[a-z]+)) "
    r"(?:(?:also|then|typically|usually|later) )?(?P<verb>[a-z]+) (?=\S)"
)
_VERB = re.compile(r"\W*(?:(?:also|then|typically|usually|later) )?(?P<verb>[a-z]+) (?=\S)")
_NO_ACT = word_set("""
    is was are were be been am has have had do does did can could may might must shall should will
    would and or of in on at by for from to with as than that which who when seems seemed sounds
    sounded looks looked appears appeared feels felt remains remained used ended ends stopped ceased
    lost loses lacks lacked fails failed tricks fools misleads confuses puzzles surprises deserves
    ranks ranked comes came gets got takes took goes went falls fell stands stood holds held says
    said claims claimed became becomes belongs belonged depends varies changed changes differs
    applies applied counts counted means meant follows turns turned
""")
"""Verbs by which something may be said to stand otherwise."""
_NO_THING = word_set("""
    answer question option choice statement claim fact value result name word term title sounds one
    guess reply response reasoning logic conclusion idea belief theory view sentence line
""")
_STANDING = word_set("""
    no not never nor neither none nothing nobody but if or either unless except without only just
    merely barely hardly scarcely nearly almost second third next former formerly previously until
    before longer anymore rank ranks title record credit credited claim claims rumor rumour myth
    legend belief believe believed believes thought think thinks name named called known record
    records list lists exam quiz question trick trap joke lie guess answer answers wrong right true
    false correct incorrect real really actual actually supposed supposedly allegedly reportedly
    officially technically historically people many some others another other first instead rather
    despite while whereas however though although yet still even once today now nowadays currently
    temporarily partly partially sometimes often rarely occasionally mostly mainly largely somewhat
    same different similar unlike like likely probably possibly perhaps maybe behind status honor
    honour position place reputation fame source sources expert experts critic critics historian
    historians scholar scholars i we you my your our me us copy copied stole stolen fake
""")
"""Words by which a sentence may speak of whether something is what is asked for."""
_OF_MOST = re.compile(r"\bmost of (?:the|its|their)\b|\bone of the\b|\b(?:in|for|to) which\b")


def tells_more(sentence: str, said: str, asked: frozenset[str] = frozenset()) -> bool:
    """Whether a sentence tells an act of the thing ``said``, and nothing else.

    Args:
        asked: Words of the question in small letters, none of which is the act.
    """
    text = spelling.plain(sentence).replace("**", "").strip(" *_\t\n")
    low = lowered(text)
    if not text.endswith((".", "!")) or len(text) > _MAX or re.search(r"[?:;=]", text):
        return False
    doubts = (DOUBTFUL, OF_ITS_AUTHOR, TAKEN_BACK, SECOND_THOUGHTS)
    if any(one.search(low) for one in doubts):
        return False
    name = lowered(said.strip(" *_\"'`"))
    if name and re.match(rf"(?:the |an? )?{re.escape(name)}s?\b", low):
        found = _VERB.match(low, low.index(name) + len(name) + 1)
        kind = ""
    else:
        found = _SUBJECT.match(low)
        kind = (found["kind"] or found["kinds"] or "") if found else ""
    if found is None or found["verb"] in _NO_ACT | asked or kind in _NO_THING:
        return False
    words = _WORD.findall(_OF_MOST.sub(" ", low))
    return _STANDING.isdisjoint(words) and len(words) > _FEWEST + 2 and _acts(found["verb"])


def _acts(verb: str) -> bool:
    """Whether a word may be a verb that tells an act, by how it ends."""
    return len(verb) > 3 and not verb.endswith(("ly", "ing", "ous", "ful", "less"))
