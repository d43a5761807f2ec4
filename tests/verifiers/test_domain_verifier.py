"""A domain's step verifier on whole solutions."""

from __future__ import annotations

from agentflow.domains import Game24
from agentflow.judge import judge
from agentflow.verdict import Verdict
from agentflow.verifiers import DomainVerifier, segment

GAME = Game24()
PROBLEM = GAME.parse("4 7 8 8")
RIGHT = "8 / 8 = 1 (left: 1 4 7)\n7 - 1 = 6 (left: 4 6)\n"
WRONG = "Wait, 4 * 6 = 25 (left: 25)\n"
VERIFIER = DomainVerifier(GAME)


async def judged(*steps: str) -> Verdict:
    return await VERIFIER.verify(PROBLEM, steps)


async def test_the_first_wrong_step() -> None:
    verdict = await judged(RIGHT, "Wait\n", WRONG, "4 * 6 = 26 (left: 26)\n")
    assert (verdict.ok, verdict.first_wrong_step, verdict.kind) == (False, 2, "arithmetic")
    assert verdict.reason == "4 * 6 is 24 , not 25"
    text = RIGHT + "Wait\n" + WRONG
    start = text.index("4 * 6")
    assert verdict.evidence == {"judged": 3, "passed": 2, "start": start, "end": len(text)}


async def test_all_steps_right() -> None:
    verdict = await judged(RIGHT, "4 * 6 = 24 (left: 24)\n")
    assert (verdict.ok, verdict.evidence) == (True, {"judged": 3, "passed": 3})


async def test_nothing_that_could_be_judged_is_no_pass() -> None:
    for steps in ((), ("so",)):
        verdict = await judged(*steps)
        assert (verdict.ok, verdict.kind) == (None, "cannot_tell")


async def test_it_agrees_with_the_judge_of_traces() -> None:
    for text in (RIGHT, RIGHT + WRONG, WRONG + RIGHT):
        verdict = await judged(*segment(text, ("Wait",)))
        assert verdict.ok == (await judge(GAME, PROBLEM, text)).steps_ok
