"""Verina's references and their mutants, judged by a Lean that is installed.

A reference passes if it compiles and no test fails; a mutant is caught if a test of the code fails.
Whatever Lean could not decide is counted as that, never as either.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from agentflow.domains.verina import files
from agentflow.domains.verina.checkout import Task
from agentflow.domains.verina.files import File, Judged
from agentflow.domains.verina.mutants import Mutant, mutants
from agentflow.tools.lean import Check

Checker = Callable[[Sequence[str]], Iterable[Check]]
"""Files of Lean -> what Lean says of each, in their order."""

FATES = ("caught", "survived", "does not compile", "undecided")
"""What becomes of a mutant."""


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a task.

    Attributes:
        reference: The reference with its tests.
        proof: Whether Lean accepts its proof; None if there is none, or Lean did not say.
        mutants: Each with what became of it.
    """

    id: str
    reference: Judged
    proof: bool | None
    mutants: tuple[tuple[Mutant, str], ...] = ()

    @property
    def passes(self) -> bool | None:
        """Whether the reference does; None where Lean did not decide all tests of its results."""
        if self.reference.compiles is False or self.reference.total("failed"):
            return False
        decided = not self.reference.total("undecided", "result", "wrong result")
        return True if self.reference.compiles and decided else None


def check(
    tasks: Iterable[Task], checker: Checker, most: int = 8, seed: int = 0
) -> Iterator[Result]:
    """Judge tasks that were understood.

    Args:
        most: Mutants of a task, at most; drawn at random where there are more.
        seed: Of the draw.
    """
    for task in tasks:
        asked: list[File] = [files.reference(task)]
        asked += [files.proof(task)] if task.proved else []
        drawn = _drawn(task, most, seed)
        asked += [files.changed(task, one.section, one.text) for one in drawn]
        said = checker([one.source for one in asked])
        found = [(files.judged(one, each), each) for one, each in zip(asked, said, strict=True)]
        proof = None
        if task.proved:
            judged, each = found.pop(1)
            proof = None if judged.compiles is None else judged.compiles and not each.uses_sorry
        fates = [_fate(judged) for judged, _ in found[1:]]
        yield Result(task.id, found[0][0], proof, tuple(zip(drawn, fates, strict=True)))


def _drawn(task: Task, most: int, seed: int) -> list[Mutant]:
    every = list(mutants(task))
    if len(every) <= most:
        return every
    places = random.Random(f"{seed} {task.id}").sample(range(len(every)), most)
    return [every[place] for place in sorted(places)]


def _fate(judged: Judged) -> str:
    if judged.total("failed"):
        return "caught"
    if judged.compiles is False:
        return "does not compile"
    if judged.compiles is None or judged.total("undecided"):
        return "undecided"
    return "survived"


@dataclass(slots=True)
class Counts:
    """The figures of the tables, over all results so far."""

    references: Counter[str] = field(default_factory=Counter)
    proofs: Counter[str] = field(default_factory=Counter)
    tests: Counter[tuple[str, str]] = field(default_factory=Counter)
    mutants: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, one: Result) -> None:
        """Count a result."""
        self.references[_word(one.passes)] += 1
        if one.proof is not None:
            self.proofs[_word(one.proof)] += 1
        for (kind, outcome), number in one.reference.counts.items():
            self.tests[kind, outcome] += number
        for mutant, fate in one.mutants:
            self.mutants[mutant.operator, fate] += 1

    @property
    def good(self) -> bool:
        """Whether every reference passes and none is undecided, and every wrong result fails."""
        return set(self.references) == {"passed"}

    def tests_table(self) -> list[dict[str, str]]:
        """A line for each kind of test, for the references and for their proofs."""
        lines = [_line("references", self.references), _line("proofs", self.proofs)]
        for kind, says in files.KINDS.items():
            lines.append(_line(says, {o: self.tests[kind, o] for o in _OUTCOMES}))
        return lines

    def mutants_table(self) -> list[dict[str, str]]:
        """A line for each operator, and one for all."""
        names = [*dict.fromkeys(operator for operator, _ in self.mutants), "all"]
        lines = []
        for name in names:
            of = {
                f: sum(n for (o, g), n in self.mutants.items() if g == f and name in (o, "all"))
                for f in FATES
            }
            share = of["caught"] / (of["caught"] + of["survived"]) if of["caught"] else 0.0
            ran = of["caught"] + of["survived"]
            lines.append(
                {"mutants": name, "made": str(sum(of.values()))}
                | {fate: str(number) for fate, number in of.items()}
                | {"caught of those decided": f"{share:.1%}" if ran else "–"}
            )
        return lines


_OUTCOMES = ("passed", "failed", "undecided")


def _word(holds: bool | None) -> str:
    return "undecided" if holds is None else "passed" if holds else "failed"


def _line(what: str, counts: Mapping[str, int]) -> dict[str, str]:
    return {"what": what} | {one: str(counts.get(one, 0)) for one in _OUTCOMES}


def one_by_one(check_one: Callable[[str], Check]) -> Checker:
    """A checker from one of single files."""

    def checker(sources: Sequence[str]) -> Iterator[Check]:
        return map(check_one, sources)

    return checker
