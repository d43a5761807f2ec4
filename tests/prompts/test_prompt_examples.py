"""The worked examples of interwhen's prompts, judged by the domains that read what they teach."""

from __future__ import annotations

import asyncio
import re
from importlib import resources

import pytest

from agentflow import domains, prompts
from agentflow.judge import judge, steps

_DRAWING = re.compile(r"(?:#.*#\n)+")
_CLAIM = re.compile(
    r"- |\w+ (?:position|direction|type|count|comparison): |>>> STEP \d: Move|E is |Therefore "
)


def shown(domain: str) -> list[tuple[str, str]]:
    """(problem, trace) of each example, the problem as a user would type it."""
    folder = resources.files(prompts) / prompts.DOMAINS / "interwhen"
    text = (folder / f"{domain}.md").read_text(encoding="utf-8").partition("\n---\n")[0]
    parts = re.split(r"\nExample \d[:,]", text)[1:]
    return [(asked, f">>> {trace}") for asked, trace in (one.split("\n>>> ", 1) for one in parts)]


def one_line(text: str) -> str:
    return " ".join(text.split())


def mazes() -> list[tuple[str, str]]:
    found = []
    drawn = ""
    for asked, trace in shown("maze"):
        drawing = _DRAWING.search(asked)
        drawn = drawing[0] if drawing else found[0][0]  # "the maze of example 1"
        question = one_line(_DRAWING.sub("", asked).partition("question: ")[2])
        maze = _DRAWING.search(drawn)
        assert maze is not None
        found.append((maze[0] + re.sub(r" (?=[A-D]\. )", "\n", question), trace))
    return found


def maps() -> list[tuple[str, str]]:
    found = []
    for asked, trace in shown("spatialmap"):
        told, _, question = asked.partition("Question:")
        found.append((f"{one_line(told).removeprefix('Map: ')}\nQuestion:{question}", trace))
    return found


CASES = [("maze", *one) for one in mazes()] + [("spatialmap", *one) for one in maps()]


def test_there_are_three_of_each() -> None:
    assert [name for name, _, _ in CASES] == ["maze"] * 3 + ["spatialmap"] * 3


@pytest.mark.parametrize(("name", "problem", "trace"), CASES)
def test_every_step_passes_and_the_answer_is_right(name: str, problem: str, trace: str) -> None:
    domain = domains.get(name)
    parsed = domain.parse(problem)
    found = asyncio.run(judge(domain, parsed, trace))
    assert (found.steps_ok, found.answer_ok, found.incomplete) == (True, True, None)
    claims = [line for line in trace.splitlines() if _CLAIM.match(line)]
    assert len(list(steps(domain, parsed, trace))) >= len(claims) > 3
