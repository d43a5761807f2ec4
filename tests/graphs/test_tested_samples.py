"""Programs that agree on tests which a model writes: dual execution agreement (CodeT)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import agentflow
from agentflow.channels import Sample
from agentflow.domains import Domain
from agentflow.domains.python import Python
from agentflow.domains.python.source import is_test
from agentflow.errors import BadInput, ModelUnavailable
from agentflow.models import ScriptedModel
from agentflow.nodes.tested import agreement

STUB = '''def larger(a: int, b: int) -> int:
    """The larger of two numbers."""
'''
RIGHT = "def larger(a, b):\n    return a if a > b else b"
AGAIN = "def larger(a, b):\n    return max(a, b)"
FIRST = "def larger(a, b):\n    return a"
TESTS = ["assert larger(1, 2) == 2", "assert larger(2, 1) == 2", "assert larger(-1, -1) == -1"]


def solved(
    programs: Sequence[str], written: Any, problem: str = STUB, **values: Any
) -> tuple[agentflow.Result, list[str]]:
    """The program that is chosen, and the prompts for tests."""
    left, asked = iter(programs), list[str]()

    def reply(prompt: str) -> str:
        if "Your part is to write tests" in prompt:
            asked.append(prompt)
            if isinstance(written, Exception):
                raise written
            return written if isinstance(written, str) else json.dumps({"tests": written})
        return f"so</think>\n```python\n{next(left)}\n```"

    result = agentflow.solve(
        problem,
        "sampling",
        model=ScriptedModel(reply),
        domain="python",
        k=len(programs),
        choose="tests",
        critic="none",
        **values,
    )
    return result, asked


def test_programs_that_agree_outvote_one_that_passes_less() -> None:
    result, asked = solved([FIRST, RIGHT, AGAIN], TESTS)
    assert result.answer is not None
    assert "if a > b" in result.answer
    assert "one of 2 samples that pass the same 3 of 3 tests" in result.reason
    assert len(asked) == 1
    assert "The larger of two numbers" in asked[0]
    assert "return a" not in asked[0]  # whoever writes tests sees no program


def test_a_wrong_test_costs_right_programs_less_than_wrong_ones() -> None:
    result, _ = solved([FIRST, RIGHT, AGAIN], [*TESTS, "assert larger(3, 4) == 3"])
    assert result.answer is not None
    assert "if a > b" in result.answer
    assert "3 of 4 tests" in result.reason


def test_a_program_that_the_problems_own_tests_refute_is_not_chosen() -> None:
    shown = STUB.replace('numbers."""', 'numbers.\n\n    >>> larger(1, 5)\n    5\n    """')
    result, _ = solved([FIRST, FIRST, FIRST, RIGHT], ["assert larger(2, 1) == 2"], shown)
    assert result.answer is not None
    assert "if a > b" in result.answer


def test_what_does_not_call_the_function_is_no_test() -> None:
    result, _ = solved([FIRST, RIGHT], ["assert True", "assert larger(1, 2) == 2", "assert ("])
    assert result.answer is not None
    assert "if a > b" in result.answer
    assert "1 of 3 tests" in result.reason


@pytest.mark.parametrize(
    "written", ["no tests here", [], ["assert larger(1, 2) == 7"], ModelUnavailable("gone")]
)
def test_where_no_test_tells_the_majority_answers(written: Any) -> None:
    result, _ = solved([FIRST, RIGHT, RIGHT], written)
    assert result.answer is not None
    assert "if a > b" in result.answer
    assert "majority 2 of 3 (none was named: " in result.reason


def test_no_more_tests_are_run_than_were_asked_for() -> None:
    result, _ = solved([RIGHT], TESTS, tests=2)
    assert "2 of 2 tests" in result.reason


def test_a_program_that_cheats_its_own_process_gains_nothing() -> None:
    cheat = "class All(int):\n    __eq__ = lambda self, other: True\n    __hash__ = int.__hash__\n"
    cheat += "def larger(a, b):\n    return All(7)"
    result, _ = solved([cheat, RIGHT], TESTS)
    assert result.answer is not None
    assert "if a > b" in result.answer


@pytest.mark.parametrize(
    ("domain", "problem"),
    [
        ("math", "What is 1 + 1?"),
        (
            "python",
            json.dumps(
                {
                    "question_content": "Print the sum of two numbers.",
                    "starter_code": "",
                    "public_test_cases": json.dumps(
                        [{"input": "1 2", "output": "3", "testtype": "stdin"}]
                    ),
                }
            ),
        ),
    ],
)
def test_an_answer_that_is_no_function_is_refused_before_anything_is_paid(
    domain: str, problem: str
) -> None:
    model = ScriptedModel("so</think>\n2")
    with pytest.raises(BadInput, match="choose=majority"):
        agentflow.solve(problem, "sampling", model=model, domain=domain, choose="tests")
    assert not model.requests


class Told(Python):
    """Each answer says which tests it passes."""

    async def tested(self, problem: Any, answer: str, tests: Sequence[str]) -> list[bool]:
        return [one in answer for one in tests]


def sampled(answers: Sequence[str]) -> list[Sample]:
    rest: dict[str, Any] = {"corrections": 0, "judged": [], "operations": []}
    return [
        Sample(branch, answer, "unverified", "", candidate=None, error="", **rest)
        for branch, answer in enumerate(answers)
    ]


@settings(max_examples=50)
@given(st.lists(st.text("abc", max_size=4), min_size=1, max_size=6))
async def test_the_best_set_is_worth_most(answers: list[str]) -> None:
    domain: Domain = Told()
    best, passed = await agreement(domain, domain.parse(STUB), sampled(answers), "abc")
    sets = [{*answer} for answer in answers]
    assert len(best) * passed == max(sets.count(one) * len(one) for one in sets)
    assert {frozenset(one.answer or "") for one in best} == {frozenset(best[0].answer or "")}
    assert [one.branch for one in best] == sorted(one.branch for one in best)


NO_TESTS = [
    "assert True  # larger",
    "larger(1, 2)",
    "print(larger(1, 2))",
    "# assert larger(1, 2) == 2",
]
NO_TESTS += [
    "assert larger",
    "assert 'larger'",
    "assert larger(1, 2) == 2 or True",
    "pass  # larger",
]
NO_TESTS += ["assert larger(1, 2) == larger(1, 2)", "larger = max; assert larger(1, 2) == 2"]
NO_TESTS += [
    "assert (larger(1, 2) == 3, 'm')",
    "assert [larger(1, 2) == 3]",
    "if 0: assert larger(1, 2)",
]
NO_TESTS += [
    "def larger(a, b): return b\nassert larger(1, 2) == 2",
    "assert lambda: larger(1, 2) == 3",
]
REAL = [
    "assert larger(1, 2) == 2",
    "assert larger(3, 2) == 3, 'the first'",
    "assert not larger(0, 0)",
]
REAL += ["assert larger(2, 1) == larger(1, 2)", "assert abs(larger(1.5, 1) - 1.5) < 1e-9"]


@pytest.mark.parametrize("test", NO_TESTS)
def test_what_asserts_nothing_of_the_function_is_no_test(test: str) -> None:
    assert not is_test(test, "larger")


@pytest.mark.parametrize("test", REAL)
def test_what_asserts_something_of_it_is_one(test: str) -> None:
    assert is_test(test, "larger")


def test_no_test_is_passed_that_asserts_nothing() -> None:
    result, _ = solved([FIRST, RIGHT], ["assert True  # larger", "assert larger(1, 2) == 2"])
    assert result.answer is not None
    assert "if a > b" in result.answer
    assert "the same 1 of 2 tests" in result.reason
