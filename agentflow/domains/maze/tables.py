"""The rows of a table on a maze as sentences.

| Step | Direction | Cells | Turn |
|---|---|---|---|
| 1 | right | 2 | - |               right : 2
| 2 | down | 4 | right |            down : 4 : right turn
"""

from __future__ import annotations

import re

from agentflow.domains import markup

_INDEX = re.compile(r"\s*\d{1,3}\s*\Z")
_PLAIN = re.compile(r"[\W_]+")
_SIDE = re.compile(r"(?i)\W*(right|left)\W*")
_EMPTY = re.compile(r"(?i)\W*(?:none|n/a|start)?\W*")


def told(text: str) -> str:
    """A text whose tables are sentences; a headline without a number says nothing."""
    lines, heads = list[str](), list[str]()
    rows = text.split("\n")
    for k, line in enumerate(rows):
        found = markup.ROW.match(line)
        if found is None:
            heads = []
        elif markup.RULE.fullmatch(line):
            continue
        else:
            cells = [one.strip() for one in found["cells"].split("|")]
            if not heads and k + 1 < len(rows) and markup.RULE.fullmatch(rows[k + 1]):
                heads = [one.lower() for one in cells]
                line = " : ".join(cells) if re.search(r"\d", line) else ""
            else:
                line = _row(cells, heads)
        lines.append(line)
    return "\n".join(lines)


def _row(cells: list[str], heads: list[str]) -> str:
    """What the cells of a row say, without the number in front."""
    said = []
    named = [*zip(heads, cells, strict=False), *(("", one) for one in cells[len(heads) :])]
    for k, (head, cell) in enumerate(_moves(named)):
        if (k == 0 and len(cells) > 1 and _INDEX.fullmatch(cell)) or _EMPTY.fullmatch(cell):
            continue
        if "turn" in head and (side := _SIDE.fullmatch(cell)):
            cell = f"{side[1]} turn"
        elif re.fullmatch(r"(?:row|col(?:umn)?)\W*", head) and cell.isdigit():
            cell = f"{head} {cell}"
        said.append(cell)
    return " : ".join(said)


def _moves(named: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The cells of a row with their heads, where one goes from and to behind the direction."""
    at = {_PLAIN.sub("", head): cell for head, cell in named}
    way = next((one for one in ("direction", "move", "way") if one in at), None)
    if way is None or "from" not in at or "to" not in at:
        return named
    goes = f"{at[way]} from {at['from']} to {at['to']}"
    return [
        (head, goes if _PLAIN.sub("", head) == way else cell)
        for head, cell in named
        if _PLAIN.sub("", head) not in ("from", "to")
    ]
