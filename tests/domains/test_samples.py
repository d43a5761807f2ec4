"""Real rows of data sets that no loader reads, by their domains."""

from __future__ import annotations

import json
from pathlib import Path

from agentflow import domains

DATA = Path(__file__).parent.parent / "data"


def test_a_puzzle_of_zebralogic() -> None:
    row = json.loads((DATA / "zebralogic" / "sample.jsonl").read_text(encoding="utf-8"))
    zebra = domains.get("zebra")
    problem = zebra.parse(row["puzzle"], row["id"])
    assert problem.data["unread"] == []
    answer = zebra.answer(row["output"][0])
    assert answer is not None
    assert zebra.normalise(problem, answer) is not None
