"""Rows for the fast verifier: how they are read, drawn and asked, and what is refused."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agentflow.domains.game24 import Game24
from agentflow.errors import BadInput
from agentflow.evaluation.datasets import held_out
from agentflow.models import ScriptedModel
from agentflow.models.metered import Metered
from agentflow.problem import Problem
from agentflow.profile import PROFILES
from agentflow.verifiers import DomainVerifier, FlexiVe
from training.flexive.options import Options
from training.flexive.rows import GENERATED, Row, draw, generated, load, prompt, save

ROWS = [
    Row("2 3 4 4", ("3 - 2 = 1", "1 + 4 = 6", "6 * 4 = 24"), 1),
    Row("What is 1 + 1?", ("It is 2.",), -1),
    Row("Zwei\u2028Zeilen", ("a\nb", "c"), 0),
]
GOOD = {"input": "1 + 1", "steps": ["2", "3"], "mistake_index": 1}


def write(folder: Path, *rows: Any) -> Path:
    file = folder / "rows.jsonl"
    file.write_text("\n".join(r if isinstance(r, str) else json.dumps(r) for r in rows))
    return file


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    save(ROWS, tmp_path / "rows.jsonl")
    assert load(tmp_path / "rows.jsonl") == ROWS


def test_the_form_is_big_bench_mistakes(tmp_path: Path) -> None:
    file = write(tmp_path, GOOD | {"target": "4"}, "", GOOD | {"mistake_index": None})
    assert [row.index for row in load(file)] == [1, -1]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("{", "rows.jsonl:2: not JSON"),
        ("3", "rows.jsonl:2: not a JSON object"),
        ({"input": "1"}, "rows.jsonl:2: no 'steps', 'mistake_index'"),
        (GOOD | {"input": " "}, "rows.jsonl:2: 'input' is not a text"),
        (GOOD | {"steps": []}, "rows.jsonl:2: 'steps' is not a list of texts"),
        (GOOD | {"steps": "2"}, "rows.jsonl:2: 'steps' is not a list of texts"),
        (GOOD | {"mistake_index": 2}, "'mistake_index' is 2: it counts from 0 to 1"),
        (GOOD | {"mistake_index": -1}, "'mistake_index' is -1: it counts from 0 to 1"),
        (GOOD | {"mistake_index": True}, "'mistake_index' is True"),
        (GOOD | {"mistake_index": "1"}, "'mistake_index' is '1'"),
    ],
)
def test_bad_rows_are_named(tmp_path: Path, row: Any, reason: str) -> None:
    with pytest.raises(BadInput, match=reason):
        load(write(tmp_path, GOOD, row))


def test_bad_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"none\.jsonl cannot be read"):
        load(tmp_path / "none.jsonl")
    with pytest.raises(BadInput, match="has no rows"):
        load(write(tmp_path, ""))
    with pytest.raises(BadInput, match="1 rows cannot be split"):
        draw([str(write(tmp_path, GOOD))], 10, 0, 0.5)


def test_a_tenth_is_held_out_as_in_the_paper(tmp_path: Path) -> None:
    rows = [replace(ROWS[0], problem=str(number)) for number in range(2186)]
    save(rows, tmp_path / "rows.jsonl")
    training, tested = draw([str(tmp_path / "rows.jsonl")], 1696, 0, 0.5)
    assert (len(training), len(tested)) == (1526, 170)
    assert len({row.problem for row in training + tested}) == 1696
    assert draw([str(tmp_path / "rows.jsonl")], 1696, 0, 0.5) == (training, tested)
    assert draw([str(tmp_path / "rows.jsonl")], 1696, 1, 0.5) != (training, tested)


def test_generated_rows_are_judged_by_the_domain_and_held_out_by_puzzle() -> None:
    training, tested = draw(["game24"], 40, 3, 0.79)
    assert (len(training), len(tested)) == (36, 4)
    held = {f"game24: {puzzle}" for puzzle in held_out()}
    assert not held & {row.problem for row in training}
    assert {row.problem for row in tested} <= held
    domain = Game24()
    assert len({row.index for row in training}) > 2
    for row in training + tested:
        puzzle = domain.parse(row.problem.removeprefix("game24: "))
        verdict = asyncio.run(DomainVerifier(domain).verify(puzzle, row.steps))
        assert verdict.first_wrong_step == (None if row.index < 0 else row.index)
    assert generated("game24", 3, 36, 0.79) == training


@pytest.mark.parametrize(("held", "share"), [(False, 0.79), (False, 0.0), (True, 0.5)])
@pytest.mark.parametrize("name", sorted(GENERATED))
def test_so_many_of_the_generated_rows_have_a_mistake(name: str, held: bool, share: float) -> None:
    rows = generated(name, 0, 400, share, held_out=held)
    assert sum(row.index >= 0 for row in rows) / 400 == pytest.approx(share, abs=0.05)


def test_of_the_generated_rows_held_out_half_have_a_mistake() -> None:
    drawn = generated("game24", 3, 36, 0.2), generated("game24", 3, 4, 0.5, held_out=True)
    assert draw(["game24"], 40, 3, 0.2) == drawn


@pytest.mark.parametrize("profile", ["pocket", "deepseek-r1-distill", "qwen2.5-instruct"])
@pytest.mark.parametrize("row", ROWS)
def test_the_prompt_is_what_flexive_sends_in_its_fast_stage(profile: str, row: Row) -> None:
    sent: list[str] = []

    def play(text: str) -> str:
        sent.append(text)
        return r"\boxed{-1}"

    async def ask(role: str) -> Metered:
        return Metered(ScriptedModel(play, profile=PROFILES[profile]), role, "0")

    verifier = FlexiVe(ask, mode="fast", k=1)
    verdict = asyncio.run(verifier.verify(Problem(row.problem, "math", "one"), row.steps))
    assert verdict.ok
    assert sent == ["".join(piece.text for piece in prompt(row, PROFILES[profile]))]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"at_once": 4}, "--at-once must divide the group of 14"),
        ({"flawed": 1.1}, "--flawed must be a share"),
        ({"flawed": float("nan")}, "--flawed must be a share"),
        ({"scale": "batch"}, "no scale 'batch'; there are group, none"),
        ({"reward": "length"}, "no reward 'length'; there are index, f1"),
        ({"group": 1}, "--group must be 2 or more"),
        ({"rate": 0.0}, "--rate must be above 0"),
        ({"rate": float("nan")}, "--rate must be above 0"),
        ({"max_tokens": 0}, "--max-tokens must be above 0"),
        ({"beta": -1.0}, "--beta must not be below 0"),
        ({"dry_run": 0}, "--dry-run must be 1 or more"),
        ({"method": "ppo"}, "no method 'ppo'; there are grpo, sft, prm"),
        ({"profile": "gpt"}, "no profile 'gpt'; there are qwen3"),
    ],
)
def test_bad_options_are_named(change: dict[str, Any], reason: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=reason):
        Options(("game24",), tmp_path, **change)


def test_the_command_line_says_what_is_wrong_in_one_line(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "training.flexive", "--data", "game24", "--group", "1"]
    done = subprocess.run(
        [*command, "--out", str(tmp_path)],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    assert done.returncode == 2
    assert done.stderr == "error: --group must be 2 or more: a reply is judged against its group\n"
