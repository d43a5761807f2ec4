"""How a text explains an option behind it.

    The answer is B. A warm drawer.
    This option keeps the yeast active by its warmth.     tells what the option does
    This suggests a different option.                     says too little, or of another
    Here's why:                                           leads to reasons
    Yeast may die where it is hot.                        a reason: it may say anything of a thing
    So the better option is A.                            speaks of an option: no reason

Of a sentence that tells what an option does, words of doubt and denial, and other options, are for
the caller to see.
"""

from __future__ import annotations

import re

from agentflow.domains.spelling import lowered, phrases

_NOUN = r"(?!(?:step|check|time|case|way|one|last|first|second)\b)[a-z][a-z-]*"
_DOES = phrases(r"""
    supports?; strengthens?; weakens?; undermines?; challenges?; suggests?(?: that)?
    indicates? (?:that )?; impl(?:y|ies) (?:that )?; means? that; shows? (?:that|how|why)
    demonstrates?; illustrates?; provides?; offers?; reflects?; identif(?:y|ies); points out
    addresses; explains?; describes?; captures?; resolves?; helps?; results? (?:in|from)
    leads? to; refers? to; involves?; includes?; contains?; facilitates?; forms?; creates?
    allows?; enables?; introduces?; represents?; aligns? with; matches; agrees? with
    accounts? for; focuses on; highlights?; emphasi[sz]es; states? (?:that|how|why)
    targets?; removes?; converts?; produces?; increases?; decreases?; reduces?; prevents?
    investigates?; measures?; detects?; assesses; uses?; occurs?; stems? from; arises? from
    is (?:consistent|compatible|in line) with
""")
_TELLS = re.compile(
    rf"\W*(?:(?:so|thus|therefore|hence|specifically|in this way),? )?"
    rf"(?:(?:this|that|these|it|which)(?: (?P<noun>(?:{_NOUN} ){{0,2}}?{_NOUN}))?"
    r"|option \(?(?P<letter>[a-j])\)?)"
    rf"(?: (?:also|directly|correctly|accurately|clearly|best|effectively|only))?"
    rf" (?:{_DOES})\b(?P<what>.*)",
    re.DOTALL,
)
_WORD = re.compile(r"[a-z][a-z'’-]+")
_FEWEST = 5
"""Words that have to stand behind the verb, or in a reason: fewer may say anything of an answer."""
_OF_IT = re.compile(r"\b(?:answers?|options?|choices?|letters?|ones?|others?|rest|above|below)\b")
"""What in such words may speak of another answer."""


def tells_of_option(low: str, own: str) -> bool:
    """Whether a sentence, in small letters, tells what the option does whose letter is ``own``."""
    return told_of_option(low, own) is not None


def told_of_option(low: str, own: str) -> str | None:
    """What such a sentence tells of that option; None for other sentences."""
    found = _TELLS.match(low)
    if found is None or found["letter"] not in (None, own.lower()) or _OF_IT.search(found["what"]):
        return None
    return found["what"] if len(_WORD.findall(found["what"])) >= _FEWEST else None


_REASONS = r"(?:explanation|reasons?|reasoning|rationale|justification)"
_INTRODUCES = re.compile(
    r"\W*(?:(?:here(?:['’]s| is) (?:why|(?:the|a|an|my|our) (?:[a-z-]+ ){0,2}"
    rf"(?:{_REASONS}|breakdown|analysis))|(?:(?:the|my|a) )?(?:[a-z-]+ )?{_REASONS}(?: process)?"
    rf"|why)\W*:|#{{1,6}} *{_REASONS}|[*_]{{2}}{_REASONS}[*_]{{2}})\W*"
)
"""What stands alone above reasons."""
_NO_THING = (
    r"(?:answer|option|choice|one|solution|statement|letter|conclusion|because|as|since|and|but"
    r"|in|for|if|when|to|here|that|is|of|on|with|by)"
)
OF_ANSWER = re.compile(
    r"\b(?:answers?|options?|choices?|choose|chosen|chose|pick(?:ed|s)?|letters?|incorrect(?:ly)?"
    rf"|correct(?! (?!{_NO_THING}\b)[a-z])"
    r"|right(?![ -](?:side|hand|angle|triangle|now|after)\b)(?<!to the right)|wrong|mistak\w*"
    r"|errors?|typo|actually|wait|hmm+|sorry|oops|better|best|guess\w*|ignor\w*|disregard|swap\w*"
    r"|(?<!class )switch\w*"
    r"|correction|unsure|doubt\w*|uncertain|unclear|ambigu\w*|first|second|third|fourth|latter"
    r"|former|other one|closest|none of|not (?:sure|certain|so)|else|contrary|reverse"
    r"|opposite(?! (?:charges?|signs?|directions?|sides?|spins?|poles?|faces?|strands?)\b)"
    r"|above|trust|reject\w*|unfortunately|on the other hand|that said|then again)\b"
    r"|\b(?:you|your|draft|decoy|jok\w+|(?:of|off) the (?:question|table))\b|\bit is\W*\Z"
    r"|\A\W*(?:but |and |so )?(?:instead|rather|everything but|not)\b"
)
"""What speaks of an answer, or of its author."""
AMONG = re.compile(
    r"\b(?:among|of|from|in) (?:all )?(?:the|these) (?:given |other )?(?:options|choices)\b"
)
BY_LETTER = re.compile(
    r"\b(?i:reaction|reactant|reagent|compound|product|intermediate|substance|molecule|particle"
    r"|group|type|vitamin|point|hepatitis|class|region|team|gene|strain|sample|operator|matrix|vector)s?"
    r" [A-J]\b(?:,? (?:and|or) [A-J]\b)?"
)
"""Things that are called by a letter."""
NAMED = re.compile(r"\b[A-J]\s*=|(?<=\w)-[A-J]\b|\(?\b[A-J]\)?-(?=\w)|\b[A-J](?=[+/*^(\\])")
"""A thing that is called by a letter, in a formula or in an option of several parts."""


def introduces(sentence: str) -> bool:
    """Whether a sentence only leads to reasons: ``Here's why:``"""
    return _INTRODUCES.fullmatch(lowered(sentence)) is not None
