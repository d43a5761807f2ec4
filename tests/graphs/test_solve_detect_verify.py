"""solve_detect_verify: the algorithm box, its ladder, its loop, several samples, threads."""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import agentflow
from agentflow import Result
from agentflow.errors import BadInput, MissingCapability, ModelUnavailable, Paused
from agentflow.models import Capabilities, Fault, ScriptedModel, Token
from agentflow.models.scripted import Reply

PUZZLE = "4 7 8 8"
PATH = "8 / 8 = 1 (left: 1 4 7)\n7 - 1 = 6 (left: 4 6)\n4 * 6 = 24 (left: 24)\n"
ANSWERS = [
    "(7 - 8 / 8) * 4",
    "4 * (7 - 8 / 8)",  # the same
    "8 * (7 - 4) * (8 / 8)",  # of no numbers that there are
    "8 + 8 + 7 + 4",  # not 24
    "8 + 8 + 7 - 4",  # nor this
]
FAST, SLOW = "<think>\n\n</think>\n\n", "<think>\n"


class World:
    """A solver, a detector and a verifier in one model; plays what each is to say.

    Args:
        verdicts: For each solution that is judged, the index every run names; or a pair, of what
            the fast runs name and of what the slow ones do. A list has the runs' own.
        answers: Index of the answer of each solution, in the order they are asked for.
        complete: Whether the detector finds the thinking complete at its first hesitation.
    """

    def __init__(
        self,
        verdicts: Sequence[Any] = (-1,) * 100,
        answers: Sequence[int] = (0,) * 100,
        *,
        complete: bool = False,
        thinking: str = f"{PATH}Wait, let me verify\n{PATH}",
    ) -> None:
        self.verdicts, self.answers = list(verdicts), list(answers)
        self.complete, self.thinking = complete, thinking
        self.solving: list[str] = []
        self.judging: list[str] = []
        self.runs: dict[str, int] = {}
        self.model = ScriptedModel(self.reply)

    def reply(self, prompt: str) -> Reply:
        if "complete:" in prompt:
            yes = 0.9 if self.complete else 0.1
            return [Token("Y", None, 0.0, (("Yes", math.log(yes)), ("No", math.log(1 - yes))))]
        if "user\nverify: " in prompt:
            return self.judge(prompt)
        if prompt.endswith("</think>\n"):
            return f"Answer: {ANSWERS[self.answers[len(self.solving) - 1]]} = 24"
        self.solving.append(prompt)
        answer = ANSWERS[self.answers[len(self.solving) - 1]]
        return f"{self.thinking}</think>\nAnswer: {answer} = 24"

    def judge(self, prompt: str) -> Reply:
        stage = "fast" if prompt.endswith(FAST) else "slow"
        solution = prompt.removesuffix(FAST if stage == "fast" else SLOW)
        if solution not in self.judging:
            self.judging.append(solution)
        said = self.verdicts[self.judging.index(solution)]
        fast, slow = said if isinstance(said, tuple) else (said, said)
        index = slow if stage == "slow" else fast
        if isinstance(index, list):
            number = self.runs.get(solution, 0)
            self.runs[solution] = number + 1
            index = index[number % len(index)]
        found = "?" if index is None else rf"flaw {index} of {len(self.judging)} \boxed{{{index}}}"
        return found if stage == "fast" else f"hm</think>{found}"

    async def solve(self, **given: Any) -> Result:
        given = {"detect": False, "iterations": 1, **given}
        ours = {"judge_answers": "domain" in given.get("ladder", ())}
        given = ours | given
        return await agentflow.asolve(PUZZLE, "solve_detect_verify", model=self.model, **given)


def calls(result: Result) -> dict[str, int]:
    """Calls by role."""
    found: dict[str, int] = {}
    for entry in result.ledger.values():
        if entry["calls"]:
            found[entry["role"]] = found.get(entry["role"], 0) + entry["calls"]
    return found


class TestDetect:
    async def test_the_thinking_is_closed_and_the_answer_follows(self) -> None:
        world = World(complete=True)
        result = await world.solve(detect=True)
        assert (result.status, result.answer) == ("accepted", ANSWERS[0])
        thinking, answer = result.trace.split("</think>")
        assert thinking == PATH
        assert answer == f"\nAnswer: {ANSWERS[0]} = 24"
        assert result.trace.wasted > 0
        assert calls(result) == {"solver": 2, "probe": 1, "verifier-fast": 8}

    async def test_and_is_let_go_on_where_the_solution_is_not_complete(self) -> None:
        result = await World().solve(detect=True)
        assert PATH + "Wait, let me verify" in result.trace.body
        assert calls(result) == {"solver": 1, "probe": 2, "verifier-fast": 8}  # Wait; let me verify

    @pytest.mark.parametrize(
        ("lacking", "able"),
        [
            ("logprobs", Capabilities(logprobs=0)),
            ("continues", Capabilities(continues=False, turns=True)),
        ],
    )
    async def test_a_detector_that_cannot_is_left_out(
        self, lacking: str, able: Capabilities
    ) -> None:
        world = World()
        world.model.capabilities = able
        result = await world.solve(detect=True)
        told = [event["lacking"] for event in result.events if event["type"] == "weaker"]
        assert set(told) == {lacking}
        assert "probe" not in calls(result)
        assert result.answer is not None

    async def test_a_solver_that_cannot_go_on_at_all(self) -> None:
        world = World()
        world.model.capabilities = Capabilities(continues=False)
        with pytest.raises(MissingCapability, match=r"solve_detect_verify cannot run.*continues"):
            await world.solve(detect=True)
        assert world.solving == []

    async def test_a_proxy_may_be_asked(self) -> None:
        world, proxy = World(), World(complete=True)
        world.model.capabilities = Capabilities(logprobs=0)
        models = {"solver": world.model, "verifier": world.model, "proxy": proxy.model}
        result = await agentflow.asolve(
            PUZZLE, "solve_detect_verify", model=models, detector="proxy"
        )
        assert result.trace.split("</think>")[0] == PATH


class TestVerify:
    async def test_what_was_accepted_is_what_was_verified(self) -> None:
        world = World()
        result = await world.solve()
        assert (result.status, result.reason) == ("accepted", "by flex@8")
        (judged,) = world.judging
        body = result.trace.body.replace("</think>", "\n")
        said = re.findall(r"<step_\d+>\n(.*?)\n</step_\d+>", judged, re.DOTALL)
        expected = (PATH, body.removeprefix(PATH))
        assert [line.split() for line in said] == [step.split() for step in expected]
        assert str(result.answer) in judged

    async def test_the_slow_runs_decide_where_the_fast_ones_disagree(self) -> None:
        result = await World([([-1, 0] * 4, -1)]).solve()
        assert (result.status, calls(result)["verifier-slow"]) == ("accepted", 1)
        result = await World([([-1] * 6 + [0] * 2, 1)]).solve()
        assert (result.status, result.answer) == ("unverified", ANSWERS[0])
        assert result.reason == "rejected by flex@8: flaw 1 of 1"

    @pytest.mark.parametrize(
        ("ladder", "verdict", "expected", "asked"),
        [
            (["fast"], [-1, -1, 0], "accepted", {"verifier-fast": 3}),
            (["fast"], [None, None, 0], "unverified", {"verifier-fast": 3}),
            (["slow"], -1, "accepted", {"verifier-slow": 3}),
            (["fast", "domain"], [None, None, 0], "verified", {"verifier-fast": 3}),
            (
                ["fast", "slow", "domain"],
                ([0, -1, 1], None),
                "verified",
                {"verifier-fast": 3, "verifier-slow": 1},
            ),
            (["fast", "slow", "domain"], 0, "verified", {"verifier-fast": 3}),
            (["domain"], 0, "verified", {}),
        ],
    )
    async def test_the_ladder(
        self, ladder: list[str], verdict: Any, expected: str, asked: dict[str, int]
    ) -> None:
        result = await World([verdict]).solve(ladder=ladder, k=3)
        assert result.status == expected
        assert calls(result) == {"solver": 1} | asked

    async def test_the_domain_is_sound(self) -> None:
        wrong = await World(answers=[3]).solve(ladder=["domain"])
        assert (wrong.status, wrong.candidate) == ("abstained", ANSWERS[3])
        assert "is 27 , not 24" in wrong.reason

    async def test_a_slip_in_what_was_given_up_does_not_matter_for_a_right_answer(self) -> None:
        slip = World(thinking=PATH.replace("7 - 1 = 6", "7 - 1 = 5"))
        assert (await slip.solve(ladder=["domain"])).status == "verified"

    async def test_a_solution_without_an_answer_is_not_judged(self) -> None:
        world = World()
        world.model = ScriptedModel("so</think>I do not know")
        result = await world.solve()
        assert (result.status, result.answer, result.candidate) == ("exhausted", None, None)
        assert result.reason == "no answer found"
        assert calls(result) == {"solver": 2}, "it is asked once to state one"

    async def test_a_verifier_of_its_own(self) -> None:
        solver, critic = World(), World([0])
        models = {"solver": solver.model, "verifier": critic.model}
        result = await agentflow.asolve(
            PUZZLE,
            "solve_detect_verify",
            model=models,
            detect=False,
            iterations=1,
            judge_answers=False,
        )
        assert (result.status, result.answer) == ("unverified", ANSWERS[0])
        assert (len(solver.judging), len(critic.judging)) == (0, 1)


class TestRefine:
    @settings(deadline=None, max_examples=30)
    @given(
        st.lists(st.sampled_from([-1, 0, 1, None]), min_size=5, max_size=5),
        st.integers(1, 5),
        st.sampled_from(["prompt", "note"]),
    )
    def test_the_loop(self, verdicts: list[int | None], iterations: int, how: str) -> None:
        world = World(verdicts, range(5))
        result = asyncio.run(world.solve(iterations=iterations, refine_by=how, k=2))
        judged = verdicts[:iterations]
        passed = judged.index(-1) if -1 in judged else None
        tried = iterations if passed is None else passed + 1
        assert len(world.solving) == len(world.judging) == tried
        assert result.corrections == tried - 1
        last = ANSWERS[tried - 1]
        if passed is None:
            assert (result.status, result.answer) == ("unverified", last)
        else:
            assert (result.status, result.answer) == ("accepted", last)
        assert calls(result)["solver"] == tried
        assert result.cost.generated >= result.trace.generated
        for number, prompt in enumerate(world.solving[1:]):
            index = verdicts[number]
            told = f"flaw {index} of {number + 1}" if index is not None else "no reply named a step"
            assert told in prompt

    async def test_the_feedback_and_the_solution_stand_in_the_new_prompt(self) -> None:
        world = World([1, -1], [3, 0])
        result = await world.solve(iterations=2)
        assert (result.status, result.answer) == ("accepted", ANSWERS[0])
        retry = world.solving[1]
        assert f"Answer: {ANSWERS[3]} = 24" in retry
        assert retry.endswith("review: flaw 1 of 1<|im_end|>\n<|im_start|>assistant\n<think>\n")
        assert ANSWERS[3] not in result.trace.text.rpartition("assistant")[2]
        assert [op["op"] for op in result.operations] == ["append", "append", "begin", "append"]
        assert result.trace.wasted == 0

    async def test_a_note_stands_behind_the_wrong_step(self) -> None:
        world = World([0, -1])
        result = await world.solve(iterations=2, refine_by="note")
        assert result.status == "accepted"
        assert result.trace.body.startswith(f"{PATH}Wait, flaw 0 of 1\n{PATH}")
        assert result.cost.wasted == result.trace.wasted > 0

    @pytest.mark.parametrize(("index", "kept"), [(0, ""), (1, PATH), (None, "")])
    async def test_a_wrong_step_is_drawn_anew(self, index: int | None, kept: str) -> None:
        world = World([index, -1], [3, 0])
        result = await world.solve(iterations=2, refine_by="redraw")
        assert (result.status, result.answer) == ("accepted", ANSWERS[0])
        assert world.solving[1] == world.solving[0] + kept
        assert result.cost.wasted == result.trace.wasted > 0

    async def test_the_domains_wrong_line_is_drawn_anew(self) -> None:
        slip = PATH.replace("7 - 1 = 6", "7 - 1 = 5")
        rest = PATH.partition("\n")[2]

        def reply(prompt: str) -> str:
            if prompt.endswith("(left: 1 4 7)\n"):
                return f"{rest}</think>\nAnswer: {ANSWERS[0]}"
            return f"{slip}</think>\nAnswer: {ANSWERS[3]}"

        world = World()
        world.model = ScriptedModel(reply)
        result = await world.solve(ladder=["domain"], iterations=3, refine_by="redraw")
        assert (result.status, result.answer) == ("verified", ANSWERS[0])
        assert result.trace.split("</think>")[0] == PATH

    async def test_the_domains_feedback_stands_behind_the_line(self) -> None:
        slip = PATH.replace("7 - 1 = 6", "7 - 1 = 5")
        first = "8 / 8 = 1 (left: 1 4 7)\n7 - 1 = 5 (left: 4 6)\nWait, 7 - 1 is 6 , not 5\n"
        again = "7 - 1 = 6 (left: 4 6)\n4 * 6 = 20 (left: 20)\n"
        last = "4 * 6 = 24 (left: 24)\n"

        def reply(prompt: str) -> str:
            if prompt.endswith("not 20\n"):
                return f"{last}</think>\nAnswer: {ANSWERS[0]}"
            path = again if prompt.endswith("not 5\n") else slip
            return f"{path}</think>\nAnswer: {ANSWERS[3]}"

        world = World()
        world.model = ScriptedModel(reply)
        result = await world.solve(ladder=["domain"], iterations=3, refine_by="note")
        assert (result.status, result.answer) == ("verified", ANSWERS[0])
        noted = f"{first}{again}Wait, 4 * 6 is 24 , not 20\n{last}"
        assert result.trace.split("</think>")[0] == noted

    async def test_a_wrong_answer_is_noted_in_the_thinking(self) -> None:
        world = World(answers=[3, 0])
        result = await world.solve(ladder=["domain"], iterations=2, refine_by="note")
        assert result.status == "verified"
        assert "is 27 , not 24\n" in result.trace.split("</think>")[0]

    async def test_the_budget_is_each_attempts_own(self) -> None:
        alone = await World().solve()
        (spent,) = (e["generated"] for e in alone.ledger.values() if e["role"] == "solver")
        world = World([0, 0, -1], [0, 1, 3])
        result = await world.solve(iterations=3, solver_tokens=spent + 1)
        assert (result.status, result.answer) == ("accepted", ANSWERS[3])

    async def test_a_solution_that_gets_too_long_is_exhausted(self) -> None:
        result = await World().solve(iterations=3, solver_tokens=5)
        assert (result.status, result.reason) == (
            "exhausted",
            "the budget of 5 tokens is spent, with no answer yet",
        )


class TestSamples:
    async def test_each_is_solved_and_verified_by_itself(self) -> None:
        world = World([-1, 0, -1], [0, 2, 3])
        result = await world.solve(samples=3)
        statuses = sorted(one["status"] for one in result.samples)
        assert statuses == ["accepted", "accepted", "unverified"]
        assert calls(result) == {"solver": 3, "verifier-fast": 24}
        assert len({request.seed for request in world.model.requests}) == 27
        assert result.status == "accepted"

    @pytest.mark.parametrize(
        ("verdicts", "answers", "answer", "status"),
        [
            ([-1] * 5, [3, 0, 1, 0, 3], 0, "accepted"),  # 0 and 1 are the same
            ([0, -1, 0, 0, 0], [0, 3, 0, 0, 0], 3, "accepted"),  # only accepted ones vote
            ([0] * 5, [3, 0, 1, 0, 3], 0, "unverified"),
        ],
    )
    async def test_the_vote(
        self, verdicts: list[int], answers: list[int], answer: int, status: str
    ) -> None:
        world = World([], answers)
        judge = world.judge

        def judged(prompt: str) -> Reply:
            """The verdict on a solution is the one on its place in the answers."""
            said = next(a for a in ANSWERS if f"Answer: {a} = 24" in prompt)
            passed = any(
                v == -1 and ANSWERS[a] == said for v, a in zip(verdicts, answers, strict=True)
            )
            world.judging.clear()
            world.verdicts = [-1 if passed else 0]
            return judge(prompt)

        world.judge = judged  # type: ignore[method-assign]
        result = await world.solve(samples=5)
        said = [one["answer"] or one["candidate"] for one in result.samples]
        assert sorted(said) == sorted(ANSWERS[n] for n in answers)
        same = {ANSWERS[0], ANSWERS[1]} if answer == 0 else {ANSWERS[answer]}
        assert result.status == status
        assert (result.answer or result.candidate) in same

    async def test_verified_ones_outvote_accepted_ones(self) -> None:
        accepted = await World(answers=[3, 3, 0]).solve(samples=3, ladder=["fast"])
        assert accepted.answer == ANSWERS[3]
        mixed = await World([None] * 3, [3, 3, 0]).solve(samples=3, ladder=["fast", "domain"])
        assert (mixed.status, mixed.answer) == ("verified", ANSWERS[0])

    async def test_events_say_whose_they_are(self) -> None:
        events: list[dict[str, Any]] = []
        result = await World().solve(samples=3, on_event=events.append)
        streamed = {event.get("branch", 0) for event in events if event["type"] == "token"}
        assert streamed == {0, 1, 2}
        told = {key for e in events if e["type"] == "usage" for key in e["entries"]}
        assert told == set(result.ledger)

    async def test_a_sample_that_breaks_does_not_take_the_others_with_it(self) -> None:
        world, broken = World(), iter([True])
        reply = world.reply

        def break_once(prompt: str) -> Reply:
            said = reply(prompt)
            if len(world.solving) == 1 and next(broken, False):
                return ["8 / 8 = 1", Fault(ModelUnavailable("gone"))]
            return said

        world.model._script = break_once
        result = await world.solve(samples=3, retries=0)
        assert result.status == "accepted"
        assert sorted(one["error"] for one in result.samples) == ["", "", "gone"]


class TestHuman:
    async def ask(self, tmp_path: Path, reply: Any) -> Result:
        world = World([([None] * 8, None)] * 9)
        where = {"checkpoints": tmp_path / "t.sqlite"}
        ladder = ["fast", "slow", "human"]
        with pytest.raises(Paused) as paused:
            await world.solve(ladder=ladder, thread="t", iterations=2, **where)
        question = paused.value.question
        assert isinstance(question, dict)
        assert (question["problem"], question["answer"]) == (PUZZLE, ANSWERS[0])
        assert PATH in question["solution"]
        return await agentflow.aresume("t", reply=reply, model=world.model, **where)

    async def test_a_person_accepts(self, tmp_path: Path) -> None:
        result = await self.ask(tmp_path, True)
        assert (result.status, result.answer) == ("accepted", ANSWERS[0])
        assert result.reason == "by a person"
        assert calls(result) == {"solver": 1, "verifier-fast": 8, "verifier-slow": 1}

    async def test_a_person_rejects_and_is_asked_again(self, tmp_path: Path) -> None:
        with pytest.raises(Paused) as paused:
            await self.ask(tmp_path, "use the seven")
        assert isinstance(paused.value.question, dict)

    @pytest.mark.parametrize("reply", [False, "", 3])
    async def test_a_reply_that_is_none(self, tmp_path: Path, reply: Any) -> None:
        with pytest.raises(BadInput, match="cannot be told"):
            await self.ask(tmp_path, reply)

    async def test_without_a_thread_nobody_can_be_asked(self) -> None:
        with pytest.raises(BadInput, match="a person in the ladder needs a thread"):
            await World().solve(ladder=["human"])

    async def test_one_person_for_one_sample(self) -> None:
        with pytest.raises(BadInput, match="can judge one sample"):
            await World().solve(ladder=["human"], samples=2)


class TestThreads:
    async def test_a_run_goes_on_where_its_verifier_fell_away(self, tmp_path: Path) -> None:
        world = World()
        judge, gone = world.judge, True

        def broken(prompt: str) -> Reply:
            return [Fault(ModelUnavailable("gone"))] if gone else judge(prompt)

        world.judge = broken  # type: ignore[method-assign]
        where = {"checkpoints": tmp_path / "t.sqlite"}
        with pytest.raises(ModelUnavailable):
            await world.solve(thread="t", **where)
        gone = False
        result = await agentflow.aresume("t", model=world.model, **where)
        assert result.status == "accepted"
        assert len(world.solving) == 1
        assert calls(result)["solver"] == 1

    async def test_a_thread_used_again_begins_anew(self, tmp_path: Path) -> None:
        where = {"checkpoints": tmp_path / "t.sqlite", "thread": "t"}
        first = await World().solve(samples=2, **where)
        again = await World([0] * 9, [3] * 9).solve(samples=2, **where)
        assert (first.status, again.status) == ("accepted", "unverified")
        assert len(again.samples) == 2
        assert again.answer == ANSWERS[3]


async def test_a_problem_without_an_answer_is_declined() -> None:
    world = World()
    result = await agentflow.asolve("1 1 1 1", "solve_detect_verify", model=world.model)
    assert result.status == "abstained"
    assert world.model.requests == []


@pytest.mark.parametrize("ladder", [["fast", "fast"], ["prayer"]])
async def test_a_ladder_that_is_none(ladder: list[str]) -> None:
    with pytest.raises(BadInput, match="ladder"):
        await World().solve(ladder=ladder)


async def test_what_the_domain_cannot_decide_is_not_solved_again() -> None:
    model = ScriptedModel("3 boxes of 4 are 12.</think>\nAnswer: 12\n")
    given: dict[str, Any] = {"ladder": ["domain"], "detect": False, "iterations": 4}
    question = "How many eggs are in 3 boxes of 4?"
    result = await agentflow.asolve(
        question, "solve_detect_verify", model=model, domain="math", **given
    )
    assert (result.status, result.answer, result.corrections) == ("unverified", "12", 0)
    assert len(model.requests) == 1
