"""Solutions that are written with others before the model's eyes, round by round."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

import agentflow
from agentflow.models import ScriptedModel

QUESTION = "Ann has 3 apples and buys 4 more. How many apples does Ann have?"


def written(answer: int | str, thought: str = "hm") -> str:
    return rf"{thought}</think>\boxed{{{answer}}}"


class Solver:
    """Writes one solution after the other, and keeps what it was asked."""

    def __init__(self, solutions: Iterator[str]) -> None:
        self.prompts: list[str] = []
        self.solutions = solutions
        self.model = ScriptedModel(self.reply)

    def reply(self, prompt: str) -> str:
        if prompt.endswith(r"\boxed{"):  # one that stated no answer is asked for it
            return "}"
        self.prompts.append(prompt)
        return next(self.solutions)

    def solve(self, **settings: Any) -> agentflow.Result:
        given = {"domain": "math", "model": self.model, **settings}
        result = agentflow.solve(QUESTION, "self_aggregation", **given)
        assert sum(one["generated"] for one in result.ledger.values()) <= self.model.streamed
        return result

    def shown(self, number: int) -> list[str]:
        """The solutions in a prompt, in their order."""
        told = self.prompts[number].partition("[Solution 1]")[2]
        user = told.partition("<|im_end|>")[0].partition("Where it differs")[0]
        return [one.strip() for one in re.split(r"\[Solution \d+\]", user)] if told else []


def counted(start: int = 0) -> Iterator[str]:
    """Solutions with answers that all differ."""
    while True:
        yield written(start, f"thought {start}")
        start += 1


def test_every_round_is_shown_solutions_of_the_last() -> None:
    solver = Solver(counted())
    solver.solve(n=4, see=2, rounds=3)
    assert len(solver.prompts) == 12
    for number, prompt in enumerate(solver.prompts):
        assert ("What was written on this before" in prompt) == (number >= 4)
        if number >= 4:
            before = range(number // 4 * 4 - 4, number // 4 * 4)
            told = [int(re.findall(r"thought (\d+)", one)[0]) for one in solver.shown(number)]
            assert len(set(told)) == 2
            assert set(told) <= set(before)
            assert all("</think>" not in one for one in solver.shown(number))


def seen(result: agentflow.Result) -> list[list[int]]:
    """By branch, the branches that a solution was shown; of solutions that are all different."""
    thoughts = [re.findall(r"thought (\d+)", str(one["operations"])) for one in result.samples]
    branch = {of[-1]: number for number, of in enumerate(thoughts)}
    return [[branch[thought] for thought in of[:-1]] for of in thoughts]


def test_which_are_shown_is_drawn_by_the_seed() -> None:
    def drawn(seed: int) -> list[list[int]]:
        return seen(Solver(counted()).solve(n=8, see=2, rounds=2, seed=seed))[8:]

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)
    assert len(set(map(tuple, drawn(1)))) > 1


def test_in_a_debate_each_sees_its_own_first_and_all_others() -> None:
    solver = Solver(counted())
    told = seen(solver.solve(n=3, see=3, rounds=3, style="debate"))
    assert [one[0] for one in told[3:]] == [0, 1, 2, 3, 4, 5]
    assert [sorted(one) for one in told[3:]] == [[0, 1, 2]] * 3 + [[3, 4, 5]] * 3
    assert all("[Your solution]\nthought" in prompt for prompt in solver.prompts[3:])


def test_the_last_round_votes() -> None:
    said = [8, 8, 8, 7, 7, 9]
    result = Solver(iter(map(written, said))).solve(n=3, see=2, rounds=2, stop="never")
    assert (result.answer, result.status) == ("7", "unverified")
    assert result.reason.startswith("majority 2 of 3 solutions of round 2")


def test_rounds_end_once_all_agree() -> None:
    said = [7, 8, 7, 7, 7, 7]
    solver = Solver(iter(map(written, said)))
    result = solver.solve(n=3, see=2, rounds=5)
    assert len(result.samples) == 6
    assert result.reason.startswith("majority 3 of 3 solutions of round 2")


def test_what_states_no_answer_is_not_shown() -> None:
    said = [written(7, "thought a"), "nothing</think>no idea", "nothing</think>no idea"]
    solver = Solver(iter([*said, *[written(7)] * 3]))
    result = solver.solve(n=3, see=3, rounds=2)
    assert [solver.shown(number) for number in range(3, 6)] == [["thought a\n\\boxed{7}"]] * 3
    assert result.answer == "7"


def test_a_debater_without_an_answer_sees_the_others_alone() -> None:
    said = [written(7, "a"), "nothing</think>no idea", written(8, "c"), *[written(7)] * 3]
    solver = Solver(iter(said))
    result = solver.solve(n=3, see=3, rounds=2, style="debate")
    lost = next(
        number
        for number, one in enumerate(result.samples[:3])
        if "no idea" in str(one["operations"])
    )
    begun = str(result.samples[3 + lost]["operations"])
    assert "[Solution 2]" in begun
    assert "[Your solution]\\n" not in begun


def test_no_more_is_shown_than_the_context_holds() -> None:
    solver = Solver(counted())
    solver.model.profile = replace(solver.model.profile, context=2_000)
    solver.solutions = (written(n, f"thought {n} " + "so " * 600) for n in range(99))
    solver.solve(n=4, see=4, rounds=2)
    assert [len(solver.shown(number)) for number in range(4, 8)] == [2] * 4


def test_one_solution_agrees_with_nobody() -> None:
    solver = Solver(counted())
    assert len(solver.solve(n=1, see=1, rounds=3).samples) == 3


def test_a_round_that_a_limit_cut_short_has_no_vote() -> None:
    said = [written(7), written(7), written(8), *[written(9, "so " * 40)] * 3]
    result = Solver(iter(said)).solve(n=3, see=2, rounds=2, max_tokens=40)
    assert result.answer == "7" or result.candidate == "7"


def test_where_nobody_answered_all_begin_afresh() -> None:
    said = ["nothing</think>no idea"] * 2 + [written(7)] * 2
    solver = Solver(iter(said))
    assert solver.solve(n=2, see=2, rounds=2).answer == "7"
    assert solver.prompts[2:] == solver.prompts[:2]


def test_an_earlier_round_votes_where_the_last_gave_nothing() -> None:
    said = [written(7), written(8), written(7)] + ["nothing</think>no idea"] * 3
    result = Solver(iter(said)).solve(n=3, see=2, rounds=2)
    assert result.answer == "7"
    assert "of round 1" in result.reason


def test_nobody_ever_answers() -> None:
    result = Solver(iter(["nothing</think>no idea"] * 4)).solve(n=2, rounds=2)
    assert (result.status, result.answer) == ("exhausted", None)


def test_a_budget_ends_it_with_what_is_there() -> None:
    solver = Solver(iter(map(written, [7, 7, 8, 9, 9, 9])))
    result = solver.solve(n=3, see=2, rounds=2, max_tokens=16)
    assert result.answer in ("7", None)
    assert result.cost.generated <= 16


@pytest.mark.slow
@pytest.mark.parametrize("style", ["aggregate", "debate"])
def test_on_the_bundled_model(style: str) -> None:
    result = agentflow.solve(
        "4 7 8 8", "self_aggregation", n=2, see=2, rounds=2, style=style, stop="never"
    )
    assert len(result.samples) == 4
    assert result.status in ("verified", "abstained", "exhausted")


def test_one_solution_may_have_the_last_word() -> None:
    solver = Solver(counted())
    result = solver.solve(n=3, see=3, rounds=2, last=1)
    assert len(solver.prompts) == 4
    assert len(solver.shown(3)) == 3
    assert result.answer == "3"
    assert "majority 1 of 1 solutions of round 2" in result.reason
