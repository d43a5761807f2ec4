"""eval-steps on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from agentflow.cli import app
from agentflow.errors import ModelUnavailable
from agentflow.models import Fault, ScriptedModel

DATA = Path(__file__).parent / "data"
PROCESSBENCH = str(DATA / "processbench" / "sample.jsonl")
BBM = str(DATA / "bbm" / "sample.jsonl")


def run(*arguments: str) -> Any:
    """The outcome of a command: ``exit_code``, ``stdout``, ``stderr``."""
    return CliRunner().invoke(app, ["eval-steps", *arguments])


@pytest.fixture
def model(play: Any) -> ScriptedModel:
    """Every model is one that finds no mistake."""
    return play(lambda prompt: r"hm</think>\boxed{-1}<|im_end|>")


def puzzles(tmp_path: Path) -> str:
    steps = [" 4 7 8 8 : 8 / 8 = 1 -> 1 4 7\n", " 1 4 7 : 7 - 1 = 5 -> 4 5\n"]
    lines = [
        {"id": n, "problem": "4 7 8 8", "steps": steps[:n], "label": 1 if n == 2 else -1}
        for n in (1, 2)
    ]
    path = tmp_path / "puzzles.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    return str(path)


def test_a_table(model: ScriptedModel, tmp_path: Path) -> None:
    out = str(tmp_path / "r.jsonl")
    arms = ("--verifier", "fast@4", "--verifier", "slow@1")
    done = run(PROCESSBENCH, BBM, *arms, "--parameters", "14", "--out", out)
    assert done.exit_code == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("agentflow ")
    assert lines[0].endswith("model embedded: solutions 39, 22 with a wrong step")
    fast, slow = lines[-2:]
    assert fast.startswith("| fast@4 | 39 | 0.0 % [0.0, 0.0] | 0.0 % [0.0, 0.0] | 100.0 %")
    assert slow.startswith("| slow@1 | 39 |")
    assert fast.endswith("| 1 |")


def test_json_and_domain(model: ScriptedModel, tmp_path: Path) -> None:
    out = str(tmp_path / "r.jsonl")
    arms = ("--verifier", "domain", "--verifier", "flex@2", "--domain", "game24")
    done = run(puzzles(tmp_path), *arms, "--json", "--out", out)
    assert (done.exit_code, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    domain, flex = found["rows"]
    assert (domain["arm"], domain["score"]["f1"]["value"], domain["generated"]) == ("domain", 1, 0)
    assert (flex["arm"], flex["score"]["f1"]["value"]) == ("flex@2", 0)
    assert len(model.requests) == 4


def test_a_pool_is_voted_over_again_without_the_model(
    model: ScriptedModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = str(tmp_path / "r.jsonl")
    done = run(PROCESSBENCH, "--verifier", "pool@4+1", "--limit", "6", "--out", out)
    assert done.exit_code == 0, done.stderr
    assert "| flex@4 | 0.8 | 0.0 ± 0.0 % | 0.0 % | 100.0 % | 0.0 % |" in done.stdout
    assert len(model.requests) == 6 * 5
    monkeypatch.undo()  # no server is there now
    arguments = ("--verifier", "pool@4+1", "--limit", "6", "--out", out, "--model", "http://0:9")
    refused = run(PROCESSBENCH, *arguments, "--resume")
    assert (refused.exit_code, "begun with another model" in refused.stderr) == (2, True)
    again = run(PROCESSBENCH, *arguments[:-2], "--resume", "--tau", "0.5", "--json")
    assert again.exit_code == 0, again.stderr
    votes = json.loads(again.stdout)["pools"]["pool@4+1"]
    assert {one["tau"] for one in votes} == {None, 0.5}


def test_it_goes_on_only_when_told(model: ScriptedModel, tmp_path: Path) -> None:
    out = str(tmp_path / "r.jsonl")
    assert run(PROCESSBENCH, "--limit", "2", "--out", out).exit_code == 0
    asked = len(model.requests)
    refused = run(PROCESSBENCH, "--out", out)
    assert (refused.exit_code, "--resume goes on with it" in refused.stderr) == (2, True)
    assert run(PROCESSBENCH, "--limit", "3", "--out", out, "--resume").exit_code == 0
    assert len(model.requests) == asked * 3 // 2


def test_runs_that_failed(tmp_path: Path, play: Any) -> None:
    play([Fault(ModelUnavailable("gone for good"))])
    out = tmp_path / "r.jsonl"
    done = run(PROCESSBENCH, "--limit", "2", "--out", str(out))
    assert done.exit_code == 3
    assert done.stderr.count("gone for good") == 2
    assert "| verifier |" not in done.stdout
    assert len(out.read_text().splitlines()) == 3


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--verifier", "flex"), "unknown verifier 'flex'; use flex@8, fast@8, slow@1, prm"),
        (("--verifier", "flex@0"), "unknown verifier 'flex@0'"),
        (("--verifier", "pool@8"), "unknown verifier 'pool@8'"),
        (("--verifier", "domain"), "needs --domain NAME"),
        (("--domain", "chess"), "unknown domain 'chess'"),
        (("--domain", "game24"), "sample.jsonl, line 1: game24: "),
    ],
)
def test_bad_input_is_one_line(
    model: ScriptedModel, tmp_path: Path, arguments: tuple[str, ...], reason: str
) -> None:
    done = run(PROCESSBENCH, *arguments, "--out", str(tmp_path / "r"))
    assert (done.exit_code, done.stdout) == (2, "")
    assert reason in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "r").exists()


def test_bad_rows_are_skipped_and_named(tmp_path: Path, model: ScriptedModel) -> None:
    path = tmp_path / "data.jsonl"
    good = json.dumps({"id": "a", "problem": "x", "steps": ["y"], "label": -1})
    path.write_text("\n".join(["{", good, "[]"]), encoding="utf-8")
    result = run(str(path), "--verifier", "flex@1", "--out", str(tmp_path / "out.jsonl"))
    assert result.exit_code == 0, result.output
    assert f"2 of 3 rows skipped: {path}, line 1: " in result.stderr
    assert f"{path}, line 3: not a JSON object" in result.stderr
    path.write_text("{", encoding="utf-8")
    result = run(str(path), "--out", str(tmp_path / "none.jsonl"))
    assert result.exit_code == 2
    assert f"{path}, line 1: " in result.stderr


def test_a_model_that_no_reward_model_is_ends_it_at_once(
    model: ScriptedModel, tmp_path: Path
) -> None:
    out = tmp_path / "r.jsonl"
    done = run(puzzles(tmp_path), "--verifier", "prm", "--out", str(out))
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert "the verifier prm needs a reward model, and scripted is none; name one" in done.stderr
    assert '"failed"' not in out.read_text()
