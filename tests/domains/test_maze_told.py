"""Mazes: what a reply says beside its answer is understood and right, or it is undecided."""

from __future__ import annotations

import pytest
from replies import verdict

GRID = "#######\n#S###E#\n#X###X#\n#XXX#X#\n###X#X#\n#  XXX#\n#######\n"
LEFT = f"{GRID}How many left turns are there in the provided path from S to E?\nA. 3\nB. 1\nC. 5"
TOTAL = f"{GRID}How many total turns are there in the provided path from S to E?\nA. 4\nB. 6\nC. 2"
SAME = f"{GRID}Is the exit (E) directly to the right of the starting point (S)?\nA. Yes\nB. No"
ANSWERS = {LEFT: "A", TOTAL: "A", SAME: "A"}


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (LEFT, "The path runs south, east, south, east and north."),
        (LEFT, "Down 2, right 2, down 2, right 2, up 4."),
        (
            LEFT,
            "From S go down two cells to (3,1), right to (3,3), down to (5,3)."
            " Then it heads right to (5,5) and up to E.",
        ),
        (
            LEFT,
            "1. down -> right: left turn\n2. right -> down: right turn\n"
            "3. down -> right: left turn\n4. right -> up: left turn",
        ),
        (LEFT, "Left turns: down -> right, down -> right, right -> up. That is 3."),
        (LEFT, "The only right turn is at (3,3)."),
        (LEFT, "Three of the four turns are left turns."),
        (LEFT, "There are 3 left turns and 1 right turn."),
        (TOTAL, "Five segments, so there are 5 - 1 = 4 turns."),
        (
            TOTAL,
            "| Corner | Change |\n|---|---|\n| (3,1) | down → right |\n| (3,3) | right → down |"
            "\n| (5,3) | down → right |\n| (5,5) | right → up |",
        ),
        (LEFT, "At (3,1) it goes from down to right: a left turn."),
        (LEFT, "The left turns occur at (3,1), (5,3) and (5,5)."),
        (
            LEFT,
            "I first go down, then right (that's a left turn), then down (a right turn)."
            " Then right to (5,5) and lastly up to E (another left turn).",
        ),
        (
            LEFT,
            "| # | Direction | Cells | Turn |\n|---|---|---|---|\n| 1 | Down | 2 | - |"
            "\n| 2 | Right | 2 | Left |\n| 3 | Down | 2 | Right |\n| 4 | Right | 2 | Left |"
            "\n| 5 | Up | 4 | Left |",
        ),
        (TOTAL, "So there are 1 right + 3 left = 4 turns."),
        (TOTAL, "Path: (1,1) → (3,1) → (3,3) → (5,3) → (5,5) → (1,5)."),
        (
            LEFT,
            "S ↓ (3,1) → (3,3) ↓ (5,3) → (5,5) ↑ E\n\n1. ↓ to →: left\n2. → to ↓: right\n"
            "3. ↓ to →: left\n4. → to ↑: left",
        ),
        (LEFT, "(3,1): left\n(3,3): right\n(5,3): left\n(5,5): left"),
        (LEFT, "Moves (U = up, D = down, R = right): D, R, D, R, U."),
        (
            LEFT,
            "3 left turns:\n- down → right, in row 3\n- down → right, in row 5\n- right → up",
        ),
        (LEFT, "3 left turns: down → right, down → right and right → up are all left turns."),
        (
            TOTAL,
            "- Down from S\n- Turn right. [1 turn]\n- Go down. [2 turns]\n- Then right."
            " [3 turns]\n- Lastly up to E. [4 turns]",
        ),
        (TOTAL, "Each change of direction is a turn, so there are 4 turns."),
        (TOTAL, "If we went on, there would be 5 turns."),
        (SAME, "The rows are equal."),
        (SAME, "E is below S ✗ (same row)."),
        (SAME, "The statement that E is above S is false."),
        (SAME, "S and E are both in the top row."),
        (SAME, "S is at row 1, column 1 and E is four columns to the right, in the same row."),
        (SAME, "Both S and E are in row 1, so there is no vertical displacement."),
    ],
)
def test_what_is_understood_and_true(problem: str, said: str) -> None:
    assert verdict("maze", problem, f"{said}\n\nAnswer: {ANSWERS[problem]}") is True


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (LEFT, "The path runs south, east, south, east and south."),
        (LEFT, "The path runs south, east, south and east."),
        (LEFT, "1. down -> right: right turn\n2. right -> down: left turn"),
        (LEFT, "Left turns: down -> right, right -> up. That is 3."),
        (LEFT, "The only right turn is at (5,3)."),
        (LEFT, "All of the four turns are left turns."),
        (LEFT, "There are 3 left turns and 2 right turns."),
        (LEFT, "Down 2, right 2, up 4."),
        (LEFT, "At (3,3) it turns down; the rest of the turns, three of them, are left turns."),
        (LEFT, "The left turns occur at (3,1), (3,3) and (5,5)."),
        (LEFT, "The third turn is a right turn."),
        (LEFT, "The path winds through 12 steps of 5 rows."),
        (
            LEFT,
            "| Direction | Cells | Turn |\n|---|---|---|\n| Down | 2 | - |\n| Right | 3 | Left |",
        ),
        (LEFT, "(1,1) → (3,1) → (3,3) → (5,3) → (5,4) → (3,5) → E"),
        (LEFT, "Directions: down, right, up, right, up."),
        (LEFT, "Trace: S → down to (3,1) → right to (3,3) → down to (5,3) → left to E."),
        (LEFT, "E is at (1,1), and the path goes down."),
        (LEFT, "(3,1): right\n(3,3): right\n(5,3): left\n(5,5): left"),
        (LEFT, "- D→R: right"),
        (LEFT, "Moves (U = down, D = up, R = right): D, R, D, R, U."),
        (LEFT, "down → right, in row 3 and right → up are both right turns."),
        (LEFT, "Left turns:\n- down → right, in row 3\n- down → right, in row 3\n- right → up"),
        (LEFT, "At (3,1) it goes down (a left turn), then right (a right turn)."),
        (LEFT, "The maze is one of many that I like."),
        (TOTAL, "- Down from S\n- Turn right. [2 turns]"),
        (TOTAL, "3 + 4 = 8 turns."),
        (TOTAL, "If we took the path, there would be 5 turns."),
        (TOTAL, "A U-shape has 3 turns."),
        (SAME, "The columns are equal."),
        (SAME, "E is in the same row as S ✗."),
        (SAME, "The statement that E is to the right of S is false."),
        (TOTAL, "Six segments, so there are 4 turns."),
        (TOTAL, "So the path has 1 + 3 = 5 turns altogether."),
        (TOTAL, "Path: (1,1) → (3,1) → (3,5) → (1,5)."),
        (SAME, "Row: 1 < 2, so E is above S."),
        (SAME, "E is in the bottom-right corner."),
        (LEFT, "A right turn is a counter-clockwise turn."),
        (TOTAL, "The maze has 9 rows and 7 columns."),
        (SAME, "S is at row 1, column 1 and E is five columns to the right."),
        (SAME, "Both S and E are in row 2."),
        (SAME, "E sits to the upper right of S."),
    ],
)
def test_what_is_false(problem: str, said: str) -> None:
    assert verdict("maze", problem, f"{said}\n\nAnswer: {ANSWERS[problem]}") is None


@pytest.mark.parametrize(
    ("text", "ok"),
    [
        ("A. The path turns left three times.", True),
        ("A. The path turns left twice.", None),
        ("B. The path turns left three times.", None),  # it may be the head of a list
        ("There are 3 left turns, so A is right.\n\nThe path goes down, right, up.", None),
    ],
)
def test_an_answer_at_the_beginning(text: str, ok: bool | None) -> None:
    assert verdict("maze", LEFT, text) is ok
