"""What a sentence says of numbers that it names, true of them whatever is asked.

    97 is a prime number.                            nothing remains of it
    8 and 12 have a least common multiple of 24.     nothing
    Dividing by 3/4 is dividing by 4/3.              stays: it has no form that is known
    81 is an even number.                            None: it is false

What remains is read by :mod:`.spoken`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from math import gcd, isqrt, lcm

from agentflow.domains.math import calculation
from agentflow.domains.math.values import value
from agentflow.domains.spelling import NUMBERS

_Found = re.Match[str]
_N = r"(?<![\d/)^*] )(?<![\d./^*(-])\d{1,9}(?!\.?\d)(?! ?[-+*/=^×÷(%!] ?[\d(])"
"""A whole number that is no part of a calculation."""
_Q = r"\(?-?\d+(?:\.\d+)?(?:/\d+)?\)?(?!\.?\d)"
_SUM = r"[-\d(√][-\d.+*/^%!()√×÷·− ]*[\d)!%]"
_LISTED = rf"{_N}(?:(?:, | and |, and ){_N})*"
_GAP = r"(?:(?:also|itself|actually|indeed|already|both|all|in fact|even|again|two|three),? )*"
_NO_MORE = (
    r"(?: (?:other than|except(?: for)?|but|besides|apart from|bigger than|beyond) (?:1|one))?"
)
_LITTLE = r"(?P<little>(?:(?:just|a (?:little|bit|tad|touch)|slightly|barely|a little bit) )?)"
_TIMES_OF = {"half": (1, 2), "double": (2, 1), "twice": (2, 1), "a third": (1, 3),
             "one third": (1, 3), "a quarter": (1, 4), "one quarter": (1, 4),
             "a fifth": (1, 5), "one fifth": (1, 5), "a tenth": (1, 10), "one tenth": (1, 10),
             "three times": (3, 1), "triple": (3, 1), "four times": (4, 1)}  # fmt: skip
_FACTOR = rf"(?:{'|'.join(_TIMES_OF)})"
_UNIT = (
    r"(?:top and (?:the )?bottom|(?:the )?numerator and (?:the )?denominator|both (?:parts|sides))"
)


def _is_prime(one: int) -> bool:
    return 1 < one < 10**6 and all(one % low for low in range(2, isqrt(one) + 1))


def _is_power(one: int, exponent: int) -> bool:
    root: int = round(one ** (1 / exponent))
    return bool(root**exponent == one)


_KINDS: dict[str, Callable[[int], bool]] = {
    "prime": _is_prime,
    "composite": lambda one: one > 3 and not _is_prime(one),
    "even": lambda one: one % 2 == 0,
    "odd": lambda one: one % 2 == 1,
    "perfect square": lambda one: _is_power(one, 2),
    "square": lambda one: _is_power(one, 2),
    "perfect cube": lambda one: _is_power(one, 3),
    "palindrome": lambda one: str(one) == str(one)[::-1],
    "whole": lambda one: True,
}
_KIND = rf"(?P<no>not )?(?:an? )?(?P<kind>{'|'.join(_KINDS)})(?: (?:number|integer)s?|s)?(?![\w-])"


def _numbers(listed: str) -> list[int]:
    return [int(one) for one in re.findall(r"\d+", listed)]


def _worth(written: str) -> Fraction | None:
    tree = calculation.read(written.strip())
    return None if tree is None else value(tree)


def _of_kind(found: _Found) -> bool:
    """Whether numbers are of a kind; and the first, or last, of it beside another."""
    holds = _KINDS[found["kind"].lower()]
    numbers = _numbers(found["items"])
    if found["no"] is not None:
        return not any(map(holds, numbers)) and found["than"] is None
    if not all(map(holds, numbers)):
        return False
    if found["than"] is None:
        return True
    (one, end) = (numbers[0], int(found["than"]))
    low = found["most"].lower() in ("smallest", "least", "first", "lowest", "next")
    between = range(end + 1, one) if low else range(one + 1, end)
    right = found["side"].lower() in ("above", "over", "after", "greater than", "larger than")
    beyond = one > end if low else one < end
    near = abs(end - one) < 10**4
    return len(numbers) == 1 and right == low and beyond and near and not any(map(holds, between))


def _in_common(found: _Found) -> bool:
    numbers = _numbers(found["items"])
    of = lcm if re.search("(?i)mult|denom|lc", found["what"]) else gcd
    return len(numbers) > 1 and of(*numbers) == int(found["n"])


def _apart(found: _Found) -> bool:
    """Whether numbers have no divisor in common; a fraction of them is in lowest terms then."""
    return len(numbers := _numbers(found["items"])) > 1 and gcd(*numbers) == 1


def _divided(found: _Found) -> bool:
    """Whether numbers are multiples of one, or share it as a factor."""
    by, named = int(found["n"]), found.groupdict()
    rests = [one % by for one in _numbers(found["items"])] if by else [None]
    prime = not named.get("prime") or _is_prime(by)
    return prime and (0 not in rests if named.get("no") else not any(rests) and by > 0)


def _multiples(found: _Found) -> bool:
    """Whether the multiples of a number are listed, and the first one for another is right."""
    of, listed = int(found["of"]), _numbers(found["items"])
    if listed != [of * n for n in range(1, len(listed) + 1)]:
        return False
    return found["n"] is None or int(found["n"]) == lcm(of, int(found["by"]))


def _reduced(found: _Found) -> bool:
    top, bottom = int(found["top"]), int(found["bottom"])
    return gcd(top, bottom) == 1


def _compared(found: _Found) -> bool:
    """Whether a number is above, or below, another; a little is no more than a seventh of it."""
    one, other = _worth(found["one"]), _worth(_spelt(found["other"]))
    if one is None or other is None or one == other:
        return False
    more = found["way"].lower() in (
        "more",
        "greater",
        "larger",
        "bigger",
        "over",
        "above",
        "higher",
    )
    near = not found["little"] or 7 * abs(one - other) <= abs(other)
    return more == (one > other) and near


def _spelt(number: str) -> str:
    """``1/2`` for ``one half``."""
    for words, (top, bottom) in _TIMES_OF.items():
        if number.lower() in (words, f"a {words}", f"one {words}", f"one-{words}"):
            return f"{top}/{bottom}"
    return str(NUMBERS.get(number.lower(), number))


def _supposed(found: _Found) -> bool:
    """Whether another calculation comes to what is said of it."""
    come = _worth(found["sum"])
    return come is not None and come == _worth(found["n"])


def _ranked_alike(found: _Found) -> bool:
    said = found[0].lower()
    return ("mult" in said and "div" in said) != ("add" in said and "sub" in said)


def _unit_fractions(found: _Found) -> bool:
    listed = re.findall(r"(\d+)/(\d+)", found["items"])
    worth = {Fraction(int(top), int(bottom) or 1) for top, bottom in listed}
    count = NUMBERS.get((found["count"] or "").strip().lower(), len(listed))
    kind = found["unit"] is None or all(top == "1" for top, _ in listed)
    apart = found["distinct"] is None or len(worth) == len(listed)
    total = sum(worth, Fraction(0)) if len(worth) == len(listed) else Fraction(1, 7)
    whole = found["sum"] is None or (
        total.denominator == 1 if found["whole"] else total == Fraction(found["n"] or "0")
    )
    return count == len(listed) and kind and apart and whole


def _factor(said: str) -> Fraction | None:
    """By what ``multiplying by 100 and dividing by 4`` multiplies."""
    whole = Fraction(2) if "doubl" in said else Fraction(1, 2) if "halv" in said else Fraction(1)
    for name, written in re.findall(rf"(?i)(mult|div)\w+(?: it| a number)? by ({_Q})", said):
        by = _worth(written)
        if not by:
            return None
        whole = whole * by if name.lower() == "mult" else whole / by
    return whole


def _same_factor(found: _Found) -> bool:
    one = _factor(found["one_by"])
    return one is not None and one == _factor(found["other_by"].lower())


def _always(found: _Found) -> bool:
    return True


_COMMON = (
    r"(?P<what>(?:(?:least|lowest|smallest) )?common (?:multiple|denominator)|lc[md]|(?:greatest"
    r"|highest|largest) common (?:divisor|factor)|gc[df]|hcf)(?: \((?:lc[md]|gc[df])\))?"
)
_BY = r"(?:multiplying|dividing)(?: it| a number)? by"
_OPERATION = (
    r"(?:multiplication|division|addition|subtraction|multiplying|dividing|adding|subtracting)"
)
_RANK = r"(?:priority|precedence|rank|importance|standing)"
_SUBJECT = r"(?:the )?(?:(?:denominators?|numerators?|numbers?) )?"
_FORMS: list[tuple[re.Pattern[str], Callable[[_Found], bool]]] = [
    (re.compile(rf"(?i){form}"), holds)
    for form, holds in (
        (rf"(?P<n>{_N})(?P<prime> is (?:an? )?prime(?: number)?,? and)? (?P<no>does (?:not|n't) "
            rf"|doesn't |is not )?(?:(?:evenly )?divides?(?: evenly into)?|(?:is )?a (?:factor"
            rf"|divisor) of) (?:both )?(?P<items>{_LISTED})", _divided),
        (rf"\b(?P<items>{_LISTED})(?:(?P<beside>,? (?:- |another |which (?:is|are"
            rf"|happens? to be) {_GAP})|, (?=an? ))| (?:is|are"
            rf"|happens? to be) {_GAP}){_KIND}(?:,? (?:and )?(?:it is "
            rf"|in fact )?(?:the )?(?P<most>largest|biggest|greatest|highest|last|smallest|least"
            rf"|first|lowest|next)(?: (?:one|prime|square|such number))? (?P<side>below|under"
            rf"|before|above|over|after|less than|smaller than|greater than"
            rf"|larger than) (?P<than>{_N}))?", _of_kind),
        (rf"(?:{_SUBJECT}(?P<items>{_LISTED}) (?:have|share) (?:an? |the )?{_COMMON}"
            rf" (?:of|equal to) (?P<n>{_N}))", _in_common),
        (rf"(?:the )?{_COMMON} (?:of|for|between) {_SUBJECT}(?P<items>{_N}(?:(?:, (?!and)"
            rf"|,? and ){_N})+) (?:is|=|equals|will be) (?P<n>{_N})", _in_common),
        (rf"(?P<items>{_N} and {_N}) (?:(?:share|have) no (?:common )?(?:prime"
            rf" )?(?:factors?|divisors?)"
            rf"(?: in common)?{_NO_MORE}|are (?:coprime|co-prime|relatively prime))", _apart),
        (rf"{_SUBJECT}(?P<items>{_N} and {_N}) {_GAP}(?:(?:share|have) (?:an?|the)"
            rf" (?:common )?(?:factor|"
            rf"divisor) of|are (?:both )?(?:divisible by|multiples of)) (?P<n>{_N})", _divided),
        (rf"(?P<items>{_N}),? (?:which )?is {_GAP}(?:(?:evenly )?divisible by|a multiple of)"
            rf" (?P<n>{_N})", _divided),
        (rf"(?:the )?multiples of (?P<of>{_N})(?: are|:) (?P<items>{_N}(?:, (?:and )?{_N})*)"
            rf"(?:,? \.\.\.|,? and so on)?(?:[.,;]? and (?P<n>{_N}) is the"
            rf" (?:first|smallest|lowest)(?: one"
            rf"| of (?:these|them)| multiple)?(?: that| which)? (?:(?P<by>{_N})(?: also)?"
            rf" divides(?: too"
            rf"| as well)?))?", _multiples),
        (rf"(?P<top>(?<![\d.])\d+)/(?P<bottom>\d+)\)?,? (?:which |and |that )?(?:is"
            rf" {_GAP}in (?:its )?(?:lowest"
            r" terms|simplest form)|(?:can(?:not|'t| not) be|is not)"
            r" (?:simplified|reduced|reducible)(?: any"
            r" further| further)?)", _reduced),
        (rf"(?:,? (?:but|while|whereas) )?(?:if|had|were) (?:it|(?:the |this )?(?:expression"
            rf"|problem|question|calculation|sum))(?: had been| were| was| been"
            rf"| had read)?(?: (?:written|given|stated|bracketed))?(?: as"
            rf"| to be)? (?P<sum>{_SUM}),? (?:then )?(?:the (?:answer|result|value)|it"
            rf"|we) (?:would (?:be|have been|come to|equal"
            rf"|get)) (?P<n>{_Q})(?: instead)?", _supposed),
        (rf"\b(?P<one_by>{_BY} {_Q}) (?:is|means)(?: just| simply| exactly)? (?:the same as "
            rf"|like )?(?P<other_by>halving|doubling|{_BY} {_Q}(?: and(?: then)? {_BY} {_Q})?)",
            _same_factor),
        (rf"\b{_OPERATION} and {_OPERATION} (?:(?:have|share|are of|are given) (?:the )?(?:same"
            rf"|equal) (?:level of )?{_RANK}|are equal in {_RANK}|rank equally)", _ranked_alike),
        (r"(?P<items>\(?\d+/\d+\)?(?:(?:, | and |, and )\(?\d+/\d+\)?)+) are (?P<count>two"
            r" |three |four )?"
            r"(?:(?P<distinct>distinct|different) )?(?P<unit>unit )?fractions"
            rf"(?P<sum> (?:whose sum is|that (?:add up|sum) to|adding up to) (?:(?P<whole>an?"
            rf" (?:whole number"
            rf"|integer))|(?:exactly )?(?P<n>{_Q})))?", _unit_fractions),
        (r"(?:to )?divid(?:e|ing) by (?:a |another |the (?:second )?)?fraction(?: \S+)?(?:,| is"
            r"| means| the| same| as| equivalent| to| we| you| just"
            r"| simply)* multiply(?:ing)? (?:it )?by (?:its|the) reciprocal(?: of (?:it"
            r"|the (?:second|other) (?:one|fraction)))?", _always),
        (r"(?:the )?(?:square )?root (?:sign|symbol) (?:always |here )*(?:denotes|means|stands for"
            r"|refers to|gives) (?:only )?the (?:non-negative|nonnegative|positive"
            r"|principal)(?: square)? root(?:,? so (?:we (?:do not|don't) (?:consider|take|use"
            r"|count|need) -\d+|-\d+ is not (?:considered|taken|used|counted|needed"
            r"|an option))(?: here)?)?", _always),
        (rf"(?<!/)(?P<one>{_Q}) ?,? (?:\(?(?:which )?is |that's"
            rf" )?{_LITTLE}(?P<way>more|greater|larger|bigger"
            rf"|higher|less|smaller|lower)"
            rf" than (?P<other>one[- ]half|(?:a |one )?half|(?:a|one)"
            rf" (?:third|quarter|fifth|tenth)|one|two|{_Q})"
            r"(?! ?[-+*/=])", _compared),
        (rf"(?<!/)(?P<one>{_Q}) ?,? (?:\(?(?:which )?is |that's"
            rf" )?{_LITTLE}(?P<way>over|above|under|below)"
            rf" (?P<other>one[- ]half|(?:a |one )?half|(?:a|one)"
            rf" (?:third|quarter|fifth|tenth)|one|two|{_Q})"
            r"(?! ?[-+*/=])", _compared),
    )
]  # fmt: skip
_PERCENT_OF = re.compile(
    rf"(?i)(?P<p>{_Q})% of (?P<of>{_Q}) (?P<is>is|=|equals|gives) (?P<a>{_Q})(?P<then>,? (?:and|so"
    rf"|which means) (?:then |the other )?)(?P<q>{_Q})%(?: of (?P=of))? (?:is|will be|must be"
    rf"|=) (?:just |simply |exactly )?(?P<by>{_FACTOR})(?: of)? (?:that|this|it"
    rf"|as much)(?:(?:,? (?:which is|or|so|that is|i\.e\.)|:|,| =) (?P<b>{_Q}))?"
)
_BASE = re.compile(rf"% of (?P<of>{_Q})")
_OF_BASE = re.compile(r"(?<=\d)% (?=(?:is|=|equals|gives) (?!0\.))")
_DIVIDED_BOTH = re.compile(
    rf"(?i)(?P<a>\d+)/(?P<b>\d+)(?P<to>[^\d]{{1,30}}?)(?P<c>\d+)/(?P<d>\d+)(?:,? (?:after|by|when"
    rf"|on|once we)(?: we)? divid(?:e|ing) (?:the )?{_UNIT} by (?P<n>\d+))"
)


def _percents(found: _Found) -> str:
    """``10% of 240 is 24, and 5% of 240 is 12``; what was said, where half of it is not that."""
    top, bottom = _TIMES_OF[found["by"].lower()]
    if Fraction(found["q"].strip("()")) * bottom != Fraction(found["p"].strip("()")) * top:
        return found[0]
    begun = f"{found['p']}% of {found['of']} is {found['a']}"
    return f"{begun} and {found['q']}% of {found['of']} is {found['b']}" if found["b"] else begun


def _divided_both(found: _Found) -> str:
    a, b, c, d, n = (int(found[one]) for one in "abcdn")
    right = (a, b) == (c * n, d * n)
    return f"{found['a']}/{found['b']}{found['to']}{found['c']}/{found['d']}" if right else found[0]


def with_base(text: str) -> str:
    """A text that says of what its percents are, where they are all of one number."""
    bases = {one["of"] for one in _BASE.finditer(text)}
    return _OF_BASE.sub(f"% of {bases.pop()} ", text) if len(bases) == 1 else text


def without(sentence: str) -> str | None:
    """What a sentence says besides; None where something of this is false."""
    sentence = _DIVIDED_BOTH.sub(_divided_both, _PERCENT_OF.sub(_percents, sentence))
    for pattern, holds in _FORMS:
        for found in pattern.finditer(sentence):
            if not holds(found):
                return None
        sentence = pattern.sub(_left, sentence)
    return sentence


def _left(found: _Found) -> str:
    named = found.groupdict()
    kept = named.get("one") or (named.get("beside") and named["items"])
    return f"{kept} " if kept else " "
