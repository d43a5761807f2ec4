"""unified: which means a problem gets, what each saves, the budget, what is never given out."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from legs import LEGS, PATH, PUZZLE, RIGHT, Script
from reward import rejecting

import agentflow
from agentflow import Result
from agentflow.domains.game24 import Game24, judge_answer
from agentflow.errors import BadInput
from agentflow.models import Capabilities, ScriptedModel, Token

QUESTION = "Tom has 3 bags of 4 apples. How many apples has he?"


async def play(*legs: str, **given: Any) -> tuple[Result, Script]:
    """Game of 24, whose verifier is complete."""
    model = Script(legs)
    return await agentflow.asolve(PUZZLE, "unified", model=model, **given), model


class World(ScriptedModel):
    """A word problem, which the domain cannot decide; plays answers and verdicts in turn.

    Args:
        answers: What each sample says; one behind a ``!`` holds a wrong equation, too.
        fast: What the fast runs of FlexiVe say: the first wrong step, -1 for none.
        evaluations: What VerifiAgent says; without one its replies cannot be read.
    """

    def __init__(
        self, answers: Sequence[str], fast: Sequence[int] = (), evaluations: Sequence[bool] = ()
    ) -> None:
        super().__init__(self.reply)
        self.answers, self.fast, self.evaluations = iter(answers), iter(fast), iter(evaluations)
        self.asked: Counter[str] = Counter()

    def reply(self, prompt: str) -> str:
        if "verify: " in prompt:
            self.asked["fast"] += 1
            return rf"looked at it \boxed{{{next(self.fast)}}}"
        if "user\nmath: " in prompt and prompt.endswith("<think>\n"):
            self.asked["solver"] += 1
            answer = next(self.answers)
            equation = " 2 + 2 = 5\n" if answer.startswith("!") else " 3 * 4 = 12\n"
            return f"{equation}</think>\nAnswer: {answer.lstrip('!')}\n"
        self.asked["verifiagent"] += 1
        said = next(self.evaluations, None)
        if said is None:
            return "hm"
        return f'Action: Evaluate\nAction Input: {{"correct": {str(said).lower()}}}\n'

    async def solve(self, **given: Any) -> Result:
        given = {"domain": "math", "k": 2, "meta": False, "judged_from": 0, **given}
        return await agentflow.asolve(QUESTION, "unified", model=self, **given)


class TestDoubt:
    """A fact that no page bears out is drawn again; said again, it stands."""

    QUESTION = "Was the Otter Bridge built before Lake Orrin was dammed?"

    async def solve(self, tmp_path: Path, said: Sequence[str], **given: Any) -> tuple[Result, int]:
        pages = [
            {"title": "Otter Bridge", "text": "A bridge that was built in 1831."},
            {"title": "Lake Orrin", "text": "A lake that was dammed in 1902."},
        ]
        (tmp_path / "pages.json").write_text(json.dumps(pages))
        lines = iter(said)
        model = ScriptedModel(lambda prompt: next(lines))
        search = {"search": f"local:{tmp_path}"}
        given = {"domain": "commonsense", "tools": search, **given}
        result = await agentflow.asolve(self.QUESTION, "unified", model=model, **given)
        return result, len(said) - len(list(lines))

    async def test_it_is_drawn_again(self, tmp_path: Path) -> None:
        rest = "Fact: Lake Orrin was dammed in 1902.\nAnswer: yes\n"
        wrong, right = (f"Fact: Otter Bridge was built in {year}.\n" for year in (1983, 1831))
        result, asked = await self.solve(tmp_path, [wrong + rest, right + rest])
        assert (result.status, result.answer, asked) == ("unverified", "yes", 2)
        assert result.trace.body.startswith(right + rest)
        assert (result.corrections, result.trace.wasted > 0) == (1, True)

    @pytest.mark.parametrize(("given", "asked"), [({}, 2), ({"doubt": 0}, 1), ({"redraws": 0}, 1)])
    async def test_said_again_it_stands(
        self, tmp_path: Path, given: dict[str, Any], asked: int
    ) -> None:
        text = "Fact: Otter Bridge was built in 1983.\nAnswer: yes\n"
        result, times = await self.solve(tmp_path, [text] * 9, **given)
        assert (result.answer, times) == ("yes", asked)
        assert result.trace.body.startswith(text)


class TestCompleteDomain:
    async def test_the_thinking_ends_at_the_first_right_answer_which_is_written_out(self) -> None:
        result, model = await play("same answer")
        assert (result.status, result.reason) == ("verified", "by game24; sample 1")
        assert len(model.requests) == 1
        assert result.cost.generated < len(model._split.findall(LEGS["same answer"]))
        kinds = [segment.kind for segment in result.trace.segments]
        assert kinds == ["prompt", "generated", "marker"]
        assert result.trace.segments[-1].text.startswith("</think>\n\\boxed{")
        assert result.answer is not None
        assert judge_answer(Game24().parse(PUZZLE), result.answer).ok

    async def test_a_wrong_step_is_told_as_it_is_written(self) -> None:
        result, model = await play("wrong step", "right", redraws=0)
        assert (result.status, result.corrections, len(result.samples)) == ("verified", 1, 1)
        assert [segment.kind for segment in result.trace.segments][:3] == [
            "prompt",
            "generated",
            "feedback",
        ]
        assert "and so on" not in result.trace.body
        assert len(model.requests) == 2

    async def test_a_wrong_step_is_taken_back_and_drawn_again(self) -> None:
        said = iter([" hm, 4 and 7\n so: 8 / 8 = 2 (left: 2 4 7)\n and so on", LEGS["right"]])
        prompts: list[str] = []

        def reply(prompt: str) -> str:
            prompts.append(prompt)
            return next(said)

        model = ScriptedModel(reply)
        result = await agentflow.asolve(PUZZLE, "unified", model=model)
        assert (result.status, result.corrections, len(result.samples)) == ("verified", 1, 1)
        assert result.trace.body.startswith(" hm, 4 and 7\n 8 / 8 = 1 (left: 1 4 7)\n")
        assert prompts[1].endswith("<think>\n hm, 4 and 7\n")
        assert result.cost.wasted == result.trace.wasted > 0
        assert result.cost.generated == model.streamed
        assert [one["corrected"] for one in result.judged if one["verdict"]["ok"] is False] == [
            True
        ]

    async def test_too_many_corrections_end_the_sample_not_the_run(self) -> None:
        model = Script([])
        model.reply = lambda prompt: LEGS["wrong step" if len(model.requests) < 3 else "right"]  # type: ignore[method-assign]
        model._script = model.reply
        result = await agentflow.asolve(PUZZLE, "unified", model=model, max_corrections=1)
        assert result.status == "verified"
        assert result.samples[0]["reason"].startswith("too many corrections; the last: ")
        assert len(result.samples) == 2

    async def test_samples_that_ran_out_of_tokens_were_not_given_up_at_a_wrong_step(self) -> None:
        model = ScriptedModel(" 8 / 8 = 1 (left: 1 4 7)\n" + "so " * 200)
        result = await agentflow.asolve(PUZZLE, "unified", model=model, solver_tokens=60, n=3)
        assert (result.status, len(result.samples)) == ("exhausted", 3)

    async def test_unsteered_it_is_verified_sampling(self) -> None:
        result, _ = await play("wrong answer", steer=False, k_stable=0, n=1)
        assert (result.status, result.answer) == ("abstained", None)
        result, _ = await play("right", steer=False, k_stable=0, n=1)
        assert (result.status, result.corrections) == ("verified", 0)

    async def test_a_dead_end_is_told_unless_that_is_off(self) -> None:
        def reply(prompt: str) -> str:
            dead = " 8 * 8 = 64 (left: 4 7 64)\n"
            return LEGS["right"] if "cannot be reached" in prompt else dead + LEGS["right"]

        for hopeless, corrections in ((True, 1), (False, 0)):
            model = ScriptedModel(reply)
            result = await agentflow.asolve(
                PUZZLE, "unified", model=model, hopeless=hopeless, redraws=0
            )
            assert (result.status, result.corrections) == ("verified", corrections)

    async def test_a_model_that_only_chats_is_sampled_and_verified(self) -> None:
        said = iter([LEGS["wrong answer"], LEGS["right"]])
        model = ScriptedModel(
            lambda prompt: next(said), capabilities=Capabilities(continues=False, logprobs=0)
        )
        result = await agentflow.asolve(PUZZLE, "unified", model=model)
        assert (result.status, len(result.samples)) == ("verified", 2)

    async def test_a_problem_without_an_answer_is_declined(self) -> None:
        model = Script([])
        result = await agentflow.asolve("1 1 1 1", "unified", model=model)
        assert (result.status, model.requests) == ("abstained", [])


class TestLadder:
    async def test_fast_runs_that_agree_are_enough(self) -> None:
        world = World(["12"], fast=[-1, -1])
        result = await world.solve()
        assert (result.status, result.answer) == ("accepted", "12")
        assert world.asked == {"solver": 1, "fast": 2}

    async def test_tools_are_asked_where_they_do_not(self) -> None:
        world = World(["12"], fast=[-1, 0])
        result = await world.solve(ladder=["fast", "verifiagent"])
        assert world.asked["verifiagent"] > 0
        assert (result.status, len(result.samples)) == ("unverified", 1)  # which nobody could tell

    async def test_an_equation_that_holds_does_not_pass_as_an_answer(self) -> None:
        world = World(["12"], fast=[-1, -1])

        def reply(prompt: str) -> str:
            if "verify: " in prompt:
                return world.reply(prompt)
            return "Answer: 3 * 4 = 12\n" * 2 if prompt.endswith("<think>\n") else "Answer: 12\n"

        world._script = reply
        result = await world.solve()
        assert (result.status, result.answer) == ("accepted", "3 * 4 = 12")

    async def test_a_refuted_equation_asks_no_model(self) -> None:
        world = World(["!12", "12"], fast=[-1, -1])
        result = await world.solve(steer=False)
        assert (result.status, result.answer) == ("accepted", "12")
        assert world.asked == {"solver": 2, "fast": 2}
        assert result.samples[0]["verdict"]["verifier"] == "domain"

    async def test_behind_the_first_only_long_samples_are_judged(self) -> None:
        world = World(["13"])
        result = await world.solve(judged_from=1000)
        assert (result.status, result.answer) == ("unverified", "13")
        assert world.asked == {"solver": 1}
        world = World(["12"], fast=[-1, -1])
        result = await world.solve(judged_from=5)
        assert (result.status, world.asked["fast"]) == ("accepted", 2)
        world = World(["12"], fast=[-1, -1])
        result = await world.solve(judged_from=1000, ladder=["fast"])
        assert (result.status, world.asked["fast"]) == ("accepted", 2)

    async def test_a_rejection_draws_another_sample(self) -> None:
        world = World(["13", "12"], fast=[0, 0, -1, -1])
        result = await world.solve()
        assert (result.status, result.answer, len(result.samples)) == ("accepted", "12", 2)

    async def test_answers_that_agree_end_it_unverified(self) -> None:
        world = World(["13", "12", "12.0", "1"], fast=[0, -1] * 4)
        result = await world.solve(agree=2)
        assert (result.status, result.answer, len(result.samples)) == ("unverified", "12", 3)
        assert result.reason.startswith("none of 3 samples passed; majority 2 of 3: not decided by")

    async def test_two_samples_given_up_at_a_wrong_step_are_enough(self) -> None:
        world = World(["!12"] * 12)
        result = await world.solve(redraws=5, max_corrections=5)
        assert (result.status, result.answer, len(result.samples)) == ("abstained", None, 2)
        assert world.asked == {"solver": 12}

    async def test_rejected_ones_do_not_agree(self) -> None:
        world = World(["13", "13", "13"], fast=[0] * 6)
        result = await world.solve(n=3)
        assert (result.status, result.answer, len(result.samples)) == ("unverified", "13", 3)

    @pytest.mark.parametrize(
        ("bad", "why"),
        [
            ({"ladder": ["fast", "fast"]}, "twice"),
            ({"ladder": []}, "ladder"),
            ({"budget": 0}, "budget"),
            ({"agree": 0}, "agree"),
        ],
    )
    async def test_settings_that_are_none(self, bad: dict[str, Any], why: str) -> None:
        with pytest.raises(BadInput, match=why):
            await World([]).solve(**bad)


@settings(max_examples=60)
@given(
    st.lists(st.sampled_from(sorted(LEGS)), max_size=6),
    st.integers(1, 400),
    st.booleans(),
    st.integers(0, 3),
    st.integers(1, 4),
)
def test_whatever_is_said_answers_are_right_and_the_budget_holds(
    legs: list[str], budget: int, hopeless: bool, redraws: int, n: int
) -> None:
    result, model = asyncio.run(play(*legs, budget=budget, hopeless=hopeless, redraws=redraws, n=n))
    assert result.cost.generated == model.streamed <= budget
    assert result.status in ("verified", "exhausted", "abstained")
    if result.status == "verified":
        assert result.answer is not None
        assert judge_answer(Game24().parse(PUZZLE), result.answer).ok
    else:
        assert result.answer is None


async def test_the_budget_covers_verifiers_and_later_samples() -> None:
    free = await World(["13", "12"], fast=[0, 0, -1, -1]).solve()
    (spent,) = (one["generated"] for key, one in free.ledger.items() if key.startswith("solver/0/"))
    world = World(["13", "12"], fast=[0, 0, -1, -1])
    result = await world.solve(budget=spent)
    assert world.asked == {"solver": 1}
    assert (result.status, result.answer) == ("unverified", "13")


class TestTakenBack:
    """What was judged of a line goes with it, for its offsets are used again."""

    async def test_an_answer_that_was_cut_away_is_not_written_out(self) -> None:
        said = iter([" 15 + 27 = \\boxed{43}\n", " 15 + 27 = \\boxed{42}\n"])
        question = "Tom has 15 apples and gets 27. How many apples has he?"
        model = ScriptedModel(lambda prompt: next(said))
        result = await agentflow.asolve(question, "unified", model=model, domain="math", n=1)
        assert (result.answer, result.corrections) == ("42", 1)

    @pytest.mark.parametrize(
        "line",
        [
            "8 / 8 = 2 (left: 2 4 7) ; 8 / 8 = 1 (left: 1 4 7)",
            "8 / 8 = 1 (left: 1 4 7) ; 7 - 1 = 5 (left: 4 5)",
        ],
    )
    async def test_a_right_step_beside_a_wrong_one_is_no_step_ahead(self, line: str) -> None:
        model = ScriptedModel(f" {line}\n")
        given: dict[str, Any] = {"model": model, "n": 1, "solver_tokens": 2000}
        result = await agentflow.asolve(PUZZLE, "unified", **given, redraws=0, max_corrections=0)
        assert (result.corrections, len(model.requests)) == (0, 1)
        result = await agentflow.asolve(PUZZLE, "unified", **given)
        assert result.corrections == 5
        notes = [part for part in result.trace.segments if part.kind == "feedback"]
        assert len(notes) == 2

    async def test_a_step_that_was_cut_away_carries_nothing(self) -> None:
        first = " 8 / 8 = 1 (left: 1 4 7) ; 7 - 1 = 5 (left: 4 5)\n"
        said = iter([first, " 7 - 1 = 6 (left: 4 6)\n hm\n"])
        model = ScriptedModel(lambda prompt: next(said, " hm\n</think>\n"))
        result = await agentflow.asolve(PUZZLE, "unified", model=model, n=1)
        steps = [one for one in result.judged if one["state"]["kind"] == "step"]
        oks = [one["verdict"]["ok"] for one in steps if one["monitor"] == "step_verifier"]
        assert oks[:2] == [True, False]
        assert True not in oks[2:]

    async def test_an_earlier_line_that_ended_there_is_not_cut_again(self) -> None:
        kept, wrong = " 8 / 8 = 1 (left: 1 4 7)\n", " 7 - 1 = 5 (left: 4 5)\n"
        long = " 8 / 8 = 2 (left: 2 4 7)".ljust(len(kept + wrong) - 1) + "\n"
        said = iter([long, kept + wrong, LEGS["right"].removeprefix(kept)])
        result = await agentflow.asolve(
            PUZZLE, "unified", model=ScriptedModel(lambda prompt: next(said)), n=1
        )
        cuts = [one["offset"] for one in result.operations if one["op"] == "cut"]
        assert cuts[:4] == [len(long), 0, len(long), len(kept)]
        assert result.status == "verified"


@pytest.mark.parametrize("close", ["", "</think>\n"])
@pytest.mark.parametrize("end", ["\n", "\n\n"])
async def test_a_step_that_a_note_put_right_is_not_held_against_the_solution(
    close: str, end: str
) -> None:
    begun = f" 15 + 27 = 42\n{close}" if close else ""
    said = iter(
        [
            [f"{begun} 3 + 3 = 7", Token(end), "so on"],
            f" 3 + 3 = 6\n{'' if close else '</think>'}\nAnswer: 42\n",
        ]
    )
    question = "Tom has 15 apples and gets 27. How many apples has he?"
    model = ScriptedModel(lambda prompt: next(said))
    given: dict[str, Any] = {"domain": "math", "n": 1, "redraws": 0, "k_stable": 0}
    result = await agentflow.asolve(question, "unified", model=model, **given)
    assert (result.answer, result.corrections) == ("42", 1)
    assert result.samples[0]["verdict"]["ok"] is None


@pytest.mark.parametrize("fast", ["hm", r"\boxed{-1}"])
@pytest.mark.parametrize("method", ["unified", "solve_detect_verify"])
async def test_what_the_domain_refuted_in_one_sample_no_other_gives(method: str, fast: str) -> None:
    def reply(prompt: str) -> str:
        if "verify: " in prompt:
            return fast if "la 2" in prompt else "hm"
        number = 1 + sum("verify: " not in one for one in asked)
        asked.append(prompt)
        return f" la {number}\n</think>\n\\boxed{{4 + 7 + 8 + 8}}\n"

    asked: list[str] = []
    given: dict[str, Any] = {"ladder": ["fast", "domain"], "k": 2}
    if method == "unified":
        given |= {"n": 2, "steer": False, "k_stable": 0, "judged_from": 0}
    else:
        given |= {"samples": 2, "iterations": 1, "detect": False}
    result = await agentflow.asolve(PUZZLE, method, model=ScriptedModel(reply), **given)
    assert (result.status, result.answer) == ("abstained", None)
    assert result.candidate == "4 + 7 + 8 + 8"


class TestAnotherModelWrites:
    """A verifier that is another model than the solver writes a step that was wrong twice."""

    async def solve(
        self, said: Sequence[str], *written: str, **given: Any
    ) -> tuple[Result, ScriptedModel, ScriptedModel]:
        left, lines = iter(said), iter(written)
        solver = ScriptedModel(lambda prompt: next(left))
        writer = ScriptedModel(lambda prompt: next(lines))
        models = {"solver": solver, "verifier": writer}
        given = {"roles": {"prm": "embedded"}, **given}  # no reward model
        result = await agentflow.asolve(PUZZLE, "unified", model=models, **given)
        return result, solver, writer

    async def test_what_it_writes_is_verified_and_built_upon(self) -> None:
        wrong, (first, *_) = " 8 / 8 = 2 (left: 2 4 7)\n", PATH.splitlines(keepends=True)
        said = [wrong, wrong, RIGHT.removeprefix(first)]
        result, solver, writer = await self.solve(said, f"{first}and more")
        assert (result.status, result.corrections, len(result.samples)) == ("verified", 2, 1)
        assert result.trace.body.startswith(PATH)
        kinds = [segment.kind for segment in result.trace.segments]
        assert kinds[:3] == ["prompt", "rewritten", "generated"]
        assert (len(solver.requests), len(writer.requests)) == (3, 1)
        passed = [one["state"]["data"] for one in result.judged if one["verdict"]["ok"]]
        assert [one["b"] for one in passed if "b" in one][:3] == ["8", "1", "6"]

    async def test_a_wrong_one_is_taken_back_and_the_solver_writes(self) -> None:
        wrong, worse = " 8 / 8 = 2 (left: 2 4 7)\n", " 8 / 8 = 3 (left: 3 4 7)\n"
        result, _, writer = await self.solve([wrong, wrong, " so", RIGHT], worse)
        assert (result.status, result.corrections) == ("verified", 3)
        assert result.trace.body.startswith(PATH)
        assert len(writer.requests) == 1

    async def test_corrections_come_to_an_end_behind_a_right_line_of_its(self) -> None:
        wrong, (first, *_) = " 8 / 8 = 22 (left: 4 7 22)\n", PATH.splitlines(keepends=True)
        stuck = " 7 - 1 = 5 (left: 4 5)\n"
        given: dict[str, Any] = {"n": 1, "redraws": 9, "max_corrections": 4}
        result, _, writer = await self.solve([wrong, wrong, *[stuck] * 9], first, stuck, **given)
        assert (result.status, result.answer) == ("abstained", None)
        assert (result.corrections, len(writer.requests)) == (2 + 4, 2)


class TestStuck:
    """A step that is wrong again and again: what leads to it is drawn again, too."""

    STUCK = " 4 * 6 = 25 (left: 25)\n"

    async def solve(self, said: Sequence[str], **given: Any) -> tuple[Result, list[str]]:
        left, prompts = iter(said), list[str]()

        def reply(prompt: str) -> str:
            prompts.append(prompt)
            return next(left, "")

        model = ScriptedModel(reply)
        result = await agentflow.asolve(PUZZLE, "unified", model=model, n=1, **given)
        return result, [prompt.removeprefix(prompts[0]) for prompt in prompts]

    async def test_the_third_cut_takes_a_line_more_and_the_next_ones_twice_as_many(self) -> None:
        one, two, *_ = PATH.splitlines(keepends=True)
        said = [one + two + self.STUCK, self.STUCK, self.STUCK, two + self.STUCK, RIGHT]
        result, prompts = await self.solve(said, redraws=5)
        assert prompts == ["", one + two, one + two, one, ""]
        assert (result.status, result.corrections) == ("verified", 4)
        assert result.trace.body.startswith(PATH)

    async def test_a_right_step_that_is_said_again_is_no_progress(self) -> None:
        one, two, *_ = PATH.splitlines(keepends=True)
        said = [one + two + self.STUCK, self.STUCK, self.STUCK, *[two + self.STUCK] * 9]
        result, prompts = await self.solve(said, redraws=3)
        assert (result.status, result.corrections) == ("abstained", 5)
        assert len(prompts) == 6


class TestRewardModel:
    """What the domain cannot decide is read by a reward model, where there is one."""

    SAID = " 3 * 4 = 12, a guess\n so it is 12\n</think>\nAnswer: 12\n"

    async def solve(self, said: Sequence[str], written: str, **given: Any) -> tuple[Result, int]:
        left = iter(said)
        models = {
            "solver": ScriptedModel(lambda prompt: next(left)),
            "prm": rejecting("guess"),
            "verifier": ScriptedModel(written),
        }
        given = {"domain": "math", "steer": False, **given}
        result = await agentflow.asolve(QUESTION, "unified", model=models, **given)
        return result, len(said) - len(list(left))

    async def test_a_line_that_it_rejects_is_written_by_the_verifier(self) -> None:
        rest = " so it is 12\n</think>\nAnswer: 12\n"
        result, asked = await self.solve([self.SAID, rest], " 3 * 4 = 12\n")
        assert (result.status, result.answer, result.corrections) == ("accepted", "12", 1)
        assert result.trace.body == f" 3 * 4 = 12\n{rest}"
        assert asked == 2

    async def test_a_line_of_the_verifiers_that_it_rejects_ends_the_run(self) -> None:
        rest = " so it is 12\n</think>\nAnswer: 12\n"
        result, asked = await self.solve([self.SAID, rest, "never"], " 3 * 4 is a guess\n")
        assert (result.status, result.answer, result.corrections) == ("unverified", "12", 1)
        assert (asked, len(result.samples)) == (2, 1)

    @pytest.mark.parametrize(("year", "rewritten"), [(1831, False), (1983, True)])
    async def test_what_was_looked_up_and_is_covered_stays(
        self, tmp_path: Path, year: int, rewritten: bool
    ) -> None:
        page = {"title": "Otter Bridge", "text": "A bridge that was built in 1831."}
        (tmp_path / "pages.json").write_text(json.dumps([page]))
        fact = f"Fact: Otter Bridge was built in {year}.\n"
        models = {
            "solver": ScriptedModel(f"{fact}Answer: yes\n"),
            "prm": rejecting(str(year)),
            "verifier": ScriptedModel(lambda prompt: next(lines)),
        }
        lines = iter([f"Fact: In {year} the Otter Bridge was built.\n"])
        result = await agentflow.asolve(
            TestDoubt.QUESTION, "unified", model=models, domain="commonsense",
            tools={"search": f"local:{tmp_path}"}, redraws=0, max_corrections=0,
        )  # fmt: skip
        assert (result.status, result.answer) == ("unverified", "yes")
        assert any(one.kind == "rewritten" for one in result.trace.segments) is rewritten

    async def test_nothing_is_rewritten_where_that_is_not_wanted(self) -> None:
        result, asked = await self.solve([self.SAID, "never"], "never", rewrites=0)
        assert (result.status, result.answer, asked) == ("unverified", "12", 1)

    async def test_a_ladder_without_it_does_not_ask_it(self) -> None:
        result, asked = await self.solve([self.SAID], "never", ladder=["domain"])
        assert (result.status, result.answer, asked) == ("unverified", "12", 1)
        assert not any(event.get("monitor") == "prm" for event in result.events)
