"""The code of the documentation: each Python block runs alone, each command line is one of ours."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path

import pytest
import typer
from forks import Forks

from agentflow.cli import app
from agentflow.graphs import METHODS
from agentflow.reproduce import manifest
from agentflow.settings_file import load

ROOT = Path(__file__).parent.parent
PAGES = sorted([ROOT / "README.md", *ROOT.glob("docs/**/*.md")])
ELSEWHERE = {
    *("docs/server.md", "docs/write-a-domain.md", "docs/write-a-stop-rule.md", "docs/gate.md"),
    *("docs/endpoints.md", "docs/in-engine.md", "docs/tutorial.md", "docs/write-a-monitor.md"),
}
"""Their blocks need one another, a server or a key; tests of their own do what they do."""


def blocks(page: Path, language: str) -> list[tuple[str, str]]:
    """Each block with the place where it stands."""
    text = page.read_text(encoding="utf-8")
    name = page.relative_to(ROOT).as_posix()
    found = re.finditer(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)
    return [(f"{name}:{text[: one.start()].count(chr(10)) + 1}", one[1]) for one in found]


PYTHON = [
    one
    for page in PAGES
    if page.relative_to(ROOT).as_posix() not in ELSEWHERE
    for one in blocks(page, "python")
]
COMMANDS = [
    (place, line)
    for page in PAGES
    for place, block in blocks(page, "")
    for line in re.sub(r"\\\n", " ", block).splitlines()
    if re.match(r"(\$ )?agentflow ", line)
]


@pytest.mark.slow
@pytest.mark.parametrize(("place", "block"), PYTHON, ids=[place for place, _ in PYTHON])
def test_a_python_block_runs_alone(place: str, block: str, tmp_path: Path, forks: Forks) -> None:
    paths = {"PYTHONPATH": str(ROOT), "XDG_DATA_HOME": str(tmp_path), "HOME": str(tmp_path)}
    done = forks.run(block, folder=tmp_path, environment=paths)
    assert (done.returncode, done.stderr) == (0, ""), place


@pytest.mark.parametrize(("place", "line"), COMMANDS, ids=[place for place, _ in COMMANDS])
def test_a_command_line_is_understood(place: str, line: str) -> None:
    words = shlex.split(re.sub(r" [<>] \S+| &$", "", line.removeprefix("$ ")), comments=True)[1:]
    command, context = typer.main.get_command(app), None
    while True:
        name = words.pop(0)
        command = command.commands[name]  # type: ignore[attr-defined]
        if not hasattr(command, "commands"):
            break
    with command.make_context(name, words, parent=context) as opened:
        assert opened.command is command


@pytest.mark.parametrize(
    ("place", "block"), [one for page in PAGES for one in blocks(page, "toml")]
)
def test_a_settings_file_is_understood(place: str, block: str, tmp_path: Path) -> None:
    tables = tomllib.loads(block)
    if "project" in tables or "rule" in tables:
        return  # of a package, or a gate's policy
    if "figures" in tables:
        assert manifest.read("made/up", tables).figures, place
        return
    path = tmp_path / "agentflow.toml"
    path.write_text(block, encoding="utf-8")
    assert any(load(str(path), method) for method in ("unified", *METHODS.keys() & tables)), place


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").split()) <= 900
