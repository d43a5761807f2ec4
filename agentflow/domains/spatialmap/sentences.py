"""The sentences of a reply, line by line: rows of tables, lists under a headline, JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from agentflow.domains import markup
from agentflow.domains.spatialmap import claims
from agentflow.domains.spatialmap.claims import NAMES, WHO

_SENTENCE = re.compile(r"(?<=[.!?])(?<!\b[A-J]\.)(?<!\bi\.e\.)(?<!\be\.g\.)[)\"'*_]*\s+|\n|; ")
_MARK = re.compile(
    r"\\(?:boxed|text(?:bf|rm)?|mathrm)\b|</?(?:answer|br|solution)>"
    r"|[{}]|\$\$?|\\[()\[\]]|^\s*#+|\]\]|\[\[",
    re.M,
)
_ARROW = re.compile(r"\\(?:to|rightarrow|longrightarrow|Rightarrow|implies)\b")
_QUAD = re.compile(r"\\(?:quad|qquad|;|,)(?![a-z])")
_OBJECT = re.compile(r"\{[^{}]*\}")
_OWN = re.compile(
    r"(?i)['’]s (?:relative )?(?:position|direction|location)"
    r"(?= (?:is |lies )?(?:relative|in rel|with))"
)
_ITEM = re.compile(rf"{WHO}[^,]*(?:[(✓✔✅]| - |, )", re.I)
_DIRECT = re.compile(
    r" \((?:(?:stated|given|direct|directly|explicit|explicitly|known|from|the|map|by"
    r"|transitivity|as|in|text) ?)+\)"
)
"""Where it is known from that an object in a list is there."""


def lines_of(text: str, objects: tuple[str, ...]) -> Iterator[list[str]]:
    """The sentences of each line of a text, each name one sign; a list of names"
    " goes with its headline."""
    text = _OBJECT.sub(_values, text)
    text = _ARROW.sub(" -> ", _QUAD.sub(" ", text))
    text = _MARK.sub(" ", markup.RULE.sub("", text)).replace("**", "")
    listed = list[str]()
    for line in text.split("\n"):
        row = markup.ROW.match(line)
        line = " : ".join(row["cells"].split("|")) if row else line
        one = _DIRECT.sub("", claims.named(_OWN.sub("", line), objects))
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
            listed = [one.rstrip(" .✓✔✅")]
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


def _values(found: re.Match[str]) -> str:
    """What an object in JSON says, each value on a line of its own."""
    try:
        held = json.loads(found[0])
    except ValueError:
        return found[0]
    told = list[str]()
    for key, value in held.items():
        told.append(f"{key.replace('_', ' ')}.")
        told += [str(one) for one in (value if isinstance(value, list) else [value])]
    return "\n" + "\n".join(told) + "\n"
