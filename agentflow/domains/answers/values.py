"""What an answer is said to be: the words behind a cue, without what only speaks of it."""

from __future__ import annotations

import re
from fractions import Fraction

from agentflow.domains import arithmetic
from agentflow.domains.answers.behind import leaves_open, stands
from agentflow.domains.answers.clauses import goes_on
from agentflow.domains.answers.doubt import BACK
from agentflow.domains.answers.marks import clean, unstopped
from agentflow.domains.answers.remark_words import (
    DOUBTFUL,
    LETTER,
    OF_ITS_AUTHOR,
    SMILEYS,
    TRUTH,
    WORD,
    letter,
)
from agentflow.domains.spelling import lowered

_MAX_LINE = 2_000
"""Of an answer line or of the line below a heading; in characters."""
MAX_SAID = 300
"""Characters of an answer in a sentence."""

ADVERB = (
    r"(?:indeed|simply|just|therefore|thus|clearly|definitely|certainly|still|now|also|again"
    r"|really|actually|then|hence|exactly|finally|obviously|surely|in fact|always)"
)
_QUOTATION = re.compile(r"[\"“]([^\"“”\n]{1,200}?)[.,!]?[\"”](?! (?:or|and|but|,)\b)")
_CONDITION = re.compile(r"(?i)\s(?:only )?(?:if|unless|provided)\s")
_NO_VALUE = re.compile(
    r"(?i)(?:not|never|no longer|either|neither|probably|maybe|perhaps|possibly|likely|unlikely"
    r"|unclear|whether|if|what|how|why|where|when|going to|supposed|expected"
    r"|based|obtained|found|presented|given|stated|written|shown|expressed|determined|derived"
    r"|known|asked|required|something|in the (?:form|format|box)|in terms of"
    r"|(?:verified|confirmed|checked|validated)[\s.]*$"
    r"|given by|still|as follows|because|due|also|consistent|wrong|incorrect|could|might|may"
    r"|(?:very|quite|rather|too)\b.*|(?:among|between|one of|any of|somewhere)\b.*"
    r"|the same\b.*|(?:correct|obvious|clear|simple"
    r"|different|unique|valid|below|above|here|right there|yet)[\s.]*$)(?!\w)"
)
_FILLER = re.compile(
    rf"(?i)(?:{ADVERB},?|for (?:sure|certain),?|as follows:|given as:?|option that is"
    r"|therefore,?|thus,?|that|me|us)\s+(?=\S)"
)
_REASON = (
    r",?\s+(?:because|since|as (?:(?:it|the|we|this|that|there|nothing|no|all|every)(?=[^.,;\n]* "
    r"(?:is|are|was|were|has|have|do|does|can|must|need|needs|requires?|follows?|goes|turns?|uses?)"
    r"\b)|shown|required|given|per|stated"
    r"|expected|desired|computed|calculated|found|derived|above|before|noted"
    r"|explained))\b|[,;]\s+(?:due to|based on|given that)\b|\s+\((?:since|because|as)\b"
)
_BOLD = re.compile(r"(?<![\d)])(?<![\d)] )(?<!\b\w)\*\*|\*\*(?! ?[\w(])")
"""What is not a power."""
_LINE_TAIL = re.compile(rf"(?i)(?:{_REASON}).*$")
"""What may follow in an answer line and is no part of the answer."""
_CHECKS = (
    r"(?:let me|let['’]?s|let us|(?:i|we)(?:['’]ll| will| should| can| could| need to| want to)"
    r"|wait|to be (?:sure|safe|certain)|just|double|first|before)\b"
)
TAIL = re.compile(
    rf"(?i)(?:{_REASON}|,?\s+even (?:though|if)\b"
    rf"|[,;]?\s+(?:but|although|though|however|and|so)[\s,]+{_CHECKS}|[,;]\s+(?:{_CHECKS}"
    r"|(?:which|so|where|when|after|using|with|by|for|i\.e|rather than|instead of|meaning|making"
    r"|giving|matching|corresponding|right|exactly|indeed|confirmed|therefore"
    r"|this (?:is|was))\b|not [^,;]{1,40}$)|\s+(?:now|then|indeed|after all|for sure)(?=[.!]?$)"
    r"|,?\s+which\b|\s+[—–]+\s*(?=[A-Za-z])"
    r"|\s+-+\s+(?=[A-Za-z]{3})|\s+\((?:not|i\.e|which|from|by|see|the|checked)\b).*$"
)
"""What may follow in a sentence."""
_LETTERS = r"\(?[A-J]\)?(?:(?:, | or | and |, or |, and )\(?[A-J]\)?){0,8}"
_RULES_OUT = re.compile(
    r"(?P<said>\(?[A-J]\)?)[.,;:]? (?:(?i:because|since|as) )?(?i:(?:it|this|that|the answer)"
    r" (?:can['’]?t|cannot|can not|(?:could|would|should)(?: not|n['’]t)|is(?: not|n['’]t))"
    r" (?:be )?"
    r"|(?:it|this) (?:does not|doesn['’]t) make (?:any )?sense for (?:it|this|that|the answer)"
    rf" to be )(?P<out>{_LETTERS})[.!]?"
)
"""An option, and which others it is not: ``D, it can't be A or B``."""
_DECORATION = f" \t\r\n*_{SMILEYS}"
_LOUD = re.compile(r"(?<=[a-z][a-z])!+\Z|(?<=\*\*|\$\$|\\\)|\\\])!+\Z|(?<=[^*]\$)!+\Z")
"""An exclamation mark behind a word, or what is marked: no factorial."""
_IN_QUOTES = re.compile(
    r"'(?P<said>[^']+|[^']*\w'\w[^']*)'"
    r"|[\"“](?P<double>[^\"“”]+)[\"”]"
)
_LOOKED_AT = re.compile(
    r"(?i)(?<=\w)[*_]{0,2} \((?:final(?: answer)?|(?:verified|confirmed|(?:double-?|re-?)?checked)"
    r"(?: (?:twice|again|above|below))?)\)[.\s*_]*\Z"
)
"""Behind an answer, that it is final, or was looked at."""
_MEASURED = re.compile(r"\d\s?[\"'”’″′]{1,2}\Z")
"""A number in feet, inches or minutes."""
_DOLLARS = re.compile(r"-?\$\d")
"""A price; elsewhere a lone sign is a half of a pair."""
_POINTS = re.compile(r"^(?:→|⇒|∴|=>|->|\\therefore\b)\s*")
_MODIFIES = re.compile(r"\W*(?:when|with|once|even if|otherwise|as long as|in case|where)\b")
"""What makes an answer hold in some cases only."""
_RESTATES = re.compile(
    r"\W*(?:so|even|giving|meaning|making|which|that|i\.e|for|after|but|and|therefore|corresponding|see)\b"
)
"""What may come to another answer."""
_COMES_TO = re.compile(r"=\s*(-?\d+(?:[.,]\d+)*)")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")

_ONE_NUMBER = re.compile(r"[^\w.-]*(-?[\d,]*\.?\d+)(?:\W*| ?[a-z]{1,20}(?: [a-z]{1,20})?)")
"""A number, with a word or two that it counts."""
_OPTION = re.compile(r"[A-J]")
_ONE_LETTER = re.compile(r"(?:(?i:option|choice) )?[(\[]?([A-J])[)\].]?")
_ANY_LETTER = re.compile(r"(?:(?i:option|choice) )?[(\[]?([A-Z])[)\].]?")
_SAME = {"yes": "true", "no": "false", "correct": "true", "incorrect": "false"} | dict.fromkeys(
    ("unknown", "undetermined", "cannot be determined"), "uncertain"
)
_ARTICLE = re.compile(r"\A(?:the|an?) (?=[a-z])")
_FEW_WORD = re.compile(r"[a-z]+")
_FEW = re.compile(r"[a-z]+(?:[ -][a-z]+)?")

_MADE_UP = re.compile(r"(?<=\d)[*_]*:[*_]* (?=[^\n]*[a-z]).*", re.DOTALL)
"""What a number is made up of: ``6: 4 girls and 2 boys``."""
_HAS = re.compile(
    r"\A[a-zA-Z][a-zA-Z'’ -]{0,60} (?:has|have|had|is|are|was|were)"
    r" (?P<n>\d[\d,]*(?:\.\d+)?)(?: [a-z]+){0,4}\.?\Z"
)
"""A clause with one number, which is the answer: ``Ann has 4 eggs``."""


def differ(one: str, other: str) -> bool:
    """Whether two answers are of one kind and surely not the same: two numbers, two calculations,
    two letters of options, two of a word or two."""
    one, other = one.strip(), other.strip()
    if max(len(one), len(other)) > MAX_SAID:
        return False
    one, other = (_HAS.sub(r"\g<n>", _MADE_UP.sub("", text)) for text in (one, other))
    for pattern in (_ANY_LETTER, _ONE_LETTER, _ONE_NUMBER):
        said, again = pattern.fullmatch(one), pattern.fullmatch(other)
        if said and again:
            return said[1] != again[1] and _number(said[1]) != _number(again[1])
        if (said or again) and pattern is _ONE_LETTER:
            return False
    sides, its_sides = _sides(one), _sides(other)
    if sides and its_sides:
        return not any(_same(side, its) for side in sides for its in its_sides)
    low = [_ARTICLE.sub("", text.lower().rstrip(".")) for text in (one, other)]
    low = [_SAME.get(text, text) for text in low]
    if not all(map(_FEW.fullmatch, low)):
        return False
    return {*_FEW_WORD.findall(low[0])}.isdisjoint(_FEW_WORD.findall(low[1]))


def _number(said: str) -> Fraction | str:
    """The number that digits say; a letter is itself."""
    plain = said.replace(",", "")
    return plain if plain.isalpha() else Fraction(plain)


def _sides(text: str) -> list[arithmetic.Expression]:
    """What stands on the sides of the equals signs of a calculation; empty where it is none."""
    sides = [arithmetic.parse(side.strip(" $")) for side in arithmetic.plain(text).split("=")]
    read = [side for side in sides if side is not None]
    return read if len(read) == len(sides) else []


def _same(one: arithmetic.Expression, other: arithmetic.Expression) -> bool:
    """Whether two calculations come to the same, and of the same numbers if both have several."""
    numbers = [sorted(arithmetic.numbers(side)) for side in (one, other)]
    alike = numbers[0] == numbers[1] or min(map(len, numbers)) == 1
    return alike and arithmetic.value(one) == arithmetic.value(other)


def value(text: str, *, short: bool = False) -> str:
    """The answer that a whole line is; empty where it is too long for one, or leads to another.

    Args:
        short: Whether it must be an expression or two words at most.
    """
    answer = trimmed(re.sub(r"^\s*(?:[-*•>]\s+)+", "", text))
    if len(answer) > _MAX_LINE or answer.endswith((":", "?")) or len(answer.split()) > 40:
        return ""
    if short and len(re.findall(r"(?<![\\\w])[^\W\d_]{2,}", answer)) > 2:
        return ""
    return answer


def trimmed(text: str) -> str:
    """An answer without the signs around it that are no part of it; empty for a place for one."""
    quiet = _LOUD.sub("", _LOOKED_AT.sub("", text.strip(f" \t\r\n{SMILEYS}")))
    text = _POINTS.sub("", quiet.strip(_DECORATION))
    text = unstopped(text.strip(_DECORATION)).rstrip(",;*_ 。")
    if text.count("**") == 1:
        text = _BOLD.sub("", text)
    text = _unquoted(text)
    lone = text.count("$") == 1 and not _DOLLARS.match(text)
    if lone or (text.count("$$") == 1 and text.count("$") == 2):
        text = text.strip("$ ")
    return _unquoted(unstopped(_unquoted(clean(text)))) if text else ""


def _unquoted(text: str) -> str:
    """A text without quotation marks around it, or a lone one at an end; behind a number that may
    be one of feet or inches (``14'``), and stays."""
    text = text.strip(" \t*,;")
    if text.count('"') > 2 and text.count('"') % 2:  # which of them belong together is not known
        return ""
    while found := _IN_QUOTES.fullmatch(text):
        text = unstopped(found["said"] or found["double"]).strip(" \t*,;")
    if text.count("'") == 1 and not _MEASURED.search(text):
        text = text.strip("'")
    text = text.lstrip(' \t*,;"“”')
    return text if _MEASURED.search(text) else text.rstrip(' \t*,;"“”')


def chosen(text: str) -> str | None:
    """The option that a text says to be right while it rules out others; None for other texts."""
    found = _RULES_OUT.fullmatch(text.strip(" \t\r\n*_"))
    if found is None:
        return None
    letter = found["said"].strip("()")
    return None if letter in _OPTION.findall(found["out"]) else letter


def line_value(rest: str) -> str:
    """The answer in an answer line, all that it says but its reasons; a doubt stays."""
    if letter := chosen(rest):
        return letter
    tail = _LINE_TAIL.search(rest)
    if tail and not _leaves(rest[: tail.start()], rest[tail.start() :]):
        tail = None
    return trimmed(rest[: tail.start()] if tail else rest)


_AGAINST = {
    "true": re.compile(r"\b(?:false|uncertain|unknown|contradict\w*)\b"),
    "false": re.compile(r"\b(?:true|uncertain|unknown|follows|entail\w*)\b"),
    "uncertain": re.compile(r"\b(?:is|be) (?:true|false)\b(?! n?or\b)"),
}
"""What does not go with a truth value."""


_HOLDS_ON = re.compile(
    rf"\W*(?:(?:but|although|though|however|and|so)[\s,]+)?(?:{_CHECKS}"
    r"|(?:right|exactly|indeed|confirmed|now|then|after all|for sure)\W*\Z)"
)
"""Who only checks an answer, or says it once more with weight, holds on to it."""
_SAYS_WHAT = re.compile(r"\W*(?:which|that|this|not|i\.e|meaning|rather than|instead of|[—–-])")
"""What begins a clause that says what an answer is, or is not."""
_SAYS_WHY = re.compile(r"(?i)[\W_]*(?:because|since|as|due to|based on|given that|for)\b,?\s*")
_CONTRADICTS = re.compile(
    r"(?i)(?:(?:it|this|that) (?:directly )?contradicts (?:the |our )?(?:\w+ )?"
    r"(?:premises?|facts?|rules?|clues?|text)(?: \d+)?|(?:the )?(?:\w+ )?(?:premises?|facts?|rules?"
    r"|clues?|text)(?: \d+)? (?:directly )?contradicts? (?:it|this|that|the \w+))"
)
_OPEN_VALUES = ("uncertain", "unknown", "undetermined")
_OPPOSITE = re.compile(r"\b(?:opposite|reverse|contrary|converse)\b")
_NOT_IT = re.compile(r"\W*(?:and )?not (.{1,40})")
_NOT_TRUTH = re.compile(r"\A,? (?:and )?not (true|false|uncertain|unknown)\W*\Z")
_BEGINS = re.compile(r"\W*(?:(?i:option|choice) )?\(?([A-J])(?![\w'’])")
_NOT_THAT = re.compile(
    r"\W*(?i:not|rather than|instead of) (?:(?i:option|choice) )?\(?([A-J])\)?\W*"
)


def _leaves(answer: str, tail: str) -> bool:
    """Whether what follows an answer in its sentence leaves it: no doubt, no condition, no other
    number that things come to, and no option ruled out that it may be."""
    low, begins = lowered(tail), _BEGINS.match(answer)
    if (denied := _NOT_THAT.fullmatch(tail)) and (begins is None or begins[1] == denied[1]):
        return False
    if BACK.search(low) or _MODIFIES.match(low) or _OPPOSITE.search(low):
        return False
    if (same := _NOT_IT.fullmatch(tail)) and lowered(trimmed(same[1])) == lowered(trimmed(answer)):
        return False
    if denied := _NOT_TRUTH.match(low):
        return denied[1] not in lowered(answer)
    if any(value in lowered(answer) and one.search(low) for value, one in _AGAINST.items()):
        return False
    if reason := _SAYS_WHY.match(tail):
        if not _is_reason(tail[reason.end() :], answer):
            return False
    elif not _HOLDS_ON.match(low) and not goes_on(tail, answer) and not _tells(low, answer):
        return False
    said = _NUMBER.findall(answer)
    results = _NUMBER.findall(low) if _RESTATES.match(low) else _COMES_TO.findall(low)[-1:]
    return not said or all(one in said for one in results)


def _tells(low: str, answer: str) -> bool:
    """Whether a clause behind an answer, which is no reason, only tells how it was found: without a
    doubt, and nothing else instead."""
    if any(one.search(low) for one in (DOUBTFUL, OF_ITS_AUTHOR)) or _SAYS_WHAT.match(low):
        return False
    words = {*WORD.findall(low)}
    options = {*LETTER.findall(low.upper())} if letter(answer) else set()
    return not (options or words & (TRUTH - {*WORD.findall(lowered(answer))}))


def _is_reason(said: str, answer: str) -> bool:
    """Whether what stands behind ``because`` bears an answer out; that a claim is contradicted is a
    reason for a False."""
    if lowered(answer) in ("false", "no") and _CONTRADICTS.fullmatch(said.strip(" .")):
        return True
    open_ = leaves_open(said) or "neither true nor false" in said
    return (open_ and lowered(answer) in _OPEN_VALUES) or stands(f"Reason: {said}", answer)


_WHICH_IS = re.compile(
    r"\W*(?P<option>\(?[A-J]\)?),? (?:which|that) (?:is|says|reads|states|equals|gives) "
    r"(?P<said>[\"'*$]{0,2}(?:\d[\w.,/%]*(?: [a-z]+){0,2}|[A-Z][\w-]*(?: [A-Z][\w-]*)?)"
    r"[\"'*$]{0,2})[.\s]*"
)
"""An option, and what it says: ``C, which is 2``."""


_LONG_OPTION = re.compile(r"[*_]{0,2}\(?[A-J][.):][*_]{0,2} (?:[A-Za-z'’-]+,? ){2}[A-Za-z'’-]+")
"""An option with three words at least."""


def said_behind(rest: str) -> str:
    """The answer behind a cue, without what only speaks of it; empty if there is none."""
    rest = rest.strip(" \t\r\n*_")
    while filler := _FILLER.match(rest):
        rest = rest[filler.end() :].lstrip("*_ ")
    if letter := chosen(rest):
        return letter
    quotation = _QUOTATION.match(rest)
    if quotation and not re.search(r"[\w\"]", TAIL.sub("", rest[quotation.end() :], count=1)):
        return trimmed(quotation[1])
    tail = TAIL.search(rest)
    if _NO_VALUE.match(rest):
        return ""
    if beside := _WHICH_IS.fullmatch(rest):
        return trimmed(f"{beside['option']}: {beside['said']}")
    if tail and _LONG_OPTION.match(rest[: tail.start()]):
        tail = None  # what an option says may go on like this
    if tail and not _leaves(rest[: tail.start()], rest[tail.start() :]):
        return ""
    answer = trimmed(rest[: tail.start()] if tail else rest)
    fits = len(answer) <= MAX_SAID and not answer.endswith(":")
    return answer if fits and not _CONDITION.search(answer) else ""
