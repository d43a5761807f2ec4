"""eval-verifier on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from agentflow.cli import app
from agentflow.errors import StreamBroken
from agentflow.models import Fault, ScriptedModel

GAME24 = str(Path(__file__).parent / "data" / "game24" / "gpt4_cot_sample.jsonl")
ARGUMENTS = (GAME24, "--format", "game24", "--set", "runs=fast", "--set", "k=1")


def run(*arguments: str) -> Any:
    """The outcome of a command: ``exit_code``, ``stdout``, ``stderr``."""
    return CliRunner().invoke(app, ["eval-verifier", *arguments])


@pytest.fixture
def model(play: Any) -> ScriptedModel:
    """Every model is one that finds no mistake."""
    return play(lambda prompt: r"\boxed{-1}<|im_end|>")


def test_a_table(model: ScriptedModel, tmp_path: Path) -> None:
    out = str(tmp_path / "r.jsonl")
    done = run("flexive", *ARGUMENTS, "--limit", "4", "--out", out)
    assert done.exit_code == 0, done.stderr
    first, _, *lines = done.stdout.splitlines()
    assert first.startswith("agentflow ")
    right = int(first.partition("solutions 4, ")[2].removesuffix(" right"))
    assert lines[2].startswith(f"| flexive | 4 | {25 * right}.0 % [")
    assert "| 100.0 % [" in lines[2]  # it passes everything
    assert len(model.requests) == 4


def test_ablations_stand_beside_each_other(model: ScriptedModel, tmp_path: Path) -> None:
    out, other = str(tmp_path / "r.jsonl"), tmp_path / "other.jsonl"
    assert run("flexive", *ARGUMENTS, "--limit", "3", "--out", str(other)).exit_code == 0
    assert run("flexive", *ARGUMENTS, "--limit", "3", "--out", out).exit_code == 0
    arguments = ("--set", "k=2", "--limit", "2", "--out", out, "--json")
    refused = run("twice=flexive", *ARGUMENTS, *arguments)
    assert (refused.exit_code, "--resume goes on with it" in refused.stderr) == (2, True)
    done = run("twice=flexive", *ARGUMENTS, *arguments, "--resume", "--beside", str(other))
    assert (done.exit_code, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert [(row["arm"], row["solutions"]) for row in found["rows"]] == [
        ("twice", 2),
        ("flexive", 2),
        ("flexive (other)", 3),
    ]
    assert [row["cost"]["verifier-fast"]["calls"] for row in found["rows"]] == [2, 1, 1]
    assert (found["failed"], found["bad"]) == (0, [])


def test_bad_rows_are_named_and_the_rest_judged(model: ScriptedModel, tmp_path: Path) -> None:
    path = tmp_path / "data.jsonl"
    good = {"problem": "1 + 1?", "solution": "Answer: 2", "gold": "2"}
    rows = [good, good | {"gold": None}, good | {"problem": "1 + 2?", "gold": "3"}]
    path.write_text("\n".join(map(json.dumps, rows)))
    out = str(tmp_path / "r")
    done = run("flexive", str(path), "--domain", "math", "--set", "k=1", "--out", out)
    assert done.exit_code == 2
    assert done.stderr.endswith(f"{path}, line 2: needs right, or gold to judge by\n")
    assert "solutions 2, 1 right" in done.stdout
    assert "| flexive | 2 | 50.0 %" in done.stdout


def test_runs_that_failed(tmp_path: Path, play: Any) -> None:
    play([Fault(StreamBroken("gone for good"))])
    out = tmp_path / "r"
    done = run("flexive", *ARGUMENTS, "--limit", "2", "--out", str(out))
    assert done.exit_code == 3
    assert done.stderr.count("gone for good") == 2
    assert "| verifier |" not in done.stdout
    assert len(out.read_text().splitlines()) == 3


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("chess", GAME24), "unknown verifier 'chess'; known: "),
        (("direct", GAME24), "'direct' is a method, no verifier"),
        (("flexive", GAME24, "--set", "no=1"), "no such setting"),
        (("flexive", GAME24, "--set", "k=0"), "settings of flexive: k: "),
        (("flexive", GAME24, "--set", "domain=math"), "--set domain: the option --domain says it"),
        (("flexive", GAME24), "line 1: problem is no text"),
        (("flexive", "gone.jsonl"), "gone.jsonl cannot be read"),
        (("flexive", GAME24, "--beside", "gone"), "--beside gone: there is no such file"),
        (("flexive", GAME24, "--format", "csv"), "unknown format 'csv'"),
    ],
)
def test_bad_input_is_one_line(
    model: ScriptedModel, tmp_path: Path, arguments: tuple[str, ...], reason: str
) -> None:
    done = run(*arguments, "--out", str(tmp_path / "r"))
    assert (done.exit_code, done.stdout) == (2, "")
    assert reason in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "r").exists()
