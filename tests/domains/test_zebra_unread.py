"""What is not understood to its last word: problems, clues and answers of zebra."""

from __future__ import annotations

import asyncio

import pytest

from agentflow.domains.zebra import Zebra
from agentflow.domains.zebra.puzzle import EXAMPLE
from agentflow.errors import BadInput
from agentflow.judge import states
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


JSON = (
    '{"House 1": {"Name": "Arnold", "Drink": "tea"}, "House 2": {"Name": "Peter", "Drink": "water"}'
)
JSON += ', "House 3": {"Name": "Eric", "Drink": "milk"}}'


def told(text: str) -> bool | None:
    """The verdict on what a text states, which no candidate of it may exceed."""
    answer = ZEBRA.answer(text)
    ok = None if answer is None else answered(answer).ok
    found = list(states(ZEBRA, ZEBRA.parse(EXAMPLE), text))
    candidates = [answered(one.data["answer"]).ok for one in found if one.kind == "candidate"]
    if "behind" not in text:  # what is said later is not known yet
        assert ok is not None or not any(candidates), text
    return ok


@pytest.mark.parametrize("between", ["\n", "\n\n"])
@pytest.mark.parametrize(
    "above",
    [
        *("The following is not my answer.", "The following is false", "Rejected grid", "Not"),
        *("Nobody claims", "I do not believe in", "If Eric is in 1 then", "Never", "Maybe"),
        *("Option A is not this one;", "What about this?", "错误答案：", "~~", "<del>", "<!--"),
        *(
            "```wrong",
            "Example:",
            "For example:",
            "Format:",
            "Not the answer:",
            "## Not the answer",
        ),
        *("I reject\nthe solution:", "I reject\n\nthe following solution:", "Is the answer"),
        *("Peter is in house 2. This grid is not the answer.", "This is not Eric's answer."),
        *(
            "If Eric is in house 1, Arnold drinks tea.",
            "Swap house 1 and house 3.",
            "Tea is not it.",
            "Eric is not here.",
        ),
        *("Read from right to left.", "Arnold is not in this grid.", "Wrong:\n```", "<!-- Answer:"),
        *(
            "Everything but this:\n\n**Grid**",
            "Step 4: Not this one:",
            "House 1.5: Eric",
            "{but: no}",
        ),
    ],
)
def test_a_grid_below_what_may_deny_it_is_none(above: str, between: str) -> None:
    assert told(f"{above}{between}{ANSWER}") is None


@pytest.mark.parametrize("between", ["\n", "\n\n"])
@pytest.mark.parametrize(
    "above",
    [
        *("", "Answer:", "**Final Answer:**", "Final answer", "## Solution", "Here is the grid:"),
        *(
            "So the final arrangement is:",
            "The arrangement is as follows:",
            "Final grid:",
            "```json",
        ),
        *("Based on the clues, the solution is:", "Putting everything together, we have:"),
        *("Here is the solution in the requested JSON format:", "Here's my answer:", "Summary:"),
        *(
            "From 1: House 2: Name = Peter",
            "Step 3: Eric is in house 3",
            "Therefore, Eric drinks milk.",
        ),
        *(
            "So Arnold must drink tea, since it is the only drink left.",
            "This leaves milk for Eric.",
        ),
        *("Arnold cannot drink milk. He drinks tea.", "Eric is in 3.\nThe final answer is:"),
        *("Who is it?\n\nSo Eric is in the third house.", "- Eric: milk\n\n**Final arrangement:**"),
    ],
)
def test_a_grid_below_a_heading_or_a_deduction_is_read(above: str, between: str) -> None:
    for grid in (ANSWER, JSON):
        assert told(f"{above}{between}{grid}\n\nAll clues are satisfied.") is True


@pytest.mark.parametrize(
    "behind",
    ["Is this the answer?", "?", "???", "all of this is an example:", "</del>", "-->", "~~"],
)
def test_a_grid_above_what_may_deny_it_is_none(behind: str) -> None:
    for grid in (ANSWER, JSON):
        answer = ZEBRA.answer(f"Answer:\n{grid}\n\n{behind}")
        assert answer is None or answered(answer).ok is None


@pytest.mark.parametrize(
    ("why", "ok"),
    [
        ("This grid is NOT the answer; I give up.", None),
        ("swap them afterwards", None),
        ("This grid is NOT the answer. Peter is in house 2.", None),
        ("Peter is in house 2. Swap them afterwards.", None),
        ("If Eric is in house 1, Arnold drinks tea.", None),
        (
            "According to Clue 1, Peter is in House 2. Eric cannot be in 1. So Eric drinks milk.",
            True,
        ),
        ("Systematic application of clues to deduce the arrangement.", True),
        ("Who is in 3? Not Arnold. Therefore, we can deduce the following solution.", None),
        ("Who drinks tea? Arnold does not drink milk. All clues are satisfied.", True),
    ],
)
def test_reasons_beside_a_grid_may_deny_it(why: str, ok: bool | None) -> None:
    pairs = (
        f'"explanation": "{why}", "solution": {JSON}',
        f'"solution": {JSON}, "reasoning": "{why}"',
    )
    for pair in pairs:
        for text in (f"{{{pair}}}", f"Answer:\n{{{pair}}}"):
            answer = ZEBRA.answer(text)
            assert (None if answer is None else answered(answer).ok) is ok


@pytest.mark.parametrize("house", ["House 1.5:", "House -1:", "House 1 or 2:"])
def test_a_house_whose_number_is_not_understood_refutes_nothing(house: str) -> None:
    assert told(ANSWER.replace("House 1:", house)) is None


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
