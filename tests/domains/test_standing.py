"""What a reply says beside a name, a yes or a no is set against the question."""

from __future__ import annotations

from functools import partial

import pytest
import replies

from agentflow.domains import get

LOGIC, PYTHON = map(get, ("logic", "python"))
SEA = "What is the smallest ocean in the world?"
SUNG = "Who wrote the novel The Grey Harbour?"
BUILT = "In which year did the Tern Bridge open?"
WHERE = "In which city is the Grey Tower located?"
LONGER = "Is the Ems longer than the Rhine?"
FASTER = "Can a goat outrun a horse on sand?"
BIRDS = "Do all birds fly?"


equal = partial(replies.equal, "commonsense")


@pytest.mark.parametrize(
    ("question", "gold", "text"),
    [
        (SEA, "Arctic", "Arctic. It is larger than the Indian Ocean."),
        (SEA, "Arctic", "Arctic. It is the largest ocean in the world."),
        (SEA, "Arctic", "Arctic. It is the smallest ocean in Asia."),
        (SEA, "Arctic", "Arctic. It is a bay of the Atlantic."),
        (SEA, "Arctic", "Arctic, a part of the Atlantic."),
        (SEA, "Arctic", "Arctic. Baffin took its place."),
        (SEA, "Arctic", "Arctic. It is second to the Indian Ocean."),
        (SUNG, "Ida Holm", "Ida Holm. She is its heroine."),
        (SUNG, "Ida Holm", "Ida Holm, the sister of its author."),
        (SUNG, "Ida Holm", "Ida Holm. She sold it for its author."),
        (SUNG, "Ida Holm", "The Grey Harbour was written for Ida Holm."),
        (BUILT, "1904", "1904. That is the year in which it was sold."),
        (BUILT, "1904", "1904. It opened three years later."),
        (WHERE, "Lyon", "Lyon. The tower stands in Nancy."),
        (LONGER, "no", "No. The Ems is 371 km long and the Rhine 80 km."),
        (LONGER, "no", "No. The Rhine loses."),
        (LONGER, "yes", "Yes. The Ems is as long as the Rhine."),
        (LONGER, "yes", "Neither is longer. Answer: yes"),
        (FASTER, "no", "No. Goats are faster."),
        (FASTER, "no", "No. A goat beats a horse."),
        (FASTER, "no", "No. The horse is too slow."),
        (FASTER, "no", "Neither happened. Answer: no"),
        (BIRDS, "no", "No. Every bird does."),
        (BIRDS, "no", "All of them do. Answer: no"),
        (FASTER, "no", "No, a goat cannot outrun a horse on sand.\n\nStrike that."),
    ],
)
def test_what_does_not_go_with_an_answer(question: str, gold: str, text: str) -> None:
    assert equal(question, text, gold) is not True


@pytest.mark.parametrize(
    ("question", "gold", "text"),
    [
        (SEA, "Arctic", "Arctic. It is smaller than the Indian Ocean."),
        (SEA, "Arctic", "Arctic. It is an ocean around the North Pole."),
        (SUNG, "Ida Holm", "Ida Holm. She was a Danish novelist."),
        (SUNG, "Ida Holm", "The Grey Harbour was written by Ida Holm."),
        (WHERE, "Lyon", "Lyon. The tower stands in Lyon."),
        (LONGER, "no", "No. The Ems is 371 km long and the Rhine 1,230 km."),
        (LONGER, "no", "No. The Rhine is longer."),
        (FASTER, "no", "No. Horses are far faster on sand."),
        (FASTER, "no", "No. A horse beats a goat."),
        (BIRDS, "no", "No. Penguins do not fly."),
        (BIRDS, "no", "No. Not all birds fly."),
    ],
)
def test_what_goes_with_an_answer(question: str, gold: str, text: str) -> None:
    assert equal(question, text, gold) is True


BOX = (
    "A rectangle has a perimeter of 36 cm and its length is twice its width."
    " What is its width in centimeters?"
)
DICE = "Two dice are rolled. What is the probability that the sum is 7?"


@pytest.mark.parametrize(
    ("question", "gold", "text", "right"),
    [
        (BOX, "6", "width = 6", True),
        (BOX, "6", "w = 6 cm", True),
        (BOX, "6", "length = 6", False),
        (BOX, "6", "L = 6", False),
        (BOX, "6", "Twice the width is 6 cm.", False),
        (DICE, "1/6", "P(8) = 1/6", False),
        (DICE, "1/6", "P(not 7) = 1/6", False),
    ],
)
def test_the_name_of_a_number(question: str, gold: str, text: str, right: bool) -> None:
    assert replies.equal("math", question, text, gold) is (right or None)


HALF_READ = (
    "Ann is quiet. All round people are not smart. If someone is quiet then they are smart."
    " Question: Based on the above information, is the following statement true, false, or unknown?"
    " Ann is smart."
)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("True", True),
        ("Ann is quiet. Answer: True", True),
        ("True\n\nNo rule makes Ann smart.", False),
        ("True\n\nWhether Ann is smart is open.", False),
        ("True\n\nOne cannot tell.", False),
        ("DO NOT SUBMIT\n\nAnswer: True", False),
    ],
)
async def test_a_problem_that_is_understood_in_part(text: str, right: bool) -> None:
    problem = LOGIC.parse(HALF_READ)
    said = LOGIC.answer(text)
    assert problem.data["claim"] is None
    assert ((await LOGIC.equal(problem, said, "True")) if said else None) is (right or None)


@pytest.mark.parametrize(
    ("behind", "read"),
    [("", True), ("\n\nHold on", False), ("\n ⛔", False), ("\n\nHmm, let me redo it.", False)],
)
def test_what_stands_behind_a_program_with_a_heading(behind: str, read: bool) -> None:
    program = "Answer:\n\n```python\ndef twice(n):\n    return 2 * n\n```"
    assert (PYTHON.answer(program + behind) is not None) is read
