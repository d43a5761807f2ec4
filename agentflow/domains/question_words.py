"""What a question asks for, in its own words.

    Which particle carries the strong force?     particle, carr(ies), stron(g), force
    What is the area of a right triangle ...?    area, of a: triangle

A word is told by how it begins, in whatever form it stands.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from agentflow.domains import choices, spelling
from agentflow.domains.spelling import lowered, word_set

LONGEST = 600
"""Characters of a question that is read."""
_STEM = 5
WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
FORMULA = re.compile(r"\\\((?P<one>[^\n]{1,120}?)\\\)|\$(?P<two>[^$\n]{1,120}?)\$")
GRAMMAR = word_set("""
    a an the of in on at to for from by with as and is are was were be been has have had does do did
    can will would it its it's this that these those which who whom whose what where when how there
    so thus therefore hence called known named considered namely you your one
    means indicates denotes represents signifies responsible refers
""")
"""Words of which any sentence may be made."""
KINDS = word_set("""
    place location person name year date time number thing term word symbol answer city country
    state town element company author artist scientist river
""")
"""What the answer may be called, whatever the question calls it."""
_ENDS_PHRASE = word_set("""
    of in on at to for from by with that which who when where during between over from per within
    until since after before
""")
"""Words with which a question tells more of what it asks for."""
IMPERATIVES = word_set(
    "find compute determine calculate evaluate simplify solve convert state express factor expand"
)
_INSTRUCTS = re.compile(
    r"(?i)(?:(?:please )?(?:give|express|write|round|put|enter|state|leave|answer)\b"
    r"|your answer\b|use \\?pi)"
)
PRONOUNS = word_set("he she they it his her their its we you him them")
_HOW = word_set("many much long far old value following if")
_ASKING = word_set("what which who whom whose where when how")
LIKELY = word_set(
    "most likely best mainly usually typically commonly generally often human now currently today"
    " our"
)
_CAPITALS = re.compile(r"\b[A-Z]{3,5}\b")
_SHORT_FOR = re.compile(
    r"(?P<whole>[A-Z]?[a-z]+(?: (?:of )?[A-Z]?[a-z]+){1,4}) \((?P<short>[A-Z]{2,5})\)"
)
_FORMS = """
    write wrote written, sing sang sung, build built, find found, make made, take took taken,
    win won, lead led, give gave given, fall fell fallen, hold held, sell sold, buy bought,
    keep kept, begin began begun, speak spoke spoken, fly flew flown, bear born bore, say said,
    go went gone, come came, become became, know knew known, grow grew grown, draw drew drawn,
    eat ate eaten, run ran, meet met, lose lost, think thought, teach taught, die died dying,
    see saw seen, do did done, get got, put puts, sink sank sunk, drink drank, swim swam, ring rang,
    drive drove driven, ride rode ridden, rise rose risen, choose chose chosen, break broke broken,
    steal stole stolen, wear wore worn, throw threw thrown, catch caught, fight fought, feel felt,
    leave left, send sent, spend spent, stand stood, understand understood, shoot shot, sit sat,
    sleep slept, strike struck, tell told, bring brought, hear heard, hide hid hidden, pay paid,
    read reads, lay laid, lie lay lain, mean meant, seek sought, shine shone, dig dug, feed fed
"""
IRREGULAR = {form: verb for verb, *forms in map(str.split, _FORMS.split(",")) for form in forms}


class Asked(NamedTuple):
    """The words of a question: all of them, and those that tell what is asked for, in order, each
    with whether a phrase begins there that only tells more of it."""

    known: frozenset[str]
    told: tuple[tuple[str, bool], ...]
    sentence: str


def asked_in(question: str) -> Asked | None:
    """What a question asks for; None where it asks for several things, denies something, or asks
    nothing."""
    question = choices.listed(abbreviated(question, question))[0]
    question = re.sub(r"\b([Ww]hat)['’]s\b", r"\1 is", spelling.plain(question)).strip()
    if question.count("?") > 1 or len(question) > LONGEST:
        return None
    parts = [one for one in re.split(r"(?<=[.!?:])\s+|\n+", question) if one]
    said = [one for one in parts if re.search(r"[^\W\d_]{2}", one)]
    last = next((one for one in reversed(said) if not _INSTRUCTS.match(one)), "")
    words = WORD.findall(lowered(FORMULA.sub(" ", last)))
    known = frozenset(key(one) for one in WORD.findall(lowered(question)))
    begins = [at for at, one in enumerate(words) if one in _ASKING or one in IMPERATIVES]
    if {"not", "never", "except"} & {*words} or not begins:
        return None
    begin = begins[0]
    of_kind = words[begin] in ("which", "what", "whose") and words[begin + 1 : begin + 2]
    if of_kind and words[begin + 1] not in GRAMMAR:  # which particle
        begin += 1
    told, phrase = list[tuple[str, bool]](), False
    for one in words[begin + 1 :]:
        if one in _ENDS_PHRASE:
            phrase = True
        elif not (_says_nothing(one) or _title(one, last) or _describes_first(one, last, question)):
            compound = bool(of_kind) and not told and one == words[begin + 1]
            told.append((key(one), phrase or compound))
            phrase = False
    return Asked(known, tuple(told), last)


def _says_nothing(word: str) -> bool:
    """Whether a word of a question does not tell what is asked for."""
    small = len(word) < 2 or re.search(r"\d", word) is not None
    return small or word in (*GRAMMAR, *PRONOUNS, *_HOW) or word in LIKELY


def _describes_first(word: str, sentence: str, question: str) -> bool:
    """Whether a word only describes a thing of which a question has one: ``a right triangle``."""
    found = re.search(rf"(?i)\b(?:of|in|on|for) an? {re.escape(word)} ([a-z]+)\b", sentence)
    noun = lowered(found[1]) if found else ""
    return bool(noun) and noun not in GRAMMAR and lowered(question).count(noun) == 1


def _title(word: str, question: str) -> bool:
    """Whether a word says what the name behind it is of: ``the novel Emma``."""
    return re.search(rf"\b[Tt]he {re.escape(word)} [A-Z]", question) is not None and word.islower()


def abbreviated(question: str, text: str) -> str:
    """A text with the short form that a question gives a name: ``least common multiple (LCM)``."""
    for found in _SHORT_FOR.finditer(question):
        words = found["whole"].split()[-len(found["short"]) :]
        if "".join(one[0] for one in words).upper() == found["short"]:
            whole = re.escape(" ".join(words))
            text = re.sub(rf"(?i){whole}(?: \({found['short']}\))?", found["short"], text)
    for short in {*_CAPITALS.findall(text)} - {*_CAPITALS.findall(question)}:
        words = [rf"{one}[a-z]+" for one in short]
        if name := re.search(rf"(?i)\b{' '.join(words)}\b", question):
            text = re.sub(rf"\b{short}\b", name[0], text)
    return text


def key(word: str) -> str:
    """How a word begins, in whatever form it stands."""
    word = IRREGULAR.get(word, word).removesuffix("'s").replace("'", "")
    return spelling.stem(re.sub(r"i(?:es|ed)$", "y", word))[:_STEM]


def is_known(word: str, asked: Asked) -> bool:
    """Whether a word, in small letters, is of grammar, or stands in the question."""
    return word in GRAMMAR or word in KINDS or word in LIKELY or key(word) in asked.known


def covers(words: list[str], asked: Asked) -> bool:
    """Whether words name what is asked for: all that tells it, or what it begins with, without a
    phrase at its end that only tells more of it."""
    keys = {key(word) for word in words}
    covered = [key in keys for key, _ in asked.told]
    if True not in covered:
        return False
    begin = covered.index(True)
    if begin and not any(phrase for _, phrase in asked.told[:begin]):
        return False
    missing = [at for at in range(begin, len(covered)) if not covered[at]]
    if not missing:
        return len(covered) - begin > 1 or len(covered) == 1
    ends = asked.told[missing[0]][1] and not any(covered[missing[0] :])
    alone = {*words} <= GRAMMAR | {word for word in words if key(word) == asked.told[begin][0]}
    return ends and (missing[0] - begin > 1 or len(covered) - begin > 2 or alone)
