"""The wording of SpatialEval's maps and questions, each understood to its last word."""

from __future__ import annotations

import re
from typing import Any

from agentflow.domains import instructions, markup, spelling
from agentflow.domains.spatialmap import names
from agentflow.errors import BadInput

DIRECTION = r"(?P<d>(?:north|south)[ -]?(?:east|west)|north|south|east|west|[ns][ew])"
"""A direction, as the group ``d``."""
IN = r"(?:(?:located|situated|placed) )?(?:to|in|on|at) (?:the )?"
_SENTENCE = re.compile(
    rf"(?P<only>\S.*?) is (?:in|on) the map|(?P<a>\S.*?) is {IN}{DIRECTION} of (?P<b>\S.*)", re.I
)
_OPENING = re.compile(
    r"(?i)^\s*(?:(?:consider|here is|this is|look at) (?:a|the|this)(?: following)? map"
    r"(?: (?:with|of) (?:multiple|several|some) (?:objects|places))?"
    r"|(?:the )?map(?: description)?)"
    r"\s*[:.]"
)
_BULLET = re.compile(r"(?m)^\s*(?:[-•>]|\d+[.)])\s+")
_BREAK = re.compile(r"(?<=[.;])\s+|\s*\n\s*")
_QUESTION = re.compile(
    r"((?:in (?:which|what) direction|(?:which|what) objects?|how many objects?)\b[^?]*\?)", re.I
)
_ASKED = {
    "direction": r"in (?:which|what) direction is (?P<a>.+?) relative to (?P<b>.+?) ?\?",
    "object": rf"(?:which|what) object is {IN}{DIRECTION} of (?P<b>.+?) ?\?",
    "count": rf"how many objects are {IN}{DIRECTION} of (?P<b>.+?) ?\?",
}
_OTHERWISE = (
    rf"(?P<a>.+?) (?:is|lies) (?:{IN})?{DIRECTION}(?: direction)? relative to (?P<b>.+?)",
    rf"(?P<a>.+?) (?:is|lies) {IN}{DIRECTION} direction (?:of|from) (?P<b>.+?)",
    r"(?:the (?:direction|position) of )?(?P<a>.+?) relative to (?P<b>.+?) is "
    rf"(?:{IN})?{DIRECTION}",
    rf"(?:relative to|(?:as seen )?from) (?P<b>.+?), (?P<a>.+?) is (?:{IN})?{DIRECTION}",
    rf"the (?:relative )?direction from (?P<b>.+?) to (?P<a>.+?) is (?:{IN})?{DIRECTION}",
    rf"(?P<a>.+?)['’]s direction relative to (?P<b>.+?) is (?:{IN})?{DIRECTION}",
    rf"the (?:only )?object (?:that is )?(?:{IN})?{DIRECTION} of (?P<b>.+?)"
    r" is (?P<a>.+?)",
)
_CONCLUDED = re.compile(
    r"\W*+(?:(?:so|thus|therefore|hence),? |(?!since\b|because\b|.*[.!?][\"'”’)*]* ))"
    r"(?:(?:from|according to|based on|as stated (?:in|by)) the map,? )?"
    rf"(?P<said>(?=.* (?:is|are|lies) )(?=.*\b{DIRECTION}\b)\S.*?)[\s.!_]*",
    re.I,
)
_NAMED = re.compile(
    rf"\W*(?:(?:so|thus|therefore|hence),? )?(?:(?:(?:the )?(?:relative )?direction(?: is|:) )?"
    rf"(?P<where>(?:{IN})?{DIRECTION}(?: of [^.,;:?!]+)?)|the object is (?P<object>[^.,;:?!]+)"
    rf"|(?:the )?(?:total )?(?:number|count)(?: of objects)?(?: is|:)"
    r" (?P<count>[0-9]{1,3}|[a-z]+)|(?P<option>(?:option|choice) [A-J][.):]* [^.,;:?!]+))[\W_]*",
    re.I,
)
_LETTERED = re.compile(r"(?P<said>.+? (?:is|are) )(?P<letter>[A-J])[.):] (?P<value>\S.*)")
NUMBERS = {"no": 0, **spelling.NUMBERS}
COUNT = rf"[0-9]{{1,3}}|{'|'.join(NUMBERS)}"
_SHORT = {"ne": "Northeast", "nw": "Northwest", "se": "Southeast", "sw": "Southwest"}


def question_in(text: str) -> tuple[str, str]:
    """(the map, the question) of a problem without its options.

    Raises:
        BadInput: If it has not exactly one question of a known kind.
    """
    text = instructions.without(text)
    found = list(_QUESTION.finditer(text))
    behind = text[found[0].end() :].strip(" .\n\r\t") if found else ""
    marks = behind in ("*", "**") and text[: found[0].start()].rstrip().endswith(behind)
    if len(found) != 1 or (behind and not marks):
        what = f"has {len(found)} questions of a known kind" if found else "asks nothing known"
        what = "goes on behind its question" if len(found) == 1 else what
        raise BadInput(
            f"spatialmap: the problem {what}; it ends with one of: In which direction is A "
            "relative to B? Which object is in the Northeast of A? How many objects are in the "
            "Northeast of A?"
        )
    return text[: found[0].start()].rstrip(" *"), " ".join(found[0][1].split())


def map_in(text: str, elsewhere: str) -> tuple[list[str], list[str], list[tuple[int, str, int]]]:
    """(objects, sentences that relate two, their relations) of a map.

    Args:
        elsewhere: The question and the options, which may mention objects again.

    Raises:
        BadInput: If a sentence cannot be read, or a name in it, or there are too many objects, or
            none.
    """
    mentions: list[names.Mention] = []
    sentences: list[str] = []
    said: list[tuple[str, str, str]] = []
    for part in _BREAK.split(_BULLET.sub("", _OPENING.sub("", text))):
        sentence = " ".join(part.split()).rstrip(" .;")
        if not sentence:
            continue
        found = _SENTENCE.fullmatch(sentence)
        if found is None:
            raise BadInput(
                f"spatialmap: could not read {sentence[:100]!r}, this is no sentence of a map; "
                "they read: A is in the map. B is to the Northeast of A."
            )
        if found["only"]:
            mentions.append(names.Mention(found["only"], "alone"))
            continue
        mentions.append(names.Mention(found["a"], "subject"))
        mentions.append(names.Mention(found["b"], "object"))
        said.append((found["a"], direction_of(found["d"]), found["b"]))
        sentences.append(sentence)
    numbers = names.named(mentions, elsewhere)
    shown = {names.literal(one.name): " ".join(one.name.split()) for one in reversed(mentions)}
    objects = [shown[name] for name in numbers]
    relations = [
        (numbers[names.literal(a)], direction, numbers[names.literal(b)])
        for a, direction, b in said
    ]
    return objects, sentences, relations


def asked_in(question: str, objects: list[str]) -> dict[str, Any]:
    """What is asked: ``kind``, ``of``, and the ``object`` or the ``direction``.

    Raises:
        BadInput: If the question is of no known kind, or asks for what the map does not have.
    """
    for kind, pattern in _ASKED.items():
        found = re.fullmatch(pattern, question, re.I)
        if found is None:
            continue
        asked: dict[str, Any] = {"kind": kind}
        for field, name in (("object", "a"), ("of", "b")):
            if (said := found.groupdict().get(name)) is None:
                continue
            asked[field] = names.number_of(said, objects)
            if asked[field] is None:
                raise BadInput(f"spatialmap: the question's {said[:80]!r} is not in the map")
        return asked | ({} if kind == "direction" else {"direction": direction_of(found["d"])})
    raise BadInput(f"spatialmap: this question is of no known kind: {question[:120]!r}")


def value_of(said: str, kind: str, objects: list[str]) -> str | None:
    """The normal form of an answer to a question of a kind; None if it is none."""
    if kind == "object":
        number = names.number_of(said, objects)
        return None if number is None else objects[number]
    said = markup.unmarked(markup.ascii_signs(said))
    if kind == "direction":
        found = re.fullmatch(rf"(?:{IN})?{DIRECTION}", said, re.I)
        return direction_of(found["d"]) if found else None
    word = re.fullmatch(rf"(?P<k>{COUNT})(?: objects?)?", said, re.I)
    return str(count_of(word["k"])) if word else None


_OBJECTS = re.compile(
    rf"(?i)[\W_]*(?:(?:so|thus|therefore|hence),? )?(?:there (?:are|is) )?"
    rf"(?P<said>(?:{COUNT}) objects?)[.!\s_]*"
)


def concluded(line: str) -> str | None:
    """What a line concludes of where something is, without the connective before it; an option's
    letter is put in front."""
    text = line.replace("**", "")
    if short := _NAMED.fullmatch(text):
        return next(said for name, said in short.groupdict().items() if said and name != "d")
    if objects := _OBJECTS.fullmatch(text):
        return objects["said"]
    if (found := _CONCLUDED.fullmatch(text)) is None:
        return None
    lettered = _LETTERED.fullmatch(found["said"])
    return "{letter}. {said}{value}".format(**lettered.groupdict()) if lettered else found["said"]


def as_in_a_map(said: str) -> str:
    """``The direction of A relative to B is Northeast`` as a map says it: ``A is to the Northeast
    of B``; any other text as it is."""
    for pattern in _OTHERWISE:
        if found := re.fullmatch(pattern, said, re.I):
            return f"{found['a']} is to the {found['d']} of {found['b']}"
    return said


def begins_with_direction(said: str) -> bool:
    """Whether a text is a direction of something: ``to the Northeast of A``."""
    return re.match(rf"(?:{IN})?{DIRECTION} of\b", said, re.I) is not None


def direction_of(word: str) -> str:
    """A direction in its plain spelling."""
    plain = re.sub("[ -]", "", word.lower())
    return _SHORT.get(plain) or plain.capitalize()


def count_of(word: str) -> int:
    """A number in digits, or by one of :data:`NUMBERS`."""
    word = word.lower()
    return NUMBERS[word] if word in NUMBERS else int(word)
