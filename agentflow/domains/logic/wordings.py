"""The forms of plain sentences that ``wordings.toml`` lists, as patterns.

{none} {adverb}{says} that {claim}      Nothing in the premises actually says that Max is shy.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path

SO, OPEN, UNSHOWN, POSSIBLE = "so: ", "open so: ", "unshown so: ", "possible so: "
FALSE, UNMENTIONED, WOULD = "false so: ", "unmentioned: ", "would: "
UNUSED, USED, ONLY_IN, OF = "unused: ", "used: ", "only in: ", " ‖ "
ONLY_WAY, SILENT_OF, CITED = "only way: ", "silent of: ", "cited: "
ONLY_CONDITION = "only condition: "
OUTCOMES = {
    SO: ("agree",),
    FALSE: ("contradict",),
    OPEN: ("uncertain",),
    UNSHOWN: ("contradict", "uncertain"),
    POSSIBLE: ("agree", "uncertain"),
}
"""What marks a claim as a ground -> what Z3 may find of it. The other marks are those of whether a
property is mentioned, of what would follow, and of which premises are needed."""

_LISTS = tomllib.loads(Path(__file__).with_name("wordings.toml").read_text("utf-8"))
_PIECE, _GROUP = re.compile(r"\{([a-z_]+)\}"), re.compile(r"(?<!\\)\((?!\?)")


def _spelled(form: str | Sequence[str]) -> str:
    """A form, or one of several, with what its pieces stand for."""
    text = form if isinstance(form, str) else "|".join(form)
    text = _PIECE.sub(lambda piece: _spelled(_LISTS["pieces"][piece[1]]), text)
    return f"(?:{_GROUP.sub('(?:', text)})"


def _forms(name: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """(what is said, one of the forms in which it is) for each form of a table."""
    table = _LISTS[name].items()
    return tuple((said, re.compile(f"(?i){_spelled(one)}")) for said, all_ in table for one in all_)


CLAIMS, VERDICTS, PREMISES = _forms("claims"), _forms("verdicts"), _forms("premises")
"""What is said of a claim, of the conclusion, and of the premises."""
CLAUSES, BESIDE = (
    {name: re.compile(f"(?im){_spelled(form)}") for name, form in _LISTS[table].items()}
    for table in ("clauses", "beside")
)
"""How sentences are begun, joined and worded otherwise; what clauses beside an answer speak of."""
PREMISE = re.compile(f"(?i){_spelled('{premise}')}")
