"""Sentences behind an answer: what speaks of the answer has to bear it out."""

from __future__ import annotations

import pytest
from counting import is_linear

from agentflow.domains import answers
from agentflow.domains.answers.remark_sums import adds_up
from agentflow.domains.answers.remarks import is_plain
from agentflow.domains.commonsense.short_answers import yes_no

TAKES_BACK = [
    "The argument has a gap.",
    "The reasoning above is faulty.",
    "The catch is in the second step.",
    "The last step is unjustified.",
    "The data are inconsistent.",
    "The evidence points elsewhere.",
    "That was too hasty.",
    "This conflicts with what is given.",
    "This breaks a rule.",
    "This is only partly right.",
    "This is an approximation.",
    "This holds only in some cases.",
    "That is what most people say.",
    "There is a catch.",
    "More than one answer fits.",
    "Something is off here.",
    "Hang on a minute.",
    "Use with caution.",
    "(to be checked)",
    "Confidence: low.",
    "Note: this is unverified.",
    "On the contrary.",
    "Right?",
    "~~",
    "17 - 3 = 13.",
    "Let me check: this gives 15.",
    "Let me check: 17 - 3 = 13.",
    "Let me check: 17 - 2.",
    "Check: 15.",
    "Let me double-check: it is 15.",
    "Let me verify: the answer is 15.",
    "Verification: the result is 15.",
    "The difference is 15.",
    "It equals 15.",
    "In reality, 15.",
    "In truth, it is 15.",
    "In base 8, this is 16.",
    "In the end, it is 15.",
    "15 is right.",
    "15 is correct.",
    "As a matter of fact, 15.",
    "14 is ruled out.",
    "So 14 is excluded.",
    "I mixed things up.",
    "Not so.",
]
HARMLESS = [
    "This works.",
    "I am confident.",
    "I have verified each step.",
    "Yes, that works.",
    "This matches the given constraints.",
    "This satisfies all the conditions.",
    "This is consistent with the problem statement.",
    "This is the only possible answer.",
    "This follows directly from what is given.",
    "Everything checks out.",
    "The answer is correct.",
    "So 14 is correct.",
    "No other answer is possible.",
    "There are no contradictions.",
    "Let me check: it works.",
    "Let me check: 14 + 3 = 17, so it works.",
    "Let me verify: 14 + 3 = 17.",
    "Check: it works.",
    "14 + 3 = 17 ✓",
    "It equals 14.",
    "In total, it is 14.",
    "The difference is 14.",
    "Confidence: 95%.",
    "Thanks for the question!",
    "Feel free to ask if anything is unclear!",
]
FORMS = ["The answer is 14. {}", "\\boxed{{14}}\n\n{}", "\\boxed{{14}} {}", "Answer: 14\n{}"]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("sentence", TAKES_BACK)
def test_what_does_not_bear_an_answer_out_leaves_it_open(sentence: str, form: str) -> None:
    assert answers.stated(form.format(sentence)) != "14"


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("sentence", HARMLESS)
def test_what_bears_an_answer_out_leaves_it_as_it_is(sentence: str, form: str) -> None:
    assert answers.stated(form.format(sentence)) == "14"


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("Southwest", "Northwest is right."),
        ("Southwest", "Northwest fits all the conditions."),
        ("Southwest", "Southwest is impossible."),
        ("Uncertain", "The statement follows."),
        ("False", "The conclusion is entailed."),
        ("2", "Option B fits."),
        ("(7 - 8/8) * 4", "6 * 4 = 20."),
        ("(7 - 8/8) * 4", "It comes to 20."),
        ("(7 - 8/8) * 4", "The second 8 is never used."),
        ("(7 - 8/8) * 4", "This uses the 7 twice."),
    ],
)
def test_a_sentence_that_speaks_for_another_answer(answer: str, sentence: str) -> None:
    assert answers.stated(f"The answer is {answer}. {sentence}") is None


def test_an_explanation_may_speak_of_the_first_of_things() -> None:
    begin = "\\boxed{A}\n\nExplanation: "
    assert answers.stated(f"{begin}the first Neptune dynasty ruled in the 12th century.") == "A"
    assert answers.stated(f"{begin}the last step is unjustified.") is None


def test_a_letter_is_not_the_beginning_of_a_word() -> None:
    assert answers.stated("The answer is A. All adults in the room are loud.") == "A"


@pytest.mark.parametrize(
    "behind", ["I stand corrected.", "The argument has a gap.", "This rests on a misreading."]
)
def test_a_yes_that_is_taken_back(behind: str) -> None:
    assert yes_no(f"Yes. {behind}") is None
    assert yes_no("Yes. It fell in 476.") == "yes"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ('The answer is "14"".', None),
        ('Answer: "14""', None),
        ("\\frac{3}{4} is the answer.", "\\frac{3}{4}"),
        ("-\\frac{3}{4} is the correct answer.", "-\\frac{3}{4}"),
        ("The answer is 14. Would you like me to explain the steps?", "14"),
    ],
)
def test_marks_around_an_answer(text: str, answer: str | None) -> None:
    assert answers.stated(text) == answer


@pytest.mark.parametrize(
    ("sentence", "holds"),
    [
        ("6 * 4 = 24", True),
        ("6 * 4 = 20", False),
        ("7 - 1 = 6 and 6 * 4 = 28.", False),
        ("8 / 3 = 2.67", True),
        ("x = 5", True),
        ("2 + 2 = 4 = 4", True),
    ],
)
def test_whether_equations_add_up(sentence: str, holds: bool) -> None:
    assert adds_up(sentence) is holds


@pytest.mark.parametrize(
    "piece", ["= ", "1 1=", "A and ", "the ", "1 = 1 . ", "this works for all ", "A, "]
)
def test_long_sentences_are_read_quickly(piece: str) -> None:
    def read(size: int) -> None:
        sentence = (piece * size)[:size]
        is_plain(sentence, sentence.lower(), "14", False)

    is_linear(read, size=250)


JSON = '```json\n{"reasoning": "6 * 7 = 42.", "answer": "\\"$42\\""}\n```\n\n'


@pytest.mark.parametrize(
    "behind",
    [
        "This JSON structure provides a clear step-by-step reasoning and the final answer.",
        "The response includes both the reasoning and the final answer to the question.",
        "This JSON object contains the required calculations, followed by the solution.",
    ],
)
def test_what_a_reply_consists_of_may_stand_behind_it(behind: str) -> None:
    assert answers.stated(f"{JSON}{behind}") == "$42"


@pytest.mark.parametrize(
    "behind",
    [
        "This JSON structure provides the wrong total.",
        "This JSON structure provides a draft.",
        "This JSON structure provides the answer of another question.",
        "This JSON structure provides the reasoning, but not the final answer.",
        "This JSON structure provides the final answer 43.",
        "This JSON structure provides an example of the required format.",
    ],
)
def test_what_says_more_of_a_reply_may_not(behind: str) -> None:
    assert answers.stated(f"{JSON}{behind}") is None
