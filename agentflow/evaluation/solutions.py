"""Recorded solutions, as verifiers are evaluated on: known to be right or wrong, or where they go
wrong.

Published sets are read as they are: a reader turns one row of a set into rows of our own, which
have ``problem``; ``solution`` or ``steps``; ``right`` (true or false) or ``gold``; and optionally
``id``, ``domain``, ``type`` and ``difficulty``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any

from agentflow import domains
from agentflow.domains import Domain, Game24
from agentflow.errors import BadInput
from agentflow.evaluation import datasets, hub, tables
from agentflow.evaluation.tables import Row
from agentflow.models.structured import Reply, parse
from agentflow.problem import Problem
from agentflow.thinking import split
from agentflow.verifiers import joined

_CALCULATION = re.compile(r"<<[^<>]*>>")
_THOUGHT = re.compile(r"^(?=Thought \d+:)", re.MULTILINE)
_OUTCOME = re.compile(r"\s*^Observation \d+: Answer is (?:IN)?CORRECT\s*\Z", re.MULTILINE)
_FINISH = re.compile(r"^Action \d+: Finish\[(.*)\]\s*\Z", re.MULTILINE)


class _Answered(Reply):
    """What ZeroEval asks for."""

    reasoning: Any
    answer: Any


@dataclass(frozen=True, slots=True)
class Solution:
    """One recorded solution.

    Attributes:
        problem: What it solves, without its gold answer: no verifier gets to see that.
        given: As a text, or in steps.
        right: Whether its final answer is right; None where that is not known.
        type, difficulty: Of the problem, as its dataset has them; empty where it does not say.
        label: 0-based index of the first wrong step, -1 for none; None where that is not known.
    """

    problem: Problem
    given: str | tuple[str, ...]
    right: bool | None = None
    type: str = ""
    difficulty: str = ""
    label: int | None = None

    @property
    def digest(self) -> str:
        """What tells it from all others."""
        known = self.right if self.label is None else self.label
        text = json.dumps([self.problem.id, self.problem.text, self.given, known])
        return blake2b(text.encode(), digest_size=8).hexdigest()


async def load(
    paths: Sequence[Path], format: str = "rows", domain: str = "", limit: int | None = None
) -> tuple[list[Solution], list[str]]:
    """The solutions in :mod:`~agentflow.evaluation.tables`, and what is wrong with rows that hold
    none.

    Where a row does not say whether it is right, its domain says: by the gold answer, or in Game of
    24 by itself. A solution that states no answer is wrong.

    Args:
        format: A name in :data:`READERS`.
        domain: Of the rows that name none.
        limit: Only the first so many solutions.

    Raises:
        BadInput: If a file cannot be read, there is no such format, or there is no solution at all.
    """
    if format not in READERS:
        raise BadInput(f"unknown format {format!r}; known: {', '.join(READERS)}")
    found: dict[str, Solution] = {}
    bad: list[str] = []
    for where, name, row in _rows(paths, READERS[format], bad):
        if limit is not None and len(found) == limit:
            break
        try:
            one = await _solution(row, name, domain)
            if one.digest in found:
                raise ValueError("the same solution as one before")
            found[one.digest] = one
        except (ValueError, BadInput) as error:
            bad.append(f"{where}: {error}")
    if not found:
        first = f"; {bad[0]}" if bad else ""
        raise BadInput(f"{', '.join(map(str, paths))}: no solution in it{first}")
    return list(found.values()), bad


def _rows(paths: Sequence[Path], reader: Reader, bad: list[str]) -> Iterator[tuple[str, str, Row]]:
    """Our rows, each with where it stands and a name for it; what is wrong with others goes to
    ``bad``."""
    for path in paths:

        def broken(place: str, why: str, path: Path = path) -> None:
            bad.append(f"{path}, {place}: {why}")

        for place, row in tables.read(path, broken):
            name = f"{path.stem}-{place.rpartition(' ')[2]}"
            try:
                ours = list(reader(row, name))
            except KeyError as error:
                broken(place, f"no field {error}")
            except (AttributeError, TypeError) as error:
                broken(place, f"a field of another type: {error}")
            else:
                yield from ((f"{path}, {place}", name, one) for one in ours)


async def _solution(row: Row, name: str, domain: str) -> Solution:
    text, steps = _text(row, "problem"), row.get("steps")
    given = row.get("solution") if steps is None else _steps(row)
    if not isinstance(given, str | tuple):
        raise ValueError("needs solution, a text, or steps")
    whole = given if isinstance(given, str) else joined(given)
    if not whole.strip():
        raise ValueError("the solution is empty")
    named = str(row.get("domain") or domain)
    if not named:
        raise ValueError("names no domain: give the row the field domain, or use --domain")
    judge = domains.get(named)
    id = datasets.id_of(row, name)
    gold = datasets.gold_of(row.get("gold"))
    type, difficulty = (str(row.get(field) or "") for field in ("type", "difficulty"))
    datasets.see_sendable(text, id, whole, gold or "", type, difficulty)
    problem = judge.parse(text, id)
    right = row.get("right")
    if right is None:
        if gold is None and named != Game24.name:
            raise ValueError("needs right, or gold to judge by")
        said = split(whole).answer
        answer = None if said is None else judge.answer(said)
        right = await datasets.right(replace(problem, gold=gold), answer)
    if not isinstance(right, bool):
        raise ValueError(f"right is neither true nor false: {right!r}")
    return Solution(problem, given, right, type, difficulty)


def _text(row: Row, field: str) -> str:
    text = row.get(field)
    if not (isinstance(text, str) and text.strip()):
        raise ValueError(f"{field} is no text")
    return text


def _steps(row: Row) -> tuple[str, ...]:
    steps = row["steps"]
    if not (isinstance(steps, list) and all(isinstance(step, str) for step in steps)):
        raise ValueError("steps is no list of texts")
    return tuple(steps)


def load_labelled(
    paths: Sequence[Path],
    domain: Domain | None = None,
    skipped: Callable[[str], None] = lambda row: None,
) -> list[Solution]:
    """The solutions of tables (:mod:`~agentflow.evaluation.tables`) whose first wrong step is
    known, as ProcessBench (``problem``, ``steps``, ``label``, ``id``) or BIG-Bench-Mistake
    (``input``, ``steps``, ``mistake_index``) have them; or of
    :data:`~agentflow.evaluation.hub.STEPS`, by name; but for bad rows.

    Args:
        domain: Who parses the problems; None to take them as they are.
        skipped: Told of each row that is no such solution, or has the id of one before: its file,
            its place and why.

    Raises:
        BadInput: If a file cannot be read, or no row of them is such a solution: says why the
            first ones are none.
    """
    found: dict[str, Solution] = {}
    refused = list[str]()

    def refuse(path: Path, place: str, why: str) -> None:
        refused.append(f"{path}, {place}: {why}")

    for path in paths:
        known = hub.STEPS.get(str(path))
        for file in hub.download(known) if known else [path]:
            for place, row in tables.read(file, partial(refuse, path)):
                name = f"{path.stem}-{int(place.rpartition(' ')[2]) - 1}"
                try:
                    one = _labelled(row, name, domain)
                    if one.problem.id in found:
                        raise ValueError(f"the id {one.problem.id!r} was there before")
                except (ValueError, BadInput) as error:
                    refuse(path, place, str(error))
                else:
                    found[one.problem.id] = one
    if not found:
        raise BadInput(tables.shown(refused) or f"{', '.join(map(str, paths))}: no sample in it")
    for line in refused:
        skipped(line)
    return list(found.values())


def _labelled(row: Row, name: str, domain: Domain | None) -> Solution:
    fields = [("problem", "label"), ("input", "mistake_index")]
    known = [both for both in fields if row.keys() >= {*both, "steps"}]
    if not known:
        raise ValueError("needs problem, steps and label; or input, steps and mistake_index")
    text, steps, label = _text(row, known[0][0]), _steps(row), row[known[0][1]]
    if not steps:
        raise ValueError("steps is no list of texts")
    if label is None and known[0] == fields[1]:  # there null says that no step is wrong
        label = -1
    if type(label) is not int or not -1 <= label < len(steps):
        raise ValueError(f"{known[0][1]} is no index of one of {len(steps)} steps: {label!r}")
    id = datasets.id_of(row, name)
    datasets.see_sendable(text, id, *steps)
    problem = Problem(text, "", id) if domain is None else domain.parse(text, id)
    return Solution(problem, steps, label=label)


Reader = Callable[[Row, str], Iterator[Row]]
"""Turns a row of a set, and a name for it, into rows of ours."""


def rows(row: Row, name: str) -> Iterator[Row]:
    """Our own."""
    yield row


def gsm8k(row: Row, name: str) -> Iterator[Row]:
    """``example_model_solutions.jsonl`` of GSM8K: the solutions of several models to a problem.

    The annotations of calculations are left out; the difficulty is how many the given solution has.
    """
    calculations = len(_CALCULATION.findall(row["ground_truth"]))
    for model, said in row.items():
        if isinstance(said, dict):
            yield {
                "id": f"{name}-{model}",
                "problem": row["question"],
                "solution": _CALCULATION.sub("", said["solution"]),
                "right": said["is_correct"],
                "domain": "math",
                "difficulty": str(calculations),
            }


def processbench(row: Row, name: str) -> Iterator[Row]:
    """ProcessBench, by whether the final answer is right; the types are its four parts."""
    yield {
        "id": row["id"],
        "problem": row["problem"],
        "steps": row["steps"],
        "right": row["final_answer_correct"],
        "domain": "math",
        "type": row["id"].rpartition("-")[0],
    }


def hotpotqa(row: Row, name: str) -> Iterator[Row]:
    """ReAct trajectories on HotpotQA as Reflexion records them, without the outcome at their end.

    One that never finished states no answer, and is wrong.
    """
    trajectory = _OUTCOME.sub("", row["trajectory"])
    _, *steps = _THOUGHT.split(trajectory)
    if finish := _FINISH.search(trajectory):
        steps.append(f"Answer: {finish[1]}")
    yield {
        "id": f"{name}-{row['run']}-{row['trial']}",
        "problem": row["question"],
        "steps": steps,
        "right": row["status"] == "correct",
        "domain": "commonsense",
    }


def zeroeval(row: Row, name: str) -> Iterator[Row]:
    """Outputs of many models as ZeroEval records them: JSON with ``reasoning`` and ``answer``."""
    output = row["output"]
    with suppress(ValueError):  # a model that did not keep to the format: its words as they are
        reply = parse(_Answered, output)
        output = f"{reply.reasoning}\nAnswer: {reply.answer}"
    yield {
        "id": f"{row['id']}-{row['model']}",
        "problem": row["question"],
        "solution": output,
        "right": row["correct"],
        "domain": "math",
    }


def game24(row: Row, name: str) -> Iterator[Row]:
    """Game of 24 solutions as Tree of Thoughts records them; the domain says which are right."""
    yield {
        "id": f"{row['idx']}-{row['sample']}",
        "problem": row["numbers"],
        "solution": row["output"],
        "domain": "game24",
    }


def records(row: Row, name: str) -> Iterator[Row]:
    """The records of ``agentflow eval``: what a run wrote, and whether its answer was right.

    Lines that say what an arm is, and runs that failed, have no solution.
    """
    if "problem" in row and row["status"] != "failed":
        extra = row["extra"]
        fields = {key: extra[key] for key in ("domain", "type", "difficulty") if key in extra}
        yield {
            "id": f"{name}-{row['arm']}-{row['seed']}",
            "problem": row["problem"],
            "solution": row["text"],
            "right": row["right"],
            **fields,
        }


_READERS = (rows, records, gsm8k, processbench, hotpotqa, zeroeval, game24)

READERS: dict[str, Reader] = {reader.__name__: reader for reader in _READERS}
"""How files are written, by name."""
