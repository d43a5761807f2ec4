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
from agentflow.domains.answers.remark_words import DOUBTFUL, OF_ITS_AUTHOR, WORD
from agentflow.domains.spelling import lowered, word_set

_MAX, _FEWEST = 400, 3
_SUBJECT = re.compile(
    r"(?:it|he|she|they|its [a-z]+|this (?P<kind>[a-z]+)|these (?P<kinds>[a-z]+)) "
    r"(?:(?:also|then|typically|usually|later) )?(?P<verb>[a-z]+) (?=\S)"
)
_ANOTHER_CLAUSE = re.compile(
    r"\b(?:it|them|him|her|that|this|these|those|they|he|she|which|who|over|below|above|than)\b"
    r"|, and (?:the|an?|its|his|her|[a-z]+s)\b|\band (?:the|an?) [a-z]+ [a-z]+s\b"
)
"""What may tell of something else, or of the same once more, behind an act."""
_VERB = re.compile(r"\W*(?:(?:also|then|typically|usually|later) )?(?P<verb>[a-z]+) (?=\S)")
_ACTS = word_set("""
    absorb act add aid allow attach attract begin bind boil border break build burn capture draw
    carry catalyse catalyze circulate clean collect compose conduct connect consist contain
    control convert cool cover cross cut deliver design develop digest direct discover drain
    drive eat emit enable encode escape examine exert experiment extend extract feature feed
    fill filter float flow fly form freeze fuel generate glow govern grow guide hang harbor heat
    help house hunt inhabit insulate invent join keep lay lead lie link live maintain make
    manage melt move notice occupy occur open orbit organise organize overlook paint pass perform
    plant play power prevent process produce propel protect provide publish pull pump push react
    receive record reflect regulate release remove repair replicate reproduce rise rotate run
    secrete sell send separate serve shape shine signal sing sit sleep span speed spend spin
    split start store strengthen stretch study supply support surround swim synthesize teach
    transfer transform transmit transport travel treat unite unwind unzip use vibrate wear weigh
    wind work write
""")
"""What a thing or a person may do that leaves open nothing of whether it is the answer."""
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
_SO_CALLED = re.compile(r"(?<=[a-z]{3} )(?:called|named|known as) (?=[A-Z])")
"""What gives another thing its name."""
_COMES_FROM = re.compile(r"(?<=[a-z]) (?:comes?|came|results?) from (?=[a-z])")
OF_MOST = re.compile(r"\bmost of (?:the|its|their)\b|\bone of the\b|\b(?:in|for|to) which\b")


def tells_more(sentence: str, said: str, asked: frozenset[str] = frozenset()) -> bool:
    """Whether a sentence tells an act of the thing ``said``, and nothing else.

    Args:
        asked: Words of the question in small letters, none of which is the act.
    """
    text = spelling.plain(sentence).replace("**", "").strip(" *_\t\n")
    text = _COMES_FROM.sub(" absorbs ", text, count=1)
    low = lowered(_SO_CALLED.sub("", text))
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
    if found is None or found["verb"] in asked or kind in _NO_THING:
        return False
    words = WORD.findall(OF_MOST.sub(" ", low))
    alone = _ANOTHER_CLAUSE.search(low, found.end()) is None
    return alone and _STANDING.isdisjoint(words) and len(words) > _FEWEST and acts(found["verb"])


def acts(verb: str) -> bool:
    """Whether a verb, in whatever form, tells an act."""
    bases = {verb, verb.removesuffix("s"), verb.removesuffix("es"), _PAST.get(verb, verb)}
    bases |= {verb.removesuffix(end) for end in ("ed", "d")} | {re.sub(r"i(?:es|ed)$", "y", verb)}
    bases |= {re.sub(r"(.)\1ed$", r"\1", verb)}
    return not bases.isdisjoint(_ACTS)


_PAST = {
    **{"wrote": "write", "made": "make", "built": "build", "ran": "run", "led": "lead"},
    **{"sang": "sing", "taught": "teach", "sold": "sell", "grew": "grow", "began": "begin"},
    **{"spent": "spend", "flew": "fly"},
}
