"""Whether what a sentence of a reply of Game of 24 claims of numbers holds: one function for each
kind of :mod:`.claims`, of the match of its form and of what is known."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from fractions import Fraction

from agentflow.domains import arithmetic
from agentflow.domains.game24.known import TARGET, Known, makes
from agentflow.domains.game24.spoken import number, numbers

Found = re.Match[str]

TIMES = {"once": 1, "one time": 1, "twice": 2, "two times": 2, "three times": 3, "thrice": 3,
          "four times": 4}  # fmt: skip
_OF_ALL = re.compile(r"\b(?:ways?|goal|task|question|puzzle|aim|target|thing|possible)\b")
"""What is asked, which is 24."""
_SIGNS = {"add": "+", "sum": "+", "mul": "*", "sub": "-", "div": "/"}


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
    asked = "?" in found.string[found.end() :] or found.groupdict().get("can") is None
    return asked or known.sought is not False


def comes_from(found: Found, known: Known) -> bool:
    given = numbers(found["given"])
    if Counter(given) - known.results:
        return False
    known.sought = makes(number(found["goal"]), given)
    return found.groupdict().get("would") is not None or known.sought


def unused(found: Found, known: Known) -> bool:
    """Whether numbers are not used by what is tried; nothing is by a solution."""
    listed = numbers(found["items"])
    supposed = found.groupdict().get("then") is not None
    some = len(listed) < len(known.own) and not Counter(listed) - known.counts
    known.given_up = not supposed
    return known.unused(listed) or (supposed and some and not known.solves())


def fails(found: Found, known: Known) -> bool:
    """Whether what was tried last is no solution."""
    last = known.last
    if re.search(r"\b(?:the|my|this|final) (?:answer|solution|expression)\b", found.string):
        return False
    if last is None or known.solved or not (known.tried or known.used):
        return False
    big, small, other = (found.groupdict().get(one) for one in ("big", "small", "other"))
    return not (
        (big and last <= TARGET)
        or (small and last >= TARGET)
        or (other and last == TARGET and not known.given_up)
    )


def all_used(found: Found, known: Known) -> bool:
    return known.solved or known.last is None or known.solves()


def distance(found: Found, known: Known) -> bool:
    """Whether what is missing, or too much, is what leads from the last result to 24."""
    last, said = known.last, found["by"] or found.groupdict().get("by2") or "0"
    if last is None or last == TARGET:
        return False
    known.numbers |= {abs(TARGET - last)}
    more = found.groupdict().get("more") is not None
    less = found.groupdict().get("less") is not None
    right = abs(TARGET - last) == number(said)
    return right and not (more and last > TARGET) and not (less and last < TARGET)


def brings(found: Found, known: Known) -> bool:
    """Whether one number is above another, or below, as it is said to be brought there."""
    one, other = number(found["from"]), number(found["to"])
    if found.groupdict().get("by"):
        known.numbers |= {abs(one - other)}
        if abs(one - other) != number(found["by"]):
            return False
        if (one > other) != (found["how"] in ("subtract", "remove", "lose", "drop")):
            return False
    way = {"down": one > other, "up": one < other}.get(found["way"] or "", True)
    return way and {one, other} <= known.numbers


def used_often(found: Found, known: Known) -> bool:
    listed = numbers(found["items"])
    each = re.search(r"\b(?:each|every) \Z", found.string[: found.start()])
    if each or sorted(listed) == known.own:
        return TIMES[found["times"]] == 1
    return all(known.counts[one] == TIMES[found["times"]] for one in listed)


PROPERTIES: dict[str, Callable[[Fraction], bool]] = {
    "even": lambda one: one % 2 == 0,
    "odd": lambda one: one % 2 == 1,
    "prime": lambda one: one > 1 and all(one % low for low in range(2, min(int(one), 10_000))),
    "negative": lambda one: one < 0,
    "whole": lambda one: one.denominator == 1,
}


def has_property(found: Found, known: Known) -> bool:
    return all(map(PROPERTIES[found["property"]], numbers(found["items"])))


def extreme(found: Found, known: Known) -> bool:
    pick = min if found["which"].startswith("small") else max
    return pick(known.own) == number(found["number"])


def extremes(found: Found, known: Known) -> bool:
    """Whether the two numbers of an operation are the largest, or smallest, of all."""
    there = known.own[:2] if found["which"] == "small" else known.own[-2:]
    return sorted([number(found["a"]), number(found["b"])]) == there


def have(found: Found, known: Known) -> bool:
    """Whether the numbers of an operation have a property."""
    return all(map(PROPERTIES[found["property"]], numbers(re.sub("[-+*/]", " ", found["items"]))))


def all_have(found: Found, known: Known) -> bool:
    if found["property"]:
        return all(map(PROPERTIES[found["property"]], known.own))
    low = number(found["low"])
    return low > 0 and all((one / low).denominator == 1 for one in known.own)


def only_signs(found: Found, known: Known) -> bool:
    """Whether the answer has no other operations than those named."""
    found_names = re.findall(r"add|sum|mul|sub|div", found["names"])
    return known.signs == {_SIGNS[one] for one in found_names}


def divides(found: Found, known: Known) -> bool:
    one, other = number(found["low"]), number(found["high"])
    return one > 0 and (other / one).denominator == 1


def in_any_order(found: Found, known: Known) -> bool:
    """Whether the answer adds, or multiplies, where the order is said not to matter."""
    return bool(known.signs & {"+", "*"}) and not re.search("subtr|differ|divi|quot", found.string)


def inverse(found: Found, known: Known) -> bool:
    one, other = number(found["one"]), number(found["other"])
    known.numbers |= {one, other}
    return one * other == 1


def at_hand(found: Found, known: Known) -> bool:
    return not Counter(numbers(found["items"])) - known.results


def adds_up(found: Found, known: Known) -> bool:
    """Whether all of the numbers together come to what is said."""
    total = sum(known.own, Fraction(0))
    if not found["how"].startswith(("add", "sum")):
        total = Fraction(1)
        for one in known.own:
            total *= one
    said = TARGET if found["total"] is None else number(found["total"])
    return total == said


def one_sign(found: Found, known: Known) -> bool:
    """Whether the answer has no other operation than that which all numbers are put in."""
    return known.signs == ({"+"} if found["how"].startswith(("add", "sum")) else {"*"})


def whole(found: Found, known: Known) -> bool:
    return all(one.denominator == 1 for one in known.parts)


def fractional(found: Found, known: Known) -> bool:
    return any(one.denominator != 1 for one in {*known.parts, *known.history})


def several(found: Found, known: Known) -> bool:
    """Whether the numbers have more solutions than one."""
    if found.groupdict().get("count") and re.search(r"\b(?:only|just|exactly)\b", found.string):
        return False
    forms = set[str]()
    for one in arithmetic.reaching(TARGET, known.own):
        forms.add(arithmetic.normal_form(one))
        if len(forms) > (found.groupdict().get("count") == "three") + 1:
            return True
    return False


def cannot(found: Found, known: Known) -> bool:
    """Whether what was looked for last cannot be made."""
    return known.sought is False or (known.sought is None and fails(found, known))


def always(found: Found, known: Known) -> bool:
    return True


def uses(found: Found, known: Known) -> bool:
    """Whether what was read last uses numbers; without any, the answer does."""
    listed = Counter(numbers(found["items"]))
    if listed == known.counts:
        return True
    return any(not listed - used for used in known.used or [known.counts])


def uses_all(found: Found, known: Known) -> bool:
    """Whether what was read last uses all numbers, as far as is known."""
    return known.last is None or not known.used or known.counts in known.used


def is_not(found: Found, known: Known) -> bool:
    """Whether a trial came to another number."""
    return fails(found, known) and known.last != number(found["number"])


def cancel(found: Found, known: Known) -> bool:
    """Whether numbers are the same, and at hand."""
    to = found.groupdict().get("to")
    if to is not None and Fraction(to) not in {*known.parts, *known.history}:
        return False
    asked = "?" in found.string[found.end() :]
    return asked or (len({*numbers(found["items"])}) == 1 and at_hand(found, known))


def alike(found: Found, known: Known) -> bool:
    """Whether the numbers are all the same, or all different."""
    same = (found["same"] or found["same2"]) in ("identical", "equal", "the same")
    return len(known.counts) == (1 if same else len(known.own))


def no_signs(found: Found, known: Known) -> bool:
    """Whether the answer has none of the operations named."""
    named = re.findall(r"add|sum|mul|sub|div", found["names"])
    return not known.signs & {_SIGNS[one] for one in named}


def beyond(found: Found, known: Known) -> bool:
    """Whether the last result is so much above, or below, 24."""
    by = number(found["by"])
    return known.last is not None and known.last - TARGET == (by if found["over"] else -by)


def of_part(found: Found, known: Known) -> bool:
    """Whether a part of the answer, or the first or second of two, comes to a number."""
    said = number(found["number"])
    if found["place"] is None:
        return said in known.inner
    at = ("first", "second").index(found["place"])
    return at < len(known.inner) and known.inner[at] == said
