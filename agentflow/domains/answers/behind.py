"""Whether an answer stands: what may follow it, sentence by sentence.

    The answer is C.                              stands
    The answer is C. Hope this helps!             stands
    The answer is C. The path turns right twice.  stands: a plain sentence that only explains
    The answer is C. Switching to A.              is open: it names another option

What may follow is closing words, a check, a repetition, what rules out another option, or a plain
sentence: in English, without a word of doubt or denial, which speaks neither of its author nor of
another answer. Behind ``Reason:`` and the like a sentence may also deny something.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentflow.domains.answers.bearing_out import ABOUT_IT, bears_out
from agentflow.domains.answers.doubt import SECOND_THOUGHTS, TAKEN_BACK, rejected
from agentflow.domains.answers.known_remarks import closes, leaves
from agentflow.domains.answers.remark_sums import adds_up, is_worth, works_out
from agentflow.domains.answers.remark_words import (
    BAD_SIGN,
    CHOSEN,
    DOUBTFUL,
    FEWEST,
    FORMULA,
    ITS_OWN,
    LETTER,
    MONTH,
    ODD_SIGN,
    OF_ITS_AUTHOR,
    STANDS_BY,
    WORD,
    letter,
)
from agentflow.domains.answers.remarks import is_plain
from agentflow.domains.answers.summed_up import TABLE
from agentflow.domains.spelling import lowered, phrases, word_set

_PROGRAM = re.compile(r"```(?:python|py|sympy|julia)\s*\n.*?(?:\n\s*```|\Z)", re.DOTALL)
_SPEAKS = re.compile(r"(?i)answer|[\"']\s*(?:true|false|uncertain|yes|no|[A-J])\s*[\"']")
"""What of an answer a program says."""
_OUTPUT = re.compile(r"```(?:output|text)?\s*\n(?P<said>[^`\n]{1,200})\n\s*```")
_GOES_ON = r"(?:[.!?](?=\S)|(?<=[\dn)])!(?=\s[-+*/=×÷·]))"
"""A sign that ends no sentence: within a number, or of a factorial."""
_SENTENCE = re.compile(rf"[^.!?。\n]*(?:{_GOES_ON}[^.!?。\n]*)*[.!?。]*[*_\"”')]*\s*|\n")
_BULLET = re.compile(r"\W*\d{1,2}[.)]\W*")
_FOOTNOTE = re.compile(r"\A\[\^\w{1,9}\]:?\s*")
_NUMBERED = re.compile(r"[\W_]*(\d{1,2})[.)][*_]*\s+(?=[*_]*[A-Z])")
"""The number of a step, or of a line of a proof."""
TELLING = re.compile(rf"{BAD_SIGN}|\d|~~")
_NO_SIGN = re.compile(ODD_SIGN)
EQUALS = re.compile("=(?!>)")
_ARITHMETIC = r"[\s\d.,+*/()^=$×÷·−≈\\{}-]*"
_SUM = re.compile(rf"(?:(?i:note that|indeed|check)[:,]? )?{_ARITHMETIC}={_ARITHMETIC}[✓✔✅\s]*")
_BEGIN = r"[\W_]*(?:(?:and|so|now|note)[,:]? )?"
_EXPLAINS = phrases(r"""
    explanation; explained; reason(?:ing|s)?; rationale; justification; why; proof; because; since
    derivation; breakdown; steps?; step-by-step; details; source; evidence
    summary; recap; according to; specifically
    in other words
    here(?:['’]s| is| are) (?:why|how|the|a|an|my|our); let me (?:explain|show)
    to (?:see|verify|explain|check|confirm|summarize)
    (?:this|that|it|the answer|the result) (?:is because|is why|follows|comes from|is due to)
""")
_EXPLAINED = re.compile(
    rf"{_BEGIN}(?:{_EXPLAINS}"
    rf"|(?:this|the|my|our) (?:\w+ )?(?:{ITS_OWN}) (?:clearly )?(?:{STANDS_BY}))\b"
)
"""How an explanation begins: ``Reason: ...``, ``This answer follows from ...``."""
_ONCE_MORE = re.compile(
    r"(?i)(?<![\W_])[\W_]*(?:in (?:short|brief|words|a word|plain english)"
    r"|to sum up|put simply|short answer)"
    r"[\s*_]*:[\s*_]*"
)
"""What stands in front of an answer that is said once more."""
_AGREES = re.compile(
    rf"{_BEGIN}(?:correct|right|so|yes|note|final(?: answer)?"
    r"|(?:i )?hope (?:this|that|it) is correct"
    r"|confidence(?: level)?:[*_ ]* (?:very )?(?:high|9\d(?:\.\d+)?\s?%|100\s?%))(?:[^\w?]|_)*"
)
"""What says of what stands above it that it is so."""
_COMMAND = re.compile(r"\\[a-z]+")
_YES = re.compile(r"\byes\b")
_DENIAL = re.compile(r"\b(?:no|false|uncertain|unknown)\b")
"""What a yes behind it takes back."""
_CHECKS = re.compile(
    r"[\W_]*(?:(?:(?:wait|hmm|perhaps|but|ok|okay|now|just)[,.]? )?(?:let me|let['’]s|let us"
    r"|i['’]ll|i will|i should|we can|to) (?:\w+ )?(?:verify|check|double|re-?check|confirm)\b"
    r"(?P<what>[^:.!?\n]*)|(?:double[- ])?check(?:ing)?|verification|verify(?:ing)?)(?P<end>[\W_]*)"
)
"""Who only checks an answer holds on to it; what is found stands behind a colon."""
_IS_CALLED = re.compile(r"\b(?:answer|option|choice|therefore|thus|hence|so(?! far)|total is)\b")
_SETTLED = re.compile(
    r"\b(?:correct|confirm\w*|verif\w+|satisf\w+|indeed|matches|match|holds?|checks? out|works"
    r"|consistent|true)\b"
)
RULED_OUT = re.compile(
    r"[\W_]*(?i:so |and |but )?(?i:(?:option|answer|choice)s? )?"
    r"(?P<letters>\(?[A-J]\)?(?:(?:, and |, or |, | and | or )\(?[A-J]\)?)*) "
    r"(?:is|are|would be|was|were|can be|must be|has been|have been) (?:also |all |clearly |then )?"
    r"(?:wrong|incorrect|out|false|ruled out|eliminated|impossible|excluded|not\b)"
    r"|[\W_]*(?i:and )?(?i:not )(?i:option )?(?:<\w+>)?\W*(?P<other>[A-J])\W*(?:</?\w+>\W*)?$"
)
"""What rules out options: ``Option A is wrong: ...``, ``B and D are out.``, ``Not A.``"""
_AGAIN = word_set("""
    so therefore thus hence the final correct answer is option choice my our that this it and
    conclusion solution result boxed
""")
_OPTION_AGAIN = re.compile(r"[\W_]*(?i:option )?\(?(?P<letter>[A-J])[.):]\)?[*_]*\s+(?=\w{2})")
"""An option with its text, below the letter of it that was given: ``A. A warm drawer``."""
_SOURCE = re.compile(
    r"[\W_]*(?:(?:by|from|using|via|see) )?(?:(?:(?:the )?(?:premises?|givens?|assumptions?"
    r"|hypothes[ie]s|facts?|clues?|rules?|steps?|lines?|statements?|modus (?:ponens|tollens)"
    r"|contraposition"
    r"|(?:universal )?instantiation|(?:hypothetical |disjunctive )?syllogism|conjunction"
    r"|definition)|and|to|\d{1,2})(?:[\s,&–-]+|\b(?=[\W_]*$)))+[\W_]*$"
)
"""Where a line of a proof comes from: ``(premise)``, ``(from 1 and 2)``, ``[by modus ponens]``."""
_OPEN = re.compile(
    r"[\W_]*(?:(?:so|thus|therefore|hence|this means),? )?(?:that )?(?:"
    r"(?:the|this) (?:statement|conclusion|claim) (?:cannot|can['’]t) be (?:determined|decided"
    r"|inferred|proven|proved|concluded|deduced|confirmed or denied)"
    r"|(?:the|these) (?:given |provided )?(?:premises|facts|statements|information)"
    r" (?:do(?:es)?(?: not|n['’]t) (?:tell|say|state|specify|determine|entail|mention|provide|give"
    r"|settle|decide|allow)|(?:is|are) (?:not (?:enough|sufficient)|insufficient))"
    r"|(?:there|it) is (?:not enough|insufficient|no) information"
    r"|nothing is (?:said|known|stated|told|given)"
    r"|(?:it|we) (?:is|are) (?:not (?:known|stated|given|told)|unknown)"
    r"|(?:we|one) (?:cannot|can['’]t|do not|don['’]t) (?:determine|tell|know|decide|say|conclude)"
    r"|(?:it|this) (?:cannot|can['’]t) be (?:determined|decided)"
    r")\b[^.!?\n]*[.!]?"
)
"""What says again that an answer is Uncertain."""
_TURNS = re.compile(r"\b(?:but|however|though|although|yet|unless|except|so|still|wrong)\b")
_UNCERTAIN = re.compile(r"(?i)(?:\(?[A-E]\)?[.:)]? ?\(?)?(?:uncertain|unknown|undetermined)\)?")
GOES_ELSEWHERE = re.compile(
    r"\b(?:but|yet|though|although|except|still|instead|first|part|or|doubled|halved|bound|says?"
    r"|said|at (?:most|least)|i (?:think|believe|suppose|am))\b|\?"
)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_STATES = re.compile(r"[\W\d_]*[A-Z]\S*\s(?:[^\n]*\s)?(?:are|have|[a-z]*[a-rt-z]?s)\b")
"""A sentence in the present tense, whole and no command: ``The path turns twice.``"""
_POINTS_BACK = re.compile(r"\b(?:this|that|it|these|those|above|answer)\b")


_NEGATED = re.compile(
    r"(?i)(?<=\b)(?:not|neither of|none of|never) (?=\w)|\bno (?=\w)|(?<=\w)n['’]t\b"
)
"""What of things a sentence says not to be so."""


def stands(behind: str, answer: str, *, first: bool = False) -> bool:
    """Whether an answer stands, given the text that follows the sentence that states it.

    Args:
        behind: That text, without later statements of the same answer.
        first: Whether nothing stands in front of that sentence: then what follows tells why.
    """
    behind = _PROGRAM.sub(lambda one: one[0] if _SPEAKS.search(one[0]) else "\n", behind)
    for shows in (_OUTPUT, TABLE):
        behind = shows.sub(lambda one: "\n" if _is_it(one["said"], answer) else one[0], behind)
    behind = MONTH.sub("Mai", behind)
    introduced = checking = open_ = False
    steps = 0
    uncertain, denies = _UNCERTAIN.fullmatch(answer.strip()), _DENIAL.search(lowered(answer))
    for sentence in _sentences(behind):
        if (numbered := _NUMBERED.match(sentence)) and int(numbered[1]) == steps + 1:
            steps, sentence = steps + 1, sentence[numbered.end() :]
        sentence = _FOOTNOTE.sub("", sentence)
        low = lowered(sentence)
        if denies and _YES.search(low):
            return False
        if uncertain and (leaves_open(sentence) or _tells_open(low)):
            continue
        if not WORD.search(sentence):
            known = _is_right_sum(sentence) or _says_again(sentence, answer)
            if TELLING.search(sentence) and not known:
                return False
            continue
        introduced = introduced or _EXPLAINED.match(low) is not None
        checking = checking or _CHECKS.match(low) is not None
        plain = is_plain(sentence, low, answer, introduced)
        if _may_follow(sentence, low, answer) or plain or (first and _tells(sentence, low, answer)):
            open_ = open_ and not _settles(sentence, low, answer)
        elif checking and _only_calculates(sentence):
            open_ = True
        else:
            return False
        introduced = introduced or sentence.endswith(":")
    return not open_ and not (
        TAKEN_BACK.search(behind) or SECOND_THOUGHTS.search(behind) or rejected(behind)
    )


def _tells(sentence: str, low: str, answer: str) -> bool:
    """Whether a sentence behind an answer that a text opens with tells why: of a thing, which it
    may say not to be so."""
    if is_plain(sentence, low, answer, introduced=True) and not ABOUT_IT.match(low):
        told = _NEGATED.sub("", sentence)
        return is_plain(told, lowered(told), answer, introduced=False)
    return False


def _is_it(said: str, answer: str) -> bool:
    """Whether what is shown by itself is the answer again."""
    return lowered(said.strip(" *_$.")) == lowered(answer) or is_worth(said, answer)


def explains(behind: str, answer: str) -> bool:
    """Whether a text does nothing but explain what stands above it and is not said to be the answer
    (``**C. 2**``): besides what :func:`stands`, every sentence closes, stands behind ``Reason:`` or
    the like, or states something of its own, and speaks of nothing said before."""
    introduced = False
    for sentence in _sentences(behind):
        low = lowered(sentence)
        if _UNCERTAIN.fullmatch(answer) and _OPEN.fullmatch(low):
            continue
        introduced = introduced or sentence.endswith(":") or _EXPLAINED.match(low) is not None
        introduced = introduced or _CHECKS.match(low) is not None
        states = _STATES.match(sentence) and not _POINTS_BACK.search(low)
        of_its_own = bool(states or works_out(low) or _SOURCE.match(low))
        of_its_own = of_its_own or (_is_about(sentence, answer) and _only_calculates(sentence))
        if not (introduced or of_its_own or only_closes(sentence)):
            return False
    return stands(behind, answer)


def _closes(sentence: str, answer: str) -> bool:
    """Whether a sentence may end a text behind an answer."""
    agrees = _AGREES.fullmatch(lowered(sentence)) is not None
    return agrees or closes(sentence) or leaves(sentence, answer)


def leaves_open(sentence: str) -> bool:
    """Whether a sentence says no more than that the premises do not tell."""
    low = lowered(sentence)
    return _OPEN.fullmatch(low) is not None and not _TURNS.search(low)


_OPENNESS = re.compile(
    r"\b(?:could|may|might|whether|either|neither|nothing|possible|unknown|undecided"
    r"|not enough|insufficient"
    r"|no (?:information|premise|rule|fact|way|connection)"
    r"|(?:do|does|did|is|are)(?: not|n['’]t) (?:tell|say|state|specify|decide"
    r"|determine|establish|mention|give"
    r"|imply|known|stated|given|told|settle)|cannot|can['’]t|both (?:cases|are))\b"
)
_OF_TRUTH = re.compile(r"\b(?:true|false|answer|option|choice|conclusion|correct|i|my|wait)\b")


def _tells_open(low: str) -> bool:
    """Whether a sentence behind an Uncertain says of things how they may be, or what is not told;
    nothing of the answer, or its author."""
    said = _OPENNESS.search(low) and not _OF_TRUTH.search(_BOTH_WAYS.sub("", low))
    return bool(said) and not (TAKEN_BACK.search(low) or SECOND_THOUGHTS.search(low) or "?" in low)


_BOTH_WAYS = re.compile(r"\b(?:true (?:or|nor) false|neither true nor false)\b")


_ENDS = re.compile(r"[\W_]*(?i:done|finished|thanks|cheers|thank you)[\W_]*")
"""What is no answer, however short."""


def only_closes(line: str) -> bool:
    """Whether a line says nothing but closing words: ``Hope this helps!``"""
    words = len(WORD.findall(line)) >= FEWEST or _ENDS.fullmatch(line) is not None
    return words and all(_closes(one, "") for one in _sentences(line))


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
    if _NO_SIGN.search(sentence):
        return False
    if _closes(sentence, answer) or _SOURCE.match(low):
        return True
    if _is_right_sum(sentence):
        return not _CHECKS.match(low) or _is_about(sentence, answer)
    if checks := _CHECKS.match(low):
        found = sentence[checks.end() :]
        return not found or (":" in checks["end"] and _is_found(found, answer))
    if ruled_out := RULED_OUT.match(sentence):
        return leaves_out(answer, ruled_out)
    return _says_again(sentence, answer)


def _is_found(sentence: str, answer: str) -> bool:
    """Whether a check, which comes to this, bears an answer out."""
    low = lowered(sentence)
    if _closes(sentence, answer):
        return True
    if _is_right_sum(sentence):
        return _is_about(sentence, answer)
    if bears_out(f"= {low}", answer):  # ``Let me check: 2 + 3``
        return True
    return _says_again(sentence, answer) or is_plain(sentence, low, answer, False)


def _is_about(sentence: str, answer: str) -> bool:
    """Whether a calculation has a number of the answer in it, if that has any."""
    numbers = _NUMBER.findall(answer)
    return not numbers or not {*numbers}.isdisjoint(_NUMBER.findall(sentence))


def _only_calculates(sentence: str) -> bool:
    """Whether a sentence of a check calculates, and is not plainly wrong; what that means for the
    answer has to be said behind it."""
    said = lowered(FORMULA.sub(" ", sentence))
    doubts = (DOUBTFUL, OF_ITS_AUTHOR, GOES_ELSEWHERE, _IS_CALLED)
    return "=" in sentence and adds_up(sentence) and not any(one.search(said) for one in doubts)


def _settles(sentence: str, low: str, answer: str) -> bool:
    """Whether a sentence says that an answer was borne out."""
    return _SETTLED.search(low) is not None or _says_again(sentence, answer)


def _is_right_sum(sentence: str) -> bool:
    """Whether a sentence is an equation and nothing else, and not plainly wrong."""
    whole = _SUM.fullmatch(sentence) and not EQUALS.match(sentence.lstrip(" $*\\("))
    return bool(whole) and adds_up(sentence)


def leaves_out(answer: str, ruled_out: re.Match[str]) -> bool:
    """Whether an answer is none of the options that are ruled out, as far as its letter tells."""
    named = re.findall("[A-J]", ruled_out["letters"] or ruled_out["other"])
    behind = LETTER.findall(ruled_out.string, ruled_out.end())
    return letter(answer) not in (None, *named, *behind)


def _says_again(sentence: str, answer: str) -> bool:
    """Whether a sentence says the answer again, and nothing else; its numbers letter by letter."""
    sentence = _ONCE_MORE.sub("", sentence, count=1)
    if (own := letter(answer)) and (option := _OPTION_AGAIN.match(sentence)):
        low = lowered(sentence[option.end() :])
        doubted = DOUBTFUL.search(low) or OF_ITS_AUTHOR.search(low) or ":" in low
        alone = CHOSEN.fullmatch(answer.strip(" *.()")) is not None
        if option["letter"] == own and alone and not doubted:
            return not ({one[0] for one in LETTER.finditer(sentence)} - {own})
    again = rf"(?<![-+*/^\w.]){re.escape(answer.strip())}(?![*/^\w])"
    rest, times = re.subn(again, " ", sentence)
    if TELLING.search(rest):
        return False
    words = WORD.findall(_COMMAND.sub("", lowered(rest)))
    return _AGAIN.issuperset(words) if times else repeats(words, answer)


def repeats(words: list[str], answer: str) -> bool:
    """Whether a sentence says the answer again, and nothing else."""
    again = {*WORD.findall(_COMMAND.sub("", lowered(answer)))}
    return not again.isdisjoint(words) and {*words} <= again | _AGAIN
