"""What keeps a Z3 program from bearing out whatever it says: its text stands before the program.

From premises that contradict each other everything follows, so ``unsat`` says something of a claim
only if the premises alone can hold. Here each check is noted; where the program ends with what it
says of a claim, the premises of each refuted check are checked alone.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable
from typing import Any, NoReturn

import z3

_UNTOLD = ("", "none", "sat", "unknown", "unsat", "unsolvable")
"""What a program may come to that says nothing of a claim."""
_met: list[set[int]] = []
_refuted: list[tuple[list[Any], list[Any]]] = []
_kept: list[Any] = []  # an expression's number is another one's once it is gone


def watch(kind: Any, decided: bool) -> None:
    """Note what the checks of a kind of solver find.

    Args:
        decided: Whether one that Z3 cannot decide ends the program, which does not speak of that.
    """
    ask: Callable[..., Any] = kind.check

    def check(self: Any, *given: Any) -> Any:
        found = ask(self, *given)
        if decided and found == z3.unknown:
            raise z3.Z3Exception(f"Z3 does not know: {self.reason_unknown()}")
        asserted = list(self.assertions())
        claims = [one for them in given for one in (them if isinstance(them, list) else [them])]
        _kept.extend(asserted + claims)
        if found == z3.sat:
            _met.append({one.get_id() for one in asserted + claims})
        elif found == z3.unsat:
            _refuted.append((asserted, claims))
        return found

    kind.check = check


def settle(value: Any) -> None:
    """Raise where a program has refuted a claim by premises that may contradict each other.

    A number that a model was found for besides is one of a search, of which some steps fail.

    Raises:
        Z3Exception: Saying so.
    """
    plain = not isinstance(value, bool) and (
        isinstance(value, int | float) or str(value).strip().lower() in _UNTOLD
    )
    if plain and (_met or not isinstance(value, int | float)):
        return
    refuted, _refuted[:] = [*_refuted], []
    if not all(_is_apart(*one) for one in refuted):
        raise z3.Z3Exception(
            "the assertions contradict each other whatever the claim says, or it cannot be told "
            "from them; add the claim, or its negation, as the last one"
        )


def _is_apart(asserted: list[Any], claims: list[Any]) -> bool:
    """Whether what is asserted can hold but for the claim: that is what a check is given, else what
    was added last, or the end of an implication that is denied there.

    Where what was added last denies nothing, the claim may be any denial before it.
    """
    told = [*asserted, *claims]
    if not told:
        return True
    *before, last = told
    parts = _parts(last)
    if not before and len(parts) == 1 and z3.is_and(last):
        parts = [one for each in last.children() for one in _parts(each)]
    premises = [*before, *parts[:-1]]
    if any({one.get_id() for one in premises} <= met for met in _met):
        return True
    others = [] if claims or z3.is_not(parts[-1]) else [one for one in before if z3.is_not(one)]
    without = [[one for one in told if one is not other] for other in others]
    return all(map(_may_hold, [premises, *without]))


def _may_hold(premises: list[Any]) -> bool:
    alone = z3.SimpleSolver()
    alone.add(*premises)
    return bool(type(alone).check(alone) == z3.sat)


def _parts(claim: Any) -> list[Any]:
    """The conditions of a denied implication one by one, then what is denied of them; of anything
    else, itself."""
    found = []
    while z3.is_not(claim) and z3.is_implies(claim.arg(0)):
        condition, end = claim.arg(0).children()
        found.append(condition)
        claim = z3.Not(end)
    _kept.extend([*found, claim])
    return [*found, claim]


def begin(decided: bool) -> None:
    """Watch the solvers of a program, and settle what it comes to where it ends itself."""
    watch(z3.Solver, decided)
    watch(z3.Optimize, decided)
    end = sys.exit

    def leave(code: Any = None) -> NoReturn:
        settle(getattr(sys.modules["__main__"], "ans", None))
        end(code)

    for module, name in ((sys, "exit"), (builtins, "exit"), (builtins, "quit")):
        setattr(module, name, leave)
