"""The sentence that a reply ends in, where it says a number that the reply comes to.

    2 × 22 = 44 and 37 + 44 = 81. Fatima has **81 stamps** in the end.    Fatima has 81 stamps ...
    Ada has 28 seeds. Together they have 114 seeds.                       None: where from?

Whether it is the number that is asked for is :mod:`~agentflow.domains.math.naming`'s to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from agentflow.domains import answers
from agentflow.domains.answers import conclusions, fronts
from agentflow.domains.answers.doubt import is_denied, is_doubted, is_untrue, quoted
from agentflow.domains.math.expressions import parse, readings
from agentflow.domains.math.notation import spelled
from agentflow.domains.math.values import value as exactly
from agentflow.domains.spelling import NUMBERS

DRAWS_ON = "draws on: "
"""What marks, among the grounds of an answer, the numbers that a reply does not work out."""
SUPPOSES = "supposes: "
"""What marks, among them, a condition of the answer."""
DERIVES = "derives from: "
"""What marks, among them, the numbers of a reply that uses all that it works out for its answer."""
_MAX = 240
_MAX_TEXT = 20_000
_SENTENCE = re.compile(r"(?<=[.!?:])\s+(?=[^\W\d_a-z]|[*$\\(\d])|\n+|(?<=\d)\. (?=[A-Z])")
_CLAUSE = re.compile(
    r"(?i),? (?:and )?\b(?:so|thus|therefore|hence|which means)(?: that)?,? |; "
    r"|, (?:leaving|making|giving)(?: (?:him|her|them|it|us|a total of))? "
    r"|, (?:and )?(?=[(\d][^,]*=)|, (?=(?:which|that|this) (?:makes|leaves|gives|comes to)\b)"
)
_DIGITS = r"\\?\$?\d[\d,]*(?:\.\d+)?(?:/\d+)?(?![\d/])(?:\s?\\?%)?"
_NUMBER = re.compile(rf"(?<![\w.]){_DIGITS}")
_AMOUNT = rf"(?P<n>{_DIGITS})(?P<tail>[^\d=]*)"
_FRONT = re.compile(r"(?P<lead>[^\d=($]*?)(?P<work>[-(]*\$?[\d(][^=]*)?")
_RESULT = re.compile(
    r"=\s*[*$\\( ]*(?=-?\d)(?P<n>-?\$?\d[\d,]*(?:\.\d+)?(?:/\d+)?)(?![\d.]*[^\S\n]*[-+×*/÷^])"
)
_WORKED = re.compile(r"(?<=\d)(?:\s?(?!of\b|and\b|percent\b)[a-z][a-z'-]*)+")
_SIGNED = re.compile(r"[-−–±~≈<>≤≥≠!√][\s\\$(*]*\Z")
"""What ends in a sign of the number behind it: ``It is -`` of ``It is -$30``."""
_TYPESET = re.compile(r"\$(?=\S)([^$]*?[\d)}])\$(?!\d)|\\[()\[\]]|\$\$")
_TEXT = re.compile(r"\\(?:text|mathrm|mathbf|textbf)\{([^{}]*)\}")
_SIGNS = {"\\times": "×", "\\cdot": "×", "\\div": "÷", "\\%": "%", "\\$": "$", "\\,": " "}
_MAX_NUMBERS = 40
_SHARES = {"half": Fraction(1, 2), "third": Fraction(1, 3), "quarter": Fraction(1, 4)}
_KNOWN = frozenset(map(Fraction, (0, 1, 2, 7, 12, 24, 30, 52, 60, 100, 365, 1000, 5280)))
_BECAUSE = re.compile(r",? (?:because|since) [^.]*(?:\.\d[^.]*)*[.\s]*\Z")
_ABOUT = re.compile(
    r"(?:\s*(?:≈|\\approx)|,? (?:or|which is) (?:about|approximately|roughly))"
    r"\s*\\?\$?[\d.,]+\s?%?\s*\Z"
)
"""The same once more, rounded."""
_ABOUT_IT = re.compile(r"(?:≈|\\approx(?![a-z]))\s*\\?\$?\d[\d.,]*")
_NAMED = re.compile(r"(?P<name>[a-zA-Z](?:\(-?[\w./]{1,8}\))?) ?= ?(?P<said>[^=]+)")
_LETTER_IS = re.compile(r"([a-z]) = -?\d[\d.,/]*[.\s]*")
_EQUATION = re.compile(r"(?!.*[a-zA-Z]{3})[^?<>≤≥≠]*")
_SO_NAMED = re.compile(
    r"(?i)(?:so|thus|therefore|hence),? (?P<said>[a-z](?:\(-?[\w./]{1,8}\))? ?= ?[^=]+?)[.\s]*"
)
_NUMBER_BOX = re.compile(
    r"(?:\\[(\[]\s*|\$\$?\s*)?"
    r"\\boxed\{(?P<said>-?\\?\$?\d[\d,]*(?:\.\d+)?(?:/\d+)?\\?%?)\}(?:\s*\\[)\]]|\s*\$\$?)?"
)
_ENDS_SENTENCE = re.compile(r"(?: [a-z][^\n.!?]*)?[.!\s]*")
_ONE_CLAUSE = re.compile(
    r"(?:(?:So|Thus|Therefore|Hence|Finally|Overall|In conclusion|In total|In summary),? )?"
    r"[A-Za-z\d][^,;:=\\]*"
)
_IF = re.compile(r"(?P<so>(?:So|Thus|Therefore|Hence),? )?[Ii]f (?P<what>[^,:;\\]{3,120}), (?=\w)")
_WITH = re.compile(r" with\s*\Z")
_NAMES_BELOW = re.compile(r"\b(?:is|are|was|were|equals|with|gets|has|have|pays?|costs?|earns?):\Z")
"""The words in front of a box, but for what leads to it."""
_SHARE = re.compile(r"\b\d+% (?=[a-z])")
_SIDE = re.compile(r"[.;:,=]\s|\n")
_UNKNOWN = re.compile(r"(?<![a-zA-Z'’$])(?:[b-zB-HJ-Z]|\d[a-z])(?![a-zA-Z'’])")
"""A letter for a number on a side of an equation, which states something and works nothing out."""
_OF_THINGS = re.compile(
    r"(?<=[a-z] )\d+ (?=[a-z]{3,}(?: [a-z]+)* (?:is|are|was|were|be|costs?) \$?[\d(][^a-z]*=)"
)
"""How many things there are of which a calculation is: ``The cost of the 4 hats is 4 * 5 = 20``."""
_LABEL = re.compile(r"\A\W*(?:[Ss]tep \d+|\d{1,2}|[-*•])[.):]?\s+(?=[A-Z])")


class Ending(NamedTuple):
    """A clause with one number at the end of its calculation.

    Attributes:
        lead: The words before it.
        number: The number as it is written.
        tail: What stands behind it.
        worked: Whether the clause works it out.
    """

    lead: str
    number: str
    tail: str
    worked: bool


def last(text: str) -> str | None:
    """The clause that a text ends in, where it says a number that the text comes to, or the only
    one; None for any other ending, and where a calculation of it does not hold."""
    text = answers.ending(text)
    if len(text) > _MAX_TEXT:
        return None
    lines = text.rstrip().split("\n")
    before, line = "\n".join(lines[:-1]), _plain(lines[-1])
    if line.startswith((">", "#", "|", "`")) or answers.asks(line):
        return None
    line = re.sub(r"[^\w.!%)]+\Z", "", _LABEL.sub("", line))
    *above, sentence = _SENTENCE.split(line)
    if above and above[-1].endswith(":"):
        sentence = f"{above.pop()} {sentence}"
    before = "\n".join([before, *above])
    if is_untrue(sentence) or quoted(sentence) or len(sentence) > _MAX:
        return None
    sentence = _ABOUT.sub("", _BECAUSE.sub("", sentence))
    *led, clause = _CLAUSE.split(sentence)
    if read(clause.strip(" .!")) is None and re.search(r", [a-z]", clause):
        front, _, clause = clause.rpartition(", ")
        led.append(front)
    if any(is_denied(one) or is_doubted(one, "") for one in (*led, *above[-1:])):
        return None
    under = False
    for one in before.split("\n"):
        under = answers.supposed(one, under)
    clause = _OF_THINGS.sub("", clause.strip(" .!").replace(";", ","))
    found = None if under else read(clause)
    if under or (found and is_bare(found) and (led or above)):
        return None
    told = _plain("\n".join([before, *led]))
    results = [worth(one["n"]) for one in _RESULT.finditer(told)]
    numbers = [worth(one[0]) for one in _NUMBER.finditer(told)]
    if found is None:  # a number of the question stands beside it
        beside = [worth(one[0]) for one in _NUMBER.finditer(clause)]
        sure = "=" not in clause and len(beside) < 4 and beside.count(*results[-1:] or [None]) == 1
        return clause if sure else None
    own = worth(found.number)
    percents = [one * 100 for one in results[-1:] if one and "%" in found.number]
    supported = found.worked or not numbers or own in (*results[-1:], *numbers[-1:], *percents)
    return clause if supported else None


def unboxed(text: str) -> str | None:
    """A text without the only box that it has, around a number in its last sentence, for what is
    said there of the number: of what is in no other clause, and in no formula; None for any other
    text."""
    text = text.rstrip()
    found = _NUMBER_BOX.search(text) if text.count("\\boxed") == 1 else None
    if found is None or not _ENDS_SENTENCE.fullmatch(text[found.end() :]):
        return None
    lead, behind = text[: found.start()], text[found.end() :]
    if lead.rstrip().endswith(":"):
        joined = _NAMES_BELOW.search(lead.rstrip())  # her age is:
        lead = f"{lead.rstrip()[:-1]} " if joined else f"{lead.rstrip()}\n\n"
        if not joined:
            return f"{lead}{found['said']}"
    *_, sentence = _SENTENCE.split(lead)
    if condition := _IF.match(sentence):  # supposing() says what it is
        front = lead[: len(lead) - len(sentence)]
        lead = f"{front}{condition['so'] or ''}{sentence[condition.end() :]}"
        sentence = sentence[condition.end() :]
    tail = behind.rstrip(" .!\n")
    around = (_WITH.sub("", sentence), tail if tail.count(" ") < 3 else "")
    own = _ONE_CLAUSE.fullmatch(sentence) and not any(map(fronts.is_of_others, around))
    return f"{lead}{found['said']}{behind}" if own else None


def supposing(text: str) -> Iterator[str]:
    """The condition under which the last sentence of a text has a number in a box."""
    found = _NUMBER_BOX.search(text)
    *_, sentence = _SENTENCE.split(text[: found.start()]) if found else [""]
    if condition := _IF.match(sentence):
        yield f"{SUPPOSES}{condition['what'].replace(';', ',')}"


def chained(text: str) -> str | None:
    """The last line of a text whose last lines each say again what a name is: ``f(2) = 3 * 2 + 1``,
    and below it ``f(2) = 7``; None for any other ending."""
    lines = [_plain(one) for one in answers.ending(text).rstrip().split("\n") if one.strip()]
    so = _SO_NAMED.fullmatch(lines[-1]) if lines else None
    if so and len(lines) > 1:
        return so["said"]
    found = [_NAMED.fullmatch(one.rstrip(" .")) for one in lines[-2:]]
    letter, above = _LETTER_IS.fullmatch(lines[-1]) if lines else None, lines[-3:-1]
    of_it = letter and all("=" in one and letter[1] in one for one in above)
    if len(above) == 2 and of_it and all(map(_EQUATION.fullmatch, above)):
        return lines[-1].rstrip(" .")
    if len(found) < 2 or not all(found) or len({one["name"] for one in found if one}) > 1:
        return None
    worths = [_value(one["said"]) for one in found if one]
    last = worth(found[-1]["said"]) if found[-1] else None
    held = last is not None and worths[0] in (None, last)
    return lines[-1].rstrip(" .") if held else None


def read(clause: str) -> Ending | None:
    """The parts of a clause with one number, or with a calculation that holds and comes to it."""
    first, *sides = clause.split("=")
    if not sides:
        found = re.fullmatch(rf"(?P<lead>[^\d=]*?){_AMOUNT}", clause)
        if found is None or _SIGNED.search(found["lead"]):
            return None
        return Ending(found["lead"], found["n"], found["tail"], worked=False)
    front, result = _FRONT.fullmatch(first.strip()), re.fullmatch(_AMOUNT, sides[-1].strip())
    if front is None or result is None:
        return None
    work = [front["work"] or "", *sides[:-1]]
    values = [_value(side) for side in work if side.strip()]
    if not values or any(value != worth(result["n"]) for value in values):
        return None
    return Ending(front["lead"], result["n"], result["tail"], worked=True)


def is_bare(ending: Ending) -> bool:
    """Whether an ending is a number and nothing else."""
    return not (ending.lead or ending.tail.strip(" .") or ending.worked)


def worth(number: str) -> Fraction | None:
    """What a number is worth, as it is written; percents are its plain number."""
    plain = number.strip("\\$ %").replace(",", "").rstrip(".").replace("$", "")
    top, _, bottom = plain.partition("/")
    try:
        return Fraction(top) / Fraction(bottom or 1)
    except (ValueError, ZeroDivisionError):
        return None


def draws_on(text: str) -> Iterator[str]:
    """The numbers that a reply does not work out itself, for :func:`are_given`."""
    text = _ABOUT_IT.sub("", _plain(text))
    own = {worth(one["n"]) for one in _RESULT.finditer(text)}
    told = dict.fromkeys(one for one in _numbers(text) if one not in own)
    yield f"{DRAWS_ON}{' '.join(map(str, told))}|{' '.join(str(one) for one in own if one)}"


def derives(text: str, clause: str) -> Iterator[str]:
    """The numbers of a text, where that of the clause that is its answer is the last that it works
    out, and all that it works out before stand again behind their calculations."""
    found, text = read(without_share(clause).strip(" .!")), _plain(text)
    results = [
        (worth(one["n"]), one.end())
        for one in _RESULT.finditer(text)
        if not _UNKNOWN.search(_SIDE.split(text[max(0, one.start() - 60) : one.start()])[-1])
    ]
    if found is None or is_bare(found) or not results or results[-1][0] != worth(found.number):
        return
    numbers = [(worth(one[0]), one.start()) for one in _NUMBER.finditer(text)]
    last = {number: place for number, place in numbers if place < results[-1][1]}
    if all(last.get(one, 0) >= end for one, end in results[:-1] if one != results[-1][0]):
        yield f"{DERIVES}{' '.join(str(one) for one, _ in numbers if one is not None)}"


def without_share(clause: str) -> str:
    """A clause without bold print, and the number of a share that only names a thing: ``the 10%
    discount``."""
    return _SHARE.sub("", clause.replace("**", ""))


def uses_all(question: str, ground: str) -> bool:
    """Whether a reply with these numbers uses every one that its question has in digits, or its
    share of a hundred; that there is one of something nobody has to use."""
    used = {*map(Fraction, ground.split()), Fraction(1)}
    asked = map(worth, _NUMBER.findall(_plain(question)))
    return all({one, one / 100} & used for one in asked if one)


def leads_past(answer: str, first: str) -> bool:
    """Whether an answer is the end of a derivation, and not what a reply says first."""
    said, grounds = conclusions.parted(answer)
    derived = any(one.startswith(DERIVES) for one in grounds)
    return derived and numbers(said)[-1:] != numbers(first)[-1:]


def are_given(question: str, ground: str) -> bool:
    """Whether the numbers that a reply draws on are those of the question, those that it works
    out, or what two of them come to."""
    parts, asked = ground.split("|"), {*_numbers(question)}
    told, own = ([*map(Fraction, part.split())] for part in parts)
    if not own and (len(told) == 1 or {*told} <= asked):
        return not {*told} <= asked
    return _come_from(told, {*asked, *own}, question)


def come_from(text: str, question: str, *others: Fraction) -> bool:
    """Whether all numbers of a text are those of a question, these others, those that the text
    works out, or what two of them come to."""
    own = {worth(one["n"]) for one in _RESULT.finditer(_plain(text))} - {None}
    return _come_from(numbers(text), {*_numbers(question), *others, *filter(None, own)}, question)


def numbers(text: str) -> list[Fraction]:
    """What the numbers of a text are worth, in order."""
    return [*_numbers(_ABOUT_IT.sub("", _plain(text)))]


def _come_from(told: list[Fraction], known: set[Fraction], question: str) -> bool:
    if len(told) > _MAX_NUMBERS:
        return False
    known |= {share for word, share in _SHARES.items() if word in question.lower()}
    for number in told:
        if number not in known | _KNOWN and number not in _from_two(known):
            return False
        known.add(number)
    return True


def _from_two(known: set[Fraction]) -> set[Fraction]:
    """What two numbers, or one and what everybody knows, come to."""
    found = {one * other for one in known for other in _KNOWN}
    found |= {one + few for one in known for few in (-2, -1, 1, 2)}  # neighbours
    for one, other in combinations(sorted(known)[-60:], 2):
        found |= {one + other, other - one, one * other, one * other / 100}
        found |= {60 * one + other, 60 * other + one}  # hours and minutes
        found |= {other / one, one / other} if one and other else set()
        whole = one.denominator == other.denominator == 1 and 0 <= one <= other <= 12
        found |= {one ** int(other), other ** int(one)} if whole else set()
    return found


def _numbers(text: str) -> Iterator[Fraction]:
    for found in re.finditer(rf"(?i){_NUMBER.pattern}|\b(?:{'|'.join(NUMBERS)})\b", text):
        word = found[0].lower()
        value = Fraction(NUMBERS[word]) if word in NUMBERS else worth(word)
        if value is not None:
            yield value


def _value(side: str) -> Fraction | None:
    """What a calculation comes to, the units in it left out."""
    tree = parse(spelled(_WORKED.sub("", side)).strip(), last=False)
    meant = [] if tree is None else readings(tree)
    return exactly(meant[0]) if len(meant) == 1 else None


def _plain(text: str) -> str:
    """A text without what only sets type."""
    text = _TEXT.sub(r"\1", text.replace("**", "").replace("__", ""))
    for sign, plain in _SIGNS.items():
        text = text.replace(sign, plain)
    text = re.sub(r"\\[dt]?frac\{([\d.]+)\}\{([\d.]+)\}", r"\1/\2", text)
    return _TYPESET.sub(lambda one: one[1] or "", text).replace("−", "-").strip()
