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

from agentflow.domains.answer_doubt import BACK, SECOND_THOUGHTS, TAKEN_BACK, rejected
from agentflow.domains.answer_leads import leads
from agentflow.domains.closings import CLOSES
from agentflow.domains.spelling import lowered, phrases, word_set

_SENTENCE = re.compile(r"[^.!?。\n]*(?:[.!?](?=\S)[^.!?。\n]*)*[.!?。]*[*_\"”')]*\s*|\n")
_BULLET = re.compile(r"\W*\d{1,2}[.)]\W*")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_ENGLISH = word_set("""
    the a is are of it this that has have was were we with for which there its these those they to
    and in by at from each every all then
""")
_FEWEST = 3
"""Words of a plain sentence."""
_OTHER_SCRIPT = re.compile(r"[^\x00-\u024f\u2000-\u2bff\ufe0f\U0001f000-\U0001faff]")
_BAD_SIGN = "[❌✗✘✖🚫🤷≠?]"
_TELLING = re.compile(rf"{_BAD_SIGN}|\d")
_EQUALS = re.compile("=(?!>)")
_ARITHMETIC = r"[\s\d.,+*/()^=$×÷·−≈\\{}-]*"
_SUM = re.compile(rf"(?:(?i:note that|indeed|check)[:,]? )?{_ARITHMETIC}={_ARITHMETIC}[✓✔✅\s]*")

_JOINING = word_set("first second then and so next finally now we get have")
"""Words of a sentence that only works something out: ``First, 17 * 3 = 51.``"""
_BEGIN = r"[\W_]*(?:(?:and|so|now|note)[,:]? )?"
_EXPLAINS = phrases(r"""
    explanation; explained; reason(?:ing|s)?; rationale; justification; why; proof; because; since
    derivation; breakdown; steps?; step-by-step; details; confidence; source; evidence
    verification; verify; (?:double[- ])?check(?:ing)?; summary; recap; according to; specifically
    in other words
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
_AUTHOR = phrases(r"""
    i; i['’]\w+; my; me; mine; none; nothing; nobody; random\w*; coin; placeholder; default; prompt
    mirror\w*; ignor\w+; told; made (?:it|this|that) up; closer (?:look|inspection); not among
    student; grader; teacher; follows if; works only; format; template; example
""")
_OF_ITS_AUTHOR = re.compile(rf"\b(?:{_AUTHOR})\b|\b0\s?%")
"""What no sentence behind an answer says of how its author came to it, or of whose it is."""
_NEGATES = phrases(r"""
    no; not; but; if; opposite; low; swap\w*; replac\w*; calculation; \w+n['’]t; cannot
    previous\w*; earlier; another; other; else; key; said; says
""")
_DENIES = re.compile(rf"\b(?:{_NEGATES})\b|[→⇒]|[-=]>")
"""What a sentence does not say that is not introduced as an explanation."""
_RULE = re.compile(
    r"\bif (?=(?:someone|somebody|something|anyone|anything|an? [a-z]+|all [a-z]+) [^,]{1,80},"
    r" (?:then )?(?:they|he|she|it|that|the)\b)"
)
"""What begins a rule that holds of whatever there is: ``If someone is kind, they are happy.``"""
_SPOKEN_OF = word_set("""
    i we you my our one answer statement conclusion claim premise premises question option options
    true false uncertain unknown correct right wrong read reads holds
""")
"""Words of a condition on which the answer depends."""
_EXPLAINED = re.compile(
    rf"{_BEGIN}(?:{_EXPLAINS}"
    rf"|(?:this|the|my|our) (?:\w+ )?(?:{_ITS_OWN}) (?:clearly )?(?:{_STANDS_BY}))\b"
)
"""How an explanation begins: ``Reason: ...``, ``This answer follows from ...``."""
_NAMED = re.compile(
    rf"\b(?<!long )(?:answer|option|choice)\b(?! (?:clearly )?(?:{_STANDS_BY})\b)"
    r"|\b(?:right|correct|true|real|actual|proper|better) (?:one|value|number|result|name)\b"
)
_IS_NAMED = re.compile(
    r"[\W_]*(?:It|That|This)(?:['’]s| (?:is|was|ought to be|must be|should be))"
    r" (?:(?:the|exactly) )?\W{0,3}(?:[A-Z\d]|true\b|false\b|unknown\b)\S*(?: \S+){0,3}\Z"
)
"""What says in a few words what something is: ``It is Paris.``"""
_PUTS = re.compile(
    r"[\W_]*(?:(?:so|then|please|just|now|let['’]s|let us|i['’]ll|i will|i['’]m)[, ]+)*"
    r"(?:(?:make|call|say|use|put|read|choose|pick|select|submit|enter|take|change|replace|swap)"
    r" (?:that|it|this|them|\W*(?:\d|[a-j]\b))"
    r"|(?:go|going) with\b|(?:changing|switching|moving|going) to\b|(?:negate|invert|flip)\b)"
)
"""What puts something in the place of an answer: ``Make that 15.``"""
_CONCLUDES = re.compile(
    r"[\W_]*(?:therefore|thus|hence|so|consequently|accordingly|ergo|finally|final|result|overall"
    r"|summary|(?:in )?conclusion|or|in other words)\b"
)
_LETTER = re.compile(
    r"(?<![\w'’.])(?:[B-HJ]|A(?! [a-z]|-)|A(?= (?:is|was|it|would|seems|fits|works)\b))(?![\w'’])"
)
"""An option; ``A`` before a word is an article."""
_CALCULATES = re.compile(
    r"[\W_]*(?:then|next|now|after that|lastly|finally)\b,? (?:(?:we|i|you|just|also|must|need|have"
    r"|to|can) ){0,4}(?:add|subtract|multiply|divide|double|halve|round|square|convert|take)\b"
)
"""What goes on calculating: ``Then we add 1.``"""
_UNMET = re.compile(rf"\bfails?\b(?! to)|\binstead of\b|{_BAD_SIGN.replace('?', '')}")
"""What in an explanation says that a check failed."""
_CLOSES = phrases(r"""
    \\?blacksquare; correct; right; so; yes; note; end of (?:the )?(?:answer|solution|proof)
    would you like me to explain[^.?\n]{0,30}; do you have any (?:further |more |other )?questions?
    i(?:['’]m| am) (?:confident|sure) (?:in|of|about) (?:this|it|that)(?: answer)?
    (?:i )?hope (?:this|that|it) is (?:correct|clear|useful|helpful)
    (?:and )?(?:that|this)(?:['’]s| is) (?:it|all|correct|right|(?:the|my) (?:final )?answer)
    (?:this|the|our) (?:answer|result|solution) has been (?:checked|verified)
    this matches (?:our|the) expectations?
    (?:thus |so )?all (?:of )?(?:the )?(?:constraints|conditions|rules|clues) (?:are )?met
    (?:thus |so )?all (?:of )?(?:the )?(?:given )?(?:conditions|rules|clues) (?:are )?satisfied
""")
_CLOSED = re.compile(rf"{_BEGIN}(?:{CLOSES}|{_CLOSES})[\W_]*$")
"""What may end a text."""
_CHECKS = re.compile(
    r"[\W_]*(?:(?:wait|hmm|perhaps|but|ok|okay|now|just)[,.]? )?(?:let me|let['’]s|let us|i['’]ll"
    r"|i will|i should|we can) (?:\w+ )?(?:verify|check|double|re-?check|confirm)\b"
)
"""Who only checks an answer holds on to it."""
_RULED_OUT = re.compile(
    r"[\W_]*(?i:so |and |but )?(?i:(?:option|answer|choice)s? )?"
    r"(?P<letters>\(?[A-J]\)?(?:(?:, and |, or |, | and | or )\(?[A-J]\)?)*) "
    r"(?:is|are|would be|was|were|can be|must be|has been|have been) (?:also |all |clearly |then )?"
    r"(?:wrong|incorrect|out|false|ruled out|eliminated|impossible|excluded|not\b)"
    r"|[\W_]*(?i:and )?(?i:not )(?i:option )?(?:<\w+>)?\W*(?P<other>[A-J])\W*(?:</?\w+>\W*)?$"
)
"""What rules out options: ``Option A is wrong: ...``, ``B and D are out.``, ``Not A.``"""

_DOUBTS = phrases(r"""
    wrong; incorrect\w*; mistak\w*; errors?; typo; oops; sorry; guess\w*; specul\w*; unsure; unclear
    mis(?:count|read|calc|interpret|underst|s?tat)\w*; ambigu\w*; uncertainty; doubt\w*; lies?
    untrue; fail\w*; instead; switch\w*; chang\w* my; take (?:it|that|this) back; never ?mind
    forget; cancel\w*; strike; scratch; ignor\w+; disregard\w*; retract\w*; withdraw\w*; reject\w*
    discard\w*; invalid; contradict\w*; violat\w*; however; although; though; unfortunately
    actually; wait; hmm+; hold on; nope; no (?:solution|answer|valid); none of; giv(?:e|ing) up
    undecid\w*; undetermin\w*; ill-\w+; on the other hand; alternativ\w*; rather; i mean\w*; meant
    still (?:have|need)s? to
    also (?:possible|be|valid|work); another (?:answer|possib\w+|option|reading|way); only if
    should (?:be|have|read); could; might; may; perhaps; maybe; probabl\w+; possibl[ey]; depend\w*
    assum\w*; unless; provided; if and only; jok\w+; kidding; tempting; would (?:be|have); otherwise
    reali[sz]\w+; reconsider\w*; revis\w*; correction; correcting; corrected; edit; update[ds]?
    opposite; negation; different; in fact; strictly; on second; re-?reading; textbook; suppos\w+
    except; not (?:sure|confident|certain|clear|right|correct|valid|possible|so|it|the|true|what)
    not (?:really|quite|enough|my|an?|final|verified|checked|proven|guaranteed)
    (?:do not|don['’]t) trust; w?oops; then again; ought to; (?:is|are|seems) better
    (?:reverse|contrary|converse|inverse) (?:holds|is true|is the case|is right)
    (?:this|that|above|it) (?:is|was) (?:false|untrue|a joke|a lie)
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
"""What no sentence behind an answer says."""
_AGAIN = word_set("""
    so therefore thus hence the final correct answer is option choice my our that this it and
    conclusion solution result boxed
""")

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
_CHOSEN = re.compile(r"\W*(?:(?i:option|choice|answer)\W*)?([A-J])(?![\w'’])")
_TRUTH = word_set("true false uncertain unknown yes no")
_CLOSING = re.compile(r"</?[|\w]+>|^(?:\\[)\]]|[$*_)\]}.,;\s])+")
_REASON = re.compile(
    r"(?:because|since|as|which|for (?:all|(?:the|these) (?:\w+ )?reasons)|so that|not"
    r"|rather than)\b(?<!\bnot(?=\W*\Z))"
    r"(?<!\bnot(?= (?:final|sure|certain|confident|verified|checked|proven|guaranteed|it|yet)\b))"
)
_COUNTED = re.compile(
    r"(?!(?:[a-z]+wards|[a-z]+ly|always|as|at|before|excluding|hal(?:f|ves)|has|if|is|less|mas|minus"
    r"|once|or|perhaps|plus|says|seems|gives|makes|means|equals|exceeds|fails|holds|follows|claims|states"
    r"|implies|ends|sometimes|tenths|this|times|was|with|without)\b)"
    r"(?:[a-z'-]+ ){0,2}?(?:[a-z]+[^\Ws]s|box|feet|degrees?|percent|people|men|women|children|fish"
    r"|jellyfish|sheep|mice|teeth|geese)\b"
)
"""What a number counts: ``cubic inches``, ``years old``, ``more roses than she threw away``."""
_POSSIBLE = re.compile(
    r"(?:(?:distinct|different|real|integer|positive|such) )?possible (?=(?:[a-z]+ )?(?:values|ways"
    r"|outcomes|pairs|triples|arrangements|combinations|numbers|integers|solutions|sums|products"
    r"|orders|orderings|routes|paths|positions|sets|sequences|schedules|assignments)\b)"
)
"""How many there are may be how many are possible: a doubt elsewhere."""
_GOES_ELSEWHERE = re.compile(
    r"\b(?:but|yet|though|although|except|still|instead|first|part|or|doubled|halved|bound|says?"
    r"|said|at (?:most|least)|i (?:think|believe|suppose|am))\b|\?"
)
_IS_THE_ANSWER = re.compile(
    r"is (?:indeed |therefore |thus )?(?:our|the|my) (?:final |correct |required |desired )?"
    r"(?:answer|solution)"
)
_FORMULA = re.compile(r"(?:\$|\\\(|\\\[)[^$\n]*$")
"""What stands before a mark in its formula."""
_PAUSED = re.compile(r"[\s$*)]{0,8}[,;:]")
_DIGIT = re.compile(r"\d")
_MODULUS = re.compile(r"\s*(?:\\pmod\s?(?:\{\s?\w{1,9}\s?\}|\w)|\(\\?(?:mod|bmod) ?\w{1,9}\))")
"""What a remainder is modulo."""
_ENDED = re.compile(
    r"(?:[\s.$]|\\\\)*(?:\\end\{(?:align|equation|gather|multline|eqnarray|flalign|displaymath|math"
    r"|aligned|gathered|split|center|proof|solution)\*?\}(?:[\s.$]|\\\])*)+"
)
_NUMBERS = re.compile(r"(?<!\bin )(?<!\bafter )(?<!\bfor )\b\d")
_STATES = re.compile(r"[\W\d_]*[A-Z]\S*\s(?:[^\n]*\s)?(?:are|have|[a-z]*[a-rt-z]?s)\b")
"""A sentence in the present tense, whole and no command: ``The path turns twice.``"""
_POINTS_BACK = re.compile(r"\b(?:this|that|it|these|those|above|answer)\b")
_ELSEWHERE = re.compile(r"\b(?:other|another|different|doubt\w*|must say)\b")
_IS_ONE = re.compile(r"(?:\bis|['’]s) (?:option |answer )?\(?([A-J])\b")
_AS_SAID = word_set("right correct indeed here above below です だ である 입니다 이다")
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
    introduced = False
    uncertain = _UNCERTAIN.fullmatch(answer.strip())
    for sentence in _sentences(behind):
        low = lowered(sentence)
        if uncertain and leaves_open(sentence):
            continue
        if not _WORD.search(sentence):
            if _TELLING.search(sentence) and not _SUM.fullmatch(sentence):
                return False
            continue
        introduced = introduced or _EXPLAINED.match(low) is not None
        if not (_may_follow(sentence, low, answer) or _is_plain(sentence, low, answer, introduced)):
            return False
        introduced = introduced or sentence.endswith(":")
    return not (TAKEN_BACK.search(behind) or SECOND_THOUGHTS.search(behind) or rejected(behind))


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
        of_its_own = _STATES.match(sentence) and not _POINTS_BACK.search(low)
        of_its_own = of_its_own or ("=" in low and _JOINING.issuperset(_WORD.findall(low)))
        if not (introduced or of_its_own or only_closes(sentence)):
            return False
    return stands(behind, answer)


def leaves_open(sentence: str) -> bool:
    """Whether a sentence says no more than that the premises do not tell."""
    low = lowered(sentence)
    return _OPEN.fullmatch(low) is not None and not _TURNS.search(low)


def only_closes(line: str) -> bool:
    """Whether a line says nothing but closing words: ``Hope this helps!``"""
    words = len(_WORD.findall(line)) >= _FEWEST
    return words and all(_CLOSED.match(lowered(one)) for one in _sentences(line))


def goes_on(rest: str, answer: str, lead: str = "") -> bool:
    """Whether the sentence that holds a marked answer leaves it, given how the sentence goes on:
    with nothing, the words of a unit, or a reason.

    Args:
        rest: What follows the mark, up to the end of its sentence.
        lead: What stands before the mark, from the beginning of its sentence.
    """
    paused = _PAUSED.match(rest)
    rest = _CLOSING.sub("", _MODULUS.sub("", rest, count=1))
    rest = rest.strip(" \t\r\n*_$.,;:!()]}\"'”’`。")
    low = lowered(rest)
    if not _WORD.search(rest):
        return not (
            re.search(_BAD_SIGN, rest) or (_DIGIT.search(rest) and not _EQUALS.search(rest))
        )
    if _PUTS.match(low):
        return False
    if ruled_out := _RULED_OUT.match(rest):
        return _leaves(answer, ruled_out)
    if _REASON.match(low):
        turned = any(one.search(low) for one in (BACK, _OF_ITS_AUTHOR, _ELSEWHERE))
        return not turned and all(one[1] == _letter(answer) for one in _IS_ONE.finditer(rest))
    if _IS_THE_ANSWER.fullmatch(low):
        return leads(_FORMULA.sub("", lead))
    if possible := _POSSIBLE.match(low):
        low = low[possible.end() :]
    if paused or _CHOSEN.fullmatch(answer) or answer.lower() in _TRUTH or not _COUNTED.match(low):
        return low in _AS_SAID
    elsewhere = (_DOUBTFUL, _SCALES, _NUMBERS, _GOES_ELSEWHERE)
    return not any(one.search(low) for one in elsewhere)


def ended(behind: str) -> str:
    """What follows an answer, without the ends of the environments of LaTeX it stands in."""
    found = _ENDED.match(behind)
    if found is None:
        return behind
    rest = behind[found.end() :]
    begins = "." in found[0] or "\n\n" in found[0] or rest[:1].isupper()
    return f"\n{rest}" if begins else rest


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
        return _leaves(answer, ruled_out)
    return _repeats(_WORD.findall(low), answer)


def _leaves(answer: str, ruled_out: re.Match[str]) -> bool:
    """Whether an answer is none of the options that are ruled out, as far as its letter tells."""
    named = re.findall("[A-J]", ruled_out["letters"] or ruled_out["other"])
    behind = _LETTER.findall(ruled_out.string, ruled_out.end())
    return _letter(answer) not in (None, *named, *behind)


def _repeats(words: list[str], answer: str) -> bool:
    """Whether a sentence says the answer again, and nothing else."""
    again = {*_WORD.findall(lowered(answer))}
    return not again.isdisjoint(words) and {*words} <= again | _AGAIN


def _is_plain(sentence: str, low: str, answer: str, introduced: bool) -> bool:
    """Whether a sentence only explains: it says nothing against the answer, and names no other."""
    words = _WORD.findall(low)
    if any(one.search(low) for one in (_OTHER_SCRIPT, _UNMET, _DOUBTFUL, _OF_ITS_AUTHOR)):
        return False
    if _PUTS.match(low):
        return False
    rule = _RULE.sub("", low, count=1) if _SPOKEN_OF.isdisjoint(words) else low
    if not introduced and (len(words) < _FEWEST or _DENIES.search(rule) or _CALCULATES.match(low)):
        return False
    if len(words) >= _FEWEST and _ENGLISH.isdisjoint(words):
        return False
    chosen, again = _letter(answer), {*_WORD.findall(lowered(answer))}
    others = {found[0] for found in _LETTER.finditer(sentence)} - {chosen}
    if (chosen and others) or (again <= _TRUTH and {*words} & (_TRUTH - again)):
        return False
    tells = _NAMED.search(low) or _CONCLUDES.match(low) or _IS_NAMED.match(sentence)
    return not tells or not again.isdisjoint(words)


def _letter(answer: str) -> str | None:
    """The option that an answer names by its letter."""
    found = _CHOSEN.match(answer)
    return found[1] if found else None
