"""Whether what a sentence of a reply of Game of 24 claims of numbers holds: one function for each
kind of :mod:`.claims`, of the match of its form and of what is known.

A form names what it found: ``items`` are the numbers that something is said of, ``goal`` those that
others (``given``) are to make, ``by`` a difference. What it does not name is what came out last, or
was listed last, and 24.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

from agentflow.domains import arithmetic
from agentflow.domains.game24.known import TARGET, Known, makes, values
from agentflow.domains.game24.spoken import SIGNS, number, numbers
from agentflow.domains.spelling import NUMBERS

Found = re.Match[str]

TIMES = {"once": 1, "one time": 1, "twice": 2, "two times": 2, "three times": 3, "thrice": 3,
         "four times": 4, "one": 1, "two": 2, "three": 3}  # fmt: skip
PROPERTIES: dict[str, Callable[[list[Fraction]], bool]] = {
    "even": lambda those: all(one % 2 == 0 for one in those),
    "odd": lambda those: all(one % 2 == 1 for one in those),
    "prime": lambda those: all(map(_is_prime, those)),
    "negative": lambda those: all(one < 0 for one in those),
    "whole": lambda those: all(one.denominator == 1 for one in those),
    "consecutive": lambda those: all(b - a == 1 for a, b in pairwise(those)),
    **dict.fromkeys(("identical", "equal", "same"), lambda those: len({*those}) == 1),
    **dict.fromkeys(("different", "distinct"), lambda those: len({*those}) == len(those)),
}
_OF_ALL = re.compile(r"\b(?:(?<!a )ways?|goal|task|question|puzzle|aim|target|thing|possible)\b")
"""What is asked, which is 24."""


def _is_prime(one: Fraction) -> bool:
    return one > 1 and all(one % low for low in range(2, min(int(one), 10_000)))


def _part(found: Found, name: str) -> str | None:
    return found.groupdict().get(name)


def _subject(found: Found, known: Known) -> list[Fraction]:
    """The numbers that something is said of: those named, those listed last, or all."""
    if items := _part(found, "items"):
        return numbers(re.sub(" [-+*/] ", " ", items))
    return known.own if _part(found, "all") or not known.listed else known.listed


def _named(found: Found) -> set[str]:
    """The signs of the operations named."""
    return {SIGNS[one] for one in re.findall(rf"\b(?:{'|'.join(SIGNS)})", found["names"])}


def always(found: Found, known: Known) -> bool:
    return True


# numbers beside numbers


def apart(found: Found, known: Known) -> bool:
    """Whether a number is as far above, or below, another as is said."""
    one = number(found["a"]) if _part(found, "a") else known.last
    other = number(found["b"]) if _part(found, "b") else TARGET
    if one is None:
        return False
    known.numbers |= {one, other, abs(one - other)}
    if (by := _part(found, "by")) and abs(one - other) != (NUMBERS.get(by) or number(by)):
        return False
    return one < other if _part(found, "under") else one > other or (
        one != other and not _part(found, "over")
    )  # fmt: skip


def has_property(found: Found, known: Known) -> bool:
    return PROPERTIES[found["property"]](_subject(found, known))


def multiples(found: Found, known: Known) -> bool:
    """Whether numbers are multiples of others, or their factors."""
    pairs = [(one, of) for one in _subject(found, known) for of in numbers(found["of"])]
    if _part(found, "factors"):
        pairs = [(of, one) for one, of in pairs]
    return all(low > 0 and (one / low).denominator == 1 for one, low in pairs)


def extremes(found: Found, known: Known) -> bool:
    """Whether the numbers that follow are the largest, or smallest, of all."""
    listed = _subject(found, known)
    count = NUMBERS[found["count"]] if found["count"] else len(listed)
    if found["one"]:
        listed, count = listed[:1], 1
    there = known.own[: len(listed)] if found["low"] else known.own[-len(listed) :]
    return count == len(listed) and sorted(listed) == there


def inverse(found: Found, known: Known) -> bool:
    one, other = number(found["a"]), number(found["b"])
    known.numbers |= {one, other}
    return one * other == 1


def factor_pairs(found: Found, known: Known) -> bool:
    listed = numbers(found["items"])
    known.numbers |= {*listed}
    return all(a * b == TARGET for a, b in zip(listed[::2], listed[1::2], strict=True))


def cancel(found: Found, known: Known) -> bool:
    """Whether numbers are the same, and at hand, or that is asked."""
    asked = "?" in found.string[found.end() :]
    return asked or (len({*numbers(found["items"])}) == 1 and at_hand(found, known))


# operations


def only_signs(found: Found, known: Known) -> bool:
    return known.signs == _named(found)


def put_together(found: Found, known: Known) -> bool:
    """Whether the answer puts all its numbers together in one way, or the last two that came out:
    ``them``."""
    if only_signs(found, known):
        return True
    two, (sign,) = known.history[-2:], _named(found)
    alone = re.search(r"\bthem\Z", found[0]) and len(two) == 2
    return bool(alone) and (sign, arithmetic.value((sign, two[0], two[1]))) in known.made


def no_signs(found: Found, known: Known) -> bool:
    return not known.signs & _named(found)


def signs_often(found: Found, known: Known) -> bool:
    """Whether the answer has so many operations of a kind."""
    return len(named := _named(found)) == 1 and TIMES[found["times"]] == sum(
        sign in named for sign, _ in known.made
    )


def in_any_order(found: Found, known: Known) -> bool:
    """Whether the answer adds, or multiplies, where the order is said not to matter."""
    return bool(known.signs & {"+", "*"}) and not re.search("subtr|differ|divi|quot", found.string)


def comes_to(found: Found, known: Known) -> bool:
    """Whether numbers come to what is said when they are put together."""
    listed, (sign,) = _subject(found, known), _named(found)
    if found[0].startswith("whose") and not known.listed:  # of two that are looked for
        return number(found["number"] or "0") == TARGET
    if len(listed) < 2 or (sign in "-/" and len(listed) > 2):
        return False
    read: arithmetic.Expression = listed[0]
    for one in listed[1:]:
        read = (sign, read, one)
    value = arithmetic.value(read)
    if value is not None and _part(found, "property"):
        return PROPERTIES[found["property"]]([value]) == (found["no"] is None)
    said = number(found["number"])
    if value is None or (sign == "-" and said == -value):
        value = arithmetic.value((sign, listed[1], listed[0]))
    known.learn(value)
    return said == value


def turned(found: Found, known: Known) -> bool:
    """Whether an operation with what is known makes one number of another."""
    one, other = number(found["a"]), number(found["b"])
    by = [*known.history, *known.own, abs(one - other)]
    made = any(arithmetic.apply(sign, one, with_) == other for sign in "+-*/" for with_ in by)
    right = {"down": one > other, "up": one < other}.get(found["way"] or "", True)
    if {one, other} <= known.numbers:
        known.numbers.add(abs(one - other))
        return right
    if made and one in known.results and (one in known.history or other in known.numbers):
        known.learn(other)
        return right
    return False


# what numbers make


def goal(found: Found, known: Known) -> bool:
    """Whether a number that is looked for helps, and can be made where that is said."""
    wanted = numbers(found["goal"])
    given = numbers(found["given"]) if found["given"] else None
    known.sought = None
    if known.solved and "still" in found.string:
        return False
    if given is None:
        return wanted == [TARGET] or (known.helps(wanted) and not _OF_ALL.search(found[0]))
    known.listed = given
    if Counter(given) - known.results or len(given) > len(known.own):
        return False
    if sorted(given) == known.own and wanted != [TARGET]:
        return False
    if len(wanted) == 1:
        known.sought = makes(wanted[0], given)
        known.numbers |= {*wanted}
    asked = "?" in found.string[found.end() :]
    known.owes |= known.sought is False and not asked
    return asked or _part(found, "can") is None or known.sought is not False


def comes_from(found: Found, known: Known) -> bool:
    given = numbers(found["given"])
    if Counter(given) - known.results:
        return False
    known.sought = makes(number(found["goal"]), given)
    known.owes |= not known.sought
    return _part(found, "would") is not None or known.sought


def makes_each(found: Found, known: Known) -> bool:
    """Whether each of some numbers can be made of others, or of those listed last."""
    given, wanted = _subject(found, known), numbers(found["goal"])
    if sorted(wanted) == known.own and not _part(found, "items"):
        return True
    known.numbers |= {*wanted}
    return len(given) in (2, 3) and not {*given} - {*known.results} and all(
        makes(one, given) or makes(-one, given) for one in wanted
    )  # fmt: skip


def not_made(found: Found, known: Known) -> bool:
    """Whether none of some numbers can be made of others, or of those listed last."""
    given = _subject(found, known)
    return len(given) > 1 and not any(makes(one, given) for one in numbers(found["goal"]))


def cannot(found: Found, known: Known) -> bool:
    """Whether what was looked for last cannot be made."""
    return known.sought is False or (known.sought is None and fails(found, known))


# what is used


def at_hand(found: Found, known: Known) -> bool:
    return not Counter(numbers(found["items"])) - known.results


def left(found: Found, known: Known) -> bool:
    """Whether numbers are left by what is tried, or unused; nothing is by a solution."""
    listed, last = numbers(found["items"]), known.last
    supposed = _part(found, "then") is not None
    some = not known.used and not Counter(listed) - known.counts
    known.given_up = last == TARGET and listed != [last] and not supposed
    if known.unused(listed) or (supposed and some and not known.solves()):
        return True
    return not _part(found, "over") and known.left(listed)


def used_often(found: Found, known: Known) -> bool:
    """Whether the answer, or what was read last, uses each of some numbers so often."""
    listed, count = numbers(found["items"]), TIMES[found["times"]]
    each = re.search(r"\b(?:each|every) \Z", found.string[: found.start()])
    if each or sorted(listed) == known.own:
        return count == 1
    return any(all(used[one] == count for one in listed) for used in [known.counts, *known.used])


def uses(found: Found, known: Known) -> bool:
    """Whether what was read last uses numbers; without any, the answer does."""
    listed = Counter(numbers(found["items"]))
    if listed == known.counts:
        return True
    return any(not listed - used for used in known.used or [known.counts])


def comes_out(found: Found, known: Known) -> bool:
    """Whether an operation of the answer comes to a number."""
    return any((sign, number(found["number"])) in known.made for sign in _named(found))


def grouped(found: Found, known: Known) -> bool:
    """Whether a part of the answer has the numbers named, and no others."""
    return sorted(numbers(found["items"])) in known.groups


def uses_only(found: Found, known: Known) -> bool:
    """Whether what was read last uses some numbers and no others."""
    listed = numbers(found["items"] or found["these"] or found["those"])
    return Counter(listed) in (known.used or [known.counts])


# what a trial comes to, and solutions


def fails(found: Found, known: Known) -> bool:
    """Whether what was tried last is no solution."""
    last = known.last
    if re.search(r"\b(?:the|my|this|final) (?:answer|solution|expression)\b", found.string):
        return False
    if last is None or known.solved or not (known.tried or known.used):
        return False
    if (said := _part(found, "number")) and last == number(said):
        return False
    return not (
        (_part(found, "over") and last <= TARGET)
        or (_part(found, "under") and last >= TARGET)
        or (_part(found, "other") and last == TARGET and not known.given_up)
    )


def differs(found: Found, known: Known) -> bool:
    return known.last is not None and known.last not in numbers(found["items"])


def fractional(found: Found, known: Known) -> bool:
    return any(one.denominator != 1 for one in {*known.parts, *known.history})


def needs_fractions(found: Found, known: Known) -> bool:
    """Whether no solution has whole numbers only."""
    return not any(
        all(part is not None and part.denominator == 1 for part in values(one))
        for one in arithmetic.reaching(TARGET, known.own)
    )


def several(found: Found, known: Known) -> bool:
    """Whether the numbers have more solutions than one, or as many as is said."""
    if _part(found, "count") and re.search(r"\b(?:only|just|exactly)\b", found.string):
        return False
    least = NUMBERS.get(_part(found, "count") or "two", 2)
    solutions = map(arithmetic.normal_form, arithmetic.reaching(TARGET, known.own))
    return len({*solutions}) >= least
