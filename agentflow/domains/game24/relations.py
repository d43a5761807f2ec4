"""How numbers that a reply of Game of 24 speaks of stand to each other, and whether that holds.

49 is one more than 48.              by as much
12 - 10 = 2 turns the 8 into 16.     by an operation with what came out
They sum to 8.                       the numbers listed last
5 and 7 only give 12, 2 and 35.      each can be made of them
Fractions are needed here.           no solution is without
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from math import factorial

from agentflow.domains import arithmetic
from agentflow.domains.game24 import checks
from agentflow.domains.game24.known import TARGET, Known, makes, values
from agentflow.domains.game24.spoken import AND, ITEM, ITEMS, NUMBER, number, numbers
from agentflow.domains.spelling import NUMBERS

Found = re.Match[str]

_COUNTED = "|".join(word for word, n in NUMBERS.items() if 0 < n < 14)
_SLIGHTLY = (
    r"(?: just| only| still| exactly| precisely| already| far| much| well| slightly| barely"
    r"| a (?:bit|little|tad|hair|touch|fraction))*"
)
_SIGNS = {"sum": "+", "add": "+", "total": "+", "difference": "-", "subtract": "-", "product": "*",
          "multiply": "*", "quotient": "/", "ratio": "/", "divide": "/"}  # fmt: skip
_TIMES = {"doubl": Fraction(2), "tripl": Fraction(3), "quadrupl": Fraction(4),
          "halv": Fraction(1, 2)}  # fmt: skip


def _amount(written: str) -> Fraction:
    return Fraction(NUMBERS[written]) if written in NUMBERS else number(written)


def compared(found: Found, known: Known) -> bool:
    """Whether a number is above, or below, another, by as much as is said."""
    one = known.last if found["a"] is None else number(found["a"])
    if one is None:
        return False
    named = found["b"] or found["ahead"]
    other = TARGET if named is None else number(named)
    known.numbers |= {one, other, abs(one - other)}
    above = re.match(r"more|great|big|larg|high|above|over|beyond", found["how"]) is not None
    apart = found["how"].startswith(("away", "off", "from"))
    by = found["by"]
    return one != other and (apart or (one > other) == above) and (
        by is None or abs(one - other) == _amount(by)
    )  # fmt: skip


def near(found: Found, known: Known) -> bool:
    known.numbers |= {number(found["number"])}
    return known.last is not None and known.last not in (TARGET, number(found["number"]))


def differ(found: Found, known: Known) -> bool:
    listed = numbers(found["items"])
    known.listed = listed
    return len(listed) == 2 and abs(listed[0] - listed[1]) == number(found["by"])


def factor_pairs(found: Found, known: Known) -> bool:
    """Whether the product of each pair is 24, or what is said."""
    whole = TARGET if found["of"] is None else number(found["of"])
    pairs = _PAIR.findall(found["pairs"])
    known.numbers |= {number(side) for pair in pairs for side in pair}
    return all(number(one) * number(other) == whole for one, other in pairs)


def all_are(found: Found, known: Known) -> bool:
    return {*known.own} == {number(found["number"])}


def multiplied_in(found: Found, known: Known) -> bool:
    """Whether the answer multiplies, or divides, by a one of its own."""
    return known.has_neutral


def without_brackets(found: Found, known: Known) -> bool:
    return known.signs in ({"+"}, {"*"})


def multiples(found: Found, known: Known) -> bool:
    """Whether numbers, or those listed last, are multiples of one, or its factors."""
    listed = numbers(found["items"]) if found["items"] else known.listed
    of = numbers(found["of"])
    pairs = [(one, low) for one in listed for low in of]
    if found["factors"]:
        pairs = [(low, one) for one, low in pairs]
    return bool(pairs) and all(low > 0 and (one / low).denominator == 1 for one, low in pairs)


def turned(found: Found, known: Known) -> bool:
    """Whether an operation with what came out, or is at hand, makes one number of another."""
    one, other = number(found["one"]), number(found["other"])
    if one not in known.results:
        return False
    with_ = [*reversed(known.history), *known.own]
    if not any(arithmetic.apply(sign, one, by) == other for sign in "+-*/" for by in with_):
        return False
    known.learn(other)
    return True


def gap(found: Found, known: Known) -> bool:
    """Whether a difference is one of two numbers that came out, or were meant to."""
    recent = {*known.history[-3:], TARGET}
    return any(one - other == number(found["by"]) for one in recent for other in recent)


def of_listed(found: Found, known: Known) -> bool:
    """Whether the numbers listed last come to what is said when they are put together."""
    sign = _SIGNS[found["how"]]
    if len(known.listed) < 2 or (sign in "-/" and len(known.listed) > 2):
        return False
    read: arithmetic.Expression = known.listed[0]
    for one in known.listed[1:]:
        read = (sign, read, one)
    value = arithmetic.value(read)
    if value is not None and found["kind"]:
        return checks.PROPERTIES[found["kind"]](value) == (found["no"] is None)
    said = number(found["number"]) if found["number"] else None
    if value is None or (sign == "-" and said == -value):
        read = (sign, known.listed[1], known.listed[0])
        value = arithmetic.value(read)
    known.learn(read)
    return said == value


def makes_each(found: Found, known: Known) -> bool:
    """Whether each of some numbers can be made of others, or of those listed last."""
    given = numbers(found["given"]) if found.groupdict().get("given") else known.listed
    wanted = numbers(found["wanted"])
    if sorted(wanted) == known.own and not found.groupdict().get("given"):
        return True
    known.numbers |= {*wanted}
    return len(given) == 2 and not {*given} - {*known.results} and all(
        makes(one, given) or makes(-one, given) for one in wanted
    )  # fmt: skip


def not_made(found: Found, known: Known) -> bool:
    """Whether a number cannot be made of others."""
    given = numbers(found["given"]) if found["given"] else known.listed
    return len(given) > 1 and not makes(number(found["goal"]), given)


def none_made(found: Found, known: Known) -> bool:
    """Whether none of some numbers can be made of others."""
    given = numbers(found["given"]) if found["given"] else known.listed
    return len(given) > 1 and not any(makes(one, given) for one in numbers(found["goals"]))


def is_none(found: Found, known: Known) -> bool:
    return number(found["number"]) not in known.own


def needs_fractions(found: Found, known: Known) -> bool:
    """Whether no solution has whole numbers only."""
    return not any(
        all(part is not None and part.denominator == 1 for part in values(one))
        for one in arithmetic.reaching(TARGET, known.own)
    )


def total(found: Found, known: Known) -> bool:
    """Whether a sum, or product, is that of all numbers, or of what was read last."""
    put = sum if found["how"] in ("sum", "total") else _product
    said = number(found["number"])
    if said not in (put(known.own), known.last):
        return False
    known.learn(said)
    return True


def _product(listed: list[Fraction]) -> Fraction:
    whole = Fraction(1)
    for one in listed:
        whole *= one
    return whole


def missing(found: Found, known: Known) -> bool:
    """Whether the last result lacks, or exceeds, 24 by as much as is said."""
    last, by = known.last, _amount(found["by"])
    if last is None:
        return False
    known.numbers |= {by}
    over = found.groupdict().get("over")
    return by == (last - TARGET if over else TARGET - last)


def times(found: Found, known: Known) -> bool:
    """Whether the last result is as many times another number as is said."""
    last = known.last
    before = [*known.history[-2:-1], *numbers(found.string[: found.start()])]
    return last is not None and any(one * _TIMES[found["n"]] == last for one in before)


def used_count(found: Found, known: Known) -> bool:
    """Whether what was read last uses a number so often."""
    count, one = NUMBERS[found["count"]], number(found["one"])
    return any(used[one] == count for used in known.used)


def is_factorial(found: Found, known: Known) -> bool:
    return int(found["n"]) < 9 and factorial(int(found["n"])) == known.last


def most(found: Found, known: Known) -> bool:
    """Whether the numbers that follow are the largest, or smallest, of all."""
    listed = sorted(numbers(re.sub("[-+*/]", " ", found["listed"])))
    count = NUMBERS.get(found["count"] or "", len(listed))
    low = found["which"] in ("small", "low")
    there = known.own[: len(listed)] if low else known.own[-len(listed) :]
    return count == len(listed) and listed == there


def left_aside(found: Found, known: Known) -> bool:
    listed = numbers(found["items"])
    known.given_up = known.last == TARGET
    return known.unused(listed) or known.left(listed)


def successive(found: Found, known: Known) -> bool:
    return all(b - a == 1 for a, b in zip(known.own, known.own[1:], strict=False))


_THEY = r"(?:they|these|those|both|the two|these two|those two)(?: numbers)?"
_PAIRED = r"(?<![-+*/=≈(.\d] )"
_FAILS = r"(?:fail|will not|can not|do not|does not|is not|are not|did not|would not)"
_PAIR = re.compile(rf"\(({NUMBER}), ({NUMBER})\)")
FORMS: list[tuple[str, Callable[[Found, Known], bool]]] = [
    (rf"(?:{_PAIRED}(?P<a>{NUMBER}),?|\b(?:which|that|it|this)|(?<=[\d)]))(?: which)?(?: is|'s"
     rf"| are)"
     rf"{_SLIGHTLY}(?: a fraction)?{_SLIGHTLY}(?: (?P<by>{NUMBER}|{_COUNTED}))?"
     r" (?P<how>more|greater|bigger|larger|higher|above|over|beyond|less|smaller|lower|below"
     r"|under|short of|shy of|away from|off from|from)(?: than)? "
     rf"(?:(?P<b>{NUMBER})(?! ?[-+*/=])|(?=(?P<ahead>{NUMBER}) ?=)|(?:the )?(?:target"
     rf"|goal))", compared),
    (rf"\b(?:close|near|next) to (?P<number>{NUMBER})(?! ?[-+*/=])", near),
    (r"\b(?:close|near|next) to (?=[\d(])|\balmost (?:trivial|immediate|obvious|automatic"
     r"|instant)(?:ly)?\b",
     checks.always),
    (rf"(?P<items>{ITEMS}) (?:differ by|are separated by"
     rf"|are(?= [^ ]+ apart)) (?P<by>{NUMBER})(?: apart)?", differ),
    (rf"(?:(?P<items>{ITEMS})|\b{_THEY})(?: is| are)?(?: both| all"
     rf"| also)? (?:(?:an? )?(?:multiples? of"
     rf"|divisible by)|(?P<factors>(?:factors?|divisors?) of)) (?P<of>{ITEMS})", multiples),
    (r"\b(?:(?:turn|make|convert|transform|chang)(?:e?s|ing)?|(?:bring|take|lift|send|boost"
     r"|reduce|raise|lower)s)"
     rf" (?P<one>{ITEM}) (?:back |up |down |all the way |straight )*(?:in)?to (?:an? |exactly )?"
     rf"(?P<other>{NUMBER})", turned),
    (rf"(?<!their )(?<!whose )\b(?:gap|shortfall|difference|excess|surplus)(?: here)? (?:is"
     rf"|of)(?: exactly| precisely| just"
     rf"| only)? (?P<by>{NUMBER})", gap),
    (rf"\b(?:{_THEY}(?: both| simply| just| conveniently| all| can| would| will)*"
     r" (?P<how>sum|add|total|multiply|divide|subtract)(?: up)?(?: to)?"
     rf"(?P<no>(?!))?(?P<kind>(?!))?|(?!)) (?:give "
     rf"|make )?(?P<number>{NUMBER})(?! ?[-+*/=])", of_listed),
    (r"\b(?:their|whose) (?P<how>sum|difference|product|quotient|ratio|total) (?:is|equals"
     r"|gives|makes|would"
     r" be)(?: only| just| exactly)?"
     rf" (?:(?P<no>not )?(?:an? )?(?P<kind>{'|'.join(checks.PROPERTIES)})|(?P<number>{NUMBER}))"
     r"(?! ?[-+*/=])", of_listed),
    (rf"(?:{_PAIRED}(?P<given>{ITEM} and {ITEM})|\b{_THEY})(?: can| could| would)?(?: only"
     rf"| just)?"
     r" (?:give|make|yield|produce|form|offer)s?(?: you| us| me)?(?: only| just| either)?"
     rf" (?P<wanted>{NUMBER}(?:{AND}{NUMBER})*)(?! ?[-+*/=])", makes_each),
    (rf"\bfactor(?:ing|isation|ization)? ?pairs?(?: of (?P<of>{NUMBER}))?(?: are| is|:| include)*"
     rf" (?P<pairs>\({NUMBER}, {NUMBER}\)(?:{AND}\({NUMBER}, {NUMBER}\))*)", factor_pairs),
    (rf"\b(?:all|each|every one|all four)(?: of)?(?: the)?(?: four)?(?: given)? (?:numbers?"
     rf"|them) (?:is|are|equals?)"
     rf" (?:an? )?(?P<number>{NUMBER})(?! ?[-+*/=])", all_are),
    (
        r"\b(?:the |an? )?(?:remaining |extra |last |other )*1(?: and 1)* (?:can|may|could|is|are"
        r"|gets?)(?: then"
        r"| simply| just| be)*"
        r" (?:absorbed|multiplied(?: in)?|thrown in|included)(?: by multiplying(?: by it)?"
        r"| as a factor"
        r"| without changing (?:anything|the (?:value|result)))*",
        multiplied_in,
    ),
    (r"\bno (?:parentheses|brackets)(?: or (?:other|further|more) operations)?(?: (?:is|are"
     r"|were))?"
     r"(?: needed| necessary| required)?", without_brackets),
    (rf"\((?:they |only |just |which |give |we |get "
     rf"|can )*(?P<wanted>{NUMBER}(?:{AND}{NUMBER})+)\)",
     makes_each),
    (rf"{_PAIRED}(?P<goal>{ITEM}),? (?:which )?(?:(?:can not|could not) (?:be (?:made|formed"
     rf"|built|reached|obtained"
     r"|produced)|come)|is(?: not (?:reachable|possible|available|achievable|attainable)"
     rf"| unreachable| out of reach| impossible))(?: (?:from|with|out of"
     rf"|using) (?:(?P<given>{ITEMS})|them"
     r"|those|these|those two|these two))", not_made),
    (rf"(?:{_PAIRED}(?P<given>{ITEMS})|\b{_THEY}) (?:can not|can never|do not"
     rf"|could not) (?:be (?:combined|turned|made|put together|merged)"
     r" (?:in)?to(?: make| give| form)?|make|give|form|produce|reach|yield"
     r"|combine (?:in)?to)(?: either)?"
     rf" (?P<goals>{ITEMS})", none_made),
    (rf"\b(?:no|none of)(?: the| these| those)?(?: given)? (?:numbers?|them|one) (?:is"
     rf"|equals) (?:an? )?"
     rf"(?P<number>{NUMBER})", is_none),
    (rf"\b(?:(?:only |just |pure |plain |simple )*(?:integers?|whole[- ]numbers?)(?: arithmetic"
     rf"| alone"
     rf"| operations?| steps| results| combinations?| attempts?| approach(?:es)?| solutions?"
     rf"| only)*"
     rf" {_FAILS}(?: really| ever| quite)?(?: do| work| suffice| enough| get us there| exist"
     rf"| help| reach (?:24|it"
     r"|the target))?"
     r"|(?<!no )(?<!no need for )fractions? (?:is|are) (?:really |actually |truly )?(?:needed"
     r"|required|necessary|unavoidable"
     r"|essential|the only way)|(?:need|require|demand|force)s?(?: us to use| using"
     r"| going through| the use of)?"
     r" (?:an? )?fractions?|only (?:has )?solutions?(?: here)? (?:with|using|involving"
     r"|through) fractions"
     r"|all (?:of )?(?:the )?(?:integer|whole[- ]number)(?:-only)? (?:attempt|combination"
     r"|approache?|option|route)s fail"
     r"|(?:impossible|not possible|can not be (?:solved|done|reached|made)|not (?:solvable"
     r"|doable)) without (?:using )?(?:a )?fractions?"
     r"|no (?:integer|whole[- ]number)(?:-only)? (?:solution|way|path|route|combination)s?"
     r"(?: exists?| works?| is possible)?|solutions? (?:must|has to|have to) (?:use|involve"
     r"|go through)"
     r" (?:an? )?fractions?)", needs_fractions),
    (r"\bthe (?P<how>sum|total|product)(?: of (?:all|them|everything|the numbers|all (?:the )?"
     r"(?:four )?(?:numbers|of them)))? (?:is|equals|comes to)(?: only| just| exactly| already)? "
     rf"(?P<number>{NUMBER})(?! ?[-+*/=])", total),
    (rf"\b(?P<by>{NUMBER}|{_COUNTED})(?: is| are)?(?: still)? (?:missing|short"
     rf"|lacking)\b(?: of 24)?",
     missing),
    (rf"\b(?:fall(?:s|ing)? short|short|undershoots?|misses)(?: of (?:24|the target))?(?: it)? by"
     rf"(?: just| only| exactly)? (?P<by>{NUMBER}|{_COUNTED})", missing),
    (rf"\b(?P<over>overshoots?|exceeds?|over)(?: (?:24|the target|it))? by(?: just| only"
     rf"| exactly)?"
     rf" (?P<by>{NUMBER}|{_COUNTED})", missing),
    (r"\b(?P<n>doubl|tripl|quadrupl|halv)es (?:it|that|this|the (?:result|value))\b", times),
    (rf"\buses (?:only |just )?(?P<count>one|two|three) (?P<one>{NUMBER})'?s?\b", used_count),
    (r"\b(?P<n>\d) factorial\b", is_factorial),
    (rf"\b(?P<items>{ITEM}) can not (?:just |simply |directly |itself )*be the (?:given"
     rf"|original) (?:one\b|{NUMBER})"
     r"(?=,? (?:since|because|as) )", checks.at_hand),
    (r"\bthe (?:(?P<count>two|three) )?(?P<which>larg|bigg|high|great|small|low)(?:er|est)"
     r"(?: two| three)?(?: given)? (?:numbers|ones|values|of (?:them|the four|all))(?: are)?"
     rf"(?=[^.;=]*?(?P<listed>(?<!\d ){NUMBER}(?:(?: ?[-+*/] ?|{AND}){NUMBER})+))", most),
    (rf"\bwith (?P<items>{ITEMS})(?: still)? (?:left over|left|unused|to spare|remaining|over)\b",
     left_aside),
    (r"\b(?:four )?consecutive (?:numbers|integers)\b", successive),
]  # fmt: skip
