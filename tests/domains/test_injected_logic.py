from __future__ import annotations

import asyncio
import functools
import itertools
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from injection import CLOSE, Made, check, domain_called, garbage, noise, survives

from agentflow.generators import propositional
from agentflow.judge import judge

World = dict[tuple[str, str], bool]
"""Whether each name has each property."""
Holds = Callable[[World], bool]

NAME = r"[A-Z]\w+"
PART = r"(?:not )?[a-z]+"
KINDS = (None, "contradicted", "not_entailed", "wrong_answer")
NO_ANSWERS = ("Maybe", "42", "Both", "Yes and no", "(D) True", "True or False")


def has(world: World, name: str, part: str) -> bool:
    """Whether a name has a property (``kind``), or lacks it (``not kind``)."""
    return world[name, part.removeprefix("not ")] != part.startswith("not ")


def meaning(sentence: str) -> Holds:
    """What one of the generator's sentences says, by its exact form."""
    if found := re.fullmatch(rf"({NAME}) is ({PART})\.", sentence):
        name, part = found.groups()
        return lambda world: has(world, name, part)
    if found := re.fullmatch(rf"({NAME}) is ({PART}) or ({PART}), or both\.", sentence):
        name, one, other = found.groups()
        return lambda world: has(world, name, one) or has(world, name, other)
    if found := re.fullmatch(rf"({NAME}) is either ({PART}) or ({PART}), but not both\.", sentence):
        name, one, other = found.groups()
        return lambda world: has(world, name, one) != has(world, name, other)
    if found := re.fullmatch(rf"If ({NAME}) is ({PART}), then \1 is ({PART})\.", sentence):
        name, one, other = found.groups()
        return lambda world: not has(world, name, one) or has(world, name, other)
    for form in (
        rf"If someone is (?P<given>{PART}(?: and {PART})?), then they are (?P<then>{PART})\.",
        rf"Everyone who is (?P<given>{PART}) is (?P<then>{PART})\.",
        rf"All (?P<given>{PART}) people are (?P<then>{PART})\.",
        rf"No (?P<given>{PART}) people are (?P<lacks>{PART})\.",
    ):
        if found := re.fullmatch(form, sentence):
            given = found["given"].split(" and ")
            parts = found.groupdict()
            then = parts["then"] if "then" in parts else f"not {parts['lacks']}"
            return lambda world: all(
                has(world, name, then)
                for name in {name for name, _ in world}
                if all(has(world, name, one) for one in given)
            )
    raise AssertionError(sentence)


def worlds(names: set[str], properties: set[str], sentences: Sequence[str]) -> list[World]:
    """Every way to give properties to names that the sentences allow."""
    atoms = list(itertools.product(sorted(names), sorted(properties)))
    rules = list(map(meaning, sentences))
    every = (
        dict(zip(atoms, values, strict=True))
        for values in itertools.product((True, False), repeat=len(atoms))
    )
    return [world for world in every if all(rule(world) for rule in rules)]


@dataclass(frozen=True)
class Oracle:
    """A generated problem, and every world in which its premises hold.

    ``strangers`` are the worlds of somebody without a name, of whom only the rules speak.
    """

    text: str
    worlds: list[World]
    strangers: list[World]

    @classmethod
    def of(cls, text: str) -> Oracle:
        _, *premises, conclusion = text.splitlines()
        said = [*premises, conclusion.removeprefix("Conclusion: ")]
        names = {found for one in said for found in re.findall(rf"\b({NAME}) is", one)}
        known = "|".join(propositional.PROPERTIES)
        properties = {found for one in said for found in re.findall(rf"\b({known})\b", one)}
        rules = [one for one in premises if not re.search(rf"\b({NAME}) is", one)]
        return cls(text, worlds(names, properties, premises), worlds({"*"}, properties, rules))

    def decides(self, sentence: str) -> str:
        """``True``, ``False`` or ``Uncertain``."""
        holds = meaning(sentence)
        named = re.search(rf"\b({NAME}) is", sentence)
        found = set(map(holds, self.worlds))
        if not named and not all(map(holds, self.strangers)):
            found.add(False)
        return str(found.pop()) if len(found) == 1 else "Uncertain"

    @functools.cached_property
    def claims(self) -> dict[str, list[str]]:
        """Sentences by what is decided of them."""
        found: dict[str, list[str]] = {"True": [], "False": [], "Uncertain": []}
        atoms = list(self.worlds[0])
        for name, part in atoms:
            for sentence in (f"{name} is {part}.", f"{name} is not {part}."):
                found[self.decides(sentence)].append(sentence)
        for (name, one), (other_name, other) in itertools.product(atoms[:3], atoms):
            if name == other_name and one != other:
                for sentence in (
                    f"If {name} is {one}, then {name} is {other}.",
                    f"If someone is {one}, then they are not {other}.",
                ):
                    found[self.decides(sentence)].append(sentence)
        return found


@functools.cache
def problems() -> list[Oracle]:
    made = list(propositional.generate(30, 13, depth=(1, 3), distractors=3))
    found = [Oracle.of(problem.text) for problem in made]
    for oracle, problem in zip(found, made, strict=True):
        assert oracle.decides(problem.text.rpartition("Conclusion: ")[2]) == problem.gold
    return [oracle for oracle in found if all(oracle.claims.values())]


def make(rng: random.Random, kind: str | None, few: int = 30) -> Made:
    """A trace with one error of a kind, or a right one."""
    oracle = rng.choice(problems()[:few])
    said = rng.choices(oracle.claims["True"], k=rng.randint(1, 4))
    wrong = None
    if kind in ("contradicted", "not_entailed"):
        place = rng.randint(0, len(said))
        bad = "False" if kind == "contradicted" else "Uncertain"
        said.insert(place, rng.choice(oracle.claims[bad]))
        wrong = place, kind
    right = oracle.decides(oracle.text.rpartition("Conclusion: ")[2])
    answer = right
    if kind == "wrong_answer":
        answer = rng.choice([one for one in ("True", "False", "Uncertain") if one != right])
        wrong = len(said), kind
    lines = ["Let me look at the premises.", ""]
    for number, one in enumerate(said, 1):
        mark = rng.choice([f"Step {number}", f"From {number}, 2", "From premises 1 and 3"])
        lines.append(f"{mark}: {one}")
        if rng.random() < 0.2:
            lines.append("Perhaps it is otherwise. I do not think so.")
    if rng.random() < 0.5:
        lines.append(CLOSE)
    shape = rng.choice(["Answer: {}", "The answer is {}.", "\\boxed{{{}}}", "**Answer:** {}"])
    lines += ["", shape.format(answer)]
    return Made(oracle.text, "\n".join(lines), wrong, answer == right)


async def judged(seed: int, count: int, few: int) -> None:
    rng = random.Random(seed)
    for number in range(count):
        made = make(rng, KINDS[number % len(KINDS)], few)
        await check("logic", made)
        other = noise(rng, made.trace)
        await check("logic", Made(made.problem, other, made.wrong, made.right_answer))


def test_injected_errors() -> None:
    asyncio.run(judged(1, 200, 4))


@pytest.mark.parametrize("said", NO_ANSWERS)
async def test_what_is_no_answer_is_neither_right_nor_wrong(said: str) -> None:
    made = make(random.Random(3), None, 4)
    domain = domain_called("logic")
    steps, _, _ = made.trace.rpartition("\n\n")
    found = await judge(domain, domain.parse(made.problem), f"{steps}\n\nAnswer: {said}")
    assert (found.steps_ok, found.answer_ok, found.ok) == (True, None, None)
    assert "could not read" in (found.undetermined or "")


@pytest.mark.exhaustive
def test_many_injected_errors() -> None:
    asyncio.run(judged(2, 2000, 30))


LINES = [one for n in range(9) for one in make(random.Random(n), KINDS[n % 3], 4).trace.split("\n")]


@settings(max_examples=60, deadline=None)
@given(garbage([line for line in LINES if "nswer" not in line and "boxed" not in line]))
def test_no_text_is_accepted_by_accident(text: str) -> None:
    asyncio.run(survives("logic", problems()[0].text, text))
