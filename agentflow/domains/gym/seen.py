"""Whether a sentence says nothing but what can be seen in its question, or worked out from that.

That's 31 digits: 17 ones and 14 zeros.     those of the number in the question, in binary
0x32b0 - 0x2c5c = 1620                      adds up, and is of numbers of the question
After that, e and d are left.               nobody reads this: it may be wrong
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from agentflow.domains import arithmetic, narration
from agentflow.domains.gym import sums
from agentflow.domains.gym.about import COUNT, About
from agentflow.domains.spelling import lowered, number, word_set

_CRAFT = word_set("""
    add adding addition adds after arm arms array base binary bit bits block board bottom
    brackets cell cells change character characters coefficient coefficients column columns
    convert converted converting converts cost count counting counts course courses cut decimal
    denominator destination difference digit digits disk distribute divide divides dividing
    division edge edges element elements entries entry equation expand expanding expansion
    factor factoring fill filling formula fraction goal graph grid group grouping halve halves
    hex hexadecimal imaginary input integer integers integral integrate integrating integration
    island items joined joining letter letters line lines list lists log loop magazine map
    mapping maps matrix middle move moved moves moving multiplication multiplied multiply
    multiplying needed node nodes note number numbers numerator palindrome parentheses
    parenthesis path paths peg pick pieces position positions power product program puzzle
    quotient reading reads real reverse reversed reverses reversing root roots rotate rotated
    rotating route row rows rule rules sequence shift shifted shifting simulate simulating sort
    sorted sorting split splits start starting states string strings substituting subtract
    subtracting subtraction sum summing symbol symbols table term terms time token tokens top
    trace tracing transform turn values variable word words
""")
"""Words of the tasks that claim nothing: what things are called, and what one does with them."""
_DONE = word_set("""
    available before comes completed constructed enough every finished fits formed holds occurs
    often possible present prerequisite prerequisites satisfied valid works yes
""")
"""Words that find so what Yes or True finds so."""
_CHAIN = re.compile(r"\w+(?: ?-> ?\w+){2,}")
_OPEN = re.compile(r"\d|[<>≤≥≠≈→=?%^√∈]")
_MANY = rf"(?P<n>{COUNT}|once|twice|thrice)"
_SIGN = r"[\"'`]?(?:[a-z]|[01](?=[\"'`s ]))[\"'`]?"
_BIT = r"(?:ones?|zeros?|zeroes|[01](?:'?s\b| bits?\b))"
_COUNTED = (
    re.compile(
        rf"(?<![\w'-])(?P<c>{_SIGN}(?:(?:,|,? and) {_SIGN})*|{_BIT})(?: ?(?:\*|:|=|->|\() ?| (?:is"
        rf" there|(?:appear|occur|show|come)s?(?: up)?) (?:exactly )?){_MANY}(?: times)?(?: each)?"
        r"\)?(?!\w|\.\d| ?[-+*/=])"
    ),
    re.compile(
        rf"(?<![\w.,-]){_MANY} (?:(?:of (?:them|these|which) )?are )?"
        rf"(?P<c>[\"'`]?[a-z][\"'`]?(?='s)|{_BIT})(?:'s)?(?!\w)"
    ),
)
"""``e *2``, ``p and c appear twice each``, ``17 ones``"""
_ROW = re.compile(r"\| *(?P<c>[a-z]) *\|(?P<n>(?: *\d+ *\|)+)")
_LONG = re.compile(rf"\b(?P<n>{COUNT}) (?:binary )?(?:digits|bits|characters)\b")
_MOVES = re.compile(rf"\b(?P<n>{COUNT}) (?:moves|steps)\b")
_BINARY = re.compile(r"(?<![\w.])(?:0b)?(?P<n>[01]{4,})(?![\w.]\w)")
_QUOTED = re.compile(r"\"(?P<said>[^\"\n]+)\"|(?P<list>\[[^\]\n]+\])")
_PERHAPS = re.compile(r"\b(?:if|not?|whether|true|false|infeasible)\b|\"|->|\A [^a-z]")
"""What makes of a sentence of the question something that may not be so."""
_OFTEN = {"once": 1, "twice": 2, "thrice": 3}
_QUIET = re.compile(r"and|'s\b|[\"'`]")


def is_told(sentence: str, about: About) -> bool:
    """Whether a sentence in plain signs claims nothing but what was found to be so."""
    question, said = lowered(about.question), lowered(about.said.strip())
    data = [line.rpartition(": ")[2] for line in question.split("\n") if ": " in line][-2:]
    strings = _strings(data, question)
    rest = re.sub(rf"(?<![\w.-]){re.escape(said)}(?=[\s*_`\"'.!)]*\Z)", " ", lowered(sentence))

    def drop(form: re.Pattern[str], is_so: Callable[[re.Match[str]], bool]) -> None:
        nonlocal rest
        rest = form.sub(lambda found: " " if is_so(found) else found[0], rest)

    for text in (said, *data):
        drop(_again(text), bool)
    if len(said) > 5 and not said.isdigit():
        rest = re.sub(rf"(?<!\w){re.escape(said)}(?!\w)", " ", rest)
    drop(_CHAIN, lambda found: _leads_on(found[0], question))
    rest = _asked_again(rest, question)
    drop(_QUOTED, lambda found: (found["said"] or found["list"]) in question)
    drop(_ROW, lambda found: _in_row(found, strings))
    for form in _COUNTED:
        drop(form, lambda found: _as_often(found, strings))
    drop(_LONG, lambda found: number(found["n"]) in map(len, strings))
    drop(_MOVES, lambda found: number(found["n"]) == len(re.findall(r"[^\s,]+", said)) > 1)
    drop(_BINARY, lambda found: found["n"] in strings)
    if "binary" in question or about.task == "count_bits":
        drop(re.compile(r"\d{3,}"), lambda found: f"{int(found[0]):b}" in strings)
    rest = sums.in_signs(rest)
    drop(sums.EQUATION, lambda found: _comes_out(found[0], about))
    words = _CRAFT | _DONE if said in ("true", "yes") else _CRAFT
    return narration.only(rest, words) and not _OPEN.search(rest)


def _strings(data: list[str], question: str) -> list[str]:
    """What a question gives to count in: its data, and its numbers in binary."""
    whole = [f"{int(one):b}" for one in re.findall(r"\b\d{2,}\b", question.rpartition("\n")[2])]
    return [re.sub(r"[\s,'\"]", "", line) for line in data] + whole


def _again(text: str) -> re.Pattern[str]:
    """What a text of several parts is, however they are set apart: ``a -> b``, ``a, b``."""
    parts = [re.escape(one) for one in re.findall(r"[^\s,|'\"\[\]()>]+", text)]
    listed = r"(?:->|[\s,|()])+(?:and |then )*".join(parts) if 1 < len(parts) < 200 else "(?!)"
    return re.compile(rf"(?<![\w.-]){listed}(?![\w.-]*\w)")


def _asked_again(rest: str, question: str) -> str:
    """A sentence without what is, word for word, in what the question tells to do."""
    asked = [f" {one} " for one in re.split(r"[.?!:]\s|\n", question)]
    asked = [one for one in asked if not _PERHAPS.search(one)]
    words = rest.split(" ")
    for size in range(min(len(words), 30), 2, -1):
        for begin in range(len(words) - size + 1):
            piece = " ".join(words[begin : begin + size]).rstrip(".,:")
            if re.search(r"[a-z]{3}", piece) and any(f" {piece} " in one for one in asked):
                rest = " ".join(words[:begin] + words[begin + size :])
                return _asked_again(rest, question)
    return rest


def _leads_on(chain: str, question: str) -> bool:
    """Whether each of a chain leads to the next: by an edge (``|1 2|``), or because none comes
    before what it needs (``(1, 0)``)."""
    places = re.findall(r"\w+", chain)
    needs = re.findall(r"\((\d+), (\d+)\)", question)
    if needs:
        known = {*places} == {one for pair in needs for one in pair}
        return known and all(places.index(a) > places.index(b) for a, b in needs)
    return all(f"|{a} {b}" in question for a, b in pairwise(places))


def _as_often(found: re.Match[str], strings: list[str]) -> bool:
    """Whether each of some signs is as often in one of the strings as is said."""
    many = _OFTEN.get(found["n"]) or number(found["n"])
    names = re.findall(r"ones?|zero(?:e?s)?|(?<![a-z\d])[a-z01]", _QUIET.sub(" ", found["c"]))
    signs = ["1" if one[:2] == "on" else "0" if one[:2] == "ze" else one for one in names]
    return any(all(one.count(sign) == many for sign in signs) for one in strings)


def _in_row(found: re.Match[str], strings: list[str]) -> bool:
    """Whether the numbers in a row of a table are how often its sign is in the strings."""
    told = [int(one) for one in re.findall(r"\d+", found["n"])]
    return told in ([one.count(found["c"]) for one in strings], [strings[-1].count(found["c"])])


def _comes_out(said: str, about: About) -> bool:
    """Whether all sides of an equation come to the same, and its numbers are known, or come of two
    that are; those are known from then on."""
    sides = [arithmetic.parse(one.strip()) for one in said.rstrip(". ").split("=")]
    values = [side and arithmetic.value(side) for side in sides]
    known = {abs(one) for one in about.known}
    known |= {abs(one) for a in known for b in known for one in (a * b, a + b, a - b)}
    for side, value in zip(sides, values, strict=True):
        if (
            side is None
            or value != values[0]
            or not known.issuperset(map(abs, arithmetic.numbers(side)))
        ):
            return False
        about.learn(arithmetic.numbers(side))
        known |= {abs(value)} if value is not None else set()
    return True
