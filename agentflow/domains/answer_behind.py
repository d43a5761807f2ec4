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
from agentflow.domains.answer_remarks import is_plain
from agentflow.domains.bearing_out import bears_out
from agentflow.domains.closings import CLOSES
from agentflow.domains.remark_sums import adds_up, is_worth, works_out
from agentflow.domains.remark_words import (
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
    PUTS,
    STANDS_BY,
    TRUTH,
    WORD,
    letter,
)
from agentflow.domains.spelling import NUMBERS, lowered, phrases, word_set

_PROGRAM = re.compile(r"```(?:python|py|sympy|julia)\s*\n.*?(?:\n\s*```|\Z)", re.DOTALL)
_SPEAKS = re.compile(r"(?i)answer|[\"']\s*(?:true|false|uncertain|yes|no|[A-J])\s*[\"']")
"""What of an answer a program says."""
_OUTPUT = re.compile(r"```(?:output|text)?\s*\n(?P<said>[^`\n]{1,200})\n\s*```")
_SENTENCE = re.compile(r"[^.!?。\n]*(?:[.!?](?=\S)[^.!?。\n]*)*[.!?。]*[*_\"”')]*\s*|\n")
_BULLET = re.compile(r"\W*\d{1,2}[.)]\W*")
_NUMBERED = re.compile(r"[\W_]*(\d{1,2})[.)][*_]*\s+(?=[*_]*[A-Z])")
"""The number of a step, or of a line of a proof."""
_TELLING = re.compile(rf"{BAD_SIGN}|\d|~~")
_ODD = re.compile(BAD_SIGN)
_NO_SIGN = re.compile(ODD_SIGN)
_EQUALS = re.compile("=(?!>)")
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
_I_CHECKED = r"i(?:['’]ve| have)? (?:also )?(?:double-?checked|verified|checked|confirmed)"
_CLOSES = phrases(rf"""
    \\?blacksquare; correct; right; so; yes; note; end of (?:the )?(?:answer|solution|proof)
    perfect; excellent; hence proved; problem solved; have a (?:great|good|nice|wonderful) day
    would you like me to explain[^.?\n]{{0,30}}\??
    do you have any (?:further |more |other )?questions?\??
    i(?:['’]m| am) (?:very |quite |fully )?(?:confident|sure|certain|done)
    i(?:['’]m| am) (?:confident|sure|certain) (?:in|of|about) (?:this|it|that)(?: answer)?
    {_I_CHECKED} (?:this|that|it|(?:each|every|all) steps?)
    confidence(?: level)?:[*_ ]* (?:very )?(?:high|9\d(?:\.\d+)?\s?%|100\s?%)
    (?:i )?hope (?:this|that|it) is (?:correct|clear|useful|helpful)
    (?:let me know|feel free to ask) if anything is unclear
    (?:and )?(?:that|this)(?:['’]s| is) (?:it|all|correct|right|(?:the|my) (?:final )?answer)
    (?:this|the|our) (?:answer|result|solution) has been (?:checked|verified)
    thank(?:s| you) for (?:the|your|this) (?:question|puzzle|problem)
    this is (?:indeed )?the only (?:possible |valid |correct )?(?:answer|solution|option|choice)
    this matches (?:our|the) expectations?
    no (?:further|more) steps are (?:needed|required)
    no other (?:answer|option|solution|choice) (?:is possible|fits|works|remains)
    (?:there are )?no contradictions?(?: (?:were|was|are|is) found)?
    there is no other (?:possibility|option|answer|solution|choice)
    (?:thus |so )?all (?:of )?(?:the )?(?:constraints|conditions|rules|clues) (?:are )?met
    (?:thus |so )?all (?:of )?(?:the )?(?:given )?(?:conditions|rules|clues) (?:are )?satisfied
""")
_CLOSED = re.compile(rf"{_BEGIN}(?:yes, )?(?:{_CLOSES}|{CLOSES})(?:[^\w?]|_)*$")
"""What may end a text."""
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
_RULED_OUT = re.compile(
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
_CLOSING = re.compile(r"</?[|\w]+>|^(?:\\[)\]]|[$*_)\]}.,;\s])+")
_REASON = re.compile(
    r"(?:because|since|as|which|for (?:all|(?:the|these) (?:\w+ )?reasons)|so that|not"
    r"|rather than)\b(?<!\bnot(?=\W*\Z))"
    r"(?<!\bnot(?= (?:final|sure|certain|confident|verified|checked|proven|guaranteed|it|yet)\b))"
)
_WHICH_IS = re.compile(
    r"(?:which|that|since it|because it|as it) (?:is|equals|makes|gives|comes to|means)"
    r"(?: (?:exactly|just|simply|indeed))?[\s$\\(*]*(?P<n>[-(\d\\].*)"
)
"""What says what an answer comes to: ``\\boxed{14}, which is 14``."""
_WHICH_NAMES = re.compile(r"(?:which|that) (?:is|means) ([A-Z]\w+)")
"""What says in a word what an answer is: ``which is Northeast``."""
_ANOTHER = re.compile(
    r"\W*(?i:option |choice |answer )?\W*(?:-?\d[\d.,/]*|[A-J]"
    r"|(?i:true|false|uncertain|unknown|yes|no)|(?i:(?:north|south)[ -]?(?:east|west)?|east|west)"
    r"|[A-Z]\w+(?: [A-Z]\w+){0,2})\W*"
)
"""What may be another answer: ``C, not B``; no word such as ``necessarily``."""
_AS_ASKED = re.compile(
    r"(?:as|which is (?:what|as)) (?:(?:was|is|has been|we) )?(?:required|needed|desired|expected"
    r"|stated|shown|calculated|computed|asked|requested|wanted|claimed|above|before)\b[\w ]{0,30}"
    r"|which is (?:also |indeed )?"
    r"(?:what (?:was|is) asked(?: for)?|the (?:final |required |desired )?(?:answer|result|value))"
)
_OF_KIND = re.compile(
    r"which is (?:also |indeed |not )?"
    r"(?:(?:an? )?(?:multiple|factor|divisor|square|cube|prime|integer|divisible|even"
    r"|odd|positive|negative|fraction|decimal|whole|natural|irrational|rational)\b"
    r"|the (?:first|second|third|fourth|last|only|smallest|largest)(?: (?:option|choice|one))?$)"
    r"[\w\s$\\]{0,40}"
)
"""What sort of number, or which option, an answer is said to be."""
_BOX = re.compile(r"\\f?boxed|\\text|[{}]")
_DENIES_ALL = re.compile(
    r"(?:not|rather than)\b(?: (?:so|quite|really|exactly|at all|that)\b|.*\banswer)"
)
_COUNTED = re.compile(
    r"(?!(?:[a-z]+wards|[a-z]+ly|always|as|at|before|excluding|hal(?:f|ves)|has|if|is|less|mas|minus"
    r"|once|or|perhaps|plus|says|seems|gives|makes|means|equals|exceeds|fails|holds|follows|claims|states"
    r"|implies|ends|sometimes|tenths|this|times|was|with|without)\b)"
    r"(?:[a-z'-]+ ){0,2}?(?:[a-z]+[^\Ws]s|box|feet|degrees?|percent|people|men|women|children|fish"
    r"|jellyfish|sheep|mice|teeth|geese|ordered (?:pair|triple))\b|[a-z]\W{0,3}-intercepts?\b"
)
"""What a number counts: ``cubic inches``, ``years old``, ``more roses than she threw away``."""
_QUALIFIED = re.compile(
    r"\A(?:(?:distinct|different|possible|such|real|integer|positive|whole|[a-z]+-digit) )+"
    r"(?!(?:answer|option|interpretation|reading|solution)s?\b)(?=[a-z])|\bpossible\Z"
)
"""What may stand around what is counted: elsewhere a doubt."""
_GOES_ELSEWHERE = re.compile(
    r"\b(?:but|yet|though|although|except|still|instead|first|part|or|doubled|halved|bound|says?"
    r"|said|at (?:most|least)|i (?:think|believe|suppose|am))\b|\?"
)
_IS_THE_ANSWER = re.compile(
    r"is (?:indeed |therefore |thus )?(?:our|the|my) (?:final |correct |required |desired )?"
    r"(?:answer|solution)"
)
_OPENED = re.compile(r"(?:\$|\\\(|\\\[)[^$\n]*$")
"""A formula that is open where a mark begins."""
_PAUSED = re.compile(r"[\s$*)]{0,8}[,;:]")
_MODULUS = re.compile(r"\s*(?:\\pmod\s?(?:\{\s?\w{1,9}\s?\}|\w)|\(\\?(?:mod|bmod) ?\w{1,9}\))")
"""What a remainder is modulo."""
_ENDED = re.compile(
    r"(?:[\s.$]|\\\\)*(?:\\end\{(?:align|equation|gather|multline|eqnarray|flalign|displaymath|math"
    r"|aligned|gathered|split|center|proof|solution)\*?\}(?:[\s.$]|\\\])*)+"
)
_IS_VALUE = re.compile(
    r"is (?:indeed |therefore |thus )?the (?:(?!other|first|second|last|old)[a-z]+ )?"
    r"(?:value|integer|number|form|sum|product|root|answer|length|area|volume)"
    r" (?:of|that|rounded)\b(?!.*\b(?:not|other|wrong)\b)"
)
"""What a mark is said to be: ``\\boxed{17} is the value of x + y``."""
_OF_IT = re.compile(
    r"(?:of|on|for) (?:the|an?|his|her|their|its) [a-z]+(?: [a-z]+){0,3}|per [a-z]+"
)
_PART = re.compile(r"frac|\d/\d|%|[$]")
"""Of what only a share, or a price, may be: ``\\boxed{\\frac{3}{4}} of the pie``."""
_COMPARED = re.compile(
    r"(?:more|less|fewer|older|younger|taller|shorter|longer|heavier) than [A-Z][a-z]+\b"
)
_BASE = re.compile(r"in base[ -]\W{0,3}(\w+)")
_BELOW = re.compile(r"_\{?(\w+)")
"""The base of a number, in digits or as a word: ``52_8``, ``52_eight``."""
_RELATED = re.compile(
    r"\b(?:(?:divisors?|factors?|multiples|values|powers|digits|terms|elements|members) of|that"
    r"|for which|which|who|whose|with|greater than|less than|between|for the integer|after"
    r"|(?:to|from)(?! \W*\d)|in(?=[ $\\(]{1,4}\d))\b.*"
)
"""What tells of which things so many there are; numbers in it are no answers."""
_TURNED = re.compile(
    r"\b(?:answer|but|however|instead(?! of an?\b)|actually|guess|errors?|mistaken?|typo|wrong"
    r"|incorrect|or|i|maybe|perhaps|makes?|equals?|gives?)\b|[=?]"
)
"""What a clause about things that are counted does not say."""
_DIGIT = re.compile(r"\W*\d")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_NUMBERS = re.compile(r"(?<!\bin )(?<!\bafter )(?<!\bfor )\b\d")
_STATES = re.compile(r"[\W\d_]*[A-Z]\S*\s(?:[^\n]*\s)?(?:are|have|[a-z]*[a-rt-z]?s)\b")
"""A sentence in the present tense, whole and no command: ``The path turns twice.``"""
_POINTS_BACK = re.compile(r"\b(?:this|that|it|these|those|above|answer)\b")
_ELSEWHERE = re.compile(r"\b(?:other|another|different|doubt\w*|must say)\b")
_TAKEN = re.compile(
    r"\b(?:we|i|they|you|one|now|all) (?:\w+ )?(?:deny|drop|discard|exclude|refuse|abandon)\b"
    r"|\brul(?:e|es|ed|ing)(?: \w+)? out\b|\b(?:nonsense|lie|chance|long shot)\b"
)
"""What takes an answer back, said of it."""
_OF_NUMBERS = re.compile(
    r"\bnot (?:an? (?:multiple|factor|divisor|square|prime)|divisible|prime|even|odd|zero)\b"
)
"""What a number is said not to be, which doubts nothing."""
_IS_ONE = re.compile(r"(?:\bis|['’]s) (?:option |answer )?\(?([A-J])\b")
_AS_SAID = word_set(
    "respectively altogether long wide tall high deep right correct indeed here above below"
    " です だ である 입니다 이다"
)
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
    behind = _PROGRAM.sub(lambda one: one[0] if _SPEAKS.search(one[0]) else "\n", behind)
    behind = _OUTPUT.sub(lambda one: "\n" if is_worth(one["said"], answer) else one[0], behind)
    behind = MONTH.sub("Mai", behind)
    introduced = checking = open_ = False
    steps = 0
    uncertain, denies = _UNCERTAIN.fullmatch(answer.strip()), _DENIAL.search(lowered(answer))
    for sentence in _sentences(behind):
        if (numbered := _NUMBERED.match(sentence)) and int(numbered[1]) == steps + 1:
            steps, sentence = steps + 1, sentence[numbered.end() :]
        low = lowered(sentence)
        if denies and _YES.search(low):
            return False
        if uncertain and leaves_open(sentence):
            continue
        if not WORD.search(sentence):
            if _TELLING.search(sentence) and not _is_right_sum(sentence):
                return False
            continue
        introduced = introduced or _EXPLAINED.match(low) is not None
        checking = checking or _CHECKS.match(low) is not None
        if _may_follow(sentence, low, answer) or is_plain(sentence, low, answer, introduced):
            open_ = open_ and not _settles(sentence, low, answer)
        elif checking and _only_calculates(sentence):
            open_ = True
        else:
            return False
        introduced = introduced or sentence.endswith(":")
    return not open_ and not (
        TAKEN_BACK.search(behind) or SECOND_THOUGHTS.search(behind) or rejected(behind)
    )


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
        if not (introduced or of_its_own or only_closes(sentence)):
            return False
    return stands(behind, answer)


def leaves_open(sentence: str) -> bool:
    """Whether a sentence says no more than that the premises do not tell."""
    low = lowered(sentence)
    return _OPEN.fullmatch(low) is not None and not _TURNS.search(low)


def only_closes(line: str) -> bool:
    """Whether a line says nothing but closing words: ``Hope this helps!``"""
    words = len(WORD.findall(line)) >= FEWEST
    return words and all(_CLOSED.match(lowered(one)) for one in _sentences(line))


def goes_on(rest: str, answer: str, lead: str = "") -> bool:
    """Whether the sentence that holds a marked answer leaves it, given how the sentence goes on:
    with nothing, the words of a unit, or a reason.

    Args:
        rest: What follows the mark, up to the end of its sentence.
        lead: What stands before the mark, from the beginning of its sentence.
    """
    behind, paused = rest, _PAUSED.match(rest)
    rest = _CLOSING.sub("", _MODULUS.sub("", rest, count=1))
    rest = rest.strip(" \t\r\n*_$.,;:!()]}\"'”’`。")
    low = lowered(rest)
    if behind.lstrip(" $*)}").startswith(("...", "…")):
        return False
    if _EQUALS.match(rest):
        return is_worth(rest[1:].strip(" $"), answer)
    if not WORD.search(rest):
        told = BAD_SIGN if _EQUALS.search(rest) else _TELLING.pattern
        return adds_up(rest) and not ("~~" in behind or re.search(told, rest))
    if PUTS.match(low):
        return False
    if ruled_out := _RULED_OUT.match(rest):
        return _leaves(answer, ruled_out)
    if _ODD.search(rest):
        return False
    if reason := _REASON.match(low):
        return _bears(rest, low, reason.end(), answer)
    if _IS_THE_ANSWER.fullmatch(low):
        return leads(_OPENED.sub("", lead))
    if low in _AS_SAID or _in_its_base(low, answer):
        return True
    if paused or CHOSEN.fullmatch(answer) or answer.lower() in TRUTH:
        return False
    if _IS_VALUE.match(low):
        return not DOUBTFUL.search(low) and leads(_OPENED.sub("", lead))
    low = _QUALIFIED.sub("", low)
    unit, first = (WORD.findall(each) for each in (lowered(answer), low))
    again = first and first[0] in unit[-1:] and _DIGIT.match(answer)
    part = _OF_IT.fullmatch(low) and _PART.search(answer)
    if not (_COUNTED.match(low) or again or part or _COMPARED.match(rest)):
        return False
    related = _RELATED.search(low)
    of = related.start() if related else len(low)
    elsewhere = (DOUBTFUL, _SCALES, _GOES_ELSEWHERE, _NUMBERS)
    return not (any(one.search(low, 0, of) for one in elsewhere) or _TURNED.search(low, of))


def _bears(rest: str, low: str, place: int, answer: str) -> bool:
    """Whether a clause behind an answer bears it out: a reason, what the answer comes to, or
    another answer that it is not.

    Args:
        rest: The clause; ``low`` is the same in small letters.
        place: Where the word ends that begins it: ``because``, ``which``, ``not``.
    """
    if _DENIES_ALL.match(low) or _repeats(WORD.findall(low)[1:], answer):
        return False
    said = _OF_NUMBERS.sub("", low)
    if any(one.search(said) for one in (BACK, DOUBTFUL, OF_ITS_AUTHOR, _ELSEWHERE, _TAKEN)):
        return False
    if answer.lower() in TRUTH and {*WORD.findall(low)} & (TRUTH - {answer.lower()}):
        return False
    if any(one[1] != letter(answer) for one in _IS_ONE.finditer(rest)):
        return False
    if comes_to := _WHICH_IS.fullmatch(low):
        return is_worth(comes_to["n"].rstrip(" $\\*)"), answer)
    if named := _WHICH_NAMES.fullmatch(rest):
        return named[1].lower() in lowered(answer)
    if low.startswith(("not", "rather than")):
        return _ANOTHER.fullmatch(_BOX.sub("", rest[place:])) is not None
    if letter(answer) and {*LETTER.findall(rest)} - {letter(answer)}:
        return low.startswith(("because", "since"))  # why it is no other option
    if low.startswith(("which", "as", "so that")):
        if _AS_ASKED.fullmatch(low) or _OF_KIND.fullmatch(low):
            return True
        return bears_out(f"it {low[place:].strip()}", answer)
    return stands(f"Reason: {rest[place:]}", answer)


def _in_its_base(low: str, answer: str) -> bool:
    """Whether words behind a number say no more than its base: ``in base eight``, of 52_8."""
    said, below = _BASE.fullmatch(low), _BELOW.search(answer)
    base = below[1] if below else "10"
    return said is not None and str(NUMBERS.get(said[1], said[1])) == str(NUMBERS.get(base, base))


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
    if _NO_SIGN.search(sentence):
        return False
    if _CLOSED.match(low) or _SOURCE.match(low):
        return True
    if _is_right_sum(sentence):
        return not _CHECKS.match(low) or _is_about(sentence, answer)
    if checks := _CHECKS.match(low):
        found = sentence[checks.end() :]
        return not found or (":" in checks["end"] and _is_found(found, answer))
    if ruled_out := _RULED_OUT.match(sentence):
        return _leaves(answer, ruled_out)
    return _says_again(sentence, answer)


def _is_found(sentence: str, answer: str) -> bool:
    """Whether a check, which comes to this, bears an answer out."""
    low = lowered(sentence)
    if _CLOSED.match(low):
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
    doubts = (DOUBTFUL, OF_ITS_AUTHOR, _GOES_ELSEWHERE, _IS_CALLED)
    return "=" in sentence and adds_up(sentence) and not any(one.search(said) for one in doubts)


def _settles(sentence: str, low: str, answer: str) -> bool:
    """Whether a sentence says that an answer was borne out."""
    return _SETTLED.search(low) is not None or _says_again(sentence, answer)


def _is_right_sum(sentence: str) -> bool:
    """Whether a sentence is an equation and nothing else, and not plainly wrong."""
    whole = _SUM.fullmatch(sentence) and not _EQUALS.match(sentence.lstrip(" $*\\("))
    return bool(whole) and adds_up(sentence)


def _leaves(answer: str, ruled_out: re.Match[str]) -> bool:
    """Whether an answer is none of the options that are ruled out, as far as its letter tells."""
    named = re.findall("[A-J]", ruled_out["letters"] or ruled_out["other"])
    behind = LETTER.findall(ruled_out.string, ruled_out.end())
    return letter(answer) not in (None, *named, *behind)


def _says_again(sentence: str, answer: str) -> bool:
    """Whether a sentence says the answer again, and nothing else; its numbers letter by letter."""
    again = rf"(?<![-+*/^\w.]){re.escape(answer.strip())}(?![*/^\w])"
    rest, times = re.subn(again, " ", sentence)
    if _TELLING.search(rest):
        return False
    words = WORD.findall(_COMMAND.sub("", lowered(rest)))
    return _AGAIN.issuperset(words) if times else _repeats(words, answer)


def _repeats(words: list[str], answer: str) -> bool:
    """Whether a sentence says the answer again, and nothing else."""
    again = {*WORD.findall(_COMMAND.sub("", lowered(answer)))}
    return not again.isdisjoint(words) and {*words} <= again | _AGAIN
