"""How many turns, segments, moves or marks of a path a clause says there are.

there are 2 right turns           a number, a kind, a thing
number of right turns: 2          the thing first
PATH turns to the right 2 times
3 of them go to the left          the thing left out, in a sentence on turns
so the total is 2                 a number alone: the answer
5 - 1 = 4                         segments and turns
"""

from __future__ import annotations

import re
from itertools import groupby

from agentflow.domains.maze.corners import Corners
from agentflow.domains.maze.grid import Grid
from agentflow.domains.maze.spoken import CLOCK, KIND, SIDED
from agentflow.domains.spelling import phrases

_FRONT = phrases("""
    a; a total of; adds up to; along; also; altogether; an; and; are; be
    can; comes to; consists of; contains?; count; counted; direction; encounter; exactly
    final; find; (?:fits|matches|agrees with) (?:an? path|PATH) of; for; found; from S to E
    get; gives; giving; got; has; have; hence; i; in
    in total; includes?; involves?; is; it; just; leaves; makes?; making; means; must; of
    on; only; out of; overall; PATH; requires?; result; route; answer; see; so; sum; takes?; that
    that turn; the; then; there; therefore; these; they; this; this turn; those; thus; total; us
    us a total of; was; we; were; which; with; would; yields; you; number; \\w+ly
""")
"""What may stand in front of a number, or of what is counted, and changes nothing."""
_BEHIND = phrases("""
    along PATH; along the way; altogether; anywhere; as well; at all; between S and E
    between them; either; exactly; exists?; from S to E; happens?; in PATH; in all; in between
    in total; made; occurs?; of PATH; of any kind; of either kind; of them; on PATH; only; overall
    taken; too; total
""")
_F, _B = rf"(?:(?:{_FRONT})\b(?: ?[:=])?,? ?)*", rf"(?:,? ?(?:{_BEHIND})\b)*"
_GO = rf"(?:(?:of (?:the |these )?turns|is|are|goe?s?|turns?|bends?|leads?|to|the|{_BEHIND}) )*"
_K = rf"(?P<kind>{KIND}|total|{CLOCK})"
_NOUN = (
    r"(?P<noun>turns?|(?:straight )?segments?|moves?|steps?|(?:marked )?cells|ones?"
    r"|x(?:'?s| cells?| marks?)?"
    r"|cells marked (?:with |by )?x)"
)
_COUNTS = tuple(
    re.compile(rf"{_F}{one}{_B}")
    for one in (
        rf"(?P<n>\d+) (?:{_GO}{_K} )?{_NOUN}",
        rf"(?:tally of )?(?:all )?(?:the )?(?:{_K} )?{_NOUN}(?: count)?{_B} ?(?:=|:|-|is|are"
        r"|comes to|equals) ?(?:exactly |only )?(?P<n>\d+)(?: (?:right |left |total )?turns?)?",
        rf"(?:turns?|bends?|changes?)(?: its)?(?: direction)?(?: (?:to the )?(?P<kind>{KIND}))?"
        r"(?: exactly| only| just)? (?P<n>\d+) times?",
    )
)
_SIDED_ONES = re.compile(rf"{_F}(?P<n>\d+) {_GO}(?P<kind>{KIND})")
_PARTS = re.compile(r",? and |, |,? while ")
"""``3 of them go to the left and 2 to the right``"""
_BARE = re.compile(rf"{_F}(?P<n>\d+){_B}")
_TERM = r"\d+(?: (?:right|left))?(?:[ -]turns?| straight)?(?: segments?)?"
_EQUATION = re.compile(
    rf"(?P<left>{_TERM}(?: ?[+-] ?{_TERM})+)(?: ?=|,? (?:gives|is|makes"
    r"|equals)) ?(?P<n>\d+)\b(?: turns\b)?"
)
_LABEL = re.compile(
    r"(?:the |list of |all |so |here are |\d+ )*(?P<kind>right|left) (?:turns"
    r"|turn(?= at))(?: (?:are|at|happen|occur|here))?"
)


class Tally:
    """The numbers of a path."""

    def __init__(self, grid: Grid, corners: Corners, asked: str, form: str) -> None:
        """
        Args:
            asked: The kind of turns that are asked for; empty where none is.
            form: The answer, in its normal form.
        """
        self.grid, self.corners, self.asked, self.form = grid, corners, asked, form
        self.turning = False
        """Whether the sentence speaks of turns."""

    def summed(self, text: str) -> str | None:
        """A sentence with what its sums come to: ``so 4 right + 2 left = 6 turns``, ``so 6 turns``;
        None if one of them is wrong."""
        sums = [*_EQUATION.finditer(text)]
        if not all(map(self._sum, sums)):
            return None
        return _EQUATION.sub(lambda m: m["n"] + " turns" * ("t" in m[0]), text)

    def label(self, text: str) -> str | None:
        """The kind of turns that a headline announces; None where it is none."""
        found = _LABEL.fullmatch(text.strip(" .:"))
        if found is None or re.search(r"\d", text):
            return None
        return str(found["kind"])

    def answers(self) -> bool:
        """Whether an answer may stand here: not below a headline for other turns."""
        label = self.corners.label
        return self.corners.listed != [] or label in ("", self.asked)

    def tells(self, text: str) -> bool | None:
        """Whether there are so many; None for what is not understood."""
        for form in _COUNTS:
            if found := form.fullmatch(text):
                said = found.groupdict()
                return self._many(int(found["n"]), said.get("noun") or "turns", said["kind"])
        sided = [_SIDED_ONES.fullmatch(one) for one in _PARTS.split(text) if self.turning]
        if sided and None not in sided:
            return all(self._many(int(one["n"]), "turns", one["kind"]) for one in sided if one)
        if (found := _BARE.fullmatch(text)) and self.asked:
            if re.search(r"\bof\b(?! them)", text):
                return int(found["n"]) == self.corners.many("total")
            listed = len(self.corners.listed) if self.corners.label else 0
            return int(found["n"]) == listed if listed else found["n"] == self.form
        return None

    def _many(self, n: int, noun: str, kind: str | None) -> bool:
        if noun.startswith(("turn", "one")):
            return self.corners.many(SIDED.get(kind or "", "total")) == n
        if kind:
            return False
        if noun.startswith(("move", "step")):
            return n == len(self.grid.directions)
        if "x" in noun:
            return n == len(self.grid.path) - 2
        return n == len(self.grid.path if "cell" in noun else self.corners.runs)

    def _sum(self, found: re.Match[str]) -> bool:
        """``3 - 1 = 2``: of segments, ``4 + 2 = 6``: of turns of each kind, or of single ones."""
        n, kinds = int(found["n"]), [self.corners.many(one) for one in ("right", "left")]
        terms = re.findall(r"([+-]?) ?(\d+)(?: (right|left))?([^+-]*)", found["left"])
        if any(kind and int(a) != self.corners.many(kind) for _, a, kind, _ in terms):
            return False
        numbers = [int(one[1]) for one in terms]
        if "-" not in found["left"]:
            legs = sorted(len([*leg]) for _, leg in groupby(self.grid.directions))
            known = sorted(numbers) in (sorted(kinds), legs) or {*numbers} == {1}
            return sum(numbers) == n and known
        if len(numbers) != 2 or numbers[0] - numbers[1] != n:
            return False
        cells = [{*one} for one in zip(*self.grid.ends.values(), strict=True)]
        return (
            numbers in ([len(self.corners.runs), 1], *([sum(kinds), one] for one in kinds))
            or {*numbers} in cells
        )
