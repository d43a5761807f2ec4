from __future__ import annotations

from collections import Counter

from agentflow.generators.relations import LAYOUTS, Constraint, Puzzle, generate
from agentflow.tools.z3_tool import z3_tool

TOOL = z3_tool()
ANSWERS = {"agree": "True", "contradict": "False", "uncertain": "Uncertain"}


def outcome(**arguments: str) -> str:
    call = {"type": "tool_call", "id": "1", "name": "z3", "args": arguments}
    return ANSWERS[TOOL.invoke(call).artifact["outcome"]]


def test_puzzles_are_distinct_balanced_and_the_same_for_a_seed() -> None:
    puzzles: list[Puzzle] = list(generate(30, 7))
    assert len({puzzle.problem.text for puzzle in puzzles}) == 30
    assert len({puzzle.problem.id for puzzle in puzzles}) == 30
    assert set(Counter(puzzle.problem.gold for puzzle in puzzles).values()) == {10}
    assert list(generate(10, 7)) == puzzles[:10]
    assert [p.problem.text for p in generate(10, 8)] != [p.problem.text for p in puzzles[:10]]


def test_z3_finds_what_trying_every_order_found() -> None:
    for puzzle in generate(9, 3):
        assert outcome(program=puzzle.python) == puzzle.problem.gold, puzzle.problem.text
        claimed = outcome(program=puzzle.smtlib, language="smtlib", claim=puzzle.claim)
        assert claimed == puzzle.problem.gold, puzzle.problem.text


def test_every_relation_means_the_same_in_its_languages() -> None:
    """Each relation on four places, Z3's word for every pair of places against Python's."""
    places = [(a, b) for a in range(1, 5) for b in range(1, 5) if a != b]
    for layout in LAYOUTS:
        for relation in layout.relations:
            one = Constraint(relation, "Ann", "Ben", 2, 4)
            expected = [one.holds({"Ann": a, "Ben": b}) for a, b in places]
            checks = "".join(
                f"(push)(assert (and (= ann {a}) (= ben {b}) {one.smtlib()}))(check-sat)(pop)"
                for a, b in places
            )
            program = f"(declare-const ann Int)(declare-const ben Int){checks}"
            call = {"program": program, "language": "smtlib"}
            found = TOOL.invoke({"type": "tool_call", "id": "1", "name": "z3", "args": call})
            statuses = [check["status"] == "sat" for check in found.artifact["checks"]]
            assert statuses == expected, relation.sentence
            python = (
                "from z3 import *\nann, ben = Ints('ann ben')\ns = Solver()\n"
                f"ans = [s.check(ann == a, ben == b, {one.python()}) == sat for a, b in {places}]"
            )
            call = {"program": python, "language": "python"}
            found = TOOL.invoke({"type": "tool_call", "id": "1", "name": "z3", "args": call})
            assert found.artifact["value"] == expected, relation.sentence
            sentence = one.sentence()
            assert "Ann" in sentence
            assert "{" not in sentence
