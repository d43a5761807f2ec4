"""The wording of SpatialEval's maps and questions, and claims on the lines of a trace."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from agentflow.domains import spelling
from agentflow.domains.spatialmap.layout import Claim, lined_up
from agentflow.errors import BadInput

MAX_OBJECTS = 32
MAX_NAME = 80

_D = r"(?P<d>(?:north|south)[ -]?(?:east|west)|north|south|east|west|[ns][ew])"
_IN = r"(?:(?:located|situated|placed) )?(?:to|in|on|at) (?:the )?"
_SENTENCE = re.compile(
    rf"(?P<only>\S.*?) is (?:in|on) the map|(?P<a>\S.*?) is {_IN}{_D} of (?P<b>\S.*)", re.I
)
_OPENING = re.compile(r"(?i)^\s*(?:consider a map[^:.\n]*|map(?: description)?)\s*:")
_BULLET = re.compile(r"(?m)^\s*(?:[-•>]|\d+[.)])\s+")
_BREAK = re.compile(r"(?<=[.;])\s+|\s*\n\s*")
_NO_NAME = re.compile(r"[,;:?]|\b(?:is|not)\b|^(?:if|it|this|that)\b", re.I)
_SEVERAL = re.compile(r"\b(?:and|or)\b", re.I)
_QUESTION = re.compile(
    r"(?:please answer the following[^.?]*\.|question\s*:)?\s*"
    r"((?:in (?:which|what) direction|(?:which|what) objects?|how many objects?)\b[^?]*\?)",
    re.I,
)
_ASKED = {
    "direction": r"in (?:which|what) direction is (?P<a>.+?) relative to (?P<b>.+?) ?\?",
    "object": rf"(?:which|what) object is {_IN}{_D} of (?P<b>.+?) ?\?",
    "count": rf"how many objects are {_IN}{_D} of (?P<b>.+?) ?\?",
}

# In a line of a trace, each name of the map is one character of its own.
_FIRST = 0xE000
_NAMES = f"{chr(_FIRST)}-{chr(_FIRST + MAX_OBJECTS - 1)}"
_N = f"[{_NAMES}]"
_NUMBERS = {"no": 0, **spelling.NUMBERS}
_K = rf"\d{{1,3}}|{'|'.join(_NUMBERS)}"
_BEFORE = (
    rf"(?:^|[^\w\s'{_NAMES}] ?|(?:^|(?<=[,;.:{_NAMES}] ))(?:and|but) |\b(?:so|then|thus|hence|"
    r"therefore|also|since|because|as|that|means|indeed|now|still|similarly|likewise|"
    r"(?:clue|step|fact|sentence|statement) \d+) )"
)
_AFTER = (
    rf"(?=$| ?[^\w\s'\-{_NAMES}]| ?-(?!\w)| (?:so|then|thus|hence|therefore|and|but|also|since|"
    r"because|as|too|which|by|from|via|while|whereas|already|indeed|again|directly|according|given)"
    r"\b)"
)
"""What may stand around a claim, so that it is whole and no part of another."""
_RELATION = re.compile(
    rf"{_BEFORE}(?P<a>{_N}) is (?P<no>not )?(?P<exact>directly |exactly )?(?P<to>{_IN})?"
    rf"{_D} of (?P<b>{_N}){_AFTER}",
    re.I,
)
_COUNTS = (
    re.compile(rf"\bthere (?:is|are) (?P<k>{_K}) objects? {_IN}{_D} of (?P<b>{_N}){_AFTER}", re.I),
    re.compile(
        rf"\b(?:count|number) of objects {_IN}{_D} of (?P<b>{_N}) ?(?:is|are|:|=) ?"
        rf"(?P<k>{_K})(?![\w,]|\.\d)",
        re.I,
    ),
)
_LIST = re.compile(
    rf"\bobjects {_IN}{_D} of (?P<b>{_N}) ?(?:are|is|:|=) ?"
    rf"(?P<all>none|{_N}(?:(?: ?,)?(?: and)? ?{_N})*) ?\.?$",
    re.I,
)
_ASIDE = re.compile(rf"\bnot (?:(?:to|in) (?:the )?)?{_D}\b", re.I)
"""``A is Northwest of B -> NOT Southwest`` says nothing new, and denies nothing."""
_DOUBT = re.compile(
    r"\b(?:if|whether|would|could|might|may|maybe|perhaps|possib\w*|unless|otherwise|or|either|"
    r"neither|should|must|needs?|let|say|case|scenario|hypothe\w*|unclear|unknown|undetermined|"
    r"wrong|incorrect\w*|false|untrue|impossib\w*|mistake\w*|errors?|inconsisten\w*|conflict\w*|"
    r"contradict\w*|cannot|can't|not|no|never|isn't|doesn't|check|verify|confirmed|at least|"
    r"at most)\b|[?✗✘❌×≠]",
    re.I,
)
_SUPPOSES = re.compile(r"\b(?:suppos|assum|imagin|what if\b)", re.I)
_SIGNS = str.maketrans(
    {
        **dict.fromkeys('*_`"«»', None),
        **{chr(_FIRST + number): "?" for number in range(MAX_OBJECTS)},
    }
)


def signs(text: str) -> str:
    """The text without marks of emphasis and quotation; dashes, digits and the like in ASCII."""
    return spelling.plain(text).translate(_SIGNS)


def question_in(text: str) -> tuple[str, str]:
    """(the map, the question) of a problem without its options.

    Raises:
        BadInput: If it has not exactly one question of a known kind.
    """
    found = list(_QUESTION.finditer(text))
    if len(found) != 1 or text[found[0].end() :].strip(" .\n\r\t"):
        what = f"has {len(found)} questions of a known kind" if found else "asks nothing known"
        what = "goes on behind its question" if len(found) == 1 else what
        raise BadInput(
            f"spatialmap: the problem {what}; it ends with one of: In which direction is A "
            "relative to B? Which object is in the Northeast of A? How many objects are in the "
            "Northeast of A?"
        )
    return text[: found[0].start()], " ".join(found[0][1].split())


def map_in(text: str) -> tuple[list[str], list[str], list[tuple[int, str, int]]]:
    """(objects, sentences that relate two, their relations) of a map.

    Raises:
        BadInput: If a sentence cannot be read, or there are too many objects, or none.
    """
    names: dict[str, str] = {}
    sentences, relations = [], []

    def number(name: str, several: bool = False) -> int:
        key = name.casefold()
        several = several and key not in names and _SEVERAL.search(name) is not None
        if several or _NO_NAME.search(name) or len(name) > MAX_NAME:
            raise BadInput(f"spatialmap: {name[:80]!r} is no name of one object")
        names.setdefault(key, name)
        return list(names).index(key)

    for part in _BREAK.split(_BULLET.sub("", _OPENING.sub("", text))):
        sentence = " ".join(part.split()).rstrip(" .;")
        if not sentence:
            continue
        found = _SENTENCE.fullmatch(sentence)
        if found is None:
            raise BadInput(
                f"spatialmap: this is no sentence of a map: {sentence[:100]!r}; they read: A is "
                "in the map. B is to the Northeast of A."
            )
        if found["only"]:
            number(found["only"])
            continue
        relations.append((number(found["a"]), direction_of(found["d"]), number(found["b"], True)))
        sentences.append(sentence)
    if not 1 <= len(names) <= MAX_OBJECTS:
        raise BadInput(f"spatialmap: the map has {len(names)} objects; 1 to {MAX_OBJECTS} can be")
    return list(names.values()), sentences, relations


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
            asked[field] = object_of(said, objects)
            if asked[field] is None:
                raise BadInput(f"spatialmap: the question's {said[:80]!r} is not in the map")
        return asked | ({} if kind == "direction" else {"direction": direction_of(found["d"])})
    raise BadInput(f"spatialmap: this question is of no known kind: {question[:120]!r}")


def value_of(said: str, kind: str, objects: list[str]) -> str | None:
    """The normal form of an answer to a question of a kind; None if it is none."""
    if kind == "direction":
        found = re.fullmatch(rf"(?:{_IN})?{_D}", said, re.I)
        return direction_of(found["d"]) if found else None
    if kind == "object":
        number = object_of(said, objects)
        return None if number is None else objects[number]
    word = re.fullmatch(rf"(?P<k>{_K})(?: objects?)?", said, re.I)
    return str(_count(word["k"])) if word else None


def object_of(name: str, objects: list[str]) -> int | None:
    """The number of an object by its name."""
    keys = [one.casefold() for one in objects]
    key = " ".join(name.casefold().split())
    return keys.index(key) if key in keys else None


def direction_of(word: str) -> str:
    """A direction in its plain spelling."""
    plain = re.sub("[ -]", "", word.lower())
    return _SHORT.get(plain) or plain.capitalize()


_SHORT = {"ne": "Northeast", "nw": "Northwest", "se": "Southeast", "sw": "Southwest"}


def claims_in(line: str, objects: tuple[str, ...]) -> list[Claim]:
    """The claims on a line; none where it doubts, supposes or denies.

    ``A is north of B``, without ``to the`` or ``directly``, is also said of what is just further
    north: it is no claim.
    """
    text = _named(line, objects)
    related = list(_RELATION.finditer(text))
    matches = related + [one for pattern in (*_COUNTS, _LIST) for one in pattern.finditer(text)]
    if not matches:
        return []
    rest = text
    for match in matches:
        rest = rest.replace(match[0], ";")
    denied = {direction_of(aside["d"]) for aside in _ASIDE.finditer(rest)}
    if _DOUBT.search(_ASIDE.sub("", rest)) or denied & {direction_of(m["d"]) for m in related}:
        return []
    matches.sort(key=re.Match.start)
    return [claim for match in matches if (claim := _claim(match)) is not None]


def supposes(line: str, objects: tuple[str, ...]) -> bool:
    """Whether a line supposes something; a name does not."""
    return bool(_SUPPOSES.search(line) and _SUPPOSES.search(_named(line, objects)))


def _named(line: str, objects: tuple[str, ...]) -> str:
    """A line in plain signs and spaces, each name one character."""
    names, numbers = _names(objects)
    return names.sub(
        lambda name: chr(_FIRST + numbers[key]) if (key := name[0].casefold()) in numbers else "?",
        " ".join(signs(line).split()),
    )


def _claim(match: re.Match[str]) -> Claim | None:
    said, direction, of = match.groupdict(), direction_of(match["d"]), _number(match["b"])
    if "k" in said:
        return Claim("count", direction, of, count=_count(said["k"]))
    if "all" in said:
        inside = {_number(sign) for sign in re.findall(_N, said["all"])}
        return Claim("all", direction, of, tuple(sorted(inside)))
    if lined_up(direction) and not (said["to"] or said["exact"]):
        return None
    return Claim("out" if said["no"] else "in", direction, of, (_number(said["a"]),))


def _count(word: str) -> int:
    word = word.lower()
    return _NUMBERS[word] if word in _NUMBERS else int(word)


def _number(sign: str) -> int:
    return ord(sign) - _FIRST


@lru_cache(maxsize=1_024)
def _names(objects: tuple[str, ...]) -> tuple[re.Pattern[str], dict[str, int]]:
    """(a pattern for the names, the longest first; casefolded name -> number)."""
    listed = "|".join(map(re.escape, sorted(objects, key=len, reverse=True)))
    pattern = re.compile(rf"(?<![\w'])(?:{listed})(?!\w|'\w)", re.I)
    return pattern, {name.casefold(): number for number, name in enumerate(objects)}
