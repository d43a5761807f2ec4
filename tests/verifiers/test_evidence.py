"""What calls say of a solution, and the verdict that follows from it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow import domains
from agentflow.tools.toolbox import Use
from agentflow.verifiers.evidence import (
    concluded,
    correctness,
    disagreement,
    found,
    tools_say,
    wrong_step,
)

GAME = domains.get("game24")
PROBLEM = GAME.parse("4 7 8 8")
PROGRAM = {
    "python": {"code": "ans = f()"},
    "z3": {"program": "s.check()"},
    "search": {"query": "q"},
}
META = {"steps": ["a", "b"], "complete": True}

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["ok", "value", "shown", "outcome", "hits"]), inner)
    ),
    max_leaves=8,
)


@given(st.sampled_from(list(PROGRAM)), st.text(max_size=20), JSON, st.booleans(), st.text())
async def test_whatever_a_tool_gives_is_read(
    role: str, content: str, artifact: Any, error: bool, solution: str
) -> None:
    use = Use(role, role, PROGRAM[role], content, artifact, error)
    finding = await found(use, GAME, PROBLEM, GAME.answer(solution))
    assert finding.agrees is None or finding.counts
    assert not (error and finding.counts)


@pytest.mark.parametrize(
    ("outcome", "agrees"),
    [("agree", True), ("contradict", False), ("uncertain", False), ("unsolvable", None)],
)
async def test_z3s_outcomes(outcome: str, agrees: bool | None) -> None:
    for use in (
        Use("z3", "z3", PROGRAM["z3"], "", {"ok": True, "outcome": outcome}),
        Use("z3", "z3", PROGRAM["z3"], outcome.title()),  # a tool that gives nothing but text
    ):
        assert (await found(use, GAME, PROBLEM, None)).agrees is agrees
    strange = Use("z3", "z3", PROGRAM["z3"], "sat", {"ok": True, "outcome": "sat"})
    assert (await found(strange, GAME, PROBLEM, None)).outcome == "no_outcome"


@pytest.mark.parametrize("argument", ["code", "source"])
async def test_a_program_that_only_states_its_result_whatever_its_argument_is_called(
    argument: str,
) -> None:
    use = Use("python", "python", {argument: "ans = 24"}, "24", {"ok": True, "value": 24})
    assert (await found(use, GAME, PROBLEM, "(7 - 8 / 8) * 4")).outcome == "stated"


CALLS = st.lists(
    st.builds(
        lambda outcome, agrees: {
            "tool": "python",
            "observation": "o",
            "outcome": outcome,
            "agrees": agrees if outcome == "value" else None,
        },
        st.sampled_from(["value", "error", "found"]),
        st.sampled_from([True, False, None]),
    ),
    max_size=5,
)
EVALUATIONS = st.fixed_dictionaries(
    {"ok": st.sampled_from([True, False, None])},
    optional={"reason": st.text(max_size=20), "v_score": st.floats(0, 1), "kind": st.just("kind")},
)


@given(EVALUATIONS, st.sampled_from([None, META, META | {"complete": False}]), CALLS, st.booleans())
def test_nothing_passes_against_the_evidence_or_without(
    evaluation: dict[str, Any], meta: dict[str, Any] | None, calls: list[Any], with_tools: bool
) -> None:
    verdict = concluded(evaluation, meta, calls, {}, with_tools=with_tools)
    agrees = [call["agrees"] for call in calls]
    evidence = [call for call in calls if call["outcome"] != "error"]
    if verdict.ok:
        assert evaluation["ok"] is True
        assert False not in agrees
        assert evidence or not with_tools
    elif evaluation["ok"] and evidence:
        assert (verdict.ok, verdict.kind) == (None, "evidence_against")
    if verdict.ok is False:
        assert evaluation["ok"] is False
        assert verdict.reason
    if verdict.ok is not True:
        assert verdict.kind


@given(st.sampled_from([True, False, None]), CALLS, st.booleans())
def test_disagreement_is_told(meta: bool | None, calls: list[Any], evaluated: bool) -> None:
    said = {ok for ok in (meta, tools_say(calls), evaluated) if ok is not None}
    assert bool(disagreement(meta, calls, evaluated)) == (len(said) == 2)


@pytest.mark.parametrize(
    ("reason", "step"),
    [
        ("Step 2 contains the error", 1),
        ("In step 1, and step 2", 0),
        ("Step 3 is wrong", None),  # there is none
        ("Step 0", None),
        ("The stepson 2", None),
        ("", None),
    ],
)
def test_the_step_that_a_reason_names(reason: str, step: int | None) -> None:
    assert wrong_step(reason, META) == step
    assert wrong_step("Step 3", None) == 2


async def test_what_a_native_call_hands_to_a_program_is_not_its_work() -> None:
    use = Use("python", "python", {"code": "ans = data", "data": 24}, "", {"ok": True, "value": 24})
    assert (await found(use, GAME, PROBLEM, None)).outcome == "stated"


LOGIC = domains.get("logic")
STATEMENT = LOGIC.parse(
    "Raul either ignored warning signs or listened to his body. Conclusion: Raul was helped.\n"
    "A) True\nB) False\nC) Uncertain"
)
MATH = domains.get("math")
ROOM = MATH.parse("A room is 6 m square; 20 square metres are carpeted. How much is bare?")
BARE = ("The room has 6 * 6 = 36 square metres.", "36 - 20 = 16", "Answer: 16")


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        *(("True", "agree"), ("False", "contradict"), ("Uncertain", "uncertain")),
        *(("A", "agree"), ("B) False", "contradict"), ("C", "uncertain")),
    ],
)
async def test_what_is_found_of_a_statement_is_held_against_the_answer(
    answer: str, outcome: str
) -> None:
    for one in ("agree", "contradict", "uncertain", "unsolvable"):
        use = Use("z3", "z3", PROGRAM["z3"], "", {"ok": True, "outcome": one})
        finding = await found(use, LOGIC, STATEMENT, answer)
        assert finding.about == "statement"
        assert finding.agrees is (None if one == "unsolvable" else one == outcome)


async def test_yes_and_no_are_such_answers() -> None:
    commonsense = domains.get("commonsense")
    asked = commonsense.parse("Do more people visit Taco Bell than Roy Rogers?")
    use = Use("z3", "z3", PROGRAM["z3"], "", {"ok": True, "outcome": "contradict"})
    assert (await found(use, commonsense, asked, "no")).agrees is True
    assert (await found(use, commonsense, asked, "yes")).agrees is False


@pytest.mark.parametrize(
    ("program", "agrees", "about"),
    [("s.check(bare == 16)", False, "answer"), ("s.check(bare > 20)", None, "statement")],
)
async def test_a_statement_of_another_number_says_nothing(
    program: str, agrees: bool | None, about: str
) -> None:
    artifact = {"ok": True, "outcome": "contradict"}
    use = Use("z3", "z3", {"program": program}, "", artifact)
    finding = await found(use, MATH, ROOM, "16")
    assert (finding.agrees, finding.about) == (agrees, about)


def run(value: int, code: str) -> Use:
    program = f"def solver():\n    return {code}\nans = solver()"
    return Use("python", "python", {"code": program}, "", {"ok": True, "value": value})


@pytest.mark.parametrize(
    ("value", "code", "agrees", "about"),
    [
        (36, "6 * 6", None, "intermediate"),
        (36, "6 * 6 + 20 - 20", None, "unclear"),
        (16, "6 * 6 - 20", True, "answer"),
        (15, "6 * 6 - 21", False, "answer"),  # the solution knows no such value
    ],
)
async def test_a_value_on_the_way_is_not_held_against_the_answer(
    value: int, code: str, agrees: bool | None, about: str
) -> None:
    finding = await found(run(value, code), MATH, ROOM, "16", BARE)
    assert (finding.outcome, finding.agrees, finding.about) == ("value", agrees, about)


async def test_a_value_that_only_stands_there_is() -> None:
    steps = ("6 * 6 = 36", "36 - 20 = 16", "Some say 16.", "Answer: 17")
    for value, code in ((16, "6 * 6 - 20"), (36, "6 * 6")):
        finding = await found(run(value, code), MATH, ROOM, "17", steps)
        assert (finding.agrees, finding.about) == (False, "answer")


async def test_a_solution_that_spoils_the_right_value_does_not_make_it_one_on_the_way() -> None:
    """Whether the problem has a number that nobody needs or not."""
    steps = ("48 + 24 = 72", "72 - 2 = 70", "Answer: 70")
    for year in ("", "In 2023 "):
        clips = MATH.parse(f"{year}Ann sold 48 clips, then half as many. How many in all?")
        finding = await found(run(72, "48 + 48 // 2"), MATH, clips, "70", steps)
        assert (finding.agrees, finding.about) == (None, "unclear")


def test_a_value_that_may_be_meant_as_the_answer_lets_nothing_pass_alone() -> None:
    correct = {"ok": True}
    found_it = {"tool": "python", "observation": "o", "outcome": "value"}
    unclear, right, wrong = (
        found_it | {"agrees": None, "about": "unclear"},
        found_it | {"agrees": True, "about": "answer"},
        found_it | {"agrees": False, "about": "answer"},
    )
    alone = concluded(correct, None, [unclear], {}, with_tools=True)
    assert (alone.ok, alone.kind) == (None, "no_evidence")
    assert concluded(correct, None, [unclear, right], {}, with_tools=True).ok is True
    against = concluded(correct, None, [unclear, right, wrong], {}, with_tools=True)
    assert (against.ok, against.kind) == (None, "evidence_against")
    step = unclear | {"about": "intermediate"}
    assert concluded(correct, None, [step], {}, with_tools=True).ok is True


async def test_answers_that_cannot_be_compared_are_neither_equal_nor_different() -> None:
    verina = domains.get("verina")
    task = verina.parse("Return the larger one.\ndef larger (a : Int) (b : Int) : Int")
    value, answer = "[CODE]\nmax a b\n[/CODE]", "[CODE]\nif a < b then b else a\n[/CODE]"
    code = "def solver():\n    return open('x').read()\nans = solver()"
    use = Use("python", "python", {"code": code}, "", {"ok": True, "value": value})
    finding = await found(use, verina, task, answer)
    assert (finding.outcome, finding.agrees) == ("value", None)


@pytest.mark.parametrize(
    ("evaluation", "correct"),
    [
        ({"ok": True, "v_score": 0.9}, 0.9),
        ({"ok": False, "v_score": 0.75}, 0.25),
        ({"ok": True, "v_score": None}, None),
        ({"error": "no evaluation"}, None),
    ],
)
def test_how_likely_correct_is(evaluation: dict[str, Any], correct: float | None) -> None:
    assert correctness(evaluation) == correct
