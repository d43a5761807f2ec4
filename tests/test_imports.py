"""Imports run one way, and only ``agentflow.*`` is imported."""

from __future__ import annotations

import ast
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ALIASED = ("graphs", "tools", "prompts")
"""Top-level folders that are imported as ``agentflow.NAME``; else they would load twice."""

LAYERS = [
    {"graphs"},
    {"nodes"},
    {"monitors", "search", "scorers", "domains", "verifiers"},
    {"models", "prompts"},
    {"errors", "ledger", "problem", "prices", "profile", "run", "settings", "state", "trace"}
    | {"chat_templates", "notebook", "thinking", "thinking_formats", "verdict", "version"},
    {"tools"},
]
"""From the top; a module imports its own layer and those below. What is not listed (the API, the
server, the command line, the evaluation) stands above them all."""


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


def layer(part: str) -> int:
    return next((number for number, names in enumerate(LAYERS) if part in names), -1)


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


def test_imports_run_one_way() -> None:
    public = ast_all(ROOT / "agentflow" / "__init__.py")
    wrong = []
    for file in python_files():
        path = file.relative_to(ROOT)
        if path.parts[0] == "agentflow":
            own = path.parts[1].removesuffix(".py")
        elif path.parts[0] in ALIASED:
            own = path.parts[0]
        else:
            continue
        for name in imported(file):
            parts = name.split(".")
            if parts[0] != "agentflow" or len(parts) == 1 or parts[1] in public:
                continue
            if layer(parts[1]) < layer(own):
                wrong.append(f"{path} imports {name}")
            if own == "tools" and parts[1] != "tools":
                wrong.append(f"{path} imports {name}")
    assert wrong == []


def ast_all(file: Path) -> list[str]:
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return list(ast.literal_eval(node.value))
    return []


@pytest.mark.parametrize("name", ALIASED)
def test_the_aliases_are_relative_links(name: str) -> None:
    link = ROOT / "agentflow" / name
    assert link.is_symlink()
    assert link.readlink() == Path("..") / name
