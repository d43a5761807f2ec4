from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from agentflow.domains.logic import fol
from agentflow.domains.logic.fol import Atom, Compound, Formula, Not, Quantified
from agentflow.generators.propositional import Literal, World, decided, generate


def test_problems_are_distinct_balanced_and_the_same_for_a_seed() -> None:
    problems = list(generate(60, 7))
    assert len({problem.text for problem in problems}) == 60
    assert len({problem.id for problem in problems}) == 60
    assert set(Counter(problem.gold for problem in problems).values()) == {20}
    assert list(generate(20, 7)) == problems[:20]
    assert [problem.text for problem in generate(20, 8)] != [p.text for p in problems[:20]]


def test_every_problem_is_in_the_language_of_the_domain() -> None:
    for problem in generate(60, 1):
        assert (problem.domain, problem.data["informal"]) == ("logic", ""), problem.text
        said = problem.text.splitlines()[1:-1]
        assert len(said) == len(set(said)) == len(problem.data["premises"])


@pytest.mark.parametrize("depth", [1, 3, 5])
def test_the_depth_is_that_of_the_rules(depth: int) -> None:
    for problem in generate(6, 2, depth=(depth, depth), distractors=0):
        links = [one for one in problem.data["premises"] if "→" in one or "⊕" in one]
        assert len(links) == depth == len(problem.data["premises"]) - 1


def means(formula: Formula, world: dict[tuple[str, str], bool], names: set[str]) -> bool:
    match formula:
        case Atom(name, (term,)):
            return world[term.name, name]
        case Not(body):
            return not means(body, world, names)
        case Compound("→", (left, right)):
            return means(right, world, names) or not means(left, world, names)
        case Compound("⊕", (left, right)):
            return means(left, world, names) != means(right, world, names)
        case Compound("∧", parts):
            return all(means(part, world, names) for part in parts)
        case Compound("∨", parts):
            return any(means(part, world, names) for part in parts)
        case Quantified("∀", "x", body):
            return all(means(body, {**world, **at_x(world, name)}, names) for name in names)
    raise AssertionError(formula)


def at_x(world: dict[tuple[str, str], bool], name: str) -> dict[tuple[str, str], bool]:
    return {("x", prop): value for (who, prop), value in world.items() if who == name}


def test_the_gold_answer_is_that_of_every_assignment_tried_one_by_one() -> None:
    for problem in generate(9, 3, depth=(1, 2), distractors=2):
        premises = [fol.parse(one) for one in problem.data["premises"]]
        claim = fol.parse(problem.data["claim"])
        signature = fol.signature([*premises, claim])
        atoms = list(product(sorted(signature.constants), sorted(signature.predicates)))
        found = set()
        for values in product([False, True], repeat=len(atoms)):
            world = dict(zip(atoms, values, strict=True))
            if all(means(one, world, signature.constants) for one in premises):
                found.add(means(claim, world, signature.constants))
        assert len(found) > 0
        assert problem.gold == ("Uncertain" if len(found) == 2 else str(found.pop()))


def test_truth_tables() -> None:
    world = World(("Alex",), ("kind", "tall"))
    kind, tall = (world.table("Alex", Literal(name)) for name in world.properties)
    assert (kind, tall, world.everything) == (0b1010, 0b1100, 0b1111)
    assert decided(kind, kind) == "True"
    assert decided(kind, world.everything ^ kind) == "False"
    assert decided(kind, tall) == "Uncertain"
    assert decided(0, tall) is None
    assert world.rule(["Alex"], [Literal("kind")], Literal("tall")) == 0b1101
