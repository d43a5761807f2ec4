from __future__ import annotations

from collections import Counter

from agentflow.domains.maze.grid import simulate
from agentflow.generators.mazes import RELATIONS, generate, phrase


def test_problems_are_distinct_and_the_same_for_a_seed() -> None:
    problems = list(generate(60, 7))
    assert len({problem.text for problem in problems}) == 60
    assert len({problem.id for problem in problems}) == 60
    assert list(generate(20, 7)) == problems[:20]
    assert [problem.text for problem in generate(20, 8)] != [p.text for p in problems[:20]]


def test_the_kinds_take_turns_and_both_answers_occur() -> None:
    problems = list(generate(90, 1))
    asked = Counter(str(problem.data["asked"].get("count", "relation")) for problem in problems)
    assert asked == {"right": 30, "total": 30, "relation": 30}
    golds = Counter(problem.gold for problem in problems if "signs" in problem.data["asked"])
    assert set(golds) == {"Yes", "No"}
    assert min(golds.values()) >= 8


def test_the_size_is_that_of_the_cells_between_walls() -> None:
    sizes = set()
    for problem in generate(40, 2, size=(2, 4)):
        rows = problem.data["rows"]
        sizes |= {len(rows), len(rows[0])}
        simulate(tuple(rows))
    assert sizes == {5, 7, 9}


def test_options_hold_the_answer_once() -> None:
    for problem in generate(30, 3):
        assert list(problem.data["options"].values()).count(problem.gold) == 1


def test_every_relation_has_its_own_words() -> None:
    assert len(RELATIONS) == len(set(map(phrase, RELATIONS))) == 8


def test_a_solution_ends_with_the_letter_or_the_value() -> None:
    problem = next(generate(1, 4))
    letter = next(key for key, value in problem.data["options"].items() if value == problem.gold)
    assert problem.data["solution"][-1] == f"\\boxed{{{letter}}}"
