"""Runs inside the sandbox as well: rules in code, and the arguments as they see them.

Standard library only. Nothing that this says of a rule in the sandbox is believed as more than that
rule's own word.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn


class Unread(BaseException):
    """A rule read an argument that is not known; no rule that catches errors can go on with it."""


class Arguments(Mapping[str, Any]):
    """A tool's arguments: the fields of its schema, of which only those in ``known`` have a value.

    Attributes:
        known: Field -> value, plain JSON.
        fields: All of them.
        asked: Whether a value that is not known was read. What a rule says after that is worth
            nothing, whatever it did with the error.
    """

    def __init__(self, known: Mapping[str, Any], fields: tuple[str, ...]) -> None:
        self.known = known
        self.fields = fields
        self.asked = False

    def __getitem__(self, name: str) -> Any:
        if name in self.known:
            return self.known[name]
        if name in self.fields:
            self._unread()
        raise KeyError(name)

    def __contains__(self, name: object) -> bool:
        return name in self.fields

    def __iter__(self) -> Iterator[str]:
        return iter(self.fields)

    def __len__(self) -> int:
        return len(self.fields)

    def __repr__(self) -> str:
        return repr(dict(self))

    def _unread(self) -> NoReturn:
        self.asked = True
        raise Unread


def verdicts(data: Mapping[str, Any]) -> dict[str, bool | None]:
    """What each rule says; None for one that fails, or gives anything but True or False.

    Args:
        data: ``rules`` (name -> code), ``state``, ``tool``, ``known`` and ``fields`` of the
            arguments.
    """
    return {name: _said(code, data) for name, code in data["rules"].items()}


def _said(code: str, data: Mapping[str, Any]) -> bool | None:
    given = copy.deepcopy(data)
    args = Arguments(given["known"], tuple(given["fields"]))
    scope: dict[str, Any] = {"__name__": "policy"}
    try:
        exec(code, scope)
        ok = scope["check"](given["state"], given["tool"], args)
    except BaseException:
        return None
    return ok if type(ok) is bool and not args.asked else None
