"""What reading recorded outputs costs: CPU microseconds a token, on all, on the slowest, on long.

Three readers see every text line by line: the one of answers, mathematics and Game of 24; the last
two have the first within them. A token is a word, a sign or a line break. The long text is the
longest recordings joined; growth is what it costs in one go, over what its pieces of 8,000 tokens
cost each from the beginning: the same words, so that only what is remembered makes a difference.
What the readers keep in caches is forgotten before each timing, and each text is read three times:
what counts is the quickest. The problem is read before, once.

Machines differ, and a busy one is slower by the minute: a plain loop is timed beside the readers,
and microseconds are those of a machine on which a step of that loop takes :data:`STEP`.
Degenerate recordings are those that say a line eight times or more.
"""

from __future__ import annotations

import gc
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from time import process_time
from typing import Any, NamedTuple

from agentflow import domains
from agentflow.domains import answers
from agentflow.problem import Problem
from agentflow.trace import LINES
from real.claims import problem_of
from real.recordings import Finding, Recording, Row

GOAL = 1.0
"""Microseconds a token, at most."""

GROWTH = 1.2
"""How much more a token of the long text may cost than one of its pieces."""

PIECE = 8_000
PIECES = 4
SLOWEST = 10
SHORTEST = 100
"""Tokens of a piece, how many pieces there are, how many slow recordings are shown, and the tokens
that those have at least: the cost of a few words is that of a call."""

STEP = 0.028
"""Microseconds of ``total += number & 7`` in a ``for`` loop, on the machine that times are told
for (CPython 3.11, nothing else running)."""

_STEPS = 20_000
_EVERY = 25
"""Recordings between two looks at the loop."""
_REPETITIONS = 3
_REPEATED = 8
_TOKEN = re.compile(r" ?\w+|[^\w\s]|\n")

Reader = Callable[[Recording, str], object]
"""Reads a text, given the recording that has the problem."""


class Cost(NamedTuple):
    """What a reader costs.

    Attributes:
        tokens: Of all recordings.
        overall: Microseconds a token of all recordings.
        slowest: The slowest recordings, the worst first, with their microseconds a token.
        growth: Of the long text, a factor.
        degenerate: Microseconds a token of the degenerate recordings; 0 where there are none.
    """

    tokens: int
    overall: float
    slowest: list[tuple[float, Recording]]
    growth: float
    degenerate: float


def section(recordings: Sequence[Recording]) -> Finding:
    """The section of ``real_text.py``."""
    rows, missed, said = list[Row](), list[str](), list[str]()
    holds = True
    for name, reader in READERS.items():
        cost = measured(reader, recordings)
        worst = max((each for each, _ in cost.slowest), default=0.0)
        holds = (
            holds and max(cost.overall, worst, cost.degenerate) <= GOAL and cost.growth <= GROWTH
        )
        ten = sum(each for each, _ in cost.slowest) / max(len(cost.slowest), 1)
        rows.append(
            {
                "reader": name,
                "tokens": cost.tokens,
                "us a token": round(cost.overall, 2),
                "degenerate": round(cost.degenerate, 2),
                f"slowest {SLOWEST}, mean": round(ten, 2),
                "worst": round(worst, 2),
                "growth": round(cost.growth, 2),
            }
        )
        told = f"{cost.overall:.2f} us a token, degenerate {cost.degenerate:.2f}"
        told += f", worst {worst:.2f}, growth {cost.growth:.2f}x"
        said.append(f"{name} {told}")
        missed += [
            f"{one.row.get('id')} ({one.file}, {one.model}): {name} {each:.2f} us a token"
            for each, one in cost.slowest
            if each > GOAL
        ]
    return Finding(rows, holds, "; ".join(said), missed)


def measured(
    reader: Reader,
    recordings: Sequence[Recording],
    clock: Callable[[], float] = process_time,
    pace: Callable[[], float] | None = None,
) -> Cost:
    """What a reader costs, each text timed by a clock of seconds.

    Args:
        pace: By what a time is multiplied to be that of the machine of :data:`STEP`.
    """
    pace = pace or _pace
    caches = list(_caches())
    factor = pace()

    def seconds(one: Recording, texts: Sequence[str]) -> float:
        for forget in caches:
            forget()
        began = clock()
        for text in texts:
            reader(one, text)
        return (clock() - began) * factor

    def least(one: Recording, texts: Sequence[str]) -> float:
        return min(seconds(one, texts) for _ in range(_REPETITIONS))

    gc.collect()
    gc.freeze()  # what is held here is none of the reader's
    for one in recordings[:SLOWEST]:  # what is done once
        seconds(one, [one.output])
    sizes = [len(_TOKEN.findall(one.output)) for one in recordings]
    spent = list[float]()
    for number, one in enumerate(recordings):
        factor = factor if number % _EVERY else pace()
        spent.append(least(one, [one.output]))
    loops = [number for number, one in enumerate(recordings) if _is_degenerate(one.output)]
    looped = sum(spent[n] for n in loops) / max(sum(sizes[n] for n in loops), 1) * 1e6
    each = [
        (time / size, number)
        for number, (time, size) in enumerate(zip(spent, sizes, strict=True))
        if size >= SHORTEST
    ]
    again = [
        (least(recordings[number], [recordings[number].output]) / sizes[number] * 1e6, number)
        for _, number in sorted(each, reverse=True)[: 5 * SLOWEST]  # some were slow by chance
    ]
    factor = pace()
    worst = sorted(again, reverse=True)[:SLOWEST]
    slowest = [(spent_on_one, recordings[number]) for spent_on_one, number in worst]
    parts, first = long_text(recordings)
    growth = least(first, ["".join(parts)]) / max(least(first, parts), 1e-9)
    gc.unfreeze()
    return Cost(sum(sizes), sum(spent) / max(sum(sizes), 1) * 1e6, slowest, growth, looped)


def _pace() -> float:
    times = list[float]()
    for _ in range(3):
        began, total = process_time(), 0
        for number in range(_STEPS):
            total += number & 7
        times.append(process_time() - began)
    return STEP * 1e-6 * _STEPS / min(times)


def _is_degenerate(text: str) -> bool:
    said = Counter(line for line in text.splitlines() if line.strip())
    return max(said.values(), default=0) >= _REPEATED


def long_text(recordings: Sequence[Recording]) -> tuple[list[str], Recording]:
    """The longest recordings joined, in pieces of whole lines; and the longest.

    They are taken again where they are too few.
    """
    longest = sorted(recordings, key=lambda one: -len(one.output))
    lines = _lines([one.output for one in longest])
    parts = list[str]()
    for _ in range(PIECES):
        part, size = list[str](), 0
        while size < PIECE:
            part.append(next(lines))
            size += len(_TOKEN.findall(part[-1]))
        parts.append("".join(part))
    return parts, longest[0]


def _caches() -> Iterator[Callable[[], None]]:
    """What empties the caches of the domains' modules."""
    for name, module in list(sys.modules.items()):
        if name.startswith("agentflow.domains."):
            for value in vars(module).values():
                if clear := getattr(value, "cache_clear", None):
                    yield clear


def _lines(texts: Sequence[str]) -> Iterator[str]:
    """The lines of the texts, for ever."""
    while True:
        for text in texts:
            yield from LINES.findall(f"{text}\n")


def _answers(recording: Recording, text: str) -> None:
    memory: dict[str, Any] = {}
    offset = 0
    for line in LINES.findall(text):
        memory, _ = answers.read(memory, line, offset)
        offset += len(line)


def _domain(name: str) -> Reader:
    domain = domains.get(name)

    puzzle = domain.parse("4 7 8 8") if name == "game24" else None
    problems: dict[str, Problem] = {}  # each is read once, however often the text is

    def read(recording: Recording, text: str) -> None:
        asked = str(recording.row.get("problem"))
        if (problem := puzzle or problems.get(asked)) is None:
            problem = problems[asked] = problem_of(recording)
        memory: dict[str, Any] = {}
        offset = 0
        for line in LINES.findall(text):
            memory, _ = domain.extract(problem, line, offset, memory)
            offset += len(line)

    return read


READERS: Mapping[str, Reader] = {
    "answers": _answers,
    "math": _domain("math"),
    "game24": _domain("game24"),
}
"""What is timed, by name."""
