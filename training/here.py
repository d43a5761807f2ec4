"""Domains whose tools answer in this process, for texts that are made by the million.

What reaches these tools was written by us, never by a model: it needs no sandbox.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import cache
from typing import Any, TypeVar

import z3

from agentflow.domains import Domain, kind
from agentflow.domains.protocol import Memory
from agentflow.problem import Problem
from agentflow.state import State
from agentflow.tools import entailment
from agentflow.tools.quantities import read_number
from agentflow.tools.toolbox import Toolbox, Use
from agentflow.verdict import Verdict

T = TypeVar("T")

_MILLISECONDS = 1_000
_THREAD = ThreadPoolExecutor(max_workers=1, thread_name_prefix="at-once")
_LOOP = asyncio.new_event_loop()
"""Of that thread: a new one for each question takes longer than most answers."""


class Here(Toolbox):
    """Compares numbers with their units, and lets Z3 judge a claim; has no other tool."""

    async def use(self, role: str, **arguments: Any) -> Use:
        if role == "equality":
            one, other = (_measure(arguments[name]) for name in ("answer", "gold"))
            equal = one == other
            return Use(role, role, arguments, "", {"ok": True, "equal": equal})
        if role == "z3":
            outcome = await entailment.in_thread(_outcome, arguments["program"], arguments["claim"])
            return Use(role, role, arguments, "", {"ok": True, "outcome": outcome})
        return Use(role, role, arguments, f"there is no tool {role} here", error=True)


def _measure(text: str) -> tuple[Fraction, str, bool]:
    """The number that a text is, its unit, and whether it is a percentage."""
    number = read_number(text)
    assert number is not None, f"{text!r} is no number"
    return number.value, number.unit, number.percent


@cache
def domain(name: str) -> Domain:
    """The domain called ``name``, with these tools."""
    return kind(name)(Here({}))


def at_once(coroutine: Coroutine[Any, Any, T]) -> T:
    """What a coroutine comes to, whether or not a loop is running here."""
    return _THREAD.submit(_LOOP.run_until_complete, coroutine).result()


def refutation(
    problem: Problem, line: str, memory: Memory, earlier: Sequence[State]
) -> Verdict | None:
    """What a line's domain has against it, after the states of earlier lines; None for nothing.

    Args:
        line: With its end.
    """
    judge = domain(problem.domain)
    for state in judge.extract(problem, line, 0, memory)[1]:
        verdict = at_once(judge.verify_state(problem, state, earlier))
        if verdict.ok is False:
            return verdict
    return None


def _outcome(program: str, claim: str) -> str | None:
    """Whether a program's assertions entail a claim, in the tool's words; in the thread of Z3."""
    solver = z3.Solver(ctx=entailment.context())
    solver.set("timeout", _MILLISECONDS)
    found = []
    for term in (claim, f"(not {claim})"):
        solver.push()
        text = f"{program}\n(assert {term})"
        solver.add(z3.parse_smt2_string(text, ctx=entailment.context()))
        found.append(str(solver.check()))
        solver.pop()
    words = {("sat", "unsat"): "agree", ("unsat", "sat"): "contradict", ("sat", "sat"): "uncertain"}
    return words.get((found[0], found[1]))
