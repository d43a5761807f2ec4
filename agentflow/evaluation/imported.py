"""Chains that others recorded, as the authors of EAT publish theirs (``xidulu/eat_rollouts``).

A file of reasoning chains has JSON lines with ``response``, the prompt and all that was generated,
one for each question of a data set, in its order; the thinking stands between ``<think>`` and
``</think>``, and a check point behind each of its paragraphs. A folder of roll-outs has for each
question N, in ``seed_K/answers_N.json``, a list for each check point of the texts that were sampled
behind ``Final Answer:`` there; those of all seeds are taken together.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from agentflow import domains
from agentflow.domains import Domain
from agentflow.errors import BadInput
from agentflow.evaluation import tables
from agentflow.evaluation.chains import Chain, Check
from agentflow.evaluation.datasets import right_form
from agentflow.models import Model
from agentflow.problem import Problem
from agentflow.profile import Piece

OPEN, CLOSE, BREAK = "<think>", "</think>", "\n\n"
LEAD = "Final Answer:"
"""What the roll-outs were sampled behind."""


async def load(
    path: Path,
    problems: Sequence[Problem],
    rollouts: Path,
    model: Model,
    *,
    field: str = "response",
    skipped: Any = lambda row: None,
) -> list[Chain]:
    """The chains of a file, with the roll-outs of a folder.

    What only the authors' model knows is left out: there is no confidence, and no candidate answer
    is counted on the way. Tokens are those of ``model``'s tokenizer; those of roll-outs are
    reckoned from their letters.

    Args:
        problems: Of the data set, in its order.
        field: Of a row, the text.
        skipped: Told of each row that is no chain, with its place.

    Raises:
        BadInput: If there are more rows than problems, or no row is a chain.
    """
    found, refused = list[Chain](), list[str]()
    rows = list(tables.read(path, lambda place, why: refused.append(f"{place}: {why}")))
    if len(rows) > len(problems):
        raise BadInput(f"{path}: {len(rows)} chains, and the data set has {len(problems)} problems")
    for number, (place, row) in enumerate(rows):
        try:
            answered = _answered(rollouts, number)
            found.append(await _chain(row[field], problems[number], answered, model))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            refused.append(f"{place}: {error}")
    if not found:
        raise BadInput(f"{path}: no chain in it; {'; '.join(refused[:3])}")
    for one in refused:
        skipped(one)
    return found


def _answered(folder: Path, number: int) -> list[list[str]]:
    """The sampled texts at each check point of a question, over all seeds.

    Raises:
        ValueError: If there are none.
    """
    files = sorted(folder.glob(f"seed_*/answers_{number}.json"))
    if not files:
        raise ValueError(f"no seed_*/answers_{number}.json in {folder}")
    seeds = [json.loads(file.read_text(encoding="utf-8")) for file in files]
    return [[str(text) for one in point for text in one] for point in zip(*seeds, strict=False)]


async def _chain(
    text: str, problem: Problem, answered: Sequence[Sequence[str]], model: Model
) -> Chain:
    _, opened, rest = text.partition(OPEN)
    if not opened:
        raise ValueError(f"no {OPEN} in it")
    thinking, closed, said = rest.partition(CLOSE)
    domain = domains.get(problem.domain)
    checks, tokens, ends = list[Check](), 0, list[int]()
    each = max(1.0, len(thinking) / max(1, len(await model.tokenize([Piece(thinking)]))))
    for end, texts in zip(_paragraphs(thinking), answered, strict=False):
        begun = checks[-1].end if checks else 0
        tokens += len(await model.tokenize([Piece(thinking[begun:end])]))
        ends.append(end)
        forms = [_form(domain, problem, one) for one in texts]
        if not forms:
            raise ValueError("no answer at a check point")
        right = [one is not None and right_form(problem, one) for one in forms]
        lengths = [round(len(one) / each) for one in texts]
        checks.append(Check(tokens, end, 0.0, 1.0, 0.0, forms, right, lengths, 0, False))
    answer = domain.answer(said) if closed else None
    form = None if answer is None else domain.normalise(problem, answer)
    return Chain(
        problem=problem.text,
        id=problem.id,
        domain=problem.domain,
        seed=0,
        model="imported",
        text=thinking + closed + said,
        ends=ends,
        closed=len(thinking),
        thinking=tokens,
        answering=round(len(said) / each),
        answer=answer and domain.shown(answer),
        right=form is not None and right_form(problem, form),
        finished=bool(closed),
        confidence_tokens=1,
        checks=checks,
    )


def _paragraphs(thinking: str) -> Iterator[int]:
    """Where paragraphs end: before each empty line, and at the end."""
    at = thinking.find(BREAK)
    while at >= 0:
        yield at
        at = thinking.find(BREAK, at + len(BREAK))
    yield len(thinking)


def _form(domain: Domain, problem: Problem, text: str) -> str | None:
    """The normal form of a sampled answer; None if it is none."""
    for said in (f"{LEAD}{text}", text):
        answer = domain.answer(said)
        form = None if answer is None else domain.normalise(problem, answer)
        if form is not None:
            return form
    return None
