"""A logic problem's text: its premises, its conclusion, and the options to choose from.

All of a text is one of these, or a heading that is known here. What is left over is named, for it
may change what is asked ("Assume the opposite of premise 2.").
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from typing import Any

from agentflow.domains.logic import fol
from agentflow.errors import BadInput

EXAMPLE = "Alex is kind. If someone is kind, then they are happy. Conclusion: Alex is happy."

ADJECTIVES = {
    **dict.fromkeys(("true", "correct"), "True"),
    **dict.fromkeys(("false", "incorrect"), "False"),
    **dict.fromkeys(("uncertain", "unknown", "undetermined", "indeterminate"), "Uncertain"),
}
"""What a statement may be said to be -> the answer."""
WORDS = {
    **ADJECTIVES,
    **{"yes": "True", "no": "False"},
    **dict.fromkeys(("cannot be determined", "can't be determined"), "Uncertain"),
    **dict.fromkeys(("not enough information", "insufficient information"), "Uncertain"),
}
"""What an option may say -> the answer."""
WORD = "|".join(sorted(WORDS, key=len, reverse=True))

_SOURCE = (
    r"based on the (?:(?:above|given) )?(?:information|premises|context|facts|statements|text)"
    r"(?: (?:above|given))?"
)
_ASKED = re.compile(
    r"(?:(?<=\s)|^)(?:conclusion|question)\s*:\s*"
    rf"|(?:(?<=\s)|^)(?:{_SOURCE},\s*)?is the following (?:statement|conclusion) true"
    r"(?P<two> or false)?(?:, false,? or (?:uncertain|unknown))?\s*\?\s*",
    re.IGNORECASE,
)
_OPTIONS = re.compile(
    rf"^[ \t]*(?:\*{{0,2}}(?:options|choices)\*{{0,2}}\s*:\*{{0,2}}|(?=\(?A[).:]\s*(?:{WORD})\b))"
    r"(?P<listed>.*)",
    re.I | re.M | re.S,
)
_OPTION = re.compile(rf"\(?\b(?P<letter>[A-E])[).:]\s*(?P<word>{WORD})\b[.,;]?\s*", re.I)
_TAIL = re.compile(r"(?:(?:the correct (?:option|answer) is|(?:your )?answer)\s*:?)?\s*", re.I)
_HEADING = re.compile(r"^\s*(?:premises|context)\s*:", re.I)
_MARK = re.compile(r"\s*(?:(?P<number>\d{1,3})[.)]\s|(?P<bullet>[-*•])\s)\s*")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_FIELDS = frozenset(
    ("id", "story_id", "example_id", "premises", "conclusion", "premises-FOL", "conclusion-FOL")
) | {"context", "question", "options", "answer", "label", "explanation", "reasoning", "nl2fol"}
"""Of the data sets' rows. Those that tell the answer are not looked at."""


@dataclass(frozen=True, slots=True)
class Question:
    """What a problem says.

    Attributes:
        letters: Option letter -> the answer it stands for.
        two: Whether True and False are all that can be answered.
        yes: Whether the options are yes and no.
        unread: What of the problem was not understood, in words; empty if nothing.
    """

    premises: list[str]
    conclusion: str
    letters: dict[str, str] = field(default_factory=dict)
    two: bool = False
    yes: bool = False
    unread: str = ""


def read(text: str) -> Question:
    """The question in ``text``, plain or JSON.

    Raises:
        BadInput: If premises or conclusion are missing, or the JSON is not of the form.
    """
    found = _from_json(text) if text.lstrip()[:1] == "{" else _plain(text)
    if not found.premises or not found.conclusion:
        what = "premises" if not found.premises else "conclusion"
        raise BadInput(f"logic: no {what} in the problem; example: {EXAMPLE}")
    return found


def formula(line: str) -> str | None:
    """The formula of a line that has one; it may yet be malformed."""
    if ":::" in line:
        return line.partition(":::")[0].strip()
    if re.search("[∀∃¬∧∨→↔⊕]", line):
        return line
    try:
        found = fol.parse(line)
    except fol.FormulaError:
        return None
    return None if isinstance(found, fol.Atom) and not found.arguments else line


def proposition(line: str) -> str | None:
    """The proposition of a line that is one name, among formulas."""
    return line if re.fullmatch(r"[^\W\d_]\w*", line) else None


def _plain(text: str) -> Question:
    options = _OPTIONS.search(text)
    text = text[: options.start()] if options else text
    asked = _ASKED.search(text)
    if asked is None:
        raise BadInput(f"logic: no 'Conclusion: ...' in the problem; example: {EXAMPLE}")
    before, two = text[: asked.start()], bool(asked["two"])
    while again := _ASKED.match(text, asked.end()):
        asked, two = again, two or bool(again["two"])
    conclusion = " ".join(text[asked.end() :].split())
    premises, unread = _premises(_HEADING.sub("", before, count=1))
    if conclusion.startswith("- "):
        unread = unread or f"the dash in {conclusion[:40]!r}"
    found = Question(premises, conclusion, two=two, unread=unread)
    return _with_options(found, options["listed"]) if options else found


def _premises(text: str) -> tuple[list[str], str]:
    """(premises, what is not understood); all lines of a list are numbered, or none is."""
    lines = [line for line in text.splitlines() if line.strip()]
    marks = [_MARK.match(line) for line in lines]
    kinds = {mark["bullet"] or "1" if mark else "" for mark in marks}
    premises: list[str] = []
    for line, mark in zip(lines, marks, strict=True):
        line = line[mark.end() if mark else 0 :].strip()
        premises += [line] if formula(line) else _SENTENCE.split(line)
    if len(kinds) > 1:
        return premises, "a list of which some lines only are marked"
    if kinds == {"-"} and len(lines) == 1 and formula(premises[0]):
        return premises, "a dash, which can be a 'not'"
    return [one for one in premises if one], ""


def _with_options(found: Question, listed: str) -> Question:
    options, place = list[tuple[str, str]](), len(listed) - len(listed.lstrip())
    while option := _OPTION.match(listed, place):
        options.append((option["letter"].upper(), option["word"].lower()))
        place = option.end()
    letters = {letter: WORDS[word] for letter, word in options}
    apart = len(options) == len(letters) == len(set(letters.values())) > 0
    if not apart or not _TAIL.fullmatch(listed, place):
        return replace(found, unread=found.unread or f"the options {listed.strip()[:60]!r}")
    return replace(
        found,
        letters=letters,
        two=found.two or "Uncertain" not in letters.values(),
        yes={"yes", "no"} <= {word for _, word in options},
    )


def _from_json(text: str) -> Question:
    try:
        row = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"logic: the problem starts with {{ but is no JSON ({error})") from error
    if "context" in row:
        asked = row.get("question", row.get("conclusion", ""))
        found = _plain(f"{row['context']}\nConclusion: {asked}")
    else:
        found = _pairs(row)
    if unknown := row.keys() - _FIELDS:
        found = replace(found, unread=found.unread or f"the field {min(unknown)!r}")
    options = row.get("options")
    if options is None:
        return found
    if not isinstance(options, list):
        return replace(found, unread=found.unread or "the options")
    return _with_options(found, "\n".join(map(str, options)))


def _pairs(row: dict[str, Any]) -> Question:
    """A row with a list of premises, and perhaps their formulas."""
    premises, conclusion = row.get("premises"), row.get("conclusion")
    formal = row.get("premises-FOL")
    if not isinstance(premises, list) or not isinstance(conclusion, str):
        raise BadInput(
            "logic: the JSON needs premises (a list) and conclusion (a text), or context"
        )
    if formal is not None:
        if not isinstance(formal, list) or len(formal) != len(premises):
            raise BadInput("logic: premises-FOL must be a list as long as premises")
        premises = [f"{one} ::: {said}" for one, said in zip(formal, premises, strict=True)]
    if claim := row.get("conclusion-FOL"):
        conclusion = f"{claim} ::: {conclusion}"
    spaced = [" ".join(str(one).split()) for one in (*premises, conclusion)]
    return Question(spaced[:-1], spaced[-1])
