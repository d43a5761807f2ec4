"""Problems to evaluate on, and who is right about them."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from agentflow import domains
from agentflow.domains import arithmetic
from agentflow.domains.game24 import solutions
from agentflow.errors import BadInput
from agentflow.problem import Problem

_TEXT, _GOLD = ("text", "problem", "question"), ("gold", "answer")
"""What the fields of a file may be called."""


def held_out() -> list[str]:
    """The Game of 24 puzzles that the pocket model was never trained on."""
    text = (Path(__file__).parent / "data" / "game24_held_out.txt").read_text()
    return text.split("\n")[:-1]


def load(name: str, domain: str) -> list[Problem]:
    """The problems of a dataset.

    Args:
        name: ``game24`` (the bundled held-out puzzles), or a file of JSON lines with ``text``
            (or ``problem``, ``question``), and optionally ``id`` and ``gold`` (or ``answer``).
        domain: Which domain parses them.

    Raises:
        BadInput: If there is no such dataset, or a line is no problem, or the same one as another;
            names it.
    """
    parse = domains.get(domain).parse
    if name == "game24":
        return [parse(text) for text in held_out()]
    try:
        lines = Path(name).read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{name}: no dataset: {error}; use game24 or a JSON-lines file") from error
    problems: dict[str, Problem] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            if not isinstance(row, dict):
                raise ValueError("not a JSON object")
            text, gold = _field(row, _TEXT), _field(row, _GOLD)
            if text is None:
                raise ValueError(f"none of the fields {', '.join(_TEXT)} is there")
            parsed = parse(text, str(row.get("id", number)))
            if parsed.text in problems:  # runs are told apart by their problem's text
                raise ValueError(f"the same problem as {problems[parsed.text].id!r}")
        except (ValueError, BadInput) as error:
            raise BadInput(f"{name}, line {number}: {error}") from error
        problems[parsed.text] = Problem(parsed.text, parsed.domain, parsed.id, gold, parsed.data)
    if not problems:
        raise BadInput(f"{name}: an empty file")
    return list(problems.values())


def _field(row: dict[str, Any], names: tuple[str, ...]) -> str | None:
    return next((str(row[name]) for name in names if row.get(name) is not None), None)


async def right(problem: Problem, answer: str | None) -> bool:
    """Whether an answer is right, by a judge that no method uses.

    For Game of 24 all solutions are enumerated; else the answer must equal the gold one.

    Raises:
        BadInput: If there is nothing to judge by.
    """
    if answer is None:
        return False
    if problem.domain == "game24":
        expression = arithmetic.parse(arithmetic.plain(answer))
        return expression is not None and right_form(problem, arithmetic.normal_form(expression))
    return await domains.get(problem.domain).equal(problem, answer, _gold(problem))


def right_form(problem: Problem, form: str) -> bool:
    """:func:`right` for the normal form of an answer."""
    if problem.domain == "game24":
        return form in _solutions(problem.text)
    return form == domains.get(problem.domain).normalise(problem, _gold(problem))


def _gold(problem: Problem) -> str:
    if problem.gold is None:
        raise BadInput(f"problem {problem.id!r} has no gold answer to judge by")
    return problem.gold


@cache
def _solutions(numbers: str) -> frozenset[str]:
    return frozenset(map(arithmetic.normal_form, solutions([Fraction(n) for n in numbers.split()])))
