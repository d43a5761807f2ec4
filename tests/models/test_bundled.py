"""The models that come with the package: their names, and which duties the judge has."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentflow import models
from agentflow.errors import BadInput
from agentflow.models import bundled, embedded
from agentflow.nodes import context
from agentflow.prices import PRICES
from agentflow.profile import detect
from agentflow.settings import Server, Settings

DUTY = "verifier-fast"


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Both files in a folder, and a duty that is the judge's."""
    (tmp_path / "agentflow-pocket.gguf").write_bytes(b"GGUF")
    monkeypatch.setattr(embedded, "bundled", lambda: tmp_path / "agentflow-pocket.gguf")
    monkeypatch.setattr(bundled, "JUDGES", frozenset({DUTY}))
    file = bundled.file(bundled.JUDGE)
    file.write_bytes(b"GGUF")
    return file


def test_names() -> None:
    assert bundled.file("embedded") == embedded.bundled()
    judge = bundled.file("embedded:judge")
    assert judge.parent == embedded.bundled().parent
    assert bundled.is_judge(judge.stem)
    assert not bundled.is_judge(embedded.bundled().stem)
    assert detect(judge.stem).name == "pocket"  # it is spoken to as the other is
    for name in bundled.NAMES:
        assert bundled.file(name).stem in PRICES
        assert Server.model_validate(name).at == name


async def test_a_judge_that_is_not_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(embedded, "bundled", lambda: tmp_path / "agentflow-pocket.gguf")
    with pytest.raises(BadInput, match=r"agentflow-pocket-judge\.gguf: no such model file"):
        await models.connect("embedded:judge")
    with pytest.raises(BadInput, match="use 'embedded' or 'embedded:judge', a path"):
        await models.connect("embedded:jugde")


def test_duties_of_the_judge(judge: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert bundled.model_for(DUTY, "embedded") == "embedded:judge"
    assert bundled.model_for("solver", "embedded") == "embedded"
    assert bundled.model_for("", "embedded") == "embedded"
    assert bundled.model_for(DUTY, "http://localhost:8000/v1") == "http://localhost:8000/v1"
    pocket = embedded.Engine(embedded.bundled().resolve(), 4096, 2)
    monkeypatch.setitem(embedded._engines, "http://127.0.0.1:7/v1", pocket)
    monkeypatch.setitem(embedded._engines, "http://127.0.0.1:8/v1", embedded.Engine(judge, 1, 1))
    another_engine = bundled.model_for(DUTY, "http://127.0.0.1:7/v1")
    assert another_engine == "embedded:judge?context=4096&threads=2"
    assert bundled.model_for(DUTY, "http://127.0.0.1:8/v1") == "http://127.0.0.1:8/v1"
    judge.unlink()
    assert bundled.model_for(DUTY, "embedded") == "embedded"


@pytest.mark.parametrize("engine", ["?context=4096", "?threads=2", "?context=4096&threads=2"])
def test_the_judge_has_the_engine_of_the_pocket_model(judge: Path, engine: str) -> None:
    assert bundled.is_pocket(f"embedded{engine}")
    assert bundled.model_for(DUTY, f"embedded{engine}") == f"embedded:judge{engine}"
    assert bundled.model_for("solver", f"embedded{engine}") == f"embedded{engine}"


@pytest.mark.parametrize(
    "model",
    ["embedded:judge", "embedded:judge?threads=2", "my-embedded.gguf?threads=2", "http://embedded"],
)
def test_what_is_not_the_pocket_model(judge: Path, model: str) -> None:
    assert not bundled.is_pocket(model)
    assert bundled.model_for(DUTY, model) == model


async def test_a_role_that_is_named_wins(judge: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[object]()

    async def connect(servers: object, *, idle_timeout: float) -> None:
        asked.append(servers if isinstance(servers, str) else [one.at for one in servers])

    monkeypatch.setattr(models, "connect", connect)
    named = Settings(roles={"verifier": "embedded"})
    await context.connected(Settings(), "verifier", DUTY)
    await context.connected(Settings(), "verifier", "verifier-meta")
    await context.connected(named, "verifier", DUTY)
    await context.connected(Settings(model="x.gguf"), "verifier", DUTY)
    assert asked == ["embedded:judge", "embedded", ["embedded"], "x.gguf"]


@pytest.mark.skipif(not embedded.bundled().is_file(), reason="the bundled model is not here")
def test_no_duty_is_the_judges_before_it_is_shipped() -> None:
    assert bundled.file(bundled.JUDGE).is_file() or not bundled.JUDGES
