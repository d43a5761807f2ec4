"""Judge existing traces: which step is wrong, whether the answer is right.

Nothing is generated: the domain's own extraction and verifiers read a finished text.
"""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO, Literal

from agentflow.domains import Domain
from agentflow.errors import BadInput
from agentflow.files import DATA, bounded_lines, draft_of, standard_input, unwritable
from agentflow.own_parts import verdict_of
from agentflow.problem import Problem
from agentflow.state import State
from agentflow.strict_json import dumps, loads_line
from agentflow.terminal import printing
from agentflow.thinking import How, Split, split
from agentflow.thinking_formats import Format
from agentflow.verdict import Verdict
from agentflow.verifiers.walk import Walk

UNTOLD = "the domain cannot tell"


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a trace is worth.

    Attributes:
        steps_ok: Whether every step is right; None if there is none, or one cannot be told.
        answer_ok: Whether the answer is right; None if there is none, or it cannot be told.
        ok: True only if both are, False if either is False, else None.
        first_wrong_step: 0-based index among the steps.
        kind: The error kind of the first wrong step, else of a wrong answer.
        feedback: What is wrong with it, in words.
        hopeless_from: 0-based index of the first right step behind which the goal is out of
            reach. For information: an attempt that leads nowhere is no error.
        undetermined: Why ``ok`` is None, in words: of the first step that cannot be told, and of
            the answer. None where it is not.
        split: How thinking and answer were told apart (:data:`agentflow.thinking.How`).
        incomplete: Why the right steps stop before they come to the answer; None if they do not.
    """

    steps_ok: bool | None
    answer_ok: bool | None
    ok: bool | None
    first_wrong_step: int | None = None
    kind: str | None = None
    feedback: str | None = None
    hopeless_from: int | None = None
    undetermined: str | None = None
    split: How = "unmarked"
    incomplete: str | None = None


async def judge(
    domain: Domain, problem: Problem, text: str, form: Format | None = None, *, opened: bool = False
) -> Judgement:
    """Judge the steps and the answer of one trace.

    Every step is judged given the right ones before it, wherever in the text it stands; the
    answer is looked for where the thinking has ended, or in the whole text where nothing marks it.

    Args:
        form, opened: As for :func:`agentflow.thinking.split`.
    """
    parts = split(text, form, opened=opened)
    walk = Walk(domain, problem, wanted=_is_step)
    verdicts, hopeless_from = await _judged_steps(walk, parts)
    answer = await _judged_answer(domain, problem, parts)
    oks = [one.ok for one in verdicts]
    incomplete = domain.unfinished(problem, walk.right) if _all(oks) else None
    steps_ok = None if incomplete else _all(oks)  # right as far as they go
    ok = _all([steps_ok, answer.ok])
    wrong = next((one for one in (*verdicts, answer) if one.ok is False), None)
    return Judgement(
        steps_ok,
        answer.ok,
        ok,
        oks.index(False) if False in oks else None,
        wrong.kind if wrong else None,
        wrong.reason if wrong else None,
        hopeless_from,
        _undetermined(verdicts, incomplete, answer) if ok is None else None,
        parts.how,
        incomplete,
    )


async def _judged_steps(walk: Walk, said: Split) -> tuple[list[Verdict], int | None]:
    """The verdicts on the steps, and the first right one behind which the goal is out of reach."""
    verdicts, hopeless_from = list[Verdict](), None
    for part in _parts(walk, said):
        async for step, verdict in walk.judge(part):
            if verdict.ok and hopeless_from is None:
                before = walk.right[:-1]
                strict = await verdict_of(
                    walk.domain, "verify_state", walk.problem, step, before, hopeless=True
                )
                hopeless_from = len(verdicts) if strict.ok is False else None
            verdicts.append(verdict)
    return verdicts, hopeless_from


async def _judged_answer(domain: Domain, problem: Problem, said: Split) -> Verdict:
    """The verdict on the answer; undecided where there is none."""
    if said.answer is None:
        return Verdict(None, "the thinking has no end")
    answer = domain.answer(said.answer)
    if answer is None:
        return Verdict(None, "not found")
    return await verdict_of(domain, "verify_answer", problem, answer)


def _undetermined(steps: Sequence[Verdict], incomplete: str | None, answer: Verdict) -> str:
    """What cannot be told: the first such step, if the steps come to the answer, the answer."""
    first = next(((at, one) for at, one in enumerate(steps) if one.ok is None), None)
    said = [] if steps else ["steps: none found"]
    if first is not None:
        said.append(f"step {first[0]}: {first[1].reason or UNTOLD}")
    if incomplete:
        said.append(f"steps: {incomplete}")
    if answer.ok is None:
        said.append(f"answer: {answer.reason or UNTOLD}")
    return "; ".join(said)


def states(
    domain: Domain, problem: Problem, text: str, form: Format | None = None
) -> Iterator[State]:
    """Everything the domain extracts from a finished text, in order."""
    walk = Walk(domain, problem)
    for part in _parts(walk, split(text, form)):
        yield from walk.read(part)


def steps(
    domain: Domain, problem: Problem, text: str, form: Format | None = None
) -> Iterator[State]:
    """The steps in a text, in order; what else the domain extracts is left out."""
    return filter(_is_step, states(domain, problem, text, form))


def _is_step(state: State) -> bool:
    return state.kind == "step"


def _parts(walk: Walk, said: Split) -> Iterator[str]:
    """The thinking and the answer; no step begins in the one and ends in the other."""
    for part in said.parts:
        if part.kind != "marker":
            walk.offset, walk.memory = part.start, {}
            yield said.text[part.start : part.end]


def _all(oks: list[bool | None]) -> bool | None:
    """False if one is False, True if all are True; None for none at all or one that is None."""
    if False in oks:
        return False
    return True if oks and None not in oks else None


async def judge_lines(
    domain: Domain,
    lines: Iterable[bytes],
    broken: Callable[[int, str], None],
    form: Format | None = None,
    *,
    opened: bool = False,
) -> AsyncIterator[dict[str, Any]]:
    """Judge JSON lines with ``id``, ``problem`` and ``trace``; blank lines are skipped.

    Args:
        form, opened: As for :func:`judge`.
        broken: Told of each line that cannot be used: its number, from 1, and why; the others are
            judged.
    """
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = _record(line)
            problem = domain.parse(record["problem"], str(record["id"]))
        except BadInput as error:
            broken(number, str(error))
        else:
            judged = await judge(domain, problem, record["trace"], form, opened=opened)
            yield {"id": record["id"]} | asdict(judged)


def _record(line: bytes) -> dict[str, Any]:
    # Not orjson: it refuses halves of surrogate pairs and rounds long numbers in an id.
    try:
        record = loads_line(line.strip())
    except ValueError as error:
        raise BadInput(f"not JSON ({error})") from error
    if not isinstance(record, dict):
        raise BadInput("not a JSON object; each line needs id, problem and trace")
    for field in ("id", "problem", "trace"):
        if field not in record:
            raise BadInput(f"the field {field!r} is missing; each line needs id, problem and trace")
    for field in ("problem", "trace"):
        if not isinstance(record[field], str):
            raise BadInput(f"the field {field!r} is not a text")
    try:
        json.dumps(record["id"], allow_nan=False)  # it is given back as it was
    except (ValueError, RecursionError) as error:
        raise BadInput("the field 'id' has a number that JSON does not know") from error
    return record


async def judge_file(
    domain: Domain,
    source: str,
    target: str,
    broken: Callable[[int, str], None],
    form: Format | None = None,
    *,
    opened: bool = False,
) -> int:
    """Judge a file of traces into a file of verdicts, line by line; ``-`` is the standard stream.

    The target appears whole or not at all: a failure leaves what was there before.

    Args:
        broken, form, opened: As for :func:`judge_lines`.

    Returns:
        How many traces were judged.

    Raises:
        BadInput: If a file cannot be used; names it.
    """
    judged = 0
    try:
        with _reading(source) as lines, _writing(target) as out:
            async for verdict in judge_lines(domain, lines, broken, form, opened=opened):
                out.write(dumps(verdict).encode() + b"\n")
                judged += 1
    except BrokenPipeError:
        raise
    except OSError as error:
        raise unwritable(f"judging {source} into {target}", error) from error
    return judged


@contextmanager
def _reading(source: str) -> Iterator[Iterable[bytes]]:
    if source == "-":
        yield bounded_lines(standard_input(), "standard input", DATA)
    else:
        with _open(Path(source), "rb", source) as file:
            yield bounded_lines(file, source, DATA)


@contextmanager
def _writing(target: str) -> Iterator[BinaryIO]:
    if target == "-":
        with printing():
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
    else:
        with draft_of(Path(target)) as draft, _open(draft, "wb", target) as file:
            yield file


def _open(path: Path, mode: Literal["rb", "wb"], name: str) -> BinaryIO:
    try:
        return path.open(mode)
    except OSError as error:
        what = "read" if mode == "rb" else "written"
        raise BadInput(f"{name} cannot be {what}: {error.strerror or error}") from error
