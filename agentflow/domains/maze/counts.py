"""What a text says of how many turns a path has, and of which kind."""

from __future__ import annotations

import re

from agentflow.domains import spelling
from agentflow.domains.maze.claims import plain

MAX_LINE = 300
KINDS = ("right", "left", "total")
KIND = f"(?:({'|'.join(KINDS)}) )?"
WORDS = rf"{'|'.join(spelling.NUMBERS)}|no(?= (?:right |left |total )?turns)"
_IN = r"(?: (?:in|along|on) (?:the|this) (?:provided |given |marked )?path)?(?: from s to e)?"
_COUNTED = re.compile(
    r"(?i)[\W_]*(?:(?:so|then|thus|therefore|hence|in total|overall|altogether)\b,? )*(?:(?:(?:the"
    r"|this) (?:provided |given |marked )?path (?:has|makes|contains|includes|takes|requires"
    r"|involves|consists of)|(?:we|i) (?:have|get|got|count|counted|find|found|see|saw)"
    r"|there (?:are|is)|(?:this|that) gives(?: us)?) (?:exactly |only |just "
    rf"|a total of )?)?(?:(?:(?:the )?(?:total )?number|the (?:total )?count) of {KIND}turns"
    rf"|(?:the )?{KIND}turn count|(?:the )?total|(?:total )?{KIND}turns)?{_IN}(?: ?(?:=|:|is"
    r"|are)[\s*]*)?(?:\d+ (?:\+ \d+ )+= [\s*]*)?(?:(?P<letter>[a-z])[.):] )?(?<![^\W_])"
    rf"(?P<n>\d{{1,6}}|{WORDS})(?![^\W_])(?: {KIND}turns?)?(?: in total| altogether"
    rf"| at all)?{_IN}(?:(?:,? (?:which|this|that) (?:is|matches|corresponds to|makes it)|,? so"
    r"|,? i\.e\.,?| ?[-=]>|(?= \()) \(?(?:option |choice )?[\W_]*(?P<option>[a-z]))?[\W_]*"
)
_BOTH = re.compile(
    r"(?i)[\W_]*(?:(?:so|thus|therefore|hence),? )?(?:(?:there are|(?:the|this) path (?:has|makes)"
    rf"|we have|i count) )?(?P<a>\d{{1,6}}|{WORDS}) (?P<one>right"
    rf"|left)(?: turns?)? and (?P<b>\d{{1,6}}|{WORDS}) (?P<other>right"
    rf"|left) turns?{_IN}(?: in total)?[.!\s*_]*"
)
"""``There are 2 right turns and 0 left turns.``: the question asks for one of them."""
TOTAL = re.compile(r"(?i)[\W_]*(?:the )?(?:final |grand )?total(?: count)?\W*(?P<n>\d{1,6})\W*")
_IMPLIES = re.compile(r"\$?\\(?:Right|right|Longright|longright)arrow\$?|\$?\\implies\$?")
_OF_KIND = re.compile(r"\b(right|left) turns?\b")
_TIMES = {"never": "0", "once": "1", "twice": "2", "thrice": "3"}
_TURNS_SO = re.compile(
    r"(?i)[\W_]*(?:(?:so|then|thus|therefore|hence|in total|overall|altogether)\b,? )*(?:(?:(?:the"
    r"|this) (?:provided |given |marked )?(?:path|route)|it|we|you|one) )?(?:(?:also "
    r"|only )?turns? )?(?:to the )?(?P<kind>right|left)(?: exactly"
    rf"| only)? (?P<times>{'|'.join(_TIMES)}|(?P<n>(?:\d{{1,6}}|{WORDS})) times?){_IN}[.!\s*_]*"
)
"""How often a path turns so: ``The path turns right three times``, ``left once``."""


def stated(line: str) -> str | None:
    """The number of turns of one kind that a line states, with the option that it is; where no kind
    is named, of all."""
    if told := both(line):
        return " and ".join(f"{number} {kind} turns" for kind, number in told.items())
    found = count(line)
    if found is None:
        return None
    kind, number, option = found
    turns = f"{number} {kind or 'total'} turns"
    return f"{option} ({turns})" if option else turns


def count(line: str) -> tuple[str, str, str] | None:
    """(the kind of turns, how many a line says there are, the option that it is); the kind and the
    option are empty where none is named."""
    text = plain(_IMPLIES.sub("->", line[-MAX_LINE:]))
    if turns := _TURNS_SO.fullmatch(text):
        return turns["kind"].lower(), turns["n"] or _TIMES[turns["times"].lower()], ""
    front = ""
    if (found := _COUNTED.fullmatch(text)) is None:
        front, _, text = text.rpartition(", so ")
        found = _COUNTED.fullmatch(text)
    if found is None or "turn" not in front + text:
        return None
    kinds = {kind for kind in found.groups() if kind in KINDS}
    if not kinds and "total" not in text and len(led := {*_OF_KIND.findall(front)}) == 1:
        kinds = led
    options = {found["letter"], found["option"]} - {None}
    if len(kinds) > 1 or len(options) > 1:
        return None
    return "".join(kinds), found["n"], "".join(options)


def both(line: str) -> dict[str, int]:
    """How many right and left turns a line states together; empty where it does not."""
    found = _BOTH.fullmatch(plain(line[-MAX_LINE:]))
    if found is None or found["one"] == found["other"]:
        return {}
    return {found["one"]: number(found["a"]), found["other"]: number(found["b"])}


def number(said: str) -> int:
    """The number that a word or digits say; ``no`` turns are 0."""
    return 0 if said == "no" else spelling.number(said)
