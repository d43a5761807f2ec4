"""Every manifest's whole path on the bundled model; a few on the strict stand-ins of servers."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from agentflow import models
from agentflow.cli import app
from agentflow.errors import BadInput
from agentflow.reproduce.kinds import Options
from agentflow.reproduce.manifest import load, names
from agentflow.reproduce.run import reproduce

sys.path.insert(0, str(Path(__file__).parents[1] / "servers"))

from raw import Raw, standing_raw

DRAWN = {"adaptive/fig2", "adaptive/fig3", "verifiagent/fig3", "verifiagent/fig5"}
"""Figures whose paper prints no number: where the small model says nothing, no line is left."""


def run(*arguments: str) -> Any:
    return CliRunner().invoke(app, ["reproduce", *arguments])


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all, so that runs are shared as the manifests say."""
    return tmp_path_factory.mktemp("reproduce")


@pytest.mark.slow
@pytest.mark.parametrize("paper", sorted({name.partition("/")[0] for name in names()}))
async def test_every_table_on_the_bundled_model(paper: str, out: Path) -> None:
    """With stand-ins for problems and models no figure may be called the paper's."""
    limit = 2 if paper == "sdv" else 1  # an F1 is of right and wrong solutions
    try:
        for name in names():
            if not name.startswith(f"{paper}/"):
                continue
            options = Options(out=out, stand_in=True, limit=limit, concurrency=4)
            found = await reproduce(load(name), options)
            assert found.failed == [], name
            said = {cell.verdict for cell in found.cells}
            assert said <= {"not comparable", "not printed", "not run"}, name
            measured = [cell for cell in found.cells if cell.ours is not None]
            assert measured or name in DRAWN, name
            for cell in measured:
                assert cell.ours is not None
                assert cell.ours.low <= cell.ours.value <= cell.ours.high, (name, cell)
    finally:
        await models.close_all()


@pytest.mark.slow
def test_the_command_prints_writes_and_goes_on(tmp_path: Path) -> None:
    given = ("interwhen/table1", "--limit", "1", "--out", str(tmp_path))
    done = run(*given)
    assert done.exit_code == 0, done.stderr
    assert "| Qwen3-30B GAMEOF24 | k-Stable | accuracy |" in done.stdout
    assert "] a stand-in: other problems, and one model in all roles" in done.stdout
    base = tmp_path / "stand-in" / "interwhen" / "table8" / "results" / "table1"
    assert base.with_suffix(".md").read_text(encoding="utf-8") == done.stdout
    assert base.with_suffix(".png").read_bytes().startswith(b"\x89PNG")
    records = tmp_path / "stand-in" / "interwhen" / "table8" / "qwen3-30b-gameof24.jsonl"
    before = records.read_bytes()
    again = run(*given, "--json")
    assert (again.exit_code, records.read_bytes()) == (0, before)
    assert json.loads(again.stdout) == json.loads(base.with_suffix(".json").read_text())


def test_the_list_says_what_each_needs() -> None:
    done = run("--json")
    assert done.exit_code == 0, done.stderr
    listed = {one["table"]: one for one in json.loads(done.stdout)}
    assert list(listed) == names()
    one = listed["verifiagent/table2"]
    assert one["models"] == {"gpt-4o": "gpt-4o"}
    assert "math?sample=350&by=type" in one["datasets"]
    assert one["tokens"] > 0
    assert one["hours"] == pytest.approx(one["tokens"] / 2000 / 3600)
    faster = json.loads(run("--json", "--tokens-per-second", "4000").stdout)
    assert faster[0]["hours"] == pytest.approx(listed[faster[0]["table"]]["hours"] / 2)
    text = run().stdout
    assert "| interwhen/table9 | " in text
    assert "runs of interwhen/table8" in text


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (("eat/fig5",), "unknown table 'eat/fig5'; known: "),
        (("sdv/table12", "--at", "flexive"), "--at flexive: write NAME=VALUE"),
        (("sdv/table12", "--at", "prm=u"), "--at prm=u: the table's models are r1-14b, flexive"),
        (("sdv/table12", "--dataset", "x"), "--dataset x: write NAME=VALUE"),
        (("sdv/table12", "--part", "AIME"), "unknown part 'AIME'; known: AIME 2024"),
        (("sdv/table12", "--arm", "SDV"), "unknown arm 'SDV'; known: "),
        (("sdv/table12", "--set", "colour=red"), "no such setting"),
    ],
)
def test_bad_input(given: tuple[str, ...], says: str, tmp_path: Path) -> None:
    done = run(*given, "--out", str(tmp_path))
    assert done.exit_code == 2, done.stderr
    assert says in done.stderr
    assert not list(tmp_path.rglob("*.jsonl"))


@pytest.fixture
async def vllm() -> AsyncIterator[Raw]:
    async with standing_raw("vllm") as one:
        yield one
        await models.close_all()


PUZZLE = {"text": "4 7 8 8"}
SUM = {"text": "What do the numbers 4, 7, 8 and 8 come to?", "gold": "27"}


@pytest.mark.parametrize(
    ("name", "part", "row"),
    [
        ("interwhen/table1", "Qwen3-30B GAMEOF24", PUZZLE),
        ("interwhen/table2", "GAMEOF24", PUZZLE),
        ("sdv/table14", "AIME 2024", SUM),
        ("verifiagent/table2", "GSM8K", SUM),
    ],
)
async def test_tables_on_a_strict_server(
    name: str, part: str, row: dict[str, str], vllm: Raw, tmp_path: Path
) -> None:
    """It refuses what vLLM would; it is named twice, as two servers of one model would be."""
    file = tmp_path / "one.jsonl"
    file.write_text(json.dumps(row) + "\n")
    shown = load(name)
    settings: dict[str, Any] = {"solver_tokens": 300}
    if shown.kind == "chains":
        settings["probe"] = {"rollouts": 2}
    options = Options(
        out=tmp_path / "out",
        servers=(vllm.url, vllm.url),
        at=dict.fromkeys(shown.models, vllm.url),
        given={part: str(file)},
        settings=settings,
    )
    found = await reproduce(shown, options, parts=[part])
    assert vllm.refused == []
    measured = [cell for cell in found.cells if cell.ours is not None]
    assert measured
    assert {cell.verdict for cell in measured} <= {"not comparable", "not printed"}
    assert all("another model: Qwen3-8B" in cell.why for cell in measured)


@pytest.mark.parametrize(
    ("model", "small"),
    [
        ("embedded", True),
        ("embedded?threads=1", True),
        ("embedded:judge", False),
        ("http://localhost:8000/v1", False),
    ],
)
def test_the_pocket_model_is_given_stand_ins(
    monkeypatch: pytest.MonkeyPatch, model: str, small: bool
) -> None:
    asked = list[bool]()

    async def told(found: Any, options: Options, **_: Any) -> None:
        asked.append(options.stand_in)
        raise BadInput("enough")

    monkeypatch.setattr("agentflow.reproduce.run.reproduce", told)
    assert run("interwhen/table1", "--model", model).exit_code == 2
    assert asked == [small]
