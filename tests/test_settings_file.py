from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agentflow.arguments import arguments_of, settings_for
from agentflow.cli.solve import read_settings
from agentflow.errors import BadInput
from agentflow.graphs import METHODS
from agentflow.settings import Server
from agentflow.settings_file import load, over

EXAMPLE = Path(__file__).parent.parent / "examples" / "agentflow.toml"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "some.toml"


@pytest.mark.parametrize("method", METHODS)
def test_the_example_serves_every_method(method: str) -> None:
    settings = settings_for(method, **load(EXAMPLE, method))
    assert (settings.seed, settings.model, settings.idle_timeout) == (1, "embedded", 120)
    assert [server.at for server in settings.roles["solver"]] == [
        "http://gpu1:8000/v1",
        "http://gpu2:8000/v1",
    ]
    assert settings.roles["planner"][0].key_env == "EXAMPLE_API_KEY"
    assert settings.roles["proxy"] == (Server(at="http://gpu1:8001/v1", name="Qwen/Qwen3-0.6B"),)
    assert settings_for("interwhen", **load(EXAMPLE, "interwhen")).k_stable == 2  # type: ignore[attr-defined]


def test_a_methods_own_table_wins(path: Path) -> None:
    path.write_text(
        """
        seed = 1
        top_k = 5
        roles = { solver = "http://a/v1", planner = "http://p/v1" }
        [interwhen]
        seed = 2
        k_stable = 3
        roles = { solver = "http://b/v1" }
        """
    )
    assert load(path, "direct")["seed"] == 1
    assert load(path, "interwhen") == {
        "seed": 2,
        "top_k": 5,
        "k_stable": 3,
        "roles": {"solver": "http://b/v1", "planner": "http://p/v1"},
    }


def test_a_model_for_the_other_roles_leaves_the_solver_its_own(path: Path) -> None:
    path.write_text('model = "embedded"\nroles = { solver = "http://a/v1" }\n')
    values = arguments_of(load(path, "direct"))
    assert "model" not in values  # it would take the solver's place
    settings = settings_for("direct", **values)
    assert settings.roles["solver"] == (Server(at="http://a/v1"),)
    assert settings.roles["verifier"] == (Server(at="embedded"),)
    assert arguments_of({"model": "x", "roles": {"prm": "y"}}) == {
        "model": "x",
        "roles": {"prm": "y"},
    }


def test_tables_are_merged_key_by_key(path: Path) -> None:
    path.write_text('[early_exit]\nprobe = { rollouts = 4, prefix = "" }\ncheck = "line"\n')
    values = over(load(path, "early_exit"), read_settings(["probe.rollouts=8", "rules=budget"]))
    assert values == {
        "probe": {"rollouts": 8, "prefix": ""},
        "check": "line",
        "rules": "budget",
    }


def test_a_team_takes_the_place_of_a_solver_that_is_named_further_up(path: Path) -> None:
    """And the other way round: who solves is said once."""
    path.write_text(
        """
        [roles]
        solver = "http://a/v1"
        planner = "http://p/v1"
        [sampling]
        team = ["http://b/v1", "http://c/v1"]
        """
    )
    values = load(path, "sampling")
    assert values == {
        "roles": {"planner": "http://p/v1"},
        "team": ["http://b/v1", "http://c/v1"],
    }
    alone = over(values, {"roles": {"solver": "http://d/v1"}})
    assert alone == {"roles": {"planner": "http://p/v1", "solver": "http://d/v1"}}
    assert "team" not in load(path, "direct")


def test_an_empty_file_sets_nothing(path: Path) -> None:
    path.write_text("")
    assert load(path, "direct") == {}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("sed = 1", "sed: no such setting; known: model"),
        ("k_stable = 2", "k_stable: no such setting"),
        ("[direct]\nk_stable = 2", "k_stable: no such setting"),
        ("[best]\nseed = 1", "best: no such setting"),
        ("[interwhen]\nk_stabel = 2", "settings of interwhen: k_stabel: no such setting"),
        ("interwhen = 1", "interwhen: write the settings of a method as a table, [interwhen]"),
        ("direct = 1", "direct: write the settings of a method as a table, [direct]"),
        ("seed = 'many'", "seed: Input should be a valid integer"),
        ("timeout = 1979-05-27", "timeout: Input should be a valid number"),
        ("roles = 1", "roles: Input should be a valid dictionary"),
        (
            "roles = 1\n[direct.roles]\nsolver = 'x'\nsolvr = 'x'",
            "roles.solvr: no such name; known: solver",
        ),
        ("[roles.solver]\nat = 'x'\nurl = 'y'", "roles.solver.0: no such key"),
        ("[roles.slover]\nat = 'x'", "roles.slover: no such name; known: solver"),
        ("seed = 1\nseed = 2\n", "not TOML: Cannot overwrite a value (at line 2, column 9)"),
        ("seed = \n", "not TOML: Invalid value (at line 1, column 8)"),
        (b"seed = 1\n\xff", ", line 2: not UTF-8 text: byte 1 is 0xff"),
        (b"#" * 1_000_001, "has more than 1,000,000 bytes"),
        ("x = " + "[" * 100_000, "not TOML: "),
        (None, "cannot be read: No such file or directory"),
    ],
)
def test_bad_files_are_named_in_one_line(path: Path, text: Any, says: str) -> None:
    if text is not None:
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(BadInput) as caught:
        load(path, "direct")
    message = str(caught.value)
    assert message.startswith(str(path))
    assert says in message
    assert "\n" not in message


def test_a_file_that_windows_wrote(path: Path) -> None:
    path.write_bytes(b"\xef\xbb\xbfseed = 3\r\n")
    assert load(path, "direct") == {"seed": 3}


def test_a_folder_is_no_settings_file(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="Is a directory"):
        load(tmp_path, "direct")


@pytest.mark.parametrize("name", ["", " "])
def test_a_blank_name_of_a_file_is_named(name: str) -> None:
    with pytest.raises(BadInput, match=r"settings file is blank; .*--settings.*AGENTFLOW_SETTINGS"):
        load(name, "direct")
