"""``agentflow lean``: what it says of Lean, and of Verina's tasks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lean_stand_in import hide_lean
from lean_tasks import row
from typer.testing import CliRunner

from agentflow.cli import app

SAMPLE = Path(__file__).parent / "data" / "verina" / "sample.jsonl"


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hide_lean(monkeypatch, tmp_path)


def said(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["lean", *words])
    return done.exit_code, done.output


def rows(folder: Path, code: str = "n + n") -> str:
    file = folder / "rows.jsonl"
    file.write_text(json.dumps(row(code)), encoding="utf-8")
    return str(file)


def test_the_doctor(chain: Path) -> None:
    code, output = said("doctor")
    assert code == 1
    assert output.startswith("NO  lean: not found; install elan")
    code, output = said("doctor", "--lean", str(chain), "--repl", str(chain / "repl"))
    assert code == 0
    assert "ok  a right file: accepted by 4.99.0" in output
    assert "no  Mathlib: not found" in output
    code, output = said("doctor", "--lean", str(chain), "--json")
    assert json.loads(output)["ok"] is True


def test_the_tasks_are_counted(tmp_path: Path) -> None:
    code, output = said("verina", str(SAMPLE), "--write", str(tmp_path / "lean"))
    assert code == 0
    assert "     4  tasks\n     0  not understood\n" in output
    assert len(list((tmp_path / "lean").glob("*.lean"))) == 4
    text = SAMPLE.read_text(encoding="utf-8").replace("@start code_aux", "@start other", 1)
    (tmp_path / "rows.jsonl").write_text(text, encoding="utf-8")
    code, output = said("verina", str(tmp_path / "rows.jsonl"))
    assert code == 1
    assert "an unknown section other" in output
    code, output = said("verina", str(SAMPLE), "--task", "nothing")
    assert (code, "there is no task nothing" in output) == (2, True)
    code, output = said("verina", str(tmp_path / "nowhere"))
    assert (code, "give the path of a checkout" in output) == (2, True)


def test_without_lean_nothing_is_judged() -> None:
    code, output = said("verina", str(SAMPLE), "--check")
    assert code == 2
    assert "install elan" in output


@pytest.mark.parametrize("by", ["lean", "repl"])
def test_references_and_mutants_are_judged(chain: Path, tmp_path: Path, by: str) -> None:
    with_repl = ["--repl", str(chain / "repl")] if by == "repl" else []
    words = ["--check", "--lean", str(chain), *with_repl]
    code, output = said("verina", rows(tmp_path), *words)
    assert code == 0
    assert "| references | 1 | 0 | 0 |" in output
    assert "| proofs | 1 | 0 | 0 |" in output
    assert "| the code does not give a wrong result | 2 | 0 | 0 |" in output
    assert "| the postcondition holds for expected results | 0 | 0 | 1 |" in output
    assert "| all | 1 | 1 | 0 | 0 | 0 | 100.0% |" in output
    code, output = said("verina", rows(tmp_path, "n * 3"), *words, "--json", "--mutants", "0")
    assert code == 1
    told = json.loads(output.splitlines()[-1])
    assert told["checked"]["not_passed"]["double"][0].startswith("#guard double (2)")
