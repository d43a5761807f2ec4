"""Z3 in this process: outcomes, the facts they rest on, nothing left over from a claim."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest
import z3

from agentflow.tools.entailment import Finding, Theory, context, in_thread, wait


def reals() -> list[Any]:
    return [z3.Real(name, context()) for name in "abcd"]


def ordered() -> Theory:
    a, b, c, _ = reals()
    return Theory([a < b, b < c], "QF_LRA")


def judged(*claims: Callable[[Any, Any, Any, Any], Any]) -> list[Finding]:
    theory = ordered()
    return [theory.judge(claim(*reals())) for claim in claims]


def test_outcomes_and_the_facts_they_rest_on() -> None:
    found = wait(
        judged,
        lambda a, b, c, d: a < c,
        lambda a, b, c, d: b < a,
        lambda a, b, c, d: c < b,
        lambda a, b, c, d: a < d,
    )
    assert found == [
        Finding("entailed", (0, 1)),
        Finding("contradicted", (0,)),
        Finding("contradicted", (1,)),
        Finding("undetermined"),
    ]


def test_a_claim_leaves_nothing_behind() -> None:
    open_, opposite = (lambda a, b, c, d: a < d), (lambda a, b, c, d: a > d)
    assert {one.outcome for one in wait(judged, *[open_, opposite] * 5)} == {"undetermined"}


def test_what_takes_too_long_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def hard() -> Finding:
        x, y, z = (z3.Int(name, context()) for name in "xyz")
        theory = Theory([x > 1, y > 1, z > 1])
        theory._solver.set("timeout", 20)
        return theory.judge(x * x * x + y * y * y != z * z * z)

    assert wait(hard).outcome is None


@pytest.mark.parametrize("facts", [[], [0], [0, 1]])
def test_contradictory_facts(facts: list[int]) -> None:
    def contradiction() -> tuple[int, ...] | None:
        a, b, *_ = reals()
        every = [a < b, b < a]
        return Theory([every[fact] for fact in facts]).contradiction()

    assert wait(contradiction) == ((0, 1) if len(facts) == 2 else None)


def test_the_worlds_that_facts_allow() -> None:
    def worlds(facts: int, most: int) -> Any:
        a, b, c = (z3.Bool(name, context()) for name in "abc")
        theory = Theory([b != c, a == b][:facts], "QF_FD", [z3.Or(a, b), a])
        found = theory.worlds([a, b, c], most)
        assert theory.judge(a) == Finding("entailed")  # nothing is left behind
        return sorted(found[0]), found[1], theory.contradiction()

    both = [(True, False, True), (True, True, False)]
    assert wait(worlds, 1, 3) == (both, True, None)
    assert wait(worlds, 1, 2) == (both, True, None)
    assert wait(worlds, 1, 1)[1] is False
    assert wait(worlds, 2, 2) == (both[1:], True, None)


def test_a_frame_is_never_blamed() -> None:
    def contradiction() -> Any:
        a, b, c = (z3.Bool(name, context()) for name in "abc")
        theory = Theory([b, c], "QF_FD", [a, z3.Not(z3.And(a, c))])
        return theory.worlds([a, b], 2), theory.contradiction()

    assert wait(contradiction) == (([], True), (1,))


async def test_all_of_z3_is_in_one_thread() -> None:
    names = await asyncio.gather(*(in_thread(threading.get_ident) for _ in range(8)))
    assert {*names, wait(threading.get_ident)} == {names[0]} != {threading.get_ident()}


async def test_what_raises_there_raises_here() -> None:
    def fail() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await in_thread(fail)
