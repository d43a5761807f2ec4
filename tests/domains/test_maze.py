from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from injection import Made, check

from agentflow.domains import get
from agentflow.domains.answers import conclusions
from agentflow.domains.maze import Maze
from agentflow.errors import BadInput
from agentflow.problem import Problem
from agentflow.state import State
from agentflow.verdict import Verdict

MAZE = Maze()
DRAWN = "#######\n#XXS  #\n#X### #\n#X# # #\n#X# # #\n#E#   #\n#######"
ACROSS = "#######\n#SXXXE#\n# ### #\n#   # #\n##### #\n#     #\n#######"
AROUND = "#######\n# #XXX#\n# #X#X#\n#E#S#X#\n#X###X#\n#XXXXX#\n#######"
RIGHT_TURNS = "How many right turns are there in the provided path (marked by X) from S to E?"
FOUR = "Available options: A. 0, B. 2, C. 5, D. 9"
YES_NO = "Available options: A. Yes, B. No"
BENT = "#####\n#SX #\n##X##\n#EX #\n#####\n"


def problem(drawn: str = DRAWN, question: str = RIGHT_TURNS, options: str = FOUR) -> Problem:
    return MAZE.parse(f"{drawn}\n{question}\n{options}")


def stated(text: str) -> str | None:
    """The answer of a text with the numbers of turns on whose grounds it is stated."""
    answer = MAZE.answer(text)
    if answer is None:
        return None
    said, told = conclusions.parted(answer)
    return conclusions.grounded(said, [one for one in told if not one.startswith("told: ")])


def states(text: str, of: Problem | None = None) -> list[State]:
    memory: dict[str, Any] = {}
    found: list[State] = []
    offset = 0
    for line in text.splitlines(keepends=True):
        memory, new = MAZE.extract(of or problem(), line, offset, memory)
        found += new
        offset += len(line)
    return found


def judge_answer(of: Problem, answer: str) -> Verdict:
    return asyncio.run(MAZE.verify_answer(of, answer))


def judge_state(of: Problem, state: State, earlier: list[State]) -> Verdict:
    return asyncio.run(MAZE.verify_state(of, state, earlier))


def judged(text: str, of: Problem | None = None) -> list[tuple[bool | None, str]]:
    """(ok, kind) of each state, given those before it that passed."""
    right: list[State] = []
    verdicts = []
    for state in states(text, of):
        verdict = judge_state(of or problem(), state, right)
        verdicts.append((verdict.ok, verdict.kind))
        if verdict.ok:
            right.append(state)
    return verdicts


class TestParse:
    """Drawings and options as they stand in SpatialEval (MIT), its prompts' frame left out."""

    def test_turns(self) -> None:
        parsed = problem()
        assert parsed.data["asked"] == {"count": "right"}
        assert parsed.data["options"] == {"A": "0", "B": "2", "C": "5", "D": "9"}
        assert judge_answer(parsed, "A").ok

    @pytest.mark.parametrize(
        ("kind", "answer"), [("right ", "2"), ("left ", "0"), ("total ", "2"), ("", "2")]
    )
    def test_every_kind_of_turn(self, kind: str, answer: str) -> None:
        parsed = problem(BENT, RIGHT_TURNS.replace("right ", kind), "")
        assert judge_answer(parsed, answer).ok is True
        assert judge_answer(parsed, "1").kind == "wrong_answer"

    @pytest.mark.parametrize(
        ("drawn", "says", "answer"),
        [
            (ACROSS, "directly to the right of", "A"),
            (AROUND, "directly to the left of", "A"),
            (DRAWN, "directly below", "B"),
            (DRAWN, "to the bottom left of", "A"),
            (DRAWN, "to the top left of", "B"),
            (DRAWN, "to the bottom right of", "B"),
            (DRAWN, "directly to the left of", "B"),
            (DRAWN, "directly above", "B"),
        ],
    )
    def test_where_the_exit_lies(self, drawn: str, says: str, answer: str) -> None:
        no = {"le": ", with no vertical displacement", "be": ", with no horizontal displacement"}
        tail = no["le"] if "left" in says or "right" in says else no["be"]
        tail = tail if "directly" in says else ""
        question = f"Is the exit (E) {says} the starting point (S){tail}?"
        parsed = problem(drawn, question, YES_NO)
        assert [judge_answer(parsed, one).ok for one in "AB"] == [answer == "A", answer == "B"]

    def test_the_other_way_round(self) -> None:
        question = "Is the starting point (S) to the top right of the exit (E)?"
        parsed = problem(question=question, options=YES_NO)
        assert judge_answer(parsed, "Yes").ok is True

    @pytest.mark.parametrize(
        "frame",
        [
            "Legend:\n- `#` is a wall.\n- `X` marks the path.\n```\n{}\n```\nQuestion: {}\n{}",
            "    {}\n\n{} {}",
            "{}\r\n**{}**\n\n{}\n",
        ],
    )
    def test_what_stands_around_it(self, frame: str) -> None:
        drawn = DRAWN.replace("\n", "\n    ") if frame.startswith(" ") else DRAWN
        assert MAZE.parse(frame.format(drawn, RIGHT_TURNS, FOUR)).data == problem().data | {
            "question": frame.format(drawn, RIGHT_TURNS, FOUR).strip()
        }

    def test_the_domain_is_found_and_its_example_is_a_problem(self) -> None:
        assert isinstance(get("maze"), Maze)
        parsed = MAZE.parse(MAZE.example)
        assert MAZE.unsolvable(parsed) is None
        assert judge_answer(parsed, "C").ok

    @pytest.mark.parametrize(
        ("drawn", "says"),
        [
            ("", "no maze is drawn"),
            (DRAWN.replace("S", "X"), "one starting point (S), there are 0"),
            (DRAWN.replace("E", "X"), "one exit (E), there are 0"),
            (DRAWN.replace("XXS", "SXS"), "one starting point (S), there are 2"),
            (DRAWN.replace("XXS", "XES"), "one exit (E), there are 2"),
            (DRAWN.replace("#X### #", "#X####"), "not rectangular: row 2 has 6 cells, row 0 has 7"),
            (DRAWN.replace("#E#   #", "#E# ? #"), "row 5 has '?'"),
            (DRAWN.replace("#X# # #", ".X# # #"), "two mazes, or rows that do not"),
            (f"{DRAWN}\n\n{DRAWN}", "two mazes"),
            (DRAWN.replace("#X###", "# ###"), "the path marked by X ends at (1, 1)"),
            (DRAWN.replace("XXS ", "XXSX"), "branches at (1, 3)"),
            (DRAWN.replace("# #\n#E", "#X#\n#E"), "beside the path"),
        ],
    )
    def test_bad_mazes(self, drawn: str, says: str) -> None:
        with pytest.raises(BadInput) as caught:
            problem(drawn)
        assert says in str(caught.value)
        assert str(caught.value).startswith("maze: ")
        assert "\n" not in str(caught.value)
        assert len(str(caught.value)) < 250

    @pytest.mark.parametrize(
        ("question", "options", "says"),
        [
            ("How long is the path?", FOUR, "no question of a known kind"),
            ("", "", "no question of a known kind"),
            ("Is the exit (E) near the starting point (S)?", YES_NO, "no question of a known kind"),
            ("Is the exit (E) to the left right of the start (S)?", "", "no question of a known"),
            ("Is the exit (E) above the exit (E)?", YES_NO, "no question of a known kind"),
            (f"{RIGHT_TURNS} How many left turns are there?", FOUR, "two questions"),
            (RIGHT_TURNS, "Options: A. 1, B. 2", "the answer is 0, which is none of the options"),
            (RIGHT_TURNS, YES_NO, "none of the options A. Yes, B. No"),
            (RIGHT_TURNS, "Options: A. 0, B. 0", "option B, '0', is there twice"),
        ],
    )
    def test_bad_questions(self, question: str, options: str, says: str) -> None:
        with pytest.raises(BadInput) as caught:
            problem(question=question, options=options)
        assert says in str(caught.value)
        assert "\n" not in str(caught.value)

    def test_too_long(self) -> None:
        with pytest.raises(BadInput, match="more than 100,000 characters"):
            problem(options="x" * 100_000)

    @given(st.text("#SEX \n?HowmanyturnsA.1", max_size=80))
    def test_any_text_is_parsed_or_refused(self, text: str) -> None:
        for whole in (text, f"{text}\n{RIGHT_TURNS}", f"{DRAWN}\n{text}"):
            try:
                parsed = MAZE.parse(whole)
            except BadInput:
                continue
            assert json.loads(json.dumps(parsed.data)) == parsed.data


class TestAnswers:
    @pytest.mark.parametrize(
        "answer",
        [
            *(
                "A",
                "a",
                "(A)",
                "A.",
                "A. 0",
                "A: 0",
                "0",
                "00",
                "０",
                "Right turns = 0",
                "turns = 0",
            ),
            *("**A**", "$0$", "option A", "0 (A)", "right turns: 0", "0 right turns"),
        ],
    )
    def test_spellings_of_a_number(self, answer: str) -> None:
        assert judge_answer(problem(), answer).ok is True
        assert MAZE.normalise(problem(), answer) == "0"

    @pytest.mark.parametrize(
        "answer",
        [
            *("", "E", "A or B", "A. 2", "1 or 0", "left turns = 0", "0 left turns", "nothing"),
            *("-0", "Yes", "0.5", "A" * 1_000, "0 (B)", "a b", "½"),
        ],
    )
    def test_what_is_no_answer(self, answer: str) -> None:
        verdict = judge_answer(problem(), answer)
        assert (verdict.ok, verdict.kind) == (None, "unread")
        assert MAZE.normalise(problem(), answer) is None

    @pytest.mark.parametrize(
        "answer", ["B", "No", "NO.", "B. No", "no, E is not above S", "No: E is left of S"]
    )
    async def test_yes_and_no(self, answer: str) -> None:
        parsed = problem(question="Is the exit (E) directly above the start (S)?", options=YES_NO)
        assert (await MAZE.verify_answer(parsed, answer)).ok is True
        assert await MAZE.equal(parsed, answer, "No")
        assert not await MAZE.equal(parsed, answer, "A")
        assert not await MAZE.equal(parsed, "?", "?")

    @pytest.mark.parametrize(
        ("text", "answer"),
        [
            ("\\boxed{B}\nno: \\boxed{A}\n", "A"),
            (">>> FINAL ANSWER: Right turns = 2\n", "Right turns = 2"),
            ("**Answer:** A\n", "A"),
            ("The answer is A. 0", "A. 0"),
            ("Answer: B\n\\boxed{A}", None),
            ("So we turn.\nThere are 2 right turns in the path.", "2 right turns"),
            ("**Total number of right turns** = two.", "two right turns"),
            ("Thus the number of right turns is 2, which is option B.", "b (2 right turns)"),
            ("There are 2 right turns or 1 left turn in the path.", None),
            ("There are not 2 right turns.", None),
            ("There are no left turns.", "no left turns"),
            ("There are no wrong turns.", None),
            ("\\boxed{2} left turns", "2 left turns"),
            ("\\boxed{2} moves back", "2"),
            ("There are 2 right turns.\nNo, wait.", None),
            ("Count of right turns: 1", None),
            ("So we turn.\n\n2", "2"),
            ("The answer is not B. The answer is C.", "C"),
            ("I do not know", None),
            ("\\boxed{}", None),
            ("Answer:", None),
        ],
    )
    def test_where_the_answer_stands(self, text: str, answer: str | None) -> None:
        assert stated(text) == answer

    @pytest.mark.parametrize(
        ("text", "ok"),
        [
            ("Therefore, the number of right turns is **0**.", True),
            ("Therefore, there are **0** right turns.", True),
            ("So we have **0** right turns.", True),
            ("Thus, there are exactly **0** right turns.", True),
            ("So the given path makes **0** right turns.", True),
            ("Therefore, the number of right turns from S to E is **0**.", True),
            ("Therefore, the number of right turns from E to S is **0**.", None),
            ("Therefore, there are at least **0** right turns.", None),
            ("Therefore, the right turn count is **0**.", True),
            ("Therefore, the number of right turns is **A. 0**.", True),
            ("So, **0**.", True),
            ("Therefore, the correct option is **A**.", True),
            ("Therefore, the number of right turns is **1**.", False),
            ("Therefore, the number of right turns is **B. 0**.", None),
            ("Therefore, the number of left turns is **0**.", None),
            ("So we have **0** left turns.", None),
            ("Therefore, the total number of turns is **0**.", None),
            ("Thus the row of E is **0**.", None),
            ("So the count so far is **0**.", None),
        ],
    )
    def test_a_number_in_bold_print_is_of_what_is_asked(self, text: str, ok: bool | None) -> None:
        said = MAZE.answer(text)
        assert (None if said is None else judge_answer(problem(), said).ok) is ok
        found = [one for one in states(text) if one.kind == "candidate"]
        assert (judge_answer(problem(), found[-1].data["answer"]).ok if found else None) is ok

    @pytest.mark.parametrize(
        ("text", "ok"),
        [
            ("No, the exit (E) is not above the starting point (S).", True),
            ("**No**, the exit (E) is not above the starting point (S).", True),
            ("No. E is to the left of S.", True),
            ("We compare.\n\nNo — the exit (E) is not above the starting point (S).", True),
            ("Yes, the exit (E) is above the starting point (S).", False),
            ("No, the exit (E) is above the starting point (S).", None),
            ("Yes, the exit (E) is not above the starting point (S).", None),
            ("No, the exit (E) is not above the starting point (S), if I read it right.", None),
            ("No, but the exit (E) is not above the starting point (S).", None),
            ("No, the path is long.", None),
            ("Is it?\nNo, the exit (E) is not above the starting point (S).", None),
            ("Suppose so.\nNo, the exit (E) is not above the starting point (S).", None),
        ],
    )
    def test_a_yes_or_a_no_with_what_it_means(self, text: str, ok: bool | None) -> None:
        asked = problem(question="Is the exit (E) directly above the start (S)?", options=YES_NO)
        said = MAZE.answer(text)
        assert (None if said is None else judge_answer(asked, said).ok) is ok

    def test_candidates(self) -> None:
        found = states("The answer is A? Hm.\nanswer: B\n$\\boxed{C}$\nMy answer is long.\n")
        assert [state.kind for state in found] == ["candidate"] * 2
        assert [MAZE.candidate(problem(), state) for state in found] == ["2", "5"]
        assert judged("answer: B\n\\boxed{A}") == [(False, "wrong_answer"), (True, "")]
        (step,) = states("S position: (1,3)")
        assert MAZE.candidate(problem(), step) is None


STEP = (
    ">>> STEP 1: Move LEFT from (1,3) to (1,2)\nCurrent position: (1,2)\nPrevious direction:\n"
    "Current direction: LEFT\nTurn type: STRAIGHT\nRunning count: Right=0, Left=0, Total=0\n"
)


class TestSteps:
    def test_a_step_in_the_format_of_the_paper(self) -> None:
        assert judged(STEP) == [(True, "")] * 5

    @pytest.mark.parametrize(
        "line",
        [
            "Move LEFT from (1,3) to (1,2)",
            "- **Step 1:** Move left from (1, 3) to (1, 2).",
            "1. Move LEFT from [1,3] → [1,2]",
            "STEP 1: Move WEST from (1, 3) to (1, 2)",
            "> `STEP 1` - MOVE Left from (row 1, col 3) to (row=1; column=2)",
            "Step #1) move　LEFT from （１，３） to （١,２)",
        ],
    )
    def test_spellings_of_a_move(self, line: str) -> None:
        (state,) = states(line)
        move = {"direction": "LEFT", "from": [1, 3], "to": [1, 2]}
        assert state.data == {"claim": "move", "move": move, "gap": False}
        assert judged(line) == [(True, "")]

    @pytest.mark.parametrize(
        "line",
        [
            "If I move LEFT from (1,3) to (1,2)",
            "Move LEFT from (1,3) to (1,2)?",
            "Let S position: (2,4) be counted from 1",
            "Is E above S?",
            "x" * 301,
            "❌ Move LEFT from (1,3) to (1,2)",
            "STEP 1: FOLLOW THE PATH:",
        ],
    )
    def test_what_claims_nothing_is_no_state(self, line: str) -> None:
        assert states(line) == []

    @pytest.mark.parametrize(
        "line",
        [
            "Move FORWARD",
            "Move LEFT from (1,3) to (1,1), then DOWN",
            "Move LEFT (1,3) (1,2)",
            "STEP 3: go on to the exit",
            f"Move LEFT from (1,3) to (1,2) {'because ' * 50}",
            "S position: (row, col)",
            "S position: (2,4) or (2,5)",
            "E is near S",
            "E is not really above S",
            "E is directly in the same row as S",
            "E is above S (larger row)",
            "The exit (S) is above the starting point (E)",
            "E is above S: maybe",
            "Row comparison: E row (r) < S row (r)",
            "Row comparison: E row (5) > S col (3)",
            "Row comparison: E row (5) > S row (1) -> E is near S",
            "Turn type: RIGHT_TURN",
            f"{STEP}Turn type: STRAIGHT (not really)",
            f"{STEP}Turn type: LEFT (since LEFT -> DOWN is a right turn)",
            f"{STEP}Turn type: RIGHT (since LEFT -> DOWN is a right turn)",
            f"{STEP}Turn type: STRAIGHT, or RIGHT_TURN",
            f"{STEP}Current direction: LEFT (DOWN)",
            f"{STEP}Running count: Right=0, Right=1",
            f"{STEP}Running count: Right=0, Left=0²",
            f"{STEP}Running count: Right=1*0",
            f"{STEP}Current position: not (1,2)",
        ],
    )
    def test_a_step_that_cannot_be_read_cannot_be_told(self, line: str) -> None:
        *before, last = judged(line)
        assert last == (None, "unread")
        assert before in ([], [(True, "")] * 5)

    def test_a_move_that_says_it_ends_at_an_end(self) -> None:
        assert judged("Move LEFT from (1,3) to (1,2) [E]") == [(True, ""), (False, "location")]
        text = "Move LEFT from (1,3) to (1,1)\nMove DOWN from (1,1) to (5,1) [E]"
        assert judged(text) == [(True, "")] * 3

    @pytest.mark.parametrize(
        ("line", "kind"),
        [
            ("S position: (2,4)", "location"),
            ("E position: (1,5)", "location"),
            ("Move LEFT from (1,3) to (2,3)", "direction"),
            ("Move LEFT from (1,3) to (1,3)", "direction"),
            ("Move DOWN from (1,3) to (2,3)", "wall"),
            ("Move UP from (1,3) to (-1,3)", "wall"),
            ("Move RIGHT from (1,3) to (1,4)", "off_path"),
            ("Move RIGHT from (1,2) to (1,3)", "off_path"),
            ("Move LEFT from (1,2) to (1,1)", "not_reached"),
            ("Move DOWN from (1,5) to (2,5)", "not_reached"),
            ("Move DOWN from (5,1) to (6,1)", "wall"),
            (STEP.splitlines()[0] + "\nCurrent position: (1,1)", "position"),
            (STEP.splitlines()[0] + "\nPrevious direction: DOWN", "previous_direction"),
            (STEP.splitlines()[0] + "\nCurrent direction: DOWN", "direction"),
            (STEP.splitlines()[0] + "\nTurn type: LEFT_TURN", "turn"),
            (STEP.splitlines()[0] + "\nRunning count: Right=1, Left=0", "count"),
            (STEP.splitlines()[0] + "\nRunning count: Right=0, Left=0, Total=1", "count"),
            (">>> FINAL ANSWER: Left turns = 2", "count"),
            ("Row comparison: E row (4) > S row (1)", "comparison"),
            ("Row comparison: E row (5) < S row (1)", "comparison"),
            ("Col comparison: E col (1) vs S col (2)", "comparison"),
            ("Col comparison: E col (1) < S col (3) > E is RIGHT of S", "relation"),
            ("E is above S: YES", "relation"),
            ("E is below S: NO", "relation"),
            ("E is not below S (larger row)", "relation"),
            ("Therefore E is directly below S.", "relation"),
            (">>> ANSWER: YES, E is to the top left of S.", "relation"),
        ],
    )
    def test_every_error_kind_is_named(self, line: str, kind: str) -> None:
        found = [one for one in judged(line) if not one[0]]
        assert found == [(False, kind)]
        reason = judge_state(problem(), [s for s in states(line) if s.kind == "step"][-1], [])
        assert reason.reason
        assert "\n" not in reason.reason

    @pytest.mark.parametrize(
        ("line", "claim"),
        [
            ("Previous direction: —", {"claim": "previous_direction", "direction": None}),
            ("Previous direction: None", {"claim": "previous_direction", "direction": None}),
            ("**Previous direction**: East", {"claim": "previous_direction", "direction": "RIGHT"}),
            ("Current direction: WEST", {"claim": "direction", "direction": "LEFT"}),
            ("Turn type: No turn", {"claim": "turn", "turn": "STRAIGHT"}),
            ("Turn type: LEFT (DOWN → RIGHT is 90°)", {"claim": "turn", "turn": "LEFT_TURN"}),
            ("Running counts: right: 1; total: 2.", {"counts": {"right": 1, "total": 2}}),
            ("Current position: [1; 2]", {"claim": "position", "at": [1, 2]}),
        ],
    )
    def test_spellings_of_what_stands_under_a_move(self, line: str, claim: dict[str, Any]) -> None:
        _, state = states(f"Move LEFT from (1,3) to (1,2)\n{line}")
        assert {key: state.data[key] for key in claim} == claim

    def test_a_move_goes_on_from_what_was_reached(self) -> None:
        text = "Move LEFT from (1,3) to (1,2)\nMove LEFT from (1,2) to (1,1)\n"
        assert judged(text) == [(True, "")] * 2
        assert judged(text + text) == [(True, "")] * 4
        assert judged(text + "Move DOWN from (2,1) to (3,1)") == [
            *[(True, "")] * 2,
            (False, "not_reached"),
        ]

    def test_a_stride_straight_on(self) -> None:
        text = (
            "Move LEFT from (1,3) to (1,1)\nMove DOWN from (1,1) to (5,1)\n"
            "Previous direction: LEFT\nTurn type: LEFT_TURN\nRunning count: Right=0, Left=1\n"
        )
        assert judged(text) == [(True, "")] * 5
        assert judged("Move DOWN from (1,1) to (6,1)") == [(False, "wall")]

    def test_behind_a_move_that_cannot_be_read(self) -> None:
        text = STEP + "Step 2: go to (1,1)\nCurrent position: (1,1)\nMove DOWN from (1,1) to (2,1)"
        found = states(text)
        assert [state.data["claim"] for state in found[-3:]] == ["unread", "unread", "move"]
        assert judged(text) == [*[(True, "")] * 5, *[(None, "unread")] * 2, (True, "")]

    def test_what_is_said_of_a_wrong_move_cannot_be_told(self) -> None:
        text = "Move DOWN from (1,3) to (2,3)\nCurrent position: (2,3)\nTurn type: STRAIGHT"
        assert judged(text) == [(False, "wall"), (None, ""), (None, "")]

    def test_memory_is_never_changed_in_place(self) -> None:
        memory, _ = MAZE.extract(problem(), "Move LEFT from (1,3) to (1,2)\n", 0, {})
        kept = json.loads(json.dumps(memory))
        MAZE.extract(problem(), "Turn type: STRAIGHT\n", 30, memory)
        MAZE.extract(problem(), "Step two goes on\n", 50, memory)
        assert memory == kept

    def test_two_claims_on_a_line_and_the_span(self) -> None:
        line = "Row comparison: E row (5) > S row (1) -> E is below S\n"
        found = MAZE.extract(problem(), line, 7, {})[1]
        assert [(state.start, state.end) for state in found] == [(7, 7 + len(line))] * 2


class TestUnfinished:
    """Where the path was followed to."""

    WHOLE = "Move LEFT from (1,3) to (1,1)\nMove DOWN from (1,1) to (5,1)\n"

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("", None),
            ("S position: (1,3)\n", None),
            (WHOLE, None),
            (WHOLE + "Move LEFT from (1,3) to (1,2)\n", None),
            ("Move LEFT from (1,3) to (1,2)\n", "the path was followed only to (1,2)"),
            (STEP + "Move LEFT from (1,2) to (1,1)\n", "the path was followed only to (1,1)"),
        ],
    )
    def test_a_path_left_half_way(self, text: str, reason: str | None) -> None:
        assert MAZE.unfinished(problem(), states(text)) == reason

    def test_only_where_turns_are_counted_from_s_to_e(self) -> None:
        (move,) = states("Move LEFT from (1,3) to (1,2)\n")
        lies = problem(question="Is the exit (E) below the start (S)?", options=YES_NO)
        assert MAZE.unfinished(lies, [move]) is None
        back = problem(question="How many right turns are there from E to S?", options="")
        assert MAZE.unfinished(back, [move]) is None


class TestFromTheExit:
    """The path the other way round: right turns are left turns, and steps are not judged."""

    def test_answers(self) -> None:
        for kind, right in (("right ", "0"), ("left ", "2"), ("total ", "2"), ("", "2")):
            asked = f"How many {kind}turns are there in the path from E to S?"
            assert judge_answer(problem(BENT, asked, ""), right).ok is True
            assert judge_answer(problem(BENT, asked, ""), "1").ok is False

    def test_steps(self) -> None:
        back = problem(BENT, "How many right turns are there in the path from E to S?", "")
        text = "S position: (1,1)\nMove RIGHT from (3,1) to (3,2)\nAnswer: right turns = 0"
        assert judged(text, back) == [(True, ""), (None, "unread"), (None, "unread"), (True, "")]


RECORDED = Path(__file__).parent.parent / "data" / "spatialeval" / "maze_traces.jsonl"
ROWS = [json.loads(line) for line in RECORDED.read_text().splitlines()]
WRONG = {
    "maze-3013": (0, "location", None),  # counts rows and columns from 1, and was stopped there
    "maze-4005": (5, "wrong_answer", False),  # takes "directly" for "beside"
    "maze-4007": (4, "wrong_answer", False),
    "maze-4011": (4, "wrong_answer", False),
}


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
async def test_recorded_traces(row: dict[str, str]) -> None:
    assert (await MAZE.verify_answer(MAZE.parse(row["problem"]), row["gold"])).ok is True
    index, kind, right_answer = WRONG.get(row["id"], (None, "", True))
    wrong = None if index is None else (index, kind)
    await check("maze", Made(row["problem"], row["trace"], wrong, right_answer))
    steps = row["trace"].count("STEP ")
    found = states(row["trace"], MAZE.parse(row["problem"]))
    assert [state.data.get("claim") for state in found].count("move") == steps


@pytest.mark.parametrize(
    ("text", "ok"),
    [
        ("There are 2 right turns, so the answer is C.", True),
        ("There are 3 right turns, so the answer is C.", None),
        ("The answer is C, because there is one right turn.", None),
        ("The answer is C, since the path turns twice.", True),
        ("The path has 0 left turns and 2 right turns, so the answer is C.", True),
        ("The path has 1 left turn and 2 right turns, so the answer is C.", None),
    ],
)
async def test_an_option_is_read_with_the_count_that_leads_to_it(
    text: str, ok: bool | None
) -> None:
    maze = "#####\n#SX #\n##X##\n#EX #\n#####\n"
    problem = MAZE.parse(f"{maze}How many right turns are there?\nA. 0\nB. 1\nC. 2")
    answer = MAZE.answer(text)
    assert answer is not None
    assert (await MAZE.verify_answer(problem, answer)).ok is ok
