"""Questions that are a calculation and nothing else: ``What is 2+2?``; their answer is exact."""

from __future__ import annotations

import itertools
import re
import unicodedata
from fractions import Fraction

from agentflow.domains import arithmetic, operations, spelling
from agentflow.domains.arithmetic import Expression
from agentflow.domains.math.measures import UNITS
from agentflow.tools.quantities import read_number

MAX = 300
_ASKED = re.compile(
    r"(?:(?:what is|what's|how much is|compute|calculate|evaluate|work out)\s+)?"
    r"(?:the (?:value|result) of\s+)?"
    r"(?P<sum>[\d.+\-*/×÷·() \t]+?)\s*=",
    re.IGNORECASE,
)
_BARE_PERCENT = re.compile(r"(?i)(?:%|\bpercent\b)(?! of\b)")
"""A part of what? ``10 + 50%`` may be 10.5 or 15."""
_NUMBER = r"\d{1,50}(?:\.\d{1,50})?"
_SUM = re.compile(rf"{_NUMBER}|[-+*/()]")
_FULL = re.compile(rf"\s*(?:(?:{_NUMBER}|[-+*/()])\s*)+")
_THEN = re.compile(r"(?i)[,;] (?:and |so |then )+")
_SAID = re.compile(rf"(?P<sign>[-+]?)\s*(?P<top>{_NUMBER})(?:\s*/\s*(?P<bottom>{_NUMBER}))?")
SINCE = re.compile(r"(?i)\A\W*(?:(?:so|thus|hence|therefore|then|and),? )?(?:since |as |because )?")
_SO = re.compile(
    r"(?i)\s*(?:[,;.]? (?:and )?(?:so|thus|hence|therefore|then|which means(?: that)?),?"
    r"|,|=>|⇒|→|\\implies|\\Rightarrow|\\Longrightarrow)\s+"
)
_WORDS = re.compile(r"(?<!\\)\b[a-zA-Z]{2,}")
_GROUPING = re.compile(r"\{,\}|\\[,!]|,")
_THOUSANDS = re.compile(rf"(?<![\d.,])\d{{1,3}}(?:(?:{_GROUPING.pattern})\d{{3}})+(?![\d,])")
"""``3,344``"""
_IN_WORDS = re.compile(r"[a-zA-Z]+(?:[ -][a-zA-Z]+){0,5}")
WORKED = r"\\?\$?(?:[(\d][-+*/×÷·()\\\d., a-z]*= ?)?\d[\d,]*(?:\.\d+)?\$?"
"""A number, or the calculation that comes to it."""
RESULT = re.compile(r"(\d[\d,]*(?:\.\d+)?)\$?\Z")
_AMOUNT = re.compile(r"(?:^|= ?)(\\?\$?\d[^=]*)\Z")
HOW_MANY = re.compile(
    r"(?is)\bhow (?:many (?P<things>[a-z]+(?: [a-z]+)??)|much(?: money)?(?: in dollars)?|far|long)"
    r" (?P<aux>do|does|did|will|would|can) (?P<who>the [a-z]+|(?:[a-z]+ )??(?!the )[a-z]+)"
    r" (?P<verb>[a-z]+)(?P<rest>(?: [a-z']+){0,8})\?\s*\Z"
)
IN_ALL = r"(?: in total| altogether| in all| now)"
_ADJUNCT = re.compile(r" (?:in|at|on|every|each|during|a|per)\b")
"""How words begin that say where and when, and may be left out."""
_MEASURED = rf"{WORKED}(?: [a-z]+(?: and \$?\d[\d.]* [a-z]+)?)??"
THIRD = {"have": "has", "do": "does", "go": "goes"}
PAST = {
    **{"have": "had", "buy": "bought", "sell": "sold", "make": "made", "spend": "spent"},
    **{"give": "gave", "eat": "ate", "get": "got", "pay": "paid", "take": "took", "run": "ran"},
    **{"read": "read", "leave": "left", "lose": "lost", "win": "won", "catch": "caught"},
}
WORD = re.compile("[a-z]+")
_PRONOUNS = frozenset({"he", "she", "it", "they"})
_SIGNS = re.compile(r"\\(?:times|cdot|div)(?![a-zA-Z])|[×·÷]")
_NAME = re.compile(r"\s*[a-z]\s*")
_GIVES = re.compile(r"\$?[a-zA-Z](?:_\{?\w{1,3}\}?)?\s*=")
"""What gives a value to a name."""
_BRACKETED = re.compile(r"(?<![\d.)])(-?)\(([^()]*)\)(?![\d.(])")
"""Brackets that may be left out: no product stands there (``3(1/2)``), no digits (``0.(6)``)."""
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
_LETTERED = re.compile(rf"\(?([A-J])[).:]\s*\$?({_NUMBER})\$?\.?")
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
    r"(?i)the (?:final |overall )?total (?:number of (?P<things>[a-z]+(?: [a-z]+)?)|cost|price"
    r"|amount) (?:is|=) (?:equal to )?"
    r"(?P<value>(?:\$?\d[-+*/×÷·().,\d $]*= ?)?\\?\$?\d[\d,]*(?:\.\d+)?)"
)
_ASKS_MONEY = r"(?i)\bhow much\b[^.?!]*\b(?:pay|cost|spend|spent|price|total|owe|charge)"
_SAYS_WHAT = re.compile(
    r"(?P<name>the [^=]{1,100}?) is (?P<value>(?:[^a-zA-Z]|\\[dt]?frac)*\d.{0,60})", re.I
)
_PADDING = re.compile(r"(?i)\b(?:such|possible|(?:positive )?integer|value of) (?=\S)")
"""Words in the name of what is asked for that may be left out."""
_BETWEEN = re.compile(r"(?i)between (?P<values>\S{1,40}(?: and|,) \S{1,40})")
_ASKS_BETWEEN = re.compile(r"(?i)\bbetween (?:which|what)\b")
_FRACTION = re.compile(r"\\[dt]?frac(?:\{(\d{1,20})\}\{(\d{1,20})\}|(\d)(\d))")
_MIXED = re.compile(rf"(?<![\d.}}])(\d{{1,20}})\s*{_FRACTION.pattern}")


def calculation(question: str) -> Expression | None:
    """The question's calculation; None where it asks for anything else, or where it may be read in
    two ways (``6 / 2 (1 + 2)``, ``08``, a product without a sign).

    >>> calculation("What is 25% of 3^2?")
    ('*', ('/', Fraction(25, 1), Fraction(100, 1)), ('*', Fraction(3, 1), Fraction(3, 1)))
    """
    if len(question) > MAX or question.rstrip().endswith("!"):  # a factorial, or lively?
        return None
    if _BARE_PERCENT.search(question):
        return None
    text = operations.written_out(question.replace("$", "").strip().rstrip(".?= ") + " =")
    if (asked := _ASKED.fullmatch(text)) is None:
        return None
    text = _SIGNS.sub(_plain_sign, asked["sum"])
    if not re.search(r"\d\s*\)*\s*[-+*/]", text) or not _FULL.fullmatch(text):
        return None
    parts = _SUM.findall(text)
    for one, other in itertools.pairwise(parts):
        if (one[-1].isdigit() or one == ")") and (other[0].isdigit() or other == "("):
            return None
    if any(part[0] == "0" and part[1:2].isdigit() for part in parts):
        return None
    return arithmetic.parse(" ".join(parts))


def value(question: str) -> Fraction | None:
    """What the question's :func:`calculation` comes to."""
    asked = calculation(question)
    return None if asked is None else arithmetic.value(asked)


def said(answer: str) -> Fraction | None:
    """The number that an answer is, exactly as written, or to which an equation of it comes
    (``17 * 3 + 4 = 55``, ``x = 55``), the last of several; None for anything else, and where the
    sides differ."""
    if any(unicodedata.category(sign) == "No" for sign in answer):
        return None  # 3²
    grouped = _THOUSANDS.sub(lambda found: _GROUPING.sub("", found[0]), answer)
    plain = _FRACTION.sub(r"(\1\3/\2\4)", _MIXED.sub(_improper, spelling.plain(grouped)))
    *before, plain = _THEN.split(plain)
    if any("=" not in one or said(one) is None for one in before):
        return None
    *worked, text = _SIGNS.sub(_plain_sign, plain).strip(" $").split("=")
    number = _number(text)
    sides = [side for side in worked if side.strip() and not _NAME.fullmatch(side)]
    return number if all(_worked(side) == number for side in sides) else None


def _improper(mixed: re.Match[str]) -> str:
    """A mixed number as a fraction; a product (``3\\frac{5}{2}``) as it is written."""
    whole, top, bottom = (int(digits) for digits in mixed.groups() if digits)
    return f"({whole * bottom + top}/{bottom})" if top < bottom else mixed[0]


def _plain_sign(sign: re.Match[str]) -> str:
    return "/" if sign[0] in ("\\div", "÷") else "*"


def _worked(text: str) -> Fraction | None:
    """What a calculation comes to."""
    parsed = arithmetic.parse(text)
    return None if parsed is None else arithmetic.value(parsed)


def _number(text: str) -> Fraction | None:
    text = text.strip(" $")
    found = _SAID.fullmatch(_BRACKETED.sub(r"\1\2", text))
    if found is None:
        number = read_number(text) if _IN_WORDS.fullmatch(text) else None
        return number.value if number and not (number.unit or number.percent) else None
    bottom = Fraction(found["bottom"] or 1)
    if bottom == 0:
        return None
    return Fraction(found["top"]) / bottom * (-1 if found["sign"] == "-" else 1)


def counted(question: str, answer: str) -> str | None:
    """The number in a sentence that says of what is asked how many, or how much, they are: ``Tom
    has 55 apples``, where ``How many apples does Tom have?`` is asked; None for any other question
    or sentence."""
    asked = HOW_MANY.search(question, max(0, len(question) - MAX))
    if asked is None or question.count("?") > 1 or len(answer) > MAX:
        return None
    verb, rest, who = (asked[name].lower() for name in ("verb", "rest", "who"))
    rest = re.sub(IN_ALL, "", rest)
    parts = [one for one in re.split(r"(?= (?:in|at|on|every|each|during|per) )", rest) if one]
    ends = "".join(f"(?:{one})?" if _ADJUNCT.match(one) else one for one in parts)
    many = asked["things"]
    sentence = re.fullmatch(
        rf"(?i)(?P<who>(?:the )?[a-z]+|{who}) (?:now )?(?:(?:will |would |can )?{verb}"
        rf"|{THIRD.get(verb, f'{verb}s')}{_past(verb) if asked['aux'].lower() == 'did' else ''})"
        rf" (?:a total of |exactly )?(?P<n>{WORKED if many else _MEASURED})"
        rf"{f' {many}' if many else ''}{IN_ALL}?{ends}{IN_ALL}?",
        " ".join(answer.replace("**", "").split()).rstrip(" ."),
    )
    number = (RESULT if many else _AMOUNT).search(sentence["n"]) if sentence else None
    if sentence is None or number is None:
        return None
    if not many and not {*WORD.findall(number[1])} <= {"and", *UNITS}:
        return None
    said_of = sentence["who"].lower()
    known = who in _PRONOUNS and re.search(rf"(?i)\b{said_of.removeprefix('the ')}\b", question)
    if not (said_of == who or said_of in _PRONOUNS or known):
        return None
    worked = "=" in sentence["n"]
    return None if worked and said(sentence["n"].replace(",", "")) is None else number[1]


def _past(verb: str) -> str:
    """The past of a verb, as an alternative of a regular expression."""
    return f"|{PAST.get(verb, f'{verb}d' if verb.endswith('e') else f'{verb}ed')}"


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
    if text[: -len(last)].rstrip().endswith(",") and _GIVES.match(before[-1].strip()):
        return None  # x = 2, x = 3
    return last.strip()


def value_asked_for(question: str, answer: str) -> str | None:
    """``107`` for ``m+n=107`` where the question asks for ``m+n``, ``34`` for ``The largest n is
    34`` where it asks for the largest n; None for any other answer."""
    if total := _TOTAL.fullmatch(answer.replace("**", "").rstrip(" .")):
        things = total["things"]
        what = _ASKS_MONEY if things is None else rf"(?i)\bhow many {things.split()[0]}\b"
        if re.search(what, question[-MAX_ASKED:]):
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


def unnamed(answer: str) -> str:
    """``0.33`` for ``x=0.33``."""
    name, sign, value = answer.partition("=")
    return value.strip() if sign and _NAME.fullmatch(name) else answer


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
    """Whether an answer gives an option of the question another number than the question does."""
    said = _LETTERED.fullmatch(answer.strip())
    if said is None:
        return False
    listed = re.findall(rf"(?<!\w)\(?{said[1]}[).:]\s*\$?({_NUMBER})\$?(?=\s|\Z)", question)
    return len(listed) == 1 and Fraction(listed[0]) != Fraction(said[2])


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
    """Whether two answers are ``[1,2]`` and ``(1,2)``: two intervals, or one vector twice."""
    ends = {text[:1] + text[-1:] for text in (one, other)}
    return ends == {"()", "[]"} and one[1:-1] == other[1:-1]


def _squeezed(text: str) -> str:
    return _LOOSE.sub("", text)


def is_rounded(answer: str, exact: Fraction) -> bool:
    """Whether an answer with decimals may be the exact value, rounded."""
    places = len(answer.partition(".")[2].strip(" $"))
    number = said(answer)
    return number is not None and places > 0 and abs(number - exact) <= Fraction(1, 2 * 10**places)
