"""Steps that a small model drafts, and a large one keeps or writes itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as settings_of
from hypothesis import strategies as st

import agentflow
from agentflow.errors import BadInput, MissingCapability
from agentflow.graphs import speculative_reasoning
from agentflow.models import Capabilities, ScriptedModel
from agentflow.profile import PROFILES

QUESTION = "Ann has 3 apples and buys 4 more. How many apples does Ann have?"
STEPS = ["3 + 4 = 7\n", "So there are 7.\n"]
END = "</think>\\boxed{7}"


class World:
    """A small model that drafts, a large one that rates drafts and writes.

    Args:
        drafts: What the small model says at each place of the solution, by how many steps stand
            there.
        ratings: What the large one says of each draft, in their order.
    """

    def __init__(
        self, drafts: Sequence[str], ratings: Sequence[str], writes: Sequence[str] = (*STEPS, END)
    ) -> None:
        self.ratings, self.writes, self.drafted = iter(ratings), writes, drafts
        self.small = ScriptedModel(self.draft, name="small")
        self.large = ScriptedModel(self.reply, name="large")

    def draft(self, prompt: str) -> str:
        at = steps_in(prompt)
        return self.drafted[at] if at < len(self.drafted) else ""

    def reply(self, prompt: str) -> str:
        if "[Next step" in prompt:
            return next(self.ratings)
        return "".join(self.writes[steps_in(prompt) :]) or END

    def solve(self, **settings: Any) -> agentflow.Result:
        given: dict[str, Any] = {"critic": "utility", "boundary": "line"} | settings
        models: Any = {"solver": self.large, "verifier": self.large, "proxy": self.small}
        result = agentflow.solve(
            QUESTION, "speculative_reasoning", domain="math", model=models, **given
        )
        served = self.small.streamed + self.large.streamed
        assert sum(one["generated"] for one in result.ledger.values()) <= served
        return result


def steps_in(prompt: str) -> int:
    """How many lines of a solution stand behind a prompt."""
    return prompt.rpartition("<think>")[2].lstrip("\n").count("\n")


def rated(score: float) -> str:
    return f'{{"score": {score}}}'


def by(result: agentflow.Result) -> list[tuple[str, str]]:
    """(who wrote it, text) of the trace, but for the prompt."""
    who = {"rewritten": "small", "generated": "large"}
    return [(who[one.kind], one.text) for one in result.trace.segments[1:]]


def test_good_drafts_are_kept_and_the_solver_states_the_answer() -> None:
    result = World(STEPS, [rated(9), rated(7)]).solve()
    assert by(result) == [("small", STEPS[0]), ("small", STEPS[1]), ("large", END)]
    assert (result.answer, result.status) == ("7", "unverified")


def test_the_solver_writes_a_step_whose_draft_is_rated_low() -> None:
    result = World(["3 + 4 = 8\n", STEPS[1]], [rated(2), rated(8)]).solve()
    assert by(result) == [("large", STEPS[0]), ("small", STEPS[1]), ("large", END)]
    first, *_ = [one for one in result.events if one["type"] == "verdict"]
    assert (first["ok"], first["reason"]) == (False, "its rating of 0.22 is below 0.70")


@pytest.mark.parametrize("reply", ["no idea", rated(10), rated(0), '{"score": "high"}', ""])
def test_a_draft_whose_rating_cannot_be_read_is_not_kept(reply: str) -> None:
    result = World(STEPS[:1], [reply] * 4).solve()
    assert by(result)[0] == ("large", STEPS[0])
    assert result.answer == "7"


def test_the_bundled_judge_rates_no_drafts_for_another_solver() -> None:
    """It has read only the pocket model's solutions."""
    result = World(STEPS, [rated(9), rated(7)]).solve(critic="auto")
    assert by(result) == [("small", STEPS[0]), ("small", STEPS[1]), ("large", END)]
    assert "prm" not in str(result.ledger)


@pytest.mark.parametrize(
    ("score", "accept", "kept"), [(7, 0.7, True), (6, 0.7, False), (6, 0.5, True)]
)
def test_what_is_accepted_is_a_setting(score: int, accept: float, kept: bool) -> None:
    result = World(STEPS[:1], [rated(score)]).solve(accept=accept)
    assert (by(result)[0][0] == "small") is kept


def test_the_first_steps_may_be_the_solvers_own() -> None:
    world = World(STEPS, [rated(9)])
    assert by(world.solve(own_steps=1))[:2] == [("large", STEPS[0]), ("small", STEPS[1])]
    assert len(world.small.requests) == 2


def test_a_draft_that_repeats_the_last_step_is_not_asked_about() -> None:
    world = World([STEPS[0], STEPS[0]], [rated(9)])
    result = world.solve()
    assert by(result) == [("small", STEPS[0]), ("large", STEPS[1]), ("large", END)]


def test_a_draft_ends_where_the_small_model_ends_its_thinking() -> None:
    result = World(["3 + 4 = 7</think>\\boxed{8}"], [rated(9)]).solve()
    assert by(result)[0] == ("small", "3 + 4 = 7")
    assert result.answer == "7"


def test_the_small_model_may_have_another_profile() -> None:
    world = World([], [])
    world.small = ScriptedModel("3 + 4 = 7\n", name="small", profile=PROFILES["qwen3"])
    world.ratings = iter([rated(9), rated(1)])
    result = world.solve()
    assert by(result)[0] == ("small", STEPS[0])


def test_drafts_end_with_the_tokens_that_a_solution_may_have() -> None:
    drafts = [f"{n} apples\n" for n in range(50)]
    result = World(drafts, [rated(9)] * 50, writes=[]).solve(solver_tokens=20)
    assert len([who for who, _ in by(result) if who == "small"]) < 12
    assert result.answer == "7"


def test_a_run_whose_tokens_are_spent_ends() -> None:
    result = World(STEPS, [rated(9)] * 2).solve(max_tokens=8)
    assert (result.answer, result.status) == (None, "exhausted")
    assert "8" in result.reason


def test_a_small_model_that_cannot_go_on_is_refused() -> None:
    world = World(STEPS, [])
    world.small = ScriptedModel("", name="small", capabilities=Capabilities(continues=False))
    with pytest.raises(MissingCapability, match=r"small \(role proxy\) cannot continue"):
        world.solve()


def test_the_domain_may_rate_the_drafts() -> None:
    """``critic=steps`` with the domain's rules: the false sum is refused, the right one kept."""
    for first, kept in (("3 + 4 = 7\n", "small"), ("3 + 4 = 8\n", "large")):
        result = World([first], []).solve(critic="steps", scorer="rules")
        assert by(result)[0][0] == kept


def test_a_reward_model_is_needed_where_one_is_named() -> None:
    world = World(STEPS, [])
    models: Any = {"solver": world.large, "proxy": world.small, "prm": world.large}
    with pytest.raises(BadInput, match="scores by prm need a reward model"):
        agentflow.solve(
            QUESTION, "speculative_reasoning", domain="math", model=models,
            critic="steps", scorer="prm",
        )  # fmt: skip


@settings_of(max_examples=25)
@given(
    st.lists(
        st.tuples(st.sampled_from(["a\n", "3 + 4 = 7\n", "b", "", "</think>"]), st.integers(1, 9))
    )
)
def test_only_drafts_that_were_rated_well_are_in_the_trace(drafts: list[tuple[str, int]]) -> None:
    rating = dict(drafts)
    world = World([text for text, _ in drafts], [])
    reply = world.reply

    def said(prompt: str) -> str:
        if "[Next step" not in prompt:
            return reply(prompt)
        step = prompt.partition("by another writer]\n")[2].partition("\n")[0]
        return rated(next(value for text, value in rating.items() if text.strip() == step))

    world.large = ScriptedModel(said, name="large")
    result = world.solve()
    for who, text in by(result):
        assert who == "large" or rating[text] >= 7
    assert result.answer == "7"


@pytest.mark.slow
@pytest.mark.parametrize("tokens", [1, 100, 300])
async def test_a_limit_that_leaves_no_room_for_a_rating_ends_the_run_as_elsewhere(
    tokens: int,
) -> None:
    """In a plain graph, too, which raised the limit."""
    limits = {"max_tokens": tokens, "seed": 1}
    out = await speculative_reasoning.graph.ainvoke({"problem": "4 7 8 8"}, context=limits)
    assert out["result"]["status"] == "exhausted"
    assert out["result"]["reason"].startswith(f"the budget of {tokens} tokens is spent")
