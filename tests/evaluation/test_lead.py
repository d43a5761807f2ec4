"""The sentence that a report leads with."""

from __future__ import annotations

from dataclasses import replace

from agentflow.evaluation.intervals import Interval
from agentflow.evaluation.lead import lead
from agentflow.evaluation.runner import Record
from agentflow.evaluation.summary import Comparison, Summary, summary


def line(arm: str, right: int, tokens: int = 100, of: int = 10) -> Summary:
    records = [
        Record(arm, str(n), 0, "verified", "4", n < right, tokens, 0, 5, 1, 0, 1.0, None, "t")
        for n in range(of)
    ]
    return summary(arm, arm, records, {})


PAIR = Comparison("b", "a", 10, Interval(0.2, 0.1, 0.3), Interval(0, 0, 0), 2, 0, 0.02)


def test_one_arm() -> None:
    said = lead([line("a", 5)], [])
    assert said == "a solves 50.0 % [23.7, 76.3] of 10 runs, with 100 tokens a run."


def test_the_best_arm_its_cost_and_its_gain() -> None:
    said = lead([line("a", 5), line("b", 7, 200)], [PAIR])
    assert said == (
        "b solves most: 70.0 % [39.7, 89.2] of 10 runs, with 200 tokens a run (a: 50.0 % with 100)."
        " The gain over a is +20.0 [+10.0, +30.0] points on the 10 runs that both have."
    )


def test_a_gain_that_may_be_chance_is_called_so() -> None:
    unsure = replace(PAIR, gain=Interval(0.2, 0.0, 0.5))
    said = lead([line("a", 5), line("b", 7)], [unsure])
    assert said.endswith("+20.0 [+0.0, +50.0] points: 10 runs are too few to tell it from chance.")


def test_without_a_run_in_common_nothing_is_tested() -> None:
    assert lead([line("a", 5), line("b", 7)], []).endswith("so the difference is not tested.")


def test_of_two_alike_the_cheaper_one_is_best() -> None:
    said = lead([line("a", 5, 100), line("b", 5, 200)], [])
    assert said.startswith("No arm solves more than a: 50.0 %")
    said = lead([line("a", 5, 300), line("b", 5, 200)], [PAIR])
    assert said == (
        "b solves as many as a with the fewest tokens: 50.0 % [23.7, 76.3] of 10 runs, with 200 "
        "tokens a run (a: 300)."
    )


def test_runs_that_all_agree_are_no_proof_where_they_are_few() -> None:
    alike = replace(PAIR, runs=3, gain=Interval(1.0, 1.0, 1.0), only_arm=3, p=0.25)
    lines = [line("a", 0, of=3), line("b", 3, of=3)]
    assert lead(lines, [alike]).endswith("3 runs are too few to tell it from chance.")
    assert lead(lines, [replace(alike, p=None)]).endswith("too few to tell it from chance.")
