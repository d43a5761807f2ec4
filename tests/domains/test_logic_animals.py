"""Problems about ``the bear`` and what it does to others, as ProofWriter has them."""

from __future__ import annotations

import pytest
from replies import verdict

ANIMALS = (
    "The bear eats the dog. The dog is not kind. The dog sees the bald eagle. If something eats "
    "the dog then it is big. If something is big and it eats the dog then the dog likes the bear. "
    "If the dog likes the bear and the dog sees the bald eagle then the bald eagle does not chase "
    "the dog. Question: Based on the above information, is the following statement true, false, or "
    "unknown? {}\\nOptions:\\nA) True\\nB) False\\nC) Unknown"
).replace("\\n", "\n")


@pytest.mark.parametrize(
    ("claim", "right"),
    [
        ("The bear is big.", "A"),
        ("The dog is kind.", "B"),
        ("The bear does not eat the dog.", "B"),
        ("The dog likes the bear.", "A"),
        ("The bald eagle chases the dog.", "B"),
        ("The bald eagle does not chase the dog.", "A"),
        ("The dog eats the bear.", "C"),  # no converse
        ("The bear likes the dog.", "C"),
        ("The bear does not see the dog.", "C"),  # what is not told is open
        ("The dog is big.", "C"),
    ],
)
def test_what_follows_for_animals(claim: str, right: str) -> None:
    for letter in "ABC":
        found = verdict("logic", ANIMALS.format(claim), f"The correct option is: {letter}")
        assert found is (letter == right)


OPEN = (
    "The cat is red. The dog needs the cat. If something needs the cat and the cat is red then it "
    "is blue.{} Conclusion: {}"
)


@pytest.mark.parametrize(
    ("more", "claim", "answer", "told"),
    [
        ("", "The dog is blue.", "True", None),  # or the cat is
        ("", "The cat is blue.", "Uncertain", None),
        ("", "The dog is red.", "Uncertain", True),  # in both readings
        ("", "The dog is red.", "True", False),
        (" All blue things are big. The cat is blue.", "The cat is big.", "True", True),
        (" The cat is not blue.", "The dog is blue.", "True", True),  # else a contradiction
        (" The dog is not blue. The cat is not blue.", "The cat is big.", "Uncertain", None),
        (
            " If the dog is blue then the dog sees the cat. If the cat is blue then the dog sees "
            "the cat.",
            "The dog sees the cat.",
            "True",
            True,
        ),
    ],
)
def test_a_pronoun_of_two_readings(more: str, claim: str, answer: str, told: bool | None) -> None:
    assert verdict("logic", OPEN.format(more, claim), f"Answer: {answer}") is told


CLOSED = (
    "Based on the above information, is the following statement true or false? {}\\n"
    "Options:\\nA) True\\nB) False"
).replace("\\n", "\n")


@pytest.mark.parametrize("letter", "AB")
def test_nothing_is_told_by_absence(letter: str) -> None:
    """Where True and False are all there is, what is not told may be meant to be false."""
    problem = "The bear eats the dog. If something is not big then it is kind. " + CLOSED
    assert verdict("logic", problem.format("The bear is kind."), f"Answer: {letter}") is None
    assert verdict("logic", problem.format("The bear eats the dog."), "Answer: A") is True
    assert verdict("logic", problem.format("The bear eats the dog."), "Answer: B") is False


WORLD = (
    "The bear eats the dog. The dog is not kind. The dog sees the bald eagle. If something eats "
    "the dog then it is big. If something is big and it eats the dog then the dog likes the bear. "
    "Conclusion: {}"
)
CLAIMS = {
    "True": "The bear is big.",
    "False": "The dog is kind.",
    "Uncertain": "The bear likes the dog.",
}
RIGHT = {
    "True": [
        "The bear eats the dog, so it is big.",
        "The bear eats the dog. If something eats the dog then it is big. So the bear is big.",
        "From premise 1, the bear eats the dog. Therefore, the bear is big.",
        "The bear eats the dog. Therefore it is big.",
        "Anything that eats the dog is big.",
        "Because the bear eats the dog, it is big and the dog likes the bear.",
        "We know from premise 1 that the bear does eat the dog.",
    ],
    "False": ["Premise 2 says that the dog is not kind.", "The dog isn't kind."],
    "Uncertain": [
        "We do not know whether the bear likes the dog.",
        "The dog likes the bear, but the premises do not say whether the bear likes the dog.",
        "The bear eats the dog, but we do not know whether it likes the dog.",
    ],
}
WRONG = {
    "True": [
        "The bear eats the dog, so it is not big.",
        "The dog eats the bear. So the bear is big.",
        "If something is big then it eats the dog. So the bear is big.",
        "The bear sees the dog. If something sees the dog, then it is big. So the bear is big.",
        "Everything that eats the dog is not big.",
        "Nothing eats the dog.",
        "It does not eat the dog.",
        "The bear is big, but it does not eat the dog.",
        "The bear doesn't eat the dog.",
        "The bear never eats the dog.",
        "The bear eats no dog.",
        "The bear, who does not eat the dog, is big.",
        "The bear eats the dog. It is therefore not big.",
        "We know the bear eats the dog. Therefore it isn't big.",
        "Some things that eat the dog are not big.",
        "All big things eat the dog, and the bear is big.",
        "No premise says that the bear eats the dog.",
        "Two of the three premises hold.",
    ],
    "False": [
        "The dog isn't not kind.",
        "It is kind.",
        "The dog sees the bald eagle, so it is kind.",
        "No premise says that the dog is not kind.",
    ],
    "Uncertain": [
        "The bear likes the dog.",
        "The dog likes the bear, so the bear likes the dog.",
        "So the bear does not like the dog.",
        "No premise says that the dog likes the bear.",
    ],
}


@pytest.mark.parametrize("form", ["{said}\n\nAnswer: {answer}", "{said}\nANSWER:\t{answer}"])
@pytest.mark.parametrize(
    ("answer", "said", "told"),
    [
        *((answer, one, True) for answer, all_ in RIGHT.items() for one in all_),
        *((answer, one, None) for answer, all_ in WRONG.items() for one in all_),
    ],
)
def test_what_is_said_beside_an_answer(
    answer: str, said: str, told: bool | None, form: str
) -> None:
    reply = form.format(said=said, answer=answer)
    assert verdict("logic", WORLD.format(CLAIMS[answer]), reply) is told
