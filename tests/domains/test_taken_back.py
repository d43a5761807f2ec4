"""Texts that take their answer back, deny it, or give two: none of them is right."""

from __future__ import annotations

import asyncio

import pytest
from replies import equal, verdict

from agentflow import domains
from agentflow.domains import answers
from agentflow.domains.zebra.puzzle import EXAMPLE as ZEBRA
from agentflow.judge import judge

LOGIC = "Alex is kind. Everyone who is kind is happy. Conclusion: Alex is happy."
OPTIONS = (
    "Alex is kind. Everyone who is kind is happy.\nConclusion: Alex is happy.\nOptions:\nA) True\n"
    "B) False\nC) Uncertain"
)
MAP = (
    "The Bank is in the map. The Cafe is to the Northeast of The Bank. The Zoo is to the Northwest "
    "of The Cafe. In which direction is The Cafe relative to The Bank?"
)
MAP_OPTIONS = f"{MAP}\nOptions:\nA. Northeast\nB. Northwest\nC. Southeast\nD. Southwest"
GRID = "#####\n#SX #\n##X##\n#EX #\n#####\n"
MAZE = f"{GRID}How many right turns are there in the provided path from S to E?"
BELOW = f"{GRID}Is the exit (E) below the starting point (S)?"


TAILS = [
    ", which is a lie.",
    ", which I deny.",
    ", which we reject.",
    ", which is ruled out.",
    " (which we now discard).",
    ", by a coin toss.",
    ", by guessing.",
    ", not at all.",
    ", not a chance.",
    ", rather than the truth.",
    ", this is a lie.",
    ", which is nonsense.",
    ", not by a long shot.",
    " because the conclusion is refuted.",
    ", because the premises entail the negation.",
    ", because the premises do not entail it.",
    " because of a typo.",
    " because there is a counterexample.",
]


@pytest.mark.parametrize("tail", TAILS)
@pytest.mark.parametrize("form", ["The answer is True{}", "\\boxed{{True}}{}", "True{}"])
def test_the_rest_of_the_sentence_takes_the_answer_back(form: str, tail: str) -> None:
    assert verdict("logic", LOGIC, form.format(tail)) is not True


@pytest.mark.parametrize(
    ("domain", "problem", "text"),
    [
        ("spatialmap", MAP, "The answer is Northeast, i.e. Southwest."),
        ("spatialmap", MAP, "The answer is Northeast because The Cafe is below The Bank."),
        ("logic", OPTIONS, "The answer is A, which means B."),
        ("logic", OPTIONS, "The answer is A — False."),
        ("maze", BELOW, "The answer is Yes, which means E is above S."),
        ("maze", MAZE, "The answer is 2 because the path never turns right."),
    ],
)
def test_the_rest_of_the_sentence_says_something_else(domain: str, problem: str, text: str) -> None:
    assert verdict(domain, problem, text) is not True


SIGNS = "？❓؟‽❎☒✕⛔🚮🎲⊬⊥"


@pytest.mark.parametrize("sign", SIGNS)
def test_a_sign_that_is_not_known_leaves_an_answer_open(sign: str) -> None:
    for text in (f"\\boxed{{True}} {sign}", f"\\boxed{{True}}{sign}", f"{sign} \\boxed{{True}}"):
        assert verdict("logic", LOGIC, text) is not True
    for text in (f"The answer is True.\n{sign}", f"The conclusion is {sign} true."):
        assert verdict("logic", LOGIC, text) is not True


@pytest.mark.parametrize(
    ("domain", "problem", "text"),
    [
        ("logic", LOGIC, "The conclusion is ¬true."),
        ("logic", LOGIC, "The statement is ~true."),
        ("logic", LOGIC, "The conclusion is ≠ true."),
        ("logic", LOGIC, "Truth value ≠ true"),
        ("logic", LOGIC, "❌ The conclusion is true."),
        ("logic", LOGIC, "¬(The conclusion is true)"),
        ("logic", LOGIC, "It is ❌ true."),
        ("logic", LOGIC, "¬ \\boxed{True}"),
        ("logic", LOGIC, "The answer is True.\n🤥"),
        ("spatialmap", MAP, "¬Northeast"),
        ("spatialmap", MAP, "Northeast ❌"),
        ("spatialmap", MAP, "¬ The Cafe is to the Northeast of The Bank."),
        ("maze", MAZE, "There are 2 right turns ❌"),
        ("maze", MAZE, "¬ There are 2 right turns."),
        ("maze", MAZE, "There are 2 right turns ❓"),
    ],
)
def test_a_sign_that_denies(domain: str, problem: str, text: str) -> None:
    assert verdict(domain, problem, text) is not True


@pytest.mark.parametrize(
    ("domain", "problem", "text"),
    [
        ("spatialmap", MAP, "Southwest.\nNortheast."),
        ("spatialmap", MAP, "Student: Northwest.\n\nNortheast"),
        ("maze", MAZE, "1.\n\n2."),
        ("maze", MAZE, "It is 1.\n2"),
        ("maze", BELOW, "No.\n\nYes."),
        ("logic", OPTIONS, "B.\nA."),
        ("logic", LOGIC, "I choose False.\n\nAnswer: True"),
        ("logic", OPTIONS, "Option A is ruled out.\n\nThe answer is A."),
        ("logic", OPTIONS, "Option A) is wrong.\n\nThe answer is A."),
        ("logic", OPTIONS, "We eliminate A.\n\nThe answer is A."),
        ("logic", OPTIONS, "A has been ruled out.\n\nAnswer: A"),
        ("logic", OPTIONS, "A and B are ruled out.\n\nAnswer: A"),
        ("logic", OPTIONS, "I ruled out B and A. The answer is A."),
        ("logic", OPTIONS, "A fails.\n\nThe answer is A."),
        ("logic", OPTIONS, "A ✗\nB ✗\nC ✓\n\nThe answer is A."),
        ("logic", LOGIC, "**Ground truth:** False\n\n**Answer:** True"),
        ("logic", LOGIC, "Expected answer: False\n\nAnswer: True"),
        ("logic", LOGIC, "Truth value: False\n\nAnswer: True"),
        ("spatialmap", MAP, "The Bank is to the Northeast of The Cafe.\n\nAnswer: Northeast"),
        ("logic", LOGIC, "Result: False\n\nAnswer: True"),
        ("logic", LOGIC, "Final: False\n\nAnswer: True"),
        ("logic", LOGIC, "So it's False.\n\nThe answer is True."),
        ("maze", MAZE, "Right turns: 1\nRight turns: 2"),
        ("logic", LOGIC, "The answer isn't True. The answer is True."),
        ("logic", LOGIC, "True cannot be right. The answer is True."),
        ("spatialmap", MAP_OPTIONS, "A is wrong. The answer is A."),
        ("logic", LOGIC, "\\boxed{False} is the answer.\n\nFor the bonus, \\boxed{True}."),
    ],
)
def test_two_answers(domain: str, problem: str, text: str) -> None:
    assert verdict(domain, problem, text) is not True


@pytest.mark.parametrize(
    "text",
    [
        "Suppose premise 2 is dropped.\n\nThe answer is True.",
        "Under assumption X:\n\nThe answer is True.",
        "Ignore premise 2.\n\nThe answer is True.",
        "Here is a wrong answer.\n\nThe answer is True.",
        "None of this is true.\n\nThe answer is True.",
        "What follows is a lie. The answer is True.",
        '{"reasoning": "I reject True.", "answer": "True"}',
        '{"reasoning": "So False.", "answer": "True"}',
        "Alice answered \\boxed{True}.",
        "Llama answered \\boxed{True}.",
        "My rival has \\boxed{True}.",
        "The decoy is \\boxed{True}.",
        "The distractor is \\boxed{True}.",
        "The lie is \\boxed{True}.",
        "The negation has \\boxed{True}.",
        "Everybody hates \\boxed{True}.",
        "\\footnote{\\boxed{True}}",
        "\\phantom{\\boxed{True}}",
        "\\verb|\\boxed{True}|",
        "\\xout{\\boxed{True}}",
        'Answer: True\n\n```python\nanswer = "False"\n```',
        "Answer: True\n\n```python\nprint('Answer: False')\n```",
        "The answer is True.\n\nAlex has a counterexample.",
    ],
)
def test_an_answer_that_is_not_given(text: str) -> None:
    assert verdict("logic", LOGIC, text) is not True


def test_a_second_thought_behind_the_answer_leaves_it_open() -> None:
    of = domains.get("logic")
    text = "<think>hm</think>The answer is True.\n<think>The answer is False.</think>"
    assert asyncio.run(judge(of, of.parse(LOGIC), text)).answer_ok is not True


@pytest.mark.parametrize(
    ("domain", "problem", "text"),
    [
        (
            "spatialmap",
            MAP,
            "The answer is Northeast.\n\nThe Bank relative to The Cafe is Northeast.",
        ),
        (
            "spatialmap",
            MAP,
            "The answer is Northeast.\n\nThe Cafe has been moved southwest of The Bank.",
        ),
        ("spatialmap", MAP, "The answer is Northeast.\n\nThe Bank sits above The Cafe."),
        ("maze", MAZE, "The answer is 2.\n\nThe path never turns."),
        ("maze", MAZE, "The answer is 2.\n\nEvery turn is a left turn."),
        ("maze", BELOW, "The answer is Yes.\n\nThe exit sits higher than the start."),
    ],
)
def test_a_sentence_behind_the_answer_says_the_opposite(
    domain: str, problem: str, text: str
) -> None:
    assert verdict(domain, problem, text) is not True


RIGHT = "House 1: Arnold, tea\nHouse 2: Peter, water\nHouse 3: Eric, milk"
WRONG = "House 1: Eric, tea\nHouse 2: Peter, water\nHouse 3: Arnold, milk"


@pytest.mark.parametrize(
    "text",
    [
        f"Answer:\n{WRONG}\n\nAnswer:\n{RIGHT}",
        f"{WRONG}\n\n# Solution\n{RIGHT}",
        f"You think it is\n{RIGHT}",
        f"Your answer:\n{RIGHT}",
        f"{RIGHT}\nThe final answer follows.",
        f"{RIGHT}\nWe have to find it",
    ],
)
def test_a_grid_that_is_not_the_only_one(text: str) -> None:
    assert verdict("zebra", ZEBRA, RIGHT) is True
    assert verdict("zebra", ZEBRA, text) is not True


@pytest.mark.parametrize(
    ("question", "text", "gold"),
    [
        ("Did Rome fall before 1440?", "Yes. Nein, das ist falsch.", "yes"),
        ("Did Rome fall before 1440?", "Yes. Non, c'est faux.", "yes"),
        ("Did Rome fall before 1440?", "Yes. Нет, это неверно.", "yes"),
        ("Did Rome fall before 1440?", "Yes, says the myth.", "yes"),
        ("Did Rome fall before 1440?", "Yes, historians dispute this claim.", "yes"),
        ("Did Rome fall before 1440?", "No, it surely did that.", "no"),
        ("Who wrote Hamlet?", "Anyone but\nWilliam Shakespeare", "William Shakespeare"),
        ("Who wrote Hamlet?", "Wrong answers:\n\nWilliam Shakespeare", "William Shakespeare"),
        ("Who wrote Hamlet?", "Francis Bacon\n\nWilliam Shakespeare", "William Shakespeare"),
        (
            "Who wrote Hamlet?",
            "The following person did not write it.\n\nWilliam Shakespeare",
            "William Shakespeare",
        ),
        ("How many moons does Mars have?", "The answer is 2 — three with the new one.", "2"),
        ("Final score?", "3:1", "31"),
        ("How long, in m?", "1,5", "15"),
        ("Height?", "5'11\"", "511"),
        ("Which grade?", "A*", "A"),
        ("Which virus?", "Hepatitis A", "Hepatitis"),
        ("What time?", "12:30", "1230"),
        ("What odds?", "10:1", "101"),
        ("What is it?", "1*2", "12"),
        ("What is it?", "5!", "5"),
        ("Which code?", "02134", "2134"),
    ],
)
def test_other_answers_are_not_the_same(question: str, text: str, gold: str) -> None:
    assert equal("commonsense", question, text, gold) is not True


@pytest.mark.parametrize(
    ("text", "gold"),
    [
        ("100", "a hundred"),
        ("1,500", "fifteen hundred"),
        ("first", "1st"),
        ("half", "1/2"),
        ("Beyonce", "Beyoncé"),
        ("Jay Z", "Jay-Z"),
        ("NYC", "New York City"),
        ("WWII", "World War II"),
    ],
)
def test_the_same_in_another_spelling_is_not_refuted(text: str, gold: str) -> None:
    assert equal("commonsense", "Which one?", text, gold) is not False


@pytest.mark.parametrize(
    "text",
    [
        "Het antwoord is niet \\boxed{7}.",
        "La mauvaise réponse est \\boxed{7}.",
        "Неправильный ответ: \\boxed{7}",
        "A válasz nem \\boxed{7}.",
        "الجواب ليس \\boxed{7}",
        "The extraneous root is \\boxed{7}.",
        "The spurious solution is \\boxed{7}.",
        "Forgetting the carry gives \\boxed{7}.",
        "Misreading the question gives \\boxed{7}.",
        "Double counting gives \\boxed{7}.",
        "Most students pick \\boxed{7}.",
        "Careless readers get \\boxed{7}.",
        "For n even, \\boxed{3}.\nFor n odd, \\boxed{7}.",
        "\\boxed{3}\n\nThe other root is \\boxed{7}",
        "\\boxed{3}\n\nAlso \\boxed{7}",
        "The length is \\boxed{3}.\n\nThe width is \\boxed{7}.",
        "The answer cannot be determined.\n\n\\boxed{7}",
        "Everything below is false. \\boxed{7}",
        "The opposite of the truth: \\boxed{7}",
        "Due to length limits I must guess. \\boxed{7}",
        "I cannot solve this. \\boxed{7}",
        "There is no solution. \\boxed{7}",
        "\\boxed{7}\n\nSince the sign is negative, the value is -7.",
        "\\boxed{7}\n\nIn base 10 the value is 8.",
        "\\boxed{7}\n\nThe velocity is negative.",
        "\\boxed{7}\n\nThe diameter is twice that.",
        "\\boxed{7}\n\nAll amounts are doubled at the end.",
        "\\boxed{7}\n\nThe leap day was forgotten.",
        "\\boxed{7}\n\nThe factor 2 was dropped in line three.",
        "\\boxed{7}\n\nExplanation: After simplification the value is 8.",
        "\\boxed{7}\n\nExplanation: The reader should add 1.",
        "\\strikethrough{\\boxed{7}}",
        "<draft>\\boxed{7}</draft>",
    ],
)
def test_a_number_that_is_not_the_answer(text: str) -> None:
    assert answers.stated(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "\\boxed{False}\n\n<answer>True</answer>",
        "\\boxed{8*4-8}\n\n<answer>(7 - 8/8) * 4</answer>",
        "\\boxed{63}\n\n<answer>62</answer>",
        "63 is the correct answer.\n\n<answer>62</answer>",
        "So the result is 63.\n\n<answer>62</answer>",
        "= 63\n\n<answer>62</answer>",
        "Answer: 0x3eb3\n\n<answer>0x3eb2</answer>",
        "The answer is 45b.\n\n<answer>45a</answer>",
        "I give up.\n\n\\boxed{7}",
        "48.0 - 36.0i\n\n<answer>48.0 + 36.0i</answer>",
        "So the result is 48.0 - 36.0i.\n\n<answer>48.0 + 36.0i</answer>",
        "A=1, B=2\n\n<answer>A=2, B=1</answer>",
        "THIS IS IT\n\n<answer>THAT IS IT</answer>",
        "Result = noremopyk\n\n<answer>noremopyh</answer>",
    ],
)
def test_another_marking_above_has_another_answer(text: str) -> None:
    assert answers.stated(text) is None


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("First we get \\boxed{63}.\nWait, minus one.\n\n<answer>62</answer>", "62"),
        ("Answer: 0x3EB2\n\n<answer>0x3eb2</answer>", "0x3eb2"),
        ("The answer is House 1, that of Carol.\n\n<answer>Carol</answer>", "Carol"),
        ("The result is 62 cats.\n\n<answer>62</answer>", "62"),
        ("Solution\n\n<answer>noremopyh</answer>", "noremopyh"),
        ("The number is prime.\n\n<answer>noremopyh</answer>", "noremopyh"),
        ("= 62.0\n\n<answer>62</answer>", "62"),
        ("= 124 / 2\n= 62\n\n<answer>62</answer>", "62"),
    ],
)
def test_another_marking_above_has_the_same(text: str, answer: str) -> None:
    assert answers.stated(text) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("A marble chosen at random is red with 3 in 5.\n\n\\boxed{3/5}", "3/5"),
        ("The opposite of -7 is 7.\n\n\\boxed{7}", "7"),
        ("Ignore the negative root.\n\nThe answer is 7.", "7"),
        ("The number of excluded students is \\boxed{5}.", "5"),
        ("The number of points that lie on the line is \\boxed{5}.", "5"),
        ("Neglecting air resistance, the speed is \\boxed{5}.", "5"),
        ("We flip a fair coin three times.\n\n\\boxed{1/8}", "1/8"),
        ("To avoid double counting, we subtract 3.\n\n\\boxed{12}", "12"),
        ("Correcting for double counting gives \\boxed{12}.", "12"),
        ("The number of guesses is 7.\n\n\\boxed{7}", "7"),
        ("If Statement 2 is false, statement 3 holds.\n\nThe answer is 2.", "2"),
    ],
)
def test_plain_sentences_above_an_answer_leave_it(text: str, answer: str) -> None:
    assert answers.stated(text) == answer


@pytest.mark.parametrize(
    ("domain", "problem", "text"),
    [
        ("spatialmap", MAP, "The Cafe is up and to the right of The Bank.\n\nAnswer: Northeast"),
        (
            "spatialmap",
            MAP,
            "To find the direction of The Cafe relative to The Bank, we look at sentence two."
            "\n\nAnswer: Northeast",
        ),
        (
            "spatialmap",
            MAP_OPTIONS,
            "The Cafe's position relative to The Bank is Northeast, so the answer is A.",
        ),
        ("maze", MAZE, "The path turns right at (1,2) and right again at (3,2).\n\nAnswer: 2"),
        ("maze", BELOW, "The exit is located in a lower row than the start.\n\nAnswer: Yes"),
        ("logic", LOGIC, "True, because Alex is kind and everyone who is kind is happy."),
        ("logic", LOGIC, "The answer is True, since the premises entail it."),
        ("logic", LOGIC, "The answer is True (by modus ponens)."),
        ("logic", LOGIC, "By modus ponens, Alex is happy. Hence the conclusion is True."),
    ],
)
def test_ordinary_reasons_leave_an_answer_right(domain: str, problem: str, text: str) -> None:
    assert verdict(domain, problem, text) is True
