"""The domains of reasoning-gym, with a stand-in for the package; the real one: tests/engines."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow import domains
from agentflow.domains import gym
from agentflow.domains.gym import ours, programs, trust
from agentflow.domains.gym.programs import Item
from agentflow.domains.protocol import ACCEPTED
from agentflow.errors import BadInput
from agentflow.evaluation import datasets
from agentflow.generators import generate
from agentflow.judge import judge

SOURCE = "read"
TASKS = ("boxnet", "countdown", "gsm_symbolic", "maze", "new_task", "survo", "chain_sum")

EXACT = ("maze", "gsm_symbolic", "countdown", "chain_sum")


def made(task: str, given: str, start: int) -> tuple[Item, ...]:
    """Sums, with each question twice."""

    def one(index: int) -> Item:
        text = f"{task} {given}: what is {index // 2} + 4?"
        about = (
            {"numbers": [index // 2, 4], "target": index // 2 + 4} if task == "countdown" else {}
        )
        own = f"{index // 2} + 4" if task == "countdown" else str(index // 2 + 4)
        return Item(index, text, own, about, task == "maze", SOURCE)

    return tuple(one(start + at) for at in range(programs.CHUNK))


@pytest.fixture(autouse=True)
def scored(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The answers that came to the scorer, which gives 1 where the solution stands first."""
    asked = list[str]()

    def score(task: str, given: str, index: int, answer: str) -> tuple[float | None, str]:
        asked.append(answer)
        if answer == "99999":
            return None, "ZeroDivisionError: twice"
        return (1.0 if answer.split()[0] == str(index // 2 + 4) else 0.25), ""

    gym.kind.cache_clear()
    monkeypatch.setattr(programs, "tasks", lambda: TASKS)
    monkeypatch.setattr(programs, "items", made)
    monkeypatch.setattr(programs, "score", score)
    monkeypatch.setattr(trust, "sources", lambda: dict.fromkeys(trust.TASKS, SOURCE))
    return asked


def test_a_name_is_a_task_with_parameters() -> None:
    name = "gym:maze?seed=3&difficulty=2&shape=round"
    domain = domains.get(name)
    assert domain.name == name
    assert domains.kind(name) is type(domain)
    problem = domain.parse("4")
    assert '{"difficulty": 2, "seed": 3, "shape": "round", "size": 10000}' in problem.text
    assert (problem.domain, problem.id, problem.gold) == (name, "maze#4", None)
    assert "<answer>" in problem.data["prompt"]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("gym:chess", "no task 'chess'; there are: boxnet, countdown"),
        ("gym:", "no task ''"),
        ("gym:maze?seed", "write parameters as seed=1"),
        ("gym:maze?seed=-1", "seed is a whole number"),
        ("gym:maze?seed=x", "seed is a whole number"),
        ("gym:maze?difficulty=hard", "difficulty is a whole number"),
        ("gem:maze", "unknown domain 'gem:maze'; known: .*gym:TASK"),
    ],
)
def test_names_that_are_none(name: str, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        domains.get(name)


def test_a_problem_is_found_by_its_number_its_question_or_its_id() -> None:
    domain = domains.get("gym:maze")
    seventh = domain.parse("7")
    assert domain.parse(seventh.text).text == seventh.text
    far = domain.parse("9000")
    assert domain.parse(far.text, far.id).data["index"] == 9000
    for text in ("", "What is love?", "10000", far.text):
        with pytest.raises(BadInput, match=r"none of its first 200 problems"):
            domain.parse(text)
    with pytest.raises(BadInput):  # the id's question is another
        domain.parse("What is love?", far.id)


def test_generated_problems_differ_and_are_found_again() -> None:
    problems = list(generate("gym:maze", 30, 5))
    assert len({one.text for one in problems}) == 30
    assert {one.domain for one in problems} == {"gym:maze?seed=5"}
    assert list(generate("gym:maze?seed=5", 30, 0)) == problems
    domain = domains.get("gym:maze?seed=5")
    assert all(domain.parse(one.text, one.id).text == one.text for one in problems)
    loaded = datasets.load("generate:gym:maze?count=30&seed=5")
    assert loaded == problems
    assert datasets.load("generate:gym:maze?count=3&width=7")[0].domain == "gym:maze?width=7"


@pytest.mark.parametrize(
    ("task", "answer", "ok", "kind"),
    [
        ("maze", "5", True, ""),  # compares texts, has no parameters to be fooled by
        ("maze", "6", False, "wrong_answer"),
        ("maze", "5 or 6", None, "unread"),
        ("maze", "5.0", None, "partial"),  # may be the same, written in another way
        ("maze", "99999", None, "unscored"),
        ("gsm_symbolic", "5", True, ""),
        ("gsm_symbolic", "5 6", None, "unread"),  # its scorer takes the first number
        ("gsm_symbolic", "6", False, "wrong_answer"),
        ("survo", "5", True, ""),
        ("survo", "6", None, "partial"),  # sound only: another answer may be right, too
        ("boxnet", "5", None, ACCEPTED),
        ("boxnet", "6", None, "partial"),
        ("new_task", "5", None, ACCEPTED),  # that nobody has read
        ("countdown", "1 + 4", True, ""),
        ("countdown", "4 + 1", True, ""),
        ("countdown", "4 * 1", False, "wrong_value"),
        ("countdown", "5", False, "wrong_numbers"),
        ("chain_sum", "−6", False, "wrong_answer"),  # the minus of typesetters
        ("countdown", "4! + 1", None, "unread"),
        ("countdown", "-1 + 4", None, "unread"),
    ],
)
async def test_a_score_is_worth_what_its_scorer_is(
    task: str, answer: str, ok: bool | None, kind: str
) -> None:
    domain = domains.get(f"gym:{task}")
    verdict = await domain.verify_answer(domain.parse("2"), answer)
    assert (verdict.ok, verdict.kind) == (ok, kind)
    assert domain.decides(domain.parse("2")) is (task in EXACT)


async def test_a_scorer_that_changed_is_not_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trust, "sources", lambda: {"gsm_symbolic": "older"})
    domain = domains.get("gym:gsm_symbolic")
    verdict = await domain.verify_answer(domain.parse("2"), "5")
    assert (verdict.ok, verdict.kind) == (None, ACCEPTED)
    assert "another version" in verdict.reason


async def test_what_does_not_look_like_an_answer_never_comes_to_the_scorer(
    scored: list[str],
) -> None:
    domain = domains.get("gym:gsm_symbolic")
    for text in ("__import__('os')", "5;", "5\n6", "", "x" * 30_000, "five"):
        assert (await domain.verify_answer(domain.parse("2"), text)).ok is None
    assert scored == []


async def test_the_gold_answer_is_compared_by_the_scorer() -> None:
    problem = next(iter(generate("gym:survo", 1, 0)))
    assert await datasets.right(problem, "4")
    assert await datasets.right(problem, "4 7")  # the suite's own word, whatever it is worth
    assert not await datasets.right(problem, "4 or else")  # which is not asked about any text
    assert not await datasets.right(problem, "5")
    domain = domains.get("gym:survo")
    assert await domain.equal(problem, "5", "6") is None


async def test_a_trace_is_judged_with_its_steps() -> None:
    domain = domains.get("gym:gsm_symbolic")
    problem = domain.parse("2")
    text = "First 1 + 4 = 5.\nSo it is\n<answer>\n5\n</answer>"
    judged = await judge(domain, problem, text)
    assert (judged.steps_ok, judged.answer_ok, judged.ok) == (True, True, True)
    judged = await judge(domain, problem, text.replace("4 = 5", "4 = 6"))
    assert (judged.first_wrong_step, judged.kind) == (0, "arithmetic")
    other = domains.get("gym:maze")  # not one of calculations
    judged = await judge(other, other.parse("2"), text.replace("4 = 5", "4 = 6"))
    assert (judged.steps_ok, judged.answer_ok) == (None, None)  # told beside it, and not so


def test_the_last_tag_is_the_answer_and_may_have_lines() -> None:
    domain = domains.get("gym:maze")
    said = domain.answer("<answer>1</answer> no: <answer>1 2\n3 4\n</answer>")
    assert said is not None
    assert domain.shown(said) == "1 2\n3 4"
    assert domain.answer("<answer> </answer>") is None
    assert domain.answer("The answer is 5.") == "5"


LINES = "4 3\n3 4"


@pytest.mark.parametrize("said", ["55", LINES])
@pytest.mark.parametrize(
    "text",
    [
        "<answer>{}</answer>\nWait, that is wrong.",
        "Not <answer>{}</answer>",
        "<answer>{}</answer> is wrong",
        "<answer>56</answer> not <answer>{}</answer>",
        "<answer>{}</answer>\n\nThe final answer is 56.",
        "For example <answer>{}</answer>",
        "```\n<answer>{}</answer>\n```\nis the format.",
        "Answer:\n{}\n\nWait, that is wrong.",
    ],
)
def test_an_answer_that_the_text_does_not_hold_on_to_is_none(text: str, said: str) -> None:
    assert domains.get("gym:maze").answer(text.format(said)) is None


@pytest.mark.parametrize("said", ["55", LINES])
@pytest.mark.parametrize(
    "text",
    [
        "<answer>{}</answer>",
        "So it is\n<answer>\n{}\n</answer>\nI hope this helps!",
        "I had <answer>54</answer> at first.\n\n<answer>{}</answer>",
        "Answer:\n{}",
        "**Final answer:**\n\n{}\n\nI hope this helps!",
        "The answer is:\n{}\n",
        "Solution:\n```\n{}\n```\n",
        "Solution:\n```\n{}",
    ],
)
def test_an_answer_of_a_line_or_of_several(text: str, said: str) -> None:
    assert domains.get("gym:maze").answer(text.format(said)) == said


@pytest.mark.parametrize(
    "text",
    [
        "The completed sudoku is:\n```\n{}\n```",
        "Here is the completed grid:\n\n{}",
        "So the final grid is:\n{}",
        "<answer>\n```\n{}\n```\n</answer>",
        "<answer>\n{}\n</answer>\nAll rows are valid.",
        "The completed grid is:\n{}\n\nEach row has each number once.",
        "Answer:\n{}\n\nEvery row is without duplicates.",
        "<answer>\n{}\n</answer>\nNo two queens attack each other.",
        "<answer>\n{}\n</answer>\nEach row and column contains the numbers 1 to 4 exactly once.",
        "<answer>\n{}\n</answer>\nAll constraints are satisfied. Hope this helps!",
    ],
)
def test_a_grid_may_be_announced_as_completed(text: str) -> None:
    assert domains.get("gym:maze").answer(text.format(LINES)) == LINES


@pytest.mark.parametrize(
    "text",
    [
        "<answer>\n{}\n</answer>\nVerification: row 2 repeats a number.",
        "Answer:\n{}\n\nVerification: row 2 repeats a number.",
        "The completed sudoku is:\n{}\n\nThis is wrong.",
        "The completed grid is not:\n{}",
        "Here is the original grid:\n{}",
        "Here is the grid after step 1:\n{}",
        "The wrong grid is:\n{}",
        "<answer>\n{}\n</answer>\nNot all rows are valid.",
        "<answer>\n{}\n</answer>\nRow 2 and row 3 share a digit in column 1.",
        "<answer>\n{}\n</answer>\nThe rows are in reverse order.",
        "<answer>\n{}\n</answer>\nThis was an attempt.",
        "<answer>\n{}\n</answer>\nAll rows are valid?",
        "<answer>\n{}\n</answer>\n?",
        "<answer>\n{}\n</answer>\n👎",
        "The final grid is:\n{}\n\nHere is a better one:",
    ],
)
def test_a_grid_that_is_none_or_has_a_fault_is_no_answer(text: str) -> None:
    assert domains.get("gym:maze").answer(text.format(LINES)) is None


def test_an_answer_behind_a_grid_is_the_one() -> None:
    text = f"The final grid is:\n\n{LINES}\n\nAnswer: [[1, 2], [2, 1]]"
    assert domains.get("gym:maze").answer(text) == "[[1, 2], [2, 1]]"


def test_a_line_is_not_taken_for_the_solution_of_several() -> None:
    assert not trust.has_form("plain", "4 3", "4 3\n3 4")
    assert not trust.has_form("plain", "4 3\n3 4", "4 3")
    assert trust.has_form("plain", "3 4\n4 3", "4 3\n3 4")


@given(st.text(alphabet="14+-*/(). 2x\n", max_size=30))
def test_only_an_expression_of_the_numbers_passes(text: str) -> None:
    verdict = ours.judged({"numbers": [1, 4], "target": 5}, text)
    if verdict.ok:
        assert sorted(text.replace("(", " ").replace(")", " ").replace("+", " ").split()) == [
            "1",
            "4",
        ]


@given(st.text(max_size=60))
def test_forms_let_no_quotes_of_code_through(text: str) -> None:
    for task, entry in trust.TASKS.items():
        if entry.worth != "none" and trust.has_form(task, text + "__import__('os')", "a b, 1"):
            assert not entry.form


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        return None

    monkeypatch.setattr(programs, "find_spec", missing)
    with pytest.raises(BadInput, match="reasoning-gym is not installed: pip install"):
        programs._asked("ans = 1", None)


@pytest.mark.parametrize("said", ["A# or B#", "not A#", "perhaps A#"])
def test_a_hedge_is_not_scored(said: str) -> None:
    assert not trust.has_form("ab", said, "A# B#")
    assert trust.has_form("sentence_reordering", "to be or not to be", "be or not to be to")


def test_a_row_of_a_grid_is_not_scored() -> None:
    rows = ["_ Q _ _", "_ _ _ Q", "Q _ _ _", "_ _ Q _"]
    assert not trust.has_form("n_queens", rows[0], "\n".join(rows))
    assert trust.has_form("n_queens", "\n".join(reversed(rows)), "\n".join(rows))


def test_a_sentence_without_its_full_stop_is_not_refuted() -> None:
    worth = trust.Trust("exact")
    own = "He lay down on a chair."
    assert gym.verdict("emoji_mystery", worth, 0.0, own[:-1], own).ok is None
    assert gym.verdict("emoji_mystery", worth, 0.0, "He sat down on a chair.", own).ok is False


@pytest.mark.parametrize(
    ("said", "own", "ok"),
    [
        ("2143\n4312", "2 1 4 3\n4 3 1 2", None),
        ("[50,88,29]", "[50, 88, 29]", None),
        ("['14', '-48.98']", "[14, -48.98]", None),
        ("a,b,c", "a, b, c", None),
        ("2143\n4321", "2 1 4 3\n4 3 1 2", False),
        ("[50,88,-29]", "[50, 88, 29]", False),
    ],
)
def test_a_right_answer_in_another_layout_is_not_refuted(
    said: str, own: str, ok: bool | None
) -> None:
    assert gym.verdict("sudoku", trust.Trust("exact"), 0.0, said, own).ok is ok


@pytest.mark.parametrize("said", ["-44", "44,000", "44.5", "-044"])
def test_a_scorer_that_searches_for_digits_sees_digits_alone(said: str) -> None:
    assert not trust.has_form("gsm_symbolic", said, "44")
    assert trust.has_form("gsm_symbolic", "44", "44")


@pytest.mark.parametrize(
    ("task", "own", "good", "bad"),
    [
        ("chain_sum", "-14282", "-14,282", "-1428,2"),
        ("products", "8717446", "8,717,446", "8,7,1,7,446"),
        ("products", "8717446", "8717446.0", "8717446,"),
        ("graph_color", '{"0": 1, "1": 2}', '{"1": 1, "0": 2}', '{"0": 2, "0": 1, "1": 2}'),
        ("graph_color", '{"0": 1, "1": 2}', '{"0": 2, "1": 1}', '{"0": 1, "1": 2, "2": 1}'),
        ("cryptarithm", "A=7,G=0", "G=0, A=7", "A=1,A=7,G=0"),
        (
            "palindrome_partitioning",
            '[["a", "a"], ["aa"]]',
            '[["aa"], ["a", "a"]]',
            '[["a", "a"], ["aa"], ["aa"]]',
        ),
    ],
)
def test_a_form_that_a_scorer_would_pass_over(task: str, own: str, good: str, bad: str) -> None:
    assert trust.has_form(task, good, own)
    assert not trust.has_form(task, bad, own)


LEGS = "Count how many legs there are in total: 3 cats, 67 hens."
ANGLE = "The angles are: 41.0°, 166.0°, 49.0°. What is the last angle (in degrees)?"


@pytest.mark.parametrize(
    ("task", "question", "said", "number"),
    [
        ("leg_counting", LEGS, "146 legs", "146"),
        ("leg_counting", LEGS, "\\boxed{146}", "146"),
        ("leg_counting", LEGS, "$\\boxed{146}$", "146"),
        ("simple_geometry", ANGLE, "104°", "104"),
        ("simple_geometry", ANGLE, "104.0°", "104"),
        ("simple_geometry", ANGLE, "104 degrees", "104"),
        ("simple_geometry", ANGLE, "104.0", "104"),
        ("simple_equations", "Solve for e: 2*e = 26", "e = 13", "13"),
        ("simple_equations", "Find the value of e in the equation: 2*e = 26", "e=13", "13"),
    ],
)
def test_a_number_with_the_name_or_unit_of_its_question(
    task: str, question: str, said: str, number: str
) -> None:
    assert trust.plainly(task, question, said) == number


@pytest.mark.parametrize(
    ("task", "question", "said"),
    [
        ("leg_counting", LEGS, "146 heads"),
        ("leg_counting", LEGS, "146 cats"),
        ("leg_counting", LEGS, "146°"),
        ("leg_counting", LEGS, "n = 146"),
        ("leg_counting", LEGS, "146 legs?"),
        ("leg_counting", LEGS, "not 146 legs"),
        ("leg_counting", LEGS, "\\boxed{146} or \\boxed{148}"),
        ("simple_geometry", ANGLE, "104.5°"),
        ("simple_geometry", ANGLE, "104 radians"),
        ("simple_geometry", ANGLE, "104 degrees?"),
        ("simple_equations", "Solve for e: 2*e = 26", "x = 13"),
        ("simple_equations", "Solve for e: 2*e = 26", "2e = 13"),
        ("simple_equations", "Solve for e: 2*e = 26", "e = 13 e"),
        ("base_conversion", "Convert 41 to base 5", "131.0"),
    ],
)
def test_another_name_or_unit_stays(task: str, question: str, said: str) -> None:
    assert trust.plainly(task, question, said) == said
    assert not trust.has_form("gsm_symbolic", said, "146")


@pytest.mark.parametrize("task", ["simple_integration", "intermediate_integration"])
def test_an_integral_has_one_constant(task: str) -> None:
    own = "-5*X**9 + 4*X**3 + C"
    assert trust.has_form(task, "4*X**3 - 5*X**9 + k", own)
    assert not trust.has_form(task, "-5*X**9 + 4*X**3 + C - 34*x**8/15", own)
    assert not trust.has_form(task, "-5*X**9 + 4*X**3 + C + D", own)
