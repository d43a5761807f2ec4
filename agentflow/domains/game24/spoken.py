"""The sentences of a reply of Game of 24 in small letters and plain signs, and their numbers.

**Step 2:** It isn't 3 × 4 → 12.     it is not 3 * 4 ; 12
"""

from __future__ import annotations

import re
from fractions import Fraction

from agentflow.domains.game24 import reading
from agentflow.domains.spelling import lowered

NUMBER = r"(?<![\d.])(?:-?\d+(?:\.\d+)?|\(\d+/0*[1-9]\d*\)|\d+/0*[1-9]\d*)(?![.\d]*\d)"
RUN = re.compile(r"[-+*/(=≈ ]*\d[-+*/().\d =≈]*")
SENTENCE = re.compile(
    r"(?<=[.!?;])(?<!i\.e\.)(?<!e\.g\.)\s+|\n|, (?=(?:(?:and|then|and then|next"
    r"|finally) )?(?:minus|less|plus|times|divided by|multipl\w+|subtract\w*|tak(?:e|ing) away"
    r"|add\w*|divid\w+) (?:(?:(?!and)[a-z]+ ){0,3}\d|(?:together |up )?(?:the|these|those|both"
    r"|them|it|this|that)\b))|,? (?=(?:and|then|and then) (?:multiply(?:ing)?|add(?:ing)?"
    r"|subtract(?:ing)?|divid(?:e|ing)|halv(?:e|ing)|doubl(?:e|ing)) (?:them|the result\b|this"
    r"|that|it|these|those|both|the results)\b)"
)
"""Where a sentence ends, or goes on with an operation on what it came to."""
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

SIGNS = {"add": "+", "sum": "+", "tot": "+", "plu": "+", "tog": "+", "giv": "+", "mak": "+",
         "sub": "-", "tak": "-", "rem": "-", "dif": "-", "min": "-", "mul": "*", "pro": "*",
         "tim": "*", "div": "/", "quo": "/", "rat": "/"}  # fmt: skip
"""The beginnings of the names of operations, and their signs."""
_NUMBERED = re.compile(
    r"(?i)\A[\W_]*\d{1,2}[.)](?: +|\Z)|\b(?:option|case|attempt|method|approach|way|idea"
    r"|try) [a-e]\b[-:.) ]*|\b(?:step|solution|option|way|method|equation|operation"
    r"|attempt)s? ?(?:#?\d{1,2}\b\)?|\(\d{1,2}\)) ?[-:.)]?|\b(?:try|trial|approach|idea"
    r"|candidate) ?[#(]?\d{1,2}\)? ?[:.)]"
)
_MARKUP = re.compile(
    r"</?answer>|\\(?:boxed|text(?:bf|it|rm)?|math(?:bf|rm)|quad|qquad|left|right|displaystyle|big"
    r"|Big|checkmark|therefore|hline)\b|\\(?:begin|end)\{[a-z]+\*?\}(?:\{[lcr|]+\})?"
    r"|(?<=[a-z]:)\*{1,2}(?=\s)|\\[()\[\],;! ]|[\[\]{}$`\"]|```\w*|\\\\|&|^\s*#+"
    r"|[✓✅✔☑☺🎉👍😊🙂\ufe0f]"
    r"|\\(?=\(|\)|$)"
)
_DASH = re.compile(r"(?<=[^\W\d_]) ?— ?|(?<=[^\W\d_]{2}) [-–] (?=[\d(])|— ?(?=[^\W\d_])")
"""What stands between clauses, and is no minus."""
_SPELLINGS = [
    (re.compile(pattern), spelled)
    for pattern, spelled in (
        (r"^\s*>+(?= )", " "),
        (r"(?<![\d.)])(\d+)²", r"(\1 * \1)"),
        (r"\\approx", "≈"),
        (r"\\(?:Long)?(?:rightarrow|Rightarrow|implies|to )", "->"),
        (r"\\l?dots", "..."),
    )
]
"""What :func:`reading.plain` leaves as it is."""
_NOT = re.compile(r"\b(\w+?)n't\b|\b(can)not\b")
_IRREGULAR = {"ca": "can", "wo": "will"}
_BRACES = re.compile(r"(?<![a-zA-Z])\{([^{}]*\d[^{}]*[-+*/][^{}]*)\}")
"""Braces that are the brackets of an operation, and no LaTeX."""
_MAX_BRACES = 4
_ARROW = re.compile(r" ?(?:->|=>|⇒|→|⟹) ?")


def unmarked(sentence: str) -> str:
    """A sentence in small letters and plain signs, without markup and the number of its item."""
    for pattern, spelled in _SPELLINGS:
        sentence = pattern.sub(spelled, sentence)
    said = reading.with_fractions(reading.plain(_DASH.sub(" ; ", sentence)))
    for _ in range(_MAX_BRACES if "{" in said else 0):  # from the inside out
        said = _BRACES.sub(r"(\1)", said)
    said = _ARROW.sub(" ; ", _NUMBERED.sub(" ", _MARKUP.sub(" ", said)))
    return _NOT.sub(_negated, " ".join(lowered(said).split()).strip(" .*_-;"))


def _negated(found: re.Match[str]) -> str:
    verb = found[1] or found[2]
    return f"{_IRREGULAR.get(verb, verb)} not"


def numbers(listed: str) -> list[Fraction]:
    """The numbers of a list."""
    return [Fraction(one) for one in NUMERAL.findall(listed)]


def number(written: str) -> Fraction:
    """The first number of a list."""
    return numbers(written)[0]
