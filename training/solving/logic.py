"""Facts and rules in controlled English: what follows, rule by rule, up to the conclusion."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agentflow.generators import propositional
from agentflow.generators.propositional import ANSWERS, Literal
from training.cases.case import is_held_out
from training.solving.trace import Worked

DEPTH = (1, 3)
DISTRACTORS = 2
_MANY = 1_000_000
EASY = 0.4
"""Share of the problems of one rule and one distractor; none held out is drawn so."""

_L = r"(?P<{0}not>not )?(?P<{0}>\w+)"
_ONE, _TWO, _THEN = (_L.format(name) for name in ("one", "two", "then"))
_FACT = re.compile(rf"(?P<name>\w+) is {_THEN}\.")
_RULES = (
    re.compile(rf"If someone is {_ONE}(?: and {_TWO})?, then they are {_THEN}\."),
    re.compile(rf"Everyone who is {_ONE} is {_THEN}\."),
    re.compile(rf"If (?P<name>\w+) is {_ONE}, then (?P=name) is {_THEN}\."),
    re.compile(rf"All {_ONE} people are {_THEN}\."),
)
_NO = re.compile(r"No (?P<one>\w+) people are (?P<then>\w+)\.")
_EITHER = re.compile(
    rf"(?P<name>\w+) is (?P<both>either )?{_ONE} or {_THEN}, (?:but not|or) both\."
)


@dataclass(frozen=True, slots=True)
class Rule:
    """What follows for the one who is asked about, by a premise."""

    number: int
    given: tuple[Literal, ...]
    then: Literal


def worked(
    rng: random.Random,
    *,
    held_out: bool = False,
    depth: tuple[int, int] = DEPTH,
    distractors: int = DISTRACTORS,
    easy: float = EASY,
) -> Iterator[Worked]:
    """Endless problems that rule after rule decides, or leaves open."""
    drawn = propositional.generate(_MANY, rng.getrandbits(32), depth=depth, distractors=distractors)
    short = propositional.generate(_MANY, rng.getrandbits(32), depth=(1, 1), distractors=1)
    while True:
        problem = next(short if not held_out and rng.random() < easy else drawn)
        if is_held_out(problem.text) != held_out:
            continue
        premises = re.findall(r"(?m)^\d+\. (.*)", problem.data["listing"])
        asked = _FACT.fullmatch(problem.data["conclusion"])
        assert asked is not None, problem.data["conclusion"]
        name, goal = asked["name"], _literal(asked, "then")
        derived = list(_derived(premises, name, goal))
        known = [literal for _, literal in derived]
        said = "True" if goal in known else "False" if goal.opposite() in known else "Uncertain"
        if said != problem.gold:
            continue  # it takes more than going on from what is known
        lines = [f"From {', '.join(map(str, by))}: {name} is {one}." for by, one in derived]
        if said == "Uncertain":
            lines.append(f"Nothing says whether {name} is {goal.property}.")
        words = {literal.property for literal in known} | {goal.property}
        yield Worked(problem, tuple(lines), said, (tuple(sorted(words)), ("is not", "is"), ANSWERS))


def _derived(
    premises: Sequence[str], name: str, goal: Literal
) -> Iterator[tuple[list[int], Literal]]:
    """What is given and what follows for ``name``, with the premises it comes from, until the goal
    is decided."""
    facts, rules = dict[Literal, int](), list[Rule]()
    for number, premise in enumerate(premises, 1):
        if (fact := _FACT.fullmatch(premise)) and fact["name"] == name:
            facts.setdefault(_literal(fact, "then"), number)
        rules += _rules(number, premise, name)
    for one in (goal, goal.opposite()):
        if one in facts:
            yield [facts[one]], one
            return
    for given, number in facts.items():
        yield [number], given
    known = list(facts)
    while new := next((r for r in rules if r.then not in known and set(r.given) <= {*known}), None):
        yield sorted({new.number, *(facts[one] for one in new.given if one in facts)}), new.then
        known.append(new.then)
        if new.then in (goal, goal.opposite()):
            return


def _rules(number: int, premise: str, name: str) -> Iterator[Rule]:
    """What a premise says of ``name``; a rule of one condition also the other way round."""
    given: list[Literal] = []
    if either := _EITHER.fullmatch(premise):
        one, then = _literal(either, "one").opposite(), _literal(either, "then")
        if either["name"] != name:
            return
        if either["both"]:
            yield Rule(number, (one.opposite(),), then.opposite())
            yield Rule(number, (then,), one)
        given = [one]
    elif no := _NO.fullmatch(premise):
        given, then = [Literal(no["one"])], Literal(no["then"], False)
    elif found := next(filter(None, (rule.fullmatch(premise) for rule in _RULES)), None):
        said = found.groupdict()
        if said.get("name", name) != name:
            return
        given = [_literal(found, key) for key in ("one", "two") if said.get(key)]
        then = _literal(found, "then")
    if given:
        yield Rule(number, tuple(given), then)
    if len(given) == 1:
        yield Rule(number, (then.opposite(),), given[0].opposite())


def _literal(found: re.Match[str], key: str) -> Literal:
    return Literal(found[key], not found[f"{key}not"])
