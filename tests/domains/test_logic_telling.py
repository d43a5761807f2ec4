"""What plain sentences around an answer say of the things of a problem is read, and judged."""

from __future__ import annotations

import pytest
from replies import verdict

LOGIC = """Premises:
Gary is careful.
If someone is careful, then they are tall.
If someone is tall, then they are loud.
If someone is proud and tall, then they are not loud.
Hanna is proud.
If someone is happy, then they are calm.
Conclusion: Gary is """
SOME = "All snakes are reptiles. No reptiles are furry. Some pets are snakes. Conclusion: "

BEHIND = [
    "Note that Gary is tall.",
    "By the way, Gary is loud but not proud.",
    "(As a side note, Gary is tall, since he is careful.)",
    "Everyone who is careful is tall, so Gary is tall, and therefore he is loud.",
    "If Gary were proud, he would not be loud.",
    "Incidentally, the premises also force Gary to be tall.",
    "Whether Hanna is happy remains open.",
    "The premises don't tell us whether Hanna is loud.",
    "Hanna may or may not be calm.",
    "Nothing in the premises rules out that Hanna is happy.",
    "It doesn't follow that Hanna is loud.",
    "The premise about Hanna plays no role here.",
    "Premise 5 is not needed.",
    "Premises 5 and 6 are not needed.",
    "You can get there by another route, too: careful people are tall, and tall people are loud.",
]
"""True of the premises."""
FALSE = [
    "Note that Gary is proud.",
    "By the way, Gary is loud but not tall.",
    "(As a side note, Hanna is tall, since she is careful.)",
    "Everyone who is loud is careful, so Gary is tall.",
    "If Gary were proud, he would be calm.",
    "Incidentally, the premises also force Hanna to be tall.",
    "Whether Gary is tall remains open.",
    "The premises don't tell us whether Gary is proud.",
    "Gary may or may not be careful.",
    "Nothing in the premises rules out that Gary is proud.",
    "It doesn't follow that Gary is tall.",
    "The premise about Gary plays no role here.",
    "Premise 2 is not needed.",
    "Premises 5 and 9 are not needed.",
    "You can get there by another route, too: proud people are tall, and tall people are loud.",
]


MORE = [
    "Gary: careful → tall → loud.",
    'We can follow the implications starting from "Gary is careful": careful → tall → loud.',
    "Gary is careful, which makes him tall, and being tall makes him loud.",
    "Gary, being careful, is tall.",
    "As Gary is careful, he must be tall.",
    "The chain used premises 1, 2 and 3.",
    "Premises 1, 2 and 3 are enough.",
    "The premise that Hanna is proud is a distractor.",
    "The premise about Hanna is irrelevant for this conclusion.",
    "Nothing says that Hanna is tall.",
    "None of the premises makes Hanna careful.",
    "We cannot tell whether Hanna is calm.",
    "Hanna could be happy or not happy without breaking any premise.",
    "It is impossible to say whether Hanna is happy.",
    "Hanna is not known to be careful.",
    "Hanna is happy: all premises still hold.",
    "The conclusion says exactly this.",
    "This confirms the conclusion.",
    "The only rule that leads to loud requires someone to be tall.",
    "The premise about Hanna says nothing about Gary.",
    "| Step | Fact about Gary |\n|---|---|\n| 1 | careful |\n| 2 | tall |",
    "* Gary is careful (given).\n* All careful people are tall, so he is tall.",
]
"""True of the premises."""
WRONG = [
    "Gary: careful → proud → loud.",
    'We can follow the implications starting from "Gary is careful": careful → happy → loud.',
    "Gary is careful, which makes him tall, and being tall makes him proud.",
    "Gary, being proud, is tall.",
    "As Gary is proud, he must be tall.",
    "The chain used premises 1 and 2.",
    "Premises 2 and 3 are enough.",
    "The premise that Gary is careful is a distractor.",
    "The premise about Gary is irrelevant for this conclusion.",
    "Nothing says that Gary is careful.",
    "None of the premises makes Gary tall.",
    "We cannot tell whether Gary is proud.",
    "Gary could be tall or not tall without breaking any premise.",
    "It is impossible to say whether Gary is tall.",
    "Gary is not known to be careful.",
    "Gary is proud: all premises still hold.",
    "The conclusion says exactly the opposite.",
    "This contradicts the conclusion.",
    "The only rule that leads to loud requires someone to be careful.",
    "The premise about Hanna says nothing about Hanna.",
    "| Step | Fact about Gary |\n|---|---|\n| 1 | proud |\n| 2 | tall |",
    "* Gary is careful (given).\n* All careful people are calm, so he is tall.",
]


@pytest.mark.parametrize("told", MORE)
@pytest.mark.parametrize("form", ["True.\n\n{}", "{}\n\n**True**"])
def test_more_of_what_is_true(told: str, form: str) -> None:
    assert verdict("logic", f"{LOGIC}loud.", form.format(told)) is True


@pytest.mark.parametrize("told", WRONG)
@pytest.mark.parametrize("form", ["True. {}", "{}\n\n**True**", "True.\n\n{}"])
def test_more_of_what_is_false(told: str, form: str) -> None:
    assert verdict("logic", f"{LOGIC}loud.", form.format(told)) is None


@pytest.mark.parametrize("told", BEHIND)
@pytest.mark.parametrize("form", ["Answer: True\n\n{}", "{}\n\n\\boxed{{True}}"])
def test_what_is_true_goes_with_a_right_answer(told: str, form: str) -> None:
    assert verdict("logic", f"{LOGIC}loud.", form.format(told)) is True


@pytest.mark.parametrize("told", FALSE)
@pytest.mark.parametrize("form", ["Answer: True\n\n{}", "{}\n\n\\boxed{{True}}"])
def test_what_is_false_does_not(told: str, form: str) -> None:
    assert verdict("logic", f"{LOGIC}loud.", form.format(told)) is None


@pytest.mark.parametrize(
    ("told", "ok"),
    [
        ("Suppose Gary were proud. Then he would not be loud. So Gary is not proud.", True),
        ("Suppose Gary were proud. Then he would be calm. So Gary is not proud.", None),
        ("Suppose Gary were proud. He would not be loud, which is a contradiction.", True),
        ("Suppose Gary were tall. He would be loud, which is a contradiction.", None),
    ],
)
def test_what_would_follow_has_to_follow_from_what_is_supposed(told: str, ok: bool | None) -> None:
    assert verdict("logic", f"{LOGIC}proud.", f"{told}\n\nFinal answer: False") is ok


@pytest.mark.parametrize(
    ("told", "ok"),
    [
        ("No premise mentions kindness at all.", True),
        ("There is no premise about being kind.", True),
        ("No premise mentions calmness at all.", None),
        ('Neither "Gary is kind" nor "Gary is not kind" can be derived.', True),
        ('Neither "Gary is tall" nor "Gary is not tall" can be derived.', None),
        ("Both possibilities are consistent with all the premises.", True),
        ("Neither scenario contradicts the premises.", True),
        ("Both possibilities contradict the premises.", None),
    ],
)
def test_what_leaves_the_conclusion_open(told: str, ok: bool | None) -> None:
    assert verdict("logic", f"{LOGIC}kind.", f"{told}\n\nAnswer: Uncertain") is ok


@pytest.mark.parametrize(
    ("conclusion", "answer", "ok"),
    [
        ("Some pets are not furry.", "True", True),
        ("Some pets are not furry.", "False", False),
        ("Some pets are furry.", "Uncertain", True),
        ("Some reptiles are furry.", "False", True),
        ("Some reptiles are snakes.", "True", True),
    ],
)
def test_what_is_said_of_some(conclusion: str, answer: str, ok: bool) -> None:
    assert verdict("logic", f"{SOME}{conclusion}", f"Answer: {answer}") is ok


@pytest.mark.parametrize("answer", ["True", "Uncertain"])
def test_whether_all_says_that_there_are_any_is_open(answer: str) -> None:
    problem = "All snakes are reptiles. Conclusion: Some reptiles are snakes."
    assert verdict("logic", problem, f"Answer: {answer}") is None


@pytest.mark.parametrize(
    ("reply", "ok"),
    [
        ("True. Gary is careful, so he is tall, and so he is loud.", True),
        ("True. Gary is careful, so he is proud, and so he is loud.", None),
        ("Hanna is proud.\n\nGary is careful, hence tall, so the conclusion is true.", True),
        ("Hanna is calm.\n\nGary is careful, hence tall, so the conclusion is true.", None),
    ],
)
def test_answers_in_a_sentence_with_their_grounds(reply: str, ok: bool | None) -> None:
    assert verdict("logic", f"{LOGIC}loud.", reply) is ok
