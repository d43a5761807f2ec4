"""Texts found by reading: other answers taken for the same, and problems taken for others."""

from __future__ import annotations

import asyncio
import json

import pytest

from agentflow import domains
from agentflow.domains.zebra.puzzle import EXAMPLE as ZEBRA
from agentflow.errors import BadInput

COMMON, LOGIC, GRIDS = map(domains.get, ("commonsense", "logic", "zebra"))
FELL = "Did Rome fall before 1440?"


def same(one: str, other: str) -> bool | None:
    return asyncio.run(COMMON.equal(COMMON.parse("Which one?"), one, other))


def said(question: str, text: str) -> str | None:
    """The form of the answer that a text states."""
    answer = COMMON.answer(text)
    return None if answer is None else COMMON.normalise(COMMON.parse(question), answer)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(("3:1", "31"), ("1,5", "15"), ("5'11\"", "511"), ("A*", "A"), ("12:30", "1230")),
        *(
            ("Hepatitis A", "Hepatitis"),
            ("Vitamin A.", "Vitamin"),
            ("vitamin A pills", "Vitamin pills"),
        ),
        *(("10:1", "101"), ("1*2", "12"), ("5!", "5"), ("02134", "2134"), ("007", "7")),
        *(("1,50", "150"), ("3;4", "34"), ("6'2", "62"), ("2_000", "2000"), ("1^2", "12")),
        *(("Beyonce", "Beyoncé"), ("Jay Z", "Jay-Z"), ("half", "1/2")),
        *(("100", "a hundred"), ("1,500", "fifteen hundred"), ("dozen", "12")),
        *(("NYC", "New York City"), ("WWII", "World War II"), ("U.S.", "United States")),
        *(
            ("MIT", "Massachusetts Institute of Technology"),
            ("USA", "the United States of America"),
        ),
        *(
            ("5'", "5"),
            ('6"', "6"),
            ("WW2", "World War II"),
        ),
        *(("Müller", "Mueller"), ("two hundredth", "200")),
        *(("Malmo", "Malmö"), ("Lodz", "Łódź"), ("Spiderman", "Spider Man")),
    ],
)
def test_what_may_be_the_same_is_open(one: str, other: str) -> None:
    assert same(one, other) is None
    assert same(other, one) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(("5'11\"", "5'11"), ("'1831'", "1831"), ('"5"', "5"), ("'Hamlet'", "Hamlet")),
        *(("1,831", "1831"), ("06", "6"), ("*Hamlet*", "Hamlet"), ("**12:30**", "12:30")),
        *(("Hepatitis A", "hepatitis a"), ("Once Upon A Time", "Once Upon a Time")),
        *(("M*A*S*H", "MASH"), ("two hundred", "200"), ("A", "a"), ("the Seine", "Seine")),
    ],
)
def test_two_spellings_of_one_answer(one: str, other: str) -> None:
    assert same(one, other) is True


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(("Paris", "Lyon"), ("1831", "1832"), ("five", "six"), ("the Seine", "the Thames")),
        *(("NYC", "Los Angeles"), ("1,500", "2,500"), ("A", "B"), ("Beyoncé", "Rihanna")),
        *(("200", "three hundred"), ("half", "all"), ("USA", "United Kingdom")),
    ],
)
def test_two_answers(one: str, other: str) -> None:
    assert same(one, other) is False


@pytest.mark.parametrize(
    "text",
    [
        *("Yes. Nein, das ist falsch.", "Yes. Non, c'est faux.", "Yes. Нет, это неверно."),
        *("Yes. Dat klopt niet.", "Yes. Nej, det är fel.", "Yes. Hayır, bu doğru değil."),
        *("Yes, says the myth.", "Yes, historians dispute this claim.", "Yes, legend has it so."),
        *("Yes, critics deny it.", "Yes, that is a myth.", "Yes. It has been debunked since."),
        *("No, it surely did that.", "No, it certainly did.", "No, Rome was old. It did fall."),
        *("Yes, so they say.", "Yes, allegedly it fell.", "Yes, experts disagree with that."),
        *("No, it most certainly did.", "No, Rome did indeed fall.", "No, of course it did."),
        *("No, it indeed was so.", "Yes. 不，那是错的。"),
    ],
)
def test_a_yes_or_no_that_is_denied_behind_is_open(text: str) -> None:
    assert said(FELL, text) is None


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("Yes, it fell in 476.", "yes"),
        ("Yes. Whales breathe air, and Bobby Jindal attended Magnet High School.", "yes"),
        ("Yes, El Greco and Los Angeles are older.", "yes"),
        ("Yes, Zeus appears in Greek myth, and he was denied entry.", "yes"),
        ("No, Marlowe did.", None),  # three words are the fewest
        ("No, the poet Marlowe did.", "no"),
        ("No, it did not fall before that.", "no"),
        ("No. She did her degree in Rome.", "no"),
        ("No, it was built in 1831.", "no"),
        ("No, he did that in 1990.", "no"),
        ("No, she is so tall that nobody sees over her.", None),  # nobody may deny it
        ("No, she is so tall that all look up.", "no"),
        ("No, it does its best work at night.", "no"),
    ],
)
def test_a_yes_or_no_that_is_explained(text: str, form: str | None) -> None:
    assert said("Was it there?", text) == form


@pytest.mark.parametrize(
    "above",
    [
        *("Anyone but", "Wrong answers:\n", "Francis Bacon\n", "Francis Bacon.\n", "Not by"),
        *("The following person did not write it.\n", "It was never", "No candidates other than"),
        *("Candidates:\n", "People who didn't write it:\n", "Everybody except the"),
        *(
            "Francis Bacon\n\nHe was a philosopher.\n",
            "**Francis Bacon**\n",
            "It wasn't written by",
        ),
    ],
)
def test_a_last_line_to_which_the_one_above_does_not_lead(above: str) -> None:
    last = "**William Shakespeare**" if "**" in above else "William Shakespeare"
    assert said("Who wrote Hamlet?", f"{above}\n{last}") is None


@pytest.mark.parametrize(
    "above",
    [
        *("thinking", "Let me think.\n", "The play was written by", "Hamlet is a play of 1600.\n"),
        *("Bacon did not write it.\n", "## Reasoning\n", "- It was not staged until 1600\n"),
        *("Answer\n", "**Who wrote it**\n", "Sure!\n", "The author is:\n", "William Shakespeare\n"),
        *(
            "What is below it, nobody sees. It was not staged until 1600.\n",
            "So\n",
            "It is the play of one man:\n",
            "I know it.\n\nBacon wrote essays.\n",
        ),
    ],
)
def test_a_last_line_to_which_the_one_above_leads(above: str) -> None:
    assert said("Who wrote Hamlet?", f"{above}\nWilliam Shakespeare") == "william shakespeare"


def verdicts(problem: str) -> tuple[bool | None, bool | None]:
    """What is said of the answers True and Uncertain; None, None where a problem is refused."""
    try:
        parsed = LOGIC.parse(problem)
    except BadInput:
        return None, None
    true, open_ = (
        asyncio.run(LOGIC.verify_answer(parsed, one)).ok for one in ("True", "Uncertain")
    )
    return true, open_


@pytest.mark.parametrize(
    ("many", "one"),
    [
        *(("Elves", "elf"), ("Knives", "knife"), ("Wives", "wife"), ("Loaves", "loaf")),
        *(("Calves", "calf"), ("Dwarves", "dwarf"), ("Vertices", "vertex"), ("Indices", "index")),
        *(("Matrices", "matrix"), ("Crises", "crisis"), ("Scarves", "scarf"), ("Gloves", "glove")),
    ],
)
def test_a_plural_that_may_be_of_the_same_noun(many: str, one: str) -> None:
    problem = f"{many} are kind. Max is a {one}. Conclusion: Max is kind."
    assert verdicts(problem) == (None, None)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(
            ("grey", "gray"),
            ("cosy", "cozy"),
            ("colourful", "colorful"),
            ("sceptical", "skeptical"),
        ),
        *(("a neighbour", "a neighbor"), ("a traveller", "a traveler"), ("anaemic", "anemic")),
        *(("organised", "organized"), ("mouldy", "moldy"), ("defenceless", "defenseless")),
        *(("not-kind", "kind"), ("never-kind", "kind"), ("no-good", "good"), ("ex-kind", "kind")),
        *(("all-powerful", "powerful"), ("atypical", "typical"), ("abnormal", "normal")),
        *(("ignoble", "noble"), ("an atheist", "a theist"), ("good-for-nothing", "good")),
        *(
            ("anaerobic", "aerobic"),
            ("once-happy", "happy"),
            ("pseudoscientific", "scientific"),
            ("underpaid", "paid"),
        ),
    ],
)
def test_words_that_may_be_related_leave_it_open(one: str, other: str) -> None:
    problem = f"Alex is {one}. Bob is tall. Conclusion: Alex is {other}."
    assert verdicts(problem) == (None, None)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(("well-made", "well-behaved"), ("kind", "tall"), ("noble", "able"), ("cosy", "cold")),
        *(("a wumpus", "a vumpus"), ("grey", "great"), ("a dragon", "a dog"), ("rough", "round")),
    ],
)
def test_words_that_are_not_related_are_two(one: str, other: str) -> None:
    problem = f"Alex is {one}. Bob is red. Conclusion: Alex is {other}."
    assert verdicts(problem) == (False, True)


@pytest.mark.parametrize(
    "name",
    [
        *("Noone", "Mankind", "Humanity", "Everone", "Humankind", "Evryone", "Everybdy"),
        *("Somone", "Society", "Nobdy", "Somthing", "Eveyone"),
    ],
)
def test_a_word_for_many_is_no_name(name: str) -> None:
    problem = f"{name} is kind. Alex is tall. Conclusion: Alex is kind."
    assert verdicts(problem) == (None, None)


@pytest.mark.parametrize("name", ["Simone", "Avery", "Noah", "Boone", "Allison", "Manny", "Eve"])
def test_a_name_is_one(name: str) -> None:
    problem = f"{name} is kind. Everyone who is kind is happy. Conclusion: {name} is happy."
    assert verdicts(problem) == (True, False)


@pytest.mark.parametrize(
    "problem",
    [
        "Cold(bob, True)\nConclusion: Cold(bob, False)",
        "Kind(alex, no)\nConclusion: Kind(alex, yes)",
        "Kind(alex) = True\nConclusion: Kind(alex) = False",
        "P(everyone)\nQ(a)\nConclusion: P(a)",
        "P(every_one)\nQ(a)\nConclusion: P(a)",
        "P(someone) -> Q(someone)\nP(a)\nConclusion: Q(a)",
        "P(n) -> Q(n)\nP(a)\nConclusion: Q(a)",
        "P(x) -> Q(x)\nP(a)\nConclusion: Q(a)",
        "Grey(bob)\nConclusion: Gray(bob)",
        "P(person1) -> Q(person1)\nP(a)\nConclusion: Q(a)",
        "P(person) -> Q(person)\nP(a)\nConclusion: Q(a)",
        "Likes(n, m) -> Likes(m, n)\nLikes(alex, bob)\nConclusion: Likes(bob, alex)",
    ],
)
def test_what_may_be_no_constant_leaves_it_open(problem: str) -> None:
    assert verdicts(problem) == (None, None)


@pytest.mark.parametrize(
    ("problem", "right"),
    [
        ("P(a) -> Q(a)\nP(b)\nConclusion: Q(b)", (False, True)),
        ("P(s)\n∀x (P(x) → Q(x))\nConclusion: Q(s)", (True, False)),
        ("P(s)\nConclusion: Q(s)", (False, True)),
        ("Z(a)\nConclusion: S(a)", (False, True)),
        ("P(n) -> Q(n)\nP(n)\nConclusion: Q(n)", (True, False)),
    ],
)
def test_a_letter_may_be_a_constant(problem: str, right: tuple[bool, bool]) -> None:
    assert verdicts(problem) == right


RIGHT = "House 1: Arnold, tea\nHouse 2: Peter, water\nHouse 3: Eric, milk"
WRONG = "House 1: Eric, tea\nHouse 2: Peter, water\nHouse 3: Arnold, milk"
TABLE = (
    "| House | Name | Drink |\n|---|---|---|\n"
    "| 1 | Arnold | tea |\n| 2 | Peter | water |\n| 3 | Eric | milk |"
)


def in_json(explanation: str, key: str = "explanation") -> str:
    names, drinks = ("Arnold", "Peter", "Eric"), ("tea", "water", "milk")
    houses = {
        f"House {n}": {"Name": name, "Drink": drink}
        for n, (name, drink) in enumerate(zip(names, drinks, strict=True), 1)
    }
    return json.dumps({key: explanation, "solution": houses}, indent=1)


def grid(text: str) -> bool | None:
    answer = GRIDS.answer(text)
    return (
        None if answer is None else asyncio.run(GRIDS.verify_answer(GRIDS.parse(ZEBRA), answer)).ok
    )


@pytest.mark.parametrize(
    "text",
    [
        *(f"Answer:\n{WRONG}\n\nAnswer:\n{RIGHT}", f"{WRONG}\n\n# Solution\n{RIGHT}"),
        f"Answer:\n{WRONG}\nThis took some time.\n\nAnswer:\n{RIGHT}",
        f"{WRONG}\n\nFinal answer:\n{TABLE}",
        *(f"You think it is\n{RIGHT}", f"Your answer:\n{RIGHT}", f"Your solution is\n{RIGHT}"),
        *(f"{RIGHT}\nThe final answer follows.", f"{RIGHT}\nWe have to find it"),
        *(f"{RIGHT}\nWe will find the solution below.", f"{RIGHT}\nFinal answer:"),
        *(f"{RIGHT}\nLet us solve the puzzle", f"{TABLE}\n\nThe solution is as follows:"),
        *(in_json("Eric is in the first house."), in_json("So Eric is in house 1.", "reasoning")),
        *(in_json("Clue 1 holds. Therefore Eric must be in the first house. Peter has water."),),
        *(in_json("House 1: Eric."), in_json("Eric drinks tea."), in_json("Arnold has milk.")),
        in_json("Arnold has milk. Arnold is in house 1."),
        f"So Eric is in house 1.\n\n{RIGHT}",
        f"Eric lives in the first house.\n\n{TABLE}",
    ],
)
def test_a_grid_beside_which_something_else_is_said(text: str) -> None:
    assert grid(text) is not True


@pytest.mark.parametrize(
    "text",
    [
        *(RIGHT, TABLE, in_json("Arnold is in the first house."), in_json("Arnold drinks tea.")),
        *(f"{TABLE}\n\nAnswer:\n{RIGHT}", f"{TABLE}\n\n## Final answer\n{in_json('')}"),
        f"Answer:\n{WRONG}\nWait, clue 1 does not hold.\n\nAnswer:\n{RIGHT}",
        f"Here is your solution:\n{RIGHT}\nThank you!",
        f"Here's the solution to your puzzle:\n{TABLE}\nHere you go.",
        f"{RIGHT}\n\nThis follows from the clues.",
        f"{RIGHT}\nThe solution satisfies all the clues.",
        in_json("Eric is not in the first house. Arnold is in house 1."),
        in_json("So Eric is in house 1. But clue 1 fails. So Arnold is in house 1."),
        in_json("So Eric must be in house 1. Clue 2 holds. Eric is in house 3."),
        in_json("If Eric is in the first house, Arnold is in the third. Arnold is in house 1."),
        f"So Eric is in house 3.\n\n{RIGHT}",
    ],
)
def test_a_grid_beside_which_nothing_else_is_said(text: str) -> None:
    assert grid(text) is True
