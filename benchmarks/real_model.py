"""Every method on a small real model, in math, commonsense and logic: does anything break?

    python benchmarks/real_model.py MODEL.gguf                    # ten problems each
    python benchmarks/real_model.py MODEL.gguf --problems 1 --methods unified,interwhen

A model this small answers little. What counts is that every run ends with a stated status, that its
text has no token of the chat template in it, that it costs what its limits allow, and that what is
called verified is right. Prints a table of method and domain; exits 1 where a run has a fault.
Facts are looked up in a folder beside this file, never in the network.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any, get_args

import agentflow
from agentflow import domains, graphs, models
from agentflow.errors import AgentflowError, MissingCapability
from agentflow.evaluation import datasets
from agentflow.ledger import Entries, by_role, total
from agentflow.problem import Problem
from agentflow.run import Result, Status
from agentflow.trace import Trace

DATA = Path(__file__).parent / "data" / "real_model"
DOMAINS = ("math", "commonsense", "logic")
THINKERS = ("alpha_one", "budget_forcing", "early_exit", "thought_switching")
"""Methods that need a model which thinks apart; others must run."""

TOKENS = 96
"""Generated tokens of a reply, by default."""

STRUCTURED = 2048
"""Tokens that a planner's, a selector's or a judge's reply may have; no setting changes them."""

MARKUP = re.compile(r"<\|\w+\|>")


def settings(method: str, tokens: int) -> dict[str, Any]:
    """The settings of a method or a verifier, so that a problem takes a few hundred tokens."""
    replies = {"fast_tokens": tokens, "slow_tokens": tokens, "k": 2}
    agent = {"act_tokens": tokens, "meta_tokens": tokens, "rounds": 2}
    one: dict[str, dict[str, Any]] = {
        "flexive": replies,
        "verifiagent": agent,
        "adaptive_compute": {
            "iterations": 1,
            "step_tokens": tokens,
            "search_tokens": 2 * tokens,
            "candidates": 2,
        },
        "generate_test": replies | agent | {"n": 2},
        "interwhen": {"max_corrections": 1},
        "sampling": {"k": 2},
        "solve_detect_verify": replies | {"iterations": 2},
        "tree_of_thoughts": {"depth": 2, "thought_tokens": tokens},
        "unified": replies | agent | {"n": 2, "judged_from": 0, "redraws": 1},
        "verified_sampling": replies | agent | {"n": 2, "verifier": "verifiagent"},
    }
    facts = {"search": f"local:{DATA / 'facts'}"}
    every = {"max_tokens": tokens, "idle_timeout": 600.0, "tools": facts}
    return every | one.get(method, {})


@dataclass(frozen=True, slots=True)
class Run:
    """One problem by one method.

    Attributes:
        status: The result's, or ``refused`` where the method said that it cannot run.
        tokens: Generated, of all roles.
        faults: What is wrong with the run; empty if nothing is.
    """

    method: str
    problem: Problem
    status: str
    answer: str | None = None
    tokens: int = 0
    calls: int = 0
    seconds: float = 0.0
    faults: tuple[str, ...] = ()


async def run(model: models.Model, method: str, problem: Problem, tokens: int = TOKENS) -> Run:
    """Solve one problem, and look at what came of it."""
    began = perf_counter()
    given = {"text": problem.text, "id": problem.id, "gold": problem.gold}
    try:
        result = await agentflow.asolve(
            given, method, model=model, domain=problem.domain, **settings(method, tokens)
        )
    except MissingCapability as error:
        faults = () if method in THINKERS else (f"refused: {error}",)
        return Run(method, problem, "refused", faults=faults)
    except Exception as error:
        return Run(method, problem, "none", faults=(_raised(error),))
    faults = [*_faults(result, model, tokens)]
    if result.status == "verified" and not await datasets.right(problem, result.answer):
        faults.append(f"verified a wrong answer: {result.answer!r}")
    about = (method, problem, result.status, result.answer)
    return _run(about, result.cost, perf_counter() - began, faults)


async def judge(
    model: models.Model, verifier: str, problem: Problem, solution: str, tokens: int = TOKENS
) -> Run:
    """Have a verifier look at a solution, and look at what came of it."""
    began = perf_counter()
    try:
        verdict, ledger = await agentflow.ajudge(
            {"text": problem.text, "id": problem.id},
            solution,
            verifier,
            model=model,
            domain=problem.domain,
            **settings(verifier, tokens),
        )
    except Exception as error:
        return Run(verifier, problem, "none", faults=(_raised(error),))
    faults = [*_marked("the verdict", json.dumps(asdict(verdict)), model), *_costs(ledger, tokens)]
    status = {True: "passes", False: "refutes", None: "cannot tell"}[verdict.ok]
    about = (verifier, problem, status, None)
    return _run(about, total(ledger), perf_counter() - began, faults)


def _run(about: tuple[Any, ...], cost: Any, seconds: float, faults: Sequence[str]) -> Run:
    return Run(*about, cost.generated, cost.calls, seconds, tuple(faults))


def _raised(error: Exception) -> str:
    kind = "error" if isinstance(error, AgentflowError) else "a bug"
    return f"{kind}: {type(error).__name__}: {error}"


def _faults(result: Result, model: models.Model, tokens: int) -> Iterator[str]:
    """What is wrong with a result by itself."""
    if result.status not in get_args(Status):
        yield f"no status: {result.status!r}"
    if result.error:
        yield f"went wrong on the way: {result.error}"
    if (result.answer is None) != (result.status in ("abstained", "exhausted")):
        yield f"{result.status} with the answer {result.answer!r}"
    for place, text in _texts(result):
        yield from _marked(place, text, model)
    if not any(entry["generated"] for entry in result.ledger.values()):
        yield "no model was asked for a word"
    yield from _costs(result.ledger, tokens)


def _marked(place: str, text: str, model: models.Model) -> Iterator[str]:
    """The first token of a template in a text."""
    marks = (*model.profile.markers, *model.profile.template.specials)
    found = [mark for mark in marks if mark in text] + MARKUP.findall(text)
    if found:
        yield f"{found[0]} in {place}"


def _costs(ledger: Entries, tokens: int) -> Iterator[str]:
    """What cannot be in a ledger."""
    for role, cost in by_role(ledger).items():
        if role.startswith("tool:"):
            continue
        asked = bool(cost.calls and cost.prompt)
        nothing = not (
            cost.calls or cost.prompt or cost.generated
        )  # the budget left no room to ask
        if not ((asked or nothing) and 0 <= cost.wasted <= cost.generated):
            yield f"an odd cost: {cost}"
        limit = tokens if role == "solver" else max(tokens, STRUCTURED)
        if cost.generated > limit * cost.calls:
            yield f"{role} over its limit: {cost.generated} tokens in {cost.calls} calls"


def _texts(result: Result) -> Iterator[tuple[str, str]]:
    """Every text that a reader of the result is shown, with where it stands."""
    shown = result.as_dict() | {"events": result.events}
    names = ("answer", "candidate", "reason", "judged", "final", "events")
    for where, plain in [("", shown), *(("a sample's ", one) for one in result.samples)]:
        yield f"{where}text", Trace(plain["operations"]).body
        for name in names:
            yield f"{where}{name}", json.dumps(plain.get(name), ensure_ascii=False)


def problems(domain: str, count: int) -> list[Problem]:
    """The first problems of a domain."""
    rows = map(json.loads, (DATA / "problems.jsonl").read_text(encoding="utf-8").splitlines())
    parse = domains.get(domain).parse
    found = [
        replace(parse(r["text"], r["id"]), gold=r["gold"]) for r in rows if r["domain"] == domain
    ]
    return found[:count]


def line(method: str, domain: str, runs: Sequence[Run]) -> str:
    """A row of the table."""
    statuses = ", ".join(f"{name} {n}" for name, n in Counter(r.status for r in runs).items())
    faults = "; ".join(dict.fromkeys(f"{r.problem.id}: {f}" for r in runs for f in r.faults))
    tokens, calls = sum(r.tokens for r in runs), sum(r.calls for r in runs)
    seconds = sum(r.seconds for r in runs)
    costs = f"{tokens:,} | {calls:,} | {seconds:.0f}"
    return f"| `{method}` | {domain} | {statuses} | {costs} | {faults} |"


async def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("model", help="a GGUF file, or a server's URL")
    parser.add_argument("--problems", type=int, default=10, help="of each domain")
    parser.add_argument("--methods", default=",".join(graphs.methods()))
    parser.add_argument("--domains", default=",".join(DOMAINS))
    parser.add_argument("--tokens", type=int, default=TOKENS, help="of a reply")
    options = parser.parse_args()
    model = await models.connect(options.model, idle_timeout=600.0)
    print(f"{model.name}, profile {model.profile.name}, replies of {options.tokens} tokens\n")
    print("| method | domain | statuses | tokens | calls | seconds | faults |")
    print("|---|---|---|---:|---:|---:|---|")
    every: list[Run] = []
    for method in options.methods.split(","):
        for domain in options.domains.split(","):
            given = problems(domain, options.problems)
            runs = [await run(model, method, problem, options.tokens) for problem in given]
            print(line(method, domain, runs), flush=True)
            every += runs
    await models.close_all()
    faults = sum(bool(r.faults) for r in every)
    print(f"\n{len(every)} runs, {faults} with a fault")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
