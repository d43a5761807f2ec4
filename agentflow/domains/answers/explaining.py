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
from collections import Counter

from agentflow.domains.answers.doubt import SECOND_THOUGHTS, TAKEN_BACK
from agentflow.domains.answers.remark_words import LETTER, OF_ITS_AUTHOR, letter
from agentflow.domains.sentence_ends import sentence_end
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
_OF_ANSWER = re.compile(
    r"\b(?:answers?|options?|choices?|choose|chosen|chose|pick(?:ed|s)?|letters?|incorrect(?:ly)?"
    rf"|correct(?! (?!{_NO_THING}\b)[a-z])"
    r"|right(?! (?:side|hand|angle|triangle|now|after)\b)(?<!to the right)|wrong|mistak\w*|errors?"
    r"|typo|actually|wait|hmm+|sorry|oops|better|best|guess\w*|ignor\w*|disregard|swap\w*|switch\w*"
    r"|correction|unsure|doubt\w*|uncertain|unclear|ambigu\w*|first|second|third|fourth|latter"
    r"|former|other one|closest|none of|not (?:sure|certain|so)|else|opposite|contrary|reverse"
    r"|above|trust|reject\w*|unfortunately|on the other hand|that said|then again)\b"
    r"|\b(?:you|your|draft|decoy|jok\w+|(?:of|off) the (?:question|table))\b|\bit is\W*\Z"
    r"|\A\W*(?:but |and |so )?(?:instead|rather|everything but|not)\b"
)
"""What speaks of an answer, or of its author."""
_OWN = r"\b(?:only |that |thus |so )?(?:option|choice|answer) \(?{own}\)?(?= [a-z])"
"""The option itself, of which more is said."""
_AMONG = re.compile(
    r"\b(?:among|of|from) (?:all )?(?:the|these) (?:given |other )?(?:options|choices)\b"
)
_LISTED = re.compile(r"\b(?:options|choices)\b")
_BY_LETTER = re.compile(
    r"\b(?i:reaction|reactant|reagent|compound|product|intermediate|substance|molecule|particle"
    r"|group|type|vitamin|point|hepatitis|class|region|team|gene|strain|sample|operator|matrix|vector)s?"
    r" [A-J]\b(?:,? (?:and|or) [A-J]\b)?"
)
"""Things that are called by a letter."""
_CONCLUDES = re.compile(
    r"\W*(?:so|then|thus|therefore|hence|consequently|accordingly|overall|finally|ultimately"
    r"|in (?:conclusion|summary|short|the end|fact)|to sum up|this means|conclusion|summary|result"
    r"|it (?:is|must|should|has)|that is)\b"
)
_QUOTED = re.compile(r"[\"“][^\"“”\n]{1,120}[\"”]")
_NAMED = re.compile(r"\b[A-J]\s*=|(?<=\w)-[A-J]\b|\(?\b[A-J]\)?-(?=\w)|\b[A-J](?=[+/*^(\\])")
"""A thing that is called by a letter, in a formula or in an option of several parts."""
_SENTENCE = sentence_end()
_ALONE = 3
"""Characters of a letter alone, behind which the text of its option may stand."""
_IT_DOES = re.compile(
    r",? (?:it|this|they) (?!is\b|are\b|was\b|were\b|must\b|has to\b|should\b)[a-z]"
)
"""What is said to follow for the thing that was spoken of."""
_NAMES = re.compile(r"[a-z][a-z'’-]{3,}")


def introduces(sentence: str) -> bool:
    """Whether a sentence only leads to reasons: ``Here's why:``"""
    return _INTRODUCES.fullmatch(lowered(sentence)) is not None


def without_reasons(behind: str, answer: str) -> str:
    """What stands behind an option that is the answer, without the reasons that it says it goes on
    with; all of it where the answer is no option with its text, or no reasons are announced."""
    own = letter(answer)
    first = "" if len(answer) > _ALONE else behind.split("\n", 1)[0]
    text = {*_NAMES.findall(lowered(f"{answer} {first}"))}
    if own is None or not text:
        return behind
    words = Counter(_NAMES.findall(lowered(f"{answer} {behind}")))
    introduced = False
    kept = list[str]()
    for line in behind.split("\n"):
        if line.strip() and not introduces(line):
            reason = _is_reason if introduced else _is_of_option
            said = [
                one
                for one in _SENTENCE.split(line)
                if not (reason(one, own, text) and _is_tied(one, words))
            ]
            kept += [" ".join(said)] if said else []
        elif introduces(line):
            introduced = True
        else:
            kept.append(line)
    return "\n".join(kept)


def _is_tied(sentence: str, words: Counter[str]) -> bool:
    """Whether a sentence has a word that stands elsewhere, too; what heads others need not."""
    own = Counter(_NAMES.findall(lowered(sentence)))
    return sentence.rstrip(" *_").endswith(":") or any(words[one] > own[one] for one in own)


def _is_of_option(sentence: str, own: str, text: set[str]) -> bool:
    """Whether a sentence tells what the option does, and says something of things with it."""
    low = lowered(sentence)
    found = _TELLS.match(low)
    told = told_of_option(low, own)
    if found is None or not told or not (found["noun"] or found["letter"]):
        return False
    return not _NOTHING.match(told) and _is_reason(sentence[-len(told) :], own, text)


_NOTHING = re.compile(
    r"\W*(?:no|not|nothing|none|neither|little|few|hardly|an?other|a different)\b"
)
"""How a sentence goes on that says of the option that it does not do so."""


def _is_reason(sentence: str, own: str, text: set[str]) -> bool:
    """Whether a sentence says something of things only: not of an answer, another option, or its
    author; nor does it conclude what has to do with the answer in no word."""
    sentence = sentence.replace("*", " ")
    low = _AMONG.sub(" ", lowered(_QUOTED.sub(" ", sentence)))
    low = re.sub(_OWN.format(own=own.lower()), "it", low)
    heads = sentence.rstrip(" *_").endswith(":")
    if not heads and len(_WORD.findall(low)) <= _FEWEST:
        return False
    low = _LISTED.sub(" ", low) if heads else low
    if any(one.search(low) for one in (_OF_ANSWER, OF_ITS_AUTHOR)) or "?" in low:
        return False
    if TAKEN_BACK.search(sentence) or SECOND_THOUGHTS.search(sentence):
        return False
    letters = LETTER.finditer(_BY_LETTER.sub(" ", _NAMED.sub(" ", sentence)))
    if {one[0] for one in letters} - {own}:
        return False
    concludes = _CONCLUDES.match(low)
    if heads or concludes is None or _IT_DOES.match(low, concludes.end()):
        return True
    return not text.isdisjoint(_NAMES.findall(low))
