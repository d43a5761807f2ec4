"""The runner: one record each, resume, an independent judge of answers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from agentflow.domains import Game24
from agentflow.errors import BadInput
from agentflow.evaluation.datasets import held_out, right
from agentflow.evaluation.runner import ARMS, Arm, load, run
from agentflow.models import ScriptedModel

THINKING = " 1 6 8 12 : 12 - 8 = 4 -> 1 4 6\n 1 4 6 : 6 * 4 = 24 -> 1 24\n"
CLAIM = "Answer: ( ( 12 - 8 ) * 6 ) * 1 = 24\n"
SOLVED = f"{THINKING} 1 24 : 24 * 1 = 24 -> 24\n{CLAIM}and on and on\n</think>\n{CLAIM}"
DIRECT = Arm("direct", "direct")
PUZZLE = Game24().parse("1 6 8 12")


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("(12 - 8) * 6 * 1", True),
        ("6 * (12 - 8) / 1", True),
        ("(12 - 8) * 6", False),
        ("12 + 8 + 6 - 1", False),
        ("no idea", False),
        ("", False),
        (None, False),
    ],
)
def test_answers_are_judged_by_enumeration(answer: str | None, expected: bool) -> None:
    assert right(PUZZLE, answer) is expected


async def test_one_record_per_arm_problem_and_seed(tmp_path: Path) -> None:
    out = tmp_path / "records.jsonl"
    records = await run(ARMS, [PUZZLE], [0, 1], out, model=ScriptedModel(SOLVED))
    assert {(r.arm, r.seed) for r in records} == {(a.name, s) for a in ARMS for s in (0, 1)}
    assert all(r.right and r.tokens > 0 for r in records)
    assert load(out) == records


async def test_a_run_cut_off_goes_on_where_it_stopped(tmp_path: Path) -> None:
    out = tmp_path / "records.jsonl"
    model = ScriptedModel(SOLVED)
    whole = await run([DIRECT], [PUZZLE], range(3), out, model=model)
    kept = out.read_text().splitlines(keepends=True)[:3]
    out.write_text("".join(kept) + '{"arm": "direct", "prob')
    again = ScriptedModel(SOLVED)
    records = await run([DIRECT], [PUZZLE], range(3), out, model=again)
    assert len(again.requests) == 1
    assert [replace(r, seconds=0) for r in records] == [replace(r, seconds=0) for r in whole]


async def test_the_oracle_stops_at_the_first_right_candidate(tmp_path: Path) -> None:
    (record,) = await run(
        [DIRECT], [PUZZLE], [0], tmp_path / "r.jsonl", model=ScriptedModel(SOLVED)
    )
    after = len(ScriptedModel("")._split.findall("and on and on\n"))
    assert record.oracle == record.tokens - after


def test_another_versions_file_is_refused_by_line(tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text('{"arm": "direct"}\n')
    with pytest.raises(BadInput, match="line 1"):
        load(tmp_path / "r.jsonl")


def test_the_held_out_puzzles() -> None:
    puzzles = held_out()
    assert len(set(puzzles)) == len(puzzles) == 250
    assert all(1 <= int(n) <= 13 for p in puzzles for n in p.split())
