"""The examples: each is short, says what it is, and prints what it should."""

from __future__ import annotations

import ast
import builtins
import runpy
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from lean_stand_in import toolchain

from agentflow import graphs
from agentflow.profile import PROFILES

FOLDER = Path(__file__).parent.parent / "examples"
EXAMPLES = sorted(FOLDER.glob("*.py"))
PUZZLE = "4 7 8 8"


@pytest.fixture(autouse=True)
def tables() -> Iterator[None]:
    """What an example adds to the tables is taken out again."""
    before = [(table, set(table)) for table in (graphs.METHODS, PROFILES)]
    yield
    for table, names in before:
        for name in set(table) - names:
            del table[name]  # type: ignore[attr-defined]


def said(capsys: pytest.CaptureFixture[str], name: str, *arguments: str) -> str:
    """What an example prints when it is run."""
    path = str(FOLDER / f"{name}.py")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", [path, *arguments])
        runpy.run_path(path, run_name="__main__")
    return capsys.readouterr().out


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_it_is_short_and_says_how_it_is_run(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 60
    assert f"python examples/{path.name}" in str(ast.get_docstring(ast.parse(text)))
    assert f"test_{path.stem}" in globals(), "every example is run by a test of its name"


def test_a_graph_of_ours_is_thirty_lines() -> None:
    lines = (FOLDER / "own_graph.py").read_text(encoding="utf-8").splitlines()
    assert len([line for line in lines if line.strip()]) <= 30


@pytest.mark.slow
def test_own_graph(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "own_graph", PUZZLE).startswith("verified ")


@pytest.mark.slow
def test_subgraph(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "subgraph", f"Make 24 of {PUZZLE}, please.").endswith(" (verified)\n")
    assert said(capsys, "subgraph", "Hello!") == "Four numbers, please.\n"


def test_swapped_tool(capsys: pytest.CaptureFixture[str]) -> None:
    said_of_it = said(capsys, "swapped_tool")
    assert said_of_it.splitlines() == [
        "False Step 1 is wrong: it is 30 days.",
        "verifier-act tool:search verifier-act",
    ]


def test_model_profile(capsys: pytest.CaptureFixture[str]) -> None:
    out = said(capsys, "model_profile")
    assert "\nHold on: 12 - 8 is 4 , not 5\n" in out
    assert "\n</ponder>\n" in out
    assert out.endswith("verified (12 - 8) * 6 * 1\n")


@pytest.mark.parametrize(
    ("reply", "note"),
    [("", "Wait, 12 - 8 is 4 , not 5"), ("Wait, count again", "Wait, count again")],
)
def test_human_in_the_loop(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, reply: str, note: str
) -> None:
    monkeypatch.setattr(builtins, "input", lambda prompt: reply)
    out = said(capsys, "human_in_the_loop")
    assert f"\n{note}\n" in out.partition("say: ")[2]
    assert out.endswith("verified (12 - 8) * 6 * 1\n")


def test_gym_task(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("reasoning_gym", reason="reasoning-gym is not installed; see make test-gym")
    asked, came = said(capsys, "gym_task").splitlines()
    assert "116 using all of these numbers: 71, 33, 12" in asked
    assert came == "verified 12 + 71 + 33 1"


def test_python_code(capsys: pytest.CaptureFixture[str]) -> None:
    out = said(capsys, "python_code")
    assert "\nWait, `assert middle(3, 1, 2) == 2` fails: middle(3, 1, 2) gives 1\n" in out
    assert out.splitlines()[-1] in ("accepted 1", "verified 1")


@pytest.mark.slow
def test_inspect_eval(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("inspect_ai", reason="inspect_ai is not installed; see make test-inspect")
    for line in said(capsys, "inspect_eval").splitlines():
        assert line.split("; ")[1] == "verified"


def test_gate(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "gate").splitlines() == [
        "asked: {'order': 'A2'} above 100 dollars a person decides",
        "B1 This call was not made: only the customer's own orders.",
        "A1 20 dollars are on their way",
        "A2 900 dollars are on their way",
    ]


def test_verina_lean(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AGENTFLOW_LEAN", str(tmp_path / "nowhere"))
    assert said(capsys, "verina_lean").splitlines() == [
        "not understood: nothing",
        "#guard larger (2) (5) (by sorry) == (5 : Int)",
        "mutants: < → ≤",
        "no Lean here",
    ]
    monkeypatch.setenv("AGENTFLOW_LEAN", str(toolchain(tmp_path / "chain")))
    assert said(capsys, "verina_lean").splitlines()[-1].startswith("passes: ")


def test_gate_streams(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "gate_streams").splitlines() == [
        "call: B1 ['order']",
        "tool: This call was not made: only the customer's own orders.",
        "call: A1 ['note', 'order']",
        "tool: A1 was refunded",
        "ai: Done.",
    ]


def test_gate_written(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "gate_written").splitlines() == [
        "good: 100% of the wrong calls caught; right, wrong: ['allow', 'deny']",
        "lazy: 0% of the wrong calls caught; right, wrong: ['ask', 'ask']",
    ]
