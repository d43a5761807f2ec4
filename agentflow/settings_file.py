"""Settings files: the settings of one or several methods, in TOML.

Settings at the top are every method's; those in a method's own table win. Roles are merged role by
role. ``examples/agentflow.toml`` is one with everything in it.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from agentflow import api
from agentflow.errors import BadInput
from agentflow.graphs import METHODS


def load(path: str | Path, method: str) -> dict[str, Any]:
    """What a settings file says for a method; keywords for :func:`agentflow.api.settings_for`.

    Raises:
        BadInput: If the file cannot be read, is no TOML, or holds a key or a value that the
            method does not take; names the file and the key or the line.
    """
    try:
        values = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInput(f"{path}: cannot read the settings file ({error.strerror})") from error
    except ValueError as error:  # also what is not UTF-8
        raise BadInput(f"{path}: not TOML: {error}") from error
    tables = {name: values.pop(name) for name in METHODS if name in values}
    own = tables.get(method, {})
    if not isinstance(own, dict):
        raise BadInput(f"{path}: {method}: write the settings of a method as a table, [{method}]")
    shared, roles = values.get("roles"), own.get("roles")
    values |= own
    if isinstance(shared, dict) and isinstance(roles, dict):
        values["roles"] = shared | roles
    try:
        api.settings_for(method, **values)
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from error
    return values
