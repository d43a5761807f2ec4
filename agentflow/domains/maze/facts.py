"""What a clause says of the turn that was told last, of a path as a whole, or of any path.

it is a left turn                             the last turn
PATH is a straight line                       a path as a whole
every step goes up
facing down, your left hand points right      any path
the number of turns is 1 less than the number of segments
"""

from __future__ import annotations

import re

from agentflow.domains.maze.corners import Corners
from agentflow.domains.maze.grid import STEPS, Grid, turn_of
from agentflow.domains.maze.spoken import CLOCK, KIND, SIDED, WAY, way
from agentflow.domains.maze.way import Walker

_IS_A = re.compile(
    r"(?:(?:it|this|that|which|the|turn|is|was|makes|counts as|represents|being|means|again|also"
    r"|therefore|thus|and|clearly|another|once more|yet|an?|90[ -]degrees?)[ -])*"
    rf"\(?(?P<one>{KIND}|{CLOCK})\)?(?: ?\((?P<two>{KIND}|{CLOCK})\))? (?:turns?|rotation|change"
    rf"|direction|1)(?: ?\((?P<three>{KIND}|{CLOCK})(?: turn)?\))?(?: ?(?:#|no\. ?|number )"
    r"(?P<nth>\d+))?"
)
_COUNTED = re.compile(
    r"(?:(?:so|and|which|it|this|that|this 1|that 1|turn|therefore) )*(?:counts"
    r"|(?P<not>does not count|is not counted|is not included)|is (?:counted|included))"
)
"""Whether the turn that was told last is of the kind that is asked for: ``so it is not counted``"""
_SO_FAR = re.compile(
    r"[\[(](?:so far:? |now )?(?P<n>\d+) (?:(?P<kind>right|left) )?turns?(?: so far)?[\])]"
)
"""How many turns there are up to where a list has come to: ``[2 turns]``"""
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
_EVERY = re.compile(
    r"(?:(?:every|each|all)(?: the)? (?:steps?|moves?)(?: from S to E)?|(?:PATH|it|we|you) (?:only"
    rf"|always)(?: ever)?) (?:goes?|is|are|leads?|moves?|heads?|runs?) (?:to the )?(?P<way>{WAY})"
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
"""The shape of a path: ``without turning``, ``PATH is a u-shape``"""
_SHAPED = re.compile(
    r"an? (?P<shape>[ulz])(?:(?: |-)shaped?)?(?: path)? (?:always )?(?:has"
    r"|makes) (?:exactly )?(?P<n>\d+) turns?"
)
_DETOUR = re.compile(
    r"(?:PATH|it)(?: itself)? (?:makes|takes) an? (?:\w+ )?(?:detour|excursion"
    rf"|loop) (?:out )?(?:(?:via|through|along|around|over|by) )?(?:to )?(?:the )?(?P<side>{WAY}"
    r"|top|bottom)(?: (?:side|half|part|edge|row))?(?: of the (?:maze|grid))?(?: (?:before coming"
    r"|and (?:then )?comes) back)?"
)
_HEADING = r"(?:if |when |while )*(?:you are |one is )?(?:facing|heading|going|moving) "
_RELATIVE = tuple(
    re.compile(f"{_HEADING}(?P<before>{WAY}),?{one}")
    for one in (
        rf" (?:your|our|the|its) (?P<kind>{KIND})(?:-hand| hand)?(?: side)? (?:is|points|lies"
        rf"|faces)(?: to| towards?)?(?: the)? (?P<after>{WAY})(?: side)?(?: (?:of|on|in) the "
        r"(?:page|drawing|map))?",
        rf"(?: and)?(?: then)?(?: you)?(?: (?:turn|go|head|mov|chang|switch)(?:e|ing|ing to| to)?)?"
        rf" (?P<after>{WAY}),? (?:is|means|makes|(?:then )?you)(?: (?:make|turn|turning|making))?"
        rf"(?: an?)?(?: to the)? (?P<kind>{KIND}|{CLOCK})(?: turn)?",
    )
)
"""``facing down, your left hand points right``, ``going down and then right is a left turn``"""
_DEFINED = re.compile(
    rf"(?:an? )?(?P<kind>{KIND})(?: turns?)? ?(?:is|are|means?|=|:|->) ?(?:that )?(?:(?:the|your"
    r"|our) (?:new )?(?:heading|direction) (?:is|turns|changes) )?(?:an? )?(?:turn(?:ing)? )?"
    rf"(?:90[ -]degrees? )?(?P<clock>{CLOCK})(?: turns?| rotation| change)?(?: relative to"
    r" .{3,40}| from the (?:old|previous|last|1)(?: (?:1|heading|direction))?)?"
)
_GOING = r"(?:(?:moving|going|heading|walking|travelling|continuing|a (?:move|step)) (?:to the )?)"
_ON = r"(?:straight(?: (?:on|ahead))?|(?:on )?in the same direction)"
_GENERAL = re.compile(
    r"(?:each|every) (?:such |of these )?(?:switch|change|turn) (?:is|counts as|makes) (?:an?"
    r"|1) turn|an? turn (?:only )?(?:needs|requires|means|is|happens when"
    r"|occurs when)(?: only)? (?:an? turn|(?:PATH|it|you|we) turns?)"
    r"|(?:the )?number of turns is (?:always )?1 (?:less|fewer) than the number of segments"
    r"|(?:with )?[nk] segments (?:there are|have|make|give) [nk] ?- ?1 turns"
    r"|(?:there is )?(?:1 turn )?(?:wherever|whenever|where|between)(?: any| every)?(?: 2"
    r"| each pair of)? (?:consecutive |adjacent |neighbou?ring |successive )?segments(?: (?:meet"
    r"|join|touch))?,?(?: there is)? 1 turn"
    rf"|(?:an? )?(?:{KIND} and {KIND}|{KIND} turn|turns?) (?:is|are) (?:always )?(?:relative to"
    r"|(?:judged|seen|as seen) from)(?: (?:the|your|our|direction|of|travel|walker(?:'s)?"
    rf"|traveller(?:'s)?|point|view|motion|movement|current|perspective|heading))+|{_GOING}(?:{_ON}"
    rf"|{WAY}) is not (?:the same (?:thing )?as )?(?:(?:making|taking) )?an? (?:{KIND} )?turn"
    rf"|{_GOING}{_ON} (?:does not count|is not counted)(?: as an? turn)?"
)
"""What is so in any maze: ``moving to the right is not the same as making a right turn``"""
_CORNERS = {"l": 1, "u": 2, "z": 2}


class Facts:
    """What holds of a path, and of the turn that was told last."""

    def __init__(self, grid: Grid, corners: Corners, walker: Walker, asked: str) -> None:
        """
        Args:
            asked: The kind of turns that are asked for; empty where none is.
        """
        self.grid, self.corners, self.walker, self.asked = grid, corners, walker, asked

    def tells(self, text: str) -> bool | None:
        """Whether a clause is right; None for what is not understood."""
        text = f"{text} turn" if text in SIDED and text not in ("right", "left") else text
        if _GENERAL.fullmatch(text):
            return True
        for told in (self._in_general, self._as_a_whole, self._so_far):
            if (said := told(text)) is not None:
                return said
        return None

    def _in_general(self, text: str) -> bool | None:
        """What is so, or is not, in any maze."""
        if found := _SHAPED.fullmatch(text):
            return int(found["n"]) == _CORNERS[found["shape"]]
        if found := _DEFINED.fullmatch(text):
            return SIDED[found["clock"]] == found["kind"]
        for form in _RELATIVE:
            if found := form.fullmatch(text):
                turn = turn_of(way(found["before"]), way(found["after"]))
                return turn == f"{SIDED[found['kind']].upper()}_TURN"
        return None

    def _as_a_whole(self, text: str) -> bool | None:
        """What the path is like, and which of its turns are asked for."""
        if re.fullmatch("S(?: -> x)+ -> E", text):
            return text.count("x") == len(self.grid.path) - 2
        if found := _EVERY.fullmatch(text):
            return {*self.grid.directions} == {way(found["way"])}
        if found := _STRAIGHT.fullmatch(text):
            kinds = self.corners.kinds
            if found["clock"]:
                return len(kinds) > 2 and {*kinds} == {SIDED[found["clock"]]}
            return len(kinds) == _CORNERS.get(found["shape"] or "", 0) and len({*kinds}) < 2
        if found := _DETOUR.fullmatch(text):
            side = {"top": "up", "bottom": "down"}.get(found["side"], found["side"])
            return self._swings(way(side))
        if found := _QUESTION.fullmatch(text):
            kind = found["kind"] or ((found["total"] or found["any"]) and "total")
            return (kind or "total") == self.asked
        return None

    def _swings(self, side: str) -> bool:
        """Whether the path goes further to a side than S and E are."""
        (row, column), ends = STEPS[side], self.grid.ends.values()
        far, least = (
            max(row * one[0] + column * one[1] for one in cells) for cells in (self.grid.path, ends)
        )
        return far > least

    def _so_far(self, text: str) -> bool | None:
        """What the last turn is, and how many there are up to it."""
        walker = self.walker
        if found := _IS_A.fullmatch(text):
            return self._last_is(found)
        if self.asked and (found := _COUNTED.fullmatch(text)):
            kind = self._last_kind()
            return (self.asked in ("total", kind)) != bool(found["not"]) if kind else None
        if (found := _SO_FAR.fullmatch(text)) and walker.start is not None:
            return self._turns_at(walker.start + 1)[found["kind"] or "total"] == int(found["n"])
        if (found := _NO_TURN.fullmatch(text)) and walker.at is not None:
            if found["yet"]:
                return self._turns_at(walker.at)[found["kind"] or "total"] == 0
            kinds = {"right", "left", ""} - {found["kind"]} if found["kind"] else {""}
            return walker.kind in kinds
        return None

    def _turns_at(self, place: int) -> dict[str, int]:
        """How many turns there are up to a cell of the path."""
        return self.grid.counts[min(place, len(self.grid.directions))]

    def _last_is(self, found: re.Match[str]) -> bool | None:
        """``this is a left turn``, of the turn that was told last, or of the only one."""
        said = found.groupdict()
        nth = said.pop("nth")
        kinds = {SIDED[one] for one in said.values() if one}
        if nth:
            before = self._turns_at((self.walker.start or 0) + 1)
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
