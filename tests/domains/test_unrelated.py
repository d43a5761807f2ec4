"""What stands beside an answer and has to do with nothing else leaves it undecided."""

from __future__ import annotations

import pytest
from replies import PROBLEMS, is_right

from agentflow.domains import unrelated

SAID = {
    **{"sum": "72", "quad": "2, 3", "lt": "True", "lf": "False", "lo": "A"},
    **{"cy": "Yes", "cs": "1831", "who": "William Shakespeare"},
}


@pytest.mark.parametrize("name", SAID)
@pytest.mark.parametrize(
    "text",
    [
        "The crowd shouted:\n\nAnswer: {}",
        "The solution of last week's puzzle:\n\n\\boxed{{{}}}",
        "It is tempting to say so, but that is a trap.\n\n\\boxed{{{}}}",
        "The data do not suffice.\n\nAnswer: {}",
        "Nobody knows.\n\nAnswer: {}",
        "Experts disagree.\n\nAnswer: {}",
        "This is unsolvable.\n\nAnswer: {}",
        "Everything I say is a lie.\n\nAnswer: {}",
        "Do not believe the next line.\n\nAnswer: {}",
        "The following is fiction.\n\nAnswer: {}",
        "The reverse holds.\n\nAnswer: {}",
        "TODO: check.\n\nAnswer: {}",
        "Can you confirm this?\n\nAnswer: {}",
        "\\boxed{{{}}}\n\nIn your dreams.",
        "The bot hallucinated \\boxed{{{}}}.",
        "Nothing supports \\boxed{{{}}}.",
        "It would take a miracle for it to be \\boxed{{{}}}.",
    ],
)
def test_what_has_to_do_with_nothing_else(name: str, text: str) -> None:
    assert is_right(name, text.format(SAID[name])) is not True


@pytest.mark.parametrize("name", SAID)
@pytest.mark.parametrize(
    "text",
    [
        "Let us put it all together.\n\nAnswer: {}",
        "That seems right.\n\nAnswer: {}",
        "No contradictions here.\n\nAnswer: {}",
        "I do not think so.\n\nAnswer: {}",
        "Bottom line:\n\nAnswer: {}",
        "Answer: {}\n\nHope this helps!",
    ],
)
def test_what_only_tells_how_one_goes_on(name: str, text: str) -> None:
    assert is_right(name, text.format(SAID[name])) is True


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("sum", "She sells half as many in May.\n\nAnswer: 72"),
        ("sum", "There are several months.\n\nSo we add up these months.\n\nAnswer: 72"),
        ("cs", "A flood came in that year. The mayor cut a ribbon.\n\nAnswer: 1831"),
        ("cy", "A flood came first. The mayor cut a ribbon.\n\nAnswer: Yes"),
        ("who", "It is a tragedy.\n\nAnswer: William Shakespeare"),
    ],
)
def test_what_has_to_do_with_the_problem_the_reply_or_the_world(name: str, text: str) -> None:
    assert is_right(name, text) is True


def test_what_ties_a_sentence_to_a_problem_is_no_word_of_any_problem() -> None:
    (ground,) = unrelated.told("The muffins of this question are burnt.\n\nAnswer: 7", "7")
    assert not unrelated.goes_with("A question: how many?", [ground])
    assert unrelated.goes_with("How many muffins are there?", [ground])
    assert unrelated.without([ground, "says: 7"]) == ["says: 7"]


def test_the_problems_are_answered_without() -> None:
    for name, said in SAID.items():
        assert name in PROBLEMS
        assert is_right(name, f"Answer: {said}") is True


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("sum", "\\boxed{72}, they say."),
        ("sum", "\\boxed{72} is out of the question."),
        ("sum", "\\boxed{72}, provided that I read the question right."),
        ("sum", "Answer: 72\n\nBut the question asks for something else."),
        ("sum", "She sells anything but 72 clips.\n\n\\boxed{72}"),
        ("mz", "For the variant with other numbers:\n\n\\boxed{2}"),
        ("mz", "\\boxed{2}, for want of a better idea."),
        ("mz", "Answer: 2\n\nGive or take."),
        ("mz", "Answer: 2\n\nThe book gives a different value."),
        ("mp", "The reverse holds.\n\nAnswer: Northeast"),
        ("g", "Can you confirm this?\n\nAnswer: (7 - 8/8) * 4"),
        ("quad", "x = 3 fails.\n\n\\boxed{2, 3}"),
        ("quad", "3 does not satisfy the equation.\n\n\\boxed{2, 3}"),
        ("lo", "Every option but A holds. Answer: A"),
        ("lo", "A violates the second premise. So the answer is A."),
        ("lt", "Alex might be happy.\n\nAnswer: True"),
        ("lt", "By affirming the consequent, Alex is happy.\n\nAnswer: True"),
        ("lt", "Alex is happy by definition.\n\nAnswer: True"),
    ],
)
def test_what_denies_an_answer_in_words_that_claim_nothing_alone(name: str, text: str) -> None:
    assert is_right(name, text) is not True


def test_what_may_be_goes_with_what_is_open() -> None:
    assert is_right("lu", "Ben might be happy.\n\nAnswer: Uncertain") is True
