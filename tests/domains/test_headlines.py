"""What stands above an answer: headlines, tags, sentences of the writer's; and a second answer."""

from __future__ import annotations

import pytest
from replies import verdict

from agentflow.domains import answers
from agentflow.domains.answer_alike import alike

LOGIC = "Alex is kind. Everyone who is kind is happy. Conclusion: Alex is happy."
MAP = (
    "The Bank is in the map. The Cafe is to the Northeast of The Bank. The Zoo is to the Northwest "
    "of The Cafe. In which direction is The Cafe relative to The Bank?"
)
MAZE = (
    "#####\n#SX #\n##X##\n#EX #\n#####\n"
    "How many right turns are there in the provided path from S to E?"
)
REPLIES = [
    ("logic", LOGIC, "The answer is True."),
    ("logic", LOGIC, "\\boxed{True}"),
    ("spatialmap", MAP, "Answer: Northeast"),
    ("maze", MAZE, "\\boxed{2}"),
]
reply = pytest.mark.parametrize(("domain", "problem", "said"), REPLIES)


@reply
@pytest.mark.parametrize(
    "line",
    [
        "**Final answer:**",
        "### Step 3: Conclusion",
        "## Solution",
        "Therefore, the correct answer is:",
        "Here's the solution:",
        "Thus, one valid answer is:",
        "After working through the steps, the answer is:",
        "**Calculating the total:**",
        "So it follows from the premises.",
        "I checked each step.",
        "I recalculated it.",
        "I can see that 5 is not even.",
        "<br>",
        "I think that is clear.",
        "<solution>",
    ],
)
def test_what_may_stand_above(domain: str, problem: str, said: str, line: str) -> None:
    assert verdict(domain, problem, f"{line}\n\n{said}") is True


@reply
@pytest.mark.parametrize(
    "line",
    [
        "Wrong:",
        "Decoy:",
        "In a mirror world:",
        "From another problem:",
        "Expected by the buggy grader:",
        "The following is sarcasm:",
        "What a beginner would say:",
        "## Rejected",
        "### Previous attempt",
        "### Common mistakes",
        "**Bob's solution**",
        "I flipped a coin.",
        "I didn't read the problem.",
        "I lie in the next sentence.",
        "Let me guess.",
        "You asked me to pretend.",
        "The next line is false.",
        "Ignore the next line.",
        "It can't be that",
        "I'm not sure at all, but",
        "<!--",
        "<wrong>",
        "<draft>",
    ],
)
def test_what_disowns_what_stands_below(domain: str, problem: str, said: str, line: str) -> None:
    assert verdict(domain, problem, f"{line}\n\n{said}") is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("C", "option C"),
        ("C", "C. 2 right turns"),
        ("14", "14 apples"),
        ("x = 7", "7"),
        ("60^\\circ", "60 degrees"),
        ("1/2", "\\frac{1}{2}"),
        ("(8-7)*24", "24"),
        ("The Zoo", "Zoo"),
        ("72", "72 clips in total"),
        ("72", "Natalia sold 72 clips."),
        ("72", "a total of 72 clips (48 + 24)"),
        ("18", "18 dollars per day"),
        ("6170", "6{,}170"),
        ("5/14", "5/14 ≈ 0.357"),
        ("{2, 3}", "x = 2 and x = 3"),
        ("x^3 + C", "x³ + C"),
        ("two", "2"),
        ("True", "True (by modus ponens)"),
        ("1831", "The bridge was built in 1831."),
        ("C", "C (2)"),
    ],
)
def test_one_answer_in_other_words(one: str, other: str) -> None:
    assert alike(one, other)
    assert alike(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("\\frac{2}{3}", "3/2"),
        ("2x", "x^2"),
        ("\\sqrt{2}", "2"),
        ("2\\pi", "2"),
        ("(-1,1)", "[-1,1]"),
        ("14", "under 14"),
        ("A", "A and B"),
        ("True", "¬True"),
        ("True", "neither True nor False"),
        ("Northeast", "opposite of Northeast"),
        ("2", "2 left"),
        ("72", "more than 72 clips"),
        ("72", "Natalia did not sell 72 clips"),
        ("72", "72 (not 73)"),
        ("72", "Natalia sold twice 72 clips"),
        ("18", "18 cents per day"),
        ("2 and 3", "(3, 2)"),
        ("C", "D (C)"),
        ("York", "New York"),
    ],
)
def test_two_answers(one: str, other: str) -> None:
    assert not alike(one, other)
    assert not alike(other, one)


@pytest.mark.parametrize(
    "text",
    [
        "\\boxed{Northeast}\n\nAnswer: opposite of Northeast",
        "Answer: opposite of Northeast\n\n\\boxed{Northeast}",
        "The answer is the reverse of \\boxed{Northeast}.",
        "The answer that contradicts the map is \\boxed{Northeast}.",
        "The Bank relative to The Cafe is \\boxed{Northeast}.",
        "From The Cafe, The Bank is \\boxed{Northeast}.",
        "\\boxed{Northeast} (not likely)",
        "The answer is Northeast, which is at odds with the map.",
        "Answer: Northeast\n\nCheck: ❌",
        "Answer: Northeast\n\nThe correct solution follows.",
    ],
)
def test_a_direction_that_is_not_meant(text: str) -> None:
    assert verdict("spatialmap", MAP, text) is None


@pytest.mark.parametrize(
    "text",
    [
        "The number of left turns is \\boxed{2}.",
        "\\boxed{2}\n\nAnswer: 2 left turns",
        "Answer: 2 left turns\n\n\\boxed{2}",
        "Left turns: \\boxed{2}",
        "The total number of steps is \\boxed{2}.",
        "Answer: 3, \\boxed{2}",
        "The result of a coin toss is \\boxed{2}.",
        "The answer is presumably \\boxed{2}.",
    ],
)
def test_a_box_about_something_else(text: str) -> None:
    assert verdict("maze", MAZE, text) is not True


def test_a_box_about_what_is_asked() -> None:
    assert verdict("maze", MAZE, "The number of right turns is \\boxed{2}.") is True
    assert verdict("maze", MAZE, "So it is $\\boxed{2}$.") is True


@pytest.mark.parametrize(
    "said",
    [
        '{"reasoning": "4. **Total students:** 24 - 7 = 17 students", "answer": "17"}',
        "**Step 3:** 24 - 7 = 17 students.\n\nThe answer is 17.",
        "**Total:** 17 students\n#### 17",
        "Final answers: \\boxed{17}",
        "The answer is \\boxed{17}, which is not a multiple of 3.",
    ],
)
def test_lines_that_only_sound_like_somebody_else(said: str) -> None:
    assert answers.stated(said) == "17"


def test_boxes_behind_a_heading_are_one_answer() -> None:
    assert answers.stated("Final answers: \\boxed{3}, \\boxed{5}, \\boxed{7}") == "3, 5, 7"
