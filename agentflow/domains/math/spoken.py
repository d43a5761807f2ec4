"""What the sentences of a reply to a calculation say: formulas, numbers, operations in words.

    First, multiply 17 by 24 to get 408.     the equation 17 * 24 = 408
    Then subtract 3: 408 - 3 = 405.          a subtraction of 3, and an equation
    So the answer is 405.                    a number
    It is an odd number.                     None: ``odd`` is not understood

Every word has to be known, and every equation has to be right.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache, partial
from typing import NamedTuple

from agentflow.domains import arithmetic, narration
from agentflow.domains.answers.known_remarks import closes, presents
from agentflow.domains.arithmetic import agrees
from agentflow.domains.math import calculation, facts, notation
from agentflow.domains.math.expressions import Tree
from agentflow.domains.math.values import value
from agentflow.domains.plain_words import DOUBTS, PlainWords
from agentflow.domains.spelling import odd, plain, word_set

MAX_SENTENCE = 400
"""Longer sentences are not understood."""
SIGN_OF = {
    word: sign
    for sign, words in {
        "+": "add adds adding added addition additions sum sums summing plus",
        "-": "subtract subtracts subtracting subtracted subtraction subtractions minus difference"
        " differences",
        "*": "multiply multiplies multiplying multiplied multiplication multiplications product"
        " products times",
        "/": "divide divides dividing divided division divisions quotient",
        "(": "parentheses parenthesis brackets bracket",
        "^": "exponent exponents power powers square squares squared cube cubes cubed squaring"
        " cubing exponentiation",
        "!": "factorial factorials",
        "sqrt": "root roots",
    }.items()
    for word in words.split()
}
"""The signs that words are said for."""
_WORDS = word_set("""
    decimals adjust antwort associative associativity before bidmas bodmas boxed break
    commutative commutativity completely convention count das decimal die dr equal equals
    equivalent ergebnis es est fact friend hundreds hundredths ignore ignored ignoring inner ist
    la lautet law laws let's long lowest manual manually most much ones original partial pemdas
    percent percentage percentages percents precedence remainder repeated respuesta reverse
    separate sort split tens tenths thousands tl total treat treating unit units vertical
    vertically whole within réponse résultat 答案 答案是 最终答案
""")
"""Words that claim nothing of a calculation, beside those of :mod:`narration`."""
_CLAIMING = word_set("all if just once one only or same which without would")
"""Words of :mod:`narration` that may claim something of a calculation."""
_OF_NUMBERS = word_set("""
    after before behind best better big bottom complex deep difference different distance divide
    end equal equality every everything exact few four general good group harmless has have
    inner inverse invert later latter lead left little lone long longest middle most must
    natural near neutral nowhere old original other outer own pair parallel partial perfect
    possible previous prior product quotient range rare rather ratio regular remain rest reverse
    roughly same second section separate several shortest single small some special split still
    such sum symmetric symmetry third top total tried try type typical uniform until usual valid
    various vary versus within yet
""")
"""Everyday words that may claim something of a calculation."""
_IS_A = re.compile(
    r"(?i)\b(?:is|are|has|have|there's) (?:an? |the |no )?(?:\w+ )?"
    r"(?:fraction|decimal|digit|denominator|remainder|column|part|piece|trick)"
    r"|\bequal(?:ly)?\b.*\b(?:priority|precedence|rank)|\b(?:priority|precedence|rank).* equal"
    r"|\b(?:doubl|halv)\w*|\bitself\b.*\btimes\b|\b(?:numerator|top) and\b"
)
"""What says of which kind something is, or ranks it, in words that claim nothing elsewhere."""
_N = r"-?\d+(?:\.\d+)?"
_IT = (
    r"(?:it|this|that"
    r"|(?:this|that|the|our) (?:result|product|sum|difference|quotient|number|total))"
)
_A, _B = rf"(?:the )?(?P<a>{_N}|{_IT})", rf"(?:the )?(?P<b>{_N}|{_IT})"
_ED = "(?:s|es|ed|ing|d)?"
_PREFIXED = tuple(
    (re.compile(rf"(?i)\b{words}(?![\w.,]*\d)(?!\s*[-+*/=(]\s*[\d(])"), sign, turned)
    for words, sign, turned in (
        (rf"multipl(?:y|ies|ied|ying) {_A} (?:by|and|with|times) {_B}", "*", False),
        (rf"divid(?:e|es|ed|ing) {_A} by {_B}", "/", False),
        (rf"subtract{_ED} {_A} from {_B}", "-", True),
        (rf"(?:tak(?:e|es|ing)|took)(?: away)? {_A}(?: away)? from {_B}", "-", True),
        (rf"add{_ED} {_A} (?:to|and|with) {_B}", "+", False),
        (rf"products? (?:of|between) {_A} and {_B}", "*", False),
        (rf"sums? of {_A} and {_B}", "+", False),
        (rf"multipl(?:y|ies|ied|ying)(?: {_IT})? by {_B}", "*", False),
        (rf"divid(?:e|es|ed|ing)(?: {_IT})? by {_B}", "/", False),
        (rf"subtract{_ED} {_B}", "-", False),
        (rf"(?:tak(?:e|es|ing)|took) away(?: the)? {_B}", "-", False),
        (rf"add{_ED} {_B}", "+", False),
    )
)
"""(an operation in words, its sign, whether its second number comes first)."""
_COMES_TO = re.compile(
    r"(?i)(?<=[\d)@!%]),?\s+(?:(?:to|and|we|you|i|which|that|this|it|then|so|thus|can be|will)\s+)*"
    r"(?:is|are|equals?|gives?|giving|gets?|getting|makes?|making|yields?|yielding|obtain|leaves"
    r"|leaving|results? in|resulting in|becomes?|brings? us to|comes to|amounts? to"
    r"|(?:for|making|with) a total of|(?:written )?as|into)\s+"
    r"(?:equal to\s+|the same as\s+|us\s+|exactly\s+|just\s+|with\s+)*(?=-?[\d(√])"
)
_OPENS = re.compile(r"-?[\d(√][-\d.+*/^%!()√ ]*[-+*/^] ?[-\d.+*/^%!()√ ]*=")
_EQUATED = re.compile(r"= ?-?[\d(][-\d.+*/^%!() ]*,? ?\Z")
_TYPESET = (
    (calculation.MIXED, calculation.improper),
    (re.compile(r"\\?\bsqrt\s*(?:\{([^{}]*)\}|\(([^()]*)\)|(\d+))"), r"√(\1\2\3)"),
    (re.compile(r"(?<![\d}])\s?\\[dt]?frac\{(\d+)\}\{(\d+)\}"), r" (\1/\2)"),
    (re.compile(r"(?<=\d)(?:\{,\}|\\[,!]|,)(?=\d{3}(?!\d))"), ""),
    (re.compile(r"\\n"), "\n"),
    (re.compile(r"\\(?:boxed|text|mathbf|textbf|mathrm|fbox)\s*\{([^{}]*)\}"), r" \1 "),
    (re.compile(r"\^\{(\d+)\}"), r"^\1"),
    (re.compile(r"\\(?:begin|end)\{(?:align|aligned|equation|gather|gathered)\*?\}"), " "),
    (re.compile(r"\\approx(?![a-z])"), "≈"),
    (re.compile(r"\\(?:[Rr]ightarrow|implies|to)(?![a-z])|->|=>"), " , "),
    (re.compile(r"\\\\"), "\n"),
    (re.compile(r"\\q?quad(?![a-z])"), " , "),
    (re.compile(r"\\[()\[\]]|\$|&(?!\w)|</?answer>"), " "),
    (re.compile(r"\\boxed\s*(?=\d)"), " "),
    (re.compile(r"(?<![\d)@ ]) ?\+(?=\d)"), " "),
    (re.compile(r"(?<=[a-zA-Z])/(?=[a-zA-Z])"), " "),
    (re.compile(r"(?i)\bdouble[- ]check"), "check"),
    (
        re.compile(
            r"(?i)\b(?:(?:since|because|as) )?subtracting a negative(?: number)? is (?:the same as"
            r"|equivalent to|like) adding (?:its|the|a) (?:positive(?: counterpart| number| value)?"
            r"|opposite)\b,?"
        ),
        " ",
    ),
    (
        re.compile(
            r"(?i)\b(?:the|all|these|our)(?: of the)? (two|three|four) (fractions|brackets)\b"
        ),
        r"\1\2",
    ),
    (re.compile(r"(?i)\bsquare (?=roots?\b(?! of [\d(]))"), ""),
    (re.compile(r"(?i)\b(?:left[- ]to[- ]right)\b|\bleft to (?:the )?right\b"), "leftright"),
)
_IN_BRACKETS = re.compile(
    r"\(((?=.*[a-z]{2})(?:[^()]|\([^()]*\))*(?:\((?:[^()]|\([^()]*\))*\))*[^()]*)\)\.?"
)
"""A sentence that stands in brackets."""
_VULGAR = re.compile(r"(?<![\d.])(\d{1,9}) ?([¼-¾⅐-⅞])")
"""``1½``"""
_RAISED = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_MARKS = re.compile(
    r"(?<!\d)(?<!\d )\*\*|\*\*(?!\s*[\d(])|__|`+\w*|^[^\S\n]*>+\s?|^[^\S\n]*#+\s", re.MULTILINE
)
_LISTED = re.compile(r"\A\s*(?:[-*•+]\s+)?(?:\(?(?:\d{1,2}|[a-h])[.)]\s+)?")
_PIECE = (
    r"(?:(?:simplified |inner )?(?:(?:sets?|pairs?|groups?) of )?(?:parenthes[ei]s|brackets?)"
    r"|expressions?|parts?)"
)
_ORDINAL = re.compile(
    rf"(?i)\bthe (?:(?:second {_PIECE} from the first|first {_PIECE} by the second)(?: {_PIECE})?"
    rf"|(?:first|second|third|fourth|left|right|two) {_PIECE}"
    r"(?: of the (?:expression|equation|problem|calculation))?)"
)
"""Which of the brackets of a calculation are meant; where two are, in the order in which one would
name them."""
_TURNED = re.compile(r"(?i)\bfirst\b.* from .*\bsecond\b|\bsecond\b.* by .*\bfirst\b")
_BOTH = re.compile(
    r"(?i)\b(?:the|these|both|those) two (?=(?:results|numbers|values|sums|products)\b)"
)
_SMALLER = re.compile(r"(?i)\binto (?:smaller|simpler|several|two) (?:parts|pieces|steps)\b")
_RULE = re.compile(
    r"(?im)^[^\w\n]*(?:\d[^\w\n]*)?"
    r"(?:parenthes[ei]s|brackets?)\W*(?:(?:or )?(?:parenthes[ei]s|brackets?)\W*)?\n"
    r"\W*\d?\W*(?:exponents?|orders?)\W*(?:(?:or )?(?:exponents?|orders?|(?:and )?roots?)\W*)?\n"
    r"\W*\d?\W*multiplication (?:and|or|/) ?division(?P<one>[^\n]*)\n"
    r"\W*\d?\W*addition (?:and|or|/) ?subtraction(?P<other>[^\n]*)$"
)
"""The rule of the order of operations, one rank a line."""
_STEP = re.compile(
    r"(?i)\bsteps? *#?\d{1,2}\b(?: ?[.):] +(?=-\d)|[ .):-]*(?![-+*/=]))|\bone (?=way\b)"
)
_LEAST = re.compile(
    r"(?i)\b(?:least|lowest|greatest) (?=common (?:denominator|multiple|divisor|factor)\b)"
)
_DASH = re.compile(r"(?<=[^\W\d])\s+-+\s+|(?<=[^\W\d])\s*:\s*-\s+")
_REMARK = re.compile(r"\(([^()]*(?:[^\W\d]{2,}|=)[^()]*)\)")
_NONE_OF = re.compile(
    r"(?i)\bno (?P<what>(?:(?:parenthes[ei]s|brackets?|exponents?|powers?)"
    r"(?:,? (?:or|and|nor) (?:no )?)?)+)"
)
_SENTENCE = re.compile(
    r"(?<=[.!?。])(?!(?<=\d!)\s+[-+*/=)])\s+(?=[^\d\s]|\d+ [-+*/])|\n+|(?<=\w)[.!] ?(?=\")"
)
_RUN = re.compile(r"[-\d(=≈@√](?:[-\d.+*/^%!()=≈@√\s]*[\d)=@%])?")
_FIGURE = re.compile(r"[\s(]*\d[-\d.+*/^%!()\s]*")
_SIDE = re.compile(r"[=≈]")
_BRACKETS = re.compile(r"\)\s*\(")
_ALLOWED = re.compile(r"[\w\s.,:;!'\"{}\[\]|#*_()>~✓✔✅🎉😊🙂👍？?:：。-]*")
_PART = re.compile(rf"@(?P<n>\d+)@(?:\s*=\s*(?P<result>{_N}))?\.?")
_DIGITS = re.compile(_N)
_MAX_REMARKS = 3
"""Brackets within brackets that are looked into."""
COUNTED = {
    f"{count}{what}": (number, sign)
    for what, sign in (("fractions", "/"), ("brackets", "("))
    for count, number in (("two", 2), ("three", 3), ("four", 4))
}
"""What stands for so many fractions, or brackets, in the :func:`sentences`."""
_KNOWN = PlainWords(
    _OF_NUMBERS | _CLAIMING | DOUBTS, _WORDS | SIGN_OF.keys() | COUNTED.keys() | {"leftright"}
)


class Part(NamedTuple):
    """An operation of which words name one number: ``subtract 3 (to get 405)``."""

    sign: str
    number: Fraction
    is_first: bool
    result: Fraction | None = None


class Said(NamedTuple):
    """What a sentence says.

    Attributes:
        equations: The sides of each equation; an equation that goes on with what stands before
            it may have one.
        formulas: Calculations that stand alone.
        numbers: Numbers that stand alone.
        parts: Operations of which one number is named.
        named: The signs of the operations that are named alone.
        lacks: The signs of what there is not, by the sentence.
        words: All words, in small letters.
        asks: Whether it is a question.
        goes_on: Whether it begins with an equality sign.
    """

    equations: tuple[tuple[Tree, ...], ...] = ()
    formulas: tuple[Tree, ...] = ()
    numbers: tuple[Fraction, ...] = ()
    parts: tuple[Part, ...] = ()
    named: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    words: frozenset[str] = frozenset()
    asks: bool = False
    goes_on: bool = False


def sentences(text: str) -> list[str]:
    """The sentences of a text, each on one line, in plain spelling; a table's cells are some."""
    text = _VULGAR.sub(_improper, text)
    text = plain(_RAISED.sub(lambda found: f"^{plain(found[0])}", text))
    for pattern, said in _TYPESET:
        text = pattern.sub(said, text)
    text = facts.with_base(_MARKS.sub("", text))
    text = "\n".join(map(_plainly, _RULE.sub(_ruled, text).split("\n")))
    parts = (_LISTED.sub("", part) for line in text.split("\n") for part in _cells(line))
    found = (" ".join(one.split()) for part in parts for one in _SENTENCE.split(part))
    return [one for one in found if re.search(r"\w", one) or not _ALLOWED.fullmatch(one)]


def _ruled(found: re.Match[str]) -> str:
    """The rule of the order of operations on one line, where nothing else is said of it."""
    left = r"\W*(?:(?:from )?leftright)?\W*"
    if not all(re.fullmatch(left, found[which]) for which in ("one", "other")):
        return found[0]
    return "PEMDAS: parentheses, exponents, multiplication, division, addition, subtraction"


def _plainly(line: str) -> str:
    """A line that does not tell apart the brackets, parts or numbers that it speaks of."""
    line = _SMALLER.sub("into parts", _BOTH.sub("the ", line))
    return line if _TURNED.search(line) else _ORDINAL.sub("the parentheses", line)


def _improper(mixed: re.Match[str]) -> str:
    top, _, bottom = plain(mixed[2]).partition("⁄")
    return f"({int(mixed[1]) * int(bottom) + int(top)}/{bottom})"


def _cells(line: str) -> list[str]:
    if not line.lstrip().startswith("|"):
        return [line]
    cells = line.strip().strip("|").split("|")
    cells = cells[1:] if cells[0].strip().isdigit() else cells
    worth = [_FIGURE.fullmatch(one) for one in cells]
    return [" = ".join(cells)] if len(cells) == 2 and all(worth) else cells


@lru_cache(maxsize=1_000)
def read(sentence: str) -> Said | None:
    """What one of the :func:`sentences` says; None where it is not understood, or is wrong."""
    if len(sentence) > MAX_SENTENCE or "@" in sentence:
        return None
    if closes(sentence) or presents(sentence):
        return Said()
    inner = _IN_BRACKETS.fullmatch(sentence)
    text = facts.without(inner[1] if inner else sentence)
    if text is None:
        return None
    lacks = [one["what"] for one in _NONE_OF.finditer(text)]
    text = _NONE_OF.sub("", text)
    text, parts = _with_signs(text)
    rest = _RUN.sub(" ", text)
    words = [*narration.words(rest.lower())]
    known = _ALLOWED.fullmatch(rest) and narration.only(rest, _KNOWN)
    if odd(sentence) or not known or _IS_A.search(rest) or not _CLAIMING.isdisjoint(words):
        return None
    equations, alone, told, goes_on = list[tuple[Tree, ...]](), list[Tree](), [], False
    for run in _RUN.findall(text):
        if "@" in run:
            told.append(_part(run, parts))
            continue
        sides = [one.strip() for one in _SIDE.split(run)]
        trees = [calculation.read(_with_product(one.rstrip(" ."))) for one in sides if one]
        read = [one for one in trees if one is not None]
        if not read or len(read) < len(trees) or not _holds(run, read):
            return None
        goes_on = goes_on or (not sides[0] and run == text.strip(" .$")[: len(run)])
        if len(read) > 1 or not sides[0]:
            equations.append(tuple(read))
        else:
            alone.append(read[0])
    said = [one for one in told if one is not None]
    if len(said) < len(told):
        return None
    return Said(
        tuple(equations),
        tuple(one for one in alone if not isinstance(one, Fraction)),
        tuple(one for one in alone if isinstance(one, Fraction)),
        tuple(said),
        tuple(SIGN_OF[one] for one in words if one in SIGN_OF),
        tuple(SIGN_OF[one] for what in lacks for one in narration.words(what) if one in SIGN_OF),
        frozenset(words),
        "?" in rest,
        goes_on,
    )


def _with_signs(sentence: str) -> tuple[str, list[Part]]:
    """(a sentence in which signs stand for words that say operations with numbers, and ``@n@`` for
    the ``n``-th operation of which one number is named; those operations)."""
    text = _LEAST.sub("", _STEP.sub(" ", sentence))
    text = _DASH.sub(" , ", text)
    text = re.sub(rf"(?i)\b{notation.SHARE}(?! of\b)", notation.share, text)
    text = re.sub(r"\s+,", ",", text)
    for _ in range(_MAX_REMARKS):
        text = _REMARK.sub(r" , \1 , ", text)
    text = arithmetic.plain(text)
    text = notation.in_signs(text).replace("\\sqrt ", "√")
    parts = list[Part]()

    for pattern, sign, turned in _PREFIXED:
        text = pattern.sub(partial(_signed, sign=sign, turned=turned, parts=parts), text)
    return _COMES_TO.sub(_goes_on, text), parts


def _goes_on(found: re.Match[str]) -> str:
    """An equality sign; a comma between two equations: ``= 8, giving 8 * 2 =``."""
    behind = _OPENS.match(found.string, found.end())
    before = _EQUATED.search(found.string, 0, found.start())
    return " , " if behind and before else " = "


def _signed(found: re.Match[str], sign: str, turned: bool, parts: list[Part]) -> str:
    """An operation in words with signs; one of which one number is named joins ``parts``."""
    named = found.groupdict()
    sides = [named.get(side) or "" for side in ("ba" if turned else "ab")]
    is_number = [one[-1:].isdigit() for one in sides]
    if all(is_number):
        return f"{sides[0]} {sign} {sides[1]}"
    if not any(is_number):
        return found[0]
    parts.append(Part(sign, Fraction(sides[is_number.index(True)]), is_number[0]))
    return f"@{len(parts) - 1}@"


def _with_product(side: str) -> str:
    """A calculation with the sign between brackets, where it can be left out in one way."""
    return side if "/" in side else _BRACKETS.sub(")*(", side)


def _part(run: str, parts: list[Part]) -> Part | None:
    """An operation of which one number is named, with the number that it is said to come to."""
    found = _PART.fullmatch(run.strip())
    if found is None:
        return None
    result = found["result"]
    return parts[int(found["n"])]._replace(result=Fraction(result) if result else None)


def _holds(run: str, sides: list[Tree]) -> bool:
    """Whether the sides of an equation are equal; behind ``≈`` stands one that may be rounded."""
    exact, *others = map(value, sides)
    if exact is None:
        return False
    if "≈" in run:
        written = run.rpartition("≈")[2].strip(" .")
        return len(others) == 1 and bool(_DIGITS.fullmatch(written)) and agrees(written, exact)
    return all(one == exact for one in others)
