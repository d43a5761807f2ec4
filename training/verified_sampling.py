"""Seeded training texts for verified sampling's feedback, on Game of 24: a solution that did not
pass, and a right trace behind what is said of it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import get_args

from agentflow import prompts
from agentflow.nodes.verified_sampling import Feedback, Richness, feedback_of
from agentflow.verdict import Verdict
from training import game24
from training.game24 import DOMAIN, Part, puzzles
from training.mistakes import POCKET, Example, example
from training.texts import fits, prompt, rendered


def revised(seed: int, feedback: Feedback, *, held_out: bool = False) -> Iterator[list[Part]]:
    """Endless right traces behind feedback of every richness; where that says how to mend the
    solution, the trace comes to what it says.

    Args:
        feedback: ``precaution`` (the old solution is not shown) or ``post_editing``.
    """
    rng = random.Random(seed)
    numbers = puzzles()[held_out]
    while True:
        drawn = rng.choice(numbers)
        failed = example(rng, drawn, flawed=True)
        _, *trace = game24.trace(rng, drawn)
        right = DOMAIN.answer("".join(part.text for part in trace))
        richness = rng.choice(get_args(Richness))
        verdict = Verdict(False, failed.reason, evidence={"revision": f"take {right}"})
        asked = revision_prompt(failed, feedback, feedback_of(verdict, richness))
        parts = [Part(asked, learn=False), *trace]
        if fits(parts):
            yield parts


def revision_prompt(failed: Example, feedback: Feedback, said: str) -> str:
    """What the solver is sent after a solution that did not pass."""
    user = rendered(
        "verified_sampling",
        feedback,
        problem=prompts.for_problem("interwhen", failed.problem, POCKET)[1],
        solution="".join(failed.steps).strip(),
        feedback=said,
    )
    return prompt(user)
