"""interwhen, as the paper has it, where a whole run shows it."""

from __future__ import annotations

import pytest

import agentflow
from agentflow import prompts
from agentflow.arguments import settings_for
from agentflow.domains import Game24
from agentflow.evaluation.replay import Replay
from agentflow.evaluation.tradeoff import matched
from agentflow.models import ScriptedModel
from agentflow.profile import PROFILES

PUZZLE = "4 7 8 8"
BEGIN, NOTED = r"<think>\n", r"Wait, .*\n"
WRONG_STEP = "8 / 8 = 2 (left: 2 4 7)\n"
PATH = "8 / 8 = 1 (left: 1 4 7)\n7 - 1 = 6 (left: 4 6)\n6 * 4 = 24 (left: 24)\n"
GUESS, RIGHT = "Answer: 4 + 7 + 8 + 8\n", "Answer: (7 - 8 / 8) * 4\n"


async def test_section_4_3_a_verifier_of_steps_alone_judges_no_answer() -> None:
    """A wrong answer on the way is let be, and none is sent back: only steps are."""
    model = ScriptedModel(
        {
            BEGIN: f"{GUESS}{WRONG_STEP}",
            NOTED: f"{GUESS}{PATH}</think>\n{GUESS}",
        }
    )
    result = await agentflow.asolve(PUZZLE, "interwhen", model=model, judge_answers=False)
    assert result.corrections == 1
    assert {one["state"]["kind"] for one in result.judged} == {"step"}
    assert (result.answer, result.status) == ("4 + 7 + 8 + 8", "unverified")


async def test_section_4_1_five_corrections_then_it_abstains() -> None:
    model = ScriptedModel({r"<think>\n|Wait, .*\n": WRONG_STEP})
    result = await agentflow.asolve(PUZZLE, "interwhen", model=model)
    assert (result.answer, result.corrections) == (None, 5)


@pytest.mark.parametrize(
    ("method", "settings", "prompt"),
    [
        ("direct", {}, "cot"),
        ("early_exit", {}, "cot"),
        ("sampling", {}, "cot"),
        ("interwhen", {"step_verifier": False, "k_stable": 2}, "cot"),
        ("interwhen", {}, "interwhen"),
    ],
)
def test_section_5_1_baselines_get_the_base_prompt_and_steps_the_meta_prompt(
    method: str, settings: dict[str, object], prompt: str
) -> None:
    chosen = settings_for(method, **settings).solver_prompt
    assert chosen == prompt
    _, user = prompts.for_problem(chosen, Game24().parse(PUZZLE), PROFILES["qwen3"])
    assert ("step by step" in user) == (prompt == "cot")


@pytest.mark.parametrize(("domain", "examples"), [("maze", 3), ("spatialmap", 3)])
def test_appendix_a_2_meta_prompts_have_three_examples(domain: str, examples: int) -> None:
    system, _ = prompts._template("domains/interwhen", domain, "qwen3")
    assert [f"Example {n}" in system for n in range(1, 5)] == [True] * examples + [False]


def test_section_5_2_the_threshold_that_saves_most_at_no_less_accuracy() -> None:
    """Tables 1, 3, 5 and 6: reasoning tokens are counted, those of probes are not."""
    families = pytest.importorskip("agentflow.evaluation.families")
    from agentflow.evaluation.chains import Chain, Check

    def check(tokens: int, confidence: float) -> Check:
        return Check(tokens, tokens, 1.0, 0.0, confidence, ["a"], [True], [1], 0, False)

    checks = [check(10, 0.8), check(11, 0.991)]
    made = Chain(
        *("p", "p", "game24", 0, "made", "", [], 0, 12, 3, "a", True, True, 5), checks=checks
    )
    replayed = Replay([made])
    assert matched(replayed, families.confidence(), probes=True) is None  # it costs 5 a check
    found = matched(replayed, families.confidence(), probes=False)
    assert found is not None
    assert (found.point.tokens, found.saved.value) == (11, pytest.approx(1 - 11 / 15))
