"""What the number of an answer counts or measures, against what a question asks for.

``14 oranges`` are no answer to ``How many apples?``; ``120 minutes`` are 2 where hours are asked
for. A unit that the question says nothing of is not understood.
"""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise

from agentflow.domains.math.units import UNITS
from agentflow.domains.spelling import NUMBERS
from agentflow.tools.named_values import named
from agentflow.tools.quantities import Number, read_number, singular
from agentflow.tools.spelling import spelled

MAX_ASKED = 2_000
_VERBS = (
    "do|does|did|will|would|can|could|should|must|may|might|is|are|was|were|has|have|had|be|in|on"
    "|at|to|from|with|for|that|who|which|left|there|if|when|after|before|per|each|every|by|as"
)
_COUNTED = re.compile(
    rf"(?i)\bhow many (?:of )?(?!(?:{_VERBS})\b)([a-z][a-z' -]*?)(?=\s+(?:{_VERBS})\b|[^a-z' -]|\Z)"
)
_NUMBER_OF = re.compile(_COUNTED.pattern.replace(r"\bhow many ", r"\bnumber of "))
_ABROAD = re.compile(
    r"(?i)\b(?:wie ?viele|cu[aá]nt[oa]s|combien de|quant[ieoa]s?|hoeveel)\s+([^\W\d_]{2,})"
)
"""How many of which things other languages ask for."""
_THINGS = re.compile(r"(?P<number>-?\d+)\s+(?P<things>[^\W\d_]{2,})")
_TOLD = re.compile(r"\s+(?:is|are|was|were)\s+\W*\d")
"""How a number goes on that is told, and not asked for."""
_COUNTS = re.compile(r"(?P<number>-?\d[\d,]*(?:\.\d+)?)\s+(?P<things>[a-zA-Z][a-zA-Z' -]{1,60})")
_MORE = frozenset({"more", "fewer", "less", "extra", "additional", "total", "different", "other"})
"""What stands before the things that are counted, or in their place."""
_BEHIND_NUMBER = re.compile(rf"\b(?:\d[\d,.]*|{'|'.join(NUMBERS)})\s+([a-z]+)")
_ASKS_PERCENT = re.compile(r"(?i)\bwhat percent(?:age)?\b[^.?!]*[.?!]?\s*\Z")
_ASKS_NO_THING = re.compile(r"(?i)\bhow much\b|\bwhat percent")
_ORDINAL = re.compile(r"\d(?:\^?\{?\\?(?:text\{)?)(?:st|nd|rd|th)\b")
_ASKS_A_PLACE = re.compile(
    r"(?i)\d(?:st|nd|rd|th)\b|day\b|\b(?:which|when|dates?|place|position|rank|floor|grade"
    r"|percentile|century|row|term|digit|step|turn)\b"
)
"""What a question has that may ask for the place of something in an order."""
_DOLLARS = re.compile(r"\\?\$(?=[\d.,]*\d(?:[\s.,;:?!)]|\Z))")
_MONEY = {"€": " euro ", "£": " pound sterling ", "¥": " yen ", "%": " percent "}
_ASKED_KINDS = {
    "length": re.compile(r"\bhow (?:far|tall|deep|wide|high)\b|\bdistance\b|\bperimeter\b"),
    "money": re.compile(
        r"\bhow much (?:(?:more |total )?(?:money|profit|change)|do|does|did|will|would|can|is|in)"
        r"\b[^?]*\b(?:earn|make|pay|cost|spend|money|charge|owe|save|profit)|\bprice\b"
        r"|\bin dollars\b"
    ),
    "time": re.compile(
        r"\bhow old\b|\bage\b|\bhow long (?:does|did|will)\b[^?]*\btake\b"
        r"|\b(?:calculate|compute|determine|find|what(?: is| was|['’]s)) the (?:total )?time\b"
    ),
    "weight": re.compile(r"\bhow heavy\b|\bweigh"),
}
"""What a question asks for by its words -> how it does."""
_KINDS = {
    **{"imperial": "length", "calendar": "time", "mass": "weight"},
    **{"degree": "angle", "radian": "angle", "celsius": "scale", "fahrenheit": "scale"},
}
_FAST = re.compile(r"\b(?:speed|rate|fast|average)\b")
SENTENCE = re.compile(r"[.?!](?:\s+|\Z)")
_SPENT = frozenset({"money", "cost", "price", "salary", "pay"})
_OF_MONEY = _SPENT | {"euro", "sterling", "yen"}
_WORD = re.compile(r"[a-z]+")
_OF_A_SCALE = re.compile(r"degrees? ([cf])\b")
_SCALES = {"c": "celsius", "f": "fahrenheit"}
_RATE = re.compile(r"\b(?:per|an?|each|every|in)\b")
_NAMES = "|".join(word for word, unit in UNITS.items() if unit.kind != "count" and len(word) > 2)
_PER = re.compile(r"\b(?:per|each|every)\b")
_PER_ONE = re.compile(r"\b(?:per|an?|each|every|one|single|any|the)\b")
_IN_RATE = re.compile(rf"\b(?:in|how many) (?:{_NAMES}) (?:per|an?) (?P<per>{_NAMES})\b")
"""A question that names the rate it asks for: ``in miles per hour``"""
_JOINING = frozenset({"of", "a", "an", "the", "in", "each", "every", "per"})
_SPELLED_OUT = {"mph": "mile hour", "kph": "kilometer hour", "kmh": "kilometer hour"}
_ANY = frozenset({"unit", "square", "cubic", "degree", "year", "percent"})
"""Measures that a question need not name: of a drawing, an angle, an age."""
_UNIT_ASKED = re.compile(
    rf"(?i)\bhow many ({_NAMES})\b|\b(?:what|how|find|calculate)\b[^.?!]* in ({_NAMES})\s*[.?]"
)
_ASKS_SHARE = re.compile(
    r"(?i)\b(?:probability|fraction|chance|odds|proportion|likelihood"
    r"|what (?:part|portion|share))\b"
)
_MARKED = re.compile(r"(?P<number>-?\d[\d.,/ ]*)\s?(?P<mark>['’′]{1,2}|[\"”″])")
_ENDS_MARKED = re.compile(r"\d\s?['’′\"”″]{1,2}\s*\Z")
_MARKS = {1: "feet", 2: "inches"}
"""How many strokes mark a length -> its unit."""
_AMOUNT = r"\$?\d[\d,]*(?:\.\d+)?"
_COMPOUND = re.compile(
    rf"(?P<most>\$?\d[\d,]*)(?:\s+(?P<large>{_NAMES}|ft))?(?:\s*,)?(?:\s+and)?"
    rf"\s+(?P<rest>{_AMOUNT})\s+(?P<small>{_NAMES}|in)",
    re.IGNORECASE,
)
_EACH = re.compile(r"(?<=\d) (?:an?|each|every) (?=(?:second|minute|hour|day|week|month|year)\Z)")
_IN_ALL = re.compile(
    r"(?:(?:exactly|just|only|a total of|total of|in total,?) )?(?P<said>\S.*?)"
    r"(?:,? (?:in total|altogether|in all|total|overall|(?P<then>now|left|remaining)))?"
)
_REMARKED = re.compile(r"(?P<said>[^()]*[^()\s])\s*\((?P<again>[^()]+)\)(?P<unit>(?: [a-z]+)*)")
_SET = re.compile(r"\$(?P<said>[^$]+)\$(?= [a-z])")
_SHARE = re.compile(
    r"(?P<number>[^a-zA-Z]*\d[^a-zA-Z\\]*|\\?\(?\$?\\[dt]?frac\S+|\d+ percent)"
    r" ?(?P<whole>of [a-z' ]+)"
)
_UNCLEAR = re.compile(r"-?[\d.]+(?:-| |h)\d+(?:m|min)?")
"""A range, or two numbers."""
_RATIO = re.compile(r"-?[\d.]+(?::[\d.]+)+")
"""A ratio, or a time."""
_NOT_EQUAL = re.compile(r"\\ne(?![a-zA-Z])|≠")
_TIMES = re.compile(r"(?<=\d) ?x ?(?=\$?\d)")
_ONE_IN = re.compile(r"(\d{1,9}) (?:in|out of) (\d{1,9})")


def said_plainly(question: str, answer: str) -> str:
    """An answer without words that only round off what it says: ``a total of 14 apples``, ``14
    (apples)``, ``3/4 of the cake``; what is said in two units in one."""
    answer = _SET.sub(r"\g<said>", _EACH.sub(" per ", " ".join(answer.split())))
    if len(answer) > MAX_ASKED:
        return answer
    if number := _counted_abroad(question, answer):
        return number
    low = question.lower()
    if (found := _IN_ALL.fullmatch(answer)) and (not found["then"] or found["then"] in low):
        answer = found["said"]
    if found := _REMARKED.fullmatch(answer):
        said = _remarked(found["said"], found["again"])
        answer = f"{said}{found['unit']}" if said else answer
    if found := _COMPOUND.fullmatch(answer):
        return _compound(found) or answer
    if _ASKS_SHARE.search(question) and (found := _ONE_IN.fullmatch(answer)):
        return f"{found[1]}/{found[2]}"
    found = _SHARE.fullmatch(answer)
    if found and (found["whole"] in low or _words(found["whole"]) <= _words(low)):
        return found["number"].strip()
    return _TIMES.sub(" * ", answer)


def marked(question: str, answer: str) -> str | None:
    """``14 feet`` for ``14'`` where a question speaks of feet or inches; None where it does not:
    there the mark may be anything. Another answer is itself."""
    found = _MARKED.fullmatch(answer.strip())
    if found is None:
        return None if _ENDS_MARKED.search(answer) else answer
    told = _words(question[-MAX_ASKED:].lower())
    if not told & {"foot", "feet", "inch"}:
        return None
    strokes = len(found["mark"]) if found["mark"][0] in "'’′" else 2
    return f"{found['number'].strip()} {_MARKS[strokes]}"


def _remarked(said: str, again: str) -> str | None:
    """What is said with a remark behind it: its unit, or the number once more."""
    one, other = _number(said), _number(again)
    if one and other and (one.value, one.percent) == (other.value, other.percent):
        return said if one.unit or not other.unit else again
    whole = _number(f"{said} {again}") if one and not one.unit else None
    return f"{said} {again}" if whole and whole.unit else None


def _number(text: str) -> Number | None:
    """The number that a text is once it is spelled plainly, with its unit."""
    return read_number(spelled(text))


def _compound(found: re.Match[str]) -> str | None:
    """``3.5 dollars`` for ``3 dollars and 50 cents``."""
    large = "dollars" if found["most"].startswith("$") else (found["large"] or "").lower()
    units = UNITS.get(large), UNITS.get({"in": "inch"}.get(found["small"], found["small"].lower()))
    if not (units[0] and units[1]) or units[0].kind != units[1].kind:
        return None
    if units[0].factor <= units[1].factor:
        return None
    most, rest = (Fraction(found[name].lstrip("$").replace(",", "")) for name in ("most", "rest"))
    return f"{most + rest * units[1].factor / units[0].factor} {large}"


def names_another(question: str, answer: str) -> bool:
    """Whether the number of an answer counts or measures something that the question does not ask
    for, or says nothing of: ``14 oranges``, ``$14`` where a count is asked."""
    if _ORDINAL.search(answer) and not _ASKS_A_PLACE.search(question):
        return True
    text = spelled(answer)
    value = named(text)
    number = read_number(value[1] if value else text)
    if number is None or not number.unit:
        return False
    question = question[-MAX_ASKED:].lower()
    told, unit = _words(question), number.unit
    asked = _asked(question)
    words, main = _words(unit), _WORD.findall(_RATE.split(unit)[0].partition(" of ")[0])
    measures = {word for word in words if _measure(word)}
    if _ASKS_PERCENT.search(question):  # 25 euros
        return True
    if asked and not any(map(_singly, asked)):  # "How many more did she find?"
        return words != _counted_alone(question)
    if asked:
        heads = set().union(*(_words(_counted(one)) for one in asked))
        if (each := _PER.search(unit)) and not _asks_per(question, _words(unit[each.end() :])):
            return True
        if any(map(_measure, heads)):
            return not measures and not words <= heads
        things = set().union(*(_things(_counted(one)) for one in asked))
        return not (words <= told | things and main and singular(main[-1]) in things)
    if things := words - measures:
        of_it = things <= told and bool(main) and _measure(singular(main[-1]))  # cups of flour
        if not of_it or not _PER.search(unit):
            asks_none = _ASKS_NO_THING.search(question) is not None
            return not of_it and (not things <= told or asks_none)
    return _measures_another(question, told, unit)


def _asks_per(question: str, things: set[str]) -> bool:
    """Whether a question asks how many there are per such a thing."""
    asked = [one for one in SENTENCE.split(question) if re.search(r"\b(?:how many|number)\b", one)]
    behind = [_PER_ONE.split(one, maxsplit=1)[1:] for one in asked]
    return any(things <= _words(" ".join(one)) for one in behind)


def number_asked_for(question: str, answer: str) -> str | None:
    """The number of an answer that repeats the things whose number is asked for (``52 checks``, ``1
    card`` of several ``cards``); None for any other."""
    found = _COUNTS.fullmatch(answer.strip(" .*$"))
    if found is None:
        return None
    things, said = _singly(found["things"]), f"{found['things'].lower()} "
    asked = [one for one in _asked(question[-MAX_ASKED:].lower()) if _singly(one)]
    several = said.endswith("s ")  # what begins with several things goes on with a verb
    same = any(_singly(one) == things or (several and one.startswith(said)) for one in asked)
    return found["number"] if same else None


def _counted_abroad(question: str, answer: str) -> str | None:
    """The number of an answer that repeats the thing whose number is asked for in another
    language (``12 Karten``); None for any other."""
    found = _THINGS.fullmatch(answer.strip(" .*$"))
    asked = {things.lower() for things in _ABROAD.findall(question[-MAX_ASKED:])}
    return found["number"] if found and found["things"].lower() in asked else None


def _asked(question: str) -> list[str]:
    """What a question asks the number of, with what stands behind that."""
    numbers = (one for one in _NUMBER_OF.finditer(question) if not _TOLD.match(question, one.end()))
    return _COUNTED.findall(question) or [one[1] for one in numbers]


def _singly(things: str) -> list[str]:
    """The words for things, each in the singular, without ``more`` in front of them."""
    words = [singular(word) for word in re.findall(r"[a-z'-]+", things.lower())]
    while words and words[0] in _MORE:
        del words[0]
    return words


def _counted_alone(question: str) -> set[str]:
    """The one thing that all numbers in a question count; nothing where they count several."""
    found = {singular(word) for word in _BEHIND_NUMBER.findall(question)}
    return found if len(found) == 1 else set()


def _measures_another(question: str, told: set[str], unit: str) -> bool:
    """Whether a unit is none of what a question asks for, as far as it speaks of units at all; one
    of the same kind as those that it names is another one.

    Args:
        told: The words of the question.
    """
    last = next(filter(None, reversed(SENTENCE.split(question))), "")
    named = {kind for kind, asks in _ASKED_KINDS.items() if asks.search(last)}
    told = told | {"year"} if "how old" in last else told
    kinds = named or {kind_of(word) for word in told} - {""}
    rate = _RATE.search(unit)
    per = _words(unit[rate.end() :]) if rate else set()
    one_of = {*_WORD.findall(last)}  # a rate per visit is not asked for in "these visits"
    fast = _FAST.search(last) and all(map(_measure, per))
    if not kinds or not (per <= one_of or fast):
        return bool(kinds)
    if (in_rate := _IN_RATE.search(last)) and per and per != _words(in_rate["per"]):
        return True
    words = _words(unit[: rate.start()] if rate else unit)
    if named and words & _ANY - {"unit", "percent"} - ({"year"} if "time" in named else set()):
        return True  # 30 degrees of money
    words -= _ANY
    others = set() if _asked_unit(question) else {kind_of(word) for word in told - _SPENT}
    return any(
        kind_of(word) not in kinds or (word not in told and kind_of(word) in others)
        for word in words
    )


def _counted(asked: str) -> str:
    """What is counted of what a question asks for: the bags of ``bags of apples``."""
    return re.sub(r"^(?:the|his|her|their|its|your|my) ", "", asked.strip()).partition(" of ")[0]


def _things(counted: str) -> set[str]:
    """What may be counted of a name, in the singular: the words in the plural (``trees`` of ``apple
    trees``), with the word before them, too (``shoe boxes`` are shoeboxes); all where none is."""
    words = [one for one in counted.split() if "'" not in one]
    several = {one for one in words if one != singular(one)} or {*words}
    joined = {f"{one}{other}" for one, other in pairwise(words) if other in several}
    return _words(" ".join(several | joined))


def _words(text: str) -> set[str]:
    """The words of a text in the singular, with those that signs stand for."""
    text = _DOLLARS.sub(" dollar ", text)
    for sign, word in _MONEY.items():
        text = text.replace(sign, word)
    text = _OF_A_SCALE.sub(lambda scale: f"degree {_SCALES[scale[1]]}", text.lower())
    found = (_SPELLED_OUT.get(word, singular(word)) for word in _WORD.findall(text))
    return {one for word in found for one in word.split()} - _JOINING


def _measure(word: str) -> bool:
    """Whether a word is a unit, and counts no things."""
    return word in _ANY or kind_of(word) != ""


def kind_of(word: str) -> str:
    """What a unit measures; empty for any other word."""
    unit = UNITS.get(word) if len(word) > 1 else None
    kind = unit.kind if unit else "money" if word in _OF_MONEY else word
    if kind in _KINDS:
        return _KINDS[kind]
    return kind if (unit and kind != "count") or kind == "money" else ""


def in_asked_unit(question: str, answer: str) -> str:
    """A bare number with the unit that a question asks for, if it asks for one alone."""
    unit, number = _asked_unit(question), _number(answer)
    bare = unit and number and not number.unit and not number.percent
    return f"{answer} {unit}" if bare else answer


def _asked_unit(question: str) -> str:
    """The unit that a question asks for; empty where it names none, or several."""
    words = {word.lower() for pair in _UNIT_ASKED.findall(question[-MAX_ASKED:]) for word in pair}
    asked = {UNITS[word]: word for word in sorted(words - {""})}
    return next(iter(asked.values())) if len(asked) == 1 else ""


def are_of_two_kinds(question: str, answer: str, other: str) -> bool:
    """Whether one of two answers is odds, a range, a percentage, or what something is not, and the
    other is none, so that the question does not tell whether they may be compared.

    Args:
        answer, other: In the spelling of :func:`agentflow.tools.equality.normal_form`.
    """
    for kind in (_RATIO.fullmatch, _UNCLEAR.fullmatch, _NOT_EQUAL.search):
        if bool(kind(answer)) != bool(kind(other)):
            return True
    one, its = read_number(answer), read_number(other)
    if one is None or its is None:
        return False
    if "percent" in question:
        bare = not (one.percent or its.percent or one.value == its.value)
        return bare and one.value in (100 * its.value, its.value / 100)
    if one.percent == its.percent:
        return False
    if "how many" in question.lower() or _asked_unit(question):
        return True
    return bool(one.value == its.value)
