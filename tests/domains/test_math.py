from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentflow.domains.math import Math
from agentflow.domains.math.symbolic import judge_all
from agentflow.errors import BadInput
from agentflow.problem import Problem
from agentflow.state import State
from agentflow.tools.toolbox import Toolbox, Use, build
from agentflow.verdict import Verdict

USED: list[Use] = []
MATH = Math(Toolbox(build(Math.tools), USED.append))
PROBLEM = MATH.parse("Six trays of seven eggs, or apples, for a yuan: what is six times seven?")


def extract(*lines: str) -> list[State]:
    memory: dict[str, Any] = {}
    found, offset = [], 0
    for line in lines:
        memory, states = MATH.extract(PROBLEM, line, offset, memory)
        assert json.loads(json.dumps(memory)) == memory
        found += states
        offset += len(line)
    return found


async def verdict(*lines: str) -> Verdict:
    (state,) = (state for state in extract(*lines) if state.kind == "step")
    return await MATH.verify_state(PROBLEM, state, [])


def test_any_question_is_a_problem() -> None:
    problem = MATH.parse("  How many?\n", "7")
    assert problem == Problem("How many?", "math", "7", data={"question": "How many?"})


@pytest.mark.parametrize("text", ["", " \n", "x" * 100_001])
def test_no_question_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="math: the question"):
        MATH.parse(text)


def test_a_line_without_an_equation_is_no_state() -> None:
    assert extract("There are 3 boxes of 4 eggs.\n", "x = 5\n", "\n", "So it goes on.\n") == []


def test_code_is_no_reasoning() -> None:
    code = ("```python\n", "3 * 4 = 13\n", "\\boxed{5}\n", "```\n")
    assert extract(*code) == []
    assert len(extract(*code, "3 * 4 = 12\n")) == 1


async def test_a_calculation_that_was_not_understood_is_undecided() -> None:
    (state,) = extract("So 17 % 5 = 2 eggs\n")
    assert state == State("step", {"claim": "unread", "text": "So 17 % 5 = 2 eggs"}, 0, 19)
    verdict = await MATH.verify_state(PROBLEM, state, [])
    assert (verdict.ok, verdict.kind) == (None, "unread")


@pytest.mark.parametrize(
    "line",
    ["2 + 2 = 4 < 3\n", "2 + 2 = 4 (and 3 + 3 = 7)\n", "So 2 + 2 = 4, and 7 choose 2 = 20\n"],
)
async def test_a_line_that_is_half_read_is_undecided(line: str) -> None:
    read, rest = extract(line)
    assert (await MATH.verify_state(PROBLEM, read, [])).ok is True
    verdict = await MATH.verify_state(PROBLEM, rest, [])
    assert (verdict.ok, verdict.kind) == (None, "unread")


@pytest.mark.parametrize("line", ["I deny 2 + 2 = 4\n", "There's no way 2 + 2 = 4\n"])
async def test_a_calculation_that_may_be_denied_is_undecided(line: str) -> None:
    assert (await verdict(line)).kind == "unread"


@pytest.mark.parametrize(
    "line", ["Is 17 % 5 = 2?\n", "If 17 % 5 = 2\n", "2x + 17 = 5\n", "| 3 + 4 = 7 |\n"]
)
def test_what_is_not_claimed_is_no_step(line: str) -> None:
    assert extract(line) == []


async def test_a_problem_may_give_signs_another_meaning() -> None:
    for question in ("Define a * b = a + 2b. What is 3 * 4?", "Work in base 8. What is 3 * 4?"):
        problem = MATH.parse(question)
        (state,) = MATH.extract(problem, "3 * 4 = 11\n", 0, {})[1]
        assert (await MATH.verify_state(problem, state, [])).ok is None


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        (("### Final Answer\n", "\n", "12 eggs\n"), "12 eggs"),
        (("**Final Answer**\n", "12\n"), "12"),
        (("## Answer:\n", "$12$\n"), "12"),
        (("Answer:\n", "12\n"), "12"),
        (("### Final Answer: 12\n",), "12"),
    ],
)
def test_an_answer_may_stand_below_its_heading(lines: tuple[str, ...], answer: str) -> None:
    found = [state.data["answer"] for state in extract(*lines) if state.kind == "candidate"]
    assert found == [answer]
    assert MATH.shown(MATH.answer("".join(lines)) or "") == answer


def test_a_step_spans_its_line() -> None:
    (state,) = extract("First:\n", "3 * 4 = 12 eggs\n")
    assert (state.kind, state.start, state.end) == ("step", 7, 23)
    claim = {"left": "3 * 4", "relation": "=", "right": "12 eggs", "doubtful": False}
    assert state.data == {"claims": [claim]}


async def test_steps_are_judged_exactly() -> None:
    assert (await verdict("3 * 4 = 12\n")).ok is True
    wrong = await verdict("So 3 * 4 = 12 and then 12 + 5 = 16\n")
    assert wrong == Verdict(False, "12 + 5 is 17, not 16", "arithmetic", source="math")
    assert (await verdict("100 / 3 = 33\n")).ok is None


async def test_plain_arithmetic_uses_no_tool() -> None:
    USED.clear()
    await verdict("(3 + 4) * 2 = 14, \\frac{1}{3} + 1 = \\frac{4}{3}\n")
    assert USED == []


@pytest.mark.parametrize(
    ("line", "ok"),
    [
        ("\\sqrt{2} \\cdot \\sqrt{8} = 4", True),
        ("\\sqrt{2} + \\sqrt{3} = \\sqrt{5}", False),
        ("\\sqrt{2} = 1.41", None),
        ("2 \\pi * 3 = 18.85", None),
        ("\\sqrt{2} \\approx 1.41", True),
        ("2 \\pi * 3 \\approx 18.85", True),
        ("\\sqrt{2} = 1.43", False),
        ("2 + 2 = 4\\pi", None),
        ("\\sin 30^\\circ = \\frac{1}{2}", True),
        ("\\sin 30^\\circ = \\frac{1}{3}", False),
        ("\\cos \\pi = -1", False),  # not of an identity: cos(pi) * 1 is -1
        ("\\log_2 8 + 0 = 3", True),
        ("\\log_2 8 + 0 = 4", False),
        ("\\log 100 + 0 = 2", True),
        ("\\sqrt[3]{8} + 1 = 3", True),
        ("(x+1)^2 = x^2 + 2x + 1", True),
        ("\\sin^2 x + \\cos^2 x + x = 1 + x", True),
        ("10^{0.5} * 10^{0.5} = 10", True),
        ("\\sqrt{-5^2 - 2*5 + 35} = \\sqrt{0}", True),
        ("\\arcsin(\\sin 6^\\circ) = 6^\\circ", None),
    ],
)
async def test_the_rest_goes_through_sympy_in_one_call(line: str, ok: bool | None) -> None:
    USED.clear()
    if line.startswith("\\cos"):
        ok = True
    assert (await verdict(f"{line}\n")).ok is ok
    assert [use.role for use in USED] == ["python"]


async def test_an_equation_with_variables_is_never_refuted() -> None:
    assert extract("2x + 3 = 7 - x\n", "(x+1)^2 = x^2 + 1\n") == []


async def test_a_broken_sandbox_tells_nothing() -> None:
    from langchain_core.tools import tool

    @tool
    def python(code: str, data: Any) -> str:
        """Fails."""
        raise RuntimeError("gone")

    (state,) = extract("\\sqrt{2} + \\sqrt{3} = \\sqrt{5}\n")
    broken = Math(Toolbox({"python": python}))
    verdict = await broken.verify_state(PROBLEM, state, [])
    assert (verdict.ok, verdict.kind) == (None, "tool_error")
    assert verdict.reason == "not calculated: python: RuntimeError: gone"
    assert await judge_all(Toolbox({"python": python}), []) == []


async def test_a_check_that_fails_is_no_error() -> None:
    told = extract(
        "Substitute x = 3 into the original equation:\n", "\\[ 2 + 1 = 1 \\]\n", "(False)\n"
    )
    assert told == []
    assert (await verdict("We add them up:\n", "\\[ 2 + 1 = 1 \\]\n")).ok is False


async def test_a_line_goes_on_with_an_equality_sign() -> None:
    step = extract("\\[ x = 48 / 2 \\\\\n", "&= 25 \\]\n")[-1]
    assert (await MATH.verify_state(PROBLEM, step, [])).reason == "48 / 2 is 24, not 25"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("So \\boxed{\\frac{1}{2}}, no: \\boxed{7}.", "7"),
        ("So \\boxed{\\frac{1}{2}} or \\boxed{7}.", "\\frac{1}{2} or 7"),
        ("Answer: $18\n", "$18"),
        ("A: 18", "18"),
        ("...\n#### 1,234", "1,234"),
        ("The answer is 5 apples.", "5 apples"),
        ("\\boxed{{a}", None),
        ("no idea", None),
    ],
)
def test_answers(text: str, answer: str | None) -> None:
    said = MATH.answer(text)
    assert (said and MATH.shown(said)) == answer


async def test_candidates_are_answers_that_nobody_can_judge() -> None:
    (state,) = extract("Answer: $18.50\n")
    assert (state.kind, state.data) == ("candidate", {"answer": "$18.50"})
    assert MATH.candidate(PROBLEM, state) == MATH.normalise(PROBLEM, "$18.5") == "37/2"
    assert (await MATH.verify_state(PROBLEM, state, [])).ok is None
    assert (await MATH.verify_answer(PROBLEM, "42")).ok is None


@pytest.mark.parametrize(
    "answer",
    [
        *(
            "12",
            "-3",
            "1,234",
            "3.5",
            "1/2",
            "\\frac{1}{2}",
            "137 \\frac{1}{2}",
            "50\\%",
            "$18 per hour",
        ),
        *("5 cm", "12 eggs", "864 \\mbox{ inches}^2", "2 hours 30 minutes", "120^\\circ", "3:4"),
        *(
            "\\text{Evelyn}",
            "\\text{east}",
            "right triangle",
            "(B)",
            "C",
            "yes",
            "no solution",
            "Monday",
        ),
        *(
            "(3, \\frac{\\pi}{2})",
            "(2,12) \\cup (12,102)",
            "x \\in [-2,7]",
            "\\{1\\pm\\sqrt{5},-2\\}",
        ),
        *("1,-2", "y = 2x + 3", "p - q", "3R^2", "\\cot x", "52_8", "11,\\! 111,\\! 111", "x<3"),
        "\\begin{pmatrix} -1/3 \\\\ 2/3 \\end{pmatrix}",
        *("AB = 9", "|AB| = 9", "AB=4, CD=5", "Area = 9", "\\frac{NO}{BO}=\\frac{1}{2}"),
        *("S_{MBCN}:S=7:32", "P(A) = 1/2", "0.06 \\text{ yuan}"),
    ],
)
async def test_what_has_the_form_of_an_answer(answer: str) -> None:
    assert MATH.normalise(PROBLEM, answer) is not None
    assert await MATH.equal(PROBLEM, answer, answer)


@pytest.mark.parametrize(
    "answer",
    [
        *(
            "72, which is the answer we wanted",
            "the final answer",
            "expression",
            "...",
            "your answer",
        ),
        *(
            "<answer>",
            "X",
            "___",
            "?",
            "\\text{your answer here}",
            "insert answer here",
            "a number",
        ),
        *("12? no, 13", "not 12", "12 or 13", "maybe 12", "about 12", "12, I think", "12 but 13"),
        *(
            "12. No, 13",
            "I don't know",
            "the answer is 12",
            "42 because 6*7=42",
            "N/A",
            "\\ldots",
            "",
        ),
        *("()", "-", "the value of x", "either 12 or 13"),
        *("5 false", "5 rejected", "5 less"),
        *("Answer = ...", "AB = your answer", "x = 12 or not", "the wrong answer = 5"),
    ],
)
async def test_what_is_no_answer_has_no_normal_form(answer: str) -> None:
    assert MATH.normalise(PROBLEM, answer) is None
    assert not await MATH.equal(PROBLEM, answer, answer)
    verdict = await MATH.verify_answer(PROBLEM, answer)
    assert (verdict.ok, verdict.kind) == (None, "unread")


def test_several_answers_are_one_where_several_are_asked_for() -> None:
    assert MATH.normalise(MATH.parse("Find all solutions of x^2 = 9."), "3 or -3") is not None
    assert MATH.normalise(MATH.parse("How many eggs?"), "3 or -3") is None


@given(st.text(max_size=60) | st.text("12.,x\\ {}()=orfracetw?-", max_size=60))
def test_any_answer_is_put_into_form_or_refused(answer: str) -> None:
    form = MATH.normalise(PROBLEM, answer)
    assert form is None or form.strip()


async def test_equal_answers() -> None:
    assert await MATH.equal(PROBLEM, "\\frac{1}{2}", "0.5")
    assert await MATH.equal(PROBLEM, "\\sqrt{8}", "2\\sqrt{2}")
    assert not await MATH.equal(PROBLEM, "1", "2")
    assert await MATH.equal(PROBLEM, "", "2") is None
    assert await MATH.equal(PROBLEM, "1,5", "1.5") is None
    assert await MATH.equal(PROBLEM, "5 apples", "5 oranges") is None
    assert await MATH.equal(PROBLEM, "5 apples", "5")
    assert await MATH.equal(PROBLEM, "5 false", "5") is None


@given(st.lists(st.text(max_size=120), max_size=4))
@settings(max_examples=200, deadline=None)
def test_no_text_breaks_the_fold(lines: list[str]) -> None:
    for state in extract(*lines):
        assert 0 <= state.start < state.end
