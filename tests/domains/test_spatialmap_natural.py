"""Spatial maps: short names, questions, wrong sides and remarks behind an answer, as models write
them; what is false among these does not pass."""

from __future__ import annotations

import pytest
from replies import verdict

MAP = (
    "Otter's Bakery is in the map. Heron's Toys is to the Southeast of Otter's Bakery. "
    "Clock Tower is to the Northeast of Heron's Toys. "
    "Clock Tower is to the Southeast of Otter's Bakery. "
    "Vole's Garage is to the Northeast of Clock Tower. "
    "Vole's Garage is to the Northeast of Heron's Toys. "
    "City Park is to the Southwest of Heron's Toys. "
)
WHERE = (
    f"{MAP}In which direction is Heron's Toys relative to Clock Tower?\nA. Northeast\n"
    "B. Southwest\nC. Northwest\nD. Southeast"
)
WHICH = (
    f"{MAP}Which object is in the Northwest of Heron's Toys?\nA. Vole's Garage\nB. Clock Tower\n"
    "C. Otter's Bakery\nD. City Park"
)
MANY = f"{MAP}How many objects are in the Northeast of Heron's Toys?\nA. 0\nB. 2\nC. 1\nD. 3"
LINE = f"{MAP}How many objects are in the East of Heron's Toys?\nA. 0\nB. 2\nC. 1\nD. 3"
ANSWER = {WHERE: "B", WHICH: "C", MANY: "B", LINE: "A"}


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (WHERE, "The tower is northeast of the toys, so the toys are southwest of the tower."),
        (WHERE, "The clock tower is to the Northeast of Heron's Toys."),
        (
            WHERE,
            "Clock Tower is Northeast of Heron's Toys. From Clock Tower, Heron's Toys lies in the"
            " opposite direction.",
        ),
        (WHERE, "Vole's Garage and City Park play no role in this question."),
        (WHERE, "Note that the garage isn't needed for this question at all."),
        (WHERE, "City Park has no stated relation to Clock Tower."),
        (WHICH, "Let's take the four options one at a time."),
        (WHICH, "Only Otter's Bakery fits."),
        (WHICH, "- Vole's Garage: stated to be to the Northeast.\n- City Park: listed as SW."),
        (WHICH, "Is Clock Tower in the Northwest of Heron's Toys? No, it's in the Northeast."),
        (WHICH, "**City Park.** It is to the Southwest, so it is on the wrong side vertically."),
        (WHICH, "**Clock Tower.** It is to the Northeast: wrong side horizontally."),
        (WHICH, "Clock Tower and City Park are out. That leaves Otter's Bakery."),
        (WHICH, "Which object has Heron's Toys to its Southeast? Otter's Bakery does."),
        (MANY, "Could anything else be in the Northeast? City Park is to the Southwest."),
        (MANY, "Otter's Bakery is northwest and City Park is southwest, so neither counts."),
        (
            MANY,
            "The tower and the garage are northeast of the toys. Does any other object lie there?"
            " No.",
        ),
        (MANY, "Here's where everything else lies: the bakery is northwest of Heron's Toys."),
        (LINE, "To be exactly East of Heron's Toys, an object has to be level with it."),
        (LINE, "Every relation is diagonal, and none is stated to be there."),
        (LINE, "Strictly speaking, nothing on this map is due East, and Northeast is not East."),
        (WHERE, "South ↔ North\nEast ↔ West"),
        (WHERE, "We're told that Clock Tower is to the Northeast of Heron's Toys."),
        (WHERE, "The map doesn't say where City Park is relative to Otter's Bakery."),
        (WHERE, "How Vole's Garage relates to Otter's Bakery isn't determined."),
        (WHERE, "Vole's Garage is northeast of both places, and City Park is southwest of both."),
        (WHICH, "So C is the only option that works."),
        (
            WHICH,
            "It's the only one of the four options that is described as being Northwest of it.",
        ),
        (WHICH, "Otter's Bakery has a smaller x and a larger y than Heron's Toys."),
        (WHICH, "Northwest of Heron's Toys means a smaller x and a larger y."),
        (WHICH, "Heron's Toys is Southeast of Otter's Bakery, as the second sentence says."),
        (WHICH, "Objects that are elsewhere: Clock Tower and City Park."),
        (WHICH, "None of the other three is to the Northwest of Heron's Toys."),
        (MANY, "We want something that is both north and east of Heron's Toys."),
        (
            MANY,
            "**About Clock Tower**\n- It is Northeast of Heron's Toys.\n- It is SE of the bakery.",
        ),
        (MANY, "Vole's Garage is northeast of Heron's Toys (and of Clock Tower)."),
        (
            MANY,
            "Clock Tower is northeast of it, because Heron's Toys is southwest of Clock Tower."
            " Vole's Garage is northeast of it.",
        ),
    ],
)
def test_what_is_understood_and_true(problem: str, said: str) -> None:
    assert verdict("spatialmap", problem, f"{said}\n\nAnswer: {ANSWER[problem]}") is True


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (WHERE, "The tower is to the Southwest of the toys."),
        (WHERE, "The store is to the Northeast of the toys."),
        (WHERE, "From Heron's Toys, Clock Tower lies in the opposite direction."),
        (WHERE, "Clock Tower isn't needed for this question at all."),
        (WHERE, "Vole's Garage has no stated relation to Heron's Toys."),
        (WHERE, "Being exactly north of something means being at the same height."),
        (WHICH, "Let's take the three options one at a time."),
        (WHICH, "Only Clock Tower fits."),
        (WHICH, "- Vole's Garage: stated to be to the Northwest."),
        (WHICH, "Is Clock Tower in the Northwest of Heron's Toys? Yes."),
        (WHICH, "Isn't Clock Tower in the Northwest of Heron's Toys?"),
        (WHICH, "**City Park.** It is to the Southwest, so it is on the wrong side horizontally."),
        (WHICH, "**Clock Tower.** It is to the Northeast, so it is wrong on both axes."),
        (WHICH, "Otter's Bakery is out. That leaves Clock Tower."),
        (WHICH, "Which object has Heron's Toys to its Northeast?"),
        (MANY, "Could anything else be in the Northeast? Yes."),
        (MANY, "Clock Tower is northeast and City Park is southwest, so neither counts."),
        (MANY, "Vole's Garage isn't needed for this question."),
        (
            MANY,
            "The park is southwest of the toys, which are southwest of the tower, so both are"
            " northeast of the tower.",
        ),
        (MANY, "None is stated to be there."),
        (LINE, "To be exactly East of Heron's Toys, an object has to be in the same column."),
        (LINE, "All of its neighbours with a stated relation, the tower and the garage, are NE."),
        (LINE, "Strictly speaking, nothing on this map is Northeast, and East is not East."),
        (WHERE, "South ↔ East\nNorth ↔ West"),
        (WHERE, "We're told that Clock Tower is to the Southeast of Heron's Toys."),
        (WHERE, "The map doesn't say where Vole's Garage is relative to City Park."),
        (WHERE, "How Heron's Toys relates to Clock Tower isn't determined."),
        (WHERE, "Nothing needs to be reversed."),
        (
            WHERE,
            "Vole's Garage is northeast of both places, and Otter's Bakery is southwest of both.",
        ),
        (WHICH, "So A is the only option that works."),
        (
            WHICH,
            "It's the only one of the three options that is described as being Northwest of it.",
        ),
        (WHICH, "Otter's Bakery has a larger x and a larger y than Heron's Toys."),
        (WHICH, "Northwest of Heron's Toys means a larger x and a larger y."),
        (WHICH, "Heron's Toys is Southeast of Otter's Bakery, as the last sentence says."),
        (WHICH, "Objects that are elsewhere: Otter's Bakery and City Park."),
        (WHICH, "Otter's Bakery is not one of the options."),
        (MANY, "None of the four is in the Northeast."),
        (MANY, "**About Clock Tower**\n- It is to the Southwest of Heron's Toys."),
        (MANY, "Clock Tower is northeast of Heron's Toys (and of Vole's Garage)."),
        (
            MANY,
            "Clock Tower is northeast of it, because Heron's Toys is southwest of Clock Tower."
            " Otter's Bakery is northeast of it.",
        ),
    ],
)
def test_what_is_false_or_not_understood(problem: str, said: str) -> None:
    answer = ANSWER[problem]
    assert verdict("spatialmap", problem, f"{said}\n\nAnswer: {answer}") is not True
    assert verdict("spatialmap", problem, f"**Answer: {answer}**\n\n{said}") is not True


@pytest.mark.parametrize(
    ("behind", "ok"),
    [
        ("Let me verify: the clue says that Clock Tower is Northeast of Heron's Toys.", True),
        ("To check: the opposite of Northeast is Southwest.", True),
        ("Note that City Park isn't needed for this question at all.", True),
        ("On second thoughts, the toys are northeast of the tower.", False),
        ("Then again, Southeast is just as plausible.", False),
        ("It is rather to the Northeast.", False),
        ("Well, the toys are to the Northeast of the tower.", False),
        ("I take that back: Northeast.", False),
        ("The direction that is needed is Northeast.", False),
        ("This is not the direction that is required.", False),
        ("The relation needed is the opposite of Southwest.", False),
        ("The opposite of Northeast is Southeast.", False),
    ],
)
def test_what_stands_behind_an_answer(behind: str, ok: bool) -> None:
    text = f"Heron's Toys is Southwest of Clock Tower.\n\n**Answer: B**\n\n{behind}"
    assert (verdict("spatialmap", WHERE, text) is True) is ok


@pytest.mark.parametrize(
    ("said", "ok"),
    [
        ("**B. Southwest** – as seen from Clock Tower.", True),
        ("Clock Tower is northeast of Heron's Toys → B", True),
        ("Option B, because Clock Tower is northeast of Heron's Toys.", True),
        ("I'd go with B: Heron's Toys is southwest of Clock Tower.", True),
        ("<think>A? No, wait, B.</think>\nIt's B.", True),
        (
            "Reversing this gives Southwest, i.e. option B.\n\nThis comes straight from the map.",
            True,
        ),
        ("Let's look at option B.", False),
        ("The toys are southwest of the tower. I exclude B.", False),
        ("B can be eliminated.", False),
        ("The reverse of option B.", False),
        ("Go with B, reversed.", False),
        ("Southwest (B) is a common pick.", False),
        ("Clock Tower (B)", False),
        ("Southwest (B).\n\nOr rather A.", False),
        ("Heron's Toys is northwest of Clock Tower, so B.", False),
        ("B - Northeast", False),
    ],
)
def test_the_only_option_that_is_named(said: str, ok: bool) -> None:
    assert (verdict("spatialmap", WHERE, said) is True) is ok
