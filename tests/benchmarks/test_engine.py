"""The embedded engine's benchmark: jobs take turns, and every setting is one the engine takes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("xllamacpp")
sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

from engine import SETTINGS, STREAMS, Engine, Times, by_turns, several, show

from agentflow.models import embedded


def test_jobs_take_turns_and_the_first_turn_does_not_count() -> None:
    asked: list[tuple[str, str]] = []

    def job(name: str) -> Callable[[str], int]:
        return lambda turn: len(asked.append((name, turn)) or [turn])

    found = by_turns({"a": job("a"), "b": job("b")}, 2)
    assert asked == [(name, turn) for turn in ("warm", "0", "1") for name in ("a", "b")]
    assert {name: len(times.wall) for name, times in found.items()} == {"a": 2, "b": 2}


def test_ratios_are_of_the_same_turn(capsys: pytest.CaptureFixture[str]) -> None:
    """A turn in which the machine was busy slows both, and moves no ratio."""
    first, other = Times([2.0, 8.0, 2.0], [2.0, 8.0, 2.0]), Times([1.0, 4.0, 1.0], [1.0, 2.0, 4.0])
    assert show("x", {"first": first, "other": other})["other"] == (2.0, 2.0)
    assert "2.00 [0.50, 4.00]" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.skipif(not embedded.bundled().is_file(), reason="the bundled model is not here")
@pytest.mark.parametrize("name", sorted(set(SETTINGS) - {"two threads"}))
def test_the_engine_takes_every_setting(name: str) -> None:
    one = Engine(SETTINGS[name], embedded.bundled())
    assert several("0", [one], 1, 2) == 2 * STREAMS
