"""Equations that a line of text states about numbers.

Read are only whole statements: both sides must be complete expressions between words, punctuation
and other equality signs. What may be meant in another way is no claim, or a claim that is never
refuted (``doubtful``).
"""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from agentflow.domains.math.claims import Claim, is_cut_off, judge, sides
from agentflow.domains.math.doubt import line_doubted
from agentflow.domains.math.glance import MAX_LINE, may_claim, may_state
from agentflow.domains.math.notation import (
    spelled,
)
from agentflow.domains.math.sentences import Sentence
from agentflow.domains.math.values import value
from agentflow.domains.spelling import lowered

_KEPT = 256
"""Lines that are remembered with what they say."""
_ANNOTATION = re.compile(r"<<([^<>]{1,200})>>")
_MARKER = re.compile(
    r"^\s*(?:#+\s+|>\s+)?"
    r"(?:(?:\(?(?:\d{1,2}|[a-zA-Z]|[ivx]{1,4})[.)]|[*•]|\*{0,2}[Ss]tep \d{1,3}[:.)]\*{0,2})\s+)?"
)
_CALCULATION = re.compile(r"\s*[\d(][\d().,$ ]*[-+*/×·÷−][-+*/×·÷−\d().,$ ]{1,80}\s*")
"""A line that is a calculation and nothing else; the next one may go on with it."""
_DASH = re.compile(r"\s*[-–−]\s+")
_DIGIT = re.compile(r"\d")
_MONEY_BY_MONEY = re.compile(
    r"\\?\$(\d[\d,]*(?:\.\d+)?)\s*([*/×÷·]|\\times|\\cdot|\\div)\s*\\?\$(\d[\d,]*(?:\.\d+)?)"
    r"\s*=\s*\\?\$(\d[\d,]*(?:\.\d+)?)(?![\d$])"
)
"""``$10 / $2 = $5``: the signs are left out elsewhere, as they also set type."""
_MONEYS = tuple(
    re.compile(rf"(?i){signs}")
    for signs in (r"\$\s?[\d.]|\bdollars?\b", r"€|\beuros?\b", r"£", r"¥|\byen\b", r"₹|\brupees?\b")
)
_ADDS = re.compile(r"[+−]|\s[-–]\s?[$€£¥₹\d]")


def claims(line: str, before: str = "") -> tuple[list[Claim], str]:
    """The equations that a line states, in order, each once.

    Args:
        line: One line of text.
        before: The line before, where a line that begins with ``=`` may go on with it.

    Returns:
        The claims; and this line where the next one may go on with it, else an empty text.
    """
    if len(line) > MAX_LINE or not _DIGIT.search(line):
        return [], ""
    if not may_state(line):
        return [], line if _CALCULATION.fullmatch(line) else ""
    return list(_read(line, _begun(line, before))[0]), line


def forgets(line: str, before: str = "") -> bool:
    """Whether a line has an equation between numbers that is none of its :func:`claims`."""
    if len(line) > MAX_LINE or not _DIGIT.search(line) or not may_state(line):
        return False
    return not line.lstrip().startswith("|") and _read(line, _begun(line, before))[1]


def _begun(line: str, before: str) -> str:
    """The expression in the line before with which a line goes on; empty where it does not."""
    if not before:
        return ""
    text, dash = _told(line)
    return ending(before) if dash or text.lstrip().startswith(("=", "\\approx")) else ""


@lru_cache(maxsize=_KEPT)
def _told(line: str) -> tuple[str, bool]:
    """(a line in one spelling, without its bullet; whether that was a dash)."""
    text = _ANNOTATION.sub(" ", line) if "<<" in line else line
    if "$" in text:
        text = _MONEY_BY_MONEY.sub(r"\1 dollars \2 \3 dollars = \4 dollars", text)
    dash = _DASH.match(text)
    text = text[dash.end() :] if dash else text
    marker = _MARKER.match(text)
    return spelled(text[marker.end() :] if marker else text), dash is not None


def ending(line: str) -> str:
    """The expression that a line ends in; empty if it ends in none."""
    if may_state(line):
        text = _told(line)[0]
        return Sentence(text, "", 0, len(text)).ending()
    return spelled(line).strip() if _CALCULATION.fullmatch(line) else ""


@lru_cache(maxsize=_KEPT)
def _read(line: str, before: str) -> tuple[tuple[Claim, ...], bool]:
    """The claims of a line behind one that ended in the expression ``before``, and whether an
    equation of it is not among them; kept, as what loops says the same lines."""
    annotated = [claim for part in _ANNOTATION.findall(line) for claim in _stated(part)[0]]
    results = {value(one.right) for claim in annotated for one in sides(claim)[:1]}
    text, dash = _told(line)
    if before and text.lstrip().startswith(("=", "\\approx")):
        text = f"{before} {text}"
    found, unread = _stated(text, results, dollars="$" in line)
    if found and _ADDS.search(line) and sum(bool(one.search(line)) for one in _MONEYS) > 1:
        return (), True  # $5 + €3
    if found and line_doubted(line):
        found = [replace(claim, doubtful=True) for claim in found]
    if found and text.endswith(found[-1].right) and is_cut_off(found[-1]):
        found[-1] = replace(found[-1], doubtful=True)
    if dash and found and text.lstrip().startswith(found[0].left):
        found[0] = _behind_dash(found[0], before)
    return tuple(dict.fromkeys([*found, *annotated])), unread


def _stated(
    text: str, results: Container[Fraction | None] = (), *, dollars: bool = False
) -> tuple[list[Claim], bool]:
    """The claims of the sentences that state some, and whether one has an equation that is none and
    does not end in one of the ``results``."""
    low = lowered(text)
    found, unread, refused = list[Claim](), False, False
    for start, end in may_claim(text, low):
        sentence = Sentence(text, low, start, end, dollars=dollars)
        claimed = dict(sentence.claims())
        found += claimed.values()
        unread = unread or sentence.forgets(claimed.keys(), results)
        refused = refused or sentence.refuses(claimed.keys(), results)
    return found, unread if found else refused


def _behind_dash(claim: Claim, before: str) -> Claim:
    """What is meant by a claim at the start of a line, behind a dash and a space.

    The dash is a bullet, unless the claim holds only with it as a sign or as a difference that the
    line before began.
    """
    signed = [f"-{claim.left}", *([f"{before} - {claim.left}"] if before else [])]
    readings = [claim, *(replace(claim, left=left) for left in signed)]
    return next((one for one in readings if judge(one).ok), claim)
