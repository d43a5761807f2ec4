"""What a text says of single turns of a path, and of how many there are.

left -> up: right turn                 one after the other, or one alone
(1,7): right -> down                   where it is
the only left turn is at (3,5)
both turns are left turns
there are 3 right turns and 1 left turn
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby, pairwise

from agentflow.domains.maze.grid import Grid, turn_of
from agentflow.domains.maze.spoken import CELL, CLOCK, KIND, WAY, cell, way

_SIDED = {"clockwise": "right", "counterclock": "left", "right": "right", "left": "left"}
_GOING = r"(?:to |the |straight |going |moving |heading |facing |travell?ing |toward )*"
_TO = (
    r"(?: ?-> ?| ?- ?| (?:back )?(?:and )?(?:then )?(?:turn(?:s|ing)? )?(?:to|into) |,?"
    r" (?:and )?then )"
)
_A_KIND = (
    rf"(?:an? )?(?:\(?(?:90|quarter)[- ]?(?:degrees?)?[- ]?(?:turn )?)?\(?(?P<first>{KIND}"
    rf"|{CLOCK})\)?"
    rf"(?:[ -](?:hand|turn|rotation|change of direction))*"
    rf"(?:,? ?(?:\(|which is |that is |i\.e\. |so |hence |and therefore )*(?:an? )?"
    rf"(?P<second>{KIND}|{CLOCK})\)?(?: (?:turn|rotation))?)?\)?"
)
_IS = (
    r"(?: ?(?:->|[:=,(-])+ ?|,? (?:so |and |thus |hence )?(?:(?:this|that|it|which) )?(?:again )?"
    r"(?:is|are|gives|makes|means|counts as|represents)(?: again| also)? )"
)
_PAIR = re.compile(
    rf"(?:(?:step |corner |turn |change |the )*#?(?P<k>\d{{1,2}})(?:th)?(?: turn)? ?[:.)-]* ?"
    rf"(?:(?:is|from|goes|at) )*)?(?:(?:at |corner )*(?P<at>{CELL}) ?[:,-]? ?)?"
    rf"(?:(?:the |a )?turn(?:s|ing)? )?(?:from |(?:when|if|while) )?(?:you )?(?:are )?"
    rf"{_GOING}(?P<before>{WAY}){_TO}{_GOING}(?P<after>{WAY})(?:,? (?:at|in) (?P<there>{CELL}))?"
    rf"(?:(?:(?:{_IS}){{1,2}}|(?= \())\s?{_A_KIND})?(?: ?(?:\(|- ?|: ?|,)?#?(?P<nth>\d{{1,2}})\)?)?"
    rf"(?:,? (?:at|in) (?P<where>{CELL}))?"
)
_FACES = re.compile(
    rf"(?:when |if |while )?(?:you (?:are )?)?(?:moving|going|heading|facing|travell?ing|walking) "
    rf"({WAY}),? (?:then |and )?(?:turning )?(?:(?:by )?90 degrees )?({CLOCK}|{KIND}) (?:makes you|"
    rf"means you|makes|means|lets you|leaves you|will)? ?(?:face|facing|go|going|head|heading) "
    rf"({WAY})"
)
_CORNER = re.compile(
    rf"(?:the |it |this |a |1 )*(?:(?P<only>only) )?(?:\d+th )?(?:(?P<kind>{KIND}) )?turn "
    rf"(?:happens|occurs|is|comes|takes place|is located|lies|appears) (?:located )?at "
    rf"(?P<at>{CELL})(?:,? where (?:PATH|it|you),? ?(?:(?:heading|going|moving|coming) "
    rf"(?P<from>{WAY}),? ?)?(?P<to>.*))?"
)
_TURNS_TO = re.compile(
    rf"(?:(?:turns?|bends?|changes?|goes|heads|swings?)(?: direction)?|turn) (?:to )?(?:the"
    rf" )?({WAY})"
    rf"|(?:stops? |switche?s? from |changes? from |turns? from )?(?:heading|going|moving)? ?({WAY})"
    rf"(?: and (?:starts?|begins?) (?:heading|going|moving)| to(?: heading| going| moving)?)"
    rf" ({WAY})"
)
_AT = re.compile(
    rf"(?:(?:PATH|it|you|and|then|also|again|finally) )*(?:(?:turns?|bends?|makes?|takes?)"
    rf" )?(?:an? )?"
    rf"(?P<kind>{KIND})(?: again| turn)* at (?P<at>{CELL})"
)
_QUANTITY = re.compile(
    rf"(?P<q>both|all(?: \d+)?|each|every|neither|none|either|(?:the )?(?:first|last|initial"
    rf"|1th) \d+"
    rf"|(?:all |the )*(?:remaining|other)(?: \d+)?|(?:all )?\d+ other|all \d+ other"
    rf"|(?:only |just |exactly )*\d+(?: of)?|the rest)"
    rf"(?P<of>(?: (?:of|the|these|those|them|which|change|remaining|other|1|\d+|turns?|ones?|"
    rf"in direction|1s|along PATH|on PATH))*) (?:is|are|being|to)(?: an?)?(?: to the)?(?: all)?"
    rf"(?: an?)? (?P<neg>not )?(?P<kind>{KIND}|{CLOCK})(?: turns?)?(?: ?\(({KIND}|{CLOCK})(?:"
    rf" turns?)?\))?"
)


@dataclass(frozen=True, slots=True)
class Corner:
    """A cell at which a path turns."""

    at: tuple[int, int]
    before: str
    after: str
    kind: str


class Corners:
    """The turns of a path, and those of which has been told.

    Attributes:
        listed: The numbers of the turns that a list has told so far, from 0.
        label: The kind of turns of which the list is; empty for all.
    """

    def __init__(self, grid: Grid) -> None:
        self.all = _corners(grid)
        self.kinds = [one.kind for one in self.all]
        self.runs = [one for one, _ in groupby(grid.directions)]
        self.listed = list[int]()
        self.label = ""
        self.last = -1

    def many(self, kind: str) -> int:
        """How many there are of a kind, or of all."""
        return len(self.kinds) if kind in ("", "total") else self.kinds.count(kind)

    def begins(self, label: str) -> bool:
        """A list of turns begins; whether the one before it was whole."""
        whole = self.whole
        self.listed, self.label, self.last = [], label, -1
        return whole

    @property
    def whole(self) -> bool:
        """Whether the list that was told is whole."""
        of = [k for k, kind in enumerate(self.kinds) if self.label in ("", kind)]
        return (
            self.listed == of
            if self.label and self.listed
            else (len(self.listed) < 2 or self.listed == of)
        )

    def tells(self, text: str) -> bool | None:
        """Whether a clause on one turn is right; None for what is none."""
        if found := _PAIR.fullmatch(text):
            return self._pair(found)
        if found := _FACES.fullmatch(text):
            before, side, after = found.groups()
            return turn_of(way(before), way(after)) == f"{_SIDED[side].upper()}_TURN"
        if found := _CORNER.fullmatch(text):
            return self._corner(found)
        if found := _AT.fullmatch(text):
            return any((one.at, one.kind) == (cell(found["at"]), found["kind"]) for one in self.all)
        if found := _QUANTITY.fullmatch(text):
            return self._quantity(found)
        return None

    def kinds_in_a_row(self, text: str) -> bool | None:
        """Whether the turns are of the kinds that are listed: ``right, right, left``."""
        text = re.sub(r"^(?:the )?turns?(?: are|:) ", "", text)
        said = [
            one.removesuffix(" turn") for one in re.split(r", | - | ?-> ?| and |,? then ", text)
        ]
        if len(said) < 2 or not {*said} <= {"right", "left"}:
            return None
        return said == self.kinds or None

    def _pair(self, found: re.Match[str]) -> bool:
        before, after = way(found["before"]), way(found["after"])
        turn = turn_of(before, after)
        kinds = {_SIDED[one] for one in (found["first"], found["second"]) if one}
        if not turn.endswith("_TURN") or kinds - {turn.removesuffix("_TURN").lower()}:
            return False
        at = {cell(one) for one in (found["at"], found["there"], found["where"]) if one}
        said = {int(one) - 1 for one in (found["k"], found["nth"]) if one}
        return self._next(before, after, at, said)

    def _next(self, before: str, after: str, at: set[tuple[int, int]], said: set[int]) -> bool:
        """Take the next turn that is so; whether there is one."""
        ahead = [*range(self.last + 1, len(self.all))]
        again = [*range(len(self.all))] if not self.listed or self.whole else []
        for turn in [*ahead, *again]:
            one = self.all[turn]
            if (one.before, one.after) != (before, after) or at - {one.at}:
                continue
            if self.label and one.kind != self.label:
                continue
            nth = len(self.listed) if self.label and turn in ahead else turn
            if said and said - {turn, nth}:
                continue
            self.listed = [*self.listed, turn] if turn in ahead else [turn]
            self.last = turn
            return True
        return False

    def _corner(self, found: re.Match[str]) -> bool:
        kind, at = found["kind"], cell(found["at"])
        here = [one for one in self.all if one.at == at and kind in (None, one.kind)]
        if not here or (found["only"] and self.many(kind or "") != 1):
            return False
        if found["from"] and here[0].before != way(found["from"]):
            return False
        if not found["to"]:
            return not found["from"]
        to = _TURNS_TO.fullmatch(found["to"])
        if to is None or (to[2] and here[0].before != way(to[2])):
            return False
        return here[0].after == way(to[1] or to[3])

    def _quantity(self, found: re.Match[str]) -> bool:
        kind, q = _SIDED[found["kind"]], found["q"]
        if found.groups()[-1] and _SIDED[found.groups()[-1]] != kind:
            return False
        other = {"right": "left", "left": "right"}[kind]
        numbers = [int(one) for one in re.findall(r"\d+", q)]
        of = [int(one) for one in re.findall(r"\d+", found["of"])]
        total, neg = len(self.kinds), bool(found["neg"])
        if q.split()[0] in ("neither", "none"):
            kind, neg = other, not neg
        if neg and q.split()[0] in ("both", "all", "each", "every", "neither", "none"):
            return (
                False
                if q.split()[0] in ("all", "both", "each", "every")
                else (self.many(kind) == total and of in ([], [total]))
            )
        if neg:
            return False
        if "first" in q or "initial" in q or "1th" in q.split():
            self.last = numbers[-1] - 1
            return self.kinds[: numbers[-1]] == [kind] * numbers[-1]
        if "last" in q.split():
            return self.kinds[-numbers[-1] :] == [kind] * numbers[-1]
        if re.search(r"remaining|other|rest", f"{q}{found['of']}"):
            rest = [one for one in self.kinds if one == kind]
            numbers = numbers or of
            told = self.kinds[: self.last + 1]
            if self.last >= 0 and self.kinds[self.last + 1 :] == [kind] * (total - len(told)):
                return numbers in ([], [total - len(told)])
            return numbers == [len(rest)] and self.many(other) + len(rest) == total
        if q.startswith(("all", "each", "every", "both", "neither", "none")):
            many = [2] if q.startswith(("both", "neither")) else numbers or of
            told = self.kinds[self.last + 1 :] if self.last >= 0 else []
            if told and many == [len(told)] and {*told} == {kind}:
                return True
            return self.many(kind) == total > 0 and many in ([], [total])
        return numbers == [self.many(kind)] and of in ([], [total])


def _corners(grid: Grid) -> list[Corner]:
    """The turns of a path from S to E."""
    cells, ways = list(grid.path), grid.directions
    return [
        Corner(cells[k + 1], one, other, turn_of(one, other).removesuffix("_TURN").lower())
        for k, (one, other) in enumerate(pairwise(ways))
        if one != other
    ]
