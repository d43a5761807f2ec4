"""Which step of a solver's solution is the first wrong one: ``python -m training.judging.label``.

A line is judged by its domain's verifier. What that cannot tell, in word problems and questions
about people, is told by the right solution and by the facts. Where a line before the first wrong
one is not understood, nothing is known of the solution, and it is left out.
"""

from __future__ import annotations

import argparse
import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Literal

from agentflow.domains.game24 import judge_state
from agentflow.problem import Problem
from agentflow.state import State
from agentflow.verdict import Verdict
from agentflow.verifiers import segment
from training.cases import facts
from training.cases.words import number
from training.flawed import SHOULD_BE
from training.here import at_once, domain
from training.mistakes import POCKET
from training.texts import DOUBTS, answer_part

RIGHT, UNKNOWN = "right", "unknown"

_SILENT = re.compile(
    r"|Yes|No|Alternatively|\\boxed\{.*\}"
    r"|The map puts no two objects in line\."
    r"|[-+*/()= \d]+ = [-+*/()= \d]+"
)
"""Lines in which there is nothing to verify; of Game of 24 the rewriting whose last form is the
answer that is claimed behind it."""

_EQUATION = re.compile(r"(?P<says>.+?): (?P<work>.+) = \$?(?P<value>[\d./]+).*")
_OPEN = re.compile(r"Nothing says whether (?P<claim>\w+ is \w+\.)")
_ORDER = re.compile(
    r"(?:north-south|east-west), further to the (?P<way>\w+) being more: (?P<order>.+)"
)
_CORNERS = {
    "north": ("Northeast", "Northwest"),
    "south": ("Southeast", "Southwest"),
    "east": ("Northeast", "Southeast"),
    "west": ("Northwest", "Southwest"),
}
"""Of which two directions each is a part."""
_FACT = re.compile(r"Fact: (?P<name>\w+ \w+) was (?:born in|an?) (?P<what>\w+)\.")


@dataclass(frozen=True, slots=True)
class Sampled:
    """A solution that a solver wrote.

    Attributes:
        domain, text: The problem.
        right: The lines of a right solution with its answer; empty in Game of 24.
        said: What the solver wrote behind its prompt, up to its end.
        temperature: At which it was sampled.
    """

    domain: str
    text: str
    right: tuple[str, ...]
    said: str
    temperature: float


@dataclass(frozen=True, slots=True)
class Labelled:
    """A solver's solution, and what is wrong with it.

    Attributes:
        domain, text: The problem.
        answer: Its right answer; empty in Game of 24.
        steps: The solution, cut at its hesitations.
        wrong: 0-based index of the first wrong step, -1 for none.
        line, reason: The first wrong line and what is wrong with it; empty for none.
        kind: Of the mistake, in the domain's words or ours; empty for none.
    """

    domain: str
    text: str
    answer: str
    steps: tuple[str, ...]
    wrong: int = -1
    line: str = ""
    reason: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """What is known of a line."""

    said: Literal["right", "wrong", "unknown"]
    reason: str = ""
    kind: str = ""


def labelled(one: Sampled) -> Labelled | None:
    """The solution with its first wrong step; None where that cannot be told."""
    problem = domain(one.domain).parse(one.text)
    text = one.said.replace(POCKET.think_close, "\n")
    stated = domain(one.domain).answer(text)
    if POCKET.think_close not in one.said or stated is None:
        return None
    steps = tuple(segment(text, POCKET.hesitations))
    answer = one.right[-1].removeprefix("Answer: ") if one.right else ""
    memory, right = dict[str, Any](), list[State]()
    for index, step in enumerate(steps):
        for line in step.splitlines(keepends=True):
            memory, states = domain(one.domain).extract(problem, line, 0, memory)
            verdicts = list(_judged(problem, states, right))
            found = _finding(one, problem, line.strip(), verdicts)
            if found.said == UNKNOWN:
                return None
            if found.said != RIGHT:
                wrong = (index, line.strip(), found.reason, found.kind)
                return Labelled(one.domain, one.text, answer, steps, *wrong)
    shown = domain(one.domain).shown(stated)
    if one.domain != "game24" and shown.lower() != answer.lower():
        return None
    return Labelled(one.domain, one.text, answer, steps)


def rows(one: Sampled) -> list[Labelled | None]:
    """The labelled solution; behind a wrong one the right one of the same problem, so that what
    should stand in a wrong line's place is seen as often as the line."""
    found = labelled(one)
    if found is None or not found.line or not one.right:
        return [found]
    return [found, labelled(replace(one, said=as_solved(one.right)))]


def as_solved(right: Sequence[str]) -> str:
    """The lines of a right solution as a solver would write it behind its prompt."""
    thinking = "".join(f"{line}\n" for line in right)
    return f"{thinking}{POCKET.think_close}\n{answer_part(right[-1])}"


def _judged(problem: Problem, states: Iterable[State], right: list[State]) -> Iterator[Verdict]:
    """What the domain's verifier says of what a line states, behind what was right before it."""
    for state in states:
        if problem.domain == "game24":
            verdict = judge_state(problem, state, right)
        else:
            verdict = at_once(domain(problem.domain).verify_state(problem, state, right))
        right += [state] if verdict.ok else []
        yield verdict


def _finding(one: Sampled, problem: Problem, line: str, verdicts: Sequence[Verdict]) -> Finding:
    for verdict in verdicts:
        if verdict.ok is False:
            return Finding("wrong", verdict.reason, verdict.kind)
    if line in one.right or silent(line):
        return Finding("right")
    if left_open := _OPEN.fullmatch(line):
        return _of_conclusion(problem, left_open["claim"], one.right)
    if order := _ORDER.fullmatch(line):
        return _of_order(problem, order["way"], order["order"].split(" < "))
    if one.domain == "math":
        return _of_story(one.right, line)
    if one.domain == "commonsense":
        return _of_people(one.right, line)
    known = bool(verdicts) and all(verdict.ok for verdict in verdicts)
    return Finding("right" if known else "unknown")


def _of_conclusion(problem: Problem, claim: str, right: Sequence[str]) -> Finding:
    """What the right answer tells of the line that leaves the conclusion open."""
    if claim != problem.data["conclusion"].replace(" not ", " "):
        return Finding("unknown")
    if right[-1] == "Answer: Uncertain":
        return Finding("right")
    return Finding("wrong", f"the premises decide whether {claim.rstrip('.')}", "wrong_answer")


def _of_order(problem: Problem, way: str, names: Sequence[str]) -> Finding:
    """What the map tells of objects in a row, the last one being furthest that way."""
    opposite = {"north": "south", "south": "north", "east": "west", "west": "east"}[way]
    known = True
    for one, other in pairwise(names):
        lines = [f"- {other} is to the {corner} of {one}" for corner in _CORNERS[way]]
        if all(found is False for found in _of_map(problem, lines)):
            reason = f"the map does not put {other} further to the {way} than {one}"
            return Finding("wrong", reason, "wrong_order")
        lines = [f"- {other} is to the {corner} of {one}" for corner in _CORNERS[opposite]]
        known = known and all(found is False for found in _of_map(problem, lines))
    return Finding("right" if known else "unknown")


def _of_map(problem: Problem, lines: Iterable[str]) -> Iterator[bool | None]:
    """Whether the map says what each line does; None where it leaves it open."""
    for line in lines:
        _, states = domain(problem.domain).extract(problem, f"{line}\n", 0, {})
        verdicts = list(_judged(problem, states, []))
        yield verdicts[0].ok if len(verdicts) == 1 else None


def silent(line: str) -> bool:
    """Whether there is nothing in a line to verify."""
    return line in DOUBTS or _SILENT.fullmatch(line) is not None


def _of_story(right: Sequence[str], line: str) -> Finding:
    """What the right solution tells of a line that is not one of its own, and whose sum is right:
    each thing that it works out once has one value."""
    if line.startswith("Answer: "):
        return Finding("wrong", f"{SHOULD_BE}{right[-1]}", "answer")
    said = _EQUATION.fullmatch(line)
    meant = [found for one in right if (found := _EQUATION.fullmatch(one))]
    if said is None:
        return Finding("unknown")
    of_it = [one for one in meant if one["says"] == said["says"]]
    if any(_same(one, said) for one in of_it):
        return Finding("right")
    if len(of_it) != 1:
        return Finding("unknown")
    if number(of_it[0]["value"]) == number(said["value"]):
        return Finding("unknown")  # another way, or a wrong one that comes to the same
    return Finding("wrong", f"{SHOULD_BE}{of_it[0][0]}", "work")


def _same(one: re.Match[str], other: re.Match[str]) -> bool:
    """Whether two equations are one, but for the order of what is added or multiplied."""
    works = [one["work"].split(), other["work"].split()]
    if number(one["value"]) != number(other["value"]) or works[0][1::2] != works[1][1::2]:
        return False
    return set(works[0][1::2]) <= {"+", "*"} and sorted(works[0]) == sorted(works[1])


def _of_people(right: Sequence[str], line: str) -> Finding:
    """What the facts tell of a line that does not stand in the right solution."""
    if line.startswith("Answer: "):
        return Finding("wrong", f"{SHOULD_BE}{right[-1]}", "answer")
    said = _FACT.fullmatch(line)
    person = said and next((p for p in facts.people() if p.name == said["name"]), None)
    if said is None or person is None:
        return Finding("unknown")
    what = said["what"]
    meant = str(person.year) if what.isdigit() else person.town if what[0].isupper() else None
    meant = meant or person.work
    if what == meant:
        return Finding("right")
    return Finding("wrong", f"{SHOULD_BE}{line.replace(f' {what}.', f' {meant}.')}", "fact")


def load(path: Path) -> Iterator[Sampled]:
    """The solutions in a file."""
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield Sampled(**row | {"right": tuple(row["right"])})


def read(path: Path) -> list[Labelled]:
    """The rows of a file."""
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [Labelled(**row | {"steps": tuple(row["steps"])}) for row in rows]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("samples", type=Path, help="of training.judging.sample")
    parser.add_argument("out", type=Path, help="a file of JSON lines")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="processes")
    arguments = parser.parse_args()
    counts = Counter[tuple[str, str]]()
    given = list({(one.text, one.said): one for one in load(arguments.samples)}.values())
    with (
        arguments.out.open("w", encoding="utf-8") as file,
        # Z3 has a thread in this process: a worker is no fork of it.
        ProcessPoolExecutor(arguments.workers, get_context("forkserver")) as executor,
    ):
        every = executor.map(rows, given, chunksize=32)
        for one, found in zip(given, every, strict=True):
            for row in found:
                counts[one.domain, "left out" if row is None else row.kind or RIGHT] += 1
                if row is not None:
                    print(json.dumps(asdict(row)), file=file)
    for (name, kind), count in sorted(counts.items()):
        print(f"{name:12} {kind:24} {count:6}")


if __name__ == "__main__":
    main()
