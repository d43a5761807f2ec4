"""What an answer is carried with: the numbers of turns beside it, and all else that its text says.

``There are 2 right turns. So B.``  ``B (given: 2 right turns; told: There are 2 right turns. ...)``
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from agentflow.domains import answers, conclusions, narration
from agentflow.domains.maze import counts, told
from agentflow.domains.maze.claims import Claim, plain, read
from agentflow.domains.maze.problem import chosen, truth, turns
from agentflow.domains.spelling import word_set
from agentflow.problem import Problem

_TOLD = "told: "
"""What marks the ground that is all that a text says, but for steps, which are judged as such."""
MAYBE = "maybe"
"""What marks an answer that a text may not state: it may pass, and is never wrong."""
_MAX_WHOLE, _MAX_LINES = 8_000, 60
_MARKS = word_set("boxed text final answer the option choice")
_SAYS = re.compile(r"(?i)<!|[^\w\s.:*#{}\\$<>/\"'()\[\],!`-]|\d|\b(?:right|left|up|all|both)\b")
"""A sign, or a word, that may say something beside an answer."""


def grounds(text: str, said: str) -> list[str]:
    """The numbers of turns around an answer, of each kind the last, and what a text says beside
    it."""
    return [*counts.told(conclusions.clauses(text, around=True)), *_beside(text, said)]


def _beside(text: str, said: str) -> list[str]:
    """All that a text says beside its answer, as one ground; empty where that is nothing."""
    rest = _without_steps(_reach(text))
    silent = re.sub(rf"(?<!\w){re.escape(said)}(?!\w)", "", rest)
    if narration.only(silent, _MARKS) and not _SAYS.search(silent):
        return []
    return [f"{_TOLD}{rest.replace('; ', '. ').replace(';', ',')}"]


def _reach(text: str) -> str:
    """As much of a text as is read: of a long one, the line above the answer and all behind."""
    *_, text = re.split(r"(?m)^\[verifier: .*$", text)  # what was taken back stands above
    text = text.strip()
    if len(text) <= _MAX_WHOLE and sum(map(bool, _without_steps(text).split("\n"))) <= _MAX_LINES:
        return text
    begin = text.rfind("\n", 0, answers.begins(text)) + 1
    return f"{answers.above(text[:begin])}\n{text[begin:]}"


def _without_steps(text: str) -> str:
    """The lines of a text that are no steps along the path, but for those that cannot be read."""
    kept, memory, claims = list[str](), dict[str, Any](), list[Claim]()
    for line in text.split("\n"):
        claims = []
        if len(line) <= counts.MAX_LINE:
            memory, claims = read(plain(line), memory)
        if not any("move" in one for one in claims):
            kept.append(line)
    return "\n".join(kept)


def called(text: str, said: str) -> list[str]:
    """An answer where a text gives it with a kind of turns, too: ``Answer: 2 left turns``."""
    stated = (
        counts.count(one.text) for one in answers.statements(text) if one.how in answers.CALLED
    )
    return [
        f"{found[1]} {found[0]} turns"
        for found in stated
        if found and found[0] and found[1] == said
    ]


def holds(problem: Problem, ground: str, form: str, normal: Callable[[str], str | None]) -> bool:
    """Whether a claim of :func:`grounds` is right.

    Args:
        form: The answer, in its normal form.
        normal: The normal form of an answer, or None.
    """
    if ground == MAYBE:
        return True
    if ground.startswith(_TOLD):
        return told.holds(problem, ground.removeprefix(_TOLD), form, normal)
    if (found := counts.count(ground)) is None:
        return chosen(problem, ground) == truth(problem)
    asked = problem.data["asked"]
    kinds = {found[0]} if found[0] else {"total", asked.get("count", "total")}
    return counts.number(found[1].lower()) in [turns(problem, kind) for kind in kinds]
