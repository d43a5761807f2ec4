"""By how much a training raised F1, on the same solutions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

pytest.importorskip("peft")

from agentflow.evaluation.verdicts import Judgement
from training.flexive import curve


def judged(named: Sequence[bool], passed: Sequence[bool]) -> list[Judgement]:
    """Records of solutions with a mistake in step 1, named or not, and of right ones."""
    found = [(1, 1 if hit else 0) for hit in named] + [(-1, -1 if hit else 0) for hit in passed]
    return [
        Judgement("slow@1", "p", str(number), "", "", {}, {}, 0.0, label=label, predicted=said)
        for number, (label, said) in enumerate(found)
    ]


def gain(monkeypatch: pytest.MonkeyPatch, before: list[Judgement], after: list[Judgement]) -> str:
    files = {Path("before"): before, Path("after"): after}
    monkeypatch.setattr(curve, "load", files.__getitem__)
    return curve.gain(Path("before"), Path("after"), "slow@1").points()


def test_it_is_the_difference_of_the_two(monkeypatch: pytest.MonkeyPatch) -> None:
    before = judged([True] * 5 + [False] * 5, [True] * 10)  # F1 2/3
    after = judged([True] * 10, [True] * 10)
    assert gain(monkeypatch, before, after).startswith("+33.3 [+")
    assert gain(monkeypatch, after, before).startswith("-33.3 [-")
    assert gain(monkeypatch, before, before) == "+0.0 [+0.0, +0.0]"


def test_only_shared_solutions_count(monkeypatch: pytest.MonkeyPatch) -> None:
    before, after = judged([True, False], [True]), judged([True, True], [True])
    rest = [one for one in after if one.digest != "1"]
    assert gain(monkeypatch, before, rest) == "+0.0 [+0.0, +0.0]"
