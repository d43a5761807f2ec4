"""Programs that state what they are to find."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow.verifiers.programs import numbers_left_out, states_result

PROBLEM = "Ann has 48 eggs and gives half of them away. How many are left?"


def solver(*lines: str) -> str:
    return "\n".join(["def solver():", *(f"    {line}" for line in lines), "ans = solver()"])


@pytest.mark.parametrize(
    "program",
    [
        solver("return 10"),
        solver("return '10'"),
        solver("# as the solution says", "print('Correct')", "return -10"),
        solver("answer = 10", "return answer"),
        solver("answer = result = 10", "return int(result)"),
        solver("return 5 + 5"),
        solver("a = 7", "b = a * 1", "return b + 3"),
        solver("return [10]"),
        solver("if True:", "    return 10", "return 10.0"),
        "ans = 10",
        "ans = str(10)",
        "x = 10\nans = x",
        "def other():\n    return 3\nans = other()",
        "class A:\n    x = 10\nans = A.x",
        "try:\n    ans = undefined\nexcept NameError:\n    ans = 10",
        *(f"ans = {said}" for said in ("max([10])", "sum([7, 3])", "(10,)[0]", "'10'.strip()")),
        *(f"ans = {said}" for said in ("eval('10')", "f'{10}'", "(lambda: 10)()", "len('x' * 10)")),
        "10",
        "print(10)",
    ],
)
def test_stated(program: str) -> None:
    assert states_result("python", program, PROBLEM)


@pytest.mark.parametrize(
    "program",
    [
        solver("eggs = 48", "return eggs // 2"),
        solver("return 48 / 2"),
        solver("n = 1", "while n * n < 48:", "    n += 1", "return n"),
        solver("return sum(range(5))"),
        "class A:\n    eggs = 48\nans = A.eggs // 2",
        "def left(n):\n    return n // 2\nans = left(48)",
        "48 // 2",
        "from fractions import Fraction\nans = Fraction(48, 2)",
        solver("from sympy import symbols, solve", "x = symbols('x')", "return solve(x - 3)"),
        solver("total = 0", "for n in [1, 2]:", "    total = total + n", "return total"),
        "def solver(:",
        "",
        solver("return 1" + " + 1" * 20_000),
        "(" * 5000,
    ],
)
def test_worked_out_or_no_program(program: str) -> None:
    assert not states_result("python", program, PROBLEM)


def test_without_numbers_in_the_problem_operators_are_enough() -> None:
    assert not states_result("python", solver("return 2 * 12"), "Ann has two dozen eggs.")
    assert states_result("python", solver("return 24"), "Ann has two dozen eggs.")


def test_z3_has_to_be_asked() -> None:
    assert states_result("z3", "def main():\n    return 'Agree'\nans = main()", PROBLEM)
    asks = "from z3 import *\ndef main():\n    return str(Solver().check())\nans = main()"
    assert not states_result("z3", asks, PROBLEM)


@given(st.text(max_size=60), st.sampled_from(["python", "z3"]))
def test_any_text_is_looked_at(program: str, tool: str) -> None:
    assert states_result(tool, program, PROBLEM) in (True, False)
    assert states_result(tool, solver(f"return {program}"), PROBLEM) in (True, False)


def test_numbers_in_strings_are_numbers() -> None:
    program = "from fractions import Fraction\ndef solver():\n    return Fraction('19.5') * 2\n"
    assert not states_result("python", program, "What is 19.5 times two?")
    assert states_result("python", program, "What is 7 times two?")


ROOM = "A room is 6 m square; 20 square metres are carpeted. How much is bare?"


@pytest.mark.parametrize(
    "lines",
    [
        ("return 6 * 6",),
        ("side, carpet = 6, 20", "return side ** 2"),
        ("side = 6", "carpet = 20", "area = side * side", "return area"),
    ],
)
def test_a_number_is_left_out(lines: tuple[str, ...]) -> None:
    bound_together = "side, carpet" in lines[0]
    assert numbers_left_out(solver(*lines), ROOM) == (set() if bound_together else {20})


@pytest.mark.parametrize(
    "program",
    [
        solver("side = 6", "return side * side - 20"),
        solver("rest = 6 * 6", "rest -= 20", "return rest"),
        solver("rest = 36", "for n in (6, 20):", "    rest = rest - n", "return rest"),
        solver("n = 6", "while n < 20:", "    n += 1", "return n"),
        solver("parts = [6]", "parts.append(20)", "return sum(parts)"),
        "def carpet():\n    return 20\ndef solver():\n    return 36 - carpet() + 6\nans = solver()",
        "def solver(:",
        "",
    ],
)
def test_no_number_is_left_out(program: str) -> None:
    assert not numbers_left_out(program, ROOM)
    assert not numbers_left_out(program, "How much is bare?")
