"""The sandbox on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from agentflow.cli import app
from agentflow.tools.sandbox import SandboxUnavailable
from agentflow.tools.sandbox import check as sandbox_check
from agentflow.tools.sandbox.check import Finding

HELD = Finding("tcp", "network", "Connects to the host.", "pass", "refused", 0.1)
LACKING = Finding("bluetooth", "network", "Opens a socket.", "no control", "needs Bluetooth", 0.1)
BOUNDS = "give a number above 0 and below 2^40"
LOST = Finding("loop", "limits", "Never ends.", "FAIL", "it ran on", 4.0)


def run(*arguments: str, input: str | bytes | None = None) -> Any:
    """The outcome of a command: ``exit_code``, ``stdout``, ``stderr``."""
    return CliRunner().invoke(app, ["sandbox", *arguments], input=input)


def test_a_program_is_run(tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text("def solver():\n    print('hello')\n    return sum(data)\nans = solver()\n")
    done = run("run", str(file), "--data", "[1, 2]", "--json")
    result = json.loads(done.stdout)
    assert (done.exit_code, result["ok"]) == (0, True)
    assert (result["value"], result["shown"], result["stdout"]) == (3, "3", "hello\n")
    assert (result["failure"], result["limit"]) == (None, None)
    assert result["seconds"] > 0
    done = run("run", str(file), "--data", "[1, 2]")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "hello\n3\n", "")


def test_a_program_that_fails_says_where() -> None:
    done = run("run", "-", "--json", input="x = 1\nx / 0\n")
    failure = json.loads(done.stdout)["failure"]
    assert (done.exit_code, failure["type"], failure["line"]) == (1, "ZeroDivisionError", 2)
    done = run("run", "-", input="x = 1\nx / 0\n")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == "line 2: ZeroDivisionError: division by zero\n"


def test_a_program_without_end_is_ended() -> None:
    done = run("run", "-", "--seconds", "0.5", input="while True: pass")
    assert (done.exit_code, done.stderr) == (1, "it hit its limit on seconds\n")


@pytest.mark.parametrize(
    ("arguments", "program", "message"),
    [
        (["none.py"], None, "error: none.py cannot be read: No such file or directory\n"),
        (["-"], b"\xff", "error: standard input, line 1: not UTF-8 text: byte 1"),
        (["-", "--data", "{"], "1", "error: --data is not JSON"),
        (["-", "--seconds", "0"], "1", "error: the limit seconds is 0"),
        (["-", "--memory-mib", "-5"], "1", "error: the limit memory_mib is -5"),
        (["-", "--seconds", "nan"], "1", f"error: the limit seconds is nan: {BOUNDS}"),
        (["-", "--seconds", "1e300"], "1", f"error: the limit seconds is 1e+300: {BOUNDS}"),
        (["-", "--memory-mib", "9" * 20], "1", f"error: the limit memory_mib is 9999{'9' * 16}: "),
    ],
)
def test_what_cannot_be_run_is_told(arguments: list[str], program: Any, message: str) -> None:
    done = run("run", *arguments, input=program)
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith(message)


def test_a_check_prints_a_line_a_probe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox_check, "check", lambda: iter([HELD, LACKING]))
    done = run("check")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == (
        "network\n"
        "  pass        tcp: Connects to the host.\n"
        "  no control  bluetooth: Opens a socket.\n"
        "              needs Bluetooth\n"
        "1 of 2 passed, 0 failed, 1 without a control here\n"
    )
    report = json.loads(run("check", "--json").stdout)
    assert (report["ok"], report["counts"]["no control"]) == (True, 1)
    assert report["findings"][0]["status"] == "pass"


def test_a_check_that_fails_exits_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox_check, "check", lambda: iter([HELD, LOST]))
    done = run("check")
    assert done.exit_code == 1
    assert "  FAIL        loop: Never ends.\n              it ran on\n" in done.stdout
    done = run("check", "--json")
    assert (done.exit_code, json.loads(done.stdout)["ok"]) == (1, False)


def test_a_kernel_that_offers_too_little_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> Any:
        raise SandboxUnavailable("no user namespaces;\nto allow them: ...")

    monkeypatch.setattr(sandbox_check, "check", refuse)
    done = run("check")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == "error: no user namespaces; to allow them: ...\n"
