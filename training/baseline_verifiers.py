"""Seeded training texts for the baseline verifiers: vanilla, critic, deductive, backward.

Each is a prompt exactly as the running code sends it, and the reply to learn.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from fractions import Fraction

from agentflow.generators.word_problems import written
from agentflow.nodes.backward import BackwardSettings, masked
from agentflow.nodes.premises import statements
from agentflow.verifiers import segment
from training.cases import Case, cases, words
from training.cases.words import Equation, number
from training.flawed import solutions
from training.game24 import Part
from training.mistakes import POCKET
from training.texts import asked, fits

FOLDER = "baseline_verifiers"
UNKNOWN = "unknown"
RIGHT = "every step is right"


def vanilla(seed: int, *, held_out: bool = False) -> Iterator[list[Part]]:
    """Endless opinions on solutions."""
    for problem, solution, reason in solutions(seed, held_out=held_out):
        said = {"reason": reason or RIGHT, "correct": not reason}
        texts = {"problem": problem.text, "solution": solution}
        parts = asked(FOLDER, "vanilla", json.dumps(said), **texts)
        if fits(parts):
            yield parts


def critic(seed: int, *, held_out: bool = False) -> Iterator[list[Part]]:
    """Endless scores of solutions."""
    for problem, solution, reason in solutions(seed, held_out=held_out):
        said = {"reason": reason or RIGHT, "score": float(not reason)}
        texts = {"problem": problem.text, "solution": solution}
        parts = asked("critic", "critic", json.dumps(said), **texts)
        if fits(parts):
            yield parts


def premises(seed: int, *, held_out: bool = False) -> Iterator[list[Part]]:
    """Endless lists of the conditions of a problem, and of what each line of a solution uses."""
    for case in deductive_cases(seed, held_out=held_out):
        said = {
            "conditions": case.conditions,
            "uses": [{"conditions": one.conditions, "steps": one.lines} for one in case.uses],
        }
        steps = "\n".join(f"{n}. {line}" for n, line in enumerate(case.lines, 1))
        parts = asked(
            FOLDER,
            "premises",
            json.dumps(said),
            problem=case.problem.text,
            steps=steps,
            count=len(case.lines),
        )
        if fits(parts):
            yield parts


def follows(seed: int, *, held_out: bool = False) -> Iterator[list[Part]]:
    """Endless lines of solutions with their premises, and whether they follow; of a solution that
    is wrong the wrong line every second time."""
    rng = random.Random(seed)
    for case in deductive_cases(seed, held_out=held_out):
        # Behind a wrong line the others follow from it: they are judged from their premises alone.
        at = rng.randrange(len(case.lines))
        if case.wrong >= 0 and rng.random() < 0.5:
            at = case.wrong
        elif case.wrong >= 0 and case.problem.domain == "game24":
            at = rng.randrange(case.wrong + 1)  # the domain says nothing of the lines behind it
        uses, wrong = case.uses[at], at == case.wrong
        rests_on = [
            *(case.conditions[n - 1] for n in uses.conditions),
            *(case.lines[n - 1] for n in uses.lines),
        ]
        said = {"reason": case.reason if wrong else "it follows", "follows": not wrong}
        listed = "\n".join(f"- {one}" for one in rests_on) or "(none)"
        yield asked(FOLDER, "follows", json.dumps(said), premises=listed, step=case.lines[at])


def backward(seed: int, *, held_out: bool = False) -> Iterator[list[Part]]:
    """Endless word problems with a number masked and an answer, half of them wrong; and what the
    number must be. One that the answer does not hang on cannot be told."""
    rng = random.Random(seed)
    while True:
        problem, right = words.draw(rng, held_out=held_out)
        said = words.flawed(rng, right) if rng.random() < 0.5 else right
        if said is None:
            continue
        answer = said[-1].value
        for text, mask, was in masked(problem.text, BackwardSettings().conditions):
            if found := _solved(right, was, problem.text, answer):
                reply = json.dumps(dict(zip(("work", "value"), found, strict=True)))
                fields = {"problem": text, "mask": mask, "answer": written(answer)}
                yield asked(FOLDER, "backward", reply, **fields)


def deductive_cases(seed: int, *, held_out: bool = False) -> Iterator[Case]:
    """Endless cases whose lines follow from what is given, or do not; facts follow from nothing."""
    for case in cases(seed, held_out=held_out):
        said = [line for _, line in statements(segment(case.text, POCKET.hesitations))]
        if case.problem.domain != "commonsense" and said == list(case.lines):
            yield case


def _solved(right: list[Equation], was: str, text: str, answer: Fraction) -> tuple[str, str] | None:
    """(work, value) of a masked number, so that the equations come to ``answer``; None where the
    text does not say plainly which operand it is, or they are not linear in it."""
    places = [
        (i, k)
        for i, one in enumerate(right)
        for k, operand in enumerate(one.operands)
        if was in re.split("[^0-9.]", operand)
    ]
    if not places:
        return "the answer does not hang on it", UNKNOWN
    ((i, k), *others) = places
    plain = right[i].operands[k].strip("$%") == was and right[i].sources[k] is None
    if others or not plain or re.findall(r"[\d.]*\d", text).count(was) != 1:
        return None
    percent = right[i].operands[k].endswith("%")
    one, two, three = (
        _come_to(right, (i, k), Fraction(n, 100 if percent else 1)) for n in (1, 2, 3)
    )
    if three - two != two - one or two == one:
        return None
    value = written(1 + (answer - one) / (two - one))
    return f"with {value} the answer is {written(answer)}", value


def _come_to(right: list[Equation], place: tuple[int, int], value: Fraction) -> Fraction:
    """What the equations come to with another operand at a place."""
    values: list[Fraction] = []
    for i, one in enumerate(right):
        numbers = [
            value if (i, k) == place else number(text) if at is None else values[at]
            for k, (text, at) in enumerate(zip(one.operands, one.sources, strict=True))
        ]
        values.append(one.apply(numbers))
    return values[-1]
