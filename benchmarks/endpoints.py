"""Every method on every endpoint: does it work, in a weaker form, or is it refused, as documented?

    python benchmarks/endpoints.py                          # the whole table, some minutes
    python benchmarks/endpoints.py --methods interwhen --endpoints openai,gemini
    python benchmarks/endpoints.py --faults                 # what befalls a stream, instead

The endpoints are stand-ins on this machine (``tests/servers``) that validate requests as the real
APIs do and count what they serve. Prints a table of method and endpoint, and exits 1 where a cell
is not what ``docs/endpoints.md`` says of it, a request of ours was refused, a run ended without a
status, or tokens or money are not what the stand-in counted.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import agentflow
from agentflow import graphs, models
from agentflow.api import ajudge
from agentflow.errors import AgentflowError, MissingCapability
from agentflow.ledger import Entries, total
from agentflow.run import Status

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests" / "servers"))

from brain import PUZZLE  # noqa: E402
from raw import Raw, standing_raw  # noqa: E402
from standin import KEY, RULES, Standin, described, standing  # noqa: E402

DOCUMENTED = ROOT / "docs" / "endpoints.md"
PRICE = {"*": {"prompt": 1.0, "generated": 2.0}}
LANGCHAIN = {
    "lc openai": ("openai", {}),
    "lc openai responses": ("openai-reasoning", {"use_responses_api": True}),
}
"""LangChain's model on a stand-in: (its rules, options of the class)."""
RAW = {"vllm raw": "vllm", "llamacpp raw": "llamacpp"}
"""Raw completions, by the engine."""
FAULTS = (
    *("reset", "stall", "truncated", "429", "500", "wrong json", "error event", "content_filter"),
    "no call",
)
SOLUTION = ["15 + 27 = 42", "The answer is 42."]


@dataclass(frozen=True, slots=True)
class Cell:
    """What came of one method on one endpoint.

    Attributes:
        kind: ``works``, ``weaker``, ``refused`` or ``broken``.
        why: What is lacking, or what is wrong.
        calls: Requests that were answered.
    """

    kind: str
    why: str = ""
    calls: int = 0


def settings(method: str) -> dict[str, Any]:
    """Settings of a method or a verifier, so that a run takes a few requests."""
    replies = {"k": 2, "fast_tokens": 256, "slow_tokens": 256}
    agent = {"rounds": 2}
    one: dict[str, dict[str, Any]] = {
        "flexive": replies,
        "verifiagent": agent,
        "adaptive_compute": {"iterations": 1, "candidates": 2},
        "early_exit": {"check": "line"},
        "active_retrieval": {"lookups": 2, "tools": {"search": "off"}},
        "adaptive_branching": replies | agent | {"n": 2},
        "generate_test": replies | agent | {"n": 2},
        "interwhen": {"max_corrections": 2},
        "learning_from_peers": {"n": 2, "every": 20},
        "sampling": {"k": 2},
        "solve_detect_verify": replies | {"iterations": 2},
        "speculative_reasoning": {"critic": "utility"},
        "tree_of_thoughts": {"depth": 2},
        "unified": replies | agent | {"n": 2},
        "verified_sampling": replies | agent | {"n": 2, "verifier": "verifiagent"},
    }
    limits = {"solver_tokens": 400} if method not in graphs.VERIFIERS else {}
    return {"prices": PRICE, "retries": 1, "idle_timeout": 30.0} | limits | one.get(method, {})


def endpoints() -> list[str]:
    """Every endpoint's name."""
    return [*RAW, *RULES, *LANGCHAIN]


@asynccontextmanager
async def endpoint(
    name: str, faults: Sequence[str | None] = ()
) -> AsyncIterator[tuple[Standin | Raw, dict[str, Any]]]:
    """The stand-in, and how a run is told of it."""
    if name in RAW:
        async with standing_raw(RAW[name]) as raw:
            try:
                yield raw, {"model": raw.url}
            finally:
                await models.close_all()
        return
    rules, options = LANGCHAIN.get(name, (name, {}))
    async with standing(rules, faults=list(faults)) as standin:
        given: dict[str, Any] = {}
        if name in LANGCHAIN:
            from langchain_openai import ChatOpenAI

            model = standin.rules.model
            # A busy machine takes longer to connect than the client's own five seconds.
            options = {"timeout": 600, "max_retries": 0, **options}
            chat = ChatOpenAI(model=model, base_url=standin.url, api_key=KEY, **options)
            given["model"] = chat
        else:
            server = described(standin)
            given["roles"] = dict.fromkeys(("solver", "verifier", "planner", "proxy"), server)
        try:
            yield standin, given
        finally:
            await models.close_all()


METHODS = [name for name in (*graphs.METHODS, *graphs.VERIFIERS) if name != "prm"]
"""Methods and verifiers that a model of texts can run: a reward model is none."""


async def run(name: str, method: str) -> Cell:
    """One cell of the table."""
    async with endpoint(name) as (standin, given):
        try:
            events, entries, status = await _ask(method, given)
        except MissingCapability as error:
            if standin.bodies:
                return Cell("broken", f"refused after {len(standin.bodies)} requests: {error}")
            return Cell("refused", str(error))
        except AgentflowError as error:
            return Cell("broken", f"{type(error).__name__}: {error}")
        except Exception as error:
            return Cell("broken", f"a bug: {type(error).__name__}: {error}")
        faults = [*_faults(standin, entries, status)]
        if faults:
            return Cell("broken", "; ".join(faults))
        lacking = dict.fromkeys(event["lacking"] for event in events if event["type"] == "weaker")
        kind = "weaker" if lacking else "works"
        return Cell(kind, ", ".join(lacking), len(standin.counts))


async def _ask(method: str, given: dict[str, Any]) -> tuple[list[Any], Entries, str]:
    """(events, ledger, status) of a run."""
    if method in graphs.VERIFIERS:
        problem = {"text": "What is 15 + 27?"}
        verdict, entries = await ajudge(
            problem, SOLUTION, method, domain="math", **given, **settings(method)
        )
        return [], entries, {True: "verified", False: "abstained", None: "unverified"}[verdict.ok]
    result = await agentflow.asolve(PUZZLE, method, **given, **settings(method))
    return result.events, result.ledger, result.status


def _faults(standin: Standin | Raw, entries: Entries, status: str) -> Iterator[str]:
    """What is wrong with a run."""
    if status not in get_args(Status):
        yield f"no status: {status!r}"
    if standin.refused and not (isinstance(standin, Standin) and standin.rules.name == "unknown"):
        yield f"{len(standin.refused)} requests refused: {standin.refused[0]}"
    asked = [one for one in entries.values() if one["calls"] and not one["role"].startswith("tool")]
    counted = Counter((one.prompt, one.generated) for one in standin.counts)
    sure = Counter((one["prompt"], one["generated"]) for one in asked if not one["estimated"])
    over = sure - counted
    closed = {one for one in over if isinstance(standin, Raw) and _part_of(one, counted)}
    if over.keys() - closed:
        yield f"tokens that nobody served: {dict(over)}"
    if sum(one["calls"] for one in asked) != len(standin.counts):
        yield f"{len(standin.counts)} requests, and {len(asked)} in the ledger"
    if not closed and not any(one["estimated"] for one in asked):
        cost = total(entries)
        served = (standin.prompt, standin.generated)
        if (cost.prompt, cost.generated) != served:
            yield f"tokens {cost.prompt, cost.generated}, and served {served}"
        money = (served[0] + 2 * served[1]) / 1e6
        if abs(cost.cost - money) > 1e-12:
            yield f"dollars {cost.cost}, and served {money}"


def _part_of(entry: tuple[int, int], counted: Counter[tuple[int, int]]) -> bool:
    """Whether a request with this prompt was served more: what it wrote into a stream that was
    closed meanwhile, nobody received."""
    return any(prompt == entry[0] and served > entry[1] for prompt, served in counted)


async def befall(name: str, method: str, fault: str) -> Cell:
    """What comes of a run on a thread whose first request meets a fault, and which is resumed."""
    with tempfile.TemporaryDirectory() as folder:
        async with endpoint(name, [fault]) as (_, given):
            more = settings(method) | {"idle_timeout": 1.0, "retries": 1}
            place: dict[str, Any] = {"thread": "one", "checkpoints": Path(folder) / "threads.db"}
            try:
                result = await agentflow.asolve(PUZZLE, method, **given, **more, **place)
                cell = Cell(result.status, result.error)
            except AgentflowError as error:
                try:
                    again = {key: given[key] for key in given if key == "model"}
                    result = await agentflow.aresume(
                        "one", checkpoints=place["checkpoints"], **again
                    )
                    cell = Cell(f"{result.status} (resumed)", str(error))
                except AgentflowError as second:
                    cell = Cell(f"stated: {type(second).__name__}", str(second))
            except Exception as error:
                return Cell("broken", f"a bug: {type(error).__name__}: {error}")
        written = await asyncio.to_thread(_written, Path(folder))
        if KEY.encode() in written or KEY in cell.why:
            return Cell("broken", "a key stands in what the run wrote")
        return cell


def _written(folder: Path) -> bytes:
    """All that stands in a folder."""
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


def documented() -> dict[str, tuple[str, str, str]]:
    """By method, as the documentation's table has it: the kind for raw completions, for a chat with
    log-probabilities, and for one without.

    Raises:
        ValueError: If there is no such table.
    """
    rows = re.findall(r"^\| `(\w+)` \|([^|]*)\|([^|]*)\|([^|]*)\|$", DOCUMENTED.read_text(), re.M)
    if not rows:
        raise ValueError(f"{DOCUMENTED} has no table of methods")
    return {name: (_kind(one), _kind(two), _kind(three)) for name, one, two, three in rows}


def _kind(cell: str) -> str:
    return re.split(r"[:,]", cell)[0].strip()


def expected(name: str, method: str) -> str:
    """What the documentation says of a cell."""
    if name in RAW:
        return documented()[method][0]
    rules = RULES[LANGCHAIN.get(name, (name, {}))[0]]
    return documented()[method][1 if rules.logprobs > 0 else 2]


def table(rows: Sequence[str], columns: Sequence[str], cells: dict[tuple[str, str], Cell]) -> str:
    """The cells as Markdown."""
    lines = [f"| | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]
    for row in rows:
        found = [cells[row, column] for column in columns]
        lines.append(f"| {row} | {' | '.join(one.kind for one in found)} |")
    return "\n".join(lines)


async def main(given: argparse.Namespace) -> int:
    """Print the table; the exit code."""
    os.environ["STANDIN_KEY"] = KEY
    every = [*RULES, *LANGCHAIN] if given.faults else endpoints()
    names = given.endpoints.split(",") if given.endpoints else every
    methods = given.methods.split(",") if given.methods else METHODS
    cells: dict[tuple[str, str], Cell] = {}
    wrong: list[str] = []
    for name in names:
        for row in FAULTS if given.faults else methods:
            if given.faults:
                cell = cells[row, name] = await befall(name, given.on, row)
                bad = cell.kind.split()[0] not in ("verified", "exhausted", "stated:")
            else:
                cell = cells[row, name] = await run(name, row)
                bad = cell.kind != expected(name, row)
            if bad:
                wrong.append(f"{row} on {name}: {cell.kind}: {cell.why}")
                print(wrong[-1], file=sys.stderr, flush=True)
    print(table(FAULTS if given.faults else methods, names, cells))
    reasons = Counter((cell.kind, cell.why) for cell in cells.values() if cell.why)
    if not given.faults:
        print()
        for (kind, why), count in sorted(reasons.items()):
            print(f"- {kind} ({count}): {why}")
    calls = sum(cell.calls for cell in cells.values())
    print(f"\n{len(cells)} cells, {calls} requests answered, {len(wrong)} not as documented")
    return 1 if wrong else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--methods", help="with commas; all by default")
    parser.add_argument("--endpoints", help="with commas; all by default")
    parser.add_argument("--faults", action="store_true", help="what befalls a stream")
    parser.add_argument("--on", default="direct", help="the method that faults befall")
    sys.exit(asyncio.run(main(parser.parse_args())))
