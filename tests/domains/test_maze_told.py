"""Mazes: what a reply says beside its answer is understood and right, or it is undecided."""

from __future__ import annotations

import pytest
from replies import verdict

GRID = "#######\n#S###E#\n#X###X#\n#XXX#X#\n###X#X#\n#  XXX#\n#######\n"
LEFT = f"{GRID}How many left turns are there in the provided path from S to E?\nA. 3\nB. 1\nC. 5"
TOTAL = f"{GRID}How many total turns are there in the provided path from S to E?\nA. 4\nB. 6\nC. 2"
SAME = f"{GRID}Is the exit (E) directly to the right of the starting point (S)?\nA. Yes\nB. No"
STRAIGHT = (
    "#####\n#SXE#\n#####\n"
    "How many total turns are there in the provided path from S to E?\nA. 0\nB. 6"
)
BELOW = (
    "#####\n#SX #\n##X##\n#EX #\n#####\n"
    "Is the exit (E) to the top left of the starting point (S)?\nA. Yes\nB. No"
)
ANSWERS = {LEFT: "A", TOTAL: "A", SAME: "A", STRAIGHT: "A", BELOW: "B"}


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


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (
            LEFT,
            "Facing down, turning to the right-hand side of the page is an "
            "anticlockwise change, so that's a left turn.",
        ),
        (LEFT, "Facing right, your right hand points down on the page."),
        (LEFT, "There's one right turn anywhere, and the number of left turns is 3."),
        (LEFT, "Out of the four turns, three go to the left and one to the right."),
        (LEFT, "Of these four, 3 are left turns and 1 is right."),
        (LEFT, "In order, they're a left turn, a right turn, a left turn and a left turn."),
        (TOTAL, "In order: left, right, left, left."),
        (TOTAL, "Wherever two consecutive segments meet there is one turn."),
        (TOTAL, "The question asks for turns of both kinds, so the total is 4."),
        (LEFT, "The question only asks for left turns."),
        (LEFT, "The question asks about left turns only."),
        (
            LEFT,
            "S (1,1), X (2,1), (3,1), (3,2), (3,3), (4,3), (5,3), (5,4), (5,5), (4,5), "
            "(3,5), (2,5), E (1,5).",
        ),
        (
            LEFT,
            "From S it goes down the left edge to (3,1), right to (3,3), down to (5,3), "
            "right to (5,5) and then climbs the right edge to E.",
        ),
        (
            LEFT,
            "1. Down 2 cells to (3,1)\n2. Right 2 cells to (3,3): left turn (1)\n"
            "3. Down 2 cells to (5,3): right turn\n"
            "4. Right 2 cells to (5,5): left turn (2)\n5. Up 4 cells to (1,5): left turn (3)",
        ),
        (
            LEFT,
            "- down → right: left turn (1)\n- right → down: right turn\n"
            "- down → right: left turn (2)\n- right → up: left turn (3)",
        ),
        (
            LEFT,
            "| # | From | To | Direction | Turn |\n|---|---|---|---|---|\n"
            "| 1 | (1,1) | (3,1) | down | - |\n| 2 | (3,1) | (3,3) | right | left |\n"
            "| 3 | (3,3) | (5,3) | down | right |\n| 4 | (5,3) | (5,5) | right | left |\n"
            "| 5 | (5,5) | (1,5) | up | left |",
        ),
        (
            LEFT,
            "Down 2 from S. No turn yet. Then right 2, then down 2, then right 2, then up 4 to E.",
        ),
        (TOTAL, "That gives one left turn followed by one right turn and then two left turns."),
        (SAME, "The path makes a detour downwards, but that doesn't matter for where E lies."),
        (SAME, "E and S are in the same row, with E four columns further right."),
        (SAME, 'Up and right together is "top right".'),
        (SAME, "(Zero rows and four columns between them.)"),
        (
            SAME,
            "The 0 rows and 4 columns between them can be read off directly: 1 - 1 = 0 "
            "and 5 - 1 = 4.",
        ),
        (
            SAME,
            "S is at row 1, column 1 and E at row 1, column 5 (counting from 0 at the top left).",
        ),
        (
            SAME,
            "Counting rows from the top and columns from the left, beginning with 0, S "
            "is at row 1, column 1.",
        ),
        (
            LEFT,
            "The X's are at (2,1), (3,1), (3,2), (3,3), (4,3), (5,3), (5,4), (5,5), "
            "(4,5), (3,5) and (2,5).",
        ),
        (LEFT, "The path has 11 X cells between S and E."),
    ],
)
def test_other_words_for_it(problem: str, said: str) -> None:
    assert verdict("maze", problem, f"{said}\n\nAnswer: {ANSWERS[problem]}") is True


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (LEFT, "Facing down, turning to the right-hand side of the page is a clockwise change."),
        (LEFT, "Facing right, your right hand points up on the page."),
        (LEFT, "Facing down, your left hand points left."),
        (LEFT, "There are no right turns anywhere."),
        (LEFT, "Out of the five turns, three go to the left and one to the right."),
        (LEFT, "Out of the four turns, two go to the left and two to the right."),
        (LEFT, "In order, they're a left turn, a left turn, a right turn and a left turn."),
        (TOTAL, "In order, they're a right turn, a right turn, a left turn and a left turn."),
        (TOTAL, "The question asks for right turns."),
        (LEFT, "The question asks for turns of either kind."),
        (LEFT, "2 + 2 + 2 + 2 + 3 = 11 moves in all."),
        (
            LEFT,
            "2 + 2 + 2 + 2 + 4 = 12 moves in all, which matches the 12 X cells plus the "
            "final step onto E.",
        ),
        (LEFT, "2 + 2 + 2 + 2 + 4 = 12 moves in all, which matches the 11 X cells."),
        (LEFT, "S (1,1), X (2,1), (3,1), (3,2), (4,3), E (1,5)."),
        (LEFT, "X (2,1), (2,2), (3,2)."),
        (LEFT, "From S it goes down the right edge to (3,1)."),
        (LEFT, "It climbs the left edge to E."),
        (
            LEFT,
            "From S the path goes down to (3,1), crosses the top row, goes down, right "
            "and up to E.",
        ),
        (
            LEFT,
            "- down → right: left turn (2)\n- right → down: right turn\n"
            "- down → right: left turn (3)\n- right → up: left turn (4)",
        ),
        (LEFT, "5. Up 4 cells to (1,5): left turn (5)"),
        (
            LEFT,
            "| # | From | To | Direction | Turn |\n|---|---|---|---|---|\n"
            "| 1 | (1,1) | (3,1) | down | - |\n| 2 | (3,1) | (3,3) | right | left |\n"
            "| 3 | (3,3) | (5,3) | down | left |\n| 4 | (5,3) | (5,5) | right | left |\n"
            "| 5 | (5,5) | (1,5) | up | left |",
        ),
        (
            LEFT,
            "| # | From | To | Direction |\n|---|---|---|---|\n"
            "| 1 | (1,1) | (3,1) | down |\n| 2 | (3,1) | (3,3) | left |\n"
            "| 3 | (3,3) | (5,3) | down |\n| 4 | (5,3) | (5,5) | right |\n"
            "| 5 | (5,5) | (1,5) | up |",
        ),
        (
            LEFT,
            "| # | From | To | Direction |\n|---|---|---|---|\n"
            "| 1 | (1,1) | (4,1) | down |\n| 2 | (4,1) | (3,3) | right |\n"
            "| 3 | (3,3) | (5,3) | down |\n| 4 | (5,3) | (5,5) | right |\n"
            "| 5 | (5,5) | (1,5) | up |",
        ),
        (
            LEFT,
            "Down 2 from S, then right 2. No turn yet. Then down 2, then right 2, then up 4 to E.",
        ),
        (LEFT, "Down 2 from S, then right 2, no turn, then down 2, then right 2, then up 4 to E."),
        (TOTAL, "That gives one right turn followed by one left turn and then two left turns."),
        (TOTAL, "That gives one left turn followed by two left turns and then one right turn."),
        (SAME, "The path makes a detour to the left, but that doesn't matter for where E lies."),
        (SAME, "The path makes a detour upwards."),
        (LEFT, "That doesn't matter."),
        (SAME, 'Up and right together is "top left".'),
        (SAME, "(Two rows and four columns between them.)"),
        (
            SAME,
            "The 0 rows and 3 columns between them can be read off directly: 1 - 1 = 0 "
            "and 5 - 1 = 4.",
        ),
        (
            SAME,
            "S is at row 1, column 1 and E at row 2, column 5 (counting from 0 at the top left).",
        ),
        (LEFT, "The X's are at (2,1), (3,1) and (2,5)."),
        (LEFT, "The path has 12 X cells between S and E."),
        (LEFT, "Each of the four turns is 90° anticlockwise."),
        (LEFT, "Each of these four changes is 90 degrees clockwise."),
        (TOTAL, "It's an anticlockwise one at (3,3)."),
        (LEFT, "The path begins with no left turns anywhere."),
        (LEFT, "With 0 turns, the path is short."),
        (LEFT, "S -> X -> X -> E"),
        (LEFT, "The exit is the first cell at the bottom of the maze."),
        (LEFT, "At (5,5), the 3rd left turn, it goes right to up, the 4th right turn."),
        (LEFT, "The path starts with 0 left turns."),
        (SAME, "No need for a path. The path makes a detour right (up, left, down)."),
    ],
)
def test_other_words_that_are_false(problem: str, said: str) -> None:
    assert verdict("maze", problem, f"{said}\n\nAnswer: {ANSWERS[problem]}") is not True


def test_the_last_sentence_may_be_the_answer() -> None:
    way = "From S go down 2, right 2, down 2, right 2 and up 4."
    assert verdict("maze", LEFT, f"{way} Left turns: 3, which is option A.") is True
    assert verdict("maze", TOTAL, f"{way} Total turns = 3 + 1 = 4, i.e. option A.") is True
    assert verdict("maze", LEFT, f"{way} Left turns: 4, which is option A.") is not True
    assert verdict("maze", TOTAL, f"{way} Total turns = 2 + 2 = 4, i.e. option A.") is not True
    assert verdict("maze", LEFT, f"{way} I cannot see it. Left turns: 3.") is not True


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (LEFT, "Let me walk through the path one segment at a time."),
        (LEFT, "I'll go through it corner by corner."),
        (LEFT, "Only the second corner is a right turn."),
        (LEFT, "Only the second of the four corners is a right turn."),
        (LEFT, "The first, third and fourth turns are left turns."),
        (LEFT, "The second one is a right turn, the other three are left turns."),
        (LEFT, "All but one of the turns are left turns."),
        (LEFT, "All of them except the second are left turns."),
        (LEFT, "Three of the turns go left and one goes right."),
        (LEFT, "The last two turns happen to be left turns."),
        (LEFT, "The first turn is to the left (counterclockwise)."),
        (
            LEFT,
            "The first corner is where the path switches from down to right, which is a left turn.",
        ),
        (
            LEFT,
            "Down to right is a left turn; right to down is a right turn; down to right is a "
            "left turn; right to up is a left turn.",
        ),
        (LEFT, "Going from down to right is counterclockwise, so it's a left turn and it counts."),
        (LEFT, "The second change, from right to down, is clockwise, so it does not count."),
        (LEFT, "Heading south and then east means turning left."),
        (LEFT, "If you are heading south and turn east, you turn left."),
        (LEFT, "Remember that left and right are judged from the walker's point of view."),
        (LEFT, "We only count left turns."),
        (
            LEFT,
            "The path starts at S in the top-left corner and ends at E in the top-right corner.",
        ),
        (
            LEFT,
            "The path leaves S going down for two cells, then goes right for two cells, then "
            "down for two cells, then right for two cells and finally up for four cells to "
            "reach E.",
        ),
        (
            LEFT,
            "From S, we first travel down two squares. Then we turn left and travel right two "
            "squares. Next we turn right and travel down two squares. After that we turn left "
            "and go right two squares. Finally, we turn left and go up four squares to E.",
        ),
        (LEFT, "In short: down, right, down, right, up."),
        (LEFT, "The sequence of headings is therefore down, right, down, right, up."),
        (LEFT, "Turns: left, right, left, left."),
        (LEFT, "That makes three left turns and one right turn."),
        (LEFT, "Tally: 3 left, 1 right."),
        (LEFT, "Left turn count: 3. Right turn count: 1."),
        (TOTAL, "There are five straight runs, so the direction changes four times."),
        (TOTAL, "The number of turns is one less than the number of segments: 5 - 1 = 4."),
        (TOTAL, "With n segments there are n - 1 turns."),
        (TOTAL, "Five legs are joined by four corners."),
        (TOTAL, "The direction changes at (3,1), (3,3), (5,3) and (5,5)."),
        (SAME, "The path plays no role here, only the positions of S and E do."),
        (SAME, "We don't need to trace the path for this question."),
        (SAME, "To answer this, we can ignore the path and just compare where S and E are."),
        (SAME, "The path between them is irrelevant."),
        (SAME, "They share the same row, so there's no vertical displacement."),
        (SAME, "Both are in row 1, i.e. the top row."),
        (SAME, "E's column (5) is greater than S's column (1), which means E is to the right."),
        (SAME, "The row difference is 0 and the column difference is 4."),
        (SAME, "The vertical difference is zero and the horizontal difference is 4."),
        (SAME, "Since 5 > 1, E is further right."),
        (SAME, "Both conditions are satisfied."),
        (SAME, "E is on the same horizontal line as S."),
        (SAME, "E is at the same height as S."),
        (SAME, "E is level with S, but four columns to the right of it."),
        (SAME, "S sits at the left side of the maze and E at the right side, on the same row."),
        (SAME, "S is on the left and E is on the right."),
        (SAME, "On the page, E is to the right of S."),
        (STRAIGHT, "The path is a straight line, so there are no turns."),
        (STRAIGHT, "The direction never changes."),
        (STRAIGHT, "You go right all the way, without turning."),
        (STRAIGHT, "Every move goes right."),
        (BELOW, "E is below S and in the same column, so it is not to the top left."),
        (BELOW, "E would have to be higher than S and further left, but it is lower."),
        (BELOW, "For that, E would need to be above S, but it is below S."),
        (BELOW, "E is directly below S rather than to the top left of it."),
        (BELOW, "Neither condition is met."),
        (BELOW, "So the statement is false."),
        (BELOW, "That is not the case here: E is two rows below S."),
        (BELOW, "Since E is below S, it can't be to the top left."),
    ],
)
def test_more_kinds_of_sentences(problem: str, said: str) -> None:
    assert verdict("maze", problem, f"{said}\n\nAnswer: {ANSWERS[problem]}") is True


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (LEFT, "Only the third corner is a right turn."),
        (LEFT, "Only the second of the five corners is a right turn."),
        (LEFT, "Only the last corner is a left turn."),
        (LEFT, "All but two of the turns are left turns."),
        (LEFT, "The last two turns happen to be right turns."),
        (LEFT, "The first two are left turns."),
        (LEFT, "The first turn is to the right."),
        (LEFT, "The first turn is to the left (clockwise)."),
        (LEFT, "The second change, from right to down, is clockwise, so it counts."),
        (LEFT, "The first turn, from down to right, is counterclockwise, so it does not count."),
        (LEFT, "Moving to the right is a right turn."),
        (LEFT, "2 left + 2 right."),
        (LEFT, "The question asks for the total."),
        (TOTAL, "A U has exactly three corners."),
        (TOTAL, "A U has 4 turns."),
        (TOTAL, "Five segments must have five corners between them."),
        (TOTAL, "Six segments must have five corners between them."),
        (TOTAL, "It stays all on the same row."),
        (TOTAL, "The path goes without turning."),
        (TOTAL, "The direction changes at (3,1), (3,3) and (5,5)."),
        (SAME, "S is on the third line of the maze."),
        (SAME, "E is in the second line, fifth character."),
        (SAME, "E is near the bottom."),
        (SAME, "E is next to the left wall."),
        (SAME, "E isn't on the same row."),
        (SAME, "Neither condition is met."),
        (SAME, "Both conditions fail."),
        (SAME, "A smaller row means lower."),
        (SAME, "A larger row and a larger column is top right."),
        (SAME, "That is the opposite of what the question asks."),
        (SAME, "Let's look at the column containing both letters."),
        (
            SAME,
            "The path makes a detour through the top of the maze, but that has no influence "
            "on the answer.",
        ),
        (BELOW, "Both conditions hold."),
        (BELOW, "E is higher than S."),
        (STRAIGHT, "You move right three times without changing direction."),
        (STRAIGHT, "There are 2 X cells between S and E."),
        (LEFT, "All on the same row."),
        (LEFT, "A left turn means the new heading is 90° clockwise from the old one."),
        (SAME, "With (0,0) as the top-left corner, S = (1,1) and E = (1,4)."),
    ],
)
def test_more_kinds_that_are_false(problem: str, said: str) -> None:
    assert verdict("maze", problem, f"{said}\n\nAnswer: {ANSWERS[problem]}") is not True
