"""Every method does what it did when the golden file was written (CONTRIBUTING.md)."""

from __future__ import annotations

import golden

from agentflow import graphs


async def test_scripted_worlds_are_as_recorded() -> None:
    lines = golden.moved(golden.read("scripted"), await golden.scripted())
    assert not lines, golden.report(lines)


def test_every_method_and_verifier_has_a_world() -> None:
    assert {world.method for _, world in golden.WORLDS} == {*graphs.METHODS, *graphs.VERIFIERS}


def test_a_row_that_moved_is_told() -> None:
    row = {"part": "scripted", "method": "direct", "arm": "right", "problem": "1", "status": "x"}
    assert golden.moved([row], [row]) == []
    assert golden.moved([row], [row | {"status": "y"}]) == ['direct / right / 1: status "x" -> "y"']
    assert golden.moved([row], []) == ["direct / right / 1: no longer there"]
    assert golden.moved([], [row]) == ["direct / right / 1: a new row"]
