"""The benchmark of a method beside direct: what it reads, and what it compares."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

pytest.importorskip("scipy")
pytest.importorskip("xllamacpp")
sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

from against_direct import Costs, counts, ratios, report

PAGE = """# HELP llamacpp:prompt_tokens_total Number of prompt tokens processed.
# TYPE llamacpp:prompt_tokens_total counter
llamacpp:prompt_tokens_total 18
llamacpp:prompt_seconds_total 0.25

"""


def test_the_engines_page_is_read() -> None:
    found = {"llamacpp:prompt_tokens_total": 18.0, "llamacpp:prompt_seconds_total": 0.25}
    assert counts(PAGE) == found


def test_sums_are_compared_and_not_single_runs() -> None:
    """A long problem weighs more than a short one."""
    (one,) = ratios(
        [{"tokens": 1.0}, {"tokens": 30.0}], [{"tokens": 2.0}, {"tokens": 60.0}]
    ).values()
    assert (one.value, one.low, one.high) == (0.5, 0.5, 0.5)
    (one,) = ratios([{"tokens": 4.0}, {"tokens": 6.0}], [{"tokens": 2.0}, {"tokens": 8.0}]).values()
    assert one.value == 1.0
    assert one.low < 1 < one.high


@pytest.mark.parametrize(
    ("tokens", "wall", "met"), [(0.9, 0.9, True), (0.9, 1.4, False), (1.2, 1.4, True)]
)
def test_time_is_held_against_it_only_where_its_tokens_are_no_more(
    tokens: float, wall: float, met: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    def costs(tokens: float, wall: float) -> list[Costs]:
        return [{"tokens": tokens, "wall-clock": wall}] * 2

    assert report({"direct": costs(1, 1), "other": costs(tokens, wall)}) is met
    assert ("MISSED" in capsys.readouterr().out) is not met
