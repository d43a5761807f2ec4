"""The judge as a reward model: what it reads, and what its Yes and No are worth."""

from __future__ import annotations

import math
from typing import Any

import pytest

from agentflow.models import Capabilities, ScriptedModel, Token
from agentflow.models.model import Request
from agentflow.problem import Problem
from agentflow.profile import PROFILES
from agentflow.scorers import PRMScorer
from agentflow.scorers.token_reward import TokenReward, behind
from agentflow.search.path import Path
from agentflow.verifiers.flexive import question

POCKET = PROFILES["pocket"]
STEPS = ("4 * 9 = 36\n", "9 + 36 = 44\n", "Wait, let me verify\n9 + 36 = 45\n")
TEXT = "Boris has 9 tiles."


def says(chances: dict[str, tuple[float, float]]) -> ScriptedModel:
    """A judge that says No and Yes as likely as it is told, by the end of what it reads."""

    def reply(prompt: str) -> Any:
        no, yes = next(pair for end, pair in chances.items() if prompt.endswith(end))
        words = (("Yes", yes), ("No", no), (" so", 1 - yes - no))
        top = tuple((word, math.log(p)) for word, p in words if p)
        return [Token(" so", None, math.log(1 - yes - no), top)]

    return ScriptedModel(reply, capabilities=Capabilities(logprobs=20), name="pocket-judge")


JUDGED = {"36\n": (0.1, 0.3), "44\n": (0.6, 0.2), "45\n": (0.0, 0.0)}


async def test_a_score_is_the_share_of_yes() -> None:
    model = says(JUDGED)
    found = await TokenReward(model).rewards(TEXT, STEPS)
    assert found.scores == pytest.approx((0.75, 0.25, 0.5))  # neither word: nothing is known
    assert found.generated == len(STEPS)
    assert found.prompt == max(map(length, model.requests))
    assert (await TokenReward(model).rewards(TEXT, ())).scores == ()


def length(request: Request) -> int:
    return len(request.prompt)


def test_it_reads_what_the_fast_verifier_reads() -> None:
    whole = "".join(
        piece.text for piece in question(POCKET, "fast", TEXT, ["".join(STEPS[:2]), STEPS[2]])
    )
    for end in range(1, 4):
        read = "".join(piece.text for piece in behind(POCKET, TEXT, STEPS[:end]))
        assert whole.startswith(read)
        assert read.endswith(STEPS[end - 1].strip() + "\n")
    assert "<step_1>\nWait" in read  # steps are cut at hesitations, whoever cut them before


async def test_a_prm_scorer_asks_it() -> None:
    model = says(JUDGED)
    scorer = PRMScorer(TokenReward(model))
    (path,) = await scorer.score(Problem(text=TEXT, domain="math"), [Path(STEPS)])
    assert path.scores == pytest.approx((0.75, 0.25, 0.5))
    (entry,) = scorer.entries.values()
    assert (entry["generated"], entry["role"]) == (3, "prm")
    assert scorer.name == "prm:pocket-judge"
