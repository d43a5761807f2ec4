"""What checkpoints cost as the trace grows: bytes, and milliseconds per superstep.

    python benchmarks/checkpoint.py [--no-check] [--supersteps N]

The interwhen graph runs on a thread in SQLite with a scripted model. Each of its streams brings
10 KB in tokens of four characters, with ids as of a vocabulary of 150,000, and ends in a wrong
step, so that the trace grows to 1 MB in 200 supersteps. The run is repeated with other settings,
and its trace is put, superstep by superstep, into other kinds of channel. All in one process, one
after the other.

Bytes are those of all rows of the database by the end of a superstep; files are the database and
its write-ahead log at the end. Milliseconds are those the checkpointer is waited for, the median
over 20 pairs of solve and refine: the first ones, and those before a size is reached. "read" is the
time, in milliseconds, to read the thread's last state anew.

Exits with 1 if a goal is missed: less than 10 MB written for 1 MB of trace; at most 2.3x the bytes
for twice the trace; writing a superstep costs at the end at most 2x what it does in the
beginning.
"""

from __future__ import annotations

import asyncio
import operator
import random
import sqlite3
import sys
import tempfile
import zlib
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate, pairwise
from os.path import getsize
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Annotated, Any, TypedDict, get_type_hints

from langgraph.channels import DeltaChannel
from langgraph.graph import END, START, StateGraph
from langgraph.types import Overwrite
from shared import goal, options, progress

from agentflow.arguments import settings_for
from agentflow.checkpoints import Checkpoints, open_checkpoints
from agentflow.models import ScriptedModel, Token
from agentflow.nodes import MODEL_KEY
from agentflow.profile import PROFILES
from agentflow.run import RunState
from agentflow.threads import config_of, graph_of
from agentflow.trace import Operation, extend

LEG = 10_000
"""Characters of one stream."""
SIZES = (0.1, 0.25, 0.5, 1.0)
"""What is shown, as shares of the supersteps."""
WINDOW = 20
"""Pairs of supersteps of which the milliseconds are the median."""
PROFILE = replace(PROFILES["qwen3"], context=10**9, max_tokens=10**9)
PUZZLE = "4 7 8 8"
WRONG = "8 / 8 = 2 (left: 2 4 7)\n"
STEPS = (
    "8 / 8 = 1 (left: 1 4 7)\n",
    "8 - 7 = 1 (left: 1 4 8)\n",
    "7 + 8 = 15 (left: 4 8 15)\n",
    "4 * 7 = 28 (left: 8 8 28)\n",
    "8 * 8 = 64 (left: 4 7 64)\n",
    "7 - 4 = 3 (left: 3 8 8)\n",
)
THOUGHT = (
    "so if we take the sum of these two first then what is left is larger than before and "
    "maybe that does not help let me look at it again from the other side because a product "
    "would give something close to the goal although one number still has to go somewhere hmm "
    "try another"
)
ROWS = """
SELECT checkpoint_id,
    length(thread_id) + length(checkpoint_id) + ifnull(length(parent_checkpoint_id), 0)
    + length(checkpoint) + length(metadata) FROM checkpoints
UNION ALL SELECT checkpoint_id,
    length(thread_id) + length(checkpoint_id) + length(task_id) + length(task_path)
    + length(channel) + ifnull(length(value), 0) FROM writes
"""


# The runs


@dataclass(frozen=True, slots=True)
class Run:
    """A graph that runs to its end on a thread.

    Attributes:
        graph: The graph, writing checkpoints.
        start: Its input.
        config: Its configuration.
        added: What an update of one of its nodes appends to the trace.
        context: Its settings.
        durability: When LangGraph writes.
        pragma: A setting of SQLite.
    """

    graph: Callable[[Checkpoints], Any]
    start: dict[str, Any]
    config: Callable[[Checkpoints], Any]
    added: Callable[[Any], list[Operation]]
    context: Any = None
    durability: str = "sync"
    pragma: str = "PRAGMA synchronous=NORMAL"


def prose(rng: random.Random) -> str:
    """A line of thinking that is no step."""
    return " ".join(rng.choices(THOUGHT.split(), k=16)) + ".\n"


def step(rng: random.Random) -> str:
    """A line that is a right step."""
    return rng.choice(STEPS)


def leg(line: Callable[[random.Random], str], rng: random.Random) -> list[Token]:
    """One stream: lines, and a wrong step at its end."""
    text = ""
    while len(text) < LEG - len(WRONG):
        text += line(rng)
    text += WRONG
    pieces = [text[i : i + 4] for i in range(0, len(text), 4)]
    return [Token(piece, zlib.crc32(piece.encode()) % 150_000, 0.0) for piece in pieces]


def interwhen(supersteps: int, line: Callable[[random.Random], str] = prose) -> Run:
    """The method, on a model that thinks such lines and never gets to an answer."""
    settings = settings_for("interwhen", max_corrections=supersteps // 2 - 1)

    def config(checkpoints: Checkpoints) -> Any:
        rng = random.Random(0)
        model = ScriptedModel(lambda _: leg(line, rng), profile=PROFILE)
        given = config_of("one", checkpoints, "interwhen", settings)
        return given | {"configurable": {**given["configurable"], MODEL_KEY: model}}

    def added(update: Any) -> list[Operation]:
        operations = update.get("operations", [])
        return operations.value if isinstance(operations, Overwrite) else operations

    return Run(partial(graph_of, "interwhen"), {"problem": PUZZLE}, config, added, settings)


def channel(
    kind: Any, empty: Any, trace: list[list[Operation]], put: Callable[[Any, Any], Any]
) -> Run:
    """A graph of one node, with the trace in a channel of this kind.

    Args:
        empty: Its first value.
        trace: What each superstep appends.
        put: (the channel's value, what is appended) -> the node's update of the channel.
    """
    state: Any = TypedDict("state", {"trace": kind, "number": int})

    async def append(values: dict[str, Any]) -> dict[str, Any]:
        number = values["number"]
        return {"trace": put(values["trace"], trace[number]), "number": number + 1}

    def after(values: dict[str, Any]) -> str:
        return "append" if values["number"] < len(trace) else END

    builder = StateGraph(state).add_node("append", append).add_edge(START, "append")
    builder.add_conditional_edges("append", after, ["append", END])
    return Run(
        lambda checkpoints: builder.compile(checkpointer=checkpoints.saver),
        {"trace": empty, "number": 0},
        lambda _: {"configurable": {"thread_id": "one"}},
        lambda update: trace[update["number"] - 1],
    )


def text_of(operations: list[Operation]) -> str:
    return "".join(operation.get("text", "") for operation in operations)


# Measuring


@dataclass(frozen=True, slots=True)
class Measured:
    """What a run cost; sizes are shares of its supersteps.

    Attributes:
        mb: Megabytes of rows written, by size.
        files: Megabytes of the files at the end.
        ms: Milliseconds of writing per superstep, by size; at 0 in the beginning.
        read: Milliseconds to read the last state.
        seconds: The whole run.
    """

    mb: dict[float, float]
    files: float
    ms: dict[float, float]
    read: float
    seconds: float


def timed(checkpoints: Checkpoints) -> list[float]:
    """Have the checkpointer note, superstep by superstep, the milliseconds it is waited for."""
    saver, noted, waited = checkpoints.saver, list[float](), 0.0
    put, put_writes = saver.aput, saver.aput_writes

    async def aput_writes(*arguments: Any, **named: Any) -> None:
        nonlocal waited
        began = perf_counter()
        await put_writes(*arguments, **named)
        waited += perf_counter() - began

    async def aput(*arguments: Any, **named: Any) -> Any:
        nonlocal waited
        began = perf_counter()
        config = await put(*arguments, **named)
        noted.append((waited + perf_counter() - began) * 1e3)
        waited = 0.0
        return config

    saver.aput, saver.aput_writes = aput, aput_writes  # type: ignore[method-assign]
    return noted


def written(file: Path) -> list[int]:
    """Bytes of all rows by the end of each superstep."""
    sizes: dict[str, int] = {}
    with closing(sqlite3.connect(file)) as connection:
        for checkpoint, size in connection.execute(ROWS):
            sizes[checkpoint] = sizes.get(checkpoint, 0) + size
    return list(accumulate(sizes[checkpoint] for checkpoint in sorted(sizes)))


async def play(run: Run, checkpoints: Checkpoints) -> tuple[list[list[Operation]], float]:
    """(what each superstep appended to the trace, seconds)."""
    began = perf_counter()
    updates = run.graph(checkpoints).astream(
        run.start,
        run.config(checkpoints) | {"recursion_limit": 100_000},
        context=run.context,
        stream_mode="updates",
        durability=run.durability if checkpoints.saver else None,
    )
    trace = [run.added(values) async for update in updates for values in update.values()]
    return trace, perf_counter() - began


async def measure(run: Run) -> Measured:
    """Run on a thread in a file of its own."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "threads.sqlite"
        async with open_checkpoints(file) as checkpoints:
            await checkpoints.saver.conn.execute(run.pragma)  # type: ignore[attr-defined]
            noted = timed(checkpoints)
            _, seconds = await play(run, checkpoints)
            files = sum(map(getsize, (file, f"{file}-wal")))
        async with open_checkpoints(file) as checkpoints:
            began = perf_counter()
            await run.graph(checkpoints).aget_state({"configurable": {"thread_id": "one"}})
            read = perf_counter() - began
        total = written(file)
    last = len(total) - 1  # with durability="exit" there are no supersteps before it
    reached = {size: round(size * last) for size in SIZES if last >= WINDOW or size == 1}
    mb = {size: total[at] / 1e6 for size, at in reached.items()}
    ms = {}
    if run.durability == "sync":  # else nobody waits
        pairs = [sum(pair) / 2 for pair in pairwise(noted)]  # solve writes much, refine little
        ms = {size: median(pairs[:at][-WINDOW:]) for size, at in reached.items()}
        ms[0] = median(pairs[2 : WINDOW + 2])  # the first two take the input and parse it
    return Measured(mb, files / 1e6, ms, read * 1e3, seconds)


OURS = "as shipped"
"""The row that the goals are about."""


async def table(supersteps: int) -> tuple[float, float, dict[str, Measured]]:
    """(megabytes of text, seconds of the run without checkpoints, rows)."""
    ours = interwhen(supersteps)
    with tempfile.TemporaryDirectory() as folder:
        nowhere: Any = None
        trace, bare = await play(ours, Checkpoints("nowhere", nowhere, Path(folder)))
    alone = partial(channel, empty=[], trace=trace, put=lambda _, added: added)
    shipped = get_type_hints(RunState, include_extras=True)["operations"]
    runs = {
        OURS: ours,
        "every line a step": interwhen(supersteps, step),
        "synchronous=FULL": replace(ours, pragma="PRAGMA synchronous=FULL"),
        "durability=async": replace(ours, durability="async"),
        "durability=exit": replace(ours, durability="exit"),
        "trace alone, as shipped": alone(shipped),
        "trace alone, snapshot every 100th": alone(Annotated[list, DeltaChannel(extend)]),
        "trace alone, list + operator.add": alone(Annotated[list, operator.add]),
        "trace alone, one string": channel(str, "", trace, lambda old, new: old + text_of(new)),
    }
    rows = {}
    for number, (name, run) in enumerate(runs.items()):
        progress(f"{number}/{len(runs)}")
        rows[name] = await measure(run)
    return sum(len(text_of(added)) for added in trace) / 1e6, bare, rows


# Printing, checking


def show(text: float, bare: float, rows: dict[str, Measured]) -> None:
    """One plain table, and how the rows compare."""
    print(f"{'':34}{'megabytes of rows at':>28}{'':7}{'ms per superstep at':>27}")
    sizes = [f"{size * text:.2f}" for size in SIZES]
    print(
        f"{'megabytes of text':34}" + "".join(f"{c:>7}" for c in [*sizes, "files", "start"]), end=""
    )
    print("".join(f"{c:>7}" for c in [*sizes, "read", "run s"]))
    for name, row in rows.items():
        mb = [f"{row.mb[size]:.2f}" if size in row.mb else "" for size in SIZES]
        ms = [f"{row.ms[size]:.1f}" if size in row.ms else "" for size in (0, *SIZES)]
        cells = [*mb, f"{row.files:.1f}", *ms, f"{row.read:.0f}", f"{row.seconds:.1f}"]
        print(f"{name:34}" + "".join(f"{cell:>7}" for cell in cells))
    print(f"without checkpoints the run takes {bare:.1f} s")
    mine = rows["trace alone, as shipped"].mb[1]
    for name, row in rows.items():
        if name.startswith("trace alone") and row.mb[1] != mine:
            print(f"{name} : as shipped = {row.mb[1] / mine:.1f}")


def goals(text: float, ours: Measured) -> bool:
    """Print whether each goal is met."""
    growth, cost = ours.mb[1] / ours.mb[0.5], ours.ms[1] / ours.ms[0]
    met = [
        goal(
            f"{ours.mb[1]:.1f} MB written for {text:.2f} MB of trace (goal: < 10 MB per MB)",
            ours.mb[1] < 10 * text,
        ),
        goal(f"{growth:.2f}x the bytes for twice the trace (goal: <= 2.3x)", growth <= 2.3),
        goal(
            f"writing a superstep takes {ours.ms[1]:.1f} ms at the end, {ours.ms[0]:.1f} ms in "
            "the beginning (goal: <= 2x)",
            cost <= 2,
        ),
    ]
    return all(met)


def main() -> int:
    given = options(__doc__, check=True, supersteps=200).parse_args()
    text, bare, rows = asyncio.run(table(given.supersteps))
    show(text, bare, rows)
    return 0 if goals(text, rows[OURS]) or given.no_check else 1


if __name__ == "__main__":
    sys.exit(main())
