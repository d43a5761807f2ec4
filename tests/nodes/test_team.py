"""Several models that solve by turns: each with its own prompt, tokens and markers."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from legs import Killed

import agentflow
from agentflow import models
from agentflow.arguments import settings_for
from agentflow.errors import BadInput, ModelUnavailable
from agentflow.graphs import sampling
from agentflow.models import ScriptedModel
from agentflow.models.model import Capabilities
from agentflow.nodes import context
from agentflow.nodes.context import has_reward_model
from agentflow.profile import PROFILES

QUESTION = "Ann has 3 apples and buys 4 more. How many apples does Ann have?"


def member(name: str, answer: int | str, profile: str = "pocket") -> ScriptedModel:
    """A model that always gives one answer, in the manner of its profile."""
    known = PROFILES[profile]
    script = rf"{name} thinks.{known.think_close}\boxed{{{answer}}}"
    return ScriptedModel(script, profile=known, name=name)


def prompts(model: ScriptedModel) -> list[str]:
    return [model.text(one.prompt) for one in model.requests if not isinstance(one.prompt, str)]


def solve(method: str, *team: ScriptedModel, **settings: Any) -> agentflow.Result:
    return agentflow.solve(QUESTION, method, team=list(team), domain="math", **settings)


def test_samples_take_turns() -> None:
    small, large = member("small", 7), member("large", 7, "magistral")
    result = solve("sampling", small, large, k=5, choose="majority", critic="none")
    assert result.answer == "7"
    assert (len(small.requests), len(large.requests)) == (3, 2)
    assert {*map(str, prompts(small))} != {*map(str, prompts(large))}  # each as it reads one
    assert sum(one["generated"] for one in result.ledger.values()) == (
        small.streamed + large.streamed
    )


@pytest.mark.parametrize("turned", [False, True])
def test_the_result_is_the_chosen_models_own(turned: bool) -> None:
    """Prompt, markers and name are those of the model that wrote what is answered."""
    right, wrong = member("right", 7, "magistral"), member("wrong", 8)
    team = [right, wrong, right] if turned else [wrong, right, right]
    result = solve("sampling", *team, k=3, choose="majority", critic="none", require="nothing")
    assert (result.answer, result.model, result.close) == ("7", "right", "[/THINK]")
    assert result.reason.endswith("; written by right")
    assert result.trace.text.startswith(prompts(right)[0])
    assert result.trace.body.startswith("right thinks.")


def test_a_cascade_asks_the_next_model_where_a_solution_did_not_pass() -> None:
    for answer, asked in (("(7 - 8 / 8) * 4", "small"), ("4 + 7 + 8 + 8", "small, large")):
        team = [member("small", answer), member("large", "(7 - 8 / 8) * 4")]
        result = agentflow.solve("4 7 8 8", "verified_sampling", team=team, n=2)
        assert result.status == "verified"
        assert ", ".join(one.name for one in team if one.requests) == asked


def test_solutions_are_shown_without_the_markers_of_those_who_wrote_them() -> None:
    """A debater is shown the others' solutions, each thought and answer parted as it writes."""
    small, large = member("small", 8), member("large", 7, "magistral")
    solve("self_aggregation", small, large, n=2, rounds=2, style="debate", see=2, stop="never")
    (second,) = prompts(small)[1:]
    shown = second.partition("[Your solution]")[2]
    own, _, other = shown.partition("[Solution 1]")
    assert "small thinks." in own
    assert re.match(r"\s*large thinks\.\n+\s*\\boxed\{7\}", other)
    assert "THINK" not in other.partition("boxed")[0]


def test_a_tournament_of_two_models() -> None:
    judge = ScriptedModel('{"reason": "it adds", "better": 2}', name="judge")
    small, large = member("small", 8), member("large", 7, "magistral")
    result = agentflow.solve(
        QUESTION,
        "tournament",
        model={"verifier": judge},
        team=[small, large],
        domain="math",
        n=2,
        compare=1,
    )
    assert (result.answer, result.model) == ("7", "large")
    assert result.reason.endswith("; written by large")


def test_the_first_of_the_team_has_the_other_roles() -> None:
    first, second = member("first", 7), member("second", 7)
    solve("sampling", first, second, k=2, choose="best")
    assert len(first.requests) > 1 == len(second.requests)  # the critic is the first


def test_every_member_must_be_able_to_do_what_the_method_needs() -> None:
    """It is said before any token is made."""
    whole, chat = member("whole", 7), member("chat", 7)
    chat.capabilities = Capabilities(continues=False)
    with pytest.raises(agentflow.AgentflowError, match="chat lacks the capability 'continues'"):
        solve("verified_sampling", whole, chat, reasoner="tools")
    assert not whole.requests


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"team": ["embedded"], "roles": {"solver": "embedded"}}, "team and roles.solver both say"),
        ({"team": [member("a", 1)], "roles": {"solver": "embedded"}}, "team and roles.solver both"),
        ({"team": [member("a", 1), "embedded"]}, "some of it are objects and some servers"),
        ({"team": [5]}, r"5 \(in the team\) is no model"),
        ({"team": member}, "function member .* is no model"),
        ({"team": [ScriptedModel]}, "class .* is no model"),
        (
            {"team": None, "model": {"team": ScriptedModel("")}, "think": 5},
            "think: write a list, as in",
        ),
        ({"team": ["a"] * 101}, "team: .* at most 100"),
        ({"team": [member("a", 1)] * 101}, "team: .* at most 100"),
        ({"team": [["embedded"]]}, "team.0: write a server as a text"),
        ({"team": ["http://me:secret@host/v1"]}, "a key or a password stands in the URL"),
        ({"team": ["embedded"], "model": {"solver": member("a", 1)}}, "team and roles.solver both"),
        (
            {"model": {"team": [member("a", 1)], "solver": member("b", 1)}},
            "team and roles.solver both",
        ),
        ({"team": [{"at": "x", "nmae": "y"}]}, "no such key of a server: nmae"),
    ],
)
def test_a_team_that_is_none_is_refused(settings: dict[str, Any], says: str) -> None:
    with pytest.raises(BadInput, match=says):
        agentflow.solve(QUESTION, "sampling", domain="math", **settings)


@pytest.mark.parametrize("team", [["embedded"], [member("a", 1)]])
def test_a_method_with_one_trajectory_takes_no_team(team: list[Any]) -> None:
    for given in ({"team": team}, {"model": {"team": team}}):
        with pytest.raises(BadInput, match="settings of direct: team: no such setting"):
            agentflow.solve(QUESTION, "direct", domain="math", **given)


@pytest.mark.parametrize("team", ["embedded", member("one", 7)])
def test_one_alone_needs_no_list(team: Any) -> None:
    given: dict[str, Any] = {"domain": "math", "k": 1, "choose": "majority", "critic": "none"}
    alone = agentflow.solve(QUESTION, "sampling", team=team, **given)
    listed = agentflow.solve(QUESTION, "sampling", team=[team], **given)
    assert (alone.answer, alone.model) == (listed.answer, listed.model)


def test_one_model_object_beside_a_team_of_servers_has_the_other_roles() -> None:
    critic = ScriptedModel('{"reason": "right", "score": 0.9}', name="critic")
    result = agentflow.solve(
        QUESTION,
        "sampling",
        team=["embedded", "embedded?context=1024"],
        model=critic,
        k=2,
        domain="math",
    )
    assert result.model != "critic"
    assert len(critic.requests) == 2


def test_each_sample_of_a_result_says_whose_it_is() -> None:
    small, large = member("small", 8), member("large", 7, "magistral")
    result = solve("sampling", small, large, k=2, choose="majority", critic="none")
    found = [(one["model"], one["close"]) for one in result.samples]
    assert found == [("small", "</think>"), ("large", "[/THINK]")]


@pytest.mark.parametrize(("n", "size"), [(2, 2), (3, 2), (2, 3), (4, 3)])
def test_a_debater_stays_the_same_model(n: int, size: int) -> None:
    """Also where the solutions of a round do not come out even with the team."""
    team = [member(f"debater{at}", at) for at in range(size)]
    rounds = {"rounds": 3, "stop": "never", "see": 1}
    result = solve("self_aggregation", *team, style="debate", n=n, **rounds)
    own = [
        (one.name, prompt.rpartition("[Your solution]")[2].split()[0])
        for one in team
        for prompt in prompts(one)
        if "[Your solution]" in prompt
    ]
    assert len(own) == 2 * n
    assert all(name == whose for name, whose in own)
    assert len(result.samples) == 3 * n


def test_the_first_of_the_team_has_the_last_word() -> None:
    team = [member(f"model{at}", at) for at in range(3)]
    result = solve("self_aggregation", *team, n=4, rounds=2, stop="never", last=1)
    assert result.model == "model0"


def test_what_a_member_makes_do_without_is_said_with_its_name() -> None:
    raw, chat = member("raw", "4 + 7 + 8 + 8"), member("chat", "(7 - 8 / 8) * 4")
    chat.capabilities = Capabilities(continues=False, turns=True)
    given: dict[str, Any] = {"reasoner": "tools", "n": 1}
    result = agentflow.solve("4 7 8 8", "verified_sampling", team=[raw, chat], **given)
    (event,) = [one for one in result.events if one["type"] == "weaker"]
    assert event["instead"] == "chat is shown its text in a new turn"
    assert "branch" not in event  # a terminal shows it


@pytest.mark.parametrize(
    ("team", "reads"),
    [(["embedded", "embedded?context=1024"], True), (["embedded", "http://h/v1"], False)],
)
def test_the_bundled_judge_reads_what_the_bundled_model_wrote_alone(
    team: list[str], reads: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(context, "configured", lambda _: None)
    assert has_reward_model(settings_for("unified", team=team)) is reads


async def test_resumed_without_a_context_all_nodes_know_the_team(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A critic's node reads fewer settings than the method has; its model is the team's first."""
    graph = sampling.build().compile(checkpointer=InMemorySaver(), interrupt_before=["sample"])
    config: Any = {"configurable": {"thread_id": "t"}}
    given = settings_for("sampling", team=["embedded?context=1024"] * 2, k=1)
    await graph.ainvoke({"problem": "4 7 8 8"}, config, context=given)
    asked: list[Any] = []

    async def connect(servers: Any, **options: Any) -> Any:
        asked.append(servers)
        return await models.connect(servers, **options)

    monkeypatch.setattr(context, "models", SimpleNamespace(connect=connect))
    await graph.ainvoke(None, config)
    await models.close_all()
    solvers = [one[0].context for one in asked if not isinstance(one, str)]
    assert {*solvers} == {1024}
    assert {one for one in asked if isinstance(one, str)} <= {"embedded:judge"}


@pytest.mark.parametrize("team", [[{}], [{"model": "x"}], "x", [1]])
async def test_a_team_that_is_edited_by_hand_is_one(team: Any) -> None:
    graph = sampling.build().compile(checkpointer=InMemorySaver(), interrupt_before=["sample"])
    config: Any = {"configurable": {"thread_id": "t"}}
    await graph.ainvoke({"problem": "4 7 8 8"}, config, context=settings_for("sampling", k=1))
    await models.close_all()
    with pytest.raises(BadInput, match="team: "):
        await graph.aupdate_state(config, {"team": team})


def test_a_team_needs_a_price_for_each_where_costs_are_limited() -> None:
    cheap, dear = member("cheap", 7), member("dear", 7)
    prices = {"cheap": {"prompt": 1, "generated": 1}}
    with pytest.raises(BadInput, match="dear"):
        solve("sampling", cheap, dear, max_cost=1, prices=prices, critic="none", choose="majority")
    assert not cheap.requests


def test_so_does_a_server_beside_a_team_of_objects() -> None:
    cheap = member("cheap", 7)
    given: dict[str, Any] = {
        "prices": {"cheap": {"prompt": 1, "generated": 1}},
        "roles": {"verifier": "http://127.0.0.1:9/v1"},
    }
    with pytest.raises(ModelUnavailable, match=r"127\.0\.0\.1:9"):
        solve("sampling", cheap, max_cost=1, **given)
    assert not cheap.requests


async def test_a_killed_cascade_goes_on_with_the_model_whose_turn_it_is(tmp_path: Path) -> None:
    kills = [True]

    def killed_once(prompt: str) -> str:
        if kills.pop() if kills else False:
            raise Killed
        return r"large thinks.</think>\boxed{(7 - 8 / 8) * 4}"

    team = [member("small", "4 + 7 + 8 + 8"), ScriptedModel(killed_once, name="large")]
    file, settings = tmp_path / "threads.db", {"team": team, "n": 2}
    with pytest.raises(Killed):
        await agentflow.asolve(
            "4 7 8 8", "verified_sampling", checkpoints=file, thread="t", **settings
        )
    asked = [len(one.requests) for one in team]
    result = await agentflow.aresume("t", model={"team": team}, checkpoints=file)
    assert (result.status, result.model) == ("verified", "large")
    assert [len(one.requests) for one in team] == [asked[0], asked[1] + 1]


def test_a_team_of_servers_goes_on_with_them_alone(tmp_path: Path) -> None:
    given: dict[str, Any] = {"checkpoints": tmp_path / "threads.db", "thread": "t"}
    settings: dict[str, Any] = {"team": ["embedded", "embedded?context=1024"], "k": 2}
    first = agentflow.solve(
        "4 7 8 8", "sampling", choose="majority", critic="none", **settings, **given
    )
    with pytest.raises(BadInput, match="thread 't': a team solves"):
        agentflow.resume("t", model="embedded", checkpoints=given["checkpoints"])
    moved = {"team": ["embedded?context=1500", "embedded?context=1024"]}
    for model in (None, moved):
        again = agentflow.resume("t", model=model, checkpoints=given["checkpoints"])
        assert (again.answer, again.ledger) == (first.answer, first.ledger)
