"""What is not understood to its last word: problems, clues and answers of zebra."""

from __future__ import annotations

import asyncio

import pytest

from agentflow.domains.zebra import Zebra
from agentflow.domains.zebra.puzzle import EXAMPLE
from agentflow.errors import BadInput
from agentflow.problem import Problem
from agentflow.verdict import Verdict

ZEBRA = Zebra()
ANSWER = "House 1: Name = Arnold, Drink = tea\nHouse 2: Name = Peter, Drink = water\n"
ANSWER += "House 3: Name = Eric, Drink = milk"


def answered(answer: str, of: Problem | None = None) -> Verdict:
    return asyncio.run(ZEBRA.verify_answer(of or ZEBRA.parse(EXAMPLE), answer))


def stepped(line: str, of: Problem) -> Verdict:
    _, [state] = ZEBRA.extract(of, line, 0, {})
    return asyncio.run(ZEBRA.verify_state(of, state, []))


@pytest.mark.parametrize(
    "clue",
    [
        *("Exactly one of the clues is false.", "Clue 1 is a lie.", "Left is right."),
        *("The houses are numbered from right to left.", "Milk makes Eric sneeze."),
        *("My friend Arnold drinks tea.", "Peter is in the first house. Not!", "?"),
        *("Whoever is said to be Peter is really Eric.", "Peter is Eric's name for Arnold."),
    ],
)
def test_a_clue_that_may_change_the_others_leaves_all_open(clue: str) -> None:
    unread = ZEBRA.parse(f"{EXAMPLE}\n4. {clue}")
    assert unread.data["unread"] == [4]
    for line in ("From 1: House 2: Name = Peter\n", "From 1: House 3: Drink = water\n"):
        verdict = stepped(line, unread)
        assert (verdict.ok, verdict.kind) == (None, "unread")
    for answer in (ANSWER, ANSWER.replace("Peter", "Arnold")):
        assert answered(answer, unread).kind == "unread"
    assert ZEBRA.unsolvable(unread) is None


UNCLEAR = [
    "No idea.",
    "",
    *(ANSWER.replace("Name = Eric", said) for said in ("Name != Eric", "Name = not Eric")),
    *(ANSWER.replace("Name = Eric", said) for said in ("Name is not Eric", "Name = Eric?")),
    *(ANSWER.replace("tea", said) for said in ("tea or milk", "tea (or milk)", "not tea", "tea?")),
    *(ANSWER.replace("tea", said) for said in ("tea, milk", "tea/milk", "~~tea~~", "beer", "tea-")),
    *(ANSWER.replace("Drink = tea", said) for said in ("Hates = tea", "Drink (not) = tea")),
    *(ANSWER.replace("tea", said) for said in ("tea²", "no tea", "probably tea", "t̶e̶a̶")),
    ANSWER.replace("Drink = tea", "Drink = tea, Mood = happy"),
    f"{ANSWER}\nHouse 2: Name = Eric",
    f"{ANSWER}\n\nWait, swap houses 1 and 2.",
    f"This arrangement breaks clue 2 and is not the solution.\n\n{ANSWER}",
    f"I count the houses from the right here.\n\n{ANSWER}",
    f"{ANSWER}\nBut this is not the answer.",
    f"Everything but this:\n{ANSWER}",
    f"{ANSWER}\nHouse 4 is empty, so it cannot be.",
    "| House | Drink | Name | Neighbour |\n|---|---|---|---|\n| 1 | tea | Arnold | Peter |\n"
    "| 2 | water | Peter | Arnold |\n| 3 | milk | Eric | Peter |",
    '{"House 1": {"Name": "Arnold", "Drink": "tea"}, "House 2": {"Name": "Peter", "Drink": "water"}'
    ', "House 3": {"Name": "Eric", "Drink": "milk"}, "but": "swap the first two"}',
]


@pytest.mark.parametrize("answer", UNCLEAR)
def test_an_answer_that_is_not_wholly_understood_is_none(answer: str) -> None:
    verdict = answered(answer)
    assert (verdict.ok, verdict.kind) == (None, "unread")
    assert ZEBRA.normalise(ZEBRA.parse(EXAMPLE), answer) is None
    told = ZEBRA.answer(f"From 1: House 2: Name = Peter\n\nAnswer:\n{answer}")
    assert told is None or answered(told).ok is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no 'There are N houses'"),
        ("who owns the zebra?", "no 'There are N houses'"),
        (EXAMPLE.replace("3 houses", "1 houses"), "1 houses; there must be 2 to 10"),
        (EXAMPLE.replace("3 houses", "40 houses"), "40 houses"),
        (EXAMPLE.replace("3 houses", "4 houses"), "4 houses, but 3 values"),
        (EXAMPLE.replace("`Eric`", "`Peter`"), "a value is empty or given twice"),
        (EXAMPLE.replace("`Eric`", "`!`"), "a value is empty or given twice"),
        (EXAMPLE.replace("## Clues:", ""), "no heading 'Clues:'"),
        (EXAMPLE.replace("- Each", "Each"), "0 attributes"),
        (
            EXAMPLE.replace("favorite drink", "name"),
            "'Each person has a unique name' is given twice",
        ),
        (EXAMPLE.replace("3. The", "2. The"), "there are two clues 2"),
        (EXAMPLE.replace("3. The", "The"), "is no numbered clue"),
        (EXAMPLE.partition("1. ")[0], "0 clues"),
        ("x" * 60_000, "more than 50,000 characters"),
        ("One clue is false.\n" + EXAMPLE, "could not read 'One clue is false.'"),
        (EXAMPLE + "\n\nOne of them is false.", "is no numbered clue"),
        (EXAMPLE + "\n\nSolve this.\nOne is false.", "could not read 'One is false.'"),
        (EXAMPLE + '\n\n{"Name": "___", "but not": "___"}', "could not read"),
        (EXAMPLE + '\n\n{"Name": "anybody but Peter"}', "could not read"),
        (f"{EXAMPLE}\n4. The next one lies.\n\n{EXAMPLE}", "'The next one lies.' of an example"),
        (EXAMPLE.replace("has a unique favorite", "hates a unique"), "could not read 'Each person"),
        (EXAMPLE.replace("left to right", "right to left"), "could not read"),
        (EXAMPLE.replace("1 to 3", "1 to 4"), "could not read"),
        (EXAMPLE.replace("`water`,", "`water` but no"), "0 values"),
        (EXAMPLE.replace("second", "2²"), "no plain ones"),
    ],
)
def test_bad_input(text: str, message: str) -> None:
    with pytest.raises(BadInput, match=r"^zebra: ") as error:
        ZEBRA.parse(text)
    assert message in str(error.value)
