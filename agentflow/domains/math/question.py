"""What a question asks for: which value, how many of what, in an order or in none."""

from __future__ import annotations

import re
from fractions import Fraction

from agentflow.domains import choices, narration, option_text
from agentflow.domains.math.calculation import MAX, NUMBER
from agentflow.domains.spelling import word_set
from agentflow.tools.compared import Outcome
from agentflow.tools.equality import normal_form
from agentflow.tools.plain_equality import quick
from agentflow.tools.quantities import read_number

SINCE = re.compile(r"(?i)\A\W*(?:(?:so|thus|hence|therefore|then|and),? )?(?:since |as |because )?")
_SO = re.compile(
    r"(?i)\s*(?:[,;.]? (?:and )?(?:so|thus|hence|therefore|then|which means(?: that)?),?"
    r"|,|=>|⇒|→|\\implies|\\(?-i:Rightarrow|Longrightarrow))\s+"
)
_WORDS = re.compile(r"(?<!\\)\b[a-zA-Z]{2,}")
_GIVES = re.compile(r"\$?[a-zA-Z](?:_\{?\w{1,3}\}?)?\s*=")
"""What gives a value to a name."""
_LETTER = re.compile(r"[a-zA-Z]")
_NAMES = re.compile(r"[a-zA-Z](?:_\{?\w{1,3}\}?)?|[a-zA-Z]'*\([^()]*\)")
"""A name alone: ``x``, ``P(x)``."""
MAX_ASKED = 2_000
_LOOSE = re.compile(r"\s|\$|\\(?:left|right)(?![a-zA-Z])|\\[,;!()\[\]]")
_VERBS = "find|compute|evaluate|determine|calculate"
_ASKED_FOR = rf"{_VERBS}|what(?:'s|is)"
_ASKS = re.compile(rf"(?i)(?:{_ASKED_FOR})\Z")
_ASKS_VALUE = re.compile(rf"(?i)(?:{_ASKED_FOR}|of)\Z")
_EXPRESSION_ASKED = re.compile(
    rf"(?i)\b(?:{_VERBS}|what(?:'s| is))"
    r"(?: the (?:exact |numerical )?(?:value|sum|product)(?: of)?)?\s*[\\$(]*"
    r"((?:[^\W\d_]\b|\d|\\(?:cdot|times|frac)|[-+*/^{}() ])+)"
)
"""``Find $m+n$``; a word is none of its letters."""
LETTER_ASKED = re.compile(
    rf"(?i)\b(?:{_VERBS}|what(?:'s| is)|solve for|for(?= [$\\\\(]*[a-z][$\\\\)]*\.?\s*\Z))"
    r"(?: the (?:exact |numerical )?value of)?"
    r" (?:\$|\\\()?([a-z])(?=(?:\$|\\\))?(?:[?.,]| if\b| when\b| such\b|\Z))"
)
"""``What is $m$?``"""
_NAME_ASKED = re.compile(
    rf"(?i)\b(?:{_VERBS}|what(?:'s| is)|solve for)"
    r"(?: the (?:exact |numerical )?(?:value|length|measure|probability)(?: of)?)?\s*[\\$(]*"
    r"((?-i:[A-Z]{2}|[A-Za-z]'*\([^()$]{1,10}\)))"
    r"(?=[$\\)]*(?:[?.,]| if\b| when\b| such\b| given\b| where\b|\Z))"
)
"""``Find $AB$.``, ``What is $f(2)$?``"""
_NAMED_SO = re.compile(r"[A-Z]{2}|[A-Za-z]'*\([^()]{1,10}\)")
_VARIABLE = re.compile(r"(?<![a-zA-Z\\])[a-zA-Z](?![a-zA-Z])")
_OF_INTERVALS = re.compile(
    r"(?i)\b(?:intervals?|inequalit(?:y|ies)|domain|range)\b|[<>]|\\[lg]eq?\b"
)
_LETTERED = re.compile(rf"\(?([A-J])[).:]\s*\$?({NUMBER})\$?\.?")
_TEXT = re.compile(r"(?<!\\)\b[^\W\d_]{2,}")
_IN_ORDER = re.compile(
    r"(?i)\brespectively\b|\bin (?:that|this|the (?:same|given|following)|alphabetical"
    r"|chronological) order\b|\b(?:in|de)creasing(?: order)?\b|\b(?:a|de)scending\b|\barrange\b"
    r"|\b(?:sort|rank)\b|\border (?:the|these|from|by)\b"
    r"|\bfrom (?:the )?(?:least|small|low|great|larg|high|short|tall|old|young|first|light|heav)\w*"
    r" to\b|\bquotient and (?:the )?remainder\b"
    r"|\b(?:find|determine|what are|compute) (?:the )?[\\($]*[a-z][\\)$]* and [\\($]*[a-z]\b[\\)$]*"
)
_QUESTION = re.compile(r"\?(?=\s|\Z)")
_PAIR = re.compile(r"([(\[]?)[^()\[\],;]+(?:[,;]| and )[^()\[\],;]+[)\]]?")
_ENDS = re.compile(
    r"\Z|[.?!]|,|(?:of|if|in|to|as|when|where|for|given|such|with|that|which|satisfying)",
    re.IGNORECASE,
)
_TOTAL = re.compile(
    r"(?i)(?:so,? )?the (?:final |overall )?total (?:number of (?P<things>[a-z]+(?: [a-z]+)?)|cost"
    r"|price|amount)(?: (?:of|for) (?P<of>[^=$]{1,80}?))? (?:is|will be|would be|comes to|=)"
    r" (?:equal to )?"
    r"(?P<value>(?:\$?\d[-+*/×÷·().,\d $]*= ?)?\\?\$?\d[\d,]*(?:\.\d+)?)"
)
_ASKS_MONEY = r"(?i)\bhow much\b[^.?!]*\b(?:pay|cost|spend|spent|price|total|owe|charge)"
_SAYS_WHAT = re.compile(
    r"(?P<name>the [^=]{1,100}?) is (?P<value>(?:[^a-zA-Z]|\\[dt]?frac)*\d.{0,60})", re.I
)
_PADDING = re.compile(r"(?i)\b(?:such|possible|(?:positive )?integer|value of) (?=\S)")
"""Words in the name of what is asked for that may be left out."""
_FUNCTION = re.compile(r"\\(log|ln|sin|cos|tan|gcd|lcm|max|min)(?![a-z])")
_BETWEEN = re.compile(r"(?i)between (?P<values>\S{1,40}(?: and|,) \S{1,40})")
_ASKS_BETWEEN = re.compile(r"(?i)\bbetween (?:which|what)\b")


def concluded(answer: str) -> str | None:
    """The last of equations each of which follows from the one before: ``m = 14`` of ``2m = 28, so
    m = 14``; None for any other answer."""
    text = answer.strip().rstrip(".")
    if len(text) > MAX or "=" not in text:
        return None
    text = SINCE.sub("", text)
    *before, last = _SO.split(text)
    if not before or not all("=" in one and not _WORDS.search(one) for one in (*before, last)):
        return None
    if text[: -len(last)].rstrip().endswith(",") and not _leads_to(before[-1], last):
        return None  # x = 2, x = 3
    return last.strip()


_GIVES_LETTER = re.compile(
    r"(?i)(?:\A|[,;:.] |\b(?:gives|giving|get|find|have|obtain|so|then|thus|hence|therefore|means"
    r"|implies|that) )(?:the (?:value|solution)(?: of [a-z])? is )?"
    r"(?P<name>[a-z]) ?= ?(?P<n>-?\d[\d,]*(?:\.\d+|/\d+)?|-?\\[dt]?frac\{\d+\}\{\d+\})[\s.!]*\Z"
)
_UNSURE = re.compile(
    r"(?i)\b(?:not|no|or|if|maybe|perhaps|would|could|might|should|never)\b|n['’]t\b"
)


def letter_given(question: str, sentence: str) -> str | None:
    """What a sentence ends in by giving the letter that is asked for a value: ``x + 1 = 6, which
    gives x = 5``; None for any other one."""
    plain = " ".join(re.sub(r"\\[()\[\]]|\$|\*\*", "", sentence).split())
    found = _GIVES_LETTER.search(plain) if len(plain) <= MAX else None
    if found is None or _UNSURE.search(plain):
        return None
    known = narration.WORDS | {one.lower() for one in _WORDS.findall(question)}
    if not all(one.lower() in known for one in _WORDS.findall(plain)):
        return None
    letters = {one[1].lower() for one in LETTER_ASKED.finditer(question[-MAX_ASKED:])}
    return found["n"] if found["name"].lower() in letters else None


def _leads_to(before: str, last: str) -> bool:
    """Whether an equation may lead to the next, though no word says so: it is one on what the next
    gives a value to (``2m = 28, m = 14``), or both are on numbers alone."""
    told = before.partition("=")[0].strip(" $")
    given = _GIVES.match(last.strip())
    if given is None or not _VARIABLE.search(told):
        return given is None and not _LETTER.search(f"{told}{last}")
    return given[0].strip("$")[0] in _VARIABLE.findall(told) and not _NAMES.fullmatch(told)


def value_asked_for(question: str, answer: str) -> str | None:
    """``107`` for ``m+n=107`` where the question asks for ``m+n``, ``34`` for ``The largest n is
    34`` where it asks for the largest n; None for any other answer."""
    if total := _TOTAL.fullmatch(answer.replace("**", "").rstrip(" .")):
        things = total["things"]
        what = _ASKS_MONEY if things is None else rf"(?i)\bhow many {things.split()[0]}\b"
        if re.search(what, question[-MAX_ASKED:]) and _is_all(question, total["of"] or ""):
            return total["value"]
    if between := _BETWEEN.fullmatch(answer):
        return between["values"] if _ASKS_BETWEEN.search(question) else None
    if said := _SAYS_WHAT.fullmatch(answer.replace("**", "").rstrip(" .")):
        asks, question = _ASKS, _PADDING.sub("", question[-MAX_ASKED:])
        name, value = f"t{_squeezed(_PADDING.sub('', said['name']))[1:]}", said["value"]
    else:
        asks = _ASKS_VALUE
        name, sign, value = _squeezed(answer).partition("=")
        if not sign or not value or "=" in value:
            return None
    if not 1 < len(name) <= MAX:
        return None
    text = _squeezed(question[-MAX_ASKED:])
    place = text.find(name)
    while place >= 0:
        if asks.search(text, max(0, place - 20), place) and _ENDS.match(text, place + len(name)):
            return value
        place = text.find(name, place + 1)
    return None


def _is_all(question: str, of: str) -> bool:
    """Whether a total is of all that the question asks about: it says no word that this has not,
    and each number and thing of its last sentence; or it is for somebody."""
    words = {*re.findall(r"\w+", of.lower())}
    asked = question.rstrip(" ?.").rpartition(". ")[2]
    needed = {*re.findall(r"\d+|[a-z]{3,}", asked.lower())} - _OF_PRICE
    person = of.isalpha() and {of} == _titles(question)
    known = words <= {*re.findall(r"\w+", question.lower())}
    return known and (not words or person or (bool(needed) and needed <= words))


def _titles(question: str) -> set[str]:
    """The words of a question that stand with a capital letter alone: its names."""
    words = {*re.findall(r"[A-Za-z]+", question)}
    low = narration.WORDS | {one for one in words if one.islower()}
    return {one for one in words if one.istitle() and one.lower() not in low}


_OF_PRICE = word_set("""
    how much does did will would the and cost costs total money pay paid spend spent price she her
    his him they them for all this that
""")
_REWRITES = re.compile(
    r"(?i)\b(?:factor|factori[sz]e|expand|simplify|evaluate|compute|calculate|rewrite|convert)\b"
)


def rewritten(question: str, clause: str) -> str | None:
    """The last side of an equation whose first is the expression that a question has rewritten, or
    evaluated; None for any other clause."""
    *sides, last = re.sub(r"\\[()\[\]]|\$", "", clause).split("=")
    asked = question[-MAX_ASKED:]
    if not sides or not _REWRITES.search(asked) or _WORDS.search(clause.replace("\\", " \\")):
        return None
    first = _squeezed(sides[0])
    return last.strip(" .") if len(first) > 3 and first in _squeezed(asked) else None


def of_a_part(question: str, answer: str) -> bool:
    """Whether an answer says what one letter is, where the question asks what an expression with
    that letter comes to (``m = 107``, for ``m+n``), or another letter."""
    name, sign, value = _squeezed(answer).partition("=")
    if sign and value and _NAMED_SO.fullmatch(name):
        names = {_squeezed(found[1]) for found in _NAME_ASKED.finditer(question[-MAX_ASKED:])}
        return bool(names) and name not in names
    if not (sign and value and len(name) == 1 and name.isalpha()):
        return False
    asked = [found[1].strip(" $(") for found in _EXPRESSION_ASKED.finditer(question[-MAX_ASKED:])]
    apart = (name in _VARIABLE.findall(one) and one != name for one in asked)
    if asked and all(apart):
        return True
    letters = {found[1].lower() for found in LETTER_ASKED.finditer(question[-MAX_ASKED:])}
    return bool(letters) and name.lower() not in letters


def at_odds(question: str, answer: str) -> bool:
    """Whether an answer gives an option of the question another number, or other words, than the
    question does."""
    said, options = _LETTERED.fullmatch(answer.strip()), choices.listed(question)[1]
    if option_text.is_of_another(answer, options):
        return True
    if said is None:
        return not choices.letter(answer, options) and _is_another(*choices.named(answer, options))
    listed = re.findall(rf"(?<!\w)\(?{said[1]}[).:]\s*\$?({NUMBER})\$?(?=\s|\Z)", question)
    if not listed and (option := choices.listed(question)[1].get(said[1])):
        listed = re.findall(rf"\A\$?({NUMBER})\$?\Z", option)
    return len(listed) == 1 and Fraction(listed[0]) != Fraction(said[2])


def _is_another(option: str | None, rest: str) -> bool:
    """Whether what is said beside the letter of an option is not what the option says."""
    if option is None or not rest:
        return False
    if _TEXT.search(rest):
        told = choices.words(rest)
        return told != choices.words(option)[: len(told)]
    compared = quick(rest, option)
    return isinstance(compared, Outcome) and compared.equal is False


def option_named(question: str, answer: str) -> str | None:
    """The letter of the option of a question that an answer names in words, with its letter or
    without, and ``(D) 65%`` of ``D, 65%``; None for any other answer."""
    options = choices.listed(question)[1]
    option, rest = choices.named(answer, options)
    said, letter = rest if option else answer, choices.letter(answer, options)
    if letter and choices.words(answer) == choices.words(options[letter]):
        return letter if _TEXT.search(answer) and not read_number(normal_form(answer)) else None
    if said and (not _TEXT.search(said) or read_number(normal_form(said))):
        return f"({letter}) {rest}" if option and letter else None
    return letter


_LETTER_SET = re.compile(r"\A\s*\$([A-J])\$[\s.]*\Z")
_POWER = re.compile(r"\^\{(\d)\}")


def without_letter(question: str, one: str, other: str) -> tuple[str, str]:
    """Two answers, of which one may be the letter of an option, and the other none: what that
    option says, in its place; nothing where that speaks of the other options."""
    options = choices.listed(question)[1]
    one, other = (_LETTER_SET.sub(r"\1", each) for each in (one, other))
    told = [choices.named(each, options) if options else (None, each) for each in (one, other)]
    letters = [option is not None and not rest for option, rest in told]
    if letters[0] == letters[1] or told[letters[0]][0] is not None:
        return one, other
    if option_named(question, other if letters[0] else one):
        return one, other
    says = [option or each for (option, _), each in zip(told, (one, other), strict=True)]
    says = ["" if choices.says_none(each) else _POWER.sub(r"^\1", each) for each in says]
    return says[0], says[1]


def option_says(question: str, letter: str, value: str) -> bool:
    """Whether the option of a question that has a letter says a value."""
    options = choices.listed(question)[1]
    option, rest = choices.named(letter, options)
    if option is None or rest:
        return False
    again, own = choices.named(value, options)
    value = own if again == option and own else value  # C) 5, of C
    forms = normal_form(_POWER.sub(r"^\1", option)), normal_form(_POWER.sub(r"^\1", value))
    compared, (one, other) = quick(*forms), map(read_number, forms)
    same = isinstance(compared, Outcome) and compared.equal is True
    if one and other and "" in (one.unit, other.unit):  # the question names it
        same = (one.value, one.percent) == (other.value, other.percent)
    return same or choices.words(option) == choices.words(value)


def asks_for_an_order(question: str) -> bool:
    """Whether several answers to a question have to stand in an order."""
    question = question[-MAX_ASKED:]
    return _IN_ORDER.search(question) is not None or len(_QUESTION.findall(question)) > 1


def asks_for_an_interval(question: str) -> bool:
    """Whether numbers in brackets may be an interval to a question."""
    return _OF_INTERVALS.search(question) is not None


def ends_and_interval(one: str, other: str) -> bool:
    """Whether one of two answers is a pair in brackets, and the other one two numbers in none."""
    pairs = [_PAIR.fullmatch(text) for text in (one, other)]
    return all(pairs) and len({bool(pair and pair[1]) for pair in pairs}) == 2


def same_but_for_brackets(one: str, other: str) -> bool:
    """Whether two answers are ``[1,2]`` and ``(1,2)``: two intervals, or one vector twice; or
    ``[1,2]`` and ``1,2``, where the first may be all that is between."""
    ends = {text[:1] + text[-1:] for text in (one, other)}
    if ends == {"()", "[]"}:
        return one[1:-1] == other[1:-1]
    bare = {re.sub(r"[\[\] ]", "", text).replace(";", ",") for text in (one, other)}
    return "[]" in ends and len(ends) == 2 and len(bare) == 1 and bare.pop().count(",") == 1


_LOWERED = str.maketrans({sign: f"_{n}" for n, sign in enumerate("₀₁₂₃₄₅₆₇₈₉")})


def _squeezed(text: str) -> str:
    return _FUNCTION.sub(r"\1", _LOOSE.sub("", text.translate(_LOWERED)))
