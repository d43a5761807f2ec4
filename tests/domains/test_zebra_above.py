"""What stands above a grid, or beside it in JSON, must not be at odds with it."""

from __future__ import annotations

import pytest
from replies import verdict

from agentflow.domains.zebra import grid
from agentflow.domains.zebra.puzzle import EXAMPLE

TABLE = "| House | Name | Drink |\n|---|---|---|\n| 1 | Arnold | tea |\n| 2 | Peter | water |\n"
TABLE += "| 3 | Eric | milk |"
JSON = (
    '{"House 1": {"Name": "Arnold", "Drink": "tea"}, "House 2": {"Name": "Peter", "Drink": '
    '"water"}, "House 3": {"Name": "Eric", "Drink": "milk"}}'
)


@pytest.mark.parametrize(
    "above",
    [
        *("We place Peter in house 1.", "Peter goes in house 1.", "Peter has house 1."),
        *("Only Peter lives in house 1.", "Peter must live in house 1, Arnold in house 2."),
        *("The third house gets water.", "Peter's house is house 1.", "Peter is not in house 2."),
        *("Eric is directly left of Peter.", "Milk is directly left of water."),
        *("Arnold is somewhere to the right of Peter.", "Arnold is next to Eric."),
        *("Eric drinks tea.\n\nTherefore:", "The person who drinks water is Eric."),
        "- Peter: house 1\n- Eric: house 2\n- Arnold: house 3\n\nFinal table:",
        "House 1: Eric\nHouse 2: Peter\nHouse 3: Arnold",
        "| House | 1 | 2 | 3 |\n|---|---|---|---|\n| Name | Eric | Peter | Arnold |",
        *("Order of drinks: milk, water, tea.", "From left to right: Peter, Arnold, Eric."),
        "The clues say that Eric is in the first house.",
        "Peter lives in the first house and Eric in the second.\nSo all is known.",
    ],
)
def test_what_is_at_odds_with_a_grid_leaves_it_undecided(above: str) -> None:
    assert verdict("zebra", EXAMPLE, f"{above}\n\n{TABLE}") is None
    if not above.endswith(":"):
        assert verdict("zebra", EXAMPLE, f"{above}\n\nAnswer:\n\n{TABLE}") is None


def test_a_grid_that_is_wrong_is_so_whatever_stands_above() -> None:
    wrong = TABLE.replace("tea", "beer").replace("milk", "tea").replace("beer", "milk")
    assert verdict("zebra", EXAMPLE, f"We place Peter in house 1.\n\n{wrong}") is False


@pytest.mark.parametrize(
    ("reasons", "ok"),
    [
        ("Peter must be in house 1 and Arnold in house 2.", None),
        ("Peter must be in house 2 and Arnold in house 1.", True),
    ],
)
def test_so_it_does_in_json(reasons: str, ok: bool | None) -> None:
    reply = f'{{"reasoning": "{reasons}", "solution": {JSON}}}'
    assert verdict("zebra", EXAMPLE, reply) is ok


@pytest.mark.parametrize(
    "above",
    [
        "Peter is in the second house. Arnold is directly left of Peter, who drinks water.",
        "Peter is not in house 1. Eric does not drink water.",
        "From left to right: Arnold, Peter, Eric.",
        "If Peter is in house 1, then clue 1 is violated.",
        "House 2: Peter",
        "Tea: house 1, water: house 2, milk: house 3.",
        "Eric is next to Peter, and milk is to the right of water.",
    ],
)
def test_what_agrees_with_a_grid_is_harmless(above: str) -> None:
    assert verdict("zebra", EXAMPLE, f"{above}\n\nSolution:\n\n{TABLE}") is True


@pytest.mark.parametrize(
    "above",
    [
        *("This grid breaks clue 2:", "If clue 3 were dropped, one could have:"),
        *("The houses counted from right to left:", "**Opposite of the solution:**"),
    ],
)
def test_what_leads_up_to_the_word_answer_is_of_the_grid(above: str) -> None:
    assert verdict("zebra", EXAMPLE, f"{above}\nAnswer:\n\n{TABLE}") is None
    assert verdict("zebra", EXAMPLE, f"{above}\n\nAnswer:\n\n{TABLE}") is None


@pytest.mark.parametrize("above", ["So the final grid is:", "From clues 1 and 2, Peter drinks:"])
def test_what_leads_up_to_it_may_be_harmless(above: str) -> None:
    assert verdict("zebra", EXAMPLE, f"{above}\n\nAnswer:\n\n{TABLE}") is True


@pytest.mark.parametrize(
    "behind",
    [
        *("This is not right; two drinks have to be swapped.", "Actually, swap tea and water."),
        *("Arnold drinks water.", "(That was my first attempt; it fails clue 1.)"),
    ],
)
@pytest.mark.parametrize("front", ["", "Answer:\n"])
def test_another_announcement_takes_back_nothing_that_was_said(front: str, behind: str) -> None:
    """An answer that cannot be read is asked for once more: the text then ends in ``Answer:``."""
    assert verdict("zebra", EXAMPLE, f"{front}{TABLE}\n\n{behind}\nAnswer:\n") is None
    assert verdict("zebra", EXAMPLE, f"{front}{TABLE}\n\n{behind}\nAnswer:\n{TABLE}") is (
        None if behind.startswith("Arnold") else True  # that is at odds with the grid below
    )


def test_every_clue_holds() -> None:
    assert verdict("zebra", EXAMPLE, f"{TABLE}\n\nEvery clue holds.") is True


GRID = (
    "| House | Name | Color | Car Model |\n|---|---|---|---|\n| 1 | Peter | red | honda civic |\n"
    "| 2 | Bob | white | ford f150 |\n| 3 | Alice | purple | bmw 3 series |"
)


@pytest.mark.parametrize(
    ("above", "odd"),
    [
        ("House 1 -> white", True),
        ("House 2 -> Ford F-150", False),
        ("The Ford F-150 is in house 3.", True),
        ("The Ford F-150 is in house 2.", False),
        ("The BMW is in house 1.", True),
        ("The BMW is in house 3.", False),
    ],
)
def test_a_value_that_is_spelled_otherwise_above_a_grid(above: str, odd: bool) -> None:
    assert (grid.stated(f"{above}\n\n{GRID}") != grid.stated(GRID)) is odd
