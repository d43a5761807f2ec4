"""An answer with the calculation that it comes from in brackets."""

from __future__ import annotations

import pytest
from replies import equal

SPEED = "A bus covers 120 km in 1.5 hours. What is its average speed in km/h?"


@pytest.mark.parametrize(
    ("reply", "right"),
    [
        ("80 km/h (120 / 1.5)", True),
        ("80 km/h (120 / 2)", False),
        ("80 km/h (97 - 17)", False),
        ("60 km/h (120 / 2)", False),
    ],
)
def test_what_an_answer_comes_from(reply: str, right: bool) -> None:
    assert (equal("math", SPEED, reply, "80 km/h") is True) is right
