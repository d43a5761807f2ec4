"""What a text says of where S and E are: somebody, and what is said of them.

E is 2 rows below S, in the same column
both are in row 3
E's row number is smaller than S's
there is 0 horizontal displacement
column 5 is to the right of column 3
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from agentflow.domains.maze.grid import Grid
from agentflow.domains.maze.spoken import CELL, cell

_BE = r"(?:is|are|lies?|sits?|stands?|appears?|is found|comes|would be|must be|was)"
_PLACED = (
    r"(?:(?:both|also|located|situated|positioned|placed|found|therefore|thus|instead|indeed"
    r"|actually|still|clearly|anyway|just|in fact) )*"
)
_SUBJECT = re.compile(
    r"(?:the |both )?(?P<who>S and E|E and S|[SE]|it|they|both)(?:,? ?(?:\(|at |in |is at |: ?)*"
    rf"(?P<at>{CELL})\)?,?)?(?: {_BE}| ?[:=]| ?-| (?P<has>has|have)|(?= (?:on|in|at|<|\())"
    rf"|\Z)? ?{_PLACED}"
)
SIDE: dict[str, tuple[int | None, int | None]] = {
    **dict.fromkeys(("above", "higher", "up", "over", "upper", "top"), (-1, None)),
    **dict.fromkeys(("below", "lower", "down", "bottom"), (1, None)),
    "left": (None, -1),
    "right": (None, 1),
}
"""Word -> the signs of the row's and the column's difference."""
_SIDES = "|".join(SIDE)
_THAN = r"(?: ?(?:of|than|to|as|from|compared (?:to|with)) (?P<of>[SE]|it)| (?P<after>[SE]|it))?"
_RELATION = re.compile(
    r"(?:(?:directly|straight|strictly|exactly|immediately|just|vertically|horizontally|diagonally"
    r"|further|to|at|in|on|towards?|the|and|both|is|but|up|more|far|actually|corner|located"
    rf"|an?) )*(?:{_SIDES})(?:[ ,-]+(?:and|but|also|further|to|the|on|at|is|{_SIDES}))*?(?: side"
    rf"| corner| hand side| row)?{_THAN}(?: side)?(?: (?:in|of) the (?:maze|grid|drawing))?"
)
_DIRECTLY = re.compile(r"\b(?:directly|straight|exactly|vertically|horizontally|immediately)\b")
_DISTANCE = re.compile(
    r"(?:exactly |just |only )?(?P<n>\d+) (?P<what>rows?|col(?:umn)?s?|cells?|steps?"
    rf"|squares?)(?: further)?(?: to the| on the| directly| straight)? (?P<side>{_SIDES}|away"
    rf"|apart)(?: up| down)?{_THAN}"
)
_MAZE = (
    r"(?: (?:of|inside|in) the (?:whole |entire )?(?:maze|grid|walls|drawing|map|picture|(?:open"
    r"|inner) (?:area|part|space)))?"
)
_AXIS = r"(?P<axis>row|col(?:umn)?)"
_IN_LINE = re.compile(
    rf"(?:(?:in|on|at|share|shares) )?(?:the )?(?:very )?(?:same|(?<=share )an?) {_AXIS}{_THAN}"
    r"(?: ?\((?P<c>row|col(?:umn)?) (?P<k>\d+)\))?"
)
_IN = re.compile(
    rf"(?:in|on|at|shares?|:)? ?(?:the )?{_AXIS}(?: number)?(?: ?[:=]| is)? ?(?P<k>\d+){_MAZE}"
)
_EDGE = re.compile(
    r"(?:in the corridor |(?:just|right|directly|immediately|all the way) )*(?:(?:in|at|on|along"
    r"|above|below|against|touching|(?:next|adjacent|close) to|beside|by) )?the (?:(?:very|outer"
    r"|far) )*(?P<one>top|bottom|upper|lower|left|right)(?:most|-hand)?(?:[- ](?P<two>left"
    rf"|right))?(?: (?:open|inner|outer))?(?: (?:row|column|side|edge|wall|border|corridor)){_MAZE}"
)
_NUMBER = re.compile(
    r"(?:(?P<who>[SE]|it)'s? (?:has )?|its |(?P<has>[SE]|it) has |has )?(?:both )?(?:a |an "
    rf"|the )?(?:(?P<first>smaller|larger|lower|higher|greater|same|bigger) )?{_AXIS}(?: (?:number"
    r"|index|coordinate|value))?(?: of (?P<whose>[SE]))?(?:(?: ?[:=])? ?\(?(?P<k>\d+)\)?)?(?: "
    rf"{_BE} (?P<not>not )?(?:the )?(?P<size>smaller|larger|lower|higher|greater|less|bigger|same"
    r"|equal|different))?(?: ?(?:than|as|to|from) (?:that of |the row of "
    r"|the column of )?(?P<of>[SE]|it)(?:'s)?(?: row| column)?(?: number)?)?(?: ?\((?P<kk>\d+)\)"
    r"| (?P<kkk>\d+))?"
)
_SIZED = {
    **dict.fromkeys(("smaller", "lower", "less"), -1),
    **dict.fromkeys(("larger", "greater", "higher", "bigger"), 1),
    **dict.fromkeys(("same", "equal"), 0),
}
_SHIFT = re.compile(
    r"(?:there is |with |has |have |the |a |an |and |there are )*(?P<zero>0 |not any "
    r"|no )?(?P<axis>vertical|horizontal|row|column) (?:displacement|offset|difference|shift"
    r"|distance|separation)(?: (?:between (?:them|S and E|E and S|the 2)|at all|is|of|:|involved"
    r"|from S|from E|to E|to S))*(?: ?(?P<n>\d+)(?: (?:rows?|col(?:umn)?s?|cells?|steps?"
    r"|squares?))?)?"
)
_EQUAL = re.compile(
    r"(?:the|their|both) (?:2 )?(?P<axis>row|col(?:umn)?)s?(?: numbers?)? (?:is"
    r"|are) (?P<not>not )?(?:equal|(?:the )?same|identical)"
)
_COMPARED = re.compile(
    r"(?:(?:and|the) )*(?:(?P<axis>row|col)(?:umn)?s?:? )?(?P<a>\d+) ?(?:is )?(?:to the )?"
    r"(?P<sign>[<>]|==?|above|below|left|right) ?(?:of )?(?:(?:row|col)(?:umn)? )?(?P<b>\d+)"
)
_AT_CELL = re.compile(rf"\b([SE]) ?(?:at )?({CELL})")
_IN_BRACKETS = re.compile(r"\b([SE]) ?\((row|column) (\d{1,3})\)")
_BOTH_IN = re.compile(
    r"\bthe (?P<axis>row|line|column) (?:containing|with|that (?:contains|has|holds)"
    r"|holding) (?:both )?(?:the )?(?:both|S and E|E and S|letters)(?: (?:letters|of them|ends"
    r"|S and E|E and S))?"
)
"""``the line containing both letters``"""
_OPENINGS = tuple(
    (re.compile(one), other)
    for one, other in (
        (r"^[SE],? (?:and |while )?(?=[SE] (?:is|has|lies)\b)", ""),
        (r"^(?:which |this |that )?(?:places|puts|makes) (it|E|S) (?:is )?", r"\1 is "),
        (
            r"^(?:(?:PATH|it) )?(?:(?:start|begin|locat)\w* (?:at|from|with) (?=S\b)|(?:end|finish"
            r"|stop)\w* (?:at|in|with) (?=E\b))",
            "",
        ),
        (r" (?:anyway|too|as well)$", ""),
    )
)
"""Around a subject, what says no more."""
_CUTS = tuple(
    map(
        re.compile,
        (
            r",? (?:but|so|and) (?:(?:it|they) )?(?:(?:is|are|has|lies) )?(?:also |both )?",
            r", (?:i\.e\. )?",
            r" (?=\(|(?:at )?<)",
            r" (?=(?:in|at|on) (?:the same )?(?:row|col))",
            r"(?P<not>(?:,? but)? rather than | instead of )|,? and (?=not )",
            r" with ",
        ),
    )
)
"""Between two things that are said of somebody."""


class Lies:
    """Where S and E are, and of which of them is spoken.

    Attributes:
        it: Who was spoken of last.
    """

    def __init__(self, grid: Grid, asked: str) -> None:
        """
        Args:
            asked: Of whom it is asked; empty where something else is.
        """
        self.grid, self.it, self.asked = grid, asked or "E", asked

    def tells(self, text: str) -> bool | None:
        """Whether what is said of S and E is right; None for what is not understood."""
        text = text.replace("ward", "")
        for one, other in _OPENINGS:
            text = one.sub(other, text)
        if found := _COMPARED.fullmatch(text):
            return self._compared(found)
        if found := _EQUAL.fullmatch(text):
            return (self.apart(found["axis"] != "row") == 0) != bool(found["not"])
        if re.fullmatch("[SE](?:(?:, | and )+[SE])?", text):
            self.it = text if len(text) == 1 else self.it
            return True
        for reader in (self._shift, self._numbered):
            if (said := reader(text)) is not None:
                return said
        subject = _SUBJECT.match(text)
        self.free = not subject and not re.search(r"\b[SE]\b", text)
        if subject is None:
            return self._predicates(self.it, text)
        who = self.who(subject["who"])
        if subject["at"] and not self._is_at(who, subject["at"]):
            return False
        self.it = who if len(who) == 1 else self.it
        rest = text[subject.end() :]
        return self._predicates(who, rest) if rest else bool(subject["at"]) or None

    def placed(self, text: str) -> str | None:
        """A sentence without the cells, rows and columns right behind S and E; None if one of them
        is wrong."""
        lines = (self._is_in(who, axis, int(k)) for who, axis, k in _IN_BRACKETS.findall(text))
        cells = (self._is_at(who, at) for who, at in _AT_CELL.findall(text))
        if not all((*lines, *cells)):
            return None
        if any(self.apart(one["axis"] == "column") for one in _BOTH_IN.finditer(text)):
            return None
        return _BOTH_IN.sub("it", _AT_CELL.sub(r"\1", _IN_BRACKETS.sub(r"\1", text)))

    def who(self, said: str) -> str:
        """S, E or both, by a name or a pronoun."""
        if said in ("S", "E"):
            return said
        return self.it if said == "it" else "SE"

    def apart(self, axis: bool) -> int:
        """How many rows, or columns, E is behind S."""
        return self.grid.ends["E"][axis] - self.grid.ends["S"][axis]

    def signs(self, one: str) -> list[int]:
        """How one of S and E lies to the other: the signs of the differences."""
        apart = [self.apart(axis) * (1 if one == "E" else -1) for axis in (False, True)]
        return [(k > 0) - (k < 0) for k in apart]

    def _predicates(self, who: str, text: str) -> bool | None:
        """Whether all that is said of somebody is right."""
        if (said := self._predicate(who, text)) is not None:
            return said
        for sign in _CUTS:
            for cut in sign.finditer(text):
                one = self._predicate(who, text[: cut.start()])
                if one is None:
                    continue
                rest = text[cut.end() :].strip("()")
                if cut.groupdict().get("not"):
                    rest = f"not {rest}"
                other = self._predicates(who, rest)
                return other if other is None else one and other
        return None

    def _predicate(self, who: str, text: str) -> bool | None:
        """Whether one thing that is said of somebody is right."""
        text = text.strip(" ,.")
        if text.startswith("not "):
            said = self._predicate(who, text[4:])
            return said if said is None else not said
        if found := re.fullmatch(rf"(?:at |in |: ?|= ?)*({CELL})", text):
            return self._is_at(who, found[1])
        if found := _IN_LINE.fullmatch(text):
            axis, k = found["axis"], found["k"]
            known = k is None or (found["c"][:3] == axis[:3] and self._is_in("E", axis, int(k)))
            return self.apart(axis != "row") == 0 and known
        if found := _IN.fullmatch(text):
            return self._is_in(who, found["axis"], int(found["k"]))
        if found := _EDGE.fullmatch(text):
            sides = [one for one in found.groups() if one]
            return all(self._is_beside(one, side) for one in who for side in sides)
        if found := _DISTANCE.fullmatch(text):
            return self._distant(who, found)
        for reader in (self._shift, self._numbered):
            if (said := reader(text)) is not None:
                return said
        found = _RELATION.fullmatch(text)
        return self._relates(who, found) if found else None

    def _is_at(self, who: Iterable[str], at: str) -> bool:
        return all(self.grid.ends[one] == cell(at) for one in who)

    def _is_in(self, who: Iterable[str], axis: str, number: int) -> bool:
        return all(self.grid.ends[one][axis != "row"] == number for one in who)

    def _is_beside(self, who: str, side: str) -> bool:
        """Whether S or E is in the first or last row or column within the walls."""
        row, column = self.grid.ends[who]
        if side in ("left", "right"):
            return column == (1 if side == "left" else len(self.grid.rows[0]) - 2)
        return row == (1 if side in ("top", "upper") else len(self.grid.rows) - 2)

    def _relates(self, who: str, found: re.Match[str]) -> bool | None:
        """``to the left of S and higher``"""
        of = found["of"] or found["after"]
        if len(who) != 1 or of == who or (self.free and not self.asked):
            return None
        sides = re.sub(rf"{_THAN}\Z", "", found[0]) if of else found[0]
        words = [one for one in re.findall(r"[a-z]+", sides) if one in SIDE]
        if "higher" in words or "lower" in words:
            words = [one for one in words if one not in ("up", "down")]
        signs: list[int | None] = [None, None]
        for row, column in map(SIDE.__getitem__, words):
            axis = row is None
            if signs[axis] is not None:
                return None
            signs[axis] = column if axis else row
        if _DIRECTLY.search(sides):
            signs = [sign or 0 for sign in signs]
        return self.grid.lies(who, signs)

    def _compared(self, found: re.Match[str]) -> bool:
        """``row: 1 < 7``, ``column 3 is left of column 5``: of S and E."""
        a, b, sign = int(found["a"]), int(found["b"]), found["sign"]
        low = sign in ("<", "above", "left")
        right = a == b if sign in ("=", "==") else a < b if low else a > b
        axes = [found["axis"] != "row"] if found["axis"] else [False, True]
        ends = [{one[axis] for one in self.grid.ends.values()} for axis in axes]
        sided = sign in ("left", "right")
        known = not sign.isalpha() or (found["axis"] is not None and sided == axes[0])
        return right and known and {a, b} in ends

    def _distant(self, who: str, found: re.Match[str]) -> bool:
        """``2 rows below S``, ``4 columns away``"""
        if len(who) != 1 or (found["of"] or found["after"]) == who:
            return False
        line = found["what"][:3] in ("row", "col")
        across = found["what"].startswith("col")
        if found["side"] in ("away", "apart"):
            return line and abs(self.apart(across)) == int(found["n"])
        row, column = SIDE[found["side"]]
        if line and across != (row is None):
            return False
        apart = self.apart(row is None) * (1 if who == "E" else -1)
        return apart == (row or column or 0) * int(found["n"]) and apart != 0

    def _numbered(self, text: str) -> bool | None:
        """``E's row number (1) is smaller than S's``"""
        found = _NUMBER.fullmatch(text)
        if found is None:
            return None
        size = found["size"] or found["first"]
        who = found["who"] or found["has"] or found["whose"]
        who = self.it if who in (None, "it") else who
        numbers = [int(one) for one in (found["k"], found["kk"], found["kkk"]) if one]
        if len(who) != 1 or (size is None and not numbers):
            return None
        if found["of"] == who:
            return None
        other = "S" if who == "E" else "E"
        at = [self.grid.ends[one][found["axis"] != "row"] for one in (who, other)]
        self.it = who
        if numbers and numbers[0] != at[found["k"] is None and size is not None]:
            return False
        if len(numbers) == 2 and numbers[1] != at[1]:
            return False
        if size is None:
            return True
        if size == "different":
            return at[0] != at[1] and not found["not"]
        return (((at[0] > at[1]) - (at[0] < at[1])) == _SIZED[size]) != bool(found["not"])

    def _shift(self, text: str) -> bool | None:
        """``There is no vertical displacement between them``"""
        found = _SHIFT.fullmatch(text)
        if found is None:
            return None
        apart = abs(self.apart(found["axis"] in ("horizontal", "column")))
        if found["zero"]:
            return apart == 0 and not found["n"]
        if found["n"]:
            return apart == int(found["n"])
        return apart != 0 if re.match(r"(?:there is|with|has|have)", text) else None
