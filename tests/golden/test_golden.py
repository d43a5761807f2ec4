"""Every method does what it did when the golden file was written (CONTRIBUTING.md)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bundled_model
import golden
import model_arms
import pytest
from golden_row import key_of, tokens

from agentflow import Result, graphs
from agentflow.problem import Problem

ROW = {"part": "scripted", "method": "direct", "arm": "right", "problem": "1", "status": "x"}


async def test_scripted_worlds_are_as_recorded() -> None:
    lines = golden.moved(golden.read("scripted"), await golden.scripted())
    assert not lines, golden.report(lines)


@pytest.mark.slow
async def test_a_sample_of_the_bundled_models_runs_is_as_recorded() -> None:
    rows, faults = await golden.modelled(golden.sample())
    assert not faults
    if not golden.is_ours():
        pytest.skip(golden.OTHER_ENGINE)
    keys = set(map(key_of, rows))
    recorded = [row for row in golden.read("model") if key_of(row) in keys]
    lines = golden.moved(recorded, rows)
    if (
        lines
    ):  # which requests share a batch depends on how busy the machine is, and moves last bits
        again = golden.moved(recorded, (await golden.modelled(golden.sample()))[0])
        lines = [line for line in lines if line in again]
    assert not lines, golden.report(lines)


def test_every_method_and_verifier_has_a_world() -> None:
    # A reward model is not scripted: tests/graphs/test_prm.py.
    every = {*graphs.METHODS, *graphs.VERIFIERS} - {"prm"}
    assert {world.method for _, world in golden.WORLDS} == every


def test_every_method_has_an_arm_on_the_bundled_model() -> None:
    assert {arm.method for arm in model_arms.ARMS} == set(graphs.METHODS)


def names() -> Iterator[tuple[str, ...]]:
    for name, world in golden.WORLDS:
        yield ("scripted", world.method, name, world.problem)
    for run in model_arms.runs():
        yield golden.named(*run)


def test_the_file_has_each_run_once_and_no_other() -> None:
    recorded = [key_of(row) for part in ("scripted", "model") for row in golden.read(part)]
    assert sorted(recorded) == sorted(names())
    assert len(set(recorded)) == len(recorded)


def test_a_row_that_moved_is_told() -> None:
    assert golden.moved([ROW], [ROW]) == []
    assert golden.moved([ROW], [ROW | {"status": "y"}]) == ['direct / right / 1: status "x" -> "y"']
    assert golden.moved([ROW], []) == ["direct / right / 1: no longer there"]
    assert golden.moved([], [ROW]) == ["direct / right / 1: a new row"]


def test_what_depends_on_when_tokens_come_is_left_out_where_others_work_beside() -> None:
    sums = {"calls": 2, "prompt": 9, "generated": 7, "wasted": 3}
    both = {"solver": sums, "probe": sums}
    assert tokens(both, timed=False) == {"probe": [2, 9, 4, 3], "solver": [2, 9, 4, 3]}
    assert tokens(both, timed=True) == {"solver": [2, 9, 4]}


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ({"answer": "8 + 8", "status": "verified"}, "verified, and wrong"),
        ({"answer": None, "status": "accepted"}, "accepted with the answer None"),
        ({"answer": "8", "status": "abstained"}, "abstained with the answer '8'"),
        ({"answer": "8", "status": "passed"}, "the status 'passed'"),
    ],
)
async def test_what_no_machine_excuses_is_found(given: dict[str, Any], fault: str) -> None:
    problem = Problem("4 7 8 8", "game24", data={"numbers": [4, 7, 8, 8]})
    (found,) = await bundled_model.wrong_anywhere(problem, Result(**given))
    assert fault in found


async def test_and_a_right_answer_has_no_fault() -> None:
    problem = Problem("4 7 8 8", "game24", data={"numbers": [4, 7, 8, 8]})
    assert await bundled_model.wrong_anywhere(problem, Result("(7 - 8 / 8) * 4", "verified")) == []
