"""What a text says of how many turns a path has, and of which kind."""

from __future__ import annotations

import re
from collections.abc import Iterable

from agentflow.domains import conclusions, spelling
from agentflow.domains.maze.claims import plain

MAX_LINE = 300
KINDS = ("right", "left", "total")
KIND = f"(?:({'|'.join(KINDS)}) )?"
WORDS = rf"{'|'.join(spelling.NUMBERS)}|no(?= (?:right |left |total )?turns)"
_IN = r"(?: (?:in|along|on) (?:the|this) (?:provided |given |marked )?path)?(?: from s to e)?"
_COUNTED = re.compile(
    r"(?i)[\W_]*(?:(?:so|then|thus|therefore|hence|in total|overall|altogether)\b,? )*"
    r"(?:(?:(?:the|this) (?:provided |given |marked )?path"
    r" (?:has|makes|contains|includes|takes|requires|involves|consists of)"
    r"|(?:we|i) (?:have|get|got|count|counted|find|found|see|saw)"
    r"|there (?:are|is)|(?:this|that) gives(?: us)?) "
    r"(?:exactly |only |just |a total of )?)?"
    rf"(?:(?:(?:the )?(?:total )?number|the (?:total )?count) of {KIND}turns"
    rf"|(?:the )?{KIND}turn count|(?:total )?{KIND}turns)?{_IN}"
    r"(?: ?(?:=|:|is|are)[\s*]*)?(?:(?P<letter>[a-z])[.):] )?"
    rf"(?<![^\W_])(?P<n>\d{{1,6}}|{WORDS})(?![^\W_])(?: {KIND}turns?)?"
    r"(?: in total| altogether| at all)?"
    rf"{_IN}(?:(?:,? (?:which|this|that) (?:is|matches|corresponds to|makes it)| ?[-=]>)"
    r" (?:option |choice )?[\W_]*(?P<option>[a-z]))?[\W_]*"
)
N = rf"(?:\d{{1,6}}|{WORDS})"
_TWO_KINDS = (
    r"(?i)[\W_]*(?:(?:so|thus|therefore|hence),? )?"
    r"(?:(?:there are|the path has|the path makes|we have|i count) )?"
    rf"(?P<a>{N}) (?P<one>right|left)(?: turns?)? and (?P<b>{N}) (?P<other>right|left) turns?"
)
BOTH = re.compile(rf"{_TWO_KINDS}{_IN}(?: in total)?[.!\s*_]*")
"""``There are 2 right turns and 0 left turns.``: the question asks for one of them."""
_ADDED = re.compile(
    rf"{_TWO_KINDS},?"
    r" (?:(?:so|thus|therefore|hence),? (?:the total(?: number of turns)? is|there are|that is)"
    r"|(?:for|giving|making|which gives|which makes) a total of|which is|a total of)"
    rf" (?P<n>{N})(?: turns?)?(?: in total)?[.!\s*_]*"
)
"""``2 right turns and 0 left turns, so the total is 2``"""
_SUMMED = re.compile(
    rf"(?i)[\W_]*(?P<a>{N}) (?P<one>right|left)(?: turns?)? \+ (?P<b>{N}) (?P<other>right|left)"
    rf"(?: turns?)? = (?P<n>{N})(?: (?:total )?turns?)?(?: in total)?[\W_]*"
)
"""``1 right turn + 1 left turn = 2 turns``"""
_TALLY = re.compile(
    r"(?i)[\W_]*(?:the )?(?:(?:final|grand|total) )?(?:total|count|tally|sum|number)"
    rf"(?: is|:)[\s*]*(?P<n>{N})[\W_]*"
)
"""A clause above an answer that counts, and does not say what: ``Count: 2``"""
_SHORT_COUNT = re.compile(rf"(?i)(?:^|.*: )(?P<n>\d{{1,6}}|{WORDS}) (?P<kind>right|left)s?")
"""A clause such as ``1 right`` in ``There are 2 turns: 1 right, 1 left``."""
TOTAL = re.compile(r"(?i)[\W_]*(?:the )?(?:final |grand )?total(?: count)?\W*(?P<n>\d{1,6})\W*")
_TIMES = {"never": "0", "once": "1", "twice": "2", "thrice": "3"}
_TURNS_SO = re.compile(
    r"(?i)[\W_]*(?:(?:so|then|thus|therefore|hence|in total|overall|altogether)\b,? )*"
    r"(?:(?:(?:the|this) (?:provided |given |marked )?(?:path|route)|it|we|you|one) )?"
    r"(?:(?:also |only )?turns? )?(?:to the )?(?P<kind>right|left)(?: exactly| only)?"
    rf" (?P<times>{'|'.join(_TIMES)}|(?P<n>{N}) times?){_IN}[.!\s*_]*"
)
"""How often a path turns so: ``The path turns right three times``, ``left once``."""
_ALL_SO = re.compile(
    r"(?i)both (?:(?:of the )?turns |of them )?are (?:to the )?(?P<kind>left|right)(?: turns)?"
)
"""``Both turns are left turns``"""
_STRAIGHT = re.compile(
    r"(?i)(?:the|this) (?:whole )?(?:path|route) (?:is (?:a )?straight(?: line)?"
    r"|never (?:bends|turns)|has no (?:bends|turns))"
)


def stated(line: str) -> str | None:
    """The number of turns of one kind that a line states, with the option that it is; where no kind
    is named, of all."""
    found = count(line)
    if found is None:
        return None
    kind, number, option = found
    turns = f"{number} {kind or 'total'} turns"
    return f"{option} ({turns})" if option else turns


def count(line: str) -> tuple[str, str, str] | None:
    """(the kind of turns, how many a line says there are, the option that it is); the kind and the
    option are empty where none is named."""
    text = plain(line[-MAX_LINE:])
    if turns := _TURNS_SO.fullmatch(text):
        return turns["kind"].lower(), turns["n"] or _TIMES[turns["times"].lower()], ""
    found = _COUNTED.fullmatch(text)
    if found is None or "turn" not in found[0]:
        return None
    kinds = {kind for kind in found.groups() if kind in KINDS}
    options = {found["letter"], found["option"]} - {None}
    if len(kinds) > 1 or len(options) > 1:
        return None
    return "".join(kinds), found["n"], "".join(options)


def added(line: str) -> str | None:
    """The number of all turns that a line adds up, with those of each kind as its grounds."""
    found = _ADDED.fullmatch(plain(line[-MAX_LINE:]))
    counts = by_kind(found) if found else {}
    if found is None or len(counts) < 2:
        return None
    grounds = (f"{number} {kind} turns" for kind, number in counts.items())
    return conclusions.grounded(f"{found['n']} total turns", grounds)


def both(line: str) -> str | None:
    """The numbers of right and of left turns that a line states together, both as its grounds."""
    found = BOTH.fullmatch(plain(line[-MAX_LINE:]))
    counts = by_kind(found) if found else {}
    if len(counts) < 2:
        return None
    told = [f"{number} {kind} turns" for kind, number in counts.items()]
    return conclusions.grounded(" and ".join(told), told)


def told(clauses: Iterable[str]) -> list[str]:
    """The numbers of turns that clauses tell, of each kind the last: ``2 right turns``."""
    counts = dict[str, str]()
    for clause in clauses:
        if short := _SHORT_COUNT.fullmatch(clause):
            counts[short["kind"].lower()] = f"{short['n']} {short['kind'].lower()} turns"
        elif both := _ALL_SO.fullmatch(clause):
            counts[both["kind"].lower()] = f"2 {both['kind'].lower()} turns"
        elif tally := _TALLY.fullmatch(clause):
            counts[""] = f"{tally['n']} turns"
        elif summed := _SUMMED.fullmatch(plain(clause)):
            counts |= {kind: f"{n} {kind} turns" for kind, n in by_kind(summed).items()}
            counts["total"] = f"{summed['n']} total turns"
        elif _STRAIGHT.fullmatch(clause):
            counts["total"] = "0 total turns"
        elif found := count(clause):
            counts[found[0]] = f"{found[1]} {found[0]} turns".replace("  ", " ")
    return [*counts.values()]


def by_kind(found: re.Match[str]) -> dict[str, str]:
    """The kinds of turns of which a text tells two numbers."""
    return {found["one"].lower(): found["a"], found["other"].lower(): found["b"]}


def number(said: str) -> int:
    """The number that a word or digits say; ``no`` turns are 0."""
    return 0 if said == "no" else spelling.number(said)
