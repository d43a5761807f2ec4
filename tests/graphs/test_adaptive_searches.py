"""adaptive_compute with the searches of other papers, and with the weighted vote."""

from __future__ import annotations

from typing import get_args

import pytest
from adaptive_world import ANSWER, END, FIXED, PUZZLE, RIGHT, SLIP, World
from pydantic import ValidationError

import agentflow
from agentflow.graphs.adaptive_compute import AdaptiveSettings
from agentflow.models.scripted import Reply
from agentflow.nodes.reason import Search
from agentflow.nodes.select import Compute

SEARCHES = get_args(Search)


class Drawn(World):
    """A solver whose first step is a slip every third time; it goes on from what it began."""

    drawn = 0

    def solve(self, begun: str) -> Reply:
        slip = SLIP.replace("8 / 8 = 1 (left: 1 4 7)", "8 / 8 = 2 (left: 2 4 7)")
        self.drawn += not begun
        slips = slip.startswith(begun) if begun else self.drawn % 3 == 1
        return ((slip if slips else RIGHT) + END).removeprefix(begun)


@pytest.mark.parametrize("compute", SEARCHES)
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


@pytest.mark.parametrize(("field", "value"), [("balance", 0.0), ("explore", -1.0)])
def test_what_no_search_can_use(field: str, value: float) -> None:
    with pytest.raises(ValidationError, match=field):
        AdaptiveSettings(**{field: value})


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
