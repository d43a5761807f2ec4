"""Game of 24: steps to an expression; a program tries every one."""

from __future__ import annotations

import random
from functools import cache

from agentflow.domains.game24 import judge_answer, judge_state
from agentflow.judge import states
from agentflow.problem import Problem
from agentflow.state import State
from agentflow.verifiers.actions import Call
from training import game24
from training.cases.case import Case, Flaw, Uses, value_of
from training.game24 import DOMAIN, Numbers, puzzles
from training.mistakes import Solution, solution

MOST_LINES = 12

_split = cache(puzzles)

PROGRAM = """\
def solver():
    def search(items):
        if len(items) == 1:
            return items[0][1] if abs(items[0][0] - 24) < 1e-9 else None
        for i in range(len(items)):
            for j in range(len(items)):
                if i != j:
                    (a, x), (b, y) = items[i], items[j]
                    rest = [items[k] for k in range(len(items)) if k not in (i, j)]
                    results = {"+": a + b, "-": a - b, "*": a * b, "/": a / b if b else 1e9}
                    for operator, value in results.items():
                        found = search([*rest, (value, f"( {x} {operator} {y} )")])
                        if found:
                            return found
    return search([(n, str(n)) for n in NUMBERS])
ans = solver()"""


def make(rng: random.Random, flaw: Flaw | None, *, held_out: bool = False) -> Case:
    """One case. A wrong solution has a wrong answer, and the domain says which line is the first
    wrong one."""
    numbers = _split()[held_out]
    while True:
        drawn = rng.choice(numbers)
        case = _case(drawn, solution(rng, drawn, flawed=flaw == "wrong"), rng, flaw)
        if case is not None:
            return case


def _case(numbers: Numbers, said: Solution, rng: random.Random, flaw: Flaw | None) -> Case | None:
    """The case that a solution makes; None where it is none that was wanted, or too long."""
    text = f"{said.thinking}\n\n{said.answer}"
    if flaw == "cut":
        lines = text[: text.index("nswer")].splitlines(keepends=True)[:-1]
        text = "".join(lines[: rng.randint(1, len(lines))]) if lines else ""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    problem = game24.puzzle(numbers)
    wrong, reason, uses = _judged(problem, lines)
    answer = DOMAIN.answer(text)
    answered = answer is not None and judge_answer(problem, DOMAIN.shown(answer)).ok is True
    if not 0 < len(lines) <= MOST_LINES or (wrong >= 0) != (flaw == "wrong"):
        return None
    if answered != (flaw is None):
        return None
    program = PROGRAM.replace("NUMBERS", str(list(numbers)))
    found = value_of(program)
    return Case(
        problem,
        (f"The numbers are {problem.text}", "Each is used once", "The result is 24"),
        "An expression of the numbers that is 24",
        text,
        tuple(lines),
        tuple(uses),
        (Call("python", program, "Try every expression."),),
        (found,),
        complete=flaw != "cut",
        wrong=wrong,
        reason=reason or ("no answer is given" if flaw == "cut" else ""),
        revision="" if flaw is None else f"take {found}",
    )


def _judged(problem: Problem, lines: list[str]) -> tuple[int, str, list[Uses]]:
    """(index of the first wrong line, what is wrong with it, what each line rests on)."""
    wrong, reason, uses = -1, "", list[Uses]()
    right: list[State] = []
    left: dict[tuple[str, ...], int] = {}
    for index, line in enumerate(lines):
        conditions, earlier = tuple[int, ...](), tuple[int, ...]()
        for state in states(DOMAIN, problem, f"{line}\n"):
            if state.kind == "candidate":
                conditions = (1, 2, 3)
            elif "available" in state.data:  # not an equation by the way
                available = tuple(state.data["available"])
                at = left.get(available)
                conditions, earlier = ((), (at,)) if at is not None else ((1, 2), ())
                left[tuple(state.data["remaining"])] = index + 1
            verdict = judge_state(problem, state, right)
            right += [state] if verdict.ok else []
            if wrong < 0 and not verdict.ok:
                wrong, reason = index, verdict.reason
        uses.append(Uses(conditions, earlier))
    return wrong, reason, uses
