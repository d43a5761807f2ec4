"""Long runs of one sign around an answer take no more than their length."""

from __future__ import annotations

import pytest
from counting import is_linear

from agentflow import domains


@pytest.mark.parametrize("name", ["math", "open", "game24"])
@pytest.mark.parametrize("run", ["*", "\n", " \n"])
@pytest.mark.parametrize("reply", ["The answer is 5. {}", "The answer is 5{}x"])
def test_a_long_run_behind_an_answer(name: str, run: str, reply: str) -> None:
    domain = domains.get(name)
    is_linear(lambda size: domain.answer(reply.format(run * size)), size=200)
