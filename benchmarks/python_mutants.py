"""References of HumanEval or MBPP, and mutants of them, through the domain `python`.

    python benchmarks/python_mutants.py HumanEval.jsonl.gz [--mutants 14] [--threads 3] [--prove 2]

Every reference has to be accepted. A mutant changes one place of a reference: a comparison, an
operator, a number, a condition, a returned value, the end of a slice (what mutmut and cosmic-ray
do). Counted is who catches it: the docstring's examples, the tests, Hypothesis (inputs by the type
hints, compared with the reference), and CrossHair, where code and hints are of the part of Python
that it is given; `--prove` mutants a problem are given to it. Some mutants do what the reference
does. One that is `verified` and differs from the reference on any of 2,000 further inputs is wrong:
the exit is then 1, as it is where a reference is refuted.
"""

from __future__ import annotations

import argparse
import ast
import copy
import gzip
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from agentflow.domains.protocol import ACCEPTED
from agentflow.domains.python import _judged, proof, properties, running
from agentflow.domains.python.task import Task, of_row
from agentflow.tools.sandbox import Limits

COMPARED = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
SWAPPED = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv, ast.Pow: ast.Mult,
}  # fmt: skip


def mutants(code: str) -> Iterator[str]:
    """Every program that differs from ``code`` in one place, each once."""
    tree, seen = ast.parse(code), {ast.unparse(ast.parse(code))}
    for place, _ in enumerate(ast.walk(tree)):
        for how in range(3):
            other = copy.deepcopy(tree)
            node = [*ast.walk(other)][place]
            if changed(node, how):
                text = ast.unparse(ast.fix_missing_locations(other))
                if text not in seen:
                    seen.add(text)
                    yield text


def changed(node: ast.AST, how: int) -> bool:
    """Change a node in the way of a number; False if there is no such way."""
    match node, how:
        case ast.Compare(ops=[operator]), 0 if type(operator) in COMPARED:
            node.ops = [COMPARED[type(operator)]()]
        case ((ast.BinOp(op=operator) | ast.AugAssign(op=operator)), 0) if (
            type(operator) in SWAPPED
        ):
            node.op = SWAPPED[type(operator)]()
        case ast.BoolOp(), 0:
            node.op = ast.And() if isinstance(node.op, ast.Or) else ast.Or()
        case ast.Constant(value=bool(value)), 0:
            node.value = not value
        case ast.Constant(value=int(value)), (0 | 1) if not isinstance(value, bool):
            node.value = value + 1 - 2 * how
        case ((ast.If() | ast.While() | ast.IfExp()), 1):
            node.test = ast.UnaryOp(ast.Not(), node.test)
        case ast.Return(value=ast.expr()), 2:
            node.value = ast.Constant(None)
        case ast.Slice(upper=ast.expr() as upper), 1:
            node.upper = ast.BinOp(upper, ast.Sub(), ast.Constant(1))
        case ast.Break(), 0:
            node.__class__ = ast.Continue  # type: ignore[assignment]
        case _:
            return False
    return True


@dataclass(frozen=True)
class Case:
    id: str
    task: Task
    reference: str
    code: str


def cases(path: Path) -> Iterator[tuple[Case, str]]:
    """(a case, why it cannot be used) of each row."""
    read = gzip.open if path.suffix == ".gz" else open
    with read(path, "rt", encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            if "canonical_solution" in row:
                reference = row["prompt"] + row["canonical_solution"]
            else:
                reference = row["code"]
            try:
                task = of_row(row)
            except (ValueError, KeyError) as error:
                yield Case(str(row["task_id"]), Task("", ""), reference, reference), str(error)
            else:
                yield Case(str(row["task_id"]), task, reference, reference), ""


def caught(case: Case, prove: bool) -> dict[str, bool | None]:
    """Who catches a program: True, False; None where it was not tried or cannot be told."""
    task = case.task
    found: dict[str, bool | None] = {}
    if task.examples:
        found["examples"] = running.tried(task, case.code, task.examples).ok
    found["tests"] = running.tried(task, case.code, task.tests).ok
    against = replace(task, reference=case.reference)
    found["Hypothesis"] = properties.counterexample(against, case.code).ok
    if prove:
        found["CrossHair"] = proof.proved(against, case.code).ok
    return {name: None if ok is None else not ok for name, ok in found.items()}


def differs(case: Case) -> bool:
    """Whether a program differs from its reference on any of many further inputs."""
    before, properties.DRAWN = properties.DRAWN, 2_000
    properties._drawn.cache_clear()
    against = replace(case.task, reference=case.reference)
    outcome = properties.counterexample(against, case.code)
    properties.DRAWN = before
    properties._drawn.cache_clear()
    return outcome.ok is False


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--mutants", type=int, default=14, help="The most for each problem.")
    parser.add_argument("--prove", type=int, default=0, help="Mutants a problem for CrossHair.")
    parser.add_argument("--threads", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=4.0, help="More on a busy machine.")
    args = parser.parse_args()
    running.LIMITS = Limits(
        seconds=args.seconds, cpu_seconds=4.0, memory_mib=1024, output_bytes=4 << 20
    )
    listed, references = list[tuple[Case, bool]](), list[Case]()
    for path in args.files:
        for case, why in cases(path):
            if why:
                print(f"{case.id} cannot be read: {why}")
                continue
            references.append(case)
            made = list(mutants(case.reference))
            random.Random(case.id).shuffle(made)
            head = case.task.head or "def f(x):"
            pure = not (proof.pure(case.reference) or proof.hinted(head))
            for at, code in enumerate(made[: args.mutants]):
                listed.append((replace(case, code=code), pure and at < args.prove))
    with ThreadPoolExecutor(args.threads) as pool:
        said = list(pool.map(lambda one: _judged(one.task, one.reference), references))
        judged = list(pool.map(lambda one: caught(*one), listed))
    accepted = sum(one.kind == ACCEPTED or one.ok is True for one in said)
    print(f"references accepted: {accepted} of {len(references)}")
    for case, verdict in zip(references, said, strict=True):
        if verdict.kind != ACCEPTED and verdict.ok is not True:
            print(f"  {case.id}: {verdict.ok} {verdict.kind}: {verdict.reason[:150]}")
    print(
        f"mutants: {len(listed)}\n\n| by | tried | caught | | cannot tell |\n"
        "|---|---:|---:|---:|---:|"
    )
    for name in ("examples", "tests", "Hypothesis", "CrossHair"):
        counts = Counter(one[name] for one in judged if name in one)
        tried = counts.total()
        share = f"{counts[True] / tried:.1%}" if tried else ""
        print(f"| {name} | {tried} | {counts[True]} | {share} | {counts[None]} |")
    some = sum(True in one.values() for one in judged)
    only = sum(one["tests"] is not True and True in one.values() for one in judged)
    limit = sum(True not in one.values() and one["tests"] is None for one in judged)
    print(f"| any | {len(judged)} | {some} | {some / len(judged):.1%} | |")
    print(f"\npassed by the tests and caught by another: {only}; stopped by a limit: {limit}")
    proved = [
        case for (case, _), one in zip(listed, judged, strict=True) if one.get("CrossHair") is False
    ]
    wrong = [
        case
        for case, one in zip(listed, judged, strict=True)
        if one.get("CrossHair") is False and True in one.values()
    ]
    wrong += [(case, True) for case in proved if differs(case)]
    print(f"proved equal to the reference: {len(proved)}; wrong among them: {len(wrong)}")
    refuted = [one for one in said if one.ok is False]
    return bool(wrong or refuted)


if __name__ == "__main__":
    sys.exit(main())
