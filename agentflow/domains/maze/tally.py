"""How many turns, segments or cells of a path a clause says there are."""

from __future__ import annotations

import re

from agentflow.domains.maze.corners import Corners
from agentflow.domains.maze.grid import Grid
from agentflow.domains.maze.spoken import CELL, CLOCK, KIND, WAY, way
from agentflow.domains.maze.way import Walker

_HAVE = (
    r"(?:there (?:is|are|can be|were|would be|must be)|(?:PATH|it|they|this|that|which|route)"
    r" (?:\w+ly |then |therefore |only |also )?(?:has|have|makes?|contains?|includes?|takes?"
    r"|involves?|requires?|"
    r"consists of|shows|is|are|gives|means|yields|leaves|adds up to|comes to|undergoes"
    r"|features)(?: us)?"
    r"|(?:we|i|you) (?:\w+ly |can )?(?:have|get|got|count|counted|find|found|see|saw|make|made"
    r"|obtain|encounter)"
    r"|giving|making|contains?|has|makes|with|for|of those|of these|out of|the|a|along PATH|so"
    r"|hence|thus"
    r"|therefore|in total|altogether|overall|and|which|we|from S to E|on PATH|in PATH|of which"
    r"|just|exactly|only"
    r"|a total of|total|precisely)"
)
_TAIL = (
    r"(?:,? ?(?:in total|in all|altogether|overall|at all|total|of any kind|along PATH|on PATH"
    r"|in PATH"
    r"|along the way|from S to E|between S and E|of either kind|made|taken|exactly|only))*"
)
_WHAT = (
    r"(?P<noun>turns?|(?:straight )?(?:segments?|runs|stretches|legs|sections|pieces)"
    r"|moves?|steps?|(?:marked )?cells|ones?)"
)
_MANY = re.compile(
    rf"(?:{_HAVE},? )*(?P<n>\d+) (?:(?P<kind>right|left|total|{CLOCK}) )?{_WHAT}{_TAIL}"
)
_OF = re.compile(
    rf"(?:so |thus |hence |therefore |the |final |total )*(?:number|count|tally|sum) of (?:all )?"
    rf"(?:the )?(?:(?P<kind>right|left|total) )?(?P<noun>turns?|segments?){_TAIL}"
    rf"(?: ?(?:=|:|is|are|equals|comes to|therefore|thus|exactly))* ?(?P<n>\d+)(?: (?:right "
    rf"|left |total )?turns?)?"
)
_COLON = re.compile(
    r"(?:final |the |total )*(?:(?P<kind>right|left|total) )?(?P<noun>turns?)(?: count| taken|"
    r" made)?"
    r"(?: ?[:=-]| is| are) ?(?:exactly |only )?(?P<n>\d+)"
)
_TIMES = re.compile(
    rf"(?:(?:PATH|it|we|you|the) )*(?:also |only )*(?:turns?|bends?|changes? (?:its )?direction)"
    rf"(?: (?:to the )?(?P<kind>{KIND}))?(?: exactly| only| just)? (?P<n>\d+) times?{_TAIL}"
)
_TWO = re.compile(
    rf"(?:(?:{_HAVE}),? )*(?P<a>\d+) (?P<one>{KIND})s?(?: turns?)?(?:,| and|,? \+|, and|,?"
    rf" plus) (?P<b>\d+) "
    rf"(?P<other>{KIND})s?(?: turns?)?(?:,? (?:=|for a total of|which is|making|giving|totaling"
    rf"|so|in total"
    rf"|that is|equals) ?(?P<n>\d+)(?: (?:total )?turns?)?)?{_TAIL}"
)
_SHORT = re.compile(rf"(?:all |only |just |exactly )*(?P<n>\d+) (?P<kind>{KIND})s?")
_BARE = re.compile(
    r"(?:(?:so|that|this|it|which|the|final|just|only|exactly|total|count|result|answer|number|sum|"
    r"makes|gives|equals|comes to|adds up to|there) )*(?:(?:is|are|was|of|:|=) ?)?(?:just |only"
    r" |exactly )?(?P<n>\d+)"
    r"(?: in total| total| of them| in all| altogether)?"
)
_ONLY = re.compile(
    rf"(?:(?:it|this|that|which) is |the |there is )*only (?:(?P<kind>{KIND}) )?turn(?: (?:on"
    rf"|in|along) PATH)?"
)
_PARITY = re.compile(r"(?P<n>\d{1,6}) is (?P<not>not )?(?:an )?(?P<is>even|odd)(?: number)?")
_EACH = re.compile(
    r"each (?:turn|change|switch|1|of (?:these|them|which)) (?:is|counts as) (?:a|1) turn"
)
_IS_A = re.compile(
    rf"(?:(?:it|this|that|which|the turn|turn) )?(?:is|was|makes|counts as|represents|being"
    rf"|i\.e\.|means)? ?"
    rf"(?:again |also |therefore |thus |and |clearly |another |once more |yet )*(?:is )?(?:an? "
    rf"|another )?"
    rf"(?:90[ -]degrees?[ -])?(?:\(?(?P<one>{KIND}|{CLOCK})\)?)(?: ?\((?P<two>{KIND}|{CLOCK})\))? "
    r"(?:turns?|rotation|change|direction)(?: ?\((?P<three>right|left|clockwise"
    r"|counterclock)(?: turn)?\))?"
)
_DEFINED = re.compile(
    rf"(?:an? )?(?P<kind>{KIND})(?: turns?)? ?(?:is|are|means?|=|:|->) ?(?:an? )?(?:turn(?:ing)? )?"
    rf"(?:90[ -]degrees? )?(?P<clock>{CLOCK})(?: turns?| rotation| change)?(?: relative to"
    rf" .{{3,40}})?"
)
_BACKWARDS = re.compile(
    rf"(?:an? )?(?P<clock>{CLOCK})(?: turns?)? ?(?:is|are|means?|=|:) ?(?:an?"
    rf" )?(?P<kind>{KIND})(?: turns?)?"
)
_WITHOUT = re.compile(
    rf"(?:without|no|not) (?:any |an? |making any |making a |taking any )*(?:(?P<kind>{KIND}) )?"
    rf"turns?{_TAIL}|(?:PATH|it) (?:never|does not) turns?"
)
_STRAIGHT = re.compile(
    r"(?:PATH|it|this) (?:is|forms|follows|runs in|goes in) (?:simply |just |entirely )?(?:an? )?"
    r"(?:simple |single )?(?:(?P<shape>[ul])(?: |-)shaped?|(?:completely |perfectly"
    r" )?straight(?: line)?)(?: path| line)?"
)
_SHAPE = re.compile(
    r"(?:an? )?(?P<shape>[ul])(?: |-)shaped? (?:path )?(?:has|makes) (?P<n>\d) turns?"
)
_ALL_WAYS = re.compile(
    rf"(?:all|every)(?: the| \d+)* (?:steps?|moves?)(?: (?:from|to|S|E|at|{CELL}|of PATH))* "
    rf"(?:are|is|goes?|leads?)(?: straight)? (?P<way>{WAY})"
)
_FROM_0 = re.compile(
    r"(?:when |if |we )?(?:numbering|counting|indexing|number|count|index)(?: the)? rows and"
    r" columns"
    r"(?: (?:starting|numbered|counted))? (?:from|at) 0(?: at the top left)?"
    r"|(?:using |with )?0-(?:based|indexed)(?: (?:row|column|coordinates|indices|indexing|and|,))*"
)
_SUM = re.compile(
    r"(?:(?:so|there are|we have|this gives|total|the (?:total )?number of (?:total )?turns is"
    r"|the total is|turns?|in total|altogether|that is|and)[:=]? )*(?P<a>\d+) ?(?P<sign>[+-])"
    r" ?(?P<b>\d+)"
    r"(?: ?=|,? (?:gives|is|makes|equals)) ?(?P<n>\d+)(?: (?:total )?turns?)?"
)
_SIZE = re.compile(
    r"(?:the )?(?:maze|grid)(?: (?:is|has|size|of|measures|a|an)| ?:)* (?P<r>\d+)(?: rows?)?"
    r" ?(?:x|by|and|,) ?"
    r"(?P<c>\d+)(?: columns?)?(?: (?:grid|maze|cells))?"
)
_LABEL = re.compile(
    r"(?:the |list of |all |so |here are |\d+ )*(?P<kind>right|left)(?: turns?)(?: (?:are|at"
    r"|happen|occur|here))?"
)
_SIDED = {"clockwise": "right", "counterclock": "left"}
_CLOCKS = {"clockwise": "right", "counterclock": "left"}


class Tally:
    """The numbers of a path."""

    def __init__(self, grid: Grid, corners: Corners, walker: Walker, asked: str, form: str) -> None:
        """
        Args:
            asked: The kind of turns that are asked for; empty where none is.
            form: The answer, in its normal form.
        """
        self.grid, self.corners, self.walker = grid, corners, walker
        self.asked, self.form = asked, form

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
        """Whether what a clause says of numbers, or of the last turn, is right; else None."""
        for form, judge in ((_TWO, self._two), (_SUM, self._sum), (_SIZE, self._size)):
            if found := form.fullmatch(text):
                return judge(found)
        for form in (_MANY, _OF, _COLON, _TIMES, _SHORT):
            if found := form.fullmatch(text):
                return self._many(found.groupdict())
        if found := _PARITY.fullmatch(text):
            return (int(found["n"]) % 2 == 0) == ((found["is"] == "even") != bool(found["not"]))
        if _EACH.fullmatch(text) or _FROM_0.fullmatch(text):
            return True
        if found := _SHAPE.fullmatch(text):
            return int(found["n"]) == (2 if found["shape"] == "u" else 1)
        if found := _ALL_WAYS.fullmatch(text):
            numbers = {int(one) for one in re.findall(r"(?<![<,\d])\d+(?![\d,>])", found[0])}
            moves = self.grid.directions
            return {*moves} == {way(found["way"])} and numbers <= {len(moves)}
        if found := _ONLY.fullmatch(text):
            return self.corners.many("total") == 1 and self.corners.many(found["kind"] or "") == 1
        if found := _DEFINED.fullmatch(text) or _BACKWARDS.fullmatch(text):
            return _CLOCKS[found["clock"]] == found["kind"]
        if found := _IS_A.fullmatch(text):
            return self._last_is(found)
        if found := _WITHOUT.fullmatch(text):
            return self.corners.many(found["kind"] or "") == 0
        if found := _STRAIGHT.fullmatch(text):
            return self._is_shaped(found["shape"])
        if (found := _BARE.fullmatch(text)) and self.asked:
            listed = len(self.corners.listed) if self.corners.label else 0
            return int(found["n"]) == listed if listed else found["n"] == self.form
        return None

    def _many(self, found: dict[str, str | None]) -> bool:
        """Whether there are so many."""
        n, noun = int(found["n"] or 0), found.get("noun") or "turns"
        kind = _SIDED.get(found["kind"] or "", found["kind"] or "total")
        runs, moves = len(self.corners.runs), len(self.grid.directions)
        if noun.startswith("turn") or noun.startswith("one"):
            return self.corners.many(kind) == n
        if found["kind"]:
            return False
        if noun.startswith(("move", "step")):
            return n == moves
        if "cell" in noun:
            return n == len(self.grid.path)
        return n == runs

    def _two(self, found: re.Match[str]) -> bool:
        many = {found["one"]: int(found["a"]), found["other"]: int(found["b"])}
        right = all(self.corners.many(kind) == n for kind, n in many.items())
        total = found["n"] is None or int(found["n"]) == self.corners.many("total")
        return len(many) == 2 and right and total

    def _sum(self, found: re.Match[str]) -> bool:
        """``3 - 1 = 2``: of segments, or ``4 + 2 = 6``: of turns of each kind."""
        a, b, n = (int(found[name]) for name in ("a", "b", "n"))
        if found["sign"] == "+":
            kinds = sorted([self.corners.many("right"), self.corners.many("left")])
            return a + b == n and sorted([a, b]) == kinds
        cells = [list(one) for one in zip(*self.grid.ends.values(), strict=True)]
        if [a, b] in cells or [b, a] in cells:
            return a - b == n
        return a - b == n and (a, b) == (len(self.corners.runs), 1)

    def _size(self, found: re.Match[str]) -> bool:
        return [int(found["r"]), int(found["c"])] == [len(self.grid.rows), len(self.grid.rows[0])]

    def _last_is(self, found: re.Match[str]) -> bool | None:
        """``this is a left turn``, of the turn that was told last, or of the only one."""
        kinds = {_SIDED.get(one, one) for one in found.groups() if one}
        corners = self.corners
        if corners.many("total") == 1:
            return kinds == {*corners.kinds}
        if self.walker.kind:
            return kinds == {self.walker.kind}
        return kinds == {corners.kinds[corners.last]} if corners.last >= 0 else None

    def _is_shaped(self, shape: str | None) -> bool:
        """Whether a path has the shape of a letter, or is straight."""
        kinds = self.corners.kinds
        if shape == "u":
            return len(kinds) == 2 and len({*kinds}) == 1
        return len(kinds) == (1 if shape == "l" else 0)
