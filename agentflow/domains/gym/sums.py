"""Whether what a sentence works out adds up.

2651850000 + 766090 = 2652616090     adds up
3 puzzles * 11 min = 33 min          the words behind numbers are no part of it
50 divided by 7 leaves a remainder of 2     does not
Subtracting 66 gives 6h = 400        of no number that is known

Words for operations become signs, numerals in other bases decimal ones; what cannot be read as a
sum even then (``x = 4``, ``f(3) = 4``) is left to others.
"""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise

from agentflow.domains import arithmetic, narration, operations
from agentflow.domains.gym.about import COUNT, About
from agentflow.domains.spelling import number

_N = operations.NUMBER
_POWER = re.compile(r"(?<![\w.)])(\d+)\s*\^\s*(?:\{\s*(\d{1,2})\s*\}|\(?(\d{1,2})\b\)?)")
_IN_BASE = re.compile(
    r"(?<![\w.])\(?(?P<digits>[0-9a-z]*\d[0-9a-z]*|(?<=\()[a-z]+(?=\)_))\)?"
    r"(?:_\{?\(?(?P<base>\d{1,2})\b[})]?"
    r"|,? \(?(?:in |is in )?base[- ]?(?P<named>\d{1,2})\b\)?)"
)
_MOD = re.compile(r"(?<![\w.])(\d+) ?(?:mod|%) ?(\d+)\b(?!\))")
_COMES_TO = (
    r"(?:is(?: equal to)?|equals|gives?|makes?|yields?|leaves|gets?|becomes|comes to|results in"
    r"|totals|works out (?:to|as)|leads to|means|corresponds to|converts to)(?: us)?"
)
_SPOKEN = [
    *operations.in_front(),
    *operations.between(),
    *(
        (re.compile(rf"\b(?:{words}) ({_N})(?:,? which)?(?= (?:is|gives|=))"), rf"\1 {operation}")
        for words, operation in (
            ("half(?: of| as many as)?|halving", "/ 2"),
            ("(?:a|one) third of", "/ 3"),
            ("(?:a quarter|one fourth) of", "/ 4"),
            ("twice|double|doubling", "* 2"),
            ("three times|triple|tripling", "* 3"),
        )
    ),
    (re.compile(rf"(?<![\w.])(\d+/\d+) of ({_N})(?= (?:is|gives|=))"), r"\1 * \2"),
    (re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)% of (?=\d)"), r"(\1 / 100) * "),
]
"""Operations in words, and with their signs."""
_UNIT = re.compile(r"(?<=[\d)])(?: [a-z]+){1,2}(?:/[a-z]+)?(?= ?(?:[+*/=≈]|- ))|(?<=\d)% ?(?=[=≈])")
_MEASURED = re.compile(
    r"(?<=\d)[ -]?(%|hours?|h|hrs?|min(?:ute)?s?|s|sec(?:ond)?s?|days?|weeks?|months?|years?"
    r"|feet|foot|ft|inch(?:es)?|cm|mm|m|km|cents?|dollars?|dozens?|pairs?)(?![a-z])"
)
_GIVES = re.compile(
    r"(?P<of>[-(\d][-+*/(). \d]{0,120}[-+*/] ?[-+*/(). \d]*[\d)])[a-z ]{0,20}?"
    rf"(?:,? (?:(?:which|that|this|we|you|and|it) ){{0,2}}{_COMES_TO} )(?=[-(\d])"
)
"""``6 * 4 gives 24``."""
_REMAINDER = re.compile(
    r"(?P<a>\d+) ?/ ?(?P<b>\d+)(?: ?(?:=|is|gives|equals) ?(?P<q>\d+))?[,;]?(?: [a-z]+){0,3}?,? ?"
    rf"\(?(?:remainder|rest|r)(?: (?:of|is))? ?=? ?(?P<r>{COUNT})\b"
)
_ROOT = re.compile(
    r"(?:√|\bsqrt) ?\(?(?P<of>\d+)\)? ?[=≈] ?(?P<n>\d+(?:\.\d+)?)(?!\d)"
    r"|\bsquare root of (?P<of_>\d+) is (?:approximately |about |around |roughly )?"
    r"(?P<n_>\d+(?:\.\d+)?)(?!\d)"
)
_CONGRUENT = re.compile(r"(-?\d+) ?≡ ?(-?\d+) ?\(? ?mod ?(\d+)")
_STEP = re.compile(
    rf"(?P<verb>add|subtract|tak|multiply|divid)(?:ing|e)?[a-z ]*? (?P<n>{_N})"
    r"(?: (?:to|from|on|by) (?:both|each|it|this|that|the)(?: sides?| result| total)?)?"
    rf",? (?:{_COMES_TO}|we (?:get|have)|you get|to get) "
    rf"(?:\d*\*?[a-z] = )?(?P<result>{_N})(?![\d]|\.\d| ?[-+*/^(])"
)
"""``Subtracting 66 gives 400``, of some number that is known."""
_SIDE = r"[-(\d][-+*/(). \d]*"
EQUATION = re.compile(
    rf"(?<![\w^√/|!:.=≈+*<>-])(?<![\w)'] (?=[-+*/(] ))(?<![-+*/^(] )(?<![^a-z] = )(?<!≈ )({_SIDE}"
    rf"(?:(?<![<>!:])[=≈] ?{_SIDE})+)(?<=[\d) ])"
)
_REMARK = r"(?!(?:sin|cos|tan|log|ln|exp|sqrt|mod)\b)[a-z]{2}"
"""What begins in brackets behind a sum and is no factor: ``5 * 5 = 25 (not 24)``."""
_GOES_ON = re.compile(
    rf"(?<=\S)[a-z^_:!]|\s*(?:[=^]|\((?!{_REMARK})|mod\b|remainder\b|r\b|percent\b"
    r"|[a-z] ?[-+*/=)]|[a-z]\Z)"
)
"""Behind a side, what belongs to it."""
_ROUNDED = re.compile(r"\.\d{3}")
_LISTED = re.compile(r"\A\s*(?:[-*+>#_]+\s+)*(?:(?:step )?\d{1,2}[.):]\s+)?")
_REJECTED = re.compile(r"\A[\s\d.]*(?:\?|[✗✘❌✖]|\(?(?:wrong|no|not(?! \d))\b|[<>≠])")
_SOLVED_FOR = re.compile(r"\d ?\*? ?([a-z])\b(?= ?[-+=])|\b([a-z]) ?[-+*/=] ?\d")


def adds_up(sentence: str, about: About) -> tuple[bool, str]:
    """(whether all sums of a sentence, in small letters and plain signs, are right; the sentence
    with its operations in signs); what they come to is known from then on."""
    said = _spoken(_solved(_LISTED.sub("", sentence), about))
    for one, other, modulus in _CONGRUENT.findall(said):
        if int(modulus) and (int(one) - int(other)) % int(modulus):
            return False, said
    if not all(_leaves(found, about) for found in _REMAINDER.finditer(said)):
        return False, said
    said = _REMAINDER.sub(" ", said)
    if not all(_is_root(found, about) for found in _ROOT.finditer(said)):
        return False, said
    if not all(_leads_to(found, about) for found in _STEP.finditer(said)):
        return False, said
    if (scaled := _equated(said)) is None:
        return False, said
    said = _UNIT.sub("", scaled)
    scales = len({one[:2] for one in _MEASURED.findall(scaled)}) > 1
    chains = EQUATION.finditer(said)
    return all(_is_right(found, about, scales=scales) for found in chains), said


def in_signs(said: str) -> str:
    """A sentence in small letters with its operations in signs, and its numerals decimal ones."""
    spoken = _spoken(_LISTED.sub("", said))
    return _UNIT.sub("", _equated(spoken) or spoken)


def _spoken(said: str) -> str:
    said = _POWER.sub(lambda one: str(int(one[1][:12]) ** int(one[2] or one[3])), said)
    for spoken, sign in _SPOKEN:
        said = spoken.sub(sign, said)
    return said


def _equated(said: str) -> str | None:
    """A sentence with what an operation gives behind a sign; None for a numeral that is none."""
    said = _MOD.sub(lambda one: str(int(one[1]) % max(1, int(one[2]))), said)
    based = _in_bases(said)
    return None if based is None else _GIVES.sub(r"\g<of> = ", based)


def _solved(said: str, about: About) -> str:
    """A sentence with the answer in the place of the letter that an equation is solved for."""
    found = _SOLVED_FOR.search(about.question) if about.task == "simple_equations" else None
    if found is None or about.value is None:
        return said
    letter = found[1] or found[2]
    written = str(about.value) if about.value >= 0 else f"({about.value})"
    said = re.sub(rf"(?<=\d) ?\*? ?{letter}\b", f" * {written}", said)
    return re.sub(
        rf"(?<![\w'])(?:{letter}\b(?= ?[-+*/=)])|(?<=[-+*/(=] ){letter}\b)", written, said
    )


def _in_bases(said: str) -> str | None:
    """A sentence with numerals that name their base in base ten; None if one cannot be."""
    out, at = "", 0
    for found in _IN_BASE.finditer(said):
        base = int(found["base"] or found["named"])
        if not 2 <= base <= 36 or (found["named"] and said[: found.start()].endswith("from ")):
            continue
        try:
            value = int(found["digits"], base)
        except ValueError:
            if found["named"] and re.search(r"[a-z]{2}", found["digits"]):
                continue
            return None
        out, at = out + said[at : found.start()] + str(value), found.end()
    said = out + said[at:]
    return re.sub(rf"(?<=\d) {_COMES_TO} (?=\d)", " = ", said) if out else said


def _leaves(found: re.Match[str], about: About) -> bool:
    a, b, rest = int(found["a"]), int(found["b"]), number(found["r"])
    about.learn((rest, a // b if b else 0))
    return b > 0 and a % b == rest and (found["q"] is None or int(found["q"]) == a // b)


def _is_root(found: re.Match[str], about: About) -> bool:
    """Whether a number is the root of another one, as far as its decimals go; the whole numbers on
    both sides of it are known then, too."""
    of, near = int(found["of"] or found["of_"]), Fraction(found["n"] or found["n_"])
    decimals = len((found["n"] or found["n_"]).partition(".")[2])
    about.learn((near, int(near), int(near) + 1))
    least, most = (abs(near + sign * Fraction(1, 10**decimals)) for sign in (-1, 1))
    return least * least < of < most * most


def _leads_to(found: re.Match[str], about: About) -> bool:
    """Whether a step on a number that is not named is one on a number that is known."""
    by, result = (Fraction(found[one].strip("()")) for one in ("n", "result"))
    sign = {"add": "+", "subtract": "-", "tak": "-", "multiply": "*", "divid": "/"}[found["verb"]]
    pairs = [pair for one in about.known for pair in ((one, by), (by, one))]
    is_so = result in {arithmetic.apply(sign, a, b) for a, b in pairs}
    about.learn((result,) if is_so else ())
    return is_so


def _is_right(found: re.Match[str], about: About, *, scales: bool) -> bool:
    """Whether all sides of an equation come to the same.

    Args:
        scales: Whether its sentence has units of different size: ``3 hours = 180 minutes``.
    """
    before, behind = found.string[: found.start()], found.string[found.end() :]
    written = [one.strip().rstrip("-(. ") for one in re.split("[=≈]", found[0])]
    if written[0].count("(") > written[0].count(")"):  # of all: (31 + 28 = 59)
        written = [written[0].removeprefix("("), *written[1:-1], written[-1].removesuffix(")")]
    if _GOES_ON.match(found.string, found.end()) or found[0].rstrip()[-1:] in "+*/":
        written.pop()
    name = re.findall(r"[a-z]+(?= *\Z)", before)
    named = bool(name) and not narration.only(name[0])
    for one, other in pairwise(written):
        sides = [arithmetic.parse(one), arithmetic.parse(other)]
        if None in sides or (scales and isinstance(sides[1], Fraction)):
            continue
        values = [arithmetic.value(side) for side in sides if side is not None]
        left, right = values
        if left is None or right is None:
            return False
        if named and all(isinstance(side, Fraction) for side in sides):
            continue  # row 2 = 14
        near = "≈" in found[0] and abs(left - right) <= abs(right) / 50
        rounded = right.denominator == 1 and _ROUNDED.search(one)  # 11.0714 * 28 = 310
        near = near or (bool(rounded) and abs(left - right) <= abs(right) / 10_000)
        same = near or _agree(one, right) or _agree(other, left)
        if not same and not _REJECTED.match(behind):
            return False
        for side in sides:
            about.learn(_parts(side))
    return True


def _agree(written: str, value: Fraction) -> bool:
    """Whether a number, as far as its decimals go, is a value."""
    exact = arithmetic.parse(written)
    worth = None if exact is None else arithmetic.value(exact)
    return worth == value or (isinstance(exact, Fraction) and arithmetic.agrees(written, value))


def _parts(expression: arithmetic.Expression | None) -> set[Fraction]:
    """What an expression and its parts come to."""
    if expression is None or isinstance(expression, Fraction):
        return set() if expression is None else {expression}
    value = arithmetic.value(expression)
    parts = _parts(expression[1]) | _parts(expression[2])
    return parts if value is None else parts | {value}
