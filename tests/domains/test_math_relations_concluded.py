"""Relations and sets that a last sentence comes to."""

from __future__ import annotations

import asyncio

import pytest

from agentflow import domains

MATHS = domains.get("math")


def equal(reply: str, gold: str, question: str) -> bool | None:
    problem, answer = MATHS.parse(question), MATHS.answer(reply)
    return asyncio.run(MATHS.equal(problem, answer, gold)) if answer else None


@pytest.mark.parametrize(
    "reply",
    [
        "Thus, $t < 7$.",
        "Hence $t < 7$",
        "We find that $t \\lt 7$.",
        "Dividing by 3, we have $3t/3 < 21/3$.\n\nTherefore, we get $7 > t$.",
        "The solution set is $(-\\infty, 7)$.",
        "So the solution set of the inequality is $(-\\infty, 7)$.",
    ],
)
def test_they_are_the_answer(reply: str) -> None:
    question = "Solve the inequality 3t < 21."
    assert equal(reply, "t < 7", question) is True
    assert equal(reply, "t < 8", question) is not True
    assert equal(reply, "t > 7", question) is not True


@pytest.mark.parametrize(
    "reply",
    [
        "Thus, $t < 7$ or not.",
        "Thus, $t < 7$ if $s > 2$.",
        "Thus, it is not true that $t < 7$.",
        "Suppose $t < 7$.",
        "The solution set is not $(-\\infty, 7)$.",
        "The solution set is $(-\\infty, 7)$ or $(-\\infty, 8)$.",
    ],
)
def test_what_is_said_otherwise_is_not(reply: str) -> None:
    assert equal(reply, "t < 7", "Solve the inequality 3t < 21.") is not True
