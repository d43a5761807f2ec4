"""Settings files: the settings of one or several methods, in TOML.

Settings at the top are every method's; those in a method's own table win. Tables, such as
``roles``, are merged key by key. The table ``serve`` is the server's. ``examples/agentflow.toml``
is one with everything in it.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from agentflow.arguments import settings_for
from agentflow.errors import BadInput
from agentflow.files import text_in
from agentflow.graphs import methods
from agentflow.nodes.context import TEAM

_MOST_BYTES = 1_000_000

SERVE = "serve"
"""The table that no method has."""


def read(path: str | Path) -> dict[str, Any]:
    """What stands in a settings file.

    Raises:
        BadInput: If it cannot be read, is too long or is no TOML; names the file and the line.
    """
    if not str(path).strip():
        raise BadInput(
            "the name of the settings file is blank; name a file (--settings, or the variable "
            "AGENTFLOW_SETTINGS), or leave it out"
        )
    try:
        return tomllib.loads(text_in(path, _MOST_BYTES))
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{path}: not TOML: {error}") from error


def load(path: str | Path, method: str) -> dict[str, Any]:
    """What a settings file says for a method: keywords of ``settings_for``.

    Raises:
        BadInput: If the file cannot be read, is no TOML, or holds a key or a value that the
            method, or another in its own table, does not take; names the file and the key or the
            line.
    """
    values = read(path)
    for other in methods():
        if other != method and other in values:
            for_method(path, {other: values[other]}, other)
    return for_method(path, values, method)


def for_method(path: str | Path, values: dict[str, Any], method: str) -> dict[str, Any]:
    """The settings of a method in what :func:`read` found in ``path``.

    Raises:
        BadInput: If a key or a value is none that the method takes; names the file and the key.
    """
    own = values.get(method, {})
    tables = {SERVE, *methods()}
    values = {key: one for key, one in values.items() if key not in tables}
    if not isinstance(own, dict):
        raise BadInput(f"{path}: {method}: write the settings of a method as a table, [{method}]")
    values = over(values, own)
    try:
        settings_for(method, **values)
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from error
    return values


def over(values: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """Settings with others over them, and what are tables on both sides key by key. A team takes
    the place of a solver's servers, and they that of a team: who solves is said once."""
    roles, own_roles = values.get("roles"), own.get("roles")
    if isinstance(own_roles, dict) and "solver" in own_roles:
        values = {key: one for key, one in values.items() if key != TEAM}
    elif own.get(TEAM) and isinstance(roles, dict):
        values = values | {"roles": {role: at for role, at in roles.items() if role != "solver"}}
    tables = [key for key in own if isinstance(own[key], dict)]
    merged = {key: values[key] | own[key] for key in tables if isinstance(values.get(key), dict)}
    return values | own | merged
