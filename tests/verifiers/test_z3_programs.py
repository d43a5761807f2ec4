"""Programs that have Z3 decide, and those that say what comes out by themselves."""

from __future__ import annotations

import ast

import pytest

from agentflow.tools.z3_tool import z3_tool
from agentflow.verifiers.z3_programs import asks_z3

ALL = "from z3 import *\n"
ASKED = 's = Solver()\ns.add(Int("t") == 72)\nans = "Agree" if s.check() == unsat else "Contradict"'
HARD = """s = Solver()
s.set("timeout", 50)
x, y, z = Ints("x y z")
s.add(x > 2, y > 2, z > 2, x*x*x*x*x + y*y*y*y*y == z*z*z*z*z + 72)
"""


@pytest.mark.parametrize(
    "program",
    [
        ASKED,
        "def check(s, claim):\n    return s.check(Not(claim))\nans = str(check(Solver(), True))",
        's = Solver()\nif s.check() == unsat:\n    print("Agree")\nelse:\n    print("Contradict")',
        "def f():\n    if Solver().check() == sat:\n        return 1\n    return 2\nans = f()",
        "from z3 import Not\nans = Solver().check(Not(True)) == unsat",
        "s = Solver()\ns.check()\nans = str(s.model()[x])",
        "def holds(c):\n    s = Solver()\n    s.add(c)\n    return s.check()\n"
        "yes, no = holds(True), holds(False)\nans = 'Agree' if no == unsat else 'Uncertain'",
        "match Solver().check():\n    case found if found == unsat:\n        ans = 'Agree'\n"
        "    case _:\n        ans = 'Contradict'",
        "str(Solver().check())",
    ],
)
def test_z3_is_asked(program: str) -> None:
    assert asks_z3(ast.parse(program))


@pytest.mark.parametrize(
    "program",
    [
        'ans = "Agree"',
        'print("Agree")',
        's = Solver()\ns.check()\nans = "Agree"',
        's = Solver()\ns.check()\nprint("Agree")',
        "def main():\n    Solver().check()\n    return 'Agree'\nans = main()",
        "def f():\n    if Solver().check() == sat:\n        return 1\n    return 1\nans = f()",
        'def check(*x):\n    return unsat\nans = "Agree" if check(72) == unsat else "Contradict"',
        's = Solver()\ns.check()\nsaid = {"x": "Agree"}\nans = said["x"]',
        's = Solver()\ns.check()\nans = "Ag" + "ree"',
        's = Solver()\nr = unsat\ns.check()\nans = "Agree" if r == unsat else "Contradict"',
        "def f():\n    try:\n        Solver().check(it)\n    except Exception:\n        return 1\n"
        "    return 2\nans = f()",
        f"class Mine(Solver):\n    def check(self):\n        return unsat\ns = Mine()\n{ASKED}",
        f'exec("unsat = sat")\n{ASKED}',
        f'globals()["unsat"] = sat\n{ASKED}',
        f"class Solver:\n    def check(self):\n        return unsat\n{ASKED}",
        f"unsat = sat\n{ASKED}",
        f"Solver.check = lambda self: unsat\n{ASKED}",
        f'setattr(Solver, "check", lambda self: unsat)\n{ASKED}',
        f"def Not(x):\n    return False\n{ASKED}",
        f"from mine import Solver\n{ASKED}",
    ],
)
def test_a_program_says_it_by_itself(program: str) -> None:
    assert not asks_z3(ast.parse(program))


def came_to(program: str) -> tuple[str | None, str]:
    call = {"type": "tool_call", "id": "0", "name": "z3", "args": {"program": ALL + program}}
    said = z3_tool().invoke(call)
    return said.artifact["outcome"], said.content


@pytest.mark.parametrize(
    ("program", "why"),
    [
        (f'{HARD}ans = "Contradict" if s.check() == sat else "Agree"', "does not know"),
        (f'{HARD}ans = "Agree" if s.check() != sat else "Contradict"', "does not know"),
        (
            's = Solver()\nt = Int("t")\ns.add(t == 1, t == 2)\n'
            'ans = "Agree" if s.check(t != 72) == unsat else "Contradict"',
            "contradict each other",
        ),
    ],
)
def test_what_z3_cannot_decide_is_neither_of_two_outcomes(program: str, why: str) -> None:
    outcome, content = came_to(program)
    assert outcome is None
    assert why in content


def test_a_program_may_decide_that_itself() -> None:
    unknown = f'{HARD}ans = "unsolvable" if s.check() == unknown else "Agree"'
    assert came_to(unknown)[0] == "unsolvable"
    asked = 's = Solver()\nt = Int("t")\ns.add(t == 72)\nclaim = s.check(t != 72)\n'
    assert came_to(f'{asked}ans = "Agree" if claim == unsat else "Contradict"')[0] == "agree"
