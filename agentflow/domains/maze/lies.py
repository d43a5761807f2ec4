"""What a text says of where S and E are: ``E is two rows below S, in the same column``."""

from __future__ import annotations

import re
from collections.abc import Iterable

from agentflow.domains.maze.grid import Grid, Signs
from agentflow.domains.maze.spoken import CELL, cell

_BE = r"(?:is|are|lies?|sits?|stands?|appears?|is found|comes|would be|must be|was)"
_PLACED = (
    r"(?:(?:both|also|located|situated|positioned|placed|found|therefore|thus|instead"
    r"|indeed|actually|still|clearly|anyway|just|in fact) )*"
)
_WHO = (
    rf"(?:the |both )?(?P<who>S and E|E and S|[SE]|it|they|both)(?:,? ?(?:\(|at |in |is at "
    rf"|: ?)*(?P<at>{CELL})\)?,?)?(?: ?\((?P<axis>row|column) (?P<k>\d+)\))?"
)
_SUBJECT = re.compile(
    rf"{_WHO}(?: {_BE}| ?[:=]| ?-| (?P<has>has|have)|(?= (?:on|in|at|<|\())|\Z)? ?{_PLACED}"
)
_SIDE = {
    "above": (-1, None),
    "higher": (-1, None),
    "up": (-1, None),
    "over": (-1, None),
    "upper": (-1, None),
    "top": (-1, None),
    "below": (1, None),
    "lower": (1, None),
    "down": (1, None),
    "bottom": (1, None),
    "left": (None, -1),
    "right": (None, 1),
}
_SIDES = "|".join(_SIDE)
_ATOM = rf"(?:{_SIDES})"
_THAN = r"(?: ?(?:of|than|to|as|from|compared (?:to|with)) (?P<of>[SE]|it)| (?P<after>[SE]|it))?"
_RELATION = re.compile(
    rf"(?P<not>not )?(?:(?:directly|straight|strictly|exactly|immediately|just|vertically|"
    rf"horizontally|diagonally|further|to|at|in|on|towards?|the|and|both|is|but|up|more|actually|"
    rf"corner|located) )*{_ATOM}(?:[ ,-]+(?:and|but|also|further|to|the|on|at|is"
    rf"|{_SIDES}))*?(?: side| corner| hand side)?"
    rf"{_THAN}(?: side)?(?: (?:in|of) the (?:maze|grid|drawing))?"
)
_DISTANCE = re.compile(
    rf"(?:exactly |just |only )?(?P<n>\d+) (?P<what>rows?|col(?:umn)?s?|cells?|steps?|squares?)"
    rf"(?: further)?(?: to the| on the| directly| straight)? (?P<side>{_SIDES})(?: up|"
    rf" down)?{_THAN}"
)
_AXIS = r"(?P<axis>row|col(?:umn)?)"
_ROW_THAN = re.compile(
    r"(?:in|on|at) an? (?P<side>lower|higher|upper) row (?:than|compared (?:to|with)) (?P<of>[SE])"
)
_IN_LINE = re.compile(
    rf"(?:in|on|at|share|shares) (?:the )?(?:very )?same {_AXIS}{_THAN}(?: ?\((?P<c>row"
    rf"|col(?:umn)?) (?P<k>\d+)\))?|share an? {_AXIS.replace('axis', 'axis2')}"
)
_IN = re.compile(rf"(?:in|on|at|:)? ?(?:the )?{_AXIS}(?: number)?(?: ?[:=]| is)? ?(?P<k>\d+)")
_EDGE = re.compile(
    r"(?:in|on|at) the (?:very )?(?:(?P<far>far) )?(?P<side>top|bottom|left|right)(?:most|-hand)?"
    r"(?: open)?(?: (?P<what>row|col(?:umn)?|edge|side|corner))?(?: of the (?:maze|grid))?"
)
_NUMBER = re.compile(
    rf"(?:(?P<who>[SE]|it)'s? (?:has )?|its |(?P<has>[SE]|it) has |has )?(?:both )?(?:a |an |the )?"
    rf"(?:(?P<first>smaller|larger|lower|higher|greater|same|bigger) )?{_AXIS}(?: (?:number"
    rf"|index|coordinate|value))?"
    rf"(?: of (?P<whose>[SE]))?(?: ?\(?(?P<k>\d+)\)?)?(?: {_BE} (?P<not>not )?(?:the )?"
    r"(?P<size>smaller|larger|lower|higher|greater|less|bigger|same|equal|different))?"
    r"(?: ?(?:than|as|to|from) (?:that of |the row of |the column of )?(?P<of>[SE]"
    r"|it)(?:'s)?(?: row| column)?(?: number)?)?"
    r"(?: ?\((?P<kk>\d+)\)| (?P<kkk>\d+))?(?: ?\((?:further |higher |lower )?(?:up|down|left"
    r"|right|above|below|to the left|to the right)\))?"
)
_SIZED = {
    "smaller": -1,
    "lower": -1,
    "less": -1,
    "larger": 1,
    "greater": 1,
    "higher": 1,
    "bigger": 1,
    "same": 0,
    "equal": 0,
}
_MARK = re.compile(
    rf"{_AXIS}(?: (?:number|index|coordinate))?(?: of|:)? (?P<who>[SE])(?:'s position)?(?:"
    rf" ?[:=]| is) ?(?P<k>\d+)"
    rf"|(?P<who2>[SE])(?:'s)? {_AXIS.replace('axis', 'axis2')}(?: (?:number|index))?(?: ?[:=]|"
    rf" is) ?(?P<k2>\d+)"
)
_EQUAL = re.compile(
    r"(?:the |their |its |both )*(?P<axis>row|col(?:umn)?)s?(?: (?:numbers?|coordinates?"
    r"|indices|index))? "
    r"(?:is|are|do) ?(?P<not>not |different)?(?:the same|equal|identical|match|differ)?"
    r"|(?:the |their )*(?P<axis2>row|col(?:umn)?)s?(?: (?:numbers?|coordinates?))? "
    r"(?P<how>match|matches|agree|differ|coincide)"
)
_SHIFT = re.compile(
    r"(?:there is |with |has |have |the |a |an |and |there are )*(?P<zero>0 |not any |no )?"
    r"(?P<axis>vertical|horizontal) (?:displacement|offset|difference|shift|distance|separation)"
    r"(?: (?:between (?:them|S and E|E and S|the 2)|at all|is|of|:|involved|from S|from E|to E"
    r"|to S)"
    r")*(?: ?(?P<n>\d+)(?: (?:rows?|col(?:umn)?s?|cells?|steps?|squares?))?)?"
)
_COMPARED = re.compile(
    r"(?:(?:in|the |for )*(?P<axis>row|col(?:umn)?)s?:? ?)?(?P<a>\d+) ?(?P<sign>[<>=]|==|!=|is"
    r" less than|is greater than|is smaller than|is larger than|equals) ?(?P<b>\d+)"
)
_SIGN = {
    "is less than": "<",
    "is smaller than": "<",
    "is greater than": ">",
    "is larger than": ">",
    "equals": "=",
    "==": "=",
}


_NAMED = re.compile(
    rf"\b([SE])(?:,? ?(?:(?:is|lies|sits|stands|appears|starts) |= ?|: ?)?(?:located |situated "
    rf"|positioned |found )?(?:\(|at |in )*)({CELL})\)?"
)
_IN_BRACKETS = re.compile(r"\b([SE]) ?\((row|column) (\d{1,3})\)")
_BESIDE = re.compile(r",? (?:anyway|instead|as well|too|though|however|here|respectively)\Z")


class Lies:
    """Where S and E are, and of which of them is spoken.

    Attributes:
        it: Who was spoken of last.
        axis: Whether of rows or of columns; empty at first.
    """

    def __init__(self, grid: Grid, asked: str) -> None:
        self.grid, self.it, self.axis = grid, asked, ""

    def tells(self, text: str) -> bool | None:
        """Whether what is said of S and E is right; None for what is not understood."""
        text = _BESIDE.sub(" ", text.replace("ward", "")).strip()
        if not all(self.grid.ends[who] == cell(at) for who, at in _NAMED.findall(text)):
            return False
        text = re.sub(
            r"^[SE],? (?:and |while )?(?=[SE] (?:is|has|lies)\b)", "", _NAMED.sub(r"\1", text)
        )
        text = re.sub(
            r"^(?:which |this |that )?(?:places|puts|makes) (it|E|S) (?:is )?", r"\1 is ", text
        )
        text = re.sub(
            r"^(?:start|starts|starting|begin|begins|beginning|located) (?:at|from) (?=S\Z)",
            "",
            text,
        )
        if re.fullmatch("[SE](?:(?:, | and )+[SE])?", text):
            self.it = text if len(text) == 1 else self.it
            return True
        for reader in (self._compared, self._marked, self._shift, self._equal, self._numbered):
            if (said := reader(text)) is not None:
                return said
        subject = _SUBJECT.match(text)
        rest = text[subject.end() :] if subject else text
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
        """A sentence without the rows and columns in brackets behind S and E; None if one of them
        is wrong."""
        told = _IN_BRACKETS.findall(text)
        right = all(self._is_in(who, axis, int(k)) for who, axis, k in told)
        return _IN_BRACKETS.sub(r"\1", text) if right else None

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
            r" (?=\()",
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
        if re.fullmatch(rf"(?:at |in |: ?|= ?)*{CELL}", text):
            at = re.search(CELL, text)
            return at is not None and all(self.grid.ends[one] == cell(at[0]) for one in who)
        if found := _IN_LINE.fullmatch(text):
            axis = found["axis"] or found["axis2"]
            self.axis = axis
            apart = self._signs("E")[axis != "row"]
            return apart == 0 and (
                found["k"] is None
                or (found["c"][:3] == axis[:3] and self._is_in("E", axis, int(found["k"])))
            )
        if found := _IN.fullmatch(text):
            return self._is_in(who, found["axis"], int(found["k"]))
        if found := _EDGE.fullmatch(text):
            if not found["far"] and not found["what"] and len(who) == 1:
                return self._relates(who, text)
            return all(self._at_edge(one, found["side"]) for one in who)
        if found := _ROW_THAN.fullmatch(text):
            side = "above" if found["side"] in ("higher", "upper") else "below"
            return self._relates(who, f"{side} {found['of']}")
        if found := _DISTANCE.fullmatch(text):
            return self._distant(who, found)
        if found := _SHIFT.fullmatch(text):
            return self._shift(text)
        if (said := self._numbered(text)) is not None:
            return said
        if _RELATION.fullmatch(text):
            return self._relates(who, text)
        return None

    def _relates(self, who: str, text: str) -> bool | None:
        found = _RELATION.fullmatch(text)
        if found is None or len(who) != 1:
            return None
        of = found["of"] or found["after"]
        if of == who:
            return None
        sides = re.sub(rf"{_THAN}\Z", "", text) if of else text
        signs: list[int | None] = [None, None]
        words = re.findall(r"[a-z]+", sides)
        if "higher" in words or "lower" in words:
            words = [one for one in words if one not in ("up", "down")]
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
        holds = self.grid.lies(who, signs)
        return holds != bool(found["not"])

    def _signs(self, one: str) -> Signs:
        cells = zip(self.grid.ends[one], self.grid.ends["S" if one == "E" else "E"], strict=True)
        return [(a > b) - (a < b) for a, b in cells]

    def _is_in(self, who: Iterable[str], axis: str, number: int) -> bool:
        self.axis = axis
        return all(self.grid.ends[one][axis != "row"] == number for one in who)

    def _at_edge(self, who: str, side: str) -> bool:
        row, column = self.grid.ends[who]
        rows, columns = len(self.grid.rows), len(self.grid.rows[0])
        return {
            "top": row == 1,
            "bottom": row == rows - 2,
            "left": column == 1,
            "right": column == columns - 2,
        }[side]

    def _distant(self, who: str, found: re.Match[str]) -> bool:
        if len(who) != 1 or (found["of"] or found["after"]) == who:
            return False
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
        self.it, self.axis = who, axis
        if numbers and numbers[0] != at[found["k"] is None and size is not None]:
            return False
        if len(numbers) == 2 and numbers[1] != at[1]:
            return False
        if size is None:
            return True
        if size == "different":
            return at[0] != at[1] and not found["not"]
        return (((at[0] > at[1]) - (at[0] < at[1])) == _SIZED[size]) != bool(found["not"])

    def _compared(self, text: str) -> bool | None:
        """``Row: 1 < 7``"""
        found = _COMPARED.fullmatch(text)
        if found is None:
            return None
        a, b, sign = int(found["a"]), int(found["b"]), _SIGN.get(found["sign"], found["sign"])
        axis = found["axis"] or self.axis
        axes = [axis != "row"] if axis else [False, True]
        real = [{self.grid.ends[one][one_axis] for one in "SE"} for one_axis in axes]
        if {a, b} not in real:
            return None if not found["axis"] else False
        return {"<": a < b, ">": a > b, "=": a == b, "!=": a != b}[sign]

    def _marked(self, text: str) -> bool | None:
        """``Row of S: 7``, ``S row: 7``"""
        found = _MARK.fullmatch(text)
        if found is None:
            return None
        who, axis = found["who"] or found["who2"], found["axis"] or found["axis2"]
        return self._is_in(who, axis, int(found["k"] or found["k2"]))

    def _shift(self, text: str) -> bool | None:
        """``There is no vertical displacement between them``"""
        found = _SHIFT.fullmatch(text)
        if found is None:
            return None
        axis = found["axis"] == "horizontal"
        apart = abs(self.grid.ends["S"][axis] - self.grid.ends["E"][axis])
        if found["zero"]:
            return apart == 0 and not found["n"]
        if found["n"]:
            return apart == int(found["n"])
        return apart != 0 if re.match(r"(?:there is|with|has|have)", text) else None

    def _equal(self, text: str) -> bool | None:
        """``The columns match``"""
        found = _EQUAL.fullmatch(text)
        if found is None:
            return None
        axis = found["axis"] or found["axis2"]
        apart = self._signs("E")[axis != "row"]
        if found["how"]:
            return (apart != 0) == (found["how"] == "differ")
        if not re.search(r"same|equal|identical|match|differ", text):
            return None
        return (apart != 0) == bool(found["not"] or "differ" in text)
