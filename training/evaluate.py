"""Measure a model on every source's held-out texts: ``python -m training.evaluate MODEL.gguf``.

The embedded engine continues the prompts, and each reply is compared with the one that is learned,
or judged by the domain, as :data:`training.curriculum.SOURCES` says. ``--own FILE`` takes the
judge's sources instead, with the solver's held-out solutions of that file. Prints a table in
Markdown.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Mapping, Sequence
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
from training.curriculum import SOURCES, Source
from training.game24 import Part
from training.judging import curriculum as judging

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


async def measure(
    model: Model, tokenizer: Tokenizer, name: str, source: Source, count: int, seed: int
) -> str:
    """A source's row of the table."""
    slots = asyncio.Semaphore(SLOTS)

    async def one(parts: list[Part], number: int) -> Measured:
        # The last line of a solution is followed by the prompt's end.
        asked = 2 + max((at for at, one in enumerate(parts) if one.right is not None), default=-1)
        prompt, learned = ("".join(part.text for part in p) for p in (parts[:asked], parts[asked:]))
        learned = learned.removesuffix("<|im_end|>")
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


async def rows(path: Path, sources: Mapping[str, Source], count: int, seed: int) -> None:
    """Print the table of a model, row by row."""
    tokenizer = tokenizer_of(gguf.GGUFReader(path))
    model = await models.connect(str(path))
    try:
        print(_HEAD)
        for name, source in sources.items():
            print(await measure(model, tokenizer, name, source, count, seed), flush=True)
    finally:
        await models.close_all()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("model", type=Path, metavar="MODEL.gguf")
    parser.add_argument("--own", type=Path, help="of training.judging.label, on held-out problems")
    parser.add_argument("--sources", nargs="+", choices=SOURCES)
    parser.add_argument("--count", type=int, default=50, help="texts of each source")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    sources = judging.sources(str(arguments.own)) if arguments.own else SOURCES
    if unknown := set(arguments.sources or ()) - set(sources):
        parser.error(f"--sources: the judge has no {', '.join(sorted(unknown))}")
    wanted = {name: sources[name] for name in arguments.sources or sources if name != "lines"}
    asyncio.run(rows(arguments.model, wanted, arguments.count, arguments.seed))


if __name__ == "__main__":
    main()
