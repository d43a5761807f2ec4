"""Data and settings of FlexiVe's comparison trainings (Solve-Detect-Verify, table 2)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agentflow.errors import BadInput
from agentflow.models import ScriptedModel
from training.flexive import gathered, options
from training.flexive.gathered import paths, rated, same, stated
from training.flexive.options import Options
from training.flexive.rows import SHEPHERD_MARK as MARK
from training.flexive.rows import Row, load, save

ROW = Row("1 + 1 + 1", ("1 + 1 = 2", "2 + 1 = 4", "So the answer is 4."), 1, target="3")
PUBLISHED = {
    "input": f"How many? Step 1: 2 - 1 = 1. {MARK}\nStep 2: 1 + 1 = 3 {MARK}\n"
    f"Step 3: The answer is: 3 {MARK}",
    "label": "How many? Step 1: 2 - 1 = 1. +\nStep 2: 1 + 1 = 3 -\nStep 3: The answer is: 3 -",
    "task": "GSM8K",
}


def written(folder: Path, row: Any) -> Path:
    file = folder / "rows.jsonl"
    file.write_text(json.dumps(row))
    return file


def test_table_2_math_shepherds_rows_rate_every_step(tmp_path: Path) -> None:
    (row,) = load(written(tmp_path, PUBLISHED))
    assert row.problem == "How many?"
    assert row.steps == ("Step 1: 2 - 1 = 1.", "Step 2: 1 + 1 = 3", "Step 3: The answer is: 3")
    assert (row.rated, row.index) == ((True, False, False), 1)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"label": "How many? Step 1: 2 - 1 = 1. +"}, "1 marks for 3 steps"),
        ({"label": 3}, "not both texts"),
        ({"input": "How many?"}, "not a problem with steps"),
    ],
)
def test_rows_that_are_none(tmp_path: Path, changed: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadInput, match=reason):
        load(written(tmp_path, PUBLISHED | changed))


def test_replies_and_ratings_are_saved(tmp_path: Path) -> None:
    rows = [ROW, Row("p", ("a",), -1, "It is \\boxed{-1}", (True,))]
    save(rows, tmp_path / "rows.jsonl")
    assert load(tmp_path / "rows.jsonl") == rows


async def test_a_1_1_paths_are_reviews_that_name_the_right_step() -> None:
    said = iter(["</think>2 + 1 is 3: \\boxed{1}", "</think>\\boxed{0}", "</think>no box"])
    found = await paths(ScriptedModel(lambda prompt: next(said)), [ROW], 3)
    assert [row.reply for row in found] == ["2 + 1 is 3: \\boxed{1}"]


async def test_table_2_a_step_is_good_from_which_a_completion_is_right() -> None:
    def reply(prompt: str) -> str:
        return "So the answer is 4." if "2 + 1 = 4" in prompt else "3\nSo the answer is 3."

    (row,) = await rated(ScriptedModel(reply), [ROW, Row("p", ("a",), 0)], 2)
    assert row.rated == (True, False, False)


def test_answers_at_the_end() -> None:
    assert stated("a\nSo the answer is \\boxed{7}.") == "7"
    assert stated("So the answer is: (B)") == "(B)"
    assert (stated("nothing"), stated("")) == ("", "")
    assert same(' "]" ', "]")
    assert not same("", "")


def test_several_gpus_learn_from_the_same_problems_a_step(monkeypatch: Any) -> None:
    given = Options(("game24",), Path("x"), accumulation=8)
    assert [given.accumulated(n) for n in (1, 2, 8)] == [8, 4, 1]
    with pytest.raises(BadInput, match="3 processes cannot share"):
        given.accumulated(3)
    monkeypatch.setenv("WORLD_SIZE", "4")
    monkeypatch.setenv("RANK", "1")
    assert (options.world(), options.first()) == (4, False)


def test_replies_from_a_vllm_server() -> None:
    given = Options(("game24",), Path("x"), vllm="http://localhost:8000")
    assert given.rollouts()["vllm_server_base_url"] == "http://localhost:8000"
    assert Options(("game24",), Path("x")).rollouts() == {}
    with pytest.raises(BadInput, match="--vllm makes GRPO's replies"):
        Options(("game24",), Path("x"), method="sft", vllm="http://localhost:8000")


def test_gathering_is_a_command(capsys: Any, monkeypatch: Any) -> None:
    argv = ["gathered", "paths", "--data", "gone.jsonl", "--model", "x", "--out", "y"]
    monkeypatch.setattr("sys.argv", argv)
    with pytest.raises(SystemExit) as ended:
        gathered.main()
    assert ended.value.code == 2
    assert "gone.jsonl cannot be read" in capsys.readouterr().err
