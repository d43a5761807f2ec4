"""What follows from where objects stand: two unknowns an object, so that chains and reversals of
directions are theorems; decided by Z3."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Any, Literal

import z3

from agentflow.tools.entailment import Finding, Theory, context, in_thread

DIRECTIONS: dict[str, tuple[int, int]] = {
    **{"North": (0, 1), "South": (0, -1), "East": (1, 0), "West": (-1, 0)},
    **{"Northeast": (1, 1), "Northwest": (-1, 1), "Southeast": (1, -1), "Southwest": (-1, -1)},
}
"""Direction -> signs of the differences of x (to the east) and y (to the north)."""

Relations = tuple[tuple[int, str, int], ...]
"""What a map says: object, direction, object; objects are numbers from 0."""


@dataclass(frozen=True, slots=True)
class Claim:
    """Something said of where objects stand.

    Attributes:
        kind: ``in``: the one of ``objects`` is in ``direction`` of ``of``; ``out``: it is not;
            ``further``: it is further in that direction, North, South, East or West, and may be
            further in others, too; ``all``: those in that direction are exactly ``objects``;
            ``count``: they are ``count``; ``open``: the map does not tell where the one of
            ``objects`` is.
    """

    kind: Literal["in", "out", "further", "all", "count", "open"]
    direction: str
    of: int
    objects: tuple[int, ...] = ()
    count: int = 0

    def data(self) -> dict[str, Any]:
        """As plain JSON."""
        return asdict(self) | {"objects": list(self.objects)}

    @staticmethod
    def of_data(data: Mapping[str, Any]) -> Claim:
        """What :meth:`data` gave."""
        return Claim(**{**data, "objects": tuple(data["objects"])})


def lined_up(direction: str) -> bool:
    """Whether it is North, South, East or West: exactly in line."""
    return 0 in DIRECTIONS[direction]


_known: dict[tuple[Relations, int, Claim], Finding] = {}
_MAX_KNOWN = 10_000


async def judged(relations: Relations, size: int, claim: Claim) -> Finding:
    """What a map of ``size`` objects that does not contradict itself says of a claim.

    Findings are remembered: a trace states the same few claims again and again.
    """
    known = _known.get((relations, size, claim))  # another thread may forget it at any time
    return known if known is not None else await in_thread(judge, relations, size, claim)


# What follows runs in the thread of Z3 (see agentflow.tools.entailment).


def judge(relations: Relations, size: int, claim: Claim) -> Finding:
    """The same as :func:`judged`, at once."""
    key = (relations, size, claim)
    if (known := _known.get(key)) is not None:
        return known
    if len(_known) >= _MAX_KNOWN:
        _known.clear()
    if claim.kind == "open":
        ways = (judge(relations, size, replace(claim, kind="in", direction=w)) for w in DIRECTIONS)
        found = Finding("contradicted" if "entailed" in {w.outcome for w in ways} else "entailed")
    else:
        found = _theory(relations).judge(_formula(*key))
    if found.outcome is not None:  # what took too long may be told another time
        _known[key] = found
    return found


@lru_cache(maxsize=256)
def contradiction(relations: Relations) -> tuple[int, ...] | None:
    """Which sentences of a map contradict each other; None if none do."""
    return _theory(relations).contradiction()


@lru_cache(maxsize=256)
def _theory(relations: Relations) -> Theory:
    return Theory([_placed(*relation) for relation in relations], "QF_RDL")


def _formula(relations: Relations, size: int, claim: Claim) -> Any:
    """Where the map puts no two objects in line, none are (interwhen's appendix A.2.2)."""
    in_line = any(lined_up(direction) for _, direction, _ in relations)

    def inside(number: int) -> Any:
        if lined_up(claim.direction) and not in_line:
            return z3.BoolVal(False, context())
        return _placed(number, claim.direction, claim.of)

    match claim.kind:
        case "in":
            formula = inside(claim.objects[0])
        case "out":
            formula = z3.Not(inside(claim.objects[0]))
        case "further":
            formula = _further(claim.objects[0], claim.direction, claim.of)
        case "all":
            listed = [inside(number) == (number in claim.objects) for number in range(size)]
            formula = z3.And(*listed)
        case "count":
            there = [(inside(number), 1) for number in range(size) if number != claim.of]
            none = z3.BoolVal(claim.count == 0, context())
            formula = z3.PbEq(there, claim.count) if there else none
    return formula


@lru_cache(maxsize=4_096)
def _placed(a: int, direction: str, b: int) -> Any:
    """That ``a`` stands in a direction of ``b``."""
    signs = zip("xy", DIRECTIONS[direction], strict=True)
    return z3.And(*(_compared(axis, sign, a, b) for axis, sign in signs))


def _further(a: int, direction: str, b: int) -> Any:
    """That ``a`` is further in a direction than ``b``, wherever it is else."""
    signs = zip("xy", DIRECTIONS[direction], strict=True)
    return z3.And(*(_compared(axis, sign, a, b) for axis, sign in signs if sign))


def _compared(axis: str, sign: int, a: int, b: int) -> Any:
    one, other = (z3.Real(f"{axis}{number}", context()) for number in (a, b))
    return one == other if sign == 0 else one > other if sign > 0 else one < other
