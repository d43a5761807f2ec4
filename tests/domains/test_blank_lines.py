"""A reply that is mostly blank is read in linear time."""

from __future__ import annotations

import pytest
from counting import is_linear

from agentflow import domains


@pytest.mark.parametrize(
    ("domain", "end"), [("commonsense", "\nAnswer: Lima"), ("logic", "\nAnswer: True")]
)
def test_blanks_are_read_in_linear_time(domain: str, end: str) -> None:
    read = domains.get(domain).answer
    is_linear(lambda size: read("Alex is kind." + "\n\n" * size + end))


def test_blanks_between_two_answers_are_read_in_linear_time() -> None:
    read = domains.get("open").answer
    is_linear(lambda size: read("**5**" + "\n" * 4 * size + "\\boxed{5}"))
