"""What the tests of injected errors share: made traces, their check, formatting noise, fuzzing."""

from __future__ import annotations

import functools
import json
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from counting import Steps, counting_lines
from hypothesis import strategies as st

from agentflow import domains
from agentflow.domains import Domain
from agentflow.judge import Judgement, judge, states, steps
from agentflow.trace import LINES

CLOSE = "</think>"
_LINES_OF_ANY_TEXT, _LINES_PER_CHARACTER = 50_000, 1_000
"""Lines of the package that may run to judge a text."""


@dataclass(frozen=True, slots=True)
class Made:
    """A trace whose worth is known beforehand.

    Attributes:
        problem: As a user would type it.
        trace: What a model might have written.
        wrong: Index of the first wrong step, and its error kind; None for a right trace. A wrong
            answer behind right steps counts as the step behind the last.
        right_answer: Whether the answer is right; None where the problem leaves it open, or the
            trace gives none.
    """

    problem: str
    trace: str
    wrong: tuple[int, str] | None
    right_answer: bool | None


@functools.cache
def domain_called(name: str) -> Domain:
    return domains.get(name)


async def check(domain_name: str, made: Made) -> None:
    """Judge a made trace as ``agentflow verify`` does, and assert that the judgement is right.

    A wrong trace is not accepted (soundness) and its first wrong step and error kind are named; of
    a right trace every step, every candidate and the answer pass (completeness).
    """
    domain = domain_called(domain_name)
    problem = domain.parse(made.problem)
    found = await judge(domain, problem, made.trace)
    told = f"{found}\n{made}"
    assert found.answer_ok is made.right_answer, told
    if made.wrong is None:
        assert found.steps_ok is True, told
        assert found.ok is made.right_answer, told
        for state in states(domain, problem, made.trace):
            if state.kind == "candidate":
                verdict = await domain.verify_state(problem, state, [])
                assert verdict.ok is made.right_answer, f"{verdict}\n{made}"
        return
    assert found.ok is False, told
    first = found.first_wrong_step
    if first is None:
        first = sum(1 for _ in steps(domain, problem, made.trace))
    assert (first, found.kind) == made.wrong, told


async def survives(domain_name: str, problem_text: str, text: str) -> Judgement:
    """Assert that a text without the right answer is judged in linear time and not accepted.

    Also that what is extracted lies within the text, and that the memory is plain JSON.
    """
    domain = domain_called(domain_name)
    problem = domain.parse(problem_text)
    ran = Steps()
    with counting_lines(ran):
        found = await judge(domain, problem, text)
    allowed = _LINES_OF_ANY_TEXT + _LINES_PER_CHARACTER * len(text)
    assert ran.taken <= allowed, f"{ran.taken} lines for {len(text)} characters: {text[:500]!r}"
    assert found.ok is not True, f"accepted by accident: {text!r}"
    memory: dict[str, Any] = {}
    offset = 0
    for line in LINES.findall(text):
        memory, new = domain.extract(problem, line, offset, memory)
        offset += len(line)
        assert all(0 <= state.start < state.end == offset for state in new), (line, new)
        assert json.loads(json.dumps(memory)) == memory
        for state in new:
            assert json.loads(json.dumps(state.data)) == state.data
    return found


def garbage(lines: Sequence[str]) -> st.SearchStrategy[str]:
    """Texts of whole, cut, doubled and spoilt lines, and of anything else."""
    line = st.sampled_from(list(lines))
    anything = st.text(max_size=60)
    spoilt = st.builds(_spoil, line, anything, st.integers(0, 80), st.integers(0, 5))
    return st.lists(st.one_of(line, spoilt, anything), max_size=12).map("\n".join)


def _spoil(line: str, other: str, place: int, cut: int) -> str:
    return line[:place] + other + line[place + cut :]


def noise(rng: random.Random, text: str, kinds: Sequence[str] = ()) -> str:
    """The same text in another format.

    Args:
        kinds: Those of :data:`NOISES` that may be used; none for all.
    """
    chosen = [NOISES[kind] for kind in kinds or NOISES]
    lines = []
    for line in text.split("\n"):
        if line.strip() and line.strip() != CLOSE:
            for change in chosen:
                if rng.random() < 0.3:
                    line = change(rng, line)
        lines.append(line)
    return "\n".join(lines)


def _spacing(rng: random.Random, line: str) -> str:
    wide = re.sub(" ", lambda _: rng.choice([" ", "  ", " \t"]), line)
    return rng.choice(["", "  ", "\t"]) + wide + rng.choice(["", "  ", "\r"])


def _case(rng: random.Random, line: str) -> str:
    change = rng.choice([str.upper, str.lower])
    return re.sub(r"(\\\w+)|[^\\]+", lambda part: part[1] or change(part[0]), line)


def _bold(rng: random.Random, line: str) -> str:
    if rng.random() < 0.5:
        return re.sub(r"^(\s*)(\S.*?\S)(\s*)$", r"\1**\2**\3", line)
    return re.sub(r"^(\s*)([A-Za-z][^:]*:)(?=\s)", r"\1**\2**", line)


def _bullet(rng: random.Random, line: str) -> str:
    return rng.choice(["- ", "* ", "• ", "  - "]) + line


def _arrows(rng: random.Random, line: str) -> str:
    return re.sub("->|→", lambda _: rng.choice(["->", "→", "⇒", "➜"]), line)


def _dashes(rng: random.Random, line: str) -> str:
    return re.sub(r"(?<=[\s\d(])-(?=[\s\d(])", lambda _: rng.choice("-−–"), line)


def _digits(rng: random.Random, line: str) -> str:
    return line.translate({ord("0") + digit: ord("０") + digit for digit in range(10)})


def _numbering(rng: random.Random, line: str) -> str:
    written = rng.choice(["{0} {1}.", "{0} {1})", "{0} #{1}:", "{0} ({1}):", "{0} {1} -"])
    return re.sub(
        r"(?i)\b(step) (\d+):", lambda match: written.format(match[1], match[2]), line, count=1
    )


NOISES: dict[str, Callable[[random.Random, str], str]] = {
    "arrows": _arrows,
    "dashes": _dashes,
    "case": _case,
    "numbering": _numbering,
    "bold": _bold,
    "bullets": _bullet,
    "spacing": _spacing,
    "digits": _digits,
}
