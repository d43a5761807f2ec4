"""What settings of the embedded engine cost a token, in pairs in one run.

    python benchmarks/engine.py                          # one stream, every setting, two lengths
    python benchmarks/engine.py --settings before now    # only these
    python benchmarks/engine.py --before FILE.gguf       # what was shipped before (16-bit weights)

Every setting has an engine of its own in this process. They answer the same request by turns, and
each is compared with the first in the same turn, so that a busy machine disturbs all alike: the
table has the least milliseconds a token (CPU of the whole process, and wall-clock), and how many
times as fast as the first, as the median over turns and their range.

Behind it come four streams: one after the other as before, one after the other now, at once on one
engine, and on an engine a core; last, the judge reads texts of the same lengths. Exits 1 if a goal
is missed: twice the tokens a second for one stream, three times for streams side by side
(``--no-check`` prints only).
"""

from __future__ import annotations

import argparse
import http.client
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter, process_time
from typing import Any
from urllib.parse import urlsplit

import xllamacpp as engine  # type: ignore[import-untyped]
from shared import goal, header, options, progress

from agentflow.models import bundled, embedded

PROMPT = "math: Jonas has 15 marbles. Goran has 5 marbles fewer than Jonas. How many in all?\n"
BODY = {
    "temperature": 0.7,
    "top_p": 0.95,
    "top_k": 20,
    "min_p": 0.0,
    "seed": 1,
    "stream": True,
    "logprobs": 1,
    "ignore_eos": True,  # so that every stream has as many tokens as it is asked for
}
STREAMS = 4
_FLASH = engine.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_AUTO
_NO_FLASH = engine.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
_F32, _Q8 = engine.ggml_type.GGML_TYPE_F32, engine.ggml_type.GGML_TYPE_Q8_0


@dataclass(frozen=True, slots=True)
class Setting:
    """An engine's parameters that are not the default, and what a request says beside.

    Attributes:
        before: Whether it has the weights that were shipped before.
        given: For :func:`~agentflow.models.embedded.start`.
    """

    params: dict[str, Any] = field(default_factory=dict)
    body: dict[str, Any] = field(default_factory=dict)
    before: bool = False
    given: dict[str, Any] = field(default_factory=dict)


_FLASH_ON = {"flash_attn_type": _FLASH}
_PARSED = {
    "force_pure_content_parser": False,
    "reasoning_format": engine.common_reasoning_format.COMMON_REASONING_FORMAT_DEEPSEEK,
}


def drafts() -> Any:
    """Drafts of up to 8 tokens: what followed the last 4 tokens where they stood before."""
    speculative = engine.CommonParams().speculative
    speculative.types = [engine.common_speculative_type.COMMON_SPECULATIVE_TYPE_NGRAM_SIMPLE]
    speculative.ngram_simple.size_n, speculative.ngram_simple.size_m = 4, 8
    return speculative


SETTINGS = {
    "before": Setting(_FLASH_ON | _PARSED, before=True),
    "now": Setting(),
    "flash attention": Setting(_FLASH_ON),
    "16-bit weights": Setting(before=True),
    "reply parsed": Setting(_PARSED),
    "context 2304": Setting(given={"context": 2304}),
    "context 512": Setting(given={"context": 512}),
    "one slot": Setting(given={"slots": 1}),
    "two threads": Setting(given={"threads": 2}),
    "keys of 8 bits": Setting({"cache_type_k": _Q8}),
    "cache of 32 bits": Setting({"cache_type_k": _F32, "cache_type_v": _F32}),
    "three samplers": Setting(body={"samplers": ["top_k", "top_p", "temperature"]}),
    "greedy": Setting(body={"temperature": 0.0}),
    "no log-probabilities": Setting(body={"logprobs": None}),
    "no prompt cache": Setting(body={"cache_prompt": False}),
    "not streamed": Setting(body={"stream": False}),
    "n-gram drafts": Setting({"speculative": drafts()}),
    "batches of 64": Setting({"n_batch": 64, "n_ubatch": 64}),
}
"""Each differs from ``now`` by what its name says; ``before`` is what was shipped."""


class Engine:
    """A running engine of a setting."""

    def __init__(self, setting: Setting, before: Path) -> None:
        self.body = BODY | setting.body
        file = before if setting.before else embedded.bundled()
        self._server = embedded.start(file, change=setting.params, **setting.given)
        self._at = urlsplit(self._server.listening_address).netloc

    def ask(self, turn: str, tokens: int) -> int:
        """Ask for so many tokens and read them; how many came."""
        body = self.body | {"prompt": f"{PROMPT}{turn}", "max_tokens": tokens}
        post(self._at, "/v1/completions", body)
        return tokens


class Reader:
    """A running engine of the judge, for its reading."""

    def __init__(self, params: dict[str, Any]) -> None:
        self._server = embedded.start(bundled.file(bundled.JUDGE), reads=True, change=params)
        self._at = urlsplit(self._server.listening_address).netloc

    def read(self, turn: str, tokens: int) -> int:
        """Have so many random tokens read; how many there were."""
        drawn = Random(f"{turn} {tokens}")
        ids = [drawn.randrange(10, 1000) for _ in range(tokens)]
        post(self._at, "/embeddings", {"content": ids, "embd_normalize": -1})
        return tokens


def post(at: str, path: str, body: dict[str, Any]) -> None:
    """Send a request and read the reply.

    Raises:
        SystemExit: If it is an error.
    """
    connection = http.client.HTTPConnection(at, timeout=600)
    connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
    reply = connection.getresponse()
    said = reply.read()
    connection.close()
    if reply.status != 200:
        raise SystemExit(f"the engine answered {reply.status}: {said[:200]!r}")


@dataclass(slots=True)
class Times:
    """Milliseconds a token, a number a turn."""

    cpu: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)

    def add(self, job: Callable[[], int]) -> None:
        """Run a job that says how many tokens it made."""
        cpu, wall = process_time(), perf_counter()
        tokens = job()
        self.cpu.append((process_time() - cpu) / tokens * 1e3)
        self.wall.append((perf_counter() - wall) / tokens * 1e3)


def by_turns(jobs: Mapping[str, Callable[[str], int]], turns: int) -> dict[str, Times]:
    """The times of jobs that take turns; a first turn is not counted."""
    found = {name: Times() for name in jobs}
    for turn in range(-1, turns):
        for name, job in jobs.items():
            progress(f"turn {turn + 1} of {turns}: {name}")
            if turn < 0:
                job("warm")
            else:
                found[name].add(partial(job, str(turn)))
    return found


def show(title: str, found: dict[str, Times]) -> dict[str, tuple[float, float]]:
    """Print a table; (CPU, wall) of each row: how many times as fast as the first."""
    print(f"{title + ', ms a token':34}{'CPU':>7}{'x as fast':>22}{'wall':>8}{'x as fast':>22}")
    first, ratios = next(iter(found.values())), dict[str, tuple[float, float]]()
    for name, times in found.items():
        pairs = zip(times.cpu, first.cpu, times.wall, first.wall, strict=True)
        cpu, wall = zip(*((b / a, d / c) for a, b, c, d in pairs), strict=True)
        ratios[name] = median(cpu), median(wall)
        print(
            f"  {name:32}{min(times.cpu):7.3f}{spread(cpu):>22}"
            f"{min(times.wall):8.3f}{spread(wall):>22}"
        )
    print(flush=True)
    return ratios


def spread(ratios: Sequence[float]) -> str:
    """The median and the range of ratios."""
    return f"{median(ratios):.2f} [{min(ratios):.2f}, {max(ratios):.2f}]"


def one_stream(given: argparse.Namespace) -> list[dict[str, tuple[float, float]]]:
    """Every setting with one stream, at every length."""
    engines = {name: Engine(SETTINGS[name], given.before) for name in given.settings}
    found = []
    for length in given.lengths:
        jobs = {name: partial(one.ask, tokens=length) for name, one in engines.items()}
        title = f"one stream of {length:,} tokens"
        found.append(show(title, by_turns(jobs, given.turns)))
    return found


def several(turn: str, engines: Sequence[Engine], at_once: int, tokens: int) -> int:
    """Streams of so many tokens each, shared out over engines; how many tokens came of all."""
    with ThreadPoolExecutor(at_once) as pool:
        asked = [
            pool.submit(engines[i % len(engines)].ask, f"{turn} {i}", tokens)
            for i in range(STREAMS)
        ]
        return sum(one.result() for one in asked)


def side_by_side(given: argparse.Namespace) -> list[dict[str, tuple[float, float]]]:
    """Four streams, in every way that they can be run."""
    before = Engine(SETTINGS["before"], given.before)
    copies = [Engine(SETTINGS["now"], given.before) for _ in range(min(STREAMS, embedded.cores()))]
    ways = {
        "before, one by one": ([before], 1),
        "before, at once": ([before], STREAMS),
        "now, one by one": (copies[:1], 1),
        "now, at once": (copies[:1], STREAMS),
        f"now, {len(copies)} engines": (copies, len(copies)),
    }
    found = []
    for length in given.lengths:
        jobs = {
            name: partial(several, engines=engines, at_once=at_once, tokens=length)
            for name, (engines, at_once) in ways.items()
        }
        title = f"{STREAMS} streams of {length:,} tokens"
        found.append(show(title, by_turns(jobs, given.turns)))
    return found


def reading(given: argparse.Namespace) -> None:
    """The judge reads, with and without flash attention."""
    readers = {
        "without flash attention": Reader({"flash_attn_type": _NO_FLASH}),
        "now": Reader({}),
    }
    for length in given.lengths:
        jobs = {name: partial(one.read, tokens=length) for name, one in readers.items()}
        show(f"the judge reads {length:,} tokens", by_turns(jobs, given.turns))


def main() -> int:
    parser = options(__doc__, check=True, turns=7)
    parser.add_argument("--lengths", type=int, nargs="+", default=[300, 1200])
    parser.add_argument("--settings", nargs="+", choices=SETTINGS, default=list(SETTINGS))
    parser.add_argument("--before", type=Path, default=embedded.bundled(), metavar="FILE.gguf")
    given = parser.parse_args()
    header(f"xllamacpp {engine.__version__}", f"{embedded.cores()} cores", given.before.name)
    alone, beside = one_stream(given), side_by_side(given)
    reading(given)
    met = [True]
    for length, one, many in zip(given.lengths, alone, beside, strict=True):
        best = max(wall for name, (_, wall) in many.items() if name.startswith("now"))
        if given.settings[0] == "before" and "now" in one:
            twice = one["now"][0]
            text = f"{length:,} tokens, one stream: {twice:.2f} x by CPU time (goal: 2)"
            met.append(goal(text, twice >= 2))
        text = f"{length:,} tokens, {STREAMS} streams: {best:.2f} x by the clock (goal: 3)"
        met.append(goal(text, best >= 3))
    return 1 if not all(met) and not given.no_check else 0


if __name__ == "__main__":
    sys.exit(main())
