"""What follows from facts: Z3 in this process, incrementally, for formulas that we built ourselves.

What a model wrote as a program runs in the sandbox (:mod:`agentflow.tools.z3_tool`); here a claim
takes well below a millisecond. Z3's objects may be touched by one thread only: everything that
makes or uses one is called through :func:`in_thread` or :func:`wait`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypeVar

import z3

T = TypeVar("T")
Outcome = Literal["entailed", "contradicted", "undetermined"]

_THREAD = ThreadPoolExecutor(max_workers=1, thread_name_prefix="z3")
_MILLISECONDS = 1_000
"""Time for one check."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What facts say of a claim.

    Attributes:
        outcome: None where Z3 does not know in time.
        facts: Indices of the facts that entail the claim, or contradict it; not always the fewest.
    """

    outcome: Outcome | None
    facts: tuple[int, ...] = ()


class Theory:
    """Facts, asserted once; each claim is checked on top of them and taken back.

    Args:
        facts: Z3 formulas of :func:`context`.
        logic: SMT-LIB's name for theirs; Z3 chooses without one.
        frame: Formulas that hold besides, and are never among the facts that something rests on.
    """

    def __init__(
        self, facts: Sequence[Any], logic: str | None = None, frame: Sequence[Any] = ()
    ) -> None:
        self._solver = z3.SolverFor(logic, ctx=context()) if logic else z3.Solver(ctx=context())
        self._solver.set("timeout", _MILLISECONDS)
        self._solver.add(*frame)
        for index, fact in enumerate(facts):
            self._solver.assert_and_track(fact, f"f{index}")

    def consistent(self) -> bool:
        """Whether the facts are known to go together."""
        return bool(self._solver.check() == z3.sat)

    def contradiction(self) -> tuple[int, ...] | None:
        """Indices of facts that contradict each other; None if none are known to."""
        return self._core() if self._solver.check() == z3.unsat else None

    def judge(self, claim: Any) -> Finding:
        """What the facts, which do not contradict each other, say of a claim."""
        unknown = False
        for formula, outcome in ((z3.Not(claim), "entailed"), (claim, "contradicted")):
            self._solver.push()
            self._solver.add(formula)
            found = self._solver.check()
            core = self._core() if found == z3.unsat else None
            self._solver.pop()
            if core is not None:
                return Finding(outcome, core)  # type: ignore[arg-type]
            unknown = unknown or found != z3.sat
        return Finding(None if unknown else "undetermined")

    def worlds(self, propositions: Sequence[Any], most: int) -> tuple[list[tuple[bool, ...]], bool]:
        """Which of some propositions are true together, in up to ``most`` different ways, and
        whether the facts are known to allow no other."""
        worlds: list[tuple[bool, ...]] = []
        self._solver.push()
        while (found := self._solver.check()) == z3.sat and len(worlds) < most:
            model = self._solver.model()
            world = tuple(z3.is_true(model.eval(one, True)) for one in propositions)
            worlds.append(world)
            self._solver.add(
                z3.Or(*(one != true for one, true in zip(propositions, world, strict=True)))
            )
        self._solver.pop()
        return worlds, found == z3.unsat

    def _core(self) -> tuple[int, ...]:
        names = map(str, self._solver.unsat_core())
        return tuple(sorted(int(name[1:]) for name in names))


@cache
def context() -> Any:
    """The Z3 context of all formulas here."""
    return z3.Context()


async def in_thread(function: Callable[..., T], *arguments: Any) -> T:
    """Call a function that uses Z3; the event loop goes on."""
    return await asyncio.get_running_loop().run_in_executor(_THREAD, function, *arguments)


def wait(function: Callable[..., T], *arguments: Any) -> T:
    """The same where nothing can be awaited."""
    return _THREAD.submit(function, *arguments).result()
