from __future__ import annotations

from pathlib import Path

import pytest

from agentflow.errors import BadInput
from agentflow.graphs import METHODS
from agentflow.server import offers
from agentflow.server.settings import NEVER
from agentflow.settings import Settings
from agentflow.settings_file import load as load_method


@pytest.fixture(autouse=True)
def _no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AGENTFLOW_API_KEY", raising=False)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "some.toml"


def test_without_a_file_every_method_is_on_the_bundled_model() -> None:
    settings, served = offers.load(None)
    assert sorted(served) == [f"{method}/agentflow-pocket" for method in sorted(METHODS)]
    assert next(iter(served)) == "unified/agentflow-pocket"  # what solves where none is named
    assert (settings.host, settings.port, settings.keys) == ("127.0.0.1", 8080, {})


def test_a_file(path: Path) -> None:
    path.write_text(
        """
        seed = 1
        model = "http://gpu1/v1#Qwen/Qwen3-8B"
        [interwhen]
        k_stable = 2
        [serve]
        port = 9000
        client_settings = ["domain", "k_stable"]
        [serve.keys.alice]
        env = "ALICE"
        seconds = 5
        [serve.models."interwhen/Qwen/Qwen3-8B"]
        domain = "math"
        max_tokens = 100
        [serve.models."direct/small"]
        model = "http://gpu2/v1#Qwen/Qwen3-0.6B"
        """
    )
    settings, served = offers.load(str(path), host="127.0.0.2")
    assert (settings.host, settings.port, settings.keys["alice"].env) == (
        "127.0.0.2",
        9000,
        "ALICE",
    )
    assert {id: (one.method, one.settings) for id, one in served.items()} == {
        "interwhen/Qwen/Qwen3-8B": (
            "interwhen",
            {
                "seed": 1,
                "k_stable": 2,
                "model": "http://gpu1/v1#Qwen/Qwen3-8B",
                "domain": "math",
                "max_tokens": 100,
            },
        ),
        "direct/small": ("direct", {"seed": 1, "model": "http://gpu2/v1#Qwen/Qwen3-0.6B"}),
    }
    assert load_method(path, "interwhen")["k_stable"] == 2  # the table is no other command's


def test_a_model_serves_every_method(path: Path) -> None:
    path.write_text('[serve.models."direct/small"]\n')
    _, served = offers.load(str(path), "http://gpu1/v1#Qwen/Qwen3-8B")
    assert sorted(served) == [f"{method}/Qwen/Qwen3-8B" for method in sorted(METHODS)]
    assert served["direct/Qwen/Qwen3-8B"].settings["model"] == "http://gpu1/v1#Qwen/Qwen3-8B"


def test_a_model_of_langchains_is_no_file(path: Path) -> None:
    path.write_text('model = "lc:openai:gpt-4.1"')
    assert "direct/gpt-4.1" in offers.load(str(path))[1]


def test_a_model_serves_every_method_in_the_place_of_a_team(path: Path) -> None:
    path.write_text('[sampling]\nteam = ["http://gpu1/v1#small", "http://gpu2/v1#large"]')
    _, served = offers.load(str(path), "http://gpu3/v1#own")
    assert "team" not in served["sampling/own"].settings
    _, served = offers.load(str(path))
    assert served["sampling/small"].settings["team"]


def test_a_key_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENTFLOW_API_KEY", "x" * 32)
    settings, _ = offers.load(None)
    assert settings.keys["default"].env == "AGENTFLOW_API_KEY"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("serve = 3", "serve: write the server's settings as a table"),
        ("[serve]\nprot = 1", "serve: prot: no such setting; known: concurrency"),
        ("[serve]\nport = 70000", "serve: port: "),
        ("[serve.keys.bob]\n", "keys.bob: give either sha256 or env"),
        ('[serve.keys.bob]\nsha256 = "xyz"', "keys.bob.sha256"),
        ('[serve]\nclient_settings = ["tools"]', "client_settings: tools: the operator's alone"),
        (
            '[serve]\nclient_settings = ["top_p", "seed", "think"]',
            "client_settings: think: the operator's alone; seed, top_p: every client may send them",
        ),
        ('[serve.models."x/y"]', "'x/y' is not METHOD/NAME; methods: active_retrieval"),
        ("[serve.models.direct]", "'direct' is not METHOD/NAME"),
        ('[serve.models."direct/y"]\nk = 2', "serve.models: direct/y: settings of direct: k: no"),
        ('[serve.models."interwhen/y"]\nreview = true', "review: a server has nobody"),
        ('model = "http://gpu1/v1"', "write http://gpu1/v1#NAME"),
        ('[serve.models."direct/y"]\ndomain = "mathh"', "direct/y: unknown domain 'mathh'"),
        ('[serve.models."direct/y"]\ntools = { search = "wbe" }', "direct/y: the tools of domain"),
        ('[serve.models."direct/y"]\ntools = { search = "local:/no/such" }', "direct/y: the tools"),
        ('[serve.models."direct/y"]\nprompt = "none"', "direct/y: prompt: there is no folder"),
        ('[serve.models."direct/y"]\nmodel = "/no/such.gguf"', "direct/y: model '/no/such.gguf'"),
        ('[serve.models."direct/y"]\nroles = { prm = "/no/such" }', "direct/y: model '/no/such'"),
        ('[serve.models."sampling/y"]\nteam = ["/no/such"]', "sampling/y: model '/no/such'"),
        ('domain = "mathh"', "unknown domain 'mathh'"),
        ('[serve]\nclient_settings = ["domian"]', "client_settings: no method that is offered has"),
        (
            '[serve]\nclient_settings = ["k_stable"]\n[serve.models."direct/y"]',
            "client_settings: no method that is offered has k_stable",
        ),
    ],
)
def test_what_cannot_be_served_is_named(path: Path, text: str, said: str) -> None:
    path.write_text(text)
    with pytest.raises(BadInput, match=r"some\.toml") as raised:
        offers.load(str(path))
    assert said in str(raised.value)


def test_what_clients_never_choose_is_there() -> None:
    """All settings that every method has, but the domain; else a new one would slip through."""
    assert set(Settings.model_fields) - {"domain", "top_k"} <= NEVER
