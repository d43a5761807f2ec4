from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from counting import is_linear
from hypothesis import assume, example, given
from hypothesis import strategies as st

from agentflow.domains import arithmetic, get
from agentflow.domains.game24 import Game24, judge_answer, judge_state, reachable, solutions
from agentflow.errors import BadInput
from agentflow.problem import Problem
from agentflow.state import State

GAME = Game24()
DATA = Path(__file__).parent.parent / "data" / "game24"

Is = Callable[[str, Sequence[int]], bool]
PUZZLES = st.lists(st.integers(1, 13), min_size=4, max_size=4)


def problem(text: str = "4 7 8 8") -> Problem:
    return GAME.parse(text)


def states(text: str, of: Problem | None = None) -> list[State]:
    """The states of a whole text, line by line."""
    memory: dict[str, Any] = {}
    found: list[State] = []
    offset = 0
    for line in text.splitlines(keepends=True):
        memory, new = GAME.extract(of or problem(), line, offset, memory)
        found += new
        offset += len(line)
    return found


def judged(
    text: str, of: Problem | None = None, *, hopeless: bool = False
) -> list[tuple[bool | None, str]]:
    """(ok, kind) of each state, given those before it that passed."""
    right: list[State] = []
    verdicts = []
    for state in states(text, of):
        verdict = judge_state(of or problem(), state, right, hopeless=hopeless)
        verdicts.append((verdict.ok, verdict.kind))
        if verdict.ok:
            right.append(state)
    return verdicts


class TestParse:
    @pytest.mark.parametrize(
        "text",
        ["4 7 8 8", "8,8,7,4", " 8  4\t7\n8 ", "4, 7, 8, 8", "04 7 8 8", "0" * 5000 + "4 7 8 8"],
    )
    def test_order_and_separators_do_not_matter(self, text: str) -> None:
        parsed = GAME.parse(text)
        assert parsed.data == {"numbers": [4, 7, 8, 8]}
        assert parsed.text == parsed.id == "4 7 8 8"
        assert parsed.domain == "game24"

    def test_an_id_is_kept(self) -> None:
        assert GAME.parse("1 2 3 4", "row-7").id == "row-7"

    @pytest.mark.parametrize(
        ("text", "says"),
        [
            ("", "empty"),
            (" \n", "empty"),
            ("4 7 8", "needs four numbers, got 3"),
            ("4 7 8 8 1", "needs four numbers, got 5"),
            ("4 7 8 0", "'0' is not a positive integer"),
            ("4 7 8 -8", "'-8' is not a positive integer"),
            ("4 7 8 x", "'x' is not a positive integer"),
            ("4 7 8 1.5", "'1.5' is not a positive integer"),
            ("4 7 8 ²", "'²' is not a positive integer"),
            ("4 7 8 ٣", "'٣' is not a positive integer"),
            ("4 7 8 1000000000", "is not a positive integer"),
            ("4 7 8 " + "9" * 10_000, "is not a positive integer"),
            ("4 7 8 " + "0" * 20 + "1" + "0" * 9, "is not a positive integer"),
            ("4 7 8 " + "0" * 5000, "is not a positive integer"),
        ],
    )
    def test_bad_input_is_one_clear_line(self, text: str, says: str) -> None:
        with pytest.raises(BadInput, match="game24: ") as caught:
            GAME.parse(text)
        assert says in str(caught.value)
        assert "4 7 8 8" in str(caught.value)
        assert "\n" not in str(caught.value)
        assert len(str(caught.value)) < 200

    @given(st.text(max_size=60))
    def test_any_text_is_parsed_or_refused(self, text: str) -> None:
        try:
            parsed = GAME.parse(text)
        except BadInput:
            return
        assert len(parsed.data["numbers"]) == 4
        assert all(number > 0 for number in parsed.data["numbers"])

    def test_domains_are_found_by_name(self) -> None:
        assert isinstance(get("game24"), Game24)
        with pytest.raises(BadInput, match="unknown domain 'chess'; known: game24"):
            get("chess")


STEP = {
    "available": None,
    "a": "8",
    "operator": "-",
    "b": "7",
    "result": "1",
    "remaining": ["1", "4", "8"],
}
AVAILABLE = ["4", "7", "8", "8"]


class TestExtract:
    @pytest.mark.parametrize(
        ("line", "available"),
        [
            ("4 7 8 8 : 8 - 7 = 1 -> 1 4 8\n", AVAILABLE),
            ("4 7 8 8: 8-7=1->1 4 8\n", AVAILABLE),
            ("4, 7, 8, 8 : 8 - 7 = 1 → 1, 4, 8", AVAILABLE),
            ("[4, 7, 8, 8]: 8 − 7 = 1 -> [1, 4, 8]\n", AVAILABLE),
            ("  ( 4 7 8 8 )  :  8  -  7  =  1  ->  ( 1 4 8 )  \r\n", AVAILABLE),
            ("8 - 7 = 1 (left: 1 4 8)\n", None),
            ("8 – 7 = 1 (left: 1, 4, 8)\n", None),
            ("Step 1: 8 - 7 = 1 (remaining: 1 4 8)\n", None),
            ("- 8 - 7 = 1 (numbers left: 1 4 8)\n", None),
            ("(8 - 7) = 1 (left: 1 4 8)\n", None),
            ("$8 - 7 = 1$ (left: 1 4 8)\n", None),
            ("8 - 7 = 1, remaining numbers: 1 4 8\n", None),
        ],
    )
    def test_one_line_steps(self, line: str, available: list[str] | None) -> None:
        if ", remaining" in line:
            line = line.replace(", remaining", " remaining")
        (state,) = states(line)
        assert state.kind == "step"
        assert state.data == STEP | {"available": available}
        assert state.end == len(line)

    @pytest.mark.parametrize(
        "text",
        [
            "Available numbers: [4, 7, 8, 8]\nOperation: 8 - 7 = 1\nRemaining numbers: [1, 4, 8]\n",
            "available numbers: 4 7 8 8\nSuggested operation: 8-7=1\nremaining number: 1 4 8\n",
            "**Available numbers:** 4 7 8 8\n- Operation: 8 − 7 = 1\n* Remaining numbers: 1, 4, 8",
            "Available numbers: [4, 7, 8, 8]\n\nlet me see\nSuggested operation: (8 - 7) = 1\n"
            "Remaining numbers: [1, 4, 8]\n",
        ],
    )
    def test_three_labelled_lines_are_one_step(self, text: str) -> None:
        (state,) = states(text)
        assert state == State("step", STEP | {"available": AVAILABLE}, 0, len(text))

    def test_a_labelled_step_that_was_not_finished_is_dropped_by_the_next(self) -> None:
        text = (
            "Available numbers: [4, 7, 8, 8]\nOperation: 4 + 7 = 11\n"
            "Available numbers: [4, 7, 8, 8]\nOperation: 8 - 7 = 1\nRemaining numbers: [1, 4, 8]\n"
        )
        (state,) = states(text)
        assert state.data["operator"] == "-"
        assert states("Remaining numbers: [1, 4, 8]\n") == []
        assert states("Operation: nothing\nRemaining numbers: [1, 4, 8]\n") == []

    def test_memory_is_plain_json_and_never_changed_in_place(self) -> None:
        first, _ = GAME.extract(problem(), "Available numbers: 4 7 8 8\n", 0, {})
        kept = json.loads(json.dumps(first))
        second, _ = GAME.extract(problem(), "Operation: 8 - 7 = 1\n", 27, first)
        GAME.extract(problem(), "Remaining numbers: 1 4 8\n", 48, second)
        assert first == kept

    @pytest.mark.parametrize(
        ("line", "result", "remaining"),
        [
            ("10 / 4 = 2.5 (left: 2.5 5 6)", "2.5", ["2.5", "5", "6"]),
            ("4 / 6 = 2/3 (left: 2/3 5 10)", "2/3", ["2/3", "5", "10"]),
            ("4 - 5 = -1 (left: -1 6 10)", "-1", ["-1", "6", "10"]),
            ("4 - 5 = (−1) (left: −1 6 10)", "-1", ["-1", "6", "10"]),
            (
                "10 / 6 = 1.6666666666666667 (left: 1.6666666666666667 4 5)",
                "1.6666666666666667",
                ["1.6666666666666667", "4", "5"],
            ),
        ],
    )
    def test_decimals_fractions_and_negative_numbers(
        self, line: str, result: str, remaining: list[str]
    ) -> None:
        (state,) = states(line, problem("4 5 6 10"))
        assert (state.data["result"], state.data["remaining"]) == (result, remaining)

    def test_a_number_is_never_read_from_its_middle(self) -> None:
        of = problem("999999999 999999999 1 1")
        product = 999999999**2
        text = (
            f"999999999 * 999999999 = {product} (left: 1 1 {product})\n"
            f"{product} + 1 = {product + 1} (left: 1 {product + 1})\n"
        )
        assert judged(text, of) == [(True, ""), (True, "")]
        text = (
            "10 / 6 ≈ 1.6666666666666667 (left: 1.6666666666666667 9 9)\n"
            "1.6666666666666667 * 9 ≈ 15 (left: 9 15)\n9 + 15 = 24 (left: 24)\n"
        )
        assert judged(text, problem("6 9 9 10")) == [(True, "")] * 3

    def test_every_step_on_a_line_is_read(self) -> None:
        line = "8 - 7 = 1 (left: 1 4 8), then 4 + 8 = 13 (left: 1 13)\n"
        assert judged(line) == [(True, ""), (False, "arithmetic")]

    @pytest.mark.parametrize(
        ("line", "expressions"),
        [
            ("Answer: (7 - 8 / 8) * 4 = 24\n", ["(7 - 8 / 8) * 4"]),
            ("The answer is (7 − 8 ÷ 8) × 4.\n", ["(7 - 8 / 8) * 4"]),
            ("\\boxed{(7 - 8/8) * 4}\n", ["(7 - 8/8) * 4"]),
            ("so $\\boxed{(7 - \\frac{8}{8}) \\times 4 = 24}$\n", ["(7 - (8/8)) * 4"]),
            ("(7 - 8 / 8) * 4 = 24\n", ["(7 - 8 / 8) * 4"]),
            ("24 = (7 - 8 / 8) * 4\n", ["(7 - 8 / 8) * 4"]),
            ("Answer: None\n", []),
            ("The answer is hard to find\n", []),
            ("4 * 6 = 24\n", []),
            ("4 + 7 + 8 + 8 = 27\n", []),
            ("\\boxed{(7 - 8/8) * 4\n", []),
            ("The answer goes into \\boxed{} at the end\n", []),
        ],
    )
    def test_candidates(self, line: str, expressions: list[str]) -> None:
        found = states(line)
        assert [state.kind for state in found] == ["candidate"] * len(expressions)
        assert [state.data["answer"] for state in found] == expressions

    @pytest.mark.parametrize("line", ["\n", "Let me think.\n", "8 - 7 = 1\n", "x" * 301 + "=\n"])
    def test_other_lines_state_nothing(self, line: str) -> None:
        assert states(line) == []

    @given(st.text("→\\frac{}48 -=123:Ax×\n()[]", min_size=4, max_size=60), st.integers(0, 1000))
    @example("→→→→ 8 - 7 = 1 (left: 1 4 8)", 3)
    def test_a_span_lies_on_its_line(self, line: str, offset: int) -> None:
        line = line.replace("\n", " ")
        for state in GAME.extract(problem(), line, offset, {})[1]:
            assert offset <= state.start < state.end == offset + len(line)


class TestVerifyState:
    @pytest.mark.parametrize(
        ("text", "kind", "says"),
        [
            ("8 - 7 = 2 (left: 2 4 8)", "arithmetic", "8 - 7 is 1 , not 2"),
            ("4 / 8 = 0.4 (left: 0.4 7 8)", "arithmetic", "4 / 8 is 1/2 , not 0.4"),
            ("8 - 6 = 2 (left: 2 4 8)", "not_available", "6 is not among 4 7 8 8"),
            ("7 * 7 = 49 (left: 8 8 49)", "not_available", "7 is not among 4 7 8 8"),
            (
                "4 7 8 : 8 - 7 = 1 -> 1 4",
                "not_available",
                "4 7 8 are not the numbers at hand , 4 7 8 8 are",
            ),
            ("8 - 7 = 1 (left: 1 4 7)", "wrong_remaining", "8 - 7 leaves 1 4 8"),
            ("8 - 7 = 1 (left: 1 4 8 8)", "wrong_count", "8 - 7 leaves 1 4 8"),
            ("8 - 7 = 1 (left: 1 4)", "wrong_count", "8 - 7 leaves 1 4 8"),
        ],
    )
    def test_every_error_kind_is_named(self, text: str, kind: str, says: str) -> None:
        (state,) = states(text)
        verdict = judge_state(problem(), state, [])
        assert verdict.ok is False
        assert (verdict.kind, verdict.reason, verdict.source) == (kind, says, "game24")

    def test_division_by_nought_is_an_arithmetic_error(self) -> None:
        text = "8 - 8 = 0 (left: 0 4 7)\n4 / 0 = 0 (left: 0 7)\n"
        assert judged(text) == [(True, ""), (False, "arithmetic")]
        assert judged("8 - 7 = 1/0 (left: 1/0 4 8)\n") == [(False, "arithmetic")]

    def test_a_right_step_says_what_it_rests_on(self) -> None:
        (state,) = states("8 / 7 ≈ 1.143 (left: 1.143 4 8)")
        verdict = judge_state(problem(), state, [])
        assert verdict.ok
        assert verdict.evidence == {"available": "4 7 8 8", "result": "8/7", "left": "8/7 4 8"}

    @pytest.mark.parametrize("written", ["0.3", "0.33", "0.333333", "1/3", "2/6"])
    def test_a_decimal_may_be_rounded(self, written: str) -> None:
        text = f"1 / 3 ≈ {written} (left: {written} 8 8)"
        assert judged(text, problem("1 3 8 8")) == [(True, "")]

    @pytest.mark.parametrize("remark", ["(rounded) ", "(approx.) "])
    def test_a_remark_may_say_that_it_is_rounded(self, remark: str) -> None:
        text = f"1 / 3 = 0.33 {remark}(left: 0.33 8 8)"
        assert judged(text, problem("1 3 8 8")) == [(True, "")]

    def test_a_rounded_number_is_not_equal(self) -> None:
        text = "1 / 3 = 0.33 (left: 0.33 8 8)\n8 * 0.33 = 2.67 (left: 2.67 8)\n"
        assert judged(text, problem("1 3 8 8")) == [(None, "unread")] * 2
        assert judged("1 / 4 = 0.25 (left: 0.25 8 8)", problem("1 4 8 8")) == [(True, "")]

    @pytest.mark.parametrize("written", ["0.67", "0.66", "0.7", "0.6"])
    def test_rounded_or_truncated(self, written: str) -> None:
        text = f"2 / 3 ≈ {written} (left: {written} 8 8)"
        assert judged(text, problem("2 3 8 8")) == [(True, "")]

    @pytest.mark.parametrize("written", ["0.34", "0.4", "0.32", "0.30", "-0.33", "3/10", "0"])
    def test_but_not_to_another_number(self, written: str) -> None:
        text = f"1 / 3 = {written} (left: {written} 8 8)"
        assert judged(text, problem("1 3 8 8")) == [(False, "arithmetic")]

    def test_rounded_numbers_are_carried_on_exactly(self) -> None:
        text = (
            "8 / 3 ≈ 2.67 (left: 2.67 3 8)\n3 - 2.67 ≈ 0.33 (left: 0.33 8)\n"
            "8 / 0.33 ≈ 24 (left: 24)"
        )
        assert judged(text, problem("3 3 8 8")) == [(True, "")] * 3

    def test_a_model_may_start_again_without_saying_so(self) -> None:
        text = (
            "8 + 8 = 16 (left: 4 7 16)\n16 + 7 = 23 (left: 4 23)\n"
            "8 / 8 = 1 (left: 1 4 7)\n7 - 1 = 6 (left: 4 6)\n4 * 6 = 24 (left: 24)\n"
        )
        assert judged(text) == [(True, "")] * 5

    def test_what_a_wrong_step_left_is_not_at_hand(self) -> None:
        text = "8 - 7 = 2 (left: 2 4 8)\n2 * 4 = 8 (left: 8 8)\n"
        assert judged(text) == [(False, "arithmetic"), (False, "not_available")]

    def test_hopeless_is_only_told_when_asked_for(self) -> None:
        text = "8 + 8 = 16 (left: 4 7 16)\n4 * 7 = 28 (left: 16 28)\n28 - 16 = 12 (left: 12)\n"
        assert judged(text) == [(True, "")] * 3
        assert judged(text, hopeless=True)[0] == (False, "hopeless")
        path = "8 / 8 = 1 (left: 1 4 7)\n7 - 1 = 6 (left: 4 6)\n4 * 6 = 24 (left: 24)\n"
        assert judged(path, hopeless=True) == [(True, "")] * 3

    def test_a_wrong_step_is_wrong_before_it_is_hopeless(self) -> None:
        assert judged("8 + 8 = 17 (left: 4 7 17)", hopeless=True) == [(False, "arithmetic")]

    def test_a_candidate_is_judged_as_an_answer(self) -> None:
        text = "Answer: (7 - 8 / 8) * 4 = 24\nAnswer: (7 + 8 / 8) * 4 = 24\n"
        assert judged(text) == [(True, ""), (False, "arithmetic")]


class TestAnswer:
    @pytest.mark.parametrize(
        ("text", "answer"),
        [
            ("\nAnswer: (7 - 8 / 8) * 4 = 24\n", "(7 - 8 / 8) * 4"),
            ("The answer is: 4 × 6.", "4 * 6"),
            ("**Answer:** 4 * 6", "4 * 6"),
            ("Answer: 1\nAnswer: 2\n", None),
            ("Answer: 1\n\\boxed{2} or \\boxed{3 = 24}\nAnswer: 4", None),
            ("Answer: 1\n\\boxed{2}. Or: \\boxed{3 = 24}\nAnswer: 4", None),
            ("Answer: 1\n\\boxed{2}. Or: \\boxed{3 = 24}\nAnswer: 3", None),
            ("\\boxed{\\frac{8}{3 - 8/3}}", "((8)/(3 - 8/3))"),
            ("Answer:\n4 * 6", "4 * 6"),
            ("(7 - 8/8) * 4 = 24\n\nEach number is used exactly once.", "(7 - 8/8) * 4"),
            ("(7 - 8/8) * 4 = 24\n\nCheck: 8/8 = 1, 7 - 1 = 6.", "(7 - 8/8) * 4"),
            ("(7 - 8/8) * 4 = 24\n\nHope this helps!", "(7 - 8/8) * 4"),
            ("(7 - 8/8) * 4 = 24\n\nThis breaks the rules.", None),
            ("(7 - 8/8) * 4 = 24\n\nStill looking.", None),
            ("I give up.", None),
            ("", None),
            ("Answer: ", None),
            ("Answer:\n\n", None),
            ("\\boxed{}", None),
            ("\\boxed{ = 24}", None),
            ("\\boxed{4 * 6", None),
        ],
    )
    def test_the_answer_of_a_text(self, text: str, answer: str | None) -> None:
        assert GAME.answer(text) == answer

    @pytest.mark.parametrize(
        ("answer", "kind", "says"),
        [
            ("(7 - 8 / 8) * 5", "not_available", "* 5 uses 5 7 8 8 , not 4 7 8 8"),
            ("(7 - 1) * 4", "not_available", "( 7 - 1 ) * 4 uses 1 4 7 , not 4 7 8 8"),
            ("24", "not_available", "24 uses 24 , not 4 7 8 8"),
            ("4 + 7 + 8 + 8", "arithmetic", "is 27 , not 24"),
            ("4 / (8 - 8) * 7", "arithmetic", "is undefined , not 24"),
        ],
    )
    def test_wrong_answers(self, answer: str, kind: str, says: str) -> None:
        verdict = judge_answer(problem(), answer)
        assert verdict.ok is False
        assert verdict.kind == kind
        assert says in verdict.reason

    @pytest.mark.parametrize(
        "answer",
        [
            "(7 - 8 / 8) * 4",
            "4*(7-8/8)",
            "[7 − (8 ÷ 8)] × 4",
            r"\left(7 - \frac{8}{8}\right)\cdot 4",
        ],
    )
    def test_right_answers_in_every_spelling(self, answer: str) -> None:
        verdict = judge_answer(problem(), answer)
        assert verdict.ok is True
        assert verdict.evidence["value"] == "24"

    def test_equal_answers_have_equal_forms(self) -> None:
        one = GAME.normalise(problem(), "(7 - 8 / 8) * 4")
        assert one == GAME.normalise(problem(), "4 × (7 - (8 ÷ 8))")
        assert one != GAME.normalise(problem(), "(8 / 8 - 7) * 4")
        assert GAME.normalise(problem(), "none") is None

    def test_a_candidate_in_normal_form_uses_every_number(self) -> None:
        def form(expression: str) -> str | None:
            return GAME.candidate(problem(), State("candidate", {"answer": expression}))

        assert form("(7 - 8 / 8) * 4") == form("4 * (7 - 8 / 8)") != None  # noqa: E711
        assert form("4 + 7 + 8 + 8") is not None  # wrong, but a proposal
        assert form("4 * 6") is None
        assert form("nothing") is None
        assert GAME.candidate(problem(), State("step", STEP)) is None

    def test_recorded_traces_are_judged_as_their_authors_did(self) -> None:
        lines = (DATA / "gpt4_cot_sample.jsonl").read_text(encoding="utf-8").splitlines()
        rewards = []
        for record in map(json.loads, lines):
            of = problem(record["numbers"])
            answer = GAME.answer(record["output"])
            right = answer is not None and judge_answer(of, answer).ok is True
            assert right == (record["tot_reward"] == 1), record
            rewards.append(right)
            if right:  # a right answer never comes from no step at all
                assert states(record["output"], of)
        assert (len(rewards), sum(rewards)) == (60, 25)


class TestBruteForce:
    @given(PUZZLES)
    def test_reachable_is_what_an_independent_search_says(
        self, can_reach: Callable[[Sequence[int]], bool], puzzle: list[int]
    ) -> None:
        assert reachable(tuple(sorted(map(Fraction, puzzle)))) == can_reach(puzzle)

    @pytest.mark.parametrize("text", ["1 1 1 1", "13 13 13 13", "1 1 1 2", "1 6 7 8"])
    def test_puzzles_without_an_answer(self, text: str) -> None:
        reason = GAME.unsolvable(problem(text))
        assert reason == f"24 cannot be reached from {text}: every combination was tried"

    @pytest.mark.parametrize("text", ["3 3 8 8", "1 5 5 5", "4 4 10 10", "1 3 4 6", "4 7 8 8"])
    def test_famous_puzzles_have_one(self, text: str) -> None:
        assert GAME.unsolvable(problem(text)) is None

    def test_every_solution_is_right(self, is_right: Is) -> None:
        found = [arithmetic.show(e) for e in solutions([Fraction(n) for n in (4, 7, 8, 8)])]
        assert found
        assert all(is_right(answer, (4, 7, 8, 8)) for answer in found)


@dataclass(frozen=True)
class Step:
    """One right step with everything written exactly."""

    available: tuple[Fraction, ...]
    operator: str
    a: Fraction
    b: Fraction
    result: Fraction
    remaining: tuple[Fraction, ...]


@st.composite
def paths(draw: st.DrawFn) -> tuple[Problem, list[Step]]:
    """Three right steps from four numbers, whether or not they lead to 24."""
    puzzle = draw(PUZZLES)
    numbers, path = [Fraction(n) for n in puzzle], []
    while len(numbers) > 1:
        available = tuple(draw(st.permutations(numbers)))
        a, b, *rest = draw(st.permutations(numbers))
        operator = draw(st.sampled_from("+-*/" if b else "+-*"))
        result = {"+": a + b, "-": a - b, "*": a * b}[operator] if operator != "/" else a / b
        numbers = [*rest, result]
        path.append(Step(available, operator, a, b, result, tuple(draw(st.permutations(numbers)))))
    return GAME.parse(" ".join(map(str, puzzle))), path


@st.composite
def spelled(draw: st.DrawFn, step: Step, decimals: bool) -> str:
    """A step in one of its three spellings."""

    def write(number: Fraction) -> str:
        exact = number.denominator == 1 or not decimals
        text = str(number) if exact else f"{float(number):.9f}"
        return text.replace("-", draw(st.sampled_from("-−–"))) if number < 0 else text

    def listed(numbers: Sequence[Fraction]) -> str:
        opened, closed = draw(st.sampled_from([("", ""), ("[", "]"), ("(", ")"), ("[ ", " ]")]))
        joint = draw(st.sampled_from([" ", ", ", ",", "  "]))
        return opened + joint.join(map(write, numbers)) + closed

    whole = all(n.denominator == 1 for n in (step.a, step.b, step.result))
    space = draw(st.sampled_from(["", " "])) if whole else " "
    operators = {"+": "+", "-": "-−–—", "*": "*×·", "/": "/÷∕"}[step.operator]
    operator = space + draw(st.sampled_from(operators)) + space
    equal = "≈" if decimals else "="
    operation = f"{write(step.a)}{operator}{write(step.b)}{space}{equal}{space}{write(step.result)}"
    match draw(st.integers(0, 2)):
        case 0:
            arrow = draw(st.sampled_from([" -> ", " → ", "->"]))
            return f"{listed(step.available)} : {operation}{arrow}{listed(step.remaining)}\n"
        case 1:
            return f"{operation} (left: {listed(step.remaining)})\n"
        case _:
            label = draw(st.sampled_from(["Operation", "Suggested operation"]))
            return (
                f"Available numbers: {listed(step.available)}\n{label}: {operation}\n"
                f"Remaining numbers: {listed(step.remaining)}\n"
            )


@given(st.data(), paths(), st.booleans())
def test_a_right_path_passes_in_any_spelling(
    data: st.DataObject, path: tuple[Problem, list[Step]], decimals: bool
) -> None:
    of, steps = path
    text = "".join(data.draw(spelled(step, decimals)) for step in steps)
    assert judged(text, of) == [(True, "")] * 3


@given(st.data(), paths())
def test_one_changed_number_fails_at_exactly_its_step(
    data: st.DataObject, path: tuple[Problem, list[Step]]
) -> None:
    of, steps = path
    index = data.draw(st.integers(0, 2))
    step = steps[index]
    by = data.draw(st.sampled_from([Fraction(1), Fraction(-1), Fraction(10), Fraction(1, 2)]))
    place = data.draw(st.sampled_from(["a", "b", "result", "remaining"]))
    if place == "remaining":
        at = data.draw(st.integers(0, len(step.remaining) - 1))
        remaining = list(step.remaining)
        remaining[at] += by
        changed = Step(step.available, step.operator, step.a, step.b, step.result, tuple(remaining))
    else:
        parts = {"a": step.a, "b": step.b, "result": step.result}
        parts[place] += by
        changed = Step(
            step.available, step.operator, parts["a"], parts["b"], parts["result"], step.remaining
        )
    mutated = [*steps[:index], changed, *steps[index + 1 :]]
    text = "".join(data.draw(spelled(one, False)) for one in mutated)
    verdicts = judged(text, of)
    assert len(verdicts) == 3
    assert verdicts[:index] == [(True, "")] * index
    ok, kind = verdicts[index]
    assert ok is False
    kinds = {"result": ["arithmetic"], "remaining": ["wrong_remaining"]}
    assert kind in kinds.get(place, ["not_available", "arithmetic", "wrong_remaining"])


def test_a_bold_mark_alone_is_not_read() -> None:
    puzzle = GAME.parse("1 1 1 11")
    assert judge_answer(puzzle, "**(1 + 1) * (1 + 11)**").ok
    for text in ("(**1 + 1) * (1 + 11)", "(1 + 1) * (1 + 11)**"):
        assert judge_answer(puzzle, text).ok is None


@given(PUZZLES, st.data())
def test_an_answer_that_passes_is_right_by_an_independent_evaluation(
    is_right: Is, puzzle: list[int], data: st.DataObject
) -> None:
    """Answers drawn near the puzzle: its solutions, damaged or not, and free text."""
    of = GAME.parse(" ".join(map(str, puzzle)))
    found = next(solutions([Fraction(n) for n in puzzle]), None)
    base = arithmetic.show(found) if found is not None else " + ".join(map(str, puzzle))
    answer = list(base)
    for _ in range(data.draw(st.integers(0, 2))):
        at = data.draw(st.integers(0, len(answer) - 1))
        answer[at : at + 1] = data.draw(st.text("0123456789+-*/() ", max_size=2))
        assume(answer)
    text = "".join(answer)
    if judge_answer(of, text).ok:
        assert is_right(re.sub(r"(?<=[\d)]) *(?=\()", "*", text), puzzle)
    if text == base and found is not None:
        assert judge_answer(of, text).ok


LINES = st.one_of(
    st.text(max_size=320),
    st.text("0123456789+-*/=().:,[]{}->→×÷ \\boxedanswrlfAR", max_size=320),
    st.lists(
        st.sampled_from(
            [
                *("1 ", "1,", "24", "=", " : ", "->", "(left: ", "/", "0", "-", "8 - 7 = 1"),
                *("Available numbers: ", "Operation:", "Remaining numbers:"),
                *("\\boxed{", "}", "answer", "is "),
            ]
        ),
        max_size=60,
    ).map("".join),
    st.binary(max_size=200).map(lambda raw: raw.decode("latin-1")),
    st.binary(max_size=200).map(lambda raw: raw.decode("utf-8", "surrogateescape")),
)


@given(st.lists(LINES, max_size=6))
@example(["8 - 7 = 1/0 (left: 1/0 4 8)", "1/0 * 4 = 4 (left: 4 8)"])
@example(["1 " * 149 + ":"])
@example(["1 1" + " " * 290 + "="])
@example(["(" * 290 + "="])
def test_any_lines_are_read_without_an_error(lines: list[str]) -> None:
    """Verified steps build on every earlier one here, as they do while verdicts are awaited."""
    of, memory, earlier, offset = problem(), {}, list[State](), 0
    for line in lines:
        memory, found = GAME.extract(of, line, offset, memory)
        for state in found:
            verdict = judge_state(of, state, earlier)
            assert verdict.ok is True or verdict.reason
            GAME.candidate(of, state)
            earlier.append(state)
        offset += len(line)
    if (answer := GAME.answer("".join(lines))) is not None:
        judge_answer(of, answer)
        GAME.normalise(of, answer)
    json.dumps(memory)


@pytest.mark.parametrize(
    ("begin", "piece"),
    [
        ("Answer:", "\n"),
        ("Answer", " "),
        ("answer is :" * 30, "\n"),
        ("", "answer is :"),
        ("", "\\boxed{"),
        ("", "\\frac{"),
        ("\\frac", " "),
        ("", "1 x "),
    ],
)
def test_the_answer_of_a_long_text_is_looked_for_in_linear_time(begin: str, piece: str) -> None:
    is_linear(lambda size: GAME.answer(begin + piece * size))


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("so (7 - 8/8) * 4 = 24.", "(7 - 8/8) * 4"),
        ("Check: 4 * (7 - 8 / 8) = 4 * 6 = 24, good", "4 * (7 - 8 / 8)"),
        ("(7 - 8/8) * 4 = 24 + 3", None),
        ("(7 - 8/8) * 4 = 24.5", None),
    ],
)
def test_an_equation_among_words_is_a_candidate(line: str, found: str | None) -> None:
    domain = Game24()
    _, states = domain.extract(domain.parse("4 7 8 8"), line, 0, {})
    answers = [state.data["answer"] for state in states if state.kind == "candidate"]
    assert answers == ([found] if found else [])


@pytest.mark.parametrize(
    ("text", "ok"),
    [
        ("(7 - 8/8) * 4 = 6 * 4 = 24", True),
        ("24 = (7 - 8/8) * 4", True),
        ("(7 - 8/8) * 4 = 24\n\nSo the answer is 24.", True),
        ("The expression is \\( (7 - 8/8) * 4 = 24 \\).\n\n\\boxed{24}", True),
        ("(7 - 8/8) * 4 = 24 = 25", None),
        ("25 = (7 - 8/8) * 4 = 24", None),
        ("(7 - 8) * 4 = 6 * 4 = 24", False),
        ("25 = 7 * 8 - 8 * 4 + 1 = 24", False),
        ("Here's one way:\n\n**4 × (7 − 8/8) = 24**", True),
        ("Here’s a way to get 24:\n\n(7 - 8/8) * 4 = 24", True),
        ("Is this one possible way?\n\n(7 - 8/8) * 4 = 24", None),
        ("Here's one way to make 24:\n\n4 * (7 + 8/8) = 24", False),
        ("Here's one way that fails:\n\n(7 - 8/8) * 4 = 24", None),
        ("Therefore, one possible solution is $(7 - 8/8) \\times 4 = 24$.", True),
        ("Therefore, one impossible solution is (7 - 8/8) * 4 = 24.", None),
        ("You can make 24 with (7 - 8/8) * 4.", True),
        ("You cannot make 24 with (7 - 8/8) * 4.", None),
        ("You can nearly make 24 with (7 - 8/8) * 4.", None),
        ("Thus, the expression that equals 24 is (7 - 8/8) * 4.", True),
        ("Thus, the expression that equals 24 is (7 - 8/8) * 4 = 25.", None),
        ("Thus, the expression that equals 23 is (7 - 8/8) * 4.", None),
        ("The following fails.\n(7 - 8/8) * 4 = 24", None),
        ("There is no solution. The closest is the following.\n\n(7 - 8/8) * 4 = 24", None),
        ("This is not a solution:\n(7 - 8/8) * 4 = 24", None),
        ("```python\nprint('\\boxed{(7 - 8/8) * 4}')\n```\nI don't know.", None),
    ],
)
async def test_an_answer_is_read_with_all_that_it_equals(text: str, ok: bool | None) -> None:
    game = get("game24")
    said = game.answer(text)
    found = None if said is None else (await game.verify_answer(game.parse("4 7 8 8"), said)).ok
    assert found is ok


@pytest.mark.parametrize(
    "text",
    [
        "B\n\n3 * 8 = 24 is my final answer.",
        "B\n\n**3 * 8 = 24**",
        "B\n\n(7 - 2) * 4 = 20",
        "The answer is 3 * 8 = 24.\n\nB",
        "**3 * 8 = 24**\n\nB",
        "8*4-8\n\nB",
        "(7 - 8/8) * 4 is not 24.\n\nB",
        "(7 - 8/8) * 4 uses 8 three times.\n\nB",
        "24 cannot be reached from these numbers.\n\nB",
        "I give up.\n\nB",
        "For the numbers 4, 7, 8, 9:\n\nB",
        "The target is 30.\n\nB",
        "(7 - 8/8) * 4 = 20.\n\nB",
        "8/8 = 2\n7 - 2 = 5\n5 * 4 = 24\n\nB",
    ],
)
async def test_what_stands_beside_an_answer_contradicts_it(text: str) -> None:
    said = GAME.answer(text.replace("B", "\\boxed{(7 - 8/8) * 4}"))
    assert said is None or (await GAME.verify_answer(GAME.parse("4 7 8 8"), said)).ok is None


@pytest.mark.parametrize(
    "text",
    [
        "We try 8 * 3 = 24, and 9 - 7 = 2 is no use.\n\nSo:\n\nB",
        "The numbers are 8, 4, 7, 8. The target is 24.\n\nB",
        "8 * 4 = 32, which is not 24.\n\nWe divide first.\n\nB",
        "8 / 8 = 1\n7 - 1 = 6\n6 * 4 = 24\n\nB",
        "Using 7 and 4, we want to get 6 from the rest.\n\nSo the answer is:\n\nB",
        "B\n\n8 / 8 = 1\n7 - 1 = 6\n**6 * 4 = 24**",
        "B\n\nCheck: (7 - 8/8) * 4 = (7 - 1) * 4 = 6 * 4 = 24",
    ],
)
def test_what_stands_beside_an_answer_goes_with_it(text: str) -> None:
    assert GAME.answer(text.replace("B", "\\boxed{(7 - 8/8) * 4}")) == "(7 - 8/8) * 4"
