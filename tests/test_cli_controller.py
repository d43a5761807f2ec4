"""agentflow controller: record, fit and replay on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from agentflow.cli import app
from agentflow.models import ScriptedModel
from agentflow.search.controller import load, shipped

STEPS = "8 / 8 = 1 (left: 1 4 7)\n7 - 1 = 6 (left: 4 6)\n4 * 6 = 24 (left: 24)\n"
SOLUTION = f"{STEPS}</think>\nAnswer: (7 - 8 / 8) * 4 = 24"


def run(*arguments: str) -> Any:
    """The outcome of a command: ``exit_code``, ``stdout``, ``stderr``."""
    return CliRunner().invoke(app, list(arguments))


@pytest.fixture
def problems(tmp_path: Path) -> Path:
    path = tmp_path / "problems.jsonl"
    path.write_text('{"id": "p", "text": "4 7 8 8"}\n')
    return path


@pytest.fixture
def model(play: Any) -> ScriptedModel:
    """Every model is one that solves the problem."""
    return play(lambda prompt: SOLUTION[len(prompt.rpartition("<think>\n")[2]) :])


def test_record_fit_replay(model: ScriptedModel, problems: Path, tmp_path: Path) -> None:
    trees, out = tmp_path / "trees.jsonl", tmp_path / "controller.json"
    recorded = run("controller", "record", str(trees), "--dataset", str(problems))
    assert (recorded.exit_code, recorded.stdout) == (0, f"3 trees in {trees}\n")
    asked = len(model.requests)
    again = run("controller", "record", str(trees), "--dataset", str(problems))
    assert again.exit_code == 2
    assert "--resume goes on with it" in again.stderr
    again = run("controller", "record", str(trees), "--dataset", str(problems), "--resume")
    assert (again.exit_code, len(model.requests)) == (0, asked)

    fitted = run("controller", "fit", str(trees), "--out", str(out), "--price", "3")
    assert (fitted.exit_code, fitted.stderr) == (0, "")
    assert "game24 1; 3 trees" in fitted.stdout
    controller = load(out)
    assert controller.at_once == 1
    whole = run("controller", "fit", str(trees), "--out", str(out), "--price", "3", "--ahead", "0")
    assert (whole.exit_code, load(out).at_once) == (0, 0)
    assert (controller.model, controller.price) == ("embedded", 3.0)
    assert controller.right["high/high"] > 0.5

    replayed = run("controller", "replay", str(trees), "--controller", str(out), "--json")
    assert replayed.exit_code == 0
    rows = {one["strategy"]: one for one in json.loads(replayed.stdout)}
    assert rows["direct"]["right"]["value"] == rows["learned"]["right"]["value"] == 1
    assert rows["learned"]["tokens"] == rows["direct"]["tokens"]
    shown = run("controller", "replay", str(trees), "--controller", str(out), "--price", "9")
    assert "learned is ahead, points" in shown.stdout

    judges = str(shipped("prm:pocket-judge", "game24"))
    other = run("controller", "replay", str(trees), "--controller", judges)
    assert other.exit_code == 2
    assert "learned with scorer=prm, and here is scorer=rules" in " ".join(other.stderr.split())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["fit", "none.jsonl", "--out", "c.json"], "none.jsonl: no such file"),
        (["replay", "none.jsonl"], "none.jsonl: no such file"),
        (["replay", "none.jsonl", "--controller", "none.json"], "none.json cannot be read"),
        (["record", "t.jsonl", "--set", "hopeless=perhaps"], "hopeless"),
        (["record", "t.jsonl", "--set", "seed=3"], "not a setting here"),
        (["fit", "none.jsonl", "--out", "nowhere/c.json"], "there is no folder nowhere"),
    ],
)
def test_what_cannot_be_used_is_named(arguments: list[str], said: str) -> None:
    found = run("controller", *arguments)
    assert found.exit_code == 2
    assert said in " ".join(found.stderr.split())
