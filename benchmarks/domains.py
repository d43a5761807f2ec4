"""What reading and judging cost, by domain and length of the trace; Z3's time for a spatial claim.

    python benchmarks/domains.py [--no-check] [--json] [--lengths 1000 ...] [--only DOMAIN ...]
                                 [--data FOLDER]

Each domain reads a right trace of its own format (one worked solution again and again), line by
line, and then judges every state of it given the earlier ones, as ``agentflow verify`` does. Only
this process's CPU time counts: what a sandbox does in another is left out, and so is what is done
once (starting it, Z3's first formula), for the trace was read and judged once before. Of several
repetitions the fastest is taken. A token is a word, a sign or a line break.

Spatial claims are timed with nothing remembered, on maps that were parsed: Z3's incremental solver
(push, two checks, pop) beside a new solver for each claim.

Exits with 1 if a goal is missed: reading and judging together cost at most 1.2x per token in the
longest trace of what they cost in the shortest.
"""

from __future__ import annotations

import asyncio
import gc
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import quantiles
from time import process_time, thread_time
from typing import Any

from langchain_core.tools import tool
from reading import SAMPLES, shares
from shared import options, progress

from agentflow import domains
from agentflow.domains import DOMAINS, Domain
from agentflow.domains.spatialmap import layout
from agentflow.domains.spatialmap.layout import Claim
from agentflow.generators import GENERATORS, generate, spatial_maps
from agentflow.judge import states
from agentflow.problem import Problem
from agentflow.state import State
from agentflow.tools import entailment
from agentflow.trace import LINES
from agentflow.version import __version__

GROWTH = 1.2
_TOKEN = re.compile(r" ?\w+|[^\w\s]|\n")

Parts = tuple[str, list[str]]
"""A problem, and the lines of a right trace."""


@tool(response_format="content_and_artifact")
def nothing(query: str, limit: int = 3) -> tuple[str, dict[str, Any]]:
    """A search that finds nothing: what it costs to ask is the domain's."""
    return "nothing found", {"ok": True, "hits": []}


HAND_MADE: dict[str, Parts] = {
    "game24": (
        "1 6 8 12",
        [
            *("1 6 8 12 : 12 - 8 = 4 -> 1 4 6", "1 4 6 : 6 * 4 = 24 -> 1 24"),
            *("1 24 : 24 * 1 = 24 -> 24", "Answer: (12 - 8) * 6 * 1 = 24"),
        ],
    ),
    "logic": (
        "Dana is kind. If someone is kind and not shy, then they are happy. No kind people are "
        "shy.\nConclusion: Dana is happy.",
        ["From 1, 3: Dana is not shy.", "From 1, 2: Dana is happy.", "So it is.", "Answer: True"],
    ),
    "commonsense": (
        "Did the inventor of dynamite live to see the first aeroplane fly?",
        [
            *("Fact: Alfred Nobel invented dynamite.", "Fact: Alfred Nobel died in 1896."),
            *("Fact: The first aeroplane flew in 1903.", "That was later.", "Answer: no"),
        ],
    ),
    "verina": (
        "The smaller of two numbers.\ndef smaller (a : Nat) (b : Nat) : Nat",
        ["[CODE]", "if a <= b then a else b", "[/CODE]", "That is the smaller of the two.", ""],
    ),
}
"""For domains whose problems are not generated with a solution."""


def traced(name: str) -> Parts:
    """A problem of a domain, and the lines of a right trace.

    Raises:
        KeyError: If the domain has no worked solution here: give it one.
    """
    if name in HAND_MADE:
        return HAND_MADE[name]
    problem = next(generate(name, 1, 1)) if name in GENERATORS else None
    if problem is None:
        raise KeyError(f"no trace for the domain {name}: add one to HAND_MADE")
    return problem.text, problem.data["solution"]


def of_length(lines: list[str], tokens: int) -> tuple[str, int]:
    """(the lines again and again, as a whole, up to so many tokens or more; how many they are)."""
    once = "".join(f"{line}\n" for line in [*lines, ""])
    each = len(_TOKEN.findall(once))
    times = -(-tokens // each)
    return once * times, each * times


def reading(domain: Domain, problem: Problem, text: str) -> float:
    """CPU seconds to read a trace."""
    lines = LINES.findall(text)
    memory: dict[str, Any] = {}
    offset = 0
    began = process_time()
    for line in lines:
        memory, _ = domain.extract(problem, line, offset, memory)
        offset += len(line)
    return process_time() - began


def judging(domain: Domain, problem: Problem, found: list[State]) -> float:
    """CPU seconds to judge the states of a trace."""

    async def judge() -> float:
        earlier: list[State] = []
        began = process_time()
        for state in found:
            verdict = await domain.verify_state(problem, state, earlier)
            assert verdict.ok is not False, f"{domain.name}: {state}: {verdict.reason}"
            if verdict.ok and state.kind == "step":
                earlier.append(state)
        return process_time() - began

    return asyncio.run(judge())


Table = dict[str, dict[str, dict[int, float]]]
"""Domain -> ``reading`` or ``judging`` -> tokens -> microseconds a token."""


def measure(names: list[str], lengths: list[int], repetitions: int) -> Table:
    table: Table = {}
    for name in names:
        tools = {"search": nothing} if "search" in DOMAINS[name].tools else None
        domain = domains.get(name, tools)
        text, lines = traced(name)
        problem = domain.parse(text)
        rows: dict[str, dict[int, float]] = {"reading": {}, "judging": {}}
        for length in lengths:
            trace, tokens = of_length(lines, length)
            found = list(states(domain, problem, trace))
            assert found, f"nothing is read in the trace of {name}"
            if length == lengths[0]:
                judging(domain, problem, found)
            jobs: dict[str, Callable[[], float]] = {
                "reading": lambda: reading(domain, problem, trace),  # noqa: B023
                "judging": lambda: judging(domain, problem, found),  # noqa: B023
            }
            for kind, job in jobs.items():
                gc.collect()
                gc.freeze()  # what is held here is none of the domain's
                # A short measurement is repeated, so that each sees about as many tokens.
                times = max(repetitions, repetitions * 4_000 // length)
                rows[kind][length] = min(job() for _ in range(times)) / tokens * 1e6
        table[name] = rows
        progress(f"{name} done")
    return table


def claims(size: int, maps: int) -> dict[str, list[float]]:
    """Milliseconds of CPU for each claim of worked solutions on maps of so many objects:
    ``incremental``, and with a new solver for each."""
    spent: dict[str, list[float]] = {"incremental": [], "new solver": []}

    def timed(row: str, relations: layout.Relations, claim: Claim) -> None:
        layout._known.clear()
        began = thread_time()
        found = layout.judge(relations, size, claim)
        spent[row].append((thread_time() - began) * 1e3)
        assert found.outcome == "entailed"

    domain = domains.get("spatialmap")
    for problem in spatial_maps.generate(maps, 0, objects=(size, size)):
        relations = tuple((a, direction, b) for a, direction, b in problem.data["relations"])
        found = states(domain, problem, "\n".join(problem.data["solution"]))
        for claim in {Claim.of_data(state.data) for state in found if state.kind == "step"}:
            entailment.wait(timed, "incremental", relations, claim)
            layout._theory.cache_clear()
            entailment.wait(timed, "new solver", relations, claim)
    return spent


def summed(rows: dict[str, dict[int, float]], length: int) -> float:
    return sum(row[length] for row in rows.values())


def show(table: Table, spatial: dict[int, dict[str, list[float]]]) -> None:
    lengths = list(next(iter(table.values()))["reading"])
    print(f"agentflow {__version__}: CPU, microseconds per token, by tokens in the trace")
    print(f"{'':24}" + "".join(f"{length:>9,}" for length in lengths) + "   growth")
    for name, rows in table.items():
        for kind, row in rows.items():
            cells = "".join(f"{row[length]:9.2f}" for length in lengths)
            print(f"{name:14}{kind:10}{cells}{row[lengths[-1]] / row[lengths[0]]:8.2f}x")
    for size, spent in spatial.items():
        for name, every in spent.items():
            cuts = quantiles(every, n=20)
            print(
                f"spatialmap, {size} objects, {name}: {len(every):,} claims, ms of CPU each: "
                f"median {cuts[9]:.2f}, p95 {cuts[18]:.2f}, most {max(every):.2f}"
            )


def missed(table: Table) -> list[str]:
    """The goals that were not reached."""
    faults = []
    for name, rows in table.items():
        lengths = list(rows["reading"])
        growth = summed(rows, lengths[-1]) / summed(rows, lengths[0])
        if growth > GROWTH:
            faults.append(f"{name}: {growth:.2f}x from {lengths[0]} to {lengths[-1]} tokens")
    return faults


def main() -> int:
    parser = options(__doc__, check=True, repetitions=5, maps=100)
    parser.add_argument("--lengths", type=int, nargs="+", default=[1000, 4000, 16_000, 32_000])
    parser.add_argument("--only", nargs="+", choices=list(DOMAINS), default=list(DOMAINS))
    parser.add_argument("--data", type=Path, default=SAMPLES, help="real problems to read")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    given = parser.parse_args()
    table = measure(given.only, given.lengths, given.repetitions)
    sizes = (6, 20) if "spatialmap" in given.only else ()
    spatial = {size: claims(size, given.maps) for size in sizes}
    faults, read = missed(table), shares(given.data)
    if given.json:
        found = {"microseconds": table, "claims": spatial, "read": read, "missed": faults}
        print(json.dumps(found))
    else:
        show(table, spatial)
        for name, count, of in read:
            print(f"read: {name}: {count:,} of {of:,}")
        print("\n".join(f"missed: {fault}" for fault in faults) or "every goal reached")
    return 1 if faults and not given.no_check else 0


if __name__ == "__main__":
    sys.exit(main())
