"""Verifiers that go through a solution step by step: PRM, GenPRM's kind, Dyve's."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reward import Reward

from agentflow.errors import BadInput
from agentflow.evaluation.records import Arm
from agentflow.evaluation.solutions import Solution
from agentflow.evaluation.verdicts import run, step_verifier
from agentflow.models import ScriptedModel
from agentflow.models.metered import Metered
from agentflow.problem import Problem
from agentflow.verifiers.stepwise import RewardVerifier, Stepwise, read

PROBLEM = Problem("What is 2 + 2 * 3?", "math", "p")
STEPS = ("2 * 3 = 6", "2 + 6 = 9", "The answer is 9.")


def asking(model: Any) -> Any:
    async def ask(role: str) -> Metered:
        return Metered(model, role, "0")

    return ask


def saying(*scores: float) -> Reward:
    return Reward(lambda steps: scores)


class TestRewardModel:
    async def test_table_10_the_first_step_below_one_half_is_wrong(self) -> None:
        verdict = await RewardVerifier(asking(saying(0.9, 0.4, 0.1))).verify(PROBLEM, STEPS)
        assert (verdict.ok, verdict.first_wrong_step, verdict.score) == (False, 1, 0.1)

    async def test_table_10_a_solution_without_one_passes(self) -> None:
        verdict = await RewardVerifier(asking(saying(0.9, 0.5, 0.8))).verify(PROBLEM, STEPS)
        assert (verdict.ok, verdict.first_wrong_step) == (True, None)

    async def test_another_model_is_refused(self) -> None:
        with pytest.raises(BadInput, match="needs a reward model, and scripted is none"):
            await RewardVerifier(asking(ScriptedModel("x"))).verify(PROBLEM, STEPS)


class TestStepwise:
    async def test_section_3_1_each_step_is_read_with_those_before_it(self) -> None:
        prompts: list[str] = []

        def reply(prompt: str) -> str:
            prompts.append(prompt)
            right = "9" not in prompt.partition("[Step to judge]")[2]
            return f"</think>\n\\boxed{{{'Yes' if right else 'No'}}}"

        verifier = Stepwise(asking(ScriptedModel(reply)), "genprm", k=2)
        verdict = await verifier.verify(PROBLEM, STEPS)
        assert (verdict.ok, verdict.first_wrong_step) == (False, 1)
        assert verdict.evidence["shares"] == [1.0, 0.0]
        assert len(prompts) == 4, "it stops at the first wrong step"
        assert STEPS[0] not in prompts[0].partition("[Step to judge]")[0]
        assert STEPS[0] in prompts[2].partition("[Step to judge]")[0]

    async def test_table_10_the_majority_of_k_decides_and_a_tie_is_wrong(self) -> None:
        said = iter(["Yes", "No", "Yes", "Yes", "No", "No"] * 9)
        model = ScriptedModel(lambda prompt: f"</think>\\boxed{{{next(said)}}}")
        verdict = await Stepwise(asking(model), "genprm", k=3).verify(PROBLEM, STEPS)
        assert verdict.first_wrong_step == 1
        said = iter(["Yes", "No"])
        model = ScriptedModel(lambda prompt: f"</think>\\boxed{{{next(said)}}}")
        verdict = await Stepwise(asking(model), "genprm", k=2).verify(PROBLEM, STEPS)
        assert verdict.first_wrong_step == 0

    async def test_replies_that_say_nothing_cannot_tell(self) -> None:
        verdict = await Stepwise(asking(ScriptedModel("well")), "genprm").verify(PROBLEM, STEPS)
        assert (verdict.ok, verdict.kind) == (None, "malformed")

    @pytest.mark.parametrize(("style", "reply"), [("dyve", "2 +"), ("genprm", r"\boxed{Yes}")])
    async def test_a_reply_that_was_cut_off_says_nothing(self, style: Any, reply: str) -> None:
        model = ScriptedModel(f"</think>{reply} 3 is 6, which is false")
        tokens = len(reply.split()) + 1
        verdict = await Stepwise(asking(model), style, tokens=tokens).verify(PROBLEM, STEPS)
        assert (verdict.ok, verdict.kind) == (None, "malformed")

    async def test_table_10_dyve_answers_with_a_sign(self) -> None:
        verdict = await Stepwise(asking(ScriptedModel("</think>+")), "dyve").verify(PROBLEM, STEPS)
        assert verdict.ok is True
        verdict = await Stepwise(asking(ScriptedModel("</think>-")), "dyve").verify(PROBLEM, STEPS)
        assert verdict.first_wrong_step == 0


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("so \\boxed{Yes}", True),
        ("\\boxed{ \\text{no} }", False),
        ("\\boxed{Yes} no: \\boxed{No}.", False),
        ("\\boxed{Yes} wait, it is not", None),
        ("yes", None),
        ("\\boxed{maybe}", None),
        ("$\\boxed{Yes}$.", True),
        ("I cannot say \\boxed{Yes}", None),
        ("No fault is in it, so the answer is \\boxed{Yes}", True),
        ("\\boxed{Yes} Schritt 2 ist falsch", None),
        ("\\boxed{\\textbf{Yes}}", True),
        ("Judge A: \\boxed{No}\nJudge B: \\boxed{Yes}", None),
        ("\\boxed{Yes} or \\boxed{No}", None),
        ("The student writes \\boxed{Yes}", None),
        ("The step is wrong. \\boxed{Yes}", None),
        ("Is the step wrong? \\boxed{Yes}", None),
        ("Is the step right? \\boxed{Yes}", True),
        ("I cannot judge it. \\boxed{Yes}", None),
        ("I can't find an error. \\boxed{Yes}", True),
        ("\\boxed{Yes} so far. Then it says 5, which is false.", None),
    ],
)
def test_what_a_box_says(reply: str, said: bool | None) -> None:
    assert read(reply, "genprm") is said


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("+", True),
        ("fine\n-", False),
        ("it follows, so the step is\n+", True),
        ("I cannot write +", None),
        ("a + b", None),
        ("We have 3 + 4 +", None),
        ("- or +", None),
        ("-\n+", None),
        ("+\n-", None),
        ("Points:\n- units\n- ", None),
        ("As the student writes: +", None),
        ("The step is wrong.\n+", None),
        ("**+**", True),
        ("- the sum is right\n+", True),
        ("x+", None),
        ("The step says: reply with +", None),
        ("Is it +", None),
        ("I'm sorry, I can't verify it.\n+", None),
        ("", None),
    ],
)
def test_what_a_sign_says(reply: str, said: bool | None) -> None:
    assert read(reply, "dyve") is said


@given(st.text(max_size=80))
def test_any_reply_can_be_read(reply: str) -> None:
    assert read(reply, "genprm") in (True, False, None)
    assert read(reply, "dyve") in (True, False, None)


async def test_eval_steps_has_them_as_arms(tmp_path: Any) -> None:
    one = Solution(PROBLEM, STEPS, label=1)
    arms = [Arm("prm", "prm", {})]
    (record,) = await run(arms, [one], tmp_path / "a.jsonl", model=saying(0.9, 0.2, 0.9))
    assert (record.predicted, record.correct) == (1, True)
    assert record.ledger["prm"]["prompt"] == 9
    found = step_verifier(Arm("g", "genprm", {"k": 4, "seed": 1}), asking(None))
    assert found is not None
    assert found.name == "genprm@4"
