"""The sentences of a reply, line by line: rows of tables and lists under a headline."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentflow.domains import markup
from agentflow.domains.spatialmap import claims
from agentflow.domains.spatialmap.claims import NAMES, WHO, N

_SENTENCE = re.compile(r"(?<=[.!?])(?<!\b[A-J]\.)(?<!\bi\.e\.)(?<!\be\.g\.)[)\"'*_]*\s+|\n|; ")
_MARK = re.compile(
    r"\\(?:boxed|text(?:bf|rm)?|mathrm)\b|</?(?:answer|br|solution)>"
    r"|[{}]|\$\$?|\\[()\[\]]|^\s*#+|\]\]|\[\[",
    re.M,
)
_ARROW = re.compile(r"\\(?:to|rightarrow|longrightarrow|Rightarrow|implies)\b")
_QUAD = re.compile(r"\\(?:quad|qquad|;|,)(?![a-z])")
_OWN = re.compile(
    r"(?i)['’]s (?:relative )?(?:position|direction|location)"
    r"(?= (?:is |lies )?(?:relative|in rel|with))"
)
_POINTING = {"↗": "NE", "↘": "SE", "↙": "SW", "↖": "NW"}
_POINTS = re.compile("|".join(_POINTING))
_COLUMNS = {
    **dict.fromkeys(("object", "place", "location", "landmark"), "who"),
    **dict.fromkeys(("relative to", "reference", "reference object", "with respect to"), "of"),
    **dict.fromkeys(("direction", "position", "relative direction", "relative position"), "way"),
}
"""What a column of a table is called -> what stands in it of a claim."""
_OF_CLAIM = ["of", "way", "who"]
_HEADING = re.compile(
    r"(?m)^[ \t]*(?=[#*])(?:#+ +)?(?:\*\*)?"
    r"(?P<said>[^*\n:.]*\b(?:about|of|for|to|from|concerning|involving)\b [^*\n:.]*)"
    r"(?:\*\*)?[ \t]*$"
)
"""A headline without a colon."""
_ARE = re.compile(r"(?<=[a-z])'re\b")
_ITEM = re.compile(rf"{WHO}[^,]*(?:[(✓✔✅]| - |, )", re.I)
_HEAD = re.compile(
    rf"(?i)^(?P<front>[^\w]*(?:\d+[.)] +)?(?:the )?{N})\.[*_]* +"
    rf"(?=(?:it|this|since|because|as|given|stated|the)\b|{N})"
)
"""An object in front of what is said of it: ``Mill. It is ...``"""
_KNOWN = re.compile(
    r" \((?:(?:stated|given|known|from|the|map|text|(?:explicit|direct)(?:ly)?) ?)+\)"
)
"""Where it is known from that an object in a list is there."""


def lines_of(text: str, objects: tuple[str, ...]) -> Iterator[list[str]]:
    """The sentences of each line of a text, each name one sign; a list of names"
    " goes with its headline."""
    text = _HEADING.sub(r"\g<said>:", text)
    text = _POINTS.sub(lambda one: f" --{_POINTING[one[0]]}--> ", text.replace("↔", "<->"))
    text = _ARROW.sub(" -> ", _QUAD.sub(" ", text))
    text = _MARK.sub(" ", markup.RULE.sub("", text)).replace("**", "")
    listed, columns = list[str](), list[str]()
    for line in text.split("\n"):
        row = markup.ROW.match(line)
        cells = [cell.strip() for cell in row["cells"].split("|")] if row else []
        headed = [_COLUMNS.get(cell.lower(), "") for cell in cells]
        columns = columns if cells or not line.strip() else []
        columns = headed if sorted(headed) == _OF_CLAIM else columns
        if columns is headed:
            continue
        if columns and len(cells) == len(columns):
            told = dict(zip(columns, cells, strict=True))
            cells = [f"{told['who']} is {told['way']} of {told['of']}"]
        line = " : ".join(cells) if cells else line
        one = _KNOWN.sub("", _ARE.sub(" are", claims.named(_OWN.sub("", line), objects)))
        one = _HEAD.sub(r"\g<front>: ", one)
        if not one.strip(" ."):
            continue
        alone = NAMES.fullmatch(one.rstrip(" .✓✔✅")) is not None
        if listed and alone:
            listed.append(one.rstrip(" .✓✔✅"))
            continue
        if len(listed) > 1 and _ITEM.match(markup.unlisted(one)):
            yield from ([each] for each in listed)  # an item goes on: each is read on its own
        else:
            yield _joined(listed)
        listed = []
        if alone or one.endswith(":"):
            *before, last = [one] if alone else _SENTENCE.split(one)
            yield before
            listed = [last.rstrip(" .✓✔✅")]
            continue
        yield _SENTENCE.split(one)
    yield _joined(listed)


def _joined(listed: list[str]) -> list[str]:
    """A headline with the names below it, or these alone."""
    if not listed:
        return []
    head = listed[0] if listed[0].endswith(":") else ""
    names = ", ".join(listed[bool(head) :])
    return [f"{head} {names}".strip()]
