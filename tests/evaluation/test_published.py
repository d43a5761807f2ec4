"""The chains that are published with the table of early-exit rules in docs/first-model.md."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from agentflow.evaluation import chains
from agentflow.evaluation.sweep import Line, Table, sweep

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def table() -> Table:
    return sweep(chains.load(ROOT / "benchmarks" / "data" / "game24_chains.parquet"))


def cells(line: Line) -> list[str]:
    """A rule's row as the page has it."""
    best, (saved, change) = line.best, line.crossed
    shown = ["–", "", "none"]
    if best is not None:
        shown = [f"{best.point.threshold:.3g}", best.change.points(), best.saved.percent()]
    return [line.family, *shown, saved.percent(), change.points()]


def test_the_page_says_what_they_come_to(table: Table) -> None:
    lines = {line.family: line for line in table.lines}
    text = (ROOT / "docs" / "first-model.md").read_text(encoding="utf-8")
    section = text.partition("## Early exit\n")[2].partition("\n## ")[0]
    rows = [[cell.strip() for cell in row.split("|")[1:-1]] for row in section.splitlines()]
    known = [row for row in rows if row and row[0] in lines]
    assert len(known) >= 8
    for row in known:
        assert row == cells(lines[row[0]])
    count, right, tokens = re.findall(r"on (\d+) Game[^%]*?([\d.]+) % right in (\d+)\s", section)[0]
    assert (int(count), right, tokens) == (
        table.chains,
        f"{100 * table.accuracy:.1f}",
        f"{table.tokens:.0f}",
    )


def test_a_rule_saves_a_quarter_of_the_tokens_at_no_loss(table: Table) -> None:
    assert table.chains >= 200
    saved, change = next(
        line.crossed
        for line in table.lines
        if line.family == "entropy level, alpha 1, at candidates"
    )
    assert saved.low > 0.25
    assert change.low >= 0
