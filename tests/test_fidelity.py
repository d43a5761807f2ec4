"""The pages that hold our methods against their papers: every row has its words, every link leads
somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent.parent / "docs" / "fidelity"
PAGES = sorted(page for page in FOLDER.glob("*.md") if page.stem != "index")
COLUMNS = "| item of the paper | our file | faithful, or how it deviates and why |"

_LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)")
_SECTION = re.compile(r"\([^()]*[^()\s][^()]*\)$")
_CODE = re.compile(r"`[^`]*`")


def rows(page: Path) -> list[list[str]]:
    """The cells of each row of a page's tables."""
    lines = page.read_text(encoding="utf-8").splitlines()
    table = [line for line in lines if line.startswith("|")]
    assert COLUMNS in table, f"{page.name} has no table with the columns"
    body = [line for line in table if line != COLUMNS and not set(line) <= set("|-: ")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in body]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_row_says_faithful_or_deviates_and_why(page: Path) -> None:
    found = rows(page)
    assert len(found) >= 10
    for cells in found:
        assert len(cells) == 3, cells
        item, file, said = cells
        assert _SECTION.search(item), f"{item}: no section"
        assert _LINK.fullmatch(file), f"{item}: {file} is no link"
        assert re.match(r"(faithful|deviates|the paper leaves it open)\b", said), f"{item}: {said}"
        assert not re.search(r"\bmissing\b(?! is recorded)", _CODE.sub("", said)), item
        if said.startswith("deviates"):
            assert len(said) > len("deviates") + 10, f"{item}: why?"


@pytest.mark.parametrize("page", sorted(FOLDER.glob("*.md")), ids=lambda page: page.stem)
def test_links_lead_to_files_that_exist(page: Path) -> None:
    for name, target in _LINK.findall(page.read_text(encoding="utf-8")):
        there = (FOLDER / target).resolve()
        assert there.exists(), f"{page.name}: {target}"
        assert name in (there.name, there.parent.name) or page.stem == "index", f"{name}: {target}"


def test_the_index_has_every_page() -> None:
    index = (FOLDER / "index.md").read_text(encoding="utf-8")
    for page in PAGES:
        assert f"({page.name})" in index


def test_no_item_stands_twice() -> None:
    for page in PAGES:
        items = [item for item, *_ in rows(page)]
        assert len(set(items)) == len(items), page.name
