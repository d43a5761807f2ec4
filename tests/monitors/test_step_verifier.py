from __future__ import annotations

from typing import Any

import pytest

from agentflow.domains import Game24
from agentflow.monitors import Context, Increment, StepVerifier
from agentflow.profile import PROFILES
from agentflow.state import State
from agentflow.verdict import Verdict

GAME = Game24()
PROBLEM = GAME.parse("4 7 8 8")
PROFILE = PROFILES["pocket"]


def monitor(*, hopeless: bool = False) -> StepVerifier:
    return StepVerifier(PROBLEM, GAME, PROFILE, hopeless)


def fed(text: str, offset: int = 0) -> State:
    _, (state,) = monitor().feed({}, Increment(text, offset, 1, False))
    return state


async def test_a_right_step_passes() -> None:
    verdict = await monitor().verify(fed("8 - 7 = 1 (left: 1 4 8)\n"), Context())
    assert verdict.ok


async def test_steps_build_on_the_earlier_ones() -> None:
    first = fed("8 - 7 = 1 (left: 1 4 8)\n")
    second = fed("1 * 4 = 4 (left: 4 8)\n", 24)
    assert (await monitor().verify(second, Context([first]))).ok
    assert (await monitor().verify(second, Context())).kind == "not_available"


@pytest.mark.parametrize(
    ("answering", "text"),
    [(False, "Wait, 8 - 7 is 1 , not 2\n"), (True, "[verifier: 8 - 7 is 1 , not 2]\n")],
)
async def test_a_wrong_step_is_told_behind_it_in_the_voice_of_its_part(
    answering: bool, text: str
) -> None:
    state = fed("8 - 7 = 2 (left: 2 4 8)\n", 100)
    verdict = await monitor().verify(state, Context())
    intervention = monitor().intervene(state, verdict, answering=answering)
    assert (intervention.kind, intervention.offset) == ("feedback", 124)
    assert intervention.text == text
    assert intervention.reason == verdict.reason
    assert intervention.monitor == "step_verifier"


async def test_hopeless_is_a_setting() -> None:
    state = fed("8 + 8 = 16 (left: 4 7 16)\n")
    assert (await monitor().verify(state, Context())).ok
    assert (await monitor(hopeless=True).verify(state, Context())).kind == "hopeless"


def test_cannot_tell_is_no_objection() -> None:
    state = fed("8 - 7 = 1 (left: 1 4 8)\n")
    assert monitor().intervene(state, Verdict(None), answering=False).kind == "continue"


@pytest.mark.parametrize("boundary", ["feedback", "close", "end"])
def test_a_boundary_drops_a_step_that_was_only_begun(boundary: str) -> None:
    memory, _ = monitor().feed({}, Increment("Available numbers: 4 7 8 8\n", 0, 1, False))
    assert memory
    assert monitor().feed(memory, Increment("", 27, 0, False, boundary)) == ({}, [])  # type: ignore[arg-type]


class TestDoubt:
    STATE = State("step", {"claim": "it rained"}, 0, 9)

    def kind(self, verdict: Verdict, state: State = STATE, **given: Any) -> str:
        doubting = StepVerifier(PROBLEM, GAME, PROFILE, doubt=0.8, **given)
        return doubting.intervene(state, verdict, answering=False).kind

    @pytest.mark.parametrize(
        ("ok", "score", "kind"),
        [
            (None, 0.79, "feedback"),
            (None, 0.8, "continue"),
            (None, None, "continue"),
            (False, 1.0, "feedback"),
        ],
    )
    def test_little_evidence_is_an_objection(
        self, ok: bool | None, score: float | None, kind: str
    ) -> None:
        assert self.kind(Verdict(ok, "why", score=score)) == kind

    def test_an_answer_is_not_doubted(self) -> None:
        assert self.kind(Verdict(None, score=0.0), State("candidate", {}, 0, 9)) == "continue"

    def test_what_was_doubted_before_stands(self) -> None:
        little = Verdict(None, score=0.0)
        assert self.kind(little, doubted=[{"claim": "it snowed"}]) == "feedback"
        assert self.kind(little, doubted=[self.STATE.data]) == "continue"
        assert self.kind(Verdict(False), doubted=[self.STATE.data]) == "feedback"
