from __future__ import annotations

import itertools
import subprocess
import sys
from typing import Any

import pytest
from pydantic import ValidationError

from agentflow.api import settings_for
from agentflow.errors import BadInput
from agentflow.graphs import METHODS
from agentflow.profile import PROFILES, Sampling
from agentflow.settings import Settings, request_seed


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
    assert "k_stabel: no such setting; known: model, domain" in message
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
