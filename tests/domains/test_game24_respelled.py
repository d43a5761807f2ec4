"""Answers of Game of 24 in usual layouts, with calculations behind them."""

import asyncio

import pytest

from agentflow import domains
from agentflow.domains.game24.judging import judge_answer

GAME = domains.get("game24")
PROBLEM = GAME.parse("4 7 8 8")
SAID = "(7 − 8 ÷ 8) × 4"
TABLE = "| Step | Operation | Result |\n|---|---|---|\n| 1 | 8 ÷ 8 | 1 |\n| 2 | 7 − 1 | {} |\n"


def verdict(text: str) -> bool | None:
    answer = GAME.answer(text)
    return None if answer is None else judge_answer(PROBLEM, answer).ok


@pytest.mark.parametrize(
    "text",
    [
        "Here's one solution:\n\n1. 8 ÷ 8 = 1\n2. 7 − 1 = 6\n3. 6 × 4 = 24\n\n"
        f"So: **{SAID} = 24** ✅",
        f"```\n{SAID} = 24\n```",
        f"**{SAID} = 24**\n\nCheck: 8/8 = 1, 7 − 1 = 6, 4 × 6 = 24. ✔️ All four numbers used exactly"
        " once.",
        f"**{SAID} = 24**\n\nEach number is used exactly once.",
        f"We can get 24 as follows:\n\n{SAID} = (7 − 1) × 4 = 6 × 4 = 24",
        f"{TABLE.format(6)}\n**Expression:** {SAID}",
        f"There are several solutions, for example:\n\n{SAID} = 24",
        f"So the final expression is $\\boxed{{{SAID}}}$, since $8/8 = 1$, $7 - 1 = 6$ and"
        " $6 \\times 4 = 24$.",
        f"Solution: `{SAID}`\n\nVerification:\n- 8 / 8 = 1\n- 7 - 1 = 6\n- 4 * 6 = 24 ✅",
        f"Solution: `{SAID}`\n\nVerification:\n1. 8 / 8 = 1\n2. 7 - 1 = 6\n3. 4 * 6 = 24 ✅",
        f"I found it! {SAID} = 24",
        f"{SAID}\n= (7 − 1) × 4\n= 6 × 4\n= 24",
    ],
)
def test_usual_layouts_are_read(text: str) -> None:
    assert verdict(text) is True


def test_a_fraction_may_stand_for_what_came_before() -> None:
    steps = "- 8 ÷ 3 = 8/3\n- 3 − 8/3 = 1/3\n- 8 ÷ (1/3) = 24"
    assert GAME.answer(f"**8 ÷ (3 − 8 ÷ 3) = 24**\n\nExplanation:\n{steps}") is not None


@pytest.mark.parametrize(
    "text",
    [
        f"**{SAID} = 24**\n\nCheck: 8/8 = 1, 7 − 1 = 5, 4 × 6 = 24.",
        f"**{SAID} = 24**\n\nCheck: 8/8 = 1, 9 − 3 = 6, 4 × 6 = 24.",
        f"**{SAID} = 24**\n\nNot all four numbers are used exactly once.",
        f"**{SAID} = 24**\n\nAll four numbers are used twice.",
        f"{TABLE.format(5)}\n**Expression:** {SAID}",
        f"{SAID}\n= (7 − 1) × 4\n= 6 × 5\n= 24",
        f"So the final expression is $\\boxed{{{SAID}}}$, since $8/8 = 1$, $7 - 1 = 5$.",
        f"Solution: `{SAID}`\n\nVerification:\n1. 8 / 8 = 2\n2. 7 - 1 = 6\n3. 4 * 6 = 24 ✅",
        f"Solution: `{SAID}`\n\n3 * 8 = 24\n",
        f"There is no solution, for example:\n\n{SAID} = 24",
        f"**{SAID} = 24**\n\nExplanation:\n- 8 ÷ (1/3) = 24",
    ],
)
def test_calculations_at_odds_leave_it_undecided(text: str) -> None:
    assert verdict(text) is not True


def test_final_is_a_label() -> None:
    domain = domains.get("game24")
    problem = domain.parse("1 6 7 10")
    for front in ("", "So final answer:\n\n", "10 + 1 = 11\n7 + 6 = 13\n11 + 13 = 24\n\n"):
        for said, right in (("1 + 6 + 7 + 10", True), ("1 + 6 * 7 + 10", False)):
            for label in ("FINAL:", "Final:", "**FINAL:**"):
                answer = domain.answer(f"{front}{label} {said}")
                assert answer is not None
                assert asyncio.run(domain.verify_answer(problem, answer)).ok is right
