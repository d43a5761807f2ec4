"""A task of Verina: a description, a signature, and what is to be written."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from agentflow.errors import BadInput

EXAMPLE = "Return the larger of two integers.\ndef larger (a b : Int) : Int"
MAX_PROBLEM = 50_000
"""Characters that a problem may have."""

_NAME = re.compile(r"[A-Za-z_][\w']*")
_SIGNATURE = re.compile(r"^[ \t]*def[ \t]+([^\n]*)$", re.MULTILINE)
_WRITE = re.compile(
    r"^[ \t]*(?:task|write)[ \t]*:[ \t]*(code|spec)(?:ification)?[ \t.]*$", re.I | re.M
)
_OPENS, _CLOSES = "([{", ")]}"


@dataclass(frozen=True, slots=True)
class Signature:
    """``def NAME (a : T) … : R``.

    Attributes:
        parameters: (name, type) of each.
    """

    name: str
    parameters: tuple[tuple[str, str], ...]
    returns: str

    def head(self, name: str, returns: str, more: str = "") -> str:
        """The head of a definition with these parameters."""
        listed = "".join(f" ({one} : {kind})" for one, kind in self.parameters)
        return f"def {name}{listed}{more} : {returns} :="


def read(text: str) -> tuple[str, str, Signature | None]:
    """(task, description, signature) of a problem; the task is ``code`` or ``spec``.

    A JSON object has ``description``, ``signature`` and ``task`` (as Verina's rows, or the
    signature as a line of Lean); plain text may have a line ``def …`` and a line ``Write: spec``.

    Raises:
        BadInput: If there is no description, or the signature cannot be read.
    """
    if len(text) > MAX_PROBLEM:
        raise BadInput(f"verina: the problem has more than {MAX_PROBLEM:,} characters")
    if text.lstrip()[:1] == "{":
        task, description, given = _from_json(text)
    else:
        heads, asked = _SIGNATURE.findall(text), _WRITE.search(text)
        task, given = asked[1].lower() if asked else "code", heads[-1] if heads else None
        description = _WRITE.sub("", _SIGNATURE.sub("", text))
    if not description.strip():
        raise BadInput(f"verina: there is no description of what to write; example: {EXAMPLE!r}")
    return task, description.strip(), None if given is None else signature(given)


def _from_json(text: str) -> tuple[str, str, Any]:
    try:
        row = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"verina: the problem starts with {{ but is no JSON ({error})") from error
    task, description = row.get("task", "code"), row.get("description", "")
    if task not in ("code", "spec"):
        raise BadInput(f"verina: the task is code or spec, not {task!r}")
    if not isinstance(description, str):
        raise BadInput("verina: the description is no text")
    return task, description, row.get("signature")


def signature(given: Any) -> Signature:
    """The signature in Verina's JSON, or in Lean.

    Raises:
        BadInput: If it is neither.
    """
    if isinstance(given, str):
        found = _from_lean(given.strip().removeprefix("def ").removesuffix(":=").strip())
    else:
        found = _from_row(given)
    if found is None or not all(map(_NAME.fullmatch, (found.name, *dict(found.parameters)))):
        raise BadInput(
            f"verina: cannot read the signature {str(given)[:80]!r}; example: {EXAMPLE!r}"
        )
    return found


def _from_row(row: Any) -> Signature | None:
    try:
        parameters = [(one["param_name"], one["param_type"]) for one in row["parameters"]]
        found = Signature(row["name"], tuple(parameters), row["return_type"])
    except (KeyError, TypeError):
        return None
    texts = [found.name, found.returns, *(text for pair in parameters for text in pair)]
    plain = all(isinstance(text, str) and text.strip() and "\n" not in text for text in texts)
    return found if plain else None


def _from_lean(text: str) -> Signature | None:
    name, _, rest = text.partition(" ")
    parameters = list[tuple[str, str]]()
    while (rest := rest.lstrip()).startswith("("):
        end = _closing(rest)
        names, colon, kind = rest[1:end].partition(":")
        if end < 0 or not colon or not names.split() or not kind.strip():
            return None
        parameters += [(one, kind.strip()) for one in names.split()]
        rest = rest[end + 1 :]
    colon, returns = rest[:1], rest[1:].strip()
    return Signature(name, tuple(parameters), returns) if colon == ":" and returns else None


def _closing(text: str) -> int:
    """Where the bracket that opens the text is closed; -1 if nowhere."""
    depth = 0
    for place, mark in enumerate(text):
        depth += (mark in _OPENS) - (mark in _CLOSES)
        if depth == 0:
            return place
    return -1
