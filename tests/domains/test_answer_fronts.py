"""What stands in front of a mark, in its sentence, has to be understood."""

from __future__ import annotations

import pytest
from counting import is_linear

from agentflow.domains import answers
from agentflow.domains.answers.fronts import may_lead

LEADS = [
    "",
    "So,",
    "Therefore, the area of the triangle is",
    "Thus, Castle bought",
    "Thus, each child receives",
    "Marin and Nancy eat",
    "There are",
    "It will take the lion",
    "He started with 200 toys, so he now has 200 - 150 =",
    "In total, they sold",
    "After all the expenses, Zaid will still have",
    "Since the radius is $3$, the area is",
    "Based on the given clues, the correct option is",
    "The answer to the question is",
    "Therefore, the answer (arabic numerals) is",
    "Therefore, among A through E, the answer is",
    "One raised to any power is one, so our answer is",
    "A possible solution is",
    "We can write the sum as:",
    "Total apples:",
    "x =",
    "**Answer:**",
    "The decrypted answer is:",
    "I would say it is",
    "Daher ist die Antwort",
    "所以答案是",
]
NO_LEADS = [
    "Without the second condition,",
    "Without rule 2 the answer is",
    "Ignoring the second rule, the answer is",
    "Dropping the first clue gives",
    "Had the first clue been missing, we would get",
    "Under a different reading, the answer is",
    "For a similar problem, the answer is",
    "For part (a), the answer is",
    "If we ignore the second clue, we get",
    "The value was originally",
    "It was once",
    "It used to be",
    "I first got",
    "Yesterday the answer was",
    "An upper bound:",
    "Lower bound =",
    "A rough estimate:",
    "Candidate 1:",
    "Ruled out:",
    "Draft:",
    "Error:",
    "The least likely answer is",
    "The naive answer is",
    "A possible answer is",
    "Another answer is",
    "Half the answer is",
    "Your answer was",
    "Tom's answer is",
    'The "answer" is',
    "The target is",
    "Wikipedia gives",
    "I suspect it is",
    "I lean towards",
    "Let me try",
    "It is far from",
    "It is a multiple of",
    "It is followed by",
    "This rules out",
    "We exclude",
    "Avoid",
    "In place of",
    "≈",
    "!=",
    "Ohne die zweite Bedingung ist es",
    "答案不是",
]


@pytest.mark.parametrize("lead", LEADS)
def test_what_leads_to_a_mark(lead: str) -> None:
    assert answers.stated(f"{lead} \\boxed{{14}}.") is not None


@pytest.mark.parametrize("form", ["{} \\boxed{{14}}.", "{}\n\\[\n\\boxed{{14}}\n\\]"])
@pytest.mark.parametrize("lead", NO_LEADS)
def test_what_does_not(lead: str, form: str) -> None:
    assert answers.stated(form.format(lead)) is None


ABOVE = [
    "Dropping rule 2, A=1, B=0, the final output is:",
    "With A=1, B=0, and in another reading, the final output is:",
    "A = 1, B = 0, and it is not:",
    "Converting to a format (wrongly):",
    "Converting (HH:MM) without the leap day:",
    "Ignoring the second rule, the answer is:",
    "Without rule 2 the answer is:",
    "Under a different reading, the answer is:",
    "For a similar problem, the answer is:",
    "The least likely answer is:",
    "Tom's answer is:",
    "A rough estimate:",
    "An upper bound:",
    "It is about:",
    "It is not:",
    "Candidate 1:",
]


@pytest.mark.parametrize("form", ["{}\n\\boxed{{14}}", "{}\n\n<answer>14</answer>", "{}\n\n**14**"])
@pytest.mark.parametrize("line", ABOVE)
def test_a_line_that_leads_to_the_next_one(line: str, form: str) -> None:
    assert answers.stated(form.format(line)) is None


@pytest.mark.parametrize(
    "line",
    [
        "Therefore, the answer is:",
        "Here's the solution:",
        "Let me try again:",
        "So it is",
        "Following the signal with the inputs A=1, B=0, C=1, the final output is:",
        "F = 8, Y = 9, and the final mapping is:",
        "After counting the days, and resolving discrepancies, the correct date today is:",
        "Converting to the requested format (D days, HH:MM):",
    ],
)
def test_a_line_above_a_mark_that_leaves_it(line: str) -> None:
    assert answers.stated(f"{line}\n\n<answer>14</answer>") == "14"


@pytest.mark.parametrize("tag", ["<answer>14</answer>", "[[14]]"])
def test_every_mark_is_led_to(tag: str) -> None:
    assert answers.stated(f"The final answer is {tag}") == "14"
    assert answers.stated(f"Ignoring the second rule, it is {tag}") is None


@pytest.mark.parametrize("sign", ["<", "≤", "≈", "\\neq", "\\sim", "2 \\times"])
def test_a_sign_in_front_of_a_mark(sign: str) -> None:
    assert answers.stated(f"{sign} <answer>14</answer>") is None


def test_a_sentence_may_have_several_marks() -> None:
    assert answers.stated("It takes \\boxed{4}, so in all \\boxed{6}.") == "6"
    assert answers.stated("It is \\boxed{4}, the opposite of \\boxed{6}.") is None


@pytest.mark.parametrize(
    "piece", ["the ", "so, ", "since a, ", "x = ", "Ab and ", "a, so ", "$", "a = 1, "]
)
def test_long_sentences_are_read_quickly(piece: str) -> None:
    is_linear(lambda size: may_lead((piece * size)[:size]), size=250)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Therefore, the answer (arabic numerals) is 14.", "14"),
        ("So 14.\nTherefore, the answer (arabic numerals) is:\n\n14", "14"),
        ("Therefore, the answer (Yes or No) is No.", "No"),
        ("The answer (as a single letter) is C.", "C"),
        ("Final answer (a number): 14", "14"),
        ("The answer (I think) is 14.", None),
        ("The answer (not a number) is 14.", None),
        ("The answer (a number from the book) is 14.", None),
        ("Therefore, among A through E, the answer is C.", "C"),
        ("Among options (A) to (E), the correct answer is C.", "C"),
        ("Out of the five choices, the answer is C.", "C"),
        ("Of the wrong answers, the answer is C.", None),
        ("Among my friends, the answer is C.", None),
    ],
)
def test_what_kind_an_answer_is_and_which_it_is_chosen_from(text: str, said: str | None) -> None:
    assert answers.stated(text) == said
