"""Seeded training texts for verified sampling's feedback: a solution that did not pass, and a right
trace behind what is said of it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import get_args

from agentflow import prompts
from agentflow.nodes.verified_sampling import Feedback, Richness, feedback_of
from agentflow.verdict import Verdict
from training.game24 import Part
from training.here import domain
from training.mistakes import POCKET, Example
from training.texts import CONTEXT_CHARACTERS, fits, prompt, rendered
from training.tries import tries


def revised(seed: int, feedback: Feedback, *, held_out: bool = False) -> Iterator[list[Part]]:
    """Endless right traces behind feedback of every richness; where that says how to mend the
    solution, the trace comes to what it says.

    Args:
        feedback: ``precaution`` (the old solution is not shown) or ``post_editing``.
    """
    rng = random.Random(f"{feedback} {seed}")
    for one in tries(seed, held_out=held_out):
        said = "".join(part.text for part in one.trace)
        reader = domain(one.first.problem.domain)
        right = reader.shown(reader.answer(said) or "")
        richness = rng.choice(get_args(Richness))
        verdict = Verdict(False, one.first.reason, evidence={"revision": f"take {right}"})
        asked = revision_prompt(one.first, feedback, feedback_of(verdict, richness))
        parts = [Part(asked, learn=False), *one.trace]
        if fits(parts, CONTEXT_CHARACTERS):
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
