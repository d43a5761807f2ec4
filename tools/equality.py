"""Whether two final answers are equal in mathematics, with math-verify inside the sandbox.

    equality_tool().invoke({"answer": "1/2", "gold": "0.5"})

What text and exact numbers decide is decided at once; the rest is parsed where nothing can be
harmed, all pairs of a call together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import product
from typing import Any

from langchain_core.tools import BaseTool
from pydantic import BaseModel, Field

from agentflow.tools.compared import Outcome, Parts
from agentflow.tools.matching import matched
from agentflow.tools.plain_equality import quick
from agentflow.tools.sandbox import Execution, Limits, Sandbox, SandboxUnavailable, shared
from agentflow.tools.spelling import normal_form
from agentflow.tools.with_artifact import with_artifact

__all__ = ["Outcome", "compare", "equality_tool", "normal_form"]

BATCH = 100
"""Pairs that one call of the sandbox parses."""
SECONDS = 3.0
"""Processor time that one pair may take there."""
MAX_DEPTH = 4
"""Brackets within brackets that are compared part by part."""

_OUTCOMES = {
    "True": Outcome(True, "math_verify"),
    "False": Outcome(False, "math_verify"),
    "Rounded": Outcome(False, "rounded"),
    "Shifted": Outcome(False, "apart by a constant"),
    "None": Outcome(None, "not to be compared"),
    "late": Outcome(None, "took too long"),
}

PROGRAM = r"""
import logging, re, signal, sys
from dataclasses import replace

import sympy as sp
from math_verify import LatexExtractionConfig, parse, verify

logging.disable(logging.CRITICAL)
SECONDS, pairs = data
WORKED_SETS = re.compile(r"\\(?:cap|setminus)(?![a-zA-Z])")
CONFIG = LatexExtractionConfig()
# The parser would drop a last letter (7+3t) or two (5ab) that may be a unit.
CONFIG = replace(CONFIG, normalization_config=replace(CONFIG.normalization_config, units=False))


def ring(signum, frame):
    raise KeyboardInterrupt  # what is an Exception is caught on the way


def read(text):
    found = parse(f"${text}$", [CONFIG], fallback_mode="no_fallback", parsing_timeout=None,
                  raise_on_error=True)
    return found[0] if found else None


def values(*expressions):
    # What expressions come to at three places; e and i are the numbers that they may be.
    names = sorted(set().union(*(one.free_symbols for one in expressions)), key=str)
    for shift in (1, 2, 3):
        at = {name: sp.Rational(7 * shift + 3 * n, 5) for n, name in enumerate(names)}
        at.update({name: {"e": sp.E, "i": sp.I}[str(name)] for name in names if str(name) in "ei"})
        yield [one.subs(at).evalf(30) for one in expressions]


def close(one, other):
    # Whether two expressions that were not shown to be equal have the same values all the same.
    def zero(value):
        return bool(value.is_number) and abs(value) <= sp.Float("1e-12")

    return all(zero(value) for [value] in values(one - other))


def apart(one, other):
    # Whether two numbers differ, though by so little that the verifier takes that for nothing.
    if not (isinstance(one, sp.Expr) and isinstance(other, sp.Expr)):
        return False
    if one.free_symbols or other.free_symbols:
        return False
    one, other = (sp.nsimplify(each, rational=True) for each in (one, other))
    off = (one - other).evalf(15, maxn=1000)
    parts = off.as_real_imag()
    return any(part.is_Float and part != 0 and part._prec > 1 for part in parts)


def renamed(one, other):
    # Whether two expressions are the same but for the name of a whole number.
    mine, theirs = one.free_symbols - other.free_symbols, other.free_symbols - one.free_symbols
    if not len(mine) == len(theirs) == 1 or not all(str(n) in "klmn" for n in mine | theirs):
        return False
    return close(one.subs(mine.pop(), theirs.pop()), other)


def multiples(one, other):
    # Whether one equation is a multiple of the other.
    found = list(values(one.lhs - one.rhs, other.lhs - other.rhs))
    if not all(each.is_number and abs(each) > sp.Float("1e-12") for pair in found for each in pair):
        return False
    return all(abs(one / other - found[0][0] / found[0][1]) < sp.Float("1e-12")
               for one, other in found)


def doubtful(one, other):
    # Whether two answers that were not shown to be equal may be so all the same.
    if isinstance(one, sp.Expr) and isinstance(other, sp.Expr):
        series = (sp.Sum, sp.Product, sp.Integral)  # at places between whole numbers they are wild
        return one.has(*series) or other.has(*series) or close(one, other) or renamed(one, other)
    if isinstance(one, sp.Eq) or isinstance(other, sp.Eq):
        return isinstance(one, sp.Eq) and isinstance(other, sp.Eq) and multiples(one, other)
    truth = sp.logic.boolalg.Boolean  # inequalities; without sets of numbers they raise
    return (isinstance(one, truth) and isinstance(other, truth) and len(one.free_symbols) == 1
            and one.free_symbols == other.free_symbols and one.as_set() == other.as_set())


def one_of_a_name(one, other):
    # Two answers, with one symbol for each name; the parser takes what is beside an i, even one in
    # an index (x_{i}, but not x_i), for no real number, and all else for one.
    kinds = {}
    for symbol in one.free_symbols | other.free_symbols:
        kinds.setdefault(str(symbol), set()).add(symbol)
    twice = {symbol: sp.Symbol(name) for name, found in kinds.items() if len(found) > 1
             for symbol in found}
    return one.xreplace(twice), other.xreplace(twice)


def true_or_false(answer):
    # Whether an answer says something of numbers alone (1<2): two such are not equal for both
    # being true.
    return isinstance(answer, sp.logic.boolalg.Boolean) and not answer.free_symbols


def unsaid(answer):
    # Whether a derivative (dv/dt) comes to nothing: what it is of depends on the variable unsaid.
    return any(not found.expr.has(*found.variables) for found in answer.atoms(sp.Derivative))


def shifted(one, other):
    # Whether two expressions of a variable are the same distance apart wherever it is.
    if not (isinstance(one, sp.Expr) and isinstance(other, sp.Expr)):
        return False
    if not one.free_symbols or one.free_symbols != other.free_symbols:
        return False
    off = [value for [value] in values(one - other)]
    return all(value.is_number and abs(value - off[0]) < sp.Float("1e-12") for value in off)


def rounded(text, value):
    # Whether a text is a number in decimals to which a number without an end may be rounded, as a
    # person does it or a float, whose last places are off.
    found = re.fullmatch(r"-?(\d*)\.(\d{2,})", text)
    if not found or not isinstance(value, sp.Expr) or not value.is_number or value.is_rational:
        return False
    off = abs(value.evalf(30) - sp.Float(text, 30))
    if not off.is_number:
        return False
    float_off = len((found[1] + found[2]).lstrip("0")) >= 15 and off * 10**14 <= abs(value)
    return bool(float_off or 2 * off * 10 ** len(found[2]) <= 1)


def same(one, other):
    texts, one, other = (one, other), read(one), read(other)
    if one is None or other is None or true_or_false(one) or true_or_false(other):
        return None
    one, other = one_of_a_name(one, other)
    if unsaid(one) or unsaid(other):
        return None
    options = dict(timeout_seconds=None, raise_on_error=True, allow_set_relation_comp=True)
    forth, back = verify(one, other, **options), verify(other, one, **options)
    if forth and back:
        if isinstance(one, sp.Eq) and isinstance(other, sp.Eq):  # with no solution all are the same
            return True if one == other or multiples(one, other) else None
        if not apart(one, other):
            return True
        return "Rounded" if rounded(texts[0], other) or rounded(texts[1], one) else False
    if forth or back or doubtful(one, other) or any(map(WORKED_SETS.search, texts)):
        return None
    if rounded(texts[0], other) or rounded(texts[1], one):
        return "Rounded"
    return "Shifted" if shifted(one, other) else False


signal.signal(signal.SIGPROF, ring)
for number, pair in enumerate(pairs):
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        told = same(*pair)
    except KeyboardInterrupt:
        told = "late"
    except Exception:
        told = None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    print(number, told, flush=True)
"""

LIMITS = Limits(seconds=60.0, cpu_seconds=60.0)


def compare(pairs: Sequence[tuple[str, str]], sandbox: Sandbox | None = None) -> list[Outcome]:
    """Compare pairs of answers; the order within a pair makes no difference.

    Args:
        sandbox: Where mathematics is parsed; this process's shared one if None.
    """
    hard = list(dict.fromkeys(leaf for pair in pairs for leaf in _hard(*pair)))
    outcomes = dict(zip(hard, _verify(hard, sandbox), strict=True))
    return [_decide(one, other, outcomes) for one, other in pairs]


def _hard(one: str, other: str, depth: int = 0) -> Iterator[tuple[str, str]]:
    """The pairs that need a parser of mathematics."""
    found = quick(one, other)
    if isinstance(found, tuple):
        yield found
    elif isinstance(found, Parts) and depth < MAX_DEPTH:
        together = zip if found.ordered else product
        for pair in together(found.one, found.other):
            yield from _hard(*pair, depth + 1)


def _decide(
    one: str, other: str, outcomes: Mapping[tuple[str, str], Outcome], depth: int = 0
) -> Outcome:
    found = quick(one, other)
    if isinstance(found, Outcome):
        return found
    if isinstance(found, tuple):
        return outcomes[found]
    if depth == MAX_DEPTH:
        return Outcome(None, "brackets too deep")
    if found.ordered:
        pairs = zip(found.one, found.other, strict=True)
        oks = [_told(_decide(*pair, outcomes, depth + 1)) for pair in pairs]
        return Outcome(False if False in oks else None if None in oks else True, "parts")
    table = [[_told(_decide(a, b, outcomes, depth + 1)) for b in found.other] for a in found.one]
    if found.ordered is None and any(row[n] is not True for n, row in enumerate(table)):
        possible = matched([[cell is not False for cell in row] for row in table])
        return Outcome(None if possible else False, "parts in another order")
    if matched([[cell is True for cell in row] for row in table]):
        return Outcome(True, "parts")
    possible = matched([[cell is not False for cell in row] for row in table])
    return Outcome(None if possible else False, "parts")


def _told(part: Outcome) -> bool | None:
    """What an outcome of a part says of the whole: a rounded value makes it no other."""
    return None if part.how == "rounded" else part.equal


def _verify(pairs: Sequence[tuple[str, str]], sandbox: Sandbox | None) -> list[Outcome]:
    """What math-verify says; a pair that ends the process costs only itself."""
    outcomes: list[Outcome] = []
    while len(outcomes) < len(pairs):
        batch = pairs[len(outcomes) : len(outcomes) + BATCH]
        try:
            execution = (sandbox or shared()).run(
                PROGRAM, data=[SECONDS, [list(pair) for pair in batch]], limits=LIMITS
            )
        except SandboxUnavailable as error:
            return outcomes + [Outcome(None, str(error))] * (len(pairs) - len(outcomes))
        found = [_OUTCOMES.get(line.split()[-1]) for line in execution.stdout.splitlines() if line]
        told = [outcome for outcome in found if outcome is not None][: len(batch)]
        if len(told) < len(batch):
            told.append(Outcome(None, f"stopped: {_why(execution)}"))
        outcomes += told
    return outcomes


def _why(execution: Execution) -> str:
    if execution.limit:
        return f"the limit on {execution.limit} was reached"
    return execution.failure.message if execution.failure else "the process ended"


class EqualityInput(BaseModel):
    """Arguments of the tool `equality`: two answers, or pairs of them."""

    answer: str = Field("", description="A final answer: a number, an expression, a set, a choice.")
    gold: str = Field("", description="The answer to compare it with.")
    pairs: list[tuple[str, str]] | None = Field(
        None, description="Several pairs of answers, compared in one call, instead of the two."
    )


def equality_tool(sandbox: Sandbox | None = None) -> BaseTool:
    """The tool "equality".

    Its artifact is an :class:`Outcome` as a dict; for ``pairs``, ``{"outcomes": [...]}`` with one
    for each.

    Args:
        sandbox: Where mathematics is parsed; this process's shared one if None.
    """

    def run(
        answer: str = "", gold: str = "", pairs: list[tuple[str, str]] | None = None
    ) -> tuple[str, dict[str, Any]]:
        outcomes = compare([(answer, gold)] if pairs is None else pairs, sandbox)
        content = "\n".join(f"{_SAID[one.equal]} ({one.how})" for one in outcomes)
        rows = [asdict(outcome) for outcome in outcomes]
        return content, rows[0] if pairs is None else {"outcomes": rows}

    description = "Whether two final answers are equal in mathematics: numbers, expressions, "
    description += "equations, intervals, sets, tuples, matrices, units, choices."
    return with_artifact(run, "equality", description, EqualityInput)


_SAID = {True: "equal", False: "not equal", None: "cannot tell"}
