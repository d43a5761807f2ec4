"""Mutants of Verina's references: one change to the code of Lean that should change what it does.

``if a < b then`` becomes ``if a ≤ b then``, ``i + 1`` becomes ``i - 1`` or ``i + 2``. Comments and
texts are left alone, and so are the lines that prove termination.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from agentflow.domains.verina import lean_text
from agentflow.domains.verina.checkout import Task

SECTIONS = ("solution_aux", "code_aux", "code")
"""Where the code of a reference stands."""

OPERATORS = {
    "arithmetic": {"+": "-", "-": "+", "*": "+", "/": "*", "%": "/"},
    "order": {"<": "≤", "≤": "<", "<=": "<", ">": "≥", "≥": ">", ">=": ">"},
    "equality": {"=": "≠", "≠": "=", "==": "!=", "!=": "=="},
    "logic": {"&&": "||", "||": "&&", "∧": "∨", "∨": "∧", "true": "false", "false": "true"},
    "choice": {"min": "max", "max": "min", "head": "getLast", "take": "drop", "drop": "take"},
}
"""Operator -> what it puts in the place of what. Numbers grow by one, too (``number``)."""

_SWAPS = {old: (name, new) for name, table in OPERATORS.items() for old, new in table.items()}
_BETWEEN = {*OPERATORS["arithmetic"], *OPERATORS["order"], *OPERATORS["equality"]}
"""Marks that count only with a space before them: ``-1`` is a number, ``#[`` a list."""
_PROOFS = ("have", "termination_by", "decreasing_by", "show", "exact", "simp", "omega", "by")
"""Words that begin a line of a proof."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change.

    Attributes:
        operator: Of :data:`OPERATORS`, or ``number``.
        section: Where it is.
        line: In the section, from 1.
        change: ``old → new``.
        text: The section's whole new text.
    """

    operator: str
    section: str
    line: int
    change: str
    text: str


def mutants(task: Task) -> Iterator[Mutant]:
    """All mutants of a task's reference, in the order of their places."""
    for section in SECTIONS:
        text = task.text(section)
        for token in lean_text.tokens(text) or ():
            found = _swap(token)
            begin = text.rfind("\n", 0, token.start) + 1
            words = text[begin:].split(None, 1)
            if found is None or (words and words[0] in _PROOFS):
                continue
            operator, new = found
            end = token.start + len(token.text)
            yield Mutant(
                operator,
                section,
                text.count("\n", 0, token.start) + 1,
                f"{token.text} → {new}",
                text[: token.start] + new + text[end:],
            )


def _swap(token: lean_text.Token) -> tuple[str, str] | None:
    if token.text.isascii() and token.text.isdecimal() and len(token.text) < 20:
        return "number", str(int(token.text) + 1)
    if token.text in _BETWEEN and not token.spaced:
        return None
    name, dot, last = token.text.rpartition(".")
    if dot and (found := _SWAPS.get(last)) and found[0] == "choice":
        return "choice", f"{name}.{found[1]}"
    return _SWAPS.get(token.text)
