"""A text without an answer is asked for one; our words alone make none of what it says."""

from __future__ import annotations

import pytest

import agentflow
from agentflow.domains import kind
from agentflow.domains.zebra.puzzle import EXAMPLE
from agentflow.models import ScriptedModel

GRID = (
    "House 1: Name = Arnold, Drink = tea\nHouse 2: Name = Peter, Drink = water\n"
    "House 3: Name = Eric, Drink = milk"
)
METHODS = {
    "direct": {},
    "interwhen": {"max_corrections": 0},
    "solve_detect_verify": {"ladder": ["domain"], "detect": False, "iterations": 1},
    "verified_sampling": {"n": 1},
    "unified": {"n": 1, "redraws": 0, "max_corrections": 0},
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("more", ["", "?}", "}", "..."])
@pytest.mark.parametrize(
    ("domain", "problem", "text"),
    [
        ("game24", "4 7 8 8", "Had I mixed the signs up, I'd get \\boxed{(7 - 8 / 8) * 4}."),
        ("game24", "4 7 8 8", "\\boxed{(7 - 8 / 8) * 4}, where * means +."),
        ("math", "What is 17 * 23?", "The answer is anything but 391."),
        ("zebra", EXAMPLE, f"{GRID}\n\nThis is not right; two drinks have to be swapped."),
    ],
)
def test_what_was_no_answer_is_none_below_our_beginning_of_one(
    domain: str, problem: str, text: str, more: str, method: str
) -> None:
    asked = "\n" + (kind(domain)().opening or "Answer:\n")
    model = ScriptedModel(lambda prompt: more if prompt.endswith(asked) else f"</think>\n{text}")
    result = agentflow.solve(problem, method, model=model, domain=domain, **METHODS[method])
    assert (result.status, result.answer) == ("exhausted", None)
    assert asked in result.trace.body


def test_what_is_written_behind_it_is_the_answer() -> None:
    text = "</think>\n17 * 20 = 340 and 17 * 3 = 51."
    model = ScriptedModel(lambda prompt: "391}" if prompt.endswith("\\boxed{") else text)
    result = agentflow.solve("What is 17 * 23?", "direct", model=model, domain="math")
    assert (result.answer, result.status) == ("391", "verified")
