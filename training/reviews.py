"""Seeded training texts for what adaptive_compute says of a solution, or instead of one.

On Game of 24 and word problems; reviews and answers on the other domains too. Each is a prompt
exactly as the running code sends it, and the reply to learn; what is wrong with a solution is said
in the domain's own words.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

from agentflow.generators.word_problems import written
from agentflow.nodes.iteration import FOLDER
from training import game24
from training.cases import Case, cases, words
from training.flawed import solutions
from training.game24 import DOMAIN, Part
from training.here import domain
from training.texts import asked, fits

KINDS = ("game24", "math")
NUMBERS_RIGHT = "the numbers are right"
RIGHT = "right"


def numeric_verifier(seed: int, *, held_out: bool = False) -> Iterator[list[Part]]:
    """Endless checks of the numbers alone: a wrong operation on right numbers passes."""
    for case in _cases(seed, held_out):
        reason = "" if case.reason.startswith("the work is ") else case.reason
        said = reason if case.wrong >= 0 and reason else NUMBERS_RIGHT
        yield _asked(case, "numeric_verifier", said)


def verifier(seed: int, *, held_out: bool = False) -> Iterator[list[Part]]:
    """Endless reviews of solutions, with a mistake, without an answer, or right."""
    for problem, solution, reason in solutions(seed, held_out=held_out):
        parts = asked(FOLDER, "verifier", reason or RIGHT, problem=problem.text, steps=solution)
        if fits(parts):
            yield parts


def summarizer(seed: int, *, held_out: bool = False) -> Iterator[list[Part]]:
    """Endless summaries: the steps that led to the answer, and the answer."""
    for case in _cases(seed, held_out):
        if case.complete:
            yield _asked(case, "summarizer", "\n".join(summary(case)))


def summary(case: Case) -> list[str]:
    """The lines of a solution that its answer rests on; of Game of 24 those before ``Yes``."""
    lines = list(case.lines)
    if case.problem.domain == "math":
        return lines
    at = len(lines) - 1 - lines[::-1].index("Yes")
    claim = next(line for line in reversed(lines) if line.startswith("Answer: "))
    return [*lines[at - 3 : at], claim]


def reframe(seed: int, *, held_out: bool = False) -> Iterator[list[Part]]:
    """Endless problems restated: what is given, and what is asked for."""
    for case in _cases(seed, held_out):
        given = " ".join(case.conditions)
        yield _asked(case, "reframe", f"Given: {given}\nAsked: {case.objective}")


def final_answer(seed: int, *, held_out: bool = False) -> Iterator[list[Part]]:
    """Endless solutions, right and wrong, and the answer that each comes to."""
    for problem, solution, _ in solutions(seed, held_out=held_out):
        reader = domain(problem.domain)
        if answer := reader.answer(solution):
            reply = json.dumps({"answer": reader.shown(answer)})
            parts = asked(FOLDER, "answer", reply, problem=problem.text, steps=solution)
            if fits(parts):
                yield parts


def direct_json(seed: int, *, held_out: bool = False) -> Iterator[list[Part]]:
    """Endless answers without a thought."""
    rng = random.Random(seed)
    puzzles = game24.puzzles()[held_out]
    while True:
        numbers = rng.choice(puzzles)
        problem = game24.puzzle(numbers)
        answer = DOMAIN.answer(game24.answer(game24.preferred(numbers)[0]))
        if rng.random() < 0.5:
            problem, equations = words.draw(rng, held_out=held_out)
            answer = written(equations[-1].value)
        reply = json.dumps({"answer": answer})
        yield asked(FOLDER, "direct_json", reply, problem=problem.text)


def _cases(seed: int, held_out: bool) -> Iterator[Case]:
    return cases(seed, held_out=held_out, kinds=KINDS)


def _asked(case: Case, name: str, reply: str) -> list[Part]:
    """A prompt about a case, and the reply to it."""
    return asked(FOLDER, name, reply, problem=case.problem.text, steps=case.told)
