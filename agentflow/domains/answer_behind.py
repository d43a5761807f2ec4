"""Whether an answer stands: what may follow it, sentence by sentence.

    The answer is C.                      stands
    The answer is C. Hope this helps!     stands
    The answer is C. Reason: ...          stands, unless the reason takes it back
    The answer is C. Switching to A.      is open: that sentence is none of those that may follow

What may follow is listed: closing words, an explanation that is called one, a check, a repetition,
what rules out another option.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentflow.domains.answer_doubt import BACK, SECOND_THOUGHTS, TAKEN_BACK, rejected
from agentflow.domains.spelling import lowered, phrases, word_set

_SENTENCE = re.compile(r"[^.!?。\n]*(?:[.!?](?=\S)[^.!?。\n]*)*[.!?。]*[*_\"”')]*\s*|\n")
_BULLET = re.compile(r"\W*\d{1,2}[.)]\W*")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_OTHER_SCRIPT = re.compile(r"[^\x00-\u024f\u2000-\u2bff\ufe0f\U0001f000-\U0001faff]")
_BAD_SIGN = "[❌✗✘✖🚫≠?]"
_TELLING = re.compile(rf"{_BAD_SIGN}|\d")
_ARITHMETIC = r"[\s\d.,+*/()^=$×÷·−≈\\{}-]*"
_SUM = re.compile(rf"(?:(?i:note that|indeed|check)[:,]? )?{_ARITHMETIC}={_ARITHMETIC}[✓✔✅\s]*")

_BEGIN = r"[\W_]*(?:(?:and|so|now|note)[,:]? )?"
_EXPLAINS = phrases(r"""
    explanation; explained; reason(?:ing|s)?; rationale; justification; why; proof; because; since
    derivation; breakdown; steps?; step-by-step; details; confidence; source; evidence
    verification; verify; check(?:ing)?; summary; recap; according to; in other words; specifically
    here(?:['’]s| is| are) (?:why|how|the|a|an|my|our); let me (?:explain|show)
    to (?:see|verify|explain|check|confirm|summarize)
    (?:this|that|it|the answer|the result) (?:is because|is why|follows|comes from|is due to)
""")
_ITS_OWN = phrases(r"""
    answer; solution; result; path; list; expression; arrangement; grid; choice; conclusion; order
    route; sequence; schedule; assignment; coloring; scheme; placement; board; plan
""")
_STANDS_BY = phrases(r"""
    is (?:derived|based|supported|obtained|consistent|valid|correct|found|unique); follows; comes
    aligns; satisfies; uses; represents; matches; meets; fulfil\w+; respects; successfully; works
    holds; fits; accounts; reflects; navigates; ensures; reaches; leads; gives; covers; avoids
""")
_EXPLAINED = re.compile(
    rf"{_BEGIN}(?:{_EXPLAINS}"
    rf"|(?:this|the|my|our) (?:\w+ )?(?:{_ITS_OWN}) (?:clearly )?(?:{_STANDS_BY}))\b"
)
"""How an explanation begins: ``Reason: ...``, ``This answer follows from ...``."""
_NAMED = re.compile(rf"\banswer\b(?! (?:clearly )?(?:{_STANDS_BY})\b)")
_UNMET = re.compile(rf"\bfails?\b(?! to)|\binstead of\b|{_BAD_SIGN.replace('?', '')}")
"""What in an explanation says that a check failed."""
_CLOSES = phrases(r"""
    q\.?e\.?d; done; finished; correct; right; so; yes; great; thanks?(?: you)?; (?:good|nice) \w+
    end(?: of (?:the )?(?:answer|solution|proof))?; final answer; answer; solution; note
    (?:i )?hope (?:this|that|it) helps?[^.!?\n]{0,40}
    (?:please )?(?:let me know|feel free)[^.!?\n]{0,80}
    (?:and )?(?:that|this)(?:['’]s| is) (?:it|all|correct|right)
    (?:and )?(?:that|this)(?:['’]s| is) (?:the|my) (?:final )?(?:answer|solution)
    all (?:the )?(?:constraints|conditions|rules|clues) (?:are|have been) (?:met|satisfied)
""")
_CLOSED = re.compile(rf"{_BEGIN}(?:{_CLOSES})[\W_]*$")
"""What may end a text."""
_CHECKS = re.compile(
    r"[\W_]*(?:(?:wait|hmm|perhaps|but|ok|okay|now|just)[,.]? )?(?:let me|let['’]s|let us|i['’]ll"
    r"|i will|i should|we can) (?:\w+ )?(?:verify|check|double|re-?check|confirm)\b"
)
"""Who only checks an answer holds on to it."""
_RULED_OUT = re.compile(
    r"[\W_]*(?i:so |and |but )?(?i:option |answer |choice )?\(?(?P<letter>[A-J])\)? "
    r"(?:is|would be|was|can be|must be|has been) (?:also |clearly |then )?"
    r"(?:wrong|incorrect|out|false|ruled out|eliminated|impossible|excluded|not\b)"
    r"|[\W_]*(?i:and )?(?i:not )(?i:option )?(?:<\w+>)?\W*(?P<other>[A-J])\W*(?:</?\w+>\W*)?$"
)
"""What rules out an option: ``Option A is wrong: ...``, ``Not A.``"""

_DOUBTS = phrases(r"""
    wrong; incorrect\w*; mistak\w*; errors?; typo; oops; sorry; guess\w*; specul\w*; unsure; unclear
    mis(?:count|read|calc|interpret|underst|s?tat)\w*; ambigu\w*; uncertainty; doubt\w*; lies?
    untrue; fail\w*; instead; switch\w*; chang\w* my; take (?:it|that|this) back; never ?mind
    forget; cancel\w*; strike; scratch; ignor\w+; disregard\w*; retract\w*; withdraw\w*; reject\w*
    discard\w*; invalid; contradict\w*; violat\w*; however; although; though; unfortunately
    actually; wait; hmm+; hold on; nope; no (?:solution|answer|valid); none of; giv(?:e|ing) up
    undecid\w*; undetermin\w*; ill-\w+; on the other hand; alternativ\w*; rather; i mean\w*; meant
    also (?:possible|be|valid|work); another (?:answer|possib\w+|option|reading|way); only if
    should (?:be|have|read); could; might; may; perhaps; maybe; probabl\w+; possibl[ey]; depend\w*
    assum\w*; unless; provided; if and only; jok\w+; kidding; tempting; would (?:be|have); otherwise
    reali[sz]\w+; reconsider\w*; revis\w*; correction; correcting; corrected; edit; update[ds]?
    opposite; negation; different; in fact; strictly; on second; re-?reading; textbook; suppos\w+
    except; not (?:sure|confident|certain|clear|right|correct|valid|possible|so|it|the|true|what)
    not (?:really|quite|enough|my|an?)
""")
_DENYING = phrases(r"""
    can(?:not|['’]t); (?:could|should|is|was|are|wo|would)n['’]t; never
    (?:do|does|did)(?: not|n['’]t)
""")
_DENIED = phrases(r"""
    be; it; that; right; work; match; fit; hold; follow; satisfy; add; equal; make; mean; agree
    apply; count; know; think; believe; determine; tell; say; the; correct; true
""")
_DOUBTFUL = re.compile(rf"\b(?:{_DOUBTS}|(?:{_DENYING}) (?:{_DENIED}))\b|{_BAD_SIGN}")
"""What a sentence does not say that goes on behind an answer."""
_AGAIN = word_set("""
    so therefore thus hence the final correct answer is option choice my our that this it and
    conclusion solution result
""")

_CHOSEN = re.compile(r"\W*(?:(?i:option|choice|answer)\W*)?([A-J])(?![\w'’])")
_PREFERS = re.compile(
    r"(?<![\w'’.])([A-J])\)? (?:is|seems|would be|fits|works|must be|looks) (?:also |the |a )?"
    r"(?:right|correct|answer|better|possible|valid|more likely|best)\b"
)
_TRUTH = word_set("true false uncertain unknown yes no")
_CLOSING = re.compile(r"</?[|\w]+>|^(?:\\[)\]]|[$*_)\]}.,;\s])+")
_REASON = re.compile(r"(?:because|since|as|which|for|so that|not|rather than)\b")
_LIMITS = re.compile(r"(?:if|when|only|iff)\b|[-+*/^=<>\d]")
_AS_SAID = word_set("right correct indeed here above below")
_SCALES = re.compile(
    r"\b(?:hundreds?|thousands?|millions?|billions?|trillions?|dozens?|percent|squared|cubed"
    r"|factorial|times|plus|minus|divided|(?:is|equals|gives|makes) (?:not |\W*\d|zero\b|twenty))"
)
"""What makes another number of it."""


def stands(behind: str, answer: str) -> bool:
    """Whether an answer stands, given the text that follows the sentence that states it.

    Args:
        behind: That text, without later statements of the same answer.
    """
    explained = False
    for sentence in _sentences(behind):
        low = lowered(sentence)
        if not _WORD.search(sentence):
            if _TELLING.search(sentence) and not _SUM.fullmatch(sentence):
                return False
            continue
        explained = explained or _EXPLAINED.match(low) is not None
        if explained:
            if not _explains(sentence, low, answer):
                return False
        elif not _may_follow(sentence, low, answer):
            return False
        explained = explained or sentence.endswith(":")
    return not (TAKEN_BACK.search(behind) or SECOND_THOUGHTS.search(behind) or rejected(behind))


def goes_on(rest: str, answer: str) -> bool:
    """Whether the sentence that holds a marked answer leaves it, given how the sentence goes on:
    with nothing, the words of a unit, or a reason.

    Args:
        rest: What follows the mark, up to the end of its sentence.
    """
    rest = _CLOSING.sub("", rest).strip(" \t\r\n*_$.,;:!)]}\"'”’`")
    low = lowered(rest)
    if not _WORD.search(rest):
        return not re.search(_BAD_SIGN, rest)
    if _REASON.match(low):
        return BACK.search(low) is None
    if _CHOSEN.fullmatch(answer) or answer.lower() in _TRUTH or _LIMITS.match(low):
        return low in _AS_SAID
    return not (_DOUBTFUL.search(low) or _SCALES.search(low))


def _sentences(text: str) -> Iterator[str]:
    """The sentences of a text; the number of a list stands with what it numbers."""
    number = ""
    for found in _SENTENCE.finditer(text):
        sentence = f"{number}{found[0]}"
        number = sentence if _BULLET.fullmatch(sentence) and "\n" not in found[0] else ""
        if not number and sentence.strip():
            yield sentence.strip()
    if number:
        yield number.strip()


def _may_follow(sentence: str, low: str, answer: str) -> bool:
    """Whether a sentence is one of those that may follow an answer without being introduced."""
    if _CLOSED.match(low) or _CHECKS.match(low) or _SUM.fullmatch(sentence):
        return True
    if ruled_out := _RULED_OUT.match(sentence):
        return (ruled_out["letter"] or ruled_out["other"]) != _letter(answer)
    return _repeats(_WORD.findall(low), answer)


def _repeats(words: list[str], answer: str) -> bool:
    """Whether a sentence says the answer again, and nothing else."""
    again = {*_WORD.findall(lowered(answer))}
    return not again.isdisjoint(words) and {*words} <= again | _AGAIN


def _explains(sentence: str, low: str, answer: str) -> bool:
    """Whether a sentence of an explanation leaves the answer: no check fails, no other option is
    called right, and none but this answer is called an answer."""
    if _UNMET.search(low) or _OTHER_SCRIPT.search(sentence):
        return False
    if any(found[1] != _letter(answer) for found in _PREFERS.finditer(sentence)):
        return False
    again = set(_WORD.findall(lowered(answer)))
    return not _NAMED.search(low) or not again.isdisjoint(_WORD.findall(low))


def _letter(answer: str) -> str | None:
    """The option that an answer names by its letter."""
    found = _CHOSEN.match(answer)
    return found[1] if found else None
