"""Spatial maps: what a reply says beside its answer is understood, or the answer is undecided."""

from __future__ import annotations

import pytest
from replies import verdict

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
        (WHERE, "Let y be how far north a place is. Then y(Elm) < y(Oak)."),
        (WHERE, "We determine the direction from Oak to Elm."),
        (WHERE, "Options: A. Northeast, B. Southeast."),
        (WHICH, "Reversing this relation, Oak is to the Northwest of Elm."),
        (WHICH, "We need to find which object is in the Northwest of Elm."),
        (MANY, "Objects in the Northeast of Elm:\n- Fir\n- Ash"),
        (MANY, "In the Northeast of Elm we find Fir and Ash."),
        (MANY, "Fir and Ash are both to the Northeast of Elm."),
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
    ],
)
def test_what_is_false_or_not_understood(problem: str, said: str) -> None:
    answer = {WHERE: "B", WHICH: "A", MANY: "B"}[problem]
    assert verdict("spatialmap", problem, f"{said}\n\nAnswer: {answer}") is None


def test_trials_far_above_an_answer_leave_it() -> None:
    tried = "Hmm, maybe Elm and Ash are neighbours.\n" * 70
    text = f"{tried}\nLet us look at the map.\n\nAnswer: B"
    assert verdict("spatialmap", WHERE, text) is True
