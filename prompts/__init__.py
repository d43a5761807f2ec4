"""Prompt templates as files: one folder per method, one file per domain.

``interwhen/game24.md`` is the template; ``interwhen/game24.pocket.md`` overrides it for models of
the profile ``pocket``. A template may start with a system part, ended by a line ``---``. Fields
are written ``$numbers`` and filled from the problem's data.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from string import Template
from typing import Any

from agentflow.errors import BadInput
from agentflow.problem import Problem
from agentflow.profile import Profile


def render(method: str, name: str, profile: str, fields: Mapping[str, Any]) -> tuple[str, str]:
    """(system, user) of a prompt, filled in.

    Raises:
        KeyError: If there is no such template, or a field is missing.
    """
    system, user = _template(method, name, profile)
    texts = {
        key: " ".join(map(str, value)) if isinstance(value, list) else str(value)
        for key, value in fields.items()
    }
    return Template(system).substitute(texts), Template(user).substitute(texts)


def for_problem(folder: str, problem: Problem, profile: Profile) -> tuple[str, str]:
    """(system, user) of a problem's prompt; reads files.

    A domain for which the folder has no template brings the user's part, filled in, in the
    problem's data: as ``prompt``.

    Raises:
        BadInput: If there is neither.
    """
    try:
        return render(folder, problem.domain, profile.name, problem.data)
    except KeyError as error:
        if own := problem.data.get("prompt"):
            return "", str(own)
        raise BadInput(str(error.args[0])) from error


@cache
def _template(method: str, name: str, profile: str) -> tuple[str, str]:
    folder = resources.files(__name__) / method
    for file in (folder / f"{name}.{profile}.md", folder / f"{name}.md"):
        if file.is_file():
            system, separator, user = file.read_text(encoding="utf-8").partition("\n---\n")
            return (system.strip(), user.strip()) if separator else ("", system.strip())
    raise KeyError(f"no prompt template {method}/{name}.md")
