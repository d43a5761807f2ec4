"""Whether what a sentence works out adds up.

2651850000 + 766090 = 2652616090     adds up
3 puzzles * 11 min = 33 min          the words behind numbers are no part of it
50 divided by 7 leaves a remainder of 2     does not
Subtracting 66 gives 6h = 400        of no number that is known

What cannot be read as a sum (``x = 4``, ``f(3) = 4``) is left to others.
"""

from __future__ import annotations

import re
from fractions import Fraction

from agentflow.domains import arithmetic, operations
from agentflow.domains.gym.about import COUNT, About, counted, numbers_in

_N = operations.NUMBER
_POWER = re.compile(r"(?<![\w.)])(\d+)\s*\^\s*(?:\{\s*(\d{1,2})\s*\}|\(?(\d{1,2})\b\)?)")
_IN_BASE = re.compile(
    r"(?<![\w.])\(?(?P<digits>[0-9a-z]*\d[0-9a-z]*|(?<=\()[a-z]+(?=\)_))\)?"
    r"(?:_\{?\(?(?P<base>\d{1,2})\b[})]?"
    r"|,? \(?(?:in |is in )?base[- ]?(?P<named>\d{1,2})\b\)?)"
)
_MOD = re.compile(r"(?<![\w.])(\d+) ?(?:mod|%) ?(\d+)\b(?!\))")
_PERCENT_OF = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)% of (?=\d)")
_SPOKEN = [*operations.in_front(), *operations.between()]
"""Operations in words, and with their signs."""
_MULTIPLES = (
    (
        re.compile(
            rf"\b(?:half (?:of )?|halving |half as many as )({_N})(?:,? which)?(?= (?:is|gives|=))"
        ),
        r"\1 / 2",
    ),
    (re.compile(rf"\b(?:a third of |one third of )({_N})(?= (?:is|gives|=))"), r"\1 / 3"),
    (re.compile(rf"\b(?:a quarter of |one fourth of )({_N})(?= (?:is|gives|=))"), r"\1 / 4"),
    (
        re.compile(rf"\b(?:twice |double |doubling )({_N})(?:,? which)?(?= (?:is|gives|=))"),
        r"\1 * 2",
    ),
    (re.compile(rf"\b(?:three times |triple |tripling )({_N})(?= (?:is|gives|=))"), r"\1 * 3"),
    (re.compile(rf"(?<![\w.])(\d+/\d+) of ({_N})(?= (?:is|gives|=))"), r"\1 * \2"),
)
"""Parts and multiples in words."""
_UNIT = re.compile(r"(?<=[\d)])(?: [a-z]+){1,2}(?= ?[-+*/=≈])|(?<=\d)% ?(?=[=≈])")
_SCALES = re.compile(
    r"(?<=\d)[ -]?(?P<unit>%|hours?|h|hrs?|min(?:ute)?s?|s|sec(?:ond)?s?|days?|weeks?|months?"
    r"|years?"
    r"|feet|foot|ft|inch(?:es)?|cm|mm|m|km|cents?|dollars?|dozens?|pairs?)(?![a-z])"
)
_WORKED = r"[-(\d][-+*/(). \d]{0,120}[-+*/] ?[-+*/(). \d]*[\d)]"
_GIVES = re.compile(
    rf"(?P<of>{_WORKED})(?:[a-z ]{{0,20}}?)(?:,? (?:(?:which|that|this|we|you|and|it) ){{0,2}}"
    r"(?:is|equals|is equal to|gives?|makes?|yields?|leaves|gets?|becomes|comes to|results in"
    r"|totals|works out to|works out as)(?: us)? )(?=[-(\d])"
)
"""``6 * 4 gives 24``."""
_REMAINDER = re.compile(
    r"(?P<a>\d+) ?/ ?(?P<b>\d+)(?P<q> ?(?:=|is|gives) ?\d+)?[,;]?(?: [a-z]+){0,3}?,? ?"
    rf"\(?(?:remainder|rest|r)(?: (?:of|is))? ?=? ?(?P<r>{COUNT})\b"
)
_CONGRUENT = re.compile(r"(?P<a>-?\d+) ?≡ ?(?P<b>-?\d+) ?\(? ?mod ?(?P<m>\d+)")
_STEP = re.compile(
    r"(?P<verb>add|subtract|tak|multiply|divid|doubl)(?:ing|e|es)?(?P<away> away| off)?"
    rf"(?: (?:it|this|that|by|both sides by|them|everything|both))*(?: (?P<n>{_N}))?"
    r"(?: (?:to|from|on|by) (?:both|each|it|this|that|the)(?: sides?| result| total)?)?"
    r",? (?:gives(?: us)?|leaves|yields|makes|we get|you get|we have|leads to|results in|to get)"
    rf" (?:\d*[a-z] = )?(?:\d+\*?[a-z] = )?(?P<result>{_N})(?![\d]|\.\d| ?[-+*/^(])"
)
"""``Subtracting 66 gives 400``, of some number that is known."""
_BETWEEN = re.compile(
    rf"\b(?P<what>difference|product)(?: (?:of|between) (?:these|those|them|the two|both)"
    rf"(?: \w+)?)?(?: is|:| comes to| equals) (?P<n>{_N})(?![\d]|\.\d| ?[-+*/^=(])"
)
_PIECE = re.compile(r"[-+*/(). \d]*")
_RUN_BACK = re.compile(r"[-+*/(). \d]*\Z")
_LISTED = re.compile(r"\A\s*(?:[-*+>#_]+\s+)*(?:(?:step )?\d{1,2}[.):]\s+)?")
_JOINTS = re.compile(
    r"(?:\b(?:and|so|since|that|as|then|but|have|is|get|note|because|to|with|from|check|now|where"
    r"|makes?|gives?|hence|thus|therefore|cancell?ing|using|means|while|plus|finally|by)"
    r"|[^a-z])\s*\Z"
)
"""What a number that stands in front of ``=`` may follow without being a name (``row 2 = 14``)."""
_REJECTED = re.compile(r"\A[\s\d.]*(?:\?|[✗✘❌✖]|\(?(?:wrong|no|not)\b|[<>≠])")
_OPERATORS = "+-*/"
_IS = re.compile(r"(?<=\d) (?:is|equals|means|corresponds to|converts to|gives) (?=\d)")
_SOLVED_FOR = re.compile(r"\d ?\*? ?([a-z])\b(?= ?[-+=])|\b([a-z]) ?[-+*/=] ?\d")


def adds_up(sentence: str, about: About) -> tuple[bool, str]:
    """(whether all sums of a sentence, in small letters and plain signs, are right; what is left of
    it without them); what they come to is known from then on."""
    said = _solved(_LISTED.sub("", sentence), about)
    said = _POWER.sub(lambda one: str(int(one[1][:12]) ** int(one[2] or one[3])), said)
    for spoken, sign in _SPOKEN:
        said = spoken.sub(sign, said)
    for spoken, sign in _MULTIPLES:
        said = spoken.sub(sign, said)
    for found in _CONGRUENT.finditer(said):
        if int(found["m"]) and (int(found["a"]) - int(found["b"])) % int(found["m"]):
            return False, said
    for found in _REMAINDER.finditer(said):
        if not _divides(found, about):
            return False, said
    said = _REMAINDER.sub(" ", said)
    if not _stepped(said, about):
        return False, said
    said = _MOD.sub(lambda one: str(int(one[1]) % max(1, int(one[2]))), said)
    said = _PERCENT_OF.sub(r"(\1 / 100) * ", said)
    if (based := _in_bases(said)) is None:
        return False, said
    said = _GIVES.sub(r"\g<of> = ", based)
    return _equations(said, about)


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
    return _IS.sub(" = ", said) if out else said


def _divides(found: re.Match[str], about: About) -> bool:
    a, b, r = int(found["a"]), int(found["b"]), counted(found["r"])
    quotient = re.search(r"\d+\Z", found["q"] or "")
    about.learn((Fraction(r), Fraction(a), Fraction(a // b if b else 0)))
    return b > 0 and a % b == r and (quotient is None or int(quotient[0]) == a // b)


def _stepped(said: str, about: About) -> bool:
    """Whether every step on a number that is not named is one on a number that is known."""
    for found in _STEP.finditer(said):
        if found["verb"] == "doubl":
            operand, verb = Fraction(2), "multiply"
        elif found["n"] is None:
            continue
        else:
            operand, verb = numbers_in(found["n"].strip("()"))[0], found["verb"]
        result = numbers_in(found["result"].strip("()"))[0]
        before = {
            "add": [result - operand],
            "subtract": [result + operand, operand - result],
            "tak": [result + operand],
            "multiply": [result / operand] if operand else [],
            "divid": [result * operand],
        }[verb]
        if not about.known.intersection(before):
            return False
        about.learn((result,))
    for found in _BETWEEN.finditer(said):
        result = numbers_in(found["n"].strip("()"))[0]
        if result not in about.known | _between(found["what"], said, about):
            return False
        if result not in _between(found["what"], said, about) and found["what"] == "difference":
            return False
        about.learn((result,))
    return True


def _between(what: str, said: str, about: About) -> set[Fraction]:
    """The differences, or products, of two numbers that are known or stand in a sentence."""
    pool = [*(about.known | {*numbers_in(said)})][:80]
    if what == "difference":
        return {abs(one - other) for one in pool for other in pool}
    return {one * other for one in pool for other in pool}


def _equations(said: str, about: About) -> tuple[bool, str]:
    pieces = re.split(r"(?<![<>!:])[=≈]", said)
    if len(pieces) < 2:
        return True, said
    about_equal = ["≈" in sign for sign in re.findall(r"(?<![<>!:])([=≈])", said)]
    rest = [*pieces]
    for at in range(len(pieces) - 1):
        left, right = _left(pieces[at]), _right(pieces[at + 1])
        if left is None or right is None:
            continue
        if _scales(pieces[at], pieces[at + 1]) and not _right(pieces[at + 1], whole=True):
            continue
        values = [arithmetic.value(one) for one in (left[0], right[0])]
        if None in values:
            return False, said
        one, other = values
        assert one is not None
        assert other is not None
        numbers = isinstance(left[0], Fraction) and isinstance(right[0], Fraction)
        named = left[2].strip() and not _JOINTS.search(left[2])
        if numbers and (named or one == other):
            continue
        same = _same(one, other, left[1], right[1], loosely=about_equal[at])
        if not same and not _REJECTED.match(pieces[at + 1][right[3] :]):
            return False, said
        for expression in (left[0], right[0]):
            about.learn(arithmetic.numbers(expression))
        about.learn(_parts(left[0]) | _parts(right[0]) | {one, other})
        about.last = other
    return True, " = ".join(rest)


def _parts(expression: arithmetic.Expression) -> set[Fraction]:
    if isinstance(expression, Fraction):
        return {expression}
    value = arithmetic.value(expression)
    parts = _parts(expression[1]) | _parts(expression[2])
    return parts if value is None else parts | {value}


def _scales(*sides: str) -> bool:
    """Whether units of different size stand on both sides: ``3 hours = 180 minutes``."""
    units = {found["unit"][:2] for side in sides for found in _SCALES.finditer(side)}
    return len(units) > 1


def _left(piece: str) -> tuple[arithmetic.Expression, str, str] | None:
    """(the expression that the text in front of ``=`` ends in, how it is written, what stands
    before it)."""
    bare = _UNIT.sub("", piece + "=")[:-1].replace("[", "(").replace("]", ")")
    run = _RUN_BACK.search(bare)
    before, written = bare[: run.start()] if run else "", (run[0] if run else "").strip()
    written = re.sub(r"\A(?:\. ?|\) ?)+", "", written)
    if not written or (before and (before[-1] in "^_√/|!" or _bound(before, written, bare))):
        return None
    if (read := arithmetic.parse(written)) is None and written.startswith("("):
        read = arithmetic.parse(written[1:].strip())
    return None if read is None else (read, written, before)


def _bound(before: str, written: str, bare: str) -> bool:
    """Whether a run belongs to the letter in front of it: ``k - 3``, ``f(3)``, ``x2``."""
    gap = bare[len(before) :][:1] == " "
    if before[-1] == ":" and not gap:  # a time
        return before[-2:-1].isdigit()
    if before[-1].isalnum() or before[-1] in ")'":
        binary = written[0] in "+*/" or (written[0] == "-" and written[1:2] == " ")
        return binary or not gap
    return written[0] in "+*/"


def _right(
    piece: str, *, whole: bool = False
) -> tuple[arithmetic.Expression, str, str, int] | None:
    """(the expression that the text behind ``=`` begins with, how it is written, what stands behind
    it, where that begins)."""
    bare = _UNIT.sub("", piece + "=")[:-1].replace("[", "(").replace("]", ")")
    run = _PIECE.match(bare)
    written, behind = (run[0] if run else "").strip(), bare[run.end() :] if run else bare
    if behind[:1] and (behind[0].isalpha() or behind[0] in "^_:!") and run and run[0][-1:] != " ":
        return None
    dash = written[-2:] == " -" and re.match(r"[a-z]{2}", behind) is not None
    goes_on = re.match(r"mod\b|remainder|r\b|percent", behind) is not None
    if goes_on or (written[-1:] in _OPERATORS and written and not dash):
        return None
    written = written.rstrip("(-. ")
    if written.endswith(")") and written.count(")") > written.count("("):
        written = written[:-1].strip()
    read = arithmetic.parse(written)
    if read is None or (whole and isinstance(read, Fraction)):
        return None
    return read, written, behind, run.end() if run else 0


def _same(one: Fraction, other: Fraction, *written: str, loosely: bool) -> bool:
    """Whether two sides are the same, as far as their decimals, or ``≈``, go."""
    if one == other or (loosely and abs(one - other) <= abs(other) / 50):
        return True
    places = [len(found) for side in written for found in re.findall(r"\A-?\d*\.(\d+)\Z", side)]
    return bool(places) and abs(one - other) < Fraction(1, 10 ** min(places))
