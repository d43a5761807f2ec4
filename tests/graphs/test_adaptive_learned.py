"""adaptive_compute with compute=learned: a controller leads the search."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import pytest
from adaptive_world import ANSWER, END, PUZZLE, RIGHT, SLIP, World, calls

import agentflow
from agentflow.errors import BadInput
from agentflow.evaluation.compute import Size, compute
from agentflow.ledger import by_role
from agentflow.nodes.select import Compute, Strategy
from agentflow.search.controller import load, shipped

LEARNED = {"plan": False, "reasoning": [], "compute": "learned"}


def changed(folder: Path, **fields: Any) -> str:
    """The shipped controller with other fields, as a file."""
    path = folder / "mine.json"
    path.write_text(
        json.dumps(json.loads(shipped("rules", "any").read_text(encoding="utf-8")) | fields)
    )
    return str(path)


def told(result: Any, kind: str) -> list[dict[str, Any]]:
    return [event for event in result.events if event["type"] == kind]


async def test_a_right_attempt_is_enough() -> None:
    world = World()
    result = await world.solve_with(**LEARNED)
    assert (result.status, result.answer) == ("verified", ANSWER)
    assert result.trace.body == RIGHT + END
    chosen = told(result, "choice")
    assert chosen[-1]["choice"] == "stop"
    assert chosen[-1]["held"] > 0.9
    assert chosen[0]["state"] == "start, 0 failed"
    assert {"gain", "tokens", "rate", "reason"} <= chosen[0].keys()
    (one,) = result.samples
    assert one["compute"] == {"strategy": "learned", "param": 1}


async def test_after_a_slip_another_is_tried() -> None:
    world = World({}, [RIGHT + END])
    asked, solve = list[str](), world.solve

    def slips_once(begun: str) -> Any:
        """Of the step behind the first one, when it is written for the first time."""
        asked.append(begun)
        slip = asked.count(begun) == 1 and begun.count("\n") == 1
        return (SLIP + END)[len(begun) :] if slip else solve(begun)

    world.solve = slips_once  # type: ignore[method-assign]
    result = await world.solve_with(**LEARNED)
    assert (result.status, result.answer) == ("verified", ANSWER)
    assert result.cost.wasted > 0
    assert {"redraw", "give up"} & {one["choice"] for one in told(result, "choice")}


async def test_the_ledger_and_s_ci_count_what_was_generated() -> None:
    world = World({}, [SLIP + END])
    result = await world.solve_with(**LEARNED, search_tokens=400)
    assert result.cost.calls == len(world.model.requests)
    assert result.cost.generated == world.model.streamed
    assert set(calls(result)) == {"solver"}  # nobody plans or selects
    solver = by_role(result.ledger)["solver"]
    found = compute([result.ledger], {"solver": Size(1e6, 2048)})
    assert found.auxiliary == 0
    assert found.intensity == pytest.approx(solver.generated / 1e6)
    kept = sum(len(op["ends"]) for one in result.samples for op in one["operations"])
    assert solver.generated - solver.wasted == kept


@pytest.mark.parametrize("budget", [1, 20, 60, 300])
async def test_the_searchs_budget_holds(budget: int) -> None:
    world = World({}, [SLIP + END])
    result = await world.solve_with(**LEARNED, search_tokens=budget)
    assert result.cost.generated <= budget + 3  # of candidates side by side each ends at a token


async def test_a_higher_price_ends_it_earlier() -> None:
    spent = []
    for price in (0.0, 1000.0):
        world = World({}, [SLIP + END])
        result = await world.solve_with(**LEARNED, price=price, search_tokens=600)
        spent.append(result.cost.generated)
    assert spent[1] < spent[0]
    assert told(result, "choice")[-1]["choice"] == "stop"


async def test_the_tree_tells_every_draw() -> None:
    world = World({}, [SLIP + END])
    result = await world.solve_with(**LEARNED, search_tokens=400)
    (tree,) = told(result, "tree")
    assert (tree["strategy"], tree["scorer"]) == ("learned", "rules:game24")
    assert sum(sum(one["tokens"]) for one in tree["draws"]) == result.cost.generated
    assert all(len(one["scores"]) == len(one["tokens"]) for one in tree["draws"])
    drawn = [one["choice"] for one in told(result, "choice") if one["choice"] != "give up"]
    groups = {one["group"] for one in tree["draws"]}
    twice = drawn.count("look ahead")  # two requests each
    assert len(groups) == len([one for one in drawn if one != "stop"]) + twice
    assert json.loads(json.dumps(tree)) == tree


async def test_other_searches_tell_theirs() -> None:
    result = await World().solve_with(
        plan=False, reasoning=["cot"], compute="beam search", param=2, each=2
    )
    (tree,) = told(result, "tree")
    assert [one["behind"] for one in tree["draws"][:4]] == [-1, -1, 0, 0]
    ends = [one for one in tree["draws"] if one["done"]]
    assert {one["answer"] for one in ends} == {ANSWER}
    assert [one["scores"] for one in tree["draws"][:2]] == [[1.0], [1.0]]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"controller": "none.json"}, r"none\.json cannot be read"),
        ({"hopeless": True}, r"learned with hopeless=False, and here is hopeless=True"),
        ({"unread": 1.0}, r"unread=0\.5, and here is unread=1\.0"),
        ({"scorer": "prompted"}, r"scorer=rules, and here is scorer=prompted"),
    ],
)
async def test_what_cannot_be_used_is_said_before_the_first_token(
    settings: dict[str, Any], said: str
) -> None:
    world = World()
    with pytest.raises(BadInput, match=said):
        await world.solve_with(**LEARNED, **settings)
    assert world.model.requests == []


async def test_a_controller_of_ones_own(tmp_path: Path) -> None:
    path = changed(tmp_path, right={})
    result = await World({}, [SLIP + END]).solve_with(**LEARNED, controller=path)
    assert {one["choice"] for one in told(result, "choice")} == {"go on", "stop"}
    broken = changed(tmp_path, table={})
    with pytest.raises(BadInput, match=r"mine\.json: no controller"):
        await World().solve_with(**LEARNED, controller=broken)


async def test_a_run_says_that_another_models_controller_leads(tmp_path: Path) -> None:
    result = await World().solve_with(**LEARNED)
    (event,) = told(result, "weaker")
    assert "controller" in event["lacking"]
    own = await World().solve_with(**LEARNED, controller=changed(tmp_path))
    assert told(own, "weaker") == []


async def test_it_leads_what_tools_were_chosen_for() -> None:
    world = World()
    result = await world.solve_with(compute="learned")
    roles = [role for role, _ in world.asked if role != "solver"]
    assert roles == ["plan", "tools", "check", "answer"]
    assert result.answer == ANSWER


def test_the_model_cannot_choose_it() -> None:
    assert "learned" not in get_args(Strategy)
    with pytest.raises(ValueError, match="strategy"):
        Compute.model_validate({"strategy": "learned", "param": 3})


@pytest.mark.slow
def test_on_the_bundled_model() -> None:
    """It is right where best of 4 is, for fewer tokens."""
    spent = dict.fromkeys(("learned", "best of n"), 0)
    right = dict.fromkeys(spent, 0)
    for puzzle in (PUZZLE, "1 1 3 5", "2 4 6 8"):
        for name in spent:
            given = {"plan": False, "reasoning": [], "compute": name, "param": 4, "iterations": 1}
            result = agentflow.solve(puzzle, "adaptive_compute", **given)
            spent[name] += result.cost.generated
            right[name] += result.status == "verified"
            assert told(result, "weaker") == []
            assert result.cost.generated <= 4 * 1024
    assert right["learned"] >= 2
    assert spent["learned"] < spent["best of n"]


@pytest.mark.slow
@pytest.mark.parametrize(("scorer", "name"), [("rules", "rules"), ("prm", "prm:pocket-judge")])
def test_each_scorer_has_its_table(scorer: str, name: str) -> None:
    path = shipped(name, "game24")
    given = {"plan": False, "reasoning": [], "iterations": 1, "scorer": scorer}
    result = agentflow.solve(PUZZLE, "adaptive_compute", compute="learned", **given)
    first = told(result, "choice")[0]
    assert first["tokens"] == load(path).table[first["state"]][first["choice"]].tokens


@pytest.mark.slow
def test_the_judge_passes_a_right_trajectory_to_its_end() -> None:
    """The line that closes the thinking is none of the solution's."""
    given = {"plan": False, "reasoning": [], "iterations": 1, "compute": "best of n"}
    problem = (
        "Jonas has 89 stamps. Jonas gives 55 stamps to a neighbour. How many stamps does Jonas "
        "have in the end?"
    )
    result = agentflow.solve(problem, "adaptive_compute", domain="math", scorer="prm", **given)
    (sample,) = result.samples
    assert sample["answer"] == "34"
    assert min(sample["scores"]) > 0.5
