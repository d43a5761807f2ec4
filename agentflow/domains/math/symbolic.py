"""What exact fractions cannot work out, through SymPy in the sandbox: one call for many claims.

Expressions travel as trees in JSON, so that nothing is parsed or evaluated as code, there or here.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from agentflow.domains.math.claims import Claim, Judged, Value, is_open, judge, sides
from agentflow.domains.math.expressions import Tree
from agentflow.domains.spelling import shortened
from agentflow.tools.toolbox import Toolbox

PROGRAM = r"""
import signal
import sympy as sp

TRIGONOMETRIC = {"sin", "cos", "tan", "cot", "sec", "csc"}
FUNCTIONS = {name: getattr(sp, name) for name in (*TRIGONOMETRIC, "sinh", "cosh", "tanh", "exp")}
FUNCTIONS |= {"arcsin": sp.asin, "arccos": sp.acos, "arctan": sp.atan, "ln": sp.log}
FUNCTIONS |= {"sqrt": sp.sqrt, "binom": sp.binomial, "neg": lambda a: -a}
FUNCTIONS |= {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b}
FUNCTIONS |= {"/": lambda a, b: a / b, "^": lambda a, b: sp.Pow(a, b, evaluate=False)}
FUNCTIONS |= {"root": lambda a, n: sp.real_root(a, n), "log": lambda a, b: sp.log(a) / sp.log(b)}
FUNCTIONS |= {"!": lambda a: sp.factorial(a, evaluate=False)}


def build(tree, angle=False):
    if isinstance(tree, str):
        return sp.Rational(tree)
    operation, *parts = tree
    if operation == "name":
        return sp.pi if parts[0] == "pi" else sp.Symbol(parts[0])
    if operation == "degree":
        return build(parts[0]) * (sp.pi / 180 if angle else 1)
    angle = operation in TRIGONOMETRIC or (angle and operation in "+-*/neg")
    return FUNCTIONS[operation](*(build(part, angle) for part in parts))


def number(tree):
    value = build(tree).evalf(50)
    return str(value) if value.is_Float or value.is_Rational else None


def identical(left, right):
    difference = build(left).doit() - build(right).doit()
    if difference.count_ops() > 300:
        return None
    return sp.expand(difference) == 0 or sp.simplify(difference) == 0 or None


def timed(function, *arguments):
    signal.setitimer(signal.ITIMER_PROF, 1.0)
    try:
        return function(*arguments)
    except Exception:
        return None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def ring(signum, frame):
    raise ValueError("too long")


signal.signal(signal.SIGPROF, ring)
ans = []
for claim in data:
    if claim["open"]:
        ans.append(timed(identical, *claim["sides"][0]))
    else:
        ans.append([[timed(number, side) for side in pair] for pair in claim["sides"]])
"""


async def judge_all(toolbox: Toolbox, claims: Sequence[Claim]) -> list[Judged]:
    """Judge claims in one call of the tool ``python``; nobody can tell those that it fails on.

    Where it gave no values, the reason of all that were open is what it said.
    """
    if not claims:
        return []
    data = [
        {
            "open": is_open(claim),
            "sides": [[_json(one.left), _json(one.right)] for one in sides(claim)],
        }
        for claim in claims
    ]
    use = await toolbox.use("python", code=PROGRAM, data=data)
    found = use.fields.get("value")
    if not isinstance(found, list) or len(found) != len(claims):
        said = shortened(" ".join(use.content.split()), 200)
        return [Judged(None, f"not calculated: {use.tool}: {said}")] * len(claims)
    return [_judged(claim, value) for claim, value in zip(claims, found, strict=True)]


def _judged(claim: Claim, found: Any) -> Judged:
    if is_open(claim):
        return Judged(True if found is True else None)
    try:
        return judge(claim, [(_fraction(left), _fraction(right)) for left, right in found])
    except (TypeError, ValueError):
        return Judged(None)


def _fraction(text: str | None) -> Value:
    return None if text is None else Fraction(text)


def _json(tree: Tree) -> Any:
    if isinstance(tree, Fraction):
        return str(tree)
    if isinstance(tree, str):
        return ["name", tree]
    return [tree[0], *map(_json, tree[1:])]
