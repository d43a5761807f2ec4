"""Short asides in a reply that leave its answer open, and say it in a word or two.

    None of the above.                   no answer at all
    Check: FAILED                        a check that does not hold
    Is this right? No.                   the author's own question, and a no to it
    This raises an AssertionError.       what was run failed
    Skipping the work.                   something else was done than to find the answer
    For now: 7                           it may change
    Let me solve another problem.        what follows is the answer to that
    User: Are you sure?                  a dialogue: who speaks is not known

Of a check that is told in a few words, only what is known to be good is let through; that is left
out for those who read every sentence (:func:`without_good`).
"""

from __future__ import annotations

import re

from agentflow.domains.answers.bearing_out import OF_REASONING
from agentflow.domains.answers.remark_words import BAD_SIGN
from agentflow.domains.sentence_ends import sentences
from agentflow.domains.spelling import LETTER_OR_DIGIT, lowered, phrases, word_set

_CHECK = phrases("""
    (?:sanity |final |quick |self-?|double-?|cross-?)?check(?:ed)?; verification; verified
    validation; verdict; is (?:it |this |that )?(?:valid|correct|right); test(?:s|ed)?
    tests? (?:result|passed); result of the check; confidence(?: level| score)?; status
    certainty; proof(?:read)?; grade; score
""")
_GOOD = phrases(r"""
    pass(?:es|ed)?; ok(?:ay)?; correct; right; yes; works?; holds?; done; success(?:ful)?
    verified; valid; true; complete(?:d)?; confirmed; (?:all )?good; satisfied; consistent
    matche[sd]; fine; (?:very )?high; certain; sure; full; solved; final; positive; perfect
    exact; sound; accepted; (?:9\d|100)(?:\.\d+)?\s?%; 0?\.9\d*; 1(?:\.0+)?
    (\d+)(?: ?/ ?| out of )\1
    (?:all )?(?:tests? |checks? |conditions |constraints |rules |clues )?(?:are )?(?:passed|met)
    (?:yes,? )?(?:it|this|that|everything) (?:works|holds|fits|matches|is (?:right|correct|fine))
""")
_CHECKED = re.compile(
    rf"(?m)^[ \t*_#>|<-]*(?:the |my )?(?:{_CHECK})[\s*_]*(?:[:=]|(?<=[a-z])>)[\s*_]*"
    r"(?P<said>[^\n]*?)(?:</\w+>)?[\s*_|]*$"
)
_FLAGGED = re.compile(
    r"(?m)^[ \t*_#>|<\"-]*(?:(?:is|was|answer|result) ?)?(?:valid|correct|right|true|legal"
    r"|accepted|solved|passed|trusted|trustworthy|reliable|usable|approved|confirmed|complete|final"
    r"|sound|ok)[\"*_]*\s?[:=][\s*_\"]*(?:no|nope|not\b[^\n]{0,20}|false|wrong|never|none|null|unknown|unclear|0"
    r"|[✗✘❌✖☒])[\s*_.!,\"]*$"
)
"""What a field says of the answer: ``Correct: false``."""
_FEW_WORDS = 4
_WELL = re.compile(rf"(?:(?:{_GOOD})(?:$|[\W_]+))+")
_TICKS = " .!*_✓✔✅"
_WORKS_OUT = re.compile(r"[=<>→:]|\d(?!.*(?:%|/|out of))(?<!0\.\d)")
"""What a check works out: whoever reads calculations judges it."""
_SIGN = re.compile(BAD_SIGN)
_OF_ANSWER = phrases("""
    right; correct; true; works?; hold; fit; sure; certain; check(?:s|ed)?; match; add up
    make sense; answer; valid; satisf\\w+; possible; good; final; finished; done
""")
_ASKED = re.compile(
    r"\b(?:is|are|does|do|did|can|was|am|could|have|has) (?:this|that|it|the|my|our|i|we|all)\b"
    rf"[^.?!\n]{{0,60}}\b(?P<what>{_OF_ANSWER}|missed|wrong)\b[^.?!\n]{{0,30}}"
    r"\?[\s*_\"”)]*(?P<said>[^.!?\n]*)"
)
"""What an author asks of the answer, with what stands behind it."""
_NO = re.compile(r"(?:no|not|nope|never|hardly|unfortunately|unsure|unclear|maybe|perhaps)\b")
_YES = re.compile(r"(?:yes|yeah|yep|indeed)\b")
_AGREED = re.compile(
    r"(?m)^(?:[^\w\n]|_)*(?:is|does) (?:this|that|it|the answer|my answer) (?:right|correct|true"
    r"|valid|work|hold|make sense|fit|check out)\? yes[.!][*_ ]*$"
)
_NOTHING = phrases(r"""
    none of (?:the above|these|those|them|the (?:options|choices|answers)(?: above)?)
    none of (?:the above|these|those|them) (?:fits?|appl(?:y|ies)|works?|(?:is|are) \w+)
    not(?: (?:really|quite|at all|sure|certain|true|so|exactly|necessarily|even close))?
    to be continued; (?:work )?in progress; wip; t\.?b\.?[dca]\.?; to ?do; unfinished; n/?a
    (?:not|never) finished; unsolved; unanswered; (?:i )?(?:give up|pass|dunno)
    (?:i )?(?:have )?no (?:idea|clue|answer|comment|solution); as if; just kidding
    it (?:all )?depends; i(?:['’]m| am) (?:not (?:sure|certain|confident)|unsure)
    (?:just |only |merely |it(?:['’]s| is) )*(?:a|my) (?:\w+ )?guess
    (?:i )?(?:can(?:no|['’])t|could not|do not|don['’]t) (?:say|tell|know|answer|decide)
    (?:(?:or|and) )?(?:maybe|perhaps|probably|possibly) not; (?:yeah|sure|yes),? right
""")
_SAYS_NO = re.compile(rf"[^\w\n]*(?:{_NOTHING})\W*")
_FAILS = re.compile(
    r"(?m)^[^\w\n]*(?:this|it|that|the (?:assertion|check|test|program|script|code|run|execution"
    r"|result|answer)) (?:(?:then|now|always|still|immediately) )?(?:raises|throws|crashes|fails"
    r"|errors|times out|(?:gives|prints|results in|ends in|returns) (?:an? )?(?:\w*error"
    r"|\w*exception"
    r"|failure|traceback))\b(?![^.\n]*\b(?:if|when|unless|for|on|where|only)\b)"
)
_WORKS = word_set("""
    adding applying beginning building calculating canceling cancelling checking collecting
    combining comparing completing computing confirming considering continuing converting
    counting deriving distributing dividing drawing eliminating evaluating examining expanding
    explaining factoring filling finding finishing following getting giving interpreting
    isolating listing looking making multiplying noting observing plotting putting reading
    rearranging recalling reducing reversing rewriting rounding running showing simplifying
    solving stating starting subtracting substituting summarising summarizing summing taking
    testing tracing understanding using verifying walking working writing
""")
"""What is done to find an answer."""
_DOES = re.compile(
    rf"\W*(?P<verb>[a-z]+ing)\b(?: (?:all|of|the|my|this|that|any|every|each|most|some))*"
    rf" (?:{OF_REASONING}|rest|whole)[\s!*_]*[.!][\s*_]*"
)
"""``Skipping the work.``"""
_BREAKS_OFF = re.compile(
    r"[\W_]*(?:(?:and|but|yet|however|although|though|unless|except|because|if|or|so|then"
    r"|that said|on the other hand|nevertheless|still|alternatively|instead|wait|hmm+)\b[\W_]*)+"
)
"""A last sentence that only begins one."""
_ANOTHER = re.compile(
    r"\b(?:another|some other|an? (?:(?:slightly|very|somewhat|completely|totally) )?(?:different"
    r"|similar|easier|harder|simpler|related|simplified|modified|changed|unrelated)"
    r"|the (?:wrong|other|changed|modified|previous|next))"
    r" (?:question|problem|puzzle|task|riddle|exercise|maze|map)\b"
)
_ROLE = re.compile(
    r"(?m)^[ \t*_#>\[<|]*(?:user|human|grader|judge|evaluator|examiner|moderator"
    r"|system(?=[\]>|*]*:? ?[^\W\d]))[\]>|*_]*\s?:(?! ?[^\n]*=)"
)
"""The name of one who speaks, in front of what is said."""
_TENTATIVE = re.compile(
    r"(?m)^[^\w\n]*(?:for now|for the time being|provisional(?:ly)?|tentative(?:ly)?|until then)"
    r"[\s*_]*:"
)
_UNSERIOUS = re.compile(
    r"\b(?:this|that|it|everything|the (?:following|above)|what follows)(?: \w+)? (?:is|was)"
    r" (?:all |just |only |merely )*(?:an? (?:\w+ )?(?:joke|prank|lie|parody|hoax|draft|placeholder"
    r"|bluff|fiction)|nonsense|made up|invented|(?:deliberately|intentionally|purposely) \w+)\b"
    r"|\bopposite day\b"
)
_UNEQUAL = re.compile(r"\banswer\W{0,3}(?:≠|!=|<>|\\neq?\b)")
_SAYS_NONE = re.compile(r"\b(?:none|no|not|unknown|invalid|n/a)\b")


_SHOWN_ONLY = re.compile(
    r"\b(?:block|box|lines?|text|paragraph|sentence|fence|snippet|entry|reply|answer|value)"
    r" (?:shown |given |written )?above (?:\w+ ){1,5}?(?:format|example|sample|template|placeholder"
    r"|layout|syntax|illustration|style)\b"
)
"""What stands above as an example: ``The block above shows the required format.``"""
_THOUGHT, _THOUGHT_ENDS = "<think>", "</think>"
_OPEN = (_ROLE, _ANOTHER, _TENTATIVE, _UNSERIOUS, _UNEQUAL, _SHOWN_ONLY)


def leave_open(text: str, answer: str) -> bool:
    """Whether an aside somewhere in a reply leaves its answer open.

    Args:
        text: The reply, without programs.
        answer: What it states; empty where that is a program.
    """
    low = lowered(text)
    if _thinks_on(text) or any(one.search(low) for one in _OPEN):
        return True
    if answer and _FAILS.search(low):  # what fails above a program may be an earlier one
        return True
    if answer.lower() not in ("no", "false", "0") and _FLAGGED.search(low):
        return True
    if any(_fails(one["said"]) for one in _CHECKED.finditer(low)):
        return True
    if any(_denied(one) for one in _ASKED.finditer(low)):
        return True
    if _SAYS_NONE.search(lowered(answer)):
        return False
    said = [lowered(one) for one in sentences(text)]
    told = [one for one in said if not one.endswith(":")]  # what is behind it may be a program
    if told[-1:] == said[-1:] != [] and _BREAKS_OFF.fullmatch(told[-1]):
        return True
    return any(_SAYS_NO.fullmatch(one) or _does_else(one) for one in told)


def without_good(text: str) -> str:
    """A text without checks that are known to hold, and questions with a yes behind them."""
    low = lowered(text)
    good = [one for one in _CHECKED.finditer(low) if _WELL.fullmatch(one["said"].strip(_TICKS))]
    good += _AGREED.finditer(low)
    for one in sorted(good, key=re.Match.start, reverse=True):
        text = text[: one.start()] + text[one.end() :]
    return text


def _fails(said: str) -> bool:
    """Whether what is said of a check is short, and not known to be good."""
    if not LETTER_OR_DIGIT.search(said):
        return _SIGN.search(said) is not None
    short = len(said.split()) <= _FEW_WORDS and not _WORKS_OUT.search(said)
    return short and _WELL.fullmatch(said.strip(_TICKS)) is None


def _denied(asked: re.Match[str]) -> bool:
    """Whether the reply to an author's own question speaks against the answer."""
    against = _YES if asked["what"] in ("missed", "wrong") else _NO
    return against.match(asked["said"]) is not None


def _does_else(sentence: str) -> bool:
    """Whether a sentence says of its author, without naming one, that something else is done than
    to work the answer out."""
    found = _DOES.fullmatch(sentence)
    return found is not None and found["verb"] not in _WORKS


def _thinks_on(text: str) -> bool:
    """Whether a text opens a thought that has no end: what stands in it is none of its answer."""
    at = text.rfind(_THOUGHT)
    quoted = text[at - 1 : at] in ("`", '"', "'", "“") and at > 0
    return at >= 0 and not quoted and _THOUGHT_ENDS not in text[at:]
