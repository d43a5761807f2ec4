"""What ``it`` is, in a sentence of a reply of Game of 24: what came out last, or before.

Subtract this from 5.                (5 - 1/5), where 1 / 5 was read
Then halve it.                       (48 / 2), where 6 * 8 was read
10 * 10 = 100, minus 4 is 96         (100 - 4) is 96
"""

from __future__ import annotations

import re
from fractions import Fraction

from agentflow.domains import arithmetic, operations
from agentflow.domains.game24.known import TARGET, Known
from agentflow.domains.game24.spoken import number

_IT = (
    r"(?:it|this|that|them|(?:the|this|that) (?:result|value|product|sum|difference|quotient"
    r"|number))"
)
_N = rf"(?P<n>{operations.NUMBER})(?![.\d]*\d)(?! ?[-+*/(\d])"
_THE = (
    r"(?:(?:the|an?|my|our|one) (?:other |remaining |given |original |last |lone |leftover |extra "
    r"|second |first |third )*)?"
)
_CHAINED = ("minus", "plus", "times", "divided", "then minus", "then plus", "and minus", "and plus")
_ALONE = r"(?! (?:both|the|of|\(?\d))"
_TIMES_OF = {"halv": 2, "doubl": 2, "tripl": 3}
_OF_IT = [
    (
        re.compile(rf"(?<!e\. )(?<!have to )(?<!need to )(?<!must )(?<!want to )\b{pattern}"),
        sign,
        turned,
    )
    for pattern, sign, turned in (
        (rf"(?P<n>halv)(?:e|ing)(?: {_IT})?\b{_ALONE}", "/", False),
        (rf"(?P<n>doubl|tripl)(?:e|ing)(?: {_IT})?\b{_ALONE}", "*", False),
        (rf"(?:(?<=, )|\A)(?:then |and |and then )?minus {_N}", "-", False),
        (rf"(?:(?<=, )|\A)(?:then |and |and then )?plus {_N}", "+", False),
        (rf"(?:(?<=, )|\A)(?:then |and |and then )?times {_N}", "*", False),
        (rf"(?:(?<=, )|\A)(?:then |and |and then )?divided by {_N}", "/", False),
        (rf"multiply(?:ing)?(?: {_IT})?,? by {_THE}{_N}", "*", False),
        (rf"divid(?:e|ing)(?: {_IT})?,? by {_THE}{_N}", "/", False),
        (rf"divid(?:e|ing) {_THE}{_N} by {_IT}", "/", True),
        (rf"multiply(?:ing)? {_THE}{_N} (?:by|with) {_IT}", "*", True),
        (rf"add(?:ing)?(?: {_IT})? to {_THE}{_N}", "+", True),
        (rf"add(?:ing)? {_THE}{_N}(?: to {_IT})?", "+", False),
        (rf"subtract(?:ing)? {_IT} from {_THE}{_N}", "-", True),
        (rf"subtract(?:ing)? {_THE}{_N}(?: from {_IT})?", "-", False),
    )
]


_RESULTS = re.compile(
    r"\b(?P<how>add|multiply|subtract|divid)(?:ing|e)?(?: (?:the|these|those|both|two|last"
    r"|intermediate))*"
    r" (?:results|products|sums|differences|values|quotients|factors|them)(?: together| up)?\b"
    r"|\btheir (?P<their>sum|product|difference|quotient)\b"
    r"(?! (?:is|are|=) [-(\d][^a-z]*[-+*/])"
)
_SIGNS = {"add": "+", "sum": "+", "multiply": "*", "product": "*", "subtract": "-",
          "difference": "-", "divid": "/", "quotient": "/"}  # fmt: skip
_RECENT = 4


def of_results(said: str, known: Known) -> str:
    """A sentence with the operation on what came out before: ``Multiply the results``."""
    return _RESULTS.sub(lambda found: _of_two(found, known), said)


def _of_two(found: re.Match[str], known: Known) -> str:
    sign = _SIGNS[found["how"] or found["their"]]
    recent = list(dict.fromkeys(reversed(known.history)))[:_RECENT]
    twice = [one for one in recent if known.history.count(one) > 1]
    pairs = [(b, a) for i, a in enumerate(recent) for b in recent[i + 1 :]]
    pairs += [(a, b) for b, a in pairs] + [(one, one) for one in twice]
    for left, right in pairs:
        if arithmetic.apply(sign, left, right) in known.parts:
            return f"({_shown(left)} {sign} {_shown(right)})"
    return f"({_shown(recent[1])} {sign} {_shown(recent[0])})" if len(recent) > 1 else found[0]


def resolved(said: str, known: Known) -> str:
    """A sentence with what ``it`` is: ``Subtract it from 5`` for ``(5 - 1/5)``. That is what came
    out last, or before, where that leads to a part of the answer."""
    for pattern, sign, turned in _OF_IT:
        said = pattern.sub(lambda found, s=sign, t=turned: _operation(found, s, t, known), said)  # type: ignore[misc]
    return said


def _operation(found: re.Match[str], sign: str, turned: bool, known: Known) -> str:
    operand = Fraction(_TIMES_OF.get(found["n"]) or number(found["n"]))
    chained = found[0].startswith(_CHAINED)
    for one in [*reversed(known.history), TARGET]:
        left, right = (operand, one) if turned else (one, operand)
        if (chained and known.history) or arithmetic.apply(sign, left, right) in known.parts:
            return f"({_shown(left)} {sign} {_shown(right)})"
    return found[0]


def _shown(number: Fraction) -> str:
    return str(number) if number.denominator == 1 and number >= 0 else f"({number})"
