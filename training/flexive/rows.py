"""Solutions whose first wrong step is known: read, generated, split, and as FlexiVe's prompts."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agentflow import prompts
from agentflow.errors import BadInput
from agentflow.files import text_in
from agentflow.profile import Piece, Profile
from agentflow.verifiers.flexive import Stage, question
from training import flawed, mistakes
from training.mistakes import POCKET, Example

if TYPE_CHECKING:  # reading and drawing rows needs no transformers
    from transformers import PreTrainedTokenizerBase

GENERATED: dict[str, Callable[..., Iterator[Example]]] = {
    "game24": mistakes.examples,
    "domains": flawed.examples,
}
"""What stands for generated solutions where files are expected: half of them have a mistake."""

_HELD_OUT = 0.1

SHEPHERD_MARK = "ки"
"""Behind each step of Math-Shepherd's rows: two Cyrillic letters."""

_RATING = re.compile(r"([+-])(?=\s*(?:Step \d+:|\Z))")


@dataclass(frozen=True, slots=True)
class Row:
    """One solution.

    Attributes:
        problem: The problem's text.
        steps: The solution, cut as its data set cuts it.
        index: 0-based index of the first wrong step, -1 for none.
        reply: A review that names it, with its reasoning; empty where there is none.
        rated: Whether each step is good, as Math-Shepherd says it; empty where it is not told.
        target: The problem's right answer; empty where it is not told.
    """

    problem: str
    steps: tuple[str, ...]
    index: int
    reply: str = ""
    rated: tuple[bool, ...] = ()
    target: str = ""


def load(path: Path) -> list[Row]:
    """The rows of a file in the form of BIG-Bench-Mistake, or of Math-Shepherd.

    One JSON object a line, with ``input``, ``steps`` (a list of texts) and ``mistake_index``
    (0-based, null for none), and where they are known ``target``, ``reply`` and ``rated``; or with
    ``input`` and ``label``, in which the mark behind each step is + or -.

    Raises:
        BadInput: If the file cannot be read, or a line is of another form.
    """
    lines = text_in(path).split("\n")
    rows = [_row(line, f"{path}:{number}") for number, line in enumerate(lines, 1) if line.strip()]
    if not rows:
        raise BadInput(f"{path} has no rows")
    return rows


def _row(line: str, place: str) -> Row:
    try:
        found = json.loads(line)
    except ValueError as error:
        raise BadInput(f"{place}: not JSON: {error}") from error
    if not isinstance(found, dict):
        raise BadInput(f"{place}: not a JSON object")
    if "label" in found and "steps" not in found:
        return _shepherd(found, place)
    if missing := [key for key in ("input", "steps", "mistake_index") if key not in found]:
        raise BadInput(f"{place}: no {', '.join(map(repr, missing))}")
    problem, steps, index = found["input"], found["steps"], found["mistake_index"]
    if not isinstance(problem, str) or not problem.strip():
        raise BadInput(f"{place}: 'input' is not a text")
    if not isinstance(steps, list) or not steps or not all(isinstance(s, str) for s in steps):
        raise BadInput(f"{place}: 'steps' is not a list of texts")
    if index is not None and (type(index) is not int or not 0 <= index < len(steps)):
        raise BadInput(
            f"{place}: 'mistake_index' is {index!r}: it counts from 0 to {len(steps) - 1}, "
            "or is null where no step is wrong"
        )
    reply, rated, target = (found.get(key) for key in ("reply", "rated", "target"))
    if reply is not None and not isinstance(reply, str):
        raise BadInput(f"{place}: 'reply' is not a text")
    if rated is not None and ([type(one) for one in rated] != [bool] * len(steps)):
        raise BadInput(f"{place}: 'rated' is not true or false for each step")
    return Row(
        problem,
        tuple(steps),
        -1 if index is None else index,
        reply or "",
        tuple(rated or ()),
        "" if target is None else str(target),
    )


def _shepherd(found: dict[str, Any], place: str) -> Row:
    """A row as Math-Shepherd publishes it: steps begin at "Step 1:", each ends in a mark."""
    text, label = found.get("input"), found["label"]
    if not isinstance(text, str) or not isinstance(label, str):
        raise BadInput(f"{place}: 'input' and 'label' are not both texts")
    problem, first, rest = text.partition("Step 1:")
    steps = [step.strip() for step in (first + rest).split(SHEPHERD_MARK)]
    marks = _RATING.findall(label)
    if steps.pop() or not steps or not all(steps) or not problem.strip():
        raise BadInput(f"{place}: 'input' is not a problem with steps that end in {SHEPHERD_MARK}")
    if len(marks) != len(steps):
        raise BadInput(f"{place}: 'label' has {len(marks)} marks for {len(steps)} steps")
    rated = tuple(mark == "+" for mark in marks)
    return Row(problem.strip(), tuple(steps), -1 if all(rated) else rated.index(False), rated=rated)


def save(rows: Sequence[Row], path: Path) -> None:
    """Write rows in the form that :func:`load` reads."""
    found: list[dict[str, Any]] = [
        {
            "input": row.problem,
            "steps": list(row.steps),
            "mistake_index": None if row.index < 0 else row.index,
        }
        | ({"reply": row.reply} if row.reply else {})
        | ({"rated": list(row.rated)} if row.rated else {})
        | ({"target": row.target} if row.target else {})
        for row in rows
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in found), encoding="utf-8")


def draw(data: Sequence[str], count: int, seed: int, share: float) -> tuple[list[Row], list[Row]]:
    """(training, held out): nine tenths and one tenth of ``count`` rows.

    Rows of files are drawn by the seed, all of them where there are fewer. Where ``data`` is a name
    of :data:`GENERATED` they are generated: the held-out ones about other problems, half of them
    with a mistake; of those to train on the share ``share`` has one.

    Raises:
        BadInput: As :func:`load`, and if there are fewer than two rows.
    """
    made = data[0] if len(data) == 1 and data[0] in GENERATED else ""
    rows = [] if made else [row for name in data for row in load(Path(name))]
    count = count if made else min(count, len(rows))
    if count < 2:
        raise BadInput(f"{count} rows cannot be split for training and testing; give two or more")
    tested = max(1, round(count * _HELD_OUT))
    if made:
        training = generated(made, seed, count - tested, share)
        return training, generated(made, seed, tested, 0.5, held_out=True)
    drawn = random.Random(seed).sample(rows, count)
    return drawn[tested:], drawn[:tested]


def generated(
    name: str, seed: int, count: int, share: float, *, held_out: bool = False
) -> list[Row]:
    """Generated solutions, the share with a mistake, and the first wrong step, as the problem's
    domain finds it."""
    source, rng = GENERATED[name](seed, held_out=held_out), random.Random(seed)
    turns = ((rng.random() < share) for _ in range(count))
    found = (next(one for one in source if (one.wrong >= 0) == turn) for turn in turns)
    return [Row(prompts.stated(one.problem, POCKET), one.steps, one.wrong) for one in found]


def prompt(row: Row, profile: Profile, stage: Stage = "fast") -> list[Piece]:
    """FlexiVe's prompt: in the fast stage its thinking is closed before it begins."""
    return question(profile, stage, row.problem, row.steps)


def encode(tokenizer: PreTrainedTokenizerBase, pieces: Sequence[Piece]) -> list[int]:
    """Token ids of the pieces, each alone, as servers are asked for them.

    Only a special piece becomes special tokens, and none is put in front.
    """
    ids: list[int] = []
    for piece in pieces:
        split = not piece.special
        ids += tokenizer(piece.text, add_special_tokens=False, split_special_tokens=split)[
            "input_ids"
        ]
    return ids
