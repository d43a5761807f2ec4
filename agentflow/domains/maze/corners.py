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
from agentflow.domains.maze.spoken import CELL, CLOCK, KIND, SIDED, WAY, cell, tokens, way
from agentflow.domains.spelling import word_set

_TOKEN = re.compile(
    rf"(?P<cell>{CELL})|\b(?P<clock>{CLOCK})\b|\b(?P<kind>{KIND})[ -](?:hand[ -])?(?=turn)"
    rf"|(?P<way>\b{WAY}\b)|count(?:s|ed)? as\b|90(?: |-)degrees?|(?:(?:turn|step|corner|change"
    r"|number|no\.?|#) ?#?"
    r"|^\W*)(?P<k>\d{1,2})\b(?!th)|(?P<th>\d{1,2})th\b|(?P<nth>\d{1,2})(?=\W*\Z)"
    r"|(?P<word>[a-zP][a-zA-Z]*)|(?:->|[ ,:;.()=-])"
)
_OF_TURNS = word_set("""
    become becomes corner degree only quarter rotation switch switches
""")
"""Words of a sentence on one turn, beside its directions, kind, place, number and a way's."""
_OF_KIND = re.compile(rf"\b(?:\d+th {KIND} turn|{KIND} turn(?: |,|\(|#|no\.|number)*\d+\W*\Z)")
"""``the 2th left turn``, ``left turn (2)``"""
_PAIR = rf"({WAY}) ?-> ?({WAY})"
_PAIRS = re.compile(
    rf"(?P<pairs>{_PAIR}(?:(?:, and |, | and ){_PAIR})+) are (?:all |both )?(?P<kind>{KIND}"
    rf"|{CLOCK})(?: turns)?"
)
"""``right -> up and up -> left are both left turns``"""
_AT = re.compile(rf"(?:turn )?(?:at )?(?P<at>{CELL})(?: ?: ?| is | -> )(?:an? )?(?P<kind>{KIND})")
"""``(5,5): left``, in a list of turns"""
_IN_ORDER = re.compile(
    r"^(?:(?:so|thus|hence|that|gives|in (?:this|that )?order|respectively|they are|these are|turns"
    r"|the|are|(?:list|sequence|order) of)[,:]? )*"
)
"""What may stand in front of the kinds of all turns."""
_IN_A_ROW = re.compile(r", | - | ?-> ?|,? and then | and |,? then | followed by ")
_KINDS = re.compile(r"(?:(?:an?|another|(\d+)) )?(right|left)(?: turns?)?")
_WHERE = re.compile(
    r"(?:which is )?(?:at|in) (?:the )?(?:(?P<row>top|bottom) (?P<column>left|right) edge"
    r"|(?P<end>top|bottom|left|right) (?:end )?of (?:the |that )?corridor)?(?: ?(?:in "
    r"|on )?(?:the )?(?P<axis>row|column) (?P<k>\d+))?"
)
"""Where the turn is that was told last: ``in the top left corner``"""
_ENDS = {
    "top": ("UP", "DOWN"),
    "bottom": ("DOWN", "UP"),
    "left": ("LEFT", "RIGHT"),
    "right": ("RIGHT", "LEFT"),
}
"""End of a corridor -> the direction in which one comes to it, and leaves it."""
_PLACES = re.compile(
    r"(?:(?:PATH|it|they|there|these|is|are|makes?|has|the|all|only|exactly|occurs?|happens?|turn"
    r"|turns|turning|located|found|to the|in total|altogether|namely|direction|changes?|take place"
    rf"|(?P<n>\d+)(?: times?)?|(?P<kind>{KIND}|{CLOCK})|at|in|[:,-])(?: "
    rf"|(?=[:,])))*(?P<cells>{CELL}(?:(?:, and|,| and)(?: (?:then|again|also"
    rf"|{KIND}))*(?: at)? {CELL})*)"
)
_QUANTITY = re.compile(
    r"(?P<q>(?:only |just )*(?:the )?(?:last|final|initial|\d+th(?:(?:, and|,"
    r"| and)(?: the)? \d+th)*)(?: \d+)?|all(?: of (?:them|the turns)| turns| \d+)? (?:but"
    r"|except)(?: for)? (?:the )?\d+(?:th)?|both|all(?: \d+)?|each|every|neither|none|either"
    r"|(?:all |the )*(?:remaining|other)(?: \d+)?|(?:all )?\d+ other|(?:the |only |just "
    r"|exactly )*\d+(?: of)?|the rest)(?P<of>(?: (?:of|the|these|those|them|which|changes?"
    r"|remaining|other|1|\d+|turns?|ones?|in|direction|1s|along PATH|on PATH|rows?|lines?|entr(?:y"
    r"|ies)|table|list))*) (?:(?:is|are|being|to|happens? to be|turns? out to be|bends?|goes?"
    r"|counts? as|turns?|an?|all|both|also|again)(?: |(?= \()))+(?P<neg>not (?:an? )?)?(?P<as>"
    rf"(?:[ (]*(?:{KIND}|{CLOCK}|turns?|to (?:the|your)|90[ -]degrees?)\b\)?)+)"
)
"""``both are left turns``, ``only the last of the 3 turns is a right turn``"""


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
        self.grid, self.all = grid, _corners(grid)
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
        """Whether the list that was told is of all turns, or of all of a kind; of a single one
        only where it has a label."""
        kinds = [self.label] if self.label else ["", "right", "left"]
        of = [[k for k, one in enumerate(self.kinds) if kind in ("", one)] for kind in kinds]
        return len(self.listed) < (1 if self.label else 2) or self.listed in of

    def tells(self, text: str) -> bool | None:
        """Whether a clause on one turn is right; None for what is none."""
        found = _PLACES.fullmatch(text) if "turn" in text else None
        if found and (found["n"] or text.count("<") > 1):
            kinds = {SIDED[one] for one in re.findall(rf"\b(?:{KIND}|{CLOCK})\b", text)}
            if len(kinds) > 1:
                return None
            kind = "".join(kinds)
            at = [one.at for one in self.all if kind in ("", one.kind)]
            said = [cell(one) for one in re.findall(CELL, found["cells"])]
            right = said == at and found["n"] in (None, str(len(at)))
            if right and not kind and not self.label:
                self.listed, self.last = [*range(len(self.all))], len(self.all) - 1
            return right
        if found := _PAIRS.fullmatch(text):
            pairs = re.findall(_PAIR, found["pairs"])
            kinds = {SIDED[found["kind"]]}
            return all(self._next([*map(way, pair)], set(), kinds, set()) for pair in pairs)
        if found := _AT.fullmatch(text):
            return self._next([], {cell(found["at"])}, {found["kind"]}, set())
        found = _QUANTITY.fullmatch(text)
        if found and self._quantity(found):
            return True
        if (known := self._one(text)) is not None:
            return known
        if self.last >= 0 and (found := _WHERE.fullmatch(text)) and any(found.groups()):
            return self._lies(self.all[self.last], found)
        return False if _QUANTITY.fullmatch(text) else None

    def kinds_in_a_row(self, text: str) -> bool | None:
        """Whether the turns are of the kinds that are listed: ``right, right, 2 left turns``."""
        said = [_KINDS.fullmatch(one) for one in _IN_A_ROW.split(_IN_ORDER.sub("", text))]
        if len(said) < 2 or None in said:
            return None
        kinds = [one[2] for one in said if one for _ in range(int(one[1] or 1))]
        return self.kinds == kinds or None

    def _one(self, text: str) -> bool | None:
        """``at <3,5> it goes from right to down, a right turn``; None for what is none."""
        if (found := tokens(text, _TOKEN, _OF_TURNS)) is None:
            return None
        ways = [one["way"] for one in found if one["way"]]
        words = [one["word"] for one in found if one["word"]]
        cells = {cell(one["cell"]) for one in found if one["cell"]}
        kinds = {SIDED[one] for t in found if (one := t["kind"] or t["clock"])}
        if not {*ways[2:]} <= {*SIDED} or len(cells) > 1:
            return None
        if ways[2:] and not re.search("->|:| to ", text):
            return None
        kinds |= {SIDED[one] for one in ways[2:]}
        numbered = any(one["th"] for one in found) and "step" not in words
        if len(ways) < 2 and not (cells and (kinds or "turn" in text)) and not (numbered and kinds):
            return None
        goes = [way(one) for one in ways[:2]]
        if len(goes) == 2 and re.search(rf"\b{ways[0]}\b.*\bfrom \w*(?: \w+)?{ways[1]}\b", text):
            goes.reverse()
        said = {int(one) - 1 for t in found if (one := t["k"] or t["th"] or t["nth"])}
        if "only" in words and self.many("".join(kinds) if len(kinds) == 1 else "") != 1:
            return False
        return self._next(goes, cells, kinds, said, _OF_KIND.search(text) is not None)

    def _next(
        self,
        goes: list[str],
        at: set[tuple[int, int]],
        kinds: set[str],
        said: set[int],
        of_kind: bool = False,
    ) -> bool:
        """Take the next turn that is so; whether there is one.

        Args:
            said: The numbers that it is given, from 0.
            of_kind: Whether they may be among the turns of its kind.
        """
        ahead = [*range(self.last + 1, len(self.all))]
        again = [*range(len(self.all))] if not self.listed or self.whole or not goes else []
        for turn in [*ahead, *again]:
            one = self.all[turn]
            if goes not in ([one.before, one.after], [one.after], []) or at - {one.at}:
                continue
            if kinds - {one.kind} or (self.label and one.kind != self.label):
                continue
            nth = len(self.listed) if self.label and turn in ahead else turn
            own = self.kinds[:turn].count(one.kind) if of_kind and kinds else turn
            if said and said - {turn, nth, own}:
                continue
            self.listed = [*self.listed, turn] if turn in ahead else [turn]
            self.last = turn
            return True
        return False

    def _lies(self, turn: Corner, found: re.Match[str]) -> bool:
        """Whether a turn is in that corner of the maze, at that end of a corridor, or in that row
        or column."""
        rows, columns = len(self.grid.rows), len(self.grid.rows[0])
        comes, leaves = _ENDS.get(found["end"], (turn.before, ""))
        edges = {"top": (0, 1), "bottom": (0, rows - 2), "left": (1, 1), "right": (1, columns - 2)}
        said = [edges[one] for one in (found["row"], found["column"]) if one]
        if found["k"]:
            said.append((int(found["axis"] != "row"), int(found["k"])))
        ends = turn.before == comes or turn.after == leaves
        return ends and all(turn.at[axis] == k for axis, k in said)

    def _quantity(self, found: re.Match[str]) -> bool:
        """Whether the turns of which is spoken are of a kind."""
        q, total = found["q"].split(), len(self.kinds)
        numbers, whole = (
            [int(one) for one in re.findall(r"\b\d+\b", found[key])] for key in ("q", "of")
        )
        kind, *others = {SIDED[one] for one in re.findall(rf"{KIND}|{CLOCK}", found["as"])} or {""}
        if others or not kind:
            return False
        right, after = [one == kind for one in self.kinds], range(self.last + 1, total)
        nth = re.findall(r"(\d+)th", found["q"])
        n = numbers[-1] if numbers else None
        if q[0] in ("neither", "none"):
            many = [2] if q[0] == "neither" else whole
            return total > 0 and any(right) == bool(found["neg"]) and many in ([], [total])
        if found["neg"]:
            return False
        if "but" in q or "except" in q:
            one = [int(nth[0]) - 1] if nth else range(total)
            left = [k for k in one if k < total and not right[k]]
            return len(left) == (n or 1) == total - sum(right)
        if "last" in q or "final" in q or "initial" in q or nth:
            n = n or 1
            part = [*(range(total - n, total) if {"last", "final"} & {*q} else range(n))]
            if nth and nth != ["1"]:
                part = [int(one) - 1 for one in nth]
            if part[-1] >= total or part[0] < 0 or (nth and n > 1 and nth != ["1"]):
                return False
            self.last = part[-1]
            only = "only" not in q or sum(right) == len(part)
            return only and all(right[k] for k in part) and whole in ([], [total])
        if re.search(r"remaining|other|rest", f"{found['q']}{found['of']}"):
            n = n or (whole[0] if whole else None)
            ahead = 0 <= self.last < total - 1 and all(right[k] for k in after)
            if ahead and n in (None, len(after)):
                return True
            return n == sum(right) and self.many("") == n + sum(not one for one in right)
        if q[0] in ("all", "each", "every", "both"):
            n = 2 if q[0] == "both" else n or (whole[0] if whole else None)
            if self.last >= 0 and n == len(after) and all(right[k] for k in after):
                return True
            return total > 0 and all(right) and n in (None, total)
        return n == sum(right) and whole in ([], [total])


def _corners(grid: Grid) -> list[Corner]:
    """The turns of a path from S to E."""
    cells, ways = list(grid.path), grid.directions
    return [
        Corner(cells[k + 1], one, other, turn_of(one, other).removesuffix("_TURN").lower())
        for k, (one, other) in enumerate(pairwise(ways))
        if one != other
    ]
