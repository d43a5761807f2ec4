"""Docstrings as the reference reads them: ours name things as Sphinx does (:func:`solve`), and
parameters that are alike on one line."""

from __future__ import annotations

import re
from typing import Any

import griffe

_ROLE = re.compile(r":\w+:`~?([^`<>]+)`")
_ALIKE = re.compile(r"^( +)(\w+(?:, \w+)+): (.*(?:\n\1 +.*)*)$", re.MULTILINE)


def plain(text: str) -> str:
    """A docstring without roles, each parameter on a line of its own; literals between two
    backticks have one."""
    text = _ALIKE.sub(_each, text)
    return re.sub(r"``([^`]+)``", r"`\1`", _ROLE.sub(r"`\1`", text))


def _each(found: re.Match[str]) -> str:
    indent, names, said = found.groups()
    return "\n".join(f"{indent}{name}: {said}" for name in names.split(", "))


class Roles(griffe.Extension):
    """Takes the roles out of every docstring."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring:
            obj.docstring.value = plain(obj.docstring.value)
