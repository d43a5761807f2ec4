"""adaptive_compute with the searches of other papers, and with the weighted vote."""

from __future__ import annotations

from math import log
from typing import Any, get_args

import pytest
from adaptive_world import ANSWER, END, FIXED, PUZZLE, RIGHT, SLIP, World
from pydantic import ValidationError

import agentflow
from agentflow.graphs.adaptive_compute import AdaptiveSettings
from agentflow.models import Capabilities, Token
from agentflow.models.scripted import Reply
from agentflow.nodes.reason import Search
from agentflow.nodes.select import Compute
from agentflow.profile import Sampling

SEARCHES = get_args(Search)


class Drawn(World):
    """A solver whose first step is a slip every third time; it goes on from what it began."""

    drawn = 0

    def solve(self, begun: str) -> Reply:
        slip = SLIP.replace("8 / 8 = 1 (left: 1 4 7)", "8 / 8 = 2 (left: 2 4 7)")
        self.drawn += not begun
        slips = slip.startswith(begun) if begun else self.drawn % 3 == 1
        return ((slip if slips else RIGHT) + END).removeprefix(begun)


@pytest.mark.parametrize("compute", [one for one in SEARCHES if one not in ("momentum", "power")])
async def test_a_search_gives_the_trajectory_of_right_steps(compute: str) -> None:
    result = await Drawn().solve_with(**FIXED | {"compute": compute, "param": 9})
    (one,) = result.samples
    assert "".join(one["steps"]) == RIGHT + END
    assert one["compute"] == {"strategy": compute, "param": 9}
    assert result.answer == ANSWER


@pytest.mark.parametrize("compute", SEARCHES)
def test_the_model_cannot_choose_it(compute: str) -> None:
    with pytest.raises(ValidationError, match="strategy"):
        Compute.model_validate({"strategy": compute, "param": 3})


@pytest.mark.parametrize(
    ("field", "value"),
    [("balance", 0.0), ("explore", -1.0), ("gamma", 0.0), ("inertia", 1.0), ("power", 1.0)],
)
def test_what_no_search_can_use(field: str, value: float) -> None:
    with pytest.raises(ValidationError, match=field):
        AdaptiveSettings(**{field: value})


class Doubting(World):
    """A solver that slips in its second step, of which it is less sure, but for every second
    time."""

    drawn = 0

    def solve(self, begun: str) -> Reply:
        if begun.count("\n") != 1:
            return super().solve(begun.replace("- 1 = 5", "- 1 = 6"))
        self.drawn += 1
        if self.drawn % 2 == 0:
            return super().solve(begun)
        words = ("7", " -", " 1", " =", " 5", " (left:", " 4", " 6)", "\n")
        return [Token(word, None, -2.0) for word in words] + [Token("so", None, -0.1)]


async def test_a_step_of_which_the_model_is_unsure_is_drawn_again() -> None:
    result = await Doubting().solve_with(**FIXED | {"compute": "momentum", "param": 2})
    assert "".join(result.samples[0]["steps"]) == RIGHT + END
    once = await Doubting().solve_with(**FIXED | {"compute": "momentum", "param": 1})
    assert "7 - 1 = 5" in "".join(once.samples[0]["steps"])


async def test_without_log_probabilities_nothing_is_drawn_again() -> None:
    world, said = Doubting(), list[dict[str, Any]]()
    world.model.capabilities = Capabilities(logprobs=0)
    given = FIXED | {"compute": "momentum", "param": 2, "on_event": said.append}
    result = await world.solve_with(**given)
    assert "7 - 1 = 5" in "".join(result.samples[0]["steps"])
    lacking = [one for one in said if one["type"] == "weaker"]
    assert [one["instead"] for one in lacking] == ["no step is drawn again"]


class Sharpened(World):
    """A solver whose first attempt has a slip, and is one of several that are as likely."""

    drawn = 0

    def solve(self, begun: str) -> Reply:
        self.drawn += 1
        text, p = (SLIP, 0.3) if self.drawn == 1 else (RIGHT, 0.9)
        rest = (text + END).removeprefix(begun)
        if rest.startswith("7 - 1 = 5"):  # behind the right first line of the slip
            rest = (RIGHT + END)[len(begun) :]
        lines = rest.splitlines(keepends=True)
        return [Token(line, None, log(p), ((line, log(p)), ("", log(p)))) for line in lines]


async def test_a_likelier_trajectory_takes_the_place_of_one_that_is_less_so() -> None:
    world = Sharpened()
    result = await world.solve_with(**FIXED | {"compute": "power", "param": 4})
    assert "".join(result.samples[0]["steps"]) == RIGHT + END
    assert world.drawn == 5
    assert {one.sampling for one in world.model.requests if one.top} == {Sampling(0.25, 1.0, 0)}


async def test_without_log_probabilities_no_part_is_drawn_anew() -> None:
    world, said = Sharpened(), list[dict[str, Any]]()
    world.model.capabilities = Capabilities(logprobs=0)
    given = FIXED | {"compute": "power", "param": 4, "on_event": said.append}
    result = await world.solve_with(**given)
    assert "".join(result.samples[0]["steps"]) == SLIP + END
    lacking = [one for one in said if one["type"] == "weaker"]
    assert [one["instead"] for one in lacking] == ["no step is drawn again"]


@pytest.mark.parametrize("weigh", [False, True])
async def test_rewards_of_the_same_answer_may_be_summed(weigh: bool) -> None:
    """Two attempts with a slip give the same answer; a third one, without, gives another."""
    other = RIGHT + "</think>\nAnswer: 8 / 8 * 4 * 7 = 24"
    world = World(solutions=(SLIP + END, other, SLIP + END))
    result = await world.solve_with(**FIXED | {"param": 3, "weigh": weigh})
    (one,) = result.samples
    assert ("= 5" in "".join(one["steps"])) == weigh


@pytest.mark.slow
@pytest.mark.parametrize("compute", SEARCHES)
def test_on_the_bundled_models(compute: str) -> None:
    """The judge reads the lines; what is drawn stays within the search's tokens."""
    given = {"plan": False, "reasoning": [], "iterations": 1, "scorer": "prm", "param": 4}
    result = agentflow.solve(
        PUZZLE, "adaptive_compute", compute=compute, search_tokens=1500, **given
    )
    assert result.status in ("verified", "exhausted", "abstained")
    assert 0 < result.cost.generated <= 1500
    (one,) = result.samples
    assert len(one["scores"]) == len(one["steps"]) > 0
