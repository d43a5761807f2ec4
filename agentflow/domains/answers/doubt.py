"""What keeps a sentence about an answer from stating it: doubt, denial, quotation, second thoughts.

All but :data:`TAKEN_BACK` read small letters.
"""

from __future__ import annotations

import re

from agentflow.domains.answers.remark_words import ODD_SIGN
from agentflow.domains.spelling import lowered, phrases

_DOUBT = phrases(r"""
    if; whether; unless; suppos\w+; assum(?:e|ing); imagine; pretend; maybe; perhaps
    hypothe(?!s[ie]s\b)\w*; (?<!the )(?<!and )hypothes[ie]s
    (?:by|under|on|with|from|if|given|following) the hypothes[ie]s
    possibly; probably; might; could; may; unsure; wonder\w*; doubt\w*; guess\w*; expected; someone
    otherwise; once; until; whatever; would have; not (?:sure|certain|clear); format; example; e\.g
    sample; template; sanity; as long as; not (?:true|the case) that; provided; in case; allegedly
    supposedly; naively; falsely; incorrectly; myth; at first (?:glance|sight); either
""")
_DENIAL = phrases(r"""
    not; never; neither; nor; cannot; hardly; myth; disagree\w*
    wrong; incorrect; false(?:ly)?; reject\w*; mistake\w*
    no(?:body| one); says; said; claims?; claimed; thought; than; like; no way; no longer
    tempt\w+; refuse; for now; fails?; failed; invalid; closest; no solution; let(?:['’]s| us) say
""")
_OTHERS = "people|many|some|others?|most|one|you|they|students?|everyone|anyone|models?"
_THINK = "say|think|believe|argue|conclude|answer|expect"
_AIMS = "let me|let's|need to|should|want to|have to|going to|try to|must|to"
_CHECK = "verify|check|confirm|see|find|make sure|determine|know|ensure|show|prove"
_DOUBTED = re.compile(rf"\b(?:{_DOUBT})\b|[❌✗✘🚫]")
_DENIES = re.compile(
    rf"\b(?:{_DENIAL}|(?:{_OTHERS}) (?:\w+ ){{0,2}}?(?:{_THINK})"
    rf"|(?:{_AIMS}) (?:\w+ )?(?:{_CHECK}))\b"
    r"|n['’]t\b"
)
RESET = re.compile(r"(?:[,;:]|\band) (?:so|therefore|thus|hence|which means|meaning)\b")
_OF_ANOTHER = re.compile(
    r"\b(?:classic|famous|usual|original|standard|traditional|typical|well-known|textbook"
    r"|initial|previous|earlier|old|draft|tentative|preliminary|provisional)\b"
    r"(?:\s+\w+){0,3}\s*$"
)
"""What is said so is the answer to another problem, or was the answer before."""
_WOULD = re.compile(r"\b(?:would|might|could)\b")
BACK = re.compile(
    r"\b(?:wrong|incorrect|not (?:right|correct|possible|valid|what)|impossible"
    r"|can(?:not|['’]t) be|which contradicts|isn['’]t|doesn['’]t|mistake|only if|provided|unless"
    r"|assuming|i guess|i['’]m not)\b| if |(?:^|[.…,;–—-])\s*(?:oh,? )?(?:wait|no|hmm),\s"
)
TAKEN_BACK = re.compile(
    r"(?i)(?:^|[.!?…\n]|\s-|–|—)[\s*_]{0,8}(?:"
    r"(?:(?:no|but|oh)[,.]?\s)?(?:wait|actually|hold on|hmm)[,.!… ]{1,4}"
    r"(?:no\b|not\b|scratch|(?:that|this)(?:['’]s| is)|it(?:['’]s| is)|the answer"
    r"|i (?:was|am|made|think)"
    r"|maybe|actually(?!,? (?:let|i['’]ll|i will|i should|i need)))"
    r"|correction|w?oops|sorry|make (?:that|it)\b"
    r"|scratch that|on second thoughts?|just kidding|no[,;]"
    r"|(?:it )?turns out(?: that)? (?:i|(?:that|this|it) (?:was|is)n?['’]?t?\b)"
    r"|i (?:was|am) (?:wrong|mistaken|off\b)|i made an? "
    r"|(?:that|this)(?:['’]s| is| was) (?:wrong|incorrect|not right|not correct))"
)
"""What begins a sentence that takes back what was said before it."""
SECOND_THOUGHTS = re.compile(
    r"(?i)(?:^|[.!?…\n])[\s*_]{0,8}(?:(?:but|oh|no|ok|okay)[,.]?\s)?"
    r"(?:wait|hold on|hmm|or (?:is it|maybe|perhaps)|perhaps|maybe|actually|on reflection"
    r"|edit(?:ed)?(?=:(?! (?:formatting|layout|spelling)\b))|revis(?:ed|ion)|update(?=:)"
    r"|let me re(?:consider|think))\b(?=\W*\w)"
    r"(?!,? (?:let me|let['’]s|i['’]ll|i should)(?:\s*\Z|(?: \w+)?"
    r" (?:verify|check|double|re-?check|confirm)))"
)
"""What begins a sentence with which an answer is open again, until it is stated once more; who only
checks it holds on to it."""
_REJECTION = re.compile(
    r"\b(?P<of>fail(?:s|ed)?|wrong|incorrect|invalid|opposite|mistaken|impossible(?! to\b)|rejected"
    r"|discarded|unanswered|(?:not|\w{2,6}n['’]t)(?: \w+){0,2}?"
    r" (?:right|correct|valid|(?:the|my|an) answer|work|hold))\b"
    r"|\b(?:disregard|ignore|scrap|retract|withdraw)\b"
    r"|(?:^|[.!?…\n])[\s*_(]{0,8}(?:err?|nope|ah|uh|ugh)\b[,.!…]"
)
"""What may reject an answer; ``of`` is a word that does so in a sentence about the answer."""
_REFERS = re.compile(
    r"\b(?:this|that|it|these|those|which|above|answer|solution|expression|result|i)\b"
)
"""What a sentence about an answer calls it."""
_NEAR = 80
"""Characters in front of a word that are its sentence at most."""
_TELLS = phrases(r"""
    than; like; could; might; may; would have; once; until; said; expected; format; probably
    neither; nor; not [^,;]{1,40} but; if (?:we|you|one) [^,]{1,80}, (?:then )?(?:we|you|one|it)
    (?:original|initial|previous|earlier|old|standard|usual)(?! (?:answer|solution|guess))
    (?:that|which|who) (?:\w+ ){0,3}?(?:not|cannot|never)
    such that [^,;]{1,60}? (?:not|cannot|never); not (?:divisible|a multiple)
    but not (?:by|in|both)
    (?:needed|required|necessary|sufficient) to (?:\w+ )?(?:ensure|guarantee|find|determine|know)
    number of guesses; guessed (?:squares?|numbers?|letters?|cells?)
    (?!(?:answer|option|choice|value|one|that|is|the)\b)[a-z]+ closest to
""")
_TOLD = re.compile(rf"\b(?:{_TELLS})\b")
"""What a sentence may say of what it marks."""
_REPORTED = re.compile(
    r"\b(?:people|others?|students?|everyone|anyone|one|models?|users?|you|he|she|they|friend|classmate"
    r"|teacher|professor|somebody|someone|tutor|book|textbook|assistant) (?:\w+ ){0,2}?(?:said|says"
    r"|wrote|writes|claimed|claims?|answered|answers|replied|thinks?|thought|believes?|submitted"
    r"|propose[sd]|suggest(?:s|ed))"
    r"\b[^.!?]{0,60}\Z"
    r"|\b(?:students?|users?|friend|classmate|teacher|professor|tutor|textbook|assistant)['’]s?"
    r" (?:\w+ )?(?:answer|solution|reply|result)\b[^.!?]{0,20}\Z"
)
"""What in front of a marked answer says that it is somebody else's."""
DENIED = re.compile(
    r"(?:\b(?:not|isn['’]t|never|neither|nor|cannot be|can['’]t be|rather than|instead of"
    r"|no longer)"
    r"(?: (?:be|the(?: \w+){0,2}|equal to|option|simply|just))?"
    r"|\b(?:if|suppose|assuming|were|had)\b[^.!?\n]{0,150}?\b(?:then|would be|would have been))"
    r"[\s$\\(*\"'`:]*$"
)
"""What in front of a marked answer denies it, or has it depend on something."""
_DENIES_THAT = re.compile(
    r"\b(?:not|nobody|no one|never)\b(?: \w+){0,2} that$|\bmistake(?: \w+){0,3}$"
    r"|(?<!real )(?<!imaginary )\bpart is$"
)
_SUPPOSES = re.compile(
    r"\W*(?:(?:so|but|and|then|now)\b,? )?(?:perhaps|maybe|suppose|assum(?:e|ing)|imagine|if\b"
    r"|unless|let us see (?:if|whether)|they (?:say|claim)|for example|e\.g|(?:twice|half of)\W*$)"
)
_UNTRUE = re.compile(
    r"(?:\A|\\\]|\$\$)\W*(?:(?:so|but|and|now)\b,? )?(?:"
    r"it (?:is|was|would be) (?:not (?:true|the case|right|correct)|untrue|false|wrong|incorrect"
    r"|a mistake)\b(?: to \w+)?"
    r"|(?:one|you|some|many|people|students?|others|most)\b(?: \w+){1,3}? (?:think|conclude|believe"
    r"|say|guess|argue|expect|assume)s?\b"
    r"|if (?:that|this|it) (?:were|was|had been) \w+(?: \w+)?"
    r"|my (?:first|initial|original) (?:guess|thought|attempt|idea) \w+)(?: that\b|,)"
)
"""How a sentence begins whose answer is nobody's, or somebody else's."""
_CHANGED = re.compile(
    r"\b(?:half|twice|double|triple|minus|negative|(?:half|square|cube|reciprocal"
    r"|opposite|negation|inverse|converse|complement) of"
    r"|almost|nearly|hardly|barely|not quite"
    r"|answer (?:was|is|seemed) (?:originally|initially|at first)"
    r"|(?:any|every)thing (?:but|except)|all (?:but|except)|exceeds|ends in|add \d+ to"
    r"|(?<=[a-z] )divide"
    r"|(?:may|might|could)(?: well| also| only)? be"
    r"|(?:bound|estimate|approximation)(?: is)?|part \(?[a-z]\)?(?: is)?"
    r"|(?:hint|forum|key|book)\b.{0,20})$"
    r"|\bin (?:base\b(?!\W{0,4}(?:10|ten|[a-z])\b)|thousands\b|millions\b)"
)
"""What in front of a marked answer makes it another one, a bound, or somebody else's."""
REFUTED = re.compile(
    r"[\s$\\)*\"'`]*(?:\?|,? ?(?:(?:which|that|it) )?(?:is|was|would be|must be|seems)"
    r" (?:clearly |also |simply )?"
    r"(?:wrong|incorrect|false|impossible|invalid|not (?:right|correct|it\b|the answer))"
    r"|(?:would|cannot|can['’]t|isn['’]t|does not|doesn['’]t|fails?|contradicts?)\b)"
)
"""What behind a marked answer denies it."""


_IN_BASE = re.compile(r"\w_\{?(\d{1,2})\}?\Z")


def without_base(lead: str, answer: str) -> str:
    """The words before an answer without the base that its digits tell: ``in base 5 is 204_5``."""
    base = _IN_BASE.search(answer)
    return re.sub(rf"\bin base\W{{0,4}}{base[1]}\b", "", lead) if base else lead


_ODD = re.compile(ODD_SIGN)
"""A sign in front of an answer that may deny it."""


def quoted(lead: str) -> bool:
    """Whether what follows stands in a quotation that was opened."""
    if "„" in lead or "«" in lead:
        return lead.count("„") + lead.count("«") > lead.count("“") + lead.count("»")
    return lead.count('"') % 2 == 1 or lead.count("“") > lead.count("”") or lead.count("`") % 2 == 1


def is_denied(lead: str) -> bool:
    """Whether the words before a mark, in its sentence, deny it, doubt it, or have it depend on
    something. Of what is marked they tell more than of a bare answer: ``the least number of steps
    that one could take is``."""
    lead = lowered(lead)
    if _REPORTED.search(lead) or _ODD.search(lead):
        return True
    lead = lead.rstrip(' \t$*_:\\(["')
    if DENIED.search(lead) or _CHANGED.search(lead) or quoted(lead):
        return True
    return is_doubted(" ".join(_TOLD.sub("", lead).split()), "")


def is_untrue(sentence: str) -> bool:
    """Whether a sentence begins so that an answer in it, however far behind, is not its author's:
    ``It is not true that the number is``."""
    return _UNTRUE.search(lowered(sentence)) is not None


def leaves_open(lead: str) -> bool:
    """Whether the words of a sentence that a displayed formula goes on with say that the formula
    only may hold, does not hold, or is somebody else's."""
    lead = lowered(lead)
    if _REPORTED.search(lead) or _SUPPOSES.match(lead) or _UNTRUE.search(lead):
        return True
    lead = lead.rstrip(' \t$*_:\\(["')
    return any(one.search(lead) for one in (DENIED, _CHANGED, _DENIES_THAT))


def is_doubted(lead: str, cue: str) -> bool:
    """Whether the words before a cue, or within it, do not let its sentence state an answer."""
    lead, cue = lowered(lead), lowered(cue)
    reset = None if _WOULD.search(cue) else list(RESET.finditer(lead))
    if reset:
        lead = lead[reset[-1].start() :]
    if _DOUBTED.search(lead) or BACK.search(cue) or _OF_ANOTHER.search(lead):
        return True
    if _OF_ANOTHER.search(cue.rpartition(" ")[0]):
        return True
    clause = max(lead.rfind(mark) for mark in ",;:—") + 1
    return _DENIES.search(lead, clause) is not None


def rejected(behind: str) -> bool:
    """Whether what follows an answer rejects it: ``(That equals 20, so this fails.)``."""
    text = lowered(behind)
    for found in _REJECTION.finditer(text):
        near = text[max(0, found.start() - _NEAR) : found.start()]
        sentence = re.split(r"[!?\n]|\.(?!\d)", near)[-1]
        if found["of"] is None or _REFERS.search(f"{sentence}{found[0]}"):
            return True
    return False
