"""Datasets: what a file may hold, and how a line that is no problem is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentflow.errors import BadInput
from agentflow.evaluation.datasets import held_out, load


def test_the_bundled_puzzles() -> None:
    problems = load("game24", "game24")
    assert [problem.text for problem in problems] == held_out()
    assert problems[0].data["numbers"]


def test_a_file_of_json_lines(tmp_path: Path) -> None:
    file = tmp_path / "p.jsonl"
    file.write_text(
        '{"text": "4 7 8 8"}\n\n{"problem": "1 6 8 12", "id": 7, "answer": "(12-8)*6*1"}\n'
        '{"question": "2 2 2 11", "note": "a\u2028b"}',
    )
    first, second, third = load(str(file), "game24")
    assert (first.text, first.id, first.gold) == ("4 7 8 8", "1", None)
    assert (second.text, second.id, second.gold) == ("1 6 8 12", "7", "(12-8)*6*1")
    assert third.text == "2 2 2 11"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "an empty file"),
        ("\n\n", "an empty file"),
        ('{"text": "4 7 8 8"}\nx\n', "line 2: Expecting value"),
        ("[1]\n", "line 1: not a JSON object"),
        ('{"id": 3}\n', "line 1: none of the fields text, problem, question"),
        ('{"text": "4 7"}\n', "line 1: game24: needs four numbers"),
        ('{"text": "4 7 8 8"}\n{"text": "4 7 8 8", "id": 9}\n', "line 2: the same problem as '1'"),
    ],
)
def test_what_is_no_dataset(tmp_path: Path, content: str, says: str) -> None:
    (tmp_path / "p.jsonl").write_text(content)
    with pytest.raises(BadInput, match=says):
        load(str(tmp_path / "p.jsonl"), "game24")


def test_a_missing_file_and_an_unknown_domain(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"no dataset: .*use game24 or a JSON-lines file"):
        load(str(tmp_path / "none"), "game24")
    with pytest.raises(BadInput, match="unknown domain"):
        load("game24", "nope")
