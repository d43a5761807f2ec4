"""What a text says of the question where S and E lie: what it hangs on, and whether it holds.

the statement is false
neither condition is met                      ``directly left`` has two
E would have to be higher than S
the winding of PATH does not matter
down and right together is bottom right       of any cells
"""

from __future__ import annotations

import re

from agentflow.domains.maze.grid import Signs
from agentflow.domains.maze.lies import SIDE, Lies
from agentflow.domains.spelling import word_set

_TRUE = re.compile(
    r"(?:(?:the|that|this) (?:statement|claim|relation|relationship)(?: in the question)? (?:"
    r"(?P<yes>is true|holds|is correct)|is false|does not hold|is not true|is not correct|is wrong"
    r"|fails)|(?:that|this|it) is (?P<not>not )?the case)(?: here)?"
)
_CALLED = re.compile(
    r"(?:the |this )?(?:statement|claim|assertion|idea)(?: that)? (?P<what>.+?) is (?:(?P<yes>true"
    r"|correct|right)|false|not true|incorrect|wrong)"
)
"""``the statement that E is above S is false``"""
_CONDITIONS = re.compile(
    r"(?P<who>both|neither|none)(?: of (?:them|these|those|the 2))?(?: (?:of )?(?:the )?(?:2 )?"
    r"(?:conditions?|requirements?|parts?|comparisons?))? (?:(?:is|are|do|does) )?(?:holds?|met"
    r"|satisfied|true|fulfilled)"
)
"""How many of the conditions of a question hold."""
_WOULD = re.compile(
    r"(?:for (?:that|this|it|a yes)(?: to (?:be true|hold))?,? )?(?P<who>E|S|it) (?:would|must"
    r"|should) (?:(?:have|need) to be|be|lie) (?P<place>.+)"
)
_OPPOSITE = re.compile(
    r"(?:(?:which|that|this) )?is (?:exactly |just )?the opposite(?: (?:turn|edge|side|direction))?"
    r"(?: (?:of|to|from))? (?:what|the 1|that) (?:the question (?:asks|asked)(?: about)?|is asked)"
)
_ROWS_AND_COLUMNS = re.compile(
    r"(?:the )?(?P<rows>\d+)(?: rows?)? and (?P<columns>\d+)(?: columns?)?(?: between them| apart)?"
    r"(?: can be read off(?: directly)?)?"
)
"""How far S and E are apart: ``the 6 rows and 4 columns between them``"""
_MEANS = re.compile(r" ?(?:\b(?:is|means|makes|gives)\b|=) ?")
_BESIDE_SIDES = word_set(
    "a and being both combined E for further it of plus S side than the to together + ,"
)
"""What may stand beside sides where only they are compared."""
_ENDS = r"(?:S and E|E and S|E|S|they|the 2(?: points| cells| squares| letters| ends)?)"
_ASKED = (
    r"(?:(?:this |the |that )?(?:question|answer|comparison|(?:relative )?positions?(?: of "
    rf"{_ENDS})?)|how {_ENDS} (?:lies?|are placed|relate)|where {_ENDS} (?:lies?|is|are|sits?))"
)
_COURSE = (
    r"(?:(?:that|this|it|which)|(?:the )?(?:\w+ (?:of|in|along) )?(?:PATH|corridor)"
    r"|how PATH \w+)(?: itself)?(?: between (?:them|S and E|E and S))?"
)
_NO_MATTER = re.compile(
    rf"(?:but |and |although |though |for {_ASKED},? )*(?:{_COURSE} (?:does not matter"
    r"|is irrelevant|is not (?:relevant|needed|important)|makes (?:0|no) difference|plays no role"
    r"|(?:has|have) no (?:influence|effect|bearing)|does not (?:affect|influence"
    rf"|change))(?: here)?(?:(?: (?:for|to|in|on))? {_ASKED})?(?:,? only {_ASKED}(?: (?:does?"
    r"|matters?|counts?))?)?|(?:we|you|i) (?:do not (?:need|have) (?:to )?|can |need not "
    rf"|may )(?:ignore|trace|follow|consider|look at|know)? ?{_COURSE}(?:,? for {_ASKED})?|(?:we"
    rf"|you|i) (?:only|just) (?:need|compare|look at|care about) {_ASKED}(?:,? (?:not|and not"
    rf"|rather than) {_COURSE})?|only {_ASKED} (?:matters?|counts?))(?: here)?"
)
"""What is said of a path where only S and E are asked about."""


class Asked:
    """The question how S and E lie."""

    def __init__(self, lies: Lies, asked: str, signs: Signs, form: str) -> None:
        """
        Args:
            asked: Of whom it is asked, S or E; empty where something else is.
            signs: How it is asked to lie.
            form: The answer, in its normal form.
        """
        self.lies, self.asked, self.signs, self.form = lies, asked, signs, form

    def tells(self, text: str) -> bool | None:
        """Whether a clause is right; None for what is not understood."""
        if found := _CALLED.fullmatch(text):
            said = self.lies.tells(found["what"])
            return said if said is None else said == bool(found["yes"])
        for cut in _MEANS.finditer(text):
            one, other = _sides(text[: cut.start()]), _sides(text[cut.end() :])
            if one and other:
                return one == other
        return self._of_question(text) if self.asked else None

    def _of_question(self, text: str) -> bool | None:
        if _NO_MATTER.fullmatch(text):
            return True
        if found := _TRUE.fullmatch(text):
            holds = found["yes"] or ("case" in text and not found["not"])
            return (self.form == "Yes") == bool(holds)
        real = self.lies.signs(self.asked)
        if found := _CONDITIONS.fullmatch(text):
            held = [a == b for a, b in zip(self.signs, real, strict=True) if a is not None]
            return len(held) > 1 and {*held} == {found["who"] == "both"}
        if found := _WOULD.fullmatch(text):
            sides = _sides(found["place"])
            whole = {(self.signs[0], None), (None, self.signs[1])}
            right = self.lies.who(found["who"]) == self.asked
            return sides <= whole if sides and right else None
        if _OPPOSITE.fullmatch(text):
            return real == [-(sign or 0) for sign in self.signs]
        if found := _ROWS_AND_COLUMNS.fullmatch(text):
            apart = [abs(self.lies.apart(axis)) for axis in (False, True)]
            return apart == [int(found["rows"]), int(found["columns"])]
        return None


def _sides(text: str) -> set[tuple[int | None, int | None]]:
    """The sides that a text names; empty where it says more."""
    words = re.findall(r"\w+|\S", text.replace("ward", "").replace("-", " "))
    if not all(one in SIDE or one in _BESIDE_SIDES for one in words):
        return set()
    return {SIDE[one] for one in words if one in SIDE}
