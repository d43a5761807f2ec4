"""Only ``agentflow.*`` is imported; import-linter (pyproject.toml) sees that it runs one way."""

from __future__ import annotations

import ast
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ALIASED = ("graphs", "tools", "prompts")
"""Top-level folders that are imported as ``agentflow.NAME``; else they would load twice."""


def python_files() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.py"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split("\n")
    return [ROOT / name for name in listed if name and (ROOT / name).is_file()]


def imported(file: Path) -> set[str]:
    """Dotted names of the modules that a file imports, wherever in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: relative import"
            module = node.module or ""
            found.add(module)
            if module == "agentflow":
                found.update(f"agentflow.{alias.name}" for alias in node.names)
    return found


def test_there_are_files_to_look_at() -> None:
    names = {str(file.relative_to(ROOT)) for file in python_files()}
    assert {"agentflow/trace.py", "graphs/interwhen.py", "tests/test_imports.py"} <= names


def test_only_agentflow_is_imported() -> None:
    wrong = [
        f"{file.relative_to(ROOT)}: {name}"
        for file in python_files()
        for name in imported(file)
        if name.split(".")[0] in ALIASED
    ]
    assert wrong == []


@pytest.mark.parametrize("name", ALIASED)
def test_the_aliases_are_relative_links(name: str) -> None:
    link = ROOT / "agentflow" / name
    assert link.is_symlink()
    assert link.readlink() == Path("..") / name
