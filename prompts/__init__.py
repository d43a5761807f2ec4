"""Prompt templates as files: one folder per method, and ``domains`` for those that state a problem.

``critic/critic.md`` is a template; ``critic/critic.pocket.md`` overrides it for models of the
profile ``pocket``. A template may start with a system part, ended by a line ``---``. Fields are
written ``$numbers`` and filled from the problem's data.

How a solver is asked is a folder of ``domains``, chosen by the setting ``prompt``:

- ``interwhen``: a file for each domain, with the format of its steps and worked examples
- ``cot``: the papers' baseline, think step by step
- ``eat``: EAT's (appendix K), which asks for no detours
- ``sdv``: Solve-Detect-Verify's (figure 6), steps in paragraphs
- ``tot``: tree of thoughts as a prompt (interwhen, table 7)
- ``plan``, ``draft``, ``step_back``, ``least_to_most``, ``analogy``, ``reread``, ``rephrase``:
  other papers' ways to have a model think (docs/baselines.md)

All but the first frame the problem as ``domains/game24.md`` states it: how its answer is written,
and behind the line ``---`` what is asked. ``domains/game24.pocket.md`` is all that the bundled
model was trained on: for its profile it takes the place of every choice.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection, Mapping
from functools import cache
from importlib import resources
from string import Template
from typing import Any

from agentflow.errors import BadInput
from agentflow.problem import Problem
from agentflow.profile import Profile

_HEADING = re.compile(r"[\s*_#]*\[\s*([A-Za-z][\w ,:'’-]{0,60}?)\s*\][\s*_:]*")
"""A line that heads a part of a prompt, whatever marks stand around it."""
_OURS = frozenset({"stated", "problem", "asked"})
"""Fields that are prompts themselves, or the user's problem."""
DOMAINS = "domains"
"""The folder of what states problems."""


def render(method: str, name: str, profile: str, fields: Mapping[str, Any]) -> tuple[str, str]:
    """(system, user) of a prompt, filled in. No line of a field that others wrote stands there like
    one of the prompt's own headings (``[Solution]``): it is quoted.

    Raises:
        KeyError: If there is no such template, or a field is missing.
    """
    system, user = _template(method, name, profile)
    texts = {
        key: " ".join(map(str, value)) if isinstance(value, list) else str(value)
        for key, value in fields.items()
    }
    headings = _headings(method, name, profile)
    texts = {key: text if key in _OURS else _without(headings, text) for key, text in texts.items()}
    return Template(system).substitute(texts), Template(user).substitute(texts)


def headed(heading: str, text: str) -> str:
    """A text under a heading, as prompts have it, without a line that looks like another one."""
    return f"[{heading}]\n{_without(None, text)}"


def _without(headings: Collection[str] | None, text: str) -> str:
    """A text whose lines that are headings are quoted; all that look like one, if None is given."""
    if "[" not in text:
        return text
    lines = text.splitlines(keepends=True)
    found = [_HEADING.fullmatch(line) for line in lines]
    return "".join(
        f"> {line}" if one and (headings is None or one[1].casefold() in headings) else line
        for line, one in zip(lines, found, strict=True)
    )


@cache
def _headings(method: str, name: str, profile: str) -> frozenset[str]:
    """The headings of a prompt, in small letters."""
    lines = "\n".join(_template(method, name, profile)).splitlines()
    found = (_HEADING.fullmatch(line) for line in lines)
    return frozenset(one[1].casefold() for one in found if one)


async def rendered(
    method: str, name: str, profile: Profile, fields: Mapping[str, Any]
) -> tuple[str, str]:
    """:func:`render` for a model of a profile, off the event loop: it reads files."""
    return await asyncio.to_thread(render, method, name, profile.name, fields)


def solver_prompts() -> list[str]:
    """The names among which the setting ``prompt`` chooses."""
    inside = (resources.files(__name__) / DOMAINS).iterdir()
    return sorted(one.name for one in inside if one.is_dir())


def for_problem(name: str, problem: Problem, profile: Profile) -> tuple[str, str]:
    """(system, user) of a problem's prompt; reads files.

    A domain for which there is no template brings the user's part, filled in, in the problem's
    data: as ``prompt``.

    Args:
        name: One of :func:`solver_prompts`.

    Raises:
        BadInput: If there is no such name, or neither a template nor a part of the data.
    """
    domain, known = problem.domain, solver_prompts()
    if name not in known:
        raise BadInput(f"no prompt template {name}/{domain}.md; prompts: {', '.join(known)}")
    try:
        if own(profile, domain):
            return render(DOMAINS, domain, profile.name, problem.data)
        if _is_file(f"{DOMAINS}/{name}", domain):
            return render(f"{DOMAINS}/{name}", domain, profile.name, problem.data)
        form, asked = render(DOMAINS, domain, "", problem.data)
        return render(
            f"{DOMAINS}/{name}", _frame(name, problem), "", {"problem": asked, "form": form}
        )
    except KeyError as error:
        if given := problem.data.get("prompt"):
            return "", str(given)
        raise BadInput(str(error.args[0])) from error


def stated(problem: Problem, profile: Profile) -> str:
    """A problem as solvers are asked it, but for how an answer is written; reads files.

    It is what judges of a solution read: of a puzzle the user gives four numbers, and a solution
    goes by premises that only the statement numbers. Where no template states the domain's
    problems, the text as the user wrote it.
    """
    try:
        return render(DOMAINS, problem.domain, profile.name, problem.data)[1]
    except KeyError:
        return problem.text


async def statement(problem: Problem, profile: Profile) -> str:
    """:func:`stated`, off the event loop: it reads files."""
    return await asyncio.to_thread(stated, problem, profile)


def own(profile: Profile, domain: str) -> bool:
    """Whether models of a profile know one prompt of a domain alone: it wins over every choice."""
    return _is_file(DOMAINS, f"{domain}.{profile.name}")


def _frame(name: str, problem: Problem) -> str:
    """The file that frames a problem: questions with options may have one of their own."""
    options = problem.data.get("options") or problem.data.get("letters")
    return "choice" if options and _is_file(f"{DOMAINS}/{name}", "choice") else "problem"


def _is_file(folder: str, name: str) -> bool:
    return (resources.files(__name__) / folder / f"{name}.md").is_file()


@cache
def _template(method: str, name: str, profile: str) -> tuple[str, str]:
    folder = resources.files(__name__) / method
    for file in (folder / f"{name}.{profile}.md", folder / f"{name}.md"):
        if file.is_file():
            system, separator, user = file.read_text(encoding="utf-8").partition("\n---\n")
            return (system.strip(), user.strip()) if separator else ("", system.strip())
    raise KeyError(f"no prompt template {method}/{name}.md")
