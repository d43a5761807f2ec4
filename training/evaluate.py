"""Measure a model on every source's held-out texts: ``python -m training.evaluate MODEL.gguf``.

The embedded engine continues the prompts, and each reply is compared with the one that is learned,
or judged by the domain, as :data:`training.curriculum.SOURCES` says. Prints a table in Markdown.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import gguf
from tokenizers import Tokenizer

from agentflow import models
from agentflow.evaluation.intervals import wilson
from agentflow.models import Model, Request, complete
from agentflow.models.embedded import SLOTS
from agentflow.profile import GREEDY, PROFILES
from training.convert import tokenizer_of
from training.curriculum import SOURCES
from training.game24 import Part

MOST_TOKENS = 1024
"""Of a reply."""

_HEAD = "| source | texts | read | right | 95 % | tokens |\n|---|--:|--:|--:|---|--:|"


@dataclass(frozen=True, slots=True)
class Measured:
    """What came of one text.

    Attributes:
        read: Whether the reply can be read by the running code.
        right: Whether it says what it should.
        tokens: Of the reply.
    """

    read: bool
    right: bool
    tokens: int


async def measure(model: Model, tokenizer: Tokenizer, name: str, count: int, seed: int) -> str:
    """A source's row of the table."""
    source, slots = SOURCES[name], asyncio.Semaphore(SLOTS)

    async def one(parts: list[Part], number: int) -> Measured:
        prompt = parts[0].text
        learned = "".join(part.text for part in parts[1:]).removesuffix("<|im_end|>")
        ids = tuple(tokenizer.encode(prompt, add_special_tokens=False).ids)
        sampling = PROFILES["pocket"].sampling if source.solves else GREEDY
        async with slots:
            said = await complete(model, Request(ids, MOST_TOKENS, sampling, seed + number))
        try:
            right = source.right(prompt, said.text.removesuffix("<|im_end|>"), learned)
        except ValueError:
            return Measured(False, False, len(said.tokens))
        return Measured(True, right, len(said.tokens))

    texts = islice(source.texts(seed, held_out=True), count)
    return row(name, await asyncio.gather(*map(one, texts, range(count))))


def row(name: str, found: Sequence[Measured]) -> str:
    """What came of a source's texts, as a row of the table."""
    count, right = len(found), sum(one.right for one in found)
    share = wilson(right, count)
    tokens = sum(one.tokens for one in found) / count
    read = sum(one.read for one in found) / count
    return (
        f"| {name} | {count} | {read:.0%} | {share.value:.0%} "
        f"| [{share.low:.0%}, {share.high:.0%}] | {tokens:.0f} |"
    )


async def rows(path: Path, names: Sequence[str], count: int, seed: int) -> None:
    """Print the table of a model, row by row."""
    tokenizer = tokenizer_of(gguf.GGUFReader(path))
    model = await models.connect(str(path))
    try:
        print(_HEAD)
        for name in names:
            print(await measure(model, tokenizer, name, count, seed), flush=True)
    finally:
        await models.close_all()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("model", type=Path, metavar="MODEL.gguf")
    parser.add_argument("--sources", nargs="+", choices=SOURCES, default=list(SOURCES))
    parser.add_argument("--count", type=int, default=50, help="texts of each source")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    asyncio.run(rows(arguments.model, arguments.sources, arguments.count, arguments.seed))


if __name__ == "__main__":
    main()
