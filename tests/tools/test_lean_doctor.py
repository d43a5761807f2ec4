"""What the doctor says of Lean, where it works and where it does not."""

from __future__ import annotations

from pathlib import Path

import pytest
from lean_stand_in import hide_lean, toolchain

from agentflow.tools.lean_doctor import examine


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hide_lean(monkeypatch, tmp_path)


def test_what_to_do_without_lean(tmp_path: Path) -> None:
    (only,) = examine()
    assert not only.ok
    assert only.required
    assert "install elan" in only.detail
    shim = tmp_path / "path" / "elan"
    shim.parent.mkdir()
    shim.write_text("#!/bin/sh\n")
    shim.chmod(0o755)
    (only,) = examine()
    assert "elan is here, but no toolchain" in only.detail
    (only,) = examine(str(tmp_path / "nothing"))
    assert only.detail == f"there is no program at {tmp_path / 'nothing'}"


def test_a_lean_that_works(chain: Path) -> None:
    found = {one.name: one for one in examine(str(chain), str(chain / "repl"))}
    assert [name for name, one in found.items() if not one.ok] == ["Mathlib"]
    assert "accepted by 4.99.0" in found["a right file"].detail
    assert "LEAN_PATH" in found["Mathlib"].detail
    found = {one.name: one for one in examine(str(chain))}
    assert "AGENTFLOW_LEAN_REPL" in found["the REPL"].detail
    assert not found["the REPL"].required


def test_mathlib_is_looked_for_where_lean_looks(
    chain: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEAN_PATH", str(chain))
    assert {one.name: one.ok for one in examine(str(chain))}["Mathlib"]


@pytest.mark.parametrize(
    ("removed", "name", "says"),
    [
        ("*'1 = 2 := rfl'*)", "a wrong file", "accepted"),
        ("*'#guard 1 + 1 == 3'*)", "a wrong file", "accepted"),
        ("*'by sorry'|", "sorry", "not seen"),
    ],
)
def test_a_lean_that_accepts_anything_is_found_out(
    tmp_path: Path, removed: str, name: str, says: str
) -> None:
    folder = toolchain(tmp_path / "chain")
    program = folder / "bin" / "lean"
    text = program.read_text(encoding="utf-8")
    assert removed in text
    program.write_text(text.replace(removed, "nothing)" if ")" in removed else "nothing|"))
    for each in (tmp_path, tmp_path.parent):
        each.chmod(0o755)
    found = {one.name: one for one in examine(str(folder))}
    assert not found[name].ok
    assert says in found[name].detail


def test_a_lean_that_refuses_what_is_right(chain: Path, tmp_path: Path) -> None:
    folder = toolchain(tmp_path / "chain")
    program = folder / "bin" / "lean"
    text = program.read_text(encoding="utf-8")
    program.write_text(text.replace("'1 = 2 := rfl'", "'n + 0 = n'"))
    for each in (tmp_path, tmp_path.parent):
        each.chmod(0o755)
    last = examine(str(folder))[-1]
    assert (last.name, last.ok, last.detail) == ("a right file", False, "refused: type mismatch")
