"""Spatial maps: what a reply says beside its answer is understood, or the answer is undecided."""

from __future__ import annotations

import pytest
from replies import verdict

from agentflow import domains

MAP = (
    "Oak is in the map. Elm is to the Southeast of Oak. Fir is to the Northeast of Elm. "
    "Fir is to the Southeast of Oak. Ash is to the Northeast of Fir. "
)
WHERE = f"{MAP}In which direction is Elm relative to Oak?\nA. Northeast\nB. Southeast"
WHICH = f"{MAP}Which object is in the Northwest of Elm?\nA. Oak\nB. Ash\nC. Fir"
MANY = f"{MAP}How many objects are in the Northeast of Elm?\nA. 1\nB. 2\nC. 0"


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (WHERE, "From statement 1, we can directly see that Elm is to the Southeast of Oak."),
        (WHERE, "Relationships: Elm → Southeast of Oak."),
        (WHERE, "Elm is further south and further east than Oak."),
        (WHERE, "We determine the direction from Oak to Elm."),
        (WHERE, "Options: A. Northeast, B. Southeast."),
        (WHICH, "Reversing this relation, Oak is to the Northwest of Elm."),
        (WHICH, "We need to find which object is in the Northwest of Elm."),
        (MANY, "Objects in the Northeast of Elm:\n- Fir\n- Ash"),
        (MANY, "In the Northeast of Elm we find Fir and Ash."),
        (MANY, "Fir and Ash are both to the Northeast of Elm."),
        (WHERE, "The opposite of Northwest is Southeast."),
        (WHERE, "Put Oak at (0, 2), Elm at (1, 0) and Fir at (2, 1)."),
        (WHERE, "Oak is Northwest of Elm; so Elm is to the southeast of it."),
        (WHERE, "The first relation says that Elm is to the Southeast of Oak."),
        (WHICH, "To be northwest of Elm, an object has to be both north and west of it."),
        (WHICH, "- Ash: northeast\n- Fir: northeast\n- Oak: northwest, so it counts"),
        (WHICH, "Fir is northeast of Elm, and so is Ash."),
        (WHICH, "No statement mentions both Elm and Ash."),
        (MANY, "Fir (given) and Ash (which is Northeast of Fir) are northeast of Elm."),
        (MANY, "Oak is northwest of Elm, so it does not count."),
        (MANY, "From west to east: Oak, Elm, Fir, Ash. Only Fir and Ash are northeast of Elm."),
        (WHERE, "Let Oak be at the origin. Elm has positive x and negative y."),
        (WHERE, "Put Oak at (0, 0). Elm is Southeast of it, e.g. at (1, -1)."),
        (WHERE, "From Oak, go southeast to Elm, then northeast to Fir."),
        (WHICH, "Ash (option B) is northeast of Elm, and the same holds for Fir."),
        (MANY, "| Object | Northeast? |\n|---|---|\n| Oak | no |\n| Ash | yes |"),
        (WHERE, 'The clue "Elm is to the Southeast of Oak" can be read the other way round.'),
        (WHERE, "One of the clues reads: Elm is to the Southeast of Oak."),
        (WHERE, "Looking from Oak to Elm, we go the opposite way, which is Southeast."),
        (WHERE, "Elm is Southeast of Oak, meaning that it is further south and further east."),
        (WHERE, "Put Oak at (0, 0), with x to the east and y to the north, and Elm at (1, -1)."),
        (WHERE, "## What is said about Elm\n- It is to the Southeast of Oak."),
        (WHERE, "Let's check with Fir: Elm is south of it and Oak is north of it."),
        (WHICH, "All of the other options are east of Elm."),
        (WHICH, "Oak is the westernmost object."),
        (WHICH, "Oak is the one we are looking for: Elm is to its Southeast."),
        (MANY, "Two of the three objects are in the Northeast of Elm."),
        (
            MANY,
            "Two objects are northeast of Elm:\n1. Fir, since Elm is to its Southwest.\n"
            "2. Ash, which is further north than Fir and further east than Fir.",
        ),
        (MANY, "East of Oak: Elm, Fir and Ash."),
    ],
)
def test_what_is_understood_and_true(problem: str, said: str) -> None:
    answer = {WHERE: "B", WHICH: "A", MANY: "B"}[problem]
    assert verdict("spatialmap", problem, f"{said}\n\nAnswer: {answer}") is True


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (WHERE, "Statement 9 gives this."),
        (WHERE, "Relationships: Ash → Southwest of Elm."),
        (WHERE, "Elm is further north than Oak."),
        (WHERE, "Then x(Elm) < x(Oak)."),
        (WHERE, "We determine the direction from Elm to Oak."),
        (WHERE, 'The map opens with "Ash is in the map".'),
        (WHERE, "No sentence mentions both Elm and Oak."),
        (WHERE, "Only Elm is in the map."),
        (WHERE, "Oak is to the Southwest of Ash."),  # the map leaves it open
        (WHICH, "The object is Ash."),
        (WHICH, "Which object is in the Southeast of Elm?"),
        (MANY, "Objects in the Northeast of Elm:\n- Oak\n- Ash"),
        (MANY, "The map has 2 objects."),
        (MANY, "There is one object on the map."),
        (WHERE, "The opposite of Northwest is Southwest."),
        (WHERE, "Put Oak at (0, 0), Elm at (1, 1) and Fir at (2, 2)."),
        (WHERE, "Fir is Southeast of Oak, which is Southeast of Elm."),
        (WHERE, "No statement mentions both Oak and Fir."),
        (WHERE, "Oak → Fir: northeast."),
        (WHERE, "The second statement says that Ash is to the Northeast of Fir."),
        (WHERE, "Elm is southeast of Oak, but that is the reverse of what is asked."),
        (WHICH, "Oak is northwest of Elm, and so is Fir."),
        (WHICH, "Ash: northwest, so it counts."),
        (MANY, "We find Oak, Fir and Ash."),
        (MANY, "None of them is west of Elm."),
        (MANY, "Fir is northeast of Elm, likewise Oak."),
        (MANY, "Oak (northeast of Elm) and Fir are near."),
        (WHERE, "Let Oak be at the origin. Elm has negative x and negative y."),
        (WHERE, "From Oak, go southeast to Elm, then northwest to Fir."),
        (WHERE, "Fir is southeast of Oak, but whether it is north or south of it is left open."),
        (WHERE, "The opposite of Southeast is Southeast."),
        (WHERE, "Oak is northwest of Elm and Elm northwest of Fir."),
        (WHERE, "Fir is southeast of Oak. The same holds for Ash."),
        (WHICH, "Only one of the three options is southeast of Elm, and that is Oak."),
        (MANY, "Northeast of Elm:\n- Fir (given)\n- Oak, because it is northwest of Elm"),
        (WHICH, "Exclude the others: Oak, Ash and Fir are all northeast of Elm."),
        (MANY, "- Fir ✓ (1)\n- Ash ✓ (3)"),
        (MANY, "1 (Fir) + 1 (Oak) = 2 objects in the Northeast."),
        (MANY, "| Object | Northeast? |\n|---|---|\n| Oak | yes |\n| Ash | no |"),
        (WHERE, "To reverse a direction, you swap only the north-south part."),
        (WHERE, "Swapping both components means that north stays north."),
        (WHERE, 'The clue "Elm is to the Southwest of Oak" can be read the other way round.'),
        (WHERE, "Looking from Elm to Oak, we go the opposite way, which is Southeast."),
        (WHERE, "Elm is Southeast of Oak, meaning that it is further north and further east."),
        (WHERE, "Put Oak at (0, 0), with x to the north and y to the east, and Elm at (1, -1)."),
        (WHERE, "## What is said about Elm\n- It is to the Southeast of Fir."),
        (WHERE, "Let's check with Fir: Elm is north of it and Oak is south of it."),
        (WHICH, "All of the other options are west of Elm."),
        (WHICH, "Ash is the westernmost object."),
        (WHICH, "Ash is the one we are looking for."),
        (MANY, "Two of the four objects are in the Northeast of Elm."),
        (
            MANY,
            "Two objects are northeast of Elm:\n1. Fir, since Elm is to its Southwest.\n"
            "2. Oak, which is further north than Elm.",
        ),
        (
            MANY,
            "Objects northeast of Elm:\n- Fir, since Elm is to its Southwest.\n"
            "- Oak, because it is northwest of Elm.",
        ),
        (MANY, "East of Oak: Fir and Ash."),
    ],
)
def test_what_is_false_or_not_understood(problem: str, said: str) -> None:
    answer = {WHERE: "B", WHICH: "A", MANY: "B"}[problem]
    assert verdict("spatialmap", problem, f"{said}\n\nAnswer: {answer}") is None


def test_trials_far_above_an_answer_leave_it() -> None:
    tried = "Hmm, maybe Elm and Ash are neighbours.\n" * 70
    text = f"{tried}\nLet us look at the map.\n\nAnswer: B"
    assert verdict("spatialmap", WHERE, text) is True


@pytest.mark.parametrize(
    ("text", "ok"),
    [
        ('Southeast (B).\n\nOne clue reads "Elm is to the Southeast of Oak." So B.', True),
        ('One clue reads "Elm is to the Southeast of Oak."\n\n**B. Southeast**', True),
        ("Southeast (B).\n\nElm is to the Southeast of Oak. Or rather A.", None),
        ("Southeast (B).\n\nWait, no. Elm is to the Southeast of Oak.", None),
        ("Southeast (B).\n\nElm is to the Southwest of Oak.", False),
        ("Southeast (B).\n\nElm is to the Southeast of Oak.\n\n**A. Northeast**", False),
        ("A. Northeast\n\nOak is to the Northwest of Elm.\n\n**B. Southeast**", None),
    ],
)
def test_an_option_alone_is_the_answer(text: str, ok: bool | None) -> None:
    assert verdict("spatialmap", WHERE, text) is ok


SPATIAL = domains.get("spatialmap")
PORT = SPATIAL.parse(
    "Bank is in the map. Cafe is to the Northeast of Bank. Zoo is to the Northwest of Cafe. "
    "In which direction is Cafe relative to Bank?"
)
REFERENCE = "| Object | Direction | Reference |\n|---|---|---|\n"
RELATIVE = "| Place | Relative to | Position |\n|---|---|---|\n"


@pytest.mark.parametrize(
    ("text", "ok"),
    [
        ("Bank ↗ Cafe ↖ Zoo", True),
        ("Cafe ↙ Bank", True),
        (f"{REFERENCE}| Cafe | Northeast | Bank |\n| Zoo | NW | Cafe |", True),
        (f"{RELATIVE}| Cafe | Bank | Northeast |\n| Bank | Cafe | Southwest |", True),
        ("Cafe ↗ Bank", None),
        ("Bank ↘ Cafe", None),
        ("Bank ↗ Cafe ↗ Zoo", None),
        (f"{REFERENCE}| Bank | Northeast | Cafe |", None),
        (f"{REFERENCE}| Cafe | Northwest | Bank |", None),
        (f"{REFERENCE}| Cafe | not Northeast | Bank |", None),
        (f"{REFERENCE}| Cafe | Northeast | Bank | false |", None),
        (f"{RELATIVE}| Bank | Cafe | Northeast |", None),
        (f"{RELATIVE}| Cafe | Bank | Northeast? |", None),
        ("| Object | Direction | Cost |\n|---|---|---|\n| Cafe | Northeast | Bank |", None),
    ],
)
async def test_arrows_and_tables_with_a_column_of_directions(text: str, ok: bool | None) -> None:
    said = SPATIAL.answer(f"{text}\n\n\\boxed{{Northeast}}")
    assert said is not None
    assert (await SPATIAL.verify_answer(PORT, said)).ok is ok
