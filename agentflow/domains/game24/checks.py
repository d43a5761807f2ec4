"""Whether what a sentence of a reply of Game of 24 claims of numbers holds: one function for each
kind of :mod:`.claims`, of the match of its form and of what is known.

A form names what it found: ``items`` are the numbers that something is said of, ``goal`` those
that others (``given``) are to make, ``by`` a difference. What it does not name is what came out
last, and 24.
"""

from __future__ import annotations

import re
from collections import Counter

from agentflow.domains import arithmetic
from agentflow.domains.game24.known import TARGET, Known, makes, values
from agentflow.domains.game24.spoken import SIGNS, number, numbers
from agentflow.domains.spelling import NUMBERS

Found = re.Match[str]

TIMES = {"once": 1, "one": 1, "twice": 2, "two": 2, "thrice": 3, "three": 3, "four": 4}
_OF_ALL = re.compile(r"\b(?:(?<!a )ways?|goal|task|question|puzzle|aim|target|thing|possible)\b")
"""What is asked, which is 24."""


def _part(found: Found, name: str) -> str | None:
    return found.groupdict().get(name)


def _named(found: Found) -> set[str]:
    """The signs of the operations named."""
    return {SIGNS[one] for one in re.findall(rf"\b(?:{'|'.join(SIGNS)})", found["names"])}


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


# operations


def signs_often(found: Found, known: Known) -> bool:
    """Whether the answer has so many operations of a kind."""
    return len(named := _named(found)) == 1 and TIMES[found["times"].split()[0]] == sum(
        sign in named for sign, _ in known.made
    )


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


def cannot(found: Found, known: Known) -> bool:
    """Whether what was looked for last cannot be made."""
    return known.sought is False or (known.sought is None and fails(found, known))


# what is used


def left(found: Found, known: Known) -> bool:
    """Whether numbers are left by what is tried, or unused; nothing is by a solution."""
    listed = numbers(found["items"])
    known.given_up = known.last == TARGET and listed != [known.last]
    return known.unused(listed) or (not _part(found, "over") and known.left(listed))


def used_often(found: Found, known: Known) -> bool:
    """Whether the answer, or what was read last, uses each of some numbers so often."""
    listed, count = numbers(found["items"]), TIMES[found["times"].split()[0]]
    each = re.search(r"\b(?:each|every) \Z", found.string[: found.start()])
    if each or sorted(listed) == known.own:
        return count == 1
    return any(all(used[one] == count for one in listed) for used in [known.counts, *known.used])


def comes_out(found: Found, known: Known) -> bool:
    """Whether an operation of the answer, or a part of it, comes to a number."""
    said = number(found["number"])
    if not _part(found, "names"):
        return said in known.inner
    return any((sign, said) in known.made for sign in _named(found))


def whole(found: Found, known: Known) -> bool:
    return all(one.denominator == 1 for one in known.parts)


def grouped(found: Found, known: Known) -> bool:
    """Whether a part of the answer has the numbers named, and no others."""
    return sorted(numbers(found["items"])) in known.groups


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
