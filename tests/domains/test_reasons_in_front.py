"""Sentences in front of an answer that give a reason for it, ask, count, or hand it in."""

from __future__ import annotations

import pytest

from agentflow import domains
from agentflow.domains.answers.known_remarks import leaves

COUSINS = "Ann has 2 sisters. How many cousins does Ann have? Think it over, and check your answer."
LARGER = "Is 304 larger than 512?"


async def _is_right(question: str, reply: str, gold: str) -> bool | None:
    domain = domains.get("commonsense")
    problem, answer = domain.parse(question), domain.answer(reply)
    return await domain.equal(problem, answer, gold) if answer else None


@pytest.mark.parametrize(
    ("sentence", "left"),
    [
        ("Since the spelling has been checked, we can now present the final answer.", True),
        ("Now that two tutors have confirmed the order, I will give the final answer.", True),
        ("As both lists agree, I'll state the answer as a single line of text.", True),
        ("Since the spelling has not been checked, we can now present the final answer.", False),
        ("Since only one half was checked, we can now present the final answer.", False),
        ("Since nobody agreed, I will present the final answer.", False),
        ("Since both experts confirmed 73, I will present the final answer.", False),
        ("Since the list is long, I will present the final answer.", False),
        ("Since the list was verified, I will present the final answer as a guess.", False),
    ],
)
def test_what_hands_in_an_answer_because_it_was_confirmed(sentence: str, left: bool) -> None:
    assert leaves(sentence, "72") is left


@pytest.mark.parametrize(
    ("sentence", "read"),
    [
        ("Since the hypothesis follows from the premise, the answer is B.", True),
        ("The premise and hypothesis are contradictory, so the correct answer is B.", True),
        ("Under the hypothesis, the answer is B.", False),
        ("By hypothesis, the answer is B.", False),
        ("Hypothetically, the answer is B.", False),
    ],
)
async def test_a_hypothesis_that_the_problem_gives_is_no_doubt(sentence: str, read: bool) -> None:
    question = "Does it follow?\nA. no\nB. yes, it does\nC. open"
    assert await _is_right(question, sentence, "(B)") is (True if read else None)


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("So the number of children in the house is **6**: 4 girls and 2 boys.", True),
        ("So the answer is **6**: 4 girls and 2 boys.", False),
    ],
)
async def test_a_count_on_the_way_that_is_explained(line: str, read: bool) -> None:
    reply = f"{line}\n\nShe has 5 cousins elsewhere.\n\n### Answer: 5"
    assert await _is_right(COUSINS, reply, "5") is (True if read else None)


@pytest.mark.parametrize(
    ("reply", "right"),
    [
        ("### Answer: Ann has 5 cousins.", True),
        ("### Answer: Ann has 6 cousins.", False),
        ("### Answer: Ann has 5 sisters.", None),
    ],
)
async def test_the_question_said_again_that_is_not_the_last_sentence(
    reply: str, right: bool | None
) -> None:
    assert await _is_right(COUSINS, reply, "5") is right


@pytest.mark.parametrize(
    ("told", "read"),
    [
        ("The question asks whether 304 is larger than 512.", True),
        ("**Question:** Is 304 larger than 512?", True),
        ("To determine if 304 is larger than 512, we compare their digits.", True),
        ("Since 5 (in 512) is larger than 3 (in 304), 512 is larger than 304.", True),
        ("We compare them, confirming that 512 is larger.", True),
        ("As we see, 304 is larger than 512.", False),
        ("So 304 is larger.", False),
        ("512 is smaller than 304.", False),
    ],
)
async def test_what_is_said_beside_a_comparison(told: str, read: bool) -> None:
    reply = f"{told}\n\n**Answer:** No"
    assert await _is_right(LARGER, reply, "No") is (True if read else None)
