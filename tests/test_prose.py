"""Plain English: what readers stumbled over (docs/style.toml) is not written again."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from agentflow import catalogue, graphs

ROOT = Path(__file__).parent.parent
INSTEAD = tomllib.loads((ROOT / "docs/style.toml").read_text(encoding="utf-8"))["instead"]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


def stumbles(text: str) -> Iterator[str]:
    """What the style has against a text: the words, and what to write instead."""
    plain = " ".join(text.split())
    for words, better in INSTEAD.items():
        for found in re.finditer(rf"\b(?:{words})\b", plain, re.IGNORECASE):
            yield f"{plain[max(found.start() - 30, 0) : found.end() + 20]!r}: {better}"


def test_it_is_found_over_line_breaks() -> None:
    assert list(stumbles("where nobody\n  can tell")) == [
        "'where nobody can tell': no verifier can decide, or undecided"
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages(page: Path) -> None:
    if page.name != "CHANGELOG.md":  # what was said then stays
        assert list(stumbles(page.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("name", sorted({**graphs.METHODS, **graphs.VERIFIERS}))
def test_settings(name: str) -> None:
    for one in catalogue.settings(name):
        assert list(stumbles(one["description"])) == [], one["name"]


@pytest.mark.parametrize("path", sorted(ROOT.glob("agentflow/cli/*.py")), ids=lambda p: p.stem)
def test_help_and_messages(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            assert list(stumbles(node.value)) == [], node.lineno
