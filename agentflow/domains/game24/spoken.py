"""The sentences of a reply of Game of 24, with signs for what they say in words.

Subtract 9 from 13 to get 4.         (13 - 9) = 4
Multiplying the two sevens gives 49. (7 * 7) = 49
Half of 48 is 24.                    (48 / 2) = 24
24 can be written as 4 × 6.          24 = 4 * 6
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction

from agentflow.domains import operations
from agentflow.domains.game24 import reading
from agentflow.domains.spelling import NUMBERS, lowered

NUMBER = r"(?<![\d.])(?:-?\d+(?:\.\d+)?|\(\d+/0*[1-9]\d*\)|\d+/0*[1-9]\d*)(?![.\d]*\d)"
NUMERAL = re.compile(r"-?\d+(?:\.\d+|/0*[1-9]\d*)?")
AND = r"(?:,? and |, ?| or )"
_ARTICLE = (
    r"(?:(?:the|an?|my|our|one|both|just|only|its|that|this|another)"
    r" (?:other |remaining |given |original |last |lone |leftover |extra |spare |second |first "
    r"|third |fourth |outer |inner )*)?"
)
ITEM = rf"(?:{_ARTICLE}{NUMBER})"
ITEMS = rf"(?:{ITEM}(?:{AND}{ITEM})*)(?! ?[-+*/=≈^(] ?[-\d(])"
"""``3``, ``the 2 and the 5``: numbers that no sign stands behind."""

_N = operations.NUMBER
_VALUE = (
    r"(?:(?:the|an?|both|another) (?:other |remaining |given |original )*)?"
    rf"({_N}|\(\d[-+*/.\d ]*\))"
)
_SPOKEN = [
    *operations.in_front(_VALUE),
    (
        re.compile(
            rf"\b(?:halv(?:e|ing) |(?:one |a )?half (?:of )?)(?:the )?({_N})(?= |,"
            rf"|$)"
        ),
        r"(\1 / 2)",
    ),
    (re.compile(rf"\b(?:twice|doubl(?:e|ing)) (?:the )?({_N})(?= |,|$)"), r"(2 * \1)"),
    (re.compile(rf"\b(?:the )?square of ({_N})(?= )"), r"(\1 * \1)"),
    (re.compile(rf"(?<![-+*/.\d] )(?<![.\d])({_N}) squared\b"), r"(\1 * \1)"),
    (re.compile(rf"\b(?:tripl(?:e|ing)|thrice) (?:the )?({_N})(?= |,|$)"), r"(3 * \1)"),
    *operations.between("(?:(?:the|an?) (?:other |remaining )*)?"),
]
"""Operations in words, and with their signs."""
_SEVERAL = [
    (
        re.compile(
            rf"\b(?:the )?(?:{words}) (?P<numbers>{_N}(?:{AND}{_N}){{{least},}})(?! ?[-+*/(\d])"
        ),
        sign,
    )
    for words, sign, least in (
        ("sum of|adding(?: up)?|add(?: up)?", "+", 2),
        ("product of|multiplying|multiply", "*", 2),
    )
] + [
    (re.compile(rf"(?P<numbers>{_N}(?:{AND}{_N})+) (?:{words})(?= {_N})"), sign)
    for words, sign in (
        (r"(?:add(?:ed)?|sum) (?:up )?to|together (?:give|make)s?|total", "+"),
        (r"multiply (?:up )?to", "*"),
        (r"divide (?:out )?to", "/"),
    )
]
"""The same of several numbers."""
_OPERATED = r"[-(\d][-+*/().\d ]{0,80}[-+*/] ?[-(\d][-+*/().\d ]{0,80}(?<=[\d)])"
_SAYS = re.compile(
    rf"(?P<of>{_OPERATED})(?: ?: ?| ⇒ |,? (?:(?:which|that|this|we|you|to|and|it|would|will|also"
    rf"|again"
    r"|then|now|simply|just|exactly|can|in turn|immediately|conveniently|i) ){0,2}"
    r"(?:(?:is|are|be)(?: just| already| exactly| again| simply)? |be |)(?:equal(?:s| to)?|is|are"
    r"|gives?|giving"
    r"|makes?|making|yields?|yielding|gets?|got|becomes?|results? in|resulting in|comes to"
    r"|leads to"
    r"|produces?|producing|leaves|obtain|reach|be|totals?|amounts to|works out to|simplifies to"
    r"|evaluates to|brings? us to|takes? us to|turns into|lands? on|distributes to|expands to"
    r"|boils down to|collapses to"
    r"|comes out to|reduces to|gets us(?: to)?|works out as|adds up to|hits?)"
    r" (?:us |out (?:to|as) |you |already |still |again |exactly |precisely |just )?)(?=[-(\d])"
)
"""``6 * 4 gives 24``, ``6 * 4: 6 * 4 = 24``."""
_SPLIT = re.compile(
    r"\b24 (?:(?:is|equals?)(?: just| simply| the same as| equal to)?|(?:can be |may be |is )?"
    r"(?:written|expressed|factored|seen|thought of|decomposed|split|made|obtained|built|reached)"
    r" (?:as|from|by|into|with|via|by)|factors (?:as|into)|as|by)"
    r"(?: the)?(?: product| sum)?(?: of)? (?=[(\d][\d() ]*[-+*/])"
)
"""``24 can be written as`` before an operation."""
_COMES = re.compile(
    rf"(?<![-+*/=.\d] )(?<![.\d])({_N})(?:,? which)? (?:(?:can |could |then )?comes? from|via"
    r"|is(?: (?:also|just|exactly|what (?:is |we |you )?(?:left|remains|get"
    r"|have)(?: over)?(?: when| if| once"
    r"| after)?(?: you| we)?))?"
    r"|(?:is|can be|be) (?:just|simply|exactly|precisely|obtained|made|written|formed"
    r"|built)(?: as| from| by| via"
    r"| with"
    rf"| using)?) (?={_OPERATED})"
)
"""``the 3 comes from 4 - 1``"""
_NEUTRAL = re.compile(
    r"\b[tn] = 24\b|\b(?:multipl|divid)\w+(?: it| that| this| anything| everything)? by (?:the "
    r"|an? |that "
    r"|this )?(?:remaining |extra |last "
    r"|other )*(?:1|one)s?\b(?: and 1)*(?: twice| again| as well)?,?(?: (?:which|that|and|it"
    r"|simply|just))* (?:changes nothing"
    r"|(?:does not|doesn't|won't|will not) change (?:anything|it|a thing|the (?:value|result"
    r"|product))"
    r"|(?:leaves|keeps) (?:it|the (?:value|result|product)|everything|that|24) (?:unchanged"
    r"|as it is|the same"
    r"|alone|intact|at 24|there)|has no effect|is harmless|does nothing)"
)
"""What is true of one, whatever the problem."""
_LEFT_OPEN = re.compile(r"(?<=[\d)]) ?[-+*/] ?(?:\.\.\.|…|_+|\?|something|$)")
_SMALL = {word: number for word, number in NUMBERS.items() if 1 < number < 14}
_PLURALS = {f"{word}{'es' if word == 'six' else 's'}": n for word, n in _SMALL.items()} | {
    "ones": 1
}
_COPIES = re.compile(
    r"\b(?:(?P<all>all(?: of)?(?: the)?)|(?P<both>both)(?: of)?(?: the)?"
    r"|(?:all |the )?(?P<count>two|three|four|pair of)(?: of)?(?: the)?(?: given)?|the) "
    rf"(?:(?P<digits>\d+)'?s|(?P<word>{'|'.join(_PLURALS)}))\b"
)
"""``both 3s``, ``the two sevens``."""
_OF_PLURAL = re.compile(
    rf"(?<!the )(?<!all )(?<!my )\b(?P<count>{'|'.join(_SMALL)}) (?:(?P<digits>\d+)'?s"
    rf"|(?P<word>{'|'.join(_PLURALS)}))"
    r"(?= (?:is|are|makes?|gives?|equals?|yields?) \(?\d)"
)
"""``six fours are 24``"""
_OWN_WORD = re.compile(
    r"(?P<before>\b(?:an?|one|other|second|third|lone|remaining|leftover|single|last|spare"
    r"|extra|times|plus"
    rf"|minus|from|with|the) )(?P<word>one|{'|'.join(_SMALL)})\b(?!['’ -](?:more|less|\w+s\b"
    rf"|of\b|s\b))"
)
_ONE_TIME = re.compile(r"\bone time\b")
_AMBIGUOUS = ("one", "two", "three", "four")
_LESS = re.compile(r"(?:(?<=, )|\A)less (?=\d)")
_COUNTS = {"two": 2, "three": 3, "four": 4, "pair of": 2}
_WORDED = re.compile(
    r"(?<=\b(?:by|to|is|of|or))(?<!one of) (one(?=$)|"
    + "|".join(_SMALL)
    + r")(?=[,.:; ]*$|[,:;]| (?:to|gives|is|and we))"
)
_WORD_THAN = re.compile(
    rf"\b(one|{'|'.join(_SMALL)})(?= (?:more|less|greater|fewer|above|below) than\b| too (?:big"
    rf"|small|many|few|much)"
    r"| short\b)"
)
_PART = {"half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "eighth": 8}
_PARTS = re.compile(rf"\b(?:an?|one)[ -]({'|'.join(_PART)})\b(?! of)")
_PART_OF = re.compile(rf"\b(?:an?|one)[ -]({'|'.join(_PART)}) of (?:the )?({_N})(?= |,|$)")
_OVER = re.compile(r"\b(by|from|to|with|and|of|times|minus|plus|over) (\d+/\d+)(?![\d/])")
_FRACTION = re.compile(r"\(\((-?\d+(?:\.\d+)?)\)/\((\d+(?:\.\d+)?)\)\)")
_NUMBERED = re.compile(
    r"(?i)\A[\W_]*\d{1,2}[.)](?: +|\Z)|\b(?:option|case|attempt|method|approach|way|idea"
    r"|try) [a-e]\b[-:.) ]*"
    r"|\b(?:step|solution|option|way|method|equation|operation"
    r"|attempt)s? ?(?:#?\d{1,2}\b\)?|\(\d{1,2}\)) ?[-:.)]?"
    r"|\b(?:try|trial|approach|idea|candidate) ?[#(]?\d{1,2}\)? ?[:.)]"
)
_MARKUP = re.compile(
    r"</?answer>|\\(?:boxed|text(?:bf|it|rm)?|math(?:bf|rm)|quad|qquad|left|right|displaystyle"
    r"|big|Big"
    r"|checkmark|therefore|hline)\b|\\(?:begin|end)\{[a-z]+\*?\}(?:\{[lcr|]+\})?"
    r"|(?<=[a-z]:)\*{1,2}(?=\s)|\\[()\[\],;! ]"
    r"|[\[\]{}$`\"]|```\w*|\\\\|&|^\s*#+|[✓✅✔☑☺🎉👍😊🙂\ufe0f]|\\(?=\(|\)|$)"
)
_LATEX = ((r"\approx", "≈"), (r"\rightarrow", "->"), (r"\Rightarrow", "->"), (r"\implies", "->"),
          (r"\to ", "-> "), (r"\ldots", "..."), (r"\dots", "..."),
          (r"\Longrightarrow", "->"))  # fmt: skip
_DASH = re.compile(r"(?<=[^\W\d_]) ?— ?|(?<=[^\W\d_]{2}) [-–] (?=[\d(])|— ?(?=[^\W\d_])")
"""What stands between clauses, and is no minus."""
_ASIDE = re.compile(r"\(([a-z][^()]*(?:\([^()]*\)[^()]*)*)\)")
_WHICH_IS = re.compile(
    rf" \((?:that's|that is|which is|which gives|giving|makes|so|i\.e\.,?) ({_N})\)"
)
_BARE = re.compile(r"\\[dt]?frac ?(\d) ?(\d)(?!\d)")
_GAME = re.compile(r"(?i)\b24[- ](?:point )?game\b")
_X = re.compile(r"(?<=[-+*/=×÷−({])( ?)x\b(?! ?[\d(])|\bx(?= ?=)")
"""An ``x`` that is no sign of a product."""
_SQUARED = re.compile(r"(?<![\d.)])(\d+)²")
_VULGAR = re.compile(r"(\d)?([½⅓⅔¼¾⅕⅙⅛])")
_PARTED = {"½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅕": "1/5", "⅙": "1/6",
           "⅛": "1/8"}  # fmt: skip
_NOT = re.compile(r"\b(\w+?)n't\b|\b(can)not\b")
_IRREGULAR = {"ca": "can", "wo": "will"}
_ARROW = re.compile(r" ?(?:->|=>|⇒|→|⟹) ?")


def unmarked(sentence: str) -> str:
    """A sentence in small letters and plain signs, without markup and the number of its item."""
    sentence = re.sub(r"^\s*>+(?= )", " ", sentence)
    sentence = _GAME.sub(" game", sentence)
    sentence = _X.sub(r"\1something", sentence)
    sentence = _SQUARED.sub(r"(\1 * \1)", sentence)
    sentence = _VULGAR.sub(_parted, sentence)
    sentence = _BARE.sub(r"(\1/\2)", sentence)
    for name, sign in _LATEX:
        sentence = sentence.replace(name, sign)
    said = _MARKUP.sub(" ", reading.with_fractions(reading.plain(_DASH.sub(" ; ", sentence))))
    said = _ARROW.sub(" ⇒ ", _NUMBERED.sub(" ", _FRACTION.sub(r"(\1/\2)", said)))
    said = _NOT.sub(_negated, " ".join(lowered(said).split()).strip(" .*_-;"))
    return aside[1].strip(" .") if (aside := _ASIDE.fullmatch(said)) else said


def _parted(found: re.Match[str]) -> str:
    part = _PARTED[found[2]]
    return f"({found[1]} + {part})" if found[1] else f"({part})"


def _negated(found: re.Match[str]) -> str:
    verb = found[1] or found[2]
    return f"{_IRREGULAR.get(verb, verb)} not"


def with_signs(said: str, own: Counter[Fraction]) -> str:
    """A sentence with signs for its words.

    Args:
        said: What :func:`unmarked` gives.
        own: The numbers of the problem: ``both 3s`` are its own.
    """
    said = _ONE_TIME.sub("once", said)
    said = _OF_PLURAL.sub(_multiple, _LEFT_OPEN.sub(" ", said))
    said = _OWN_WORD.sub(_own_number(own), _LESS.sub("minus ", said))
    said = _COPIES.sub(_copies(own), said)
    said = _NEUTRAL.sub(" ; ", said)
    said = _WORD_THAN.sub(lambda word: str(NUMBERS[word[1]]), said)
    said = _PART_OF.sub(lambda part: f"({part[2]} / {_PART[part[1]]})", said)
    said = _PARTS.sub(lambda part: f"1/{_PART[part[1]]}", said)
    said = _WORDED.sub(lambda word: f" {NUMBERS[word[1]]}", said)
    said = _OVER.sub(r"\1 (\2)", said)
    for several, sign in _SEVERAL:
        said = several.sub(_joined(sign), said)
    for spoken, signs in _SPOKEN:
        said = spoken.sub(signs, said)
    return _COMES.sub(r"\1 = ", _SPLIT.sub("24 = ", said))


def equated(said: str) -> str:
    """A sentence with ``=`` for the words that say what an operation comes to."""
    said = _SAYS.sub(_equals, _WHICH_IS.sub(r" is \1", said))
    return said.replace("⇒", ";")


def _equals(found: re.Match[str]) -> str:
    """``24 = 12 + 12: 2 * 6 = 12`` goes on with something else."""
    behind = found.string[found.end() :].partition("⇒")[0]
    if found[0].endswith("⇒ ") and "=" in behind:
        return f"{found['of']} ; "
    goes_on = found.string[: found.start()].rstrip().endswith("=") and ":" in found[0]
    return found[0] if goes_on else f"{found['of']} = "


def numbers(listed: str) -> list[Fraction]:
    """The numbers of a list."""
    return [Fraction(one) for one in NUMERAL.findall(listed)]


def number(written: str) -> Fraction:
    """The first number of a list."""
    return numbers(written)[0]


def _copies(own: Counter[Fraction]) -> Callable[[re.Match[str]], str]:
    def listed(found: re.Match[str]) -> str:
        number = int(found["digits"] or _PLURALS[found["word"]])
        there = own[Fraction(number)]
        count = 2 if found["both"] else _COUNTS.get(found["count"] or "", there)
        right = 1 < count <= there and (count == there or not found["both"])
        return " and ".join([str(number)] * count) if right else found[0]

    return listed


def _multiple(found: re.Match[str]) -> str:
    number = found["digits"] or _PLURALS[found["word"]]
    return f"({NUMBERS[found['count']]} * {number})"


def _own_number(own: Counter[Fraction]) -> Callable[[re.Match[str]], str]:
    """``the other six``, where there is a six; ``the other two`` may count."""

    def shown(found: re.Match[str]) -> str:
        before, word = found["before"], found["word"]
        number = NUMBERS[word]
        counts = word in _AMBIGUOUS and not re.match(r"an? |one |times|plus|minus", before)
        return found[0] if counts or not own[Fraction(number)] else f"{before}{number}"

    return shown


def _joined(sign: str) -> Callable[[re.Match[str]], str]:
    def operated(found: re.Match[str]) -> str:
        parts: Iterator[str] = (one for one in re.split(AND, found["numbers"]) if one)
        words = " ".join(found[0][found.end("numbers") - found.start() :].split())
        return f"({f' {sign} '.join(parts)}){' = ' if words else ''}"

    return operated
