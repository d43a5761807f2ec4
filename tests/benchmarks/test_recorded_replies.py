"""The benchmark on recorded structured replies, on a few written for it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

from real.recordings import Finding, read
from real.structured import section

ASKED = "zeroeval/math-l5"


def found(folder: Path, *rows: dict[str, Any]) -> Finding:
    whole = [{"model": "m", "gold": None, "correct": None, "extra": {}} | row for row in rows]
    (folder / "some.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in whole))
    return section(list(read(folder)))


CALLED = {
    "task": "bfcl/simple",
    "output": "```python\n[a.b(x=1)]\n```",
    "correct": True,
    "extra": {"functions": [{"name": "a.b"}]},
}


def test_what_is_read_holds_the_goal(tmp_path: Path) -> None:
    finding = found(
        tmp_path,
        {"task": ASKED, "output": '```json\n{"reasoning": "so", "answer": "\\frac12"}\n```'},
        {"task": ASKED, "output": '{"reasoning": "cut'},
        CALLED,
        {"task": "something else", "output": "{"},
    )
    (row,) = finding.rows
    assert finding.holds
    assert (row["replies"], row["readable"], row["read"], row["malformed"]) == (3, 2, 2, 1)
    assert (row["json"], row["json, other"]) == (0, 1)


@pytest.mark.parametrize(
    "row",
    [
        {"task": ASKED, "output": 'It is not {"answer": "5"}'},
        CALLED | {"output": "[a.b(x=1), a.b(x=2"},
    ],
)
def test_what_a_person_reads_and_we_do_not_misses_it(tmp_path: Path, row: dict[str, Any]) -> None:
    assert not found(tmp_path, row).holds
