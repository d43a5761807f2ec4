"""NOTICE names every sample of others, with the licence that its SOURCE.txt names."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
DATA = ROOT / "tests" / "data"
LICENCES = ("MIT", "Apache-2.0", "CC BY-SA 4.0", "CC0-1.0")


def noticed() -> dict[str, set[str]]:
    """The licences that NOTICE names, by folder."""
    found: dict[str, set[str]] = {}
    folder, licences = "", "|".join(map(re.escape, LICENCES))
    for line in (ROOT / "NOTICE").read_text(encoding="utf-8").splitlines():
        if row := re.fullmatch(rf"(tests/data/\w+)? +({licences}) {{2,}}.+", line):
            folder = row[1] or folder
            found.setdefault(Path(folder).name, set()).add(row[2])
    return found


def test_every_folder_stands_there_with_its_licences() -> None:
    own = "Written for agentflow (MIT"
    sources = {
        folder.name: (folder / "SOURCE.txt").read_text(encoding="utf-8")
        for folder in DATA.iterdir()
        if folder.is_dir()
    }
    assert len(sources) > 10
    said = {
        name: {one for one in LICENCES for line in _licences(text) if one in line}
        for name, text in sources.items()
        if not text.startswith(own)
    }
    assert noticed() == said


def _licences(source: str) -> list[str]:
    """What stands behind each ``licence:``, up to the next key."""
    return re.findall(r"^licence: (.+?)(?=^\w+:)", source, re.MULTILINE | re.DOTALL)


def test_every_sample_has_its_source() -> None:
    for file in DATA.rglob("*.jsonl"):
        text = (file.parent / "SOURCE.txt").read_text(encoding="utf-8")
        assert f"file: {file.name} " in text or text.startswith("Written for agentflow"), file
