"""How a model might have begun a line otherwise than the refuted ones.

    Move UP from (3,5) to (2,5)      refuted: there is a wall
    Move LEFT                        is put there, and the model goes on behind it

A model that is sure of a wrong line writes it again when it is asked again. But with each token it
said which others it might have drawn, and how likely they were. Of all beginnings that differ in
their last token from every refuted line, the likeliest one stands in their place: what a best-first
search in the tree of tokens would look at next. It costs no token. CoT decoding takes such
alternatives at a reply's first token (Wang and Zhou 2024, section 2).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence

from agentflow.monitors.stream_result import Drawn
from agentflow.trace import Operation, Trace

ALTERNATIVES = 5
"""Likeliest tokens that are asked for: every server of completions that tells any tells as many."""

LEAST = math.log(0.001)
"""Beginnings less likely than this are slips of the pen rather than other thoughts."""

Ways = Mapping[str, float]
"""Beginning of a line -> its log-probability, given what stands before the line."""


def refuted_at(operations: Iterable[Operation], start: int) -> tuple[list[str], Ways]:
    """(the lines that were taken back at a place of the body since what stands before it changed,
    how they might have begun instead)."""
    trace, lines, ways = Trace(), list[str](), dict[str, float]()
    for operation in operations:
        cut = operation["offset"] if operation["op"] == "cut" else math.inf
        if cut < start or operation["op"] == "begin":
            lines, ways = [], {}
        elif cut == start:
            lines.append(trace.body[start:])
            ways |= operation.get("others", {})
        trace.apply(operation)
    return lines, ways


def ways_of(
    line: str, start: int, drawn: Sequence[Drawn], known: Ways, markers: Collection[str]
) -> Ways:
    """How a line might have begun that differs from it in the last token.

    Args:
        start: Where it begins in the body.
        drawn: Its tokens; those that it was begun with for the model are missing.
        known: Log-probabilities of such beginnings.
        markers: Tokens that mean something to the engine or to the reading of a reply. A line with
            one of them is none to begin otherwise.
    """
    found = dict[str, float]()
    begun = line[: drawn[0].at - start] if drawn else line
    if begun and begun not in known:
        return found
    if "\n" in line[:-1] or any(marker in line for marker in markers):
        return found
    chance = known.get(begun, 0.0)
    for one in drawn:
        if chance <= LEAST:
            break
        for text, logprob in one.others:
            fits = text not in ("", one.text, *markers) and not {"\n", "\ufffd"} & set(text)
            if fits and chance + logprob > LEAST:
                found[line[: one.at - start] + text] = chance + logprob
        chance += one.logprob or 0.0
    return found


def likeliest(ways: Ways, lines: Sequence[str]) -> str:
    """The likeliest beginning that none of these lines has; empty where there is none."""
    left = [way for way in ways if not any(line.startswith(way) for line in lines)]
    return max(left, key=ways.__getitem__, default="")
