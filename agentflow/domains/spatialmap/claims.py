"""What a line of a trace says of a map: a line is read to its last word, or not at all."""

from __future__ import annotations

import re
from functools import lru_cache

from agentflow.domains import markup, narration
from agentflow.domains.spatialmap.layout import Claim, lined_up
from agentflow.domains.spatialmap.names import APOSTROPHES, MAX_OBJECTS
from agentflow.domains.spatialmap.wording import COUNT, DIRECTION, IN, count_of, direction_of
from agentflow.domains.spelling import word_set

# In a line of a trace, each name of the map is one character of its own.
FIRST = 0xE000
N = f"[{chr(FIRST)}-{chr(FIRST + MAX_OBJECTS - 1)}]"
WHO = f"(?:the )?{N}"
NAMES = re.compile(rf"{WHO}(?:(?:,|,? and|,? &) {WHO})*", re.I)
"""Several names, or one."""
_D = DIRECTION.replace("?P<d>", "?:")
_LABEL = re.compile(
    r"(?:(?:step|clue|fact|sentence|statement|relationship"
    r"|conclusion) ?#?\(?[0-9]*\)? ?[:.)-]+ ?|"
    r"(?:direct )?(?:relationship )?(?:found|given|known|told|stated|conclusion|result|answer"
    r"|fact)"
    r" ?: ?)*",
    re.I,
)
_NUMBERED = "(?:clues?|facts?|steps?|sentences?|statements?) [0-9]+(?:(?:,| and|, and) [0-9]+)*"
_WORD = (
    "(?:and|but|so|then|thus|hence|therefore|also|since|because|as|now|similarly|likewise|again|"
    f"indeed|finally|ok|okay|yes|(?:from|by|according to) (?:the map|{_NUMBERED})|"
    "looking at the map|(?:we|i) (?:can )?(?:know|see|have|get|find|conclude|confirm"
    "|(?:are|were) (?:told|given))|it follows|"
    "(?:this|that|which) (?:means|implies|shows|gives)"
    "|the map (?:(?:directly|clearly|explicitly) )?(?:says|tells us|states|shows))"
    "(?: that)?"
)
_WORDS = re.compile(rf"(?:{_WORD},? )*", re.I)
_JOINED = re.compile(rf"(?: ?(?:->|=>|[,;.]) ?(?:{_WORD},? )*| (?:{_WORD},? )+)", re.I)
_RELATION = re.compile(
    rf"(?P<a>{WHO})(?: is| must be| lies| ?:)(?P<no> not|n't)? "
    rf"(?P<exact>directly |exactly )?(?P<to>{IN})?{DIRECTION} of "
    rf"(?P<b>{WHO})(?![\w'-])",
    re.I,
)
_FURTHER = re.compile(
    rf"(?P<a>{WHO})(?: is| must be| lies) (?:further|farther) (?P<d>north|south|east|west) than "
    rf"(?P<b>{WHO})(?![\w'-])",
    re.I,
)
_COUNTS = (
    re.compile(
        rf"there (?:is|are) (?P<k>{COUNT}) objects? {IN}{DIRECTION} of (?P<b>{WHO})(?![\w'-])",
        re.I,
    ),
    re.compile(
        rf"(?P<k>{COUNT}) objects? (?:is|are) {IN}{DIRECTION} of (?P<b>{WHO})(?![\w'-])", re.I
    ),
    re.compile(
        rf"(?:the )?(?:count|number) of objects (?:confirmed to be (?:{IN})?|{IN}){DIRECTION} of "
        rf"(?P<b>{WHO}) ?(?:is|are|:|=) ?"
        rf"(?P<k>{COUNT})(?![\w'-]|[.,]\d)",
        re.I,
    ),
)
_LIST = re.compile(
    rf"(?:the )?objects {IN}{DIRECTION} of (?P<b>{WHO}) ?(?:are|is|:|=) ?"
    rf"(?P<all>none|{WHO}(?:(?: ?,)?(?: and)? ?{WHO})*) ?\.?$",
    re.I,
)
_CLAIMS = (_RELATION, _FURTHER, *_COUNTS, _LIST)
_ASIDE = re.compile(
    rf" ?(?:->|[,;])? ?(?:\(not (?:(?:to|in) (?:the )?)?{DIRECTION}!?\)|"
    rf"not (?:(?:to|in) (?:the )?)?{DIRECTION.replace('<d>', '<other>')}(?! ?of\b)(?!\w)!?)",
    re.I,
)
"""``A is Northwest of B -> NOT Southwest`` says nothing new, and denies nothing."""
_TAIL = re.compile(
    r"(?: ?[.!;✓✔✅]| \((?:given|direct|known|told|stated|from the map|reversed?|by transitivity|"
    rf"{_NUMBERED})\)|,? as (?:the map (?:has it|says|states|shows)|given|stated|told)|"
    r",? (?:too|again|as well))*",
    re.I,
)
_LIKE_A_CLAIM = re.compile(
    rf"\b(?:is|are|was|were|lies|stands|sits) (?:\S+ ){{0,8}}?{_D} of\b|"
    rf"\bobjects? (?:\S+ ){{0,4}}?{_D} of [^:=]{{1,80}}? ?(?:are|is|:|=) ?\S",
    re.I,
)
_TOWARDS = re.compile(rf"\b{_D}\b", re.I)
_HEADING = re.compile(r"(?:now )?(?:scanning|looking|searching|checking)\b.*:", re.I)
_PARENTHESES = re.compile(r"\([^()]*\)")
_NOT_CLAIMED = re.compile(
    r"\b(?:if|whether|would|could|might|may|maybe|perhaps|possib\w*|probabl\w*|unless|otherwise|"
    r"needs?|let|to be|scenario|hypothe\w*|unclear|unknown|undetermined)\b|[?✗✘❌]",
    re.I,
)
"""What its author asks, weighs or withdraws is not claimed; it cannot be right or wrong."""
_SUPPOSES = re.compile(
    r"\b(?:suppos|assum|imagin|what if\b"
    r"|(?:check|try|test|consider|evaluate|examine)(?:ing)? (?:option|choice)s?\b)",
    re.I,
)
_CALLED_SO = word_set("""
    center centre choice direction east line list map north object option place point position
    side south west
""")
"""What a reply may call by a word that ends a name, too."""
_NEITHER = "\ufffd"
_NO_NAMES = str.maketrans({chr(FIRST + number): _NEITHER for number in range(MAX_OBJECTS)})
_QUOTED = re.compile(r'"([^"]*)"|«([^»]*)»')


def claims_in(line: str, objects: tuple[str, ...]) -> list[Claim] | None:
    """The claims on a line; none where it claims nothing, or doubts or supposes.

    None where it looks like a claim and a word of it is not understood. That is so, too, of ``A is
    north of B`` without ``to the`` or ``directly``: it is also said of what is just further north.
    """
    text = named(line, objects)
    found = read(text)
    if found is not None:
        return found
    claims = _LIKE_A_CLAIM.search(text) is not None or _compares(text)
    if not claims or _NOT_CLAIMED.search(_ASIDE.sub("", text)) or _HEADING.fullmatch(text):
        return []
    return None


def _compares(text: str) -> bool:
    """Whether a line has two objects and a direction, in whichever words; no heading does, and no
    order of objects in a row (``A < B``), which only leads up to a claim."""
    told = _PARENTHESES.sub("", text).rstrip("* ")
    several = len(set(re.findall(N, told))) > 1 and "<" not in told
    return several and not told.endswith(":") and _TOWARDS.search(told) is not None


def supposes(line: str, objects: tuple[str, ...]) -> bool:
    """Whether a line supposes something; a name does not."""
    return bool(_SUPPOSES.search(line) and _SUPPOSES.search(named(line, objects)))


def read(text: str) -> list[Claim] | None:
    """The claims of a line that consists of nothing else; None if it does not."""
    text, place = markup.unlisted(text), 0
    for opening in (_LABEL, _WORDS):
        place = markup.behind(opening, text, place)
    claims: list[Claim] = []
    while True:
        match = next((m for one in _CLAIMS if (m := one.match(text, place))), None)
        if match is None or (claim := _claim(match)) is None:
            return None
        claims.append(claim)
        place = match.end()
        while aside := _ASIDE.match(text, place):
            if claim.kind == "out" or direction_of(aside["d"] or aside["other"]) == claim.direction:
                return None
            place = aside.end()
        if (end := markup.behind(_TAIL, text, place)) == len(text):
            return claims
        joined = _JOINED.match(text, place) or _JOINED.match(text, end)
        if joined is None:
            return None
        place = joined.end()


def named(line: str, objects: tuple[str, ...]) -> str:
    """A line in plain signs and spaces, each name one character."""
    pattern, numbers = _names(objects)
    plain = line if line.isascii() else line.translate(_NO_NAMES).translate(APOSTROPHES)
    text = " ".join(plain.split())
    signs = {name: chr(FIRST + number) for name, number in numbers.items()}
    text = pattern.sub(lambda name: signs.get(name[0].lower(), _NEITHER), text)
    text = markup.ascii_signs(text)
    text = markup.unmarked(markup.unlisted(text))
    if '"' in text or "«" in text:
        text = _QUOTED.sub(lambda quoted: quoted[1] or quoted[2] or "", text)
    return text


def _claim(match: re.Match[str]) -> Claim | None:
    said, direction, of = match.groupdict(), direction_of(match["d"]), number(match["b"])
    if match.re is _FURTHER:
        return Claim("further", direction, of, (number(said["a"]),))
    if "k" in said:
        return Claim("count", direction, of, count=count_of(said["k"]))
    if "all" in said:
        inside = {number(sign) for sign in re.findall(N, said["all"])}
        return Claim("all", direction, of, tuple(sorted(inside)))
    if lined_up(direction) and not (said["to"] or said["exact"]):
        return None
    return Claim("out" if said["no"] else "in", direction, of, (number(said["a"]),))


def unnamed(text: str, objects: tuple[str, ...]) -> str:
    """The text with its names back in it."""
    return re.sub(N, lambda sign: objects[number(sign[0])], text)


def sign(number: int) -> str:
    """The sign that stands for an object."""
    return chr(FIRST + number)


def number(who: str) -> int:
    """The number of an object, by its sign; an article may stand before it."""
    return ord(who[-1]) - FIRST


@lru_cache(maxsize=1_024)
def _names(objects: tuple[str, ...]) -> tuple[re.Pattern[str], dict[str, int]]:
    """(a pattern for the names, the longest first; name in lower case -> number)."""
    signs = [name.translate(APOSTROPHES) for name in objects]
    numbers = {name.lower(): number for number, name in enumerate(signs)}
    numbers = _short(list(numbers)) | numbers
    listed = "|".join(map(re.escape, sorted(numbers, key=len, reverse=True)))
    return re.compile(rf"(?<![\w'])(?:{listed})(?!\w|'\w)", re.I), numbers


def _short(names: list[str]) -> dict[str, int]:
    """What names may be shortened to: ``the dairy`` for Jackdaw's Dairy, where no other name has
    that word, and nothing else is called by it."""
    found = dict[str, int]()
    for number, name in enumerate(names):
        others = {word for one in names if one != name for word in one.split()}
        words = name.split()
        for begin in range(1, len(words)):
            *_, last = tail = words[begin:]
            if last.isalpha() and last not in others | _CALLED_SO | narration.WORDS:
                found[f"the {' '.join(tail)}"] = number
    return found
