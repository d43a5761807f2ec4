"""Batches of the curriculum: texts as token ids, those of like length together.

Where a text stands in the whole is its chunk and its place there, so that a run goes on at the very
batch where it was cut off.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from itertools import count, groupby
from multiprocessing import get_context

import numpy as np
import torch
from tokenizers import Tokenizer

from training.curriculum import CHUNK, SOURCES, chunk
from training.game24 import Part
from training.judging import curriculum as judging
from training.model import CONTEXT

IGNORED = -100
BLOCK = 32
"""Pools that are learned again together, where texts are."""
TEXT_TOKENS = 240
"""About the mean of all sources: what the progress of the curriculum is reckoned with."""


@dataclass(frozen=True, slots=True)
class Document:
    """A text to learn: the name of its source, its token ids, its labels, and its lines."""

    source: str
    ids: list[int]
    labels: list[int]
    lines: list[int]


@dataclass(frozen=True, slots=True)
class Batch:
    """Texts of like length, padded to the longest.

    Attributes:
        ids, labels, lines: (texts, tokens).
        sources: Of each text.
        position: (pool, place in it) of the batch behind it.
    """

    ids: torch.Tensor
    labels: torch.Tensor
    lines: torch.Tensor
    sources: list[str]
    position: tuple[int, int]


def encode(tokenizer: Tokenizer, parts: list[Part]) -> tuple[list[int], list[int], list[int]]:
    """(token ids, labels, lines); neighbours are tokenised as one, as a prompt is built in use.

    Of a token of a line that is read, ``lines`` says ``2 * n``, and one more where the line is
    right: ``n`` is the place of its part among its neighbours.
    """
    ids: list[int] = []
    labels: list[int] = []
    lines: list[int] = []
    for learn, group in groupby(parts, key=lambda part: part.learn):
        pieces = list(group)
        text = "".join(part.text for part in pieces)
        encoded = tokenizer.encode(text, add_special_tokens=False)
        piece = encoded.ids
        learned = list(piece) if learn else [IGNORED] * len(piece)
        read = [IGNORED] * len(piece)
        place = 0
        for number, part in enumerate(pieces):
            begin, place = place, place + len(part.text)
            if part.right is None:
                continue
            for at, (first, last) in enumerate(encoded.offsets):
                if begin <= first and last <= place:
                    read[at] = 2 * number + part.right
                    if part.right:
                        learned[at] = piece[at]
        ids += piece
        labels += learned
        lines += read
    return ids, labels, lines


@dataclass(frozen=True, slots=True)
class Plan:
    """What is drawn, and how it is put together.

    Attributes:
        tokenizer: Path of its file.
        seed: Of all texts.
        total: Tokens of the whole training, for the curriculum's progress.
        batch: Tokens of a batch, with padding.
        pool: Chunks whose texts are put together by length.
        own: A file of the solver's labelled solutions, for the judge's curriculum; empty for the
            pocket model's.
        weights: How often sources of the judge's are drawn, where it is not the curriculum's own.
        opened: Whether every source is open from the start.
        repeat: How often each text is learned: pools come in blocks of :data:`BLOCK`, each block so
            often.
    """

    tokenizer: str
    seed: int
    total: int
    batch: int
    pool: int = 1
    own: str = ""
    weights: tuple[tuple[str, float], ...] = ()
    opened: bool = False
    repeat: int = 1

    def number(self, visit: int) -> int:
        """Which pool comes at a place in the whole."""
        block, place = divmod(visit, BLOCK * self.repeat)
        return block * BLOCK + place % BLOCK

    def documents(self, number: int) -> list[list[Document]]:
        """The batches of one pool, in their order."""
        tokenizer, rng = Tokenizer.from_file(self.tokenizer), random.Random(f"{self.seed} {number}")
        sources = judging.sources(self.own, self.weights) if self.own else SOURCES
        found = []
        for one in range(number * self.pool, (number + 1) * self.pool):
            progress = 1.0 if self.opened else one * CHUNK * TEXT_TOKENS / self.total
            for source, parts in chunk(self.seed, one, progress, sources=sources):
                encoded = encode(tokenizer, parts)
                if len(encoded[0]) <= CONTEXT:
                    found.append(Document(source, *encoded))
        groups: list[list[Document]] = [[]]
        for document in sorted(found, key=lambda one: len(one.ids)):
            if groups[-1] and len(document.ids) * (len(groups[-1]) + 1) > self.batch:
                groups.append([])
            groups[-1].append(document)
        rng.shuffle(groups)
        return groups


def batches(plan: Plan, start: tuple[int, int] = (0, 0), workers: int = 0) -> Iterator[Batch]:
    """Endless batches.

    Args:
        start: The position of the first one.
        workers: Processes that write ahead; none for this one.
    """
    skipped = start[1]
    for pool, groups in _pools(plan, start[0], workers):
        for place, (sources, *rows) in enumerate(groups[skipped:], skipped):
            last = place + 1 == len(groups)
            ids, labels, lines = (torch.from_numpy(one).long() for one in rows)
            yield Batch(ids, labels, lines, sources, (pool + 1, 0) if last else (pool, place + 1))
        skipped = 0


Padded = tuple[list[str], np.ndarray, np.ndarray, np.ndarray]
"""The sources of a batch's texts, and their ids, labels and lines."""


def _padded(plan: Plan, number: int) -> list[Padded]:
    """The batches of one pool: arrays, which pass from process to process as they are."""
    return [
        (
            [one.source for one in group],
            *(_rows(group, kind) for kind in ("ids", "labels", "lines")),
        )
        for group in plan.documents(number)
    ]


def _rows(group: list[Document], kind: str) -> np.ndarray:
    found = [getattr(one, kind) for one in group]
    filler = 0 if kind == "ids" else IGNORED
    padded = np.full((len(found), max(map(len, found))), filler, np.int32)
    for row, one in zip(padded, found, strict=True):
        row[: len(one)] = one
    return padded


def _pools(plan: Plan, start: int, workers: int) -> Iterator[tuple[int, list[Padded]]]:
    if not workers:
        for visit in count(start):
            yield visit, _padded(plan, plan.number(visit))
    # Z3 has a thread in this process: a worker is no fork of it.
    with ProcessPoolExecutor(workers, get_context("forkserver")) as executor:
        written: dict[int, Future[list[Padded]]] = {}
        for visit in count(start):
            number = plan.number(visit)
            for other in range(number, number + 2 * workers):
                if other not in written:
                    written[other] = executor.submit(_padded, plan, other)
            yield visit, written[number].result()
            for old in [one for one in written if one < number - BLOCK]:
                del written[old]
