"""Replies that open with an option and explain it, and what else is said of options."""

from __future__ import annotations

import pytest

from agentflow import domains

ASKED = (
    'Premise: "Ann has 5 cats." Claim: "Ann has 6 cats." Given the premise, is the claim?\n'
    "A. entailment\nB. contradiction\nC. neutral"
)


async def _is_right(reply: str, gold: str, question: str = ASKED) -> bool | None:
    domain = domains.get("commonsense")
    problem, answer = domain.parse(question), domain.answer(reply)
    return await domain.equal(problem, answer, gold) if answer else None


@pytest.mark.parametrize(
    "behind",
    [
        "The claim is in direct opposition to the premise.",
        "The premise says that Ann has 5 cats, but the claim says that she has 6.",
        "\n\nThe premise says that there are 5 cats. The claim says 6, which contradicts it.",
        "\n\nHere's why:\n\n1. The premise gives Ann 5 cats.\n2. The claim gives her 6 cats.",
        "\n\n**Explanation:** Ann does not have 6 cats.",
    ],
)
async def test_an_option_that_is_only_explained(behind: str) -> None:
    assert await _is_right(f"B. contradiction. {behind}", "(B)") is True
    assert await _is_right(f"B. contradiction. {behind}", "(A)") is False


@pytest.mark.parametrize(
    "behind",
    [
        "The claim is entailed by the premise.",
        "Then again, (C) fits the premise.",
        "Some would call the claim neutral.",
        "The premise does not contradict the claim.",
        "It is no contradiction of the premise, though.",
        "That is what the premise makes one guess.",
        "My friend read the premise to me.",
        "Is it what the premise says?",
        "Experts disagree.",
        "The opposite is meant.",
        "The premise does not support this.",
        "This is not what the premise says.",
        "On second thought, the premise says more.",
        "Wait, the premise says more.",
        "The answer to the premise is another one.",
        "The premise was read backwards by mistake.",
    ],
)
async def test_an_option_that_is_not_left_alone(behind: str) -> None:
    assert await _is_right(f"B. contradiction. {behind}", "(B)") is not True


@pytest.mark.parametrize(
    "reply",
    [
        "B. entailment. The premise says that Ann has 5 cats.",
        "B. contradiction of terms. The premise says that Ann has 5 cats.",
        "The premise says that Ann has 5 cats.",
        "D. paradox\n\nThe premise says that Ann has 5 cats.",
    ],
)
async def test_what_is_none_of_the_options_is_neither_right_nor_wrong(reply: str) -> None:
    assert await _is_right(reply, "(B)") is None


@pytest.mark.parametrize(
    ("answer", "read"),
    [("B. contradiction", True), ("A. entailment", False), ("B", True)],
)
async def test_a_claim_that_contradicts_its_premise_behind_an_answer(
    answer: str, read: bool
) -> None:
    reply = f"The answer is {answer}. The claim says 6, which contradicts the premise."
    assert await _is_right(reply, f"({answer[0]})") is (True if read else None)


LATE = "Who was late?\nOptions:\n(A) The nurse was late\n(B) The boss was late\n(C) It is open"


@pytest.mark.parametrize(
    ("reply", "read"),
    [
        ("The nurse told him, so the answer should be the boss. So the answer is (B).", True),
        ("The answer is the boss.\n\n**Answer: B**", True),
        ("The answer should be the nurse. So the answer is (B).", False),
        ("The answer is the doctor. So the answer is (B).", False),
        ("The answer is the one who was late. So the answer is (B).", False),
    ],
)
async def test_the_answer_in_words_above_its_letter(reply: str, read: bool) -> None:
    assert await _is_right(reply, "(B)", LATE) is (True if read else None)


@pytest.mark.parametrize(
    ("question", "reply", "gold", "read"),
    [
        ("Is the coin heads up?", "So the answer is that the coin is tails up.", "No", True),
        ("Is the coin heads up?", "So the answer is that the coin is heads up.", "No", False),
        ("How many eggs has Ann?", "The correct answer is that Ann has 3 eggs.", "3", True),
        ("How many eggs has Ann?", "The correct answer is that Ann has 4 eggs.", "3", False),
    ],
)
async def test_a_clause_that_is_called_the_answer(
    question: str, reply: str, gold: str, read: bool
) -> None:
    reply = f"{reply}\n\nTherefore, the answer is {gold}."
    assert await _is_right(reply, gold, question) is (True if read else None)


@pytest.mark.parametrize(
    ("reply", "read"),
    [
        ("The premise says 5. Therefore, the claim is a B. contradiction.", True),
        (
            "The premise says 5. So the claim is a B. contradiction because the premise says 5.",
            True,
        ),
        ("It says 5.\n\nGiven the premise, the claim is a CONTRADICTION (B).", True),
        ("The premise says 5. So the argument is a B. contradiction.", False),
        ("The premise says 5. Therefore, the claim is a B. entailment.", False),
        ("The premise says 5. Perhaps the claim is a B. contradiction.", False),
        ("So the claim is a B. contradiction. My friend says so.", False),
        ("So the claim is a B. contradiction because I guess so.", False),
    ],
)
async def test_a_last_sentence_that_concludes_an_option(reply: str, read: bool) -> None:
    assert await _is_right(reply, "(B)") is (True if read else None)


@pytest.mark.parametrize(
    ("reply", "is_right"),
    [
        ("My choice is B.", True),
        ("The two numbers differ, so my choice is: (B)", True),
        ("**My choice is C**", False),
        ("My choice is B, or perhaps C.", None),
        ("My choice is not B.", None),
        ("My first choice was B.", None),
    ],
)
async def test_a_choice_that_is_named_as_such(reply: str, is_right: bool | None) -> None:
    assert await _is_right(reply, "(B)") is is_right


PHONE = "Which part turns sound into a signal?\n(A) dial\n(B) the receiver\n(C) the microphone"
SUM = "What is 3 + 4?\n(A) 6\n(B) 8\n(C) 7"


@pytest.mark.parametrize(
    ("name", "question", "said", "right"),
    [
        ("math", SUM, '"7" is not the correct one.', False),
        ("math", SUM, "7 is wrong.", False),
        ("math", SUM, "It can't be 7.", False),
        ("math", SUM, '"8" is not the correct one.', True),
        ("commonsense", PHONE, "It would be wrong to go with the microphone.", False),
        ("commonsense", PHONE, "One should not choose the microphone.", False),
        ("commonsense", PHONE, "It is wrong to pick (C).", False),
        ("commonsense", PHONE, "It would be wrong to go with the receiver.", True),
    ],
)
async def test_an_option_that_is_ruled_out(
    name: str, question: str, said: str, right: bool
) -> None:
    domain = domains.get(name)
    problem, answer = domain.parse(question), domain.answer(f"{said} The answer is (C).")
    assert answer
    assert (await domain.equal(problem, answer, "(C)") is True) is right


async def test_a_condition_of_an_answer_is_the_questions_own() -> None:
    options = "\nA. salt\nB. malachite\nC. quartz"
    asked = "What is the most likely crystal, provided the flame is {}?" + options
    said = "Provided the flame is green, the most likely crystal is: B. malachite"
    assert await _is_right(said, "(B)", asked.format("green")) is True
    assert await _is_right(said, "(B)", asked.format("not red but green")) is not True
