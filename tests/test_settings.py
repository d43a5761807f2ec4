from __future__ import annotations

import itertools
import subprocess
import sys
from typing import Any

import pytest
from pydantic import ValidationError

from agentflow.arguments import settings_for
from agentflow.errors import BadInput
from agentflow.graphs import METHODS
from agentflow.profile import PROFILES, Sampling
from agentflow.settings import Server, Settings, request_seed


def test_a_request_seed_is_the_same_in_every_process() -> None:
    place = (3, "4 7 8 8", "solver", 0, 1, 0)
    code = f"from agentflow.settings import request_seed; print(request_seed(*{place!r}))"
    elsewhere = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert int(elsewhere.stdout) == request_seed(*place) == 1_416_777_642


def test_request_seeds_differ_by_place_and_fit_31_bits() -> None:
    places = itertools.product(
        range(4), ("4 7 8 8", "1 2 3 4"), ("solver", "probe"), range(3), range(10), range(3)
    )
    seeds = [request_seed(run, *place) for run, *place in places]
    assert len(set(seeds)) == len(seeds)
    assert all(0 <= seed < 2**31 for seed in seeds)


def test_the_parts_of_a_place_do_not_run_into_each_other() -> None:
    assert request_seed(0, "ab", "c") != request_seed(0, "a", "bc")
    assert request_seed(1, "1") != request_seed(11, "")


@pytest.mark.parametrize(
    "values",
    [
        {"seed": -1},
        {"temperature": -0.1},
        {"temperature": 5.1},
        {"top_p": 0},
        {"top_p": 1.01},
        {"top_k": -1},
        {"max_tokens": 0},
        {"timeout": 0},
        {"idle_timeout": 0},
        {"retries": 21},
        {"seed": "many"},
        {"temprature": 1.0},
    ],
)
def test_bad_values_and_unknown_keys_are_refused(values: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match=next(iter(values))):
        Settings(**values)


def test_the_api_names_every_bad_setting_in_one_line() -> None:
    with pytest.raises(BadInput) as caught:
        settings_for("interwhen", max_corrections=-1, k_stabel=2)
    message = str(caught.value)
    assert "\n" not in message
    assert "settings of interwhen" in message
    assert "max_corrections: Input should be greater than or equal to 0" in message
    assert "k_stabel: no such setting; known: model, roles" in message
    assert "k_stable" in message


@pytest.mark.parametrize("method", METHODS)
def test_settings_round_trip_as_json_and_every_field_says_what_it_is(method: str) -> None:
    settings = settings_for(method, seed=7, temperature=0.1)
    kind = type(settings)
    assert kind.model_validate_json(settings.model_dump_json()) == settings
    for name, field in kind.model_json_schema()["properties"].items():
        assert field.get("description"), name


def test_settings_cannot_change_during_a_run() -> None:
    with pytest.raises(ValidationError):
        Settings().seed = 1  # type: ignore[misc]


def test_sampling_is_the_profiles_where_nothing_is_set() -> None:
    profile = PROFILES["pocket"]
    assert Settings().sampling(profile) == profile.sampling
    assert Settings(temperature=0.0, top_k=0).sampling(profile) == Sampling(
        0.0, profile.sampling.top_p, 0
    )


@pytest.mark.parametrize(
    ("given", "parts"),
    [
        ("embedded", {"at": "embedded"}),
        ("models/a#1.gguf", {"at": "models/a#1.gguf"}),
        ("http://h:8000/v1", {"at": "http://h:8000/v1"}),
        ("http://h:8000/v1#Org/Name", {"at": "http://h:8000/v1", "name": "Org/Name"}),
        ("http://h:8000/v1#", {"at": "http://h:8000/v1"}),
        ("chat:https://h/v1#N", {"at": "https://h/v1", "name": "N", "api": "chat"}),
        ("m.gguf?context=8192&threads=4", {"at": "m.gguf", "context": 8192, "threads": 4}),
        ("embedded?threads=2", {"at": "embedded", "threads": 2}),
        ("chat:embedded", {"at": "embedded", "api": "chat"}),
        ("lc:openai:gpt-5", {"at": "lc:openai:gpt-5", "api": "langchain"}),
        ("reward:http://h/v1#N", {"at": "http://h/v1", "name": "N", "api": "reward"}),
        (
            {"at": "chat:https://h/v1#N", "key_env": "K"},
            {"at": "https://h/v1", "name": "N", "api": "chat", "key_env": "K"},
        ),
        ({"at": "https://h/v1#N", "name": "M"}, {"at": "https://h/v1", "name": "M"}),
    ],
)
def test_a_server_has_a_short_form(given: Any, parts: dict[str, Any]) -> None:
    server = Server.model_validate(given)
    rest = dict.fromkeys(Server.model_fields) | {"api": "completions"}
    assert server.model_dump() == rest | parts
    assert Server.model_validate_json(server.model_dump_json()) == server


def test_a_role_has_one_server_or_several() -> None:
    one = {"at": "http://h/v1", "name": "N"}
    (server,) = Settings(roles={"prm": "http://h/v1#N"}).roles["prm"]  # type: ignore[dict-item]
    for given in (one, [one], "http://h/v1#N", ["http://h/v1#N"], server):
        settings = settings_for("direct", roles={"prm": given, "solver": ["embedded", one]})
        assert settings.roles["prm"] == (server,)
        assert settings.roles["solver"] == (Server(at="embedded"), server)
        assert type(settings).model_validate_json(settings.model_dump_json()) == settings


@pytest.mark.parametrize(
    ("roles", "says"),
    [
        (
            {"slover": "embedded"},
            "roles.slover: no such name; known: solver, verifier, prm, proxy, planner; "
            "did you mean solver?",
        ),
        ({"solver": []}, "roles.solver: name at least one server"),
        ({"solver": 3}, "roles.solver.0: write a server as a text, or as a table with `at`"),
        ({"solver": {"name": "N"}}, "roles.solver.0.at: Field required"),
        ({"solver": {"at": 3}}, "roles.solver.0.at: Input should be a valid string"),
        ({"solver": {"at": "x", "nme": "N"}}, "no such key of a server: nme; known: at, name"),
        ({"solver": {"at": "x", "profile": "p"}}, "unknown profile 'p'; known: qwen3"),
        (
            {"solver": {"at": "x", "api": "telnet"}},
            "roles.solver.0.api: no such value; known: completions, chat, rew",
        ),
        ({"solver": {"at": "http://x", "effort": "low"}}, "only chat APIs take an effort"),
        ({"prm": {"at": "x", "api": "reward", "effort": "none"}}, "only chat APIs take an effort"),
        (
            {"solver": {"at": "x", "provider": "acme"}},
            "roles.solver.0.provider: no such value; known: openai",
        ),
        ({"solver": {"at": "x", "context": 0}}, "greater than or equal to 1"),
        ({"solver": ["x", {"at": "x", "key_env": "sk-9"}]}, "roles.solver.1.key_env: String"),
    ],
)
def test_bad_roles_are_named(roles: Any, says: str) -> None:
    with pytest.raises(BadInput) as caught:
        settings_for("interwhen", roles=roles)
    assert says in str(caught.value)
    assert str(caught.value).count(";") <= 2  # one complaint, what is known, and what was meant
    assert "sk-9" not in str(caught.value)  # a key written by mistake is not shown


def test_only_monitors_need_a_model_that_continues() -> None:
    assert not settings_for("direct").needs_continuing
    assert not settings_for("interwhen", step_verifier=False, restarts=2).needs_continuing
    for wants in ({}, {"k_stable": 2}, {"thinking_tokens": 9}):
        values = {"step_verifier": not wants, **wants}
        assert settings_for("interwhen", **values).needs_continuing


@pytest.mark.parametrize(
    ("judges", "said"),
    [("model", 'judges: write a list, as in ["a", "b"]'), ([], "judges: the list must have at le")],
)
def test_a_list_that_is_none_is_told_by_how_it_is_written(judges: Any, said: str) -> None:
    with pytest.raises(BadInput) as caught:
        settings_for("cumulative_reasoning", judges=judges)
    assert said in str(caught.value)


@pytest.mark.parametrize(("panel", "short"), [(["nobody"], False), ([], True)])
def test_a_list_with_one_wrong_name_is_not_called_too_short(panel: list[str], short: bool) -> None:
    with pytest.raises(BadInput, match=r"panel") as caught:
        settings_for("sampling", critic="panel", panel=panel)
    assert ("at least 1" in str(caught.value)) is short
