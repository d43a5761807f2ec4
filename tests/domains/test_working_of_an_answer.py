"""Sentences of the working that speak of the answer and leave it, and like ones that do not."""

from __future__ import annotations

import pytest

from agentflow.domains.answers import disclaimed


@pytest.mark.parametrize(
    ("sentence", "answer", "leaves"),
    [
        ("So m = 4 is the only valid case, and n = 7 is the answer.", "7", True),
        ("So both are equal, and n = 7 is the correct answer.", "7", True),
        ("So both are equal, and n = 8 is the correct answer.", "7", False),
        ("It is not true that both are equal, and n = 7 is the correct answer.", "7", False),
        ("We can conclude that option (B) 7 is the correct answer.", "7", True),
        ('The output "fig pear" is the correct answer to the given question.', "fig pear", True),
        ("Nobody believes that 7 is the correct answer.", "7", False),
        ("The problem is equivalent to finding the remainder of 60 by 7.", "4", True),
        ("The question is therefore equivalent to asking where it ends.", "4", True),
        ("This kind of problem is a good example of how ratios work.", "4", True),
        ("The problem is impossible.", "4", False),
        ("The problem is equivalent to finding the rest, which it is not.", "4", False),
        ("The problem is a good example of a faulty question.", "4", False),
        (
            "It requires splitting the work into steps and using arithmetic to arrive at the"
            " final answer.",
            "4",
            True,
        ),
        ("It requires luck to arrive at the final answer.", "4", False),
        ("I failed to arrive at the final answer.", "4", False),
        ("Therefore, the answer (arabic numerals) is", "4", True),
        ("I do not know what the answer is", "4", False),
        ("That is, 90 minus 50, which is 40.", "40", True),
        ("That is, 40 fails.", "40", False),
        ("This turn is represented by option (A).", "(A)", True),
        ("This mistake is represented by option (A).", "(A)", False),
        ("This narrows down our choices to (E).", "E", True),
        ("After careful consideration, I believe this is the correct solution.", "4", True),
        ("After little consideration, I believe this is the correct solution.", "4", False),
        ("Yes, it does.", "Yes", True),
        ("No, it does not.", "No", True),
        ("Yes, it does not.", "Yes", False),
        ("The answer does not depend on the value of a.", "4", True),
        ("The answer does not hold for the value of a.", "4", False),
    ],
)
def test_a_sentence_of_the_working(sentence: str, answer: str, leaves: bool) -> None:
    end = "\n\n" if sentence.endswith(" is") else " Then we add them up.\n\n"
    assert disclaimed(f"We add.\n{sentence}{end}Answer: {answer}") is not leaves
