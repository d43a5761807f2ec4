"""solve_detect_verify and FlexiVe beside their paper, section by section."""

from __future__ import annotations

from typing import Any

import agentflow
from agentflow.models import ScriptedModel
from agentflow.profile import PROFILES
from agentflow.verifiers.flexive import question

PUZZLE = "4 7 8 8"
PATH = "8 / 8 = 1 (left: 1 4 7)\n7 - 1 = 6 (left: 4 6)\n4 * 6 = 24 (left: 24)\n"
ANSWER = "(7 - 8 / 8) * 4"


async def test_table_14_solve_and_detect_alone() -> None:
    """Nobody judges: the answer behind the detected solution is given, and no verifier asked."""
    prompts: list[str] = []

    def reply(prompt: str) -> Any:
        prompts.append(prompt)
        return f"{PATH}</think>\nAnswer: {ANSWER} = 24"

    given = {"ladder": [], "detect": False}
    model = ScriptedModel(reply)
    result = await agentflow.asolve(PUZZLE, "solve_detect_verify", model=model, **given)
    (one,) = result.samples
    assert (one["status"], one["reason"]) == ("unverified", "not judged")
    assert len(prompts) == 1
    assert result.answer == ANSWER


def test_figure_3_the_thinking_of_a_fast_run_holds_a_placeholder() -> None:
    profile = PROFILES["deepseek-r1-distill"]
    fast = "".join(piece.text for piece in question(profile, "fast", "p", ["a"]))
    assert fast.endswith(f"<think>\n{profile.fast_thought}\n</think>\n\n")
    assert profile.fast_thought
    slow = "".join(piece.text for piece in question(profile, "slow", "p", ["a"]))
    assert slow.endswith("<think>\n")
    pocket = PROFILES["pocket"]
    assert "".join(p.text for p in question(pocket, "fast", "p", ["a"])).endswith(pocket.no_think)


async def test_section_4_4_flexive_ranks_best_of_n() -> None:
    wrong = f"{PATH.replace('7 - 1 = 6', '7 - 1 = 5')}</think>\nAnswer: 8 + 8 + 8 = 24"
    solutions = [wrong, f"{PATH}</think>\nAnswer: {ANSWER} = 24"]
    judged: list[str] = []

    def reply(prompt: str) -> str:
        if "verify:" not in prompt:
            return solutions.pop(0)
        judged.append(prompt)
        return "7 - 1 is 6. \\boxed{0}" if "= 5" in prompt else "\\boxed{-1}"

    given = {"critic": "flexive", "votes": 4, "k": 2, "require": "nothing"}
    result = await agentflow.asolve(PUZZLE, "sampling", model=ScriptedModel(reply), **given)
    assert result.answer == ANSWER
    assert len(judged) == 8
    scores = [one["verdict"]["score"] for one in sorted(result.samples, key=lambda o: o["branch"])]
    assert sorted(scores) == [0.0, 1.0]


async def test_algorithm_2_a_rejected_last_solution_is_the_answer() -> None:
    """After T rejections the last solution is returned; nobody vouches for it."""
    solving: list[str] = []

    def reply(prompt: str) -> str:
        if "<step_0>" in prompt:
            return "It is wrong. \\boxed{0}"
        solving.append(prompt)
        return f"</think>\nSo it is {6 + len(solving)}.\nAnswer: {6 + len(solving)}"

    given = {"detect": False, "k": 2, "iterations": 3, "domain": "math", "ladder": ["fast"]}
    problem = "Jonas has 15 marbles. Goran has 5 fewer. How many does Goran have?"
    model = ScriptedModel(reply)
    result = await agentflow.asolve(problem, "solve_detect_verify", model=model, **given)
    assert len(solving) == 3
    assert (result.status, result.answer) == ("unverified", "9")
    assert "rejected by" in result.reason
