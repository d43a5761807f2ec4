"""Ways that a reply goes from one object to the next, and orders in which it puts them.

From Mill, go north to Pier, then west to Dock     Pier is further north than Mill, and so on
Mill -> Pier -> Dock always goes southeast         each from the one before
From west to east: Mill, Pier, Dock                each further east than the one before

What counts is where names (``n``) and directions (``d``) stand: ``ndndn``, ``nnnd``, ``ddnnn``.
"""

from __future__ import annotations

import re
from itertools import pairwise

from agentflow.domains.spatialmap.canonical import consists_of, forms, opposite, shape, ways
from agentflow.domains.spatialmap.claims import N, number
from agentflow.domains.spatialmap.context import Context
from agentflow.domains.spatialmap.layout import Claim, lined_up
from agentflow.domains.spatialmap.placing import ONE, Told, crossing

_WORDS = forms("""
    again all always and appear arranging arrive at begin by chain come continue direction each
    end entire every finally find first five follow four from get go goes going has have head if
    in is it lead listing means more move moving must need next objects once one order ordered
    path places point reach reading requires route row same sequence six sorted stand start step
    take the them then this three throughout time to toward travel two up us walk way we went
    when whole would you further being more back look looking see seen view viewed
""")
_MOVES = re.compile(r"->|<|-{2}|\b(?:from|to (?:the )?(?:object )?[\ue000-\uefff])")
"""Without any of these, names and directions beside each other are no way."""
_BACK = re.compile(r" (?:in )?the (?:opposite|reverse|other) (?:way|direction)(?:,? which is|[:,])")
"""Behind where a way goes from and to, this says nothing new of it."""
_FROM = re.compile(rf"\b(?:from|at) (?P<who>{ONE})")


def read(text: str, now: Context) -> Told:
    """The claims of a clause in canonical spelling; None where it tells of no way or order."""
    text = _BACK.sub("", text)
    if not (_MOVES.search(text) or now.at is not None) or not consists_of(text, _WORDS, "-><,:[]"):
        return _behind(text, now)
    names, said, form = [number(one) for one in re.findall(N, text)], ways(text), shape(text)
    start = _FROM.search(text)
    if start and number(start["who"]) != names[0]:
        return None
    if form == "n" and start:
        now.at = names[0]
        return []
    if form == "dn" and now.at is not None:
        names, form = [now.at, *names], "ndn"
    if not _MOVES.search(text) and form != "ndn":
        return None
    told = _along(form, names, said)
    if told is None or any(one.of in one.objects for one in told):
        return None
    now.at = names[-1]
    return told


def _behind(text: str, now: Context) -> Told:
    """An order with where it goes in parentheses: ``A < B < C (south to north)``"""
    found = re.fullmatch(r"(?P<names>[^()]+)\((?P<way>[^()]+)\)", text)
    return read(f"{found['names'].strip()} {found['way']}", now) if found else None


def _along(form: str, names: list[int], said: list[str]) -> Told:
    """The claims of a way or an order whose names and directions stand as ``form`` says."""
    if re.fullmatch("n(dn)+|dnn", form):
        return [
            claim
            for way, a, b in zip(said, names, names[1:], strict=False)
            for claim in toward(way, b, a)
        ]
    steps = list(pairwise(names))
    if form == "nndd" and all(map(lined_up, said)) and crossing(said):
        return [claim for way in said for claim in toward(way, names[1], names[0])]
    if re.fullmatch("ddd?nn+|nn+dd", form) and opposite(said[0]) == said[1]:
        return [claim for a, b in steps for claim in toward(said[-1], b, a)]
    if re.fullmatch("nn+d", form):
        return [claim for a, b in steps for claim in toward(said[0], b, a)]
    return None


def toward(way: str, a: int, b: int) -> list[Claim]:
    """That ``a`` is in a direction of ``b``."""
    return [Claim("further" if lined_up(way) else "in", way, b, (a,))]
