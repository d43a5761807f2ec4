"""The parts that installed packages bring: how they are found, and loaded."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from agentflow.errors import BadInput


@cache
def installed(group: str) -> dict[str, EntryPoint]:
    """The entry points by which installed packages bring parts of a kind, by their names."""
    return {point.name: point for point in entry_points(group=group)}


def loaded(what: str, load: Callable[[], Any]) -> Any:
    """What a package brings.

    Args:
        what: Its kind, its name and where it is.

    Raises:
        BadInput: If it cannot be loaded.
    """
    try:
        return load()
    except Exception as error:  # importing a package may raise anything
        raise BadInput(f"{what} cannot be loaded: {type(error).__name__}: {error}") from error
