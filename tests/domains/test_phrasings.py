"""How often the answer is read that a phrasing states, on labelled ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agentflow.domains import answers

PHRASINGS = Path(__file__).parents[1] / "data" / "phrasings"


def plain(text: str | None) -> str | None:
    """Without what does not change an answer."""
    if text is None:
        return None
    return text.lower().replace("**", "").removeprefix("option ").strip(" $()'\".")


@pytest.mark.parametrize(
    "file", ["corpus.jsonl", "invented.jsonl", "unseen_corpus.jsonl", "unseen_invented.jsonl"]
)
def test_recall_and_precision(file: str) -> None:
    rows = [json.loads(line) for line in (PHRASINGS / file).read_text("utf-8").splitlines()]
    assert len(rows) >= 80
    told, read, right = 0, 0, 0
    missed = []
    for row in rows:
        found = [one.text for one in answers.statements(row["text"])]
        said = plain(found[-1]) if found else None
        stated = plain(row["answer"])
        told += stated is not None
        read += said is not None
        right += said is not None and said == stated
        missed += [] if said == stated else [(row["text"], said, stated)]
    assert right >= 0.95 * told, missed
    assert right >= 0.95 * read, missed
    assert told >= 40
    assert len(rows) - told >= 40
