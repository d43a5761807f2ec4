"""The operations that a sentence of a reply of Game of 24 has in words, and with their signs.

Subtract 9 from 13 to get 4.         (13 - 9) = 4
24 can be written as 4 × 6.          24 = 4 * 6
Then halve it.                       (48 / 2), where 6 * 8 was read
10 * 10 = 100, minus 4 is 96         (100 - 4) = 96

``It`` is what came out last, or before, where that leads to a part of the answer.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import partial

from agentflow.domains import arithmetic, operations
from agentflow.domains.game24 import reading
from agentflow.domains.game24.known import TARGET, Known
from agentflow.domains.game24.spoken import AND, SIGNS, number, numbers

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
_LISTED = re.compile(rf"\b(?:the )?{_VERB} (?P<listed>{_VALUE}(?:{AND}{_VALUE})+){_END}")
"""``the sum of 3, 4 and 5``"""
_TWO = re.compile(
    rf"\b(?:the )?{_VERB} (?P<one>{_VALUE}|{_IT})?(?:,? ?(?P<joint>and|to|from|off|with|by|times"
    rf"|away from|off of|out of) (?P<other>{_VALUE}|{_IT}))?(?!\w)(?P<end>{_END})?"
)
_CHAINED = re.compile(
    rf"(?:(?<=, )|\A)(?:(?:then|and|and then) )?(?P<verb>minus|plus|times|divided by) "
    rf"(?P<one>{_VALUE})(?P<end>{_END})"
)
_MULTIPLE = re.compile(
    r"\b(?:the )?(?P<verb>halv(?:e|ing)|(?:one |a )?half(?: of)?|twice|doubl(?:e|ing)"
    rf"|tripl(?:e|ing)|thrice)(?: (?P<one>{_VALUE}|{_IT}))?(?P<end>)(?= |,|$)"
    r"(?! (?:both|the|of|\(?\d))"
)
_UNUSED = re.compile(
    rf"(?<=the )({_N}),? (?:that|which)(?:'s| is| was) (?:still |yet )*"
    r"(?:left(?: over)?|remaining|unused|to be used|not used(?: yet)?)\b"
)
"""``the 6 that's still unused``"""
_ABOUT = re.compile(r"(?<=[\d)]) (?:is|equals) (?:about|roughly|approximately|around) (?=\d)")
_DOUBLED = re.compile(rf"(?<![-+*/.\d] )(?<![.\d])({_N}) (doubled|tripled|halved)\b")
_SQUARED = re.compile(rf"(?<![-+*/.\d] )(?<![.\d])({_N}) squared\b|\b(?:the )?square of ({_N})")
_UNPLACED = "unplaced"
"""What stands for an operation on nobody knows what: a word that no list of words has."""
_AGAIN = re.compile(rf"(\([^()]* ([*/]) {_N}\)),? and (?:then )?(?:again )?by ({_N}){_END}")
"""``(2 * 4) and then by 3``"""
_AS = r"(?:is|means|equals|amounts to|works like)(?: just| exactly)?(?: the same as| like)?"
_SAME = re.compile(rf"\(({_N}) / \(?(\d+/\d+)\)?\) {_AS} multiply(?:ing)? by ({_N}){_END}")
_SAME_AS = re.compile(rf" {_AS} multiply")
_FRACTION = re.compile(r"\(?\d+/\d+\)?")
_AIM = re.compile(rf"(?:\be\.|\b(?:have|need|want) to|\bmust|\b{_AS}) \Z")
"""What stands before an operation that is not done yet."""
_MULTIPLES = {"hal": ("/", "2"), "one": ("/", "2"), "a h": ("/", "2"), "twi": ("*", "2"),
              "dou": ("*", "2"), "tri": ("*", "3"), "thr": ("*", "3")}  # fmt: skip

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
    rf"(?P<of>{_OPERATED})(?: ?: ?| ⇒ |,?(?: {_FILL})* {_EQUALS}(?: {_FILL})* )(?=[-(\d])"
)
"""``6 * 4 gives 24``, ``6 * 4: 6 * 4 = 24``."""
_COMES = re.compile(
    rf"(?<![-+*/=.\d] )(?<![.\d])({_N})(?:,? which)? (?:(?:can|could|may|then|is|be|equals?) )*"
    r"(?:is|be|equals?|comes?|written|expressed|factore?d?s?|seen|thought of|decomposed|split|made"
    rf"|obtained|built|formed|reached|as|via) (?:(?:{_FILL}|the|product|sum|of) )*(?={_OPERATED})"
)
"""``the 3 comes from 4 - 1``, ``24 can be written as`` before an operation."""
_WHICH_IS = re.compile(
    rf" \((?:that's|that is|which is|which gives|giving|makes|so|i\.e\.,?) ({_N})\)"
)


def operated(said: str, known: Known) -> str:
    """A sentence with signs for its operations, and ``=`` for what they come to."""
    said = _DOUBLED.sub(_multiple, _ABOUT.sub(" ≈ ", _UNUSED.sub(partial(_unused, known), said)))
    said = _SQUARED.sub(r"(\1\2 * \1\2)", _LISTED.sub(_folded, said))
    for pattern in (_MULTIPLE, _TWO, _CHAINED):
        said = pattern.sub(partial(_operation, known), said)
    said = _SAME.sub(r"(\1 / (\2)) = (\1 * \3)", _AGAIN.sub(r"(\1 \2 \3)", said))
    for words, sign in operations.between(_THE):
        said = words.sub(sign, said)
    said = reading.with_fractions(said)
    said = _SAYS.sub(_equals, _WHICH_IS.sub(r" is \1", _COMES.sub(r"\1 = ", said)))
    return said.replace("⇒", ";")


def _unused(known: Known, found: re.Match[str]) -> str:
    there = not known.used or known.unused([number(found[1])])
    return f"remaining {found[1]}" if there else found[0]


def _multiple(found: re.Match[str]) -> str:
    return "({} {} {})".format(found[1], *_MULTIPLES[found[2][:3]])


def _folded(found: re.Match[str]) -> str:
    """All numbers of a list with one sign between them."""
    listed = [_bare(one) for one in re.split(AND, found["listed"])]
    sign = SIGNS[found["verb"][:3]]
    if (len(listed) > 2 and sign in "-/") or found["verb"].startswith(("sub", "tak", "rem")):
        return found[0]
    return f"({f' {sign} '.join(listed)})"


def _bare(value: str) -> str:
    """A value without its article."""
    return re.sub(rf"\A{_THE}", "", value)


def _operation(known: Known, found: re.Match[str]) -> str:
    """An operation with its sign. A side that is not named, or is called ``it``, is what came out
    before."""
    verb, joint = found["verb"], found.groupdict().get("joint") or ""
    one, other = found["one"], found.groupdict().get("other")
    if joint == "to" and not one:  # numbers that multiply to 24
        return found[0]
    if verb[:3] in _MULTIPLES:
        sign, other = _MULTIPLES[verb[:3]]
    else:
        sign = SIGNS[verb[:3]]
        if not joint or joint.endswith(("from", "off", " of")) or (joint == "to" and sign == "+"):
            one, other = other, one
        elif verb[:3] in ("tak", "sub", "rem"):
            return found[0]
    sides = [_bare(side) if side and re.search(r"\d", side) else "" for side in (one, other)]
    if all(sides):
        return f"({sides[0]} {sign} {sides[1]})"
    undone = _AIM.search(found.string[: found.start()]) or _SAME_AS.match(found.string, found.end())
    if not any(sides) or undone or found["end"] is None:
        return found[0]
    chained = bool(known.history) and found.re is _CHAINED
    named = numbers(found.string[: found.start()])[-1:]
    for came in [*named, *reversed(known.history)]:
        left, right = (number(side) if side else came for side in sides)
        comes = arithmetic.apply(sign, left, right)
        if chained or (came != TARGET and comes in known.parts):
            return f"({_shown(left)} {sign} {_shown(right)})"
    claims = verb.endswith(" of") or verb[:3] in _MULTIPLES or {"0", "1"} & {*sides}
    return found[0] if claims else _UNPLACED


def _equals(found: re.Match[str]) -> str:
    """``24 = 12 + 12: 2 * 6 = 12`` goes on with something else."""
    behind = found.string[found.end() :].partition("⇒")[0]
    if found[0].endswith("⇒ ") and "=" in behind:
        return f"{found['of']} ; "
    before = found.string[: found.start()].rstrip()
    named = before.endswith("=") or _FRACTION.fullmatch(found["of"])
    return found[0] if named and ":" in found[0] else f"{found['of']} = "


def _shown(number: Fraction) -> str:
    return str(number) if number.denominator == 1 and number >= 0 else f"({number})"
