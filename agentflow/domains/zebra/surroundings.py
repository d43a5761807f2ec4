"""What may stand around a puzzle or a grid: sentences made of words that change neither.

Each line is understood whole, or the text is not: a word that is not listed may turn the meaning
of everything (``one of the clues is false``, ``wait, swap houses 1 and 2``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from agentflow.domains.answers.known_remarks import closes
from agentflow.domains.answers.languages import heads
from agentflow.domains.spelling import plain, word_set

_WORDS = word_set("""
    a above all an and answer answers arrangement as be been below by can complete completed
    deduce deduced deduction deductions derive derived done fill filled final finally find
    following for found from go good grid have here i in into is it json let logic logical luck
    me much my now of okay our out present problem puzzle puzzles reason reasoning result s show
    shown so solution solutions solve solved solving step steps such summary table thank thanks
    that the then therefore think thinking this thus to us using we will work zebra
""")
"""No word that denies, counts, orders or names a thing of a puzzle."""
OF_ANSWERS = _WORDS | word_set("""
    according after align aligns analyzing application applying based clue clues condition
    conditions configuration constraint constraints detail details everything follows get given
    gives houses made on organize organized putting satisfying see summarize summarized
    sure systematic systematically through together working
""")
"""Those, and words that lead up to an answer."""
_OF_PROBLEMS = _WORDS | word_set("""
    ask asked attached carefully explain explained fields format formatted give given hello hi
    instruction instructions lives markdown or output please provide question questions read
    respond task what where which who write you your
""")
"""Those, and words that ask for an answer and say how it is to be written."""
_GRIDS = frozenset(("answer", "arrangement", "grid", "houses", "result", "solution", "table"))
_COUNT = "(?:the |given |two |three |four |five |six |seven |eight |nine |ten )*"
_FIXED = re.compile(
    r"(?:this|the|it|which)(?: solution| answer| grid| arrangement)? (?:satisfies|meets|fits) "
    rf"(?:all|each) (?:of )?{_COUNT}(?:clues|conditions|constraints)"
    rf"|(?:all|each|every) (?:of )?{_COUNT}"
    r"(?:clues?|conditions?|constraints?) (?:holds?|(?:(?:are|is) )?(?:now )?(?:satisfied|met))"
    r"(?: (?:with|by|in) (?:this|the) (?:solution|answer|grid|arrangement))?"
    rf"|(?:all|each|every) (?:of )?{_COUNT}(?:clues?|conditions?|constraints?) checks? out"
    r"|(?:here is the (?:answer|arrangement|grid|order|solution) )?(?:the (?:houses|order) )?"
    r"from left to right(?: the houses are)?"
    r"|here is (?:my|the) (?:final )?(?:answer|arrangement|grid|solution)(?: to the puzzle)?"
    r" in (?:the )?(?:given |following |requested |required |specified )?(?:json )?format"
    r"|(?:please )?(?:solve|use|read) (?:the |this )?(?:puzzle )?(?:using |with |and )?"
    r"the (?:following |given )?clues(?: below| above)?"
)
_YOURS = re.compile(
    r"\b(?:thank you|here you go|(?:as|for|give|show|to) you|here(?: is|'s|) your|(?:of|to) your)\b"
)
"""What is said to the reader, and not of what the reader thinks."""
_PROMISES = re.compile(
    r"\bfollows[\W_]*$|\bfollowing[\W_]*$|\bbelow\b|\b(?:ha(?:s|ve)|need|want) to\b"
    r"|\blet(?:'s| us| me)\b|\bwill (?:now |then )?(?!be\b|go\b|have\b)[a-z]"
    rf"|\b(?:{'|'.join(sorted(_GRIDS))})\b[^:]*:[\W_]*$"
)
"""What says that the answer is yet to come."""
_DECORATION = dict.fromkeys(map(ord, "✓✔✅☑🎉\ufe0e\ufe0f"))
_TITLE_WORDS = frozenset(("example", "examples", "clue", "clues", "step"))
_TITLE = re.compile(r"\s*(?:#+|\*\*)[^.]*|[^.]{1,40}:\s*")
_MARKS = re.compile(r"[\s>]*[\s#*`_.,:!-]*")
_WORD = re.compile(r"[a-z]+")
_SENTENCE = re.compile(r"[^.!]+[.!]*|[.!]+")
_COUNTED = re.compile(r"\b\d{1,2} (?=(?:clue|condition|constraint)s\b)")
_ALLOWED = re.compile(r"[a-z\s#*>`_.,:!?'()-]*")
_SAID = re.compile(r"[a-z\s#*>`_.,:!'()-]*")
"""The signs of an answer: what is asked is none."""
_ASKS = re.compile(r"[\W_]*(?:is|can)\b")
_FIELD = re.compile(r"(?i)house ?\d{0,2}|houses|reasoning|explanation|solution|answer")
_FENCE = re.compile(
    r"\s*(?:`{3,}|~{3,})\s*(?:json|csv|table|markdown|md|plaintext|text|txt|yaml|yml)?\s*"
)
_STEP = re.compile(r"[\s#*]*step \d{1,2}[\s:.*]*")
_TAG = re.compile(r"\s*</?(?:final[_ -]?)?(?:answer|solution|output|result)>\s*")


def undecorated(line: str) -> str:
    """A line without the signs that say no more than that all is well."""
    return line if line.isascii() else line.translate(_DECORATION)


def harmless(line: str) -> bool:
    """Whether a line says nothing that changes what a puzzle means."""
    said = plain(line).lower()
    if _sign(said):
        return True
    if not _ALLOWED.fullmatch(said):
        return False
    found = set(_WORD.findall(said))
    if _TITLE.fullmatch(said) and len(found) <= 6:
        found -= _TITLE_WORDS
    return found <= _OF_PROBLEMS or _fixed(said)


def beside(line: str) -> bool:
    """Whether a line says nothing that changes what a grid means: no question, no example."""
    said = _COUNTED.sub("", plain(line).lower())
    if _sign(said):
        return True
    if not _SAID.fullmatch(said):
        return False
    return all(map(_beside, _SENTENCE.findall(said)))


def _beside(said: str) -> bool:
    """The same of a sentence."""
    if _ASKS.match(said):
        return False
    found = set(_WORD.findall(_YOURS.sub(" ", said)))
    return found <= OF_ANSWERS or _fixed(said) or closes(said)


def announces(line: str) -> bool:
    """Whether a line that stands :func:`beside` a grid says that one follows."""
    said = plain(line).lower()
    found = set(_WORD.findall(said))
    return not _sign(said) and (said.rstrip("\n *_").endswith(":") or not _GRIDS.isdisjoint(found))


def promises(line: str) -> bool:
    """Whether a line that stands :func:`beside` a grid says that the answer is yet to come."""
    sentences = _SENTENCE.findall(plain(line).lower())
    return any(_PROMISES.search(one) and not closes(one) for one in sentences)


def _sign(said: str) -> bool:
    """Whether a line has no words of its own: a rule, a fence, a tag, the heading of a step."""
    return heads(said) or any(one.fullmatch(said) for one in (_MARKS, _FENCE, _TAG, _STEP))


def _fixed(said: str) -> bool:
    return _FIXED.fullmatch(" ".join(_WORD.findall(said))) is not None


def stray(text: str) -> Iterator[str]:
    """The lines of a text that are not harmless; a whole piece of JSON counts as one line."""
    rest = text
    while rest:
        line, _, behind = rest.partition("\n")
        if line.lstrip()[:1] in ("{", "["):
            try:
                # What no line begins with is no JSON of its own.
                _, end = json.JSONDecoder().raw_decode(rest.lstrip())
            except (ValueError, RecursionError):
                yield line
            else:
                start = len(rest) - len(rest.lstrip())
                yield rest[start : start + end]
                rest = rest[start + end :]
                continue
        elif not harmless(line):
            yield line
        rest = behind


def template(text: str, column: Callable[[str], bool]) -> bool:
    """Whether a text is JSON that is to be filled in: no text in it but names and blanks.

    Args:
        column: Whether it names an attribute.
    """
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return _is_template(found, column)


def _is_template(value: Any, column: Callable[[str], bool]) -> bool:
    if isinstance(value, dict):
        named = all(column(key) or _FIELD.fullmatch(key) for key in value)
        return named and all(_is_template(part, column) for part in value.values())
    if isinstance(value, list):
        return all(_is_template(part, column) for part in value)
    return re.fullmatch(r"[\W_]*", str(value)) is not None
