"""What a text says of where S and E are: ``E is two rows below S, in the same column``."""

from __future__ import annotations

import re
from collections.abc import Iterable

from agentflow.domains.maze.grid import Grid, Signs
from agentflow.domains.maze.spoken import CELL, cell
from agentflow.domains.spelling import word_set

_BE = r"(?:is|are|lies?|sits?|stands?|appears?|is found|comes|would be|must be|was)"
_PLACED = (
    r"(?:(?:both|also|located|situated|positioned|placed|found|therefore|thus|instead|indeed"
    r"|actually|still|clearly|anyway|just|in fact) )*"
)
_WHO = (
    r"(?:the |both )?(?P<who>S and E|E and S|[SE]|it|they|both)(?:,? ?(?:\(|at |in |is at "
    rf"|: ?)*(?P<at>{CELL})\)?,?)?(?: ?\((?P<axis>row|column) (?P<k>\d+)\))?"
)
_SUBJECT = re.compile(
    rf"{_WHO}(?: {_BE}| ?[:=]| ?-| (?P<has>has|have)|(?= (?:on|in|at|<|\())|\Z)? ?{_PLACED}"
)
_SIDE: dict[str, tuple[int | None, int | None]] = {
    **dict.fromkeys(("above", "higher", "up", "over", "upper", "top"), (-1, None)),
    **dict.fromkeys(("below", "lower", "down", "bottom"), (1, None)),
    "left": (None, -1),
    "right": (None, 1),
}
_SIDES = "|".join(_SIDE)
_THAN = r"(?: ?(?:of|than|to|as|from|compared (?:to|with)) (?P<of>[SE]|it)| (?P<after>[SE]|it))?"
_RELATION = re.compile(
    r"(?:(?:directly|straight|strictly|exactly|immediately|just|vertically|horizontally|diagonally"
    r"|further|to|at|in|on|towards?|the|and|both|is|but|up|more|far|actually|corner|located"
    rf"|an?) )*(?:{_SIDES})(?:[ ,-]+(?:and|but|also|further|to|the|on|at|is|{_SIDES}))*?(?: side"
    rf"| corner| hand side| row)?{_THAN}(?: side)?(?: (?:in|of) the (?:maze|grid|drawing))?"
)
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
    rf"(?:(?:in|on|at|share|shares) )?(?:the )?(?:very )?same {_AXIS}{_THAN}(?: ?\((?P<c>row"
    rf"|col(?:umn)?) (?P<k>\d+)\))?|share an? {_AXIS.replace('axis', 'axis2')}"
)
_IN = re.compile(
    rf"(?:in|on|at|shares?|:)? ?(?:the )?{_AXIS}(?: number)?(?: ?[:=]| is)? ?(?P<k>\d+){_MAZE}"
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


_NAMED = re.compile(
    r"\b([SE])(?:,? ?(?:(?:is|lies|sits|stands|appears|starts) |= ?|: ?)?(?:located |situated "
    rf"|positioned |found )?(?:\(|at |in )*)({CELL})\)?"
)
_AT_CELL = re.compile(rf"\b([SE]) ?(?:at )?({CELL})")
_IN_BRACKETS = re.compile(r"\b([SE]) ?\((row|column) (\d{1,3})\)")


_EQUAL = re.compile(
    r"(?:the|their|both) (?:2 )?(?P<axis>row|col(?:umn)?)s?(?: numbers?)? (?:is"
    r"|are) (?P<not>not )?(?:equal|(?:the )?same|identical)"
)
_COMPARED = re.compile(
    r"(?:(?:and|the) )*(?:(?P<axis>row|col)(?:umn)?s?:? )?(?P<a>\d+) ?(?:is )?(?:to the )?"
    r"(?P<sign>[<>]|==?|above|below|left|right) ?(?:of )?(?:(?:row|col)(?:umn)? )?(?P<b>\d+)"
)
_EDGE = re.compile(
    r"(?:in the corridor |(?:just|right|directly|immediately|all the way) )*(?:(?:in|at|on|along"
    r"|above|below|against|touching|(?:next|adjacent|close) to|beside|by) )?the (?:(?:very|outer"
    r"|far) )*(?P<one>top|bottom|upper|lower|left|right)(?:most|-hand)?(?:[- ](?P<two>left"
    rf"|right))?(?: (?:open|inner|outer))?(?: (?:row|column|side|edge|wall|border|corridor)){_MAZE}"
)
_NEAR = re.compile(
    r"(?:somewhere )?(?:near|close to|towards?) the (?P<side>top|bottom|left|right)(?: side"
    rf"| edge)?{_MAZE}"
)
_MEANS = re.compile(
    r" ?(?:\b(?:is|means|makes|gives|(?:it |E |S )?(?:would )?(?:needs?|requires?))\b|=) ?"
)
_SIZES = re.compile(
    r"\b(?:(?P<size>smaller|larger|greater|bigger|less) (?P<axis>row|column)|(?P<axis2>row"
    r"|column)(?: number| index)? (?P<size2>smaller|larger|greater|bigger|less))\b(?: number"
    r"| index)?"
)
_OF_SIZE = {
    (True, "row"): "above",
    (False, "row"): "below",
    (True, "column"): "left",
    (False, "column"): "right",
}
_BESIDE_SIDES = word_set("""
    a and being both combined E for further it number of plus S side than the to together + , be
""")
"""What may stand beside sides where only they are compared."""
_CONDITIONS = re.compile(
    r"(?P<who>both|neither|none)(?: of (?:them|these|those|the 2))?(?: (?:of )?(?:the )?(?:2 )?"
    r"(?:conditions?|requirements?|parts?|criteria|criterion|comparisons?|tests?"
    r"|halves))?(?: in the question| of the question)? (?:(?:is|are|do|does) )?(?:(?P<holds>holds?"
    r"|met|satisfied|true|fulfilled)|(?P<fails>fails?|violated|false)|(?P<must>(?:would )?(?:have"
    r"|need) to (?:hold|be true|be met)|must (?:hold|be true|be met)))(?: here| in this case"
    r"| for a yes)?"
)
"""How many of the conditions of a question hold, as ``directly left`` has two."""
_WOULD = re.compile(
    r"(?:for (?:that|this|it|a yes)(?: to (?:be true|hold))?,? )?(?P<who>E|S|it) (?:would|must"
    r"|should) (?:(?:have|need) to be|be|lie) (?P<place>.+)"
)
"""What the question asks for: ``E would have to be above S``"""
_OPPOSITE = re.compile(
    r"(?:(?:which|that|this) )?is (?:exactly |just )?the (?:exact |very )?opposite(?: (?:turn|edge"
    r"|side|direction))?(?: (?:of|to|from))? (?:what|the 1|that) (?:the question (?:asks"
    r"|asked)(?: about)?|is (?:being )?asked(?: about)?)"
)
_BOTH_IN = re.compile(
    r"\bthe (?P<axis>row|line|column) (?:containing|with|that (?:contains|has|holds)"
    r"|holding) (?:both )?(?:the )?(?:both|S and E|E and S|letters)(?: (?:letters|of them|ends"
    r"|S and E|E and S))?"
)
"""``the line containing both letters``"""
_ROWS_AND_COLUMNS = re.compile(
    r"(?:(?:the|with|there are) )*(?P<rows>\d+)(?: rows?)? and (?P<cols>\d+)(?: col(?:umn)?s?)?(?: "
    r"(?:lie )?between (?:them|S and E|E and S)| apart)?(?: can be (?:read off"
    r"|seen)(?: directly)?)?"
)
"""How far S and E are apart: ``the 6 rows and 4 columns between them``"""


class Lies:
    """Where S and E are, and of which of them is spoken.

    Attributes:
        it: Who was spoken of last.
    """

    def __init__(self, grid: Grid, asked: str, signs: Signs) -> None:
        """
        Args:
            asked: Of whom it is asked; empty where something else is.
            signs: How it is asked to lie.
        """
        self.grid, self.it, self.asked, self.signs = grid, asked or "E", asked, signs

    def tells(self, text: str) -> bool | None:
        """Whether what is said of S and E is right; None for what is not understood."""
        text = text.replace("ward", "")
        text = re.sub(r" (?:anyway|too|as well)$", "", text).strip()
        if found := _COMPARED.fullmatch(text):
            return self._compared(found)
        if (said := self._means(text)) is not None:
            return said
        if self.asked and (found := _CONDITIONS.fullmatch(text)):
            return self._conditions(found)
        if self.asked and (found := _WOULD.fullmatch(text)):
            asked = {(sign, None) for sign in self.signs[:1]} | {(None, self.signs[1])}
            sides = _sides(found["place"])
            return {*sides} <= asked if sides and self._who(found["who"]) == self.asked else None
        if self.asked and _OPPOSITE.fullmatch(text):
            return self._signs(self.asked) == [-(sign or 0) for sign in self.signs]
        if self.asked and (found := _ROWS_AND_COLUMNS.fullmatch(text)):
            apart = [abs(self._apart(axis)) for axis in (False, True)]
            return apart == [int(found["rows"]), int(found["cols"])]
        if found := _EQUAL.fullmatch(text):
            return (self._apart(found["axis"] != "row") == 0) != bool(found["not"])
        if not all(self.grid.ends[who] == cell(at) for who, at in _NAMED.findall(text)):
            return False
        text = re.sub(
            r"^[SE],? (?:and |while )?(?=[SE] (?:is|has|lies)\b)", "", _NAMED.sub(r"\1", text)
        )
        text = re.sub(
            r"^(?:which |this |that )?(?:places|puts|makes) (it|E|S) (?:is )?", r"\1 is ", text
        )
        text = re.sub(
            r"^(?:(?:PATH|it) )?(?:(?:start|begin|locat)\w* (?:at|from|with) (?=S\b)|(?:end|finish"
            r"|stop)\w* (?:at|in|with) (?=E\b))",
            "",
            text,
        )
        if re.fullmatch("[SE](?:(?:, | and )+[SE])?", text):
            self.it = text if len(text) == 1 else self.it
            return True
        for reader in (self._shift, self._numbered):
            if (said := reader(text)) is not None:
                return said
        subject = _SUBJECT.match(text)
        rest = text[subject.end() :] if subject else text
        self.free = not subject and not re.search(r"\b[SE]\b", text)
        who = self._who(subject["who"]) if subject else self.it
        if (
            subject
            and subject["at"]
            and not all(self.grid.ends[one] == cell(subject["at"]) for one in who)
        ):
            return False
        if subject and subject["k"] and not self._is_in(who, subject["axis"], int(subject["k"])):
            return False
        if subject and len(who) == 1:
            self.it = who
        if not rest:
            return True if subject and (subject["at"] or subject["k"]) else None
        return self._predicates(who, rest)

    def placed(self, text: str) -> str | None:
        """A sentence without the cells, rows and columns right behind S and E; None if one of them
        is wrong."""
        lines = (self._is_in(who, axis, int(k)) for who, axis, k in _IN_BRACKETS.findall(text))
        cells = (self.grid.ends[who] == cell(at) for who, at in _AT_CELL.findall(text))
        if not all((*lines, *cells)):
            return None
        if any(self._apart(one["axis"] == "column") for one in _BOTH_IN.finditer(text)):
            return None
        return _BOTH_IN.sub("it", _AT_CELL.sub(r"\1", _IN_BRACKETS.sub(r"\1", text)))

    def _who(self, said: str) -> str:
        if said in ("S", "E"):
            return said
        return self.it if said == "it" else "SE"

    def _predicates(self, who: str, text: str) -> bool | None:
        """Whether all that is said of somebody is right."""
        if (said := self._predicate(who, text)) is not None:
            return said
        for sign in (
            r",? (?:but|so|and) (?:(?:it|they) )?(?:(?:is|are|has|lies) )?(?:also |both )?",
            r", (?:i\.e\. )?",
            r" (?=\(|(?:at )?<)",
            r" (?=(?:in|at|on) (?:the same )?(?:row|col))",
            r"(?:,? but)? rather than | instead of |,? and (?=not )",
            r" with ",
        ):
            for cut in re.finditer(sign, text):
                one = self._predicate(who, text[: cut.start()])
                if one is None:
                    continue
                rest = text[cut.end() :].strip("()")
                if re.match(r"(?:,? but)? ?(?:rather than|instead of)", cut[0].strip()):
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
        if re.fullmatch(rf"(?:at |in |: ?|= ?)*{CELL}", text):
            at = re.search(CELL, text)
            return at is not None and all(self.grid.ends[one] == cell(at[0]) for one in who)
        if found := _IN_LINE.fullmatch(text):
            axis = found["axis"] or found["axis2"]
            apart = self._signs("E")[axis != "row"]
            return apart == 0 and (
                found["k"] is None
                or (found["c"][:3] == axis[:3] and self._is_in("E", axis, int(found["k"])))
            )
        if found := _IN.fullmatch(text):
            return self._is_in(who, found["axis"], int(found["k"]))
        if found := _NEAR.fullmatch(text):
            return all(self._is_near(one, found["side"]) for one in who)
        if found := _EDGE.fullmatch(text):
            sides = [one for one in found.groups() if one]
            return all(self._is_beside(one, side) for one in who for side in sides)
        if found := _DISTANCE.fullmatch(text):
            return self._distant(who, found)
        if found := _SHIFT.fullmatch(text):
            return self._shift(text)
        if (said := self._numbered(text)) is not None:
            return said
        if _RELATION.fullmatch(text):
            return self._relates(who, text)
        return None

    def _is_beside(self, who: str, side: str) -> bool:
        """Whether S or E is in the first or last row or column within the walls."""
        row, column = self.grid.ends[who]
        if side in ("left", "right"):
            return column == (1 if side == "left" else len(self.grid.rows[0]) - 2)
        return row == (1 if side in ("top", "upper") else len(self.grid.rows) - 2)

    def _is_near(self, who: str, side: str) -> bool:
        """Whether S or E is in that third of the maze."""
        axis, last = side in ("left", "right"), side in ("bottom", "right")
        size = len(self.grid.rows[0] if axis else self.grid.rows)
        at = self.grid.ends[who][axis]
        return 3 * (size - 1 - at if last else at) < size

    def _means(self, text: str) -> bool | None:
        """``down and right together is bottom right``, of any cells; None for what is not so."""
        for cut in _MEANS.finditer(text):
            one, other = _sides(text[: cut.start()]), _sides(text[cut.end() :])
            if one and other:
                return one == other
        return None

    def _conditions(self, found: re.Match[str]) -> bool:
        """Whether so many of the conditions of the question hold, or would have to."""
        held = [
            sign == own
            for sign, own in zip(self.signs, self._signs(self.asked), strict=True)
            if sign is not None
        ]
        if found["must"] or len(held) < 2:
            return len(held) > 1 and found["who"] == "both"
        return set(held) == {(found["who"] == "both") == bool(found["holds"])}

    def _relates(self, who: str, text: str) -> bool | None:
        found = _RELATION.fullmatch(text)
        if found is None or len(who) != 1 or (self.free and not self.asked):
            return None
        of = found["of"] or found["after"]
        if of == who:
            return None
        sides = re.sub(rf"{_THAN}\Z", "", text) if of else text
        signs: list[int | None] = [None, None]
        words = re.findall(r"[a-z]+", sides)
        if "higher" in words or "lower" in words:
            words = [one for one in words if one not in ("up", "down")]
        axes = [_SIDE[one][0] is None for one in words if one in _SIDE]
        if len(axes) > len({*axes}):
            return None
        for word in words:
            row, column = _SIDE.get(word, (None, None))
            signs = [
                row if row is not None else signs[0],
                column if column is not None else signs[1],
            ]
        if re.search(
            r"\b(?:directly|straight|exactly|vertically|horizontally|immediately)\b", sides
        ):
            signs = [sign or 0 for sign in signs]
        return self.grid.lies(who, signs)

    def _apart(self, axis: bool) -> int:
        return self.grid.ends["E"][axis] - self.grid.ends["S"][axis]

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

    def _signs(self, one: str) -> Signs:
        cells = zip(self.grid.ends[one], self.grid.ends["S" if one == "E" else "E"], strict=True)
        return [(a > b) - (a < b) for a, b in cells]

    def _is_in(self, who: Iterable[str], axis: str, number: int) -> bool:
        return all(self.grid.ends[one][axis != "row"] == number for one in who)

    def _distant(self, who: str, found: re.Match[str]) -> bool:
        if len(who) != 1 or (found["of"] or found["after"]) == who:
            return False
        if found["side"] in ("away", "apart"):
            axis = found["what"].startswith("col")
            return abs(self._apart(axis)) == int(found["n"]) and found["what"][:3] in ("row", "col")
        row, column = _SIDE[found["side"]]
        axis, sign = (0, row) if row is not None else (1, column)
        what = found["what"][:3]
        if what in ("row", "col") and (what == "col") != bool(axis):
            return False
        other = "S" if who == "E" else "E"
        apart = self.grid.ends[who][axis] - self.grid.ends[other][axis]
        return apart == (sign or 0) * int(found["n"]) and apart != 0

    def _numbered(self, text: str) -> bool | None:
        """``E's row number (1) is smaller than S's``"""
        found = _NUMBER.fullmatch(text)
        if found is None:
            return None
        size = found["size"] or found["first"]
        who = found["who"] or found["has"] or found["whose"]
        who = self.it if who in (None, "it") else who
        if len(who) != 1:
            return None
        numbers = [int(one) for one in (found["k"], found["kk"], found["kkk"]) if one]
        if size is None and not numbers:
            return None
        axis, other = found["axis"], "S" if who == "E" else "E"
        if found["of"] == who:
            return None
        at = [self.grid.ends[one][axis != "row"] for one in (who, other)]
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
        axis = found["axis"] in ("horizontal", "column")
        apart = abs(self.grid.ends["S"][axis] - self.grid.ends["E"][axis])
        if found["zero"]:
            return apart == 0 and not found["n"]
        if found["n"]:
            return apart == int(found["n"])
        return apart != 0 if re.match(r"(?:there is|with|has|have)", text) else None


def _sides(text: str) -> set[tuple[int | None, int | None]]:
    """The sides that a text names, ``a smaller row`` among them; empty where it says more."""
    text = _SIZES.sub(
        lambda m: _OF_SIZE[
            (m["size"] or m["size2"]) in ("smaller", "less"), m["axis"] or m["axis2"]
        ],
        text,
    )
    words = re.findall(r"\w+|\S", text.replace("-", " "))
    if not all(one in _SIDE or one in _BESIDE_SIDES for one in words):
        return set()
    return {_SIDE[one] for one in words if one in _SIDE}
