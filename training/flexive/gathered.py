"""Data of the trainings that FlexiVe is compared with, gathered from a served model.

``python -m training.flexive.gathered paths --data F --model URL --runs 8 --out paths.jsonl``
    Reasoning paths for supervised fine-tuning (Solve-Detect-Verify, A.1.1: 10,000 of them): slow
    reviews of each solution, of which those are kept that name the right step. Rows with ``reply``.
``python -m training.flexive.gathered rated --data F --model URL --runs 8 --out rated.jsonl``
    Labels as Math-Shepherd makes them (table 2): a step is good if any of so many completions from
    it comes to the right answer. Rows with ``rated``; no mistake index is read.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from agentflow import models
from agentflow.errors import AgentflowError, BadInput
from agentflow.models.model import Model, Request, prompt_of, sample, segment
from agentflow.profile import Piece
from agentflow.settings import request_seed
from agentflow.trace import Trace
from agentflow.verifiers import parse
from agentflow.verifiers.flexive import question
from training.flexive.rows import Row, load, save

_STATED = re.compile(r"answer\s*(?:is)?\s*:?\s*([^\n]+?)\s*\.?\s*\Z", re.IGNORECASE)
_BOXED = re.compile(r"\\boxed\s*\{([^{}]*)\}")
_ASK = (
    "$problem\n\nGo on with the solution below, step by step, and end with a line: "
    "So the answer is ...\n\n$steps"
)


async def paths(model: Model, rows: Sequence[Row], runs: int, seed: int = 0) -> list[Row]:
    """A row for each review that thinks and names the right step."""
    found = []
    for number, row in enumerate(rows):
        profile = model.profile
        pieces = question(profile, "slow", row.problem, row.steps)
        for text in await _said(model, pieces, runs, request_seed(seed, "paths", number)):
            reply = profile.said(text, opened=True)
            if parse(reply, len(row.steps)).index == row.index:
                found.append(replace(row, reply=reply.strip()))
    return found


async def rated(model: Model, rows: Sequence[Row], runs: int, seed: int = 0) -> list[Row]:
    """The rows with every step rated by completions behind it (hard estimation).

    The last step is right if the answer that it states is; a row whose right answer is not told is
    left out.
    """
    found = []
    for number, row in enumerate(rows):
        if not row.target:
            continue
        good = []
        for count in range(1, len(row.steps)):
            so_far = "\n".join(step.strip() for step in row.steps[:count])
            user = _ASK.replace("$problem", row.problem).replace("$steps", so_far)
            pieces = model.profile.render(user, thinking="none")
            place = request_seed(seed, "rated", number, count)
            said = await _said(model, pieces, runs, place)
            good.append(any(same(stated(text), row.target) for text in said))
        good.append(same(stated(row.steps[-1]), row.target))
        found.append(replace(row, rated=tuple(good)))
    return found


def stated(text: str) -> str:
    """The answer at a text's end: in its last box, or behind the last "answer is"; else nothing."""
    if boxes := _BOXED.findall(text):
        return str(boxes[-1])
    last = _STATED.search(text.strip().splitlines()[-1]) if text.strip() else None
    return last[1] if last else ""


def same(answer: str, target: str) -> bool:
    """Whether two answers are the same, but for case, spaces and what quotes or ends them."""
    plain = [" ".join(one.split()).strip("\"'.$ ").lower() for one in (answer, target)]
    return bool(plain[0]) and plain[0] == plain[1]


async def _said(model: Model, pieces: list[Piece], runs: int, seed: int) -> list[str]:
    prompt = prompt_of(model, Trace([(await segment(model, "prompt", pieces)).operation()]))
    profile = model.profile
    room = profile.context - (len(prompt) if isinstance(prompt, tuple) else 0)
    if room <= 0:
        return []
    request = Request(prompt, min(profile.max_tokens, room), profile.sampling, seed)
    return [one.text.removesuffix(profile.stops[0]) for one in await sample(model, request, runs)]


async def _gather(given: Any) -> int:
    rows = [row for name in given.data for row in load(Path(name))][: given.rows]
    model = await models.connect(given.model)
    make = {"paths": paths, "rated": rated}[given.what]
    found = await make(model, rows, given.runs, given.seed)
    if not found:
        raise BadInput(f"of {len(rows)} rows none gave any {given.what}")
    save(found, given.out)
    return len(found)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m training.flexive.gathered", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("what", choices=("paths", "rated"))
    parser.add_argument("--data", nargs="+", required=True, metavar="FILE")
    parser.add_argument("--model", required=True, help="a server's URL, or a file of weights")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--runs", type=int, default=8, help="replies to each row, or each step")
    parser.add_argument("--rows", type=int, default=None, help="only the first so many")
    parser.add_argument("--seed", type=int, default=0)
    try:
        print(json.dumps({"rows": asyncio.run(_gather(parser.parse_args()))}))
    except (AgentflowError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
