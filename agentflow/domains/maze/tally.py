"""How many turns, segments or cells of a path a clause says there are."""

from __future__ import annotations

import re
from itertools import groupby

from agentflow.domains.maze.corners import Corners
from agentflow.domains.maze.grid import STEPS, Grid, turn_of
from agentflow.domains.maze.spoken import CLOCK, KIND, WAY, way
from agentflow.domains.maze.way import Walker

_HAVE = (
    r"(?:(?:fits|matches|agrees with) (?:an? path|PATH) of|there (?:is|are|can be|were|would be"
    r"|must be)|(?:PATH|it|they|this|that|which|route) (?:\w+ly |then |therefore |only "
    r"|also )?(?:has|have|makes?|contains?|includes?|takes?|involves?|requires?|consists of|shows"
    r"|is|are|gives|means|yields|leaves|adds up to|comes to|undergoes|features)(?: us)?|(?:we|i"
    r"|you) (?:\w+ly |can )?(?:have|get|got|count|counted|find|found|see|saw|make|made|obtain"
    r"|encounter)|that turn is|this turn is|giving|making|contains?|has|makes|with|for|of those"
    r"|of these|out of|the|a|along PATH|so|hence|thus|therefore|in total|altogether|overall|and"
    r"|which|we|from S to E|on PATH|in PATH|of which|just|exactly|only|a total of|total|precisely)"
)
_TAIL = (
    r"(?:,? ?(?:in total|in all|altogether|overall|at all|total|of any kind|anywhere|too|as well"
    r"|in between|along PATH|on PATH|in PATH|along the way|of PATH|occurs?|happens?|exists?"
    r"|from S to E|between S and E|of either kind|either|made|taken|exactly|only))*"
)
_WHAT = (
    r"(?P<noun>turns?|(?:straight )?(?:segments?|runs|stretches|legs|sections|pieces)|moves?|steps?"
    r"|(?:marked )?cells|ones?)"
)
_MANY = re.compile(
    rf"(?:{_HAVE},? )*(?P<n>\d+) (?:(?P<kind>right|left|total|{CLOCK}) )?{_WHAT}{_TAIL}"
)
_OF = re.compile(
    r"(?:so |thus |hence |therefore |the |final |total )*(?:number|count|tally"
    r"|sum) of (?:all )?(?:the )?(?:(?P<kind>right|left|total) )?(?P<noun>turns?"
    rf"|segments?){_TAIL}(?: ?(?:=|:|is|are|equals|comes to|therefore|thus"
    rf"|exactly))* ?(?P<n>\d+)(?: (?:right |left |total )?turns?)?{_TAIL}"
)
_COLON = re.compile(
    r"(?:final |the |total )*(?:(?P<kind>right|left|total) )?(?P<noun>turns?)(?: count| taken"
    r"| made)?(?: ?[:=-]| is| are) ?(?:exactly |only )?(?P<n>\d+)"
)
_TIMES = re.compile(
    r"(?:(?:PATH|it|we|you|the|direction) )*(?:also |only )*(?:turns?|bends?"
    rf"|changes?(?: its)?(?: direction)?)(?: (?:to the )?(?P<kind>{KIND}))?(?: exactly| only"
    rf"| just)? (?P<n>\d+) times?{_TAIL}"
)
_BARE = re.compile(
    r"(?:(?:so|that|this|it|which|the|final|just|only|exactly|total|count|result|answer|number|sum"
    r"|makes|gives|equals|comes to|adds up to|there) )*(?:(?:is|are|was|of|:|=) ?)?(?:just |only "
    r"|exactly )?(?P<n>\d+)(?: in total| total| of them| in all| altogether)?"
)
_SIDED_ONES = re.compile(r"(?:and |only |just )*(?P<n>\d+) (?:to the )?(?P<kind>right|left)")
_GO = (
    r"(?:(?:of (?:them|(?:the|these) turns) )?(?:is|are|(?:go|turn|bend"
    r"|lead)(?:e?s)?) )?(?:to the )?"
)
_PARTED = re.compile(
    rf"(?:(?:out )?of (?:the|these|those) (?P<all>\d+)(?: turns)?,? )?(?P<a>\d+) {_GO}"
    rf"(?P<one>{KIND})(?: turns?)?(?:, and|,? while| and|,| \+| plus) (?P<b>\d+) {_GO}"
    rf"(?P<other>{KIND})(?: turns?)?"
)
"""``out of the 7 turns, 5 go to the right and 2 to the left``"""
_NO_TURN = re.compile(
    rf"(?:there is |with |so |and |still )*0 (?:(?P<kind>{KIND}) )?(?:turn|turns? (?:(?P<yet>yet"
    r"|so far)|(?:here|at this point)))"
)
_QUESTION = re.compile(
    r"(?:but |and |since )*(?:(?:the |this )?question (?:asks|is|wants(?: us)?)|we (?:are asked"
    r"|want))(?: only| just)? (?:(?:for|about|to (?:count|know)) )?(?:the (?P<total>total)"
    r"|(?:(?:the|all|total|number|count|of|only|just) )*(?:(?P<kind>right|left) )?turns)(?: only"
    r"| in total| alone| of (?P<any>either|both|any|all) (?:kinds?|types?|directions?))?"
)
_ANY_KIND = re.compile(
    r"(?:both|all) (?:kinds?|types?|directions?)(?: of turns?)? (?:are )?(?:counts?"
    r"|counted)(?: here)?|(?:it does not matter |no matter |regardless of )?whether (?:(?:a turn"
    rf"|it|they|turns?) (?:is|are|goes?) )?(?:to the )?{KIND} or (?:to the )?{KIND}"
)
_MEET = re.compile(
    r"(?:there is )?(?:1 turn )?(?:wherever|whenever|where|between)(?: any| every)?(?: 2"
    r"| each pair of)? (?:consecutive |adjacent |neighbou?ring |successive )?(?:segments|stretches"
    r"|legs|runs)(?: (?:meet|join|touch))?,?(?: there is)?(?: 1 turn)?"
)
"""``wherever 2 consecutive segments meet there is 1 turn``"""
_X_CELLS = re.compile(
    r"(?:(?:which|that|this|it|PATH) )?(?P<same>matches |fits |agrees with |equals )?(?:the "
    r"|there are |has )?(?:exactly )?(?P<n>\d+) (?:x cells|x marks|xs|x's|cells marked (?:with "
    r"|by )?x)(?: between S and E)?(?P<plus>,? (?:plus|and|\+)(?: the| 1)? (?:(?:final"
    r"|last) )?(?:step|move) (?:on|in)?to E)?"
)
_BETWEEN = re.compile(
    r"(?:(?:with|there (?:is|are)|PATH (?:consists of|is|has)|between S and E) )*"
    r"(?:(?:there (?:is|are) )?(?:exactly |only |just )?(?P<n>\d+) x(?:s|'s| cells?| marks?)?"
    r"(?: (?:in )?between(?: them| S and E)?)?(?<!\dx)|S(?P<xs>(?:(?: ->|,) x)+)(?: ->|,) E)"
)
"""The marked cells: ``with 1 x in between``, ``S -> x -> E``"""
_ONE = rf"(?:\d{{1,3}}|an?) {KIND} turns?"
_FOLLOWED = re.compile(
    rf"(?:{_HAVE} |in order,? )*(?P<all>{_ONE}(?:,? (?:followed by|and then|then) {_ONE})+)"
)
"""All turns, in order: ``1 left turn followed by 2 right turns``"""
_FACING = re.compile(
    r"(?:when |while |if )?(?:you are )?(?:facing|heading|going"
    rf"|moving) (?P<before>{WAY}),? (?:your|our|the|its) (?P<kind>{KIND})(?:-hand"
    rf"| hand)?(?: side)? (?:is|points|lies|faces)(?: to| towards?)?(?: the)? (?P<after>{WAY})(?: "
    r"side)?(?: (?:of|on|in) the (?:page|drawing|map))?"
)
"""``facing down, your left hand points right``"""
_TURNING = re.compile(
    r"(?:if |when |while )?(?:you are |one is )?(?:facing|heading|going"
    rf"|moving) (?P<before>{WAY}),?(?: and)?(?: then)?(?: you)?(?: (?:turn|go|head|mov|chang"
    rf"|switch)(?:e|ing|ing to| to)?)? (?P<after>{WAY}),? (?:is|means|makes"
    rf"|(?:then )?you)(?: (?:make|turn|turning|making))?(?: an?)?(?: to the)? (?P<kind>{KIND}"
    rf"|{CLOCK})(?: turn)?"
)
"""``if you are heading down and turn right, you turn left``"""
_DETOUR = re.compile(
    r"(?:PATH|it)(?: itself)? (?:makes|takes) an? (?:\w+ )?(?:detour|excursion"
    rf"|loop) (?:out )?(?:(?:via|through|along|around|over|by) )?(?:to )?(?:the )?(?P<side>{WAY}"
    r"|top|bottom)(?: (?:side|half|part|edge|row))?(?: of the (?:maze|grid))?(?: (?:before coming"
    r"|and (?:then )?comes) back)?"
)
_IS_A = re.compile(
    r"(?:(?:it|this|that|which|the turn|turn) )?(?:is|was|makes|counts as|represents|being|i\.e\."
    r"|means)? ?(?:again |also |therefore |thus |and |clearly |another |once more "
    rf"|yet )*(?:is )?(?:an? |another )?(?:90[ -]degrees?[ -])?(?:\(?(?P<one>{KIND}"
    rf"|{CLOCK})\)?)(?: ?\((?P<two>{KIND}|{CLOCK})\))? (?:turns?|rotation|change|direction|1"
    r"|one)(?: ?\((?P<three>right|left|clockwise|counterclock)(?: turn)?\))?(?: ?(?:#|no\. ?"
    r"|number )(?P<nth>\d+))?"
)
_DEFINED = re.compile(
    rf"(?:an? )?(?P<kind>{KIND})(?: turns?)? ?(?:is|are|means?|=|:|->) ?(?:that )?(?:(?:the|your"
    r"|our) (?:new )?(?:heading|direction) (?:is|turns|changes) )?(?:an? )?(?:turn(?:ing)? )?"
    rf"(?:90[ -]degrees? )?(?P<clock>{CLOCK})(?: turns?| rotation| change)?(?: relative to"
    r" .{3,40}| from the (?:old|previous|last|1)(?: (?:1|heading|direction))?)?"
)
_STRAIGHT = re.compile(
    r"without (?:(?:ever|any|an?) )?(?:changing (?:its )?direction|turning|turns?)(?: (?:at all"
    r"|anywhere|there (?:is|can be|are) 0 turns?))?|(?:PATH |it )?(?:(?:is|are|lies?|runs?"
    r"|stays?) )?(?:all|entirely|completely|wholly) (?:on|in|along|within) (?:the same|1) (?:row"
    r"|column|line)|with (?:nothing but|only) PATH (?:in )?between(?: them| S and E)?"
    r"|(?:the )?(?:direction|heading|PATH) (?:never|does not) (?:changes?|turns?)(?: direction)?"
    r"|(?:PATH|it|this) (?:is|forms|makes|has|follows|runs in|goes in) (?:simply |just "
    r"|entirely )?(?:an? )?(?:simple |single )?(?:(?P<shape>[ul])(?: |-)shaped?|(?:completely "
    r"|perfectly )?straight(?: line)?)(?: path| line)?|PATH (?:is|forms|makes|follows) an? (?:big "
    rf"|large |single )?(?P<clock>{CLOCK}) (?:loop|spiral)"
)
_TERM = r"\d+(?: (?:right|left))?(?:[ -]turns?| straight)?(?: segments?)?"
_EQUATION = re.compile(
    rf"(?P<left>{_TERM}(?: ?[+-] ?{_TERM})+)(?: ?=|,? (?:gives|is|makes"
    r"|equals)) ?(?P<n>\d+)\b(?: turns\b)?"
)
_GOING = r"(?:(?:moving|going|heading|walking|travelling|continuing|a (?:move|step)) (?:to the )?)"
_ON = r"(?:straight(?: (?:on|ahead))?|(?:on )?in the same direction)"
_GENERAL = re.compile(
    r"(?:each|every) (?:such |of these )?(?:switch|change|turn) (?:is|counts as|makes) (?:an?"
    r"|1) turn|an? turn (?:only )?(?:needs|requires|means|is|happens when"
    r"|occurs when)(?: only)? (?:an? turn|(?:PATH|it|you|we) turns?)"
    r"|(?:the )?number of turns is (?:always )?1 (?:less|fewer) than the number of segments"
    r"|(?:with )?[nk] segments (?:there are|have|make|give) [nk] ?- ?1 turns"
    rf"|(?:an? )?(?:{KIND} and {KIND}|{KIND} turn|turns?) (?:is|are) (?:always )?(?:relative to"
    r"|(?:judged|seen|as seen) from)(?: (?:the|your|our|direction|of|travel|walker(?:'s)?"
    rf"|traveller(?:'s)?|point|view|motion|movement|current|perspective|heading))+|{_GOING}(?:{_ON}"
    rf"|{WAY}) is not (?:the same (?:thing )?as )?(?:(?:making|taking) )?an? (?:{KIND} )?turn"
    rf"|{_GOING}{_ON} (?:does not count|is not counted)(?: as an? turn)?"
)
"""What is so in any maze: ``moving to the right is not the same as making a right turn``"""
_SHAPED = re.compile(
    r"an? (?P<shape>[ulz])(?:(?: |-)shaped?)?(?: path)? (?:always )?(?:has"
    r"|makes) (?:exactly )?(?P<n>\d+) turns?"
)
_COUNTED = re.compile(
    r"(?:(?:so|and|which|it|this|that|this 1|that 1|turn|therefore) )*(?:counts"
    r"|(?P<not>does not count|is not counted|is not included)|is (?:counted|included))"
)
"""Whether the turn that was told last is of the kind that is asked for: ``so it is not counted``"""
_EVERY = re.compile(
    r"(?:(?:every|each|all)(?: the)? (?:steps?|moves?)(?: from S to E)?|(?:PATH|it|we|you) (?:only"
    rf"|always)(?: ever)?) (?:goes?|is|are|leads?|moves?|heads?|runs?) (?:to the )?(?P<way>{WAY})"
)
_PARITY = re.compile(r"(?P<n>\d+) is (?P<not>not )?(?P<what>even|odd)")
_RUNNING = re.compile(
    r"[\[(](?:so far:? |now )?(?P<n>\d+) (?:(?P<kind>right|left) )?turns?(?: so far)?[\])]"
)
"""How many turns there are up to where a list has come to: ``[2 turns]``"""
_SIZE = re.compile(
    r"(?:the )?(?:maze|grid)(?: (?:is|has|size|of|measures|a|an)| ?:)* (?P<r>\d+)(?: rows?)? ?(?:x"
    r"|by|and|,) ?(?P<c>\d+)(?: columns?)?(?: (?:grid|maze|cells))?"
)
_LABEL = re.compile(
    r"(?:the |list of |all |so |here are |\d+ )*(?P<kind>right|left) (?:turns"
    r"|turn(?= at))(?: (?:are|at|happen|occur|here))?"
)
_CORNERS = {"l": 1, "u": 2, "z": 2}
_SIDED = {"clockwise": "right", "counterclock": "left"}


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
        self.turning = False

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
        """Whether what a clause says of numbers, or of the last turn, is right; else None."""
        if found := _SIZE.fullmatch(text):
            return self._size(found)
        if found := _PARITY.fullmatch(text):
            return (int(found["n"]) % 2 == (found["what"] == "odd")) != bool(found["not"])
        if found := _SHAPED.fullmatch(text):
            return int(found["n"]) == _CORNERS[found["shape"]]
        if found := _EVERY.fullmatch(text):
            return {*self.grid.directions} == {way(found["way"])}
        if _GENERAL.fullmatch(text):
            return True
        if self.asked and (found := _COUNTED.fullmatch(text)):
            kind = self._last_kind()
            return (self.asked in ("total", kind)) != bool(found["not"]) if kind else None
        if (found := _RUNNING.fullmatch(text)) and self.walker.start is not None:
            so_far = self.grid.counts[min(self.walker.start + 1, len(self.grid.directions))]
            return so_far[found["kind"] or "total"] == int(found["n"])
        if (found := _NO_TURN.fullmatch(text)) and self.walker.at is not None:
            return self._none_yet(found["kind"], bool(found["yet"]))
        if found := _QUESTION.fullmatch(text):
            kinds = [
                one for one in (found["kind"], found["total"], found["any"] and "total") if one
            ]
            return kinds == [self.asked] or (not kinds and self.asked == "total")
        if _ANY_KIND.fullmatch(text):
            return self.asked == "total"
        if _MEET.fullmatch(text) and "turn" in text:
            return True
        if found := _X_CELLS.fullmatch(text):
            xs = int(found["n"]) == len(self.grid.path) - 2
            return xs and (not found["same"] or bool(found["plus"]))
        if found := _BETWEEN.fullmatch(text):
            many = int(found["n"]) if found["n"] else found["xs"].count("x")
            return many == len(self.grid.path) - 2
        if found := _FOLLOWED.fullmatch(text):
            return self._followed(found["all"])
        if found := _FACING.fullmatch(text):
            turn = turn_of(way(found["before"]), way(found["after"]))
            return turn == f"{found['kind'].upper()}_TURN"
        if found := _TURNING.fullmatch(text):
            turn = turn_of(way(found["before"]), way(found["after"]))
            return turn == f"{_SIDED.get(found['kind'], found['kind']).upper()}_TURN"
        if found := _DETOUR.fullmatch(text):
            side = {"top": "up", "bottom": "down"}.get(found["side"], found["side"])
            return self._swings(way(side))
        if found := _PARTED.fullmatch(text):
            return self._parted(found)
        text = f"{text} turn" if text in _SIDED else text
        if self.turning and (found := _SIDED_ONES.fullmatch(text)):
            return self._many(found.groupdict())
        for form in (_MANY, _OF, _COLON, _TIMES):
            if found := form.fullmatch(text):
                return self._many(found.groupdict())
        if found := _DEFINED.fullmatch(text):
            return _SIDED[found["clock"]] == found["kind"]
        if found := _IS_A.fullmatch(text):
            return self._last_is(found)
        if found := _STRAIGHT.fullmatch(text):
            return self._is_shaped(found["shape"], found["clock"])
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

    def _parted(self, found: re.Match[str]) -> bool | None:
        """Whether there are so many turns of each kind, and so many of both."""
        said = {found["one"]: int(found["a"]), found["other"]: int(found["b"])}
        if len(said) < 2 or not (self.turning or found["all"]):
            return None
        known = all(self.corners.many(kind) == n for kind, n in said.items())
        return known and found["all"] in (None, str(self.corners.many("total")))

    def _followed(self, said: str) -> bool:
        """Whether these are the kinds of all turns, in order."""
        found = re.findall(rf"(\d+|an?) ({KIND}) turn", said)
        kinds = [kind for n, kind in found for _ in range(int(n) if n.isdigit() else 1)]
        return kinds == self.corners.kinds

    def _none_yet(self, kind: str | None, yet: bool) -> bool:
        """Whether there was no turn so far, or none into the last leg."""
        if yet:
            return self.grid.counts[self.walker.at or 0][kind or "total"] == 0
        return self.walker.kind in ({"right", "left", ""} - {kind} if kind else {""})

    def _swings(self, side: str) -> bool:
        """Whether the path goes further to a side than S and E are."""
        (row, column), ends = STEPS[side], self.grid.ends.values()
        far, least = (
            max(row * one[0] + column * one[1] for one in cells) for cells in (self.grid.path, ends)
        )
        return far > least

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

    def _size(self, found: re.Match[str]) -> bool:
        return [int(found["r"]), int(found["c"])] == [len(self.grid.rows), len(self.grid.rows[0])]

    def _last_is(self, found: re.Match[str]) -> bool | None:
        """``this is a left turn``, of the turn that was told last, or of the only one."""
        said = found.groupdict()
        nth = said.pop("nth")
        kinds = {_SIDED.get(one, one) for one in said.values() if one}
        if nth:
            begin = (self.walker.start or 0) + 1
            before = self.grid.counts[min(begin, len(self.grid.directions))]
            if int(nth) not in [before[kind] for kind in ("total", *kinds)]:
                return False
        last = self._last_kind()
        return kinds == {last} if last else None

    def _last_kind(self) -> str | None:
        """The kind of the turn that was told last, or of the only one."""
        kinds, last = self.corners.kinds, self.corners.last
        if len(kinds) == 1 or self.walker.kind:
            return self.walker.kind if len(kinds) > 1 else kinds[0]
        return kinds[last] if last >= 0 else None

    def _is_shaped(self, shape: str | None, clock: str | None) -> bool:
        """Whether a path has the shape of a letter, is a loop, or is straight."""
        kinds = self.corners.kinds
        if clock:
            return len(kinds) > 2 and {*kinds} == {_SIDED[clock]}
        return len(kinds) == _CORNERS.get(shape or "", 0) and len({*kinds}) < 2
