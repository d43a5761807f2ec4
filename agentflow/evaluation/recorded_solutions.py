"""Recorded solutions that are known to be right or wrong, as verifiers are evaluated on.

Published sets are read as they are: a reader turns one row of a set into rows of our own, which
have ``problem``; ``solution`` or ``steps``; ``right`` (true or false) or ``gold``; and optionally
``id``, ``domain``, ``type`` and ``difficulty``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path

from agentflow import domains
from agentflow.domains import Game24
from agentflow.errors import BadInput
from agentflow.evaluation import datasets, tables
from agentflow.evaluation.tables import Row
from agentflow.problem import Problem
from agentflow.thinking import split
from agentflow.verifiers import joined

_CALCULATION = re.compile(r"<<[^<>]*>>")
_THOUGHT = re.compile(r"^(?=Thought \d+:)", re.MULTILINE)
_OUTCOME = re.compile(r"\s*^Observation \d+: Answer is (?:IN)?CORRECT\s*\Z", re.MULTILINE)
_FINISH = re.compile(r"^Action \d+: Finish\[(.*)\]\s*\Z", re.MULTILINE)
_JSON = json.JSONDecoder(strict=False)


@dataclass(frozen=True, slots=True)
class Solution:
    """One recorded solution.

    Attributes:
        problem: What it solves, without its gold answer: no verifier gets to see that.
        given: As a text, or in steps.
        right: Whether its final answer is right.
        type, difficulty: Of the problem, as its dataset has them; empty where it does not say.
    """

    problem: Problem
    given: str | tuple[str, ...]
    right: bool
    type: str = ""
    difficulty: str = ""

    @property
    def digest(self) -> str:
        """What tells it from all others."""
        text = json.dumps([self.problem.id, self.problem.text, self.given, self.right])
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
    text, steps = row.get("problem"), row.get("steps")
    if not (isinstance(text, str) and text.strip()):
        raise ValueError("problem is no text")
    if steps is not None and not (
        isinstance(steps, list) and all(isinstance(step, str) for step in steps)
    ):
        raise ValueError("steps is no list of texts")
    given = row.get("solution") if steps is None else tuple(steps)
    if not isinstance(given, str | tuple):
        raise ValueError("needs solution, a text, or steps")
    whole = given if isinstance(given, str) else joined(given)
    if not whole.strip():
        raise ValueError("the solution is empty")
    named = str(row.get("domain") or domain)
    if not named:
        raise ValueError("names no domain, and there is none for rows that do not")
    judge = domains.get(named)
    problem = judge.parse(text, str(row.get("id", name)))
    right = row.get("right")
    if right is None:
        gold = None if row.get("gold") is None else str(row["gold"])
        if gold is None and named != Game24.name:
            raise ValueError("needs right, or gold to judge by")
        said = split(whole).answer
        answer = None if said is None else judge.answer(said)
        right = await datasets.right(replace(problem, gold=gold), answer)
    if not isinstance(right, bool):
        raise ValueError(f"right is neither true nor false: {right!r}")
    about = [str(row.get(name) or "") for name in ("type", "difficulty")]
    return Solution(problem, given, right, *about)


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
    try:
        said, _ = _JSON.raw_decode(output, output.index("{"))
        output = f"{said['reasoning']}\nAnswer: {said['answer']}"
    except (ValueError, KeyError, TypeError):
        pass  # a model that did not keep to the format: its words as they are
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


READERS: dict[str, Reader] = {
    reader.__name__: reader for reader in (rows, gsm8k, processbench, hotpotqa, zeroeval, game24)
}
"""How files are written, by name."""
