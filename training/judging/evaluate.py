"""How well a model judges, by domain: ``python -m training.judging.evaluate MODEL.gguf``.

Held-out solutions, half of them with a mistake: those that a program got wrong, and the solver's
own. Fast and slow are one greedy reading each with FlexiVe's own prompt and parser; the score is
the probability of Yes at the end of the last line; of lines, that at the end of each up to the
first wrong one. Prints a table in Markdown.
"""

from __future__ import annotations

import argparse
import asyncio
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import gguf
import numpy as np
from tokenizers import Tokenizer

from agentflow import models
from agentflow.evaluation.intervals import bootstrap, f1
from agentflow.models import Model, Request, complete, next_token
from agentflow.models.embedded import SLOTS
from agentflow.scorers.prompted import GREEDY
from agentflow.verifiers.critique import parse
from training import flawed, roles
from training.convert import tokenizer_of
from training.evaluate import MOST_TOKENS
from training.game24 import Part
from training.judging import own
from training.judging.curriculum import MARKS, marked
from training.mistakes import POCKET, Example
from training.texts import fits

STAGES: tuple[roles.Stage, ...] = ("fast", "slow")

_HEAD = (
    "| domain | whose | wrong + right | fast F1 | wrong, right | tokens | slow F1 | wrong, right "
    "| tokens | AUC | AUC of lines |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
)


@dataclass(frozen=True, slots=True)
class Judged:
    """What a model says of a solution.

    Attributes:
        wrong: Whether the solution is.
        hits: By stage, whether the reading names the first wrong step, or none.
        tokens: Of each reading.
        score: The probability that all is right.
        lines: Of each line up to the first wrong one: whether it is that, and the score there.
    """

    wrong: bool
    hits: tuple[bool, ...]
    tokens: tuple[int, ...]
    score: float
    lines: tuple[tuple[bool, float], ...]


def made(seed: int, count: int) -> dict[str, list[Example]]:
    """Held-out solutions with mistakes that were put in, and without, by domain."""
    found: dict[str, list[Example]] = {name: [] for name in own.DOMAINS}
    drawn = flawed.examples(seed, held_out=True)
    while any(len(rows) < count for rows in found.values()):
        one = next(drawn)
        rows = found[one.problem.domain]
        same = sum((row.wrong < 0) == (one.wrong < 0) for row in rows)
        if same < count / 2 and readable(one):
            rows.append(one)
    return found


def solvers(path: Path, seed: int, count: int) -> dict[str, list[Example]]:
    """The solver's own held-out solutions by domain, as many wrong as right ones."""
    rng, found = random.Random(seed), dict[str, list[Example]]()
    rows = own.rows(str(path), of_held_out=True)
    for name in own.DOMAINS:
        every = [own.example(row) for row in rows if row.domain == name]
        every = [one for one in every if readable(one)]
        kinds = [[one for one in every if (one.wrong >= 0) == wrong] for wrong in (True, False)]
        each = min(count // 2, *map(len, kinds))
        found[name] = [one for kind in kinds for one in rng.sample(kind, each)]
    return found


def readable(one: Example) -> bool:
    """Whether a reading of it is short enough to have been learned."""
    return fits(roles.critic_text(one, "slow"))


async def judge(
    model: Model, tokenizer: Tokenizer, one: Example, stages: Sequence[roles.Stage]
) -> Judged:
    """Both readings of a solution, and its score."""
    hits, tokens = list[bool](), list[int]()
    for stage in stages:
        prompt = roles.critic_prompt(one, stage)
        ids = tuple(tokenizer.encode(prompt, add_special_tokens=False).ids)
        reply = await complete(model, Request(ids, MOST_TOKENS, GREEDY))
        said = reply.text.removesuffix(POCKET.stops[0])
        said = POCKET.said(said, opened=True) if stage == "slow" else said
        hits.append(parse(said, len(one.steps)).index == one.wrong)
        tokens.append(len(reply.tokens))
    *parts, _ = marked(roles.critic_prompt(one, "fast"), one)
    wrong = next((at for at, part in enumerate(parts) if part.mark == MARKS[False]), len(parts))
    ends = [at for at, part in enumerate(parts[: wrong + 1]) if part.mark]
    lines = [(at == wrong, await score(model, tokenizer, parts[: at + 1])) for at in ends]
    last = await score(model, tokenizer, parts)
    return Judged(one.wrong >= 0, tuple(hits), tuple(tokens), last, tuple(lines))


async def score(model: Model, tokenizer: Tokenizer, parts: Sequence[Part]) -> float:
    """The probability of Yes against No after a text."""
    text = "".join(part.text for part in parts)
    ids = tuple(tokenizer.encode(text, add_special_tokens=False).ids)
    no, yes = map((await next_token(model, ids, 20)).probability, ([mark] for mark in MARKS))
    return yes / (yes + no) if yes + no else 0.5


def auc(scores: Iterable[tuple[bool, float]]) -> float:
    """How often something right has a higher score than something wrong; ties count a half.

    Args:
        scores: (whether it is wrong, its score).
    """
    rows = list(scores)
    right = np.array([one for is_wrong, one in rows if not is_wrong])
    wrong = np.array([one for is_wrong, one in rows if is_wrong])
    above = right[:, None] - wrong[None, :]
    return float(((above > 0) + 0.5 * (above == 0)).mean())


def cells(found: Sequence[Judged], stages: Sequence[roles.Stage]) -> Iterator[str]:
    """What a table says of solutions."""
    wrong, right = ([one for one in found if one.wrong == kind] for kind in (True, False))
    yield f"{len(wrong)} + {len(right)}"
    for stage in STAGES:
        if stage not in stages:
            yield from ("–", "–", "–")
            continue
        at = list(stages).index(stage)
        hits = [np.array([float(one.hits[at]) for one in kind]) for kind in (wrong, right)]
        yield bootstrap(f1, *hits).percent()
        yield f"{hits[0].mean():.0%}, {hits[1].mean():.0%}"
        yield f"{np.mean([one.tokens[at] for one in found]):.0f}"
    yield f"{auc((one.wrong, one.score) for one in found):.2f}"
    yield f"{auc(line for one in found for line in one.lines):.2f}"


async def rows(
    path: Path, given: dict[str, dict[str, list[Example]]], stages: Sequence[roles.Stage]
) -> None:
    """Print the table of a model, row by row."""
    tokenizer = tokenizer_of(gguf.GGUFReader(path))
    model = await models.connect(str(path))
    slots = asyncio.Semaphore(SLOTS)

    async def one(example: Example) -> Judged:
        async with slots:
            return await judge(model, tokenizer, example, stages)

    try:
        print(_HEAD)
        for whose, domains in given.items():
            every = list[Judged]()
            for name, examples in domains.items():
                found = await asyncio.gather(*map(one, examples))
                every += found
                if found:
                    print("|", " | ".join((name, whose, *cells(found, stages))), "|", flush=True)
            print("|", " | ".join(("all", whose, *cells(every, stages))), "|", flush=True)
    finally:
        await models.close_all()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("model", type=Path, metavar="MODEL.gguf")
    parser.add_argument("--own", type=Path, help="of training.judging.label, on held-out problems")
    parser.add_argument("--stages", nargs="*", choices=STAGES, default=STAGES)
    parser.add_argument("--count", type=int, default=60, help="solutions of each domain")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    given = {"made": made(arguments.seed, arguments.count)}
    if arguments.own:
        given["solver's"] = solvers(arguments.own, arguments.seed, arguments.count)
    asyncio.run(rows(arguments.model, given, arguments.stages))


if __name__ == "__main__":
    main()
