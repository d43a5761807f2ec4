"""How the sentence goes on in which an answer is marked, and whether that leaves the answer.

\\boxed{14} apples.                      goes on with a unit
\\boxed{14}, because 7 + 7 = 14.         with a reason
\\boxed{14}, which is 15.                states another one
"""

from __future__ import annotations

import re

from agentflow.domains.answers.bearing_out import bears_out
from agentflow.domains.answers.behind import (
    EQUALS,
    GOES_ELSEWHERE,
    RULED_OUT,
    TELLING,
    leaves_out,
    repeats,
    stands,
)
from agentflow.domains.answers.doubt import BACK
from agentflow.domains.answers.known_remarks import leaves
from agentflow.domains.answers.leads import leads
from agentflow.domains.answers.remark_sums import adds_up, is_worth
from agentflow.domains.answers.remark_words import (
    BAD_SIGN,
    CHOSEN,
    DOUBTFUL,
    LETTER,
    OF_ITS_AUTHOR,
    PUTS,
    TRUTH,
    WORD,
    letter,
)
from agentflow.domains.spelling import NUMBERS, lowered, word_set

_ODD = re.compile(BAD_SIGN)
_CLOSING = re.compile(r"</?[|\w]+>|\[\^\w{1,9}\]|^(?:\\[)\]]|[$*_)\]}.,;\s])+")
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
    r"|(?:on|for) (?!(?:now|once|example|instance|short|starters|luck|fun|me|us)\b)[a-z]+"
    r"(?: (?:for|in) (?:an? |the )?[a-z]+){0,2}"
)
_OF_NUMBER = re.compile(r"of \$?[\d.,]*\d\$?")
_NUMBER_IS = re.compile(r"\d[\d.,]*\$? (?:is|are|was)(?: (?:exactly|therefore))?[\s$\\(]*\Z")
"""What leads to a share of a number: ``17 is \\boxed{34\\%} of 50``."""
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
_NUMBERS = re.compile(r"(?<!\bin )(?<!\bafter )(?<!\bfor )\b\d")
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
_FORMULA = re.compile(
    r"(?:\\(?:[a-z]+|[^a-zA-Z])|[^a-zA-Z\n\\]|(?<![a-zA-Z\\])[a-zK-Z](?![a-zA-Z]))+"
)
"""A formula that names no option."""
_OFTEN = re.compile(r"times(?: (?:altogether|in (?:all|total)|(?:an?|per|each|every) [a-z]+))?")
"""How often something happens: no factor stands behind it."""
_SCALES = re.compile(
    r"\b(?:hundreds?|thousands?|millions?|billions?|trillions?|dozens?|percent|squared|cubed"
    r"|factorial|times|plus|minus|divided|(?:is|equals|gives|makes) (?:not |\W*\d|zero\b|twenty))"
)
"""What makes another number of it."""


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
    if EQUALS.match(rest):
        return is_worth(rest[1:].strip(" $"), answer)
    if not WORD.search(rest):
        told = BAD_SIGN if EQUALS.search(rest) else TELLING.pattern
        return adds_up(rest) and not ("~~" in behind or re.search(told, rest))
    if leaves(rest, answer):
        return True
    if PUTS.match(low):
        return False
    if ruled_out := RULED_OUT.match(rest):
        return leaves_out(answer, ruled_out)
    reason = _REASON.match(low)
    if reason and letter(answer) and _FORMULA.fullmatch(rest, reason.end()):
        return adds_up(rest[reason.end() :])
    if _ODD.search(rest):
        return False
    if reason:
        return _bears(rest, low, reason.end(), answer)
    if _IS_THE_ANSWER.fullmatch(low):
        return leads(_OPENED.sub("", lead))
    if low in _AS_SAID or _in_its_base(low, answer) or _OFTEN.fullmatch(low):
        return True
    if paused or CHOSEN.fullmatch(answer) or answer.lower() in TRUTH:
        return False
    if _IS_VALUE.match(low):
        return not DOUBTFUL.search(low) and leads(_OPENED.sub("", lead))
    low = _QUALIFIED.sub("", low)
    unit, first = (WORD.findall(each) for each in (lowered(answer), low))
    again = first and first[0] in unit[-1:] and _DIGIT.match(answer)
    part = _OF_IT.fullmatch(low) and _PART.search(answer)
    if _OF_NUMBER.fullmatch(low) and "%" in answer and _NUMBER_IS.search(lead):
        return True
    if not (_COUNTED.match(low) or again or part or _COMPARED.match(rest)):
        return False
    related = _RELATED.search(low)
    of = related.start() if related else len(low)
    elsewhere = (DOUBTFUL, _SCALES, GOES_ELSEWHERE, _NUMBERS)
    return not (any(one.search(low, 0, of) for one in elsewhere) or _TURNED.search(low, of))


def _bears(rest: str, low: str, place: int, answer: str) -> bool:
    """Whether a clause behind an answer bears it out: a reason, what the answer comes to, or
    another answer that it is not.

    Args:
        rest: The clause; ``low`` is the same in small letters.
        place: Where the word ends that begins it: ``because``, ``which``, ``not``.
    """
    if _DENIES_ALL.match(low) or repeats(WORD.findall(low)[1:], answer):
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
