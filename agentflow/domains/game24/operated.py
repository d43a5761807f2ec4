"""The operations that a sentence of a reply of Game of 24 has in words, and with their signs.

Subtract 9 from 13 to get 4.         (13 - 9) = 4
6 * 4 gives 24.                      6 * 4 = 24

``It`` is what came out last, or before, where that leads to a part of the answer.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import partial

from agentflow.domains import arithmetic, operations
from agentflow.domains.game24.known import TARGET, Known
from agentflow.domains.game24.spoken import SIGNS, number, numbers

_N = operations.NUMBER
_END = r"(?![.\d]*\d)(?! ?[-+*/\d]| ?\((?![a-z]))"
_THE = (
    r"(?:(?:the|an?|my|our|one|both|another|this|that) )?(?:(?:other|remaining|given|original|last"
    r"|lone|leftover|extra|second|first|third) )*"
)
_VALUE = rf"{_THE}(?:{_N}|\(\d[-+*/.\d ]*\))"
_IT = (
    r"(?:it|this|that|them|(?:the|this|that) (?:result|value|product|sum|difference|quotient"
    r"|number))"
)
_VERB = (
    r"(?P<verb>add(?:ing)?(?: up(?! to))?|subtract(?:ing)?|tak(?:e|ing)(?: away)?|remov(?:e|ing)"
    r"|multiply(?:ing)?|divid(?:e|ing)|(?:sum|product|quotient|difference) of|difference between)"
)
_TWO = re.compile(
    rf"\b(?:the )?{_VERB} (?P<one>{_VALUE}|{_IT})?(?:,? ?(?P<joint>and|to|from|off|with|by|times"
    rf"|away from|off of|out of) (?P<other>{_VALUE}|{_IT}))?(?!\w)(?P<end>{_END})?"
)
_UNPLACED = "unplaced"
"""What stands for an operation on nobody knows what: a word that no list of words has."""
_AS = r"(?:is|means|equals|amounts to|works like)(?: just| exactly)?(?: the same as| like)?"
_FRACTION = re.compile(r"\(?\d+/\d+\)?")
_AIM = re.compile(rf"(?:\be\.|\b(?:have|need|want) to|\bmust|\b{_AS}) \Z")
"""What stands before an operation that is not done yet."""
_OPERATED = r"[-(\d][-+*/().\d ]{0,80}[-+*/] ?[-(\d][-+*/().\d ]{0,80}(?<=[\d)])"
_FILL = (
    r"(?:which|that's|you|happens|so|therefore|thus|hence|altogether|total|result|value|answer|at"
    r"|the|same|that|this|we|you|us|it|i|to|and|would|will|can|also|again|then|now|simply|just"
    r"|exactly|precisely|already|still|in turn|immediately|conveniently|out|up|down|in|into|on|as"
    r"|equal|what|left|when|from|by|with|using|via|a)"
)
_EQUALS = (
    r"(?:is|are|be|equals?|giv(?:es?|ing)|mak(?:es?|ing)|yields?|gets?|got|becomes?|results?"
    r"|resulting|comes|have|lands?|arrives?|ends?|for a total of|leads|produc(?:es?|ing)|leaves"
    r"|obtain|reach|totals?|amounts|works|simplifies|evaluates|brings?|takes?|turns|lands?"
    r"|distributes|expands|boils|collapses|reduces|adds|hits?|for the)"
)
_SAYS = re.compile(
    rf"(?P<of>{_OPERATED})(?: ?: ?|,?(?: {_FILL})* {_EQUALS}(?: {_FILL})* )(?=[-(\d])"
)
"""``6 * 4 gives 24``, ``6 * 4: 6 * 4 = 24``."""


def operated(said: str, known: Known) -> str:
    """A sentence with signs for its operations, and ``=`` for what they come to."""
    said = _TWO.sub(partial(_operation, known), said)
    for words, sign in operations.between(_THE):
        said = words.sub(sign, said)
    return _SAYS.sub(_equals, said)


def _bare(value: str) -> str:
    """A value without its article."""
    return re.sub(rf"\A{_THE}", "", value)


def _operation(known: Known, found: re.Match[str]) -> str:
    """An operation with its sign. A side that is not named, or is called ``it``, is what came out
    before."""
    verb, joint = found["verb"], found["joint"] or ""
    one, other = found["one"], found["other"]
    if joint == "to" and not one:  # numbers that multiply to 24
        return found[0]
    sign = SIGNS[verb[:3]]
    if not joint or joint.endswith(("from", "off", " of")) or (joint == "to" and sign == "+"):
        one, other = other, one
    elif verb[:3] in ("tak", "sub", "rem"):
        return found[0]
    sides = [_bare(side) if side and re.search(r"\d", side) else "" for side in (one, other)]
    if all(sides):
        return f"({sides[0]} {sign} {sides[1]})"
    undone = _AIM.search(found.string[: found.start()])
    if not any(sides) or undone or found["end"] is None:
        return found[0]
    named = numbers(found.string[: found.start()])[-1:]
    for came in [*named, *reversed(known.history)]:
        left, right = (number(side) if side else came for side in sides)
        comes = arithmetic.apply(sign, left, right)
        if came != TARGET and comes in known.parts:
            return f"({_shown(left)} {sign} {_shown(right)})"
    claims = verb.endswith(" of") or {"0", "1"} & {*sides}
    return found[0] if claims else _UNPLACED


def _equals(found: re.Match[str]) -> str:
    """``24 = 12 + 12: 2 * 6 = 12`` goes on with something else."""
    before = found.string[: found.start()].rstrip()
    named = before.endswith("=") or _FRACTION.fullmatch(found["of"])
    return found[0] if named and ":" in found[0] else f"{found['of']} = "


def _shown(number: Fraction) -> str:
    return str(number) if number.denominator == 1 and number >= 0 else f"({number})"
