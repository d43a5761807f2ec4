"""How well a model judges, by domain: ``python -m training.judging.evaluate MODEL.gguf``.

Held-out solutions, half of them with a mistake: those that a program got wrong, and the solver's
own. Fast and slow are one greedy reply each, with FlexiVe's own prompt and parser; the reading is
what :class:`agentflow.scorers.likelihood.Likelihood` scores, which names the first line that is
rather wrong than right. Prints a table in Markdown; with ``--fit``, from problems of the training,
how surprising a line may be.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import gguf
import numpy as np
from scipy.optimize import minimize
from tokenizers import Tokenizer

from agentflow import prompts
from agentflow.evaluation.intervals import auc, bootstrap, f1
from agentflow.models import JudgeModel, Request, complete, embedded
from agentflow.models.embedded import SLOTS
from agentflow.scorers.likelihood import UNKNOWN, Likelihood, chance
from agentflow.scorers.prompted import GREEDY
from agentflow.together import together
from agentflow.verifiers.critique import parse
from training import flawed, roles
from training.convert import tokenizer_of
from training.evaluate import MOST_TOKENS
from training.judging import own
from training.judging.curriculum import lined
from training.mistakes import POCKET, Example, write
from training.texts import CONTEXT_CHARACTERS, fits

STAGES: tuple[roles.Stage, ...] = ("fast", "slow")

_HEAD = (
    "| domain | whose | wrong + right | fast F1 | wrong, right | tokens | slow F1 | wrong, right "
    "| tokens | reading F1 | wrong, right | AUC | AUC of lines |\n"
    "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
)


@dataclass(frozen=True, slots=True)
class Judged:
    """What a model says of a solution.

    Attributes:
        wrong: Which of its lines is the first wrong one; None for a right solution.
        hits: By stage, whether the reply names the first wrong step, or none.
        tokens: Of each reply.
        lines: Of each line, the log-probability of its least likely token.
    """

    wrong: int | None
    hits: tuple[bool, ...]
    tokens: tuple[int, ...]
    lines: tuple[float, ...]

    @property
    def named(self) -> int | None:
        """The line that the reading names."""
        return next((at for at, p in enumerate(self.lines) if chance(p) < UNKNOWN), None)


def made(seed: int, count: int, *, held_out: bool = True) -> dict[str, list[Example]]:
    """Solutions with mistakes that were put in, and without, by domain."""
    found: dict[str, list[Example]] = {name: [] for name in own.DOMAINS}
    drawn = flawed.examples(seed, held_out=held_out)
    while any(len(rows) < count for rows in found.values()):
        one = next(drawn)
        rows = found[one.problem.domain]
        same = sum((row.wrong < 0) == (one.wrong < 0) for row in rows)
        if same < count / 2 and readable(one):
            rows.append(one)
    return found


def solvers(
    path: Path, seed: int, count: int, *, held_out: bool = True
) -> dict[str, list[Example]]:
    """The solver's own solutions by domain, as many wrong as right ones."""
    rng, found = random.Random(seed), dict[str, list[Example]]()
    rows = own.rows(str(path), of_held_out=held_out)
    for name in own.DOMAINS:
        every = [own.example(row) for row in rows if row.domain == name]
        every = [one for one in every if readable(one)]
        kinds = [[one for one in every if (one.wrong >= 0) == wrong] for wrong in (True, False)]
        each = min(count // 2, *map(len, kinds))
        found[name] = [one for kind in kinds for one in rng.sample(kind, each)]
    return found


def readable(one: Example) -> bool:
    """Whether a reading of it is short enough to have been learned."""
    return fits(roles.critic_text(one, "slow"), CONTEXT_CHARACTERS)


async def judge(
    model: JudgeModel, tokenizer: Tokenizer, one: Example, stages: Sequence[roles.Stage]
) -> Judged:
    """The replies about a solution, and the reading of it."""
    hits, tokens = list[bool](), list[int]()
    for stage in stages:
        prompt = roles.critic_prompt(one, stage)
        ids = tuple(tokenizer.encode(prompt, add_special_tokens=False).ids)
        reply = await complete(model, Request(ids, MOST_TOKENS, GREEDY))
        said = reply.text.removesuffix(POCKET.stops[0])
        said = POCKET.said(said, opened=True) if stage == "slow" else said
        hits.append(parse(said, len(one.steps)).index == one.wrong)
        tokens.append(len(reply.tokens))
    parts = lined(roles.critic_prompt(one, "fast"), one)
    right = [part.right for part in parts if part.right is not None]
    wrong = right.index(False) if False in right else None
    found, _ = await Likelihood(model).lines(prompts.stated(one.problem, POCKET), one.steps)
    lines = [0.0 if logprob is None else logprob for _, logprob in found]
    return Judged(wrong, tuple(hits), tuple(tokens), tuple(lines))


def told_apart(scores: Iterable[tuple[bool, float]]) -> float:
    """How often something right has a higher score than something wrong.

    Args:
        scores: (whether it is wrong, its score).

    Returns:
        NaN where all are right, or all wrong.
    """
    rows = list(scores)
    found = auc(*([one for is_wrong, one in rows if is_wrong is side] for side in (False, True)))
    return math.nan if found is None else found


def shares(found: Sequence[Judged], hits: Sequence[bool]) -> tuple[str, str]:
    """ProcessBench's F1, and its two shares: of wrong solutions whose first wrong place is named,
    and of right ones that pass."""
    pairs = list(zip(found, hits, strict=True))
    wrong = np.array([float(hit) for one, hit in pairs if one.wrong is not None])
    right = np.array([float(hit) for one, hit in pairs if one.wrong is None])
    return bootstrap(f1, wrong, right).percent(), f"{wrong.mean():.0%}, {right.mean():.0%}"


def cells(found: Sequence[Judged], stages: Sequence[roles.Stage]) -> Iterator[str]:
    """What a table says of solutions."""
    wrong = sum(one.wrong is not None for one in found)
    yield f"{wrong} + {len(found) - wrong}"
    for stage in STAGES:
        if stage not in stages:
            yield from ("–", "–", "–")
            continue
        at = list(stages).index(stage)
        yield from shares(found, [one.hits[at] for one in found])
        yield f"{np.mean([one.tokens[at] for one in found]):.0f}"
    yield from shares(found, [one.named == one.wrong for one in found])
    yield f"{told_apart((one.wrong is not None, min(one.lines)) for one in found):.2f}"
    yield f"{told_apart(labelled(found)):.2f}"


def labelled(found: Sequence[Judged]) -> list[tuple[bool, float]]:
    """Every line up to the first wrong one: whether it is that, and how likely it was."""
    return [
        (at == one.wrong, p)
        for one in found
        for at, p in enumerate(one.lines[: None if one.wrong is None else one.wrong + 1])
    ]


def fitted(found: Sequence[Judged]) -> tuple[float, float]:
    """(sure, slope) of :func:`~agentflow.scorers.likelihood.chance`: the slope is the logistic
    regression's over all lines, and the bound lies where F1 is highest."""
    wrong, said = map(np.array, zip(*labelled(found), strict=True))

    def loss(given: np.ndarray) -> float:
        logits = given[0] + given[1] * said
        return float(np.logaddexp(0, np.where(wrong, logits, -logits)).mean())

    slope = float(minimize(loss, np.zeros(2)).x[1])

    def score(bound: float) -> float:
        firsts = [next((i for i, p in enumerate(one.lines) if p < bound), None) for one in found]
        hits = [float(one.wrong == first) for one, first in zip(found, firsts, strict=True)]
        right = np.array([one.wrong is None for one in found])
        return f1(np.array(hits)[~right], np.array(hits)[right])

    return -slope * max(np.arange(-12, 0, 0.1), key=score), slope


async def rows(
    path: Path, given: dict[str, dict[str, list[Example]]], stages: Sequence[roles.Stage]
) -> None:
    """Print the table of a model, row by row."""
    every = await judged(path, given, stages)
    print(_HEAD)
    for whose, domains in every.items():
        for name, found in domains.items():
            if found:
                print("|", " | ".join((name, whose, *cells(found, stages))), "|")
        found = [one for rows in domains.values() for one in rows]
        print("|", " | ".join(("all", whose, *cells(found, stages))), "|")


async def judged(
    path: Path, given: dict[str, dict[str, list[Example]]], stages: Sequence[roles.Stage]
) -> dict[str, dict[str, list[Judged]]]:
    """What a model says of solutions, by whose they are and by domain."""
    tokenizer = tokenizer_of(gguf.GGUFReader(path))
    model = JudgeModel(embedded.serve(path, reads=True), path)
    slots = asyncio.Semaphore(SLOTS)

    async def one(example: Example) -> Judged:
        async with slots:
            return await judge(model, tokenizer, example, stages)

    try:
        await model.open()
        return {
            whose: {name: await together(map(one, rows)) for name, rows in domains.items()}
            for whose, domains in given.items()
        }
    finally:
        await model.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("model", type=Path, metavar="MODEL.gguf")
    parser.add_argument("--own", type=Path, help="of training.judging.label, on held-out problems")
    parser.add_argument("--stages", nargs="*", choices=STAGES, default=STAGES)
    parser.add_argument("--count", type=int, default=60, help="solutions of each domain")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--fit", action="store_true", help="of training problems (see above)")
    parser.add_argument("--write", type=Path, metavar="FOLDER", help="only the solutions, a file a "
                        "domain and whose they are, for agentflow eval-steps")  # fmt: skip
    arguments = parser.parse_args()
    drawn = {"held_out": not arguments.fit}
    given = {"made": made(arguments.seed, arguments.count, **drawn)}
    if arguments.own:
        given["solver's"] = solvers(arguments.own, arguments.seed, arguments.count, **drawn)
    if arguments.write:
        arguments.write.mkdir(parents=True, exist_ok=True)
        for whose, domains in given.items():
            for name, examples in domains.items():
                file = "-".join((name, whose.removesuffix("'s")))
                write(arguments.write / f"{file}.jsonl", examples)
        return
    if arguments.fit:
        found = asyncio.run(judged(arguments.model, given, ()))
        every = [one for domains in found.values() for rows in domains.values() for one in rows]
        print("SURE, SLOPE = {:.2f}, {:.2f}".format(*fitted(every)))
        return
    asyncio.run(rows(arguments.model, given, arguments.stages))


if __name__ == "__main__":
    main()
