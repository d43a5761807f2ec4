"""What stands above an answer: headlines, tags, sentences of the writer's; and a second answer."""

from __future__ import annotations

import pytest
from replies import verdict

from agentflow.domains import answers
from agentflow.domains.answers.alike import alike

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
    strange = domain in ("maze", "spatialmap") and "even" in line  # of nothing on the map
    assert verdict(domain, problem, f"{line}\n\n{said}") is (None if strange else True)


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
        ("72", "The total is 72 clips."),
        ("72", "a total of 72 clips (48 + 24)"),
        ("6170", "6{,}170"),
        ("5/14", "5/14 ≈ 0.357"),
        ("{2, 3}", "x = 2 and x = 3"),
        ("x^3 + C", "x³ + C"),
        ("two", "2"),
        ("True", "True (by modus ponens)"),
        ("1831", "in 1831"),
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
        ("2 right turns", "2 left turns"),
        ("72", "more than 72 clips"),
        ("72", "Far from 72"),
        ("72", "Bob sold 72 clips"),
        ("72", "72 (about 73)"),
        ("72", "72 clips (48 + 25)"),
        ("72", "72 ≈ 100"),
        ("60 miles", "60 miles per minute"),
        ("x = 2, x = 3", "x = 2; y = 3"),
        ("C", "not (C)"),
        ("True", "True (by mistake)"),
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
        "Both turns are left turns.\n\n\\boxed{2}",
        "The path never bends.\n\n\\boxed{2}",
        "Both turns are left turns, so the answer is \\boxed{2}.",
        "The path has 3 right turns, so the number of right turns is \\boxed{2}.",
        "Given a different path, there are \\boxed{2} right turns.",
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


@pytest.mark.parametrize(
    "line",
    [
        "It is not the case that Alex is happy.",
        "He is not happy.",
        "The premises leave it open.",
        "We do not know whether Alex is happy, so the answer is:",
        "Alex is only kind.",
        "I have no doubts that this is wrong.",
        "I'm going to make something up.",
        "I concluded the opposite.",
        "You asked for the wrong answer.",
        "Let me answer a simpler question:",
        "According to the internet:",
        "### Result with a flaw",
        "### Second answer",
        "The premises do not tell whether Alex is happy.",
        "Premise 1 is about Ben, so nothing follows.",
    ],
)
def test_a_ground_that_does_not_hold(line: str) -> None:
    assert verdict("logic", LOGIC, f"{line}\n\nAnswer: True") is None


@pytest.mark.parametrize(
    "text",
    [
        "### Wrong answer\n\n$\\boxed{True}$",
        "I flipped a coin.\n\n$$\\boxed{True}$$",
        '## Rejected\n\n```json\n{"answer": "True"}\n```',
        "In a mirror world:\n\nTherefore, the statement is true.",
        "<!--\n\nTherefore, the statement is true.",
        "We cannot determine whether Alex is happy, so the answer is \\boxed{True}.",
        "The conclusion that Alex is not happy is \\boxed{True}.",
        "In a mirror world, Alex is kind, so the conclusion is \\boxed{True}.",
    ],
)
def test_what_disowns_from_further_above(text: str) -> None:
    assert verdict("logic", LOGIC, text) is None


@pytest.mark.parametrize(
    "reply",
    [
        "Alex may or may not be kind.\n\nAnswer: Uncertain",
        "Ben may or may not be tall.\n\nAnswer: Uncertain",
        "Ben is covered by the rule.\n\nAnswer: Uncertain",
    ],
)
def test_what_is_said_to_be_open_has_to_be(reply: str) -> None:
    problem = (
        "Alex is kind. Ben is not tall. Everyone who is kind is happy. Conclusion: Ben is happy."
    )
    assert verdict("logic", problem, "Ben may or may not be kind.\n\nAnswer: Uncertain") is True
    assert verdict("logic", problem, reply) is None
