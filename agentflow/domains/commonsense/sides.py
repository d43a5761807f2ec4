"""Whether what is said beside a yes or a no sets the two sides of a question against each other the
other way round, or speaks of more, or of fewer, things than the question has.

Is the wall longer than the river?   No. The wall is 900 km long, the river 80 km.   at odds
Can a goat outrun a horse?           No. A goat beats a horse.                       at odds
Do all birds fly?                    No. Every bird does.                            at odds
Can a goat outrun a horse?           Neither happened. Answer: no                    not understood
"""

from __future__ import annotations

import re

from agentflow.domains import spelling
from agentflow.domains.commonsense import reasons
from agentflow.domains.sentence_ends import sentence_end
from agentflow.domains.spelling import word_set

_SENTENCE = sentence_end(".!?", r";\s*")
_OUT = {
    **{"outrun": "faster", "outpace": "faster", "outswim": "faster", "outfly": "faster"},
    **{"outweigh": "heavier", "outlast": "longer", "outgrow": "taller", "outnumber": "more"},
    **{"exceed": "greater", "overtake": "faster"},
}
"""What a verb says of its subject beside its object."""
_OUT_OF = re.compile(rf"\b(?P<verb>{'|'.join(_OUT)})s?\b")
_WINS = re.compile(
    r"\b(?:wins?|beats?|defeats?|exceeds?|surpass(?:es)?|out[a-z]{3,}s?)\b(?: than\b)?"
)
_LOSES = re.compile(
    r"\b(?:loses?(?: to)?|(?:measures?|weighs?) less(?: than)?|falls? short(?: of)?"
    r"|(?:falls?|lags?) behind)\b"
)
_TOO = re.compile(r"\btoo (?P<how>[a-z]+)\b(?! (?:to|for)\b)")
_NOT = re.compile(r"\b(?:not|never|cannot|no|nor|neither|none|nothing|nobody|if)\b|n't\b")
_UNITS = {
    "m km cm mm ft mi meters metres kilometers kilometres miles feet inches meter mile foot": (
        "longer shorter taller higher lower wider deeper"
    ),
    "km mph kmh kph m miles knots kilometers kilometres": "faster slower",
    "kg g t lb lbs tons tonnes pounds kilograms grams": "heavier lighter",
    "years": "older younger",
}
"""Units -> the orders that their numbers tell of."""
_MORE = word_set("longer taller higher wider deeper faster heavier older")
_CLAUSE = re.compile(r",? (?:and|while|but|whereas)\b,? |[,;:] ")
_AMOUNT = re.compile(r"(?<![\d.,])(?P<n>\d[\d,]*(?:\.\d+)?) ?(?P<unit>[a-z]+)")
_TWO = re.compile(r"\W*(?:neither|both)\b")
_HAS_TWO = re.compile(r"\b(?:and|or|both|either|neither|two|each|same)\b")
_ALL = re.compile(
    r"\W*(?:they all|(?:all|each|every one|none)(?: of (?:them|these|those|the))?"
    r"(?: (?:do|does|are|is)\b)"
    r"|none of (?:them|these|those)|(?:without|there (?:is|are) no) exceptions?"
    r"|(?:all|every|each) (?:of the )?(?P<of>[a-z]+)\b)"
)
_ASKS_ALL = re.compile(r"\b(?:all|every|each)\b")
_DOES = re.compile(r"\b(?:does|do|can|could|will|would|is|are)\W*\Z")
"""The end of a sentence that says of its subject what is asked."""
_SCENE = re.compile(r" (?:on|in|at|over|under|across|through|by|during) [^?]*")
"""Where two things are set against each other."""
_SOME = re.compile(r"\b(?:not (?:all|every)|except\w*|but|almost|nearly|only|most)\b")


def at_odds(question: str, said: str, text: str) -> bool:
    """Whether something beside a yes or a no, ``said``, is at odds with it or the question."""
    asked, low = (spelling.plain(one).lower().replace("*", "") for one in (question, text))
    sentences = [one.strip() for one in _SENTENCE.split(low) if one.strip()]
    if any(map(_TWO.match, sentences)) and not _HAS_TWO.search(asked):
        return True
    every = _ASKS_ALL.search(asked) is not None
    if any((every or _DOES.search(one)) and _of_all(asked, said, one) for one in sentences):
        return True
    if (verb := _OUT_OF.search(asked)) is not None:
        if said == "no" and any(_denies_other(asked, verb, one) for one in sentences):
            return True
        front, behind = asked[: verb.start()], _SCENE.sub("", asked[verb.end() :])
        asked = f"{front}is {_OUT[verb['verb']]} than{behind}"
    order = reasons.relation(asked)
    if order is None or not order.endswith("er"):
        return False
    if any(reasons.at_odds(asked, said, _in_order(one, order)) for one in sentences):
        return True
    adjective = re.sub(r"(?:i?er)\Z", "", order)
    alike = (
        rf"\b(?:(?:is|are|exactly|just|least|about) as {adjective} as|equally {adjective}"
        rf"|(?:just|least) as {adjective}\W*\Z)"
    )
    if said == "yes" and any(re.search(alike, one) and not _NOT.search(one) for one in sentences):
        return True
    larger = _larger(asked, order, low)
    return larger is not None and (larger is (order in _MORE)) is not (said == "yes")


def _of_all(asked: str, said: str, sentence: str) -> bool:
    """Whether a sentence says of all of a kind that they are so, or that not all are, against what
    is said."""
    if said == "yes":
        return re.match(r"\W*not (?:all|every)\b", sentence) is not None
    found = _ALL.match(sentence)
    if found is None or _SOME.search(sentence) or "n't" in sentence or " not " in sentence:
        return False
    return found["of"] is None or re.search(rf"\b{found['of'][:4]}", asked) is not None


def _denies_other(asked: str, verb: re.Match[str], sentence: str) -> bool:
    """Whether a sentence denies what is asked for with its two sides exchanged."""
    first, second = reasons.sides(asked.replace(verb["verb"], "than", 1), "than")
    front, found, behind = sentence.partition(verb["verb"])
    denied = found and _NOT.search(front)
    return bool(denied and reasons.stems(front) & second and reasons.stems(behind) & first)


def _in_order(sentence: str, order: str) -> str:
    """A sentence with a win, a loss, or too much of something, in words of the order."""
    (other, *_) = sorted(reasons.OPPOSITES[order] - {"fewer"}) or [""]
    if _NOT.search(sentence):
        return sentence
    sentence = _LOSES.sub(f" is {other} than ", sentence)
    sentence = _WINS.sub(f" is {order} than ", sentence)
    return _TOO.sub(lambda one: f" is {_comparative(one['how'])} ", sentence)


def _comparative(word: str) -> str:
    ends = (f"{word}er", f"{word}r", f"{word[:-1]}ier", f"{word}{word[-1]}er")
    return next((one for one in ends if one in reasons.OPPOSITES), word)


def _larger(asked: str, order: str, low: str) -> bool | None:
    """Whether of two amounts in a unit of the order that of the first side is the larger one; None
    where not each side has just one."""
    first, second = reasons.sides(asked, order)
    amounts: dict[bool, set[float]] = {True: set(), False: set()}
    named = [names for names, orders in _UNITS.items() if order in orders.split()]
    units = {unit for names in named for unit in names.split()}
    for sentence in _SENTENCE.split(low):
        for clause in _CLAUSE.split(sentence):
            found = list(_AMOUNT.finditer(clause))
            if len(found) != 1 or found[0]["unit"] not in units:
                continue
            words = reasons.stems(clause[: found[0].start()])
            if bool(words & first) != bool(words & second):
                amounts[bool(words & first)].add(float(found[0]["n"].replace(",", "")))
    if any(len(each) != 1 for each in amounts.values()):
        return None
    (one,), (other,) = amounts[True], amounts[False]
    return None if one == other else one > other
